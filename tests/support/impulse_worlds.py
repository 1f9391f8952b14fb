"""Worlds of bodies that move by themselves, for tests of rules I: makers of bodies, what is read, random scenes.

Scenes are plain data, so that they can be made in several worlds and in any order.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    Mass,
    Material,
    OrientedBoxCollider,
    Sleeping,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

UNIT = 2.0**-16
"""The lattice, in world units."""

Floats = tuple[float, ...]
Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Made:
    """A body of a world, with the components that a step writes."""

    id: int
    transform: Transform
    moving: Velocity | None
    mass: float

    @property
    def position(self) -> Floats:
        return self.transform.position

    @property
    def velocity(self) -> Floats:
        return (0.0, 0.0, 0.0) if self.moving is None else (self.moving.x, self.moving.y, self.moving.z)


def add(
    world: CollisionWorld, at: Sequence[float], collider: Any = None, *, mass: float | None = None,
    velocity: Sequence[float] | None = None, bounce: float = 0.0, friction: float = 0.5, moment: float | None = None,
    sleeping: bool = False, static: bool = False, id: int | None = None, **more: Any,
) -> Made:  # fmt: skip
    """Add a body: dynamic with a mass, otherwise immovable; by default a unit box."""
    transform = Transform(*at)
    moving = Velocity(*(velocity or ())) if mass is not None or velocity is not None else None
    parts: dict[str, Any] = {"transform": transform, "collider": collider or BoxCollider(0.5, 0.5)} | more
    if moving is not None:
        parts["velocity"] = moving
    if mass is not None:
        parts["mass"] = Mass(mass) if moment is None else Mass(mass, moment=moment)
    if (bounce, friction) != (0.0, 0.5):
        parts["material"] = Material(restitution=bounce, friction=friction)
    if sleeping:
        parts["sleeping"] = Sleeping(after=3)
    if static:
        parts["static"] = Static()
    return Made(world.add(id, **parts), transform, moving, 0.0 if mass is None else mass)


def floor(world: CollisionWorld, y: float = 0.0, half: float = 50.0, **more: Any) -> Made:
    """Add a static floor whose upper face is at y; y grows downwards."""
    return add(world, (0.0, y + 1.0), BoxCollider(half, 1.0), static=True, **more)


def ball(radius: float = 0.5) -> SphereCollider:
    """Return the collider of a circle or sphere."""
    return SphereCollider(radius)


def cube(half: float = 0.5) -> BoxCollider:
    """Return the collider of a cube, which is not of 2D unless its half extent is 0.5."""
    return BoxCollider(half, half, half)


def momentum(bodies: Iterable[Made]) -> Floats:
    """Return the sum of mass times velocity."""
    return tuple(sum(body.mass * body.velocity[axis] for body in bodies) for axis in range(3))


def energy(bodies: Iterable[Made]) -> float:
    """Return the sum of half the mass times the square of the speed."""
    return sum(body.mass * sum(v * v for v in body.velocity) / 2 for body in bodies)


def state(bodies: Iterable[Made]) -> list[tuple[Floats, Floats]]:
    """Return the positions and velocities of bodies."""
    return [(body.position, body.velocity) for body in bodies]


def run(world: CollisionWorld, frames: int, dt: float = 1 / 60, **options: Any) -> None:
    """Run frames: a step of dynamics, then the frame of the world."""
    for _ in range(frames):
        world.step_dynamics(dt, **options)
        world.step()


@dataclass(frozen=True)
class Thing:
    """A body as plain data: the kind and sizes of its collider, its place, speed and material."""

    kind: str
    sizes: tuple[float, ...]
    at: Vector
    velocity: Vector | None = None
    mass: float | None = None
    moment: float | None = None
    bounce: float = 0.0
    friction: float = 0.5
    axis: str = "y"

    def collider(self) -> Any:
        """Return a new collider."""
        if self.kind == "box":
            return BoxCollider(*self.sizes)
        if self.kind == "ball":
            return SphereCollider(*self.sizes)
        if self.kind == "capsule":
            return CapsuleCollider(*self.sizes, axis=self.axis)
        if self.kind == "pair":
            x, y, z = self.sizes
            return CompoundCollider([Box(x, y, z, (-x, 0, 0)), Box(x, 2 * y, z, (x, 0, 0))])
        return OrientedBoxCollider(*self.sizes)

    def add(self, world: CollisionWorld, id: int, sleeping: bool = False) -> Made:
        """Add the body to a world."""
        static = self.mass is None
        return add(world, self.at, self.collider(), mass=self.mass, velocity=self.velocity, bounce=self.bounce,
                   friction=self.friction, moment=self.moment, static=static, sleeping=sleeping and not static,
                   id=id)  # fmt: skip


def a_scene(seed: int, *, count: int = 12, deep: bool = False, shaped: bool = False, walls: bool = True) -> list[Thing]:
    """Return bodies that do not overlap, above a floor between two walls.

    deep: in 3D. shaped: also capsules, oriented boxes and compounds, some of which turn.
    """
    rng = random.Random(seed)
    half = (6.0, 6.0) if deep else (0.5, 0.5)
    things = []
    if walls:
        belt = rng.choice((None, (1.5, 0.0, 0.0)))
        things = [
            Thing("box", (12.0, 1.0, half[0]), (0.0, 1.0, 0.0), belt, friction=0.6),
            Thing("box", (1.0, 12.0, half[0]), (-9.0, -12.0, 0.0), bounce=0.5),
            Thing("box", (1.0, 12.0, half[0]), (9.0, -12.0, 0.0)),
        ]
    cells = [(x, y, z) for x in range(-2, 3) for y in range(4) for z in ((-1, 0, 1) if deep else (0,))]
    kinds = ["box", "box", "ball", "ball"] + (["capsule", "oriented", "pair"] if shaped else [])
    for x, y, z in rng.sample(cells, count):
        at = (3.0 * x + rng.randint(-6, 6) / 16, -1.75 - 2.75 * y + rng.randint(-4, 4) / 16, 2.75 * z)
        speed = tuple(rng.randint(-640, 640) / 100 for _ in range(3 if deep else 2))
        kind, size = rng.choice(kinds), rng.choice((0.5, 0.75, 1.0))
        thick = size if deep else 0.5
        sizes = {
            "box": (size, rng.choice((0.5, 1.0)), thick), "ball": (size,), "capsule": (0.5, 0.5 * size),
            "oriented": (size, 0.5, thick), "pair": (0.5, 0.5, thick),
        }[kind]  # fmt: skip
        turns = shaped and kind in ("ball", "capsule", "oriented") and rng.random() < 0.7
        mass = rng.choice((0.5, 1.0, 1.0, 3.0, 20.0))
        things.append(
            Thing(kind, sizes, at, (speed[0], speed[1], speed[2] if deep else 0.0), mass, mass * 0.3 if turns else None,
                  rng.choice((0.0, 0.0, 0.3, 0.8)), rng.choice((0.0, 0.3, 0.5, 0.9)), rng.choice("xy"))
        )  # fmt: skip
    return things


def made(things: Sequence[Thing], world: CollisionWorld, ids: Sequence[int] = (), sleeping: bool = False) -> list[Made]:
    """Add the bodies to a world, in their order or under other ids."""
    return [thing.add(world, id, sleeping) for thing, id in zip(things, ids or range(1, len(things) + 1), strict=True)]
