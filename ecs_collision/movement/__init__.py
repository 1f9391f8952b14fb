"""Movement of real-time games: steps of one length, bodies on paths, bodies with a lifetime (rules M)."""

from ecs_collision.movement.arguments import MovementArguments
from ecs_collision.movement.fixed_step import FixedStep
from ecs_collision.movement.movement import Movement

__all__ = ["FixedStep", "Movement", "MovementArguments"]
