"""Who is to be told of what: the handlers of a script, served in the order of events, then of declaration (T7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ecs_collision.bodies.fused_groups import FusedGroups
from ecs_collision.errors import CollisionTypeError
from ecs_collision.events import Event, Moved
from ecs_collision.game.named_events import FIELDS, NamedEvent
from ecs_collision.game.naming import Names

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Handler:
    """A function that is called for the events of a kind that are about `first` and `second` (None: about any)."""

    kind: type[Event]
    first: frozenset[int] | None
    second: frozenset[int] | None
    function: Function
    label: str


class Handlers:
    """The handlers of a game, by kind of event."""

    def __init__(self, names: Names, groups: FusedGroups) -> None:
        self._names, self._groups = names, groups
        self._by_kind: dict[type[Event], list[Handler]] = {}

    def add(self, handler: Handler) -> None:
        """Add a handler behind those there are."""
        self._by_kind.setdefault(handler.kind, []).append(handler)

    @property
    def heard(self) -> frozenset[type[Event]]:
        """The kinds of events that somebody hears."""
        return frozenset(self._by_kind)

    def calls(self, events: Sequence[Event]) -> Iterator[tuple[Handler, NamedEvent]]:
        """Yield who is to be called with what, event by event."""
        for event in events:
            handlers = self._by_kind.get(type(event))
            if not handlers:
                continue
            one, other, _ = FIELDS[type(event)]
            first = getattr(event, one)
            second = None if other is None else getattr(event, other)
            for handler in tuple(handlers):
                exact = handler.kind is Moved
                if self._is_about(handler.first, first, exact) and self._is_about(handler.second, second):
                    yield handler, NamedEvent(event, self._names)

    def _is_about(self, wanted: frozenset[int] | None, id: int | None, exact: bool = False) -> bool:
        """Return whether an id, or another of its group, is among those wanted.

        A group is told of by its root. Only that it moved is told of each of it: that is `exact`.
        """
        if wanted is None or id in wanted:
            return True
        group = None if id is None or exact else self._groups.of(id)
        return group is not None and not wanted.isdisjoint(group.members)


def function_of(given: object, where: str) -> Function:
    """Return what was given to a decorator; raises CollisionTypeError where it cannot be called."""
    if callable(given):
        return given
    raise CollisionTypeError(f"{where} got {given!r}; give it a function, as in @game.{where}")


def label_of(where: str, function: Function) -> str:
    """Return how messages call a handler: where it is declared, and its name."""
    return f"{where} {getattr(function, '__name__', repr(function))}"
