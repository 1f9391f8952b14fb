"""Files that grow: what they cost may grow as they do, and no faster; and there is no cost that is not counted.

Each case makes a file of a size. `kinds` of cost are those of `budget.COSTS` that it spends; together the cases spend
all of them. A case does one thing again and again: what is bad about it is that the work for each depends on all.
"""

from __future__ import annotations

import base64
import copy
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from hostile import ldtk_cases, tmj_cases

HEAD = "legend\n# wall: Static\n$ crate: Inertia(1)\n. goal: Trigger\n"
MAP = "map\n#\n"


@dataclass(frozen=True)
class Growing:
    """A file of any size. few: a size at which it is read or refused in some milliseconds."""

    name: str
    form: str
    make: Callable[[int], str]
    few: int = 50


def cases() -> list[Growing]:
    """Return all of them."""
    return [*text_cases(), *xsb_cases(), *tmx_cases(), *tmj_files(), *ldtk_files()]


def text_cases() -> list[Growing]:
    def text(name: str, make: Callable[[int], str], few: int = 50) -> Growing:
        return Growing(name, "text", make, few)

    def letters(count: int) -> str:
        return "".join(chr(0x4E00 + number) for number in range(count))

    def legend(count: int) -> str:
        return "legend\n" + "".join(f"{letter} kind {letter}: Static\n" for letter in letters(count))

    return [
        text("levels that share a legend", lambda n: legend(n) + "map\n一\n" + "title: x\nmap\n一\n" * n),
        text("levels with a legend each", lambda n: (HEAD + MAP + "title: x\n") * n + HEAD + MAP),
        text("levels of all letters", lambda n: legend(n) + f"map\n{letters(n)}\n" * 5),
        text("letters that stand for several", lambda n: HEAD + "".join(f"{each} = $ .\n" for each in letters(n)) + MAP),
        text("a legend of one kind again and again", lambda n: "legend\n" + "".join(f"{each} a\n" for each in letters(n)) + "map\n一\n"),
        text("maps of nothing", lambda n: HEAD + MAP + "map\n" * n),
        text("maps of a letter", lambda n: HEAD + MAP * n),
        text("maps one beside the other", lambda n: HEAD + "".join(f"map at {at + 1} 1\n#\n" for at in range(n))),
        text("notes", lambda n: "note: a\n" * n + HEAD + MAP),
        text("properties", lambda n: "".join(f"key {at}: 1\n" for at in range(n)) + HEAD + MAP),
        text("conditions", lambda n: f"win: {' and '.join(['all crate on goal'] * n)}\n" + HEAD + f"map\n{'$' * 20 * n}.\n", 10),
        text("levels with demands", lambda n: (f"title: x\nwin: all crate on goal\n{HEAD}map\n$$.\n") * n),
        text("blank rows", lambda n: HEAD + MAP + "\n" * n),
        text("comments", lambda n: ";\n" * n + HEAD + MAP),
        text("walls of many boxes", lambda n: HEAD + "map\n" + "# " * n + "\n"),
        text("crates", lambda n: HEAD + f"map\n{'$' * n}\n"),
        text("crates in a column", lambda n: HEAD + "map\n" + "$\n" * n),
        text("crates of many properties", lambda n: f"legend\n$ a: {', '.join(f'p{at}=1' for at in range(n))}\nmap\n{'$' * n}\n"),
        text("joined things", lambda n: f"legend\n$ a: Inertia(1), joined\n% b\n* = $ %\nmap\n{'* $ ' * n}\n"),
        text("things drawn wide, asked for by cell", lambda n: HEAD + "map\n" + ("#" * n + "\n") * 30 + "things\n1 1: p=1\n"),
        text("lines of things", lambda n: HEAD + f"map\n{'$' * n}\nthings\n" + "".join(f"{at + 1} 1: p=1\n" for at in range(n))),
        text("things with names", lambda n: HEAD + f"map\n{'$' * n}\nthings\n" + "".join(f"{at + 1} 1 = a {at}\n" for at in range(n))),
        text("kinds whose numbers are taken", lambda n: "legend\n$ a\n" + "".join(f'{each} "a {at + 1}"\n' for at, each in enumerate(letters(n)))
             + f"map\n{letters(n)}\n{'$' * n}\n"),
        text("things fused to one", lambda n: f"legend\n$ c: Inertia(1), Fused(to=x)\nx x: Inertia(1)\nmap\nx{'$' * n}\n"),
        text("a list", lambda n: f"key: [{'1,' * n}1]\n{HEAD}{MAP}"),
    ]  # fmt: skip


