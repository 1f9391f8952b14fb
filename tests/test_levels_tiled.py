"""Tiled maps: what their layers, objects, tiles and properties become, in XML and in JSON alike."""

from __future__ import annotations

import base64
import gzip
import struct
import zlib
from math import floor

import pytest
from tiled_maps import SET, layer, level_of, objects, only, properties, tiles

from ecs_collision import Box, CollisionWorld
from ecs_collision.levels import spawn

CELL = (Box(0.5, 0.5),)


def cells_of(thing):
    """Return the cells (column, row) a thing of whole cells fills."""
    x, y, _ = thing.position
    found = set()
    for box in thing.boxes:
        left, top = x + box.offset[0] - box.hx, y + box.offset[1] - box.hy
        cells = {(floor(left) + i, floor(top) + j) for i in range(int(2 * box.hx)) for j in range(int(2 * box.hy))}
        assert cells and not cells & found
        found |= cells
    return found


# Objects.


def test_a_rectangle_is_a_box_about_its_middle():
    thing = only(objects('<object id="1" name="gate" type="door" x="16" y="8" width="32" height="16"/>'))
    assert ("gate", "door", (2.0, 1.0, 0.0), (Box(1.0, 0.5),)) == (thing.name, thing.kind, thing.position, thing.boxes)
    assert {"layer": "things"} == thing.properties
    assert not thing.is_body


def test_a_tile_is_one_wide_and_one_high_whatever_its_pixels():
    thing = only(objects('<object id="1" x="20" y="10" width="40" height="5"/>'), tile=(20, 10))
    assert ((2.0, 1.25, 0.0), (Box(1.0, 0.25),)) == (thing.position, thing.boxes)


@pytest.mark.parametrize(
    ("rotation", "position", "half"),
    [(0, (2.0, 1.5), (1.0, 0.5)), (90, (0.5, 2.0), (0.5, 1.0)), (180, (0.0, 0.5), (1.0, 0.5)),
     (-90, (1.5, 0.0), (0.5, 1.0)), (270, (1.5, 0.0), (0.5, 1.0)), (-360, (2.0, 1.5), (1.0, 0.5))],
)  # fmt: skip
def test_a_rectangle_is_turned_about_its_corner(rotation, position, half):
    thing = only(objects(f'<object id="1" x="16" y="16" width="32" height="16" rotation="{rotation}"/>'))
    assert ((*position, 0.0), (Box(*half),)) == (thing.position, thing.boxes)


@pytest.mark.parametrize("shape", ["<point/>", ""])
def test_a_point_is_a_cell_about_it_once_it_is_a_body(shape):
    plain, body = level_of(
        objects(
            f'<object id="1" type="mark" x="24" y="8">{shape}</object>',
            f'<object id="2" type="player" x="24" y="8">{properties(Motion=True)}{shape}</object>',
        )
    ).things
    assert ("point", (1.5, 0.5, 0.0), ()) == (plain.properties["shape"], plain.position, plain.boxes)
    assert ((1.5, 0.5, 0.0), CELL) == (body.position, body.boxes)


@pytest.mark.parametrize(
    ("inside", "facts"),
    [
        ("<ellipse/>", {"shape": "ellipse", "width": 2.0, "height": 1.0}),
        ("<capsule/>", {"shape": "capsule", "width": 2.0, "height": 1.0}),
        ("<text wrap='1'>Push!</text>", {"shape": "text", "text": "Push!", "width": 2.0, "height": 1.0}),
    ],
)
def test_round_things_and_texts_are_scenery_with_a_middle(inside, facts):
    thing = only(objects(f'<object id="1" x="16" y="16" width="32" height="16">{inside}</object>'))
    assert ((2.0, 1.5, 0.0), (), {"layer": "things", **facts}) == (thing.position, thing.boxes, thing.properties)


@pytest.mark.parametrize("shape", ["polygon", "polyline"])
def test_polygons_are_scenery_with_their_points_in_cells(shape):
    thing = only(objects(f'<object id="1" x="16" y="32"><{shape} points="0,0 32,-8 -16,4.5"/></object>'))
    assert ((1.0, 2.0, 0.0), ()) == (thing.position, thing.boxes)
    points = ((0.0, 0.0), (2.0, -0.5), (-1.0, 0.28125))
    assert {"layer": "things", "shape": shape, "points": points} == thing.properties


def test_a_rectangle_turned_by_an_odd_angle_is_scenery():
    thing = only(objects('<object id="1" x="16" y="16" width="32" height="16" rotation="45"/>'))
    assert ((1.0, 1.0, 0.0), ()) == (thing.position, thing.boxes)
    assert {"layer": "things", "rotation": 45.0, "width": 2.0, "height": 1.0} == thing.properties


def test_a_tile_object_stands_on_its_lower_left_corner_and_is_as_large_as_its_tile():
    big = '<tileset firstgid="1" name="big" tilewidth="32" tileheight="48" tilecount="2"><image source="a"/></tileset>'
    flipped = '<object id="2" gid="2147483649" x="0" y="16" width="16" height="16"/>'
    drawn, scaled = level_of(big, objects('<object id="1" gid="2" x="16" y="48"/>', flipped)).things
    assert ((2.0, 1.5, 0.0), (Box(1.0, 1.5),)) == (drawn.position, drawn.boxes)
    assert {"layer": "things", "tileset": "big", "tile": 1} == drawn.properties
    assert ((0.5, 0.5, 0.0), CELL, "h") == (scaled.position, scaled.boxes, scaled.properties["flipped"])


