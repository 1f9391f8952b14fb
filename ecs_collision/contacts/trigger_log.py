"""What the room writes down of a frame."""

from __future__ import annotations

from typing import Protocol

from ecs_collision.contacts.pair_log import PairLog
from ecs_collision.events import LeftReason

Pair = tuple[int, int]
"""Row of a trigger, and row under whose name it tells of what is in it."""

Contact = tuple[int, int, int]
"""Row of a trigger, row of what is in it, and in how many frames the contact will end; 0 where it does not linger."""


class TriggerLog(Protocol):
    """What is written down, as (trigger, other): the log of the frame. The codes of `left` are of `end_reason`."""

    left: PairLog
    entered: PairLog
    stayed: PairLog
    crossings: list[tuple[tuple[int, int], tuple[LeftReason | None, ...]]]
