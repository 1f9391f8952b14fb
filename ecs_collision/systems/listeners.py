"""Indexes the subscriptions by what they match, so an event costs only its own subscribers.

A game may subscribe once for each of ten thousand plates. Subscriptions are stored by kind of event, and those bound to
an entity by the first field that holds it. No others are visited for an event.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection, Iterator

from ecs_collision.events import DELIVERY_ORDER, Event
from ecs_collision.systems.subscription import Subscription

_BASES: dict[type[Event], tuple[type[Event], ...]] = {
    kind: tuple(base for base in kind.__mro__ if issubclass(base, Event)) for kind in DELIVERY_ORDER
}
"""The kinds whose subscribers receive an event of a kind."""


class _KindIndex:
    """The subscriptions to one kind, by number; those bound to an entity by field and entity."""

    __slots__ = ("bound", "numbers", "unbound")

    def __init__(self) -> None:
        self.numbers: set[int] = set()
        self.unbound: dict[int, Subscription] = {}
        self.bound: dict[str, dict[int, dict[int, Subscription]]] = {}

    def add(self, number: int, subscription: Subscription) -> None:
        self.numbers.add(number)
        if subscription._anchor is None:
            self.unbound[number] = subscription
        else:
            field, entity = subscription._anchor
            self.bound.setdefault(field, {}).setdefault(entity, {})[number] = subscription

    def remove(self, number: int, subscription: Subscription) -> None:
        if subscription._anchor is None:
            self.unbound.pop(number, None)
        else:
            field, entity = subscription._anchor
            there = self.bound.get(field, {}).get(entity, {})
            there.pop(number, None)
            if not there:
                self.bound.get(field, {}).pop(entity, None)
        self.numbers.discard(number)


class Listeners:
    """All subscriptions by number: they are numbered, and called, in the order of subscription."""

    def __init__(self) -> None:
        self._kinds: dict[type[Event], _KindIndex] = {}
        self._bound: dict[int, dict[int, Subscription]] = {}
        self._next = 1
        self.subscribed_kinds: frozenset[type[Event]] = frozenset()
        """The kinds of events that have a subscriber."""

    def add(self, subscription: Subscription) -> None:
        """Add a subscription; it is removed when it is cancelled."""
        number, self._next = self._next, self._next + 1
        subscription._number, subscription._on_cancel = number, weakref.WeakMethod(self._remove)
        try:
            kind = self._kinds.setdefault(subscription.kind, _KindIndex())
            kind.add(number, subscription)
            for entity in subscription.entities:
                self._bound.setdefault(entity, {})[number] = subscription
            if len(kind.numbers) == 1:
                self._update_kinds()
        except BaseException:
            self._remove(subscription)
            raise

    def unbind(self, subscription: Subscription) -> None:
        """Stop tracking the entities of a subscription: it still receives queued events and then ends."""
        for entity in subscription.entities:
            there = self._bound.get(entity)
            if there is not None and there.pop(subscription._number, None) is not None and not there:
                del self._bound[entity]

    def _remove(self, subscription: Subscription) -> None:
        """Remove a subscription; may be repeated if it was interrupted."""
        kind = self._kinds.get(subscription.kind)
        if kind is not None:
            kind.remove(subscription._number, subscription)
        self.unbind(subscription)
        if kind is not None and not kind.numbers:
            self._kinds.pop(subscription.kind)
        if kind is None or not kind.numbers:
            self._update_kinds()

    def _update_kinds(self) -> None:
        self.subscribed_kinds = self._find_kinds()

    def _find_kinds(self) -> frozenset[type[Event]]:
        return frozenset(kind for kind in DELIVERY_ORDER if not self._kinds.keys().isdisjoint(_BASES[kind]))

    def faults(self) -> Iterator[str]:
        """Yield inconsistencies of the index."""
        found: dict[int, Subscription] = {}
        for of, kind in self._kinds.items():
            there = dict(kind.unbound)
            for field, by_entity in kind.bound.items():
                for entity, bound in by_entity.items():
                    there |= {number: each for number, each in bound.items() if each._anchor == (field, entity)}
            if kind.numbers != there.keys() or any(each.kind is not of for each in there.values()):
                yield f"the subscriptions to {of.__name__} do not match their numbers, or are stored in the wrong place"
            found |= there
        if any(each._number != number or not each.active or number >= self._next for number, each in found.items()):
            yield "a subscription has a wrong number, or is cancelled"
        if not all(bound.items() <= found.items() for bound in self._bound.values()):
            yield "a subscription is bound to an entity but not in the index"
        if self.subscribed_kinds != self._find_kinds():
            yield "subscribed_kinds does not match the subscriptions"

    def all(self) -> list[Subscription]:
        """Return all subscriptions, in order."""
        found = [
            each
            for kind in self._kinds.values()
            for there in (kind.unbound, *(bound for by_entity in kind.bound.values() for bound in by_entity.values()))
            for each in there.values()
        ]
        return sorted(found, key=_number)

    @property
    def bound_entities(self) -> Collection[int]:
        """The entities that subscriptions are bound to."""
        return self._bound.keys()

    def bound_to(self, entity: int) -> list[Subscription]:
        """Return the subscriptions bound to an entity, in order."""
        return list(self._bound.get(entity, {}).values())

    def for_event(self, event: Event) -> list[Subscription]:
        """Return, in order, the subscriptions to an event's kind that are bound to none or to one of its entities."""
        found: list[Subscription] = []
        for base in _BASES[type(event)]:
            kind = self._kinds.get(base)
            if kind is not None:
                found += kind.unbound.values()
                for field, by_entity in kind.bound.items():
                    there = by_entity.get(getattr(event, field))
                    if there is not None:
                        found += there.values()
        if len(found) > 1:
            found.sort(key=_number)
        return found


def _number(subscription: Subscription) -> int:
    return subscription._number
