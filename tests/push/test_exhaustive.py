"""Every world of up to three boxes on a few cells around the origin, and every push in it, against the model.

A world is built once for a cast of bodies, which are then moved from placement to placement. So the tests also show
that results do not depend on history (B5).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, NamedTuple

import pytest
from boards import AS_SHIPPED, IS_SOAK

from ecs_collision import Box, CompoundCollider, Inertia, Motion, Static, Transform
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

ROLES: dict[str, list[Component]] = {"player": [Motion(1.5)], "crate": [Inertia(1.0)], "wall": [Static()]}
"""Components of a body besides its boxes."""

Cast = tuple[tuple[str, str], ...]
"""Role and shape of each body; ids are 1, 2, 3."""


class Space(NamedTuple):
    """The space of tests: every cast with every setting, placement, displacement and option."""

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


# --- the test space ---------------------------------------------------------------------------------------------------


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


def grid(xs: Iterable[float], ys: Iterable[float] = (0.0,)) -> list[Vector]:
    """Return all cells with these corners."""
    return list(product(xs, ys, (0.0,)))


def along(axes: str, length: float) -> list[Vector]:
    """Return displacements along each of these axes, in both directions."""
    ways = {"x": (length, 0.0, 0.0), "y": (0.0, length, 0.0)}
    return [(sign * ways[axis][0], sign * ways[axis][1], 0.0) for axis in axes for sign in (1.0, -1.0)]


THREE, TWO, HALVES = (-1.0, 0.0, 1.0), (-1.0, 0.0), (-1.0, -0.5, 0.0, 0.5)
FORCES: list[dict[str, Any]] = [{"force": 1.0}, {"force": 1.5}]
BOTH: list[dict[str, Any]] = [{}, {"overlap_policy": "leave"}]

PUSHES = {
    "in a line": Space(among(("crate", "wall")), grid((-2.0, *THREE)), along("x", 3), FORCES),
    "in the plane": Space(among(["crate"]), grid(THREE, TWO), along("xy", 1), FORCES[1:]),
    "overlapping": Space(among(["crate"], maximum=2), grid(HALVES, HALVES), along("xy", 1), [{"force": 2}], BOTH),
    "of every shape": Space(among(["crate"], SHAPES, maximum=2), grid(TWO, TWO), along("xy", 1.5)),
}


@pytest.mark.parametrize("space", PUSHES.values(), ids=PUSHES)
def test_every_push_in_every_small_world_matches_the_model(space):
    """With hot files as shipped half of the casts, in another form a fifth; all in `make soak`."""
    space = space._replace(casts=space.casts[:: 1 if IS_SOAK else 2 if AS_SHIPPED else 5])
    for settings, cast in product(space.settings, space.casts):
        stage, player = Stage(cast, settings), 1 + [role for role, _ in cast].index("player")
        with checked(stage.world) as oracle:
            for cells in product(space.cells, repeat=len(cast)):
                for way, how in product(space.ways, space.hows):
                    stage.put(cells)
                    stage.world.move(player, *way, **how)
                assert oracle.model.pairs() == stage.world.space.pairs(), (cast, cells)
