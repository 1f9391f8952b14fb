"""A CollisionWorld for tests: boxes are placed by their low corner, with short methods for pushes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Motion,
    MoveResult,
    Static,
    Transform,
)
from ecs_collision._build import hot_files_are_compiled


class Board:
    """A world whose boxes are placed by their low corner: `crate(3)` covers [3, 4] on x and [0, 1] on y."""

    def __init__(self, **settings: Any) -> None:
        self.world = CollisionWorld(**settings)
        self.transforms: dict[int, Transform] = {}
        self.colliders: dict[int, Any] = {}
        self.corners: dict[int, tuple[float, float]] = {}

    def body(self, x: float, y: float = 0.0, w: float = 1.0, h: float = 1.0, **parts: Any) -> int:
        """Add a box of width w and height h with any components, and optionally `layer`, `mask` and `id`."""
        collider = BoxCollider(w / 2, h / 2, layer=parts.pop("layer", "default"), mask=parts.pop("mask", None))
        entity = self._add(Transform(x + w / 2, y + h / 2, parts.pop("z", 0.0)), collider, **parts)
        self.corners[entity] = (w / 2, h / 2)
        return entity

    def crate(self, x: float, y: float = 0.0, inertia: float = 1.0, **more: Any) -> int:
        """Add a box that can be pushed by a force above `inertia`."""
        return self.body(x, y, inertia=Inertia(inertia), **more)

    def player(self, x: float, y: float = 0.0, force: float = 5.0, priority: int = 0, **more: Any) -> int:
        """Add a box with a Motion."""
        return self.body(x, y, motion=Motion(force=force, priority=priority), **more)

    def wall(self, x: float, y: float = 0.0, **more: Any) -> int:
        """Add a static box."""
        return self.body(x, y, static=Static(), **more)

    def compound(self, *boxes: tuple[float, float, float, float], x: float = 0.0, y: float = 0.0, **parts: Any) -> int:
        """Add a body of boxes (low x, low y, high x, high y), relative to (x, y)."""
        return self._add(Transform(x, y), CompoundCollider([part(*box) for box in boxes]), **parts)

    def _add(self, transform: Transform, collider: Any, **parts: Any) -> int:
        entity: int = self.world.add(parts.pop("id", None), transform=transform, collider=collider, **parts)
        self.transforms[entity], self.colliders[entity] = transform, collider
        return entity

    def at(self, entity: int) -> tuple[float, float]:
        """Return the low corner of a box, or the position of a compound."""
        half_w, half_h = self.corners.get(entity, (0.0, 0.0))
        transform = self.transforms[entity]
        return (transform.x - half_w, transform.y - half_h)

    def xs(self, *entities: int) -> list[float]:
        """Return the low x of bodies."""
        return [self.at(entity)[0] for entity in entities]

    def push(self, entity: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0, **options: Any) -> MoveResult:
        """Move a body now."""
        result: MoveResult = self.world.move(entity, dx, dy, dz, **options)
        return result

    def places(self) -> dict[int, tuple[float, float, float]]:
        """Return the position of every body."""
        return {entity: transform.position for entity, transform in self.transforms.items()}


def part(low_x: float, low_y: float, high_x: float, high_y: float) -> Box:
    """Return the box between two corners, for a compound."""
    middle = ((low_x + high_x) / 2, (low_y + high_y) / 2)
    return Box((high_x - low_x) / 2, (high_y - low_y) / 2, offset=middle)


def stop_of(result: MoveResult) -> tuple[str, int | None, str, float]:
    """Return the only stop of a motion as (axis, blocker, reason, allowed)."""
    (stop,) = result.stops
    return (stop.axis, stop.blocker, stop.reason.name, stop.allowed)


def event_tuples(events: list[Any], *kinds: type[Any]) -> list[tuple[Any, ...]]:
    """Return the events of some classes as tuples of their fields, without the frame."""
    return [
        (type(event).__name__, *(getattr(event, name) for name in event.__slots__))
        for event in events
        if isinstance(event, kinds)
    ]


AS_SHIPPED = hot_files_are_compiled() and os.environ.get("HYPOTHESIS_PROFILE") != "few"
"""Whether the hot files are in the form that users get. In other forms fewer examples run."""
IS_SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"


def trials(count: int) -> int:
    """Return how many examples to run: a quarter with hot files as shipped, else a twentieth; all in a soak."""
    return count if IS_SOAK else count // (4 if AS_SHIPPED else 20)


def seeds(count: int) -> range:
    """Return the seeds to run: a quarter, and all in a soak."""
    return range(count if IS_SOAK else (count + 3) // 4)


def small(all_names: Iterable[str], names: Iterable[str]) -> list[Any]:
    """Return all names, those that are not among the small ones marked as soak."""
    return [name if name in names else pytest.param(name, marks=pytest.mark.soak) for name in all_names]


def sometimes(all_names: Iterable[Any], names: Iterable[Any]) -> list[Any]:
    """Return all names, of which some are only run with hot files as shipped."""
    return [pytest.param(name, marks=pytest.mark.once) if name in names else name for name in all_names]


def many(count: int, more: int = 0) -> list[int]:
    """Return the seeds to run; in a soak twenty times as many, and `more`."""
    return [*seeds(count), *range(1000, 1000 + IS_SOAK * (20 * count + more))]
