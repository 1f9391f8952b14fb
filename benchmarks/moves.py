"""Single motions by `system.move`, timed one call at a time."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.harness import Case, Report, interleaved, timing_row
from benchmarks.scenes import Scene, field_of_crates, scenes, train, with_compound, with_crate_ahead, with_mover

COLUMNS = ("system.move of", "median", "fastest", "slowest")


def _there_and_back(scene: Scene) -> Callable[[], None]:
    """Return a function that moves the mover by 1, the next time back again."""
    step = 1.0

    def move() -> None:
        nonlocal step
        assert scene.system.move(scene.mover, step)
        step = -step

    return move


def _onwards(scene: Scene) -> Callable[[], None]:
    """Return a function that moves the mover, and what it pushes, ever further by 1."""

    def move() -> None:
        assert scene.system.move(scene.mover, 1.0)

    return move


def move() -> Report:
    """Measure moves of a box, of a box that pushes another, of a train and of a compound."""
    report = Report("move", "one motion at once", COLUMNS)
    with scenes(
        with_mover(field_of_crates("free box", 10_000)),
        with_crate_ahead(field_of_crates("box and crate", 10_000)),
        with_compound(field_of_crates("compound", 10_000), 200),
        train("train of 1,000", 1_000),
        train("train of 10,000", 10_000),
    ) as (free, pushing, compound, short, long):
        timings = interleaved(
            [
                Case("a single box among 10,000", _there_and_back(free), 400, free.process),
                Case("a box pushing one crate among 10,000", _onwards(pushing), 400, pushing.process),
                Case("a compound of 200 boxes among 10,000", _there_and_back(compound), 40, compound.process),
                Case("the first of a train of 1,000", _onwards(short), 4, short.process),
                Case("the first of a train of 10,000", _onwards(long), 1, long.process),
            ]
        )
        long.enter()
        pushed = len(long.system.move(long.mover, 1.0).pushed)
    report.rows = [timing_row(timing) for timing in timings]
    report.figures = {timing.label: timing.median for timing in timings}
    report.limit(f"a train of 10,000 pushes {pushed:,} crates and no recursion", pushed == 9_999)
    return report
