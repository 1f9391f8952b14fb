"""What motions ask of whoever makes them: all the calls upward of this room."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

Leg = tuple[int, dict[int, int]]
"""One axis of a motion: the axis and the displacement of each row in units, signed."""


class MotionHost(Protocol):
    """Who makes motions, and owns what they affect."""

    def call_hook(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return what the hook says of a push (P15)."""

    def sweep(self, legs: list[Leg]) -> None:
        """Follow the way of all that a motion displaces, before it is committed: all of it or nothing (T4)."""

    def wake(self, rows: Iterable[int]) -> None:
        """Wake bodies that were displaced: all of them or none (S4)."""

    def rollback(self, swept: bool, woke: bool) -> None:
        """Roll back a motion that was broken off while it was committed; `sweep` and `wake` may have been done."""
