"""Scenes of bodies that fall, pile up and roll, in this engine and in others, each with the settings of its manual.

Lengths are metres, `y` points up. Every body has the mass 1.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Mass,
    Material,
    OrientedBoxCollider,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

FRAME, GRAVITY, PIXELS = 1 / 60, 9.8125, 64


@dataclass(frozen=True, slots=True)
class Body:
    """A box, or a ball if it has a `radius`."""

    x: float
    y: float
    halves: tuple[float, float] = (0.5, 0.5)
    radius: float = 0.0
    angle: float = 0.0
    speed: float = 0.0
    """To the right."""
    spin: float = 0.0
    turns: bool = True
    fixed: bool = False

    @property
    def moment(self) -> float:
        """The moment of inertia; infinite if it never turns."""
        if not self.turns:
            return math.inf
        return self.radius**2 / 2 if self.radius else (self.halves[0] ** 2 + self.halves[1] ** 2) / 3


@dataclass(frozen=True, slots=True)
class Scene:
    """Bodies in a world. Those that are `driven` run to its middle, with so many metres a second."""

    title: str
    bodies: tuple[Body, ...]
    gravity: float = GRAVITY
    driven: float = 0.0
    restitution: float = 0.0
    friction: float = 0.5

    @property
    def moving(self) -> int:
        """The number of bodies that are not fixed."""
        return sum(not body.fixed for body in self.bodies)


FLOOR = Body(0, -1, (50, 1), fixed=True)


def pit(half: float) -> tuple[Body, ...]:
    """Return a floor and two walls."""
    walls = [Body(side * (half + 1), 15, (1, 17), fixed=True) for side in (-1, 1)]
    return (Body(0, -1, (half + 2, 1), fixed=True), *walls)


def stack(title: str, turns: bool, count: int = 10) -> Scene:
    """Return boxes that fall on each other."""
    return Scene(title, (FLOOR, *(Body(0, 0.6 + 1.1 * level, turns=turns) for level in range(count))))


def pile(title: str, turns: bool) -> Scene:
    """Return 50 balls that fall into a pit."""
    off = random.Random(1).uniform
    places = [(-4 + i % 8 * 1.1 + off(-0.05, 0.05), 1 + i // 8 * 1.1) for i in range(50)]
    return Scene(title, (*pit(5), *(Body(x, y, radius=0.5, turns=turns) for x, y in places)))


def turned_boxes() -> Scene:
    """Return 30 boxes, each with its own angle, that fall into a pit."""
    off = random.Random(2).uniform
    boxes = [Body(-3 + i % 5 * 1.5 + off(-0.1, 0.1), 1 + i // 5 * 1.5, angle=off(0, 3)) for i in range(30)]
    return Scene("30 turned boxes in a pit", (*pit(4), *boxes))


def dominoes() -> Scene:
    """Return 15 dominoes, the first of which falls against the others."""
    boxes = [Body(0.6 * i, 0.5, (0.09375, 0.5), spin=0 if i else -4) for i in range(15)]
    return Scene("15 dominoes", (FLOOR, *boxes))


def billiards() -> Scene:
    """Return balls on a table without any friction, and one that hits them."""
    walls = [Body(0, side * 6, (11, 1), fixed=True) for side in (-1, 1)]
    walls += [Body(side * 11, 0, (1, 7), fixed=True) for side in (-1, 1)]
    places = [(3 + row * 0.53, (i - row / 2) * 0.61) for row in range(5) for i in range(row + 1)]
    balls = [Body(x, y, radius=0.296875, turns=False) for x, y in places]
    cue = Body(-5, 0.05, radius=0.296875, turns=False, speed=10)
    return Scene("billiards", (*walls, *balls, cue), gravity=0.0, restitution=1.0, friction=0.0)


def crowd() -> Scene:
    """Return 200 balls that all run to the same place."""
    place = random.Random(3).uniform
    balls = [Body(place(-12, 12), place(-12, 12), radius=0.40625, turns=False) for _ in range(200)]
    return Scene("a crowd of 200", tuple(balls), gravity=0.0, driven=2.0)


def stacks(title: str, turns: bool, count: int = 100, height: int = 10) -> Scene:
    """Return stacks beside each other, whose boxes touch from the start."""
    boxes = [Body(3.0 * at, 0.5 + level, turns=turns) for at in range(count) for level in range(height)]
    return Scene(title, (Body(1.5 * count, -1, (2 * count, 1), fixed=True), *boxes))


class Engine:
    """A library with a scene in it."""

    name: ClassVar[str]
    leaves_out: ClassVar[str] = ""
    own: ClassVar[bool] = False

    def __init__(self, scene: Scene) -> None:
        self.scene, self.bodies = scene, list[Any]()
        self.start(scene)
        for body in scene.bodies:
            self.add(body)

    def start(self, scene: Scene) -> None:
        """Make an empty world."""
        raise NotImplementedError

    def add(self, body: Body) -> None:
        """Add a body, to `bodies` too if it is not fixed."""
        raise NotImplementedError

    def step(self) -> None:
        """Step the world by one frame."""
        raise NotImplementedError

    def rests(self) -> bool:
        """Return whether all bodies sleep."""
        raise NotImplementedError

    def places(self) -> list[tuple[float, float]]:
        """Return where the bodies are."""
        raise NotImplementedError

    def velocities(self) -> list[tuple[float, float]]:
        """Return the velocities of the bodies."""
        raise NotImplementedError

    def set_velocity(self, at: int, x: float, y: float) -> None:
        """Change the velocity of a body."""
        raise NotImplementedError

    def drive(self) -> None:
        """Change all velocities a little toward the middle."""
        for at, ((x, y), (u, v)) in enumerate(zip(self.places(), self.velocities(), strict=True)):
            pace = self.scene.driven / (math.hypot(x, y) or 1.0)
            self.set_velocity(at, u - 0.2 * (x * pace + u), v - 0.2 * (y * pace + v))

    def energy(self) -> float:
        """Return the energy of motion, without that of turning."""
        return sum(u * u + v * v for u, v in self.velocities()) / 2


class Own(Engine):
    """`world.step_dynamics` and `world.step`."""

    name = "ecs-collision"
    own = True
    scale: ClassVar[float] = 1.0

    def start(self, scene: Scene) -> None:
        """Make a world."""
        self.world, self.gravity = CollisionWorld(), (0.0, -scene.gravity * self.scale)

    def add(self, body: Body) -> None:
        """Add an entity."""
        k = self.scale
        halves = body.halves[0] * k, body.halves[1] * k
        turns = body.turns and not body.fixed
        collider: Any = OrientedBoxCollider(*halves) if turns else BoxCollider(*halves)
        parts: dict[str, Any] = {
            "transform": Transform(body.x * k, body.y * k, 0, body.angle)
            if turns
            else Transform(body.x * k, body.y * k),
            "collider": SphereCollider(body.radius * k) if body.radius else collider,
            "material": Material(self.scene.restitution, self.scene.friction),
        }
        if body.fixed:
            parts["static"] = Static()
        else:
            parts["velocity"] = Velocity(body.speed * k)
            parts["velocity"].angular = body.spin
            parts["mass"] = Mass(1) if body.turns else Mass(1, moment=math.inf)
            self.bodies.append((parts["transform"], parts["velocity"]))
        self.world.add(**parts)

    def step(self) -> None:
        """Do both steps."""
        self.world.step_dynamics(FRAME, gravity=self.gravity)
        self.world.step()

    def rests(self) -> bool:
        """Return whether the engine counts all bodies as resting."""
        return self.world.stats.resting == len(self.bodies)

    def places(self) -> list[tuple[float, float]]:
        """Return the positions of the components."""
        return [(at.position[0] / self.scale, at.position[1] / self.scale) for at, _ in self.bodies]

    def velocities(self) -> list[tuple[float, float]]:
        """Return the velocities of the components."""
        return [(velocity.x / self.scale, velocity.y / self.scale) for _, velocity in self.bodies]

    def set_velocity(self, at: int, x: float, y: float) -> None:
        """Write the component."""
        self.bodies[at][1].x, self.bodies[at][1].y = x * self.scale, y * self.scale


class OwnInPixels(Own):
    """The same with all lengths in pixels."""

    name = "ecs-collision, in pixels"
    scale = PIXELS


class Pymunk(Engine):
    """A space of pymunk, with four short steps in a frame."""

    name = "pymunk"

    def start(self, scene: Scene) -> None:
        """Make a space."""
        import pymunk

        self._space = pymunk.Space()
        self._space.gravity, self._space.sleep_time_threshold = (0, -scene.gravity), 0.5

    def add(self, body: Body) -> None:
        """Add a body. The friction of a contact is the product of two."""
        import pymunk

        made = pymunk.Body(body_type=pymunk.Body.STATIC) if body.fixed else pymunk.Body(1.0, body.moment)
        made.position, made.angle = (body.x, body.y), body.angle
        size = 2 * body.halves[0], 2 * body.halves[1]
        shape: Any = pymunk.Circle(made, body.radius) if body.radius else pymunk.Poly.create_box(made, size)
        shape.friction, shape.elasticity = math.sqrt(self.scene.friction), self.scene.restitution
        self._space.add(made, shape)
        if not body.fixed:
            made.velocity, made.angular_velocity = (body.speed, 0), body.spin
            self.bodies.append(made)

    def step(self) -> None:
        """Step the space."""
        for _ in range(4):
            self._space.step(FRAME / 4)

    def rests(self) -> bool:
        """Return whether all bodies sleep."""
        return all(body.is_sleeping for body in self.bodies)

    def places(self) -> list[tuple[float, float]]:
        """Return the positions of the bodies."""
        return [tuple(body.position) for body in self.bodies]

    def velocities(self) -> list[tuple[float, float]]:
        """Return the velocities of the bodies."""
        return [tuple(body.velocity) for body in self.bodies]

    def set_velocity(self, at: int, x: float, y: float) -> None:
        """Write the velocity."""
        self.bodies[at].velocity = x, y


class Box2d3(Engine):
    """A world of Box2D 3 with 4 substeps."""

    name = "pyb2d3 (Box2D 3)"

    def start(self, scene: Scene) -> None:
        """Make a world."""
        import pyb2d3

        self._world = pyb2d3.World(gravity=(0, -scene.gravity))
        rubs = pyb2d3.surface_material(friction=scene.friction, restitution=scene.restitution)
        self._kind = pyb2d3.shape_def(density=1.0, material=rubs)

    def add(self, body: Body) -> None:
        """Add a body."""
        import pyb2d3

        if body.fixed:
            made = self._world.create_static_body(position=(body.x, body.y))
        else:
            given = {"linear_velocity": (body.speed, 0), "angular_velocity": body.spin, "rotation": body.angle}
            given |= {"position": (body.x, body.y), "fixed_rotation": not body.turns}
            made = self._world.create_dynamic_body(**given)
            self.bodies.append(made)
        made.create_shape(self._kind, pyb2d3.circle((0, 0), body.radius) if body.radius else pyb2d3.box(*body.halves))

    def step(self) -> None:
        """Step the world."""
        self._world.step(FRAME, 4)

    def rests(self) -> bool:
        """Return whether no body is awake."""
        return not any(body.awake for body in self.bodies)

    def places(self) -> list[tuple[float, float]]:
        """Return the positions of the bodies."""
        return [(body.position[0], body.position[1]) for body in self.bodies]

    def velocities(self) -> list[tuple[float, float]]:
        """Return the velocities of the bodies."""
        return [(body.linear_velocity[0], body.linear_velocity[1]) for body in self.bodies]

    def set_velocity(self, at: int, x: float, y: float) -> None:
        """Write the velocity."""
        self.bodies[at].linear_velocity = x, y


ENGINES: tuple[type[Engine], ...] = (Own, OwnInPixels, Box2d3, Pymunk)

UPRIGHT: tuple[Callable[[], Scene], ...] = (
    lambda: stack("a stack of 10 upright boxes", False),
    lambda: pile("a pile of 50 balls", False),
    billiards,
    crowd,
    lambda: stacks("100 stacks of 10 upright boxes", False),
)
"""Scenes in which nothing turns."""

TURNING: tuple[Callable[[], Scene], ...] = (
    lambda: stack("a stack of 10 boxes", True),
    lambda: pile("a pile of 50 balls that roll", True),
    turned_boxes,
    dominoes,
    lambda: stacks("100 stacks of 10 boxes", True),
)
