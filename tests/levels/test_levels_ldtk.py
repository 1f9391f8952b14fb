"""LDtk projects: what each part becomes, and where faults are reported."""

from __future__ import annotations

import json
import math

import pytest
from ldtk_projects import (
    A_TILE,
    FINE,
    THINGS,
    WALLS,
    a_layer,
    a_level,
    a_project,
    a_tile,
    an_entity,
    changed,
    covered,
    entities_of,
    entity_def,
    layer_def,
    read,
    read_one,
    refused,
    small_project,
    with_level_fields,
)

from ecs_collision import Box, LevelError
from ecs_collision.levels import load_level, load_levels

# What things become


def test_every_layer_becomes_things_in_reading_order():
    level = read_one(small_project())
    assert [
        ("wall", "wall", (0.5, 0.5, 0.0)),
        ("Crate 1", "Crate", (1.5, 1.5, 0.0)),
        ("Grass", "Grass", (1.5, 1.5, 0.0)),
        ("Floor", "Floor", (1.5, 1.5, 0.0)),
        ("Crate 2", "Crate", (2.5, 1.5, 0.0)),
    ] == [(thing.name, thing.kind, thing.position) for thing in level.things]
    assert (level.title, level.size, level.source, level.form) == ("Level_0", (4, 3), "world.ldtk", "ldtk")


def test_cells_of_a_value_become_one_thing_with_few_boxes():
    wall = read_one(small_project())["wall"]
    assert (
        Box(2, 0.5, offset=(1.5, 0, 0)),
        Box(0.5, 0.5, offset=(0, 1, 0)),
        Box(0.5, 0.5, offset=(3, 1, 0)),
        Box(2, 0.5, offset=(1.5, 2, 0)),
    ) == wall.parts
    assert wall.properties["ldtk"] == {"layer": "Walls", "value": 1, "cells": 10}
    assert not wall.is_body


def test_the_program_adds_components_to_kinds():
    level = read_one(small_project(), kinds={"wall": {"Static": True}, "Crate": {"Inertia": 3.0, "Sleeping": True}})
    assert {"Static": {}} == level["wall"].components
    assert {"Inertia": {"value": 3.0}, "Sleeping": {}} == level["Crate 1"].components
    assert {"Inertia": {"value": 1.0}, "Sleeping": {}} == level["Crate 2"].components, "what the file says counts more"


def test_movable_cells_and_triggers_become_one_thing_each():
    level = read_one(small_project(), kinds={"wall": {"Inertia": 1.0}})
    assert [f"wall {number}" for number in range(1, 11)] == [thing.name for thing in level.select("wall")]
    assert [(0.5, 0.5, 0.0), (1.5, 0.5, 0.0)] == [thing.position for thing in level.select("wall")[:2]]
    assert {(Box(0.5, 0.5),)} == {thing.parts for thing in level.select("wall")}


def test_values_without_a_name_are_named_by_layer_and_number():
    project = changed(small_project(), "/defs/layers/1/intGridValues/0/identifier", None)
    assert read_one(project)["Walls value 1"].kind == "Walls value 1"


def test_a_finer_layer_has_smaller_cells_and_offsets_move_it():
    fine = layer_def(FINE, "Fine", "IntGrid", grid=8, pxOffsetX=4, intGridValues=[{"value": 7, "identifier": "dust"}])
    coarse = layer_def(WALLS, "Walls", "IntGrid")
    cells = [0] * 8 * 6
    cells[10] = cells[11] = cells[19] = 7
    layer = a_layer(fine, 8, 6, intGridCsv=cells, pxOffsetX=-1, pxOffsetY=8, __pxTotalOffsetX=3, __pxTotalOffsetY=8)
    project = a_project(a_level(layer | {"__cWid": 9, "__cHei": 5, "intGridCsv": [*cells[:45]]}), layers=[coarse, fine])
    level = read_one(project)
    assert (level.properties["ldtk"]["unit"], level.size) == (16, (4, 3))
    dust = level["dust"]
    assert dust.position == ((3 + 8 + 4) / 16, (8 + 8 + 4) / 16, 0.0)
    assert (Box(0.5, 0.25, offset=(0.25, 0, 0)), Box(0.25, 0.25, offset=(0, 0.5, 0))) == dust.parts


