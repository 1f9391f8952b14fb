"""The first box on a ray, one ray at a time and ten thousand in one call; and the boxes nearest to a point."""

from __future__ import annotations

from typing import Any

from benchmarks.boxes import PointScene, point_scene
from benchmarks.comparison import compare, own
from benchmarks.libraries import Job, libraries_of
from benchmarks.outputs import firsts, hits
from benchmarks.queries import world_of
from benchmarks.report import Report

COUNT = 10_000
RAYS = 10_000
SINGLE = 2_000
"""So many rays are cast one by one in a run."""
POINTS = 500
ONE, MANY, NEAREST = "space.ray", "space.ray_many", "space.nearest"
TARGET_ONE, TARGET_MANY, TARGET_NEAREST = 1.5, 5.0, 1.0
BUDGET = 4.0


def _one(scene: PointScene) -> Job:
    cast = world_of(scene.world).space.ray
    given = list(zip(map(tuple, scene.points.tolist()), map(tuple, scene.directions.tolist()), strict=True))
    far = scene.world.side

    return Job(
        lambda: [cast(point, way, far) for point, way in given],
        lambda found: firsts(None if hit is None else hit.entity for hit in found),
    )


def _many(scene: PointScene) -> Job:
    cast = world_of(scene.world).space.ray_many
    far = scene.world.side
    return Job(
        lambda: cast(scene.points, scene.directions, far),
        lambda found: firsts(None if entity < 0 else entity for entity in found[0].tolist()),
    )


def rays() -> Report:
    """Measure rays, one by one and many in one call, against engines that cast them one by one."""
    report = Report("rays", f"the first of {COUNT:,} boxes on a ray")
    for many in (False, True):
        for dims in (2, 3):
            scene = point_scene(COUNT, dims, RAYS if many else SINGLE)
            title = f"{RAYS:,} rays in one call, {dims}D" if many else f"one ray, {dims}D"
            participant, target = (own(MANY, _many), TARGET_MANY) if many else (own(ONE, _one), TARGET_ONE)
            participants, per = [participant, *libraries_of("ray")], 1 if many else SINGLE
            report.add(compare(title, scene, participants, targets={participant.name: target}, budget=BUDGET, per=per))
    return report


def nearest() -> Report:
    """Measure the search for the nearest boxes."""
    report = Report("nearest", f"which of {COUNT:,} boxes are nearest to a point")
    for k in (1, 8):

        def search(scene: PointScene, k: int = k) -> Job:
            find, points = world_of(scene.world).space.nearest, list(map(tuple, scene.points.tolist()))

            def output(found: Any) -> Any:
                return hits([each.entity for each in one] for one in found)

            return Job(lambda: [find(point, k) for point in points], output)

        for dims in (2, 3):
            scene = point_scene(COUNT, dims, POINTS)
            participants = [own(NEAREST, search), *libraries_of(f"nearest of {k}")]
            title = f"the nearest box, {dims}D" if k == 1 else f"the {k} nearest boxes, {dims}D"
            targets = {NEAREST: TARGET_NEAREST}
            report.add(compare(title, scene, participants, targets=targets, budget=BUDGET, per=POINTS))
    return report
