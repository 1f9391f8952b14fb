"""Converts objects to things: their positions in cells, and their parts."""

from __future__ import annotations

import math
from typing import Any

from ecs_collision.components import AnyPart, Sphere
from ecs_collision.components.checks import ORIGIN
from ecs_collision.levels.colliders import NAMED_COLLIDERS
from ecs_collision.levels.drawn_tiles import Rectangle, TileImage
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.grids import UNIT_BOXES
from ecs_collision.levels.tiled.context import Context, DraftThing, Layer, PropertyMerge, value_count
from ecs_collision.levels.tiled.elements import TiledElement, TiledObject, read_object
from ecs_collision.levels.tiled.shapes import FLAGS, SOLID, Area, D, Figure, H, V, quarters_of
from ecs_collision.levels.tiled.tilesets import Tile, Tileset

_POINT_SHAPES = frozenset({"point", "polygon", "polyline"})
"""Shapes that consist of points and have no size."""


def draft_thing_of(
    element: TiledElement, layer: Layer, context: Context
) -> tuple[DraftThing, tuple[TileImage, Rectangle] | None]:
    """Return the thing for an object, and its tile with the place where it is drawn if it has one.

    Raises LevelError if the object has components but a shape that is no box.
    """
    element.limit("objects")
    item, tileset, tile, selected = _read(element, context)
    kind = item.kind or (tile.kind if tile else "") or "object"
    merged = context.merge(PropertyMerge(layer.merged.components), tile.properties if tile else ())
    placed = _PlacedObject(item, tileset, tile, layer, context)
    path = placed.path(element)
    if path:
        merged.components["Path"] = FrozenMap({"points": path})
    merged = context.merge(merged, item.properties)
    choice = context.options.choose(kind, layer=layer.name, name=item.name, id=str(item.id or ""), **selected)
    components = context.components_of(element, choice, merged, tile)
    element.limit("shapes of tiles", len(tile.shapes) if components and tile else 0)
    place, parts = placed.place, placed.scenery()
    if components:
        place, solid = (path[0], UNIT_BOXES) if path else (placed.center, placed.solid())
        if solid is None and not any(kind.__name__ in components for kind in NAMED_COLLIDERS):
            raise element.error(
                f"{placed.what} with {', '.join(components)}", "a rectangle, a point, a tile, a circle or a capsule",
                "draw it with these, give it a collider such as SphereCollider, or remove its components",
            )  # fmt: skip
        parts = solid or ()
        if placed.turn and not all(isinstance(each, Sphere) and each.offset == ORIGIN for each in parts):
            components = FrozenMap({"Transform": FrozenMap({"rotation": placed.turn}), **components})
    element.limit("values", value_count(components) + value_count(merged.properties))
    properties = {**layer.facts, **placed.facts(), **merged.properties}
    draft = DraftThing(item.name, item.id, choice.kind, place, parts, components, properties)
    return draft, placed.drawn()


def _read(element: TiledElement, context: Context) -> tuple[TiledObject, Tileset | None, Tile | None, dict[str, str]]:
    """Return an object, merged with its template if it has one, its tile, and the values by which `kinds=` names it."""
    tilesets = context.tilesets
    base = None
    if element.has("template"):
        base, theirs = context.files.template(element)
        tilesets = tilesets if element.has("gid") else theirs
    item = read_object(element, base)
    if item.id in context.ids:
        raise element.error(f"a second object with the id {item.id}", "a unique id")
    context.ids.update({item.id} - {0})
    if not item.gid:
        return item, None, None, {}
    found = tilesets.find(item.gid)
    if found is None:
        raise tilesets.unknown(element, item.gid)
    gid = {"gid": str(item.gid & ~FLAGS)} if tilesets is context.tilesets else {}
    return item, *found, {"tile": f"{found[0].name}/{found[1].id}"} | gid


