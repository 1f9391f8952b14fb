# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Finds the parts that a ray enters: the first one, all of them, or the first one of many rays (rules Q1, Q2 and H6).

`WayQuery` is what rays and casts share: a way through the bodies, and the first of them on it.

A way is cut into sections along the axis of its longest step. The boxes near a section are found like those that meet
any other region, in spatial order, and compared with the whole way, first in floats with an error bound, then exactly.
The first box found is final when it is entered before the end of the section. A section in which there is no box makes
the next one four times as long, so empty space costs a logarithm of its length.

When a way enters a box is a fraction of whole numbers, and fractions are compared by their cross products, which need
up to 120 bits. Not taken: floats with a tolerance (a hit could be missed, or found on one machine only), a walk from
cell to cell (boxes of each size level need a walk of their own, and the copy of the index has rows instead of cells).
"""

from __future__ import annotations

from array import array
from math import inf
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.query.overlap import items_of_point, number
    from cython.cimports.ecs_collision.results import new_object, set_slot, slots_of, untrack
    from cython.cimports.ecs_collision.shapes.round_parts import round_entry, touch
    from cython.cimports.libc.math import frexp, ldexp, sqrt
else:
    from math import frexp, ldexp, sqrt

    from ecs_collision.query.overlap import items_of_point, number
    from ecs_collision.results import new_object, set_slot, slots_of, untrack
    from ecs_collision.shapes.round_parts import round_entry, touch

from ecs_collision.bodies.columns import ONE_WAY, SHAPED, STATIC, Columns
from ecs_collision.broadphase.frozen_grid import FrozenGrid
from ecs_collision.broadphase.protocol import Index
from ecs_collision.events import DIRECTIONS
from ecs_collision.fixed_point import HALF_SLAB, LATTICE, MAX_COORDINATE, PER_UNIT
from ecs_collision.query.overlap import OverlapQuery
from ecs_collision.query.ray_hit import Found, RayHit
from ecs_collision.shapes.overlap import PlacedPart
from ecs_collision.shapes.ray_entry import INSIDE, normal_at, turned_entry

FIRST_SECTION = 3
"""Length of a section, in bins of the smallest size."""

_RAY_HIT = cython.declare(object, RayHit)
_FIELDS = cython.declare(list, slots_of(RayHit))
_NORMALS = cython.declare(list, [way for ways in DIRECTIONS for way in ways])
_NO_NORMAL = cython.declare(object, (0.0, 0.0, 0.0))
_FIRST_SECTION = cython.declare(cython.longlong, FIRST_SECTION)
_STATIC = cython.declare(cython.int, STATIC)
_SHAPED = cython.declare(cython.int, SHAPED)
_ONE_WAY = cython.declare(cython.int, ONE_WAY)
_HALF_SLAB = cython.declare(cython.longlong, HALF_SLAB)
_FIRST_PART = cython.declare(cython.int, 3)
_LATTICE = cython.declare(cython.double, LATTICE)
_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_MAX_COORDINATE = cython.declare(cython.double, MAX_COORDINATE)
_INFINITY = cython.declare(cython.double, inf)
_LIMB = cython.declare(cython.longlong, (1 << 31) - 1)
_FAR_BELOW = cython.declare(cython.int, -512)
_LEAP = cython.declare(cython.double, 2.0**512)
_PRECISION = cython.declare(cython.double, 2.0**52)
_ROUNDING = cython.declare(cython.double, 2.0**-50)
_LONGER = cython.declare(cython.double, 1.0 + 2.0**-40)
_SLACK = cython.declare(cython.double, 1.0 + 2.0**-30)
_QUANTUM = cython.declare(cython.double, 2.0**-57)  # times are rounded down by less
_MARGIN = cython.declare(cython.double, 1.0 + 2.0**-48)  # times are wrong by less: four roundings each
_AT_ONCE = cython.declare(cython.double, 2.0**900)
_ABOVE = cython.declare(cython.double, 1.0 + 2.0**-50)  # products of floats that differ by more are in this order


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _floor(value: cython.double) -> cython.longlong:
    """Return the largest whole number that is not above a value of at most 2**62; a call of C's takes longer."""
    whole: cython.longlong = cython.cast(cython.longlong, value)
    return whole - 1 if whole > value else whole


