"""python-prtree: a priority R-tree in C++."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.boxes import Boxes, QueryScene
from benchmarks.libraries import Job, library
from benchmarks.libraries.pairs_by_queries import Found, pairs_by_queries
from benchmarks.outputs import hits, pairs


def _tree(boxes: Boxes) -> Any:
    import python_prtree

    kind = {2: python_prtree.PRTree2D, 3: python_prtree.PRTree3D}[boxes.dims]
    return kind(numpy.arange(boxes.count), _packed(boxes))


def _packed(boxes: Boxes) -> Any:
    return numpy.hstack([boxes.lo, boxes.hi])


@library("pairs", "python-prtree")
def prtree_pairs(boxes: Boxes) -> Job:
    """Build the tree and query every box; the lists of results are joined into arrays."""

    def search() -> Found:
        found = _tree(boxes).batch_query(_packed(boxes))
        counts = [len(each) for each in found]
        return counts, numpy.fromiter((one for each in found for one in each), numpy.int64, sum(counts))

    return Job(pairs_by_queries(boxes.count, search), pairs)


@library("query", "python-prtree")
def prtree_query(scene: QueryScene) -> Job:
    """Run one query after another."""
    search, regions = _tree(scene.world).query, _packed(scene.regions).tolist()
    return Job(lambda: [search(box) for box in regions], hits)


@library("queries", "python-prtree")
def prtree_queries(scene: QueryScene) -> Job:
    """Run all queries in one call, which returns a list for each."""
    tree, regions = _tree(scene.world), _packed(scene.regions)
    return Job(lambda: tree.batch_query(regions), hits)
