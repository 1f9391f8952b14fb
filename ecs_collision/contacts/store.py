# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The contacts of reporters, found by pair and by row.

A reporter is a trigger, or a solid body that asks for contacts. A contact stores the row that it reports: a body
without a group by itself, the solid members of a fused group by their leader (T6, C2). It also stores the `kind` of the
reporter when it began, TRIGGER or ASKS: a body that turns from the one into the other ends its contacts (T3, C3).

Each row in contact has a small hash table of the rows that it reports or that report it. A table of up to six fills one
cache line, so a contact that begins or ends, and the same pair the other way round, takes two.

Not taken: one table of all pairs with linked lists by row, which takes five to ten cache lines for a contact; merging
two sorted arrays of pairs as Box2D does, because that visits every pair in every frame.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.box_pool import prefetch
    from cython.cimports.ecs_collision.contacts.overlaps import reported_row
else:
    from ecs_collision.contacts.overlaps import reported_row

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import ASKS, ENABLED, LINGERS, REPORTER, TRIGGER, Columns, GroupLinks
from ecs_collision.bodies.dirty_rows import DirtyRows
from ecs_collision.contacts.overlaps import NO_NORMAL, Overlaps
from ecs_collision.contacts.pair_log import PairLog
from ecs_collision.events import LeftReason

REASONS = (LeftReason.MOVED, LeftReason.DELETED, LeftReason.DISABLED, LeftReason.FILTERED)
"""Why contacts end. The indices are the codes of `end_reason`, which logs contain."""

CODES = {reason: code for code, reason in enumerate(REASONS)}

_MOVED = cython.declare(cython.int, CODES[LeftReason.MOVED])
_DELETED = cython.declare(cython.int, CODES[LeftReason.DELETED])
_DISABLED = cython.declare(cython.int, CODES[LeftReason.DISABLED])
_FILTERED = cython.declare(cython.int, CODES[LeftReason.FILTERED])

# Constants of C type: compiled code would look others up as Python objects, and make one of a literal beyond 32 bits.
_LINGERS = cython.declare(cython.int, LINGERS)
_ASKS = cython.declare(cython.int, ASKS)
_TRIGGER = cython.declare(cython.int, TRIGGER)
_REPORTER = cython.declare(cython.int, REPORTER)
_ENABLED = cython.declare(cython.int, ENABLED)
_NO_NORMAL = cython.declare(cython.int, NO_NORMAL)

# Bits of the state of an entry; the higher ones are the number of the update in which the contact was last seen.
_REPORTS = cython.declare(cython.int, 1)
_REPORTED = cython.declare(cython.int, 2)
_BY_ASKING = cython.declare(cython.int, 4)
_LINGERING = cython.declare(cython.int, 8)
_BITS = cython.declare(cython.int, 15)
_NUMBER_SHIFT = cython.declare(cython.int, 4)
_NUMBERS = cython.declare(cython.longlong, (1 << 27) - 1)

_FACTOR = cython.declare(cython.longlong, 2654435761)
_LOW = cython.declare(cython.longlong, 0xFFFFFFFF)
_FIRST_TABLE = cython.declare(cython.Py_ssize_t, 12)
"""A large array begins 16 bytes behind a multiple of 64, so that the tables lie on whole cache lines."""


def end_reason(
    columns: Columns,
    links: GroupLinks,
    kind: cython.int,
    reporter: cython.int,
    name: cython.int,
    removed: cython.bint = False,
) -> cython.int:
    """Return the code of the first reason that applies to the end of a contact, from the current state.

    kind: TRIGGER or ASKS, what the reporter was when the contact began. removed: whether the body of one of the two
    rows is about to be removed.
    """
    row: cython.int = name
    if removed or not (columns.flags_view[reporter] & kind):
        return _DELETED
    if not (columns.flags_view[reporter] & columns.flags_view[name] & _ENABLED):
        return _DISABLED
    if links.is_same_body(reporter, name):
        return _FILTERED
    while True:
        if reported_row(columns, links, row) == name and columns.reports(reporter, row):
            return _MOVED
        row = links.next_row_view[row]
        if row == name:
            return _FILTERED


