"""rtree: libspatialindex, built in bulk."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.boxes import Boxes, PointScene, QueryScene
from benchmarks.libraries import Job, library
from benchmarks.libraries.pairs_by_queries import Found, pairs_by_queries
from benchmarks.outputs import hits, hits_of_runs, pairs


def _tree(boxes: Boxes) -> Any:
    from rtree import index

    kind = index.Property(dimension=boxes.dims)
    return index.Index((numpy.arange(boxes.count), boxes.lo, boxes.hi), properties=kind, interleaved=True)


def _search(tree: Any, regions: Boxes) -> Found:
    found, counts = tree.intersection_v(regions.lo, regions.hi)
    return counts.astype(numpy.int64), found


@library("pairs", "rtree")
def rtree_pairs(boxes: Boxes) -> Job:
    """Build the tree and query every box."""
    return Job(pairs_by_queries(boxes.count, lambda: _search(_tree(boxes), boxes)), pairs)


@library("query", "rtree")
def rtree_query(scene: QueryScene) -> Job:
    """Run one query after another."""
    search, regions = _tree(scene.world).intersection, numpy.hstack([scene.regions.lo, scene.regions.hi]).tolist()
    return Job(lambda: [list(search(box)) for box in regions], hits)


@library("queries", "rtree")
def rtree_queries(scene: QueryScene) -> Job:
    """Run all queries in one call."""
    tree = _tree(scene.world)
    return Job(lambda: _search(tree, scene.regions), lambda found: hits_of_runs(*found))


def _nearest(scene: PointScene, k: int) -> Job:
    search, points = _tree(scene.world).nearest, numpy.hstack([scene.points, scene.points]).tolist()
    return Job(lambda: [list(search(point, k)) for point in points], hits)


@library("nearest of 1", "rtree")
def rtree_nearest(scene: PointScene) -> Job:
    """Search for the nearest box of one point after another."""
    return _nearest(scene, 1)


@library("nearest of 8", "rtree")
def rtree_nearest_8(scene: PointScene) -> Job:
    """Search for the nearest boxes of one point after another."""
    return _nearest(scene, 8)
