"""Every broad phase on the same scenes: building, all pairs, moves, frames of a world, and memory.

All of them find the same pairs, and worlds with them report the same events; both are compared in the run. Each row has
the time of the default, and for the others the ratio to it. What would take longer than a limit, judged by the next
smaller scene, is not run. Times are CPU time: everything runs in one thread of one process.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy

from benchmarks.harness import Case, Timing, duration, interleaved
from benchmarks.report import Report
from benchmarks.structures_scenes import MOVERS, TILES, Indexes, Scene, Worlds, crowd_scene, level_scene, worlds_of
from ecs_collision.broadphase import BroadPhase, FootprintGrid
from ecs_collision.broadphase.choices import CHOICES, Buckets

NAME = "structures"
KINDS = ("uniform", "concentrated", "mixed")
COUNTS = (100, 1_000, 10_000, 100_000)
IN_3D = 10_000
LEVEL = (TILES, MOVERS)
DEFAULT = Buckets.name
OPTIONS: dict[str, BroadPhase] = {"footprint_grid": FootprintGrid(cell_size=2.0)}
"""Structures with other options than by default. The bounded grid also gets the bounds of the scene."""

BUILDING, PAIRS, WORLD_PAIRS, MOVES, BYTES = (
    *("building", "all pairs, of the index", "all pairs, `space.pairs_array`", "all boxes moved, in the index"),
    "bytes each",
)
SHARES = (100, 10, 1)
"""One body in this many moves in a frame."""
MEASURES = (BUILDING, PAIRS, WORLD_PAIRS, MOVES, *(f"frame, {100 / share:g} % moving" for share in SHARES), BYTES)

ROUNDS = 7
A_RUN = 2_000
"""Boxes in one timed run: small scenes are repeated, so that they are timed long enough too."""
BUDGET = 0.15
"""Seconds that one case may use."""
LIMIT = 1.0
"""Seconds: what is expected to take longer is not run."""
WORLD_LIMIT = 1.5
"""The same for a frame in which all bodies move. What would take longer has no frames at all in such a scene."""
EQUAL = 1.1
"""A structure is called faster than the default if the default takes more than this many times as long."""

ARTICLE = {"uniform": 1.03e-3, "concentrated": 1.96e-3}
"""Seconds to fill the grid of the article that `footprint_grid` is from with 10,000 boxes, as the article says."""
ARTICLE_COUNT = 10_000
FILLED = "footprint_grid filled, {}"
"""The name of its figure for a kind of boxes."""

Values = dict[str, float]


def choices() -> list[BroadPhase]:
    """Return all broad phases with the options they are measured with, the default first."""
    return [OPTIONS.get(name) or made() for name, made in CHOICES.items()]


def timings_of(cases: Sequence[Case]) -> list[Timing]:
    """Return the timings of cases in CPU time, since all of them run in one thread."""
    return interleaved(cases, ROUNDS, BUDGET, time.process_time)


class Results:
    """The figures by scene, measure and structure, and which are expected to take too long."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, int, str], Values] = {}
        self.skipped = self.compared = 0
        self._history: dict[tuple[str, str, str], list[tuple[int, float]]] = defaultdict(list)

    def add(self, scene: Scene, measure: str, name: str, value: float) -> None:
        """Add a figure."""
        self.values.setdefault((scene.name, scene.count, measure), {})[name] = value
        self._history[scene.name, measure, name].append((scene.count, value))

    def expected(self, scene: Scene, measure: str, name: str) -> float:
        """Return the seconds that something will take, from the two next smaller scenes of the same name.

        The time is taken to grow as before, at least in proportion and at most as the square. NaN if nothing was
        measured before.
        """
        smaller = [each for each in self._history[scene.name, measure, name] if each[0] < scene.count]
        if not smaller:
            return math.nan
        count, seconds = smaller[-1]
        growth = scene.count / count
        if len(smaller) > 1 and smaller[-2][1] > 0:
            power = math.log(seconds / smaller[-2][1]) / math.log(count / smaller[-2][0])
            growth = max(growth, growth ** min(power, 2.0))
        return seconds * growth

    def allowed(self, scene: Scene, measure: str, name: str, limit: float) -> bool:
        """Return whether something is to be run: it is not expected to take too long, nor was it left out before."""
        was_left_out = any(
            kind == scene.name and measured == measure and count < scene.count and name not in values
            for (kind, count, measured), values in self.values.items()
        )
        if was_left_out or self.expected(scene, measure, name) > limit:
            self.skipped += 1
            return False
        return True


