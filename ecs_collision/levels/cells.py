"""Things that fill cells of a map."""

from __future__ import annotations

from collections.abc import Sequence

from ecs_collision.components import Box
from ecs_collision.levels.grids import Rectangle

Cell = tuple[int, int]
"""Row and column, from 0, so that cells sort in reading order."""

UNIT_BOXES = (Box(0.5, 0.5),)
"""Boxes of a thing that fills one cell."""


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
