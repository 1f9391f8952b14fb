"""`ImpulseSystem`: steps of dynamic bodies as an esper processor (rules I)."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping
from typing import Any

import esper

from ecs_collision.components import Vector
from ecs_collision.dynamics.arguments import MAX_DT, MIN_DT, step_arguments
from ecs_collision.errors import CollisionTypeError, CollisionValueError, WorldError, explained
from ecs_collision.fixed_point import shown
from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.world_binding import ProcessorType

DEFAULT_DT = 1 / 60
"""Seconds of a step if nothing says how long it is."""


class ImpulseSystem(esper.Processor, metaclass=ProcessorType):
    """Moves the bodies with `Velocity` and `Mass` of a CollisionSystem by one step in every frame (rules I).

    Add it with `esper.add_processor`, with a higher priority than the CollisionSystem, so that the events of a frame
    are about the positions after the step; with a lower one they come one frame later. gravity: in units per second
    squared, towards where things fall; y grows downwards in levels, so (0, 10) is down there. dt: the seconds of a
    step; None takes those of the MovementSystem if there is one, else what is passed to `process`, else 1 / 60.
    substeps: with more of them a step takes longer, and high stacks are stiffer. All of them may be assigned.
    """

    @explained("ImpulseSystem(system, gravity=(0, 10)), with the CollisionSystem of the same esper world")
    def __init__(
        self,
        system: CollisionSystem,
        *,
        gravity: Iterable[float] = (0.0, 0.0),
        dt: float | None = None,
        substeps: int = 4,
    ) -> None:
        if not isinstance(system, CollisionSystem):
            raise CollisionTypeError(
                f"ImpulseSystem got {shown(system)}; give it the CollisionSystem: ImpulseSystem(system)"
            )
        self._system = system
        self._is_fixed = dt is not None
        self._arguments = step_arguments(DEFAULT_DT if dt is None else dt, gravity, substeps)
        self._priority = 0

    def process(self, *args: Any, **kwargs: Any) -> None:
        """Run one step. Warns once if the CollisionSystem was never added.

        Without a fixed dt, or that of a MovementSystem, it lasts as many seconds as the argument `dt`, or the first
        one: at most 1, and 0 is a pause. What is no number is ignored (E5).
        """
        if not self._system._registered:
            self._system._warn_if_never_added()
        arguments = self._arguments
        if not self._is_fixed:
            seconds = self._seconds(args, kwargs)
            if seconds < MIN_DT:
                return
            if seconds != arguments.dt:
                arguments = self._arguments = arguments._replace(dt=seconds)
        self._system._step_dynamics(arguments)

    def _seconds(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> float:
        """Return how long the step of this frame is, if no dt was set; at most MAX_DT."""
        known = self._system._movement_system
        movement: Any = None if known is None else known()
        if movement is not None:
            return 1.0 / float(movement.rate)
        given = named.get("dt", args[0] if args else None)
        if isinstance(given, bool) or not isinstance(given, (int, float)):
            return DEFAULT_DT
        if given >= 0.0:
            return min(float(given), MAX_DT)
        raise CollisionValueError(f"process got dt={given!r}, but a step takes 0 seconds or more")

    @property
    def priority(self) -> int:
        """The priority esper sorts by, given to `esper.add_processor`."""
        return self._priority

    @priority.setter
    def priority(self, value: int) -> None:
        """Note the processor: esper sets the priority when, and only when, a processor is added."""
        known = self._system._impulse_system
        first = None if known is None else known()
        if first is not None and esper.get_processor(ImpulseSystem) is first:
            raise WorldError(
                f"{first!r} moves the bodies of this CollisionSystem already; "
                f"{'added again it' if first is self else 'a second ImpulseSystem'} would move them twice as fast; "
                "assign gravity and dt of the first, or remove it: esper.remove_processor(ImpulseSystem)"
            )
        self._system._impulse_system = weakref.ref(self)
        self._priority = value

    @property
    def gravity(self) -> Vector:
        """The gravity, in units per second squared."""
        return self._arguments.gravity

    @gravity.setter
    def gravity(self, value: Iterable[float]) -> None:
        self._assign(gravity=value)

    @property
    def dt(self) -> float | None:
        """The seconds of a step; None if they follow from those of the MovementSystem, or from `process`."""
        return self._arguments.dt if self._is_fixed else None

    @dt.setter
    def dt(self, value: float | None) -> None:
        self._assign(dt=DEFAULT_DT if value is None else value)
        self._is_fixed = value is not None

    @property
    def substeps(self) -> int:
        """The number of substeps of a step."""
        return self._arguments.substeps

    @substeps.setter
    def substeps(self, value: int) -> None:
        self._assign(substeps=value)

    def _assign(self, **given: object) -> None:
        self._arguments = step_arguments(**{**self._arguments._asdict(), **given})

    def __repr__(self) -> str:
        return f"ImpulseSystem(gravity={self.gravity}, dt={self.dt})"
