"""Level files: each is read into one immutable `Level`, which is then spawned into a world, all of it or nothing."""

from ecs_collision.levels.conditions import Condition, ConditionError, parse_condition
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.game import Game
from ecs_collision.levels.level import Level, Thing
from ecs_collision.levels.loading import load_level, load_levels, parse_level, parse_levels
from ecs_collision.levels.named import NamedEvent
from ecs_collision.levels.rules import Rule
from ecs_collision.levels.spawning import spawn
from ecs_collision.levels.text_writing import write_text
from ecs_collision.levels.turns import Turn
from ecs_collision.levels.xsb_writing import write_xsb

__all__ = [
    "Condition",
    "ConditionError",
    "FrozenMap",
    "Game",
    "Level",
    "NamedEvent",
    "Rule",
    "Thing",
    "Turn",
    "load_level",
    "load_levels",
    "parse_condition",
    "parse_level",
    "parse_levels",
    "spawn",
    "write_text",
    "write_xsb",
]
