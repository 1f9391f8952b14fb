"""Velocities, remainders and kept contacts are part of snapshots and of the state hash (rules I8, N1 and N2)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from boards import sometimes
from dynamic_worlds import a_square, a_stack, add_dynamic, add_floor, at, run, velocity

from ecs_collision import (
    CollisionWorld,
    Mass,
    SphereCollider,
    Transform,
    Velocity,
)
from ecs_collision.dynamics.kept_impulses import KeptImpulses


def a_falling_pile(steps: int = 50) -> CollisionWorld:
    """Return a world with a floor and a pile of squares and balls that has not come to rest, after some steps."""
    world = CollisionWorld()
    add_floor(world)
    for number in range(8):
        shape = a_square() if number % 3 else SphereCollider(0.5)
        add_dynamic(world, (number % 3) * 0.75, 8 - number, collider=shape, mass=Mass(1 + number, moment=2))
    run(world, steps)
    return world


def test_the_frames_after_a_restore_are_those_after_the_snapshot_I8():
    world, other = a_falling_pile(), a_falling_pile(0)
    data = world.snapshot()
    other.restore(data)
    other.check()
    assert data == other.snapshot()
    for _ in range(40):
        run(world, 1)
        run(other, 1)
        assert world.snapshot() == other.snapshot()
    world.restore(data)
    run(world, 40)
    assert world.snapshot() == other.snapshot()


def test_a_restored_world_sleeps_like_the_first_I8():
    world = a_stack_after(60)
    data = world.snapshot()
    assert world.stats.resting == 4
    world.restore(data)
    assert world.step().stats.resting == 0, "what is derived is built again by the next step"
    world.step_dynamics(1 / 60, gravity=(0, 10))
    stats = world.step().stats
    assert (stats.resting, stats.simulated) == (4, 0)
    assert world.state_hash() == a_stack_after(60).state_hash()
    world.remove(1)
    run(world, 1)
    assert world.stats.simulated == 4


CHANGES: dict[str, Callable[[CollisionWorld], object]] = {
    "nothing": lambda world: None,
    "a removed body": lambda world: world.remove(3),
    "a removed floor": lambda world: world.remove(1),
    "a moved body": lambda world: world.teleport(4, 0.75, 3),
    "a velocity": lambda world: setattr(velocity(world, 2), "x", 2.0),
    "an impulse": lambda world: world.apply_impulse(5, (1, 0)),
    "a mass": lambda world: setattr(world._bodies.of(world._bodies.row(3)).mass, "value", 4.0),
    "a disabled body": lambda world: setattr(world._bodies.of(world._bodies.row(2)).collider, "enabled", False),
    "a new body with an old id": lambda world: (world.remove(3), add_dynamic(world, 0, 5, id=3)),
}


@pytest.mark.once
@pytest.mark.parametrize("frames", sometimes([7, 60], [60]), ids=["awake", "asleep"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_before_a_snapshot_has_the_same_future_after_a_restore_I8(change, frames):
    world, plain, other = a_stack_after(frames), a_stack_after(frames), a_stack_after(3)
    change(world)
    change(plain)
    data = world.snapshot()
    for entity in [id for id in other._bodies.row_of if id not in world._bodies.row_of]:
        other.remove(entity)
    other.restore(data)
    assert data == other.snapshot()
    for _ in range(80):
        run(world, 1)
        run(other, 1)
        assert world.snapshot() == other.snapshot()
        run(plain, 1)
        assert world.frame.events == other.frame.events == plain.frame.events
        assert world.stats.simulated == plain.stats.simulated
    assert world.snapshot() == plain.snapshot(), "to take a snapshot changes nothing"
    world.check()
    other.check()


def a_stack_after(frames: int) -> CollisionWorld:
    """Return a world with a stack of four after some frames."""
    world, _ = a_stack(4)
    run(world, frames)
    return world


def test_the_state_hash_covers_velocities_remainders_and_kept_contacts_N2():
    one, two = a_falling_pile(), a_falling_pile()
    assert one.state_hash() == two.state_hash()
    velocity(two, 3).x += 0.5
    assert one.state_hash() != two.state_hash()
    velocity(two, 3).x -= 0.5
    assert one.state_hash() == two.state_hash()
    velocity(two, 3)._set_remainders((0.25, 0, 0))
    assert one.state_hash() != two.state_hash()
    two.restore(one.snapshot())
    assert one.state_hash() == two.state_hash()
    two._step.dynamics.kept.forget({two._step.dynamics.records()[0][1]})
    assert one.state_hash() != two.state_hash()


def test_a_removed_body_leaves_no_contacts_and_a_new_one_with_its_id_has_none_I8():
    world = a_stack_after(30)
    assert any(3 in record[:2] for record in world._step.dynamics.records())
    world.remove(3)
    assert not any(3 in record[:2] for record in world._step.dynamics.records())
    world.add(3, transform=Transform(0, 8), collider=a_square(), velocity=Velocity(), mass=Mass(1))
    data = world.snapshot()
    world.check()
    other = a_stack_after(0)
    other.restore(data)
    run(world, 5)
    run(other, 5)
    assert world.state_hash() == other.state_hash()


def test_kept_impulses_go_to_sleep_and_come_back_I8():
    kept, asleep = a_stack_after(20)._step.dynamics.kept, KeptImpulses()
    records, mark = kept.records(), kept.mark()
    assert len(kept) == len(records) > 3 and records == sorted(records)
    kept.move_to(asleep, {3, 4})
    assert asleep.records() == [each for each in records if each[0] in (3, 4) or each[1] in (3, 4)]
    asleep.move_to(kept, {3, 4})
    assert records == kept.records()
    kept.forget({1})
    assert kept.records() == [each for each in records if 1 not in each[:2]]
    kept.rollback(mark)
    assert records == kept.records()


def test_a_body_that_is_not_dynamic_any_more_has_no_contacts_after_the_next_step_I8():
    world = a_stack_after(30)
    world._bodies.of(world._bodies.row(2)).mass.value = float("inf")  # type: ignore[union-attr]
    run(world, 1)
    assert {(2, 3), (3, 4), (4, 5)} == {record[:2] for record in world._step.dynamics.records()}
    for id in (3, 4, 5):
        world._bodies.of(world._bodies.row(id)).collider.enabled = False  # type: ignore[union-attr]
    run(world, 1)
    assert world._step.dynamics.records() == []


def test_a_restore_brings_back_the_velocity_and_its_form_N1():
    world = CollisionWorld()
    body = add_dynamic(world, 0, 0, velocity=Velocity(1, 2, angular=(0, 0, 3)))
    number = add_dynamic(world, 9, 0, velocity=Velocity(angular=4))
    data = world.snapshot()
    velocity(world, body).angular, velocity(world, number).angular = 5, (1, 2, 3)
    run(world, 2)
    world.restore(data)
    assert ((0.0, 0.0, 3.0), 4.0) == (velocity(world, body).angular, velocity(world, number).angular)
    assert ((1.0, 2.0), (0, 0, 0)) == ((velocity(world, body).x, velocity(world, body).y), at(world, body))


def test_for_how_long_a_body_was_slow_and_that_it_sleeps_is_restored_N1():
    world = CollisionWorld()
    bodies = [add_dynamic(world, 0, 0), add_dynamic(world, 5, 0)]
    run(world, 12, dt=1 / 60)
    add_dynamic(world, 9, 0, v=(1, 0))
    velocity(world, bodies[1]).x = 0.0
    run(world, 20, dt=1 / 60)
    slow = [velocity(world, body)._slow for body in bodies]
    assert (-1.0, True) == (slow[0], 0.3 < slow[1] < 0.4)
    data, digest = world.snapshot(), world.state_hash()
    velocity(world, bodies[1])._slow = 0.5
    assert digest != world.state_hash()
    velocity(world, bodies[0]).x = 0.0
    world.restore(data)
    assert slow == [velocity(world, body)._slow for body in bodies]
    assert data == world.snapshot()
