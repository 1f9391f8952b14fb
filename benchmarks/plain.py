"""The cost of the hot files as plain Python, measured in a separate interpreter with `ECS_COLLISION_PURE=1`.

`python -m benchmarks.plain` prints the medians of the form that it runs with, as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import esper
import numpy

from benchmarks.boxes import GRAIN, Boxes, boxes, query_boxes
from benchmarks.harness import Case, duration, interleaved
from benchmarks.moves import onwards, there_and_back
from benchmarks.report import Report
from benchmarks.scenes import Scene, empty, field_of_crates, scenes, train, with_mover
from ecs_collision import BoxCollider, Transform, Trigger
from ecs_collision._build import PURE

HOUSE = Path(__file__).resolve().parents[1]
COUNT = 1_000
MOVING = 100
TRAIN = 100
FRAME_LIMIT = 16e-3

FRAME = f"a frame of {COUNT:,} triggers, {MOVING} moved"


class Crowd:
    """Triggers that report each other; some are moved a little in each frame, one write each."""

    def __init__(self, name: str, world: Boxes) -> None:
        self.scene: Scene = empty(name)
        self.rng = numpy.random.default_rng(11)
        self.transforms = [Transform(*at) for at in world.centres.tolist()]
        for transform, half in zip(self.transforms, world.halves.tolist(), strict=True):
            esper.create_entity(transform, BoxCollider(*half), Trigger())
        self.scene.process()
        self.writes: list[tuple[Transform, tuple[float, float]]] = []

    def choose(self) -> None:
        """Choose the triggers that move next and their places; not timed."""
        self.scene.enter()
        chosen = self.rng.choice(len(self.transforms), min(MOVING, len(self.transforms)), replace=False).tolist()
        steps = (self.rng.integers(-200, 201, (len(chosen), 2)) * (2 * GRAIN)).tolist()
        moved = [self.transforms[row] for row in chosen]
        self.writes = [(at, (at.x + dx, at.y + dy)) for at, (dx, dy) in zip(moved, steps, strict=True)]

    def frame(self) -> object:
        """Write the positions and run a frame."""
        for transform, position in self.writes:
            transform.position = position
        esper.process()
        return self.scene.system.events


def measured() -> dict[str, float]:
    """Return the medians of the form that this process runs."""
    world = boxes(COUNT, 2)
    crowd = Crowd("plain", world)
    regions = query_boxes(world, 1)
    box: Any = (tuple(regions.lo[0].tolist()), tuple(regions.hi[0].tolist()))
    overlapping = crowd.scene.system.space.overlapping
    with scenes(
        crowd.scene,
        with_mover(field_of_crates("plain, free", COUNT)),
        train("plain, train", TRAIN),
    ) as (triggers, free, row):
        cases = [
            Case(FRAME, crowd.frame, 1, crowd.choose),
            Case(f"one box query among {COUNT:,}", lambda: overlapping(box, triggers=True), 10, triggers.process),
            Case(f"system.move of a free box among {COUNT:,}", there_and_back(free), 10, free.process),
            Case(f"system.move of a train of {TRAIN}", onwards(row), 2, row.process),
        ]
        return {timing.label: timing.median for timing in interleaved(cases)}


def _in_a_fresh_interpreter(pure: bool) -> dict[str, float]:
    environment = os.environ | {PURE: "1" if pure else "0"}
    command = [sys.executable, "-m", "benchmarks.plain"]
    done = subprocess.run(command, cwd=HOUSE, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def plain() -> Report:
    """Measure a frame, a query and moves in plain Python, and compiled if that is available."""
    report = Report("plain", "the hot files as plain Python", ("", "plain", "as installed", "ratio"))
    pure, installed = _in_a_fresh_interpreter(True), _in_a_fresh_interpreter(False)
    for label, seconds in pure.items():
        other = installed[label]
        report.rows.append((label, duration(seconds), duration(other), f"{seconds / other:.1f}"))
        report.figures |= {f"{label}, plain": seconds, f"{label}, as installed": other}
    report.within(f"plain Python: {FRAME}", pure[FRAME], FRAME_LIMIT)
    return report


if __name__ == "__main__":
    print(json.dumps(measured()))
