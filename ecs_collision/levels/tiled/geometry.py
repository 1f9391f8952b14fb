"""Exact geometry of rectangles in Tiled maps: flips, quarter turns, and scaling from pixels to cells."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collision.components import Box

H, V, D = 0x80000000, 0x40000000, 0x20000000
"""Flags of a gid: flipped horizontally, vertically and diagonally. The diagonal flip is applied first."""

FLAGS = H | V | D

ALIGNMENTS = {
    "unspecified": (0.0, 1.0), "topleft": (0.0, 0.0), "top": (0.5, 0.0), "topright": (1.0, 0.0),
    "left": (0.0, 0.5), "center": (0.5, 0.5), "right": (1.0, 0.5),
    "bottomleft": (0.0, 1.0), "bottom": (0.5, 1.0), "bottomright": (1.0, 1.0),
}  # fmt: skip
"""The anchor of tile objects, in widths and heights, by the alignment of the tileset."""


class Area(NamedTuple):
    """A rectangle, y downwards. It stores its size and no second corner, so the size stays exact when it is moved."""

    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its center."""
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def size(self) -> tuple[float, float]:
        """Its width and height."""
        return self.width, self.height

    def moved(self, x: float, y: float) -> Area:
        """Return it moved by an offset."""
        return self._replace(left=self.left + x, top=self.top + y)

    def scaled(self, x: float, y: float) -> Area:
        """Return it multiplied by factors."""
        return Area(self.left * x, self.top * y, self.width * x, self.height * y)

    def divided(self, x: float, y: float) -> Area:
        """Return it divided by factors. This rounds once; multiplication by 1/x would round twice."""
        return Area(self.left / x, self.top / y, self.width / x, self.height / y)

    def turned(self, quarters: int) -> Area:
        """Return it turned about the origin by quarter turns, clockwise on the screen."""
        area = self
        for _ in range(quarters % 4):
            area = Area(-area.top - area.height, area.left, area.height, area.width)
        return area

    def flipped(self, flags: int, width: float, height: float) -> Area:
        """Return it as in a flipped tile of this size. A diagonal flip swaps width and height."""
        area = self
        if flags & D:
            area, width, height = Area(area.top, area.left, area.height, area.width), height, width
        if flags & H:
            area = area._replace(left=width - area.left - area.width)
        if flags & V:
            area = area._replace(top=height - area.top - area.height)
        return area

    def box(self, x: float, y: float) -> Box:
        """Return it as a box of a body at (x, y)."""
        middle = self.middle
        return Box(self.width / 2, self.height / 2, offset=(middle[0] - x, middle[1] - y, 0.0))


def quarters_of(rotation: float) -> int | None:
    """Return the quarter turns of an angle in degrees, or None for other angles."""
    return int(rotation % 360.0 // 90.0) if rotation % 90.0 == 0.0 else None
