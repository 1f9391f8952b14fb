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
    from cython.cimports.ecs_collision.bodies.dirty_rows import DirtyRows
    from cython.cimports.ecs_collision.broadphase.box_pool import BoxPool
    from cython.cimports.ecs_collision.broadphase.morton_grid.batch_query import BatchQuery
    from cython.cimports.ecs_collision.broadphase.morton_grid.grid import Grid
    from cython.cimports.ecs_collision.contacts.end_reason import name_of
    from cython.cimports.ecs_collision.contacts.full_update import FullUpdate
    from cython.cimports.ecs_collision.contacts.overlaps import Overlaps
    from cython.cimports.ecs_collision.contacts.store import ContactStore
else:
    from ecs_collision.bodies.dirty_rows import DirtyRows
    from ecs_collision.broadphase.box_pool import BoxPool
    from ecs_collision.broadphase.morton_grid.batch_query import BatchQuery
    from ecs_collision.broadphase.morton_grid.grid import Grid
    from ecs_collision.contacts.end_reason import name_of
    from ecs_collision.contacts.full_update import FullUpdate
    from ecs_collision.contacts.overlaps import Overlaps
    from ecs_collision.contacts.store import ContactStore

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import ENABLED, STATIC, TOUCHING
from ecs_collision.broadphase.morton_grid.batch_query import BATCH
from ecs_collision.broadphase.morton_grid.morton import TOP_LEVEL
from ecs_collision.sealing import seal

# C copies: compiled code would look the imported names up as Python objects.
_STATIC = cython.declare(cython.int, STATIC)
_ENABLED = cython.declare(cython.int, ENABLED)
_TOUCHING = cython.declare(cython.int, TOUCHING)

_BATCH = cython.declare(cython.Py_ssize_t, BATCH)

_WHOLE = cython.declare(cython.int, 3)
"""A body looks at its whole box on levels down to this many below its own (boxes an eighth its size)."""

_ALL_LEVELS = cython.declare(cython.int, 2 * (1 << TOP_LEVEL) - 1)


