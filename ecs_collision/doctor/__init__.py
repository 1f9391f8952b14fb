"""Advice on a world: what is allowed but probably not meant. A function of the state that changes nothing."""

from ecs_collision.doctor.advice import KINDS, Advice, Finding, advice_of
from ecs_collision.doctor.findings import find_in_world
from ecs_collision.doctor.observed import Observed

__all__ = ["KINDS", "Advice", "Finding", "Observed", "advice_of", "find_in_world"]
