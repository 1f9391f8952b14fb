"""Solves levels with the fewest pushes and, among those solutions, the fewest steps."""

from ecs_collision._lazy import shown
from ecs_collision.solver.fewest_pushes import Outcome, Solution, solve

__all__ = ["Outcome", "Solution", "solve"]


def __dir__() -> list[str]:
    return shown(__name__, __all__)
