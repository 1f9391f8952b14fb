"""Delivering the events of a frame to those who asked (rules T3, T7 to T9).

Their order is that of `events.DELIVERY_ORDER`; `FrameLog.events` makes them in it. A frame's events go to the
subscriptions that stood when its delivery began. A handler's place is passed before it is called, so nothing is
delivered twice whatever it raises. What a BaseException kept from being served stays as a round of its own and comes
first the next time.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from threading import get_ident

import esper

from ecs_collision.events import DELIVERY_ORDER, Event, LeftReason, TriggerLeft
from ecs_collision.systems.world_binding import WorldBinding, go_to
from ecs_collision.systems.listeners import Listeners
from ecs_collision.systems.change_detection import Change, goes_on
from ecs_collision.systems.subscription import Subscription
from ecs_collision.world.access import Access


def esper_name(kind: type[Event]) -> str:
    """Return the name of esper's event for a kind, such as "collision_trigger_entered"."""
    return "collision_" + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


ESPER_NAMES: dict[type[Event], str] = {kind: esper_name(kind) for kind in DELIVERY_ORDER}
_KINDS = {name: kind for kind, name in ESPER_NAMES.items()}


class _Round:
    """The events of one frame, and how far their delivery has come.

    Where a body has come to an id (`reborn`), the only event of one before it is that it left as deleted: that
    goes to the subscriptions that end with this round, and everything else to the others.
    """

    __slots__ = ("_at", "_events", "_listeners", "_number", "_reborn", "_waiting")

    def __init__(self, number: int, events: list[Event], listeners: Listeners, reborn: frozenset[int]) -> None:
        self._number = number
        self._events = events
        self._listeners = listeners
        self._reborn = reborn
        self._at = -1
        self._waiting: list[Subscription] | None = []

    def serve_next(self) -> bool:
        """Serve one handler, or for an event those of esper; returns False when everybody has been served."""
        while True:
            if self._waiting:
                target, event = self._waiting[-1], self._events[self._at]
                is_served = self._number > target.since and self._number <= target.last
                is_served = is_served and (not self._reborn or self._is_meant(target, event)) and target.hears(event)
                del self._waiting[-1]  # no call, behind which an interrupt might come before the handler is called
                if is_served:
                    target.handler(event)
                    return True
            elif self._waiting is not None and self._at >= 0:
                event = self._events[self._at]
                name = ESPER_NAMES[type(event)]
                self._waiting = None
                if name in esper.event_registry:
                    esper.dispatch_event(name, event)
                    return True
            elif self._at + 1 >= len(self._events):
                return False
            else:
                waiting = self._listeners.of(self._events[self._at + 1])[::-1]
                self._at, self._waiting = self._at + 1, waiting

    def pending(self) -> list[Event]:
        """Return the events nobody was served yet."""
        return self._events[self._at + 1 :]

    def _is_meant(self, target: Subscription, event: Event) -> bool:
        if self._reborn.isdisjoint(target.entities):
            return True
        is_last = isinstance(event, TriggerLeft) and event.reason is LeftReason.DELETED
        return is_last == (target.last == self._number)


class Delivery:
    """Holds the subscriptions and serves them, in rounds that are counted: one a frame in which there is something.

    `running` while it does; `is_idle` when nothing was left from the last time.
    """

    def __init__(self) -> None:
        self.running = False
        self.is_idle = True
        self._listeners = Listeners()
        self._number = 0
        self._rounds: deque[_Round] = deque()
        self._ending: list[Subscription] = []
        self._errors: list[Exception] = []
        self._chosen: str | None = None

    def subscribe(self, subscription: Subscription) -> None:
        """Add a subscription, from the next frame on."""
        subscription.since = self._number
        self._listeners.add(subscription)

    def unbind(self) -> None:
        """End every subscription bound to an entity: the entities' world is closed."""
        for entity in list(self._listeners.bound_entities):
            for subscription in self._listeners.bound_to(entity):
                subscription.cancel()
        self._finish()
        self._rounds.clear()

    def heard_kinds(self) -> frozenset[type[Event]]:
        """Return the kinds of events that somebody, here or in esper, would hear."""
        heard = self._listeners.heard
        registry = esper.event_registry
        if registry and not _KINDS.keys().isdisjoint(registry):
            heard = heard.union([kind for name, kind in _KINDS.items() if name in registry])
        return heard

    def prepare(self, events: list[Event], changes: list[Change]) -> None:
        """Take up a frame's events; the subscriptions of entities that are gone hear them as their last.

        Where this is broken off, it may be done again.
        """
        self.is_idle = False
        number = self._number + 1
        reborn: frozenset[int] = frozenset()
        if self._listeners.bound_entities:
            reborn = frozenset(change.entity for change in changes if _is_reborn(change))
            for change in changes:
                for subscription in self._listeners.bound_to(change.entity):
                    if not subscription.follow(change):
                        self._end(subscription, number)
        rounds = self._rounds
        if events:
            rounds = deque([*rounds, _Round(number, events, self._listeners, reborn)])
        self._rounds, self._number = rounds, number  # at once, and last: the frame is taken up

    def undelivered(self) -> tuple[Event, ...]:
        """Return the events nobody was served yet. One whose delivery was broken off is none: it was begun."""
        return tuple([event for waiting in self._rounds for event in waiting.pending()])

    def resume(self, events: Sequence[Event]) -> None:
        """Go on from a snapshot: its undelivered events replace those pending now, and come first next time."""
        self._finish()
        self._number += 1
        self._rounds.clear()
        if events:
            self._rounds.append(_Round(self._number, list(events), self._listeners, frozenset()))
        self.is_idle = not (events or self._errors)

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the subscriptions and with what waits to be delivered."""
        yield from self._listeners.faults()
        if not self.running and (self._chosen is not None or (self.is_idle and (self._rounds or self._errors))):
            yield "the last delivery has not ended"

    def _end(self, subscription: Subscription, number: int) -> None:
        """Let a subscription hear the rounds up to one and no more."""
        subscription.last = number
        self._ending.append(subscription)
        self._listeners.unbind(subscription)

    def _finish(self) -> None:
        while self._ending:
            self._ending[-1].cancel()
            self._ending.pop()

    def deliver(self, home: WorldBinding, access: Access) -> None:
        """Serve everybody, then raise what the handlers raised; in the system's world throughout (T8).

        Handlers may change the world, other threads may not until this returns.
        """
        active_thread = access.active_thread
        self.running = True
        try:
            access.active_thread = get_ident()
            while self._rounds:
                self._serve(self._rounds[0], home)
                if self._rounds:
                    self._rounds.popleft()
            self._finish()
        finally:
            self.running, access.active_thread = False, active_thread
            chosen, self._chosen = self._chosen, None
            if chosen is not None:
                go_to(chosen)
        errors, self._errors = self._errors, []
        self.is_idle = True
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise ExceptionGroup(f"{len(errors)} handlers of collision events raised", errors)

    def _serve(self, current: _Round, home: WorldBinding) -> None:
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


def _is_reborn(change: Change) -> bool:
    return change.new is not None and not goes_on(change.old, change.new)
