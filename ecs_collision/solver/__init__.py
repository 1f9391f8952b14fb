"""Solving levels: the fewest pushes and, of those, the fewest steps."""

from ecs_collision.solver.fewest_pushes import Outcome, Solution, solve

__all__ = ["Outcome", "Solution", "solve"]
