"""Who is meant, and what they are called: entities by number or name, in whatever a test looks at.

A `MoveResult` knows entities by number alone. A board remembers the results it gave; for others the names are those
that entities have in the esper world that is current (`ThingName`), and where there are none, their numbers.
"""

from __future__ import annotations

import operator
import re
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
from ecs_collision.results import MoveResult
from ecs_collision.systems import CollisionSystem, ThingName
from ecs_collision.testing.messages import hidden
from ecs_collision.world import CollisionWorld, Frame, Plan

__tracebackhide__ = hidden

Result = TypeVar("Result", MoveResult, Turn)

Who = int | str
"""An entity, by its number or its name."""

results: deque[tuple[MoveResult | Turn, Called]] = deque(maxlen=256)
"""The newest results and turns that boards gave, with what their entities are called: a result knows numbers alone.

A test forgets those it was given when it ends, so that they do not keep its worlds.
"""

_ENTITY = re.compile(r"\bentity (\d+)\b")


@dataclass(frozen=True, slots=True)
class Called:
    """What entities are called: `find` gives those that a name or a kind means, `call` the name of one."""

    find: Callable[[str], Sequence[int]]
    call: Callable[[int], str]
    look: Callable[[], None] = lambda: None
    """Learn the names that there are now, so that they are known of entities that are deleted later."""

    def id(self, who: Who, what: str) -> int:
        """Return an entity that was given by number or name, for a parameter called `what`; raises for several."""
        found = self.all(who, what)
        if len(found) > 1:
            names = listed(map(self.call, found))
            raise CollisionValueError(f"{what} is {who!r}, which means {len(found)} things: name one of {names}")
        return found[0]

    def all(self, who: Who | None, what: str) -> Sequence[int]:
        """Return the entities that are meant by a number, a name or a kind, for a parameter called `what`."""
        if isinstance(who, str):
            return self.find(who)
        try:
            return [operator.index(who)]  # type: ignore[arg-type]  # None is refused
        except TypeError:
            raise CollisionTypeError(f"{what} is {who!r}; give an entity by its number or its name") from None

    def told(self, id: int | None) -> str:
        """Return an entity for a message: its name and number, or its number."""
        if id is None:
            return "the bounds"
        name = self.call(id)
        return name if name == f"entity {id}" else f"{name!r} (entity {id})"

    def within(self, text: str) -> str:
        """Return a text with names for the entities it numbers."""
        return _ENTITY.sub(lambda match: self.call(int(match[1])), text)


def remember(result: Result, called: Called) -> Result:
    """Return a result, whose entities are called so from now on."""
    results.append((result, called))
    return result


def forget(called: Called) -> None:
    """Forget the results whose entities are called so."""
    keep_only([pair for pair in results if pair[1] is not called])


def keep_only(kept: Iterable[tuple[MoveResult | Turn, Called]]) -> None:
    """Forget all results but these."""
    results.clear()
    results.extend(kept)


def called_in(seen: object) -> Called:
    """Return what entities are called in what a test looks at."""
    own = getattr(seen, "called", None)  # a board, or a record of one
    if isinstance(own, Called):
        return own
    if isinstance(seen, Plan):
        return called_in(seen.result)
    if isinstance(seen, MoveResult | Turn):
        for result, called in reversed(results):
            if result is seen:
                return called
    if isinstance(seen, Game | Turn):
        names = seen.things.names if isinstance(seen, Game) else seen.names
        return Called(names.members, names.called)
    if isinstance(seen, CollisionWorld | Frame):
        return Called(_nameless, "entity {}".format)
    home = seen._home if isinstance(seen, CollisionSystem) else None
    return _called_in_esper(home.visit if home is not None else nullcontext)


def _called_in_esper(visit: Callable[[], AbstractContextManager[Any]]) -> Called:
    """Return the names that entities of a world of esper have, and had when `look` saw them last."""
    seen: dict[int, ThingName] = {}

    def look() -> None:
        with visit():
            seen.update(esper.get_component(ThingName))

    def find(name: str) -> list[int]:
        with visit():
            things = seen | dict(esper.get_component(ThingName))
        ids = [entity for entity, thing in things.items() if thing.name == name]
        ids = ids or [entity for entity, thing in things.items() if thing.kind == name]
        if not ids:
            names = sorted(thing.name for thing in things.values())
            remedy = f"there are {listed(names)}" if names else "give its number: entities have no names here"
            raise UnknownEntity(f"no entity is named {name!r}; {remedy}")
        return sorted(ids)

    def call(id: int) -> str:
        with visit():
            thing = esper.try_component(id, ThingName) if esper.entity_exists(id) else seen.get(id)
        return f"entity {id}" if thing is None else thing.name

    return Called(find, call, look)


def _nameless(name: str) -> list[int]:
    raise UnknownEntity(f"no body is named {name!r}; give its number: bodies of a CollisionWorld have no names")
