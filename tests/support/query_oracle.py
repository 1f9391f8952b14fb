"""The queries of rules Q1 to Q7 and H5 to H9 by brute force, on shapes of all kinds: every part of every body.

Written from the rules alone, in big integers and fractions. All numbers are lattice units (L1); shapes themselves are
those of the reference model. What is parallel to the axes is exact. A part that is turned is asked twice, grown and
shrunk by BAND; where the answers differ, it is too close to call: then a yes or no is None, and a number is a range.
Callers compare with `agrees`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as pairs_of

from tests.model.normals import depth_along, depth_of, normals_of, reach_along
from tests.model.shapes import (
    BAND,
    BITS,
    NEAR,
    ONE,
    Shape,
    any_of,
    are_flat,
    bounds_of,
    closest_on_line,
    dot,
    nearly_touch,
    overlap,
    scaled,
    separation,
    shapes_overlap,
    square_of_gaps,
    square_to,
)

Vector = tuple[int, int, int]
Faces = tuple[Vector, Vector]
"""The corners (lo, hi) of a box."""

UNIT = 2**16
"""Lattice units in one world unit."""

INSIDE = -1
"""In place of an axis: the ray starts inside the box, and enters it through no face."""

ULPS = 2
"""How far a float that is reported may be from the true value."""


@dataclass(frozen=True)
class Body:
    """A body as the queries see it; `fused` is the id of the body that it is fused to.

    `boxes` are the bounds of its `parts`.
    """

    entity: int
    position: Vector
    boxes: tuple[Faces, ...]
    layer: str = "default"
    trigger: bool = False
    enabled: bool = True
    fused: int | None = None
    parts: tuple[Shape, ...] = ()


def lattice(value: float) -> int:
    """Return a world coordinate in lattice units (L1)."""
    return math.floor(value * UNIT + 0.5)


def point_of(point: Iterable[float]) -> Vector:
    """Return a point of 2 or 3 world coordinates in lattice units (L1, L5)."""
    x, y, z = (lattice(value) for value in (*point, 0.0)[:3])
    return x, y, z


def steps_of(direction: Iterable[float]) -> Vector:
    """Return a direction as whole numbers (Q2)."""
    values = [Fraction(value) for value in (*direction, 0)[:3]]
    scale = Fraction(1)
    if any(value.denominator > 1 for value in values):
        scale = Fraction(2) ** (53 - math.frexp(max(map(abs, values)))[1])
    x, y, z = (math.floor(value * scale + Fraction(1, 2)) for value in values)
    return x, y, z


# Which bodies count (Q6).


def group_of(bodies: Iterable[Body], entity: int) -> set[int]:
    """Return the entity and all enabled bodies that are connected with it through `Fused`, if it is enabled (P8)."""
    enabled = {body.entity: body for body in bodies if body.enabled}
    links = [(body.entity, body.fused) for body in enabled.values() if body.fused in enabled]
    found = {entity}
    for _ in links if entity in enabled else ():
        found |= {end for link in links if found & {*link} for end in link if end is not None}
    return found


def included(
    bodies: Iterable[Body],
    *,
    layers: Iterable[str] | None = None,
    ignore: Iterable[int] = (),
    triggers: bool = False,
    where: Callable[[int], object] | None = None,
    asking: Iterable[int] = (),
) -> list[Body]:
    """Return the bodies that a query includes; `asking` are entities that are given to it in place of points."""
    bodies = list(bodies)
    left_out = {*ignore}.union(*(group_of(bodies, entity) for entity in asking))
    return [
        body
        for body in bodies
        if body.enabled
        and (triggers or not body.trigger)
        and (layers is None or body.layer in layers)
        and body.entity not in left_out
        and (where is None or where(body.entity))
    ]


# Rays (Q1).


def box_entered(box: Faces, origin: Vector, steps: Vector) -> tuple[Fraction, int] | None:
    """Return when and on which axis a ray enters a box, None if it does not.

    On each axis the ray is between the faces of the box from one time to another. It has inner points of the box if
    these spans have more than an instant in common. A box without thickness on one axis has inner points too: those
    strictly inside on the other two.
    """
    spans = []
    for axis, (low, high) in enumerate(zip(*box, strict=True)):
        if steps[axis]:
            first, last = sorted(Fraction(face - origin[axis], steps[axis]) for face in (low, high))
            spans.append((first, last, axis))
        elif not low < origin[axis] < high:
            return None
    if not spans:
        return Fraction(0), INSIDE
    enters, leaves = max(span[0] for span in spans), min(span[1] for span in spans)
    if enters < 0 < leaves:
        return Fraction(0), INSIDE
    is_plate_crossed = sum(not first < enters < last for first, last, _ in spans) == 1 and enters == leaves
    if enters < 0 or not (enters < leaves or is_plate_crossed):
        return None
    return enters, min(axis for first, _, axis in spans if first == enters)


# Distances (Q4).


def gaps_to_box(box: Faces, point: Vector) -> Vector:
    """Return how far a point lies outside of a box on each axis, 0 between the faces and on them."""
    x, y, z = (max(low - at, 0, at - high) for low, high, at in zip(*box, point, strict=True))
    return x, y, z


def lies_level(body: Body, point: Vector, square: int) -> bool:
    """Return whether a box of a body at this distance lies beside the point on one axis only, or around it."""
    near = [gaps_to_box(box, point) for box in body.boxes if square_to(*box, point) == square]
    return any(sum(map(bool, gaps)) <= 1 for gaps in near)


# What is reported.


def is_reported(reported: float, square: Fraction | int, on_one_axis: bool) -> bool:
    """Return whether a float is the distance, in world units, of which this is the square, in lattice units.

    On one axis the distance is a fraction, and must be the float nearest to it. Other distances are square roots, and
    may be ULPS floats away: the square must lie between those of two floats.
    """
    exact = Fraction(square) / UNIT**2
    if on_one_axis:
        return reported == _root(exact)
    slack = ULPS * Fraction(math.ulp(reported))
    return (
        reported >= 0
        and max(Fraction(reported) - slack, Fraction(0)) ** 2 <= exact <= (Fraction(reported) + slack) ** 2
    )


def _root(square: Fraction) -> float:
    """Return the float nearest to the root of a fraction that is the square of a fraction."""
    root = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    assert root * root == square
    return float(root)


def is_reported_coordinate(reported: float, start: int, way: Fraction, is_exact: bool) -> bool:
    """Return whether a float is the coordinate `start + way`, in world units; start and way are in lattice units.

    It is a rounded sum of two rounded numbers, so the larger of them decides how near it is.
    """
    exact = (start + way) / UNIT
    if is_exact:
        return reported == float(exact)
    return abs(Fraction(reported) - exact) <= ULPS * Fraction(math.ulp(max(abs(start), abs(float(way))) / UNIT))


ROUND = -2
"""In place of an axis: a ray enters a part where it is round."""

FLOAT = 1e-9
"""How far parts of a unit vector that is reported may be from the true ones."""

FAR = Fraction(10) ** 12
"""Later than any time at which a ray of a test enters anything."""

Floats = tuple[float, ...]


def agrees(found: object, expected: bool | None) -> bool:
    """Return whether an answer is the expected one, or too close to call."""
    return expected is None or bool(found) == expected


def wrong_answers(found: Iterable[int], expected: dict[int, bool | None]) -> list[int]:
    """Return the entities that an answer contains and should not, or does not and should."""
    there = set(found)
    return [entity for entity, is_in in expected.items() if not agrees(entity in there, is_in)] + [
        entity for entity in there if entity not in expected
    ]


def box_shape(box: tuple[Sequence[int], Sequence[int]]) -> Shape:
    """Return a box in lattice units as a shape."""
    (x0, y0, z0), (x1, y1, z1) = box
    return Shape((x0, y0, z0), (x1, y1, z1))


def is_exact(body: Body) -> bool:
    """Return whether all parts of a body are parallel to the axes."""
    return all(part.rows is None for part in body.parts)


def is_of_boxes(parts: Iterable[Shape]) -> bool:
    """Return whether all parts are boxes that are parallel to the axes."""
    return all(part.rows is None and not part.radius for part in parts)


# Bodies and boxes (H5).


def overlapping(bodies: Iterable[Body], parts: Sequence[Shape]) -> dict[int, bool | None]:
    """Return for each body whether it overlaps any of these shapes."""
    return {body.entity: shapes_overlap(body.parts, parts) for body in bodies}


def touching(bodies: Iterable[Body], parts: Sequence[Shape]) -> dict[int, bool | None]:
    """Return for each body whether it touches any of these shapes."""
    return {body.entity: any_of(nearly_touch(a, b) for a, b in pairs_of(body.parts, parts)) for body in bodies}


def touching_on(bodies: Iterable[Body], parts: Sequence[Shape], axis: int, sign: int) -> dict[int, bool | None]:
    """Return for each body whether it touches any of these shapes on one side of them (C5)."""
    return {body.entity: any_of(_touches_on(a, b, axis, sign) for a in parts for b in body.parts) for body in bodies}


def _touches_on(a: Shape, b: Shape, axis: int, sign: int) -> bool | None:
    """Return whether b touches a on one side of it; None if that is too close to call."""
    touches = nearly_touch(a, b)
    if touches is False:
        return False
    if a.rows is None and b.rows is None:
        return _is_on_side(a, b, axis, sign)
    sides = {_largest(normal) for normal, _ in normals_of([a], [b]).candidates}
    if (axis, sign) not in sides:
        return False
    return touches if len(sides) == 1 else None


def _largest(normal: Sequence[float]) -> tuple[int, int]:
    """Return the axis and the sign of the largest component of a normal."""
    axis = max(range(3), key=lambda each: (abs(normal[each]), -each))
    return axis, 1 if normal[axis] > 0 else -1


def _is_on_side(a: Shape, b: Shape, axis: int, sign: int) -> bool:
    """Return whether b is on one side of a, of two shapes that touch. Plates in one plane are on both sides."""
    if a.radius == b.radius == 0:
        return b.low[axis] == a.high[axis] if sign > 0 else b.high[axis] == a.low[axis]
    gaps = [max(b.low[k] - a.high[k], 0) + min(b.high[k] - a.low[k], 0) for k in range(3)]
    sizes = [abs(gap) for gap in gaps]
    return sizes.index(max(sizes)) == axis and gaps[axis] * sign > 0


# Rays (H6).


@dataclass(frozen=True)
class Entry:
    """When a ray enters a body, in parts of its direction: between first and last; last is None if perhaps never.

    parts: those that may be entered at that time, with their axes.
    """

    entity: int
    first: Fraction
    last: Fraction | None
    parts: tuple[tuple[Shape, int], ...]
    exact: bool


def entered(shape: Shape, origin: Vector, steps: Vector, by: int = 0) -> tuple[Fraction, int] | None:
    """Return when and on which axis a ray enters a shape that is grown by a number times ONE, None if it does not.

    The axis is one of the core of a box, INSIDE, or ROUND for other parts.
    """
    low, high = shape.local_core()
    start, way = shape.local_place(scaled(origin)), shape.local(scaled(steps))
    if shape.radius:
        return round_entered(low, high, (shape.radius << BITS) + by, start, way)
    if shape.rows is not None:
        low = (low[0] - by, low[1] - by, low[2] - by)
        high = (high[0] + by, high[1] + by, high[2] + by)
        if any(a > b for a, b in zip(low, high, strict=True)):
            return None
    return box_entered((low, high), start, way)


def round_entered(low: Vector, high: Vector, radius: int, start: Vector, way: Vector) -> tuple[Fraction, int] | None:
    """Return when a ray comes closer to a box than a radius, rounded down by H6; None if it does not.

    The distance falls until the ray is nearest to the box, so the time is the last one before that at which the
    distance is not below the radius.
    """

    def is_closer(when: int, bits: int) -> bool:
        """Return whether the ray is closer at the time when / 2^bits."""
        place = [(at << bits) + when * step for at, step in zip(start, way, strict=True)]
        return (
            square_to(_shifted(low, bits), _shifted(high, bits), (place[0], place[1], place[2])) < (radius << bits) ** 2
        )

    if radius <= 0:
        return None
    if is_closer(0, 0):
        return Fraction(0), INSIDE
    nearest = closest_on_line(low, high, start, way)
    number, divisor = nearest.numerator, nearest.denominator
    at = [place * divisor + number * step for place, step in zip(start, way, strict=True)]
    square = square_to(_multiplied(low, divisor), _multiplied(high, divisor), (at[0], at[1], at[2]))
    if square >= (radius * divisor) ** 2:
        return None
    whole = _last_before(lambda when: is_closer(when, 0), 0, math.floor(nearest))
    bits = bits_of(whole)
    first, last = whole << bits, min((whole + 1) << bits, math.floor(nearest * (1 << bits)))
    return Fraction(_last_before(lambda when: is_closer(when, bits), first, last), 1 << bits), ROUND


def bits_of(whole: int) -> int:
    """Return how many bits of a time are kept behind the point (H6)."""
    return 59 - whole.bit_length()


def rounded_down(when: Fraction) -> Fraction:
    """Return a time of entry as it is compared and reported (H6)."""
    bits = bits_of(math.floor(when))
    return Fraction(math.floor(when * (1 << bits)), 1 << bits)


def _last_before(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the last number from low to high that does not hold; once one does, all later ones do."""
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (low, middle - 1) if holds(middle) else (middle, high)
    return low


