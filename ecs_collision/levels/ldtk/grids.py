"""The cells of a grid: told apart by their values, and cut into few rectangles.

Cells are numbers, row * columns + column, in an array in reading order; all in numpy, for a grid may have millions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int64]
Rectangle = tuple[int, int, int, int]
"""Top, left, bottom, right: the first row and column, and the first ones outside."""


def cells_by_value(grid: Sequence[int]) -> dict[int, Cells]:
    """Return the cells of each value but 0."""
    values = np.asarray(grid, np.int64)
    cells = np.flatnonzero(values)
    cells = cells[np.argsort(values[cells], kind="stable")]
    parts = np.split(cells, np.flatnonzero(np.diff(values[cells])) + 1) if len(cells) else []
    return {int(values[part[0]]): part for part in parts}


def rectangles_of(cells: Cells, columns: int) -> list[Rectangle]:
    """Return few rectangles that cover just these cells, by top, then left.

    A run of cells along a row grows downwards as long as the rows below have the same run. O(cells log cells).
    """
    begins = np.append(True, (np.diff(cells) != 1) | (cells[1:] % columns == 0))
    starts = np.flatnonzero(begins)
    tops, lefts = np.divmod(cells[starts], columns)
    rights = lefts + np.diff(starts, append=len(cells))
    order = np.lexsort((tops, rights, lefts))
    tops, lefts, rights = tops[order], lefts[order], rights[order]
    ends = np.append((np.diff(tops) != 1) | (np.diff(lefts) != 0) | (np.diff(rights) != 0), True)
    lasts = np.flatnonzero(ends)
    firsts = np.append(0, lasts[:-1] + 1)
    found = (tops[firsts], lefts[firsts], tops[lasts] + 1, rights[firsts])
    return sorted(zip(*(each.tolist() for each in found), strict=True))
