"""What is broken off and then given up, not tried again: the world is the one there was, and goes on like it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from faulty import Failing, Halt, Starving, failed, points

from ecs_collision import BoxCollider, CollisionWorld, Fused, Inertia, Motion, Sleeping, Static, Transform, Trigger
from ecs_collision.components import Parts


def a_box(**fields: Any) -> BoxCollider:
    """Return a collider of the size of a tile."""
    return BoxCollider(0.5, 0.5, **fields)


def a_world() -> CollisionWorld:
    """Return a world with a chain of welds, triggers of every sort, a sleeper, a wall and a remainder."""
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
    world.add(7, transform=Transform(-4, 0), collider=a_box(), motion=Motion(force=9))
    world.add(8, transform=Transform(9, 9), collider=a_box(layer="wall"), static=Static())
    world.add(9, transform=Transform(-3, 0), collider=BoxCollider(0.25, 0.25), trigger=Trigger(swept=True, linger=2))
    world.add(10, transform=Transform(5, 5), collider=a_box(), sleeping=Sleeping(asleep=True))
    world.step()
    world.step()
    world.move(7, 0.3)
    world.step()
    return world


def a_birth(to: int | None, x: float) -> Callable[[CollisionWorld], object]:
    """Return what adds a body with a filter of its own, welded to another or not."""
    return lambda world: world.add(
        20,
        transform=Transform(x, 0),
        collider=a_box(layer="new"),
        inertia=Inertia(7),
        sleeping=Sleeping(after=3),
        fused=None if to is None else Fused(to),
    )


DEEDS: dict[str, Callable[[CollisionWorld], object]] = {
    "add, welded to a group": a_birth(4, 4),
    "add, welded to one of its own": a_birth(5, 7),
    "add": a_birth(None, 20),
    "remove from a group": lambda world: world.remove(4),
    "remove a trigger": lambda world: world.remove(6),
    "teleport a group": lambda world: world.teleport(2, 1, 5),
    "teleport many": lambda world: world.set_positions([5, 10, 8, 6], [[0, 3], [1, 3], [2, 3], [40, 40]]),
    "move": lambda world: world.move(7, 5.3, 1.7, force=99),
}


def future(world: CollisionWorld) -> Iterator[object]:
    """Yield what can be seen of a world that goes on with a push."""
    yield world.snapshot()
    yield world.move(7, 6, force=9)
    for _ in range(3):
        yield world.step().events
    yield world.snapshot()


@pytest.mark.parametrize("name", DEEDS)
def test_what_is_broken_off_and_given_up_leaves_no_trace(name: str) -> None:
    deed, counting, whole = DEEDS[name], Failing(), a_world()
    failed(lambda: deed(whole), counting)
    for number in points(counting.calls, 40):
        world, before = a_world(), a_world()
        failing = Failing(number, Halt)
        if not failed(lambda world=world: deed(world), failing):
            continue
        world.check()
        if world.snapshot() != before.snapshot():
            deed(before)
        assert [*map(repr, future(before))] == [*map(repr, future(world))], failing.place


def test_who_may_meet_whom_is_put_back_too() -> None:
    """Two filters change at once: the second takes over the number of the first."""
    world = CollisionWorld()
    bodies = [world.add(transform=Transform(0, y), collider=a_box(layer=f"of {y}", mask="wall")) for y in (0, 5)]
    world.add(transform=Transform(3, 0), collider=a_box(layer="wall"))
    world.step()
    first, second = (world.bodies.of(world.bodies.row(body)).collider for body in bodies)
    assert first is not None and second is not None
    for number in range(1, 40):
        first.layer, second.layer, second.mask = "another", "ghost", ()
        failed(world.take_in, Failing(number, Halt))
        first.layer, second.layer, second.mask = "of 0", "of 5", "wall"
        world.check()
    assert world.move(bodies[0], 5).moved == (2, 0, 0)


def test_add_all_adds_none_where_the_list_of_bodies_fails() -> None:
    class Torn(list[Parts]):
        def __iter__(self) -> Iterator[Parts]:
            yield self[0]
            raise OSError("the file ended")

    def a_body() -> Parts:
        return Parts(Transform(0, 0), a_box(), None, None, None, None, None, None)

    world = CollisionWorld()
    with pytest.raises(OSError):
        world.add_all(Torn([a_body(), a_body()]), [1, 2])
    world.step()
    assert not world.pending and len(world.bodies) == 0


def test_an_interrupt_behind_the_last_call_of_a_take_in_finds_it_done() -> None:
    class Interrupted:
        """The slate, at which an interrupt comes when it has been wiped."""

        def __init__(self, writes: Any) -> None:
            self.writes = writes

        def __getattr__(self, name: str) -> Any:
            return getattr(self.writes, name)

        def clear(self) -> None:
            self.writes.clear()
            raise Halt

    world = CollisionWorld()
    body = world.add(transform=Transform(0, 0), collider=a_box())
    world.step()
    writes = world.bodies.writes
    world.bodies.transform(world.bodies.row(body)).x = 5
    world.bodies.writes = Interrupted(writes)
    with pytest.raises(Halt):
        world.take_in()
    world.bodies.writes = writes
    world.check()
    assert world.space.at(5, 0) == [body]


def broken_off_behind_a_phase(world: CollisionWorld) -> None:
    """Step, and be interrupted as the first phase that is timed has ended."""
    timed = world._stepping._timed

    def interrupted(name: str, *arguments: Any) -> Any:
        timed(name, *arguments)
        raise Halt

    world._stepping._timed = interrupted
    with pytest.raises(Halt):
        world.step()
    world._stepping._timed = timed


def test_requests_outlive_an_interrupt_between_ordering_and_moving() -> None:
    world = CollisionWorld()
    motion = Motion(force=1)
    body = world.add(transform=Transform(0, 0), collider=a_box(), motion=motion)
    motion.move(2)
    broken_off_behind_a_phase(world)
    assert motion.dx == 2
    assert world.step().results[body].moved == (2, 0, 0)


@pytest.mark.parametrize("welded", [False, True])
def test_whoever_lingers_is_put_back_with_the_frame_in_which_that_ends(welded: bool) -> None:
    """The frame in which many begin to linger is broken off, and done again."""

    def a_zone() -> tuple[CollisionWorld, int]:
        world = CollisionWorld()
        for x in range(6):
            world.add(transform=Transform(2 * x, 0), collider=a_box(), fused=Fused(1) if welded and x == 1 else None)
        zone = world.add(transform=Transform(0, 0), collider=BoxCollider(20, 20), trigger=Trigger(linger=3))
        world.step()
        world.teleport(3, 90, 0)
        world.step()
        world.teleport(4, 95, 0)
        return world, zone

    counting, (whole, _) = Failing(), a_zone()
    failed(whole.step, counting)
    for number in points(counting.calls, 40):
        (world, zone), (expected, _) = a_zone(), a_zone()
        failing = Failing(number, Halt)
        failed(world.step, failing)
        world.check()
        assert world.inside(zone) == expected.inside(zone)
        if world.frame_number < 3:
            world.step()
        expected.step()
        for _ in range(4):
            assert repr(expected.step().events) == repr(world.step().events), failing.place


def test_a_request_of_a_future_that_a_restore_took_back_is_not_given_back() -> None:
    world, motion, other = CollisionWorld(), Motion(force=1), Motion(force=1)
    bodies = [
        world.add(transform=Transform(0, y), collider=a_box(), motion=each) for y, each in ((0, motion), (5, other))
    ]
    world.step()
    data = world.snapshot()
    other.move(1)
    world.step()
    world.restore(data)
    motion.move(0.5)
    broken_off_behind_a_phase(world)
    assert (motion.dx, other.dx) == (0.5, 0)
    assert world.step().results.keys() == {bodies[0]}


def test_a_row_that_was_about_to_be_made_is_forgotten() -> None:
    class Torn(list[Any]):
        """A list behind whose next append an interrupt comes."""

        def append(self, item: Any) -> None:
            super().append(item)
            raise Halt

    world = a_world()
    before, parts = world.snapshot(), world.bodies.parts
    world.bodies.parts = Torn(parts)
    with pytest.raises(Halt):
        a_birth(None, 20)(world)
    world.bodies.parts = list(world.bodies.parts)
    world.check()
    assert world.snapshot() == before
    a_birth(None, 20)(world)
    world.check()


def test_a_world_without_memory_for_another_row_is_sound() -> None:
    for number in range(1, 60):
        world = CollisionWorld()
        for x in range(64):
            world.add(transform=Transform(2 * x, 0), collider=a_box())
        starving, before = Starving(number), world.snapshot()
        if not failed(lambda world=world: world.add(transform=Transform(-5, 0), collider=a_box()), starving):
            return
        world.check()
        assert world.snapshot() == before, starving.place
