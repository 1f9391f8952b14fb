"""Hostile LDtk projects."""

from __future__ import annotations

import copy
import json
from typing import Any

from ldtk_projects import a_layer, a_level, a_project, an_entity, entity_def, layer_def

from hostile import json_cases
from hostile.cases import Absent, Case, Many, given, items, put

GRID = [1, 1, 1, 1, 1, 0, 0, 2, 1, 1, 1, 1]
THINGS_DEF = layer_def(10, "Things", "Entities")
WALLS_DEF = layer_def(11, "Walls", "IntGrid", intGridValues=[
    {"value": 1, "identifier": "wall", "color": "#000000"}, {"value": 2, "identifier": None, "color": "#000000"},
])  # fmt: skip
PLAYER_DEF = entity_def(2, "Player", {"Motion": "Float"})
CRATE_DEF = entity_def(3, "Crate", {"Inertia": "Float", "note": "String"})
ONE = a_level(
    a_layer(THINGS_DEF, levelId=20, entityInstances=[
        an_entity(PLAYER_DEF, 16, 16, {"Motion": 1.5}, iid="iid-player"),
        an_entity(CRATE_DEF, 32, 16, {"Inertia": 1.0, "note": "heavy"}, iid="iid-crate"),
    ]),
    a_layer(WALLS_DEF, levelId=20, intGridCsv=GRID), title="One", uid=20,
)  # fmt: skip
TWO = a_level(a_layer(THINGS_DEF, levelId=21), a_layer(WALLS_DEF, levelId=21, intGridCsv=[0] * 12), title="Two", uid=21)
GOOD: dict[str, Any] = a_project(ONE, TWO, layers=[THINGS_DEF, WALLS_DEF], entities=[PLAYER_DEF, CRATE_DEF])

OUTSIDE = copy.deepcopy(GOOD)
OUTSIDE["externalLevels"] = True
for _level in OUTSIDE["levels"]:
    _level.update(layerInstances=None, externalRelPath=f"levels/{_level['identifier']}.ldtkl")
FILES = {f"levels/{each['identifier']}.ldtkl": json.dumps(each, indent=1).encode() for each in (ONE, TWO)}
THINGS, WALLS = "/levels/0/layerInstances/0", "/levels/0/layerInstances/1"
PLAYER, CRATE = f"{THINGS}/entityInstances/0", f"{THINGS}/entityInstances/1"


def good_case() -> Case:
    return Case(
        "a good LDtk project", "level.ldtk", {"level.ldtk": json.dumps(GOOD, indent=1).encode()}, accepted="yes"
    )


def good_external() -> Case:
    files = {"level.ldtk": json.dumps(OUTSIDE, indent=1).encode(), **FILES}
    return Case("a good LDtk project of many files", "level.ldtk", files, accepted="yes")


def odd(name: str, spot: str, value: Any, *says: str, **more: Any) -> Case:
    return put(f"LDtk: {name}", "level.ldtk", GOOD, spot, value, *says, **more)


def field_named(name: str, field: str, *says: str, **more: Any) -> Case:
    """Return the project with another name of a field, where it is defined and where it is used."""
    text = json.dumps(GOOD, indent=1).replace('"Inertia"', json.dumps(field))
    return given(f"LDtk: {name}", "level.ldtk", text, *says, **more)


def outside(name: str, spot: str, value: Any, *says: str, **more: Any) -> Case:
    return put(
        f"LDtk: {name}", "level.ldtk", OUTSIDE, spot, value, *says, files={**FILES, **more.pop("files", {})}, **more
    )


def other(name: str, data: bytes | Many, *says: str, **more: Any) -> Case:
    """Return the project of many files with another second level."""
    files = {**good_external().files, "levels/Two.ldtkl": data}
    more.setdefault("file", "levels/Two.ldtkl")
    return Case(f"LDtk: {name}", "level.ldtk", files, says, **more)


