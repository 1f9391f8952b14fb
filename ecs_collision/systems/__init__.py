"""The engine in esper: the processor, and how it notices, binds and delivers."""

from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.esper_engine import ThingName
from ecs_collision.systems.puzzle import Puzzle
from ecs_collision.systems.subscription import Subscription

__all__ = ["CollisionSystem", "Puzzle", "Subscription", "ThingName"]
