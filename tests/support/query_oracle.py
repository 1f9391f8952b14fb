"""What the oracle of queries is made of: bodies, filters, rays through boxes, distances to boxes, reported floats.

Written from the rules alone. All numbers are lattice units (L1). What the rules compare exactly is exact here: the
times at which rays enter boxes are fractions, distances are compared as sums of squares. Floats, which are reported,
are checked in the last section only. The queries themselves are in `shape_oracle`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from tests.model.shapes import Shape

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


def square_to_box(box: Faces, point: Vector) -> int:
    """Return the square of the distance from a point to the nearest point of a box, faces included."""
    return sum(gap * gap for gap in gaps_to_box(box, point))


def lies_level(body: Body, point: Vector, square: int) -> bool:
    """Return whether a box of a body at this distance lies beside the point on one axis only, or around it."""
    near = [gaps_to_box(box, point) for box in body.boxes if square_to_box(box, point) == square]
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
