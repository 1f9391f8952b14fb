# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The bodies nearest to a point, and those within a circle or sphere, exactly (rules Q4, Q5 and H7).

`NearQuery` finds the parts within a radius; the functions behind it decide which of their bodies count.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Callable
from dataclasses import dataclass

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.results import build_event, new_object, set_slot, slots_of
    from cython.cimports.ecs_collision.shapes.overlap import axis_gap, turned_distance_to_point
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from ecs_collision.results import build_event, new_object, set_slot, slots_of
    from ecs_collision.shapes.overlap import axis_gap, turned_distance_to_point

from ecs_collision.bodies.columns import SHAPED
from ecs_collision.broadphase.frozen_grid import FrozenGrid
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE, PER_UNIT, finite, to_units
from ecs_collision.query.overlap import OverlapQuery
from ecs_collision.shapes.overlap import PlacedPart

Gaps = tuple[int, int, int, int]
"""An entity, and the gaps between a point and a box of it on each axis, in lattice units."""
Distance = tuple[int, int]
"""An entity, and the `surface_distance` of a part of it."""
Found = tuple[list[Gaps], list[Distance]]
"""The boxes and the other parts near a point."""

FIRST_RADIUS = 2
"""How far the first search of `nearest_of` looks, in bins. Each further one looks twice as far."""

SCALE = 1 << 64
"""Distances to round parts are compared in this part of a lattice unit."""

_FARTHEST = int(4 * MAX_COORDINATE / LATTICE)
"""No box is farther from a point than this, in lattice units."""

SORTED_LIMIT = 64
"""Up to so many nearest boxes are kept sorted while they are found; more are sorted afterwards."""

_SHAPED = cython.declare(cython.int, SHAPED)
_LONGEST = cython.declare(cython.longlong, 1 << 30)  # three squares of at most this length add up in 63 bits
_SORTED_LIMIT = cython.declare(cython.Py_ssize_t, SORTED_LIMIT)
_LATTICE = cython.declare(cython.double, LATTICE)
_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_SCALE = cython.declare(cython.double, float(SCALE))
_SLACK = cython.declare(cython.double, 1.0 + 2.0**-40)


@dataclass(frozen=True, slots=True)
class Nearest:
    """A body near a point, `entity`.

    `distance` is from the point to the nearest part of the body, in world units, 0 inside. To a box it is exact if it
    is along an axis, and otherwise rounded.
    """

    entity: int
    distance: float


_NEAREST = cython.declare(object, Nearest)
_FIELDS = cython.declare(list, slots_of(Nearest))


