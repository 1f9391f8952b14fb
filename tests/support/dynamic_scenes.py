"""Scenes of dynamic bodies as arrays, for tests of the solver without a world."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any

from ecs_collision.dynamics.dynamic_bodies import DynamicBodies
from ecs_collision.dynamics.kept_contacts import KeptContacts
from ecs_collision.dynamics.solver import Solver
from ecs_collision.shapes.bounds import Shape, bounds_of
from ecs_collision.shapes.part import Part

UNIT = 65536

FAR = 2**40


def units(value: float) -> int:
    """Return lattice units; tests use values on the lattice."""
    scaled = value * UNIT
    assert scaled == int(scaled), f"{value} is not on the lattice"
    return int(scaled)


def box(width: float, height: float, depth: float = 1.0, at: tuple[float, float, float] = (0, 0, 0)) -> Part:
    """Return a box of a size about a place."""
    halves = width / 2, height / 2, depth / 2
    low, high = zip(*((units(c - half), units(c + half)) for c, half in zip(at, halves, strict=True)), strict=True)
    return Part((*low, *high))


def ball(radius: float, at: tuple[float, float, float] = (0, 0, 0)) -> Part:
    """Return a sphere about a place."""
    x, y, z = map(units, at)
    return Part((x, y, z, x, y, z), units(radius))


@dataclass
class Body:
    """A body of a scene; `mass` None is immovable."""

    parts: tuple[Part, ...]
    position: tuple[float, float, float]
    velocity: tuple[float, float, float] = (0, 0, 0)
    mass: float | None = 1.0
    moment: float = float("inf")
    restitution: float = 0.0
    friction: float = 0.0
    angular: tuple[float, float, float] = (0, 0, 0)
    collides: bool = True


@dataclass
class DynamicScene:
    """Bodies by id, moved by a solver. Lattice positions and velocities are read after each step."""

    gravity: tuple[float, float, float] = (0, 0, 0)
    dt: float = 1 / 60
    substeps: int = 4
    iterations: int = 8
    low: tuple[int, int, int] = (-FAR, -FAR, -FAR)
    high: tuple[int, int, int] = (FAR, FAR, FAR)
    bodies: dict[int, Body] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state: dict[int, dict[str, Any]] = {}
        self.arrays, self.solver, self.kept = DynamicBodies(), Solver(), KeptContacts()
        self.meetings = 0

    def add(self, body: Body, entity: int | None = None) -> int:
        """Add a body and return its id, by default the next one."""
        if entity is None:
            entity = max(self.bodies, default=0) + 1
        self.bodies[entity] = body
        self.state[entity] = {
            "position": [units(each) for each in body.position],
            "remainder": [0.0] * 3,
            "velocity": [float(each) for each in body.velocity],
            "angular": [float(each) for each in body.angular],
            "angle_left": [0.0] * 3,
            "turned": [0.0] * 3,
            "at_rest": 0,
            "set_number": -1,
        }
        return entity

    def floor(self, y: float = 0.0, friction: float = 0.0, restitution: float = 0.0, width: float = 1000.0) -> int:
        """Add an immovable floor with its face at a height; y grows upwards in these scenes."""
        return self.add(Body((box(width, 2),), (0, y - 1, 0), mass=None, friction=friction, restitution=restitution))

    def fill(self) -> tuple[list[int], array[int], array[int]]:
        """Write all bodies into the arrays; return their ids, and all pairs of which one is dynamic."""
        entities = sorted(self.bodies)
        self.arrays.begin()
        for row, entity in enumerate(entities):
            body = self.bodies[entity]
            shaped = any(part.radius or part.matrix for part in body.parts)
            at = self.arrays.add(
                entity,
                row,
                body.collides,
                0.0 if body.mass is None else 1 / body.mass,
                0.0 if body.mass is None else 1 / body.moment,
                body.restitution,
                body.friction,
                Shape(body.parts) if shaped else None,
            )
            for part in body.parts:
                self.arrays.add_part(*bounds_of(part))
            for name in ("position", "remainder", "velocity", "angular", "angle_left"):
                for axis in range(3):
                    getattr(self.arrays, name)[3 * at + axis] = self.state[entity][name][axis]
        firsts, seconds = array("i"), array("i")
        for i, a in enumerate(entities):
            for j in range(i + 1, len(entities)):
                b = entities[j]
                movable = self.bodies[a].mass is not None or self.bodies[b].mass is not None
                if movable and self.bodies[a].collides and self.bodies[b].collides:
                    firsts.append(i)
                    seconds.append(j)
        return entities, firsts, seconds

    def step(self, count: int = 1) -> None:
        """Move the bodies by some steps."""
        for _ in range(count):
            entities, firsts, seconds = self.fill()
            self.solver.step(
                self.arrays,
                firsts,
                seconds,
                len(firsts),
                self.kept,
                self.dt / self.substeps,
                self.gravity,
                self.substeps,
                self.iterations,
                self.low,
                self.high,
            )
            self.meetings += self.solver.meeting_count
            for at, entity in enumerate(entities):
                state = self.state[entity]
                for name in ("position", "remainder", "velocity", "angular", "angle_left", "turned"):
                    state[name] = list(getattr(self.arrays, name)[3 * at : 3 * at + 3])
                state["at_rest"], state["set_number"] = self.arrays.at_rest[at], self.arrays.set_number[at]

    def position(self, entity: int) -> tuple[float, ...]:
        """Return the position of a body in units."""
        return tuple(each / UNIT for each in self.state[entity]["position"])

    def velocity(self, entity: int) -> tuple[float, ...]:
        """Return the velocity of a body."""
        return tuple(self.state[entity]["velocity"])

    def momentum(self) -> list[float]:
        """Return the sum of mass times velocity of all dynamic bodies."""
        return [
            sum(body.mass * self.state[entity]["velocity"][axis] for entity, body in self.bodies.items() if body.mass)
            for axis in range(3)
        ]

    def is_at_rest(self, entity: int) -> bool:
        """Return whether the last step changed nothing of the set of a body."""
        return bool(self.state[entity]["at_rest"])
