"""A contact in lattice units, as seen from the centre of the first part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from ecs_collision.shapes.core import Core, separating_axes, separating_axes_in_plane
from ecs_collision.shapes.vectors import Vector, dot, moved, opposite

EDGES_ARE_LESS = 1.0 - 2.0**-30
"""Two edges separate boxes only if this is shorter than by faces, beyond rounding: faces have more points."""

ALONG = 2.0**-10
"""A line this close to a side of a box, in lattice units, runs along it: clipped corners have rounding errors."""


class Touch(NamedTuple):
    """The normal from the first part to the second, the depth along it, and points of the overlap."""

    normal: Vector
    depth: float
    points: tuple[Vector, ...]

    def reversed(self) -> Touch:
        """Return the same with the parts exchanged."""
        return Touch(opposite(self.normal), self.depth, self.points)


def shortest_way_out(a: Core, b: Core, flat: bool) -> tuple[Vector, float, bool]:
    """Return the normal along which b leaves a the soonest, how far, and whether it is that of two edges.

    Radii are left out. Of equal ones it is the first.
    """
    axes = separating_axes_in_plane(a, b) if flat else separating_axes(a, b)
    depths = [a.reach(axis) + b.reach(axis) - abs(dot(b.centre, axis) - dot(a.centre, axis)) for axis in axes]
    faces = range(len(axes) if flat else 6)
    best = min(faces, key=depths.__getitem__)
    edges = min(range(len(faces), len(axes)), key=depths.__getitem__, default=best)
    is_of_edges = depths[edges] < depths[best] * EDGES_ARE_LESS
    best = edges if is_of_edges else best
    axis = axes[best]
    outward = axis if dot(b.centre, axis) >= dot(a.centre, axis) else opposite(axis)
    return outward, max(0.0, depths[best]), is_of_edges


def middles(points: Iterable[Vector], normal: Vector, a: Core, b: Core) -> list[Vector]:
    """Return for each point the middle of the overlap of two boxes on the line through it; none where there is none."""
    result = []
    for point in points:
        begins, ends = zip(_span(point, normal, a), _span(point, normal, b), strict=True)
        if max(begins) <= min(ends):
            result.append(moved(point, 0.5 * (max(begins) + min(ends)), normal))
    return result


def middle_of(points: Sequence[Vector]) -> Vector:
    """Return the mean of points."""
    middle = (0.0, 0.0, 0.0)
    for point in points:
        middle = moved(middle, 1.0 / len(points), point)
    return middle


def common_point(a: Core, b: Core) -> Vector:
    """Return a point in both of two boxes that overlap: the place on an edge of one that is nearest to the other.

    Unless one contains the other, and with it all edges, an edge of one passes through the other.
    """
    places = []
    for box, other in ((a, b), (b, a)):
        for centre, half in _edges(box):
            place = moved(centre, other.nearest_along(centre, half), half)
            offset = other.offset_to(place)
            places.append((dot(offset, offset), place))
    return min(places)[1]


def _edges(box: Core) -> Iterator[tuple[Vector, Vector]]:
    """Yield the centre and half the vector of every edge of a box."""
    x, y, z = (moved((0.0, 0.0, 0.0), half, axis) for half, axis in zip(box.halves, box.axes, strict=True))
    for half, side, other in ((x, y, z), (y, z, x), (z, x, y)):
        for sign, sign_of_other in product((-1.0, 1.0), repeat=2):
            yield moved(moved(box.centre, sign, side), sign_of_other, other), half


def _span(point: Vector, normal: Vector, box: Core) -> tuple[float, float]:
    """Return from where to where a line runs within a box, or along a side; from more to less if it does not."""
    begin, end = float("-inf"), float("inf")
    for at, step, half in zip(box.local(point), box.turned_back(normal), box.halves, strict=True):
        half += ALONG
        if step != 0.0:
            low, high = sorted(((-half - at) / step, (half - at) / step))
            begin, end = max(begin, low), min(end, high)
        elif abs(at) > half:
            return float("inf"), float("-inf")
    return begin, end
