"""The normal between two bodies that rest on each other with a gap (rules C4 and I2)."""

from __future__ import annotations

from collections.abc import Sequence

from ecs_collision.bodies.table import Bodies
from ecs_collision.events import Vector
from ecs_collision.shapes.contact import deepest_normal
from ecs_collision.shapes.part import Part

_FARTHEST = 1 << 23
"""In lattice units: no gap is larger than this, or than four times the length of the smaller body (I6)."""


def _grown(part: Part, by: int) -> Part:
    """Return a part that reaches farther; boxes stay boxes."""
    if part.radius:
        return part._replace(radius=part.radius + by)
    lox, loy, loz, hix, hiy, hiz = part.core
    return part._replace(core=(lox - by, loy - by, loz - by, hix + by, hiy + by, hiz + by))


def near_normal(bodies: Bodies, row: int, other: int) -> Vector | None:
    """Return the normal from a body to one that is near it; None if it is not."""
    mine, others = bodies.parts_if_enabled(row), bodies.parts_if_enabled(other)
    flat = bodies.columns.are_flat(row, other)
    length = min(_length(mine), _length(others))
    by = (length >> 5) + 8
    while by <= max(_FARTHEST, 4 * length):  # the gap follows from their size, and from the gravity if they are tiny
        normal = deepest_normal([_grown(part, by) for part in mine], others, flat)
        if normal is not None:
            return normal
        by *= 2
    return None


def _length(parts: Sequence[Part]) -> int:
    """Return the longest side of the parts of a body."""
    return max(part.core[axis + 3] - part.core[axis] + 2 * part.radius for part in parts for axis in range(3))
