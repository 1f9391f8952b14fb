# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""What the motion in hand displaces, axis by axis, before it is committed (rule P1).

Later axes see earlier ones through a small overlay index that holds the displaced boxes; nothing else
changes until the commit. Not taken: moving for real and moving back, which a fault half way would leave
half done.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.kernels.columns import Columns
    from cython.cimports.ecs_collision.kernels.grid import Grid
else:
    from ecs_collision.kernels.columns import Columns
    from ecs_collision.kernels.grid import Grid

from ecs_collision.kernels.columns import longer


@cython.cclass
class Displacements:
    """Rows displaced by the motion in hand (`rows[:count]`) and by how much (`units`, three items a row)."""

    def __init__(self, columns: Columns, dynamic: Grid, overlay: Grid) -> None:
        self.columns = columns
        self.dynamic = dynamic
        self.overlay = overlay
        self.rows, self.units = array("i"), array("q")
        self._moved, self._first = array("i"), array("i")
        self.count = 0
        self.capacity = 0

    @cython.ccall
    def begin(self) -> cython.void:
        """Start a motion that has displaced nothing yet, with room for every row."""
        capacity: cython.Py_ssize_t = self.columns.capacity
        if self.count > 0:
            self.forget()  # a motion was interrupted
        if capacity == self.capacity:
            return
        self.rows, self.units = longer(self.rows, capacity), longer(self.units, 3 * capacity)
        self._moved, self._first = longer(self._moved, capacity), longer(self._first, capacity)
        self.rows_view, self.units_view = self.rows, self.units
        self.moved, self.first = self._moved, self._first
        self.capacity = capacity

    @cython.ccall
    def add(self, row: cython.int, axis: cython.int, by: cython.longlong) -> cython.void:
        """Displace a row by so many units along an axis."""
        if not self.moved[row]:
            self.moved[row] = 1
            self.first[row] = -1
            self.units_view[3 * row] = self.units_view[3 * row + 1] = self.units_view[3 * row + 2] = 0
            self.rows_view[self.count] = row
            self.count += 1
        self.units_view[3 * row + axis] += by

    @cython.ccall
    def lay(self) -> cython.void:
        """Bring the overlay index up to the displacements so far."""
        at: cython.Py_ssize_t
        part: cython.Py_ssize_t
        base: cython.Py_ssize_t
        row: cython.int
        count: cython.int
        first: cython.int
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        for at in range(self.count):
            row = self.rows_view[at]
            count = self.columns.count_view[row]
            if count == 0:
                continue
            if self.first[row] >= 0:
                self.overlay.lift(self.first[row], count)
            first = self.overlay.allot(count)
            self.first[row] = first
            x, y, z = self.units_view[3 * row], self.units_view[3 * row + 1], self.units_view[3 * row + 2]
            for part in range(count):
                base = 6 * (self.columns.first_view[row] + part)
                self.overlay.place(
                    first + part,
                    row,
                    True,
                    self.dynamic.faces[base] + x,
                    self.dynamic.faces[base + 1] + y,
                    self.dynamic.faces[base + 2] + z,
                    self.dynamic.faces[base + 3] + x,
                    self.dynamic.faces[base + 4] + y,
                    self.dynamic.faces[base + 5] + z,
                )

    def commit(self) -> None:
        """Make the displacements true: the only place where a motion changes positions and cells."""
        at: cython.Py_ssize_t
        row: cython.int
        axis: cython.int
        for at in range(self.count):
            row = self.rows_view[at]
            for axis in range(3):
                self.columns.pos_view[3 * row + axis] += self.units_view[3 * row + axis]
            if self.columns.count_view[row] > 0:
                self.dynamic.shift(
                    self.columns.first_view[row],
                    self.columns.count_view[row],
                    self.units_view[3 * row],
                    self.units_view[3 * row + 1],
                    self.units_view[3 * row + 2],
                )

    @cython.ccall
    def forget(self) -> cython.void:
        """End the motion: nothing is displaced any more, the overlay is empty again."""
        at: cython.Py_ssize_t
        row: cython.int
        for at in range(self.count):
            row = self.rows_view[at]
            if self.first[row] >= 0:
                self.overlay.lift(self.first[row], self.columns.count_view[row])
            self.moved[row] = 0
        self.count = 0
