# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""All contacts that began or ended, found by one join when many bodies changed (rules T1 and S3).

Each box that was merely displaced is joined by the hull of where it was and where it is: among the candidates
are then all pairs that meet now and all that met before, and comparing their faces for both times tells begins
and ends. Pairs that stay as they are, nearly all, never touch the store of contacts.

Bodies that changed otherwise, compounds, and those that jumped further than they are long have no such hull.
They are joined where they are, every pair of theirs is seen or not, and their contacts not seen have ended.

Sleepers take no part: each changed body looks for them around itself, as for statics.

Not taken: a pass over all cells that hold an awake box (four times the time), and former boxes as boxes of their
own (twice the boxes, and each pair up to four times).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.bodies.columns import Columns
    from cython.cimports.ecs_collision.bodies.dirty_rows import DirtyRows
    from cython.cimports.ecs_collision.broadphase.all_pairs import AllPairs
    from cython.cimports.ecs_collision.broadphase.morton_grid.grid import Grid
    from cython.cimports.ecs_collision.contacts.pair_log import PairLog
    from cython.cimports.ecs_collision.contacts.update import ContactUpdate
else:
    from ecs_collision.bodies.columns import Columns
    from ecs_collision.bodies.dirty_rows import DirtyRows
    from ecs_collision.broadphase.all_pairs import AllPairs
    from ecs_collision.broadphase.morton_grid.grid import Grid
    from ecs_collision.contacts.pair_log import PairLog
    from ecs_collision.contacts.update import ContactUpdate

from ecs_collision._arrays import longer
from ecs_collision.sealing import seal

# Flags of columns.py, as constants of this module so that the compiled loops read no globals.
_TRIGGER = cython.declare(cython.int, 2)
_STATIC = cython.declare(cython.int, 4)
_ENABLED = cython.declare(cython.int, 8)
_TOUCHING = cython.declare(cython.int, 128)
_LINGERS = cython.declare(cython.int, 512)

# Kinds of joined boxes: its body has changed; its pairs are settled one by one whatever their faces tell.
_CHANGED = cython.declare(cython.int, 1)
_SINGLED = cython.declare(cython.int, 2)

_PLACE = cython.declare(cython.longlong, (1 << 32) - 1)


