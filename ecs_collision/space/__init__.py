"""Asking the world where things are: overlaps, touches, sweeps, and the cells themselves."""

from ecs_collision.space.joining import overlapping_pairs
from ecs_collision.space.regions import Cell, Region
from ecs_collision.space.space import Space
from ecs_collision.space.sweep import Sweep

__all__ = ["Cell", "Region", "Space", "Sweep", "overlapping_pairs"]
