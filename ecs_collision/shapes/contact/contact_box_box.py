"""The contact of two boxes parallel to the axes, in whole numbers."""

from __future__ import annotations

from itertools import product

from ecs_collision.shapes.contact.touch import Touch
from ecs_collision.shapes.core import AXES
from ecs_collision.shapes.overlap import PlacedPart, box_depth, box_side
from ecs_collision.shapes.vectors import opposite


def contact_box_box(a: PlacedPart, b: PlacedPart, flat: bool) -> Touch:
    """Return the contact of two boxes that overlap.

    The points are the corners of the overlap, halfway along the normal.
    """
    low_a, high_a = (a.lox, a.loy, a.loz), (a.hix, a.hiy, a.hiz)
    low_b, high_b = (b.lox, b.loy, b.loz), (b.hix, b.hiy, b.hiz)
    side = box_side(a, b, 2 if flat else 3)
    axis, is_back = side >> 1, side & 1
    # Doubled, as seen from the centre of a.
    centre = [low + high for low, high in zip(low_a, high_a, strict=True)]
    sides = [
        (2 * max(low_a[at], low_b[at]) - centre[at], 2 * min(high_a[at], high_b[at]) - centre[at]) for at in range(3)
    ]
    sides[axis] = (sum(sides[axis]) // 2,) * 2
    points = tuple((x / 2, y / 2, z / 2) for x, y, z in product(*map(set, sides)))
    return Touch(opposite(AXES[axis]) if is_back else AXES[axis], float(box_depth(a, b, side)), points)