def xsb_cases() -> list[Growing]:
    def xsb(name: str, make: Callable[[int], str], few: int = 50) -> Growing:
        return Growing(name, "xsb", make, few)

    board = "#####\n#@$.#\n#####\n"
    return [
        xsb("boards", lambda n: f"{board}\n" * n),
        xsb("boards of one row", lambda n: "#@$.#\n\n" * n),
        xsb("titles", lambda n: f"{board}Title: a\n\n" * n),
        xsb("run lengths", lambda n: "5#|#@$.#|5#\n\n" * n),
        xsb("expanded rows", lambda n: "#@#\n" + "1000-#\n" * n),
        xsb("many rows out of one run length", lambda n: f"#@#|{20 * n}(#|)\n"),
        xsb("groups in groups", lambda n: "#@#\n" + ("(" * 31 + "2#" + ")" * 31 + "\n") * n, 10),
        xsb("groups of nothing", lambda n: "#@#" + "9(9(9()))" * n + "\n"),
        xsb("notes in a comment", lambda n: f"{board}Comment:\n{'a' * 3}\n" + "a\n" * n + "Comment-End:\n"),
        xsb("notes", lambda n: board + "note: a\n" * n),
        xsb("lines of a solution", lambda n: board + "lurdlurd\n" * n),
        xsb("loose lines", lambda n: board + "a b\n" * n),
        xsb("comments that begin", lambda n: board + "Comment:\n" * n),
        xsb("crates", lambda n: "#@#\n" + "$" * n + "\n"),
    ]  # fmt: skip


def tmx(body: str, size: tuple[int, int] = (2, 2), tilesets: str = "", more: str = "") -> str:
    """Return a map with a tileset of four tiles, or others."""
    image = '<image source="t.png" width="32" height="32"/>'
    plain = f'<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="4" columns="2">{image}</tileset>'
    return (
        f'<map orientation="orthogonal" width="{size[0]}" height="{size[1]}" tilewidth="16" tileheight="16" {more}>'
        f"{tilesets or plain}{body}</map>"
    )


