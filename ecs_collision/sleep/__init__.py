"""Sleep: which bodies are asleep, and what wakes them."""

from ecs_collision.sleep.scheduler import SleepScheduler

__all__ = ["SleepScheduler"]
