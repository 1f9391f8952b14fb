"""The contents of the layers in an LDtk level: cells, tiles and entities, positioned in pixels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ecs_collision.components import Box
from ecs_collision.levels.cells import check_size
from ecs_collision.levels.grids import Cells, cells_by_value, rectangles_of
from ecs_collision.levels.json_document import Node
from ecs_collision.levels.kinds import Choice
from ecs_collision.levels.ldtk.definitions import (
    MAX_PIXELS,
    Definitions,
    EntityDef,
    LayerDef,
    check_equal,
    definition_of,
    identifier,
)
from ecs_collision.levels.ldtk.fields import fields_of
from ecs_collision.levels.load import Options
from ecs_collision.levels.source import MAX_SIDE

Area = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels of the level."""


@dataclass(slots=True)
class DraftThing:
    """A thing before naming.

    choice: its kind and the components of `kinds=`. place: its center or that of its first cell, in pixels of the
    level. areas: the areas it covers. format_properties: LDtk's own data about it. entity: its definition and name: its
    name in the file, for an entity.
    """

    choice: Choice
    place: tuple[float, float]
    areas: list[Area]
    layer: Layer
    format_properties: dict[str, Any]
    node: Node
    entity: EntityDef | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of one level: its definition and node, and its checked size in cells and offset in pixels."""

    of: LayerDef
    node: Node
    columns: int
    rows: int
    offset: tuple[int, int]
    drafts: list[DraftThing] = field(default_factory=list)

    def area(self, left: int, top: int, right: int, bottom: int) -> Area:
        """Return the area of a block of cells; right and bottom are exclusive."""
        grid, (x, y) = self.of.grid, self.offset
        return (x + left * grid, y + top * grid, x + right * grid, y + bottom * grid)

    def middle(self, column: int, row: int) -> tuple[float, float]:
        """Return the center of a cell."""
        return middle_of(self.area(column, row, column + 1, row + 1))

    def properties(self) -> dict[str, Any]:
        """Return LDtk's own data about the layer, for `Level.properties`."""
        return {
            "name": self.of.name, "type": self.of.type, "columns": self.columns, "rows": self.rows,
            "grid": self.of.grid, "offset": self.offset, "visible": self.node.flag("visible", default=True),
            "tiles": self.node.count("gridTiles") + self.node.count("autoLayerTiles"),
        }  # fmt: skip


def middle_of(area: Area) -> tuple[float, float]:
    """Return the center of an area."""
    return ((area[0] + area[2]) / 2, (area[1] + area[3]) / 2)


