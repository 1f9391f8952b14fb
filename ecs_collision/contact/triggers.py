"""Triggers: who entered, stayed and left since the last frame (rules T1 to T6)."""

from __future__ import annotations

import sys
from array import array
from typing import Protocol

from ecs_collision.bodies import Bodies
from ecs_collision.contact.swept import Sweeps
from ecs_collision.errors import InvariantError
from ecs_collision.events import LeftReason
from ecs_collision.kernels.columns import ENABLED, TRIGGER
from ecs_collision.kernels.comparison import Comparison
from ecs_collision.kernels.log import PairLog

FULL_PASS_SHARE = 4
"""Past one changed body in this many, one pass over all awake pairs is cheaper than a look per changed body."""

FULL_PASS_LEAST = 64
"""Below this many changed bodies the choice does not matter, and a look each keeps the counters simple."""


REASONS = tuple(LeftReason)
"""Why contacts end, by the code in a log; 0 is MOVED, which kernels write."""

_CODES = {reason: code for code, reason in enumerate(REASONS)}


Contact = tuple[int, int, int]
"""Row of a trigger, row of what is in it, and in how many frames the contact will end; 0 where it does not linger."""

_NO_ROWS, _NO_MARKS = array("i"), array("b")


class Record(Protocol):
    """What triggers write down, as (trigger, other): the journal of the frame. The codes of `left` are REASONS."""

    left: PairLog
    entered: PairLog
    stayed: PairLog
    crossings: list[tuple[tuple[int, int], tuple[LeftReason | None, ...]]]


