# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The impulses of the contacts of the last step, from which the next one starts (rule I8)."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

_LONGS, _DOUBLES = array("q", [0]), array("d", [0.0])

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
    `ids` has these five numbers a point, `values` those of `KEPT_VALUES`; points of one contact may be in any order.
    Arrays are never written after a step has ended, so `mark` costs nothing.
    """

    def __init__(self) -> None:
        self.allocate(0)

    def allocate(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make new arrays without contacts."""
        self.ids, self.values, self.count = _LONGS * (5 * capacity), _DOUBLES * (7 * capacity), 0

    def __len__(self) -> int:
        """Return the number of points."""
        return self.count

    # Snapshots and undo.

    def records(self) -> list[KeptRecord]:
        """Return all points."""
        ids, values = list(self.ids), list(self.values)  # slices of the view itself crash compiled code
        return [(*ids[5 * at : 5 * at + 5], *values[7 * at : 7 * at + 7]) for at in range(self.count)]  # type: ignore[misc]

    def pairs(self) -> set[tuple[int, int]]:
        """Return the two ids of all points."""
        return {(self.ids[5 * at], self.ids[5 * at + 1]) for at in range(self.count)}

    def has(self, first: cython.longlong, second: cython.longlong) -> cython.bint:
        """Return whether there is a point of two bodies, of which the first has the lower id. O(log n)."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.count
        while low < high:
            middle: cython.Py_ssize_t = (low + high) >> 1
            if self.ids[5 * middle] < first or (self.ids[5 * middle] == first and self.ids[5 * middle + 1] < second):
                low = middle + 1
            else:
                high = middle
        return low < self.count and self.ids[5 * low] == first and self.ids[5 * low + 1] == second

    def lost(self, before: KeptImpulses, other: KeptImpulses) -> list[tuple[int, int]]:
        """Return the pairs of bodies that were kept before, and are neither here nor in another collection."""
        found: list[tuple[int, int]] = []
        for at in range(0, 5 * before.count, 5):
            first, second = before.ids[at], before.ids[at + 1]
            if at > 0 and first == before.ids[at - 5] and second == before.ids[at - 4]:
                continue
            if first >= 0 and not self.has(first, second) and not other.has(first, second):
                found.append((first, second))
        return found

    def partners(self, entity: cython.longlong) -> set[int]:
        """Return the ids of the bodies that have a point with one."""
        return {each for pair in self.pairs() if entity in pair for each in pair if each != entity and each >= 0}

    def restore(self, records: Iterable[KeptRecord]) -> None:
        """Replace all points by records, in any order."""
        ordered = sorted(records)
        self.allocate(len(ordered))
        for at, record in enumerate(ordered):
            for number in range(5):
                self.ids[5 * at + number] = record[number]
            for number in range(7):
                self.values[7 * at + number] = record[5 + number]
        self.count = len(ordered)

    def mark(self) -> KeptImpulses:
        """Return the state to which `rollback` returns. O(1)."""
        marked = KeptImpulses()
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
        for at in range(self.count):
            (leave if self.ids[5 * at] in entities or self.ids[5 * at + 1] in entities else stay).add_of(self, at)
        merged = KeptImpulses()
        merged.merge(leave, other)
        self.take(stay)
        other.take(merged)

    # For the solver.

    def take(self, other: KeptImpulses) -> cython.void:
        """Become the same as another; the arrays are shared."""
        self.ids, self.values, self.count = other.ids, other.values, other.count

    def order(
        self, at: cython.Py_ssize_t, ids: cython.longlong[::1], begin: cython.Py_ssize_t, width: cython.int
    ) -> cython.int:
        """Return -1, 0 or 1 if the first numbers of a point are less than, equal to or more than some others."""
        for number in range(width):
            if self.ids[5 * at + number] != ids[begin + number]:
                return -1 if self.ids[5 * at + number] < ids[begin + number] else 1
        return 0

    def add_of(self, other: KeptImpulses, at: cython.Py_ssize_t) -> cython.void:
        """Append a point of another; there is room for it."""
        to: cython.Py_ssize_t = self.count
        for number in range(5):
            self.ids[5 * to + number] = other.ids[5 * at + number]
        for number in range(7):
            self.values[7 * to + number] = other.values[7 * at + number]
        self.count = to + 1

    def merge(self, one: KeptImpulses, other: KeptImpulses) -> cython.void:
        """Become the points of two others, sorted; no point is in both."""
        left: cython.Py_ssize_t = 0
        right: cython.Py_ssize_t = 0
        self.allocate(one.count + other.count)
        while left < one.count or right < other.count:
            order: cython.int = -1 if right == other.count else 1
            if left < one.count and right < other.count:
                order = one.order(left, other.ids, 5 * right, 5)
            if order < 0:
                self.add_of(one, left)
                left += 1
            else:
                self.add_of(other, right)
                right += 1
