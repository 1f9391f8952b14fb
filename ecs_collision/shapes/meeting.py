"""When a moving part meets another, and with which normal.

Round parts parallel to the axes: the centre of the moving one is a ray, and enters the sum of both (`round_entry`). It
is exact. Turned boxes: on every axis that can separate them they overlap during one interval, and meet when the last of
these begins. Turned parts with a radius: the distance of convex shapes is a convex function of time, so Newton's method
from the start never goes beyond the first meeting. The last two are computed in float64.
"""

from __future__ import annotations

import math

from ecs_collision.shapes.contact.touch import shortest_way_out
from ecs_collision.shapes.core import Core, separating_axes
from ecs_collision.shapes.overlap import PlacedPart, separation
from ecs_collision.shapes.ray_entry import INSIDE, START, Entry, Whole, first_common, rounded_time, span_along
from ecs_collision.shapes.round_parts import round_entry, touch
from ecs_collision.shapes.vectors import Vector, dot, moved, opposite, unit_of

Meeting = tuple[Entry, Vector]
"""When in parts of the displacement, `INSIDE` from the start, and the normal from the part that is met."""

_NO_NORMAL: Vector = (0.0, 0.0, 0.0)
_STEPS = 200
"""More steps than Newton's method takes: each adds digits, or is one of about 60 that halve the distance to a place
where the shapes just graze each other."""


def meeting(part: PlacedPart, displacement: Whole, other: PlacedPart) -> Meeting | None:
    """Return when a part meets another on its way, and with which normal; None if it does not.

    One of them is turned or has a radius; boxes parallel to the axes are compared by `cast`.
    """
    if separation(part, other) == 0:
        return INSIDE, _NO_NORMAL
    if part.is_turned or other.is_turned:
        a, b = Core.of(part, part), Core.of(other, part)
        step = (float(displacement[0]), float(displacement[1]), float(displacement[2]))
        meet = _round_parts_meet if part.radius + other.radius > 0 else _turned_boxes_meet
        return _within(meet(a, step, b))
    entry = round_entry(part, *displacement, other, math.inf)
    if entry is None:
        return None
    return _within((entry, touch(part, *displacement, other, *entry, False)[0]))


def _within(met: Meeting | None) -> Meeting | None:
    """Return a meeting unless it is beyond the displacement."""
    return None if met is None or met[0][0] > met[0][1] else met


def _turned_boxes_meet(a: Core, step: Vector, b: Core) -> Meeting | None:
    apart = opposite(b.centre)
    met = first_common(
        span_along(axis, dot(apart, axis), dot(step, axis), a.reach(axis) + b.reach(axis))
        for axis in separating_axes(a, b)
    )
    if met is not None and met[0] == INSIDE:
        # Boxes that do not overlap and are inside by a rounding error touch, where they overlap least.
        met = START, opposite(shortest_way_out(a, b, flat=False)[0])
    return None if met is None or dot(step, met[1]) >= 0.0 else met


def _round_parts_meet(a: Core, step: Vector, b: Core) -> Meeting | None:
    if not _is_segment(a):
        met = _round_parts_meet(b, opposite(step), a)
        return None if met is None else (met[0], opposite(met[1]))
    half, radius, time = a.half_segment(), a.radius + b.radius, 0.0
    for _ in range(_STEPS):
        start = moved(a.centre, time, step)
        there = moved(start, b.nearest_along(start, half), half)
        offset = b.offset_to(there)
        normal = unit_of(offset)
        gap, speed = dot(offset, normal) - radius, dot(step, normal)
        later = time - gap / speed if speed < 0.0 else 2.0
        if gap <= 0.0 or later <= time:
            entry = rounded_time(time)
            return None if entry is None or speed >= 0.0 else (entry, normal)
        if later > 1.0:
            return None
        time = later
    return None


def _is_segment(core: Core) -> bool:
    return sum(half > 0.0 for half in core.halves) <= 1