class _PlacedObject:
    """An object with its final shape. `is_plain`: it is a point, or a rectangle that is parallel to the axes."""

    def __init__(
        self, item: TiledObject, tileset: Tileset | None, tile: Tile | None, layer: Layer, context: Context
    ) -> None:
        self.item, self.tileset, self.tile, self.layer, self.context = item, tileset, tile, layer, context
        self._quarters = quarters_of(item.rotation)
        self._area = item.area
        """Its rectangle relative to its rotation point, in pixels, before rotation."""
        if tile is not None and tileset is not None:
            wide = tile.width if item.width is None else item.width
            high = tile.height if item.height is None else item.height
            self._area = Area(-tileset.alignment[0] * wide, -tileset.alignment[1] * high, wide, high)
        self.shape = "rectangle" if tile else item.shape.name
        if not tile and self.shape == "rectangle" and self._area.size == (0.0, 0.0):
            self.shape = "point"
        self.is_plain = self.shape == "point" or (self.shape == "rectangle" and self._quarters is not None)
        self.turn = 0.0 if self._quarters is not None else math.radians(math.remainder(item.rotation, 360.0))
        """Its rotation in radians; 0 for quarter turns, which its parts have already."""

    @property
    def what(self) -> str:
        """A description for messages."""
        article = "an" if self.shape == "ellipse" else "a"
        turned = f" turned by {self.item.rotation:g} degrees" if self._quarters is None else ""
        wide, high = self._in_cells(self._area).size
        size = f" of {wide:g} by {high:g} cells" if self.shape in SOLID else ""
        return f"{article} {self.shape}{turned}{size}"

    def _in_cells(self, area: Area) -> Area:
        """Return a rectangle relative to the rotation point after quarter turns, in cells."""
        return area.turned(self._quarters or 0).divided(self.context.tile_width, self.context.tile_height)

    @property
    def place(self) -> tuple[float, float, float]:
        """The position of scenery: its center; for polygons and odd angles, the point in the file."""
        plain = self.shape in _POINT_SHAPES or self._quarters is None
        return self._at(*(0.0, 0.0) if plain else self._area.turned(self._quarters or 0).middle)

    @property
    def center(self) -> tuple[float, float, float]:
        """The position of a body: its center; for points and polygons, the point in the file."""
        if self.shape in _POINT_SHAPES:
            return self._at(0.0, 0.0)
        return self._at(*Figure.of("rectangle", self._area, self.item.rotation).area.middle)

    def _at(self, x: float, y: float) -> tuple[float, float, float]:
        """Return a point relative to the rotation point, in pixels, as a position in cells."""
        point = Area(self.item.x + self.layer.x, self.item.y + self.layer.y, 0.0, 0.0)
        column, row = point.moved(x, y).divided(self.context.tile_width, self.context.tile_height)[:2]
        return (column, row, 0.0)

    def path(self, element: TiledElement) -> tuple[tuple[float, float, float], ...]:
        """Return the points of a line in cells if it has properties of a Path, but not its points; () otherwise."""
        named = [self.context.options.registry.component_in(each.name) for each in self.item.properties]
        fields = {field for name, field in named if name == "Path"}
        if not self.item.shape.points or not fields or not fields.isdisjoint({"", "points"}):
            return ()
        if self.item.rotation:
            raise element.error(
                f"a {self.shape} with Path, turned by {self.item.rotation:g} degrees", "a line that is not turned",
                "set its rotation to 0, or draw it again",
            )  # fmt: skip
        return tuple([self._at(x, y) for x, y in self.item.shape.points])

    def drawn(self) -> tuple[TileImage, Rectangle] | None:
        """Return the tile and the rectangle that it is drawn in before it is turned by its `rotation`; None without."""
        if self.tile is None or self.tileset is None:
            return None
        area = self._area.moved(self.item.x + self.layer.x, self.item.y + self.layer.y)
        return self.tileset.image(self.tile, self.item.gid), area

    def scenery(self) -> tuple[AnyPart, ...]:
        """Return its parts if it has no components: a box of its size, or none."""
        if self.shape == "point" or not self.is_plain:
            return ()
        area = self._in_cells(self._area)
        return (area.box(*area.middle),)

    def solid(self) -> tuple[AnyPart, ...] | None:
        """Return its parts if it is a body, None if it cannot be one: those of its tile, one cell for a point, etc."""
        wide, high = self.context.tile_width, self.context.tile_height
        if self.shape == "point":
            return UNIT_BOXES
        if self.shape not in SOLID or (self.turn and wide != high):
            return None
        quarters, turns, middle = self._quarters or 0, bool(self.turn), self._in_cells(self._area).middle
        if self.tile and self.tile.shapes:
            figures = self.tile.figures_in(self._area, self.item.gid & FLAGS)
            turned = [each.at(each.area.turned(quarters)).divided(wide, high) for each in figures]
            return self.tile.solid_parts(turned, *middle, turns)
        part = Figure(self.shape, self._in_cells(self._area)).part(*middle, turns)
        return None if part is None else (part,)

    def facts(self) -> dict[str, Any]:
        """Return the properties that its position and boxes do not contain."""
        item, facts = self.item, dict[str, Any]()
        wide, high = self.context.tile_width, self.context.tile_height
        if self.shape != "rectangle":
            facts["shape"] = self.shape
        if item.rotation:
            facts["rotation"] = item.rotation
        if self.shape not in _POINT_SHAPES and not self.is_plain:
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
