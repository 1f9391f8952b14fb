"""Worlds that differ only in their broad phase give the same answers (rule B8)."""

from __future__ import annotations

import random

import pytest
from twin_grids import DEFAULTS

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Contact,
    Inertia,
    Motion,
    Sleeping,
    SphereCollider,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.bodies.columns import STATIC

OTHERS = [name for name in DEFAULTS if name != "morton_grid"]


def add_at_random(worlds: list[CollisionWorld], rng: random.Random, flat: bool) -> int:
    """Add the same body to every world; return its id."""
    collider = rng.choice(
        (
            lambda: BoxCollider(0.5, 0.5),
            lambda: BoxCollider(rng.choice((0.25, 1, 4)), rng.choice((0.25, 1, 4))),
            lambda: SphereCollider(0.75),
            lambda: CompoundCollider([Box(0.5, 0.5), Box(0.5, 0.5, offset=(1, 0)), Box(1, 0.25, offset=(0, 3))]),
        )
    )
    place = [rng.randint(-48, 48) / 4 for _ in range(2)] + ([] if flat else [rng.randint(-8, 8) / 4])
    kind, state = rng.random(), rng.getstate()
    ids = set()
    for world in worlds:
        rng.setstate(state)
        ids.add(
            world.add(
                transform=Transform(*place),
                collider=collider(),
                inertia=Inertia(1) if kind < 0.5 else None,
                motion=Motion(force=4) if kind <= 0.85 else None,
                static=Static() if kind > 0.85 else None,
                trigger=Trigger() if 0.5 < kind < 0.65 else None,
                contact=Contact() if kind < 0.2 else None,
                sleeping=Sleeping(after=2) if kind < 0.6 else None,
            )
        )
    (entity,) = ids
    return entity


def answers(world: CollisionWorld) -> tuple[object, ...]:
    """Return what queries say about a world."""
    space = world.space
    region = ((-6.0, -6.0), (4.0, 5.0))
    return (
        space.pairs(),
        space.overlapping(region),
        space.touching(region),
        space.ray((-20, 0.1), (1, 0.05)),
        space.nearest((0, 0), 5),
        [*space.cells],
        [*space.static_cells],
        [*space.regions()],
    )


@pytest.mark.once
@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
@pytest.mark.parametrize("name", OTHERS)
def test_a_game_is_the_same_with_every_broad_phase_B8(name: str, flat: bool) -> None:
    rng = random.Random(f"{flat}")
    worlds = [CollisionWorld(), CollisionWorld(broad_phase=name)]  # type: ignore[arg-type]
    bodies = [add_at_random(worlds, rng, flat) for _ in range(60)]
    expected, other = worlds
    for _ in range(40):
        action, entity = rng.random(), rng.choice(bodies)
        if expected.bodies.has(expected.bodies.row(entity), STATIC):
            action = max(action, 0.6) if action < 0.75 else 0.65
        dx, dy = rng.randint(-8, 8) / 4, rng.randint(-8, 8) / 4
        if action < 0.15:
            bodies.append(add_at_random(worlds, rng, flat))
        for world in worlds:
            if action < 0.6:
                assert world.move(entity, dx=dx, dy=dy) is not None
            elif action < 0.7:
                world.teleport(entity, dx * 4, dy * 4)
            elif action < 0.75:
                world.remove(entity)
            else:
                world.request(entity, dx=dx, dy=dy)
        if 0.7 <= action < 0.75:
            bodies.remove(entity)
        frames = [world.step() for world in worlds]
        assert [*frames[0].events] == [*frames[1].events]
        assert frames[0].results == frames[1].results
        assert answers(expected) == answers(other)
        assert expected.snapshot() == other.snapshot()
        other.check()


def test_a_snapshot_of_one_is_restored_by_another_B8() -> None:
    worlds = [CollisionWorld(broad_phase=name) for name in DEFAULTS]  # type: ignore[arg-type]
    rng = random.Random(1)
    for _ in range(30):
        add_at_random(worlds, rng, flat=True)
    for world in worlds:
        world.step()
    data, expected = worlds[0].snapshot(), answers(worlds[0])
    for world in worlds:
        for entity in range(1, 31):
            world.teleport(entity, 3 * entity, 5)
        world.step()
        world.restore(data)
        world.check()
        assert world.snapshot() == data
        assert answers(world) == expected
