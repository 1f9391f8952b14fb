"""Level properties: world settings, gravity and, in Tiled and LDtk files, title and win condition."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ecs_collision.errors import CollisionError, CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import instance_of
from ecs_collision.levels.conditions import parse_condition
from ecs_collision.levels.level import Level
from ecs_collision.levels.limits import ErrorFactory
from ecs_collision.levels.source import said_by
from ecs_collision.settings import LEVEL_SETTINGS, Settings
from ecs_collision.similar import similar_name

DIRECTIONS = "LRUD"
MAX_COMPARED_KEYS = 1000
"""Number of unknown keys of a level that are compared with the known ones, 20 us each; hostile files have more."""

FORMAT_PROPERTIES = {
    "text": {"author", "note", "falls"}, "tiled": {"layers", "origin", "falls"}, "ldtk": {"ldtk", "falls"},
}  # fmt: skip
"""Properties of a level with a meaning, by format: written by the reader, or read by this package."""


def check_settings(settings: Mapping[str, Any]) -> None:
    """Raise CollisionValueError or CollisionTypeError unless a world accepts these settings."""
    for name in settings:
        if name not in LEVEL_SETTINGS:
            raise CollisionValueError(f"{name!r} is not a setting; a level may set {', '.join(LEVEL_SETTINGS)}")
    Settings(**settings)


def check_gravity(value: object) -> str | None:
    """Return the gravity direction or None; raises CollisionValueError unless it is one of L, R, U, D."""
    if value is None or (isinstance(value, str) and len(value) == 1 and value in DIRECTIONS):
        return value
    raise CollisionValueError(f"gravity is {value!r}; it must be L, R, U or D, or none")


@dataclass(slots=True)
class LevelProperties:
    """The settings; title, win and gravity if given (`texts`); and all other properties (`rest`)."""

    settings: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    rest: dict[str, Any] = field(default_factory=dict)


def level_properties(properties: Iterable[tuple[str, Any, ErrorFactory]], *, has_title: bool = True) -> LevelProperties:
    """Return the properties of a level by role; raises LevelError for values that a world or game would reject.

    A name similar to a property with a meaning is an error too. has_title: whether `title` has one in this format.
    """
    known = [key for key in (*_CHECKS, *LEVEL_SETTINGS) if has_title or key != "title"]
    found = LevelProperties()
    for name, value, make_error in properties:
        try:
            if name in LEVEL_SETTINGS:
                check_settings({name: value})
            elif name in _CHECKS:
                _CHECKS[name](value)
        except CollisionError as problem:
            raise make_error(*said_by(problem, "correct the property, or rename it")) from problem
        if name in LEVEL_SETTINGS:
            found.settings[name] = value
        elif name in _CHECKS:
            found.texts[name] = value
        else:
            meant = similar_name(name, known) if len(found.rest) < MAX_COMPARED_KEYS else None
            if meant is not None:
                raise make_error(*similar_key_fault("property", name, meant))
            found.rest[name] = value
    return found


def unused_properties(level: Level, script: str = "") -> list[str]:
    """Return the names of the level's own properties that nothing in the package uses, and no text in the script.

    A key of a header, a property of a map or a field of an LDtk level that is no setting becomes a property, for the
    game. One that the game does not use either is probably misspelt. script: the source of the level's script; it uses
    the properties that it has in quotes. Metadata of Sokoban files counts as used.
    """
    instance_of(level, Level, "the level", "give a Level, as from load_level")
    instance_of(script, str, "script", "give the source of a script as text")
    known = FORMAT_PROPERTIES.get(level.form)
    if known is None:
        return []
    quoted = set(re.split("[\"']", script))
    return [name for name in level.properties if name not in known and name not in quoted]


def similar_key_fault(what: str, name: str, meant: str) -> tuple[str, str, str]:
    """Return what was found, what was expected and the remedy for a name that is similar to a known key."""
    return (
        f"the {what} {name!r}",
        f"{meant!r}, or a less similar {what}",
        f"did you mean {meant!r}? correct it, or choose another name",
    )


def _check_text(value: Any) -> str:
    if type(value) is not str:
        raise CollisionTypeError(f"{value!r} is not text")
    return value


_CHECKS: dict[str, Callable[[Any], object]] = {
    "title": _check_text, "win": lambda value: parse_condition(_check_text(value)), "gravity": check_gravity,
}  # fmt: skip