UNITS = {
    "the default grid, where a layer has it": (16, {"Entities": 8, "IntGrid": 16}, 16),
    "else the first grid of cells": (16, {"Entities": 32, "IntGrid": 8}, 8),
    "else the first layer": (16, {"Entities": 24}, 24),
    "else the default grid": (16, {}, 16),
}


@pytest.mark.parametrize(("default", "grids", "unit"), UNITS.values(), ids=UNITS)
def test_the_unit_is(default, grids, unit):
    layers = [layer_def(uid, kind, kind, grid=grid) for uid, (kind, grid) in enumerate(grids.items())]
    level = read_one(a_project(a_level(pxWid=65, pxHei=48), layers=layers, defaultGridSize=default))
    assert level.properties["ldtk"]["unit"] == unit
    assert level.size == (math.ceil(65 / unit), math.ceil(48 / unit))


def test_tiles_become_one_thing_with_the_cells_of_their_centers():
    tiles = [a_tile(0, 0), a_tile(7, -7), a_tile(9, 0), a_tile(32, 16), a_tile(-16, 0), a_tile(64, 0), a_tile(0, 48)]
    floor = read_one(changed(small_project(), "/levels/0/layerInstances/3/gridTiles", tiles))["Floor"]
    assert [(0.5, 0.5), (1.5, 0.5), (2.5, 1.5)] == covered(floor)
    assert floor.properties["ldtk"] == {"layer": "Floor", "tiles": 7, "cells": 3}


def test_layers_are_described_in_the_order_of_the_file():
    things, walls, grass, floor = read_one(small_project()).properties["ldtk"]["layers"]
    assert {
        "name": "Walls", "type": "IntGrid", "columns": 4, "rows": 3, "grid": 16, "offset": (0, 0), "visible": True,
        "tiles": 0,
    } == walls  # fmt: skip
    assert [layer["tiles"] for layer in (things, grass, floor)] == [0, 1, 3]


# Entities


PIVOTS = {
    "the left upper corner": ([0, 0], (1.75, 1.0)),
    "the middle": ([0.5, 0.5], (1.0, 0.5)),
    "the middle of the lower side": ([0.5, 1], (1.0, 0.0)),
}


@pytest.mark.parametrize(("pivot", "middle"), PIVOTS.values(), ids=PIVOTS)
def test_an_entity_is_placed_around_its_pivot(pivot, middle):
    door = entity_def(11, "Door")
    level = read_one(entities_of(an_entity(door, 16, 8, width=24, height=16, __pivot=pivot, __tags=["exit"]), of=door))
    assert (*middle, 0.0) == level["Door"].position
    assert (Box(0.75, 0.5),) == level["Door"].parts
    assert level["Door"].properties["ldtk"] == {
        "layer": "Things", "iid": "entity-16-8", "tags": ("exit",), "pivot": tuple(pivot),
    }  # fmt: skip


def test_an_entity_moves_with_its_layer():
    door = entity_def(11, "Door")
    things = layer_def(THINGS, "Things", "Entities", pxOffsetX=16, pxOffsetY=-32)
    project = a_project(
        a_level(a_layer(things, entityInstances=[an_entity(door, 0, 0)])), layers=[things], entities=[door]
    )
    assert read_one(project)["Door"].position == (1.5, -1.5, 0.0)


def test_an_entity_with_a_unique_name_keeps_it():
    door = entity_def(11, "Door", {"name": "String"})
    names = ["exit", "exit", "", None, " Door 1 "]
    doors = [an_entity(door, 16 * at, 0, {"name": name}) for at, name in enumerate(names)]
    level = read_one(entities_of(*doors, of=door))
    assert ["exit 1", "exit 2", "Door 2", "Door 3", "Door 1"] == [thing.name for thing in level.things]
    assert {"Door"} == {thing.kind for thing in level.things}


