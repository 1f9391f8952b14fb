"""The contact of two bodies (rule H9)."""

from __future__ import annotations

from ecs_collision.bodies import Bodies
from ecs_collision.fixed_point import AXES
from ecs_collision.shapes.contact import ContactManifold, deepest_contact


def contact_between(bodies: Bodies, row: int, other: int) -> ContactManifold | None:
    """Return the contact of two rows, None if they do not overlap or are the same.

    It is computed for the lower id first.
    """
    if row == other:
        return None
    if bodies.entity(row) > bodies.entity(other):
        contact = contact_between(bodies, other, row)
        return None if contact is None else contact.reversed()
    is_flat = bodies.columns.are_flat(row, other)
    return deepest_contact(bodies.parts_if_enabled(row), bodies.parts_if_enabled(other), is_flat)


def overlap_text(bodies: Bodies, row: int, other: int) -> str:
    """Return how far two rows overlap, "0.25 on x" or "0.125" if the shortest way apart is not along an axis."""
    contact = contact_between(bodies, row, other)
    assert contact is not None
    axes = [axis for axis, along in zip(AXES, contact.normal, strict=True) if along]
    return f"{contact.depth:g} on {axes[0]}" if len(axes) == 1 else f"{contact.depth:g}"
