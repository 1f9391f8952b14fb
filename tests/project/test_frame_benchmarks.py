"""Tests of frames, contacts, stacks, scale and movers: crowds, comparison of libraries, each workload in small."""

from __future__ import annotations

import gc
from functools import partial

import numpy
import pytest

from benchmarks import cache_misses, contacts, frames, movement, movers, other_memory, scale, scale_plot, stacks
from benchmarks.comparison import compare
from benchmarks.frames_crowd import crowd
from benchmarks.libraries import Job, Library, stack_engines
from benchmarks.libraries.frame_arrays import DictHashFrame
from benchmarks.libraries.frame_base import IN_BULK, ONE_BY_ONE, Rebuilding, job
from benchmarks.other_memory import COLD, WARM


@pytest.fixture(autouse=True)
def no_collection(monkeypatch):
    monkeypatch.setattr(gc, "collect", int)  # slow among the objects of all tests, and times are not compared


DOORS = {ONE_BY_ONE: "one_by_one", IN_BULK: "in_bulk"}
KINDS = [(2, "uniform"), (3, "uniform"), (2, "mixed"), (3, "mixed")]


def overlapping(lo, hi):
    """All pairs of boxes that overlap, by comparing each with each."""
    meet = (lo[:, None] < hi[None]).all(2) & (lo[None] < hi[:, None]).all(2)
    first, second = numpy.nonzero(numpy.triu(meet, 1))
    return first, second


class Naive(Rebuilding):
    """A library that compares each with each."""

    def _all_pairs(self):
        return overlapping(self.lo, self.hi)


class Forgetful(Naive):
    """A library that never reports an end."""

    def _compare(self, moved, lo, hi):
        began, ended = super()._compare(moved, lo, hi)
        return began, ended[:0]


def compete(workload, scene, *libraries):
    made = [participant for participant in frames.participants_of(workload, DOORS[workload]) if participant.own]
    try:
        found = compare("", scene, [*made, *libraries], rounds=5, checked=6)
    finally:
        frames.delete_worlds()
    return {entry.name: entry for entry in found.entries}


@pytest.mark.parametrize("workload", DOORS)
@pytest.mark.parametrize(("dims", "kind"), KINDS)
@pytest.mark.parametrize("moving", [20, *(pytest.param(count, marks=pytest.mark.soak) for count in (1, 200))])
def test_exact_libraries_return_the_same_events(workload, dims, kind, moving):
    scene = crowd(200, dims, kind, moving, 6)
    libraries = [Library(made.__name__, partial(job, made, DOORS[workload])) for made in (Naive, DictHashFrame)]
    found = compete(workload, scene, *libraries)
    assert {frames.OWN, frames.WITH_QUERIES, "Naive", "DictHashFrame"} == set(found)
    assert {""} == {entry.difference for entry in found.values()}
    assert all(entry.timed for entry in found.values())


@pytest.mark.parametrize("workload", DOORS)
def test_a_library_with_wrong_events_is_reported_and_never_the_fastest(workload):
    found = compete(
        workload, crowd(200, 2, "uniform", 200, 6), Library("forgetful", partial(job, Forgetful, "in_bulk"))
    )
    assert found["forgetful"].is_wrong
    assert "missing" in found["forgetful"].remark
    assert "WRONG" in found["forgetful"].remark
    assert not found[frames.OWN].is_wrong


@pytest.mark.parametrize(("caches", "between"), [(COLD, ["cool"]), (WARM, [])])
def test_the_second_of_two_frames_is_timed_and_a_cold_one_begins_with_other_memory(caches, between):
    log: list[str] = []
    note = {name: partial(log.append, name) for name in ("run", "before", "cool")}
    made = frames.second_of_two(lambda scene: Job(note["run"], before=note["before"], cool=note["cool"]), caches, None)
    made.before()
    made.run()
    assert ["before", "run", "before", *between, "run"] == log


def test_every_line_of_the_other_memory_is_walked():
    other_memory.walk()
    memory = other_memory._other_memory()
    before = memory[:: other_memory.LINE].copy()
    other_memory.walk()
    assert 1 << 20 == len(before) and (before + 1 == memory[:: other_memory.LINE]).all()


