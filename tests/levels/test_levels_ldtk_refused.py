"""LDtk projects that contradict themselves, or ask for too much: what is refused, and where."""

from __future__ import annotations

import pytest
from ldtk_projects import (
    A_TILE,
    WALLS,
    a_layer,
    a_level,
    a_project,
    an_entity,
    changed,
    entities_of,
    entity_def,
    layer_def,
    refused,
    small_project,
)

from ecs_collision.levels import budget

LAYER = "/levels/0/layerInstances/1"
ENTITY = "/levels/0/layerInstances/0/entityInstances/0"
FIELD = f"{ENTITY}/fieldInstances/0"
NEIGHBOURS = "/levels/0/__neighbours"
HUGE = 10**30

REFUSED = {
    "another version": (
        "/jsonVersion",
        "0.9.3",
        "found the text '0.9.3'; expected a version 1.x of LDtk, as in '1.5.3'; save the project with LDtk 1.5",
    ),
    "a later version": ("/jsonVersion", "2.0.0", "found the text '2.0.0'; expected a version 1.x of LDtk"),
    "no version": ("/jsonVersion", ..., "found nothing; expected a version 1.x of LDtk"),
    "no definitions": ("/defs", ..., "found nothing; expected the definitions of a project"),
    "no grid": ("/defaultGridSize", 0, "found 0; expected a whole number from 1 to 4096"),
    "no level": ("/levels", [], "found no level; expected at least one"),
    "no array of levels": ("/levels", {}, "found an object; expected an array"),
    "a level that is none": ("/levels/0", 3, "found 3; expected an object"),
    "a level without a name": (
        "/levels/0/identifier",
        "",
        "found the text ''; expected a name of printable characters",
    ),
    "a name of two lines": ("/levels/0/identifier", "a\nb", "found the text 'a\\nb'; expected a name of printable"),
    "a level twice": (
        "/levels/1",
        a_level(),
        "/levels/1/iid: found the iid 'iid of Level_0' a second time; expected an iid of its own",
    ),
    "a name twice": (
        "/levels/1",
        a_level(iid="x"),
        "/levels/1/identifier: found the level 'Level_0' a second time; expected a name of its own",
    ),
    "a level of no width": ("/levels/0/pxWid", 0, "found 0; expected a whole number from 1 to 1600000"),
    "a level far too high": ("/levels/0/pxHei", 10**9, "found 1000000000; expected a whole number from 1 to 1600000"),
    "a level of too many cells": (
        "/levels/0",
        a_level(pxWid=10**6, pxHei=10**6),
        "found a map of 62500 columns and 62500 rows",
    ),
    "half a pixel": ("/levels/0/pxWid", 64.5, "found 64.5; expected a whole number"),
    "no layers": ("/levels/0/layerInstances", None, "found null; expected an array"),
    "an unknown layer": (f"{LAYER}/layerDefUid", 99, "found the uid 99; expected that of a layer of this project"),
    "a layer of another name": (
        f"{LAYER}/__identifier",
        "W",
        "found the text 'W'; expected 'Walls', the name of the layer of that uid",
    ),
    "a layer of another type": (
        f"{LAYER}/__type",
        "Tiles",
        "found the text 'Tiles'; expected 'IntGrid', the type of the layer of that uid",
    ),
    "a layer of another grid": (f"{LAYER}/__gridSize", 8, "found 8; expected 16, the grid of the layer of that uid"),
    "a layer of another level": (f"{LAYER}/levelId", 7, "found 7; expected 0, the uid of the level it lies in"),
    "a layer too wide": (
        f"{LAYER}/__cWid",
        10**9,
        "found 1000000000; expected 4, the cells of 16 pixels in 64 pixels of the level",
    ),
    "a layer that has its cells in fractions": (f"{LAYER}/__cWid", 4.0, "found 4.0; expected 4, the cells"),
    "a layer without a height": (
        f"{LAYER}/__cHei",
        ...,
        "found nothing; expected 3, the cells of 16 pixels in 48 pixels",
    ),
    "an offset that is another": (
        f"{LAYER}/pxOffsetX",
        3,
        f"{LAYER}/__pxTotalOffsetX: found 0; expected 3, the offset of the layer and pxOffsetX together",
    ),
    "an offset out of sight": (
        f"{LAYER}/pxOffsetY",
        -HUGE,
        f"found -{HUGE}; expected a whole number from -1048576 to 1048576",
    ),
    "an unknown tileset": (
        f"{LAYER}/__tilesetDefUid",
        21,
        "found the uid 21; expected that of a tileset of this project",
    ),
    "a cell too few": (f"{LAYER}/intGridCsv", [0] * 11, "found an array of 11; expected an array of 12"),
    "a cell too many": (
        f"{LAYER}/intGridCsv/12",
        0,
        f"{LAYER}/intGridCsv: found an array of 13; expected an array of 12",
    ),
    "no cells": (f"{LAYER}/intGridCsv", ..., "found nothing; expected an array of whole numbers"),
    "an unknown value": (
        f"{LAYER}/intGridCsv/5",
        9,
        "found the value 9; expected 0 or a value that the layer 'Walls' defines",
    ),
    "a negative value": (f"{LAYER}/intGridCsv/5", -1, "found -1; expected a whole number from 0 on"),
    "a value that is no number": (f"{LAYER}/intGridCsv/5", "1", "found the text '1'; expected a whole number"),
    "a value that is true": (f"{LAYER}/intGridCsv/5", True, "found true; expected a whole number"),
    "a huge value": (f"{LAYER}/intGridCsv/5", HUGE, f"found {HUGE}; expected a whole number"),
    "a tile without a place": (
        "/levels/0/layerInstances/3/gridTiles/1/px",
        ...,
        "found nothing; expected an array of whole numbers",
    ),
    "a tile far out": (
        "/levels/0/layerInstances/3/gridTiles/1/px/0",
        HUGE,
        f"found {HUGE}; expected a whole number from -1600000 to 1600000",
    ),
    "tiles that are a number": ("/levels/0/layerInstances/1/autoLayerTiles", 3, "found 3; expected an array"),
    "an unknown entity": (f"{ENTITY}/defUid", 99, "found the uid 99; expected that of an entity of this project"),
    "an entity of another name": (
        f"{ENTITY}/__identifier",
        "Box",
        "found the text 'Box'; expected 'Crate', the name of the entity of that uid",
    ),
    "an entity twice": (
        f"{ENTITY}/iid",
        "entity-32-16",
        "/levels/0/layerInstances/0/entityInstances/1/iid: found the iid 'entity-32-16' a second time",
    ),
    "an entity without a place": (f"{ENTITY}/px", [16], "found an array of 1; expected an array of 2"),
    "an entity at half a pixel": (f"{ENTITY}/px/1", 0.5, "found 0.5; expected a whole number from -1600000 to 1600000"),
    "an entity of no width": (f"{ENTITY}/width", 0, "found 0; expected a whole number from 1 to 1600000"),
    "an entity as large as the moon": (
        f"{ENTITY}/height",
        HUGE,
        f"found {HUGE}; expected a whole number from 1 to 1600000",
    ),
    "a pivot outside": (f"{ENTITY}/__pivot", [0, 1.5], f"{ENTITY}/__pivot/1: found 1.5; expected a number from 0 to 1"),
    "a pivot of one number": (f"{ENTITY}/__pivot", [0], "found an array of 1; expected two numbers from 0 to 1"),
    "a tag that is a number": (f"{ENTITY}/__tags", [3], f"{ENTITY}/__tags/0: found 3; expected a text"),
    "an unknown field": (
        f"{FIELD}/defUid",
        1,
        "found the uid 1; expected that of a field of the same owner of this project",
    ),
    "a field of another name": (
        f"{FIELD}/__identifier",
        "mass",
        "found the text 'mass'; expected 'weight', the name of the field of that uid",
    ),
    "a field of another type": (
        f"{FIELD}/__type",
        "Int",
        "found the text 'Int'; expected 'Float', the type of the field of that uid",
    ),
    "a field that is a text": (f"{FIELD}/__value", "2.5", "found the text '2.5'; expected a number"),
    "an infinite field": (f"{FIELD}/__value", HUGE, f"found {HUGE}; expected a number"),
    "a reference to nowhere": (
        f"{ENTITY}/fieldInstances/1/__value/entityIid",
        "x",
        "found the iid 'x' of no entity; expected that of an entity of this project; choose the entity again in LDtk",
    ),
    "a reference that is a text": (f"{ENTITY}/fieldInstances/1/__value", "x", "found the text 'x'; expected an object"),
    "a component that cannot be": (
        "/levels/0/layerInstances/0/entityInstances/1/fieldInstances/0/__value",
        -1,
        "found Inertia.value is -1.0, but it must not be negative",
    ),
    "a layer defined twice": ("/defs/layers/1/uid", 2, "found the uid 2 a second time; expected a uid of its own"),
    "a layer of an unknown tileset": ("/defs/layers/3/tilesetDefUid", 1, "found the uid 1; expected that of a tileset"),
    "a layer of no source": ("/defs/layers/2/autoSourceLayerDefUid", 9, "found the uid 9; expected that of a layer of"),
    "a layer of no type": (
        "/defs/layers/1/type",
        "Objects",
        "found the text 'Objects'; expected one of 'IntGrid', 'Entities', 'Tiles', 'AutoLayer'",
    ),
    "a value defined twice": (
        "/defs/layers/1/intGridValues/1",
        {"value": 1},
        "/defs/layers/1/intGridValues/1/value: found the value 1 a second time; expected every value once",
    ),
    "a value that tells no name": (
        "/defs/layers/1/intGridValues/0/identifier",
        ...,
        "found nothing; expected a text",
    ),
    "a value of nothing": ("/defs/layers/1/intGridValues/0/value", 0, "found 0; expected a whole number from 1 on"),
    "an entity defined twice": (
        "/defs/entities/1",
        entity_def(10, "Box"),
        "/defs/entities/1/uid: found the uid 10 a second time",
    ),
    "a field defined twice": ("/defs/entities/0/fieldDefs/1/uid", 1000, "found the uid 1000 a second time"),
    "a neighbour that is no level": (
        NEIGHBOURS,
        [{"levelIid": "x", "dir": "n"}],
        f"{NEIGHBOURS}/0/levelIid: found the iid 'x' of no level; expected that of a level of this project",
    ),
    "a neighbour nowhere": (
        NEIGHBOURS,
        [{"levelIid": "iid of Level_0"}],
        f"{NEIGHBOURS}/0/dir: found nothing; expected a text",
    ),
    "a world that is none": ("/worlds", [3], "/worlds/0: found 3; expected an object"),
}


