"""No data is kept longer than needed: no growth over many rounds, and bounds for worst cases."""

from __future__ import annotations

import contextlib
import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import esper
import pytest
from boards import AS_SHIPPED

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
)
from ecs_collision.game import Game
from ecs_collision.levels import parse_level

FRAMES = 25


class InEsper:
    """Rounds in the current esper world."""

    def __init__(self) -> None:
        self.system = CollisionSystem()
        esper.add_processor(self.system)
        self.player = self.body(0, 0, Motion(force=5))
        self.heard = 0
        self.system.on(TriggerLeft, self.hear)
        for x in (-8, 8):
            self.body(x, 0, Static())

    def body(self, x: float, y: float, *more: Any) -> int:
        return esper.create_entity(Transform(x, y), BoxCollider(0.5, 0.5), *more)

    def hear(self, event: object) -> None:
        self.heard += 1

    def round(self) -> None:
        """Run one round."""
        system = self.system
        crates = [self.body(2 + at, at % 3 - 1, Inertia(1), Sleeping(after=2)) for at in range(4)]
        joined = [self.body(-3, 2 + at, Inertia(1), *([Fused(crates[at])] if at else [])) for at in range(3)]
        zones = [self.body(at, 0, Trigger(linger=at, stay=at == 1, swept=at == 2)) for at in range(4)]
        piece = esper.create_entity(
            Transform(-5, 0), CompoundCollider([Box(1, 1), Box(1, 1, offset=(1, 1))]), Inertia(2)
        )
        for zone in zones:
            system.on(TriggerEntered, self.hear, trigger=zone)
            esper.process()
        for at in range(FRAMES - 8):
            system.request(self.player, (3, -5, 0.1)[at % 3], (0.5, 0, -0.25)[at % 3])
            self.misuse(crates[0])
            if at == 5:
                esper.remove_component(joined[1], Fused)
                esper.component_for_entity(crates[1], Sleeping).asleep = True
                esper.add_component(piece, Transform(-5, 3))
            if at == 8:
                system.restore(system.snapshot())
                system.teleport(crates[2], 0, 0)
                esper.component_for_entity(zones[0], Trigger).enabled = False
            esper.process()
            system.events, dict(system.results), system.space.pairs_array(triggers=True)
        system.teleport(self.player, 0, 0)
        for at, entity in enumerate([*reversed(joined), *crates, *zones, piece]):
            esper.delete_entity(entity, immediate=at % 2 == 0)
        for _ in range(4):
            esper.process()

    def misuse(self, crate: int) -> None:
        """Make calls that are refused, such as committing a stale plan."""
        system = self.system
        plan = system.plan(self.player, 1)
        system.move(crate, 0.5, force=0)
        for call in (plan.commit, lambda: system.move(self.player, float("nan")), lambda: system.move(10**9, 1)):
            with contextlib.suppress(CollisionError):
                call()
        system.space.overlapping(((-3, -3), (3, 3)), layers=("default", f"layer {crate % 7}"))


LEVEL = """title: Churn
gravity: D
falls: crate

legend
# wall: Static
@ player: Motion(1.5)
$ crate: Inertia(1)
_ plate: Trigger
D door: Static, single

map
############
#@ $ _ $ D #
############
"""


class InGame:
    """Turns of a game, undone, redone and restarted."""

    def __init__(self) -> None:
        self.game = Game(parse_level(LEVEL), undo_limit=12)
        self.game.door("door", opens="plate")

    def round(self) -> None:
        """Run one round."""
        game = self.game
        game.play("RRRRLLLLLL.RRRRRRRRRRRR"[: FRAMES - 2])
        game.undo(20)
        game.redo(10)
        game.restore(game.snapshot())
        with game.trying():
            game.play("LR")
            game.moment()
        game.restart()


CHURNS: dict[str, Callable[[], Any]] = {"esper": InEsper, "game": InGame}


WARM, ROUNDS, TRACED = (3, 4, 10) if AS_SHIPPED else (3, 3, 3)
IN_THE_BOOKS = 1 << 14
"""Blocks that NumPy's accumulations leave in the records of tracemalloc although they are free; never more."""


def object_count() -> int:
    """Return the number of objects without garbage, including those frozen by the garbage collector."""
    gc.unfreeze()
    gc.collect()
    count = len(gc.get_objects())
    gc.freeze()
    return count


@pytest.mark.parametrize("name", CHURNS)
def test_rounds_that_end_at_their_start_keep_nothing(world, name):
    """No object more after thousands of frames, and in hundreds fewer bytes than one number per frame."""
    churn = CHURNS[name]()
    for _ in range(WARM):
        churn.round()
    # What is kept grows each time; other threads of the test run make objects now and then.
    assert any(growth(churn.round) <= 0 for _ in range(3))
    assert bytes_kept(churn.round, TRACED) < IN_THE_BOOKS


def growth(act: Callable[[], None]) -> int:
    """Return the growth in objects after doing something `ROUNDS` times."""
    before = object_count()
    for _ in range(ROUNDS):
        act()
    return object_count() - before


def bytes_kept(act: Callable[[], None], times: int) -> int:
    """Return the growth in bytes after doing something this many times."""
    tracemalloc.start()
    try:
        for _ in range(3):
            act()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(times):
            act()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


def test_arrays_have_room_for_the_bodies_that_come_and_not_for_those_that_change():
    system = CollisionSystem()
    esper.add_processor(system)
    bodies = [esper.create_entity(Transform(2 * at, 0), BoxCollider(0.5, 0.5)) for at in range(500)]
    walls = [esper.create_entity(Transform(2 * at, 2), BoxCollider(0.5, 0.5), Static()) for at in range(100)]
    esper.process()
    table = system._world._bodies
    assert (len(bodies) + len(walls), len(bodies)) == (table.columns.capacity, table.dynamic.boxes.capacity)
    for entity in bodies:
        esper.add_component(entity, Sleeping())
    esper.process()
    assert (len(bodies) + len(walls), len(bodies)) == (table.columns.capacity, table.dynamic.boxes.capacity)


@pytest.mark.skipif(not AS_SHIPPED, reason="objects of the plain form are larger")
def test_boxes_that_all_differ_take_400_bytes_each():
    count = 4000
    tracemalloc.start()
    try:
        boxes = [BoxCollider(1 + at / 1024, 1) for at in range(count)]
        assert tracemalloc.get_traced_memory()[0] < 400 * count
    finally:
        tracemalloc.stop()
    assert boxes[-1].hx == 1 + (count - 1) / 1024
