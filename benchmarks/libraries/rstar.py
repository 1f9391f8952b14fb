"""rstar-python: an R*-tree in Rust, loaded in bulk."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.boxes import Boxes, PointScene, QueryScene
from benchmarks.libraries import Job, library
from benchmarks.libraries.pairs_by_queries import Found, pairs_by_queries
from benchmarks.outputs import hits, hits_of_runs, pairs


def _tree(boxes: Boxes) -> Any:
    import rstar_python

    tree = rstar_python.PyBBoxRTree(boxes.dims)
    tree.bulk_load(boxes.lo, boxes.hi)
    return tree


def _search(tree: Any, regions: Boxes) -> Found:
    found, offsets = tree.intersection_batch(regions.lo, regions.hi)
    return numpy.diff(numpy.asarray(offsets)), numpy.asarray(found)


@library("pairs", "rstar-python")
def rstar_pairs(boxes: Boxes) -> Job:
    """Build the tree and query every box."""
    return Job(pairs_by_queries(boxes.count, lambda: _search(_tree(boxes), boxes)), pairs)


@library("query", "rstar-python")
def rstar_query(scene: QueryScene) -> Job:
    """Run one query after another."""
    search = _tree(scene.world).intersection
    regions = list(zip(scene.regions.lo.tolist(), scene.regions.hi.tolist(), strict=True))
    return Job(lambda: [search(lo, hi) for lo, hi in regions], hits)


@library("queries", "rstar-python")
def rstar_queries(scene: QueryScene) -> Job:
    """Run all queries in one call."""
    tree = _tree(scene.world)
    return Job(lambda: _search(tree, scene.regions), lambda found: hits_of_runs(*found))


def _centres(scene: PointScene) -> tuple[Any, list[list[float]]]:
    """Return a tree of the centres of boxes, since the tree of boxes has no such query; and the points."""
    import rstar_python

    tree = rstar_python.PyRTree(scene.dims)
    tree.bulk_load(scene.world.centres)
    return tree, scene.points.tolist()


@library("nearest of 1", "rstar-python, centres", leaves_out="boxes are points")
def rstar_nearest(scene: PointScene) -> Job:
    """Search for the nearest centre of one point after another."""
    tree, points = _centres(scene)
    return Job(lambda: [tree.nearest_neighbor(point) for point in points])


@library("nearest of 8", "rstar-python, centres", leaves_out="boxes are points")
def rstar_nearest_8(scene: PointScene) -> Job:
    """Search for the nearest centres of one point after another."""
    tree, points = _centres(scene)
    return Job(lambda: [tree.k_nearest_neighbors(point, 8) for point in points])
