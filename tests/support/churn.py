"""Games that end each round in the state of its start after many changes, for tests of memory growth.

A round is `FRAMES` frames. Bodies are created, moved, blocked, fused, put asleep and deleted in every way, triggers
and subscriptions are added and removed, plans are made and discarded, snapshots are taken and restored.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import esper

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    Sleeping,
    StalePlan,
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


class InWorld:
    """Rounds without an ECS: bodies are added and removed, with few frames."""

    def __init__(self) -> None:
        self.world = CollisionWorld(bounds=((-9, -9), (9, 9)), order="front_first")
        self.player = self.body(0, 0, motion=Motion(5))

    def body(self, x: float, y: float, id: int | None = None, **more: Any) -> int:
        return self.world.add(id, transform=Transform(x, y), collider=BoxCollider(0.5, 0.5), **more)

    def round(self) -> None:
        """Run one round."""
        world = self.world
        crates = [self.body(-4 + at, at, 100 + at, inertia=Inertia(1), sleeping=Sleeping(after=1)) for at in range(8)]
        zone = self.body(1, 1, 200, trigger=Trigger(touching=True, linger=2))
        for at in range(FRAMES):
            for crate in crates:
                world.move(self.player, (1, -1, 0)[at % 3], (0, 1, -1)[crate % 3])
            with contextlib.suppress(StalePlan):
                world.plan(self.player, 1).commit()
            world.set_positions(crates[:3], [(at % 5, 3), (-at % 5, -3), (0, at % 4)])
            if at % 2:
                world.step()
        for id in (*crates, zone):
            world.remove(id)
        world.teleport(self.player, 0, 0)
        world.step()
        world.step()


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


CHURNS: dict[str, Callable[[], Any]] = {"esper": InEsper, "world": InWorld, "game": InGame}
