"""Frame libraries that take arrays: indexes that are rebuilt, and indexes that update what moved."""

from __future__ import annotations

import logging
from functools import cache
from itertools import product
from typing import Any

import numpy

from benchmarks.boxes import Boxes, Coordinates
from benchmarks.frames_crowd import Change, Place, Rows
from benchmarks.libraries import Skipped
from benchmarks.libraries.frame_base import Component, FrameLibrary, Rebuilding, Updating, frame_library, records


@frame_library("LBVH, rebuilt")
class LbvhFrame(Rebuilding):
    """A linear bounding volume hierarchy in C++, built and traversed with threads."""

    def __init__(self, boxes: Boxes) -> None:
        import LBVH

        self._find = LBVH.find_intersections
        self._both = numpy.empty((boxes.count, 2, boxes.dims), numpy.float32)
        super().__init__(boxes)

    def _all_pairs(self) -> tuple[Rows, Rows]:
        self._both[:, 0], self._both[:, 1] = self.lo, self.hi
        found = self._find(self._both)
        return found[:, 0], found[:, 1]


@frame_library("shapely STRtree, rebuilt", dims=(2,))
class ShapelyFrame(Rebuilding):
    """The STR-tree of GEOS."""

    def __init__(self, boxes: Boxes) -> None:
        import shapely

        self._shapely = shapely
        super().__init__(boxes)

    def _all_pairs(self) -> tuple[Rows, Rows]:
        made = self._shapely.box(*self.lo.T, *self.hi.T)
        first, second = self._shapely.STRtree(made).query(made)
        once = first < second
        return first[once], second[once]


@frame_library("geoindex-rs, rebuilt", dims=(2,))
class GeoindexFrame(Rebuilding):
    """A packed R-tree in Rust, pairs_by_queries with itself."""

    def __init__(self, boxes: Boxes) -> None:
        import geoindex_rs.rtree

        self._library = geoindex_rs.rtree
        super().__init__(boxes)

    def _all_pairs(self) -> tuple[Rows, Rows]:
        builder = self._library.RTreeBuilder(self.count)
        builder.add(*(numpy.ascontiguousarray(face) for face in (*self.lo.T, *self.hi.T)))
        tree = builder.finish()
        pairs_by_queries = self._library.tree_join(tree, tree)
        first, second = (numpy.asarray(pairs_by_queries.column(index)) for index in (0, 1))
        once = first < second
        return first[once].astype(numpy.int64), second[once].astype(numpy.int64)


@frame_library("SciPy cKDTree, rebuilt")
class KdTreeFrame(Rebuilding):
    """The k-d tree of SciPy over the centres: near pairs by the longest side, then filtered by the boxes."""

    def __init__(self, boxes: Boxes) -> None:
        from scipy.spatial import cKDTree

        self._make, self._radius = cKDTree, 2 * boxes.halves.max()
        if self._radius > 2:
            raise Skipped("one radius for all sizes")
        super().__init__(boxes)

    def _all_pairs(self) -> tuple[Rows, Rows]:
        near = self._make((self.lo + self.hi) / 2).query_pairs(self._radius, p=numpy.inf, output_type="ndarray")
        first, second = near[:, 0], near[:, 1]
        overlap = (self.lo[first] < self.hi[second]).all(1) & (self.lo[second] < self.hi[first]).all(1)
        return first[overlap], second[overlap]


@frame_library("warp Bvh, rebuilt")
class WarpFrame(Rebuilding):
    """The bounding volume hierarchy of NVIDIA Warp, on the CPU."""

    def __init__(self, boxes: Boxes) -> None:
        import warp

        warp.config.idle, warp.config.log_level = True, logging.ERROR
        warp.init()
        self._warp, self._kernel = warp, _overlap_kernel(warp)
        self._low = numpy.zeros((boxes.count, 3), numpy.float32)
        self._high = numpy.ones((boxes.count, 3), numpy.float32)
        self._found = warp.zeros((64 * boxes.count, 2), dtype=int, device="cpu")
        self._count = warp.zeros(1, dtype=int, device="cpu")
        super().__init__(boxes)

    def _all_pairs(self) -> tuple[Rows, Rows]:
        warp, dims = self._warp, self.lo.shape[1]
        self._low[:, :dims], self._high[:, :dims] = self.lo, self.hi
        lo, hi = (warp.array(corners, dtype=warp.vec3, device="cpu") for corners in (self._low, self._high))
        tree = warp.Bvh(lo, hi)
        self._count.zero_()
        inputs = [tree.id, lo, hi, self._count, self._found]
        warp.launch(self._kernel, dim=self.count, inputs=inputs, device="cpu")
        found = self._found.numpy()[: int(self._count.numpy()[0])].astype(numpy.int64)
        return found[:, 0], found[:, 1]


@cache
def _overlap_kernel(warp: Any) -> Any:
    """Return the kernel that writes each pair of boxes that overlap, once. Warp reads this source."""

    def all_pairs(tree, lo, hi, count, found):  # type: ignore[no-untyped-def]
        box = warp.tid()
        query = warp.bvh_query_aabb(tree, lo[box], hi[box])
        other = warp.int32(0)
        while warp.bvh_query_next(query, other):
            if other > box:
                place = warp.atomic_add(count, 0, 1)
                found[place, 0] = box
                found[place, 1] = other

    corners, numbers = warp.array(dtype=warp.vec3), warp.array(dtype=int)
    all_pairs.__annotations__ = {
        "tree": warp.uint64,
        "lo": corners,
        "hi": corners,
        "count": numbers,
        "found": warp.array2d(dtype=int),
    }
    return warp.kernel(all_pairs, enable_backward=False)