def tmx_cases() -> list[Growing]:
    def xml(name: str, make: Callable[[int], str], few: int = 30) -> Growing:
        return Growing(name, "tmx", make, few)

    def layer(data: str, width: int = 2, height: int = 2, inside: str = "") -> str:
        return f'<layer name="a" width="{width}" height="{height}">{inside}<data encoding="csv">{data}</data></layer>'

    def objects(each: str, count: int, inside: str = "") -> str:
        return (
            f'<objectgroup name="o">{inside}'
            + "".join(each.replace("@", str(at)) for at in range(count))
            + "</objectgroup>"
        )

    def properties(count: int, value: str = "1") -> str:
        return (
            "<properties>"
            + "".join(f'<property name="p{at}" value="{value}"/>' for at in range(count))
            + "</properties>"
        )

    def saying(inside: str, tiles: int = 1) -> str:
        each = "".join(f'<tile id="{at}">{inside.replace("@", str(at))}</tile>' for at in range(tiles))
        image = '<image source="t.png" width="16" height="16"/>'
        return (
            f'<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="{tiles}">{image}{each}</tileset>'
        )

    def packed(count: int) -> str:
        data = base64.b64encode(zlib.compress(b"\1\0\0\0" * 10 * count)).decode()
        return tmx(
            f'<layer name="a" width="10" height="{count}"><data encoding="base64" compression="zlib">{data}</data></layer>',
            (10, count),
        )

    def tiles(count: int) -> str:
        return ",".join(str(at + 1) for at in range(count))

    plain = layer("1,1,1,1")
    number = '<properties><property name="n" value="@"/></properties>'
    shape = '<object x="1" y="1" width="1" height="1"/>'
    return [
        xml("attributes", lambda n: tmx(plain + "<x " + " ".join(f"a{at}=''" for at in range(n)) + "/>")),
        xml("elements", lambda n: tmx(plain + "<a b='' c=''/>" * n)),
        xml("text pieces", lambda n: tmx(layer("&#10;" * n + "1,1,1,1"))),
        xml("line ends", lambda n: tmx(layer("\n" * n + "1,1,1,1"))),
        xml("tile elements", lambda n: tmx(f'<layer name="a" width="{n}" height="1"><data>' + "<tile gid='1'/>" * n + "</data></layer>", (n, 1))),
        xml("objects of one name", lambda n: tmx(objects("<object name='a' x='1' y='1'/>", n))),
        xml("objects of one kind", lambda n: tmx(objects("<object type='a' x='1' y='1'/>", n))),
        xml("objects whose numbers are taken", lambda n: tmx(objects("<object name='a @' x='1' y='1'/>", n) + objects("<object type='a' x='1' y='1'/>", n))),
        xml("objects of a tile that says much", lambda n: tmx(objects("<object gid='1' x='1' y='1'/>", 20), tilesets=saying(properties(n)))),
        xml("objects of a tile of many shapes", lambda n: tmx(objects("<object gid='1' x='1' y='1'/>", 10), tilesets=saying(f"<objectgroup>{shape * n}</objectgroup>"))),
        xml("layers", lambda n: tmx(plain * n)),
        xml("layers of objects", lambda n: tmx(objects("", 0) * n)),
        xml("groups side by side", lambda n: tmx(f"<group name='g'>{plain}</group>" * n)),
        xml("layers that say much", lambda n: tmx(layer("1,1,1,1", inside=properties(n)) * 5)),
        xml("properties handed down", lambda n: tmx(objects("<object x='1' y='1'/>", n, inside='<properties><property name="Inertia" type="float" value="1"/></properties>'))),
        xml("a mask of many layers", lambda n: tmx(objects("<object x='1' y='1'/>", 5, inside=f"<properties><property name='Trigger.mask' value='{'a,' * n}a'/></properties>"))),
        xml("tilesets", lambda n: tmx(plain, tilesets="".join(
            f'<tileset firstgid="{at + 1}" name="t" tilewidth="1" tileheight="1" tilecount="1"><image source="t.png" width="1" height="1"/></tileset>'
            for at in range(n)))),
        xml("tilesets, each used", lambda n: tmx(layer(tiles(n), n, 1), (n, 1), tilesets="".join(
            f'<tileset firstgid="{at + 1}" name="t" tilewidth="1" tileheight="1" tilecount="1"><image source="t.png" width="1" height="1"/></tileset>'
            for at in range(n)))),
        xml("tiles that say something, each used", lambda n: tmx(layer(tiles(n), n, 1), (n, 1), tilesets=saying(number, n))),
        xml("cells that unpack", packed),
        xml("cells in rows of text", lambda n: tmx(layer(",".join(["1"] * n), n, 1), (n, 1))),
        xml("a gid of no tileset behind many", lambda n: tmx(layer(",".join(["1"] * (n - 1) + ["9"]), n, 1), (n, 1))),
        xml("crates on cells", lambda n: tmx(layer(",".join(["1"] * n), n, 1), (n, 1), tilesets=saying('<properties><property name="Inertia" value="1" type="float"/></properties>'))),
        xml("walls of many boxes", lambda n: tmx(layer(",".join(["1", "0"] * n), 2 * n, 1), (2 * n, 1))),
        xml("chunks", lambda n: tmx('<layer name="a" width="2" height="2"><data encoding="csv">' + "".join(
            f'<chunk x="{at}" y="0" width="1" height="1">1</chunk>' for at in range(n)) + "</data></layer>", more='infinite="1"')),
        xml("points", lambda n: tmx(objects(f"<object x='1' y='1'><polygon points='{'0,0 ' * n}0,0'/></object>", 2))),
        xml("texts", lambda n: tmx(objects(f"<object x='1' y='1'><text>{'a' * n}</text></object>", 2))),
        xml("properties of an object", lambda n: tmx(objects(f"<object x='1' y='1'>{properties(n)}</object>", 1))),
        xml("classes in classes", lambda n: tmx(objects("<object x='1' y='1'>" + nested_properties() + "</object>", n)), 10),
    ]  # fmt: skip


