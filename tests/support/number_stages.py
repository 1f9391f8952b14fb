"""Stages on which numbers are tested: an engine with bodies, a game, a board, nothing."""

from __future__ import annotations

from typing import Any

import esper

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    Contact,
    Fused,
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
from ecs_collision.game import Game
from ecs_collision.levels import parse_level

PLAYER, CRATE, ZONE, COMPOUND, SLEEPER, FUSED, BALL, PILL, PLANK, FALLER = range(1, 11)
SCENE: dict[int, tuple[Any, ...]] = {
    PLAYER: (Transform(0, 0), BoxCollider(0.5, 0.5), Motion(5.0, 1)),
    CRATE: (Transform(2, 0), BoxCollider(0.5, 0.5), Inertia(1.0)),
    ZONE: (Transform(0.5, 0), BoxCollider(0.5, 0.5), Trigger(linger=3)),
    COMPOUND: (Transform(5, 5), CompoundCollider([Box(1, 1), Box(0.5, 0.5, offset=(1, 1))]), Inertia(x=2.0)),
    SLEEPER: (Transform(-5, 5), BoxCollider(0.5, 0.5), Sleeping(asleep=True, after=7)),
    FUSED: (Transform(3, 0), BoxCollider(0.5, 0.5), Inertia(1.0), Fused(CRATE)),
    BALL: (Transform(-9, 9), SphereCollider(0.5), Contact(linger=3)),
    PILL: (Transform(-9, 12), CapsuleCollider(0.5, 0.5)),
    PLANK: (Transform(-9, 15), OrientedBoxCollider(0.5, 0.5)),
    FALLER: (Transform(-9, 20), BoxCollider(0.5, 0.5), Velocity(1.0), Mass(2.0), Material()),
}
FIELDS = {
    Transform: "transform", BoxCollider: "collider", CompoundCollider: "collider", Inertia: "inertia",
    Motion: "motion", Sleeping: "sleeping", Static: "static", Trigger: "trigger", Fused: "fused",
    SphereCollider: "collider", CapsuleCollider: "collider", OrientedBoxCollider: "collider",
    Velocity: "velocity", Mass: "mass", Material: "material", Contact: "contact",
}  # fmt: skip

LEVEL = """title: Numbers

legend
# wall: Static
@ player: Motion(1.5)
$ crate: Inertia(1)
_ plate: Trigger

map
##########
#@ $ _ _ #
##########
"""


class Stage:
    """The object of calls, an engine with bodies, and its whole state."""

    def __init__(self) -> None:
        self.parts: dict[tuple[int, type[Any]], Any] = {}

    engine: Any = None

    def state(self) -> object:
        """Return all state that a refused call must not change."""
        seen = tuple(map(repr, self.parts.values()))
        return seen, self.engine.snapshot(), self.engine.events, dict(self.engine.results)

    def part(self, entity: int, kind: type[Any]) -> Any:
        return self.parts[entity, kind]

    def close(self) -> None:
        """Remove the stage."""


class InEsper(Stage):
    """The bodies in the current esper world, with a system."""

    def __init__(self) -> None:
        super().__init__()
        esper.clear_database()
        if esper.get_processor(CollisionSystem):
            esper.remove_processor(CollisionSystem)
        self.engine = CollisionSystem()
        esper.add_processor(self.engine)
        for entity, body in SCENE.items():
            parts = [part.copy() for part in body]
            assert entity == esper.create_entity(*parts)
            self.parts |= {(entity, type(part)): part for part in parts}
        esper.process()

    def close(self) -> None:
        self.engine.close()


class InWorld(Stage):
    """The bodies in a world of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.engine = CollisionWorld()
        for entity, body in SCENE.items():
            parts = {FIELDS[type(part)]: part.copy() for part in body}
            self.engine.add(entity, **parts)
            self.parts |= {(entity, type(part)): part for part in parts.values()}
        self.engine.step()


class InGame(Stage):
    """A game after two turns."""

    def __init__(self) -> None:
        super().__init__()
        self.engine = Game(parse_level(LEVEL))
        self.engine.play("RR")

    def state(self) -> object:
        game = self.engine
        return game.snapshot(), game.controls, game.can_undo, game.can_redo, game.has_begun, game.fall_speed


class Fresh(Stage):
    """A game that has not started."""

    def __init__(self) -> None:
        super().__init__()
        self.engine = Game(parse_level(LEVEL))

    def state(self) -> object:
        return self.engine.has_begun, list(self.engine._state.mechanics), self.engine.world.snapshot()


class Nowhere(Stage):
    """For calls that need no world."""

    def state(self) -> object:
        return None
