"""Import of the package, loading of a level, and the first frame."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count as counting
from pathlib import Path

import esper

from benchmarks.harness import ROUNDS, Case, interleaved, timing_row
from benchmarks.libraries import RemoteTiming
from benchmarks.report import Report
from benchmarks.scenes import Scene, empty
from ecs_collision import BoxCollider, CompoundCollider, Inertia, Static, Transform

HOUSE = Path(__file__).resolve().parents[1]
WALLS = 5_000
CRATES = 10_000
LOADED = 100_000
IMPORT_LIMIT, LOADED_LIMIT = 0.150, 1.0

Cell = tuple[int, int]


class StartCase:
    """A world created for each run, part of it untimed, and deleted before the next."""

    def __init__(self, set_up_first: Callable[[], object], rest: Callable[[], object]) -> None:
        self.set_up_first, self.rest = set_up_first, rest
        self.scene: Scene | None = None
        self.numbers = counting()

    def before(self) -> None:
        """Create an empty world and do the untimed part."""
        self.end()
        self.scene = empty(f"start_case {id(self)} {next(self.numbers)}")
        self.set_up_first()

    def end(self) -> None:
        """Delete the last world."""
        if self.scene is not None:
            esper.switch_world("default")
            esper.delete_world(self.scene.world)

    def case(self, label: str) -> Case:
        """Return the case that times the rest."""
        return Case(label, self.rest, 1, self.before)


def cells(count: int) -> list[Cell]:
    """Return the cells of a level: walls in a pattern of rooms and doors."""
    width = math.isqrt(2 * count)
    places = ((x, y) for y in counting() for x in range(width) if y % 4 == 0 or x % 4 == 0 or (x + y) % 7 == 0)
    return [place for place, _ in zip(places, range(count), strict=False)]


def walls(places: Sequence[Cell]) -> None:
    """Create an entity for each wall."""
    for x, y in places:
        esper.create_entity(Transform(x, y), BoxCollider(0.5, 0.5), Static())


def one_wall(places: Sequence[Cell]) -> None:
    """Create one entity with all walls."""
    esper.create_entity(Transform(0, 0), CompoundCollider.from_cells(places), Static())


def crates(count: int) -> None:
    """Create crates on a square field."""
    width = math.isqrt(count - 1) + 1
    for number in range(count):
        esper.create_entity(
            Transform(1.5 * (number % width), 1.5 * (number // width)), BoxCollider(0.5, 0.5), Inertia(1)
        )


def loaded(count: int) -> None:
    """Create boxes without further components, and run the first frame."""
    for number in range(count):
        esper.create_entity(Transform(2 * number, 0), BoxCollider(0.5, 0.5))
    esper.process()


def _nothing() -> None:
    """Do nothing: all work is timed."""


def _both(first: Callable[[], object]) -> None:
    first()
    esper.process()


def importing(first: str, then: str) -> RemoteTiming:
    """Return the seconds of an import in a fresh interpreter, after another module was imported."""
    program = f"import time, {first}; start = time.perf_counter(); {then}; print(time.perf_counter() - start)"
    said = subprocess.run([sys.executable, "-c", program], cwd=HOUSE, check=True, capture_output=True, text=True).stdout
    return RemoteTiming(float(said), None)


def start() -> Report:
    """Measure imports in fresh interpreters, loading a level, and the first frame."""
    report = Report("start", "the start_case", ("", "median", "fastest", "slowest"))
    level = cells(WALLS)
    start_cases = {
        f"{WALLS:,} walls, an entity each, and the first frame": StartCase(
            _nothing, partial(_both, partial(walls, level))
        ),
        "  of it the first frame": StartCase(partial(walls, level), esper.process),
        f"{WALLS:,} walls, one compound, and the first frame": StartCase(
            _nothing, partial(_both, partial(one_wall, level))
        ),
        f"the first frame of {CRATES:,} crates": StartCase(partial(crates, CRATES), esper.process),
        f"{LOADED:,} boxes and the first frame": StartCase(_nothing, partial(loaded, LOADED)),
    }
    engine = "from ecs_collision import CollisionSystem"  # the package alone imports nothing until a name is used
    all_of_it, rest = engine, "  of it without numpy"
    cases = [
        Case(all_of_it, partial(importing, "sys", engine)),
        Case(rest, partial(importing, "numpy", engine)),
        *(start_case.case(label) for label, start_case in start_cases.items()),
    ]
    timings = interleaved(cases, ROUNDS)
    for start_case in start_cases.values():
        start_case.end()
    report.rows = [timing_row(timing) for timing in timings]
    report.figures = {timing.label.strip(): timing.median for timing in timings}
    report.within(all_of_it, timings[0].median, IMPORT_LIMIT)
    report.within(timings[-1].label, timings[-1].median, LOADED_LIMIT)
    return report
