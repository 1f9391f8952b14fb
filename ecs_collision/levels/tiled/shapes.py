"""Shapes in Tiled maps: flips, turns, scaling from pixels to cells, and the parts of colliders that they become.

All is exact but for odd angles.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ecs_collision.components import AnyPart, Box, Capsule, OrientedBox, Sphere
from ecs_collision.shapes.rotation import matrix_of, turned

H, V, D = 0x80000000, 0x40000000, 0x20000000
"""Flags of a gid: flipped horizontally, vertically and diagonally. The diagonal flip is applied first."""

FLAGS = H | V | D

SOLID = ("rectangle", "ellipse", "capsule")
"""Shapes that a body can have; of ellipses only circles."""

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


class Figure(NamedTuple):
    """A shape that can be solid: "rectangle", "ellipse" or "capsule", in a rectangle that may be turned.

    turn: degrees, clockwise on the screen, about the center of the area. Quarter turns are part of the area.
    """

    shape: str
    area: Area
    turn: float = 0.0

    @classmethod
    def of(cls, shape: str, area: Area, rotation: float) -> Figure:
        """Return a shape in an area that is turned about the origin by degrees."""
        quarters = quarters_of(rotation)
        if quarters is not None:
            return cls(shape, area.turned(quarters))
        degrees = math.remainder(rotation, 360.0)
        x, y = area.middle
        matrix = matrix_of(math.radians(degrees))
        if matrix is not None:
            x, y, _ = turned(matrix, x, y, 0.0)
        return cls(shape, area._replace(left=x - area.width / 2, top=y - area.height / 2), degrees)

    def scaled(self, x: float, y: float) -> Figure:
        """Return it multiplied by factors."""
        return self._stretched(self.area.scaled(x, y), x, y)

    def divided(self, x: float, y: float) -> Figure:
        """Return it divided by factors."""
        return self._stretched(self.area.divided(x, y), x, y)

    def _stretched(self, area: Area, x: float, y: float) -> Figure:
        is_round = self.shape == "ellipse"
        return Figure(self.shape if x == y or is_round or not self.turn else "parallelogram", area, self.turn)

    def at(self, area: Area) -> Figure:
        """Return it in another area of its size, or of its size after quarter turns."""
        return Figure(self.shape, area, self.turn)

    def flipped(self, flags: int, width: float, height: float) -> Figure:
        """Return it as in a flipped tile of this size. Each flip is a reflection."""
        turn = -self.turn if (flags & FLAGS).bit_count() % 2 else self.turn
        return Figure(self.shape, self.area.flipped(flags, width, height), turn)

    def part(self, x: float, y: float, turns: bool = False) -> AnyPart | None:
        """Return it as a part of a body at (x, y), None if it is none; turns: whether the body will be turned."""
        width, height = self.area.size
        at = (self.area.middle[0] - x, self.area.middle[1] - y, 0.0)
        rotation = math.radians(self.turn) if self.turn else None
        if self.shape == "ellipse":
            return Sphere(width / 2, at) if width == height > 0.0 else None
        if self.shape == "capsule" and min(width, height) > 0.0:
            radius, length = min(width, height) / 2, max(width, height) / 2
            if width == height:
                return Sphere(radius, at)
            return Capsule(radius, length - radius, "x" if width > height else "y", at, rotation)
        if self.shape != "rectangle":
            return None
        if turns or rotation is not None:
            return OrientedBox(width / 2, height / 2, offset=at, rotation=rotation)
        return self.area.box(x, y)


def quarters_of(rotation: float) -> int | None:
    """Return the quarter turns of an angle in degrees, or None for other angles."""
    return int(rotation % 360.0 // 90.0) if rotation % 90.0 == 0.0 else None