def nested_properties() -> str:
    """Return classes of one member, deep in each other."""
    inner = '<property name="x" value="1"/>'
    for _ in range(25):
        inner = f'<property name="c" type="class"><properties>{inner}</properties></property>'
    return f"<properties>{inner}</properties>"


def tmj_files() -> list[Growing]:
    layer = {"type": "tilelayer", "name": "a", "width": 2, "height": 2, "data": [1, 1, 1, 1]}

    def tmj(name: str, make: Callable[[int], dict[str, object]], few: int = 50) -> Growing:
        def text(count: int) -> str:
            plain = {**copy.deepcopy(tmj_cases.GOOD), "width": 2, "height": 2, "layers": [layer], "properties": []}
            plain["tilesets"] = plain["tilesets"][:1]
            return json.dumps({**plain, **make(count)})

        return Growing(name, "tmj", text, few)

    def raw(name: str, make: Callable[[int], str], few: int = 50) -> Growing:
        plain = tmj("", lambda n: {"x": "@"}).make
        return Growing(name, "tmj", lambda n: plain(n).replace('"@"', make(n)), few)

    return [
        tmj("objects of one name", lambda n: {"layers": [
            {"type": "objectgroup", "name": "o", "objects": [{"name": "a", "x": 1, "y": 1}] * n}]}),
        tmj("points", lambda n: {"layers": [{"type": "objectgroup", "name": "o", "objects": [
            {"x": 1, "y": 1, "polygon": [{"x": 0, "y": 0}] * n}]}]}),
        tmj("values of a class", lambda n: {"properties": [
            {"name": "p", "type": "class", "value": {f"k{at}": [at] for at in range(n)}}]}),
        raw("texts beside a pair of surrogates", lambda n: "[" + '"a",' * n + '"\\ud83d\\ude00"]'),
        raw("texts before half of a pair of surrogates", lambda n: "[" + '"a",' * n + '"\\ud83d"]'),
        raw("escapes", lambda n: '"' + "\\u0041" * n + '"'),
        raw("backslashes before half of a pair", lambda n: '"' + "\\\\" * n + '\\ud83d"'),
        raw("numbers", lambda n: "[" + "1e9," * n + "1]"),
        raw("objects of nothing", lambda n: "[" + "{}," * n + "{}]"),
        raw("strings", lambda n: "[" + '"ab",' * n + "1]"),
        raw("keys", lambda n: "{" + ",".join(f'"{at}":0' for at in range(n)) + "}"),
        raw("a key again and again", lambda n: "{" + '"a":0,' * n + '"b":1}'),
        raw("a key twice, deep behind many", lambda n: "[" * 25 + "{}," * n + '{"a":1,"a":2}' + "]" * 25),
        raw("brackets that nest", lambda n: "[" * min(n, 20) + "0" + "]" * min(n, 20)),
        tmj("a tile that is no number, behind many", lambda n: {
            "width": n, "height": 1, "layers": [{**layer, "width": n, "height": 1, "data": [1] * (n - 1) + [True]}]}),
    ]  # fmt: skip


