"""Converts a Tiled map to a `Level`.

A tile of the map is 1.0, y downwards, as Tiled draws it. docs/levels.md says what objects, tile layers and properties
become. Parallax and images are ignored; `Level.properties["layers"]` lists every layer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ecs_collision.levels.drawn_tiles import Rectangle, TileImage, list_of_objects
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.level import Level
from ecs_collision.levels.level_properties import level_properties
from ecs_collision.levels.limits import MAX_DEPTH, MAX_SIDE, check_size
from ecs_collision.levels.source import Source
from ecs_collision.levels.tiled.cells import add_tiles
from ecs_collision.levels.tiled.context import Context, Layer, PropertyMerge, resolve_references, things_of
from ecs_collision.levels.tiled.elements import TiledElement, root_of
from ecs_collision.levels.tiled.layers import finite_grid, infinite_grid
from ecs_collision.levels.tiled.placing import draft_thing_of
from ecs_collision.levels.tiled.tilesets import Files

if TYPE_CHECKING:
    from ecs_collision.levels.load import Options

_ORIENTATIONS = ("orthogonal", "isometric", "staggered", "hexagonal", "oblique")


def read_tmx(source: Source, options: Options) -> list[Level]:
    """Return the level of a Tiled map in XML; raises LevelError with line and column of the first fault."""
    return [level_of(root_of(source, in_json=False), options)]


def read_tmj(source: Source, options: Options) -> list[Level]:
    """Return the level of a Tiled map in JSON; raises LevelError with the JSON pointer of the first fault."""
    return [level_of(root_of(source, in_json=True), options)]


def level_of(root: TiledElement, options: Options) -> Level:
    """Return the level of a map; raises LevelError with the position of the first fault."""
    root.expect("map")
    orientation = root.text("orientation", among=_ORIENTATIONS)
    if orientation != "orthogonal":
        raise root.error(
            f"a map that is {orientation}", "an orthogonal map",
            "choose orthogonal in the map's properties in Tiled", key="orientation",
        )  # fmt: skip
    wide, high = (root.integer(key, minimum=1, maximum=MAX_SIDE) for key in ("tilewidth", "tileheight"))
    files = Files()
    tilesets = files.tilesets_of(root)
    chosen = tilesets.chosen(root, options.kinds)
    reader = _Reader(root, Context(options, wide, high, files, tilesets, chosen_tiles=chosen))
    reader.read(root, Layer(root, "", "", 0.0, 0.0, True, PropertyMerge()), 0)
    return reader.level()


class _Reader:
    """Reads the layers of a map, starting at the bottom."""

    def __init__(self, root: TiledElement, context: Context) -> None:
        self._root, self._context = root, context
        self._is_infinite = root.flag("infinite", default=False)
        self._size = (
            root.integer("width", minimum=1, maximum=MAX_SIDE),
            root.integer("height", minimum=1, maximum=MAX_SIDE),
        )
        if not self._is_infinite:
            check_size(*self._size, root.error)
        self._layers: list[dict[str, Any]] = []
        self._grids: list[tuple[int, int, int, int]] = []

    def read(self, element: TiledElement, parent: Layer, depth: int) -> None:
        """Read the layers of the map or of a group, recursively."""
        if depth > MAX_DEPTH:
            found = f"a group inside {MAX_DEPTH} others"
            raise element.error(found, "fewer nested groups", "move groups out of other groups")
        read: dict[str, Callable[[Layer], dict[str, int]]] = {"tilelayer": self._tiles, "objectgroup": self._objects}
        for kind, child in element.layers():
            child.limit("layers and tilesets")
            layer = parent.inside(child, self._context)
            self._context.options.kinds.see("layer", layer.name)
            facts: dict[str, Any] = {"name": layer.name, "type": kind}
            facts |= {"class": layer.kind} if layer.kind else {}
            self._layers.append(facts)
            if kind in read:
                facts.update(read[kind](layer))
            facts.update({"properties": layer.merged.properties} if layer.merged.properties else {})
            facts.update({} if layer.visible else {"visible": False})
            if kind == "group":
                self.read(child, layer, depth + 1)

    def _tiles(self, layer: Layer) -> dict[str, int]:
        grid = infinite_grid(layer.at) if self._is_infinite else finite_grid(layer.at, self._size)
        if grid is None:
            return {"cells": 0}
        self._grids.append((grid.column, grid.row, grid.column + grid.columns, grid.row + grid.rows))
        add_tiles(grid, layer, self._context)
        return {"cells": len(grid.gids) - grid.gids.count(0)}

    def _objects(self, layer: Layer) -> dict[str, int]:
        drafts, before = self._context.drafts, len(self._context.drafts)
        drawn: list[tuple[int, TileImage, Rectangle]] = []
        for element in layer.at.objects():
            draft, tile = draft_thing_of(element, layer, self._context)
            if tile is not None:
                drawn.append((len(drafts), *tile))
            drafts.append(draft)
        if drawn:
            self._context.tile_layers.append(list_of_objects(layer.name, drawn))
        return {"objects": len(drafts) - before}

    def level(self) -> Level:
        """Return the level from everything that was read."""
        drafts = self._context.drafts
        tile_layers = (facts for facts in self._layers if facts["type"] == "tilelayer")
        defined = {facts.get("class", facts["name"]) for facts in tile_layers} - {""}
        self._context.options.defined.update(defined | self._context.tilesets.kinds())
        own = level_properties(
            (each.name, each.value, partial(each.at.error, key="value")) for each in self._root.properties()
        )
        things = things_of(drafts)
        by_id = {draft.id: thing.name for draft, thing in zip(drafts, things, strict=True) if draft.id}
        size, facts = self._size, {"layers": self._layers}
        if self._is_infinite and self._grids:
            lefts, tops, rights, bottoms = zip(*self._grids, strict=True)
            size = max(rights) - min(lefts), max(bottoms) - min(tops)
            facts["origin"] = [min(lefts), min(tops)]
        return Level(
            own.texts.get("title") or PurePosixPath(self._root.source.name).stem,
            size,
            things,
            FrozenMap(own.settings),
            FrozenMap(resolve_references({**facts, **own.rest}, by_id)),
            own.texts.get("win"),
            own.texts.get("gravity"),
            self._root.source.name,
            "tiled",
            cell_pixels=(self._context.tile_width, self._context.tile_height),
            tile_layers=tuple(self._context.tile_layers),
        )
