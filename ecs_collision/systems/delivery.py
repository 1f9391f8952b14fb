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
from ecs_collision.systems.world_binding import WorldBinding, switch_to
from ecs_collision.systems.listeners import Listeners
from ecs_collision.systems.change_detection import Change, is_same_entity
from ecs_collision.systems.subscription import Subscription
from ecs_collision.world.access import Access


def esper_name(kind: type[Event]) -> str:
    """Return the name of esper's event for a kind, such as "collision_trigger_entered"."""
    return "collision_" + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


ESPER_NAMES: dict[type[Event], str] = {kind: esper_name(kind) for kind in DELIVERY_ORDER}
_KINDS = {name: kind for kind, name in ESPER_NAMES.items()}


class _Batch:
    """The events of one frame, and how far their delivery has come.

    Where a body has come to an id (`reused_ids`), the only event of one before it is that it left as deleted: that
    goes to the subscriptions that end with this round, and everything else to the others.
    """

    __slots__ = ("_at", "_events", "_listeners", "_number", "_reused_ids", "_targets")

    def __init__(self, number: int, events: list[Event], listeners: Listeners, reused_ids: frozenset[int]) -> None:
        self._number = number
        self._events = events
        self._listeners = listeners
        self._reused_ids = reused_ids
        self._at = -1
        self._targets: list[Subscription] | None = []

    def deliver_next(self) -> bool:
        """Serve one handler, or for an event those of esper; returns False when everybody has been served."""
        while True:
            if self._targets:
                target, event = self._targets[-1], self._events[self._at]
                is_delivered = self._number > target.since and self._number <= target.last
                is_delivered = (
                    is_delivered and (not self._reused_ids or self._is_for(target, event)) and target.matches(event)
                )
                del self._targets[-1]  # no call, behind which an interrupt might come before the handler is called
                if is_delivered:
                    target.handler(event)
                    return True
            elif self._targets is not None and self._at >= 0:
                event = self._events[self._at]
                name = ESPER_NAMES[type(event)]
                self._targets = None
                if name in esper.event_registry:
                    esper.dispatch_event(name, event)
                    return True
            elif self._at + 1 >= len(self._events):
                return False
            else:
                targets = self._listeners.for_event(self._events[self._at + 1])[::-1]
                self._at, self._targets = self._at + 1, targets

    def undelivered(self) -> list[Event]:
        """Return the events nobody was served yet."""
        return self._events[self._at + 1 :]

    def _is_for(self, target: Subscription, event: Event) -> bool:
        if self._reused_ids.isdisjoint(target.entities):
            return True
        is_last = isinstance(event, TriggerLeft) and event.reason is LeftReason.DELETED
        return is_last == (target.last == self._number)


class Delivery:
    """Holds the subscriptions and serves them, in batches that are counted: one a frame in which there is something.

    `running` while it does; `is_idle` when nothing was left from the last time.
    """

    def __init__(self) -> None:
        self.running = False
        self.is_idle = True
        self._listeners = Listeners()
        self._number = 0
        self._batches: deque[_Batch] = deque()
        self._ending: list[Subscription] = []
        self._errors: list[Exception] = []
        self._handler_world: str | None = None

    def subscribe(self, subscription: Subscription) -> None:
        """Add a subscription, from the next frame on."""
        subscription.since = self._number
        self._listeners.add(subscription)

    def unbind(self) -> None:
        """End every subscription bound to an entity: the entities' world is closed."""
        for entity in list(self._listeners.bound_entities):
            for subscription in self._listeners.bound_to(entity):
                subscription.cancel()
        self._cancel_ended()
        self._batches.clear()

    def subscribed_kinds(self) -> frozenset[type[Event]]:
        """Return the kinds of events that somebody, here or in esper, would hear."""
        kinds = self._listeners.subscribed_kinds
        registry = esper.event_registry
        if registry and not _KINDS.keys().isdisjoint(registry):
            kinds = kinds.union([kind for name, kind in _KINDS.items() if name in registry])
        return kinds

    def prepare(self, events: list[Event], changes: list[Change]) -> None:
        """Take up a frame's events; the subscriptions of entities that are gone hear them as their last.

        Where this is broken off, it may be done again.
        """
        self.is_idle = False
        number = self._number + 1
        reused_ids: frozenset[int] = frozenset()
        if self._listeners.bound_entities:
            reused_ids = frozenset(change.entity for change in changes if _reuses_id(change))
            for change in changes:
                for subscription in self._listeners.bound_to(change.entity):
                    if not subscription.apply_change(change):
                        self._end_after(subscription, number)
        batches = self._batches
        if events:
            batches = deque([*batches, _Batch(number, events, self._listeners, reused_ids)])
        self._batches, self._number = batches, number  # at once, and last: the frame is taken up

    def undelivered(self) -> tuple[Event, ...]:
        """Return the events nobody was served yet. One whose delivery was broken off is none: it was begun."""
        return tuple([event for batch in self._batches for event in batch.undelivered()])

    def resume(self, events: Sequence[Event]) -> None:
        """Go on from a snapshot: its undelivered events replace those pending now, and come first next time."""
        self._cancel_ended()
        self._number += 1
        self._batches.clear()
        if events:
            self._batches.append(_Batch(self._number, list(events), self._listeners, frozenset()))
        self.is_idle = not (events or self._errors)

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the subscriptions and with what waits to be delivered."""
        yield from self._listeners.faults()
        if not self.running and (self._handler_world is not None or (self.is_idle and (self._batches or self._errors))):
            yield "the last delivery has not ended"

    def _end_after(self, subscription: Subscription, number: int) -> None:
        """Let a subscription hear the batches up to one and no more."""
        subscription.last = number
        self._ending.append(subscription)
        self._listeners.unbind(subscription)

    def _cancel_ended(self) -> None:
        while self._ending:
            self._ending[-1].cancel()
            self._ending.pop()

    def deliver(self, binding: WorldBinding, access: Access) -> None:
        """Serve everybody, then raise what the handlers raised; in the system's world throughout (T8).

        Handlers may change the world, other threads may not until this returns.
        """
        active_thread = access.active_thread
        self.running = True
        try:
            access.active_thread = get_ident()
            while self._batches:
                self._deliver_batch(self._batches[0], binding)
                if self._batches:
                    self._batches.popleft()
            self._cancel_ended()
        finally:
            self.running, access.active_thread = False, active_thread
            handler_world, self._handler_world = self._handler_world, None
            if handler_world is not None:
                switch_to(handler_world)
        errors, self._errors = self._errors, []
        self.is_idle = True
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise ExceptionGroup(f"{len(errors)} handlers of collision events raised", errors)

    def _deliver_batch(self, current: _Batch, binding: WorldBinding) -> None:
        more = True
        while more:
            try:
                more = current.deliver_next()
            except Exception as error:
                self._errors.append(error)
            finally:
                if not binding.is_current:
                    self._handler_world = esper.current_world
                    if not binding.make_current():  # the handler deleted the world, so its events cannot be delivered
                        self._batches.clear()
                        more = False


def _reuses_id(change: Change) -> bool:
    return change.new is not None and not is_same_entity(change.old, change.new)
