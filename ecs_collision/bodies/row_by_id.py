# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Rows by entity id, for calls with many entities: one array instead of a hash lookup for each."""

from __future__ import annotations

from array import array
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer

_MAX_SPARSENESS = cython.declare(cython.longlong, 8)
"""Ids above this multiple of the listed ids, plus `_ALWAYS_LISTED`, are not listed: the array would be too large."""
_ALWAYS_LISTED = cython.declare(cython.longlong, 4096)


@cython.final
@cython.cclass
class RowById:
    """Rows by entity id, for ids not much larger than the number of bodies (esper counts from 1).

    `rows` has -1 for ids not listed, `length` items, and `count` ids that are listed.
    """

    def __init__(self) -> None:
        self.rows = array("i")
        self.length = 0
        self.count = 0

    @cython.ccall
    def add(self, entity: cython.longlong, row: cython.int) -> cython.void:
        """List an entity unless its id is too large. Amortised O(1)."""
        at: cython.Py_ssize_t
        before: cython.Py_ssize_t = self.length
        if entity < 0 or entity >= _MAX_SPARSENESS * (self.count + 1) + _ALWAYS_LISTED:
            return
        if entity >= before:
            length: cython.Py_ssize_t = max(entity + 1, 2 * before)
            self.rows = longer(self.rows, length)
            self.rows_view = self.rows
            self.length = length
            for at in range(before, self.length):
                self.rows_view[at] = -1
        self.rows_view[entity] = row
        self.count += 1

    @cython.ccall
    def clear(self) -> cython.void:
        """Remove all entities. Works at any point of an interrupted change; O(length)."""
        at: cython.Py_ssize_t
        for at in range(self.length):
            self.rows_view[at] = -1
        self.count = 0

    @cython.ccall
    def remove(self, entity: cython.longlong) -> cython.void:
        """Remove an entity, if it is listed."""
        if 0 <= entity < self.length and self.rows_view[entity] >= 0:
            self.rows_view[entity] = -1
            self.count -= 1

    def find(self, entities: list[Any], rows: array[int]) -> bool:
        """Write the rows of entities to `rows`; returns False if one is not an int or not listed."""
        found: cython.int[::1] = rows
        at: cython.Py_ssize_t = 0
        entity: cython.longlong
        for each in entities:
            if type(each) is not int or not -1 < each < 0x7FFFFFFF:
                return False
            entity = each
            if entity >= self.length or self.rows_view[entity] < 0:
                return False
            found[at] = self.rows_view[entity]
            at += 1
        return True
