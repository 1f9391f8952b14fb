"""The warning about shapes off the lattice: which number is off by how much, and whose line it is (rule L1).

Only shapes that were rounded get here, so those on the lattice cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ecs_collision.errors import LatticeWarning, warn_caller
from ecs_collision.fixed_point import PER_UNIT, named

ADVICE = "whole numbers, such as sizes in pixels, and multiples of 1/2, 1/4, 1/8 and so on to 1/65536 are exact"

_collected: ContextVar[list[str] | None] = ContextVar("collected", default=None)
"""Where messages are collected instead of being shown; None outside of `collected_roundings`."""


def warn_of_rounding(owner: object, numbers: Iterable[tuple[str, float, float]]) -> None:
    """Warn of the numbers of `owner` that are off the lattice: name, value given, and the value it is taken as."""
    kind = type(owner).__name__
    texts = [
        f"{named(f'{kind}.{name}', owner)} {given!r} is not on the lattice of 1/{PER_UNIT}: it is taken as "
        f"{rounded:.9g}, {abs(rounded - given):.2g} {'more' if rounded > given else 'less'}"
        for name, given, rounded in numbers
        if not (given * PER_UNIT).is_integer() and rounded != given
    ]
    found = _collected.get()
    if found is not None:
        found += texts
    elif texts:
        warn_caller("; ".join([*texts, ADVICE]), LatticeWarning)


@contextmanager
def collected_roundings() -> Iterator[list[str]]:
    """Collect the messages of shapes that are rounded in a `with` block; they are not shown."""
    found: list[str] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)
