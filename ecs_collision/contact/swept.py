"""Crossings within one frame: what went in and out of a swept trigger between two frames (rule T4).

Every motion along one axis is a path on which nothing else moves but what is pushed, and triggers are
never pushed: so a body's way through a trigger is a union of intervals on that axis. A pair's changes
over the frame are put together from its paths; where the frame's own Entered or Left already tells the
first of them, the rest are the crossings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from ecs_collision.bodies import Bodies
from ecs_collision.components import Faces
from ecs_collision.events import LeftReason
from ecs_collision.kernels.columns import SWEPT, TOUCHING, TRIGGER
from ecs_collision.kernels.contacts import Contacts
from ecs_collision.kernels.grid import Grid
from ecs_collision.kernels.log import PairLog

Leg = tuple[int, dict[int, int]]
"""One axis of a motion: the axis and the displacement of each row in units, signed."""

Linger = Callable[[int, int], int]
Why = Callable[[int, int], LeftReason]


class Record(Protocol):
    """What crossings are written to."""

    entered: PairLog
    crossings: list[tuple[tuple[int, int], tuple[LeftReason | None, ...]]]


class Sweeps:
    """Follows the paths of a frame, only while there are swept triggers."""

    def __init__(self, bodies: Bodies, contacts: Contacts) -> None:
        self._bodies = bodies
        self._contacts = contacts
        self._changes: dict[tuple[int, int], list[bool]] = {}
        """Per (trigger row, other row): the state before the frame, then after every change."""
        self._of_row: dict[int, set[tuple[int, int]]] = {}

    def release(self, row: int) -> None:
        """Forget a body that is going."""
        for pair in self._of_row.pop(row, ()):
            self._changes.pop(pair, None)

    def follow(self, legs: Iterable[Leg]) -> None:
        """Follow one motion, leg by leg, before it is committed."""
        offsets: dict[int, list[int]] = {}
        for axis, moves in legs:
            for row, by in sorted(moves.items(), key=lambda item: self._bodies.entity(item[0])):
                offset = offsets.setdefault(row, [0, 0, 0])
                self._follow_body(row, axis, by, offset)
                offset[axis] += by

    def _follow_body(self, row: int, axis: int, by: int, offset: list[int]) -> None:
        boxes = [_shifted(box, offset) for box in self._bodies.boxes(row)]
        for other in self._met(row, boxes, axis, by):
            for trigger, body in ((other, row), (row, other)):
                flags = self._bodies.columns.flags[trigger]
                if flags & SWEPT and self._contacts.reported(trigger, body):
                    spans = _spans(boxes, self._bodies.boxes(other), axis, by, bool(flags & TOUCHING))
                    self._note(trigger, body, spans, 2 * abs(by))

    def _met(self, row: int, boxes: list[Faces], axis: int, by: int) -> list[int]:
        """Return the rows whose boxes the path of `boxes` may meet, where a swept trigger is on either side."""
        found: set[int] = set()
        mine = self._bodies.columns.flags[row] & SWEPT
        for box in boxes:
            low, high = list(box[:3]), list(box[3:])
            low[axis] += min(by, 0)
            high[axis] += max(by, 0)
            for grid in (self._bodies.dynamic, self._bodies.static):
                found.update(_owners(grid, low, high))
        found.discard(row)
        flags = self._bodies.columns.flags
        return sorted(other for other in found if mine or flags[other] & SWEPT)

    def _note(self, trigger: int, other: int, spans: list[tuple[int, int]], length: int) -> None:
        """Add the changes of one leg: `spans` are the merged open intervals of overlap, in half units."""
        inside = any(start < 0 < end for start, end in spans)
        changes = [inside]
        for start, end in spans:
            if 0 <= start < length:
                changes.append(True)
            if 0 < end <= length and (start >= 0 or inside):
                changes.append(False)
        pair = (trigger, other)
        if pair not in self._changes:
            if changes == [False] and self._before(trigger, other) is False:
                return
            self._changes[pair] = [self._before(trigger, other)]
            for row in pair:
                self._of_row.setdefault(row, set()).add(pair)
        states = self._changes[pair]
        for state in changes:
            if state != states[-1]:
                states.append(state)

    def _before(self, trigger: int, other: int) -> bool:
        pair = self._contacts.find(trigger, other)
        return pair >= 0 and not self._contacts.lingers[pair]

    def finish(self, frame: int, record: Record, linger: Linger, why: Why) -> None:
        """Write down the crossings of the frame, after its ends have been compared.

        `linger(record, frame)` keeps a contact; `why(trigger, other)` is the reason why a contact would have ended.
        """
        entity = self._bodies.entity
        for (trigger, other), states in self._changes.items():
            now, reason = self._before(trigger, other), why(trigger, other)
            if now != states[-1]:
                states.append(now)
            lasting = self._bodies.of(trigger).trigger
            if not self._bodies.has(trigger, TRIGGER) or lasting is None:
                continue
            kept = not now and self._contacts.find(trigger, other) >= 0  # it lingers: nobody was told that it left
            if kept or (lasting.linger and reason is LeftReason.MOVED):
                if lasting.linger and not now and True in states[1:]:
                    self._hold(trigger, other, frame, record, linger)
                continue
            further = states[1:] if states[0] == now else states[2:]
            if further:
                told = [None if state else LeftReason.MOVED for state in further]
                told[-1] = None if now else reason
                record.crossings.append(((entity(trigger), entity(other)), tuple(told)))
        self._changes.clear()
        self._of_row.clear()

    def told(self) -> list[tuple[int, int, bool]]:
        """Return (trigger row, other row, whether it came inside) for each change on the way, pair by pair.

        The state before the first is that of the contact.
        """
        return [(*pair, state) for pair, states in self._changes.items() for state in states[1:]]

    def set_back(self, changes: Iterable[tuple[int, int, bool]]) -> None:
        """Follow pairs from where `told` told of them; contacts have been set back."""
        self._changes.clear()
        self._of_row.clear()
        for trigger, other, state in changes:
            pair = (trigger, other)
            self._changes.setdefault(pair, [not state]).append(state)
            for row in pair:
                self._of_row.setdefault(row, set()).add(pair)

    def _hold(self, trigger: int, other: int, frame: int, record: Record, linger: Linger) -> None:
        """Keep a contact seen on the way for the trigger's linger frames."""
        if self._contacts.find(trigger, other) < 0:
            record.entered.add(self._bodies.entity(trigger), self._bodies.entity(other), 0)
        linger(self._contacts.hold(trigger, other), frame + 1)


