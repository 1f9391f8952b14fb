"""fastquadtree: a quadtree in Rust; 2D, float32."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.boxes import Boxes, QueryScene
from benchmarks.libraries import Job, library
from benchmarks.libraries.pairs_by_queries import Found, pairs_by_queries
from benchmarks.outputs import hits, pairs

CAPACITY = 16
"""Boxes in a leaf before it is split."""


def _tree(boxes: Boxes) -> Any:
    from fastquadtree import RectQuadTree

    tree = RectQuadTree((*(boxes.lo.min(axis=0) - 1).tolist(), *(boxes.hi.max(axis=0) + 1).tolist()), CAPACITY)
    tree.insert_many_np(numpy.hstack([boxes.lo, boxes.hi]).astype(numpy.float32))
    return tree


def _tuples(boxes: Boxes) -> list[tuple[float, ...]]:
    return list(map(tuple, numpy.hstack([boxes.lo, boxes.hi]).tolist()))


@library("pairs", "fastquadtree", dims=(2,))
def quadtree_pairs(boxes: Boxes) -> Job:
    """Build the tree and query every box, one call each."""
    regions = _tuples(boxes)

    def search() -> Found:
        query = _tree(boxes).query_np
        found = [query(box)[0] for box in regions]
        return [len(each) for each in found], numpy.concatenate(found).astype(numpy.int64)

    return Job(pairs_by_queries(boxes.count, search), pairs)


@library("query", "fastquadtree", dims=(2,))
def quadtree_query(scene: QueryScene) -> Job:
    """Run one query after another."""
    search, regions = _tree(scene.world).query_np, _tuples(scene.regions)
    return Job(lambda: [search(box)[0] for box in regions], hits)
