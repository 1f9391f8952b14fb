"""The planes of a frustum: how they are read, where boxes inside them can be, and their exact decision (rule Q7)."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import PER_UNIT, finite, items_of, refuse_masks, shown
from ecs_collision.shapes.overlap import PlacedPart

if TYPE_CHECKING:
    import numpy.typing

Plane = tuple[float, float, float, float]
"""A normal and a distance in lattice units: a point is inside if normal * point + distance > 0."""

Faces = tuple[int, int, int, int, int, int]

MAX_SEARCHED = 16
"""Number of planes that bound the search; the planes after them are only used to decide."""

MAX_BINS = 2**20
"""Larger regions count as this many bins."""

_ROUNDING = 2.0**-48

_FORM = "planes must be a list of (nx, ny, d) or (nx, ny, nz, d), where nx * x + ny * y + nz * z + d > 0 is inside"


def planes_of(given: object) -> list[Plane]:
    """Return the planes of a query; raises an error by the number of the first one that is not a plane."""
    refuse_masks(given, _FORM)
    rows = items_of(given)
    if not rows:
        raise CollisionTypeError(f"{_FORM}, not {shown(given)}; give a list of at least one")
    return [_plane_of(row, f"planes[{at}]") for at, row in enumerate(rows)]


def _plane_of(given: object, name: str) -> Plane:
    row = items_of(given)
    if row is None or len(row) not in (3, 4):
        raise CollisionTypeError(f"{_FORM}, but {name} is {shown(given)}; give 3 numbers in 2D, 4 in 3D")
    names = ("nx", "ny", "d") if len(row) == 3 else ("nx", "ny", "nz", "d")
    numbers = [finite(value, f"{name}.{each}") for each, value in zip(names, row, strict=True)]
    if not any(numbers[:-1]):
        raise CollisionValueError(
            f"{name} has the normal 0, which has no direction; give one that points into the frustum"
        )
    x, y, z = (*numbers[:-1], 0.0)[:3]
    return x, y, z, numbers[-1] * PER_UNIT


def whole_plane(plane: Plane) -> tuple[int, int, int, int]:
    """Return a plane times a power of two, so that its numbers are whole."""
    ratios = [value.as_integer_ratio() for value in plane]
    common = max(denominator for _, denominator in ratios)
    x, y, z, distance = (numerator * (common // denominator) for numerator, denominator in ratios)
    return x, y, z, distance


def round_part_has_inside(plane: tuple[int, int, int, int], part: PlacedPart) -> bool:
    """Return whether a part parallel to the axes has a point strictly inside a plane of whole numbers. Exact."""
    nx, ny, nz, total = plane
    total += nx * (part.hix if nx > 0 else part.lox) + ny * (part.hiy if ny > 0 else part.loy)
    total += nz * (part.hiz if nz > 0 else part.loz)
    return bool(total > 0 or total * total < part.radius * part.radius * (nx * nx + ny * ny + nz * nz))


def turned_part_has_inside(plane: Sequence[float], part: PlacedPart) -> bool:
    """Return whether a turned part has a point strictly inside a plane, in float64."""
    nx, ny, nz, distance = plane
    total = nx * ((part.lox + part.hix) // 2) + ny * ((part.loy + part.hiy) // 2)
    total += nz * ((part.loz + part.hiz) // 2) + distance
    total += abs(nx * part.m0 + ny * part.m3 + nz * part.m6) * ((part.hix - part.lox) / 2)
    total += abs(nx * part.m1 + ny * part.m4 + nz * part.m7) * ((part.hiy - part.loy) / 2)
    total += abs(nx * part.m2 + ny * part.m5 + nz * part.m8) * ((part.hiz - part.loz) / 2)
    return bool(total + part.radius * math.sqrt(nx * nx + ny * ny + nz * nz) > 0.0)


def region_of(planes: list[Plane], levels: int, bin_shift: int, limit: int) -> Faces:
    """Return a region that every box meets which is inside every plane.

    All boxes are between -limit and limit, and none is longer than the cells of the highest size level (bits).

    A sum of planes with weights of at least 0 bounds a coordinate if the sum of their normals is along its axis. Each
    plane may be met by another point of a box, so a bound grows with the length of its sides. The weights come from
    three planes at a time, of which some are those of the limits. Any weights give a bound that is true, because what
    they leave of the other axes is multiplied by the limit; so rounding makes a region larger, but never wrong.
    """
    from ecs_collision._numpy import numpy

    ways = numpy.concatenate((numpy.identity(3), -numpy.identity(3)))  # the normals of lower, then of upper bounds
    side = max(1 << bin_shift << levels.bit_length() - 1, PER_UNIT)  # flat boxes are this long on z at any level
    every = numpy.array([*planes[:MAX_SEARCHED], *_limits(limit)])
    every = numpy.ldexp(every, -numpy.frexp(numpy.abs(every[:, :3]).max(axis=1))[1][:, None])
    three = every[_triples(len(every))]  # (triples, planes of each, numbers)
    normals, distances = three[:, :, :3], three[:, :, 3]
    with numpy.errstate(all="ignore"):  # no weights, if the normals are in one plane
        crosses = numpy.cross(normals[:, (1, 2, 0)], normals[:, (2, 0, 1)])
        solved = crosses / (normals[:, 0] * crosses[:, 0]).sum(axis=-1)[:, None, None]
        weights = numpy.maximum(numpy.concatenate((solved, -solved), axis=2), 0)  # (triples, planes, bounds)
        terms = weights * distances[:, :, None]
        reach = numpy.einsum("tkb,tk->tb", weights, numpy.abs(normals).sum(axis=-1))
        rest = numpy.abs(numpy.einsum("tkb,tka->tba", weights, normals) - ways).sum(axis=-1)
        slack = limit * (rest + _ROUNDING * reach) + _ROUNDING * numpy.abs(terms).sum(axis=1) + 2.0
        bounds = terms.sum(axis=1) + slack + side / 2 * numpy.maximum(reach - 1.0, 0.0)
        least = numpy.where(numpy.isfinite(bounds), bounds, numpy.inf).min(axis=0)
    lows, highs = numpy.clip(-least[:3], -limit, limit), numpy.clip(least[3:], -limit, limit)
    lox, loy, loz = map(int, numpy.floor(numpy.minimum(lows, highs)))  # in the wrong order: boxes contain both bounds
    hix, hiy, hiz = map(int, numpy.ceil(numpy.maximum(lows, highs)))
    return lox, loy, loz, hix, hiy, hiz


def bins_covered(region: Faces, bin_shift: int) -> int:
    """Return about how many bins a region covers in the plane: how many small queries it is worth."""
    lox, loy, _, hix, hiy, _ = region
    return min(MAX_BINS, ((hix - lox >> bin_shift) + 1) * ((hiy - loy >> bin_shift) + 1))


def _limits(limit: int) -> list[Plane]:
    return [
        (sign * (axis == 0), sign * (axis == 1), sign * (axis == 2), float(limit))
        for axis in range(3)
        for sign in (1, -1)
    ]


@functools.lru_cache
def _triples(count: int) -> numpy.typing.NDArray[numpy.intp]:
    from ecs_collision._numpy import numpy

    return numpy.array(list(itertools.combinations(range(count), 3)))
