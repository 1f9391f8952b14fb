# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The straight line of a body and its fused group: what it meets first, and where it fits (rules M9, M10, H8).

A cast and a comparison with the bounds for each segment. Rounding a place to the lattice keeps the order of all faces,
so boxes parallel to the axes that are apart there stay apart. It may lead round and turned parts into each other, also
into what the line only passes closely, so with these the place is checked.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import MEETS, SOLID, Columns, GroupLinks
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.events import DIRECTIONS, Vector
from ecs_collision.query.cast import CastQuery
from ecs_collision.query.contact import contact_between
from ecs_collision.query.overlap import OVERLAPPING, OverlapQuery
from ecs_collision.settings import Settings
from ecs_collision.shapes.overlap import PlacedPart

Units = tuple[int, int, int]

_MEETS = bytes([relation & MEETS for relation in range(256)])

# C copies: compiled code would look the names above up as Python objects.
_SOLID = cython.declare(cython.int, SOLID)
_OVERLAPPING = cython.declare(cython.int, OVERLAPPING)


@cython.final
@cython.cclass
class Met:
    """What a line meets, when / step of it behind: a row, -1 for the bounds, and the normal that points out of it."""

    def __init__(self, when: int, step: int, row: int, normal: Vector) -> None:
        self.when, self.step, self.row, self.normal = when, step, row, normal


