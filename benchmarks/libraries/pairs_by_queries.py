"""All pairs from libraries that run many queries in one call: each box is queried, and its hits are its pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from benchmarks.outputs import Rows

Found = tuple[Any, Any]
"""The number of hits of each query, and all hits one after another."""


def pairs_by_queries(count: int, search: Callable[[], Found]) -> Callable[[], Rows]:
    """Return a function that finds all pairs by querying every box: each pair once, the lower row first."""
    rows = numpy.arange(count)

    def found() -> Rows:
        counts, hits = search()
        regions = numpy.repeat(rows, counts)
        once = regions < hits
        return numpy.stack([regions[once], hits[once]], axis=1)

    return found
