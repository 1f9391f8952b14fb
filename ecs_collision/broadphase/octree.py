# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""An octree whose nodes divide when they have more boxes than a capacity.

`capacity_tree` has the structure, its costs, and the sources of the idea. While all boxes have the z range of 2D, z is
not divided, and a node has up to four children.

Source: the octrees of game tutorials, which are their quadtrees with one more axis (see `quadtree`).

Good for: boxes of different sizes spread unevenly over all three axes. It needs no cell size, and less memory for a
box than any structure with cells. Where all boxes are about as large as a bin, a grid answers single queries faster.

Wrong in the sources and right here, besides the faults of `quadtree`:
- Where a node divides until no leaf has more boxes than the capacity, boxes with the same place divide it without end.
  Here the smallest nodes hold any number.
- With eight children each, eight nodes are made for one more box. Here a node has only the children that have boxes.
- A node that has been divided stays divided when its boxes have left. Here its children merge at half the capacity.
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



@cython.final
@cython.cclass
class OctreeIndex(CapacityTree):
    """Boxes in an octree whose nodes divide above a capacity (see `broadphase/capacity_tree.py`)."""

    def __init__(self, bin_shift: cython.int, capacity: cython.int, max_depth: cython.int) -> None:
        CapacityTree.__init__(self, bin_shift, capacity, max_depth, -1)
