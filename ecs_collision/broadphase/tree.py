# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""What the trees of this room share: lists of the boxes of their nodes, and the stack of a walk over pairs."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import grown
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.protocol import Index


@cython.cclass
class Tree(Index):
    """Boxes in nodes (see `broadphase/protocol.py`). The boxes of a node are a list, doubly linked by their slots.

    A walk over pairs goes from the root down and takes along boxes of larger nodes, as runs of `stack`. A walk that is
    interrupted leaves nothing behind.
    """

    def __init__(self, bin_shift: cython.int) -> None:
        Index.__init__(self, bin_shift)
        self.next_slots, self.previous_slots, self.stack = array("i"), array("i"), array("i")
        self.node_count = self.occupied_count = 0

    @property
    def cell_count(self) -> int:
        """The number of nodes with boxes of their own."""
        return int(self.occupied_count)

    # Lists.

    @cython.final
    def link(self, slot: cython.int, head: cython.int) -> cython.int:
        """Put a box before the first box of a node, or -1 if it has none; return the new first box."""
        self.next_slots[slot] = head
        self.previous_slots[slot] = -1
        if head >= 0:
            self.previous_slots[head] = slot
        else:
            self.occupied_count += 1
        return slot

    @cython.final
    def unlink(self, slot: cython.int, head: cython.int) -> cython.int:
        """Take a box off the list of its node; return the first box of the node then, or -1."""
        after: cython.int = self.next_slots[slot]
        before: cython.int = self.previous_slots[slot]
        if after >= 0:
            self.previous_slots[after] = before
        if before >= 0:
            self.next_slots[before] = after
            return head
        if after < 0:
            self.occupied_count -= 1
        return after

    # The stack.

    def reserve_stack(self, count: cython.Py_ssize_t) -> cython.void:
        """Make room for a number of boxes in `stack`, and at least double it if it grows."""
        if count > len(self.stack):
            (self.stack,) = grown(max(count, 64, 2 * len(self.stack)), self.stack)

    @cython.final
    def push_list(self, slot: cython.int, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the boxes of a list, from its first one, to `stack` from `end` on; return the new end."""
        while slot >= 0:
            if end == len(self.stack):
                self.reserve_stack(end + 1)
            self.stack[end] = slot
            end += 1
            slot = self.next_slots[slot]
        return end

    @cython.final
    def push_meeting(
        self,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        side: cython.longlong,
        only_awake: cython.bint,
    ) -> cython.Py_ssize_t:
        """Copy those of `stack[begin:end]` that meet a cube, in 2D a square, to the end; return the new end."""
        boxes: BoxPool = self.boxes
        flat: cython.bint = boxes.flat
        new_end: cython.Py_ssize_t = end
        self.reserve_stack(2 * end - begin)
        for at in range(begin, end):
            face = 6 * cython.cast(cython.Py_ssize_t, self.stack[at])
            if (
                boxes.faces_view[face] < x + side
                and boxes.faces_view[face + 3] >= x
                and boxes.faces_view[face + 1] < y + side
                and boxes.faces_view[face + 4] >= y
                and (flat or (boxes.faces_view[face + 2] < z + side and boxes.faces_view[face + 5] >= z))
                and (not only_awake or boxes.awake_view[self.stack[at]])
            ):
                self.stack[new_end] = self.stack[at]
                new_end += 1
        return new_end

    @cython.final
    def pair_stack(
        self,
        source: Tree,
        slot: cython.Py_ssize_t,
        target: Tree,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.int:
        """Offer the pairs of a box of `source` with those of `target.stack[begin:end]` that it meets in x and y.

        `source` or `target` is this tree, or both are.
        """
        boxes: BoxPool = target.boxes
        face: cython.Py_ssize_t = 6 * slot
        lox: cython.longlong = source.boxes.faces_view[face]
        loy: cython.longlong = source.boxes.faces_view[face + 1]
        hix: cython.longlong = source.boxes.faces_view[face + 3]
        hiy: cython.longlong = source.boxes.faces_view[face + 4]
        for at in range(begin, end):
            face = 6 * cython.cast(cython.Py_ssize_t, target.stack[at])
            if (
                boxes.faces_view[face] <= hix
                and lox <= boxes.faces_view[face + 3]
                and boxes.faces_view[face + 1] <= hiy
                and loy <= boxes.faces_view[face + 4]
            ):
                if target is self:
                    self.offer_pair(target.stack[at], source, slot)
                else:
                    self.offer_pair(slot, target, target.stack[at])
        return 0
