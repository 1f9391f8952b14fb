"""Esper worlds for tests: what a test does with them does not outlast it.

Esper keeps its worlds in a module, for the whole process. So a test that switches, fills or deletes them, or that
breaks off in the middle, would be felt by all that run after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import esper

from ecs_collision.systems import CollisionSystem
from ecs_collision.systems.world_binding import WorldBinding
from ecs_collision.testing.naming import named_results, restore_named_results


@contextmanager
def fresh_world(name: str = "test", **settings: Any) -> Iterator[CollisionSystem]:
    """Make an empty esper world the current one, and give the CollisionSystem that was added to it.

    name: that of the world, numbered if there is such a world already. settings: those of the system. Afterwards all
    is as before: see `isolated`.
    """
    with isolated():
        esper.switch_world(free_name(name))
        system = CollisionSystem(**settings)
        esper.add_processor(system)
        yield system


@contextmanager
def isolated() -> Iterator[None]:
    """Let the worlds of esper be as they were, whatever is done meanwhile, also where an error breaks it off.

    Worlds made meanwhile are deleted and their systems closed, so that their components are free again. In worlds that
    were there before, handlers set and processors added meanwhile are removed; one that was deleted is there again,
    empty. The world that was current is so again. What was done to entities of worlds that were there before stays.
    """
    current, saved_worlds = esper.current_world, {}
    for name in esper.list_worlds():
        esper.switch_world(name)
        saved_worlds[name] = _SavedWorld(WorldBinding(), _handlers(), _processors(), _system())
    esper.switch_world(current)
    known = list(named_results)
    try:
        yield
    finally:
        _restore_worlds(saved_worlds, current)
        restore_named_results(known)


def free_name(name: str) -> str:
    """Return a name that no esper world has: this one, or this one with a number."""
    taken = esper.list_worlds()
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


class _SavedWorld(NamedTuple):
    """A world as it was: which it is, for its name may be used again; its handlers by event; its processors."""

    binding: WorldBinding
    handlers: dict[str, set[Any]]
    processors: list[esper.Processor]
    system: CollisionSystem | None


def _restore_worlds(saved_worlds: Mapping[str, _SavedWorld], current: str) -> None:
    """Delete every world that was not there before, and rid the others of what came meanwhile."""
    temporary = free_name("between tests")
    for name in esper.list_worlds():
        esper.switch_world(name)
        saved, system = saved_worlds.get(name), _system()
        if system is not None and (saved is None or system is not saved.system):
            system.close()
        if saved is None or not saved.binding.is_current:
            esper.switch_world(temporary)
            esper.delete_world(name)
            continue
        for each in _processors():
            if not any(each is old for old in saved.processors):
                esper.remove_processor(type(each))
        if _handlers() != saved.handlers:
            esper.event_registry.clear()
            esper.event_registry.update(_alive(saved.handlers))
    for name in (*saved_worlds, current):
        esper.switch_world(name)
    if temporary in esper.list_worlds():
        esper.delete_world(temporary)


def _handlers() -> dict[str, set[Any]]:
    """Return the handlers of the current world by the names of events; esper holds them weakly."""
    return {name: set(handlers) for name, handlers in esper.event_registry.items()}


def _processors() -> list[esper.Processor]:
    """Return the processors of the current world, none where an esper keeps them elsewhere: it has no public list."""
    return list(getattr(esper, "_processors", ()))


def _alive(handlers: Mapping[str, set[Any]]) -> dict[str, set[Any]]:
    """Return the handlers that somebody still has, as esper keeps them."""
    alive = {name: {handler for handler in those if handler() is not None} for name, those in handlers.items()}
    return {name: those for name, those in alive.items() if those}


def _system() -> CollisionSystem | None:
    """Return the system of the current world."""
    system = esper.get_processor(CollisionSystem)
    return system if isinstance(system, CollisionSystem) else None
