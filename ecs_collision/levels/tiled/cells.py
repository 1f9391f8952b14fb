"""Converts tile layers to things: cells whose tiles have equal data become one thing with few boxes, or one each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ecs_collision.components import AnyPart, Box
from ecs_collision.components.part_value import moved
from ecs_collision.errors import LevelError
from ecs_collision.levels.drawn_tiles import TileGrid, TileImage, packed
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.grids import Cells, cells_by_value, connected_parts, part_of_cells, rectangles_of
from ecs_collision.levels.tiled.context import Context, Layer
from ecs_collision.levels.tiled.draft_things import DraftThing, value_count
from ecs_collision.levels.tiled.geometry import FLAGS, Area
from ecs_collision.levels.tiled.parts import Gids, Part, charge
from ecs_collision.levels.tiled.tilesets import HAS_DATA, NO_DATA, UNKNOWN, Tile, Tileset

UNIT_BOX = Box(0.5, 0.5)
"""The box of a cell, relative to its center."""


class Grid(NamedTuple):
    """The tiles of a layer, rows by columns, and the column and row of the first.

    parts: the elements of the file that contain them (the layer or its chunks), by column, row, width and height.
    """

    gids: Gids
    column: int
    row: int
    parts: Mapping[tuple[int, int, int, int], Part]

    def error_at(self, cell: int, found: str, expected: str, remedy: str) -> LevelError:
        """Return an error about a tile."""
        row, column = divmod(cell, self.gids.shape[1])
        row, column = row + self.row, column + self.column
        where = f"{found} in column {column}, row {row}"
        for (x, y, width, height), part in self.parts.items():
            if x <= column < x + width and y <= row < y + height:
                return part.error_of_tile((row - y) * width + column - x, where, expected, remedy)
        raise AssertionError("every nonzero tile belongs to a part")


@dataclass(frozen=True, slots=True)
class Group:
    """Cells of a layer whose tiles have equal data."""

    number: int
    kind: str
    components: FrozenMap
    properties: FrozenMap

    @property
    def grouping(self) -> str:
        """How cells become things: "single" (one each), "joined" (one per connected part) or "whole" (one for all)."""
        for grouping in ("single", "joined", "whole"):
            if self.properties.get(grouping) is True:
                return grouping
        is_solid = "Static" in self.components and "Trigger" not in self.components
        return "whole" if is_solid or not self.components else "single"


def add_tiles(grid: Grid, layer: Layer, context: Context) -> None:
    """Add the things of a tile layer, in reading order of their first cells, and its tiles to a map."""
    reader = _LayerReader(grid, layer, context)
    before = len(context.drafts)
    context.drafts += reader.drafts()
    if len(context.drafts) > before:
        context.tile_layers.append(reader.tile_grid(before))


class _LayerReader:
    """Converts the tiles of one layer to things."""

    def __init__(self, grid: Grid, layer: Layer, context: Context) -> None:
        self._grid, self._layer, self._context = grid, layer, context
        self._columns = grid.gids.shape[1]
        gids = grid.gids.ravel()
        charge(layer.at, "tiles", int(np.count_nonzero(gids)))
        self._cells = np.flatnonzero(gids)
        found = gids[self._cells]
        self._gids = np.unique(found)  # return_inverse would need three times the memory
        charge(layer.at, "distinct tiles", len(self._gids))
        self._which: NDArray[np.int32] = np.searchsorted(self._gids, found).astype(np.int32)
        self._shape_counts = np.zeros(len(self._gids), np.int64)
        self._groups: dict[tuple[Any, ...], Group] = {}
        self._known: dict[tuple[int, int], Group] = {}
        self._group_of_index = np.empty(0, np.int32)
        self._count = 0
        self._whole: dict[int, int] = {}
        """The number of the only thing of a group; the things of other groups are in `_several`, by cell."""
        self._several: list[tuple[Cells, NDArray[np.int32]]] = []
        self._ranks = np.empty(0, np.int32)
        self._shapes: dict[int, tuple[AnyPart, ...]] = {}
        """Parts of tiles with shapes, relative to the center of the cell, by index into `_gids`."""

    def drafts(self) -> list[DraftThing]:
        """Return the things."""
        known = self._context.tilesets.known(self._gids)
        missing = known == UNKNOWN
        if missing.any():
            raise self._unknown(int(np.flatnonzero(missing[self._which])[0]))
        if self._context.chosen_tiles:
            known[np.isin(self._gids & ~np.uint32(FLAGS), list(self._context.chosen_tiles))] = HAS_DATA
        group_of = np.full(len(self._gids), -1, np.int32)
        if (known == NO_DATA).any():
            group_of[known == NO_DATA] = self._group_of(Tile(-1)).number
        for index in np.flatnonzero(known == HAS_DATA).tolist():
            group_of[index] = self._group_of_gid(index)
        self._group_of_index = group_of
        groups = list(self._groups.values())
        found: list[tuple[int, DraftThing]] = []
        if len(groups) == 1:
            found += self._things(groups[0], self._cells)
        else:
            for number, cells in cells_by_value(group_of[self._which] + 1).items():
                found += self._things(groups[number - 1], self._cells[cells])
        order = sorted(range(len(found)), key=lambda number: found[number][0])
        self._ranks = np.empty(len(found), np.int32)
        self._ranks[order] = np.arange(len(found), dtype=np.int32)
        return [found[number][1] for number in order]

    def tile_grid(self, before: int) -> TileGrid:
        """Return the tiles; `before` is the number of things in the layers below."""
        context, layer = self._context, self._layer
        images: list[TileImage] = []
        areas: list[Area] = []
        for gid in self._gids.tolist():
            tileset, tile = cast(tuple[Tileset, Tile], context.tilesets.find(gid))
            images.append(tileset.image(tile, gid))
            areas.append(tileset.area_in(gid & FLAGS, context.tile_width, context.tile_height, tile))
        kind = "u1" if len(images) < 2**8 else "<u2" if len(images) < 2**16 else "<u4"
        which = np.zeros(self._grid.gids.size, kind)
        which[self._cells] = self._which + 1
        ranks = self._ranks + before
        whole = [self._whole.get(group, -1) for group in self._group_of_index.tolist()]
        cells = np.concatenate([np.empty(0, np.int64), *(cells for cells, _ in self._several)])
        numbers = np.concatenate([np.empty(0, np.int32), *(numbers for _, numbers in self._several)])
        order = cells.argsort()
        step = (context.tile_width, context.tile_height)
        return TileGrid(
            layer.name, tuple(images), tuple(areas), self._columns, kind, which.tobytes(),
            tuple(int(ranks[number]) if number >= 0 else -1 for number in whole), packed(cells[order]),
            packed(ranks[numbers[order]]), step,
            (layer.x + self._grid.column * step[0], layer.y + self._grid.row * step[1]),
        )  # fmt: skip

    def _group_of(self, tile: Tile, chosen: int = 0) -> Group:
        """Return the group of a tile; `chosen` is its gid if `kinds=` names it."""
        context, layer, key = self._context, self._layer, (tile.data_key, chosen)
        if key not in self._known:
            merged = context.merge(layer.merged, tile.properties)
            kind = tile.kind or layer.kind or layer.name or "tiles"
            choice = context.options.choose(kind, layer=layer.name, **context.chosen_tiles.get(chosen, {}))
            components = context.components_of(layer.at, choice, merged, tile)
            what = (choice.kind, components, FrozenMap(merged.properties))
            charge(layer.at, "values", value_count(what[1]) + value_count(what[2]))
            charge(layer.at, "tile groups")
            self._known[key] = self._groups.setdefault(what, Group(len(self._groups), *what))
        return self._known[key]

    def _group_of_gid(self, index: int) -> int:
        """Return the group number of an existing gid, and store the shapes of its tile."""
        gid = int(self._gids[index])
        tileset, tile = cast(tuple[Tileset, Tile], self._context.tilesets.find(gid))
        bare = gid & ~FLAGS
        group = self._group_of(tile, bare if bare in self._context.chosen_tiles else 0)
        if tile.shapes and group.components:
            self._shapes[index] = self._parts_of(gid & FLAGS, tileset, tile)
            self._shape_counts[index] = len(self._shapes[index])
        return group.number

    def _unknown(self, index: int) -> LevelError:
        gid = int(self._gids[self._which[index]])
        return self._grid.error_at(
            int(self._cells[index]), f"the gid {gid & ~FLAGS}", self._context.tilesets.describe(),
            "add the tileset to the map, or erase the tile",
        )  # fmt: skip

    def _parts_of(self, flags: int, tileset: Tileset, tile: Tile) -> tuple[AnyPart, ...]:
        """Return the parts of a tile with shapes, relative to the center of its cell."""
        wide, high = self._context.tile_width, self._context.tile_height
        charge(self._layer.at, "tile shapes", len(tile.shapes))
        tile_area = tileset.area_in(flags, wide, high, tile)
        figures = [figure.divided(wide, high) for figure in tile.figures_in(tile_area, flags)]
        return tile.parts_of(figures, 0.5, 0.5)

    def _things(self, group: Group, cells: Cells) -> Iterator[tuple[int, DraftThing]]:
        """Yield the things of a group, each with its first cell."""
        if group.grouping == "single":
            self._charge(group, len(cells))
            self._own(cells, np.arange(len(cells), dtype=np.int32), len(cells))
            for cell, which in zip(cells.tolist(), self._which_of(cells).tolist(), strict=True):
                boxes: tuple[AnyPart, ...] = self._shapes.get(which, (UNIT_BOX,))
                yield cell, self._draft(group, cell, boxes, 1)
            return
        parts, numbers, firsts, counts = None, np.zeros(1, np.int64), np.zeros(1, np.int64), np.array([len(cells)])
        if group.grouping == "joined":
            parts = self._parts(cells)
            numbers, firsts, counts = np.unique(parts, return_index=True, return_counts=True)
        self._charge(group, len(firsts))
        if parts is None:
            self._whole[group.number] = self._count
            self._count += 1
        else:
            self._own(cells, np.searchsorted(numbers, parts).astype(np.int32), len(firsts))
        found = self._boxes(cells, parts, cells[firsts].tolist())
        for first, count, some in zip(cells[firsts].tolist(), counts.tolist(), found, strict=True):
            yield first, self._draft(group, first, tuple(some), count)

    def _own(self, cells: Cells, numbers: NDArray[np.int32], count: int) -> None:
        """Store the things of cells: their numbers among the next `count` things."""
        charge(self._layer.at, "drawn tiles", len(cells))
        self._several.append((cells, self._count + numbers))
        self._count += count

    def _charge(self, group: Group, count: int) -> None:
        """Charge `count` things of a group."""
        charge(self._layer.at, "things", count)
        charge(self._layer.at, "values", count * (value_count(group.components) + value_count(group.properties)))

    def _which_of(self, cells: Cells) -> NDArray[np.int32]:
        """Return the indices into `_gids` of cells."""
        return self._which[self._cells.searchsorted(cells)]

    def _parts(self, cells: Cells) -> Cells:
        """Return the number of the connected part that each cell belongs to."""
        rectangles = rectangles_of(cells, self._columns)
        charge(self._layer.at, "boxes", len(rectangles))
        return part_of_cells(cells, rectangles, connected_parts(rectangles), self._columns)

    def _boxes(self, cells: Cells, parts: Cells | None, firsts: list[int]) -> list[list[AnyPart]]:
        """Return the boxes of each part, relative to the center of its first cell. `parts` None: one part."""
        plain, shaped = cells, list[tuple[int, int, tuple[AnyPart, ...]]]()
        if self._shapes:
            values = self._which_of(cells)
            has_shape = np.isin(values, list(self._shapes))
            plain = cells[~has_shape]
            charge(self._layer.at, "boxes", int(self._shape_counts[values].sum()))
            shaped = [
                (int(cells[at]), 0 if parts is None else int(parts[at]), self._shapes[int(values[at])])
                for at in np.flatnonzero(has_shape)
            ]
        rectangles = rectangles_of(plain, self._columns)
        charge(self._layer.at, "boxes", len(rectangles))
        middles = [(first % self._columns + 0.5, first // self._columns + 0.5) for first in firsts]
        found: list[list[AnyPart]] = [[] for _ in firsts]
        corners = rectangles[:, 0] * self._columns + rectangles[:, 1]
        part_of = [0] * len(corners) if parts is None else parts[np.searchsorted(cells, corners)].tolist()
        for part, (top, left, bottom, right) in zip(part_of, rectangles.tolist(), strict=True):
            found[part].append(Area(left, top, right - left, bottom - top).box(*middles[part]))
        for cell, part, boxes in shaped:
            x, y = cell % self._columns + 0.5 - middles[part][0], cell // self._columns + 0.5 - middles[part][1]
            found[part] += [moved(box, x, y) for box in boxes]
        return found

    def _draft(self, group: Group, cell: int, boxes: tuple[AnyPart, ...], count: int) -> DraftThing:
        row, column = divmod(cell, self._columns)
        x = self._grid.column + column + 0.5 + self._layer.x / self._context.tile_width
        y = self._grid.row + row + 0.5 + self._layer.y / self._context.tile_height
        properties = {**self._layer.facts, "cells": count, **group.properties}
        return DraftThing("", 0, group.kind, (x, y, 0.0), boxes, group.components, properties)
