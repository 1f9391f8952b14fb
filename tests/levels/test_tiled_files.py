"""Files that Tiled maps refer to: tilesets and templates in XML or JSON, only inside one folder."""

from __future__ import annotations

import pytest
from tiled_maps import as_json, layer, load_both, objects, properties, tmx

from ecs_collision.errors import LevelError
from ecs_collision.levels import load_level, parse_level
from ecs_collision.levels.limits import MAX_FILES

CRATES = f"""<tileset name="crates" tilewidth="16" tileheight="16" tilecount="2" columns="2">
 <image source="../nowhere/crates.png" width="32" height="16"/>
 <tile id="1" type="crate">{properties(Inertia=1.0)}</tile>
</tileset>"""
CRATE = f"""<template>
 <tileset firstgid="5" source="../sets/crates.tsx"/>
 <object name="box" gid="6" width="32" height="16" rotation="90">{properties(Inertia=2.0, colour="red")}</object>
</template>"""
DOOR = f"""<template>
 <object type="door" width="16" height="32">{properties(Static=True)}</object>
</template>"""


@pytest.fixture
def folder(tmp_path):
    """Return a folder of levels inside a folder with other files."""
    inside = tmp_path / "levels"
    for name, text in {"sets/crates.tsx": CRATES, "parts/crate.tx": CRATE, "parts/door.tx": DOOR}.items():
        (inside / name).parent.mkdir(parents=True, exist_ok=True)
        (inside / name).write_text(text, encoding="utf-8")
    return inside


def written(folder, *inside, name="level.tmx", **how):
    """Write a map and return its path."""
    (folder / name).write_text(tmx(*inside, **how), encoding="utf-8")
    return folder / name


def refused(path, **how):
    """Return the error of a file."""
    with pytest.raises(LevelError) as problem:
        load_level(path, **how)
    return problem.value


def test_tilesets_are_read_from_separate_files(folder):
    written(folder, '<tileset firstgid="3" source="sets/crates.tsx"/>', layer("3.4. .... 4..."))
    level = load_both(folder, "level.tmx")
    assert ["ground", "crate 1", "crate 2"] == [thing.name for thing in level.things]
    assert {"Inertia": {"value": 1.0}} == level["crate 1"].components


def test_templates_fill_in_missing_values_of_objects(folder):
    written(
        folder,
        objects(
            '<object id="1" template="parts/door.tx" x="16" y="0"/>',
            f'<object id="2" template="parts/door.tx" name="gate" type="gate" x="0" y="0" width="32" rotation="90">'
            f"{properties(Static=False, Trigger=True)}</object>",
        ),
    )
    door, gate = load_both(folder, "level.tmx").things
    assert ("door", "door", (1.5, 1.0, 0.0), {"Static": {}}) == (door.name, door.kind, door.position, door.components)
    assert ("gate", "gate", (-1.0, 1.0, 0.0), {"Trigger": {}}) == (gate.name, gate.kind, gate.position, gate.components)
    assert [(0.5, 1.0), (1.0, 1.0)] == [(box.hx, box.hy) for thing in (door, gate) for box in thing.parts]


def test_the_gid_of_a_template_belongs_to_its_own_tilesets(folder):
    here = '<tileset firstgid="1" source="sets/crates.tsx"/>'
    plain = '<object id="1" template="parts/crate.tx" x="32" y="0"/>'
    changed = '<object id="2" template="parts/crate.tx"'
    written(folder, here, objects(plain, changed + ' gid="2147483650" x="0" y="0" rotation="0"/>'))
    one, other = load_both(folder, "level.tmx").things
    assert ("crate", "crate", "box 1", "box 2") == (one.kind, other.kind, one.name, other.name)
    assert ((2.5, 1.0, 0.0), {"Inertia": {"value": 2.0}}) == (one.position, one.components)
    assert (None, "h") == (one.properties.get("flipped"), other.properties.get("flipped"))
    assert (1.0, -0.5, 0.0) == other.position


def test_xml_may_refer_to_json_and_json_to_xml(folder):
    (folder / "sets" / "crates.tsj").write_text(as_json(CRATES), encoding="utf-8")
    (folder / "parts" / "door.json").write_text(as_json(DOOR), encoding="utf-8")
    inside = [
        '<tileset firstgid="3" source="sets/crates.TSET"/>', layer("3.4. .... 4..."),
        objects('<object id="1" template="parts/door.json" x="16" y="0"/>'),
    ]  # fmt: skip
    level = load_level(written(folder, *(text.replace("TSET", "tsj") for text in inside)))
    in_json = as_json(tmx(*inside)).replace("crates.TSET", "crates.tsx")
    (folder / "other.tmj").write_text(in_json, encoding="utf-8")
    assert level.things == load_level(folder / "other.tmj").things


def test_a_file_with_several_references_is_read_once(folder):
    many = [f'<object id="{number}" template="parts/crate.tx" x="0" y="0"/>' for number in range(1, MAX_FILES + 50)]
    assert MAX_FILES + 49 == len(load_level(written(folder, objects(*many))).things)


def test_references_must_stay_inside_the_given_root(folder):
    up = '<tileset firstgid="1" source="../../levels/sets/crates.tsx"/>'
    (folder / "deep").mkdir()
    path = written(folder / "deep", up.replace("../../levels", ".."), layer("1... .... ...."))
    assert "which leads outside the level's folder" in refused(path).found
    assert "ground" == load_level(path, root=folder).things[0].name
    assert "which leads outside the level's folder" in refused(path, root=folder / "deep").found


def test_a_map_from_text_cannot_refer_to_files():
    with pytest.raises(LevelError, match=r"found a reference to 'a\.tsx'; expected a level without references"):
        parse_level(tmx('<tileset firstgid="1" source="a.tsx"/>'), "tmx")


def test_images_are_never_opened(folder):
    (folder / "a.png").mkdir()
    text = tmx(
        '<tileset firstgid="1" name="a" tilewidth="16" tileheight="16"><image source="/etc/passwd"/></tileset>',
        '<imagelayer name="sky"><image source="a.png"/></imagelayer>',
    )
    (folder / "level.tmx").write_text(text, encoding="utf-8")
    assert () == load_level(folder / "level.tmx").things
