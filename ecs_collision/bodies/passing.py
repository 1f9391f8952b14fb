"""The pairs of bodies that pass through each other because one crushes or crosses the other (rules M8, M9).

A pair begins when a motion ends inside the body that it crushes or crosses, and ends as soon as the two no
longer overlap. In between it is no solid pair. Whether a pair is listed is in the columns, where kernels look it up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ecs_collision.shapes.overlap import PlacedPart, separation

if TYPE_CHECKING:
    from ecs_collision.bodies.table import Bodies

Pair = tuple[int, int]


class Passing:
    """The pairs of rows in `Columns.passing`, by row, with an undo record.

    A pair that begins or ends changes what its bodies report, so both count as altered (C2, T11).
    """

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._columns = bodies.columns
        self._others: dict[int, set[int]] = {}
        self._changes: list[tuple[int, int, bool]] = []
        self._part, self._other_part = PlacedPart(), PlacedPart()

    def others(self, row: int) -> Iterable[int]:
        """Return the rows that a row passes through now."""
        return self._others.get(row, ())

    def overlap(self, row: int, other: int) -> bool:
        """Return whether any parts of two rows overlap."""
        columns = self._columns
        boxes, their_boxes = self._bodies.grid_of(row).boxes, self._bodies.grid_of(other).boxes
        first, their_first = columns.first[row], columns.first[other]
        for slot in range(first, first + columns.outer[row]):
            columns.place_part(self._part, boxes, slot, 0, 0, 0)
            for their_slot in range(their_first, their_first + columns.outer[other]):
                columns.place_part(self._other_part, their_boxes, their_slot, 0, 0, 0)
                if separation(self._part, self._other_part) == 0:
                    return True
        return False

    def add(self, row: int, other: int) -> None:
        """Add a pair, if it is not there."""
        a, b = min(row, other), max(row, other)
        if (a, b) not in self._columns.passing:
            self._changes.append((a, b, True))
            self._add(a, b)

    def drop_apart(self, rows: Iterable[int] | None = None) -> None:
        """Drop the pairs that no longer overlap; only those of `rows`, if they are given."""
        for row in sorted(self._others) if rows is None else rows:
            for other in sorted(self._others.get(row, ())):
                if not self.overlap(row, other):
                    self._drop(row, other)

    def release(self, row: int) -> None:
        """Drop the pairs of a body that is being removed."""
        for other in sorted(self._others.get(row, ())):
            self._drop(row, other)

    def _drop(self, row: int, other: int) -> None:
        a, b = min(row, other), max(row, other)
        self._changes.append((a, b, False))
        self._remove(a, b)

    def _add(self, a: int, b: int) -> None:
        self._columns.passing.add((a, b))
        self._others.setdefault(a, set()).add(b)
        self._others.setdefault(b, set()).add(a)
        self._note(a, b)

    def _remove(self, a: int, b: int) -> None:
        self._columns.passing.discard((a, b))
        for row, other in ((a, b), (b, a)):
            others = self._others.get(row, set())
            others.discard(other)
            if not others:
                self._others.pop(row, None)
        self._note(a, b)

    def _note(self, a: int, b: int) -> None:
        self._columns.passing_count = len(self._columns.passing)
        for row in (a, b):
            self._bodies.dirty_rows.add(row, True)

    # Undo.

    def mark(self) -> None:
        """Start an undo record."""
        self._changes.clear()

    def rollback(self, mark: None = None) -> None:
        """Undo all changes since `mark`."""
        for a, b, added in reversed(self._changes):
            if added:
                self._remove(a, b)
            else:
                self._add(a, b)
        self._changes.clear()

    # Snapshots and checks.

    def records(self) -> list[Pair]:
        """Return the pairs of rows, the lower id first, in the order of ids."""
        entity = self._bodies.entity
        pairs = [(a, b) if entity(a) < entity(b) else (b, a) for a, b in self._columns.passing]
        return sorted(pairs, key=lambda pair: (entity(pair[0]), entity(pair[1])))

    def restore(self, pairs: Iterable[Pair]) -> None:
        """Replace the pairs by others."""
        wanted = {(min(pair), max(pair)) for pair in pairs}
        for a, b in sorted(self._columns.passing - wanted):
            self._drop(a, b)
        for a, b in sorted(wanted):
            self.add(a, b)

    def faults(self) -> Iterator[str]:
        """Yield faults of the pairs; all changes have been applied."""
        columns, entity = self._columns, self._bodies.entity
        listed = {(min(row, other), max(row, other)) for row, others in self._others.items() for other in others}
        if listed != columns.passing or columns.passing_count != len(listed):
            yield "the pairs of bodies that pass through each other are damaged"
        for a, b in sorted(columns.passing):
            if self._bodies.parts[a] is None or self._bodies.parts[b] is None:
                yield "a body that is gone passes through another"
            elif not self.overlap(a, b):
                yield f"entities {entity(a)} and {entity(b)} pass through each other, but they do not overlap"
