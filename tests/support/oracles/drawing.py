"""Scenes drawn as text, one character a tile, y upwards.

`.` nothing, `#` a wall (static), `%` a body without Inertia, a digit: a crate of that inertia; a letter: all tiles with
that letter are one body, small letters of inertia 1, capitals without Inertia unless told. `A` is the mover of most.
"""

from __future__ import annotations

from dataclasses import dataclass

from .pushing import Shifts
from .scenes import Body, Box, Scene

TILE = 2
"""Whole numbers in a tile: z spans -1 to 1, so that a drawing is flat (L5)."""


@dataclass(frozen=True)
class Drawing:
    """A drawn scene: its bodies and the sign of each."""

    scene: Scene
    signs: dict[int, str]
    size: tuple[int, int]

    def __getitem__(self, sign: str) -> int:
        """Return the body of that sign; the first one read, if there are several."""
        return min(entity for entity, known in self.signs.items() if known == sign)

    def after(self, shifts: Shifts) -> str:
        """Return the drawing with bodies displaced; `?` where two of them share a tile."""
        columns, rows = self.size
        tiles = [["."] * columns for _ in range(rows)]
        for body in self.scene.by(shifts).bodies.values():
            for box in body.boxes:
                column, row = box.lo[0] / TILE, rows - 1 - box.lo[1] / TILE
                assert column.is_integer() and row.is_integer(), f"{body} stands between tiles"
                free = tiles[int(row)][int(column)] == "."
                tiles[int(row)][int(column)] = self.signs[body.entity] if free else "?"
        return "\n".join("".join(row) for row in tiles)


def tidy(text: str) -> str:
    """Return a drawing without the indentation of the code it stands in."""
    lines = [line.strip() for line in text.strip().splitlines()]
    width = max(map(len, lines))
    return "\n".join(line.ljust(width, ".") for line in lines)


def drawn(text: str, inertias: dict[str, float | tuple[float, float, float]] | None = None) -> Drawing:
    """Return the drawn scene; bodies are numbered from 1 as they are read, from the top left."""
    lines, told = tidy(text).splitlines(), inertias or {}
    tiles: dict[int, list[Box]] = {}
    signs: dict[int, str] = {}
    letters: dict[str, int] = {}
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            if sign == ".":
                continue
            entity = letters.setdefault(sign, len(signs) + 1) if sign.isalpha() else len(signs) + 1
            signs[entity] = sign
            tiles.setdefault(entity, []).append(_tile(column, len(lines) - 1 - row))
    bodies = {
        entity: Body(entity, tuple(tiles[entity]), _inertia(sign, told.get(sign)), static=sign == "#")
        for entity, sign in signs.items()
    }
    return Drawing(Scene(bodies, step=1 / TILE), signs, (len(lines[0]), len(lines)))


def _tile(column: int, row: int) -> Box:
    return Box((column * TILE, row * TILE, -1), (column * TILE + TILE, row * TILE + TILE, 1))


def _inertia(sign: str, told: float | tuple[float, float, float] | None) -> tuple[float, float, float] | None:
    if isinstance(told, tuple):
        return told
    if told is None and (sign in "#%" or sign.isupper()):
        return None
    value = float(told if told is not None else sign if sign.isdigit() else 1)
    return (value, value, value)
