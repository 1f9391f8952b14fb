"""Things that fill cells of a map."""

from __future__ import annotations

from ecs_collision.components import Box
from ecs_collision.levels.budget import ErrorFactory
from ecs_collision.levels.grids import Cells
from ecs_collision.levels.source import MAX_CELLS, MAX_SIDE

Cell = tuple[int, int]
"""Row and column, from 0, so that cells sort in reading order."""

UNIT_BOXES = (Box(0.5, 0.5),)
"""Boxes of a thing that fills one cell."""


def position_and_boxes(rectangles: Cells) -> tuple[tuple[float, float, float], tuple[Box, ...]]:
    """Return the position and the boxes of a thing that fills these rectangles.

    rectangles: (n, 4), top, left, bottom and right, in reading order, as from `grids.rectangles_of`. The position is
    the center of the first cell in reading order.
    """
    edges: list[list[int]] = rectangles.tolist()
    x, y = edges[0][1] + 0.5, edges[0][0] + 0.5
    boxes = (
        Box((right - left) / 2, (bottom - top) / 2, offset=((left + right) / 2 - x, (top + bottom) / 2 - y, 0.0))
        for top, left, bottom, right in edges
    )
    return (x, y, 0.0), tuple(boxes)


def check_size(columns: int, rows: int, make_error: ErrorFactory) -> None:
    """Raise an error if a level has too many columns, rows or cells."""
    if max(columns, rows) > MAX_SIDE or columns * rows > MAX_CELLS:
        raise make_error(
            f"a map of {columns} columns and {rows} rows", f"at most {MAX_SIDE} a side and {MAX_CELLS} cells",
            "split the level",
        )  # fmt: skip
