"""The contents of the layers in an LDtk level: cells, tiles and entities, positioned in pixels."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ecs_collision.components import Box
from ecs_collision.levels.drawn_tiles import Rectangle, TileImage, TileList, list_of_objects, packed
from ecs_collision.levels.grids import Run, merged_runs, rectangles_of, runs_in
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
from ecs_collision.levels.limits import MAX_SIDE, check_size
from ecs_collision.levels.load import Options

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
    drawn: list[TileList] = field(default_factory=list)

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
    """Context shared by all levels of a project; equal images of tiles are stored once."""

    definitions: Definitions
    options: Options
    images: dict[TileImage, TileImage] = field(default_factory=dict)


def read_layer(node: Node, level: Node, context: LayerContext) -> Layer:
    """Return a layer instance with its contents."""
    layer = _head(node, level, context.definitions)
    context.options.kinds.see("layer", layer.of.name)
    reads = {"IntGrid": _int_grid, "Tiles": _tiles, "AutoLayer": _tiles, "Entities": _entities}
    reads[layer.of.type](layer, context)
    return layer


def _head(node: Node, level: Node, definitions: Definitions) -> Layer:
    """Return a layer without its contents; what the file says twice must be equal."""
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


def _int_grid(layer: Layer, context: LayerContext) -> None:
    """Add the things of each value of an IntGrid, and the tiles of its rules."""
    node = layer.node
    check_size(layer.columns, layer.rows, node.error)
    size = layer.columns * layer.rows
    node.limit("cells", size)
    grid = node.integers("intGridCsv", count=size, minimum=0)
    runs: dict[int, list[Run]] = {}
    for row in range(layer.rows):
        begin = row * layer.columns
        for value, left, right in runs_in(grid[begin : begin + layer.columns]):
            if value:
                node.limit("runs of equal cells")
                runs.setdefault(value, []).append(Run(row, left, right))
    owners = array("i", [-1]) * size
    for value, found in runs.items():
        if value not in layer.of.values:
            at = node.get("intGridCsv").get(grid.index(value))
            raise at.error(f"the value {value}", f"0 or a value that the layer {layer.of.name!r} defines")
        choice = context.options.choose(layer.of.values[value], layer=layer.of.name)
        for cell, length, number in _add_things(layer, choice, found, {"value": value}):
            owners[cell : cell + length] = array("i", [number]) * length
    tiles = _Tiles(layer, context, node.each("autoLayerTiles", optional=True))
    tiles.finish(lambda cell, name: owners[cell])


def _tiles(layer: Layer, context: LayerContext) -> None:
    """Add the tiles of a layer, and the things of the cells that contain the center of a tile.

    The tiles of each key of `kinds=` are things of their own.
    """
    tiles = _Tiles(layer, context, layer.node.each("gridTiles" if layer.of.type == "Tiles" else "autoLayerTiles"))
    owners: dict[tuple[int, str], int] = {}
    for name, cells in tiles.cells.items():
        inside = [divmod(cell, layer.columns) for cell in cells if cell >= 0]
        runs = merged_runs(Run(row, column, column + 1) for row, column in inside)
        if runs:
            choice = context.options.choose(layer.of.name, layer=layer.of.name, tile=name)
            for first, length, number in _add_things(layer, choice, runs, {"tiles": len(cells)}):
                owners.update({(cell, name): number for cell in range(first, first + length)})
    tiles.finish(lambda cell, name: owners[cell, name])


class _Tiles:
    """The tiles of a layer; `cells` are those of each key of `kinds=`, "" for none."""

    def __init__(self, layer: Layer, context: LayerContext, tiles: Iterator[Node]) -> None:
        self._layer, self._context = layer, context
        self._wanted = frozenset(context.options.kinds.values("tile"))
        of, names = layer.node, context.definitions.tilesets
        uids = [of.integer(key) for key in ("overrideTilesetUid", "__tilesetDefUid") if of.has(key)]
        self._tileset = names[uids[0]] if uids else ""
        self._images: dict[TileImage, int] = {}
        self._placed: list[tuple[int, int, int, int, str]] = []
        """The image, left, top and cell (-1: outside) of each tile, and its key."""
        self.cells: dict[str, list[int]] = {"": []}
        for tile in tiles:
            self._add(tile)

    def _add(self, tile: Node) -> None:
        layer, grid = self._layer, self._layer.of.grid
        tile.limit("drawn tiles")
        x, y = _pixel(tile, self._context.definitions.unit)
        column, row = (2 * x + grid) // (2 * grid), (2 * y + grid) // (2 * grid)
        is_inside = 0 <= column < layer.columns and 0 <= row < layer.rows
        cell = row * layer.columns + column if is_inside else -1
        image = self._image(tile)
        name = ""
        if self._wanted:
            name = f"{self._tileset}/{image.id}"
            self._context.options.kinds.see("tile", name)
            name = name if name in self._wanted else ""
        self._placed.append((self._images.setdefault(image, len(self._images)), x, y, cell, name))
        self.cells.setdefault(name, []).append(cell)

    def _image(self, tile: Node) -> TileImage:
        """Return the image of a tile; the values are checked without a node for each, because there may be many."""
        number, flips, source = (tile.value.get(key, default) for key, default in (("t", 0), ("f", 0), ("src", None)))
        if type(number) is not int or not 0 <= number <= MAX_PIXELS:
            number = tile.integer("t", minimum=0, maximum=MAX_PIXELS)
        if type(flips) is not int or not 0 <= flips <= 3:
            flips = tile.integer("f", minimum=0, maximum=3)
        place: Rectangle | None = None
        if source is not None:
            x, y = tile.integers("src", count=2, minimum=0, maximum=MAX_PIXELS)
            place = (float(x), float(y), float(self._layer.of.grid), float(self._layer.of.grid))
        image = TileImage(self._tileset, number, 0, ("", "h", "v", "hv")[flips], place)
        if image not in self._context.images:
            tile.limit("tiles")
        return self._context.images.setdefault(image, image)

    def finish(self, owner_of: Callable[[int, str], int]) -> None:
        """Add the tiles to the layer; `owner_of` returns the thing of a cell and a key."""
        if not self._placed:
            return
        layer, size = self._layer, float(self._layer.of.grid)
        which, lefts, tops, cells, names = zip(*self._placed, strict=True)
        owners = [owner_of(cell, name) if cell >= 0 else -1 for cell, name in zip(cells, names, strict=True)]
        areas = ((0.0, 0.0, size, size),) * len(self._images)
        layer.drawn.append(
            TileList(
                layer.of.name, tuple(self._images), areas, packed(which), packed(lefts), packed(tops), packed(owners),
                offset=(float(layer.offset[0]), float(layer.offset[1])),
            )
        )  # fmt: skip


def _add_things(
    layer: Layer, choice: Choice, runs: list[Run], format_properties: dict[str, Any]
) -> Iterator[tuple[int, int, int]]:
    """Add one thing for all cells, or one for each: movable bodies and triggers are single.

    Yields the first cell and the length of each run of cells of a thing, and the number of the thing.
    """
    components = choice.applied()
    count = sum(run.right - run.left for run in runs)
    if components and "Static" not in components:
        layer.node.limit("things", count)
        for row, left, right in runs:
            for column in range(left, right):
                yield row * layer.columns + column, 1, len(layer.drafts)
                area = layer.area(column, row, column + 1, row + 1)
                layer.drafts.append(DraftThing(choice, middle_of(area), [area], layer, format_properties, layer.node))
        return
    for row, left, right in runs:
        yield row * layer.columns + left, right - left, len(layer.drafts)
    rectangles = rectangles_of(runs)
    layer.node.limit("things")
    layer.node.limit("boxes", len(rectangles))
    areas = [layer.area(left, top, right, bottom) for top, left, bottom, right in rectangles]
    properties = {**format_properties, "cells": count}
    place = layer.middle(runs[0].left, runs[0].row)
    layer.drafts.append(DraftThing(choice, place, areas, layer, properties, layer.node))


def _entities(layer: Layer, context: LayerContext) -> None:
    """Add the entities of a layer, and the tiles that the editor draws for them."""
    node = layer.node
    drawn: list[tuple[int, TileImage, Rectangle]] = []
    node.limit("objects", node.count("entityInstances"))
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
        tile = entity.find("__tile")
        if tile is not None:
            tileset = definition_of(tile, "tilesetUid", context.definitions.tilesets, "a tileset")
            x, y, w, h = (float(tile.integer(key, minimum=0, maximum=MAX_PIXELS)) for key in "xywh")
            left, top, right, bottom = area
            image = TileImage(tileset, -1, 0, "", (x, y, w, h))
            drawn.append((len(layer.drafts), image, (left, top, right - left, bottom - top)))
        layer.drafts.append(DraftThing(choice, middle_of(area), [area], layer, format_properties, entity, of, name))
    if drawn:
        layer.drawn.append(list_of_objects(layer.of.name, drawn))


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
