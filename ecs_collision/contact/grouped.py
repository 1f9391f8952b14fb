"""What triggers tell where bodies are welded: a group is one body, told of by its root (rules T1 and T3).

The contacts that kernels find are those of single bodies. Here they are gathered under the names of groups: a trigger
holds a group while it holds any solid member of it, and never one of its own group. Welded triggers keep their names.
So a contact comes with the first member and ends with the last, and where groups join or split, what is told under a
name that no longer holds ends as FILTERED, at the take-in that did it, and what goes on under another comes with the
next comparison.

Used only while anything is welded: it costs a few microseconds a contact that begins or ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ecs_collision.bodies import Bodies
from ecs_collision.contact.record import CODES, Contact, Pair, Record
from ecs_collision.events import LeftReason
from ecs_collision.kernels.changed import Changed
from ecs_collision.kernels.columns import ENABLED, SOLID, TRIGGER
from ecs_collision.kernels.comparison import Comparison


class GroupedBefore(NamedTuple):
    """What was told; `ending` are all frames in which a lingering contact may end."""

    until: dict[Pair, int]
    ending: list[int]
    doubtful: set[Pair]
    bereft: set[Pair]
    is_lost: bool


class Grouped:
    """The contacts told of: by pair the frame in which a lingering one ends, 0 where something is inside.

    The store of single contacts keeps none that linger meanwhile. `version` counts the changes of what is told.
    """

    def __init__(self, bodies: Bodies, contacts: Comparison, told: Iterable[tuple[Pair, int]]) -> None:
        self._bodies = bodies
        self._columns = bodies.columns
        self._rings = bodies.rings
        self._contacts = contacts
        self._until: dict[Pair, int] = {}
        self._of_row: dict[int, set[Pair]] = {}
        self._ending: dict[int, set[Pair]] = {}
        self._doubtful: set[Pair] = set()
        self._bereft: set[Pair] = set()
        self.is_lost = False
        self.version = 0
        for pair, until in told:
            self._keep(pair, until)

    # Taking back.

    def memento(self) -> GroupedBefore:
        """Return what is told, for `put_back`: plain copies, since every take-in asks for them."""
        doubtful, bereft = set(self._doubtful), set(self._bereft)
        return GroupedBefore(dict(self._until), list(self._ending), doubtful, bereft, self.is_lost)

    def put_back(self, before: GroupedBefore) -> None:
        """Tell what was told, whatever was broken off."""
        self.version += 1
        self._until, self._of_row = {}, {}
        self._ending = {frame: set() for frame in before.ending}
        for pair, until in before.until.items():
            self._keep(pair, until)
        self._doubtful, self._bereft, self.is_lost = before.doubtful, before.bereft, before.is_lost

    # Names.

    def name(self, trigger: int, other: int) -> int:
        """Return the row under whose name a trigger tells of another row, -1 where it does not."""
        leader = self._rings.leader[other]
        if leader == self._rings.leader[trigger]:
            return -1
        return int(leader) if self._columns.flags[other] & SOLID else other

    def _rows_of(self, name: int) -> list[int]:
        """Return the rows that are told of under a name."""
        if self._rings.leader[name] != name:
            return [] if self._columns.flags[name] & SOLID else [name]
        return [row for row in self._rings.rows_of(name) if row == name or self._columns.flags[row] & SOLID]

    def _holds(self, pair: Pair) -> bool:
        trigger, name = pair
        if self._rings.leader[trigger] == self._rings.leader[name]:
            return False
        return any(self._contacts.find(trigger, row) >= 0 for row in self._rows_of(name))

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
        self._until[pair] = until
        self.version += 1
        for row in pair:
            self._of_row.setdefault(row, set()).add(pair)
        if until:
            self._ending.setdefault(until, set()).add(pair)

    def _leave(self, pair: Pair, reason: LeftReason, record: Record) -> None:
        trigger, name = pair
        record.left.add(self._bodies.entity(trigger), self._bodies.entity(name), CODES[reason])
        self._forget(pair)

    def _forget(self, pair: Pair) -> None:
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

    def end(self, frame: int, record: Record) -> None:
        """End what has lingered up to this frame."""
        for pair in sorted(self._ending.pop(frame, ())):
            if self._until.get(pair) == frame:
                self._leave(pair, LeftReason.MOVED, record)

    # Changes.

    @property
    def is_due(self) -> bool:
        """Whether something has to be looked at though nothing changed."""
        return bool(self._doubtful) or self.is_lost

    def release(self, row: int, record: Record) -> None:
        """End all that is told of a body that is going, and what hangs on it alone when groups are made anew."""
        for pair in sorted(self._of_row.get(row, ())):
            self._leave(pair, LeftReason.DELETED, record)
        group = self._bodies.groups.of(self._bodies.entity(row))
        root = None if group is None else self._bodies.row_of.get(group.root)
        for contact in self._contacts.of_row(row):
            trigger, other = self._contacts.triggers[contact], self._contacts.others[contact]
            if other == row and root not in (None, row) and self._columns.flags[row] & SOLID:
                assert root is not None
                self._bereft.add((trigger, root))
            self._contacts.drop(contact)

    def regrouped(self, rows: Iterable[int], record: Record) -> None:
        """End what is told under names that hold no more, now that rows are in other groups."""
        pairs = set(self._bereft)
        for row in rows:
            pairs |= self._of_row.get(row, set())
            for contact in self._contacts.of_row(row):
                self._doubt(self._contacts.triggers[contact], self._contacts.others[contact])
        for pair in sorted(pairs):
            until = self._until.get(pair)
            if until is None or self._holds(pair):
                continue
            reason = self.reason(pair)
            if reason is LeftReason.MOVED and not until:
                reason = LeftReason.DELETED if pair in self._bereft else LeftReason.FILTERED
            if reason is not LeftReason.MOVED:
                self._leave(pair, reason, record)
        self._bereft.clear()

    def _doubt(self, trigger: int, other: int) -> None:
        """Look anew at what is told of a contact of single bodies."""
        name = self.name(trigger, other)
        if name >= 0:
            self._doubtful.add((trigger, name))

    # The comparison.

    def note(self, changed: Changed) -> None:
        """Doubt what is told of rows that changed otherwise than by being displaced, before they are compared."""
        for row in changed.rows[: changed.count]:
            if changed.altered[row]:
                self._doubtful |= self._of_row.get(row, set()) | self._of_row.get(self._rings.leader[row], set())

    def take(self) -> None:
        """Take in which single contacts began and ended in a comparison that has just been made."""
        contacts = self._contacts
        for contact in contacts.begun[: contacts.began_count]:
            self._doubt(contacts.triggers[contact], contacts.others[contact])
        for contact in contacts.finished[: contacts.ended_count]:
            self._doubt(contacts.triggers[contact], contacts.others[contact])
            contacts.drop(contact)

    def judge(self, frame: int, record: Record) -> None:
        """Write down what came and left, of all that is in doubt."""
        contacts = self._contacts
        if self.is_lost:
            self._doubtful.update(self._until)
            for trigger, other, _ in contacts.all():
                self._doubt(trigger, other)
            self.is_lost = False
        for pair in sorted(self._doubtful):
            self._judge(pair, frame, record)
        self._doubtful.clear()

    def _judge(self, pair: Pair, frame: int, record: Record) -> None:
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
        """Return why a contact ended, or would have, by the state of its bodies."""
        trigger, name = pair
        flags = self._columns.flags
        if not flags[trigger] & TRIGGER:
            return LeftReason.DELETED
        if not flags[trigger] & flags[name] & ENABLED:
            return LeftReason.DISABLED
        is_own = self._rings.leader[trigger] == self._rings.leader[name]
        if is_own or not any(self._contacts.reported(trigger, row) for row in self._rows_of(name)):
            return LeftReason.FILTERED
        return LeftReason.MOVED

    # Snapshots, checking.

    def set_back(self, wanted: Iterable[Contact], frame: int) -> None:
        """Tell of the contacts that were told of after `frame`, as far as the next comparison finds them so."""
        for pair in list(self._until):
            self._forget(pair)
        self._ending.clear()
        for trigger, name, frames in wanted:
            self._keep((trigger, name), frame + frames if frames else 0)
        self.is_lost = True

    def faults(self, frame: int) -> Iterator[str]:
        """Yield what is wrong with what is told after `frame`, and, unless there is doubt, by the single contacts."""
        of_row: dict[int, set[Pair]] = {}
        for pair in self._until:
            for row in pair:
                of_row.setdefault(row, set()).add(pair)
        if self._of_row != of_row:
            yield "what triggers tell of groups is listed otherwise by rows than by pairs"
        lingering = [(pair, until) for pair, until in self._until.items() if until]
        if not all(frame < until and pair in self._ending.get(until, ()) for pair, until in lingering):
            yield "what is told of a group lingers and will not end"
        if min(self._ending, default=frame + 1) <= frame or self._bereft:
            yield "what was told of groups was to end in a frame that is past"
        if any(lingering for _, _, lingering in self._contacts.all()):
            yield "a contact of single bodies lingers, though groups are told of"
        if self.is_due:
            return
        single = [(trigger, self.name(trigger, other)) for trigger, other, _ in self._contacts.all()]
        expected = {pair for pair in single if pair[1] >= 0}
        inside = {pair for pair, until in self._until.items() if not until}
        for trigger, name in sorted(expected ^ inside):
            state = "missing" if (trigger, name) in expected else "stale"
            yield (
                f"trigger {self._bodies.entity(trigger)} and the group of {self._bodies.entity(name)}: what is told of "
                f"them is {state}"
            )
