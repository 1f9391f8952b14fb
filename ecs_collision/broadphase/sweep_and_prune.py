# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The broad phase of sweep and prune on one axis: boxes sorted by their low ends, and kept sorted between frames.

A record has the two ends of a box on the axis of the sweep, its two ends on another axis, and its slot. One sweep finds
all pairs: each record is compared with those after it, up to the first that begins after the record ends. The active
boxes of the sweep are therefore a run of the array.

The order is corrected by the next query that needs it: the records of moved boxes, and those of new ones from the end,
pass their neighbours to their new places. If many boxes have changed, or records pass more than PASSES others on
average, all boxes are sorted again, by passes over the bits in which their low ends differ. A removed box leaves a gap;
gaps are closed by sorting when they are a fifth of the records. The order of hits and pairs therefore depends on
nothing but the boxes.

A query needs the boxes that begin before its region ends, which is a bisection, and end after it begins. For the
second, each block of 16 records, each block of 16 blocks and so on has its greatest high end, and blocks that end too
early are skipped. One long box therefore does not make queries compare all boxes that begin between its ends.

Source: D. Baraff, Dynamic Simulation of Non-Penetrating Rigid Bodies (1992), and J. Cohen, M. Lin, D. Manocha,
M. Ponamgi, I-COLLIDE (1995), for ends kept sorted by insertion; C. Ericson, Real-Time Collision Detection (2005), 7.5.1
and 7.5.2, for the form with one array. Good for: all pairs of boxes that are spread along one axis, in worlds where
everything moves a little. Boxes that meet on the axis and nowhere else cost time: in a square with n boxes of one unit,
one to each square unit, each box has about 2 * sqrt(n) of them. All pairs cost O(n + pairs that meet on the axis), a
query O(log n + boxes that meet it on the axis), a move O(1) and O(records passed) in the next query, new boxes
O(records after it) there, and no more than O(boxes) all together.

Wrong in the sources or left open, and right here:
- The array form sorts all boxes for each sweep, and leaves the order of equal ends to the sorting function. Here the
  order is kept, and it is total: by low end, then by slot.
- With both ends in one list, a high end that is sorted before an equal low end hides boxes that touch. Here a run of
  active boxes ends at the first low end *after* a high end.
- The next axis is chosen by variances: differences of large sums of floating-point numbers, which cancel far from the
  origin; and a change of axis destroys the order. Here the axis is an option. While all boxes have the same range in z,
  x replaces z.
- Both ends of a box must follow every exchange of neighbours, and both must go when it is removed. Here they are one
  record, `places` follows every record that is copied, and a gap has ends that no box and no region can meet.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.sorting import sort_pairs
else:
    from ecs_collision.broadphase.sorting import sort_pairs

from ecs_collision._arrays import grown, zeros
from ecs_collision.broadphase.protocol import Index

PASSES = 8
"""The most records that are passed, as a multiple of all records, before all boxes are sorted again."""

MANY = 4
"""If more than one of this many boxes have moved or are new, all are sorted again."""

_PASSES = cython.declare(cython.Py_ssize_t, PASSES)
_MANY = cython.declare(cython.Py_ssize_t, MANY)

NOWHERE = -(1 << 62)
"""The high ends of a gap: below every face."""

ABSENT, SORTED, MOVED, NEW = range(4)
"""Without a box; with a record, which is up to date; with a record and in `moved`; without a record and in `new`."""

_NOWHERE = cython.declare(cython.longlong, NOWHERE)
_ABSENT = cython.declare(cython.int, ABSENT)
_SORTED = cython.declare(cython.int, SORTED)
_MOVED = cython.declare(cython.int, MOVED)
_NEW = cython.declare(cython.int, NEW)


def first_blocks(capacity: int) -> list[int]:
    """Return where the blocks of each level begin, with room for as many records, and where the last level ends."""
    starts, end = [0], 0
    for level in range(4, 36, 4):
        end += (capacity >> level) + 1
        starts.append(end)
    return starts


