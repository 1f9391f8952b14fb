# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Finds the first body that a moving shape meets. Exact where the shapes are parallel to the axes (rule H8).

A box that moves meets another where its low corner, as a ray, enters the other one, which is larger by its size: so a
cast is a ray that is as thick as the bounds of the moving part, and is searched like one. Parts other than boxes are
compared where their bounds meet. The times of round and turned parts are rounded down (`round_parts`, `meeting`).
"""

from __future__ import annotations

import math
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.query.ray import compare_products
    from cython.cimports.ecs_collision.results import build_event
    from cython.cimports.ecs_collision.shapes.overlap import separation
    from cython.cimports.ecs_collision.shapes.round_parts import round_entry, touch
else:
    from ecs_collision.query.ray import compare_products
    from ecs_collision.results import build_event
    from ecs_collision.shapes.overlap import separation
    from ecs_collision.shapes.round_parts import round_entry, touch

from ecs_collision.bodies.columns import ONE_WAY, SHAPED, STATIC, Columns
from ecs_collision.broadphase.protocol import Index
from ecs_collision.events import DIRECTIONS
from ecs_collision.fixed_point import LATTICE
from ecs_collision.query.overlap import OverlapQuery
from ecs_collision.query.ray import WayQuery
from ecs_collision.query.ray_hit import CastHit, Found
from ecs_collision.shapes.contact.contact_of import point_of_meeting
from ecs_collision.shapes.meeting import meeting
from ecs_collision.shapes.overlap import PlacedPart
from ecs_collision.shapes.ray_entry import INSIDE

_SHAPED = cython.declare(cython.int, SHAPED)
_ONE_WAY = cython.declare(cython.int, ONE_WAY)
_STATIC = cython.declare(cython.int, STATIC)
_ROUND = cython.declare(cython.int, 3)  # the axis of a part that is no box
_LATTICE = cython.declare(cython.double, LATTICE)
_END = cython.declare(cython.double, 1.0 + 2.0**-30)  # a little later than the end of the displacement
_SMALL = cython.declare(cython.longlong, 1 << 25)  # float64 has the squares of a displacement up to here


@cython.final
@cython.cclass
class CastQuery(WayQuery):
    """Parts that move through the bodies of an `OverlapQuery`, by its filter; the direction is the displacement.

    Set what moves, the displacement, and the filter of the query, then search. An `axis` of 3 is that of another part
    than a box.
    """

    def __init__(self, query: OverlapQuery) -> None:
        super().__init__(query, by_part=True)
        self.movers: list[PlacedPart] = []
        self.is_box, self.one_way = False, True
        self.moving_row = -1
        self.entry_normal: Any = None
        self.met_by, self.met_slot, self.met_normal = self.mover, 0, self.entry_normal

    @cython.ccall
    def read(self, given: object) -> cython.bint:
        """Set what moves from a box or a part at a position; False as in `OverlapQuery.read_box`.

        It is the probe of the query, and valid until the next query.
        """
        region: cython.longlong[::1] = self.query.region_view
        if self.query.read_box(given):
            self.query.probe.set_box(region[0], region[1], region[2], region[3], region[4], region[5])
        elif not self.query.read_part(given):
            return False
        self.movers, self.moving_row = [self.query.probe], -1
        return True

    @cython.ccall
    def read_row(self, row: cython.Py_ssize_t) -> cython.bint:
        """Set what moves to the parts of a body; False if it is disabled."""
        columns: Columns = self.query.columns
        slot: cython.Py_ssize_t
        index: Index = self.query.static.index if columns.flags_view[row] & _STATIC else self.query.dynamic.index
        self.movers, self.moving_row = [], row
        for slot in range(columns.first_view[row], columns.first_view[row] + columns.outer_view[row]):
            part: PlacedPart = PlacedPart()
            columns.place_part(part, index.boxes, slot, 0, 0, 0)
            self.movers.append(part)
        return len(self.movers) > 0

    @cython.ccall
    def set_way(self, movers: list, displacement: tuple, moving_row: cython.Py_ssize_t) -> cython.int:  # type: ignore[type-arg]
        """Set the parts that move, the displacement in lattice units, and the row of the parts, -1 for none."""
        self.movers, self.moving_row = movers, moving_row
        self.dx, self.dy, self.dz = displacement
        return 0

    @cython.ccall
    def first(self) -> object:
        """Return the `CastHit` of the first body that is met, the one with the lowest id among equals, or None."""
        self.entity = -1
        self.move(None)
        return self.hit()

    @cython.ccall
    def find_on_the_way(self) -> list:  # type: ignore[type-arg]
        """Return what is met, and perhaps some that are met later, in no order, some more than once: see `Found`."""
        found: list[Found] = []
        self.entity = -1
        self.move(found)
        return found

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def move(self, found: list[Found] | None) -> cython.int:
        """Search the way of each part: up to the first body that any has met, or with a list to the end."""
        region: cython.longlong[::1] = self.query.region_view
        for mover in self.movers:
            self.mover = mover
            self.is_box = self.mover.radius == 0 and not self.mover.is_turned
            self.mover.surround(region)
            self.ox, self.oy, self.oz = region[0], region[1], region[2]
            self.wx, self.wy, self.wz = region[3] - region[0], region[4] - region[1], region[5] - region[2]
            self.set_major()
            self.reach = min(self.reach, self.longest)
            self.scan(found)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def enters_part(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether the moving part, whose bounds enter those of a part, meets it, and store when."""
        self.entry_normal = None
        if not self.query.is_outer(row, slot):
            return False
        if self.is_box and not self.query.columns.flags_view[row] & _SHAPED:
            return True
        self.place(row, slot - self.query.columns.first_view[row])
        if self.mover.is_turned or self.part.is_turned:
            met = meeting(self.mover, self.direction, self.part)
            if met is None:
                return False
            entry, self.entry_normal = met
        elif self.mover.radius + self.part.radius == 0:
            return True
        else:
            entry = round_entry(self.mover, self.dx, self.dy, self.dz, self.part, min(self.latest(), _END))
            if entry is None:
                return False
        if entry == INSIDE:
            self.entry, self.entry_step, self.entry_axis = 0, 1, -1
            return True
        self.entry, self.entry_step = entry
        self.entry_axis = _ROUND
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_before(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether the part that was compared last comes before the first one so far.

        By time, entity, axis, normal, and last by the order of the parts that move and of those that are met.
        """
        id: cython.longlong = self.query.columns.ids_view[row]
        sign: cython.int = compare_products(self.entry, self.step, self.when, self.entry_step)
        if sign != 0 or id != self.entity:
            return sign < 0 or (sign == 0 and id < self.entity)
        if self.entry_axis != self.axis:
            return self.entry_axis < self.axis
        if self.axis == _ROUND:
            normal = self.contact(self.mover, row, slot, self.entry, self.entry_step, self.entry_normal)[0]
            other = self.contact(self.met_by, row, self.met_slot, self.when, self.step, self.met_normal)[0]
            if normal != other:
                return normal < other  # type: ignore[no-any-return]
        return self.mover is self.met_by and slot < self.met_slot

    @cython.cfunc
    def keep(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.int:
        """Store the part that was compared last as the first one."""
        WayQuery.keep(self, row, slot)
        self.met_by, self.met_slot, self.met_normal = self.mover, slot, self.entry_normal
        return 0

    # One-way bodies.

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def passes(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether what moves passes through a part, because one of the two bodies is one-way (M5)."""
        columns: Columns = self.query.columns
        at: cython.Py_ssize_t
        if columns.flags_view[row] & _ONE_WAY and (not self.comes_against(row, 1) or self.overlaps_any(row, slot)):
            return True
        if self.moving_row < 0 or not (columns.flags_view[self.moving_row] & _ONE_WAY):
            return False
        if not self.comes_against(self.moving_row, -1):
            return True
        for at in range(columns.count_view[row]):
            self.place(row, at)
            if separation(self.mover, self.part) == 0:
                return True
        return False

    @cython.cfunc
    def overlaps_any(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether any of the parts that move overlaps a part at the start."""
        self.place(row, slot - self.query.columns.first_view[row])
        for part in self.movers:
            mover: PlacedPart = part
            if separation(mover, self.part) == 0:
                return True
        return False

    # The result.

    @cython.cfunc
    def hit(self) -> object:
        """Return the `CastHit` of the first part, or None if it is met beyond the displacement."""
        if self.entity < 0 or self.when > self.step:
            return None
        normal, point = self.contact(self.met_by, self.row, self.met_slot, self.when, self.step, self.met_normal)
        if self.axis == 0:
            normal = DIRECTIONS[0][self.dx > 0]
        elif self.axis == 1:
            normal = DIRECTIONS[1][self.dy > 0]
        elif self.axis == 2:
            normal = DIRECTIONS[2][self.dz > 0]
        fraction: cython.double = cython.cast(cython.double, self.when) / cython.cast(cython.double, self.step)
        return build_event(CastHit, (self.entity, fraction, self.distance(fraction), normal, point))

    @cython.cfunc
    def contact(
        self,
        mover: PlacedPart,
        row: cython.Py_ssize_t,
        slot: cython.Py_ssize_t,
        when: cython.longlong,
        step: cython.longlong,
        normal: Any,
    ) -> tuple:  # type: ignore[type-arg]
        """Return the normal and the point where a part meets another. normal: None unless one is turned."""
        self.place(row, slot - self.query.columns.first_view[row])
        if normal is not None:
            return normal, point_of_meeting(mover, self.direction, self.part, when / step, normal)
        return touch(mover, self.dx, self.dy, self.dz, self.part, when, step, self.axis < 0)

    @cython.cfunc
    def distance(self, fraction: cython.double) -> cython.double:
        """Return the length of a part of the displacement in world units; along an axis it is rounded once."""
        if self.when == 0:
            return 0.0
        if (self.dx != 0) + (self.dy != 0) + (self.dz != 0) == 1:
            if self.step == self.longest:
                return self.when * _LATTICE
            when: Any = self.when
            return when * self.longest / self.step * LATTICE  # type: ignore[no-any-return]
        if self.longest <= _SMALL:
            return fraction * self.length() * _LATTICE
        dx, dy, dz = self.direction
        return fraction * math.sqrt(dx * dx + dy * dy + dz * dz) * LATTICE
