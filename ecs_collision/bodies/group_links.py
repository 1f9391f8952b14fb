# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Which rows are welded into one body: the leader of each row, and a ring through the rows of one group.

A row on its own is its own leader and its own ring, so that whoever walks a ring need not ask whether there is one.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer
from ecs_collision.sealing import seal


@cython.final
@cython.cclass
class GroupLinks:
    """`leader[row]` is the row that stands for a group, `next_row[row]` the next one of it; `count` rows are welded.

    Grown arrays are new ones: take views anew after `grow`.
    """

    def __init__(self) -> None:
        self.leader, self.next_row = array("i"), array("i")
        self.count = self.capacity = 0
        self.grow(64)

    @cython.ccall
    def grow(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for `capacity` rows; what was there stays."""
        row: cython.Py_ssize_t
        leader, next_row = longer(self.leader, capacity), longer(self.next_row, capacity)
        self.leader, self.next_row = leader, next_row
        self.leader_view, self.next_row_view = self.leader, self.next_row
        for row in range(self.capacity, capacity):
            self.leader_view[row] = self.next_row_view[row] = cython.cast(cython.int, row)
        self.capacity = capacity

    def fuse(self, rows: Sequence[int]) -> None:
        """Make a group of rows that are on their own; the first of them is the leader."""
        for at, row in enumerate(rows):
            self.leader[row] = rows[0]
            self.next_row[rows[at - 1]] = row
        self.count += len(rows)

    def unfuse(self, row: int) -> None:
        """Leave each row of a group on its own."""
        rows = self.rows_of(row)
        for each in rows:
            self.leader[each] = self.next_row[each] = each
        self.count -= len(rows) if len(rows) > 1 else 0

    def unfuse_all(self) -> None:
        """Leave every row on its own, whatever was broken off."""
        for row in range(self.capacity):
            self.leader[row] = self.next_row[row] = row
        self.count = 0

    def rollback(self, leader: array[int], next_row: array[int], count: int) -> None:
        """Weld as it was; rows that came since are on their own."""
        self.leader[: len(leader)] = leader
        self.next_row[: len(next_row)] = next_row
        self.count = count

    def rows_of(self, row: int) -> list[int]:
        """Return the rows of a group, the given one first; of a row on its own that row."""
        rows, at = [row], self.next_row[row]
        while at != row:
            rows.append(at)
            at = self.next_row[at]
        return rows

    @cython.ccall
    @cython.exceptval(check=False)
    def is_fused(self, row: cython.Py_ssize_t) -> cython.bint:
        """Whether a row is one of several."""
        return self.next_row_view[row] != row

    @cython.ccall
    @cython.exceptval(check=False)
    def is_same_body(self, row: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Whether two rows are one body."""
        return self.leader_view[row] == self.leader_view[other]


seal(GroupLinks)
