"""Divides the cells of a large grid into few rectangles and into connected parts.

Cells are numbers, row * columns + column, in an array in reading order. A run of cells in a row is extended downwards
while the rows below have the same run. NumPy does this for all runs at once, because a map may have millions of cells.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int64]

MIN_CELLS_FOR_NUMPY = 64
"""Up to this number of cells a Python loop is faster than the NumPy calls."""


def cells_by_value(grid: Sequence[int] | NDArray[np.integer[Any]]) -> dict[int, Cells]:
    """Return the cells of each nonzero value. O(cells log cells) for any number of values."""
    values = np.asarray(grid, np.int64)
    cells = np.flatnonzero(values)
    cells = cells[np.argsort(values[cells], kind="stable")]
    parts = np.split(cells, np.flatnonzero(np.diff(values[cells])) + 1) if len(cells) else []
    return {int(values[part[0]]): part for part in parts}


def rectangles_of(cells: Cells, columns: int) -> Cells:
    """Return few rectangles that cover exactly these cells, an (n, 4) array in reading order. O(cells log cells).

    Each row is top, left, bottom and right; bottom and right are exclusive.
    """
    if len(cells) <= MIN_CELLS_FOR_NUMPY:
        return np.array(_rectangles_of_few(cells.tolist(), columns), np.int64).reshape(-1, 4)
    tops, lefts, lengths = _runs(cells, columns)
    order = np.lexsort((tops, lengths, lefts))
    tops, lefts, lengths = tops[order], lefts[order], lengths[order]
    grows = (np.diff(lefts) == 0) & (np.diff(lengths) == 0) & (np.diff(tops) == 1)
    first = np.flatnonzero(np.append(True, ~grows)[: len(tops)])
    last = np.append(first[1:], len(tops)) - 1 if len(first) else first
    found = np.stack([tops[first], lefts[first], tops[last] + 1, (lefts + lengths)[first]], axis=1)
    return found[np.lexsort((found[:, 1], found[:, 0]))]


def _rectangles_of_few(cells: list[int], columns: int) -> list[list[int]]:
    """Return the same rectangles with a loop over the cells."""
    runs: list[list[int]] = []
    for cell in cells:
        row, column = divmod(cell, columns)
        if runs and runs[-1][0] == row and runs[-1][3] == column:
            runs[-1][3] += 1
        else:
            runs.append([row, column, row + 1, column + 1])
    growing: dict[tuple[int, int, int], list[int]] = {}
    for run in runs:
        top, left, bottom, right = run
        above = growing.pop((top, left, right), run)
        above[2] = bottom
        growing[bottom, left, right] = above
    return sorted(growing.values())


def connected_parts(rectangles: Cells) -> Cells:
    """Return the number of the connected part that each rectangle belongs to, in reading order.

    Rectangles are connected by a shared side. They consist of complete runs, so only tops and bottoms can touch.
    """
    found = rectangles.tolist()
    parents = list(range(len(found)))
    for one, other in _stacked_pairs(found):
        low, high = sorted((_root(parents, one), _root(parents, other)))
        parents[high] = low
    return np.unique([_root(parents, index) for index in parents], return_inverse=True)[1].astype(np.int64)


def part_of_cells(cells: Cells, rectangles: Cells, parts: Cells, columns: int) -> Cells:
    """Return for each cell the part number of its rectangle."""
    heights = rectangles[:, 2] - rectangles[:, 0]
    rows = np.arange(heights.sum()) + np.repeat(rectangles[:, 0] + heights - np.cumsum(heights), heights)
    firsts = rows * columns + np.repeat(rectangles[:, 1], heights)
    order = np.argsort(firsts)
    return np.repeat(parts, heights)[order][np.searchsorted(firsts[order], cells, side="right") - 1]


def _runs(cells: Cells, columns: int) -> tuple[Cells, Cells, Cells]:
    """Return row, first column and length of every run, in reading order."""
    continues = (np.diff(cells) == 1) & (cells[1:] % columns != 0)
    first = np.flatnonzero(np.append(True, ~continues)[: len(cells)])
    lengths = np.diff(np.append(first, len(cells)))
    return cells[first] // columns, cells[first] % columns, lengths


def _root(parents: list[int], index: int) -> int:
    """Return the root of a run's part, and shorten the path to it for later calls (union-find)."""
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index


def _stacked_pairs(rectangles: list[list[int]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of rectangles in which the first one's bottom touches the second one's top."""
    ending: dict[int, list[int]] = {}
    for index in sorted(range(len(rectangles)), key=lambda index: rectangles[index][1]):
        ending.setdefault(rectangles[index][2], []).append(index)
    for index, (top, left, _, right) in enumerate(rectangles):
        above = ending.get(top, [])
        at = bisect_right(above, left, key=lambda other: rectangles[other][3])
        while at < len(above) and rectangles[above[at]][1] < right:
            yield above[at], index
            at += 1
