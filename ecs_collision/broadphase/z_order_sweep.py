# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The broad phase of a sorted list: entries of boxes in Morton order, swept once for all pairs.

A box covers at most two cells of its size level on an axis, so at most 8 cells, or 4 while the world is flat. Each of
them is an *entry*: the Morton code of the lowest bin of the cell, the level, the box. The entries are sorted by code,
and with equal codes the larger cell comes first. An enclosing cell therefore comes before all that it contains, and
these follow it as one run, which ends at the last code of the cell. One sweep finds all pairs of boxes that share a
cell, with a stack of the cells around the current one. There is no tree and no hash table.

Two boxes can share several cells, and a region can cover several cells of a box. A pair counts in the smaller cell that
contains, on each axis, the greater of their lowest corners; a hit where the greater of the lowest corners of box and
region is. So each comes once, without marks or a removal of repetitions.

A query covers at most 2 cells as large as the region on each axis. What they contain are runs; a long run is divided
into those of smaller cells. The larger cells around them are looked up, level by level.

Changes are collected. A box that stays in its cells changes nothing. The entries of one that leaves them do not count
any more, and it is one of the new boxes, which queries test one by one. When these tests have cost about as much as
a merge would, the entries of new boxes are sorted, by passes over the bits that differ, and merged: changes and queries
in turns cost O(√entries) each, many queries after one change O(1) more each. Not taken: a tree of entries.

Source: Lavrov, Collision detection using Z order curve aka Morton order (dmytry.com). Linear trees in Morton order:
Gargantini, An Effective Way to Represent Quadtrees, 1982; Ericson, Real-Time Collision Detection, 7.3.4 and 7.3.5.

Good for: all pairs of many boxes at once, of sizes that differ, most of them moving; levels of statics, which are an
index of their own, sorted once. Less good for many single queries between single changes.

Wrong in the source and right here: its outline sorts by codes only. Cells with the same lowest corner are then in any
order, and what comes before the cell that contains it is never compared with it. It stores a pair for every shared cell
(up to 8 times each) and removes the repetitions by sorting all of them; here each is found once. Codes of 32 bits, as
in many descriptions, repeat after 1,024 cells on each axis of three; here they have 21 bits for each axis, and the end
of a cell is its last code, not the next one, which would overflow for the last cell.

Costs: a query O(log entries + entries nearby + new boxes), a move O(1), all pairs O(entries + candidates) after a merge
in O(entries). A box that contains many others costs as much as there are entries in its cells.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.morton import bin_of
    from cython.cimports.ecs_collision.broadphase.morton_codes import spread2, spread3
    from cython.cimports.ecs_collision.broadphase.sorting import sort_pairs
else:
    from ecs_collision.broadphase.morton import bin_of
    from ecs_collision.broadphase.morton_codes import spread2, spread3
    from ecs_collision.broadphase.sorting import sort_pairs

from ecs_collision._arrays import grown, zeros
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.morton import ORIGIN, TOP_LEVEL
from ecs_collision.broadphase.protocol import Index
from ecs_collision.fixed_point import HALF_SLAB

LEVEL_SHIFT = 32
"""The tag of an entry is its slot, and above this bit 21 minus its level."""

_TOP = cython.declare(cython.longlong, TOP_LEVEL)
_ORIGIN = cython.declare(cython.longlong, ORIGIN)
_LEVEL_SHIFT = cython.declare(cython.int, LEVEL_SHIFT)
_SLOT_MASK = cython.declare(cython.longlong, (1 << LEVEL_SHIFT) - 1)
_LAST_CODE = cython.declare(cython.longlong, (1 << 63) - 1)
_ALL_TAGS = cython.declare(cython.longlong, 1 << 62)  # after every tag
_Z_BIAS = cython.declare(cython.longlong, HALF_SLAB)
_MIN_WORK = cython.declare(cython.longlong, 64)  # new boxes that queries may test before they get entries
_SHORT_RUN = cython.declare(cython.Py_ssize_t, 48)  # a run as long is scanned, a longer one is divided


