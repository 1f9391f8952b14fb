# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The broad phase of buckets: a hash table without keys, whose buckets are a cache line each and have the boxes inline.

Each box is in one cell only, that of its lowest corner. The cells of a *band* of two size levels (B1) are twice as long
as the bins of its lower level, so no box is longer than its cell. A query looks further to the left, below and behind
by the longest side of a box that the band has had. It reads a bucket for each cell and band, and compares *words*: the
six faces of a box in 64ths of a cell, modulo 512, nine bits each and a spare one, so that one subtraction compares all
six (as in `all_pairs.py`). Only boxes whose words agree are looked up.

A cell is a place in the table: x + row * y + plane * z, modulo its length. Several cells may have one place, and cells
have no names there. So a box counts only in the cell that its lowest corner is in, which is computed from its faces.
Queries need no marks, and the table may be short: at least a quarter as many buckets as there is room for boxes. A
bucket has room for five boxes. More are in a chain of further buckets, of which only the second may have room, so that
entering and leaving are O(1) even if all boxes are at one place.

Source: the table of `all_pairs.py`, kept from frame to frame. Good for: boxes that move, and many small queries. A box
costs O(1) to enter, leave or move, in one bucket. A query costs O(cells covered + boxes in them) for each band; if it
covers more cells of a band than there are slots, it tests each box once instead. All pairs at once are better found
without any structure (`all_pairs.py`).

Not taken: cells for each size level (twice as many bands to search for what is then a little nearer), and keys of cells
in the buckets (they would take the room of two boxes).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.cpython.array import clone
    from cython.cimports.ecs_collision.broadphase.box_pool import prefetch

from ecs_collision._arrays import zeros
from ecs_collision.broadphase.morton import TOP_LEVEL
from ecs_collision.broadphase.protocol import KEPT, Index

ROOM = 5
"""The most boxes of a bucket."""

SCANS = 4
"""The number of searches that test every box before all are put into stale buckets: half of its time."""

