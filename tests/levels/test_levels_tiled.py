"""Tiled maps: what layers, objects, tiles and properties become, in XML and in JSON."""

from __future__ import annotations

import base64
import gzip
import json
import math
import pickle
import struct
import zlib
from math import floor

import pytest
from tiled_maps import SET, as_json, layer, level_of, objects, only, properties, tiles, tmx

from ecs_collision import (
    Box,
    Capsule,
    CapsuleCollider,
    CollisionWorld,
    LevelError,
    OrientedBox,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
)
from ecs_collision.levels import parse_level, spawn
from ecs_collision.levels.spawning import parts_of

CELL = (Box(0.5, 0.5),)


def cells_of(thing):
    """Return the cells (column, row) that a thing fills."""
    x, y, _ = thing.position
    found = set()
    for box in thing.parts:
        left, top = x + box.offset[0] - box.hx, y + box.offset[1] - box.hy
        cells = {(floor(left) + i, floor(top) + j) for i in range(int(2 * box.hx)) for j in range(int(2 * box.hy))}
        assert cells and not cells & found
        found |= cells
    return found


# Objects.


def test_a_rectangle_is_a_box_around_its_center():
    thing = only(objects('<object id="1" name="gate" type="door" x="16" y="8" width="32" height="16"/>'))
    assert ("gate", "door", (2.0, 1.0, 0.0), (Box(1.0, 0.5),)) == (thing.name, thing.kind, thing.position, thing.parts)
    assert {"layer": "things"} == thing.properties
    assert not thing.is_body


def test_a_tile_is_one_by_one_for_any_pixel_size():
    thing = only(objects('<object id="1" x="20" y="10" width="40" height="5"/>'), tile=(20, 10))
    assert ((2.0, 1.25, 0.0), (Box(1.0, 0.25),)) == (thing.position, thing.parts)


@pytest.mark.parametrize(
    ("rotation", "position", "half"),
    [(0, (2.0, 1.5), (1.0, 0.5)), (90, (0.5, 2.0), (0.5, 1.0)), (180, (0.0, 0.5), (1.0, 0.5)),
     (-90, (1.5, 0.0), (0.5, 1.0)), (270, (1.5, 0.0), (0.5, 1.0)), (-360, (2.0, 1.5), (1.0, 0.5))],
)  # fmt: skip
def test_a_rectangle_is_rotated_about_its_corner(rotation, position, half):
    thing = only(objects(f'<object id="1" x="16" y="16" width="32" height="16" rotation="{rotation}"/>'))
    assert ((*position, 0.0), (Box(*half),)) == (thing.position, thing.parts)


@pytest.mark.parametrize("shape", ["<point/>", ""])
def test_a_point_with_components_is_one_cell(shape):
    plain, body = level_of(
        objects(
            f'<object id="1" type="mark" x="24" y="8">{shape}</object>',
            f'<object id="2" type="player" x="24" y="8">{properties(Motion=True)}{shape}</object>',
        )
    ).things
    assert ("point", (1.5, 0.5, 0.0), ()) == (plain.properties["shape"], plain.position, plain.parts)
    assert ((1.5, 0.5, 0.0), CELL) == (body.position, body.parts)


@pytest.mark.parametrize(
    ("inside", "facts"),
    [
        ("<ellipse/>", {"shape": "ellipse", "width": 2.0, "height": 1.0}),
        ("<capsule/>", {"shape": "capsule", "width": 2.0, "height": 1.0}),
        ("<text wrap='1'>Push!</text>", {"shape": "text", "text": "Push!", "width": 2.0, "height": 1.0}),
    ],
)
def test_ellipses_and_texts_are_scenery_with_a_center(inside, facts):
    thing = only(objects(f'<object id="1" x="16" y="16" width="32" height="16">{inside}</object>'))
    assert ((2.0, 1.5, 0.0), (), {"layer": "things", **facts}) == (thing.position, thing.parts, thing.properties)


@pytest.mark.parametrize("shape", ["polygon", "polyline"])
def test_polygons_are_scenery_with_their_points_in_cells(shape):
    thing = only(objects(f'<object id="1" x="16" y="32"><{shape} points="0,0 32,-8 -16,4.5"/></object>'))
    assert ((1.0, 2.0, 0.0), ()) == (thing.position, thing.parts)
    points = ((0.0, 0.0), (2.0, -0.5), (-1.0, 0.28125))
    assert {"layer": "things", "shape": shape, "points": points} == thing.properties


def test_a_rectangle_rotated_by_another_angle_is_scenery():
    thing = only(objects('<object id="1" x="16" y="16" width="32" height="16" rotation="45"/>'))
    assert ((1.0, 1.0, 0.0), ()) == (thing.position, thing.parts)
    assert {"layer": "things", "rotation": 45.0, "width": 2.0, "height": 1.0} == thing.properties


