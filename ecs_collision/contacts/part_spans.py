"""Where two parts overlap while one moves along an axis, for swept triggers (rules T4 and H5).

Positions on the path are whole numbers, so it is enough to know between which of them an overlap begins or ends:
exactly there if it begins at a whole number, else half a unit beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from ecs_collision.shapes.meeting import meeting
from ecs_collision.shapes.overlap import separation
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.placed import placed

Span = tuple[int, int]
"""An open interval of the path, in half units."""


def part_spans(moving: Iterable[Part], still: Iterable[Part], axis: int, by: int, touching: bool) -> list[Span]:
    """Return the intervals of the path on which any two parts meet, as `crossings` has them for boxes."""
    spans = [_span(a, b, axis, by, touching) for a in moving for b in still]
    return [span for span in spans if span is not None]


def parts_touch(some: Iterable[Part], others: Iterable[Part]) -> bool:
    """Return whether any two parts touch."""
    return any(_separation(a, b) == 1 for a in some for b in others)


def _separation(a: Part, b: Part) -> int:
    return int(separation(placed(a), placed(b)))


def _span(a: Part, b: Part, axis: int, by: int, touching: bool) -> Span | None:
    if a.matrix is not None or b.matrix is not None:
        return _turned_span(a, b, axis, by)
    radius = a.radius + b.radius
    square = radius * radius  # of how far the surfaces reach beyond the cores along the axis
    touch_count = 0
    for across in range(3):
        if across == axis:
            continue
        gap = max(b.core[across] - a.core[across + 3], a.core[across] - b.core[across + 3])
        square -= max(gap, 0) ** 2
        touch_count += gap == 0 and radius == 0
    if square < 0 or touch_count > touching:
        return None
    if by > 0:
        start, end = b.core[axis] - a.core[axis + 3], b.core[axis + 3] - a.core[axis]
    else:
        start, end = a.core[axis] - b.core[axis + 3], a.core[axis + 3] - b.core[axis]
    reach = math.isqrt(square)
    if reach * reach != square:  # the overlap begins between two positions
        return 2 * (start - reach) - 1, 2 * (end + reach) + 1
    start, end = 2 * (start - reach), 2 * (end + reach)
    if touching and touch_count == 0:
        start, end = start - 1, end + 1
    elif radius and not square:
        return None  # it only touches
    return (start, end) if start < end else None


def _turned_span(a: Part, b: Part, axis: int, by: int) -> Span | None:
    """Return the interval of two parts of which one is turned. They overlap on one stretch, since both are convex."""
    length, sign = abs(by), 1 if by > 0 else -1
    step = [0, 0, 0]
    step[axis] = sign

    def overlap(at: int) -> bool:
        return _separation(a.shifted(step[0] * at, step[1] * at, step[2] * at), b) == 0

    inside = 0 if overlap(0) else length if overlap(length) else _first_inside(a, b, axis, by, overlap)
    if inside is None:
        return None
    first = _last_true(overlap, inside, 0)
    last = _last_true(overlap, inside, length)
    return 2 * first - 1, 2 * last + 1


def _first_inside(a: Part, b: Part, axis: int, by: int, overlap: Callable[[int], bool]) -> int | None:
    """Return a position at which the parts overlap, None if there is none, or none of whole units."""
    displacement = [0, 0, 0]
    displacement[axis] = by
    met = meeting(placed(a), (displacement[0], displacement[1], displacement[2]), placed(b))
    if met is None:
        return None
    (when, parts), _ = met
    near = when * abs(by) // parts
    return next((at for at in range(near, near + 3) if 0 <= at <= abs(by) and overlap(at)), None)


def _last_true(overlap: Callable[[int], bool], inside: int, towards: int) -> int:
    """Return the last position from one inside towards another at which the parts overlap."""
    if overlap(towards):
        return towards
    outside = towards
    while abs(outside - inside) > 1:
        middle = (outside + inside) // 2
        if overlap(middle):
            inside = middle
        else:
            outside = middle
    return inside
