"""Checks of the arguments of steps of movement (rules M1, M2 and L3)."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collision.components import Vector
from ecs_collision.dynamics.arguments import checked_dt, checked_gravity

MAX_RATE = 2.0**20
"""The largest number of steps in a second."""


class MovementArguments(NamedTuple):
    """The checked arguments of a step of movement."""

    dt: float
    gravity: Vector


def movement_arguments(dt: object, gravity: object) -> MovementArguments:
    """Return the checked arguments of a step; raises by the name of the first that is refused."""
    return MovementArguments(checked_dt(dt), checked_gravity(gravity))
