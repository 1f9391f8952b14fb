# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Finds the parts that a ray enters: the first one, all of them, or the first one of many rays (rules Q1, Q2 and H6).

How a ray goes from section to section, and enters a box, is in `way`. A part that is no box is compared if the ray
enters its bounds.
"""

from __future__ import annotations

from math import inf
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision._event_builder import build_event
    from cython.cimports.ecs_collision.query.overlap import number
    from cython.cimports.ecs_collision.query.way import WayQuery
    from cython.cimports.ecs_collision.shapes.round_parts import round_entry, touch
    from cython.cimports.libc.math import floor
else:
    from math import floor

    from ecs_collision._event_builder import build_event
    from ecs_collision.query.overlap import number
    from ecs_collision.query.way import WayQuery
    from ecs_collision.shapes.round_parts import round_entry, touch

from ecs_collision.events import DIRECTIONS
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE, PER_UNIT
from ecs_collision.query.ray_hit import RayHit
from ecs_collision.shapes.ray_entry import INSIDE, normal_at, turned_entry

_FIRST_PART = cython.declare(cython.int, 3)
_LATTICE = cython.declare(cython.double, LATTICE)
_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_MAX_COORDINATE = cython.declare(cython.double, MAX_COORDINATE)
_INFINITY = cython.declare(cython.double, inf)
_PRECISION = cython.declare(cython.double, 2.0**52)
_FAST = cython.declare(cython.double, 2.0**36)
_LEAP = cython.declare(cython.double, 2.0**16)
_SLACK = cython.declare(cython.double, 1.0 + 2.0**-40)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _nearest_whole(value: cython.double) -> cython.longlong:
    """Return the nearest whole number, halves up. Adding 0.5 first would be wrong above 2**52."""
    whole: cython.double = floor(value)
    return cython.cast(cython.longlong, whole) + (1 if value - whole >= 0.5 else 0)


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
        z: cython.double = 0.0
        dz: cython.double = 0.0
        if not (_is_plain(origin) and _is_plain(direction)):
            return False
        try:
            if len(origin) == 3:
                z = number(origin[2])
            elif len(origin) != 2:
                return False
            if len(direction) == 3:
                dz = number(direction[2])
            elif len(direction) != 2:
                return False
            return self.set_ray(number(origin[0]), number(origin[1]), z, number(direction[0]), number(direction[1]), dz)
        except OverflowError:
            return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_ray(
        self,
        x: cython.double,
        y: cython.double,
        z: cython.double,
        dx: cython.double,
        dy: cython.double,
        dz: cython.double,
    ) -> cython.bint:
        """Set origin and direction in world units; False if one of them is not a number, or too large."""
        if not (_is_valid(x) and _is_valid(y) and _is_valid(z) and _is_valid(dx) and _is_valid(dy) and _is_valid(dz)):
            return False
        self.ox = cython.cast(cython.longlong, floor(x * _PER_UNIT + 0.5))
        self.oy = cython.cast(cython.longlong, floor(y * _PER_UNIT + 0.5))
        self.oz = cython.cast(cython.longlong, floor(z * _PER_UNIT + 0.5))
        self.set_direction(dx, dy, dz)
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_direction(self, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Set the direction: whole numbers as they are, others times a power of two, rounded to 53 bits (Q2)."""
        longest: cython.double = max(abs(x), abs(y), abs(z))
        if longest > 0.0 and not (floor(x) == x and floor(y) == y and floor(z) == z):
            while longest < _FAST:
                longest, x, y, z = longest * _LEAP, x * _LEAP, y * _LEAP, z * _LEAP
            while longest < _PRECISION:
                longest, x, y, z = longest * 2.0, x * 2.0, y * 2.0, z * 2.0
        self.dx, self.dy, self.dz = _nearest_whole(x), _nearest_whole(y), _nearest_whole(z)

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
        normal = (0.0, 0.0, 0.0)
        if axis == 0:
            x = self.ox + when if self.dx > 0 else self.ox - when
            normal = DIRECTIONS[0][self.dx > 0]
        elif axis == 1:
            y = self.oy + when if self.dy > 0 else self.oy - when
            normal = DIRECTIONS[1][self.dy > 0]
        elif axis == 2:
            z = self.oz + when if self.dz > 0 else self.oz - when
            normal = DIRECTIONS[2][self.dz > 0]
        elif axis >= _FIRST_PART:
            self.place(row, axis - _FIRST_PART)
            if self.part.is_turned:
                normal = normal_at(self.origin, self.direction, self.part, (when, step))
            else:
                self.mover.set_box(self.ox, self.oy, self.oz, self.ox, self.oy, self.oz)
                normal = touch(self.mover, self.dx, self.dy, self.dz, self.part, when, step, False)[0]
        point = (x * _LATTICE, y * _LATTICE, z * _LATTICE)
        return build_event(RayHit, (entity, distance, point, normal))

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
            if not self.limits_view[ray] >= 0.0 or not self.set_ray(
                self.origins_view[at],
                self.origins_view[at + 1],
                z,
                self.directions_view[at],
                self.directions_view[at + 1],
                dz,
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
        far = max_distance * _PER_UNIT * (cython.cast(cython.double, self.longest) / self.length()) * _SLACK + 2.0
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
def _is_plain(point: object) -> cython.bint:
    """Return whether a value is a tuple or a list."""
    return type(point) is tuple or type(point) is list


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_valid(value: cython.double) -> cython.bint:
    """Return whether a coordinate is a finite number within the limits (L3)."""
    return -_MAX_COORDINATE <= value and value <= _MAX_COORDINATE
