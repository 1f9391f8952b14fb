"""The cells of the index in a rectangle, by size level, and whether all in them are asleep."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.bodies import Bodies
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.choices import DEFAULT
from ecs_collision.broadphase.inspection import inspection_of
from ecs_collision.broadphase.morton import ORIGIN, bin_of, directory_key
from ecs_collision.broadphase.morton_cells import MortonCells
from ecs_collision.broadphase.morton_codes import encode3
from ecs_collision.broadphase.protocol import Index
from ecs_collision.broadphase.regions import cell_of
from ecs_collision.debug.body_shapes import Rectangle
from ecs_collision.drawing import Polygon
from ecs_collision.fixed_point import LATTICE, PER_UNIT
from ecs_collision.query.space import Space

LEVEL_KINDS = 4
"""Number of looks for cells; further levels begin with the first look again."""

_MAX_KEPT = 100_000
"""Number of cells above which all are forgotten."""


class IndexShapes:
    """Draws the cells of the index of a world; the shapes of cells are kept, because a key is always the same cell."""

    def __init__(self, bodies: Bodies, space: Space) -> None:
        self._bodies, self._shift = bodies, bodies.bin_shift
        self._dynamic, self._static = space._cells, space._static_cells
        self._kept: dict[int, Polygon] = {}

    def cells(self, area: Rectangle) -> list[Polygon]:
        """Return the cells of both indexes by level (B3), or the nodes of a structure other than the default."""
        found: dict[Polygon, None] = {}
        for index, cells in ((self._bodies.static, self._static), (self._bodies.dynamic, self._dynamic)):
            is_default = self._bodies.broad_phase == DEFAULT
            found |= dict.fromkeys(self._cells(cells, index, area) if is_default else _nodes(index, area))
        return sorted(found, key=lambda shape: (shape.note, shape.corners))

    def regions(self, area: Rectangle) -> list[Polygon]:
        """Return the cells of bodies that may move, as awake or asleep (rule S3)."""
        kinds: dict[Polygon, bool] = {}
        for key in _keys(self._dynamic, self._bodies.dynamic.boxes, area):
            shape = self._cell(key)
            if _overlaps(shape, area):
                kinds[shape] = kinds.get(shape, True) and not self._dynamic.is_awake(key)
        return [
            shape._replace(kind="region asleep" if asleep else "region awake", note="")
            for shape, asleep in kinds.items()
        ]

    def _cells(self, cells: MortonCells, index: Index, area: Rectangle) -> list[Polygon]:
        return [shape for key in _keys(cells, index.boxes, area) if _overlaps(shape := self._cell(key), area)]

    def _cell(self, key: int) -> Polygon:
        """Return a cell from above."""
        shape = self._kept.get(key)
        if shape is None:
            if len(self._kept) > _MAX_KEPT:
                self._kept.clear()
            cell = cell_of(key, self._shift)
            shape = self._kept[key] = _square(cell.level, (*cell.lo[:2], *cell.hi[:2]))
        return shape


def _keys(cells: MortonCells, boxes: BoxPool, area: Rectangle) -> Iterator[int]:
    """Return the keys that may be in a rectangle: in 2D only the codes from its first to its last corner."""
    directory, bin_shift = cells.directory(), boxes.bin_shift
    if not boxes.flat:
        return iter(directory)
    top = max(int(boxes.level_bits).bit_length() - 1, 0)
    x0, y0, x1, y1 = [bin_of(round(max(min(side * PER_UNIT, 2**62), -(2**62))), bin_shift) for side in area]
    first = encode3(x0 >> top << top, y0 >> top << top, ORIGIN >> top << top)
    last = encode3(x1, y1, ORIGIN)
    keys: Iterator[int] = directory.irange(directory_key(first, 31), directory_key(last + 1, 31))
    return keys


def _nodes(index: Index, area: Rectangle) -> list[Polygon]:
    """Return the nodes of a structure other than the default. O(nodes)."""
    shapes = [
        _square(level, (x0 * LATTICE, y0 * LATTICE, x1 * LATTICE, y1 * LATTICE))
        for (x0, y0, _, x1, y1, _), level in inspection_of(index).outlines()
    ]
    return [shape for shape in shapes if _overlaps(shape, area)]


def _overlaps(shape: Polygon, area: Rectangle) -> bool:
    (x0, y0), _, (x1, y1), _ = shape.corners
    return x0 < area[2] and y0 < area[3] and x1 > area[0] and y1 > area[1]


def _square(level: int, sides: Rectangle) -> Polygon:
    x0, y0, x1, y1 = sides
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Polygon(f"cell {level % LEVEL_KINDS}", corners, 0.0, f"level {level}")
