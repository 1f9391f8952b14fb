"""Sample maps from Tiled: each has the content that other readers find, or is an error for a reason."""

from __future__ import annotations

import base64
import shutil
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from collections import Counter
from pathlib import Path

import pytest
from material import material
from tiled_maps import load_both

from ecs_collision.errors import LevelError
from ecs_collision.levels import load_level

FOLDER = material("tiled/examples")
MAPS = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.tmx"))
REFUSED = {
    "hexagonal-mini.tmx": "a map that is hexagonal",
    "test_hexagonal_tile_60x60x30.tmx": "a map that is hexagonal",
    "isometric_grass_and_water.tmx": "a map that is isometric",
    "isometric_staggered_grass_and_water.tmx": "a map that is staggered",
}
LOST = dict.fromkeys(
    (name for name in MAPS if "sticker-knight" in name), "the reference 'templates/hero.tx': no readable file"
)
"""The templates of these maps are missing in the collection."""
LOADED = [name for name in MAPS if name not in REFUSED and name not in LOST]

TEMPLATE = """
<template>
 <tileset firstgid="1" source="../objs.tsx"/>
 <object name="{name}" type="{name}" gid="22" width="128" height="160"/>
</template>"""


def counted(path: Path) -> Counter[str]:
    """Return the number of layers of each type, cells with tiles, and objects in an XML map."""
    found: Counter[str] = Counter()
    for layer in ElementTree.parse(path).getroot().iter():
        if layer.tag in ("layer", "objectgroup", "imagelayer", "group"):
            found[layer.tag] += 1
            found["objects"] += len(layer.findall("object"))
        if layer.tag == "layer":
            found["cells"] += sum(gid != 0 for gid in gids_of(layer.find("data")))
    return found


def gids_of(data: ElementTree.Element) -> tuple[int, ...]:
    """Return the tiles of a layer, in the encodings of these maps."""
    text = (data.text or "").strip()
    if data.get("encoding") == "csv":
        return tuple(map(int, text.split(",")))
    raw = zlib.decompress(base64.b64decode(text))
    return struct.unpack(f"<{len(raw) // 4}I", raw)


def of_level(level) -> Counter[str]:
    """Return the same counts of a level."""
    tags = {"tilelayer": "layer"}
    found = Counter(tags.get(layer["type"], layer["type"]) for layer in level.properties["layers"])
    found["objects"] = sum(layer.get("objects", 0) for layer in level.properties["layers"])
    found["cells"] = sum(thing.properties.get("cells", 0) for thing in level.things)
    assert found["cells"] == sum(layer.get("cells", 0) for layer in level.properties["layers"])
    return found


@pytest.mark.parametrize("name", LOADED)
def test_a_sample_has_the_counts_of_an_independent_reader(name):
    level = load_level(FOLDER / name)
    root = ElementTree.parse(FOLDER / name).getroot()
    assert +counted(FOLDER / name) == +of_level(level)
    assert (int(root.get("width")), int(root.get("height"))) == level.size
    assert "tiled" == level.form


@pytest.mark.parametrize("name", LOADED)
def test_a_sample_is_equal_in_json(name, tmp_path):
    shutil.copytree((FOLDER / name).parent, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.png"))
    load_both(tmp_path, Path(name).name)


@pytest.mark.parametrize("name", [name for name in LOADED if name != "perspective_walls.tmx"])
def test_a_sample_has_the_content_that_pytmx_reads(name):
    """pytmx cannot read perspective_walls.tmx, which does not contain the size of its image."""
    pytmx = pytest.importorskip("pytmx")
    theirs = pytmx.TiledMap(str(FOLDER / name), image_loader=lambda *_, **__: lambda *_: None)
    found: Counter[str] = Counter()
    for layer in theirs.layers:
        found[type(layer).__name__] += 1
        found["objects"] += len(layer) if isinstance(layer, pytmx.TiledObjectGroup) else 0
        if isinstance(layer, pytmx.TiledTileLayer):
            found["cells"] += sum(gid != 0 for row in layer.data for gid in row)
    counts = of_level(load_level(FOLDER / name))
    names = {"TiledTileLayer": "layer", "TiledObjectGroup": "objectgroup", "TiledImageLayer": "imagelayer"}
    assert +Counter({names.get(kind, kind): count for kind, count in found.items()}) == +counts


@pytest.mark.parametrize(("name", "found"), [*REFUSED.items(), *LOST.items()])
def test_an_unsupported_sample_is_an_error_with_a_reason(name, found):
    with pytest.raises(LevelError) as problem:
        load_level(FOLDER / name)
    assert problem.value.found.startswith(found)
    assert (problem.value.line, problem.value.column) != (None, None)


@pytest.mark.parametrize("name", LOST)
def test_a_sample_loads_with_its_templates_added(name, tmp_path):
    folder = tmp_path / "map"
    shutil.copytree((FOLDER / name).parent, folder, ignore=shutil.ignore_patterns("*.png"))
    (folder / "templates").mkdir()
    parts = ElementTree.parse(folder / Path(name).name).iter("object")
    for template in {part.get("template") for part in parts} - {None}:
        (folder / template).write_text(TEMPLATE.format(name=Path(template).stem).strip(), encoding="utf-8")
    level = load_both(folder, Path(name).name)
    assert +counted(FOLDER / name) == +of_level(level)
    assert level["hero"].kind == "hero"
