# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The broad phase of a bounded grid over x and y: the cells of a box come from a table of footprints.

A box that is w cells wide and h cells high covers the cells at fixed distances from its lowest one. This list of
distances, its *footprint*, is made once for each (w, h); entering a box then takes one addition for each cell. A cell
is an index into one array, so finding it takes neither a hash nor a search. The z axis is not divided.

A box that lies outside the grid, partly outside it, or covers more than MAX_CELLS cells is in no cell but in a list,
which every query tests. MAX_CELLS bounds entries and footprints. A box of 256 cells has 4 KB of entries and enters them
in 0.6 microseconds; in the list it takes 2 nanoseconds of every query.

A box is listed in every cell that it covers, but a hit or a pair counts in only one: the cell that contains, on both
axes, the greater of the lowest corners. Each entry knows whether its cell is in the lowest column and in the lowest row
of its box, so that neither needs marks. Not taken: marks of boxes already found, which every query would have to reset.

Source: the method of precomputed footprints ("fast uniform grid", game programming; 10,000 objects in 1.03 ms if they
are uniform, 1.96 ms if they are concentrated). Good for: a 2D world of known size with many boxes of similar sizes. A
box costs O(cells covered) to enter, leave or move. A query costs O(cells covered + boxes in them + boxes in the list);
if it covers more cells than there are slots, it tests each box once instead. All pairs cost O(entries + pairs of boxes
in each cell + a query for each box in the list).

Wrong in the source and right here:
- The cells of a box follow from its size alone: ceil(width / cell). With its lowest corner inside a cell it covers one
  more, and so does a box that ends exactly on a border, because faces are part of a box. Here both corners are divided.
- A cell beyond the last column is the first of the next row. Here a box belongs to cells only if both of its corners
  are inside.
