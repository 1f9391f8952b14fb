"""One world, one thread at a time: calls of other threads during a frame are refused (T8)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import esper
import pytest
from worlds import a_box, a_crate, a_player, a_system, a_zone, next_frame, part, place

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    Inertia,
    Motion,
    Moved,
    ReentryError,
    Transform,
    TriggerEntered,
)

CALLS: dict[str, Callable[[CollisionWorld, bytes], Any]] = {
    "move": lambda world, saved: world.move(1, 1),
    "plan": lambda world, saved: world.plan(1, 1),
    "request": lambda world, saved: world.request(1, 1),
    "teleport": lambda world, saved: world.teleport(2, 7, 7),
    "set_positions": lambda world, saved: world.set_positions([2], [(7, 7)]),
    "add": lambda world, saved: world.add(transform=Transform(5, 5), collider=BoxCollider(1, 1)),
    "remove": lambda world, saved: world.remove(2),
    "step": lambda world, saved: world.step(),
    "snapshot": lambda world, saved: world.snapshot(),
    "restore": lambda world, saved: world.restore(saved),
    "state_hash": lambda world, saved: world.state_hash(),
    "check": lambda world, saved: world.check(),
    "a query or a change": lambda world, saved: world.touching(2),
}


def in_other_thread(call: Callable[[], Any]) -> BaseException | None:
    """Make a call in another thread while this one waits; returns its exception."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            call()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return raised[0] if raised else None


def a_world(hook: Callable[[], Any]) -> CollisionWorld:
    """Return a world in which 1 pushes 2, so that the hook is called."""
    world = CollisionWorld(can_push=lambda *_: hook())
    world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(5))
    world.add(transform=Transform(2, 0), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1))
    return world


@pytest.mark.parametrize("in_frame", [False, True], ids=["in a motion", "in a frame"])
@pytest.mark.parametrize("call", CALLS)
def test_calls_of_another_thread_in_the_middle_are_refused_and_change_nothing_T8(call, in_frame):
    raised: list[BaseException | None] = []
    world = a_world(lambda: raised.append(in_other_thread(lambda: CALLS[call](world, saved))))
    alone = a_world(lambda: None)
    saved = world.snapshot()
    for each in (world, alone):
        if in_frame:
            each.request(1, 3)
            each.step()
        else:
            each.move(1, 3)
    assert isinstance(raised[0], ReentryError)
    assert f"{call} came from another thread in the middle of a frame" in str(raised[0])
    assert "use a world from one thread at a time" in str(raised[0])
    assert (alone.state_hash(), alone.events) == (world.state_hash(), world.events)
    world.check()
    assert in_other_thread(lambda: world.move(1, 1)) is None, "afterwards it may"


def test_handlers_may_change_the_world_but_other_threads_may_not_meanwhile_T8(world):
    system = a_system()
    zone, player, crate = a_zone(3), a_player(0), a_crate(9)
    raised: list[BaseException | None] = []

    @system.on(TriggerEntered, trigger=zone)
    def handle(event: TriggerEntered) -> None:
        for call in (
            lambda: system.move(crate, 1),
            lambda: system.teleport(crate, 20, 0),
            esper.process,
            system.snapshot,
        ):
            raised.append(in_other_thread(call))
        system.move(crate, 1)
        system.teleport(player, 0, 7)
        part(crate, Transform).y = 2
        assert system.space.at(10, 2) == [crate]

    system.request(player, 3)
    esper.process()
    assert [ReentryError] * 4 == list(map(type, raised))
    assert ((10, 2, 0), (0, 7, 0)) == (place(crate), place(player))
    system.check()
    assert in_other_thread(lambda: system.move(crate, 1)) is None


def test_two_threads_may_take_turns():
    world = a_world(lambda: None)
    for _ in range(3):
        assert in_other_thread(lambda: world.move(1, 0.5)) is None
        assert in_other_thread(world.step) is None
        world.step()
    assert (1.5, 0.0, 0.0) == world.bodies.transform(world.bodies.row(1)).position
    world.check()


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_after_a_frame_that_fails_any_thread_may_use_the_world(error):
    def hook() -> None:
        if not done:
            done.append(True)
            raise error

    done: list[bool] = []
    world = a_world(hook)
    world.request(1, 3)
    with pytest.raises(error):
        world.step()
    assert in_other_thread(world.step) is None
    assert (3.0, 0.0, 0.0) == world.bodies.transform(world.bodies.row(1)).position
    world.check()


def test_after_a_handler_that_raises_any_thread_may_use_the_system(world):
    system = CollisionSystem()
    esper.add_processor(system)
    body = a_box(0, 0, Motion())

    @system.on(Moved)
    def fail(event: Moved) -> None:
        raise ValueError("broken")

    system.request(body, 1)
    with pytest.raises(ValueError, match="broken"):
        esper.process()
    assert in_other_thread(lambda: system.move(body, 1)) is None
    with pytest.raises(ValueError, match="broken"):
        next_frame(system)