_LONGS = array("q")
_ROOM = cython.declare(cython.int, ROOM)
_SCANS = cython.declare(cython.int, SCANS)
_BANDS = cython.declare(cython.int, TOP_LEVEL // 2 + 1)
_HALF = cython.declare(cython.longlong, 0xFFFFFFFF)

# The word: low x, y, z, then the complements of high x, y, z, at multiples of ten bits. A query has the reverse.
_FACE = cython.declare(cython.longlong, 511)
_SPARE = cython.declare(cython.longlong, (1 << 9) + (1 << 19) + (1 << 29) + (1 << 39) + (1 << 49) + (1 << 59))
_SIGNS_OF_X = cython.declare(cython.longlong, 256 | 256 << 30)
_STEP_BITS = cython.declare(cython.int, 6)
_WIDEST = cython.declare(cython.longlong, 255 - 64)
"""Steps: boxes at either end of a longer region may be too far from the other end for a comparison of nine bits."""

_BAND_PLANES = cython.declare(cython.longlong, 64)
"""How many planes apart in the table the cells of two bands are."""

_NEIGHBOURS = cython.declare(cython.int, 4)
"""Cells on each side of a region that may be gathered."""

_KEPT = cython.declare(cython.Py_ssize_t, KEPT)
_KEPT_BAND = cython.declare(cython.Py_ssize_t, 10)
_CELLS = cython.declare(cython.longlong, 1)
_NO_MORE = cython.declare(cython.longlong, 2)
"""Numbers kept of a prepared query, ten for each band. The ninth tells whether there are cells, or no more bands; 0 if
a region is kept."""

_ROW_PART = cython.declare(cython.double, 0.7548776662466927)
_PLANE_PART = cython.declare(cython.double, 0.5698402909980532)


@cython.cfunc
@cython.exceptval(check=False)
def packed(
    x: cython.longlong,
    y: cython.longlong,
    z: cython.longlong,
    not_x: cython.longlong,
    not_y: cython.longlong,
    not_z: cython.longlong,
    step: cython.int,
) -> cython.longlong:
    """Return the word of three faces and the complements of three faces, in steps of `1 << step` units."""
    return (
        (x >> step & _FACE)
        | (y >> step & _FACE) << 10
        | (z >> step & _FACE) << 20
        | (~(not_x >> step) & _FACE) << 30
        | (~(not_y >> step) & _FACE) << 40
        | (~(not_z >> step) & _FACE) << 50
    )


@cython.cfunc
@cython.exceptval(check=False)
def signs_of(low: cython.longlong, high: cython.longlong, step: cython.int) -> cython.longlong:
    """Return the bits of x that decide a comparison with a region; none if it is so long that words do not compare."""
    return _SIGNS_OF_X if (high >> step) - (low >> step) <= _WIDEST else 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def matches_of(
    items: cython.p_longlong,
    bucket: cython.Py_ssize_t,
    own: cython.longlong,
    signs: cython.longlong,
    head: cython.int,
) -> cython.int:
    """Return bits for the boxes of a bucket whose words agree; without branches, which cannot be foreseen."""
    return (
        ((own - items[bucket]) & signs == 0)
        | ((own - items[bucket + 1]) & signs == 0) << 1
        | ((own - items[bucket + 2]) & signs == 0) << 2
        | ((own - items[bucket + 3]) & signs == 0) << 3
        | ((own - items[bucket + 4]) & signs == 0) << 4
    ) & ((1 << (head & 7)) - 1)


@cython.final
@cython.cclass
class BucketIndex(Index):
    """Boxes in buckets of 64 bytes (see `broadphase/protocol.py`).

    A bucket is eight numbers: five words, and three of two halves each: five slots, the lower half first, and the
    *head*, 8 * the next bucket of the chain (0 for none) + the number of boxes in this one. A free bucket of chains has
    8 * the next free one. The place of a box is 8 * its bucket + that of its word. `used_count` is the number of
    buckets with boxes, which are the nodes of this structure.
    """

    def __init__(self, bin_shift: cython.int) -> None:
        Index.__init__(self, bin_shift)
        self.may_copy = True
        self.marking = self.is_distinct = False
        self.scans = self.capacity = 0
        self.marks = array("b")
        self.longest = zeros("q", _BANDS)
        self.reserve()

    @property
    def cell_count(self) -> int:
        """The number of buckets with boxes, as of the last query."""
        return self.used_count if self.boxes.box_count else 0

    # Changing.

    def defer(self) -> cython.void:
        """Leave the buckets as they are until the next query, which puts all boxes into them: O(boxes) there."""
        self.is_stale = True
        self.scans = 0

    def rebuild(self) -> cython.void:
        """Put all boxes into empty buckets."""
        self.reset()
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] >= 0:
                self.put(slot, self.bucket_of(slot))

    def reset(self) -> cython.void:
        """Forget all boxes; O(buckets). Buckets of chains are not written before they are used."""
        self.is_stale = False
        self.bucket_count = self.mask + 1
        for bucket in range(self.bucket_count):
            self.items[8 * bucket + 7] = 0
        self.used_count = self.first_free = 0
        for band in range(_BANDS):
            self.longest[band] = 0

    def reserve(self) -> cython.void:
        """Make a table for as many boxes as there is room for, and put all boxes into it.

        Chains take a fifth of a bucket for each box at most, since all but the second bucket are full; what they do not
        use of it is not written, so it takes no memory. The numbers begin at a multiple of 64 bytes in memory, so that
        a bucket is one cache line.
        """
        capacity: cython.Py_ssize_t = self.boxes.capacity
        if capacity <= self.capacity:
            return
        size: cython.Py_ssize_t = 16
        while 4 * size < capacity:
            size *= 2
        length: cython.Py_ssize_t = 8 * (size + capacity // _ROOM + 1)
        memory = (
            clone(_LONGS, length + 7, False)  # type: ignore[name-defined]
            if cython.compiled
            else zeros("q", length + 7)
        )
        first: cython.Py_ssize_t = -(memory.buffer_info()[0] >> 3) & 7
        view: cython.longlong[::1] = memory
        self.items, self.capacity = view[first : first + length], capacity
        self.mask = size - 1
        self.row = cython.cast(cython.longlong, size * _ROW_PART) | 1
        self.plane = cython.cast(cython.longlong, size * _PLANE_PART) | 1
        self.is_distinct = self.has_distinct_neighbours()
        self.rebuild()

    def has_distinct_neighbours(self) -> cython.bint:
        """Return whether all cells of a region that may be gathered are at different places of the table."""
        for z in range(_NEIGHBOURS):
            for y in range(1 - _NEIGHBOURS, _NEIGHBOURS):
                for x in range(1 - _NEIGHBOURS, _NEIGHBOURS):
                    if (x or y or z) and (x + y * self.row + z * self.plane) & self.mask == 0:
                        return False
        return True

    def enter(self, slot: cython.int) -> cython.void:
        """Add a box to the bucket of its cell; O(1)."""
        if not self.is_stale:
            self.put(slot, self.bucket_of(slot))
            self.cell_changes += 1

    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box from the bucket of its cell; O(1)."""
        if not self.is_stale:
            self.take(slot, self.bucket_of(slot))
            self.cell_changes += 1

    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box; in the same bucket only its word changes."""
        if self.is_stale:
            self.boxes.shift(slot, dx, dy, dz)
            return
        first: cython.Py_ssize_t = self.bucket_of(slot)
        self.boxes.shift(slot, dx, dy, dz)
        now: cython.Py_ssize_t = self.bucket_of(slot)
        if now == first:
            self.items[self.boxes.places_view[slot]] = self.word_of(slot)
            return
        self.take(slot, first)
        self.put(slot, now)
        self.cell_changes += 2

    def bucket_of(self, slot: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the bucket of the cell that the lowest corner of a box is in."""
        at: cython.Py_ssize_t = 8 * slot
        level: cython.int = self.boxes.levels_view[slot]
        shift: cython.int = self.boxes.bin_shift + (level | 1)
        x: cython.longlong = self.boxes.faces_view[at] >> shift
        y: cython.longlong = self.boxes.faces_view[at + 1] >> shift
        z: cython.longlong = 0 if self.boxes.flat else self.boxes.faces_view[at + 2] >> shift
        return (x + y * self.row + (z + (level >> 1) * _BAND_PLANES) * self.plane) & self.mask

    def word_of(self, slot: cython.Py_ssize_t) -> cython.longlong:
        """Return the word of a box."""
        at: cython.Py_ssize_t = 8 * slot
        level: cython.int = self.boxes.levels_view[slot]
        return packed(
            self.boxes.faces_view[at],
            self.boxes.faces_view[at + 1],
            self.boxes.faces_view[at + 2],
            self.boxes.faces_view[at + 3],
            self.boxes.faces_view[at + 4],
            self.boxes.faces_view[at + 5],
            self.boxes.bin_shift + (level | 1) - _STEP_BITS,
        )

    def head_of(self, bucket: cython.Py_ssize_t) -> cython.int:
        """Return 8 * the next bucket of the chain + the number of boxes in this one."""
        return cython.cast(cython.int, self.items[8 * bucket + 7] >> 32)

    def set_head(self, bucket: cython.Py_ssize_t, head: cython.longlong) -> cython.void:
        """Set the head of a bucket."""
        at: cython.Py_ssize_t = 8 * bucket + 7
        self.items[at] = (self.items[at] & _HALF) | head << 32

    def slot_at(self, place: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the slot of the box at a place."""
        return self.items[(place & ~7) + _ROOM + ((place & 7) >> 1)] >> 32 * (place & 1) & _HALF

    def write(self, place: cython.Py_ssize_t, word: cython.longlong, slot: cython.longlong) -> cython.void:
        """Write the word and the slot of a box to its place."""
        at: cython.Py_ssize_t = (place & ~7) + _ROOM + ((place & 7) >> 1)
        self.items[place] = word
        if place & 1:
            self.items[at] = (self.items[at] & _HALF) | slot << 32
        else:
            self.items[at] = (self.items[at] >> 32 << 32) | slot
        self.boxes.places_view[slot] = cython.cast(cython.int, place)

    def put(self, slot: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.void:
        """Add a box to a bucket, or to the second of its chain."""
        at: cython.Py_ssize_t = 8 * slot
        band: cython.int = self.boxes.levels_view[slot] >> 1
        for axis in range(2 if self.boxes.flat else 3):
            side: cython.longlong = self.boxes.faces_view[at + 3 + axis] - self.boxes.faces_view[at + axis]
            self.longest[band] = max(self.longest[band], side)
        bucket: cython.Py_ssize_t = first
        head: cython.int = self.head_of(first)
        if head & 7 == _ROOM:
            bucket = head >> 3
            if bucket == 0 or self.head_of(bucket) & 7 == _ROOM:
                second: cython.Py_ssize_t = bucket
                bucket = self.first_free
                if bucket != 0:
                    self.first_free = self.head_of(bucket) >> 3
                else:
                    bucket = self.bucket_count
                    self.bucket_count += 1
                self.set_head(bucket, 8 * second)
                self.set_head(first, 8 * bucket + _ROOM)
            head = self.head_of(bucket)
        if head & 7 == 0:
            self.used_count += 1
        self.set_head(bucket, head + 1)
        self.write(8 * bucket + (head & 7), self.word_of(slot), slot)

    def take(self, slot: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.void:
        """Remove a box from the chain of a bucket; the last box of the second one, or of the only one, replaces it."""
        second: cython.Py_ssize_t = self.head_of(first) >> 3
        bucket: cython.Py_ssize_t = second if second != 0 else first
        head: cython.int = self.head_of(bucket) - 1
        last: cython.Py_ssize_t = 8 * bucket + (head & 7)
        moved: cython.Py_ssize_t = self.slot_at(last)
        self.set_head(bucket, head)
        self.write(self.boxes.places_view[slot], self.items[last], moved)
        if head & 7 == 0:
            self.used_count -= 1
            if second != 0:
                self.set_head(first, (head & ~7) + _ROOM)
                self.set_head(second, 8 * self.first_free)
                self.first_free = second

    # A full pass.

    def begin_pass(self) -> cython.void:
        """Begin a full pass. Buckets with an awake box count as visited; queries add those whose boxes they compare."""
        self.marking = self.boxes.asleep_bits != 0
        if self.marking:
            self.marks = zeros("b", len(self.items) >> 3)
            if self.is_stale:
                self.rebuild()
            for slot in range(self.boxes.slot_count):
                if self.boxes.owner_view[slot] >= 0 and self.boxes.awake_view[slot]:
                    self.marks[self.boxes.places_view[slot] >> 3] = True

    def end_pass(self) -> cython.void:
        """End a full pass. `cells_skipped` becomes the number of buckets with boxes that were not visited."""
        self.cells_skipped = 0
        if self.marking:
            self.cells_skipped = self.used_count
            for bucket in range(self.bucket_count):
                self.cells_skipped -= self.marks[bucket]
        self.marking = False

    # Boxes that meet a region.

    def search(self) -> cython.void:
        """Search the cells of the region, band by band.

        Bands of which it covers more cells than there are slots are not searched: every box is tested. So it is in the
        first few searches while the buckets are stale, which takes less time than to put all boxes into them.
        """
        rest: cython.int = 0
        band: cython.int = 0
        if self.is_stale:
            self.scans += 1
            if self.scans > _SCANS:
                self.rebuild()
            else:
                rest, band = self.levels, _BANDS
        while self.levels >> 2 * band != 0:
            if self.levels >> 2 * band & 3 != 0 and not self.search_band(band):
                rest |= self.levels & 3 << 2 * band
            band += 1
        if rest != 0:
            self.cells_visited += self.used_count
            for bucket in range(self.bucket_count if self.marking else 0):
                self.marks[bucket] = self.head_of(bucket) & 7 != 0
            self.levels = rest
            self.scan()

    def scan(self) -> cython.void:
        """Test every box. One branch for a box: most are apart on some axis, but on which one cannot be foreseen."""
        faces: cython.p_longlong = (
            cython.address(self.boxes.faces_view[0]) if cython.compiled else self.boxes.faces_view
        )
        lox: cython.longlong = self.lox
        loy: cython.longlong = self.loy
        hix: cython.longlong = self.hix
        hiy: cython.longlong = self.hiy
        for slot in range(self.boxes.slot_count):
            at: cython.Py_ssize_t = 8 * slot
            within: cython.longlong = (
                (hix - faces[at]) | (faces[at + 3] - lox) | (hiy - faces[at + 1]) | (faces[at + 4] - loy)
            )
            if within >= 0 and self.boxes.owner_view[slot] >= 0:
                self.offer(slot)

    def touch_home(self, slot: cython.Py_ssize_t) -> cython.void:
        """Ask for the bucket of a box."""
        if cython.compiled:
            prefetch(cython.address(self.items[8 * self.bucket_of(slot)]))

    def cover(self, band: cython.int, levels: cython.int) -> cython.longlong:
        """Compute in which cells of a band boxes of some levels meet the region, and with what their words agree.

        Return the number of these cells.
        """
        shift: cython.int = self.boxes.bin_shift + 2 * band + 1
        step: cython.int = shift - _STEP_BITS
        limit: cython.longlong = self.boxes.limit
        reach: cython.longlong = min(
            self.longest[band], cython.cast(cython.longlong, 1) << (shift - 1 + (levels >> (2 * band + 1)))
        )
        self.x0, self.x1 = max(self.lox - reach, -limit) >> shift, min(self.hix, limit - 1) >> shift
        self.y0, self.y1 = max(self.loy - reach, -limit) >> shift, min(self.hiy, limit - 1) >> shift
        self.own = packed(self.hix, self.hiy, self.hiz, self.lox, self.loy, self.loz, step) | _SPARE
        self.signs = signs_of(self.lox, self.hix, step) | signs_of(self.loy, self.hiy, step) << 10
        self.z0 = self.z1 = 0
        if not self.boxes.flat:
            self.z0, self.z1 = max(self.loz - reach, -limit) >> shift, min(self.hiz, limit - 1) >> shift
            self.signs |= signs_of(self.loz, self.hiz, step) << 20
        if self.x0 > self.x1 or self.y0 > self.y1 or self.z0 > self.z1:
            return 0
        return (self.x1 - self.x0 + 1) * (self.y1 - self.y0 + 1) * (self.z1 - self.z0 + 1)

    def search_band(self, band: cython.int) -> cython.bint:
        """Search the cells of a band; return False, and search nothing, if there are more than slots."""
        shift: cython.int = self.boxes.bin_shift + 2 * band + 1
        levels: cython.int = self.levels & 3 << 2 * band
        has_all: cython.bint = levels == self.boxes.level_bits  # otherwise a bucket may have boxes of other levels
        lox: cython.longlong = self.lox
        loy: cython.longlong = self.loy
        loz: cython.longlong = self.loz
        hix: cython.longlong = self.hix
        hiy: cython.longlong = self.hiy
        hiz: cython.longlong = self.hiz
        flat: cython.bint = self.boxes.flat
        if self.cover(band, levels) > self.boxes.slot_count:
            return False
        own: cython.longlong = self.own
        signs: cython.longlong = self.signs
        items: cython.p_longlong = cython.address(self.items[0]) if cython.compiled else self.items
        faces: cython.p_longlong = (
            cython.address(self.boxes.faces_view[0]) if cython.compiled else self.boxes.faces_view
        )
        mask: cython.longlong = self.mask
        count: cython.Py_ssize_t = self.hit_count
        visited: cython.longlong = 0
        for z in range(self.z0, self.z1 + 1):
            for y in range(self.y0, self.y1 + 1):
                row: cython.longlong = y * self.row + (z + band * _BAND_PLANES) * self.plane
                for x in range(self.x0, self.x1 + 1):
                    bucket: cython.Py_ssize_t = 8 * ((x + row) & mask)
                    visited += items[bucket + 7] >> 32 != 0
                    while True:
                        head: cython.int = cython.cast(cython.int, items[bucket + 7] >> 32)
                        found: cython.int = matches_of(items, bucket, own, signs, head)
                        at: cython.Py_ssize_t = -1
                        while found != 0:
                            at += 1
                            found, matches = found >> 1, found & 1
                            if not matches:
                                continue
                            if self.marking:
                                self.marks[bucket >> 3] = True
                            near: cython.Py_ssize_t = items[bucket + _ROOM + (at >> 1)] >> 32 * (at & 1) & _HALF
                            face: cython.Py_ssize_t = 8 * near
                            if (
                                faces[face] <= hix
                                and lox <= faces[face + 3]
                                and faces[face + 1] <= hiy
                                and loy <= faces[face + 4]
                                and faces[face + 2] <= hiz
                                and loz <= faces[face + 5]
                                and faces[face] >> shift == x
                                and faces[face + 1] >> shift == y
                                and (flat or faces[face + 2] >> shift == z)
                                and (has_all or levels >> self.boxes.levels_view[near] & 1)
                                and not (self.asleep_only and self.boxes.awake_view[near])
                            ):
                                self.hits_view[count] = cython.cast(cython.int, near)
                                count += 1
                        if head >> 3 == 0:
                            break
                        bucket = 8 * (head >> 3)
        self.cells_visited += visited
        self.hit_count = count
        return True

    def prepare(self, number: cython.Py_ssize_t) -> cython.void:
        """Keep which cells of each band the query covers, and the words that others agree with; ask for the buckets.

        Where comparing words is not enough, the region is kept, and searched later.
        """
        levels: cython.int = self.boxes.level_bits
        at: cython.Py_ssize_t = _KEPT * number
        end: cython.Py_ssize_t = at + _KEPT
        band: cython.int = 0
        while levels >> 2 * band != 0:
            if levels >> 2 * band & 3 != 0 and self.cover(band, levels & 3 << 2 * band) != 0:
                if (
                    at == end
                    or self.is_stale
                    or not self.is_distinct
                    or max(self.x1 - self.x0, self.y1 - self.y0, self.z1 - self.z0) >= _NEIGHBOURS
                ):
                    Index.prepare(self, number)
                    return
                self.keep_cells(at, band)
                at += _KEPT_BAND
            band += 1
        if at < end:
            self.kept[at + 8] = _NO_MORE

    def keep_cells(self, at: cython.Py_ssize_t, band: cython.int) -> cython.void:
        """Keep the cells that the query covers of a band, and ask for their buckets."""
        first: cython.longlong = band * _BAND_PLANES
        items: cython.p_longlong = cython.address(self.items[0]) if cython.compiled else self.items
        mask: cython.longlong = self.mask
        self.kept[at], self.kept[at + 1], self.kept[at + 2] = self.x0, self.y0, self.z0 + first
        self.kept[at + 3], self.kept[at + 4], self.kept[at + 5] = self.x1, self.y1, self.z1 + first
        self.kept[at + 6], self.kept[at + 7], self.kept[at + 8] = self.own, self.signs, _CELLS
        for z in range(self.z0 + first, self.z1 + first + 1):
            for y in range(self.y0, self.y1 + 1):
                row: cython.longlong = y * self.row + z * self.plane
                for x in range(self.x0, self.x1 + 1):
                    bucket: cython.Py_ssize_t = 8 * ((x + row) & mask)
                    if cython.compiled:
                        prefetch(cython.address(items[bucket]))

    def gather(self, number: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write boxes that may meet the region of a prepared query to `gathered`, and ask for their memory.

        Their words agree, and nothing else of them is read.
        """
        part: cython.Py_ssize_t = _KEPT * number
        end: cython.Py_ssize_t = part + _KEPT
        if self.kept[part + 8] == 0:
            return Index.gather(self, number, first)
        self.reserve_gathered(first + self.boxes.slot_count)
        kept: cython.p_longlong = cython.address(self.kept[0]) if cython.compiled else self.kept
        items: cython.p_longlong = cython.address(self.items[0]) if cython.compiled else self.items
        gathered: cython.p_int = cython.address(self.gathered[0]) if cython.compiled else self.gathered
        faces: cython.p_longlong = (
            cython.address(self.boxes.faces_view[0]) if cython.compiled else self.boxes.faces_view
        )
        mask: cython.longlong = self.mask
        count: cython.Py_ssize_t = first
        visited: cython.longlong = 0
        while part < end and kept[part + 8] == _CELLS:
            own: cython.longlong = kept[part + 6]
            signs: cython.longlong = kept[part + 7]
            for z in range(kept[part + 2], kept[part + 5] + 1):
                for y in range(kept[part + 1], kept[part + 4] + 1):
                    row: cython.longlong = y * self.row + z * self.plane
                    for x in range(kept[part], kept[part + 3] + 1):
                        bucket: cython.Py_ssize_t = 8 * ((x + row) & mask)
                        head: cython.int = cython.cast(cython.int, items[bucket + 7] >> 32)
                        visited += head != 0
                        while True:
                            found: cython.int = matches_of(items, bucket, own, signs, head)
                            at: cython.Py_ssize_t = 0
                            while found != 0:
                                if found & 1:
                                    near: cython.Py_ssize_t = items[bucket + _ROOM + (at >> 1)] >> 32 * (at & 1) & _HALF
                                    gathered[count] = cython.cast(cython.int, near)
                                    count += 1
                                    if cython.compiled:
                                        prefetch(cython.address(faces[8 * near]))
                                found >>= 1
                                at += 1
                            if head >> 3 == 0:
                                break
                            bucket = 8 * (head >> 3)
                            head = cython.cast(cython.int, items[bucket + 7] >> 32)
            part += _KEPT_BAND
        self.cells_visited += visited
        return count
