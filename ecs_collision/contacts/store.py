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
_SPREAD = cython.declare(cython.longlong, 2654435761)
_STIR = cython.declare(cython.longlong, 40503)
_LINGERS = cython.declare(cython.int, LINGERS)
_POSITIVE = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)


@cython.final
@cython.cclass
class ContactStore:
    """A store of contacts. Record p is (triggers[p], others[p]).

    `begun` names the records made in this pass, `finished` those that ended in it.
    An ended record stays in the store until `drop(p)`: a lingering one is kept with `lingers[p]` set, and
    loses that mark when it is seen again. What changed since `mark` is logged, and `rollback` takes it back.
    """

    def __init__(self, columns: Columns, links: GroupLinks) -> None:
        self.columns, self.links = columns, links
        self.triggers, self.others = array("i"), array("i")
        self._seen, self.lingers = array("i"), array("i")
        self._next, self._prev = array("i"), array("i")
        self._head = array("i")
        self.begun = array("i", bytes(256))
        self.began = self.begun
        self.began_room = 64
        self.finished = array("i", bytes(256))
        self.ended = self.finished
        self.ended_room = 64
        self.room = self.used = 0
        self.free = -1
        self.pair_count = 0
        self.slot_count = 0
        self.began_count = self.ended_count = 0
        self.now = 0
        self._past = array("i", bytes(4 * 3 * 64))
        self.past = self._past
        self.past_count, self.past_room = 0, 64
        self.room_for_pairs()
        self.room_for_rows()

    # Room.

    @cython.cfunc
    def room_for_rows(self) -> cython.void:
        """Make room for every row of the table."""
        old: cython.Py_ssize_t = len(self._head)
        at: cython.Py_ssize_t
        if old == self.columns.capacity:
            return
        self._head = longer(self._head, self.columns.capacity)
        self.head = self._head
        for at in range(old, self.columns.capacity):
            self.head[at] = -1

    @cython.cfunc
    def room_for_pairs(self) -> cython.void:
        """Double the room for records."""
        room: cython.Py_ssize_t = max(64, 2 * self.room)
        triggers, others = longer(self.triggers, room), longer(self.others, room)
        seen, lingers = longer(self._seen, room), longer(self.lingers, room)
        behind, before = longer(self._next, 2 * room), longer(self._prev, 2 * room)
        slots = array("i", b"\xff" * (8 * room))
        self.triggers, self.others, self._seen, self.lingers = triggers, others, seen, lingers
        self._next, self._prev, self._slots = behind, before, slots
        self.trigger, self.other = self.triggers, self.others
        self.seen, self.lingering = self._seen, self.lingers
        self.next, self.prev = self._next, self._prev
        self.room = room
        self.rehash()

    @cython.cfunc
    def rehash(self) -> cython.void:
        """Fill the table anew, which is empty and twice as long as there is room for records."""
        at: cython.Py_ssize_t
        self.slots = self._slots
        self.slot_count = 2 * self.room
        for at in range(self.used):
            if self.trigger[at] >= 0:
                self.insert(at)

    # The hash table: open addressing, slot_count is a power of two at least twice the records.

    @cython.cfunc
    @cython.exceptval(check=False)
    def slot_of(self, trigger: cython.int, other: cython.int) -> cython.Py_ssize_t:
        """Return the slot that holds the pair, or the free one where it belongs."""
        mixed: cython.longlong = (trigger * _SPREAD + other * _STIR) & _POSITIVE
        at: cython.Py_ssize_t = (mixed ^ (mixed >> 15)) & (self.slot_count - 1)
        pair: cython.int
        while True:
            pair = self.slots[at]
            if pair < 0 or (self.trigger[pair] == trigger and self.other[pair] == other):
                return at
            at = (at + 1) & (self.slot_count - 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def insert(self, pair: cython.int) -> cython.void:
        """Enter a record into the table."""
        self.slots[self.slot_of(self.trigger[pair], self.other[pair])] = pair

    def find(self, trigger: cython.int, other: cython.int) -> int:
        """Return the record of the pair, -1 if there is none."""
        return self.slots[self.slot_of(trigger, other)]

    # Records and their lists: side 2p is the trigger's, 2p + 1 the other's.

    @cython.cfunc
    @cython.exceptval(check=False)
    def link(self, side: cython.int, row: cython.int) -> cython.void:
        """Put a side first in its row's list."""
        first: cython.int = self.head[row]
        self.next[side] = first
        self.prev[side] = -1
        if first >= 0:
            self.prev[first] = side
        self.head[row] = side

    @cython.cfunc
    @cython.exceptval(check=False)
    def unlink(self, side: cython.int, row: cython.int) -> cython.void:
        """Take a side out of its row's list."""
        before: cython.int = self.prev[side]
        behind: cython.int = self.next[side]
        if before >= 0:
            self.next[before] = behind
        else:
            self.head[row] = behind
        if behind >= 0:
            self.prev[behind] = before

    @cython.cfunc
    def see(self, trigger: cython.int, other: cython.int) -> cython.void:
        """Note that the pair is in contact now; a new one is added to `began`."""
        pair: cython.int = self.slots[self.slot_of(trigger, other)]
        if pair >= 0:
            if self.lingering[pair]:
                self.log(trigger, other, 1)
            self.seen[pair] = self.now
            self.lingering[pair] = 0
            return
        if self.began_count == self.began_room:
            self.begun = longer(self.begun, 2 * self.began_room)
            self.began = self.begun
            self.began_room *= 2
        if self.free < 0 and self.used == self.room:
            self.room_for_pairs()
        self.log(trigger, other, -1)
        if self.free >= 0:
            pair = self.free
            self.free = self.next[2 * pair]
            self.trigger[pair], self.other[pair] = trigger, other
        else:
            pair = self.used
            self.trigger[pair], self.other[pair] = trigger, other
            self.used += 1
        self.seen[pair] = self.now
        self.lingering[pair] = 0
        self.link(2 * pair, trigger)
        self.link(2 * pair + 1, other)
        self.insert(pair)
        self.pair_count += 1
        self.began[self.began_count] = pair
        self.began_count += 1

    @cython.ccall
    def drop(self, pair: cython.int) -> cython.void:
        """Remove a record; O(1)."""
        self.log(self.trigger[pair], self.other[pair], self.lingering[pair])
        mask: cython.Py_ssize_t = self.slot_count - 1
        hole: cython.Py_ssize_t = self.slot_of(self.trigger[pair], self.other[pair])
        at: cython.Py_ssize_t = hole
        home: cython.int
        self.unlink(2 * pair, self.trigger[pair])
        self.unlink(2 * pair + 1, self.other[pair])
        self.trigger[pair] = -1
        self.slots[hole] = -1
        while True:  # re-enter the rest of the run, so that no probe ends early
            at = (at + 1) & mask
            home = self.slots[at]
            if home < 0:
                break
            self.slots[at] = -1
            self.insert(home)
        self.next[2 * pair] = self.free
        self.free = pair
        self.pair_count -= 1

    def of_row(self, row: cython.int) -> list[int]:
        """Return the records in which `row` is the trigger or the other, in no particular order."""
        found: list[int] = []
        if row >= len(self._head):
            return found
        side: cython.int = self.head[row]
        while side >= 0:
            found.append(side >> 1)
            side = self.next[side]
        return found

    def all(self) -> list[tuple[int, int, bool]]:
        """Return every record as (trigger row, other row, lingering), in no particular order."""
        return [
            (self.trigger[at], self.other[at], bool(self.lingering[at]))
            for at in range(self.used)
            if self.trigger[at] >= 0
        ]

    def hold(self, trigger: cython.int, other: cython.int) -> int:
        """Return the record of a pair, made if there is none, marked as lingering."""
        self.room_for_rows()
        self.see(trigger, other)
        pair: cython.int = self.slots[self.slot_of(trigger, other)]
        self.linger(pair)
        return pair

    # The invariants.

    def check(self) -> None:
        """Verify table, lists by row and free records; raises IndexError with the first that fails."""
        used = [at for at in range(self.used) if self.trigger[at] >= 0]
        sides = {}
        for row in range(len(self._head)):
            before, side = -1, self.head[row]
            while side >= 0:
                if side in sides or self.prev[side] != before:
                    raise IndexError(f"the list of contacts of row {row} is broken at side {side}")
                sides[side] = row
                before, side = side, self.next[side]
        if sides != {2 * at + end: (self.other if end else self.trigger)[at] for at in used for end in (0, 1)}:
            raise IndexError("a contact is not in the lists of its two rows, or in those of others")
        vacant = set()
        at = self.free
        while at >= 0 and at not in vacant:
            vacant.add(at)
            at = self.next[2 * at]
        if vacant != set(range(self.used)) - set(used):
            raise IndexError("the free records are not those that are in no use")
        if self.pair_count != len(used) or sum(pair >= 0 for pair in self.slots) != len(used):
            raise IndexError(f"{len(used)} contacts are kept, counted {self.pair_count}")
        for at in used:
            if self.slots[self.slot_of(self.trigger[at], self.other[at])] != at:
                raise IndexError(f"the table does not find contact {at}")
            if self.lingering[at] not in (0, 1) or self.seen[at] > self.now:
                raise IndexError(f"contact {at} lingers, or was seen, as none can be")

    @cython.ccall
    def linger(self, pair: cython.int) -> cython.void:
        """Mark a record as lingering."""
        self.log(self.trigger[pair], self.other[pair], self.lingering[pair])
        self.lingering[pair] = 1

    # Taking back.

    @cython.ccall
    def mark(self) -> cython.void:
        """Begin what `rollback` may have to take back."""
        self.past_count = 0

    @cython.cfunc
    def log(self, trigger: cython.int, other: cython.int, lingered: cython.int) -> cython.void:
        """Log what the record of a pair is before it changes: lingering or not, -1 where there is none."""
        at: cython.Py_ssize_t
        if self.past_count == self.past_room:
            self.room_for_past()
        at = 3 * self.past_count
        self.past[at] = trigger
        self.past[at + 1] = other
        self.past[at + 2] = lingered
        self.past_count += 1

    @cython.cfunc
    def room_for_past(self) -> cython.void:
        """Double the room of the log."""
        self._past = longer(self._past, 6 * self.past_room)
        self.past = self._past
        self.past_room *= 2

    def rollback(self) -> None:
        """Take back what changed since `mark`, whatever was broken off; records have other numbers then."""
        known = {(trigger, other): lingering for trigger, other, lingering in self.all()}
        for at in range(3 * self.past_count - 3, -1, -3):
            pair, lingered = (self.past[at], self.past[at + 1]), self.past[at + 2]
            if lingered < 0:
                known.pop(pair, None)
            else:
                known[pair] = bool(lingered)
        self.empty()
        for (trigger, other), lingering in known.items():
            self.see(trigger, other)
            self.lingering[self.began[self.began_count - 1]] = lingering
        self.began_count = self.past_count = 0

    @cython.cfunc
    def empty(self) -> cython.void:
        """Have no records."""
        at: cython.Py_ssize_t
        for at in range(len(self._head)):
            self.head[at] = -1
        for at in range(self.slot_count):
            self.slots[at] = -1
        self.used = self.pair_count = self.began_count = self.past_count = 0
        self.free = -1

    # A comparison.

    @cython.cfunc
    def begin_pass(self) -> cython.int:
        """Start a comparison: nothing began or ended yet, and what was seen before counts no more."""
        at: cython.Py_ssize_t
        self.room_for_rows()
        self.began_count = self.ended_count = 0
        if self.now == 2147483647:  # after 2**31 comparisons the stamps start over
            for at in range(self.used):
                self.seen[at] = 0
            self.now = 0
        self.now += 1
        return 0

    @cython.cfunc
    def note_ended(self, pair: cython.int) -> cython.void:
        """Add a record to `finished` that was not seen in this pass, once."""
        if self.seen[pair] == self.now:
            return
        if self.ended_count == self.ended_room:
            self.finished = longer(self.finished, 2 * self.ended_room)
            self.ended = self.finished
            self.ended_room *= 2
        self.seen[pair] = self.now
        self.ended[self.ended_count] = pair
        self.ended_count += 1

    @cython.cfunc
    def end_unseen(self, row: cython.int) -> cython.void:
        """End the contacts of a row that were not seen when it looked at all of them.

        Of a member of a group also those that are named by the leader, which another member may hold.
        """
        side: cython.int = self.head[row]
        leader: cython.int = self.links.leader_view[row]
        while side >= 0:
            self.note_ended(side >> 1)
            side = self.next[side]
        if leader != row:
            side = self.head[leader]
            while side >= 0:
                if side & 1:
                    self.note_ended(side >> 1)
                side = self.next[side]

    # Reporting.

    @cython.ccall
    def log_began(self, entered: PairLog) -> cython.void:
        """Write the ids of the contacts that began, trigger and other, to a log."""
        at: cython.Py_ssize_t
        pair: cython.int
        for at in range(self.began_count):
            pair = self.began[at]
            entered.add(self.columns.ids_view[self.trigger[pair]], self.columns.ids_view[self.other[pair]], 0)

    @cython.ccall
    def log_moved(self, left: PairLog) -> cython.void:
        """Write the contacts that ended because a body moved away, of triggers that do not linger, to a log; drop them.

        The others are left in `finished[:ended_count]` for the caller.
        """
        at: cython.Py_ssize_t
        pair: cython.int
        trigger: cython.int
        count: cython.Py_ssize_t = 0
        for at in range(self.ended_count):
            pair = self.ended[at]
            trigger = self.trigger[pair]
            if (
                not self.lingering[pair]
                and not (self.columns.flags_view[trigger] & _LINGERS)
                and end_reason(self.columns, self.links, trigger, self.other[pair]) == 0
            ):
                left.add(self.columns.ids_view[trigger], self.columns.ids_view[self.other[pair]], 0)
                self.drop(pair)
            else:
                self.ended[count] = pair
                count += 1
        self.ended_count = count


seal(ContactStore)