@pytest.mark.parametrize(("pointer", "value", "expected"), REFUSED.values(), ids=REFUSED)
def test_a_project_is_refused_for(pointer, value, expected):
    message = refused(changed(small_project(), pointer, value))
    assert message.startswith(f"world.ldtk at {expected if expected.startswith('/') else f'{pointer}: {expected}'}")


FIELDS_REFUSED = {
    "a color of no digits": ("Color", "red", ": found the text 'red'; expected a color such as '#FF8000'"),
    "a point without a row": (
        "Point",
        {"cx": 1},
        "/cy: found nothing; expected a whole number from -1048576 to 1048576",
    ),
    "a point far out": ("Point", {"cx": HUGE, "cy": 1}, f"/cx: found {HUGE}; expected a whole number from"),
    "a tile of no tileset": (
        "Tile",
        A_TILE | {"tilesetUid": 1},
        "/tilesetUid: found the uid 1; expected that of a tileset",
    ),
    "a fraction": ("Int", 1.5, ": found 1.5; expected a whole number"),
    "a number for a text": ("String", 1, ": found 1; expected a text"),
    "a number for a flag": ("Bool", 1, ": found 1; expected true or false"),
    "one for many": ("Array<Int>", 1, ": found 1; expected an array"),
    "one wrong of many": ("Array<Int>", [1, "2"], "/1: found the text '2'; expected a whole number"),
    "an unknown enum": (
        "LocalEnum.Size",
        "Big",
        ": found a value of the type 'LocalEnum.Size'; expected one of Int, Float",
    ),
    "an unknown type": (
        "Curve",
        {},
        ": found a value of the type 'Curve'; expected one of Int, Float, Bool, String, Multilines, FilePath, Color, "
        "Point, Tile, EntityRef, or an enum of this project; take another type",
    ),
    "arrays in arrays": ("Array<Array<Int>>", [[1]], "/0: found a value of the type 'Array<Int>'; expected one of"),
}