@cython.final
@cython.cclass
class SweepAndPruneIndex(Index):
    """Boxes sorted by their low ends on one axis (see `broadphase/protocol.py`).

    A record is five numbers: low and high end on `sweep_axis`, low and high end on `cross_axis`, slot. `records` are
    sorted by low end and slot, at all times; those of moved boxes are out of date. A gap is a record whose high ends
    are below all others. The place of a box is that of its record, or in `new`. `records_tested` counts the records
    that queries compared with their regions.

    While `is_stale` is set, all of this means nothing, and the next query sorts all boxes again. Queries set it while
    they change the order, so an interrupted one does no harm.
    """

    def __init__(self, bin_shift: cython.int, axis: cython.int) -> None:
        Index.__init__(self, bin_shift)
        self.axis = axis
        self.record_count = self.gap_count = self.new_count = self.moved_count = 0
        self.block_levels = self.records_tested = 0
        self.is_stale = False
        self.records, self.greatest, self.starts = array("q"), array("q"), array("q")
        self.states, self.new, self.moved = array("b"), array("i"), array("i")
        self.choose_axes()
        self.reserve()

    def choose_axes(self) -> cython.void:
        """Sweep the axis of the options, but x instead of z if all boxes have the same range in z."""
        self.sweep_axis = 0 if self.boxes.flat and self.axis == 2 else self.axis
        self.cross_axis = 1 if self.sweep_axis == 0 else 0

    # Changing.

    def reset(self) -> cython.void:
        """Forget all boxes; O(1)."""
        self.choose_axes()
        self.record_count = self.gap_count = self.new_count = self.moved_count = self.block_levels = 0
        self.is_stale = False

    def reserve(self) -> cython.void:
        """Make room for every slot, so that queries need no memory."""
        capacity: cython.Py_ssize_t = self.boxes.capacity
        if capacity <= len(self.new):
            return
        *starts, blocks = first_blocks(capacity)
        blocks_and_records = array("q", starts), *grown(blocks, self.greatest), *grown(5 * capacity, self.records)
        about = grown(capacity, self.states, self.new, self.moved)
        self.starts, self.greatest, self.records = blocks_and_records
        self.states, self.new, self.moved = about
        if self.record_count > 0 and not self.is_stale:
            self.measure_blocks(0, self.record_count - 1)

    def enter(self, slot: cython.int) -> cython.void:
        """Add a box to the new ones; O(1)."""
        if not self.is_stale:
            self.add_new(slot)

    def add_new(self, slot: cython.Py_ssize_t) -> cython.void:
        """Add a box to the new ones."""
        self.states[slot] = _NEW
        self.boxes.places_view[slot] = cython.cast(cython.int, self.new_count)
        self.new[self.new_count] = cython.cast(cython.int, slot)
        self.new_count += 1

    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box from the new ones, or replace its record by a gap; O(log boxes)."""
        if self.is_stale:
            return
        if self.states[slot] == _NEW:
            self.new_count -= 1
            last: cython.int = self.new[self.new_count]
            self.new[self.boxes.places_view[slot]] = last
            self.boxes.places_view[last] = self.boxes.places_view[slot]
        else:
            self.make_gap(self.boxes.places_view[slot])
        self.states[slot] = _ABSENT

    def make_gap(self, at: cython.Py_ssize_t) -> cython.void:
        """Replace a record by a gap. It keeps its low end and slot, so that the order holds."""
        self.records[5 * at + 1] = self.records[5 * at + 3] = _NOWHERE
        self.gap_count += 1
        self.measure_blocks(at, at)

    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box; O(1). The next query corrects its record."""
        self.boxes.shift(slot, dx, dy, dz)
        if not self.is_stale and self.states[slot] == _SORTED:
            self.states[slot] = _MOVED
            self.moved[self.moved_count] = slot
            self.moved_count += 1

    # Bringing the records up to date.

    def update(self) -> cython.int:
        """Move the records of moved and new boxes to their places, or sort all boxes again if that is cheaper."""
        changed: cython.Py_ssize_t = self.moved_count + self.new_count
        if changed == 0 and not self.is_stale:
            return 0
        if (
            self.is_stale
            or _MANY * changed > self.record_count
            or 5 * self.gap_count > self.record_count
            or self.record_count + self.new_count > len(self.new)
        ):
            self.rebuild()
            return 0
        self.is_stale = True  # until everything is done
        self.passes_left = _PASSES * self.record_count
        for at in range(self.moved_count):
            if self.states[self.moved[at]] == _MOVED:
                self.settle(self.boxes.places_view[self.moved[at]], self.moved[at])
        for at in range(self.new_count):
            self.record_count += 1
            self.settle(self.record_count - 1, self.new[at])
        if self.passes_left < 0:
            self.rebuild()
        self.moved_count = self.new_count = 0
        self.is_stale = False
        return 0

    def rebuild(self) -> cython.int:
        """Sort all boxes again; O(boxes)."""
        self.is_stale = True
        self.choose_axes()
        count: cython.Py_ssize_t = self.boxes.box_count
        keys: cython.longlong[::1] = zeros("q", count)
        slots: cython.longlong[::1] = zeros("q", count)
        at: cython.Py_ssize_t = 0
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] >= 0:
                keys[at] = self.boxes.faces_view[8 * slot + self.sweep_axis] + self.boxes.limit
                slots[at] = slot
                at += 1
        sort_pairs(keys, slots, zeros("q", count), zeros("q", count), count, 0)
        for at in range(count):
            self.write(at, slots[at])
        self.record_count = count
        self.gap_count = self.new_count = self.moved_count = 0
        self.measure_blocks(0, count - 1)
        self.is_stale = False
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def write(self, at: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.void:
        """Write the record of a box."""
        face: cython.Py_ssize_t = 8 * slot
        self.records[5 * at] = self.boxes.faces_view[face + self.sweep_axis]
        self.records[5 * at + 1] = self.boxes.faces_view[face + 3 + self.sweep_axis]
        self.records[5 * at + 2] = self.boxes.faces_view[face + self.cross_axis]
        self.records[5 * at + 3] = self.boxes.faces_view[face + 3 + self.cross_axis]
        self.records[5 * at + 4] = slot
        self.boxes.places_view[slot] = cython.cast(cython.int, at)
        self.states[slot] = _SORTED

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def copy(self, source: cython.Py_ssize_t, target: cython.Py_ssize_t) -> cython.void:
        """Copy a record to another place."""
        self.records[5 * target] = self.records[5 * source]
        self.records[5 * target + 1] = self.records[5 * source + 1]
        self.records[5 * target + 2] = self.records[5 * source + 2]
        self.records[5 * target + 3] = self.records[5 * source + 3]
        self.records[5 * target + 4] = self.records[5 * source + 4]
        if self.records[5 * target + 1] != _NOWHERE:  # the slot of a gap may have another box
            self.boxes.places_view[self.records[5 * target + 4]] = cython.cast(cython.int, target)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_before(self, low: cython.longlong, slot: cython.longlong, at: cython.Py_ssize_t) -> cython.bint:
        """Return whether a box belongs before a record. Equal low ends are in the order of slots."""
        other: cython.longlong = self.records[5 * at]
        return low < other or (low == other and slot < self.records[5 * at + 4])

    def settle(self, at: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.void:
        """Move the record of a box to its place, past the others between, unless too many have been passed."""
        target: cython.Py_ssize_t = at
        low: cython.longlong = self.boxes.faces_view[8 * slot + self.sweep_axis]
        if self.passes_left < 0:
            return
        while target > 0 and self.is_before(low, slot, target - 1):
            self.copy(target - 1, target)
            target -= 1
        if target == at:
            while target + 1 < self.record_count and not self.is_before(low, slot, target + 1):
                self.copy(target + 1, target)
                target += 1
        self.passes_left -= abs(target - at)
        self.write(target, slot)
        self.measure_blocks(min(at, target), max(at, target))

    def measure_blocks(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.void:
        """Compute the greatest high end of the blocks, of all levels, that contain records `first` to `last`."""
        end: cython.Py_ssize_t = self.record_count
        level: cython.int = 0
        while end > 0:
            first >>= 4
            last >>= 4
            start: cython.Py_ssize_t = self.starts[level]
            for block in range(first, last + 1):
                greatest: cython.longlong = _NOWHERE
                for at in range(16 * block, min(16 * block + 16, end)):
                    if level == 0:
                        greatest = max(greatest, self.records[5 * at + 1])
                    else:
                        greatest = max(greatest, self.greatest[self.starts[level - 1] + at])
                self.greatest[start + block] = greatest
            level += 1
            if end <= 16:
                break
            end = ((end - 1) >> 4) + 1
        self.block_levels = level

    # Boxes that meet a region.

    def count_to(self, face: cython.longlong) -> cython.Py_ssize_t:
        """Return how many records begin at a face or before it."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.record_count
        while low < high:
            middle: cython.Py_ssize_t = (low + high) >> 1
            if self.records[5 * middle] <= face:
                low = middle + 1
            else:
                high = middle
        return low

    def search(self) -> cython.void:
        """Offer the boxes that meet the region on two axes. Blocks that end before it are skipped."""
        at: cython.Py_ssize_t = 0
        self.update()
        lo: cython.longlong = self.lox if self.sweep_axis == 0 else self.loy if self.sweep_axis == 1 else self.loz
        hi: cython.longlong = self.hix if self.sweep_axis == 0 else self.hiy if self.sweep_axis == 1 else self.hiz
        cross_lo: cython.longlong = self.loy if self.sweep_axis == 0 else self.lox
        cross_hi: cython.longlong = self.hiy if self.sweep_axis == 0 else self.hix
        records: cython.p_longlong = cython.address(self.records[0]) if cython.compiled else self.records
        end: cython.Py_ssize_t = self.count_to(hi)
        while at < end:
            level: cython.int = 0
            while (
                level < self.block_levels
                and at & ((16 << (4 * level)) - 1) == 0
                and self.greatest[self.starts[level] + (at >> (4 * level + 4))] < lo
            ):
                level += 1
            if level > 0:
                at += cython.cast(cython.Py_ssize_t, 1) << (4 * level)
                continue
            self.records_tested += min(16, end - at)
            for near in range(5 * at, 5 * min(at + 16, end), 5):
                if records[near + 1] >= lo and records[near + 2] <= cross_hi and records[near + 3] >= cross_lo:
                    self.offer(records[near + 4])
            at += 16

    # Pairs of boxes that meet.

    def pair_with(self, other: Index) -> cython.void:
        """Offer all pairs of this index by one sweep, those with another by queries."""
        if other is self:
            self.update()
            self.pair_own()
        else:
            Index.pair_with(self, other)

    def pair_own(self) -> cython.void:
        """Sweep the records: each is compared with those that begin before it ends."""
        end: cython.Py_ssize_t = 5 * self.record_count
        records: cython.p_longlong = cython.address(self.records[0]) if cython.compiled else self.records
        for at in range(0, end, 5):
            high, cross_low, cross_high = records[at + 1], records[at + 2], records[at + 3]
            near: cython.Py_ssize_t = at + 5
            while near < end and records[near] <= high:
                if records[near + 2] <= cross_high and cross_low <= records[near + 3]:
                    self.offer_pair(records[at + 4], self, records[near + 4])
                near += 5
