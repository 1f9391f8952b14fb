"""Other libraries for characters: what they offer to a game whose bodies walk, climb steps and fall."""

from __future__ import annotations

from benchmarks.libraries import Job, library
from benchmarks.movement import (
    GRAVITY,
    HALF_HEIGHT,
    HALF_WIDTH,
    RATE,
    SETTLING,
    SPEED,
    STEP_HEIGHT,
    WORKLOAD,
    Land,
)

DT = 1 / RATE


@library(WORKLOAD, "rapier3d, character controllers", exact=False, leaves_out="without esper; no events")
def rapier_characters(scene: Land) -> Job:
    """Integrate gravity, cast each box with one controller that climbs and snaps, and write its new place."""
    import rapier3d

    world = rapier3d.PhysicsWorld()
    for x, y, half in scene.blocks:
        handle = world.add_body(rapier3d.RigidBody.fixed().translation((x, -y, 0.0)).build())
        world.add_collider(rapier3d.Collider.cuboid(0.5, half, 0.5).build(), handle)
    world.detect_collisions()
    world.update_query_pipeline()
    shape = rapier3d.SharedShape.cuboid(HALF_WIDTH, HALF_HEIGHT, 0.5)
    controller = rapier3d.KinematicCharacterController(
        up=(0, 1, 0), offset=0.01, slide=True,
        autostep=rapier3d.CharacterAutostep(
            max_height=rapier3d.CharacterLength.absolute(STEP_HEIGHT + 0.01),
            min_width=rapier3d.CharacterLength.absolute(0.1), include_dynamic_bodies=False,
        ),
        snap_to_ground=rapier3d.CharacterLength.absolute(STEP_HEIGHT + 0.01),
    )  # fmt: skip
    bodies, states = [], []
    for x, y, way in scene.walkers:
        built = rapier3d.RigidBody.kinematic_position_based().translation((x, -y, 0.0)).build()
        bodies.append(world.rigid_bodies[world.add_body(built)])
        states.append([SPEED * way, 0.0])
    only_ground = rapier3d.QueryFilter().exclude_kinematic()

    def frame() -> None:
        cast, queries = controller.move_shape, world.query_pipeline
        for body, state in zip(bodies, states, strict=True):
            speed, fall = state
            fall -= GRAVITY * DT
            moved = cast(DT, None, None, queries, shape, body.position, (speed * DT, fall * DT, 0.0), only_ground)
            by, place = moved.translation, body.translation
            body.translation = (place.x + by.x, place.y + by.y, 0.0)
            state[1] = 0.0 if moved.grounded else fall
            if abs(by.x) < abs(speed * DT) / 4:
                state[0] = -speed

    for _ in range(SETTLING):
        frame()
    return Job(frame)


@library(WORKLOAD, "pymunk, dynamic bodies", exact=False, leaves_out="without esper; does not climb; bodies overlap")
def pymunk_bodies(scene: Land) -> Job:
    """Set the velocity of each body across, upwards too if a step stops it, and step the space."""
    import pymunk

    space = pymunk.Space()
    space.gravity = (0, GRAVITY)
    walkers_only, ground_only = pymunk.ShapeFilter(categories=1, mask=2), pymunk.ShapeFilter(categories=2, mask=1)
    for x, y, half in scene.blocks:
        still = pymunk.Body(body_type=pymunk.Body.STATIC)
        still.position = (x, y)
        block = pymunk.Poly.create_box(still, (1.0, 2 * half))
        block.filter, block.friction = ground_only, 0.0
        space.add(still, block)
    walkers = []
    for x, y, way in scene.walkers:
        body = pymunk.Body(1.0, float("inf"))
        body.position = (x, y)
        box = pymunk.Poly.create_box(body, (2 * HALF_WIDTH, 2 * HALF_HEIGHT))
        box.filter, box.friction = walkers_only, 0.0
        space.add(body, box)
        walkers.append([body, SPEED * way, x])

    def frame() -> None:
        for walker in walkers:
            body, speed, before = walker
            x = body.position.x
            along = body.velocity[1]
            if abs(x - before) < abs(speed * DT) / 4:
                walker[1] = speed = -speed
            body.velocity = (speed, along)
            walker[2] = x
        space.step(DT)

    for _ in range(SETTLING):
        frame()
    return Job(frame)
