# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The broad phase that tests every box: short, and the reference for the others.

Source: none is needed. Good for: up to about a hundred boxes, where no structure is faster, and for tests. A query is
O(boxes), all pairs are O(boxes²), and a box that moves costs nothing.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.broadphase.protocol import Index


@cython.final
@cython.cclass
class BruteForceIndex(Index):
    """Boxes in slots, tested one by one: O(boxes) for each query (see `broadphase/protocol.py`)."""

    def __init__(self, bin_shift: cython.int) -> None:
        Index.__init__(self, bin_shift)

    def search(self) -> cython.void:
        """Offer every box."""
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] >= 0:
                self.offer(slot)

    def pair_with(self, other: Index) -> cython.void:
        """Offer every box with every other."""
        for a in range(self.boxes.slot_count):
            if self.boxes.owner_view[a] >= 0:
                for b in range(a + 1 if other is self else 0, other.boxes.slot_count):
                    if other.boxes.owner_view[b] >= 0:
                        self.offer_pair(a, other, b)
