"""The engine in esper: the processor, and how it notices, binds and delivers."""

from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.delivery import Subscription

__all__ = ["CollisionSystem", "Subscription"]
