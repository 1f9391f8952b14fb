"""Esper worlds for tests: fresh worlds, functions that create bodies, and functions that read a frame."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import esper
import pytest

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
)

_numbers = itertools.count(1)


@contextmanager
def fresh_world() -> Iterator[str]:
    """Switch to an empty esper world, and delete it afterwards."""
    name, before = f"test world {next(_numbers)}", esper.current_world
    esper.switch_world(name)
    try:
        yield name
    finally:
        esper.switch_world("between tests" if before == name else before)
        if name in esper.list_worlds():
            esper.delete_world(name)


@pytest.fixture
def world() -> Iterator[str]:
    """An empty esper world, current during the test; its name."""
    with fresh_world() as name:
        yield name


@pytest.fixture
def system(world: str) -> CollisionSystem:
    """A system with default settings, added to a fresh world."""
    return a_system()


def a_system(**settings: Any) -> CollisionSystem:
    """Return a system added to the current world."""
    system = CollisionSystem(**settings)
    esper.add_processor(system)
    return system


def a_box(x: float, y: float = 0.0, *more: Any, hx: float = 0.5, hy: float = 0.5, **collider: Any) -> int:
    """Create a body with one box (by default a unit box) and other components."""
    return esper.create_entity(Transform(x, y), BoxCollider(hx, hy, **collider), *more)


def a_crate(x: float, y: float = 0.0, *more: Any, inertia: float = 1.0, **collider: Any) -> int:
    """Create a body that a force above `inertia` can push."""
    return a_box(x, y, Inertia(inertia), *more, **collider)


def a_player(x: float, y: float = 0.0, *more: Any, force: float = 5.0, **collider: Any) -> int:
    """Create a body with a Motion."""
    return a_box(x, y, Motion(force=force), *more, **collider)


def a_wall(x: float, y: float = 0.0, *more: Any, **collider: Any) -> int:
    """Create a static body."""
    return a_box(x, y, Static(), *more, **collider)


def a_zone(
    x: float, y: float = 0.0, *more: Any, hx: float = 0.5, hy: float = 0.5, layer: str = "default", **trigger: Any
) -> int:
    """Create a trigger with the given options."""
    return a_box(x, y, Trigger(**trigger), *more, hx=hx, hy=hy, layer=layer)


def a_sleeper(x: float, y: float = 0.0, *more: Any, after: int = 30, **collider: Any) -> int:
    """Create a crate that is asleep."""
    return a_crate(x, y, Sleeping(asleep=True, after=after), *more, **collider)


def part(entity: int, kind: type[Any]) -> Any:
    """Return the component of that kind."""
    return esper.component_for_entity(entity, kind)


def place(entity: int) -> tuple[float, float, float]:
    """Return the position of a body."""
    position: tuple[float, float, float] = part(entity, Transform).position
    return position


def frames(system: CollisionSystem, count: int) -> list[list[Any]]:
    """Process `count` frames and return the events of each."""
    events = []
    for _ in range(count):
        esper.process()
        events.append(list(system.events))
    return events


def trigger_events(system: CollisionSystem) -> list[tuple[Any, ...]]:
    """Return the trigger events of this frame in order: (word, trigger, other) or ("left", trigger, other, reason)."""
    return [each for event in system.events for each in _event_tuples(event)]


def next_frame(system: CollisionSystem) -> list[tuple[Any, ...]]:
    """Process one frame and return its trigger events."""
    esper.process()
    return trigger_events(system)


def _event_tuples(event: Any) -> list[tuple[Any, ...]]:
    if isinstance(event, TriggerEntered):
        return [("entered", event.trigger, event.other)]
    if isinstance(event, TriggerStayed):
        return [("stayed", event.trigger, event.other)]
    if isinstance(event, TriggerLeft):
        return [("left", event.trigger, event.other, event.reason.name)]
    return []


def of_kind(system: CollisionSystem, kind: type[Any]) -> list[Any]:
    """Return this frame's events of one kind."""
    return [event for event in system.events if isinstance(event, kind)]
