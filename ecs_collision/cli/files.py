"""The level that a command names, whether its script runs, and where its plays are saved."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from ecs_collision import puzzles
from ecs_collision.errors import LevelError
from ecs_collision.game.game import Game
from ecs_collision.levels import Level, load_level, load_levels
from ecs_collision.levels.kinds import KINDS_SUFFIX
from ecs_collision.levels.source import read_bytes
from ecs_collision.plays.files import write_play
from ecs_collision.plays.replaying import record, script_of

SUFFIX = ".play"

MAX_DIGITS = 9
"""A text with more digits is not the number of a level, but may be its title."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The level that was chosen: its file, which level of the file, and its script if it runs.

    path: the real path of the file, with links resolved: files beside a link are not beside the level. note: a line for
    the player before the game, or "". kinds: the file of kinds that was given, if it is not the one beside the level.
    """

    path: Path
    which: str | int | None
    level: Level
    script: Path | None
    note: str
    kinds: Path | None = None

    def game(self) -> Game:
        """Return a new game of the level."""
        return Game(self.level, script=self.script)


def choose(name: str, which: str | None, script: bool, kinds: Path | None = None) -> Chosen:
    """Return the level in a file, or the included puzzle with this name.

    A script is program code: those of included puzzles run, one beside another level only if `script` is True. The
    level file, and whether it is built in, are decided by one path with all links resolved.
    """
    path = _level_path(name)
    number = int(which) if which is not None and which.isdecimal() and len(which) <= MAX_DIGITS else which
    chosen = _chosen(path, number, load_level(path, number, kinds=kinds), script, kinds)
    beside = script_of(chosen.path)
    if script and not os.path.isfile(beside):
        raise LevelError(
            str(beside), found="no such file", expected="the script of the level", remedy="leave out --script"
        )
    return chosen


def choose_all(name: str, script: bool, kinds: Path | None = None) -> list[Chosen]:
    """Return all levels of a file, or the included puzzle with this name. As `choose`, but a script may be missing."""
    path = _level_path(name)
    levels = load_levels(path, kinds=kinds)
    return [_chosen(path, number, level, script, kinds) for number, level in enumerate(levels, 1)]


def next_level(chosen: Chosen) -> Chosen | None:
    """Return the level after this one: the next in its file, or the next included puzzle; None after the last."""
    runs = chosen.script is not None and not is_own(chosen.path)
    levels = choose_all(str(chosen.path), runs, chosen.kinds)
    titles = [each.level.title for each in levels]
    at = titles.index(chosen.which) if isinstance(chosen.which, str) else (chosen.which or 1) - 1
    if at + 1 < len(levels):
        return levels[at + 1]
    names = puzzles.names() if is_own(chosen.path) else [chosen.path.stem]
    following = names[names.index(chosen.path.stem) + 1 :]
    return choose(following[0], None, script=False) if following else None


def _level_path(name: str) -> Path:
    path = Path(name)
    if not os.path.exists(path) and name in puzzles.names():
        return puzzles.path(name)
    if not os.path.exists(path) and not path.suffix:
        raise LevelError(
            name, found="no such file and no included puzzle", expected="a level file or the name of a puzzle",
            remedy="run `play` without arguments to list the puzzles",
        )  # fmt: skip
    return path


def _chosen(path: Path, which: str | int | None, level: Level, script: bool, kinds: Path | None) -> Chosen:
    path = resolved(path)
    beside = script_of(path)
    script_exists = os.path.isfile(beside)
    far_kinds = kinds if kinds is not None and resolved(kinds) != path.with_suffix(KINDS_SUFFIX) else None
    runs = script_exists and (script or is_own(beside))
    note = f"The script {beside} was not run; add --script if you trust it."
    return Chosen(path, which, level, beside if runs else None, note if script_exists and not runs else "", far_kinds)


def is_own(path: Path) -> bool:
    """Return whether a file or folder is part of the included puzzles, links resolved."""
    return resolved(path).is_relative_to(puzzles.FOLDER)


def resolved(path: Path) -> Path:
    """Return a path with links resolved; unlike `Path.resolve` it does not raise for circular links."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as problem:  # a zero byte, half of a surrogate pair
        raise LevelError(
            str(path), found=f"an invalid file name ({problem})", expected="a path", remedy="check the path"
        ) from problem


def save_path(given: Path) -> Path:
    """Return the path of a play to write; raises LevelError if it does not end in .play.

    Saving replaces an existing file: `play doors.txt --save doors.txt` would destroy the level.
    """
    if given.suffix != SUFFIX:
        raise LevelError(
            str(given), found=f"a file ending in {given.suffix!r} to save to", expected=f"one ending in {SUFFIX}",
            remedy=f"write --save {given.with_suffix(SUFFIX) if given.name else 'FILE.play'}",
        )  # fmt: skip
    return given


def check_may_save(chosen: Chosen) -> None:
    """Raise LevelError if a replay would not find the file of kinds: a play names only its level."""
    if chosen.kinds is not None:
        beside = chosen.path.with_suffix(KINDS_SUFFIX)
        raise LevelError(
            str(chosen.kinds), found="a play of a level with these kinds", expected=f"the kinds in {beside.name}",
            remedy=f"a play names only its level: copy the kinds to {beside} to save plays",
        )  # fmt: skip


def save_play(chosen: Chosen, game: Game, to: Path | None = None) -> list[Path]:
    """Save the play of a game; returns the files that were written, the play first.

    to: the path; None for one beside the level, with its name and a number if needed. An included puzzle is copied to
    the current folder with its play, since the package is not a place for players' files.
    """
    check_may_save(chosen)
    level, copies = chosen.path, list[Path]()
    if to is None:
        if is_own(level):
            copies = _copied(level, Path.cwd())
            level = Path.cwd() / level.name
        to = _free(level)
    folder = resolved(to).parent
    reference = os.path.relpath(resolved(level), folder).replace(os.sep, "/")
    if reference.startswith("../"):
        raise LevelError(
            str(to), found=f"a play in {folder}", expected=f"one in {resolved(level).parent} or above it",
            remedy="a play refers to its level by a path inside its folder: save it beside the level",
        )  # fmt: skip
    write_play(record(game, reference, which=chosen.which, script=chosen.script is not None), to)
    return [to, *copies]


def _copied(level: Path, folder: Path) -> list[Path]:
    """Copy a level and its script into a folder, unless they are there; return the copies that were made."""
    made = []
    for file in (level, script_of(level)):
        copy = folder / file.name
        if not os.path.exists(file):
            continue
        if not os.path.lexists(copy):
            shutil.copyfile(file, copy)
            made.append(copy)
        elif read_bytes(copy, str(copy)) != read_bytes(file, str(file)):
            raise LevelError(
                str(copy), found="a different file with this name", expected="no such file, or a copy of the puzzle",
                remedy="choose a path with --save, or play in another folder",
            )  # fmt: skip
    return made


def saved_text(files: list[Path]) -> str:
    """Return a line that names the files that were written."""
    return f"Saved: {', '.join(map(str, files))}"


def _free(level: Path) -> Path:
    """Return the first unused name beside a level: first.play, first-2.play, ..."""
    names = (level.with_name(f"{level.stem}{f'-{number}' * (number > 1)}{SUFFIX}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name))
