"""The straight line of a body and its fused group: what it meets first, and where it fits (rules M9, M10, H8)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import NamedTuple

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import MEETS, SOLID
from ecs_collision.events import DIRECTIONS, Vector
from ecs_collision.query.cast import CastQuery
from ecs_collision.query.contact import contact_between
from ecs_collision.query.overlap import OVERLAPPING, OverlapQuery
from ecs_collision.settings import Settings
from ecs_collision.shapes.overlap import PlacedPart

Units = tuple[int, int, int]

_MEETS = bytes([relation & MEETS for relation in range(256)])

_NO_NORMAL: Vector = (0.0, 0.0, 0.0)


class Met(NamedTuple):
    """What a line meets, when / step of it behind: a row, -1 for the bounds, and the normal that points out of it."""

    when: int
    step: int
    row: int
    normal: Vector


class LineCast:
    """The parts of one group that move, shifted by what they have gone, and the rows that they pass.

    Call `begin` for each motion.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self._bodies, self._settings = bodies, settings
        self._columns = bodies.columns
        self._query = OverlapQuery(bodies.columns, bodies.dynamic, bodies.static)
        self._cast = CastQuery(self._query)
        self._rows: list[int] = []
        self._ignored: list[int] = []
        self._parts: dict[int, list[PlacedPart]] = {}
        self._allowed: dict[int, array[int]] = {}
        self._extents: list[tuple[int, int, int, int]] = []
        self._bounds = array("q", bytes(48))
        self._has_gone = False

    def begin(self, row: int) -> None:
        """Start a line of a row and its group. What it passes through already does not count (M9)."""
        columns, bodies = self._columns, self._bodies
        self._rows = bodies.group_links.rows_of(row)
        self._ignored = list(self._rows)
        self._parts, self._allowed, self._has_gone = {}, {}, False
        for each in self._rows:
            if columns.flags[each] & SOLID and columns.count[each]:
                self._add_parts(each)
                if columns.passing_count:
                    self._ignored += bodies.passing.others(each)
        self._extents = [self._extent(axis) for axis in range(3)]

    def _add_parts(self, row: int) -> None:
        columns, boxes, kind = self._columns, self._bodies.dynamic.boxes, self._columns.classes[row]
        if kind not in self._parts:
            width = columns.width
            self._parts[kind] = []
            self._allowed[kind] = array(
                "b", columns.relation[kind * width : (kind + 1) * width].tobytes().translate(_MEETS)
            )
        for slot in range(columns.first[row], columns.first[row] + columns.outer[row]):
            part = PlacedPart()
            columns.place_part(part, boxes, slot, 0, 0, 0)
            self._parts[kind].append(part)

    def _extent(self, axis: int) -> tuple[int, int, int, int]:
        """Return the lowest and the highest face on an axis, and how far they may go; triggers only leave the index."""
        settings, bodies = self._settings, self._bodies
        is_solid = bool(self._parts)
        low, high = (settings.low[axis], settings.high[axis]) if is_solid else (settings.range_low, settings.range_high)
        boxes = [
            box
            for row in self._rows
            if not is_solid or self._columns.flags[row] & SOLID
            for box in bodies.outer_boxes(row)
        ]
        return min(box[axis] for box in boxes), max(box[axis + 3] for box in boxes), low, high

    def ignore(self, rows: Iterable[int]) -> None:
        """Pass rows from now on."""
        self._ignored += rows

    def first(self, way: Units) -> Met | None:
        """Return the first row that is met on a displacement, of several the one with the lowest id."""
        found, entity = None, -1
        for kind, parts in self._parts.items():
            self._query.filter(False, self._allowed[kind], self._ignored)
            self._cast.set_way(parts, way)
            hit = self._cast.first()
            if hit is None:
                continue
            met = Met(self._cast.when, self._cast.step, self._cast.row, hit.normal)
            order = 0 if found is None else met.when * found.step - found.when * met.step
            if found is None or order < 0 or (order == 0 and hit.entity < entity):
                found, entity = met, hit.entity
        return found

    def wall(self, way: Units) -> Met | None:
        """Return where the bounds are met on a displacement (P18), None if they are not."""
        found = None
        range_low, range_high = self._settings.range_low, self._settings.range_high
        for axis, by in enumerate(way):
            lowest, highest, low, high = self._extents[axis]
            if by > 0:
                gap = (high if highest <= high else range_high) - highest
            else:
                gap = lowest - (low if lowest >= low else range_low)
            if gap < abs(by) and (found is None or gap * found.step < found.when * abs(by)):
                found = Met(gap, abs(by), -1, DIRECTIONS[axis][by > 0])
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
        at = max(abs(by) * length // abs(of) for by, of in zip(target, way, strict=True) if of)
        while at > 0:
            at, back = max(0, at - back), 2 * back
            target = cut(way, at, length)
            if self._overlapped(target) < 0:
                break
        return target, row

    def _overlapped(self, by: Units) -> int:
        """Return the row with the lowest id that is overlapped after a displacement, -1 for none."""
        found: list[int] = []
        x, y, z = by
        for kind, parts in self._parts.items():
            self._query.filter(False, self._allowed[kind], self._ignored)
            for part in parts:
                part.shift(x, y, z)
                try:
                    part.surround(self._bounds)
                    found += self._query.find_around_part(OVERLAPPING, part, tuple(self._bounds))
                finally:
                    part.shift(-x, -y, -z)
        return self._bodies.row_of[min(found)] if found else -1

    def advance(self, by: Units) -> None:
        """Go on to a place."""
        if not any(by):
            return
        self._has_gone = True
        for parts in self._parts.values():
            for part in parts:
                part.shift(*by)
        self._extents = [
            (low + step, high + step, least, most)
            for (low, high, least, most), step in zip(self._extents, by, strict=True)
        ]


def cut(way: Units, when: int, step: int) -> Units:
    """Return a displacement up to when / step of it, rounded towards the start."""
    x, y, z = [abs(by) * when // step if by > 0 else -(abs(by) * when // step) for by in way]
    return (x, y, z)


def facing(way: Units) -> Vector:
    """Return the unit vector against the longest axis of a displacement."""
    axis = max(range(3), key=lambda each: (abs(way[each]), -each))
    return DIRECTIONS[axis][way[axis] > 0]
