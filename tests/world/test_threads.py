"""One world, one thread at a time: calls of other threads during a call are refused (T8)."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import esper
import pytest
from number_stages import BALL, CRATE, FALLER, PLAYER, InWorld
from public_calls import CALLS, ENGINES, prepared
from record_golden import MARKS, differences
from worlds import a_box, a_system

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Inertia,
    Motion,
    Moved,
    ReentryError,
    SphereCollider,
    Transform,
    Velocity,
)
from ecs_collision.game import Game
from ecs_collision.levels import parse_level

REFUSAL = "another thread is in the middle of a call of this world; use a world from one thread at a time"
OF_NO_WORLD = ("CollisionWorld", "CollisionSystem", "CollisionSystem.priority =", "Space.cell")
GUARDED = [call for call in CALLS if call[0] not in OF_NO_WORLD]


def in_other_thread(call: Callable[[], object]) -> BaseException | None:
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


def assert_refused(error: BaseException | None) -> None:
    """Check an exception of another thread."""
    assert isinstance(error, ReentryError) and str(error).startswith(REFUSAL), error


@pytest.mark.parametrize(("name", "kind", "field"), GUARDED, ids=[name for name, _, _ in GUARDED])
def test_a_call_of_another_thread_during_a_query_is_refused_and_changes_nothing_T8(world, name, kind, field):
    stage = ENGINES[kind][0]()
    refused, later = prepared(stage, name, kind, field), prepared(stage, name, kind, field)
    before, raised = stage.state(), list[BaseException | None]()
    engine: Any = stage.engine
    engine.space.overlapping(((0, -1), (2, 1)), where=lambda entity: raised.append(in_other_thread(refused)))
    assert raised
    for error in raised:
        assert_refused(error)
    assert before == stage.state()
    assert in_other_thread(later) is None
    stage.close()


OTHERS: dict[str, Callable[[InWorld], object]] = {
    "len(world)": lambda stage: len(stage.engine),
    "in world": lambda stage: PLAYER in stage.engine,
    "events": lambda stage: stage.engine.events,
    "cells": lambda stage: stage.engine.space.cells,
    "static_cells": lambda stage: stage.engine.space.static_cells,
    "Plan.commit": lambda stage: stage.plan.commit(),
    "Transform.x": lambda stage: setattr(stage.part(CRATE, Transform), "x", 7),
    "Transform.position": lambda stage: setattr(stage.part(CRATE, Transform), "position", (7.0, 7.0)),
    "Transform.rotation": lambda stage: setattr(stage.part(BALL, Transform), "rotation", 1),
    "Collider.layer": lambda stage: setattr(stage.part(CRATE, BoxCollider), "layer", "stone"),
    "SphereCollider.radius": lambda stage: setattr(stage.part(BALL, SphereCollider), "radius", 2),
    "Inertia.value": lambda stage: setattr(stage.part(CRATE, Inertia), "value", 7),
    "Motion.move": lambda stage: stage.part(PLAYER, Motion).move(1),
    "Motion.force": lambda stage: setattr(stage.part(PLAYER, Motion), "force", 7),
    "Velocity.x": lambda stage: setattr(stage.part(FALLER, Velocity), "x", 7),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_read_or_write_of_another_thread_during_a_query_is_refused_T8(name):
    stage = InWorld()
    stage.plan = stage.engine.plan(PLAYER, 1)
    before, raised = stage.state(), list[BaseException | None]()
    where = lambda entity: raised.append(in_other_thread(lambda: OTHERS[name](stage)))  # noqa: E731
    stage.engine.space.at(2, 0, where=where)
    assert_refused(*raised)
    assert before == stage.state()
    assert in_other_thread(lambda: OTHERS[name](stage)) is None


Act = Callable[[CollisionWorld], object]


def pushing(act: Act) -> CollisionWorld:
    """Return a world in which a hook acts when body 1 pushes body 2."""
    world = CollisionWorld(can_push=lambda *_: act(world))
    world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(5))
    world.add(transform=Transform(2, 0), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1))
    return world


def in_a_frame(act: Act) -> None:
    world = pushing(act)
    world.request(1, 3)
    world.step()


def in_a_delivery(act: Act) -> None:
    system = a_system()
    body = a_box(0, 0, Motion())
    system.on(Moved, lambda event: act(system._world))
    system.request(body, 1)
    esper.process()


def in_a_turn(act: Act) -> None:
    game = Game(parse_level("#####\n#@$.#\n#####\n", "xsb"))
    game.on_turn(lambda turn: act(game.world))
    game.turn("R")


MIDDLES: dict[str, Callable[[Act], object]] = {
    "a motion": lambda act: pushing(act).move(1, 3),
    "a plan": lambda act: pushing(act).plan(1, 3),
    "a frame": in_a_frame,
    "a ray": lambda act: (world := pushing(act)).space.ray((-5, 0), (1, 0), where=lambda entity: act(world)),
    "many queries": lambda act: (world := pushing(act)).space.overlapping_many(
        [(0, 0)], [(1, 1)], where=lambda entity: act(world)
    ),
    "a delivery": in_a_delivery,
    "a turn": in_a_turn,
}


@pytest.mark.parametrize("error", [None, ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("middle", MIDDLES)
def test_until_a_call_has_ended_or_failed_no_other_thread_may_call_T8(world, middle, error):
    worlds = []

    def act(world: CollisionWorld) -> None:
        if not worlds:
            worlds.append(world)
            assert_refused(in_other_thread(world.step))
            if error is not None:
                raise error

    if error is None:
        MIDDLES[middle](act)
    else:
        with pytest.raises(error):
            MIDDLES[middle](act)
    assert in_other_thread(worlds[0].step) is None
    worlds[0].check()


def test_two_threads_may_take_turns():
    world = pushing(lambda world: None)
    for _ in range(3):
        assert in_other_thread(lambda: world.move(1, 0.5)) is None
        assert in_other_thread(world.step) is None
        world.step()
    assert (1.5, 0.0, 0.0) == world._bodies.transform(world._bodies.row(1)).position
    world.check()


def test_worlds_in_several_threads_at_once_do_not_disturb_each_other():
    names = ["impulses_in_2D", "impulses_in_3D", "puzzle_the_ferry", "puzzle_two_trains"]
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda name=name: found.extend(differences([name], MARKS[0]) or [name]))
        for name in names
    ]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert names == sorted(found)


RACE = """
import sys, threading
from itertools import combinations_with_replacement
from ecs_collision import *
from ecs_collision._build import hot_files_are_compiled

