# cython: language_level=3, auto_pickle=False
"""Records what happened since the last frame; events are built from it when they are read."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.bodies.table import to_floats
from ecs_collision.contacts.overlaps import NO_NORMAL
from ecs_collision.contacts.pair_log import PairLog
from ecs_collision.contacts.report_log import normal_of_code
from ecs_collision.contacts.store import REASONS as LEFT_REASONS
from ecs_collision.events import (
    DELIVERY_ORDER,
    DIRECTIONS,
    Blocked,
    ContactBegan,
    ContactEnded,
    Crossed,
    Crushed,
    Event,
    FellAsleep,
    Impact,
    LeftReason,
    Moved,
    Overlapped,
    Pushed,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
    Vector,
    Woke,
)
from ecs_collision.fixed_point import AXES
from ecs_collision.push.displacements import DisplacementLog
from ecs_collision.results import REASONS, build_events

Pair = tuple[int, int]
Mark = tuple[int, int, int, int, int, int, int, int, int, int, int]
"""Numbers of entries: overlapped, left, entered, stayed, ended, began, crossings, crossed, impacts, touches,
bounces."""

_NO_ENTRIES: Mark = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

Hit = tuple[int, int, Vector, Vector, float, float]
"""An impact: the asking body, the other, point, normal, impulse and speed."""

Touch = tuple[int, int, bool, bool, Vector]
"""Two bodies that a step of dynamics pushed first or let go last: ids, the two flags, the normal."""

Bounce = tuple[Pair, tuple[Vector | None, ...]]
"""An (asking, other) pair, and what became of their contact between two frames: the normal as it begins, None as it
ends."""

Crossing = tuple[Pair, tuple[LeftReason | None, ...]]
"""A (trigger, other) pair and its changes in the order of the path: None for entered, a reason for left."""


@cython.final
@cython.cclass
class FrameLog:
    """Records by entity id, so entries outlive the body.

    `touches` are what steps of dynamics noted of contacts, in the order of time, for the next update of them; `bounces`
    are the contacts that it found to have begun and ended besides `began` and `ended`.

    `rollback` removes the entries since `mark`, except those of motions: `displacement_log`, which has its own mark,
    and `crossed`, the pairs of a mover and a body that it crossed, in the order of the motions.
    `sleep_changes` lists the entities that woke or fell asleep since `mark`, and whether they were in `woke` and in
    `fell` before. `is_spent` is set when all its events were built: then a world uses it again.
    """

    __slots__ = (
        "began", "bounces", "crossed", "crossings", "displacement_log", "ended", "entered", "fell", "impacts",
        "is_spent", "left", "normals", "overlapped", "sleep_changes", "stayed", "touches", "woke",
    )  # fmt: skip

    def __init__(self) -> None:
        self.displacement_log = DisplacementLog()
        self.woke: set[int] = set()
        self.fell: set[int] = set()
        self.crossed: list[Pair] = []
        self.overlapped: list[Pair] = []
        self.left, self.entered, self.stayed = PairLog(), PairLog(), PairLog()
        self.ended, self.began = PairLog(), PairLog()
        self.normals: dict[Pair, Vector] = {}
        self.crossings: list[Crossing] = []
        self.impacts: list[Hit] = []
        self.touches: list[Touch] = []
        self.bounces: list[Bounce] = []
        self.sleep_changes: list[tuple[int, bool, bool]] = []
        self.is_spent = False

    def __bool__(self) -> bool:
        """Return whether anything happened."""
        if self.left.count or self.entered.count or self.stayed.count or self.ended.count or self.began.count:
            return True
        return self._has_others()

    def _has_others(self) -> cython.bint:
        """Return whether anything but pairs of triggers and contacts is logged."""
        if len(self.displacement_log) or self.woke or self.fell or self.crossed or self.overlapped or self.crossings:
            return True
        return bool(self.impacts or self.touches)

    def renewed(self) -> FrameLog:
        """Return an empty log: this one, if all events of its pairs were built, and it had no others."""
        if not self.is_spent or self._has_others() or self.bounces or self.normals or self.sleep_changes:
            return FrameLog()
        self.left.count = self.entered.count = self.stayed.count = self.ended.count = self.began.count = 0
        self.is_spent = False
        return self

    def mark(self) -> Mark:
        """Return the number of entries, for `rollback`."""
        if self.sleep_changes:
            self.sleep_changes.clear()
        if not (self or self.bounces):
            return _NO_ENTRIES
        counts = (self.left.count, self.entered.count, self.stayed.count, self.ended.count, self.began.count)
        return (
            len(self.overlapped),
            *counts,
            len(self.crossings),
            len(self.crossed),
            len(self.impacts),
            len(self.touches),
            len(self.bounces),
        )

    def rollback(self, mark: Mark) -> None:
        """Remove the entries added since `mark`, which must be the last one made."""
        overlapped, left, entered, stayed, ended, began, crossings, crossed, impacts, touches, bounces = mark
        del self.impacts[impacts:], self.touches[touches:], self.bounces[bounces:]
        del self.crossed[crossed:]
        del self.overlapped[overlapped:]
        self.left.rollback(left)
        self.entered.rollback(entered)
        self.stayed.rollback(stayed)
        self.ended.rollback(ended)
        self.began.rollback(began)
        if not began:
            self.normals.clear()
        del self.crossings[crossings:]
        for entity, woke, fell in reversed(self.sleep_changes):
            for entities, was in ((self.woke, woke), (self.fell, fell)):
                if was:
                    entities.add(entity)
                else:
                    entities.discard(entity)
        self.sleep_changes.clear()

    def wake(self, entity: int) -> None:
        """Record that a body woke; falling asleep and waking in one frame cancel out."""
        self.sleep_changes.append((entity, entity in self.woke, entity in self.fell))
        if entity in self.fell:
            self.fell.discard(entity)
        else:
            self.woke.add(entity)

    def rest(self, entity: int) -> None:
        """Record that a body fell asleep."""
        self.sleep_changes.append((entity, entity in self.woke, entity in self.fell))
        if entity in self.woke:
            self.woke.discard(entity)
        else:
            self.fell.add(entity)

    def impact(self, a: int, b: int, point: Vector, normal: Vector, impulse: float, speed: float) -> None:
        """Record that `b` hit the asking body `a` (C6); the normal points from a to b.

        If both ask, call it for each. Impacts of a pair are reported in the order of the calls. The coming frame must
        not be a quiet one (`Step.end_quiet_frames`).
        """
        self.impacts.append((a, b, point, normal, impulse, speed))

    def forget_sleep(self, entity: int) -> None:
        """Remove the sleep entries of a removed body (S4)."""
        if entity in self.woke or entity in self.fell:
            self.sleep_changes.append((entity, entity in self.woke, entity in self.fell))
            self.woke.discard(entity)
            self.fell.discard(entity)

    def events(self, frame: int, kinds: Collection[type[Event]] = DELIVERY_ORDER) -> list[Event]:
        """Build the events of these kinds in the order of delivery (T7), all with the number `frame`."""
        events: list[Event] = []
        for kind in DELIVERY_ORDER if self._has_others() else _CONTACT_LOGS:
            if kinds is DELIVERY_ORDER or kind in kinds:
                events += _BUILDERS[kind](self, frame)
            if kind is ContactBegan and self.bounces:
                events += [event for event in self._bounce_events(frame) if type(event) in kinds]
            if kind is TriggerStayed and self.crossings:
                events += [event for event in self._crossing_events(frame) if type(event) in kinds]
        return events

    def pairs(self, kind: type[Event]) -> array[int] | None:
        """Return the two ids of each event of a kind one after another; None if only the events have them in order."""
        if kind in _CONTACT_LOGS and not (self.crossings or self.bounces):
            log: PairLog = getattr(self, _CONTACT_LOGS[kind])
            return log.pairs()
        return None

    def _woke_events(self, frame: int) -> Iterable[Event]:
        return [Woke(frame, entity) for entity in sorted(self.woke)]

    def _fell_events(self, frame: int) -> Iterable[Event]:
        return [FellAsleep(frame, entity) for entity in sorted(self.fell)]

    def _moved_events(self, frame: int) -> Iterable[Event]:
        if not self.displacement_log.entry_count:
            return ()
        moved = self.displacement_log.net_displacements()
        units = zip(moved[1::4], moved[2::4], moved[3::4], strict=True)
        return build_events(Moved, frame, (moved[::4].tolist(), [to_floats(*by) for by in units]))

    def _pushed_events(self, frame: int) -> Iterable[Event]:
        if not self.displacement_log.entry_count:
            return ()
        pushed = self.displacement_log.pushes()
        units = zip(pushed[2::5], pushed[3::5], pushed[4::5], strict=True)
        return build_events(
            Pushed, frame, (pushed[::5].tolist(), pushed[1::5].tolist(), [to_floats(*by) for by in units])
        )

    def _blocked_events(self, frame: int) -> Iterable[Event]:
        if not self.displacement_log.stop_count:
            return ()
        numbers = self.displacement_log.stop_records()
        stops: list[tuple[int, int, int, int, list[int]]] = []
        for entity, axis, direction, blocker, reason in zip(*(numbers[part::5] for part in range(5)), strict=True):
            if direction:
                stops.append((entity, axis, direction, reason, []))
            if blocker >= 0:
                stops[-1][-1].append(blocker)
        events = []
        for entity, axis, direction, reason, blockers in sorted(stops, key=lambda stop: stop[:2]):
            first = blockers[0] if blockers else None
            vector = DIRECTIONS[axis][direction < 0]
            events.append(Blocked(frame, entity, first, AXES[axis], REASONS[reason], vector, tuple(blockers)))
        return events

    def _crushed_events(self, frame: int) -> Iterable[Event]:
        return [Crushed(frame, entity, by) for entity, by in sorted(self.displacement_log.crushed)]

    def _crossed_events(self, frame: int) -> Iterable[Event]:
        return [Crossed(frame, *pair) for pair in sorted(self.crossed, key=lambda pair: pair[0])]

    def _overlapped_events(self, frame: int) -> Iterable[Event]:
        return [Overlapped(frame, a, b) for a, b in sorted(self.overlapped)]

    def _left_events(self, frame: int) -> Iterable[Event]:
        return build_events(TriggerLeft, frame, self.left.columns(LEFT_REASONS)) if self.left.count else ()

    def _entered_events(self, frame: int) -> Iterable[Event]:
        return build_events(TriggerEntered, frame, self.entered.columns()) if self.entered.count else ()

    def _stayed_events(self, frame: int) -> Iterable[Event]:
        return build_events(TriggerStayed, frame, self.stayed.columns()) if self.stayed.count else ()

    def _crossing_events(self, frame: int) -> Iterator[Event]:
        for (trigger, other), changes in sorted(self.crossings, key=lambda item: item[0]):
            for reason in changes:
                if reason is None:
                    yield TriggerEntered(frame, trigger, other)
                else:
                    yield TriggerLeft(frame, trigger, other, reason)

    def _ended_events(self, frame: int) -> Iterable[Event]:
        return build_events(ContactEnded, frame, self.ended.columns(LEFT_REASONS)) if self.ended.count else ()

    def _began_events(self, frame: int) -> Iterable[Event]:
        if not self.began.count:
            return ()
        a, b, normals = self.began.columns(_NORMALS)
        if self.normals:
            normals = [self.normals.get((one, other), normal) for one, other, normal in zip(a, b, normals, strict=True)]
        return build_events(ContactBegan, frame, (a, b, normals))

    def _bounce_events(self, frame: int) -> Iterator[Event]:
        for (a, b), changes in sorted(self.bounces, key=lambda item: item[0]):
            for normal in changes:
                if normal is None:
                    yield ContactEnded(frame, a, b, LeftReason.MOVED)
                else:
                    yield ContactBegan(frame, a, b, normal)

    def _impact_events(self, frame: int) -> Iterable[Event]:
        return [Impact(frame, *hit) for hit in sorted(self.impacts, key=lambda hit: hit[:2])]


_BUILDERS: dict[type[Event], Callable[[FrameLog, int], Iterable[Event]]] = {
    Woke: FrameLog._woke_events,
    Moved: FrameLog._moved_events,
    Pushed: FrameLog._pushed_events,
    Blocked: FrameLog._blocked_events,
    Crushed: FrameLog._crushed_events,
    Crossed: FrameLog._crossed_events,
    Overlapped: FrameLog._overlapped_events,
    TriggerLeft: FrameLog._left_events,
    TriggerEntered: FrameLog._entered_events,
    TriggerStayed: FrameLog._stayed_events,
    ContactEnded: FrameLog._ended_events,
    ContactBegan: FrameLog._began_events,
    Impact: FrameLog._impact_events,
    FellAsleep: FrameLog._fell_events,
}

_CONTACT_LOGS = {
    TriggerLeft: "left",
    TriggerEntered: "entered",
    TriggerStayed: "stayed",
    ContactEnded: "ended",
    ContactBegan: "began",
}

_NORMALS = (*map(normal_of_code, range(NO_NORMAL)), None)
"""The normals by code."""
