"""Other libraries for the movers: what physics engines offer to a game whose bodies walk and push."""

from __future__ import annotations

from typing import Any

from benchmarks.libraries import Job, library
from benchmarks.movers import BY_FORCES, BY_MOTIONS, Field

FRAME = 1 / 60
NO_PUSHES = "no pushing; all use the positions of the last frame"
INEXACT = "bodies overlap; no result lists the pushes"


def turns(scene: Field) -> tuple[list[list[tuple[float, float]]], Any]:
    """Return a list with the requests of the current frame, and a function that advances to the next."""
    frames = iter(scene.requests)
    current: list[list[tuple[float, float]]] = []

    def turn() -> None:
        current[:] = [next(frames)]

    return current, turn


@library(BY_MOTIONS, "rapier3d, character controllers", exact=False, leaves_out=NO_PUSHES)
def rapier_characters(scene: Field) -> Job:
    """Cast each box along its request with one controller, write its new place, and update the index."""
    import rapier3d

    world = rapier3d.PhysicsWorld()
    shape = rapier3d.SharedShape.cuboid(0.5, 0.5, 0.5)
    bodies, filters = [], []
    for x, y in scene.places:
        built = rapier3d.RigidBody.kinematic_position_based().translation((x, y, 0.0)).build()
        handle = world.add_body(built)
        world.add_collider(rapier3d.Collider.cuboid(0.5, 0.5, 0.5).build(), handle)
        bodies.append(world.rigid_bodies[handle])
        filters.append(rapier3d.QueryFilter().exclude_rigid_body(handle))
    world.detect_collisions()
    world.update_query_pipeline()
    controller = rapier3d.KinematicCharacterController(
        up=(0, 0, 1), offset=0.01, slide=False, autostep=None, snap_to_ground=None
    )
    current, turn = turns(scene)

    def frame() -> None:
        cast, queries = controller.move_shape, world.query_pipeline
        for body, others, (dx, dy) in zip(bodies, filters, current[0], strict=True):
            moved = cast(FRAME, None, None, queries, shape, body.position, (dx, dy, 0.0), others).translation
            place = body.translation
            body.translation = (place.x + moved.x, place.y + moved.y, 0.0)
        world.detect_collisions()
        world.update_query_pipeline()

    return Job(frame, None, turn)


@library(BY_FORCES, "rapier3d, dynamic bodies", exact=False, leaves_out=INEXACT)
def rapier_bodies(scene: Field) -> Job:
    """Give each body the velocity that would move it to its requested place, and step."""
    import rapier3d

    world = rapier3d.PhysicsWorld()
    world.gravity = (0, 0, 0)
    flat, bodies = rapier3d.LockedAxes.ROTATION_LOCKED | rapier3d.LockedAxes.TRANSLATION_LOCKED_Z, []
    for x, y in scene.places:
        handle = world.add_body(rapier3d.RigidBody.dynamic().translation((x, y, 0.0)).locked_axes(flat).build())
        world.add_collider(rapier3d.Collider.cuboid(0.5, 0.5, 0.5).friction(0.0).build(), handle)
        bodies.append(world.rigid_bodies[handle])
    step = world.integration_parameters.dt
    current, turn = turns(scene)

    def frame() -> None:
        for body, (dx, dy) in zip(bodies, current[0], strict=True):
            body.linvel = (dx / step, dy / step, 0.0)
        world.step()

    return Job(frame, None, turn)


@library(BY_FORCES, "pymunk, dynamic bodies", exact=False, leaves_out=INEXACT)
def pymunk_bodies(scene: Field) -> Job:
    """Give each body the velocity that would move it to its requested place, and step."""
    import pymunk

    space, bodies = pymunk.Space(), []
    for place in scene.places:
        body = pymunk.Body(1.0, float("inf"))
        body.position = place
        space.add(body, pymunk.Poly.create_box(body, (1.0, 1.0)))
        bodies.append(body)
    current, turn = turns(scene)

    def frame() -> None:
        for body, (dx, dy) in zip(bodies, current[0], strict=True):
            body.velocity = (dx / FRAME, dy / FRAME)
        space.step(FRAME)

    return Job(frame, None, turn)


@library(BY_FORCES, "pyb2d3 (Box2D 3), dynamic bodies", exact=False, leaves_out=INEXACT)
def box2d_bodies(scene: Field) -> Job:
    """Give each body the velocity that would move it to its requested place, and step."""
    import pyb2d3

    world, bodies = pyb2d3.World(gravity=(0, 0)), []
    kind, box = pyb2d3.shape_def(density=1.0), pyb2d3.box(0.5, 0.5)
    for place in scene.places:
        body = world.create_dynamic_body(position=place, fixed_rotation=True)
        body.create_shape(kind, box)
        bodies.append(body)
    current, turn = turns(scene)

    def frame() -> None:
        for body, (dx, dy) in zip(bodies, current[0], strict=True):
            body.linear_velocity = (dx / FRAME, dy / FRAME)
        world.step(FRAME, 4)

    return Job(frame, None, turn)
