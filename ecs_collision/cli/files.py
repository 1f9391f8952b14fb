"""Which level a command means, whether its script runs, and where its plays are written."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from ecs_collision import puzzles
from ecs_collision.errors import LevelError
from ecs_collision.game.game import Game
from ecs_collision.levels import Level, load_level
from ecs_collision.levels.source import read_bytes
from ecs_collision.plays.files import write_play
from ecs_collision.plays.replaying import record, script_of

SUFFIX = ".play"

MAX_DIGITS = 9
"""A text of more digits is no number of a level, but may be its title."""

MAX_NAMES = 10_000
"""Names of plays beside a level are tried up to this number."""


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
    number = int(which) if which is not None and which.isdecimal() and len(which) <= MAX_DIGITS else which
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


def place_to_save(given: Path) -> Path:
    """Return where to write a play, as it was given; raises LevelError where that is no name of a play.

    A play replaces the file that is there: `play doors.txt --save doors.txt` would destroy the level.
    """
    if given.suffix != SUFFIX:
        raise LevelError(
            str(given), found=f"a file ending in {given.suffix!r} to save to", expected=f"one ending in {SUFFIX}",
            remedy=f"write --save {given.with_suffix(SUFFIX) if given.name else 'FILE.play'}",
        )  # fmt: skip
    return given


def save_play(chosen: Chosen, game: Game, to: Path | None = None) -> Path:
    """Write the play of a game and return its file.

    to: where; None means beside the level, under its name, with a number if that is taken. A puzzle of our own is
    copied with it: the package is no place for the plays of others.
    """
    level = chosen.path
    if to is None:
        if is_own(level):
            level = _copied(level, Path.cwd())
        to = _free(level)
    folder = resolved(to).parent
    reference = os.path.relpath(resolved(level), folder).replace(os.sep, "/")
    if reference.startswith("../"):
        raise LevelError(
            str(to), found=f"a play in {folder}", expected=f"one in {resolved(level).parent} or above it",
            remedy="a play leads to its level by a path inside its folder: save it beside the level",
        )  # fmt: skip
    write_play(record(game, reference, which=chosen.which, script=chosen.script is not None), to)
    return to


def _copied(level: Path, folder: Path) -> Path:
    """Copy a level and its script into a folder, where they are not yet; returns the copy."""
    for file in (level, script_of(level)):
        copy = folder / file.name
        if not os.path.exists(file):
            continue
        if not os.path.lexists(copy):
            shutil.copyfile(file, copy)
        elif read_bytes(copy, str(copy)) != read_bytes(file, str(file)):
            raise LevelError(
                str(copy), found="another file of this name", expected="no such file, or a copy of the puzzle",
                remedy="choose with --save where to write the play, or play in another folder",
            )  # fmt: skip
    return folder / level.name


def _free(level: Path) -> Path:
    """Return the first name beside a level that is not taken: first.play, first-2.play, ..."""
    for number in range(1, MAX_NAMES):
        name = level.with_name(f"{level.stem}{f'-{number}' * (number > 1)}{SUFFIX}")
        if not os.path.lexists(name):
            return name
    raise LevelError(
        str(level.parent), found=f"{MAX_NAMES - 1} plays of {level.stem}", expected="a name that is free",
        remedy="choose with --save where to write the play",
    )  # fmt: skip
