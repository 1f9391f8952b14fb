"""Tilesets and templates, in XML or JSON. Images are never opened; only their sizes are read from the file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import PurePosixPath
from typing import Any

from ecs_collision.components import AnyPart
from ecs_collision.errors import LevelError
from ecs_collision.levels.drawn_tiles import Rectangle, TileImage
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.kinds import Kinds
from ecs_collision.levels.source import integer_of, shown
from ecs_collision.levels.tiled.elements import (
    Property,
    Shape,
    TiledElement,
    TiledObject,
    class_of,
    read_object,
    root_of,
)
from ecs_collision.levels.tiled.shapes import ALIGNMENTS, FLAGS, SOLID, Area, D, Figure, H, V

MAX_TILES = 2**28
"""Maximum number of tiles in a tileset, and the highest gid; higher bits are flags."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: its local id, class, properties, shapes from the collision editor, and size in pixels.

    data_key: a number that is equal for tiles of a map with equal data.
    """

    id: int
    kind: str = ""
    properties: tuple[Property, ...] = ()
    shapes: tuple[TiledObject, ...] = ()
    width: float = 0.0
    height: float = 0.0
    data_key: int = -1

    def figures_in(self, target: Area, flags: int) -> list[Figure]:
        """Return its shapes for the tile flipped into `target`, as long as its shapes."""
        if self.shapes and 0.0 in (self.width, self.height):
            raise self.shapes[0].at.error(
                "a shape of a tile without a size", "a tile with a size", "save the tileset again with Tiled"
            )
        wide, high = (self.height, self.width) if flags & D else (self.width, self.height)
        flipped = [figure.flipped(flags, self.width, self.height) for figure in map(_figure_of, self.shapes)]
        across, down = target.size
        fitted = [each.scaled(across, down).divided(wide, high) for each in flipped]
        return [each.at(each.area.moved(target.left, target.top)) for each in fitted]

    def solid_parts(self, figures: Iterable[Figure], x: float, y: float, turns: bool = False) -> tuple[AnyPart, ...]:
        """Return its shapes, placed and in cells, as parts of a body at (x, y); raises LevelError if one is none."""
        parts = []
        for shape, figure in zip(self.shapes, figures, strict=True):
            part = figure.part(x, y, turns)
            if part is None:
                raise _not_solid(shape, "an ellipse" if figure.shape == "ellipse" else f"a {figure.shape}")
            parts.append(part)
        return tuple(parts)


def _figure_of(shape: TiledObject) -> Figure:
    """Return the figure of a shape."""
    name = shape.shape.name
    if name not in SOLID or shape.gid:
        raise _not_solid(shape, f"the shape {name}")
    figure = Figure.of(name, shape.area, shape.rotation)
    return figure.at(figure.area.moved(shape.x, shape.y))


def _not_solid(shape: TiledObject, what: str) -> LevelError:
    return shape.at.error(
        f"{what} of a solid tile", "rectangles, circles and capsules",
        "draw it with these, or set the tile property Static to false",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tileset:
    """A tileset with `count` tiles, None if unknown. In an image collection only those in `tiles` exist.

    source_grid: the columns of its image, 0 if unknown, and the margin around and the spacing between its tiles.
    """

    at: TiledElement
    name: str
    width: int
    height: int
    count: int | None
    is_collection: bool
    alignment: tuple[float, float]
    on_grid: str
    source_grid: tuple[int, int, int]
    tiles: dict[int, Tile] = field(default_factory=dict)

    def tile(self, id: int) -> Tile | None:
        """Return the tile with a local id, or None."""
        found = self.tiles.get(id)
        if found is None and not self.is_collection and (self.count is None or id < self.count):
            return Tile(id, width=self.width, height=self.height)
        return found

    def source(self, id: int) -> Rectangle | None:
        """Return the place of a tile in the image of the tileset, None if there is no image or it has no known size."""
        columns, margin, spacing = self.source_grid
        if self.is_collection or not columns:
            return None
        row, column = divmod(id, columns)
        left, top = margin + column * (self.width + spacing), margin + row * (self.height + spacing)
        return (float(left), float(top), float(self.width), float(self.height))

    def image(self, tile: Tile, gid: int) -> TileImage:
        """Return a tile as it is drawn for a gid with flags."""
        flipped = "".join(letter for letter, flag in (("h", H), ("v", V), ("d", D)) if gid & flag)
        return TileImage(self.name, tile.id, gid & ~FLAGS, flipped, self.source(tile.id))

    def area_in(self, flags: int, width: float, height: float, tile: Tile) -> Area:
        """Return the area of a tile in a cell of this size, in pixels. It is aligned with the lower left corner."""
        size = (tile.height, tile.width) if flags & D else (tile.width, tile.height)
        if self.on_grid == "stretch":
            return Area(0.0, 0.0, width, height)
        if self.on_grid and 0.0 not in size:
            wide, high = min(width, size[0] * height / size[1]), min(height, size[1] * width / size[0])
            return Area((width - wide) / 2, (height - high) / 2, wide, high)
        return Area(0.0, height - size[1], *size)


def tileset_of(element: TiledElement, data_keys: dict[Any, int]) -> Tileset:
    """Return the tileset defined in this element; `data_keys` numbers the data of tiles, for all tilesets of a map."""
    if element.has("source"):
        raise element.error("a tileset that refers to another file", "its tiles", "refer to the other file directly")
    width, height = (element.integer(key, minimum=0, maximum=MAX_TILES) for key in ("tilewidth", "tileheight"))
    image = element.image()
    tiles: dict[int, Tile] = {}
    for child in element.each("tiles", optional=True):
        tile = _tile_of(child, width, height, data_keys)
        if tile.id in tiles:
            raise child.error(f"the tile {tile.id} twice", "every tile once")
        tiles[tile.id] = tile
    if image is not None and 0 in (width, height):
        key = "tileheight" if width else "tilewidth"
        raise element.error(f"tiles of {width} by {height} pixels in an image", "at least 1 by 1", key=key)
    margin, spacing, columns = (
        element.integer(key, minimum=0, maximum=MAX_TILES, default=0) for key in ("margin", "spacing", "columns")
    )
    across = down = 0
    count = None
    if image is not None:  # as Tiled counts them
        across = int(max(0, image[0] - margin + spacing) // (width + spacing))
        down = int(max(0, image[1] - margin + spacing) // (height + spacing))
        count = None if 0.0 in image else across * down
        if element.has("tilecount"):
            count = element.integer("tilecount", minimum=0, maximum=MAX_TILES)
    on_grid = element.text("tilerendersize", among=("tile", "grid"), default="tile") == "grid"
    fill = element.text("fillmode", among=("stretch", "preserve-aspect-fit"), default="stretch")
    alignment = element.text("objectalignment", among=tuple(ALIGNMENTS), default="unspecified")
    return Tileset(
        element, element.text("name", default=""), width, height, count, image is None, ALIGNMENTS[alignment],
        fill if on_grid else "", (columns or across, margin, spacing), tiles,
    )  # fmt: skip


def _tile_of(element: TiledElement, width: int, height: int, data_keys: dict[Any, int]) -> Tile:
    element.limit("tiles")
    id = element.integer("id", minimum=0, maximum=MAX_TILES - 1)
    size = element.image() or (0.0, 0.0)
    sizes = (
        element.number("width", minimum=0.0, default=size[0] or width),
        element.number("height", minimum=0.0, default=size[1] or height),
    )
    kind, properties, shapes = class_of(element), tuple(element.properties()), _shapes_of(element)
    data = (kind, FrozenMap({each.name: (each.value, each.kind) for each in properties}), bool(shapes))
    return Tile(id, kind, properties, shapes, *sizes, data_keys.setdefault(data, len(data_keys)))


def _shapes_of(tile: TiledElement) -> tuple[TiledObject, ...]:
    """Return the shapes of a tile, without point shapes and without the points of polygons, which are not used."""
    shapes = []
    for element in tile.objects():
        element.limit("objects")
        if element.has("template"):
            raise element.error("a template as the shape of a tile", "a shape", "detach it from the template in Tiled")
        shape = read_object(element)
        if shape.shape.name != "point" and (shape.shape.name != "rectangle" or shape.area.size != (0.0, 0.0)):
            shapes.append(replace(shape, shape=Shape(shape.shape.name)))
    return tuple(shapes)


class Tilesets:
    """The tilesets of a map or template, with their first gids."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int, Tileset]] = []
        """First gid, the gid after the last, and the tileset, in this order."""

    def add(self, at: TiledElement, first: int, tileset: Tileset) -> None:
        """Add a tileset; raises LevelError if its gids overlap those of another."""
        index = bisect_right(self._spans, first, key=itemgetter(0))
        span = max(1, tileset.count or 0, max(tileset.tiles, default=0) + 1)
        before = self._spans[index - 1][1] if index else 0
        after = self._spans[index][0] if index < len(self._spans) else MAX_TILES + 1
        if before > first or first + span > after:
            raise at.error(
                f"firstgid {first} with {span} tiles, some of which belong to another tileset",
                "tilesets without common gids", key="firstgid",
            )  # fmt: skip
        self._spans.insert(index, (first, first + span, tileset))

    def find(self, gid: int) -> tuple[Tileset, Tile] | None:
        """Return the tileset and the tile of a gid, ignoring its flags, or None."""
        bare = gid & ~FLAGS
        index = bisect_right(self._spans, bare, key=itemgetter(0)) - 1
        if index < 0:
            return None
        first, _, tileset = self._spans[index]
        tile = tileset.tile(bare - first)
        return None if tile is None else (tileset, tile)

    def chosen(self, at: TiledElement, kinds: Kinds) -> dict[int, dict[str, str]]:
        """Return the gids that keys of `kinds=` name, by "gid" or by "tile", with these values."""
        found: dict[int, dict[str, str]] = {}
        for value in kinds.values("gid"):
            number = integer_of(value)
            if number is not None and value == str(number) and 0 < number < MAX_TILES and self.find(number) is not None:
                found.setdefault(number, {})["gid"] = value
        firsts: dict[str, list[int]] = {}
        for first, end, tileset in self._spans:
            firsts.setdefault(tileset.name, []).append(first)
            for gid in (first, end - 1):
                kinds.see("tile", f"{shown(tileset.name)[1:-1]}/{gid - first}")
                kinds.see("gid", str(gid))
        for value in kinds.values("tile"):
            name, _, digits = value.rpartition("/")
            id = integer_of(digits)
            at.limit("tiles", len(firsts.get(name, ())))
            for first in firsts.get(name, ()):
                if id is not None and digits == str(id) and 0 <= id < MAX_TILES:
                    there = self.find(first + id)
                    if there is not None and there[1].id == id:
                        found.setdefault(first + id, {})["tile"] = value
        for selected in found.values():
            for selector, value in selected.items():
                kinds.see(selector, value)
        return found

    def kinds(self) -> set[str]:
        """Return the classes of all tiles."""
        return {tile.kind for _, _, tileset in self._spans for tile in tileset.tiles.values() if tile.kind}

    def unknown(self, element: TiledElement, gid: int) -> LevelError:
        """Return the error for an object with a gid of no tileset."""
        found = f"the gid {gid & ~FLAGS}"
        return element.error(found, self.describe(), "add the tileset, or erase the object", key="gid")

    def describe(self) -> str:
        """Return the range of valid gids, for messages."""
        if not self._spans:
            return "only gid 0, because there is no tileset"
        spans = [
            f"{first} on" if tileset.count is None and not tileset.is_collection else f"{first} to {end - 1}"
            for first, end, tileset in self._spans
        ]
        return f"a gid of a tileset: {', '.join(spans[:6])}{', ...' if len(spans) > 6 else ''}"


