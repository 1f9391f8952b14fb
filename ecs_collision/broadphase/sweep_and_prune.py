# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The broad phase of sweep and prune on one axis: boxes sorted by their low ends, and kept sorted between frames.

A record has the two ends of a box on the axis of the sweep, its two ends on another axis, and its slot. One sweep finds
all pairs: each record is compared with those after it, up to the first that begins after the record ends. The active
boxes of the sweep are therefore a run of the array. Two indexes are swept together, as two sorted arrays are merged.

The order is corrected by the next query that needs it. If few boxes have moved, each of their records passes its
neighbours to its new place. If many have, one pass of insertion corrects all, so boxes that move alike do not pass each
other; if it takes more than PASSES places for each record, all boxes are sorted again. New boxes, and those that moved
far, are sorted and merged. A removed box leaves a gap; gaps are closed when they are a fifth of the records. The order
of hits and pairs therefore depends on nothing but the boxes.

A query needs the boxes that begin before its region ends, which is a bisection, and end after it begins. For the
second, each block of 16 records, each block of 16 blocks and so on has its greatest high end, and blocks that end too
early are skipped. One long box therefore does not make queries compare all boxes that begin between its ends.

Source: D. Baraff, Dynamic Simulation of Non-Penetrating Rigid Bodies (1992), and J. Cohen, M. Lin, D. Manocha,
M. Ponamgi, I-COLLIDE (1995), for ends kept sorted by insertion; C. Ericson, Real-Time Collision Detection (2005), 7.5.1
and 7.5.2, for the form with one array. Good for: all pairs of boxes that are spread along one axis, in worlds where
everything moves a little. Boxes that meet on the axis and nowhere else cost time: in a square with n boxes of one unit,
one to each square unit, each box has about 2 * sqrt(n) of them. All pairs cost O(n + pairs that meet on the axis), a
query O(log n + boxes that meet it on the axis), a move O(1) and O(records passed) in the next query, new boxes
O(records after the first of them) there.

Wrong in the sources or left open, and right here:
- The array form sorts all boxes for each sweep, and leaves the order of equal ends to the sorting function. Here the
  order is kept, and it is total: by low end, then by slot.
- With both ends in one list, a high end that is sorted before an equal low end hides boxes that touch. Here a run of
  active boxes ends at the first low end *after* a high end, also in the sweep of two indexes.
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

from ecs_collision._arrays import grown
from ecs_collision.broadphase.protocol import Index

FAR = 256
"""A moved record that would pass more records than this is removed and added as a new box."""

PASSES = 24
"""The most places that records may be moved by on average before all are sorted again."""

MANY_MOVED = 16
"""If more than one of this many records have moved, one pass corrects all of them."""

_FAR = cython.declare(cython.Py_ssize_t, FAR)
_PASSES = cython.declare(cython.Py_ssize_t, PASSES)
_MANY_MOVED = cython.declare(cython.Py_ssize_t, MANY_MOVED)

NOWHERE = -(1 << 62)
"""The high ends of a gap: below every face."""

ABSENT, SORTED, MOVED, NEW = range(4)
"""Without a box; with a record, which is up to date; with a record and in `moved`; without a record and in `new`."""

_NOWHERE = cython.declare(cython.longlong, NOWHERE)
_ABSENT = cython.declare(cython.int, ABSENT)
_SORTED = cython.declare(cython.int, SORTED)
_MOVED = cython.declare(cython.int, MOVED)
_NEW = cython.declare(cython.int, NEW)


