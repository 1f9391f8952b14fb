"""The normals of contacts with other parts than boxes, and with groups (rule C4).

Those of plain boxes are found by `Overlaps.normal_code`, which is much faster.
"""

from __future__ import annotations

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import SOLID
from ecs_collision.contacts.overlaps import Overlaps
from ecs_collision.events import DIRECTIONS, Vector
from ecs_collision.shapes.contact import deepest_normal


def normal_of_code(code: int) -> Vector:
    """Return the unit vector of a normal by the code of two boxes."""
    return DIRECTIONS[code >> 1][code & 1]


def contact_normal(bodies: Bodies, overlaps: Overlaps, row: int, name: int) -> Vector:
    """Return the normal from an asking body to one that it is in contact with, of its group the first by id."""
    parts = bodies.parts_if_enabled(row)
    for other in sorted(bodies.group_links.rows_of(name), key=bodies.entity):
        if not (bodies.has(other, SOLID) and overlaps.reports(row, other)):
            continue
        normal = deepest_normal(parts, bodies.parts_if_enabled(other), bodies.columns.are_flat(row, other))
        if normal is not None:
            return normal
    raise AssertionError("a contact began of two bodies that do not meet")
