"""The table of bodies: a row per body, a column per quantity, and the layer filters."""

from ecs_collision.bodies.table import Bodies

__all__ = ["Bodies"]
