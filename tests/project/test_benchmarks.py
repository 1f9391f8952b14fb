"""Tests of the benchmarks: harness, comparison of libraries, documents, and every workload on a small scale."""

from __future__ import annotations

import importlib
import json
import math
import sys
import time
from array import array

import numpy
import pytest

from benchmarks import (
    casts,
    docs,
    idle,
    memory,
    memory_parts,
    moves,
    pairs,
    plain,
    queries,
    rays,
    recorded,
    shapes,
    sizes,
    solving,
    start,
)
from benchmarks.__main__ import WORKLOADS, main
from benchmarks.boxes import boxes
from benchmarks.comparison import compare, own
from benchmarks.harness import Case, interleaved
from benchmarks.libraries import Job, Library, Skipped
from benchmarks.outputs import pairs as pairs_of
from benchmarks.report import Report, as_data, read_json, shown, summary, write_json

WORLD = boxes(60, 2)


def all_pairs(world):
    """Return all pairs of boxes that overlap, by comparing each with each."""
    meet = (world.lo[:, None] < world.hi[None]).all(2) & (world.lo[None] < world.hi[:, None]).all(2)
    return numpy.argwhere(numpy.triu(meet, 1))


def exact_library(world):
    found = all_pairs(world)
    assert len(found) > 10
    return Job(lambda: found, pairs_of)


def library_missing_a_pair(world):
    found = all_pairs(world)
    return Job(lambda: found[1:], pairs_of)


def slow_library(world):
    found = all_pairs(world)

    def late():
        time.sleep(0.01)
        return found

    return Job(late, pairs_of)


def entry_of(outcome, name):
    return next(entry for entry in outcome.entries if entry.name == name)


# The harness.


def test_runs_are_interleaved_and_the_first_round_is_dropped():
    log: list[str] = []
    cases = [Case(name, lambda: None, 1, lambda name=name: log.append(name)) for name in "abc"]
    timings = interleaved(cases, rounds=4)
    assert ["a", "b", "c"] == [timing.label for timing in timings]
    assert [["a", "b", "c"]] * 5 == [sorted(log[at : at + 3]) for at in range(0, 15, 3)]
    assert [4] * 3 == [timing.runs for timing in timings]
    assert all(timing.fastest <= timing.median <= timing.slowest for timing in timings)


class Panic(BaseException):
    """What a Rust library raises when it panics."""


@pytest.mark.parametrize("kind", [ValueError, Panic])
def test_a_case_that_may_fail_is_not_run_again_and_reports_the_error(kind):
    def fail():
        raise kind("no such tree")

    failed, other = interleaved([Case("", fail, may_fail=True), Case("other", int)], rounds=2)
    assert failed.failure == f"failed: {kind.__name__}: no such tree"
    assert (0, 2) == (failed.runs, other.runs)
    with pytest.raises(kind):
        interleaved([Case("", fail)], rounds=2)


# A comparison.


def test_a_library_that_misses_a_pair_is_wrong_and_never_the_fastest():
    libraries = [own("own", exact_library), Library("forgetful", library_missing_a_pair), Library("slow", slow_library)]
    outcome = compare("pairs", WORLD, libraries, rounds=3)
    assert entry_of(outcome, "forgetful").remark == "WRONG: 1 missing"
    assert [entry.name for entry in outcome.wrong()] == ["forgetful"]
    assert outcome.fastest_other().name == "slow"
    report = Report("name", "title")
    report.add(outcome)
    assert [("pairs: forgetful returns the same as this project (1 missing)", False)] == report.limits
    assert "WRONG: 1 missing" in shown(report)


def test_libraries_that_cannot_take_part_are_skipped_with_a_reason():
    def missing(_):
        return importlib.import_module("no_such_library")

    def failing(_):
        raise RuntimeError("out of luck")

    def unwilling(_):
        raise Skipped("needs another Python")

    def late(_):
        def run():
            raise Skipped("too many candidates")

        return Job(run)

    libraries = [
        own("own", exact_library),
        Library("missing", missing),
        Library("failing", failing),
        Library("unwilling", unwilling),
        Library("late", late),
        Library("small", exact_library, most=10),
        Library("solid", exact_library, dims=(3,)),
    ]
    outcome = compare("pairs", WORLD, libraries, rounds=2)
    assert {entry.name: entry.remark for entry in outcome.entries} == {
        "own": "",
        "missing": "not installed (no_such_library)",
        "failing": "failed: RuntimeError: out of luck",
        "unwilling": "needs another Python",
        "late": "too many candidates",
        "small": "too slow beyond 10",
    }
    assert outcome.fastest_other() is None
    assert math.isnan(outcome.own().speed)


