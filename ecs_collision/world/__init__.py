"""The engine without an ECS: `CollisionWorld` owns the rooms below, `step()` is the frame."""

from ecs_collision.settings import Settings
from ecs_collision.world.frame import Frame, Plan
from ecs_collision.world.stats import Stats
from ecs_collision.world.world import CollisionWorld

__all__ = ["CollisionWorld", "Frame", "Plan", "Settings", "Stats"]
