"""All overlapping pairs of boxes, from nothing: arrays in, arrays out."""

from __future__ import annotations

from benchmarks.answers import pairs as pairs_of
from benchmarks.boxes import Boxes, boxes
from benchmarks.contest import contest, ours
from benchmarks.peers import Job, peers_of
from benchmarks.report import Report

NAME = "overlapping_pairs"
SCENES: tuple[tuple[int, str, float], ...] = (
    (10_000, "uniform", 4.0),
    (10_000, "concentrated", 4.0),
    (10_000, "mixed", 3.0),
    (100_000, "uniform", 5.0),
)
"""How many boxes, of which kind, and how many times as fast as the best peer ours is to be."""
BUDGET = 2.0


def _ours(world: Boxes) -> Job:
    from ecs_collision import overlapping_pairs

    return Job(lambda: overlapping_pairs(world.lo, world.hi), pairs_of)


def pairs() -> Report:
    """Measure all pairs of boxes, evenly spread, in a blob and of mixed sizes, against every index and engine."""
    report = Report("pairs", "all overlapping pairs of boxes from nothing, arrays out")
    entrants = [ours(NAME, _ours), *peers_of("pairs")]
    for count, kind, reach in SCENES:
        for dims in (2, 3):
            world = boxes(count, dims, kind)
            title = f"{count:,} boxes, {kind}, {dims}D"
            report.add(contest(title, world, entrants, reaches={NAME: reach}, budget=BUDGET))
    return report
