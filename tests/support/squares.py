"""Worlds of unit boxes at given transforms, and the text of an error, for tests of components."""

from __future__ import annotations

from typing import Any

import pytest

from ecs_collision import BoxCollider, CollisionError, CollisionWorld, Inertia, Motion, Transform


def a_square(half: float = 0.5) -> BoxCollider:
    """Return a collider of that half extent."""
    return BoxCollider(half, half)


def a_world_with(*transforms: Transform, **settings: Any) -> CollisionWorld:
    """Return a world with a unit box at each of the transforms, numbered from 1."""
    world = CollisionWorld(**settings)
    for transform in transforms:
        world.add(transform=transform, collider=a_square())
    return world


def text_of(call: Any, kind: type[Exception] = CollisionError) -> str:
    """Return the message of the error that a call raises."""
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


def a_row(*inertias: float | None, force: float = 5.0, gap: float = 0.0, **settings: Any) -> CollisionWorld:
    """Return a world with a player, entity 1, and beside it on x bodies of these inertias, `gap` apart."""
    world = CollisionWorld(**settings)
    world.add(transform=Transform(0, 0), collider=a_square(), motion=Motion(force))
    for number, inertia in enumerate(inertias, 1):
        weight = None if inertia is None else Inertia(inertia)
        world.add(transform=Transform(number * (1 + gap), 0), collider=a_square(), inertia=weight)
    return world


def ruin(world: CollisionWorld) -> None:
    """Move, change and delete every body, add others with their ids, and release the world."""
    ids = sorted(world._bodies.row_of)
    for entity in ids:
        world.teleport(entity, entity * 40, 50, 5)
    for entity in ids:
        world.remove(entity)
    for entity in reversed(ids):
        motion = Motion(1) if entity > 1 else None
        world.add(entity, transform=Transform(entity, 0), collider=a_square(), inertia=Inertia(33), motion=motion)
    world.move(ids[-1], 3, 3, force=50)
    world.step()
    world._release_all()
