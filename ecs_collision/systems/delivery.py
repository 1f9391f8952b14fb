"""Delivering the events of a frame to those who asked (rules T3, T7 to T9).

A frame's events go to the subscriptions that stood when its delivery began. A handler's place is passed
before it is called, so nothing is delivered twice whatever it raises. What a BaseException kept from being
served stays as a round of its own and comes first the next time.
"""

from __future__ import annotations

import operator
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import esper

from ecs_collision.components import Parts
from ecs_collision.errors import CollisionTypeError
from ecs_collision.events import DELIVERY_ORDER, Event, LeftReason, TriggerLeft
from ecs_collision.systems.home import Home, go_to
from ecs_collision.systems.noticing import Change, goes_on

Handler = Callable[[Any], object]

ENTITY_FIELDS = frozenset(("entity", "by", "blocker", "trigger", "other", "a", "b"))
"""The fields of events that hold an entity id: a match on one binds the subscription to that entity."""


def esper_name(kind: type[Event]) -> str:
    """Return the name of esper's event for a kind, such as "collision_trigger_entered"."""
    return "collision_" + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


ESPER_NAMES: dict[type[Event], str] = {kind: esper_name(kind) for kind in DELIVERY_ORDER}


class Subscription:
    """A handler for the events of one kind that match; `cancel()` ends it at once."""

    __slots__ = ("_anchors", "_ending", "_handler", "_match", "active", "kind")

    def __init__(
        self, kind: type[Event], handler: Handler, match: Mapping[str, object], anchors: Mapping[int, Parts | None]
    ) -> None:
        self.kind = kind
        self.active = True
        self._handler = handler
        self._match = tuple(match.items())
        self._anchors = dict(anchors)
        self._ending = False

    def cancel(self) -> None:
        """Hear no more events, not even the rest of this frame's. A second cancel does nothing."""
        self.active = False

    def serve(self, event: Event) -> None:
        """Call the handler."""
        self._handler(event)

    def hears(self, event: Event, reborn: frozenset[int]) -> bool:
        """Return whether the event is for this subscription.

        Where another body has taken over an id (`reborn`), the only event of the old one is that it left
        as deleted: that goes to the subscriptions that end, and everything else to the others.
        """
        if not self.active or any(getattr(event, name) != value for name, value in self._match):
            return False
        if reborn.isdisjoint(self._anchors):
            return True
        return self._ending == (isinstance(event, TriggerLeft) and event.reason is LeftReason.DELETED)

    def follow(self, change: Change) -> bool:
        """Go along with a bound entity that changed; returns False if it is gone and this ends with it."""
        anchor = self._anchors[change.entity]
        if anchor is None or goes_on(anchor, change.new):
            self._anchors[change.entity] = change.new
        else:
            self._ending = True
        return not self._ending

    @property
    def entities(self) -> Iterable[int]:
        """The entities it is bound to."""
        return self._anchors.keys()

    def __repr__(self) -> str:
        match = "".join(f", {name}={value!r}" for name, value in self._match)
        return f"Subscription({self.kind.__name__}{match})" if self.active else "Subscription(cancelled)"


class _EsperHandlers:
    """Stands at the end of every row of subscriptions for what esper itself has registered."""

    def hears(self, event: Event, reborn: frozenset[int]) -> bool:
        return ESPER_NAMES[type(event)] in esper.event_registry

    def serve(self, event: Event) -> None:
        esper.dispatch_event(ESPER_NAMES[type(event)], event)


class _Round:
    """The events of one frame, who hears them, and how far the delivery has come."""

    def __init__(self, events: list[Event], subscriptions: list[Subscription], reborn: frozenset[int]) -> None:
        self._events = events
        self._reborn = reborn
        self._targets: dict[type[Event], list[Subscription | _EsperHandlers]] = {
            kind: [*(each for each in subscriptions if issubclass(kind, each.kind)), _EsperHandlers()]
            for kind in {type(event) for event in events}
        }
        self._event = self._target = 0

    @property
    def rest(self) -> tuple[Event, ...]:
        """The events not yet served to everybody."""
        return tuple(self._events[self._event :])

    def serve_next(self) -> bool:
        """Serve one handler; returns False when everybody has been served."""
        while self._event < len(self._events):
            event = self._events[self._event]
            targets = self._targets[type(event)]
            while self._target < len(targets):
                target = targets[self._target]
                self._target += 1
                if target.hears(event, self._reborn):
                    target.serve(event)
                    return True
            self._event += 1
            self._target = 0
        return False


