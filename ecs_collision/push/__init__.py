"""Pushing: how far a motion goes, which bodies it pushes, and what stops it."""

from ecs_collision.push.host import Leg, MotionHost
from ecs_collision.push.motions import MotionRequest, Motions

__all__ = ["Leg", "MotionHost", "MotionRequest", "Motions"]
