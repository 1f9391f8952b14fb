# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""An octree whose nodes divide when they have more boxes than a capacity.

`capacity_tree` has the structure and its costs. While all boxes have the z range of 2D, z is not divided and a node has
four children.
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
class OctreeIndex(CapacityTree):
    """Boxes in an octree whose nodes divide above a capacity (see `broadphase/capacity_tree.py`)."""

    def __init__(self, bin_shift: cython.int, capacity: cython.int, max_depth: cython.int) -> None:
        CapacityTree.__init__(self, bin_shift, capacity, max_depth, -1)


seal(OctreeIndex)
