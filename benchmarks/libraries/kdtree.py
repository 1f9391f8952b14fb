"""SciPy's k-d tree over the centres: near ones are found, then told apart by their boxes."""

from __future__ import annotations

from benchmarks.answers import Rows, pairs
from benchmarks.boxes import Boxes
from benchmarks.peers import Job, peer


@peer("pairs", "scipy cKDTree")
def kdtree(boxes: Boxes) -> Job:
    """Find all centres within the largest side of each other, and keep the pairs that overlap."""
    from scipy.spatial import cKDTree

    reach = float((boxes.hi - boxes.lo).max())

    def found() -> Rows:
        near: Rows = cKDTree(boxes.centres).query_pairs(reach, p=float("inf"), output_type="ndarray")
        one, other = near[:, 0], near[:, 1]
        overlap = ((boxes.lo[one] < boxes.hi[other]) & (boxes.lo[other] < boxes.hi[one])).all(axis=1)
        return near[overlap]

    return Job(found, pairs)