@cython.final
@cython.cclass
class ContactComparison(ContactUpdate):
    """The store of contacts, brought up to date by a look per changed body or by one join of all."""

    def __init__(self, columns: Columns, dynamic: Grid, static: Grid) -> None:
        ContactUpdate.__init__(self, columns, dynamic, static)
        self.join = AllPairs()
        self._renewed_in = array("i")
        self._slot, self._way, self._kind = array("i"), array("q"), array("b")
        self._doubtful = array("i", bytes(4 * 64))
        self.doubtful = self._doubtful
        self.doubtful_room = 64
        self.doubtful_count = self.joined_room = 0
        self.touching = False
        self.room_to_join()

    # The comparison, and what it tells.

    @cython.ccall
    def compare_changed(self, changed: DirtyRows, everything: cython.bint) -> cython.void:
        """Compare the rows that are noted as changed, and strike them off."""
        at: cython.Py_ssize_t
        rows = changed.rows[: changed.count]
        altered = array("b", bytes(changed.count))
        row: cython.int[::1] = rows
        mark: cython.schar[::1] = altered
        for at in range(changed.count):
            mark[at] = changed.altered_view[row[at]]
        changed.clear()
        self.compare(rows, altered, everything)

    @cython.ccall
    def tell_began(self, entered: PairLog) -> cython.void:
        """Write the ids of the contacts that began, trigger and other, to a log."""
        at: cython.Py_ssize_t
        pair: cython.int
        for at in range(self.began_count):
            pair = self.began[at]
            entered.add(self.columns.ids_view[self.trigger[pair]], self.columns.ids_view[self.other[pair]], 0)

    @cython.ccall
    def tell_moved(self, left: PairLog) -> cython.void:
        """Write the contacts that ended because a body moved away to a log, and drop them.

        What ended otherwise, or may linger, is left in `finished[:ended_count]` for the caller to judge.
        """
        at: cython.Py_ssize_t
        pair: cython.int
        count: cython.Py_ssize_t = 0
        for at in range(self.ended_count):
            pair = self.ended[at]
            if self.merely_moved(pair):
                left.add(self.columns.ids_view[self.trigger[pair]], self.columns.ids_view[self.other[pair]], 0)
                self.drop(pair)
            else:
                self.ended[count] = pair
                count += 1
        self.ended_count = count

    @cython.cfunc
    @cython.exceptval(check=False)
    def merely_moved(self, pair: cython.int) -> cython.bint:
        """Whether a contact that ended is of two enabled bodies that would still report, and does not linger."""
        trigger: cython.int = self.trigger[pair]
        other: cython.int = self.other[pair]
        return (
            (self.columns.flags_view[trigger] & (_TRIGGER | _ENABLED | _LINGERS)) == _TRIGGER | _ENABLED
            and (self.columns.flags_view[other] & _ENABLED) != 0
            and self.columns.reports(trigger, other)
            and not self.lingering[pair]
        )

    def compare(self, rows: array[int], altered: array[int], everything: cython.bint) -> None:
        """Find which contacts began and ended, given the rows that changed since the last comparison.

        `altered[k]` is 0 where row k was only displaced. O(changed bodies and their neighbours), or with
        `everything` O(awake bodies and their pairs). Rows are in no particular order.
        """
        self.room_to_compare()
        self.began_count = self.ended_count = 0
        self.next_pass()
        if everything:
            self.compare_all(rows, altered, len(rows))
        else:
            self.compare_each(rows, altered, len(rows))
        self.remember_all(rows)

    @cython.cfunc
    def compare_all(self, rows: cython.int[::1], altered: cython.schar[::1], count: cython.Py_ssize_t) -> cython.void:
        """Settle every pair with a changed member."""
        at: cython.Py_ssize_t
        row: cython.int
        found: cython.Py_ssize_t
        self.room_to_join()
        self.doubtful_count = 0
        self.note_ways(rows, altered, count)
        self.dynamic.begin_pass()
        self.join_boxes()
        found = self.keep_changes(self.join.candidates())
        for at in range(found):
            pair: cython.longlong = self.join.found[at]
            self.settle(
                self.dynamic,
                self.slot[self.join.member[pair >> 32]],
                self.dynamic,
                self.slot[self.join.member[pair & _PLACE]],
            )
        for at in range(count):
            row = rows[at]
            if self.columns.flags_view[row] & _STATIC:
                self.judge_around(row, self.dynamic, False)
            elif self.dynamic.boxes.asleep_bits != 0:
                self.judge_around(row, self.dynamic, True)
            self.judge_around(row, self.static, False)
        for at in range(count):
            if self.renewed_in[rows[at]] == self.now:
                self.end_unseen(rows[at])
        for at in range(self.doubtful_count):
            self.note_ended(self.doubtful[at])
        self.dynamic.end_pass()

    # What changed, and how far it came.

    @cython.cfunc
    def room_to_join(self) -> cython.void:
        """Make room for every row and every box."""
        if len(self._renewed_in) != self.columns.capacity:
            self._renewed_in = longer(self._renewed_in, self.columns.capacity)
            self.renewed_in = self._renewed_in
        if self.joined_room < self.dynamic.boxes.capacity:
            room: cython.Py_ssize_t = self.dynamic.boxes.capacity
            slot, kind, way = array("i", bytes(4 * room)), array("b", bytes(room)), array("q", bytes(8 * 3 * room))
            self._slot, self._kind, self._way = slot, kind, way
            self.slot, self.kind, self.way = self._slot, self._kind, self._way
            self.joined_room = room

    @cython.cfunc
    def note_ways(self, rows: cython.int[::1], altered: cython.schar[::1], count: cython.Py_ssize_t) -> cython.void:
        """Mark the changed rows, and those whose former boxes do not count: all but displaced single ones."""
        at: cython.Py_ssize_t
        row: cython.int
        for at in range(count):
            row = rows[at]
            self.changed_in[row] = self.now
            if (
                altered[at]
                or self.columns.count_view[row] != 1
                or self.columns.flags_view[row] & _STATIC
                or self.jumped(row)
            ):
                self.renewed_in[row] = self.now

    @cython.cfunc
    @cython.exceptval(check=False)
    def jumped(self, row: cython.int) -> cython.bint:
        """Whether a body of one box came further than that is long: the hull would hold too much.

        Or into the plane in which all lie now: a join of that plane cannot tell that it was above the others.
        """
        base: cython.Py_ssize_t = 6 * self.columns.first_view[row]
        side: cython.longlong = 0
        far: cython.longlong = 0
        axis: cython.int
        for axis in range(3):
            by: cython.longlong = self.columns.pos_view[3 * row + axis] - self.looked_at[3 * row + axis]
            if axis == 2 and by != 0 and self.dynamic.boxes.flat:
                return True
            far = max(far, by, -by)
            side = max(side, self.dynamic.boxes.faces[base + 3 + axis] - self.dynamic.boxes.faces[base + axis])
        return far > side

    @cython.cfunc
    @cython.exceptval(check=False)
    def way_of(self, row: cython.int, axis: cython.int) -> cython.longlong:
        """How far a row came along an axis since it was last compared; 0 where its former box does not count."""
        if self.changed_in[row] != self.now or self.renewed_in[row] == self.now:
            return 0
        return self.columns.pos_view[3 * row + axis] - self.looked_at[3 * row + axis]

    # The join.

    @cython.cfunc
    def join_boxes(self) -> cython.void:
        """Hand all boxes over to the join that changed or are awake, as hulls."""
        grid: Grid = self.dynamic
        faces: cython.longlong[::1] = grid.boxes.faces
        owner: cython.int[::1] = grid.boxes.owner
        way: cython.longlong[::1] = self.way
        dims: cython.Py_ssize_t = 2 if grid.boxes.flat else 3
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        axis: cython.int
        row: cython.int
        kind: cython.int
        flags: cython.int = 0
        self.join.room_for(grid.boxes.box_count, dims)
        low: cython.double[::1] = self.join.low
        high: cython.double[::1] = self.join.high
        for slot in range(grid.boxes.slot_count):
            row = owner[slot]
            if row < 0 or not (grid.boxes.awake[slot] or self.changed_in[row] == self.now):
                continue
            kind = _CHANGED if self.changed_in[row] == self.now else 0
            if self.columns.count_view[row] != 1 or self.renewed_in[row] == self.now:
                kind |= _SINGLED
                if slot - self.columns.first_view[row] >= self.columns.outer_view[row]:
                    continue
            for axis in range(dims):
                by: cython.longlong = 0
                if kind == _CHANGED:
                    by = self.columns.pos_view[3 * row + axis] - self.looked_at[3 * row + axis]
                way[3 * at + axis] = by
                low[dims * at + axis] = faces[6 * slot + axis] - (by if by > 0 else 0)
                high[dims * at + axis] = faces[6 * slot + 3 + axis] - (by if by < 0 else 0)
            self.slot[at] = cython.cast(cython.int, slot)
            self.kind[at] = kind
            flags |= self.columns.flags_view[row]
            at += 1
        self.join.count = at
        self.touching = (flags & _TOUCHING) != 0

    @cython.cfunc
    def keep_changes(self, found: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Move the candidates to the front that may have begun or ended; returns how many."""
        faces: cython.longlong[::1] = self.dynamic.boxes.faces
        pairs: cython.longlong[::1] = self.join.found
        member: cython.int[::1] = self.join.member
        slot: cython.int[::1] = self.slot
        way: cython.longlong[::1] = self.way
        kind: cython.schar[::1] = self.kind
        touching: cython.bint = self.touching
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        axis: cython.int
        dims: cython.int = 2 if self.dynamic.boxes.flat else 3
        for at in range(found):
            pair: cython.longlong = pairs[at]
            one: cython.Py_ssize_t = member[pair >> 32]
            two: cython.Py_ssize_t = member[pair & _PLACE]
            a: cython.Py_ssize_t = 6 * slot[one]
            b: cython.Py_ssize_t = 6 * slot[two]
            now: cython.bint = True
            before: cython.bint = True
            for axis in range(dims):
                ahead: cython.longlong = faces[b + 3 + axis] - faces[a + axis]
                behind: cython.longlong = faces[a + 3 + axis] - faces[b + axis]
                by: cython.longlong = way[3 * one + axis] - way[3 * two + axis]
                now = now & (ahead > 0) & (behind > 0)
                before = before & (ahead + by > 0) & (behind - by > 0)
            pairs[count] = pair
            count += (now ^ before) | ((kind[one] | kind[two]) >> 1) | (touching & (1 - (now & before)))
        self.pairs_tested += found
        return count

    # Sleepers and statics.

    @cython.cfunc
    def judge_around(self, row: cython.int, grid: Grid, asleep_only: cython.bint) -> cython.void:
        """Settle the pairs of a changed row with the boxes of `grid` that its hulls meet."""
        home: Grid = self.home_of(row)
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t
        x: cython.longlong = self.way_of(row, 0)
        y: cython.longlong = self.way_of(row, 1)
        z: cython.longlong = self.way_of(row, 2)
        if grid.boxes.box_count == 0 or not (self.columns.flags_view[row] & _ENABLED):
            return
        for slot in range(self.columns.first_view[row], self.columns.first_view[row] + self.columns.outer_view[row]):
            lox: cython.longlong = home.boxes.faces[6 * slot] - max(x, 0)
            loy: cython.longlong = home.boxes.faces[6 * slot + 1] - max(y, 0)
            loz: cython.longlong = home.boxes.faces[6 * slot + 2] - max(z, 0)
            hix: cython.longlong = home.boxes.faces[6 * slot + 3] - min(x, 0)
            hiy: cython.longlong = home.boxes.faces[6 * slot + 4] - min(y, 0)
            hiz: cython.longlong = home.boxes.faces[6 * slot + 5] - min(z, 0)
            if asleep_only:
                grid.collect_asleep(lox, loy, loz, hix, hiy, hiz)
            else:
                grid.collect(lox, loy, loz, hix, hiy, hiz)
            self.pairs_tested += grid.hit_count
            for at in range(grid.hit_count):
                self.settle(home, slot, grid, grid.hits[at])

    # One pair.

    @cython.cfunc
    def settle(self, grid_a: Grid, a: cython.Py_ssize_t, grid_b: Grid, b: cython.Py_ssize_t) -> cython.void:
        """Find whether two boxes began or ended a contact of their bodies, either way round."""
        row_a: cython.int = grid_a.boxes.owner[a]
        row_b: cython.int = grid_b.boxes.owner[b]
        one: cython.bint
        two: cython.bint
        now: cython.int
        before: cython.int = 4
        many: cython.bint = True
        if row_a == row_b or (self.changed_in[row_a] != self.now and self.changed_in[row_b] != self.now):
            return
        one = self.columns.reports(row_a, row_b)
        two = self.columns.reports(row_b, row_a)
        if not (one or two):
            return
        now = self.faces_meet(grid_a, a, grid_b, b)
        if self.renewed_in[row_a] != self.now and self.renewed_in[row_b] != self.now:
            before = self.former_meet(grid_a, a, grid_b, b)
            many = self.columns.count_view[row_a] != 1 or self.columns.count_view[row_b] != 1
        limit_a: cython.int = 1 if self.columns.flags_view[row_a] & _TOUCHING else 0
        limit_b: cython.int = 1 if self.columns.flags_view[row_b] & _TOUCHING else 0
        if one:
            self.settle_one(row_a, row_b, now <= limit_a, before <= limit_a, many)
        if two:
            self.settle_one(row_b, row_a, now <= limit_b, before <= limit_b, many)

    @cython.cfunc
    def settle_one(
        self, trigger: cython.int, other: cython.int, now: cython.bint, before: cython.bint, many: cython.bint
    ) -> cython.void:
        """See a contact that is, end one that was; where `many` boxes or unknown times are at play, only doubt it."""
        pair: cython.int
        if now:
            if many or not before:
                self.see(trigger, other)
        elif before:
            pair = self.slots[self.slot_of(trigger, other)]
            if pair >= 0 and many:
                self.doubt(pair)
            elif pair >= 0:
                self.note_ended(pair)

    @cython.cfunc
    @cython.exceptval(check=False)
    def former_meet(self, grid_a: Grid, a: cython.Py_ssize_t, grid_b: Grid, b: cython.Py_ssize_t) -> cython.int:
        """On how many axes two boxes only touched when they were last compared, as `faces_meet` counts."""
        count: cython.int = 0
        axis: cython.int
        for axis in range(3):
            by: cython.longlong = self.way_of(grid_a.boxes.owner[a], axis) - self.way_of(grid_b.boxes.owner[b], axis)
            low: cython.longlong = grid_a.boxes.faces[6 * a + axis] - by
            high: cython.longlong = grid_a.boxes.faces[6 * a + 3 + axis] - by
            their_low: cython.longlong = grid_b.boxes.faces[6 * b + axis]
            their_high: cython.longlong = grid_b.boxes.faces[6 * b + 3 + axis]
            if low < their_high and their_low < high:
                continue
            if low > their_high or their_low > high:
                return 4
            count += 1
        return count

    @cython.cfunc
    def doubt(self, pair: cython.int) -> cython.void:
        """Note a contact of which one pair of boxes has ended: it has, unless another pair is seen."""
        if self.doubtful_count == self.doubtful_room:
            self._doubtful = longer(self._doubtful, 2 * self.doubtful_room)
            self.doubtful = self._doubtful
            self.doubtful_room *= 2
        self.doubtful[self.doubtful_count] = pair
        self.doubtful_count += 1


seal(ContactComparison)
