"""Solves levels with the fewest pushes and, among those solutions, the fewest steps."""

from ecs_collision._lazy import dir_of
from ecs_collision.solver.fewest_pushes import Outcome, Solution, solve

__all__ = ["Outcome", "Solution", "solve"]


def __dir__() -> list[str]:
    return dir_of(__name__, __all__)