def _shifted(vector: Vector, bits: int) -> Vector:
    return vector[0] << bits, vector[1] << bits, vector[2] << bits


def _multiplied(vector: Vector, by: int) -> Vector:
    return vector[0] * by, vector[1] * by, vector[2] * by


def entry_of(body: Body, origin: Vector, steps: Vector) -> Entry | None:
    """Return when a ray enters a body, None if it surely does not."""
    found = []
    for part in body.parts:
        grown = entered(part, origin, steps, 0 if part.rows is None else BAND)
        if grown is not None:
            shrunk = grown if part.rows is None else entered(part, origin, steps, -BAND)
            if part.rows is not None:
                grown = rounded_down(grown[0]), grown[1]
                shrunk = shrunk and (rounded_down(shrunk[0]), shrunk[1])
            found.append((grown[0], shrunk, part, grown[1]))
    if not found:
        return None
    first = min(when for when, _, _, _ in found)
    sure = [shrunk[0] for _, shrunk, _, _ in found if shrunk is not None]
    last = min(sure, default=None)
    parts = tuple((part, axis) for when, _, part, axis in found if last is None or when <= last)
    around = tuple((part, INSIDE) for _, shrunk, part, _ in found if shrunk is not None and shrunk[1] == INSIDE)
    parts = around or parts  # of several parts, one that contains the origin comes first
    if is_of_boxes(part for part, _ in parts):
        parts = (min(parts, key=lambda each: each[1]),)  # x before y before z (Q1)
    return Entry(body.entity, first, last, parts, is_exact(body))


