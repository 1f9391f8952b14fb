"""The contact of two boxes of which at least one is turned: separating axes and clipping, in float64."""

from __future__ import annotations

from itertools import product

from ecs_collision.shapes.contact.touch import (
    ALONG,
    EDGES_ARE_LESS,
    Touch,
    common_point,
    middle_of,
    middles,
    shortest_way_out,
)
from ecs_collision.shapes.core import Core
from ecs_collision.shapes.vectors import Vector, dot, moved, opposite

MAX_POINTS = 4


def contact_box_oriented_box(a: Core, b: Core, flat: bool) -> Touch:
    """Return the contact of two boxes that overlap.

    The normal is that of a face, or of one edge of each. The face of the other box that looks at that face is cut off
    at its sides; the points are halfway through the overlap there. Two edges have one point.
    """
    normal, depth, is_of_edges = shortest_way_out(a, b, flat)
    points = middles(_outline(a, b, normal, is_of_edges), normal, a, b)
    return Touch(normal, depth, tuple(_spread(points, a, normal) or [common_point(a, b)]))


def middle_of_touch(a: Core, b: Core, normal: Vector) -> Vector:
    """Return the middle of the corners of what two boxes have in common that touch. normal: from the first one on."""
    is_of_edges = max(_facing(a, normal)[1], _facing(b, normal)[1]) < EDGES_ARE_LESS
    outline = _outline(a, b, normal, is_of_edges)
    # Corners of a face that does not lie on the other are farther away along the normal.
    heights = [a.reach(normal) - dot(moved(point, -1.0, a.centre), normal) for point in outline]
    common = [point for point, height in zip(outline, heights, strict=True) if abs(height) <= ALONG]
    return middle_of(common) if common else common_point(a, b)


def _outline(a: Core, b: Core, normal: Vector, is_of_edges: bool) -> list[Vector]:
    """Return the corners of the part of a face that is beside the face of the other, or the point between two edges."""
    inward = opposite(normal)
    if is_of_edges:
        return [_between(_edge(a, normal), _edge(b, inward))]
    if _facing(a, normal)[1] >= _facing(b, inward)[1]:
        return _clipped(_face(b, inward), a, _facing(a, normal)[0])
    return _clipped(_face(a, normal), b, _facing(b, inward)[0])


def _facing(box: Core, normal: Vector) -> tuple[int, float]:
    """Return the axis of a box that is most nearly along a normal, and the cosine of the angle between them."""
    along = [abs(each) for each in box.turned_back(normal)]
    axis = along.index(max(along))
    return axis, along[axis]


def _face(box: Core, normal: Vector) -> list[Vector]:
    """Return the corners of the face that looks along a normal, in order around it."""
    along = box.turned_back(normal)
    facing, _ = _facing(box, normal)
    first, second = (axis for axis in range(3) if axis != facing)
    corners = []
    for sign, other in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)):
        local = [0.0, 0.0, 0.0]
        local[facing] = box.halves[facing] if along[facing] > 0.0 else -box.halves[facing]
        local[first], local[second] = sign * box.halves[first], other * box.halves[second]
        corners.append(moved(box.centre, 1.0, box.turned((local[0], local[1], local[2]))))
    return corners


def _edge(box: Core, normal: Vector) -> Core:
    """Return the edge that is farthest along a normal, which is at a right angle to it."""
    along = box.turned_back(normal)
    axis = min(range(3), key=lambda at: abs(along[at]))
    local, halves = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for at in range(3):
        if at == axis:
            halves[at] = box.halves[at]
        else:
            local[at] = box.halves[at] if along[at] > 0.0 else -box.halves[at]
    centre = moved(box.centre, 1.0, box.turned((local[0], local[1], local[2])))
    return Core(centre, (halves[0], halves[1], halves[2]), box.axes, 0.0)


def _between(a: Core, b: Core) -> Vector:
    """Return the middle between the nearest places of two edges."""
    half = a.half_segment()
    place = moved(a.centre, b.nearest_along(a.centre, half), half)
    return moved(place, -0.5, b.offset_to(place))


def _clipped(polygon: list[Vector], box: Core, facing: int) -> list[Vector]:
    """Return the part of a polygon that lies between the sides of a box beside one of its axes."""
    for axis, sign in product((axis for axis in range(3) if axis != facing), (-1.0, 1.0)):
        inside = [sign * box.local(point)[axis] - box.halves[axis] for point in polygon]
        kept: list[Vector] = []
        for at, point in enumerate(polygon):
            before, previous = inside[at - 1], polygon[at - 1]
            if (before > 0.0) != (inside[at] > 0.0):
                part = before / (before - inside[at])
                kept.append(moved(previous, part, moved(point, -1.0, previous)))
            if inside[at] <= 0.0:
                kept.append(point)
        polygon = kept
    return polygon


def _spread(points: list[Vector], box: Core, normal: Vector) -> list[Vector]:
    """Return up to four of some points: those farthest out in four directions along the face of a box."""
    if len(points) <= MAX_POINTS:
        return points
    facing, _ = _facing(box, normal)
    first, second = (box.axes[axis] for axis in range(3) if axis != facing)
    chosen: list[Vector] = []
    for sign, other in ((1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)):
        outward = moved(moved((0.0, 0.0, 0.0), sign, first), other, second)
        farthest = max((dot(point, outward), point) for point in points)[1]
        if farthest not in chosen:
            chosen.append(farthest)
    return chosen
