# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Updates the contacts of reporters from what changed (rules T1, C1, S3).

A reporter is a trigger, or a solid body that asks for contacts.

Each changed body searches its neighbourhood; unchanged bodies cost nothing. One box that was only displaced searches
the hull of where it was and where it is, and finds contacts that begin and those that end; other bodies re-check their
contacts. A body much larger than the smallest that was only displaced searches for small boxes only in the strips that
its faces entered or left. The part that stays covered is not searched, so a giant over ten thousand sleepers costs only
what it meets. If two bodies of different sizes moved, the smaller one finds the pair. If more than about a
seventh of the bodies changed, one pass over all awake pairs is cheaper (`FULL_PASS_SHARE`).

Not taken: searching the whole box of a giant (2 to 32 times the time of a frame of equal sizes).
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

from ecs_collision._arrays import zeros
from ecs_collision.bodies.columns import ENABLED, SHAPED, SOLID, STATIC, TOUCHING
from ecs_collision.bodies.dirty_rows import DirtyRows
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.morton import TOP_LEVEL
from ecs_collision.broadphase.protocol import PREPARED, Index
from ecs_collision.contacts.full_update import FullUpdate
from ecs_collision.contacts.overlaps import ALTERED, HULLED, Overlaps
from ecs_collision.contacts.store import ContactStore

# C copies: compiled code would look the imported names up as Python objects.
_STATIC = cython.declare(cython.int, STATIC)
_SHAPED = cython.declare(cython.int, SHAPED)
_SOLID = cython.declare(cython.int, SOLID)
_ENABLED = cython.declare(cython.int, ENABLED)
_TOUCHING = cython.declare(cython.int, TOUCHING)
_ALTERED = cython.declare(cython.longlong, ALTERED)
_HULLED = cython.declare(cython.longlong, HULLED)

_AHEAD = cython.declare(cython.Py_ssize_t, 8)
"""Rows ahead of the one that is looked at, whose memory is asked for: about as long as it takes to come."""

_TOGETHER = cython.declare(cython.Py_ssize_t, PREPARED)

_FULL_LEVELS = cython.declare(cython.int, 3)
"""A body searches its whole box on levels down to this many below its own (boxes an eighth its size)."""

_ALL_LEVELS = cython.declare(cython.int, 2 * (1 << TOP_LEVEL) - 1)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def touches(ahead: cython.longlong, behind: cython.longlong) -> cython.int:
    """Return 1 if two extents that are not apart only touch on an axis, by how far either reaches past the other."""
    return ahead == 0 or behind == 0


