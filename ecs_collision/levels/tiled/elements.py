"""The elements of a Tiled file, and its objects before they are placed.

Elements are objects of JSON; `xml_maps` converts files in XML to this form. JSON must be from Tiled 1.2 or later, in
which properties and tiles are arrays.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, NoReturn, Self, cast

from ecs_collision.errors import LevelError
from ecs_collision.fixed_point import MAX_COORDINATE
from ecs_collision.levels.json_document import Node, decode_json, describe
from ecs_collision.levels.limits import LARGEST
from ecs_collision.levels.source import VALID_NAME, Source, name_problem, shown
from ecs_collision.levels.tiled.shapes import Area
from ecs_collision.levels.tiled.tile_data import COMPRESSIONS, Gids, unpack
from ecs_collision.levels.tiled.xml_maps import LAYERS, REMEDY, XmlObject, error_in_text, root_of_xml
from ecs_collision.levels.xml import Element, tagged

MAX_GID = 2**32 - 1
MAX_ID = 2**31 - 1


class Shape(NamedTuple):
    """The shape of an object: "rectangle", "point", "ellipse", "capsule", "polygon", "polyline" or "text"."""

    name: str
    points: tuple[tuple[float, float], ...] = ()
    text: str = ""


class TiledElement(Node):
    """An element of a Tiled file. Errors have the line and column of an element of XML, or a JSON pointer."""

    __slots__ = ()

    @property
    def _element(self) -> Element | None:
        """The element of XML that contains this value, or None in JSON."""
        node: Node = self
        key: Any = None
        while not isinstance(node.value, XmlObject):
            if node._parent is None:
                return None
            node, key = node._parent, node._key
        return node.value.places.get(key, node.value.element)

    def error(self, found: str, expected: str, remedy: str | None = None, *, key: str | None = None) -> LevelError:
        """Return an error about this element or one of its members."""
        node = (super().find(key) if key else None) or self
        element = node._element
        if element is not None:
            return element.error(found, expected, remedy or REMEDY)
        return super(TiledElement, node).error(found, expected, remedy)

    def unexpected(self, expected: str, remedy: str | None = None) -> LevelError:
        """Return an error that describes this value as found, as an attribute if it is one of XML."""
        owner = self._parent and self._parent.value
        if isinstance(owner, XmlObject) and self._key in owner.texts:
            return self.error(f"{self._key}={shown(owner.texts[self._key])}", expected, remedy)
        return super().unexpected(expected, remedy)

    def _missing(self, key: str | int | None, expected: str) -> NoReturn:
        if isinstance(self.value, XmlObject):
            raise self.error(f"<{self.value.element.tag}> without {key}", f"{key}, {expected}")
        super()._missing(key, expected)

    def find(self, key: str | int | None) -> Self | None:
        """Return a member, or None; raises LevelError for null, which Tiled never writes."""
        if not isinstance(key, str):
            return super().find(key)
        members = self._object()
        if key not in members:
            return None
        node = self._member(members[key], key)
        if node.value is None:
            raise node.error("null", "a value, or nothing at all")
        return node

    def has(self, key: str) -> bool:
        """Return whether a member exists."""
        return key in self._object() and self.find(key) is not None

    def flag(self, key: str | int | None = None, *, default: bool | None = None) -> bool:
        """Return a boolean, in XML written as 1 or 0."""
        expected = "1 or 0" if isinstance(self.value, XmlObject) else "true or false"
        return bool(self._read(key, expected, default, lambda value: type(value) is bool))

    def expect(self, what: str) -> None:
        """Raise LevelError unless the root is a map, tileset or template, as said."""
        if isinstance(self.value, XmlObject):
            tag = self.value.element.tag
            if tag != what:
                raise self.error(tagged(tag), f"<{what}>", f"give a file whose root is <{what}>")
            return
        found = self.text("type", default=what)
        if found != what:
            shown_as = f"a {found}" if found in ("map", "tileset", "template") else shown(found)
            raise self.error(shown_as, f"a {what}", f"give a file whose type is {what}", key="type")

    def properties(self, key: str = "properties") -> list[Property]:
        """Return the custom properties; raises LevelError if two have the same name."""
        found: dict[str, Property] = {}
        for element in self.each(key, optional=True):
            name = element.text("name")
            if name in found:
                raise element.error(f"the property {shown(name)} twice", "every property once", key="name")
            found[name] = Property(name, _value(element), element.text("propertytype", default=""), element)
        return list(found.values())

    def tilesets(self) -> Iterator[TiledElement]:
        """Yield the tilesets of a map, or those of a template."""
        yield from self.each("tilesets", optional=True)
        if self.has("tileset"):
            yield self.get("tileset")

    def layers(self) -> Iterator[tuple[str, TiledElement]]:
        """Yield the layers of a map or a group."""
        for element in self.each("layers"):
            yield element.text("type", among=tuple(LAYERS.values())), element

    def objects(self) -> Iterator[TiledElement]:
        """Yield the objects of an object layer or a tile, or the one of a template."""
        if self.has("object"):
            yield self.get("object")
        else:
            yield from (self.find("objectgroup") or self).each("objects", optional=True)

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
                self.limit("values", self.count(name))
                points = list(self.each(name))
                found.append(Shape(name, tuple((node.number("x"), node.number("y")) for node in points)))
        if self.has("text"):
            found.append(Shape("text", text=self.get("text").text("text", default="")))
        if len(found) > 1:
            raise self.error(f"{found[1].name} beside {found[0].name}", "one shape")
        return found[0] if found else None

    def encoding(self) -> tuple[str, str]:
        """Return the encoding and the compression of a tile layer, "" for none."""
        default = "" if isinstance(self.value, XmlObject) else "csv"
        encoding = self.text("encoding", among=("csv", "base64"), default=default)
        return encoding, self.text("compression", among=COMPRESSIONS, default="")

    def gids(self, encodings: tuple[str, str], count: int) -> Gids:
        """Return the tiles of a layer or chunk."""
        encoding, compression = encodings
        if not isinstance(self.value, XmlObject):
            if encoding == "base64":
                data = self.get("data")
                return unpack(data, data.text(), compression, count)
            return array("I", self.integers("data", count=count, minimum=0, maximum=MAX_GID))
        if "data" not in self.value:
            raise self.error("a layer without <data>", "<data> with its tiles")
        data = self.get("data")
        if encoding and isinstance(data.value, list):
            raise data.error(f"<tile> in data with encoding={encoding!r}", "one of the two")
        if encoding == "base64":
            return unpack(data, data.value, compression, count)
        if encoding == "csv":
            return _from_csv(data, count)
        tiles = list(data.each()) if isinstance(data.value, list) else []
        if len(tiles) != count:
            raise data.error(f"{len(tiles)} tiles", f"{count}")
        return array("I", [tile.integer("gid", minimum=0, maximum=MAX_GID, default=0) for tile in tiles])

    def error_of_tile(self, index: int, found: str, expected: str, remedy: str) -> LevelError:
        """Return an error about a tile of a layer or chunk, at its exact position in CSV and in JSON."""
        data = self.get("data")
        if isinstance(data.value, list):
            return (data.find(index) or data).error(found, expected, remedy)
        element = data._element
        numbers = re.finditer(r"[0-9]+", data.value) if element and "," in data.value else iter(())
        number = next(islice(numbers, index, None), None)
        if element is None or number is None:
            return data.error(found, expected, remedy)
        return error_in_text(element, number.start(), found, expected, remedy)


def root_of(source: Source, in_json: bool) -> TiledElement:
    """Return the root of a map, tileset or template."""
    return TiledElement(source, decode_json(source, REMEDY) if in_json else root_of_xml(source), REMEDY)


def _from_csv(data: TiledElement, count: int) -> Gids:
    text = data.value
    found = text.count(",") + 1 if text else 0
    if found != count:
        raise data.error(f"{found} tiles", f"{count}")
    if not text.translate(_CSV_CHARACTERS):
        with suppress(ValueError, OverflowError):  # the position is found below
            return array("I", map(int, _tokens(text)))
    start = 0
    for token in _tokens(text):
        number = token.strip(" \t\n")
        if not (number.isascii() and number.isdigit() and len(number) <= 10 and int(number) <= MAX_GID):
            element = data._element
            assert element is not None
            at = start + len(token) - len(token.lstrip(" \t\n"))
            raise error_in_text(element, at, shown(number), f"a whole number from 0 to {MAX_GID}")
        start += len(token) + 1
    raise AssertionError("a number is invalid that is valid here")


_CSV_CHARACTERS = str.maketrans("", "", "0123456789, \t\n")


def _tokens(text: str) -> Iterator[str]:
    """Yield what stands between commas, a piece of the text after the other: all at once would take much memory."""
    start = 0
    while start <= len(text):
        end = text.find(",", start + 2**16)
        end = len(text) if end < 0 else end
        yield from text[start:end].split(",")
        start = end + 1


class ObjectRef(str):
    """A property value that refers to an object by id. It is replaced by the name of the thing at the end."""

    __slots__ = ("at", "id")

    id: int
    at: TiledElement

    def __new__(cls, id: int, at: TiledElement) -> ObjectRef:
        """Return a reference whose text, unlike any name, is used for comparison."""
        made = super().__new__(cls, f"\\0object {id}")
        made.id, made.at = id, at
        return made


@dataclass(frozen=True, slots=True)
class Property:
    """A custom property; `kind` is the name of its class or enum, or ""."""

    name: str
    value: Any
    kind: str
    at: TiledElement = field(compare=False)


EXPECTED = {
    "string": "a text", "int": "a whole number", "float": "a finite number", "bool": "true or false",
    "color": "#rrggbb or #aarrggbb", "file": "a path", "object": "the id of an object", "class": "an object of members",
    "list": "an array of items",
}  # fmt: skip
"""The types of custom properties, with descriptions of their values for messages."""

_KINDS: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,), "object": (int,)}
_COLOR = re.compile(r"(?:#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8}))?", re.ASCII)


def _value(element: TiledElement) -> Any:
    """Return the value of a property or of a list item. The members of a class have types only in XML."""
    kind = element.text("type", among=tuple(EXPECTED), default="string")
    if kind == "class" and isinstance(element.value, XmlObject):
        return {member.name: member.value for member in element.properties("value")}
    if kind == "class":
        return {name: member.plain() for name, member in element.items("value")}
    if kind == "list":
        return [_value(item) for item in element.each("value")]
    node = element.get("value", EXPECTED[kind])
    value = node.value
    fits = type(value) in _KINDS.get(kind, (str,))
    fits = fits and (kind != "color" or _COLOR.fullmatch(value) is not None)
    fits = fits and (kind not in ("int", "float", "object") or -LARGEST <= value <= LARGEST)
    if not fits:
        found = shown(element.value.texts["value"]) if isinstance(element.value, XmlObject) else describe(value)
        raise node.error(f"{found} as a property of type {kind}", EXPECTED[kind])
    if kind == "object":
        return ObjectRef(value, element) if value else None
    return float(value) if kind == "float" else value


def name_of(element: TiledElement, key: str) -> str:
    """Return the name of a thing or kind, "" if it is missing."""
    name = element.text(key, default="")
    problem = name_problem(name)
    if problem:
        raise element.error(problem, VALID_NAME, "choose another", key=key)
    return name


@dataclass(frozen=True, slots=True)
class TiledObject:
    """An object, in pixels and degrees. id 0: none; gid 0: no tile; width and height None: not given."""

    at: TiledElement
    id: int
    name: str
    kind: str
    x: float
    y: float
    width: float | None
    height: float | None
    rotation: float
    gid: int
    shape: Shape
    visible: bool
    properties: tuple[Property, ...]

    @property
    def area(self) -> Area:
        """The rectangle relative to its position, before rotation."""
        return Area(0.0, 0.0, self.width or 0.0, self.height or 0.0)


_NOWHERE = cast("TiledElement", None)
_DEFAULTS = TiledObject(_NOWHERE, 0, "", "", 0.0, 0.0, None, None, 0.0, 0, Shape("rectangle"), True, ())
"""Default values of an object; `at` is never used."""


def read_object(element: TiledElement, base: TiledObject | None = None, *, placed: bool = True) -> TiledObject:
    """Return an object. Missing values come from `base`, its template. `placed`: x and y are required."""
    plain = base or _DEFAULTS
    own = {found.name: found for found in element.properties()}
    rotation = element.number("rotation", default=plain.rotation)
    if abs(rotation) > MAX_COORDINATE:
        raise element.error(f"the rotation {rotation:g}", "an angle in degrees, up to 2**36", key="rotation")
    return TiledObject(
        element,
        element.integer("id", minimum=0, maximum=MAX_ID, default=0),
        name_of(element, "name") if element.has("name") else plain.name,
        class_of(element, plain.kind),
        element.number("x", default=None if placed else 0.0),
        element.number("y", default=None if placed else 0.0),
        element.number("width", minimum=0.0, default=plain.width) if element.has("width") else plain.width,
        element.number("height", minimum=0.0, default=plain.height) if element.has("height") else plain.height,
        rotation,
        element.integer("gid", minimum=0, maximum=MAX_GID, default=plain.gid),
        element.shape() or plain.shape,
        element.flag("visible", default=plain.visible),
        tuple({**{found.name: found for found in plain.properties}, **own}.values()),
    )


def class_of(element: TiledElement, default: str = "") -> str:
    """Return the class of an object or tile: `type`, or `class` in files of Tiled 1.9."""
    return name_of(element, "type") or name_of(element, "class") or default
