"""Indexes that answer many questions in one call: all pairs are what each box hears when it asks about itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from benchmarks.answers import Rows

Found = tuple[Any, Any]
"""How many hits each question has, and the hits of one after another."""


def pairs_by_asking(count: int, ask: Callable[[], Found]) -> Callable[[], Rows]:
    """Return what finds all pairs by asking about every box: each pair once, the lower row first."""
    rows = numpy.arange(count)

    def found() -> Rows:
        counts, hits = ask()
        asked = numpy.repeat(rows, counts)
        once = asked < hits
        return numpy.stack([asked[once], hits[once]], axis=1)

    return found
