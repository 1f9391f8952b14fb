# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""A quadtree whose nodes divide when they have more boxes than a capacity; it ignores one axis.

`capacity_tree` has the structure and its costs.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.capacity_tree import CapacityTree
else:
    from ecs_collision.broadphase.capacity_tree import CapacityTree

from ecs_collision.sealing import seal


@cython.final
@cython.cclass
class QuadtreeIndex(CapacityTree):
    """Boxes in a quadtree whose nodes divide above a capacity (see `broadphase/capacity_tree.py`).

    Boxes above one another on the ignored axis (0, 1 or 2) are in the same node.
    """

    def __init__(
        self, bin_shift: cython.int, capacity: cython.int, max_depth: cython.int, ignored_axis: cython.int
    ) -> None:
        CapacityTree.__init__(self, bin_shift, capacity, max_depth, ignored_axis)


seal(QuadtreeIndex)
