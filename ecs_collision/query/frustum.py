# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Finds the parts that are not wholly outside one of several planes (rule Q7).

A box is inside a plane if its corner farthest inward is. The numbers of planes are floats and those of corners whole,
so the sum of their products is exact in whole numbers of any size; these decide only where the float sum is so small
that its sign could be wrong. A part that is no box is compared if its bounds are inside.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from array import array

from ecs_collision.bodies.columns import SHAPED
from ecs_collision.broadphase.frozen_grid import FrozenGrid
from ecs_collision.broadphase.protocol import Index
from ecs_collision.query.overlap import OverlapQuery
from ecs_collision.query.planes import (
    Plane,
    bins_covered,
    region_of,
    round_part_has_inside,
    turned_part_has_inside,
    whole_plane,
)
from ecs_collision.shapes.overlap import PlacedPart

_SHAPED = cython.declare(cython.int, SHAPED)
_ROUNDING = cython.declare(cython.double, 2.0**-50)


@cython.final
@cython.cclass
class FrustumQuery:
    """The bodies of an `OverlapQuery` inside planes, by its filter."""

    def __init__(self, query: OverlapQuery) -> None:
        self.query = query
        self.part = PlacedPart()
        self.set_planes([])

    def find(self, planes: list[Plane]) -> list[int]:
        """Return the entities that have a part which is not wholly outside any plane, sorted."""
        count: cython.Py_ssize_t = 0
        grid: FrozenGrid
        self.set_planes(planes)
        for grid in (self.query.dynamic, self.query.static):
            boxes = grid.index.boxes
            if boxes.box_count > 0:
                region = region_of(planes, boxes.level_bits, boxes.bin_shift, boxes.limit)
                self.query.set_region(region)
                grid.prepare(bins_covered(region, boxes.bin_shift))
                count = self.add_inside(grid, self.query.find_hits(grid, 0), count)
        return self.query.sorted_ids(count)

    @cython.cfunc
    def set_planes(self, planes: list) -> cython.int:  # type: ignore[type-arg]
        """Store the planes as floats and as whole numbers."""
        self.planes = array("d", [value for plane in planes for value in plane])
        self.planes_view = self.planes
        self.whole_planes = [whole_plane(plane) for plane in planes]
        self.plane_count = len(planes)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add_inside(self, grid: FrozenGrid, hits: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Append the entities of the boxes found that are inside to the first `count`; return the new count."""
        at: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        row: cython.Py_ssize_t
        if count + hits > self.query.capacity:
            self.query.reserve_ids(count + hits)
        for at in range(hits):
            slot = grid.hits_view[at]
            row = grid.index.boxes.owner_view[slot]
            if self.query.is_outer(row, slot) and self.query.is_counted(row) and self.is_inside(grid.index, slot):
                self.query.ids_view[count] = self.query.columns.ids_view[row]
                count += 1
        return count

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_inside(self, index: Index, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether a box has a point strictly inside each plane."""
        faces: cython.p_longlong = (
            cython.address(index.boxes.faces_view[0]) if cython.compiled else index.boxes.faces_view
        )
        number: cython.Py_ssize_t
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        for number in range(self.plane_count):
            x = faces[8 * slot + (3 if self.planes_view[4 * number] > 0 else 0)]
            y = faces[8 * slot + (4 if self.planes_view[4 * number + 1] > 0 else 1)]
            z = faces[8 * slot + (5 if self.planes_view[4 * number + 2] > 0 else 2)]
            if not self.has_inside(number, x, y, z):
                return False
        if self.query.columns.flags_view[index.boxes.owner_view[slot]] & _SHAPED:
            self.query.columns.place_part(self.part, index.boxes, slot, 0, 0, 0)
            return self.part_is_inside()
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def part_is_inside(self) -> cython.bint:
        """Return whether the part has a point strictly inside each plane."""
        number: cython.Py_ssize_t
        for number in range(self.plane_count):
            if self.part.is_turned:
                if not turned_part_has_inside(self.planes[4 * number : 4 * number + 4], self.part):
                    return False
            elif not round_part_has_inside(self.whole_planes[number], self.part):
                return False
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def has_inside(
        self, number: cython.Py_ssize_t, x: cython.longlong, y: cython.longlong, z: cython.longlong
    ) -> cython.bint:
        """Return whether a point in lattice units is strictly inside a plane."""
        by_x: cython.double = self.planes_view[4 * number] * x
        by_y: cython.double = self.planes_view[4 * number + 1] * y
        by_z: cython.double = self.planes_view[4 * number + 2] * z
        distance: cython.double = self.planes_view[4 * number + 3]
        total: cython.double = by_x + by_y + by_z + distance
        slack: cython.double = _ROUNDING * (abs(by_x) + abs(by_y) + abs(by_z) + abs(distance))
        if abs(total) > slack:
            return total > 0
        nx, ny, nz, whole_distance = self.whole_planes[number]
        return nx * x + ny * y + nz * z + whole_distance > 0
