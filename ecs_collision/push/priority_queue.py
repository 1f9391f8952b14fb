# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Queue of a plan: a heap of reached rows by (distance, kind, entity id).

The entity id makes the order total, so that neither the order of discovery nor of creation affects a result.
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


@cython.cclass
class PriorityQueue:
    """A binary heap in arrays. The first entry is `keys[0]`, `kinds[0]`, `rows[0]`; row -1 stands for the bounds."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.keys, self.kinds, self.rows = array("q"), array("i"), array("i")
        self.size = self.capacity = 0
        self.grow()

    @cython.cfunc
    def grow(self) -> cython.void:
        """Double the capacity."""
        capacity: cython.Py_ssize_t = max(64, 2 * self.capacity)
        key, kind, row = longer(self.keys, capacity), longer(self.kinds, capacity), longer(self.rows, capacity)
        self.keys, self.kinds, self.rows = key, kind, row
        self.keys_view, self.kinds_view, self.rows_view = self.keys, self.kinds, self.rows
        self.capacity = capacity

    @cython.cfunc
    @cython.exceptval(check=False)
    def clear(self) -> cython.void:
        """Remove every entry."""
        self.size = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def before(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether entry a precedes entry b."""
        if self.keys_view[a] != self.keys_view[b]:
            return self.keys_view[a] < self.keys_view[b]
        if self.kinds_view[a] != self.kinds_view[b]:
            return self.kinds_view[a] < self.kinds_view[b]
        if self.rows_view[a] < 0 or self.rows_view[b] < 0:
            return self.rows_view[b] < 0 <= self.rows_view[a]
        return self.columns.ids_view[self.rows_view[a]] < self.columns.ids_view[self.rows_view[b]]

    @cython.cfunc
    @cython.exceptval(check=False)
    def swap(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.void:
        """Exchange two entries."""
        key: cython.longlong = self.keys_view[a]
        kind: cython.int = self.kinds_view[a]
        row: cython.int = self.rows_view[a]
        self.keys_view[a] = self.keys_view[b]
        self.kinds_view[a] = self.kinds_view[b]
        self.rows_view[a] = self.rows_view[b]
        self.keys_view[b] = key
        self.kinds_view[b] = kind
        self.rows_view[b] = row

    @cython.cfunc
    def push(self, key: cython.longlong, kind: cython.int, row: cython.int) -> cython.void:
        """Add an entry. O(log n)."""
        at: cython.Py_ssize_t = self.size
        above: cython.Py_ssize_t
        if at == self.capacity:
            self.grow()
        self.keys_view[at] = key
        self.kinds_view[at] = kind
        self.rows_view[at] = row
        self.size += 1
        while at > 0:
            above = (at - 1) >> 1
            if not self.before(at, above):
                break
            self.swap(at, above)
            at = above

    @cython.cfunc
    @cython.exceptval(check=False)
    def pop(self) -> cython.void:
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
