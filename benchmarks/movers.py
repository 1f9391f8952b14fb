"""One frame of 10,000 movers: each requests its own motion and pushes what is in its way.

Unit boxes are half a unit apart at first and move by half a unit in each frame, so that many meet. Character
controllers are the closest equivalent, although they do not push. Physics engines use velocities and forces, which is
different work: they are measured separately.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import esper

from benchmarks.comparison import compare, own
from benchmarks.libraries import Job, libraries_of
from benchmarks.report import Report
from benchmarks.scenes import PITCH, empty
from ecs_collision import BoxCollider, Inertia, Motion, Transform

COUNT = 10_000
STEP = 0.5
FRAMES = 10
BUDGET = 8.0
"""Seconds that a participant may use in one comparison."""
BY_MOTIONS, BY_FORCES = "movers", "movers by forces"
"""The two comparisons."""
DIRECTIONS = ((STEP, 0.0), (-STEP, 0.0), (0.0, STEP), (0.0, -STEP))
OWN, READ = "ecs-collision", "ecs-collision, events and results read"
TARGETS = {OWN: 4.0, READ: 2.5}
"""How many times as fast as the character controllers, which neither push nor report anything."""


@dataclass(frozen=True, slots=True)
class Field:
    """The places of the movers at the start, and their requests in each frame."""

    places: list[tuple[float, float]]
    requests: list[list[tuple[float, float]]]
    dims: int = 2

    @property
    def count(self) -> int:
        """The number of movers."""
        return len(self.places)


def field(count: int, frames: int) -> Field:
    """Return a square field of movers, and `frames` frames of requests: one step in one of four directions each."""
    rng, width = random.Random(11), math.isqrt(count - 1) + 1
    places = [(PITCH * (number % width), PITCH * (number // width)) for number in range(count)]
    return Field(places, [rng.choices(DIRECTIONS, k=count) for _ in range(frames)])


def own_movers(name: str, read: bool, scene: Field) -> Job:
    """Return this project set up for a field: requests by `Motion.move`, the frame, then its results if `read`."""
    made = empty(name)
    motions = [Motion(force=2.0) for _ in scene.places]
    for place, motion in zip(scene.places, motions, strict=True):
        esper.create_entity(Transform(*place), BoxCollider(0.5, 0.5), Inertia(1.0), motion)
    made.process()
    frames = iter(scene.requests)
    regions: list[list[tuple[float, float]]] = []

    def turn() -> None:
        made.enter()
        regions[:] = [next(frames)]

    def frame() -> Any:
        for motion, step in zip(motions, regions[0], strict=True):
            motion.move(*step)
        esper.process()
        if not read:
            return None
        return made.system.events, [made.system.results[entity] for entity in made.system.results]

    return Job(frame, None, turn)


def movers() -> Report:
    """Measure a frame in which all bodies move and push."""
    title = f"a frame of {COUNT:,} movers, each with its own motion, with pushes"
    report = Report(BY_MOTIONS, title)
    for workload, against, targets in (
        (BY_MOTIONS, "against character controllers", TARGETS),
        (BY_FORCES, "beside bodies driven by forces", {}),
    ):
        participants = [own(name, partial(own_movers, name, name == READ)) for name in (OWN, READ)]
        scene = field(COUNT, FRAMES + 1)
        title = f"{COUNT:,} movers, {against}"
        participants += libraries_of(workload)
        report.add(compare(title, scene, participants, targets=targets, rounds=FRAMES, budget=BUDGET))
        delete((OWN, READ))
    return report


def delete(worlds: Iterable[str]) -> None:
    """Delete esper worlds by their names."""
    esper.switch_world("default")
    for name in set(worlds) & set(esper.list_worlds()):
        esper.delete_world(name)
