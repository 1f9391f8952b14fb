"""Frames in which nothing of ours happens: what a resting world costs."""

from __future__ import annotations

import esper

from benchmarks.harness import Case, interleaved, timing_row
from benchmarks.report import Report
from benchmarks.scenes import field_of_crates, scenes, use_memory

IDLE_SIZES = (1_000, 10_000, 100_000)
IDLE_RATIO = 1.3
UNRELATED_LIMITS = {10_000: 0.5e-3, 100_000: 5e-3}


class Unrelated:
    """A component the engine does not know."""


def idle() -> Report:
    """Measure a frame in which nothing changed, by the number of bodies."""
    report = Report("idle", "a frame in which nothing changed", ("bodies", "median", "fastest", "slowest"))
    with scenes(*(field_of_crates(f"idle {count}", count) for count in IDLE_SIZES)) as made:
        cases = [
            Case(f"{count:,}", esper.process, 2000, scene.enter) for count, scene in zip(IDLE_SIZES, made, strict=True)
        ]
        timings = interleaved(cases)
        work = [(scene.system.stats.pairs_tested, scene.system.stats.cells_visited) for scene in made]
    report.rows = [timing_row(timing) for timing in timings]
    ratio = timings[-1].median / timings[0].median
    report.figures = {f"median {timing.label}": timing.median for timing in timings} | {"ratio": ratio}
    report.limit(f"pairs tested and cells visited are 0: {work}", not any(map(any, work)))
    report.limit(f"{timings[-1].label} to {timings[0].label}: {ratio:.2f}, at most {IDLE_RATIO}", ratio <= IDLE_RATIO)
    return report


def unrelated() -> Report:
    """Measure a frame in which one entity of no concern to us is created and deleted.

    Every component known is looked at, so memory decides: the last row is measured where objects that were freed in
    no order left their places to the world.
    """
    title = "an unrelated entity created and deleted in every frame"
    report = Report("unrelated", title, ("bodies", "median", "fastest", "slowest"))
    labels = [f"{count:,}" for count in UNRELATED_LIMITS]
    fresh = [field_of_crates(label, count) for label, count in zip(labels, UNRELATED_LIMITS, strict=True)]
    use_memory(max(UNRELATED_LIMITS))
    worn = field_of_crates(f"{max(UNRELATED_LIMITS):,} in used memory", max(UNRELATED_LIMITS))
    with scenes(*fresh, worn) as made:
        timings = interleaved([Case(scene.world, _frame_with_a_stranger, 100, scene.enter) for scene in made])
    report.rows = [timing_row(timing) for timing in timings]
    report.figures = {f"median {timing.label}": timing.median for timing in timings}
    for timing, most in zip(timings, UNRELATED_LIMITS.values(), strict=False):
        text = f"{timing.label} bodies: {timing.median * 1e3:.3f} ms, at most {most * 1e3:g} ms"
        report.limit(text, timing.median <= most)
    return report


def _frame_with_a_stranger() -> None:
    stranger = esper.create_entity(Unrelated())
    esper.process()
    esper.delete_entity(stranger)
