# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The Morton cells that the boxes of an index cover, in order, for those who ask (rules B1 to B5).

No structure keeps them. Who asks pays for the boxes that changed since the last time: from the first time on, the pool
logs them (`BoxPool.watch`). The cells that each of these left and entered are counted, and those that appear or vanish
change the list in one batch. Before the first time nothing is paid.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left

from sortedcontainers import SortedList

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.box_pool import prefetch
    from cython.cimports.ecs_collision.broadphase.morton import hash_of
    from cython.cimports.ecs_collision.broadphase.morton_codes import spread3
    from cython.cimports.libc.string import memmove
else:
    from ecs_collision.broadphase.morton import hash_of
    from ecs_collision.broadphase.morton_codes import spread3

from ecs_collision._arrays import longer, zeros
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.morton import ORIGIN, directory_key
from ecs_collision.fixed_point import HALF_SLAB

Z_BIAS = HALF_SLAB
"""Half a world unit in lattice units. With it the z range of flat bodies, -0.5 to 0.5, lies inside one cell (B2)."""

_Z_BIAS = cython.declare(cython.longlong, Z_BIAS)
_ORIGIN = cython.declare(cython.longlong, ORIGIN)
_LAST = cython.declare(cython.longlong, 2 * ORIGIN - 1)


# The state of a cell: its level + 1, whether the list has it, the number of its boxes, and that of awake ones.
_LEVEL = cython.declare(cython.longlong, 31)
_LISTED = cython.declare(cython.longlong, 1 << 5)
_BOX = cython.declare(cython.longlong, 1 << 6)
_AWAKE = cython.declare(cython.longlong, 1 << 35)
_BOXES = cython.declare(cython.longlong, (1 << 35) - (1 << 6))

_SPAN = cython.declare(cython.Py_ssize_t, 16)
"""The most cells of a former and a present span."""

_AHEAD = cython.declare(cython.Py_ssize_t, 8)
"""How many changes ahead memory is fetched."""


