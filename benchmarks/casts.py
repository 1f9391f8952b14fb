"""The first body that a shape meets on its way: boxes and circles in 2D, boxes and spheres in 3D, one at a time.

pymunk casts circles, as thick rays; it compares only boxes whose bounds the middle of the ray meets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.boxes import PointScene, point_scene
from benchmarks.comparison import compare, own
from benchmarks.libraries import Job, libraries_of
from benchmarks.outputs import firsts
from benchmarks.queries import world_of
from benchmarks.report import Report
from ecs_collision import Box, Sphere

COUNT = 10_000
CASTS = 2_000
WAYS = (3.0, 30.0)
"""Lengths of the ways; the boxes have sides of 0.5 to 1.5."""
OWN, TARGET = "space.cast", 1.0
LIMIT = 4e-6
"""Seconds that a cast may take."""
BUDGET = 4.0
RADIUS = 0.5
"""Of a ball; half the side of a box."""
SHAPES: dict[str, Callable[[float], Any]] = {"box": lambda half: Box(half, half, half), "ball": Sphere}


def _cast(make: Callable[[float], Any], scene: PointScene) -> Job:
    cast, part = world_of(scene.world).space.cast, make(scene.radius)
    starts, ways = map(tuple, scene.points.tolist()), map(tuple, scene.directions.tolist())
    given = [((part, start), way) for start, way in zip(starts, ways, strict=True)]
    return Job(
        lambda: [cast(shape, way) for shape, way in given],
        lambda found: firsts(None if hit is None else hit.entity for hit in found),
    )


def casts() -> Report:
    """Measure casts of shapes over short and long ways, against engines."""
    report = Report("casts", f"the first of {COUNT:,} boxes that a shape meets on its way")
    for dims in (2, 3):
        for shape in SHAPES:
            for length in WAYS:
                scene = point_scene(COUNT, dims, CASTS, length=length, radius=RADIUS)
                title = f"cast of a {shape}, {length:g} units, {dims}D"
                participants = [own(OWN, partial(_cast, SHAPES[shape])), *libraries_of(f"cast {shape}")]
                made = compare(title, scene, participants, targets={OWN: TARGET}, budget=BUDGET, per=CASTS)
                report.add(made)
                report.within(f"time of a {title}", report.figures[f"{title}: {OWN}"], LIMIT)
    return report
