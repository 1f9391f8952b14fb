"""What peers answer, brought into one form, and compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

Rows = NDArray[numpy.int64]
Answer = Rows | int
"""Rows of whole numbers in order, none twice; or, of a peer that only counts, how many there are."""


def rows(content: Any) -> Rows:
    """Return a list or array of rows of whole numbers (pairs, hits, events) as an answer."""
    found = numpy.asarray(content, dtype=numpy.int64)
    if not len(found):
        return numpy.empty((0, 0), numpy.int64)
    return numpy.unique(found.reshape(len(found), -1), axis=0)


def pairs(content: Any) -> Rows:
    """Return pairs of row numbers as an answer: the lower first, each once."""
    return rows(numpy.sort(numpy.asarray(content, dtype=numpy.int64).reshape(-1, 2), axis=1))


def hits(lists: Iterable[Sequence[int]]) -> Rows:
    """Return an answer of rows (number of the question, what it hit) from a list of hits for each question."""
    found = [list(each) for each in lists]
    return hits_of_runs([len(each) for each in found], [one for each in found for one in each])


def hits_of_runs(counts: Any, found: Any) -> Rows:
    """Return the same from hits in one row after another, and how many each question has."""
    counts = numpy.asarray(counts, dtype=numpy.int64)
    return rows(numpy.stack([numpy.repeat(numpy.arange(len(counts)), counts), numpy.asarray(found)], axis=1))


def as_set(answer: Rows) -> set[tuple[int, ...]]:
    """Return the rows of an answer as a set."""
    return set(map(tuple, answer.tolist()))


def difference(ours: Answer, theirs: Answer) -> str:
    """Return how an answer differs from ours, in words; an empty string when it does not."""
    if isinstance(ours, int) or isinstance(theirs, int):
        mine, other = (answer if isinstance(answer, int) else len(answer) for answer in (ours, theirs))
        return "" if mine == other else f"{other:,} instead of {mine:,}"
    if numpy.array_equal(ours, theirs):
        return ""
    expected, found = as_set(ours), as_set(theirs)
    words = [(len(expected - found), "missing"), (len(found - expected), "too many")]
    return ", ".join(f"{count:,} {word}" for count, word in words if count)


def first_difference(ours: Sequence[Answer], theirs: Sequence[Answer]) -> str:
    """Return how the first of several answers that differs does so; both lists are compared as far as both go."""
    for number, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        words = difference(mine, other)
        if words:
            return f"run {number}: {words}" if number else words
    return ""
