"""Worlds of bodies that move by themselves, for tests of rules I: makers of bodies, and what is read of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Mass,
    Material,
    Sleeping,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

UNIT = 2.0**-16
"""The lattice, in world units."""

Floats = tuple[float, ...]


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
