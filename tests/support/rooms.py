"""Levels drawn in a test: a plan of letters, and what each letter is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ecs_collision import CompoundCollider
from ecs_collision.levels import FrozenMap, Level, Thing
from ecs_collision.levels.level import names_for

LEGEND: dict[str, tuple[str, dict[str, Any]]] = {
    "#": ("wall", {"Static": {}}),
    "@": ("player", {"Motion": {"force": 1.5}}),
    "$": ("crate", {"Inertia": {"value": 1}}),
    ".": ("goal", {"Trigger": {}}),
    "_": ("plate", {"Trigger": {}}),
    "D": ("door", {"Static": {}}),
    "*": ("gem", {"Trigger": {}}),
    "!": ("torch", {}),
}
"""Letter to kind and components; those of STACKED are two on one cell, such as the player on a goal."""

STACKED = {"+": "@.", "&": "$_", "%": "D_", "^": "Da"}


def room(*rows: str, more: Mapping[str, tuple[str, dict[str, Any]]] = {}, joined: str = "#", **level: Any) -> Level:
    """Return the level of a plan; the cells of each letter in `joined` are one thing, all others one a cell."""
    legend = LEGEND | dict(more)
    cells: dict[str, list[tuple[int, int]]] = {}
    order: list[tuple[str, tuple[int, int]]] = []
    for row, line in enumerate(rows):
        for column, symbol in enumerate(line):
            for letter in STACKED.get(symbol, symbol):
                if letter == " ":
                    continue
                cells.setdefault(letter, []).append((column, row))
                if letter not in joined or len(cells[letter]) == 1:
                    order.append((letter, (column, row)))
    names = names_for(legend[letter][0] for letter, _ in order)
    things = []
    for (letter, (column, row)), name in zip(order, names, strict=True):
        kind, components = legend[letter]
        mine = cells[letter] if letter in joined else [(column, row)]
        shape = [(x - column, y - row) for x, y in mine]
        parts = CompoundCollider.from_cells(shape).parts
        boxes = tuple(
            type(box)(box.hx, box.hy, box.hz, offset=(box.offset[0] - 0.5, box.offset[1] - 0.5, box.offset[2]))
            for box in parts
        )
        things.append(Thing(name, kind, (column + 0.5, row + 0.5, 0.0), boxes, FrozenMap(components)))
    size = (max(map(len, rows)), len(rows))
    return Level(
        "room", size, tuple(things), **({"settings": FrozenMap({"rule": "sum"}), "source": "room.txt"} | level)
    )
