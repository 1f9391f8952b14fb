# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The broad phase of a sorted list: entries of boxes in Morton order, swept once for all pairs.

A box covers at most two cells of its size level on an axis, so at most 8 cells, or 4 while the world is flat. Each of
them is an *entry*: the Morton code of the lowest bin of the cell, the level, the box. The entries are sorted by code,
and with equal codes the larger cell comes first. An enclosing cell therefore comes before all that it contains, and
these follow it as one run, which ends at the last code of the cell. One scan forward finds all pairs of boxes that
share a cell. There is no tree and no hash table.

Two boxes can share several cells. An entry has a bit for each axis on which its box begins in the cell before. The pair
counts in the first shared cell on each axis: not where both boxes begin before the larger cell, nor where the box in
the smaller cell begins in a cell before that is in the larger one as well. Queries take a box in the first of its cells
that the region covers. So each pair and each hit comes once, without marks or a removal of repetitions.

A query covers at most 8 cells as large as the region. What they contain are runs; a long run is divided into the runs
of smaller cells, whose ends are searched from the last place onwards. What encloses them is found by links: each entry
has the place of the last entry of the nearest enclosing cell.

Changes are collected. A box that stays in its cells changes nothing. Entries that are left are marked as dead, new ones
go to a short tail that queries scan. When the scans of the tail have cost about as much as merging it would, it is
sorted and merged, so that changes and queries in turns cost O(√entries) each. If more than an eighth of the entries
change between two queries, all entries are sorted again: a radix sort of the bits that differ.

Source: Lavrov, Collision detection using Z order curve aka Morton order (dmytry.com). Linear trees in Morton order:
Gargantini, An Effective Way to Represent Quadtrees, 1982; Ericson, Real-Time Collision Detection, 7.3.4 and 7.3.5.

Good for: all pairs of many boxes at once, of sizes that differ, most of them moving; levels of statics, which are an
index of their own, sorted once. Less good for many single queries between single changes.

Wrong in the source and right here: its outline sorts by codes only. Cells with the same lowest corner are then in any
order, and what comes before the cell that contains it is never compared with it. It stores a pair for every shared cell
(up to 8 times each) and removes the repetitions by sorting all of them; here each is found once. Codes of 32 bits, as
in many descriptions, repeat after 1,024 cells on each axis of three; here they have 21 bits for each axis, and the end
of a cell is its last code, not the next one, which would overflow for the last cell.

