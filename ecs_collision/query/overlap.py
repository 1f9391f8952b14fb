# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Finds the bodies that a box overlaps or touches: one box, a body with all its boxes, or many boxes in one call.

Boxes are given in world units and rounded inward, like those of bodies (L1). The candidates of both indexes are
compared exactly (B7). Results are entity ids, each once, sorted.
"""

from __future__ import annotations

from array import array
from math import nan
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.shapes.overlap import axis_separation, is_on_side, nearly_touch, separation
else:
    from ecs_collision.shapes.overlap import axis_separation, is_on_side, nearly_touch, separation

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import SHAPED, STATIC, TRIGGER, Columns
from ecs_collision.broadphase.all_pairs import AllPairs
from ecs_collision.broadphase.frozen_grid import FrozenGrid
from ecs_collision.broadphase.protocol import Index
from ecs_collision.components.box import Box
from ecs_collision.components.turning_parts import Capsule, OrientedBox, Sphere
from ecs_collision.fixed_point import HALF_SLAB, MAX_COORDINATE, PER_UNIT
from ecs_collision.query.arguments import shape_of_solid
from ecs_collision.shapes.bounds import Shape
from ecs_collision.shapes.contact import normal_of
from ecs_collision.shapes.overlap import PlacedPart

OVERLAPPING = 1
"""The relation of boxes that share inner points (L4)."""
TOUCHING = 2
"""The relation of boxes that share a face: equal faces on one axis, open overlap on the others (L4).

