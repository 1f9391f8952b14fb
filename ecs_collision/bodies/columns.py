# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The numbers of all bodies: a row per body, a column per quantity; the links of fused groups; and rows by id.

The body table assigns and frees rows. These classes only hold and grow the arrays, so a kernel takes one object
instead of a long argument list.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, KeysView, Sequence
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import aligned, column, grown, longer, zeros
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.components.fields import VelocityFields
from ecs_collision.fixed_point import HALF_SLAB
from ecs_collision.shapes.bounds import Form
from ecs_collision.shapes.overlap import PlacedPart

SOLID = 1
"""Blocks and may be pushed (not a trigger)."""
TRIGGER = 2
"""Reports instead of blocking."""
STATIC = 4
"""Is in the static index and never moves by itself."""
ENABLED = 8
"""Is in the index. A body without this flag is disabled."""
ASLEEP = 16
"""Is asleep."""
SLEEPABLE = 32
"""Has a Sleeping component."""
PUSHABLE = 64
"""Has an Inertia component."""
TOUCHING = 128
"""A reporter that also reports touching bodies."""
SWEPT = 256
"""A trigger that reports bodies that crossed it within a frame."""
LINGERS = 512
"""A reporter whose contacts linger for some frames."""
STATICS = 1024
"""A reporter that also reports static bodies."""
SHAPED = 2048
"""Has parts other than boxes: its boxes in the index are only their bounds (H4)."""
ASKS = 4096
"""A solid body that reports its contacts (C1)."""
ONE_WAY = 8192
"""A solid body with a `OneWay` (M5)."""
CARRIES = 16384
"""The body has a `Carries` (M6)."""
MOVER = 32768
"""The body has a `Mover` (M9)."""
REPORTER = TRIGGER | ASKS
"""Reports other bodies: a trigger, or a solid body that asks."""

NO_INERTIA = (math.inf, math.inf, math.inf)
"""The inertia of a row without one."""

IN_PLANE, THIN, OUT_OF_PLANE = 0, 1, 2
"""How a body lies to the plane of 2D (L5): flat; flat, but a point, a segment or as thin; not flat.

No two bodies of the first kind are apart along z, so an index of these alone may leave z out (B1).
"""

DISTURBED = 3
FLAGS, FIRST, COUNT, OUTER, CLASSES, LEADER, NEXT_ROW, INDEX = range(8, 16)
"""Places in the record of a row: x, y, z and DISTURBED count 64-bit integers, the others 32-bit ones."""

MEETS = 1
"""Bit of the relation of two filter classes: their solid bodies block each other."""
REPORTS = 2
"""Bit of the relation of two filter classes: a reporter of the first reports bodies of the second."""

# C copies: compiled code would look the names above up as Python objects.
_SOLID = cython.declare(cython.int, SOLID)
_SHAPED = cython.declare(cython.int, SHAPED)
_HALF_SLAB = cython.declare(cython.longlong, HALF_SLAB)
_IN_PLANE = cython.declare(cython.int, IN_PLANE)
_THIN = cython.declare(cython.int, THIN)
_OUT_OF_PLANE = cython.declare(cython.int, OUT_OF_PLANE)
_ONE_WAY = cython.declare(cython.int, ONE_WAY)
_ASKS = cython.declare(cython.int, ASKS)
_MEETS = cython.declare(cython.int, MEETS)
_REPORTS = cython.declare(cython.int, REPORTS)

_MAX_SPARSENESS = cython.declare(cython.longlong, 8)
"""Ids above this multiple of the listed ids, plus `_ALWAYS_LISTED`, are not listed: the array would be too large."""
_ALWAYS_LISTED = cython.declare(cython.longlong, 4096)


def plane_of(
    is_shaped: cython.bint,
    lox: cython.longlong,
    loy: cython.longlong,
    loz: cython.longlong,
    hix: cython.longlong,
    hiy: cython.longlong,
    hiz: cython.longlong,
) -> cython.int:
    """Return how a box, or the bounds of a part of a shaped body, lies to the plane of 2D (L5)."""
    if loz != -hiz:
        return _OUT_OF_PLANE
    if hiz == _HALF_SLAB or (is_shaped and hiz > 0):
        return _IN_PLANE
    return _THIN if is_shaped or (lox == hix) + (loy == hiy) + (hiz == 0) >= 2 else _OUT_OF_PLANE


