"""The engine as an esper processor: change detection, world binding and delivery of events."""

from typing import TYPE_CHECKING, Any

from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.subscription import Subscription

if TYPE_CHECKING:
    from ecs_collision.systems.esper_game_world import ThingName
    from ecs_collision.systems.puzzle import Puzzle

__all__ = ["CollisionSystem", "Puzzle", "Subscription", "ThingName"]


def __getattr__(name: str) -> Any:
    """Import `Puzzle` and `ThingName` on first use: games and levels would add a third to the import time."""
    if name == "Puzzle":
        from ecs_collision.systems.puzzle import Puzzle

        return Puzzle
    if name == "ThingName":
        from ecs_collision.systems.esper_game_world import ThingName

        return ThingName
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
