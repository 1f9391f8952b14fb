"""How a world behaves: fixed at construction, checked there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ecs_collision.components import rule_name
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import AXES, finite, flag, from_units, items_of, shown, to_units, whole

CanPush = Callable[[int, int, str, float], bool | None]
"""`can_push(pusher, pushed, axis, force)`: False vetoes, True allows, None leaves it to the rule (P15)."""

ORDERS = ("sequential", "front_first")
OVERLAP_POLICIES = ("leave", "block_deeper")
SMALLEST_BIN, LARGEST_BIN = 2.0**-8, 2.0**16
RANGE_IN_BINS = 2**20
"""Positions reach this many bins either way from 0 (rule B2: 21 bits an axis)."""

Units = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Settings:
    """Checked settings of a world; `low` and `high` are the bounds in units, the index range where there are none."""

    bin_size: float
    bin_shift: int
    rule: str
    max_chain: int | None
    all_or_nothing: bool
    axis_order: tuple[int, int, int]
    order: str
    overlap_policy: str
    bounds: tuple[tuple[float, ...], tuple[float, ...]] | None
    can_push: CanPush | None
    low: Units
    high: Units

    @property
    def range_low(self) -> int:
        """The least face the index can hold, in units."""
        return -(RANGE_IN_BINS << self.bin_shift)

    @property
    def range_high(self) -> int:
        """The greatest face the index can hold, in units."""
        return (RANGE_IN_BINS << self.bin_shift) - 1


def make_settings(
    bin_size: float,
    rule: str,
    max_chain: int | None,
    all_or_nothing: bool,
    axis_order: str,
    order: str,
    overlap_policy: str,
    bounds: object,
    can_push: CanPush | None,
) -> Settings:
    """Return checked settings; raises CollisionValueError or CollisionTypeError naming the setting."""
    size = finite(bin_size, "bin_size", least=SMALLEST_BIN, most=LARGEST_BIN)
    units = to_units(size)
    if units & (units - 1) or units / 65536 != size:
        raise CollisionValueError(f"bin_size is {size!r}; it must be a power of two, such as 0.5, 1, 2 or 4")
    if not isinstance(axis_order, str) or sorted(axis_order) != ["x", "y", "z"]:
        raise CollisionValueError(
            f'axis_order is {shown(axis_order)}; it must name each axis once, such as "xyz" or "yxz"'
        )
    _one_of(order, "order", ORDERS)
    _one_of(overlap_policy, "overlap_policy", OVERLAP_POLICIES)
    whole_request = flag(all_or_nothing, "all_or_nothing")
    if whole_request and order == "front_first":
        raise CollisionValueError(FRONT_FIRST_REFUSAL)
    if can_push is not None and not callable(can_push):
        raise CollisionTypeError(
            f"can_push is {shown(can_push)}; it must be a function (pusher, pushed, axis, force) -> bool | None"
        )
    shift = units.bit_length() - 1
    reach = RANGE_IN_BINS << shift
    checked, low, high = _bounds(bounds, -reach, reach - 1)
    return Settings(
        bin_size=size,
        bin_shift=shift,
        rule=rule_name(rule, "rule"),
        max_chain=None if max_chain is None else whole(max_chain, "max_chain", least=0),
        all_or_nothing=whole_request,
        axis_order=_axes(axis_order),
        order=order,
        overlap_policy=overlap_policy,
        bounds=checked,
        can_push=can_push,
        low=low,
        high=high,
    )


FRONT_FIRST_REFUSAL = (
    'order="front_first" moves axis by axis between the movers, so all_or_nothing, which judges all axes of one '
    'motion together, is refused with it; use order="sequential" or all_or_nothing=False'
)


def _one_of(value: object, name: str, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        listed = " or ".join(f'"{choice}"' for choice in choices)
        raise CollisionValueError(f"{name} is {shown(value)}; it must be {listed}")


def _axes(order: str) -> tuple[int, int, int]:
    x, y, z = (AXES.index(axis) for axis in order)
    return (x, y, z)


def _bounds(
    bounds: object, least: int, most: int
) -> tuple[tuple[tuple[float, ...], tuple[float, ...]] | None, Units, Units]:
    """Return (bounds as given, low and high in units within the index range)."""
    low, high = [least] * 3, [most] * 3
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
        low[axis], high[axis] = max(least, to_units(a)), min(most, to_units(b))
    rounded = (tuple(from_units(to_units(a)) for a in first), tuple(from_units(to_units(b)) for b in last))
    return rounded, (low[0], low[1], low[2]), (high[0], high[1], high[2])


def _corner(value: object, name: str) -> tuple[float, ...]:
    items = items_of(value)
    if items is None or len(items) not in (2, 3):
        raise CollisionTypeError(f"bounds {name} is {shown(value)}; it must be a tuple of 2 or 3 numbers")
    return tuple(finite(item, f"bounds {name} {axis}") for axis, item in zip(AXES, items, strict=False))
