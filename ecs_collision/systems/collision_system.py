"""`CollisionSystem`: the engine as an esper processor.

A translation and nothing more: `noticing` brings components in, `world.CollisionWorld` does the frame and
writes positions out, `delivery` hands the events over. Every look at the state, also through `system.space`,
begins with `_take_notice`, which the world calls before it takes changes in.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, overload

import esper

from ecs_collision.errors import CollisionTypeError, ReentryError, WorldError
from ecs_collision.events import Event
from ecs_collision.results import MoveResult
from ecs_collision.space import Space
from ecs_collision.systems.delivery import Delivery, Handler, Subscription, checked_match
from ecs_collision.systems.home import Home, move_out, settle_down
from ecs_collision.systems.noticing import Noticing
from ecs_collision.world import CollisionWorld, Plan, Stats
from ecs_collision.world.settings import CanPush

AnyHandler = TypeVar("AnyHandler", bound=Handler)


class CollisionSystem(esper.Processor):
    """Moves, pushes and reports the bodies of one esper world, once a frame.

    Add it with `esper.add_processor`; it binds to the world that is current then, or at its first use. The
    settings are those of `CollisionWorld`. Every call while another world is current raises WorldError.
    """

    def __init__(
        self,
        *,
        bin_size: float = 1.0,
        rule: str = "each",
        max_chain: int | None = None,
        all_or_nothing: bool = False,
        axis_order: str = "xyz",
        order: str = "sequential",
        overlap_policy: str = "leave",
        bounds: tuple[Sequence[float], Sequence[float]] | None = None,
        can_push: CanPush | None = None,
    ) -> None:
        self._settings: dict[str, Any] = {
            "bin_size": bin_size,
            "rule": rule,
            "max_chain": max_chain,
            "all_or_nothing": all_or_nothing,
            "axis_order": axis_order,
            "order": order,
            "overlap_policy": overlap_policy,
            "bounds": bounds,
            "can_push": can_push,
        }
        self._priority = 0
        self._home: Home | None = None
        self._registered = False
        self._closed = False
        self._delivery = Delivery()
        self._begin()

    def _begin(self) -> None:
        """Start with an empty world."""
        self._world = CollisionWorld(**self._settings)
        self._world.before_take_in = _weakly(self)
        self._noticing = Noticing(self._world)

    # The frame.

    def process(self, *args: Any, **kwargs: Any) -> None:
        """Do one frame: components in, step, components out, deliver events. Arguments are ignored (E5).

        Raises what handlers raised: a single error itself, several as an ExceptionGroup, after all were served.
        """
        if self._delivery.running:
            raise ReentryError(
                "process was called by a handler of collision events; the next frame begins when this one has ended"
            )
        frame = self._world.step()
        changes = self._noticing.settle()
        if frame.quiet and not changes and self._delivery.is_idle:
            return
        heard = not frame.quiet and self._delivery.is_heard()
        self._delivery.prepare(frame.events if heard else [], changes)
        assert self._home is not None
        self._delivery.deliver(self._home)

    @overload
    def on(self, kind: type[Event], /, **match: object) -> Callable[[AnyHandler], AnyHandler]: ...
    @overload
    def on(self, kind: type[Event], handler: Handler, /, **match: object) -> Subscription: ...
    def on(self, kind: type[Event], handler: Handler | None = None, /, **match: object) -> object:
        """Subscribe a handler to the events of a kind whose fields equal `match`, from the next frame on.

        As a decorator it returns the function unchanged, with a handler a Subscription that can be cancelled.
        A match on an entity binds the subscription to it: it ends after that entity's last event.
        """
        entities = checked_match(kind, match)
        if handler is None:
            return lambda function: self._subscribe(kind, function, match, entities) and function
        return self._subscribe(kind, handler, match, entities)

    def _subscribe(
        self, kind: type[Event], handler: Handler, match: Mapping[str, object], entities: list[int]
    ) -> Subscription:
        if not callable(handler):
            raise CollisionTypeError(f"on() got the handler {handler!r}; give a function that takes the event")
        if self._home is not None:
            self._take_notice()
        anchors = {entity: self._noticing.parts(entity) for entity in entities}
        subscription = Subscription(kind, handler, match, anchors)
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

    def doctor(self) -> list[str]:
        """Return advice, a line each: settings that do not suit the bodies, components that have no effect."""
        return self._world.doctor() + self._noticing.idle()

    # Belonging to a world (rule E4).

    @property
    def priority(self) -> int:
        """The priority esper sorts by, given to `esper.add_processor`."""
        return self._priority

    @priority.setter
    def priority(self, value: int) -> None:
        """Bind to the current world: esper sets this when, and only when, a processor is added."""
        self._join()
        self._priority = value

    def close(self) -> None:
        """Leave the esper world: unregister, and free its components for another system.

        Subscriptions bound to entities end. The system may be added again, here or elsewhere, and starts anew.
        """
        home, self._home = self._home, None
        self._closed, self._registered = True, False
        move_out(self)
        if home is None:
            return
        with home.visit() as there:
            if there and esper.get_processor(type(self)) is self:
                esper.remove_processor(type(self))
        self._delivery.unbind()
        self._world.release_all()

    def lives_in(self) -> Home | None:
        """Return the world it belongs to, None if that was deleted or the system is not registered there any more."""
        home = self._home
        if home is None:
            return None
        with home.visit() as there:
            return home if there and not (self._registered and self._is_missing()) else None

    def _is_missing(self) -> bool:
        return esper.get_processor(type(self)) is not self

    def _take_notice(self) -> None:
        """Bind at the first use, refuse calls from elsewhere, and stage what has become of the entities."""
        home = self._home
        if home is None:
            if self._closed:
                raise WorldError(
                    "this CollisionSystem is closed; add it to a world again with esper.add_processor, or make another"
                )
            home = self._bind()
        if not home.is_current:
            raise WorldError(self._elsewhere(home))
        if self._is_missing():
            if self._registered:
                raise WorldError(
                    f"this CollisionSystem is no longer registered in the esper world {home.name!r}; "
                    "add it again with esper.add_processor, or use the one that took its place"
                )
        else:
            self._registered = True
        self._noticing.look()

    def _elsewhere(self, home: Home) -> str:
        current = esper.current_world
        with home.visit() as there:
            if not there:
                return (
                    f"this CollisionSystem belongs to an esper world {home.name!r} that was deleted, and {current!r} "
                    "is current; make another CollisionSystem for it"
                )
        return (
            f"this CollisionSystem belongs to the esper world {home.name!r}, but {current!r} is current; "
            f"call esper.switch_world({home.name!r}) first, or make another CollisionSystem for {current!r}"
        )

    def _join(self) -> None:
        """Become registered in the current world; raises WorldError where that cannot be."""
        home = self._home
        if home is not None and self.lives_in() is None and not home.is_current:
            self.close()
            home = None
        if home is None:
            home = self._bind()
        elif not home.is_current:
            raise WorldError(
                f"this CollisionSystem belongs to the esper world {home.name!r} and cannot be added to "
                f"{esper.current_world!r} as well; close() it first or make another"
            )
        elif self._registered and not self._is_missing():
            raise WorldError(f"this CollisionSystem is registered in the esper world {home.name!r} already")
        self._registered = True

    def _bind(self) -> Home:
        home = settle_down(self)
        if home is None:
            raise WorldError(
                f"the esper world {esper.current_world!r} has a CollisionSystem already; use it or close() it"
            )
        if self._closed:
            timing = self._world.stats.timing
            self._begin()
            self._world.stats.timing = timing
            self._closed = False
        self._home = home
        return home


def _weakly(system: CollisionSystem) -> Callable[[], None]:
    """Return the hook of the world, which does not keep the system alive: a dropped system is gone at once."""
    reference = weakref.ref(system)

    def take_notice() -> None:
        alive = reference()
        if alive is not None:
            alive._take_notice()

    return take_notice
