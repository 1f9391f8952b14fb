"""Teleporters: what enters one trigger appears in another."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from ecs_collision.errors import CollisionValueError, SnapshotError
from ecs_collision.fixed_point import flag
from ecs_collision.game.mechanics.mechanic import Mechanic
from ecs_collision.game.things import Things


class Teleporter(Mechanic):
    """Moves what enters `source` to the same place in `target`, as soon as it fits there.

    An arrived body is not sent back before it has left the trigger where it arrived.
    """

    def __init__(self, things: Things, source: str, target: str, both_ways: bool, by: str | None) -> None:
        first, second = (things.names.one(selector) for selector in (source, target))
        for selector in (source, target):
            things.members(selector, trigger=True)
        if first == second:
            raise CollisionValueError(f"teleporter({source!r}, {target!r}): source and target are equal; name two")
        self._things = things
        self._by = None if by is None else frozenset(things.members(by))
        self._routes = [(first, second), (second, first)] if flag(both_ways, "both_ways") else [(first, second)]
        self._arrived: dict[int, set[int]] = {first: set(), second: set()}
        self.label = f"teleporter {things.names.name(first)!r}"

    def apply(self) -> None:
        """Send the bodies that fit."""
        inside = {trigger: self._things.ids_inside(trigger) for trigger in self._arrived}
        for trigger, arrived in self._arrived.items():
            arrived.intersection_update(inside[trigger])
        for source, target in self._routes:
            sent: set[int] = set()
            for id in inside[source]:
                if id not in self._arrived[source] and id not in sent and self._may_send(id):
                    sent.update(self._send(id, source, target))
            self._arrived[target] |= sent

    def arriving(self) -> Set[int]:
        """Return the bodies sent since the last frame: no trigger has detected them yet."""
        return {id for trigger, ids in self._arrived.items() for id in ids.difference(self._things.ids_inside(trigger))}

    def _may_send(self, id: int) -> bool:
        return self._things.parts(id).static is None and (self._by is None or id in self._by)

    def _send(self, id: int, source: int, target: int) -> Sequence[int]:
        """Send a body, with everything it is fused to, if it fits; returns the ids that were sent."""
        things = self._things
        group = things.fused_ids(id)
        (from_x, from_y), (to_x, to_y) = map(things.position_of, (source, target))
        if not things.fits(group, to_x - from_x, to_y - from_y):
            return ()
        things.teleport(id, to_x - from_x, to_y - from_y)
        return group

    def save(self) -> Any:
        """Return the bodies that have arrived and not left, by name."""
        name = self._things.names.name
        return {name(trigger): [name(id) for id in sorted(ids)] for trigger, ids in self._arrived.items()}

    def validate(self, value: Any) -> None:
        """Raise if a value names other triggers or unknown things."""
        triggers = {self._things.names.name(trigger) for trigger in self._arrived}
        if not isinstance(value, dict) or set(value) != triggers or not all(map(self._are_names, value.values())):
            raise SnapshotError(f"the saved game has {value!r} for {self.label}; other mechanics saved it")

    def _are_names(self, value: object) -> bool:
        known = self._things.names.ids
        return isinstance(value, list) and all(isinstance(name, str) and name in known for name in value)

    def load(self, value: Any) -> None:
        """Restore the arrived bodies."""
        ids = self._things.names.ids
        self._arrived = {ids[trigger]: {ids[name] for name in names} for trigger, names in value.items()}