def structures() -> Report:
    """Measure every broad phase on every scene."""
    results = Results()
    names = [choice.name for choice in choices()]
    title = "every broad phase on the same boxes; the CPU time of the default, and the others as ratios to it"
    report = Report(NAME, title, ("scene", "boxes", "", *names))
    for count in COUNTS:
        scenes = [crowd_scene(kind, count) for kind in KINDS]
        for scene in scenes:
            _measure_indexes(report, results, scene)
        _measure_worlds(report, results, scenes)
    for scene in (crowd_scene("uniform", IN_3D, 3), level_scene(*LEVEL)):
        _measure_indexes(report, results, scene)
        _measure_worlds(report, results, [scene])
    _add_rows(report, results, names)
    _add_article(report)
    _judge(report, results)
    return report


def _measure_indexes(report: Report, results: Results, scene: Scene) -> None:
    """Measure what the indexes do alone, and compare the pairs that they find."""
    _say(scene.label)
    made = [Indexes(scene, choice) for choice in choices()]
    calls = max(1, A_RUN // scene.count)
    works: dict[str, Callable[[Indexes], Callable[[], object]]] = {
        BUILDING: lambda each: each.built,
        PAIRS: lambda each: each.pairs,
        MOVES: lambda each: each.move,
    }
    for measure, work in works.items():
        chosen = [each for each in made if results.allowed(scene, measure, each.choice.name, LIMIT)]
        cases = [Case(each.choice.name, work(each), calls) for each in chosen]
        for timing in timings_of(cases):
            results.add(scene, measure, timing.label, timing.median)
        if measure == PAIRS:
            _compare_pairs(report, scene, chosen)
    for each in made:
        results.add(scene, BYTES, each.choice.name, each.bytes_each())


def _compare_pairs(report: Report, scene: Scene, made: Sequence[Indexes]) -> None:
    expected = made[0].found_pairs()
    wrong = [each.choice.name for each in made[1:] if not all(map(numpy.array_equal, expected, each.found_pairs()))]
    count = sum(map(len, expected))
    report.figures[f"{scene.label}: pairs"] = count
    text = f"{scene.label}: {len(made)} structures find the same {count:,} pairs"
    report.limit(f"{text}{', but not ' if wrong else ''}{', '.join(wrong)}", not wrong)


def _measure_worlds(report: Report, results: Results, scenes: Sequence[Scene]) -> None:
    """Measure frames, and all pairs of a world, in worlds that serve several scenes of equal size."""
    every, longest = choices(), MEASURES[-2]
    taking_part = {
        scene.name: [each.name for each in every if results.allowed(scene, longest, each.name, WORLD_LIMIT)]
        for scene in scenes
    }
    chosen = [each for each in every if any(each.name in names for names in taking_part.values())]
    worlds = dict(zip((each.name for each in chosen), worlds_of(scenes[0], chosen), strict=True))
    for scene in scenes:
        used = {name: worlds[name] for name in taking_part[scene.name]}
        _say(f"{scene.label}, {len(used)} worlds")
        for share, measure in zip(SHARES, MEASURES[-1 - len(SHARES) : -1], strict=True):
            moving = max(1, scene.movers.count // share)
            calls = max(1, min(20, A_RUN // moving))
            for each in used.values():
                each.arrange(scene, share)
            cases = [_frame_case(name, each, moving, calls) for name, each in used.items()]
            for timing in timings_of(cases):
                results.add(scene, measure, timing.label, timing.median)
            _compare_events(report, results, scene, measure, used)
        pairs = [
            Case(name, each.pairs, max(1, A_RUN // (2 * scene.count)))
            for name, each in used.items()
            if results.allowed(scene, WORLD_PAIRS, name, LIMIT)
        ]
        for timing in timings_of(pairs):
            results.add(scene, WORLD_PAIRS, timing.label, timing.median)
    gc.unfreeze()


def _frame_case(name: str, world: Worlds, moving: int, calls: int) -> Case:
    return Case(name, world.run, calls, lambda: world.prepare(moving, calls), world.note)


def _compare_events(report: Report, results: Results, scene: Scene, measure: str, worlds: dict[str, Worlds]) -> None:
    expected = worlds[DEFAULT].digests
    results.compared += sum(len(world.digests) for world in worlds.values())
    wrong = [
        name
        for name, world in worlds.items()
        if any(mine != theirs for mine, theirs in zip(expected, world.digests, strict=False))
    ]
    if wrong:
        report.limit(f"{scene.label}, {measure}: the events of {', '.join(wrong)} are those of {DEFAULT}", False)


def _add_rows(report: Report, results: Results, names: Sequence[str]) -> None:
    for (kind, count, measure), values in sorted(results.values.items(), key=_row_order):
        unit = (lambda value: f"{value:,.0f}") if measure == BYTES else duration
        cells = [unit(values[DEFAULT])]
        cells += [f"{values[name] / values[DEFAULT]:.2f}" if name in values else "not run" for name in names[1:]]
        report.rows.append((kind, f"{count:,}", measure, *cells))
        for name, value in values.items():
            report.figures[f"{kind}, {count:,} boxes, {measure}: {name}"] = value


def _row_order(row: tuple[tuple[str, int, str], Values]) -> tuple[int, int, int]:
    (kind, count, measure), _ = row
    kinds = [*KINDS]
    return (kinds.index(kind) if kind in kinds else len(kinds) + len(kind), count, MEASURES.index(measure))


def fastest(values: Values) -> str:
    """Return the structure with the lowest value: the default, unless another is lower by more than noise."""
    name = min(values, key=lambda each: values[each])
    return name if values[DEFAULT] > EQUAL * values[name] else DEFAULT


def _add_article(report: Report) -> None:
    """Fill the footprint grid as the article does, once for each of its scenes: a row beside its figure."""
    indexes = [Indexes(crowd_scene(kind, ARTICLE_COUNT), OPTIONS["footprint_grid"]) for kind in ARTICLE]
    cases = [Case(each.scene.name, each.refill) for each in indexes]
    for timing in timings_of(cases):
        report.figures[FILLED.format(timing.label)] = timing.median
        text = f"footprint_grid filled with {ARTICLE_COUNT:,} boxes, {timing.label}: {duration(timing.median)}"
        report.limit(f"{text}; the article says {duration(ARTICLE[timing.label])}, on its machine", True)


def _judge(report: Report, results: Results) -> None:
    """Say in how many rows the default is the fastest, and in which worlds another is."""
    if all(kept for _, kept in report.limits):
        report.limit(f"the events of {results.compared:,} frames are the same with every structure", True)
    frames = {key: values for key, values in results.values.items() if key[2].startswith("frame")}
    others: dict[str, list[str]] = defaultdict(list)
    for (kind, count, measure), values in frames.items():
        if fastest(values) != DEFAULT:
            ratio = values[DEFAULT] / values[fastest(values)]
            others[fastest(values)].append(f"{kind} {count:,}, {measure.removeprefix('frame, ')} ({ratio:.2f} times)")
    kept = len(frames) - sum(map(len, others.values()))
    report.limit(f"{DEFAULT} has the fastest frame, or one within 10 %, in {kept} of {len(frames)} rows", True)
    for name, where in others.items():
        report.limit(f"{name} has a faster frame: {'; '.join(where)}", True)
    if results.skipped:
        report.limit(
            f"not run: {results.skipped} measurements that would take more than {LIMIT:g} s, "
            f"or {WORLD_LIMIT:g} s for a frame",
            True,
        )


def _say(text: str) -> None:
    print(f"  {text}", file=sys.stderr, flush=True)
