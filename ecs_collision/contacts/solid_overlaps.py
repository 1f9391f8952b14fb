"""Which pairs of solid bodies overlap, and which began to (rule T11). Idle until the events are subscribed to.

Motions never begin an overlap of a solid pair. So at the end of a frame only the bodies that were written are searched
from, and of the displaced ones those of known pairs, which may have ended. Not taken: comparing the boxes of written
bodies with those at the end of the last frame, because filters, shapes and groups would have to be stored as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import MEETS, SOLID, STATIC
from ecs_collision.query.overlap import OVERLAPPING, OverlapQuery

Pair = tuple[int, int]


class SolidOverlaps:
    """The pairs of solid bodies that overlapped at the end of the last frame, groups under the row of their leader.

    `known` has the others by row, both ways round. `written` are the rows that were written since the last frame; it
    may contain more. A pair that overlaps is known, or one of its rows is written or dirty. `start_count` counts how
    often tracking started.
    """

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._query = OverlapQuery(bodies.columns, bodies.dynamic, bodies.static)
        self._known: dict[int, set[int]] = {}
        self._written: set[int] = set()
        self._changes: list[tuple[int, int, bool]] = []
        self.is_tracking = False
        self.start_count = 0

    def start(self, is_first_frame: bool) -> None:
        """Track from now on. What overlaps now is known; in the first frame nothing is, and every body was written."""
        pairs = [] if is_first_frame else list(self.pairs_now())
        self.stop()
        if is_first_frame:
            self._written.update(self._bodies.row_of.values())
        for a, b in pairs:
            self._add(a, b)
        self.start_count += 1
        self.is_tracking = True

    def stop(self) -> None:
        """Track no longer."""
        self.is_tracking = False
        self._known, self._written, self._changes = {}, set(), []

    def add_written(self, rows: Iterable[int]) -> None:
        """Record rows whose pairs may begin in this frame."""
        self._written.update(rows)

    def release(self, row: int) -> None:
        """Forget the pairs of a body that is being removed: one that gets its id is another body (E3)."""
        for other in list(self._known.get(row, ())):
            self._remove(row, other)

    def find_begun(self) -> list[Pair]:
        """Update the known pairs to the current state; return the ids (a, b) of those that began, a < b."""
        dirty, leader, entity = self._bodies.dirty_rows, self._bodies.group_links.leader, self._bodies.entity
        changed = dirty.rows[: dirty.count]
        if not (changed or self._written):
            return []
        written = self._written.union(dirty.altered_rows())
        names = {leader[row] for row in written}
        names.update(self._known.keys() & changed)
        begun = []
        for name in names:
            now, before = self._overlapping(name), set(self._known.get(name, ()))
            for other in now - before:
                self._add(name, other)
                a, b = sorted((entity(name), entity(other)))
                begun.append((a, b))
            for other in before - now:
                self._remove(name, other)
        self._written = set()
        return begun

    # Overlaps now.

    def _overlapping(self, name: int) -> set[int]:
        """Return the leaders of all groups that a group overlaps; none if the row is no leader, or no body any more."""
        bodies, leader = self._bodies, self._bodies.group_links.leader
        found: set[int] = set()
        if bodies.parts[name] is None or leader[name] != name:
            return found
        self._query.filter(False, None, [])
        for row in bodies.group_links.rows_of(name):
            if bodies.has(row, SOLID):
                others = [bodies.row_of[id] for id in self._query.find_around_row(OVERLAPPING, row)]
                found.update(leader[other] for other in others if self._may_overlap(row, other))
        return found

    def pairs_now(self) -> Iterator[Pair]:
        """Yield all pairs of leaders that overlap now; each may come more than once. O(bodies and their pairs)."""
        for name in self._bodies.rows():
            for other in self._overlapping(name):
                yield name, other

    def _may_overlap(self, a: int, b: int) -> bool:
        """Return whether two solid rows that overlap are a pair: they may meet, and are not of one group or static.

        Rows that pass through each other (M5, M9) are no pair.
        """
        columns, leader = self._bodies.columns, self._bodies.group_links.leader
        return (
            leader[a] != leader[b]
            and not columns.flags[a] & columns.flags[b] & STATIC
            and not columns.passes(a, b)
            and bool(columns.relation[columns.classes[a] * columns.width + columns.classes[b]] & MEETS)
        )

    # Known pairs. Each change is recorded first, so that an interrupted one can be rolled back.

    def _add(self, a: int, b: int) -> None:
        self._changes.append((a, b, True))
        self._known.setdefault(a, set()).add(b)
        self._known.setdefault(b, set()).add(a)

    def _remove(self, a: int, b: int) -> None:
        self._changes.append((a, b, False))
        for row, other in ((a, b), (b, a)):
            others = self._known.get(row, set())
            others.discard(other)
            if not others:
                self._known.pop(row, None)

    def mark(self) -> set[int]:
        """Return the state for `rollback`. O(1)."""
        self._changes = []
        return self._written

    def rollback(self, mark: set[int]) -> None:
        """Restore the pairs of the last `mark`. Rows written since then stay listed; that only costs a search."""
        for a, b, added in reversed(self._changes):
            if added:
                self._remove(a, b)
            else:
                self._add(a, b)
        self._changes, self._written = [], mark

    # Snapshots.

    def records(self) -> list[Pair]:
        """Return the known pairs of rows, the lower id first, in the order of ids."""
        entity = self._bodies.entity
        pairs = [(a, b) for a, others in self._known.items() for b in others if entity(a) < entity(b)]
        return sorted(pairs, key=lambda pair: (entity(pair[0]), entity(pair[1])))

    def restore(self, pairs: Iterable[Pair] | None) -> None:
        """Replace the known pairs; None takes those that overlap now. What was changed counts as written."""
        dirty, known = self._bodies.dirty_rows, set(self.records())
        entity = self._bodies.entity
        if pairs is None:
            pairs = ((a, b) if entity(a) < entity(b) else (b, a) for a, b in self.pairs_now())
        wanted = set(pairs)
        for a, b in known - wanted:
            self._remove(a, b)
        for a, b in wanted - known:
            self._add(a, b)
        self.add_written(row for pair in known ^ wanted for row in pair)
        self.add_written(dirty.rows[: dirty.count])

    # Checking.

    def faults(self) -> Iterator[str]:
        """Yield the pairs whose overlap is not known, or is known and wrong, though none of the two has changed."""
        dirty, entity = self._bodies.dirty_rows, self._bodies.entity
        changed = {*dirty.rows[: dirty.count], *self._written}
        changed |= {self._bodies.group_links.leader[row] for row in changed}
        known = {(a, b) for a, others in self._known.items() for b in others}
        if known != {(b, a) for a, b in known} or (known and not self.is_tracking):
            yield "the known overlaps of solid bodies are damaged"
        now = {pair for a, b in self.pairs_now() for pair in ((a, b), (b, a))} if self.is_tracking else set()
        for a, b in sorted(now ^ known):
            if changed.isdisjoint((a, b)):
                yield f"the overlap of {entity(a)} and {entity(b)} is {'stale' if (a, b) in known else 'missing'}"
