"""The engine in esper: the processor, and how it notices, binds and delivers."""

from typing import TYPE_CHECKING, Any

from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.subscription import Subscription

if TYPE_CHECKING:
    from ecs_collision.systems.esper_game_world import ThingName
    from ecs_collision.systems.puzzle import Puzzle

__all__ = ["CollisionSystem", "Puzzle", "Subscription", "ThingName"]


def __getattr__(name: str) -> Any:
    """Import what plays levels when it is first asked for: it would be a third of every import."""
    if name == "Puzzle":
        from ecs_collision.systems.puzzle import Puzzle

        return Puzzle
    if name == "ThingName":
        from ecs_collision.systems.esper_game_world import ThingName

        return ThingName
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
