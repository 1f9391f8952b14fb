"""A frame in esper: triggers that report each other move a little, and each entry and exit is an event.

The game writes positions one by one, through `Transform.position`, or in bulk, through `system.set_positions`. Other
libraries get the same positions from the same writes, find which pairs began and ended to overlap, and create as many
equal records. This project is also measured with a move, a query and a look at the cells in each frame; other libraries
are not.

Participants take turns. Each runs two frames in its turn, of which the second is timed. Between the two, other memory
is walked (cold), as in a game that draws and thinks between frames; or nothing is done (warm), so that the first frame
has brought its memory into the caches. The targets are for cold frames.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

from benchmarks.comparison import compare, own
from benchmarks.frames_crowd import crowd
from benchmarks.libraries import Job, Library, libraries_of
from benchmarks.libraries.frame_base import IN_BULK, ONE_BY_ONE
from benchmarks.libraries.frame_own import OwnFrame, OwnFrameWithQueries, delete_worlds, own_job
from benchmarks.other_memory import COLD, WARM
from benchmarks.report import Report

COUNT = 10_000
SHARES = (100, 10, 1)
"""One body in this many moves in a frame."""
FRAMES = {100: 16, 10: 12, 1: 10}
"""Number of timed frames, by share: more for fast ones."""

OWN, WITH_QUERIES = "ecs-collision", "ecs-collision, with queries"
Ratios = tuple[float, float, float]
UNIFORM: dict[str, Ratios] = {ONE_BY_ONE: (3.5, 3.5, 3.0), IN_BULK: (5.0, 5.0, 3.0)}
UNIFORM_WITH_QUERIES: Ratios = (2.5, 2.5, 2.0)
MIXED: Ratios = (2.0, 2.0, 2.0)
MIXED_WITH_QUERIES: Ratios = (1.0, 1.0, 1.0)
"""How many times as fast as the fastest other library a cold frame should be, by share."""


def frames() -> Report:
    """Measure frames in which the game writes positions one by one."""
    return _frames(ONE_BY_ONE, OwnFrame.one_by_one.__name__, "positions written one by one")


def frames_in_bulk() -> Report:
    """Measure frames in which positions come in an array."""
    return _frames(IN_BULK, OwnFrame.in_bulk.__name__, "positions in an array")


def _frames(workload: str, method: str, how: str) -> Report:
    report = Report(workload, f"a frame of {COUNT:,} triggers that report each other, {how}, every event as an object")
    for dims, caches, kind, place in product((2, 3), (COLD, WARM), ("uniform", "mixed"), range(len(SHARES))):
        share, rounds = SHARES[place], FRAMES[SHARES[place]]
        sizes = ("sizes 1:10",) if kind == "mixed" else ()
        title = ", ".join((f"{dims}D", caches, *sizes, f"{100 / share:g} % moving", how))
        scene = crowd(COUNT, dims, kind, max(1, COUNT // share), 2 * (rounds + 1))
        participants = [
            replace(each, make=partial(second_of_two, each.make, caches)) for each in participants_of(workload, method)
        ]
        targets = targets_of(workload, kind, place) if caches == COLD else {}
        report.add(compare(title, scene, participants, targets=targets, rounds=rounds, checked=rounds + 1))
        delete_worlds()
    return report


def targets_of(workload: str, kind: str, place: int) -> dict[str, float]:
    """Return the targets of the entries of this project for the share at a place."""
    alone, with_queries = (MIXED, MIXED_WITH_QUERIES) if kind == "mixed" else (UNIFORM[workload], UNIFORM_WITH_QUERIES)
    return {OWN: alone[place], WITH_QUERIES: with_queries[place]}


def second_of_two(make: Callable[[Any], Job], caches: str, scene: object) -> Job:
    """Return a job in which every run is the second frame of a turn, with cold or warm caches."""
    job = make(scene)

    def first() -> None:
        job.before()
        job.run()
        job.before()
        if caches == COLD:
            job.cool()

    return replace(job, before=first)


def participants_of(workload: str, method: str) -> list[Library]:
    """Return this project, without and with queries, and the other libraries."""
    return [
        own(OWN, partial(own_job, OwnFrame, method)),
        own(WITH_QUERIES, partial(own_job, OwnFrameWithQueries, method)),
        *libraries_of(workload),
    ]