def entries(bodies: Iterable[Body], origin: Vector, steps: Vector) -> dict[int, Entry]:
    """Return when a ray enters each body that it hits, or may hit."""
    found = [entry for body in bodies if (entry := entry_of(body, origin, steps))]
    return {entry.entity: entry for entry in found}


def faults_of_rays(found: Sequence[tuple[int, float, Floats, Floats]], expected: dict[int, Entry], origin: Vector,
                   steps: Vector) -> list[str]:  # fmt: skip
    """Return what is wrong with the answer of `ray_all`, as tuples (entity, distance, point, normal)."""
    entities = [hit[0] for hit in found]
    missing = [entry.entity for entry in expected.values() if entry.last is not None and entry.entity not in entities]
    surplus = [entity for entity in entities if entity not in expected]
    if missing or surplus:
        return [f"missing: {missing}, surplus: {surplus}"]
    exact = sorted((entry.first, entry.entity) for entry in expected.values() if entry.exact)
    faults = []
    if [entity for _, entity in exact] != [entity for entity in entities if expected[entity].exact]:
        faults.append(f"the order of {exact}")
    if [hit[1] for hit in found] != sorted(hit[1] for hit in found):
        faults.append("the order of distances")
    return faults + [fault for hit in found for fault in faults_of_hit(hit, expected[hit[0]], origin, steps)]


