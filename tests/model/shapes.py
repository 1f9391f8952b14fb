"""A second implementation of the rules of shapes (H1 to H5) for the reference model, in big integers.

All numbers are lattice units times 2^BITS. Parts that are parallel to the axes are exact. A rotation is computed with
more digits than the engine has. The answer for turned parts that are closer to touching than BAND is None: there the
rules leave it to float64.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

BITS = 96
"""Bits behind the point of all numbers."""

ONE = 1 << BITS

BAND = ONE >> 20
"""Turned parts are too close to call if growing or shrinking them by this changes the answer: 10^-6 lattice units."""

PER_UNIT = 2**16
"""Lattice units in one world unit."""

NEAR = ONE >> 46
"""Entries of a rotation that are this near to 0, 1 and -1 are these numbers (H3)."""

Rotation = float | tuple[float, float, float, float] | None
Triple = tuple[int, int, int]
Rows = tuple[Triple, Triple, Triple]
Span = tuple[int, int]

UNTURNED: Rows = ((ONE, 0, 0), (0, ONE, 0), (0, 0, ONE))


@dataclass(frozen=True)
class Given:
    """A part as a component has it, in world units: `kind` is "box", "sphere", "capsule" or "oriented"."""

    kind: str
    halves: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 0.0
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: Rotation = None


@dataclass(frozen=True)
class Shape:
    """All points within `radius` of a core (H1), in lattice units; rows: the rotation of the core about its centre."""

    low: Triple
    high: Triple
    radius: int = 0
    rows: Rows | None = None

    def at(self, place: Sequence[int]) -> Shape:
        """Return the shape, moved."""
        return replace(self, low=_sum(self.low, place), high=_sum(self.high, place))

    def centre(self) -> Triple:
        """Return the centre, times ONE."""
        return _triple((a + b) << (BITS - 1) for a, b in zip(self.low, self.high, strict=True))

    def halves(self) -> Triple:
        """Return the half extents of the core, times ONE."""
        return _triple((b - a) << (BITS - 1) for a, b in zip(self.low, self.high, strict=True))

    def local(self, vector: Triple) -> Triple:
        """Return a vector, times ONE, as seen along the axes of the core."""
        if self.rows is None:
            return vector
        return _triple(sum(row[k] * v for row, v in zip(self.rows, vector, strict=True)) >> BITS for k in range(3))

    def turned(self, vector: Triple) -> Triple:
        """Return a vector along the axes of the core, times ONE, as seen in the world."""
        if self.rows is None:
            return vector
        return _triple(dot(row, vector) >> BITS for row in self.rows)

    def axes(self) -> tuple[Triple, Triple, Triple]:
        """Return the directions of the axes of the core, times ONE."""
        x, y, z = zip(*(self.rows or UNTURNED), strict=True)
        return x, y, z

    def local_core(self) -> tuple[Triple, Triple]:
        """Return the corners of the core along its own axes, times ONE, relative to its centre if it is turned."""
        if self.rows is None:
            return scaled(self.low), scaled(self.high)
        return _triple(-half for half in self.halves()), self.halves()

    def local_place(self, place: Triple) -> Triple:
        """Return a place, times ONE, in the axes of `local_core`."""
        if self.rows is None:
            return place
        return self.local(_triple(a - b for a, b in zip(place, self.centre(), strict=True)))


def _triple(values: Iterable[int]) -> Triple:
    x, y, z = values
    return x, y, z


def _sum(a: Sequence[int], b: Sequence[int]) -> Triple:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def scaled(vector: Sequence[int]) -> Triple:
    """Return a vector of lattice units, times ONE."""
    return vector[0] << BITS, vector[1] << BITS, vector[2] << BITS


def dot(a: Triple, b: Triple) -> int:
    """Return the sum of the products."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


# --- H2, H3: shapes on the lattice, and turned ------------------------------------------------------------------------


@functools.cache
def _pi() -> int:
    """Return pi times 2^(2 BITS), by the sum of Machin."""

    def arc_of_inverse(number: int) -> int:
        term = total = (1 << (2 * BITS + 16)) // number
        divisor = 1
        while term:
            term //= -number * number
            divisor += 2
            total += term // divisor
        return total

    return 4 * (4 * arc_of_inverse(5) - arc_of_inverse(239)) >> 16


