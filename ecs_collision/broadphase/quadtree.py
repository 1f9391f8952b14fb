# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""A quadtree whose nodes divide when they have more boxes than a capacity; it ignores one axis.

`capacity_tree` has the structure, its costs, and the sources of the idea. This file is about the quadtrees of games.

Source: S. Lambert, "Quick Tip: Use Quadtrees to Detect Likely Collisions in 2D Space", Envato Tuts+ (2012), copied into
many games; Newcastle University, tutorials of Game Technologies (CSC8503), the quadtree of the broad phase.

Good for: worlds that spread over a plane, flat or not, with places that are crowded and others that are empty, and
boxes of different sizes. The ignored axis is the one along which little lies above or behind another.

Wrong in the sources and right here:
- A query looks into the one child that contains its region, and into none if the region lies across a line of division,
  where it would need several (Lambert: `retrieve` goes on only if `getIndex` is not -1). Pairs are missed that do not
  share a node. Here a query visits all children that its region meets.
- A box with an edge on a line of division is in neither half, since both comparisons are strict, and stays at the inner
  node (Lambert: `getIndex`): on a grid of tiles whole rows stay at the root. Here the centre decides.
- A box outside the root is in no node and meets nothing (Newcastle: `Insert` returns without an error, and the root has
  a fixed size). Here the root grows.
- A box that reaches into several leaves is stored in each, so a pair comes once for each leaf that both are in, and
  boxes that coincide fill all leaves around them down to the maximum depth (Newcastle). Here a box is in one node.
- All four children are made whenever a node divides, as objects with bounds, and the tree is cleared and filled again
  in every frame (both). Here a child is made for its first box, nodes are numbers in arrays, and a box that moves
  within its node changes none.
- The middle of an integer rectangle with an odd side is rounded down, so the children together are shorter than their
  parent (Lambert: `split`). Here sides are powers of two.
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
class QuadtreeIndex(CapacityTree):
    """Boxes in a quadtree whose nodes divide above a capacity (see `broadphase/capacity_tree.py`).

    Boxes above one another on the ignored axis (0, 1 or 2) are in the same node.
    """

    def __init__(
        self, bin_shift: cython.int, capacity: cython.int, max_depth: cython.int, ignored_axis: cython.int
    ) -> None:
        CapacityTree.__init__(self, bin_shift, capacity, max_depth, ignored_axis)