def boxes_of(draft: DraftThing, unit: int) -> tuple[Box, ...]:
    """Return the boxes of a thing relative to its place, in cells."""
    x, y = draft.place
    return tuple(
        Box(
            (right - left) / 2 / unit, (bottom - top) / 2 / unit,
            offset=(((left + right) / 2 - x) / unit, ((top + bottom) / 2 - y) / unit, 0.0),
        )
        for left, top, right, bottom in draft.areas
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class LayerContext:
    """Context shared by the layers of all levels."""

    definitions: Definitions
    options: Options


def read_layer(node: Node, level: Node, context: LayerContext) -> Layer:
    """Return a layer instance with its contents."""
    node.charge("layer instances")
    layer = _head(node, level, context.definitions)
    context.options.kinds.see("layer", layer.of.name)
    reads = {"IntGrid": _int_grid, "Tiles": _tiles, "AutoLayer": _tiles, "Entities": _entities}
    layer.drafts.extend(reads[layer.of.type](layer, context))
    return layer


def _head(node: Node, level: Node, definitions: Definitions) -> Layer:
    of = definition_of(node, "layerDefUid", definitions.layers, "a layer")
    check_equal(node, "__identifier", of.name, "the name of the layer of that uid")
    check_equal(node, "__type", of.type, "the type of the layer of that uid")
    check_equal(node, "__gridSize", of.grid, "the grid of the layer of that uid")
    check_equal(node, "levelId", level.integer("uid"), "the uid of the level it lies in")
    for key in ("__tilesetDefUid", "overrideTilesetUid"):
        if node.has(key):
            definition_of(node, key, definitions.tilesets, "a tileset")
    offset, size = [], []
    for index, (axis, extent, cells) in enumerate((("X", "pxWid", "__cWid"), ("Y", "pxHei", "__cHei"))):
        own = node.integer(f"pxOffset{axis}", minimum=-MAX_PIXELS, maximum=MAX_PIXELS, default=0)
        offset.append(own + of.offset[index])
        check_equal(node, f"__pxTotalOffset{axis}", offset[index], f"the sum of the layer's offset and pxOffset{axis}")
        pixels = level.integer(extent) - own
        size.append(-(-pixels // of.grid))
        check_equal(node, cells, size[index], f"the cells of {of.grid} pixels in {pixels} pixels of the level")
    if not all(0 <= cells <= MAX_SIDE for cells in size):
        raise node.error(f"{size[0]} x {size[1]} cells", f"from 0 to {MAX_SIDE} a side")
    return Layer(of, node, size[0], size[1], (offset[0], offset[1]))


def _int_grid(layer: Layer, context: LayerContext) -> Iterator[DraftThing]:
    """Yield the things of each value of an IntGrid."""
    node = layer.node
    check_size(layer.columns, layer.rows, node.error)
    node.charge("cells", layer.columns * layer.rows)
    grid = node.integers("intGridCsv", count=layer.columns * layer.rows, minimum=0)
    found = cells_by_value(grid)
    node.charge("cell values", len(found))
    node.charge("tiles", sum(map(len, found.values())))
    for value, cells in found.items():
        if value not in layer.of.values:
            at = node.get("intGridCsv").get(int(cells[0]))
            raise at.error(f"the value {value}", f"0 or a value that the layer {layer.of.name!r} defines")
        choice = context.options.choose(layer.of.values[value], layer=layer.of.name)
        yield from _of_cells(layer, choice, cells, {"value": value})


def _tiles(layer: Layer, context: LayerContext) -> Iterator[DraftThing]:
    """Yield the things of a tile layer: of the cells that contain the center of a tile.

    The tiles of each key of `kinds=` are things of their own.
    """
    grid, kinds = layer.of.grid, context.options.kinds
    wanted = frozenset(kinds.values("tile"))
    tileset = _tileset(layer, context.definitions) if wanted else ""
    cells: dict[str, set[int]] = {}
    counts: Counter[str] = Counter()
    for tile in layer.node.each("gridTiles" if layer.of.type == "Tiles" else "autoLayerTiles"):
        x, y = _pixel(tile, context.definitions.unit)
        column, row = (2 * x + grid) // (2 * grid), (2 * y + grid) // (2 * grid)
        name = ""
        if wanted:
            name = f"{tileset}/{tile.integer('t', minimum=0)}"
            kinds.see("tile", name)
            name = name if name in wanted else ""
        if 0 <= column < layer.columns and 0 <= row < layer.rows:
            cells.setdefault(name, set()).add(row * layer.columns + column)
        counts[name] += 1
    for name, found in cells.items():
        choice = context.options.choose(layer.of.name, layer=layer.of.name, tile=name)
        yield from _of_cells(layer, choice, np.array(sorted(found), np.int64), {"tiles": counts[name]})


def _tileset(layer: Layer, definitions: Definitions) -> str:
    """Return the name of the tileset of a layer, "" for none."""
    for key in ("overrideTilesetUid", "__tilesetDefUid"):
        if layer.node.has(key):
            return definitions.tilesets[layer.node.integer(key)]
    return ""


def _of_cells(layer: Layer, choice: Choice, cells: Cells, format_properties: dict[str, Any]) -> Iterator[DraftThing]:
    """Yield one thing for all cells, or one for each: movable bodies and triggers are single."""
    components = choice.applied()
    if components and "Static" not in components:
        layer.node.charge("things", len(cells))
        for row, column in zip(*np.divmod(cells, layer.columns), strict=True):
            area = layer.area(int(column), int(row), int(column) + 1, int(row) + 1)
            yield DraftThing(choice, middle_of(area), [area], layer, format_properties, layer.node)
        return
    rectangles = rectangles_of(cells, layer.columns).tolist()
    layer.node.charge("things")
    layer.node.charge("boxes", len(rectangles))
    areas = [layer.area(left, top, right, bottom) for top, left, bottom, right in rectangles]
    row, column = divmod(int(cells[0]), layer.columns)
    yield DraftThing(
        choice, layer.middle(column, row), areas, layer, {**format_properties, "cells": len(cells)}, layer.node
    )


def _entities(layer: Layer, context: LayerContext) -> Iterator[DraftThing]:
    """Yield the entities of a layer."""
    node = layer.node
    node.charge("objects", node.count("entityInstances"))
    for entity in node.each("entityInstances"):
        of = definition_of(entity, "defUid", context.definitions.entities, "an entity")
        check_equal(entity, "__identifier", of.name, "the name of the entity of that uid")
        area = _area(entity, layer, context.definitions.unit)
        iid = identifier(entity, "iid")
        format_properties = {
            "iid": iid,
            "tags": tuple(tag.text(maximum=200) for tag in entity.each("__tags", optional=True)),
            "pivot": tuple(entity.get("__pivot").value),
        }
        name = _name_in_file(entity, of)
        choice = context.options.choose(of.name, layer=layer.of.name, name=name, id=iid)
        yield DraftThing(choice, middle_of(area), [area], layer, format_properties, entity, of, name)


def _name_in_file(entity: Node, of: EntityDef) -> str:
    """Return the value of an entity's text field `name`, or ""."""
    for name, node, field_def in fields_of(entity, of.fields):
        if name == "name" and field_def.type == "String" and node.has("__value"):
            text = node.text("__value", maximum=200)
            if not text.isprintable():
                raise node.get("__value").unexpected("a name of printable characters")
            return text.strip()
    return ""


def _area(entity: Node, layer: Layer, unit: int) -> Area:
    """Return the area of an entity: its size around its pivot, which is at its pixel plus the offset of the layer."""
    x, y = _pixel(entity, unit)
    width, height = (entity.integer(key, minimum=1, maximum=MAX_SIDE * unit) for key in ("width", "height"))
    pivot = [item.number(minimum=0, maximum=1) for item in entity.each("__pivot", maximum=2)]
    if len(pivot) != 2:
        raise entity.get("__pivot").unexpected("two numbers from 0 to 1")
    left, top = x + layer.offset[0] - pivot[0] * width, y + layer.offset[1] - pivot[1] * height
    return (left, top, left + width, top + height)


def _pixel(node: Node, unit: int) -> list[int]:
    return node.integers("px", count=2, minimum=-MAX_SIDE * unit, maximum=MAX_SIDE * unit)
