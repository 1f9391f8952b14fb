"""The bodies nearest to a point, and those within a circle or sphere (rules Q4 and Q5)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

from ecs_collision._event_builder import build_events
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE, finite, to_units

Vector = tuple[float, float, float]
Gaps = tuple[int, int, int, int]
"""An entity, and the gaps between a point and a box of it on each axis, in lattice units."""
Place = tuple[int, int, int]

FIRST_RADIUS = 2
"""How far the first search looks, in bins. Each further one looks twice as far."""

_FARTHEST = int(4 * MAX_COORDINATE / LATTICE)
"""No box is farther from a point than this, in lattice units."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """A body near a point.

    `distance` is that of its nearest box, in world units, 0 inside a box. It is rounded only if more than one axis
    counts.
    """

    entity: int
    distance: float


def nearest_of(
    within: Callable[[int], list[Gaps]], includes: Callable[[int], object] | None, k: int, limit: float, bin_shift: int
) -> list[Nearest]:
    """Return the `k` nearest bodies up to a distance, by distance and then by id.

    `within` returns the boxes within a radius, and possibly some that are farther away.
    """
    reach = _FARTHEST if limit == math.inf else min(_FARTHEST, math.floor(limit / LATTICE) + 1)
    radius = min(FIRST_RADIUS << bin_shift, reach)
    answers: dict[int, object] = {}
    while True:
        square = radius * radius
        near: dict[int, int] = {}  # the square of the distance of each body, nearest first
        for away, entity in sorted([(_square(gaps), gaps[0]) for gaps in within(radius)]):
            if away <= square and entity not in near:
                if includes is not None and entity not in answers:
                    answers[entity] = includes(entity)
                if includes is None or answers[entity]:
                    near[entity] = away
        if len(near) >= k or radius == reach:
            break
        radius = min(reach, 2 * radius)
    hits = [(entity, math.sqrt(away) * LATTICE) for entity, away in itertools.islice(near.items(), k)]
    return [build_events(Nearest, entity, ((away,),))[0] for entity, away in hits if away <= limit]


def inside_circle(found: list[Gaps], radius: int) -> list[int]:
    """Return the entities of boxes closer than a radius, sorted."""
    return sorted({each[0] for each in found if _square(each) < radius * radius})


def _square(gaps: Gaps) -> int:
    _, x, y, z = gaps
    return x * x + y * y + z * z


def radius_of(radius: object) -> int:
    """Return a radius in lattice units; raises an error if it is negative or too large."""
    return to_units(finite(radius, "radius", minimum=0.0))