Larger relations are touching on one side (C5); see `touching_on`.
"""

_OVERLAPPING = cython.declare(cython.int, OVERLAPPING)
_TOUCHING = cython.declare(cython.int, TOUCHING)
_TRIGGER = cython.declare(cython.int, TRIGGER)
_STATIC = cython.declare(cython.int, STATIC)
_SHAPED = cython.declare(cython.int, SHAPED)
_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_MAX_COORDINATE = cython.declare(cython.double, MAX_COORDINATE)
_FIRST_SIDE = cython.declare(cython.int, TOUCHING + 1)
_NOT_A_NUMBER = cython.declare(cython.double, nan)
_HALF_SLAB = cython.declare(cython.longlong, HALF_SLAB)
_SHORT = cython.declare(cython.Py_ssize_t, 16)  # runs up to this length are sorted by counting


@cython.cfunc
@cython.exceptval(check=False)
def number(value: object) -> cython.double:
    """Return an int or float as a float, NaN for anything else and for a huge int."""
    if type(value) is float:
        return cython.cast(cython.double, value)
    return _float_of(value) if type(value) is int else _NOT_A_NUMBER


@cython.cfunc
@cython.exceptval(check=False)
def _float_of(value: object) -> cython.double:
    try:
        return cython.cast(cython.double, value)
    except OverflowError:
        return _NOT_A_NUMBER


@cython.cfunc
def items_of_point(point: Any) -> tuple | None:  # type: ignore[type-arg]
    """Return 2 or 3 items of a tuple or list; None for anything else."""
    if type(point) is tuple:
        items: tuple = point  # type: ignore[type-arg]
    elif type(point) is list:
        items = tuple(point)
    else:
        return None
    return items if len(items) == 2 or len(items) == 3 else None


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def floor(value: cython.double) -> cython.longlong:
    """Return the largest whole number that is not above a value."""
    whole: cython.longlong = cython.cast(cython.longlong, value)
    return whole - 1 if whole > value else whole


def touching_on(axis: int, sign: int) -> int:
    """Return the relation of boxes that touch on the side of an axis in the direction of a sign, 1 or -1 (C5)."""
    return TOUCHING + 1 + 2 * axis + (sign > 0)


@cython.final
@cython.cclass
class OverlapQuery:
    """Queries for the bodies of two indexes, and memory for the results.

    Set the `filter` and the region first, then call a query with one of the relations above.
    """

    def __init__(self, columns: Columns, dynamic: Index, static: Index) -> None:
        self.columns = columns
        self.dynamic, self.static = FrozenGrid(dynamic), FrozenGrid(static)
        self.region = array("q", bytes(8 * 6))
        self.region_view = self.region
        self.probe, self.part = PlacedPart(), PlacedPart()
        self.has_probe = False
        self.ids, self.spare = array("q", bytes(8 * 64)), array("q", bytes(8 * 64))
        self.ids_view, self.spare_view = self.ids, self.spare
        self.capacity = 64
        self.triggers = self.is_filtered = False
        self.ignored, self.is_ignored = array("i"), array("b")
        self.ignored_count = self.result_count = 0

    # Regions.

    @cython.ccall
    def read_box(self, box: object) -> cython.bint:
        """Set the region from a pair of corners; False if it is not a plain pair of tuples or lists of numbers.

        False only means that this fast path does not apply: the caller reads boxes of other types, or raises.
        """
        if not ((type(box) is tuple or type(box) is list) and len(box) == 2):
            return False
        low: tuple | None = items_of_point(box[0])  # type: ignore[type-arg]
        high: tuple | None = items_of_point(box[1])  # type: ignore[type-arg]
        if low is None or high is None or len(low) != len(high):
            return False
        if len(low) == 2:
            self.region_view[2] = -_HALF_SLAB
            self.region_view[5] = _HALF_SLAB
        elif not self.round_inward(2, number(low[2]), number(high[2])):
            return False
        return self.round_inward(0, number(low[0]), number(high[0])) and self.round_inward(
            1, number(low[1]), number(high[1])
        )

    @cython.ccall
    def read_part(self, given: Any) -> cython.bint:
        """Set the probe, and the region around it, from a pair of a part and its position; False as in `read_box`."""
        x: cython.double
        y: cython.double
        z: cython.double = 0.0
        if not (type(given) is tuple and len(given) == 2):
            return False
        kind: object = type(given[0])
        place: tuple | None = items_of_point(given[1])  # type: ignore[type-arg]
        if place is None or not (kind is Box or kind is Sphere or kind is Capsule or kind is OrientedBox):
            return False
        shape: Shape = shape_of_solid(given[0].faces if kind is Box else given[0]._turning)
        x, y = number(place[0]), number(place[1])
        if len(place) == 3:
            z = number(place[2])
        if not (abs(x) <= _MAX_COORDINATE and abs(y) <= _MAX_COORDINATE and abs(z) <= _MAX_COORDINATE):
            return False
        self.probe.set_part(
            shape, 0, floor(x * _PER_UNIT + 0.5), floor(y * _PER_UNIT + 0.5), floor(z * _PER_UNIT + 0.5)
        )
        self.probe.surround(self.region_view)
        return True

    @cython.ccall
    def set_region(self, faces: tuple) -> cython.void:  # type: ignore[type-arg]
        """Set the region from its six faces in lattice units: lo x, y, z, then hi."""
        if faces is None:  # Cython accepts None for a tuple
            raise TypeError("a region has six faces")
        lox, loy, loz, hix, hiy, hiz = faces
        self.region_view[0], self.region_view[1], self.region_view[2] = lox, loy, loz
        self.region_view[3], self.region_view[4], self.region_view[5] = hix, hiy, hiz

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def round_inward(self, axis: cython.int, low: cython.double, high: cython.double) -> cython.bint:
        """Set the faces of the region on an axis, in units. A side without a lattice point becomes the nearest one.

        Returns False if they are not numbers, too large, or in the wrong order.
        """
        if not (-_MAX_COORDINATE <= low and low <= high and high <= _MAX_COORDINATE):
            return False
        first: cython.longlong = -floor(-low * _PER_UNIT)
        last: cython.longlong = floor(high * _PER_UNIT)
        if first > last:
            first = last = floor(low * _PER_UNIT + 0.5)
        self.region_view[axis] = first
        self.region_view[axis + 3] = last
        return True

    # The filter.

    @cython.ccall
    def filter(self, triggers: cython.bint, allowed: object, ignored: list) -> cython.void:  # type: ignore[type-arg]
        """Set which bodies are included from now on.

        triggers: whether triggers are. allowed: an array with an item for each filter class, not 0 if its bodies are
        included, or None for all. ignored: rows to leave out.
        """
        at: cython.Py_ssize_t
        for at in range(self.ignored_count):
            self.is_ignored_view[self.ignored_view[at]] = 0
        self.ignored_count = 0
        self.has_probe = False
        self.triggers = triggers
        self.is_filtered = allowed is not None
        if self.is_filtered:
            self.allowed_view = allowed
        if ignored:
            self.ignore(ignored)

    @cython.cfunc
    def ignore(self, rows: list) -> cython.int:  # type: ignore[type-arg]
        """Mark the rows to leave out."""
        row: cython.int
        self.ignored_view = self.ignored = array("i", rows)
        if len(self.is_ignored) < self.columns.capacity:
            self.is_ignored_view = self.is_ignored = array("b", bytes(self.columns.capacity))
        self.ignored_count = len(rows)  # first, so that the next filter clears a partial marking
        for row in self.ignored:
            self.is_ignored_view[row] = 1
        return 0

    # Queries.

    @cython.ccall
    def find_in_region(self, relation: cython.int) -> list:  # type: ignore[type-arg]
        """Return the entities of the included bodies in a relation to the region."""
        self.dynamic.prepare(1)
        self.static.prepare(1)
        return self.sorted_ids(self.collect(relation, 0))

    @cython.ccall
    def find_around_row(self, relation: cython.int, row: cython.Py_ssize_t) -> list:  # type: ignore[type-arg]
        """Return the entities of the included bodies in a relation to any box of a row."""
        home: Index = self.static.index if self.columns.flags_view[row] & _STATIC else self.dynamic.index
        slot: cython.Py_ssize_t
        axis: cython.int
        count: cython.Py_ssize_t = 0
        boxes: cython.int = self.columns.outer_view[row] if relation == _OVERLAPPING else self.columns.count_view[row]
        self.dynamic.prepare(boxes)
        self.static.prepare(boxes)
        for slot in range(self.columns.first_view[row], self.columns.first_view[row] + boxes):
            for axis in range(6):
                self.region_view[axis] = home.boxes.faces_view[8 * slot + axis]
            if self.columns.flags_view[row] & _SHAPED:
                self.columns.place_part(self.probe, home.boxes, slot, 0, 0, 0)
                self.has_probe = True
            count = self.collect(relation, count)
            self.has_probe = False
        return self.sorted_ids(count)

    @cython.ccall
    def find_around_part(self, relation: cython.int, part: PlacedPart, bounds: tuple) -> list:  # type: ignore[type-arg]
        """Return the entities of the included bodies in a relation to a part with these bounds."""
        self.set_region(bounds)
        self.probe = part
        return self.find_around_probe(relation)

    @cython.ccall
    def find_around_probe(self, relation: cython.int) -> list:  # type: ignore[type-arg]
        """Return the entities of the included bodies in a relation to the probe, which the region surrounds."""
        self.dynamic.prepare(1)
        self.static.prepare(1)
        self.has_probe = self.probe.radius > 0 or self.probe.is_turned
        count: cython.Py_ssize_t = self.collect(relation, 0)
        self.has_probe = False
        return self.sorted_ids(count)

    @cython.ccall
    def find_in_regions(
        self, relation: cython.int, dims: cython.int, lows: object, highs: object, offsets: array[int]
    ) -> cython.Py_ssize_t:
        """Query many regions, given as float64 buffers of `dims` numbers each; return the first invalid one, or -1.

        The entities in a relation to region i are `results()[offsets[i] : offsets[i + 1]]`, sorted.
        """
        ends: cython.longlong[::1] = offsets
        query: cython.Py_ssize_t
        queries: cython.Py_ssize_t = len(offsets) - 1
        axis: cython.int
        count: cython.Py_ssize_t = 0
        self.lows_view, self.highs_view = memoryview(lows), memoryview(highs)  # type: ignore[arg-type]
        self.dynamic.prepare(queries)
        self.static.prepare(queries)
        self.region_view[2], self.region_view[5] = -_HALF_SLAB, _HALF_SLAB
        for query in range(queries):
            for axis in range(dims):
                if not self.round_inward(
                    axis, self.lows_view[dims * query + axis], self.highs_view[dims * query + axis]
                ):
                    return query
            count += self.sort_unique(count, self.collect(relation, count) - count)
            ends[query + 1] = count
        self.result_count = count
        return -1

    # All boxes, for pairs.

    def list_boxes(self) -> array[int]:
        """Return the entity of each outer box of an included body; `fill_pairs` uses the same order."""
        grid: FrozenGrid
        slot: cython.Py_ssize_t
        row: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        boxes: cython.Py_ssize_t = self.dynamic.index.boxes.box_count + self.static.index.boxes.box_count
        if boxes > self.capacity:
            self.reserve_ids(boxes)
        self.boxes = array("i", bytes(4 * boxes))
        self.boxes_view = self.boxes
        for grid in (self.dynamic, self.static):
            for slot in range(grid.index.boxes.slot_count):
                row = grid.index.boxes.owner_view[slot]
                if row >= 0 and self.is_outer(row, slot) and self.is_counted(row):
                    self.ids_view[count] = self.columns.ids_view[row]
                    self.boxes_view[count] = cython.cast(cython.int, slot if grid is self.dynamic else ~slot)
                    count += 1
        return self.ids[:count]

    def fill_pairs(self, pairs: AllPairs, order: cython.longlong[::1]) -> None:
        """Write the listed boxes to `pairs`, reordered by their places in the list; without z if flat."""
        index: Index
        place: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        axis: cython.int
        dims: cython.int = 2 if self.dynamic.index.boxes.flat else 3
        pairs.reserve(len(order), dims)
        for place in range(len(order)):
            slot = self.boxes_view[order[place]]
            index = self.dynamic.index if slot >= 0 else self.static.index
            slot = 8 * (slot if slot >= 0 else ~slot)
            for axis in range(dims):
                pairs.lows_view[dims * place + axis] = index.boxes.faces_view[slot + axis]
                pairs.highs_view[dims * place + axis] = index.boxes.faces_view[slot + axis + 3]

    @property
    def has_shapes(self) -> bool:
        """Return whether listed boxes may be bounds of other parts, so that pairs of them need `overlap_of_pairs`."""
        return self.columns.shaped_count > 0

    def overlap_of_pairs(self, pairs: cython.longlong[::1], order: cython.longlong[::1]) -> array[int]:
        """Return for each pair of listed boxes, two numbers each in this order, 1 if their parts overlap, else 0."""
        at: cython.Py_ssize_t
        found = array("b", bytes(len(pairs) // 2))
        found_view: cython.schar[::1] = found
        for at in range(len(pairs) // 2):
            self.place_listed(self.probe, self.boxes_view[order[pairs[2 * at]]])
            self.place_listed(self.part, self.boxes_view[order[pairs[2 * at + 1]]])
            found_view[at] = separation(self.probe, self.part) == 0
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def place_listed(self, part: PlacedPart, slot: cython.Py_ssize_t) -> cython.void:
        """Set a part to that of a listed box."""
        if slot >= 0:
            self.columns.place_part(part, self.dynamic.index.boxes, slot, 0, 0, 0)
        else:
            self.columns.place_part(part, self.static.index.boxes, ~slot, 0, 0, 0)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def collect(self, relation: cython.int, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Append the ids of the bodies in a relation to the region after the first `count`; return the new count.

        A body comes once for each of its boxes.
        """
        count = self.collect_from(self.dynamic, relation, count)
        return self.collect_from(self.static, relation, count)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def collect_from(self, grid: FrozenGrid, relation: cython.int, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Do the same for the boxes of one index."""
        index: Index = grid.index
        at: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        row: cython.Py_ssize_t
        hits: cython.Py_ssize_t = self.find_hits(grid, relation)
        if count + hits > self.capacity:
            self.reserve_ids(count + hits)
        if (
            relation == _OVERLAPPING
            and self.columns.shaped_count == 0
            and not (self.has_probe or self.is_filtered or self.ignored_count)
        ):
            return self.add_boxes(grid, hits, count)
        for at in range(hits):
            slot = grid.hits_view[at]
            row = index.boxes.owner_view[slot]
            if self.is_counted(row) and self.is_related(relation, row, index, slot):
                self.ids_view[count] = self.columns.ids_view[row]
                count += 1
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_boxes(self, grid: FrozenGrid, hits: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Append the ids of all bodies found but triggers, if these are left out: the common case."""
        columns: Columns = self.columns
        index: Index = grid.index
        ids: cython.p_longlong = cython.address(self.ids_view[0]) if cython.compiled else self.ids_view
        entities: cython.p_longlong = cython.address(columns.ids_view[0]) if cython.compiled else columns.ids_view
        slots: cython.p_int = cython.address(grid.hits_view[0]) if cython.compiled else grid.hits_view
        left_out: cython.int = 0 if self.triggers else _TRIGGER
        at: cython.Py_ssize_t
        row: cython.Py_ssize_t
        for at in range(hits):
            row = index.boxes.owner_view[slots[at]]
            ids[count] = entities[row]
            count += left_out == 0 or (columns.flags_view[row] & left_out) == 0
        return count

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_related(
        self, relation: cython.int, row: cython.Py_ssize_t, index: Index, slot: cython.Py_ssize_t
    ) -> cython.bint:
        """Return whether a box found by the index is in a relation to the region, or its part to the part there."""
        if self.has_probe or self.columns.flags_view[row] & _SHAPED:
            return self.part_is_related(relation, index, slot)
        if relation >= _TOUCHING:
            return self.shares_face(relation, index, slot)
        return self.columns.shaped_count == 0 or (
            self.region_view[2] < index.boxes.faces_view[8 * slot + 5]
            and index.boxes.faces_view[8 * slot + 2] < self.region_view[5]
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def part_is_related(self, relation: cython.int, index: Index, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether the part of a box is in a relation to the region, or to the part there (H5)."""
        if not self.has_probe:
            self.probe.set_box(
                self.region_view[0],
                self.region_view[1],
                self.region_view[2],
                self.region_view[3],
                self.region_view[4],
                self.region_view[5],
            )
        self.columns.place_part(self.part, index.boxes, slot, 0, 0, 0)
        if relation == _OVERLAPPING:
            return separation(self.probe, self.part) == 0
        apart: cython.int = separation(self.probe, self.part)
        if apart == 0 or (apart > 1 and not nearly_touch(self.probe, self.part)):
            return False
        if relation == _TOUCHING:
            return True
        if self.probe.is_turned or self.part.is_turned:
            return self.is_on_normal((relation - _FIRST_SIDE) >> 1, relation & 1 == 0)
        return is_on_side(self.probe, self.part, (relation - _FIRST_SIDE) >> 1, relation & 1 == 0)

    def is_on_normal(self, axis: cython.int, upward: cython.bint) -> cython.bint:
        """Return whether the largest component of the normal from the probe to the part is on a side (C5)."""
        self.probe.grow(8)
        normal: tuple[float, float, float] = normal_of(self.probe, self.part, False)
        self.probe.grow(-8)
        sizes: list[float] = [abs(by) for by in normal]
        return sizes.index(max(sizes)) == axis and (normal[axis] > 0.0) == upward

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def find_hits(self, grid: FrozenGrid, relation: cython.int) -> cython.Py_ssize_t:
        """Search one index for the region; return how many of its boxes may be in the relation."""
        loz: cython.longlong = self.region_view[2]
        hiz: cython.longlong = self.region_view[5]
        if grid.index.boxes.box_count == 0:
            return 0
        if self.columns.shaped_count > 0 and grid.index.boxes.flat:  # bounds may reach out of the plane
            if loz > self.columns.z_reach or hiz < -self.columns.z_reach:
                return 0
            loz, hiz = -_HALF_SLAB, _HALF_SLAB
        return grid.collect(
            relation == _OVERLAPPING,
            self.region_view[0],
            self.region_view[1],
            loz,
            self.region_view[3],
            self.region_view[4],
            hiz,
        )

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_outer(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether a box is one of those that contain all the others of its body."""
        return slot - self.columns.first_view[row] < self.columns.outer_view[row]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_counted(self, row: cython.Py_ssize_t) -> cython.bint:
        """Return whether the filter includes a body."""
        return (
            (self.triggers or not self.columns.flags_view[row] & _TRIGGER)
            and (self.ignored_count == 0 or not self.is_ignored_view[row])
            and (not self.is_filtered or self.allowed_view[self.columns.classes_view[row]] != 0)  # type: ignore[index]
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def shares_face(self, relation: cython.int, index: Index, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether a box shares a face with the region: equal faces on one axis, open overlap on the others.

        On a side the equal faces are those of that side. Then its axis is the one of the touch.
        """
        axis: cython.int
        count: cython.int = 0
        for axis in range(3):
            count += axis_separation(
                self.region_view[axis],
                self.region_view[axis + 3],
                index.boxes.faces_view[8 * slot + axis],
                index.boxes.faces_view[8 * slot + axis + 3],
            )
        if count != 1 or relation == _TOUCHING:
            return count == 1
        axis = (relation - _FIRST_SIDE) >> 1
        if relation & 1 == 0:
            return self.region_view[axis + 3] == index.boxes.faces_view[8 * slot + axis]
        return self.region_view[axis] == index.boxes.faces_view[8 * slot + axis + 3]

    @cython.cfunc
    def reserve_ids(self, count: cython.Py_ssize_t) -> cython.int:
        """Make room for twice `count` ids."""
        ids, spare = longer(self.ids, 2 * count), array("q", bytes(16 * count))
        self.ids, self.spare = ids, spare
        self.ids_view, self.spare_view = self.ids, self.spare
        self.capacity = 2 * count
        return 0

    # Results.

    def results(self) -> array[int]:
        """Return the results of the last `find_in_regions`, region by region."""
        return self.ids[: self.result_count]

    @cython.cfunc
    def sorted_ids(self, count: cython.Py_ssize_t) -> list:  # type: ignore[type-arg]
        """Return the first `count` ids as a list, sorted, each once."""
        at: cython.Py_ssize_t
        if not cython.compiled:
            return sorted(set(self.ids[:count]))
        count = self.sort_unique(0, count)
        found: list[int] = [0] * count
        for at in range(count):
            found[at] = self.ids_view[at]
        return found

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def sort_unique(self, first: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Sort `count` ids from `first` on and remove duplicates; return how many are left.

        Sorting of short runs, then merging of pairs of runs: O(n log n).
        """
        begin: cython.Py_ssize_t
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t
        end: cython.Py_ssize_t = first + count
        width: cython.Py_ssize_t = _SHORT
        if not cython.compiled:  # the built-in sort is faster
            self.ids[first:end] = array("q", sorted(self.ids[first:end]))
        begin = first
        while begin < end:
            self.sort_run(begin, min(begin + _SHORT, end))
            begin += _SHORT
        while width < count:
            begin = first
            while begin < end - width:
                self.merge_runs(begin, begin + width, min(begin + 2 * width, end))
                begin += 2 * width
            width *= 2
        if count < 2:
            return count
        to = first + 1
        for at in range(first + 1, end):
            self.ids_view[to] = self.ids_view[at]
            to += self.ids_view[to] != self.ids_view[to - 1]
        return to - first

    @cython.cfunc
    @cython.exceptval(check=False)
    def sort_run(self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """Sort a short run: each id goes to the place of the number of those before it.

        No branch depends on a comparison, which is as good as random: n * n comparisons, faster than insertion.
        """
        ids: cython.p_longlong = cython.address(self.ids_view[0]) if cython.compiled else self.ids_view
        spare: cython.p_longlong = cython.address(self.spare_view[0]) if cython.compiled else self.spare_view
        at: cython.Py_ssize_t
        other: cython.Py_ssize_t
        place: cython.Py_ssize_t
        id: cython.longlong
        for at in range(begin, end):
            id = ids[at]
            place = 0
            for other in range(begin, at):
                place += ids[other] <= id
            for other in range(at + 1, end):
                place += ids[other] < id
            spare[place] = id
        for at in range(begin, end):
            ids[at] = spare[at - begin]

    @cython.cfunc
    @cython.exceptval(check=False)
    def merge_runs(self, begin: cython.Py_ssize_t, middle: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """Merge two neighbouring sorted runs."""
        left: cython.Py_ssize_t = 0
        lefts: cython.Py_ssize_t = middle - begin
        right: cython.Py_ssize_t = middle
        to: cython.Py_ssize_t
        for left in range(lefts):
            self.spare_view[left] = self.ids_view[begin + left]
        left = 0
        for to in range(begin, end):
            if left == lefts:
                break
            if right == end or self.spare_view[left] <= self.ids_view[right]:
                self.ids_view[to] = self.spare_view[left]
                left += 1
            else:
                self.ids_view[to] = self.ids_view[right]
                right += 1
