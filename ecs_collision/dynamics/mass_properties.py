"""Mass, centre of mass and moments of inertia of a body, from the shape of its collider (rule I1).

All parts are rounded boxes: a core, and everything within a radius of it. Their volumes and moments are exact sums over
pieces: the core, slabs on its faces, quarters of cylinders on its edges, and the eight parts of a sphere at its
corners. Only additions, products, quotients and roots are used, in a fixed order, so every machine gets the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from ecs_collision.components import Box, Collider, CompoundCollider, Mass, Parts, Vector
from ecs_collision.components.dynamics import MAX_MASS
from ecs_collision.errors import CollisionValueError
from ecs_collision.fixed_point import LATTICE, named
from ecs_collision.shapes.bounds import TurningPart
from ecs_collision.shapes.part import Faces, Matrix

Quaternion = tuple[float, float, float, float]

PI = 3.141592653589793

SMALLEST = 2.0**-40
"""A moment that is a smaller share of the largest one is rounding, or of a thing without thickness: it counts as 0."""

_NO_TURN: Quaternion = (0.0, 0.0, 0.0, 1.0)
_SWEEPS = 32
"""More than enough: each sweep of the method of Jacobi squares the error."""


class MassProperties(NamedTuple):
    """How impulses move and turn a body, in world units, for a body that is not turned.

    centre: the centre of mass, relative to the position. inverse_moments: about the axes x, y and z of the frame
    `axes`, through the centre; 0 about an axis about which it never turns. In a flat world only the third is not 0.
    """

    inverse_mass: float
    centre: Vector
    inverse_moments: Vector
    axes: Quaternion


class _Piece(NamedTuple):
    """A part as it counts for the mass: its weight, its centre and, about it, the sums of weight * distance**2.

    spread: these sums along its own axes, which are the columns of `matrix`. dimensions: 3 if it has a volume, 2 for a
    plate (in a flat world: if it has an area), 1 for a segment, 0 for a point.
    """

    dimensions: int
    weight: float
    centre: Vector
    spread: Vector
    matrix: Matrix | None


def mass_properties(parts: Parts, flat: bool) -> MassProperties:
    """Return the properties of a body with a Mass and a collider; flat: in a 2D world, where areas count (L5).

    Its density is the same everywhere; parts that overlap just add up. Parts without volume weigh nothing beside
    others. If no part has one, those of the most dimensions count: plates, segments or points, as the limit of thin
    parts. About an axis about which nothing of it has a distance (a segment about itself, a point about all), a body
    never turns, and neither does one with a part that never turns (H3).

    Raises CollisionValueError for a density of a collider without volume, and for a mass out of range.
    """
    mass, collider = parts.mass, parts.collider
    assert mass is not None and collider is not None
    solids = _solids(collider)
    pieces = [_piece(solid, flat) for solid in solids]
    dimensions = max([each.dimensions for each in pieces])
    pieces = [each for each in pieces if each.dimensions == dimensions]
    weight = _sum([each.weight for each in pieces])
    value = _value(mass, weight if dimensions == (2 if flat else 3) else 0.0, flat)
    x, y, z = (_sum([each.weight * each.centre[axis] for each in pieces]) / weight for axis in range(3))
    centre = (x, y, z) if len(pieces) > 1 else pieces[0].centre
    inverse = 1.0 / value
    if inverse == 0.0 or not all(isinstance(solid, TurningPart) for solid in solids):
        return MassProperties(inverse, centre, (0.0, 0.0, 0.0), _NO_TURN)
    if mass.moment is not None:
        about = 1.0 / mass.moment
        return MassProperties(inverse, centre, (0.0, 0.0, about) if flat else (about, about, about), _NO_TURN)
    spread, matrix = _principal(pieces, centre)
    share = value / weight
    if flat:  # one of the three is 0
        moment = share * _sum(spread)
        return MassProperties(inverse, centre, (0.0, 0.0, 1.0 / moment if moment else 0.0), _NO_TURN)
    moments = [share * (spread[b] + spread[c]) for b, c in ((1, 2), (2, 0), (0, 1))]
    x, y, z = [1.0 / each if each > SMALLEST * max(moments) else 0.0 for each in moments]
    return MassProperties(inverse, centre, (x, y, z), quaternion_of_matrix(matrix))


def _value(mass: Mass, size: float, flat: bool) -> float:
    """Return the mass of a body whose collider has this volume or area."""
    if not mass.density:
        return mass.value
    kind = "area" if flat else "volume"
    if size == 0.0:
        raise CollisionValueError(
            f"{named('Mass', mass)} is a density, {mass.value!r}, but its collider has no {kind}; give the collider a "
            "size, or the body a mass such as Mass(1)"
        )
    value = mass.value * size
    if 1.0 / MAX_MASS <= value <= MAX_MASS or value == math.inf:
        return value
    raise CollisionValueError(
        f"{named('Mass', mass)} is a density, {mass.value!r}, which is a mass of {value!r} for the {kind} of its "
        f"collider, {size!r}, but a mass must be from 2**-32 to 2**32; give another density"
    )


def _solids(collider: Collider) -> list[Faces | TurningPart]:
    """Return all parts of a collider, before they are turned."""
    if isinstance(collider, CompoundCollider):
        return [part.faces if isinstance(part, Box) else part._turning for part in collider.parts]
    return list(collider._solids or collider._form().boxes)


def _sum(numbers: Iterable[float]) -> float:
    """Return a sum in the order of the numbers; the built-in function rounds differently in each version of Python."""
    total = 0.0
    for each in numbers:
        total += each
    return total


# One part.


def _piece(solid: Faces | TurningPart, flat: bool) -> _Piece:
    """Return the piece of a part."""
    if isinstance(solid, TurningPart):
        x, y, z = solid.halves
        halves, radius, matrix = (x * LATTICE, y * LATTICE, z * LATTICE), solid.radius * LATTICE, solid.matrix
        centre = (solid.centre[0] * LATTICE, solid.centre[1] * LATTICE, solid.centre[2] * LATTICE)
    else:
        low_x, low_y, low_z, high_x, high_y, high_z = solid
        half, radius, matrix = 0.5 * LATTICE, 0.0, None
        halves = ((high_x - low_x) * half, (high_y - low_y) * half, (high_z - low_z) * half)
        centre = ((high_x + low_x) * half, (high_y + low_y) * half, (high_z + low_z) * half)
    if flat:
        return _flat_piece(halves, radius, centre, matrix)
    a, b, c = halves
    if radius == 0.0:
        return _thin_piece(halves, centre, matrix)
    corner = 4.0 * PI * radius * radius * radius / 3.0
    edge = PI * radius * radius
    weight = 8.0 * a * b * c + 8.0 * radius * (a * b + b * c + c * a) + 2.0 * edge * (a + b + c) + corner
    spread = (_spread(a, b, c, radius), _spread(b, c, a, radius), _spread(c, a, b, radius))
    return _Piece(3, weight, centre, spread, matrix)


def _spread(a: float, b: float, c: float, r: float) -> float:
    """Return the sum of volume * distance**2 along the axis of `a`, of a rounded box with half extents a, b and c."""
    core = 8.0 * a * b * c * a * a / 3.0
    ends = 8.0 * b * c * r * (a * a + a * r + r * r / 3.0)
    sides = 8.0 * r * (b + c) * a * a * a / 3.0
    edges_along = 2.0 * PI * r * r * a * a * a / 3.0
    edges_across = 2.0 * (b + c) * _round_ends(a, r)
    corners = PI * r * r * r * (4.0 * a * a / 3.0 + a * r + 4.0 * r * r / 15.0)
    return core + ends + sides + edges_along + edges_across + corners


def _round_ends(a: float, r: float) -> float:
    """Return the sum of area * distance**2 of the four quarters of a disc that are moved out by `a`."""
    return r * r * (PI * a * a + 8.0 * a * r / 3.0 + PI * r * r / 4.0)


def _flat_piece(halves: Vector, radius: float, centre: Vector, matrix: Matrix | None) -> _Piece:
    """Return the piece of a part in the plane z = 0; its axis that is nearest to z does not count."""
    centre = (centre[0], centre[1], 0.0)
    across = 2 if matrix is None else max((2, 1, 0), key=lambda axis: abs(matrix[6 + axis]))
    first, second = (axis for axis in range(3) if axis != across)
    a, b = halves[first], halves[second]
    if radius == 0.0:
        thin = [halves[axis] if axis != across else 0.0 for axis in range(3)]
        return _thin_piece((thin[0], thin[1], thin[2]), centre, matrix)
    spread = [0.0, 0.0, 0.0]
    for axis, along, beside in ((first, a, b), (second, b, a)):
        core = 4.0 * along * beside * along * along / 3.0
        ends = 4.0 * beside * radius * (along * along + along * radius + radius * radius / 3.0)
        sides = 4.0 * radius * along * along * along / 3.0
        spread[axis] = core + ends + sides + _round_ends(along, radius)
    weight = 4.0 * a * b + 4.0 * radius * (a + b) + PI * radius * radius
    return _Piece(2, weight, centre, (spread[0], spread[1], spread[2]), matrix)


def _thin_piece(halves: Vector, centre: Vector, matrix: Matrix | None) -> _Piece:
    """Return the piece of a box without a radius: its volume, or its area or length if it is thin."""
    dimensions, weight = 0, 1.0
    for half in halves:
        if half:
            dimensions, weight = dimensions + 1, weight * (2.0 * half)
    x, y, z = halves
    return _Piece(
        dimensions, weight, centre, (weight * x * x / 3.0, weight * y * y / 3.0, weight * z * z / 3.0), matrix
    )


# All parts together.


def _principal(pieces: list[_Piece], centre: Vector) -> tuple[Vector, Matrix | None]:
    """Return the sums of weight * distance**2 along the principal axes, and these axes as the columns of a matrix.

    Those of a single part are its own, those of parts that are arranged along x, y and z these.
    """
    if len(pieces) == 1:
        return pieces[0].spread, pieces[0].matrix
    total = [[0.0] * 3 for _ in range(3)]
    for piece in pieces:
        matrix = piece.matrix or (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        away = [at - middle for at, middle in zip(piece.centre, centre, strict=True)]
        for i in range(3):
            for j in range(3):
                own = _sum([matrix[3 * i + k] * piece.spread[k] * matrix[3 * j + k] for k in range(3)])
                total[i][j] += own + piece.weight * away[i] * away[j]
    limit = SMALLEST * max([total[axis][axis] for axis in range(3)])
    if max([abs(total[i][j]) for i, j in _PAIRS]) <= limit:
        return (total[0][0], total[1][1], total[2][2]), None
    return diagonal(total)


_PAIRS = ((0, 1), (0, 2), (1, 2))


def diagonal(total: list[list[float]]) -> tuple[Vector, Matrix]:
    """Return the eigenvalues of a symmetric matrix, largest first, and the axes as columns (the method of Jacobi).

    The largest component of the first two axes is positive, and the third is their product.
    """
    axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]  # one in each row
    for _ in range(_SWEEPS):
        if not any(total[i][j] for i, j in _PAIRS):
            break
        for i, j in _PAIRS:
            _rotate(total, axes, i, j)
    order = sorted(range(3), key=lambda axis: -total[axis][axis])
    first, second = (_with_sign(axes[axis]) for axis in order[:2])
    third = [first[b] * second[c] - first[c] * second[b] for b, c in ((1, 2), (2, 0), (0, 1))]
    large, middle, small = (max(0.0, total[axis][axis]) for axis in order)
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = first, second, third
    return (large, middle, small), (ax, bx, cx, ay, by, cy, az, bz, cz)


def _rotate(total: list[list[float]], axes: list[list[float]], i: int, j: int) -> None:
    """Turn in the plane of two axes so that their product becomes 0."""
    product = total[i][j]
    if product == 0.0:
        return
    ratio = (total[j][j] - total[i][i]) / (2.0 * product)
    tangent = (1.0 if ratio >= 0.0 else -1.0) / (abs(ratio) + math.sqrt(ratio * ratio + 1.0))
    cosine = 1.0 / math.sqrt(tangent * tangent + 1.0)
    sine = tangent * cosine
    k = 3 - i - j
    total[i][i] -= tangent * product
    total[j][j] += tangent * product
    total[i][j] = total[j][i] = 0.0
    with_i, with_j = total[i][k], total[j][k]
    total[i][k] = total[k][i] = cosine * with_i - sine * with_j
    total[j][k] = total[k][j] = sine * with_i + cosine * with_j
    axes[i], axes[j] = (
        [cosine * a - sine * b for a, b in zip(axes[i], axes[j], strict=True)],
        [sine * a + cosine * b for a, b in zip(axes[i], axes[j], strict=True)],
    )


def _with_sign(axis: list[float]) -> list[float]:
    """Return an axis of which the largest component is positive; of equal ones the first counts."""
    largest = max(range(3), key=lambda at: abs(axis[at]))
    return axis if axis[largest] > 0.0 else [-each for each in axis]


def quaternion_of_matrix(matrix: Matrix | None) -> Quaternion:
    """Return the rotation of a matrix as a quaternion of length 1; its last number that is not 0 is positive."""
    if matrix is None:
        return _NO_TURN
    a, b, c, d, e, f, g, h, i = matrix
    # Four times the squares of x, y, z and w: the largest is at least 1, so nothing is lost.
    squares = (1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i, 1.0 + a + e + i)
    largest = max((3, 2, 1, 0), key=squares.__getitem__)
    x, y, z, w = (
        (squares[0], b + d, g + c, h - f),
        (b + d, squares[1], f + h, c - g),
        (g + c, f + h, squares[2], d - b),
        (h - f, c - g, d - b, squares[3]),
    )[largest]
    length = math.sqrt(x * x + y * y + z * z + w * w)
    sign = next(each for each in (w, z, y, x) if each != 0.0)
    length = -length if sign < 0.0 else length
    return (x / length + 0.0, y / length + 0.0, z / length + 0.0, w / length + 0.0)
