# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The impulses of the contacts of the last substep, from which the next one starts (rules I2 and I8)."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]


BOUNDS = -1
"""The bounds of the world as the first body of a contact."""

KeptRecord = tuple[int, int, int, int, int, float, float, float, float]
"""Two ids, their parts, the number of the point, the impulse along the normal, and x, y, z of that across it."""


@cython.final
@cython.cclass
class KeptContacts:
    """Contacts with an impulse, sorted by (first id, second id, first part, second part, point).

    The first id is lower than the second. For the bounds of the world it is -1 and its part is the side: 0 to 2 for the
    low x, y and z, 3 to 5 for the high ones. Impulses are in mass times units per second, from the first to the second.
    Arrays are never written after a step has ended, so `mark` costs nothing.
    """

    def __init__(self) -> None:
        self.allocate(0)

    def allocate(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make new arrays without contacts."""
        first, second = array("q", bytes(8 * capacity)), array("q", bytes(8 * capacity))
        first_part, second_part = array("i", bytes(4 * capacity)), array("i", bytes(4 * capacity))
        point, normal = array("i", bytes(4 * capacity)), array("d", bytes(8 * capacity))
        across = array("d", bytes(24 * capacity))
        self.first, self.second, self.first_part, self.second_part = first, second, first_part, second_part
        self.point, self.normal, self.across = point, normal, across
        self.first_view, self.second_view, self.first_part_view = first, second, first_part
        self.second_part_view, self.point_view, self.normal_view, self.across_view = second_part, point, normal, across
        self.count = 0

    def __len__(self) -> int:
        """Return the number of contacts."""
        return self.count

    # Snapshots and undo.

    def records(self) -> list[KeptRecord]:
        """Return all contacts, sorted."""
        return [self.record(at) for at in range(self.count)]

    def record(self, at: cython.Py_ssize_t) -> KeptRecord:
        """Return one contact."""
        return (
            self.first[at],
            self.second[at],
            self.first_part[at],
            self.second_part[at],
            self.point[at],
            self.normal[at],
            self.across[3 * at],
            self.across[3 * at + 1],
            self.across[3 * at + 2],
        )

    def restore(self, records: Iterable[KeptRecord]) -> None:
        """Replace all contacts by records, in any order."""
        ordered = sorted(records)
        new = KeptContacts()
        new.allocate(len(ordered))
        for first, second, first_part, second_part, point, normal, x, y, z in ordered:
            new.add(first, second, first_part, second_part, point, normal, x, y, z)
        self.take(new)

    def mark(self) -> KeptContacts:
        """Return the state to which `rollback` returns. O(1)."""
        marked = KeptContacts()
        marked.take(self)
        return marked

    def rollback(self, mark: KeptContacts) -> None:
        """Return to a state."""
        self.take(mark)

    def forget(self, entities: Collection[int]) -> None:
        """Remove all contacts of some bodies."""
        if self.count:
            self.restore(each for each in self.records() if each[0] not in entities and each[1] not in entities)

    # For the solver.

    def take(self, other: KeptContacts) -> cython.void:
        """Become the same as another; the arrays are shared."""
        self.first, self.second, self.first_part = other.first, other.second, other.first_part
        self.second_part, self.point = other.second_part, other.point
        self.normal, self.across = other.normal, other.across
        self.first_view, self.second_view, self.first_part_view = other.first, other.second, other.first_part
        self.second_part_view, self.point_view = other.second_part, other.point
        self.normal_view, self.across_view = other.normal, other.across
        self.count = other.count

    def add(
        self,
        first: cython.longlong,
        second: cython.longlong,
        first_part: cython.int,
        second_part: cython.int,
        point: cython.int,
        normal: cython.double,
        x: cython.double,
        y: cython.double,
        z: cython.double,
    ) -> cython.void:
        """Append a contact; there is room for it."""
        at: cython.Py_ssize_t = self.count
        self.first_view[at], self.second_view[at] = first, second
        self.first_part_view[at], self.second_part_view[at], self.point_view[at] = first_part, second_part, point
        self.normal_view[at] = normal
        self.across_view[3 * at], self.across_view[3 * at + 1], self.across_view[3 * at + 2] = x, y, z
        self.count = at + 1

    def add_of(self, other: KeptContacts, at: cython.Py_ssize_t) -> cython.void:
        """Append a contact of another; there is room for it."""
        self.add_as(other.first_view[at], other.second_view[at], other, at)

    def add_as(
        self, first: cython.longlong, second: cython.longlong, other: KeptContacts, at: cython.Py_ssize_t
    ) -> cython.void:
        """Append a contact of another under other names of its bodies; there is room for it."""
        self.add(
            first,
            second,
            other.first_part_view[at],
            other.second_part_view[at],
            other.point_view[at],
            other.normal_view[at],
            other.across_view[3 * at],
            other.across_view[3 * at + 1],
            other.across_view[3 * at + 2],
        )

    def order(self, at: cython.Py_ssize_t, other: KeptContacts, other_at: cython.Py_ssize_t) -> cython.int:
        """Return -1 if a contact comes before one of another, 1 if after it, 0 if both are of the same point."""
        if self.first_view[at] != other.first_view[other_at]:
            return -1 if self.first_view[at] < other.first_view[other_at] else 1
        if self.second_view[at] != other.second_view[other_at]:
            return -1 if self.second_view[at] < other.second_view[other_at] else 1
        if self.first_part_view[at] != other.first_part_view[other_at]:
            return -1 if self.first_part_view[at] < other.first_part_view[other_at] else 1
        if self.second_part_view[at] != other.second_part_view[other_at]:
            return -1 if self.second_part_view[at] < other.second_part_view[other_at] else 1
        if self.point_view[at] != other.point_view[other_at]:
            return -1 if self.point_view[at] < other.point_view[other_at] else 1
        return 0

    def is_same(self, at: cython.Py_ssize_t, other: KeptContacts, other_at: cython.Py_ssize_t) -> cython.bint:
        """Return whether the impulses of two contacts are the same."""
        return (
            self.normal_view[at] == other.normal_view[other_at]
            and self.across_view[3 * at] == other.across_view[3 * other_at]
            and self.across_view[3 * at + 1] == other.across_view[3 * other_at + 1]
            and self.across_view[3 * at + 2] == other.across_view[3 * other_at + 2]
        )
