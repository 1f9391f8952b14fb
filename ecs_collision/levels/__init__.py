"""Level files: each is read into one immutable `Level`, which is then spawned into a world, all of it or nothing."""

from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.level import Level, Thing
from ecs_collision.levels.loading import load_level, load_levels, parse_level, parse_levels
from ecs_collision.levels.spawning import spawn

__all__ = ["FrozenMap", "Level", "Thing", "load_level", "load_levels", "parse_level", "parse_levels", "spawn"]
