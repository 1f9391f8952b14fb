"""The hook `can_meet`: which bodies pass through each other in steps of dynamics (rule I9)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from ecs_collision import (
    BoxCollider,
    CollisionTypeError,
    CollisionWorld,
    Contact,
    ContactBegan,
    Mass,
    ReentryError,
    SnapshotError,
    Static,
    Transform,
    Velocity,
)

GHOST, CRATE, PLATFORM = 2, 3, 1


def a_world(can_meet: Callable[[int, int], bool | None] | None) -> CollisionWorld:
    """Return a world with a ghost above a crate on a platform, which it lies on."""
    world = CollisionWorld(can_meet=can_meet)
    world.add(PLATFORM, transform=Transform(0, 1), collider=BoxCollider(4, 0.5), static=Static())
    for id, y in ((CRATE, 0), (GHOST, -2)):
        world.add(id, transform=Transform(0.25 * id, y), collider=BoxCollider(0.5, 0.5), velocity=Velocity(),
                  mass=Mass(1), contact=Contact())  # fmt: skip
    return world


def run(world: CollisionWorld, steps: int = 60) -> list[tuple[int, int]]:
    """Return the contacts that begin in some steps."""
    found = []
    for _ in range(steps):
        world.step_dynamics(1 / 60, gravity=(0, 10))
        found += [(each.a, each.b) for each in world.step().events if isinstance(each, ContactBegan)]
        world.check()
    return found


def height(world: CollisionWorld, id: int) -> float:
    """Return the y of a body."""
    return world._bodies.transform(world._bodies.row(id)).y


def test_what_may_not_meet_passes_I9():
    world = a_world(lambda a, b: None if GHOST not in (a, b) else (a, b) == (PLATFORM, GHOST))
    began = run(world, 90)
    assert height(world, GHOST) == pytest.approx(0, abs=0.01)
    assert height(world, CRATE) == pytest.approx(0, abs=0.01)
    assert {(GHOST, PLATFORM), (CRATE, PLATFORM)} <= set(began)
    assert world.stats.resting == 2
    falling = a_world(lambda a, b: GHOST not in (a, b))
    run(falling)
    assert height(falling, GHOST) > 2
    assert falling.stats.resting == 1, "the ghost woke none"


def test_it_is_asked_once_for_each_pair_and_step_in_the_order_of_ids_I9():
    asked: list[tuple[int, int]] = []
    world = a_world(lambda a, b: asked.append((a, b)))
    same = a_world(None)
    for _ in range(60):
        asked.clear()
        world.step_dynamics(1 / 60, gravity=(0, 10))
        same.step_dynamics(1 / 60, gravity=(0, 10))
        assert all(a < b for a, b in pairwise(asked))
        assert all(a < b for a, b in asked)
    assert world._bodies.columns.pos == same._bodies.columns.pos
    run(world)
    asked.clear()
    run(world, 2)
    assert asked == [], "all of them sleep"


def test_a_crate_may_jump_through_a_platform_from_below_I9():
    def can_meet(a: int, b: int) -> bool:
        return height(world, b) < height(world, a) - 0.9

    world = a_world(can_meet)
    world.teleport(CRATE, -2, 3)
    world._bodies.of(world._bodies.row(CRATE)).velocity.y = -12
    run(world, 200)
    assert height(world, CRATE) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("fault", ["raises", "writes", "answers", "interrupts", "steps"])
def test_a_hook_that_fails_leaves_no_trace_I9(fault):
    calls = []

    def can_meet(a: int, b: int) -> bool | None:
        if len(calls) < 40:
            calls.append(1)
            return None
        if fault == "raises":
            raise ZeroDivisionError
        if fault == "interrupts":
            raise KeyboardInterrupt
        if fault == "writes":
            world._bodies.transform(world._bodies.row(a)).x += 1
        if fault == "steps":
            world.step()
        return "yes" if fault == "answers" else None  # type: ignore[return-value]

    world = a_world(can_meet)
    kinds = {"raises": ZeroDivisionError, "writes": ReentryError, "answers": CollisionTypeError, "steps": ReentryError}
    for _ in range(60):
        before = world.snapshot()
        try:
            world.step_dynamics(1 / 60, gravity=(0, 10))
        except kinds.get(fault, KeyboardInterrupt):
            break
        world.step()
    else:
        raise AssertionError("nothing was raised")
    if fault != "writes":
        assert before == world.snapshot()
    calls.clear()
    run(world, 1)


def test_it_is_a_function_and_a_part_of_the_settings_I9_N1():
    with pytest.raises(CollisionTypeError, match=r"can_meet is 3; it must be a function \(a, b\) -> bool"):
        CollisionWorld(can_meet=3)  # type: ignore[arg-type]
    with pytest.raises(SnapshotError, match="the snapshot has a can_meet hook, but this world has none"):
        a_world(None).restore(a_world(lambda a, b: None).snapshot())
