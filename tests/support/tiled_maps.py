"""Small Tiled maps for tests, written in XML, and the same maps in JSON."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

from ecs_collision.levels import Level, Thing, load_level, parse_level

SET = (
    '<tileset firstgid="1" name="set" tilewidth="16" tileheight="16" tilecount="8" columns="4">'
    '<image source="a.png"/></tileset>'
)

WHOLE = ("id", "gid", "firstgid", "tilewidth", "tileheight", "tilecount", "columns", "margin", "spacing",
         "nextlayerid", "nextobjectid", "tileid", "duration")  # fmt: skip
DECIMAL = ("x", "y", "rotation", "offsetx", "offsety", "opacity", "probability", "parallaxx", "parallaxy")
LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}


def tmx(*inside: str, size: tuple[int, int] = (4, 3), tile: tuple[int, int] = (16, 16), more: str = "") -> str:
    """Return a map with these elements, each on its own line from line 2."""
    head = (
        f'<map version="1.10" orientation="orthogonal" width="{size[0]}" height="{size[1]}" '
        f'tilewidth="{tile[0]}" tileheight="{tile[1]}" {more}>'
    )
    return "\n".join([head, *inside, "</map>"])


def layer(rows: str, *inside: str, name: str = "ground", more: str = "") -> str:
    """Return a tile layer drawn in digits, with rows separated by spaces; "." is no tile."""
    drawn = rows.split()
    data = ",\n".join(",".join("0" if letter == "." else letter for letter in row) for row in drawn)
    return (
        f'<layer name="{name}" width="{len(drawn[0])}" height="{len(drawn)}" {more}>{"".join(inside)}'
        f'<data encoding="csv">\n{data}\n</data></layer>'
    )


def tiles(*inside: str) -> str:
    """Return a tileset of 8 tiles with these elements."""
    return SET.replace("</tileset>", "".join(inside) + "</tileset>")


def objects(*inside: str, name: str = "things", more: str = "") -> str:
    """Return an object layer."""
    return f'<objectgroup name="{name}" {more}>\n' + "\n".join(inside) + "\n</objectgroup>"


def properties(**named: Any) -> str:
    """Return custom properties; double underscores stand for dots."""
    kinds = {bool: "bool", int: "int", float: "float", str: "string"}
    written = [
        f'<property name="{name.replace("__", ".")}" type="{kinds[type(value)]}" '
        f'value="{str(value).lower() if isinstance(value, bool) else value}"/>'
        for name, value in named.items()
    ]
    return "<properties>" + "".join(written) + "</properties>"


def level_of(*inside: str, kinds: Any = None, components: Any = None, **how: Any) -> Level:
    """Return the level of a map with these elements; checks that XML and JSON give the same level."""
    text = tmx(*inside, **how)
    level = parse_level(text, "tmx", kinds=kinds, components=components)
    assert parse_level(as_json(text), "tmj", kinds=kinds, components=components) == level
    return level


def only(*inside: str, **how: Any) -> Thing:
    """Return the only thing of a map."""
    (thing,) = level_of(*inside, **how).things
    return thing


def load_both(folder: Path, name: str, **how: Any) -> Level:
    """Return the level of a map in a folder; checks that it is equal with all files in JSON."""
    in_xml = load_level(folder / name, **how)
    for path in [*folder.rglob("*.tmx"), *folder.rglob("*.tsx"), *folder.rglob("*.tx")]:
        in_json = path.with_suffix({".tmx": ".tmj", ".tsx": ".tsj", ".tx": ".tj"}[path.suffix])
        in_json.write_text(as_json(path.read_text(encoding="utf-8")), encoding="utf-8")
    in_json = load_level((folder / name).with_suffix(".tmj"), **how)
    assert (in_json.things, in_json.settings, in_json.properties) == (in_xml.things, in_xml.settings, in_xml.properties)
    return in_xml


def as_json(text: str) -> str:
    """Return a map, tileset or template in JSON, as Tiled would write it."""
    root = ElementTree.fromstring(text)
    return json.dumps({**_element(root), "type": root.tag})


def _element(element: ElementTree.Element) -> dict[str, Any]:
    found: dict[str, Any] = {key: _attribute(key, value) for key, value in element.attrib.items()}
    for key in ("source", "template"):
        if key in found:
            found[key] = found[key].replace(".tsx", ".tsj").replace(".tx", ".tj")
    if element.find("properties") is not None:
        found["properties"] = [_property(each) for each in element.iterfind("properties/property")]
    if element.tag in ("map", "group"):
        found["layers"] = [_layer(child) for child in element if child.tag in LAYERS]
    if element.tag == "map":
        found["tilesets"] = [_element(child) for child in element.iterfind("tileset")]
        found["infinite"] = element.get("infinite") == "1"
    if element.tag == "template":
        found |= {child.tag: _element(child) for child in element}
    if element.tag in ("tileset", "tile"):
        _tiles(element, found)
    if element.tag == "objectgroup":
        found["objects"] = [_object(child) for child in element.iterfind("object")]
    return found


def _tiles(element: ElementTree.Element, found: dict[str, Any]) -> None:
    image = element.find("image")
    if image is not None:
        found["image"] = image.get("source", "data")
        found |= {f"image{key}": int(image.get(key)) for key in ("width", "height") if key in image.attrib}
    if element.tag == "tileset":
        found["tiles"] = [_element(child) for child in element.iterfind("tile")]
    group = element.find("objectgroup")
    if group is not None:
        found["objectgroup"] = _element(group)


def _layer(element: ElementTree.Element) -> dict[str, Any]:
    found = {**_element(element), "type": LAYERS[element.tag]}
    data = element.find("data")
    if data is not None:
        found |= {key: data.get(key) for key in ("encoding", "compression") if key in data.attrib}
        chunks = data.findall("chunk")
        if chunks:
            found["chunks"] = [
                {**{key: int(chunk.get(key)) for key in ("x", "y", "width", "height")}, "data": _gids(chunk, data)}
                for chunk in chunks
            ]
        else:
            found["data"] = _gids(data, data)
    return found


def _gids(element: ElementTree.Element, data: ElementTree.Element) -> Any:
    if data.get("encoding") == "base64":
        return (element.text or "").strip()
    if data.get("encoding") == "csv":
        return [int(number) for number in (element.text or "").split(",") if number.strip()]
    return [int(tile.get("gid", "0")) for tile in element.iterfind("tile")]


def _object(element: ElementTree.Element) -> dict[str, Any]:
    found = _element(element)
    for child in element:
        if child.tag in ("point", "ellipse", "capsule"):
            found[child.tag] = True
        elif child.tag in ("polygon", "polyline"):
            points = [point.split(",") for point in child.get("points", "").split()]
            found[child.tag] = [{"x": float(x), "y": float(y)} for x, y in points]
        elif child.tag == "text":
            found["text"] = {"text": child.text}
    return found


def _property(element: ElementTree.Element) -> dict[str, Any]:
    kind = element.get("type", "string")
    found = {"name": element.get("name"), "type": kind, "value": _value(element)}
    if "propertytype" in element.attrib:
        found["propertytype"] = element.get("propertytype")
    return found


def _value(element: ElementTree.Element) -> Any:
    kind = element.get("type", "string")
    if kind == "class":
        return {each.get("name"): _value(each) for each in element.iterfind("properties/property")}
    if kind == "list":
        return [{"type": each.get("type", "string"), "value": _value(each)} for each in element.iterfind("item")]
    text = element.get("value", element.text or "")
    read = {"int": int, "object": int, "float": float, "bool": lambda value: value == "true"}
    return read.get(kind, str)(text)


def _attribute(key: str, text: str) -> Any:
    if key in WHOLE:
        return int(text)
    if key in DECIMAL or key in ("width", "height"):
        return int(text) if text.lstrip("-").isdigit() else float(text)
    return text == "1" if key in ("visible", "infinite", "wrap") else text
