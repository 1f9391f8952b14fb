"""Where plays are written: beside their level, so that they lead to it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ecs_collision.cli.opening import Chosen, is_own, resolved
from ecs_collision.errors import LevelError
from ecs_collision.game.game import Game
from ecs_collision.levels.source import read_bytes
from ecs_collision.plays.files import write_play
from ecs_collision.plays.replaying import record, script_of

SUFFIX = ".play"

MOST_NAMES = 10_000
"""Names of plays beside a level are tried up to this number."""


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
    for number in range(1, MOST_NAMES):
        name = level.with_name(f"{level.stem}{f'-{number}' * (number > 1)}{SUFFIX}")
        if not os.path.lexists(name):
            return name
    raise LevelError(
        str(level.parent), found=f"{MOST_NAMES - 1} plays of {level.stem}", expected="a name that is free",
        remedy="choose with --save where to write the play",
    )  # fmt: skip
