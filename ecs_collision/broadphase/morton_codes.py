# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Morton codes (Z-order): two or three whole numbers of up to 21 bits, interleaved bit by bit into one.

Bit i of x is bit 2i of a code of two axes, and bit 3i of a code of three; y and z follow in the next bits. Cells sorted
by their codes are in the order in which a quadtree or an octree is walked, so each of its nodes is one range of codes.

The bits are spread either by shifts and masks ("magic bits", five steps for each number) or by a table that has the
spread bits of each byte (three look-ups for each number). Both give the same codes.

>>> encode2(3, 0), encode2(0, 3), encode3(1, 1, 1)
(5, 10, 7)
>>> decode3(encode3(5, 6, 7))
(5, 6, 7)

Source: Morton, A Computer Oriented Geodetic Data Base and a New Technique in File Sequencing, 1966; Ericson, Real-Time
Collision Detection, 2005, 7.3.5 (magic bits); Anderson, Bit Twiddling Hacks (both ways, for two axes).

Wrong in the sources and right here: their codes have 32 bits, and bits beyond the 10 (three axes) or 16 (two axes) that
fit are silently mixed into those of other axes. Codes here have 42 and 63 bits, which are never negative as
signed numbers, and numbers that do not fit raise an error.
"""

from __future__ import annotations

from array import array
from typing import SupportsIndex

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.errors import CollisionValueError
from ecs_collision.fixed_point import shown, whole

BITS = 21
"""The most bits of a number."""

_ANY = 1 << 65536  # so that the error for a number that is too large gives the limit of this module

# C constants of this module: a compiled loop would look others up by name, and take long literals for Python ints.
_LAST = cython.declare(cython.longlong, (1 << BITS) - 1)
_SPREAD3_32 = cython.declare(cython.longlong, 0x001F00000000FFFF)
_SPREAD3_16 = cython.declare(cython.longlong, 0x001F0000FF0000FF)
_SPREAD3_8 = cython.declare(cython.longlong, 0x100F00F00F00F00F)
_SPREAD3_4 = cython.declare(cython.longlong, 0x10C30C30C30C30C3)
_SPREAD3_2 = cython.declare(cython.longlong, 0x1249249249249249)
_SPREAD2_16 = cython.declare(cython.longlong, 0x0000001F0000FFFF)
_SPREAD2_8 = cython.declare(cython.longlong, 0x0000001F00FF00FF)
_SPREAD2_4 = cython.declare(cython.longlong, 0x0000010F0F0F0F0F)
_SPREAD2_2 = cython.declare(cython.longlong, 0x0000013333333333)
_SPREAD2_1 = cython.declare(cython.longlong, 0x0000015555555555)


def _spread_bytes(step: int) -> array[int]:
    """Return the spread bits of each byte: bit i becomes bit `step * i`."""
    return array("q", [sum((byte >> bit & 1) << step * bit for bit in range(8)) for byte in range(256)])


_BYTES2, _BYTES3 = _spread_bytes(2), _spread_bytes(3)
_bytes2_view = cython.declare(cython.longlong[::1], _BYTES2)
_bytes3_view = cython.declare(cython.longlong[::1], _BYTES3)


# For kernels: no checks. Numbers must have at most 21 bits and no sign.


def spread2(number: cython.longlong) -> cython.longlong:
    """Return 21 bits with a zero bit inserted before each."""
    number = (number | (number << 16)) & _SPREAD2_16
    number = (number | (number << 8)) & _SPREAD2_8
    number = (number | (number << 4)) & _SPREAD2_4
    number = (number | (number << 2)) & _SPREAD2_2
    return (number | (number << 1)) & _SPREAD2_1


def spread3(number: cython.longlong) -> cython.longlong:
    """Return 21 bits with two zero bits inserted before each."""
    number = (number | (number << 32)) & _SPREAD3_32
    number = (number | (number << 16)) & _SPREAD3_16
    number = (number | (number << 8)) & _SPREAD3_8
    number = (number | (number << 4)) & _SPREAD3_4
    return (number | (number << 2)) & _SPREAD3_2


def spread2_by_table(number: cython.longlong) -> cython.longlong:
    """Return the same as `spread2`."""
    return _bytes2_view[number & 255] | (_bytes2_view[(number >> 8) & 255] << 16) | (_bytes2_view[number >> 16] << 32)


def spread3_by_table(number: cython.longlong) -> cython.longlong:
    """Return the same as `spread3`."""
    return _bytes3_view[number & 255] | (_bytes3_view[(number >> 8) & 255] << 24) | (_bytes3_view[number >> 16] << 48)


def compact2(code: cython.longlong) -> cython.longlong:
    """Return every second bit of a code: the inverse of `spread2`."""
    code = code & _SPREAD2_1
    code = (code | (code >> 1)) & _SPREAD2_2
    code = (code | (code >> 2)) & _SPREAD2_4
    code = (code | (code >> 4)) & _SPREAD2_8
    code = (code | (code >> 8)) & _SPREAD2_16
    return (code | (code >> 16)) & _LAST


def compact3(code: cython.longlong) -> cython.longlong:
    """Return every third bit of a code: the inverse of `spread3`."""
    code = code & _SPREAD3_2
    code = (code | (code >> 2)) & _SPREAD3_4
    code = (code | (code >> 4)) & _SPREAD3_8
    code = (code | (code >> 8)) & _SPREAD3_16
    code = (code | (code >> 16)) & _SPREAD3_32
    return (code | (code >> 32)) & _LAST


# For everyone.


def encode2(x: SupportsIndex, y: SupportsIndex) -> int:
    """Return the Morton code of two whole numbers from 0 to 2**21 - 1: 42 bits, x in the lowest.

    Raises CollisionTypeError for what is not a whole number, CollisionValueError for one outside the range.
    """
    return spread2(_number(x, "x")) | (spread2(_number(y, "y")) << 1)


def encode3(x: SupportsIndex, y: SupportsIndex, z: SupportsIndex) -> int:
    """Return the Morton code of three whole numbers from 0 to 2**21 - 1: 63 bits, x in the lowest.

    Raises CollisionTypeError for what is not a whole number, CollisionValueError for one outside the range.
    """
    return spread3(_number(x, "x")) | (spread3(_number(y, "y")) << 1) | (spread3(_number(z, "z")) << 2)


def encode2_by_table(x: SupportsIndex, y: SupportsIndex) -> int:
    """Return the same as `encode2`, computed with a table of spread bytes (2 KB)."""
    return spread2_by_table(_number(x, "x")) | (spread2_by_table(_number(y, "y")) << 1)


def encode3_by_table(x: SupportsIndex, y: SupportsIndex, z: SupportsIndex) -> int:
    """Return the same as `encode3`, computed with a table of spread bytes (2 KB)."""
    return (
        spread3_by_table(_number(x, "x"))
        | (spread3_by_table(_number(y, "y")) << 1)
        | (spread3_by_table(_number(z, "z")) << 2)
    )


def decode2(code: SupportsIndex) -> tuple[int, int]:
    """Return the numbers x, y of a Morton code of two axes, 0 to 2**42 - 1. Raises as `encode2`."""
    whole_code: cython.longlong = _checked(code, "code", 2 * BITS)
    return compact2(whole_code), compact2(whole_code >> 1)


def decode3(code: SupportsIndex) -> tuple[int, int, int]:
    """Return the numbers x, y, z of a Morton code of three axes, 0 to 2**63 - 1. Raises as `encode3`."""
    whole_code: cython.longlong = _checked(code, "code", 3 * BITS)
    return compact3(whole_code), compact3(whole_code >> 1), compact3(whole_code >> 2)


def _number(value: object, name: str) -> int:
    return _checked(value, name, BITS)


def _checked(value: object, name: str, bits: int) -> int:
    """Return `value` as an int of a number of bits, without sign."""
    number = whole(value, name, minimum=0, maximum=_ANY)
    if number >> bits:
        raise CollisionValueError(f"{name} is {shown(number)}, but it must be less than 2**{bits}")
    return number