_JSON_SUFFIXES = frozenset({".json", ".tsj", ".tj"})


class Files:
    """The tilesets and templates of one map.

    References cannot form a cycle: a tileset refers to no tileset or template, and a template to no template.
    """

    def __init__(self) -> None:
        self._tilesets: dict[str, Tileset] = {}
        self._data_keys: dict[Any, int] = {}
        self._templates: dict[str, tuple[TiledObject, Tilesets]] = {}

    def tilesets_of(self, root: TiledElement) -> Tilesets:
        """Return the tilesets of a map or template, with their gids."""
        found = Tilesets()
        for element in root.tilesets():
            element.limit("layers and tilesets")
            found.add(element, element.integer("firstgid", minimum=1, maximum=MAX_TILES), self._tileset(element))
        return found

    def template(self, element: TiledElement) -> tuple[TiledObject, Tilesets]:
        """Return the object of the template that an object refers to, and the tilesets of its gid."""
        name = _name_of(element, "template")
        if name not in self._templates:
            root = _root_at(element, "template", "template")
            objects: list[TiledElement] = [*root.objects()]
            if len(objects) != 1:
                raise root.error(f"a template of {len(objects)} objects", "one object")
            if objects[0].has("template"):
                raise objects[0].error(
                    "a template that refers to a template", "a complete object",
                    "detach the object from its template in Tiled",
                )  # fmt: skip
            item, tilesets = read_object(objects[0], placed=False), self.tilesets_of(root)
            if item.gid and tilesets.find(item.gid) is None:
                raise tilesets.unknown(objects[0], item.gid)
            self._templates[name] = item, tilesets
        return self._templates[name]

    def _tileset(self, element: TiledElement) -> Tileset:
        if not element.has("source"):
            return tileset_of(element, self._data_keys)
        name = _name_of(element, "source")
        if name not in self._tilesets:
            root = _root_at(element, "source", "tileset")
            self._tilesets[name] = tileset_of(root, self._data_keys)
        return self._tilesets[name]


def _root_at(element: TiledElement, key: str, what: str) -> TiledElement:
    """Return the root of the file that an element names, a tileset or template in JSON or XML by its suffix."""
    xml = element.get(key)._element
    place = {"pointer": element.get(key).pointer} if xml is None else {"line": xml.line, "column": xml.column}
    source = element.source.open_reference(element.text(key), **place)
    root = root_of(source, PurePosixPath(source.name).suffix.lower() in _JSON_SUFFIXES)
    root.expect(what)
    return root


def _name_of(element: TiledElement, key: str) -> str:
    return (PurePosixPath(element.source.name).parent / element.text(key)).as_posix()
