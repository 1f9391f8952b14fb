"""The contact of two parts, by their kinds, in world units (rule H9)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ecs_collision.fixed_point import LATTICE
from ecs_collision.shapes.contact.contact_box_box import contact_box_box
from ecs_collision.shapes.contact.contact_box_oriented_box import contact_box_oriented_box, middle_of_touch
from ecs_collision.shapes.contact.contact_round_part import contact_round_part, normal_round_part
from ecs_collision.shapes.contact.touch import ALONG, Touch, middle_of, shortest_way_out
from ecs_collision.shapes.core import Core
from ecs_collision.shapes.overlap import PlacedPart, placed, separation
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.vectors import Vector, moved, opposite


@dataclass(frozen=True, slots=True)
class ContactManifold:
    """How two bodies overlap.

    `normal` has length 1 and points from the first to the second. If the second moves by `depth` along it, in world
    units, the two parts that overlapped deepest no longer do. `points` are up to four places that lie in both parts.
    """

    normal: Vector
    depth: float
    points: tuple[Vector, ...]

    def reversed(self) -> ContactManifold:
        """Return the same contact as seen from the second body."""
        return ContactManifold(opposite(self.normal), self.depth, self.points)


def contact_of(part: Part, other: Part, flat: bool = False) -> ContactManifold | None:
    """Return the contact of two parts in the world, None if they do not overlap.

    flat: nothing moves along z (2D): the normal and all points have z = 0.
    """
    a, b = placed(part), placed(other)
    if separation(a, b) != 0:
        return None
    touch = touch_of(a, b, flat)
    points = sorted({_in_world(a, point, flat) for point in touch.points})
    return ContactManifold(touch.normal, touch.depth * LATTICE, tuple(points))


def deepest_contact(parts: Iterable[Part], others: Sequence[Part], flat: bool = False) -> ContactManifold | None:
    """Return the contact of the parts of two bodies that overlap deepest, the first of equal ones; None for none."""
    contacts = [contact_of(part, other, flat) for part in parts for other in others]
    return max((contact for contact in contacts if contact), key=lambda contact: contact.depth, default=None)


def deepest_normal(parts: Iterable[Part], others: Iterable[Part], flat: bool = False) -> Vector | None:
    """Return the normal of the contact of two bodies, also if they only touch, which is a depth of 0; None for none.

    It does not compute the points of the contact, which take most of the time.
    """
    best, deepest = None, -math.inf
    theirs = [placed(other) for other in others]
    for a in map(placed, parts):
        for b in theirs:
            if separation(a, b) <= 1:
                normal, depth = _normal_and_depth(a, b, flat)
                if depth > deepest:
                    best, deepest = normal, depth
    return best


def normal_of(a: PlacedPart, b: PlacedPart, flat: bool) -> Vector:
    """Return the normal of two parts that overlap (H9)."""
    return _normal_and_depth(a, b, flat)[0]


def _normal_and_depth(a: PlacedPart, b: PlacedPart, flat: bool) -> tuple[Vector, float]:
    """Return the normal and the depth of two parts that overlap or touch, those of `touch_of`."""
    if a.radius == 0 and b.radius == 0:
        if a.is_turned or b.is_turned:
            return shortest_way_out(Core.of(a, a), Core.of(b, a), flat)[:2]
        return contact_box_box(a, b, flat)[:2]
    if a.radius > 0:
        return normal_round_part(Core.of(a, a), Core.of(b, a), flat)[:2]
    normal, depth, _ = normal_round_part(Core.of(b, a), Core.of(a, a), flat)
    return opposite(normal), depth


def point_of_meeting(
    a: PlacedPart, displacement: tuple[int, int, int], b: PlacedPart, time: float, normal: Vector
) -> Vector:
    """Return where two parts touch after a part of a displacement of the first, in world units (H8).

    One of them is turned. The normal points to the first; if it is (0, 0, 0), they overlap and the point is in both.
    """
    core, other = Core.of(a, a)._replace(centre=moved((0.0, 0.0, 0.0), time, displacement)), Core.of(b, a)
    if any(normal) and core.radius == other.radius == 0.0:
        return _in_world(a, middle_of_touch(core, other, opposite(normal)), flat=False)
    # Grown by more than rounding errors, a capsule that lies on a part touches it with both ends.
    if core.radius > 0.0:
        core = core._replace(radius=core.radius + ALONG)
    elif other.radius > 0.0:
        other = other._replace(radius=other.radius + ALONG)
    return _in_world(a, middle_of(_touch_of_cores(core, other, flat=False).points), flat=False)


def touch_of(a: PlacedPart, b: PlacedPart, flat: bool) -> Touch:
    """Return the contact of two parts that overlap, in lattice units."""
    if a.radius == 0 and b.radius == 0 and not (a.is_turned or b.is_turned):
        return contact_box_box(a, b, flat)
    return _touch_of_cores(Core.of(a, a), Core.of(b, a), flat)


def _touch_of_cores(a: Core, b: Core, flat: bool) -> Touch:
    if a.radius > 0:
        return contact_round_part(a, b, flat)
    if b.radius > 0:
        return contact_round_part(b, a, flat).reversed()
    return contact_box_oriented_box(a, b, flat)


def _in_world(a: PlacedPart, point: Vector, flat: bool) -> Vector:
    """Return a point relative to the centre of a part in world units."""
    return (
        (a.lox + a.hix) / 2 * LATTICE + point[0] * LATTICE,
        (a.loy + a.hiy) / 2 * LATTICE + point[1] * LATTICE,
        0.0 if flat else (a.loz + a.hiz) / 2 * LATTICE + point[2] * LATTICE,
    )
