"""Boards from drawings: the legend they have if none is given, and the level that is drawn."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.levels import Level, parse_level
from ecs_collision.levels.load import Options
from ecs_collision.levels.registry import PLAIN, Registry
from ecs_collision.levels.source import Source
from ecs_collision.levels.text.legend import read_legend
from ecs_collision.testing.drawings import Alphabet, contents, read_drawing
from ecs_collision.testing.traceback import hidden

__tracebackhide__ = hidden

LEGEND = """
# wall: Static
@ player: Motion(1.5)
$ crate: Inertia(1)
_ plate: Trigger
* = $ _
+ = @ _
"""
"""What letters mean unless the legend that is given says otherwise; "." and " " are empty."""

USUAL = {"wall": "#", "walls": "#", "player": "@", "crate": "$", "box": "$", "goal": ".", "plate": "_"}
"""The letters of kinds in levels that were not drawn with letters, as Sokoban has them."""

Legend = str | Mapping[str, str] | None
"""Lines as in a level, or letters to what stands behind them: {"D": "door: Static"}."""

_IS_LEVEL = re.compile(r"^map( +at .*)? *$", re.MULTILINE)


def level_of(drawing: str, legend: Legend, components: Mapping[str, Any] | None) -> tuple[Level, Alphabet]:
    """Return the level of a drawing, or of a text that is a whole level, and the letters it is drawn with."""
    if not isinstance(drawing, str):
        raise CollisionTypeError(f"a board is made of a drawing, a Level or a path, not of {drawing!r}")
    text = textwrap.dedent(drawing)
    if _IS_LEVEL.search(text):
        if legend is not None:
            raise CollisionValueError("this is a whole level with a legend of its own; give no legend beside it")
        level = parse_level(text, components=components, name="board")
        return level, alphabet_of(level)
    rows, notes = read_drawing(drawing)
    if notes:
        raise CollisionValueError(
            f"the drawing has the note '; {notes[0]}', but a board is made of letters on cells; give letters in the "
            "legend, and put things elsewhere with board.teleport(name, x, y)"
        )
    lines = _lines(legend)
    options = Options(registry=Registry(components) if components else PLAIN)
    source = Source("legend", "\n".join(lines).encode())
    read = read_legend(source, enumerate(lines, 1), options)
    alphabet = _alphabet(read.kinds, read.together)
    if not contents(rows, alphabet):
        raise CollisionValueError("the drawing has nothing in it; draw a letter of the legend, such as '@'")
    text = "\n".join(["title: board", "legend", *lines, "map", *rows])
    return parse_level(text, components=components, name="board"), replace(alphabet, blank=_blank(rows, alphabet))


def alphabet_of(level: Level) -> Alphabet:
    """Return the letters of a level: those it was drawn with, else one for each kind."""
    if level.letters is not None:
        return _alphabet(level.letters.kinds, level.letters.together)
    kinds = {letter: kind for kind, letter in kind_letters(level).items()}
    usual = {"*": ("$", "."), "+": ("@", ".")} | ({"*": ("$", "_"), "+": ("@", "_")} if "_" in kinds else {})
    return _alphabet(
        kinds, {letter: stack for letter, stack in usual.items() if letter not in kinds and kinds.keys() >= {*stack}}
    )


def _alphabet(kinds: Mapping[str, str], together: Mapping[str, tuple[str, ...]]) -> Alphabet:
    single: dict[str, tuple[str, ...]] = {letter: (letter,) for letter in kinds}
    return Alphabet(single | {letter: tuple(sorted(stack)) for letter, stack in together.items()}, kinds, " ")


def kind_letters(level: Level) -> dict[str, str]:
    """Return a letter for each kind, no two alike: the usual one, one of its own, or any."""
    letters: dict[str, str] = {}
    kinds = list(dict.fromkeys(thing.kind for thing in level.things))
    for kind in kinds:
        usual = USUAL.get(kind.lower())
        if usual is not None and usual not in letters.values():
            letters[kind] = usual
    for kind in kinds:
        own = f"{kind.upper()}{kind.lower()}" + "".join(map(chr, range(0x41, 0x24F)))
        free = (letter for letter in own if letter.isalnum() and letter not in letters.values())
        letters.setdefault(kind, next(free))
    return letters


def _lines(legend: Legend) -> list[str]:
    """Return the lines of a legend: those given, and the usual ones of letters that they leave."""
    if isinstance(legend, Mapping):
        given = [f"{letter} {meaning}" for letter, meaning in legend.items()]
    elif legend is None or isinstance(legend, str):
        given = [line for line in textwrap.dedent(legend or "").splitlines() if line.strip()]
    else:
        sample = '"D door: Static", or {"D": "door: Static"}'
        raise CollisionTypeError(f"legend is {legend!r}; give lines such as {sample}")
    own = {line[0]: line for line in given}
    lines = given + [line for line in LEGEND.split("\n") if line and line[0] not in own]
    stacks = {line[0] for line in lines if line[1:3] == " ="}
    return [line for line in lines if line in given or line[0] not in stacks or stacks.isdisjoint(line[3:].split())]


def _blank(rows: tuple[str, ...], alphabet: Alphabet) -> str:
    """Return how the drawing draws nothing: with blanks if it has those and no points."""
    drawn = "".join(rows)
    return " " if "." in alphabet.meanings or ("." not in drawn and " " in drawn) else "."
