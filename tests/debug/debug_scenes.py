"""Worlds in which each layer of a debug view has something to draw."""

from __future__ import annotations

from ecs_collision import (
    Box,
    BoxCollider,
    CircleCollider,
    CollisionWorld,
    CompoundCollider,
    Contact,
    Fused,
    Inertia,
    Mass,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
    Velocity,
)

PLAYER, CRATE, HEAVY, WALL, PLATE, SLEEPER, LEFT, RIGHT, STAIRS, BALL, HIDDEN = range(1, 12)
NAMES = {PLAYER: "player", CRATE: "crate", HEAVY: "heavy", WALL: "wall", PLATE: "plate", SLEEPER: "sleeper"}
AREA = (0.0, 0.0, 16.0, 9.0)


def room() -> CollisionWorld:
    """Return a world with a body of each kind, after a frame."""
    world = CollisionWorld()
    for entity, at, collider, parts in (
        (PLAYER, (1.5, 1.5), BoxCollider(0.5, 0.5), {"motion": Motion(force=2), "contact": Contact()}),
        (CRATE, (3.0, 1.5), BoxCollider(0.5, 0.5), {"inertia": Inertia(1)}),
        (HEAVY, (5.0, 1.5), BoxCollider(0.5, 0.5), {"inertia": Inertia(7)}),
        (WALL, (8.5, 1.5), BoxCollider(0.5, 1.5), {"static": Static()}),
        (PLATE, (3.0, 4.5), BoxCollider(1.0, 0.5), {"trigger": Trigger()}),
        (SLEEPER, (6.5, 4.5), BoxCollider(0.5, 0.5), {"inertia": Inertia(1), "sleeping": Sleeping(asleep=True)}),
        (LEFT, (10.5, 4.5), BoxCollider(0.5, 0.5), {"inertia": Inertia(1)}),
        (RIGHT, (11.5, 4.5), BoxCollider(0.5, 0.5), {"inertia": Inertia(1), "fused": Fused(LEFT)}),
        (STAIRS, (13.5, 1.5), CompoundCollider([Box(0.5, 0.5, offset=at) for at in ((0, 0), (1, 0), (0, 1))]), {}),
        (BALL, (12.5, 7.0), CircleCollider(0.5), {"velocity": Velocity(2, 0), "mass": Mass(1)}),
        (HIDDEN, (2.5, 7.0), BoxCollider(0.5, 0.5, enabled=False), {}),
    ):
        world.add(entity, transform=Transform(*at), collider=collider, **parts)
    world.step()
    return world


def push(world: CollisionWorld) -> None:
    """Let the player push the crate against the heavy one, and ask for a ray."""
    world.request(PLAYER, 3.0, 0.0)
    world.step()
    world.space.ray((1.5, 4.5), (1, 0), ignore=[PLATE])