def test_a_tile_object_is_placed_by_its_lower_left_corner_in_the_size_of_its_tile():
    big = '<tileset firstgid="1" name="big" tilewidth="32" tileheight="48" tilecount="2"><image source="a"/></tileset>'
    flipped = '<object id="2" gid="2147483649" x="0" y="16" width="16" height="16"/>'
    drawn, scaled = level_of(big, objects('<object id="1" gid="2" x="16" y="48"/>', flipped)).things
    assert ((2.0, 1.5, 0.0), (Box(1.0, 1.5),)) == (drawn.position, drawn.parts)
    assert {"layer": "things", "tileset": "big", "tile": 1} == drawn.properties
    assert ((0.5, 0.5, 0.0), CELL, "h") == (scaled.position, scaled.parts, scaled.properties["flipped"])


def test_unique_names_are_kept_and_others_are_numbered():
    kinds = ["a/crate", "/crate", "/crate", "guard/npc", "guard/npc", "/", "crate/wall", "/crate"]
    written = [
        f'<object id="{number}" name="{text.split("/")[0]}" type="{text.split("/")[1]}" x="0" y="0"/>'
        for number, text in enumerate(kinds, 1)
    ]
    expected = ["a", "crate 1", "crate 2", "guard 1", "guard 2", "object", "crate", "crate 3"]
    assert expected == [thing.name for thing in level_of(objects(*written)).things]


@pytest.mark.parametrize("attribute", ["type", "class"])
def test_a_class_is_a_kind_in_both_spellings(attribute):
    assert "door" == only(objects(f'<object id="1" {attribute}="door" x="0" y="0"/>')).kind


def test_offsets_of_layers_and_groups_add_up():
    inner = objects('<object id="1" x="0" y="0" width="16" height="16"/>', more='offsetx="16" offsety="-8"')
    tiles = layer("1... .... ....", more='offsetx="8"')
    thing, ground = level_of(SET, f'<group offsetx="32" offsety="16">{inner}{tiles}</group>').things
    assert ((3.5, 1.0, 0.0), (3.0, 1.5, 0.0)) == (thing.position, ground.position)


def test_hidden_things_have_the_property_visible():
    inner = objects('<object id="2" x="0" y="0"/>') + layer("1... .... ....")
    one = objects('<object id="1" x="0" y="0" visible="0"/>')
    hidden = level_of(SET, one, f'<group visible="0">{inner}</group>').things
    assert [False] * 3 == [thing.properties["visible"] for thing in hidden]


# Tile layers.


