# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Slots for boxes: handed out in runs, so that the parts of a body are neighbours, and used again.

Runs are powers of two long, and a freed one is kept for the next body of that size class: a body that grows
part by part leaves few runs behind, at the price of up to half a run unused. Runs are neither divided nor joined.
Not taken: one slot a box wherever one is free (each body would need a list of slots).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer
from ecs_collision.sealing import seal


@cython.cfunc
@cython.exceptval(check=False)
def size_class(count: cython.int) -> cython.int:
    """The exponent of the least power of two that is not below `count`."""
    size: cython.int = 0
    while (1 << size) < count:
        size += 1
    return size


_ROUNDS = cython.declare(cython.int, 16)
"""Boxes are held against so many of the largest; what those do not hold counts as outer."""


def put_outer_first(faces: array[int]) -> int:
    """Put boxes, six faces each, in an order in which the first hold all the others; returns how many are first.

    Not taken: finding all that lie in any other, which is quadratic where none do.
    """
    box: cython.longlong[::1] = faces
    held: cython.Py_ssize_t = len(faces) // 6
    first: cython.Py_ssize_t
    base: cython.Py_ssize_t
    face: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    girth: cython.longlong
    # No box lies in one whose sides are less in sum, so the largest of those left is an outer one.
    most: cython.longlong = -1
    largest: cython.Py_ssize_t = 0
    for base in range(0, 6 * held, 6):
        girth = box[base + 3] - box[base] + box[base + 4] - box[base + 1] + box[base + 5] - box[base + 2]
        if girth > most:
            most, largest = girth, base
    for first in range(0, 6 * _ROUNDS, 6):
        if first >= 6 * held:
            break
        for face in range(6):
            box[first + face], box[largest + face] = box[largest + face], box[first + face]
        most = -1
        base = first + 6
        while base < 6 * held:
            if (
                box[first] <= box[base]
                and box[first + 3] >= box[base + 3]
                and box[first + 1] <= box[base + 1]
                and box[first + 4] >= box[base + 4]
                and box[first + 2] <= box[base + 2]
                and box[first + 5] >= box[base + 5]
            ):
                held -= 1
                at = 6 * held
                for face in range(6):
                    box[base + face], box[at + face] = box[at + face], box[base + face]
                continue
            girth = box[base + 3] - box[base] + box[base + 4] - box[base + 1] + box[base + 5] - box[base + 2]
            if girth > most:
                most, largest = girth, base
            base += 6
    return held


