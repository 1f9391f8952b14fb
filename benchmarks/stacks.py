"""A thousand boxes in a hundred stacks under gravity: the step of this engine beside those of physics engines.

The stacks are measured awake, with sleeping turned off, and at rest, after ten seconds with sleeping turned on. A
table says by how far the boxes moved in ten seconds, although nothing should move them.
"""

from __future__ import annotations

from functools import partial

import numpy

from benchmarks.boxes import Coordinates
from benchmarks.comparison import compare
from benchmarks.libraries import Library
from benchmarks.libraries.stack_engines import OTHER_STACKS, OWN_STACKS, StackLibrary, Stacks, job
from benchmarks.report import Report

STACKS, HEIGHT = 100, 10
FRAMES = 600
"""Ten seconds."""
SETTLING = 60
"""Frames before those that are timed awake."""
LIMIT = 16e-3
"""What a step may take: a frame of a game."""
BUDGET = 20.0
"""Seconds that a participant may use in one comparison, with the frames before."""


def stacks() -> Report:
    """Measure the step of stacks awake and at rest, and how far boxes drift."""
    scene = Stacks(STACKS, HEIGHT)
    title = f"a step of {scene.count:,} boxes in {STACKS} stacks of {HEIGHT} under gravity"
    report = Report("stacks", title, (f"after {FRAMES} frames", "moved at most", "sideways at most", "sank on average"))
    for state, sleeping, frames in (("awake", False, SETTLING), ("at rest", True, FRAMES)):
        participants = [
            Library(
                made.name, partial(job, made, sleeping, frames), (2,), False, made.leaves_out, own=made in OWN_STACKS
            )
            for made in (*OWN_STACKS, *OTHER_STACKS)
        ]
        made = compare(f"{scene.count:,} boxes in stacks, {state}", scene, participants, budget=BUDGET)
        report.add(made)
        own = made.own()
        assert own is not None
        report.within(f"a step of {scene.count:,} boxes in stacks, {state}", own.median, LIMIT)
    for kind in (*OWN_STACKS, *OTHER_STACKS):
        moved = moved_in(kind, scene)
        if moved is not None:
            most, sideways, sank = numpy.abs(moved).max(), numpy.abs(moved[:, 0]).max(), 0.0 - moved[:, 1].mean()
            report.rows.append((kind.name, *(f"{value:.2g}" for value in (most, sideways, sank))))
            report.figures[f"drift of {kind.name}"] = float(most)
    return report


def moved_in(kind: type[StackLibrary], scene: Stacks) -> Coordinates | None:
    """Return by how far each box moved in all frames, awake; None if the library is not installed."""
    try:
        library = kind(scene, False)
    except ImportError:
        return None
    for _ in range(FRAMES):
        library.step()
    moved: Coordinates = library.places() - numpy.array(scene.places)
    return moved
