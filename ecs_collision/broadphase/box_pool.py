# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Boxes in slots: faces, owner, awake flag and size level (rule B1). Every broad phase stores its boxes in a pool.

A run of slots is allocated for each body, so the parts of a body are neighbours. The length of a run is a power of two,
and a freed run is reused for the next body of its size class. A body that grows part by part therefore leaves few runs
unused; the price is up to half of each run. Runs are neither split nor joined. Not taken: separate slots for the boxes
of a body (each body would need a list of slots).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import aligned, bytes_of, column, longer_aligned, zeros
from ecs_collision.broadphase.morton import ORIGIN, TOP_LEVEL


@cython.cfunc
@cython.exceptval(check=False)
def size_class(count: cython.int) -> cython.int:
    """Return the exponent of the smallest power of two that is not below `count`."""
    size: cython.int = 0
    while (1 << size) < count:
        size += 1
    return size


_BINS = cython.declare(cython.longlong, ORIGIN)  # from the origin to the end of the index, on each axis (B2)

_ROUNDS = cython.declare(cython.int, 16)
"""Number of largest boxes that the others are compared with; boxes inside none of them count as outer."""


def put_outer_first(faces: array[int]) -> int:
    """Reorder boxes, six faces each, so that the first ones contain all the others; return how many are first.

    Not taken: finding every box that lies in any other, which is quadratic if there are none.
    """
    box: cython.longlong[::1] = faces
    left: cython.Py_ssize_t = len(faces) // 6
    first: cython.Py_ssize_t
    base: cython.Py_ssize_t
    face: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    size: cython.longlong
    # A box cannot lie in one with a smaller sum of sides, so the largest that is left is an outer one.
    largest_size: cython.longlong = -1
    largest: cython.Py_ssize_t = 0
    for base in range(0, 6 * left, 6):
        size = box[base + 3] - box[base] + box[base + 4] - box[base + 1] + box[base + 5] - box[base + 2]
        if size > largest_size:
            largest_size, largest = size, base
    for first in range(0, 6 * _ROUNDS, 6):
        if first >= 6 * left:
            break
        for face in range(6):
            box[first + face], box[largest + face] = box[largest + face], box[first + face]
        largest_size = -1
        base = first + 6
        while base < 6 * left:
            if (
                box[first] <= box[base]
                and box[first + 3] >= box[base + 3]
                and box[first + 1] <= box[base + 1]
                and box[first + 4] >= box[base + 4]
                and box[first + 2] <= box[base + 2]
                and box[first + 5] >= box[base + 5]
            ):
                left -= 1
                at = 6 * left
                for face in range(6):
                    box[base + face], box[at + face] = box[at + face], box[base + face]
                continue
            size = box[base + 3] - box[base] + box[base + 4] - box[base + 1] + box[base + 5] - box[base + 2]
            if size > largest_size:
                largest_size, largest = size, base
            base += 6
    return left


