"""Contacts of bodies as shapes: those that frames report (rules C) and those of steps of dynamics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ecs_collision.bodies.columns import ASKS
from ecs_collision.drawing import Drawn, Line, Polygon
from ecs_collision.shapes.contact import deepest_contact
from ecs_collision.shapes.part import Part
from ecs_collision.world import CollisionWorld

_MARGIN = 1024
"""How much parts grow, in lattice units, so that touching bodies overlap in points."""


def contact_shapes(world: CollisionWorld, entities: Iterable[int], mark: float) -> Iterator[Drawn]:
    """Yield the points of the contacts of some bodies, and their normals with the length `mark`."""
    bodies = world._bodies
    for entity, other in sorted(_pairs(world, set(entities))):
        row, other_row = bodies.row_of[entity], bodies.row_of[other]
        is_flat = bodies.columns.are_flat(row, other_row)
        contact = deepest_contact(_grown(world, row), _grown(world, other_row), is_flat)
        if contact is None:
            continue
        for x, y, _ in contact.points[:2]:
            yield Polygon("contact", ((x, y),), 0.15 * mark)
            yield Line("contact", (x, y), (x + mark * contact.normal[0], y + mark * contact.normal[1]), True)


def _pairs(world: CollisionWorld, entities: set[int]) -> set[tuple[int, int]]:
    """Return pairs in contact of which one is among some bodies; the one that asks, or the lower id, comes first."""
    bodies, step, found = world._bodies, world._step, set[tuple[int, int]]()
    if bodies.asking_count:
        for entity in entities:
            row = bodies.row_of[entity]
            if bodies.has(row, ASKS):
                found |= {(entity, other) for other in step.triggers.in_contact(row) if (other, entity) not in found}
    kept = step.dynamics.kept
    for first, second in kept.pairs() | step.dynamics.asleep.pairs():
        if (first in entities or second in entities) and first in bodies.row_of and second in bodies.row_of:
            found |= {(first, second)} - {(b, a) for a, b in found}
    return found


def _grown(world: CollisionWorld, row: int) -> list[Part]:
    return [part._replace(radius=part.radius + _MARGIN) for part in world._bodies.parts_if_enabled(row)]
