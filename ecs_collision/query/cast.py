"""Finds the first body that a moving shape meets. Exact where the shapes are parallel to the axes (rule H8).

On each axis two boxes overlap during one interval of the displacement. They meet when the last of the three intervals
begins, if none has ended by then. Sliding along a face or past an edge is not a hit. Times are fractions of whole
numbers. Those of round and turned parts are rounded down (`shapes.meeting`).

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
from ecs_collision.shapes.bounds import bounds_of
from ecs_collision.shapes.meeting import meeting
from ecs_collision.shapes.part import Faces, Part
from ecs_collision.shapes.placed import PlacedPart, placed
from ecs_collision.shapes.ray_entry import INSIDE

Displacement = tuple[int, int, int]
PartsNear = Callable[[Faces], Iterable[tuple[int, Faces, PlacedPart | None]]]

FIRST_SECTION = 8
"""Length of the first section that is searched, in bins. Each further section ends four times as far."""

_OF_NO_AXIS = 3


@dataclass(frozen=True, slots=True)
class CastHit:
    """The first body that a moving shape would meet, and where on its way.

    `fraction` is how much of the displacement is free, from 0 to 1, and `distance` is the length of this part in world
    units. `normal` has length 1 and points from the body that is met to the moving shape. If boxes meet on several axes
    at once, x comes before y, and y before z. The normal is (0, 0, 0) if they overlap from the start.
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
    normal: Vector


def first_hit(
    parts: Sequence[Part],
    displacement: Displacement,
    parts_near: PartsNear,
    bin_shift: int,
    where: Callable[[int], object] | None = None,
) -> CastHit | None:
    """Return the first body that any of the parts meets, the one with the lowest id among equals.

    `parts_near` yields (entity, bounds, part) of what may meet a region, and None for a part that is its bounds. where:
    a condition on entities.
    """
    longest = max(map(abs, displacement))
    moving = [(bounds_of(part), None if _is_box(part) else placed(part)) for part in parts]
    for begin, end in _sections(longest, FIRST_SECTION << bin_shift):
        limit = Fraction(end, longest) if longest else Fraction(0)
        hits = [
            hit
            for box, part in moving
            for entity, other, other_part in parts_near(_swept_region(box, displacement, begin, end, longest))
            if (hit := _hit(box, part, other, other_part, displacement, entity)) is not None and hit.when <= limit
        ]
        first = next((hit for hit in sorted(hits) if where is None or where(hit.entity)), None)
        if first is not None:
            return _report(first, displacement)
    return None


def _is_box(part: Part) -> bool:
    return part.radius == 0 and part.matrix is None


def _hit(
    box: Faces,
    part: PlacedPart | None,
    other: Faces,
    other_part: PlacedPart | None,
    displacement: Displacement,
    entity: int,
) -> _Hit | None:
    """Return when a moving part meets another, or None if it does not. A part that is None is the box."""
    if other_part is not None and other_part.radius == 0 and not other_part.is_turned:
        other_part = None
    if part is None and other_part is None:
        return _hit_of(box, other, displacement, entity)
    met = meeting(part or placed(Part(box)), displacement, other_part or placed(Part(other)))
    if met is None:
        return None
    if met[0] == INSIDE:
        return _inside(entity)
    return _Hit(Fraction(*met[0]), entity, _OF_NO_AXIS, met[1])


def _inside(entity: int) -> _Hit:
    return _Hit(Fraction(0), entity, -1, (0.0, 0.0, 0.0))


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
        return _inside(entity)
    begin, end = max(span[0] for span in spans), min(span[1] for span in spans)
    if begin > 1 or not ((begin < end and end > 0) or _thin_boxes_meet(spans, begin, end)):
        return None
    if begin < 0:
        return _inside(entity)
    axis = next(at for starts, _, at in spans if starts == begin)
    return _Hit(begin, entity, axis, DIRECTIONS[axis][displacement[axis] > 0])


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
    return CastHit(hit.entity, float(hit.when), distance, hit.normal)
