"""Which level a command means, and whether its script runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ecs_collision import puzzles
from ecs_collision.errors import LevelError
from ecs_collision.levels import Level, load_level
from ecs_collision.levels.game import Game
from ecs_collision.levels.replaying import script_of


@dataclass(frozen=True, slots=True)
class Chosen:
    """A level that was chosen: its file, which level of that, and its script if it runs.

    note: what to tell the player before the game, "" for nothing.
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

    A script is program code: those of our own puzzles run, that beside another level only if `script` says so.
    """
    path = Path(name)
    if not path.exists() and name in puzzles.names():
        path = puzzles.path(name)
    elif not path.exists() and not path.suffix:
        raise LevelError(
            name, found="no such file, and no puzzle of this name", expected="a level file or the name of a puzzle",
            remedy="`play` alone lists the puzzles",
        )  # fmt: skip
    number = int(which) if which is not None and which.isdecimal() else which
    level = load_level(path, number)
    beside = script_of(path)
    if script and not beside.is_file():
        raise LevelError(
            str(beside), found="no such file", expected="the script of the level", remedy="leave out --script"
        )
    runs = beside.is_file() and (script or is_own(path))
    note = f"{beside} is not run, for it is program code; add --script if you trust it."
    return Chosen(path, number, level, beside if runs else None, note if beside.is_file() and not runs else "")


def is_own(path: Path) -> bool:
    """Return whether a file is one of this package's own puzzles."""
    return path.resolve().is_relative_to(puzzles.FOLDER)
