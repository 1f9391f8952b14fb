"""All overlapping pairs of boxes, without an existing index: from arrays to an array."""

from __future__ import annotations

from benchmarks.boxes import Boxes, boxes
from benchmarks.comparison import compare, own
from benchmarks.libraries import Job, libraries_of
from benchmarks.outputs import pairs as pairs_of
from benchmarks.report import Report

NAME = "overlapping_pairs"
SCENES: tuple[tuple[int, str, float], ...] = (
    (10_000, "uniform", 4.0),
    (10_000, "concentrated", 4.0),
    (10_000, "mixed", 3.0),
    (100_000, "uniform", 5.0),
)
"""Number of boxes, their kind, and the target ratio to the fastest other library."""
BUDGET = 2.0


def _own(world: Boxes) -> Job:
    from ecs_collision import overlapping_pairs

    return Job(lambda: overlapping_pairs(world.lo, world.hi), pairs_of)


def pairs() -> Report:
    """Measure all pairs of boxes, uniform, in a blob and of mixed sizes, against every index and engine."""
    report = Report("pairs", "all overlapping pairs of boxes, from arrays to an array")
    participants = [own(NAME, _own), *libraries_of("pairs")]
    for count, kind, target in SCENES:
        for dims in (2, 3):
            world = boxes(count, dims, kind)
            title = f"{count:,} boxes, {kind}, {dims}D"
            report.add(compare(title, world, participants, targets={NAME: target}, budget=BUDGET))
    return report