def cases() -> list[Case]:
    deep: Any = 1
    for _ in range(60):
        deep = [deep]
    field = f"{CRATE}/fieldInstances/0"
    return [
        *json_cases.cases("LDtk", "level.ldtk", GOOD, {}, "/levels/0/pxWid", "/levels/0/identifier")[::6],
        odd("no version", "/jsonVersion", Absent, "jsonVersion", "found nothing; expected a version 1.x of LDtk, as in '1.5.3'; ..."),
        odd("a version of the far future", "/jsonVersion", "99.0.0", "found the text '99.0.0'; expected a version 1.x of LDtk, as in '1.5.3'; save the project with LDtk 1.5"),
        odd("no levels", "/levels", Absent, "levels"),
        odd("an empty list of levels", "/levels", [], "found no level; expected at least one; ..."),
        odd("no definitions", "/defs", Absent, "defs", "found nothing; expected the definitions of a project; ..."),
        odd("two layer definitions of one uid", "/defs/layers/1/uid", 10, "found the uid 10 twice; expected a unique uid; ..."),
        odd("two entity definitions of one uid", "/defs/entities/1/uid", 2, accepted="either"),
        odd("two values of one number", "/defs/layers/1/intGridValues/1/value", 1, "found the value 1 twice; expected every value once; ..."),
        odd("a level of a name of a terminal sequence", "/levels/0/identifier", "\x1b]0;owned\x07", accepted="either"),
        odd("a level of a name of a lone surrogate", "/levels/0/identifier", "\ud800", pointer=None),
        odd("two levels of one name", "/levels/1/identifier", "One", "found the level 'One' twice; expected a unique name; ..."),
        odd("two levels of one iid", "/levels/1/iid", "iid of One", "found the iid 'iid of One' twice; expected a unique iid; ..."),
        odd("a level of no width", "/levels/0/pxWid", 0, "found 0; expected a whole number from 1 to 1600000; ..."),
        odd("a level of null layers that is not outside", "/levels/0/layerInstances", None, "found null; expected an array; ..."),
        odd("an unknown layer of a type", f"{WALLS}/__type", "PythonGrid", "PythonGrid", "found the text 'PythonGrid'; expected 'IntGrid', the type of the layer of that uid; ..."),
        odd("a layer without a definition", f"{WALLS}/layerDefUid", 999, "999", "found the uid 999; expected a uid of a layer in this project; ..."),
        odd("a layer of another kind of definition", f"{WALLS}/layerDefUid", 10, "found the text 'Walls'; expected 'Things', the name of the layer of that uid; ...", pointer=None),
        odd("a layer of a grid of nothing", f"{WALLS}/__gridSize", 0, "found 0; expected 16, the grid of the layer of that uid; ..."),
        odd("a layer of 10^9 columns", f"{WALLS}/__cWid", 10**9, "found 1000000000; expected 4, the cells of 16 pixels in 64 pixels of the level; ..."),
        odd("a layer of 10^9 columns and rows", WALLS, {**GOOD["levels"][0]["layerInstances"][1], "__cWid": 10**9, "__cHei": 10**9},
            pointer=None),
        odd("a layer moved by 10^300", f"{WALLS}/__pxTotalOffsetX", 1e300, "found 1e+300; expected 0, the sum of the layer's offset and pxOffsetX; ..."),
        odd("a grid with a cell missing", f"{WALLS}/intGridCsv", GRID[:-1], "12", "found an array of 11; expected an array of 12; ..."),
        odd("a grid that is missing", f"{WALLS}/intGridCsv", Absent, "intGridCsv", "found nothing; expected an array of whole numbers; ..."),
        odd("a cell of an undefined value", f"{WALLS}/intGridCsv/5", 99, "99", "found the value 99; expected 0 or a value that the layer 'Walls' defines; ..."),
        odd("a cell of a value below nothing", f"{WALLS}/intGridCsv/5", -1, "-1", "found -1; expected a whole number of at least 0; ..."),
        odd("an entity without a definition", f"{PLAYER}/defUid", 999, "999", "found the uid 999; expected a uid of an entity in this project; ..."),
        odd("an entity of another's definition", f"{PLAYER}/defUid", 3, "found the text 'Player'; expected 'Crate', the name of the entity of that uid; ...", pointer=f"{PLAYER}/__identifier"),
        odd("an entity of a place of one number", f"{PLAYER}/px", [16]),
        odd("an entity of a pivot beyond it", f"{PLAYER}/__pivot/0", 1e300, "found 1e+300; expected a number from 0 to 1; ..."),
        odd("an entity of a pivot of one number", f"{PLAYER}/__pivot", [0], "found an array of 1; expected two numbers from 0 to 1; ..."),
        odd("two entities of one iid", f"{CRATE}/iid", "iid-player", "found the iid 'iid-player' twice"),
        odd("a field twice", f"{CRATE}/fieldInstances/1/__identifier", "Inertia", "Inertia", "found the text 'Inertia'; expected 'note', the name of the field of that uid; ..."),
        odd("a field of another name than its definition", f"{field}/__identifier", "os.system", "os.system"),
        field_named("a field of a path", "os.system", accepted="either"),
        field_named("an unknown field of a component", "Inertia_mass", "mass"),
        field_named("a field of a component that is dunder, underlined", "Inertia___class__", "__class__"),
        field_named("a field of a terminal sequence", "Inertia_\x1b[2J", "found the text 'Inertia_\\x1b[2J'; expected a name of printable characters; ..."),
        field_named("a field of a lone surrogate", "Inertia_\ud800"),
        odd("an inertia below nothing", f"{field}/__value", -1, "-1", "Inertia.value is -1.0, but it must not be negative; 0 is the minimum"),
        odd("an inertia of null", f"{field}/__value", None, accepted="yes"),
        odd("a field that is deep", f"{CRATE}/fieldInstances/1/__value", deep, pointer=None),
        odd("two hundred thousand entities", f"{THINGS}/entityInstances", items({}, 120_000), "120000", pointer=THINGS),
        odd("a tileset outside", f"{WALLS}/__tilesetRelPath", "/etc/passwd", accepted="either"),
        odd("commands to run", "/customCommands", [{"command": "touch owned", "when": "AfterLoad"}], accepted="yes"),
        outside("a path that is null", "/levels/1/externalRelPath", None),
        outside("the same file for two levels", "/levels/1/externalRelPath", "levels/One.ldtkl", accepted="either", pointer=None),
        outside("the project as a level of itself", "/levels/1/externalRelPath", "level.ldtk", pointer=None, file="level.ldtk"),
        outside("three hundred levels outside", "/levels", [{**OUTSIDE["levels"][1], "identifier": f"L{i}", "iid": f"i{i}", "uid": 100 + i}
                for i in range(300)], accepted="either", pointer=None),
        other("an outside level of nothing", b"{}"),
        other("an outside level of NaN", FILES["levels/Two.ldtkl"].replace(b"48", b"NaN", 1)),
        other("an outside level without layers", json.dumps({**TWO, "layerInstances": None}).encode(), pointer="/layerInstances"),
        other("an outside level of another name", json.dumps({**TWO, "identifier": "Three"}).encode(), accepted="either"),
        other("an outside level of depth", Many("[", 100_000)),
        other("an outside level with a cell missing", json.dumps({**TWO, "layerInstances": [
            TWO["layerInstances"][0], {**TWO["layerInstances"][1], "intGridCsv": [0] * 11}]}).encode(), "12",
            pointer="/layerInstances/1/intGridCsv"),
    ]  # fmt: skip
