"""A core in float64, as seen from another: for contacts and moving parts."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collision.shapes.overlap import PlacedPart, nearest_on_segment
from ecs_collision.shapes.vectors import Vector, cross, dot, moved, unit_of

PARALLEL = 2.0**-24
"""Sine of an angle between edges below which their cross product is mostly rounding error; see `turned`."""

AXES: tuple[Vector, Vector, Vector] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Core(NamedTuple):
    """A core in lattice units: its centre relative to a chosen place, half extents, axes of length 1."""

    centre: Vector
    halves: Vector
    axes: tuple[Vector, Vector, Vector]
    radius: float

    @classmethod
    def of(cls, part: PlacedPart, place: PlacedPart) -> Core:
        """Return the core of a part as seen from the centre of another, from differences of whole numbers."""
        centre = (
            (part.lox + part.hix - place.lox - place.hix) / 2,
            (part.loy + part.hiy - place.loy - place.hiy) / 2,
            (part.loz + part.hiz - place.loz - place.hiz) / 2,
        )
        halves = (part.hix - part.lox) / 2, (part.hiy - part.loy) / 2, (part.hiz - part.loz) / 2
        return cls(centre, halves, axes_of(part), float(part.radius))

    def local(self, point: Vector) -> Vector:
        """Return a point as seen from the centre along the axes."""
        return self.turned_back(moved(point, -1.0, self.centre))

    def turned_back(self, vector: Vector) -> Vector:
        """Return a vector along the axes."""
        return dot(vector, self.axes[0]), dot(vector, self.axes[1]), dot(vector, self.axes[2])

    def turned(self, vector: Vector) -> Vector:
        """Return a vector that is given along the axes."""
        x, y, z = self.axes
        return moved(moved(moved((0.0, 0.0, 0.0), vector[0], x), vector[1], y), vector[2], z)

    def offset_to(self, point: Vector) -> Vector:
        """Return the vector from the nearest point of the core to a point, exactly (0, 0, 0) inside."""
        at = self.local(point)
        x, y, z = (place - min(max(place, -half), half) for place, half in zip(at, self.halves, strict=True))
        return self.turned((x, y, z))

    def reach(self, axis: Vector) -> float:
        """Return the half extent along an axis of length 1, without the radius."""
        x, y, z = self.turned_back(axis)
        return self.halves[0] * abs(x) + self.halves[1] * abs(y) + self.halves[2] * abs(z)

    def half_segment(self) -> Vector:
        """Return the vector from the centre to an end of a segment, (0, 0, 0) of a point."""
        return self.turned(self.halves)

    def nearest_along(self, start: Vector, half: Vector) -> float:
        """Return t from -1 to 1 for which start + t * half is nearest to the core."""
        return float(nearest_on_segment(*self.local(start), *self.turned_back(half), *self.halves))


def axes_of(part: PlacedPart) -> tuple[Vector, Vector, Vector]:
    """Return the axes of a part, the columns of its matrix."""
    if not part.is_turned:
        return AXES
    return (part.m0, part.m3, part.m6), (part.m1, part.m4, part.m7), (part.m2, part.m5, part.m8)


def separating_axes(a: Core, b: Core) -> list[Vector]:
    """Return the directions in which two cores can be separated the soonest: normals of faces, then of two edges."""
    return [*a.axes, *b.axes, *(each for x in a.axes for y in b.axes if (each := _normal(x, y)) is not None)]


def separating_axes_in_plane(a: Core, b: Core) -> list[Vector]:
    """Return the same for cores in 2D, where nothing moves along z: the normals of their outlines."""
    return [each for edge in (*a.axes, *b.axes) if (each := _normal(edge, AXES[2])) is not None]


def _normal(a: Vector, b: Vector) -> Vector | None:
    normal = cross(a, b)
    return unit_of(normal) if max(map(abs, normal)) > PARALLEL else None