def test_names_are_kept_where_they_are_unique_and_numbered_where_not():
    kinds = ["a/crate", "/crate", "/crate", "guard/npc", "guard/npc", "/", "crate/wall", "/crate"]
    written = [
        f'<object id="{number}" name="{text.split("/")[0]}" type="{text.split("/")[1]}" x="0" y="0"/>'
        for number, text in enumerate(kinds, 1)
    ]
    expected = ["a", "crate 1", "crate 2", "guard 1", "guard 2", "object", "crate", "crate 3"]
    assert expected == [thing.name for thing in level_of(objects(*written)).things]


@pytest.mark.parametrize("attribute", ["type", "class"])
def test_a_class_is_a_kind_in_either_spelling(attribute):
    assert "door" == only(objects(f'<object id="1" {attribute}="door" x="0" y="0"/>')).kind


def test_offsets_of_layers_and_groups_add_up():
    inner = objects('<object id="1" x="0" y="0" width="16" height="16"/>', more='offsetx="16" offsety="-8"')
    tiles = layer("1... .... ....", more='offsetx="8"')
    thing, ground = level_of(SET, f'<group offsetx="32" offsety="16">{inner}{tiles}</group>').things
    assert ((3.5, 1.0, 0.0), (3.0, 1.5, 0.0)) == (thing.position, ground.position)


def test_what_is_hidden_says_so():
    inner = objects('<object id="2" x="0" y="0"/>') + layer("1... .... ....")
    one = objects('<object id="1" x="0" y="0" visible="0"/>')
    hidden = level_of(SET, one, f'<group visible="0">{inner}</group>').things
    assert [False] * 3 == [thing.properties["visible"] for thing in hidden]


# Tile layers.


def test_a_layer_without_components_is_scenery_of_few_boxes():
    thing = only(SET, layer("1123 1..3 ...."))
    assert ("ground", "ground", False) == (thing.name, thing.kind, thing.is_body)
    assert {(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (3, 1)} == cells_of(thing)
    assert (3, {"layer": "ground", "cells": 6}) == (len(thing.boxes), thing.properties)


def test_a_layer_with_components_is_one_body():
    level = level_of(SET, layer("1111 1..1 1111", properties(Static=True), name="walls"))
    world = CollisionWorld()
    ids = spawn(level, world)
    assert ["walls"] == list(ids)
    assert world.space.at(0.5, 1.5) == [ids["walls"]]
    assert world.space.at(1.5, 1.5) == []


def test_cells_are_divided_by_what_their_tiles_say():
    drawn = tiles('<tile id="0" type="wall"/>', f'<tile id="1">{properties(door=True)}</tile>')
    wall, door, rest = level_of(drawn, layer("1124 1..3 ....")).things
    assert (["wall", "ground 1", "ground 2"]) == [wall.name, door.name, rest.name]
    assert ({(0, 0), (1, 0), (0, 1)}, {(2, 0)}, {(3, 0), (3, 1)}) == tuple(map(cells_of, (wall, door, rest)))
    assert (True, None) == (door.properties["door"], rest.properties.get("door"))


def test_cells_that_can_be_pushed_are_bodies_of_their_own():
    crates = tiles(f'<tile id="0" type="crate">{properties(Inertia=1.0)}</tile>')
    things = level_of(crates, layer("1.1. .1.. ....")).things
    assert [("crate 1", (0.5, 0.5, 0.0)), ("crate 2", (2.5, 0.5, 0.0)), ("crate 3", (1.5, 1.5, 0.0))] == [
        (thing.name, thing.position) for thing in things
    ]
    assert all(thing.boxes == CELL and thing.components == {"Inertia": {"value": 1.0}} for thing in things)


def test_joined_cells_are_one_body_for_each_part_that_hangs_together():
    beams = tiles(f'<tile id="0" type="beam">{properties(Inertia=2.0, joined=True)}</tile>')
    one, other = level_of(beams, layer("11.1 .1.1 .1..")).things
    assert ({(0, 0), (1, 0), (1, 1), (1, 2)}, {(3, 0), (3, 1)}) == (cells_of(one), cells_of(other))
    assert ("beam 1", (0.5, 0.5, 0.0)) == (one.name, one.position)


def test_single_cells_of_a_wall_are_bodies_of_their_own():
    level = level_of(SET, layer("11.. .... ....", properties(Static=True, single=True)))
    assert ["ground 1", "ground 2"] == [thing.name for thing in level.things]


def test_an_empty_layer_is_listed_and_is_no_thing():
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


def test_an_infinite_map_keeps_its_coordinates():
    chunks = [(-2, 0, "1,1,\n0,0"), (4, -2, "0,0,0,2")]
    data = "".join(f'<chunk x="{x}" y="{y}" width="2" height="2">{gids}</chunk>' for x, y, gids in chunks)
    tiles = f'<layer name="a" width="4" height="3"><data encoding="csv">{data}</data></layer>'
    one = objects('<object id="1" name="it" x="-16" y="-32" width="16" height="16"/>')
    level = level_of(SET, tiles, one, more='infinite="1"')
    assert {(-2, 0), (-1, 0), (5, -1)} == cells_of(level["a"])
    assert ((8, 4), (-2, -2)) == (level.size, level.properties["origin"])
    assert (-0.5, -1.5, 0.0) == level["it"].position
