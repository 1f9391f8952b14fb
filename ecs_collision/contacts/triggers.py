# cython: language_level=3, auto_pickle=False
"""Reporters: which bodies entered, stayed in and left triggers, and which solid bodies are in contact (rules T and C).

Contacts are found at the end of a frame, from the state at that time. Between two frames only the contacts of removed
bodies end. The store has what was reported, fused bodies under the row of their leader; `update.py` writes it and this
module reads it. A trigger and a solid body that asks for contacts differ in what they report (bodies/filters.py) and in
the events; all else is alike.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ASKS, ENABLED, REPORTER, TRIGGER
from ecs_collision.components import Contact, Parts, Trigger
from ecs_collision.contacts.crossings import Paths, Sweeps
from ecs_collision.contacts.overlaps import Overlaps, reported_row
from ecs_collision.contacts.report_log import ContactRecord, Holding, Pair, ReportLog, contact_normal
from ecs_collision.contacts.store import REASONS, ContactStore, end_reason
from ecs_collision.contacts.update import ContactUpdate
from ecs_collision.events import LeftReason, Vector

__all__ = ["REASONS", "ContactRecord", "Triggers"]

FULL_PASS_SHARE = 0.5
"""Times half the binary logarithm of the number of bodies, and one more than the bands of their sizes: if more than one
body in that many changed, one pass over all awake pairs takes less time than a search for each.

