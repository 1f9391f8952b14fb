"""What people write themselves: a grid in NumPy, and a dict of cells in plain Python."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy

from benchmarks.boxes import Boxes, PointScene, QueryScene
from benchmarks.libraries import Job, Skipped, library
from benchmarks.outputs import Rows, firsts, hits, pairs

RAYS = 2_000
"""Maximum number of rays that are compared with all boxes."""
CELL = 1.5
"""Side of a cell of the dict: the largest side of a common box."""
CANDIDATES = 20_000_000
"""Maximum number of pairs that the NumPy grid compares: their arrays take 50 bytes each."""


@library("pairs", "NumPy grid, by hand")
def numpy_grid(boxes: Boxes) -> Job:
    """Sort boxes by the cell of their lower corner; partners are in that cell or in half of its neighbours."""
    lo, hi, dims = boxes.lo, boxes.hi, boxes.dims
    offsets = [way for way in itertools.product((-1, 0, 1), repeat=dims) if way >= (0,) * dims]

    def found() -> Rows:
        cells = numpy.floor((lo - lo.min(axis=0)) / (hi - lo).max()).astype(numpy.int64) + 1
        strides = numpy.cumprod([1, *(cells.max(axis=0)[:-1] + 2)])
        keys = cells @ strides
        order = numpy.argsort(keys, kind="stable")
        keys, below, above = keys[order], lo[order], hi[order]
        met = [numpy.empty((0, 2), numpy.int64)]
        for offset in offsets:
            first = numpy.searchsorted(keys, keys + offset @ strides)
            counts = numpy.searchsorted(keys, keys + offset @ strides, side="right") - first
            if counts.sum() > CANDIDATES:
                raise Skipped("one size of cells: too many candidates")
            one = numpy.repeat(numpy.arange(len(keys)), counts)
            other = numpy.arange(len(one)) + numpy.repeat(first - numpy.cumsum(counts) + counts, counts)
            if not any(offset):
                one, other = one[one < other], other[one < other]
            overlap = ((below[one] < above[other]) & (below[other] < above[one])).all(axis=1)
            met.append(numpy.stack([order[one[overlap]], order[other[overlap]]], axis=1))
        return numpy.concatenate(met)

    return Job(found, pairs)


def _cells(lo: list[float], hi: list[float]) -> Iterator[tuple[int, ...]]:
    ranges = (range(int(low // CELL), int(high // CELL) + 1) for low, high in zip(lo, hi, strict=True))
    return itertools.product(*ranges)


def _grid(lo: list[list[float]], hi: list[list[float]]) -> dict[tuple[int, ...], list[int]]:
    grid: dict[tuple[int, ...], list[int]] = {}
    for row, (low, high) in enumerate(zip(lo, hi, strict=True)):
        for cell in _cells(low, high):
            grid.setdefault(cell, []).append(row)
    return grid


@library("pairs", "dict of cells, by hand")
def dict_pairs(boxes: Boxes) -> Job:
    """Add each box to every cell it meets, compare within cells, keep each pair once in a set."""
    lo, hi = boxes.lo.tolist(), boxes.hi.tolist()
    axes = range(boxes.dims)

    def found() -> list[tuple[int, int]]:
        met = set()
        for inhabitants in _grid(lo, hi).values():
            for place, one in enumerate(inhabitants):
                low, high = lo[one], hi[one]
                for other in inhabitants[place + 1 :]:
                    below, above = lo[other], hi[other]
                    if all(low[axis] < above[axis] and below[axis] < high[axis] for axis in axes):
                        met.add((one, other))
        return list(met)

    return Job(found, pairs)


@library("query", "dict of cells, by hand")
def dict_query(scene: QueryScene) -> Job:
    """Search every cell that a region meets."""
    lo, hi = scene.world.lo.tolist(), scene.world.hi.tolist()
    axes, grid = range(scene.dims), _grid(lo, hi)
    regions = list(zip(scene.regions.lo.tolist(), scene.regions.hi.tolist(), strict=True))

    def overlapping(low: list[float], high: list[float]) -> set[int]:
        near = {row for cell in _cells(low, high) for row in grid.get(cell, ())}
        return {row for row in near if all(lo[row][axis] < high[axis] and low[axis] < hi[row][axis] for axis in axes)}

    return Job(lambda: [overlapping(low, high) for low, high in regions], lambda found: hits(map(sorted, found)))


@library("ray", "all boxes in NumPy, by hand")
def numpy_ray(scene: PointScene) -> Job:
    """Compare each ray with the slabs of all boxes."""
    lo, hi = scene.world.lo, scene.world.hi
    if len(scene.points) > RAYS:
        raise Skipped(f"too slow beyond {RAYS:,} rays")

    def first(point: Rows, way: Rows) -> int | None:
        with numpy.errstate(divide="ignore", invalid="ignore"):
            near, far = (lo - point) / way, (hi - point) / way
        enter, leave = numpy.minimum(near, far).max(axis=1), numpy.maximum(near, far).min(axis=1)
        when = numpy.where((enter < leave) & (enter >= 0) & (enter <= 1), enter, numpy.inf)
        at = int(when.argmin())
        return at if when[at] <= 1 else None

    return Job(lambda: [first(point, way) for point, way in zip(scene.points, scene.directions, strict=True)], firsts)
