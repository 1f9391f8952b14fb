"""Limits on the items of a level file: each is an error with a position, and no work grows faster than the file."""

from __future__ import annotations

import base64
import json
import sys
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from ldtk_projects import a_layer, a_level, a_project, a_tile, layer_def
from tiled_maps import SET, objects, properties, tiles, tmx

from ecs_collision import LevelError
from ecs_collision.levels import parse_level
from ecs_collision.levels.limits import MAX_BYTES, MAX_COUNTS
from ecs_collision.levels.load import levels_of
from ecs_collision.levels.source import Source, open_source
from ecs_collision.plays.files import play_of

HEAD = "legend\n# wall: Static\n$ crate: Inertia(1)\n. goal: Trigger\n"
BOARD = "#####\n#@$.#\n#####\n"
IMAGE = '<image source="t.png" width="16" height="16"/>'
SHAPES = '<objectgroup><object x="0" y="0" width="8" height="8"><ellipse/></object></objectgroup>'
CRATE = properties(Inertia=1)
POINT = "<object type='a' x='1' y='1'/>"


def letters(count: int) -> str:
    return "".join(chr(0x4E00 + number) for number in range(count))


def row(*gids: int, inside: str = "") -> str:
    """Return a map of one row with a tileset of its tiles, or other elements."""
    data = f'<data encoding="csv">{",".join(map(str, gids))}</data>'
    return tmx(inside or SET, f'<layer width="{len(gids)}" height="1">{data}</layer>', size=(len(gids), 1))


def tilesets(count: int) -> str:
    sizes = 'tilewidth="1" tileheight="1" tilecount="1"'
    return "".join(f'<tileset firstgid="{at + 1}" {sizes}>{IMAGE}</tileset>' for at in range(count))


def packed(count: int) -> str:
    data = base64.b64encode(zlib.compress(b"\1\0\0\0" * count)).decode()
    data = f'<data encoding="base64" compression="zlib">{data}</data>'
    return tmx(SET, f'<layer width="{count}" height="1">{data}</layer>', size=(count, 1))


def chunks(count: int) -> str:
    each = "".join(f'<chunk x="{at}" y="0" width="1" height="1">1</chunk>' for at in range(count))
    return tmx(SET, f'<layer><data encoding="csv">{each}</data></layer>', more='infinite="1"')


def project(count: int, tile_count: int = 0) -> str:
    """Return an LDtk project with a level of one row, of different values, and a layer of tiles."""
    values = [{"value": at + 1, "identifier": f"w{at}"} for at in range(count)]
    walls, floor = layer_def(1, "Walls", "IntGrid", intGridValues=values), layer_def(2, "Floor", "Tiles")
    layers = [
        a_layer(walls, count, 1, intGridCsv=list(range(1, count + 1))),
        a_layer(floor, count, 1, gridTiles=[a_tile(0, 0)] * tile_count),
    ]
    level = a_level(*layers, pxWid=16 * count, pxHei=16)
    return json.dumps(a_project(level, layers=[walls, floor]))


LIMITED: dict[str, tuple[str, Callable[[int], str]]] = {
    "cells": ("tmx", packed),
    "levels": ("xsb", lambda n: f"{BOARD}\n" * n),
    "things": ("text", lambda n: HEAD + "map\n" + "$" * n),
    "boxes": ("text", lambda n: HEAD + "map\n" + "# " * n),
    "values": ("text", lambda n: f"key: [{','.join(['1'] * (n - 1))}]\nlegend\n# wall\nmap\n#"),
    "lines": ("text", lambda n: HEAD + "map\n#" + "\n" * (n - 6)),
    "runs of equal cells": ("tmx", lambda n: row(*[1, 0] * n)),
    "lines outside of maps": ("text", lambda n: "; x\n" * (n - 5) + HEAD + "map\n#"),
    "elements": ("tmx", lambda n: tmx("<a b='c'/>" * (n - 1))),
    "attributes": ("tmx", lambda n: tmx("<x " + " ".join(f"a{at}=''" for at in range(n - 6)) + "/>")),
    "objects": ("tmx", lambda n: tmx(objects(*[POINT] * n))),
    "layers and tilesets": ("tmx", lambda n: tmx(SET, objects() * (n - 1))),
    "chunks": ("tmx", chunks),
    "tiles": ("tmx", lambda n: tmx(tiles(*(f'<tile id="{at}"/>' for at in range(n))))),
    "drawn tiles": ("ldtk", lambda n: project(1, n)),
    "shapes of tiles": ("tmx", lambda n: row(*[1] * (n - 1), inside=tiles(f'<tile id="0">{SHAPES}</tile>'))),
}
"""Item -> a form and a file with so many of them."""

