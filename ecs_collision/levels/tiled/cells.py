"""Converts tile layers to things: cells whose tiles have equal data become one thing with few boxes, or one each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ecs_collision.components import AnyPart
from ecs_collision.components.part_value import moved
from ecs_collision.errors import LevelError
from ecs_collision.levels.drawn_tiles import TileGrid, packed
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.grids import UNIT_BOXES, Rectangle, Run, box_of, connected_parts, rectangles_of, runs_in
from ecs_collision.levels.tiled.context import Context, DraftThing, Layer, value_count
from ecs_collision.levels.tiled.elements import TiledElement
from ecs_collision.levels.tiled.shapes import FLAGS
from ecs_collision.levels.tiled.tile_data import Gids
from ecs_collision.levels.tiled.tilesets import Tile, Tileset


class Grid(NamedTuple):
    """The tiles of a layer, its size, and the column and row of the first.

    elements: what contains them in the file (the layer or its chunks), by column, row, width and height.
    """

    gids: Gids
    columns: int
    rows: int
    column: int
    row: int
    elements: Mapping[tuple[int, int, int, int], TiledElement]

    def runs(self, value_of: Mapping[int, int]) -> Iterator[tuple[int, Run]]:
        """Yield the runs of cells whose gids have an equal value, which is not 0."""
        for row in range(self.rows):
            begin = row * self.columns
            for value, left, right in runs_in(map(value_of.__getitem__, self.gids[begin : begin + self.columns])):
                if value:
                    yield value, Run(row, left, right)

    def error_at(self, cell: int, found: str, expected: str, remedy: str) -> LevelError:
        """Return an error about a tile."""
        row, column = divmod(cell, self.columns)
        row, column = row + self.row, column + self.column
        where = f"{found} in column {column}, row {row}"
        for (x, y, width, height), element in self.elements.items():
            if x <= column < x + width and y <= row < y + height:
                return element.error_of_tile((row - y) * width + column - x, where, expected, remedy)
        raise AssertionError("every nonzero tile belongs to an element")


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
    drafts = reader.drafts()
    if drafts:
        context.tile_layers.append(reader.tile_grid(len(context.drafts)))
        context.drafts += drafts


class _LayerReader:
    """Converts the tiles of one layer to things."""

    def __init__(self, grid: Grid, layer: Layer, context: Context) -> None:
        self._grid, self._layer, self._context = grid, layer, context
        self._limit = layer.at.limit
        self._groups: dict[tuple[Any, ...], Group] = {}
        self._known: dict[tuple[int, int], Group] = {}
        self._group_of: dict[int, Group] = {}
        self._tiles: dict[int, tuple[Tileset, Tile]] = {}
        """The tileset and tile of each gid, in the order of the gids."""
        self._shapes: dict[int, tuple[AnyPart, ...]] = {}
        """Parts of tiles with shapes, relative to the center of the cell, by gid."""
        self._things: list[tuple[int, DraftThing]] = []
        """The first cell of each thing, and the thing."""
        self._owners: list[tuple[int, int]] = []
        """The first cell of each run of cells of a thing, and the number of the thing in `_things`."""
        self._order: list[int] = []

    def drafts(self) -> list[DraftThing]:
        """Return the things."""
        for gid in sorted(set(self._grid.gids) - {0}):
            self._limit("tiles")
            found = self._context.tilesets.find(gid)
            if found is None:
                raise self._unknown()
            self._tiles[gid] = found
            self._group_of[gid] = self._group_of_gid(gid, *found)
        self._add_things()
        self._order = sorted(range(len(self._things)), key=lambda number: self._things[number][0])
        return [self._things[number][1] for number in self._order]

    def tile_grid(self, before: int) -> TileGrid:
        """Return the tiles; `before` is the number of things in the layers below."""
        context, layer = self._context, self._layer
        step = (context.tile_width, context.tile_height)
        images = [tileset.image(tile, gid) for gid, (tileset, tile) in self._tiles.items()]
        areas = [tileset.area_in(gid & FLAGS, *step, tile) for gid, (tileset, tile) in self._tiles.items()]
        kind = "B" if len(images) < 2**8 else "H"
        number_of = {0: 0, **{gid: number for number, gid in enumerate(self._tiles, 1)}}
        rank_of = {number: before + rank for rank, number in enumerate(self._order)}
        owners = sorted(self._owners)
        return TileGrid(
            layer.name, tuple(images), tuple(areas), self._grid.columns, kind,
            packed(map(number_of.__getitem__, self._grid.gids), kind),
            packed(cell for cell, _ in owners), packed(rank_of[number] for _, number in owners), step,
            (layer.x + self._grid.column * step[0], layer.y + self._grid.row * step[1]),
        )  # fmt: skip

    def _group(self, tile: Tile, chosen: int = 0) -> Group:
        """Return the group of a tile; `chosen` is its gid if `kinds=` names it."""
        context, layer, key = self._context, self._layer, (tile.data_key, chosen)
        if key not in self._known:
            merged = context.merge(layer.merged, tile.properties)
            kind = tile.kind or layer.kind or layer.name or "tiles"
            choice = context.options.choose(kind, layer=layer.name, **context.chosen_tiles.get(chosen, {}))
            components = context.components_of(layer.at, choice, merged, tile)
            what = (choice.kind, components, FrozenMap(merged.properties))
            self._limit("values", value_count(what[1]) + value_count(what[2]))
            self._limit("tiles")
            self._known[key] = self._groups.setdefault(what, Group(len(self._groups) + 1, *what))
        return self._known[key]

    def _group_of_gid(self, gid: int, tileset: Tileset, tile: Tile) -> Group:
        """Return the group of an existing gid, and store the shapes of its tile."""
        bare = gid & ~FLAGS
        group = self._group(tile, bare if bare in self._context.chosen_tiles else 0)
        if tile.shapes and group.components:
            wide, high = self._context.tile_width, self._context.tile_height
            self._limit("shapes of tiles", len(tile.shapes))
            area = tileset.area_in(gid & FLAGS, wide, high, tile)
            figures = [figure.divided(wide, high) for figure in tile.figures_in(area, gid & FLAGS)]
            self._shapes[gid] = tile.solid_parts(figures, 0.5, 0.5)
        return group

    def _unknown(self) -> LevelError:
        find = self._context.tilesets.find
        cell, gid = next((cell, gid) for cell, gid in enumerate(self._grid.gids) if gid and find(gid) is None)
        return self._grid.error_at(
            cell, f"the gid {gid & ~FLAGS}", self._context.tilesets.describe(),
            "add the tileset to the map, or erase the tile",
        )  # fmt: skip

    def _add_things(self) -> None:
        """Add the things of all groups."""
        runs: dict[int, list[Run]] = {}
        plain: dict[int, list[Run]] = {}
        number_of = {0: 0, **{gid: group.number for gid, group in self._group_of.items()}}
        for number, run in self._grid.runs(number_of):
            self._limit("runs of equal cells")
            runs.setdefault(number, []).append(run)
        shaped: dict[int, list[int]] = {}
        if self._shapes:
            for number, run in self._grid.runs({**number_of, **dict.fromkeys(self._shapes, 0)}):
                plain.setdefault(number, []).append(run)
            for cell, gid in enumerate(self._grid.gids):
                if gid in self._shapes:
                    self._limit("shapes of tiles", len(self._shapes[gid]))
                    shaped.setdefault(number_of[gid], []).append(cell)
        for group in self._groups.values():
            if group.number in runs:
                found = runs[group.number]
                if group.grouping == "single":
                    self._add_single(group, found)
                else:
                    part_of = self._parts(found) if group.grouping == "joined" else {}
                    boxes = plain.get(group.number, []) if self._shapes else found
                    self._add_wide(group, found, part_of, rectangles_of(boxes), shaped.get(group.number, []))

    def _add_single(self, group: Group, runs: list[Run]) -> None:
        """Add a thing for each cell."""
        self._count_things(group, sum(run.right - run.left for run in runs))
        for row, left, right in runs:
            for cell in range(row * self._grid.columns + left, row * self._grid.columns + right):
                parts = self._shapes.get(self._grid.gids[cell], UNIT_BOXES)
                self._owners.append((cell, len(self._things)))
                self._things.append((cell, self._draft(group, cell, parts, 1)))

    def _parts(self, runs: list[Run]) -> dict[int, int]:
        """Return the number of the connected part that each run belongs to, by its first cell."""
        rectangles = rectangles_of(runs)
        self._limit("boxes", len(rectangles))
        return {
            row * self._grid.columns + left: part
            for (top, left, bottom, _), part in zip(rectangles, connected_parts(rectangles), strict=True)
            for row in range(top, bottom)
        }

    def _add_wide(
        self, group: Group, runs: list[Run], part_of: dict[int, int], rectangles: list[Rectangle], shaped: list[int]
    ) -> None:
        """Add a thing for each part of the runs, with the boxes of rectangles and the shapes of cells."""
        columns = self._grid.columns
        firsts: dict[int, int] = {}
        counts: dict[int, int] = {}
        starts = [row * columns + left for row, left, _ in runs]
        parts = [part_of.get(start, 0) for start in starts]
        for start, part, run in zip(starts, parts, runs, strict=True):
            firsts.setdefault(part, start)
            counts[part] = counts.get(part, 0) + run.right - run.left
        self._count_things(group, len(firsts))
        self._limit("boxes", len(rectangles))
        boxes: dict[int, list[AnyPart]] = {part: [] for part in firsts}
        for rectangle in rectangles:
            part = parts[bisect_right(starts, rectangle[0] * columns + rectangle[1]) - 1]
            row, column = divmod(firsts[part], columns)
            boxes[part].append(box_of(rectangle, column + 0.5, row + 0.5))
        for cell in shaped:
            part = parts[bisect_right(starts, cell) - 1]
            x, y = cell % columns - firsts[part] % columns, cell // columns - firsts[part] // columns
            boxes[part] += [moved(shape, x, y) for shape in self._shapes[self._grid.gids[cell]]]
        self._owners += [(start, len(self._things) + part) for start, part in zip(starts, parts, strict=True)]
        for part, first in firsts.items():
            self._things.append((first, self._draft(group, first, tuple(boxes[part]), counts[part])))

    def _count_things(self, group: Group, count: int) -> None:
        self._limit("things", count)
        self._limit("values", count * (value_count(group.components) + value_count(group.properties)))

    def _draft(self, group: Group, cell: int, boxes: tuple[AnyPart, ...], count: int) -> DraftThing:
        row, column = divmod(cell, self._grid.columns)
        x = self._grid.column + column + 0.5 + self._layer.x / self._context.tile_width
        y = self._grid.row + row + 0.5 + self._layer.y / self._context.tile_height
        properties = {**self._layer.facts, "cells": count, **group.properties}
        return DraftThing("", 0, group.kind, (x, y, 0.0), boxes, group.components, properties)
