"""Doors that plates open, and teleporters: what happens to whoever stands in a trigger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any

from ecs_collision.errors import SnapshotError
from ecs_collision.game.geometry import fits
from ecs_collision.game.mechanics.rules import Rule
from ecs_collision.game.things import Things


class Door(Rule):
    """Bodies that are out of the way (disabled) while plates are pressed.

    One that would close on something waits until that is gone, so nothing is ever caught in a door. It remembers
    nothing: whether a door is open is a field of its collider.
    """

    def __init__(
        self, game: Things, doors: Sequence[int], plates: Sequence[int], by: Iterable[int] | None, needs: str
    ) -> None:
        self.label = f"door {', '.join(repr(game.name(id)) for id in doors)}"
        self._game, self._doors, self._plates = game, doors, plates
        self._by = None if by is None else frozenset(by)
        self._enough = all if needs == "all" else any

    def apply(self) -> None:
        """Open or close what is not as it shall be."""
        opens = self._enough(self._is_pressed(plate) for plate in self._plates)
        world = self._game.world
        for id in self._doors:
            collider = self._game._engine.parts(id).collider
            assert collider is not None
            if collider.enabled is opens and (opens or fits(world, (id,), (0.0, 0.0), in_walls=True)):
                collider.enabled = not opens

    def _is_pressed(self, plate: int) -> bool:
        inside = self._game.ids_inside(plate)
        return any(id not in self._doors and (self._by is None or id in self._by) for id in inside)


class Teleporter(Rule):
    """What comes into `source` is put to the same place in `target`, as soon as it fits there.

    Who has arrived is not sent back before having left the place where it arrived.
    """

    def __init__(self, game: Things, source: int, target: int, both_ways: bool, by: Iterable[int] | None) -> None:
        self.label = f"teleporter {game.name(source)!r}"
        self._game = game
        self._by = None if by is None else frozenset(by)
        self._ways = [(source, target), (target, source)] if both_ways else [(source, target)]
        self._arrived: dict[int, set[int]] = {source: set(), target: set()}

    def apply(self) -> None:
        """Send on who can go."""
        inside = {place: self._game.ids_inside(place) for place in self._arrived}
        for place, arrived in self._arrived.items():
            arrived.intersection_update(inside[place])
        for source, target in self._ways:
            sent: set[int] = set()
            for id in inside[source]:
                if id not in self._arrived[source] and id not in sent and self._sends(id):
                    sent.update(self._send(id, source, target))
            self._arrived[target] |= sent

    def arriving(self) -> Set[int]:
        """Return who has been sent since the last frame: triggers do not know of them yet."""
        return {id for place, ids in self._arrived.items() for id in ids.difference(self._game.ids_inside(place))}

    def _sends(self, id: int) -> bool:
        return self._game._engine.parts(id).static is None and (self._by is None or id in self._by)

    def _send(self, id: int, source: int, target: int) -> Sequence[int]:
        """Send a body, with all it is fused to, if it fits; returns who went."""
        together = self._game.fused_ids(id)
        (from_x, from_y), (to_x, to_y) = map(self._game.place_of, (source, target))
        way = (to_x - from_x, to_y - from_y)
        if not fits(self._game.world, together, way):
            return ()
        self._game.carry(id, *way)
        return together

    def save(self) -> Any:
        """Return who has arrived and not left, by name."""
        name = self._game.name
        return {name(place): [name(id) for id in sorted(ids)] for place, ids in self._arrived.items()}

    def judge(self, value: Any) -> None:
        """Raise where a value names other places or unknown things."""
        places = {self._game.name(place) for place in self._arrived}
        if not isinstance(value, dict) or set(value) != places or not all(map(self._are_names, value.values())):
            raise SnapshotError(f"the saved game has {value!r} for {self.label}; it is of other rules")

    def _are_names(self, value: object) -> bool:
        return isinstance(value, list) and all(isinstance(name, str) and name in self._game.ids for name in value)

    def load(self, value: Any) -> None:
        """Take back who has arrived."""
        self._arrived = {
            self._game.id(place): {self._game.id(name) for name in names} for place, names in value.items()
        }
