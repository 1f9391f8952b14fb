# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Logs of pairs of entity ids, such as those that entered triggers in a frame."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

_FEW = cython.declare(cython.Py_ssize_t, 48)
"""Up to this many entries are sorted by insertion."""

_NONE = cython.declare(cython.longlong[::1], array("q"))
_ZERO = array("q", [0])
"""Its multiples are arrays of zeros, which no other way makes as quickly."""

_DIGIT = cython.declare(cython.int, 8)
_DIGITS = cython.declare(cython.int, 256)
_CODE_BITS = cython.declare(cython.int, 3)
_KEY_BITS = cython.declare(cython.int, 60)
_WIDEST = cython.declare(cython.longlong, 1 << 60)


@cython.final
@cython.cclass
class PairLog:
    """A log of pairs of entity ids, appended to in any order and sorted when it is read.

    `entries` has three numbers for each of the `count` entries: the two ids and a code from 0 to 7. It takes no memory
    while it is empty.
    """

    def __init__(self) -> None:
        self.count = 0
        self.entries = _NONE

    def __len__(self) -> int:
        """Return the number of entries."""
        return self.count

    def add(self, first: cython.longlong, second: cython.longlong, code: cython.int) -> cython.void:
        """Append an entry; O(1) amortised."""
        if 3 * self.count == len(self.entries):
            self.reserve(max(16, self.count))
        self.entries[3 * self.count] = first
        self.entries[3 * self.count + 1] = second
        self.entries[3 * self.count + 2] = code
        self.count += 1

    def reserve(self, count: cython.Py_ssize_t) -> cython.void:
        """Make room for `count` more entries."""
        at: cython.Py_ssize_t
        if 3 * (self.count + count) > len(self.entries):
            made: cython.longlong[::1] = _ZERO * (3 * (self.count + count))
            for at in range(3 * self.count):
                made[at] = self.entries[at]
            self.entries = made

    def rollback(self, count: cython.Py_ssize_t) -> cython.void:
        """Remove all entries after the first `count`; the log must not have been sorted since."""
        self.count = count

    # Reading.

    def rows(self) -> list[tuple[int, int, int]]:
        """Return the entries as (first, second, code), in the order of the log."""
        entries: cython.longlong[::1] = self.entries
        return [(entries[at], entries[at + 1], entries[at + 2]) for at in range(0, 3 * self.count, 3)]

    def columns(self, values: Sequence[Any] = ()) -> tuple[list[Any], ...]:
        """Sort the log; return the first ids, the second ids and, if `values` are given, those of the codes."""
        self.sort()
        entries: cython.longlong[::1] = self.entries
        firsts = [entries[at] for at in range(0, 3 * self.count, 3)]
        seconds = [entries[at] for at in range(1, 3 * self.count, 3)]
        if not values:
            return firsts, seconds
        return firsts, seconds, [values[entries[at]] for at in range(2, 3 * self.count, 3)]

    def pairs(self) -> array[int]:
        """Sort the log; return the two ids of each entry, one after another."""
        at: cython.Py_ssize_t
        pairs = _ZERO * (2 * self.count)
        pairs_view: cython.longlong[::1] = pairs
        self.sort()
        for at in range(self.count):
            pairs_view[2 * at] = self.entries[3 * at]
            pairs_view[2 * at + 1] = self.entries[3 * at + 1]
        return pairs

    # Sorting.

    def sort(self) -> cython.void:
        """Sort the entries by first, then second; stable. O(n): a radix sort of both ids in one number."""
        at: cython.Py_ssize_t
        bits: cython.int = 0
        if self.count <= _FEW:
            self.sort_few()
            return
        if self.is_sorted():
            return
        entries: cython.longlong[::1] = self.entries
        first: cython.longlong = entries[0]
        last_first: cython.longlong = entries[0]
        second: cython.longlong = entries[1]
        last_second: cython.longlong = entries[1]
        for at in range(0, 3 * self.count, 3):
            first, last_first = min(first, entries[at]), max(last_first, entries[at])
            second, last_second = min(second, entries[at + 1]), max(last_second, entries[at + 1])
        if first < 0 or second < 0 or last_first >= _WIDEST or last_second >= _WIDEST:
            self.sort_rows()
            return
        while (last_second - second) >> bits > 0:
            bits += 1
        if (last_first - first) >> (_KEY_BITS - bits) > 0:
            self.sort_rows()
            return
        keys: cython.longlong[::1] = _ZERO * self.count
        for at in range(self.count):
            keys[at] = ((entries[3 * at] - first) << bits) | (entries[3 * at + 1] - second)
            keys[at] = (keys[at] << _CODE_BITS) | entries[3 * at + 2]
        keys = self.sorted_keys(keys, ((last_first - first) << bits) | (last_second - second))
        made: cython.longlong[::1] = _ZERO * (3 * self.count)
        for at in range(self.count):
            made[3 * at] = first + (keys[at] >> (bits + _CODE_BITS))
            made[3 * at + 1] = second + ((keys[at] >> _CODE_BITS) & ((cython.cast(cython.longlong, 1) << bits) - 1))
            made[3 * at + 2] = keys[at] & ((1 << _CODE_BITS) - 1)
        self.entries = made

    def sort_few(self) -> cython.void:
        """Sort the entries by insertion, where they are; as plain Python, which may be interrupted, in a copy."""
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t
        entries: cython.longlong[::1] = self.entries if cython.compiled else self.entries[:]
        for at in range(3, 3 * self.count, 3):
            first: cython.longlong = entries[at]
            second: cython.longlong = entries[at + 1]
            code: cython.longlong = entries[at + 2]
            to = at
            while to > 0 and (entries[to - 3] > first or (entries[to - 3] == first and entries[to - 2] > second)):
                entries[to], entries[to + 1], entries[to + 2] = entries[to - 3], entries[to - 2], entries[to - 1]
                to -= 3
            entries[to], entries[to + 1], entries[to + 2] = first, second, code
        self.entries = entries

    def is_sorted(self) -> cython.bint:
        """Return whether the entries are in order."""
        at: cython.Py_ssize_t
        for at in range(3, 3 * self.count, 3):
            if self.entries[at - 3] > self.entries[at] or (
                self.entries[at - 3] == self.entries[at] and self.entries[at - 2] > self.entries[at + 1]
            ):
                return False
        return True

    def sort_rows(self) -> cython.void:
        """Sort entries whose ids are too far apart for one number."""
        rows = sorted(self.rows(), key=lambda row: row[:2])
        self.entries = array("q", [number for row in rows for number in row])

    def sorted_keys(self, keys: cython.longlong[::1], last: cython.longlong) -> cython.longlong[::1]:
        """Return keys sorted by the number above their code, of which `last` is the greatest; stable."""
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t
        total: cython.Py_ssize_t
        shift: cython.int = 0
        spare: cython.longlong[::1] = _ZERO * self.count
        ends: cython.Py_ssize_t[::1] = _ZERO * _DIGITS
        while last >> shift > 0:
            for at in range(_DIGITS):
                ends[at] = 0
            for at in range(self.count):
                ends[(keys[at] >> (shift + _CODE_BITS)) & (_DIGITS - 1)] += 1
            total = 0
            for at in range(_DIGITS):
                ends[at], total = total, total + ends[at]
            for at in range(self.count):
                to = (keys[at] >> (shift + _CODE_BITS)) & (_DIGITS - 1)
                spare[ends[to]] = keys[at]
                ends[to] += 1
            keys, spare = spare, keys
            shift += _DIGIT
        return keys
