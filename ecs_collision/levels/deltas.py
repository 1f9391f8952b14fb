"""Differences of byte strings that resemble each other: what a snapshot is beside that of the next turn.

Two snapshots of one game differ in a few numbers, and where something came into a trigger, one is longer by an entry.
So the front is compared from the start and the back from the end, and what is equal becomes zeros, which zlib packs
to nothing. Not taken: zlib with the other snapshot as its dictionary. It sees no further back than 32 KB, which
a level of two hundred bodies exceeds, and takes three times as long.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy

_HEAD = struct.Struct("<QQ")
"""Length of the target, and how much of its front is compared from the start."""

Bytes = numpy.ndarray[Any, numpy.dtype[numpy.uint8]]


def difference(target: bytes, base: bytes) -> bytes:
    """Return a patch that makes `target` of `base`. O(length)."""
    wanted, given = _array(target).copy(), _array(base)
    front = _front(wanted, given)
    _cross(wanted, given, front)
    return _HEAD.pack(len(target), front) + zlib.compress(wanted.tobytes(), 1)


def patched(base: bytes, patch: bytes) -> bytes:
    """Return what a patch makes of the bytes it was made for. O(length)."""
    _, front = _HEAD.unpack_from(patch)
    crossed = _array(zlib.decompress(patch[_HEAD.size :])).copy()
    _cross(crossed, _array(base), front)
    return crossed.tobytes()


def _front(wanted: Bytes, given: Bytes) -> int:
    """Return how many bytes to compare from the start, so that the most are equal."""
    both = min(len(wanted), len(given))
    if len(wanted) == len(given) or not both:
        return both
    from_start = wanted[:both] == given[:both]
    from_end = wanted[len(wanted) - both :] == given[len(given) - both :]
    gain = numpy.cumsum(from_start.astype(numpy.int64) - from_end)
    best = int(gain.argmax())
    return best + 1 if gain[best] > 0 else 0


def _cross(array: Bytes, other: Bytes, front: int) -> None:
    """Make zeros of what is equal, or out of zeros what was."""
    back = min(len(array), len(other)) - front
    array[:front] ^= other[:front]
    if back:
        array[len(array) - back :] ^= other[len(other) - back :]


def _array(data: bytes) -> Bytes:
    return numpy.frombuffer(data, numpy.uint8)