@cython.cclass
class BoxPool:
    """Boxes by slot: faces (lo x, y, z, hi x, y, z in lattice units), owner, awake, level, parities, entries.

    `owner` is -1 where no box is. Grown arrays are new ones: take views anew after `allot`.
    """

    def __init__(self) -> None:
        self.box_count = self.slot_count = self.capacity = 0
        self._faces, self._owner, self._run_next = array("q"), array("i"), array("i")
        self._awake, self._levels, self._corners = array("b"), array("b"), array("b")
        self._entry_cell, self._entry_next, self._entry_prev = array("i"), array("i"), array("i")
        self._run_heads = array("i", [-1] * 32)
        self.run_heads = self._run_heads
        self._span = array("q", bytes(8 * 9))
        self.span = self._span
        self.room_for_slots(16)

    @cython.cfunc
    @cython.exceptval(check=False)
    def together(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Put the hull of the boxes from `first` on that may ask as one into `span`; returns the slot behind them.

        They may while the hull is little longer than the longest of them: parts that lie inside each other. Asked for
        one by one, each of them would go through all the others, which share its cells.
        """
        slot: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        low: cython.longlong
        high: cython.longlong
        side: cython.longlong
        for axis in range(3):
            self.span[axis] = self.faces[6 * first + axis]
            self.span[3 + axis] = self.faces[6 * first + 3 + axis]
            self.span[6 + axis] = self.span[3 + axis] - self.span[axis]
        for slot in range(first + 1, end):
            for axis in range(3):
                low = min(self.span[axis], self.faces[6 * slot + axis])
                high = max(self.span[3 + axis], self.faces[6 * slot + 3 + axis])
                side = max(self.span[6 + axis], self.faces[6 * slot + 3 + axis] - self.faces[6 * slot + axis])
                if 4 * (high - low) > 5 * side:
                    return slot
            for axis in range(3):
                low, high = self.faces[6 * slot + axis], self.faces[6 * slot + 3 + axis]
                self.span[axis] = min(self.span[axis], low)
                self.span[3 + axis] = max(self.span[3 + axis], high)
                self.span[6 + axis] = max(self.span[6 + axis], high - low)
        return end

    @cython.cfunc
    def room_for_slots(self, count: cython.Py_ssize_t) -> cython.void:
        """Make room for `count` slots, or twice what there was."""
        slot: cython.Py_ssize_t
        before: cython.Py_ssize_t = self.capacity
        if count <= before:
            return
        room: cython.Py_ssize_t = max(count, 2 * before)
        faces, owner, run_next = longer(self._faces, 6 * room), longer(self._owner, room), longer(self._run_next, room)
        awake, levels, corners = longer(self._awake, room), longer(self._levels, room), longer(self._corners, room)
        entry_cell, entry_next = longer(self._entry_cell, 8 * room), longer(self._entry_next, 8 * room)
        entry_prev = longer(self._entry_prev, 8 * room)
        self._faces, self._owner, self._run_next = faces, owner, run_next
        self._awake, self._levels, self._corners = awake, levels, corners
        self._entry_cell, self._entry_next, self._entry_prev = entry_cell, entry_next, entry_prev
        self.capacity = room
        self.faces, self.owner, self.run_next = self._faces, self._owner, self._run_next
        self.awake, self.levels, self.corners = self._awake, self._levels, self._corners
        self.entry_cell, self.entry_next, self.entry_prev = self._entry_cell, self._entry_next, self._entry_prev
        for slot in range(before, self.capacity):
            self.owner[slot] = -1
        for slot in range(8 * before, 8 * self.capacity):
            self.entry_cell[slot] = -1

    @cython.cfunc
    def empty(self) -> cython.void:
        """Have no boxes and all slots free, whatever was broken off."""
        at: cython.Py_ssize_t
        for at in range(self.capacity):
            self.owner[at] = -1
        for at in range(8 * self.capacity):
            self.entry_cell[at] = -1
        for at in range(32):
            self.run_heads[at] = -1
        self.box_count = self.slot_count = 0

    @cython.ccall
    def allot(self, count: cython.int) -> cython.int:
        """Return the first of `count` neighbouring free slots; O(1)."""
        first: cython.int
        if count < 1:
            raise IndexError(f"a run of {count} slots; a body has at least one box")
        size: cython.int = size_class(count)
        if self.run_heads[size] >= 0:
            first = self.run_heads[size]
            self.run_heads[size] = self.run_next[first]
            return first
        length: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, 1) << size
        first = cython.cast(cython.int, self.slot_count)
        self.room_for_slots(self.slot_count + length)
        self.slot_count += length
        return first

    @cython.cfunc
    def release(self, first: cython.int, count: cython.int) -> cython.int:
        """Keep a run for the next body of its size class; O(1)."""
        size: cython.int = size_class(count)
        self.run_next[first] = self.run_heads[size]
        self.run_heads[size] = first
        return 0

    def check_runs(self, placed: list[int]) -> set[int]:
        """Verify that no free run overlaps another or a box, and the count of boxes; returns the free slots."""
        vacant: set[int] = set()
        for size in range(len(self._run_heads)):
            first = self.run_heads[size]
            while first >= 0:
                run = set(range(first, first + (1 << size)))
                if run & vacant or run & set(placed):
                    raise IndexError(f"the free run at slot {first} is in use or free twice")
                vacant |= run
                first = self.run_next[first]
        if self.box_count != len(placed):
            raise IndexError(f"{len(placed)} boxes are placed, counted {self.box_count}")
        return vacant


seal(BoxPool)
