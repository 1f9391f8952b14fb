"""`Mechanic`: the base class of what acts by itself, turn after turn, until nothing changes any more."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from ecs_collision.errors import SnapshotError


class Mechanic:
    """A mechanic of a game. `label` is its name in messages.

    `apply` must change only what is not yet in its final state; otherwise a turn never ends.
    """

    label = "mechanic"

    def begin(self) -> None:
        """Act before the game starts."""

    def advance(self) -> None:
        """Act once in every turn in which time passes, after the controlled things have moved."""

    def apply(self) -> None:
        """Act after every frame, after the handlers."""

    def arriving(self) -> Set[int]:
        """Return the bodies it has placed since the last frame: triggers detect them before they fall."""
        return frozenset()

    def save(self) -> Any:
        """Return the state that determines its future, as JSON values."""
        return None

    def validate(self, value: Any) -> None:
        """Raise SnapshotError if `load` could not restore a value."""
        if value is not None:
            raise SnapshotError(f"the saved game has {value!r} for {self.label}, which saves no state")

    def load(self, value: Any) -> None:
        """Restore what `save` returned."""
