"""The components that a level file may name, and how they are created from fields.

Only registered names are looked up, so a file cannot name any other class of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from ecs_collision.components import (
    COMPONENT_TYPES,
    BoxCollider,
    Collider,
    Fused,
    Grips,
    Mass,
    Mover,
    Path,
    Rotation,
    Static,
    Transform,
    fields_of,
)
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import instance_of
from ecs_collision.levels.colliders import NAMED_COLLIDERS
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.level import listed

ComponentFactory = Callable[..., object]


def _name_of_thing(kind: type[Any], to: str) -> str:
    if not isinstance(to, str):
        raise CollisionTypeError(f"{kind.__name__}.to must be the name of a thing, not {to!r}")
    return to


def _turned(rotation: Rotation = None) -> Transform:
    return Transform(0, 0, rotation=rotation)


REFERENCES: tuple[type[Fused | Grips], ...] = (Fused, Grips)
"""Components whose `to` is the name of another thing."""

REFERENCE_TEXTS: dict[type[Fused | Grips], tuple[str, str]] = {
    Fused: ("fused to", "name the thing to fuse it to"),
    Grips: ("gripping", "name the thing that it grips"),
}
"""For errors: what a thing with the component is to the other one, and what to do."""

SIMPLE_COMPONENTS = tuple(kind for kind in COMPONENT_TYPES if not issubclass(kind, (Transform, Collider, *REFERENCES)))
"""Components that are created from their fields alone."""

_ROWS = {(Path.__name__, "points"), (Mover.__name__, "responses")}
"""Fields that are lists of lists, which may be written as text where an editor has no lists: "0 0, 4 0"."""

_FACTORIES: dict[type[Any], ComponentFactory] = {
    Collider: partial(BoxCollider, 0.5, 0.5), Static: Static, **{kind: kind for kind in SIMPLE_COMPONENTS},
    **{kind: partial(_name_of_thing, kind) for kind in REFERENCES}, **{kind: kind for kind in NAMED_COLLIDERS},
    Transform: _turned,
}  # fmt: skip
_BUILTINS = {
    kind.__name__: (
        maker,
        tuple([field.name for field in fields_of(kind) if not field.is_volatile or kind is not Transform]),
    )
    for kind, maker in _FACTORIES.items()
}
"""Name to factory and field names. A bare value is the first field. The position of a thing is where it is drawn."""


class Registry:
    """The components a level may use: the built-in ones, and those of the game in `extra`.

    extra: name to a class or function, called with the fields as keywords when the level is spawned into esper.
    """

    def __init__(self, extra: Mapping[str, ComponentFactory] | None = None) -> None:
        self.extra = dict(instance_of(extra or {}, Mapping, "components", "give {name: class or function}"))
        for name, maker in self.extra.items():
            if not isinstance(name, str) or name in _BUILTINS or not name.isidentifier() or not callable(maker):
                raise CollisionValueError(
                    f"components={{{name!r}: ...}}: register a class or function under a name that is not taken; "
                    f"taken are {listed(_BUILTINS)}"
                )

    def __contains__(self, name: object) -> bool:
        """Return whether a name is registered."""
        return name in _BUILTINS or name in self.extra

    def names(self) -> list[str]:
        """Return every registered name."""
        return [*_BUILTINS, *self.extra]

    def is_builtin(self, name: str) -> bool:
        """Return whether a name is a component of this package."""
        return name in _BUILTINS

    def component_in(self, key: str) -> tuple[str, str]:
        """Return the component and the field that a property key names, each "" if there is none.

        `Inertia` names a component, `Motion.force` a field, and so does `Motion_force`, for editors that allow no dot.
        """
        if key in self:
            return key, ""
        for index, letter in enumerate(key):
            if letter in "._" and key[:index] in self and key[index + 1 :]:
                return key[:index], key[index + 1 :]
        return "", ""

    def first_field(self, name: str) -> str:
        """Return the field of a component that a bare value sets; raises CollisionValueError if there is none."""
        if name not in _BUILTINS:
            return "value"
        known = _BUILTINS[name][1]
        if not known:
            raise CollisionValueError(f"{name} has no fields; write {name} alone")
        return known[0]

    def read(self, name: str, given: object) -> FrozenMap | None:
        """Return the fields of a component from a file: a mapping, True for no fields, or the bare first field.

        Returns None for False: the thing does not have the component. Raises CollisionValueError or CollisionTypeError;
        the caller adds the position in the file.
        """
        if name not in self:
            raise CollisionValueError(f"no component {name!r} is registered; there are {listed(self.names(), 20)}")
        if given is False:
            return None
        if name in self.extra:
            return FrozenMap(given if isinstance(given, Mapping) else {} if given is True else {"value": given})
        maker, known = _BUILTINS[name]
        if isinstance(given, Mapping):
            fields = dict(given)
        elif given is True:
            fields = {}
        elif known:
            fields = {known[0]: given}
        else:
            raise CollisionValueError(f"{name} has no fields, but was given {given!r}; write true")
        for field in [field for field in fields if (name, field) in _ROWS and isinstance(fields[field], str)]:
            fields[field] = rows_in(fields[field])
        unknown = [field for field in fields if field not in known]
        if unknown:
            raise CollisionValueError(f"{name} has no field {unknown[0]!r}; it has {listed(known)}")
        try:  # so that an invalid value is reported at its position in the file
            maker(**fields)
        except CollisionTypeError:
            raise
        except TypeError as problem:
            raise CollisionTypeError(f"{name} cannot be made of {fields!r}: {problem}") from problem
        return FrozenMap(fields)


def rows_in(text: str) -> list[list[float | str]]:
    """Return lists of the numbers and words in a text: those of "0 0, 4 0" or "ghost cross, wall bounce"."""
    return [[_number_or_word(item) for item in row.split()] for row in text.split(",")]


def _number_or_word(item: str) -> float | str:
    try:
        return float(item)
    except ValueError:
        return item


def component_conflict(components: Collection[str]) -> str | None:
    """Return why these components exclude each other (rule E8), or None."""
    for other in ("Motion", "Inertia"):
        if "Static" in components and other in components:
            return f"Static with {other}: a static body neither moves nor is pushed"
    for other in (Static.__name__, Mass.__name__):
        if "Path" in components and other in components:
            return f"Path with {other}: a body with a path moves along it and by nothing else"
    if "Contact" in components and "Trigger" in components:
        return "Contact with Trigger: a trigger reports what is inside it by itself"
    named = [kind.__name__ for kind in NAMED_COLLIDERS if kind.__name__ in components]
    if len(named) > 1:
        return f"{named[0]} with {named[1]}: a body has one collider"
    return None


BUILTIN_COMPONENTS = Registry()
"""The registry without components of a game."""