FIELDS = {
    "Int": ("Int", 3, 3),
    "Float": ("Float", 3, 3.0),
    "Bool": ("Bool", False, False),
    "String": ("String", "one line", "one line"),
    "Multilines": ("Multilines", "two\nlines", "two\nlines"),
    "FilePath": ("FilePath", "../any/where.png", "../any/where.png"),
    "Color": ("Color", "#Ff8000", "#Ff8000"),
    "an enum": ("LocalEnum.Colour", "Red", "Red"),
    "an enum with a value of before": ("LocalEnum.Colour", "Scarlet", "Scarlet"),
    "Point": ("Point", {"cx": 3, "cy": -1}, (3.5, -0.5)),
    "Tile": ("Tile", A_TILE, A_TILE),
    "an array": ("Array<Int>", [3, 1, 3], (3, 1, 3)),
    "an array with nothing in it": ("Array<String>", [], ()),
    "an array of points and none": ("Array<Point>", [{"cx": 0, "cy": 1}, None], ((0.5, 1.5), None)),
    "nothing": ("Int", None, None),
    "no array": ("Array<Int>", None, ()),
    "a reference": ("EntityRef", {"entityIid": "entity-0-0", "layerIid": "?"}, "Door"),
    "references": ("Array<EntityRef>", [{"entityIid": "entity-0-0"}] * 2, ("Door", "Door")),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "expected"), FIELDS.values(), ids=FIELDS)
def test_a_field_is_read(kind, value, expected):
    door = entity_def(11, "Door", {"what": kind})
    level = read_one(entities_of(an_entity(door, 0, 0, {"what": value}), of=door))
    found = level["Door"].properties["what"]
    assert expected == found
    assert type(expected) is type(found) or isinstance(expected, dict)


def test_a_point_uses_the_cells_of_its_layer():
    door = entity_def(11, "Door", {"way": "Point"})
    things = layer_def(THINGS, "Things", "Entities", grid=8, pxOffsetX=16)
    walls = layer_def(WALLS, "Walls", "IntGrid")
    layer = a_layer(things, 8, 6, entityInstances=[an_entity(door, 0, 0, {"way": {"cx": 1, "cy": 2}})])
    level = read_one(a_project(a_level(layer), layers=[things, walls], entities=[door]))
    assert level["Door"].properties["way"] == (1 + 12 / 16, 20 / 16)


def test_a_reference_into_another_level_names_level_and_thing():
    door = entity_def(11, "Door", {"to": "EntityRef"})
    things = layer_def(THINGS, "Things", "Entities")
    here = a_layer(things, entityInstances=[an_entity(door, 0, 0, {"to": {"entityIid": "there"}})])
    there = a_layer(things, entityInstances=[an_entity(door, 0, 0, iid="there"), an_entity(door, 16, 0)], levelId=1)
    project = a_project(a_level(here), a_level(there, title="Level_1", uid=1), layers=[things], entities=[door])
    first, second = read(project)
    assert first["Door"].properties["to"] == {"level": "Level_1", "name": "Door 1"}
    assert second["Door 1"].properties["ldtk"]["iid"] == "there"


