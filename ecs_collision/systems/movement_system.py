"""`MovementSystem`: steps of movement as an esper processor (rules M)."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

import esper

from ecs_collision.components import Vector
from ecs_collision.errors import CollisionTypeError, SetupWarning, WorldError, explained, warn_caller
from ecs_collision.fixed_point import finite, shown
from ecs_collision.movement.arguments import MAX_RATE, movement_arguments
from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.world_binding import ProcessorType


class MovementSystem(esper.Processor, metaclass=ProcessorType):
    """Moves bodies by their velocities and along their paths, one step in every frame (rules M).

    Add it with `esper.add_processor`, with a higher priority than the CollisionSystem, or before it, so that the events
    of a frame are about the positions after the step. gravity: in units per second squared, towards where things fall;
    y grows downwards in levels, so (0, 10) is down there. rate: the steps in a second of the game, whatever is passed
    to `process`; `FixedStep` says how many a frame of the screen needs. Both may be assigned. Entities whose Lifetime
    ends are deleted.
    """

    @explained("MovementSystem(system, gravity=(0, 10)), with the CollisionSystem of the same esper world")
    def __init__(self, system: CollisionSystem, *, gravity: Iterable[float] = (0.0, 0.0), rate: float = 60) -> None:
        if not isinstance(system, CollisionSystem):
            raise CollisionTypeError(
                f"MovementSystem got {shown(system)}; give it the CollisionSystem: MovementSystem(system)"
            )
        self._system = system
        self._rate = _checked_rate(rate)
        self._arguments = movement_arguments(1.0 / self._rate, gravity)
        self._priority = 0
        self._is_second = self._has_warned = False

    def process(self, *args: Any, **kwargs: Any) -> None:
        """Run one step. Arguments are ignored (E5). Warns once if the CollisionSystem runs before it, or never."""
        system = self._system
        if not system._registered:
            system._warn_if_never_added()
        elif not self._has_warned:
            self._warn_if_late()
        system._step_movement(self._arguments)

    def _warn_if_late(self) -> None:
        if self._priority > self._system.priority or not (self._is_second or self._priority < self._system.priority):
            return
        self._has_warned = True
        warn_caller(
            "this MovementSystem runs after its CollisionSystem, so the events of a step come one frame late; add it "
            f"with a higher priority: esper.add_processor(movement, priority={self._system.priority + 1})",
            SetupWarning,
        )

    @property
    def priority(self) -> int:
        """The priority esper sorts by, given to `esper.add_processor`."""
        return self._priority

    @priority.setter
    def priority(self, value: int) -> None:
        """Note the order among the processors: esper sets the priority when, and only when, a processor is added."""
        known = self._system._movement_system
        first = None if known is None else known()
        if first is not None and first is not self and esper.get_processor(MovementSystem) is first:
            raise WorldError(
                f"{first!r} moves the bodies of this CollisionSystem already, and a second MovementSystem would move "
                "them twice; assign gravity and rate of the first, or remove it: "
                "esper.remove_processor(MovementSystem)"
            )
        self._system._movement_system = weakref.ref(self)
        self._is_second = self._system._registered
        self._priority = value

    @property
    def gravity(self) -> Vector:
        """The gravity, in units per second squared."""
        return self._arguments.gravity

    @gravity.setter
    def gravity(self, value: Iterable[float]) -> None:
        self._arguments = movement_arguments(self._arguments.dt, value)

    @property
    def rate(self) -> float:
        """The number of steps in a second of the game."""
        return self._rate

    @rate.setter
    def rate(self, value: float) -> None:
        rate = _checked_rate(value)
        self._arguments = movement_arguments(1.0 / rate, self._arguments.gravity)
        self._rate = rate

    def __repr__(self) -> str:
        return f"MovementSystem(gravity={self.gravity}, rate={self._rate:g})"


def _checked_rate(value: object) -> float:
    return finite(value, "rate of MovementSystem", minimum=1.0, maximum=MAX_RATE)
