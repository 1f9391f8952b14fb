"""boostree: the R-tree of Boost.Geometry."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.answers import hits, hits_of_runs, pairs
from benchmarks.boxes import Asking, Boxes
from benchmarks.peers import Job, peer
from benchmarks.peers.joined import Found, pairs_by_asking


def _tree(boxes: Boxes) -> Any:
    import boostree

    return boostree.RTree.from_boxes(boxes.lo, boxes.hi)


def _ask(tree: Any, asked: Boxes) -> Found:
    found, counts = tree.intersect(asked.lo, asked.hi)
    return counts.astype(numpy.int64), found


@peer("pairs", "boostree")
def boostree_pairs(boxes: Boxes) -> Job:
    """Build the tree and ask about every box."""
    return Job(pairs_by_asking(boxes.count, lambda: _ask(_tree(boxes), boxes)), pairs)


@peer("query", "boostree")
def boostree_query(scene: Asking) -> Job:
    """Ask one question after another: each is an array of one row."""
    ask = _tree(scene.world).intersect
    asked = [(scene.asked.lo[row : row + 1], scene.asked.hi[row : row + 1]) for row in range(scene.asked.count)]
    return Job(lambda: [ask(lo, hi)[0] for lo, hi in asked], hits)


@peer("queries", "boostree")
def boostree_queries(scene: Asking) -> Job:
    """Ask all questions in one call."""
    tree = _tree(scene.world)
    return Job(lambda: _ask(tree, scene.asked), lambda found: hits_of_runs(*found))