class Triggers:
    """Keeps the contacts of triggers.

    `changed` are the rows whose overlaps may differ from the last frame's. `version` counts the changes of contacts.
    """

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self.contacts = Comparison(bodies.columns, bodies.dynamic, bodies.static)
        self.changed = bodies.changed
        self.sweeps = Sweeps(bodies, self.contacts)
        self._until: dict[int, int] = {}
        self._ending: dict[int, set[int]] = {}
        self.full_passes = 0
        self.version = 0

    def is_due(self, frame: int) -> bool:
        """Return whether a frame in which nothing changed has work here: stays and ends of lingering."""
        return frame in self._ending or self.changed.count > 0 or bool(self.staying())

    def next_end(self) -> int:
        """Return the first frame in which a lingering contact may end, a number beyond all if there is none."""
        return min(self._ending, default=sys.maxsize)

    def release(self, row: int, record: Record) -> None:
        """End every contact of a body that is going (T3)."""
        for pair in self.contacts.of_row(row):
            self._leave(pair, LeftReason.DELETED, record)
        self.sweeps.release(row)

    def inside(self, row: int) -> list[int]:
        """Return the ids of the bodies in a trigger, lingering ones included, sorted."""
        contacts, entity = self.contacts, self._bodies.entity
        pairs = contacts.of_row(row)
        return sorted(entity(contacts.others[pair]) for pair in pairs if contacts.triggers[pair] == row)

    def staying(self) -> list[int]:
        """Return the rows of triggers that report stays and hold somebody."""
        return [row for row in self._stay_rows() if self.contacts.of_row(row)]

    def compare(self, frame: int, record: Record) -> None:
        """Write down who entered, stayed and left in `frame`."""
        stayed = self._staying_pairs()
        if self.changed.count:
            self._compare(frame, record)
        self.sweeps.finish(frame, record, self.linger, self._reason)
        for pair in sorted(self._ending.pop(frame, ())):
            if self._until.get(pair) == frame and self.contacts.lingers[pair]:
                self._leave(pair, LeftReason.MOVED, record)
        find, entity = self.contacts.find, self._bodies.entity
        for trigger, other in stayed:
            if find(trigger, other) >= 0:
                record.stayed.add(entity(trigger), entity(other), 0)

    def _compare(self, frame: int, record: Record) -> None:
        contacts, count = self.contacts, self.changed.count
        if not self._bodies.trigger_count and not contacts.pair_count:
            contacts.remember_all(self.changed.rows[:count])
            self.changed.clear()
            return
        everything = count >= FULL_PASS_LEAST and count * FULL_PASS_SHARE > len(self._bodies)
        self.full_passes += everything
        contacts.compare_changed(self.changed, everything)
        self.version += bool(contacts.began_count or contacts.ended_count or self._until)
        contacts.tell_began(record.entered)
        contacts.tell_moved(record.left)
        for pair in contacts.finished[: contacts.ended_count]:
            reason = self._reason(contacts.triggers[pair], contacts.others[pair])
            if reason is LeftReason.MOVED and (contacts.lingers[pair] or self.linger(pair, frame)):
                continue
            self._leave(pair, reason, record)

    def linger(self, pair: int, frame: int) -> int:
        """Keep an ended contact for its trigger's linger frames after `frame` - 1; returns that number (T5)."""
        trigger = self._bodies.of(self.contacts.triggers[pair]).trigger
        assert trigger is not None
        if trigger.linger:
            self.contacts.lingers[pair] = 1
            self.version += 1
            self._until[pair] = frame + trigger.linger
            self._ending.setdefault(frame + trigger.linger, set()).add(pair)
        return trigger.linger

    def _reason(self, trigger: int, other: int) -> LeftReason:
        flags = self._bodies.columns.flags
        if not flags[trigger] & TRIGGER:
            return LeftReason.DELETED
        if not flags[trigger] & flags[other] & ENABLED:
            return LeftReason.DISABLED
        if not self.contacts.reported(trigger, other):
            return LeftReason.FILTERED
        return LeftReason.MOVED

    def _leave(self, pair: int, reason: LeftReason, record: Record) -> None:
        contacts, entity = self.contacts, self._bodies.entity
        record.left.add(entity(contacts.triggers[pair]), entity(contacts.others[pair]), _CODES[reason])
        self._until.pop(pair, None)
        contacts.drop(pair)
        self.version += 1

    def _stay_rows(self) -> list[int]:
        return [row for row in self._bodies.stay_rows if self._bodies.has(row, ENABLED)]

    def _staying_pairs(self) -> list[tuple[int, int]]:
        """Return (trigger row, other row) of the contacts of triggers that report stays, before this frame."""
        contacts = self.contacts
        return [
            (row, contacts.others[pair])
            for row in self._stay_rows()
            for pair in contacts.of_row(row)
            if contacts.triggers[pair] == row
        ]

    # Snapshots.

    @property
    def is_waiting(self) -> bool:
        """Whether a contact may be lingering, so that what contacts are depends on the frame."""
        return bool(self._until or self._ending)

    def told(self, frame: int) -> list[Contact]:
        """Return every contact as (trigger row, other row, frames after `frame` it will end in; 0: not lingering)."""
        contacts, until = self.contacts, self._until
        return [
            (trigger, other, until[contacts.find(trigger, other)] - frame if lingering else 0)
            for trigger, other, lingering in contacts.all()
        ]

    def set_back(self, wanted: list[Contact], frame: int) -> None:
        """Make the contacts those that `told` gave after `frame`, and tell nobody.

        The rows of contacts that come, go or change count as changed: what the contacts say of them is no longer
        what was found where they stood.
        """
        contacts = self.contacts
        self.version += 1
        now = {(trigger, other): lingering for trigger, other, lingering in contacts.all()}
        then = {(trigger, other): frames for trigger, other, frames in wanted}
        for pair, lingering in now.items():
            if pair not in then:
                contacts.drop(contacts.find(*pair))
                self._distrust(pair)
            elif lingering != (then[pair] > 0):
                self._distrust(pair)
        self._until.clear()
        self._ending.clear()
        for pair, frames in then.items():
            if pair not in now:
                self._distrust(pair)
            if pair not in now or frames or now[pair]:
                record = contacts.hold(*pair)
                contacts.lingers[record] = int(frames > 0)
                if frames:
                    self._until[record] = frame + frames
                    self._ending.setdefault(frame + frames, set()).add(record)
        contacts.compare(_NO_ROWS, _NO_MARKS, False)  # what `hold` noted as begun is no news

    def _distrust(self, pair: tuple[int, int]) -> None:
        for row in pair:
            self.changed.note(row, True)

    def check(self) -> None:
        """Verify the contacts of unchanged bodies against their boxes; raises InvariantError with the first fault."""
        if self.changed.count:
            return
        bodies = self._bodies
        kept = {(trigger, other) for trigger, other, lingering in self.contacts.all() if not lingering}
        for trigger in bodies.rows():
            if not bodies.has(trigger, TRIGGER):
                continue
            for other in bodies.rows():
                if other == trigger:
                    continue
                expected = self.contacts.reported(trigger, other) and self.contacts.touch(trigger, other)
                if expected != ((trigger, other) in kept):
                    state = "missing" if expected else "stale"
                    raise InvariantError(
                        f"contact of trigger {bodies.entity(trigger)} and {bodies.entity(other)} is {state}"
                    )
