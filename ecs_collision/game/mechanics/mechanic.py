"""`Mechanic`: a mechanic of a game, something that acts by itself turn after turn until nothing is left to do."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from ecs_collision.errors import SnapshotError


class Mechanic:
    """A mechanic of a game. `label` is how messages call it.

    It must come to rest: `apply` changes only what is not yet as it should be, else a turn never ends.
    """

    label = "mechanic"

    def begin(self) -> None:
        """Act before the game starts."""

    def advance(self) -> None:
        """Act once in every turn in which time passes, after what is controlled has moved."""

    def apply(self) -> None:
        """Act after every frame, behind the handlers."""

    def arriving(self) -> Set[int]:
        """Return the bodies it has put somewhere since the last frame: they fall only after triggers have seen them."""
        return frozenset()

    def save(self) -> Any:
        """Return what decides how it goes on, as JSON can hold it."""
        return None

    def validate(self, value: Any) -> None:
        """Raise SnapshotError where `load` could not take a value."""
        if value is not None:
            raise SnapshotError(f"the saved game has {value!r} for {self.label}, which remembers nothing")

    def load(self, value: Any) -> None:
        """Set it back to what `save` gave."""
