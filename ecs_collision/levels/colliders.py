"""What a thing of a level looks like: its collider, its rotation, and the rectangles around its parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ecs_collision.components import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    Collider,
    CompoundCollider,
    OrientedBox,
    OrientedBoxCollider,
    Rotation,
    Sphere,
    SphereCollider,
)
from ecs_collision.fixed_point import LATTICE
from ecs_collision.levels.grids import UNIT_BOXES

if TYPE_CHECKING:
    from ecs_collision.levels.level import Thing

NAMED_COLLIDERS = (SphereCollider, CapsuleCollider, OrientedBoxCollider)
"""Colliders that a file may name as components. They take the place of the parts that are drawn."""


def collider_of(thing: Thing) -> Collider:
    """Return a new collider of a thing: the one that it names, else one of its parts, else a box of one cell."""
    more: dict[str, Any] = dict(thing.fields("Collider") or {})
    for kind in NAMED_COLLIDERS:
        fields = thing.fields(kind.__name__)
        if fields is not None:
            return kind(**more | dict(fields))
    parts = thing.parts or UNIT_BOXES
    part = parts[0]
    if len(parts) > 1 or getattr(part, "rotation", None) is not None:
        return CompoundCollider(parts, **more)
    if isinstance(part, Sphere):
        return SphereCollider(part.radius, offset=part.offset, **more)
    if isinstance(part, Capsule):
        return CapsuleCollider(part.radius, part.half_length, part.axis, offset=part.offset, **more)
    kind_of_box = OrientedBoxCollider if isinstance(part, OrientedBox) else BoxCollider
    return kind_of_box(part.hx, part.hy, part.hz, offset=part.offset, **more)


def rotation_of(thing: Thing) -> Rotation:
    """Return the rotation that a thing has when it is spawned."""
    return (thing.fields("Transform") or {}).get("rotation")  # type: ignore[return-value]


def rectangles_around(thing: Thing) -> Iterator[tuple[float, float, float, float]]:
    """Yield the rectangle around each part of a thing: left, top, right and bottom in cells, relative to its position.

    Those of boxes are exact; others are rounded outward to the lattice (H4).
    """
    for part in thing.parts:
        if isinstance(part, Box):
            x, y, _ = part.offset
            yield (x - part.hx, y - part.hy, x + part.hx, y + part.hy)
        else:
            ((left, top, _, right, bottom, _),) = CompoundCollider((part,))._form(rotation_of(thing)).boxes
            yield (left * LATTICE, top * LATTICE, right * LATTICE, bottom * LATTICE)
