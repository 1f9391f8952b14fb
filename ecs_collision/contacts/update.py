# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Which contacts of triggers began and ended, found from what changed (rules T1, S3).

A changed body looks at its whole neighbourhood and re-checks its own contacts, and nothing else does. A
body much larger than the smallest, merely displaced, looks down only into the strips that its faces entered
or left: what stays covered is never looked at, so a giant over ten thousand sleepers costs what it meets.
Pairs of bodies of two sizes that both moved are the smaller one's business. Past a quarter of the bodies
changed, one pass over all awake pairs is cheaper.

Not taken: whole-box questions by giants (2 to 32 times a frame of equal sizes, measured).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.bodies.columns import Columns
    from cython.cimports.ecs_collision.broadphase.box_pool import BoxPool
    from cython.cimports.ecs_collision.broadphase.morton_grid.batch_query import BatchQuery
    from cython.cimports.ecs_collision.broadphase.morton_grid.grid import Grid
    from cython.cimports.ecs_collision.contacts.store import ContactStore
else:
    from ecs_collision.bodies.columns import Columns
    from ecs_collision.broadphase.box_pool import BoxPool
    from ecs_collision.broadphase.morton_grid.batch_query import BatchQuery
    from ecs_collision.broadphase.morton_grid.grid import Grid
    from ecs_collision.contacts.store import ContactStore

from ecs_collision._arrays import longer
from ecs_collision.broadphase.morton_grid.batch_query import BATCH
from ecs_collision.sealing import seal

# Flags of columns.py, as constants of this module so that the compiled loops read no globals.
_STATIC = cython.declare(cython.int, 4)
_ENABLED = cython.declare(cython.int, 8)
_TOUCHING = cython.declare(cython.int, 128)

_BATCH = cython.declare(cython.Py_ssize_t, BATCH)

_WHOLE = cython.declare(cython.int, 3)
"""A body looks at its whole box on levels down to this many below its own (boxes an eighth its size)."""

_ALL_LEVELS = cython.declare(cython.int, (1 << 22) - 1)


