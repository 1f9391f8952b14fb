"""The rules of collisions told a second time, as simply as they can be: a world to hold any other against.

Everything is a whole number of lattice units, every question is answered by trying every box, and nothing is kept
that a rule does not name. It knows no ECS: before each call it is told which bodies there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Vector = tuple[float, float, float]
Part = tuple[float, float, float, float, float, float]


@dataclass
class Asked:
    """What a body asks of its next frame, and how it pushes; None leaves it to the world. `token` tells remainders."""

    force: float = 0.0
    priority: int = 0
    rule: str | None = None
    max_chain: int | None = None
    all_or_nothing: bool | None = None
    dx: float = 0.0
    dy: float = 0.0
    dz: float = 0.0
    token: Hashable = None


@dataclass
class Zone:
    """What makes a body report instead of block (T1)."""

    mask: frozenset[str] | None = None
    touching: bool = False
    swept: bool = False
    stay: bool = False
    linger: int = 0
    enabled: bool = True


@dataclass
class Body:
    """A body as its user wrote it. Boxes are (hx, hy, hz, ox, oy, oz): half extents, then offset.

    `transform` and `collider` are whatever tells one instance from another: a body is the same at two take-ins while
    its id is and its transform or its collider is (E3).
    """

    id: int
    position: Vector
    boxes: tuple[Part, ...] = ((0.5, 0.5, 0.5, 0.0, 0.0, 0.0),)
    layer: str = "default"
    mask: frozenset[str] | None = None
    enabled: bool = True
    static: bool = False
    inertia: Vector | None = None
    motion: Asked | None = None
    zone: Zone | None = None
    transform: Hashable = None
    collider: Hashable = None


class Refused(Exception):
    """The bodies cannot be as they were written; nothing has changed (L3, E8)."""


class Stop(NamedTuple):
    """Why a motion went no further on an axis."""

    axis: str
    blocker: int | None
    reason: str
    allowed: float


class Link(NamedTuple):
    """A pusher that attains the distance of what it pushed."""

    pusher: int
    pushed: int
    axis: str
    gap: float


@dataclass
class Result:
    """What becomes of one motion (P16)."""

    requested: Vector = (0.0, 0.0, 0.0)
    moved: Vector = (0.0, 0.0, 0.0)
    pushed: dict[int, Vector] = field(default_factory=dict)
    stops: tuple[Stop, ...] = ()
    links: tuple[Link, ...] = ()


Hook = Callable[[int, int, str, float], bool | None]

OUTCOMES: frozenset[tuple[str, str]] = frozenset()
"""Every (rule, outcome) that `Model.hits` can count."""


class Model:
    """A world of bodies that moves, pushes and reports by the rules."""

    def __init__(
        self,
        *,
        bin_size: float = 1.0,
        rule: str = "each",
        max_chain: int | None = None,
        all_or_nothing: bool = False,
        axis_order: str = "xyz",
        order: str = "sequential",
        overlap_policy: str = "leave",
        bounds: tuple[Iterable[float], Iterable[float]] | None = None,
        can_push: Hook | None = None,
    ) -> None:
        self.bodies: dict[int, Body] = {}
        self.frame = 0
        self.hits: Counter[tuple[str, str]] = Counter()
        self.results: dict[int, Result] = {}

    def take_in(self, bodies: Iterable[Body]) -> None:
        """Take over the whole present state as its user wrote it; a position that differs is a teleport (P12)."""
        raise NotImplementedError

    def move(self, id: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0, **how: Any) -> Result:
        """Move a body now; `how` may give force, rule, max_chain and all_or_nothing."""
        raise NotImplementedError

    def plan(self, id: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0, **how: Any) -> Result:
        """Return what `move` would do (P17)."""
        raise NotImplementedError

    def step(self) -> list[tuple[Any, ...]]:
        """Do one frame and return its events in the order they are delivered (T7)."""
        raise NotImplementedError

    def inside(self, trigger: int) -> list[int]:
        """Return who was in a trigger when the last frame ended, lingering included."""
        raise NotImplementedError

    def pairs(self) -> list[tuple[int, int]]:
        """Return the solid bodies that overlap now."""
        raise NotImplementedError

    def touching(self, id: int) -> list[int]:
        """Return the solid bodies that touch a body now."""
        raise NotImplementedError
