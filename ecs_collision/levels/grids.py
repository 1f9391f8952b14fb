"""Divides the cells of a large grid into few rectangles and into connected parts, and things into boxes.

A run of equal cells in a row is extended downwards while the rows below have the same run. The cost is that of the
runs, because a map may have millions of cells.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, TypeVar

from ecs_collision.components import Box

Value = TypeVar("Value")
Rectangle = tuple[int, int, int, int]
"""Top, left, bottom and right in cells; bottom and right are exclusive."""

Cell = tuple[int, int]
"""Row and column, from 0, so that cells sort in reading order."""

UNIT_BOXES = (Box(0.5, 0.5),)
"""Boxes of a thing that fills one cell."""


class Run(NamedTuple):
    """Cells of a row from `left` to `right`, which is exclusive. Runs sort in reading order."""

    row: int
    left: int
    right: int


def runs_in(row: Iterable[Value]) -> Iterator[tuple[Value, int, int]]:
    """Yield value, left and right of each run of equal cells in a row. O(cells), in C."""
    right = 0
    for value, same in groupby(row):
        left, right = right, right + len(list(same))
        yield value, left, right


def merged_runs(runs: Iterable[Run]) -> list[Run]:
    """Return the same cells as few runs in reading order; the given ones may touch and overlap."""
    found: list[Run] = []
    for run in sorted(runs):
        if found and found[-1].row == run.row and run.left <= found[-1].right:
            found[-1] = Run(run.row, found[-1].left, max(found[-1].right, run.right))
        else:
            found.append(run)
    return found


def rectangles_of(runs: Iterable[Run]) -> list[Rectangle]:
    """Return few rectangles that cover exactly these runs, which are separate, in reading order. O(runs log runs)."""
    growing: dict[tuple[int, int, int], int] = {}
    for row, left, right in runs:
        growing[row + 1, left, right] = growing.pop((row, left, right), row)
    return sorted((top, left, bottom, right) for (bottom, left, right), top in growing.items())


def connected_parts(rectangles: Sequence[Rectangle]) -> list[int]:
    """Return the number of the connected part that each rectangle belongs to, in reading order.

    Rectangles are connected by a shared side. They consist of complete runs, so only tops and bottoms can touch.
    """
    parents = list(range(len(rectangles)))
    for one, other in _stacked_pairs(rectangles):
        low, high = sorted((_root(parents, one), _root(parents, other)))
        parents[high] = low
    numbers: dict[int, int] = {}
    return [numbers.setdefault(_root(parents, index), len(numbers)) for index in parents]


def _root(parents: list[int], index: int) -> int:
    """Return the root of a run's part, and shorten the path to it for later calls (union-find)."""
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index


def _stacked_pairs(rectangles: Sequence[Rectangle]) -> Iterator[tuple[int, int]]:
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


def position_and_boxes(rectangles: Sequence[Rectangle]) -> tuple[tuple[float, float, float], tuple[Box, ...]]:
    """Return the position and the boxes of a thing that fills these rectangles, which are in reading order.

    The position is the center of the first cell in reading order.
    """
    x, y = rectangles[0][1] + 0.5, rectangles[0][0] + 0.5
    return (x, y, 0.0), tuple([box_of(rectangle, x, y) for rectangle in rectangles])


def box_of(rectangle: Rectangle, x: float, y: float) -> Box:
    """Return the box of a rectangle, relative to a position."""
    top, left, bottom, right = rectangle
    return Box((right - left) / 2, (bottom - top) / 2, offset=((left + right) / 2 - x, (top + bottom) / 2 - y, 0.0))
