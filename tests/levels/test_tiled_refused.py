"""Decompression bombs, the largest Tiled map, and missing modules. Other faults are in hostile/tmx_cases.py."""

from __future__ import annotations

import base64
import gzip
import struct
import sys
import tracemalloc
import zlib

import pytest
from tiled_maps import SET, objects, tmx

from ecs_collision.errors import LevelError
from ecs_collision.levels import parse_level
from ecs_collision.levels.tiled import tile_data


def refused(text: str) -> LevelError:
    """Return the error of a map."""
    with pytest.raises(LevelError) as problem:
        parse_level(text, "tmx")
    return problem.value


def packed_layer(data: bytes, compression: str = "zlib", size: tuple[int, int] = (4, 3)) -> str:
    """Return a tile layer with this data."""
    code = base64.b64encode(data).decode()
    head = f'<layer name="a" width="{size[0]}" height="{size[1]}">'
    return f'{head}\n<data encoding="base64" compression="{compression}">{code}</data></layer>'


def full(*sides: int, more: str = "") -> str:
    """Return a map filled with one tile."""
    cells = packed_layer(zlib.compress(struct.pack("<I", 1) * sides[0] * sides[1], 1), size=sides)
    return tmx(SET, cells.replace(">\n", f">{more}\n", 1), size=sides)


ONES = struct.pack("<12I", *[1] * 12)


def bomb(compression: str, size: int) -> bytes:
    """Return compressed zeros."""
    if compression == "zstd":
        return pytest.importorskip("zstandard").ZstdCompressor().compress(bytes(size))
    return {"zlib": zlib.compress, "gzip": gzip.compress}[compression](bytes(size))


@pytest.mark.parametrize("compression", ["zlib", "gzip", "zstd"])
def test_a_decompression_bomb_is_never_unpacked(compression):
    text = tmx(SET, packed_layer(bomb(compression, 2**27), compression))
    tracemalloc.start()
    try:
        assert "data that unpacks to more than 48 bytes" == refused(text).found
        assert tracemalloc.get_traced_memory()[1] < 4 * 2**20
    finally:
        tracemalloc.stop()


def test_a_zstd_frame_without_a_size_is_never_unpacked():
    zstandard = pytest.importorskip("zstandard")
    stream = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    data = stream.compress(bytes(2**24)) + stream.flush()
    assert refused(tmx(SET, packed_layer(data, "zstd"))).found.startswith("no zstd data")


@pytest.mark.parametrize("data", [b"", b"no zstd", "half", "more"])
def test_zstd_data_is_complete_and_has_nothing_after_it(data):
    whole = pytest.importorskip("zstandard").ZstdCompressor().compress(ONES)
    data = {"half": whole[:-3], "more": whole + b"more"}.get(data, data)
    assert refused(tmx(SET, packed_layer(data, "zstd"))).found.startswith("no zstd data")


def test_zstd_without_its_module_is_an_error_with_a_remedy(monkeypatch):
    monkeypatch.setattr(tile_data, "zstandard", None)
    problem = refused(tmx(SET, packed_layer(ONES, "zstd")))
    assert str(problem).endswith(
        "4:1: found zstd data, but the module zstandard is missing; expected zlib or gzip; "
        "pip install zstandard, or choose zlib in the map's properties in Tiled"
    )


def test_xml_without_its_module_is_an_error_with_a_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "defusedxml.ElementTree", None)
    message = str(refused(tmx()))
    assert "found XML, but the module defusedxml is missing; expected defusedxml" in message
    assert message.endswith("pip install 'ecs-collision[levels]' (in a checkout: pip install -e '.[levels]')")


def test_a_map_of_the_largest_size_is_read():
    level = parse_level(full(2048, 2048), "tmx")
    assert (2048 * 2048, 1) == (level["a"].properties["cells"], len(level["a"].parts))


def test_properties_are_counted_for_each_thing():
    many = "".join(f'<property name="p{number}" value="1"/>' for number in range(999))
    crate = f'<tile id="0"><properties>{many}<property name="Inertia" type="int" value="1"/></properties></tile>'
    for text in (full(100, 100), tmx(SET, objects(*['<object gid="1" x="0" y="0"/>'] * 3000))):
        assert " values" in refused(text.replace("</tileset>", f"{crate}</tileset>")).found
