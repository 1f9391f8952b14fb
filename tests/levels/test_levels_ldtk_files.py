"""Sample LDtk projects: each has the levels, cells, entities and fields that are in its JSON."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from ldtk_projects import covered
from material import material

from ecs_collision import CollisionWorld
from ecs_collision.levels import load_level, load_levels, spawn

FOLDER = "ldtk/app/extraFiles/samples"
TOTALS = {
    "AutoLayers_1_basic.ldtk": (1, 484, 0, 0),
    "Entities.ldtk": (1, 1069, 27, 61),
    "SeparateLevelFiles.ldtk": (3, 51, 0, 0),
    "Test_file_for_API_showing_all_features.ldtk": (4, 373, 12, 45),
    "Typical_2D_platformer_example.ldtk": (4, 2098, 15, 22),
    "Typical_TopDown_example.ldtk": (3, 363, 21, 21),
}
"""Number of levels, nonempty cells, entities and fields of each file."""


def plainly(path):
    """Read a project with the json module: its levels and definitions as written by the editor."""
    project = json.loads(path.read_text(encoding="utf-8"))
    levels = []
    for level in project["levels"]:
        if project["externalLevels"]:
            level = json.loads((path.parent / level["externalRelPath"]).read_text(encoding="utf-8"))
        levels.append(level)
    return project["defs"], levels


def values_named(layer, defs):
    (of,) = (each for each in defs["layers"] if each["uid"] == layer["layerDefUid"])
    return {
        each["value"]: each["identifier"] or f"{of['identifier']} value {each['value']}" for each in of["intGridValues"]
    }


def plain_value(value, layer, names):
    """Return the expected value of a field."""
    if isinstance(value, list):
        return tuple(plain_value(item, layer, names) for item in value)
    if isinstance(value, dict) and "cx" in value:
        size = layer["__gridSize"]
        return tuple((value[key] + 0.5) * size / 16 for key in ("cx", "cy"))
    return names[value["entityIid"]] if isinstance(value, dict) else value


@pytest.mark.parametrize("name", TOTALS)
def test_a_sample_project_has_the_levels_cells_and_entities_of_its_json(name):
    path = material(f"{FOLDER}/{name}")
    defs, plain = plainly(path)
    levels = load_levels(path)
    assert [(level["identifier"], level["pxWid"], level["pxHei"]) for level in plain] == [
        (level.title, level.properties["ldtk"]["pxWid"], level.properties["ldtk"]["pxHei"]) for level in levels
    ]
    for level, expected in zip(levels, plain, strict=True):
        layers = expected["layerInstances"]
        assert [layer["__identifier"] for layer in layers] == [
            layer["name"] for layer in level.properties["ldtk"]["layers"]
        ]
        assert [len(layer["gridTiles"]) + len(layer["autoLayerTiles"]) for layer in layers] == [
            layer["tiles"] for layer in level.properties["ldtk"]["layers"]
        ]
        check_cells(level, layers, defs)
        check_entities(level, [(layer, entity) for layer in layers for entity in layer["entityInstances"]])


def check_cells(level, layers, defs):
    """The boxes of each value cover exactly its cells once, and the grid produces no other things."""
    unit = level.properties["ldtk"]["unit"]
    things = {(t.properties["ldtk"]["layer"], t.properties["ldtk"].get("value")): t for t in level.things}
    for layer in layers:
        grid, columns = layer["__gridSize"], layer["__cWid"]
        kinds = values_named(layer, defs)
        counts = Counter(value for value in layer["intGridCsv"] if value)
        found = {value: things[layer["__identifier"], value] for value in counts}
        assert [kinds[value] for value in counts] == [thing.kind for thing in found.values()]
        for value, thing in found.items():
            cells = [divmod(at, columns) for at, each in enumerate(layer["intGridCsv"]) if each == value]
            assert counts[value] == thing.properties["ldtk"]["cells"] == len(cells)
            middles = sorted(((column + 0.5) * grid / unit, (row + 0.5) * grid / unit) for row, column in cells)
            assert middles == covered(thing, grid / unit)
            assert len(thing.parts) < len(cells) or len(cells) < 3 or grid != unit


def check_entities(level, entities):
    things = {thing.properties["ldtk"]["iid"]: thing for thing in level.things if "iid" in thing.properties["ldtk"]}
    names = {iid: thing.name for iid, thing in things.items()}
    assert Counter(entity["__identifier"] for _, entity in entities) == Counter(t.kind for t in things.values())
    for layer, entity in entities:
        thing = things[entity["iid"]]
        (box,) = thing.parts
        x, y = (
            entity["px"][axis] + (0.5 - entity["__pivot"][axis]) * entity[size]
            for axis, size in enumerate(("width", "height"))
        )
        assert (x / 16, y / 16, 0.0) == thing.position
        assert (entity["width"] / 32, entity["height"] / 32) == (box.hx, box.hy)
        fields = {
            field["__identifier"]: plain_value(field["__value"], layer, names) for field in entity["fieldInstances"]
        }
        assert fields == {key: value for key, value in thing.properties.items() if key != "ldtk"}


def test_all_sample_projects_are_read():
    found = {}
    for name in TOTALS:
        levels = load_levels(material(f"{FOLDER}/{name}"))
        things = [thing.properties["ldtk"] for level in levels for thing in level.things]
        fields = sum(len(thing.properties) - 1 for level in levels for thing in level.things)
        cells = sum(about["cells"] for about in things if "value" in about)
        found[name] = (len(levels), cells, sum("iid" in about for about in things), fields)
    assert TOTALS == found
    assert set(TOTALS) == {path.name for path in material(FOLDER).glob("*.ldtk")}


def test_a_sample_project_is_spawned_with_components_for_its_kinds():
    kinds = {"dirt": {"Static": True}, "stone": {"Static": True}, "Player": {"Motion": {"force": 1}}}
    level = load_level(material(f"{FOLDER}/Typical_2D_platformer_example.ldtk"), "Top", kinds=kinds)
    world = CollisionWorld()
    ids = spawn(level, world)
    assert sorted(ids) == ["dirt", "stone"]
    assert world.space.at(1.5, 1.5) == [ids["dirt"]]
