# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The impulses of the contacts of the last step, from which the next one starts (rule I8)."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

_LONGS, _INTS, _DOUBLES = array("q", [0]), array("i", [0]), array("d", [0.0])

BOUNDS = -1
"""The bounds of the world as the first body of a contact."""

KEPT_VALUES = 7
"""Numbers of a kept contact: the impulse along the normal; x, y, z of that across it; x, y, z of that of rolling."""

KeptRecord = tuple[int, int, int, int, int, float, float, float, float, float, float, float]
"""Two ids, their parts, the number of the point, and the numbers of `KEPT_VALUES`."""


@cython.final
@cython.cclass
class KeptImpulses:
    """Contact points with an impulse, sorted by (first id, second id, first part, second part, point).

    The first id is lower than the second. For the bounds of the world it is -1 and its part is the side: 0 to 2 for the
    low x, y and z, 3 to 5 for the high ones. Impulses are in mass times units a second and act on the second body.
    Arrays are never written after a step has ended, so `mark` costs nothing.
    """

    def __init__(self) -> None:
        self.allocate(0)

    def allocate(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make new arrays without contacts."""
        ids: cython.longlong[::1] = _LONGS * (2 * capacity)
        numbers: cython.int[::1] = _INTS * (3 * capacity)
        self.first, self.second = ids[:capacity], ids[capacity:]
        self.first_part, self.second_part = numbers[:capacity], numbers[capacity : 2 * capacity]
        self.point, self.values = numbers[2 * capacity :], _DOUBLES * (7 * capacity)
        self.count = 0

    def __len__(self) -> int:
        """Return the number of points."""
        return self.count

    # Snapshots and undo.

    def records(self) -> list[KeptRecord]:
        """Return all points, sorted."""
        values = list(self.values)  # slices of the view itself crash compiled code
        first, second, point = list(self.first), list(self.second), list(self.point)
        parts = list(zip(self.first_part, self.second_part, strict=True))
        return [
            (first[at], second[at], *parts[at], point[at], *values[KEPT_VALUES * at : KEPT_VALUES * at + KEPT_VALUES])  # type: ignore[misc]
            for at in range(self.count)
        ]

    def pairs(self) -> set[tuple[int, int]]:
        """Return the two ids of all points."""
        at: cython.Py_ssize_t  # noqa: F842 - that of the comprehension
        return {(self.first[at], self.second[at]) for at in range(self.count)}

    def has(self, first: cython.longlong, second: cython.longlong) -> cython.bint:
        """Return whether there is a point of two bodies, of which the first has the lower id. O(log n)."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.count
        middle: cython.Py_ssize_t
        while low < high:
            middle = (low + high) >> 1
            if self.first[middle] < first or (self.first[middle] == first and self.second[middle] < second):
                low = middle + 1
            else:
                high = middle
        return low < self.count and self.first[low] == first and self.second[low] == second

    def lost(self, before: KeptImpulses, other: KeptImpulses) -> list[tuple[int, int]]:
        """Return the pairs of bodies that were kept before, and are neither here nor in another collection."""
        at: cython.Py_ssize_t
        found: list[tuple[int, int]] = []
        for at in range(before.count):
            if at > 0 and before.first[at] == before.first[at - 1] and before.second[at] == before.second[at - 1]:
                continue
            if before.first[at] >= 0 and not self.has(before.first[at], before.second[at]):
                if not other.has(before.first[at], before.second[at]):
                    found.append((before.first[at], before.second[at]))
        return found

    def partners(self, entity: cython.longlong) -> set[int]:
        """Return the ids of the bodies that have a point with one."""
        at: cython.Py_ssize_t
        found: set[int] = set()
        for at in range(self.count):
            if self.first[at] == entity:
                found.add(self.second[at])
            elif self.second[at] == entity and self.first[at] >= 0:
                found.add(self.first[at])
        return found

    def restore(self, records: Iterable[KeptRecord]) -> None:
        """Replace all points by records, in any order."""
        ordered = sorted(records)
        self.allocate(len(ordered))
        for at, record in enumerate(ordered):
            self.first[at], self.second[at], self.first_part[at], self.second_part[at], self.point[at] = record[:5]
            for number in range(KEPT_VALUES):
                self.values[KEPT_VALUES * at + number] = record[5 + number]
        self.count = len(ordered)

    def mark(self) -> KeptImpulses:
        """Return the state to which `rollback` returns. O(1)."""
        marked: KeptImpulses = KeptImpulses.__new__(KeptImpulses)
        marked.take(self)
        return marked

    def rollback(self, mark: KeptImpulses) -> None:
        """Return to a state."""
        self.take(mark)

    def forget(self, entities: Collection[int]) -> None:
        """Remove all points of some bodies."""
        self.move_to(KeptImpulses(), entities)

    def move_to(self, other: KeptImpulses, entities: Collection[int]) -> None:
        """Move the points of some bodies to another collection: of islands that fall asleep, or that wake."""
        stay, leave = KeptImpulses(), KeptImpulses()
        stay.allocate(self.count)
        leave.allocate(self.count)
        at: cython.Py_ssize_t
        for at in range(self.count):
            (leave if self.first[at] in entities or self.second[at] in entities else stay).add_of(self, at)
        merged = KeptImpulses()
        merged.merge(leave, other)
        self.take(stay)
        other.take(merged)

    # For the solver.

    def take(self, other: KeptImpulses) -> cython.void:
        """Become the same as another; the arrays are shared."""
        self.first, self.second, self.values = other.first, other.second, other.values
        self.first_part, self.second_part, self.point = other.first_part, other.second_part, other.point
        self.count = other.count

    def order(
        self,
        at: cython.Py_ssize_t,
        first: cython.longlong,
        second: cython.longlong,
        first_part: cython.int,
        second_part: cython.int,
    ) -> cython.int:
        """Return -1, 0 or 1 if a point is before, of or behind the contact of two parts."""
        if self.first[at] != first:
            return -1 if self.first[at] < first else 1
        if self.second[at] != second:
            return -1 if self.second[at] < second else 1
        if self.first_part[at] != first_part:
            return -1 if self.first_part[at] < first_part else 1
        if self.second_part[at] != second_part:
            return -1 if self.second_part[at] < second_part else 1
        return 0

    def add_of(self, other: KeptImpulses, at: cython.Py_ssize_t) -> cython.void:
        """Append a point of another; there is room for it."""
        to: cython.Py_ssize_t = self.count
        number: cython.Py_ssize_t
        self.first[to], self.second[to], self.point[to] = other.first[at], other.second[at], other.point[at]
        self.first_part[to], self.second_part[to] = other.first_part[at], other.second_part[at]
        for number in range(7):
            self.values[7 * to + number] = other.values[7 * at + number]
        self.count = to + 1

    def merge(self, one: KeptImpulses, other: KeptImpulses) -> cython.void:
        """Become the points of two others, sorted; no point is in both."""
        left: cython.Py_ssize_t = 0
        right: cython.Py_ssize_t = 0
        order: cython.int
        self.allocate(one.count + other.count)
        while left < one.count or right < other.count:
            if left == one.count:
                order = 1
            elif right == other.count:
                order = -1
            else:
                order = one.order(
                    left, other.first[right], other.second[right], other.first_part[right], other.second_part[right]
                )
                if order == 0:
                    order = -1 if one.point[left] < other.point[right] else 1
            if order < 0:
                self.add_of(one, left)
                left += 1
            else:
                self.add_of(other, right)
                right += 1
