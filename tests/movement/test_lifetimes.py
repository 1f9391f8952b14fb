"""Bodies with a `Lifetime` end after so many steps of movement (rule M14)."""

from __future__ import annotations

import esper
import pytest
from worlds import a_system, system, world

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionValueError,
    CollisionWorld,
    Fused,
    InvalidChanges,
    LeftReason,
    Lifetime,
    Transform,
    Trigger,
    TriggerLeft,
)

__all__ = ["system", "world"]


def a_spark(world: CollisionWorld, frames: int, x: float = 0, fused: Fused | None = None) -> int:
    """Add a square with a lifetime."""
    return world.add(transform=Transform(x, 0), collider=BoxCollider(0.5, 0.5), lifetime=Lifetime(frames), fused=fused)


def test_a_body_is_removed_at_the_end_of_its_last_step_M14():
    world = CollisionWorld()
    zone = world.add(transform=Transform(0, 0), collider=BoxCollider(3, 3), trigger=Trigger())
    spark, later = a_spark(world, 2), a_spark(world, 3, 2)
    world.step()
    world.step_movement(1 / 60)
    assert spark in world
    assert world._bodies.of(world._bodies.row(spark)).lifetime.frames == 1
    world.step_movement(1 / 60)
    assert spark not in world
    assert later in world
    (left,) = [event for event in world.step().events if type(event) is TriggerLeft]
    assert (left.trigger, left.other, left.reason) == (zone, spark, LeftReason.DELETED)
    world.step_movement(1 / 60)
    assert len(world) == 1
    world.check()


def test_a_lifetime_may_be_assigned_M14():
    world = CollisionWorld()
    spark = a_spark(world, 1)
    world._bodies.of(world._bodies.row(spark)).lifetime.frames = 3
    for _ in range(2):
        world.step_movement(1 / 60)
    assert spark in world
    world.step_movement(1 / 60)
    assert spark not in world


def test_frames_alone_end_no_body_M14():
    world = CollisionWorld()
    spark = a_spark(world, 1)
    for _ in range(3):
        world.step()
    assert spark in world


def test_a_body_that_another_is_fused_to_cannot_end_before_it_M14():
    world = CollisionWorld()
    spark = a_spark(world, 1)
    other = a_spark(world, 2, 1, Fused(spark))
    before = world.snapshot()
    message = rf"the Lifetime of entity {spark} ends in this step, but entity {other} is fused to it; remove Fused"
    with pytest.raises(CollisionValueError, match=message):
        world.step_movement(1 / 60)
    assert world.snapshot() == before
    world._bodies.of(world._bodies.row(other)).lifetime.frames = 1
    world.step_movement(1 / 60)
    assert len(world) == 0


def test_a_lifetime_without_a_collider_is_refused_E8(world):
    a_system()
    esper.create_entity(Transform(0, 0), Lifetime(3))
    with pytest.raises(InvalidChanges, match="Lifetime without a collider"):
        esper.process()


def test_entities_end_with_their_lifetime_M14(system: CollisionSystem):
    spark = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Lifetime(2))
    other = esper.create_entity(Transform(3, 0), BoxCollider(0.5, 0.5))
    for exists in (True, False):
        system.step_movement(1 / 60)
        assert esper.entity_exists(spark) is exists
        esper.process()
        assert system.stats.bodies == 1 + exists
    assert esper.entity_exists(other)
    system.check()
