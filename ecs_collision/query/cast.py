"""Finds the first body that a moving box meets. Exact, by comparing fractions of whole numbers.

On each axis two boxes overlap during one interval of the displacement. They meet when the last of the three intervals
begins, if none has ended by then. Sliding along a face or past an edge is not a hit.

The displacement is searched in sections of growing length, so the cost depends on the distance of the first body and
not on the length of the displacement. Not taken: floats with a tolerance (a hit could be missed, or found on one
machine only).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ecs_collision.events import DIRECTIONS, Vector
from ecs_collision.fixed_point import LATTICE

Faces = tuple[int, int, int, int, int, int]
Displacement = tuple[int, int, int]
BoxesNear = Callable[[Faces], Iterable[tuple[int, Faces]]]

FIRST_SECTION = 8
"""Length of the first section that is searched, in bins. Each further section ends four times as far."""


@dataclass(frozen=True, slots=True)
class CastHit:
    """The first body that a moving box would meet, and where on its way.

    `fraction` is the part of the displacement up to there, from 0 to 1, and `distance` its length in world units.

    `normal` has length 1 and points from the body that is met to the moving box: if they meet on several axes at once,
    along x before y before z. It is (0, 0, 0) if they overlap from the start.
    """

    entity: int
    fraction: float
    distance: float
    normal: Vector


@dataclass(frozen=True, slots=True, order=True)
class _Hit:
    when: Fraction
    entity: int
    axis: int


def first_hit(
    boxes: Sequence[Faces],
    displacement: Displacement,
    boxes_near: BoxesNear,
    bin_shift: int,
    where: Callable[[int], object] | None = None,
) -> CastHit | None:
    """Return the first body that any of the boxes meets, the one with the lowest id among equals.

    `boxes_near` yields (entity, faces) of the boxes that may meet a region. where: a condition on entities.
    """
    longest = max(map(abs, displacement))
    for begin, end in _sections(longest, FIRST_SECTION << bin_shift):
        limit = Fraction(end, longest) if longest else Fraction(0)
        hits = [
            hit
            for box in boxes
            for entity, other in boxes_near(_swept_region(box, displacement, begin, end, longest))
            if (hit := _hit_of(box, other, displacement, entity)) is not None and hit.when <= limit
        ]
        first = next((hit for hit in sorted(hits) if where is None or where(hit.entity)), None)
        if first is not None:
            return _report(first, displacement)
    return None


def _sections(length: int, first: int) -> Iterator[tuple[int, int]]:
    begin, end = 0, first
    while end < length:
        yield begin, end
        begin, end = end, 4 * end
    yield begin, length


def _swept_region(box: Faces, displacement: Displacement, begin: int, end: int, longest: int) -> Faces:
    """Return the region covered while the longest axis moves from begin to end, rounded outward."""
    parts = max(1, longest)
    lows = [min(step * begin // parts, step * end // parts) for step in displacement]
    highs = [max(-(-step * begin // parts), -(-step * end // parts)) for step in displacement]
    return (
        box[0] + lows[0],
        box[1] + lows[1],
        box[2] + lows[2],
        box[3] + highs[0],
        box[4] + highs[1],
        box[5] + highs[2],
    )


def _hit_of(box: Faces, other: Faces, displacement: Displacement, entity: int) -> _Hit | None:
    """Return when and on which axis a moving box meets another, or None if it does not."""
    spans: list[tuple[Fraction, Fraction, int]] = []
    for at, step in enumerate(displacement):
        ahead, behind = other[at] - box[at + 3], other[at + 3] - box[at]  # negative and positive while they overlap
        if step == 0:
            if ahead >= 0 or behind <= 0:
                return None
            continue
        starts, ends = sorted((Fraction(ahead, step), Fraction(behind, step)))
        spans.append((starts, ends, at))
    if not spans:
        return _Hit(Fraction(0), entity, -1)
    begin, end = max(span[0] for span in spans), min(span[1] for span in spans)
    if begin > 1 or not ((begin < end and end > 0) or _thin_boxes_meet(spans, begin, end)):
        return None
    if begin < 0:
        return _Hit(Fraction(0), entity, -1)
    return _Hit(begin, entity, next(at for starts, _, at in spans if starts == begin))


def _thin_boxes_meet(spans: list[tuple[Fraction, Fraction, int]], begin: Fraction, end: Fraction) -> bool:
    """Return whether two boxes without thickness meet face to face: at one instant, inside on the other axes."""
    return begin == end >= 0 and sum(starts < begin < ends for starts, ends, _ in spans) == len(spans) - 1


def _report(hit: _Hit, displacement: Displacement) -> CastHit:
    length = math.sqrt(
        displacement[0] * displacement[0] + displacement[1] * displacement[1] + displacement[2] * displacement[2]
    )
    if sum(map(bool, displacement)) == 1:  # along an axis the distance is a whole number of lattice steps
        length = abs(sum(displacement))
        distance = float(hit.when * abs(sum(displacement))) * LATTICE
    else:
        distance = float(hit.when) * length * LATTICE
    normal = DIRECTIONS[hit.axis][displacement[hit.axis] > 0] if hit.axis >= 0 else (0.0, 0.0, 0.0)
    return CastHit(hit.entity, float(hit.when), distance, normal)
