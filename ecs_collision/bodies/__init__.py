"""The table of bodies: a row per body, a column per quantity, and who meets whom by layer."""

from ecs_collision.bodies.table import Bodies

__all__ = ["Bodies"]
