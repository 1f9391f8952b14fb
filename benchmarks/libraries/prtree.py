"""python-prtree: a priority R-tree in C++."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.answers import hits, pairs
from benchmarks.boxes import Asking, Boxes
from benchmarks.peers import Job, peer
from benchmarks.peers.joined import Found, pairs_by_asking


def _tree(boxes: Boxes) -> Any:
    import python_prtree

    kind = {2: python_prtree.PRTree2D, 3: python_prtree.PRTree3D}[boxes.dims]
    return kind(numpy.arange(boxes.count), _packed(boxes))


def _packed(boxes: Boxes) -> Any:
    return numpy.hstack([boxes.lo, boxes.hi])


@peer("pairs", "python-prtree")
def prtree_pairs(boxes: Boxes) -> Job:
    """Build the tree and ask about every box; the lists of the answer are joined into arrays."""

    def ask() -> Found:
        found = _tree(boxes).batch_query(_packed(boxes))
        counts = [len(each) for each in found]
        return counts, numpy.fromiter((one for each in found for one in each), numpy.int64, sum(counts))

    return Job(pairs_by_asking(boxes.count, ask), pairs)


@peer("query", "python-prtree")
def prtree_query(scene: Asking) -> Job:
    """Ask one question after another."""
    ask, asked = _tree(scene.world).query, _packed(scene.asked).tolist()
    return Job(lambda: [ask(box) for box in asked], hits)


@peer("queries", "python-prtree")
def prtree_queries(scene: Asking) -> Job:
    """Ask all questions in one call, which returns a list for each."""
    tree, asked = _tree(scene.world), _packed(scene.asked)
    return Job(lambda: tree.batch_query(asked), hits)
