"""What the room writes down of a frame, and the codes of why contacts end."""

from __future__ import annotations

from typing import Protocol

from ecs_collision.contacts.pair_log import PairLog
from ecs_collision.events import LeftReason

REASONS = tuple(LeftReason)
"""Why contacts end, by the code in a log; 0 is MOVED, which kernels write."""

CODES = {reason: code for code, reason in enumerate(REASONS)}

Pair = tuple[int, int]
"""Row of a trigger, and row under whose name it tells of what is in it."""

Contact = tuple[int, int, int]
"""Row of a trigger, row of what is in it, and in how many frames the contact will end; 0 where it does not linger."""


class TriggerLog(Protocol):
    """What is written down, as (trigger, other): the log of the frame. The codes of `left` are REASONS."""

    left: PairLog
    entered: PairLog
    stayed: PairLog
    crossings: list[tuple[tuple[int, int], tuple[LeftReason | None, ...]]]
