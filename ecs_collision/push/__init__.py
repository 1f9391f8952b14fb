"""Push plans: how far a motion goes, whom it pushes, and what stops it."""

from ecs_collision.push.motions import Motions
from ecs_collision.push.request import MotionRequest, MotionRequests
from ecs_collision.push.watch import Leg, Watch

__all__ = ["Leg", "MotionRequest", "MotionRequests", "Motions", "Watch"]