@cython.final
@cython.cclass
class ContactStore:
    """A store of contacts, each a pair of rows (reporter, other).

    `began` has the pairs of which contacts began in this pass, `ended` those that ended, two numbers for each. An ended
    contact stays in the store until it is removed; a lingering one stays with a mark, which is cleared when it is seen
    again. Changes since `mark` are logged for `rollback`.

    `tables[row]` is the place of the table of a row in `numbers`, -1 without contacts. A table has the number of its
    entries and its level, then (8 << level) - 1 slots with open addressing; an entry is a row and a state.
    """

    def __init__(self, columns: Columns, links: GroupLinks) -> None:
        self.columns, self.links = columns, links
        self.tables, self.numbers, self.unused = array("i"), array("i", bytes(4 * 1024)), array("i", [-1] * 32)
        self.used = _FIRST_TABLE
        self.began, self.ended, self.found = (array("i", bytes(4 * 64)) for _ in range(3))
        self.undo_log = array("i", bytes(4 * 3 * 64))
        self.pair_count = self.began_count = self.ended_count = self.undo_count = 0
        self.pass_number = self.number = 0
        self.reserve_rows()

    def reserve_rows(self) -> cython.void:
        """Make room for every row of the table of bodies."""
        old: cython.Py_ssize_t = len(self.tables)
        if old != self.columns.capacity:
            tables: cython.int[::1] = longer(self.tables, self.columns.capacity)
            for at in range(old, self.columns.capacity):
                tables[at] = -1
            self.tables = tables

    # The tables of rows.

    def fetch(self, row: cython.int, is_near: cython.bint) -> cython.void:
        """Ask for the memory of the place of the table of a row, or, if it is near, of the table."""
        if cython.compiled and not is_near:
            prefetch(cython.address(self.tables[row]))
        elif cython.compiled and self.tables[row] >= 0:
            prefetch(cython.address(self.numbers[self.tables[row]]))

    def slot_of(self, table: cython.Py_ssize_t, row: cython.int) -> cython.Py_ssize_t:
        """Return the place of the entry for a row in a table, or of the free slot for it."""
        size: cython.Py_ssize_t = (8 << self.numbers[table + 1]) - 1
        at: cython.Py_ssize_t = self.home(row, size)
        while self.numbers[table + 2 + 2 * at] >= 0 and self.numbers[table + 2 + 2 * at] != row:
            at = at + 1 if at + 1 < size else 0
        return table + 2 + 2 * at

    def home(self, row: cython.int, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the slot in which the search for a row begins."""
        return (((row * _FACTOR) & _LOW) * size) >> 32

    def find(self, row: cython.int, other: cython.int) -> cython.Py_ssize_t:
        """Return the place of the entry of a row for another, -1 if there is none."""
        if row >= len(self.tables) or self.tables[row] < 0:
            return -1
        place: cython.Py_ssize_t = self.slot_of(self.tables[row], other)
        return place if self.numbers[place] >= 0 else -1

    def state_of(self, row: cython.int, other: cython.int) -> cython.int:
        """Return the state of the entry of a row for another, 0 if there is none."""
        place: cython.Py_ssize_t = self.find(row, other)
        return self.numbers[place + 1] if place >= 0 else 0

    def entry(self, row: cython.int, other: cython.int) -> cython.Py_ssize_t:
        """Return the place of the entry of a row for another; it is added, with the state 0, if there is none."""
        table: cython.Py_ssize_t = self.tables[row]
        if table < 0:
            table = self.new_table(row, 0)
        place: cython.Py_ssize_t = self.slot_of(table, other)
        if self.numbers[place] >= 0:
            return place
        if 8 * self.numbers[table] + 8 > 7 * ((8 << self.numbers[table + 1]) - 1):
            table = self.new_table(row, self.numbers[table + 1] + 1)
            place = self.slot_of(table, other)
        self.numbers[place + 1] = 0
        self.numbers[place] = other
        self.numbers[table] += 1
        return place

    def keep_bits(self, row: cython.int, place: cython.Py_ssize_t, bits: cython.int) -> cython.void:
        """Clear all bits but these of an entry of a row, and remove it if no contact is left."""
        self.numbers[place + 1] &= bits
        if not self.numbers[place + 1] & (_REPORTS | _REPORTED):
            self.erase(row, place)

    def erase(self, row: cython.int, place: cython.Py_ssize_t) -> cython.void:
        """Remove an entry from the table of a row, and the table with its last entry."""
        table: cython.Py_ssize_t = self.tables[row]
        size: cython.Py_ssize_t = (8 << self.numbers[table + 1]) - 1
        hole: cython.Py_ssize_t = (place - table - 2) >> 1
        at: cython.Py_ssize_t = hole
        if self.numbers[table] == 1:
            self.tables[row] = -1
            self.free(table)
            return
        while True:  # move what was displaced past the hole into it
            at = at + 1 if at + 1 < size else 0
            other: cython.int = self.numbers[table + 2 + 2 * at]
            if other < 0:
                break
            past: cython.Py_ssize_t = at - self.home(other, size)
            if (past if past >= 0 else past + size) >= (at - hole if at > hole else at - hole + size):
                self.numbers[table + 3 + 2 * hole] = self.numbers[table + 3 + 2 * at]
                self.numbers[table + 2 + 2 * hole] = other
                hole = at
        self.numbers[table + 2 + 2 * hole] = -1
        self.numbers[table] -= 1

    def new_table(self, row: cython.int, level: cython.int) -> cython.Py_ssize_t:
        """Give a row a table of a level with its entries, and return it."""
        old: cython.Py_ssize_t = self.tables[row]
        table: cython.Py_ssize_t = self.unused[level]
        if table >= 0:
            self.unused[level] = self.numbers[table]
        else:
            table = self.used
            if table + (16 << level) > len(self.numbers):
                self.numbers = longer(self.numbers, max(2 * len(self.numbers), table + (16 << level)))
            self.used += 16 << level
        self.numbers[table], self.numbers[table + 1] = 0, level
        for at in range(table + 2, table + (16 << level), 2):
            self.numbers[at] = -1
        if old >= 0:
            for at in range(old + 2, old + (16 << self.numbers[old + 1]), 2):
                if self.numbers[at] >= 0:
                    place: cython.Py_ssize_t = self.slot_of(table, self.numbers[at])
                    self.numbers[place], self.numbers[place + 1] = self.numbers[at], self.numbers[at + 1]
            self.numbers[table] = self.numbers[old]
        self.tables[row] = cython.cast(cython.int, table)
        if old >= 0:
            self.free(old)
        return table

    def free(self, table: cython.Py_ssize_t) -> cython.void:
        """Keep a table that no row has for the next of its level."""
        self.numbers[table] = self.unused[self.numbers[table + 1]]
        self.unused[self.numbers[table + 1]] = cython.cast(cython.int, table)

    # Contacts.

    def has(self, reporter: cython.int, other: cython.int) -> bool:
        """Return whether a pair has a contact."""
        return (self.state_of(reporter, other) & _REPORTS) != 0

    def lingers(self, reporter: cython.int, other: cython.int) -> bool:
        """Return whether the contact of a pair lingers."""
        return (self.state_of(reporter, other) & _LINGERING) != 0

    def kind(self, reporter: cython.int, other: cython.int) -> cython.int:
        """Return the kind of reporter of a contact, TRIGGER or ASKS; 0 if the pair has none."""
        state: cython.int = self.state_of(reporter, other)
        if not state & _REPORTS:
            return 0
        return _ASKS if state & _BY_ASKING else _TRIGGER

    def add(self, reporter: cython.int, other: cython.int, kind: cython.int) -> cython.void:
        """Add the contact of a pair that has none, as seen in this pass."""
        self.log_undo(reporter, other, 0)
        place: cython.Py_ssize_t = self.entry(other, reporter) + 1
        self.numbers[place] |= _REPORTED
        place = self.entry(reporter, other) + 1
        self.numbers[place] = self.number | (self.numbers[place] & _REPORTED) | _REPORTS
        if kind == _ASKS:
            self.numbers[place] |= _BY_ASKING
        self.pair_count += 1

    def remove(self, reporter: cython.int, other: cython.int) -> cython.void:
        """Remove the contact of a pair. O(1)."""
        place: cython.Py_ssize_t = self.find(reporter, other)
        self.log_undo(reporter, other, self.numbers[place + 1])
        self.keep_bits(other, self.find(other, reporter), ~_REPORTED)
        self.keep_bits(reporter, place, _REPORTED)
        self.pair_count -= 1

    def mark_seen(self, reporter: cython.int, other: cython.int) -> cython.void:
        """Mark the pair as in contact now; a new contact is added to `began`."""
        place: cython.Py_ssize_t = self.find(reporter, other)
        if place >= 0 and self.numbers[place + 1] & _REPORTS:
            if self.numbers[place + 1] & _LINGERING:
                self.log_undo(reporter, other, self.numbers[place + 1])
            self.numbers[place + 1] = self.number | (self.numbers[place + 1] & _BITS & ~_LINGERING)
            return
        if 2 * self.began_count == len(self.began):
            self.began = longer(self.began, 4 * self.began_count)
        self.add(reporter, other, self.columns.flags_view[reporter] & _REPORTER)
        self.began[2 * self.began_count], self.began[2 * self.began_count + 1] = reporter, other
        self.began_count += 1

    def is_unseen(self, reporter: cython.int, other: cython.int) -> cython.bint:
        """Return whether a pair has a contact that was neither seen nor ended in this pass."""
        state: cython.int = self.state_of(reporter, other)
        return (state & _REPORTS) != 0 and (state & ~_BITS) != self.number

    def set_lingering(self, reporter: cython.int, other: cython.int) -> cython.void:
        """Mark a contact as lingering."""
        place: cython.Py_ssize_t = self.find(reporter, other) + 1
        self.log_undo(reporter, other, self.numbers[place])
        self.numbers[place] |= _LINGERING

    def add_lingering(self, reporter: cython.int, other: cython.int) -> None:
        """Mark the contact of a pair as lingering; it is added if there is none."""
        self.reserve_rows()
        self.mark_seen(reporter, other)
        self.set_lingering(reporter, other)

    def restore(self, reporter: cython.int, other: cython.int, kind: cython.int) -> None:
        """Let a pair have a contact that does not linger; it is added with this kind if there is none."""
        self.reserve_rows()
        place: cython.Py_ssize_t = self.find(reporter, other) + 1
        if place == 0 or not self.numbers[place] & _REPORTS:
            self.add(reporter, other, kind)
        elif self.numbers[place] & _LINGERING:
            self.log_undo(reporter, other, self.numbers[place])
            self.numbers[place] &= ~_LINGERING

    def find_of_row(self, row: cython.int) -> cython.Py_ssize_t:
        """Write the contacts in which a row is the reporter or the other to `found`; return their number."""
        table: cython.Py_ssize_t = self.tables[row]
        count: cython.Py_ssize_t = 0
        if table < 0:
            return 0
        if len(self.found) < 4 * self.numbers[table]:
            self.found = longer(self.found, 4 << (3 + self.numbers[table + 1]))
        for at in range(table + 2, table + (16 << self.numbers[table + 1]), 2):
            if self.numbers[at] < 0:
                continue
            if self.numbers[at + 1] & _REPORTS:
                self.found[2 * count], self.found[2 * count + 1] = row, self.numbers[at]
                count += 1
            if self.numbers[at + 1] & _REPORTED:
                self.found[2 * count], self.found[2 * count + 1] = self.numbers[at], row
                count += 1
        return count

    def of_row(self, row: cython.int) -> list[tuple[int, int]]:
        """Return the contacts in which `row` is the reporter or the other, unordered."""
        count: cython.Py_ssize_t = self.find_of_row(row) if row < len(self.tables) else 0
        return [(self.found[2 * at], self.found[2 * at + 1]) for at in range(count)]

    def all(self) -> list[tuple[int, int, bool, int]]:
        """Return every contact as (reporter row, other row, lingering, kind), unordered."""
        return [
            (row, other, self.lingers(row, other), self.kind(row, other))
            for row in range(len(self.tables))
            for reporter, other in self.of_row(row)
            if reporter == row
        ]

    # Rollback.

    def mark(self) -> cython.void:
        """Start the undo log for `rollback`."""
        self.undo_count = 0

    def log_undo(self, reporter: cython.int, other: cython.int, state: cython.int) -> cython.void:
        """Log the former state of a pair."""
        at: cython.Py_ssize_t = 3 * self.undo_count
        if at == len(self.undo_log):
            self.undo_log = longer(self.undo_log, 2 * at)
        self.undo_log[at], self.undo_log[at + 1], self.undo_log[at + 2] = reporter, other, state
        self.undo_count += 1

    def rollback(self) -> None:
        """Restore the contacts of `mark`, after any interruption."""
        known = {(reporter, other): (kind, lingering) for reporter, other, lingering, kind in self.all()}
        for at in range(3 * self.undo_count - 3, -1, -3):
            pair, state = (self.undo_log[at], self.undo_log[at + 1]), self.undo_log[at + 2]
            if state & _REPORTS:
                known[pair] = (_ASKS if state & _BY_ASKING else _TRIGGER, (state & _LINGERING) != 0)
            else:
                known.pop(pair, None)
        self.clear()
        for (reporter, other), (kind, lingering) in known.items():
            self.add(reporter, other, kind)
            if lingering:
                self.set_lingering(reporter, other)
        self.undo_count = 0

    def clear(self) -> cython.void:
        """Remove all contacts."""
        for at in range(len(self.tables)):
            self.tables[at] = -1
        for at in range(len(self.unused)):
            self.unused[at] = -1
        self.used = _FIRST_TABLE
        self.pair_count = self.began_count = self.ended_count = self.undo_count = 0

    # An update.

    def begin_pass(self) -> cython.int:
        """Start an update: nothing has begun, ended or been seen in it."""
        before: cython.int = self.number
        self.reserve_rows()
        self.began_count = self.ended_count = 0
        self.pass_number = self.pass_number + 1 if self.pass_number < 2147483647 else 1
        self.number = cython.cast(cython.int, (self.pass_number & _NUMBERS) << _NUMBER_SHIFT)
        if self.number <= before:  # the numbers in the states restart after 2**27 updates
            for row in range(len(self.tables)):
                table: cython.Py_ssize_t = self.tables[row]
                for at in range(table + 3, table + (16 << self.numbers[table + 1]) if table >= 0 else 0, 2):
                    self.numbers[at] &= _BITS
        return 0

    def add_ended(self, reporter: cython.int, other: cython.int) -> cython.void:
        """Add the contact of a pair to `ended`, once, if it has one that was not seen in this pass."""
        place: cython.Py_ssize_t = self.find(reporter, other) + 1
        if place == 0 or not self.numbers[place] & _REPORTS or (self.numbers[place] & ~_BITS) == self.number:
            return
        if 2 * self.ended_count == len(self.ended):
            self.ended = longer(self.ended, 4 * self.ended_count)
        self.numbers[place] = self.number | (self.numbers[place] & _BITS)
        self.ended[2 * self.ended_count], self.ended[2 * self.ended_count + 1] = reporter, other
        self.ended_count += 1

    def end(self, reporter: cython.int, other: cython.int) -> None:
        """End the contact of a pair, if there is one that was not seen and does not linger."""
        if not self.lingers(reporter, other):
            self.add_ended(reporter, other)

    def keep(self, reporter: cython.int, other: cython.int) -> None:
        """Take a contact out of `ended` again."""
        count: cython.Py_ssize_t = 0
        for at in range(self.ended_count):
            if self.ended[2 * at] != reporter or self.ended[2 * at + 1] != other:
                self.keep_ended(at, count)
                count += 1
        self.ended_count = count
        self.mark_seen(reporter, other)

    def keep_ended(self, at: cython.Py_ssize_t, to: cython.Py_ssize_t) -> cython.void:
        """Move a pair of `ended` to a place further in front."""
        self.ended[2 * to], self.ended[2 * to + 1] = self.ended[2 * at], self.ended[2 * at + 1]

    def end_unseen(self, row: cython.int) -> cython.void:
        """End the contacts of a row that were not seen in this pass.

        For a member of a group this includes the contacts of its leader, which other members may still have.
        """
        leader: cython.int = self.links.leader_view[row]
        for at in range(self.find_of_row(row)):
            self.add_ended(self.found[2 * at], self.found[2 * at + 1])
        if leader != row:
            for at in range(self.find_of_row(leader)):
                if self.found[2 * at + 1] == leader:
                    self.add_ended(self.found[2 * at], leader)

    def of_another_kind(self, changed: DirtyRows) -> list[tuple[int, int]]:
        """Return the contacts of altered rows that are no such reporters any more as when the contacts began."""
        found: list = []  # type: ignore[type-arg]
        self.reserve_rows()
        for at in range(changed.count):
            row: cython.int = changed.rows_view[at]
            if changed.altered_view[at] and self.tables[row] >= 0:
                flags: cython.int = self.columns.flags_view[row]
                found += [pair for pair in self.of_row(row) if pair[0] == row and not flags & self.kind(*pair)]
        return found

    def began_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs in `began`."""
        return [(self.began[2 * at], self.began[2 * at + 1]) for at in range(self.began_count)]

    def ended_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs in `ended`."""
        return [(self.ended[2 * at], self.ended[2 * at + 1]) for at in range(self.ended_count)]

    # Reporting.

    def log_began(self, entered: PairLog, began: PairLog, overlaps: Overlaps) -> cython.void:
        """Write the ids of reporter and other of every contact that began to a log, `began` for those that ask.

        The contacts without a normal there stay in `began[:2 * began_count]` for the caller.
        """
        count: cython.Py_ssize_t = 0
        entered.reserve(self.began_count)
        for at in range(self.began_count):
            row: cython.int = self.began[2 * at]
            name: cython.int = self.began[2 * at + 1]
            if not self.columns.flags_view[row] & _ASKS:
                entered.add(self.columns.ids_view[row], self.columns.ids_view[name], 0)
                continue
            code: cython.int = overlaps.normal_code(row, name)
            began.add(self.columns.ids_view[row], self.columns.ids_view[name], code)
            if code == _NO_NORMAL:
                self.began[2 * count], self.began[2 * count + 1] = row, name
                count += 1
        self.began_count = count

    def log_moved(self, left: PairLog, ended: PairLog) -> cython.void:
        """Log and remove the contacts that ended because a body moved away, if the reporter does not linger.

        They are written to `ended` if the reporter asks. The others stay in `ended[:2 * ended_count]` for the caller.
        """
        count: cython.Py_ssize_t = 0
        left.reserve(self.ended_count)
        for at in range(self.ended_count):
            row: cython.int = self.ended[2 * at]
            name: cython.int = self.ended[2 * at + 1]
            state: cython.int = self.state_of(row, name)
            kind: cython.int = _ASKS if state & _BY_ASKING else _TRIGGER
            if (
                not state & _LINGERING
                and not self.columns.flags_view[row] & _LINGERS
                and end_reason(self.columns, self.links, kind, row, name) == 0
            ):
                log: PairLog = ended if kind == _ASKS else left
                log.add(self.columns.ids_view[row], self.columns.ids_view[name], 0)
                self.remove(row, name)
            else:
                self.keep_ended(at, count)
                count += 1
        self.ended_count = count

    # The invariants.

    def check(self) -> None:
        """Verify the tables of rows; raises IndexError with the first fault."""
        contacts, length = 0, 0
        for row, table in enumerate(self.tables):
            if table < 0:
                continue
            entries = self.numbers[table + 2 : table + (16 << self.numbers[table + 1])]
            length += len(entries) + 2
            if self.numbers[table] != sum(other >= 0 for other in entries[::2]) or self.numbers[table] == 0:
                raise IndexError(f"the table of row {row} does not have as many entries as it counts")
            for other, state in zip(entries[::2], entries[1::2], strict=True):
                if other < 0:
                    continue
                contacts += state & _REPORTS
                back = self.state_of(other, row) if other < len(self.tables) else 0
                if self.state_of(row, other) != state or (back & _REPORTED) != 2 * (state & _REPORTS) or not back:
                    raise IndexError(f"the tables of rows {row} and {other} do not have the same contacts")
                if (
                    state & _LINGERING and not state & _REPORTS
                ) or state >> _NUMBER_SHIFT > self.pass_number & _NUMBERS:
                    raise IndexError(f"the contact of rows {row} and {other} has an invalid mark or update number")
        for level, first in enumerate(self.unused):
            table = first
            while table >= 0 and length < self.used:
                length, table = length + (16 << level), self.numbers[table]
        if contacts != self.pair_count or length != self.used - _FIRST_TABLE:
            raise IndexError(f"the store has {contacts} contacts and counts {self.pair_count}, or has lost a table")
