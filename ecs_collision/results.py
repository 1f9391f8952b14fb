# cython: language_level=3, auto_pickle=False, nonecheck=True
# cython: embedsignature=True, embedsignature.format=clinic
"""The result of a motion, `MoveResult` (rule P16), and events built in bulk.

A game makes many motions and reads few results. So a result stores the packed numbers of a motion, which do not change
any more, and builds tuples, mappings and text when they are read.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import FrozenInstanceError, dataclass, field
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython
if cython.compiled:
    from cython.cimports.ecs_collision.results import new_object, set_slot
else:

    def new_object(kind: Any) -> Any:
        """Return an object of a kind without fields."""
        return object.__new__(kind)

    def set_slot(made: object, slot: Any, value: object) -> None:
        """Set a field of a new object, once, by its descriptor."""
        slot.__set__(made, value)

    def untrack(made: object) -> None:
        """Tell the garbage collector not to visit an object."""


from ecs_collision.errors import CollisionValueError
from ecs_collision.events import DIRECTIONS, StopReason, Vector
from ecs_collision.fixed_point import AXES, LATTICE, Axis

_LATTICE = cython.declare(cython.double, LATTICE)

FORCE, IMMOVABLE, CHAIN_LIMIT, HOOK, BOUNDS, ALL_OR_NOTHING, RESPONSE = range(1, 8)
"""Codes of the kernels for why an axis of a motion stops; 0 when it does not. ALL_OR_NOTHING: another axis did not fit
whole. RESPONSE: the mover does not push the body (M9)."""

REASONS = {
    FORCE: StopReason.FORCE,
    IMMOVABLE: StopReason.IMMOVABLE,
    CHAIN_LIMIT: StopReason.CHAIN_LIMIT,
    HOOK: StopReason.HOOK,
    BOUNDS: StopReason.BOUNDS,
    ALL_OR_NOTHING: StopReason.ALL_OR_NOTHING,
    RESPONSE: StopReason.RESPONSE,
}
"""Stop reasons by code."""
CODES = {reason: code for code, reason in REASONS.items()}
"""Codes by stop reason."""

CAUSES = {
    StopReason.FORCE: "the force is too small",
    StopReason.IMMOVABLE: "it cannot be pushed",
    StopReason.CHAIN_LIMIT: "the chain is too long",
    StopReason.HOOK: "can_push refused",
    StopReason.RESPONSE: "the mover does not push it",
}
"""Why a body stops a motion, in words."""

PUSH = 7
"""Item count of a packed push: entity, its displacement and its inertia by axis."""
LINK = 4
"""Item count of a packed link: pusher, pushed, axis, gap."""
STOP = 7
"""Item count of a packed stop: axis, blocker or -1, reason, units allowed, and the blocker's inertia by axis.

A stop with several blockers is several of them, by entity id; the first has the reason of the stop.
"""

MAX_BLOCKERS_SHOWN = 4
"""Maximum number of blockers of a stop that `explain` names."""

_NO_SHARES: Mapping[int, float] = MappingProxyType({})

# An inertia is packed in units, or as one of these codes.
_INFINITE = -1
_NONE = -2


@dataclass(frozen=True, slots=True)
class AxisStop:
    """What stopped a motion on `axis`, and the `reason`.

    `blocker` is the lowest id among the bodies that stopped it, None at the bounds; `allowed` is the distance
    that was possible on the axis, in world units, never negative. `direction` is the unit vector of the motion on the
    axis; `blockers` are all bodies that stopped it at that distance, sorted by id, () if `blocker` is None.
    """

    axis: Axis
    blocker: int | None
    reason: StopReason
    allowed: float
    direction: Vector
    blockers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PushLink:
    """`pusher` displaced `pushed` along `axis` after closing `gap`, in world units."""

    pusher: int
    pushed: int
    axis: Axis
    gap: float


@dataclass(frozen=True, slots=True)
class Hit:
    """What a straight line met: `entity`, None for the bounds, and what the mover did there (M9, M10).

    `normal` is the unit vector that points out of what was met. `response` is "stop", "slide" or "bounce". `moved` is
    the displacement of the mover up to there, in world units.
    """

    entity: int | None
    normal: Vector
    response: str
    moved: Vector


def no_truth_value(kind: str, name: str, entity: int) -> CollisionValueError:
    """Return the error for a result that is used as a truth value; `name` is what the remedy calls it."""
    return CollisionValueError(
        f"the {kind} of entity {entity} has no truth value; use {name}.complete (the whole request was met) or "
        f"{name}.blocked, {name}.blocked_x, {name}.blocked_y, {name}.blocked_z (where it stopped)"
    )


def joined(first: MoveResult | None, second: MoveResult) -> MoveResult:
    """Return the result of a motion made in two parts: `first` requested all of it, `second` the rest."""
    if first is None:
        return second
    pushed = dict(first.pushed)
    for entity, moved in second.pushed.items():
        pushed[entity] = _sum(pushed.get(entity, (0.0, 0.0, 0.0)), moved)
    return MoveResult(
        first.entity,
        first.requested,
        _sum(first.moved, second.moved),
        dict(sorted(pushed.items())),
        first.stops + second.stops,
        first.links + second.links,
        second.force,
        {**first.inertias, **second.inertias},
        dict(sorted({**first.shares, **second.shares}.items())),
        first.hits + second.hits,
    )


def _sum(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _number(value: float) -> str:
    """Return `value` as text without a needless fraction."""
    return f"{value:.6g}"


def _signed(value: float) -> str:
    return ("+" if value > 0 else "") + _number(value)


def inertia_along(inertia: Vector, moved: Vector) -> str:
    """Return the inertia on the axes of a displacement as text, each different number once: "1", "1 / 2"."""
    return " / ".join(dict.fromkeys(_number(each) for each, by in zip(inertia, moved, strict=True) if by))


def _list(parts: Sequence[str]) -> str:
    """Return parts as text: "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


