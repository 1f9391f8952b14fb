"""Scenes drawn as text, one character a tile, y upwards.

`.` nothing, `#` a wall (static), `%` a body without Inertia, a digit: a crate of that inertia; a letter: all tiles with
that letter are one body, small letters of inertia 1, capitals without Inertia unless told. `A` is the mover of most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ecs_collision import Box, BoxCollider, CompoundCollider, Fused, Inertia, Static, Transform
from ecs_collision.components import Parts
from ecs_collision.testing.scenes import Scene

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Drawing:
    """A drawn scene: its tiles by body, the sign of each body, and columns and rows."""

    bodies: dict[int, Parts]
    tiles: dict[int, list[tuple[int, int]]]
    signs: dict[int, str]
    size: tuple[int, int]

    def scene(self, **settings: object) -> Scene:
        """Return the scene; compounds stand where their first tile is."""
        return Scene(self.bodies, settings)

    def __getitem__(self, sign: str) -> int:
        """Return the body of that sign; the first one read, if there are several."""
        return min(entity for entity, known in self.signs.items() if known == sign)

    def after(self, shifts: Mapping[int, Vector]) -> str:
        """Return the drawing with bodies displaced; `?` where two of them share a tile."""
        columns, rows = self.size
        lines = [["."] * columns for _ in range(rows)]
        for entity, tiles in self.tiles.items():
            dx, dy, _ = shifts.get(entity, (0, 0, 0))
            for x, y in tiles:
                column, row = x + dx, rows - 1 - y - dy
                assert column == int(column) and row == int(row), f"{self.signs[entity]} stands between tiles"
                free = lines[int(row)][int(column)] == "."
                lines[int(row)][int(column)] = self.signs[entity] if free else "?"
        return "\n".join("".join(line) for line in lines)

    def taken_apart(self, welds: Sequence[int], **settings: object) -> Scene:
        """Return the scene with a body for each tile: the further tiles of body 7 are 701, 702, all fused.

        welds: to which of its tiles before each further one is fused, by number.
        """
        bodies: dict[int, Parts] = {}
        for entity, parts in self.bodies.items():
            for number, (x, y) in enumerate(self.tiles[entity]):
                to = welds[number] % number if number else 0
                fused = Fused(100 * entity + to if to else entity) if number else None
                place = Transform(x + 0.5, y + 0.5)
                body = parts._replace(transform=place, collider=BoxCollider(0.5, 0.5), fused=fused)
                bodies[100 * entity + number if number else entity] = body
        return Scene(bodies, settings)


def drawn(text: str, inertias: Mapping[str, float] | None = None) -> Drawing:
    """Return what is drawn; bodies are numbered from 1 as they are read, from the top left."""
    lines, told = [line.strip() for line in text.strip().splitlines()], inertias or {}
    tiles: dict[int, list[tuple[int, int]]] = {}
    signs: dict[int, str] = {}
    letters: dict[str, int] = {}
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            if sign != ".":
                entity = letters.setdefault(sign, len(signs) + 1) if sign.isalpha() else len(signs) + 1
                signs[entity] = sign
                tiles.setdefault(entity, []).append((column, len(lines) - 1 - row))
    bodies = {entity: _body(tiles[entity], sign, told.get(sign)) for entity, sign in signs.items()}
    return Drawing(bodies, tiles, signs, (max(map(len, lines)), len(lines)))


def _body(tiles: list[tuple[int, int]], sign: str, told: float | None) -> Parts:
    x, y = tiles[0]
    boxes = [Box(0.5, 0.5, offset=(column - x, row - y)) for column, row in tiles]
    collider = CompoundCollider(boxes) if len(boxes) > 1 else BoxCollider(0.5, 0.5)
    immovable = told is None and (sign in "#%" or sign.isupper())
    inertia = None if immovable else Inertia(told if told is not None else int(sign) if sign.isdigit() else 1)
    return Parts(Transform(x + 0.5, y + 0.5), collider, inertia, static=Static() if sign == "#" else None)
