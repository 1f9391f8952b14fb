"""Motions push bodies that move by themselves, whose inertia is their mass (rules P3, I1 and I7)."""

from __future__ import annotations

import math

import pytest

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Fused,
    Inertia,
    Mass,
    Motion,
    Static,
    StopReason,
    Transform,
    Velocity,
)

PUSHER, CRATE = 1, 2


def a_world(force: float = 5, **crate: object) -> CollisionWorld:
    """Return a world with a pusher beside a crate on a floor."""
    world = CollisionWorld()
    world.add(PUSHER, transform=Transform(-1, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(force=force))
    parts = {"mass": Mass(4), "velocity": Velocity()} | crate
    world.add(CRATE, transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), **parts)  # type: ignore[arg-type]
    world.add(3, transform=Transform(0, 1), collider=BoxCollider(9, 0.5), static=Static())
    return world


@pytest.mark.parametrize(
    "force, crate, reason",
    [
        (4.5, {}, None),
        (4, {}, StopReason.FORCE),
        (1e9, {"mass": Mass(math.inf)}, StopReason.IMMOVABLE),
        (1e9, {"velocity": None}, StopReason.IMMOVABLE),
        (3, {"inertia": Inertia(2)}, None),
        (5, {"inertia": Inertia(6)}, StopReason.FORCE),
        (2.5, {"mass": Mass.of(density=2)}, None),
        (2, {"mass": Mass.of(density=2)}, StopReason.FORCE),
    ],
)
def test_a_mass_is_an_inertia_P3(force, crate, reason):
    world = a_world(force, **crate)
    result = world.move(PUSHER, 1, 0)
    assert [stop.reason for stop in result.stops] == ([] if reason is None else [reason])
    assert world._bodies.transform(world._bodies.row(CRATE)).x == (1 if reason is None else 0)
    world.check()


def test_a_density_weighs_by_volume_once_the_world_is_not_flat_P3():
    world = a_world(3, mass=Mass.of(density=2))
    assert not world.plan(PUSHER, 1, 0).result.stops
    world.add(9, transform=Transform(9, 9, 4), collider=BoxCollider(0.5, 0.5, 4))
    assert not world.plan(PUSHER, 1, 0).result.stops, "2 for a volume of 1"
    world._step.changes.stage(
        CRATE, world._bodies.of(world._bodies.row(CRATE))._replace(collider=BoxCollider(0.5, 0.5, 2))
    )
    assert world.plan(PUSHER, 1, 0).result.stops
    world.remove(9)
    world.check()


def test_a_push_wakes_a_crate_and_it_falls_off_its_floor_I7():
    world = a_world()
    for _ in range(60):
        world.step_dynamics(1 / 60, gravity=(0, 10))
        world.step()
    assert world.stats.resting == 1
    world.move(PUSHER, 12, 0)
    for _ in range(30):
        world.step_dynamics(1 / 60, gravity=(0, 10))
        world.step()
    place = world._bodies.transform(world._bodies.row(CRATE))
    assert world.stats.resting == 0
    assert place.x == pytest.approx(12, abs=0.01)
    assert place.y > 1
    world.check()


def test_a_group_has_the_largest_mass_P8():
    world = a_world(4.5)
    world.add(7, transform=Transform(1, 0), collider=BoxCollider(0.5, 0.5), mass=Mass(6), velocity=Velocity(),
              fused=Fused(CRATE))  # fmt: skip
    assert [stop.reason for stop in world.move(PUSHER, 1, 0).stops] == [StopReason.FORCE]
    world.check()
    world.remove(7)
    assert not world.move(PUSHER, 1, 0).stops
    world.check()