Costs: a query O(log entries + entries nearby + tail), a move O(1) or O(log entries), all pairs O(entries + candidates)
after a merge in O(entries) or a sort in O(entries) passes over 11 bits. A box that contains many others costs as much
as there are entries in its cells that it meets.
"""

from __future__ import annotations

from array import array
from itertools import product

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.box_pool import BoxPool
    from cython.cimports.ecs_collision.broadphase.entry_list import EntryList, low_bits
    from cython.cimports.ecs_collision.broadphase.morton_codes import spread2, spread3
    from cython.cimports.ecs_collision.broadphase.morton_grid.morton import bin_of
    from cython.cimports.ecs_collision.broadphase.protocol import Index
else:
    from ecs_collision.broadphase.box_pool import BoxPool
    from ecs_collision.broadphase.entry_list import EntryList, low_bits
    from ecs_collision.broadphase.morton_codes import spread2, spread3
    from ecs_collision.broadphase.morton_grid.morton import bin_of
    from ecs_collision.broadphase.protocol import Index

from ecs_collision._arrays import bytes_of
from ecs_collision.broadphase.entry_list import BEGINS_BEFORE, DEAD, LEVEL_SHIFT, SLOT_MASK, SLOT_SHIFT
from ecs_collision.broadphase.morton_codes import decode2, decode3
from ecs_collision.broadphase.morton_grid.morton import ORIGIN, TOP_LEVEL, X_BITS
from ecs_collision.broadphase.protocol import Faces, Size
from ecs_collision.fixed_point import HALF_SLAB

_TOP = cython.declare(cython.longlong, TOP_LEVEL)
_LEVEL_SHIFT = cython.declare(cython.int, LEVEL_SHIFT)
_SLOT_SHIFT = cython.declare(cython.int, SLOT_SHIFT)
_SLOT_MASK = cython.declare(cython.longlong, SLOT_MASK)
_DEAD = cython.declare(cython.longlong, DEAD)
_BEGINS_BEFORE = cython.declare(cython.longlong, BEGINS_BEFORE)
_X_BITS_2 = cython.declare(cython.longlong, 0x15555555555)  # the bits of a code of two axes that hold x
_X_BITS_3 = cython.declare(cython.longlong, 0x1249249249249249)  # of three
_Z_BIAS = cython.declare(cython.longlong, HALF_SLAB)

_FEW = cython.declare(cython.Py_ssize_t, 40)  # as many pairs are sorted by insertion
_SHORT_RUN = cython.declare(cython.Py_ssize_t, 48)  # a run as long is scanned, a longer one is divided


@cython.final
@cython.cclass
class ZOrderSweepIndex(Index):
    """A list of entries sorted by Morton codes (`broadphase/protocol.py`).

    Its nodes are the entries: `cell_count` counts them, `cell_changes` those that were added and removed, and
    `cells_visited` those whose cells met the region of a query.
    """

    def __init__(self, bin_shift: cython.int) -> None:
        Index.__init__(self, bin_shift)
        self.entries = EntryList()
        self.spare_pairs, self.slot_starts = array("i"), array("i")
        self.span = array("q", bytes(8 * 6))
        self.span_view = self.span
        self.reserve()
        self.reset()

    @property
    def cell_count(self) -> int:
        """The number of entries: the cells of all boxes, those of each box counted by themselves."""
        return int(self.live_count)

    # Changing.

    @cython.ccall
    def reset(self) -> cython.void:
        """Forget all entries."""
        self.live_count = 0
        self.divide(self.boxes.flat)

    @cython.cfunc
    def divide(self, flat: cython.bint) -> cython.int:
        """Remove all entries, and set how many axes are divided and which bits of a code each of them has."""
        if flat:
            self.dimensions = 2
            self.x_bits, self.y_bits, self.z_bits = _X_BITS_2, _X_BITS_2 << 1, 0
        else:
            self.dimensions = 3
            self.x_bits, self.y_bits, self.z_bits = _X_BITS_3, _X_BITS_3 << 1, _X_BITS_3 << 2
        return self.entries.clear(self.dimensions)

    @cython.ccall
    def set_flat(self, flat: cython.bint) -> cython.void:
        """Set whether all boxes have the z range of 2D; the next query sorts all entries again. O(boxes)."""
        slot: cython.Py_ssize_t
        if flat == self.boxes.flat:
            return
        self.boxes.set_flat(flat)
        self.divide(flat)
        self.entries.drop()
        self.cell_changes += self.live_count
        self.live_count = 0
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] >= 0:
                self.live_count += self.cover(slot, 0, 0, 0)
        self.cell_changes += self.live_count

    @cython.ccall
    def reserve(self) -> cython.void:
        """Make room for what is stored of each slot."""
        self.entries.reserve_slots(self.boxes.capacity)

    @cython.cfunc
    @cython.exceptval(check=False)
    def cover(
        self, slot: cython.Py_ssize_t, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong
    ) -> cython.longlong:
        """Write the first and the last cell on each axis that a box covers once it is moved; return how many cells."""
        base: cython.Py_ssize_t = 6 * slot
        level: cython.int = self.boxes.levels_view[slot]
        bin_shift: cython.int = self.boxes.bin_shift
        x0: cython.longlong = bin_of(self.boxes.faces_view[base] + dx, bin_shift) >> level
        y0: cython.longlong = bin_of(self.boxes.faces_view[base + 1] + dy, bin_shift) >> level
        z0: cython.longlong = 0
        x1: cython.longlong = bin_of(self.boxes.faces_view[base + 3] + dx, bin_shift) >> level
        y1: cython.longlong = bin_of(self.boxes.faces_view[base + 4] + dy, bin_shift) >> level
        z1: cython.longlong = 0
        if not self.boxes.flat:
            z0 = bin_of(self.boxes.faces_view[base + 2] + dz + _Z_BIAS, bin_shift) >> level
            z1 = bin_of(self.boxes.faces_view[base + 5] + dz + _Z_BIAS, bin_shift) >> level
        self.span_view[0], self.span_view[1], self.span_view[2] = x0, y0, z0
        self.span_view[3], self.span_view[4], self.span_view[5] = x1, y1, z1
        return (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def code_of(self, x: cython.longlong, y: cython.longlong, z: cython.longlong, level: cython.int) -> cython.longlong:
        """Return the code of the lowest bin of a cell."""
        if self.boxes.flat:
            return (spread2(x) | (spread2(y) << 1)) << (2 * level)
        return (spread3(x) | (spread3(y) << 1) | (spread3(z) << 2)) << (3 * level)

    @cython.ccall
    def enter(self, slot: cython.int) -> cython.void:
        """Add the entries of a box."""
        cells: cython.longlong = self.cover(slot, 0, 0, 0)
        self.add_entries(slot, cells)
        self.live_count += cells
        self.cell_changes += cells

    @cython.ccall
    def leave(self, slot: cython.int) -> cython.void:
        """Remove the entries of a box."""
        self.entries.limit_tail(slot)
        cells: cython.longlong = self.cover(slot, 0, 0, 0)
        self.remove_entries(slot, cells)
        self.live_count -= cells
        self.cell_changes += cells

    @cython.ccall
    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box. Its entries change only if its cells do."""
        cells: cython.longlong
        same: cython.longlong
        self.entries.limit_tail(slot)
        cells = self.cover(slot, 0, 0, 0)
        x0: cython.longlong = self.span_view[0]
        y0: cython.longlong = self.span_view[1]
        z0: cython.longlong = self.span_view[2]
        x1: cython.longlong = self.span_view[3]
        y1: cython.longlong = self.span_view[4]
        z1: cython.longlong = self.span_view[5]
        new_cells: cython.longlong = self.cover(slot, dx, dy, dz)
        if (
            x0 == self.span_view[0]
            and y0 == self.span_view[1]
            and z0 == self.span_view[2]
            and x1 == self.span_view[3]
            and y1 == self.span_view[4]
            and z1 == self.span_view[5]
        ):
            self.boxes.shift(slot, dx, dy, dz)
            return
        same = max(min(x1, self.span_view[3]) - max(x0, self.span_view[0]) + 1, 0)
        same *= max(min(y1, self.span_view[4]) - max(y0, self.span_view[1]) + 1, 0)
        same *= max(min(z1, self.span_view[5]) - max(z0, self.span_view[2]) + 1, 0)
        self.span_view[0], self.span_view[1], self.span_view[2] = x0, y0, z0
        self.span_view[3], self.span_view[4], self.span_view[5] = x1, y1, z1
        self.boxes.shift(slot, dx, dy, dz)
        self.remove_entries(slot, cells)
        self.cover(slot, 0, 0, 0)
        self.add_entries(slot, new_cells)
        self.live_count += new_cells - cells
        self.cell_changes += cells + new_cells - 2 * same

    @cython.cfunc
    def add_entries(self, slot: cython.Py_ssize_t, cells: cython.longlong) -> cython.int:
        """Add the entries of a box for the cells of `span`."""
        level: cython.int = self.boxes.levels_view[slot]
        tag: cython.longlong = ((_TOP - level) << _LEVEL_SHIFT) | (cython.cast(cython.longlong, slot) << _SLOT_SHIFT)
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        if self.entries.count_changes(cells):
            return 0
        self.entries.reserve_tail(self.entries.tail_count + 8)
        for z in range(self.span_view[2], self.span_view[5] + 1):
            for y in range(self.span_view[1], self.span_view[4] + 1):
                for x in range(self.span_view[0], self.span_view[3] + 1):
                    self.entries.add(slot, self.code_of(x, y, z, level), tag | self.begins_before(x, y, z))
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def remove_entries(self, slot: cython.Py_ssize_t, cells: cython.longlong) -> cython.void:
        """Remove the entries of a box for the cells of `span`."""
        level: cython.int = self.boxes.levels_view[slot]
        tag: cython.longlong = ((_TOP - level) << _LEVEL_SHIFT) | (cython.cast(cython.longlong, slot) << _SLOT_SHIFT)
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        if self.entries.count_changes(cells):
            return
        self.entries.remove_from_tail(slot)
        for z in range(self.span_view[2], self.span_view[5] + 1):
            for y in range(self.span_view[1], self.span_view[4] + 1):
                for x in range(self.span_view[0], self.span_view[3] + 1):
                    self.entries.remove(self.code_of(x, y, z, level), tag)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def begins_before(self, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.longlong:
        """Return a bit for each axis on which a cell is not the first one of `span`."""
        return (x > self.span_view[0]) | ((y > self.span_view[1]) << 1) | ((z > self.span_view[2]) << 2)

    @cython.cfunc
    def sync(self) -> cython.int:
        """Merge all changes into the sorted entries."""
        if self.entries.is_stale:
            self.rebuild()
        elif self.entries.tail_count > 0 or self.entries.dead_count > 0:
            self.entries.merge()
        return 0

    @cython.cfunc
    def rebuild(self) -> cython.int:
        """Write the entries of all boxes and sort them. An interrupted one is repeated by the next query."""
        entries: EntryList = self.entries
        count: cython.Py_ssize_t = 0
        slot: cython.Py_ssize_t
        level: cython.int
        tag: cython.longlong
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        entries.take_views()
        entries.forget_tail()
        entries.reserve(self.live_count + 8)
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] < 0:
                continue
            entries.reserve(count + 8)
            level = self.boxes.levels_view[slot]
            tag = ((_TOP - level) << _LEVEL_SHIFT) | (cython.cast(cython.longlong, slot) << _SLOT_SHIFT)
            self.cover(slot, 0, 0, 0)
            for z in range(self.span_view[2], self.span_view[5] + 1):
                for y in range(self.span_view[1], self.span_view[4] + 1):
                    for x in range(self.span_view[0], self.span_view[3] + 1):
                        entries.codes_view[count] = self.code_of(x, y, z, level)
                        entries.tags_view[count] = tag | self.begins_before(x, y, z)
                        count += 1
        entries.sort_all(count)
        return 0

    # Boxes that meet a region.

    @cython.ccall
    def search(self) -> cython.void:
        """Offer the boxes in the tail, in the cells that the region covers, and in those that enclose them."""
        entries: EntryList = self.entries
        if entries.is_stale:
            self.rebuild()
        else:
            entries.update()
        self.aim()
        if entries.tail_count > 0:
            self.scan(
                cython.address(entries.tail_codes_view[0]) if cython.compiled else entries.tail_codes_view,
                cython.address(entries.tail_tags_view[0]) if cython.compiled else entries.tail_tags_view,
                0,
                entries.tail_count,
            )
        if entries.count > 0:
            self.search_cells()

    @cython.cfunc
    @cython.exceptval(check=False)
    def aim(self) -> cython.void:
        """Set the bins that the region covers, and their spread bits on each axis."""
        bin_shift: cython.int = self.boxes.bin_shift
        lox: cython.longlong = min(self.lox, self.hix)
        loy: cython.longlong = min(self.loy, self.hiy)
        loz: cython.longlong = min(self.loz, self.hiz)
        hix: cython.longlong = max(self.lox, self.hix)
        hiy: cython.longlong = max(self.loy, self.hiy)
        hiz: cython.longlong = max(self.loz, self.hiz)
        self.bin_x0, self.bin_y0, self.bin_z0 = bin_of(lox, bin_shift), bin_of(loy, bin_shift), 0
        self.bin_x1, self.bin_y1, self.bin_z1 = bin_of(hix, bin_shift), bin_of(hiy, bin_shift), 0
        if self.boxes.flat:
            self.first_x, self.first_y, self.first_z = spread2(self.bin_x0), spread2(self.bin_y0) << 1, 0
            self.last_x, self.last_y, self.last_z = spread2(self.bin_x1), spread2(self.bin_y1) << 1, 0
        else:
            self.bin_z0, self.bin_z1 = bin_of(loz + _Z_BIAS, bin_shift), bin_of(hiz + _Z_BIAS, bin_shift)
            self.first_x, self.first_y = spread3(self.bin_x0), spread3(self.bin_y0) << 1
            self.last_x, self.last_y = spread3(self.bin_x1), spread3(self.bin_y1) << 1
            self.first_z, self.last_z = spread3(self.bin_z0) << 2, spread3(self.bin_z1) << 2

    @cython.cfunc
    @cython.exceptval(check=False)
    def search_cells(self) -> cython.void:
        """Offer the sorted boxes in at most two cells on each axis that are as large as the region, and around them."""
        dimensions: cython.int = self.dimensions
        level: cython.int = 0
        above: cython.bint
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        code: cython.longlong
        at: cython.Py_ssize_t = self.entries.place
        while (
            (self.bin_x1 >> level) - (self.bin_x0 >> level) > 1
            or (self.bin_y1 >> level) - (self.bin_y0 >> level) > 1
            or (self.bin_z1 >> level) - (self.bin_z0 >> level) > 1
        ):
            level += 1
        above = self.levels >> level > 1
        for z in range(self.bin_z0 >> level, (self.bin_z1 >> level) + 1):
            for y in range(self.bin_y0 >> level, (self.bin_y1 >> level) + 1):
                for x in range(self.bin_x0 >> level, (self.bin_x1 >> level) + 1):
                    code = self.code_of(x, y, z, level)
                    at = self.entries.first_from(code, (_TOP - level) << _LEVEL_SHIFT, at)
                    self.entries.place = at
                    if above:
                        self.search_enclosing(
                            code,
                            at - 1,
                            (self.x_bits if x > self.bin_x0 >> level else 0)
                            | (self.y_bits if y > self.bin_y0 >> level else 0)
                            | (self.z_bits if z > self.bin_z0 >> level else 0),
                        )
                    self.search_run(
                        code,
                        level,
                        at,
                        self.entries.end_of(code | low_bits(dimensions, level), at, self.entries.count),
                    )

    @cython.cfunc
    @cython.exceptval(check=False)
    def search_enclosing(
        self, code: cython.longlong, at: cython.Py_ssize_t, offset_bits: cython.longlong
    ) -> cython.void:
        """Offer the boxes in the cells that enclose a cell of the region; `at` is the place before that cell.

        `offset_bits` are the bits of the axes on which the region has a cell before this one. If that is in the same
        enclosing cell, the enclosing cell was searched from there.
        """
        first: cython.Py_ssize_t
        while at >= 0:
            first = at
            if code <= self.entries.last_code(at):
                while first > 0 and self.entries.is_same_cell(first - 1, at):
                    first -= 1
                if (code ^ self.entries.codes_view[at]) & offset_bits == 0:
                    self.scan_sorted(first, at + 1)
            at = self.entries.contained_by_view[at]

    @cython.cfunc
    @cython.exceptval(check=False)
    def search_run(
        self, code: cython.longlong, level: cython.int, at: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.void:
        """Offer the boxes in a cell and in all that it contains: the run of entries from `at` to before `end`."""
        dimensions: cython.int = self.dimensions
        low: cython.longlong = low_bits(dimensions, level)
        stop: cython.Py_ssize_t
        child: cython.longlong
        child_low: cython.longlong
        if (
            end - at <= _SHORT_RUN
            or level == 0
            or (
                code & self.x_bits >= self.first_x
                and (code | low) & self.x_bits <= self.last_x
                and code & self.y_bits >= self.first_y
                and (code | low) & self.y_bits <= self.last_y
                and code & self.z_bits >= self.first_z
                and (code | low) & self.z_bits <= self.last_z
            )
        ):
            self.scan_sorted(at, end)
            return
        stop = self.entries.first_from(code, (_TOP - level + 1) << _LEVEL_SHIFT, at)
        self.scan_sorted(at, stop)
        at = stop
        child_low = low_bits(dimensions, level - 1)
        child = code
        while at < end:
            # Skip to the child that contains the next entry.
            child = self.entries.codes_view[at] & ~child_low
            stop = self.entries.end_of(child | child_low, at, end)
            if (
                child & self.x_bits <= self.last_x
                and (child | child_low) & self.x_bits >= self.first_x
                and child & self.y_bits <= self.last_y
                and (child | child_low) & self.y_bits >= self.first_y
                and child & self.z_bits <= self.last_z
                and (child | child_low) & self.z_bits >= self.first_z
            ):
                self.search_run(child, level - 1, at, stop)
            at = stop

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def scan_sorted(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """Offer the boxes of a run of sorted entries, as `scan`."""
        if at < end:
            self.scan(
                cython.address(self.entries.codes_view[0]) if cython.compiled else self.entries.codes_view,
                cython.address(self.entries.tags_view[0]) if cython.compiled else self.entries.tags_view,
                at,
                end,
            )

    @cython.cfunc
    @cython.exceptval(check=False)
    def scan(
        self,
        codes: cython.p_longlong,
        tags: cython.p_longlong,
        first: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.void:
        """Offer the boxes of entries whose cell is the first one of the box, on each axis, that the region covers."""
        dimensions: cython.int = self.dimensions
        code: cython.longlong
        tag: cython.longlong
        level: cython.longlong = -1
        first_x: cython.longlong = 0
        first_y: cython.longlong = 0
        first_z: cython.longlong = 0
        at: cython.Py_ssize_t
        for at in range(first, end):
            code = codes[at]
            tag = tags[at]
            if tag >> _LEVEL_SHIFT != level:
                level = tag >> _LEVEL_SHIFT
                first_x = ~low_bits(dimensions, cython.cast(cython.int, _TOP - level))
                first_y = first_x & self.first_y
                first_z = first_x & self.first_z
                first_x = first_x & self.first_x
            if (
                code & self.x_bits < first_x
                or code & self.x_bits > self.last_x
                or code & self.y_bits < first_y
                or code & self.y_bits > self.last_y
                or code & self.z_bits < first_z
                or code & self.z_bits > self.last_z
                or tag & _DEAD
            ):
                continue
            self.cells_visited += 1
            if (
                (tag & 1 and code & self.x_bits != first_x)
                or (tag & 2 and code & self.y_bits != first_y)
                or (tag & 4 and code & self.z_bits != first_z)
            ):
                continue
            self.offer(cython.cast(cython.Py_ssize_t, (tag >> _SLOT_SHIFT) & _SLOT_MASK))

    # Pairs of boxes that meet.

    @cython.ccall
    def find_pairs(self, other: Index, awake_only: cython.bint) -> cython.Py_ssize_t:
        """Return how many pairs meet: one scan of this list, or a merge of two. The pairs are sorted by their slots."""
        if other is self:
            self.pair_count = 0
            self.sync()
            self.find_own_pairs(awake_only)
        elif isinstance(other, ZOrderSweepIndex) and self.has_same_cells(other):
            self.pair_count = 0
            self.find_pairs_with(cython.cast(ZOrderSweepIndex, other), awake_only)
        else:
            Index.find_pairs(self, other, awake_only)
        self.sort_pairs(max(self.boxes.slot_count, other.boxes.slot_count))
        return self.pair_count

    @cython.cfunc
    @cython.exceptval(check=False)
    def has_same_cells(self, other: Index) -> cython.bint:
        """Return whether another index divides space into the same cells."""
        return self.boxes.flat == other.boxes.flat and self.boxes.bin_shift == other.boxes.bin_shift

    @cython.cfunc
    def find_own_pairs(self, awake_only: cython.bint) -> cython.int:
        """Find the pairs within this list."""
        codes: cython.p_longlong = (
            cython.address(self.entries.codes_view[0]) if cython.compiled else self.entries.codes_view
        )
        tags: cython.p_longlong = (
            cython.address(self.entries.tags_view[0]) if cython.compiled else self.entries.tags_view
        )
        first: cython.Py_ssize_t = 0
        stop: cython.Py_ssize_t
        end: cython.Py_ssize_t
        at: cython.Py_ssize_t
        near: cython.Py_ssize_t
        level: cython.int
        while first < self.entries.count:
            stop = self.entries.end_of_cell(first)
            for at in range(first, stop - 1):
                for near in range(at + 1, stop):
                    if tags[at] & tags[near] & _BEGINS_BEFORE == 0:
                        self.try_pair(
                            self,
                            (tags[at] >> _SLOT_SHIFT) & _SLOT_MASK,
                            self,
                            (tags[near] >> _SLOT_SHIFT) & _SLOT_MASK,
                            awake_only,
                            False,
                        )
            level = cython.cast(cython.int, _TOP - (tags[first] >> _LEVEL_SHIFT))
            if level > 0 and stop < self.entries.count:
                end = self.entries.end_of(codes[first] | low_bits(self.dimensions, level), stop, self.entries.count)
                if end > stop:
                    for at in range(first, stop):
                        self.pair_with_contained(self, at, self, stop, end, awake_only, False)
            first = stop
        return 0

    @cython.cfunc
    def find_pairs_with(self, other: ZOrderSweepIndex, awake_only: cython.bint) -> cython.int:
        """Find the pairs of two lists: walk through the shorter one, and follow its places in the other."""
        few: ZOrderSweepIndex = self
        many: ZOrderSweepIndex = other
        swapped: cython.bint
        first: cython.Py_ssize_t = 0
        stop: cython.Py_ssize_t
        end: cython.Py_ssize_t
        at: cython.Py_ssize_t
        place: cython.Py_ssize_t = 0
        code: cython.longlong
        level: cython.int
        self.sync()
        other.sync()
        swapped = self.entries.count > other.entries.count
        if swapped:
            few, many = other, self
        if few.entries.count == 0:
            return 0
        while first < few.entries.count:
            stop = few.entries.end_of_cell(first)
            code = few.entries.codes_view[first]
            level = cython.cast(cython.int, _TOP - (few.entries.tags_view[first] >> _LEVEL_SHIFT))
            place = many.entries.first_from(code, (_TOP - level) << _LEVEL_SHIFT, place)
            end = many.entries.end_of(code | low_bits(few.dimensions, level), place, many.entries.count)
            if end > place:
                for at in range(first, stop):
                    self.pair_with_contained(few, at, many, place, end, awake_only, swapped)
            if many.boxes.level_bits >> level > 1:
                self.pair_with_enclosing(few, first, stop, many, place - 1, awake_only, swapped)
            first = stop
        return 0

    @cython.cfunc
    def pair_with_contained(
        self,
        few: ZOrderSweepIndex,
        entry: cython.Py_ssize_t,
        many: ZOrderSweepIndex,
        first: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        awake_only: cython.bint,
        swapped: cython.bint,
    ) -> cython.int:
        """Find the pairs of the box of an entry with those in a run of `many` that its cell contains.

        `few` has the entry. `swapped` says that `many` is this index, and `few` the one to which it is compared.
        """
        code: cython.longlong = few.entries.codes_view[entry]
        tag: cython.longlong = few.entries.tags_view[entry]
        slot: cython.Py_ssize_t = (tag >> _SLOT_SHIFT) & _SLOT_MASK
        near: cython.longlong
        at: cython.Py_ssize_t
        if end - first > _SHORT_RUN:
            many.aim_at(few.boxes, slot)
            many.search_run(code, cython.cast(cython.int, _TOP - (tag >> _LEVEL_SHIFT)), first, end)
            for at in range(many.hit_count):
                self.try_pair(few, slot, many, many.hits_view[at], awake_only, swapped)
            return 0
        for at in range(first, end):
            near = many.entries.tags_view[at] & _BEGINS_BEFORE
            if near == 0 or near & (tag | few.axes_of(many.entries.codes_view[at] ^ code)) == 0:
                self.try_pair(
                    few, slot, many, (many.entries.tags_view[at] >> _SLOT_SHIFT) & _SLOT_MASK, awake_only, swapped
                )
        return 0

    @cython.cfunc
    def pair_with_enclosing(
        self,
        few: ZOrderSweepIndex,
        first: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        many: ZOrderSweepIndex,
        at: cython.Py_ssize_t,
        awake_only: cython.bint,
        swapped: cython.bint,
    ) -> cython.int:
        """Find the pairs of the boxes of a cell with those in larger cells of `many`; `at` is the place before it."""
        code: cython.longlong = few.entries.codes_view[first]
        entry: cython.Py_ssize_t
        near: cython.longlong
        inside: cython.longlong
        while at >= 0:
            if many.entries.last_code(at) < code:
                at = many.entries.contained_by_view[at]
                continue
            inside = few.axes_of(many.entries.codes_view[at] ^ code)
            near = at
            while near >= 0 and many.entries.is_same_cell(near, at):
                for entry in range(first, stop):
                    if few.entries.tags_view[entry] & (many.entries.tags_view[near] | inside) & _BEGINS_BEFORE == 0:
                        self.try_pair(
                            few,
                            (few.entries.tags_view[entry] >> _SLOT_SHIFT) & _SLOT_MASK,
                            many,
                            (many.entries.tags_view[near] >> _SLOT_SHIFT) & _SLOT_MASK,
                            awake_only,
                            swapped,
                        )
                near -= 1
            at = many.entries.contained_by_view[at]
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def axes_of(self, inside: cython.longlong) -> cython.longlong:
        """Return a bit for each axis on which a cell does not begin where the larger one around it does.

        inside: the bits in which their codes differ.
        """
        if inside == 0:
            return 0
        return (inside & self.x_bits != 0) | ((inside & self.y_bits != 0) << 1) | ((inside & self.z_bits != 0) << 2)

    @cython.cfunc
    def aim_at(self, boxes: BoxPool, slot: cython.Py_ssize_t) -> cython.int:
        """Begin a query with the faces of a box, possibly of another index."""
        base: cython.Py_ssize_t = 6 * slot
        self.hit_count = 0
        self.levels, self.asleep_only = self.boxes.level_bits, False
        self.lox, self.loy, self.loz = boxes.faces_view[base], boxes.faces_view[base + 1], boxes.faces_view[base + 2]
        self.hix, self.hiy, self.hiz = (
            boxes.faces_view[base + 3],
            boxes.faces_view[base + 4],
            boxes.faces_view[base + 5],
        )
        if self.boxes.capacity > self.hit_capacity:
            self.reserve_hits()
        self.aim()
        return 0

    @cython.cfunc
    @cython.inline
    def try_pair(
        self,
        few: ZOrderSweepIndex,
        slot: cython.Py_ssize_t,
        many: ZOrderSweepIndex,
        near: cython.Py_ssize_t,
        awake_only: cython.bint,
        swapped: cython.bint,
    ) -> cython.int:
        """Add the pair of a box of `few` and one of `many` if they meet."""
        a: cython.Py_ssize_t = 6 * slot
        b: cython.Py_ssize_t = 6 * near
        if awake_only and not few.boxes.awake_view[slot] and not many.boxes.awake_view[near]:
            return 0
        if (
            few.boxes.faces_view[a] <= many.boxes.faces_view[b + 3]
            and many.boxes.faces_view[b] <= few.boxes.faces_view[a + 3]
            and few.boxes.faces_view[a + 1] <= many.boxes.faces_view[b + 4]
            and many.boxes.faces_view[b + 1] <= few.boxes.faces_view[a + 4]
        ):
            if swapped or (few is many and near < slot):
                self.offer_pair(near, few, slot, awake_only)
            else:
                self.offer_pair(slot, many, near, awake_only)
        return 0

    @cython.cfunc
    def sort_pairs(self, slots: cython.Py_ssize_t) -> cython.int:
        """Sort the pairs by their slots, all below `slots`: few by insertion, many by counting the slots."""
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t
        a: cython.int
        b: cython.int
        pairs: cython.p_int
        spare_pairs: cython.p_int
        if self.pair_count <= _FEW:
            for at in range(1, self.pair_count):
                a, b, to = self.pairs_view[2 * at], self.pairs_view[2 * at + 1], at
                while to > 0 and (
                    self.pairs_view[2 * to - 2] > a
                    or (self.pairs_view[2 * to - 2] == a and self.pairs_view[2 * to - 1] > b)
                ):
                    self.pairs_view[2 * to], self.pairs_view[2 * to + 1] = (
                        self.pairs_view[2 * to - 2],
                        self.pairs_view[2 * to - 1],
                    )
                    to -= 1
                self.pairs_view[2 * to], self.pairs_view[2 * to + 1] = a, b
            return 0
        if len(self.spare_pairs) < 2 * self.pair_count:
            self.spare_pairs = array("i", bytes(4 * 2 * self.pair_capacity))
        if len(self.slot_starts) < slots + 1:
            self.slot_starts = array("i", bytes(4 * (slots + 1)))
        self.spare_pairs_view, self.slot_starts_view = self.spare_pairs, self.slot_starts
        pairs = cython.address(self.pairs_view[0]) if cython.compiled else self.pairs_view
        spare_pairs = cython.address(self.spare_pairs_view[0]) if cython.compiled else self.spare_pairs_view
        self.order_pairs(pairs, spare_pairs, 1, slots)
        self.order_pairs(spare_pairs, pairs, 0, slots)
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def order_pairs(
        self, pairs: cython.p_int, ordered: cython.p_int, side: cython.int, slots: cython.Py_ssize_t
    ) -> cython.void:
        """Write the pairs to `ordered`, by their first (side 0) or second slot (1); equal ones keep their order."""
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t
        for at in range(slots + 1):
            self.slot_starts_view[at] = 0
        for at in range(self.pair_count):
            self.slot_starts_view[pairs[2 * at + side] + 1] += 1
        for at in range(slots):
            self.slot_starts_view[at + 1] += self.slot_starts_view[at]
        for at in range(self.pair_count):
            to = self.slot_starts_view[pairs[2 * at + side]]
            self.slot_starts_view[pairs[2 * at + side]] += 1
            ordered[2 * to] = pairs[2 * at]
            ordered[2 * to + 1] = pairs[2 * at + 1]

    # Size and pictures.

    def measure(self) -> Size:
        """Return the entries, which are also the nodes, and the size levels in use."""
        count, size = int(self.live_count), self.entries.bytes_used() + bytes_of(self.spare_pairs, self.slot_starts)
        return Size(count, count, self.boxes.level_bits.bit_count(), size)

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return each cell with a box, once, with its size level, in the order of the entries. Merges nothing."""
        shift = int(self.boxes.bin_shift)
        found: list[tuple[Faces, int]] = []
        entries = [entry for slot in range(self.boxes.slot_count) for entry in self.entries_of(slot)]
        for code, minus_level in sorted({(code, -level) for code, level, _, _ in entries}):
            level = -minus_level
            edge = 1 << (shift + level)
            if self.boxes.flat:
                x, y = ((bin - ORIGIN) << shift for bin in decode2(code))
                found.append(((x, y, -HALF_SLAB, x + edge, y + edge, HALF_SLAB), level))
            else:
                x, y, z = ((bin - ORIGIN) << shift for bin in decode3(code))
                found.append(((x, y, z - HALF_SLAB, x + edge, y + edge, z - HALF_SLAB + edge), level))
        return found

    # The invariants.

    def check_structure(self) -> None:
        """Verify that the entries are those of the boxes. Raises IndexError for the first failure."""
        expected = sorted(entry for slot in range(self.boxes.slot_count) for entry in self.entries_of(slot))
        if self.live_count != len(expected):
            raise IndexError(f"the boxes have {len(expected)} entries, counted {self.live_count}")
        if self.entries.slot_capacity < self.boxes.slot_count or len(self.span) != 6:
            raise IndexError(
                f"there is room for {self.entries.slot_capacity} slots, but there are {self.boxes.capacity}"
            )
        bits = (0x15555555555, 0x15555555555 << 1, 0) if self.boxes.flat else (X_BITS, X_BITS << 1, X_BITS << 2)
        if {self.dimensions, self.entries.dimensions} != {2 if self.boxes.flat else 3} or bits != (
            *(self.x_bits, self.y_bits, self.z_bits),
        ):
            raise IndexError(f"the entries divide {self.entries.dimensions} axes, or by other bits")
        self.entries.check(expected)

    def entries_of(self, slot: int) -> list[tuple[int, int, int, int]]:
        """Return the entries that the box of a slot should have, computed bit by bit."""
        if self.boxes.owner_view[slot] < 0:
            return []
        level, dimensions = self.boxes.levels_view[slot], 2 if self.boxes.flat else 3
        faces = self.boxes.faces[6 * slot : 6 * slot + 6]
        bias = (0, 0, HALF_SLAB)
        lows, highs = (
            [bin_of(corner[axis] + bias[axis], self.boxes.bin_shift) >> level for axis in range(dimensions)]
            for corner in (faces[:3], faces[3:])
        )
        found = []
        for cell in product(*(range(low, high + 1) for low, high in zip(lows, highs, strict=True))):
            code = sum(
                ((bin << level) >> bit & 1) << dimensions * bit + axis
                for axis, bin in enumerate(cell)
                for bit in range(TOP_LEVEL)
            )
            before = sum((bin > low) << axis for axis, (bin, low) in enumerate(zip(cell, lows, strict=True)))
            found.append((code, int(level), slot, before))
        return found