@cython.final
@cython.cclass
class MortonCells:
    """The cells of the boxes of a pool, in a hash table with a code and a state for each place, and in a list.

    `compared` counts the boxes that were compared with the cells that they had.
    """

    def __init__(self, boxes: BoxPool) -> None:
        self.boxes = boxes
        self.keys = SortedList()
        self.compared = 0
        self.span = array("i", bytes(4 * 8))
        self.span_view = self.span
        self.forget()

    def forget(self) -> cython.void:
        """Forget all cells."""
        self.keys.clear()
        self.block_count = self.change_count = 0
        self.changes, self.blocks = array("q"), array("q")
        self.spans = array("i", bytes(4 * 8))
        self.spans_view = self.spans
        self.table, self.used, self.shift = zeros("q", 2 * 32), 0, 26
        self.version = -1

    def directory(self) -> SortedList:
        """Return the keys of all cells, brought up to date: O(boxes changed), plus O(log cells) for a cell changed."""
        if self.version != self.boxes.changes:
            try:
                self.update()
            except BaseException:  # such as an interrupt: the next call begins again
                self.forget()
                raise
        return self.keys

    def is_awake(self, key: object) -> cython.bint:
        """Return whether a cell of the directory has an awake box (S3)."""
        return self.table[self.find(key >> 5, 31 - (key & 31)) + 1] >= _AWAKE  # type: ignore[operator]

    def update(self) -> cython.void:
        """Compare the boxes that changed with the cells that they had, and apply what changed in one batch."""
        boxes: BoxPool = self.boxes
        if len(self.spans) < 8 * boxes.capacity:
            self.spans = longer(self.spans, 8 * boxes.capacity)
            self.spans_view = self.spans
        boxes.watch()
        if self.version < boxes.changes - boxes.log_size:
            for slot in range(boxes.capacity):
                self.compare(slot)
        else:
            for at in range(self.version, boxes.changes):
                self.compare(boxes.log_view[at & (boxes.log_size - 1)])
        crossed: cython.Py_ssize_t = 0
        for at in range(0, self.change_count, 2):
            if cython.compiled and at + 2 * _AHEAD < self.change_count:
                ahead: cython.Py_ssize_t = at + 2 * _AHEAD
                level: cython.longlong = (self.changes[ahead + 1] & _LEVEL) - 1
                prefetch(cython.address(self.table[2 * hash_of(self.changes[ahead] ^ level, self.shift)]))
            level = (self.changes[at + 1] & _LEVEL) - 1
            place: cython.Py_ssize_t = self.find(self.changes[at], level)
            self.table[place + 1] += self.changes[at + 1] & ~_LEVEL
            if self.is_crossed(place):
                self.changes[crossed], self.changes[crossed + 1] = self.changes[at], level
                crossed += 2
        left: list[int] = []
        born: list[int] = []
        for at in range(0, crossed, 2):
            place = self.find(self.changes[at], self.changes[at + 1])
            if self.is_crossed(place):
                self.table[place + 1] ^= _LISTED
                key = directory_key(self.changes[at], self.changes[at + 1])
                if self.table[place + 1] & _LISTED:
                    born.append(key)
                else:
                    left.append(key)
        self.change_keys(left, False)
        if 4 * len(born) < len(self.keys):
            self.change_keys(born, True)
        else:
            self.keys.update(born)
            self.block_count = 0
        self.change_count = 0
        self.version = boxes.changes

    def change_keys(self, keys: list, enter: cython.bint) -> cython.int:  # type: ignore[type-arg]
        """Add keys to the list, or remove them, as its own methods would one by one.

        Where in a part of the list they belong, a copy of its codes tells, without a look at the keys there.
        """
        parts: list[list[int]] = self.keys._lists
        ends: list[int] = self.keys._maxes
        load: cython.Py_ssize_t = self.keys._load
        count: cython.Py_ssize_t = 0
        self.keys._index.clear()
        for key in keys:
            at: cython.Py_ssize_t = min(bisect_left(ends, key), len(ends) - 1)
            size: cython.Py_ssize_t = len(parts[at])
            if not (size < 2 * load if enter else size > (load // 2 if len(parts) > 1 else 1)):
                (self.keys.add if enter else self.keys.remove)(key)  # divides or joins parts
                self.block_count = 0
                continue
            if self.block_count == 0:
                self.copy_codes()
            code: cython.longlong = key >> 5
            first: cython.Py_ssize_t = 2 * load * at
            place: cython.Py_ssize_t = self.place_of(code, first, first + size)
            while place < first + size and self.blocks[place] == code and parts[at][place - first] < key:
                place += 1
            if enter:
                parts[at].insert(place - first, key)
            else:
                del parts[at][place - first]
            source: cython.Py_ssize_t = place if enter else place + 1
            target: cython.Py_ssize_t = place + 1 if enter else place
            rest: cython.Py_ssize_t = first + size - source
            if cython.compiled:
                memmove(cython.address(self.blocks[target]), cython.address(self.blocks[source]), 8 * rest)
            else:
                self.blocks[target : target + rest] = self.blocks[source : source + rest]
            if enter:
                self.blocks[place] = code
            ends[at] = parts[at][len(parts[at]) - 1]
            count += 1 if enter else -1
        self.keys._len += count
        return 0

    def copy_codes(self) -> cython.int:
        """Copy the codes of all keys to `blocks`, of which each part of the list has one."""
        block: cython.Py_ssize_t = 2 * self.keys._load
        count: cython.Py_ssize_t = len(self.keys._lists)
        if len(self.blocks) < block * count:
            self.blocks = zeros("q", block * (count + count // 4 + 1))
        for at in range(count):
            part: list[int] = self.keys._lists[at]
            for place in range(len(part)):
                self.blocks[block * at + place] = part[place] >> 5
        self.block_count = count
        return 0

    def place_of(self, code: cython.longlong, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the first place of `blocks` in a range whose code is not below `code`."""
        while first < end:
            middle: cython.Py_ssize_t = (first + end) >> 1
            if self.blocks[middle] < code:
                first = middle + 1
            else:
                end = middle
        return first

    def compare(self, slot: cython.Py_ssize_t) -> cython.int:
        """Count the cells that the box of a slot has left and entered. No box: a span that begins with 0."""
        boxes: BoxPool = self.boxes
        before: cython.Py_ssize_t = 8 * slot
        spans: cython.p_int = cython.address(self.spans_view[0]) if cython.compiled else self.spans_view
        span: cython.p_int = cython.address(self.span_view[0]) if cython.compiled else self.span_view
        faces: cython.p_longlong = cython.address(boxes.faces_view[0]) if cython.compiled else boxes.faces_view
        is_box: cython.bint = boxes.owner_view[slot] >= 0
        level: cython.int = boxes.levels_view[slot]
        self.compared += 1
        span[0], span[1] = level + 1 if is_box else 0, is_box and boxes.awake_view[slot] != 0
        changed: cython.int = (span[0] ^ spans[before]) | (span[1] ^ spans[before + 1])
        for axis in range(3):
            low: cython.longlong = faces[8 * slot + axis]
            high: cython.longlong = faces[8 * slot + 3 + axis]
            if axis == 2:
                low, high = low + _Z_BIAS, high + _Z_BIAS
                if boxes.flat:
                    low = high = 0
            span[2 + axis] = cython.cast(cython.int, min((low >> boxes.bin_shift) + _ORIGIN, _LAST) >> level)
            span[5 + axis] = cython.cast(cython.int, min((high >> boxes.bin_shift) + _ORIGIN, _LAST) >> level)
            changed |= (span[2 + axis] ^ spans[before + 2 + axis]) | (span[5 + axis] ^ spans[before + 5 + axis])
        if changed == 0:
            return 0
        if self.change_count + 2 * _SPAN > len(self.changes):
            self.changes = longer(self.changes, 2 * (self.change_count + 2 * _SPAN))
        self.count(spans, before, span, 0, -1)
        self.count(span, 0, spans, before, 1)
        for at in range(8):
            spans[before + at] = span[at]
        return 0

    def count(
        self,
        of: cython.p_int,
        at: cython.Py_ssize_t,
        other: cython.p_int,
        there: cython.Py_ssize_t,
        change: cython.longlong,
    ) -> cython.void:
        """Note a change of how many boxes cover each cell of a span that another span does not cover alike."""
        level: cython.int = of[at] - 1
        alike: cython.bint = of[at] == other[there] and of[at + 1] == other[there + 1]
        if level < 0:
            return
        for z in range(of[at + 4], of[at + 7] + 1):
            for y in range(of[at + 3], of[at + 6] + 1):
                for x in range(of[at + 2], of[at + 5] + 1):
                    if (
                        alike
                        and other[there + 2] <= x <= other[there + 5]
                        and other[there + 3] <= y <= other[there + 6]
                        and other[there + 4] <= z <= other[there + 7]
                    ):
                        continue
                    local: cython.longlong = spread3(x) | (spread3(y) << 1) | (spread3(z) << 2)
                    self.changes[self.change_count] = local << (3 * level)
                    self.changes[self.change_count + 1] = change * (_BOX + of[at + 1] * _AWAKE) + level + 1
                    self.change_count += 2

    def is_crossed(self, place: cython.Py_ssize_t) -> cython.bint:
        """Return whether the list has a cell without boxes, or lacks one with boxes."""
        state: cython.longlong = self.table[place + 1]
        return (state & _BOXES != 0) != (state & _LISTED != 0)

    # The table.

    def find(self, code: cython.longlong, level: cython.longlong) -> cython.Py_ssize_t:
        """Return the place of the code of a cell, before its state; a cell that is not in the table enters it."""
        size: cython.Py_ssize_t = len(self.table)
        at: cython.Py_ssize_t = 2 * hash_of(code ^ level, self.shift)
        while self.table[at + 1] & _LEVEL != 0:
            if self.table[at] == code and self.table[at + 1] & _LEVEL == level + 1:
                return at
            at = (at + 2) & (size - 1)
        if 8 * self.used >= 3 * size:
            self.rehash()
            return self.find(code, level)
        self.used += 1
        self.table[at], self.table[at + 1] = code, level + 1
        return at

    def rehash(self) -> cython.void:
        """Drop the cells without boxes that are not in the list; of the table a third to half is full then."""
        old: cython.longlong[::1] = self.table
        kept: cython.Py_ssize_t = 0
        for at in range(1, len(old), 2):
            kept += old[at] > _LEVEL
        self.shift = 26
        while 1 << (31 - self.shift) <= 2 * kept:
            self.shift -= 1
        self.table, self.used = zeros("q", 2 << (31 - self.shift)), 0
        for at in range(0, len(old), 2):
            if old[at + 1] > _LEVEL:
                self.table[self.find(old[at], (old[at + 1] & _LEVEL) - 1) + 1] = old[at + 1]
