"""The normal between two bodies that rest on each other with a gap (rules C4 and I2)."""

from __future__ import annotations

from ecs_collision.bodies.table import Bodies
from ecs_collision.events import Vector
from ecs_collision.shapes.contact import deepest_normal
from ecs_collision.shapes.part import Part

NEAR = 1 << 11
"""Lattice units: bodies in contact are nearer. At rest they keep a gap of a quarter of it."""


def _grown(part: Part) -> Part:
    """Return a part that reaches by NEAR farther; boxes stay boxes."""
    if part.radius:
        return part._replace(radius=part.radius + NEAR)
    return part._replace(core=tuple([at + (NEAR if axis > 2 else -NEAR) for axis, at in enumerate(part.core)]))  # type: ignore[arg-type]


def near_normal(bodies: Bodies, row: int, other: int) -> Vector | None:
    """Return the normal from a body to one that is near it; None if it is not."""
    grown = map(_grown, bodies.parts_if_enabled(row))
    return deepest_normal(grown, bodies.parts_if_enabled(other), bodies.columns.are_flat(row, other))
