"""A second reading of Tiled maps, written from the format's reference: XML is made into the JSON it would be.

Kinds, and which objects cover what, are as `ecs_collision.levels.tiled.maps` says. How many things tiles become is
left open, and so is what a tile with collision shapes covers.
"""

from __future__ import annotations

import base64
import gzip
import json
import struct
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hostile.reading import OPEN, Reading, reading, within

Part = dict[str, Any]
FLAGS = 0xF0000000


def read_tiled(path: Path) -> list[Reading]:
    """Read a map, its tilesets and templates."""
    return [Map(path).reading()]


def document(path: Path) -> Part:
    """Return a file as JSON has it."""
    if path.suffix in (".tmj", ".tsj", ".tj", ".json"):
        return json.loads(path.read_text("utf-8-sig"))
    return part_of(ElementTree.fromstring(path.read_bytes()))


LISTS = {
    "layer": ("layers", "tilelayer"), "objectgroup": ("layers", "objectgroup"), "imagelayer": ("layers", "imagelayer"),
    "group": ("layers", "group"), "object": ("objects", ""), "tileset": ("tilesets", ""), "tile": ("tiles", ""),
}  # fmt: skip


def part_of(element: ElementTree.Element) -> Part:
    """Return an element as JSON has it: attributes are members, elements are listed."""
    part: Part = dict(element.attrib)
    for child in element:
        if child.tag in LISTS:
            name, kind = LISTS[child.tag]
            part.setdefault(name, []).append(part_of(child) | ({"type": kind} if kind else {}))
        elif child.tag == "properties":
            part["properties"] = [value_of(each) for each in child]
        elif child.tag == "data":
            part["data"] = data_of(child)
        elif child.tag in ("point", "ellipse", "polygon", "polyline", "text", "capsule"):
            part["@" + child.tag] = True
        elif child.tag == "image":
            part["image"] = child.get("source", "")
    return part


def value_of(element: ElementTree.Element) -> Part:
    """Return a custom property as JSON has it; its value only as a name, or False."""
    inner = element.find("properties")
    value: Any = element.get("value", element.text)
    if element.get("type") == "class":
        value = {each.get("name"): value_of(each)["value"] for each in inner} if inner is not None else {}
    if element.get("type") == "bool":
        value = value == "true"
    return {"name": element.get("name"), "value": value, "propertytype": element.get("propertytype", "")}


def data_of(element: ElementTree.Element) -> Any:
    """Return the data of a layer: gids, or chunks of them."""
    chunks = element.findall("chunk")
    if chunks:
        return {"chunks": [{**chunk.attrib, "data": gids_of(chunk, element)} for chunk in chunks]}
    return gids_of(element, element)


def gids_of(element: ElementTree.Element, said: ElementTree.Element) -> list[int]:
    """Return the gids an element of a layer holds."""
    text = (element.text or "") + "".join(child.tail or "" for child in element)
    if said.get("encoding") == "base64":
        return unpacked(text, said.get("compression", ""))
    if said.get("encoding") == "csv":
        return [int(word) for word in text.split(",")] if text.strip() else []
    return [int(tile.get("gid", 0)) for tile in element.findall("tile")]


def unpacked(text: str, compression: str) -> list[int]:
    """Return the gids in packed data."""
    data = base64.b64decode(text.strip())
    if compression:
        data = {"zlib": zlib.decompress, "gzip": gzip.decompress}[compression](data)
    return list(struct.unpack(f"<{len(data) // 4}I", data))


