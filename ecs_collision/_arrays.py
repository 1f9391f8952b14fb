"""Growing arrays."""

from __future__ import annotations

from array import array
from typing import Any, Literal


def zeros(typecode: str, length: int) -> array[Any]:
    """Return an array of zeros. Unlike one made from bytes, it allocates its memory once."""
    return array(typecode, [0]) * length


def new_records(count: int) -> memoryview:
    """Return records of 64 bytes, eight zeros each; each is in one line of memory."""
    items = zeros("q", 8 * count + 7)
    first = -items.buffer_info()[0] % 64 // 8
    return memoryview(items)[first : first + 8 * count]


def column(records: memoryview, typecode: Literal["i", "q"], place: int, before: Any) -> memoryview:
    """Return a view of one item of each record, numbers of a type; the first become those of the column before."""
    items: memoryview = records.cast("B").cast(typecode)
    found = items[place :: 64 // items.itemsize]
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


def array_of(view: Any) -> array[Any]:
    """Return the array behind a view that only kernels read; in plain Python it is the array itself."""
    return getattr(view, "base", view)  # type: ignore[no-any-return]


def bytes_of(*arrays: Any) -> int:
    """Return the bytes of the items of arrays or views, reserved ones included."""
    return sum(each.itemsize * len(each) for each in arrays)
