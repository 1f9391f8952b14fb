"""warp-lang: a bounding volume hierarchy in NVIDIA's Warp, on the processor; float32."""

# No postponed annotations here: Warp reads those of its kernels.

from functools import cache
from typing import Any

import numpy

from benchmarks.answers import Rows, pairs, rows
from benchmarks.boxes import Asking, Boxes
from benchmarks.peers import Job, peer

ROOM = 64
"""Hits a box has room for, on average."""


@cache
def _kernel() -> Any:
    """Return the kernel that writes (number of the question, box hit), and once only where `once` is set."""
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
        asked = warp.tid()
        query = warp.bvh_query_aabb(tree, lo[asked], hi[asked])
        hit = int(0)  # noqa: RUF046, UP018 - to Warp a literal is a constant
        while warp.bvh_query_next(query, hit):
            if once == 0 or hit > asked:
                place = warp.atomic_add(count, 0, 1)
                out[place, 0] = asked
                out[place, 1] = hit

    return overlapping


class _Asker:
    """Room for the answers, and the call that fills it."""

    def __init__(self, asked: Boxes) -> None:
        import warp

        self.warp, self.asked = warp, asked
        self.out = warp.zeros((ROOM * asked.count, 2), dtype=int, device="cpu")
        self.count = warp.zeros(1, dtype=int, device="cpu")
        self.lo, self.hi = (corner.astype(numpy.float32) for corner in (asked.in_3d().lo, asked.in_3d().hi))

    def corners(self) -> tuple[Any, Any]:
        """Return the corners as arrays of Warp."""
        return tuple(self.warp.array(corner, dtype=self.warp.vec3, device="cpu") for corner in (self.lo, self.hi))

    def ask(self, tree: Any, corners: tuple[Any, Any], once: int) -> Rows:
        """Return rows of (number of the question, box hit)."""
        self.count.zero_()
        inputs = [tree.id, *corners, once, self.count, self.out]
        self.warp.launch(_kernel(), dim=self.asked.count, inputs=inputs, device="cpu")
        found: Rows = self.out.numpy()[: int(self.count.numpy()[0])]
        return found


@peer("pairs", "warp-lang Bvh")
def warp_pairs(boxes: Boxes) -> Job:
    """Build the tree and ask about every box, each pair once."""
    asker = _Asker(boxes)

    def found() -> Rows:
        corners = asker.corners()
        return asker.ask(asker.warp.Bvh(*corners), corners, 1)

    found()  # the first time the kernel is compiled
    return Job(found, pairs)


@peer("queries", "warp-lang Bvh")
def warp_queries(scene: Asking) -> Job:
    """Ask all questions in one call."""
    world, asker = _Asker(scene.world), _Asker(scene.asked)
    corners = world.corners()
    tree = asker.warp.Bvh(*corners)
    kept = (tree, corners)
    asker.ask(tree, asker.corners(), 0)  # the first time the kernel is compiled
    return Job(lambda: asker.ask(kept[0], asker.corners(), 0), rows)
