"""Outputs of libraries: converted to one form and compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

Rows = NDArray[numpy.int64]
Output = Rows | int
"""Sorted rows of whole numbers, each once; or a number, from a library that only counts."""


def rows(content: Any) -> Rows:
    """Return rows of whole numbers (pairs, hits, events) as an output."""
    found = numpy.asarray(content, dtype=numpy.int64)
    if not len(found):
        return numpy.empty((0, 0), numpy.int64)
    return numpy.unique(found.reshape(len(found), -1), axis=0)


def pairs(content: Any) -> Rows:
    """Return pairs of row numbers as an output: the lower number first, each pair once."""
    return rows(numpy.sort(numpy.asarray(content, dtype=numpy.int64).reshape(-1, 2), axis=1))


def hits(lists: Iterable[Sequence[int]]) -> Rows:
    """Return rows (number of the query, hit) from a list of hits for each query."""
    found = [list(each) for each in lists]
    return hits_of_runs([len(each) for each in found], [one for each in found for one in each])


def hits_of_runs(counts: Any, found: Any) -> Rows:
    """Return the same from the number of hits of each query, and all hits one after another."""
    counts = numpy.asarray(counts, dtype=numpy.int64)
    return rows(numpy.stack([numpy.repeat(numpy.arange(len(counts)), counts), numpy.asarray(found)], axis=1))


def firsts(found: Iterable[int | None]) -> Rows:
    """Return rows (number of the query, hit) from one hit for each query, None without a hit."""
    return rows([(number, hit) for number, hit in enumerate(found) if hit is not None])


def as_set(output: Rows) -> set[tuple[int, ...]]:
    """Return the rows of an output as a set."""
    return set(map(tuple, output.tolist()))


def difference(own: Output, theirs: Output) -> str:
    """Describe how an output differs from that of this project; an empty string if it does not."""
    if isinstance(own, int) or isinstance(theirs, int):
        mine, other = (output if isinstance(output, int) else len(output) for output in (own, theirs))
        return "" if mine == other else f"{other:,} instead of {mine:,}"
    if numpy.array_equal(own, theirs):
        return ""
    expected, found = as_set(own), as_set(theirs)
    words = [(len(expected - found), "missing"), (len(found - expected), "too many")]
    return ", ".join(f"{count:,} {word}" for count, word in words if count)


def first_difference(own: Sequence[Output], theirs: Sequence[Output]) -> str:
    """Describe the first difference between two lists of outputs, compared as far as both go."""
    for number, (mine, other) in enumerate(zip(own, theirs, strict=False)):
        words = difference(mine, other)
        if words:
            return f"run {number}: {words}" if number else words
    return ""
