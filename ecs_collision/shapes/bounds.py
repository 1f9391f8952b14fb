"""Parts in their place within a body, and the boxes around them (rules H2 to H4)."""

from __future__ import annotations

import math

from ecs_collision.shapes.part import Faces, Matrix, Part
from ecs_collision.shapes.rotation import combined, is_axis_parallel, turned

Halves = tuple[int, int, int]

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