@cython.cfunc
@cython.exceptval(check=False)
def merge_runs(
    keys: cython.p_longlong,
    target: cython.p_longlong,
    first: cython.Py_ssize_t,
    middle: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.void:
    """Merge two neighbouring sorted runs of pairs (low, slot) into the same places of another array."""
    a: cython.Py_ssize_t = 2 * first
    b: cython.Py_ssize_t = 2 * middle
    at: cython.Py_ssize_t
    for at in range(2 * first, 2 * end, 2):
        if a < 2 * middle and (b >= 2 * end or keys[a] < keys[b] or (keys[a] == keys[b] and keys[a + 1] < keys[b + 1])):
            target[at], target[at + 1] = keys[a], keys[a + 1]
            a += 2
        else:
            target[at], target[at + 1] = keys[b], keys[b + 1]
            b += 2


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
    are below all others. `places` of a slot is its record, or its place in `new`. `records_tested` counts the records
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
        self.keys, self.spare = array("q"), array("q")
        self.states, self.places, self.new, self.moved = array("b"), array("i"), array("i"), array("i")
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
        if capacity <= len(self.places):
            return
        *starts, blocks = first_blocks(capacity)
        blocks_and_records = array("q", starts), *grown(blocks, self.greatest), *grown(5 * capacity, self.records)
        keys = grown(2 * capacity, self.keys, self.spare)
        about = grown(capacity, self.states, self.new, self.moved, self.places)
        self.starts, self.greatest, self.records = blocks_and_records
        self.keys, self.spare = keys
        self.states, self.new, self.moved, self.places = about
        if self.record_count > 0 and not self.is_stale:
            self.measure_blocks(0, self.record_count - 1)

    def enter(self, slot: cython.int) -> cython.void:
        """Add a box to the new ones; O(1)."""
        if not self.is_stale:
            self.add_new(slot)

    def add_new(self, slot: cython.Py_ssize_t) -> cython.void:
        """Add a box to the new ones."""
        self.states[slot] = _NEW
        self.places[slot] = cython.cast(cython.int, self.new_count)
        self.new[self.new_count] = cython.cast(cython.int, slot)
        self.new_count += 1

    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box from the new ones, or replace its record by a gap; O(log boxes)."""
        if self.is_stale:
            return
        if self.states[slot] == _NEW:
            self.new_count -= 1
            last: cython.int = self.new[self.new_count]
            self.new[self.places[slot]] = last
            self.places[last] = self.places[slot]
        else:
            self.make_gap(self.places[slot])
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

    def update(self) -> cython.void:
        """Correct the records of moved boxes, and merge the new boxes."""
        if self.is_stale:
            self.rebuild()
            return
        if self.moved_count == 0 and self.new_count == 0:
            return
        self.is_stale = True  # until everything is done
        if _MANY_MOVED * self.moved_count > self.record_count:
            if not self.move_all():
                self.rebuild()
                return
        else:
            for at in range(self.moved_count):
                if self.states[self.moved[at]] == _MOVED:
                    self.move_record(self.moved[at])
        self.moved_count = 0
        if 5 * self.gap_count > self.record_count or self.record_count + self.new_count > len(self.places):
            self.close_gaps()
        self.merge()
        self.is_stale = False

    def rebuild(self) -> cython.void:
        """Sort all boxes again; O(boxes * log boxes)."""
        self.is_stale = True
        self.choose_axes()
        self.record_count = self.gap_count = self.new_count = self.moved_count = self.block_levels = 0
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] >= 0:
                self.add_new(slot)
        self.merge()
        self.is_stale = False

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def write(self, at: cython.Py_ssize_t, slot: cython.Py_ssize_t) -> cython.void:
        """Write the record of a box."""
        face: cython.Py_ssize_t = 6 * slot
        self.records[5 * at] = self.boxes.faces_view[face + self.sweep_axis]
        self.records[5 * at + 1] = self.boxes.faces_view[face + 3 + self.sweep_axis]
        self.records[5 * at + 2] = self.boxes.faces_view[face + self.cross_axis]
        self.records[5 * at + 3] = self.boxes.faces_view[face + 3 + self.cross_axis]
        self.records[5 * at + 4] = slot
        self.places[slot] = cython.cast(cython.int, at)
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
            self.places[self.records[5 * target + 4]] = cython.cast(cython.int, target)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_before(self, low: cython.longlong, slot: cython.longlong, at: cython.Py_ssize_t) -> cython.bint:
        """Return whether a box belongs before a record. Equal low ends are in the order of slots."""
        other: cython.longlong = self.records[5 * at]
        return low < other or (low == other and slot < self.records[5 * at + 4])

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_after(self, low: cython.longlong, slot: cython.longlong, at: cython.Py_ssize_t) -> cython.bint:
        """Return whether a box belongs after a record."""
        other: cython.longlong = self.records[5 * at]
        return low > other or (low == other and slot > self.records[5 * at + 4])

    def move_record(self, slot: cython.Py_ssize_t) -> cython.void:
        """Move the record of a moved box to its new place; one that is far away is removed, and the box is new."""
        at: cython.Py_ssize_t = self.places[slot]
        target: cython.Py_ssize_t = at
        low: cython.longlong = self.boxes.faces_view[6 * slot + self.sweep_axis]
        if (at >= _FAR and low < self.records[5 * (at - _FAR)]) or (
            at + _FAR < self.record_count and low > self.records[5 * (at + _FAR)]
        ):
            self.make_gap(at)
            self.add_new(slot)
            return
        while target > 0 and self.is_before(low, slot, target - 1):
            self.copy(target - 1, target)
            target -= 1
        if target == at:
            while target + 1 < self.record_count and self.is_after(low, slot, target + 1):
                self.copy(target + 1, target)
                target += 1
        self.write(target, slot)
        self.measure_blocks(min(at, target), max(at, target))

    def move_all(self) -> cython.bint:
        """Correct the records of all moved boxes and sort by insertion; return False if that costs too much."""
        passed: cython.Py_ssize_t = 0
        for at in range(self.moved_count):
            slot: cython.longlong = self.moved[at]
            if self.states[slot] == _MOVED:
                self.write(self.places[slot], slot)
        for at in range(1, self.record_count):
            low, slot = self.records[5 * at], self.records[5 * at + 4]
            if not self.is_before(low, slot, at - 1):
                continue
            high: cython.longlong = self.records[5 * at + 1]
            cross_low, cross_high = self.records[5 * at + 2], self.records[5 * at + 3]
            target: cython.Py_ssize_t = at
            while target > 0 and self.is_before(low, slot, target - 1):
                self.copy(target - 1, target)
                target -= 1
            self.records[5 * target] = low
            self.records[5 * target + 1] = high
            self.records[5 * target + 2] = cross_low
            self.records[5 * target + 3] = cross_high
            self.records[5 * target + 4] = slot
            if high != _NOWHERE:
                self.places[slot] = cython.cast(cython.int, target)
            passed += at - target
            if passed > _PASSES * self.record_count:
                return False
        self.measure_blocks(0, self.record_count - 1)
        return True

    def close_gaps(self) -> cython.void:
        """Remove the gaps from the records."""
        count: cython.Py_ssize_t = 0
        for at in range(self.record_count):
            if self.records[5 * at + 1] != _NOWHERE:
                if count != at:
                    self.copy(at, count)
                count += 1
        self.record_count, self.gap_count = count, 0
        self.measure_blocks(0, count - 1)

    def merge(self) -> cython.void:
        """Sort the new boxes and merge them into the records, beginning with the last ones."""
        at: cython.Py_ssize_t = self.record_count - 1
        for key in range(self.new_count):
            self.keys[2 * key] = self.boxes.faces_view[6 * self.new[key] + self.sweep_axis]
            self.keys[2 * key + 1] = self.new[key]
        self.sort_keys(self.new_count)
        key = self.new_count - 1
        self.record_count += self.new_count
        target: cython.Py_ssize_t = self.record_count - 1
        while key >= 0:
            if at >= 0 and self.is_before(self.keys[2 * key], self.keys[2 * key + 1], at):
                self.copy(at, target)
                at -= 1
            else:
                self.write(target, self.keys[2 * key + 1])
                key -= 1
            target -= 1
        self.new_count = 0
        self.measure_blocks(target + 1, self.record_count - 1)

    def sort_keys(self, count: cython.Py_ssize_t) -> cython.void:
        """Sort the first keys: merge runs of 1, 4, 16 ... keys, two and two, to `spare` and back."""
        run: cython.Py_ssize_t = 1
        keys: cython.p_longlong = cython.address(self.keys[0]) if cython.compiled else self.keys
        spare: cython.p_longlong = cython.address(self.spare[0]) if cython.compiled else self.spare
        while run < count:
            for first in range(0, count, 4 * run):
                merge_runs(keys, spare, first, min(first + run, count), min(first + 2 * run, count))
                merge_runs(
                    keys, spare, min(first + 2 * run, count), min(first + 3 * run, count), min(first + 4 * run, count)
                )
            for first in range(0, count, 4 * run):
                merge_runs(spare, keys, first, min(first + 2 * run, count), min(first + 4 * run, count))
            run *= 4

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
        """Offer all pairs by one sweep, also with another index that is sorted along the same axis."""
        theirs: SweepAndPruneIndex
        self.update()
        if other is self:
            self.pair_own()
            return
        if isinstance(other, SweepAndPruneIndex):
            theirs = other
            theirs.update()
            if theirs.sweep_axis == self.sweep_axis:
                self.pair_sweep(theirs)
                return
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

    def pair_sweep(self, other: SweepAndPruneIndex) -> cython.void:
        """Sweep the records of two indexes: the one that begins first is compared with those of the other index.

        Of two that begin at the same place, that of this index is first.
        """
        at: cython.Py_ssize_t = 0
        there: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t = 5 * self.record_count
        there_end: cython.Py_ssize_t = 5 * other.record_count
        records: cython.p_longlong = cython.address(self.records[0]) if cython.compiled else self.records
        others: cython.p_longlong = cython.address(other.records[0]) if cython.compiled else other.records
        while at < end and there < there_end:
            if records[at] <= others[there]:
                high, cross_low, cross_high = records[at + 1], records[at + 2], records[at + 3]
                near: cython.Py_ssize_t = there
                while near < there_end and others[near] <= high:
                    if others[near + 2] <= cross_high and cross_low <= others[near + 3]:
                        self.offer_pair(records[at + 4], other, others[near + 4])
                    near += 5
                at += 5
            else:
                high, cross_low, cross_high = others[there + 1], others[there + 2], others[there + 3]
                near = at
                while near < end and records[near] <= high:
                    if records[near + 2] <= cross_high and cross_low <= records[near + 3]:
                        self.offer_pair(records[near + 4], other, others[there + 4])
                    near += 5
                there += 5