GROWING: dict[str, tuple[str, Callable[[int], str]]] = {
    "levels of a shared legend": ("text", lambda n: "legend\n" + "".join(f"{each} k{each}\n" for each in letters(n))
        + "map\n一\n" + "title: x\nmap\n一\n" * n),
    "maps of a letter": ("text", lambda n: HEAD + "map\n#\n" * n),
    "clauses of a condition": ("text", lambda n:
        f"win: {' and '.join(['all crate on goal'] * (n // 3))}\n{HEAD}map\n{'$' * 20 * n}.\n"),
    "lines about things by cell": ("text", lambda n:
        f"{HEAD}map\n{'$' * n}\nthings\n" + "".join(f"{at + 1} 1 = a {at}\n" for at in range(n))),
    "kinds whose numbers are taken": ("text", lambda n: "legend\n$ a\n" + "".join(
        f'{each} "a {at + 1}"\n' for at, each in enumerate(letters(n))) + f"map\n{letters(n)}\n{'$' * n}\n"),
    "things fused to one": ("text", lambda n:
        f"legend\n$ c: Inertia(1), Fused(to=x)\nx x: Inertia(1)\nmap\nx{'$' * n}\n"),
    "joined things": ("text", lambda n: f"legend\n$ a: Inertia(1), joined\n% b\n* = $ %\nmap\n{'* $ ' * n}\n"),
    "expanded rows": ("xsb", lambda n: "#@#\n" + "1000-#\n" * n),
    "groups in groups": ("xsb", lambda n: "#@#\n" + ("(" * 31 + "2#" + ")" * 31 + "\n") * n),
    "loose lines": ("xsb", lambda n: BOARD + "a b\n" * n),
    "comments that begin": ("xsb", lambda n: BOARD + "Comment:\n" * n),
    "objects whose numbers are taken": ("tmx", lambda n: tmx(
        objects(*(f"<object name='a {at}' x='1' y='1'/>" for at in range(n))), objects(*[POINT] * n))),
    "tilesets, each used": ("tmx", lambda n: row(*range(1, n + 1), inside=tilesets(n))),
    "a gid of no tileset behind many": ("tmx", lambda n: row(*[1] * n, 99)),
    "crates on cells": ("tmx", lambda n: row(*[1] * n, inside=tiles(f'<tile id="0">{CRATE}</tile>'))),
    "properties handed down": ("tmx", lambda n: tmx(objects(CRATE, *[POINT] * n))),
    "texts before half of a surrogate": ("tmj", lambda n: "[" + '"a",' * n + '"\\ud83d"]'),
    "a key twice, deep behind many": ("tmj", lambda n: "[" * 25 + "{}," * n + '{"a":1,"a":2}' + "]" * 25),
    "values of an IntGrid": ("ldtk", project),
}  # fmt: skip
"""Further files in which the work for each item might depend on all."""


@cache
def calls(form: str, make: Callable[[int], str], size: int) -> int:
    """Return the number of calls in Python for reading a file; some files contain no valid level."""
    source = Source("level", make(size).encode())
    count = 0

    def add(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(add)
    try:
        levels_of(source, form=form)
    except LevelError:
        pass
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(("form", "make"), (LIMITED | GROWING).values(), ids=LIMITED | GROWING)
def test_four_times_the_size_takes_at_most_about_four_times_the_calls(form, make):
    calls(form, make, 8)  # imports and caches
    assert calls(form, make, 120) <= 6 * calls(form, make, 30)


@pytest.mark.parametrize("what", MAX_COUNTS)
def test_more_items_than_a_limit_are_an_error_with_a_position(monkeypatch, what):
    form, make = LIMITED[what]
    monkeypatch.setitem(MAX_COUNTS, what, 20)
    assert parse_level(make(20), form)
    with pytest.raises(LevelError, match=f"found [0-9]+ {what}; expected at most 20; split the file") as refusal:
        parse_level(make(21), form)
    assert refusal.value.line is not None or refusal.value.pointer is not None


def test_the_lines_of_a_play_are_limited(monkeypatch):
    monkeypatch.setitem(MAX_COUNTS, "lines", 7)
    text = "level: a.txt\nmoves: R\nsolved: no\nend: 00000000\nevents\n1 a pushed b\n"
    assert "R" == play_of(Source("play", text.encode())).moves
    with pytest.raises(LevelError, match=r"^play:1:1: found 8 lines; expected at most 7; split the file"):
        play_of(Source("play", f"{text}\n".encode()))


def test_referenced_files_share_the_limits(tmp_path):
    sets = "".join(f'<tileset firstgid="{at * 4 + 1}" source="{at}.tsx"/>' for at in range(3))
    for at in range(3):
        (tmp_path / f"{at}.tsx").write_text(f'<tileset tilewidth="16" tileheight="16" tilecount="4">{IMAGE}</tileset>')
    path = tmp_path / "level.tmx"
    path.write_text(tmx(sets))
    source = open_source(path)
    levels_of(source)
    assert 3 + 1 + 2 * 3 == source.counts["elements"]
    assert source.counts["bytes"] == sum(file.stat().st_size for file in tmp_path.iterdir())
    (tmp_path / "2.tsx").write_bytes(b" " * (MAX_BYTES - 10))
    with pytest.raises(LevelError, match=f"found files of more than {MAX_BYTES} bytes in total"):
        levels_of(open_source(path))


def test_a_text_of_too_many_bytes_is_refused():
    with pytest.raises(LevelError, match=f"^it: found more than {MAX_BYTES} bytes; expected a smaller file"):
        parse_level(" " * (MAX_BYTES + 1), name="it")
