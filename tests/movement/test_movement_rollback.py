"""A step of movement that fails leaves the world as it was, or is complete (rule M1)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from boards import IS_SOAK
from faulty import Failing, Halt, Starving, every, failed

from ecs_collision import (
    BoxCollider,
    Character,
    CollisionWorld,
    Contact,
    Inertia,
    Lifetime,
    Motion,
    OrientedBoxCollider,
    Path,
    Sleeping,
    Static,
    Transform,
    Trigger,
    Velocity,
)


class Hook:
    """A `can_push` that fails at the n-th call, 0 never."""

    def __init__(self) -> None:
        self.fails_at = self.calls = 0

    def __call__(self, *push: object) -> None:
        self.calls += 1
        if self.calls == self.fails_at:
            raise ZeroDivisionError


def a_world(hook: Hook | None = None) -> CollisionWorld:
    """Return a world with lifts that push crates, sleeping ones among them, through a swept trigger; and a spark."""
    world = CollisionWorld(can_push=hook)
    for number in range(3):
        world.add(
            transform=Transform(0, 3 * number), collider=BoxCollider(0.5, 0.5), motion=Motion(force=4),
            velocity=Velocity(), path=Path([(0, 3 * number), (3, 3 * number), (3, 9)], 40, loop="back"),
        )  # fmt: skip
        world.add(
            transform=Transform(1.25, 3 * number), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1),
            sleeping=Sleeping(asleep=number == 1, after=2), contact=Contact() if number == 0 else None,
        )  # fmt: skip
    world.add(transform=Transform(2, 3), collider=BoxCollider(0.25, 3), trigger=Trigger(swept=True))
    world.add(transform=Transform(3, 7), collider=BoxCollider(0.5, 0.5), static=Static())
    world.add(transform=Transform(9, 9), collider=BoxCollider(0.5, 0.5), lifetime=Lifetime(2))
    world.step_movement(1 / 60)
    world.step()
    world.move(1, -0.25)
    assert world.move(5, 0, -9).blocked
    return world


def a_crowd() -> CollisionWorld:
    """Return a world without a hook: a character meets a turned plank, after another and movers that push crates."""
    world = CollisionWorld()
    world.add(transform=Transform(0, 4), collider=BoxCollider(20, 1), static=Static())
    for x in (0, 9):
        world.add(
            transform=Transform(x, 2.5), collider=BoxCollider(0.5, 0.5), motion=Motion(force=4),
            velocity=Velocity(20, 0), character=Character(),
        )  # fmt: skip
        world.add(
            transform=Transform(x, -9), collider=BoxCollider(0.5, 0.5), motion=Motion(force=4), velocity=Velocity(9, 1)
        )
        world.add(transform=Transform(x + 1.1, -9), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1))
    plank = OrientedBoxCollider(0.9, 0.2)
    world.add(transform=Transform(10.5, 2.7, rotation=-0.4), collider=plank, static=Static())
    world.apply_changes()
    return world


def future(world: CollisionWorld) -> list[str]:
    """Return the visible state and events of a world that continues with steps."""

    def moments() -> Iterator[object]:
        yield world.snapshot()
        yield [world.interpolated(entity, 0) for entity in sorted(world._bodies.row_of)]
        for _ in range(4):
            world.step_movement(1 / 60)
            yield world.step().events
        yield world.snapshot()

    return [*map(repr, moments())]


@pytest.mark.parametrize(
    ("make", "kind", "arguments", "place", "step"),
    [
        (a_crowd, Failing, (Halt,), "normals", 1 if IS_SOAK else 3),
        (a_world, Starving, (), "", 1),
        (a_crowd, Starving, (), "", 1),
    ],
    ids=["crowd fails", "lifts lack memory", "crowd lacks memory"],
)
def test_a_step_that_fails_at_any_call_or_lacks_memory_leaves_no_trace_M1(make, kind, arguments, place, step):
    """At every third call of a step, and at all in a soak."""
    undone, done = make(), make()
    done.step_movement(1 / 60)
    futures = [future(world) for world in (undone, done)]
    assert futures[0] != futures[1]
    places = set()
    for failing in every(kind, *arguments, step=step):
        world = make()
        failed(lambda world=world: world.step_movement(1 / 60), failing)
        world.check()
        assert future(world) in futures, failing.place
        places.add(failing.place)
    assert sum(place in each for each in places) > 1


def test_a_hook_that_raises_in_the_middle_of_a_step_leaves_no_trace_M1():
    hook = Hook()
    undone = a_world(Hook())
    before = undone.state_hash()
    count = 1
    while True:
        world = a_world(hook)
        hook.calls, hook.fails_at = 0, count
        try:
            world.step_movement(1 / 60)
        except ZeroDivisionError:
            hook.fails_at = 0
            world.check()
            assert (world.state_hash(), world.snapshot()) == (before, undone.snapshot())
            assert future(world) == future(a_world(Hook()))
            count += 1
            continue
        break
    assert count > 2


def test_a_motion_that_is_stopped_at_its_begin_disturbs_nobody_if_the_step_fails_M1():
    hook = Hook()
    world = CollisionWorld(can_push=hook)
    world.add(
        transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(force=1), sleeping=Sleeping(after=9),
        path=Path([(0, 0), (3, 0)], 40),
    )  # fmt: skip
    world.add(transform=Transform(1, 0), collider=BoxCollider(0.5, 0.5), inertia=Inertia(9))
    world.add(
        transform=Transform(0, 9),
        collider=BoxCollider(0.5, 0.5),
        motion=Motion(force=1),
        path=Path([(0, 9), (3, 9)], 40),
    )
    world.add(transform=Transform(1, 9), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1))
    for _ in range(3):
        world.step()
    before = world.snapshot()
    hook.fails_at = hook.calls + 1
    with pytest.raises(ZeroDivisionError):
        world.step_movement(1 / 60)
    world.check()
    assert world.snapshot() == before