sys.setswitchinterval(1e-6)
world = CollisionWorld()
for i in range(300):
    world.add(
        transform=Transform(i % 20 * 0.7, i // 20 * 0.7), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1),
        motion=Motion(5), velocity=Velocity(1, 0), mass=Mass(1),
    )
CALLS = {
    "move": lambda k: [world.move(k, k % 3 - 1, k % 5 - 2) for _ in range(20)],
    "step": lambda k: (world.teleport(k, k % 13, k % 7), world.step()),
    "add": lambda k: (world.remove(k), world.add(k, transform=Transform(k % 13, k % 7), collider=BoxCollider(1, 1))),
    "write": lambda k: setattr(world._bodies.of(world._bodies.row(1)).transform, "position", (k % 13, k % 7)),
    "dynamics": lambda k: world.step_dynamics(1 / 60),
    "query": lambda k: (world.space.pairs(), world.space.overlapping(k), world.space.cast(k, (5, 1))),
}

def race(call):
    for k in range(100 if hot_files_are_compiled() else 3):  # plain Python takes a second a round
        try:
            call(2 + k)
        except (ReentryError, UnknownEntity):  # a removed body is added again later, or never
            pass

if not hot_files_are_compiled():  # a write is not a call: plain, a call may begin in the middle of it
    del CALLS["write"]
for calls in combinations_with_replacement(CALLS.values(), 2):
    threads = [threading.Thread(target=race, args=(call,)) for call in calls]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    world.check()
print("survived")
"""


@pytest.mark.once
def test_no_two_calls_of_two_threads_end_the_interpreter_or_damage_the_world():
    command = [sys.executable, "-W", "ignore", "-c", RACE]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (0, "survived", "") == (ran.returncode, ran.stdout.strip(), ran.stderr)