def faults_of_hit(hit: tuple[int, float, Floats, Floats], entry: Entry, origin: Vector, steps: Vector) -> list[str]:
    """Return what is wrong with one hit of a ray (Q1, Q2, H6)."""
    entity, distance, point, normal = hit
    length, faults = math.sqrt(sum(step * step for step in steps)), []
    if entry.exact and not is_reported(distance, entry.first**2 * dot(steps, steps), sum(map(bool, steps)) <= 1):
        faults.append(f"{entity}: distance {distance}, not {float(entry.first) * length / UNIT}")
    least, most = float(entry.first), float(FAR if entry.last is None else entry.last)
    when = distance * UNIT / length if length else 0.0
    if not least * (1 - 1e-12) <= when <= most * (1 + 1e-12):
        faults.append(f"{entity}: time {when}, not from {least} to {most}")
    exact_when = entry.first if entry.exact else Fraction(when)
    if entry.exact and is_of_boxes(part for part, _ in entry.parts):
        ((_, entered_on),) = entry.parts
        ways = [entry.first * step for step in steps]
        faults += [
            f"{entity}: point {point} on axis {axis}"
            for axis, way in enumerate(ways)
            if not is_reported_coordinate(point[axis], origin[axis], way, is_exact=axis == entered_on or way == 0)
        ]
    for axis in range(3):
        way, slack = exact_when * steps[axis], 0.0 if entry.exact else 1e-9 + abs(when * steps[axis]) * 1e-12
        if abs(point[axis] * UNIT - float(origin[axis] + way)) > slack and not is_reported_coordinate(
            point[axis], origin[axis], way, is_exact=False
        ):
            faults.append(f"{entity}: point {point} on axis {axis}")
    if not any(is_normal(normal, part, axis, origin, steps, exact_when) for part, axis in entry.parts):
        faults.append(f"{entity}: normal {normal}")
    return faults