def sine_and_cosine(angle: float) -> tuple[int, int]:
    """Return sine and cosine, times ONE, by their sums."""
    bits = 2 * BITS
    exact = Fraction(angle) * (1 << bits)
    x = (exact.numerator // exact.denominator) % (2 * _pi())
    found = []
    for start in (1, 0):
        term, total, number = (x if start else 1 << bits), 0, start
        while term:
            total += term
            term = -(((term * x) >> bits) * x >> bits) // ((number + 1) * (number + 2))
            number += 2
        found.append(total >> BITS)
    return found[0], found[1]


def rows_of(rotation: Rotation) -> Rows | None:
    """H3: return a rotation as a matrix, times ONE; None if it does not turn."""
    if rotation is None:
        return None
    if isinstance(rotation, int | float):
        sine, cosine = sine_and_cosine(float(rotation))
        return _snapped(((cosine, -sine, 0), (sine, cosine, 0), (0, 0, ONE)))
    x, y, z, w = (Fraction(value) for value in rotation)
    double = 2 / (x * x + y * y + z * z + w * w)
    exact = (
        (1 - double * (y * y + z * z), double * (x * y - z * w), double * (x * z + y * w)),
        (double * (x * y + z * w), 1 - double * (x * x + z * z), double * (y * z - x * w)),
        (double * (x * z - y * w), double * (y * z + x * w), 1 - double * (x * x + y * y)),
    )
    a, b, c = (_triple(math.floor(value * ONE) for value in row) for row in exact)
    return _snapped((a, b, c))


def product(outer: Rows | None, inner: Rows | None) -> Rows | None:
    """Return the rotation that turns by `inner` first, then by `outer`."""
    if outer is None or inner is None:
        return outer or inner
    columns = list(zip(*inner, strict=True))
    a, b, c = (_triple(dot(row, column) >> BITS for column in columns) for row in outer)
    return _snapped((a, b, c))


def _snapped(rows: Rows) -> Rows | None:
    """H3: return the matrix with entries that are nearly 0, 1 and -1 made so; None if nothing turns."""
    a, b, c = (_triple(_snapped_entry(value) for value in row) for row in rows)
    return None if (a, b, c) == UNTURNED else (a, b, c)


def _snapped_entry(value: int) -> int:
    return next((target for target in (0, ONE, -ONE) if abs(value - target) <= NEAR), value)


def is_parallel(rows: Rows | None) -> bool:
    """Return whether a rotation takes axes to axes."""
    return rows is None or all(value in (0, ONE, -ONE) for row in rows for value in row)


def nearest_unit(value: float | Fraction) -> int:
    """L1: return world units in lattice units, halves up."""
    return math.floor(Fraction(value) * PER_UNIT + Fraction(1, 2))


def _rounded(centre: int, reach: int) -> Span:
    """Return the faces around a centre, rounded outward."""
    return (centre - reach) // ONE, -((-centre - reach) // ONE)


@functools.lru_cache(100_000)
def shape_of(given: Given, rotation: Rotation = None) -> Shape:
    """H2, H3: return a part on the lattice, relative to its body, which is turned by a rotation."""
    if given.kind == "box":  # L1: faces round inward, and boxes do not turn
        spans = [_faces(half, at) for half, at in zip(given.halves, given.offset, strict=True)]
        return Shape(_triple(span[0] for span in spans), _triple(span[1] for span in spans))
    outer = rows_of(rotation)
    centre = _triple(nearest_unit(at) for at in given.offset)
    if outer is not None:
        centre = _triple((dot(row, centre) + ONE // 2) >> BITS for row in outer)
    halves = _triple(math.floor(Fraction(half) * PER_UNIT) for half in given.halves)
    rows = product(outer, rows_of(given.rotation)) if any(halves) else None
    if rows is not None and is_parallel(rows):
        sides = ([abs(entry * half) >> BITS for entry, half in zip(row, halves, strict=True)] for row in rows)
        halves, rows = _triple(map(sum, sides)), None
    low, high = (_sum(centre, [sign * half for half in halves]) for sign in (-1, 1))
    return Shape(low, high, math.floor(Fraction(given.radius) * PER_UNIT), rows)


def _faces(half: float, at: float) -> Span:
    low = math.ceil((Fraction(at) - Fraction(half)) * PER_UNIT)
    high = math.floor((Fraction(at) + Fraction(half)) * PER_UNIT)
    return (low, high) if low <= high else (nearest_unit(at), nearest_unit(at))


def reach_of(shape: Shape) -> Triple:
    """Return half the bounds of a shape, times ONE, not rounded."""
    halves = shape.halves()
    if shape.rows is not None:
        halves = _triple(sum(abs(a) * half for a, half in zip(row, halves, strict=True)) >> BITS for row in shape.rows)
    return _triple(half + (shape.radius << BITS) for half in halves)


def bounds_of(shape: Shape, known: Iterable[tuple[Span, ...]] = ()) -> tuple[Span, Span, Span]:
    """H4: return the smallest lattice box around a shape, by axis.

    known: bounds that someone else computed. Where a face of a turned shape is too close to the lattice to call, those
    may be a unit larger, and are returned.
    """
    least, most = (
        [_rounded(centre, reach + by) for centre, reach in zip(shape.centre(), reach_of(shape), strict=True)]
        for by in ((0, 0) if shape.rows is None else (-BAND, BAND))
    )
    for bounds in known if least != most else ():
        if all(a[0] in (p[0], q[0]) and a[1] in (p[1], q[1]) for a, p, q in zip(bounds, least, most, strict=True)):
            return bounds[0], bounds[1], bounds[2]
    return least[0], least[1], least[2]


# --- H5: overlap and touch --------------------------------------------------------------------------------------------


def overlap(a: Shape, b: Shape) -> bool | None:
    """H5: return whether two parts overlap, None if they are turned and too close to call."""
    if a.rows is None and b.rows is None:
        if a.radius == b.radius == 0:  # L4
            return all(a.low[k] < b.high[k] and b.low[k] < a.high[k] for k in range(3))
        return square_of_gaps(a, b) < (a.radius + b.radius) ** 2
    if any(p[0] > q[1] or q[0] > p[1] for p, q in zip(bounds_of(a), bounds_of(b), strict=True)):
        return False
    gap = separation(a, b)
    return None if abs(gap) <= BAND else gap < 0


def touch(a: Shape, b: Shape) -> bool:
    """H5: return whether two parts touch."""
    if a.rows is not None or b.rows is not None:
        return False
    if a.radius == b.radius == 0:  # L4: equal faces on one axis, overlap on the other two
        spans = [(a.low[k], a.high[k], b.low[k], b.high[k]) for k in range(3)]
        meets = [a1 == b0 or b1 == a0 for a0, a1, b0, b1 in spans]
        overlaps = [a0 < b1 and b0 < a1 for a0, a1, b0, b1 in spans]
        return any(meets[k] and overlaps[k - 1] and overlaps[k - 2] for k in range(3))
    return square_of_gaps(a, b) == (a.radius + b.radius) ** 2


def nearly_touch(a: Shape, b: Shape) -> bool | None:
    """C1: return whether parts of solid bodies count as touching: one is round or turned, and less than 4 units apart.

    None if they are turned and too close to call.
    """
    if touch(a, b):
        return True
    if any(p[0] > q[1] or q[0] > p[1] for p, q in zip(bounds_of(a), bounds_of(b), strict=True)):
        return False
    if a.rows is None and b.rows is None:
        radius = a.radius + b.radius
        return radius > 0 and radius**2 <= square_of_gaps(a, b) < (radius + 4) ** 2
    gap = separation(a, b)
    return None if min(abs(gap), abs(gap - 4 * ONE)) <= BAND else 0 < gap < 4 * ONE


def any_of(answers: Iterable[bool | None]) -> bool | None:
    """Return True if an answer is, otherwise None if one is too close to call."""
    found = set(answers)
    return True if True in found else None if None in found else False


def shapes_overlap(a: Iterable[Shape], b: Iterable[Shape], touching: bool = False, nearly: bool = False) -> bool | None:
    """H5: return whether any parts of two bodies overlap, or touch if that counts; None if too close to call.

    nearly: parts that nearly touch do (C1).
    """
    others = list(b)
    if nearly:
        return any_of(each(x, y) for x in a for y in others for each in (overlap, nearly_touch))
    return any_of((touching and touch(x, y)) or overlap(x, y) for x in a for y in others)


def square_of_gaps(a: Shape, b: Shape) -> int:
    """Return the square of the distance of two cores that are parallel to the axes, in lattice units."""
    return sum(max(a.low[k] - b.high[k], 0, b.low[k] - a.high[k]) ** 2 for k in range(3))


def separation(a: Shape, b: Shape, shift: Triple = (0, 0, 0)) -> int:
    """Return how far a, moved by a shift times ONE, is apart from b, times ONE; negative if they overlap.

    One with a radius has a point or a segment as core, so its distance is that of a segment to a box. Two boxes are
    apart by the largest gap on any of the axes that may separate them: those of both, and the products of these.
    """
    radii = (a.radius + b.radius) << BITS
    if radii:
        line, other, way = (a, b, shift) if a.radius else (b, a, _triple(-step for step in shift))
        return math.isqrt(square_to(*other.local_core(), nearest_places(line, other, way))) - radii
    return max(_gap_on(axis, a, b, shift) for axis in separating_axes(a, b))


def nearest_places(line: Shape, other: Shape, shift: Triple = (0, 0, 0)) -> Triple:
    """Return the place on a segment, moved by a shift, that is nearest to a core, seen along the axes of that core."""
    start, end = (other.local_place(_sum(place, shift)) for place in ends_of(line))
    steps = _triple(b - a for a, b in zip(start, end, strict=True))
    way = closest_on_line(*other.local_core(), start, steps, Fraction(1))
    return _triple(math.floor(a + way * step) for a, step in zip(start, steps, strict=True))


def ends_of(line: Shape) -> tuple[Triple, Triple]:
    """Return the ends of a core that is a segment or a point, times ONE."""
    assert sum(map(bool, line.halves())) <= 1
    way, centre = line.turned(line.halves()), line.centre()
    return _sum(centre, [-step for step in way]), _sum(centre, way)


def square_to(low: Triple, high: Triple, place: Triple) -> int:
    """Return the square of the distance of a place to a box."""
    return sum(max(a - at, 0, at - b) ** 2 for a, b, at in zip(low, high, place, strict=True))


def closest_on_line(low: Triple, high: Triple, start: Triple, steps: Triple, most: Fraction | None = None) -> Fraction:
    """Return the first number of steps from the start, from 0 to `most`, at which a place is nearest to a box.

    The square of the distance is convex, and a parabola between the times at which the line crosses a face. So it is
    least where its slope is 0, which is linear between these times.
    """
    times = {Fraction(0)} | ({most} if most is not None else set())
    for a, b, at, step in zip(low, high, start, steps, strict=True):
        times |= {Fraction(face - at, step) for face in (a, b)} if step else set()
    last = Fraction(0)
    for time in sorted(time for time in times if time >= 0 and (most is None or time <= most)):
        slope = _slope(low, high, start, steps, time)
        if slope >= 0:
            before = _slope(low, high, start, steps, last)
            return last if before >= 0 else last + (time - last) * before / (before - slope)
        last = time
    return last


def _slope(low: Triple, high: Triple, start: Triple, steps: Triple, time: Fraction) -> Fraction:
    """Return half the slope of the square of the distance of a line to a box."""
    total = Fraction(0)
    for a, b, at, step in zip(low, high, start, steps, strict=True):
        if step:
            place = at + time * step
            total += step * (place - a if place < a else place - b if place > b else 0)
    return total


def separating_axes(a: Shape, b: Shape) -> Iterator[Triple]:
    """Yield the directions, times ONE, one of which separates two boxes if any does."""
    yield from (*a.axes(), *b.axes())
    for one, two in itertools.product(a.axes(), b.axes()):
        axis = cross(one, two)
        if dot(axis, axis) > 1 << (2 * BITS - 60):  # otherwise the edges are parallel
            yield axis


def separating_axes_in_plane(a: Shape, b: Shape) -> Iterator[Triple]:
    """Yield the same for two cores that only move along x and y: the directions across their outlines."""
    for edge in (*a.axes(), *b.axes()):
        axis = cross(edge, (0, 0, ONE))
        if dot(axis, axis) > 1 << (2 * BITS - 60):
            yield axis


def are_flat(a: Sequence[Shape], b: Sequence[Shape]) -> bool:
    """L5: return whether two bodies with these parts are a flat pair."""
    return all(_is_flat(parts) for parts in (a, b))


def _is_flat(parts: Sequence[Shape]) -> bool:
    is_shaped = any(part.radius or part.rows is not None for part in parts)
    for part in parts:
        sides = [high - low for low, high in zip(part.low, part.high, strict=True)]
        if part.low[2] != -part.high[2] or not (is_shaped or sides[2] == PER_UNIT or sides.count(0) >= 2):
            return False
    return True


def cross(a: Triple, b: Triple) -> Triple:
    """Return the vector product of two vectors, times ONE."""
    return _triple((a[k - 2] * b[k - 1] - a[k - 1] * b[k - 2]) >> BITS for k in range(3))


def _gap_on(axis: Triple, a: Shape, b: Shape, shift: Triple) -> int:
    """Return the gap of two boxes along a direction, times ONE; negative if they overlap there."""
    between = _triple(y - x - step for x, y, step in zip(a.centre(), b.centre(), shift, strict=True))
    extents = sum(
        abs(part * half) for shape in (a, b) for part, half in zip(shape.local(axis), shape.halves(), strict=True)
    )
    return (abs(dot(axis, between)) - extents) // math.isqrt(dot(axis, axis))


# --- P2: along an axis until they overlap ---------------------------------------------------------------------------


def way_until_overlap(moving: Shape, fixed: Shape, axis: int, sign: int, close: bool = False) -> int | None:
    """P2, H4: return the largest whole way along an axis before two parts overlap, None if they never do, -1 at once.

    Places are those of the moving part, relative to where it is. The places where they overlap follow each other, so it
    is enough to know one of them. close: whether turned parts overlap that are too close to call.
    """
    is_turned = moving.rows is not None or fixed.rows is not None
    step = [0, 0, 0]

    def overlap_at(place: int) -> bool:
        step[axis] = place
        answer = overlap(moving.at(step), fixed)
        return close if answer is None else answer

    inside = _deep_place(fixed, moving, axis) if is_turned else fixed.low[axis] - moving.high[axis]
    if overlap_at(0):
        return -1
    if not overlap_at(inside) or inside * sign < 0:
        return None
    free, taken = 0, abs(inside)
    while taken - free > 1:
        middle = (free + taken) // 2
        free, taken = (free, middle) if overlap_at(sign * middle) else (middle, taken)
    return free


# --- T4: along a path -------------------------------------------------------------------------------------------------


class During(NamedTuple):
    """While two parts overlap or touch: from `start` to `end`, displacements times ONE, and whether it has these."""

    start: int
    end: int
    from_start: bool = False
    to_end: bool = False

    def contains(self, place: int) -> bool:
        """Return whether the parts overlap, or touch, there."""
        return (
            self.start < place < self.end
            or (self.from_start and place == self.start)
            or (self.to_end and place == self.end)
        )


def states_on_path(
    fixed: Sequence[Shape], moving: Sequence[Shape], axis: int, shift: int, touching: bool, band: int = -BAND
) -> list[bool]:
    """T4: return whether two bodies overlap at each state of a displacement of one of them along an axis.

    The states are those at the start, between any two places where they change, at these places, and at the end. Times
    of several parts that meet in a single place are one, and so are those less than a step apart if touching counts.
    band: turned parts overlap if they are less than this apart; what is too close to call differs with its sign.
    """
    times = _joined(
        sorted(filter(None, (_during(a, b, axis, touching, band) for a in fixed for b in moving))), touching
    )
    end = shift << BITS
    ends = {place for time in times for place in time[:2] if min(0, end) < place < max(0, end)}
    marks = sorted({0, end} | ends, key=abs)
    places = [place for one, two in itertools.pairwise(marks) for place in (one, (one + two) // 2)] + [end]
    return [any(time.contains(place) for time in times) for place in places]


def _joined(times: Iterable[During], touching: bool) -> list[During]:
    """Return times in order, with those that meet made one."""
    found: list[During] = []
    for time in times:
        last = found[-1] if found else None
        near = ONE if touching and last and last.to_end and time.from_start else 0
        if last is not None and time.start - last.end <= near:
            to_end = any(each.to_end for each in (last, time) if each.end == max(last.end, time.end))
            from_start = last.from_start or (time.start == last.start and time.from_start)
            found[-1] = During(last.start, max(last.end, time.end), from_start, to_end)
        else:
            found.append(time)
    return found


def _during(a: Shape, b: Shape, axis: int, touching: bool, band: int) -> During | None:
    """Return while b, moving along an axis, overlaps a, or touches it if that counts; None if it never does."""
    if a.rows is not None or b.rows is not None:
        return _during_turned(a, b, axis, band)
    start, end = (a.low[axis] - b.high[axis]) << BITS, (a.high[axis] - b.low[axis]) << BITS
    spans = [(a.low[k], a.high[k], b.low[k], b.high[k]) for k in range(3) if k != axis]
    if a.radius or b.radius:
        gaps = sum(max(a0 - b1, 0, b0 - a1) ** 2 for a0, a1, b0, b1 in spans)
        square = (a.radius + b.radius) ** 2 - gaps
        if square < (not touching):
            return None
        more = math.isqrt(square << (2 * BITS))
        return During(start - more, end + more, touching, touching)
    overlaps = [a0 < b1 and b0 < a1 for a0, a1, b0, b1 in spans]
    meets = [a0 == b1 or b0 == a1 for a0, a1, b0, b1 in spans]
    if all(overlaps) and (start < end or touching):
        return During(start, end, touching, touching)
    slides = touching and start < end and any(meets[k] and overlaps[1 - k] for k in (0, 1))
    return During(start, end) if slides else None


def _during_turned(a: Shape, b: Shape, axis: int, band: int) -> During | None:
    """Return while parts of which one is turned overlap: at the whole places where they are less than `band` apart.

    The ends are half a step beyond the first and last of these, since nothing is ever between two places (L1).
    """
    (a0, a1), (b0, b1) = bounds_of(a)[axis], bounds_of(b)[axis]
    sides = [(p, q) for k, (p, q) in enumerate(zip(bounds_of(a), bounds_of(b), strict=True)) if k != axis]
    if any(p[0] > q[1] or q[0] > p[1] for p, q in sides):
        return None
    inner = _deep_place(a, b, axis)
    if _apart(a, b, axis, inner) >= band:
        return None
    ends = []
    for outer in (a0 - b1 - 1, a1 - b0 + 1):
        near, far = inner, outer
        while abs(far - near) > 1:
            middle = (near + far) // 2
            near, far = (middle, far) if _apart(a, b, axis, middle) < band else (near, middle)
        ends.append((near + far) << (BITS - 1))
    return During(ends[0], ends[1])


@functools.lru_cache(1000)
def _deep_place(a: Shape, b: Shape, axis: int) -> int:
    """Return a whole place of b along an axis where it surely overlaps a, otherwise that where it is nearest.

    How far they are apart is convex along the axis.
    """
    (a0, a1), (b0, b1) = bounds_of(a)[axis], bounds_of(b)[axis]
    low, high = a0 - b1 - 1, a1 - b0 + 1
    while high - low > 2:
        if _apart(a, b, axis, (low + high) // 2) < -BAND:
            return (low + high) // 2
        one, two = low + (high - low) // 3, high - (high - low) // 3
        low, high = (low, two) if _apart(a, b, axis, one) <= _apart(a, b, axis, two) else (one, high)
    return min(range(low, high + 1), key=functools.partial(_apart, a, b, axis))


def _apart(a: Shape, b: Shape, axis: int, place: int) -> int:
    """Return how far parts are apart if b is moved along an axis, times ONE."""
    way = [0, 0, 0]
    way[axis] = place << BITS
    return separation(b, a, _triple(way))
