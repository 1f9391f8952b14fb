"""warp-lang: the bounding volume hierarchy of NVIDIA Warp, on the CPU; float32."""

# No postponed annotations here: Warp reads the annotations of its kernels.

from functools import cache
from typing import Any

import numpy

from benchmarks.boxes import Boxes, QueryScene
from benchmarks.libraries import Job, library
from benchmarks.outputs import Rows, pairs, rows

ROOM = 64
"""Capacity for hits, on average for each box."""


@cache
def _kernel() -> Any:
    """Return the kernel that writes (number of the query, box hit); each pair only once if `once` is set."""
    import warp

    warp.config.log_level = warp.LOG_ERROR
    warp.init()
    tree_type: Any = warp.uint64
    corners_type: Any = warp.array(dtype=warp.vec3)
    counts_type: Any = warp.array(dtype=int)
    rows_type: Any = warp.array2d(dtype=int)

    @warp.kernel(enable_backward=False)
    def overlapping(
        tree: tree_type,
        lo: corners_type,
        hi: corners_type,
        once: int,
        count: counts_type,
        out: rows_type,
    ) -> None:
        row = warp.tid()
        query = warp.bvh_query_aabb(tree, lo[row], hi[row])
        hit = int(0)  # noqa: RUF046, UP018 - to Warp a literal is a constant
        while warp.bvh_query_next(query, hit):
            if once == 0 or hit > row:
                place = warp.atomic_add(count, 0, 1)
                out[place, 0] = row
                out[place, 1] = hit

    return overlapping


class _Searcher:
    """Memory for the results, and the call that fills it."""

    def __init__(self, regions: Boxes) -> None:
        import warp

        self.warp, self.regions = warp, regions
        self.out = warp.zeros((ROOM * regions.count, 2), dtype=int, device="cpu")
        self.count = warp.zeros(1, dtype=int, device="cpu")
        self.lo, self.hi = (corner.astype(numpy.float32) for corner in (regions.in_3d().lo, regions.in_3d().hi))

    def corners(self) -> tuple[Any, Any]:
        """Return the corners as Warp arrays."""
        return tuple(self.warp.array(corner, dtype=self.warp.vec3, device="cpu") for corner in (self.lo, self.hi))

    def search(self, tree: Any, corners: tuple[Any, Any], once: int) -> Rows:
        """Return rows of (number of the query, box hit)."""
        self.count.zero_()
        inputs = [tree.id, *corners, once, self.count, self.out]
        self.warp.launch(_kernel(), dim=self.regions.count, inputs=inputs, device="cpu")
        found: Rows = self.out.numpy()[: int(self.count.numpy()[0])]
        return found


@library("pairs", "warp-lang Bvh")
def warp_pairs(boxes: Boxes) -> Job:
    """Build the tree and query every box, each pair once."""
    searcher = _Searcher(boxes)

    def found() -> Rows:
        corners = searcher.corners()
        return searcher.search(searcher.warp.Bvh(*corners), corners, 1)

    found()  # the first time the kernel is compiled
    return Job(found, pairs)


@library("queries", "warp-lang Bvh")
def warp_queries(scene: QueryScene) -> Job:
    """Run all queries in one call."""
    world, searcher = _Searcher(scene.world), _Searcher(scene.regions)
    corners = world.corners()
    tree = searcher.warp.Bvh(*corners)
    kept = (tree, corners)
    searcher.search(tree, searcher.corners(), 0)  # the first time the kernel is compiled
    return Job(lambda: searcher.search(kept[0], searcher.corners(), 0), rows)