@cython.final
@cython.cclass
class ContactUpdate:
    """Brings a store of contacts up to date, by a look of every changed body or by one join of all (`full_update`)."""

    def __init__(self, store: ContactStore, overlaps: Overlaps) -> None:
        self.store, self.overlaps = store, overlaps
        self.full = FullUpdate(store, overlaps)
        self.columns, self.links = overlaps.columns, overlaps.links
        self.dynamic, self.static = overlaps.dynamic, overlaps.static
        self.batch = BatchQuery(self.dynamic)
        self.batched_in, self.batch_rows = array("i"), array("i", bytes(4 * BATCH))
        self.batch_rows_view = self.batch_rows
        self.strips = array("q", bytes(8 * 24))
        self.strips_view = self.strips
        self.level_counts = array("i", bytes(4 * 23))
        self.level_counts_view = self.level_counts
        self.now = 0

    @cython.ccall
    def compare_changed(self, changed: DirtyRows, everything: cython.bint) -> cython.void:
        """Find the contacts that began and ended with the rows noted as changed, and strike these off.

        O(changed bodies and their neighbours), or with `everything` O(awake bodies and their pairs).
        """
        at: cython.Py_ssize_t
        rows = changed.rows[: changed.count]
        altered = array("b", bytes(changed.count))
        rows_view: cython.int[::1] = rows
        altered_view: cython.schar[::1] = altered
        for at in range(changed.count):
            altered_view[at] = changed.altered_view[rows_view[at]]
        changed.clear()
        self.compare(rows, altered, everything)

    def compare(self, rows: array[int], altered: array[int], everything: cython.bint) -> None:
        """Do so for rows in no particular order; `altered[k]` is 0 where row k was only displaced."""
        self.store.begin_pass()
        self.now = self.overlaps.now = self.store.now
        self.room_for_rows()
        if everything:
            self.full.compare_all(rows, altered, len(rows))
        else:
            self.compare_each(rows, altered, len(rows))
        if self.links.count > 0:
            self.keep_held()
        self.overlaps.remember_all(rows)

    @cython.cfunc
    def room_for_rows(self) -> cython.int:
        """Make room for every row of the table."""
        self.overlaps.room_for_rows()
        if len(self.batched_in) != self.columns.capacity:
            self.batched_in = longer(self.batched_in, self.columns.capacity)
            self.batched_in_view = self.batched_in
        return 0

    @cython.cfunc
    def keep_held(self) -> cython.void:
        """Take back the end of contacts with groups of which another member is still inside."""
        at: cython.Py_ssize_t
        pair: cython.int
        count: cython.Py_ssize_t = 0
        for at in range(self.store.ended_count):
            pair = self.store.ended_view[at]
            if self.links.is_fused(self.store.others_view[pair]) and self.overlaps.holds(
                self.store.triggers_view[pair], self.store.others_view[pair]
            ):
                self.store.see(self.store.triggers_view[pair], self.store.others_view[pair])
            else:
                self.store.ended_view[count] = pair
                count += 1
        self.store.ended_count = count

    # One pair.

    @cython.cfunc
    def test(self, grid_a: Grid, a: cython.Py_ssize_t, grid_b: Grid, b: cython.Py_ssize_t) -> cython.void:
        """See the pair of two boxes' bodies, each way round, if a trigger among them reports the other."""
        row_a: cython.int = grid_a.boxes.owner_view[a]
        row_b: cython.int = grid_b.boxes.owner_view[b]
        one: cython.bint = self.columns.reports(row_a, row_b)
        two: cython.bint = self.columns.reports(row_b, row_a)
        apart: cython.int
        if not (one or two) or self.links.is_same_body(row_a, row_b):
            return
        self.overlaps.pairs_tested += 1
        apart = self.overlaps.faces_meet(grid_a, a, grid_b, b)
        if apart > 1:
            return
        if one and (apart == 0 or self.columns.flags_view[row_a] & _TOUCHING):
            self.store.see(row_a, name_of(self.columns, self.links, row_b))
        if two and (apart == 0 or self.columns.flags_view[row_b] & _TOUCHING):
            self.store.see(row_b, name_of(self.columns, self.links, row_a))

    @cython.cfunc
    def look(self, row: cython.int, grid: Grid, levels: cython.int) -> cython.void:
        """See every contact of `row` with the boxes of `grid` on the given levels (bits)."""
        home: Grid = self.overlaps.home_of(row)
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
                levels,
                boxes.span_view[0],
                boxes.span_view[1],
                boxes.span_view[2],
                boxes.span_view[3],
                boxes.span_view[4],
                boxes.span_view[5],
            )
            for at in range(hits):
                if grid.boxes.owner_view[grid.hits_view[at]] == row:
                    continue
                for slot in range(first, behind):
                    if behind == first + 1 or self.overlaps.faces_meet(home, slot, grid, grid.hits_view[at]) < 4:
                        self.test(home, slot, grid, grid.hits_view[at])
            first = behind

    # Single boxes, merely displaced, that look at few cells: most of what moves. They look together, and because where
    # everybody was is known, the store is asked only for contacts that begin or end.

    @cython.cfunc
    def see_together(self, rows: cython.int[::1], count: cython.Py_ssize_t) -> cython.void:
        """See the contacts that begin with the rows that can look together, and mark these rows in `batched_in`."""
        at: cython.Py_ssize_t
        row: cython.int
        batch: cython.Py_ssize_t = 0
        levels: cython.int = self.dynamic.boxes.level_bits | self.static.boxes.level_bits
        for at in range(count):
            row = rows[at]
            if self.looks_with_others(row, levels):
                self.batched_in_view[row] = self.now
        for at in range(count):
            row = rows[at]
            if self.batched_in_view[row] == self.now:
                self.batch_rows_view[batch] = row
                self.batch.asking_view[batch] = self.columns.first_view[row]
                batch += 1
            if batch == _BATCH:
                self.see_batch(batch)
                batch = 0
        self.see_batch(batch)

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_single(self, row: cython.int) -> cython.bint:
        """Whether a row is a body of its own with a single box."""
        return self.columns.count_view[row] == 1 and self.links.next_row_view[row] == row

    @cython.cfunc
    @cython.exceptval(check=False)
    def looks_with_others(self, row: cython.int, levels: cython.int) -> cython.bint:
        """Whether a row is a single box that was merely displaced and covers few cells."""
        return (
            self.overlaps.altered_in_view[row] != self.now
            and self.is_single(row)
            and (self.columns.flags_view[row] & (_STATIC | _ENABLED)) == _ENABLED
            and self.whole_levels(row) == _ALL_LEVELS
            and self.batch.few_cells(self.columns.first_view[row], levels)
        )

    @cython.cfunc
    def see_batch(self, count: cython.Py_ssize_t) -> cython.void:
        """See the contacts that begin with a batch of rows."""
        at: cython.Py_ssize_t
        found: cython.Py_ssize_t = self.batch.find(count, self.dynamic)
        for at in range(found):
            self.see_new(self.batch_rows_view[self.batch.who_view[at]], self.dynamic, self.batch.near_view[at])
        if self.static.boxes.box_count > 0:
            found = self.batch.find(count, self.static)
            for at in range(found):
                self.see_new(self.batch_rows_view[self.batch.who_view[at]], self.static, self.batch.near_view[at])

    @cython.cfunc
    def see_new(self, row: cython.int, grid: Grid, other: cython.Py_ssize_t) -> cython.void:
        """See the contacts, each way round, that a row that looks with others begins with a box that meets it."""
        near: cython.int = grid.boxes.owner_view[other]
        one: cython.bint = self.columns.reports(row, near)
        two: cython.bint = self.columns.reports(near, row)
        apart: cython.int
        if not (one or two) or (self.batched_in_view[near] == self.now and near < row):
            return  # of two that look, the one with the lower row sees both ways
        self.overlaps.pairs_tested += 1
        mine: cython.Py_ssize_t = self.columns.first_view[row]
        apart = self.overlaps.faces_meet(self.dynamic, mine, grid, other)
        if apart > 1:
            return
        before: cython.int = 4
        if self.columns.count_view[near] == 1 and self.overlaps.altered_in_view[near] != self.now:
            before = self.overlaps.faces_met(self.dynamic, mine, grid, other)
        if one:
            self.see_if_new(row, near, apart, before)
        if two:
            self.see_if_new(near, row, apart, before)

    @cython.cfunc
    def see_if_new(self, trigger: cython.int, other: cython.int, apart: cython.int, before: cython.int) -> cython.void:
        """See a contact that was none before, by the number of axes on which faces only touch."""
        limit: cython.int = 1 if self.columns.flags_view[trigger] & _TOUCHING else 0
        if apart <= limit < before:
            self.store.see(trigger, name_of(self.columns, self.links, other))

    @cython.cfunc
    def end_apart(self, row: cython.int) -> cython.void:
        """End the contacts of a row that looked with others, where the two do not meet any more."""
        side: cython.int = self.store.head_view[row]
        pair: cython.int
        while side >= 0:
            pair = side >> 1
            side = self.store.next_view[side]
            if self.store.seen_view[pair] != self.now and not self.overlaps.holds(
                self.store.triggers_view[pair], self.store.others_view[pair]
            ):
                self.store.note_ended(pair)

    # Giants: single boxes much larger than the smallest, merely displaced since they last looked.

    @cython.cfunc
    @cython.exceptval(check=False)
    def whole_levels(self, row: cython.int) -> cython.int:
        """The levels (bits) a row looks at with its whole box; all of them unless it is a giant."""
        level: cython.int
        if not self.is_single(row):
            return _ALL_LEVELS
        level = self.overlaps.home_of(row).boxes.levels_view[self.columns.first_view[row]] - _WHOLE
        if level <= 0 or not ((self.dynamic.boxes.level_bits | self.static.boxes.level_bits) & ((1 << level) - 1)):
            return _ALL_LEVELS
        return _ALL_LEVELS & (-1 << level)

    @cython.cfunc
    @cython.exceptval(check=False)
    def cut(self, row: cython.int, entered: cython.bint) -> cython.int:
        """Put into `strips` what the box of a row entered, or left, since it last looked; returns how many.

        A strip is six faces; strips of several axes may overlap. The whole former box is the last, behind them.
        """
        boxes: BoxPool = self.overlaps.home_of(row).boxes
        base: cython.Py_ssize_t = 6 * self.columns.first_view[row]
        count: cython.int = 0
        axis: cython.int
        face: cython.int
        by: cython.longlong
        for axis in range(3):
            by = self.columns.pos_view[3 * row + axis] - self.overlaps.compared_at_view[3 * row + axis]
            low: cython.longlong = boxes.faces_view[base + axis]
            high: cython.longlong = boxes.faces_view[base + 3 + axis]
            self.strips_view[18 + axis] = low - by
            self.strips_view[18 + 3 + axis] = high - by
        for axis in range(3):
            by = self.columns.pos_view[3 * row + axis] - self.overlaps.compared_at_view[3 * row + axis]
            if by == 0:
                continue
            for face in range(6):
                self.strips_view[6 * count + face] = (
                    boxes.faces_view[base + face] if entered else self.strips_view[18 + face]
                )
            if (by > 0) == entered:  # the strip lies at the high face
                self.strips_view[6 * count + axis] = max(
                    self.strips_view[6 * count + axis],
                    self.strips_view[18 + 3 + axis] if entered else boxes.faces_view[base + 3 + axis],
                )
            else:
                self.strips_view[6 * count + 3 + axis] = min(
                    self.strips_view[6 * count + 3 + axis],
                    self.strips_view[18 + axis] if entered else boxes.faces_view[base + axis],
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
            self.strips_view[6 * strip],
            self.strips_view[6 * strip + 1],
            self.strips_view[6 * strip + 2],
            self.strips_view[6 * strip + 3],
            self.strips_view[6 * strip + 4],
            self.strips_view[6 * strip + 5],
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
                self.test(self.overlaps.home_of(row), self.columns.first_view[row], grid, grid.hits_view[at])

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
                self.judge(row, grid.boxes.owner_view[grid.hits_view[at]])
        hits = self.hits_of_strip(grid, whole, 3)
        for at in range(hits):
            self.judge(row, grid.boxes.owner_view[grid.hits_view[at]])

    @cython.cfunc
    def judge(self, a: cython.int, b: cython.int) -> cython.void:
        """End the contacts between two rows, either way round, that are no more."""
        if a != b:
            self.judge_one(a, name_of(self.columns, self.links, b))
            self.judge_one(b, name_of(self.columns, self.links, a))

    @cython.cfunc
    def judge_one(self, trigger: cython.int, name: cython.int) -> cython.void:
        """End a contact if it is no more."""
        pair: cython.int = self.store.slots_view[self.store.slot_of(trigger, name)]
        if pair >= 0 and self.store.seen_view[pair] != self.now and not self.overlaps.holds(trigger, name):
            self.store.note_ended(pair)

    @cython.cfunc
    def end_with_changed(self, row: cython.int) -> cython.void:
        """End the contacts of a giant with bodies that changed as well and may be anywhere now."""
        side: cython.int = self.store.head_view[row]
        other: cython.int
        while side >= 0:
            other = self.store.others_view[side >> 1] if not (side & 1) else self.store.triggers_view[side >> 1]
            if self.overlaps.changed_in_view[other] == self.now:
                self.judge(row, other)
            side = self.store.next_view[side]

    @cython.cfunc
    @cython.exceptval(check=False)
    def others_changed(self, row: cython.int, whole: cython.int) -> cython.bint:
        """Whether another body of a size that a giant looks at whole has changed too; compounds count as any size."""
        level: cython.int
        count: cython.int = self.level_counts_view[22]
        for level in range(22):
            if (whole >> level) & 1:
                count += self.level_counts_view[level]
        return count > 1

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
            if self.batched_in_view[rows[at]] != self.now:
                self.see_changed(rows[at], altered[at])
        for at in range(count):
            if self.batched_in_view[rows[at]] == self.now:
                self.end_apart(rows[at])
            else:
                self.end_changed(rows[at], altered[at])

    @cython.cfunc
    def note_changed(self, rows: cython.int[::1], altered: cython.schar[::1], count: cython.Py_ssize_t) -> cython.void:
        """Mark the changed rows and count them by level (the last count: those of many boxes or none)."""
        at: cython.Py_ssize_t
        row: cython.int
        for at in range(23):
            self.level_counts_view[at] = 0
        for at in range(count):
            row = rows[at]
            self.overlaps.changed_in_view[row] = self.now
            if altered[at]:
                self.overlaps.altered_in_view[row] = self.now
            if self.is_single(row):
                self.level_counts_view[self.overlaps.home_of(row).boxes.levels_view[self.columns.first_view[row]]] += 1
            else:
                self.level_counts_view[22] += 1

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
            self.store.end_unseen(row)
            return
        self.end_left(row, whole, self.dynamic)
        self.end_left(row, whole, self.static)
        if self.others_changed(row, whole):
            self.end_with_changed(row)

    # The invariants.

    def check(self) -> None:
        """Verify the marks of rows; raises IndexError otherwise."""
        if len(self.batched_in) and max(self.batched_in) > self.now:
            raise IndexError("a row is marked by a comparison that is yet to come")


seal(ContactUpdate)