def is_normal(normal: Floats, shape: Shape, axis: int, origin: Vector, steps: Vector, when: Fraction) -> bool:
    """Return whether a normal is that of a shape where a ray enters it."""
    if axis == INSIDE and (shape.rows is None or not any(normal)):
        return normal == (0.0, 0.0, 0.0)
    place = tuple(at * ONE + math.floor(when * step * ONE) for at, step in zip(origin, steps, strict=True))
    local = shape.local_place((place[0], place[1], place[2]))
    low, high = shape.local_core()
    if shape.radius:
        from_core = (*(at - min(max(at, a), b) for at, a, b in zip(local, low, high, strict=True)),)
        return is_direction(normal, shape.turned((from_core[0], from_core[1], from_core[2])))
    if shape.rows is None:
        return normal == tuple(float((step < 0) - (step > 0)) if k == axis else 0.0 for k, step in enumerate(steps))
    away = 4 * BAND + 2 * (math.isqrt(dot(steps, steps)) * ONE >> bits_of(math.floor(when)))
    for k in range(3):  # the faces that the place lies on, and that the ray enters through
        for face, sign in ((low[k], -1), (high[k], 1)):
            outward = shape.turned(scaled([sign * (k == other) for other in range(3)]))
            if abs(local[k] - face) <= away and dot(outward, steps) < 0 and is_direction(normal, outward):
                return True
    return False


def is_direction(normal: Floats, vector: Vector, slack: float = FLOAT) -> bool:
    """Return whether a normal is a vector, scaled to length 1."""
    length = math.isqrt(dot(vector, vector))
    return length > 0 and all(abs(part - value / length) <= slack for part, value in zip(normal, vector, strict=True))


def is_free(bodies: Iterable[Body], a: Vector, b: Vector) -> bool | None:
    """Return whether the line from a to b, without its ends, passes through no body (Q3, H6); a point: is in none."""
    steps, back = (b[0] - a[0], b[1] - a[1], b[2] - a[2]), (a[0] - b[0], a[1] - b[1], a[2] - b[2])

    def blocks(part: Shape, by: int) -> bool:
        ahead = entered(part, a, steps, by)
        if ahead is None or a == b:
            return ahead is not None
        behind = entered(part, b, back, by)
        return ahead[0] < 1 and (part.radius > 0 or (behind is not None and behind[0] < 1))

    answers = []
    for body in bodies:
        for part in body.parts:
            near = blocks(part, 0 if part.rows is None else BAND)
            answers.append(near if part.rows is None or not near or blocks(part, -BAND) else None)
    blocked = any_of(answers)
    return None if blocked is None else not blocked


# Distances (H7) and circles.


def distance_range(body: Body, point: Vector) -> tuple[int, int]:
    """Return the least and the greatest number as which the distance of a body may be compared: in 2^-64 units."""
    ranges = [_distance_to(part, point) for part in body.parts]
    return min(low for low, _ in ranges), min(high for _, high in ranges)


def _distance_to(part: Shape, point: Vector) -> tuple[int, int]:
    square = square_to(*part.local_core(), part.local_place(scaled(point)))
    if part.rows is None:
        distance = max(math.isqrt((square >> (2 * BITS)) << 128) - (part.radius << 64), 0)
        return distance, distance
    distance = (math.isqrt(square) - (part.radius << BITS)) >> (BITS - 64)
    slack = BAND >> (BITS - 64)
    return max(distance - slack, 0), max(distance + slack, 0)


