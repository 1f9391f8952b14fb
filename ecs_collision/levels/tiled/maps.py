"""A Tiled map becomes a `Level`.

Units: a tile of the map is 1.0, y downwards, as Tiled draws it; layer offsets count, parallax and images do not.

Objects: one thing each. kind: its class, else that of its tile, else "object". name: its name where no other has it,
else numbered. Rectangles and tiles, turned by quarters, have the boxes they show (of a tile with collision shapes,
these; flipped and scaled as it is) about their middle; points, and rectangles without size, are one cell about them.
Ellipses, polygons, texts and what is turned otherwise are scenery: `shape`, `points`, `rotation` say what they are; to
give them components is an error.

Tile layers: cells whose tiles say the same are one thing of few boxes where they are Static or scenery, else each its
own. The property `single`, `joined` (what hangs together is one) or `whole`, of a layer or a tile, says otherwise.
position: the middle of the first cell. kind: class of the tile, else class or name of the layer. A tile with collision
shapes has these boxes, and is Static unless something else is said.

Properties: see `said`. A group or object layer hands its components down to what is in it. Properties of the map are
settings of the world (rule, max_chain, all_or_nothing, order, axis_order, overlap_policy), `title`, `win`, `gravity`,
or stay in `Level.properties`, where `layers` lists every layer with what it says.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ecs_collision.levels.cells import check_size
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.level import Level
from ecs_collision.levels.level_properties import level_properties
from ecs_collision.levels.source import MAX_DEPTH, MAX_SIDE
from ecs_collision.levels.tiled.cells import Grid, draft_things_of
from ecs_collision.levels.tiled.context import Context, Layer
from ecs_collision.levels.tiled.draft_things import resolve_references, things_of
from ecs_collision.levels.tiled.files import Files
from ecs_collision.levels.tiled.layers import finite_grid, infinite_grid
from ecs_collision.levels.tiled.parts import Part, charge
from ecs_collision.levels.tiled.placing import draft_thing_of
from ecs_collision.levels.tiled.property_merge import PropertyMerge

if TYPE_CHECKING:
    from ecs_collision.levels.load import Options

_ORIENTATIONS = ("orthogonal", "isometric", "staggered", "hexagonal", "oblique")


def level_of(root: Part, options: Options) -> Level:
    """Return the level of a map; raises LevelError with the place of the first fault."""
    root.expect("map")
    _expect_orthogonal(root)
    wide, high = (root.integer(key, minimum=1, maximum=MAX_SIDE) for key in ("tilewidth", "tileheight"))
    files = Files()
    reader = _Reader(root, Context(options, wide, high, files, files.tilesets_of(root)))
    reader.read(root, Layer(root, "", "", 0.0, 0.0, True, PropertyMerge()), 0)
    return reader.level()


def _expect_orthogonal(root: Part) -> None:
    orientation = root.text("orientation", among=_ORIENTATIONS)
    if orientation != "orthogonal":
        raise root.error(
            f"a map that is {orientation}", "an orthogonal map, for bodies are boxes along x and y",
            "choose orthogonal in the map's properties in Tiled", key="orientation",
        )  # fmt: skip


class _Reader:
    """Reads the layers of a map, the bottom one first."""

    def __init__(self, root: Part, context: Context) -> None:
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

    def read(self, part: Part, parent: Layer, depth: int) -> None:
        """Read the layers of the map or of a group."""
        if depth > MAX_DEPTH:
            raise part.error(f"a group inside {MAX_DEPTH} others", "fewer in each other", "take groups out of others")
        read: dict[str, Callable[[Layer], dict[str, int]]] = {"tilelayer": self._tiles, "objectgroup": self._objects}
        for kind, child in part.layers():
            charge(child, "layers")
            layer = parent.inside(child, self._context)
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
        grid: Grid | None
        if self._is_infinite:
            grid = infinite_grid(layer.at)
        else:
            grid = finite_grid(layer.at, self._size)
        if grid is None:
            return {"cells": 0}
        rows, columns = grid.gids.shape
        self._grids.append((grid.column, grid.row, grid.column + columns, grid.row + rows))
        self._context.drafts += draft_things_of(grid, layer, self._context)
        return {"cells": int((grid.gids != 0).sum())}

    def _objects(self, layer: Layer) -> dict[str, int]:
        before = len(self._context.drafts)
        for part in layer.at.objects():
            self._context.drafts.append(draft_thing_of(part, layer, self._context))
        return {"objects": len(self._context.drafts) - before}

    def level(self) -> Level:
        """Return the level of all that was read."""
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
        )
