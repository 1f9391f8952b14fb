"""Contradictory LDtk projects that are not in hostile/ldtk_cases.py."""

from __future__ import annotations

import pytest
from ldtk_projects import (
    A_TILE,
    a_level,
    an_entity,
    changed,
    entities_of,
    entity_def,
    refused,
    small_project,
)

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
