"""`CollisionSystem`: the engine as an esper processor.

A translation and nothing more: `detector` brings components in, `world.CollisionWorld` does the frame and
writes positions out, `delivery` hands the events over. Every look at the state, also through `system.space`,
begins with `_detect_changes`, which the world calls before it takes changes in.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, overload

from ecs_collision.components import Parts
from ecs_collision.errors import CollisionTypeError, InvariantError, ReentryError
from ecs_collision.events import Event
from ecs_collision.fixed_point import shown
from ecs_collision.results import MoveResult
from ecs_collision.query import Space
from ecs_collision.systems.delivery import Delivery
from ecs_collision.systems.world_binding import WorldBound
from ecs_collision.systems.change_detection import ChangeDetector
from ecs_collision.systems.subscription import Handler, Subscription, entities_of_match
from ecs_collision.world import CollisionWorld, Frame, Plan, Stats
from ecs_collision.settings import Settings, takes_settings

AnyHandler = TypeVar("AnyHandler", bound=Handler)

_NO_KINDS: frozenset[type[Event]] = frozenset()


class CollisionSystem(WorldBound):
    """Moves, pushes and reports the bodies of one esper world, once a frame.

    Add it with `esper.add_processor`; it binds to the world that is current then, or at its first use. The
    settings are those of `CollisionWorld`. Every call while another world is current raises WorldError.
    """

    @takes_settings
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        super().__init__()
        self._delivery = Delivery()
        self._create_world()

    def _create_world(self) -> None:
        """Start with an empty world."""
        self._world = CollisionWorld(**self._settings.plain(), can_push=self._settings.can_push)
        self._queued_frame = self._world.frame
        self._detector = ChangeDetector(self._world)
        self._dirty_check = self._detector.make_dirty_check(weakref.ref(self))
        self._world.before_changes = self._dirty_check or _weak_hook(self)
        self._release = weakref.finalize(self, self._world.release_all)
        self._release.atexit = False

    # The frame.

    def process(self, *args: Any, **kwargs: Any) -> None:
        """Do one frame: components in, step, components out, deliver events. Arguments are ignored (E5).

        Raises what handlers raised: a single error itself, several as an ExceptionGroup, after all were served.
        """
        if self._delivery.running:
            raise ReentryError(
                "process was called by a handler of collision events; the next frame begins when this one has ended"
            )
        if self._world.frame is not self._queued_frame:
            self._queue_events(self._world.frame)
        frame = self._world.step()
        detector, delivery = self._detector, self._delivery
        if frame.quiet and delivery.is_idle and not (detector.pending or detector.applied):
            self._queued_frame = frame
            return
        self._queue_events(frame)
        if not delivery.is_idle:
            assert self._binding is not None
            delivery.deliver(self._binding, self._world._access)

    def _queue_events(self, frame: Frame) -> None:
        """Take up a finished frame for delivery, once, however often this is broken off before it was."""
        changes, delivery = self._detector.applied_changes(), self._delivery
        kinds = _NO_KINDS if frame.quiet else delivery.subscribed_kinds()
        if kinds or changes or not delivery.is_idle:
            delivery.prepare(frame.events_of(kinds) if kinds else [], changes)
        if changes:
            self._detector.applied = []
        self._queued_frame = frame

    @overload
    def on(self, kind: type[Event], /, **match: object) -> Callable[[AnyHandler], AnyHandler]: ...
    @overload
    def on(self, kind: type[Event], handler: Handler, /, **match: object) -> Subscription: ...
    def on(self, kind: type[Event], handler: Handler | None = None, /, **match: object) -> object:
        """Subscribe a handler to the events of a kind whose fields equal `match`, from the next frame on.

        As a decorator it returns the function unchanged, with a handler a Subscription that can be cancelled.
        A match on an entity binds the subscription to it: it ends after that entity's last event.
        """
        entities = entities_of_match(kind, match)
        if handler is None:
            return lambda function: self._subscribe(kind, function, match, entities) and function
        return self._subscribe(kind, handler, match, entities)

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
        subscription = Subscription(kind, handler, match, anchors, since)
        self._delivery.subscribe(subscription)
        return subscription

    # Moving.

    def move(
        self,
        entity: int,
        dx: float = 0.0,
        dy: float = 0.0,
        dz: float = 0.0,
        *,
        force: float | None = None,
        rule: str | None = None,
        max_chain: int | None = None,
        all_or_nothing: bool | None = None,
    ) -> MoveResult:
        """Move a body now, as far as its force and what is in the way allow, and return what became of it."""
        return self._world.move(
            entity, dx, dy, dz, force=force, rule=rule, max_chain=max_chain, all_or_nothing=all_or_nothing
        )

    def request(self, entity: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0) -> None:
        """Add a displacement to the request of a body's Motion, for the next frame."""
        self._world.request(entity, dx, dy, dz)

    def plan(
        self,
        entity: int,
        dx: float = 0.0,
        dy: float = 0.0,
        dz: float = 0.0,
        *,
        force: float | None = None,
        rule: str | None = None,
        max_chain: int | None = None,
        all_or_nothing: bool | None = None,
    ) -> Plan:
        """Return what `move` would do, without moving anything; `commit()` does it."""
        return self._world.plan(
            entity, dx, dy, dz, force=force, rule=rule, max_chain=max_chain, all_or_nothing=all_or_nothing
        )

    def teleport(self, entity: int, x: float, y: float, z: float | None = None) -> None:
        """Set a body's position: no push, no sweep; z is kept if None."""
        self._world.teleport(entity, x, y, z)

    def set_positions(self, entities: Iterable[int], positions: Any) -> None:
        """Teleport many bodies at once, to the rows of an (m, 2) or (m, 3) array; all or none."""
        self._world.set_positions(entities, positions)

    # Snapshots.

    def snapshot(self) -> bytes:
        """Return the whole state as bytes, for `restore`; equal states give equal bytes, whatever led to them."""
        self._refuse_in_handler("snapshot")
        if self._world.frame is not self._queued_frame:
            self._queue_events(self._world.frame)
        self._world.undelivered = self._delivery.undelivered()
        return self._world.snapshot()

    def restore(self, data: bytes) -> None:
        """Set the state back to a snapshot, in the components the entities have; subscriptions stay.

        The same entities must have the same kinds of components, and the configuration must be the same; else, and for
        a damaged snapshot, raises SnapshotError naming what is wrong, and nothing has changed. No event tells of the
        jump; what had not been delivered when the snapshot was taken is delivered first in the next frame.
        """
        self._refuse_in_handler("restore")
        frame = self._world.frame
        try:
            self._world.restore(data)
            self._delivery.resume(self._world.undelivered)
        except BaseException:
            if self._world.frame is not frame:  # it was restored, and then broken off
                self._delivery.resume(self._world.undelivered)
                self._queued_frame = self._world.frame
            raise
        self._queued_frame = self._world.frame

    def state_hash(self) -> str:
        """Return a hash of the state without frame number, sleep and remainders; the same on every platform."""
        self._refuse_in_handler("state_hash")
        return self._world.state_hash()

    def _refuse_in_handler(self, call: str) -> None:
        """Raise ReentryError during delivery: half of the frame's handlers have acted (T8)."""
        if self._delivery.running:
            raise ReentryError(
                f"{call} was called by a handler of collision events; call it when the frame has ended, after process()"
            )

    # Looking.

    @property
    def results(self) -> Mapping[int, MoveResult]:
        """What became of each request of the last frame, by entity."""
        return self._world.results

    @property
    def events(self) -> list[Event]:
        """The events of the last frame, in the order of delivery."""
        return self._world.events

    @property
    def space(self) -> Space:
        """The index of the bodies, and its questions."""
        return self._world.space

    @property
    def stats(self) -> Stats:
        """The counters of the last frame; set `stats.timing = True` for milliseconds per phase."""
        return self._world.stats

    def inside(self, trigger: int) -> list[int]:
        """Return the ids of the bodies in a trigger at the end of the last frame, lingering ones included."""
        return self._world.inside(trigger)

    def touching(self, entity: int) -> list[int]:
        """Return the ids of the bodies that touch a body now."""
        return self._world.touching(entity)

    def check(self) -> None:
        """Verify every invariant of the state, slowly; raises InvariantError with the first that fails."""
        self._world.check()
        for fault in (*self._detector.faults(), *self._delivery.faults()):
            raise InvariantError(f"{fault}; this is a bug in ecs_collision, please report it")

    def doctor(self) -> list[str]:
        """Return advice, a line each: settings that do not suit the bodies, components that have no effect."""
        return self._world.doctor() + self._detector.unused_components()

    def __repr__(self) -> str:
        name = "closed" if self._closed else "in no world" if self._binding is None else repr(self._binding.name)
        return f"CollisionSystem({name}, {len(self._world.bodies)} bodies, frame {self._world.frame_number})"

    # Belonging to a world (rule E4): see home.WorldBound.

    def _detect_changes(self) -> None:
        """Make sure the world is ours, and stage what has become of its entities; the watch tells when to again.

        Only a system that esper knows is watched for: of any other esper cannot tell when it is added.
        """
        binding = self._require_binding()
        self._detector.detect()
        if self._dirty_check is not None and self._registered:
            self._detector.arm(self._dirty_check, binding.identity)

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
    """Return the hook of the world, which does not keep the system alive: a dropped system is gone at once."""
    reference = weakref.ref(system)

    def detect_changes() -> None:
        alive = reference()
        if alive is not None:
            alive._detect_changes()

    return detect_changes
