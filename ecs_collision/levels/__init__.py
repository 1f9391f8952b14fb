"""Reads level files of several formats into immutable `Level` records and spawns them into worlds, all or nothing."""

from ecs_collision._lazy import dir_of
from ecs_collision.levels.conditions import Condition, ConditionError, parse_condition
from ecs_collision.levels.drawn_tiles import DrawnTile, TileImage
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.level import Level, Thing
from ecs_collision.levels.level_properties import unused_properties
from ecs_collision.levels.load import load_level, load_levels, parse_level, parse_levels
from ecs_collision.levels.sokoban.writing import write_xsb
from ecs_collision.levels.spawning import spawn
from ecs_collision.levels.text.writing import write_text

__all__ = [
    "Condition",
    "ConditionError",
    "DrawnTile",
    "FrozenMap",
    "Level",
    "Thing",
    "TileImage",
    "load_level",
    "load_levels",
    "parse_condition",
    "parse_level",
    "parse_levels",
    "spawn",
    "unused_properties",
    "write_text",
    "write_xsb",
]


def __dir__() -> list[str]:
    return dir_of(__name__, __all__)
