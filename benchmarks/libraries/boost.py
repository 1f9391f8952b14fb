"""boostree: the R-tree of Boost.Geometry."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.boxes import Boxes, QueryScene
from benchmarks.libraries import Job, library
from benchmarks.libraries.pairs_by_queries import Found, pairs_by_queries
from benchmarks.outputs import hits, hits_of_runs, pairs


def _tree(boxes: Boxes) -> Any:
    import boostree

    return boostree.RTree.from_boxes(boxes.lo, boxes.hi)


def _search(tree: Any, regions: Boxes) -> Found:
    found, counts = tree.intersect(regions.lo, regions.hi)
    return counts.astype(numpy.int64), found


@library("pairs", "boostree")
def boostree_pairs(boxes: Boxes) -> Job:
    """Build the tree and query every box."""
    return Job(pairs_by_queries(boxes.count, lambda: _search(_tree(boxes), boxes)), pairs)


@library("query", "boostree")
def boostree_query(scene: QueryScene) -> Job:
    """Run one query after another: each is an array of one row."""
    search = _tree(scene.world).intersect
    regions = [(scene.regions.lo[row : row + 1], scene.regions.hi[row : row + 1]) for row in range(scene.regions.count)]
    return Job(lambda: [search(lo, hi)[0] for lo, hi in regions], hits)


@library("queries", "boostree")
def boostree_queries(scene: QueryScene) -> Job:
    """Run all queries in one call."""
    tree = _tree(scene.world)
    return Job(lambda: _search(tree, scene.regions), lambda found: hits_of_runs(*found))
