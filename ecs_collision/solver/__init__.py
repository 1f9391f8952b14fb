"""Solving levels: the fewest pushes and, of those, the fewest steps."""

from ecs_collision.solver.fewest_pushes import Ended, Solution, solve

__all__ = ["Ended", "Solution", "solve"]
