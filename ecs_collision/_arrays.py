"""Growing arrays."""

from __future__ import annotations

from array import array
from typing import Any, TypeVar

Number = TypeVar("Number", int, float)


def zeros(typecode: str, length: int) -> array[Any]:
    """Return an array of zeros. Unlike one made from bytes, it allocates its memory once."""
    return array(typecode, [0]) * length


def longer(old: array[Number], length: int) -> array[Number]:
    """Return a copy of `old` extended to `length` items with zeros.

    Callers allocate all arrays first and set their capacity last, so a MemoryError changes nothing.
    """
    new: array[Number] = zeros(old.typecode, length)
    new[: len(old)] = old
    return new


def grown(length: int, *arrays: Any) -> tuple[Any, ...]:
    """Return copies of arrays, or of the arrays behind views, extended to `length` items with zeros.

    Assign the result to all of them in one statement: then either all are replaced or, after a MemoryError, none. Set
    the capacity after that.
    """
    return tuple([longer(getattr(each, "base", each), length) for each in arrays])


def bytes_of(*arrays: Any) -> int:
    """Return the bytes of the items of arrays or views, reserved ones included."""
    return sum(each.itemsize * len(each) for each in arrays)
