"""Scripts of frames at random with all that triggers tell of, played in esper with something done between the acts.

A script is made beforehand and asks the engine nothing, so it is the same however it is played. Bodies are named by
their number in the script; whoever is fused is fused to a lower number, so there are no rings.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import esper
from worlds import a_system, fresh_world, part

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionSystem,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    Sleeping,
    Transform,
    Trigger,
)

COUNT = 9
LAYERS = ("a", "b")

Act = tuple[Any, ...]
Meddle = Callable[["Scene", random.Random], None]


class Scene:
    """A world of bodies and triggers in a small place, and what may be done to them."""

    def __init__(self, seed: int) -> None:
        dice = random.Random(seed)
        self.system: CollisionSystem = a_system()
        self.ids = [self._body(dice) for _ in range(COUNT)]
        for number in range(1, COUNT):
            if dice.random() < 0.4:
                self.do("fuse", number, dice.randrange(number))

    def _body(self, dice: random.Random) -> int:
        more: list[Any] = [Sleeping(after=2)] if dice.random() < 0.2 else []
        layer = dice.choice(LAYERS)
        shape: Any = BoxCollider(dice.choice([0.5, 1.0]), 0.5, layer=layer)
        if dice.random() < 0.2:
            shape = CompoundCollider([Box(0.5, 0.5), Box(0.5, 0.5, offset=(1, 0, 0))], layer=layer)
        if dice.random() < 0.4:
            more.append(self._trigger(dice))
        else:
            more.append(Inertia(1))
        return int(esper.create_entity(Transform(*a_spot(dice)), shape, Motion(force=3), *more))

    @staticmethod
    def _trigger(dice: random.Random) -> Trigger:
        flags = {name: dice.random() < 0.4 for name in ("touching", "stay")}
        mask = dice.choice([None, None, "a", LAYERS])
        return Trigger(mask=mask, swept=dice.random() < 0.6, linger=dice.choice([0, 0, 2, 4]), **flags)

    # What a script may say. Nothing is done where it makes no sense.

    def do(self, what: str, number: int, *how: Any) -> None:
        """Do one act to a body."""
        if self.ids[number]:
            getattr(self, f"_{what}")(self.ids[number], *how)

    def _move(self, entity: int, dx: float, dy: float) -> None:
        self.system.move(entity, dx, dy, force=3.0)

    def _ask(self, entity: int, dx: float, dy: float) -> None:
        self.system.request(entity, dx, dy)

    def _write(self, entity: int, *spot: float) -> None:
        part(entity, Transform).position = spot

    def _fuse(self, entity: int, number: int) -> None:
        to = self.ids[number]
        if to and esper.has_component(entity, Fused):
            part(entity, Fused).to = to
        elif to:
            esper.add_component(entity, Fused(to))

    def _free(self, entity: int) -> None:
        if esper.has_component(entity, Fused):
            esper.remove_component(entity, Fused)

    def _able(self, entity: int, enabled: bool) -> None:
        self._collider(entity).enabled = enabled

    def _layer(self, entity: int, layer: str) -> None:
        self._collider(entity).layer = layer

    def _sense(self, entity: int, seed: int) -> None:
        if esper.has_component(entity, Trigger):
            esper.remove_component(entity, Trigger)
        else:
            esper.add_component(entity, self._trigger(random.Random(seed)))

    def _set(self, entity: int, field: str, value: Any) -> None:
        if esper.has_component(entity, Trigger):
            setattr(part(entity, Trigger), field, value)

    def _gone(self, entity: int, now: bool) -> None:
        for other in self.ids:
            if other and esper.has_component(other, Fused) and part(other, Fused).to == entity:
                esper.remove_component(other, Fused)
        self.ids[self.ids.index(entity)] = 0
        esper.delete_entity(entity, immediate=now)

    @staticmethod
    def _bystander(_: int) -> None:
        esper.create_entity(Transform(200, 200), BoxCollider(0.5, 0.5))

    @staticmethod
    def _collider(entity: int) -> Any:
        return esper.try_component(entity, BoxCollider) or esper.component_for_entity(entity, CompoundCollider)

    def seen(self) -> tuple[Any, ...]:
        """Return what a game can see of the frame that has just ended, but for who woke and fell asleep."""
        alive = [entity for entity in self.ids if entity]
        events = [repr(event) for event in self.system.events if type(event).__name__ not in ("Woke", "FellAsleep")]
        inside = [self.system.inside(entity) for entity in alive if esper.has_component(entity, Trigger)]
        places = [part(entity, Transform).position for entity in alive]
        return events, inside, places, self.system.state_hash()


def a_spot(dice: random.Random) -> tuple[float, float]:
    return (dice.randint(0, 10) / 2, dice.randint(0, 3) / 2)


def script(seed: int, frames: int) -> list[list[Act]]:
    """Return the acts of some frames; much is done and undone within a frame."""
    dice = random.Random(seed)
    return [_frame(dice) for _ in range(frames)]


def _frame(dice: random.Random) -> list[Act]:
    acts: list[Act] = []
    for _ in range(dice.choice([0, 0, 1, 1, 2, 3, 4])):
        number = dice.randrange(COUNT)
        far = (dice.randint(-16, 16) / 2, dice.randint(-4, 4) / 2)
        chances: list[list[Act]] = [
            [("move", number, *far)], [("move", number, *far)], [("move", number, *far)],
            [("ask", number, *far)],
            [("write", number, *a_spot(dice))],
            [("able", number, dice.random() < 0.6)],
            [("able", number, False), ("able", number, True)],
            [("layer", number, dice.choice(LAYERS))],
            [("sense", number, dice.randrange(99))],
            [("set", number, "linger", dice.choice([0, 0, 1, 3]))],
            [("set", number, "swept", dice.random() < 0.7)],
            [("set", number, "enabled", dice.random() < 0.7)],
            [("free", number)],
            [("bystander", number)],
        ]  # fmt: skip
        if number:
            fuse = ("fuse", number, dice.randrange(number))
            chances += [[fuse], [fuse], [("free", number), fuse], [fuse, ("free", number)]]
        if dice.random() < 0.1:
            chances += [[("gone", number, dice.random() < 0.5)]]
        acts += dice.choice(chances)
    return acts


def played(seed: int, frames: int, meddle: Meddle | None = None) -> list[tuple[Any, ...]]:
    """Return what is seen of each frame of a script; `meddle` is called before, between and behind the acts."""
    dice = random.Random(seed + 1)
    with fresh_world():
        scene, seen = Scene(seed), []
        for acts in script(seed, frames):
            for act in acts:
                if meddle is not None:
                    meddle(scene, dice)
                scene.do(*act)
            if meddle is not None:
                meddle(scene, dice)
            esper.process()
            seen.append(scene.seen())
            scene.system.check()
        return seen