class Delivery:
    """Holds the subscriptions and serves them."""

    def __init__(self) -> None:
        self.running = False
        self._subscriptions: list[Subscription] = []
        self._bound: dict[int, list[Subscription]] = {}
        self._rounds: deque[_Round] = deque()
        self._errors: list[Exception] = []
        self._chosen: str | None = None

    def subscribe(self, subscription: Subscription) -> None:
        """Add a subscription, from the next frame on."""
        self._subscriptions.append(subscription)
        for entity in subscription.entities:
            self._bound.setdefault(entity, []).append(subscription)

    def unbind(self) -> None:
        """End every subscription bound to an entity: the entities' world is closed."""
        for subscriptions in self._bound.values():
            for subscription in subscriptions:
                subscription.cancel()
        self._bound.clear()
        self._rounds.clear()

    @property
    def is_idle(self) -> bool:
        """Whether nothing was left from the last time."""
        return not (self._rounds or self._errors)

    @property
    def unserved(self) -> tuple[Event, ...]:
        """The events that an earlier delivery did not finish."""
        return tuple(event for each in self._rounds for event in each.rest)

    def is_heard(self) -> bool:
        """Return whether anybody, here or in esper, would hear an event."""
        return bool(self._subscriptions) or not esper.event_registry.keys().isdisjoint(ESPER_NAMES.values())

    def prepare(self, events: list[Event], changes: list[Change]) -> None:
        """Take up a frame's events; the subscriptions of entities that are gone hear them as their last."""
        ending = [
            subscription
            for change in changes
            for subscription in self._bound.get(change.entity, ())
            if not subscription.follow(change)
        ]
        if events:
            reborn = frozenset(change.entity for change in changes if _is_reborn(change))
            self._rounds.append(_Round(events, [each for each in self._subscriptions if each.active], reborn))
        self._drop(ending)

    def deliver(self, home: Home) -> None:
        """Serve everybody, then raise what the handlers raised; in the system's world throughout (T8)."""
        self.running = True
        try:
            while self._rounds:
                self._serve(self._rounds[0], home)
                if self._rounds:
                    self._rounds.popleft()
        finally:
            self.running = False
            chosen, self._chosen = self._chosen, None
            if chosen is not None:
                go_to(chosen)
        errors, self._errors = self._errors, []
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise ExceptionGroup(f"{len(errors)} handlers of collision events raised", errors)

    def _serve(self, current: _Round, home: Home) -> None:
        more = True
        while more:
            try:
                more = current.serve_next()
            except Exception as error:
                self._errors.append(error)
            finally:
                if not home.is_current:
                    self._chosen = esper.current_world
                    if not home.enter():  # the handler deleted the world, and with it what was to be told of it
                        self._rounds.clear()
                        more = False

    def _drop(self, ending: list[Subscription]) -> None:
        """Forget the subscriptions that end and those cancelled; rounds under way keep serving the former."""
        gone = set(map(id, ending))
        kept = [each for each in self._subscriptions if each.active and id(each) not in gone]
        if len(kept) == len(self._subscriptions):
            return
        self._subscriptions = kept
        self._bound.clear()
        for subscription in kept:
            for entity in subscription.entities:
                self._bound.setdefault(entity, []).append(subscription)


def _is_reborn(change: Change) -> bool:
    return change.old is not None and change.new is not None and not goes_on(change.old, change.new)


def checked_match(kind: type[Event], match: Mapping[str, object]) -> list[int]:
    """Return the entities a match binds to; raises CollisionTypeError for what no event of the kind could match."""
    if not (isinstance(kind, type) and issubclass(kind, Event)):
        raise CollisionTypeError(f"on() got {kind!r}; give a kind of event, such as TriggerEntered")
    fields = kind.__dataclass_fields__
    entities = []
    for name, value in match.items():
        if name not in fields:
            known = ", ".join(fields)
            raise CollisionTypeError(f"{kind.__name__} has no field {name!r} to match; it has {known}")
        if name in ENTITY_FIELDS and value is not None:
            try:
                entities.append(operator.index(value))  # type: ignore[arg-type]
            except TypeError:
                raise CollisionTypeError(
                    f"{kind.__name__} {name}={value!r} cannot match; give the id that esper.create_entity returned"
                ) from None
    return entities
