"""Doors that open while plates are pressed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.game.mechanics.mechanic import Mechanic
from ecs_collision.game.things import Things


class Door(Mechanic):
    """Bodies that are disabled while plates are pressed.

    A door that would close on something waits until it has left, so nothing gets stuck. No state is saved: whether a
    door is open is a field of its collider.
    """

    def __init__(self, things: Things, name: str, opens: str | Sequence[str], by: str | None, needs: str) -> None:
        if not isinstance(needs, str) or needs not in ("all", "any"):
            raise CollisionValueError(f'door({name!r}): needs is {needs!r}; it must be "all" or "any"')
        if not isinstance(opens, Collection) or isinstance(opens, Mapping):
            raise CollisionTypeError(
                f"door({name!r}): opens is {opens!r}; give the name or kind of the plates that open it, or a "
                "list of them"
            )
        selectors = [opens] if isinstance(opens, str) else list(opens)
        if not selectors:
            raise CollisionValueError(f"door({name!r}): opens is empty; name the plates that open it")
        self._things = things
        self._plates = sorted({id for selector in selectors for id in things.members(selector, trigger=True)})
        self._by = None if by is None else frozenset(things.members(by))
        self._doors = things.members(name)
        self._enough = all if needs == "all" else any
        self.label = f"door {', '.join(repr(things.names.name(id)) for id in self._doors)}"

    def apply(self) -> None:
        """Open or close the doors that are in the wrong state."""
        opens = self._enough(self._is_pressed(plate) for plate in self._plates)
        for id in self._doors:
            collider = self._things.parts(id).collider
            assert collider is not None
            if collider.enabled is opens and (opens or self._things.fits((id,), 0.0, 0.0, in_walls=True)):
                collider.enabled = not opens

    def _is_pressed(self, plate: int) -> bool:
        inside = self._things.ids_inside(plate)
        return any(id not in self._doors and (self._by is None or id in self._by) for id in inside)