@cython.final
@cython.cclass
class ContactUpdate:
    """Updates a contact store, by a search around every changed body or by one join of all (`full_update`)."""

    def __init__(self, store: ContactStore, overlaps: Overlaps) -> None:
        self.store, self.overlaps = store, overlaps
        self.full = FullUpdate(store, overlaps)
        self.columns, self.links = overlaps.columns, overlaps.links
        self.dynamic, self.static = overlaps.dynamic, overlaps.static
        self.rows, self.altered = array("i"), array("b")
        self.reach_view, self.ends_view = zeros("q", 6), zeros("q", PREPARED)
        self.has_giants = self.has_others = False
        self.strips = array("q", bytes(8 * 24))
        self.strips_view = self.strips
        self.level_counts = array("i", bytes(4 * 23))
        self.level_counts_view = self.level_counts

    def update_changed(self, changed: DirtyRows, everything: cython.bint) -> cython.void:
        """Find the contacts that began and ended with the dirty rows, and clear the list of these.

        O(changed bodies and their neighbours), or with `everything` O(awake bodies and their pairs).
        """
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = changed.count
        if len(self.rows) < count:
            self.rows, self.altered = zeros("i", 2 * count), zeros("b", 2 * count)
        for at in range(count):
            self.rows[at] = changed.rows_view[at]
            self.altered[at] = changed.altered_view[at]
        changed.clear()
        self.store.begin_pass()
        self.overlaps.pass_number += 1
        self.overlaps.reserve_rows()
        self.full.begin()
        if everything:
            self.full.update_all(self.rows, self.altered, count)
        else:
            self.update_each(self.rows, self.altered, count)
        if self.links.count > 0:
            self.keep_group_contacts()
        self.overlaps.store_positions(self.rows, count)

    def keep_group_contacts(self) -> cython.void:
        """Restore ended contacts with groups of which another member is still inside."""
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        for at in range(self.store.ended_count):
            reporter: cython.int = self.store.ended[2 * at]
            other: cython.int = self.store.ended[2 * at + 1]
            if self.links.is_fused(other) and self.overlaps.is_contact(reporter, other):
                self.store.mark_seen(reporter, other)
            else:
                self.store.keep_ended(at, count)
                count += 1
        self.store.ended_count = count

    # One pair.

    def test_boxes(self, grid_a: Index, a: cython.Py_ssize_t, grid_b: Index, b: cython.Py_ssize_t) -> cython.void:
        """Mark the contacts of two boxes' bodies as seen, if they meet and either reports the other."""
        row_a: cython.int = grid_a.boxes.owner_view[a]
        row_b: cython.int = grid_b.boxes.owner_view[b]
        one: cython.bint = self.columns.reports(row_a, row_b)
        two: cython.bint = self.columns.reports(row_b, row_a)
        separation: cython.int
        if not (one or two) or self.links.is_same_body(row_a, row_b):
            return
        self.overlaps.pairs_tested += 1
        separation = self.overlaps.separation(grid_a, a, grid_b, b)
        if separation > 1:
            return
        if one and (separation == 0 or self.columns.flags_view[row_a] & _TOUCHING):
            self.store.mark_seen(row_a, reported_row(self.columns, self.links, row_b))
        if two and (separation == 0 or self.columns.flags_view[row_b] & _TOUCHING):
            self.store.mark_seen(row_b, reported_row(self.columns, self.links, row_a))

    def find_around(self, row: cython.int, grid: Index, levels: cython.int) -> cython.void:
        """Mark every contact of `row` with boxes of `grid` on the given levels (bits) as seen."""
        own_grid: Index = self.overlaps.grid_of(row)
        boxes: BoxPool = own_grid.boxes
        first: cython.Py_ssize_t = self.columns.first_view[row]
        end: cython.Py_ssize_t = first + self.columns.outer_view[row]
        group_end: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t
        hits: cython.Py_ssize_t
        if grid.boxes.box_count == 0:
            return
        while first < end:
            group_end = boxes.next_hull(first, end)
            hits = grid.collect_levels(
                levels,
                boxes.hull_view[0],
                boxes.hull_view[1],
                boxes.hull_view[2],
                boxes.hull_view[3],
                boxes.hull_view[4],
                boxes.hull_view[5],
            )
            for at in range(hits):
                if grid.boxes.owner_view[grid.hits_view[at]] == row:
                    continue
                for slot in range(first, group_end):
                    if group_end == first + 1 or self.overlaps.separation(own_grid, slot, grid, grid.hits_view[at]) < 4:
                        self.test_boxes(own_grid, slot, grid, grid.hits_view[at])
            first = group_end

    # Single boxes that were only displaced, and not far: most of what moves. The boxes that meet the hull of the former
    # and the present box include all with which a contact began or ended, so the contact store is accessed only then.

    def is_single_box(self, row: cython.int) -> cython.bint:
        """Return whether a row has a single box and no fused group."""
        return self.columns.count_view[row] == 1 and self.links.next_row_view[row] == row

    def hull_bits(self, row: cython.int, most: cython.longlong) -> cython.longlong:
        """Return HULLED if a row is a single box that was only displaced, by `most` at most on each axis, else 0.

        No giant is, and no solid body while some are one-way, whose contacts begin otherwise than boxes meet (M5), and
        no body that came into the plane of all: there, z is not compared.
        """
        flags: cython.int = self.columns.flags_view[row]
        if not self.is_single_box(row) or flags & (_STATIC | _ENABLED) != _ENABLED:
            return 0
        if self.columns.one_way_count > 0 and flags & _SOLID:
            return 0
        if (
            self.dynamic.boxes.levels_view[self.columns.first_view[row]] > _FULL_LEVELS
            and self.full_levels(row) != _ALL_LEVELS
        ):
            self.has_giants = True
            return 0
        x: cython.longlong = self.columns.pos_view[8 * row] - self.overlaps.compared[4 * row]
        y: cython.longlong = self.columns.pos_view[8 * row + 1] - self.overlaps.compared[4 * row + 1]
        z: cython.longlong = self.columns.pos_view[8 * row + 2] - self.overlaps.compared[4 * row + 2]
        if max(x, y, z) > most or min(x, y, z) < -most or (z != 0 and self.dynamic.boxes.flat):
            return 0
        self.reach_view[0] = max(self.reach_view[0], -x)
        self.reach_view[1] = max(self.reach_view[1], -y)
        self.reach_view[2] = max(self.reach_view[2], -z)
        self.reach_view[3] = max(self.reach_view[3], x)
        self.reach_view[4] = max(self.reach_view[4], y)
        self.reach_view[5] = max(self.reach_view[5], z)
        return _HULLED

    def is_hulled(self, row: cython.int) -> cython.bint:
        """Return whether a row searches by its hull."""
        return self.overlaps.compared[4 * row + 3] == 4 * self.overlaps.pass_number + _HULLED

    def search_hulls(self, rows: cython.int[::1], count: cython.Py_ssize_t) -> cython.void:
        """Update the contacts of the rows with a hull.

        Several rows ask for the memory around them, then gather the boxes in it, and only then look at these, so that
        what each of them reads is there.
        """
        at: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        row: cython.int
        first: cython.Py_ssize_t = 0
        while first < count:
            last: cython.Py_ssize_t = min(first + _TOGETHER, count)
            for at in range(first, last):
                if self.is_hulled(rows[at]):
                    self.aim(rows[at], self.dynamic)
                    self.dynamic.prepare(at - first)
            begin = 0
            for at in range(first, last):
                if self.is_hulled(rows[at]):
                    begin = self.dynamic.gather(at - first, begin)
                self.ends_view[at - first] = begin
            begin = 0
            for at in range(first, last):
                row = rows[at]
                if self.is_hulled(row):
                    self.test_gathered(row, self.dynamic, begin, self.ends_view[at - first])
                    begin = self.ends_view[at - first]
                    if self.overlaps.may_meet_static(row):
                        self.overlaps.static_searches += 1
                        self.aim(row, self.static)
                        self.static.prepare(0)
                        self.test_gathered(row, self.static, 0, self.static.gather(0, 0))
            first = last

    def aim(self, row: cython.int, grid: Index) -> cython.void:
        """Begin a query with the hull of a row, widened by the reach of others."""
        x: cython.longlong = self.columns.pos_view[8 * row] - self.overlaps.compared[4 * row]
        y: cython.longlong = self.columns.pos_view[8 * row + 1] - self.overlaps.compared[4 * row + 1]
        z: cython.longlong = self.columns.pos_view[8 * row + 2] - self.overlaps.compared[4 * row + 2]
        grid.aim_at(self.dynamic.boxes, self.columns.first_view[row])
        grid.lox -= max(x, 0) + self.reach_view[0]
        grid.loy -= max(y, 0) + self.reach_view[1]
        grid.loz -= max(z, 0) + self.reach_view[2]
        grid.hix += self.reach_view[3] - min(x, 0)
        grid.hiy += self.reach_view[4] - min(y, 0)
        grid.hiz += self.reach_view[5] - min(z, 0)

    def test_gathered(
        self, row: cython.int, grid: Index, first: cython.Py_ssize_t, last: cython.Py_ssize_t
    ) -> cython.void:
        """Update the contacts of a row with a hull and boxes that were gathered; of two such rows the lower one does.

        Only with boxes that it meets now otherwise than when they were last compared. Flat boxes always meet along z.
        A box is apart from another if, on any axis, the reach of either past the other is negative.
        """
        at: cython.Py_ssize_t
        other: cython.int
        slot: cython.Py_ssize_t = self.columns.first_view[row]
        boxes: BoxPool = grid.boxes
        faces: cython.p_longlong = cython.address(boxes.faces_view[0]) if cython.compiled else boxes.faces_view
        box: cython.p_longlong = (
            cython.address(self.dynamic.boxes.faces_view[8 * slot])
            if cython.compiled
            else self.dynamic.boxes.faces_view[8 * slot : 8 * slot + 6]
        )
        is_static: cython.bint = grid is self.static
        changed_mark: cython.longlong = 4 * self.overlaps.pass_number
        own_x: cython.longlong = self.columns.pos_view[8 * row] - self.overlaps.compared[4 * row]
        own_y: cython.longlong = self.columns.pos_view[8 * row + 1] - self.overlaps.compared[4 * row + 1]
        own_z: cython.longlong = self.columns.pos_view[8 * row + 2] - self.overlaps.compared[4 * row + 2]
        ahead_z: cython.longlong = 0
        behind_z: cython.longlong = 0
        for at in range(first, last):
            near: cython.Py_ssize_t = grid.gathered[at]
            x: cython.longlong = own_x
            y: cython.longlong = own_y
            z: cython.longlong = own_z
            if is_static or boxes.marks_view[near]:  # otherwise nothing else of its body has to be read
                other = boxes.owner_view[near]
                mark: cython.longlong = self.overlaps.compared[4 * other + 3] - changed_mark
                if mark == _HULLED and other <= row:
                    continue
                if mark == _ALTERED:
                    self.overlaps.pairs_tested += 1
                    self.full.update_pair(self.dynamic, slot, grid, near)
                    continue
                if mark >= 0:
                    x -= self.columns.pos_view[8 * other] - self.overlaps.compared[4 * other]
                    y -= self.columns.pos_view[8 * other + 1] - self.overlaps.compared[4 * other + 1]
                    z -= self.columns.pos_view[8 * other + 2] - self.overlaps.compared[4 * other + 2]
            self.overlaps.pairs_tested += 1
            ahead: cython.longlong = faces[8 * near + 3] - box[0]
            behind: cython.longlong = box[3] - faces[8 * near]
            ahead_y: cython.longlong = faces[8 * near + 4] - box[1]
            behind_y: cython.longlong = box[4] - faces[8 * near + 1]
            now: cython.longlong = ahead | behind | ahead_y | behind_y
            before: cython.longlong = (ahead + x) | (behind - x) | (ahead_y + y) | (behind_y - y)
            if not boxes.flat:
                ahead_z, behind_z = faces[8 * near + 5] - box[2], box[5] - faces[8 * near + 2]
                now |= ahead_z | behind_z
                before |= (ahead_z + z) | (behind_z - z)
            if now < 0 and before < 0:
                continue
            if (now < 0) == (before < 0):
                now = touches(ahead, behind) + touches(ahead_y, behind_y)
                before = touches(ahead + x, behind - x) + touches(ahead_y + y, behind_y - y)
                if not boxes.flat:
                    now += touches(ahead_z, behind_z)
                    before += touches(ahead_z + z, behind_z - z)
            if now != before or (
                self.columns.shaped_count > 0 and self.overlaps.are_shaped(self.dynamic.boxes, slot, boxes, near)
            ):
                self.full.update_pair(self.dynamic, slot, grid, near)

    def end_separated(self, row: cython.int) -> cython.void:
        """End the contacts of a row with a hull whose bodies do not meet any more; a giant may have been anywhere."""
        at: cython.Py_ssize_t
        for at in range(self.store.find_of_row(row)):
            self.end_pair_if_separated(self.store.found[2 * at], self.store.found[2 * at + 1])

    # Giants: single boxes much larger than the smallest, only displaced since their last search.

    def full_levels(self, row: cython.int) -> cython.int:
        """Return the levels (bits) that a row searches with its whole box: all, unless it is a giant.

        A giant that is no box may meet others without their meeting the strips that its bounds entered. So may one that
        leaves a one-way body, or is one (M5).
        """
        level: cython.int
        if self.columns.one_way_count > 0 and self.columns.flags_view[row] & _SOLID:
            return _ALL_LEVELS
        if not self.is_single_box(row) or self.columns.flags_view[row] & _SHAPED:
            return _ALL_LEVELS
        level = self.overlaps.grid_of(row).boxes.levels_view[self.columns.first_view[row]] - _FULL_LEVELS
        if level <= 0 or not ((self.dynamic.boxes.level_bits | self.static.boxes.level_bits) & ((1 << level) - 1)):
            return _ALL_LEVELS
        return _ALL_LEVELS & (-1 << level)

    def compute_strips(self, row: cython.int, entered: cython.bint) -> cython.int:
        """Write the strips that the box of a row entered, or left, to `strips`; return their number.

        A strip is six faces; strips of several axes may overlap. The whole former box follows as the fourth.
        """
        boxes: BoxPool = self.overlaps.grid_of(row).boxes
        base: cython.Py_ssize_t = 8 * self.columns.first_view[row]
        count: cython.int = 0
        axis: cython.int
        face: cython.int
        by: cython.longlong
        for axis in range(3):
            by = self.columns.pos_view[8 * row + axis] - self.overlaps.compared[4 * row + axis]
            low: cython.longlong = boxes.faces_view[base + axis]
            high: cython.longlong = boxes.faces_view[base + 3 + axis]
            self.strips_view[18 + axis] = low - by
            self.strips_view[18 + 3 + axis] = high - by
        for axis in range(3):
            by = self.columns.pos_view[8 * row + axis] - self.overlaps.compared[4 * row + axis]
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

    def collect_strip(self, grid: Index, levels: cython.int, strip: cython.Py_ssize_t) -> cython.Py_ssize_t:
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

    def find_in_strips(self, row: cython.int, levels: cython.int, grid: Index) -> cython.void:
        """Find the contacts of a giant with boxes of these levels in the strips it entered."""
        strip: cython.int
        at: cython.Py_ssize_t
        hits: cython.Py_ssize_t
        for strip in range(self.compute_strips(row, True)):
            hits = self.collect_strip(grid, levels, strip)
            for at in range(hits):
                self.test_boxes(self.overlaps.grid_of(row), self.columns.first_view[row], grid, grid.hits_view[at])

    def end_in_strips(self, row: cython.int, full: cython.int, grid: Index) -> cython.void:
        """End the contacts of a giant in the strips it left, and those of its size in its former box."""
        strips: cython.int = self.compute_strips(row, False)
        strip: cython.int
        at: cython.Py_ssize_t
        hits: cython.Py_ssize_t
        for strip in range(strips):
            hits = self.collect_strip(grid, _ALL_LEVELS & ~full, strip)
            for at in range(hits):
                self.end_if_separated(row, grid.boxes.owner_view[grid.hits_view[at]])
        hits = self.collect_strip(grid, full, 3)
        for at in range(hits):
            self.end_if_separated(row, grid.boxes.owner_view[grid.hits_view[at]])

    def end_if_separated(self, a: cython.int, b: cython.int) -> cython.void:
        """End the contacts between two rows, either way round, if they do not meet any more."""
        if a != b:
            self.end_pair_if_separated(a, reported_row(self.columns, self.links, b))
            self.end_pair_if_separated(b, reported_row(self.columns, self.links, a))

    def end_pair_if_separated(self, reporter: cython.int, name: cython.int) -> cython.void:
        """End a contact if the two do not meet any more."""
        if self.store.is_unseen(reporter, name) and not self.overlaps.is_contact(reporter, name):
            self.store.add_ended(reporter, name)

    def end_with_changed(self, row: cython.int) -> cython.void:
        """End the contacts of a giant with changed bodies, which may be anywhere now."""
        at: cython.Py_ssize_t
        for at in range(self.store.find_of_row(row)):
            reporter: cython.int = self.store.found[2 * at]
            name: cython.int = self.store.found[2 * at + 1]
            if self.overlaps.has_changed(name if reporter == row else reporter):
                self.end_pair_if_separated(reporter, name)

    def others_changed(self, row: cython.int, full: cython.int) -> cython.bint:
        """Return whether another body of a fully searched size has changed; compounds count as any size."""
        level: cython.int
        count: cython.int = self.level_counts_view[22]
        for level in range(22):
            if (full >> level) & 1:
                count += self.level_counts_view[level]
        return count > 1

    # The update by changed bodies.

    def update_each(self, rows: cython.int[::1], altered: cython.schar[::1], count: cython.Py_ssize_t) -> cython.void:
        """Find the contacts that began and ended around each changed body. O(changed bodies and their neighbours).

        `altered[k]` is 0 if row k was only displaced.
        """
        at: cython.Py_ssize_t
        self.mark_slots(rows, count, True)
        self.mark_changed(rows, altered, count)
        self.search_hulls(rows, count)
        self.mark_slots(rows, count, False)
        for at in range(count if self.has_others else 0):
            if not self.is_hulled(rows[at]):
                self.find_changed(rows[at], altered[at])
        for at in range(count if self.has_others else 0):
            if not self.is_hulled(rows[at]):
                self.end_changed(rows[at], altered[at])
            elif self.has_giants:
                self.end_separated(rows[at])
        self.full.end_maybe_ended(True)

    def mark_slots(self, rows: cython.int[::1], count: cython.Py_ssize_t, changed: cython.bint) -> cython.void:
        """Mark the dynamic boxes of the changed rows, in the records that are read anyway, or remove the marks."""
        at: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        for at in range(count):
            row: cython.int = rows[at]
            for slot in range(
                self.columns.first_view[row], self.columns.first_view[row] + self.columns.count_view[row]
            ):
                if slot < self.dynamic.boxes.capacity:  # perhaps of a static box
                    self.dynamic.boxes.marks_view[slot] = changed

    def mark_changed(self, rows: cython.int[::1], altered: cython.schar[::1], count: cython.Py_ssize_t) -> cython.void:
        """Mark the changed rows, among them those that search by their hull, and find how far these have come.

        Count rows by level if some search otherwise; the last count is of those with several boxes or none.
        """
        at: cython.Py_ssize_t
        row: cython.int
        levels: cython.int = self.dynamic.boxes.level_bits | self.static.boxes.level_bits
        most: cython.longlong = cython.cast(cython.longlong, 1) << self.dynamic.boxes.bin_shift
        while levels != 0 and not levels & 1:
            levels >>= 1
            most <<= 1
        self.has_giants = self.has_others = False
        for at in range(6):
            self.reach_view[at] = 0
        for at in range(count):
            if cython.compiled and at + _AHEAD < count:
                prefetch(cython.address(self.overlaps.compared[4 * rows[at + _AHEAD]]))
            row = rows[at]
            bits: cython.longlong = _ALTERED if altered[at] else self.hull_bits(row, most)
            self.overlaps.mark(row, bits)
            self.has_others = self.has_others or bits != _HULLED
        for at in range(23):
            self.level_counts_view[at] = 0
        for at in range(count if self.has_others else 0):
            row = rows[at]
            if self.is_single_box(row):
                self.level_counts_view[self.overlaps.grid_of(row).boxes.levels_view[self.columns.first_view[row]]] += 1
            else:
                self.level_counts_view[22] += 1

    def find_changed(self, row: cython.int, altered: cython.bint) -> cython.void:
        """Find the contacts of a changed body that it has to search for itself."""
        full: cython.int
        if not (self.columns.flags_view[row] & _ENABLED):
            return
        full = _ALL_LEVELS if altered else self.full_levels(row)
        self.find_in_grid(row, self.dynamic, full)
        if self.overlaps.may_meet_static(row):
            self.overlaps.static_searches += 1
            self.find_in_grid(row, self.static, full)

    def find_in_grid(self, row: cython.int, grid: Index, full: cython.int) -> cython.void:
        """Mark the contacts of `row` with boxes of `grid` as seen; levels that are not in `full` only in the strips."""
        self.find_around(row, grid, full)
        if full != _ALL_LEVELS:
            self.find_in_strips(row, _ALL_LEVELS & ~full, grid)

    def end_changed(self, row: cython.int, altered: cython.bint) -> cython.void:
        """End the contacts of a changed body that were not seen, after all have been found."""
        full: cython.int = _ALL_LEVELS
        if not altered and self.columns.flags_view[row] & _ENABLED:
            full = self.full_levels(row)
        if full == _ALL_LEVELS:
            self.store.end_unseen(row)
            return
        self.end_in_strips(row, full, self.dynamic)
        if self.overlaps.may_meet_static(row):
            self.end_in_strips(row, full, self.static)
        if self.others_changed(row, full):
            self.end_with_changed(row)
