# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The ordered directory of the occupied cells (rules B3 and B4).

It serves what needs order: the descendants of a cell, large regions, canonical results. A change of the list costs
about a microsecond, so created and removed cells are logged and applied in one batch when the directory is next read.
"""

from __future__ import annotations

from array import array

from sortedcontainers import SortedList

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer
from ecs_collision.broadphase.morton_grid.morton import directory_key

_MIN_CAPACITY = cython.declare(cython.Py_ssize_t, 32)


@cython.final
@cython.cclass
class Directory:
    """The keys of the occupied cells in order, as of the last `refill` or `apply`.

    `list_operations` counts the cells that were inserted or removed since it was last set to 0. While `is_stale` is
    set, nothing is logged and `refill` is due: with more changes than cells, a refill is cheaper.
    """

    def __init__(self) -> None:
        self.keys = SortedList()
        self.list_operations = 0
        self.is_stale = False
        self.log_count, self.log_capacity = 0, _MIN_CAPACITY
        self.log_codes, self.log_levels = array("q", bytes(8 * _MIN_CAPACITY)), array("i", bytes(4 * _MIN_CAPACITY))
        self.log_codes_view, self.log_levels_view = self.log_codes, self.log_levels

    def mark_stale(self) -> cython.void:
        """Have all keys replaced at the next `sync` of the cell table."""
        self.log_count = 0
        self.is_stale = True

    def log(self, code: cython.longlong, level: cython.int, cell_count: cython.Py_ssize_t) -> cython.int:
        """Log a cell that was created, or with its level inverted one that was removed. `cell_count` cells remain."""
        if self.is_stale:
            return 0
        if self.log_count == self.log_capacity:
            if self.log_capacity > _MIN_CAPACITY + cell_count:
                self.is_stale = True
                return 0
            codes, levels = (
                longer(self.log_codes, 2 * self.log_capacity),
                longer(self.log_levels, 2 * self.log_capacity),
            )
            self.log_codes, self.log_levels = codes, levels
            self.log_codes_view, self.log_levels_view = self.log_codes, self.log_levels
            self.log_capacity *= 2
        self.log_codes_view[self.log_count] = code
        self.log_levels_view[self.log_count] = level
        self.log_count += 1
        return 0

    def refill(self, keys: list[int]) -> None:
        """Replace all keys."""
        self.keys.clear()
        self.keys.update(keys)
        self.list_operations += len(keys)
        self.log_count = 0
        self.is_stale = False

    def apply(self) -> None:
        """Apply the log in one batch; a cell created and removed again has no effect. O(log n) for each cell."""
        if self.log_count == 0:
            return
        change: dict[int, int] = {}
        for at in range(self.log_count):
            code, level = self.log_codes_view[at], self.log_levels_view[at]
            key, by = (directory_key(code, level), 1) if level >= 0 else (directory_key(code, ~level), -1)
            change[key] = change.get(key, 0) + by
        self.is_stale = True  # until the whole batch is applied
        for key, by in change.items():
            if by < 0:
                self.keys.remove(key)
        born = [key for key, by in change.items() if by > 0]
        self.keys.update(born)
        self.list_operations += sum(by != 0 for by in change.values())
        self.log_count = 0
        self.is_stale = False
