"""What the questions of `system.space` must answer, by looking at every box (rules B7 and L4)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ecs_collision.testing.model import Body

from .game import Game

Faces = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
"""Low and high face on each axis, in lattice units."""

Answer = tuple[list[int] | list[tuple[int, int]], str]
"""What is answered, and the error raised instead, "" for none."""


def asked(g: Game, question: str, who: int, box: Any, how: dict[str, Any]) -> tuple[str, Callable[[], Answer]]:
    """Return the Python of a question, and what answers it when all is taken in."""
    name, entity = g.home.name, g.one(who)
    if question == "pairs":
        return f"{name}.space.pairs()", lambda: (g.model.pairs(), "")
    if question == "inside":
        entity = g.one(who, "Trigger") if who % 3 else entity
        return (f"{name}.inside({entity})" if entity is not None else "", lambda: _inside(g, entity))
    if question == "touching" and entity is not None:
        return f"{name}.touching({entity})", lambda: _touching(g, entity)
    options = "".join(f", {option}={value!r}" for option, value in how.items())
    if question == "at":
        spot = box[0]
        point = tuple((_units(value), _units(value)) for value in (*spot, 0.0)[:3])
        return f"{name}.space.at({', '.join(map(repr, spot))}{options})", lambda: (_over(g, [point], how), "")
    if question == "overlapping":
        return f"{name}.space.overlapping({box!r}{options})", lambda: (_over(g, [_inward(box)], how), "")
    if question == "overlapping a body" and entity is not None:
        return f"{name}.space.overlapping({entity}{options})", lambda: _around(g, entity, how)
    return "", lambda: ([], "")


def _inside(g: Game, entity: int | None) -> Answer:
    body = g.model.bodies.get(entity) if entity is not None else None
    if body is None or entity is None:
        return [], "UnknownEntity"
    return ([], "CollisionValueError") if body.zone is None else (g.model.inside(entity), "")


def _touching(g: Game, entity: int) -> Answer:
    return (g.model.touching(entity), "") if entity in g.model.bodies else ([], "UnknownEntity")


def _around(g: Game, entity: int, how: dict[str, Any]) -> Answer:
    body = g.model.bodies.get(entity)
    if body is None:
        return [], "UnknownEntity"
    boxes = _boxes(body) if _takes_part(body, True) else []
    return [other for other in _over(g, boxes, how) if other != entity], ""


def _over(g: Game, boxes: list[Any], how: dict[str, Any]) -> list[int]:
    """Return who overlaps any of these boxes."""
    layers, ignore = how.get("layers"), how.get("ignore", ())
    return sorted(
        body.id
        for body in g.model.bodies.values()
        if _takes_part(body, how.get("triggers", False))
        and (layers is None or body.layer in ((layers,) if isinstance(layers, str) else layers))
        and body.id not in ignore
        and any(_overlap(one, other) for one in boxes for other in _boxes(body))
    )


def _takes_part(body: Body, triggers: bool) -> bool:
    if body.zone is None:
        return body.enabled
    return triggers and body.enabled and body.zone.enabled


def _overlap(one: Faces, other: Faces) -> bool:
    return all(a[0] < b[1] and b[0] < a[1] for a, b in zip(one, other, strict=True))


def _boxes(body: Body) -> list[Faces]:
    """Return the boxes of a body, their faces relative to it rounded inward (L1)."""
    found = []
    for part in body.boxes:
        sides = [_inward_side(part[axis + 3] - part[axis], part[axis + 3] + part[axis]) for axis in range(3)]
        at = [_units(value) for value in body.position]
        x, y, z = ((at[axis] + sides[axis][0], at[axis] + sides[axis][1]) for axis in range(3))
        found.append((x, y, z))
    return found


def _inward(box: Any) -> Any:
    lo, hi = box
    if len(lo) == 2:
        lo, hi = (*lo, -0.5), (*hi, 0.5)
    return tuple(_inward_side(low, high) for low, high in zip(lo, hi, strict=True))


def _inward_side(low: float, high: float) -> tuple[int, int]:
    first, last = math.ceil(low * 65536), math.floor(high * 65536)
    return (first, last) if first <= last else (_units((low + high) / 2),) * 2


def _units(value: float) -> int:
    return math.floor(value * 65536 + 0.5)
