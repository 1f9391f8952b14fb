"""A failed play as a Python script that runs on its own."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.model.model import Model

from .game import Divergence, Game, Play
from .runner import PREAMBLE, REBUILT


def played(play: Play, make_model: Callable[..., Model] = Model) -> tuple[Divergence | None, Game]:
    """Run a play; return its divergence, if any, and the game."""
    game = Game(play, make_model)
    try:
        game.play_all()
    except Divergence as divergence:
        return divergence, game
    finally:
        game.end()
    return None, game


def failure(play: Play, make_model: Callable[..., Model] = Model) -> Divergence | None:
    """Run a play and return its divergence, or None."""
    return played(play, make_model)[0]


def script_of(play: Play, make_model: Callable[..., Model] = Model) -> str:
    """Return a script that reproduces a failure; it imports only ecs_collision and esper and ends in an error."""
    divergence, game = played(play, make_model)
    assert divergence is not None
    lines = [*game.runner.lines, *([divergence.claim] if divergence.claim else [])]
    body = "\n".join(lines)
    message = "\n".join(f"# {line}" for line in str(divergence).split("\n"))
    return f"{_needed(PREAMBLE + REBUILT, body)}\n\n{body}\n\n{message}\n"


def _needed(preamble: str, body: str) -> str:
    """Return the definitions of the preamble that a script uses directly or indirectly."""
    head, *definitions = re.split(r"\n\n\n(?=class |def )|\n(?=class |def )", preamble.strip())
    names = {_name(definition): definition for definition in definitions}
    used: set[str] = set()
    words = set(re.findall(r"\w+", body))
    while words:
        found = {name for name in names if name in words} - used
        used |= found
        words = {word for name in found for word in re.findall(r"\w+", names[name])}
    return "\n\n\n".join([head, *(definition.strip() for name, definition in names.items() if name in used)])


def _name(definition: str) -> str:
    return re.split(r"\W+", definition)[1]
