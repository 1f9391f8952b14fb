"""shapely: the STRtree of GEOS; 2D."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.boxes import Boxes, QueryScene
from benchmarks.libraries import Job, library
from benchmarks.outputs import Rows, hits, rows


def _shapes(boxes: Boxes) -> Any:
    import shapely

    return shapely.box(boxes.lo[:, 0], boxes.lo[:, 1], boxes.hi[:, 0], boxes.hi[:, 1])


@library("pairs", "shapely STRtree", dims=(2,))
def shapely_pairs(boxes: Boxes) -> Job:
    """Make the shapes, build the tree, query every box."""
    import shapely

    def found() -> Rows:
        shapes = _shapes(boxes)
        met: Rows = shapely.STRtree(shapes).query(shapes)
        return met[:, met[0] < met[1]].T

    return Job(found, rows)


@library("query", "shapely STRtree", dims=(2,))
def shapely_query(scene: QueryScene) -> Job:
    """Run one query after another; the shapes of the queries are made beforehand."""
    import shapely

    search, regions = shapely.STRtree(_shapes(scene.world)).query, list(_shapes(scene.regions))
    return Job(lambda: [search(shape) for shape in regions], hits)


@library("queries", "shapely STRtree", dims=(2,))
def shapely_queries(scene: QueryScene) -> Job:
    """Run all queries in one call, including making their shapes."""
    import shapely

    search = shapely.STRtree(_shapes(scene.world)).query
    return Job(lambda: search(_shapes(scene.regions)), lambda found: rows(numpy.asarray(found).T))