def test_a_layer_without_components_is_scenery_with_few_boxes():
    thing = only(SET, layer("1123 1..3 ...."))
    assert ("ground", "ground", False) == (thing.name, thing.kind, thing.is_body)
    assert {(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (3, 1)} == cells_of(thing)
    assert (3, {"layer": "ground", "cells": 6}) == (len(thing.parts), thing.properties)


def test_a_layer_with_components_is_one_body():
    level = level_of(SET, layer("1111 1..1 1111", properties(Static=True), name="walls"))
    world = CollisionWorld()
    ids = spawn(level, world)
    assert ["walls"] == list(ids)
    assert world.space.at(0.5, 1.5) == [ids["walls"]]
    assert world.space.at(1.5, 1.5) == []


def test_cells_are_grouped_by_the_data_of_their_tiles():
    drawn = tiles('<tile id="0" type="wall"/>', f'<tile id="1">{properties(door=True)}</tile>')
    wall, door, rest = level_of(drawn, layer("1124 1..3 ....")).things
    assert (["wall", "ground 1", "ground 2"]) == [wall.name, door.name, rest.name]
    assert ({(0, 0), (1, 0), (0, 1)}, {(2, 0)}, {(3, 0), (3, 1)}) == tuple(map(cells_of, (wall, door, rest)))
    assert (True, None) == (door.properties["door"], rest.properties.get("door"))


def test_the_class_of_a_layer_is_the_kind_of_its_cells():
    one, other = level_of(SET, layer("1... .... ....", name="a", more='class="wall"'), layer("...1 .... ....")).things
    assert [("wall", "wall"), ("ground", "ground")] == [(thing.name, thing.kind) for thing in (one, other)]


@pytest.mark.parametrize("attribute", ["type", "class"])
def test_the_class_of_a_tile_has_two_spellings(attribute):
    assert "wall" == only(tiles(f'<tile id="0" {attribute}="wall"/>'), layer("1... .... ....")).kind


def test_movable_cells_are_separate_bodies():
    crates = tiles(f'<tile id="0" type="crate">{properties(Inertia=1.0)}</tile>')
    things = level_of(crates, layer("1.1. .1.. ....")).things
    assert [("crate 1", (0.5, 0.5, 0.0)), ("crate 2", (2.5, 0.5, 0.0)), ("crate 3", (1.5, 1.5, 0.0))] == [
        (thing.name, thing.position) for thing in things
    ]
    assert all(thing.parts == CELL and thing.components == {"Inertia": {"value": 1.0}} for thing in things)


def test_joined_cells_are_one_body_per_connected_part():
    beams = tiles(f'<tile id="0" type="beam">{properties(Inertia=2.0, joined=True)}</tile>')
    one, other = level_of(beams, layer("11.1 .1.1 .1..")).things
    assert ({(0, 0), (1, 0), (1, 1), (1, 2)}, {(3, 0), (3, 1)}) == (cells_of(one), cells_of(other))
    assert ("beam 1", (0.5, 0.5, 0.0)) == (one.name, one.position)


def test_single_cells_of_a_wall_are_separate_bodies():
    level = level_of(SET, layer("11.. .... ....", properties(Static=True, single=True)))
    assert ["ground 1", "ground 2"] == [thing.name for thing in level.things]


def test_an_empty_layer_is_listed_but_has_no_thing():
    level = level_of(SET, layer(".... .... ....", properties(note="none")))
    assert () == level.things
    facts = {"name": "ground", "type": "tilelayer", "cells": 0, "properties": {"note": "none"}}
    assert (facts,) == level.properties["layers"]


GIDS = [1, 0, 2, 2**31 + 3, 0, 8, 0, 0, 4, 5, 6, 7]
RAW = struct.pack("<12I", *GIDS)


def zstd(data: bytes) -> bytes:
    """Return data compressed with zstd."""
    return pytest.importorskip("zstandard").ZstdCompressor().compress(data)


@pytest.mark.parametrize(
    ("attributes", "data"),
    [
        ('encoding="base64"', lambda: base64.b64encode(RAW)),
        ('encoding="base64" compression="zlib"', lambda: base64.b64encode(zlib.compress(RAW))),
        ('encoding="base64" compression="gzip"', lambda: base64.b64encode(gzip.compress(RAW))),
        ('encoding="base64" compression="zstd"', lambda: base64.b64encode(zstd(RAW))),
        ("", lambda: b"".join(b'<tile gid="%d"/>' % gid if gid else b"<tile/>" for gid in GIDS)),
    ],
    ids=["base64", "zlib", "gzip", "zstd", "tiles"],
)
def test_tiles_are_the_same_in_every_encoding(attributes, data):
    csv = f'<layer name="a" width="4" height="3"><data encoding="csv">{",".join(map(str, GIDS))}</data></layer>'
    other = f'<layer name="a" width="4" height="3"><data {attributes}>\n   {data().decode()}\n  </data></layer>'
    assert level_of(SET, csv) == level_of(SET, other)


def test_chunks_are_the_same_in_every_encoding():
    def drawn(attributes, write):
        written = "".join(
            f'<chunk x="{x}" y="0" width="4" height="3">{write(RAW)}</chunk>' for x in (-4, 0)
        )  # fmt: skip
        tiles = f'<layer name="a" width="4" height="3"><data {attributes}>{written}</data></layer>'
        return level_of(SET, tiles, more='infinite="1"')

    csv = drawn('encoding="csv"', lambda raw: ",".join(map(str, GIDS)))
    assert csv == drawn('encoding="base64"', lambda raw: base64.b64encode(raw).decode())
    assert csv == drawn(
        'encoding="base64" compression="zlib"', lambda raw: base64.b64encode(zlib.compress(raw)).decode()
    )
    assert csv == drawn("", lambda raw: "".join(f'<tile gid="{gid}"/>' for gid in GIDS))
    assert ((8, 3), 16) == (csv.size, csv["a"].properties["cells"])


def test_an_infinite_map_without_tiles_has_the_size_in_the_file():
    level = level_of('<layer name="a" width="4" height="3"><data encoding="csv"></data></layer>', more='infinite="1"')
    assert ((4, 3), ()) == (level.size, level.things)


def test_unknown_elements_are_ignored():
    known = level_of(SET, layer("1... .... ...."), objects('<object id="1" x="0" y="0"/>'))
    text = tmx(SET, layer("1... .... ...."), objects('<object id="1" x="0" y="0"/>'))
    more = text.replace("<object ", '<object mood="sad" ').replace("</map>", "<sound><note/></sound></map>")
    assert known == parse_level(more, "tmx")
    in_json = json.loads(as_json(text)) | {"mood": "sad", "sound": [1, {}]}
    assert known == parse_level(json.dumps(in_json), "tmj")


def test_an_infinite_map_keeps_its_coordinates():
    chunks = [(-2, 0, "1,1,\n0,0"), (4, -2, "0,0,0,2")]
    data = "".join(f'<chunk x="{x}" y="{y}" width="2" height="2">{gids}</chunk>' for x, y, gids in chunks)
    tiles = f'<layer name="a" width="4" height="3"><data encoding="csv">{data}</data></layer>'
    one = objects('<object id="1" name="it" x="-16" y="-32" width="16" height="16"/>')
    level = level_of(SET, tiles, one, more='infinite="1"')
    assert {(-2, 0), (-1, 0), (5, -1)} == cells_of(level["a"])
    assert ((8, 4), (-2, -2)) == (level.size, level.properties["origin"])
    assert (-0.5, -1.5, 0.0) == level["it"].position


# The data of tiles, and the positions of their shapes.

SHAPES = (
    '<objectgroup><object id="1" x="0" y="0" width="16" height="4"/>'
    '<object id="2" x="8" y="4" width="8" height="12"/></objectgroup>'
)


def corners_of(thing):
    """Return left, top, right and bottom of each box of a thing."""
    x, y, _ = thing.position
    return {
        (x + box.offset[0] - box.hx, y + box.offset[1] - box.hy, x + box.offset[0] + box.hx, y + box.offset[1] + box.hy)
        for box in thing.parts
    }


@pytest.mark.parametrize(
    ("flags", "corners"),
    [
        (0, {(0, 0, 1, 0.25), (0.5, 0.25, 1, 1)}),
        (0x80000000, {(0, 0, 1, 0.25), (0, 0.25, 0.5, 1)}),
        (0x40000000, {(0, 0.75, 1, 1), (0.5, 0, 1, 0.75)}),
        (0x20000000, {(0, 0, 0.25, 1), (0.25, 0.5, 1, 1)}),
        (0xA0000000, {(0.75, 0, 1, 1), (0, 0.5, 0.75, 1)}),
        (0x60000000, {(0, 0, 0.25, 1), (0.25, 0, 1, 0.5)}),
        (0xC0000000, {(0, 0.75, 1, 1), (0, 0, 0.5, 0.75)}),
    ],
    ids=["as drawn", "h", "v", "d", "d then h", "d then v", "h and v"],
)
def test_the_shapes_of_a_tile_are_flipped_with_it(flags, corners):
    drawn = tiles(f'<tile id="0">{SHAPES}</tile>')
    data = f'<layer name="a" width="2" height="1"><data encoding="csv">0,{1 + flags}</data></layer>'
    one = objects(f'<object id="1" gid="{1 + flags}" x="16" y="32"/>')
    cell, thing = level_of(drawn, data, one, size=(2, 1)).things
    assert {(left + 1, top, right + 1, bottom) for left, top, right, bottom in corners} == corners_of(cell)
    assert {(left + 1, top + 1, right + 1, bottom + 1) for left, top, right, bottom in corners} == corners_of(thing)
    assert {"Static": {}} == cell.components == thing.components


def test_cells_with_shapes_and_whole_cells_are_one_body():
    drawn = tiles(f'<tile id="0">{SHAPES}</tile>', f'<tile id="1">{properties(Static=True)}</tile>')
    thing = only(drawn, layer("122. .... ...."))
    assert {(0, 0, 1, 0.25), (0.5, 0.25, 1, 1), (1, 0, 3, 1)} == corners_of(thing)
    assert 3 == thing.properties["cells"]


@pytest.mark.parametrize(
    ("said", "components"),
    [
        ({"Trigger": True}, {"Trigger": {}}),
        ({"Collider.layer": "glass"}, {"Collider": {"layer": "glass"}, "Static": {}}),
        ({"Static": False}, {}),
    ],
)
def test_a_tile_with_shapes_is_static_by_default(said, components):
    said = properties(**{name.replace(".", "__"): value for name, value in said.items()})
    thing = only(tiles(f'<tile id="0">{said}{SHAPES}</tile>'), layer("1... .... ...."))
    assert components == thing.components


def test_shapes_of_a_tile_object_are_scaled_and_rotated_with_it():
    drawn = tiles(f'<tile id="0">{SHAPES}</tile>')
    one = '<object id="1" gid="1" x="32" y="32" width="64" height="32" rotation="90"/>'
    assert {(3.5, 2, 4, 6), (2, 4, 3.5, 6)} == corners_of(only(drawn, objects(one), size=(8, 8)))


TALL = (
    '<tileset firstgid="1" name="high" tilewidth="16" tileheight="32" tilecount="1" {}><image source="a"/>'
    '<tile id="0"><objectgroup><object id="1" x="4" y="16" width="12" height="16"/></objectgroup></tile></tileset>'
)


def test_a_shape_of_a_tile_larger_than_a_cell_extends_up_and_right():
    assert {(1.25, 2, 2, 3)} == corners_of(only(TALL.format(""), layer(".... .... .1..")))


@pytest.mark.parametrize(
    ("attributes", "corners"),
    [
        ('tilerendersize="grid"', (0.25, 0.5, 1, 1)),
        ('tilerendersize="grid" fillmode="stretch"', (0.25, 0.5, 1, 1)),
        ('tilerendersize="grid" fillmode="preserve-aspect-fit"', (0.375, 0.5, 0.75, 1)),
    ],
)
def test_tiles_scaled_to_the_grid_have_scaled_shapes(attributes, corners):
    assert {corners} == corners_of(only(TALL.format(attributes), layer("1... .... ....")))


def test_quarter_turned_shapes_are_used_and_points_are_ignored():
    turned = '<object id="1" x="8" y="0" width="16" height="8" rotation="90"/>'
    point = '<object id="2" x="3" y="3"><point/></object>'
    thing = only(tiles(f'<tile id="0"><objectgroup>{turned}{point}</objectgroup></tile>'), layer("1... .... ...."))
    assert {(0, 0, 0.5, 1)} == corners_of(thing)


@pytest.mark.parametrize(
    ("alignment", "position"),
    [("unspecified", (2, 1)), ("bottomleft", (2, 1)), ("topleft", (2, 3)), ("center", (1, 2)), ("right", (0, 2))],
)
def test_a_tile_object_is_aligned_as_in_its_tileset(alignment, position):
    big = (
        f'<tileset firstgid="1" name="big" tilewidth="32" tileheight="32" tilecount="1" objectalignment="{alignment}">'
        '<image source="a"/></tileset>'
    )
    assert (*position, 0) == only(big, objects('<object id="1" gid="1" x="16" y="32"/>')).position


def test_a_tile_object_inherits_from_its_tile():
    crate = tiles(f'<tile id="0" type="crate">{properties(Inertia=1.0, colour="red", weight=3)}</tile>')
    one, other = level_of(
        crate,
        objects(
            '<object id="1" gid="1" x="0" y="16"/>',
            f'<object id="2" gid="1" type="chest" x="16" y="16">{properties(Inertia=False, colour="blue", Motion=True)}'
            "</object>",
        ),
    ).things
    assert ("crate", {"Inertia": {"value": 1.0}}) == (one.kind, one.components)
    assert ("chest", {"Motion": {}}) == (other.kind, other.components)
    assert ("red", "blue") == (one.properties["colour"], other.properties["colour"])
    assert (3, 3) == (one.properties["weight"], other.properties["weight"])


# Properties and components.


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('value="words"', "words"),
        ('type="string" value=""', ""),
        ('type="int" value="-12"', -12),
        ('type="float" value="0.30000000000000004"', 0.1 + 0.2),
        ('type="float" value="1e-05"', 1e-05),
        ('type="bool" value="true"', True),
        ('type="bool" value="false"', False),
        ('type="color" value="#ff102030"', "#ff102030"),
        ('type="color" value="#102030"', "#102030"),
        ('type="color" value=""', ""),
        ('type="file" value="../elsewhere/door.png"', "../elsewhere/door.png"),
        ('type="object" value="0"', None),
        ('type="object" value="2"', "gate"),
        ('type="string" propertytype="Mood" value="sad"', "sad"),
    ],
)
def test_a_property_has_the_value_of_its_type(written, value):
    level = level_of(
        objects(
            f'<object id="1" name="it" x="0" y="0"><properties><property name="p" {written}/></properties></object>',
            '<object id="2" name="gate" x="0" y="0"/>',
        )
    )
    found = level["it"].properties["p"]
    assert (value, type(value)) == (found, type(found))


