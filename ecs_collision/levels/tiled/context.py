"""The state shared while reading a map, and the data that layers pass on to their things."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ecs_collision.levels.colliders import NAMED_COLLIDERS
from ecs_collision.levels.drawn_tiles import TileLayer
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.kinds import Choice, present
from ecs_collision.levels.registry import component_conflict
from ecs_collision.levels.tiled.draft_things import DraftThing
from ecs_collision.levels.tiled.files import Files
from ecs_collision.levels.tiled.parts import Part, Property, name_of
from ecs_collision.levels.tiled.property_merge import PropertyMerge
from ecs_collision.levels.tiled.tilesets import Tile, Tilesets

if TYPE_CHECKING:
    from ecs_collision.levels.load import Options


_SHAPES = {"Collider", "Transform", *(kind.__name__ for kind in NAMED_COLLIDERS)}
"""Components that say what a tile looks like and not what it does."""


@dataclass(slots=True)
class Context:
    """A map while it is read: options, tile size in pixels, files, tilesets, and the things, ids and tiles so far.

    chosen_tiles: the gids that `kinds=` names, with their values for its selectors.
    """

    options: Options
    tile_width: float
    tile_height: float
    files: Files
    tilesets: Tilesets
    drafts: list[DraftThing] = field(default_factory=list)
    ids: set[int] = field(default_factory=set)
    tile_layers: list[TileLayer] = field(default_factory=list)
    chosen_tiles: dict[int, dict[str, str]] = field(default_factory=dict)

    def components_of(self, at: Part, choice: Choice, merged: PropertyMerge, tile: Tile | None) -> FrozenMap:
        """Return the components of a thing: from the file and the program; tiles with shapes are Static by default."""
        all_merged = choice.merged(merged.components)
        has_part = {name for name, fields in all_merged.items() if fields is not None} - _SHAPES
        if tile is not None and tile.shapes and not has_part and "Static" not in all_merged:
            all_merged["Static"] = FrozenMap()
        components = present(all_merged)
        conflict = component_conflict(components)
        if conflict:
            names = [name for name in ("Static", "Motion", "Inertia", *sorted(_SHAPES)) if name in components]
            conflict += choice.origins(merged.components, names)
            raise at.error(conflict, "compatible components", "choose others; X = false removes X")
        return components

    def merge(self, merged: PropertyMerge, properties: Iterable[Property]) -> PropertyMerge:
        """Return properties merged with further ones, which take precedence."""
        return merged.merged_with(properties, self.options.registry)


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer: its element, name, class, offset in pixels, and its properties merged with those of its groups."""

    at: Part
    name: str
    kind: str
    x: float
    y: float
    visible: bool
    merged: PropertyMerge

    def inside(self, at: Part, context: Context) -> Layer:
        """Return a layer inside this group. Components are inherited, other properties are not."""
        for key in ("x", "y"):
            if at.integer(key, default=0):
                found = f"a layer at {key} = {at.integer(key)}"
                raise at.error(found, "0, as Tiled writes it", "use the layer's offset", key=key)
        merged = context.merge(PropertyMerge(self.merged.components), at.properties())
        return replace(
            self,
            at=at,
            name=name_of(at, "name"),
            kind=name_of(at, "class"),
            x=self.x + at.number("offsetx", default=0.0),
            y=self.y + at.number("offsety", default=0.0),
            visible=self.visible and at.flag("visible", default=True),
            merged=merged,
        )

    @property
    def facts(self) -> dict[str, object]:
        """The properties that every thing of the layer gets."""
        return {"layer": self.name} | ({} if self.visible else {"visible": False})
