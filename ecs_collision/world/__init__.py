"""The engine without an ECS: `CollisionWorld` has the bodies and the public calls, `step()` runs a frame."""

from ecs_collision.settings import Settings
from ecs_collision.world.frame import Frame, Plan
from ecs_collision.world.stats import Stats
from ecs_collision.world.world import CollisionWorld

__all__ = ["CollisionWorld", "Frame", "Plan", "Settings", "Stats"]
