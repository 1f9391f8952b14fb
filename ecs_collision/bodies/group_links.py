# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Links the rows of each fused group: every row has a leader and a next row.

The next rows form a cycle. A row without a group is its own leader and next row, so loops need no special case.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer


@cython.final
@cython.cclass
class GroupLinks:
    """`leader[row]` is the leader of a group, `next_row[row]` its next row; `count` rows are fused.

    `grow` replaces the arrays, so take their views again after it.
    """

    def __init__(self) -> None:
        self.leader, self.next_row = array("i"), array("i")
        self.count = self.capacity = 0
        self.grow(64)

    @cython.ccall
    def grow(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Grow to `capacity` rows and keep the contents."""
        row: cython.Py_ssize_t
        leader, next_row = longer(self.leader, capacity), longer(self.next_row, capacity)
        self.leader, self.next_row = leader, next_row
        self.leader_view, self.next_row_view = self.leader, self.next_row
        for row in range(self.capacity, capacity):
            self.leader_view[row] = self.next_row_view[row] = cython.cast(cython.int, row)
        self.capacity = capacity

    def fuse(self, rows: Sequence[int]) -> None:
        """Make a group of rows without one; the first is the leader."""
        for at, row in enumerate(rows):
            self.leader[row] = rows[0]
            self.next_row[rows[at - 1]] = row
        self.count += len(rows)

    def unfuse(self, row: int) -> None:
        """Dissolve the group of a row."""
        rows = self.rows_of(row)
        for each in rows:
            self.leader[each] = self.next_row[each] = each
        self.count -= len(rows) if len(rows) > 1 else 0

    def unfuse_all(self) -> None:
        """Dissolve all groups. Works at any point of an interrupted change; O(capacity)."""
        for row in range(self.capacity):
            self.leader[row] = self.next_row[row] = row
        self.count = 0

    def rollback(self, leader: array[int], next_row: array[int], count: int) -> None:
        """Restore the marked links; rows added since belong to no group."""
        self.leader[: len(leader)] = leader
        self.next_row[: len(next_row)] = next_row
        self.count = count

    def rows_of(self, row: int) -> list[int]:
        """Return the rows of the group of a row, or only the row; it comes first."""
        rows, at = [row], self.next_row[row]
        while at != row:
            rows.append(at)
            at = self.next_row[at]
        return rows

    @cython.ccall
    @cython.exceptval(check=False)
    def is_fused(self, row: cython.Py_ssize_t) -> cython.bint:
        """Return whether a row belongs to a group."""
        return self.next_row_view[row] != row

    @cython.ccall
    @cython.exceptval(check=False)
    def is_same_body(self, row: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Return whether two rows are equal or belong to one group."""
        return self.leader_view[row] == self.leader_view[other]
