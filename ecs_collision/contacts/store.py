# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The contacts of reporters, found by pair and listed by row.

A reporter is a trigger, or a solid body that asks for contacts. A contact stores the row that it reports: a body
without a group by itself, the solid members of a fused group by their leader (T6, C2). It also stores the `kind` of the
reporter when it began, TRIGGER or ASKS: a body that turns from the one into the other ends its contacts (T3, C3).

Not taken: merging two sorted arrays of pairs as Box2D does, because that visits every pair in every frame.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.contacts.overlaps import reported_row
else:
    from ecs_collision.contacts.overlaps import reported_row

from ecs_collision._arrays import grown, longer
from ecs_collision.bodies.columns import ASKS, ENABLED, LINGERS, REPORTER, Columns, GroupLinks
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

# Constants of C type: a literal beyond 32 bits would be a Python object in the compiled loop.
_REPORTER_FACTOR = cython.declare(cython.longlong, 2654435761)
_OTHER_FACTOR = cython.declare(cython.longlong, 40503)
_LINGERS = cython.declare(cython.int, LINGERS)
_ASKS = cython.declare(cython.int, ASKS)
_ENABLED = cython.declare(cython.int, ENABLED)
_REPORTER = cython.declare(cython.int, REPORTER)
_NO_NORMAL = cython.declare(cython.int, NO_NORMAL)
_POSITIVE = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)


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
    """A store of contacts. Contact p is (reporters[p], others[p]).

    `began` has the contacts that began in this pass, `ended` those that ended. An ended contact stays in the store
    until `remove(p)`; a lingering one stays with `lingers[p]` set, which is cleared when it is seen again. Changes
    since `mark` are logged for `rollback`.
    """

    def __init__(self, columns: Columns, links: GroupLinks) -> None:
        self.columns, self.links = columns, links
        self.reporters, self.others = array("i"), array("i")
        self.seen, self.lingers, self.kinds = array("i"), array("i"), array("i")
        self.next, self.previous = array("i"), array("i")
        self.head, self.slots = array("i"), array("i")
        self.began, self.ended = array("i", bytes(256)), array("i", bytes(256))
        self.began_view, self.ended_view = self.began, self.ended
        self.capacity = self.used = 0
        self.free = -1
        self.pair_count = 0
        self.slot_count = 0
        self.began_count = self.ended_count = 0
        self.pass_number = 0
        self.undo_log = array("i", bytes(4 * 4 * 64))
        self.undo_count = 0
        self.grow_pairs()
        self.reserve_rows()

    # Capacity.

    def reserve_rows(self) -> cython.void:
        """Make room for every row of the table."""
        old: cython.Py_ssize_t = len(self.head)
        at: cython.Py_ssize_t
        if old == self.columns.capacity:
            return
        self.head = longer(self.head, self.columns.capacity)
        for at in range(old, self.columns.capacity):
            self.head[at] = -1

    def grow_pairs(self) -> cython.void:
        """Double the capacity for contacts."""
        capacity: cython.Py_ssize_t = max(64, 2 * self.capacity)
        at: cython.Py_ssize_t
        slots = array("i", b"\xff" * (8 * capacity))
        next, previous = grown(2 * capacity, self.next, self.previous)
        self.reporters, self.others, self.lingers, self.kinds, self.seen = grown(
            capacity, self.reporters, self.others, self.lingers, self.kinds, self.seen
        )
        self.reporters_view, self.others_view = self.reporters, self.others
        self.lingers_view, self.kinds_view = self.lingers, self.kinds
        self.next, self.previous, self.slots = next, previous, slots
        self.capacity, self.slot_count = capacity, 2 * capacity
        for at in range(self.used):
            if self.reporters_view[at] >= 0:
                self.insert(at)

    # The hash table: open addressing, slot_count is a power of two at least twice the number of contacts.

    def slot_of(self, reporter: cython.int, other: cython.int) -> cython.Py_ssize_t:
        """Return the slot of the pair, or the free slot for it."""
        mixed: cython.longlong = (reporter * _REPORTER_FACTOR + other * _OTHER_FACTOR) & _POSITIVE
        at: cython.Py_ssize_t = (mixed ^ (mixed >> 15)) & (self.slot_count - 1)
        pair: cython.int
        while True:
            pair = self.slots[at]
            if pair < 0 or (self.reporters_view[pair] == reporter and self.others_view[pair] == other):
                return at
            at = (at + 1) & (self.slot_count - 1)

    def insert(self, pair: cython.int) -> cython.void:
        """Insert a contact into the table."""
        self.slots[self.slot_of(self.reporters_view[pair], self.others_view[pair])] = pair

    def find(self, reporter: cython.int, other: cython.int) -> int:
        """Return the contact of the pair, -1 if there is none."""
        return self.slots[self.slot_of(reporter, other)]

    # Contacts and their lists: side 2p is the reporter's, 2p + 1 the other's.

    def link(self, side: cython.int, row: cython.int) -> cython.void:
        """Insert a side at the head of its row's list."""
        first: cython.int = self.head[row]
        self.next[side] = first
        self.previous[side] = -1
        if first >= 0:
            self.previous[first] = side
        self.head[row] = side

    def unlink(self, side: cython.int, row: cython.int) -> cython.void:
        """Remove a side from its row's list."""
        preceding: cython.int = self.previous[side]
        following: cython.int = self.next[side]
        if preceding >= 0:
            self.next[preceding] = following
        else:
            self.head[row] = following
        if following >= 0:
            self.previous[following] = preceding

    def mark_seen(self, reporter: cython.int, other: cython.int) -> cython.void:
        """Mark the pair as in contact now; a new contact is added to `began`."""
        pair: cython.int = self.slots[self.slot_of(reporter, other)]
        if pair >= 0:
            if self.lingers_view[pair]:
                self.log_undo(reporter, other, self.kinds_view[pair], 1)
            self.seen[pair] = self.pass_number
            self.lingers_view[pair] = 0
            return
        if self.began_count == len(self.began_view):
            self.began = longer(self.began, 2 * self.began_count)
            self.began_view = self.began
        pair = self.add(reporter, other, self.columns.flags_view[reporter] & _REPORTER)
        self.began_view[self.began_count] = pair
        self.began_count += 1

    def add(self, reporter: cython.int, other: cython.int, kind: cython.int) -> cython.int:
        """Add the contact of a pair that has none, as seen in this pass, and return it."""
        pair: cython.int
        if self.free < 0 and self.used == self.capacity:
            self.grow_pairs()
        self.log_undo(reporter, other, kind, -1)
        if self.free >= 0:
            pair = self.free
            self.free = self.next[2 * pair]
            self.reporters_view[pair], self.others_view[pair] = reporter, other
        else:
            pair = self.used
            self.reporters_view[pair], self.others_view[pair] = reporter, other
            self.used += 1
        self.seen[pair] = self.pass_number
        self.lingers_view[pair] = 0
        self.kinds_view[pair] = kind
        self.link(2 * pair, reporter)
        self.link(2 * pair + 1, other)
        self.insert(pair)
        self.pair_count += 1
        return pair

    def remove(self, pair: cython.int) -> cython.void:
        """Remove a contact. O(1)."""
        self.log_undo(self.reporters_view[pair], self.others_view[pair], self.kinds_view[pair], self.lingers_view[pair])
        mask: cython.Py_ssize_t = self.slot_count - 1
        hole: cython.Py_ssize_t = self.slot_of(self.reporters_view[pair], self.others_view[pair])
        at: cython.Py_ssize_t = hole
        moved: cython.int
        self.unlink(2 * pair, self.reporters_view[pair])
        self.unlink(2 * pair + 1, self.others_view[pair])
        self.reporters_view[pair] = -1
        self.slots[hole] = -1
        while True:  # reinsert the rest of the run, so that no probe ends early
            at = (at + 1) & mask
            moved = self.slots[at]
            if moved < 0:
                break
            self.slots[at] = -1
            self.insert(moved)
        self.next[2 * pair] = self.free
        self.free = pair
        self.pair_count -= 1

    def of_row(self, row: cython.int) -> list[int]:
        """Return the contacts in which `row` is the reporter or the other, unordered."""
        found: list[int] = []
        if row >= len(self.head):
            return found
        side: cython.int = self.head[row]
        while side >= 0:
            found.append(side >> 1)
            side = self.next[side]
        return found

    def all(self) -> list[tuple[int, int, bool, int]]:
        """Return every contact as (reporter row, other row, lingering, kind), unordered."""
        return [
            (self.reporters_view[at], self.others_view[at], bool(self.lingers_view[at]), self.kinds_view[at])
            for at in range(self.used)
            if self.reporters_view[at] >= 0
        ]

    def add_lingering(self, reporter: cython.int, other: cython.int) -> int:
        """Return the contact of a pair, marked as lingering; it is added if there is none."""
        self.reserve_rows()
        self.mark_seen(reporter, other)
        pair: cython.int = self.slots[self.slot_of(reporter, other)]
        self.set_lingering(pair)
        return pair

    def restore(self, reporter: cython.int, other: cython.int, kind: cython.int) -> int:
        """Return the contact of a pair, not lingering; it is added with this kind if there is none."""
        pair: cython.int
        self.reserve_rows()
        pair = self.slots[self.slot_of(reporter, other)]
        if pair < 0:
            return self.add(reporter, other, kind)
        if self.lingers_view[pair]:
            self.log_undo(reporter, other, self.kinds_view[pair], 1)
        self.lingers_view[pair] = 0
        return pair

    # The invariants.

    def check(self) -> None:
        """Verify the table, the lists by row and the free list; raises IndexError with the first fault."""
        used = [at for at in range(self.used) if self.reporters_view[at] >= 0]
        sides = {}
        for row in range(len(self.head)):
            before, side = -1, self.head[row]
            while side >= 0:
                if side in sides or self.previous[side] != before:
                    raise IndexError(f"the list of contacts of row {row} is broken at side {side}")
                sides[side] = row
                before, side = side, self.next[side]
        if sides != {
            2 * at + end: (self.others_view if end else self.reporters_view)[at] for at in used for end in (0, 1)
        }:
            raise IndexError("the lists by row do not have exactly the contacts of the rows")
        vacant = set()
        at = self.free
        while at >= 0 and at not in vacant:
            vacant.add(at)
            at = self.next[2 * at]
        if vacant != set(range(self.used)) - set(used):
            raise IndexError("the free list does not have exactly the unused contacts")
        if self.pair_count != len(used) or sum(pair >= 0 for pair in self.slots) != len(used):
            raise IndexError(f"the store has {len(used)} contacts, but counts {self.pair_count}")
        for at in used:
            if self.slots[self.slot_of(self.reporters_view[at], self.others_view[at])] != at:
                raise IndexError(f"contact {at} is not found by its pair")
            if self.lingers_view[at] not in (0, 1) or self.seen[at] > self.pass_number:
                raise IndexError(f"contact {at} has an invalid linger mark or update number")
            if self.kinds_view[at] not in (ASKS, REPORTER ^ ASKS):
                raise IndexError(f"contact {at} is of no kind of reporter")

    def set_lingering(self, pair: cython.int) -> cython.void:
        """Mark a contact as lingering."""
        self.log_undo(self.reporters_view[pair], self.others_view[pair], self.kinds_view[pair], self.lingers_view[pair])
        self.lingers_view[pair] = 1

    # Rollback.

    def mark(self) -> cython.void:
        """Start the undo log for `rollback`."""
        self.undo_count = 0

    def log_undo(self, reporter: cython.int, other: cython.int, kind: cython.int, lingered: cython.int) -> cython.void:
        """Log the former state of a pair: 1 lingering, 0 not, -1 no contact."""
        at: cython.Py_ssize_t
        at = 4 * self.undo_count
        if at == len(self.undo_log):
            self.undo_log = longer(self.undo_log, 2 * at)
        self.undo_log[at] = reporter
        self.undo_log[at + 1] = other
        self.undo_log[at + 2] = kind
        self.undo_log[at + 3] = lingered
        self.undo_count += 1

    def rollback(self) -> None:
        """Restore the contacts of `mark`, after any interruption. Contacts get other numbers."""
        known = {(reporter, other): (kind, lingering) for reporter, other, lingering, kind in self.all()}
        log = self.undo_log
        for at in range(4 * self.undo_count - 4, -1, -4):
            pair = (log[at], log[at + 1])
            if log[at + 3] < 0:
                known.pop(pair, None)
            else:
                known[pair] = (log[at + 2], bool(log[at + 3]))
        self.clear()
        for (reporter, other), (kind, lingering) in known.items():
            self.lingers_view[self.add(reporter, other, kind)] = lingering
        self.began_count = self.undo_count = 0

    def clear(self) -> cython.void:
        """Remove all contacts."""
        at: cython.Py_ssize_t
        for at in range(len(self.head)):
            self.head[at] = -1
        for at in range(self.slot_count):
            self.slots[at] = -1
        self.used = self.pair_count = self.began_count = self.undo_count = 0
        self.free = -1

    # An update.

    def begin_pass(self) -> cython.int:
        """Start an update: nothing has begun, ended or been seen in it."""
        at: cython.Py_ssize_t
        self.reserve_rows()
        self.began_count = self.ended_count = 0
        if self.pass_number == 2147483647:  # the stamps restart after 2**31 updates
            for at in range(self.used):
                self.seen[at] = 0
            self.pass_number = 0
        self.pass_number += 1
        return 0

    def add_ended(self, pair: cython.int) -> cython.void:
        """Add a contact that was not seen in this pass to `ended`, once."""
        if self.seen[pair] == self.pass_number:
            return
        if self.ended_count == len(self.ended_view):
            self.ended = longer(self.ended, 2 * self.ended_count)
            self.ended_view = self.ended
        self.seen[pair] = self.pass_number
        self.ended_view[self.ended_count] = pair
        self.ended_count += 1

    def see(self, reporter: cython.int, other: cython.int) -> None:
        """Mark the pair as in contact now, as `mark_seen`, from plain Python."""
        self.mark_seen(reporter, other)

    def end(self, reporter: cython.int, other: cython.int) -> None:
        """End the contact of a pair, if there is one that was not seen and does not linger."""
        pair: cython.int = self.slots[self.slot_of(reporter, other)]
        if pair >= 0 and not self.lingers_view[pair]:
            self.add_ended(pair)

    def keep(self, contact: cython.int) -> None:
        """Take a contact out of `ended` again."""
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        for at in range(self.ended_count):
            if self.ended_view[at] != contact:
                self.ended_view[count] = self.ended_view[at]
                count += 1
        self.ended_count = count
        self.mark_seen(self.reporters_view[contact], self.others_view[contact])

    def end_unseen(self, row: cython.int) -> cython.void:
        """End the contacts of a row that were not seen in this pass.

        For a member of a group this includes the contacts of its leader, which other members may still have.
        """
        side: cython.int = self.head[row]
        leader: cython.int = self.links.leader_view[row]
        while side >= 0:
            self.add_ended(side >> 1)
            side = self.next[side]
        if leader != row:
            side = self.head[leader]
            while side >= 0:
                if side & 1:
                    self.add_ended(side >> 1)
                side = self.next[side]

    def of_another_kind(self, changed: DirtyRows) -> list[int]:
        """Return the contacts of altered rows that are no such reporters any more as when the contacts began."""
        at: cython.Py_ssize_t
        row: cython.int
        side: cython.int
        found: list[int] = []
        self.reserve_rows()
        for at in range(changed.count):
            row = changed.rows_view[at]
            if not changed.altered_view[row]:
                continue
            side = self.head[row]
            while side >= 0:
                if not (side & 1) and not (self.columns.flags_view[row] & self.kinds_view[side >> 1]):
                    found.append(side >> 1)
                side = self.next[side]
        return found

    # Reporting.

    def log_began(self, entered: PairLog, began: PairLog, overlaps: Overlaps) -> cython.void:
        """Write the ids of reporter and other of every contact that began to a log, `began` for those that ask.

        The contacts without a normal there stay in `began[:began_count]` for the caller.
        """
        at: cython.Py_ssize_t
        pair: cython.int
        code: cython.int
        count: cython.Py_ssize_t = 0
        for at in range(self.began_count):
            pair = self.began_view[at]
            reporter: cython.longlong = self.columns.ids_view[self.reporters_view[pair]]
            other: cython.longlong = self.columns.ids_view[self.others_view[pair]]
            if self.kinds_view[pair] != _ASKS:
                entered.add(reporter, other, 0)
                continue
            code = overlaps.normal_code(self.reporters_view[pair], self.others_view[pair])
            began.add(reporter, other, code)
            if code == _NO_NORMAL:
                self.began_view[count] = pair
                count += 1
        self.began_count = count

    def log_moved(self, left: PairLog, ended: PairLog) -> cython.void:
        """Log and remove the contacts that ended because a body moved away, if the reporter does not linger.

        They are written to `ended` if the reporter asks. The others stay in `ended[:ended_count]` for the caller.
        """
        at: cython.Py_ssize_t
        pair: cython.int
        kind: cython.int
        reporter: cython.int
        count: cython.Py_ssize_t = 0
        for at in range(self.ended_count):
            pair = self.ended_view[at]
            reporter = self.reporters_view[pair]
            kind = self.kinds_view[pair]
            if (
                not self.lingers_view[pair]
                and not (self.columns.flags_view[reporter] & _LINGERS)
                and end_reason(self.columns, self.links, kind, reporter, self.others_view[pair]) == 0
            ):
                log: PairLog = ended if kind == _ASKS else left
                log.add(self.columns.ids_view[reporter], self.columns.ids_view[self.others_view[pair]], 0)
                self.remove(pair)
            else:
                self.ended_view[count] = pair
                count += 1
        self.ended_count = count