@dataclass(frozen=True)
class _Record:
    """The fields of a result, for functions of `dataclasses`."""

    entity: int
    requested: Vector
    moved: Vector
    pushed: Mapping[int, Vector]
    stops: tuple[AxisStop, ...]
    links: tuple[PushLink, ...]
    force: float = 0.0
    inertias: Mapping[int, Vector | None] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    shares: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    hits: tuple[Hit, ...] = ()


@cython.final
@cython.no_gc
@cython.cclass
class MoveResult:
    """The result of a motion. It has no truth value: `complete` says whether the full request was met.

    `requested`, `moved` and the values of `pushed` are displacements (x, y, z) in world units. `pushed` is ordered by
    entity, `stops` by the order of the axes, `links` by axis, pushed and pusher. `shares` are the forces of the movers
    that pushed together (M11), by entity; it is empty otherwise. It behaves like a frozen dataclass: later changes of
    the world do not show in it, and results with equal fields are equal. Made by `move`, `step` and plans.
    """

    __slots__ = (
        "_dx",
        "_dy",
        "_dz",
        "_entity",
        "_force",
        "_hits",
        "_inertias",
        "_link_bytes",
        "_links",
        "_push_bytes",
        "_pushed",
        "_shares",
        "_stop_bytes",
        "_stops",
        "_x",
        "_y",
        "_z",
    )
    __match_args__ = (
        *("entity", "requested", "moved", "pushed", "stops", "links", "force", "inertias"),
        *("shares", "hits"),
    )
    __dataclass_fields__ = _Record.__dataclass_fields__

    def __init__(
        self,
        entity: int,
        requested: Vector,
        moved: Vector,
        pushed: Mapping[int, Vector],
        stops: tuple[AxisStop, ...],
        links: tuple[PushLink, ...],
        force: float = 0.0,
        inertias: Mapping[int, Vector | None] | None = None,
        shares: Mapping[int, float] | None = None,
        hits: tuple[Hit, ...] = (),
    ) -> None:
        self._entity, self._force = entity, force
        self._dx, self._dy, self._dz = requested
        self._x, self._y, self._z = moved
        self._push_bytes = self._link_bytes = self._stop_bytes = b""
        self._pushed: Mapping[int, Vector] | None = MappingProxyType(dict(pushed))
        self._stops: tuple[AxisStop, ...] | None = tuple(stops)
        self._links: tuple[PushLink, ...] | None = tuple(links)
        self._inertias: Mapping[int, Vector | None] | None = MappingProxyType(dict(inertias or {}))
        self._shares: Mapping[int, float] | None = MappingProxyType(dict(shares)) if shares else None
        self._hits = tuple(hits)

    @property
    def entity(self) -> int:
        """The entity that was to move."""
        return self._entity

    @property
    def requested(self) -> Vector:
        """The displacement requested."""
        return (self._dx, self._dy, self._dz)

    @property
    def moved(self) -> Vector:
        """The displacement made."""
        return (self._x, self._y, self._z)

    @property
    def force(self) -> float:
        """The force it pushed with."""
        return self._force

    @property
    def complete(self) -> bool:
        """Whether the full request was met."""
        return not self._stop_bytes if self._stops is None else not self._stops

    @property
    def blocked(self) -> bool:
        """Whether anything stopped it, on any axis."""
        return not self.complete

    @property
    def blocked_x(self) -> bool:
        """Whether anything stopped it along x."""
        return self._is_blocked_on("x")

    @property
    def blocked_y(self) -> bool:
        """Whether anything stopped it along y."""
        return self._is_blocked_on("y")

    @property
    def blocked_z(self) -> bool:
        """Whether anything stopped it along z."""
        return self._is_blocked_on("z")

    def _is_blocked_on(self, axis: str) -> bool:
        return axis in [stop.axis for stop in self.stops]

    @property
    def pushed(self) -> Mapping[int, Vector]:
        """The displacement of each pushed body, by entity."""
        if self._pushed is None:
            self._pushed = MappingProxyType(_displacements(_numbers(self._push_bytes)))
        return self._pushed

    @property
    def stops(self) -> tuple[AxisStop, ...]:
        """What stopped it, at most one per axis."""
        if self._stops is None:
            self._stops = _stops(_numbers(self._stop_bytes), self.requested)
        return self._stops

    @property
    def links(self) -> tuple[PushLink, ...]:
        """The pairs of pusher and pushed body."""
        if self._links is None:
            self._links = _links(_numbers(self._link_bytes))
        return self._links

    @property
    def inertias(self) -> Mapping[int, Vector | None]:
        """Inertia per axis of each body in `pushed` and `stops`, None without Inertia; used by `explain`."""
        if self._inertias is None:
            self._inertias = MappingProxyType(_inertias(_numbers(self._push_bytes), _numbers(self._stop_bytes)))
        return self._inertias

    @property
    def shares(self) -> Mapping[int, float]:
        """The force of each mover that pushed together with this one, and its own, by entity; empty if none did."""
        return _NO_SHARES if self._shares is None else self._shares

    @property
    def hits(self) -> tuple[Hit, ...]:
        """What its straight line met, in order, and how the motion went on there; () for all other motions (M9)."""
        return self._hits

    def _values(self) -> tuple[Any, ...]:
        return (
            *(self.entity, self.requested, self.moved, self.pushed, self.stops, self.links, self.force),
            *(self.inertias, self.shares, self.hits),
        )

    def __bool__(self) -> bool:  # not NoReturn: type checkers would not check anything behind `if result:`
        """Raise CollisionValueError: a motion may be met in part, so `complete` and `blocked` are asked for by name."""
        raise no_truth_value("MoveResult", "result", self._entity)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MoveResult):
            return NotImplemented
        return bool(self._values() == other._values())

    def __hash__(self) -> int:
        return hash(self._values())

    def __setattr__(self, name: str, value: object) -> None:
        # Compiled, the private fields are not Python attributes; in plain Python they are assigned here.
        if not name.startswith("_"):
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as plain values."""
        values = [dict(value) if isinstance(value, MappingProxyType) else value for value in self._values()]
        return (MoveResult, tuple(values))

    def __repr__(self) -> str:
        fields = [f"{name}={value!r}" for name, value in zip(self.__match_args__, self._values(), strict=True)]
        later = [*([fields[-2]] if self._shares else []), *([fields[-1]] if self._hits else [])]
        return f"MoveResult({', '.join([*fields[:-3], *later])})"

    def explain(self) -> str:
        """Return one line: how far the entity moved, which bodies it pushed, what stopped it and why."""
        head = f"entity {self.entity} (force {_number(self.force)})"
        parts = [f"{head} {self._motion_text()}"]
        parts += [f"{self._body(entity)} pushed {self._vector(moved)}" for entity, moved in self.pushed.items()]
        text = parts[0] if len(parts) == 1 else parts[0] + ": " + ", ".join(parts[1:])
        stops = [self._stop_text(stop) for stop in self.stops]
        others = [f"entity {entity} (force {_number(share)})" for entity, share in self.shares.items()]
        together = [f"{_list(others)} pushed together"] if others else []
        return "; ".join([text, *together, *stops])

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
        return f"entity {entity} (inertia {inertia_along(inertia, self.pushed.get(entity, (0, 0, 0)))})"

    def _stop_text(self, stop: AxisStop) -> str:
        if stop.reason is StopReason.ALL_OR_NOTHING:
            return f"{stop.axis} stopped because the motion is all or nothing"
        if stop.blocker is None:
            return f"{stop.axis} stopped by the bounds"
        first, *others = [self._body(blocker, stop.axis) for blocker in stop.blockers[:MAX_BLOCKERS_SHOWN]]
        if len(stop.blockers) > MAX_BLOCKERS_SHOWN:
            others.append(f"{len(stop.blockers) - MAX_BLOCKERS_SHOWN} more")
        also = f", and by {_list(others)}" if others else ""
        return f"{stop.axis} stopped after {_number(stop.allowed)} by {first}: {CAUSES[stop.reason]}{also}"


@cython.ccall
def make_result(
    entity: cython.longlong,
    dx: cython.longlong,
    dy: cython.longlong,
    dz: cython.longlong,
    moved: cython.longlong[::1],
    force: cython.double,
    pushes: bytes,
    links: bytes,
    stops: bytes,
) -> MoveResult:
    """Return the result of a motion from its packed numbers; (dx, dy, dz) is the request, in units."""
    result: MoveResult = MoveResult.__new__(MoveResult)
    result._entity, result._force = entity, force
    result._dx, result._dy, result._dz = dx * _LATTICE, dy * _LATTICE, dz * _LATTICE
    result._x = moved[0] * _LATTICE
    result._y = moved[1] * _LATTICE
    result._z = moved[2] * _LATTICE
    result._push_bytes, result._link_bytes, result._stop_bytes = pushes, links, stops
    result._pushed = result._stops = result._links = result._inertias = result._shares = None
    result._hits = ()
    return result


@cython.ccall
def combined(first: MoveResult, second: MoveResult) -> MoveResult:
    """Return the result of a motion made in two parts with the same request."""
    result: MoveResult = MoveResult.__new__(MoveResult)
    result._entity, result._force = first._entity, first._force
    result._dx, result._dy, result._dz = first._dx, first._dy, first._dz
    result._x, result._y, result._z = first._x + second._x, first._y + second._y, first._z + second._z
    result._push_bytes = first._push_bytes + second._push_bytes
    result._link_bytes = first._link_bytes + second._link_bytes
    result._stop_bytes = first._stop_bytes + second._stop_bytes
    result._pushed = result._stops = result._links = result._inertias = None
    result._shares = first._shares
    result._hits = first._hits + second._hits
    return result


@cython.ccall
def pushed_on(first: MoveResult, second: MoveResult, axis: cython.int, shares: dict) -> MoveResult:  # type: ignore[type-arg]
    """Return the result of a motion that went on along an axis, together with others (M11).

    What stopped the first part on this axis counts no more if the rest is done. If the others stopped earlier, it holds
    after both parts; otherwise what stopped the second part does.
    """
    result: MoveResult = combined(first, second)
    before = _records(first._stop_bytes)
    at = [number for number, record in enumerate(before) if record[0] == axis]
    after = _records(second._stop_bytes)
    if not after and result.moved[axis] != result.requested[axis]:
        after = [before[number] for number in at]
    done = round(abs(result.moved[axis]) / LATTICE)
    before[at[0] : at[-1] + 1] = [[*record[:3], done, *record[4:]] for record in after]
    result._stop_bytes = array("q", [number for record in before for number in record]).tobytes()
    result._shares = MappingProxyType(dict(sorted({**first.shares, **shares}.items())))
    return result


def _records(stops: bytes) -> list[list[int]]:
    """Return the packed stops."""
    numbers = _numbers(stops)
    return [numbers[at : at + STOP] for at in range(0, len(numbers), STOP)]


# Unpacking.


def _numbers(packed: bytes) -> list[int]:
    return memoryview(packed).cast("q").tolist()


def _displacements(numbers: list[int]) -> dict[int, Vector]:
    """Return the sum of the displacements of each body, by entity."""
    total: dict[int, Vector] = {}
    for at in range(0, len(numbers), PUSH):
        entity, displacement = numbers[at], numbers[at + 1 : at + 4]
        total[entity] = _sum(total.get(entity, (0.0, 0.0, 0.0)), _to_world(displacement))
    return dict(sorted(total.items()))


def _stops(numbers: list[int], requested: Vector) -> tuple[AxisStop, ...]:
    columns = [numbers[part::STOP] for part in range(4)]
    stops = []
    for axis, records in groupby(zip(*columns, strict=True), key=itemgetter(0)):
        (_, blocker, reason, allowed), *others = records
        first, blockers = (None, ()) if blocker < 0 else (blocker, (blocker, *[record[1] for record in others]))
        direction = DIRECTIONS[axis][requested[axis] < 0]
        stops.append(AxisStop(AXES[axis], first, REASONS[reason], allowed * LATTICE, direction, blockers))
    return tuple(stops)


def _links(numbers: list[int]) -> tuple[PushLink, ...]:
    """Return each link once, in the order of the axes, then by pushed, pusher and gap."""
    axis_order = {axis: order for order, axis in reversed(list(enumerate(numbers[2::LINK])))}
    columns = [numbers[part::LINK] for part in range(LINK)]
    found = {(axis_order[axis], pushed, pusher, gap, axis) for pusher, pushed, axis, gap in zip(*columns, strict=True)}
    return tuple(
        [PushLink(pusher, pushed, AXES[axis], gap * LATTICE) for _, pushed, pusher, gap, axis in sorted(found)]
    )


def _to_world(units: Sequence[float]) -> Vector:
    """Return a vector of units in world units."""
    return (units[0] * LATTICE, units[1] * LATTICE, units[2] * LATTICE)


def _inertias(pushes: list[int], stops: list[int]) -> dict[int, Vector | None]:
    found: dict[int, Vector | None] = {}
    for at in range(0, len(pushes), PUSH):
        found[pushes[at]] = _inertia(pushes[at + 4 : at + 7])
    for at in range(0, len(stops), STOP):
        if stops[at + 1] >= 0:
            found[stops[at + 1]] = _inertia(stops[at + 4 : at + 7])
    return found


def _inertia(units: list[int]) -> Vector | None:
    """Return an inertia by axis, or None for a body without Inertia."""
    if units[0] == _NONE:
        return None
    return _to_world([math.inf if by == _INFINITE else by for by in units])


# Many event objects at once. The constructor of a frozen dataclass takes about a microsecond: an interpreted call, and
# one of `object.__setattr__` for each field. Compiled code allocates the object and fills its slots directly in a
# thirtieth of that time. Events stay ordinary dataclasses. The garbage collector does not visit them: their fields are
# numbers, names and tuples of them. Not taken: named tuples (they compare equal across kinds), and compiled classes
# (users read, print and pickle events).

_SLOTS = cython.declare(dict, {})  # the descriptors of the fields of each kind: four look-ups by name take 0.1 us


@cython.ccall
def slots_of(kind: Any) -> list:  # type: ignore[type-arg]
    """Return the descriptors of the fields of a dataclass with slots, in order, for `set_slot`."""
    slots: list | None = _SLOTS.get(kind)  # type: ignore[type-arg]
    if slots is None:
        slots = _SLOTS[kind] = [getattr(kind, name) for name in kind.__match_args__]
    return slots


@cython.ccall
@cython.boundscheck(False)
@cython.wraparound(False)
def build_event(kind: Any, values: tuple) -> object:  # type: ignore[type-arg]
    """Return one object of a kind, a frozen dataclass with slots, from the values of its fields in order."""
    at: cython.Py_ssize_t
    slots: list = slots_of(kind)  # type: ignore[type-arg]
    made = new_object(kind)
    for at in range(len(values)):
        set_slot(made, slots[at], values[at])
    return made


@cython.ccall
@cython.boundscheck(False)
@cython.wraparound(False)
def build_events(kind: Any, frame: Any, columns: tuple) -> list:  # type: ignore[type-arg]
    """Return an event of a kind, a frozen dataclass with slots, for each row of `columns`; all have the same `frame`.

    `columns` are lists of equal length, one for each further field in order.
    """
    at: cython.Py_ssize_t
    number: cython.Py_ssize_t
    made: list = []  # type: ignore[type-arg]
    slots: list = slots_of(kind)  # type: ignore[type-arg]
    first: list = columns[0]  # type: ignore[type-arg]
    for at in range(len(first)):
        event = new_object(kind)
        set_slot(event, slots[0], frame)
        for number in range(len(columns)):
            set_slot(event, slots[number + 1], cython.cast(list, columns[number])[at])
        made.append(event)
    return made
