"""Where to draw bodies between two frames: `interpolated` (rule M2)."""

from __future__ import annotations

import esper
import pytest
from worlds import system, world

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionValueError,
    CollisionWorld,
    Inertia,
    Mass,
    Motion,
    MovementSystem,
    OrientedBoxCollider,
    Path,
    Transform,
    UnknownEntity,
    Velocity,
)

__all__ = ["system", "world"]


def two_squares() -> tuple[CollisionWorld, int, int]:
    """Return a world with a strong square and one that it pushes."""
    world = CollisionWorld()
    mover = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(force=2))
    pushed = world.add(transform=Transform(1, 0), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1))
    return world, mover, pushed


def test_a_body_is_drawn_on_its_way_of_the_last_frame_M2():
    world, mover, pushed = two_squares()
    world.request(mover, 2, 1)
    world.step()
    assert [world.interpolated(mover, alpha) for alpha in (0, 0.25, 1)] == [(0, 0, 0), (0.5, 0.25, 0), (2, 1, 0)]
    assert world.interpolated(pushed, 0.5) == (2, 0, 0)
    world.step()
    assert world.interpolated(mover, 0) == (2, 1, 0)


def test_all_motions_of_a_frame_count_and_teleports_do_not_M2():
    world, mover, _ = two_squares()
    world.move(mover, -1)
    world.move(mover, 0, -2)
    world.teleport(mover, 9, 9)
    world.step()
    assert world.interpolated(mover, 0.5) == (9.5, 10, 0)
    world.step()
    world.teleport(mover, 3, 3)
    world.step()
    assert world.interpolated(mover, 0.5) == (3, 3, 0)


@pytest.mark.parametrize("reads_before", [False, True])
def test_reading_the_events_makes_no_difference_M2(reads_before: bool):
    world, mover, _ = two_squares()
    world.move(mover, -1)
    frame = world.step()
    if reads_before:
        assert frame.events
    assert world.interpolated(mover, 0.5) == (-0.5, 0, 0)
    assert [type(event).__name__ for event in frame.events] == ["Moved"]


def test_arguments_are_refused_by_name_L3():
    world, mover, _ = two_squares()
    with pytest.raises(CollisionValueError, match=r"alpha is 1.5, but it must be at most 1"):
        world.interpolated(mover, 1.5)
    with pytest.raises(UnknownEntity, match=r"entity 9 is not a body of this world"):
        world.interpolated(9, 0.5)


def test_a_restored_world_draws_bodies_where_they_are_M2():
    world, mover, _ = two_squares()
    world.move(mover, -1)
    world.step()
    world.restore(world.snapshot())
    assert world.interpolated(mover, 0) == (-1, 0, 0)


def test_bodies_of_dynamics_are_drawn_on_the_way_of_their_step_M2():
    world = CollisionWorld()
    ball = world.add(
        transform=Transform(0, 0, rotation=0.0), collider=OrientedBoxCollider(0.5, 0.5),
        velocity=Velocity(8, angular=1), mass=Mass(1, moment=1), motion=Motion(),
    )  # fmt: skip
    other = world.add(transform=Transform(0, 9), collider=BoxCollider(0.5, 0.5), velocity=Velocity(0, 4), mass=Mass(1))
    world.step_dynamics(0.25)
    world.move(ball, 0, 1)
    world.step()
    assert world.interpolated(ball, 0.5) == (1, 0.5, 0)
    assert world.interpolated(other, 0) == (0, 9, 0)
    assert world.interpolated(other, 1) == (0, 10, 0)
    world.step()
    assert world.interpolated(other, 0) == (0, 10, 0)


def test_entities_are_drawn_on_their_way_M2(system: CollisionSystem):
    esper.add_processor(MovementSystem(system, rate=16), priority=1)
    lift = esper.create_entity(Transform(0, 0), BoxCollider(1, 1), Motion(), Path([(0, 0), (4, 0)], 16))
    esper.process()
    assert system.interpolated(lift, 0.75) == (0.75, 0, 0)
