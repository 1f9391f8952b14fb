"""Delivering the events of a frame to those who asked (rules T3, T7 to T9).

A frame's events go to the subscriptions that stood when its delivery began. A handler's place is passed
before it is called, so nothing is delivered twice whatever it raises. What a BaseException kept from being
served stays as a round of its own and comes first the next time.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable

import esper

from ecs_collision.events import DELIVERY_ORDER, Event, LeftReason, TriggerLeft
from ecs_collision.systems.home import Home, go_to
from ecs_collision.systems.noticing import Change, goes_on
from ecs_collision.systems.subscription import Subscription


def esper_name(kind: type[Event]) -> str:
    """Return the name of esper's event for a kind, such as "collision_trigger_entered"."""
    return "collision_" + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


ESPER_NAMES: dict[type[Event], str] = {kind: esper_name(kind) for kind in DELIVERY_ORDER}


class _EsperHandlers:
    """Stands at the end of every row of subscriptions for what esper itself has registered."""

    entities: Collection[int] = ()

    def hears(self, event: Event) -> bool:
        return ESPER_NAMES[type(event)] in esper.event_registry

    def serve(self, event: Event) -> None:
        esper.dispatch_event(ESPER_NAMES[type(event)], event)


_Target = Subscription | _EsperHandlers


class _Round:
    """The events of one frame, who hears them, and how far the delivery has come.

    Where a body has come to an id (`reborn`), the only event of one before it is that it left as deleted: that
    goes to the subscriptions that end with this round, and everything else to the others.
    """

    def __init__(
        self,
        events: list[Event],
        subscriptions: Iterable[Subscription],
        ending: Iterable[Subscription],
        reborn: frozenset[int],
    ) -> None:
        self._events = events
        self._ending = frozenset(ending)
        self._reborn = reborn
        self._targets: dict[type[Event], list[_Target]] = {
            kind: [*(each for each in subscriptions if issubclass(kind, each.kind)), _EsperHandlers()]
            for kind in {type(event) for event in events}
        }
        self._event = self._target = 0

    def serve_next(self) -> bool:
        """Serve one handler; returns False when everybody has been served."""
        while self._event < len(self._events):
            event = self._events[self._event]
            targets = self._targets[type(event)]
            while self._target < len(targets):
                target = targets[self._target]
                self._target += 1
                if target.hears(event) and self._is_meant(target, event):
                    target.serve(event)
                    return True
            self._event += 1
            self._target = 0
        return False

    def _is_meant(self, target: _Target, event: Event) -> bool:
        if self._reborn.isdisjoint(target.entities):
            return True
        is_last = isinstance(event, TriggerLeft) and event.reason is LeftReason.DELETED
        return is_last == (target in self._ending)


class Delivery:
    """Holds the subscriptions and serves them.

    `running` while it does; `is_idle` when nothing was left from the last time.
    """

    def __init__(self) -> None:
        self.running = False
        self.is_idle = True
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

    def heard_kinds(self) -> frozenset[type[Event]]:
        """Return the kinds of events that somebody, here or in esper, would hear."""
        wanted = tuple({each.kind for each in self._subscriptions if each.active})
        registry = esper.event_registry
        return frozenset(
            kind for kind in DELIVERY_ORDER if issubclass(kind, wanted) or ESPER_NAMES[kind] in registry
        )

    def prepare(self, events: list[Event], changes: list[Change]) -> None:
        """Take up a frame's events; the subscriptions of entities that are gone hear them as their last."""
        self.is_idle = False
        ending: list[Subscription] = []
        reborn: frozenset[int] = frozenset()
        if self._bound:
            bound = self._bound
            ending = [each for change in changes for each in bound.get(change.entity, ()) if not each.follow(change)]
            reborn = frozenset(change.entity for change in changes if _is_reborn(change))
        if events:
            self._rounds.append(_Round(events, [each for each in self._subscriptions if each.active], ending, reborn))
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
        self.is_idle = True
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
        gone = frozenset(ending)
        kept = [each for each in self._subscriptions if each.active and each not in gone]
        if len(kept) == len(self._subscriptions):
            return
        self._subscriptions = kept
        self._bound.clear()
        for subscription in kept:
            for entity in subscription.entities:
                self._bound.setdefault(entity, []).append(subscription)


def _is_reborn(change: Change) -> bool:
    return change.new is not None and not goes_on(change.old, change.new)
