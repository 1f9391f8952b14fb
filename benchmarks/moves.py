"""Single motions by `system.move`, timed one call at a time."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.harness import Case, interleaved, timing_row
from benchmarks.report import Report
from benchmarks.scenes import Scene, field_of_crates, scenes, train, with_compound, with_crate_ahead, with_mover

AMONG = 10_000
"""Other bodies in the world."""
PARTS = 200
CALLS = 400
"""How often a box is moved in a run; slower cases are moved less often."""
TRAINS = (100, 1_000, 10_000)
FREE_TARGET, TRAIN_TARGET = 5e-6, 60e-6

COLUMNS = ("system.move of", "median", "fastest", "slowest")


def there_and_back(scene: Scene) -> Callable[[], None]:
    """Return a function that moves the mover by 1, and back on the next call."""
    step, system, mover = 1.0, scene.system, scene.mover

    def move() -> None:
        nonlocal step
        assert system.move(mover, step).complete
        step = -step

    return move


def onwards(scene: Scene) -> Callable[[], None]:
    """Return a function that moves the mover and what it pushes by 1 in the same direction on every call."""
    system, mover = scene.system, scene.mover

    def move() -> None:
        assert system.move(mover, 1.0).complete

    return move


def move() -> Report:
    """Measure moves of a box, of a box that pushes another, of a train and of a compound."""
    report = Report("move", "single motions", COLUMNS)
    crowd = f"among {AMONG:,}"
    with scenes(
        with_mover(field_of_crates(f"a single box {crowd}", AMONG)),
        with_crate_ahead(field_of_crates(f"a box pushing one crate {crowd}", AMONG)),
        with_compound(field_of_crates(f"a compound of {PARTS} boxes {crowd}", AMONG), PARTS),
        *(train(f"the first of a train of {length:,}", length) for length in TRAINS),
    ) as (free, pushing, compound, *trains):
        cases = [
            Case(free.world, there_and_back(free), CALLS, free.process),
            Case(pushing.world, onwards(pushing), CALLS, pushing.process),
            Case(compound.world, there_and_back(compound), CALLS // 4, compound.process),
            *(
                Case(scene.world, onwards(scene), max(2, 5 * CALLS // length), scene.process)
                for scene, length in zip(trains, TRAINS, strict=True)
            ),
        ]
        timings = interleaved(cases)
        trains[-1].enter()
        pushed = len(trains[-1].system.move(trains[-1].mover, 1.0).pushed)
    report.rows = [timing_row(timing) for timing in timings]
    report.figures = {timing.label: timing.median for timing in timings}
    for label, target in ((cases[0].label, FREE_TARGET), (cases[3].label, TRAIN_TARGET)):
        report.within(f"system.move of {label}", report.figures[label], target)
    report.limit(f"the first of {TRAINS[-1]:,} pushes {pushed:,} crates without recursion", pushed == TRAINS[-1] - 1)
    return report
