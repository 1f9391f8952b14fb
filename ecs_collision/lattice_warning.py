"""The warning about shapes off the lattice: which number is off by how much, and whose line it is (rule L1).

Only shapes that were rounded get here, so those on the lattice cost nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ecs_collision.errors import LatticeWarning, warn_caller
from ecs_collision.fixed_point import PER_UNIT, named

ADVICE = "whole numbers, such as sizes in pixels, and multiples of 1/2, 1/4, 1/8 and so on to 1/65536 are exact"

Number = tuple[str, float, float]
"""A number of a shape: its name, the value given, and the value it is taken as."""

_collected: ContextVar[list[str] | None] = ContextVar("collected", default=None)
"""Where messages are collected instead of being shown; None outside of `collected_roundings`."""


_warned: set[tuple[str, str]] = set()
"""The classes and fields that were warned of under the filters `_filters`."""

_filters = warnings.filters


def warn_of_rounding(owner: object, numbers: Iterable[Number]) -> None:
    """Warn of the numbers of `owner` that are off the lattice.

    Each field of a class is warned of once, however many objects are made, until the filters of warnings change.
    """
    global _filters
    kind = type(owner).__name__
    off = [each for each in numbers if not (each[1] * PER_UNIT).is_integer() and each[2] != each[1]]
    found = _collected.get()
    if found is not None:
        found += [_text(kind, owner, *each) for each in off]
        return
    if warnings.filters is not _filters:
        _filters = warnings.filters
        _warned.clear()
    fresh = [each for each in off if (kind, each[0]) not in _warned]
    if fresh:
        warn_caller("; ".join([*(_text(kind, owner, *each) for each in fresh), ADVICE]), LatticeWarning)
        _warned.update([(kind, name) for name, _, _ in fresh])


def _text(kind: str, owner: object, name: str, given: float, rounded: float) -> str:
    return (
        f"{named(f'{kind}.{name}', owner)} {given!r} is not on the lattice of 1/{PER_UNIT}: it is taken as "
        f"{rounded:.9g}, {abs(rounded - given):.2g} {'more' if rounded > given else 'less'}"
    )


@contextmanager
def collected_roundings() -> Iterator[list[str]]:
    """Collect the messages of shapes that are rounded in a `with` block; they are not shown."""
    found: list[str] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)
