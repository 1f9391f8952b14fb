"""What a frame tells: frozen records, in the past participle (rules T3, T7, T10)."""

from __future__ import annotations

import enum
from dataclasses import dataclass

Vector = tuple[float, float, float]


class LeftReason(enum.Enum):
    """Why a trigger no longer sees a body (rule T3)."""

    MOVED = "moved"
    DELETED = "deleted"
    DISABLED = "disabled"
    FILTERED = "filtered"

    def __repr__(self) -> str:
        return self.name


class StopReason(enum.Enum):
    """What stopped a motion (rule P16)."""

    FORCE = "force"
    IMMOVABLE = "immovable"
    CHAIN_LIMIT = "chain limit"
    HOOK = "hook"
    BOUNDS = "bounds"
    ALL_OR_NOTHING = "all or nothing"

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in frame number `frame`."""

    frame: int


@dataclass(frozen=True, slots=True)
class Woke(Event):
    """`entity` is awake again."""

    entity: int


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """`entity` was displaced by its motions and by pushes, net over the frame, in world units."""

    entity: int
    displacement: Vector


@dataclass(frozen=True, slots=True)
class Pushed(Event):
    """`entity` was displaced by the motions of `by`, net over the frame, in world units."""

    entity: int
    by: int
    displacement: Vector


@dataclass(frozen=True, slots=True)
class Blocked(Event):
    """A motion of `entity` was cut short on `axis` by `blocker` (None: by the bounds or by all-or-nothing)."""

    entity: int
    blocker: int | None
    axis: str
    reason: StopReason


@dataclass(frozen=True, slots=True)
class TriggerEntered(Event):
    """`other` came into `trigger`."""

    trigger: int
    other: int


@dataclass(frozen=True, slots=True)
class TriggerStayed(Event):
    """`other` was in `trigger` before this frame and still is."""

    trigger: int
    other: int


@dataclass(frozen=True, slots=True)
class TriggerLeft(Event):
    """`other` is no longer in `trigger`."""

    trigger: int
    other: int
    reason: LeftReason


@dataclass(frozen=True, slots=True)
class FellAsleep(Event):
    """`entity` rests."""

    entity: int


DELIVERY_ORDER: tuple[type[Event], ...] = (
    Woke,
    Moved,
    Pushed,
    Blocked,
    TriggerLeft,
    TriggerEntered,
    TriggerStayed,
    FellAsleep,
)
"""The kinds in the order they are delivered (T7); swept crossings come between Stayed and FellAsleep."""