def test_fields_named_as_components_are_components():
    names = {
        "Inertia_x": "Float", "Sleeping": "Bool", "Trigger": "Bool", "Motion_force": "Float", "Motion_priority": "Int",
        "Collider_mask": "Array<String>", "Fused": "EntityRef", "speed": "Float", "Trigger_statics": "Bool",
    }  # fmt: skip
    door = entity_def(11, "Door", names)
    fields = {
        "Inertia_x": 2, "Sleeping": False, "Trigger": None, "Motion_force": 1.5, "Motion_priority": 3,
        "Collider_mask": ["walls", "doors"], "Fused": {"entityIid": "entity-16-0"}, "speed": 4, "Trigger_statics": True,
    }  # fmt: skip
    level = read_one(entities_of(an_entity(door, 0, 0, fields), an_entity(door, 16, 0), of=door))
    assert {
        "Inertia": {"x": 2.0}, "Motion": {"force": 1.5, "priority": 3}, "Collider": {"mask": ("walls", "doors")},
        "Fused": {"to": "Door 2"}, "Trigger": {"statics": True},
    } == level["Door 1"].components  # fmt: skip
    assert ["speed", "ldtk"] == list(level["Door 1"].properties)
    assert not level["Door 2"].is_body


def test_components_of_the_game_are_components_too():
    door = entity_def(11, "Door", {"My_Lock": "String", "My_Lock_strength": "Int", "My_Key": "String"})
    fields = {"My_Lock": "brass", "My_Lock_strength": 3, "My_Key": "k"}
    level = read_one(entities_of(an_entity(door, 0, 0, fields), of=door), components={"My_Lock": dict})
    assert {"My_Lock": {"value": "brass", "strength": 3}} == level["Door"].components
    assert level["Door"].properties["My_Key"] == "k"


# Levels


def test_levels_are_in_file_order_with_their_properties():
    project = a_project(
        a_level(title="South", pxWid=1000, pxHei=10, worldX=16, worldY=-32, worldDepth=1, __neighbours=[
            {"levelIid": "iid of North", "dir": "n"}, {"levelIid": "iid of South", "dir": "<"},
        ]),
        a_level(title="North", uid=1),
        layers=[],
    )  # fmt: skip
    south, north = read(project)
    assert [("South", (63, 1)), ("North", (4, 3))] == [(level.title, level.size) for level in (south, north)]
    assert {
        "iid": "iid of South", "uid": 0, "world": None, "unit": 16, "worldX": 16, "worldY": -32, "worldDepth": 1,
        "pxWid": 1000, "pxHei": 10, "layers": (),
        "neighbours": ({"level": "North", "direction": "n"}, {"level": "South", "direction": "<"}),
    } == south.properties["ldtk"]  # fmt: skip


def test_worlds_are_read_one_after_the_other():
    worlds = [{"identifier": f"World_{name}", "levels": [a_level(title=f"Level_{name}")]} for name in "AB"]
    levels = read(a_project(layers=[], worlds=worlds))
    assert [("Level_A", "World_A"), ("Level_B", "World_B")] == [
        (level.title, level.properties["ldtk"]["world"]) for level in levels
    ]


def test_fields_of_a_level_are_its_properties():
    types = {"hint": "String", "start": "Point", "boss": "EntityRef"}
    values = {"hint": "Push!", "start": {"cx": 1, "cy": 2}, "boss": {"entityIid": "entity-16-16"}}
    level = read_one(with_level_fields(types, values))
    assert (level.properties["hint"], level.properties["start"]) == ("Push!", (1.5, 2.5))
    assert level.properties["boss"] == "Crate 1"


def test_fields_of_a_level_named_as_settings_are_settings():
    types = {
        "rule": "LocalEnum.Colour", "max_chain": "Int", "all_or_nothing": "Bool", "win": "String", "gravity": "String",
        "title": "String", "order": "String",
    }  # fmt: skip
    values = {
        "rule": "sum", "max_chain": 3, "all_or_nothing": True, "win": "all Crate on wall", "gravity": "D",
        "title": "A first push", "order": None,
    }  # fmt: skip
    level = read_one(with_level_fields(types, values))
    assert {"rule": "sum", "max_chain": 3, "all_or_nothing": True} == level.settings
    assert (level.win, level.gravity, level.title) == ("all Crate on wall", "D", "Level_0")
    assert {"title": "A first push", "order": None} == {
        key: value for key, value in level.properties.items() if key != "ldtk"
    }


