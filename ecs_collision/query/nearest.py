# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The bodies nearest to a point, and those within a circle or sphere, exactly (rules Q4, Q5 and H7).

`NearQuery` finds the parts within a radius; the functions behind it decide which of their bodies count.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.shapes.overlap import axis_gap, turned_distance_to_point
else:
    from ecs_collision.shapes.overlap import axis_gap, turned_distance_to_point

from ecs_collision.bodies.columns import SHAPED
from ecs_collision.broadphase.frozen_grid import FrozenGrid
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE, finite, to_units
from ecs_collision.query.overlap import OverlapQuery
from ecs_collision.results import build_event
from ecs_collision.shapes.overlap import PlacedPart

Gaps = tuple[int, int, int, int]
"""An entity, and the gaps between a point and a box of it on each axis, in lattice units."""
Distance = tuple[int, int]
"""An entity, and the `surface_distance` of a part of it."""
Found = tuple[list[Gaps], list[Distance]]
"""The boxes and the other parts near a point."""

FIRST_RADIUS = 2
"""How far the first search looks, in bins. Each further one looks twice as far."""

SCALE = 1 << 64
"""Distances to round parts are compared in this part of a lattice unit."""

_FARTHEST = int(4 * MAX_COORDINATE / LATTICE)
"""No box is farther from a point than this, in lattice units."""

_SHAPED = cython.declare(cython.int, SHAPED)
_SCALE = cython.declare(cython.double, float(SCALE))
_SLACK = cython.declare(cython.double, 1.0 + 2.0**-40)


@dataclass(frozen=True, slots=True)
class Nearest:
    """A body near a point.

    `distance` is from the point to the nearest part of the body, in world units, 0 inside. To a box it is exact if it
    is along an axis, and otherwise rounded.
    """

    entity: int
    distance: float


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
            gap_x = axis_gap(self.x, self.x, faces[6 * slot], faces[6 * slot + 3])
            gap_y = axis_gap(self.y, self.y, faces[6 * slot + 1], faces[6 * slot + 4])
            gap_z = axis_gap(self.z, self.z, faces[6 * slot + 2], faces[6 * slot + 5])
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
    reach = _FARTHEST if limit == math.inf else min(_FARTHEST, math.floor(limit / LATTICE) + 1)
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
