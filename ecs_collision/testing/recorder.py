"""`record`: the events of many frames, and methods that count them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import EllipsisType
from typing import Protocol, Self

from ecs_collision.debug.instrument import Act, Listener, Watched, listen, listeners_of, world_of
from ecs_collision.errors import WorldError
from ecs_collision.events import (
    Blocked,
    ContactBegan,
    ContactEnded,
    Event,
    FellAsleep,
    Impact,
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
from ecs_collision.testing.events import Expected, Pattern, entities_in, event_text, reason_of
from ecs_collision.testing.messages import hide_traceback
from ecs_collision.testing.naming import EntityNames, EntityRef, names_in
from ecs_collision.world import CollisionWorld

__tracebackhide__ = hide_traceback

AnyEntity = EntityRef | EllipsisType

MAX_SHOWN = 6
"""Maximum number of events in `repr`."""


def record(target: Watched) -> Recorder:
    """Record the events of a system, world, game or board from now on: until the `with` block ends, or until `stop()`.

    For a game, turns that run no frame are recorded as well, with their Blocked events.
    """
    return Recorder(target)


class Recorder(Listener):
    """The events of many frames, with methods that count how often something happened.

    Entities are given by number, by name, or by kind, which stands for all things of that kind. An unknown name raises
    UnknownEntity. All methods raise WorldError if the system was closed and added again, because its new world is not
    recorded.
    """

    def __init__(self, target: Watched) -> None:
        self._game = getattr(target, "game", target)
        self._world = world_of(self._game)
        self._names: EntityNames = names_in(target)
        self._events: list[Event] = []
        self._start_number, self._stop_number = self._world.frame_number, 0
        self._is_complete = False  # stopped while the world was the recorded one
        self._names.refresh()
        self._detach: list[Callable[[], None]] = [listen(self._world, self)]
        if isinstance(self._game, Game):
            self._detach.append(self._game.watch(self._events.extend))

    def _before(self, act: Act) -> None:
        self._names.refresh()  # entities may be deleted later

    def _after(self, act: Act) -> None:
        if act.kind == "frame" and act.frame is not None:
            self._events += act.frame.events

    def _is_same_world(self) -> bool:
        return world_of(self._game) is self._world

    def _check_world(self) -> None:
        if not self._is_complete and not self._is_same_world():
            raise WorldError(
                f"this {type(self._game).__name__} was closed and added again; its new world was not observed; record "
                "again after adding the system"
            )

    @property
    def events(self) -> list[Event]:
        """All events, in order."""
        self._check_world()
        return self._events

    @property
    def frame_count(self) -> int:
        """Number of recorded frames."""
        self._check_world()
        return self._frame_count()

    def _frame_count(self) -> int:
        return (self._world.frame_number if self._detach else self._stop_number) - self._start_number

    @property
    def frames(self) -> dict[int, list[Event]]:
        """The events by frame number, for frames that have any."""
        frames: dict[int, list[Event]] = {}
        for event in self.events:
            frames.setdefault(event.frame, []).append(event)
        return frames

    def stop(self) -> None:
        """Stop recording."""
        if self._detach:
            self._stop_number, self._is_complete = self._world.frame_number, self._is_same_world()
        while self._detach:
            self._detach.pop()()

    def clear(self) -> None:
        """Remove all recorded events."""
        self.events.clear()
        self._start_number = self._world.frame_number

    # Counts.

    def entered(self, trigger: AnyEntity = ..., by: AnyEntity = ...) -> int:
        """Return how often a body entered a trigger."""
        return self._count(TriggerEntered, trigger=trigger, other=by)

    def stayed(self, trigger: AnyEntity = ..., by: AnyEntity = ...) -> int:
        """Return in how many frames a body stayed in a trigger that has `stay=True`."""
        return self._count(TriggerStayed, trigger=trigger, other=by)

    def left(self, trigger: AnyEntity = ..., by: AnyEntity = ..., *, reason: LeftReason | str | None = None) -> int:
        """Return how often a body left a trigger; reason: a `LeftReason` or its name."""
        return self._count(TriggerLeft, reason_of(reason, LeftReason), trigger=trigger, other=by)

    def contact_began(self, a: AnyEntity = ..., b: AnyEntity = ...) -> int:
        """Return how often a contact began of a body that asks for contacts, `a`, and another."""
        return self._count(ContactBegan, a=a, b=b)

    def contact_ended(self, a: AnyEntity = ..., b: AnyEntity = ..., *, reason: LeftReason | str | None = None) -> int:
        """Return how often a contact ended; reason: a `LeftReason` or its name."""
        return self._count(ContactEnded, reason_of(reason, LeftReason), a=a, b=b)

    def hit(self, a: AnyEntity = ..., by: AnyEntity = ...) -> int:
        """Return how often a step of dynamics let a body hit `a`, which asks for impacts."""
        return self._count(Impact, a=a, b=by)

    def pushed(self, entity: AnyEntity = ..., by: AnyEntity = ...) -> int:
        """Return in how many frames a body was pushed."""
        return self._count(Pushed, entity=entity, by=by)

    def moved(self, entity: AnyEntity = ...) -> int:
        """Return in how many frames a body moved, by itself or pushed."""
        return self._count(Moved, entity=entity)

    def blocked(
        self, entity: AnyEntity = ..., by: AnyEntity | None = ..., *, reason: StopReason | str | None = None
    ) -> int:
        """Return how often a body was blocked; `by=None` means the bounds; reason: a `StopReason` or its name.

        `by` is any of those that stopped it at the same distance.
        """
        wanted_reason = StopReason.BOUNDS if by is None and reason is None else reason_of(reason, StopReason)
        return self._count(Blocked, wanted_reason, entity=entity, blocker=by)

    def woke(self, entity: AnyEntity = ...) -> int:
        """Return how often a body woke."""
        return self._count(Woke, entity=entity)

    def fell_asleep(self, entity: AnyEntity = ...) -> int:
        """Return how often a body fell asleep."""
        return self._count(FellAsleep, entity=entity)

    def _count(self, kind: type[Event], reason: object = None, **entities: AnyEntity | None) -> int:
        wanted = {
            field: {None} if given is None and field == "blocker" else set(self._names.entities(given, field))
            for field, given in entities.items()
            if given is not ...
        }
        return sum(
            type(event) is kind
            and all(not ids.isdisjoint(entities_in(event, field)) for field, ids in wanted.items())
            and (reason is None or getattr(event, "reason", None) is reason)
            for event in self.events
        )

    def first(self, pattern: Expected) -> int | None:
        """Return the first frame with a matching event, or None; patterns are those of `assert_events`."""
        wanted = self._pattern(pattern)
        return next((event.frame for event in self.events if wanted.matches(event)), None)

    def before(self, earlier: Expected, later: Expected) -> bool:
        """Return whether both happened, and the first match of one came before the first match of the other."""
        patterns = [self._pattern(earlier), self._pattern(later)]
        first_indexes = [
            [index for index, event in enumerate(self.events) if wanted.matches(event)][:1] for wanted in patterns
        ]
        return all(first_indexes) and first_indexes[0] < first_indexes[1]

    def order(self, *patterns: Expected) -> bool:
        """Return whether matching events happened in this order, with any other events in between."""
        wanted, events = [self._pattern(each) for each in patterns], iter(self.events)
        return all(any(each.matches(event) for event in events) for each in wanted)

    def _pattern(self, given: object) -> Pattern:
        return Pattern(given, self._names).validated()

    # Text.

    def __len__(self) -> int:
        """Return the number of events."""
        return len(self.events)

    def __bool__(self) -> bool:
        """Return whether there are any events."""
        return bool(self.events)

    def __str__(self) -> str:
        """Return a line for each frame with events."""
        lines = [
            f"frame {number}: {'; '.join(event_text(event, self._names) for event in events)}"
            for number, events in self.frames.items()
        ]
        return "\n".join(lines) or "nothing happened"

    def __repr__(self) -> str:
        texts = [event_text(event, self._names) for event in self._events[-MAX_SHOWN:]]
        more = ["..."] if len(self._events) > MAX_SHOWN else []
        return f"<recorded in {self._frame_count()} frames: {'; '.join(more + texts) or 'nothing'}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.stop()


class MakeRecorder(Protocol):
    """The type of the pytest fixture `record`: starts a `Recorder`."""

    def __call__(self, target: Watched) -> Recorder:
        """Record the events of a target until the test ends."""


@contextmanager
def discard_events(world: CollisionWorld) -> Iterator[None]:
    """Remove events from all recorders that were recorded inside the block, because the world will be rolled back."""
    recorded = [
        (listener._events, len(listener._events)) for listener in listeners_of(world) if isinstance(listener, Recorder)
    ]
    try:
        yield
    finally:
        for events, count in recorded:
            del events[count:]
