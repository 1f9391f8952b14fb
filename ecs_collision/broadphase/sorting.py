# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""A stable sort of pairs of whole numbers by the first of them: passes over eleven bits, the lowest first."""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import zeros

_DIGIT = cython.declare(cython.int, 11)
_LAST = cython.declare(cython.longlong, (1 << 11) - 1)


def sort_pairs(
    keys: cython.longlong[::1],
    values: cython.longlong[::1],
    spare_keys: cython.longlong[::1],
    spare_values: cython.longlong[::1],
    count: cython.Py_ssize_t,
    first_bit: cython.int,
) -> cython.int:
    """Sort the first pairs by the bits of their keys, which are not negative, from a bit on; O(count) for each pass.

    Bits in which no keys differ take no pass. An exception leaves the pairs in a state without meaning.
    """
    starts: cython.int[::1] = zeros("i", 2 + _LAST)
    differing: cython.longlong = 0
    in_spare: cython.bint = False
    shift: cython.int = first_bit
    for at in range(1, count):
        differing |= keys[at] ^ keys[0]
    while shift < 63 and differing >> shift != 0:
        if (differing >> shift) & 1 == 0:
            shift += 1
            continue
        for digit in range(_LAST + 2):
            starts[digit] = 0
        for at in range(count):
            starts[((keys[at] >> shift) & _LAST) + 1] += 1
        for digit in range(_LAST):
            starts[digit + 1] += starts[digit]
        for at in range(count):
            digit = (keys[at] >> shift) & _LAST
            to: cython.Py_ssize_t = starts[digit]
            starts[digit] += 1
            spare_keys[to] = keys[at]
            spare_values[to] = values[at]
        keys, spare_keys = spare_keys, keys
        values, spare_values = spare_values, values
        in_spare = not in_spare
        shift += _DIGIT
    if in_spare:
        for at in range(count):
            spare_keys[at] = keys[at]
            spare_values[at] = values[at]
    return 0
