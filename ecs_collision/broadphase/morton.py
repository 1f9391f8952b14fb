# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Morton codes: three bin numbers interleaved into one, x in the lowest bit of each triple (rule B2).

Bits are spread with shifts and masks (`broadphase/morton_codes.py`). Not taken: the table of spread bytes there (as
fast, but 2 KB of constants) and the BMI2 instruction (not on every machine).

Bins are floor-divided and biased: bin 0 begins at the lowest face that the index can hold, 2**20 bins below the origin.
A cell of level l covers 2**l bins on each axis. Its code is the least code that it covers, and its *local* code numbers
the cells of its own level.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.morton_codes import compact3
else:
    from ecs_collision.broadphase.morton_codes import compact3

ORIGIN = 1 << 20
"""The number of the bin that begins at 0."""

X_BITS = 0x1249249249249249
"""The bits of a code that hold x."""

TOP_LEVEL = 21
"""The level whose single cell covers everything."""

# C constants of this module: a compiled loop would look others up by name, and take long literals for Python ints.
_LAST = cython.declare(cython.longlong, 2 * ORIGIN - 1)
_ORIGIN = cython.declare(cython.longlong, ORIGIN)


def bin_of(face: cython.longlong, bin_shift: cython.int) -> cython.longlong:
    """Return the bin that contains a face (lattice units); faces outside the index belong to its outermost bins."""
    index: cython.longlong = (face >> bin_shift) + _ORIGIN
    if index < 0:
        return 0
    if index > _LAST:
        return _LAST
    return index


def hash_of(code: cython.longlong, shift: cython.int) -> cython.longlong:
    """Return a place in a table of 2**(31 - shift): the high bits of two 31-bit products, which fit 63 bits."""
    mixed: cython.longlong = (code & 0x7FFFFFFF) * 0x61C88647 + ((code >> 31) & 0x7FFFFFFF) * 0x51ED270B
    return (mixed & 0x7FFFFFFF) >> shift


def decode(code: cython.longlong) -> tuple[int, int, int]:
    """Return the bin (x, y, z) of a code."""
    return compact3(code), compact3(code >> 1), compact3(code >> 2)


def directory_key(code: int, level: int) -> int:
    """Return the sort key of a cell in the directory: the first code covered, then the larger cell first (rule B3).

    `code` may be any Python int: the key has up to 68 bits.
    """
    return (code << 5) | (31 - level)