@pytest.mark.parametrize(("kind", "value", "expected"), FIELDS_REFUSED.values(), ids=FIELDS_REFUSED)
def test_a_field_is_refused_for(kind, value, expected):
    door = entity_def(11, "Door", {"what": kind})
    message = refused(entities_of(an_entity(door, 0, 0, {"what": value}), of=door))
    place = "/levels/0/layerInstances/0/entityInstances/0/fieldInstances/0/__value"
    assert message.startswith(f"world.ldtk at {place}{expected}")


def test_a_field_comes_once_and_leaves_the_name_of_ours_alone():
    door = entity_def(11, "Door", {"ldtk": "Int", "x": "Int"})
    instance = an_entity(door, 0, 0, {"x": 1})
    twice = instance | {"fieldInstances": instance["fieldInstances"] * 2}
    assert "/fieldInstances/1: found the field 'x' a second time; expected every field once" in refused(
        entities_of(twice, of=door)
    )
    message = refused(entities_of(an_entity(door, 0, 0, {"ldtk": 1}), of=door))
    assert (
        "/fieldInstances/0/__identifier: found a field named 'ldtk'; expected another name; rename the field" in message
    )


def test_a_name_of_two_lines_is_refused():
    door = entity_def(11, "Door", {"name": "String"})
    message = refused(entities_of(an_entity(door, 0, 0, {"name": "a\nb"}), of=door))
    assert "/fieldInstances/0/__value: found the text 'a\\nb'; expected a name of printable characters" in message


