"""SciPy: a k-d tree of the centres finds near boxes, which are then compared."""

from __future__ import annotations

from benchmarks.boxes import Boxes
from benchmarks.libraries import Job, library
from benchmarks.outputs import Rows, pairs


@library("pairs", "scipy cKDTree")
def kdtree(boxes: Boxes) -> Job:
    """Find all centres within the largest side of each other, and keep the pairs that overlap."""
    from scipy.spatial import cKDTree

    radius = float((boxes.hi - boxes.lo).max())

    def found() -> Rows:
        near: Rows = cKDTree(boxes.centres).query_pairs(radius, p=float("inf"), output_type="ndarray")
        one, other = near[:, 0], near[:, 1]
        overlap = ((boxes.lo[one] < boxes.hi[other]) & (boxes.lo[other] < boxes.hi[one])).all(axis=1)
        return near[overlap]

    return Job(found, pairs)
