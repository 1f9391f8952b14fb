"""What contacts write to the log of a frame."""

from __future__ import annotations

from typing import Protocol

from ecs_collision.contacts.pair_log import PairLog
from ecs_collision.events import LeftReason

Pair = tuple[int, int]
"""The row of a trigger, and the row that it reports."""

Contact = tuple[int, int, int]
"""The row of a trigger, the row inside it, and the frames until the contact ends; 0 if it does not linger."""


class TriggerLog(Protocol):
    """The log of a frame, by ids of (trigger, other). The codes of `left` are those of `end_reason`."""

    left: PairLog
    entered: PairLog
    stayed: PairLog
    crossings: list[tuple[tuple[int, int], tuple[LeftReason | None, ...]]]
