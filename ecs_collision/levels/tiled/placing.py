"""Converts objects to things: their positions in cells, and their boxes."""

from __future__ import annotations

from typing import Any

from ecs_collision.components import Box
from ecs_collision.levels.drawn_tiles import Rectangle, TileImage
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.tiled.context import Context, Layer
from ecs_collision.levels.tiled.draft_things import DraftThing, value_count
from ecs_collision.levels.tiled.geometry import FLAGS, Area, D, H, V
from ecs_collision.levels.tiled.objects import ERASE, TiledObject, read_object
from ecs_collision.levels.tiled.parts import Part, charge
from ecs_collision.levels.tiled.property_merge import PropertyMerge
from ecs_collision.levels.tiled.tilesets import Tile, Tileset

_POINT_SHAPES = frozenset({"point", "polygon", "polyline"})
"""Shapes that consist of points and have no size."""


def draft_thing_of(part: Part, layer: Layer, context: Context) -> tuple[DraftThing, tuple[TileImage, Rectangle] | None]:
    """Return the thing for an object, and its tile with the place where it is drawn if it has one.

    Raises LevelError if the object has components but a shape that is no box.
    """
    charge(part, "objects")
    item, tileset, tile, selected = _read(part, context)
    kind = item.kind or (tile.kind if tile else "") or "object"
    merged = context.merge(PropertyMerge(layer.merged.components), tile.properties if tile else ())
    merged = context.merge(merged, item.properties)
    choice = context.options.choose(kind, layer=layer.name, name=item.name, id=str(item.id or ""), **selected)
    components = context.components_of(part, choice, merged, tile)
    placed = _PlacedObject(item, tileset, tile, layer, context)
    if components and not placed.is_solid:
        raise _not_solid(part, placed.what, components)
    charge(part, "tile shapes", len(tile.shapes) if components and tile else 0)
    boxes = placed.boxes(bool(components))
    charge(part, "values", value_count(components) + value_count(merged.properties))
    properties = {**layer.facts, **placed.facts(), **merged.properties}
    draft = DraftThing(item.name, item.id, choice.kind, placed.position, boxes, components, properties)
    return draft, placed.drawn()


def _read(part: Part, context: Context) -> tuple[TiledObject, Tileset | None, Tile | None, dict[str, str]]:
    """Return an object, merged with its template if it has one, its tile, and the values by which `kinds=` names it."""
    tilesets = context.tilesets
    base = None
    if part.has("template"):
        base, theirs = context.files.template(part)
        tilesets = tilesets if part.has("gid") else theirs
    item = read_object(part, base)
    if item.id in context.ids:
        raise part.error(f"a second object with the id {item.id}", "a unique id")
    context.ids.update({item.id} - {0})
    if not item.gid:
        return item, None, None, {}
    found = tilesets.find(item.gid)
    if found is None:
        raise part.error(f"the gid {item.gid & ~FLAGS}", tilesets.describe(), ERASE, key="gid")
    gid = {"gid": str(item.gid & ~FLAGS)} if tilesets is context.tilesets else {}
    return item, *found, {"tile": f"{found[0].name}/{found[1].id}"} | gid


def _not_solid(part: Part, what: str, components: FrozenMap) -> Exception:
    return part.error(
        f"{what} with {', '.join(components)}", "a rectangle, a point or a tile, turned by 0, 90, 180 or 270 degrees",
        "draw it with rectangles, or remove its components",
    )  # fmt: skip


def _area_of(item: TiledObject, tileset: Tileset | None, tile: Tile | None) -> Area:
    """Return the rectangle relative to the rotation point of an object, in pixels, before rotation."""
    if tile is None or tileset is None:
        return item.area
    wide = tile.width if item.width is None else item.width
    high = tile.height if item.height is None else item.height
    across, down = tileset.alignment
    return Area(-across * wide, -down * high, wide, high)


class _PlacedObject:
    """An object with its final shape; `is_solid` says whether it can be a body."""

    def __init__(
        self, item: TiledObject, tileset: Tileset | None, tile: Tile | None, layer: Layer, context: Context
    ) -> None:
        self.item, self.tileset, self.tile, self.layer, self.context = item, tileset, tile, layer, context
        self._quarters = item.quarters
        self._area = _area_of(item, tileset, tile)
        self.shape = "rectangle" if tile else item.shape.name
        if not tile and self.shape == "rectangle" and self._area.size == (0.0, 0.0):
            self.shape = "point"
        self.is_solid = self.shape == "point" or (self.shape == "rectangle" and self._quarters is not None)

    @property
    def what(self) -> str:
        """A description for messages."""
        article = "an" if self.shape == "ellipse" else "a"
        turned = f" turned by {self.item.rotation:g} degrees" if self._quarters is None else ""
        return f"{article} {self.shape}{turned}"

    def _in_cells(self, area: Area) -> Area:
        """Return a rectangle relative to the rotation point after rotation, in cells."""
        return area.turned(self._quarters or 0).divided(self.context.tile_width, self.context.tile_height)

    @property
    def position(self) -> tuple[float, float, float]:
        """Its center; for polygons and angles that are no quarter turns, the point in the file."""
        plain = self.shape in _POINT_SHAPES or self._quarters is None
        point = Area(self.item.x + self.layer.x, self.item.y + self.layer.y, 0.0, 0.0)
        middle = (0.0, 0.0) if plain else self._area.turned(self._quarters or 0).middle
        x, y = point.moved(*middle).divided(self.context.tile_width, self.context.tile_height)[:2]
        return (x, y, 0.0)

    def drawn(self) -> tuple[TileImage, Rectangle] | None:
        """Return the tile and the rectangle that it is drawn in before it is turned by its `rotation`; None without."""
        if self.tile is None or self.tileset is None:
            return None
        area = self._area.moved(self.item.x + self.layer.x, self.item.y + self.layer.y)
        return self.tileset.image(self.tile, self.item.gid), area

    def boxes(self, is_body: bool) -> tuple[Box, ...]:
        """Return its boxes: those of its tile for a body, one cell for a body at a point, else one of its size."""
        if self.shape == "point":
            return (Box(0.5, 0.5),) if is_body else ()
        if not self.is_solid:
            return ()
        areas = [self._area]
        if is_body and self.tile and self.tile.shapes:
            areas = self.tile.areas_in(self._area, self.item.gid & FLAGS)
        middle = self._in_cells(self._area).middle
        return tuple(self._in_cells(area).box(*middle) for area in areas)

    def facts(self) -> dict[str, Any]:
        """Return the properties that its position and boxes do not contain."""
        item, facts = self.item, dict[str, Any]()
        wide, high = self.context.tile_width, self.context.tile_height
        if self.shape != "rectangle":
            facts["shape"] = self.shape
        if item.rotation:
            facts["rotation"] = item.rotation
        if self.shape not in _POINT_SHAPES and not self.is_solid:
            area = self._area.divided(wide, high) if self._quarters is None else self._in_cells(self._area)
            facts["width"], facts["height"] = area.size
        if item.shape.points:
            facts["points"] = tuple((x / wide, y / high) for x, y in item.shape.points)
        if item.shape.text:
            facts["text"] = item.shape.text
        if self.tile is not None and self.tileset is not None:
            facts["tileset"], facts["tile"] = self.tileset.name, self.tile.id
            flipped = "".join(letter for letter, flag in (("h", H), ("v", V), ("d", D)) if item.gid & flag)
            facts |= {"flipped": flipped} if flipped else {}
        return facts if item.visible else facts | {"visible": False}
