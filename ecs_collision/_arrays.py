"""Growing arrays."""

from __future__ import annotations

from array import array
from typing import Any, Literal


def zeros(typecode: str, length: int) -> array[Any]:
    """Return an array of zeros. Unlike one made from bytes, it allocates its memory once."""
    return array(typecode, [0]) * length


def aligned(length: int) -> memoryview:
    """Return a view of zeros of eight bytes from a cache line on, so that one line holds a record of 32 or 64."""
    memory = zeros("q", length + 7)
    first = -(memory.buffer_info()[0] >> 3) & 7
    return memoryview(memory)[first : first + length]


def column(records: memoryview, typecode: Literal["b", "i", "q"], place: int, before: Any = ()) -> memoryview:
    """Return a view of one item of each record, numbers of a type; the first become those of a column before."""
    items: memoryview = records.cast("B").cast(typecode)
    found = items[place :: 64 // items.itemsize]
    if len(before):
        found[: len(before)] = before
    return found


def grown(length: int, *arrays: Any) -> tuple[Any, ...]:
    """Return copies of arrays, or of the arrays behind views, extended to `length` items with zeros.

    Assign the result to all of them in one statement: then either all are replaced or, after a MemoryError, none. Set
    the capacity after that.
    """
    return tuple([longer(each, length) for each in arrays])


def longer(old: Any, length: int) -> array[Any]:
    """Return a copy of one array, or of the array behind a view, extended to `length` items with zeros."""
    old = array_of(old)
    new = zeros(old.typecode, length)
    new[: len(old)] = old
    return new


def longer_aligned(old: Any, length: int) -> memoryview:
    """Return a copy of an aligned view, extended to `length` items with zeros."""
    new = aligned(length)
    new[: len(old)] = old
    return new


def array_of(view: Any) -> array[Any]:
    """Return the array behind a view that only kernels read; in plain Python it is the array itself."""
    return getattr(view, "base", view)  # type: ignore[no-any-return]


def bytes_of(*arrays: Any) -> int:
    """Return the bytes of the items of arrays or views, reserved ones included."""
    return sum(each.itemsize * len(each) for each in arrays)
