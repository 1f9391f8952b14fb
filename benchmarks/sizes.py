"""Frames of boxes of very different sizes, against boxes of one size: the cost of size levels (rule B1).

Every second body is a trigger, so that the pairs of all sizes are compared. Bodies are teleported a little, not timed;
the timed part is the step that finds which contacts began and ended.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy

from benchmarks.harness import Case, duration, interleaved
from benchmarks.report import Report
from ecs_collision import BoxCollider, CollisionWorld, Inertia, Sleeping, Transform, Trigger

COUNT = 10_000
SHARES = (100, 10, 1)
"""One body in this many moves in a frame."""
STEP = 0.1
LIMIT = 2.0

SCENES: dict[str, tuple[float, int, float]] = {
    "equal": (1.0, 0, 163.0),
    "1:10": (10.0, 100, 186.0),
    "1:1000": (1000.0, 10, 2590.0),
}
"""Side of the large boxes, how many bodies are large, side of the world."""


@dataclass(slots=True)
class Crowd:
    """A world, its bodies and their places."""

    world: CollisionWorld
    ids: list[int]
    places: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float64]]
    moving: int

    def move_some(self) -> None:
        """Teleport the next share of the bodies by at most a tenth on each axis."""
        rng = numpy.random.default_rng(len(self.ids) + self.world.frame_number)
        chosen = rng.choice(len(self.ids), self.moving, replace=False)
        self.places[chosen] += rng.uniform(-STEP, STEP, (self.moving, 2))
        self.world.set_positions([self.ids[row] for row in chosen], self.places[chosen])


def crowd(name: str, share: int) -> Crowd:
    """Return a stepped world of one scene, of which one body in `share` moves in a frame."""
    large_side, large_count, side = SCENES[name]
    rng = random.Random(name)
    world, ids, places = CollisionWorld(), [], []
    for number in range(COUNT):
        half = large_side / 2 if number < large_count else 0.5
        places.append((rng.uniform(0, side), rng.uniform(0, side)))
        inertia, trigger = (None, Trigger()) if number % 2 else (Inertia(1.0), None)
        at = Transform(*places[-1])
        ids.append(world.add(transform=at, collider=BoxCollider(half, half), inertia=inertia, trigger=trigger))
    world.step()
    return Crowd(world, ids, numpy.array(places), COUNT // share)


def sizes() -> Report:
    """Measure the comparison of contacts by range of sizes and share of moving bodies."""
    title = f"a step of {COUNT:,} boxes of different sizes, half of them triggers"
    report = Report("sizes", title, ("moving", *SCENES, "1:10 to equal", "1:1000 to equal"))
    for share in SHARES:
        crowds = [crowd(name, share) for name in SCENES]
        timings = interleaved([Case("", made.world.step, 1, made.move_some) for made in crowds], rounds=15)
        equal, *others = (timing.median for timing in timings)
        ratios = [other / equal for other in others]
        moving = f"{100 // share} %"
        report.rows.append((moving, *(duration(t.median) for t in timings), *(f"{ratio:.2f}" for ratio in ratios)))
        for name, ratio in zip(list(SCENES)[1:], ratios, strict=True):
            report.figures[f"{name} to equal, {moving} moving"] = ratio
            report.limit(f"{name} with {moving} moving: {ratio:.2f} of equal sizes, below {LIMIT:g}", ratio < LIMIT)
    return report


def giant() -> Report:
    """Measure one large trigger that moves over sleeping bodies, against a small one."""
    report = Report(
        "giant", f"one trigger moving over {COUNT:,} sleeping bodies", ("side", "median", "fastest", "slowest")
    )
    cases = [Case(f"{side:g}", *_over_sleepers(side)) for side in (1.0, 200.0)]
    timings = interleaved(cases, rounds=31)
    report.rows = [(t.label, duration(t.median), duration(t.fastest), duration(t.slowest)) for t in timings]
    report.figures = {f"side {timing.label}": timing.median for timing in timings}
    return report


def _over_sleepers(side: float) -> tuple[Callable[[], object], int, Callable[[], object]]:
    """Return (step, 1, a move of the trigger) for a trigger of a size."""
    rng, world = random.Random(7), CollisionWorld()
    for _ in range(COUNT):
        at = Transform(rng.uniform(0, 300), rng.uniform(0, 300))
        world.add(transform=at, collider=BoxCollider(0.5, 0.5), inertia=Inertia(1.0), sleeping=Sleeping(asleep=True))
    mover = world.add(transform=Transform(150, 150), collider=BoxCollider(side / 2, side / 2), trigger=Trigger())
    world.step()

    def push() -> None:
        world.move(mover, rng.uniform(-STEP, STEP), rng.uniform(-STEP, STEP))

    return world.step, 1, push