def test_a_target_compares_with_the_fastest_other_library_of_the_run():
    libraries = [own("own", exact_library), own("own, late", slow_library), Library("library", slow_library)]
    outcome = compare("pairs", WORLD, libraries, rounds=3, targets={"own": 2.0, "own, late": 1000.0})
    assert [("own", "library", True), ("own, late", "library", False)] == [
        (target.entry, target.fastest_other, target.met) for target in outcome.targets
    ]
    assert outcome.targets[0].ratio == pytest.approx(
        entry_of(outcome, "library").median / entry_of(outcome, "own").median
    )
    report = Report("name", "title")
    report.add(outcome)
    assert [True, False] == [kept for _, kept in report.limits]
    assert ["met", "MISSED"] == [row[-1] for row in summary([report])]


# Memory.


class Holder:
    """Stands in for a class of the package."""

    __module__ = "ecs_collision.held"
    __slots__ = ("few", "held", "many", "numbers")


def test_arrays_and_tables_of_bodies_have_names_and_other_objects_types():
    root, inner = Holder(), Holder()
    root.held, root.few, root.many = inner, [1], list(range(1000, 1010))
    inner.held, inner.numbers = root, array("q", range(50))
    names = memory_parts.by_name(root, 10)
    assert names == {id(root.many): "Holder.many", id(inner.numbers): "Holder.numbers"}
    found = memory_parts.by_id([root, inner, inner.numbers])
    assert found[id(inner)] == ("Holder", sys.getsizeof(inner))
    assert found[id(inner.numbers)] == ("array", sys.getsizeof(inner.numbers))
    numbers = memory_parts.by_id([root.many])
    assert all(numbers[id(each)] == ("int", sys.getsizeof(each)) for each in root.many), "gc does not track them"


def test_the_parts_of_a_body_have_names(small):
    found = memory.in_a_fresh_interpreter("benchmarks.memory_parts", "engine")
    assert {"Transform", "BoxCollider", "the rest"} <= set(found)
    assert any(name.endswith(".pos") for name in found)


# What is written.


@pytest.fixture
def report():
    """Return a report with everything in it."""

    def missing(_):
        raise Skipped("not at home")

    made = Report("small", "a small one", ("a", "b"), [("1", "2")], {"a": 1.0})
    made.within("a move", 1e-6, 5e-6)
    libraries = [own("own", exact_library), Library("slow", slow_library), Library("missing", missing)]
    made.add(compare("pairs", WORLD, libraries, rounds=2, targets={"own": 2.0}))
    return made


def test_the_json_has_its_shape_and_can_be_read_back(report, tmp_path):
    path = tmp_path / "deep" / "results.json"
    write_json(path, [report], {"python": "3"})
    data = json.loads(path.read_text(encoding="utf-8"))
    assert {"with", "reports"} == set(data)
    assert {"name", "title", "columns", "rows", "figures", "limits", "comparisons", "bounds"} == set(data["reports"][0])
    outcome = data["reports"][0]["comparisons"][0]
    assert {"title", "entries", "targets"} == set(outcome)
    skipped = next(entry for entry in outcome["entries"] if entry["name"] == "missing")
    assert (None, 0, "not at home") == (skipped["median"], skipped["runs"], skipped["why_not"])
    again, machine = read_json(path)
    assert {"python": "3"} == machine
    assert shown(report) == shown(again[0])
    assert as_data([report], machine) == as_data(again, machine)


