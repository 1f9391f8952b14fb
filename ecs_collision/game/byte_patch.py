"""Differences of similar byte strings, such as the snapshots of two consecutive turns.

Two snapshots of one game differ in a few numbers; after something entered a trigger, one is longer by an entry. So
words of eight bytes are compared, at the front aligned to the start and at the back aligned to the end, and a patch
contains the words that differ. Not taken: zlib with the other snapshot as its dictionary. Its window of 32 KB is
smaller than the snapshot of two hundred bodies, and it is many times slower.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy

_HEAD = struct.Struct("<QQQ?")
"""Length of the target, words compared at the front, words that differ, and whether the body is compressed."""

_LONG = 1024
"""Longer patches are compressed."""

Words = numpy.ndarray[Any, numpy.dtype[numpy.uint64]]


def difference(target: bytes, base: bytes) -> bytes:
    """Return a patch that turns `base` into `target`. O(length), about a microsecond a kilobyte."""
    count = min(len(target), len(base)) // 8
    front_wanted, front_given = _front(target, count), _front(base, count)
    if len(target) == len(base):
        front = count
        differs = front_wanted != front_given
    else:
        from_start, from_end = front_wanted != front_given, _back(target, count) != _back(base, count)
        front = _best_split(from_start, from_end)
        differs = numpy.concatenate([from_start[:front], from_end[front:]])
    (places,) = differs.nonzero()
    words = numpy.concatenate([front_wanted[:front], _back(target, count)[front:]])[places]
    middle = target[8 * front : len(target) - 8 * (count - front)]
    body = places.astype("<u4").tobytes() + words.astype("<u8").tobytes() + middle
    packed = len(body) > _LONG
    return _HEAD.pack(len(target), front, len(places), packed) + (zlib.compress(body, 1) if packed else body)


def patched(base: bytes, patch: bytes) -> bytes:
    """Apply a patch to the bytes it was made for. O(length)."""
    length, front, differing, packed = _HEAD.unpack_from(patch)
    body = zlib.decompress(patch[_HEAD.size :]) if packed else patch[_HEAD.size :]
    count = min(length, len(base)) // 8
    words = numpy.concatenate([_front(base, count)[:front], _back(base, count)[front:]])
    places = numpy.frombuffer(body, "<u4", differing)
    words[places] = numpy.frombuffer(body, "<u8", differing, 4 * differing)
    return words[:front].tobytes() + body[12 * differing :] + words[front:].tobytes()


def _best_split(from_start: Any, from_end: Any) -> int:
    """Return the number of words to align to the start, so that the fewest differ."""
    gain = (from_end.astype(numpy.int8) - from_start).cumsum(dtype=numpy.int64)
    best = int(gain.argmax()) if len(gain) else 0
    return best + 1 if len(gain) and gain[best] > 0 else 0


def _front(data: bytes, count: int) -> Words:
    return numpy.frombuffer(data, numpy.uint64, count)


def _back(data: bytes, count: int) -> Words:
    return numpy.frombuffer(data, numpy.uint64, count, len(data) - 8 * count)