class Map:
    """A map and the files it refers to."""

    def __init__(self, path: Path) -> None:
        self.folder = path.parent
        self.root = document(path)
        self.unit = (float(self.root["tilewidth"]), float(self.root["tileheight"]))
        self.tilesets = self.tilesets_of(self.root, path.parent)
        self.things: list[tuple[str, list[Any], list[str]]] = []
        self.open: set[str] = set()
        self.rest_open: set[str] = set()

    def tilesets_of(self, part: Part, folder: Path) -> list[tuple[int, Part]]:
        """Return the tilesets of a map or template with their first gids."""
        given = part.get("tilesets", [part["tileset"]] if "tileset" in part else [])
        return [
            (int(each["firstgid"]), document(within(folder, each["source"])) if each.get("source") else each)
            for each in given
        ]

    def tile(self, gid: int, tilesets: list[tuple[int, Part]]) -> tuple[Part, Part]:
        """Return the tileset and the tile of a gid."""
        first, tileset = max((each for each in tilesets if each[0] <= gid), key=lambda each: each[0])
        listed = {int(tile["id"]): tile for tile in tileset.get("tiles") or []}
        known = gid - first in listed or "tilecount" not in tileset or gid - first < int(tileset["tilecount"])
        assert known, f"no tile {gid}"
        listed = {int(tile["id"]): tile for tile in tileset.get("tiles") or []}
        return tileset, listed.get(gid - first, {})

    def reading(self) -> Reading:
        """Return what the map means."""
        self.layers(self.root, (0.0, 0.0))
        found = reading("", (int(self.root["width"]), int(self.root["height"])), self.things)
        kinds = {**found.kinds, **dict.fromkeys(self.open, OPEN)}
        cells = {**found.cells, **dict.fromkeys(self.rest_open, OPEN)}
        rest = {**found.rectangles, **dict.fromkeys(self.rest_open, OPEN)}
        is_infinite = self.root.get("infinite") in (True, "1")
        return Reading("", OPEN if is_infinite else found.size, kinds, cells, rest, OPEN)

    def layers(self, part: Part, offset: tuple[float, float]) -> None:
        """Read the layers of a map or group."""
        for layer in part.get("layers") or []:
            at = (offset[0] + float(layer.get("offsetx", 0)), offset[1] + float(layer.get("offsety", 0)))
            match layer["type"]:
                case "group":
                    self.layers(layer, at)
                case "objectgroup":
                    for each in layer.get("objects") or []:
                        self.object(each, at)
                case "tilelayer":
                    aside = (float(layer.get("x", 0)) * self.unit[0], float(layer.get("y", 0)) * self.unit[1])
                    self.tile_layer(layer, (at[0] + aside[0], at[1] + aside[1]))

    def tile_layer(self, layer: Part, offset: tuple[float, float]) -> None:
        """Read the tiles of a layer."""
        data = layer.get("data", [])
        chunks = layer.get("chunks") or (data["chunks"] if isinstance(data, dict) else None)
        if chunks is None and self.root.get("infinite") in ("1", True):
            chunks = []  # nothing was drawn on this layer
        if chunks is None:
            chunks = [{"x": 0, "y": 0, "width": layer["width"], "height": layer["height"], "data": data}]
        for chunk in chunks:
            gids = chunk["data"]
            if isinstance(gids, str):
                gids = unpacked(gids, layer.get("compression", ""))
            width, height = int(chunk["width"]), int(chunk["height"])
            assert len(gids) == width * height, f"{len(gids)} tiles in {width} x {height}"
            for index, gid in enumerate(gids):
                if gid & ~FLAGS:
                    at = (int(chunk["x"]) + index % width, int(chunk["y"]) + index // width)
                    self.cell(gid & ~FLAGS, at, offset, str(layer.get("class") or layer.get("name") or "tiles"))

    def cell(self, gid: int, at: tuple[int, int], offset: tuple[float, float], name: str) -> None:
        """Note the tile of a cell."""
        _, tile = self.tile(gid, self.tilesets)
        kind = tile.get("type") or tile.get("class") or name
        self.open.add(kind)
        if tile.get("layers") or tile.get("objectgroup"):
            self.rest_open.add(kind)
            return
        x, y = at[0] + offset[0] / self.unit[0], at[1] + offset[1] / self.unit[1]
        self.things.append((kind, [(x, y, x + 1, y + 1)], []))

    def object(self, part: Part, offset: tuple[float, float]) -> None:
        """Note an object."""
        tilesets = self.tilesets
        if part.get("template"):
            template = document(within(self.folder, part["template"]))
            base = template["object"] if "object" in template else template["objects"][0]
            if "gid" not in part:
                tilesets = self.tilesets_of(template, (self.folder / part["template"]).parent)
            part = {**base, **part}
        gid = int(part.get("gid", 0)) & ~FLAGS
        tileset, tile = self.tile(gid, tilesets) if gid else ({}, {})
        kind = part.get("type") or part.get("class") or tile.get("type") or tile.get("class") or "object"
        turned = float(part.get("rotation", 0))
        boxes: list[Any] = []
        if turned % 90 or is_any(part, "polygon", "polyline"):
            boxes.append(self.about(part, offset, 0.0))
        elif is_any(part, "ellipse", "capsule", "text"):
            boxes.append(self.about(part, offset, 0.5))
        elif tile.get("layers") or tile.get("objectgroup") or (gid and not {"width", "height"} <= part.keys()):
            self.rest_open.add(kind)
        else:
            boxes.append(self.box(part, tileset, gid, turned, offset))
        self.things.append((kind, boxes, []))

    def box(self, part: Part, tileset: Part, gid: int, turned: float, offset: tuple[float, float]) -> Any:
        """Return the rectangle of an object, in cells."""
        wide, high = self.unit
        width, height = float(part.get("width", 0)), float(part.get("height", 0))
        x, y = float(part["x"]) + offset[0], float(part["y"]) + offset[1]
        if not gid and (is_any(part, "point") or (not width and not height)):
            return self.about(part, offset, 0.0)
        left, top = (0.0, 0.0)
        if gid:
            align = tileset.get("objectalignment", "unspecified").replace("unspecified", "bottomleft")
            left = -width * (0.0 if "left" in align else 1.0 if "right" in align else 0.5)
            top = -height * (0.0 if "top" in align else 1.0 if "bottom" in align else 0.5)
        corners = [(left, top), (left + width, top + height)]
        for _ in range(int(turned // 90) % 4):
            corners = [(-v, u) for u, v in corners]
        xs, ys = sorted(x + u for u, _ in corners), sorted(y + v for _, v in corners)
        return (xs[0] / wide, ys[0] / high, xs[1] / wide, ys[1] / high)

    def about(self, part: Part, offset: tuple[float, float], share: float) -> Any:
        """Return the cell about an object's point, or about another share of its size; turned with it."""
        dx, dy = share * float(part.get("width", 0)), share * float(part.get("height", 0))
        for _ in range(int(float(part.get("rotation", 0)) // 90) % 4 if share else 0):
            dx, dy = -dy, dx
        x = (float(part.get("x", 0)) + offset[0] + dx) / self.unit[0]
        y = (float(part.get("y", 0)) + offset[1] + dy) / self.unit[1]
        return (x - 0.5, y - 0.5, x + 0.5, y + 0.5)


def is_any(part: Part, *shapes: str) -> bool:
    """Return whether an object is one of some shapes."""
    return any(part.get(shape) or "@" + shape in part for shape in shapes)
