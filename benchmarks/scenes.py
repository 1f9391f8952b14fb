"""Worlds to measure in, the same for esper and for the engine alone."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import esper

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionSystem,
    CompoundCollider,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
)

PITCH = 1.5
"""Distance of neighbours in the field of crates: boxes of side 1 with half a unit between."""


@dataclass(slots=True)
class Scene:
    """An esper world with a system, and the entity that a workload moves."""

    world: str
    system: CollisionSystem
    mover: int = 0

    def enter(self) -> None:
        """Make this the current esper world."""
        esper.switch_world(self.world)

    def process(self) -> None:
        """Run frames until one has nothing to do."""
        self.enter()
        for _ in range(3):
            esper.process()


@contextmanager
def scenes(*made: Scene) -> Iterator[tuple[Scene, ...]]:
    """Yield scenes and delete their worlds afterwards."""
    try:
        yield made
    finally:
        esper.switch_world("default")
        for scene in made:
            esper.delete_world(scene.world)


def empty(name: str) -> Scene:
    """Return a world with only a system."""
    esper.switch_world(name)
    system = CollisionSystem()
    esper.add_processor(system)
    return Scene(name, system)


def field_of_crates(name: str, count: int) -> Scene:
    """Return `count` unit boxes on a square field: crates, and of each hundred a wall, a trigger and ten sleeping
    crates.

    The triggers overlap their neighbours. The field lies at y >= 10; the rows below are free for what a workload moves.
    """
    scene = empty(name)
    width = math.isqrt(count - 1) + 1
    for number in range(count):
        at = Transform(PITCH * (number % width), 10 + PITCH * (number // width))
        place_of_hundred = number % 100
        if place_of_hundred == 0:
            esper.create_entity(at, BoxCollider(0.5, 0.5), Static())
        elif place_of_hundred == 1:
            esper.create_entity(at, BoxCollider(1.25, 0.5), Trigger())
        elif place_of_hundred < 12:
            esper.create_entity(at, BoxCollider(0.5, 0.5), Inertia(1.0), Sleeping(asleep=True))
        else:
            esper.create_entity(at, BoxCollider(0.5, 0.5), Inertia(1.0))
    scene.process()
    return scene


def use_memory(count: int) -> None:
    """Fragment memory as in a game that has run for a while: create crates, free them in random order."""
    crates = [{Transform: Transform(0, 0), BoxCollider: BoxCollider(0.5, 0.5), int: number} for number in range(count)]
    random.Random(3).shuffle(crates)
    while crates:
        crates.pop()


def with_mover(scene: Scene) -> Scene:
    """Add a single box on free ground, and make it the mover."""
    scene.enter()
    scene.mover = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Motion(force=2.0))
    scene.process()
    return scene


def with_crate_ahead(scene: Scene) -> Scene:
    """Add a mover that touches one crate, on free ground."""
    with_mover(scene)
    esper.create_entity(Transform(1, 0), BoxCollider(0.5, 0.5), Inertia(1.0))
    scene.process()
    return scene


def train(name: str, length: int) -> Scene:
    """Return a row of `length` touching crates; the first of them is the mover."""
    scene = empty(name)
    scene.mover = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Inertia(1.0), Motion(force=2.0))
    for place in range(1, length):
        esper.create_entity(Transform(place, 0), BoxCollider(0.5, 0.5), Inertia(1.0))
    scene.process()
    return scene


def with_compound(scene: Scene, boxes: int) -> Scene:
    """Add a staircase of `boxes` unit boxes on free ground, and make it the mover."""
    scene.enter()
    parts = [Box(0.5, 0.5, offset=(place, -place, 0.0)) for place in range(boxes)]
    scene.mover = esper.create_entity(Transform(0, 0), CompoundCollider(parts), Motion(force=2.0))
    scene.process()
    return scene
