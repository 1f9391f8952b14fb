"""Queries of the world: overlaps, touches, sweeps, and the cells of the index."""

from ecs_collision.broadphase.morton_grid.regions import Cell, Region
from ecs_collision.query.array_pairs import overlapping_pairs
from ecs_collision.query.cast import Sweep
from ecs_collision.query.space import Space

__all__ = ["Cell", "Region", "Space", "Sweep", "overlapping_pairs"]
