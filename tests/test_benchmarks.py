"""The benchmarks: the harness measures what it says, and every workload still runs, on worlds made small."""

from __future__ import annotations

import pytest

from benchmarks import memory, moves, quiet, sizes
from benchmarks.__main__ import WORKLOADS
from benchmarks.harness import Case, duration, interleaved, table
from benchmarks.report import Report, shown


def test_runs_are_interleaved_and_the_first_round_is_dropped():
    log: list[str] = []
    cases = [Case(name, lambda: None, 1, lambda name=name: log.append(name)) for name in "abc"]
    timings = interleaved(cases, rounds=4)
    assert ["a", "b", "c"] == [timing.label for timing in timings]
    assert [["a", "b", "c"]] * 5 == [sorted(log[at : at + 3]) for at in range(0, 15, 3)]
    assert all(timing.fastest <= timing.median <= timing.slowest for timing in timings)


@pytest.mark.parametrize(
    ("seconds", "expected"), [(2.5, "2.5 s"), (0.0123, "12.3 ms"), (4.56e-6, "4.56 us"), (7e-9, "7 ns")]
)
def test_a_duration_is_told_in_the_unit_that_suits_it(seconds, expected):
    assert expected == duration(seconds)


def test_a_table_is_aligned_and_a_missed_limit_is_shown():
    assert "a     bb\n--------\nlong   1" == table(("a", "bb"), [("long", "1")])
    report = Report("name", "title", ("a",), [("1",)])
    report.limit("at most 1", False)
    assert shown(report).endswith("MISSED  at most 1")


TESTED_ELSEWHERE = {"memory", "frames", "frames-bulk", "scale", "movers"}


@pytest.mark.parametrize("name", [name for name in WORKLOADS if name not in TESTED_ELSEWHERE])
def test_a_workload_runs(name, monkeypatch):
    monkeypatch.setattr(quiet, "IDLE_SIZES", (10, 200))
    monkeypatch.setattr(quiet, "UNRELATED_LIMITS", {10: 1.0, 200: 1.0})
    monkeypatch.setattr(sizes, "COUNT", 200)
    monkeypatch.setattr(moves, "AMONG", 200)
    monkeypatch.setattr(moves, "TRAINS", (10, 20))
    report = WORKLOADS[name]()
    assert name == report.name
    assert report.rows
    assert report.figures
    assert {len(report.columns)} == {len(row) for row in report.rows}


@pytest.mark.parametrize("kind", memory.KINDS)
def test_memory_is_measured_for_every_kind(kind):
    assert memory.measured(kind, 20, traced=False) >= 0
