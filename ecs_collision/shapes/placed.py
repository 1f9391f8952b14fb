# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The parts of a body as kernels read them, and one part at its place in the world."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import lru_cache

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.shapes.bounds import bounds_of
from ecs_collision.shapes.part import Part

_NO_TURN = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@cython.final
@cython.cclass
class Shape:
    """The parts of a body, in the order of its boxes in the index. Immutable."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = tuple(parts)
        numbers, matrices = array("q"), array("d")
        for core, radius, matrix in self.parts:
            numbers.extend((*core, radius, matrix is not None))
            matrices.extend(matrix or _NO_TURN)
        self.numbers, self.matrices = numbers, matrices


@cython.final
@cython.cclass
class PlacedPart:
    """A part in the world, in lattice units: its core, its radius and how it is turned (rules H1 to H3).

    `lox` to `hiz` are the faces of the core. If `is_turned`, this is the core before it is turned about its centre by
    the matrix with the rows `m0` to `m2`, `m3` to `m5` and `m6` to `m8`.
    """

    def __init__(self) -> None:
        self.set_box(0, 0, 0, 0, 0, 0)

    def set_box(
        self,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.void:
        """Become a box."""
        self.lox, self.loy, self.loz, self.hix, self.hiy, self.hiz = lox, loy, loz, hix, hiy, hiz
        self.radius = 0
        self.is_turned = False

    def set_part(
        self, shape: Shape, number: cython.Py_ssize_t, x: cython.longlong, y: cython.longlong, z: cython.longlong
    ) -> cython.void:
        """Become a part of a body that is at a position."""
        at: cython.Py_ssize_t = 8 * number
        self.lox, self.hix = shape.numbers[at] + x, shape.numbers[at + 3] + x
        self.loy, self.hiy = shape.numbers[at + 1] + y, shape.numbers[at + 4] + y
        self.loz, self.hiz = shape.numbers[at + 2] + z, shape.numbers[at + 5] + z
        self.radius = shape.numbers[at + 6]
        self.is_turned = shape.numbers[at + 7] != 0
        if self.is_turned:
            at = 9 * number
            m: cython.double[::1] = shape.matrices
            self.m0, self.m1, self.m2 = m[at], m[at + 1], m[at + 2]
            self.m3, self.m4, self.m5 = m[at + 3], m[at + 4], m[at + 5]
            self.m6, self.m7, self.m8 = m[at + 6], m[at + 7], m[at + 8]

    def surround(self, region: cython.longlong[::1]) -> cython.int:
        """Write the six faces of the bounds (H4)."""
        if self.is_turned:
            core = (self.lox, self.loy, self.loz, self.hix, self.hiy, self.hiz)
            matrix = (self.m0, self.m1, self.m2, self.m3, self.m4, self.m5, self.m6, self.m7, self.m8)
            region[0], region[1], region[2], region[3], region[4], region[5] = bounds_of(
                Part(core, self.radius, matrix)
            )
            return 0
        region[0], region[3] = self.lox - self.radius, self.hix + self.radius
        region[1], region[4] = self.loy - self.radius, self.hiy + self.radius
        region[2], region[5] = self.loz - self.radius, self.hiz + self.radius
        return 0

    def shift(self, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.void:
        """Displace the part."""
        self.lox, self.loy, self.loz = self.lox + x, self.loy + y, self.loz + z
        self.hix, self.hiy, self.hiz = self.hix + x, self.hiy + y, self.hiz + z

    def grow(self, by: cython.longlong) -> cython.void:
        """Grow to all sides; a box stays a box."""
        if self.radius > 0:
            self.radius += by
        else:
            self.lox, self.loy, self.loz = self.lox - by, self.loy - by, self.loz - by
            self.hix, self.hiy, self.hiz = self.hix + by, self.hiy + by, self.hiz + by


@lru_cache(maxsize=1024)
def shape_of(parts: tuple[Part, ...]) -> Shape:
    """Return the shape with these parts; bodies that look alike share one, which stays in the processor's cache."""
    return Shape(parts)


def placed(part: Part) -> PlacedPart:
    """Return a part at the place that its own numbers say."""
    found = PlacedPart()
    found.set_part(Shape((part,)), 0, 0, 0, 0)
    return found
