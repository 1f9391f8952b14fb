"""rstar-python: an R*-tree in Rust, loaded in bulk."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.answers import hits, hits_of_runs, pairs
from benchmarks.boxes import Asking, Boxes
from benchmarks.peers import Job, peer
from benchmarks.peers.joined import Found, pairs_by_asking


def _tree(boxes: Boxes) -> Any:
    import rstar_python

    tree = rstar_python.PyBBoxRTree(boxes.dims)
    tree.bulk_load(boxes.lo, boxes.hi)
    return tree


def _ask(tree: Any, asked: Boxes) -> Found:
    found, offsets = tree.intersection_batch(asked.lo, asked.hi)
    return numpy.diff(numpy.asarray(offsets)), numpy.asarray(found)


@peer("pairs", "rstar-python")
def rstar_pairs(boxes: Boxes) -> Job:
    """Build the tree and ask about every box."""
    return Job(pairs_by_asking(boxes.count, lambda: _ask(_tree(boxes), boxes)), pairs)


@peer("query", "rstar-python")
def rstar_query(scene: Asking) -> Job:
    """Ask one question after another."""
    ask = _tree(scene.world).intersection
    asked = list(zip(scene.asked.lo.tolist(), scene.asked.hi.tolist(), strict=True))
    return Job(lambda: [ask(lo, hi) for lo, hi in asked], hits)


@peer("queries", "rstar-python")
def rstar_queries(scene: Asking) -> Job:
    """Ask all questions in one call."""
    tree = _tree(scene.world)
    return Job(lambda: _ask(tree, scene.asked), lambda found: hits_of_runs(*found))
