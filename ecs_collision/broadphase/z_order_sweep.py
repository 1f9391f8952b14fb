# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
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
sorted and merged, so that changes and queries in turns cost O(√entries) each, and many queries after one change O(1)
more each. If more than an eighth of the entries change between two queries, nothing is recorded any more: the list is
*stale*, and the next query sorts all entries, by a radix sort of the bits that differ, 11 at a time. Not taken: a merge
sort (17 comparisons for each of 80,000 entries, against two or three passes without any), a tree of entries.

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

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.morton import bin_of
    from cython.cimports.ecs_collision.broadphase.morton_codes import spread2, spread3
else:
    from ecs_collision.broadphase.morton import bin_of
    from ecs_collision.broadphase.morton_codes import spread2, spread3

from ecs_collision._arrays import grown
from ecs_collision.broadphase.morton import TOP_LEVEL, X_BITS
from ecs_collision.broadphase.protocol import Index
from ecs_collision.fixed_point import HALF_SLAB

# The tag of an entry: 21 minus the level, then the slot, then whether the entry is dead, then a bit for each axis.
LEVEL_SHIFT = 36
SLOT_SHIFT = 4
SLOT_MASK = (1 << (LEVEL_SHIFT - SLOT_SHIFT)) - 1
DEAD = 8
BEGINS_BEFORE = 7

_TOP = cython.declare(cython.longlong, TOP_LEVEL)
_LEVEL_SHIFT = cython.declare(cython.int, LEVEL_SHIFT)
_SLOT_SHIFT = cython.declare(cython.int, SLOT_SHIFT)
_SLOT_MASK = cython.declare(cython.longlong, SLOT_MASK)
_DEAD = cython.declare(cython.longlong, DEAD)
_BEGINS_BEFORE = cython.declare(cython.longlong, BEGINS_BEFORE)
_SORTED = cython.declare(cython.longlong, ~(DEAD | BEGINS_BEFORE))
_LAST_CODE = cython.declare(cython.longlong, (1 << 63) - 1)
_X_BITS_2 = cython.declare(cython.longlong, 0x15555555555)  # the bits of a code of two axes that hold x
_X_BITS_3 = cython.declare(cython.longlong, X_BITS)  # of three
_Z_BIAS = cython.declare(cython.longlong, HALF_SLAB)

_DIGIT = cython.declare(cython.int, 11)  # bits that one pass of the radix sort sorts by
_BUCKETS = cython.declare(cython.Py_ssize_t, 1 << 11)
_FEW = cython.declare(cython.Py_ssize_t, 40)  # as many entries are sorted by insertion
_MIN_WORK = cython.declare(cython.longlong, 64)  # entries that queries may scan in the tail before it is merged
_SHORT_RUN = cython.declare(cython.Py_ssize_t, 48)  # a run as long is scanned, a longer one is divided


def low_bits(dimensions: cython.int, level: cython.int) -> cython.longlong:
    """Return the bits of a code that number the bins within a cell of a level."""
    one: cython.longlong = 1
    if dimensions * level >= 63:
        return _LAST_CODE
    return (one << (dimensions * level)) - 1