@cython.final
@cython.cclass
class NearQuery:
    """Distances from a point to the bodies of an `OverlapQuery`, by its filter.

    `parts` are the parts other than boxes that `within` found, as (entity, `surface_distance`).
    """

    def __init__(self, query: OverlapQuery) -> None:
        self.query = query
        self.part = PlacedPart()
        self.parts: list[tuple[int, int]] = []
        self.x = self.y = self.z = 0
        self.limit = 0.0
        self.only_nearest = False
        self.squares_view, self.ids_view = array("q", bytes(8 * SORTED_LIMIT)), array("q", bytes(8 * SORTED_LIMIT))
        self.wanted = self.count = 0
        self.radius = self.farthest = 0
        self.has_parts = False

    @cython.ccall
    def nearest_boxes(
        self, x: cython.longlong, y: cython.longlong, z: cython.longlong, k: cython.Py_ssize_t, limit: cython.double
    ) -> list | None:  # type: ignore[type-arg]
        """Return what `nearest_of` returns without a condition; None if it must be asked.

        It must if there is a part near that is no box, or no box near, or if `k` is large.
        """
        boxes: cython.Py_ssize_t = self.query.dynamic.index.boxes.box_count + self.query.static.index.boxes.box_count
        reach: cython.longlong = 2 * _LONGEST
        flat: cython.bint = self.query.dynamic.index.boxes.flat and self.query.static.index.boxes.flat
        bins: cython.longlong = 1
        seen: cython.Py_ssize_t
        if k > _SORTED_LIMIT:
            return None
        if limit * _PER_UNIT < reach:
            reach = cython.cast(cython.longlong, limit * _PER_UNIT) + 1
        self.x, self.y, self.z, self.wanted = x, y, z, k
        self.has_parts = False
        self.query.dynamic.prepare(1)
        self.query.static.prepare(1)
        while (bins * bins if flat else bins * bins * bins) < k:  # as many bins as bodies: about one in each
            bins += 1
        self.radius = min(bins << self.query.dynamic.index.boxes.bin_shift, reach)
        while self.radius <= _LONGEST:
            self.farthest, self.count = self.radius * self.radius, 0
            self.surround()
            seen = self.keep_nearest(self.query.dynamic)
            seen += self.keep_nearest(self.query.static)
            if self.has_parts:
                return None
            if self.count == k or self.radius == reach:
                return self.nearest_kept(limit)
            if seen == boxes:  # in the square around the circle, so they are in a circle of twice the radius
                reach = min(reach, 2 * self.radius)
            self.radius = min(reach, 2 * self.radius)
        return None

    @cython.cfunc
    @cython.exceptval(check=False)
    def surround(self) -> cython.void:
        """Set the region of the query to the box around the circle."""
        self.query.region_view[0], self.query.region_view[3] = self.x - self.radius, self.x + self.radius
        self.query.region_view[1], self.query.region_view[4] = self.y - self.radius, self.y + self.radius
        self.query.region_view[2], self.query.region_view[5] = self.z - self.radius, self.z + self.radius

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def keep_nearest(self, grid: FrozenGrid) -> cython.Py_ssize_t:
        """Keep the nearest boxes of one index up to `farthest`, a squared distance; return how many are around."""
        at: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        row: cython.Py_ssize_t
        gap_x: cython.longlong
        gap_y: cython.longlong
        gap_z: cython.longlong
        square: cython.longlong
        x: cython.longlong = self.x
        y: cython.longlong = self.y
        z: cython.longlong = self.z
        faces: cython.p_longlong = (
            cython.address(grid.index.boxes.faces_view[0]) if cython.compiled else grid.index.boxes.faces_view
        )
        hits: cython.Py_ssize_t = self.query.find_hits(grid, 0)
        has_shapes: cython.bint = self.query.columns.shaped_count > 0
        for at in range(hits):
            slot = grid.hits_view[at]
            row = grid.index.boxes.owner_view[slot]
            if has_shapes and self.query.columns.flags_view[row] & _SHAPED and self.query.is_counted(row):
                self.has_parts = True
                return hits
            gap_x = max(faces[8 * slot] - x, x - faces[8 * slot + 3], 0)
            gap_y = max(faces[8 * slot + 1] - y, y - faces[8 * slot + 4], 0)
            gap_z = max(faces[8 * slot + 2] - z, z - faces[8 * slot + 5], 0)
            if gap_z > self.radius:  # possible in 2D, where round parts may reach out of the plane
                continue
            square = gap_x * gap_x + gap_y * gap_y + gap_z * gap_z
            if square <= self.farthest and self.query.is_counted(row):
                self.keep(square, self.query.columns.ids_view[row], self.query.columns.count_view[row] > 1)
        return hits

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def keep(self, square: cython.longlong, id: cython.longlong, is_repeated: cython.bint) -> cython.void:
        """Insert a body among the nearest ones, by squared distance, then by id; each body once."""
        at: cython.Py_ssize_t
        if is_repeated:
            for at in range(self.count):
                if self.ids_view[at] == id:
                    if self.squares_view[at] <= square:
                        return
                    self.drop(at)
                    break
        at = self.count
        if at == self.wanted:
            at -= 1
            if square == self.squares_view[at] and id > self.ids_view[at]:
                return
        else:
            self.count += 1
        while at > 0 and (
            self.squares_view[at - 1] > square or (self.squares_view[at - 1] == square and self.ids_view[at - 1] > id)
        ):
            self.squares_view[at], self.ids_view[at] = self.squares_view[at - 1], self.ids_view[at - 1]
            at -= 1
        self.squares_view[at], self.ids_view[at] = square, id
        if self.count == self.wanted:
            self.farthest = self.squares_view[self.count - 1]

    @cython.cfunc
    @cython.exceptval(check=False)
    def drop(self, at: cython.Py_ssize_t) -> cython.void:
        """Remove one of the nearest bodies."""
        self.count -= 1
        while at < self.count:
            self.squares_view[at], self.ids_view[at] = self.squares_view[at + 1], self.ids_view[at + 1]
            at += 1

    @cython.cfunc
    def nearest_kept(self, limit: cython.double) -> list:  # type: ignore[type-arg]
        """Return the nearest bodies up to a distance."""
        at: cython.Py_ssize_t
        found: list = []  # type: ignore[type-arg]
        for at in range(self.count):
            distance: cython.double = sqrt(cython.cast(cython.double, self.squares_view[at])) * _LATTICE
            if distance > limit:
                break
            hit = new_object(_NEAREST)
            set_slot(hit, _FIELDS[0], self.ids_view[at])
            set_slot(hit, _FIELDS[1], distance)
            found.append(hit)
        return found

    @cython.ccall
    def within(
        self,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        radius: cython.longlong,
        only_nearest: cython.bint,
    ) -> list:  # type: ignore[type-arg]
        """Return (entity, gap on x, on y, on z) of the included boxes within a radius of a point, in no order.

        All in lattice units, the squares rounded up: some boxes are returned that are slightly farther away. A body
        comes once for each of its boxes. Those of bodies with other parts are in `parts` instead. only_nearest: boxes
        that are farther away than one found before may be left out.
        """
        found: list = []  # type: ignore[type-arg]
        self.parts = []
        self.only_nearest = only_nearest
        self.limit = cython.cast(cython.double, radius) * cython.cast(cython.double, radius) * _SLACK
        self.x, self.y, self.z = x, y, z
        self.query.set_region((x - radius, y - radius, z - radius, x + radius, y + radius, z + radius))
        self.query.dynamic.prepare(1)
        self.query.static.prepare(1)
        self.add_near(self.query.dynamic, found)
        self.add_near(self.query.static, found)
        return found

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add_near(self, grid: FrozenGrid, found: list) -> cython.int:  # type: ignore[type-arg]
        """Add the boxes of one index up to the limit, a squared distance."""
        at: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        row: cython.Py_ssize_t
        gap_x: cython.longlong
        gap_y: cython.longlong
        gap_z: cython.longlong
        x: cython.double
        y: cython.double
        z: cython.double
        square: cython.double
        faces: cython.p_longlong = (
            cython.address(grid.index.boxes.faces_view[0]) if cython.compiled else grid.index.boxes.faces_view
        )
        for at in range(self.query.find_hits(grid, 0)):
            slot = grid.hits_view[at]
            row = grid.index.boxes.owner_view[slot]
            if not self.query.is_counted(row):
                continue
            if self.query.columns.flags_view[row] & _SHAPED:
                self.query.columns.place_part(self.part, grid.index.boxes, slot, 0, 0, 0)
                self.parts.append((self.query.columns.ids_view[row], self.distance_to_part()))
                continue
            gap_x = axis_gap(self.x, self.x, faces[8 * slot], faces[8 * slot + 3])
            gap_y = axis_gap(self.y, self.y, faces[8 * slot + 1], faces[8 * slot + 4])
            gap_z = axis_gap(self.z, self.z, faces[8 * slot + 2], faces[8 * slot + 5])
            x, y, z = gap_x, gap_y, gap_z
            square = x * x + y * y + z * z
            if square <= self.limit:
                found.append((self.query.columns.ids_view[row], gap_x, gap_y, gap_z))
                if self.only_nearest:
                    self.limit = square * _SLACK
        return 0

    @cython.cfunc
    def distance_to_part(self) -> object:
        """Return the `surface_distance` of the part."""
        part: PlacedPart = self.part
        if part.is_turned:
            distance: cython.double = turned_distance_to_point(part, self.x, self.y, self.z) - part.radius
            return int(distance * _SCALE) if distance > 0.0 else 0
        return surface_distance(
            axis_gap(self.x, self.x, part.lox, part.hix),
            axis_gap(self.y, self.y, part.loy, part.hiy),
            axis_gap(self.z, self.z, part.loz, part.hiz),
            part.radius,
        )