def plane_of_form(form: Form, z: cython.longlong) -> cython.int:
    """Return how a body at height z lies to the plane of 2D, as in `Columns.planes`."""
    is_shaped: cython.bint = form.shape is not None
    plane: cython.int = _IN_PLANE
    if form.is_box():
        return plane_of(False, form.lox, form.loy, form.loz + z, form.hix, form.hiy, form.hiz + z)
    for a, b, c, d, e, f in form.boxes:
        plane = max(plane, plane_of(is_shaped, a, b, c + z, d, e, f + z))
    return plane


@cython.cclass
class Columns:
    """Columns by row: ids, flags, first and count of its boxes, position, inertia, filter class.

    What a frame needs of a row is one record, in one line of memory: `pos` are the records, of which x, y and z are the
    first three items of eight; other columns are views of one item of each record. Some of them belong to `GroupLinks`
    and `DirtyRows`. The first `outer` boxes of a row contain all others, so overlap queries use only these
    (`bodies/nested`). `inertia` holds three items per row. `planes` is the largest `plane_of` of the boxes,
    `uneven_count` the number of rows where it is not IN_PLANE. `relation` is a square matrix of `width` over filter
    classes (layer, masks, whether static); each item combines MEETS and REPORTS. Each column is an array or a view, for
    Python code, and a `_view` of the same memory, for kernels. `static_reporter_count` is the number of reporters that
    are static themselves. `forms` are those of the rows that were ever used, `shaped_count` the number
    with SHAPED. `velocities` are the Velocity components of the rows that have one; the list is empty until there is
    one, as is the array of inertia until a row has one. `one_way` and `carries` are the directions of `OneWay` and
    `Carries.up`: the axis plus 1, negative for the negative direction, 0 without the component.
    `one_way_count` and `carrying_count` are the numbers of rows with ONE_WAY and CARRIES. `passing` are the pairs of
    rows, the lower one first, that overlap because one crushes the other (M8), or because of a response "cross" (M9).
    No box has been higher than `z_reach`: regions farther from the plane that all bodies are in are empty.
    """

    def __init__(self) -> None:
        self.ids, self.inertia, self.planes = array("q"), array("d"), array("b")
        self.pos = aligned(0)
        self.flags = self.first = self.count = self.outer = self.classes = memoryview(array("i"))
        self.one_way, self.carries = array("b"), array("b")
        self.uneven_count = self.static_reporter_count = self.shaped_count = self.one_way_count = 0
        self.forms: list[Form] = []
        self.velocities: list[VelocityFields | None] = []
        self.passing: set[tuple[int, int]] = set()
        self.passing_count = self.carrying_count = 0
        self.z_reach = HALF_SLAB
        self.relation = array("B")
        self.capacity = 0
        self.width = 0
        self.widen(4)

    def grow(self, records: Any) -> cython.void:
        """Grow to as many rows as there are new records, and keep the contents."""
        axis: cython.Py_ssize_t
        capacity: cython.Py_ssize_t = len(records) // 8
        ids, planes, one_way, carries = grown(capacity, self.ids, self.planes, self.one_way, self.carries)
        for axis in range(3):
            column(records, "q", axis, self.pos[axis::8])
        flags, first = column(records, "i", FLAGS, self.flags), column(records, "i", FIRST, self.first)
        count, outer = column(records, "i", COUNT, self.count), column(records, "i", OUTER, self.outer)
        classes = column(records, "i", CLASSES, self.classes)
        self.ids, self.planes, self.one_way, self.carries, self.pos = ids, planes, one_way, carries, records
        self.flags, self.first, self.count, self.outer, self.classes = flags, first, count, outer, classes
        self.ids_view, self.planes_view, self.one_way_view, self.carries_view = ids, planes, one_way, carries
        self.pos_view, self.flags_view, self.classes_view = records, flags, classes
        self.first_view, self.count_view, self.outer_view = first, count, outer
        if self.velocities:
            self.velocities += [None] * (capacity - len(self.velocities))
        if len(self.inertia):
            self.reserve_inertia()
        self.capacity = capacity

    def reserve_inertia(self) -> cython.void:
        """Make room for the inertia of every row, infinite for those that have had none."""
        missing: cython.Py_ssize_t = 3 * len(self.ids) - len(self.inertia)
        if missing > 0:
            self.inertia = self.inertia + array("d", [math.inf]) * missing
            self.inertia_view = self.inertia

    def inertia_of(self, row: int) -> tuple[float, float, float]:
        """Return the inertia of a row by axis."""
        if not len(self.inertia):
            return NO_INERTIA
        return (self.inertia[3 * row], self.inertia[3 * row + 1], self.inertia[3 * row + 2])

    def set_inertia(self, row: int, values: Sequence[float]) -> None:
        """Set the inertia of a row by axis: `NO_INERTIA` itself for a row without one."""
        if len(self.inertia) or values is not NO_INERTIA:
            self.reserve_inertia()
            self.inertia[3 * row : 3 * row + 3] = array("d", values)

    def set_velocity(self, row: int, velocity: VelocityFields | None) -> None:
        """Set the Velocity of a row."""
        if velocity is not None and not self.velocities:
            self.velocities += [None] * self.capacity
        if self.velocities:
            self.velocities[row] = velocity

    def update_plane(self, row: cython.Py_ssize_t, boxes: BoxPool) -> cython.void:
        """Update how a body lies to the plane of 2D, by its boxes in the index."""
        slot: cython.Py_ssize_t
        faces: cython.p_longlong = cython.address(boxes.faces_view[0]) if cython.compiled else boxes.faces_view
        is_shaped: cython.bint = (self.flags_view[row] & _SHAPED) != 0
        plane: cython.int = _IN_PLANE
        slot = self.first_view[row]
        if self.planes_view[row] == _OUT_OF_PLANE and faces[8 * slot + 2] != -faces[8 * slot + 5]:
            return  # its first box shows that it is not flat, as mostly in 3D
        for slot in range(self.first_view[row], self.first_view[row] + self.count_view[row]):
            plane = max(
                plane,
                plane_of(
                    is_shaped,
                    faces[8 * slot],
                    faces[8 * slot + 1],
                    faces[8 * slot + 2],
                    faces[8 * slot + 3],
                    faces[8 * slot + 4],
                    faces[8 * slot + 5],
                ),
            )
        self.set_plane(row, plane)

    def set_plane(self, row: cython.Py_ssize_t, plane: cython.int) -> cython.void:
        """Set how a body lies to the plane of 2D (L5), and update `uneven_count`."""
        self.uneven_count += (plane != _IN_PLANE) - (self.planes_view[row] != _IN_PLANE)
        self.planes_view[row] = plane

    def are_flat(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether two bodies are a flat pair (L5): their contacts have no z."""
        return self.planes_view[a] != _OUT_OF_PLANE and self.planes_view[b] != _OUT_OF_PLANE

    def place_part(
        self,
        part: PlacedPart,
        boxes: BoxPool,
        slot: cython.Py_ssize_t,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
    ) -> cython.void:
        """Set a part to that of a box in the index, displaced by x, y, z."""
        row: cython.Py_ssize_t = boxes.owner_view[slot]
        if self.flags_view[row] & _SHAPED:
            part.set_part(
                cython.cast(Form, self.forms[row]).shape,
                slot - self.first_view[row],
                self.pos_view[8 * row] + x,
                self.pos_view[8 * row + 1] + y,
                self.pos_view[8 * row + 2] + z,
            )
        else:
            part.set_box(
                boxes.faces_view[8 * slot] + x,
                boxes.faces_view[8 * slot + 1] + y,
                boxes.faces_view[8 * slot + 2] + z,
                boxes.faces_view[8 * slot + 3] + x,
                boxes.faces_view[8 * slot + 4] + y,
                boxes.faces_view[8 * slot + 5] + z,
            )

    def positions_of(self, rows: array[int]) -> array[int]:
        """Return the positions of rows, one after another."""
        given: cython.int[::1] = rows
        found = zeros("q", 3 * len(rows))
        positions: cython.longlong[::1] = found
        index: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        for index in range(len(rows)):
            for axis in range(3):
                positions[3 * index + axis] = self.pos_view[8 * given[index] + axis]
        return found

    def widen(self, width: cython.Py_ssize_t) -> cython.void:
        """Grow the relation of filter classes to `width` and keep the contents."""
        wider = array("B", bytes(width * width))
        old: cython.Py_ssize_t
        for old in range(self.width):
            wider[old * width : old * width + self.width] = self.relation[old * self.width : (old + 1) * self.width]
        self.relation = wider
        self.relation_view = self.relation
        self.width = width

    def may_meet(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether rows a and b are solid bodies that block each other, by their layers and masks.

        While two bodies pass through each other by a response "cross", they do not (M9).
        """
        return (
            (self.flags_view[a] & self.flags_view[b] & _SOLID) != 0
            and (self.relation_view[self.classes_view[a] * self.width + self.classes_view[b]] & _MEETS) != 0
            and (self.passing_count == 0 or not self.is_passing(a, b))
        )

    def passes(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether two solid bodies, if they overlap, pass through each other and are no solid pair (M5, M9)."""
        if (self.flags_view[a] | self.flags_view[b]) & _ONE_WAY:
            return True
        return self.passing_count != 0 and self.is_passing(a, b)

    def comes_against(self, row: cython.Py_ssize_t, axis: cython.int, upward: cython.bint) -> cython.bint:
        """Return whether what moves up or down an axis comes against the direction of a one-way row (M5)."""
        return self.one_way_view[row] == (-(axis + 1) if upward else axis + 1)

    def is_passing(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether two rows pass through each other until they no longer overlap (M8, M9)."""
        return (min(a, b), max(a, b)) in self.passing

    def reports(self, reporter: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Return whether row `reporter` reports row `other` if they meet, by their filter classes (T6, C2).

        Two bodies that pass through each other are in no contact (M9).
        """
        if self.passing_count != 0 and self.flags_view[reporter] & _ASKS and self.is_passing(reporter, other):
            return False
        return (self.relation_view[self.classes_view[reporter] * self.width + self.classes_view[other]] & _REPORTS) != 0


@cython.final
@cython.cclass
class GroupLinks:
    """Links the rows of each fused group: `leader[row]` is its leader, `next_row[row]` its next row.

    The next rows form a cycle. A row without a group is its own leader and next row, so loops need no special case.
    `count` rows are fused. `grow` replaces the arrays, so take their views again after it.
    """

    def __init__(self) -> None:
        self.leader = self.next_row = memoryview(array("i"))
        self.count = self.capacity = 0

    def grow(self, records: Any) -> cython.void:
        """Grow to as many rows as there are new records, and keep the contents."""
        row: cython.Py_ssize_t
        capacity: cython.Py_ssize_t = len(records) // 8
        leader, next_row = column(records, "i", LEADER, self.leader), column(records, "i", NEXT_ROW, self.next_row)
        self.leader, self.next_row = leader, next_row
        self.leader_view, self.next_row_view = leader, next_row
        for row in range(self.capacity, capacity):
            self.leader_view[row] = self.next_row_view[row] = cython.cast(cython.int, row)
        self.capacity = capacity

    def fuse(self, rows: Sequence[int]) -> None:
        """Make a group of rows without one; the first is the leader."""
        for at, row in enumerate(rows):
            self.leader[row] = rows[0]
            self.next_row[rows[at - 1]] = row
        self.count += len(rows)

    def unfuse(self, row: int) -> None:
        """Dissolve the group of a row."""
        rows = self.rows_of(row)
        for each in rows:
            self.leader[each] = self.next_row[each] = each
        self.count -= len(rows) if len(rows) > 1 else 0

    def unfuse_all(self) -> None:
        """Dissolve all groups. Works at any point of an interrupted change; O(capacity)."""
        for row in range(self.capacity):
            self.leader[row] = self.next_row[row] = row
        self.count = 0

    def rollback(self, leader: array[int], next_row: array[int], count: int) -> None:
        """Restore the marked links; rows added since belong to no group."""
        self.leader[: len(leader)] = leader
        self.next_row[: len(next_row)] = next_row
        self.count = count

    def rows_of(self, row: int) -> list[int]:
        """Return the rows of the group of a row, or only the row; it comes first."""
        rows, at = [row], self.next_row[row]
        while at != row:
            rows.append(at)
            at = self.next_row[at]
        return rows

    def is_fused(self, row: cython.Py_ssize_t) -> cython.bint:
        """Return whether a row belongs to a group."""
        return self.next_row_view[row] != row

    def is_same_body(self, row: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Return whether two rows are equal or belong to one group."""
        return self.leader_view[row] == self.leader_view[other]


@cython.final
@cython.cclass
class RowById:
    """Rows by entity id: a mapping, whose ids are iterated in their order.

    Ids not much larger than the number of bodies (esper counts from 1) are listed: `rows` has the row of each such id,
    -1 for none, `length` items, and `count` ids that are listed. The others are in `sparse`.
    """

    def __init__(self) -> None:
        self.rows = array("i")
        self.length = 0
        self.count = 0
        self.sparse: dict[int, int] = {}

    def __len__(self) -> int:
        return self.count + len(self.sparse)

    def __iter__(self) -> Iterator[int]:
        at: cython.Py_ssize_t
        listed = []
        for at in range(self.length):
            if self.rows[at] >= 0:
                listed.append(at)
        return iter(sorted([*listed, *self.sparse]) if self.sparse else listed)

    def __contains__(self, entity: object) -> bool:
        return self.get(entity) is not None

    def __getitem__(self, entity: int) -> int:
        row: int | None = self.get(entity)
        if row is None:
            raise KeyError(entity)
        return row

    def __setitem__(self, entity: int, row: int) -> None:
        """Set the row of an entity. Amortised O(1)."""
        at: cython.Py_ssize_t
        id: cython.longlong = entity
        before: cython.Py_ssize_t = self.length
        if id >= before:
            if id >= _MAX_SPARSENESS * (self.count + 1) + _ALWAYS_LISTED:
                self.sparse[entity] = row
                return
            length: cython.Py_ssize_t = max(id + 1, before + before // 2)
            rows: cython.int[::1] = longer(self.rows, length)
            for at in range(before, length):
                rows[at] = -1
            for sparse in [each for each in self.sparse if each < length]:
                rows[sparse] = self.sparse[sparse]
                self.count += 1
                del self.sparse[sparse]
            self.rows = rows
            self.length = length
        if self.rows[id] < 0:
            self.count += 1
        self.rows[id] = row

    def __delitem__(self, entity: int) -> None:
        self.pop(entity)

    def get(self, entity: object, default: Any = None) -> Any:
        """Return the row of an entity, or `default`."""
        id: cython.longlong
        if type(entity) is int and -1 < entity < 0x7FFFFFFF:
            id = entity
            if id < self.length:
                return default if self.rows[id] < 0 else self.rows[id]
        return self.sparse.get(entity, default)  # type: ignore[call-overload]

    def pop(self, entity: int, default: Any = None) -> Any:
        """Remove an entity and return its row, or `default`."""
        row = self.get(entity, default)
        if self.sparse.pop(entity, None) is None and 0 <= entity < self.length and self.rows[entity] >= 0:
            self.rows[entity] = -1
            self.count -= 1
        return row

    def keys(self) -> KeysView[int]:
        """Return the entities."""
        return dict.fromkeys(self).keys()

    def values(self) -> list[int]:
        """Return the rows in the order of ids."""
        return [self[entity] for entity in self]

    def items(self) -> list[tuple[int, int]]:
        """Return entities and rows in the order of ids."""
        return [(entity, self[entity]) for entity in self]

    def find(self, entities: list[Any], rows: array[int]) -> bool:
        """Write the rows of entities to `rows`; returns False if one is not an int or not listed."""
        found: cython.int[::1] = rows
        at: cython.Py_ssize_t = 0
        entity: cython.longlong
        for each in entities:
            if type(each) is not int or not -1 < each < 0x7FFFFFFF:
                return False
            entity = each
            if entity >= self.length or self.rows[entity] < 0:
                return False
            found[at] = self.rows[entity]
            at += 1
        return True

    def find_all(self, entities: cython.longlong[::1], rows: cython.int[::1]) -> bool:
        """Write the rows of a view of ids to `rows`; returns False if one is not listed."""
        at: cython.Py_ssize_t
        entity: cython.longlong
        for at in range(len(rows)):
            entity = entities[at]
            if entity < 0 or entity >= self.length or self.rows[entity] < 0:
                return False
            rows[at] = self.rows[entity]
        return True
