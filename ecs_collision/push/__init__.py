"""Push plans: how far a motion goes, whom it pushes, and what stops it."""

from ecs_collision.push.limits import Leg, Limits, Watch
from ecs_collision.push.motions import Motions
from ecs_collision.push.request import MotionRequest, MotionRequests

__all__ = ["Leg", "Limits", "MotionRequest", "MotionRequests", "Motions", "Watch"]