def test_a_property_may_be_a_multiline_text_a_class_or_a_list():
    inside = (
        '<property name="text">one\n two &lt;3&gt;</property>'
        '<property name="stats" type="class" propertytype="Stats"><properties>'
        '<property name="hp" type="int" value="3"/>'
        '<property name="inner" type="class" propertytype="Inner"><properties><property name="a" value="b"/>'
        "</properties></property></properties></property>"
        '<property name="many" type="list"><item type="int" value="1"/><item value="x"/>'
        '<item type="list"><item type="bool" value="true"/></item></property>'
    )
    thing = only(objects(f'<object id="1" x="0" y="0"><properties>{inside}</properties></object>'))
    expected = {"text": "one\n two <3>", "stats": {"hp": 3, "inner": {"a": "b"}}, "many": (1, "x", (True,))}
    assert expected == {name: thing.properties[name] for name in expected}


COMPONENTS = {
    "the first field": ({"Inertia": 2.5}, {"Inertia": {"value": 2.5}}),
    "all fields as they are": ({"Motion": True}, {"Motion": {}}),
    "a field with a dot": ({"Motion__force": 1.5}, {"Motion": {"force": 1.5}}),
    "a field with a stroke": ({"Motion_all_or_nothing": True}, {"Motion": {"all_or_nothing": True}}),
    "several fields": ({"Motion__force": 2.0, "Motion_priority": 3}, {"Motion": {"force": 2.0, "priority": 3}}),
    "fields that only go together": ({"Inertia__x": 1.0, "Inertia__y": 2.0}, {"Inertia": {"x": 1.0, "y": 2.0}}),
    "a field beside all": ({"Motion": True, "Motion__force": 2.0}, {"Motion": {"force": 2.0}}),
    "none": ({"Motion": False}, {}),
    "an option of a trigger": ({"Trigger_statics": True}, {"Trigger": {"statics": True}}),
    "a mask of layers": ({"Trigger__mask": "crate, player"}, {"Trigger": {"mask": ("crate", "player")}}),
    "an empty mask": ({"Trigger__mask": ""}, {"Trigger": {"mask": None}}),
    "a collider": ({"Collider__layer": "glass", "Static": True}, {"Collider": {"layer": "glass"}, "Static": {}}),
    "something of the game": (
        {"Lamp": 3, "Night_Lamp_hue": "red"},
        {"Lamp": {"value": 3}, "Night_Lamp": {"hue": "red"}},
    ),
    "nothing that is registered": ({"Door__open": True, "os__system": "x"}, {}),
}