def nearest_of(
    within: Callable[[int], Found], includes: Callable[[int], object] | None, k: int, limit: float, bin_shift: int
) -> list[Nearest]:
    """Return the `k` nearest bodies up to a distance, by distance and then by id.

    `within` returns the parts within a radius, and possibly some that are farther away. The squares of distances to
    boxes are compared; if there are other parts, `surface_distance` of all.
    """
    reach = _FARTHEST if limit * PER_UNIT >= _FARTHEST else math.floor(limit * PER_UNIT) + 1
    radius = min(FIRST_RADIUS << bin_shift, reach)
    answers: dict[int, object] = {}
    while True:
        boxes, parts = within(radius)
        reached = radius * SCALE if parts else radius * radius
        squares = [(_square(gaps), gaps[0]) for gaps in boxes]
        distances = [(_root(square) if parts else square, entity, math.sqrt(square)) for square, entity in squares]
        distances += [(away, entity, away / SCALE) for entity, away in parts]
        near: dict[int, float] = {}  # the distance of each body, nearest first
        for key, entity, away in sorted(distances):
            if key <= reached and entity not in near:
                if includes is not None and entity not in answers:
                    answers[entity] = includes(entity)
                if includes is None or answers[entity]:
                    near[entity] = away
        if len(near) >= k or radius == reach:
            break
        radius = min(reach, 2 * radius)
    hits = [(entity, away * LATTICE) for entity, away in itertools.islice(near.items(), k)]
    return [build_event(Nearest, hit) for hit in hits if hit[1] <= limit]


def inside_circle(found: Found, radius: int) -> list[int]:
    """Return the entities of parts closer than a radius, sorted."""
    boxes, parts = found
    entities = {each[0] for each in boxes if _square(each) < radius * radius}
    entities.update(entity for entity, away in parts if away < radius * SCALE)
    return sorted(entities)


def surface_distance(x: int, y: int, z: int, radius: int = 0) -> int:
    """Return the distance to the surface around a core, rounded down to 1 / SCALE lattice units; 0 inside (H7).

    x, y, z: the gaps to the core, in lattice units.
    """
    return max(0, _root(x * x + y * y + z * z) - radius * SCALE)


def _root(square: int) -> int:
    return math.isqrt(square * SCALE * SCALE)


def _square(gaps: Gaps) -> int:
    _, x, y, z = gaps
    return x * x + y * y + z * z


def radius_of(radius: object) -> int:
    """Return a radius in lattice units; raises an error if it is negative or too large."""
    return to_units(finite(radius, "radius", minimum=0.0))
