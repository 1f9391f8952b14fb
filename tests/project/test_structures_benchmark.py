"""Tests of the workload of structures: its scenes, what it leaves out, its table, plot and documents, all in small."""

from __future__ import annotations

import gc
import json

import numpy
import pytest

from benchmarks import structures, structures_docs
from benchmarks.report import Report, as_data, shown
from benchmarks.structures_plot import LOOKS, points_of
from benchmarks.structures_scenes import Indexes, Worlds, crowd_scene, level_scene
from ecs_collision.broadphase import BruteForce, Buckets
from ecs_collision.broadphase.choices import CHOICES

SMALL = {
    "COUNTS": (10, 40),
    "IN_3D": 30,
    "LEVEL": (60, 8),
    "ARTICLE_COUNT": 50,
    "ROUNDS": 2,
    "A_RUN": 80,
    "BUDGET": 0.001,
}


# The participants.


@pytest.mark.parametrize("name", ["buckets", "octree"])
@pytest.mark.parametrize(
    "scene",
    [crowd_scene("uniform", 60), crowd_scene("mixed", 200), crowd_scene("uniform", 60, 3), level_scene(60, 12)],
    ids=lambda scene: scene.name,
)
def test_an_index_alone_holds_finds_and_moves_what_brute_force_does(name, scene):
    expected, made = Indexes(scene, BruteForce()), Indexes(scene, CHOICES[name]())
    for _ in range(3):
        tables = made.found_pairs()
        assert sum(map(len, tables)) == made.pairs() == expected.pairs() > 0
        assert all(map(numpy.array_equal, expected.found_pairs(), tables))
        expected.move()
        made.move()
    for index in made.kept:
        index.check()
    assert made.bytes_each() >= expected.bytes_each() > 50


# What is left out.


def test_what_would_take_too_long_is_left_out_and_so_is_all_that_is_larger():
    results, scenes = structures.Results(), [crowd_scene("uniform", count) for count in (10, 100, 1_000)]
    assert results.allowed(scenes[0], "work", "slow", 5.0)
    results.add(scenes[0], "work", "slow", 1.0)
    results.add(scenes[0], "work", "fast", 0.001)
    assert not results.allowed(scenes[1], "work", "slow", 5.0)
    assert results.allowed(scenes[1], "work", "fast", 5.0)
    results.add(scenes[1], "work", "fast", 0.01)
    assert not results.allowed(scenes[2], "work", "slow", 1e9)
    assert 2 == results.skipped


# The whole.


@pytest.fixture(scope="module")
def report():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "collect", int)  # slow among the objects of all tests, and times are not compared
        for name, value in SMALL.items():
            patch.setattr(structures, name, value)
        yield structures.structures()


def test_the_workload_measures_every_structure_in_every_scene(report):
    scenes = len(SMALL["COUNTS"]) * len(structures.KINDS) + 2
    assert scenes * len(structures.MEASURES) == len(report.rows)
    assert {len(report.columns)} == {len(row) for row in report.rows}
    assert list(CHOICES) == list(report.columns[3:])
    assert not [row for row in report.rows if "not run" in row]
    assert all(kept for _, kept in report.limits), shown(report)
    assert scenes == sum("find the same" in text for text, _ in report.limits)
    assert 1 == sum("with every structure" in text for text, _ in report.limits)
    json.dumps(as_data([report], {}), allow_nan=False)


def test_the_figures_are_read_back_for_the_plot_and_the_page(report, monkeypatch):
    points = points_of(report.figures)
    assert set(LOOKS) == set(CHOICES)
    assert set(CHOICES) == set(points["uniform", "frame, 10 % moving"])
    assert list(SMALL["COUNTS"]) == sorted(points["mixed", structures.PAIRS]["octree"])
    assert [68] == list(points["level", structures.BUILDING]["quadtree"])
    monkeypatch.setattr(structures_docs, "COUNT", 40)
    page = structures_docs.broad_phases_part(report)
    assert all(f"| `{name}` | " in page for name in CHOICES)
    assert ", or one within 10 %, in " in page
    assert "(1.03 ms) and " in page and "(1.96 ms). " in page


def test_wrong_pairs_and_wrong_events_are_reported():
    report, scene = Report("", ""), crowd_scene("uniform", 50)
    made = [Indexes(scene, Buckets()), Indexes(crowd_scene("concentrated", 50), BruteForce())]
    structures._compare_pairs(report, scene, made)
    worlds = {"buckets": Worlds(scene, Buckets()), "brute_force": Worlds(scene, BruteForce())}
    worlds["buckets"].digests, worlds["brute_force"].digests = [1, 2, 3], [1, 3]
    structures._compare_events(report, structures.Results(), scene, "a frame", worlds)
    assert [False, False] == [kept for _, kept in report.limits]
    assert all("brute_force" in text for text, _ in report.limits)