@pytest.mark.parametrize(("given", "expected"), COMPONENTS.values(), ids=COMPONENTS)
def test_properties_are_components(given, expected):
    one = f'<object id="1" x="0" y="0" width="16" height="16">{properties(**given)}</object>'
    thing = only(objects(one), components={"Lamp": dict, "Night_Lamp": dict})
    assert expected == thing.components


def test_a_property_of_a_registered_class_is_a_component_with_any_name():
    written = (
        '<property name="push" type="class" propertytype="Motion"><properties>'
        '<property name="force" type="float" value="2"/></properties></property>'
    )
    one = f'<object id="1" x="0" y="0" width="16" height="16"><properties>{written}</properties></object>'
    assert {"Motion": {"force": 2.0}} == only(objects(one)).components


def test_layers_and_groups_pass_on_their_components():
    crate = '<object id="1" x="0" y="0" width="16" height="16"/>'
    light = f'<object id="2" x="0" y="0" width="16" height="16">{properties(Inertia__value=0.5)}</object>'
    inner = objects(properties(Inertia=4.0, colour="red"), crate, light)
    one, other = level_of(f'<group name="g">{properties(Sleeping=True)}{inner}</group>').things
    assert {"Sleeping": {}, "Inertia": {"value": 4.0}} == one.components
    assert {"Sleeping": {}, "Inertia": {"value": 0.5}} == other.components
    assert "colour" not in one.properties


