"""Worlds from 1,000 to 1,000,000 bodies: a frame by the part that moves, the memory of a body, the time to take it in.

The bodies are the triggers of the frame workloads, so that a frame finds all that begins and ends to overlap. All
worlds live in one process, and their frames are interleaved; the bodies that move are written in random order, which
is what a cache likes least.
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
from benchmarks.memory import resident
from benchmarks.peers.frame_ours import OursFrame, delete_worlds
from benchmarks.report import Report

COUNTS = (1_000, 10_000, 100_000)
MILLION = 1_000_000
FROM = 10_000
"""Ratios are those to a world of this size."""

SHARES = (100, 10, 1)
"""One body in so many moves in a frame."""
ARRAYS, COMPONENTS = "arrays", "components"
LIMITS = {ARRAYS: 2.0, COMPONENTS: 4.0}
"""How much more a moved body may cost in the largest world."""

A_RUN = 50_000
"""Bodies moved in one timed run, or one frame: small worlds, too, are timed long enough, and warm."""
BUDGET = 8.0
"""Seconds one case may use, preparations included."""


@dataclass(slots=True)
class World:
    """A world of triggers, what it took to make it, and how it goes on."""

    ours: OursFrame
    count: int
    walk: Walk
    seconds: float
    bytes_a_body: float


def made(start: Boxes) -> World:
    """Return a world in which the first frame is done."""
    gc.collect()
    before, began = resident(), time.perf_counter()
    ours = OursFrame(start)
    seconds = time.perf_counter() - began
    return World(ours, start.count, Walk(start, (7,)), seconds, (resident() - before) / start.count)


class Frames:
    """The frames of one world in which one body in `share` moves, through one of the doors; timed `calls` a run."""

    def __init__(self, world: World, share: int, door: str) -> None:
        self.world, self.share, self.door = world, share, door
        self.moving = max(1, world.count // share)
        self.calls = max(1, min(50, A_RUN // self.moving))
        self.seconds = 0.0
        self._ready: list[Callable[[], None]] = []

    def case(self) -> Case:
        """Return what is timed."""
        return Case(self.label, lambda: self._ready.pop()(), self.calls, self.prepare)

    @property
    def each(self) -> float:
        """Seconds for one body that moves."""
        return self.seconds / self.moving

    @property
    def label(self) -> str:
        """A name for the figures."""
        return f"{self.world.count:,} bodies, {100 / self.share:g} % moving, {self.door}"

    def prepare(self) -> None:
        """Choose what moves in the frames of one run, and where to: untimed."""
        esper.switch_world(self.world.ours.world)
        frames = [self._frame(*self.world.walk.step(self.moving)) for _ in range(self.calls)]
        self._ready = frames[::-1]

    def _frame(self, rows: Rows, centres: Coordinates) -> Callable[[], None]:
        ours = self.world.ours
        if self.door == ARRAYS:
            entities = rows + ours.first

            def frame() -> None:
                ours.system.set_positions(entities, centres)
                esper.process()
        else:
            written, places = [ours.transforms[row] for row in rows.tolist()], as_tuples(centres)

            def frame() -> None:
                for transform, place in zip(written, places, strict=True):
                    transform.position = place
                esper.process()

        return frame

    def misses(self) -> float | None:
        """Return how often a moved body was not in a cache of the processor, None where that cannot be counted."""
        self.prepare()

        def run() -> None:
            for frame in self._ready[::-1]:
                frame()

        count = cache_misses(run)
        return None if count is None else count / (self.calls * self.moving)



def scale() -> Report:
    """Measure worlds of up to 100,000 bodies."""
    return _scale(COUNTS)


def scale_large() -> Report:
    """Measure worlds of up to 1,000,000 bodies: some minutes, and 4 GB."""
    return _scale((*COUNTS, MILLION))


def _scale(counts: tuple[int, ...]) -> Report:
    percent = tuple(f"{100 / share:g} %" for share in SHARES)
    each = tuple(f"{share}, a body" for share in percent)
    columns = ("bodies", "bytes each", "made in", "moved by", *percent, *each, "cache misses, a body")
    report = Report("scale", "a frame by the number of triggers and the part that moves, in random order", columns)
    made(boxes(100, 2))  # what the first world brings along is not the price of the next
    worlds = [made(boxes(count, 2)) for count in counts]
    gc.freeze()
    courses = [Frames(world, share, door) for world in worlds for door in LIMITS for share in SHARES]
    timings = interleaved([course.case() for course in courses], budget=BUDGET)
    for course, timing in zip(courses, timings, strict=True):
        course.seconds = timing.median
    for world in worlds:
        _add(report, world, [course for course in courses if course.world is world])
    _judge(report, courses)
    gc.unfreeze()
    delete_worlds()
    return report


def _add(report: Report, world: World, courses: list[Frames]) -> None:
    """Add a row for each door of a world, and its figures."""
    name = f"{world.count:,} bodies"
    report.figures |= {f"{name}: bytes each": world.bytes_a_body, f"{name}: made in": world.seconds}
    facts = (f"{world.count:,}", f"{world.bytes_a_body:,.0f}", duration(world.seconds))
    for door in LIMITS:
        used = [course for course in courses if course.door == door]
        misses = [course.misses() for course in used]
        times = (*(duration(course.seconds) for course in used), *(duration(course.each) for course in used))
        report.rows.append((*facts, door, *times, _told(misses)))
        facts = ("", "", "")
        for course, missed in zip(used, misses, strict=True):
            report.figures |= {f"{course.label}: a frame": course.seconds, f"{course.label}: a body": course.each}
            if missed is not None:
                report.figures[f"{course.label}: cache misses, a body"] = missed


def _told(misses: list[float | None]) -> str:
    counted = [f"{missed:.1f}" for missed in misses if missed is not None]
    return " / ".join(counted) or "not counted here"


def _judge(report: Report, courses: list[Frames]) -> None:
    """Compare the price of a moved body in the largest world with that in one of `FROM`."""
    largest = max(course.world.count for course in courses)
    each = {(course.world.count, course.door, course.share): course.each for course in courses}
    for (count, door, share), seconds in each.items():
        if count == largest and (FROM, door, share) in each:
            ratio, most = seconds / each[FROM, door, share], LIMITS[door]
            name = f"{largest:,} to {FROM:,} bodies, {100 / share:g} % moving, through {door}"
            report.figures[name] = ratio
            report.limit(f"{name}: a moved body costs {ratio:.2f} times as much, at most {most:g}", ratio <= most)
