"""Names of entities: every function of the test kit takes an entity by number or name.

A `MoveResult` contains entity numbers only. Boards remember the names for the results they return. For other results
the names are those in the current esper world (`ThingName`), and entities without a name are shown by number.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar

import esper

from ecs_collision.errors import CollisionTypeError, CollisionValueError, UnknownEntity
from ecs_collision.game.game import Game
from ecs_collision.game.turn import Turn
from ecs_collision.levels.level import listed
from ecs_collision.levels.spawning import with_names
from ecs_collision.results import MoveResult
from ecs_collision.systems import CollisionSystem, ThingName
from ecs_collision.testing.messages import hide_traceback
from ecs_collision.world import CollisionWorld, Frame, Plan

__tracebackhide__ = hide_traceback

Result = TypeVar("Result", MoveResult, Turn)

EntityRef = int | str
"""An entity, by number or name."""

named_results: deque[tuple[MoveResult | Turn, EntityNames]] = deque(maxlen=256)
"""The newest results and turns that boards returned, with the names of their entities.

When a test ends, its entries are removed, so that they do not keep its worlds alive.
"""


@dataclass(frozen=True, slots=True)
class EntityNames:
    """Names of entities: `find` returns the entities of a name or kind, `name_of` the name of an entity."""

    find: Callable[[str], Sequence[int]]
    name_of: Callable[[int], str]
    refresh: Callable[[], None] = lambda: None
    """Store the current names, so that they stay known after entities are deleted."""

    def entity(self, entity: EntityRef, what: str) -> int:
        """Return the entity given by number or name for the parameter `what`; raises if it matches several."""
        found = self.entities(entity, what)
        if len(found) > 1:
            names = listed(map(self.name_of, found))
            raise CollisionValueError(f"{what} is {entity!r}, which means {len(found)} things: name one of {names}")
        return found[0]

    def entities(self, entity: EntityRef | None, what: str) -> Sequence[int]:
        """Return the entities that match a number, name or kind, for the parameter `what`."""
        if isinstance(entity, str):
            return self.find(entity)
        try:
            return [operator.index(entity)]  # type: ignore[arg-type]  # None is refused
        except TypeError:
            raise CollisionTypeError(f"{what} is {entity!r}; give an entity by its number or its name") from None

    def label(self, id: int | None) -> str:
        """Return an entity for a message: its name and number, or only its number."""
        if id is None:
            return "the bounds"
        name = self.name_of(id)
        return name if name == f"entity {id}" else f"{name!r} (entity {id})"

    def replace_ids(self, text: str) -> str:
        """Return a text with entity numbers replaced by names."""
        return with_names(text, self.name_of)


def attach_names(result: Result, names: EntityNames) -> Result:
    """Store the names for a result, and return the result."""
    named_results.append((result, names))
    return result


def detach_names(names: EntityNames) -> None:
    """Remove the results that have these names."""
    restore_named_results([pair for pair in named_results if pair[1] is not names])


def restore_named_results(saved: Iterable[tuple[MoveResult | Turn, EntityNames]]) -> None:
    """Replace the list of results with names."""
    named_results.clear()
    named_results.extend(saved)


def names_in(target: object) -> EntityNames:
    """Return the names of the entities in a result, board, world or other object of a test."""
    own = getattr(target, "_names", None)  # a board, or a record of one
    if isinstance(own, EntityNames):
        return own
    if isinstance(target, Plan):
        return names_in(target.result)
    if isinstance(target, MoveResult | Turn):
        for result, names in reversed(named_results):
            if result is target:
                return names
    if isinstance(target, Game | Turn):
        own_names = target.things.names if isinstance(target, Game) else target.names
        return EntityNames(own_names.members, own_names.display_name)
    if isinstance(target, CollisionWorld | Frame):
        return EntityNames(_refuse_name, "entity {}".format)
    binding = target._binding if isinstance(target, CollisionSystem) else None
    return _names_in_esper(binding.visit if binding is not None else nullcontext)


def _names_in_esper(visit: Callable[[], AbstractContextManager[Any]]) -> EntityNames:
    """Return the names of the entities of an esper world, with those stored by `refresh`."""
    known: dict[int, ThingName] = {}

    def refresh() -> None:
        with visit():
            known.update(esper.get_component(ThingName))

    def find(name: str) -> list[int]:
        with visit():
            things = known | dict(esper.get_component(ThingName))
        ids = [entity for entity, thing in things.items() if thing.name == name]
        ids = ids or [entity for entity, thing in things.items() if thing.kind == name]
        if not ids:
            names = sorted(thing.name for thing in things.values())
            remedy = f"there are {listed(names)}" if names else "give its number: entities have no names here"
            raise UnknownEntity(f"no entity is named {name!r}; {remedy}")
        return sorted(ids)

    def name_of(id: int) -> str:
        with visit():
            thing = esper.try_component(id, ThingName) if esper.entity_exists(id) else known.get(id)
        return f"entity {id}" if thing is None else thing.name

    return EntityNames(find, name_of, refresh)


def _refuse_name(name: str) -> list[int]:
    raise UnknownEntity(f"no body is named {name!r}; give its number: bodies of a CollisionWorld have no names")
