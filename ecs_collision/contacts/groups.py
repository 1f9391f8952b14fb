"""What triggers report while bodies are fused: a group is one body, reported under the id of its root (rules T1, T3).

Kernels find the contacts of single bodies. Here they are gathered under the names of groups: a trigger holds a group
while it holds any solid member of it, and nothing of its own group. Fused triggers keep their own names.

Who is inside is judged once a frame, at its end, from who is fused and who overlaps then and from what was told
before. A take-in decides nothing but the end of a body that is gone. So it does not matter how often a frame takes in,
nor what was fused in between, and a restore needs no knowledge of single contacts.

Used only while bodies are fused: it costs a few microseconds a contact that begins or ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ENABLED, TRIGGER
from ecs_collision.contacts.comparison import ContactComparison
from ecs_collision.contacts.trigger_log import CODES, Contact, Pair, TriggerLog
from ecs_collision.events import LeftReason


class Grouped:
    """The contacts that were told: by pair the frame in which a lingering one ends, 0 where something is inside.

    The store of single contacts keeps none that linger meanwhile. `version` counts the changes of what is told.
    `is_lost` is set where what is told comes from a snapshot: then every contact is judged anew.
    """

    def __init__(self, bodies: Bodies, contacts: ContactComparison, told: Iterable[tuple[Pair, int]]) -> None:
        self._bodies = bodies
        self._groups = bodies.groups
        self._contacts = contacts
        self._until: dict[Pair, int] = {}
        self._of_row: dict[int, set[Pair]] = {}
        self._ending: dict[int, set[Pair]] = {}
        self._past: dict[Pair, int | None] = {}
        self.is_lost = False
        self.version = 0
        for pair, until in told:
            self._keep(pair, until)

    # Taking back.

    def mark(self) -> bool:
        """Begin what `rollback` may have to take back, and return what it wants to know. O(what changed since)."""
        self._past = {}
        return self.is_lost

    def rollback(self, was_lost: bool) -> None:
        """Take back what changed since `mark`, whatever was broken off."""
        told = dict(self._until)
        for pair, until in self._past.items():
            if until is None:
                told.pop(pair, None)
            else:
                told[pair] = until
        self._until, self._of_row, self._ending = {}, {}, {}
        for pair, until in told.items():
            self._keep(pair, until)
        self._past = {}
        self.is_lost = was_lost

    # What is told.

    def is_inside(self, pair: Pair) -> bool:
        """Return whether it is told that something is inside a trigger, and it does not merely linger."""
        return self._until.get(pair) == 0

    def is_kept(self, pair: Pair) -> bool:
        """Return whether it was told that something came, and not yet that it left."""
        return pair in self._until

    def told(self) -> list[tuple[Pair, int]]:
        """Return every contact, in no particular order, and when it ends if it lingers."""
        return list(self._until.items())

    def inside(self, trigger: int) -> list[int]:
        """Return the rows under whose names a trigger tells of what is inside, in no particular order."""
        return [name for row, name in self._of_row.get(trigger, ()) if row == trigger]

    def _keep(self, pair: Pair, until: int) -> None:
        self._past.setdefault(pair, self._until.get(pair))
        self._until[pair] = until
        self.version += 1
        for row in pair:
            self._of_row.setdefault(row, set()).add(pair)
        if until:
            self._ending.setdefault(until, set()).add(pair)

    def _leave(self, pair: Pair, reason: LeftReason, record: TriggerLog) -> None:
        trigger, name = pair
        record.left.add(self._bodies.entity(trigger), self._bodies.entity(name), CODES[reason])
        self._forget(pair)

    def _forget(self, pair: Pair) -> None:
        self._past.setdefault(pair, self._until.get(pair))
        del self._until[pair]
        self.version += 1
        for row in pair:
            self._of_row[row].discard(pair)
            if not self._of_row[row]:
                del self._of_row[row]

    # Lingering.

    @property
    def is_waiting(self) -> bool:
        """Whether a contact may be lingering."""
        return bool(self._ending)

    @property
    def ending(self) -> Iterable[int]:
        """The frames in which a lingering contact may end."""
        return self._ending

    def linger(self, pair: Pair, frame: int) -> bool:
        """Keep an ended contact for its trigger's linger frames after `frame` - 1; returns whether there are any."""
        trigger = self._bodies.of(pair[0]).trigger
        if trigger is None or not trigger.linger:
            return False
        self._keep(pair, frame + trigger.linger)
        return True

    def end(self, frame: int, record: TriggerLog) -> None:
        """End what has lingered up to this frame."""
        for pair in sorted(self._ending.pop(frame, ())):
            if self._until.get(pair) == frame:
                self._leave(pair, LeftReason.MOVED, record)

    # Changes.

    def release(self, row: int, record: TriggerLog) -> None:
        """End all that is told of a body that is going, and forget where it is."""
        for pair in sorted(self._of_row.get(row, ())):
            self._leave(pair, LeftReason.DELETED, record)
        for contact in self._contacts.of_row(row):
            self._contacts.drop(contact)

    def judge(self, altered: Iterable[int], is_compared: bool, frame: int, record: TriggerLog) -> None:
        """Write down what came and left; `is_compared`: single contacts have just been compared.

        What is told can only be another where a single contact began or ended, and of the rows that are `altered`: they
        changed otherwise than by being displaced, or came into another group.
        """
        contacts, leader = self._contacts, self._bodies.rings.leader
        doubtful: set[Pair] = set()
        for contact in contacts.begun[: contacts.began_count] if is_compared else ():
            self._doubt(contact, doubtful)
        for contact in contacts.finished[: contacts.ended_count] if is_compared else ():
            self._doubt(contact, doubtful)
            contacts.drop(contact)
        for row in altered:
            doubtful |= self._of_row.get(row, set()) | self._of_row.get(leader[row], set())
            for contact in contacts.of_row(row):
                self._doubt(contact, doubtful)
        if self.is_lost:
            doubtful.update(self._until)
            for trigger, other, _ in contacts.all():
                self._doubt(contacts.find(trigger, other), doubtful)
            self.is_lost = False
        for pair in sorted(doubtful):
            self._judge(pair, frame, record)

    def _doubt(self, contact: int, doubtful: set[Pair]) -> None:
        """Add the pair under which a contact of single bodies is told of."""
        trigger, other = self._contacts.triggers[contact], self._contacts.others[contact]
        if not self._groups.are_one(trigger, other):
            doubtful.add((trigger, self._groups.name_of(other)))

    def _holds(self, pair: Pair) -> bool:
        trigger, name = pair
        if self._groups.are_one(trigger, name):
            return False
        return any(self._contacts.find(trigger, row) >= 0 for row in self._groups.rows_named(name))

    def _judge(self, pair: Pair, frame: int, record: TriggerLog) -> None:
        until = self._until.get(pair)
        if self._holds(pair):
            if until is None:
                record.entered.add(self._bodies.entity(pair[0]), self._bodies.entity(pair[1]), 0)
            if until != 0:
                self._keep(pair, 0)
        elif until is not None:
            reason = self.reason(pair)
            if reason is not LeftReason.MOVED or not (until or self.linger(pair, frame)):
                self._leave(pair, reason, record)

    def reason(self, pair: Pair) -> LeftReason:
        """Return why a contact ended, or would have: the first reason that its bodies give as they are."""
        trigger, name = pair
        flags = self._bodies.columns.flags
        if not flags[trigger] & TRIGGER:
            return LeftReason.DELETED
        if not flags[trigger] & flags[name] & ENABLED:
            return LeftReason.DISABLED
        named = [] if self._groups.are_one(trigger, name) else self._groups.rows_named(name)
        if not any(self._contacts.reported(trigger, row) for row in named):
            return LeftReason.FILTERED
        return LeftReason.MOVED

    # Snapshots, checking.

    def restore(self, wanted: Iterable[Contact], frame: int) -> None:
        """Tell of the contacts that were told of after `frame`; the next comparison judges all of them anew."""
        for pair in list(self._until):
            self._forget(pair)
        self._ending.clear()
        for trigger, name, frames in wanted:
            self._keep((trigger, name), frame + frames if frames else 0)
        self.is_lost = True

    def faults(self, frame: int, is_settled: bool) -> Iterator[str]:
        """Yield what is wrong with what is told after `frame`, and where all is settled, by the single contacts."""
        of_row: dict[int, set[Pair]] = {}
        for pair in self._until:
            for row in pair:
                of_row.setdefault(row, set()).add(pair)
        if self._of_row != of_row:
            yield "what triggers tell of groups is listed otherwise by rows than by pairs"
        lingering = [(pair, until) for pair, until in self._until.items() if until]
        if not all(frame < until and pair in self._ending.get(until, ()) for pair, until in lingering):
            yield "what is told of a group lingers and will not end"
        if min(self._ending, default=frame + 1) <= frame:
            yield "what was told of groups was to end in a frame that is past"
        if any(lingering for _, _, lingering in self._contacts.all()):
            yield "a contact of single bodies lingers, though groups are told of"
        if is_settled and not self.is_lost:
            yield from self._told_faults()

    def _told_faults(self) -> Iterator[str]:
        expected: set[Pair] = set()
        for trigger, other, _ in self._contacts.all():
            self._doubt(self._contacts.find(trigger, other), expected)
        inside = {pair for pair, until in self._until.items() if not until}
        for trigger, name in sorted(expected ^ inside):
            state = "missing" if (trigger, name) in expected else "stale"
            yield (
                f"trigger {self._bodies.entity(trigger)} and the group of {self._bodies.entity(name)}: what is told of "
                f"them is {state}"
            )
