"""Measure cases against each other: interleaved runs, medians, ratios.

Runs are interleaved, in another order each round, so that a slow second of the machine meets all cases alike; the
median of the runs is reported, with the fastest and the slowest. The garbage collector rests while a case is timed.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

ROUNDS = 9


@dataclass(frozen=True, slots=True)
class Case:
    """Something to time: `action` is called `calls` times a run, `before` once ahead of each run, untimed."""

    label: str
    action: Callable[[], object]
    calls: int
    before: Callable[[], object] = lambda: None


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds a call of one case: median, fastest and slowest of the runs."""

    label: str
    median: float
    fastest: float
    slowest: float


@dataclass(slots=True)
class Report:
    """What a workload found: rows of a table, and limits that were kept or not."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    limits: list[tuple[str, bool]] = field(default_factory=list)

    def limit(self, text: str, kept: bool) -> None:
        """Note a limit and whether it was kept."""
        self.limits.append((text, kept))


def timed(case: Case) -> float:
    """Return the seconds a call of one run takes."""
    case.before()
    action, repeat = case.action, range(case.calls)
    start = time.perf_counter()
    for _ in repeat:
        action()
    return (time.perf_counter() - start) / case.calls


def interleaved(cases: Sequence[Case], rounds: int = ROUNDS) -> list[Timing]:
    """Return a timing for each case, in order; one round more is run first, and dropped."""
    order, shuffled = list(range(len(cases))), random.Random(2)
    runs: list[list[float]] = [[] for _ in cases]
    gc.collect()
    gc.disable()
    try:
        for number in range(rounds + 1):
            shuffled.shuffle(order)
            for index in order:
                seconds = timed(cases[index])
                if number:
                    runs[index].append(seconds)
    finally:
        gc.enable()
    return [
        Timing(case.label, statistics.median(found), min(found), max(found))
        for case, found in zip(cases, runs, strict=True)
    ]


def duration(seconds: float) -> str:
    """Return seconds in the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def timing_row(timing: Timing) -> tuple[str, ...]:
    """Return a row of a table: label, median, fastest, slowest."""
    return (timing.label, duration(timing.median), duration(timing.fastest), duration(timing.slowest))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an aligned table: the first column to the left, all others to the right."""
    lines = [columns, *rows]
    widths = [max(len(line[index]) for line in lines) for index in range(len(columns))]
    aligned = [
        "  ".join(cell.ljust(width) if not index else cell.rjust(width) for index, (cell, width) in enumerate(pairs))
        for pairs in (list(zip(line, widths, strict=True)) for line in lines)
    ]
    return "\n".join([aligned[0].rstrip(), "-" * len(aligned[0]), *(line.rstrip() for line in aligned[1:])])


def shown(report: Report) -> str:
    """Return a report as text for the terminal."""
    kept = [f"{'kept  ' if is_kept else 'MISSED'}  {text}" for text, is_kept in report.limits]
    gap = [""] if kept else []
    return "\n".join([f"{report.name}: {report.title}", "", table(report.columns, report.rows), *gap, *kept])
