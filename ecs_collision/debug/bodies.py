"""Names of `bodies.drawn` for the views."""

from ecs_collision.bodies.drawn import (
    Kind,
    Outline,
    is_asleep,
    is_enabled,
    kind_of,
    outlines_of,
    placed_parts_of,
)

__all__ = ["Kind", "Outline", "is_asleep", "is_enabled", "kind_of", "outlines_of", "placed_parts_of"]
