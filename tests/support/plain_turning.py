"""How parts are turned, in plain Python: the reference for `shapes/rotation.py` and `shapes/bounds.py`."""

from __future__ import annotations

import math

from ecs_collision.shapes.part import Faces, Matrix, Part
from ecs_collision.shapes.rotation import Rotation

Halves = tuple[int, int, int]


SNAP = 2.0**-46
"""Entries of a matrix this close to 0, 1 or -1 are these numbers, so quarter turns are exact."""

_BITS = 160
_HALF_PI = 0x1921FB54442D18469898CC51701B839A252049C11
"""pi / 2 in units of 2**-160. Angles have at most 36 bits before the point, so 120 bits of the rest are right."""

_SINE = tuple((-1) ** at / math.factorial(2 * at + 1) for at in range(8, 0, -1))
_COSINE = tuple((-1) ** at / math.factorial(2 * at) for at in range(9, 1, -1))
"""Coefficients of the squares, highest power first, without the first term of the sine and the first two of the
cosine. Up to pi / 4 the next term is less than 2**-62."""

_IDENTITY: Matrix = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def sine_cosine(angle: float) -> tuple[float, float]:
    """Return sine and cosine of an angle of at most 2**36, to about one unit in the last place."""
    numerator, denominator = angle.as_integer_ratio()
    scaled = (numerator << _BITS) // denominator
    quarter = (2 * scaled + _HALF_PI) // (2 * _HALF_PI)
    rest = (scaled - quarter * _HALF_PI) / (1 << _BITS)
    square = rest * rest
    high, even = 0.0, 0.0
    for odd_factor, even_factor in zip(_SINE, _COSINE, strict=True):
        high, even = high * square + odd_factor, even * square + even_factor
    sine, cosine = rest + rest * square * high, 1.0 - (0.5 * square - square * square * even)
    return ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))[quarter % 4]


def matrix_of(rotation: Rotation) -> Matrix | None:
    """Return the matrix of a rotation, None if nothing is turned. A quaternion may have any length except 0."""
    if rotation is None:
        return None
    if isinstance(rotation, tuple):
        return _snapped(_of_quaternion(*rotation))
    sine, cosine = sine_cosine(rotation)
    return _snapped((cosine, -sine, 0.0, sine, cosine, 0.0, 0.0, 0.0, 1.0))


def combined(outer: Matrix | None, inner: Matrix | None) -> Matrix | None:
    """Return the rotation by `inner`, then by `outer`; None if nothing is turned."""
    if outer is None or inner is None:
        return inner if outer is None else outer
    columns = [turned(outer, inner[at], inner[at + 3], inner[at + 6]) for at in range(3)]
    (a, d, g), (b, e, h), (c, f, i) = columns
    return _snapped((a, b, c, d, e, f, g, h, i))


def turned(matrix: Matrix, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the product of a matrix and a vector."""
    return (
        matrix[0] * x + matrix[1] * y + matrix[2] * z,
        matrix[3] * x + matrix[4] * y + matrix[5] * z,
        matrix[6] * x + matrix[7] * y + matrix[8] * z,
    )


def is_axis_parallel(matrix: Matrix) -> bool:
    """Return whether a rotation exchanges or reverses axes and nothing else."""
    return all(entry in (0.0, 1.0, -1.0) for entry in matrix)


def _of_quaternion(x: float, y: float, z: float, w: float) -> Matrix:
    # Divided by the largest first: squares neither overflow nor vanish, and no root is needed.
    largest = max(abs(x), abs(y), abs(z), abs(w))
    x, y, z, w = x / largest, y / largest, z / largest, w / largest
    twice = 2.0 / (x * x + y * y + z * z + w * w)
    return (
        1.0 - twice * (y * y + z * z),
        twice * (x * y - z * w),
        twice * (x * z + y * w),
        twice * (x * y + z * w),
        1.0 - twice * (x * x + z * z),
        twice * (y * z - x * w),
        twice * (x * z - y * w),
        twice * (y * z + x * w),
        1.0 - twice * (x * x + y * y),
    )


def _snapped(matrix: Matrix) -> Matrix | None:
    a, b, c, d, e, f, g, h, i = map(_snap, matrix)
    result = (a, b, c, d, e, f, g, h, i)
    return None if result == _IDENTITY else result


def _snap(entry: float) -> float:
    whole = math.floor(entry + 0.5)
    return float(whole) if abs(entry - whole) <= SNAP else entry


_OUTWARD = 1.0 + 2.0**-46
"""More than all rounding errors of a matrix and its product with a vector."""


def part_of(
    halves: Halves,
    radius: int,
    centre: tuple[float, float, float],
    body_matrix: Matrix | None = None,
    own_matrix: Matrix | None = None,
) -> Part:
    """Return the part with a core of these half extents, all in lattice units.

    centre: relative to the body, before the body is turned. own_matrix: the rotation of the part about its centre,
    which comes before that of the body. A part that is parallel to the axes has no matrix, nor has a sphere.
    """
    if body_matrix is not None:
        centre = turned(body_matrix, *centre)
    x, y, z = (math.floor(value + 0.5) for value in centre)
    matrix = combined(body_matrix, own_matrix) if any(halves) else None
    if matrix is not None and is_axis_parallel(matrix):
        halves, matrix = _outer_halves(matrix, halves), None
    core = (x - halves[0], y - halves[1], z - halves[2], x + halves[0], y + halves[1], z + halves[2])
    return Part(core, radius, matrix)


def bounds_of(part: Part) -> Faces:
    """Return the smallest lattice box around a part, relative to the body. A turned one is rounded outward."""
    x, y, z, to_x, to_y, to_z = part.core
    radius = part.radius
    if part.matrix is not None:
        halves = (to_x - x) // 2, (to_y - y) // 2, (to_z - z) // 2
        outer = _outer_halves(part.matrix, halves)
        dx, dy, dz = outer[0] - halves[0], outer[1] - halves[1], outer[2] - halves[2]
        x, y, z, to_x, to_y, to_z = x - dx, y - dy, z - dz, to_x + dx, to_y + dy, to_z + dz
    return x - radius, y - radius, z - radius, to_x + radius, to_y + radius, to_z + radius


def _outer_halves(matrix: Matrix, halves: Halves) -> Halves:
    """Return the half extents of the box around a turned one: exact where axes are exchanged, else rounded up."""
    return _outer_half(matrix[0:3], halves), _outer_half(matrix[3:6], halves), _outer_half(matrix[6:9], halves)


def _outer_half(row: tuple[float, ...], halves: Halves) -> int:
    x, y, z = map(abs, row)
    size = x * halves[0] + y * halves[1] + z * halves[2]
    return int(size) if x + y + z == 1.0 and max(x, y, z) == 1.0 else math.ceil(size * _OUTWARD)
