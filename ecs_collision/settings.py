"""The settings of a world: checked and fixed at construction."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import wraps
from itertools import chain
from typing import Any, Concatenate, Literal, ParamSpec, TypedDict, TypeVar

from ecs_collision.broadphase.choices import DEFAULT, BroadPhase, BroadPhaseName, broad_phase_of
from ecs_collision.components import EACH, Response, Rule, rule_name
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import AXES, PER_UNIT, finite, flag, from_units, items_of, shown, to_units, whole
from ecs_collision.similar import did_you_mean

CanPush = Callable[[int, int, str, float], bool | None]
"""`can_push(pusher, pushed, axis, force)`: False vetoes, True allows, None applies the push rule (P15)."""

Respond = Callable[[int, int], Response | None]
"""`respond(mover, other)`: what the mover does on meeting the body, None as its Mover says (M9)."""

CanMeet = Callable[[int, int], bool | None]
"""`can_meet(a, b)`: False lets two bodies pass through each other in a step of dynamics (I9)."""

AxisOrder = Literal["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"]
Order = Literal["sequential", "front_first"]
OverlapPolicy = Literal["block_deeper", "leave"]
Forces = Literal["alone", "add"]
Bounds = tuple[Sequence[float], Sequence[float]]

SEQUENTIAL: Order = "sequential"
FRONT_FIRST: Order = "front_first"
ORDERS: tuple[Order, ...] = (SEQUENTIAL, FRONT_FIRST)
BLOCK_DEEPER: OverlapPolicy = "block_deeper"
LEAVE: OverlapPolicy = "leave"
OVERLAP_POLICIES: tuple[OverlapPolicy, ...] = (BLOCK_DEEPER, LEAVE)
ALONE: Forces = "alone"
ADD: Forces = "add"
FORCES: tuple[Forces, ...] = (ALONE, ADD)
MIN_BIN_SIZE, MAX_BIN_SIZE = 2.0**-8, 2.0**16
RANGE_IN_BINS = 2**20
"""Positions extend this many bins to both sides of 0 (rule B2: 21 bits per axis)."""

Units = tuple[int, int, int]

P = ParamSpec("P")
S = TypeVar("S", bound="Settings")

_IN_LEVELS = {"in_levels": True}
"""Marks a setting that a level may contain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a world. Raises CollisionValueError or CollisionTypeError with the name of the setting.

    bin_size: side of the smallest cells of the index, a power of two. rule: "each" compares the force with the inertia
    of every pushed body, "sum" with their sum (P4). max_chain: how many bodies one motion may push. all_or_nothing:
    whether a motion that cannot go all the way moves nothing (P5). A motion may override these three. axis_order: the
    order of the axes of a motion (P1). order: of the motions of a frame, "sequential" or "front_first" (P10).
    overlap_policy: "block_deeper" or "leave", for bodies that overlap already (P9). forces: "alone", or "add" for
    movers that press on the same body in one frame (M11). bounds: (lo, hi), which act as immovable walls (P18).
    can_push: a function (pusher, pushed, axis, force) that may veto or allow a push (P15). respond: a function
    (mover, other) that returns what a mover does on meeting a body, or None (M9). can_meet: a function (a, b) that may
    let two bodies pass through each other in a step of dynamics, by False (I9). broad_phase: how boxes are indexed, a
    name such as "octree" or an instance from `ecs_collision.broadphase`; it changes costs, no results.

    `axes` are the axes of axis_order by number; `low` and `high` are the bounds in units, or the range of the index.
    """

    bin_size: float = 1.0
    rule: Rule = field(default=EACH, metadata=_IN_LEVELS)
    max_chain: int | None = field(default=None, metadata=_IN_LEVELS)
    all_or_nothing: bool = field(default=False, metadata=_IN_LEVELS)
    axis_order: AxisOrder = field(default="xyz", metadata=_IN_LEVELS)
    order: Order = field(default=SEQUENTIAL, metadata=_IN_LEVELS)
    overlap_policy: OverlapPolicy = field(default=BLOCK_DEEPER, metadata=_IN_LEVELS)
    forces: Forces = field(default=ALONE, metadata=_IN_LEVELS)
    bounds: Bounds | None = None
    can_push: CanPush | None = None
    respond: Respond | None = None
    can_meet: CanMeet | None = None
    broad_phase: BroadPhase | BroadPhaseName = DEFAULT
    bin_shift: int = field(init=False)
    axes: Units = field(init=False)
    low: Units = field(init=False)
    high: Units = field(init=False)

    def __post_init__(self) -> None:
        for name, value in self._checked():
            object.__setattr__(self, name, value)

    def _checked(self) -> Iterator[tuple[str, object]]:
        """Yield the checked settings and the fields derived from them."""
        size = finite(self.bin_size, "bin_size", minimum=MIN_BIN_SIZE, maximum=MAX_BIN_SIZE)
        units = to_units(size)
        if units & (units - 1) or units / PER_UNIT != size:
            raise CollisionValueError(f"bin_size is {size!r}; it must be a power of two, such as 0.5, 1, 2 or 4")
        yield "bin_size", size
        yield "bin_shift", units.bit_length() - 1
        if not isinstance(self.axis_order, str) or sorted(self.axis_order) != ["x", "y", "z"]:
            raise CollisionValueError(
                f'axis_order is {shown(self.axis_order)}; it must name each axis once, such as "xyz" or "yxz"'
            )
        yield "axes", tuple([AXES.index(axis) for axis in self.axis_order])
        _one_of(self.order, "order", ORDERS)
        _one_of(self.overlap_policy, "overlap_policy", OVERLAP_POLICIES)
        _one_of(self.forces, "forces", FORCES)
        yield "all_or_nothing", flag(self.all_or_nothing, "all_or_nothing")
        if self.all_or_nothing and self.order == FRONT_FIRST:
            raise CollisionValueError(FRONT_FIRST_REFUSAL)
        hook = self.can_push
        if hook is not None and not callable(hook):
            raise CollisionTypeError(
                f"can_push is {shown(hook)}; it must be a function (pusher, pushed, axis, force) -> bool | None"
            )
        if self.respond is not None and not callable(self.respond):
            raise CollisionTypeError(
                f"respond is {shown(self.respond)}; it must be a function (mover, other) -> Response | None"
            )
        if self.can_meet is not None and not callable(self.can_meet):
            raise CollisionTypeError(f"can_meet is {shown(self.can_meet)}; it must be a function (a, b) -> bool | None")
        rule_name(self.rule, "rule")
        if self.max_chain is not None:
            yield "max_chain", whole(self.max_chain, "max_chain", minimum=0)
        yield "broad_phase", broad_phase_of(self.broad_phase)
        bounds, low, high = _bounds(self.bounds, self.range_low, self.range_high)
        yield from (("bounds", bounds), ("low", low), ("high", high))

    @property
    def range_low(self) -> int:
        """The lowest face that the index can store, in units."""
        return -(RANGE_IN_BINS << self.bin_shift)

    @property
    def range_high(self) -> int:
        """The highest face that the index can store, in units."""
        return (RANGE_IN_BINS << self.bin_shift) - 1

    def plain(self) -> dict[str, Any]:
        """Return the settings that are plain data, by name: all but the hooks and the broad phase."""
        return {name: getattr(self, name) for name in PLAIN_SETTINGS}

    def of_world(self) -> dict[str, Any]:
        """Return all settings of a world, by name."""
        return {name: getattr(self, name) for name in DEFAULTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSettings(Settings):
    """The settings of a system: those of its world, and one more.

    advise: whether to log what `doctor` finds, each finding once, as a warning of the logger "ecs_collision".
    """

    advise: bool = False

    def _checked(self) -> Iterator[tuple[str, object]]:
        """Yield the checked settings and the fields derived from them."""
        yield from Settings._checked(self)
        yield "advise", flag(self.advise, "advise")


class PlainSettings(TypedDict, total=False):
    """The settings that are plain data, for the types of `**settings`. A test compares it with `Settings`."""

    bin_size: float
    rule: Rule
    max_chain: int | None
    all_or_nothing: bool
    axis_order: AxisOrder
    order: Order
    overlap_policy: OverlapPolicy
    forces: Forces
    bounds: Bounds | None


class WorldSettings(PlainSettings, total=False):
    """All settings, for the types of `**settings`."""

    can_push: CanPush | None
    respond: Respond | None
    can_meet: CanMeet | None
    broad_phase: BroadPhase | BroadPhaseName


class MotionOptions(TypedDict, total=False):
    """What a motion may override, for the types of `**options`."""

    force: float | None
    rule: Rule | None
    max_chain: int | None
    all_or_nothing: bool | None
    through: bool
    straight: bool | None


_GIVEN = {each.name: each for each in fields(Settings) if each.init}
DEFAULTS: dict[str, Any] = {name: each.default for name, each in _GIVEN.items()}
"""The default of every setting, by name."""
PLAIN_SETTINGS = tuple(name for name in DEFAULTS if name not in ("can_push", "respond", "can_meet", "broad_phase"))
"""The settings that are plain data: all but the hooks. The broad phase changes no result, so no file has it."""
TEXT_SETTINGS = tuple(name for name, each in _GIVEN.items() if isinstance(each.default, str))
LEVEL_SETTINGS = tuple(name for name, each in _GIVEN.items() if each.metadata)
"""The settings that a level may contain."""


def _taking(
    make: Callable[P, S],
) -> Callable[[Callable[[Any, S], None]], Callable[Concatenate[Any, P], None]]:
    parameters = inspect.signature(make).parameters

    def taking(init: Callable[[Any, S], None]) -> Callable[Concatenate[Any, P], None]:
        @wraps(init)
        def made(self: Any, /, *args: P.args, **settings: P.kwargs) -> None:
            if args:
                raise CollisionTypeError(
                    f'{type(self).__name__} got {shown(args[0])}; give settings by name, such as rule="sum"'
                )
            refuse_unknown(settings, f"a {type(self).__name__}", parameters)
            init(self, make(*args, **settings))

        itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        made.__doc__ = _description(make)
        made.__signature__ = inspect.Signature([itself, *parameters.values()])  # type: ignore[attr-defined]
        return made

    return taking


def _description(make: Callable[..., Settings]) -> str:
    """Return what all settings mean, from the docstrings of their classes."""
    meanings = [inspect.cleandoc(each.__doc__ or "").split("\n\n")[1:2] for each in (Settings, make)]
    return "\n\n".join(["Take settings by name.", *dict.fromkeys(chain(*meanings))])


takes_settings = _taking(Settings)
"""Decorator for `__init__(self, settings)`: the result takes each setting as a keyword argument."""

takes_system_settings = _taking(SystemSettings)
"""The same for the settings of a system."""


def refuse_unknown(names: Iterable[str], owner: str, known: Collection[str]) -> None:
    """Raise CollisionTypeError for a name that is not a known setting."""
    for name in names:
        if name not in known:
            listed = ", ".join(map(repr, known))
            meant = did_you_mean(name, known)
            raise CollisionTypeError(f"{name!r} is not a setting of {owner}; the settings are {listed}{meant}")


FRONT_FIRST_REFUSAL = (
    'order="front_first" alternates between movers after each axis, but all_or_nothing needs all axes of one motion '
    'together; use order="sequential" or all_or_nothing=False'
)


def _one_of(value: object, name: str, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        listed = " or ".join(f'"{choice}"' for choice in choices)
        raise CollisionValueError(f"{name} is {shown(value)}; it must be {listed}")


def _bounds(
    bounds: object, range_low: int, range_high: int
) -> tuple[tuple[tuple[float, ...], tuple[float, ...]] | None, Units, Units]:
    """Return the bounds on the lattice, and low and high in units, clamped to the index range."""
    low, high = [range_low] * 3, [range_high] * 3
    if bounds is None:
        return None, (low[0], low[1], low[2]), (high[0], high[1], high[2])
    corners = items_of(bounds)
    if corners is None or len(corners) != 2:
        raise CollisionTypeError(f"bounds is {shown(bounds)}; it must be (lo, hi), two 2- or 3-tuples")
    first, last = (_corner(corner, name) for corner, name in zip(corners, ("lo", "hi"), strict=True))
    if len(first) != len(last):
        raise CollisionValueError(f"bounds is {shown(bounds)}; lo and hi must have the same number of axes")
    for axis, (a, b) in enumerate(zip(first, last, strict=True)):
        if a > b:
            raise CollisionValueError(f"bounds lo {AXES[axis]} is {a!r}, above hi {AXES[axis]} {b!r}; swap them")
        low[axis], high[axis] = max(range_low, to_units(a)), min(range_high, to_units(b))
    rounded = (tuple(from_units(to_units(a)) for a in first), tuple(from_units(to_units(b)) for b in last))
    return rounded, (low[0], low[1], low[2]), (high[0], high[1], high[2])


def _corner(value: object, name: str) -> tuple[float, ...]:
    items = items_of(value)
    if items is None or len(items) not in (2, 3):
        raise CollisionTypeError(f"bounds {name} is {shown(value)}; it must be a tuple of 2 or 3 numbers")
    return tuple(finite(item, f"bounds {name} {axis}") for axis, item in zip(AXES, items, strict=False))