@cython.final
@cython.cclass
class BoxPool:
    """Boxes by slot: faces (lo x, y, z, hi x, y, z in lattice units), owner, awake flag, level.

    A slot is a record of 64 bytes, which is one cache line: eight items of `faces`, of which six are faces. The other
    two hold a number for each view of the others: `owner`; `places`, where the structure may keep its place of the box;
    level, awake flag, and a mark of a search, which removes it again; and the next free run.

    `owner` is -1 for an empty slot. Faces lie from -limit to limit - 1 in lattice units. `flat` is set while all boxes
    have the z range of 2D; their extent in z then does not affect their levels. Bit l of `level_bits` is set while
    there is a box at level l, bit l of `asleep_bits` while there is a sleeping one. `changes` counts how often
    boxes were added, removed, moved, woken or put to sleep. After `watch` the slot of change number i is at
    place i, modulo its length `log_size`, of the log. `allocate` may replace the arrays: take them and their views
    again after it.
    """

    def __init__(self, bin_shift: cython.int) -> None:
        self.bin_shift = bin_shift
        self.limit = _BINS << bin_shift
        self.flat = False
        self.box_count = self.slot_count = self.capacity = self.changes = 0
        self.level_bits = self.asleep_bits = self.log_size = 0
        self.faces = aligned(0)
        self.run_heads = array("i", [-1] * 32)
        self.run_heads_view = self.run_heads
        self.level_counts = array("i", bytes(4 * (TOP_LEVEL + 1)))
        self.asleep_counts = array("i", bytes(4 * (TOP_LEVEL + 1)))
        self.level_counts_view, self.asleep_counts_view = self.level_counts, self.asleep_counts
        self.hull = array("q", bytes(8 * 9))
        self.hull_view = self.hull
        self.reserve_slots(16)

    # Allocation.

    def reserve_slots(self, count: cython.Py_ssize_t) -> cython.int:
        """Make room for `count` slots, and for at least a quarter more than before if it grows."""
        slot: cython.Py_ssize_t
        before: cython.Py_ssize_t = self.capacity
        if count <= before:
            return 0
        capacity: cython.Py_ssize_t = max(count, before + before // 4)
        faces = longer_aligned(self.faces, 8 * capacity)
        owner, places, run_next = column(faces, "i", 12), column(faces, "i", 13), column(faces, "i", 15)
        levels, awake, marks = column(faces, "b", 56), column(faces, "b", 57), column(faces, "b", 58)
        self.faces, self.owner, self.places = faces, owner, places
        self.levels, self.awake, self.marks = levels, awake, marks
        self.capacity = capacity
        self.faces_view, self.owner_view, self.places_view, self.run_next_view = faces, owner, places, run_next
        self.levels_view, self.awake_view, self.marks_view = levels, awake, marks
        for slot in range(before, self.capacity):
            self.owner_view[slot] = -1
        return 0

    def clear(self) -> cython.int:
        """Remove all boxes and free all slots. Works after an interrupted change."""
        at: cython.Py_ssize_t
        for at in range(self.capacity):
            self.owner_view[at] = -1
        for at in range(32):
            self.run_heads_view[at] = -1
        for at in range(TOP_LEVEL + 1):
            self.level_counts_view[at] = self.asleep_counts_view[at] = 0
        self.box_count = self.slot_count = 0
        self.level_bits = self.asleep_bits = 0
        self.changes += self.log_size + 1
        return 0

    # Changes.

    def watch(self) -> cython.int:
        """Log the changes from now on, up to as many as there are slots; who has missed more looks at all boxes."""
        if self.log_size < self.capacity:
            size: cython.Py_ssize_t = 16
            while size < self.capacity:
                size *= 2
            self.log_view = zeros("i", size)
            self.log_size = size
            self.changes += size + 1
        return 0

    def note(self, slot: cython.Py_ssize_t) -> cython.void:
        """Count a change of a box."""
        if self.log_size != 0:
            self.log_view[self.changes & (self.log_size - 1)] = cython.cast(cython.int, slot)
        self.changes += 1

    def allocate(self, count: cython.int) -> cython.int:
        """Return the first of `count` neighbouring free slots; O(1)."""
        if count < 1:
            raise IndexError(f"cannot allocate {count} slots; a body has at least one box")
        size: cython.int = size_class(count)
        if self.run_heads_view[size] >= 0:
            first: cython.int = self.run_heads_view[size]
            self.run_heads_view[size] = self.run_next_view[first]
            return first
        length: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, 1) << size
        first = cython.cast(cython.int, self.slot_count)
        self.reserve_slots(self.slot_count + length)
        self.slot_count += length
        return first

    def release(self, first: cython.int, count: cython.int) -> cython.int:
        """Return a run of slots to the free list of its size class; O(1)."""
        size: cython.int = size_class(count)
        self.run_next_view[first] = self.run_heads_view[size]
        self.run_heads_view[size] = first
        return 0

    # Boxes.

    def level_for(self, slot: cython.Py_ssize_t) -> cython.int:
        """Return the level with the smallest cells that are not shorter than the longest side (z unless flat)."""
        base: cython.Py_ssize_t = 8 * slot
        side: cython.longlong = self.faces_view[base + 3] - self.faces_view[base]
        level: cython.int = 0
        if self.faces_view[base + 4] - self.faces_view[base + 1] > side:
            side = self.faces_view[base + 4] - self.faces_view[base + 1]
        if not self.flat and self.faces_view[base + 5] - self.faces_view[base + 2] > side:
            side = self.faces_view[base + 5] - self.faces_view[base + 2]
        side = (side - 1) >> self.bin_shift  # whole bins below the side; 0 (or -1) if one bin is enough
        while side > 0:
            side >>= 1
            level += 1
        return level

    def count_box(self, slot: cython.Py_ssize_t, change: cython.int) -> cython.void:
        """Add a box to the counts of its level (change 1), or subtract it (-1); counts sleeping boxes too."""
        level: cython.int = self.levels_view[slot]
        self.level_counts_view[level] += change
        if self.level_counts_view[level] > 0:
            self.level_bits |= 1 << level
        else:
            self.level_bits &= ~(1 << level)
        if not self.awake_view[slot]:
            self.count_asleep(level, change)

    def count_asleep(self, level: cython.int, change: cython.int) -> cython.void:
        """Change the count of sleeping boxes of a level."""
        self.asleep_counts_view[level] += change
        if self.asleep_counts_view[level] > 0:
            self.asleep_bits |= 1 << level
        else:
            self.asleep_bits &= ~(1 << level)

    def validate(
        self,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.int:
        """Raise IndexError if a box ends before it begins or leaves the index."""
        if lox > hix or loy > hiy or loz > hiz:
            raise IndexError(f"box ({lox}, {loy}, {loz}) to ({hix}, {hiy}, {hiz}) ends before it begins")
        if min(lox, loy, loz) < -self.limit or max(hix, hiy, hiz) >= self.limit:
            raise IndexError(f"box ({lox}, {loy}, {loz}) to ({hix}, {hiy}, {hiz}) leaves the index, +-{self.limit}")
        return 0

    def put(
        self,
        slot: cython.int,
        owner: cython.int,
        awake: cython.bint,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.int:
        """Write a valid box to an empty slot of an allocated run."""
        base: cython.Py_ssize_t = 8 * slot
        self.faces_view[base] = lox
        self.faces_view[base + 1] = loy
        self.faces_view[base + 2] = loz
        self.faces_view[base + 3] = hix
        self.faces_view[base + 4] = hiy
        self.faces_view[base + 5] = hiz
        self.owner_view[slot] = owner
        self.awake_view[slot] = awake
        self.levels_view[slot] = self.level_for(slot)
        self.count_box(slot, 1)
        self.box_count += 1
        self.note(slot)
        return 0

    def remove(self, slot: cython.int) -> cython.int:
        """Remove the box from a slot. Its run stays allocated."""
        self.count_box(slot, -1)
        self.owner_view[slot] = -1
        self.box_count -= 1
        self.note(slot)
        return 0

    def shift(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.int:
        """Move a box, which keeps its size and level. Raises IndexError if it would leave the index."""
        at: cython.Py_ssize_t = 8 * slot
        faces: cython.p_longlong = cython.address(self.faces_view[0]) if cython.compiled else self.faces_view
        low: cython.longlong = min(faces[at] + dx, faces[at + 1] + dy, faces[at + 2] + dz)
        if low < -self.limit or max(faces[at + 3] + dx, faces[at + 4] + dy, faces[at + 5] + dz) >= self.limit:
            raise IndexError(f"box in slot {slot} moved by ({dx}, {dy}, {dz}) leaves the index, +-{self.limit}")
        self.displace(slot, dx, dy, dz)
        return 0

    def displace(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box that stays in the index."""
        at: cython.Py_ssize_t = 8 * slot
        faces: cython.p_longlong = cython.address(self.faces_view[0]) if cython.compiled else self.faces_view
        faces[at] += dx
        faces[at + 1] += dy
        faces[at + 2] += dz
        faces[at + 3] += dx
        faces[at + 4] += dy
        faces[at + 5] += dz
        self.note(slot)

    def set_awake(self, slot: cython.int, awake: cython.bint) -> cython.int:
        """Change whether the owner of a box is awake. Call it only if the value changes."""
        self.awake_view[slot] = awake
        self.note(slot)
        self.count_asleep(self.levels_view[slot], -1 if awake else 1)
        return 0

    def set_flat(self, flat: cython.bint) -> cython.int:
        """Set whether all boxes have the z range of 2D (L5), and recompute their levels; O(boxes)."""
        slot: cython.Py_ssize_t
        self.flat = flat
        self.changes += self.log_size + 1
        for slot in range(self.slot_count):
            if self.owner_view[slot] >= 0:
                self.count_box(slot, -1)
                self.levels_view[slot] = self.level_for(slot)
                self.count_box(slot, 1)
        return 0

    def next_hull(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the hull of the boxes from `first` on that can share one query to `hull`; return the slot after them.

        Boxes can share a query while their hull is little longer than the longest of them, as with parts that lie
        inside each other. With a query each, every one of them would visit all the others, which are in the same cells.
        """
        slot: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        for axis in range(3):
            self.hull_view[axis] = self.faces_view[8 * first + axis]
            self.hull_view[3 + axis] = self.faces_view[8 * first + 3 + axis]
            self.hull_view[6 + axis] = self.hull_view[3 + axis] - self.hull_view[axis]
        for slot in range(first + 1, end):
            for axis in range(3):
                low: cython.longlong = min(self.hull_view[axis], self.faces_view[8 * slot + axis])
                high: cython.longlong = max(self.hull_view[3 + axis], self.faces_view[8 * slot + 3 + axis])
                side: cython.longlong = max(
                    self.hull_view[6 + axis], self.faces_view[8 * slot + 3 + axis] - self.faces_view[8 * slot + axis]
                )
                if 4 * (high - low) > 5 * side:
                    return slot
            for axis in range(3):
                low, high = self.faces_view[8 * slot + axis], self.faces_view[8 * slot + 3 + axis]
                self.hull_view[axis] = min(self.hull_view[axis], low)
                self.hull_view[3 + axis] = max(self.hull_view[3 + axis], high)
                self.hull_view[6 + axis] = max(self.hull_view[6 + axis], high - low)
        return end

    def bytes_used(self) -> int:
        """Return the bytes of the boxes, reserved ones included."""
        return bytes_of(self.faces)

    # The invariants.

    def check(self) -> None:
        """Verify runs, levels and counts. Raises IndexError for the first invariant that does not hold."""
        placed = [slot for slot in range(self.slot_count) if self.owner_view[slot] >= 0]
        self.check_runs(placed)
        for slot in placed:
            lo, hi = self.faces_view[8 * slot : 8 * slot + 3], self.faces_view[8 * slot + 3 : 8 * slot + 6]
            longest = max(hi[axis] - lo[axis] for axis in range(2 if self.flat else 3))
            level = next(lv for lv in range(TOP_LEVEL + 1) if 1 << (self.bin_shift + lv) >= longest)
            if self.levels_view[slot] != level:
                raise IndexError(f"the box in slot {slot} is at level {self.levels_view[slot]}, not {level}")
        for slots, counts, bits, words in (
            (placed, self.level_counts_view, self.level_bits, "boxes"),
            (
                [slot for slot in placed if not self.awake_view[slot]],
                self.asleep_counts_view,
                self.asleep_bits,
                "sleeping boxes",
            ),
        ):
            levels = [self.levels_view[slot] for slot in slots]
            expected = [levels.count(level) for level in range(TOP_LEVEL + 1)]
            if list(counts) != expected or bits != sum(1 << lv for lv in range(TOP_LEVEL + 1) if expected[lv]):
                raise IndexError(f"the {words} of a level are miscounted")

    def check_runs(self, placed: list[int]) -> set[int]:
        """Verify that free runs overlap neither each other nor a box, and the box count; return the free slots."""
        vacant: set[int] = set()
        for size in range(len(self.run_heads)):
            first = self.run_heads_view[size]
            while first >= 0:
                run = set(range(first, first + (1 << size)))
                if run & vacant or run & set(placed):
                    raise IndexError(f"the free run at slot {first} is in use or free twice")
                vacant |= run
                first = self.run_next_view[first]
        if self.box_count != len(placed):
            raise IndexError(f"{len(placed)} boxes are placed, counted {self.box_count}")
        return vacant
