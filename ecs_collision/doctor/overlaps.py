"""Solid bodies inside each other (P9, I6)."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ENABLED, SOLID, STATIC
from ecs_collision.bodies.filters import may_meet
from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed
from ecs_collision.query.contact import overlap_text
from ecs_collision.settings import BLOCK_DEEPER, LEAVE

MAX_PAIRS = 1000
"""Number of overlapping pairs after which the search ends; a crowd in one place has the square of its bodies."""

_EFFECTS = {
    LEAVE: "they pass through each other until they are apart",
    BLOCK_DEEPER: "they can only be moved apart",
}
_REMEDY = "move one of them, or take its layer out of the other's mask"


def overlapping_solids(world: Observed) -> Iterator[Finding]:
    """Yield the pairs of solid bodies that block each other and overlap, with the shortest way apart."""
    bodies = world.bodies
    for a, b in _pairs(world):
        rows = bodies.row_of[a], bodies.row_of[b]
        if all(bodies.has(row, STATIC) for row in rows):
            effect = "both are Static, so it matters only if one is there twice; remove one, or move it"
        elif not bodies.moving_rows.isdisjoint(rows):
            effect = f"a step of dynamics moves them apart (I6); {_REMEDY}"
        else:
            effect = f"{_EFFECTS[world.settings.overlap_policy]} (P9); {_REMEDY}"
        text = f"solid bodies overlap by {overlap_text(bodies, *rows)}: {effect}"
        yield Finding("overlap", (a, b), text, f"{a} {b}")


def _pairs(world: Observed) -> Iterator[tuple[int, int]]:
    bodies, count = world.bodies, 0
    for row in world.rows:
        if not (bodies.has(row, SOLID) and bodies.has(row, ENABLED)):
            continue
        entity, own = bodies.entity(row), bodies.filters.of(bodies.columns.classes[row])
        for other in world.space.overlapping(entity):
            other_row = bodies.row_of[other]
            if other <= entity or bodies.columns.passes(row, other_row):
                continue
            if _is_built_so(bodies, row, other_row):
                continue
            if may_meet(own, bodies.filters.of(bodies.columns.classes[other_row])):
                yield entity, other
                count += 1
                if count == MAX_PAIRS:
                    return


def _is_built_so(bodies: Bodies, row: int, other: int) -> bool:
    """Return whether a turned Static body is sunk into another, as ramps are; not if it is there twice."""
    if not (bodies.has(row, STATIC) and bodies.has(other, STATIC)) or bodies.position(row) == bodies.position(other):
        return False
    return any(part.matrix is not None for each in (row, other) for part in bodies.forms[each].all_parts)
