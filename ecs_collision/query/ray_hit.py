"""What a ray or a cast hits, and the arguments of rays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ecs_collision.errors import CollisionValueError
from ecs_collision.events import Vector
from ecs_collision.fixed_point import number, shown

Found = tuple[int, int, int, int, bool]
"""A box that a ray enters.

When, as a fraction `when / step` of the direction, on which axis (-1: it starts inside), the entity, and whether the
ray crosses the box at one instant, because that has no thickness.
"""


@dataclass(frozen=True, slots=True)
class RayHit:
    """A body that a ray hits, `entity`.

    `distance` is in world units. `point` is where the ray enters; for a box it is exact on the axis of the face, and
    otherwise rounded. `normal` has length 1 and points out of the surface there. A ray that starts inside hits at
    distance 0, with the origin as point and (0, 0, 0) as normal.
    """

    entity: int
    distance: float
    point: Vector
    normal: Vector


@dataclass(frozen=True, slots=True)
class CastHit:
    """The first body that a moving shape would meet, `entity`, and where on its way.

    `fraction` is how much of the displacement is free, from 0 to 1, and `distance` is the length of this part in world
    units. `normal` has length 1 and points from the body that is met to the moving shape. If boxes meet on several axes
    at once, x comes before y, and y before z. The normal is (0, 0, 0) if they overlap from the start.

    `point` is where they touch then, on the surface of the body that is met: in the middle if they touch along a line
    or a face. If they overlap from the start, it lies in both.
    """

    entity: int
    fraction: float
    distance: float
    normal: Vector
    point: Vector


def sorted_hits(direction: tuple[int, int, int], found: Iterable[Found]) -> list[Found]:
    """Return the first box of each entity, in the order of the ray, then of the entities."""
    dx, dy, dz = (abs(step) or 1 for step in direction)
    common = (dx * dy * dz) << 60  # a denominator of all times
    firsts: dict[int, Found] = {}
    for each in sorted(found, key=lambda each: (each[0] * (common // each[1]), each[3], each[2])):
        firsts.setdefault(each[3], each)
    return list(firsts.values())


def limit_of(max_distance: object, name: str = "max_distance") -> float:
    """Return the largest distance of a query; raises an error by the name if it is negative or not a number."""
    limit = number(max_distance, name)
    if not limit >= 0.0:
        raise CollisionValueError(f"{name} is {shown(max_distance)}; give 0 or more, or math.inf for no limit")
    return limit


def blocks_sight(found: Found) -> bool:
    """Return whether a box that a ray enters lies before the end of its direction, and not only at its origin (Q3)."""
    when, step, _, _, is_thin = found
    return when < step and not (is_thin and when == 0)
