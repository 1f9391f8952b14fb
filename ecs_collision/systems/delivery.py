"""Delivers the events of a frame to their subscribers (rules T3, T7 to T9).

The order is that of `events.DELIVERY_ORDER`, in which `FrameLog.events` builds them. Events go to the subscriptions
that existed when the delivery began. The position advances before a handler is called, so nothing is delivered twice,
even if the handler raises. Events left over after a BaseException stay in their batch and are delivered first the next
time.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

import esper

from ecs_collision.access import Access
from ecs_collision.events import DELIVERY_ORDER, ContactEnded, Event, LeftReason, TriggerLeft
from ecs_collision.systems.change_detection import Change, is_same_entity
from ecs_collision.systems.listeners import Listeners
from ecs_collision.systems.subscription import Subscription
from ecs_collision.systems.world_binding import WorldBinding, switch_to


def esper_name(kind: type[Event]) -> str:
    """Return the name of esper's event for a kind, such as "collision_trigger_entered"."""
    return "collision_" + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


ESPER_NAMES: dict[type[Event], str] = {kind: esper_name(kind) for kind in DELIVERY_ORDER}
_KINDS = {name: kind for kind, name in ESPER_NAMES.items()}


class _Batch:
    """The events of one frame, and the progress of their delivery.

    If a new body has the id of a deleted one (`reused_ids`), the only events about the deleted body are TriggerLeft
    and ContactEnded with the reason DELETED. They go to the subscriptions that end with this batch, everything else to
    the others.
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
        """Call one handler, or esper's handlers of an event; returns False when all were called."""
        while True:
            if self._targets:
                target, event = self._targets[-1], self._events[self._at]
                is_delivered = self._number > target._since and self._number <= target._last
                is_delivered = (
                    is_delivered and (not self._reused_ids or self._is_for(target, event)) and target.matches(event)
                )
                del self._targets[-1]  # `del` and no call, so no interrupt can come before the handler is called
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
        """Return the events of which no handler was called yet."""
        return self._events[self._at + 1 :]

    def _is_for(self, target: Subscription, event: Event) -> bool:
        if self._reused_ids.isdisjoint(target.entities):
            return True
        is_last = isinstance(event, TriggerLeft | ContactEnded) and event.reason is LeftReason.DELETED
        return is_last == (target._last == self._number)


class Delivery:
    """Stores the subscriptions and delivers events to them in batches, one for each frame with events.

    `running` is True during delivery, `is_idle` when nothing is left from the last time.
    """

    def __init__(self) -> None:
        self.running = False
        self.is_idle = True
        self.listeners = Listeners()
        self._number = 0
        self._batches: deque[_Batch] = deque()
        self._ending: list[Subscription] = []
        self._errors: list[Exception] = []
        self._handler_world: str | None = None

    def subscribe(self, subscription: Subscription) -> None:
        """Add a subscription, starting with the next frame."""
        subscription._since = self._number
        self.listeners.add(subscription)

    def subscriptions(self) -> list[Subscription]:
        """Return all subscriptions, in order."""
        return self.listeners.all()

    def unbind(self) -> None:
        """Cancel every subscription bound to an entity: the world of the entities is closed."""
        for subscription in self.subscriptions():
            if subscription.entities:
                subscription.cancel()
        self._cancel_ended()
        self._batches.clear()

    def subscribed_kinds(self) -> frozenset[type[Event]]:
        """Return the kinds of events that have a subscriber, here or in esper."""
        kinds = self.listeners.subscribed_kinds
        registry = esper.event_registry
        if registry and not _KINDS.keys().isdisjoint(registry):
            kinds = kinds.union([kind for name, kind in _KINDS.items() if name in registry])
        return kinds

    def prepare(self, events: list[Event], changes: list[Change]) -> None:
        """Queue the events of a frame; for subscriptions of deleted entities they are the last.

        May be repeated if it was interrupted.
        """
        self.is_idle = False
        number = self._number + 1
        reused_ids: frozenset[int] = frozenset()
        if self.listeners.bound_entities:
            reused_ids = frozenset(change.entity for change in changes if _reuses_id(change))
            for change in changes:
                for subscription in self.listeners.bound_to(change.entity):
                    if not subscription._apply_change(change):
                        self._end_after(subscription, number)
        batches = self._batches
        if events:
            batches = deque([*batches, _Batch(number, events, self.listeners, reused_ids)])
        self._batches, self._number = batches, number  # in one assignment, and last: the frame is queued

    def undelivered(self) -> tuple[Event, ...]:
        """Return the events of which no handler was called yet; an interrupted event counts as delivered."""
        return tuple([event for batch in self._batches for event in batch.undelivered()])

    def resume(self, events: Sequence[Event]) -> None:
        """Continue from a snapshot: its undelivered events replace the pending ones and come first next time."""
        self._cancel_ended()
        self._number += 1
        self._batches.clear()
        if events:
            self._batches.append(_Batch(self._number, list(events), self.listeners, frozenset()))
        self.is_idle = not (events or self._errors)

    def faults(self) -> Iterator[str]:
        """Yield inconsistencies of the subscriptions and of pending deliveries."""
        yield from self.listeners.faults()
        if not self.running and (self._handler_world is not None or (self.is_idle and (self._batches or self._errors))):
            yield "the last delivery has not ended"

    def _end_after(self, subscription: Subscription, number: int) -> None:
        """Let a subscription end after a batch."""
        subscription._last = number
        self._ending.append(subscription)
        self.listeners.unbind(subscription)

    def _cancel_ended(self) -> None:
        while self._ending:
            self._ending[-1].cancel()
            self._ending.pop()

    def deliver(self, binding: WorldBinding, access: Access) -> None:
        """Call all handlers in the system's world, then raise their errors (T8). Handlers may change the world."""
        try:
            self.running = access.in_delivery = True
            while self._batches:
                self._deliver_batch(self._batches[0], binding)
                if self._batches:
                    self._batches.popleft()
            self._cancel_ended()
        finally:
            self.running = access.in_delivery = False
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
