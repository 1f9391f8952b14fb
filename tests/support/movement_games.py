"""Games of movement for tests: floors, slopes and actors in a CollisionWorld, played step by step.

Steps are 1/64 of a second and the gravity is 32, so velocities and ways are exact: in step n a body that falls freely
goes (2 n - 1) / 256 down.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ecs_collision import (
    BoxCollider,
    CapsuleCollider,
    Character,
    CollisionWorld,
    Inertia,
    Motion,
    OrientedBoxCollider,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

UNIT = 2.0**-16
RATE = 64
DT = 1 / RATE
G = 32.0

COLLIDERS: dict[str, Callable[[], Any]] = {
    "box": lambda: BoxCollider(0.375, 0.5),
    "ball": lambda: SphereCollider(0.5),
    "capsule": lambda: CapsuleCollider(0.375, 0.125, axis="y"),
}
"""Three characters that are 1 high, so each stands at y = -0.5 on a floor at 0."""


@dataclass
class Actor:
    """A body of a game and the components that move it."""

    entity: int
    transform: Transform
    velocity: Velocity
    character: Character
    walk: float = 0.0

    @property
    def at(self) -> tuple[float, float]:
        """The position in the plane."""
        return (self.transform.x, self.transform.y)


@dataclass
class Game:
    """A world with gravity, in which y grows downwards."""

    rate: float = RATE
    gravity: tuple[float, ...] = (0.0, G)
    world: CollisionWorld = field(default_factory=CollisionWorld)
    actors: list[Actor] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)

    def box(self, x: float, y: float, w: float, h: float, **parts: Any) -> int:
        """Add a box by its low corner; static unless it has an Inertia, a Motion or a Velocity."""
        settings = {name: parts.pop(name) for name in ("layer", "mask", "enabled") if name in parts}
        parts.setdefault("transform", Transform(x + w / 2, y + h / 2))
        if not {"inertia", "motion", "trigger"} & parts.keys():
            parts.setdefault("static", Static())
        return self.world.add(collider=BoxCollider(w / 2, h / 2, **settings), **parts)

    def floor(self, left: float = -50.0, right: float = 50.0, y: float = 0.0, **parts: Any) -> int:
        """Add a floor of height 1 whose top is at y."""
        return self.box(left, y, right - left, 1, **parts)

    def crate(self, x: float, y: float, inertia: float = 1.0, **parts: Any) -> int:
        """Add a crate of 1 x 1 by its low corner."""
        return self.box(x, y, 1, 1, inertia=Inertia(inertia), **parts)

    def slope(self, degrees: float, x: float = 0.0, y: float = 0.0, length: float = 12.0, *, left: bool = False) -> int:
        """Add a turned plank whose top begins at (x, y) and rises by that angle to the right, or to the left."""
        angle = math.radians(degrees if left else -degrees)
        sign = -1 if left else 1
        middle_x, middle_y = sign * math.cos(angle) * length / 2, sign * math.sin(angle) * length / 2
        place = Transform(x + middle_x - math.sin(angle), y + middle_y + math.cos(angle), rotation=angle)
        return self.world.add(transform=place, collider=OrientedBoxCollider(length / 2, 1), static=Static())

    def actor(self, x: float, y: float, collider: Any = "box", *, force: float = 5.0, **parts: Any) -> Actor:
        """Add a character at a position; options of Character go to it, all others are components."""
        options = ("up", "max_slope", "step_height", "snap", "coyote", "jump_buffer")
        character = Character(**{name: parts.pop(name) for name in options if name in parts})
        velocity, place = parts.pop("velocity", Velocity()), parts.pop("place", Transform(x, y))
        shape = COLLIDERS[collider]() if isinstance(collider, str) else collider
        motion = parts.pop("motion", Motion(force=force))
        entity = self.world.add(
            transform=place, collider=shape, motion=motion, velocity=velocity, character=character, **parts
        )
        actor = Actor(entity, place, velocity, character)
        self.actors.append(actor)
        return actor

    def step(self) -> None:
        """Set the speed of those that walk, and run one step and one frame."""
        for actor in self.actors:
            if actor.walk:
                actor.velocity.x = actor.walk
        self.world.step_movement(1 / self.rate, gravity=self.gravity)
        self.events = list(self.world.step().events)

    def steps(self, count: int) -> Iterator[int]:
        """Run steps; yields the number of each after it."""
        for number in range(1, count + 1):
            self.step()
            yield number

    def run(self, count: int) -> None:
        """Run steps."""
        for _ in self.steps(count):
            pass

    def at(self, entity: int) -> tuple[float, ...]:
        """Return the position of a body."""
        return self.world._bodies.transform(self.world._bodies.row(entity)).position


def standing(collider: Any = "box", x: float = 0.0, **options: Any) -> tuple[Game, Actor]:
    """Return a game with a wide floor at y = 0 and a character that stands on it."""
    game = Game()
    game.floor()
    actor = game.actor(x, -0.5, collider, **options)
    game.step()
    assert actor.character.on_floor
    return game, actor
