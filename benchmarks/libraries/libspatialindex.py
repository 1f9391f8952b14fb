"""rtree: libspatialindex, built in bulk."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.answers import hits, hits_of_runs, pairs
from benchmarks.boxes import Asking, Boxes
from benchmarks.peers import Job, peer
from benchmarks.peers.joined import Found, pairs_by_asking


def _tree(boxes: Boxes) -> Any:
    from rtree import index

    kind = index.Property(dimension=boxes.dims)
    return index.Index((numpy.arange(boxes.count), boxes.lo, boxes.hi), properties=kind, interleaved=True)


def _ask(tree: Any, asked: Boxes) -> Found:
    found, counts = tree.intersection_v(asked.lo, asked.hi)
    return counts.astype(numpy.int64), found


@peer("pairs", "rtree")
def rtree_pairs(boxes: Boxes) -> Job:
    """Build the tree and ask about every box."""
    return Job(pairs_by_asking(boxes.count, lambda: _ask(_tree(boxes), boxes)), pairs)


@peer("query", "rtree")
def rtree_query(scene: Asking) -> Job:
    """Ask one question after another."""
    ask, asked = _tree(scene.world).intersection, numpy.hstack([scene.asked.lo, scene.asked.hi]).tolist()
    return Job(lambda: [list(ask(box)) for box in asked], hits)


@peer("queries", "rtree")
def rtree_queries(scene: Asking) -> Job:
    """Ask all questions in one call."""
    tree = _tree(scene.world)
    return Job(lambda: _ask(tree, scene.asked), lambda found: hits_of_runs(*found))
