"""A frame in esper: triggers that report each other move a little, and each entry and exit is an event.

The game writes positions one by one, through `Transform.position`, or in bulk, through `system.set_positions`. Other
libraries get the same positions from the same writes, find which pairs began and ended to overlap, and create as many
equal records. This project is also measured with a move, a query and a look at the cells in each frame; other libraries
are not.

Participants take turns. Each runs two frames in its turn, of which the second is timed: the first brings its memory
back into the caches, as in a game with only one engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.comparison import compare, own
from benchmarks.frames_crowd import crowd
from benchmarks.libraries import Job, Library, libraries_of
from benchmarks.libraries.frame_base import IN_BULK, ONE_BY_ONE
from benchmarks.libraries.frame_own import OwnFrame, OwnFrameWithQueries, delete_worlds, own_job
from benchmarks.report import Report

COUNT = 10_000
SHARES = (100, 10, 1)
"""One body in this many moves in a frame."""
FRAMES = {100: 16, 10: 12, 1: 10}
"""Number of timed frames, by share: more for fast ones."""

OWN, WITH_QUERIES = "ecs-collision", "ecs-collision, with queries"
AHEAD = (1.0, 1.0, 1.0)
TARGETS: dict[tuple[str, int, str], tuple[float, float, float]] = {
    (ONE_BY_ONE, 2, "uniform"): (2.5, 2.5, 1.5),
    (ONE_BY_ONE, 3, "uniform"): (2.5, 2.0, 1.3),
    (IN_BULK, 2, "uniform"): (4.0, 3.5, 3.0),
    (IN_BULK, 3, "uniform"): (4.0, 3.5, 3.0),
}
"""How many times as fast as the fastest other library, by share; for mixed sizes the target is 1."""


def frames() -> Report:
    """Measure frames in which the game writes positions one by one."""
    return _frames(ONE_BY_ONE, OwnFrame.one_by_one.__name__, "positions written one by one")


def frames_in_bulk() -> Report:
    """Measure frames in which positions come in an array."""
    return _frames(IN_BULK, OwnFrame.in_bulk.__name__, "positions in an array")


def _frames(workload: str, method: str, how: str) -> Report:
    report = Report(workload, f"a frame of {COUNT:,} triggers that report each other, {how}, every event as an object")
    for dims in (2, 3):
        for kind in ("uniform", "mixed"):
            for share, target in zip(SHARES, TARGETS.get((workload, dims, kind), AHEAD), strict=True):
                title = f"{dims}D, {'sizes 1:10, ' if kind == 'mixed' else ''}{100 / share:g} % moving, {how}"
                rounds = FRAMES[share]
                scene = crowd(COUNT, dims, kind, max(1, COUNT // share), 2 * (rounds + 1))
                unpaired = participants_of(workload, method)
                participants = [replace(each, make=partial(second_of_two, each.make)) for each in unpaired]
                targets = {OWN: target, WITH_QUERIES: target}
                report.add(compare(title, scene, participants, targets=targets, rounds=rounds, checked=rounds + 1))
                delete_worlds()
    return report


def second_of_two(make: Callable[[Any], Job], scene: object) -> Job:
    """Return a job in which every run is the second frame of a turn."""
    job = make(scene)

    def first() -> None:
        job.before()
        job.run()
        job.before()

    return replace(job, before=first)


def participants_of(workload: str, method: str) -> list[Library]:
    """Return this project, without and with queries, and the other libraries."""
    return [
        own(OWN, partial(own_job, OwnFrame, method)),
        own(WITH_QUERIES, partial(own_job, OwnFrameWithQueries, method)),
        *libraries_of(workload),
    ]
