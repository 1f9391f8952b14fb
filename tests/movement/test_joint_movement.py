"""Movers and characters that push together: with `forces="add"` their forces add up in steps, too (rules M1, M11)."""

from __future__ import annotations

from typing import Any

import pytest

from ecs_collision import BoxCollider, Character, CollisionWorld, Inertia, Motion, Static, Transform, Velocity

DT = 1 / 64
PARTS: dict[str, Any] = {"character": lambda: Character(), "mover": lambda: None}


def a_world(kinds: tuple[str, str], forces: str, swapped: bool = False) -> tuple[CollisionWorld, list[int], int]:
    """Return a world with two movers of force 3, one behind the other, and a crate of inertia 5 before them."""
    world = CollisionWorld(forces=forces)
    world.add(1, transform=Transform(0, 1), collider=BoxCollider(20, 0.5), static=Static())
    ids = [11, 10] if swapped else [10, 11]
    for id, kind, x in zip(ids, kinds, (0, 1), strict=True):
        world.add(
            id, transform=Transform(x, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(force=3), inertia=Inertia(1),
            velocity=Velocity(2, 0), character=PARTS[kind](),
        )  # fmt: skip
    crate = world.add(20, transform=Transform(2, 0), collider=BoxCollider(0.5, 0.5), inertia=Inertia(5))
    return world, ids, crate


def x_of(world: CollisionWorld, id: int) -> float:
    return world._bodies.transform(world._bodies.row(id)).x


@pytest.mark.parametrize("kinds", [(a, b) for a in PARTS for b in PARTS])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_crate_that_two_push_M11(kinds: tuple[str, str], swapped: bool):
    world, ids, crate = a_world(kinds, "add", swapped)
    for frame in range(1, 33):
        for id in ids:
            velocity = world._bodies.of(world._bodies.row(id)).velocity
            assert velocity is not None
            velocity.x = 2
        world.step_movement(DT, gravity=(0, 16))
        world.step()
        assert [x_of(world, id) for id in (*ids, crate)] == [0 + frame / 32, 1 + frame / 32, 2 + frame / 32]
        shares = [world.results[id].shares for id in ids]
        assert {10: 3.0, 11: 3.0} in shares
    world.check()


@pytest.mark.parametrize("kinds", [(a, b) for a in PARTS for b in PARTS])
def test_alone_neither_moves_it_M11_P3(kinds: tuple[str, str]):
    world, ids, crate = a_world(kinds, "alone")
    for _ in range(9):
        world.step_movement(DT, gravity=(0, 16))
        world.step()
    assert [x_of(world, id) for id in (*ids, crate)] == [0, 1, 2]
