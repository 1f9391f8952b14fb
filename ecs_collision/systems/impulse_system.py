"""`ImpulseSystem`: steps of dynamic bodies as an esper processor (rules I)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import esper

from ecs_collision.components import Vector
from ecs_collision.dynamics.arguments import step_arguments
from ecs_collision.errors import CollisionTypeError, explained
from ecs_collision.fixed_point import shown
from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.world_binding import ProcessorType


class ImpulseSystem(esper.Processor, metaclass=ProcessorType):
    """Moves the bodies with `Velocity` and `Mass` of a CollisionSystem by one step in every frame (rules I).

    Add it with `esper.add_processor`, with a higher priority than the CollisionSystem, so that the events of a frame
    are about the positions after the step; with a lower one they come one frame later. gravity: in units per second
    squared, towards where things fall; y grows downwards in levels, so (0, 10) is down there. dt: the seconds of a
    step, whatever is passed to `process`. substeps: with more of them a step takes longer, and high stacks are stiffer.
    All of them may be assigned.
    """

    @explained("ImpulseSystem(system, gravity=(0, 10)), with the CollisionSystem of the same esper world")
    def __init__(
        self,
        system: CollisionSystem,
        *,
        gravity: Iterable[float] = (0.0, 0.0),
        dt: float = 1 / 60,
        substeps: int = 4,
    ) -> None:
        if not isinstance(system, CollisionSystem):
            raise CollisionTypeError(
                f"ImpulseSystem got {shown(system)}; give it the CollisionSystem: ImpulseSystem(system)"
            )
        self._system = system
        self._arguments = step_arguments(dt, gravity, substeps)

    def process(self, *args: Any, **kwargs: Any) -> None:
        """Run one step. Arguments are ignored (E5). Warns once if the CollisionSystem was never added."""
        if not self._system._registered:
            self._system._warn_if_never_added()
        self._system._step_dynamics(self._arguments)

    @property
    def gravity(self) -> Vector:
        """The gravity, in units per second squared."""
        return self._arguments.gravity

    @gravity.setter
    def gravity(self, value: Iterable[float]) -> None:
        self._assign(gravity=value)

    @property
    def dt(self) -> float:
        """The seconds of a step."""
        return self._arguments.dt

    @dt.setter
    def dt(self, value: float) -> None:
        self._assign(dt=value)

    @property
    def substeps(self) -> int:
        """The number of substeps of a step."""
        return self._arguments.substeps

    @substeps.setter
    def substeps(self, value: int) -> None:
        self._assign(substeps=value)

    def _assign(self, **given: object) -> None:
        self._arguments = step_arguments(**{**self._arguments._asdict(), **given})
