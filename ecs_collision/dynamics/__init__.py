"""Bodies that move by their velocities and answer contacts with impulses (rules I)."""

from ecs_collision.dynamics.dynamics import Dynamics, StepArguments

__all__ = ["Dynamics", "StepArguments"]
