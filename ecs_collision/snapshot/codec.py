"""Values as bytes and back: each value has exactly one encoding (rule N1).

Equal values have equal bytes on every machine: numbers are little-endian, sets are sorted, -0.0 is 0.0. Not taken:
pickle, which runs what it reads, and JSON, which has two forms for a number and none for infinity.
"""

from __future__ import annotations

import struct
import sys
from array import array
from typing import Any

from ecs_collision.components import PART_KINDS, Box
from ecs_collision.errors import CollisionError, SnapshotError

MAX_DEPTH = 8
"""The maximum depth of nested tuples."""

_INT, _FLOAT, _COUNT = struct.Struct("<q"), struct.Struct("<d"), struct.Struct("<I")
_BOX = struct.Struct("<6d")
_PLAIN = {b"N": None, b"F": False, b"T": True}


def pack(value: object) -> bytes:
    """Return the bytes of a value: None, bool, int, float, str, part, array of ints, frozenset of str or tuple."""
    kind = type(value)
    if value is None:
        return b"N"
    if kind is bool:
        return b"T" if value else b"F"
    if kind is int:
        return b"i" + _INT.pack(value)
    if kind is float:
        return b"d" + _FLOAT.pack(value + 0.0)  # type: ignore[operator]
    if isinstance(value, str):
        text = value.encode("utf-8", "surrogatepass")
        return b"s" + _COUNT.pack(len(text)) + text
    if isinstance(value, Box):
        return b"b" + _BOX.pack(*[part + 0.0 for part in (value.hx, value.hy, value.hz, *value.offset)])
    if isinstance(value, PART_KINDS):
        return b"p" + bytes([PART_KINDS.index(type(value))]) + pack(value._values())
    if isinstance(value, array):
        return b"q" + _COUNT.pack(len(value)) + little_endian(value)
    if isinstance(value, frozenset):
        return b"{" + _COUNT.pack(len(value)) + b"".join(map(pack, sorted(value)))
    assert isinstance(value, tuple), value
    return b"(" + _COUNT.pack(len(value)) + b"".join(map(pack, value))


def unpack(data: bytes) -> Any:
    """Return the value with these bytes; raises SnapshotError if there is none."""
    reader = _Reader(data)
    try:
        value = reader.value(MAX_DEPTH)
    except (CollisionError, LookupError, ValueError, TypeError, struct.error) as cause:
        raise SnapshotError(f"the snapshot contains bytes that are not a value: {cause}") from cause
    if reader.at != len(data):
        raise SnapshotError("the snapshot contains bytes after a value")
    return value


def little_endian(numbers: array[int]) -> bytes:
    """Return whole numbers as little-endian bytes, 8 each."""
    if sys.byteorder == "big":  # pragma: no cover - no such machine at hand
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def numbers_of(data: bytes) -> array[int]:
    """Return the whole numbers that `little_endian` wrote."""
    numbers = array("q", data)
    if sys.byteorder == "big":  # pragma: no cover - no such machine at hand
        numbers.byteswap()
    return numbers


class _Reader:
    """Reads values one after the other, and never past the end."""

    __slots__ = ("at", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        start, end = self.at, self.at + size
        if end > len(self.data):
            raise ValueError(f"{size} bytes are expected at {start}, but only {len(self.data) - start} are left")
        self.at = end
        return self.data[start:end]

    def count(self) -> int:
        number: int = _COUNT.unpack(self.take(4))[0]
        return number

    def value(self, depth: int) -> Any:
        tag = self.take(1)
        if tag in _PLAIN:
            return _PLAIN[tag]
        if tag == b"i":
            return _INT.unpack(self.take(8))[0]
        if tag == b"d":
            return _FLOAT.unpack(self.take(8))[0]
        if tag == b"s":
            return self.take(self.count()).decode("utf-8", "surrogatepass")
        if tag == b"b":
            hx, hy, hz, *offset = _BOX.unpack(self.take(48))
            return Box(hx, hy, hz, offset)
        if tag == b"p" and depth:
            return PART_KINDS[self.take(1)[0]](*self.value(depth - 1))
        if tag == b"q":
            return numbers_of(self.take(8 * self.count()))
        if tag not in (b"{", b"(") or not depth:
            raise ValueError(f"no value begins with {tag!r} at {self.at - 1}")
        items = [self.value(depth - 1) for _ in range(self.count())]
        return frozenset(items) if tag == b"{" else tuple(items)
