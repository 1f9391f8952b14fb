"""The text of `MoveResult.explain`: read at once, from a plan, from a frame, and late (P16)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from squares import a_row, a_square, ruin

from ecs_collision import Box, BoxCollider, CollisionWorld, CompoundCollider, Inertia, Motion, Static, Transform


def vetoing(*entities: int) -> Callable[[int, int, str, float], bool | None]:
    """Return a hook that vetoes pushes of some entities."""
    return lambda pusher, pushed, axis, force: False if pushed in entities else None


def with_disabled_player(world: CollisionWorld) -> CollisionWorld:
    """Return the world with its player disabled."""
    collider = world._bodies.of(world._bodies.row(1)).collider
    assert collider is not None
    collider.enabled = False
    return world


def a_hook() -> CollisionWorld:
    """Return a world with a player whose two parts have a crate between them on x and on y, heavier along y."""
    world = CollisionWorld()
    parts = [Box(0.5, 0.5), Box(0.5, 0.5, offset=(1, -1, 0))]
    world.add(transform=Transform(0, 0), collider=CompoundCollider(parts), motion=Motion(9))
    world.add(transform=Transform(1, 0), collider=a_square(), inertia=Inertia(x=1, y=2))
    world.add(transform=Transform(1, 5), collider=a_square(), inertia=Inertia(x=1))
    return world


def a_fork() -> CollisionWorld:
    """Return a world with a wide player in front of two crates side by side, one of them near a wall."""
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 1), motion=Motion(5))
    world.add(transform=Transform(1, 0.5), collider=a_square(), inertia=Inertia(1))
    world.add(transform=Transform(2, -0.5), collider=a_square(), inertia=Inertia(1.5))
    world.add(transform=Transform(4, -0.5), collider=a_square(), static=Static())
    return world


PLAYER = "entity 1 (force 5) moved"
EXPLAINED: dict[str, tuple[Callable[[], CollisionWorld], dict[str, Any], str]] = {
    "free": (lambda: a_row(), {"dx": 3}, f"{PLAYER} x +3 of +3"),
    "not asked": (lambda: a_row(), {}, "entity 1 (force 5) was not asked to move"),
    "back and up": (lambda: a_row(), {"dx": -3, "dz": 0.25}, f"{PLAYER} x -3 of -3, z +0.25 of +0.25"),
    "another force": (lambda: a_row(), {"dx": 1, "force": 0.75}, "entity 1 (force 0.75) moved x +1 of +1"),
    "endless force": (lambda: a_row(), {"dx": 1, "force": math.inf}, "entity 1 (force inf) moved x +1 of +1"),
    "six digits": (lambda: a_row(), {"dx": 1234.56789}, f"{PLAYER} x +1234.57 of +1234.57"),
    "a chain": (lambda: a_row(1, 2, gap=1), {"dx": 3},
        f"{PLAYER} x +3 of +3: entity 2 (inertia 1) pushed x +2, entity 3 (inertia 2) pushed x +1"),
    "a chain backwards": (lambda: a_row(1, 2, gap=-3), {"dx": -4},
        f"{PLAYER} x -4 of -4: entity 2 (inertia 1) pushed x -3, entity 3 (inertia 2) pushed x -2"),
    "stopped by force": (
        lambda: a_row(1, 7, gap=1),
        {"dx": 5},
        f"{PLAYER} x +2 of +5: entity 2 (inertia 1) pushed x +1; "
        "x stopped after 2 by entity 3 (inertia 7): the force is too small",
    ),
    "stopped at once": (lambda: a_row(5), {"dx": 1},
        f"{PLAYER} x 0 of +1; x stopped after 0 by entity 2 (inertia 5): the force is too small"),
    "stopped by what cannot be pushed": (lambda: a_row(None, gap=0.5), {"dx": 1},
        f"{PLAYER} x +0.5 of +1; x stopped after 0.5 by entity 2 (immovable): it cannot be pushed"),
    "a sum": (lambda: a_row(2, 2, 2, rule="sum"), {"dx": 1},
        f"{PLAYER} x 0 of +1; x stopped after 0 by entity 4 (inertia 2): the force is too small"),
    "a sum with gaps": (
        lambda: a_row(2, 2, 2, rule="sum", gap=1),
        {"dx": 9},
        f"{PLAYER} x +3 of +9: entity 2 (inertia 2) pushed x +2, entity 3 (inertia 2) pushed x +1; "
        "x stopped after 3 by entity 4 (inertia 2): the force is too small",
    ),
    "a chain too long": (
        lambda: a_row(1, 1, 1, max_chain=2, gap=1),
        {"dx": 9},
        f"{PLAYER} x +3 of +9: entity 2 (inertia 1) pushed x +2, entity 3 (inertia 1) pushed x +1; "
        "x stopped after 3 by entity 4 (inertia 1): the chain is too long",
    ),
    "a hook": (
        lambda: a_row(1, 1, can_push=vetoing(3), gap=1),
        {"dx": 9},
        f"{PLAYER} x +2 of +9: entity 2 (inertia 1) pushed x +1; "
        "x stopped after 2 by entity 3 (inertia 1): can_push refused",
    ),
    "a hook that allows": (lambda: a_row(7, None, can_push=lambda *arguments: True), {"dx": 1},
        f"{PLAYER} x +1 of +1: entity 2 (inertia 7) pushed x +1, entity 3 (immovable) pushed x +1"),
    "bounds": (
        lambda: a_row(1, bounds=((-2, -9), (4, 9)), gap=1),
        {"dx": 9, "dy": -20},
        f"{PLAYER} x +2.5 of +9, y -8.5 of -20: entity 2 (inertia 1) pushed x +1.5; "
        "x stopped by the bounds; y stopped by the bounds",
    ),
    "all or nothing": (
        lambda: a_row(1, None, gap=1),
        {"dx": 9, "dy": 1, "all_or_nothing": True},
        f"{PLAYER} x 0 of +9, y 0 of +1; x stopped after 2 by entity 3 (immovable): it cannot be pushed; "
        "y stopped because the motion is all or nothing",
    ),
    "a crate pushed on two axes": (a_hook, {"dx": 1, "dy": 2},
        "entity 1 (force 9) moved x +1 of +1, y +2 of +2: entity 2 (inertia 1 / 2) pushed x +1, y +2"),
    "a crate on rails": (
        a_hook,
        {"dy": 7},
        "entity 1 (force 9) moved y +4 of +7: entity 2 (inertia 2) pushed y +4; "
        "y stopped after 4 by entity 3 (inertia inf): it cannot be pushed",
    ),
    "a fork": (
        a_fork,
        {"dx": 9},
        f"{PLAYER} x +2 of +9: entity 2 (inertia 1) pushed x +2, entity 3 (inertia 1.5) pushed x +1; "
        "x stopped after 2 by entity 4 (immovable): it cannot be pushed",
    ),
    "disabled": (lambda: with_disabled_player(a_row(None)), {"dx": 5}, f"{PLAYER} x +5 of +5"),
    "disabled at the end of the world": (lambda: with_disabled_player(a_row(None)), {"dx": 2.0**21},
        f"{PLAYER} x +1.04858e+06 of +2.09715e+06; x stopped by the bounds"),
}  # fmt: skip


@pytest.mark.parametrize("how", ["now", "late", "planned", "in a frame"])
@pytest.mark.parametrize(("make", "arguments", "text"), EXPLAINED.values(), ids=EXPLAINED)
def test_a_result_explains_itself_P16(make, arguments, text, how):
    world, arguments = make(), dict(arguments)
    if how == "now":
        assert text == world.move(1, **arguments).explain()
        return
    if how == "planned":
        plan = world.plan(1, **arguments)
        result = plan.commit()
        assert text == plan.explain() == str(plan.result.explain()) == result.explain()
        return
    if how == "late":
        result = world.move(1, **arguments)
    else:
        motion = world._bodies.of(world._bodies.row(1)).motion
        motion.force = arguments.pop("force", motion.force)
        motion.all_or_nothing = arguments.pop("all_or_nothing", None)
        world.request(1, **arguments)
        frame = world.step()
        result = frame.results.get(1)
    ruin(world)
    if result is None:
        assert "was not asked" in text
    else:
        assert text == result.explain()
        assert result.complete == ("stopped" not in text)
