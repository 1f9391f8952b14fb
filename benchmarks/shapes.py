"""Frames of spheres, capsules and turned boxes, against boxes: the cost of the true shape (rule H5).

Like `sizes`: every second body is a trigger, bodies are teleported a little, not timed, and the step is timed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy

from benchmarks.harness import Case, duration, interleaved
from benchmarks.report import Report
from benchmarks.sizes import Crowd
from ecs_collision import (
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    Inertia,
    OrientedBoxCollider,
    SphereCollider,
    Transform,
    Trigger,
)

COUNT = 10_000
SHARES = (100, 10, 1)
"""One body in this many moves in a frame."""
SIDE = 163.0
"""Side of the world."""
LIMIT = 1.5

Make = Callable[[], BoxCollider | SphereCollider | CapsuleCollider | OrientedBoxCollider]
SHAPES: dict[str, Make] = {
    "boxes": lambda: BoxCollider(0.5, 0.5),
    "spheres": lambda: SphereCollider(0.5),
    "capsules": lambda: CapsuleCollider(0.25, 0.25),
    "turned boxes": lambda: OrientedBoxCollider(0.375, 0.375),
}


def crowd(make: Make, share: int) -> Crowd:
    """Return a stepped world of one shape, of which one body in `share` moves in a frame."""
    rng, world, ids, places = random.Random(3), CollisionWorld(), [], []
    for number in range(COUNT):
        places.append((rng.uniform(0, SIDE), rng.uniform(0, SIDE)))
        rotation = rng.uniform(0, math.tau)
        collider = make()
        at = Transform(*places[-1], rotation=rotation if isinstance(collider, OrientedBoxCollider) else None)
        inertia, trigger = (None, Trigger()) if number % 2 else (Inertia(1.0), None)
        ids.append(world.add(transform=at, collider=collider, inertia=inertia, trigger=trigger))
    world.step()
    return Crowd(world, ids, numpy.array(places), COUNT // share)


def shapes() -> Report:
    """Measure the comparison of contacts by shape and share of moving bodies."""
    others = list(SHAPES)[1:]
    title = f"a step of {COUNT:,} bodies of other shapes than boxes, half of them triggers"
    report = Report("shapes", title, ("moving", *SHAPES, *(f"{name} to boxes" for name in others)))
    for share in SHARES:
        crowds = [crowd(make, share) for make in SHAPES.values()]
        timings = interleaved([Case("", made.world.step, 1, made.move_some) for made in crowds], rounds=15)
        ratios = [timing.median / timings[0].median for timing in timings[1:]]
        moving = f"{100 // share} %"
        report.rows.append((moving, *(duration(t.median) for t in timings), *(f"{ratio:.2f}" for ratio in ratios)))
        for name, ratio in zip(others, ratios, strict=True):
            report.figures[f"{name} to boxes, {moving} moving"] = ratio
        report.limit(f"spheres with {moving} moving: {ratios[0]:.2f} of boxes, below {LIMIT:g}", ratios[0] < LIMIT)
    return report
