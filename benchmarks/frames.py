"""A frame in esper: triggers that see each other move a little; every one that enters or leaves another is an event.

Positions come from the game one by one, through `Transform.position`, or in bulk, through `system.set_positions`.
The peers take the same positions from the same writes, find who began and ended overlapping, and make as many equal
records. Ours is also run with a move, a question and a look at the cells in each frame; the peers do without.

Peers take turns, and each does two frames in its turn, of which the second is timed: the first brings its memory
back into the caches, where a game that runs one engine finds it, after twenty others have been at work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.contest import contest, ours
from benchmarks.frames_crowd import crowd
from benchmarks.peers import Job, Peer, peers_of
from benchmarks.peers.frame_base import IN_BULK, ONE_BY_ONE
from benchmarks.peers.frame_ours import OursAsked, OursFrame, delete_worlds, our_job
from benchmarks.report import Report

COUNT = 10_000
SHARES = (100, 10, 1)
"""One body in so many moves in a frame."""
FRAMES = {100: 16, 10: 12, 1: 10}
"""Frames that are timed, by share: fast ones more often."""

OURS, ASKED = "ecs-collision", "ecs-collision, with queries"
AHEAD = (1.0, 1.0, 1.0)
REACHES: dict[tuple[str, int, str], tuple[float, float, float]] = {
    (ONE_BY_ONE, 2, "uniform"): (2.5, 2.5, 1.5),
    (ONE_BY_ONE, 3, "uniform"): (2.5, 2.0, 1.3),
    (IN_BULK, 2, "uniform"): (4.0, 3.5, 3.0),
    (IN_BULK, 3, "uniform"): (4.0, 3.5, 3.0),
}
"""How many times as fast as the best peer, by share; crowds of mixed sizes are to be ahead."""


def frames() -> Report:
    """Measure frames whose positions the game writes one by one."""
    return _frames(ONE_BY_ONE, OursFrame.one_by_one.__name__, "positions written one by one")


def frames_in_bulk() -> Report:
    """Measure frames whose positions come in an array."""
    return _frames(IN_BULK, OursFrame.in_bulk.__name__, "positions in an array")


def _frames(workload: str, door: str, how: str) -> Report:
    report = Report(workload, f"a frame of {COUNT:,} triggers that see each other, {how}, every event an object")
    for dims in (2, 3):
        for kind in ("uniform", "mixed"):
            for share, reach in zip(SHARES, REACHES.get((workload, dims, kind), AHEAD), strict=True):
                title = f"{dims}D, {'sizes 1:10, ' if kind == 'mixed' else ''}{100 / share:g} % moving, {how}"
                rounds = FRAMES[share]
                scene = crowd(COUNT, dims, kind, max(1, COUNT // share), 2 * (rounds + 1))
                cold = entrants_of(workload, door)
                entrants = [replace(each, make=partial(second_of_two, each.make)) for each in cold]
                reaches = {OURS: reach, ASKED: reach}
                report.add(contest(title, scene, entrants, reaches=reaches, rounds=rounds, checked=rounds + 1))
                delete_worlds()
    return report


def second_of_two(make: Callable[[Any], Job], scene: object) -> Job:
    """Return the job of which every run is the second frame of a turn."""
    job = make(scene)

    def first() -> None:
        job.before()
        job.run()
        job.before()

    return replace(job, before=first)


def entrants_of(workload: str, door: str) -> list[Peer]:
    """Return ours, plain and with queries, and the peers."""
    return [
        ours(OURS, partial(our_job, OursFrame, door)),
        ours(ASKED, partial(our_job, OursAsked, door)),
        *peers_of(workload),
    ]
