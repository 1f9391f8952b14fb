"""Arrays that grow."""

from __future__ import annotations

from array import array
from typing import TypeVar

Number = TypeVar("Number", int, float)


def longer(old: array[Number], length: int) -> array[Number]:
    """Return an array of `length` items that begins like `old`, zeros behind.

    There may be no memory for it. So whoever needs several asks for all of them before it takes any, and says last how
    much room there is: then it has grown, or is as it was.
    """
    new: array[Number] = array(old.typecode, bytes(old.itemsize * length))
    new[: len(old)] = old
    return new
