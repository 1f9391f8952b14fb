"""Frames in which the engine has nothing to do: the cost of a resting world."""

from __future__ import annotations

import math
from functools import partial

import esper
import numpy

from benchmarks.boxes import Boxes, on_grain
from benchmarks.comparison import compare, own
from benchmarks.harness import Case, interleaved, timing_row
from benchmarks.libraries import Job, Library, libraries_of
from benchmarks.report import Report
from benchmarks.scenes import Scene, empty, field_of_crates, scenes, use_memory
from ecs_collision import BoxCollider, Inertia, Sleeping, Transform

IDLE_SIZES = (1_000, 10_000, 100_000)
IDLE_RATIO = 1.3
IDLE_TARGET = 3e-6
IDLE_SPEED = 1.0
"""How many times as fast as the fastest other library such a frame should be."""
CALLS = 2000
ALONE = "esper alone"
COMPARED_COUNT = 10_000
UNRELATED_LIMITS = {10_000: 0.5e-3, 100_000: 5e-3}

SPACING = 2.0


class Unrelated:
    """A component that the engine does not use."""


def spread(count: int) -> Boxes:
    """Return unit boxes on a square field, a unit apart: nothing keeps them awake."""
    width = math.isqrt(count - 1) + 1
    places = SPACING * numpy.array([(row % width, row // width) for row in range(count)], dtype=float)
    return Boxes(*on_grain(places, places + 1), SPACING * width)


def crates(name: str, boxes: Boxes, asleep: bool) -> Scene:
    """Return a world of crates, asleep or at rest."""
    scene = empty(name)
    for centre, half in zip(boxes.centres.tolist(), boxes.halves.tolist(), strict=True):
        sleeping = [Sleeping(asleep=True)] if asleep else []
        esper.create_entity(Transform(*centre), BoxCollider(*half), Inertia(1.0), *sleeping)
    scene.process()
    return scene


def _at_rest(scene: Scene) -> Library:
    return own(scene.world, lambda _: Job(esper.process, before=scene.enter, calls=CALLS))


def idle() -> Report:
    """Measure a frame in which nothing changed, by the number of bodies, and beside physics engines."""
    report = Report("idle", "a frame in which nothing changed", ("bodies", "median", "fastest", "slowest"))
    _by_size(report)
    boxes = spread(COMPARED_COUNT)
    names = ("esper.process(), crates asleep", "esper.process(), crates at rest")
    with scenes(*(crates(name, boxes, "asleep" in name) for name in names)) as made:
        participants = [*map(_at_rest, made), *libraries_of("idle")]
        targets = dict.fromkeys(names, IDLE_SPEED)
        report.add(
            compare(f"a frame of {COMPARED_COUNT:,} bodies, nothing changed", boxes, participants, targets=targets)
        )
    for entry in (entry for entry in report.comparisons[0].entries if entry.own):
        report.within(entry.name, entry.median, IDLE_TARGET)
    return report


def _by_size(report: Report) -> None:
    """Measure frames by the number of bodies, and esper without the engine."""
    with scenes(*(field_of_crates(f"idle {count}", count) for count in IDLE_SIZES)) as made:
        cases = [Case(ALONE, esper.process, CALLS, partial(esper.switch_world, ALONE))]
        for count, scene in zip(IDLE_SIZES, made, strict=True):
            cases.append(Case(f"{count:,}", esper.process, CALLS, scene.enter))
        timings = interleaved(cases)
        work = [(scene.system.stats.pairs_tested, scene.system.stats.cells_visited) for scene in made]
    esper.delete_world(ALONE)
    report.rows = [timing_row(timing) for timing in timings]
    ratio = timings[-1].median / timings[1].median
    report.figures = {f"median {timing.label}": timing.median for timing in timings} | {"ratio": ratio}
    report.limit(f"pairs tested and cells visited are 0: {work}", not any(map(any, work)))
    report.limit(f"{timings[-1].label} to {timings[1].label}: {ratio:.2f}, at most {IDLE_RATIO}", ratio <= IDLE_RATIO)
    for timing in timings[-2:]:
        report.within(f"a frame of {timing.label} bodies, nothing changed", timing.median, IDLE_TARGET)


def unrelated() -> Report:
    """Measure a frame in which one entity without a collider is created and deleted.

    The engine checks every component that it has, so memory matters: the last row is measured in memory that is
    fragmented by objects freed in random order.
    """
    title = "an entity without a collider, created and deleted in every frame"
    report = Report("unrelated", title, ("bodies", "median", "fastest", "slowest"))
    labels = [f"{count:,}" for count in UNRELATED_LIMITS]
    fresh = [field_of_crates(label, count) for label, count in zip(labels, UNRELATED_LIMITS, strict=True)]
    use_memory(max(UNRELATED_LIMITS))
    worn = field_of_crates(f"{max(UNRELATED_LIMITS):,} in used memory", max(UNRELATED_LIMITS))
    with scenes(*fresh, worn) as made:
        timings = interleaved([Case(scene.world, _frame_with_unrelated_entity, 100, scene.enter) for scene in made])
    report.rows = [timing_row(timing) for timing in timings]
    report.figures = {f"median {timing.label}": timing.median for timing in timings}
    for timing, most in zip(timings, UNRELATED_LIMITS.values(), strict=False):
        report.within(f"an unrelated entity beside {timing.label} bodies", timing.median, most)
    return report


def _frame_with_unrelated_entity() -> None:
    unrelated_entity = esper.create_entity(Unrelated())
    esper.process()
    esper.delete_entity(unrelated_entity)
