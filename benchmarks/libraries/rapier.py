"""rapier3d: the Python bindings of Rapier; 3D, so boxes of 2D lie side by side in a slab."""

from __future__ import annotations

from typing import Any

from benchmarks.boxes import Boxes, PointScene, QueryScene
from benchmarks.libraries import Job, Skipped, library
from benchmarks.outputs import firsts, hits, pairs


def _world(boxes: Boxes, sensor: bool) -> tuple[Any, list[Any]]:
    """Return a world of colliders without bodies, and their handles."""
    import rapier3d

    solid, world = boxes.in_3d(), rapier3d.PhysicsWorld()
    anything, events = rapier3d.ActiveCollisionTypes.all(), rapier3d.ActiveEvents.COLLISION_EVENTS
    handles = []
    for centre, half in zip(solid.centres.tolist(), solid.halves.tolist(), strict=True):
        collider = rapier3d.Collider.cuboid(*half).translation(centre)
        if sensor:
            collider = collider.sensor(True).active_collision_types(anything).active_events(events)
        handles.append(world.add_collider(collider.build()))
    return world, handles


@library("pairs", "rapier3d")
def rapier_pairs(boxes: Boxes) -> Job:
    """Create a world of sensors, detect collisions once, read the events."""
    import rapier3d

    def found() -> tuple[Any, Any, Any]:
        world, handles = _world(boxes, sensor=True)
        events = rapier3d.ChannelEventCollector()
        world.event_handler = events
        world.detect_collisions()
        return events.drain_collision_events(), handles, world

    def output(result: tuple[Any, Any, Any]) -> Any:
        number = {handle: row for row, handle in enumerate(result[1])}
        return pairs([(number[event.collider1], number[event.collider2]) for event in result[0]])

    return Job(found, output)


@library("query", "rapier3d", exact=False)
def rapier_query(scene: QueryScene) -> Job:
    """Run one query after another, with a callback for each hit."""
    import rapier3d

    world, number, query = _queried(scene.world)
    solid = scene.regions.in_3d()
    corners = zip(solid.lo.tolist(), solid.hi.tolist(), strict=True)
    regions = [rapier3d.Aabb(tuple(lo), tuple(hi)) for lo, hi in corners]

    def search(box: Any) -> list[Any]:
        found: list[Any] = []

        def note(handle: Any) -> bool:
            found.append(handle)
            return True

        query.colliders_with_aabb_intersecting_aabb(box, note)
        return found

    return Job(
        lambda: ([search(box) for box in regions], world)[0],
        lambda found: hits([[number[one] for one in each] for each in found]),
    )


@library("ray", "rapier3d", exact=False, leaves_out="float32")
def rapier_ray(scene: PointScene) -> Job:
    """Cast one ray after another."""
    import rapier3d

    solid = scene.in_3d()
    world, number, query = _queried(solid.world)
    rays = [
        rapier3d.Ray(tuple(point), tuple(way))
        for point, way in zip(solid.points.tolist(), solid.directions.tolist(), strict=True)
    ]
    return Job(
        lambda: ([query.cast_ray_and_get_normal(ray, 1.0, True) for ray in rays], world)[0],
        lambda found: firsts(None if hit is None else number[hit[0]] for hit in found),
    )


@library("cast box", "rapier3d", exact=False, leaves_out="float32")
def rapier_cast_box(scene: PointScene) -> Job:
    """Cast one box after another."""
    import rapier3d

    return _cast(scene, rapier3d.SharedShape.cuboid(scene.radius, scene.radius, scene.radius))


@library("cast ball", "rapier3d", exact=False, leaves_out="float32")
def rapier_cast_ball(scene: PointScene) -> Job:
    """Cast one ball after another."""
    import rapier3d

    return _cast(scene, rapier3d.SharedShape.ball(scene.radius))


def _cast(scene: PointScene, shape: Any) -> Job:
    import rapier3d

    solid, options = scene.in_3d(), rapier3d.ShapeCastOptions(max_time_of_impact=1.0)
    world, number, query = _queried(solid.world)
    given = [
        (rapier3d.Isometry3.from_translation(*point), rapier3d.Vec3(*way))
        for point, way in zip(solid.points.tolist(), solid.directions.tolist(), strict=True)
    ]
    return Job(
        lambda: ([query.cast_shape(start, way, shape, options) for start, way in given], world)[0],
        lambda found: firsts(None if hit is None else number[hit[0]] for hit in found),
    )


@library("nearest of 1", "rapier3d", exact=False, leaves_out="float32")
def rapier_nearest(scene: PointScene) -> Job:
    """Project one point after another on the nearest box."""
    solid = scene.in_3d()
    world, number, query = _queried(solid.world)
    points = list(map(tuple, solid.points.tolist()))
    return Job(
        lambda: ([query.project_point(point, True) for point in points], world)[0],
        lambda found: firsts(number[hit[0]] for hit in found),
    )


def _queried(boxes: Boxes) -> tuple[Any, dict[Any, int], Any]:
    """Return a world, the numbers of its colliders, and its queries."""
    world, handles = _world(boxes, sensor=False)
    world.detect_collisions()
    world.update_query_pipeline()
    return world, {handle: row for row, handle in enumerate(handles)}, world.query_pipeline


@library("idle", "rapier3d, asleep", dims=(2, 3))
def rapier_asleep(boxes: Boxes) -> Job:
    """Step a world of sleeping bodies."""
    import rapier3d

    world, solid = rapier3d.PhysicsWorld(), boxes.in_3d()
    events = rapier3d.ChannelEventCollector()
    world.event_handler = events
    for centre, half in zip(solid.centres.tolist(), solid.halves.tolist(), strict=True):
        body = world.add_body(rapier3d.RigidBody.dynamic().translation(tuple(centre)).build())
        world.add_collider(rapier3d.Collider.cuboid(*half).build(), body)
    for _ in range(200):
        world.step()
    if world.active_bodies():
        raise Skipped("bodies did not fall asleep")
    return Job(lambda: (world.step(), events)[0], calls=100)
