"""A step of dynamics that fails leaves the world as it was, or is complete (rule I5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from boards import small
from faulty import Failing, Halt, every, failed

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Contact,
    Inertia,
    Mass,
    Material,
    Motion,
    OrientedBoxCollider,
    Sleeping,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    Velocity,
)

STEP: dict[str, Any] = {"dt": 1 / 60, "gravity": (0, 10)}


def a_world() -> CollisionWorld:
    """Return a world with a resting stack that sleeps, a ball and a turned box that fall, and a trigger."""
    world = CollisionWorld()
    world.add(1, transform=Transform(0, 4), collider=BoxCollider(9, 0.5), static=Static())
    for entity, y in ((2, 3), (3, 2)):
        world.add(
            entity, transform=Transform(0, y), collider=BoxCollider(0.5, 0.5), velocity=Velocity(), mass=Mass(1),
            sleeping=Sleeping(after=2), material=Material(0.0, 0.25),
        )  # fmt: skip
    world.add(4, transform=Transform(0, 0), collider=BoxCollider(2, 2, layer="zone"), trigger=Trigger(stay=True))
    for _ in range(45):
        world.step_dynamics(**STEP)
        world.step()
    world.add(
        5, transform=Transform(0.25, 0.5, rotation=0.5), collider=SphereCollider(0.5), inertia=Inertia(1),
        velocity=Velocity(1, 9, angular=3), mass=Mass(2, moment=0.5), contact=Contact(impacts=0),
    )  # fmt: skip
    world.add(
        6, transform=Transform(5, 1, rotation=0.25), collider=OrientedBoxCollider(0.75, 0.5), motion=Motion(1),
        velocity=Velocity(angular=-1), mass=Mass(2, moment=0.5),
    )  # fmt: skip
    world.step()
    return world


def write(world: CollisionWorld, entity: int, component: str, field: str, value: object) -> None:
    """Write a field and apply it."""
    setattr(getattr(world._bodies.of(world._bodies.row(entity)), component), field, value)
    world.apply_changes()


def fall_on_the_stack(world: CollisionWorld) -> None:
    """Let the ball hit the sleeping stack: it wakes, and the ball turns."""
    world.step_dynamics(0.125, gravity=(0, 10), substeps=2)


WRITES: dict[str, Callable[[CollisionWorld], object]] = {
    "no write": lambda world: None,
    "a velocity": lambda world: write(world, 3, "velocity", "x", 3.0),
    "an infinite mass": lambda world: write(world, 3, "mass", "value", float("inf")),
    "a disabled floor": lambda world: write(world, 1, "collider", "enabled", False),
    "another filter": lambda world: write(world, 2, "collider", "layer", "other"),
}
"""What comes before the step that fails."""

CALLS: dict[str, Callable[[CollisionWorld], object]] = {
    "remove a body of a stack": lambda world: world.remove(2),
    "remove the floor": lambda world: world.remove(1),
    "impulse": lambda world: world.apply_impulse(6, (1, 2), (5, 2)),
}


def future(world: CollisionWorld) -> list[str]:
    """Return the visible state and events of a world that continues with steps."""

    def moments() -> Iterator[object]:
        for _ in range(4):
            world.step_dynamics(**STEP)
            yield world.step().events
            yield world.stats.simulated
        yield world.snapshot()

    return [*map(repr, moments())]


def verify_no_trace(
    action: Callable[[CollisionWorld], object], before: Callable[[CollisionWorld], object] = WRITES["no write"]
) -> None:
    """Fail an action at every call: the future must be that without the action or that after it."""
    undone, done = a_world(), a_world()
    for world in (undone, done):
        before(world)
    action(done)
    futures = [future(world) for world in (undone, done)]
    for failing in every(Failing, Halt):
        world = a_world()
        before(world)
        failed(lambda world=world: action(world), failing)
        world.check()
        assert future(world) in futures, failing.place


def test_the_stack_of_these_tests_sleeps_and_the_ball_wakes_it():
    world = a_world()
    stack = [world._bodies.of(world._bodies.row(entity)) for entity in (2, 3)]
    assert [(True, -1.0)] * 2 == [(parts.sleeping.asleep, parts.velocity._slow) for parts in stack]  # type: ignore
    fall_on_the_stack(world)
    assert {2, 3} == {event.entity for event in world.step().events if type(event).__name__ == "Woke"}


@pytest.mark.parametrize("name", small(CALLS, ["impulse"]))
def test_a_call_that_fails_at_any_call_leaves_no_trace(name: str) -> None:
    verify_no_trace(CALLS[name])


@pytest.mark.parametrize("before", small(WRITES, ["a velocity"]))
def test_a_step_that_fails_leaves_no_trace_I5(before: str) -> None:
    verify_no_trace(lambda world: world.step_dynamics(**STEP), WRITES[before])


def test_a_step_that_fails_after_it_wrote_velocities_leaves_no_trace_I5(monkeypatch: pytest.MonkeyPatch) -> None:
    undone, world = a_world(), a_world()
    with monkeypatch.context() as patch:

        def fail(*_: object) -> None:
            patch.undo()
            raise Halt

        patch.setattr(world._step.sleep, "wake", fail)
        with pytest.raises(Halt):
            fall_on_the_stack(world)
    world.check()
    assert future(undone) == future(world)


@pytest.mark.soak
def test_a_step_that_fails_and_would_wake_a_stack_leaves_no_trace_I5() -> None:
    verify_no_trace(fall_on_the_stack)
