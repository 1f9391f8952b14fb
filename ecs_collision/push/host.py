"""The calls that motions make to the world that owns them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

Leg = tuple[int, dict[int, int]]
"""One axis of a motion: the axis, and the signed displacement of each row in units."""


class MotionHost(Protocol):
    """The owner of motions, and of the state that they change."""

    quiet_until: int
    """The first frame that may be other than quiet; 0 if it is the coming one."""

    def end_quiet_frames(self) -> None:
        """Make the coming frame run all phases."""

    def call_hook(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return the answer of the `can_push` hook for a push (P15)."""

    def sweep(self, legs: list[Leg]) -> None:
        """Record what a motion passes, before it is committed (T4). If this raises, nothing is recorded."""

    def wake(self, rows: Iterable[int]) -> None:
        """Wake displaced bodies (S4). If this raises, none of them is woken."""

    def rollback(self, swept: bool, woke: bool) -> None:
        """Roll back a motion whose commit failed. `swept` and `woke` say which of the two calls were made."""