@pytest.mark.filterwarnings("ignore")  # those of the libraries; raised while Box2D is imported, one ends the process
@pytest.mark.parametrize("name", ["frames", pytest.param("frames_in_bulk", marks=pytest.mark.soak)])
def test_a_frame_workload_runs_with_what_is_installed(name, monkeypatch):
    monkeypatch.setattr(frames, "COUNT", 100)
    monkeypatch.setattr(frames, "FRAMES", {100: 2, 10: 2, 1: 2})
    report = getattr(frames, name)()
    assert 24 == len(report.comparisons)
    assert all(found.own() and not found.wrong() for found in report.comparisons)
    assert {(COLD, 2), (WARM, 0)} == {(found.title.split(", ")[1], len(found.targets)) for found in report.comparisons}
    assert 48 <= len([figure for figure in report.figures if "ecs-collision" in figure])


# Contacts and stacks.


@pytest.mark.filterwarnings("ignore")
def test_the_workload_of_contacts_runs_with_what_is_installed(monkeypatch):
    monkeypatch.setattr(contacts, "COUNT", 100)
    monkeypatch.setattr(contacts, "FRAMES", {100: 3, 10: 3, 1: 3})
    report = contacts.contacts()
    assert 6 == len(report.comparisons)
    assert all(found.own() and not found.wrong() for found in report.comparisons)
    assert 6 == sum("of triggers" in text for text, _ in report.limits)


@pytest.mark.filterwarnings("ignore")
def test_the_workload_of_stacks_runs_with_what_is_installed(monkeypatch):
    small = (lambda: stack_engines.stack("two", True, 2), stack_engines.billiards, stack_engines.crowd)
    given = {"LIMITS": ((small, 2.0, 1.0),), "ROUNDS": 1, "LONGEST": 200, "ENDLESS": 5, "AT_REST": 2, "STANDING": 1200}
    for name, value in given.items():
        monkeypatch.setattr(stacks, name, value)
    report = stacks.stacks()
    assert ["two", "billiards", "a crowd of 200"] == [each.title for each in report.comparisons]
    assert all(entry.timed for each in report.comparisons for entry in each.entries if entry.own)
    assert {len(report.columns)} == {len(row) for row in report.rows}
    two, billiards, _ = report.rows
    assert 31 < int(two[1]) < 200 and 31 < int(two[2]) < 200
    assert ("energy 1.000", "energy 1.000") == billiards[1:3]
    assert any("stands awake" in text and kept for text, kept in report.limits)


@pytest.fixture
def small_worlds(monkeypatch):
    monkeypatch.setattr(scale, "COUNTS", (50, 200))
    monkeypatch.setattr(scale, "FROM", 50)
    monkeypatch.setattr(scale, "A_RUN", 40)
    monkeypatch.setattr(cache_misses, "WARM_UP", 0.0)
    yield
    frames.delete_worlds()


def test_scale_reports_frames_memory_and_growth(small_worlds):
    report = scale.scale()
    assert {len(report.columns)} == {len(row) for row in report.rows}
    assert "200" == report.rows[-2][0]
    assert 6 == len(report.limits)
    assert all(text.startswith("200 to 50 bodies") for text, _ in report.limits)
    each = scale_plot.lines_of(report.figures)["10", "arrays"]
    assert [50, 200] == [count for count, _ in each]
    assert each[-1][1] == report.figures["200 bodies, 10 % moving, arrays: a body"] > 0
    assert 6 == len(scale_plot.lines_of(report.figures))
    assert report.figures["200 bodies: bytes each"] >= 0


@pytest.mark.filterwarnings("ignore")
def test_movers_runs_with_what_is_installed(monkeypatch):
    monkeypatch.setattr(movers, "COUNT", 64)
    monkeypatch.setattr(movers, "FRAMES", 3)
    report = movers.movers()
    assert 2 == len(report.comparisons)
    assert all(found.own() for found in report.comparisons)
    assert {"rapier3d, character controllers"} == {
        entry.name for entry in report.comparisons[0].entries if not entry.own
    }


@pytest.mark.filterwarnings("ignore")
def test_movement_runs_with_what_is_installed(monkeypatch):
    for name, value in {"COUNT": 20, "BLOCKS": 40, "FLOOR": 20, "FRAMES": 3}.items():
        monkeypatch.setattr(movement, name, value)
    report = movement.movement()
    (made,) = report.comparisons
    assert made.own()
    assert {"rapier3d, character controllers", "pymunk, dynamic bodies"} == {
        entry.name for entry in made.entries if not entry.own
    }
    assert ["20 characters on 40 blocks"] == [bound.what for bound in report.bounds]