def test_a_fused_thing_names_its_partner():
    level = level_of(
        objects(
            f'<object id="7" type="crate" x="0" y="0" width="16" height="16">{properties(Inertia=1.0)}</object>',
            '<object id="9" type="crate" x="16" y="0" width="16" height="16"><properties>'
            '<property name="Fused.to" type="object" value="7"/></properties></object>',
        )
    )
    assert {"Fused": {"to": "crate 1"}} == level["crate 2"].components


def test_a_thing_fused_by_a_class_names_its_partner_in_xml_and_json():
    member = '<property name="to" type="object" value="1"/>'
    fused_to = f'<property name="bond" type="class" propertytype="Fused"><properties>{member}</properties></property>'
    level = level_of(
        objects(
            f'<object id="1" name="it" x="0" y="0">{properties(Inertia=1.0)}</object>',
            f'<object id="2" name="other" x="16" y="0"><properties>{fused_to}</properties></object>',
        )
    )
    assert {"Fused": {"to": "it"}} == level["other"].components


def test_an_object_reference_in_a_class_is_a_name_only_in_xml():
    """In JSON, Tiled writes no types of members."""
    member = '<property name="to" type="object" value="1"/>'
    one = f"""<object id="1" name="it" x="0" y="0"><properties>
        <property name="deep" type="class"><properties>{member}</properties></property></properties></object>"""
    text = tmx(objects(one))
    assert {"to": "it"} == parse_level(text, "tmx")["it"].properties["deep"]
    assert {"to": 1} == parse_level(as_json(text), "tmj")["it"].properties["deep"]


