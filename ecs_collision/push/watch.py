"""What motions need of whatever runs the world."""

from __future__ import annotations

from typing import Protocol

Leg = tuple[int, dict[int, int]]
"""One axis of a motion: the axis and the displacement of each row in units, signed."""


class Watch(Protocol):
    """What motions call while they are made."""

    def ask(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return what the hook says of a push (P15)."""

    def follow(self, legs: list[Leg]) -> None:
        """Follow the way of all a motion displaces, before it is committed (T4)."""

    def brace(self) -> None:
        """Be ready to take back whom a motion wakes."""

    def undo(self, followed: bool, woke: bool) -> None:
        """Take back a motion that was broken off while it was committed.

        followed: its way may have been followed. woke: bodies may have been woken since `brace`.
        """

    def wake(self, row: int) -> None:
        """Wake a body that was displaced (S4)."""
