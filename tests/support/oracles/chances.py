"""Scenes, requests and rules at random, from any source of whole numbers: `random.Random.randint` or Hypothesis."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from hypothesis import strategies as st

from .scenes import Body, Box, Rules, Scene, Vector

Pick = Callable[[int, int], int]
T = TypeVar("T")
INERTIAS = (1.0, 1.0, 1.0, 1.0, None, 0.0, 0.5, 0.5, 2.0, 2.0, 3.0, math.inf)
FORCES = (5.0, 5.0, 5.0, 3.5, 3.5, 2.5, 1.5, 1.0, 0.0, 9.0, math.inf)
LAYERS = ("a", "a", "a", "b")
MASKS = (None, None, None, None, None, frozenset("ab"), frozenset("a"))
ORDERS = ("xyz", "yxz", "zyx", "xzy", "yzx", "zxy")


@dataclass(frozen=True)
class Wish:
    """A motion to be tried in a scene."""

    mover: int
    way: Vector
    rules: Rules


def one_of(pick: Pick, choices: tuple[T, ...]) -> T:
    """Return one of the choices."""
    return choices[pick(0, len(choices) - 1)]


def scene(pick: Pick, *, bodies: int = 10, room: int = 8, flat: bool = False, spread: int = 1) -> Scene:
    """Return up to so many bodies in a narrow room, some of them compounds, some overlapping.

    spread: how many times as far apart the bodies stand; the boxes themselves grow for some of them.
    """
    found: dict[int, Body] = {}
    for entity in range(1, pick(bodies // 2, bodies) + 1):
        body = _body(pick, entity, room, flat)
        found[entity] = _spread(pick, body, spread) if spread > 1 else body
    return Scene(found)


def _spread(pick: Pick, body: Body, spread: int) -> Body:
    """Return the body further out on x, long on x for some: chains of wide gaps and boxes of every size."""
    factor = spread if pick(0, 2) == 2 else 1
    zero = body.boxes[0].lo[0]
    corners = [[(zero * spread + (face[0] - zero) * factor, face[1], face[2]) for face in box] for box in body.boxes]
    return replace(body, boxes=tuple(Box(*pair) for pair in corners))


def _body(pick: Pick, entity: int, room: int, flat: bool) -> Body:
    corner = (pick(0, room), pick(0, room), 0 if flat else pick(0, 2))
    boxes = [_box(pick, corner, flat)]
    for _ in range(pick(-3, 2)):
        near = (corner[0] + pick(-3, 3), corner[1] + pick(-3, 3), 0 if flat else corner[2] + pick(-2, 2))
        boxes.append(_box(pick, near, flat))
    static = entity > 1 and pick(0, 11) == 11
    inertia = None if static else one_of(pick, INERTIAS)
    per_axis = None if inertia is None else (inertia, inertia, inertia)
    if per_axis and pick(0, 7) == 7:
        per_axis = (per_axis[0], math.inf, 1.0)
    return Body(entity, tuple(boxes), per_axis, static, one_of(pick, LAYERS), one_of(pick, MASKS))


def _box(pick: Pick, corner: Vector, flat: bool) -> Box:
    sides = [pick(1, 3) if pick(0, 15) < 15 else 0, pick(1, 4), pick(2, 4)]
    if flat:
        return Box((corner[0], corner[1], -1), (corner[0] + sides[0], corner[1] + sides[1], 1))
    return Box(corner, (corner[0] + sides[0], corner[1] + sides[1], corner[2] + sides[2]))


def wish(pick: Pick, where: Scene, *, reach: int = 9, plain: bool = False) -> Wish:
    """Return a motion of one of the bodies, under whatever rules; plain: every rule at its default."""
    movers = tuple(entity for entity, body in where.bodies.items() if not body.static)
    way = (pick(-reach, reach), pick(-reach, reach) * pick(0, 1), pick(-reach, reach) * pick(0, 1))
    rules = Rules(force=one_of(pick, FORCES))
    return Wish(one_of(pick, movers), way, rules if plain else _odd(pick, rules, where))


def _odd(pick: Pick, rules: Rules, where: Scene) -> Rules:
    spots = [face for body in where.bodies.values() for box in body.boxes for face in box]
    low, high = (tuple(end(spot[axis] for spot in spots) for axis in range(3)) for end in (min, max))
    room = pick(1, 8)
    bounds = Box((low[0] - room, low[1] - 1, low[2] - 9), (high[0] + room, high[1] + 1, high[2] + 9))
    return replace(
        rules,
        rule=one_of(pick, ("each", "sum")),
        max_chain=one_of(pick, (None, None, None, None, None, None, 0, 1, 2, 3)),
        all_or_nothing=pick(0, 7) == 7,
        axis_order=one_of(pick, ORDERS),
        block_deeper=pick(0, 2) == 2,
        bounds=bounds if pick(0, 5) == 5 else None,
        verdicts={entity: pick(0, 1) == 1 for entity in where.bodies if pick(0, 15) == 15},
    )


@st.composite
def scenes(draw: Any, **kinds: Any) -> Scene:
    """Return a strategy for scenes."""
    return scene(_picker(draw), **kinds)


@st.composite
def plights(draw: Any, *, plain: bool = False, reach: int = 9, **kinds: Any) -> tuple[Scene, Wish]:
    """Return a strategy for a scene and a motion in it."""
    pick = _picker(draw)
    where = scene(pick, **kinds)
    return where, wish(pick, where, plain=plain, reach=reach)


def _picker(draw: Any) -> Pick:
    return lambda low, high: int(draw(st.integers(low, high)))
