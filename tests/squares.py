"""Worlds of unit boxes at given transforms, and the text of an error, for tests that look closely at components."""

from __future__ import annotations

from typing import Any

import pytest

from ecs_collision import BoxCollider, CollisionError, CollisionWorld, Transform


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
    """Return what the call's error says."""
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)
