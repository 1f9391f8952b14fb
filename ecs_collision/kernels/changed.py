# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Which rows have changed since contacts were last compared, and when each was last disturbed."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.kernels.columns import longer


@cython.final
@cython.cclass
class Changed:
    """The rows whose overlaps may differ from the last frame's: `rows[:count]`, each once, in no particular order.

    `altered[row]` is set where more than the position changed. `disturbed[row]` is the last frame in which a row
    was not quiet (S2). Grown arrays are new ones: take views anew after `grow`.
    """

    def __init__(self) -> None:
        self.rows, self._places = array("i"), array("i")
        self.altered, self.disturbed = array("b"), array("q")
        self.count = 0
        self.capacity = 0
        self.grow(64)

    @cython.ccall
    def grow(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for `capacity` rows; what was there stays."""
        row: cython.Py_ssize_t
        self.rows, self._places = longer(self.rows, capacity), longer(self._places, capacity)
        self.altered, self.disturbed = longer(self.altered, capacity), longer(self.disturbed, capacity)
        self.rows_view, self.places = self.rows, self._places
        self.altered_view, self.disturbed_view = self.altered, self.disturbed
        for row in range(self.capacity, capacity):
            self.places[row] = -1
        self.capacity = capacity

    @cython.ccall
    def note(self, row: cython.int, altered: cython.bint) -> cython.void:
        """Note that a row changed; `altered`: more than its position. O(1)."""
        if self.places[row] < 0:
            self.places[row] = cython.cast(cython.int, self.count)
            self.rows_view[self.count] = row
            self.count += 1
            self.altered_view[row] = False
        if altered:
            self.altered_view[row] = True

    @cython.ccall
    def forget(self, row: cython.int) -> cython.void:
        """Take a row off the list; O(1)."""
        last: cython.int
        if self.places[row] >= 0:
            self.count -= 1
            last = self.rows_view[self.count]
            self.rows_view[self.places[row]] = last
            self.places[last] = self.places[row]
            self.places[row] = -1

    @cython.ccall
    def clear(self) -> cython.void:
        """Empty the list: contacts have been compared."""
        at: cython.Py_ssize_t
        for at in range(self.count):
            self.places[self.rows_view[at]] = -1
        self.count = 0
