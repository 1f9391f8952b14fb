"""Solid bodies inside each other (P9, I6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ecs_collision.bodies.columns import ENABLED, SOLID, STATIC
from ecs_collision.bodies.filters import may_meet
from ecs_collision.components import Faces
from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed
from ecs_collision.fixed_point import AXES, LATTICE
from ecs_collision.query.contact import contact_between
from ecs_collision.settings import BLOCK_DEEPER, LEAVE

MAX_PAIRS = 1000
"""Number of overlapping pairs after which the search ends; a crowd in one place has the square of its bodies."""

_EFFECTS = {
    LEAVE: "they pass through each other until they are apart",
    BLOCK_DEEPER: "they can only be moved apart",
}
_REMEDY = "move one of them, or take its layer out of the other's mask"


def overlapping_solids(world: Observed) -> Iterator[Finding]:
    """Yield the pairs of solid bodies that block each other and overlap, with the shortest way apart.

    Bodies that move by themselves lie and roll with their true shapes, so the boxes around them may overlap.
    """
    bodies = world.bodies
    for a, b in _pairs(world):
        rows = bodies.row_of[a], bodies.row_of[b]
        axes = 2 if bodies.columns.are_flat(*rows) else 3
        depth, axis = _depth(bodies.outer_boxes(rows[0]), bodies.outer_boxes(rows[1]), axes)
        if all(bodies.has(row, STATIC) for row in rows):
            effect = "both are Static, so it matters only if one is there twice; remove one, or move it"
        elif not bodies.moving_rows.isdisjoint(rows):
            if contact_between(bodies, *rows) is None:
                continue
            effect = f"a step of dynamics moves them apart (I6); {_REMEDY}"
        else:
            effect = f"{_EFFECTS[world.settings.overlap_policy]} (P9); {_REMEDY}"
        yield Finding(
            "overlap", (a, b), f"solid bodies overlap by {depth * LATTICE:g} on {AXES[axis]}: {effect}", f"{a} {b}"
        )


def _pairs(world: Observed) -> Iterator[tuple[int, int]]:
    bodies, count = world.bodies, 0
    for row in world.rows:
        if not (bodies.has(row, SOLID) and bodies.has(row, ENABLED)):
            continue
        entity, own = bodies.entity(row), bodies.filters.of(bodies.columns.classes[row])
        for other in world.space._overlapping_bounds(entity, layers=own.mask):
            other_row = bodies.row_of[other]
            if other <= entity or bodies.columns.passes(row, other_row):
                continue
            if may_meet(own, bodies.filters.of(bodies.columns.classes[other_row])):
                yield entity, other
                count += 1
                if count == MAX_PAIRS:
                    return


def _depth(a: Iterable[Faces], b: Iterable[Faces], axes: int) -> tuple[int, int]:
    """Return the way apart of the two boxes that are deepest in each other, and its axis."""
    return max((_way_apart(one, other, axes) for one in a for other in b), key=lambda found: found[0])


def _way_apart(a: Faces, b: Faces, axes: int) -> tuple[int, int]:
    """Return the shortest displacement along an axis that ends the overlap of two boxes; below 0 without overlap."""
    return min((min(a[axis + 3] - b[axis], b[axis + 3] - a[axis]), axis) for axis in range(axes))
