"""The engine as an esper processor: change detection, world binding and delivery of events."""

from typing import TYPE_CHECKING, Any

from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.impulse_system import ImpulseSystem
from ecs_collision.systems.movement_system import MovementSystem
from ecs_collision.systems.subscription import Subscription

if TYPE_CHECKING:
    from ecs_collision.systems.level_entities import SpawnedLevel, ThingName
    from ecs_collision.systems.puzzle import Puzzle

__all__ = ["CollisionSystem", "ImpulseSystem", "MovementSystem", "Puzzle", "SpawnedLevel", "Subscription", "ThingName"]


def __getattr__(name: str) -> Any:
    """Import names of levels and games on first use: games and levels would add a third to the import time."""
    if name == "Puzzle":
        from ecs_collision.systems.puzzle import Puzzle

        return Puzzle
    if name in ("SpawnedLevel", "ThingName"):
        from ecs_collision.systems import level_entities

        return getattr(level_entities, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
