"""pymunk: Chipmunk; 2D, with a body, a shape and a callback for each."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.boxes import Boxes, PointScene, QueryScene
from benchmarks.libraries import Job, library
from benchmarks.outputs import firsts, hits, pairs

FRAME = 1 / 60


def _space(boxes: Boxes, kind: str, sensor: bool = False) -> tuple[Any, list[Any]]:
    import pymunk

    space, shapes = pymunk.Space(), []
    body_type = getattr(pymunk.Body, kind)
    for centre, side in zip(boxes.centres.tolist(), (2 * boxes.halves).tolist(), strict=True):
        body = pymunk.Body(1, 1) if kind == "DYNAMIC" else pymunk.Body(body_type=body_type)
        body.position = tuple(centre)
        shape = pymunk.Poly.create_box(body, tuple(side))
        shape.sensor = sensor
        space.add(body, shape)
        shapes.append(shape)
    return space, shapes


@library("pairs", "pymunk sensors", dims=(2,))
def pymunk_pairs(boxes: Boxes) -> Job:
    """Create a space of sensors and step once, with a callback for each pair."""

    def found() -> tuple[list[Any], list[Any], Any]:
        space, shapes = _space(boxes, "KINEMATIC", sensor=True)
        met: list[Any] = []
        space.on_collision(begin=lambda arbiter, _space, _data: met.append(arbiter.shapes))
        space.step(FRAME)
        return met, shapes, space

    def output(result: tuple[list[Any], list[Any], Any]) -> Any:
        number = {shape: row for row, shape in enumerate(result[1])}
        return pairs([(number[one], number[other]) for one, other in result[0]])

    return Job(found, output)


@library("query", "pymunk", dims=(2,))
def pymunk_query(scene: QueryScene) -> Job:
    """Run one query after another."""
    import pymunk

    space, shapes = _space(scene.world, "STATIC")
    space.step(FRAME)
    number = {shape: row for row, shape in enumerate(shapes)}
    anything, query = pymunk.ShapeFilter(), space.bb_query
    regions = [pymunk.BB(*box) for box in numpy.hstack([scene.regions.lo, scene.regions.hi]).tolist()]
    return Job(
        lambda: [query(box, anything) for box in regions],
        lambda found: hits([number[shape] for shape in each] for each in found),
    )


@library("cast ball", "pymunk", dims=(2,), exact=False, leaves_out="boxes that only the side of the ball meets")
@library("ray", "pymunk", dims=(2,))
def pymunk_ray(scene: PointScene) -> Job:
    """Query one segment after another, with the radius of the scene."""
    import pymunk

    space, shapes = _space(scene.world, "STATIC")
    space.step(FRAME)
    number = {shape: row for row, shape in enumerate(shapes)}
    anything, query, radius = pymunk.ShapeFilter(), space.segment_query_first, scene.radius
    rays = list(zip(map(tuple, scene.points.tolist()), map(tuple, scene.ends.tolist()), strict=True))
    return Job(
        lambda: [query(start, end, radius, anything) for start, end in rays],
        lambda found: firsts(None if hit is None else number[hit.shape] for hit in found),
    )


@library("nearest of 1", "pymunk", dims=(2,))
def pymunk_nearest(scene: PointScene) -> Job:
    """Query one point after another."""
    import pymunk

    space, shapes = _space(scene.world, "STATIC")
    space.step(FRAME)
    number = {shape: row for row, shape in enumerate(shapes)}
    anything, query, points = pymunk.ShapeFilter(), space.point_query_nearest, list(map(tuple, scene.points.tolist()))
    far = scene.world.side
    return Job(
        lambda: [query(point, far, anything) for point in points],
        lambda found: firsts(None if hit is None else number[hit.shape] for hit in found),
    )


@library("idle", "pymunk, asleep", dims=(2,))
def pymunk_asleep(boxes: Boxes) -> Job:
    """Step a space of sleeping bodies."""
    space, _ = _space(boxes, "DYNAMIC")
    space.sleep_time_threshold = 0.05
    for _ in range(20):
        space.step(FRAME)
    assert all(body.is_sleeping for body in space.bodies), "bodies did not fall asleep"
    return Job(lambda: space.step(FRAME), calls=200)


@library("idle", "pymunk, static", dims=(2,))
def pymunk_static(boxes: Boxes) -> Job:
    """Step a space of static bodies."""
    space, _ = _space(boxes, "STATIC")
    space.step(FRAME)
    return Job(lambda: space.step(FRAME), calls=2000)
