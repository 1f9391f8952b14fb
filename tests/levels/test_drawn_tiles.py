"""The tiles of Tiled and LDtk levels as their editors draw them, and the pixels of things."""

from __future__ import annotations

import json
import pickle

import pytest
from ldtk_projects import A_TILE, a_tile, changed, small_project
from tiled_maps import layer, level_of, objects, tiles, tmx

from ecs_collision import CollisionValueError, LevelError
from ecs_collision.levels import TileImage, parse_level

SET = tiles('<tile id="1" type="crate"><properties><property name="Inertia" type="int" value="1"/></properties></tile>')


def drawn(level):
    """Return the thing, layer, tile, flips and rectangle of each tile."""
    return [(each.thing, each.layer, each.image.id, each.image.flipped, each.rectangle) for each in level.tiles()]


def test_each_cell_of_a_tile_layer_names_its_thing_tile_and_pixels():
    level = level_of(SET, layer("21. 2.3", name="ground", more='offsetx="4" offsety="0.5"'), size=(3, 2))
    assert [
        ("crate 1", "ground", 1, "", (4.0, 0.5, 16.0, 16.0)),
        ("ground", "ground", 0, "", (20.0, 0.5, 16.0, 16.0)),
        ("crate 2", "ground", 1, "", (4.0, 16.5, 16.0, 16.0)),
        ("ground", "ground", 2, "", (36.0, 16.5, 16.0, 16.0)),
    ] == drawn(level)
    assert (16, 16) == level.cell_pixels
    assert (4.0, 0.5, 16.0, 16.0) == level.pixels(level["crate 1"])
    assert (20.0, 0.5, 32.0, 32.0) == level.pixels(level["ground"])
    assert drawn(level) == drawn(pickle.loads(pickle.dumps(level)))
    images = [each.image for each in level.tiles() if each.thing == "crate 1"]
    assert [TileImage("set", 1, 2, "", (16.0, 0.0, 16.0, 16.0))] == images


def test_joined_things_and_layers_above_own_their_tiles():
    joined = '<tile id="2" type="beam"><properties><property name="Inertia" type="int" value="1"/>'
    joined += '<property name="joined" type="bool" value="true"/></properties></tile>'
    level = level_of(tiles(joined), layer("1111 1111 1111", name="floor"), layer("33.3 ...3 3...", name="top"))
    assert ["beam 1", "beam 1", "beam 2", "beam 2", "beam 3"] == [
        each.thing for each in level.tiles() if each.layer == "top"
    ]
    assert {"floor"} == {each.thing for each in level.tiles() if each.layer == "floor"}


def test_the_source_of_a_tile_is_its_place_in_the_image():
    text = tmx(
        '<tileset firstgid="5" name="wide" tilewidth="16" tileheight="8" tilecount="8" columns="4" margin="1" '
        'spacing="2"><image source="a.png" width="74" height="20"/></tileset>',
        '<layer name="a" width="1" height="1"><data encoding="csv">3221225482</data></layer>', size=(1, 1),
    )  # fmt: skip
    (tile,) = parse_level(text, "tmx").tiles()
    assert TileImage("wide", 5, 10, "hv", (19.0, 11.0, 16.0, 8.0)) == tile.image
    assert (0.0, 8.0, 16.0, 8.0) == tile.rectangle


def test_tile_objects_are_drawn_where_the_editor_draws_them():
    level = level_of(
        SET, objects(
            '<object id="1" gid="2" x="32" y="32" width="24" height="8"/>',
            '<object id="2" name="plain" x="0" y="0" width="8" height="4"/>',
            '<object id="3" name="spot" x="8" y="8"/>', name="things",
        ),
    )  # fmt: skip
    assert [("crate", "things", 1, "", (32.0, 24.0, 24.0, 8.0))] == drawn(level)
    assert (32.0, 24.0, 24.0, 8.0) == level.pixels(level["crate"])
    assert (0.0, 0.0, 8.0, 4.0) == level.pixels(level["plain"])
    assert (8.0, 8.0, 0.0, 0.0) == level.pixels(level["spot"])


def test_the_chunks_of_an_infinite_map_keep_their_pixels():
    chunk = '<chunk x="-2" y="-1" width="2" height="1">0,1</chunk>'
    text = tmx(SET, f'<layer name="a"><data encoding="csv">{chunk}</data></layer>', more='infinite="1"')
    assert [("a", "a", 0, "", (-16.0, -16.0, 16.0, 16.0))] == drawn(parse_level(text, "tmx"))


def test_tiles_of_an_ldtk_level_are_listed_from_the_lowest_layer():
    tile = {**a_tile(32, 16), "t": 5, "f": 3, "src": [16, 32]}
    project = changed(small_project(), "/levels/0/layerInstances/3/gridTiles/1", tile)
    project = changed(project, "/levels/0/layerInstances/3/gridTiles/2", a_tile(320, 16))
    project = changed(project, "/levels/0/layerInstances/1/autoLayerTiles", [a_tile(0, 0), a_tile(16, 16)])
    project = changed(project, "/levels/0/layerInstances/0/entityInstances/0/__tile", A_TILE)
    level = parse_level(json.dumps(project), "ldtk")
    cell = (16.0, 16.0)
    assert [
        ("Floor", "Floor", 0, "", (16.0, 16.0, *cell)),
        ("Floor", "Floor", 5, "hv", (32.0, 16.0, *cell)),
        (None, "Floor", 0, "", (320.0, 16.0, *cell)),
        ("Grass", "Grass", 0, "", (16.0, 16.0, *cell)),
        ("wall", "Walls", 0, "", (0.0, 0.0, *cell)),
        (None, "Walls", 0, "", (16.0, 16.0, *cell)),
        ("Crate 1", "Things", -1, "", (16.0, 16.0, *cell)),
    ] == drawn(level)
    images = [each.image for each in level.tiles()]
    assert TileImage("Tileset", 5, 0, "hv", (16.0, 32.0, 16.0, 16.0)) == images[1]
    assert TileImage("Tileset", -1, 0, "", (16.0, 0.0, 16.0, 8.0)) == images[-1]
    assert (16.0, 16.0) == level.cell_pixels


def test_tiles_that_are_single_things_in_ldtk_own_their_tiles():
    level = parse_level(json.dumps(small_project()), "ldtk", kinds={"Floor": {"Inertia": 1}})
    assert ["Floor 1", "Floor 2", "Floor 2", "Grass"] == [each.thing for each in level.tiles()]


WRONG = {"t": -1, "f": 4, "src": [1], "px": [1]}


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_value_of_an_ldtk_tile_is_refused_at_its_place(key):
    project = changed(small_project(), f"/levels/0/layerInstances/3/gridTiles/1/{key}", WRONG[key])
    with pytest.raises(LevelError, match=f"/levels/0/layerInstances/3/gridTiles/1/{key}"):
        parse_level(json.dumps(project), "ldtk")


def test_a_text_level_has_pixels_only_for_a_given_cell():
    level = parse_level("legend\n$ crate: Inertia(1)\nmap\n $\n")
    assert (32.0, 0.0, 32.0, 32.0) == level.pixels(level["crate"], cell=(32, 32))
    assert [] == list(level.tiles())
    with pytest.raises(CollisionValueError, match=r"level has no pixels; give the size of a cell, as in .*cell=\(32"):
        level.pixels(level["crate"])
