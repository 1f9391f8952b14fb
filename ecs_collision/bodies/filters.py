"""Filter classes: bodies that meet and report alike share one number (rules P14, T6, C2).

Whether two bodies may meet is then one lookup in a small matrix. Not taken: bit masks, which would limit
a game to 62 layers, and comparing sets of names for each pair.
"""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

from ecs_collision.bodies.columns import MEETS, REPORTS, Columns
from ecs_collision.components import Parts

MAX_LAYER_SETS = 64
"""Maximum number of layer sets whose tables are cached."""


class Filter(NamedTuple):
    """What decides who meets and reports a body: its layer and masks (None: every layer), and whether it is static.

    `asks` is whether it is a solid body that reports its contacts.
    """

    layer: str
    mask: frozenset[str] | None
    is_trigger: bool
    trigger_mask: frozenset[str] | None
    reports_statics: bool
    is_static: bool
    asks: bool = False
    contact_mask: frozenset[str] | None = None


def filter_of(parts: Parts) -> Filter:
    """Return the filter of a body with these components."""
    collider: Any = parts.collider
    trigger, contact, is_static = parts.trigger, parts.contact, parts.static is not None
    if trigger is None:
        asks = contact is not None
        return Filter(
            collider._layer, collider._mask, False, None, False, is_static, asks, contact.mask if contact else None
        )
    return Filter(collider._layer, collider._mask, True, trigger.mask, trigger.statics, is_static)


def may_meet(a: Filter, b: Filter) -> bool:
    """Return whether solid bodies with filters a and b block each other: each layer is in the other's mask."""
    return (b.mask is None or a.layer in b.mask) and (a.mask is None or b.layer in a.mask)


def are_solid(a: Parts, b: Parts) -> bool:
    """Return whether bodies with these components block each other: both have colliders, and neither is a trigger."""
    if a.collider is None or b.collider is None or a.trigger is not None or b.trigger is not None:
        return False
    return may_meet(filter_of(a), filter_of(b))


def reports(reporter: Filter, other: Filter) -> bool:
    """Return whether a trigger reports another body (T6), or a solid body that asks a contact with it (C2)."""
    if reporter.is_trigger:
        return _is_inside(reporter, other)
    return reporter.asks and _is_in_contact(reporter, other)


def _is_inside(trigger: Filter, other: Filter) -> bool:
    """A trigger reports triggers only if its mask names their layer, and static bodies only with `statics`."""
    if other.is_static and not trigger.reports_statics:
        return False
    if trigger.trigger_mask is None:
        return not other.is_trigger
    return other.layer in trigger.trigger_mask


def _is_in_contact(asking: Filter, other: Filter) -> bool:
    """An asking body reports solid bodies that it may meet, but a static one no static one."""
    if other.is_trigger or (asking.is_static and other.is_static) or not may_meet(asking, other):
        return False
    return asking.contact_mask is None or other.layer in asking.contact_mask


FiltersMark = tuple[dict[Filter, int], list[int], list[Filter | None], list[int]]
"""Saved state of `Filters`: number by filter, users by number, filter by number, free numbers."""


class Filters:
    """Numbers the filters in use and writes their relation to the columns."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._number: dict[Filter, int] = {}
        self._users: list[int] = []
        self._filters: list[Filter | None] = []
        self._free: list[int] = []
        self._layer_tables: dict[frozenset[str], array[int]] = {}
        self._asked_with_triggers: set[frozenset[str]] = set()
        self.former_layers: set[str] = set()
        """All layers that a body ever had."""

    def acquire(self, filter: Filter) -> int:
        """Return the number of a filter and count one more user. O(1), O(filters) for a new filter."""
        number = self._number.get(filter)
        if number is None:
            number = self._add(filter)
        self._users[number] += 1
        return number

    def release(self, number: int) -> None:
        """Count one user less; a number without users is freed."""
        self._users[number] -= 1
        if self._users[number] == 0:
            unused = self._filters[number]
            assert unused is not None
            del self._number[unused]
            self._filters[number] = None
            self._free.append(number)

    def of(self, number: int) -> Filter:
        """Return the filter with this number."""
        found = self._filters[number]
        assert found is not None
        return found

    def in_layers(self, layers: frozenset[str], with_triggers: bool) -> array[int]:
        """Return 1 or 0 by filter number: whether its layer is one of `layers`. O(filters) for a new set of layers.

        with_triggers: whether the query that asks includes triggers; noted for `sets_without_triggers`.
        """
        if with_triggers:
            self._asked_with_triggers.add(layers)
        table = self._layer_tables.get(layers)
        if table is None:
            if len(self._layer_tables) == MAX_LAYER_SETS:
                self._forget_queries()
            table = array("b", [known is not None and known.layer in layers for known in self._filters])
            self._layer_tables[layers] = table
        return table

    def queried_layers(self) -> frozenset[str]:
        """Return the layers in the cached tables: those that queries named since a filter was last added."""
        return frozenset().union(*self._layer_tables)

    def sets_without_triggers(self) -> list[frozenset[str]]:
        """Return the sets of layers that queries named since then, but never with triggers, sorted."""
        return sorted(self._layer_tables.keys() - self._asked_with_triggers, key=sorted)

    def _forget_queries(self) -> None:
        self._layer_tables.clear()
        self._asked_with_triggers.clear()

    def _add(self, filter: Filter) -> int:
        self._forget_queries()
        self.former_layers.add(filter.layer)
        if self._free:
            number = self._free.pop()
        else:
            number = len(self._filters)
            self._filters.append(None)
            self._users.append(0)
            if number >= self._columns.width:
                self._columns.widen(2 * self._columns.width)
        self._filters[number] = filter
        self._number[filter] = number
        for other, known in enumerate(self._filters):
            if known is not None:
                self._set_relation(number, filter, other, known)
                self._set_relation(other, known, number, filter)
        return number

    def _set_relation(self, a: int, filter_a: Filter, b: int, filter_b: Filter) -> None:
        relation = (MEETS if may_meet(filter_a, filter_b) else 0) | (REPORTS if reports(filter_a, filter_b) else 0)
        self._columns.relation[a * self._columns.width + b] = relation

    # Undo.

    def mark(self) -> FiltersMark:
        """Return the current state, for `rollback`."""
        return dict(self._number), list(self._users), list(self._filters), list(self._free)

    def rollback(self, before: FiltersMark) -> None:
        """Restore the marked state. Works at any point of an interrupted change."""
        self._number, self._users, self._filters, self._free = before
        self._forget_queries()
        for a, filter_a in enumerate(self._filters):  # a freed number may have been reused
            for b, filter_b in enumerate(self._filters):
                if filter_a is not None and filter_b is not None:
                    self._set_relation(a, filter_a, b, filter_b)
