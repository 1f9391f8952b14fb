"""Tiled maps that are refused: every refusal names the place, what was found, what was expected and what to do."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import sys
import tracemalloc
import zlib
from typing import Any

import pytest
from tiled_maps import SET, as_json, layer, objects, properties, tmx

from ecs_collision.errors import LevelError
from ecs_collision.levels import budget, parse_level, parse_levels
from ecs_collision.levels.source import MOST_CELLS, MOST_DEPTH
from ecs_collision.levels.tiled import tile_data

AGAIN = "correct the file, or save it again with Tiled"


def refused(text: str | bytes, form: str = "tmx", **how: Any) -> LevelError:
    """Return the refusal of a map."""
    with pytest.raises(LevelError) as problem:
        parse_levels(text, form, **how)
    return problem.value


def said(problem: LevelError) -> str:
    """Return a refusal without the name of the map, and with dots for the remedy that most have."""
    return str(problem).removeprefix("level").removeprefix(":").replace(f"; {AGAIN}", "; ...")


def packed_layer(data: bytes, compression: str = "zlib", size: str = 'width="4" height="3"') -> str:
    """Return a tile layer with this data."""
    code = base64.b64encode(data).decode()
    how = f' compression="{compression}"' if compression else ""
    return f'<layer name="a" {size}>\n<data encoding="base64"{how}>{code}</data></layer>'


ONES = struct.pack("<12I", *[1] * 12)
ZIPPED = zlib.compress(ONES)
SQUARE = '<object id="1" x="0" y="0" width="16" height="16"'
DATA = '<data encoding="csv">1,1,1,1, 1,1,1,1, 1,1,1,1</data>'
CSV = f'<layer name="a" width="4" height="3">{DATA}</layer>'
CHUNK = '<chunk x="0" y="0" width="2" height="2">1,1,1,1</chunk>'


def chunks(*inside: str) -> str:
    """Return a layer of an infinite map."""
    return '<layer name="a" width="4" height="3"><data encoding="csv">' + "\n".join(inside) + "</data></layer>"


def chunk(x: int, y: int, width: int = 2, height: int = 2) -> str:
    """Return a chunk."""
    return f'<chunk x="{x}" y="{y}" width="{width}" height="{height}">{",".join("1" * 4)}</chunk>'


MAPS = {
    "isometric": (
        tmx().replace("orthogonal", "isometric"),
        "1:1: found a map that is isometric; expected an orthogonal map, for bodies are boxes along x and y; "
        "choose orthogonal in the map's properties in Tiled",
    ),
    "no orientation": (
        tmx().replace('orientation="orthogonal"', ""),
        "1:1: found <map> without orientation; expected orientation, one of 'orthogonal', 'isometric', 'staggered', "
        "'hexagonal', 'oblique'; ...",
    ),
    "no map": ("<tileset/>", "1:1: found <tileset>; expected <map>; give a file whose root is <map>"),
    "no width": (
        tmx().replace('width="4"', ""),
        "1:1: found <map> without width; expected width, a whole number from 1 to 100000; ...",
    ),
    "a width in words": (
        tmx().replace('width="4"', 'width="four"'),
        "1:1: found width='four'; expected a whole number from 1 to 100000; ...",
    ),
    "a width of 10^9": (
        tmx(size=(10**9, 10**9)),
        "1:1: found width='1000000000'; expected a whole number from 1 to 100000; ...",
    ),
    "too many cells": (
        tmx(size=(2049, 2048)),
        f"1:1: found a map of 2049 columns and 2048 rows; expected at most 100000 a side and {MOST_CELLS} cells; "
        "divide the level",
    ),
    "too many cells in layers": (
        tmx(
            SET,
            *[packed_layer(zlib.compress(bytes(4 * 2000 * 1000)), size='width="2000" height="1000"')] * 7,
            size=(2000, 1000),
        ),
        "15:1: found 14000000 cells; expected at most 12474957, for a file of 73644 bytes may take 100000000 bytes of "
        "memory; divide the file into several",
    ),
    "tiles of no size": (
        tmx(tile=(0, 16)),
        "1:1: found tilewidth='0'; expected a whole number from 1 to 100000; ...",
    ),
    "infinite in words": (tmx(more='infinite="yes"'), "1:1: found infinite='yes'; expected 1 or 0; ..."),
    "a rule nobody knows": (
        tmx(properties(rule="chaos")),
        '2:13: found rule is \'chaos\'; it must be "each" or "sum"; expected rule as a level may have it; '
        "correct the property, or give it another name",
    ),
    "a property twice": (
        tmx(properties(a=1).replace("</p", properties(a=2)[12:-13] + "</p")),
        "2:54: found the property 'a' twice; expected every property once; ...",
    ),
    "a property of no type": (
        tmx('<properties>\n <property name="a" type="blob" value="1"/></properties>'),
        "3:2: found type='blob'; expected one of 'string', 'int', 'float', 'bool', 'color', 'file', 'object', 'class', "
        "'list'; ...",
    ),
    "a bool in words": (
        tmx('<properties><property name="a" type="bool" value="yes"/></properties>'),
        "2:13: found 'yes' as a property of type bool; expected true or false; ...",
    ),
    "a float that is none": (
        tmx('<properties><property name="a" type="float" value="nan"/></properties>'),
        "2:13: found 'nan' as a property of type float; expected a finite number; ...",
    ),
    "a colour in words": (
        tmx('<properties><property name="a" type="color" value="red"/></properties>'),
        "2:13: found 'red' as a property of type color; expected #rrggbb or #aarrggbb; ...",
    ),
    "groups too deep": (
        tmx("".join(f'\n<group name="{number}">' for number in range(40)), "</group>" * 40),
        f"35:1: found a group inside {MOST_DEPTH} others; expected fewer in each other; take groups out of others",
    ),
    "elements too deep": (
        tmx("<a>" * 70 + "</a>" * 70),
        "2:190: found <a> inside 64 others; expected fewer; make the file flatter",
    ),
}

TILES = {
    "no data": (
        tmx('<layer name="a" width="4" height="3"/>'),
        "2:1: found a layer without <data>; expected <data> with its tiles; ...",
    ),
    "data twice": (
        tmx(SET, CSV.replace("</layer>", f"\n{DATA}</layer>")),
        "4:1: found a second <data> in a <layer>; expected one; ...",
    ),
    "a tile in a tile": (
        tmx(SET, '<layer name="a" width="2" height="1"><data>', "<tile><tile/></tile></data></layer>", size=(2, 1)),
        "3:38: found 1 tiles; expected 2; ...",
    ),
    "a layer elsewhere": (
        tmx(SET, CSV.replace(' width="4"', ' x="-2" width="4"')),
        "3:1: found a layer at x = -2; expected 0, as Tiled writes it; move the layer by its offset",
    ),
    "another size": (
        tmx(SET, CSV, size=(4, 2)),
        "3:1: found a layer of 4 by 3; expected 4 by 2, the size of the map; ...",
    ),
    "an encoding nobody knows": (
        tmx(SET, CSV.replace('"csv"', '"pickle"')),
        "3:38: found encoding='pickle'; expected one of 'csv', 'base64'; ...",
    ),
    "a compression nobody knows": (
        tmx(SET, packed_layer(ZIPPED, "lzma")),
        "4:1: found compression='lzma'; expected one of '', 'zlib', 'gzip', 'zstd'; ...",
    ),
    "a number too few": (tmx(SET, CSV.replace("1,1<", "1<")), "3:38: found 11 tiles; expected 12; ..."),
    "a number too many": (tmx(SET, CSV.replace("1,1<", "1,1,1<")), "3:38: found 13 tiles; expected 12; ..."),
    "a comma too many": (
        tmx(SET, CSV.replace("1,1<", "1,<")),
        "3:83: found ''; expected a whole number from 0 to 4294967295; ...",
    ),
    "a number below nothing": (
        tmx(SET, layer("1111 1111 1111").replace("1,1,1,1,\n1,1", "1,1,1,1,\n1,-1")),
        "5:3: found '-1'; expected a whole number from 0 to 4294967295; ...",
    ),
    "two numbers without a comma": (
        tmx(SET, CSV.replace("1, 1,1,1,1, 1", "1, 1 1,1,1,1, 1")),
        "3:68: found '1 1'; expected a whole number from 0 to 4294967295; ...",
    ),
    "a number beyond 32 bits": (
        tmx(SET, CSV.replace("1,1<", "1,4294967296<")),
        "3:83: found '4294967296'; expected a whole number from 0 to 4294967295; ...",
    ),
    "other digits": (
        tmx(SET, CSV.replace("1,1<", "1,١<")),
        "3:83: found '١'; expected a whole number from 0 to 4294967295; ...",
    ),
    "a gid of no tileset": (
        tmx(SET, layer("1111 1111 1191")),
        "6:5: found the gid 9 in column 2, row 2; expected a gid of a tileset: 1 to 8; "
        "add the tileset to the map, or erase the tile",
    ),
    "a gid without any tileset": (
        tmx(layer("1... .... ....")),
        "3:1: found the gid 1 in column 0, row 0; expected no gid but 0, for there is no tileset; "
        "add the tileset to the map, or erase the tile",
    ),
    "a flag that is none": (
        tmx(SET, layer("1111 1111 1111").replace("1,1,1,1,", f"1,{0x10000001},1,1,", 1)),
        "4:3: found the gid 268435457 in column 1, row 0; expected a gid of a tileset: 1 to 8; "
        "add the tileset to the map, or erase the tile",
    ),
    "a tile element in words": (
        tmx(SET, '<layer name="a" width="4" height="3"><data>', '<tile gid="two"/></data></layer>'),
        "4:1: found gid='two'; expected a whole number from 0 to 4294967295; ...",
    ),
    "tile elements too few": (
        tmx(SET, '<layer name="a" width="4" height="3">', "<data><tile gid='1'/></data></layer>"),
        "4:1: found 1 tiles; expected 12; ...",
    ),
    "tile elements in CSV": (
        tmx(SET, CSV.replace("<data encoding", "<data encoding").replace(">1,1", "><tile/>1,1")),
        "3:38: found <tile> in data with encoding='csv'; expected one of both; ...",
    ),
    "no base64": (
        tmx(SET, packed_layer(ZIPPED).replace("eJ", "e!J")),
        "4:1: found no base64; expected base64, letters and padding in full; ...",
    ),
    "plain data too short": (
        tmx(SET, packed_layer(ONES[:-1], "")),
        "4:1: found 47 bytes of tiles; expected 48 bytes, four for each of 12 tiles; ...",
    ),
    "compressed data too short": (
        tmx(SET, packed_layer(zlib.compress(ONES[:-4]))),
        "4:1: found 44 bytes of tiles; expected 48 bytes, four for each of 12 tiles; ...",
    ),
    "compressed data too long": (
        tmx(SET, packed_layer(zlib.compress(ONES + b"\0"))),
        "4:1: found data that unpacks to more than 48 bytes; expected 48 bytes, four for each tile; ...",
    ),
    "compressed data cut": (
        tmx(SET, packed_layer(ZIPPED[:-2])),
        "4:1: found zlib data that ends early, after 48 bytes; expected 48 bytes and the end; ...",
    ),
    "compressed data and more": (
        tmx(SET, packed_layer(ZIPPED + b"xyz")),
        "4:1: found 3 bytes behind the end of the zlib data; expected nothing there; ...",
    ),
    "two members of gzip": (
        tmx(SET, packed_layer(gzip.compress(ONES, mtime=0) * 2, "gzip")),
        f"4:1: found {len(gzip.compress(ONES, mtime=0))} bytes behind the end of the gzip data; "
        "expected nothing there; ...",
    ),
    "gzip that says zlib": (
        tmx(SET, packed_layer(gzip.compress(ONES))),
        "4:1: found no zlib data, or damaged; expected zlib data as the attribute says; ...",
    ),
    "a chunk in a finite map": (
        tmx(SET, chunks(CHUNK)),
        "3:59: found a chunk in a map that is not infinite; expected all tiles together; ...",
    ),
    "tiles outside of chunks": (
        tmx(SET, CSV, more='infinite="1"'),
        "3:1: found tiles outside of chunks in an infinite map; expected chunks; ...",
    ),
    "chunks off the grid": (
        tmx(SET, chunks(chunk(0, 0), chunk(3, 2)), more='infinite="1"'),
        "4:1: found a chunk of 2 by 2 at 3, 2; expected chunks of 2 by 2 side by side, as the first; ...",
    ),
    "chunks of several sizes": (
        tmx(SET, chunks(chunk(0, 0), chunk(4, 4, 4, 1)), more='infinite="1"'),
        "4:1: found a chunk of 4 by 1 at 4, 4; expected chunks of 2 by 2 side by side, as the first; ...",
    ),
    "a chunk twice": (
        tmx(SET, chunks(chunk(2, 0), chunk(0, 0), chunk(2, 0)), more='infinite="1"'),
        "5:1: found a second chunk at 2, 0; expected one; ...",
    ),
    "chunks far apart": (
        tmx(SET, chunks(chunk(0, 0), chunk(16000, 16000)), more='infinite="1"'),
        "3:1: found chunks spread over 16002 by 16002 cells; "
        f"expected at most {MOST_CELLS} cells from the first to the last; "
        "move them together, or divide the level",
    ),
    "a gid in a chunk": (
        tmx(SET, chunks(chunk(0, 0), chunk(2, -2).replace("1,1,1,1", "1,1,\n1,9")), more='infinite="1"'),
        "5:3: found the gid 9 in column 3, row -1; expected a gid of a tileset: 1 to 8; "
        "add the tileset to the map, or erase the tile",
    ),
}

TILESETS = {
    "no first gid": (
        tmx(SET.replace('firstgid="1"', "")),
        "2:1: found <tileset> without firstgid; expected firstgid, a whole number from 1 to 268435456; ...",
    ),
    "a first gid twice": (
        tmx(SET, SET),
        "3:1: found firstgid 1 with 8 tiles, of which another tileset has some; "
        "expected tilesets with gids of their own; ...",
    ),
    "tilesets that overlap": (
        tmx(SET.replace('"1"', '"5"'), SET),
        "3:1: found firstgid 1 with 8 tiles, of which another tileset has some; "
        "expected tilesets with gids of their own; ...",
    ),
    "a tile twice": (
        tmx(SET.replace("</tileset>", '\n<tile id="1"/>\n<tile id="1"/></tileset>')),
        "4:1: found the tile 1 twice; expected every tile once; ...",
    ),
    "tiles of no size": (
        tmx(SET.replace('tilewidth="16"', 'tilewidth="0"')),
        "2:1: found tiles of 0 by 16 pixels in an image; expected at least 1 by 1; ...",
    ),
    "a shape that is no rectangle": (
        tmx(
            SET.replace(
                "</tileset>",
                '<tile id="0"><objectgroup>\n<object id="1" x="0" y="0"><polygon points="0,0 8,0 0,8"/></object>'
                "</objectgroup></tile></tileset>",
            ),
            layer("1... .... ...."),
        ),
        "3:1: found the shape polygon of a solid tile; expected rectangles, turned by 0, 90, 180 or 270 degrees; "
        "draw it of rectangles, or give the tile the property Static = false",
    ),
    "a shape that is turned": (
        tmx(
            SET.replace(
                "</tileset>", f'<tile id="0"><objectgroup>\n{SQUARE} rotation="30"/></objectgroup></tile></tileset>'
            ),
            layer("1... .... ...."),
        ),
        "3:1: found the shape rectangle turned by 30 degrees of a solid tile; "
        "expected rectangles, turned by 0, 90, 180 or 270 degrees; "
        "draw it of rectangles, or give the tile the property Static = false",
    ),
    "a shape of a template": (
        tmx(
            SET.replace(
                "</tileset>",
                '<tile id="0"><objectgroup>\n<object id="1" template="a.tx" x="0" y="0"/>'
                "</objectgroup></tile></tileset>",
            )
        ),
        "3:1: found a template as the shape of a tile; expected a shape; detach it from its template in Tiled",
    ),
    "a shape in an image of no size": (
        tmx(
            '<tileset firstgid="1" name="a" tilewidth="0" tileheight="0"><tile id="0"><image source="a.png"/>'
            f"<objectgroup>\n{SQUARE}/></objectgroup></tile></tileset>",
            layer("1... .... ...."),
        ),
        "3:1: found a shape of a tile whose size is not told; "
        "expected a tile of some size; save the tileset again with Tiled",
    ),
}

OBJECTS = {
    "no x": (tmx(objects('<object id="1" y="0"/>')), "3:1: found <object> without x; expected x, a number; ..."),
    "an x that is none": (
        tmx(objects('<object id="1" x="NaN" y="0"/>')),
        "3:1: found x='NaN'; expected a number; ...",
    ),
    "a width below nothing": (
        tmx(objects(SQUARE.replace('width="16"', 'width="-16"') + "/>")),
        "3:1: found width='-16'; expected a number from 0.0 on; ...",
    ),
    "an id twice": (
        tmx(objects(SQUARE + "/>", SQUARE + "/>")),
        "4:1: found a second object with the id 1; expected an id of its own; ...",
    ),
    "two shapes": (
        tmx(objects(SQUARE + "><ellipse/>\n<point/></object>")),
        "4:1: found <point> beside <ellipse>; expected one shape; ...",
    ),
    "a point in words": (
        tmx(objects('<object id="1" x="0" y="0"><polygon points="0,0 1;1"/></object>')),
        "3:28: found the point '1;1'; expected two numbers, as in 16,-8; ...",
    ),
    "a gid of no tileset": (
        tmx(SET, objects('<object id="1" gid="9" x="0" y="0"/>')),
        "4:1: found the gid 9; expected a gid of a tileset: 1 to 8; add the tileset, or erase the object",
    ),
    "a polygon that is a body": (
        tmx(objects(f'<object id="1" x="0" y="0">{properties(Static=True)}<polygon points="0,0 8,0 0,8"/></object>')),
        "3:1: found a polygon with Static; "
        "expected a rectangle, a point or a tile, turned by 0, 90, 180 or 270 degrees; "
        "draw it of rectangles, or take the components away",
    ),
    "an ellipse that is a body": (
        tmx(objects(f"{SQUARE}>{properties(Trigger=True)}<ellipse/></object>")),
        "3:1: found an ellipse with Trigger; "
        "expected a rectangle, a point or a tile, turned by 0, 90, 180 or 270 degrees; "
        "draw it of rectangles, or take the components away",
    ),
    "a body turned by an odd angle": (
        tmx(objects(f'{SQUARE} rotation="12.5">{properties(Inertia=1)}</object>')),
        "3:1: found a rectangle turned by 12.5 degrees with Inertia; "
        "expected a rectangle, a point or a tile, turned by 0, 90, 180 or 270 degrees; "
        "draw it of rectangles, or take the components away",
    ),
    "components that do not go together": (
        tmx(objects(f"{SQUARE}>{properties(Static=True, Inertia=1)}</object>")),
        "3:1: found Static with Inertia: a static body neither moves nor is pushed; "
        "expected components that go together; "
        "choose others; X = false takes X away",
    ),
    "a field nobody knows": (
        tmx(objects(f"{SQUARE}>\n{properties(Motion__mass=1)}</object>")),
        "4:13: found Motion has no field 'mass'; it has 'force', 'priority', 'rule', 'max_chain', 'all_or_nothing'; "
        "expected a component as it is registered; correct the property in Tiled",
    ),
    "a value nobody can use": (
        tmx(objects(f"{SQUARE}>\n{properties(Motion__force=1, Motion__priority='high')}</object>")),
        "4:65: found Motion.priority must be a whole number, not 'high'; give an int; "
        "expected a component as it is registered; correct the property in Tiled",
    ),
    "a reference to nothing": (
        tmx(objects(f'{SQUARE}><properties><property name="door" type="object" value="7"/></properties></object>')),
        "3:63: found a reference to object 7, which is not in the map; expected the id of an object of the map; "
        "choose an object again in Tiled",
    ),
    "a reference in words": (
        tmx(objects(f'{SQUARE}><properties><property name="door" type="object" value="it"/></properties></object>')),
        "3:63: found 'it' as a property of type object; expected the id of an object; ...",
    ),
}

XML = {
    "no XML": (
        '{"type": "map"}',
        "1:1: found no well-formed XML (not well-formed (invalid token)); expected XML as Tiled writes it; ...",
    ),
    "nothing": ("", "1:1: found no well-formed XML (no element found); expected XML as Tiled writes it; ..."),
    "not closed": (
        "<map>\n <layer>\n</map>",
        "3:3: found no well-formed XML (mismatched tag); expected XML as Tiled writes it; ...",
    ),
    "an attribute twice": (
        '<map\n a="1" a="1"/>',
        "2:8: found no well-formed XML (duplicate attribute); expected XML as Tiled writes it; ...",
    ),
    "a document type": (
        "<!DOCTYPE map [<!ELEMENT map ANY>]>\n<map/>",
        "1:15: found a document type; expected plain XML, which declares nothing; remove the declaration",
    ),
    "an entity": (
        '<?xml version="1.0"?>\n<!DOCTYPE map [<!ENTITY a "b">]><map name="&a;"/>',
        "2:15: found a document type; expected plain XML, which declares nothing; remove the declaration",
    ),
    "an entity nobody declared": (
        "<map>\n&nbsp;</map>",
        "2:1: found no well-formed XML (undefined entity); expected XML as Tiled writes it; ...",
    ),
    "an entity nobody declared, behind the line of old versions": (
        '<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">\n<map name="&nbsp;"/>',
        "2:1: found no well-formed XML (undefined entity); expected XML as Tiled writes it; ...",
    ),
    "another encoding": (
        '<?xml version="1.0" encoding="UTF-16"?><map/>',
        "1:1: found the encoding 'UTF-16'; expected UTF-8; save the file as UTF-8",
    ),
    "a byte that is no text": (
        b"<map \xff/>",
        "1:6: found the byte 0xff; expected text in UTF-8; save the file as UTF-8",
    ),
}

TABLE = {
    f"{name}: {fault}": case
    for name, table in {"map": MAPS, "tiles": TILES, "tilesets": TILESETS, "objects": OBJECTS, "XML": XML}.items()
    for fault, case in table.items()
}


@pytest.mark.parametrize(("text", "message"), TABLE.values(), ids=TABLE)
def test_a_map_is_refused_at_its_fault(text, message):
    problem = refused(text)
    assert message == said(problem)
    assert (problem.line, problem.column) == tuple(map(int, message.split(":")[:2]))


# In JSON: the same faults, told by JSON pointers.

GOOD = json.loads(
    as_json(
        tmx(
            properties(rule="sum"), SET.replace("</tileset>", '<tile id="0" type="wall"/></tileset>'),
            layer("1111 1..1 1111"),
            f'<group name="g">{objects(SQUARE + ">" + properties(Inertia=1.0) + "</object>")}</group>',
        )
    )
)  # fmt: skip
FIRST = "/layers/1/layers/0/objects/0"

POINTERS = {
    "another type": ("/type", "tileset", "/type: found a tileset; expected a map; give a file whose type is map"),
    "an isometric map": (
        "/orientation",
        "isometric",
        "/orientation: found a map that is isometric; expected an orthogonal map, for bodies are boxes along x and y; "
        "choose orthogonal in the map's properties in Tiled",
    ),
    "a fraction for a width": ("/width", 4.0, "/width: found 4.0; expected a whole number from 1 to 100000; ..."),
    "null": ("/tileheight", None, "/tileheight: found null; expected a value, or nothing at all; ..."),
    "no layers": ("/layers", ..., "/layers: found nothing; expected an array; ..."),
    "layers that are none": ("/layers", {}, "/layers: found an object; expected an array; ..."),
    "a layer nobody knows": (
        "/layers/0/type",
        "sound",
        "/layers/0/type: found the text 'sound'; "
        "expected one of 'tilelayer', 'objectgroup', 'imagelayer', 'group'; ...",
    ),
    "a layer of another size": (
        "/layers/0/height",
        4,
        "/layers/0/height: found a layer of 4 by 4; expected 4 by 3, the size of the map; ...",
    ),
    "a tile too few": (
        "/layers/0/data",
        [1] * 11,
        "/layers/0/data: found an array of 11; expected an array of 12; ...",
    ),
    "a tile that is true": (
        "/layers/0/data/3",
        True,
        "/layers/0/data/3: found true; expected a whole number from 0 to 4294967295; ...",
    ),
    "a tile of no tileset": (
        "/layers/0/data/6",
        9,
        "/layers/0/data/6: found the gid 9 in column 2, row 1; expected a gid of a tileset: 1 to 8; "
        "add the tileset to the map, or erase the tile",
    ),
    "data in words": ("/layers/0/data", "1,1", "/layers/0/data: found the text '1,1'; expected an array; ..."),
    "a first gid twice": (
        "/tilesets",
        [*GOOD["tilesets"], *GOOD["tilesets"]],
        "/tilesets/1/firstgid: found firstgid 1 with 8 tiles, of which another tileset has some; "
        "expected tilesets with gids of their own; ...",
    ),
    "a setting of the world": (
        "/properties/0/value",
        "chaos",
        '/properties/0/value: found rule is \'chaos\'; it must be "each" or "sum"; '
        "expected rule as a level may have it; correct the property, or give it another name",
    ),
    "an object without x": (f"{FIRST}/x", ..., f"{FIRST}/x: found nothing; expected a number; ..."),
    "a name that is a number": (f"{FIRST}/name", 3, f"{FIRST}/name: found 3; expected a text; ..."),
    "a component nobody can use": (
        f"{FIRST}/properties/0/value",
        -1,
        f"{FIRST}/properties/0/value: found Inertia.value is -1.0, but it must not be negative; 0 is the least; "
        "expected a component as it is registered; correct the property in Tiled",
    ),
    "a property that is an array": (
        f"{FIRST}/properties/0/value",
        [1],
        f"{FIRST}/properties/0/value: found an array of 1; expected a number; ...",
    ),
    "a polygon that is a body": (
        f"{FIRST}/polygon",
        [{"x": 0, "y": 0}],
        f"{FIRST}: found a polygon with Inertia; "
        "expected a rectangle, a point or a tile, turned by 0, 90, 180 or 270 degrees; "
        "draw it of rectangles, or take the components away",
    ),
}


def changed(pointer: str, value: Any) -> str:
    """Return the good map with another value at a pointer; `...` takes it away."""
    root = json.loads(json.dumps(GOOD))
    *way, last = pointer.split("/")[1:]
    node = root
    for key in way:
        node = node[int(key)] if isinstance(node, list) else node[key]
    if value is ...:
        del node[last]
    else:
        node[int(last) if isinstance(node, list) else last] = value
    return json.dumps(root)


@pytest.mark.parametrize(("pointer", "value", "message"), POINTERS.values(), ids=POINTERS)
def test_a_map_in_json_is_refused_at_its_fault(pointer, value, message):
    problem = refused(changed(pointer, value), "tmj")
    assert f" at {message}" == said(problem)
    assert message.split(": ")[0] == problem.pointer


def test_a_map_in_json_that_is_whole_is_read():
    assert ["wall", "object"] == [thing.kind for thing in parse_level(changed("/width", 4), "tmj").things]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"width": 1, "width": 2}', " at /width: found the key 'width' twice; expected every key once; ..."),
        ('{"width": NaN}', " at /width: found NaN; expected a finite number; ..."),
        ("[]", " at the root: found an array of 0; expected an object; ..."),
    ],
)
def test_json_that_is_no_map_is_refused(text, message):
    assert message == said(refused(text, "tmj"))


# What a map may cost.


def bomb(compression: str, size: int) -> bytes:
    """Return many zeros, compressed."""
    if compression == "zstd":
        return pytest.importorskip("zstandard").ZstdCompressor().compress(bytes(size))
    return {"zlib": zlib.compress, "gzip": gzip.compress}[compression](bytes(size))


@pytest.mark.parametrize("compression", ["zlib", "gzip", "zstd"])
def test_a_bomb_is_never_unpacked(compression):
    text = tmx(SET, packed_layer(bomb(compression, 2**27), compression))
    tracemalloc.start()
    try:
        assert "data that unpacks to more than 48 bytes" == refused(text).found
        assert tracemalloc.get_traced_memory()[1] < 4 * 2**20
    finally:
        tracemalloc.stop()


def test_a_frame_of_zstd_that_does_not_tell_its_size_is_never_unpacked():
    zstandard = pytest.importorskip("zstandard")
    stream = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    data = stream.compress(bytes(2**24)) + stream.flush()
    assert refused(tmx(SET, packed_layer(data, "zstd"))).found.startswith("no zstd data")


@pytest.mark.parametrize("data", [b"", b"no zstd", "half", "more"])
def test_zstd_is_whole_and_alone(data):
    whole = pytest.importorskip("zstandard").ZstdCompressor().compress(ONES)
    data = {"half": whole[:-3], "more": whole + b"more"}.get(data, data)
    assert refused(tmx(SET, packed_layer(data, "zstd"))).found.startswith("no zstd data")


def test_zstd_without_its_module_is_refused_with_the_way_out(monkeypatch):
    monkeypatch.setattr(tile_data, "zstandard", None)
    assert (
        "4:1: found zstd data, and no module zstandard to read it; expected zlib or gzip; "
        "pip install zstandard, or choose zlib in the map's properties in Tiled"
    ) == said(refused(tmx(SET, packed_layer(ONES, "zstd"))))


def test_xml_without_its_module_is_refused_with_the_way_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "defusedxml.ElementTree", None)
    assert (
        " found XML, and no module defusedxml to read it; expected defusedxml; pip install 'ecs-collision[levels]'"
    ) == said(refused(tmx()))


def test_what_is_cut_into_too_many_boxes_is_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr(budget, "ROOM", 1_000_000)
    side = 100
    rows = struct.pack("<2I", 1, 0) * (side // 2) + struct.pack("<2I", 0, 1) * (side // 2)
    board = rows * (side // 2)
    text = tmx(SET, packed_layer(zlib.compress(board), size=f'width="{side}" height="{side}"'), size=(side, side))
    problem = refused(text)
    assert ("5000 boxes", 3) == (problem.found, problem.line)


def test_cells_of_their_own_are_counted_before_they_are_made():
    cells = packed_layer(zlib.compress(struct.pack("<I", 1) * 10**6), size='width="1000" height="1000"')
    crates = cells.replace(">\n", f">{properties(Inertia=1)}\n", 1)
    assert "1000000 things" == refused(tmx(SET, crates, size=(1000, 1000))).found


def test_a_map_of_the_largest_size_is_read():
    side = 2048
    data = packed_layer(zlib.compress(struct.pack("<I", 1) * side * side, 1), size=f'width="{side}" height="{side}"')
    level = parse_level(tmx(SET, data, size=(side, side)), "tmx")
    assert (side * side, 1) == (level["a"].properties["cells"], len(level["a"].boxes))


def test_what_things_say_is_counted_for_each_of_them():
    many = "".join(f'<property name="p{number}" value="1"/>' for number in range(999))
    crate = f'<tile id="0"><properties>{many}<property name="Inertia" type="int" value="1"/></properties></tile>'
    cells = packed_layer(zlib.compress(struct.pack("<I", 1) * 10**4), size='width="100" height="100"')
    text = tmx(SET.replace("</tileset>", f"{crate}</tileset>"), cells, size=(100, 100))
    assert " values" in refused(text).found
    text = tmx(SET.replace("</tileset>", f"{crate}</tileset>"), objects(*['<object gid="1" x="0" y="0"/>'] * 3000))
    assert " values" in refused(text).found