def faults_of_nearest(found: Sequence[tuple[int, float]], bodies: Iterable[Body], point: Vector, k: int) -> list[str]:
    """Return what is wrong with the answer of `nearest`, as tuples (entity, distance)."""
    by_id = {body.entity: body for body in bodies}
    ranges = {entity: distance_range(body, point) for entity, body in by_id.items()}
    entities, faults = [entity for entity, _ in found], []
    if len(found) != min(k, len(ranges)) or not set(entities) <= ranges.keys() or len(set(entities)) < len(entities):
        return [f"{len(found)} of {len(ranges)}"]
    last = max((ranges[entity][1] for entity in entities), default=0)
    missed = [entity for entity in ranges if entity not in entities and ranges[entity][1] < last]
    faults += [f"left out: {missed}"] if any(ranges[entity][1] < ranges[entities[-1]][0] for entity in missed) else []
    exact = sorted((ranges[entity][0], entity) for entity in ranges if is_exact(by_id[entity]))
    order = [entity for entity in entities if is_exact(by_id[entity])]
    if order != [entity for _, entity in exact][: len(order)]:
        faults.append(f"the order {order}, not that of {exact}")
    for (entity, distance), (_, later) in zip(found, [*found[1:], (0, math.inf)], strict=False):
        body = by_id[entity]
        if is_of_boxes(body.parts):
            square = min(square_to(*box, point) for box in body.boxes)
            if not is_reported(distance, square, lies_level(body, point, square)):
                faults.append(f"{entity}: distance {distance}, not the root of {square}")
        low, high = (Fraction(value, UNIT << 64) for value in ranges[entity])
        slack = ULPS * Fraction(math.ulp(distance)) + Fraction(2, UNIT << 64)
        if not low - slack <= Fraction(distance) <= high + slack or distance > later:
            faults.append(f"{entity}: distance {distance}, not from {float(low)} to {float(high)}")
    return faults


def inside_circle(bodies: Iterable[Body], centre: Vector, radius: int) -> dict[int, bool | None]:
    """Return for each body whether its distance is less than a radius (Q5, H7)."""
    circle = Shape(centre, centre, radius)
    return {body.entity: any_of(_is_in_circle(part, circle) for part in body.parts) for body in bodies}


def _is_in_circle(part: Shape, circle: Shape) -> bool | None:
    if part.rows is None:
        return square_of_gaps(part, circle) < (part.radius + circle.radius) ** 2
    return overlap(part, circle) if circle.radius or part.radius else False


# Frustums (Q7).


def in_frustum(bodies: Iterable[Body], planes: Iterable[Sequence[float]]) -> dict[int, bool | None]:
    """Return for each body whether one part of it has, for each plane, a point strictly inside."""
    exact = [_whole_numbers(plane if len(plane) == 4 else (*plane[:2], 0.0, plane[2])) for plane in planes]
    return {
        body.entity: any_of(_all_of(_is_inside(part, plane) for plane in exact) for part in body.parts)
        for body in bodies
    }


def _all_of(answers: Iterable[bool | None]) -> bool | None:
    found = set(answers)
    return False if False in found else None if None in found else True


def _whole_numbers(plane: Iterable[float]) -> tuple[int, ...]:
    """Return the numbers of a plane, all multiplied by the least number that makes them whole."""
    exact = [Fraction(value) for value in plane]
    divisor = math.lcm(*(value.denominator for value in exact))
    return tuple(int(value * divisor) for value in exact)


def _is_inside(part: Shape, plane: tuple[int, ...]) -> bool | None:
    """Return whether a part has a point strictly inside a plane: its highest one, in lattice units times ONE^2."""
    normal = plane[:3]
    height = (sum(n * at for n, at in zip(normal, part.centre(), strict=True)) + plane[3] * UNIT * ONE) * ONE
    for axis, half in zip(part.axes(), part.halves(), strict=True):
        height += abs(sum(n * a for n, a in zip(normal, axis, strict=True))) * half
    square = sum(n * n for n in normal)
    if part.rows is not None:
        radius, length = part.radius * ONE, math.isqrt(square * ONE**2)
        low, high = (height + (radius + by) * length for by in (-BAND, BAND))
        return True if low > 0 else None if high > 0 else False
    return height > 0 or height * height < part.radius**2 * square * ONE**4


# Casts (H8).


@dataclass(frozen=True)
class Meeting:
    """When a moving body meets another, in parts of the displacement, and the parts that may meet first."""

    entity: int
    first: Fraction
    last: Fraction | None
    pairs: tuple[tuple[Shape, Shape, int], ...]
    exact: bool


CAST_BITS = 44