def ldtk_files() -> list[Growing]:
    def ldtk(name: str, change: Callable[[dict[str, object], int], None], few: int = 20) -> Growing:
        def text(count: int) -> str:
            project = copy.deepcopy(ldtk_cases.GOOD)
            change(project, count)
            return json.dumps(project)

        return Growing(name, "ldtk", text, few)

    def values(project, count: int) -> None:
        walls = project["defs"]["layers"][1]
        walls["intGridValues"] = [{"value": at + 1, "identifier": f"w{at}"} for at in range(count)]
        project["levels"] = project["levels"][:1]
        project["levels"][0].update(pxWid=16 * count, pxHei=16)
        for layer in project["levels"][0]["layerInstances"]:
            layer.update(__cWid=count, __cHei=1, intGridCsv=list(range(1, count + 1)) if layer["intGridCsv"] else [])

    def levels(project, count: int) -> None:
        thing = ldtk_cases.layer
        project["levels"] = [
            ldtk_cases.level(f"L{at}", at, [thing("Things", "Entities", 10, levelId=at)]) for at in range(count)
        ]

    def neighbours(project, count: int) -> None:
        project["levels"][0]["__neighbours"] = [{"levelIid": project["levels"][0]["iid"], "dir": "n"}] * count

    def layers(project, count: int) -> None:
        project["levels"][0]["layerInstances"] = [ldtk_cases.layer("Things", "Entities", 10)] * count

    def entities(project, count: int) -> None:
        note = [ldtk_cases.value("note", "String", "heavy", 7)]
        made = [ldtk_cases.entity("Crate", 3, 32, 16, f"i{at}", note) for at in range(count)]
        project["levels"][0]["layerInstances"][0]["entityInstances"] = made

    def tiles(project, count: int) -> None:
        project["defs"]["layers"].append(ldtk_cases.layer_def("T", "Tiles", 12))
        placed = [{"px": [0, 0], "src": [0, 0], "f": 0, "t": 0, "a": 1}] * count
        project["levels"][0]["layerInstances"].append(ldtk_cases.layer("T", "Tiles", 12, gridTiles=placed))

    def tags(project, count: int) -> None:
        project["levels"][0]["layerInstances"][0]["entityInstances"][0]["__tags"] = ["a"] * count

    def items(project, count: int) -> None:
        project["defs"]["entities"][1]["fieldDefs"].append(ldtk_cases.field_def("many", "Array<Int>", 99))
        crate = project["levels"][0]["layerInstances"][0]["entityInstances"][1]
        crate["fieldInstances"].append(ldtk_cases.value("many", "Array<Int>", [1] * count, 99))

    def definitions(project, count: int) -> None:
        project["defs"]["entities"] += [ldtk_cases.entity_def(f"E{at}", 1000 + at, []) for at in range(count)]

    def fields(project, count: int) -> None:
        crate = project["defs"]["entities"][1]
        crate["fieldDefs"] += [ldtk_cases.field_def(f"f{at}", "Int", 1000 + at) for at in range(count)]
        made = [ldtk_cases.value(f"f{at}", "Int", 1, 1000 + at) for at in range(count)]
        project["levels"][0]["layerInstances"][0]["entityInstances"][1]["fieldInstances"] += made

    return [
        ldtk("values of an IntGrid", values), ldtk("levels", levels), ldtk("neighbours", neighbours),
        ldtk("layers", layers), ldtk("entities", entities), ldtk("tiles", tiles), ldtk("tags", tags),
        ldtk("items of a field", items), ldtk("definitions", definitions), ldtk("fields of an entity", fields),
    ]  # fmt: skip
