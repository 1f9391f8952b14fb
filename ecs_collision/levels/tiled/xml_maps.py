"""Converts a Tiled file in XML (.tmx, .tsx, .tx) to the form of one in JSON, so that the same code reads both.

Attributes that are numbers or truth values are converted; one that cannot be stays a text, which is refused later, with
the position of its element. Unknown attributes and elements are left out.

`pytmx` is not used: it opens every file a map names, including images, in any folder; its errors have no positions;
and it silently accepts most faults (missing tiles, unknown gids, sizes that exceed memory). The tests compare its
results with those of this reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ecs_collision.errors import LevelError
from ecs_collision.levels.source import Source, decimal_of, integer_of, line_and_column, shown
from ecs_collision.levels.xml import Element, read_xml

REMEDY = "correct the file, or save it again with Tiled"
LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}
_SHAPES = ("point", "ellipse", "capsule", "polygon", "polyline", "text")
_TEXTS = frozenset({
    "class", "fillmode", "name", "objectalignment", "orientation", "propertytype", "source", "template",
    "tilerendersize", "type",
})  # fmt: skip
_NUMBERS = frozenset({
    "columns", "firstgid", "gid", "height", "id", "margin", "offsetx", "offsety", "rotation", "spacing", "tilecount",
    "tileheight", "tilewidth", "width", "x", "y",
})  # fmt: skip
_FLAGS = frozenset({"infinite", "visible"})


class XmlObject(dict[str, Any]):
    """An element as an object of JSON, with its position.

    places: the elements of members that were elements of their own. texts: the attributes as written.
    """

    __slots__ = ("element", "places", "texts")

    def __init__(self, element: Element) -> None:
        super().__init__()
        self.element = element
        self.places: dict[str, Element] = {}
        self.texts = element.attributes
        for key, text in element.attributes.items():
            if key in _TEXTS:
                self[key] = text
            elif key in _NUMBERS:
                self[key] = _number(text)
            elif key in _FLAGS:
                self[key] = {"0": False, "1": True}.get(text, text)

    def put(self, key: str, value: Any, element: Element) -> None:
        """Add a member that an element contains."""
        self[key] = value
        self.places[key] = element


def root_of_xml(source: Source) -> XmlObject:
    """Return the root of a map, tileset or template in the form of JSON."""
    root = read_xml(source, REMEDY)
    return _tileset(root) if root.tag == "tileset" else _holder(root)


def _number(text: str) -> int | float | str:
    whole = integer_of(text)
    decimal = decimal_of(text) if whole is None else whole
    return text if decimal is None else decimal


def _only(element: Element, tag: str) -> Element | None:
    """Return the only child with a tag, or None; raises LevelError for a second one."""
    found = element.all(tag)
    if len(found) > 1:
        raise found[1].error(f"a second <{tag}> in a <{element.tag}>", "one", REMEDY)
    return found[0] if found else None


def _plain(element: Element) -> XmlObject:
    """Return an element with its properties."""
    found = XmlObject(element)
    holder = _only(element, "properties")
    if holder is not None:
        found["properties"] = [_property(child) for child in holder.all("property")]
    return found


def _holder(element: Element) -> XmlObject:
    """Return a map, a template, or a layer that contains objects or layers."""
    found = _plain(element)
    found["tilesets"] = [_tileset(child) for child in element.all("tileset")]
    found["objects"] = [_object(child) for child in element.all("object")]
    found["layers"] = [_layer(child) for child in element.children if child.tag in LAYERS]
    return found


def _layer(element: Element) -> XmlObject:
    found = _holder(element)
    found["type"] = LAYERS[element.tag]
    data = _only(element, "data")
    if data is not None:
        for key in ("encoding", "compression"):
            if key in data.attributes:
                found.put(key, data.attributes[key], data)
                found.texts[key] = data.attributes[key]
        _add_tiles(found, data)
        found["chunks"] = []
        for chunk in data.all("chunk"):
            found["chunks"].append(XmlObject(chunk))
            _add_tiles(found["chunks"][-1], chunk)
    return found


def _add_tiles(found: XmlObject, data: Element) -> None:
    """Add the tiles of a layer or chunk: a text, or a list if they are elements."""
    tiles = data.all("tile")
    found.put("data", [XmlObject(tile) for tile in tiles] if tiles else data.text.strip(" \t\n") and data.text, data)


def _tileset(element: Element) -> XmlObject:
    found = _plain(element)
    _add_image(found, element)
    found["tiles"] = [_tile(child) for child in element.all("tile")]
    return found


def _tile(element: Element) -> XmlObject:
    found = _plain(element)
    _add_image(found, element)
    group = _only(element, "objectgroup")
    if group is not None:
        found["objectgroup"] = _holder(group)
    return found


def _add_image(found: XmlObject, element: Element) -> None:
    image = _only(element, "image")
    if image is not None:
        found.put("image", image.attributes.get("source") or "embedded", image)
        for key in ("width", "height"):
            if key in image.attributes:
                found.put(f"image{key}", _number(image.attributes[key]), image)
                found.texts[f"image{key}"] = image.attributes[key]


def _object(element: Element) -> XmlObject:
    found = _plain(element)
    for child in element.children:
        if child.tag in ("polygon", "polyline"):
            found.put(child.tag, _points(child), child)
        elif child.tag in _SHAPES:
            found.put(child.tag, {"text": child.text} if child.tag == "text" else True, child)
    return found


def _points(shape: Element) -> list[dict[str, float]]:
    points = []
    if "points" not in shape.attributes:
        raise shape.error(f"<{shape.tag}> without points", "points, a text", REMEDY)
    written = shape.attributes["points"]
    shape.source.limit("values", written.count(" ") + 1, shape.error)
    for text in written.split(" "):
        x, _, y = text.partition(",")
        point = decimal_of(x), decimal_of(y)
        if point[0] is None or point[1] is None:
            raise shape.error(f"the point {shown(text)}", "two numbers, as in 16,-8", REMEDY)
        points.append({"x": point[0], "y": point[1]})
    return points


def _property(element: Element) -> XmlObject:
    """Return a property or an item of a list. The members of a class are properties, because they have types here."""
    found = XmlObject(element)
    kind = found.get("type", "string")
    if kind == "class":
        found["value"] = _plain(element).get("properties", [])
    elif kind == "list":
        found["value"] = [_property(item) for item in element.all("item")]
    else:
        text = found.texts["value"] = element.attributes.get("value", element.text)
        value = _VALUES[kind](text) if kind in _VALUES else text
        found["value"] = text if value is None else value
    return found


_VALUES: dict[str, Callable[[str], Any]] = {
    "int": integer_of, "float": decimal_of, "object": integer_of, "bool": {"true": True, "false": False}.get,
}  # fmt: skip


def error_in_text(element: Element, offset: int, found: str, expected: str, remedy: str = REMEDY) -> LevelError:
    """Return an error about an offset in the text of an element, which is plain."""
    text = element.source.text()
    before = "".join(text.splitlines(keepends=True)[: element.line - 1])
    begin = len(before) + element.column - 1
    tag = _TAG.match(text, begin)
    line, column = line_and_column(text, (tag.end() if tag else begin) + offset)
    return element.source.error(found, expected, remedy, line=line, column=column)


_TAG = re.compile(r"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""")