def test_the_documents_are_written_from_results(report, tmp_path, monkeypatch):
    monkeypatch.setattr(docs, "draw", lambda reports, folder: [])
    machine = {"ecs-collision": "1", "kernels": "compiled", "python": "3.11", "machine": "a small one"}
    write_json(tmp_path / "results.json", [report], machine)
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(docs, "README_ROWS", {"a move": "one move", "pairs": "all pairs", "unknown": "not measured"})
    paths = [tmp_path / "README.md", tmp_path / "docs" / "benchmarks.md"]
    for path in paths:
        path.write_text(f"before\n{docs.BEGIN}\nold\n{docs.END}\nafter\n", encoding="utf-8")
    docs.write(tmp_path / "results.json", tmp_path)
    readme, page = (path.read_text(encoding="utf-8") for path in paths)
    for text in (readme, page):
        assert text.startswith("before\n") and text.endswith("\nafter\n")
        assert "old" not in text
    assert "| one move | 1 us |  |" in readme
    assert "| all pairs |" in readme and "| slow: " in readme
    assert "MISSED" not in readme and "| met |" not in readme and "not measured" not in readme
    assert "Measured on a small one" in page
    assert "| a move | 1 us |  |  | 5 us | met |" in page
    assert "| **own** |" in page
    assert "- missing: not at home" in page


def test_the_readme_shows_ten_rows_that_were_measured():
    page = (docs.HOUSE / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert 10 == len(docs.README_ROWS)
    assert [] == [name for name in docs.README_ROWS if f"| {docs.in_column(name)} |" not in page]
    readme = (docs.HOUSE / "README.md").read_text(encoding="utf-8")
    assert [] == [label for label in docs.README_ROWS.values() if f"| {label} |" not in readme]


# The workloads.


TESTED_IN_OTHER_FILES = {
    "memory", "frames", "frames-bulk", "scale", "movers", "movement", "contacts", "stacks", "structures",
}  # fmt: skip


@pytest.fixture
def small(monkeypatch):
    """Make all workloads small."""
    sized = {
        memory: {"COUNT": 20},
        memory_parts: {"COUNT": 20},
        moves: {"AMONG": 200, "TRAINS": (5, 10, 20), "CALLS": 4},
        pairs: {"SCENES": ((200, "uniform", 1.0), (200, "mixed", 1.0)), "BUDGET": 0.05},
        plain: {"COUNT": 50},
        queries: {"COUNT": 200, "QUERIES": 20, "BUDGET": 0.05},
        rays: {"COUNT": 200, "RAYS": 20, "SINGLE": 20, "POINTS": 20, "BUDGET": 0.05},
        casts: {"COUNT": 200, "CASTS": 20, "BUDGET": 0.05},
        idle: {"IDLE_SIZES": (10, 50), "COMPARED_COUNT": 100, "CALLS": 50, "UNRELATED_LIMITS": {10: 1.0, 50: 1.0}},
        recorded: {"FIRST": 2, "ROUNDS": 1},
        solving: {"LEVELS": 3, "ON_ENGINE": 2, "MAX_ON_ENGINE": 20},
        sizes: {"COUNT": 200},
        shapes: {"COUNT": 200},
        start: {"WALLS": 50, "CRATES": 50, "LOADED": 50, "ROUNDS": 1},
    }
    for module, constants in sized.items():
        for name, value in constants.items():
            monkeypatch.setattr(module, name, value)


QUICK = {"move", "recorded", "solve"}
"""Workloads that every test run tries; the others run in `make soak`."""


@pytest.mark.parametrize(
    "name",
    [
        name if name in QUICK else pytest.param(name, marks=pytest.mark.soak)
        for name in WORKLOADS
        if name not in TESTED_IN_OTHER_FILES
    ],
)
def test_a_workload_runs(name, small):
    report = WORKLOADS[name]()
    assert name == report.name
    assert report.rows or report.comparisons or "skipped" in report.title
    assert {len(report.columns)} >= {len(row) for row in report.rows}
    assert not [outcome.title for outcome in report.comparisons if outcome.wrong()]
    for outcome in report.comparisons:
        failures = [entry for entry in outcome.entries if entry.own and entry.why_not]
        assert not [(entry.name, entry.why_not) for entry in failures if entry.name not in MISSING]
    json.dumps(as_data([report], {}), allow_nan=False)


MISSING = {"space.overlapping_many"}
"""Entries that the package does not have yet."""


def test_the_command_line_writes_json_and_returns_1_for_a_missed_limit(monkeypatch, tmp_path, capsys):
    report = Report("idle", "made up")
    report.within("a frame", 2.0, 1.0)
    monkeypatch.setattr("benchmarks.__main__.measured", lambda name: report)
    monkeypatch.setattr("sys.argv", ["benchmarks", "idle", "--json", str(tmp_path / "results.json")])
    assert main() == 1
    assert "MISSED" in capsys.readouterr().out
    assert read_json(tmp_path / "results.json")[0][0].bounds == report.bounds
