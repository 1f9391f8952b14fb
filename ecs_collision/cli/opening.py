"""Which level a command means, and whether its script runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ecs_collision import puzzles
from ecs_collision.errors import LevelError
from ecs_collision.game.game import Game
from ecs_collision.levels import Level, load_level
from ecs_collision.plays.replaying import script_of

MOST_DIGITS = 9
"""A text of more digits is no number of a level, but may be its title."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A level that was chosen: its file, which level of that, and its script if it runs.

    path: where the file really is, links followed: what lies beside a link is not beside the level. note: what to tell
    the player before the game, "" for nothing.
    """

    path: Path
    which: str | int | None
    level: Level
    script: Path | None
    note: str

    def game(self) -> Game:
        """Return a game of it at its beginning."""
        return Game(self.level, script=self.script)


def choose(name: str, which: str | None, script: bool) -> Chosen:
    """Return the level of a file, or the puzzle of our own that has this name.

    A script is program code: those of our own puzzles run, that beside another level only if `script` says so. Which
    file it is, and whether it is ours, follow from one path, that of the level's file with all links followed.
    """
    path = Path(name)
    if not os.path.exists(path) and name in puzzles.names():
        path = puzzles.path(name)
    elif not os.path.exists(path) and not path.suffix:
        raise LevelError(
            name, found="no such file, and no puzzle of this name", expected="a level file or the name of a puzzle",
            remedy="`play` alone lists the puzzles",
        )  # fmt: skip
    number = int(which) if which is not None and which.isdecimal() and len(which) <= MOST_DIGITS else which
    level = load_level(path, number)
    path = resolved(path)
    beside = script_of(path)
    is_there = os.path.isfile(beside)
    if script and not is_there:
        raise LevelError(
            str(beside), found="no such file", expected="the script of the level", remedy="leave out --script"
        )
    runs = is_there and (script or is_own(beside))
    note = f"{beside} is not run, for it is program code; add --script if you trust it."
    return Chosen(path, number, level, beside if runs else None, note if is_there and not runs else "")


def is_own(path: Path) -> bool:
    """Return whether a file or folder is part of this package's own puzzles, links followed."""
    return resolved(path).is_relative_to(puzzles.FOLDER)


def resolved(path: Path) -> Path:
    """Return where a path leads, links followed; `Path.resolve` would raise where they go round in a circle."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as problem:  # a zero byte, half of a surrogate pair
        raise LevelError(
            str(path), found=f"no name a file can have ({problem})", expected="a path", remedy="check the path"
        ) from problem
