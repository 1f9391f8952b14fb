"""Boxes that overlap a box: one question at a time, and ten thousand in one call."""

from __future__ import annotations

from typing import Any

from benchmarks.answers import Answer, hits, hits_of_runs
from benchmarks.boxes import Asking, Boxes, asking
from benchmarks.contest import contest, ours
from benchmarks.peers import Job, peers_of
from benchmarks.report import Report
from ecs_collision import BoxCollider, CollisionWorld, Inertia, Transform

COUNT = 10_000
QUESTIONS = 10_000
ONE, MANY = "space.overlapping", "space.overlapping_many"
REACH_ONE, REACH_MANY = 1.0, 3.0
BUDGET = 4.0


def world_of(world: Boxes) -> CollisionWorld:
    """Return a world with a crate for each box; entity and row are the same number."""
    made, solid = CollisionWorld(), world.in_3d()
    for row, (at, half) in enumerate(zip(solid.centres.tolist(), solid.halves.tolist(), strict=True)):
        made.add(row, transform=Transform(*at), collider=BoxCollider(*half), inertia=Inertia(1.0))
    made.step()
    return made


def _one(scene: Asking) -> Job:
    ask = world_of(scene.world).space.overlapping
    asked = [(tuple(lo), tuple(hi)) for lo, hi in zip(scene.asked.lo.tolist(), scene.asked.hi.tolist(), strict=True)]
    return Job(lambda: [ask(box) for box in asked], hits)


def _many(scene: Asking) -> Job:
    ask = world_of(scene.world).space.overlapping_many

    def answer(found: Any) -> Answer:
        offsets, entities = found
        return hits_of_runs(offsets[1:] - offsets[:-1], entities)

    return Job(lambda: ask(scene.asked.lo, scene.asked.hi), answer)


def queries() -> Report:
    """Measure questions about boxes, one by one and many in one call, against every index and engine."""
    report = Report("queries", f"which of {COUNT:,} boxes overlap a box")
    for workload, entrant, reach in (("query", ours(ONE, _one), REACH_ONE), ("queries", ours(MANY, _many), REACH_MANY)):
        for dims in (2, 3):
            scene = asking(COUNT, dims, QUESTIONS)
            many = workload == "queries"
            title = f"{QUESTIONS:,} box queries in one call, {dims}D" if many else f"one box query, {dims}D"
            entrants = [entrant, *peers_of(workload)]
            per = 1 if many else QUESTIONS
            report.add(contest(title, scene, entrants, reaches={entrant.name: reach}, budget=BUDGET, per=per))
    return report
