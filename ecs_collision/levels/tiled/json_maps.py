"""Reads Tiled maps in JSON: .tmj with referenced tilesets (.tsj) and templates (.tj). `tiled.maps` converts them.

The files must be from Tiled 1.2 or later, in which properties and tiles are arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ecs_collision.errors import LevelError
from ecs_collision.levels.json import decode_json
from ecs_collision.levels.json_document import Node
from ecs_collision.levels.level import Level
from ecs_collision.levels.source import Source, shown
from ecs_collision.levels.tiled.maps import level_of
from ecs_collision.levels.tiled.parts import (
    COLOR,
    EXPECTED,
    REMEDY,
    TYPES,
    Encoding,
    Gids,
    ObjectRef,
    Property,
    Shape,
    charge,
    check_unique,
)  # fmt: skip
from ecs_collision.levels.tiled.tile_data import COMPRESSIONS, unpack

if TYPE_CHECKING:
    from ecs_collision.levels.load import Options

_LAYERS = ("tilelayer", "objectgroup", "imagelayer", "group")
_MAX_GID = 2**32 - 1


def read_tmj(source: Source, options: Options) -> list[Level]:
    """Return the level of a Tiled map in JSON; raises LevelError with the JSON pointer of the first fault."""
    return [level_of(root_of_json(source), options)]


def root_of_json(source: Source) -> JsonPart:
    """Return the root of a map, tileset or template."""
    return JsonPart(source, decode_json(source, REMEDY), REMEDY)


class JsonPart(Node):
    """An element of a Tiled file in JSON; see `parts.Part`."""

    __slots__ = ()

    def error(self, found: str, expected: str, remedy: str | None = None, *, key: str | None = None) -> LevelError:
        """Return an error about this element or one of its members."""
        node = super().find(key) if key else None
        return super(JsonPart, node or self).error(found, expected, remedy)

    def error_of_tile(self, index: int, found: str, expected: str, remedy: str) -> LevelError:
        """Return an error about a tile."""
        data = self.get("data")
        node = data.find(index) if isinstance(data.value, list) else data
        return (node or data).error(found, expected, remedy)

    def expect(self, what: str) -> None:
        """Raise LevelError unless the root has this type."""
        found = self.text("type", default=what)
        if found != what:
            shown_as = f"a {found}" if found in ("map", "tileset", "template") else shown(found)
            raise self.error(shown_as, f"a {what}", f"give a file whose type is {what}", key="type")

    def find(self, key: str | int | None) -> JsonPart | None:
        """Return a member, or None; raises LevelError for null, which Tiled never writes."""
        node = super().find(key)
        if node is None and isinstance(key, str) and key in self.value:
            raise self._member(None, key).error("null", "a value, or nothing at all")
        return node

    def has(self, key: str) -> bool:
        """Return whether a member exists."""
        return self.find(key) is not None

    def properties(self) -> list[Property]:
        """Return the custom properties."""
        return check_unique([_property(node) for node in self.each("properties", optional=True)])

    def tilesets(self) -> Iterator[JsonPart]:
        """Yield the tilesets of a map, or the one of a template."""
        yield from self.each("tilesets", optional=True)
        if self.has("tileset"):
            yield self.get("tileset")

    def layers(self) -> Iterator[tuple[str, JsonPart]]:
        """Yield the layers of a map or a group."""
        for part in self.each("layers"):
            yield part.text("type", among=_LAYERS), part

    def objects(self) -> Iterator[JsonPart]:
        """Yield the objects of an object layer or a tile, or the one of a template."""
        if self.has("object"):
            yield self.get("object")
            return
        yield from (self.find("objectgroup") or self).each("objects", optional=True)

    def tiles(self) -> Iterator[JsonPart]:
        """Yield the tiles of a tileset that have data."""
        yield from self.each("tiles", optional=True)

    def image(self) -> tuple[float, float] | None:
        """Return the size of the image, (0, 0) if unknown, None if there is no image."""
        if not self.text("image", default=""):
            return None
        return self.number("imagewidth", minimum=0, default=0.0), self.number("imageheight", minimum=0, default=0.0)

    def shape(self) -> Shape | None:
        """Return the shape of an object, or None if it has none."""
        found = [Shape(name) for name in ("point", "ellipse", "capsule") if self.flag(name, default=False)]
        for name in ("polygon", "polyline"):
            if self.has(name):
                charge(self, "points", self.count(name))
                points = list(self.each(name))
                found.append(Shape(name, tuple((node.number("x"), node.number("y")) for node in points)))
        if self.has("text"):
            found.append(Shape("text", text=self.get("text").text("text", default="")))
        if len(found) > 1:
            raise self.error(f"{found[1].name} beside {found[0].name}", "one shape")
        return found[0] if found else None

    def encoding(self) -> Encoding:
        """Return the encoding of a tile layer."""
        encoding = self.text("encoding", among=("csv", "base64"), default="csv")
        return Encoding(encoding, self.text("compression", among=COMPRESSIONS, default=""))

    def chunks(self) -> Iterator[JsonPart]:
        """Yield the chunks of a tile layer."""
        yield from self.each("chunks", optional=True)

    def has_loose_tiles(self) -> bool:
        """Return whether a tile layer has tiles outside of chunks."""
        return self.has("data") and bool(self.get("data").value)

    def gids(self, encoding: Encoding, count: int) -> Gids:
        """Return the tiles of a layer or chunk."""
        if encoding.encoding == "base64":
            data = self.get("data")
            return unpack(data, data.text(), encoding.compression, count)
        return np.array(self.integers("data", count=count, minimum=0, maximum=_MAX_GID), np.uint32)


def _property(part: JsonPart) -> Property:
    return Property(part.text("name"), _value(part), part.text("propertytype", default=""), part)


def _value(part: JsonPart) -> Any:
    """Return the value of a property or of a list item."""
    kind = part.text("type", among=TYPES, default="string")
    if kind == "class":
        return {name: member.plain() for name, member in part.items("value")}
    if kind == "list":
        return [_value(item) for item in part.each("value")]
    if kind == "bool":
        return part.flag("value")
    if kind == "int":
        return part.integer("value")
    if kind == "float":
        return part.number("value")
    if kind == "object":
        id = part.integer("value", minimum=0)
        return ObjectRef(id, part) if id else None
    text = part.text("value")
    if kind == "color" and not COLOR.fullmatch(text):
        raise part.error(f"{shown(text)} as a property of type {kind}", EXPECTED[kind])
    return text
