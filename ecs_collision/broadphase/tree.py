# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""What the trees of this room share: lists of the boxes of their nodes."""

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
    """Boxes in nodes (see `broadphase/protocol.py`). The boxes of a node are a list, doubly linked by their slots."""

    def __init__(self, bin_shift: cython.int) -> None:
        Index.__init__(self, bin_shift)
        self.next_slots, self.previous_slots = array("i"), array("i")
        self.node_count = self.occupied_count = 0

    @property
    def cell_count(self) -> int:
        """The number of nodes with boxes of their own."""
        return int(self.occupied_count)

    def reserve(self) -> cython.void:
        """Make room for the neighbours of each slot in its node."""
        if self.boxes.capacity > len(self.next_slots):
            self.previous_slots, self.next_slots = grown(self.boxes.capacity, self.previous_slots, self.next_slots)

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

    @cython.final
    def pair_list(self, slot: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.int:
        """Offer the pairs of a box with the boxes of a list, from a first one on, that it meets in x and y."""
        face: cython.Py_ssize_t = 8 * slot
        lox: cython.longlong = self.boxes.faces_view[face]
        loy: cython.longlong = self.boxes.faces_view[face + 1]
        hix: cython.longlong = self.boxes.faces_view[face + 3]
        hiy: cython.longlong = self.boxes.faces_view[face + 4]
        boxes: BoxPool = self.boxes
        while first >= 0:
            face = 8 * first
            if (
                boxes.faces_view[face] <= hix
                and lox <= boxes.faces_view[face + 3]
                and boxes.faces_view[face + 1] <= hiy
                and loy <= boxes.faces_view[face + 4]
            ):
                self.offer_pair(slot, self, first)
            first = self.next_slots[first]
        return 0