- Negative coordinates are truncated towards zero, so the cells on both sides of it are one. Here they are rounded down.
- What is outside, or partly outside, has no place. Here it is in the list.
"""

from __future__ import annotations

from array import array
from itertools import pairwise

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.protocol import Index
else:
    from ecs_collision.broadphase.protocol import Index

from ecs_collision._arrays import bytes_of, longer
from ecs_collision.broadphase.protocol import Faces, Size
from ecs_collision.fixed_point import HALF_SLAB

MAX_CELLS = 256
"""The most cells of a footprint. A box that covers more is in the list that every query tests."""

_MAX_CELLS = cython.declare(cython.longlong, MAX_CELLS)

_FAR = 1 << 60
"""A grid that begins further away than this, in lattice units, begins here: it lies outside the index either way."""


def table_rows() -> array[int]:
    """Return for each width where its row of the table of footprints begins: height h is at place row + h, from 1 on.

    A row ends at the greatest height, so the table has a place for each size of up to MAX_CELLS cells.
    """
    rows, first = array("i", [0]), -1
    for width in range(1, MAX_CELLS + 1):
        rows.append(first)
        first += MAX_CELLS // width
    return rows


@cython.final
@cython.cclass
class FootprintGridIndex(Index):
    """Boxes in the cells of a bounded grid (see `broadphase/protocol.py`).

    `columns` and `rows` are the numbers of cells, each `1 << cell_shift` lattice units long; the lowest corner of the
    grid is at (first_column, first_row) cells. Cell `row * columns + column` has a doubly linked list of entries. An
    entry is four numbers: 4 * slot + flags (1: the lowest column of the box, 2: its lowest row), the next entry of the
    cell, the previous one (for the first entry -1 - cell), and the next entry of the same box.

    `lowest_cells` of a slot is -1 while its box is in the list; `footprints` then is its place there.
    """

    def __init__(
        self, bin_shift: cython.int, first_column: int, first_row: int, columns: int, rows: int, cell_shift: cython.int
    ) -> None:
        Index.__init__(self, bin_shift)
        self.cell_shift = cell_shift
        self.columns, self.rows = columns, rows
        self.left, self.bottom = (
            max(-_FAR, min(_FAR, first << int(cell_shift))) for first in (first_column, first_row)
        )
        self.used_cell_count = self.listed_count = self.capacity = 0
        self.entries_made = self.entry_count = self.offset_count = 0
        self.entry_capacity = self.offset_capacity = 1
        self.first_free = -1
        self.lowest = self.width = self.height = 0
        self.heads = array("i", [-1]) * (columns * rows)
        self.entries, self.offsets = array("i", bytes(16)), array("i", bytes(4))
        self.lowest_cells, self.footprints, self.first_entries = array("i"), array("i"), array("i")
        self.listed = array("i")
        self.table_rows = table_rows()
        self.table = array("i", [-1]) * (self.table_rows[MAX_CELLS] + 2)
        self.heads_view, self.entries_view, self.offsets_view = self.heads, self.entries, self.offsets
        self.table_rows_view, self.table_view = self.table_rows, self.table
        self.reserve()

    @property
    def cell_count(self) -> int:
        """The number of cells with boxes."""
        return int(self.used_cell_count)

    # Changing.

    @cython.ccall
    def reset(self) -> cython.void:
        """Forget all boxes; O(cells of the grid). The views of arrays are taken again, as growing may have stopped."""
        at: cython.Py_ssize_t
        self.entries_view, self.offsets_view = self.entries, self.offsets
        self.entry_capacity, self.offset_capacity = len(self.entries) // 4, len(self.offsets)
        self.lowest_cells_view, self.footprints_view = self.lowest_cells, self.footprints
        self.first_entries_view, self.listed_view = self.first_entries, self.listed
        for at in range(self.columns * self.rows):
            self.heads_view[at] = -1
        for at in range(cython.cast(cython.Py_ssize_t, len(self.table))):
            self.table_view[at] = -1
        self.used_cell_count = self.listed_count = self.entries_made = self.entry_count = self.offset_count = 0
        self.first_free = -1

    @cython.ccall
    def reserve(self) -> cython.void:
        """Make room for the cells of each slot. Entries are made when a box needs them."""
        capacity: cython.Py_ssize_t = self.boxes.capacity
        if capacity <= self.capacity:
            return
        lowest_cells, footprints = longer(self.lowest_cells, capacity), longer(self.footprints, capacity)
        first_entries, listed = longer(self.first_entries, capacity), longer(self.listed, capacity)
        self.lowest_cells, self.footprints = lowest_cells, footprints
        self.first_entries, self.listed = first_entries, listed
        self.lowest_cells_view, self.footprints_view = self.lowest_cells, self.footprints
        self.first_entries_view, self.listed_view = self.first_entries, self.listed
        self.capacity = capacity

    @cython.ccall
    def set_flat(self, flat: cython.bint) -> cython.void:
        """Set whether all boxes have the z range of 2D (L5). No cell changes: z is not divided."""
        if flat != self.boxes.flat:
            self.boxes.set_flat(flat)

    @cython.ccall
    def enter(self, slot: cython.int) -> cython.void:
        """Add a box to the cells that it covers, or to the list."""
        self.locate(slot)
        self.enter_located(slot)

    @cython.ccall
    def enter_all(self) -> cython.void:
        """Forget all boxes and enter them again: what filling the grid costs."""
        slot: cython.int
        self.reset()
        for slot in range(cython.cast(cython.int, self.boxes.slot_count)):
            if self.boxes.owner_view[slot] >= 0:
                self.locate(slot)
                self.enter_located(slot)

    @cython.ccall
    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box from its cells, or from the list."""
        entry: cython.int
        after: cython.int
        before: cython.int
        last: cython.int = -1
        place: cython.int
        if self.lowest_cells_view[slot] < 0:
            place = self.footprints_view[slot]
            self.listed_count -= 1
            last = self.listed_view[self.listed_count]
            self.listed_view[place] = last
            self.footprints_view[last] = place
            return
        entry = self.first_entries_view[slot]
        while entry >= 0:
            after, before = self.entries_view[4 * entry + 1], self.entries_view[4 * entry + 2]
            if before >= 0:
                self.entries_view[4 * before + 1] = after
            else:
                self.heads_view[-1 - before] = after
                if after < 0:
                    self.used_cell_count -= 1
            if after >= 0:
                self.entries_view[4 * after + 2] = before
            self.entry_count -= 1
            self.cell_changes += 1
            last = entry
            entry = self.entries_view[4 * entry + 3]
        self.entries_view[4 * last + 3] = self.first_free
        self.first_free = self.first_entries_view[slot]

    @cython.ccall
    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box; it leaves its cells and enters others only if it covers others."""
        lowest: cython.longlong = self.lowest_cells_view[slot]
        self.boxes.shift(slot, dx, dy, dz)
        self.locate(slot)
        if self.lowest == lowest and (
            lowest < 0 or self.table_view[self.table_rows_view[self.width] + self.height] == self.footprints_view[slot]
        ):
            return
        self.leave(slot)
        self.enter_located(slot)

    @cython.cfunc
    @cython.exceptval(check=False)
    def locate(self, slot: cython.Py_ssize_t) -> cython.void:
        """Set `lowest`, `width` and `height` to the cells that a box covers; `lowest` is -1 for the list."""
        at: cython.Py_ssize_t = 6 * slot
        shift: cython.int = self.cell_shift
        x0: cython.longlong = (self.boxes.faces_view[at] - self.left) >> shift
        y0: cython.longlong = (self.boxes.faces_view[at + 1] - self.bottom) >> shift
        x1: cython.longlong = (self.boxes.faces_view[at + 3] - self.left) >> shift
        y1: cython.longlong = (self.boxes.faces_view[at + 4] - self.bottom) >> shift
        self.lowest = -1
        if x0 >= 0 and y0 >= 0 and x1 < self.columns and y1 < self.rows:
            self.width, self.height = x1 - x0 + 1, y1 - y0 + 1
            if self.width * self.height <= _MAX_CELLS:
                self.lowest = y0 * self.columns + x0

    @cython.cfunc
    def enter_located(self, slot: cython.int) -> cython.void:
        """Add a box to the cells that `locate` has found."""
        at: cython.Py_ssize_t
        end: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        offset: cython.int
        entry: cython.int
        head: cython.int
        before: cython.int = -1
        start: cython.int
        count: cython.Py_ssize_t = self.width * self.height
        if self.lowest < 0:
            self.lowest_cells_view[slot] = -1
            self.footprints_view[slot] = cython.cast(cython.int, self.listed_count)
            self.listed_view[self.listed_count] = slot
            self.listed_count += 1
            return
        start = self.table_view[self.table_rows_view[self.width] + self.height]
        if start < 0:
            start = self.make_footprint()
        if self.entry_count + count > self.entry_capacity:
            self.reserve_entries(self.entry_count + count)
        self.lowest_cells_view[slot] = cython.cast(cython.int, self.lowest)
        self.footprints_view[slot] = start
        end = start + count
        entries: cython.p_int = cython.address(self.entries_view[0]) if cython.compiled else self.entries_view
        heads: cython.p_int = cython.address(self.heads_view[0]) if cython.compiled else self.heads_view
        for at in range(start, end):
            if self.first_free >= 0:
                entry = self.first_free
                self.first_free = entries[4 * entry + 3]
            else:
                entry = cython.cast(cython.int, self.entries_made)
                self.entries_made += 1
            offset = self.offsets_view[at]
            cell = self.lowest + (offset >> 2)
            head = heads[cell]
            entries[4 * entry] = 4 * slot + (offset & 3)
            entries[4 * entry + 1] = head
            entries[4 * entry + 2] = cython.cast(cython.int, -1 - cell)
            entries[4 * entry + 3] = before
            if head >= 0:
                entries[4 * head + 2] = entry
            else:
                self.used_cell_count += 1
            heads[cell] = entry
            before = entry
        self.first_entries_view[slot] = before
        self.entry_count += count
        self.cell_changes += count

    @cython.cfunc
    def make_footprint(self) -> cython.int:
        """Store the footprint of `width` and `height`, and return where it starts.

        A footprint has for each cell 4 * its distance from the lowest one, plus the flags of its entry.
        """
        row: cython.longlong
        column: cython.longlong
        start: cython.Py_ssize_t = self.offset_count
        at: cython.Py_ssize_t = start
        if start + self.width * self.height > self.offset_capacity:
            capacity: cython.Py_ssize_t = max(2 * self.offset_capacity, start + _MAX_CELLS)
            self.offsets = longer(self.offsets, capacity)
            self.offsets_view = self.offsets
            self.offset_capacity = capacity
        for row in range(self.height):
            for column in range(self.width):
                self.offsets_view[at] = cython.cast(
                    cython.int,
                    4 * (row * self.columns + column) + (1 if column == 0 else 0) + (2 if row == 0 else 0),
                )
                at += 1
        self.offset_count = at
        self.table_view[self.table_rows_view[self.width] + self.height] = cython.cast(cython.int, start)
        return cython.cast(cython.int, start)

    @cython.cfunc
    def reserve_entries(self, count: cython.Py_ssize_t) -> cython.void:
        """Make room for entries, at least twice as many as before."""
        capacity: cython.Py_ssize_t = max(count, 2 * self.entry_capacity, 64)
        self.entries = longer(self.entries, 4 * capacity)
        self.entries_view = self.entries
        self.entry_capacity = capacity

    # Boxes that meet a region.

    @cython.ccall
    def search(self) -> cython.void:
        """Offer the boxes of the cells that the region covers, and those of the list.

        A region of more cells than there are slots is not divided: every box is tested.
        """
        x: cython.longlong
        y: cython.longlong
        at: cython.Py_ssize_t
        low: cython.int
        x0: cython.longlong = max(0, (min(self.lox, self.hix) - self.left) >> self.cell_shift)
        y0: cython.longlong = max(0, (min(self.loy, self.hiy) - self.bottom) >> self.cell_shift)
        x1: cython.longlong = min(self.columns - 1, (max(self.lox, self.hix) - self.left) >> self.cell_shift)
        y1: cython.longlong = min(self.rows - 1, (max(self.loy, self.hiy) - self.bottom) >> self.cell_shift)
        if x0 <= x1 and y0 <= y1:
            if (x1 - x0 + 1) * (y1 - y0 + 1) > self.boxes.slot_count:
                self.cells_visited += self.used_cell_count
                for at in range(self.boxes.slot_count):
                    if self.boxes.owner_view[at] >= 0:
                        self.offer(at)
                return
            for y in range(y0, y1 + 1):
                low = 2 if y == y0 else 0
                for x in range(x0, x1 + 1):
                    at = y * self.columns + x
                    if self.heads_view[at] >= 0:
                        self.search_cell(at, low | 1 if x == x0 else low)
        for at in range(self.listed_count):
            self.offer(self.listed_view[at])

    @cython.cfunc
    @cython.exceptval(check=False)
    def search_cell(self, cell: cython.Py_ssize_t, low: cython.int) -> cython.void:
        """Offer the boxes of a cell that are not hits of another cell.

        `low` has the flags of an entry for the region: this is its lowest column (1), its lowest row (2).
        """
        entry: cython.Py_ssize_t = self.heads_view[cell]
        box: cython.int
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = self.hit_count
        lox: cython.longlong = self.lox
        loy: cython.longlong = self.loy
        loz: cython.longlong = self.loz
        hix: cython.longlong = self.hix
        hiy: cython.longlong = self.hiy
        hiz: cython.longlong = self.hiz
        any_level: cython.bint = self.levels == self.boxes.level_bits
        faces: cython.p_longlong = (
            cython.address(self.boxes.faces_view[0]) if cython.compiled else self.boxes.faces_view
        )
        entries: cython.p_int = cython.address(self.entries_view[0]) if cython.compiled else self.entries_view
        self.cells_visited += 1
        while entry >= 0:
            box = entries[4 * entry]
            entry = entries[4 * entry + 1]
            if (box | low) & 3 == 3:
                box >>= 2
                at = 6 * box
                if (
                    faces[at] <= hix
                    and lox <= faces[at + 3]
                    and faces[at + 1] <= hiy
                    and loy <= faces[at + 4]
                    and faces[at + 2] <= hiz
                    and loz <= faces[at + 5]
                    and (any_level or (self.levels >> self.boxes.levels_view[box]) & 1)
                    and not (self.asleep_only and self.boxes.awake_view[box])
                ):
                    self.hits_view[count] = box
                    count += 1
        self.hit_count = count

    # Pairs of boxes that meet.

    @cython.ccall
    def find_pairs(self, other: Index, awake_only: cython.bint) -> cython.Py_ssize_t:
        """Return how many pairs meet: of this index cell by cell, with another by a query for each box."""
        if other is not self:
            return Index.find_pairs(self, other, awake_only)
        self.pair_count = 0
        self.pair_cells(awake_only)
        self.pair_listed(awake_only)
        return self.pair_count

    @cython.cfunc
    def pair_cells(self, awake_only: cython.bint) -> cython.void:
        """Add the pairs of boxes that share a cell, each in the cell of the greater of their lowest corners.

        Each entry is compared with those after it in its cell.
        """
        slot: cython.Py_ssize_t
        near: cython.Py_ssize_t
        entry: cython.Py_ssize_t
        after: cython.Py_ssize_t
        at: cython.Py_ssize_t
        flags: cython.int
        box: cython.int
        lox: cython.longlong
        loy: cython.longlong
        hix: cython.longlong
        hiy: cython.longlong
        faces: cython.p_longlong = (
            cython.address(self.boxes.faces_view[0]) if cython.compiled else self.boxes.faces_view
        )
        entries: cython.p_int = cython.address(self.entries_view[0]) if cython.compiled else self.entries_view
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] < 0 or self.lowest_cells_view[slot] < 0:
                continue
            at = 6 * slot
            lox, loy, hix, hiy = faces[at], faces[at + 1], faces[at + 3], faces[at + 4]
            entry = self.first_entries_view[slot]
            while entry >= 0:
                flags = entries[4 * entry]
                after = entries[4 * entry + 1]
                while after >= 0:
                    box = entries[4 * after]
                    if (flags | box) & 3 == 3:
                        near = box >> 2
                        at = 6 * near
                        if faces[at] <= hix and lox <= faces[at + 3] and faces[at + 1] <= hiy and loy <= faces[at + 4]:
                            self.offer_pair(min(slot, near), self, max(slot, near), awake_only)
                    after = entries[4 * after + 1]
                entry = entries[4 * entry + 3]

    @cython.cfunc
    def pair_listed(self, awake_only: cython.bint) -> cython.void:
        """Add the pairs with boxes of the list."""
        place: cython.Py_ssize_t
        at: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        near: cython.Py_ssize_t
        for place in range(self.listed_count):
            slot = self.listed_view[place]
            at = 6 * slot
            self.collect(
                self.boxes.faces_view[at],
                self.boxes.faces_view[at + 1],
                self.boxes.faces_view[at + 2],
                self.boxes.faces_view[at + 3],
                self.boxes.faces_view[at + 4],
                self.boxes.faces_view[at + 5],
            )
            for at in range(self.hit_count):
                near = self.hits_view[at]
                if self.lowest_cells_view[near] >= 0 or near > slot:
                    self.offer_pair(min(slot, near), self, max(slot, near), awake_only)

    # Its size.

    def measure(self) -> Size:
        """Return the cells with boxes, and the entries of boxes in cells and in the list."""
        used = bytes_of(
            *(self.heads, self.entries, self.lowest_cells, self.footprints, self.first_entries, self.listed),
            *(self.table_rows, self.table, self.offsets),
        )
        return Size(self.entry_count + self.listed_count, self.used_cell_count, int(self.used_cell_count > 0), used)

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return each cell with boxes; in z it has the range of 2D, or that of the index."""
        size: cython.longlong = 1
        size <<= self.cell_shift
        limit = self.boxes.limit
        lo, hi = (-HALF_SLAB, HALF_SLAB) if self.boxes.flat else (-limit, limit - 1)
        found: list[tuple[Faces, int]] = []
        for cell in sorted({cell for slot in self.placed() for cell in self.cells_of(slot)}):
            x, y = self.left + cell % self.columns * size, self.bottom + cell // self.columns * size
            found.append(((x, y, lo, x + size, y + size, hi), 0))
        return found

    # The invariants.

    def placed(self) -> list[int]:
        """Return the slots with boxes."""
        return [slot for slot in range(self.boxes.slot_count) if self.boxes.owner_view[slot] >= 0]

    def cells_of(self, slot: int) -> dict[int, int]:
        """Return the cells that a box must be in, with the flags of its entry; none if it must be in the list."""
        faces = self.boxes.faces_view
        size: cython.longlong = 1
        size <<= self.cell_shift
        x0, x1 = ((faces[6 * slot + face] - self.left) // size for face in (0, 3))
        y0, y1 = ((faces[6 * slot + face] - self.bottom) // size for face in (1, 4))
        inside = 0 <= x0 and x1 < self.columns and 0 <= y0 and y1 < self.rows
        if not inside or (x1 - x0 + 1) * (y1 - y0 + 1) > MAX_CELLS:
            return {}
        return {y * self.columns + x: (x == x0) + 2 * (y == y0) for y in range(y0, y1 + 1) for x in range(x0, x1 + 1)}

    def check_structure(self) -> None:
        """Verify entries, cells, list and footprints. Raises IndexError for the first failure."""
        self.check_lengths()
        self.check_footprints()
        placed = self.placed()
        expected = {slot: self.cells_of(slot) for slot in placed}
        self.check_cells({(cell, slot): flags for slot in placed for cell, flags in expected[slot].items()})
        self.check_entries([slot for slot in placed if expected[slot]])
        listed = [slot for slot in placed if not expected[slot]]
        if sorted(self.listed[: self.listed_count]) != listed:
            raise IndexError("the list does not contain exactly the boxes that are in no cell")
        for slot in listed:
            place = self.footprints_view[slot]
            if self.lowest_cells_view[slot] != -1 or not 0 <= place < len(listed) or self.listed_view[place] != slot:
                raise IndexError(f"the box in slot {slot} has a wrong place in the list")

    def check_lengths(self) -> None:
        """Verify the lengths of all arrays."""
        per_slot = (self.lowest_cells, self.footprints, self.first_entries, self.listed)
        if min(map(len, per_slot)) < self.capacity or self.capacity < self.boxes.slot_count:
            raise IndexError(f"there is no room for {self.capacity} slots, or it is less than {self.boxes.slot_count}")
        lengths = (len(self.heads), len(self.entries), len(self.offsets))
        if lengths != (self.columns * self.rows, 4 * self.entry_capacity, self.offset_capacity):
            raise IndexError("the cells, the entries or the footprints have an array of another length")
        if self.listed_count > self.capacity:
            raise IndexError(f"{self.listed_count} boxes are in the list, but there are {self.capacity} slots")

    def check_footprints(self) -> None:
        """Verify the table of footprints: those in use follow each other in `offsets`, each made of its cells."""
        rows, starts = table_rows(), []
        if self.table_rows != rows or len(self.table) != rows[MAX_CELLS] + 2:
            raise IndexError("the table of footprints has other rows")
        for width in range(1, MAX_CELLS + 1):
            for height in range(1, MAX_CELLS // width + 1):
                start, end = self.table[rows[width] + height], self.table[rows[width] + height] + width * height
                if start < 0:
                    continue
                offsets = [
                    4 * (row * self.columns + column) + (column == 0) + 2 * (row == 0)
                    for row in range(height)
                    for column in range(width)
                ]
                if list(self.offsets[start:end]) != offsets:
                    raise IndexError(f"the footprint of {width} * {height} cells is wrong")
                starts.append((start, end))
        starts = [(0, 0), *sorted(starts), (self.offset_count, self.offset_count)]
        if any(end != start for (_, end), (start, _) in pairwise(starts)):
            raise IndexError("the footprints do not follow each other")

    def check_cells(self, expected: dict[tuple[int, int], int]) -> None:
        """Verify that the lists of the cells have exactly the expected entries: flags by (cell, slot)."""
        found: dict[tuple[int, int], int] = {}
        heads = [cell for cell, head in enumerate(self.heads) if head >= 0]
        for cell in heads:
            before, entry = -1 - cell, self.heads_view[cell]
            while entry >= 0:
                box = self.entries_view[4 * entry] if entry < self.entry_capacity else -1
                if box < 0 or self.entries_view[4 * entry + 2] != before or (cell, box >> 2) in found:
                    raise IndexError(f"the list of cell {cell} is broken at entry {entry}")
                found[cell, box >> 2] = box & 3
                before, entry = entry, self.entries_view[4 * entry + 1]
        if found != expected:
            raise IndexError("the boxes are not in exactly the cells they cover")
        if len(heads) != self.used_cell_count:
            raise IndexError(f"{len(heads)} cells have boxes, counted {self.used_cell_count}")

    def check_entries(self, slots: list[int]) -> None:
        """Verify that every entry belongs to one box or is free, and the footprints of the boxes."""
        seen: set[int] = set()
        for slot in slots:
            cells, first = list(self.cells_of(slot)), len(seen)
            start, lowest = self.footprints_view[slot], self.lowest_cells_view[slot]
            offsets = self.offsets[start : start + len(cells)] if start >= 0 else ()
            if lowest != cells[0] or [lowest + (offset >> 2) for offset in offsets] != cells:
                raise IndexError(f"the footprint of the box in slot {slot} does not cover its cells")
            self.follow(self.first_entries_view[slot], slot, seen)
            if len(seen) - first != len(cells):
                raise IndexError(f"the box in slot {slot} has {len(seen) - first} entries, not {len(cells)}")
        if len(seen) != self.entry_count:
            raise IndexError(f"{len(seen)} entries are in use, counted {self.entry_count}")
        self.follow(self.first_free, -1, seen)
        if seen != set(range(self.entries_made)) or self.entries_made > self.entry_capacity:
            raise IndexError("an entry is neither in use nor free")

    def follow(self, entry: int, slot: int, seen: set[int]) -> None:
        """Add the entries of a box, or the free ones (slot -1), to `seen`; each must be there only once."""
        while entry >= 0:
            if (
                entry in seen
                or entry >= self.entry_capacity
                or (slot >= 0 and self.entries_view[4 * entry] >> 2 != slot)
            ):
                raise IndexError(f"entry {entry} belongs to two boxes")
            seen.add(entry)
            entry = self.entries_view[4 * entry + 3]
