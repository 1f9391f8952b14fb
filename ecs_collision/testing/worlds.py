"""Isolated esper worlds for tests.

Esper stores its worlds in a module, for the whole process. A test that switches, fills or deletes worlds, or fails in
between, would affect all later tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, Unpack

import esper

from ecs_collision.fixed_point import instance_of
from ecs_collision.settings import WorldSettings
from ecs_collision.systems import CollisionSystem
from ecs_collision.systems.world_binding import WorldBinding
from ecs_collision.testing.naming import named_results, restore_named_results


@contextmanager
def fresh_world(name: str = "test", **settings: Unpack[WorldSettings]) -> Iterator[CollisionSystem]:
    """Create an empty esper world, make it current, and yield the CollisionSystem added to it.

    name: the name of the world, with a number if it is taken. settings: those of the system. Afterwards all worlds are
    restored, see `isolated`.
    """
    instance_of(name, str, "name", "give the name of an esper world")
    with isolated():
        esper.switch_world(free_name(name))
        system = CollisionSystem(**settings)
        esper.add_processor(system)
        yield system


@contextmanager
def isolated() -> Iterator[None]:
    """Restore the worlds of esper on exit, also after an error.

    Worlds created inside the block are deleted and their systems closed, which frees their components. In older worlds,
    handlers and processors added inside the block are removed. An older world that was deleted exists again, empty. The
    previous world is current again. Changes to entities of older worlds remain.
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
    """The state of a world before: its identity, because its name may be reused; handlers by event; processors."""

    binding: WorldBinding
    handlers: dict[str, set[Any]]
    processors: list[esper.Processor]
    system: CollisionSystem | None


def _restore_worlds(saved_worlds: Mapping[str, _SavedWorld], current: str) -> None:
    """Delete worlds that did not exist before, and remove additions from the others."""
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
    """Return the handlers of the current world by event name; esper holds them weakly."""
    return {name: set(handlers) for name, handlers in esper.event_registry.items()}


def _processors() -> list[esper.Processor]:
    """Return the processors of the current world, or none if esper no longer has this private list."""
    return list(getattr(esper, "_processors", ()))


def _alive(handlers: Mapping[str, set[Any]]) -> dict[str, set[Any]]:
    """Return the handlers that are still alive, in esper's format."""
    alive = {name: {handler for handler in those if handler() is not None} for name, those in handlers.items()}
    return {name: those for name, those in alive.items() if those}


def _system() -> CollisionSystem | None:
    """Return the CollisionSystem of the current world, or None."""
    system = esper.get_processor(CollisionSystem)
    return system if isinstance(system, CollisionSystem) else None
