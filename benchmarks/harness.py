"""Measures cases against each other: interleaved runs, medians, ratios.

Runs are interleaved, in another order each round, so that a slow moment of the machine affects all cases alike. The
median of the runs is reported, with the fastest and the slowest. The garbage collector is off while a case is timed. A
slow case gets fewer runs than a fast one, once it has used its budget of time.
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

from benchmarks.libraries import RemoteTiming, Skipped, in_a_line

ROUNDS = 9
ENDING = (KeyboardInterrupt, SystemExit)
Clock = Callable[[], float]


def _nothing(result: Any = None) -> None:
    """Do nothing; the default of optional steps of a case."""


@dataclass(frozen=True, slots=True)
class Case:
    """Something to time: `action` is called `calls` times in a run, `before` once before it, `after` with its result.

    `before` and `after` are not timed. If a case that `may_fail` raises, it is not run again, and its timing has the
    reason.
    """

    label: str
    action: Callable[[], Any]
    calls: int = 1
    before: Callable[[], object] = _nothing
    after: Callable[[Any], object] = _nothing
    may_fail: bool = False


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds per call of one case: median, fastest, slowest, number of runs, and the reason if there are none."""

    label: str
    median: float = math.nan
    fastest: float = math.nan
    slowest: float = math.nan
    runs: int = 0
    failure: str = ""


@dataclass(slots=True)
class _CaseState:
    """The progress of one case: its runs, the seconds used, and why it failed."""

    case: Case
    runs: list[float] = field(default_factory=list)
    spent: float = 0.0
    failure: str = ""

    def run(self, clock: Clock) -> None:
        """Do one more run."""
        began = time.perf_counter()
        try:
            self.case.before()
            seconds, result = timed(self.case, clock)
            self.case.after(result)
        except BaseException as failure:  # a Rust panic is not an Exception
            if not self.case.may_fail or isinstance(failure, ENDING):
                raise
            self.failure = str(failure) if isinstance(failure, Skipped) else f"failed: {in_a_line(failure)}"
        else:
            self.runs.append(seconds)
        self.spent += time.perf_counter() - began

    def timing(self) -> Timing:
        """Return the median of the runs without the first, which warms up; a case with one run has only that."""
        if self.failure or not self.runs:
            return Timing(self.case.label, failure=self.failure or "not run")
        runs = self.runs[1:] or self.runs
        return Timing(self.case.label, statistics.median(runs), min(runs), max(runs), len(runs))


def timed(case: Case, clock: Clock = time.perf_counter) -> tuple[float, Any]:
    """Return the seconds per call of one run, and the result of the last call."""
    action, repeat = case.action, range(case.calls)
    result = None
    start = clock()
    for _ in repeat:
        result = action()
    seconds = clock() - start
    if isinstance(result, RemoteTiming):
        return result.seconds / case.calls, result.result
    return seconds / case.calls, result


def interleaved(
    cases: Sequence[Case], rounds: int = ROUNDS, budget: float = math.inf, clock: Clock = time.perf_counter
) -> list[Timing]:
    """Return a timing for each case, in order. One extra round is run first and dropped.

    A case that has used `budget` seconds is not run again. `time.process_time` as `clock` leaves out what other
    processes take; it is for cases without threads.
    """
    states, shuffled = [_CaseState(case) for case in cases], random.Random(2)
    order = list(states)
    gc.disable()
    try:
        for _ in range(rounds + 1):
            gc.collect()
            shuffled.shuffle(order)
            for state in order:
                if not state.failure and state.spent < budget:
                    state.run(clock)
    finally:
        gc.enable()
    return [state.timing() for state in states]


def duration(seconds: float) -> str:
    """Return seconds as text with a suitable unit."""
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


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]], align: str = "") -> str:
    """Return a Markdown table; `align` has l or r for each column, by default the first l and the others r."""
    align = align or "l" + "r" * (len(columns) - 1)
    rule = "|".join("---" if side == "l" else "--:" for side in align)
    return "\n".join([f"| {' | '.join(columns)} |", f"|{rule}|", *(f"| {' | '.join(row)} |" for row in rows)])