A search waits for memory, longer in a larger world, and looks into the buckets of each band; a pass hardly depends on
either. Measured with cold caches, both take the same time if 18 to 20 % of 1,000 bodies move, 15 % of 10,000 and 12 to
15 % of 100,000; if sizes differ tenfold, 7 to 10, 5 to 6 and 6 %.
"""

FULL_PASS_MINIMUM = 64
"""Below this many changed bodies the cost does not matter, and searching for each keeps the counters simple."""


class ContactsMark(NamedTuple):
    """The state of contacts outside their store.

    `until` maps lingering contacts to the frames in which they end, `ending` has all frames in which one may end.
    """

    until: dict[Pair, int]
    ending: list[int]
    paths: Paths


EMPTY_MARK = ContactsMark({}, [], ({}, {}))
"""Nothing lingers or is swept."""


@cython.final
@cython.cclass
class Triggers:
    """The contacts of triggers, and of solid bodies that ask for them.

    `dirty_rows` are the rows whose overlaps may differ from those of the last frame.
    """

    def __init__(self, bodies: Bodies, holding: Holding) -> None:
        self._bodies, self._holding = bodies, holding
        self._row_of, self._dynamic = bodies.row_of, bodies.dynamic
        self._stay_rows, self._moving_rows = bodies.stay_rows, bodies.moving_rows
        self.contacts = ContactStore(bodies.columns, bodies.group_links)
        self.overlaps = Overlaps(bodies.columns, bodies.group_links, bodies.dynamic, bodies.static)
        self.update = ContactUpdate(self.contacts, self.overlaps)
        self.dirty_rows = bodies.dirty_rows
        self.sweeps = Sweeps(bodies, self.overlaps, self)
        self._until: dict[Pair, int] = {}
        self._ending: dict[int, set[Pair]] = {}
        self.full_passes = 0
        self.version = 0
        """Count of the changes of contacts."""

    def mark(self) -> object:
        """Return the state for `rollback`. O(lingering and swept contacts).

        These are plain copies: every applied change and every frame makes a mark, and only failures roll back.
        """
        self.contacts.mark()
        if not (self._until or self._ending or self.sweeps.changes):
            return EMPTY_MARK
        return ContactsMark(dict(self._until), list(self._ending), self.sweeps.mark())

    def rollback(self, mark: ContactsMark) -> None:
        """Restore the contacts of `mark`."""
        self.version += 1
        self.contacts.rollback()
        changes, of_row = mark.paths
        self.sweeps.rollback((dict(changes), dict(of_row)))
        self._until = dict(mark.until)
        self._ending = {frame: set() for frame in mark.ending}
        for pair, frame in self._until.items():
            self._ending.setdefault(frame, set()).add(pair)

    def has_work(self, frame: cython.longlong) -> cython.bint:
        """Return whether there is work even if nothing moved: crossings, stays, ends of lingering."""
        if self.dirty_rows.count > 0 or self.sweeps.changes or frame in self._ending:
            return True
        return bool(self._stay_rows) and bool(self.staying())

    def forget_changes(self, frame: cython.longlong) -> cython.bint:
        """Forget what changed if no body asks for contacts and none end in a frame; return whether that is so.

        It may be interrupted and done again.
        """
        if self._has_reporters() or frame in self._ending or self.sweeps.changes:
            return False
        self._forget_all()
        return True

    def _forget_all(self) -> cython.void:
        self.overlaps.store_positions(self.dirty_rows.rows_view, self.dirty_rows.count)
        self.dirty_rows.clear()

    def _has_reporters(self) -> cython.bint:
        """Return whether there is anything to compare for: a reporter, or a contact of one that was removed."""
        return self.contacts.pair_count > 0 or bool(self._bodies.trigger_count or self._bodies.asking_count)

    def next_end(self) -> int:
        """Return the first frame in which a lingering contact may end, or sys.maxsize."""
        return min(self._ending, default=sys.maxsize)

    def release(self, row: int, record: ReportLog) -> None:
        """End every contact of a body that is being removed (T3)."""
        for pair in self.contacts.of_row(row):
            self._end(pair, record, removed=True)
        self.sweeps.release(row)

    def inside(self, row: int) -> list[int]:
        """Return the ids of the bodies in a trigger, lingering ones included, sorted."""
        return sorted(map(self._bodies.entity, self._reported_rows(row, TRIGGER)))

    def in_contact(self, row: int) -> list[int]:
        """Return the ids of the bodies in contact with one that asks, lingering ones included, sorted (C5)."""
        return sorted(map(self._bodies.entity, self._reported_rows(row, ASKS)))

    def _reported_rows(self, row: int, kind: int) -> list[int]:
        """Return the rows that a reporter of a kind has reported, and that have not left or ended, unordered."""
        contacts = self.contacts
        return [
            other
            for reporter, other in contacts.of_row(row)
            if reporter == row and contacts.kind(reporter, other) == kind
        ]

    def staying(self) -> list[int]:
        """Return the rows of triggers that report stays and are not empty."""
        return [row for row in self._enabled_stay_rows() if self._reported_rows(row, TRIGGER)]

    def find_contacts(self, frame: cython.longlong, record: ReportLog) -> cython.void:
        """Log which bodies entered, stayed and left, and which contacts began and ended, in `frame`."""
        rows = self._enabled_stay_rows() if self._stay_rows else ()
        stayed = [(row, other) for row in rows for other in self._reported_rows(row, TRIGGER)] if rows else ()
        touches = self._read_touches(record) if record.touches else {}
        if (self.dirty_rows.count or touches) and self._find_changes(record, touches):
            self._log_changes(frame, record)
        for pair, touch in touches.items():
            self._log_bounces(frame, record, pair, touch)
        if self.sweeps.changes:
            self.sweeps.finish(frame, record)
        for pair in sorted(self._ending.pop(frame)) if frame in self._ending else ():
            if self._until.get(pair) == frame and self.contacts.lingers(pair[0], pair[1]):
                self._end(pair, record)
        for pair in stayed:
            if self.is_reported(pair):
                record.stayed.add(self._bodies.entity(pair[0]), self._bodies.entity(pair[1]), 0)

    def _find_changes(self, record: ReportLog, touches: Touches) -> cython.bint:
        """Update the contacts of all changed bodies; return False if there are no reporters."""
        contacts, count = self.contacts, self.dirty_rows.count
        for pair in contacts.of_another_kind(self.dirty_rows) if contacts.pair_count else ():
            self._end(pair, record)
        if not self._has_reporters():
            self._forget_all()
            return False
        everything: cython.bint = self.pays_full_pass(count)
        self.full_passes += everything
        asking = self.dirty_rows.altered_rows() if self._moving_rows else []
        self.update.update_changed(self.dirty_rows, everything)
        if self._moving_rows or touches:
            self._keep_held(asking, touches)
        return True

    def pays_full_pass(self, count: cython.longlong) -> cython.bint:
        """Return whether one pass over all pairs is cheaper than a search around each of `count` changed bodies.

        Without reporters neither is made.
        """
        levels: cython.int = self._dynamic.boxes.level_bits
        bands: cython.int = 0
        half_bits: cython.int = 0
        share: cython.double = FULL_PASS_SHARE
        minimum: cython.longlong = FULL_PASS_MINIMUM
        bodies: cython.Py_ssize_t = len(self._row_of)
        if count < minimum or not (self._dynamic.may_copy and self._has_reporters()):
            return False
        while levels > 0:
            bands += levels & 3 != 0
            levels >>= 2
        while bodies >> 2 * half_bits > 1:
            half_bits += 1
        return count * share * half_bits * (bands + 1) > bodies

    # Contacts of bodies that steps of dynamics left in contact, with a gap or turned (C1, I2).

    def _keep_held(self, altered: list[int], touches: Touches) -> None:
        """Let contacts go on and begin that steps of dynamics hold, and end those that they let go."""
        contacts = self.contacts
        for pair in contacts.ended_pairs():
            if contacts.kind(pair[0], pair[1]) == ASKS and self._is_held(pair[0], pair[1]):
                contacts.keep(pair[0], pair[1])
        for row in altered if self._bodies.asking_count else ():
            for other in self._holding.held_with(row):
                for pair in ((row, other), (other, row)):
                    if self._bodies.has(pair[0], ASKS) and self.overlaps.reports(pair[0], pair[1]):
                        contacts.mark_seen(pair[0], self.name(pair[0], pair[1]))
        for pair, touch in touches.items():
            touch.is_now = self._is_held(pair[0], pair[1]) or self.overlaps.is_contact(pair[0], pair[1])
            if touch.is_now:
                contacts.mark_seen(pair[0], pair[1])
            else:
                contacts.end(pair[0], pair[1])

    def _is_held(self, row: int, name: int) -> bool:
        """Return whether steps hold an asking body and a row, or one of its group, in contact."""
        rows = self._bodies.group_links.rows_of(name)
        return any(
            self._holding.holds(row, other) and self.overlaps.reports(row, other) and self.name(row, other) == name
            for other in rows
        )

    def _read_touches(self, record: ReportLog) -> Touches:
        """Return what the steps since the last frame noted, by the pairs that asking bodies report."""
        bodies, touches = self._bodies, dict[Pair, TouchChanges]()
        for first, second, began, ended, normal in record.touches:
            if first not in bodies.row_of or second not in bodies.row_of:
                continue
            rows = bodies.row_of[first], bodies.row_of[second]
            for row, other, sign in ((*rows, 1.0), (*rows[::-1], -1.0)):
                if not (bodies.has(row, ASKS) and self.overlaps.reports(row, other)) or self.name(row, other) < 0:
                    continue
                pair = (row, self.name(row, other))
                touch = touches.get(pair)
                if touch is None:
                    is_reported = self.contacts.has(pair[0], pair[1])
                    lingers = self.contacts.lingers(pair[0], pair[1])
                    touch = touches[pair] = TouchChanges(is_reported and not lingers, is_reported)
                x, y, z = normal
                touch.add(began, ended, (sign * x + 0.0, sign * y + 0.0, sign * z + 0.0))
        return touches

    def _log_bounces(self, frame: int, record: ReportLog, pair: Pair, touch: TouchChanges) -> None:
        """Log how often the contact of a pair began and ended, besides its `began` or `ended` of this frame."""
        changes, contact = touch.besides(), self._bodies.of(pair[0]).contact
        if contact is not None and contact.linger:
            if touch.was or touch.is_now or not changes:
                return
            self.add_lingering(pair, frame + 1)
            changes = () if touch.lingered else changes[:1]
        if changes:
            ids = self._bodies.entity(pair[0]), self._bodies.entity(pair[1])
            record.bounces.append((ids, changes))

    def pending_rows(self, record: ReportLog) -> set[int]:
        """Return the rows of which steps noted something that the next update of contacts will read."""
        row_of = self._bodies.row_of
        return {row_of[id] for touch in record.touches for id in touch[:2] if id in row_of}

    def _log_changes(self, frame: cython.longlong, record: ReportLog) -> cython.void:
        contacts = self.contacts
        has_changes = contacts.began_count or contacts.ended_count
        self.version += bool(has_changes or self._until)
        if not has_changes:
            return
        if self._until:  # a contact that lingered and was seen again ends now; its former end is void
            for pair in contacts.ended_pairs():
                if not contacts.lingers(pair[0], pair[1]):
                    self._until.pop(pair, None)
        contacts.log_began(record.entered, record.began, self.overlaps)
        if contacts.began_count:
            self._log_normals(contacts.began_pairs(), record)
        contacts.log_moved(record.left, record.ended)
        for pair in contacts.ended_pairs():
            reason = REASONS[self._end_code(pair)]
            if reason is LeftReason.MOVED and (contacts.lingers(pair[0], pair[1]) or self._linger(pair, frame)):
                continue
            self._end(pair, record)

    def _log_normals(self, began: Iterable[Pair], record: ReportLog) -> None:
        """Log the normals of contacts that began, of other parts than the boxes of two bodies."""
        bodies = self._bodies
        for row, other in began:
            normal = self.overlaps.ball_normal(row, other) or contact_normal(
                bodies, self.overlaps, self._holding, row, other
            )
            record.normals[bodies.entity(row), bodies.entity(other)] = normal

    def _linger(self, pair: Pair, frame: int) -> int:
        """Let an ended contact linger for the frames of its reporter after `frame` - 1; return their number (T5)."""
        reporter = reporter_in(self._bodies.of(pair[0]))
        assert reporter is not None
        if reporter.linger:
            self._linger_until(pair, frame + reporter.linger)
        return reporter.linger

    def _linger_until(self, pair: Pair, frame: int) -> None:
        self.contacts.set_lingering(pair[0], pair[1])
        self.version += 1
        self._until[pair] = frame
        self._ending.setdefault(frame, set()).add(pair)

    def _end(self, pair: Pair, record: ReportLog, *, removed: bool = False) -> None:
        entity = self._bodies.entity
        log = record.left if self.contacts.kind(pair[0], pair[1]) == TRIGGER else record.ended
        log.add(entity(pair[0]), entity(pair[1]), self._end_code(pair, removed))
        self._until.pop(pair, None)
        self.contacts.remove(pair[0], pair[1])
        self.version += 1

    def _end_code(self, pair: Pair, removed: bool = False) -> int:
        """Return the code of the reason why a contact ended in this frame, or would have."""
        columns, links = self._bodies.columns, self._bodies.group_links
        return int(end_reason(columns, links, self.contacts.kind(pair[0], pair[1]), pair[0], pair[1], removed))

    def _enabled_stay_rows(self) -> list[int]:
        return [row for row in self._stay_rows if self._bodies.has(row, ENABLED)]

    # Contacts that triggers reported, for `crossings.Sweeps`.

    def name(self, trigger: int, other: int) -> int:
        """Return the row that a trigger reports for another row, -1 if they are of one group."""
        columns, links = self._bodies.columns, self._bodies.group_links
        return -1 if links.is_same_body(trigger, other) else reported_row(columns, links, other)

    def is_inside(self, pair: Pair) -> bool:
        """Return whether a body is reported inside a trigger and does not only linger."""
        return self.contacts.kind(pair[0], pair[1]) == TRIGGER and not self.contacts.lingers(pair[0], pair[1])

    def is_reported(self, pair: Pair) -> bool:
        """Return whether a body was reported to enter and not yet to leave."""
        return self.contacts.has(pair[0], pair[1])

    def add_lingering(self, pair: Pair, frame: int) -> None:
        """Let a contact linger for the frames of its trigger after `frame` - 1; it is added if there is none."""
        self.contacts.add_lingering(pair[0], pair[1])
        self._linger(pair, frame)

    def reason(self, pair: Pair) -> LeftReason:
        """Return why a contact ended in this frame, or would have."""
        return REASONS[end_reason(self._bodies.columns, self._bodies.group_links, TRIGGER, pair[0], pair[1])]

    # Snapshots.

    @property
    def has_lingering(self) -> bool:
        """Whether a contact may be lingering, so that contacts depend on the frame number."""
        return bool(self._until or self._ending)

    def records(self, frame: int) -> list[ContactRecord]:
        """Return every contact, as `restore` takes them after `frame`."""
        return [
            (row, other, self._until[row, other] - frame if lingering else 0, kind == ASKS)
            for row, other, lingering, kind in self.contacts.all()
        ]

    def restore(self, wanted: list[ContactRecord], frame: int) -> None:
        """Replace the contacts by those that `records` returned after `frame`; fires no events.

        The rows of contacts that are added, removed or changed become dirty: their contacts may not match their boxes.
        """
        contacts = self.contacts
        self.version += 1
        present = {(row, other): (lingering, kind) for row, other, lingering, kind in contacts.all()}
        wanted_contacts = {(row, other): (frames, ASKS if asks else TRIGGER) for row, other, frames, asks in wanted}
        for pair, (lingering, kind) in present.items():
            frames, wanted_kind = wanted_contacts.get(pair, (0, 0))
            if kind != wanted_kind:
                contacts.remove(pair[0], pair[1])
            if kind != wanted_kind or lingering != (frames > 0):
                self._mark_pair_changed(pair)
        self._until.clear()
        self._ending.clear()
        for pair, (frames, kind) in wanted_contacts.items():
            if pair not in present:
                self._mark_pair_changed(pair)
            if frames or present.get(pair) != (False, kind):
                contacts.restore(pair[0], pair[1], kind)
                if frames:
                    self._linger_until(pair, frame + frames)

    def note_let_go(self) -> None:
        """Let the next frame look at contacts that steps hold no more, such as of a mass that became infinite."""
        for row, other, lingering, kind in self.contacts.all():
            if kind == ASKS and not (lingering or self.overlaps.is_contact(row, other) or self._is_held(row, other)):
                self._mark_pair_changed((row, other))

    def _mark_pair_changed(self, pair: tuple[int, int]) -> None:
        for row in pair:
            self.dirty_rows.add(row, True)

    # Checking.

    def faults(self, frame: int, record: ReportLog) -> Iterator[str]:
        """Yield the faults of contacts after `frame`; for unchanged bodies they are compared with the boxes."""
        bodies, contacts = self._bodies, self.contacts
        self.dirty_rows.check()
        contacts.check()
        changed = set(self.dirty_rows.rows[: self.dirty_rows.count]) | self.pending_rows(record)
        self.overlaps.check([row for row in bodies.rows() if row not in changed])
        yield from self.sweeps.faults()
        yield from self._linger_faults(frame)
        for row, other, _, kind in contacts.all():
            if row not in changed and not bodies.has(row, kind):
                yield f"the contact of {bodies.entity(row)} and {bodies.entity(other)} is not of its kind of reporter"
        kept = {(row, other): kind for row, other, lingering, kind in contacts.all() if not lingering}
        for row in bodies.rows():
            for name in bodies.rows() if row not in changed and bodies.has(row, REPORTER) else ():
                if not changed.isdisjoint(bodies.group_links.rows_of(name)):
                    continue
                expected = bodies.columns.flags[row] & REPORTER if self.overlaps.is_contact(row, name) else 0
                if not expected and bodies.has(row, ASKS) and self._is_held(row, name):
                    expected = ASKS
                if expected != kept.get((row, name), 0):
                    state = "missing" if expected else "stale"
                    yield f"contact of {self._reporter_text(row)} and {bodies.entity(name)} is {state}"

    def _reporter_text(self, row: int) -> str:
        return f"{'trigger' if self._bodies.has(row, TRIGGER) else 'solid body'} {self._bodies.entity(row)}"

    def _linger_faults(self, frame: int) -> Iterator[str]:
        contacts, records = self.contacts, set()
        for row, other, lingering, _ in contacts.all():
            records.add((row, other))
            until = self._until.get((row, other), -1)
            if lingering and not (frame < until and (row, other) in self._ending.get(until, ())):
                ids = f"{self._reporter_text(row)} and {self._bodies.entity(other)}"
                yield f"the contact of {ids} lingers but is not scheduled to end"
        if not self._until.keys() <= records:
            yield "a contact that does not exist is scheduled to end"
        if min(self._ending, default=frame + 1) <= frame:
            yield "lingering contacts are scheduled to end in a past frame"


class TouchChanges:
    """How the contact of a pair changed in the steps between two frames.

    `was`: whether it was reported before, and did not linger. `is_now`: whether the two are in contact at the end of
    the frame.
    """

    def __init__(self, was: bool, is_reported: bool) -> None:
        self.was, self.is_now, self.lingered = was, was, is_reported and not was
        self._state, self._changes = was, list[Vector | None]()

    def add(self, began: bool, ended: bool, normal: Vector) -> None:
        """Add a step: whether it pushed the two first, and let them go last."""
        if began and not self._state:
            self._changes.append(normal)
            self._state = True
        if ended and self._state:
            self._changes.append(None)
            self._state = False

    def besides(self) -> tuple[Vector | None, ...]:
        """Return the changes besides the one from `was` to `is_now`: the normal as it begins, None as it ends."""
        changes = self._changes
        if self._state != self.is_now and changes:  # they still touch on the lattice, or were moved after the step
            changes = changes[:-1]
        return tuple(changes[1:] if self.was != self.is_now else changes)


Touches = dict[Pair, TouchChanges]
"""By the row of an asking body, and the row that it reports."""


def reporter_in(parts: Parts) -> Trigger | Contact | None:
    """Return the component that makes a body report others, None for other bodies."""
    return parts.trigger or parts.contact