def test_the_cells_of_all_levels_together_are_limited(monkeypatch):
    monkeypatch.setattr(budget, "ROOM", 3_200_000)
    monkeypatch.setattr(budget, "ROOM_PER_BYTE", 1)
    walls = layer_def(WALLS, "Walls", "IntGrid", grid=1)
    columns = 300
    levels = [
        a_level(
            a_layer(walls, columns, columns, levelId=uid, intGridCsv=[0] * columns**2),
            title=f"Level_{uid}", uid=uid, pxWid=columns, pxHei=columns,
        )
        for uid in range(2)
    ]  # fmt: skip
    message = refused(a_project(*levels, layers=[walls], defaultGridSize=1))
    assert message.startswith(
        "world.ldtk at /levels/1/layerInstances/0: found 180000 cells; expected at most "
    )


def test_the_boxes_of_a_level_are_limited_before_they_are_made(monkeypatch):
    walls = layer_def(WALLS, "Walls", "IntGrid", grid=1, intGridValues=[{"value": 1, "identifier": "wall"}])
    columns = 501
    board = [at % 2 for at in range(columns**2)]
    level = a_level(a_layer(walls, columns, columns, intGridCsv=board), pxWid=columns, pxHei=columns)
    project = a_project(level, layers=[walls], defaultGridSize=1)
    expected = "world.ldtk at /levels/0/layerInstances/0: found 125500"
    monkeypatch.setattr(budget, "ROOM", 25_000_000)
    assert refused(project).startswith(f"{expected} boxes; expected at most 3")
    assert refused(project, kinds={"wall": {"Inertia": 1}}).startswith(f"{expected} things; expected at most 1")
