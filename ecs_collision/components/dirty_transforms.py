# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The slate on which components note that they were written, and where bound positions are kept.

Components announce their own writes, so that a frame costs what changed and nobody is asked who did not. A
bound Transform keeps its position here, three items a row: writing it is an array store and a mark, and giving
a moved body its new position touches no object at all. Not taken: a set of rows (a hash and an object a write).
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

from ecs_collision.fixed_point import PER_UNIT
from ecs_collision.sealing import seal

_PER_UNIT = cython.declare(cython.double, PER_UNIT)

_FEW = cython.declare(cython.int, 64)
"""Of so many rows at least one must be written for sorting them by their marks."""

PLACED = 1
"""Of a row only the position was written."""
REWRITTEN = 2
"""Some other field of a row was written, or its components were exchanged."""


@cython.cfunc
@cython.exceptval(check=False)
def rounded(value: cython.double) -> cython.longlong:
    """Return a value in units, halves up (L1): `fixed_point.to_units` for a number known to be in range."""
    return cython.cast(cython.longlong, floor(value * _PER_UNIT + 0.5))


@cython.final
@cython.cclass
class DirtyTransforms:
    """The rows written since the last take-in, and the position every row asks for.

    `rows[:count]` are the rows, each once, in no particular order; `kinds[row]` ors PLACED and REWRITTEN, 0 where
    nothing was written. `positions` holds x, y and z in lattice units for each row; where nothing was written it is the
    position of the body. Grown arrays are new ones: take views anew after `grow`.

    What else may wait to be taken in is told by two flags, so that a question need not ask: `staged`, bodies wait;
    `watched`, somebody must be asked each time.
    """

    def __init__(self, world: object) -> None:
        self._world = weakref.ref(world)
        self.rows, self.indices = array("i"), array("i")
        self.kinds, self.positions = array("b"), array("q")
        self.count = 0
        self.staged = self.watched = False
        self.capacity = 0
        self.grow(64)

    @property
    def alive(self) -> bool:
        """Whether the world these rows belong to still exists."""
        return self._world() is not None

    @cython.ccall
    def grow(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for `capacity` rows; what was there stays."""
        more: cython.Py_ssize_t = capacity - self.capacity
        rows, indices = self.rows + array("i", bytes(4 * more)), self.indices + array("i", bytes(4 * more))
        kinds, positions = self.kinds + array("b", bytes(more)), self.positions + array("q", bytes(24 * more))
        self.rows, self.indices, self.kinds, self.positions = rows, indices, kinds, positions
        self.rows_view, self.indices_view = self.rows, self.indices
        self.kinds_view, self.positions_view = self.kinds, self.positions
        self.capacity = capacity

    @cython.ccall
    def add(self, row: cython.int, kind: cython.int) -> cython.void:
        """Note that a row was written; O(1)."""
        if self.kinds_view[row] == 0:
            self.indices_view[row] = cython.cast(cython.int, self.count)
            self.rows_view[self.count] = row
            self.count += 1
        self.kinds_view[row] |= kind

    @cython.ccall
    def remove(self, row: cython.int) -> cython.void:
        """Take a row off the slate; O(1)."""
        last: cython.int
        if self.kinds_view[row] != 0:
            self.count -= 1
            last = self.rows_view[self.count]
            self.rows_view[self.indices_view[row]] = last
            self.indices_view[last] = self.indices_view[row]
            self.kinds_view[row] = 0

    @cython.ccall
    def sort(self) -> cython.void:
        """Put the rows in ascending order where there are many: their columns are then read as they lie in memory.

        O(rows of the table) by going through the marks, so only where a good part of them is set. For some ten
        thousand rows it makes no difference, for a million the take-in costs half.
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

    @cython.ccall
    def clear(self) -> cython.void:
        """Wipe the slate: everything has been taken in."""
        at: cython.Py_ssize_t
        for at in range(self.count):
            self.kinds_view[self.rows_view[at]] = 0
        self.count = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_position(self, row: cython.int, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.void:
        """Set the position a row asks for, in units."""
        self.positions_view[3 * row] = x
        self.positions_view[3 * row + 1] = y
        self.positions_view[3 * row + 2] = z


seal(DirtyTransforms)
