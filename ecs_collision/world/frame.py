"""What a world hands out: the frame that was done, and a plan that may be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Protocol

from ecs_collision.errors import StalePlan
from ecs_collision.events import Event
from ecs_collision.frame_log import FrameLog
from ecs_collision.results import MoveResult
from ecs_collision.world.stats import Stats

NO_RESULTS: Mapping[int, MoveResult] = MappingProxyType({})
"""What a frame gives in which nothing was requested."""


class Frame:
    """What one step gave: its number, events and results by entity.

    `stats` are the world's counters: those of the last finished frame, and of the next one after the next step.
    `quiet` tells that nothing happened that could have given an event.
    """

    __slots__ = ("_events", "_log", "number", "quiet", "results", "stats")

    def __init__(self, number: int, log: FrameLog | None, results: Mapping[int, MoveResult], stats: Stats) -> None:
        self.number = number
        self.results = results
        self.stats = stats
        self.quiet = log is None
        self._log = log
        self._events: list[Event] | None = None

    @property
    def events(self) -> list[Event]:
        """The events of the frame in the order of delivery (T7); built when first read."""
        if self._events is None:
            self._events = [] if self._log is None else list(self._log.events(self.number))
            self._log = None
        return self._events

    def events_of(self, kinds: Collection[type[Event]]) -> list[Event]:
        """Return the events of some kinds, in the order of delivery, without building any other."""
        if self._log is not None:
            return list(self._log.events(self.number, kinds))
        return [event for event in self.events if type(event) in kinds]

    def __repr__(self) -> str:
        return f"Frame({self.number}, {len(self.events)} events, {len(self.results)} results)"


class Planner(Protocol):
    """What a plan needs of its world."""

    @property
    def version(self) -> int:
        """Count of the changes of state."""

    def apply_changes(self) -> None:
        """Apply what was staged and written."""


class Plan:
    """A motion planned but not made; `commit()` makes it if the world is still the same (P17)."""

    __slots__ = ("_again", "_version", "_world", "result")

    def __init__(self, world: Planner, result: MoveResult, again: Callable[[], MoveResult]) -> None:
        self.result = result
        self._world = world
        self._version = world.version
        self._again = again

    def __bool__(self) -> bool:
        """Return whether the whole request would be met."""
        return bool(self.result)

    def explain(self) -> str:
        """Return what would happen, in one line."""
        return self.result.explain()

    def commit(self) -> MoveResult:
        """Make the motion; raises StalePlan after any change, move or write since it was planned."""
        self._world.apply_changes()
        if self._world.version != self._version:
            raise StalePlan(
                f"the plan for entity {self.result.entity} is stale: the world has changed since; plan again and commit"
            )
        return self._again()

    def __repr__(self) -> str:
        return f"Plan({self.result!r})"
