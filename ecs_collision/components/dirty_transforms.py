# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Records which components were written, and stores the positions of bound Transforms.

Components announce their own writes, so a frame costs only what changed. The position of a bound Transform is stored
here, three items per row: writing it is an array store and a flag, and moving a body touches no object at all. Not
taken: a set of rows, which costs a hash and an object per write.
"""

from __future__ import annotations

import math
import weakref
from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import floor
else:
    floor = math.floor

from ecs_collision.access import Access
from ecs_collision.fixed_point import PER_UNIT

_PER_UNIT = cython.declare(cython.double, PER_UNIT)

_FEW = cython.declare(cython.int, 64)
"""Rows are sorted by a scan of the table if at least one in this many was written."""

PLACED = 1
"""Only the position of a row was written."""
REWRITTEN = 2
"""Another field of a row was written, or one of its components was replaced."""
TURNED = 8
"""The rotation of a row was written."""
SPED = 4
"""Only numbers that no index and no filter depends on were written: a velocity, or what a character is to do."""


def rounded(value: cython.double) -> cython.longlong:
    """Return a value in units, rounded halves up (L1); like `fixed_point.to_units`, for numbers in range."""
    return cython.cast(cython.longlong, floor(value * _PER_UNIT + 0.5))


@cython.final
@cython.cclass
class DirtyTransforms:
    """The rows written since the last `apply_changes`, and the position in the Transform of every row.

    `rows[:count]` are the rows, each once, in no particular order. `indices[row]` is the index of a row in `rows`.
    `kinds[row]` combines PLACED, TURNED, REWRITTEN and SPED, 0 if nothing was written. `positions` holds x, y and z in
    lattice units for each row; without a write it is the position of the body. `grow` replaces the arrays, so take
    their views again after it.

    `access` guards the calls of the world. Two flags let a query see that other changes may be pending: `staged` is set
    while bodies are staged, `watched` if a change detector must run before every query. `step_number` is that of the
    last step of movement.
    """

    def __init__(self, world: object) -> None:
        self._world = weakref.ref(world)
        self.access = Access()
        self.rows, self.indices = array("i"), array("i")
        self.kinds, self.positions = array("b"), array("q")
        self.count = 0
        self.step_number = 0
        self.staged = self.watched = False
        self.capacity = 0
        self.grow(64)

    @property
    def alive(self) -> bool:
        """Return whether the world of these rows still exists."""
        return self._world() is not None

    def may_apply(self) -> cython.bint:
        """Return whether changes may be pending, and neither a frame nor a hook runs."""
        return (self.count != 0 or self.staged or self.watched) and not (self.access.in_frame or self.access.in_hook)

    def grow(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Grow to `capacity` rows and keep the contents."""
        more: cython.Py_ssize_t = capacity - self.capacity
        rows, indices = self.rows + array("i", bytes(4 * more)), self.indices + array("i", bytes(4 * more))
        kinds, positions = self.kinds + array("b", bytes(more)), self.positions + array("q", bytes(24 * more))
        self.rows, self.indices, self.kinds, self.positions = rows, indices, kinds, positions
        self.rows_view, self.indices_view = self.rows, self.indices
        self.kinds_view, self.positions_view = self.kinds, self.positions
        self.capacity = capacity

    def add(self, row: cython.int, kind: cython.int) -> cython.void:
        """List a row as written; O(1)."""
        if self.kinds_view[row] == 0:
            self.indices_view[row] = cython.cast(cython.int, self.count)
            self.rows_view[self.count] = row
            self.count += 1
        self.kinds_view[row] |= kind

    def remove(self, row: cython.int) -> cython.void:
        """Remove a row from the list; O(1)."""
        last: cython.int
        if self.kinds_view[row] != 0:
            self.count -= 1
            last = self.rows_view[self.count]
            self.rows_view[self.indices_view[row]] = last
            self.indices_view[last] = self.indices_view[row]
            self.kinds_view[row] = 0

    def sort(self) -> cython.void:
        """Sort the rows if there are many, so that their columns are read in the order of memory.

        Scans `kinds` in O(rows of the table), so it runs only if a good part of them is set. It makes no difference
        for about ten thousand rows, and halves the cost of `apply_changes` for a million.
        """
        row: cython.int
        at: cython.int = 0
        if self.count * _FEW < self.capacity:
            return
        for row in range(self.capacity):
            if self.kinds_view[row] != 0:
                self.rows_view[at] = row
                self.indices_view[row] = at
                at += 1

    def clear(self) -> cython.void:
        """Empty the list after all writes have been applied."""
        at: cython.Py_ssize_t
        for at in range(self.count):
            self.kinds_view[self.rows_view[at]] = 0
        self.count = 0

    def set_position(self, row: cython.int, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.void:
        """Set the position in the Transform of a row, in units."""
        self.positions_view[3 * row] = x
        self.positions_view[3 * row + 1] = y
        self.positions_view[3 * row + 2] = z
