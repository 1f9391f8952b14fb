# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
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

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import grown
from ecs_collision.broadphase.protocol import Index

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
        self.heads = array("i", [-1]) * (columns * rows)
        self.entries, self.offsets = array("i", bytes(16)), array("i", bytes(4))
        self.lowest_cells, self.footprints = array("i"), array("i")
        self.first_entries, self.listed = array("i"), array("i")
        self.table_rows = table_rows()
        self.table = array("i", [-1]) * (self.table_rows[MAX_CELLS] + 2)
        self.lowest = self.width = self.height = 0
        self.reset()
        self.reserve()

    @property
    def cell_count(self) -> int:
        """The number of cells with boxes."""
        return int(self.used_cell_count)

    # Changing.

    def reset(self) -> cython.void:
        """Forget all boxes; O(cells of the grid)."""
        for at in range(self.columns * self.rows):
            self.heads[at] = -1
        for at in range(len(self.table)):
            self.table[at] = -1
        self.used_cell_count = self.listed_count = self.entries_made = self.entry_count = self.offset_count = 0
        self.first_free = -1

    def reserve(self) -> cython.void:
        """Make room for the cells of each slot. Entries are made when a box needs them."""
        if self.boxes.capacity > len(self.listed):
            self.lowest_cells, self.footprints, self.first_entries, self.listed = grown(
                self.boxes.capacity, self.lowest_cells, self.footprints, self.first_entries, self.listed
            )

    def enter(self, slot: cython.int) -> cython.void:
        """Add a box to the cells that it covers, or to the list."""
        self.locate(slot)
        self.enter_located(slot)

    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box from its cells, or from the list."""
        last: cython.int = -1
        if self.lowest_cells[slot] < 0:
            place: cython.int = self.footprints[slot]
            self.listed_count -= 1
            last = self.listed[self.listed_count]
            self.listed[place] = last
            self.footprints[last] = place
            return
        entry: cython.int = self.first_entries[slot]
        while entry >= 0:
            after, before = self.entries[4 * entry + 1], self.entries[4 * entry + 2]
            if before >= 0:
                self.entries[4 * before + 1] = after
            else:
                self.heads[-1 - before] = after
                if after < 0:
                    self.used_cell_count -= 1
            if after >= 0:
                self.entries[4 * after + 2] = before
            self.entry_count -= 1
            self.cell_changes += 1
            last = entry
            entry = self.entries[4 * entry + 3]
        self.entries[4 * last + 3] = self.first_free
        self.first_free = self.first_entries[slot]

    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box; it leaves its cells and enters others only if it covers others."""
        lowest: cython.longlong = self.lowest_cells[slot]
        self.boxes.shift(slot, dx, dy, dz)
        self.locate(slot)
        if self.lowest == lowest and (
            lowest < 0 or self.table[self.table_rows[self.width] + self.height] == self.footprints[slot]
        ):
            return
        self.leave(slot)
        self.enter_located(slot)

    def locate(self, slot: cython.Py_ssize_t) -> cython.void:
        """Set `lowest`, `width` and `height` to the cells that a box covers; `lowest` is -1 for the list."""
        at: cython.Py_ssize_t = 8 * slot
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

    def enter_located(self, slot: cython.int) -> cython.void:
        """Add a box to the cells that `locate` has found."""
        before: cython.int = -1
        count: cython.Py_ssize_t = self.width * self.height
        if self.lowest < 0:
            self.lowest_cells[slot] = -1
            self.footprints[slot] = cython.cast(cython.int, self.listed_count)
            self.listed[self.listed_count] = slot
            self.listed_count += 1
            return
        start: cython.int = self.table[self.table_rows[self.width] + self.height]
        if start < 0:
            start = self.make_footprint()
        if 4 * (self.entry_count + count) > len(self.entries):
            (self.entries,) = grown(max(4 * (self.entry_count + count), 2 * len(self.entries), 4 * 64), self.entries)
        self.lowest_cells[slot] = cython.cast(cython.int, self.lowest)
        self.footprints[slot] = start
        end: cython.Py_ssize_t = start + count
        entries: cython.p_int = cython.address(self.entries[0]) if cython.compiled else self.entries
        heads: cython.p_int = cython.address(self.heads[0]) if cython.compiled else self.heads
        for at in range(start, end):
            if self.first_free >= 0:
                entry: cython.int = self.first_free
                self.first_free = entries[4 * entry + 3]
            else:
                entry = cython.cast(cython.int, self.entries_made)
                self.entries_made += 1
            offset: cython.int = self.offsets[at]
            cell: cython.Py_ssize_t = self.lowest + (offset >> 2)
            head: cython.int = heads[cell]
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
        self.first_entries[slot] = before
        self.entry_count += count
        self.cell_changes += count

    def make_footprint(self) -> cython.int:
        """Store the footprint of `width` and `height`, and return where it starts.

        A footprint has for each cell 4 * its distance from the lowest one, plus the flags of its entry.
        """
        start: cython.Py_ssize_t = self.offset_count
        at: cython.Py_ssize_t = start
        if start + self.width * self.height > len(self.offsets):
            (self.offsets,) = grown(max(2 * len(self.offsets), start + _MAX_CELLS), self.offsets)
        for row in range(self.height):
            for column in range(self.width):
                self.offsets[at] = cython.cast(
                    cython.int,
                    4 * (row * self.columns + column) + (1 if column == 0 else 0) + (2 if row == 0 else 0),
                )
                at += 1
        self.offset_count = at
        self.table[self.table_rows[self.width] + self.height] = cython.cast(cython.int, start)
        return cython.cast(cython.int, start)

    # Boxes that meet a region.

    def search(self) -> cython.void:
        """Offer the boxes of the cells that the region covers, and those of the list.

        A region of more cells than there are slots is not divided: every box is tested.
        """
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
                low: cython.int = 2 if y == y0 else 0
                for x in range(x0, x1 + 1):
                    at = y * self.columns + x
                    if self.heads[at] >= 0:
                        self.search_cell(at, low | 1 if x == x0 else low)
        for at in range(self.listed_count):
            self.offer(self.listed[at])

    def search_cell(self, cell: cython.Py_ssize_t, low: cython.int) -> cython.void:
        """Offer the boxes of a cell that are not hits of another cell.

        `low` has the flags of an entry for the region: this is its lowest column (1), its lowest row (2).
        """
        entry: cython.Py_ssize_t = self.heads[cell]
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
        entries: cython.p_int = cython.address(self.entries[0]) if cython.compiled else self.entries
        self.cells_visited += 1
        while entry >= 0:
            box: cython.int = entries[4 * entry]
            entry = entries[4 * entry + 1]
            if (box | low) & 3 == 3:
                box >>= 2
                at: cython.Py_ssize_t = 8 * box
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

    def pair_with(self, other: Index) -> cython.void:
        """Offer the pairs of this index cell by cell, those with another by a query for each box."""
        if other is not self:
            Index.pair_with(self, other)
            return
        self.pair_cells()
        self.pair_listed()

    def pair_cells(self) -> cython.void:
        """Add the pairs of boxes that share a cell, each in the cell of the greater of their lowest corners.

        Each entry is compared with those after it in its cell.
        """
        faces: cython.p_longlong = (
            cython.address(self.boxes.faces_view[0]) if cython.compiled else self.boxes.faces_view
        )
        entries: cython.p_int = cython.address(self.entries[0]) if cython.compiled else self.entries
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] < 0 or self.lowest_cells[slot] < 0:
                continue
            at: cython.Py_ssize_t = 8 * slot
            lox, loy, hix, hiy = faces[at], faces[at + 1], faces[at + 3], faces[at + 4]
            entry: cython.Py_ssize_t = self.first_entries[slot]
            while entry >= 0:
                flags: cython.int = entries[4 * entry]
                after: cython.Py_ssize_t = entries[4 * entry + 1]
                while after >= 0:
                    box: cython.int = entries[4 * after]
                    if (flags | box) & 3 == 3:
                        near: cython.Py_ssize_t = box >> 2
                        at = 8 * near
                        if faces[at] <= hix and lox <= faces[at + 3] and faces[at + 1] <= hiy and loy <= faces[at + 4]:
                            self.offer_pair(slot, self, near)
                    after = entries[4 * after + 1]
                entry = entries[4 * entry + 3]

    def pair_listed(self) -> cython.void:
        """Add the pairs with boxes of the list."""
        for place in range(self.listed_count):
            slot: cython.Py_ssize_t = self.listed[place]
            self.collect_box(self.boxes, slot)
            for at in range(self.hit_count):
                near: cython.Py_ssize_t = self.hits_view[at]
                if self.lowest_cells[near] >= 0 or near > slot:
                    self.offer_pair(slot, self, near)
