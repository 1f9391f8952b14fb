"""What happened since the last frame ended, as plain records; events are built from it when somebody reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from ecs_collision.bodies.table import to_floats
from ecs_collision.events import (
    DELIVERY_ORDER,
    Blocked,
    Event,
    FellAsleep,
    LeftReason,
    Moved,
    Pushed,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
    Woke,
)
from ecs_collision.kernels.trail import Trail
from ecs_collision.lattice import AXES
from ecs_collision.results import REASONS

Pair = tuple[int, int]
Crossing = tuple[Pair, tuple[LeftReason | None, ...]]
"""A (trigger, other) and its further changes in path order: None entered, a reason left."""


class Journal:
    """Collects by entity id, so that what a body did outlives the body."""

    __slots__ = ("crossings", "entered", "fell", "left", "stayed", "trail", "woke")

    def __init__(self) -> None:
        self.trail = Trail()
        self.woke: set[int] = set()
        self.fell: set[int] = set()
        self.left: list[tuple[int, int, LeftReason]] = []
        self.entered: list[Pair] = []
        self.stayed: list[Pair] = []
        self.crossings: list[Crossing] = []

    def __bool__(self) -> bool:
        """Return whether anything happened."""
        return any(getattr(self, name) for name in self.__slots__)

    def wake(self, entity: int) -> None:
        """Note that a body woke; falling asleep and waking within one frame cancel out."""
        if entity in self.fell:
            self.fell.discard(entity)
        else:
            self.woke.add(entity)

    def rest(self, entity: int) -> None:
        """Note that a body fell asleep."""
        if entity in self.woke:
            self.woke.discard(entity)
        else:
            self.fell.add(entity)

    def events(self, frame: int, kinds: Collection[type[Event]] = DELIVERY_ORDER) -> Iterator[Event]:
        """Build the events of some kinds in the order of delivery (T7), all numbered `frame`."""
        for kind, build in _BUILDERS:
            if kind in kinds:
                yield from build(self, frame)
        if TriggerEntered in kinds or TriggerLeft in kinds:
            yield from (event for event in self._crossed(frame) if type(event) in kinds)
        if FellAsleep in kinds:
            yield from (FellAsleep(frame, entity) for entity in sorted(self.fell))

    def _woken(self, frame: int) -> Iterator[Event]:
        return (Woke(frame, entity) for entity in sorted(self.woke))

    def _displaced(self, frame: int) -> Iterator[Event]:
        moved = self.trail.moved()
        for entity, x, y, z in zip(moved[::4], moved[1::4], moved[2::4], moved[3::4], strict=True):
            yield Moved(frame, entity, to_floats(x, y, z))

    def _shoved(self, frame: int) -> Iterator[Event]:
        pushed = self.trail.pushed()
        for entity, by, *units in zip(*(pushed[part::5] for part in range(5)), strict=True):
            yield Pushed(frame, entity, by, to_floats(*units))

    def _stopped(self, frame: int) -> Iterator[Event]:
        halted = self.trail.halted()
        halts = zip(halted[::4], halted[1::4], halted[2::4], halted[3::4], strict=True)
        for entity, axis, blocker, reason in sorted(halts, key=lambda halt: halt[:2]):
            why = REASONS[reason]
            assert why is not None
            yield Blocked(frame, entity, None if blocker < 0 else blocker, AXES[axis], why)

    def _gone(self, frame: int) -> Iterator[Event]:
        for trigger, other, reason in sorted(self.left, key=lambda item: item[:2]):
            yield TriggerLeft(frame, trigger, other, reason)

    def _come(self, frame: int) -> Iterator[Event]:
        return (TriggerEntered(frame, *pair) for pair in sorted(self.entered))

    def _kept(self, frame: int) -> Iterator[Event]:
        return (TriggerStayed(frame, *pair) for pair in sorted(self.stayed))

    def _crossed(self, frame: int) -> Iterator[Event]:
        for (trigger, other), changes in sorted(self.crossings, key=lambda item: item[0]):
            for reason in changes:
                if reason is None:
                    yield TriggerEntered(frame, trigger, other)
                else:
                    yield TriggerLeft(frame, trigger, other, reason)


_BUILDERS: tuple[tuple[type[Event], Callable[[Journal, int], Iterator[Event]]], ...] = (
    (Woke, Journal._woken),
    (Moved, Journal._displaced),
    (Pushed, Journal._shoved),
    (Blocked, Journal._stopped),
    (TriggerLeft, Journal._gone),
    (TriggerEntered, Journal._come),
    (TriggerStayed, Journal._kept),
)
"""How each kind is built, in the order of delivery; crossings and FellAsleep come behind."""