def test_object_references_become_names_everywhere():
    ref = '<property name="to" type="object" value="1"/>'
    many = '<property name="many" type="list"><item type="object" value="1"/></property>'
    level = level_of(
        f"<properties>{ref}</properties>",
        tiles(f'<tile id="0"><properties>{ref}</properties></tile>'),
        layer("1... .... ...."),
        objects('<object id="1" name="it" x="0" y="0"/>', f"<properties>{many}</properties>"),
    )
    assert ("it", "it") == (level.properties["to"], level["ground"].properties["to"])
    assert ("it",) == level.properties["layers"][1]["properties"]["many"]
    assert pickle.loads(pickle.dumps(level)) == level


def test_kinds_add_components_to_things_without():
    level = level_of(
        tiles('<tile id="1" type="crate"/>'), layer("1112 .... ....", name="walls"),
        objects('<object id="1" type="goal" x="0" y="0" width="16" height="16"/>'),
        kinds={"walls": {"Static": True}, "crate": {"Inertia": 1}, "goal": {"Trigger": {"swept": True}}},
    )  # fmt: skip
    assert [{"Static": {}}, {"Inertia": {"value": 1}}, {"Trigger": {"swept": True}}] == [
        thing.components for thing in level.things
    ]


def test_map_properties_are_settings_and_win_condition():
    said = properties(
        rule="sum", max_chain=3, all_or_nothing=True, axis_order="yxz", title="First push", win="all crate on goal",
        gravity="D", author="A. N. Other",
    )  # fmt: skip
    level = level_of(said)
    assert {"rule": "sum", "max_chain": 3, "all_or_nothing": True, "axis_order": "yxz"} == level.settings
    assert ("First push", "all crate on goal", "D") == (level.title, level.win, level.gravity)
    assert {"layers": (), "author": "A. N. Other"} == level.properties


@pytest.mark.parametrize(("name", "meant"), [("ruel", "rule"), ("max-chain", "max_chain"), ("Title", "title")])
def test_a_map_property_similar_to_a_setting_is_an_error_that_names_the_setting(name, meant):
    with pytest.raises(LevelError, match=f"found the property '{name}'; .* did you mean '{meant}'") as refusal:
        level_of(properties(**{name: "sum"}))
    assert refusal.value.line is not None


def test_layers_are_listed_with_their_properties():
    level = level_of(
        SET,
        f'<group name="g">{properties(depth=1)}{layer("11.. .... ....")}</group>',
        objects('<object id="1" x="0" y="0"/>', name="marks", more='visible="0"'),
        '<imagelayer name="sky"><image source="sky.png" width="8" height="8"/></imagelayer>',
    )
    assert (
        {"name": "g", "type": "group", "properties": {"depth": 1}},
        {"name": "ground", "type": "tilelayer", "cells": 2},
        {"name": "marks", "type": "objectgroup", "objects": 1, "visible": False},
        {"name": "sky", "type": "imagelayer"},
    ) == level.properties["layers"]


def test_the_default_title_of_a_map_is_the_name_of_its_file():
    assert "level" == level_of().title


# Circles, capsules, and what is turned by other than quarter turns.


def body(inside: str = "", more: str = 'width="16" height="16"', **components: object) -> str:
    """Return an object with components, by default a trigger."""
    return f'<object id="1" x="16" y="16" {more}>{properties(**(components or {"Trigger": True}))}{inside}</object>'


def test_a_circle_with_components_is_a_sphere():
    thing = only(objects(body("<ellipse/>")))
    assert ((1.5, 1.5, 0.0), (Sphere(0.5),), "ellipse") == (thing.position, thing.parts, thing.properties["shape"])
    assert repr(SphereCollider(0.5)) == repr(parts_of(level_of(objects(body("<ellipse/>"))), thing, {}).collider)
    upside_down = only(objects(body("<ellipse/>", 'width="16" height="16" rotation="180"')))
    assert ((0.5, 0.5, 0.0), (Sphere(0.5),)) == (upside_down.position, upside_down.parts)
    turned = only(objects(body("<ellipse/>", 'width="16" height="16" rotation="45"')))
    assert (pytest.approx((1.0, 1.0 + 2**-0.5, 0.0)), (Sphere(0.5),)) == (turned.position, turned.parts)
    assert "Transform" not in turned.components
    layered = only(objects(body("<ellipse/>", Trigger=True, Collider__layer="balls")))
    assert "balls" == parts_of(level_of(objects(body("<ellipse/>"))), layered, {}).collider.layer


@pytest.mark.parametrize(
    ("more", "position", "part"),
    [
        ('width="32" height="16"', (2.0, 1.5, 0.0), Capsule(0.5, 0.5, "x")),
        ('width="16" height="48"', (1.5, 2.5, 0.0), Capsule(0.5, 1.0, "y")),
        ('width="32" height="16" rotation="90"', (0.5, 2.0, 0.0), Capsule(0.5, 0.5, "y")),
        ('width="16" height="16"', (1.5, 1.5, 0.0), Sphere(0.5)),
    ],
)
def test_a_capsule_with_components_is_a_capsule_along_its_longer_side(more, position, part):
    thing = only(objects(body("<capsule/>", more)))
    assert (position, (part,)) == (thing.position, thing.parts)


