"""What contacts write to the log of a frame."""

from __future__ import annotations

from typing import Protocol

from ecs_collision.contacts.store import PairLog
from ecs_collision.events import LeftReason, Vector

Pair = tuple[int, int]
"""The row of a reporter, and the row that it reports."""

ContactRecord = tuple[int, int, int, bool]
"""The row of a reporter, the row that it reports, the frames until the contact ends (0 if it does not linger), and
whether the reporter is a solid body that asks for contacts, not a trigger."""


class ReportLog(Protocol):
    """The log of a frame, by ids of (reporter, other).

    `left`, `entered`, `stayed` and `crossings` are those of triggers, `ended` and `began` those of solid bodies. The
    codes of `left` and `ended` are those of `end_reason`, the codes of `began` those of `Overlaps.normal_code`.
    `normals` has the normals of contacts that began with the code NO_NORMAL.
    """

    left: PairLog
    entered: PairLog
    stayed: PairLog
    ended: PairLog
    began: PairLog
    normals: dict[Pair, Vector]
    crossings: list[tuple[tuple[int, int], tuple[LeftReason | None, ...]]]
