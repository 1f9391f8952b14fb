# cython: language_level=3, auto_pickle=False
"""The results of a step (`Frame`) and of a planned motion (`Plan`)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, TypeAlias

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython

from ecs_collision.access import Access, changing
from ecs_collision.errors import CollisionTypeError, StalePlan, UnknownEntity
from ecs_collision.events import PAIR_KINDS, Event, Moved, Vector
from ecs_collision.fixed_point import LATTICE, shown
from ecs_collision.frame_log import FrameLog
from ecs_collision.results import MoveResult, no_truth_value
from ecs_collision.world.stats import Stats

if TYPE_CHECKING:
    import numpy.typing


class FrameResults(dict[int, MoveResult]):
    """The results of a frame by entity; the message for an entity without one names the remedy."""

    __slots__ = ()

    def __missing__(self, entity: object) -> MoveResult:
        raise UnknownEntity(
            f"entity {shown(entity)} made no motion in this frame; use results.get({shown(entity)}), which is None then"
        )


NO_RESULTS: Mapping[int, MoveResult] = MappingProxyType(FrameResults())
"""The results of a frame without requests."""


_NOWHERE = (0.0, 0.0, 0.0)

Ways: TypeAlias = "tuple[array[int], array[int]]"
"""Entities, and by how many lattice units each was displaced, three numbers for each."""


@cython.final
@cython.cclass
class Frame:
    """The result of one step: frame number, events, and results by entity. Made by `step`.

    number: that of the step, which `world.frame_number` counts.
    stats: the counters of the world; the next step overwrites them.
    quiet: whether nothing happened that could cause an event.
    """

    __slots__ = ("_displacements", "_events", "_log", "_results", "_ways", "number", "quiet", "stats")

    def __init__(self, number: int, log: FrameLog | None, results: Mapping[int, MoveResult], stats: Stats) -> None:
        self.number = number
        self._results = results
        self.stats = stats
        self.quiet = log is None
        self._log = log
        self._events: list[Event] | None = None
        self._displacements: dict[int, Vector] | None = None
        self._ways: Ways | None = None

    @property
    def results(self) -> Mapping[int, MoveResult]:
        """The results by entity, read only; one that has none raises UnknownEntity, which names the remedy."""
        if type(self._results) is dict:
            self._results = MappingProxyType(FrameResults(self._results))
        return self._results

    @property
    def events(self) -> list[Event]:
        """The events of the frame in the order of delivery (T7); built on first access."""
        if self._events is None:
            self._events = [] if self._log is None else self._log.events(self.number)
            if self._log is not None:
                self._log.is_spent, self._log = True, None
        return self._events

    def events_array(self, kind: type[Event]) -> numpy.typing.NDArray[numpy.int64]:
        """Return the two bodies of each event of a kind of this frame: see `CollisionWorld.events_array`."""
        from ecs_collision._numpy import numpy

        if not isinstance(kind, type) or kind not in PAIR_KINDS:
            got, known = shown(kind), ", ".join(each.__name__ for each in PAIR_KINDS)
            raise CollisionTypeError(
                f"events_array() got {got}; pass a kind with two bodies ({known}) and read others from `events`"
            )
        pairs = None if self._log is None else self._log.pairs(kind)
        if pairs is None:
            _, first, second, *_ = kind.__dataclass_fields__
            pairs = array("q", [id for e in self._events_of((kind,)) for id in (getattr(e, first), getattr(e, second))])
        return numpy.array(pairs, numpy.int64).reshape(-1, 2)

    def _events_of(self, kinds: Collection[type[Event]]) -> list[Event]:
        """Return the events of these kinds in the order of delivery, without building others."""
        if self._log is not None:
            return self._log.events(self.number, kinds)
        return [event for event in self.events if type(event) in kinds]

    def _displacement_of(self, entity: int) -> Vector:
        """Return by how much motions, pushes and the last step of dynamics displaced an entity in this frame.

        All are read at the first call.
        """
        if self._displacements is None:
            self._displacements = found = {
                event.entity: event.displacement for event in self._events_of((Moved,)) if isinstance(event, Moved)
            }
            if self._ways is not None:
                ids, ways = self._ways
                for id, x, y, z in zip(ids, ways[::3], ways[1::3], ways[2::3], strict=True):
                    a, b, c = found.get(id, _NOWHERE)
                    found[id] = (a + x * LATTICE, b + y * LATTICE, c + z * LATTICE)
                self._ways = None
        return self._displacements.get(entity, _NOWHERE)

    def __repr__(self) -> str:
        return f"Frame({self.number}, {len(self.events)} events, {len(self.results)} results)"


class PlanHost(Protocol):
    """The part of a world that a plan uses."""

    _access: Access

    @property
    def version(self) -> int:
        """Number of changes of state."""

    def apply_changes(self) -> None:
        """Apply staged and written changes."""


class Plan:
    """A planned motion; `commit()` carries it out if the world has not changed since (P17). Made by `plan`.

    Like a result it has no truth value: `complete` says whether the full request would be met (P16).

    result: what would happen.
    """

    __slots__ = ("_access", "_again", "_version", "_world", "result")

    def __init__(self, world: PlanHost, result: MoveResult, again: Callable[[], MoveResult]) -> None:
        self.result = result
        self._world, self._access = world, world._access
        self._version = world.version
        self._again = again

    @property
    def complete(self) -> bool:
        """Whether the full request would be met."""
        return self.result.complete

    @property
    def blocked(self) -> bool:
        """Whether anything would stop it, on any axis."""
        return self.result.blocked

    @property
    def blocked_x(self) -> bool:
        """Whether anything would stop it along x."""
        return self.result.blocked_x

    @property
    def blocked_y(self) -> bool:
        """Whether anything would stop it along y."""
        return self.result.blocked_y

    @property
    def blocked_z(self) -> bool:
        """Whether anything would stop it along z."""
        return self.result.blocked_z

    def __bool__(self) -> bool:  # not NoReturn: type checkers would not check anything behind `if plan:`
        """Raise CollisionValueError: a motion may be met in part, so `complete` and `blocked` are asked for by name."""
        raise no_truth_value("Plan", "plan", self.result.entity)

    def explain(self) -> str:
        """Return what would happen, in one line."""
        return self.result.explain()

    @changing
    def commit(self) -> MoveResult:
        """Carry out the motion; raises StalePlan if anything changed or moved since it was planned."""
        self._world.apply_changes()
        if self._world.version != self._version:
            raise StalePlan(
                f"the plan for entity {self.result.entity} is stale: the world has changed since; plan again and commit"
            )
        return self._again()

    def __repr__(self) -> str:
        return f"Plan({self.result!r})"
