"""Scenes drawn as text, one character per tile, y upwards; and pushes drawn before and after.

`.` is empty, `#` a wall (static), `%` a body without Inertia, a digit a crate of that inertia. All tiles with the same
letter are one body: small letters have inertia 1, capitals no Inertia, unless another inertia is given.
`^`, `<` and `>` are one-way walls with that direction. `A` is usually the mover. The pushes are those of
scenes/pushes.txt and of docs/rules.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from material import HOUSE

from ecs_collision import Box, BoxCollider, CompoundCollider, Fused, Inertia, OneWay, Static, Transform
from ecs_collision.components import Parts
from ecs_collision.testing.scenes import Scene

Vector = tuple[float, float, float]

ONE_WAY = {"^": (0, 1), "<": (-1, 0), ">": (1, 0)}
"""The directions of one-way walls by sign."""


@dataclass(frozen=True)
class Drawing:
    """A drawn scene: its tiles by body, the sign of each body, and the number of columns and rows."""

    bodies: dict[int, Parts]
    tiles: dict[int, list[tuple[int, int]]]
    signs: dict[int, str]
    size: tuple[int, int]

    def scene(self, **settings: object) -> Scene:
        """Return the scene; the position of a compound is its first tile."""
        return Scene(self.bodies, settings)

    def __getitem__(self, sign: str) -> int:
        """Return the body with this sign, the first one if there are several."""
        return min(entity for entity, known in self.signs.items() if known == sign)

    def after(self, shifts: Mapping[int, Vector]) -> str:
        """Return the drawing with displaced bodies; `?` marks a tile shared by two of them."""
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

    def split_into_tiles(self, partners: Sequence[int], **settings: object) -> Scene:
        """Return the scene with one body per tile, fused: the further tiles of body 7 are bodies 701, 702 and so on.

        partners: the number of the earlier tile to which each further tile is fused.
        """
        bodies: dict[int, Parts] = {}
        for entity, parts in self.bodies.items():
            for number, (x, y) in enumerate(self.tiles[entity]):
                to = partners[number] % number if number else 0
                fused = Fused(100 * entity + to if to else entity) if number else None
                place = Transform(x + 0.5, y + 0.5)
                body = parts._replace(transform=place, collider=BoxCollider(0.5, 0.5), fused=fused)
                bodies[100 * entity + number if number else entity] = body
        return Scene(bodies, settings)


def drawn(text: str, inertias: Mapping[str, float] | None = None) -> Drawing:
    """Return the drawn scene; bodies are numbered from 1 in reading order."""
    lines, inertias = [line.strip() for line in text.strip().splitlines()], inertias or {}
    tiles: dict[int, list[tuple[int, int]]] = {}
    signs: dict[int, str] = {}
    letters: dict[str, int] = {}
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            if sign != ".":
                entity = letters.setdefault(sign, len(signs) + 1) if sign.isalpha() else len(signs) + 1
                signs[entity] = sign
                tiles.setdefault(entity, []).append((column, len(lines) - 1 - row))
    bodies = {entity: _body(tiles[entity], sign, inertias.get(sign)) for entity, sign in signs.items()}
    return Drawing(bodies, tiles, signs, (max(map(len, lines)), len(lines)))


def _body(tiles: list[tuple[int, int]], sign: str, inertia: float | None) -> Parts:
    x, y = tiles[0]
    boxes = [Box(0.5, 0.5, offset=(column - x, row - y)) for column, row in tiles]
    collider = CompoundCollider(boxes) if len(boxes) > 1 else BoxCollider(0.5, 0.5)
    immovable = inertia is None and (sign in "#%" or sign in ONE_WAY or sign.isupper())
    value = inertia if inertia is not None else int(sign) if sign.isdigit() else 1
    static = Static() if sign == "#" or sign in ONE_WAY else None
    one_way = OneWay(ONE_WAY[sign]) if sign in ONE_WAY else None
    inertia_of = None if immovable else Inertia(value)
    return Parts(Transform(x + 0.5, y + 0.5), collider, inertia_of, static=static, one_way=one_way)


SOURCE = Path(__file__).parent / "scenes" / "pushes.txt"
RULES = HOUSE / "docs" / "rules.md"


@dataclass(frozen=True)
class Plan:
    """One push in tiles; `how` are its options, `stop` has the letters of the blockers and the reason."""

    name: str
    before: str
    after: str
    way: tuple[int, int]
    how: dict[str, Any]
    axis_order: str
    inertias: dict[str, float]
    stop: tuple[str, str] | None


def read(text: str) -> list[Plan]:
    """Return the plans of a text in order."""
    text = re.sub(r"^# .*\n|^#\n", "", text, flags=re.MULTILINE)
    return [_plan(block.splitlines()) for block in re.split(r"\n\s*\n", text.strip())]


def pictured(document: str) -> list[Plan]:
    """Return the plans of a document: its text blocks that begin with a name and a path, such as `P6: x+4`."""
    blocks = re.findall(r"^```text\n([\w-]+: [xy][+-].*?)^```$", document, flags=re.MULTILINE | re.DOTALL)
    return [plan for block in blocks for plan in read(block)]


def _plan(lines: list[str]) -> Plan:
    name, _, options = lines[0].partition(":")
    before, after = ("\n".join(column) for column in zip(*(line.split() for line in lines[1:]), strict=True))
    way, inertias, stop = {"x": 0, "y": 0}, {}, None
    settings: dict[str, Any] = {"force": 5.0, "rule": "each", "max_chain": None, "all_or_nothing": False, "axes": "xyz"}
    for option in options.split():
        key, _, value = option.partition("=")
        if option[0] in way:
            way[option[0]] = int(option[1:])
        elif option.startswith("stop:"):
            _, sign, reason = option.split(":")
            stop = (sign, reason)
        elif len(key) == 1:
            inertias[key] = float(value)
        else:
            settings |= _rule(key, value)
    return Plan(name, before, after, (way["x"], way["y"]), settings, settings.pop("axes"), inertias, stop)


def _rule(key: str, value: str) -> dict[str, Any]:
    known: dict[str, Any] = {
        "force": lambda: {"force": float(value)},
        "rule": lambda: {"rule": value},
        "max_chain": lambda: {"max_chain": int(value)},
        "all_or_nothing": lambda: {"all_or_nothing": True},
        "axes": lambda: {"axes": value},
    }
    found: dict[str, Any] = known[key]()
    return found


PLANS = [*read(SOURCE.read_text(encoding="utf-8")), *pictured(RULES.read_text(encoding="utf-8"))]
