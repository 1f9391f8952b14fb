"""Errors of loading and spawning use the names that the user knows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from ldtk_projects import small_project, with_level_fields

from ecs_collision import (
    CollisionError,
    CollisionSystem,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    LevelError,
    levels,
    puzzles,
)
from ecs_collision.levels import load_level, load_levels, parse_level, spawn, unused_properties

PROJECT = json.dumps(small_project())
BOARD = "#####\n#@$.#\n#####\n"


def message_of(call, kind: type[CollisionError]) -> str:
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


KINDS = {
    "an unknown component": ({"wall": {"static": True}}, CollisionValueError,
        "kinds={'wall': {'static': True}}: no component 'static' is registered; there are 'Collider', 'Static'"),
    "a field that cannot be": ({"wall": {"Inertia": "heavy"}}, CollisionTypeError,
        "kinds={'wall': {'Inertia': 'heavy'}}: Inertia.value must be a number, not 'heavy'"),
    "an unknown field": ({"wall": {"Motion": {"power": 1}}}, CollisionValueError,
        "kinds={'wall': {'Motion': {'power': 1}}}: Motion has no field 'power'; it has 'force'"),
    "a kind the file does not have": (
        {"walls": {"Static": True}},
        CollisionValueError,
        "kinds={'walls': ...}: a.ldtk has no such kind; its kinds are 'wall', 'Crate', 'Grass', 'Floor'; "
        "did you mean 'wall'?",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("kinds", "error", "text"), KINDS.values(), ids=KINDS)
def test_invalid_components_for_kinds_are_errors(kinds, error, text):
    message = message_of(lambda: parse_level(PROJECT, "ldtk", name="a.ldtk", kinds=kinds), error)
    assert message.startswith(text)
    assert message.endswith(text) or "has no such kind" not in text


def test_a_kind_that_is_only_defined_may_get_components():
    project = small_project()
    project["levels"][0]["layerInstances"] = []
    kinds = {kind: {"Static": True} for kind in ("wall", "Crate", "Floor", "Grass")}
    assert parse_level(json.dumps(project), "ldtk", kinds=kinds).things == ()
    assert "did you mean 'Crate'?" in message_of(
        lambda: parse_level(json.dumps(project), "ldtk", kinds={"crate": {"Static": True}}), CollisionValueError
    )
    level = parse_level("####\n#@ #\n####\n", "xsb", kinds={"crate": {"Inertia": 2.0}})
    assert [thing.kind for thing in level.things] == ["wall", "player"]


ROOMS = {
    "text": "legend\n# wall: Static\n! torch\n\nmap\n###\n# #\n###\n",
    "tmx": """<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">
        <tileset firstgid="1" tilewidth="16" tileheight="16" tilecount="1" columns="1">
            <image source="x.png" width="16" height="16"/><tile id="0" class="torch"/></tileset>
        <layer name="wall" width="1" height="1"><data encoding="csv">0</data></layer></map>""",
}


@pytest.mark.parametrize(("form", "kinds"), [("text", "'wall', 'torch'"), ("tmx", "'torch', 'wall'")])
def test_an_unused_kind_of_a_legend_or_tileset_may_get_components(form, kinds):
    for kind in ("wall", "torch"):
        assert parse_level(ROOMS[form], form, kinds={kind: {"Static": True}})
    message = message_of(lambda: parse_level(ROOMS[form], form, kinds={"walls": {"Static": True}}), CollisionValueError)
    assert f"kinds={{'walls': ...}}: level has no such kind; its kinds are {kinds}; did you mean 'wall'?" == message


FILES = {
    "world.ldtkl": "found a file ending in '.ldtkl'; expected one of .txt, .level, .xsb, .sok, .tmx, .tmj, .ldtk; "
    "load the .ldtk project that refers to it",
    "tiles.TSX": "found a file ending in '.tsx'; expected one of .txt, .level, .xsb, .sok, .tmx, .tmj, .ldtk; "
    "load the map that refers to it",
    "level.json": "found a file ending in '.json'; expected one of .txt, .level, .xsb, .sok, .tmx, .tmj, .ldtk; "
    "rename it by its format, or name that in Python with form=, one of 'text', 'xsb', 'tmx', 'tmj', 'ldtk'",
    "none.ldtk": "found no readable file (No such file or directory); expected a level file; check the path",
    "folder": "found a folder; expected a level file; name a file in it",
    "folder.ldtk": "found something that is not a regular file; expected a level file; check the path",
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_level_is_an_error(name, tmp_path):
    for folder in ("folder", "folder.ldtk"):
        (tmp_path / folder).mkdir()
    path = tmp_path / name
    assert f"{path}: {FILES[name]}" == message_of(lambda: load_levels(path), LevelError)


def test_level_text_given_as_a_path_is_an_error():
    assert message_of(lambda: load_level("legend\n# wall: Static"), LevelError) == (
        "path: found the text 'legend\\n# wall: Static'; expected the path of a level file; "
        "use parse_level(text) to read a level from text"
    )


def test_a_level_is_selected_by_title_or_number(tmp_path):
    path = tmp_path / "room.xsb"
    path.write_text(f"{BOARD}Title: First\n\n{BOARD}Title: Second\n")
    assert [load_level(path, which).title for which in (None, 1, "Second", 2)] == ["First", "First", "Second", "Second"]
    assert message_of(lambda: load_level(path, "third"), LevelError) == (
        f"{path}: found no level 'third'; expected one of 2: 'First', 'Second'; choose by title, or by number from 1"
    )


def test_a_failed_spawn_names_the_things_and_leaves_the_world_unchanged():
    kinds = {"Crate": {"Static": True}, "wall": {"Static": True, "Motion": True}}
    level = parse_level(PROJECT, "ldtk", name="a.ldtk", kinds=kinds)
    world = CollisionWorld()
    before = world.state_hash()
    message = message_of(lambda: spawn(level, world), LevelError)
    assert message.startswith("a.ldtk: found 2 changes cannot be applied:")
    assert "- 'wall': Static with Motion" in message
    assert "- 'Crate 1': Static with Inertia" not in message
    assert "- 'Crate 2': Static with Inertia" in message
    assert "entity " not in message
    assert before == world.state_hash()


def test_spawn_accepts_only_a_collision_world():
    level = parse_level(BOARD, "xsb")
    assert message_of(lambda: spawn(level, 3), CollisionTypeError) == "spawn needs a CollisionWorld, not 3"
    with pytest.raises(CollisionTypeError, match=r"; in esper write system.spawn\(level\), or play a Puzzle\(level\)$"):
        spawn(level, CollisionSystem())


FREE = {
    "text": "author: A\nrule: sum\nfalls: x\nspeed: 2\nmax_links: 3\nlegend\n! torch\nmap\n!\n",
    "tmx": """<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">
        <properties><property name="rule" value="sum"/><property name="falls" value="x"/>
            <property name="speed" type="int" value="2"/><property name="max_links" type="int" value="3"/></properties>
        <layer name="wall" width="1" height="1"><data encoding="csv">0</data></layer></map>""",
    "ldtk": json.dumps(
        with_level_fields(
            dict.fromkeys(("rule", "falls", "speed", "max_links"), "String"),
            {"rule": "sum", "falls": "x", "speed": "2", "max_links": "3"},
        )
    ),
}


@pytest.mark.parametrize("form", FREE)
def test_properties_that_no_setting_and_no_script_uses_are_listed(form):
    level = parse_level(FREE[form], form)
    assert ["speed", "max_links"] == unused_properties(level)
    assert ["max_links"] == unused_properties(level, "# it's the\nspeed = puzzle.level.properties['speed']\n")


def test_metadata_of_a_sokoban_file_is_never_listed_as_unused():
    level = parse_level(f"{BOARD}Title: One\nAuthor: Ann\nSpeed: 2\n", "xsb")
    assert {"author": "Ann", "note": "Speed: 2"} == level.properties
    assert [] == unused_properties(level)


@pytest.mark.parametrize("name", puzzles.names())
def test_an_included_puzzle_has_no_unused_property(name):
    path = puzzles.path(name)
    script = path.with_suffix(".py")
    source = script.read_text(encoding="utf-8") if script.exists() else ""
    assert [] == unused_properties(load_level(path), source)


def test_reading_and_spawning_a_level_uses_no_numpy():
    """The engine imports it, so what the modules of levels import is looked up in their sources."""
    folder = Path(levels.__file__).parent
    found = [
        path.name for path in folder.rglob("*.py") if re.search(r"^\s*(import|from) numpy", path.read_text(), re.M)
    ]
    assert [] == found
