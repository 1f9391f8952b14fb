"""Sets of boxes to measure on: the same for every library, exact for all of them, and without touching faces.

Lower faces lie on even multiples of 2^-12, upper ones on odd multiples. No box touches another, so libraries that count
touching return the same as those that do not. All coordinates, centres and half extents are exact as float32 up to
2,048, and lie on the lattice of this engine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

Coordinates = NDArray[numpy.float64]

GRAIN = 2.0**-12
DENSITY = {2: 0.375, 3: 0.1875}
"""Boxes per unit of area or volume: with sides of 0.5 to 1.5, each overlaps 1.5 others."""
LARGE = 10.0
"""Factor by which the large boxes of mixed sizes are larger; one box in a hundred is large."""
KINDS = ("uniform", "concentrated", "mixed")


@dataclass(frozen=True, slots=True)
class Boxes:
    """Boxes by their corners, arrays of (count, dims); `side` is the side of the world they lie in."""

    lo: Coordinates
    hi: Coordinates
    side: float

    @property
    def count(self) -> int:
        """The number of boxes."""
        return len(self.lo)

    @property
    def dims(self) -> int:
        """2 or 3."""
        return int(self.lo.shape[1])

    @property
    def centres(self) -> Coordinates:
        """The centre of each box."""
        return (self.lo + self.hi) / 2

    @property
    def halves(self) -> Coordinates:
        """The half extents of each box."""
        return (self.hi - self.lo) / 2

    def in_3d(self) -> Boxes:
        """Return the boxes in 3D: those of 2D lie between -1 and 1 on the third axis."""
        if self.dims == 3:
            return self
        deep = numpy.ones((self.count, 1))
        return Boxes(numpy.hstack([self.lo, -deep]), numpy.hstack([self.hi, deep]), self.side)


def on_grain(lo: Coordinates, hi: Coordinates) -> tuple[Coordinates, Coordinates]:
    """Return corners with lower faces moved to even multiples of the grain, upper ones to odd multiples."""
    below = numpy.floor(lo / (2 * GRAIN)) * (2 * GRAIN)
    above = numpy.floor(hi / (2 * GRAIN)) * (2 * GRAIN) + GRAIN
    return numpy.ascontiguousarray(below), numpy.ascontiguousarray(above)


def boxes(count: int, dims: int, kind: str = "uniform", seed: int = 1) -> Boxes:
    """Return boxes with sides of 0.5 to 1.5: uniform, in a Gaussian blob, or uniform with some larger ones."""
    if kind not in KINDS:
        raise ValueError(f"no kind of boxes {kind!r}; there are {', '.join(KINDS)}")
    rng = numpy.random.default_rng((seed, dims, count))
    side = (count / DENSITY[dims]) ** (1 / dims)
    sizes = rng.uniform(0.5, 1.5, (count, dims))
    if kind == "concentrated":
        spread = side / (8 if dims == 2 else 6)
        centres = numpy.clip(rng.normal(side / 2, spread, (count, dims)), 0, side)
    else:
        centres = rng.uniform(0, side, (count, dims))
    if kind == "mixed":
        sizes[: count // 100] *= LARGE
    return Boxes(*on_grain(centres - sizes / 2, centres + sizes / 2), side)


def query_boxes(world: Boxes, count: int, size: float = 3.0, seed: int = 9) -> Boxes:
    """Return cubes of one size inside the world of some boxes, as regions of queries."""
    rng = numpy.random.default_rng((seed, world.dims, count))
    centres = rng.uniform(0, world.side, (count, world.dims))
    return Boxes(*on_grain(centres - size / 2, centres + size / 2), world.side)


@dataclass(frozen=True, slots=True)
class QueryScene:
    """A world of boxes and the regions to query: for each of `regions`, which boxes of `world` overlap it."""

    world: Boxes
    regions: Boxes

    @property
    def count(self) -> int:
        """The number of boxes in the world."""
        return self.world.count

    @property
    def dims(self) -> int:
        """2 or 3."""
        return self.world.dims


def query_scene(count: int, dims: int, query_count: int) -> QueryScene:
    """Return a uniform world of boxes, and cubes of side 3 to query."""
    world = boxes(count, dims)
    return QueryScene(world, query_boxes(world, query_count))


@dataclass(frozen=True, slots=True)
class PointScene:
    """A world of boxes, and points outside all of them; rays go from each in a direction.

    radius: that of what is cast along them, for a box half its side; the points are farther than that from all boxes.
    """

    world: Boxes
    points: Coordinates
    directions: Coordinates
    radius: float = 0.0

    @property
    def count(self) -> int:
        """The number of boxes in the world."""
        return self.world.count

    @property
    def dims(self) -> int:
        """2 or 3."""
        return self.world.dims

    @property
    def ends(self) -> Coordinates:
        """The ends of the rays."""
        return self.points + self.directions

    def in_3d(self) -> PointScene:
        """Return the scene in 3D: points and directions of 2D have 0 on the third axis."""
        if self.dims == 3:
            return self
        flat = numpy.zeros((len(self.points), 1))
        points, directions = numpy.hstack([self.points, flat]), numpy.hstack([self.directions, flat])
        return PointScene(self.world.in_3d(), points, directions, self.radius)


def point_scene(
    count: int, dims: int, point_count: int, seed: int = 4, *, length: float | None = None, radius: float = 0.0
) -> PointScene:
    """Return a uniform world of boxes, points between them, and directions of a length, by default its side."""
    world, rng = boxes(count, dims), numpy.random.default_rng((seed, dims, count))
    points = numpy.empty((0, dims))
    while len(points) < point_count:
        found = numpy.floor(rng.uniform(0, world.side, (point_count, dims)) / GRAIN) * GRAIN
        points = numpy.concatenate([points, found[~_inside_any(world, found, radius)]])
    ways = rng.normal(size=(point_count, dims))
    ways *= (world.side if length is None else length) / numpy.linalg.norm(ways, axis=1, keepdims=True)
    return PointScene(world, points[:point_count], numpy.floor(ways / GRAIN) * GRAIN, radius)


def _inside_any(world: Boxes, points: Coordinates, margin: float) -> NDArray[numpy.bool_]:
    """Return which points are in a box that is grown by a margin, faces included."""
    lo, hi = world.lo - margin, world.hi + margin
    inside: NDArray[numpy.bool_] = numpy.array(
        [((lo <= point) & (point <= hi)).all(axis=1).any() for point in points], bool
    )
    return inside