def meeting(moving: Sequence[Shape], body: Body, steps: Vector) -> Meeting | None:
    """Return when shapes that move meet a body, None if they surely do not."""
    found = []
    for a, b in pairs_of(moving, body.parts):
        if a.rows is None and b.rows is None:
            grown = Shape(_minus(b.low, a.high), _minus(b.high, a.low), a.radius + b.radius)
            entry = entered(grown, (0, 0, 0), steps)
            if entry is not None and entry[0] <= 1:
                found.append((entry[0], entry[0], a, b, entry[1]))
        elif _bounds_meet(a, b, steps):
            first, last = _turned_meeting(a, b, steps)
            if first is not None:
                found.append((first, last, a, b, ROUND))
    if not found:
        return None
    sure = [last for _, last, _, _, _ in found if last is not None]
    last = min(sure, default=None)
    pairs = tuple((a, b, axis) for first, _, a, b, axis in found if last is None or first <= last)
    if is_of_boxes(part for a, b, _ in pairs for part in (a, b)):
        pairs = (min(pairs, key=lambda each: each[2]),)  # x before y before z (Q1)
    exact = all(a.rows is None and b.rows is None for a, b in pairs_of(moving, body.parts))
    return Meeting(body.entity, min(first for first, *_ in found), last, pairs, exact)


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _bounds_meet(a: Shape, b: Shape, steps: Vector) -> bool:
    """Return whether bounds meet on the way, one unit larger than they are."""
    spans = list(zip(bounds_of(a), bounds_of(b), strict=True))
    low, high = ([own[k] for own in ([q[0] - p[1] - 1, q[1] - p[0] + 1] for p, q in spans)] for k in (0, 1))
    entry = box_entered(((low[0], low[1], low[2]), (high[0], high[1], high[2])), (0, 0, 0), steps)
    return entry is not None and entry[0] <= 1


def _turned_meeting(a: Shape, b: Shape, steps: Vector) -> tuple[Fraction | None, Fraction | None]:
    """Return the first times at which turned parts may meet, and at which they do.

    The distance of what moves along a line is convex, so the time of the least one is found by comparing two times,
    and the times before it by halving.
    """
    whole = 1 << CAST_BITS

    def apart(when: int) -> int:
        x, y, z = ((when * step) << (BITS - CAST_BITS) for step in steps)
        return separation(a, b, (x, y, z))

    low, high, least = 0, whole, apart(0)
    best = 0
    while high - low > 2 and least >= -BAND:
        one, two = low + (high - low) // 3, high - (high - low) // 3
        gaps = apart(one), apart(two)
        for when, gap in zip((one, two), gaps, strict=True):
            best, least = (when, gap) if gap < least else (best, least)
        low, high = (low, two) if gaps[0] <= gaps[1] else (one, high)
    for when in range(low, high + 1) if least >= -BAND else ():
        best, least = (when, apart(when)) if apart(when) < least else (best, least)
    if least > BAND:
        return None, None
    found: list[Fraction | None] = []
    for limit in (BAND, -BAND):
        if least >= limit:
            found.append(None if limit < 0 else Fraction(best, whole))
        elif apart(0) < limit:
            found.append(Fraction(0))
        else:
            found.append(Fraction(_last_before(_is_below(apart, limit), 0, best), whole))
    return found[0], found[1]


def _is_below(number: Callable[[int], int], limit: int) -> Callable[[int], bool]:
    return lambda when: number(when) < limit


def faults_of_cast(
    found: tuple[int, float, float, Floats, Floats] | None,
    moving: Sequence[Shape],
    bodies: Iterable[Body],
    steps: Vector,
) -> list[str]:
    """Return what is wrong with the answer of `cast`, as a tuple (entity, fraction, distance, normal, point)."""
    met = [hit for body in bodies if (hit := meeting(moving, body, steps))]
    if found is None:
        return [f"missing: {hit.entity}" for hit in met if hit.last is not None]
    entity, fraction, distance, normal, point = found
    own = next((hit for hit in met if hit.entity == entity), None)
    if own is None:
        return [f"surplus: {entity}"]
    exact = min(((hit.first, hit.entity) for hit in met if hit.exact), default=None)
    faults = []
    if own.exact and exact != (own.first, entity):
        faults.append(f"{entity} before {exact}")
    earlier = [hit.entity for hit in met if hit.last is not None and hit.last < own.first - Fraction(1, 2**36)]
    faults += [f"{entity} before {earlier}"] if earlier else []
    if own.exact and fraction != float(own.first):
        faults.append(f"fraction {fraction}, not {float(own.first)}")
    most = 1.0 if own.last is None else float(own.last)
    if not float(own.first) - 1e-9 <= fraction <= most + 1e-9:
        faults.append(f"fraction {fraction}, not from {float(own.first)} to {most}")
    length = math.sqrt(dot(steps, steps)) / UNIT
    if abs(distance - fraction * length) > 1e-12 * length:
        faults.append(f"distance {distance}, not {fraction * length}")
    when = own.first if own.exact else Fraction(fraction)
    if not any(is_cast_normal(normal, pair, steps, when) for pair in own.pairs):
        faults.append(f"normal {normal}")
    if not any(_touch_at(point, normal, pair, steps, when) for pair in own.pairs):
        faults.append(f"point {point}")
    return faults


