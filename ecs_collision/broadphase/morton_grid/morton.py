# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Morton codes: three bin numbers interleaved into one, x in the lowest bit of each triple (rule B2).

Bits are spread with shifts and masks, five steps for each number. Not taken: a table of spread bytes (as fast, but 2 KB
of constants) and the BMI2 instruction (not on every machine).

Bins are floor-divided and biased: bin 0 begins at the lowest face that the index can hold, 2**20 bins below the origin.
A cell of level l covers 2**l bins on each axis. Its code is the least code that it covers, its *local* code numbers the
cells of its own level, and its *location* is one number for local code and level.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

ORIGIN = 1 << 20
"""The number of the bin that begins at 0."""

X_BITS = 0x1249249249249249
"""The bits of a code that hold x."""

TOP_LEVEL = 21
"""The level whose single cell covers everything."""

# C constants of this module: a compiled loop would look others up by name, and take long literals for Python ints.
_LAST = cython.declare(cython.longlong, 2 * ORIGIN - 1)
_ORIGIN = cython.declare(cython.longlong, ORIGIN)
_SPREAD_32 = cython.declare(cython.longlong, 0x001F00000000FFFF)
_SPREAD_16 = cython.declare(cython.longlong, 0x001F0000FF0000FF)
_SPREAD_8 = cython.declare(cython.longlong, 0x100F00F00F00F00F)
_SPREAD_4 = cython.declare(cython.longlong, 0x10C30C30C30C30C3)
_SPREAD_2 = cython.declare(cython.longlong, X_BITS)


@cython.cfunc
@cython.exceptval(check=False)
def spread(bin: cython.longlong) -> cython.longlong:
    """Return 21 bits with two zero bits inserted before each."""
    bin = (bin | (bin << 32)) & _SPREAD_32
    bin = (bin | (bin << 16)) & _SPREAD_16
    bin = (bin | (bin << 8)) & _SPREAD_8
    bin = (bin | (bin << 4)) & _SPREAD_4
    return (bin | (bin << 2)) & _SPREAD_2


@cython.cfunc
@cython.exceptval(check=False)
def compact(code: cython.longlong) -> cython.longlong:
    """Return every third bit of a code: the inverse of `spread`."""
    code = code & _SPREAD_2
    code = (code | (code >> 2)) & _SPREAD_4
    code = (code | (code >> 4)) & _SPREAD_8
    code = (code | (code >> 8)) & _SPREAD_16
    code = (code | (code >> 16)) & _SPREAD_32
    return (code | (code >> 32)) & 0x1FFFFF


@cython.cfunc
@cython.exceptval(check=False)
def location(local: cython.longlong, level: cython.int) -> cython.longlong:
    """Return the location code: the local code after a one bit that marks the level; below 0 at level 0, never 0.

    After Ericson, Real-Time Collision Detection 7.3. There is no 64th bit for level 0, so its codes are inverted.
    """
    one: cython.longlong = 1
    if level == 0:
        return ~local
    return local | (one << (63 - 3 * level))


@cython.ccall
@cython.exceptval(check=False)
def bin_of(face: cython.longlong, bin_shift: cython.int) -> cython.longlong:
    """Return the bin that contains a face (lattice units); faces outside the index belong to its outermost bins."""
    index: cython.longlong = (face >> bin_shift) + _ORIGIN
    if index < 0:
        return 0
    if index > _LAST:
        return _LAST
    return index


def decode(code: cython.longlong) -> tuple[int, int, int]:
    """Return the bin (x, y, z) of a code."""
    return compact(code), compact(code >> 1), compact(code >> 2)


def directory_key(code: int, level: int) -> int:
    """Return the sort key of a cell in the directory: the first code covered, then the larger cell first (rule B3).

    `code` may be any Python int: the key has up to 68 bits.
    """
    return (code << 5) | (31 - level)
