"""`record`: what happened over many frames, and questions about it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import EllipsisType
from typing import Any, Self

from ecs_collision.errors import WorldError
from ecs_collision.events import (
    Blocked,
    Event,
    FellAsleep,
    LeftReason,
    Moved,
    Pushed,
    StopReason,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
    Woke,
)
from ecs_collision.game.game import Game
from ecs_collision.testing.events import Pattern, event_text, reason_of
from ecs_collision.testing.instrument import Act, Listener, check_same_world, listen, listeners_of, world_of
from ecs_collision.testing.messages import hide_traceback
from ecs_collision.testing.naming import EntityNames, EntityRef, names_in
from ecs_collision.world import CollisionWorld

__tracebackhide__ = hide_traceback

AnyEntity = EntityRef | EllipsisType

MAX_SHOWN = 6
"""So many events are shown by `repr`."""


def record(target: Any) -> Recorder:
    """Record the events of a system, a world, a game or a board from now on: until the `with` ends, or `stop()`.

    Of a game letters that take no time are recorded as well: who was blocked by whom.
    """
    return Recorder(target)


class Recorder:
    """The events of many frames, and questions about them; each answers how often something happened.

    Entities are given by number, by name, or by kind, which means all things of it; a name that nobody has is refused.
    A question raises WorldError if the system was closed and added again meanwhile: its new world is not recorded.
    """

    def __init__(self, target: Any) -> None:
        game = getattr(target, "game", target)
        world = world_of(game)
        self.names: EntityNames = names_in(target)
        self._events: list[Event] = []
        self._first, self._world, self._last = world.frame_number, world, 0
        self._check_world: Callable[[], None] = partial(
            check_same_world, game, world, "record it again after adding it"
        )
        self.names.refresh()
        self._stop: list[Callable[[], None]] = [listen(world, _EventListener(self._events, self.names))]
        if isinstance(game, Game):
            self._stop.append(game.watch(self._events.extend))

    @property
    def events(self) -> list[Event]:
        """All events, in their order."""
        self._check_world()
        return self._events

    @property
    def frame_count(self) -> int:
        """How many frames there were."""
        self._check_world()
        return self._frame_count()

    def _frame_count(self) -> int:
        return (self._last if not self._stop else self._world.frame_number) - self._first

    @property
    def frames(self) -> dict[int, list[Event]]:
        """The events by the number of their frame, of frames in which there were any."""
        frames: dict[int, list[Event]] = {}
        for event in self.events:
            frames.setdefault(event.frame, []).append(event)
        return frames

    def stop(self) -> None:
        """Record no more."""
        if self._stop:
            self._last = self._world.frame_number
            with contextlib.suppress(WorldError):
                self._check_world()
                self._check_world = lambda: None  # what comes later is no matter of this record
        while self._stop:
            self._stop.pop()()

    def clear(self) -> None:
        """Forget what was recorded so far."""
        self.events.clear()
        self._first = self._world.frame_number

    # Questions.

    def entered(self, trigger: AnyEntity = ..., by: AnyEntity = ...) -> int:
        """Return how often something came into a trigger."""
        return self._count(TriggerEntered, trigger=trigger, other=by)

    def stayed(self, trigger: AnyEntity = ..., by: AnyEntity = ...) -> int:
        """Return in how many frames something stayed in a trigger that has `stay=True`."""
        return self._count(TriggerStayed, trigger=trigger, other=by)

    def left(self, trigger: AnyEntity = ..., by: AnyEntity = ..., *, reason: LeftReason | str | None = None) -> int:
        """Return how often something left a trigger; reason: itself or its name."""
        return self._count(TriggerLeft, reason_of(reason, LeftReason), trigger=trigger, other=by)

    def pushed(self, entity: AnyEntity = ..., by: AnyEntity = ...) -> int:
        """Return in how many frames something was pushed."""
        return self._count(Pushed, entity=entity, by=by)

    def moved(self, entity: AnyEntity = ...) -> int:
        """Return in how many frames something moved, of itself or pushed."""
        return self._count(Moved, entity=entity)

    def blocked(
        self, entity: AnyEntity = ..., by: AnyEntity | None = ..., *, reason: StopReason | str | None = None
    ) -> int:
        """Return how often something was kept from moving on; `by=None` by the bounds; reason: itself or its name."""
        wanted_reason = StopReason.BOUNDS if by is None and reason is None else reason_of(reason, StopReason)
        return self._count(Blocked, wanted_reason, entity=entity, blocker=by)

    def woke(self, entity: AnyEntity = ...) -> int:
        """Return how often something woke."""
        return self._count(Woke, entity=entity)

    def fell_asleep(self, entity: AnyEntity = ...) -> int:
        """Return how often something fell asleep."""
        return self._count(FellAsleep, entity=entity)

    def _count(self, kind: type[Event], reason: object = None, **entities: AnyEntity | None) -> int:
        wanted = {
            field: {None} if given is None and field == "blocker" else set(self.names.entities(given, field))
            for field, given in entities.items()
            if given is not ...
        }
        return sum(
            type(event) is kind
            and all(getattr(event, field) in ids for field, ids in wanted.items())
            and (reason is None or getattr(event, "reason", None) is reason)
            for event in self.events
        )

    def first(self, pattern: object) -> int | None:
        """Return the frame in which something happened first, None where it did not; as in `assert_events`."""
        wanted = self._pattern(pattern)
        return next((event.frame for event in self.events if wanted.matches(event)), None)

    def before(self, earlier: object, later: object) -> bool:
        """Return whether both happened, and the first of one came before the first of the other."""
        patterns = [self._pattern(earlier), self._pattern(later)]
        first_indexes = [
            [index for index, event in enumerate(self.events) if wanted.matches(event)][:1] for wanted in patterns
        ]
        return all(first_indexes) and first_indexes[0] < first_indexes[1]

    def order(self, *patterns: object) -> bool:
        """Return whether these happened one after the other, whatever happened in between."""
        wanted, events = [self._pattern(each) for each in patterns], iter(self.events)
        return all(any(each.matches(event) for event in events) for each in wanted)

    def _pattern(self, given: object) -> Pattern:
        return Pattern(given, self.names).validated()

    # Looking.

    def __len__(self) -> int:
        """Return how many events there were."""
        return len(self.events)

    def __bool__(self) -> bool:
        """Return whether anything happened."""
        return bool(self.events)

    def __str__(self) -> str:
        """Return what happened, a line for each frame in which something did."""
        lines = [
            f"frame {number}: {'; '.join(event_text(event, self.names) for event in events)}"
            for number, events in self.frames.items()
        ]
        return "\n".join(lines) or "nothing happened"

    def __repr__(self) -> str:
        shown = [event_text(event, self.names) for event in self._events[-MAX_SHOWN:]]
        more = ["..."] if len(self._events) > MAX_SHOWN else []
        return f"<recorded in {self._frame_count()} frames: {'; '.join(more + shown) or 'nothing'}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.stop()


@contextmanager
def discard_events(world: CollisionWorld) -> Iterator[None]:
    """Let recorders forget what happens meanwhile: it will be taken back."""
    recorded = [
        (listener._events, len(listener._events))
        for listener in listeners_of(world)
        if isinstance(listener, _EventListener)
    ]
    try:
        yield
    finally:
        for events, count in recorded:
            del events[count:]


class _EventListener(Listener):
    """Hears the frames of a world, and sees who is there before anything is done: some may be gone when asked for."""

    def __init__(self, events: list[Event], names: EntityNames) -> None:
        self._events, self._names = events, names

    def before(self, act: Act) -> None:
        self._names.refresh()

    def after(self, act: Act) -> None:
        if act.kind == "frame" and act.frame is not None:
            self._events += act.frame.events
