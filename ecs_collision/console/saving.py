"""Where plays are written: beside their level, so that they lead to it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ecs_collision.console.opening import Chosen, is_own
from ecs_collision.errors import LevelError
from ecs_collision.levels.game import Game
from ecs_collision.levels.plays import write_play
from ecs_collision.levels.replaying import record, script_of

SUFFIX = ".play"


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
    reference = os.path.relpath(level.resolve(), to.resolve().parent).replace(os.sep, "/")
    if reference.startswith("../"):
        raise LevelError(
            str(to), found=f"a play in {to.resolve().parent}", expected=f"one in {level.resolve().parent} or above it",
            remedy="a play leads to its level by a path inside its folder: save it beside the level",
        )  # fmt: skip
    write_play(record(game, reference, which=chosen.which, script=chosen.script is not None), to)
    return to


def _copied(level: Path, folder: Path) -> Path:
    """Copy a level and its script into a folder, where they are not yet; returns the copy."""
    for file in (level, script_of(level)):
        copy = folder / file.name
        if copy.exists() and file.exists() and copy.read_bytes() != file.read_bytes():
            raise LevelError(
                str(copy), found="another file of this name", expected="no such file, or a copy of the puzzle",
                remedy="choose with --save where to write the play, or play in another folder",
            )  # fmt: skip
        if file.exists():
            shutil.copyfile(file, copy)
    return folder / level.name


def _free(level: Path) -> Path:
    """Return the first name beside a level that is not taken: first.play, first-2.play, ..."""
    names = (level.with_name(f"{level.stem}{f'-{number}' * (number > 1)}{SUFFIX}") for number in range(1, 10_000))
    return next(name for name in names if not name.exists())
