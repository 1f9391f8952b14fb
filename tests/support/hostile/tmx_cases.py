"""Hostile Tiled maps in XML."""

from __future__ import annotations

import base64
import gzip
import struct
import zlib
from typing import Any

from hostile.cases import TILESET, Case, Many, changed, given


def packed(gids: list[int], squeeze: Any = zlib.compress) -> str:
    """Return a layer as Tiled packs it."""
    return base64.b64encode(squeeze(struct.pack(f"<{len(gids)}I", *gids))).decode()


PLAIN = [0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 3]
PACKED = packed(PLAIN)
GOOD = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.10.2" orientation="orthogonal" renderorder="right-down" width="4" height="3" \
tilewidth="16" tileheight="16" infinite="0" nextlayerid="9" nextobjectid="9">
 <properties>
  <property name="rule" value="sum"/>
  <property name="depth" type="int" value="7"/>
  <property name="light" type="float" value="0.5"/>
  <property name="map colour" type="color" value="#ff102030"/>
 </properties>
 <tileset firstgid="1" name="ground" tilewidth="16" tileheight="16" tilecount="4" columns="2">
  <image source="ground.png" width="32" height="32"/>
  <tile id="1" type="wall">
   <properties>
    <property name="Static" type="bool" value="true"/>
   </properties>
  </tile>
 </tileset>
 <tileset firstgid="5" source="sets/more.tsx"/>
 <layer id="1" name="walls" width="4" height="3">
  <data encoding="csv">
1,0,2,3,
0,0,4,4,
2147483650,5,6,0
</data>
 </layer>
 <layer id="2" name="bits" width="4" height="3">
  <data encoding="base64" compression="zlib">{PACKED}</data>
 </layer>
 <layer id="3" name="dots" width="4" height="3">
  <data><tile gid="2"/><tile/><tile/><tile/><tile/><tile/><tile/><tile/><tile/><tile/><tile/><tile gid="1"/></data>
 </layer>
 <group id="4" name="inner">
  <objectgroup id="5" name="things">
   <object id="1" name="hero" type="player" x="16" y="0" width="16" height="16">
    <properties>
     <property name="Motion" type="class" propertytype="Motion">
      <properties>
       <property name="force" type="float" value="1.5"/>
      </properties>
     </property>
    </properties>
   </object>
   <object id="2" name="mark" type="spot" x="40" y="20"><point/></object>
   <object id="3" template="crate.tx" x="0" y="32"/>
   <object id="4" type="box" x="32" y="16" width="24" height="8"><properties>
     <property name="Inertia" type="float" value="2"/></properties></object>
  </objectgroup>
 </group>
</map>
"""
TEMPLATE = b"""\
<?xml version="1.0" encoding="UTF-8"?>
<template>
 <object type="crate" width="16" height="16">
  <properties>
   <property name="Inertia" type="float" value="1"/>
  </properties>
 </object>
</template>
"""
FILES = {"sets/more.tsx": TILESET, "crate.tx": TEMPLATE}


MORE = """\
<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="4" height="4" tilewidth="16" tileheight="16" infinite="1">
 <tileset firstgid="1" name="ground" tilewidth="16" tileheight="16" tilecount="4" columns="2" objectalignment="center">
  <image source="ground.png" width="32" height="32"/>
  <tile id="1" type="ramp">
   <objectgroup><object id="1" x="0" y="8" width="16" height="8"/></objectgroup>
  </tile>
  <tile id="2" type="coin"><properties><property name="Trigger" type="bool" value="true"/></properties></tile>
 </tileset>
 <tileset firstgid="5" source="sets/more.tsx"/>
 <layer id="1" name="floor" offsetx="8" opacity="0.5" width="4" height="4">
  <properties><property name="Static" type="bool" value="true"/></properties>
  <data encoding="csv">
   <chunk x="-2" y="0" width="2" height="2">1,2,1,0</chunk>
   <chunk x="0" y="0" width="2" height="2">0,1,3,1</chunk>
  </data>
 </layer>
 <objectgroup id="2" name="things" offsety="-16">
  <object id="1" type="plank" x="16" y="16" width="32" height="8" rotation="90"/>
  <object id="2" gid="6" type="sign" x="8" y="8" width="16" height="24" rotation="-90"/>
  <object id="3" template="coin.tx" x="20" y="4"/>
  <object id="4" type="ball" x="3" y="3" width="8" height="8"><ellipse/></object>
  <object id="5" type="path" x="3" y="3"><polygon points="0,0 8,0 8,8"/></object>
  <object id="6" type="door" name="exit" x="48" y="48" width="16" height="16">
   <properties><property name="opens" type="object" value="1"/><property name="Motion.force" type="int" value="2"/></properties>
  </object>
  <object id="7" gid="3221225474" x="32" y="32" width="16" height="16"/>
 </objectgroup>
