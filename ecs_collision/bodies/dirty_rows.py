# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Which rows have changed since contacts were last compared, and when each was last disturbed.

Also what rows were before they were displaced, so that whatever is broken off half way can be taken back.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer
from ecs_collision.sealing import seal


@cython.final
@cython.cclass
class DirtyRows:
    """The rows whose overlaps may differ from the last frame's: `rows[:count]`, each once, in no particular order.

    `altered[row]` is set where more than the position changed. `disturbed[row]` is the last frame in which a row
    was not quiet (S2). Grown arrays are new ones: take views anew after `grow`.

    `saved_rows[:saved_count]` are the rows displaced since `start_undo`; `saved` holds five items for each: x, y, z,
    `disturbed` and flags.
    """

    def __init__(self) -> None:
        self.rows, self.indices = array("i"), array("i")
        self.altered, self.disturbed = array("b"), array("q")
        self.saved_rows, self.saved = array("i"), array("q")
        self.count = self.saved_count = 0
        self.capacity = 0
        self.grow(64)

    @cython.ccall
    def grow(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for `capacity` rows; what was there stays."""
        row: cython.Py_ssize_t
        rows, indices = longer(self.rows, capacity), longer(self.indices, capacity)
        altered, disturbed = longer(self.altered, capacity), longer(self.disturbed, capacity)
        saved_rows, saved = longer(self.saved_rows, capacity), longer(self.saved, 5 * capacity)
        self.rows, self.indices, self.altered, self.disturbed = rows, indices, altered, disturbed
        self.saved_rows, self.saved = saved_rows, saved
        self.rows_view, self.indices_view = self.rows, self.indices
        self.altered_view, self.disturbed_view = self.altered, self.disturbed
        self.saved_rows_view, self.saved_view = self.saved_rows, self.saved
        for row in range(self.capacity, capacity):
            self.indices_view[row] = -1
        self.capacity = capacity

    @cython.ccall
    def add(self, row: cython.int, altered: cython.bint) -> cython.void:
        """Note that a row changed; `altered`: more than its position. O(1)."""
        if self.indices_view[row] < 0:
            self.indices_view[row] = cython.cast(cython.int, self.count)
            self.rows_view[self.count] = row
            self.count += 1
            self.altered_view[row] = False
        if altered:
            self.altered_view[row] = True

    @cython.ccall
    def remove(self, row: cython.int) -> cython.void:
        """Take a row off the list; O(1)."""
        last: cython.int
        if self.indices_view[row] >= 0:
            self.count -= 1
            last = self.rows_view[self.count]
            self.rows_view[self.indices_view[row]] = last
            self.indices_view[last] = self.indices_view[row]
            self.indices_view[row] = -1

    def check(self) -> None:
        """Verify that each row on the list knows its place and no other has one; raises IndexError otherwise."""
        listed = {self.rows_view[at]: at for at in range(self.count)}
        if len(listed) != self.count:
            raise IndexError("a row is noted twice as changed")
        for row in range(self.capacity):
            place = listed.get(row, -1)
            if self.indices_view[row] != place:
                raise IndexError(f"row {row} is noted as changed at place {self.indices_view[row]}, not {place}")
            if self.altered_view[row] not in (0, 1):
                raise IndexError(f"row {row} is noted as altered by {self.altered_view[row]}")

    @cython.ccall
    def clear(self) -> cython.void:
        """Empty the list: contacts have been compared."""
        at: cython.Py_ssize_t
        for at in range(self.count):
            self.indices_view[self.rows_view[at]] = -1
        self.count = 0

    @cython.ccall
    def reset(self) -> cython.void:
        """Start the list anew, with nothing on it, whatever was broken off."""
        row: cython.Py_ssize_t
        for row in range(self.capacity):
            self.indices_view[row] = -1
        self.count = 0

    # What rows were.

    @cython.ccall
    def start_undo(self) -> cython.void:
        """Forget what was saved: something new begins, that displaces each row at most once."""
        self.saved_count = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def save(
        self, row: cython.int, x: cython.longlong, y: cython.longlong, z: cython.longlong, flags: cython.int
    ) -> cython.void:
        """Keep what a row is, before it is displaced."""
        at: cython.Py_ssize_t = 5 * self.saved_count
        self.saved_view[at] = x
        self.saved_view[at + 1] = y
        self.saved_view[at + 2] = z
        self.saved_view[at + 3] = self.disturbed_view[row]
        self.saved_view[at + 4] = flags
        self.saved_rows_view[self.saved_count] = row
        self.saved_count += 1


seal(DirtyRows)
