"""`ramp`: a turned box given by the line on which bodies walk (rule M4)."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ecs_collision.components.checks import direction, vector
from ecs_collision.components.colliders import OrientedBoxCollider
from ecs_collision.components.movement import Direction
from ecs_collision.components.transform import Transform
from ecs_collision.components.turning_parts import rounded_down
from ecs_collision.errors import CollisionValueError, explained
from ecs_collision.fixed_point import LATTICE, finite, to_lattice
from ecs_collision.shapes.rotation import angle_of


@explained("ramp((x, y), (x, y), thickness=1.0)")
def ramp(
    start: Iterable[float], end: Iterable[float], thickness: float = 1.0, up: Direction = "up"
) -> tuple[Transform, OrientedBoxCollider]:
    """Return the Transform and collider of a slope whose surface leads from `start` to `end`, in the plane.

        esper.create_entity(*ramp((3, 11), (5, 10)), Static())

    The box lies below the surface, on the side away from `up`. Its corners are at most 3 units of the lattice from the
    points, and never above or beyond them. So a character walks on and off without a stop if the floors there begin at
    the same height.
    """
    (x0, y0, z0), (x1, y1, z1) = vector(start, "start of ramp()"), vector(end, "end of ramp()")
    up_x, up_y, up_z = direction(up, "up of ramp()")
    deep = finite(thickness, "thickness of ramp()", minimum=LATTICE)
    if x1 < x0 or (x1 == x0 and y1 < y0):
        (x0, y0), (x1, y1) = (x1, y1), (x0, y0)
    dx, dy = x1 - x0, y1 - y0
    if z0 != z1 or up_z or dx * up_y == dy * up_x:
        raise CollisionValueError(
            f"ramp() cannot lead from {(x0, y0, z0)} to {(x1, y1, z1)} with up={(up_x, up_y, up_z)}; give two points "
            "in the plane, one not straight above the other: a wall is a BoxCollider"
        )
    length = math.sqrt(dx * dx + dy * dy)
    dx, dy = dx / length, dy / length
    side = 1.0 if dy * up_x - dx * up_y > 0.0 else -1.0
    normal_x, normal_y = side * dy, side * -dx
    at = Transform(
        to_lattice((x0 + x1 - normal_x * deep) / 2), to_lattice((y0 + y1 - normal_y * deep) / 2), z0,
        rotation=angle_of(dx, dy),
    )  # fmt: skip
    reach = min(dx * (at.x - x0) + dy * (at.y - y0), dx * (x1 - at.x) + dy * (y1 - at.y))
    height = normal_x * (x0 - at.x) + normal_y * (y0 - at.y)
    return at, OrientedBoxCollider(rounded_down(reach) * LATTICE, rounded_down(height) * LATTICE)