def _shifted(box: Faces, by: list[int]) -> Faces:
    x, y, z = by
    return (box[0] + x, box[1] + y, box[2] + z, box[3] + x, box[4] + y, box[5] + z)


def _owners(grid: Grid, low: list[int], high: list[int]) -> set[int]:
    count = grid.collect(low[0], low[1], low[2], high[0], high[1], high[2])
    owner, hits = grid.owner, grid.hits
    return {owner[hits[at]] for at in range(count)}


def _spans(moving: list[Faces], still: list[Faces], axis: int, by: int, touching: bool) -> list[tuple[int, int]]:
    """Return the merged intervals of the way, in half units, in which any two boxes meet.

    Intervals are open; where touching counts the closed interval is widened by half a unit either side.
    Intervals that abut are one: leaving a box for its neighbour in a compound is not leaving.
    """
    spans = []
    for a in moving:
        for b in still:
            faces_meet = 0
            for across in range(3):
                if across != axis and not (a[across] < b[across + 3] and b[across] < a[across + 3]):
                    apart = a[across] > b[across + 3] or b[across] > a[across + 3]
                    faces_meet += 2 if apart else 1
            if faces_meet > (1 if touching else 0):
                continue
            if by > 0:
                start, end = 2 * (b[axis] - a[axis + 3]), 2 * (b[axis + 3] - a[axis])
            else:
                start, end = 2 * (a[axis] - b[axis + 3]), 2 * (a[axis + 3] - b[axis])
            if touching and faces_meet == 0:
                start, end = start - 1, end + 1
            spans.append((start, end))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
