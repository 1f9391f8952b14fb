"""The calls that motions make to the world that owns them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ecs_collision.components import Response

Leg = tuple[int | tuple[int, int, int], dict[int, int]]
"""One axis of a motion: the axis, and the signed displacement of each row in units.

A segment of a straight motion has its displacement in place of the axis, and each row goes it once.
"""


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

    def call_respond(self, mover: int, other: int) -> Response | None:
        """Return the answer of the `respond` hook for a mover and a body (M9)."""

    def mark_crossings(self) -> None:
        """Start an undo record of `cross`."""

    def cross(self, mover: int, crossed: list[int], begun: list[int], displaced: Iterable[int]) -> None:
        """Update the pairs that pass through each other after rows were displaced, and log the crossings that began."""

    def wake(self, rows: Iterable[int]) -> None:
        """Wake displaced bodies (S4). If this raises, none of them is woken."""

    def rollback(self, swept: bool, woke: bool, crossed: bool) -> None:
        """Roll back a motion whose commit failed. The flags say which of the three calls were made or began."""