SETTINGS_REFUSED = {
    "a rule there is not": ("rule", "String", "most", "rule is 'most'"),
    "a chain of nothing": ("max_chain", "Int", -1, "max_chain is -1"),
    "a direction there is not": ("gravity", "String", "down", "gravity is 'down'; it must be L, R, U or D"),
    "a condition of no words": ("win", "String", "?", "the condition '?'"),
    "a number for a condition": ("win", "Int", 3, "3 is not text; correct the property"),
}


@pytest.mark.parametrize(("name", "kind", "value", "expected"), SETTINGS_REFUSED.values(), ids=SETTINGS_REFUSED)
def test_a_setting_is_refused_for(name, kind, value, expected):
    message = refused(with_level_fields({name: kind}, {name: value}))
    assert message.startswith(f"world.ldtk at /levels/0/fieldInstances/0/__value: {expected}")


@pytest.mark.parametrize(("name", "meant"), [("ruel", "rule"), ("allOrNothing", "all_or_nothing"), ("Win", "win")])
def test_a_field_of_a_level_similar_to_a_setting_is_an_error_that_names_the_setting(name, meant):
    message = refused(with_level_fields({name: "String"}, {name: "sum"}))
    assert message.startswith(f"world.ldtk at /levels/0/fieldInstances/0/__value: found the property '{name}'")
    assert f"did you mean '{meant}'" in message


def test_a_field_similar_to_a_title_is_a_property_because_ldtk_levels_have_no_title():
    level = read_one(with_level_fields({"Title": "String"}, {"Title": "A first push"}))
    assert level.properties["Title"] == "A first push"


VERSIONS = ["1.0.0", "1.5.3", "1.12.0", "1.6.0-beta2"]


@pytest.mark.parametrize("version", VERSIONS)
def test_versions_1_x_are_read(version):
    assert read(small_project(jsonVersion=version))


def test_members_missing_in_old_versions_are_optional():
    project = small_project()
    for pointer in (
        "/worlds", "/externalLevels", "/defs/externalEnums", "/defs/levelFields", "/levels/0/worldDepth",
        "/levels/0/__neighbours", "/levels/0/layerInstances/0/entityInstances/0/__tags",
    ):  # fmt: skip
        project = changed(project, pointer, ...)
    assert len(read_one(project).things) == 5


# Levels in separate files


def separate(folder, project, **stub):
    """Write a project with its only level in a separate file; return the path of the project."""
    level = project["levels"][0]
    (folder / "world").mkdir()
    (folder / "world" / "Level_0.ldtkl").write_text(json.dumps(level))
    project = changed(
        project, "/levels/0", level | {"layerInstances": None, "externalRelPath": "world/Level_0.ldtkl"} | stub
    )
    path = folder / "world.ldtk"
    path.write_text(json.dumps(changed(project, "/externalLevels", True)))
    return path


def test_a_level_in_a_separate_file_is_read_like_any_other(tmp_path):
    project = with_level_fields({"hint": "String"}, {"hint": "Push!"})
    level = load_level(separate(tmp_path, project))
    assert read_one(project).things == level.things
    assert read_one(project).properties == level.properties
    assert level.source == str(tmp_path / "world" / "Level_0.ldtkl")


PATHS = {
    "out of the folder": ("../Level_0.ldtkl", "found the reference '../Level_0.ldtkl', which leads outside"),
    "from the root": ("/etc/passwd.ldtkl", "found the reference '/etc/passwd.ldtkl'; expected a relative path"),
    "to no file": ("world/Level_1.ldtkl", "found the reference 'world/Level_1.ldtkl': no readable file"),
    "to a file that is no level": ("world.ldtk", "found the text 'world.ldtk'; expected the path of a .ldtkl file"),
    "to a number": (3, "found 3; expected a text"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "expected"), PATHS.values(), ids=PATHS)
