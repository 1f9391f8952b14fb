"""geoindex-rs: a packed Hilbert R-tree in Rust; 2D."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.boxes import Boxes, QueryScene
from benchmarks.libraries import Job, library
from benchmarks.outputs import Rows, hits, pairs


def _tree(boxes: Boxes) -> Any:
    from geoindex_rs import rtree

    builder = rtree.RTreeBuilder(boxes.count)
    builder.add(boxes.lo[:, 0].copy(), boxes.lo[:, 1].copy(), boxes.hi[:, 0].copy(), boxes.hi[:, 1].copy())
    return builder.finish()


@library("pairs", "geoindex-rs", dims=(2,))
def geoindex_pairs(boxes: Boxes) -> Job:
    """Build the tree and join it with itself."""
    from geoindex_rs import rtree

    def found() -> Rows:
        tree = _tree(boxes)
        pairs_by_queries = rtree.tree_join(tree, tree)
        one, other = (numpy.asarray(pairs_by_queries.column(side)) for side in (0, 1))
        once = one < other
        return numpy.stack([one[once], other[once]], axis=1)

    return Job(found, pairs)


@library("query", "geoindex-rs", dims=(2,))
def geoindex_query(scene: QueryScene) -> Job:
    """Run one query after another."""
    from geoindex_rs import rtree

    tree, search = _tree(scene.world), rtree.search
    regions = numpy.hstack([scene.regions.lo, scene.regions.hi]).tolist()

    def output(found: Any) -> Rows:
        return hits([numpy.asarray(each).tolist() for each in found])

    return Job(lambda: [search(tree, *box) for box in regions], output)