@cython.final
@cython.cclass
class LineCast:
    """The parts of one group that move, shifted by what they have gone, and the rows that they pass.

    Call `begin` for each motion. Parts are listed by the filter class of their row. `lows` and `highs` are the lowest
    and the highest faces by axis.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self._bodies = bodies
        self._columns: Columns = bodies.columns
        self._links: GroupLinks = bodies.group_links
        self._boxes: BoxPool = bodies.dynamic.boxes
        self._query = OverlapQuery(bodies.columns, bodies.dynamic, bodies.static)
        self._cast = CastQuery(self._query)
        self._rows: list[int] = []
        self._ignored: list[int] = []
        self._parts: dict[int, list[PlacedPart]] = {}
        self._allowed: dict[int, array[int]] = {}
        self._bounds, self._lows, self._highs = array("q", bytes(48)), array("q", bytes(24)), array("q", bytes(24))
        self._bound_lows, self._bound_highs = array("q", settings.low), array("q", settings.high)
        self._range_low, self._range_high = settings.range_low, settings.range_high
        self._has_gone = self._is_solid = False

    def begin(self, row: cython.int) -> cython.int:
        """Start a line of a row and its group. What it passes through already does not count (M9)."""
        each: cython.int
        axis: cython.int
        columns: Columns = self._columns
        self._rows = self._links.rows_of(row) if self._links.is_fused(row) else [row]
        self._ignored = list(self._rows)
        self._parts, self._has_gone, self._is_solid = {}, False, False
        for axis in range(3):
            self._lows[axis], self._highs[axis] = self._range_high, self._range_low
        for each in self._rows:
            if columns.flags_view[each] & _SOLID and columns.count_view[each] > 0:
                self._is_solid = True
                self._add_parts(each)
                if columns.passing_count:
                    self._ignored += self._bodies.passing.others(each)
        for each in self._rows:
            if not self._is_solid or columns.flags_view[each] & _SOLID:
                self._add_extent(each)
        return 0

    def _add_parts(self, row: cython.int) -> cython.int:
        columns: Columns = self._columns
        slot: cython.Py_ssize_t
        width: cython.Py_ssize_t = columns.width
        kind: cython.int = columns.classes_view[row]
        if kind not in self._parts:
            self._parts[kind] = []
            relation = columns.relation[kind * width : (kind + 1) * width]
            self._allowed[kind] = array("b", relation.tobytes().translate(_MEETS))
        for slot in range(columns.first_view[row], columns.first_view[row] + columns.outer_view[row]):
            part: PlacedPart = PlacedPart()
            columns.place_part(part, self._boxes, slot, 0, 0, 0)
            self._parts[kind].append(part)
        return 0

    def _add_extent(self, row: cython.int) -> cython.int:
        slot: cython.Py_ssize_t
        axis: cython.int
        columns: Columns = self._columns
        for slot in range(columns.first_view[row], columns.first_view[row] + columns.outer_view[row]):
            for axis in range(3):
                self._lows[axis] = min(self._lows[axis], self._boxes.faces_view[8 * slot + axis])
                self._highs[axis] = max(self._highs[axis], self._boxes.faces_view[8 * slot + 3 + axis])
        return 0

    def ignore(self, rows: Iterable[int]) -> None:
        """Pass rows from now on."""
        self._ignored += rows

    def first(self, way: tuple) -> Any:  # type: ignore[type-arg]
        """Return the first row that is met on a displacement, of several the one with the lowest id."""
        found: Met | None = None
        met: Met | None
        cast: CastQuery = self._cast
        entity: cython.longlong = -1
        for kind, parts in self._parts.items():
            self._query.filter(False, self._allowed[kind], self._ignored)
            cast.set_way(parts, way, self._rows[0])
            hit = cast.first()
            if hit is None:
                continue
            met = Met(cast.when, cast.step, cast.row, hit.normal)
            if found is None or _is_before(met, cast.entity, found, entity):
                found, entity = met, cast.entity
        return found

    def wall(self, way: tuple) -> Any:  # type: ignore[type-arg]
        """Return where the bounds are met on a displacement (P18), None if they are not.

        Triggers meet only the range of the index.
        """
        axis: cython.int
        found: Met | None = None
        for axis in range(3):
            by: cython.longlong = way[axis]
            low: cython.longlong = self._bound_lows[axis] if self._is_solid else self._range_low
            high: cython.longlong = self._bound_highs[axis] if self._is_solid else self._range_high
            if by > 0:
                gap: cython.longlong = (high if self._highs[axis] <= high else self._range_high) - self._highs[axis]
            else:
                gap = self._lows[axis] - (low if self._lows[axis] >= low else self._range_low)
            if gap < abs(by):
                met: Met = Met(gap, abs(by), -1, DIRECTIONS[axis][by > 0])
                if found is None or is_earlier(met, found):
                    found = met
        return found

    def deepens(self, row: int, way: Units) -> Vector | None:
        """Return the normal of a row that overlaps from the start if the displacement goes deeper into it (P9)."""
        if self._has_gone:  # a rounding error of turned parts
            return facing(way)
        for member in self._rows:
            contact = contact_between(self._bodies, member, row) if self._columns.may_meet(member, row) else None
            if contact is not None:
                x, y, z = contact.normal
                if x * way[0] + y * way[1] + z * way[2] > 0.0:
                    return (0.0 - x, 0.0 - y, 0.0 - z)
        return None

    def fit(self, way: Units, target: Units) -> tuple[Units, int]:
        """Return the last place up to `target`, back along the displacement, where nothing is overlapped (M10).

        Beside it is the row that is in the way there, -1 for none. Only rounding leads into anything that the line
        passes closely, so this is a step of one unit back, or two.
        """
        row = self._overlapped(target)
        if row < 0:
            return target, -1
        length, back = max(map(abs, way)), 1
        at = max([abs(by) * length // abs(of) for by, of in zip(target, way, strict=True) if of])
        while at > 0:
            at, back = max(0, at - back), 2 * back
            target = cut(way, at, length)
            if self._overlapped(target) < 0:
                break
        return target, row

    def _overlapped(self, by: tuple) -> cython.int:  # type: ignore[type-arg]
        """Return the row with the lowest id that is overlapped after a displacement, -1 for none."""
        part: PlacedPart
        found: list = []  # type: ignore[type-arg]
        b: cython.longlong[::1] = self._bounds
        x: cython.longlong = by[0]
        y: cython.longlong = by[1]
        z: cython.longlong = by[2]
        for kind, parts in self._parts.items():
            self._query.filter(False, self._allowed[kind], self._ignored)
            for part in parts:
                part.shift(x, y, z)
                try:
                    part.surround(self._bounds)
                    found += self._query.find_around_part(_OVERLAPPING, part, (b[0], b[1], b[2], b[3], b[4], b[5]))
                finally:
                    part.shift(-x, -y, -z)
        return self._bodies.row_of[min(found)] if found else -1

    def advance(self, by: tuple) -> cython.int:  # type: ignore[type-arg]
        """Go on to a place."""
        part: PlacedPart
        axis: cython.int
        x: cython.longlong = by[0]
        y: cython.longlong = by[1]
        z: cython.longlong = by[2]
        if x == 0 and y == 0 and z == 0:
            return 0
        self._has_gone = True
        for parts in self._parts.values():
            for part in parts:
                part.shift(x, y, z)
        for axis in range(3):
            step: cython.longlong = by[axis]
            self._lows[axis] += step
            self._highs[axis] += step
        return 0


def _is_before(a: Met, entity: cython.longlong, b: Met, other: cython.longlong) -> cython.bint:
    """Return whether a body is met before another; of two at one time the one with the lower id."""
    if is_earlier(a, b) or is_earlier(b, a):
        return bool(is_earlier(a, b))
    return entity < other


def is_earlier(a: Met, b: Met) -> cython.bint:
    """Return whether one thing is met before another."""
    when: Any = a.when
    later: Any = b.when
    return bool(when * b.step < later * a.step)


def cut(way: Units, when: int, step: int) -> Units:
    """Return a displacement up to when / step of it, rounded towards the start."""
    x, y, z = [abs(by) * when // step if by > 0 else -(abs(by) * when // step) for by in way]
    return (x, y, z)


def facing(way: Units) -> Vector:
    """Return the unit vector against the longest axis of a displacement."""
    lengths = [abs(by) for by in way]
    axis = lengths.index(max(lengths))
    return DIRECTIONS[axis][way[axis] > 0]