def test_the_path_of_a_level_may_not_lead(path, expected, tmp_path):
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "world.ldtkl").mkdir()
    (tmp_path / "Level_0.ldtkl").write_text(json.dumps(small_project()["levels"][0]))
    world = separate(folder, small_project(), externalRelPath=path)
    with pytest.raises(LevelError) as caught:
        load_levels(world)
    assert str(caught.value).startswith(f"{world} at /levels/0/externalRelPath: {expected}")


STUBS = {
    "another iid": ({"iid": "other"}, "/iid: found the text 'iid of Level_0'; expected 'other', as the project says"),
    "another name": (
        {"identifier": "Other"},
        "/identifier: found the text 'Level_0'; expected 'Other', as the project",
    ),
    "another uid": ({"uid": 5}, "/uid: found 0; expected 5, as the project says"),
}


@pytest.mark.parametrize(("stub", "expected"), STUBS.values(), ids=STUBS)
def test_a_file_of_another_level_is_refused_for(stub, expected, tmp_path):
    with pytest.raises(LevelError) as caught:
        load_levels(separate(tmp_path, small_project(), **stub))
    assert str(caught.value).startswith(f"{tmp_path}/world/Level_0.ldtkl at {expected}")


def test_a_level_file_refers_to_no_other_file(tmp_path):
    project = changed(small_project(), "/levels/0/layerInstances", None)
    with pytest.raises(LevelError, match=r"Level_0.ldtkl at /layerInstances: found null; expected an array"):
        load_levels(separate(tmp_path, changed(project, "/levels/0/externalRelPath", "Level_0.ldtkl")))


def test_a_level_is_either_in_the_project_or_in_a_separate_file(tmp_path):
    with pytest.raises(LevelError, match=r"world.ldtk at /levels/0/layerInstances: found an array of 0; expected null"):
        load_levels(separate(tmp_path, small_project(), layerInstances=[]))


def test_a_project_from_text_cannot_refer_to_files():
    project = changed(small_project(externalLevels=True), "/levels/0/layerInstances", None)
    project = changed(project, "/levels/0/externalRelPath", "world/Level_0.ldtkl")
    assert "found a reference to 'world/Level_0.ldtkl'; expected a level without references" in refused(project)


# Contradictory projects that are not in hostile/ldtk_cases.py

LAYER = "/levels/0/layerInstances/1"
ENTITY = "/levels/0/layerInstances/0/entityInstances/0"
FIELD = f"{ENTITY}/fieldInstances/0"
NEIGHBOURS = "/levels/0/__neighbours"
HUGE = 10**30

