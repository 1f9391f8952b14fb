"""Reads Tiled maps in XML: .tmx with referenced tilesets (.tsx) and templates (.tx). `tiled.maps` converts them.

`pytmx` is not used: it opens every file a map names, including images, in any folder; its errors have no positions;
and it silently accepts most faults (missing tiles, unknown gids, sizes that exceed memory). The tests compare its
results with those of this reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ecs_collision.errors import LevelError
from ecs_collision.levels.level import Level
from ecs_collision.levels.source import Source, decimal_of, integer_of, shown
from ecs_collision.levels.tiled.maps import level_of
from ecs_collision.levels.tiled.parts import (
    COLOR,
    EXPECTED,
    TYPES,
    Encoding,
    Gids,
    ObjectRef,
    Property,
    Shape,
    charge,
    check_unique,
)
from ecs_collision.levels.tiled.tile_data import COMPRESSIONS, unpack
from ecs_collision.levels.tiled.xml_element import Element, tagged
from ecs_collision.levels.xml import read_xml

if TYPE_CHECKING:
    from ecs_collision.levels.load import Options

_LAYERS = {
    "layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group",
}  # fmt: skip
_SHAPES = ("point", "ellipse", "capsule", "polygon", "polyline", "text")
_CSV_CHARACTERS = str.maketrans("", "", "0123456789, \t\n")
_MAX_GID = 2**32 - 1


def read_tmx(source: Source, options: Options) -> list[Level]:
    """Return the level of a Tiled map in XML; raises LevelError with line and column of the first fault."""
    return [level_of(root_of_xml(source), options)]


def root_of_xml(source: Source) -> XmlPart:
    """Return the root of a map, tileset or template."""
    return read_xml(source, XmlPart)


class XmlPart(Element):
    """An element of a Tiled file in XML; see `parts.Part`."""

    __slots__ = ()

    def expect(self, what: str) -> None:
        """Raise LevelError unless the root has this tag."""
        if self.tag != what:
            raise self.error(tagged(self.tag), f"<{what}>", f"give a file whose root is <{what}>")

    def properties(self) -> list[Property]:
        """Return the custom properties."""
        return _properties(self)

    def tilesets(self) -> Iterator[XmlPart]:
        """Yield the tilesets of a map or a template."""
        yield from self.all("tileset")

    def layers(self) -> Iterator[tuple[str, XmlPart]]:
        """Yield the layers of a map or a group."""
        for child in self.children:
            if child.tag in _LAYERS:
                yield _LAYERS[child.tag], child

    def objects(self) -> Iterator[XmlPart]:
        """Yield the objects of an object layer or a tile, or the one of a template."""
        holder = self.only("objectgroup") if self.tag == "tile" else self
        yield from [] if holder is None else holder.all("object")

    def tiles(self) -> Iterator[XmlPart]:
        """Yield the tiles of a tileset that have data."""
        yield from self.all("tile")

    def image(self) -> tuple[float, float] | None:
        """Return the size of the image, (0, 0) if unknown, None if there is no image."""
        image = self.only("image")
        return image and (image.number("width", minimum=0, default=0.0), image.number("height", minimum=0, default=0.0))

    def shape(self) -> Shape | None:
        """Return the shape of an object, or None if it has none."""
        found = [child for child in self.children if child.tag in _SHAPES]
        if not found:
            return None
        if len(found) > 1:
            raise found[1].error(f"<{found[1].tag}> beside <{found[0].tag}>", "one shape")
        shape = found[0]
        points = _points(shape) if shape.tag in ("polygon", "polyline") else ()
        return Shape(shape.tag, points, shape.content if shape.tag == "text" else "")

    def encoding(self) -> Encoding:
        """Return the encoding of a tile layer."""
        data = self._data()
        encoding = data.text("encoding", among=("csv", "base64"), default="")
        return Encoding(encoding, data.text("compression", among=COMPRESSIONS, default=""))

    def chunks(self) -> Iterator[XmlPart]:
        """Yield the chunks of a tile layer."""
        yield from self._data().all("chunk")

    def has_loose_tiles(self) -> bool:
        """Return whether a tile layer has tiles outside of chunks."""
        data = self._data()
        return data.cells is not None or bool(data.content.strip(" \t\n"))

    def error_of_tile(self, index: int, found: str, expected: str, remedy: str) -> LevelError:
        """Return an error about a tile, at its exact position in CSV."""
        data = self if self.tag == "chunk" else self._data()
        numbers = re.finditer(r"[0-9]+", data.content) if "," in data.content else iter(())
        number = next(islice(numbers, index, None), None)
        if number is not None:
            return data.error_in_text(number.start(), found, expected, remedy)
        return data.error(found, expected, remedy)

    def gids(self, encoding: Encoding, count: int) -> Gids:
        """Return the tiles of a layer or chunk."""
        data = self if self.tag == "chunk" else self._data()
        if encoding.encoding and data.cells is not None:
            raise data.error(f"<tile> in data with encoding={encoding.encoding!r}", "one of the two")
        if encoding.encoding == "csv":
            return _from_csv(data, count)
        if encoding.encoding == "base64":
            return unpack(data, data.content, encoding.compression, count)
        found = 0 if data.cells is None else len(data.cells)
        if found != count:
            raise data.error(f"{found} tiles", f"{count}")
        return np.array(data.cells, np.uint32)

    def _data(self) -> XmlPart:
        data: XmlPart | None = self.only("data")
        if data is None:
            raise self.error("a layer without <data>", "<data> with its tiles")
        return data


def _from_csv(data: XmlPart, count: int) -> Gids:
    text = data.content
    found = text.count(",") + 1 if text.strip(" \t\n") else 0
    if found != count:
        raise data.error(f"{found} tiles", f"{count}")
    if not text.translate(_CSV_CHARACTERS):
        with suppress(ValueError, OverflowError):  # the position is found below
            gids = np.fromiter(map(int, _tokens(text)), np.uint64, count)
            if gids.max() <= _MAX_GID:
                return gids.astype(np.uint32)
    start = 0
    for token in _tokens(text):
        number = token.strip(" \t\n")
        if not re.fullmatch(r"[0-9]{1,10}", number, re.ASCII) or int(number) > _MAX_GID:
            at = start + len(token) - len(token.lstrip(" \t\n"))
            raise data.error_in_text(at, shown(number), f"a whole number from 0 to {_MAX_GID}")
        start += len(token) + 1
    raise AssertionError("NumPy rejected a number that is valid")


def _tokens(text: str) -> Iterator[str]:
    """Yield what stands between commas, a piece of the text after the other: all at once would take much memory."""
    start = 0
    while start <= len(text):
        end = text.find(",", start + 2**16)
        end = len(text) if end < 0 else end
        yield from text[start:end].split(",")
        start = end + 1


def _points(shape: XmlPart) -> tuple[tuple[float, float], ...]:
    points = []
    written = shape.text("points")
    charge(shape, "points", written.count(" ") + 1)
    for text in written.split(" "):
        x, _, y = text.partition(",")
        point = decimal_of(x), decimal_of(y)
        if point[0] is None or point[1] is None:
            raise shape.error(f"the point {shown(text)}", "two numbers, as in 16,-8")
        points.append((point[0], point[1]))
    return tuple(points)


def _properties(part: XmlPart) -> list[Property]:
    holder = part.only("properties")
    return [] if holder is None else check_unique([_property(child) for child in holder.all("property")])


def _property(part: XmlPart) -> Property:
    return Property(part.text("name"), _value(part), part.text("propertytype", default=""), part)


def _value(part: XmlPart) -> Any:
    kind = part.text("type", among=TYPES, default="string")
    if kind == "class":
        return {member.name: member.value for member in _properties(part)}
    if kind == "list":
        return [_value(item) for item in part.all("item")]
    text = part.text("value", default=part.content)
    if kind in ("string", "file") or (kind == "color" and COLOR.fullmatch(text)):
        return text
    value = _NUMBERS[kind](text) if kind in _NUMBERS else None
    if value is None:
        raise part.error(f"{shown(text)} as a property of type {kind}", EXPECTED[kind])
    if kind == "object":
        return ObjectRef(value, part) if value else None
    return value


_NUMBERS: dict[str, Callable[[str], Any]] = {
    "int": integer_of, "float": decimal_of, "object": integer_of, "bool": {"true": True, "false": False}.get,
}  # fmt: skip