@cython.cfunc
@cython.exceptval(check=False)
def compare_products(a: cython.longlong, b: cython.longlong, c: cython.longlong, d: cython.longlong) -> cython.int:
    """Return the sign of a * b - c * d, exactly. All are from 0 to 2**60."""
    if (a | b | c | d) <= _LIMB:
        return (a * b > c * d) - (a * b < c * d)
    left: cython.double = cython.cast(cython.double, a) * cython.cast(cython.double, b)
    right: cython.double = cython.cast(cython.double, c) * cython.cast(cython.double, d)
    if left > right * _ABOVE:
        return 1
    if right > left * _ABOVE:
        return -1
    low: cython.longlong = (a & _LIMB) * (b & _LIMB)
    low_2: cython.longlong = (c & _LIMB) * (d & _LIMB)
    middle: cython.longlong = (a >> 31) * (b & _LIMB) + (a & _LIMB) * (b >> 31) + (low >> 31)
    middle_2: cython.longlong = (c >> 31) * (d & _LIMB) + (c & _LIMB) * (d >> 31) + (low_2 >> 31)
    high: cython.longlong = (a >> 31) * (b >> 31) + (middle >> 31)
    high_2: cython.longlong = (c >> 31) * (d >> 31) + (middle_2 >> 31)
    if high != high_2:
        return 1 if high > high_2 else -1
    middle &= _LIMB
    middle_2 &= _LIMB
    if middle != middle_2:
        return 1 if middle > middle_2 else -1
    low &= _LIMB
    low_2 &= _LIMB
    return (low > low_2) - (low < low_2)


