"""Boxes that overlap a box: one query at a time, and ten thousand in one call."""

from __future__ import annotations

from typing import Any

from benchmarks.boxes import Boxes, QueryScene, query_scene
from benchmarks.comparison import compare, own
from benchmarks.libraries import Job, libraries_of
from benchmarks.outputs import Output, hits, hits_of_runs
from benchmarks.report import Report
from ecs_collision import BoxCollider, CollisionWorld, Inertia, Transform

COUNT = 10_000
QUERIES = 10_000
ONE, MANY = "space.overlapping", "space.overlapping_many"
TARGET_ONE, TARGET_MANY = 1.0, 3.0
BUDGET = 4.0


def world_of(world: Boxes) -> CollisionWorld:
    """Return a world with a crate for each box; entity and row are the same number."""
    made, solid = CollisionWorld(), world.in_3d()
    for row, (at, half) in enumerate(zip(solid.centres.tolist(), solid.halves.tolist(), strict=True)):
        made.add(row, transform=Transform(*at), collider=BoxCollider(*half), inertia=Inertia(1.0))
    made.step()
    return made


def _one(scene: QueryScene) -> Job:
    search = world_of(scene.world).space.overlapping
    regions = [
        (tuple(lo), tuple(hi)) for lo, hi in zip(scene.regions.lo.tolist(), scene.regions.hi.tolist(), strict=True)
    ]
    return Job(lambda: [search(box) for box in regions], hits)


def _many(scene: QueryScene) -> Job:
    search = world_of(scene.world).space.overlapping_many

    def output(found: Any) -> Output:
        offsets, entities = found
        return hits_of_runs(offsets[1:] - offsets[:-1], entities)

    return Job(lambda: search(scene.regions.lo, scene.regions.hi), output)


def queries() -> Report:
    """Measure box queries, one by one and many in one call, against every index and engine."""
    report = Report("queries", f"which of {COUNT:,} boxes overlap a box")
    for workload, participant, target in (
        ("query", own(ONE, _one), TARGET_ONE),
        ("queries", own(MANY, _many), TARGET_MANY),
    ):
        for dims in (2, 3):
            scene = query_scene(COUNT, dims, QUERIES)
            many = workload == "queries"
            title = f"{QUERIES:,} box queries in one call, {dims}D" if many else f"one box query, {dims}D"
            participants = [participant, *libraries_of(workload)]
            per = 1 if many else QUERIES
            report.add(compare(title, scene, participants, targets={participant.name: target}, budget=BUDGET, per=per))
    return report
