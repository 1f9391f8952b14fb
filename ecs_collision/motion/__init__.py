"""Push plans: how far a motion goes, whom it pushes, and what stops it."""

from ecs_collision.motion.limits import Leg, Limits, Watch
from ecs_collision.motion.motions import Motions
from ecs_collision.motion.orders import Order, Orders

__all__ = ["Leg", "Limits", "Motions", "Order", "Orders", "Watch"]
