"""Loads level files of any format, and finds the format of a file."""

from __future__ import annotations

import copy
import importlib
import operator
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TypedDict, Unpack

from ecs_collision.errors import CollisionValueError, LatticeWarning, LevelError, warn_caller
from ecs_collision.fixed_point import is_whole
from ecs_collision.lattice_warning import collected_roundings
from ecs_collision.levels.colliders import collider_of
from ecs_collision.levels.kinds import Choice, GivenKinds, Kinds, kinds_of
from ecs_collision.levels.level import Level, listed
from ecs_collision.levels.limits import MAX_BYTES
from ecs_collision.levels.registry import BUILTIN_COMPONENTS, ComponentFactory, Registry
from ecs_collision.levels.source import Source, open_source, path_text, shown, source_of, too_large


@dataclass(frozen=True, slots=True)
class Options:
    """Options from the program that loads a level.

    kinds: components and kinds for things of the level. registry: the components a file may name. defined: kinds that
    the file defines, whether used or not; the readers fill it.
    """

    kinds: Kinds = field(default_factory=Kinds)
    registry: Registry = BUILTIN_COMPONENTS
    defined: set[str] = field(default_factory=set)

    def choose(self, kind: str, **facts: str) -> Choice:
        """Return what `kinds=` chose for a thing of a kind in the file; `facts` are its values by selector."""
        return self.kinds.choose(kind, facts | {"class": kind})


Reader = Callable[[Source, Options], list[Level]]
ComponentFactories = Mapping[str, ComponentFactory]
"""The components of a game, by name."""

_READERS = {
    "text": "text.reading.read_text",
    "xsb": "sokoban.reading.read_xsb",
    "tmx": "tiled.maps.read_tmx",
    "tmj": "tiled.maps.read_tmj",
    "ldtk": "ldtk.project.read_ldtk",
}
"""Format to its reader function; imported on first use, because some need an extra."""

_SUFFIXES = {
    ".txt": "text", ".level": "text", ".xsb": "xsb", ".sok": "xsb", ".tmx": "tmx", ".tmj": "tmj", ".ldtk": "ldtk",
}  # fmt: skip

_PARTIAL_FILES = {
    ".ldtkl": "load the .ldtk project that refers to it",
    ".tsx": "load the map that refers to it", ".tsj": "load the map that refers to it",
    ".tx": "load the map that refers to it", ".tj": "load the map that refers to it",
    ".py": "this is a program: to examine its world, print system.doctor() in it",
}  # fmt: skip
"""Remedies for files that are only part of a level, or none."""


class TextOptions(TypedDict, total=False):
    """The options of `parse_levels`, for the types of `**options`."""

    kinds: GivenKinds | None
    components: ComponentFactories | None
    name: str


class FileOptions(TypedDict, total=False):
    """The options of `load_levels`, for the types of `**options`."""

    form: str | None
    kinds: GivenKinds | None
    components: ComponentFactories | None
    root: str | os.PathLike[str] | None


def load_levels(
    path: str | os.PathLike[str],
    *,
    form: str | None = None,
    kinds: GivenKinds | None = None,
    components: ComponentFactories | None = None,
    root: str | os.PathLike[str] | None = None,
) -> list[Level]:
    """Return all levels of a file, in file order; raises LevelError with the position of the first fault.

    form: "text", "xsb", "tmx", "tmj" or "ldtk"; None chooses by the suffix of the file. kinds: components by kind, as
    in `{"walls": {"Static": True}}`, or by layer, class, tile, gid, name or id, as in `{"layer:Walls": {"Static":
    True}}` (docs/levels.md), or the path of a JSON file with them. A key that matches nothing raises
    CollisionValueError. None reads the file of kinds next to the level if there is one: `first.kinds.json` for
    `first.tmx`. components: the game's own components that a file may name, name to class or function. root: the
    folder that no reference may leave; None means the folder of the file.
    """
    path_text(path)
    if form is None:
        _form_of(os.fspath(path), is_folder=os.path.isdir(path))
    return levels_of(open_source(path, root), form, kinds, components)


