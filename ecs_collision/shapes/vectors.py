"""Vectors of three floats. Every operation has a fixed order, so that it has the same bits on every machine."""

from __future__ import annotations

import math

Vector = tuple[float, float, float]


def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product. Not `sum`, whose rounding of floats depends on the version of Python."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def moved(a: Vector, times: float, b: Vector) -> Vector:
    """Return a + times * b."""
    return a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]


def opposite(a: Vector) -> Vector:
    """Return the vector of the same length in the other direction; without negative zeros."""
    return 0.0 - a[0], 0.0 - a[1], 0.0 - a[2]


def unit_of(a: Vector) -> Vector:
    """Return a vector with length 1 in the same direction, without negative zeros; (0, 0, 0) has none."""
    largest = max(abs(a[0]), abs(a[1]), abs(a[2]))
    if largest == 0.0:
        return 0.0, 0.0, 0.0
    x, y, z = a[0] / largest, a[1] / largest, a[2] / largest
    length = math.sqrt(x * x + y * y + z * z)
    return x / length + 0.0, y / length + 0.0, z / length + 0.0