@cython.final
@cython.cclass
class EntryList:
    """Entries of boxes in cells, sorted.

    `codes[:count]` and `tags[:count]` are the sorted entries, dead ones included; `contained_by` has for each the place
    of the last entry of the nearest enclosing cell, or -1. `tail_codes` and `tail_tags` are the entries that are not
    merged yet, and `tail_counts` how many of them each slot has. While `is_stale` is set, all of that is out of date.
    """

    def __init__(self) -> None:
        self.codes, self.tags, self.contained_by = array("q"), array("q"), array("i")
        self.spare_codes, self.spare_tags = array("q"), array("q")
        self.tail_codes, self.tail_tags, self.tail_counts = array("q"), array("q"), array("b")
        self.buckets = array("i", bytes(4 * (_BUCKETS + 1)))
        self.is_stale = True
        self.reserve(64)
        self.reserve_tail(64)
        self.clear(3)

    def clear(self, dimensions: cython.int) -> cython.int:
        """Remove all entries, and set how many axes are divided. Works after an interrupted change."""
        self.forget_tail()
        self.dimensions = dimensions
        self.count = self.dead_count = 0
        self.changes = self.tail_work = 0
        self.place = 0
        self.is_stale = False
        return 0

    def forget_tail(self) -> cython.void:
        """Remove all entries from the tail; O(slots)."""
        self.tail_count = 0
        for slot in range(len(self.tail_counts)):
            self.tail_counts[slot] = 0

    def reserve_slots(self, capacity: cython.Py_ssize_t) -> cython.int:
        """Make room for what is stored of each slot."""
        if capacity > len(self.tail_counts):
            (self.tail_counts,) = grown(capacity, self.tail_counts)
        return 0

    def reserve(self, count: cython.Py_ssize_t) -> cython.int:
        """Make room for `count` sorted entries."""
        if count > len(self.codes):
            self.spare_codes, self.spare_tags, self.tags, self.contained_by, self.codes = grown(
                max(count, len(self.codes) + len(self.codes) // 2),
                *(self.spare_codes, self.spare_tags, self.tags, self.contained_by, self.codes),
            )
        return 0

    def reserve_tail(self, count: cython.Py_ssize_t) -> cython.int:
        """Make room for `count` entries in the tail."""
        if count > len(self.tail_codes):
            self.tail_tags, self.tail_codes = grown(
                max(count, 2 * len(self.tail_codes)), self.tail_tags, self.tail_codes
            )
        return 0

    # Changing.

    def add(self, slot: cython.Py_ssize_t, code: cython.longlong, tag: cython.longlong) -> cython.int:
        """Add an entry: a dead one with the same cell and box comes back, any other goes to the tail."""
        if self.dead_count > 0:
            at: cython.Py_ssize_t = self.find(code, tag & _SORTED)
            if at >= 0:
                self.tags[at] = tag
                self.dead_count -= 1
                return 0
        self.reserve_tail(self.tail_count + 1)
        self.tail_codes[self.tail_count] = code
        self.tail_tags[self.tail_count] = tag
        self.tail_count += 1
        self.tail_counts[slot] += 1
        return 0

    def remove_from_tail(self, slot: cython.Py_ssize_t) -> cython.void:
        """Remove the entries of a slot from the tail; O(tail) if there are any."""
        at: cython.Py_ssize_t = 0
        while self.tail_counts[slot] > 0 and at < self.tail_count:
            if (self.tail_tags[at] >> _SLOT_SHIFT) & _SLOT_MASK == slot:
                self.tail_count -= 1
                self.tail_codes[at] = self.tail_codes[self.tail_count]
                self.tail_tags[at] = self.tail_tags[self.tail_count]
                self.tail_counts[slot] -= 1
            else:
                at += 1

    def remove(self, code: cython.longlong, tag: cython.longlong) -> cython.void:
        """Mark the sorted entry of a cell and a box as dead, if there is one."""
        at: cython.Py_ssize_t = self.find(code, tag)
        if at >= 0 and not self.tags[at] & _DEAD:
            self.tags[at] |= _DEAD
            self.dead_count += 1

    def count_changes(self, cells: cython.longlong) -> cython.bint:
        """Count changed entries; returns whether the list is stale by now, so that nothing has to be recorded."""
        if not self.is_stale:
            self.changes += cells
            if 8 * self.changes > self.count + 8 * _MIN_WORK:
                self.drop()
        return self.is_stale

    def drop(self) -> cython.void:
        """Let the next query sort all entries again."""
        self.is_stale = True
        for at in range(self.tail_count):
            self.tail_counts[(self.tail_tags[at] >> _SLOT_SHIFT) & _SLOT_MASK] = 0
        self.tail_count = self.count = self.dead_count = 0

    def limit_tail(self, slot: cython.Py_ssize_t) -> cython.int:
        """Merge the tail if it is about to be searched for the entries of a slot too often."""
        if not self.is_stale and self.tail_counts[slot] > 0:
            self.tail_work += self.tail_count
            if self.tail_work > self.count + _MIN_WORK:
                self.merge()
        return 0

    # Merging and sorting.

    def update(self) -> cython.int:
        """Prepare a query, which scans the tail: merge it if that pays by now. The list must not be stale."""
        self.tail_work += self.tail_count
        if (self.tail_count > 0 and self.tail_work > self.count + _MIN_WORK) or (
            2 * self.dead_count > self.count + _MIN_WORK
        ):
            self.merge()
        return 0

    def sort_all(self, count: cython.Py_ssize_t) -> cython.void:
        """Sort entries that were written to `codes` and `tags`; they replace all others."""
        self.sort(
            cython.address(self.codes[0]) if cython.compiled else self.codes,
            cython.address(self.tags[0]) if cython.compiled else self.tags,
            count,
        )
        self.count = count
        self.dead_count = self.tail_count = 0
        self.link()

    def merge(self) -> cython.int:
        """Remove the dead entries, and sort and merge the tail. After an interruption the next query sorts again."""
        to: cython.Py_ssize_t = 0
        self.reserve(self.count - self.dead_count + self.tail_count)
        codes: cython.p_longlong = cython.address(self.codes[0]) if cython.compiled else self.codes
        tags: cython.p_longlong = cython.address(self.tags[0]) if cython.compiled else self.tags
        tail_codes: cython.p_longlong = cython.address(self.tail_codes[0]) if cython.compiled else self.tail_codes
        tail_tags: cython.p_longlong = cython.address(self.tail_tags[0]) if cython.compiled else self.tail_tags
        self.is_stale = True
        for at in range(self.tail_count):
            self.tail_counts[(tail_tags[at] >> _SLOT_SHIFT) & _SLOT_MASK] = 0
        if self.dead_count > 0:
            for at in range(self.count):
                if not tags[at] & _DEAD:
                    codes[to] = codes[at]
                    tags[to] = tags[at]
                    to += 1
            self.count = to
            self.dead_count = 0
        self.sort(tail_codes, tail_tags, self.tail_count)
        place: cython.Py_ssize_t = self.count
        to = self.count + self.tail_count
        self.count = to
        for at in range(self.tail_count - 1, -1, -1):
            code: cython.longlong = tail_codes[at]
            tag: cython.longlong = tail_tags[at]
            while place > 0 and (codes[place - 1] > code or (codes[place - 1] == code and tags[place - 1] > tag)):
                place -= 1
                to -= 1
                codes[to] = codes[place]
                tags[to] = tags[place]
            to -= 1
            codes[to] = code
            tags[to] = tag
        self.tail_count = 0
        self.link()
        return 0

    def link(self) -> cython.void:
        """Link each entry to the nearest enclosing cell; from then on the list is up to date."""
        for at in range(self.count):
            above: cython.Py_ssize_t = at - 1
            if above >= 0 and self.is_same_cell(above, at):
                above = self.contained_by[above]
            else:
                while above >= 0 and self.last_code(above) < self.codes[at]:
                    above = self.contained_by[above]
            self.contained_by[at] = cython.cast(cython.int, above)
        self.changes = self.tail_work = 0
        self.is_stale = False

    def sort(self, codes: cython.p_longlong, tags: cython.p_longlong, count: cython.Py_ssize_t) -> cython.void:
        """Sort entries by code and tag: few by insertion, many by the digits in which they differ, lowest first."""
        differing_codes: cython.longlong = 0
        differing_tags: cython.longlong = 0
        in_order: cython.bint = True
        if count <= _FEW:
            for at in range(1, count):
                code, tag, to = codes[at], tags[at], at
                while to > 0 and (codes[to - 1] > code or (codes[to - 1] == code and tags[to - 1] > tag)):
                    codes[to] = codes[to - 1]
                    tags[to] = tags[to - 1]
                    to -= 1
                codes[to] = code
                tags[to] = tag
            return
        for at in range(1, count):
            differing_codes |= codes[at] ^ codes[0]
            differing_tags |= tags[at] ^ tags[0]
            if (tags[at] >> _SLOT_SHIFT) & _SLOT_MASK < (tags[at - 1] >> _SLOT_SHIFT) & _SLOT_MASK:
                in_order = False
        differing_tags &= _SORTED
        if in_order:
            differing_tags &= ~(_SLOT_MASK << _SLOT_SHIFT)
        self.sort_by(True, differing_tags, codes, tags, count)
        self.sort_by(False, differing_codes, codes, tags, count)

    def sort_by(
        self,
        by_tag: cython.bint,
        differing: cython.longlong,
        codes: cython.p_longlong,
        tags: cython.p_longlong,
        count: cython.Py_ssize_t,
    ) -> cython.void:
        """Sort entries by those bits of their tags or codes that differ; those with equal bits keep their order.

        The passes write from the entries to the spare arrays and back.
        """
        spare_codes: cython.p_longlong = cython.address(self.spare_codes[0]) if cython.compiled else self.spare_codes
        spare_tags: cython.p_longlong = cython.address(self.spare_tags[0]) if cython.compiled else self.spare_tags
        in_spare: cython.bint = False
        shift: cython.int = 0
        while shift < 63 and differing >> shift != 0:
            if (differing >> shift) & 1 == 0:
                shift += 1
                continue
            if in_spare:
                self.scatter(spare_codes, spare_tags, spare_tags if by_tag else spare_codes, codes, tags, count, shift)
            else:
                self.scatter(codes, tags, tags if by_tag else codes, spare_codes, spare_tags, count, shift)
            in_spare = not in_spare
            shift += _DIGIT
        if in_spare:
            for at in range(count):
                codes[at] = spare_codes[at]
                tags[at] = spare_tags[at]

    def scatter(
        self,
        codes: cython.p_longlong,
        tags: cython.p_longlong,
        keys: cython.p_longlong,
        to_codes: cython.p_longlong,
        to_tags: cython.p_longlong,
        count: cython.Py_ssize_t,
        shift: cython.int,
    ) -> cython.void:
        """Write entries to other arrays in the order of one digit of their keys, which are `codes` or `tags`."""
        starts: cython.p_int = cython.address(self.buckets[0]) if cython.compiled else self.buckets
        for digit in range(_BUCKETS + 1):
            starts[digit] = 0
        for at in range(count):
            starts[((keys[at] >> shift) & (_BUCKETS - 1)) + 1] += 1
        for digit in range(_BUCKETS):
            starts[digit + 1] += starts[digit]
        for at in range(count):
            digit = (keys[at] >> shift) & (_BUCKETS - 1)
            to: cython.Py_ssize_t = starts[digit]
            starts[digit] += 1
            to_codes[to] = codes[at]
            to_tags[to] = tags[at]

    # Searching.

    def first_from(self, code: cython.longlong, tag: cython.longlong, place: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the place of the first entry that is not before a code and a tag.

        The search gallops from `place` in either direction and then bisects: O(log distance).
        """
        codes: cython.p_longlong = cython.address(self.codes[0]) if cython.compiled else self.codes
        tags: cython.p_longlong = cython.address(self.tags[0]) if cython.compiled else self.tags
        low: cython.Py_ssize_t  # the result is at least `low` and at most `high`
        step: cython.Py_ssize_t = 1
        if place < self.count and (codes[place] < code or (codes[place] == code and tags[place] < tag)):
            low = place + 1
            high: cython.Py_ssize_t = place + step
            while high < self.count and (codes[high] < code or (codes[high] == code and tags[high] < tag)):
                low = high + 1
                step *= 2
                high += step
            high = min(high, self.count)
        else:
            high = min(place, self.count)
            low = high - step
            while low >= 0 and not (codes[low] < code or (codes[low] == code and tags[low] < tag)):
                high = low
                step *= 2
                low -= step
            low = max(low + 1, 0)
        while low < high:
            middle: cython.Py_ssize_t = (low + high) >> 1
            if codes[middle] < code or (codes[middle] == code and tags[middle] < tag):
                low = middle + 1
            else:
                high = middle
        return low

    def end_of(self, last: cython.longlong, place: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the place of the first entry from `place` on with a code above `last`, at most `end`."""
        codes: cython.p_longlong = cython.address(self.codes[0]) if cython.compiled else self.codes
        low: cython.Py_ssize_t = place
        high: cython.Py_ssize_t = place
        step: cython.Py_ssize_t = 1
        while high < end and codes[high] <= last:
            low = high + 1
            high += step
            step *= 2
        high = min(high, end)
        while low < high:
            middle: cython.Py_ssize_t = (low + high) >> 1
            if codes[middle] <= last:
                low = middle + 1
            else:
                high = middle
        return low

    def find(self, code: cython.longlong, tag: cython.longlong) -> cython.Py_ssize_t:
        """Return the place of the sorted entry of a cell and a box, dead or not, or -1."""
        at: cython.Py_ssize_t = self.first_from(code, tag, self.place)
        self.place = at
        if at < self.count and self.codes[at] == code and self.tags[at] & _SORTED == tag:
            return at
        return -1

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def end_of_cell(self, place: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the place after the last sorted entry of the same cell."""
        end: cython.Py_ssize_t = place + 1
        while end < self.count and self.is_same_cell(end, place):
            end += 1
        return end

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_same_cell(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether two sorted entries are of the same cell."""
        return self.codes[a] == self.codes[b] and self.tags[a] >> _LEVEL_SHIFT == self.tags[b] >> _LEVEL_SHIFT

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def last_code(self, at: cython.Py_ssize_t) -> cython.longlong:
        """Return the last code in the cell of a sorted entry."""
        level: cython.int = cython.cast(cython.int, _TOP - (self.tags[at] >> _LEVEL_SHIFT))
        return self.codes[at] | low_bits(self.dimensions, level)


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
        self.span = array("q", bytes(8 * 6))
        self.reserve()
        self.reset()

    @property
    def cell_count(self) -> int:
        """The number of entries: the cells of all boxes, those of each box counted by themselves."""
        return int(self.live_count)

    # Changing.

    def reset(self) -> cython.void:
        """Forget all entries, and set how many axes are divided and which bits of a code each of them has."""
        self.live_count = 0
        if self.boxes.flat:
            self.dimensions = 2
            self.x_bits, self.y_bits, self.z_bits = _X_BITS_2, _X_BITS_2 << 1, 0
        else:
            self.dimensions = 3
            self.x_bits, self.y_bits, self.z_bits = _X_BITS_3, _X_BITS_3 << 1, _X_BITS_3 << 2
        self.entries.clear(self.dimensions)

    def reserve(self) -> cython.void:
        """Make room for what is stored of each slot."""
        self.entries.reserve_slots(self.boxes.capacity)

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
        self.span[0], self.span[1], self.span[2] = x0, y0, z0
        self.span[3], self.span[4], self.span[5] = x1, y1, z1
        return (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def code_of(self, x: cython.longlong, y: cython.longlong, z: cython.longlong, level: cython.int) -> cython.longlong:
        """Return the code of the lowest bin of a cell."""
        if self.boxes.flat:
            return (spread2(x) | (spread2(y) << 1)) << (2 * level)
        return (spread3(x) | (spread3(y) << 1) | (spread3(z) << 2)) << (3 * level)

    def enter(self, slot: cython.int) -> cython.void:
        """Add the entries of a box."""
        cells: cython.longlong = self.cover(slot, 0, 0, 0)
        self.add_entries(slot, cells)
        self.live_count += cells
        self.cell_changes += cells

    def leave(self, slot: cython.int) -> cython.void:
        """Remove the entries of a box."""
        self.entries.limit_tail(slot)
        cells: cython.longlong = self.cover(slot, 0, 0, 0)
        self.remove_entries(slot, cells)
        self.live_count -= cells
        self.cell_changes += cells

    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box. Its entries change only if its cells do."""
        self.entries.limit_tail(slot)
        cells: cython.longlong = self.cover(slot, 0, 0, 0)
        x0: cython.longlong = self.span[0]
        y0: cython.longlong = self.span[1]
        z0: cython.longlong = self.span[2]
        x1: cython.longlong = self.span[3]
        y1: cython.longlong = self.span[4]
        z1: cython.longlong = self.span[5]
        new_cells: cython.longlong = self.cover(slot, dx, dy, dz)
        if (
            x0 == self.span[0]
            and y0 == self.span[1]
            and z0 == self.span[2]
            and x1 == self.span[3]
            and y1 == self.span[4]
            and z1 == self.span[5]
        ):
            self.boxes.shift(slot, dx, dy, dz)
            return
        same: cython.longlong = max(min(x1, self.span[3]) - max(x0, self.span[0]) + 1, 0)
        same *= max(min(y1, self.span[4]) - max(y0, self.span[1]) + 1, 0)
        same *= max(min(z1, self.span[5]) - max(z0, self.span[2]) + 1, 0)
        self.span[0], self.span[1], self.span[2] = x0, y0, z0
        self.span[3], self.span[4], self.span[5] = x1, y1, z1
        self.boxes.shift(slot, dx, dy, dz)
        self.remove_entries(slot, cells)
        self.cover(slot, 0, 0, 0)
        self.add_entries(slot, new_cells)
        self.live_count += new_cells - cells
        self.cell_changes += cells + new_cells - 2 * same

    def add_entries(self, slot: cython.Py_ssize_t, cells: cython.longlong) -> cython.int:
        """Add the entries of a box for the cells of `span`."""
        level: cython.int = self.boxes.levels_view[slot]
        tag: cython.longlong = ((_TOP - level) << _LEVEL_SHIFT) | (cython.cast(cython.longlong, slot) << _SLOT_SHIFT)
        if self.entries.count_changes(cells):
            return 0
        self.entries.reserve_tail(self.entries.tail_count + 8)
        for z in range(self.span[2], self.span[5] + 1):
            for y in range(self.span[1], self.span[4] + 1):
                for x in range(self.span[0], self.span[3] + 1):
                    self.entries.add(slot, self.code_of(x, y, z, level), tag | self.begins_before(x, y, z))
        return 0

    def remove_entries(self, slot: cython.Py_ssize_t, cells: cython.longlong) -> cython.void:
        """Remove the entries of a box for the cells of `span`."""
        level: cython.int = self.boxes.levels_view[slot]
        tag: cython.longlong = ((_TOP - level) << _LEVEL_SHIFT) | (cython.cast(cython.longlong, slot) << _SLOT_SHIFT)
        if self.entries.count_changes(cells):
            return
        self.entries.remove_from_tail(slot)
        for z in range(self.span[2], self.span[5] + 1):
            for y in range(self.span[1], self.span[4] + 1):
                for x in range(self.span[0], self.span[3] + 1):
                    self.entries.remove(self.code_of(x, y, z, level), tag)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def begins_before(self, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.longlong:
        """Return a bit for each axis on which a cell is not the first one of `span`."""
        return (x > self.span[0]) | ((y > self.span[1]) << 1) | ((z > self.span[2]) << 2)

    def sync(self) -> cython.int:
        """Merge all changes into the sorted entries."""
        if self.entries.is_stale:
            self.rebuild()
        elif self.entries.tail_count > 0 or self.entries.dead_count > 0:
            self.entries.merge()
        return 0

    def rebuild(self) -> cython.int:
        """Write the entries of all boxes and sort them. An interrupted one is repeated by the next query."""
        entries: EntryList = self.entries
        count: cython.Py_ssize_t = 0
        entries.forget_tail()
        entries.reserve(self.live_count + 8)
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] < 0:
                continue
            entries.reserve(count + 8)
            level: cython.int = self.boxes.levels_view[slot]
            tag = ((_TOP - level) << _LEVEL_SHIFT) | (cython.cast(cython.longlong, slot) << _SLOT_SHIFT)
            self.cover(slot, 0, 0, 0)
            for z in range(self.span[2], self.span[5] + 1):
                for y in range(self.span[1], self.span[4] + 1):
                    for x in range(self.span[0], self.span[3] + 1):
                        entries.codes[count] = self.code_of(x, y, z, level)
                        entries.tags[count] = tag | self.begins_before(x, y, z)
                        count += 1
        entries.sort_all(count)
        return 0

    # Boxes that meet a region.

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
                cython.address(entries.tail_codes[0]) if cython.compiled else entries.tail_codes,
                cython.address(entries.tail_tags[0]) if cython.compiled else entries.tail_tags,
                0,
                entries.tail_count,
            )
        if entries.count > 0:
            self.search_cells()

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

    def search_cells(self) -> cython.void:
        """Offer the sorted boxes in at most two cells on each axis that are as large as the region, and around them."""
        dimensions: cython.int = self.dimensions
        level: cython.int = 0
        at: cython.Py_ssize_t = self.entries.place
        while (
            (self.bin_x1 >> level) - (self.bin_x0 >> level) > 1
            or (self.bin_y1 >> level) - (self.bin_y0 >> level) > 1
            or (self.bin_z1 >> level) - (self.bin_z0 >> level) > 1
        ):
            level += 1
        above: cython.bint = self.levels >> level > 1
        for z in range(self.bin_z0 >> level, (self.bin_z1 >> level) + 1):
            for y in range(self.bin_y0 >> level, (self.bin_y1 >> level) + 1):
                for x in range(self.bin_x0 >> level, (self.bin_x1 >> level) + 1):
                    code: cython.longlong = self.code_of(x, y, z, level)
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

    def search_enclosing(
        self, code: cython.longlong, at: cython.Py_ssize_t, offset_bits: cython.longlong
    ) -> cython.void:
        """Offer the boxes in the cells that enclose a cell of the region; `at` is the place before that cell.

        `offset_bits` are the bits of the axes on which the region has a cell before this one. If that is in the same
        enclosing cell, the enclosing cell was searched from there.
        """
        while at >= 0:
            first: cython.Py_ssize_t = at
            if code <= self.entries.last_code(at):
                while first > 0 and self.entries.is_same_cell(first - 1, at):
                    first -= 1
                if (code ^ self.entries.codes[at]) & offset_bits == 0:
                    self.scan_sorted(first, at + 1)
            at = self.entries.contained_by[at]

    def search_run(
        self, code: cython.longlong, level: cython.int, at: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.void:
        """Offer the boxes in a cell and in all that it contains: the run of entries from `at` to before `end`."""
        dimensions: cython.int = self.dimensions
        low: cython.longlong = low_bits(dimensions, level)
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
        stop: cython.Py_ssize_t = self.entries.first_from(code, (_TOP - level + 1) << _LEVEL_SHIFT, at)
        self.scan_sorted(at, stop)
        at = stop
        child_low: cython.longlong = low_bits(dimensions, level - 1)
        child: cython.longlong = code
        while at < end:
            # Skip to the child that contains the next entry.
            child = self.entries.codes[at] & ~child_low
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
                cython.address(self.entries.codes[0]) if cython.compiled else self.entries.codes,
                cython.address(self.entries.tags[0]) if cython.compiled else self.entries.tags,
                at,
                end,
            )

    def scan(
        self,
        codes: cython.p_longlong,
        tags: cython.p_longlong,
        first: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.void:
        """Offer the boxes of entries whose cell is the first one of the box, on each axis, that the region covers."""
        dimensions: cython.int = self.dimensions
        level: cython.longlong = -1
        first_x: cython.longlong = 0
        first_y: cython.longlong = 0
        first_z: cython.longlong = 0
        for at in range(first, end):
            code: cython.longlong = codes[at]
            tag: cython.longlong = tags[at]
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

    def pair_with(self, other: Index) -> cython.void:
        """Offer all pairs by one scan of this list, or a merge of two."""
        if other is self:
            self.sync()
            self.pair_own()
        elif isinstance(other, ZOrderSweepIndex) and self.has_same_cells(other):
            self.pair_lists(cython.cast(ZOrderSweepIndex, other))
        else:
            Index.pair_with(self, other)

    def has_same_cells(self, other: Index) -> cython.bint:
        """Return whether another index divides space into the same cells."""
        return self.boxes.flat == other.boxes.flat and self.boxes.bin_shift == other.boxes.bin_shift

    def pair_own(self) -> cython.int:
        """Find the pairs within this list."""
        codes: cython.p_longlong = cython.address(self.entries.codes[0]) if cython.compiled else self.entries.codes
        tags: cython.p_longlong = cython.address(self.entries.tags[0]) if cython.compiled else self.entries.tags
        first: cython.Py_ssize_t = 0
        while first < self.entries.count:
            stop: cython.Py_ssize_t = self.entries.end_of_cell(first)
            for at in range(first, stop - 1):
                for near in range(at + 1, stop):
                    if tags[at] & tags[near] & _BEGINS_BEFORE == 0:
                        self.try_pair(
                            self,
                            (tags[at] >> _SLOT_SHIFT) & _SLOT_MASK,
                            self,
                            (tags[near] >> _SLOT_SHIFT) & _SLOT_MASK,
                            False,
                        )
            level: cython.int = cython.cast(cython.int, _TOP - (tags[first] >> _LEVEL_SHIFT))
            if level > 0 and stop < self.entries.count:
                end = self.entries.end_of(codes[first] | low_bits(self.dimensions, level), stop, self.entries.count)
                if end > stop:
                    for at in range(first, stop):
                        self.pair_with_contained(self, at, self, stop, end, False)
            first = stop
        return 0

    def pair_lists(self, other: ZOrderSweepIndex) -> cython.int:
        """Find the pairs of two lists: walk through the shorter one, and follow its places in the other."""
        few: ZOrderSweepIndex = self
        many: ZOrderSweepIndex = other
        first: cython.Py_ssize_t = 0
        place: cython.Py_ssize_t = 0
        self.sync()
        other.sync()
        swapped: cython.bint = self.entries.count > other.entries.count
        if swapped:
            few, many = other, self
        if few.entries.count == 0:
            return 0
        while first < few.entries.count:
            stop: cython.Py_ssize_t = few.entries.end_of_cell(first)
            code: cython.longlong = few.entries.codes[first]
            level: cython.int = cython.cast(cython.int, _TOP - (few.entries.tags[first] >> _LEVEL_SHIFT))
            place = many.entries.first_from(code, (_TOP - level) << _LEVEL_SHIFT, place)
            end = many.entries.end_of(code | low_bits(few.dimensions, level), place, many.entries.count)
            if end > place:
                for at in range(first, stop):
                    self.pair_with_contained(few, at, many, place, end, swapped)
            if many.boxes.level_bits >> level > 1:
                self.pair_with_enclosing(few, first, stop, many, place - 1, swapped)
            first = stop
        return 0

    def pair_with_contained(
        self,
        few: ZOrderSweepIndex,
        entry: cython.Py_ssize_t,
        many: ZOrderSweepIndex,
        first: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        swapped: cython.bint,
    ) -> cython.int:
        """Find the pairs of the box of an entry with those in a run of `many` that its cell contains.

        `few` has the entry. `swapped` says that `many` is this index, and `few` the one to which it is compared.
        """
        code: cython.longlong = few.entries.codes[entry]
        tag: cython.longlong = few.entries.tags[entry]
        slot: cython.Py_ssize_t = (tag >> _SLOT_SHIFT) & _SLOT_MASK
        if end - first > _SHORT_RUN:
            many.aim_at(few.boxes, slot)
            many.aim()
            many.search_run(code, cython.cast(cython.int, _TOP - (tag >> _LEVEL_SHIFT)), first, end)
            for at in range(many.hit_count):
                self.try_pair(few, slot, many, many.hits_view[at], swapped)
            return 0
        for at in range(first, end):
            near: cython.longlong = many.entries.tags[at] & _BEGINS_BEFORE
            if near == 0 or near & (tag | few.axes_of(many.entries.codes[at] ^ code)) == 0:
                self.try_pair(few, slot, many, (many.entries.tags[at] >> _SLOT_SHIFT) & _SLOT_MASK, swapped)
        return 0

    def pair_with_enclosing(
        self,
        few: ZOrderSweepIndex,
        first: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        many: ZOrderSweepIndex,
        at: cython.Py_ssize_t,
        swapped: cython.bint,
    ) -> cython.int:
        """Find the pairs of the boxes of a cell with those in larger cells of `many`; `at` is the place before it."""
        code: cython.longlong = few.entries.codes[first]
        while at >= 0:
            if many.entries.last_code(at) < code:
                at = many.entries.contained_by[at]
                continue
            inside: cython.longlong = few.axes_of(many.entries.codes[at] ^ code)
            near: cython.longlong = at
            while near >= 0 and many.entries.is_same_cell(near, at):
                for entry in range(first, stop):
                    if few.entries.tags[entry] & (many.entries.tags[near] | inside) & _BEGINS_BEFORE == 0:
                        self.try_pair(
                            few,
                            (few.entries.tags[entry] >> _SLOT_SHIFT) & _SLOT_MASK,
                            many,
                            (many.entries.tags[near] >> _SLOT_SHIFT) & _SLOT_MASK,
                            swapped,
                        )
                near -= 1
            at = many.entries.contained_by[at]
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
    @cython.inline
    def try_pair(
        self,
        few: ZOrderSweepIndex,
        slot: cython.Py_ssize_t,
        many: ZOrderSweepIndex,
        near: cython.Py_ssize_t,
        swapped: cython.bint,
    ) -> cython.int:
        """Add the pair of a box of `few` and one of `many` if they meet."""
        a: cython.Py_ssize_t = 6 * slot
        b: cython.Py_ssize_t = 6 * near
        if self.awake_only and not few.boxes.awake_view[slot] and not many.boxes.awake_view[near]:
            return 0
        if (
            few.boxes.faces_view[a] <= many.boxes.faces_view[b + 3]
            and many.boxes.faces_view[b] <= few.boxes.faces_view[a + 3]
            and few.boxes.faces_view[a + 1] <= many.boxes.faces_view[b + 4]
            and many.boxes.faces_view[b + 1] <= few.boxes.faces_view[a + 4]
        ):
            if swapped:
                self.offer_pair(near, few, slot)
            else:
                self.offer_pair(slot, many, near)
        return 0