@cython.cclass
class ContactUpdate(ContactStore):
    """The store of contacts with the means to bring it up to date; `finished` names the records that ended."""

    def __init__(self, columns: Columns, dynamic: Grid, static: Grid) -> None:
        ContactStore.__init__(self, columns)
        self.dynamic = dynamic
        self.static = static
        self.finished = array("i", bytes(256))
        self.ended = self.finished
        self.ended_room = 64
        self.ended_count = 0
        self.pairs_tested = 0
        self.nearby = BatchQuery(dynamic)
        self._altered_in, self._asking_in, self._asking_rows = array("i"), array("i"), array("i", bytes(4 * BATCH))
        self.asking_rows = self._asking_rows
        self._looked_at, self._changed_in, self._strips = array("q"), array("i"), array("q", bytes(8 * 24))
        self.strips = self._strips
        self.level_counts = array("i", bytes(4 * 23))
        self.changed_levels = self.level_counts
        self.room_to_compare()

    @cython.cfunc
    def room_to_compare(self) -> cython.void:
        """Make room for every row of the table."""
        self.room_for_rows()
        if len(self._changed_in) != self.columns.capacity:
            rows: cython.Py_ssize_t = self.columns.capacity
            looked_at, changed_in = longer(self._looked_at, 3 * rows), longer(self._changed_in, rows)
            altered_in, asking_in = longer(self._altered_in, rows), longer(self._asking_in, rows)
            self._looked_at, self._changed_in = looked_at, changed_in
            self._altered_in, self._asking_in = altered_in, asking_in
            self.looked_at, self.changed_in = self._looked_at, self._changed_in
            self.altered_in, self.asking_in = self._altered_in, self._asking_in

    # One pair.

    def reported(self, trigger: cython.int, other: cython.int) -> bool:
        """Return whether the trigger reports the other where they overlap, by their flags and layers (T6)."""
        return bool(self.columns.reports(trigger, other))

    @cython.ccall
    def touch(self, trigger: cython.int, other: cython.int) -> cython.bint:
        """Return whether any boxes of the two meet as the trigger asks, box by box and without the index."""
        home: Grid = self.home_of(trigger)
        away: Grid = self.home_of(other)
        limit: cython.int = 1 if self.columns.flags_view[trigger] & _TOUCHING else 0
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        for a in range(
            self.columns.first_view[trigger], self.columns.first_view[trigger] + self.columns.outer_view[trigger]
        ):
            for b in range(
                self.columns.first_view[other], self.columns.first_view[other] + self.columns.outer_view[other]
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
            low: cython.longlong = grid_a.boxes.faces[6 * a + axis]
            high: cython.longlong = grid_a.boxes.faces[6 * a + 3 + axis]
            their_low: cython.longlong = grid_b.boxes.faces[6 * b + axis]
            their_high: cython.longlong = grid_b.boxes.faces[6 * b + 3 + axis]
            if low < their_high and their_low < high:
                continue
            if low > their_high or their_low > high:
                return 4
            count += 1
        return count

    @cython.cfunc
    def test(self, grid_a: Grid, a: cython.Py_ssize_t, grid_b: Grid, b: cython.Py_ssize_t) -> cython.void:
        """See the pair of two boxes' bodies, each way round, if a trigger among them reports the other."""
        row_a: cython.int = grid_a.boxes.owner[a]
        row_b: cython.int = grid_b.boxes.owner[b]
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
    def home_of(self, row: cython.int) -> Grid:
        """Return the index that holds the boxes of a row."""
        return self.static if self.columns.flags_view[row] & _STATIC else self.dynamic

    @cython.cfunc
    def look(self, row: cython.int, grid: Grid, levels: cython.int) -> cython.void:
        """See every contact of `row` with the boxes of `grid` on the given levels (bits)."""
        home: Grid = self.home_of(row)
        boxes: BoxPool = home.boxes
        first: cython.Py_ssize_t = self.columns.first_view[row]
        end: cython.Py_ssize_t = first + self.columns.outer_view[row]
        behind: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t
        hits: cython.Py_ssize_t
        if grid.boxes.box_count == 0:
            return
        while first < end:
            behind = boxes.together(first, end)
            hits = grid.collect_levels(
                levels, boxes.span[0], boxes.span[1], boxes.span[2], boxes.span[3], boxes.span[4], boxes.span[5]
            )
            for at in range(hits):
                if grid.boxes.owner[grid.hits[at]] == row:
                    continue
                for slot in range(first, behind):
                    if behind == first + 1 or self.faces_meet(home, slot, grid, grid.hits[at]) < 4:
                        self.test(home, slot, grid, grid.hits[at])
            first = behind

    @cython.cfunc
    def note_ended(self, pair: cython.int) -> cython.void:
        """Add a record to `finished`, once."""
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
        """End the contacts of a row that were not seen when it looked at all of them."""
        side: cython.int = self.head[row]
        while side >= 0:
            self.note_ended(side >> 1)
            side = self.next[side]

    # Single boxes, merely displaced, that look at few cells: most of what moves. They look together, and because where
    # everybody was is known, the store is asked only for contacts that begin or end.

    @cython.cfunc
    def see_together(self, rows: cython.int[::1], count: cython.Py_ssize_t) -> cython.void:
        """See the contacts that begin with the rows that can look together, and mark these rows in `asking_in`."""
        at: cython.Py_ssize_t
        row: cython.int
        batch: cython.Py_ssize_t = 0
        levels: cython.int = self.dynamic.boxes.level_bits | self.static.boxes.level_bits
        for at in range(count):
            row = rows[at]
            if self.looks_with_others(row, levels):
                self.asking_in[row] = self.now
        for at in range(count):
            row = rows[at]
            if self.asking_in[row] == self.now:
                self.asking_rows[batch] = row
                self.nearby.asking[batch] = self.columns.first_view[row]
                batch += 1
            if batch == _BATCH:
                self.see_batch(batch)
                batch = 0
        self.see_batch(batch)

    @cython.cfunc
    @cython.exceptval(check=False)
    def looks_with_others(self, row: cython.int, levels: cython.int) -> cython.bint:
        """Whether a row is a single box that was merely displaced and covers few cells."""
        return (
            self.altered_in[row] != self.now
            and self.columns.count_view[row] == 1
            and (self.columns.flags_view[row] & (_STATIC | _ENABLED)) == _ENABLED
            and self.whole_levels(row) == _ALL_LEVELS
            and self.nearby.few_cells(self.columns.first_view[row], levels)
        )

    @cython.cfunc
    def see_batch(self, count: cython.Py_ssize_t) -> cython.void:
        """See the contacts that begin with a batch of rows."""
        at: cython.Py_ssize_t
        found: cython.Py_ssize_t = self.nearby.find(count, self.dynamic)
        for at in range(found):
            self.see_new(self.asking_rows[self.nearby.who[at]], self.dynamic, self.nearby.near[at])
        if self.static.boxes.box_count > 0:
            found = self.nearby.find(count, self.static)
            for at in range(found):
                self.see_new(self.asking_rows[self.nearby.who[at]], self.static, self.nearby.near[at])

    @cython.cfunc
    def see_new(self, row: cython.int, grid: Grid, other: cython.Py_ssize_t) -> cython.void:
        """See the contacts, each way round, that a row that looks with others begins with a box that meets it."""
        near: cython.int = grid.boxes.owner[other]
        one: cython.bint = self.columns.reports(row, near)
        two: cython.bint = self.columns.reports(near, row)
        apart: cython.int
        before: cython.int
        if not (one or two) or (self.asking_in[near] == self.now and near < row):
            return  # of two that look, the one with the lower row sees both ways
        self.pairs_tested += 1
        apart = self.faces_meet(self.dynamic, self.columns.first_view[row], grid, other)
        if apart > 1:
            return
        before = self.faces_met(row, near, grid, other)
        if one:
            self.see_if_new(row, near, apart, before)
        if two:
            self.see_if_new(near, row, apart, before)

    @cython.cfunc
    def see_if_new(self, trigger: cython.int, other: cython.int, apart: cython.int, before: cython.int) -> cython.void:
        """See a contact that was none before, by the number of axes on which faces only touch."""
        limit: cython.int = 1 if self.columns.flags_view[trigger] & _TOUCHING else 0
        if apart <= limit < before:
            self.see(trigger, other)

    @cython.cfunc
    @cython.exceptval(check=False)
    def faces_met(self, row: cython.int, near: cython.int, grid: Grid, other: cython.Py_ssize_t) -> cython.int:
        """What `faces_meet` gave when both were last looked at; 4 where that is not known."""
        mine: cython.Py_ssize_t = 6 * self.columns.first_view[row]
        theirs: cython.Py_ssize_t = 6 * other
        axis: cython.Py_ssize_t
        count: cython.int = 0
        by: cython.longlong
        to: cython.longlong = 0
        if self.columns.count_view[near] != 1 or self.altered_in[near] == self.now:
            return 4
        for axis in range(3):
            by = self.columns.pos_view[3 * row + axis] - self.looked_at[3 * row + axis]
            if self.changed_in[near] == self.now:
                to = self.columns.pos_view[3 * near + axis] - self.looked_at[3 * near + axis]
            low: cython.longlong = self.dynamic.boxes.faces[mine + axis] - by
            high: cython.longlong = self.dynamic.boxes.faces[mine + 3 + axis] - by
            their_low: cython.longlong = grid.boxes.faces[theirs + axis] - to
            their_high: cython.longlong = grid.boxes.faces[theirs + 3 + axis] - to
            if low < their_high and their_low < high:
                continue
            if low > their_high or their_low > high:
                return 4
            count += 1
        return count

    @cython.cfunc
    def end_apart(self, row: cython.int) -> cython.void:
        """End the contacts of a row that looked with others, where the two do not meet any more."""
        side: cython.int = self.head[row]
        pair: cython.int
        while side >= 0:
            pair = side >> 1
            side = self.next[side]
            if self.seen[pair] != self.now and not (
                self.columns.reports(self.trigger[pair], self.other[pair])
                and self.touch(self.trigger[pair], self.other[pair])
            ):
                self.note_ended(pair)

    # Giants: single boxes much larger than the smallest, merely displaced since they last looked.

    @cython.cfunc
    @cython.exceptval(check=False)
    def whole_levels(self, row: cython.int) -> cython.int:
        """The levels (bits) a row looks at with its whole box; all of them unless it is a giant."""
        level: cython.int
        if self.columns.count_view[row] != 1:
            return _ALL_LEVELS
        level = self.home_of(row).boxes.levels[self.columns.first_view[row]] - _WHOLE
        if level <= 0 or not ((self.dynamic.boxes.level_bits | self.static.boxes.level_bits) & ((1 << level) - 1)):
            return _ALL_LEVELS
        return _ALL_LEVELS & (-1 << level)

    @cython.cfunc
    @cython.exceptval(check=False)
    def cut(self, row: cython.int, entered: cython.bint) -> cython.int:
        """Put into `strips` what the box of a row entered, or left, since it last looked; returns how many.

        A strip is six faces; strips of several axes may overlap. The whole former box is the last, behind them.
        """
        boxes: BoxPool = self.home_of(row).boxes
        base: cython.Py_ssize_t = 6 * self.columns.first_view[row]
        count: cython.int = 0
        axis: cython.int
        face: cython.int
        by: cython.longlong
        for axis in range(3):
            by = self.columns.pos_view[3 * row + axis] - self.looked_at[3 * row + axis]
            low: cython.longlong = boxes.faces[base + axis]
            high: cython.longlong = boxes.faces[base + 3 + axis]
            self.strips[18 + axis] = low - by
            self.strips[18 + 3 + axis] = high - by
        for axis in range(3):
            by = self.columns.pos_view[3 * row + axis] - self.looked_at[3 * row + axis]
            if by == 0:
                continue
            for face in range(6):
                self.strips[6 * count + face] = boxes.faces[base + face] if entered else self.strips[18 + face]
            if (by > 0) == entered:  # the strip lies at the high face
                self.strips[6 * count + axis] = max(
                    self.strips[6 * count + axis],
                    self.strips[18 + 3 + axis] if entered else boxes.faces[base + 3 + axis],
                )
            else:
                self.strips[6 * count + 3 + axis] = min(
                    self.strips[6 * count + 3 + axis],
                    self.strips[18 + axis] if entered else boxes.faces[base + axis],
                )
            count += 1
        return count

    @cython.cfunc
    def hits_of_strip(self, grid: Grid, levels: cython.int, strip: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Collect the boxes of `grid` on the given levels that meet a strip."""
        if grid.boxes.box_count == 0:
            return 0
        return grid.collect_levels(
            levels,
            self.strips[6 * strip],
            self.strips[6 * strip + 1],
            self.strips[6 * strip + 2],
            self.strips[6 * strip + 3],
            self.strips[6 * strip + 4],
            self.strips[6 * strip + 5],
        )

    @cython.cfunc
    def look_down(self, row: cython.int, levels: cython.int, grid: Grid) -> cython.void:
        """See the contacts of a giant with the boxes of these levels in the strips it entered."""
        strip: cython.int
        at: cython.Py_ssize_t
        hits: cython.Py_ssize_t
        for strip in range(self.cut(row, True)):
            hits = self.hits_of_strip(grid, levels, strip)
            for at in range(hits):
                self.test(self.home_of(row), self.columns.first_view[row], grid, grid.hits[at])

    @cython.cfunc
    def end_left(self, row: cython.int, whole: cython.int, grid: Grid) -> cython.void:
        """End the contacts of a giant that lie in the strips it left, and those of its size in its former box."""
        strips: cython.int = self.cut(row, False)
        strip: cython.int
        at: cython.Py_ssize_t
        hits: cython.Py_ssize_t
        for strip in range(strips):
            hits = self.hits_of_strip(grid, _ALL_LEVELS & ~whole, strip)
            for at in range(hits):
                self.judge(row, grid.boxes.owner[grid.hits[at]])
        hits = self.hits_of_strip(grid, whole, 3)
        for at in range(hits):
            self.judge(row, grid.boxes.owner[grid.hits[at]])

    @cython.cfunc
    def judge(self, a: cython.int, b: cython.int) -> cython.void:
        """End the contacts between two rows, either way round, that are no more."""
        pair: cython.int
        if a == b:
            return
        pair = self.slots[self.slot_of(a, b)]
        if pair >= 0 and self.seen[pair] != self.now and not (self.columns.reports(a, b) and self.touch(a, b)):
            self.note_ended(pair)
        pair = self.slots[self.slot_of(b, a)]
        if pair >= 0 and self.seen[pair] != self.now and not (self.columns.reports(b, a) and self.touch(b, a)):
            self.note_ended(pair)

    @cython.cfunc
    def end_with_changed(self, row: cython.int) -> cython.void:
        """End the contacts of a giant with bodies that changed as well and may be anywhere now."""
        side: cython.int = self.head[row]
        other: cython.int
        while side >= 0:
            other = self.other[side >> 1] if not (side & 1) else self.trigger[side >> 1]
            if self.changed_in[other] == self.now:
                self.judge(row, other)
            side = self.next[side]

    @cython.cfunc
    @cython.exceptval(check=False)
    def others_changed(self, row: cython.int, whole: cython.int) -> cython.bint:
        """Whether another body of a size that a giant looks at whole has changed too; compounds count as any size."""
        level: cython.int
        count: cython.int = self.changed_levels[22]
        for level in range(22):
            if (whole >> level) & 1:
                count += self.changed_levels[level]
        return count > 1

    # The invariants.

    def check_looks(self, rows: list[int]) -> None:
        """Verify of rows that have not changed that they are where they last looked; raises IndexError otherwise."""
        for row in rows:
            for axis in range(3):
                if self.looked_at[3 * row + axis] != self.columns.pos_view[3 * row + axis]:
                    raise IndexError(f"row {row} is not where it was compared, and not noted as changed")
        for marks in (self._changed_in, self._altered_in, self._asking_in):
            if len(marks) and max(marks) > self.now:
                raise IndexError("a row is marked by a comparison that is yet to come")

    # The comparison.

    @cython.cfunc
    def compare_each(self, rows: cython.int[::1], altered: cython.schar[::1], count: cython.Py_ssize_t) -> cython.void:
        """Find which contacts began and ended by a look of every changed body; O(those and their neighbours).

        `altered[k]` is 0 where row k was only displaced.
        """
        at: cython.Py_ssize_t
        self.note_changed(rows, altered, count)
        self.see_together(rows, count)
        for at in range(count):
            if self.asking_in[rows[at]] != self.now:
                self.see_changed(rows[at], altered[at])
        for at in range(count):
            if self.asking_in[rows[at]] == self.now:
                self.end_apart(rows[at])
            else:
                self.end_changed(rows[at], altered[at])

    @cython.ccall
    def remember_all(self, rows: array[int]) -> cython.void:
        """Note where rows are, also where nobody has to be asked because there is no trigger."""
        at: cython.Py_ssize_t
        changed: cython.int[::1] = rows
        self.room_to_compare()
        for at in range(len(rows)):
            self.remember(changed[at])

    @cython.cfunc
    def note_changed(self, rows: cython.int[::1], altered: cython.schar[::1], count: cython.Py_ssize_t) -> cython.void:
        """Mark the changed rows and count them by level (the last count: those of many boxes or none)."""
        at: cython.Py_ssize_t
        row: cython.int
        for at in range(23):
            self.changed_levels[at] = 0
        for at in range(count):
            row = rows[at]
            self.changed_in[row] = self.now
            if altered[at]:
                self.altered_in[row] = self.now
            if self.columns.count_view[row] == 1:
                self.changed_levels[self.home_of(row).boxes.levels[self.columns.first_view[row]]] += 1
            else:
                self.changed_levels[22] += 1

    @cython.cfunc
    def see_changed(self, row: cython.int, altered: cython.bint) -> cython.void:
        """See what a changed body is in contact with, as far as it has to look itself."""
        whole: cython.int
        if not (self.columns.flags_view[row] & _ENABLED):
            return
        whole = _ALL_LEVELS if altered else self.whole_levels(row)
        self.look(row, self.dynamic, whole)
        self.look(row, self.static, whole)
        if whole != _ALL_LEVELS:
            self.look_down(row, _ALL_LEVELS & ~whole, self.dynamic)
            self.look_down(row, _ALL_LEVELS & ~whole, self.static)

    @cython.cfunc
    def end_changed(self, row: cython.int, altered: cython.bint) -> cython.void:
        """End the contacts of a changed body that are no more, after all have been seen."""
        whole: cython.int = _ALL_LEVELS
        if not altered and self.columns.flags_view[row] & _ENABLED:
            whole = self.whole_levels(row)
        if whole == _ALL_LEVELS:
            self.end_unseen(row)
            return
        self.end_left(row, whole, self.dynamic)
        self.end_left(row, whole, self.static)
        if self.others_changed(row, whole):
            self.end_with_changed(row)

    @cython.cfunc
    @cython.exceptval(check=False)
    def remember(self, row: cython.int) -> cython.void:
        """Note where a row was when it looked."""
        axis: cython.int
        for axis in range(3):
            self.looked_at[3 * row + axis] = self.columns.pos_view[3 * row + axis]


seal(ContactUpdate)