def _touch_at(point: Floats, normal: Floats, pair: tuple[Shape, Shape, int], steps: Vector, when: Fraction) -> bool:
    """Return whether both shapes of a pair have a point at a time, with a normal the second one on its surface."""
    a, b, _ = pair
    before = [Fraction(at) - when * step / UNIT for at, step in zip(point, steps, strict=True)]
    beyond = [at + n / UNIT / 32 for at, n in zip(point, normal, strict=True)]
    return _holds(a, before) and _holds(b, point) and not (any(normal) and _holds(b, beyond))


def is_cast_normal(normal: Floats, pair: tuple[Shape, Shape, int], steps: Vector, when: Fraction) -> bool:
    """Return whether a normal points from a body that is met to the moving one, for a pair of parts that meet."""
    a, b, axis = pair
    if a.rows is None and b.rows is None:
        grown = Shape(_minus(b.low, a.high), _minus(b.high, a.low), a.radius + b.radius)
        return is_normal(normal, grown, axis, (0, 0, 0), steps, when)
    shift = [math.floor(when * step * ONE) for step in steps]
    if not any(normal):
        return when == 0 and separation(a, b) <= BAND
    if abs(math.hypot(*normal) - 1) > FLOAT or sum(n * step for n, step in zip(normal, steps, strict=True)) > FLOAT:
        return False
    # The plane across the normal separates both where they meet.
    moved = [at / ONE + step / ONE for at, step in zip(_minus(a.centre(), b.centre()), shift, strict=True)]
    gap = sum(n * at for n, at in zip(normal, moved, strict=True)) - reach_along(a, normal) - reach_along(b, normal)
    return gap >= -1e-3


# Contacts (H9).


def faults_of_contact(found: tuple[Floats, float, Sequence[Floats]] | None, a: Body, b: Body) -> list[str]:
    """Return what is wrong with the answer of `contact(a, b)`, as a tuple (normal, depth, points)."""
    answer = shapes_overlap(a.parts, b.parts)
    if found is None:
        return ["missing"] if answer else []
    if answer is False:
        return ["they do not overlap"]
    normal, depth, points = found
    if answer is None:
        return [] if depth * UNIT <= 1e-3 else [f"depth {depth}"]
    flat = are_flat(a.parts, b.parts)
    pairs = [(depth_of(x, y, flat), x, y) for x, y in pairs_of(a.parts, b.parts) if overlap(x, y) is not False]
    deepest, slack, faults = max(way for way, _, _ in pairs), 1e-4, []
    if abs(depth * UNIT - deepest) > slack:
        faults.append(f"depth {depth}, not {deepest / UNIT}")
    if abs(math.hypot(*normal) - 1) > FLOAT:
        faults.append(f"normal {normal} of length {math.hypot(*normal)}")
    fitting = [(x, y) for way, x, y in pairs if abs(way - deepest) <= slack
               and abs(depth_along(x, y, normal) - deepest) <= slack]  # fmt: skip
    if not fitting:
        faults.append(f"normal {normal} does not separate by {depth}")
    elif not any(all(_holds(x, point) and _holds(y, point) for point in points) for x, y in fitting):
        faults.append(f"points {points} outside")
    if flat and not _is_tilted(fitting) and any(each[2] for each in (normal, *points)):
        faults.append("it leaves the plane")
    if not 1 <= len(points) <= 4:
        faults.append(f"{len(points)} points")
    return faults


def _is_tilted(pairs: Iterable[tuple[Shape, Shape]]) -> bool:
    """Return whether a core is turned out of the plane, so that what is round may meet it from above (H9)."""
    return any(shape.rows is not None and abs(shape.rows[2][2]) < ONE - NEAR for pair in pairs for shape in pair)


def _holds(shape: Shape, point: Sequence[float | Fraction]) -> bool:
    """Return whether a shape contains a point in world units, up to rounding."""
    x, y, z = (math.floor(Fraction(value) * UNIT * ONE) for value in point)
    slack = (ONE >> 10) + math.floor(max(map(math.ulp, point)) * UNIT * ONE) * 4
    return square_to(*shape.local_core(), shape.local_place((x, y, z))) <= ((shape.radius << BITS) + slack) ** 2
