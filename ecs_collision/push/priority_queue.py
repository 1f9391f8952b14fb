# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""What a plan has met and not yet decided: a heap by (distance, kind, entity id).

The third key makes the order total, so that neither discovery nor creation order reaches an answer.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.bodies.columns import Columns
else:
    from ecs_collision.bodies.columns import Columns

from ecs_collision._arrays import longer
from ecs_collision.sealing import seal


@cython.cclass
class PriorityQueue:
    """A binary heap over arrays. Entry 0 is the first: `key[0]`, `kind[0]`, `row[0]`; row -1 stands for the bounds."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self._key, self._kind, self._row = array("q"), array("i"), array("i")
        self.size = self.room = 0
        self.grow()

    @cython.cfunc
    def grow(self) -> cython.void:
        """Double the room."""
        room: cython.Py_ssize_t = max(64, 2 * self.room)
        key, kind, row = longer(self._key, room), longer(self._kind, room), longer(self._row, room)
        self._key, self._kind, self._row = key, kind, row
        self.key, self.kind, self.row = self._key, self._kind, self._row
        self.room = room

    @cython.cfunc
    @cython.exceptval(check=False)
    def clear(self) -> cython.void:
        """Remove every entry."""
        self.size = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def before(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Whether entry a comes off before entry b."""
        if self.key[a] != self.key[b]:
            return self.key[a] < self.key[b]
        if self.kind[a] != self.kind[b]:
            return self.kind[a] < self.kind[b]
        if self.row[a] < 0 or self.row[b] < 0:
            return self.row[b] < 0 <= self.row[a]
        return self.columns.ids_view[self.row[a]] < self.columns.ids_view[self.row[b]]

    @cython.cfunc
    @cython.exceptval(check=False)
    def swap(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.void:
        """Exchange two entries."""
        key: cython.longlong = self.key[a]
        kind: cython.int = self.kind[a]
        row: cython.int = self.row[a]
        self.key[a] = self.key[b]
        self.kind[a] = self.kind[b]
        self.row[a] = self.row[b]
        self.key[b] = key
        self.kind[b] = kind
        self.row[b] = row

    @cython.cfunc
    def push(self, key: cython.longlong, kind: cython.int, row: cython.int) -> cython.void:
        """Add an entry. O(log n)."""
        at: cython.Py_ssize_t = self.size
        above: cython.Py_ssize_t
        if at == self.room:
            self.grow()
        self.key[at] = key
        self.kind[at] = kind
        self.row[at] = row
        self.size += 1
        while at > 0:
            above = (at - 1) >> 1
            if not self.before(at, above):
                break
            self.swap(at, above)
            at = above

    @cython.cfunc
    @cython.exceptval(check=False)
    def drop(self) -> cython.void:
        """Remove the first entry. O(log n)."""
        at: cython.Py_ssize_t = 0
        below: cython.Py_ssize_t
        self.size -= 1
        self.swap(0, self.size)
        while True:
            below = 2 * at + 1
            if below >= self.size:
                break
            if below + 1 < self.size and self.before(below + 1, below):
                below += 1
            if not self.before(below, at):
                break
            self.swap(at, below)
            at = below


seal(PriorityQueue)