@cython.cclass
class WayQuery:
    """A straight way through the bodies of an `OverlapQuery`, by its filter.

    From the origin, in lattice units, in a direction, in whole numbers; `wx`, `wy` and `wz` are how thick it is. The
    first body is in `entity` (-1: none), with its `row`, entered when `when / step` of the direction is behind, on
    `axis`: 0 to 2 for the face of a box, -1 if the way starts inside, 3 or more for another part. What was compared
    last is in `entry`, `entry_step` and `entry_axis`. With `by_part`, `enters_part` is asked about boxes too. With
    `one_way`, it passes through one-way bodies as a motion does (M5); otherwise they are met like any body.
    """

    def __init__(self, query: OverlapQuery, by_part: bool = False) -> None:
        self.query = query
        self.by_part = by_part
        self.one_way = False
        self.ox = self.oy = self.oz = self.dx = self.dy = self.dz = 0
        self.wx = self.wy = self.wz = 0
        self.major = 0
        self.longest = self.reach = 0
        self.entry = self.entry_step = 0
        self.entry_axis = 0
        self.is_thin = False
        self.slabs_view, self.times_view = array("d", bytes(8 * 12)), array("d", bytes(8 * 64))
        self.mover, self.part = PlacedPart(), PlacedPart()
        self.entity = self.row = -1
        self.when = self.step = 0
        self.axis = 0

    @property
    def direction(self) -> tuple[int, int, int]:
        """The direction in whole numbers."""
        return self.dx, self.dy, self.dz

    @cython.cfunc
    @cython.exceptval(check=False)
    def length(self) -> cython.double:
        """Return the length of the direction; exact along an axis."""
        x: cython.double = cython.cast(cython.double, abs(self.dx))
        y: cython.double = cython.cast(cython.double, abs(self.dy))
        z: cython.double = cython.cast(cython.double, abs(self.dz))
        if x + y == 0.0 or y + z == 0.0 or x + z == 0.0:
            return x + y + z
        return sqrt(x * x + y * y + z * z)

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_major(self) -> cython.void:
        """Set the longest axis, and how far the ray goes along it until it is out of the index."""
        x: cython.longlong = abs(self.dx)
        y: cython.longlong = abs(self.dy)
        z: cython.longlong = abs(self.dz)
        limit: cython.longlong = self.query.dynamic.index.boxes.limit
        if x >= y and x >= z:
            self.major, self.longest = 0, x
            self.reach = limit - (self.ox if self.dx > 0 else -self.ox - self.wx)
        elif y >= z:
            self.major, self.longest = 1, y
            self.reach = limit - (self.oy if self.dy > 0 else -self.oy - self.wy)
        else:
            self.major, self.longest = 2, z
            self.reach = limit - (self.oz if self.dz > 0 else -self.oz - self.wz)
        if self.longest == 0:
            self.reach = 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def scan(self, found: list[Found] | None) -> cython.int:
        """Search section by section: up to the first box, or with a list to the end."""
        begin: cython.longlong = 0
        end: cython.longlong
        size: cython.longlong = _FIRST_SECTION << self.query.dynamic.index.boxes.bin_shift
        section: cython.longlong = size
        hits: cython.Py_ssize_t
        has_dynamic: cython.bint = self.query.dynamic.index.boxes.box_count > 0
        has_static: cython.bint = self.query.static.index.boxes.box_count > 0
        self.query.dynamic.prepare(2)
        self.query.static.prepare(2)
        self.set_slab(0, self.ox, self.wx, self.dx)
        self.set_slab(1, self.oy, self.wy, self.dy)
        self.set_slab(2, self.oz, self.wz, self.dz)
        while begin <= self.reach:
            end = min(begin + section, self.reach)
            self.set_section(begin, end)
            hits = self.scan_section(self.query.dynamic, found) if has_dynamic else 0
            if has_static:
                hits += self.scan_section(self.query.static, found)
            if (
                found is None and self.entity >= 0 and compare_products(self.when, self.longest, end, self.step) <= 0
            ) or end == self.reach:
                break
            begin = end
            section = 4 * section if hits == 0 else size
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_slab(
        self, axis: cython.int, origin: cython.longlong, width: cython.longlong, step: cython.longlong
    ) -> cython.void:
        """Set what faces are compared with on an axis, nearer and farther ones, the inverse of the step, and its slope.

        Without a step the inverse is so large that every face comes before or after all others.
        """
        self.slabs_view[axis] = origin + width * (step >= 0)
        self.slabs_view[3 + axis] = origin + width * (step < 0)
        self.slabs_view[6 + axis] = _AT_ONCE if step == 0 else 1.0 / cython.cast(cython.double, step)
        self.slabs_view[9 + axis] = cython.cast(cython.double, step) / cython.cast(cython.double, max(self.longest, 1))

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def scan_section(self, grid: FrozenGrid, found: list[Found] | None) -> cython.Py_ssize_t:
        """Compare the boxes of one index near the section with the way; return how many there are.

        The first one by floats is compared first: then most of the others come too late to be compared exactly.
        """
        at: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        row: cython.Py_ssize_t
        id: cython.longlong
        hits: cython.Py_ssize_t = self.query.find_hits(grid, 0)
        if hits == 0:
            return 0
        latest: cython.double = self.latest()
        for at in range(self.keep_entered(grid, hits, latest)):
            if self.times_view[at] > latest:
                continue
            slot = grid.hits_view[at]
            if not self.enters(grid, slot):
                continue
            row = grid.index.boxes.owner_view[slot]
            if not self.query.is_counted(row):
                continue
            if (self.by_part or self.query.columns.flags_view[row] & _SHAPED) and not (
                cython.cast(cython.double, self.entry) <= latest * cython.cast(cython.double, self.entry_step)
                and self.enters_part(row, slot)
            ):
                continue
            if self.one_way and self.passes(row, slot):
                continue
            if found is not None:
                id = self.query.columns.ids_view[row]
                found.append((self.entry, self.entry_step, self.entry_axis, id, self.is_thin))
            elif self.entity < 0 or self.is_before(row, slot):
                self.keep(row, slot)
                latest = self.latest()
        return hits

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def keep_entered(self, grid: FrozenGrid, hits: cython.Py_ssize_t, latest: cython.double) -> cython.Py_ssize_t:
        """Keep those hits of an index that the way may enter up to a time, the first one first; return their number.

        When it enters them is in `times`, by floats with an error below `_MARGIN` (Kay and Kajiya): the way is between
        the two faces of each axis during an interval. The loop has no branch on the result of a comparison.
        """
        faces: cython.p_longlong = (
            cython.address(grid.index.boxes.faces_view[0]) if cython.compiled else grid.index.boxes.faces_view
        )
        slots: cython.p_int = cython.address(grid.hits_view[0]) if cython.compiled else grid.hits_view
        if len(self.times_view) < hits:
            self.times_view = array("d", bytes(16 * hits))
        times: cython.p_double = cython.address(self.times_view[0]) if cython.compiled else self.times_view
        near_x: cython.double = self.slabs_view[0]
        near_y: cython.double = self.slabs_view[1]
        near_z: cython.double = self.slabs_view[2]
        far_x: cython.double = self.slabs_view[3]
        far_y: cython.double = self.slabs_view[4]
        far_z: cython.double = self.slabs_view[5]
        inverse_x: cython.double = self.slabs_view[6]
        inverse_y: cython.double = self.slabs_view[7]
        inverse_z: cython.double = self.slabs_view[8]
        first_x: cython.Py_ssize_t = 3 * (self.dx < 0)
        first_y: cython.Py_ssize_t = 3 * (self.dy < 0)
        first_z: cython.Py_ssize_t = 3 * (self.dz < 0)
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = 0
        for at in range(hits):
            slot: cython.int = slots[at]
            face: cython.Py_ssize_t = 8 * cython.cast(cython.Py_ssize_t, slot)
            enter: cython.double = (faces[face + first_x] - near_x) * inverse_x
            leave: cython.double = (faces[face + 3 - first_x] - far_x) * inverse_x
            enter = max(enter, (faces[face + 1 + first_y] - near_y) * inverse_y)
            leave = min(leave, (faces[face + 4 - first_y] - far_y) * inverse_y)
            enter = max(enter, (faces[face + 2 + first_z] - near_z) * inverse_z)
            leave = min(leave, (faces[face + 5 - first_z] - far_z) * inverse_z)
            enter = max(enter, 0.0)
            slots[count] = slot
            times[count] = enter
            count += (enter <= leave * _MARGIN) & (enter <= latest)
        for at in range(1, count):
            first = at if times[at] < times[first] else first
        if first > 0:
            slots[0], slots[first] = slots[first], slots[0]
            times[0], times[first] = times[first], times[0]
        return count

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_before(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether the box that was compared last comes before the first one so far."""
        id: cython.longlong = self.query.columns.ids_view[row]
        sign: cython.int = compare_products(self.entry, self.step, self.when, self.entry_step)
        if sign == 0:
            sign = (id > self.entity) or (id == self.entity and self.entry_axis > self.axis)
        return sign <= 0

    @cython.cfunc
    def keep(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.int:
        """Store the box that was compared last as the first one."""
        self.entity, self.row = self.query.columns.ids_view[row], cython.cast(cython.int, row)
        self.when, self.step, self.axis = self.entry, self.entry_step, self.entry_axis
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_section(self, begin: cython.longlong, end: cython.longlong) -> cython.void:
        """Set the region that contains a section, from `begin` to `end` along the longest axis."""
        self.set_side(0, self.ox, self.wx, begin, end)
        self.set_side(1, self.oy, self.wy, begin, end)
        self.set_side(2, self.oz, self.wz, begin, end)

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_side(
        self,
        axis: cython.int,
        origin: cython.longlong,
        width: cython.longlong,
        begin: cython.longlong,
        end: cython.longlong,
    ) -> cython.void:
        """Set the sides of the region on an axis, rounded outward."""
        first: cython.double = begin * self.slabs_view[9 + axis]
        last: cython.double = end * self.slabs_view[9 + axis]
        margin: cython.double = 2.0 + (abs(first) + abs(last)) * _ROUNDING
        self.query.region_view[axis] = origin + _floor(min(first, last) - margin)
        self.query.region_view[axis + 3] = origin + width + _floor(max(first, last) + margin) + 1

    # One box.

    @cython.cfunc
    @cython.exceptval(check=False)
    def enters(self, grid: FrozenGrid, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether the ray enters a box (Q1), and store when and on which axis.

        On each axis the ray is inside during one interval. It enters when the last of them begins, if none has ended by
        then. It enters a box without thickness if it crosses it at an inner point.
        """
        faces: cython.p_longlong = (
            cython.address(grid.index.boxes.faces_view[0]) if cython.compiled else grid.index.boxes.faces_view
        )
        axis: cython.int
        origin: cython.longlong
        width: cython.longlong
        step: cython.longlong
        near: cython.longlong
        far: cython.longlong
        sign: cython.int
        leave: cython.longlong = -1
        leave_step: cython.longlong = 1
        entered: cython.int = 0  # axes on which the ray comes inside last
        left: cython.int = 0  # axes on which it leaves first
        leave_axis: cython.int = -1
        self.entry, self.entry_step, self.entry_axis = 0, 1, -1
        self.is_thin = False
        for axis in range(3):
            origin = self.ox if axis == 0 else (self.oy if axis == 1 else self.oz)
            width = self.wx if axis == 0 else (self.wy if axis == 1 else self.wz)
            step = self.dx if axis == 0 else (self.dy if axis == 1 else self.dz)
            near = faces[8 * slot + axis] - origin - width
            far = faces[8 * slot + axis + 3] - origin
            if step == 0:
                if near >= 0 or far <= 0:
                    return False
                continue
            if step < 0:
                near, far, step = -far, -near, -step
            if far < 0 or (far == 0 and near < 0):
                return False
            if near >= 0:
                sign = 1 if entered == 0 else compare_products(near, self.entry_step, self.entry, step)
                if sign > 0:
                    self.entry, self.entry_step, self.entry_axis = near, step, axis
                    entered = 1
                elif sign == 0:
                    entered += 1
            sign = -1 if left == 0 else compare_products(far, leave_step, leave, step)
            if sign < 0:
                leave, leave_step, leave_axis = far, step, axis
                left = 1
            elif sign == 0:
                left += 1
        if entered == 0:
            return True
        sign = compare_products(self.entry, leave_step, leave, self.entry_step)
        self.is_thin = sign == 0
        return sign < 0 or (sign == 0 and entered == 1 and left == 1 and self.entry_axis == leave_axis)

    # One other part.

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def latest(self) -> cython.double:
        """Return the latest time at which a part comes before the first one so far, or a little later."""
        if self.entity < 0:
            return _INFINITY
        return cython.cast(cython.double, self.when) / cython.cast(cython.double, self.step) * _SLACK + _QUANTUM

    @cython.cfunc
    def place(self, row: cython.Py_ssize_t, number: cython.Py_ssize_t) -> cython.int:
        """Set the part to one of a body."""
        columns: Columns = self.query.columns
        index: Index = self.query.static.index if columns.flags_view[row] & _STATIC else self.query.dynamic.index
        columns.place_part(self.part, index.boxes, columns.first_view[row] + number, 0, 0, 0)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def enters_part(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether the way, which enters the bounds of a part, enters the part, and store when."""
        raise NotImplementedError

    # One-way bodies.

    @cython.cfunc
    @cython.exceptval(check=False)
    def comes_against(self, row: cython.Py_ssize_t, sign: cython.int) -> cython.bint:
        """Return whether the way, or with a sign of -1 its opposite, leads against the direction of a one-way body."""
        direction: cython.int = self.query.columns.one_way_view[row]
        axis: cython.int = abs(direction) - 1
        step: cython.longlong = sign * (self.dx if axis == 0 else (self.dy if axis == 1 else self.dz))
        return step < 0 if direction > 0 else step > 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def passes(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether the way passes through a part that it enters, because its body is one-way (M5)."""
        if not (self.query.columns.flags_view[row] & _ONE_WAY):
            return False
        return self.entry_axis < 0 or not self.comes_against(row, 1)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _nearest_whole(value: cython.double) -> cython.longlong:
    """Return the nearest whole number, halves up. Adding 0.5 first would be wrong above 2**52."""
    whole: cython.longlong = _floor(value)
    return whole + (1 if value - whole >= 0.5 else 0)


@cython.final
@cython.cclass
class RayQuery(WayQuery):
    """Rays through the bodies of an `OverlapQuery`, by its filter.

    Set the filter of the query, then the ray, then search. An `axis` of 3 or more is that of another part than a box: 3
    and its number.
    """

    # The ray.

    @cython.ccall
    def read(self, origin: Any, direction: Any) -> cython.bint:
        """Set origin and direction from two tuples or lists of numbers; False if they are not such.

        False only means that this fast path does not apply: the caller reads points of other types, or raises.
        """
        steps: tuple | None = items_of_point(direction)  # type: ignore[type-arg]
        if steps is None or not self.read_origin(origin):
            return False
        return self.set_direction(number(steps[0]), number(steps[1]), number(steps[2]) if len(steps) == 3 else 0.0)

    @cython.ccall
    def read_origin(self, origin: Any) -> cython.bint:
        """Set the origin from a tuple or list of numbers; False as in `read`."""
        point: tuple | None = items_of_point(origin)  # type: ignore[type-arg]
        if point is None:
            return False
        return self.set_origin(number(point[0]), number(point[1]), number(point[2]) if len(point) == 3 else 0.0)

    @cython.ccall
    def set_one_way(self, one_way: cython.bint) -> cython.int:
        """Set whether one-way bodies are met only against their direction and from outside (M5)."""
        self.one_way = one_way
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_origin(self, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Set the origin in world units; False if one of them is not a number, or too large."""
        if not (_is_valid(x) and _is_valid(y) and _is_valid(z)):
            return False
        self.ox = _floor(x * _PER_UNIT + 0.5)
        self.oy = _floor(y * _PER_UNIT + 0.5)
        self.oz = _floor(z * _PER_UNIT + 0.5)
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_direction(self, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Set the direction: whole numbers as they are, others times a power of two, rounded to 53 bits (Q2).

        Returns False if one of them is not a number, or too large.
        """
        if not (_is_valid(x) and _is_valid(y) and _is_valid(z)):
            return False
        longest: cython.double = max(abs(x), abs(y), abs(z))
        if 0.0 < longest < _PRECISION and not (_floor(x) == x and _floor(y) == y and _floor(z) == z):
            exponent: cython.int = 0
            if cython.compiled:
                frexp(longest, cython.address(exponent))
            else:
                exponent = frexp(longest)[1]
            while exponent < _FAR_BELOW:
                exponent, x, y, z = exponent + 512, x * _LEAP, y * _LEAP, z * _LEAP
            leap: cython.double = ldexp(1.0, 53 - exponent)
            x, y, z = x * leap, y * leap, z * leap
        self.dx, self.dy, self.dz = _nearest_whole(x), _nearest_whole(y), _nearest_whole(z)
        return True

    @cython.ccall
    def set_units(self, origin: tuple, direction: tuple) -> cython.int:  # type: ignore[type-arg]
        """Set the origin in lattice units and the direction in whole numbers, at most 2**54."""
        self.ox, self.oy, self.oz = origin
        self.dx, self.dy, self.dz = direction
        return 0

    @property
    def origin(self) -> tuple[int, int, int]:
        """The origin in lattice units."""
        return self.ox, self.oy, self.oz

    @cython.ccall
    @cython.exceptval(check=False)
    def distance_of(self, when: cython.longlong, step: cython.longlong) -> cython.double:
        """Return the distance in world units of a box that is entered at `when / step` of the direction.

        The division comes first: it rounds correctly, so the order of distances is that of the fractions, and equal
        fractions give equal distances.
        """
        if when == 0:
            return 0.0
        if step == self.longest and (self.dx != 0) + (self.dy != 0) + (self.dz != 0) == 1:
            return when * _LATTICE
        return cython.cast(cython.double, when) / cython.cast(cython.double, step) * self.length() * _LATTICE

    @cython.ccall
    def hit_of(
        self,
        when: cython.longlong,
        step: cython.longlong,
        axis: cython.int,
        row: cython.int,
        distance: cython.double,
    ) -> object:
        """Return the `RayHit` of the body in a row that is entered at `when / step` of the direction, on an axis."""
        entity: cython.longlong = self.query.columns.ids_view[row]
        way: cython.double = cython.cast(cython.double, when) / cython.cast(cython.double, step)
        x: cython.double = self.ox + self.dx * way
        y: cython.double = self.oy + self.dy * way
        z: cython.double = self.oz + self.dz * way
        normal: object = _NO_NORMAL
        if axis == 0:
            x = self.ox + when if self.dx > 0 else self.ox - when
            normal = _NORMALS[self.dx > 0]
        elif axis == 1:
            y = self.oy + when if self.dy > 0 else self.oy - when
            normal = _NORMALS[2 + (self.dy > 0)]
        elif axis == 2:
            z = self.oz + when if self.dz > 0 else self.oz - when
            normal = _NORMALS[4 + (self.dz > 0)]
        elif axis >= _FIRST_PART:
            self.place(row, axis - _FIRST_PART)
            if self.part.is_turned:
                normal = normal_at(self.origin, self.direction, self.part, (when, step))
            else:
                self.mover.set_box(self.ox, self.oy, self.oz, self.ox, self.oy, self.oz)
                normal = touch(self.mover, self.dx, self.dy, self.dz, self.part, when, step, False)[0]
        point = (x * _LATTICE, y * _LATTICE, z * _LATTICE)
        untrack(point)  # it has only numbers
        hit = new_object(_RAY_HIT)
        set_slot(hit, _FIELDS[0], entity)
        set_slot(hit, _FIELDS[1], distance)
        set_slot(hit, _FIELDS[2], point)
        set_slot(hit, _FIELDS[3], normal)
        return hit

    # Queries.

    @cython.ccall
    def find_first(self, max_distance: cython.double) -> cython.double:
        """Find the first box up to a distance (Q1); return its distance, or -1.0 if there is none."""
        distance: cython.double
        self.set_reach(max_distance)
        self.scan(None)
        if self.entity < 0:
            return -1.0
        distance = self.distance_of(self.when, self.step)
        if distance <= max_distance:
            return distance
        self.entity = -1
        return -1.0

    @cython.ccall
    def find_all(self, max_distance: cython.double) -> list:  # type: ignore[type-arg]
        """Return the boxes entered up to about a distance, in no order, some more than once: see `ray_hit.Found`."""
        found: list = []  # type: ignore[type-arg]
        self.set_reach(max_distance)
        self.scan(found)
        return found

    @cython.ccall
    def find_many(
        self,
        dims: cython.int,
        origins: object,
        directions: object,
        limits: object,
        entities: object,
        distances: object,
    ) -> cython.Py_ssize_t:
        """Write the entity and the distance of the first box of each ray, -1 and infinity if there is none.

        origins, directions: float64 buffers of `dims` numbers for each ray. limits: the greatest distance of each, the
        same. Returns the number of the first invalid ray, or -1.
        """
        entities_view: cython.longlong[::1] = entities
        distances_view: cython.double[::1] = distances
        ray: cython.Py_ssize_t
        at: cython.Py_ssize_t
        distance: cython.double
        z: cython.double = 0.0
        dz: cython.double = 0.0
        rays: cython.Py_ssize_t = len(limits)  # type: ignore[arg-type]
        self.origins_view, self.directions_view = memoryview(origins), memoryview(directions)  # type: ignore[arg-type]
        self.limits_view = memoryview(limits)  # type: ignore[arg-type]
        self.query.dynamic.prepare(2 * rays)
        self.query.static.prepare(2 * rays)
        for ray in range(rays):
            at = dims * ray
            if dims == 3:
                z, dz = self.origins_view[at + 2], self.directions_view[at + 2]
            if not (
                self.limits_view[ray] >= 0.0
                and self.set_origin(self.origins_view[at], self.origins_view[at + 1], z)
                and self.set_direction(self.directions_view[at], self.directions_view[at + 1], dz)
            ):
                return ray
            distance = self.find_first(self.limits_view[ray])
            entities_view[ray] = self.entity
            distances_view[ray] = distance if self.entity >= 0 else _INFINITY
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_reach(self, max_distance: cython.double) -> cython.void:
        """Set how far the ray goes along its longest axis: to a distance, but not out of the index; no body is met."""
        far: cython.double
        self.entity = -1
        self.set_major()
        if self.longest == 0:
            return
        # Rounded up; a box beyond the distance is refused by its exact distance.
        far = max_distance * _PER_UNIT * (cython.cast(cython.double, self.longest) / self.length()) * _LONGER + 2.0
        if far < self.reach:
            self.reach = cython.cast(cython.longlong, far)

    # One other part.

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def enters_part(self, row: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether the ray, which enters the bounds of a part, enters the part, and store when (H6)."""
        number: cython.Py_ssize_t = slot - self.query.columns.first_view[row]
        self.place(row, number)
        if self.part.is_turned:
            entry = turned_entry(self.origin, self.direction, self.part)
        elif self.part.radius == 0:
            return True
        else:
            self.mover.set_box(self.ox, self.oy, self.oz, self.ox, self.oy, self.oz)
            entry = round_entry(self.mover, self.dx, self.dy, self.dz, self.part, self.latest())
        self.is_thin = False
        if entry is None:
            return False
        if entry == INSIDE:
            self.entry, self.entry_step, self.entry_axis = 0, 1, -1
        else:
            self.entry, self.entry_step = entry
            self.entry_axis = cython.cast(cython.int, _FIRST_PART + number)
        return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_valid(value: cython.double) -> cython.bint:
    """Return whether a coordinate is a finite number within the limits (L3)."""
    return -_MAX_COORDINATE <= value and value <= _MAX_COORDINATE
