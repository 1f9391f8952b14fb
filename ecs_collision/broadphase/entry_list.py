# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The sorted list of a Z-order sweep: entries in Morton order, with links to enclosing cells and a tail of new entries.

An entry is a cell and a box in it: the Morton code of the lowest bin of the cell, and a tag with the level, the slot of
the box and a bit for each axis on which the box begins in the cell before. Entries are sorted by code and tag, so with
equal codes the larger cell comes first, and the order of entries is complete: an entry is found by bisection.

Removed entries are marked as dead, new ones go to the tail, which queries scan. When these scans have cost about as
much as a merge would, the tail is sorted and merged, and the dead entries are removed. Changes and queries in turns
then cost O(√entries) each, and many queries after one change cost O(1) more each. If more
than an eighth of the entries change between two queries, nothing is recorded any more: the list is *stale*, and the
next query sorts all entries.

Many entries are sorted by a radix sort of the bits that differ, 11 at a time; the slots are usually in order already.
Not taken: a merge sort (17 comparisons for each of 80,000 entries, against two or three passes without any), a tree of
entries (a query would follow pointers).
"""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import pairwise

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import bytes_of, longer
from ecs_collision.broadphase.morton_grid.morton import TOP_LEVEL

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
_SORTED = cython.declare(cython.longlong, ~(DEAD | BEGINS_BEFORE))
_LAST_CODE = cython.declare(cython.longlong, (1 << 63) - 1)

_DIGIT = cython.declare(cython.int, 11)  # bits that one pass of the radix sort sorts by
_BUCKETS = cython.declare(cython.Py_ssize_t, 1 << 11)
_FEW = cython.declare(cython.Py_ssize_t, 40)  # as many are sorted by insertion
_MIN_WORK = cython.declare(cython.longlong, 64)  # entries that queries may scan in the tail before it is merged


@cython.cfunc
@cython.exceptval(check=False)
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
        self.capacity = self.tail_capacity = self.slot_capacity = 0
        self.is_stale = True
        self.codes, self.tags, self.contained_by = array("q"), array("q"), array("i")
        self.spare_codes, self.spare_tags = array("q"), array("q")
        self.tail_codes, self.tail_tags, self.tail_counts = array("q"), array("q"), array("b")
        self.buckets = array("i", bytes(4 * (_BUCKETS + 1)))
        self.buckets_view = self.buckets
        self.reserve(64)
        self.reserve_tail(64)
        self.clear(3)

    @cython.cfunc
    def clear(self, dimensions: cython.int) -> cython.int:
        """Remove all entries, and set how many axes are divided. Works after an interrupted change."""
        self.is_stale = True
        self.take_views()
        self.forget_tail()
        self.dimensions = dimensions
        self.count = self.dead_count = 0
        self.changes = self.tail_work = 0
        self.place = 0
        self.is_stale = False
        return 0

    @cython.cfunc
    def take_views(self) -> cython.int:
        """Take the views of all arrays, which may be those of an interrupted growth, and their least lengths."""
        self.codes_view, self.tags_view, self.contained_by_view = self.codes, self.tags, self.contained_by
        self.spare_codes_view, self.spare_tags_view = self.spare_codes, self.spare_tags
        self.tail_codes_view, self.tail_tags_view = self.tail_codes, self.tail_tags
        self.tail_counts_view = self.tail_counts
        self.slot_capacity = len(self.tail_counts)
        self.tail_capacity = min(len(self.tail_codes), len(self.tail_tags))
        self.capacity = min(len(self.codes), len(self.tags), len(self.contained_by))
        self.capacity = min(self.capacity, len(self.spare_codes), len(self.spare_tags))
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def forget_tail(self) -> cython.void:
        """Remove all entries from the tail; O(slots)."""
        slot: cython.Py_ssize_t
        self.tail_count = 0
        for slot in range(self.slot_capacity):
            self.tail_counts_view[slot] = 0

    @cython.cfunc
    def reserve_slots(self, capacity: cython.Py_ssize_t) -> cython.int:
        """Make room for what is stored of each slot."""
        if self.slot_capacity < capacity:
            self.tail_counts = longer(self.tail_counts, capacity)
            self.tail_counts_view = self.tail_counts
            self.slot_capacity = capacity
        return 0

    @cython.cfunc
    def reserve(self, count: cython.Py_ssize_t) -> cython.int:
        """Make room for `count` sorted entries."""
        if count > self.capacity:
            capacity: cython.Py_ssize_t = max(count, self.capacity + self.capacity // 2)
            codes, tags = longer(self.codes, capacity), longer(self.tags, capacity)
            spare_codes, spare_tags = array("q", bytes(8 * capacity)), array("q", bytes(8 * capacity))
            contained_by = longer(self.contained_by, capacity)
            was_stale: cython.bint = self.is_stale
            self.is_stale = True  # until arrays and views are the same again
            self.codes, self.tags, self.contained_by = codes, tags, contained_by
            self.spare_codes, self.spare_tags = spare_codes, spare_tags
            self.codes_view, self.tags_view, self.contained_by_view = self.codes, self.tags, self.contained_by
            self.spare_codes_view, self.spare_tags_view = self.spare_codes, self.spare_tags
            self.capacity = capacity
            self.is_stale = was_stale
        return 0

    @cython.cfunc
    def reserve_tail(self, count: cython.Py_ssize_t) -> cython.int:
        """Make room for `count` entries in the tail."""
        if count > self.tail_capacity:
            capacity: cython.Py_ssize_t = max(count, 2 * self.tail_capacity)
            tail_codes, tail_tags = longer(self.tail_codes, capacity), longer(self.tail_tags, capacity)
            self.tail_codes, self.tail_tags = tail_codes, tail_tags
            self.tail_codes_view, self.tail_tags_view = self.tail_codes, self.tail_tags
            self.tail_capacity = capacity
        return 0

    # Changing.

    @cython.cfunc
    def add(self, slot: cython.Py_ssize_t, code: cython.longlong, tag: cython.longlong) -> cython.int:
        """Add an entry: a dead one with the same cell and box comes back, any other goes to the tail."""
        at: cython.Py_ssize_t
        if self.dead_count > 0:
            at = self.find(code, tag & _SORTED)
            if at >= 0:
                self.tags_view[at] = tag
                self.dead_count -= 1
                return 0
        self.reserve_tail(self.tail_count + 1)
        self.tail_codes_view[self.tail_count] = code
        self.tail_tags_view[self.tail_count] = tag
        self.tail_count += 1
        self.tail_counts_view[slot] += 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def remove_from_tail(self, slot: cython.Py_ssize_t) -> cython.void:
        """Remove the entries of a slot from the tail; O(tail) if there are any."""
        at: cython.Py_ssize_t = 0
        while self.tail_counts_view[slot] > 0 and at < self.tail_count:
            if (self.tail_tags_view[at] >> _SLOT_SHIFT) & _SLOT_MASK == slot:
                self.tail_count -= 1
                self.tail_codes_view[at] = self.tail_codes_view[self.tail_count]
                self.tail_tags_view[at] = self.tail_tags_view[self.tail_count]
                self.tail_counts_view[slot] -= 1
            else:
                at += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def remove(self, code: cython.longlong, tag: cython.longlong) -> cython.void:
        """Mark the sorted entry of a cell and a box as dead, if there is one."""
        at: cython.Py_ssize_t = self.find(code, tag)
        if at >= 0 and not self.tags_view[at] & _DEAD:
            self.tags_view[at] |= _DEAD
            self.dead_count += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def count_changes(self, cells: cython.longlong) -> cython.bint:
        """Count changed entries; returns whether the list is stale by now, so that nothing has to be recorded."""
        if not self.is_stale:
            self.changes += cells
            if 8 * self.changes > self.count + 8 * _MIN_WORK:
                self.drop()
        return self.is_stale

    @cython.cfunc
    @cython.exceptval(check=False)
    def drop(self) -> cython.void:
        """Let the next query sort all entries again."""
        at: cython.Py_ssize_t
        self.is_stale = True
        for at in range(self.tail_count):
            self.tail_counts_view[(self.tail_tags_view[at] >> _SLOT_SHIFT) & _SLOT_MASK] = 0
        self.tail_count = self.count = self.dead_count = 0

    @cython.cfunc
    def limit_tail(self, slot: cython.Py_ssize_t) -> cython.int:
        """Merge the tail if it is about to be searched for the entries of a slot too often."""
        if not self.is_stale and self.tail_counts_view[slot] > 0:
            self.tail_work += self.tail_count
            if self.tail_work > self.count + _MIN_WORK:
                self.merge()
        return 0

    # Merging and sorting.

    @cython.cfunc
    def update(self) -> cython.int:
        """Prepare a query, which scans the tail: merge it if that pays by now. The list must not be stale."""
        self.tail_work += self.tail_count
        if (self.tail_count > 0 and self.tail_work > self.count + _MIN_WORK) or (
            2 * self.dead_count > self.count + _MIN_WORK
        ):
            self.merge()
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def sort_all(self, count: cython.Py_ssize_t) -> cython.void:
        """Sort entries that were written to `codes` and `tags`; they replace all others."""
        self.sort(
            cython.address(self.codes_view[0]) if cython.compiled else self.codes_view,
            cython.address(self.tags_view[0]) if cython.compiled else self.tags_view,
            count,
        )
        self.count = count
        self.dead_count = self.tail_count = 0
        self.link()

    @cython.cfunc
    def merge(self) -> cython.int:
        """Remove the dead entries, and sort and merge the tail. After an interruption the next query sorts again."""
        codes: cython.p_longlong
        tags: cython.p_longlong
        tail_codes: cython.p_longlong
        tail_tags: cython.p_longlong
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t = 0
        place: cython.Py_ssize_t
        code: cython.longlong
        tag: cython.longlong
        self.reserve(self.count - self.dead_count + self.tail_count)
        codes = cython.address(self.codes_view[0]) if cython.compiled else self.codes_view
        tags = cython.address(self.tags_view[0]) if cython.compiled else self.tags_view
        tail_codes = cython.address(self.tail_codes_view[0]) if cython.compiled else self.tail_codes_view
        tail_tags = cython.address(self.tail_tags_view[0]) if cython.compiled else self.tail_tags_view
        self.is_stale = True
        for at in range(self.tail_count):
            self.tail_counts_view[(tail_tags[at] >> _SLOT_SHIFT) & _SLOT_MASK] = 0
        if self.dead_count > 0:
            for at in range(self.count):
                if not tags[at] & _DEAD:
                    codes[to] = codes[at]
                    tags[to] = tags[at]
                    to += 1
            self.count = to
            self.dead_count = 0
        self.sort(tail_codes, tail_tags, self.tail_count)
        place = self.count
        to = self.count + self.tail_count
        self.count = to
        for at in range(self.tail_count - 1, -1, -1):
            code = tail_codes[at]
            tag = tail_tags[at]
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

    @cython.cfunc
    @cython.exceptval(check=False)
    def link(self) -> cython.void:
        """Link each entry to the nearest enclosing cell; from then on the list is up to date."""
        at: cython.Py_ssize_t
        above: cython.Py_ssize_t
        for at in range(self.count):
            above = at - 1
            if above >= 0 and self.is_same_cell(above, at):
                above = self.contained_by_view[above]
            else:
                while above >= 0 and self.last_code(above) < self.codes_view[at]:
                    above = self.contained_by_view[above]
            self.contained_by_view[at] = cython.cast(cython.int, above)
        self.changes = self.tail_work = 0
        self.is_stale = False

    @cython.cfunc
    @cython.exceptval(check=False)
    def sort(self, codes: cython.p_longlong, tags: cython.p_longlong, count: cython.Py_ssize_t) -> cython.void:
        """Sort entries by code and tag: few by insertion, many by the digits in which they differ, lowest first."""
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t
        code: cython.longlong
        tag: cython.longlong
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

    @cython.cfunc
    @cython.exceptval(check=False)
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
        spare_codes: cython.p_longlong = (
            cython.address(self.spare_codes_view[0]) if cython.compiled else self.spare_codes_view
        )
        spare_tags: cython.p_longlong = (
            cython.address(self.spare_tags_view[0]) if cython.compiled else self.spare_tags_view
        )
        in_spare: cython.bint = False
        shift: cython.int = 0
        at: cython.Py_ssize_t
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

    @cython.cfunc
    @cython.exceptval(check=False)
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
        starts: cython.p_int = cython.address(self.buckets_view[0]) if cython.compiled else self.buckets_view
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t
        digit: cython.Py_ssize_t
        for digit in range(_BUCKETS + 1):
            starts[digit] = 0
        for at in range(count):
            starts[((keys[at] >> shift) & (_BUCKETS - 1)) + 1] += 1
        for digit in range(_BUCKETS):
            starts[digit + 1] += starts[digit]
        for at in range(count):
            digit = (keys[at] >> shift) & (_BUCKETS - 1)
            to = starts[digit]
            starts[digit] += 1
            to_codes[to] = codes[at]
            to_tags[to] = tags[at]

    # Searching.

    @cython.cfunc
    @cython.exceptval(check=False)
    def first_from(self, code: cython.longlong, tag: cython.longlong, place: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the place of the first entry that is not before a code and a tag.

        The search gallops from `place` in either direction and then bisects: O(log distance).
        """
        codes: cython.p_longlong = cython.address(self.codes_view[0]) if cython.compiled else self.codes_view
        tags: cython.p_longlong = cython.address(self.tags_view[0]) if cython.compiled else self.tags_view
        low: cython.Py_ssize_t  # the result is at least `low` and at most `high`
        high: cython.Py_ssize_t
        middle: cython.Py_ssize_t
        step: cython.Py_ssize_t = 1
        if place < self.count and (codes[place] < code or (codes[place] == code and tags[place] < tag)):
            low = place + 1
            high = place + step
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
            middle = (low + high) >> 1
            if codes[middle] < code or (codes[middle] == code and tags[middle] < tag):
                low = middle + 1
            else:
                high = middle
        return low

    @cython.cfunc
    @cython.exceptval(check=False)
    def end_of(self, last: cython.longlong, place: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the place of the first entry from `place` on with a code above `last`, at most `end`."""
        codes: cython.p_longlong = cython.address(self.codes_view[0]) if cython.compiled else self.codes_view
        low: cython.Py_ssize_t = place
        high: cython.Py_ssize_t = place
        middle: cython.Py_ssize_t
        step: cython.Py_ssize_t = 1
        while high < end and codes[high] <= last:
            low = high + 1
            high += step
            step *= 2
        high = min(high, end)
        while low < high:
            middle = (low + high) >> 1
            if codes[middle] <= last:
                low = middle + 1
            else:
                high = middle
        return low

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, code: cython.longlong, tag: cython.longlong) -> cython.Py_ssize_t:
        """Return the place of the sorted entry of a cell and a box, dead or not, or -1."""
        at: cython.Py_ssize_t = self.first_from(code, tag, self.place)
        self.place = at
        if at < self.count and self.codes_view[at] == code and self.tags_view[at] & _SORTED == tag:
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
        return (
            self.codes_view[a] == self.codes_view[b]
            and self.tags_view[a] >> _LEVEL_SHIFT == self.tags_view[b] >> _LEVEL_SHIFT
        )

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def last_code(self, at: cython.Py_ssize_t) -> cython.longlong:
        """Return the last code in the cell of a sorted entry."""
        level: cython.int = cython.cast(cython.int, _TOP - (self.tags_view[at] >> _LEVEL_SHIFT))
        return self.codes_view[at] | low_bits(self.dimensions, level)

    # Size and invariants.

    def bytes_used(self) -> int:
        """Return the bytes of all arrays."""
        entries = (self.codes, self.tags, self.contained_by, self.spare_codes, self.spare_tags, self.buckets)
        return bytes_of(*entries, self.tail_codes, self.tail_tags, self.tail_counts)

    def live(self) -> list[tuple[int, int, int, int]]:
        """Return code, level, slot and the axes on which the box begins before, for all live entries in their order.

        Those of the tail come last.
        """
        entries = [
            *zip(self.codes[: self.count], self.tags[: self.count], strict=True),
            *zip(self.tail_codes[: self.tail_count], self.tail_tags[: self.tail_count], strict=True),
        ]
        return [
            (code, TOP_LEVEL - (tag >> LEVEL_SHIFT), tag >> SLOT_SHIFT & SLOT_MASK, tag & BEGINS_BEFORE)
            for code, tag in entries
            if not tag & DEAD
        ]

    def check(self, expected: list[tuple[int, int, int, int]]) -> None:
        """Verify entries, order, links and counts. Raises IndexError for the first invariant that does not hold.

        expected: the live entries, sorted.
        """
        self.check_lengths()
        if self.is_stale:
            return
        if sorted(self.live()) != expected:
            raise IndexError("the entries are not those of the cells that the boxes cover")
        keys = [(code, tag & ~(DEAD | BEGINS_BEFORE)) for code, tag in zip(self.codes, self.tags, strict=True)]
        keys = keys[: self.count]
        if any(low >= high for low, high in pairwise(keys)):
            raise IndexError("the entries are not sorted")
        if self.dead_count != sum(tag & DEAD != 0 for tag in self.tags[: self.count]):
            raise IndexError("the dead entries are miscounted")
        tail = self.tail_tags[: self.tail_count]
        if any(tag & DEAD for tag in tail):
            raise IndexError("an entry in the tail is dead")
        counts = Counter(tag >> SLOT_SHIFT & SLOT_MASK for tag in tail)
        if list(self.tail_counts) != [counts[slot] for slot in range(self.slot_capacity)]:
            raise IndexError("the entries of a slot in the tail are miscounted")
        self.check_links(keys)

    def check_lengths(self) -> None:
        """Verify the lengths of the arrays and the counts, which searching relies on. Raises IndexError otherwise."""
        entries = (self.codes, self.tags, self.contained_by, self.spare_codes, self.spare_tags)
        if not 0 <= self.count <= self.capacity <= min(map(len, entries)):
            raise IndexError(f"there is no room for {self.count} of {self.capacity} entries in all arrays")
        tails = (self.tail_codes, self.tail_tags)
        if not 0 <= self.tail_count <= self.tail_capacity <= min(map(len, tails)):
            raise IndexError(f"there is no room for {self.tail_count} of {self.tail_capacity} entries in the tail")
        if len(self.tail_counts) != self.slot_capacity or len(self.buckets) != _BUCKETS + 1:
            raise IndexError(f"there is room for {len(self.tail_counts)} slots, not {self.slot_capacity}")
        if self.place < 0 or not all(-1 <= link < at for at, link in enumerate(self.contained_by[: self.count])):
            raise IndexError("a link leads forward, or the last search ended before the list")

    def check_links(self, keys: list[tuple[int, int]]) -> None:
        """Verify that each entry is linked to the last entry of the nearest enclosing cell."""
        last_of = {(code, TOP_LEVEL - (tag >> LEVEL_SHIFT)): at for at, (code, tag) in enumerate(keys)}
        for at, (code, tag) in enumerate(keys):
            enclosing = (
                last_of.get((code >> self.dimensions * level << self.dimensions * level, level), -1)
                for level in range(TOP_LEVEL - (tag >> LEVEL_SHIFT) + 1, TOP_LEVEL + 1)
            )
            if self.contained_by[at] != next((place for place in enclosing if place >= 0), -1):
                raise IndexError(f"entry {at} is not linked to the nearest enclosing cell")
