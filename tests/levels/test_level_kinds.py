"""`kinds=`: components for things of stock files, by kind, layer, class, tile, gid, name and id."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from ldtk_projects import a_tile, changed, small_project
from tiled_maps import layer, level_of, objects, tiles, tmx

from ecs_collision import CollisionTypeError, CollisionValueError, LevelError
from ecs_collision.game import Game
from ecs_collision.levels import Level, load_level, parse_level
from ecs_collision.plays import read_play, record, verify, write_play

MAP = (
    tiles('<tile id="1" type="chest"/>'),
    layer("1113 2..3 1111", name="Walls"),
    objects(
        '<object id="7" name="player" type="Person" x="16" y="16" width="16" height="16"/>',
        '<object id="8" name="guard" type="Person" x="32" y="16" width="16" height="16"/>',
        '<object id="9" gid="2" x="32" y="32"/>', name="Things",
    ),
)  # fmt: skip
"""Two people and a chest as objects, and a layer of tiles 1 and 3 around another chest."""


def components(level: Level) -> dict[str, dict[str, object]]:
    """Return the components of all bodies by name."""
    return {thing.name: {name: dict(thing.fields(name) or {}) for name in thing.components} for thing in level.things
            if thing.is_body}  # fmt: skip


TILED = {
    "by kind": ({"Person": {"Inertia": 1}}, {"player": {"Inertia": {"value": 1}}, "guard": {"Inertia": {"value": 1}}}),
    "by class": ({"class:chest": {"Static": True}}, {"chest 1": {"Static": {}}, "chest 2": {"Static": {}}}),
    "by name": ({"name:player": {"Motion": 2}}, {"player": {"Motion": {"force": 2}}}),
    "by id": ({"id:8": {"Motion": {"force": 3}}}, {"guard": {"Motion": {"force": 3}}}),
    "by layer": (
        {"layer:Things": {"Inertia": 1}},
        {name: {"Inertia": {"value": 1}} for name in ("player", "guard", "chest 2")},
    ),
    "by gid": ({"gid:2": {"Trigger": True}}, {"chest 1": {"Trigger": {}}, "chest 2": {"Trigger": {}}}),
    "by tile": ({"tile:set/2": {"Static": True}}, {"Walls 2": {"Static": {}}}),
    "with a kind": ({"id:8": "wall", "wall": {"Static": True}}, {"guard": {"Static": {}}}),
    "with a kind of the file": ({"id:8": "chest", "chest": {"Inertia": 5}},
        {name: {"Inertia": {"value": 5}} for name in ("chest 1", "guard", "chest 2")}),
    "from the weakest to the strongest": (
        {"id:8": {"Inertia": 4}, "name:guard": {"Inertia": 3, "Sleeping": True}, "class:Person": {"Inertia": 2},
         "layer:Things": {"Inertia": 1, "Trigger": True}, "Person": {"Collider": {"layer": "men"}}},
        {"player": {"Inertia": {"value": 2}, "Trigger": {}, "Collider": {"layer": "men"}},
         "guard": {"Inertia": {"value": 4}, "Trigger": {}, "Sleeping": {}, "Collider": {"layer": "men"}},
         "chest 2": {"Inertia": {"value": 1}, "Trigger": {}}},
    ),
    "except one": ({"Person": {"Inertia": 1}, "name:guard": {"Inertia": False}}, {"player": {"Inertia": {"value": 1}}}),
}  # fmt: skip


@pytest.mark.parametrize(("kinds", "expected"), TILED.values(), ids=TILED)
def test_things_of_a_tiled_map_get_components(kinds, expected):
    level = level_of(*MAP, kinds=kinds)
    assert expected == components(level)
    assert level == pickle.loads(pickle.dumps(level))


def test_tiles_that_a_key_names_become_things_of_their_own():
    level = level_of(*MAP, kinds={"tile:set/2": {"Static": True}, "gid:1": "floor", "floor": {}})
    found = {
        thing.name: (thing.kind, thing.properties["cells"]) for thing in level.things if "cells" in thing.properties
    }
    assert {"floor": ("floor", 7), "Walls": ("Walls", 2), "chest 1": ("chest", 1)} == found


def test_a_plain_key_gives_defaults_and_a_selector_overrides_the_file():
    crate = '<object id="1" name="a" type="crate" x="0" y="0" width="16" height="16"><properties>'
    crate += '<property name="Inertia" type="float" value="3"/></properties></object>'
    for kinds, inertia in (({"crate": {"Inertia": 1}}, 3), ({"class:crate": {"Inertia": 1}}, 1)):
        assert {"a": {"Inertia": {"value": inertia}}} == components(level_of(objects(crate), kinds=kinds))


PROJECT = changed(
    changed(small_project(), "/levels/0/layerInstances/3/gridTiles/1", {**a_tile(32, 16), "t": 5}),
    "/levels/0/layerInstances/3/gridTiles/2", {**a_tile(48, 16), "t": 5},
)  # fmt: skip
LDTK = {
    "by kind": ({"wall": {"Static": True}}, {"wall": {"Static": {}}, "Crate 2": {"Inertia": {"value": 1.0}}}),
    "by class": ({"class:Crate": {"Inertia": 2}},
        {"Crate 1": {"Inertia": {"value": 2}}, "Crate 2": {"Inertia": {"value": 2}}}),
    "by id": ({"id:entity-16-16": {"Static": True}},
        {"Crate 1": {"Static": {}}, "Crate 2": {"Inertia": {"value": 1.0}}}),
    "by layer": ({"layer:Walls": "stone", "stone": {"Static": True}},
        {"stone": {"Static": {}}, "Crate 2": {"Inertia": {"value": 1.0}}}),
    "by tile": ({"tile:Tileset/5": {"Inertia": 1}}, {"Crate 2": {"Inertia": {"value": 1.0}},
        "Floor 2": {"Inertia": {"value": 1}}, "Floor 3": {"Inertia": {"value": 1}}}),
    "against its fields": ({"layer:Things": {"Inertia": False}}, {}),
}  # fmt: skip


@pytest.mark.parametrize(("kinds", "expected"), LDTK.values(), ids=LDTK)
def test_things_of_an_ldtk_project_get_components(kinds, expected):
    assert expected == components(parse_level(json.dumps(PROJECT), "ldtk", kinds=kinds))


def test_an_ldtk_entity_is_found_by_its_field_name():
    project = changed(small_project(), "/defs/entities/0/fieldDefs/0/identifier", "name")
    project = changed(project, "/defs/entities/0/fieldDefs/0/__type", "String")
    field = {"__identifier": "name", "__type": "String", "__value": "big", "defUid": 1000}
    project = changed(project, "/levels/0/layerInstances/0/entityInstances/0/fieldInstances/0", field)
    level = parse_level(json.dumps(project), "ldtk", kinds={"name:big": {"Inertia": 7}})
    assert {"value": 7} == level["big"].components["Inertia"]


TEXT = 'legend\n# wall: Static\n$ crate: Inertia(1)\no crate "first"\nmap\n#$o$\nthings\ncrate 3 = last\n'


def test_things_of_text_and_sokoban_files_get_components():
    level = parse_level(
        TEXT, kinds={"name:first": {"Inertia": 2}, "name:last": "box", "box": {}, "class:crate": {"Sleeping": True}}
    )
    found = {thing.name: (thing.kind, *thing.components) for thing in level.things}
    both = ("Inertia", "Sleeping")
    assert {"wall": ("wall", "Static"), "crate 1": ("crate", *both), "first": ("crate", *both),
            "last": ("box", *both)} == found  # fmt: skip


WRONG = {
    "a layer": ({"layer:Wals": {}}, "kinds={'layer:Wals': ...}: level has no such layer; its layers are 'Walls', "
        "'Things'; did you mean 'layer:Walls'?"),
    "a name": ({"name:plyer": {}}, "kinds={'name:plyer': ...}: level has no such name; its names are 'player', "
        "'guard'; did you mean 'name:player'?"),
    "an id": ({"id:70": {}}, "kinds={'id:70': ...}: level has no such id; its ids are '7', '8', '9'"),
    "a gid": ({"gid:9": {}}, "kinds={'gid:9': ...}: level has no such gid; its gids are '1', '8', '2'"),
    "a tile": ({"tile:set/8": {}}, "kinds={'tile:set/8': ...}: level has no such tile; its tiles are "
        "'set/0', 'set/7', 'set/1'"),
    "a class": ({"class:chset": {}}, "kinds={'class:chset': ...}: level has no such class; its classes are "
        "'Walls', 'chest', 'Person'; did you mean 'class:chest'?"),
    "a selector": ({"lyer:Walls": {}}, "kinds={'lyer:Walls': ...}: level has no such kind; its kinds are 'Walls', "
        "'chest', 'Person'; a key that selects begins with one of 'layer', 'class', 'tile', 'gid', 'name', 'id'"),
    "a kind": ({"id:7": "wal", "id:8": "wall", "wall": {}}, "kinds={'id:7': 'wal'}: neither kinds= nor level has this "
        "kind; add 'wal' with its components; did you mean 'wall'?"),
}  # fmt: skip


@pytest.mark.parametrize(("kinds", "message"), WRONG.values(), ids=WRONG)
def test_a_key_that_matches_nothing_is_an_error_that_names_it(kinds, message):
    with pytest.raises(CollisionValueError) as refusal:
        parse_level(tmx(*MAP), "tmx", kinds=kinds)
    assert message == str(refusal.value)


REFUSED = {
    "no mapping and no path": (7, CollisionTypeError, "kinds is 7; give a mapping such as"),
    "a key that is no text": ({7: {}}, CollisionTypeError, "kinds={7: {}}: a key is a text: a kind, or a selector"),
    "a selector of nothing": ({"name:": {}}, CollisionValueError, "kinds={'name:': {}}: 'name:' selects nothing"),
    "no mapping": ({"name:player": 7}, CollisionValueError, "kinds={'name:player': 7}: give a mapping such as "
        "{'Static': True}, or the kind of these things"),
    "a kind with quotes": ({"name:player": 'a "b"'}, CollisionValueError, "kind with quotes cannot be given to things"),
    "a wrong component": ({"id:7": {"Inertia": "x"}}, CollisionTypeError, "{'id:7': {'Inertia': 'x'}}: Inertia.value"),
}  # fmt: skip


@pytest.mark.parametrize(("kinds", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_wrong_kinds_are_refused(kinds, error, message):
    with pytest.raises(error) as refusal:
        parse_level(tmx(*MAP), "tmx", kinds=kinds)
    assert message in str(refusal.value)


def test_a_layer_or_tile_that_the_file_has_but_no_thing_uses_may_be_named():
    inside = (*MAP, layer(".... .... ....", name="empty"))
    kinds = {"layer:empty": {"Static": True}, "gid:8": {"Static": True}, "tile:set/6": {"Static": True}}
    assert {} == components(level_of(*inside, kinds=kinds))


# The file of kinds.

ROOM = "#####\n#@$.#\n#####\n"


def room(folder: Path, **kinds: object) -> Path:
    """Write a Sokoban level, and its file of kinds if there are any; return the level."""
    path = folder / "room.xsb"
    path.write_text(ROOM, encoding="utf-8")
    if kinds:
        (folder / "room.kinds.json").write_text(json.dumps(kinds), encoding="utf-8")
    return path


def inertia_of(level: Level) -> object:
    return (level["crate"].fields("Inertia") or {}).get("value")


def test_the_file_of_kinds_next_to_a_level_is_read_unless_kinds_are_given(tmp_path):
    path = room(tmp_path, crate={"Inertia": 2})
    other = tmp_path / "other.json"
    other.write_text('{"class:crate": {"Inertia": 4}}', encoding="utf-8")
    given = [None, {}, {"crate": {"Inertia": 3}}, other, str(other)]
    assert [2, 1.0, 3, 4, 4] == [inertia_of(load_level(path, kinds=kinds)) for kinds in given]
    assert inertia_of(parse_level(ROOM, "xsb", kinds=other)) == 4
    assert inertia_of(parse_level(ROOM, "xsb", name=str(path))) == 1.0


def test_the_file_of_kinds_next_to_a_link_is_not_read(tmp_path):
    (tmp_path / "far").mkdir()
    path = room(tmp_path / "far", crate={"Inertia": 2})
    link = room(tmp_path, crate={"Inertia": 5})
    link.unlink()
    link.symlink_to(path)
    assert inertia_of(load_level(link)) == 2


def test_faults_of_a_file_of_kinds_name_it_and_the_key(tmp_path):
    path = room(tmp_path, crates={"Inertia": 2})
    beside = path.with_suffix(".kinds.json")
    with pytest.raises(LevelError) as refusal:
        load_level(path)
    assert str(refusal.value) == (
        f"{beside} at /crates: found the key 'crates', but {path} has no such kind; expected one of its kinds: 'wall', "
        "'player', 'crate', 'goal'; did you mean 'crate'?"
    )
    beside.write_text('{"crate": {"Inertia": "x"}}', encoding="utf-8")
    with pytest.raises(LevelError, match=r"at /crate/Inertia: Inertia.value must be a number"):
        load_level(path)


def test_a_play_of_a_level_with_a_file_of_kinds_is_replayed_with_it(tmp_path):
    path = room(tmp_path, crate={"Inertia": 2})
    game = Game(load_level(path))
    game.play("R")
    write_play(record(game, "room.xsb"), tmp_path / "room.play")
    assert verify(read_play(tmp_path / "room.play"))
    path.with_suffix(".kinds.json").unlink()
    assert not verify(read_play(tmp_path / "room.play"))


CONFLICTS = {
    "two selectors": ({"layer:Walls": {"Static": True}, "gid:3": {"Inertia": 1}},
        "in kinds 'layer:Walls' gives Static, 'gid:3' gives Inertia"),
    "a kind and a selector": ({"chest": {"Static": True}, "gid:2": {"Motion": 1}},
        "in kinds 'chest' gives Static, 'gid:2' gives Motion"),
    "the kind of a selector": ({"id:8": "wall", "wall": {"Static": True}, "name:guard": {"Inertia": 1}},
        "in kinds 'wall' gives Static, 'name:guard' gives Inertia"),
}  # fmt: skip


@pytest.mark.parametrize(("kinds", "expected"), CONFLICTS.values(), ids=CONFLICTS)
def test_a_conflict_names_the_keys_that_gave_the_components(kinds, expected):
    with pytest.raises(LevelError) as caught:
        level_of(*MAP, kinds=kinds)
    assert f"nor is pushed ({expected}); expected compatible" in str(caught.value)


def test_a_conflict_with_the_file_names_the_key_that_gave_the_other_component():
    crate = '<object id="1" name="a" type="crate" x="0" y="0" width="16" height="16"><properties>'
    crate += '<property name="Inertia" type="float" value="3"/></properties></object>'
    with pytest.raises(LevelError, match=r"is pushed \(in kinds 'name:a' gives Static\); expected"):
        level_of(objects(crate), kinds={"name:a": {"Static": True}})
