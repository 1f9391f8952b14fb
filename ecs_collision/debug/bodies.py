"""Names of `bodies.drawn` for the views."""

from ecs_collision.bodies.drawn import (
    HEIGHTS,
    Kind,
    Outline,
    is_asleep,
    is_enabled,
    kind_of,
    outlines_of,
    placed_parts_of,
    polygon_of,
)

__all__ = [
    "HEIGHTS",
    "Kind",
    "Outline",
    "is_asleep",
    "is_enabled",
    "kind_of",
    "outlines_of",
    "placed_parts_of",
    "polygon_of",
]
