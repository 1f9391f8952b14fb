"""Which bodies rest, and what wakes them."""

from ecs_collision.sleep.scheduler import SleepScheduler

__all__ = ["SleepScheduler"]
