"""Cold caches: other memory is walked before a timed run, as in a game that draws and thinks between two frames."""

from __future__ import annotations

from functools import cache

import numpy
from numpy.typing import NDArray

COLD, WARM = "cold", "warm"
"""Whether other memory is walked before a timed run."""
SIZE = 64 << 20
LINE = 64
"""Bytes of the other memory, and of a line of a cache."""


@cache
def _other_memory() -> NDArray[numpy.uint8]:
    return numpy.zeros(SIZE, numpy.uint8)


def walk() -> None:
    """Write into every line of the other memory, so that the caches of this process hold little else."""
    _other_memory()[::LINE] += 1
