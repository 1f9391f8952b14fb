"""Queries of the world: overlaps, touches, rays, distances, casts, contacts, and the cells of the index."""

from ecs_collision.broadphase.regions import Cell, Region
from ecs_collision.query.description import IndexSize, SpaceDescription
from ecs_collision.query.nearest import Nearest
from ecs_collision.query.query_filter import QueryFilter
from ecs_collision.query.ray_hit import CastHit, RayHit
from ecs_collision.query.space import Space
from ecs_collision.shapes.contact import ContactManifold

__all__ = [
    "CastHit",
    "Cell",
    "ContactManifold",
    "IndexSize",
    "Nearest",
    "QueryFilter",
    "RayHit",
    "Region",
    "Space",
    "SpaceDescription",
]
