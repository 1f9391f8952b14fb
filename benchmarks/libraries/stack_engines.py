"""Stacks of boxes under gravity, in this engine and in others, each with the settings that its manual recommends.

`y` points up, and a floor holds the stacks. The masses are 1, the friction is 0.5, nothing bounces. All boxes turn but
the upright ones of this engine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy

from benchmarks.boxes import Coordinates
from benchmarks.libraries import Job
from ecs_collision import BoxCollider, CollisionWorld, Mass, OrientedBoxCollider, Static, Transform, Velocity

FRAME, GRAVITY, FRICTION = 1 / 60, 9.8125, 0.5
PITCH = 3.0
"""Distance between two stacks; boxes are unit boxes."""


@dataclass(frozen=True, slots=True)
class Stacks:
    """So many stacks of so many boxes."""

    stacks: int
    height: int
    dims: int = 2

    @property
    def count(self) -> int:
        """The number of boxes."""
        return self.stacks * self.height

    @property
    def places(self) -> list[tuple[float, float]]:
        """The centres of the boxes at the start: they touch, and the lowest ones touch the floor at y = 0."""
        return [(PITCH * stack, level + 0.5) for stack in range(self.stacks) for level in range(self.height)]

    @property
    def width(self) -> float:
        """Half the width of the floor, whose middle is at the middle of the stacks."""
        return PITCH * self.stacks

    @property
    def middle(self) -> float:
        """The x of the middle of the floor."""
        return PITCH * (self.stacks - 1) / 2


class StackLibrary:
    """A library with the stacks in it. `sleeping`: whether bodies at rest may fall asleep."""

    name: ClassVar[str]
    leaves_out: ClassVar[str] = ""

    def __init__(self, scene: Stacks, sleeping: bool) -> None:
        raise NotImplementedError

    def step(self) -> None:
        """Step the world by one frame."""
        raise NotImplementedError

    def places(self) -> Coordinates:
        """Return the centres of the boxes now, as an array of (count, 2)."""
        raise NotImplementedError


def job(made: type[StackLibrary], sleeping: bool, frames: int, scene: Stacks) -> Job:
    """Return a library in which the stacks stood for some frames; a run is the next frame."""
    library = made(scene, sleeping)
    for _ in range(frames):
        library.step()
    return Job(library.step, calls=5)


class OwnStacks(StackLibrary):
    """`world.step_dynamics` and `world.step`. Without sleeping gravity changes a little each frame, which wakes all."""

    name = "ecs-collision"
    leaves_out = "the boxes never turn"

    def __init__(self, scene: Stacks, sleeping: bool) -> None:
        self.world = CollisionWorld()
        self.world.add(transform=Transform(scene.middle, -0.5), collider=BoxCollider(scene.width, 0.5), static=Static())
        self.transforms = [Transform(*place) for place in scene.places]
        for transform in self.transforms:
            self._add(transform)
        self.world.step()
        self.gravities = [GRAVITY, GRAVITY if sleeping else GRAVITY + 2.0**-10]

    def _add(self, transform: Transform) -> None:
        self.world.add(transform=transform, collider=BoxCollider(0.5, 0.5), velocity=Velocity(), mass=Mass(1))

    def step(self) -> None:
        """Do both steps."""
        self.gravities.reverse()
        self.world.step_dynamics(FRAME, gravity=(0, -self.gravities[0]))
        self.world.step()

    def places(self) -> Coordinates:
        """Return the positions of the components."""
        return numpy.array([transform.position[:2] for transform in self.transforms])


class OwnTurningStacks(OwnStacks):
    """The same with boxes that may turn."""

    name = "ecs-collision, oriented boxes"
    leaves_out = ""

    def _add(self, transform: Transform) -> None:
        collider = OrientedBoxCollider(0.5, 0.5)
        self.world.add(transform=transform, collider=collider, velocity=Velocity(), mass=Mass(1))


class PymunkStacks(StackLibrary):
    """A space of pymunk with its default of 10 iterations."""

    name = "pymunk"

    def __init__(self, scene: Stacks, sleeping: bool) -> None:
        import pymunk

        self._space = pymunk.Space()
        self._space.gravity = (0, -GRAVITY)
        self._space.sleep_time_threshold = 0.5 if sleeping else math.inf
        ends = (scene.middle - scene.width, -1), (scene.middle + scene.width, -1)
        floor = pymunk.Segment(self._space.static_body, *ends, 1)
        floor.friction = FRICTION
        self._space.add(floor)
        self._bodies: list[Any] = []
        for place in scene.places:
            body = pymunk.Body(1.0, pymunk.moment_for_box(1.0, (1, 1)))
            body.position = place
            shape = pymunk.Poly.create_box(body, (1, 1))
            shape.friction = FRICTION
            self._space.add(body, shape)
            self._bodies.append(body)

    def step(self) -> None:
        """Step the space."""
        self._space.step(FRAME)

    def places(self) -> Coordinates:
        """Return the positions of the bodies."""
        return numpy.array([tuple(body.position) for body in self._bodies])


class Box2dStacks(StackLibrary):
    """A world of Box2D 2.3 with 8 iterations for velocities and 3 for positions."""

    name = "box2d (2.3)"

    def __init__(self, scene: Stacks, sleeping: bool) -> None:
        import Box2D

        self._world = Box2D.b2World(gravity=(0, -GRAVITY), doSleep=sleeping)
        floor = Box2D.b2FixtureDef(shape=Box2D.b2PolygonShape(box=(scene.width, 0.5)), friction=FRICTION)
        self._world.CreateStaticBody(position=(scene.middle, -0.5), fixtures=floor)
        self._bodies: list[Any] = []
        for place in scene.places:
            box = Box2D.b2FixtureDef(shape=Box2D.b2PolygonShape(box=(0.5, 0.5)), density=1.0, friction=FRICTION)
            body = self._world.CreateDynamicBody(position=place, fixtures=box, allowSleep=sleeping)
            self._bodies.append(body)

    def step(self) -> None:
        """Step the world."""
        self._world.Step(FRAME, 8, 3)

    def places(self) -> Coordinates:
        """Return the positions of the bodies."""
        return numpy.array([tuple(body.position) for body in self._bodies])


class Box2d3Stacks(StackLibrary):
    """A world of Box2D 3 with 4 substeps."""

    name = "pyb2d3 (Box2D 3)"

    def __init__(self, scene: Stacks, sleeping: bool) -> None:
        import pyb2d3

        self._world = pyb2d3.World(gravity=(0, -GRAVITY))
        self._world.sleeping_enabled = sleeping
        kind = pyb2d3.shape_def(density=1.0, material=pyb2d3.surface_material(friction=FRICTION))
        floor = self._world.create_static_body(position=(scene.middle, -0.5))
        floor.create_shape(kind, pyb2d3.box(scene.width, 0.5))
        self._bodies: list[Any] = []
        for place in scene.places:
            body = self._world.create_dynamic_body(position=place)
            body.create_shape(kind, pyb2d3.box(0.5, 0.5))
            self._bodies.append(body)

    def step(self) -> None:
        """Step the world."""
        self._world.step(FRAME, 4)

    def places(self) -> Coordinates:
        """Return the positions of the bodies."""
        return numpy.array([(body.position[0], body.position[1]) for body in self._bodies])


class RapierStacks(StackLibrary):
    """A world of rapier3d with its default of 4 iterations, in 3D: the boxes are cubes."""

    name = "rapier3d"
    leaves_out = "in 3D, with four points of contact instead of two"

    def __init__(self, scene: Stacks, sleeping: bool) -> None:
        import rapier3d

        self._world = rapier3d.PhysicsWorld()
        self._world.gravity = (0, -GRAVITY, 0)
        floor = rapier3d.Collider.cuboid(scene.width, 0.5, 5.0).translation((scene.middle, -0.5, 0.0))
        self._world.add_collider(floor.friction(FRICTION).build())
        self._bodies: list[Any] = []
        for x, y in scene.places:
            built = rapier3d.RigidBody.dynamic().translation((x, y, 0.0)).can_sleep(sleeping).build()
            handle = self._world.add_body(built)
            box = rapier3d.Collider.cuboid(0.5, 0.5, 0.5).density(1.0).friction(FRICTION).build()
            self._world.add_collider(box, handle)
            self._bodies.append(self._world.rigid_bodies[handle])

    def step(self) -> None:
        """Step the world."""
        self._world.step()

    def places(self) -> Coordinates:
        """Return the positions of the bodies."""
        return numpy.array([(body.translation.x, body.translation.y) for body in self._bodies])


OWN_STACKS = (OwnStacks, OwnTurningStacks)
OTHER_STACKS = (Box2dStacks, Box2d3Stacks, PymunkStacks, RapierStacks)
