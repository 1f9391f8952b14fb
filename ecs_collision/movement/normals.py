"""The normal between two bodies that touch, or almost: what a mover slides along (M3, M4).

Turned parts stop within a few steps of the lattice of each other (P2), so the parts are moved on by a little more along
the axis of the motion, and the pair that meets first says how. Boxes parallel to the axes need none of this: their
normal is the axis.
"""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.bodies import Bodies
from ecs_collision.components import Vector
from ecs_collision.shapes.bounds import Shape
from ecs_collision.shapes.meeting import meeting
from ecs_collision.shapes.overlap import PlacedPart
from ecs_collision.shapes.ray_entry import INSIDE

REACH = 16
"""How far parts are moved on, in units."""

Units = tuple[int, int, int]


def normal_between(bodies: Bodies, row: int, other: int, offsets: dict[int, Units], axis: int, sign: int) -> Vector:
    """Return the normal at which a body, or its group, meets another along an axis; it points to the first one.

    offsets: by how much rows are displaced from their positions, in units. The axis if no parts meet.
    """
    way: Units = tuple([sign * REACH if each == axis else 0 for each in range(3)])  # type: ignore[assignment]
    first: tuple[float, Vector] | None = None
    others = list(_placed(bodies, other, offsets))
    for mine in _placed(bodies, row, offsets):
        for theirs in others:
            found = _meeting(mine, theirs, way, axis, sign)
            if found is not None and (first is None or found[0] < first[0]):
                first = found
    return axis_normal(axis, sign) if first is None else first[1]


def axis_normal(axis: int, sign: int) -> Vector:
    """Return the normal of a face that stops a motion along an axis."""
    x, y, z = [float(-sign) if each == axis else 0.0 for each in range(3)]
    return (x, y, z)


def _meeting(mine: PlacedPart, theirs: PlacedPart, way: Units, axis: int, sign: int) -> tuple[float, Vector] | None:
    if mine.radius or theirs.radius or mine.is_turned or theirs.is_turned:
        met = meeting(mine, way, theirs)
        if met is None:
            return None
        return (0.0, axis_normal(axis, sign)) if met[0] == INSIDE else (met[0][0] / met[0][1], met[1])
    lows, highs = (mine.lox, mine.loy, mine.loz), (mine.hix, mine.hiy, mine.hiz)
    their_lows, their_highs = (theirs.lox, theirs.loy, theirs.loz), (theirs.hix, theirs.hiy, theirs.hiz)
    if any(lows[a] >= their_highs[a] or their_lows[a] >= highs[a] for a in range(3) if a != axis):
        return None
    gap = their_lows[axis] - highs[axis] if sign > 0 else lows[axis] - their_highs[axis]
    return (gap / REACH, axis_normal(axis, sign)) if 0 <= gap <= REACH else None


def _placed(bodies: Bodies, row: int, offsets: dict[int, Units]) -> Iterator[PlacedPart]:
    """Yield the parts of a body and of its group where they are now."""
    for member in bodies.group_links.rows_of(row):
        x, y, z = bodies.position(member)
        dx, dy, dz = offsets.get(member, (0, 0, 0))
        form = bodies.forms[member]
        shape = form.shape or Shape(form.all_parts)
        for number in range(shape.count):
            part = PlacedPart()
            part.set_part(shape, number, x + dx, y + dy, z + dz)
            yield part
