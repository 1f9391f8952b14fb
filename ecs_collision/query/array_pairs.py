"""All overlapping pairs of boxes given as arrays, without a world.

A grid for each size level finds the pairs (`broadphase/all_pairs.py`). Not taken, after measurements: trees, which take
five to ten times as long without an existing index, and the index of a world, which is made for changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ecs_collision._numpy import numpy as np
from ecs_collision.broadphase.all_pairs import AllPairs
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import AXES, refuse_masks, shown

if TYPE_CHECKING:
    import numpy.typing as npt

MAX_KEPT = 1 << 18
"""Working memory for up to this many boxes is kept for the next call: about 100 bytes for each box."""

_MAX_EXACT = 1 << 53

_spare: list[AllPairs] = []
"""Free working memory. Each call takes one out, so threads never share it."""


def overlapping_pairs(lo: npt.ArrayLike, hi: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return all pairs of boxes that overlap, as a (p, 2) int64 array of row numbers a < b, sorted.

    `lo` and `hi` are the lower and upper corners: two arrays of shape (n, 2) or (n, 3), or anything that NumPy converts
    to such arrays. Overlap is strict: boxes that share a face do not overlap, and a box without extent overlaps a box
    that strictly contains it (rule L4). The float64 numbers are compared as given; unlike boxes of bodies, they are not
    rounded to the lattice. O(n + p), less than 0.1 us for each box.

    Raises CollisionTypeError if they are not numbers and CollisionValueError if they are not boxes.

    >>> overlapping_pairs([(0, 0), (1, 1), (9, 9)], [(2, 2), (3, 3), (10, 10)])
    array([[0, 1]])
    """
    low, high = _corners(lo, "lo"), _corners(hi, "hi")
    if low.shape != high.shape:
        raise CollisionValueError(
            f"lo has shape {low.shape} and hi {high.shape}; give both corners of every box, in two arrays of one shape"
        )
    try:
        finder = _spare.pop()
    except IndexError:
        finder = AllPairs()
    finder.use_buffers(low.reshape(-1), high.reshape(-1), low.shape[1])
    count = finder.find_pairs()
    if count < 0:
        raise _invalid_box(low, high, finder.first_invalid())
    pairs = np.empty((count, 2), np.int64)
    if count:
        finder.write_sorted(pairs.reshape(-1).data)
    finder.release_buffers()
    if len(low) <= MAX_KEPT:
        _spare.append(finder)
    return pairs


def _corners(values: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    """Return corners as a contiguous float64 array of shape (n, 2) or (n, 3)."""
    refuse_masks(values, f"{name} must be an array of numbers, n rows of 2 or 3")
    try:
        given = np.asarray(values)
    except ValueError:  # rows of different lengths
        given = np.empty(0, object)
    if given.dtype.kind not in "fiu":
        raise CollisionTypeError(
            f"{name} must be an array of numbers, n rows of 2 or 3, not {shown(values, 60)}; "
            "give for example [(0, 0), (2, 1)]"
        )
    if given.shape == (0,):
        given = given.reshape(0, 2)
    if given.ndim != 2 or given.shape[1] not in (2, 3):
        raise CollisionValueError(
            f"{name} has shape {given.shape}; give n rows of 2 or 3 numbers, shape (n, 2) or (n, 3)"
        )
    if given.dtype.kind != "f" and given.dtype.itemsize == 8 and given.size:
        _check_exact(given, name)
    corners = np.ascontiguousarray(given, np.float64)
    return corners if corners.flags.carray else corners.copy()  # kernels need writable, aligned buffers


def _check_exact(given: npt.NDArray[Any], name: str) -> None:
    """Raise an error if float64 cannot represent an integer exactly."""
    beyond = (given > _MAX_EXACT) | (given < -_MAX_EXACT)
    if beyond.any():
        row, axis = np.argwhere(beyond)[0]
        raise CollisionValueError(
            f"{name}.{AXES[axis]} of row {row} is {given[row, axis]}, beyond 2**53, where float64 skips integers; "
            "give smaller numbers"
        )


def _invalid_box(low: npt.NDArray[np.float64], high: npt.NDArray[np.float64], row: int) -> CollisionValueError:
    """Return the error for the first row that is not a box."""
    for name, corner in (("lo", low[row]), ("hi", high[row])):
        for axis, value in zip(AXES, corner.tolist(), strict=False):
            if not np.isfinite(value):
                return CollisionValueError(f"{name}.{axis} of row {row} is {value!r}; give a finite number")
    at = int(np.argmax(low[row] > high[row]))
    return CollisionValueError(
        f"the box in row {row} ends before it begins: lo.{AXES[at]} is {float(low[row, at])!r}, "
        f"hi.{AXES[at]} {float(high[row, at])!r}; swap them"
    )
