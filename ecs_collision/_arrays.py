"""Growing arrays."""

from __future__ import annotations

from array import array
from typing import Any


def zeros(typecode: str, length: int) -> array[Any]:
    """Return an array of zeros. Unlike one made from bytes, it allocates its memory once."""
    return array(typecode, [0]) * length


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
