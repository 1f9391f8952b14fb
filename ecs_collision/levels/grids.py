"""Cells of a large grid cut into few rectangles, and into parts that hang together.

Cells are numbers, row * columns + column, in an array in reading order. A run of cells along a row grows downwards as
long as the rows below have the same run; all at once in numpy, for a map may have millions of cells.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int64]
Rectangle = tuple[int, int, int, int]
"""Top, left, bottom and right; bottom and right are the first row and column outside."""


def cells_by_value(grid: Sequence[int]) -> dict[int, Cells]:
    """Return the cells of each value but 0. O(cells log cells), however many values there are."""
    values = np.asarray(grid, np.int64)
    cells = np.flatnonzero(values)
    cells = cells[np.argsort(values[cells], kind="stable")]
    parts = np.split(cells, np.flatnonzero(np.diff(values[cells])) + 1) if len(cells) else []
    return {int(values[part[0]]): part for part in parts}


def rectangles_of(cells: Cells, columns: int) -> list[Rectangle]:
    """Return few rectangles that cover just these cells, in reading order. O(cells log cells)."""
    tops, lefts, lengths = _runs(cells, columns)
    order = np.lexsort((tops, lengths, lefts))
    tops, lefts, lengths = tops[order], lefts[order], lengths[order]
    grows = (np.diff(lefts) == 0) & (np.diff(lengths) == 0) & (np.diff(tops) == 1)
    first = np.flatnonzero(np.append(True, ~grows)[: len(tops)])
    last = np.append(first[1:], len(tops)) - 1 if len(first) else first
    found = zip(
        tops[first].tolist(), lefts[first].tolist(), (tops[last] + 1).tolist(), (lefts + lengths)[first].tolist(),
        strict=True,
    )  # fmt: skip
    return sorted(found)


def parts_of(cells: Cells, columns: int) -> list[Cells]:
    """Return the parts whose cells hang together by their sides; they and their cells are in reading order."""
    tops, lefts, lengths = _runs(cells, columns)
    runs = list(zip(tops.tolist(), lefts.tolist(), (lefts + lengths).tolist(), strict=True))
    parents = list(range(len(runs)))
    for one, other in _one_above_other(runs):
        low, high = sorted((_root(parents, one), _root(parents, other)))
        parents[high] = low
    labels = np.repeat(np.array([_root(parents, index) for index in range(len(runs))], np.int64), lengths)
    order = np.argsort(labels, kind="stable")
    return np.split(cells[order], np.flatnonzero(np.diff(labels[order])) + 1) if len(cells) else []


def _runs(cells: Cells, columns: int) -> tuple[Cells, Cells, Cells]:
    """Return row, first column and length of every run along a row, in reading order."""
    goes_on = (np.diff(cells) == 1) & (cells[1:] % columns != 0)
    first = np.flatnonzero(np.append(True, ~goes_on)[: len(cells)])
    lengths = np.diff(np.append(first, len(cells)))
    return cells[first] // columns, cells[first] % columns, lengths


def _root(parents: list[int], index: int) -> int:
    """Return the run that stands for the part a run is in, shortening the way for the next who asks."""
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index


def _one_above_other(runs: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of runs (row, first column, column behind) of which one lies on the other."""
    above: list[int] = []
    for row, numbered in groupby(range(len(runs)), key=lambda index: runs[index][0]):
        these = list(numbered)
        if above and runs[above[0]][0] == row - 1:
            for index in these:
                at = bisect_right(above, runs[index][1], key=lambda other: runs[other][2])
                while at < len(above) and runs[above[at]][1] < runs[index][2]:
                    yield above[at], index
                    at += 1
        above = these
