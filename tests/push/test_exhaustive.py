"""Every world of up to three boxes on a few cells around the origin, and every push in it, against the model.

A world is built once for a cast of bodies, which are then moved from placement to placement. So the tests also show
that results do not depend on history (B5). `make soak` tries more casts, displacements and settings.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import permutations, product
from typing import Any, NamedTuple

import pytest
from boards import AS_SHIPPED

from ecs_collision import Box, CompoundCollider, Inertia, Motion, Static, Transform, Trigger
from ecs_collision.components import Component
from ecs_collision.testing import scene
from tests.model.oracle import checked

Vector = tuple[float, float, float]

SHAPES: dict[str, list[Box]] = {
    "unit": [Box(0.5, 0.5, offset=(0.5, 0.5))],
    "wide": [Box(1.0, 0.5, offset=(1.0, 0.5))],
    "corner": [Box(0.5, 0.5, offset=(x, y)) for x, y in ((0.5, 0.5), (1.5, 0.5), (0.5, 1.5))],
    "apart": [Box(0.5, 0.5, offset=(x, 0.5)) for x in (0.5, 2.5)],
    "point": [Box(0.0, 0.0, offset=(0.5, 0.5))],
}
"""The position is the low corner of the first cell."""

ROLES: dict[str, list[Component]] = {
    "player": [Motion(1.5)],
    "second": [Motion(1.5, priority=1), Inertia(1.0)],
    "crate": [Inertia(1.0)],
    "heavy": [Inertia(2.0)],
    "rails": [Inertia(x=1.0, y=math.inf, z=1.0)],
    "block": [],
    "wall": [Static()],
    "zone": [Trigger()],
    "fringe": [Trigger(touching=True, stay=True)],
    "guard": [Trigger(statics=True, stay=True)],
    "hum": [Trigger(swept=True, linger=1, touching=True)],
}
"""Components of a body besides its boxes."""

Cast = tuple[tuple[str, str], ...]
"""Role and shape of each body; ids are 1, 2, 3."""


class Space(NamedTuple):
    """The space of tests: every cast with every setting, placement, mover, displacement and option."""

    casts: list[Cast]
    cells: list[Vector]
    ways: list[Vector]
    hows: list[dict[str, Any]] = [{}]
    settings: list[dict[str, Any]] = [{}]


class Stage:
    """A cast in a world whose every act is compared with the model."""

    def __init__(self, cast: Cast, settings: dict[str, Any]) -> None:
        bodies = {
            entity: (Transform(100.0 * entity, 0.0), CompoundCollider(SHAPES[shape]), *ROLES[role])
            for entity, (role, shape) in enumerate(cast, 1)
        }
        self.world = scene(bodies, **settings).world()
        self.bodies = {entity: self.world.bodies.of(self.world.bodies.row(entity)) for entity in bodies}

    def put(self, cells: Iterable[Vector]) -> None:
        """Put each body on its cell."""
        for parts, cell in zip(self.bodies.values(), cells, strict=True):
            parts.transform.position = cell


def movers(cast: Cast) -> list[int]:
    """Return the ids of the bodies that move by themselves."""
    return [entity for entity, (role, _) in enumerate(cast, 1) if role in ("player", "second")]


def pushed_all(space: Space) -> None:
    """Try every push."""
    for settings, cast in product(space.settings, space.casts):
        stage = Stage(cast, settings)
        with checked(stage.world) as oracle:
            for cells in product(space.cells, repeat=len(cast)):
                for mover, way, how in product(movers(cast), space.ways, space.hows):
                    stage.put(cells)
                    stage.world.move(mover, *way, **how)
                assert oracle.model.pairs() == stage.world.space.pairs(), (cast, cells)


def played_all(space: Space) -> None:
    """Try every frame: all bodies are placed, then every mover makes every displacement."""
    for settings, cast in product(space.settings, space.casts):
        stage = Stage(cast, settings)
        with checked(stage.world):
            for cells in product(space.cells, repeat=len(cast)):
                for ways in product(space.ways, repeat=len(movers(cast))):
                    stage.put(cells)
                    stage.world.step()
                    for mover, way in zip(movers(cast), ways, strict=True):
                        stage.world.request(mover, *way)
                    stage.world.step()
        stage.world.check()


# --- the test space ---------------------------------------------------------------------------------------------------


def grid(xs: Iterable[float], ys: Iterable[float] = (0.0,), zs: Iterable[float] = (0.0,)) -> list[Vector]:
    """Return all cells with these corners."""
    return list(product(xs, ys, zs))


def among(others: Iterable[str], shapes: Iterable[str] = ("unit",), maximum: int = 3) -> list[Cast]:
    """Return all casts of a player and fewer than `maximum` others, in every order of ids."""
    figures, shapes = list(product(others, shapes)), list(shapes)
    return [
        (*rest[:turn], ("player", shape), *rest[turn:])
        for count in range(maximum)
        for rest in product(figures, repeat=count)
        for turn in range(count + 1)
        for shape in shapes
    ]


def ranked(*roles: str) -> list[Cast]:
    """Return the casts of unit boxes in these roles, in every order of ids."""
    return [tuple((role, "unit") for role in order) for order in permutations(roles)]


def along(axes: str, *lengths: float) -> list[Vector]:
    """Return displacements along each of these axes, in both directions."""
    ways = product(axes, lengths, (1.0, -1.0))
    return [(sign * length * (axis == "x"), sign * length * (axis == "y"), sign * length * (axis == "z"))
            for axis, length, sign in ways]  # fmt: skip


def pushes(*forces: float, rules: Iterable[str] = ("each", "sum")) -> list[dict[str, Any]]:
    """Return the options of pushes with these forces and rules."""
    return [{"force": force, "rule": rule} for force, rule in product(forces, rules)]


FOUR, THREE, TWO, HALVES = (-2.0, -1.0, 0.0, 1.0), (-1.0, 0.0, 1.0), (-1.0, 0.0), (-1.0, -0.5, 0.0, 0.5)
SOLID = ("crate", "heavy", "rails", "block", "wall", "zone")
BOTH: list[dict[str, Any]] = [{}, {"overlap_policy": "leave"}]
ORDERS: list[dict[str, Any]] = [{}, {"order": "front_first"}]

PUSHES = {
    "in a line": Space(among(("crate", "wall")), grid(FOUR), along("x", 3), pushes(1, 1.5, rules=["each"])),
    "in the plane": Space(among(["crate"]), grid(THREE, TWO), along("xy", 1), pushes(1.5, rules=["each"])),
    "overlapping": Space(among(["crate"], maximum=2), grid(HALVES, HALVES), along("xy", 1), [{"force": 2}], BOTH),
    "of every shape": Space(among(["crate"], SHAPES, maximum=2), grid(TWO, TWO), along("xy", 1.5)),
}
PUSHES_IN_SOAK = {
    "every force in a line": Space(among(SOLID), grid(FOUR), along("x", 1, 3), pushes(0.5, 1, 1.5, 2, 3, 3.5), BOTH),
    "every role in the plane": Space(among(SOLID), grid(FOUR, TWO), along("xy", 1), pushes(1.5)),
    "of every shape": Space(among(["crate"], SHAPES), grid((*TWO, 1.0), TWO), along("xy", 2), pushes(2), BOTH),
    "between bounds": Space(
        among(("crate", "heavy")), grid((-3.0, *FOUR), (-1.0, 1.0)), along("xy", 1, 3), pushes(2),
        [{"bounds": ((-2, -1), (2, 2))}],
    ),
    "along two axes": Space(
        among(("crate", "heavy")), grid(FOUR, TWO), list(product((-2.0, 1.0), (-1.0, 2.0), (0.0,))),
        [{"force": 2.5, "all_or_nothing": whole, "max_chain": chain} for whole in (False, True) for chain in (1, 2)],
        [{}, {"axis_order": "yxz"}],
    ),
    "in space": Space(among(("crate", "wall")), grid(TWO, TWO, TWO), along("xyz", 1), pushes(2), BOTH),
}  # fmt: skip
FRAMES = {
    "a crate and a trigger": Space(ranked("player", "crate", "fringe"), grid(FOUR), along("x", 2)),
    "a wall and a trigger": Space(
        [*ranked("player", "wall", "guard"), *ranked("player", "wall", "fringe")], grid(THREE), along("x", 2)
    ),
}
FRAMES_IN_SOAK = {
    "a crate and a trigger": Space(ranked("player", "crate", "hum"), grid(FOUR, TWO), along("xy", 2)),
    "two who push": Space(ranked("player", "second", "crate"), grid(FOUR), along("x", 1, 3), settings=ORDERS),
    "two and a trigger": Space(ranked("player", "second", "fringe"), grid(FOUR), along("x", 1, 3), settings=ORDERS),
}
SPACES = [
    *((pushed_all, name, space, False) for name, space in PUSHES.items()),
    *((played_all, name, space, False) for name, space in FRAMES.items()),
    *((pushed_all, name, space, True) for name, space in PUSHES_IN_SOAK.items()),
    *((played_all, name, space, True) for name, space in FRAMES_IN_SOAK.items()),
]


@pytest.mark.parametrize(
    ("try_all", "space"),
    [
        pytest.param(try_all, space, id=f"{try_all.__name__} {name}", marks=[pytest.mark.soak] if is_long else [])
        for try_all, name, space, is_long in SPACES
    ],
)
def test_every_push_in_every_small_world_matches_the_model(try_all, space):
    """Other forms of the hot files test a fifth of the casts."""
    try_all(space if AS_SHIPPED else space._replace(casts=space.casts[::5]))
