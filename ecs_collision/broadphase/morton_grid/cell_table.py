# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The occupied cells: found by hash, ordered by the directory (rules B3 and B4).

A cell is created with its first box and removed with its last. The hash table (open addressing, linear probing, removal
by shifting back, so its content does not depend on history) finds a single cell; the directory finds all descendants of
a cell.

Not taken: lookups in the directory alone (one microsecond each), and an ordered table (every new cell would move
others).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.morton_grid.morton import location
else:
    from ecs_collision.broadphase.morton_grid.morton import location

from ecs_collision._arrays import bytes_of, longer
from ecs_collision.broadphase.morton_grid.directory import Directory
from ecs_collision.broadphase.morton_grid.morton import TOP_LEVEL, directory_key

_DIRECTORY_BYTES = 44
"""Of a key in the directory: a Python int of 36 bytes and its place in a list."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _hash(key: cython.longlong, shift: cython.int) -> cython.longlong:
    """Return a place in a table of 2**(31 - shift): the high bits of two 31-bit products, which fit 63 bits."""
    mixed: cython.longlong = (key & 0x7FFFFFFF) * 0x61C88647 + ((key >> 31) & 0x7FFFFFFF) * 0x51ED270B
    return (mixed & 0x7FFFFFFF) >> shift


@cython.final
@cython.cclass
class CellTable:
    """Cells by number: code, level, first entry, and the counts of boxes and of awake boxes.

    `heads` has the first entry of the list of each cell; for a free cell, the next free one.
    `awake_cells[:awake_cell_count]` are the cells with an awake box.
    """

    def __init__(self) -> None:
        self.directory = Directory()
        self.cell_count = self.used = self.capacity = self.awake_cell_count = 0
        self.first_free = -1
        self.codes, self.levels, self.heads = array("q"), array("i"), array("i")
        self.box_counts, self.awake_counts, self.awake_places = array("i"), array("i"), array("i")
        self.marks, self.awake_cells = array("i"), array("i")
        self.table_keys, self.table_cells = array("q", bytes(8 * 32)), array("i", bytes(4 * 32))
        self.table_keys_view, self.table_cells_view = self.table_keys, self.table_cells
        self.mask, self.shift = 31, 26
        self.reserve_cells()

    def reserve_cells(self) -> cython.void:
        """Make room for twice as many cells."""
        capacity: cython.Py_ssize_t = max(16, 2 * self.capacity)
        codes, levels, heads = longer(self.codes, capacity), longer(self.levels, capacity), longer(self.heads, capacity)
        box_counts, awake_counts = longer(self.box_counts, capacity), longer(self.awake_counts, capacity)
        awake_places, marks = longer(self.awake_places, capacity), longer(self.marks, capacity)
        awake_cells = longer(self.awake_cells, capacity)
        self.codes, self.levels, self.heads = codes, levels, heads
        self.box_counts, self.awake_counts = box_counts, awake_counts
        self.awake_places, self.marks, self.awake_cells = awake_places, marks, awake_cells
        self.codes_view, self.levels_view, self.heads_view = self.codes, self.levels, self.heads
        self.box_counts_view, self.awake_counts_view = self.box_counts, self.awake_counts
        self.awake_places_view, self.marks_view, self.awake_cells_view = self.awake_places, self.marks, self.awake_cells
        self.capacity = capacity

    def clear(self) -> cython.void:
        """Remove all cells. Works after an interrupted change."""
        at: cython.Py_ssize_t
        for at in range(self.mask + 1):
            self.table_keys_view[at] = 0
        self.cell_count = self.used = self.awake_cell_count = 0
        self.first_free = -1
        self.directory.mark_stale()

    def bytes_used(self) -> int:
        """Return the bytes of the cells, their hash table and their directory (a Python int and a place each)."""
        return (
            bytes_of(self.codes, self.levels, self.heads, self.box_counts, self.awake_counts)
            + bytes_of(self.awake_places, self.marks, self.awake_cells, self.table_keys, self.table_cells)
            + _DIRECTORY_BYTES * len(self.directory.keys)
        )

    # The table.

    def find(self, local: cython.longlong, level: cython.int) -> cython.int:
        """Return the number of an occupied cell, or -1. Never creates a cell."""
        key: cython.longlong = location(local, level)
        at: cython.Py_ssize_t = _hash(key, self.shift)
        while self.table_keys_view[at] != 0:
            if self.table_keys_view[at] == key:
                return self.table_cells_view[at]
            at = (at + 1) & self.mask
        return -1

    def put(self, key: cython.longlong, cell: cython.int) -> cython.void:
        """Write a cell to the first empty place of its probe sequence."""
        at: cython.Py_ssize_t = _hash(key, self.shift)
        while self.table_keys_view[at] != 0:
            at = (at + 1) & self.mask
        self.table_keys_view[at] = key
        self.table_cells_view[at] = cell

    def enlarge_table(self) -> cython.void:
        """Double the table, so that at most half of it is full."""
        size: cython.Py_ssize_t = 2 * (self.mask + 1)
        cell: cython.Py_ssize_t
        level: cython.int
        keys, cells = array("q", bytes(8 * size)), array("i", bytes(4 * size))
        self.table_keys, self.table_cells = keys, cells
        self.table_keys_view, self.table_cells_view = self.table_keys, self.table_cells
        self.mask = size - 1
        self.shift -= 1
        for cell in range(self.used):
            if self.box_counts_view[cell] >= 0:
                level = self.levels_view[cell]
                self.put(location(self.codes_view[cell] >> (3 * level), level), cython.cast(cython.int, cell))

    def find_or_add(self, local: cython.longlong, level: cython.int) -> cython.int:
        """Return the number of a cell that is about to get a box; create it if it is not occupied yet."""
        cell: cython.int = self.find(local, level)
        if cell >= 0:
            return cell
        if 2 * self.cell_count > self.mask:
            self.enlarge_table()
        cell = self.first_free
        if cell >= 0:
            self.first_free = self.heads_view[cell]
        else:
            if self.used == self.capacity:
                self.reserve_cells()
            cell = cython.cast(cython.int, self.used)
            self.used += 1
        self.codes_view[cell] = local << (3 * level)
        self.levels_view[cell] = level
        self.heads_view[cell] = -1
        self.box_counts_view[cell] = self.awake_counts_view[cell] = self.marks_view[cell] = 0
        self.awake_places_view[cell] = -1
        self.put(location(local, level), cell)
        self.cell_count += 1
        self.directory.log(self.codes_view[cell], level, self.cell_count)
        return cell

    def remove(self, cell: cython.int) -> cython.void:
        """Remove a cell that lost its last box. Later entries of its probe sequence move back."""
        level: cython.int = self.levels_view[cell]
        key: cython.longlong = location(self.codes_view[cell] >> (3 * level), level)
        hole: cython.Py_ssize_t = _hash(key, self.shift)
        at: cython.Py_ssize_t
        first_place: cython.Py_ssize_t
        self.directory.log(self.codes_view[cell], ~level, self.cell_count)
        while self.table_keys_view[hole] != key:
            hole = (hole + 1) & self.mask
        at = (hole + 1) & self.mask
        while self.table_keys_view[at] != 0:
            first_place = _hash(self.table_keys_view[at], self.shift)
            if ((at - first_place) & self.mask) >= ((at - hole) & self.mask):
                self.table_keys_view[hole] = self.table_keys_view[at]
                self.table_cells_view[hole] = self.table_cells_view[at]
                hole = at
            at = (at + 1) & self.mask
        self.table_keys_view[hole] = 0
        self.box_counts_view[cell] = -1
        self.heads_view[cell] = self.first_free
        self.first_free = cell
        self.cell_count -= 1

    # Awake boxes.

    def note_awake(self, cell: cython.int) -> cython.void:
        """Count one more awake box in a cell."""
        if self.awake_counts_view[cell] == 0:
            self.awake_places_view[cell] = cython.cast(cython.int, self.awake_cell_count)
            self.awake_cells_view[self.awake_cell_count] = cell
            self.awake_cell_count += 1
        self.awake_counts_view[cell] += 1

    def note_asleep(self, cell: cython.int) -> cython.void:
        """Count one awake box fewer in a cell."""
        last: cython.int
        self.awake_counts_view[cell] -= 1
        if self.awake_counts_view[cell] == 0:
            self.awake_cell_count -= 1
            last = self.awake_cells_view[self.awake_cell_count]
            self.awake_cells_view[self.awake_places_view[cell]] = last
            self.awake_places_view[last] = self.awake_places_view[cell]
            self.awake_places_view[cell] = -1

    # The directory.

    def sync(self) -> cython.void:
        """Bring the directory up to date in one batch: O(log n) for each cell created or removed since then."""
        if self.directory.is_stale:
            occupied = [cell for cell in range(self.used) if self.box_counts_view[cell] >= 0]
            self.directory.refill([directory_key(self.codes_view[cell], self.levels_view[cell]) for cell in occupied])
        else:
            self.directory.apply()

    # The invariants.

    def check_lengths(self) -> None:
        """Verify the lengths of arrays and the levels of cells, which all else relies on, or raise IndexError."""
        kept = (self.codes, self.heads, self.box_counts, self.awake_counts, self.awake_places, self.marks)
        if {self.capacity} != {
            len(each) for each in (*kept, self.levels, self.awake_cells)
        } or self.used > self.capacity:
            raise IndexError(
                f"there is room for {self.capacity} cells, of which {self.used} are used, but not in all arrays"
            )
        if {self.mask + 1} != {len(self.table_keys), len(self.table_cells)} or self.mask + 1 != 1 << (31 - self.shift):
            raise IndexError(f"the table has {len(self.table_keys)} places, but a mask of {self.mask}")
        if not all(0 <= level <= TOP_LEVEL for level in self.levels[: self.used]):
            raise IndexError("a cell has a level that no cell can have")

    def check(self) -> None:
        """Verify table, free list, awake cells and directory. Raises IndexError for the first failure."""
        occupied = [c for c in range(self.used) if self.box_counts_view[c] >= 0]
        keys = {directory_key(self.codes_view[c], self.levels_view[c]) for c in occupied}
        vacant = set()
        at = self.first_free
        while at >= 0 and at not in vacant:
            vacant.add(at)
            at = self.heads_view[at]
        awake = self.awake_cells_view[: self.awake_cell_count]
        try:
            self.sync()
        except ValueError as fault:  # a logged cell is not in the directory
            raise IndexError(f"the changes of the directory are wrong: {fault}") from fault
        for holds, words in (
            (len(keys) == len(occupied), "two cells have the same place"),
            (len(occupied) == self.cell_count, f"{len(occupied)} cells are occupied, counted {self.cell_count}"),
            (not vacant & set(occupied) and len(vacant) + len(occupied) == self.used, "the free list is wrong"),
            (
                all(
                    self.find(self.codes_view[c] >> (3 * self.levels_view[c]), self.levels_view[c]) == c
                    for c in occupied
                ),
                "the table does not find a cell",
            ),
            (
                sum(self.table_keys_view[at] != 0 for at in range(self.mask + 1)) == len(occupied),
                "the table contains a key of no cell",
            ),
            (
                all(
                    self.box_counts_view[c] > 0 and 0 <= self.awake_counts_view[c] <= self.box_counts_view[c]
                    for c in occupied
                ),
                "a cell's boxes are miscounted",
            ),
            (
                sorted(awake) == [c for c in occupied if self.awake_counts_view[c] > 0],
                "the list of cells with an awake box is wrong",
            ),
            (
                all(self.awake_places_view[cell] == at for at, cell in enumerate(awake)),
                "a cell with an awake box has the wrong place on the list",
            ),
            (
                list(self.directory.keys) == sorted(keys),
                "the directory is not the sorted list of the occupied cells",
            ),
        ):
            if not holds:
                raise IndexError(words)
