"""shapely: the STRtree of GEOS; 2D."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.answers import Rows, hits, rows
from benchmarks.boxes import Asking, Boxes
from benchmarks.peers import Job, peer


def _shapes(boxes: Boxes) -> Any:
    import shapely

    return shapely.box(boxes.lo[:, 0], boxes.lo[:, 1], boxes.hi[:, 0], boxes.hi[:, 1])


@peer("pairs", "shapely STRtree", dims=(2,))
def shapely_pairs(boxes: Boxes) -> Job:
    """Make the shapes, build the tree, ask about every box."""
    import shapely

    def found() -> Rows:
        shapes = _shapes(boxes)
        met: Rows = shapely.STRtree(shapes).query(shapes)
        return met[:, met[0] < met[1]].T

    return Job(found, rows)


@peer("query", "shapely STRtree", dims=(2,))
def shapely_query(scene: Asking) -> Job:
    """Ask one question after another; the shapes asked about are made beforehand."""
    import shapely

    ask, asked = shapely.STRtree(_shapes(scene.world)).query, list(_shapes(scene.asked))
    return Job(lambda: [ask(shape) for shape in asked], hits)


@peer("queries", "shapely STRtree", dims=(2,))
def shapely_queries(scene: Asking) -> Job:
    """Ask all questions in one call, their shapes made in it."""
    import shapely

    ask = shapely.STRtree(_shapes(scene.world)).query
    return Job(lambda: ask(_shapes(scene.asked)), lambda found: rows(numpy.asarray(found).T))
