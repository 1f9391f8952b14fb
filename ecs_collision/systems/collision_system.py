"""`CollisionSystem`: the engine as an esper processor.

It only connects parts: `change_detection` stages the components of entities, `world.CollisionWorld` computes the frame
and writes positions back, and `delivery` calls the handlers. Every read of the state, also through `system.space`,
begins with `_detect_changes`, which the world calls before it applies changes.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

import esper

from ecs_collision.access import asking, changing
from ecs_collision.components import Parts, Vector
from ecs_collision.dynamics import StepArguments
from ecs_collision.errors import (
    CollisionTypeError,
    InvariantError,
    ReentryError,
    SetupWarning,
    UnknownEntity,
    warn_caller,
)
from ecs_collision.events import Event, Overlapped
from ecs_collision.fixed_point import shown
from ecs_collision.movement import MovementArguments
from ecs_collision.movement.arguments import movement_arguments
from ecs_collision.query import Space
from ecs_collision.query.arguments import PointLike, Side
from ecs_collision.results import MoveResult
from ecs_collision.settings import MotionOptions, SystemSettings, takes_system_settings
from ecs_collision.systems.adviser import Adviser
from ecs_collision.systems.change_detection import ChangeDetector
from ecs_collision.systems.delivery import Delivery
from ecs_collision.systems.processing import process
from ecs_collision.systems.same_call import same_as
from ecs_collision.systems.subscription import ENTITY_FIELDS, Handler, Match, Subscription, entities_of_match
from ecs_collision.systems.world_binding import WorldBinding, WorldBound
from ecs_collision.world import CollisionWorld, Frame, Plan, Stats

if TYPE_CHECKING:
    import numpy.typing

    from ecs_collision.doctor import Advice, Finding
    from ecs_collision.levels.level import Level
    from ecs_collision.levels.registry import ComponentFactory
    from ecs_collision.systems.level_entities import SpawnedLevel

Kind = TypeVar("Kind", bound=Event)
Answer = TypeVar("Answer")

_NO_KINDS: frozenset[type[Event]] = frozenset()


class CollisionSystem(WorldBound):
    """Moves bodies, resolves pushes and reports events in one esper world, once a frame.

    Add it with `esper.add_processor`; it binds to the world that is current then, or at its first use. A call while
    another esper world is current raises WorldError. The arguments are settings; see `__init__`.
    """

    @takes_system_settings
    def __init__(self, settings: SystemSettings) -> None:
        self._settings = settings
        self._warned = False
        self._movement_system: weakref.ref[esper.Processor] | None = None
        self._impulse_system: weakref.ref[esper.Processor] | None = None
        super().__init__()
        self._adviser = Adviser() if settings.advise else None
        self._delivery = Delivery()
        self._create_world()

    def _create_world(self) -> None:
        """Create an empty world and what depends on it."""
        self._world = CollisionWorld(**self._settings.of_world())
        self._access, self._step = self._world._access, self._world._step
        self._queued_frame = self._world.frame
        self._detector = ChangeDetector(self._world)
        self._dirty_check = self._detector.make_dirty_check(weakref.ref(self))
        self._before_changes = self._dirty_check or _weak_hook(self)
        self._world._set_before_changes(self._before_changes)
        self._world.reports_overlaps = Overlapped in self._delivery.subscribed_kinds()
        self._release = weakref.finalize(self, self._world._release_all)
        self._release.atexit = False

    # The frame.

    def process(self, *args: Any, **kwargs: Any) -> None:
        """Run one frame: apply changes, step, write positions back, deliver events. Arguments are ignored (E5).

        Errors of handlers are raised after all handlers were called: a single error itself, several as an
        ExceptionGroup.
        """
        process(self)

    def _finish_frame(self, frame: Frame) -> None:
        """Queue and deliver the events of a frame, and advise."""
        delivery = self._delivery
        if frame.quiet and delivery.is_idle and not (self._detector.pending or self._detector.applied):
            self._queued_frame = frame
        else:
            self._queue_events(frame)
        if self._adviser is not None:
            self._adviser.after_frame(self._findings, len(self._world._bodies))
        if not delivery.is_idle:
            assert self._binding is not None
            delivery.deliver(self._binding, self._access)

    def _queue_events(self, frame: Frame) -> None:
        """Queue the events of a finished frame for delivery, exactly once even if this is interrupted and repeated."""
        changes, delivery = self._detector.applied_changes(), self._delivery
        kinds = _NO_KINDS if frame.quiet else delivery.subscribed_kinds()
        if self._world.reports_overlaps and Overlapped not in kinds and not frame.quiet:
            self._world.reports_overlaps = False
        if kinds or changes or not delivery.is_idle:
            delivery.prepare(frame._events_of(kinds) if kinds else [], changes)
        if changes:
            self._detector.applied = []
        self._queued_frame = frame

    @overload
    def on(
        self, kind: type[Kind], /, **match: Unpack[Match]
    ) -> Callable[[Callable[[Kind], Answer]], Callable[[Kind], Answer]]: ...
    @overload
    def on(self, kind: type[Kind], handler: Callable[[Kind], object], /, **match: Unpack[Match]) -> Subscription: ...
    def on(self, kind: type[Event], handler: Handler | None = None, /, **match: Unpack[Match]) -> object:
        """Call a handler for each event of a kind whose fields equal `match`, starting with the next frame.

        As a decorator it returns the function unchanged; with a handler it returns a Subscription that can be
        cancelled. A match on an entity binds the subscription to that entity: it ends after the entity's last event.
        """
        entities = entities_of_match(kind, match)
        if self._binding is not None and self._binding.is_current:
            for message in self._unknown_ids(kind, match, entities):
                raise UnknownEntity(message)
        if handler is None:
            return lambda function: self._subscribe(kind, function, match, entities) and function
        return self._subscribe(kind, handler, match, entities)

    def _unknown_ids(self, kind: type[Event], match: Mapping[str, object], entities: Iterable[int]) -> Iterator[str]:
        """Yield a message for each id of a match that no entity has; one that was just deleted may still match."""
        for entity in entities:
            if not (
                esper.entity_exists(entity)
                or entity in self._world._bodies.row_of
                or self._detector.parts(entity) is not None
            ):
                name = next(name for name, value in match.items() if name in ENTITY_FIELDS and value == entity)
                yield (
                    f"{kind.__name__} {name}={shown(entity)} cannot match: no entity has this id; "
                    "pass the id that esper.create_entity returned"
                )

    @asking
    def _subscribe(
        self, kind: type[Event], handler: Handler, match: Mapping[str, object], entities: list[int]
    ) -> Subscription:
        if not callable(handler):
            raise CollisionTypeError(f"on() got the handler {shown(handler)}; give a function that takes the event")
        anchors: dict[int, Parts | None] = dict.fromkeys(entities)
        since = 0
        if self._binding is not None:
            if self._world.frame is not self._queued_frame:
                self._queue_events(self._world.frame)
            self._detect_changes()
            anchors = {entity: self._detector.parts(entity) for entity in entities}
            since = self._detector.applied_count
        if issubclass(Overlapped, kind):
            if Overlapped not in self._delivery.subscribed_kinds():
                self._world.reports_overlaps = False  # all were cancelled since the last frame
            self._world.reports_overlaps = True
        subscription = Subscription(kind, handler, match, anchors, since, self._world.frame_number)
        self._delivery.subscribe(subscription)
        return subscription

    # Moving. What is passed on to the world is described there.

    @same_as(CollisionWorld.move)
    def move(
        self, entity: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0, **how: Unpack[MotionOptions]
    ) -> MoveResult:
        result = self._world.move(entity, dx, dy, dz, **how)
        if not self._registered:
            self._warn_if_never_added()
        return result

    @same_as(CollisionWorld.request)
    def request(self, entity: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0) -> None:
        self._world.request(entity, dx, dy, dz)
        if not self._registered:
            self._warn_if_never_added()

    @same_as(CollisionWorld.plan)
    def plan(
        self, entity: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0, **how: Unpack[MotionOptions]
    ) -> Plan:
        plan = self._world.plan(entity, dx, dy, dz, **how)
        if not self._registered:
            self._warn_if_never_added()
        return plan

    @same_as(CollisionWorld.teleport)
    def teleport(self, entity: int, x: float, y: float, z: float | None = None) -> None:
        self._world.teleport(entity, x, y, z)

    @same_as(CollisionWorld.set_positions)
    def set_positions(self, entities: Iterable[int], positions: numpy.typing.ArrayLike) -> None:
        self._world.set_positions(entities, positions)

    # Dynamics.

    @same_as(CollisionWorld.step_dynamics)
    def step_dynamics(self, dt: float, *, gravity: Iterable[float] = (0.0, 0.0), substeps: int = 4) -> None:
        self._world.step_dynamics(dt, gravity=gravity, substeps=substeps)

    def _step_dynamics(self, arguments: StepArguments) -> None:
        """Run a step with checked arguments."""
        self._world._step_dynamics(arguments)

    @same_as(CollisionWorld.apply_impulse)
    def apply_impulse(self, entity: int, impulse: Iterable[float], point: Iterable[float] | None = None) -> None:
        self._world.apply_impulse(entity, impulse, point)

    # Movement.

    @same_as(CollisionWorld.step_movement)
    def step_movement(self, dt: float, *, gravity: Iterable[float] = (0.0, 0.0)) -> None:
        self._step_movement(movement_arguments(dt, gravity))

    def _step_movement(self, arguments: MovementArguments) -> None:
        """Run a step with checked arguments, and delete the entities whose Lifetime has ended."""
        for entity in self._world._step_movement(arguments, False):
            esper.delete_entity(entity, immediate=True)

    @same_as(CollisionWorld.interpolated)
    def interpolated(self, entity: int, alpha: float) -> Vector:
        return self._world.interpolated(entity, alpha)

    # Levels.

    @changing
    def spawn(
        self,
        level: Level,
        at: Sequence[float] = (0.0, 0.0),
        *,
        components: Mapping[str, ComponentFactory] | None = None,
        ignore: Collection[str] = (),
    ) -> SpawnedLevel:
        """Create an entity for every thing of a level beside those of the game, or none; returns them by name.

        at: the place of the level's origin, (x, y) or (x, y, z). components: the game's own components that the level
        names, name to class. A level that asks for other settings than those of this system, or for gravity, raises
        CollisionValueError unless `ignore` names them. Every entity has a `ThingName`; `remove()` deletes them all. If
        a thing does not fit, raises LevelError and changes nothing.
        """
        from ecs_collision.levels.spawning import place_of
        from ecs_collision.systems.level_entities import SpawnedLevel, check_arguments, check_fits, create_entities

        makers, place = {} if components is None else components, place_of(at)
        check_fits(level, self._settings, check_arguments(level, makers, ignore))
        self._world.apply_changes()
        return SpawnedLevel(level, place, self, create_entities(level, makers, self._world, place))

    # Snapshots.

    @changing
    def snapshot(self) -> bytes:
        """Return the complete state as bytes for `restore`. Equal states give equal bytes."""
        self._refuse_in_handler("snapshot")
        if self._world.frame is not self._queued_frame:
            self._queue_events(self._world.frame)
        self._world._undelivered = self._delivery.undelivered()
        return self._world.snapshot()

    @changing
    def restore(self, data: bytes) -> None:
        """Restore the state of a snapshot into the existing components; subscriptions are kept.

        The same entities must have the same kinds of components, and the settings must be the same. Otherwise, and if
        the bytes are damaged, it raises SnapshotError with the reason and changes nothing. Restoring fires no events;
        events that were undelivered when the snapshot was taken are delivered first in the next frame.
        """
        self._refuse_in_handler("restore")
        frame = self._world.frame
        try:
            self._world.restore(data)
            self._delivery.resume(self._world._undelivered)
        except BaseException:
            if self._world.frame is not frame:  # the world was restored before the interruption
                self._delivery.resume(self._world._undelivered)
                self._queued_frame = self._world.frame
            raise
        self._queued_frame = self._world.frame

    @same_as(CollisionWorld.state_hash)
    @changing
    def state_hash(self) -> str:
        self._refuse_in_handler("state_hash")
        return self._world.state_hash()

    def _refuse_in_handler(self, call: str) -> None:
        """Raise ReentryError during delivery, when only some handlers of the frame have run (T8)."""
        if self._delivery.running:
            raise ReentryError(f"a handler of collision events called {call}(); call it after process() has returned")

    # Reading the state.

    @property
    @same_as(CollisionWorld.results)
    def results(self) -> Mapping[int, MoveResult]:
        return self._world.results

    @property
    @same_as(CollisionWorld.events)
    def events(self) -> list[Event]:
        return self._world.events

    @same_as(CollisionWorld.events_array)
    def events_array(self, kind: type[Event]) -> numpy.typing.NDArray[numpy.int64]:
        return self._world.events_array(kind)

    @property
    def space(self) -> Space:
        """The spatial index of the bodies, with its queries."""
        if not self._registered:
            self._warn_if_never_added()
        return self._world.space

    @property
    @same_as(CollisionWorld.stats)
    def stats(self) -> Stats:
        return self._world.stats

    @same_as(CollisionWorld.inside)
    def inside(self, trigger: int) -> list[int]:
        return self._world.inside(trigger)

    @same_as(CollisionWorld.contacts)
    def contacts(self, entity: int) -> list[int]:
        return self._world.contacts(entity)

    @same_as(CollisionWorld.touching)
    def touching(self, entity: int, side: Side | PointLike | None = None) -> list[int]:
        return self._world.touching(entity, side)

    @same_as(CollisionWorld.check)
    @changing
    def check(self) -> None:
        self._world.check()
        for fault in (*self._detector.faults(), *self._delivery.faults()):
            raise InvariantError(f"{fault}; this is a bug in ecs_collision, please report it")

    @asking
    def doctor(self) -> list[Advice]:
        """Return advice, a line for each group of equal findings: what is allowed but probably not meant.

        Besides the findings about the world: a system that was never added to esper, components without effect, and
        handlers that never matched. It changes nothing. O(bodies); not for every frame.
        """
        from ecs_collision.doctor import advice_of

        return advice_of(self._findings())

    def _findings(self) -> list[Finding]:
        from ecs_collision.systems.findings import find_in_system  # few games ask

        found = self._world._findings()
        return found + find_in_system(self._world, self._detector, self._delivery, is_added=self._registered)

    def __repr__(self) -> str:
        name = "closed" if self._closed else "in no world" if self._binding is None else repr(self._binding.name)
        return f"CollisionSystem({name}, {len(self._world._bodies)} bodies, frame {self._world.frame_number})"

    def _repr_html_(self) -> str:
        """Return a picture of all bodies from above, for notebooks."""
        return self._world._repr_html_()

    # Binding to an esper world (rule E4): see world_binding.WorldBound.

    def _detect_changes(self) -> None:
        """Check the esper world and stage the changes of its entities, then arm the dirty check.

        It is armed only for a registered system: of any other, esper's tables do not show when it is added.
        """
        binding = self._require_binding()
        self._detector.detect()
        if self._dirty_check is not None and self._registered:
            self._detector.arm(self._dirty_check, binding.identity)

    def _warn_if_never_added(self) -> None:
        """Warn once if nothing runs the frames: the system was never added, and `process` was never called."""
        if self._closed or self._warned or self._world.frame_number > 0:
            return
        self._warned = True
        warn_caller(
            "this CollisionSystem was never added to an esper world, so esper.process() runs no frame of it; "
            "call esper.add_processor(system) first",
            SetupWarning,
        )

    def _bind(self) -> WorldBinding:
        """Bind to the current world; matches on ids that no entity has there could not be refused before (T3).

        They get a warning and no error: an entity with the id may still be created, and then they match.
        """
        for subscription in self._delivery.subscriptions():
            for message in self._unknown_ids(subscription.kind, dict(subscription._match), subscription.entities):
                warn_caller(message, SetupWarning)
        return super()._bind()

    def _reset(self) -> None:
        timing = self._world.stats.timing
        self._create_world()
        self._world.stats.timing = timing

    def _unbind(self) -> None:
        if self._dirty_check is not None:
            self._dirty_check.disarm()
        self._delivery.unbind()
        self._release()


def _weak_hook(system: CollisionSystem) -> Callable[[], None]:
    """Return the world's hook as a weak reference, so that a dropped system is freed at once."""
    reference = weakref.ref(system)

    def detect_changes() -> None:
        alive = reference()
        if alive is not None:
            alive._detect_changes()

    return detect_changes