def levels_of(
    source: Source, form: str | None = None, kinds: GivenKinds | None = None,
    components: ComponentFactories | None = None,
) -> list[Level]:  # fmt: skip
    """Return all levels of a file that is already open; see `load_levels`."""
    form = _form_of(source.name) if form is None else form
    if not isinstance(form, str) or form not in _READERS:
        raise CollisionValueError(f"form={form!r} is not a level format; formats are {listed(_READERS)}")
    module, function = _READERS[form].rsplit(".", 1)
    reader: Reader = getattr(importlib.import_module(f"ecs_collision.levels.{module}"), function)
    registry = Registry(components) if components else BUILTIN_COMPONENTS
    options = Options(kinds_of(kinds, source, registry), registry)
    with collected_roundings() as rounded:
        levels = reader(source, options)
    options.kinds.check(source.name, (thing.kind for level in levels for thing in level.things), options.defined)
    if rounded:
        _warn_of_rounding(source, levels)
    return levels


def load_level(path: str | os.PathLike[str], which: str | int | None = None, **options: Unpack[FileOptions]) -> Level:
    """Return one level of a file: the first, or by title or number from 1; for the options see `load_levels`."""
    return choose_level(load_levels(path, **options), which, os.fspath(path))


def parse_levels(
    text: str | bytes,
    form: str = "text",
    *,
    kinds: GivenKinds | None = None,
    components: ComponentFactories | None = None,
    name: str = "level",
) -> list[Level]:
    """Return the levels of a text, which cannot refer to files. `name` is used in messages."""
    source = source_of(text, name)
    if len(source.data) > MAX_BYTES:
        raise too_large(name)
    return levels_of(source, "" if form is None else form, kinds, components)


def parse_level(
    text: str | bytes, form: str = "text", which: str | int | None = None, **options: Unpack[TextOptions]
) -> Level:
    """Return one level of a text; see `parse_levels`."""
    return choose_level(parse_levels(text, form, **options), which, options.get("name", "level"))


def choose_level(levels: list[Level], which: str | int | None, name: str) -> Level:
    """Return the level with a title or a number from 1, or the first."""
    if which is None and levels:
        return levels[0]
    if is_whole(which) and 1 <= operator.index(which) <= len(levels):
        return levels[operator.index(which) - 1]
    for level in levels:
        if isinstance(which, str) and level.title == which:
            return level
    titles = [level.title for level in levels]
    raise LevelError(
        name, found=f"no level {shown(which)}", expected=f"one of {len(levels)}: {listed(titles)}",
        remedy="choose by title, or by number from 1",
    )  # fmt: skip


def _form_of(path: str, is_folder: bool = False) -> str:
    suffix = PurePath(path).suffix.lower()
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if is_folder:
        raise LevelError(path, found="a folder", expected="a level file", remedy="name a file in it")
    if "\n" in path:
        raise LevelError(
            "path", found=f"the text {shown(path)}", expected="the path of a level file",
            remedy="use parse_level(text) to read a level from text",
        )  # fmt: skip
    if suffix in (".play", ".scene"):
        raise LevelError(
            path, found="a recording", expected="a level file",
            remedy=f"play it with: python -m ecs_collision replay {path}",
        )  # fmt: skip
    other = f"rename it by its format, or name that in Python with form=, one of {listed(_READERS)}"
    remedy = _PARTIAL_FILES.get(suffix, other)
    raise LevelError(
        path, found=f"a file ending in {suffix!r}", expected=f"one of {', '.join(_SUFFIXES)}", remedy=remedy
    )


def _warn_of_rounding(source: Source, levels: list[Level]) -> None:
    """Warn that parts of things were rounded; names the first one."""
    for thing in [thing for level in levels for thing in level.things]:
        with collected_roundings() as rounded:
            for part in thing.parts:
                copy.copy(part)
            if not rounded:
                collider_of(thing)
        if rounded:
            warn_caller(
                f"{source.name}: thing {thing.name!r}: {rounded[0]}; sizes and places of whole tiles are exact, and "
                "whole pixels if the side of a tile is a power of two, such as 16 or 32",
                LatticeWarning,
            )
            return
