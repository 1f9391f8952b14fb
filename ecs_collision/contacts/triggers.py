"""Triggers: which bodies entered, stayed and left since the last frame (rules T1 to T6).

Contacts are found at the end of a frame, from the state at that time. Between two frames only the contacts of removed
bodies end. The store has what was reported, fused bodies under the row of their leader; `update.py` writes it and this
module reads it.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from typing import NamedTuple

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ENABLED, TRIGGER
from ecs_collision.contacts.crossings import Paths, Sweeps
from ecs_collision.contacts.end_reason import REASONS, end_reason, name_of
from ecs_collision.contacts.overlaps import Overlaps
from ecs_collision.contacts.store import ContactStore
from ecs_collision.contacts.trigger_log import Contact, Pair, TriggerLog
from ecs_collision.contacts.update import ContactUpdate
from ecs_collision.events import LeftReason

__all__ = ["REASONS", "Contact", "Triggers"]

FULL_PASS_SHARE = 4
"""If more than one body in this many changed, one pass over all awake pairs is cheaper than a search for each."""

FULL_PASS_MINIMUM = 64
"""Below this many changed bodies the cost does not matter, and searching for each keeps the counters simple."""

_NO_ROWS, _NO_MARKS = array("i"), array("b")


class ContactsMark(NamedTuple):
    """The state of contacts outside their store.

    `until` maps lingering contacts to the frames in which they end, `ending` has all frames in which one may end.
    `triggers`, `others` and `lingers` are those of the store, whose contacts get other numbers in a rollback.
    """

    until: dict[int, int]
    ending: list[int]
    triggers: array[int]
    others: array[int]
    lingers: array[int]
    paths: Paths


EMPTY_MARK = ContactsMark({}, [], _NO_ROWS, _NO_ROWS, _NO_MARKS, ({}, {}))
"""Nothing lingers or is swept."""


class Triggers:
    """The contacts of triggers.

    `dirty_rows` are the rows whose overlaps may differ from those of the last frame.
    """

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self.contacts = ContactStore(bodies.columns, bodies.group_links)
        self.overlaps = Overlaps(bodies.columns, bodies.group_links, bodies.dynamic, bodies.static)
        self.update = ContactUpdate(self.contacts, self.overlaps)
        self.dirty_rows = bodies.dirty_rows
        self.sweeps = Sweeps(bodies, self.overlaps, self)
        self._until: dict[int, int] = {}
        self._ending: dict[int, set[int]] = {}
        self.full_passes = 0
        self.version = 0
        """Count of the changes of contacts."""

    def mark(self) -> ContactsMark:
        """Return the state for `rollback`. O(lingering and swept contacts).

        These are plain copies: every applied change and every frame makes a mark, and only failures roll back.
        """
        contacts = self.contacts
        contacts.mark()
        if not (self._until or self._ending or self.sweeps.has_changes):
            return EMPTY_MARK
        records = (_NO_ROWS, _NO_ROWS, _NO_MARKS)
        if self._until:
            records = (contacts.triggers[:], contacts.others[:], contacts.lingers[:])
        return ContactsMark(dict(self._until), list(self._ending), *records, self.sweeps.mark())

    def rollback(self, mark: ContactsMark) -> None:
        """Restore the contacts of `mark`."""
        self.version += 1
        self.contacts.rollback()
        changes, of_row = mark.paths
        self.sweeps.rollback((dict(changes), dict(of_row)))
        triggers, others, find = mark.triggers, mark.others, self.contacts.find
        lingering = [(contact, frame) for contact, frame in mark.until.items() if mark.lingers[contact]]
        self._until = {find(triggers[contact], others[contact]): frame for contact, frame in lingering}
        self._ending = {frame: set() for frame in mark.ending}
        for contact, frame in self._until.items():
            self._ending.setdefault(frame, set()).add(contact)

    @property
    def pairs_tested(self) -> int:
        """Number of pairs of boxes that were compared exactly."""
        return int(self.overlaps.pairs_tested)

    @property
    def static_searches(self) -> int:
        """Number of changed bodies for which the static index was searched."""
        return int(self.overlaps.static_searches)

    def has_work(self, frame: int) -> bool:
        """Return whether there is work even if nothing moved: crossings, stays, ends of lingering."""
        if self.dirty_rows.count > 0 or self.sweeps.has_changes:
            return True
        return frame in self._ending or bool(self.staying())

    def next_end(self) -> int:
        """Return the first frame in which a lingering contact may end, or sys.maxsize."""
        return min(self._ending, default=sys.maxsize)

    def release(self, row: int, record: TriggerLog) -> None:
        """End every contact of a body that is being removed (T3)."""
        for contact in self.contacts.of_row(row):
            self._end(contact, record, removed=True)
        self.sweeps.release(row)

    def inside(self, row: int) -> list[int]:
        """Return the ids of the bodies in a trigger, lingering ones included, sorted."""
        return sorted(map(self._bodies.entity, self._inside_rows(row)))

    def _inside_rows(self, row: int) -> list[int]:
        """Return the rows that are reported to be in a trigger, unordered."""
        contacts = self.contacts
        return [contacts.others[pair] for pair in contacts.of_row(row) if contacts.triggers[pair] == row]

    def staying(self) -> list[int]:
        """Return the rows of triggers that report stays and are not empty."""
        return [row for row in self._stay_rows() if self._inside_rows(row)]

    def find_contacts(self, frame: int, record: TriggerLog) -> None:
        """Log which bodies entered, stayed and left in `frame`."""
        stayed = [(row, other) for row in self._stay_rows() for other in self._inside_rows(row)]
        if self.dirty_rows.count and self._find_changes():
            self._log_changes(frame, record)
        self.sweeps.finish(frame, record)
        self._end_lingering(frame, record)
        entity = self._bodies.entity
        for pair in stayed:
            if self.is_reported(pair):
                record.stayed.add(entity(pair[0]), entity(pair[1]), 0)

    def _end_lingering(self, frame: int, record: TriggerLog) -> None:
        for contact in sorted(self._ending.pop(frame, ())):
            if self._until.get(contact) == frame and self.contacts.lingers[contact]:
                self._end(contact, record)

    def _find_changes(self) -> bool:
        """Update the contacts of all changed bodies; return False if there are no triggers."""
        contacts, count = self.contacts, self.dirty_rows.count
        if not self._bodies.trigger_count and not contacts.pair_count:
            self.overlaps.store_positions(self.dirty_rows.rows[:count])
            self.dirty_rows.clear()
            return False
        everything = count >= FULL_PASS_MINIMUM and count * FULL_PASS_SHARE > len(self._bodies)
        self.full_passes += everything
        self.update.update_changed(self.dirty_rows, everything)
        return True

    def _log_changes(self, frame: int, record: TriggerLog) -> None:
        contacts = self.contacts
        self.version += bool(contacts.began_count or contacts.ended_count or self._until)
        if self._until:  # a contact that lingered and was seen again ends now; its former end is void
            for contact in contacts.ended[: contacts.ended_count]:
                if not contacts.lingers[contact]:
                    self._until.pop(contact, None)
        contacts.log_began(record.entered)
        contacts.log_moved(record.left)
        for contact in contacts.ended[: contacts.ended_count]:
            pair = contacts.triggers[contact], contacts.others[contact]
            if self.reason(pair) is LeftReason.MOVED and (contacts.lingers[contact] or self._linger(contact, frame)):
                continue
            self._end(contact, record)

    def _linger(self, contact: int, frame: int) -> int:
        """Let an ended contact linger for the frames of its trigger after `frame` - 1; return their number (T5)."""
        trigger = self._bodies.of(self.contacts.triggers[contact]).trigger
        assert trigger is not None
        if trigger.linger:
            self._linger_until(contact, frame + trigger.linger)
        return trigger.linger

    def _linger_until(self, contact: int, frame: int) -> None:
        self.contacts.set_lingering(contact)
        self.version += 1
        self._until[contact] = frame
        self._ending.setdefault(frame, set()).add(contact)

    def _end(self, contact: int, record: TriggerLog, *, removed: bool = False) -> None:
        contacts, bodies = self.contacts, self._bodies
        trigger, name = contacts.triggers[contact], contacts.others[contact]
        reason = end_reason(bodies.columns, bodies.group_links, trigger, name, removed)
        record.left.add(bodies.entity(trigger), bodies.entity(name), reason)
        self._until.pop(contact, None)
        contacts.remove(contact)
        self.version += 1

    def _stay_rows(self) -> list[int]:
        return [row for row in self._bodies.stay_rows if self._bodies.has(row, ENABLED)]

    # Reported contacts, for `crossings.Sweeps`.

    def name(self, trigger: int, other: int) -> int:
        """Return the row that a trigger reports for another row, -1 if they are of one group."""
        columns, links = self._bodies.columns, self._bodies.group_links
        return -1 if links.is_same_body(trigger, other) else name_of(columns, links, other)

    def is_inside(self, pair: Pair) -> bool:
        """Return whether a body is reported inside a trigger and does not only linger."""
        contact = self.contacts.find(*pair)
        return contact >= 0 and not self.contacts.lingers[contact]

    def is_reported(self, pair: Pair) -> bool:
        """Return whether a body was reported to enter and not yet to leave."""
        return self.contacts.find(*pair) >= 0

    def add_lingering(self, pair: Pair, frame: int) -> None:
        """Let a contact linger for the frames of its trigger after `frame` - 1; it is added if there is none."""
        self._linger(self.contacts.add_lingering(*pair), frame)

    def reason(self, pair: Pair) -> LeftReason:
        """Return why a contact ended in this frame, or would have."""
        return REASONS[end_reason(self._bodies.columns, self._bodies.group_links, *pair)]

    # Snapshots.

    @property
    def has_lingering(self) -> bool:
        """Whether a contact may be lingering, so that contacts depend on the frame number."""
        return bool(self._until or self._ending)

    def records(self, frame: int) -> list[Contact]:
        """Return every contact as (trigger row, other row, frames after `frame` until it ends; 0: not lingering)."""
        contacts, until = self.contacts, self._until
        return [
            (trigger, other, until[contacts.find(trigger, other)] - frame if lingering else 0)
            for trigger, other, lingering in contacts.all()
        ]

    def restore(self, wanted: list[Contact], frame: int) -> None:
        """Replace the contacts by those that `records` returned after `frame`; fires no events.

        The rows of contacts that are added, removed or changed become dirty: their contacts may not match their boxes.
        """
        contacts = self.contacts
        self.version += 1
        present = {(trigger, other): lingering for trigger, other, lingering in contacts.all()}
        wanted_frames = {(trigger, other): frames for trigger, other, frames in wanted}
        for pair, lingering in present.items():
            if pair not in wanted_frames:
                contacts.remove(contacts.find(*pair))
                self._mark_pair_changed(pair)
            elif lingering != (wanted_frames[pair] > 0):
                self._mark_pair_changed(pair)
        self._until.clear()
        self._ending.clear()
        for pair, frames in wanted_frames.items():
            if pair not in present:
                self._mark_pair_changed(pair)
            if pair not in present or frames or present[pair]:
                record = contacts.add_lingering(*pair)
                contacts.lingers[record] = int(frames > 0)
                if frames:
                    self._until[record] = frame + frames
                    self._ending.setdefault(frame + frames, set()).add(record)
        self.update.update_rows(_NO_ROWS, _NO_MARKS, False)  # contacts that `add_lingering` began are not reported

    def _mark_pair_changed(self, pair: tuple[int, int]) -> None:
        for row in pair:
            self.dirty_rows.add(row, True)

    # Checking.

    def faults(self, frame: int) -> Iterator[str]:
        """Yield the faults of contacts after `frame`; for unchanged bodies they are compared with the boxes."""
        bodies, contacts = self._bodies, self.contacts
        self.dirty_rows.check()
        contacts.check()
        self.update.check()
        changed = set(self.dirty_rows.rows[: self.dirty_rows.count])
        self.overlaps.check([row for row in bodies.rows() if row not in changed])
        yield from self.sweeps.faults()
        yield from self._linger_faults(frame)
        kept = {(trigger, other) for trigger, other, lingering in contacts.all() if not lingering}
        for trigger in bodies.rows():
            for name in bodies.rows() if trigger not in changed and bodies.has(trigger, TRIGGER) else ():
                if not changed.isdisjoint(bodies.group_links.rows_of(name)):
                    continue
                expected = bool(self.overlaps.is_contact(trigger, name))
                if expected != ((trigger, name) in kept):
                    state = "missing" if expected else "stale"
                    yield f"contact of trigger {bodies.entity(trigger)} and {bodies.entity(name)} is {state}"

    def _linger_faults(self, frame: int) -> Iterator[str]:
        contacts, records = self.contacts, set()
        for trigger, other, lingering in contacts.all():
            contact = contacts.find(trigger, other)
            records.add(contact)
            until = self._until.get(contact, -1)
            if lingering and not (frame < until and contact in self._ending.get(until, ())):
                ids = f"{self._bodies.entity(trigger)} and {self._bodies.entity(other)}"
                yield f"the contact of trigger {ids} lingers but is not scheduled to end"
        if not self._until.keys() <= records:
            yield "a contact that does not exist is scheduled to end"
        if min(self._ending, default=frame + 1) <= frame:
            yield "lingering contacts are scheduled to end in a past frame"