@cython.final
@cython.cclass
class ZOrderSweepIndex(Index):
    """A list of entries sorted by Morton codes (`broadphase/protocol.py`).

    `codes[:count]` and `tags[:count]` are the entries; those of a box that is not `is_sorted` do not count, and there
    are `dead_count` of them. `new[:new_count]` are the boxes without entries, each of which has its place there. While
    `is_stale` is set all of that is out of date. Its nodes are the entries: `cell_count` counts those of all boxes,
    `cell_changes` those that were added and removed, and `cells_visited` those that queries tested.
    """

    def __init__(self, bin_shift: cython.int) -> None:
        Index.__init__(self, bin_shift)
        self.codes, self.tags = array("q"), array("q")
        self.spare_codes, self.spare_tags = array("q"), array("q")
        self.is_sorted, self.new = array("b"), array("i")
        self.reserve()
        self.reset()

    @property
    def cell_count(self) -> int:
        """The number of entries: the cells of all boxes, those of each box counted by themselves."""
        return int(self.live_count)

    # Changing.

    def reset(self) -> cython.void:
        """Forget all entries, and set how many axes are divided."""
        self.dimensions = 2 if self.boxes.flat else 3
        self.live_count = self.count = self.dead_count = self.new_count = self.work = self.last_place = 0
        self.is_stale = False

    def reserve(self) -> cython.void:
        """Make room for what is stored of each slot."""
        if self.boxes.capacity > len(self.new):
            self.is_sorted, self.new = grown(self.boxes.capacity, self.is_sorted, self.new)

    def cover(self, slot: cython.Py_ssize_t) -> cython.longlong:
        """Write the first and the last cell on each axis that a box covers; return how many cells."""
        face: cython.Py_ssize_t = 8 * slot
        level: cython.int = self.boxes.levels_view[slot]
        shift: cython.int = self.boxes.bin_shift
        self.x0 = ((self.boxes.faces_view[face] >> shift) + _ORIGIN) >> level
        self.y0 = ((self.boxes.faces_view[face + 1] >> shift) + _ORIGIN) >> level
        self.x1 = ((self.boxes.faces_view[face + 3] >> shift) + _ORIGIN) >> level
        self.y1 = ((self.boxes.faces_view[face + 4] >> shift) + _ORIGIN) >> level
        self.z0 = self.z1 = 0
        if not self.boxes.flat:
            self.z0 = bin_of(self.boxes.faces_view[face + 2] + _Z_BIAS, shift) >> level
            self.z1 = bin_of(self.boxes.faces_view[face + 5] + _Z_BIAS, shift) >> level
        return (self.x1 - self.x0 + 1) * (self.y1 - self.y0 + 1) * (self.z1 - self.z0 + 1)

    def enter(self, slot: cython.int) -> cython.void:
        """Add a box to the new ones."""
        cells: cython.longlong = self.cover(slot)
        self.add_new(slot)
        self.live_count += cells
        self.cell_changes += cells

    def add_new(self, slot: cython.int) -> cython.void:
        """Add a box to the new ones."""
        if not self.is_stale:
            self.is_sorted[slot] = False
            self.boxes.places_view[slot] = cython.cast(cython.int, self.new_count)
            self.new[self.new_count] = slot
            self.new_count += 1

    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box from the new ones, or its entries from those that count."""
        cells: cython.longlong = self.cover(slot)
        self.live_count -= cells
        self.cell_changes += cells
        if self.is_stale:
            return
        if self.is_sorted[slot]:
            self.is_sorted[slot] = False
            self.dead_count += cells
        else:
            self.new_count -= 1
            last: cython.int = self.new[self.new_count]
            self.new[self.boxes.places_view[slot]] = last
            self.boxes.places_view[last] = self.boxes.places_view[slot]

    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box. It becomes a new one if its cells change."""
        cells: cython.longlong = self.cover(slot)
        x0, y0, z0, x1, y1, z1 = self.x0, self.y0, self.z0, self.x1, self.y1, self.z1
        self.boxes.shift(slot, dx, dy, dz)
        new_cells: cython.longlong = self.cover(slot)
        if x0 == self.x0 and y0 == self.y0 and z0 == self.z0 and x1 == self.x1 and y1 == self.y1 and z1 == self.z1:
            return
        same: cython.longlong = max(min(x1, self.x1) - max(x0, self.x0) + 1, 0)
        same *= max(min(y1, self.y1) - max(y0, self.y0) + 1, 0)
        same *= max(min(z1, self.z1) - max(z0, self.z0) + 1, 0)
        self.live_count += new_cells - cells
        self.cell_changes += cells + new_cells - 2 * same
        if self.is_sorted[slot]:
            self.dead_count += cells
            self.add_new(slot)

    # Sorting.

    def update(self) -> cython.int:
        """Prepare a query, which tests all new boxes: merge them if that pays by now."""
        self.work += self.new_count
        if self.is_stale or self.work > self.count + _MIN_WORK or 2 * self.dead_count > self.count + _MIN_WORK:
            self.merge()
        return 0

    def merge(self) -> cython.int:
        """Merge sorted entries of the new boxes, and leave out those that do not count.

        After an interruption the next one begins from the start.
        """
        if self.live_count > len(self.codes):
            self.codes, self.tags, self.spare_codes, self.spare_tags = grown(
                max(64, self.live_count, 3 * len(self.codes) // 2),
                *(self.codes, self.tags, self.spare_codes, self.spare_tags),
            )
        if self.is_stale:
            self.count = self.dead_count = self.new_count = 0
            for slot in range(self.boxes.slot_count):
                if self.boxes.owner_view[slot] >= 0:
                    self.new[self.new_count] = slot
                    self.new_count += 1
        self.is_stale = True
        added: cython.Py_ssize_t = self.live_count - (self.count - self.dead_count)
        codes: cython.longlong[::1] = zeros("q", added)
        tags: cython.longlong[::1] = zeros("q", added)
        self.write_new(codes, tags)
        sort_pairs(tags, codes, self.spare_tags, self.spare_codes, added, _LEVEL_SHIFT)
        sort_pairs(codes, tags, self.spare_codes, self.spare_tags, added, 0)
        at: cython.Py_ssize_t = 0
        new: cython.Py_ssize_t = 0
        for to in range(self.live_count):
            while at < self.count and not self.is_sorted[self.tags[at] & _SLOT_MASK]:
                at += 1
            if new < added and (at == self.count or not self.is_before(at, codes[new], tags[new])):
                self.spare_codes[to], self.spare_tags[to] = codes[new], tags[new]
                new += 1
            else:
                self.spare_codes[to], self.spare_tags[to] = self.codes[at], self.tags[at]
                at += 1
        self.codes, self.tags, self.spare_codes, self.spare_tags = (
            self.spare_codes,
            self.spare_tags,
            self.codes,
            self.tags,
        )
        for at in range(self.new_count):
            self.is_sorted[self.new[at]] = True
        self.count = self.live_count
        self.dead_count = self.new_count = self.work = 0
        self.is_stale = False
        return 0

    def write_new(self, codes: cython.longlong[::1], tags: cython.longlong[::1]) -> cython.void:
        """Write the entries of the new boxes."""
        to: cython.Py_ssize_t = 0
        for at in range(self.new_count):
            slot = self.new[at]
            level: cython.int = self.boxes.levels_view[slot]
            self.cover(slot)
            for z in range(self.z0, self.z1 + 1):
                for y in range(self.y0, self.y1 + 1):
                    for x in range(self.x0, self.x1 + 1):
                        codes[to] = self.code_of(x, y, z, level)
                        tags[to] = ((_TOP - level) << _LEVEL_SHIFT) | cython.cast(cython.longlong, slot)
                        to += 1

    # Cells and places.

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def code_of(self, x: cython.longlong, y: cython.longlong, z: cython.longlong, level: cython.int) -> cython.longlong:
        """Return the code of the lowest bin of a cell."""
        if self.boxes.flat:
            return (spread2(x) | (spread2(y) << 1)) << (2 * level)
        return (spread3(x) | (spread3(y) << 1) | (spread3(z) << 2)) << (3 * level)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def code_at(self, x: cython.longlong, y: cython.longlong, z: cython.longlong, level: cython.int) -> cython.longlong:
        """Return the code of the cell of a level that contains a point of a box."""
        shift: cython.int = self.boxes.bin_shift
        z = 0 if self.boxes.flat else bin_of(z + _Z_BIAS, shift)
        return self.code_of(((x >> shift) + _ORIGIN) >> level, ((y >> shift) + _ORIGIN) >> level, z >> level, level)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def last_code(self, code: cython.longlong, level: cython.int) -> cython.longlong:
        """Return the last code in a cell."""
        one: cython.longlong = 1
        if self.dimensions * level >= 63:
            return _LAST_CODE
        return code | ((one << (self.dimensions * level)) - 1)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_before(self, at: cython.Py_ssize_t, code: cython.longlong, tag: cython.longlong) -> cython.bint:
        """Return whether an entry belongs before a code and a tag."""
        return self.codes[at] < code or (self.codes[at] == code and self.tags[at] < tag)

    def first_from(self, code: cython.longlong, tag: cython.longlong) -> cython.Py_ssize_t:
        """Return the place of the first entry that is not before a code and a tag.

        The search gallops from where the last one ended, and then bisects: O(log distance).
        """
        low: cython.Py_ssize_t = min(self.last_place, self.count)  # the result is at least `low` and at most `high`
        high: cython.Py_ssize_t = low
        step: cython.Py_ssize_t = 1
        while high < self.count and self.is_before(high, code, tag):
            low = high + 1
            high += step
            step *= 2
        high = min(high, self.count)
        while low > 0 and not self.is_before(low - 1, code, tag):
            high = low - 1
            low -= step
            step *= 2
        low = max(low, 0)
        while low < high:
            middle: cython.Py_ssize_t = (low + high) >> 1
            if self.is_before(middle, code, tag):
                low = middle + 1
            else:
                high = middle
        self.last_place = low
        return low

    # Boxes that meet a region.

    def search(self) -> cython.void:
        """Offer the new boxes, those in the cells that the region covers, and those in the cells around them."""
        shift: cython.int = self.boxes.bin_shift
        level: cython.int = 0
        self.update()
        for at in range(self.new_count):
            self.offer(self.new[at])
        self.low_x, self.low_y, self.low_z = min(self.lox, self.hix), min(self.loy, self.hiy), min(self.loz, self.hiz)
        self.x0, self.x1 = bin_of(self.low_x, shift), bin_of(max(self.lox, self.hix), shift)
        self.y0, self.y1 = bin_of(self.low_y, shift), bin_of(max(self.loy, self.hiy), shift)
        self.z0 = self.z1 = 0
        if not self.boxes.flat:
            self.z0, self.z1 = bin_of(self.low_z + _Z_BIAS, shift), bin_of(max(self.loz, self.hiz) + _Z_BIAS, shift)
        while (
            (self.x1 >> level) - (self.x0 >> level) > 1
            or (self.y1 >> level) - (self.y0 >> level) > 1
            or (self.z1 >> level) - (self.z0 >> level) > 1
        ):
            level += 1
        if self.levels & ((2 << level) - 1):
            self.search_level(level, True)
        level += 1
        while self.levels >> level:
            if (self.levels >> level) & 1:
                self.search_level(level, False)
            level += 1

    def search_level(self, level: cython.int, with_contained: cython.bint) -> cython.void:
        """Offer the boxes in the cells of a level that the region covers, and in all that these contain or not."""
        for z in range(self.z0 >> level, (self.z1 >> level) + 1):
            for y in range(self.y0 >> level, (self.y1 >> level) + 1):
                for x in range(self.x0 >> level, (self.x1 >> level) + 1):
                    if with_contained:
                        self.search_run(x, y, z, level)
                        continue
                    code: cython.longlong = self.code_of(x, y, z, level)
                    at = self.first_from(code, (_TOP - level) << _LEVEL_SHIFT)
                    while at < self.count and self.codes[at] == code and self.tags[at] >> _LEVEL_SHIFT == _TOP - level:
                        self.try_entry(at)
                        at += 1

    def search_run(self, x: cython.longlong, y: cython.longlong, z: cython.longlong, level: cython.int) -> cython.void:
        """Offer the boxes in a cell and in all that it contains."""
        code: cython.longlong = self.code_of(x, y, z, level)
        at: cython.Py_ssize_t = self.first_from(code, (_TOP - level) << _LEVEL_SHIFT)
        end: cython.Py_ssize_t = self.first_from(self.last_code(code, level), _ALL_TAGS)
        is_divided: cython.bint = end - at > _SHORT_RUN and level > 0 and not self.covers(x, y, z, level)
        if is_divided:
            end = self.first_from(code, (_TOP - level + 1) << _LEVEL_SHIFT)
        for entry in range(at, end):
            self.try_entry(entry)
        if is_divided:
            for child in range(1 << self.dimensions):
                child_x, child_y, child_z = 2 * x + (child & 1), 2 * y + ((child >> 1) & 1), 2 * z + (child >> 2)
                if self.meets(child_x, child_y, child_z, level - 1):
                    self.search_run(child_x, child_y, child_z, level - 1)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def covers(self, x: cython.longlong, y: cython.longlong, z: cython.longlong, level: cython.int) -> cython.bint:
        """Return whether the region covers all bins of a cell."""
        return (
            self.x0 <= x << level
            and ((x + 1) << level) - 1 <= self.x1
            and self.y0 <= y << level
            and ((y + 1) << level) - 1 <= self.y1
            and (self.boxes.flat or (self.z0 <= z << level and ((z + 1) << level) - 1 <= self.z1))
        )

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def meets(self, x: cython.longlong, y: cython.longlong, z: cython.longlong, level: cython.int) -> cython.bint:
        """Return whether the region covers a bin of a cell."""
        return (
            self.x0 >> level <= x <= self.x1 >> level
            and self.y0 >> level <= y <= self.y1 >> level
            and self.z0 >> level <= z <= self.z1 >> level
        )

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def try_entry(self, at: cython.Py_ssize_t) -> cython.void:
        """Offer the box of an entry if it counts, and is of the cell where the box is a hit."""
        slot: cython.Py_ssize_t = self.tags[at] & _SLOT_MASK
        face: cython.Py_ssize_t = 8 * slot
        boxes: BoxPool = self.boxes
        self.cells_visited += 1
        if (
            self.is_sorted[slot]
            and boxes.faces_view[face] <= self.hix
            and self.lox <= boxes.faces_view[face + 3]
            and boxes.faces_view[face + 1] <= self.hiy
            and self.loy <= boxes.faces_view[face + 4]
            and boxes.faces_view[face + 2] <= self.hiz
            and self.loz <= boxes.faces_view[face + 5]
            and self.codes[at]
            == self.code_at(
                max(boxes.faces_view[face], self.low_x),
                max(boxes.faces_view[face + 1], self.low_y),
                max(boxes.faces_view[face + 2], self.low_z),
                boxes.levels_view[slot],
            )
        ):
            self.offer(slot)

    # Pairs of boxes that meet.

    def pair_with(self, other: Index) -> cython.void:
        """Offer all pairs of this list by one sweep, those with another by queries."""
        if other is self:
            self.pair_own()
        else:
            Index.pair_with(self, other)

    def pair_own(self) -> cython.int:
        """Compare each entry with those before it of its cell and of the cells around it: the stack of the sweep."""
        top: cython.Py_ssize_t = 0
        if self.is_stale or self.new_count > 0 or self.dead_count > 0:
            self.merge()
        faces: cython.longlong[::1] = self.boxes.faces_view
        last_codes: cython.longlong[::1] = self.spare_codes
        slots: cython.longlong[::1] = self.spare_tags
        for at in range(self.count):
            code: cython.longlong = self.codes[at]
            slot: cython.longlong = self.tags[at] & _SLOT_MASK
            level: cython.int = cython.cast(cython.int, _TOP - (self.tags[at] >> _LEVEL_SHIFT))
            face: cython.Py_ssize_t = 8 * slot
            lox, loy, loz, hix, hiy = faces[face], faces[face + 1], faces[face + 2], faces[face + 3], faces[face + 4]
            while top > 0 and last_codes[top - 1] < code:
                top -= 1
            for near in range(top):
                face = 8 * slots[near]
                if (
                    faces[face] <= hix
                    and lox <= faces[face + 3]
                    and faces[face + 1] <= hiy
                    and loy <= faces[face + 4]
                    and code
                    == self.code_at(max(lox, faces[face]), max(loy, faces[face + 1]), max(loz, faces[face + 2]), level)
                ):
                    self.offer_pair(slot, self, slots[near])
            last_codes[top] = self.last_code(code, level)
            slots[top] = slot
            top += 1
        return 0
