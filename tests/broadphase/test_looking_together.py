"""Many bodies that moved look around together, in batches: they find what each finds alone."""

from __future__ import annotations

import random

import pytest

from ecs_collision import BoxCollider, CollisionWorld, Inertia, Static, Transform, Trigger
from ecs_collision.broadphase.morton_grid.batch_query import BATCH

COUNT = 4 * BATCH + 90


@pytest.mark.parametrize("depth", [0, 6], ids=["2D", "3D"])
def test_batches_of_moved_bodies_find_every_contact(depth):
    pick, world, ids = random.Random(depth), CollisionWorld(), []
    side = 24.0 if depth == 0 else 12.0

    def spot() -> tuple[float, float, float]:
        return (pick.uniform(-side, side), pick.uniform(-side, side), pick.uniform(-depth, depth))

    for number in range(COUNT):
        half = pick.choice((0.25, 0.5, 0.75, 1.5, 3.0))
        collider = BoxCollider(half, pick.choice((0.25, 0.5, half)), 0.5 if depth == 0 else half)
        role = {0: {"trigger": Trigger(mask="default", touching=number % 2 == 0)}, 1: {"static": Static()}}
        parts = role.get(number % 5, {"inertia": Inertia(1.0)} if number % 2 else {"trigger": Trigger()})
        ids.append(world.add(transform=Transform(*spot()), collider=collider, **parts))
    world.step()
    tested = 0
    for _ in range(3):
        for entity in pick.sample(ids, BATCH + 20):  # fewer than a quarter: no full pass
            transform = world.bodies.transform(world.bodies.row(entity))
            x, y, z = transform.position
            far = pick.random() < 0.2
            transform.position = spot() if far else (x + pick.choice((-0.5, 0, 0.25)), y + 0.25, z)
        world.step()
        tested += world.stats.pairs_tested
        world.check()
    assert tested > 0
