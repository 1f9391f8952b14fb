"""One frame of 10,000 movers: each asks for a motion of its own, and pushes what is in its way.

Unit boxes stand half a unit apart at first and wander by half a unit a frame, so that many meet. Character controllers
are the nearest there is, though they push nobody. Engines of physics do it with velocities and forces, which is another
thing: they are measured apart.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import esper

from benchmarks.contest import contest, ours
from benchmarks.peers import Job, peers_of
from benchmarks.report import Report
from benchmarks.scenes import PITCH, empty
from ecs_collision import BoxCollider, Inertia, Motion, Transform

COUNT = 10_000
STEP = 0.5
FRAMES = 10
BUDGET = 8.0
"""Seconds an entrant may use in one contest."""
BY_MOTIONS, BY_FORCES = "movers", "movers by forces"
"""The two contests."""
DIRECTIONS = ((STEP, 0.0), (-STEP, 0.0), (0.0, STEP), (0.0, -STEP))
OURS, READ = "ecs-collision", "ecs-collision, events and results read"
REACHES = {OURS: 4.0, READ: 2.5}
"""How many times as fast as the character controllers, which push nobody and tell nothing."""


@dataclass(frozen=True, slots=True)
class Field:
    """Where the movers stand at the start, and what they ask for in each frame."""

    places: list[tuple[float, float]]
    requests: list[list[tuple[float, float]]]
    dims: int = 2

    @property
    def count(self) -> int:
        """How many movers there are."""
        return len(self.places)


def field(count: int, frames: int) -> Field:
    """Return a square field of movers, and so many frames of requests: one step in one of four directions each."""
    dice, width = random.Random(11), math.isqrt(count - 1) + 1
    places = [(PITCH * (number % width), PITCH * (number // width)) for number in range(count)]
    return Field(places, [dice.choices(DIRECTIONS, k=count) for _ in range(frames)])


def our_movers(name: str, read: bool, scene: Field) -> Job:
    """Return ours set up for a field: requests through `Motion.move`, then the frame, then what it tells if `read`."""
    made = empty(name)
    motions = [Motion(force=2.0) for _ in scene.places]
    for place, motion in zip(scene.places, motions, strict=True):
        esper.create_entity(Transform(*place), BoxCollider(0.5, 0.5), Inertia(1.0), motion)
    made.process()
    frames = iter(scene.requests)
    asked: list[list[tuple[float, float]]] = []

    def turn() -> None:
        made.enter()
        asked[:] = [next(frames)]

    def frame() -> Any:
        for motion, step in zip(motions, asked[0], strict=True):
            motion.move(*step)
        esper.process()
        if not read:
            return None
        return made.system.events, [made.system.results[entity] for entity in made.system.results]

    return Job(frame, None, turn)


def movers() -> Report:
    """Measure a frame in which all bodies move and push."""
    title = f"a frame of {COUNT:,} movers, each with a motion of its own and pushes on the way"
    report = Report(BY_MOTIONS, title)
    for workload, against, reaches in (
        (BY_MOTIONS, "against character controllers", REACHES),
        (BY_FORCES, "beside bodies driven by forces", {}),
    ):
        entrants = [ours(name, partial(our_movers, name, name == READ)) for name in (OURS, READ)]
        scene = field(COUNT, FRAMES + 1)
        title = f"{COUNT:,} movers, {against}"
        entrants += peers_of(workload)
        report.add(contest(title, scene, entrants, reaches=reaches, rounds=FRAMES, budget=BUDGET))
        delete((OURS, READ))
    return report


def delete(worlds: Iterable[str]) -> None:
    """Delete esper worlds by their names."""
    esper.switch_world("default")
    for name in set(worlds) & set(esper.list_worlds()):
        esper.delete_world(name)
