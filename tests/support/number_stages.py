"""What numbers are given to: an engine with bodies, a game, nothing at all; and the row that a parameter has.

A row is named as it is found in the code: `Class.method.parameter`, `Class.parameter` of a constructor, `Class.field =`
of a setter. `[x]` and the like name a part of what is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import esper
from numbers_given import Kind, real

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.game import Game
from ecs_collision.levels import parse_level

PLAYER, CRATE, ZONE, COMPOUND, SLEEPER, WELDED = 1, 2, 3, 4, 5, 6
SCENE: dict[int, tuple[Any, ...]] = {
    PLAYER: (Transform(0, 0), BoxCollider(0.5, 0.5), Motion(5.0, 1)),
    CRATE: (Transform(2, 0), BoxCollider(0.5, 0.5), Inertia(1.0)),
    ZONE: (Transform(0.5, 0), BoxCollider(0.5, 0.5), Trigger(linger=3)),
    COMPOUND: (Transform(5, 5), CompoundCollider([Box(1, 1), Box(0.5, 0.5, offset=(1, 1))]), Inertia(x=2.0)),
    SLEEPER: (Transform(-5, 5), BoxCollider(0.5, 0.5), Sleeping(asleep=True, after=7)),
    WELDED: (Transform(3, 0), BoxCollider(0.5, 0.5), Inertia(1.0), Fused(CRATE)),
}
FIELDS = {
    Transform: "transform", BoxCollider: "collider", CompoundCollider: "collider", Inertia: "inertia",
    Motion: "motion", Sleeping: "sleeping", Static: "static", Trigger: "trigger", Fused: "fused",
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
    """What calls are made on: an engine with bodies, which knows its whole state."""

    def __init__(self) -> None:
        self.parts: dict[tuple[int, type[Any]], Any] = {}

    engine: Any

    def state(self) -> object:
        """Return all that a refused call may not touch."""
        seen = tuple(map(repr, self.parts.values()))
        return seen, self.engine.snapshot(), self.engine.events, dict(self.engine.results)

    def part(self, entity: int, kind: type[Any]) -> Any:
        return self.parts[entity, kind]

    def close(self) -> None:
        """Leave nothing behind."""


class InEsper(Stage):
    """The bodies in the esper world that is current, with a system."""

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
        self.game = Game(parse_level(LEVEL))
        self.game.play("RR")

    def state(self) -> object:
        game = self.game
        return game.snapshot(), game.controls, game.can_undo, game.can_redo, game.has_begun, game.fall_speed


class Nowhere(Stage):
    """For what needs no world."""

    def state(self) -> object:
        return None


Give = Callable[[Any, Any], object]


@dataclass(frozen=True)
class Row:
    """A parameter."""

    name: str
    kind: Kind
    words: str
    give: Give
    stage: type[Stage] = Nowhere
    edges: bool = True
    asks: bool = False
    """Whether nothing changes where a value is taken either."""


UNREAD = object()
"""What a call gives whose value cannot be read back: that it was taken is all there is to see."""

OPTIONAL: dict[str, Any] = {"None": None}
UNSAID: dict[str, Any] = {"None": UNREAD}

NO_BODY = "is no body of this world"
BODIES = ("one", "two", "numpy int64", "numpy uint8", "array of no axis", "something with __index__")
ENTITY = Kind(dict.fromkeys(BODIES, UNREAD), NO_BODY, otherwise_error=KeyError)
"""The id of a body: 1 and 2 are there. What is no whole number is the id of none."""

IN_FLOATS = replace(
    real(), only=("zero", "minus one", "a half", "nan", "inf", "minus inf", "1e300", "minus 1e300", "2**70")
)
"""What an array of floats can hold."""


def vector_of(at: int, value: Any) -> tuple[Any, ...]:
    return tuple([value if axis == at else 0.0 for axis in range(3)])


def axes_of(name: str, words: str, give: Callable[[Any, int, Any], object], stage: type[Stage]) -> Iterator[Row]:
    """Yield a row for each number of a tuple of three."""
    for at, axis in enumerate("xyz"):
        yield Row(f"{name}[{axis}]", real(), words.format(axis), lambda s, v, at=at: give(s, at, v), stage)


def unread(row: Give) -> Give:
    """Give, and read nothing back."""
    return lambda stage, value: (row(stage, value), UNREAD)[1]
