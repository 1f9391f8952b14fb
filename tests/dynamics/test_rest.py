"""Islands fall asleep, cost nothing, and wake with what disturbs them (rules I7, S1, S2 and S4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from boards import seeds
from dynamic_worlds import DOWN, a_square, a_stack, add_dynamic, add_floor, at, compare_plays, restage, run, velocity

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    FellAsleep,
    Fused,
    Mass,
    Material,
    Motion,
    Sleeping,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    Velocity,
    Woke,
)

LONG = 60
"""Frames after which what was put down sleeps."""


def a_resting_stack(height: int = 3, **more: Any) -> CollisionWorld:
    """Return a world with a floor, which has id 1, and a stack that sleeps, with ids from 2 on."""
    world, _ = a_stack(height, **more)
    run(world, LONG)
    assert height == world.stats.resting
    return world


def simulated(world: CollisionWorld, **step: Any) -> int:
    """Return how many bodies a step computes."""
    world.step_dynamics(**{**DOWN, **step})
    return world.step().stats.simulated


def part(world: CollisionWorld, entity: int, name: str) -> Any:
    """Return a component of a body."""
    return getattr(world._bodies.of(world._bodies.row(entity)), name)


def asleep(world: CollisionWorld, *entities: int) -> list[bool]:
    """Return which bodies sleep."""
    return [velocity(world, entity)._slow < 0.0 for entity in entities]


# Falling asleep.


def test_a_stack_of_ten_sleeps_and_stays_to_the_bit_I7():
    world, ids = a_stack(10)
    run(world, 2 * LONG)
    assert 10 == world.stats.resting
    assert [(0.0, 0.0, 0.0)] * 10 == [velocity(world, id)._numbers()[:3] for id in ids]
    assert all(0.0 <= 9 - number - at(world, id)[1] < 0.0101 * (number + 1) for number, id in enumerate(ids))
    before, version = world.state_hash(), world.version
    run(world, 1000)
    assert (before, version) == (world.state_hash(), world.version)
    assert (True, 0, 10) == (world.frame.quiet, world.stats.simulated, world.stats.resting)
    world.check()


@pytest.mark.parametrize(("speed", "spin"), [(0.0, 0.0), (0.02, 0.0), (0.0, 0.08), (0.2, 0.0), (0.0, 0.2)])
def test_what_is_slow_for_half_a_second_sleeps_I7(speed: float, spin: float):
    world = CollisionWorld()
    body = add_dynamic(world, 0, 0, collider=SphereCollider(0.5), velocity=Velocity(speed, angular=spin))
    run(world, 29, dt=1 / 60)
    assert [False] == asleep(world, body)
    run(world, 3, dt=1 / 60)
    sleeps = speed < 0.05 and 0.5 * spin < 0.05
    assert [sleeps] == asleep(world, body)
    assert ((0.0, 0.0) if sleeps else (speed, spin)) == (velocity(world, body).x, velocity(world, body).angular)


def test_an_island_sleeps_when_all_its_bodies_are_slow_and_others_need_not_I7():
    world, stack = a_stack(3)
    roller = add_dynamic(world, 5, 9, v=(2.0, 0), collider=SphereCollider(0.5), mass=Mass(1))
    run(world, LONG)
    assert [True] * 3 + [False] == asleep(world, *stack, roller)
    rocker = add_dynamic(world, 0, 6, v=(0.0, 0), collider=SphereCollider(0.5), mass=Mass(1))
    for _ in range(LONG):
        run(world, 1)
        velocity(world, rocker).angular = 1.0
    assert [False] * 4 == asleep(world, *stack, rocker), "a body that turns on the stack keeps it awake"


# Waking.

DISTURBANCES: dict[str, Callable[[CollisionWorld], object]] = {
    "a velocity": lambda world: setattr(part(world, 4, "velocity"), "x", 1),
    "the same velocity": lambda world: setattr(part(world, 4, "velocity"), "x", 0),
    "a mass": lambda world: setattr(part(world, 2, "mass"), "value", 3),
    "a friction": lambda world: setattr(part(world, 1, "material"), "friction", 0.25),
    "the velocity of the floor": lambda world: setattr(part(world, 1, "velocity"), "x", 2),
    "a position": lambda world: setattr(part(world, 4, "transform"), "x", 0.5),
    "a size": lambda world: setattr(part(world, 3, "collider"), "hx", 0.75),
    "a layer": lambda world: setattr(part(world, 3, "collider"), "layer", "other"),
    "a disabled body": lambda world: setattr(part(world, 3, "collider"), "enabled", False),
    "a disabled floor": lambda world: setattr(part(world, 1, "collider"), "enabled", False),
    "a removed body": lambda world: world.remove(3),
    "a removed floor": lambda world: world.remove(1),
    "a removed floor whose id is used again": lambda world: (world.remove(1), world.add(1, **a_wall(40, 40))),
    "a floor that is moved away": lambda world: world.teleport(1, 0, 12),
    "an impulse": lambda world: world.apply_impulse(2, (1, 0)),
    "a body that is put beside it": lambda world: world.add(transform=Transform(1, 9), collider=a_square()),
    "a body that is teleported beside it": lambda world: world.teleport(5, -1, 8),
    "a body that is moved beside it": lambda world: world.move(5, -6, 0),
    "a body that is enabled beside it": lambda world: enable_beside(world),
    "a body that is fused": lambda world: fuse(world, 4, 5),
    "another gravity": lambda world: run(world, 1, dt=1 / 60, gravity=(0, 5)),
}


def a_wall(x: float, y: float) -> dict[str, Any]:
    """Return the components of a wall."""
    return {"transform": Transform(x, y), "collider": a_square(), "static": Static()}


def enable_beside(world: CollisionWorld) -> None:
    """Add a disabled body beside the stack; enable it after a step."""
    body = world.add(transform=Transform(1, 9), collider=a_square(enabled=False))
    assert simulated(world) == 0
    part(world, body, "collider").enabled = True


def fuse(world: CollisionWorld, entity: int, to: int) -> None:
    """Fuse a body to another."""
    world._stage(entity, world._bodies.of(world._bodies.row(entity))._replace(fused=Fused(to)))
    world.apply_changes()


@pytest.mark.parametrize("disturb", DISTURBANCES.values(), ids=DISTURBANCES)
def test_a_disturbance_wakes_the_island_I7(disturb: Callable[[CollisionWorld], object]):
    counts = []
    for is_restored in (False, True):
        world = CollisionWorld()
        add_floor(world, velocity=Velocity(), material=Material())
        for y in (9, 8, 7):
            add_dynamic(world, 0, y)
        world.add(5, transform=Transform(7, 8), collider=a_square(), motion=Motion(1))
        run(world, LONG)
        assert (0, 3) == (simulated(world), world.stats.resting)
        if is_restored:
            world.restore(world.snapshot())
        disturb(world)
        world.check()
        counts.append(simulated(world))
        world.check()
    assert counts in ([2, 2], [3, 3])


def test_what_happens_elsewhere_wakes_nothing_I7():
    world = a_resting_stack()
    far = world.add(transform=Transform(7, 8), collider=a_square(), motion=Motion(1))
    zone = world.add(transform=Transform(0, 8), collider=BoxCollider(3, 3), trigger=Trigger())
    assert simulated(world) == 0
    world.move(far, 1)
    world.teleport(zone, 0, 7)
    assert simulated(world) == 0
    world.add(transform=Transform(15, 9), collider=a_square(), velocity=Velocity(), mass=Mass(1))
    assert simulated(world) == 1
    world.remove(far)
    assert simulated(world) == 1
    assert (0, 3) == (simulated(world, dt=1 / 30, substeps=2) - 1, world.stats.resting)


def test_a_fast_body_wakes_what_it_hits_and_one_that_passes_does_not_I7():
    world = a_resting_stack()
    add_dynamic(world, 2, 6.9, v=(-8, 0), collider=SphereCollider(0.25), velocity=Velocity(-8, 0, gravity=0))
    add_dynamic(world, 9, 5.5, v=(-8, 0), collider=SphereCollider(0.25), velocity=Velocity(-8, 0, gravity=0))
    counts = [simulated(world) for _ in range(LONG)]
    assert 2 == counts[0]
    assert 5 == max(counts)


def test_a_slow_body_that_leans_on_a_sleeper_wakes_it_not_and_joins_its_island_I7():
    world = CollisionWorld()
    world.add(transform=Transform(0, 10), collider=a_square(), static=Static())
    stone = add_dynamic(world, 0, 9)
    run(world, LONG)
    belt = {"velocity": Velocity(-1, 0), "material": Material(friction=0.002)}
    world.add(transform=Transform(3, 10), collider=BoxCollider(2.25, 0.5), static=Static(), **belt)
    slider = add_dynamic(world, 1.009, 8.9925)
    assert {1} == {simulated(world) for _ in range(29)}
    run(world, LONG)
    assert [True, True] == asleep(world, stone, slider)
    velocity(world, stone).x = 0
    assert simulated(world) == 2


def test_a_slow_body_on_two_sleepers_joins_their_islands_I7():
    world, left = a_stack(1)
    right = add_dynamic(world, 2, 9)
    run(world, LONG)
    top = at(world, right)[1] - 1.009
    add_dynamic(world, 1, top, collider=BoxCollider(1.5, 0.5), velocity=Velocity(gravity=0.01))
    assert {1} == {simulated(world) for _ in range(29)}
    run(world, LONG)
    assert (0, 3) == (simulated(world), world.stats.resting)
    velocity(world, left[0]).x = 0
    assert simulated(world) == 3
    world.check()


def test_a_body_that_is_dynamic_now_and_then_is_computed_once_I7():
    world, (stone,) = a_stack(1)
    run(world, 1)
    for number in range(1000):
        world._step.dynamics.candidates.set_dynamic(world._bodies.row(stone), number % 2 == 1)
    assert 1 == simulated(world)
    world.check()


# Sleeping components, events, and the order of things.


def test_a_stack_falls_asleep_and_wakes_as_one_frame_S2():
    world, ids = a_stack(5, sleeping=Sleeping(after=7))
    events: list[list[Any]] = []
    for _ in range(2 * LONG):
        world.step_dynamics(**DOWN)
        events.append([each for each in world.step().events if isinstance(each, (FellAsleep, Woke))])
    fell = [frame for frame, found in enumerate(events) if found]
    assert [ids] == [[each.entity for each in events[frame]] for frame in fell]
    assert fell[0] >= 30
    velocity(world, ids[0]).x = 1
    world.step_dynamics(**DOWN)
    assert ids == [event.entity for event in world.step().events if isinstance(event, Woke)]


def test_a_body_that_moves_by_less_than_a_lattice_unit_wakes_S4():
    world = CollisionWorld()
    body = add_dynamic(world, 0, 0, sleeping=Sleeping(after=2))
    run(world, LONG, dt=1 / 60)
    assert part(world, body, "sleeping").asleep
    world.apply_impulse(body, (2.0**-14, 0))
    world.step_dynamics(1 / 60)
    woke = [event.entity for event in world.step().events if isinstance(event, Woke)]
    assert ([body], (0, 0, 0)) == (woke, at(world, body))


def test_a_falling_body_that_is_put_to_sleep_wakes_in_the_next_step_S1():
    world = CollisionWorld()
    body = add_dynamic(world, 0, 0, sleeping=Sleeping(after=1))
    run(world, 2)
    part(world, body, "sleeping").asleep = True
    world.step_dynamics(**DOWN)
    assert [Woke, FellAsleep] != [type(event) for event in world.step().events]
    assert not part(world, body, "sleeping").asleep


def test_a_world_that_takes_no_steps_remembers_few_removed_bodies_I8():
    world, ids = a_stack(1)
    run(world, 20)
    for number in range(1000):
        world.remove(world.add(100 + number, transform=Transform(5, 0), collider=a_square()))
        assert 68 >= len(world._step.dynamics.removed)
    world.remove(ids[0])
    assert not world._step.dynamics.records()
    world.step_dynamics(**DOWN)
    world.check()


def test_impulses_of_a_sleeper_end_when_it_becomes_static_I8():
    world = a_resting_stack(1)
    restage(world, 2, static=Static())
    world.step_dynamics(**DOWN)
    assert [] == world._step.dynamics.records()
    restage(world, 2, static=None)
    run(world, 2)
    world.check()


def test_nothing_depends_on_rows_restores_or_sleeping_components_I8():
    assert sum(compare_plays(7 - seed, 150) for seed in seeds(4)) > 20


@pytest.mark.soak
def test_nothing_depends_on_rows_restores_or_sleeping_components_in_many_plays_I8():
    assert sum(compare_plays(seed, 200) for seed in range(500)) > 1000
