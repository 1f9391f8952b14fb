"""Worlds from 1,000 to 1,000,000 bodies: frame time by moving share, memory for each body, time to create the world.

The bodies are the triggers of the frame workloads, so a frame finds all overlaps that begin and end. All worlds are in
one process, and their frames are interleaved. Bodies are written in random order, the worst case for caches.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

import esper

from benchmarks.boxes import Boxes, Coordinates, boxes
from benchmarks.cache_misses import cache_misses
from benchmarks.frames_crowd import Rows, Walk, as_tuples
from benchmarks.harness import Case, duration, interleaved
from benchmarks.libraries.frame_own import OwnFrame, delete_worlds
from benchmarks.memory import resident
from benchmarks.report import Report

COUNTS = (1_000, 10_000, 100_000, 1_000_000)
FROM = 10_000
"""Ratios compare with a world of this size."""

SHARES = (100, 10, 1)
"""One body in this many moves in a frame."""
ARRAYS, COMPONENTS = "arrays", "components"
LIMITS = {ARRAYS: 2.0, COMPONENTS: 2.0}
"""Maximum factor by which a moved body may be slower in the largest world."""

A_RUN = 50_000
"""Bodies moved in one timed run or one frame, so that small worlds are timed long enough too, and warm."""
BUDGET = 8.0
"""Seconds that one case may use, including preparation."""


@dataclass(slots=True)
class World:
    """A world of triggers, what it took to create it, and its movements."""

    own: OwnFrame
    count: int
    walk: Walk
    seconds: float
    bytes_a_body: float


def made(start: Boxes) -> World:
    """Return a world after its first frame."""
    gc.collect()
    before, began = resident(), time.perf_counter()
    own = OwnFrame(start)
    seconds = time.perf_counter() - began
    return World(own, start.count, Walk(start, (7,)), seconds, (resident() - before) / start.count)


class Frames:
    """The frames of one world in which one body in `share` moves, by one method; timed `calls` times a run."""

    def __init__(self, world: World, share: int, method: str) -> None:
        self.world, self.share, self.method = world, share, method
        self.moving = max(1, world.count // share)
        self.calls = max(1, min(50, A_RUN // self.moving))
        self.seconds = 0.0
        self._ready: list[Callable[[], None]] = []

    def case(self) -> Case:
        """Return the case to time."""
        return Case(self.label, lambda: self._ready.pop()(), self.calls, self.prepare)

    @property
    def each(self) -> float:
        """Seconds for each moved body."""
        return self.seconds / self.moving

    @property
    def label(self) -> str:
        """A name for the figures."""
        return f"{self.world.count:,} bodies, {100 / self.share:g} % moving, {self.method}"

    def prepare(self) -> None:
        """Choose what moves in the frames of one run, and where to; not timed."""
        esper.switch_world(self.world.own.world)
        frames = [self._frame(*self.world.walk.step(self.moving)) for _ in range(self.calls)]
        self._ready = frames[::-1]

    def _frame(self, rows: Rows, centres: Coordinates) -> Callable[[], None]:
        own = self.world.own
        if self.method == ARRAYS:
            entities = rows + own.first

            def frame() -> None:
                own.system.set_positions(entities, centres)
                esper.process()
        else:
            written, places = [own.transforms[row] for row in rows.tolist()], as_tuples(centres)

            def frame() -> None:
                for transform, place in zip(written, places, strict=True):
                    transform.position = place
                esper.process()

        return frame

    def misses(self) -> float | None:
        """Return the cache misses for each moved body, or None if they cannot be counted."""
        self.prepare()

        def run() -> None:
            for frame in self._ready[::-1]:
                frame()

        count = cache_misses(run)
        return None if count is None else count / (self.calls * self.moving)


def scale() -> Report:
    """Measure worlds by their number of bodies: some minutes, and 4 GB."""
    percent = tuple(f"{100 / share:g} %" for share in SHARES)
    each = tuple(f"{share}, a body" for share in percent)
    columns = ("bodies", "bytes each", "made in", "moved by", *percent, *each, "cache misses, a body")
    report = Report("scale", "a frame by the number of triggers and the part that moves, in random order", columns)
    made(boxes(100, 2))  # the first world also loads what later ones share
    worlds = [made(boxes(count, 2)) for count in COUNTS]
    gc.freeze()
    all_series = [Frames(world, share, method) for world in worlds for method in LIMITS for share in SHARES]
    timings = interleaved([series.case() for series in all_series], budget=BUDGET)
    for series, timing in zip(all_series, timings, strict=True):
        series.seconds = timing.median
    for world in worlds:
        _add(report, world, [series for series in all_series if series.world is world])
    _judge(report, all_series)
    gc.unfreeze()
    delete_worlds()
    return report


def _add(report: Report, world: World, all_series: list[Frames]) -> None:
    """Add a row for each method of a world, and its figures."""
    name = f"{world.count:,} bodies"
    report.figures |= {f"{name}: bytes each": world.bytes_a_body, f"{name}: made in": world.seconds}
    facts = (f"{world.count:,}", f"{world.bytes_a_body:,.0f}", duration(world.seconds))
    for method in LIMITS:
        used = [series for series in all_series if series.method == method]
        misses = [series.misses() for series in used]
        times = (*(duration(series.seconds) for series in used), *(duration(series.each) for series in used))
        report.rows.append((*facts, method, *times, _shown_misses(misses)))
        facts = ("", "", "")
        for series, missed in zip(used, misses, strict=True):
            report.figures |= {f"{series.label}: a frame": series.seconds, f"{series.label}: a body": series.each}
            if missed is not None:
                report.figures[f"{series.label}: cache misses, a body"] = missed


def _shown_misses(misses: list[float | None]) -> str:
    counted = [f"{missed:.1f}" for missed in misses if missed is not None]
    return " / ".join(counted) or "not counted here"


def _judge(report: Report, all_series: list[Frames]) -> None:
    """Compare the cost of a moved body in the largest world with that in a world of `FROM` bodies."""
    largest = max(series.world.count for series in all_series)
    each = {(series.world.count, series.method, series.share): series.each for series in all_series}
    for (count, method, share), seconds in each.items():
        if count == largest and (FROM, method, share) in each:
            ratio, most = seconds / each[FROM, method, share], LIMITS[method]
            name = f"{largest:,} to {FROM:,} bodies, {100 / share:g} % moving, through {method}"
            report.figures[name] = ratio
            report.limit(f"{name}: a moved body costs {ratio:.2f} times as much, at most {most:g}", ratio <= most)
