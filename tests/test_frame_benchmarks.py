"""The frame workloads: their crowds, what peers are held to, and that each runs on worlds made small."""

from __future__ import annotations

from functools import partial

import numpy
import pytest

from benchmarks import frames
from benchmarks.answers import rows
from benchmarks.boxes import GRAIN
from benchmarks.contest import contest
from benchmarks.frames_crowd import crowd
from benchmarks.peers import Peer, peers_of
from benchmarks.peers.frame_arrays import DictHashFrame
from benchmarks.peers.frame_base import (
    IN_BULK,
    ONE_BY_ONE,
    Began,
    Ended,
    FramePeer,
    Rebuilding,
    Updating,
    answer,
    job,
    records,
)
from ecs_collision import TriggerEntered

DOORS = {ONE_BY_ONE: "one_by_one", IN_BULK: "in_bulk"}
KINDS = [(2, "uniform"), (3, "uniform"), (2, "mixed"), (3, "mixed")]


def overlapping(lo, hi):
    """All pairs of boxes that overlap, by comparing each with each."""
    meet = (lo[:, None] < hi[None]).all(2) & (lo[None] < hi[:, None]).all(2)
    first, second = numpy.nonzero(numpy.triu(meet, 1))
    return first, second


class Naive(Rebuilding):
    """A peer that compares each with each."""

    def _all_pairs(self):
        return overlapping(self.lo, self.hi)


class NaiveUpdating(Updating):
    """A peer whose index is the arrays themselves."""

    def _insert(self):
        self._now = (self.lo.copy(), self.hi.copy())

    def _update(self, moved, lo, hi):
        assert not numpy.array_equal(self.lo[moved], lo)  # the old places are still there
        self._now[0][moved], self._now[1][moved] = lo, hi

    def _ask(self, lo, hi):
        meet = (lo[:, None] < self._now[1][None]).all(2) & (self._now[0][None] < hi[:, None]).all(2)
        asked, found = numpy.nonzero(meet)
        return found, numpy.bincount(asked, minlength=len(lo))


class Forgetful(Naive):
    """A peer that never tells of an end."""

    def _compare(self, moved, lo, hi):
        began, ended = super()._compare(moved, lo, hi)
        return began, ended[:0]


def compete(workload, scene, *peers):
    made = [entrant for entrant in frames.entrants_of(workload, DOORS[workload]) if entrant.ours]
    try:
        found = contest("", scene, [*made, *peers], rounds=5, checked=6)
    finally:
        frames.delete_worlds()
    return {entry.name: entry for entry in found.entries}


@pytest.mark.parametrize(("dims", "kind"), KINDS)
def test_a_crowd_walks_on_even_grains_so_that_no_faces_meet(dims, kind):
    scene = crowd(300, dims, kind, 30, 8)
    lo, hi = scene.start.lo.copy(), scene.start.hi.copy()
    for change in scene.changes:
        assert 30 == len(set(change.row_list))
        moved = change.centres - scene.start.halves[change.rows] - lo[change.rows]
        assert 0 < abs(moved).max() <= 0.1
        lo[change.rows] += moved
        hi[change.rows] += moved
        assert not (lo / (2 * GRAIN) % 1).any()
        assert ((hi / GRAIN % 2) == 1).all()
        assert change.places == [tuple(place) for place in change.centres.tolist()]
        assert {3} == {len(place) for place in change.places_3d}


def test_a_crowd_stays_in_its_world():
    scene = crowd(50, 2, "uniform", 50, 400)
    inside = (scene.start.centres >= 0) & (scene.start.centres <= scene.start.side)
    centres = scene.changes[-1].centres
    assert ((centres >= 0) & (centres <= scene.start.side))[inside].all()


def test_records_tell_each_pair_both_ways_round():
    made = records(7, ([1], [2]), ([3, 4], [5, 6]))
    expected = {Ended(7, 3, 5, "moved"), Ended(7, 5, 3, "moved"), Ended(7, 4, 6, "moved"), Ended(7, 6, 4, "moved")}
    assert {Began(7, 1, 2), Began(7, 2, 1), *expected} == set(made)
    assert 6 == len(made)
    assert {Began, Ended} == {type(event) for event in made}


def test_our_events_and_those_of_peers_are_told_alike():
    assert answer([Began(1, 0, 4)]).tolist() == answer([TriggerEntered(9, 10, 14)], 10).tolist()


@pytest.mark.parametrize("workload", DOORS)
@pytest.mark.parametrize(("dims", "kind"), KINDS)
@pytest.mark.parametrize("moving", [1, 20, 200])
def test_peers_that_are_right_answer_as_ours_do(workload, dims, kind, moving):
    scene = crowd(200, dims, kind, moving, 6)
    peers = [
        Peer(made.__name__, partial(job, made, DOORS[workload])) for made in (Naive, NaiveUpdating, DictHashFrame)
    ]
    found = compete(workload, scene, *peers)
    assert {frames.OURS, frames.ASKED, "Naive", "NaiveUpdating", "DictHashFrame"} == set(found)
    assert {""} == {entry.difference for entry in found.values()}
    assert all(entry.timed for entry in found.values())


@pytest.mark.parametrize("workload", DOORS)
def test_a_peer_with_a_wrong_answer_is_reported_and_never_the_best(workload):
    found = compete(workload, crowd(200, 2, "uniform", 200, 6), Peer("forgetful", partial(job, Forgetful, "in_bulk")))
    assert found["forgetful"].is_wrong
    assert "missing" in found["forgetful"].remark
    assert "WRONG" in found["forgetful"].remark
    assert not found[frames.OURS].is_wrong


def test_a_peer_that_does_not_tell_is_not_compared():
    class Silent(FramePeer):
        tells = False

        def __init__(self, boxes):
            pass

        def one_by_one(self, change):
            return []

    found = compete(ONE_BY_ONE, crowd(60, 2, "uniform", 60, 6), Peer("silent", partial(job, Silent, "one_by_one")))
    assert found["silent"].timed
    assert not found["silent"].difference


def test_something_happens_in_the_frames_that_are_compared():
    scene = crowd(400, 2, "uniform", 400, 6)
    work = job(Naive, "in_bulk", scene)
    told = []
    for _ in range(6):
        work.before()
        told.append(rows(work.answer(work.run())))
    assert all(len(each) > 10 for each in told)


@pytest.mark.parametrize("workload", DOORS)
def test_the_peers_that_flatter_least_are_there(workload):
    names = {peer.name for peer in peers_of(workload)}
    for library in ("LBVH", "rstar-python", "rapier3d", "boostree", "pymunk"):
        assert any(library in name for name in names), library


@pytest.mark.filterwarnings("ignore")  # those of the libraries; raised while Box2D is imported, one ends the process
@pytest.mark.parametrize("name", ["frames", "frames_in_bulk"])
def test_a_frame_workload_runs_with_what_is_installed(name, monkeypatch):
    monkeypatch.setattr(frames, "COUNT", 100)
    monkeypatch.setattr(frames, "FRAMES", {100: 3, 10: 3, 1: 3})
    report = getattr(frames, name)()
    assert 12 == len(report.contests)
    assert all(found.ours() and not found.wrong() for found in report.contests)
    assert 24 <= len([figure for figure in report.figures if "ecs-collision" in figure])
