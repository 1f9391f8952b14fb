"""The contact of a sphere or a capsule with any other part.

A sphere is a capsule of length 0, and every part a core with a radius. So one computation serves for seven of the ten
pairs of kinds.
"""

from __future__ import annotations

from ecs_collision.shapes.contact.touch import Touch, shortest_way_out
from ecs_collision.shapes.core import Core
from ecs_collision.shapes.vectors import Vector, dot, moved, opposite, unit_of

CROSSING = 2.0**-10
"""Cores with a smaller gap, in lattice units, cross each other: the direction of the gap is mostly rounding error."""


def contact_round_part(a: Core, b: Core, flat: bool) -> Touch:
    """Return the contact of two parts that overlap, the first of which has a radius.

    A capsule that lies on a part has two points, where the segment begins and ends beside that core.
    """
    half = a.half_segment()
    normal, depth, nearest = normal_round_part(a, b, flat)
    begin, end = _beside(a, half, b, normal)
    times = [begin, end] if begin < end and _is_within(a, begin, half, b) and _is_within(a, end, half, b) else [nearest]
    return Touch(normal, depth, tuple(_point(a, time, half, b) for time in times))


def normal_round_part(a: Core, b: Core, flat: bool) -> tuple[Vector, float, float]:
    """Return the normal, the depth along it, and where on the segment of a it is nearest to b, from -1 to 1."""
    half, radius = a.half_segment(), a.radius + b.radius
    nearest = b.nearest_along(a.centre, half)
    offset = b.offset_to(moved(a.centre, nearest, half))
    normal = opposite(unit_of(offset))
    gap = -dot(offset, normal)
    if gap < CROSSING:
        normal, way, _ = shortest_way_out(a, b, flat)
        return normal, radius + way, nearest
    return normal, radius - gap, nearest


def _is_within(a: Core, time: float, half: Vector, b: Core) -> bool:
    offset = b.offset_to(moved(a.centre, time, half))
    return dot(offset, offset) < (a.radius + b.radius) * (a.radius + b.radius)


def _beside(a: Core, half: Vector, b: Core, normal: Vector) -> tuple[float, float]:
    """Return from when to when the segment of a is beside b, as seen along the normal."""
    begin, end = -1.0, 1.0
    along = b.turned_back(normal)
    facing = max(range(3), key=lambda axis: abs(along[axis]))
    for axis, (at, step) in enumerate(zip(b.local(a.centre), b.turned_back(half), strict=True)):
        if axis != facing and step != 0.0 and b.halves[axis] > 0.0:
            low, high = sorted(((-b.halves[axis] - at) / step, (b.halves[axis] - at) / step))
            begin, end = max(begin, low), min(end, high)
    return begin, end


def _point(a: Core, time: float, half: Vector, b: Core) -> Vector:
    """Return the middle of the overlap between a place on the segment of a and the nearest of the core of b."""
    place = moved(a.centre, time, half)
    offset = b.offset_to(place)
    length = max(0.0, dot(offset, unit_of(offset)))
    farthest, nearest = min(a.radius, length), max(0.0, length - b.radius)
    return moved(place, -0.5 * (farthest + nearest), unit_of(offset))
