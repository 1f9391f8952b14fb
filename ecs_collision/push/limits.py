"""What planning needs of a world's settings, and of whoever runs the world."""

from __future__ import annotations

from typing import Protocol

Units = tuple[int, int, int]
Leg = tuple[int, dict[int, int]]
"""One axis of a motion: the axis and the displacement of each row in units, signed."""


class Limits(Protocol):
    """The settings of a world."""

    @property
    def rule(self) -> str:
        """The push rule, "each" or "sum" (P4)."""

    @property
    def max_chain(self) -> int | None:
        """How many bodies a motion may push."""

    @property
    def all_or_nothing(self) -> bool:
        """Whether a request that does not fit whole moves nothing (P5)."""

    @property
    def overlap_policy(self) -> str:
        """The policy, "leave" or "block_deeper" (P9)."""

    @property
    def axes(self) -> Units:
        """The axes in the order they are done."""

    @property
    def low(self) -> Units:
        """The lower bounds in units."""

    @property
    def high(self) -> Units:
        """The upper bounds in units."""

    @property
    def range_low(self) -> int:
        """The least face the index holds."""

    @property
    def range_high(self) -> int:
        """The greatest face the index holds."""


class Watch(Protocol):
    """Who is told what motions do."""

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