@frame_library("rstar-python, remove and insert")
class RstarFrame(Updating):
    """An R*-tree in Rust: moved boxes are removed and inserted one by one, then queried in one batch."""

    def _insert(self) -> None:
        import rstar_python

        self._tree = rstar_python.PyBBoxRTree(self.lo.shape[1])
        self._tree.bulk_load(self.lo, self.hi)

    def _update(self, moved: Rows, lo: Coordinates, hi: Coordinates) -> None:
        remove, insert = self._tree.remove_item, self._tree.insert
        faces = (face.tolist() for face in (self.lo[moved], self.hi[moved], lo, hi))
        try:
            for row, old_lo, old_hi, new_lo, new_hi in zip(moved.tolist(), *faces, strict=True):
                remove(old_lo, old_hi, row)
                insert(new_lo, new_hi, row)
        except BaseException as panic:  # a Rust panic is not an Exception; rstar panics on small trees
            raise panic if isinstance(panic, KeyboardInterrupt) else RuntimeError(str(panic)) from panic

    def _search(self, lo: Coordinates, hi: Coordinates) -> tuple[Rows, Rows]:
        found, offsets = self._tree.intersection_batch(lo, hi)
        return numpy.asarray(found), numpy.diff(numpy.asarray(offsets))


@frame_library("rstar-python, rebuilt")
class RstarRebuiltFrame(Rebuilding):
    """The R*-tree of rstar-python, loaded again in each frame."""

    def __init__(self, boxes: Boxes) -> None:
        import rstar_python

        self._make = rstar_python.PyBBoxRTree
        super().__init__(boxes)

    def _all_pairs(self) -> tuple[Rows, Rows]:
        tree = self._make(self.lo.shape[1])
        tree.bulk_load(self.lo, self.hi)
        found, offsets = map(numpy.asarray, tree.intersection_batch(self.lo, self.hi))
        searcher = numpy.repeat(numpy.arange(self.count), numpy.diff(offsets))
        once = searcher < found
        return searcher[once], found[once]


@frame_library("boostree, update")
class BoostFrame(Updating):
    """The R-tree of Boost: moved boxes are updated in one call and queried in another."""

    def _insert(self) -> None:
        import boostree

        self._tree = boostree.RTree.from_boxes(self.lo, self.hi)

    def _update(self, moved: Rows, lo: Coordinates, hi: Coordinates) -> None:
        self._tree.update(moved, lo, maxs=hi)

    def _search(self, lo: Coordinates, hi: Coordinates) -> tuple[Rows, Rows]:
        found, counts = self._tree.intersect(lo, hi)
        return found, counts.astype(numpy.int64)


@frame_library("a dict of cells, by hand")
class DictHashFrame(FrameLibrary):
    """A typical hand-written solution: a dict of cells in plain Python, and the neighbours of each box in a set."""

    EDGE = 1.5

    def __init__(self, boxes: Boxes) -> None:
        self._halves = boxes.halves.tolist()
        self._boxes: list[tuple[list[float], list[float]]] = [([], [])] * boxes.count
        self._cells_of: list[list[tuple[int, ...]]] = [[] for _ in self._halves]
        self._cells: dict[tuple[int, ...], set[int]] = {}
        self._neighbours: list[set[int]] = [set() for _ in self._halves]
        self.components = [Component() for _ in self._halves]
        self._frame(-1, list(range(boxes.count)), boxes.centres.tolist())

    def one_by_one(self, change: Change) -> list[Any]:
        """Write components, and read those that were written."""
        components = self.components
        for row, place in zip(change.row_list, change.places, strict=True):
            components[row].position = place
        return self._frame(change.number, change.row_list, [components[row].position for row in change.row_list])

    def in_bulk(self, change: Change) -> list[Any]:
        """Read the array as lists."""
        return self._frame(change.number, change.rows.tolist(), change.centres.tolist())

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        for row, place in zip(moved, places, strict=True):
            self._put(row, place)
        began: tuple[list[int], list[int]] = ([], [])
        ended: tuple[list[int], list[int]] = ([], [])
        neighbours = self._neighbours
        for row in moved:
            now, before = self._overlapping(row), neighbours[row]
            if now != before:
                for other in now - before:
                    neighbours[other].add(row)
                    began[0].append(row)
                    began[1].append(other)
                for other in before - now:
                    neighbours[other].discard(row)
                    ended[0].append(row)
                    ended[1].append(other)
                neighbours[row] = now
        return records(number, began, ended)

    def _put(self, row: int, place: Place) -> None:
        half, edge, cells = self._halves[row], self.EDGE, self._cells
        lo = [value - radius for value, radius in zip(place, half, strict=True)]
        hi = [value + radius for value, radius in zip(place, half, strict=True)]
        self._boxes[row] = (lo, hi)
        home = list(product(*[range(int(a // edge), int(b // edge) + 1) for a, b in zip(lo, hi, strict=True)]))
        if home != self._cells_of[row]:
            for cell in self._cells_of[row]:
                cells[cell].discard(row)
            for cell in home:
                cells.setdefault(cell, set()).add(row)
            self._cells_of[row] = home

    def _overlapping(self, row: int) -> set[int]:
        boxes = self._boxes
        lo, hi = boxes[row]
        x, y, right, top = lo[0], lo[1], hi[0], hi[1]
        found = set()
        for cell in self._cells_of[row]:
            for other in self._cells[cell]:
                a, b = boxes[other]
                if x < b[0] and a[0] < right and y < b[1] and a[1] < top:
                    found.add(other)
        found.discard(row)
        if len(lo) == 3:
            low, high = lo[2], hi[2]
            return {other for other in found if low < boxes[other][1][2] and boxes[other][0][2] < high}
        return found
