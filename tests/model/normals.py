"""A second implementation of the normals of contacts (C4, C5, H9) for the reference model.

Normals of boxes parallel to the axes are exact, and so is which pair of parts is the deepest. Where a core is round or
turned, the engine computes in float64: then `Normals` has every normal that is right up to rounding, and is equal to
any vector near one of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.model.shapes import (
    ONE,
    Shape,
    are_flat,
    dot,
    nearest_places,
    nearly_touch,
    overlap,
    separating_axes,
    separating_axes_in_plane,
    square_of_gaps,
    touch,
)

Vector = tuple[float, float, float]

SLACK = 1e-4
"""Depths of round and turned parts that differ by less are the same up to rounding, in lattice units."""

NEAR, NEAR_TURNED = 1e-9, 1e-6
"""How far the parts of a reported normal may be from the right ones, and from those of turned parts."""


@dataclass(frozen=True, eq=False)
class Normals:
    """The normals that a contact may have, each with how near a reported one must be; 0: it must be equal."""

    candidates: tuple[tuple[Vector, float], ...]

    def __eq__(self, other: object) -> bool:
        """Return whether a vector, or one of other normals, is near one of these."""
        if isinstance(other, Normals):
            return any(self == vector for vector, _ in other.candidates)
        if not isinstance(other, tuple) or len(other) != 3:
            return False
        return any(
            all(abs(a - b) <= near for a, b in zip(vector, other, strict=True)) for vector, near in self.candidates
        )

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return repr(self.candidates[0][0])


def normals_of(a: Sequence[Shape], b: Sequence[Shape]) -> Normals:
    """C4: return the normals of the pair of parts that overlap deepest, the first of equal ones.

    The bodies touch or overlap.
    """
    flat = are_flat(a, b)
    meeting = [
        (p, q) for p, q in itertools.product(a, b) if nearly_touch(p, q) is not False or overlap(p, q) is not False
    ]
    pairs = [(depth_of(p, q, flat), p, q) for p, q in meeting]
    deepest = max(depth for depth, _, _ in pairs)
    near = [(depth, p, q) for depth, p, q in pairs if depth >= deepest - SLACK]
    if all(_is_box(p) and _is_box(q) for _, p, q in near):
        near = [next(pair for pair in near if pair[0] == deepest)]
    return Normals(tuple(each for _, p, q in near for each in _normals(p, q, flat)))


def direction_of(a: Shape, b: Shape, flat: bool) -> Vector | None:
    """H9: return the normal of two parts that overlap and are not both boxes; None if float64 chooses between several.

    If cores that are parallel to the axes cross, the first axis counts: in a flat pair y before x. The way leads from
    the middle of the round core to that of the other, otherwise along the axis, in a flat pair against y.
    """
    found = list(_normals(a, b, flat))
    if len(found) == 1:
        return found[0][0]
    if a.rows is not None or b.rows is not None:
        return None
    one, two, turn = (a, b, 1) if a.radius else (b, a, -1)
    order = ((1, -1), (0, 1)) if flat else ((0, 1), (1, 1), (2, 1))
    between = [y - x for x, y in zip(one.centre(), two.centre(), strict=True)]
    reach = [x + y for x, y in zip(one.halves(), two.halves(), strict=True)]
    axis, default = min(order, key=lambda choice: reach[choice[0]] - abs(between[choice[0]]))
    return _along(axis, turn * (default if not between[axis] else 1 if between[axis] > 0 else -1))


def sides_of(a: Sequence[Shape], b: Sequence[Shape]) -> set[tuple[int, int]]:
    """C5: return the sides of a on which parts of b touch parts of it, as (axis, 1 or -1)."""
    found = set()
    for p, q in itertools.product(a, b):
        if touch(p, q) and _is_box(p) and _is_box(q):
            found |= set(_touching_faces(p, q))
        elif nearly_touch(p, q):
            gaps = _gaps(p, q) if p.rows is None and q.rows is None else next(_normals(p, q, are_flat([p], [q])))[0]
            axis = max(range(3), key=lambda axis: (abs(gaps[axis]), -axis))
            found.add((axis, 1 if gaps[axis] > 0 else -1))
    return found


def depth_of(a: Shape, b: Shape, flat: bool) -> float:
    """H9: return the shortest way that separates two parts in lattice units, exactly for boxes; 0 if they touch.

    flat: they are parts of a flat pair (L5).
    """
    if _is_box(a) and _is_box(b):
        return 0 if touch(a, b) else min(_exits(a, b, flat))[0]
    if a.rows is None and b.rows is None:
        square = square_of_gaps(a, b)
        least = -math.sqrt(square) if square else float(min(_exits(a, b, flat))[0])
        return a.radius + b.radius + least
    return min(depth for depth, _ in _turned(a, b, flat))


def _normals(a: Shape, b: Shape, flat: bool) -> Iterator[tuple[Vector, float]]:
    """Yield the normals of two parts, from a to b."""
    if a.rows is not None or b.rows is not None:
        least = depth_of(a, b, flat)
        yield from ((unit, NEAR_TURNED) for depth, unit in _turned(a, b, flat) if depth <= least + SLACK)
        return
    faces = _touching_faces(a, b) if _is_box(a) and _is_box(b) and touch(a, b) else []
    faces = [(axis, sign) for axis, sign in faces if axis < 2 or not flat]  # segments that cross touch along z
    if faces:
        yield from ((_along(axis, sign), 0.0) for axis, sign in faces)
        return
    gaps = _gaps(a, b)
    if any(gaps):
        length = math.sqrt(dot(gaps, gaps))
        yield (gaps[0] / length, gaps[1] / length, gaps[2] / length), NEAR
        return
    least, first, _ = min(_exits(a, b, flat))
    for depth, axis, sign in _exits(a, b, flat):
        if depth == least and (axis == first or not (_is_box(a) and _is_box(b))):
            yield _along(axis, sign), 0.0


def _is_box(shape: Shape) -> bool:
    """Return whether a part is a box parallel to the axes."""
    return shape.radius == 0 and shape.rows is None


def _along(axis: int, sign: int) -> Vector:
    vector = [0.0, 0.0, 0.0]
    vector[axis] = float(sign)
    return vector[0], vector[1], vector[2]


def _touching_faces(a: Shape, b: Shape) -> list[tuple[int, int]]:
    """L4: return the axes on which two boxes touch, with the sign from a to b."""
    found = []
    for axis in range(3):
        others = [k for k in range(3) if k != axis]
        if all(a.low[k] < b.high[k] and b.low[k] < a.high[k] for k in others):
            found += [(axis, 1)] if a.high[axis] == b.low[axis] else []
            found += [(axis, -1)] if b.high[axis] == a.low[axis] else []
    return found


def _gaps(a: Shape, b: Shape) -> tuple[int, int, int]:
    """Return the vector from core to core that are parallel to the axes, (0, 0, 0) if they meet."""
    x, y, z = (max(b.low[k] - a.high[k], 0) - max(a.low[k] - b.high[k], 0) for k in range(3))
    return x, y, z


def _exits(a: Shape, b: Shape, flat: bool) -> list[tuple[int, int, int]]:
    """Return how far the core of b must move along each axis to leave that of a, as (depth, axis, sign)."""
    axes = range(2 if flat else 3)
    return [(a.high[k] - b.low[k], k, 1) for k in axes] + [(b.high[k] - a.low[k], k, -1) for k in axes]


def _turned(a: Shape, b: Shape, flat: bool) -> list[tuple[float, Vector]]:
    """Return (depth, direction) for all directions that may separate two parts of which one is turned.

    They are across a face of a core, along the product of two edges, or, if cores are apart, along the shortest way.
    """
    ways = [*(separating_axes_in_plane(a, b) if flat else separating_axes(a, b))]
    if a.radius + b.radius:
        line, other = (a, b) if a.radius else (b, a)
        place, (low, high) = nearest_places(line, other), other.local_core()
        gap = [at - min(max(at, x), y) for at, x, y in zip(place, low, high, strict=True)]
        ways.append(other.turned((gap[0], gap[1], gap[2])))
    found = []
    for way in ways:
        length = math.isqrt(dot(way, way))
        if length > ONE >> 30:
            for sign in (1, -1):
                unit = (sign * way[0] / length, sign * way[1] / length, sign * way[2] / length)
                found.append((depth_along(a, b, unit), unit))
    return found


def depth_along(a: Shape, b: Shape, direction: Vector) -> float:
    """Return how far b must move in a direction so that a plane across it separates both, in lattice units."""
    between = [(x - y) / ONE for x, y in zip(a.centre(), b.centre(), strict=True)]
    return sum(d * x for d, x in zip(direction, between, strict=True)) + sum(
        reach_along(each, direction) for each in (a, b)
    )


def reach_along(shape: Shape, direction: Vector) -> float:
    """Return how far a part reaches from its centre in a direction, in lattice units."""
    sides = zip(shape.axes(), shape.halves(), strict=True)
    return shape.radius + sum(
        abs(sum(d * a / ONE for d, a in zip(direction, axis, strict=True))) * half / ONE for axis, half in sides
    )
