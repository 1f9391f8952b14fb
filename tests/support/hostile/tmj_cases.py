"""Hostile Tiled maps in JSON."""

from __future__ import annotations

import json
from typing import Any

from hostile import json_cases
from hostile.cases import Absent, Case, Many, put
from hostile.tmx_cases import PACKED, PLAIN

FILES = {
    "sets/more.tsj": b'{"type": "tileset", "name": "t", "tilewidth": 16, "tileheight": 16, "tilecount": 4, "columns": 2, "image": "t.png", "imagewidth": 32, "imageheight": 32}\n',
    "crate.tj": json.dumps({
        "type": "template",
        "object": {"type": "crate", "name": "", "width": 16, "height": 16, "visible": True, "rotation": 0,
                   "properties": [{"name": "Inertia", "type": "float", "value": 1}]},
    }, indent=1).encode(),
}  # fmt: skip
GOOD: dict[str, Any] = {
    "type": "map", "version": "1.10", "tiledversion": "1.10.2", "orientation": "orthogonal", "renderorder": "right-down",
    "width": 4, "height": 3, "tilewidth": 16, "tileheight": 16, "infinite": False, "nextlayerid": 9, "nextobjectid": 9,
    "compressionlevel": -1,
    "properties": [
        {"name": "rule", "type": "string", "value": "sum"},
        {"name": "depth", "type": "int", "value": 7},
    ],
    "tilesets": [
        {"firstgid": 1, "name": "ground", "tilewidth": 16, "tileheight": 16, "tilecount": 4, "columns": 2, "margin": 0,
         "spacing": 0, "image": "ground.png", "imagewidth": 32, "imageheight": 32,
         "tiles": [{"id": 1, "type": "wall", "properties": [{"name": "Static", "type": "bool", "value": True}]}]},
        {"firstgid": 5, "source": "sets/more.tsj"},
    ],
    "layers": [
        {"type": "tilelayer", "id": 1, "name": "walls", "x": 0, "y": 0, "width": 4, "height": 3, "opacity": 1,
         "visible": True, "data": [1, 0, 2, 3, 0, 0, 4, 4, 2147483650, 5, 6, 0]},
        {"type": "tilelayer", "id": 2, "name": "bits", "x": 0, "y": 0, "width": 4, "height": 3, "opacity": 1,
         "visible": True, "encoding": "base64", "compression": "zlib", "data": PACKED},
        {"type": "group", "id": 4, "name": "inner", "opacity": 1, "visible": True, "layers": [
            {"type": "objectgroup", "id": 5, "name": "things", "opacity": 1, "visible": True, "draworder": "topdown",
             "objects": [
                 {"id": 1, "name": "hero", "type": "player", "x": 16, "y": 0, "width": 16, "height": 16, "rotation": 0,
                  "visible": True, "properties": [
                      {"name": "Motion", "type": "class", "propertytype": "Motion", "value": {"force": 1.5}}]},
                 {"id": 2, "name": "mark", "type": "spot", "x": 40, "y": 20, "width": 0, "height": 0, "point": True,
                  "rotation": 0, "visible": True},
                 {"id": 3, "template": "crate.tj", "x": 0, "y": 32},
                 {"id": 4, "name": "", "type": "box", "x": 32, "y": 16, "width": 24, "height": 8, "rotation": 0,
                  "visible": True, "properties": [{"name": "Inertia", "type": "float", "value": 2}]},
             ]}]},
    ],
}  # fmt: skip
WALLS, BITS, THINGS = "/layers/0", "/layers/1", "/layers/2/layers/0"
HERO, MARK, CRATE, BOX = (f"{THINGS}/objects/{number}" for number in range(4))


def good_case() -> Case:
    files = {"level.tmj": json.dumps(GOOD, indent=1).encode(), **FILES}
    return Case("a good Tiled map in JSON", "level.tmj", files, accepted="yes")


def odd(name: str, spot: str, value: Any, *says: str, **more: Any) -> Case:
    more["files"] = {**FILES, **more.get("files", {})}
    return put(f"TMJ: {name}", "level.tmj", GOOD, spot, value, *says, **more)


def other(name: str, file: str, data: bytes | Many, *says: str, **more: Any) -> Case:
    """Return the good map with another file beside it."""
    files = {**good_case().files, file: data, **more.pop("files", {})}
    return Case(f"TMJ: {name}", "level.tmj", files, says, file=more.pop("file", file), **more)


