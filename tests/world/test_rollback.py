"""A call that fails and is not repeated: the world equals one without the call, and continues like it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from boards import small
from faulty import Failing, Halt, Interrupted, Starving, every, failed

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Contact,
    Fused,
    Inertia,
    Motion,
    OrientedBoxCollider,
    Sleeping,
    SphereCollider,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.contacts.pair_log import PairLog
from ecs_collision.game.history import History, Moment


def a_box(**fields: Any) -> BoxCollider:
    """Return a collider with the size of a tile."""
    return BoxCollider(0.5, 0.5, **fields)


def a_world() -> CollisionWorld:
    """Return a world with fused bodies, triggers of every kind, a sleeper, a wall, round and turned shapes."""
    world = CollisionWorld()
    for entity, (after, to) in enumerate([(5, None), (5, 1), (4, 2), (4, 3)], 1):
        world.add(
            entity,
            transform=Transform(entity - 1, 0),
            collider=a_box(),
            inertia=Inertia(entity),
            sleeping=Sleeping(after=after),
            fused=None if to is None else Fused(to),
        )
    sleeping = Sleeping(after=4)
    world.add(5, transform=Transform(6, 0), collider=a_box(layer="five"), inertia=Inertia(1), sleeping=sleeping)
    world.add(
        6, transform=Transform(2, 0), collider=BoxCollider(2, 2, layer="zone"), trigger=Trigger(linger=3, stay=True)
    )
    world.add(7, transform=Transform(-4, 0), collider=a_box(), motion=Motion(force=9), contact=Contact(linger=2))
    world.add(8, transform=Transform(9, 9), collider=a_box(layer="wall"), static=Static())
    world.add(9, transform=Transform(-3, 0), collider=BoxCollider(0.25, 0.25), trigger=Trigger(swept=True, linger=2))
    world.add(10, transform=Transform(5, 5), collider=a_box(), sleeping=Sleeping(asleep=True))
    world.add(
        11, transform=Transform(6, 2, rotation=0.5), collider=OrientedBoxCollider(2, 0.5), trigger=Trigger(linger=2)
    )
    world.add(
        12, transform=Transform(5, 3), collider=SphereCollider(1.5, layer="disc"), inertia=Inertia(1), contact=Contact()
    )
    world.step()
    world.step()
    world.move(7, 0.3)
    world.step()
    return world


def a_new_body(to: int | None, x: float) -> Callable[[CollisionWorld], object]:
    """Return a call that adds a body with a filter of its own, fused to another if `to` is given."""
    return lambda world: world.add(
        20,
        transform=Transform(x, 0),
        collider=a_box(layer="new"),
        inertia=Inertia(7),
        sleeping=Sleeping(after=3),
        fused=None if to is None else Fused(to),
    )


def written(entity: int, component: str, field: str, value: object) -> Callable[[CollisionWorld], object]:
    """Return a call that writes a field of a component and applies the write."""

    def write(world: CollisionWorld) -> None:
        setattr(getattr(world._bodies.of(world._bodies.row(entity)), component), field, value)
        world.apply_changes()

    return write


def another_reporter(world: CollisionWorld, entity: int) -> None:
    """Replace the Contact of a body by a Trigger."""
    parts = world._bodies.of(world._bodies.row(entity))
    world._stage(entity, parts._replace(contact=None, trigger=Trigger(touching=True)))
    try:
        world.apply_changes()
    except BaseException:
        world._step.changes.unstage(entity)
        raise


ACTIONS: dict[str, Callable[[CollisionWorld], object]] = {
    "add, fused to a group": a_new_body(4, 4),
    "add, fused to one of its own": a_new_body(5, 7),
    "add": a_new_body(None, 20),
    "remove from a group": lambda world: world.remove(4),
    "remove a trigger": lambda world: world.remove(6),
    "teleport a group": lambda world: world.teleport(2, 1, 5),
    "teleport many": lambda world: world.set_positions([5, 10, 8, 6], [[0, 3], [1, 3], [2, 3], [40, 40]]),
    "move": lambda world: world.move(7, 2.9, 1.7, force=99),
    "turn a trigger": written(11, "transform", "rotation", 1.6),
    "grow a circle": written(12, "collider", "radius", 1.75),
    "make a body that asks a trigger": lambda world: another_reporter(world, 12),
    "remove a circle": lambda world: world.remove(12),
    "move that pushes two": lambda world: world.move(7, 5.3, 1.7, force=99),
}


SMALL = ["remove from a group", "move"]
"""Actions that fail at every call in `make test` too."""


def future(world: CollisionWorld) -> Iterator[object]:
    """Yield the visible state and events of a world that continues with a push."""
    yield world.snapshot()
    yield world.move(7, 6, force=9)
    for _ in range(3):
        yield world.step().events
    yield world.snapshot()


@pytest.mark.parametrize("name", small(ACTIONS, SMALL))
def test_an_action_that_fails_at_any_call_leaves_no_trace(name: str) -> None:
    """The future is that without the action or that after it."""
    action, undone, done = ACTIONS[name], a_world(), a_world()
    action(done)
    futures = [[*map(repr, future(world))] for world in (undone, done)]
    for failing in every(Failing, Halt):
        world = a_world()
        failed(lambda world=world: action(world), failing)
        assert world._access.depth == 0
        world.check()
        assert [*map(repr, future(world))] in futures, failing.place


def test_interrupted_changes_do_not_roll_back_the_motions_before_them() -> None:
    for failing in every(Failing, Halt):
        world = CollisionWorld()
        first, second = (world.add(transform=Transform(0, y), collider=a_box()) for y in (0, 5))
        world.move(first, 3)
        failed(lambda world=world, second=second: world.teleport(second, 1, 5), failing)
        world.check()
        assert world.space.at(3, 0) == [first], failing.place


def test_filters_are_rolled_back() -> None:
    """Two filters change at once: the second takes the number of the first."""
    world = CollisionWorld()
    bodies = [world.add(transform=Transform(0, y), collider=a_box(layer=f"of {y}", mask="wall")) for y in (0, 5)]
    world.add(transform=Transform(3, 0), collider=a_box(layer="wall"))
    world.step()
    first, second = (world._bodies.of(world._bodies.row(body)).collider for body in bodies)
    assert first is not None and second is not None
    for failing in every(Failing, Halt):
        first.layer, second.layer, second.mask = "another", "ghost", ()
        failed(world.apply_changes, failing)
        first.layer, second.layer, second.mask = "of 0", "of 5", "wall"
        world.check()
    assert world.move(bodies[0], 5).moved == (2, 0, 0)


def test_a_world_without_memory_for_another_row_is_valid() -> None:
    for starving in every(Starving):
        world = CollisionWorld()
        for x in range(64):
            world.add(transform=Transform(2 * x, 0), collider=a_box())
        before = world.snapshot()
        has_failed = failed(lambda world=world: world.add(transform=Transform(-5, 0), collider=a_box()), starving)
        world.check()
        assert has_failed == (world.snapshot() == before), starving.place


@pytest.mark.parametrize("order", ["sequential", "front_first"])
def test_a_request_is_carried_out_once_if_taking_it_is_interrupted(order: str) -> None:
    """At the interrupt one or both of two requests are taken, completely or partly, on one axis or both."""

    def a_world_with_requests() -> CollisionWorld:
        world = CollisionWorld(order=order)
        world.add(transform=Transform(1.25, 0), collider=a_box(), static=Static())
        for y, by in ((0, 0.7), (5, -1.3)):
            motion = Motion(force=1)
            world.add(transform=Transform(0, y), collider=a_box(), motion=motion)
            motion.move(by, 0.1)
        return world

    verify_frame(a_world_with_requests)


def test_crossings_are_reported_once_if_their_frame_is_interrupted() -> None:
    """Two motions cross a swept trigger: a failure of one keeps the crossing of the other."""

    def a_world_with_a_gate() -> CollisionWorld:
        world = CollisionWorld()
        world.add(transform=Transform(1, 0), collider=BoxCollider(0.25, 1), trigger=Trigger(swept=True))
        for y in (0, 1):
            motion = Motion(force=1)
            world.add(transform=Transform(0, y), collider=a_box(), motion=motion)
            motion.move(2)
        return world

    verify_frame(a_world_with_a_gate)


def verify_frame(a_world: Callable[[], CollisionWorld]) -> None:
    """Fail the first frame of a world at every call: in the end events and state are those without a failure."""

    def played(world: CollisionWorld) -> list[str]:
        while world.frame_number < 1:
            world.step()
        results = [repr(result) for _, result in sorted(world.results.items())]
        return [repr(world.frame.events), *results, world.snapshot().hex()]

    expected = played(a_world())
    for failing in every(Failing, Halt):
        world = a_world()
        failed(world.step, failing)
        world.check()
        assert expected == played(world), failing.place


def test_an_interrupted_query_answers_when_it_is_repeated() -> None:
    """The query updates the directory of cells and the list of ignored bodies."""

    def a_moved_world() -> CollisionWorld:
        world = CollisionWorld()
        for x in range(4):
            world.add(transform=Transform(3 * x, 0), collider=a_box(), fused=Fused(1) if x == 1 else None)
        list(world.space.cells)
        world.set_positions([1, 2, 3], [[20, 0], [23, 0], [26, 0]])
        return world

    def answers(world: CollisionWorld) -> list[Any]:
        space = world.space
        return [list(space.regions()), space.cast(1, (9, 0)), space.overlapping(((0, -9), (30, 9)), ignore=[3])]

    expected = answers(a_moved_world())
    for failing in every(Interrupted):
        world = a_moved_world()
        failed(lambda world=world: answers(world), failing)
        world.check()
        assert expected == answers(world), failing.place


@pytest.mark.parametrize("count", [5, 70])
def test_a_log_interrupted_during_its_sort_loses_no_entry(count: int) -> None:
    entries = [((number + 3) * 7 % 5, number * 3 % 4, number % 3) for number in range(count)]

    def a_log() -> PairLog:
        log = PairLog()
        for entry in entries:
            log.add(*entry)
        return log

    for failing in every(Interrupted):
        log = a_log()
        failed(log.sort, failing)
        log.sort()
        assert sorted(entries) == sorted(log.rows()), failing.place
        assert sorted(entry[:2] for entry in entries) == [row[:2] for row in log.rows()]


STEPS: dict[str, Callable[[History], object]] = {
    "add": lambda history: history.add(a_moment(9)),
    "undo": lambda history: history.undo(a_moment(9)),
    "undo to a mark": lambda history: history.undo(a_moment(4)),
    "redo": lambda history: history.redo(a_moment(9)),
    "clear": lambda history: history.clear(),
}


def a_moment(number: int) -> Moment:
    """Return a moment that differs from those with other numbers."""
    return Moment(bytes([number]) * 20, bytes([number]), "R" * number)


@pytest.mark.parametrize("name", STEPS)
def test_an_interrupted_step_in_the_history_has_no_effect(name: str) -> None:
    def a_history() -> History:
        history = History(5, 10**6)
        for number in range(7):
            history.add(a_moment(number))
        history.undo(a_moment(7))
        history.undo(a_moment(6))
        return history

    def ways(history: History) -> list[Any]:
        """Return all moments, backwards and then forwards, and their size in bytes."""
        events: list[Any] = [history.byte_count]
        for step in (history.undo, history.redo):
            now: Moment | None = a_moment(8)
            while now is not None:
                events.append(now)
                now = step(now)
        return events

    def go(history: History) -> None:
        with history.atomic():
            STEPS[name](history)

    done = a_history()
    go(done)
    outcomes = [ways(a_history()), ways(done)]
    for failing in every(Interrupted):
        history = a_history()
        failed(lambda history=history: go(history), failing)
        assert ways(history) in outcomes, failing.place
