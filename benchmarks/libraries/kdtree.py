"""SciPy: a k-d tree of the centres finds near boxes, which are then compared."""

from __future__ import annotations

from benchmarks.boxes import Boxes, PointScene
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


def _nearest(scene: PointScene, k: int) -> Job:
    from scipy.spatial import cKDTree

    query, points = cKDTree(scene.world.centres).query, scene.points.tolist()
    return Job(lambda: [query(point, k) for point in points])


@library("nearest of 1", "scipy cKDTree, centres", leaves_out="boxes are points")
def kdtree_nearest(scene: PointScene) -> Job:
    """Search for the nearest centre of one point after another."""
    return _nearest(scene, 1)


@library("nearest of 8", "scipy cKDTree, centres", leaves_out="boxes are points")
def kdtree_nearest_8(scene: PointScene) -> Job:
    """Search for the nearest centres of one point after another."""
    return _nearest(scene, 8)