</map>
"""
COIN = b"""\
<?xml version="1.0" encoding="UTF-8"?>
<template>
 <tileset firstgid="1" source="sets/more.tsx"/>
 <object name="penny" type="coin" gid="1" width="16" height="16"/>
</template>
"""


def more_case() -> Case:
    return Case(
        "another good Tiled map", "level.tmx", {"level.tmx": MORE.encode(), **FILES, "coin.tx": COIN}, accepted="yes"
    )


def good_case() -> Case:
    return Case("a good Tiled map", "level.tmx", {"level.tmx": GOOD.encode(), **FILES}, accepted="yes")


def odd(name: str, old: str, new: str | Many, *says: str, **more: Any) -> Case:
    more["files"] = {**FILES, **more.get("files", {})}
    return changed(name, "level.tmx", GOOD, old, new, *says, **more)


def raw(name: str, text: str | bytes | Many, *says: str, **more: Any) -> Case:
    return given(name, "level.tmx", text, *says, files=FILES, **more)


def tileset(name: str, text: bytes, *says: str, **more: Any) -> Case:
    """Return the good map with another tileset file."""
    more.setdefault("file", "sets/more.tsx")
    files = {"level.tmx": GOOD.encode(), **FILES, "sets/more.tsx": text, **more.pop("files", {})}
    return Case(name, "level.tmx", files, says, **more)


def template(name: str, text: bytes, *says: str, **more: Any) -> Case:
    """Return the good map with another template file."""
    more.setdefault("file", "crate.tx")
    files = {"level.tmx": GOOD.encode(), **FILES, "crate.tx": text, **more.pop("files", {})}
    return Case(name, "level.tmx", files, says, **more)


def cases() -> list[Case]:
    return [*number_cases(), *xml_cases(), *map_cases(), *data_cases(), *object_cases(), *other_file_cases()]


def number_cases() -> list[Case]:
    """Return every number of the format that is not quite one."""
    sizes = {
        "10^9": "1000000000", "10^400": "1" + "0" * 400, "minus three": "-3", "zero": "0", "a fraction": "3.0",
        "underscores": "1_0", "full-width digits": "４", "spaces": " 4 ", "a sign": "+4", "nan": "nan", "nothing": "",
    }  # fmt: skip
    places = {
        "nan": "nan", "infinity": "inf", "10^999": "1e999", "a comma": "1,5", "underscores": "1_6",
        "full-width digits": "１６", "spaces": " 16", "words": "left", "nothing": "", "10^30": "1e30",
        "four thousand digits": "1" * 4000,
    }  # fmt: skip
    whole = {**sizes, "minus three": "3.5", "zero": "x", "10^9": "1e2"}
    return [
        *(odd(f"a width of {name}", 'width="4"', f'width="{text}"') for name, text in sizes.items()),
        *(odd(f"an x of {name}", 'x="16"', f'x="{text}"') for name, text in places.items()),
        *(odd(f"an integer property of {name}", 'type="int" value="7"', f'type="int" value="{text}"') for name, text in whole.items()),
    ]  # fmt: skip


BOMB = '<!DOCTYPE map [<!ENTITY a "lol">' + "".join(
    f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(9)
) + "]>"  # fmt: skip


def declared(text: str) -> str:
    """Return the good map with a document type before its root."""
    return GOOD.replace("<map ", text + "\n<map ", 1)


def xml_cases() -> list[Case]:
    use = GOOD.replace('value="sum"', 'value="&j;"')
    return [
        raw("a billion laughs", use.replace("<map ", BOMB + "\n<map ", 1), "found a document type; expected XML without declarations; remove the declaration", line=2),
        raw("an external entity", use.replace("<map ", '<!DOCTYPE map [<!ENTITY j SYSTEM "../secret.txt">]>\n<map ', 1), line=2),
        raw("an external document type", declared('<!DOCTYPE map SYSTEM "../secret.txt">'), line=2),
        raw("an undeclared entity, behind the document type of old versions", declared('<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">').replace("sum", "&nbsp;"),
            "found malformed XML (undefined entity)", line=5),
        odd("an undeclared entity", "sum", "&nbsp;", "found malformed XML (undefined entity); expected XML as Tiled writes it; ..."),
        odd("a character no XML may hold", "sum", "&#27;[2J"),
        odd("a raw terminal sequence", "sum", "\x1b[2J", "found malformed XML (not well-formed (invalid token)); expected XML as Tiled writes it; ...", "found malformed XML (not well-formed (invalid token)); expected XML as Tiled writes it; ..."),
        odd("a C1 control by its number", "hero", "&#x9b;2J"),
        odd("a name from right to left", "hero", "&#x202e;oreh"),
        odd("an attribute twice", 'width="4"', 'width="4" width="4"', "found malformed XML (duplicate attribute); expected XML as Tiled writes it; ..."),
        odd("an element not closed", " </group>\n", "", "found malformed XML (mismatched tag); expected XML as Tiled writes it; ..."),
        odd("words between elements", "<group ", "words<group ", accepted="either"),
        raw("a document cut in the middle", GOOD[: len(GOOD) // 2]),
        raw("no element", '<?xml version="1.0" encoding="UTF-8"?>\n', "found malformed XML (no element found); expected XML as Tiled writes it; ..."),
        raw("an empty map file", "", whole=True),
        raw("a root of a million letters", Many("a", 1_000_000, "<", "/>"), line=1),
        raw("a tileset for a map", TILESET, "tileset", "found <tileset>; expected <map>; give a file whose root is <map>", line=1),
        raw("JSON for a map", '{"type": "map"}'),
        raw("a map in Latin-1", GOOD.replace("UTF-8", "ISO-8859-1").replace("hero", "h\xe9ro").encode("latin-1"), accepted="either"),
        raw("a map in Latin-1 that says UTF-8", GOOD.replace("hero", "h\xe9ro").encode("latin-1")),
        raw("a map in UTF-16", GOOD.replace("UTF-8", "UTF-16").encode("utf-16"), "found the byte 0xff; expected text in UTF-8; save the file as UTF-8"),
        raw("a map in UTF-7", GOOD.replace("UTF-8", "UTF-7"), "found the encoding 'UTF-7'; expected UTF-8; save the file as UTF-8", line=1),
        raw("a map with a byte order mark", b"\xef\xbb\xbf" + GOOD.encode(), accepted="yes"),
        raw("a map with line ends of Windows", GOOD.replace("\n", "\r\n"), accepted="yes"),
        raw("a blank before the declaration", " " + GOOD),
        raw("groups in groups, fifty", GOOD.replace("</map>", '<group name="g">' * 50 + "</group>" * 50 + "</map>"), "found a group inside 32 others; expected fewer nested groups; move groups out of other groups"),
        odd("groups in groups, a hundred thousand", "</map>", Many('<group name="g">', 100_000, after="</group>" * 100_000 + "</map>")),
        raw("unclosed elements in elements", Many("<a>", 200_000, "<map>"), "found <a> inside 64 others; expected fewer; make the file flatter"),
        odd("an attribute of eight million letters", "sum", Many("a", 8_000_000), accepted="either"),
        raw("fifty thousand attributes", GOOD.replace('width="4"', 'width="4" ' + " ".join(f'a{i}="1"' for i in range(50_000))),
            accepted="either"),
        given("a map over 16 MiB", "level.tmx", Many(" ", 17 * 2**20), "bytes", whole=True),
    ]  # fmt: skip


def map_cases() -> list[Case]:
    return [
        odd("an isometric map", '"orthogonal"', '"isometric"', "isometric", "found a map that is isometric; expected an orthogonal map; choose orthogonal in the map's properties in Tiled"),
        odd("no orientation", 'orientation="orthogonal" ', "", "found <map> without orientation; expected orientation, one of 'orthogonal', 'isometric', 'staggered', 'hexagonal', 'oblique'; ..."),
        odd("no width", 'width="4" ', "", "width", "found <map> without width; expected width, a whole number from 1 to 100000; ..."),
        odd("a map of five million cells", 'width="4" height="3"', 'width="2500" height="2000"', "found a map of 2500 columns and 2000 rows; expected at most 100000 a side and 4194304 cells; split the level"),
        odd("a map of 10^18 cells", 'width="4" height="3"', 'width="1000000000" height="1000000000"', "found width='1000000000'; expected a whole number from 1 to 100000; ..."),
        odd("an infinite map that has no chunks", 'infinite="0"', 'infinite="1"', "found tiles outside chunks in an infinite map; expected chunks; ...", line=None),
        odd("an unknown infinity", 'infinite="0"', 'infinite="yes"', "found infinite='yes'; expected 1 or 0; ..."),
        odd("a first gid of an earlier tileset", 'firstgid="5"', 'firstgid="1"', "found firstgid 1 with 4 tiles, some of which belong to another tileset; expected tilesets without common gids; ..."),
        odd("no first gid", 'firstgid="5" ', "", "firstgid", "found <tileset> without firstgid; expected firstgid, a whole number from 1 to 268435456; ..."),
        odd("a tile beyond its tileset", '<tile id="1"', '<tile id="400000000000"', "found id='400000000000'; expected a whole number from 0 to 268435455; ..."),
        odd("a layer wider than its map", 'name="walls" width="4"', 'name="walls" width="5"', "5", "found a layer of 5 by 3; expected 4 by 3, the size of the map; ..."),
        odd("a layer without a name", 'id="1" name="walls"', 'id="1"', accepted="yes"),
        odd("a layer without data", f'<data encoding="base64" compression="zlib">{PACKED}</data>', "", "found a layer without <data>; expected <data> with its tiles; ...", line=None),
        odd("a layer with data twice", "<data><tile", "<data><tile/></data><data><tile", "found a second <data> in a <layer>; expected one; ...", line=None),
        odd("a property that is a file outside", 'type="int" value="7"', 'type="file" value="../secret.txt"', accepted="either"),
        odd("an unknown property of a type", 'type="int" value="7"', 'type="python" value="7"', "python", "found type='python'; expected one of 'string', 'int', 'float', 'bool', 'color', 'file', 'object', 'class', 'list'; ..."),
        odd("a property twice", 'name="depth"', 'name="rule"', "rule", "found the property 'rule' twice; expected every property once; ..."),
        odd("a boolean that is none", 'type="bool" value="true"', 'type="bool" value="1"', "found '1' as a property of type bool; expected true or false; ..."),
        odd("a colour that is none", "#ff102030", "javascript:0", "found 'javascript:0' as a property of type color; expected #rrggbb or #aarrggbb; ..."),
        odd("an unknown rule in a map", "sum", "chaos", "chaos", "rule is 'chaos'; it must be \"each\" or \"sum\""),
        odd("an image outside the folder", 'source="ground.png"', 'source="../../../etc/passwd"', accepted="either"),
    ]  # fmt: skip


def data_cases() -> list[Case]:
    def csv(name: str, old: str, new: str, *says: str, **more: Any) -> Case:
        return odd(f"a layer in CSV with {name}", old, new, *says, **{"line": None, **more})

    def base64_(name: str, text: str, *says: str, compression: str = "zlib", **more: Any) -> Case:
        return odd(
            f"a packed layer {name}",
            f'compression="zlib">{PACKED}',
            f'compression="{compression}">{text}',
            *says,
            **more,
        )

    bomb = base64.b64encode(zlib.compress(b"\0" * 64_000_000, 9)).decode()
    zipped = zlib.compress(struct.pack("<12I", *PLAIN))
    encode = lambda data: base64.b64encode(data).decode()  # noqa: E731
    return [
        csv("a cell missing", "1,0,2,3,", "1,0,2,", "12", "found 11 tiles; expected 12; ..."),
        csv("an empty cell", "1,0,2,3,", "1,,2,3,", "found ''; expected a whole number from 0 to 4294967295; ..."),
        csv("a missing tile", "5,6,0", "5,9000,0", "9000", line=22, column=14),
        csv("a tile between two tilesets", "0,0,4,4,", "0,0,4,9,", "9", line=21, column=7),
        csv("2^32", "0,0,4,4,", "0,0,4294967296,4,", "4294967296"),
        csv("a hundred thousand digits", "0,0,4,4,", f"0,0,{'1' * 100_000},4,"),
        csv("only flags", "0,0,4,4,", "0,0,2147483648,4,", accepted="either"),
        csv("words", "0,0,4,4,", "0,0,four,4,", "four", line=21, column=5),
        csv("an element inside", "1,0,2,3,", "1,0,<tile/>2,3,", "found <tile> in data with encoding='csv'; expected one of the two; ..."),
        csv("nothing", "\n1,0,2,3,\n0,0,4,4,\n2147483650,5,6,0\n", ""),
        odd("an unknown encoding of a layer", 'encoding="csv"', 'encoding="pickle"', "pickle", "found encoding='pickle'; expected one of 'csv', 'base64'; ..."),
        odd("a compression of CSV", 'encoding="csv"', 'encoding="csv" compression="zlib"', accepted="either", line=None),
        odd("an unknown compression", 'compression="zlib"', 'compression="lzma"', "lzma", "found compression='lzma'; expected one of '', 'zlib', 'gzip', 'zstd'; ..."),
        base64_("that is a bomb", bomb, "found data that unpacks to more than 48 bytes; expected 48 bytes, four for each tile; ..."),
        base64_("cut short", encode(zipped[:-6]), "found zlib data that ends early, after 45 bytes; expected 48 bytes and the end; ..."),
        base64_("with a wrong checksum", encode(zipped[:-4] + b"abcd"), "found no zlib data, or damaged data; expected zlib data as the attribute says; ..."),
        base64_("with garbage behind", encode(zipped + b"garbage"), "found 7 bytes after the end of the zlib data; expected nothing there; ..."),
        base64_("of two gzips", encode(gzip.compress(struct.pack("<12I", *PLAIN)) * 2), "bytes after the end of the gzip data; expected nothing there; ...", compression="gzip"),
        base64_("with a cell missing", packed(PLAIN[:-1]), "found 44 bytes of tiles; expected 48 bytes, four for each of 12 tiles; ..."),
        base64_("that says zstd", PACKED, "found no zstd data, or damaged data; expected zstd data as the attribute says; ...", compression="zstd"),
        base64_("that is not compressed and says so", packed(PLAIN, bytes), compression="", accepted="yes"),
        base64_("in no base64", "*" * 40, "found invalid base64; expected complete base64 with padding; ..."),
        base64_("with blanks around", "\n   " + PACKED + "\n  ", accepted="yes"),
        base64_("with a missing tile", packed([9000, *PLAIN[1:]]), "9000", line=None),
        odd("a tile element with a gid of words", '<tile gid="2"/>', '<tile gid="two"/>', "two", "found gid='two'; expected a whole number from 0 to 4294967295; ..."),
        odd("a tile element inside another", '<tile gid="2"/><tile/>', '<tile gid="2"><tile/></tile>', "11", line=None),
        odd("tile elements in tile elements, very deep", '<tile gid="2"/>', Many("<tile>", 100_000, after="</tile>" * 100_000)),
        odd("a tile element too few", '<tile gid="2"/>', "", "12", line=None),
        odd("chunks in a finite map", "<data><tile", '<data><chunk x="0" y="0" width="1" height="1"><tile/></chunk><tile', "found a chunk in a finite map; expected one block of tiles; ...",
            accepted="no", line=None),
        *infinite_cases(),
    ]  # fmt: skip


def infinite_cases() -> list[Case]:
    head = '<?xml version="1.0"?>\n<map orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16" infinite="1">\n'
    tail = "</data></layer>\n</map>\n"
    set_ = ' <tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="4" columns="2"><image source="t.png"/></tileset>\n'
    layer = ' <layer id="1" name="walls" width="4" height="3"><data encoding="csv">\n'

    def chunks(name: str, *places: str, says: str = "", **more: Any) -> Case:
        body = "".join(f"  <chunk {place}>1,1,0,0</chunk>\n" for place in places)
        return raw(f"chunks {name}", head + set_ + layer + body + tail, says, **more)

    two = 'width="2" height="2"'
    return [
        chunks("that are fine", f'x="0" y="0" {two}', f'x="2" y="0" {two}', accepted="yes"),
        chunks("at places below nothing", f'x="-32" y="-16" {two}', accepted="yes"),
        chunks("far from each other", f'x="0" y="0" {two}', f'x="1000000000" y="1000000000" {two}'),
        chunks("over each other", f'x="0" y="0" {two}', f'x="1" y="1" {two}', says="found a chunk of 2 by 2 at 1, 1; expected chunks of 2 by 2 aligned with the first; ..."),
        chunks("of no size", 'x="0" y="0" width="0" height="0"'),
        chunks("of another size", 'x="0" y="0" width="3" height="3"'),
        chunks("ten thousand", *(f'x="{i * 2}" y="0" {two}' for i in range(10_000)), accepted="yes"),
        chunks("ten thousand on a diagonal", *(f'x="{i * 2}" y="{i * 2}" {two}' for i in range(10_000)), says="found chunks that span 20000 by 20000 cells; expected at most 4194304 cells from the first to the last; move them closer together, or split the level"),
    ]  # fmt: skip


def object_cases() -> list[Case]:
    hero = 'name="hero" type="player"'

    def inertia(name: str, new: str | Many, *says: str, **more: Any) -> Case:
        more.setdefault("line", None)
        return odd(name, '<property name="Inertia" type="float" value="2"/>', new, *says, **more)

    def tile(name: str, shape: str, *says: str) -> Case:
        return odd(name, ' type="wall">', f' type="wall"><objectgroup>{shape}</objectgroup>', *says)

    static = '<properties><property name="Static" type="bool" value="true"/></properties>'
    boxes = "expected a rectangle, a point, a tile, a circle or a capsule; draw it with these, give it a collider such as SphereCollider, or remove its components"
    solid = "expected rectangles, circles and capsules; draw it with these, or set the tile property Static to false"
    deep = '<property name="deep" type="class"><properties>'
    return [
        odd("an object without a place", ' x="16" y="0"', "", "found <object> without x; expected x, a number; ..."),
        odd("an object of a width below nothing", 'width="16" height="16">', 'width="-16" height="16">', "found width='-16'; expected a number of at least 0.0; ..."),
        odd("an object of no size that is no point", 'width="24" height="8"', 'width="0" height="0"', accepted="either"),
        odd("an object turned by 45 degrees", hero, f'rotation="45" {hero}', accepted="either"),
        odd("an object that is a polygon of words", "<point/>", '<polygon points="a,b"/>', "found the point 'a,b'; expected two numbers, as in 16,-8; ..."),
        odd("an object that is a text", "<point/>", "<text>\u202ewords</text>", accepted="either"),
        odd("an object that is a point and more", "<point/>", "<point/><ellipse/>", "found ellipse beside point; expected one shape; ..."),
        odd("a body that is a polygon", "<point/>", f'<polygon points="0,0 8,0 8,8"/>{static}', f"found a polygon with Static; {boxes}"),
        odd("a body that is an ellipse", "<point/>", f"<ellipse/>{static}", f"found an ellipse of 0 by 0 cells with Static; {boxes}"),
        odd("a body turned by an odd angle", 'type="box"', 'rotation="12.5" type="box"', accepted="either"),
        odd("a capsule that is too thin", "<point/>", f"<capsule/>{static}", f"found a capsule of 0 by 0 cells with Static; {boxes}"),
        tile("a shape that is an ellipse", '<object id="1" x="0" y="0" width="8" height="4"><ellipse/></object>', f"found an ellipse of a solid tile; {solid}"),
        tile("a shape that is no rectangle", '<object id="1" x="0" y="0"><polygon points="0,0 8,0 0,8"/></object>', f"found the shape polygon of a solid tile; {solid}"),
        tile("a shape of a template", '<object id="1" template="crate.tx" x="0" y="0"/>', "found a template as the shape of a tile; expected a shape; detach it from the template in Tiled"),
        odd("a tile twice", '  <tile id="1" type="wall">', '  <tile id="1"/><tile id="1" type="wall">', "found the tile 1 twice; expected every tile once; ..."),
        odd("a layer elsewhere", 'name="walls" width', 'name="walls" x="-2" width', "found a layer at x = -2; expected 0, as Tiled writes it; use the layer's offset"),
        raw("a shape in an image of no size", '<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">'
            '<tileset firstgid="1" name="a" tilewidth="0" tileheight="0"><tile id="0"><image source="a.png"/><objectgroup>\n'
            '<object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile></tileset>'
            '<layer name="a" width="1" height="1"><data encoding="csv">1</data></layer></map>',
            "found a shape of a tile without a size; expected a tile with a size; save the tileset again with Tiled", line=2),
        raw("a tile without any tileset", GOOD[: GOOD.index(" <tileset")] + GOOD[GOOD.index(" <layer") :], "expected only gid 0, because there is no tileset; add the tileset to the map, or erase the tile"),
        odd("an object of a missing tile", 'type="box" x', 'type="box" gid="9000" x', "found the gid 9000; expected a gid of a tileset: 1 to 4, 5 to 8; add the tileset, or erase the object", column=4),
        odd("two objects of one id", '<object id="2"', '<object id="1"', accepted="either"),
        odd("an object of no name", 'name="hero"', 'name=""', accepted="yes"),
        odd("a name of a hundred thousand letters", 'name="hero"', f'name="{"a" * 100_000}"', "100000"),
        inertia("a component of a path", '<property name="os.system" type="string" value="true"/>', accepted="yes"),
        inertia("an unknown field of a component", '<property name="Inertia.mass" type="float" value="1"/>', "mass"),
        inertia("a field of another kind of number", '<property name="Motion.priority" type="string" value="high"/>',
                "Motion.priority must be a whole number, not 'high'; give an int"),
        inertia("a static thing that moves", '<property name="Static" type="bool" value="true"/><property name="Motion" type="float" value="3"/>', "found Static with Motion: ", "expected compatible components; choose others; X = false removes X"),
        inertia("fused to a dragon", '<property name="Fused" value="dragon"/><property name="Inertia" type="float" value="1"/>', accepted="either"),
        inertia("a property that refers to no object", '<property name="door" type="object" value="9000"/>', "found a reference to object 9000, which is not in the map; expected the id of an object of the map; select the object again in Tiled"),
        inertia("a property that refers to a word", '<property name="door" type="object" value="hero"/>', "found 'hero' as a property of type object; expected the id of an object; ...", accepted="no"),
        inertia("classes in classes, deep", deep * 60 + "</properties></property>" * 60),
        inertia("classes in classes, very deep", Many(deep, 50_000, after="</properties></property>" * 50_000)),
        inertia("a script beside the level", '<property name="script" type="file" value="evil.py"/>', accepted="either",
                files={"evil.py": b"raise SystemExit('executed')\n"}),
        inertia("a property of many lines", '<property name="text">one\n two &lt;three&gt;</property>', accepted="yes"),
        odd("a hundred thousand objects and more", "  </objectgroup>", Many('<object id="9" x="1" y="1"/>', 101_000, after="  </objectgroup>")),
        odd("six thousand objects of one name", "  </objectgroup>", Many('<object name="a" x="1" y="1"/>', 6_000, after="  </objectgroup>"),
            accepted="either"),
    ]  # fmt: skip


def other_file_cases() -> list[Case]:
    return [
        tileset("a tileset that is a map", GOOD.encode(), "map", "found <map>; expected <tileset>; give a file whose root is <tileset>"),
        tileset("a tileset with a bomb", BOMB.replace("map", "tileset").encode() + b"\n" + TILESET),
        tileset("a tileset of tiles of no width", TILESET.replace(b'tilewidth="16"', b'tilewidth="0"'), "0", "found tiles of 0 by 16 pixels in an image; expected at least 1 by 1; ...", line=1),
        tileset("a tileset of a source of its own", TILESET.replace(b"name=", b'source="more.tsx" name='), "found a tileset that refers to another file; expected its tiles; refer to the other file directly"),
        tileset("a tileset whose tile has a component of os.system", TILESET.replace(
            b"</", b'<tile id="0"><properties><property name="os.system" value="1"/></properties></tile></'), accepted="yes"),
        tileset("a tileset in an encoding of Python", b'<?xml version="1.0" encoding="rot13"?>' + TILESET, line=1),
        tileset("a template for a tileset", TEMPLATE, "found <template>; expected <tileset>; give a file whose root is <tileset>", line=2),
        template("a template with a gid of no tileset of its own", TEMPLATE.replace(b"<object", b'<tileset firstgid="5" source="sets/more.tsx"/>\n<object gid="9"'),
                 "found the gid 9; expected a gid of a tileset: 5 to 8; add the tileset, or erase the object", line=4, column=1),
        template("a template that is a map", GOOD.encode(), "map", "found <map>; expected <template>; give a file whose root is <template>"),
        template("a template without an object", b"<template/>", "found a template of 0 objects; expected one object; ..."),
        template("a template of itself", TEMPLATE.replace(b"<object", b'<object template="crate.tx"'), "found a template that refers to a template; expected a complete object; detach the object from its template in Tiled"),
        template("a template with a tileset outside", TEMPLATE.replace(b"<object", b'<tileset firstgid="1" source="../secret.tsx"/><object gid="1"'), "found the reference '../secret.tsx', which leads outside the level's folder; expected a file inside that folder; move the file there, or pass root= with a folder that contains both"),
        template("a template with a gid without a tileset", TEMPLATE.replace(b"<object", b'<object gid="1"')),
        template("a template with a wrong component", TEMPLATE.replace(b'value="1"', b'value="-1"'), "-1", "Inertia.value is -1.0, but it must not be negative; 0 is the minimum"),
        odd("three hundred tilesets", ' <tileset firstgid="5"', "".join(
            f' <tileset firstgid="{i * 10 + 100}" source="sets/{i}.tsx"/>\n' for i in range(300)) + ' <tileset firstgid="5"',
            files={f"sets/{i}.tsx": TILESET for i in range(300)}, line=None),
        odd("five hundred objects of one template", '<object id="3" template', '<object template="crate.tx" x="1" y="1"/>' * 500 + '<object id="3" template',
            accepted="yes"),
    ]  # fmt: skip