def cases() -> list[Case]:
    data = GOOD["layers"][0]["data"]
    deep: Any = 1
    for _ in range(60):
        deep = {"a": deep}
    inertia = f"{BOX}/properties/0"
    return [
        *json_cases.cases("TMJ", "level.tmj", GOOD, FILES, "/tilewidth", "/orientation"),
        odd("a map that says it is a terminal sequence", "/type", "\x1b]0;owned\x07"),
        odd("a map that says it is a tileset", "/type", "tileset", "tileset", "found a tileset; expected a map; give a file whose type is map"),
        odd("no layers", "/layers", Absent, "found nothing; expected an array; ..."),
        odd("layers that are an object", "/layers", {}, "found an object; expected an array; ..."),
        odd("an infinity that is a number", "/infinite", 1),
        odd("an unknown layer of a type", f"{WALLS}/type", "pythonlayer", "pythonlayer", "found the text 'pythonlayer'; expected one of 'tilelayer', 'objectgroup', 'imagelayer', 'group'; ..."),
        odd("a layer with a cell missing", f"{WALLS}/data", data[:-1], "12", "found an array of 11; expected an array of 12; ..."),
        odd("a layer without cells", f"{WALLS}/data", Absent),
        odd("a layer of text", f"{WALLS}/data", "1,0,2", "found the text '1,0,2'; expected an array; ..."),
        odd("a cell that is true", f"{WALLS}/data/3", True, "found true; expected a whole number from 0 to 4294967295; ..."),
        odd("base64 that is a number", f"{BITS}/data", 7, "found 7; expected a text; ..."),
        odd("cells and base64 at once", f"{BITS}/data", PLAIN, accepted="either"),
        odd("tiles that are null", "/tilesets/0/tiles", None, accepted="either"),
        odd("a property without a value", "/properties/1/value", Absent, accepted="either"),
        odd("a property of a number of words", "/properties/1/value", "seven"),
        odd("an integer property that is true", "/properties/1/value", True),
        odd("an integer property of 10^400", "/properties/1/value", 10**400, accepted="either"),
        odd("a text property of a number", "/properties/0/value", 7),
        odd("an object without a place", f"{HERO}/x", Absent, "found nothing; expected a number; ..."),
        odd("an object that is a polygon", f"{HERO}/polygon", [{"x": 0, "y": 0}], accepted="either"),
        odd("an object of a tile of 2^40", f"{BOX}/gid", 2**40),
        odd("a name of a terminal sequence", f"{HERO}/name", "\x1b]0;owned\x07"),
        odd("a kind that is null", f"{HERO}/type", None, accepted="either"),
        odd("a kind of a lone surrogate", f"{HERO}/type", "\ud800", pointer=None),
        odd("a component of a path", f"{inertia}/name", "os.system", accepted="yes"),
        odd("a component class of a path", f"{HERO}/properties/0/propertytype", "os.system", accepted="either"),
        odd("an unknown component with a field", f"{HERO}/properties/0/value", {"mass": 1}, "mass", "Motion has no field 'mass'; it has 'force', 'priority', 'rule', 'max_chain', 'all_or_nothing'"),
        odd("a component with a field of dunder", f"{HERO}/properties/0/value", {"__class__": "x"}, "__class__"),
        odd("a component with a field below nothing", f"{HERO}/properties/0/value", {"force": -1}),
        odd("a component that is a list", f"{HERO}/properties/0/value", [1], "found an array of 1; expected an object; ..."),
        odd("a component of a class in a class, deep", f"{HERO}/properties/0/value", deep, pointer=None),
        odd("an inertia of a list", f"{inertia}/value", [2], "found an array of 1 as a property of type float; expected a finite number; ..."),
        other("a tileset of NaN", "sets/more.tsj", FILES["sets/more.tsj"].replace(b"16", b"NaN"), "found NaN; expected a finite number; ..."),
        other("a tileset of tiles of no width", "sets/more.tsj", FILES["sets/more.tsj"].replace(b"16", b"0", 1), pointer="/tilewidth"),
        other("a tileset of depth", "sets/more.tsj", Many("[", 100_000)),
        other("a template with a tileset outside", "crate.tj",
              b'{"type": "template", "tileset": {"firstgid": 1, "source": "../secret.tsj"}, "object": {"gid": 1}}'),
        other("a template with a wrong component", "crate.tj", FILES["crate.tj"].replace(b'"value": 1', b'"value": -1'), "-1"),
    ]  # fmt: skip
