"""Events of a frame: frozen records, named with past participles (rules T3, T7, T10, C1)."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from ecs_collision.fixed_point import Axis

Vector = tuple[float, float, float]

DIRECTIONS: tuple[tuple[Vector, Vector], ...] = (
    ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)),
    ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0)),
    ((0.0, 0.0, 1.0), (0.0, 0.0, -1.0)),
)
"""The unit vectors of each axis: up it, and down it."""


class LeftReason(enum.Enum):
    """Why a contact of a trigger (rule T3), or of two solid bodies (C3), ended; there the asking body is the trigger.

    DELETED: the trigger or the body is gone.
    DISABLED: one of them was disabled.
    FILTERED: the trigger does not report the body any more, because of its layer or its fused group.
    MOVED: all other cases.
    """

    MOVED = "moved"
    DELETED = "deleted"
    DISABLED = "disabled"
    FILTERED = "filtered"

    def __repr__(self) -> str:
        return self.name


class StopReason(enum.Enum):
    """What stopped a motion (rule P16).

    FORCE: the force is too small.
    IMMOVABLE: the blocker has no Inertia, or an infinite one.
    CHAIN_LIMIT: more bodies than `max_chain`.
    HOOK: `can_push` refused.
    BOUNDS: the bounds of the world, or the range of the index.
    ALL_OR_NOTHING: the motion was stopped on another axis, and moves as a whole or not at all.
    RESPONSE: the mover does not push the blocker (rule M9).
    """

    FORCE = "force"
    IMMOVABLE = "immovable"
    CHAIN_LIMIT = "chain limit"
    HOOK = "hook"
    BOUNDS = "bounds"
    ALL_OR_NOTHING = "all or nothing"
    RESPONSE = "response"

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in frame number `frame`."""

    frame: int


@dataclass(frozen=True, slots=True)
class Woke(Event):
    """`entity` woke."""

    entity: int


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """`entity` moved, by itself or pushed; `displacement` is the sum over the frame, in world units."""

    entity: int
    displacement: Vector


@dataclass(frozen=True, slots=True)
class Pushed(Event):
    """`entity` was pushed by the motions of `by`; `displacement` is the sum over the frame, in world units."""

    entity: int
    by: int
    displacement: Vector


@dataclass(frozen=True, slots=True)
class Blocked(Event):
    """A motion of `entity` was cut short on `axis` by `blocker` (None: by the bounds or by all-or-nothing).

    `reason` says why. `direction` is the unit vector of the motion on its axis, such as (-1.0, 0.0, 0.0). `blockers`
    are all bodies that stopped it at that distance, sorted by id: `blocker` is the first and has the reason. Without a
    blocker it is ().
    """

    entity: int
    blocker: int | None
    axis: Axis
    reason: StopReason
    direction: Vector
    blockers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Crushed(Event):
    """`entity` is pressed by the platform `by` against what cannot move (M8)."""

    entity: int
    by: int


@dataclass(frozen=True, slots=True)
class Overlapped(Event):
    """Solid bodies `a` and `b` began to overlap, by no motion; a < b. Only reported to those who subscribe (T11)."""

    a: int
    b: int


@dataclass(frozen=True, slots=True)
class Crossed(Event):
    """A motion of `entity` went into or through `other`, by its response "cross" (rule M9)."""

    entity: int
    other: int


@dataclass(frozen=True, slots=True)
class TriggerEntered(Event):
    """`other` entered `trigger`."""

    trigger: int
    other: int


@dataclass(frozen=True, slots=True)
class TriggerStayed(Event):
    """`other` was in `trigger` before this frame and still is."""

    trigger: int
    other: int


@dataclass(frozen=True, slots=True)
class TriggerLeft(Event):
    """`other` left `trigger`; `reason` says why."""

    trigger: int
    other: int
    reason: LeftReason


@dataclass(frozen=True, slots=True)
class ContactEnded(Event):
    """Solid body `a`, which asks for contacts, and `b` do not touch any more; `reason` says why."""

    a: int
    b: int
    reason: LeftReason


@dataclass(frozen=True, slots=True)
class ContactBegan(Event):
    """Solid body `a`, which asks for contacts, and `b` began to touch or overlap.

    `normal` is the unit vector from a to b at the end of the frame: the side of `a` on which `b` is.
    """

    a: int
    b: int
    normal: Vector


@dataclass(frozen=True, slots=True)
class Impact(Event):
    """A step of dynamics let `b` hit the solid body `a`, which asks for impacts (C6).

    `point` is where, in the world, and `normal` the unit vector from a to b. `speed` is how fast the two approached
    along the normal, in units per second, and `impulse` how large an impulse along it the hit took.
    """

    a: int
    b: int
    point: Vector
    normal: Vector
    impulse: float
    speed: float


@dataclass(frozen=True, slots=True)
class FellAsleep(Event):
    """`entity` fell asleep."""

    entity: int


DELIVERY_ORDER: tuple[type[Event], ...] = (
    Woke,
    Moved,
    Pushed,
    Blocked,
    Crushed,
    Crossed,
    Overlapped,
    TriggerLeft,
    TriggerEntered,
    TriggerStayed,
    ContactEnded,
    ContactBegan,
    Impact,
    FellAsleep,
)
"""The kinds in their order of delivery (T7); swept crossings come between TriggerStayed and ContactEnded.

Within a kind events are ordered by ids, then by axis or by time (`FrameLog.events`).
"""

PAIR_KINDS = tuple(kind for kind in DELIVERY_ORDER if kind not in (Woke, Moved, Blocked, FellAsleep))
"""The kinds whose first two fields behind the frame are two bodies."""
