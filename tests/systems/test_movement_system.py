"""`MovementSystem`: steps of movement in esper, ahead of the CollisionSystem (rules M1, M2, E4 and E5)."""

from __future__ import annotations

import warnings
from typing import Any

import esper
import pytest
from worlds import a_system, world

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionTypeError,
    CollisionValueError,
    FixedStep,
    Motion,
    MovementSystem,
    Path,
    ReentryError,
    SetupWarning,
    Transform,
    Trigger,
    TriggerEntered,
    WorldError,
)

__all__ = ["world"]


def a_lift(*more: Any) -> int:
    """Create a square that goes to the right, 16 units per second."""
    return esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Motion(), Path([(0, 0), (9, 0)], 16), *more)


def x_of(entity: int) -> float:
    """Return the x coordinate of an entity."""
    return esper.component_for_entity(entity, Transform).x


def test_each_frame_is_one_step_whatever_is_passed_M1_E5(world):
    system = a_system()
    esper.add_processor(MovementSystem(system, rate=16), priority=1)
    lift = a_lift()
    esper.create_entity(Transform(2, 0), BoxCollider(1, 1), Trigger())
    esper.process(0.5, fast=True)
    assert x_of(lift) == 1
    assert [TriggerEntered(1, 2, lift)] == [event for event in system.events if type(event) is TriggerEntered]


@pytest.mark.parametrize(("frames", "parts"), [(24, 1), (60, 1), (144, 1), (64, 3)])
def test_any_frame_rate_gives_the_same_positions_at_whole_steps_M2(world, frames: int, parts: int):
    system = a_system()
    esper.add_processor(MovementSystem(system, rate=60), priority=1)
    lift, clock = a_lift(), FixedStep(60)
    for _ in range(frames // 4 * parts):
        for _ in clock.steps(1 / frames / parts):
            esper.process()
    assert x_of(lift) == 4
    assert system.interpolated(lift, clock.alpha) == pytest.approx((4 - 16 / 60, 0, 0), abs=1e-4)


def test_gravity_and_rate_may_be_assigned_and_are_checked_L3(world):
    movement = MovementSystem(a_system(), gravity=(0, 10))
    assert repr(movement) == "MovementSystem(gravity=(0.0, 10.0, 0.0), rate=60)"
    movement.gravity, movement.rate = (0, 5), 30
    assert (movement.gravity, movement.rate) == ((0, 5, 0), 30)
    with pytest.raises(CollisionValueError, match=r"rate of MovementSystem is 0.5, but it must be at least 1"):
        movement.rate = 0.5
    with pytest.raises(CollisionTypeError, match="gravity must be"):
        movement.gravity = 10  # type: ignore[assignment]
    assert (movement.gravity, movement.rate) == ((0, 5, 0), 30)
    with pytest.raises(CollisionTypeError, match=r"give it the CollisionSystem: MovementSystem\(system\)"):
        MovementSystem(esper)  # type: ignore[arg-type]


@pytest.mark.parametrize(("first", "priority"), [("system", 0), ("system", -1), ("movement", -1)])
def test_a_movement_system_behind_its_collision_system_warns_once_E4(world, first: str, priority: int):
    system = CollisionSystem()
    movement = MovementSystem(system)
    for name in ("system", "movement") if first == "system" else ("movement", "system"):
        if name == "system":
            esper.add_processor(system)
        else:
            esper.add_processor(movement, priority=priority)
    a_lift()
    with pytest.warns(SetupWarning, match=r"runs after its CollisionSystem.*add_processor\(movement, priority=1\)"):
        esper.process()
    esper.process()  # warnings are errors in this suite


def test_a_movement_system_ahead_does_not_warn_E4(world):
    system = CollisionSystem()
    esper.add_processor(MovementSystem(system))
    esper.add_processor(system)
    a_lift()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        esper.process()


def test_a_system_that_was_never_added_warns_E4(world):
    esper.add_processor(MovementSystem(CollisionSystem()))
    a_lift()
    with pytest.warns(SetupWarning, match="was never added to an esper world"):
        esper.process()


def test_a_second_movement_system_is_refused_and_named_E4(world):
    system = a_system()
    esper.add_processor(MovementSystem(system, gravity=(0, 3)), priority=1)
    with pytest.raises(WorldError, match=r"MovementSystem\(gravity=\(0.0, 3.0, 0.0\), rate=60\) moves the bodies"):
        esper.add_processor(MovementSystem(system), priority=1)
    lift = a_lift()
    esper.process()
    assert x_of(lift) == pytest.approx(16 / 60, abs=1e-4)
    esper.remove_processor(MovementSystem)
    esper.add_processor(MovementSystem(system), priority=1)
    esper.process()
    assert x_of(lift) == pytest.approx(32 / 60, abs=1e-4)


def test_a_handler_cannot_run_a_step_T8(world):
    system = a_system()
    lift = a_lift()
    esper.create_entity(Transform(0, 0), BoxCollider(1, 1), Trigger())
    found = []

    @system.on(TriggerEntered)
    def enters(event: TriggerEntered) -> None:
        with pytest.raises(ReentryError, match=r"called step_movement\(\); call it after process\(\) has returned"):
            system.step_movement(1 / 60)
        found.append(event.other)

    esper.process()
    assert found == [lift]
