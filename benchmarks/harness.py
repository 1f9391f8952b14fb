"""Measure cases against each other: interleaved runs, medians, ratios.

Runs are interleaved, in another order each round, so that a slow second of the machine meets all cases alike; the
median of the runs is reported, with the fastest and the slowest. The garbage collector rests while a case is timed. A
slow case is given fewer runs than a fast one, once it has used up its budget of time.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.peers import Elsewhere, Skipped, in_a_line

ROUNDS = 9
ENDING = (KeyboardInterrupt, SystemExit)


def _nothing(result: Any = None) -> None:
    """Stand for what a case has not to do."""


@dataclass(frozen=True, slots=True)
class Case:
    """Something to time: `action` is called `calls` times a run; `before` once ahead of a run, `after` with its result.

    Neither of these is timed. A case that `may_fail` is given up when it raises, and its timing says why.
    """

    label: str
    action: Callable[[], Any]
    calls: int = 1
    before: Callable[[], object] = _nothing
    after: Callable[[Any], object] = _nothing
    may_fail: bool = False


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds a call of one case: median, fastest and slowest of the runs, how many they were, why there are none."""

    label: str
    median: float = math.nan
    fastest: float = math.nan
    slowest: float = math.nan
    runs: int = 0
    failure: str = ""


@dataclass(slots=True)
class _Course:
    """One case on its way: its runs so far, the seconds they took, and why it was given up."""

    case: Case
    runs: list[float] = field(default_factory=list)
    spent: float = 0.0
    failure: str = ""

    def run(self) -> None:
        """Do one run more."""
        began = time.perf_counter()
        try:
            self.case.before()
            seconds, result = timed(self.case)
            self.case.after(result)
        except BaseException as failure:  # a panic of Rust is no Exception
            if not self.case.may_fail or isinstance(failure, ENDING):
                raise
            self.failure = str(failure) if isinstance(failure, Skipped) else f"failed: {in_a_line(failure)}"
        else:
            self.runs.append(seconds)
        self.spent += time.perf_counter() - began

    def timing(self) -> Timing:
        """Return the median of the runs without the first, which warms up; a case of one run has only that."""
        if self.failure or not self.runs:
            return Timing(self.case.label, failure=self.failure or "not run")
        runs = self.runs[1:] or self.runs
        return Timing(self.case.label, statistics.median(runs), min(runs), max(runs), len(runs))


def timed(case: Case) -> tuple[float, Any]:
    """Return the seconds a call of one run takes, and what the last call returned."""
    action, repeat = case.action, range(case.calls)
    result = None
    start = time.perf_counter()
    for _ in repeat:
        result = action()
    seconds = time.perf_counter() - start
    if isinstance(result, Elsewhere):
        return result.seconds / case.calls, result.result
    return seconds / case.calls, result


def interleaved(cases: Sequence[Case], rounds: int = ROUNDS, budget: float = math.inf) -> list[Timing]:
    """Return a timing for each case, in order; one round more is run first, and dropped.

    A case that has used `budget` seconds is not run again.
    """
    courses, shuffled = [_Course(case) for case in cases], random.Random(2)
    order = list(courses)
    gc.disable()
    try:
        for _ in range(rounds + 1):
            gc.collect()
            shuffled.shuffle(order)
            for course in order:
                if not course.failure and course.spent < budget:
                    course.run()
    finally:
        gc.enable()
    return [course.timing() for course in courses]


def duration(seconds: float) -> str:
    """Return seconds in the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def timing_row(timing: Timing) -> tuple[str, ...]:
    """Return a row of a table: label, median, fastest, slowest."""
    return (timing.label, duration(timing.median), duration(timing.fastest), duration(timing.slowest))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """Return an aligned table: the columns in `left` to the left, all others to the right."""
    lines = [columns, *rows]
    widths = [max(len(line[index]) for line in lines) for index in range(len(columns))]
    aligned = [
        "  ".join(
            cell.ljust(width) if index in left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    ]
    return "\n".join([aligned[0].rstrip(), "-" * len(aligned[0]), *(line.rstrip() for line in aligned[1:])])
