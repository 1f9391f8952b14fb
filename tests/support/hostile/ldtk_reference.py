"""A second reading of LDtk projects, written from the format's reference: levels, the cells of each kind, entities."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hostile.reading import OPEN, Reading, reading, within

Part = dict[str, Any]


def read_ldtk(path: Path) -> list[Reading]:
    """Read a project and the files of its levels."""
    project = json.loads(path.read_text("utf-8-sig"))
    worlds = [project, *(project.get("worlds") or [])]
    levels = [level for world in worlds for level in world.get("levels", [])]
    definitions = {each["uid"]: each for each in project["defs"]["layers"]}
    unit = unit_of(project, list(definitions.values()))
    found = []
    for level in levels:
        if level.get("layerInstances") is None:
            level = json.loads(within(path.parent, level["externalRelPath"]).read_text("utf-8-sig"))
        found.append(level_of(level, definitions, unit))
    return found


def unit_of(project: Part, layers: list[Part]) -> int:
    """Return the pixels of a cell: the default grid where a layer has it, else that of the first IntGrid, or layer."""
    grids = [layer["gridSize"] for layer in layers]
    if project["defaultGridSize"] in grids:
        return project["defaultGridSize"]
    return next((layer["gridSize"] for layer in layers if layer["type"] == "IntGrid"), (grids or [16])[0])


def level_of(level: Part, definitions: dict[int, Part], unit: int) -> Reading:
    """Return the reading of a level."""
    things: list[Any] = []
    many: set[str] = set()
    for layer in level["layerInstances"]:
        of = definitions[layer["layerDefUid"]]
        grid = of["gridSize"]
        dx, dy = layer["__pxTotalOffsetX"], layer["__pxTotalOffsetY"]
        columns, rows = layer["__cWid"], layer["__cHei"]

        def cell(index: int, kind: str, columns: int = columns, grid: int = grid, dx: int = dx, dy: int = dy) -> None:
            left, top = dx + index % columns * grid, dy + index // columns * grid
            things.append((kind, [scaled((left, top, left + grid, top + grid), unit)], []))
            many.add(kind)

        match layer["__type"]:
            case "IntGrid":
                assert len(layer["intGridCsv"]) == columns * rows, "a wrong number of cells"
                names = {each["value"]: each.get("identifier") for each in of["intGridValues"]}
                for index, value in enumerate(layer["intGridCsv"]):
                    if value:
                        cell(index, names[value] or f"{of['identifier']} value {value}")
            case "Tiles" | "AutoLayer":
                tiles = layer["gridTiles"] if layer["__type"] == "Tiles" else layer["autoLayerTiles"]
                for column, row in {tuple((2 * at + grid) // (2 * grid) for at in tile["px"]) for tile in tiles}:
                    if 0 <= column < columns and 0 <= row < rows:
                        cell(row * columns + column, of["identifier"])
            case "Entities":
                for entity in layer["entityInstances"]:
                    width, height, (across, down) = entity["width"], entity["height"], entity["__pivot"]
                    left, top = entity["px"][0] + dx - across * width, entity["px"][1] + dy - down * height
                    box = scaled((left, top, left + width, top + height), unit)
                    things.append((entity["__identifier"], [box], []))
    size = (-(-level["pxWid"] // unit), -(-level["pxHei"] // unit))
    found = reading(level["identifier"], size, things)
    return Reading(found.title, size, {**found.kinds, **dict.fromkeys(many, OPEN)}, found.cells, found.rectangles, OPEN)


def scaled(box: tuple[float, float, float, float], unit: int) -> Any:
    """Return a rectangle of pixels in cells."""
    return tuple(edge / unit for edge in box)
