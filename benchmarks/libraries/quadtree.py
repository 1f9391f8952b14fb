"""fastquadtree: a quadtree in Rust; 2D, float32."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.answers import hits, pairs
from benchmarks.boxes import Asking, Boxes
from benchmarks.peers import Job, peer
from benchmarks.peers.joined import Found, pairs_by_asking

CAPACITY = 16
"""Boxes a leaf holds before it is split."""


def _tree(boxes: Boxes) -> Any:
    from fastquadtree import RectQuadTree

    tree = RectQuadTree((*(boxes.lo.min(axis=0) - 1).tolist(), *(boxes.hi.max(axis=0) + 1).tolist()), CAPACITY)
    tree.insert_many_np(numpy.hstack([boxes.lo, boxes.hi]).astype(numpy.float32))
    return tree


def _tuples(boxes: Boxes) -> list[tuple[float, ...]]:
    return list(map(tuple, numpy.hstack([boxes.lo, boxes.hi]).tolist()))


@peer("pairs", "fastquadtree", dims=(2,))
def quadtree_pairs(boxes: Boxes) -> Job:
    """Build the tree and ask about every box, one call each."""
    asked = _tuples(boxes)

    def ask() -> Found:
        query = _tree(boxes).query_np
        found = [query(box)[0] for box in asked]
        return [len(each) for each in found], numpy.concatenate(found).astype(numpy.int64)

    return Job(pairs_by_asking(boxes.count, ask), pairs)


@peer("query", "fastquadtree", dims=(2,))
def quadtree_query(scene: Asking) -> Job:
    """Ask one question after another."""
    ask, asked = _tree(scene.world).query_np, _tuples(scene.asked)
    return Job(lambda: [ask(box)[0] for box in asked], hits)
