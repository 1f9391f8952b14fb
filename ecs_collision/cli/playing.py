"""`play LEVEL`: a level in the terminal, or by letters from a pipe."""

from __future__ import annotations

import contextlib
import textwrap
from pathlib import Path
from typing import Any, TextIO

from ecs_collision import puzzles
from ecs_collision.cli.extras import extra
from ecs_collision.cli.keys import Keyboard
from ecs_collision.cli.opening import Chosen
from ecs_collision.cli.saving import save_play
from ecs_collision.cli.session import Session
from ecs_collision.cli.stage import Stage
from ecs_collision.errors import LevelError
from ecs_collision.game.game import Game
from ecs_collision.levels import Level, load_level
from ecs_collision.picture import plain
from ecs_collision.plays.files import MOST_MOVES
from ecs_collision.terminal_text import Writer, visible

MOST_KEYS = MOST_MOVES
"""The most characters read from a pipe, which may have no end."""


def list_puzzles(stream: TextIO) -> None:
    """Write the puzzles of our own, with their titles."""
    names = puzzles.names()
    width = max(map(len, names), default=0)
    writer = Writer(stream)
    for name in names:
        writer.write(f"{name:<{width}}  {load_level(puzzles.path(name)).title}")
    writer.write("", "Play one with: python -m ecs_collision play NAME, or give the path of a level file.")


def play(chosen: Chosen, keys: TextIO | None, stream: TextIO, save: Path | None = None) -> None:
    """Let somebody play: in a terminal key by key, else the characters of `keys` in one go.

    keys: None where the input is closed, which is refused. save: where the key s writes the play; None for beside the
    level.
    """
    if keys is None or keys.closed:
        raise _no_keys("a closed input")
    places = [save]

    def keep(game: Game) -> str:
        places[0] = save_play(chosen, game, places[0])
        return f"Written: {places[0]}"

    session = Session(chosen.game(), keep)
    if keys.isatty() and stream.isatty():
        play_in_terminal(session, chosen)
    else:
        play_letters(session, chosen, keys, stream)


def play_letters(session: Session, chosen: Chosen, keys: TextIO, stream: TextIO) -> None:
    """Play the characters of a text, and write the first and the last picture and what there is to say between."""
    writer, stage = Writer(stream), Stage(session.game)
    letters = typed(keys)
    writer.write(*heading(chosen.level), *[chosen.note] * bool(chosen.note), "")
    writer.draw(plain(stage.rows()))
    writer.write("")
    for key in letters:
        if key.isspace():
            continue
        session.press(key)
        if session.message:
            writer.write(f"{len(session.game.moves)}: {session.message}")
        if session.ended:
            break
    writer.write("")
    writer.draw(plain(stage.rows()))
    writer.write("", session.status())


def typed(keys: TextIO) -> str:
    """Return all characters of an input; raises LevelError where it is no text, or has too many of them."""
    try:
        text = keys.read(MOST_KEYS + 1)
    except UnicodeDecodeError as problem:
        raise _no_keys(f"the byte 0x{problem.object[problem.start]:02x}, which is no text") from problem
    if len(text) > MOST_KEYS:
        raise _no_keys(f"more than {MOST_KEYS} characters")
    return text


def _no_keys(found: str) -> LevelError:
    return LevelError(
        "the input", found=found, expected="the letters of moves, in a terminal or from a pipe",
        remedy="give them as in: echo RRUL | python -m ecs_collision play LEVEL",
    )  # fmt: skip


def play_in_terminal(session: Session, chosen: Chosen) -> None:
    """Play key by key, the whole terminal showing the game."""
    screens = extra("rich.console", "playing in a terminal").Console()
    stage = Stage(session.game)
    session.message = chosen.note
    with contextlib.suppress(KeyboardInterrupt), Keyboard() as keyboard, screens.screen() as screen:
        while not session.ended:
            screen.update(show(session, stage, chosen.level, screens.size))
            session.press(keyboard.read())


def show(session: Session, stage: Stage, level: Level, size: tuple[int, int]) -> Any:
    """Return what a terminal of so many columns and rows shows; where that is too much, at least the picture."""
    width, height = size
    above = [(line, "bold") for line in heading(level)]
    status = (session.status(), "bold green" if session.game.solved else "")
    below = [status, (session.message, "yellow"), (stage.legend(), "dim"), (session.help(), "dim")]
    room = height - _height(above, width) - _height(below, width) - 2
    picture = stage.rows(width, room)
    if len(picture) > room:
        above, below = [], below[:2]
    told = extra("rich.text", "playing in a terminal").Text()
    for line, style in above:
        told.append(visible(line) + "\n", style)
    told.append("\n" * bool(above))
    for row in picture:
        for run in row:
            told.append(run.text, run.style)
        told.append("\n")
    for line, style in below:
        told.append("\n" + visible(line), style)
    return told


def _height(lines: list[tuple[str, str]], width: int) -> int:
    """Return how many rows lines take when they are wrapped."""
    return sum(max(1, len(textwrap.wrap(line, width))) for line, _ in lines)


def heading(level: Level) -> list[str]:
    """Return what a level says of itself."""
    told = [str(level.properties[key]) for key in ("author", "note") if level.properties.get(key)]
    return [visible(line) for line in (level.title, *told)]
