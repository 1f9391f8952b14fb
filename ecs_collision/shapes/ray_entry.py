"""When a ray comes closer to a core than a radius, and when it enters a turned part (rule H6).

Seen from a box, the square of the distance along a line is convex and made of parabolas, whose limits are the planes of
the faces. Cutting the line at these planes finds the parabola that falls below the square of the radius: the time is a
root of it. For cores parallel to the axes this is done in whole numbers: fractions instead of times, squares instead of
roots, and one integer root, which is rounded down. For turned parts the same is done in float64, in their own frame.

The same function serves for moving parts: a part meets another where a ray from its centre enters the sum of both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from ecs_collision.shapes.core import Core, axes_of
from ecs_collision.shapes.overlap import PlacedPart
from ecs_collision.shapes.part import Faces
from ecs_collision.shapes.vectors import Vector, opposite, unit_of

Entry = tuple[int, int]
"""A time in parts of the direction, as a fraction when / step, where step is a power of two."""

INSIDE: Final[Entry] = (-1, 1)
"""The ray starts inside."""

START: Final[Entry] = (0, 1 << 59)

_NEVER = 2.0**59

Whole = tuple[int, int, int]
Span = tuple[float, float, Vector]
"""From when to when a moving shape overlaps another along an axis, and the outward normal where it enters."""

Number = TypeVar("Number", int, float)


# Round parts.


def exact_entry(start: list[int], steps: list[int], halves: list[int], radius: int) -> Entry | None:
    """Return when a ray comes closer to a box about 0 than a radius, rounded down, `INSIDE`, or None if it does not.

    `round_parts` has a faster way for most rays. The radius is more than 0.
    """
    return _entry(start, steps, halves, radius, exact_root)


def _entry(
    start: list[Number],
    steps: list[Number],
    halves: list[Number],
    radius: Number,
    root: Callable[[list[Number], list[Number], Number], Entry | None],
) -> Entry | None:
    """Return when a ray comes closer to a box about 0 than a radius.

    root: of the points, steps and radius seen from an edge, a corner or the plane of a face, which alone is near then.
    """
    square, slope = _distance(start, steps, halves)
    if square < radius * radius:
        return INSIDE
    if slope >= 0:
        return None
    if square == radius * radius:
        return START
    if not any(halves):
        return root(start, steps, radius)
    near = [
        (place - side * half, step)
        for place, step, half, side in zip(start, steps, halves, _sides(start, steps, halves, radius), strict=True)
        if side or not half
    ]
    return root([place for place, _ in near], [step for _, step in near], radius)


def exact_root(start: list[int], steps: list[int], radius: int) -> Entry | None:
    """Return when a ray from outside comes closer to 0 than a radius, rounded down."""
    return first_root(_dot(start, steps), _dot(steps, steps), _dot(start, start) - radius * radius)


def first_root(slope: int, speed: int, gap: int) -> Entry | None:
    """Return the first time when speed * time**2 + 2 * slope * time + gap is 0, rounded down; None for never or once.

    slope is negative and speed positive.
    """
    square = slope * slope - speed * gap
    if square <= 0:
        return None
    when = ((-slope << 59) - root_rounded_up(square << 118)) // speed
    bits = (when >> 59).bit_length()
    return when >> bits, 1 << 59 - bits


def root_rounded_up(value: int) -> int:
    """Return the smallest whole number that is not below the root."""
    root = math.isqrt(value)
    return root + (root * root < value)


def _sides(start: list[Number], steps: list[Number], halves: list[Number], radius: Number) -> list[int]:
    """Return on which sides of a box about 0 a ray comes closer than a radius: -1, 0 or 1 on each axis.

    Of a ray that does not, the sides where it is nearest.
    """
    # The place lies between two times, fractions of which the second is infinite at first.
    zero, one = 0 * radius, 0 * radius + 1
    low, low_part, high, high_part = zero, one, one, zero
    for at in range(3):
        for face in (halves[at], -halves[at]) if halves[at] and steps[at] else ():
            when, part = face - start[at], steps[at]
            if part < 0:
                when, part = -when, -part
            if low * part < when * low_part and when * high_part < high * part:
                there = [part * place + when * step for place, step in zip(start, steps, strict=True)]
                square, slope = _distance(there, steps, [part * half for half in halves])
                if square < part * part * radius * radius or slope >= 0:
                    high, high_part = when, part
                else:
                    low, low_part = when, part
    if high_part == 0:
        when, part = low + low_part, low_part
    else:
        when, part = low * high_part + high * low_part, 2 * low_part * high_part
    there = [part * place + when * step for place, step in zip(start, steps, strict=True)]
    return [(at > part * half) - (at < -part * half) for at, half in zip(there, halves, strict=True)]


def _distance(at: list[Number], steps: list[Number], halves: list[Number]) -> tuple[Number, Number]:
    """Return the square of the distance of a point to a box about 0, and half its derivative along a direction."""
    square, slope = 0 * at[0], 0 * at[0]
    for place, step, half in zip(at, steps, halves, strict=True):
        beyond = place - half if place > half else min(place + half, 0 * half)
        square += beyond * beyond
        slope += beyond * step
    return square, slope


def _dot(a: list[Number], b: list[Number]) -> Number:
    # Not `sum`, whose rounding of floats depends on the version of Python.
    result = 0 * a[0]
    for first, second in zip(a, b, strict=True):
        result += first * second
    return result


# Turned parts.


def turned_entry(origin: Whole, direction: Whole, part: PlacedPart) -> Entry | None:
    """Return when a ray enters a part, rounded down, `INSIDE`, or None if it does not. In float64."""
    start, steps, halves = _in_frame(origin, direction, part)
    if part.radius == 0:
        met = first_common(_spans(start, steps, halves, part))
        return None if met is None else met[0]
    return _entry(start, steps, halves, float(part.radius), _float_root)


def _float_root(start: list[float], steps: list[float], radius: float) -> Entry | None:
    """Return when a ray from outside comes closer to 0 than a radius, computed from the nearest place on its way.

    Far away the difference of squares would lose most of its digits.
    """
    square = _dot(steps, steps)
    if square == 0.0:
        return None
    nearest = -_dot(start, steps) / square
    there = [place + nearest * step for place, step in zip(start, steps, strict=True)]
    least = math.sqrt(_dot(there, there))
    if least >= radius:
        return None
    return rounded_time(max(0.0, nearest - math.sqrt((radius - least) * (radius + least) / square)))


def rounded_time(time: float) -> Entry | None:
    """Return a time as a fraction, rounded down like that of a round part; None if it is beyond every distance."""
    if time >= _NEVER:
        return None
    above, below = time.as_integer_ratio()
    shift = 59 - (above // below).bit_length()
    return (above << shift) // below, 1 << shift


def first_common(spans: Iterable[Span | None]) -> tuple[Entry, Vector] | None:
    """Return when the last of some spans begins, if none has ended by then, and its normal; None if they have.

    `INSIDE` if all have begun before time 0. A span of no length counts if it lies inside all others. None: a span that
    never comes.
    """
    known: list[Span] = []
    for span in spans:
        if span is None:
            return None
        known.append(span)
    enters, leaves = max(span[0] for span in known), min(span[1] for span in known)
    normal = next(normal for begin, _, normal in known if begin == enters)
    if enters < 0.0 < leaves:
        return INSIDE, normal
    is_thin = enters == leaves >= 0.0 and sum(begin < enters < end for begin, end, _ in known) == len(known) - 1
    if not is_thin and not (enters < leaves and leaves > 0.0):
        return None
    entry = rounded_time(enters)
    return None if entry is None else (entry, normal)


def span_along(axis: Vector, distance: float, speed: float, reach: float) -> Span | None:
    """Return when a distance that changes at a speed is less than `reach` on both sides; None for never."""
    if speed == 0.0:
        return (-math.inf, math.inf, axis) if abs(distance) < reach else None
    if speed > 0.0:
        return (-reach - distance) / speed, (reach - distance) / speed, opposite(axis)
    return (reach - distance) / speed, (-reach - distance) / speed, axis


def _spans(start: list[float], steps: list[float], halves: list[float], part: PlacedPart) -> Iterable[Span | None]:
    return map(span_along, axes_of(part), start, steps, halves)


def _in_frame(origin: Whole, direction: Whole, part: PlacedPart) -> tuple[list[float], list[float], list[float]]:
    """Return origin and direction as seen from the centre along the axes of a part, and its half extents."""
    x = (2 * origin[0] - part.lox - part.hix) / 2
    y = (2 * origin[1] - part.loy - part.hiy) / 2
    z = (2 * origin[2] - part.loz - part.hiz) / 2
    core = Core.of(part, part)
    dx, dy, dz = direction
    return list(core.turned_back((x, y, z))), list(core.turned_back((dx, dy, dz))), list(core.halves)


# Normals.


def normal_at(origin: Whole, direction: Whole, part: PlacedPart, entry: Entry) -> Vector:
    """Return the outward normal where a ray enters a part, (0, 0, 0) if it starts inside."""
    if entry == INSIDE:
        return 0.0, 0.0, 0.0
    if part.radius == 0:
        met = first_common(_spans(*_in_frame(origin, direction, part), part))
        return (0.0, 0.0, 0.0) if met is None else met[1]
    return _from_core(origin, direction, Core.of(part, part), _faces(part), entry)


def _from_core(origin: Whole, direction: Whole, core: Core, faces: Faces, entry: Entry) -> Vector:
    """Return the direction from the nearest point of a core to the point of entry.

    In whole numbers up to the division, since that point is far from the origin and near the core.
    """
    when, step = entry
    x = (step * (2 * origin[0] - faces[0] - faces[3]) + 2 * when * direction[0]) / (2 * step)
    y = (step * (2 * origin[1] - faces[1] - faces[4]) + 2 * when * direction[1]) / (2 * step)
    z = (step * (2 * origin[2] - faces[2] - faces[5]) + 2 * when * direction[2]) / (2 * step)
    return unit_of(core.offset_to((x, y, z)))


def _faces(part: PlacedPart) -> Faces:
    return part.lox, part.loy, part.loz, part.hix, part.hiy, part.hiz
