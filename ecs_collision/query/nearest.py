"""The bodies nearest to a point, and those within a circle or sphere (rules Q4, Q5 and H7)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

from ecs_collision._event_builder import build_event
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE, finite, to_units

Vector = tuple[float, float, float]
Gaps = tuple[int, int, int, int]
"""An entity, and the gaps between a point and a box of it on each axis, in lattice units."""
Distance = tuple[int, int]
"""An entity, and the `surface_distance` of a part of it."""
Found = tuple[list[Gaps], list[Distance]]
"""The boxes and the other parts near a point."""
Place = tuple[int, int, int]

FIRST_RADIUS = 2
"""How far the first search looks, in bins. Each further one looks twice as far."""

SCALE = 1 << 64
"""Distances to round parts are compared in this part of a lattice unit."""

_FARTHEST = int(4 * MAX_COORDINATE / LATTICE)
"""No box is farther from a point than this, in lattice units."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """A body near a point.

    `distance` is from the point to the nearest part of the body, in world units, 0 inside. To a box it is exact if it
    is along an axis, and otherwise rounded.
    """

    entity: int
    distance: float


def nearest_of(
    within: Callable[[int], Found], includes: Callable[[int], object] | None, k: int, limit: float, bin_shift: int
) -> list[Nearest]:
    """Return the `k` nearest bodies up to a distance, by distance and then by id.

    `within` returns the parts within a radius, and possibly some that are farther away. The squares of distances to
    boxes are compared; if there are other parts, `surface_distance` of all.
    """
    reach = _FARTHEST if limit == math.inf else min(_FARTHEST, math.floor(limit / LATTICE) + 1)
    radius = min(FIRST_RADIUS << bin_shift, reach)
    answers: dict[int, object] = {}
    while True:
        boxes, parts = within(radius)
        reached = radius * SCALE if parts else radius * radius
        squares = [(_square(gaps), gaps[0]) for gaps in boxes]
        distances = [(_root(square) if parts else square, entity, math.sqrt(square)) for square, entity in squares]
        distances += [(away, entity, away / SCALE) for entity, away in parts]
        near: dict[int, float] = {}  # the distance of each body, nearest first
        for key, entity, away in sorted(distances):
            if key <= reached and entity not in near:
                if includes is not None and entity not in answers:
                    answers[entity] = includes(entity)
                if includes is None or answers[entity]:
                    near[entity] = away
        if len(near) >= k or radius == reach:
            break
        radius = min(reach, 2 * radius)
    hits = [(entity, away * LATTICE) for entity, away in itertools.islice(near.items(), k)]
    return [build_event(Nearest, hit) for hit in hits if hit[1] <= limit]


def inside_circle(found: Found, radius: int) -> list[int]:
    """Return the entities of parts closer than a radius, sorted."""
    boxes, parts = found
    entities = {each[0] for each in boxes if _square(each) < radius * radius}
    entities.update(entity for entity, away in parts if away < radius * SCALE)
    return sorted(entities)


def surface_distance(x: int, y: int, z: int, radius: int = 0) -> int:
    """Return the distance to the surface around a core, rounded down to 1 / SCALE lattice units; 0 inside (H7).

    x, y, z: the gaps to the core, in lattice units.
    """
    return max(0, _root(x * x + y * y + z * z) - radius * SCALE)


def _root(square: int) -> int:
    return math.isqrt(square * SCALE * SCALE)


def _square(gaps: Gaps) -> int:
    _, x, y, z = gaps
    return x * x + y * y + z * z


def radius_of(radius: object) -> int:
    """Return a radius in lattice units; raises an error if it is negative or too large."""
    return to_units(finite(radius, "radius", minimum=0.0))
