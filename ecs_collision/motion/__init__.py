"""Push plans: how far a motion goes, whom it pushes, and what stops it."""

from ecs_collision.motion.motions import Motions, Order, Outcome
from ecs_collision.motion.requests import Wish, drop_remainders, due_requests, front_first, in_turn

__all__ = ["Motions", "Order", "Outcome", "Wish", "drop_remainders", "due_requests", "front_first", "in_turn"]
