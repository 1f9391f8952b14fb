"""Small LDtk projects, built as the editor writes them."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from ecs_collision import LevelError
from ecs_collision.levels import Level, parse_levels

Json = dict[str, Any]

WALLS, THINGS, FLOOR, GRASS, FINE = 1, 2, 3, 4, 5
CRATE, DOOR = 10, 11
TILESET = 20
A_TILE = {"tilesetUid": 20, "x": 16, "y": 0, "w": 16, "h": 8}
"""A value of a field of the type Tile."""


def layer_def(uid: int, name: str, kind: str, grid: int = 16, **more: Any) -> Json:
    return {
        "identifier": name, "type": kind, "__type": kind, "uid": uid, "gridSize": grid, "pxOffsetX": 0, "pxOffsetY": 0,
        "intGridValues": [], "tilesetDefUid": None, **more,
    }  # fmt: skip


def entity_def(uid: int, name: str, fields: dict[str, str] | None = None) -> Json:
    named = enumerate((fields or {}).items())
    return {"identifier": name, "uid": uid, "fieldDefs": [field_def(uid * 100 + at, *each) for at, each in named]}


def field_def(uid: int, name: str, kind: str) -> Json:
    return {"identifier": name, "uid": uid, "__type": kind}


def a_layer(of: Json, columns: int = 4, rows: int = 3, **more: Any) -> Json:
    return {
        "__identifier": of["identifier"], "__type": of["type"], "__cWid": columns, "__cHei": rows,
        "__gridSize": of["gridSize"], "__pxTotalOffsetX": of["pxOffsetX"], "__pxTotalOffsetY": of["pxOffsetY"],
        "__tilesetDefUid": of["tilesetDefUid"], "iid": f"layer-{of['uid']}", "levelId": 0, "layerDefUid": of["uid"],
        "pxOffsetX": 0, "pxOffsetY": 0, "visible": True, "intGridCsv": [], "autoLayerTiles": [], "gridTiles": [],
        "entityInstances": [], **more,
    }  # fmt: skip


def an_entity(of: Json, x: int, y: int, fields: dict[str, Any] | None = None, **more: Any) -> Json:
    """Return an instance whose upper left corner is its pivot, at a pixel; its iid contains the position."""
    defined = {each["identifier"]: each for each in of["fieldDefs"]}
    instances = [
        {"__identifier": name, "__type": defined[name]["__type"], "__value": value, "defUid": defined[name]["uid"]}
        for name, value in (fields or {}).items()
    ]
    return {
        "__identifier": of["identifier"], "__grid": [x // 16, y // 16], "__pivot": [0, 0], "__tags": [],
        "iid": f"entity-{x}-{y}", "width": 16, "height": 16, "defUid": of["uid"], "px": [x, y],
        "fieldInstances": instances, **more,
    }  # fmt: skip


def a_tile(x: int, y: int) -> Json:
    return {"px": [x, y], "src": [0, 0], "f": 0, "t": 0, "d": [0], "a": 1}


def a_level(*layers: Json, title: str = "Level_0", **more: Any) -> Json:
    """Return a level of 64 x 48 pixels: 4 x 3 cells of 16."""
    return {
        "identifier": title, "iid": f"iid of {title}", "uid": 0, "worldX": 0, "worldY": 0, "worldDepth": 0,
        "pxWid": 64, "pxHei": 48, "externalRelPath": None, "fieldInstances": [], "layerInstances": list(layers),
        "__neighbours": [], **more,
    }  # fmt: skip


def a_project(*levels: Json, layers: list[Json], entities: list[Json] | None = None, **more: Any) -> Json:
    defs = {
        "layers": layers, "entities": entities or [], "tilesets": [{"identifier": "Tileset", "uid": TILESET}],
        "enums": [{"identifier": "Colour", "uid": 30, "values": [{"id": "Red"}, {"id": "Blue"}]}],
        "externalEnums": [], "levelFields": [],
    }  # fmt: skip
    defs |= more.pop("defs", {})
    return {
        "jsonVersion": "1.5.3", "defaultGridSize": 16, "externalLevels": False, "worlds": [], "defs": defs,
        "levels": list(levels), **more,
    }  # fmt: skip


def small_project(**more: Any) -> Json:
    """Return a project with one layer of each type: walls around two crates, one floor tile, one tuft of grass."""
    walls = layer_def(WALLS, "Walls", "IntGrid", intGridValues=[{"value": 1, "identifier": "wall"}])
    things = layer_def(THINGS, "Things", "Entities")
    floor = layer_def(FLOOR, "Floor", "Tiles", tilesetDefUid=TILESET)
    grass = layer_def(GRASS, "Grass", "AutoLayer", tilesetDefUid=TILESET)
    crate = entity_def(CRATE, "Crate", {"weight": "Float", "Inertia": "Float", "opens": "EntityRef"})
    crates = [
        an_entity(crate, 16, 16, {"weight": 2.5, "opens": {"entityIid": "entity-32-16"}}),
        an_entity(crate, 32, 16, {"Inertia": 1}),
    ]
    level = a_level(
        a_layer(things, entityInstances=crates),
        a_layer(walls, intGridCsv=[1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1]),
        a_layer(grass, autoLayerTiles=[a_tile(16, 16)]),
        a_layer(floor, gridTiles=[a_tile(16, 16), a_tile(32, 16), a_tile(32, 16)]),
    )
    return a_project(level, layers=[things, walls, grass, floor], entities=[crate], **more)


def changed(project: Json, pointer: str, value: Any) -> Json:
    """Return a copy with the member at a JSON pointer replaced; `...` removes it."""
    made = copy.deepcopy(project)
    *way, last = pointer.removeprefix("/").split("/")
    owner: Any = made
    for key in way:
        owner = owner[int(key) if isinstance(owner, list) else key]
    key = int(last) if isinstance(owner, list) else last
    if value is ...:
        del owner[key]
    elif isinstance(owner, list) and key == len(owner):
        owner.append(value)
    else:
        owner[key] = value
    return made


def read(project: Json, **how: Any) -> list[Level]:
    return parse_levels(json.dumps(project), "ldtk", name="world.ldtk", **how)


def read_one(project: Json, **how: Any) -> Level:
    (level,) = read(project, **how)
    return level


def refused(project, **how) -> str:
    """Return the error message for a project."""
    with pytest.raises(LevelError) as caught:
        read(project, **how)
    return str(caught.value)


def entities_of(*instances, of, **more):
    things = layer_def(THINGS, "Things", "Entities")
    return a_project(a_level(a_layer(things, entityInstances=list(instances))), layers=[things], entities=[of], **more)


def covered(thing, size=1.0) -> list[tuple[float, float]]:
    """Return the centers of the cells of this size that the boxes of a thing cover, once for each box."""
    x, y, _ = thing.position
    found = []
    for box in thing.parts:
        left, top = x + box.offset[0] - box.hx, y + box.offset[1] - box.hy
        rows, columns = range(round(2 * box.hy / size)), range(round(2 * box.hx / size))
        found += [(left + (column + 0.5) * size, top + (row + 0.5) * size) for row in rows for column in columns]
    return sorted(found)


def with_level_fields(types: dict[str, str], values: Json) -> Json:
    """Return the small project with level fields of these types and values."""
    defined = [field_def(40 + at, name, kind) for at, (name, kind) in enumerate(types.items())]
    instances = [
        {"__identifier": name, "__type": types[name], "__value": value, "defUid": 40 + list(types).index(name)}
        for name, value in values.items()
    ]
    project = changed(small_project(), "/levels/0/fieldInstances", instances)
    return changed(project, "/defs/levelFields", defined)
