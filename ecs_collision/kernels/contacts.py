# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Which trigger holds which body, kept from frame to frame (rules T1, S3).

Each contact is one record (trigger row, other row), found by a hash table and linked into a list per row,
so that a changed body re-checks its own contacts and its own neighbourhood and nothing else. Past a
quarter of the bodies changed, one pass over all awake pairs is cheaper (`compare_all`).

Not taken: merging two sorted pair arrays, as Box2D does: it costs every pair every frame.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.kernels.columns import Columns
    from cython.cimports.ecs_collision.kernels.grid import Grid
else:
    from ecs_collision.kernels.columns import Columns
    from ecs_collision.kernels.grid import Grid

from ecs_collision.kernels.columns import longer

# Flags of columns.py, as constants of this module so that the compiled loops read no globals.
_STATIC = cython.declare(cython.int, 4)
_ENABLED = cython.declare(cython.int, 8)
_ASLEEP = cython.declare(cython.int, 16)
_TOUCHING = cython.declare(cython.int, 128)


@cython.cclass
class Contacts:
    """The store of contacts. Record p is (trigger[p], other[p]); `began` and `ended` name records.

    An ended record stays in the store until `drop(p)`: a lingering one is kept with `lingering[p]` set,
    and loses that mark when it is seen again.
    """

    def __init__(self, columns: Columns, dynamic: Grid, static: Grid) -> None:
        self.columns = columns
        self.dynamic = dynamic
        self.static = static
        self.triggers, self.others = array("i"), array("i")
        self._seen, self.lingers = array("i"), array("i")
        self._next, self._prev = array("i"), array("i")
        self._head = array("i")
        self.begun, self.finished = array("i", bytes(256)), array("i", bytes(256))
        self.began, self.ended = self.begun, self.finished
        self.began_room = self.ended_room = 64
        self.room = self.used = 0
        self.free = -1
        self.pair_count = 0
        self.slot_count = 0
        self.began_count = self.ended_count = 0
        self.now = 0
        self.pairs_tested = 0
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
        self.triggers, self.others = longer(self.triggers, room), longer(self.others, room)
        self._seen, self.lingers = longer(self._seen, room), longer(self.lingers, room)
        self._next, self._prev = longer(self._next, 2 * room), longer(self._prev, 2 * room)
        self.trigger, self.other = self.triggers, self.others
        self.seen, self.lingering = self._seen, self.lingers
        self.next, self.prev = self._next, self._prev
        self.room = room
        self.rehash()

    @cython.cfunc
    def rehash(self) -> cython.void:
        """Make the table anew, twice as long as there is room for records."""
        at: cython.Py_ssize_t
        self.slot_count = 2 * self.room
        self._slots = array("i", b"\xff" * (4 * self.slot_count))
        self.slots = self._slots
        for at in range(self.used):
            if self.trigger[at] >= 0:
                self.insert(at)

    # The hash table: open addressing, slot_count is a power of two at least twice the records.

    @cython.cfunc
    @cython.exceptval(check=False)
    def slot_of(self, trigger: cython.int, other: cython.int) -> cython.Py_ssize_t:
        """Return the slot that holds the pair, or the free one where it belongs."""
        mixed: cython.longlong = (trigger * 2654435761 + other * 40503) & 0x7FFFFFFFFFFFFFFF
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
            self.seen[pair] = self.now
            self.lingering[pair] = 0
            return
        if self.free >= 0:
            pair = self.free
            self.free = self.next[2 * pair]
        else:
            if self.used == self.room:
                self.room_for_pairs()
            pair = self.used
            self.used += 1
        self.trigger[pair], self.other[pair] = trigger, other
        self.seen[pair] = self.now
        self.lingering[pair] = 0
        self.link(2 * pair, trigger)
        self.link(2 * pair + 1, other)
        self.insert(pair)
        self.pair_count += 1
        if self.began_count == self.began_room:
            self.began_room *= 2
            self.begun = longer(self.begun, self.began_room)
            self.began = self.begun
        self.began[self.began_count] = pair
        self.began_count += 1

    def drop(self, pair: cython.int) -> None:
        """Remove a record; O(1)."""
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
        pair: cython.Py_ssize_t = self.slots[self.slot_of(trigger, other)]
        self.lingering[pair] = 1
        return pair

    # Comparing.

    def reported(self, trigger: cython.int, other: cython.int) -> bool:
        """Return whether the trigger reports the other where they overlap, by their flags and layers (T6)."""
        return bool(self.columns.reports(trigger, other))

    def touch(self, trigger: cython.int, other: cython.int) -> bool:
        """Return whether any boxes of the two meet as the trigger asks, box by box and without the index."""
        home: Grid = self.static if self.columns.flags_view[trigger] & _STATIC else self.dynamic
        away: Grid = self.static if self.columns.flags_view[other] & _STATIC else self.dynamic
        limit: cython.int = 1 if self.columns.flags_view[trigger] & _TOUCHING else 0
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        for a in range(
            self.columns.first_view[trigger], self.columns.first_view[trigger] + self.columns.count_view[trigger]
        ):
            for b in range(
                self.columns.first_view[other], self.columns.first_view[other] + self.columns.count_view[other]
            ):
                if self.faces_meet(home, a, away, b) <= limit:
                    return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def faces_meet(self, grid_a: Grid, a: cython.Py_ssize_t, grid_b: Grid, b: cython.Py_ssize_t) -> cython.int:
        """On how many axes two boxes only touch: 0 is overlap, 1 touching (L4), 2 and more is neither."""
        count: cython.int = 0
        axis: cython.Py_ssize_t
        for axis in range(3):
            low: cython.longlong = grid_a.faces[6 * a + axis]
            high: cython.longlong = grid_a.faces[6 * a + 3 + axis]
            their_low: cython.longlong = grid_b.faces[6 * b + axis]
            their_high: cython.longlong = grid_b.faces[6 * b + 3 + axis]
            if low < their_high and their_low < high:
                continue
            if low > their_high or their_low > high:
                return 4
            count += 1
        return count

    @cython.cfunc
    def test(self, grid_a: Grid, a: cython.Py_ssize_t, grid_b: Grid, b: cython.Py_ssize_t) -> cython.void:
        """See the pair of two boxes' bodies, each way round, if a trigger among them reports the other."""
        row_a: cython.int = grid_a.owner[a]
        row_b: cython.int = grid_b.owner[b]
        one: cython.bint = self.columns.reports(row_a, row_b)
        two: cython.bint = self.columns.reports(row_b, row_a)
        apart: cython.int
        if not (one or two):
            return
        self.pairs_tested += 1
        apart = self.faces_meet(grid_a, a, grid_b, b)
        if apart > 1:
            return
        if one and (apart == 0 or self.columns.flags_view[row_a] & _TOUCHING):
            self.see(row_a, row_b)
        if two and (apart == 0 or self.columns.flags_view[row_b] & _TOUCHING):
            self.see(row_b, row_a)

    @cython.cfunc
    def look(self, row: cython.int, grid: Grid) -> cython.void:
        """See every contact of `row` with the bodies of `grid`."""
        home: Grid = self.static if self.columns.flags_view[row] & _STATIC else self.dynamic
        slot: cython.Py_ssize_t
        base: cython.Py_ssize_t
        at: cython.Py_ssize_t
        hits: cython.Py_ssize_t
        for slot in range(self.columns.first_view[row], self.columns.first_view[row] + self.columns.count_view[row]):
            base = 6 * slot
            hits = grid.collect(
                home.faces[base],
                home.faces[base + 1],
                home.faces[base + 2],
                home.faces[base + 3],
                home.faces[base + 4],
                home.faces[base + 5],
            )
            for at in range(hits):
                if grid.owner[grid.hits[at]] != row:
                    self.test(home, slot, grid, grid.hits[at])

    @cython.cfunc
    def note_ended(self, pair: cython.int) -> cython.void:
        """Add a record to `ended`."""
        if self.ended_count == self.ended_room:
            self.ended_room *= 2
            self.finished = longer(self.finished, self.ended_room)
            self.ended = self.finished
        self.ended[self.ended_count] = pair
        self.ended_count += 1

    @cython.cfunc
    def end_unseen(self, row: cython.int) -> cython.void:
        """Add the contacts of `row` that were not seen to `ended`, each once."""
        side: cython.int = self.head[row]
        pair: cython.int
        while side >= 0:
            pair = side >> 1
            if self.seen[pair] != self.now:
                self.seen[pair] = self.now
                self.note_ended(pair)
            side = self.next[side]

    def compare(self, rows: array[int], everything: cython.bint) -> None:
        """Find which contacts began and ended, given the rows that changed since the last comparison.

        O(changed bodies and their neighbours); with `everything` one pass over all pairs with an awake
        member instead, which is cheaper when many changed (S3). Rows are in no particular order.
        """
        at: cython.Py_ssize_t
        found: cython.Py_ssize_t
        row: cython.int
        flags: cython.int
        changed: cython.int[::1] = rows
        count: cython.Py_ssize_t = len(rows)
        self.room_for_rows()
        self.began_count = self.ended_count = 0
        self.next_pass()
        if everything:
            found = self.dynamic.collect_pairs(True)
            for at in range(found):
                self.test(self.dynamic, self.dynamic.pair_a[at], self.dynamic, self.dynamic.pair_b[at])
        for at in range(count):
            row = changed[at]
            flags = self.columns.flags_view[row]
            if not (flags & _ENABLED):
                continue
            if not everything or flags & (_STATIC | _ASLEEP):
                self.look(row, self.dynamic)
            if self.static.box_count > 0:
                self.look(row, self.static)
        for at in range(count):
            self.end_unseen(changed[at])

    def next_pass(self) -> None:
        """Start a comparison: what was seen before counts no more."""
        at: cython.Py_ssize_t
        if self.now == 2147483647:  # after 2**31 comparisons the stamps start over
            for at in range(self.used):
                self.seen[at] = 0
            self.now = 0
        self.now += 1
