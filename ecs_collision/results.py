"""What a motion yields: a `MoveResult` that explains itself (rule P16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ecs_collision.events import Reason, Vector


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a motion went no further on `axis`.

    `blocker` is the lowest id among those that stopped it, None at the bounds; `allowed` is the distance
    the axis could go, in world units, never negative.
    """

    axis: str
    blocker: int | None
    reason: Reason
    allowed: float


@dataclass(frozen=True, slots=True)
class Link:
    """`pusher` displaced `pushed` along `axis` after closing `gap` (world units)."""

    pusher: int
    pushed: int
    axis: str
    gap: float


def joined(first: MoveResult | None, second: MoveResult) -> MoveResult:
    """Return one result for a motion done in two parts: `first` asked for the whole, `second` for what was left."""
    if first is None:
        return second
    pushed = dict(first.pushed)
    for entity, moved in second.pushed.items():
        pushed[entity] = _sum(pushed.get(entity, (0.0, 0.0, 0.0)), moved)
    return MoveResult(
        first.entity,
        first.requested,
        _sum(first.moved, second.moved),
        MappingProxyType(dict(sorted(pushed.items()))),
        first.stops + second.stops,
        first.links + second.links,
        second.force,
        MappingProxyType({**first.inertias, **second.inertias}),
    )


def _sum(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _number(value: float) -> str:
    """Return `value` without a needless fraction."""
    return f"{value:.6g}"


def _signed(value: float) -> str:
    return ("+" if value > 0 else "") + _number(value)


@dataclass(frozen=True, slots=True)
class MoveResult:
    """What became of one motion; true when the whole request was met.

    `requested`, `moved` and the values of `pushed` are displacements (x, y, z) in world units.
    """

    entity: int
    requested: Vector
    moved: Vector
    pushed: Mapping[int, Vector]
    stops: tuple[Stop, ...]
    links: tuple[Link, ...]
    force: float = 0.0
    inertias: Mapping[int, Vector | None] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """Inertia per axis of every body named in `pushed` and `stops`, None where it has none, for `explain`."""

    def __bool__(self) -> bool:
        """Return whether the whole request was met."""
        return not self.stops

    def explain(self) -> str:
        """Return one line: what moved how far, who was pushed, what stopped it and why."""
        head = f"entity {self.entity} (force {_number(self.force)})"
        parts = [f"{head} {self._motion_text()}"]
        parts += [f"{self._body(entity)} pushed {self._vector(moved)}" for entity, moved in self.pushed.items()]
        text = parts[0] if len(parts) == 1 else parts[0] + ": " + ", ".join(parts[1:])
        stops = [self._stop_text(stop) for stop in self.stops]
        return "; ".join([text, *stops])

    def _motion_text(self) -> str:
        axes = [axis for axis in range(3) if self.requested[axis] or self.moved[axis]]
        if not axes:
            return "was not asked to move"
        return "moved " + ", ".join(
            f"{'xyz'[axis]} {_signed(self.moved[axis])} of {_signed(self.requested[axis])}" for axis in axes
        )

    def _vector(self, vector: Vector) -> str:
        return ", ".join(f"{axis} {_signed(value)}" for axis, value in zip("xyz", vector, strict=True) if value)

    def _body(self, entity: int, axis: str | None = None) -> str:
        inertia = self.inertias.get(entity)
        if inertia is None:
            return f"entity {entity} (immovable)"
        if axis is not None:
            return f"entity {entity} (inertia {_number(inertia['xyz'.index(axis)])})"
        along = [inertia[index] for index in range(3) if self.pushed.get(entity, (0, 0, 0))[index]]
        return f"entity {entity} (inertia {' / '.join(dict.fromkeys(map(_number, along)))})"

    def _stop_text(self, stop: Stop) -> str:
        if stop.reason is Reason.ALL_OR_NOTHING:
            return f"{stop.axis} stopped because the motion is all or nothing"
        if stop.blocker is None:
            return f"{stop.axis} stopped by the bounds"
        why = {
            Reason.FORCE: "the force is too small",
            Reason.IMMOVABLE: "it cannot be pushed",
            Reason.CHAIN_LIMIT: "the chain is too long",
            Reason.HOOK: "can_push refused",
        }[stop.reason]
        return f"{stop.axis} stopped after {_number(stop.allowed)} by {self._body(stop.blocker, stop.axis)}: {why}"
