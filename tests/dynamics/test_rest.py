"""Bodies at rest are skipped, and nothing that can be observed depends on it (rule I7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from dynamic_worlds import DOWN, INF, a_square, a_stack, add_dynamic, add_floor, at, compare_plays, run, velocity

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    FellAsleep,
    Fused,
    Mass,
    Material,
    Motion,
    Sleeping,
    Transform,
    Trigger,
    Velocity,
    Woke,
)


def a_resting_stack(height: int = 3, **more: Any) -> CollisionWorld:
    """Return a world with a floor, which has id 1, and a stack that rests, with ids from 2 on."""
    world, _ = a_stack(height, **more)
    run(world, 20)
    assert height == world.stats.resting
    return world


def simulated(world: CollisionWorld, **step: Any) -> int:
    """Return how many bodies a step computes."""
    world.step_dynamics(**{**DOWN, **step})
    return world.step().stats.simulated


def part(world: CollisionWorld, entity: int, name: str) -> Any:
    """Return a component of a body."""
    return getattr(world.bodies.of(world.bodies.row(entity)), name)


def test_a_stack_of_ten_comes_to_rest_exactly_and_stays_I7():
    world, ids = a_stack(10)
    run(world, 100)
    assert [(0, 9 - number, 0) for number in range(10)] == [at(world, id) for id in ids]
    assert [(0.0, 0.0)] * 10 == [(velocity(world, id).x, velocity(world, id).y) for id in ids]
    before = world.state_hash()
    run(world, 1000)
    assert (before, 10) == (world.state_hash(), world.stats.resting)


def test_a_step_in_which_everything_rests_computes_nothing_and_the_frame_is_quiet_I7():
    world = a_resting_stack()
    version = world.version
    world.step_dynamics(**DOWN)
    frame = world.step()
    assert (True, 0, 3, version) == (frame.quiet, frame.stats.simulated, frame.stats.resting, world.version)
    world.check()


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
    "a floor that is moved away": lambda world: world.teleport(1, 0, 12),
    "an impulse": lambda world: world.apply_impulse(2, (1, 0)),
    "a body that is put beside it": lambda world: world.add(transform=Transform(1, 9), collider=a_square()),
    "a body that is teleported beside it": lambda world: world.teleport(5, -1, 8),
    "a body that is moved beside it": lambda world: world.move(5, -6, 0),
    "a body that is enabled beside it": lambda world: enable_beside(world),
    "a body that is fused": lambda world: fuse(world, 4, 5),
}


def enable_beside(world: CollisionWorld) -> None:
    """Add a disabled body beside the stack; enable it after a step."""
    body = world.add(transform=Transform(1, 9), collider=a_square(enabled=False))
    assert simulated(world) == 0
    part(world, body, "collider").enabled = True


def fuse(world: CollisionWorld, entity: int, to: int) -> None:
    """Fuse a body to another."""
    world._stage(entity, world.bodies.of(world.bodies.row(entity))._replace(fused=Fused(to)))
    world.apply_changes()


@pytest.mark.parametrize("disturb", DISTURBANCES.values(), ids=DISTURBANCES)
def test_a_disturbance_lets_the_set_take_part_again_I7(disturb: Callable[[CollisionWorld], object]):
    world = CollisionWorld()
    add_floor(world, velocity=Velocity(), material=Material())
    for y in (9, 8, 7):
        add_dynamic(world, 0, y)
    world.add(5, transform=Transform(7, 8), collider=a_square(), motion=Motion(1))
    run(world, 20)
    assert (0, 3) == (simulated(world), world.stats.resting)
    disturb(world)
    world.check()
    assert simulated(world) in (2, 3)
    world.check()


def test_what_happens_elsewhere_does_not_disturb_a_set_I7():
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
    assert (0, 4) == (simulated(world) - 1, 3 + 1)


@pytest.mark.parametrize("change", [{"gravity": (0, 5)}, {"dt": 1 / 30}, {"substeps": 2}, {"iterations": 3}], ids=str)
def test_other_arguments_disturb_everything_I7(change: dict[str, Any]):
    world = a_resting_stack()
    assert (0, 3) == (simulated(world), simulated(world, **change))


def test_a_body_that_lands_on_a_set_takes_it_along_I7():
    world = a_resting_stack()
    faller = add_dynamic(world, 0.25, 4)
    counts = []
    for _ in range(60):
        counts.append(simulated(world))
    assert {1, 4} <= set(counts)
    assert (counts[-1], world.stats.resting) == (0, 4)
    assert at(world, faller) == (0.25, 6, 0)


def test_two_sets_that_touch_become_one_and_a_set_that_is_cut_becomes_two_I7():
    world, _ = a_stack(2)
    right = [add_dynamic(world, 3, 9), add_dynamic(world, 3, 8)]
    run(world, 20)
    bridge = add_dynamic(world, 1.5, 7, collider=BoxCollider(2, 0.5))
    run(world, 40)
    assert (0, 5) == (simulated(world), world.stats.resting)
    part(world, right[0], "velocity").x = 0
    assert simulated(world) == 5
    world.remove(bridge)
    run(world, 20)
    part(world, right[0], "velocity").x = 0
    assert simulated(world) == 2


def test_a_resting_stack_sleeps_and_wakes_in_one_frame_S2():
    world, ids = a_stack(5, sleeping=Sleeping(after=7))
    fell: list[list[int]] = []
    for _ in range(60):
        world.step_dynamics(**DOWN)
        fell.append([event.entity for event in world.step().events if isinstance(event, FellAsleep)])
    assert [ids] == [each for each in fell if each]
    rested = fell.index(ids)
    assert not world.frame.events
    part(world, ids[0], "velocity").x = 1
    world.step_dynamics(**DOWN)
    assert ids == [event.entity for event in world.step().events if isinstance(event, Woke)]
    assert rested >= 7


def test_a_disturbance_that_changes_nothing_wakes_no_other_body_S4():
    world, ids = a_stack(3, sleeping=Sleeping(after=2))
    run(world, 30)
    part(world, ids[1], "velocity").x = 0
    world.step_dynamics(**DOWN)
    woke = [event.entity for event in world.step().events if isinstance(event, Woke)]
    assert woke in ([], [ids[1]])
    assert all(part(world, id, "sleeping").asleep for id in (ids[0], ids[2]))


def test_a_body_that_moves_by_less_than_a_lattice_unit_wakes_S4():
    world = CollisionWorld()
    body = add_dynamic(world, 0, 0, sleeping=Sleeping(after=2))
    run(world, 5, dt=1 / 60)
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


def test_rest_does_not_depend_on_skipping_or_sleep_in_random_plays_I7():
    assert sum(compare_plays(seed, 120) for seed in range(6)) > 100


@pytest.mark.soak
def test_rest_does_not_depend_on_skipping_or_sleep_in_many_random_plays_I7():
    assert sum(compare_plays(seed, 200) for seed in range(500)) > 1000


def test_a_body_with_an_infinite_mass_rests_on_nothing_and_is_not_moved_I1():
    world = CollisionWorld()
    body = add_dynamic(world, 0, 0, mass=Mass(INF))
    run(world, 3)
    assert ((0, 0, 0), 0) == (at(world, body), world.stats.resting)