REFUSED = {
    "no grid": ("/defaultGridSize", 0, "found 0; expected a whole number from 1 to 4096"),
    "a level of too many cells": (
        "/levels/0", a_level(pxWid=10**6, pxHei=10**6), "found a map of 62500 columns and 62500 rows",
    ),
    "a layer of another level": (f"{LAYER}/levelId", 7, "found 7; expected 0, the uid of the level it lies in"),
    "a layer without a height": (
        f"{LAYER}/__cHei", ..., "found nothing; expected 3, the cells of 16 pixels in 48 pixels",
    ),
    "an offset out of sight": (
        f"{LAYER}/pxOffsetY", -HUGE, f"found -{HUGE}; expected a whole number from -1048576 to 1048576",
    ),
    "an unknown tileset": (f"{LAYER}/__tilesetDefUid", 21, "found the uid 21; expected a uid of a tileset in this"),
    "an unknown field": (f"{FIELD}/defUid", 1, "found the uid 1; expected a uid of a field of the same owner in this"),
    "a field of another type": (
        f"{FIELD}/__type", "Int", "found the text 'Int'; expected 'Float', the type of the field of that uid",
    ),
    "a reference to nowhere": (
        f"{ENTITY}/fieldInstances/1/__value/entityIid", "x",
        "found the unknown iid 'x'; expected an iid of an entity in this project; select the entity again in LDtk",
    ),
    "a reference that is a text": (f"{ENTITY}/fieldInstances/1/__value", "x", "found the text 'x'; expected an object"),
    "a layer of an unknown tileset": ("/defs/layers/3/tilesetDefUid", 1, "found the uid 1; expected a uid of a"),
    "a layer of no source": ("/defs/layers/2/autoSourceLayerDefUid", 9, "found the uid 9; expected a uid of a layer"),
    "a layer of no type": (
        "/defs/layers/1/type", "Objects",
        "found the text 'Objects'; expected one of 'IntGrid', 'Entities', 'Tiles', 'AutoLayer'",
    ),
    "a field defined twice": ("/defs/entities/0/fieldDefs/1/uid", 1000, "found the uid 1000 twice"),
    "a neighbour that is no level": (
        NEIGHBOURS, [{"levelIid": "x", "dir": "n"}],
        f"{NEIGHBOURS}/0/levelIid: found the unknown iid 'x'; expected an iid of a level in this project",
    ),
    "a neighbour nowhere": (
        NEIGHBOURS, [{"levelIid": "iid of Level_0"}], f"{NEIGHBOURS}/0/dir: found nothing; expected a text",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("pointer", "value", "expected"), REFUSED.values(), ids=REFUSED)
def test_an_invalid_project_is_an_error(pointer, value, expected):
    message = refused(changed(small_project(), pointer, value))
    assert message.startswith(f"world.ldtk at {expected if expected.startswith('/') else f'{pointer}: {expected}'}")


TYPES = "Int, Float, Bool, String, Multilines, FilePath, Color, Point, Tile, EntityRef, or an enum of this project"
FIELDS_REFUSED = {
    "a color of no digits": ("Color", "red", ": found the text 'red'; expected a color such as '#FF8000'"),
    "a point without a row": ("Point", {"cx": 1}, "/cy: found nothing; expected a whole number from -1048576 to"),
    "a point far out": ("Point", {"cx": HUGE, "cy": 1}, f"/cx: found {HUGE}; expected a whole number from"),
    "a tile of no tileset": (
        "Tile", A_TILE | {"tilesetUid": 1}, "/tilesetUid: found the uid 1; expected a uid of a tileset",
    ),
    "a fraction": ("Int", 1.5, ": found 1.5; expected a whole number"),
    "two lines for a name": ("String", "a\nb", ": found the text 'a\\nb'; expected a name of printable characters"),
    "one for many": ("Array<Int>", 1, ": found 1; expected an array"),
    "one wrong of many": ("Array<Int>", [1, "2"], "/1: found the text '2'; expected a whole number"),
    "an unknown type": (
        "Curve", {}, f": found a value of the type 'Curve'; expected one of {TYPES}; choose another type",
    ),
    "arrays in arrays": ("Array<Array<Int>>", [[1]], "/0: found a value of the type 'Array<Int>'; expected one of"),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "expected"), FIELDS_REFUSED.values(), ids=FIELDS_REFUSED)
def test_an_invalid_field_is_an_error(kind, value, expected):
    door = entity_def(11, "Door", {"name": kind})
    message = refused(entities_of(an_entity(door, 0, 0, {"name": value}), of=door))
    place = "/levels/0/layerInstances/0/entityInstances/0/fieldInstances/0/__value"
    assert message.startswith(f"world.ldtk at {place}{expected}")


def test_a_field_is_unique_and_is_not_named_ldtk():
    door = entity_def(11, "Door", {"ldtk": "Int", "x": "Int"})
    instance = an_entity(door, 0, 0, {"x": 1})
    twice = instance | {"fieldInstances": instance["fieldInstances"] * 2}
    assert "/fieldInstances/1: found the field 'x' twice; expected every field once" in refused(
        entities_of(twice, of=door)
    )
    message = refused(entities_of(an_entity(door, 0, 0, {"ldtk": 1}), of=door))
    assert (
        "/fieldInstances/0/__identifier: found a field named 'ldtk'; expected another name; rename the field" in message
    )