@pytest.mark.parametrize(("inside", "kind"), [("", OrientedBoxCollider), ("<capsule/>", CapsuleCollider)])
def test_what_is_turned_by_an_odd_angle_turns_its_body_about_its_center(inside, kind):
    level = level_of(objects(body(inside, 'width="32" height="16" rotation="30"')))
    (thing,) = level.things
    turn = math.radians(30)
    x, y = 1 + math.cos(turn) - 0.5 * math.sin(turn), 1 + math.sin(turn) + 0.5 * math.cos(turn)
    assert pytest.approx((x, y, 0.0)) == thing.position
    assert {"rotation": turn} == thing.components["Transform"]
    world = CollisionWorld()
    (entity,) = spawn(level, world).values()
    parts = world._bodies.of(world._bodies.row_of[entity])
    transform, collider = parts.transform, parts.collider
    assert (turn, kind) == (transform.rotation, type(collider))
    given = only(objects(body(inside, 'width="32" height="16" rotation="30"', Trigger=True, Transform__rotation=1.0)))
    assert {"rotation": 1.0} == given.components["Transform"]
    back = only(objects(body(inside, 'width="32" height="16" rotation="-30"')))
    assert {"rotation": -turn} == back.components["Transform"]


def test_shapes_of_tiles_may_be_circles_capsules_and_turned():
    shapes = (
        '<objectgroup><object id="1" x="0" y="0" width="8" height="8"><ellipse/></object>'
        '<object id="2" x="8" y="0" width="8" height="16"><capsule/></object>'
        '<object id="3" x="4" y="8" width="4" height="4" rotation="45"/>'
        '<object id="4" x="0" y="12" width="8" height="4"/></objectgroup>'
    )
    turn = math.radians(45)
    slant = (-0.25, 2**-0.5 / 4, 0.0)
    ground = tiles(f'<tile id="0">{shapes}</tile>')
    plain, flipped = only(ground, layer("1", more='id="1"'), size=(1, 1)), only(
        ground, layer("1").replace("\n1\n", f"\n{1 | 0x80000000}\n"), size=(1, 1)
    )  # fmt: skip
    ball, pill, tilted, floor_box = plain.parts
    assert Sphere(0.25, (-0.25, -0.25)) == ball
    assert Capsule(0.25, 0.25, "y", (0.25, 0.0)) == pill
    assert (0.125, 0.125, turn, pytest.approx(slant)) == (tilted.hx, tilted.hy, tilted.rotation, tilted.offset)
    assert Box(0.25, 0.125, offset=(-0.25, 0.375)) == floor_box
    assert (Sphere(0.25, (0.25, -0.25)), Capsule(0.25, 0.25, "y", (-0.25, 0.0))) == flipped.parts[:2]
    assert (-turn, pytest.approx((0.25, *slant[1:]))) == (flipped.parts[2].rotation, flipped.parts[2].offset)
    wide = level_of(ground, objects('<object id="1" gid="1" x="0" y="16" rotation="30"/>')).things[0]
    assert {"rotation": math.radians(30)} == wide.components["Transform"]
    assert [Sphere, Capsule, OrientedBox, OrientedBox] == [type(part) for part in wide.parts]


REFUSED = {
    "an ellipse": ("<ellipse/>", 'width="32" height="16"', {}, "found an ellipse of 2 by 1 cells with Trigger"),
    "a circle on other tiles": (
        "<ellipse/>",
        'width="16" height="16"',
        {"tile": (16, 8)},
        "an ellipse of 1 by 2 cells",
    ),
    "a turn on other tiles": (
        "", 'width="16" height="16" rotation="30"', {"tile": (16, 8)}, "a rectangle turned by 30"
    ),
    "a polygon": ("<polygon points='0,0 8,0 8,8'/>", "", {}, "found a polygon with Trigger"),
}  # fmt: skip


@pytest.mark.parametrize(("inside", "more", "how", "words"), REFUSED.values(), ids=REFUSED)
def test_a_shape_that_cannot_be_solid_is_refused_with_what_can_be(inside, more, how, words):
    with pytest.raises(LevelError) as caught:
        level_of(objects(body(inside, more)), **how)
    assert words in str(caught.value)
    assert "give it a collider such as SphereCollider, or remove its components" in str(caught.value)
    if how:
        return
    thing = level_of(objects(body(inside, more, Trigger=True, SphereCollider=0.75)), **how).things[0]
    assert {"radius": 0.75} == thing.components["SphereCollider"]
    assert "SphereCollider(0.75)" == repr(parts_of(level_of(), thing, {}).collider)
