# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The records of who is inside which trigger, found by pair and listed by row.

What is inside is named by the row that triggers report it under: a body of its own by itself, the solid members of a
fused group by its leader (T6).

Not taken: merging two sorted pair arrays, as Box2D does: it costs every pair every frame.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.bodies.columns import Columns
    from cython.cimports.ecs_collision.bodies.group_links import GroupLinks
    from cython.cimports.ecs_collision.contacts.end_reason import end_reason
    from cython.cimports.ecs_collision.contacts.pair_log import PairLog
else:
    from ecs_collision.bodies.columns import Columns
    from ecs_collision.bodies.group_links import GroupLinks
    from ecs_collision.contacts.end_reason import end_reason
    from ecs_collision.contacts.pair_log import PairLog

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import LINGERS
from ecs_collision.sealing import seal

# Constants of C type: a literal beyond 32 bits would be a Python object in the compiled loop.
_TRIGGER_FACTOR = cython.declare(cython.longlong, 2654435761)
_OTHER_FACTOR = cython.declare(cython.longlong, 40503)
_LINGERS = cython.declare(cython.int, LINGERS)
_POSITIVE = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)


@cython.final
@cython.cclass
class ContactStore:
    """A store of contacts. Record p is (triggers[p], others[p]).

    `began` names the records made in this pass, `ended` those that ended in it.
    An ended record stays in the store until `remove(p)`: a lingering one is kept with `lingers[p]` set, and
    loses that mark when it is seen again. What changed since `mark` is logged, and `rollback` takes it back.
    """

    def __init__(self, columns: Columns, links: GroupLinks) -> None:
        self.columns, self.links = columns, links
        self.triggers, self.others = array("i"), array("i")
        self.seen, self.lingers = array("i"), array("i")
        self.next, self.previous = array("i"), array("i")
        self.head = array("i")
        self.began = array("i", bytes(256))
        self.began_view = self.began
        self.began_capacity = 64
        self.ended = array("i", bytes(256))
        self.ended_view = self.ended
        self.ended_capacity = 64
        self.capacity = self.used = 0
        self.free = -1
        self.pair_count = 0
        self.slot_count = 0
        self.began_count = self.ended_count = 0
        self.pass_number = 0
        self.undo_log = array("i", bytes(4 * 3 * 64))
        self.undo_log_view = self.undo_log
        self.undo_count, self.undo_capacity = 0, 64
        self.grow_pairs()
        self.reserve_rows()

    # Room.

    @cython.cfunc
    def reserve_rows(self) -> cython.void:
        """Make room for every row of the table."""
        old: cython.Py_ssize_t = len(self.head)
        at: cython.Py_ssize_t
        if old == self.columns.capacity:
            return
        self.head = longer(self.head, self.columns.capacity)
        self.head_view = self.head
        for at in range(old, self.columns.capacity):
            self.head_view[at] = -1

    @cython.cfunc
    def grow_pairs(self) -> cython.void:
        """Double the room for records."""
        capacity: cython.Py_ssize_t = max(64, 2 * self.capacity)
        triggers, others = longer(self.triggers, capacity), longer(self.others, capacity)
        seen, lingers = longer(self.seen, capacity), longer(self.lingers, capacity)
        next, previous = longer(self.next, 2 * capacity), longer(self.previous, 2 * capacity)
        slots = array("i", b"\xff" * (8 * capacity))
        self.triggers, self.others, self.seen, self.lingers = triggers, others, seen, lingers
        self.next, self.previous, self.slots = next, previous, slots
        self.triggers_view, self.others_view = self.triggers, self.others
        self.seen_view, self.lingers_view = self.seen, self.lingers
        self.next_view, self.previous_view = self.next, self.previous
        self.capacity = capacity
        self.rehash()

    @cython.cfunc
    def rehash(self) -> cython.void:
        """Fill the table anew, which is empty and twice as long as there is room for records."""
        at: cython.Py_ssize_t
        self.slots_view = self.slots
        self.slot_count = 2 * self.capacity
        for at in range(self.used):
            if self.triggers_view[at] >= 0:
                self.insert(at)

    # The hash table: open addressing, slot_count is a power of two at least twice the records.

    @cython.cfunc
    @cython.exceptval(check=False)
    def slot_of(self, trigger: cython.int, other: cython.int) -> cython.Py_ssize_t:
        """Return the slot that holds the pair, or the free one where it belongs."""
        mixed: cython.longlong = (trigger * _TRIGGER_FACTOR + other * _OTHER_FACTOR) & _POSITIVE
        at: cython.Py_ssize_t = (mixed ^ (mixed >> 15)) & (self.slot_count - 1)
        pair: cython.int
        while True:
            pair = self.slots_view[at]
            if pair < 0 or (self.triggers_view[pair] == trigger and self.others_view[pair] == other):
                return at
            at = (at + 1) & (self.slot_count - 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def insert(self, pair: cython.int) -> cython.void:
        """Enter a record into the table."""
        self.slots_view[self.slot_of(self.triggers_view[pair], self.others_view[pair])] = pair

    def find(self, trigger: cython.int, other: cython.int) -> int:
        """Return the record of the pair, -1 if there is none."""
        return self.slots_view[self.slot_of(trigger, other)]

    # Records and their lists: side 2p is the trigger's, 2p + 1 the other's.

    @cython.cfunc
    @cython.exceptval(check=False)
    def link(self, side: cython.int, row: cython.int) -> cython.void:
        """Put a side first in its row's list."""
        first: cython.int = self.head_view[row]
        self.next_view[side] = first
        self.previous_view[side] = -1
        if first >= 0:
            self.previous_view[first] = side
        self.head_view[row] = side

    @cython.cfunc
    @cython.exceptval(check=False)
    def unlink(self, side: cython.int, row: cython.int) -> cython.void:
        """Take a side out of its row's list."""
        preceding: cython.int = self.previous_view[side]
        following: cython.int = self.next_view[side]
        if preceding >= 0:
            self.next_view[preceding] = following
        else:
            self.head_view[row] = following
        if following >= 0:
            self.previous_view[following] = preceding

    @cython.cfunc
    def mark_seen(self, trigger: cython.int, other: cython.int) -> cython.void:
        """Note that the pair is in contact now; a new one is added to `began`."""
        pair: cython.int = self.slots_view[self.slot_of(trigger, other)]
        if pair >= 0:
            if self.lingers_view[pair]:
                self.log_undo(trigger, other, 1)
            self.seen_view[pair] = self.pass_number
            self.lingers_view[pair] = 0
            return
        if self.began_count == self.began_capacity:
            self.began = longer(self.began, 2 * self.began_capacity)
            self.began_view = self.began
            self.began_capacity *= 2
        if self.free < 0 and self.used == self.capacity:
            self.grow_pairs()
        self.log_undo(trigger, other, -1)
        if self.free >= 0:
            pair = self.free
            self.free = self.next_view[2 * pair]
            self.triggers_view[pair], self.others_view[pair] = trigger, other
        else:
            pair = self.used
            self.triggers_view[pair], self.others_view[pair] = trigger, other
            self.used += 1
        self.seen_view[pair] = self.pass_number
        self.lingers_view[pair] = 0
        self.link(2 * pair, trigger)
        self.link(2 * pair + 1, other)
        self.insert(pair)
        self.pair_count += 1
        self.began_view[self.began_count] = pair
        self.began_count += 1

    @cython.ccall
    def remove(self, pair: cython.int) -> cython.void:
        """Remove a record; O(1)."""
        self.log_undo(self.triggers_view[pair], self.others_view[pair], self.lingers_view[pair])
        mask: cython.Py_ssize_t = self.slot_count - 1
        hole: cython.Py_ssize_t = self.slot_of(self.triggers_view[pair], self.others_view[pair])
        at: cython.Py_ssize_t = hole
        moved: cython.int
        self.unlink(2 * pair, self.triggers_view[pair])
        self.unlink(2 * pair + 1, self.others_view[pair])
        self.triggers_view[pair] = -1
        self.slots_view[hole] = -1
        while True:  # re-enter the rest of the run, so that no probe ends early
            at = (at + 1) & mask
            moved = self.slots_view[at]
            if moved < 0:
                break
            self.slots_view[at] = -1
            self.insert(moved)
        self.next_view[2 * pair] = self.free
        self.free = pair
        self.pair_count -= 1

    def of_row(self, row: cython.int) -> list[int]:
        """Return the records in which `row` is the trigger or the other, in no particular order."""
        found: list[int] = []
        if row >= len(self.head):
            return found
        side: cython.int = self.head_view[row]
        while side >= 0:
            found.append(side >> 1)
            side = self.next_view[side]
        return found

    def all(self) -> list[tuple[int, int, bool]]:
        """Return every record as (trigger row, other row, lingering), in no particular order."""
        return [
            (self.triggers_view[at], self.others_view[at], bool(self.lingers_view[at]))
            for at in range(self.used)
            if self.triggers_view[at] >= 0
        ]

    def add_lingering(self, trigger: cython.int, other: cython.int) -> int:
        """Return the record of a pair, made if there is none, marked as lingering."""
        self.reserve_rows()
        self.mark_seen(trigger, other)
        pair: cython.int = self.slots_view[self.slot_of(trigger, other)]
        self.set_lingering(pair)
        return pair

    # The invariants.

    def check(self) -> None:
        """Verify table, lists by row and free records; raises IndexError with the first that fails."""
        used = [at for at in range(self.used) if self.triggers_view[at] >= 0]
        sides = {}
        for row in range(len(self.head)):
            before, side = -1, self.head_view[row]
            while side >= 0:
                if side in sides or self.previous_view[side] != before:
                    raise IndexError(f"the list of contacts of row {row} is broken at side {side}")
                sides[side] = row
                before, side = side, self.next_view[side]
        if sides != {
            2 * at + end: (self.others_view if end else self.triggers_view)[at] for at in used for end in (0, 1)
        }:
            raise IndexError("a contact is not in the lists of its two rows, or in those of others")
        vacant = set()
        at = self.free
        while at >= 0 and at not in vacant:
            vacant.add(at)
            at = self.next_view[2 * at]
        if vacant != set(range(self.used)) - set(used):
            raise IndexError("the free records are not those that are in no use")
        if self.pair_count != len(used) or sum(pair >= 0 for pair in self.slots_view) != len(used):
            raise IndexError(f"{len(used)} contacts are kept, counted {self.pair_count}")
        for at in used:
            if self.slots_view[self.slot_of(self.triggers_view[at], self.others_view[at])] != at:
                raise IndexError(f"the table does not find contact {at}")
            if self.lingers_view[at] not in (0, 1) or self.seen_view[at] > self.pass_number:
                raise IndexError(f"contact {at} lingers, or was seen, as none can be")

    @cython.ccall
    def set_lingering(self, pair: cython.int) -> cython.void:
        """Mark a record as lingering."""
        self.log_undo(self.triggers_view[pair], self.others_view[pair], self.lingers_view[pair])
        self.lingers_view[pair] = 1

    # Taking back.

    @cython.ccall
    def mark(self) -> cython.void:
        """Begin what `rollback` may have to take back."""
        self.undo_count = 0

    @cython.cfunc
    def log_undo(self, trigger: cython.int, other: cython.int, lingered: cython.int) -> cython.void:
        """Log what the record of a pair is before it changes: lingering or not, -1 where there is none."""
        at: cython.Py_ssize_t
        if self.undo_count == self.undo_capacity:
            self.grow_undo_log()
        at = 3 * self.undo_count
        self.undo_log_view[at] = trigger
        self.undo_log_view[at + 1] = other
        self.undo_log_view[at + 2] = lingered
        self.undo_count += 1

    @cython.cfunc
    def grow_undo_log(self) -> cython.void:
        """Double the room of the log."""
        self.undo_log = longer(self.undo_log, 6 * self.undo_capacity)
        self.undo_log_view = self.undo_log
        self.undo_capacity *= 2

    def rollback(self) -> None:
        """Take back what changed since `mark`, whatever was broken off; records have other numbers then."""
        known = {(trigger, other): lingering for trigger, other, lingering in self.all()}
        for at in range(3 * self.undo_count - 3, -1, -3):
            pair, lingered = (self.undo_log_view[at], self.undo_log_view[at + 1]), self.undo_log_view[at + 2]
            if lingered < 0:
                known.pop(pair, None)
            else:
                known[pair] = bool(lingered)
        self.clear()
        for (trigger, other), lingering in known.items():
            self.mark_seen(trigger, other)
            self.lingers_view[self.began_view[self.began_count - 1]] = lingering
        self.began_count = self.undo_count = 0

    @cython.cfunc
    def clear(self) -> cython.void:
        """Have no records."""
        at: cython.Py_ssize_t
        for at in range(len(self.head)):
            self.head_view[at] = -1
        for at in range(self.slot_count):
            self.slots_view[at] = -1
        self.used = self.pair_count = self.began_count = self.undo_count = 0
        self.free = -1

    # A comparison.

    @cython.cfunc
    def begin_pass(self) -> cython.int:
        """Start a comparison: nothing began or ended yet, and what was seen before counts no more."""
        at: cython.Py_ssize_t
        self.reserve_rows()
        self.began_count = self.ended_count = 0
        if self.pass_number == 2147483647:  # after 2**31 comparisons the stamps start over
            for at in range(self.used):
                self.seen_view[at] = 0
            self.pass_number = 0
        self.pass_number += 1
        return 0

    @cython.cfunc
    def add_ended(self, pair: cython.int) -> cython.void:
        """Add a record to `ended` that was not seen in this pass, once."""
        if self.seen_view[pair] == self.pass_number:
            return
        if self.ended_count == self.ended_capacity:
            self.ended = longer(self.ended, 2 * self.ended_capacity)
            self.ended_view = self.ended
            self.ended_capacity *= 2
        self.seen_view[pair] = self.pass_number
        self.ended_view[self.ended_count] = pair
        self.ended_count += 1

    @cython.cfunc
    def end_unseen(self, row: cython.int) -> cython.void:
        """End the contacts of a row that were not seen when it looked at all of them.

        Of a member of a group also those that are named by the leader, which another member may hold.
        """
        side: cython.int = self.head_view[row]
        leader: cython.int = self.links.leader_view[row]
        while side >= 0:
            self.add_ended(side >> 1)
            side = self.next_view[side]
        if leader != row:
            side = self.head_view[leader]
            while side >= 0:
                if side & 1:
                    self.add_ended(side >> 1)
                side = self.next_view[side]

    # Reporting.

    @cython.ccall
    def log_began(self, entered: PairLog) -> cython.void:
        """Write the ids of the contacts that began, trigger and other, to a log."""
        at: cython.Py_ssize_t
        pair: cython.int
        for at in range(self.began_count):
            pair = self.began_view[at]
            entered.add(
                self.columns.ids_view[self.triggers_view[pair]], self.columns.ids_view[self.others_view[pair]], 0
            )

    @cython.ccall
    def log_moved(self, left: PairLog) -> cython.void:
        """Write the contacts that ended because a body moved away, of triggers that do not linger, to a log; drop them.

        The others are left in `ended[:ended_count]` for the caller.
        """
        at: cython.Py_ssize_t
        pair: cython.int
        trigger: cython.int
        count: cython.Py_ssize_t = 0
        for at in range(self.ended_count):
            pair = self.ended_view[at]
            trigger = self.triggers_view[pair]
            if (
                not self.lingers_view[pair]
                and not (self.columns.flags_view[trigger] & _LINGERS)
                and end_reason(self.columns, self.links, trigger, self.others_view[pair]) == 0
            ):
                left.add(self.columns.ids_view[trigger], self.columns.ids_view[self.others_view[pair]], 0)
                self.remove(pair)
            else:
                self.ended_view[count] = pair
                count += 1
        self.ended_count = count


seal(ContactStore)
