# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Finds all contacts that began or ended with one join, when many bodies changed (rules T1 and S3).

Each box that was only displaced is joined by the hull of its former and its present box. The candidates then include
all pairs that meet now and all that met before; comparing their faces for both times gives begins and ends. Unchanged
pairs, nearly all, do not access the contact store.

Bodies that changed otherwise, compounds, and those that moved further than their length have no such hull. They are
joined by their present boxes; each of their pairs is marked if it is seen, and unseen contacts end.

Sleepers are left out of the join: each changed body searches for them around itself, as for statics.

Not taken: a pass over all cells with an awake box (four times the time), and former boxes as separate boxes (twice the
boxes, and each pair up to four times).
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
    from cython.cimports.ecs_collision.shapes.overlap import separation
else:
    from ecs_collision.contacts.overlaps import reported_row
    from ecs_collision.shapes.overlap import separation

from ecs_collision._arrays import longer, zeros
from ecs_collision.bodies.columns import ENABLED, SHAPED, SOLID, STATIC, TOUCHING, Columns
from ecs_collision.broadphase.all_pairs import PLACE, AllPairs
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.protocol import Index
from ecs_collision.contacts.overlaps import ALTERED, Overlaps
from ecs_collision.contacts.store import ContactStore
from ecs_collision.shapes.overlap import PlacedPart

# C copies: compiled code would look the imported names up as Python objects.
_STATIC = cython.declare(cython.int, STATIC)
_SHAPED = cython.declare(cython.int, SHAPED)
_SOLID = cython.declare(cython.int, SOLID)
_ENABLED = cython.declare(cython.int, ENABLED)
_TOUCHING = cython.declare(cython.int, TOUCHING)
_ALTERED = cython.declare(cython.longlong, ALTERED)

# Flags of joined boxes: the body has changed; its pairs are tested one by one in any case.
_CHANGED = cython.declare(cython.int, 1)
_ALWAYS_TESTED = cython.declare(cython.int, 2)
_IS_SHAPED = cython.declare(cython.int, 4)
_KIND_BITS = cython.declare(cython.int, 3)

# Bits of the second slot of a pair, beyond any slot: whether the two are known to begin or end, and which of both.
_KNOWN = cython.declare(cython.longlong, 1 << 31)
_MEETS = cython.declare(cython.longlong, 1 << 30)
_SLOT = cython.declare(cython.longlong, (1 << 30) - 1)

_AHEAD = cython.declare(cython.Py_ssize_t, 8)
"""Pairs ahead of the one that is compared, whose memory is asked for."""

_PLACE = cython.declare(cython.longlong, PLACE)


@cython.final
@cython.cclass
class FullUpdate:
    """Finds the contacts that began and ended in a frame in which many bodies changed."""

    def __init__(self, store: ContactStore, overlaps: Overlaps) -> None:
        self.store, self.overlaps = store, overlaps
        self.columns: Columns = overlaps.columns
        self.dynamic, self.static = overlaps.dynamic, overlaps.static
        self.all_pairs = AllPairs()
        self.joined = array("q")
        self.maybe_ended = array("i", bytes(4 * 2 * 64))
        self.maybe_ended_count = 0
        self.touching = self.has_altered = False

    def begin(self) -> cython.void:
        """Start an update; `end_maybe_ended` ends it."""
        self.maybe_ended_count = 0

    def update_all(self, rows: cython.int[::1], altered: cython.schar[::1], count: cython.Py_ssize_t) -> cython.void:
        """Update every pair with a changed member."""
        at: cython.Py_ssize_t
        row: cython.int
        found: cython.Py_ssize_t
        self.reserve_boxes()
        self.mark_changed(rows, altered, count)
        self.dynamic.begin_pass()
        self.add_boxes()
        found = self.filter_changes(self.all_pairs.find_candidates())
        owners: cython.int[:] = self.dynamic.boxes.owner_view
        for at in range(found):
            if at + 2 * _AHEAD < found:
                pair: cython.longlong = self.all_pairs.candidates[at + 2 * _AHEAD]
                self.store.fetch(owners[pair >> 32], False)
                self.store.fetch(owners[pair & _SLOT], False)
                pair = self.all_pairs.candidates[at + _AHEAD]
                self.store.fetch(owners[pair >> 32], True)
                self.store.fetch(owners[pair & _SLOT], True)
            self.update_joined(self.all_pairs.candidates[at])
        for at in range(count if self.static.boxes.box_count > 0 or self.dynamic.boxes.asleep_bits != 0 else 0):
            row = rows[at]
            if self.columns.flags_view[row] & _STATIC:
                self.test_around(row, self.dynamic, False)
            elif self.dynamic.boxes.asleep_bits != 0:
                self.test_around(row, self.dynamic, True)
            if self.overlaps.may_meet_static(row):
                self.overlaps.static_searches += 1
                self.test_around(row, self.static, False)
        for at in range(count if self.has_altered else 0):
            if self.overlaps.is_altered(rows[at]):
                self.store.end_unseen(rows[at])
        self.end_maybe_ended(False)
        self.dynamic.end_pass()

    # What changed, and its displacement.

    def reserve_boxes(self) -> cython.void:
        """Make room for every box."""
        if len(self.joined) < 4 * self.dynamic.boxes.capacity:
            self.joined = zeros("q", 4 * self.dynamic.boxes.capacity)

    def mark_changed(self, rows: cython.int[::1], altered: cython.schar[::1], count: cython.Py_ssize_t) -> cython.void:
        """Mark the changed rows, and as altered all but displaced single boxes; `add_boxes` adds those that jumped.

        If there are one-way bodies, contacts begin and end otherwise than boxes meet (M5), so solid rows are altered.
        """
        at: cython.Py_ssize_t
        row: cython.int
        compared: cython.longlong[::1] = self.overlaps.compared
        counts: cython.int[:] = self.columns.count_view
        flags: cython.int[:] = self.columns.flags_view
        mark: cython.longlong = 4 * self.overlaps.pass_number
        refused: cython.int = _STATIC | _SOLID if self.columns.one_way_count > 0 else _STATIC
        self.has_altered = False
        for at in range(count):
            row = rows[at]
            compared[4 * row + 3] = mark
            if altered[at] or counts[row] != 1 or flags[row] & refused:
                compared[4 * row + 3] = mark + _ALTERED
                self.has_altered = True

    # The join.

    def add_boxes(self) -> cython.void:
        """Add the hulls of all boxes that changed or are awake to the join."""
        boxes: BoxPool = self.dynamic.boxes
        columns: Columns = self.columns
        faces: cython.longlong[::1] = boxes.faces_view
        owners: cython.int[:] = boxes.owner_view
        awake: cython.schar[:] = boxes.awake_view
        pos: cython.longlong[::1] = columns.pos_view
        counts: cython.int[:] = columns.count_view
        flags_view: cython.int[:] = columns.flags_view
        joined: cython.longlong[::1] = self.joined
        compared: cython.longlong[::1] = self.overlaps.compared
        changed_mark: cython.longlong = 4 * self.overlaps.pass_number
        dims: cython.Py_ssize_t = 2 if boxes.flat else 3
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        row: cython.int
        kind: cython.int
        flags: cython.int = 0
        self.all_pairs.reserve(boxes.box_count, dims)
        lows: cython.double[::1] = self.all_pairs.lows_view
        highs: cython.double[::1] = self.all_pairs.highs_view
        for slot in range(boxes.slot_count):
            row = owners[slot]
            if row < 0:
                continue
            mark: cython.longlong = compared[4 * row + 3]
            if mark < changed_mark and not awake[slot]:
                continue
            kind = _CHANGED if mark >= changed_mark else 0
            if counts[row] != 1 or mark == changed_mark + _ALTERED:
                kind |= _ALWAYS_TESTED
                if slot - columns.first_view[row] >= columns.outer_view[row]:
                    continue
            x: cython.longlong = 0
            y: cython.longlong = 0
            z: cython.longlong = 0
            lox: cython.longlong = faces[8 * slot]
            loy: cython.longlong = faces[8 * slot + 1]
            loz: cython.longlong = faces[8 * slot + 2]
            hix: cython.longlong = faces[8 * slot + 3]
            hiy: cython.longlong = faces[8 * slot + 4]
            hiz: cython.longlong = faces[8 * slot + 5]
            if kind == _CHANGED:
                x = pos[8 * row] - compared[4 * row]
                y = pos[8 * row + 1] - compared[4 * row + 1]
                z = pos[8 * row + 2] - compared[4 * row + 2]
                side: cython.longlong = max(hix - lox, hiy - loy, hiz - loz)
                if max(x, y, z) > side or min(x, y, z) < -side or (dims == 2 and z != 0):
                    kind |= _ALWAYS_TESTED  # its hull is too large, or the join does not see that it left the plane
                    compared[4 * row + 3] = changed_mark + _ALTERED
                    self.has_altered = True
                    x = y = z = 0
            joined[4 * at] = x
            joined[4 * at + 1] = y
            joined[4 * at + 2] = z
            lows[dims * at] = lox - max(x, 0)
            lows[dims * at + 1] = loy - max(y, 0)
            highs[dims * at] = hix - min(x, 0)
            highs[dims * at + 1] = hiy - min(y, 0)
            if dims == 3:
                lows[3 * at + 2] = loz - max(z, 0)
                highs[3 * at + 2] = hiz - min(z, 0)
            joined[4 * at + 3] = slot << _KIND_BITS | kind | (_IS_SHAPED if flags_view[row] & _SHAPED else 0)
            flags |= flags_view[row]
            at += 1
        self.all_pairs.count = at
        self.touching = (flags & _TOUCHING) != 0

    def filter_changes(self, found: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the slots of candidates that may have begun or ended over the candidates; return their number."""
        faces: cython.longlong[::1] = self.dynamic.boxes.faces_view
        pairs: cython.longlong[::1] = self.all_pairs.candidates
        members: cython.int[::1] = self.all_pairs.members
        joined: cython.longlong[::1] = self.joined
        touching: cython.bint = self.touching
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        dims: cython.int = 2 if self.dynamic.boxes.flat else 3
        for at in range(found):
            if cython.compiled and at + 2 * _AHEAD < found:
                pair: cython.longlong = pairs[at + 2 * _AHEAD]
                prefetch(cython.address(joined[4 * members[pair >> 32]]))
                prefetch(cython.address(joined[4 * members[pair & _PLACE]]))
                pair = pairs[at + _AHEAD]
                prefetch(cython.address(faces[8 * (joined[4 * members[pair >> 32] + 3] >> _KIND_BITS)]))
                prefetch(cython.address(faces[8 * (joined[4 * members[pair & _PLACE] + 3] >> _KIND_BITS)]))
            one: cython.Py_ssize_t = 4 * members[pairs[at] >> 32]
            two: cython.Py_ssize_t = 4 * members[pairs[at] & _PLACE]
            slot: cython.longlong = joined[one + 3] >> _KIND_BITS
            other_slot: cython.longlong = joined[two + 3] >> _KIND_BITS
            a: cython.Py_ssize_t = 8 * slot
            b: cython.Py_ssize_t = 8 * other_slot
            by: cython.longlong = joined[one] - joined[two]
            ahead: cython.longlong = faces[b + 3] - faces[a]
            behind: cython.longlong = faces[a + 3] - faces[b]
            now: cython.longlong = min(ahead, behind)  # by how much they overlap on the axis where it is least
            before: cython.longlong = min(ahead + by, behind - by)
            by = joined[one + 1] - joined[two + 1]
            ahead = faces[b + 4] - faces[a + 1]
            behind = faces[a + 4] - faces[b + 1]
            now = min(now, ahead, behind)
            before = min(before, ahead + by, behind - by)
            if dims == 3:
                by = joined[one + 2] - joined[two + 2]
                ahead = faces[b + 5] - faces[a + 2]
                behind = faces[a + 5] - faces[b + 2]
                now = min(now, ahead, behind)
                before = min(before, ahead + by, behind - by)
            meets_now: cython.bint = now > 0
            met_before: cython.bint = before > 0
            kinds: cython.int = cython.cast(cython.int, (joined[one + 3] | joined[two + 3]) & 7)
            if kinds & _IS_SHAPED and (meets_now | met_before):
                meeting: cython.int = self.compare_parts(one, two, meets_now, met_before)
                meets_now, met_before = (meeting & 1) != 0, (meeting & 2) != 0
            pairs[count] = slot << 32 | other_slot
            if not (touching or kinds & (_ALWAYS_TESTED | _IS_SHAPED)):
                pairs[count] |= _KNOWN | (_MEETS if meets_now else 0)
            keep: cython.bint = (meets_now ^ met_before) | ((kinds & _ALWAYS_TESTED) != 0)
            if touching and not (keep or meets_now):
                keep = (kinds & _IS_SHAPED) != 0 or self.touch_differently(one, two, dims)
            count += keep
        self.overlaps.pairs_tested += found
        return count

    def update_joined(self, pair: cython.longlong) -> cython.void:
        """Find whether two joined boxes began or ended a contact of their bodies, either way round."""
        slot: cython.Py_ssize_t = pair >> 32
        other_slot: cython.Py_ssize_t = pair & _SLOT
        if pair & _KNOWN == 0:
            self.update_pair(self.dynamic, slot, self.dynamic, other_slot)
            return
        row: cython.int = self.dynamic.boxes.owner_view[slot]
        other: cython.int = self.dynamic.boxes.owner_view[other_slot]
        meets_now: cython.bint = pair & _MEETS != 0
        if self.overlaps.links.leader_view[row] == self.overlaps.links.leader_view[other]:
            return
        if self.columns.reports(row, other):
            self.update_contact(row, other, meets_now, not meets_now, False)
        if self.columns.reports(other, row):
            self.update_contact(other, row, meets_now, not meets_now, False)

    def touch_differently(self, one: cython.Py_ssize_t, two: cython.Py_ssize_t, dims: cython.int) -> cython.bint:
        """Return whether two joined boxes that did not and do not overlap touch now or did before, but not both.

        Here and in `compare_parts` `one` and `two` are their places in `joined`.
        """
        faces_view: cython.longlong[::1] = self.dynamic.boxes.faces_view
        a: cython.Py_ssize_t = 8 * (self.joined[one + 3] >> _KIND_BITS)
        b: cython.Py_ssize_t = 8 * (self.joined[two + 3] >> _KIND_BITS)
        now: cython.int = 0
        before: cython.int = 0
        axis: cython.int
        for axis in range(dims):
            ahead: cython.longlong = faces_view[b + 3 + axis] - faces_view[a + axis]
            behind: cython.longlong = faces_view[a + 3 + axis] - faces_view[b + axis]
            by: cython.longlong = self.joined[one + axis] - self.joined[two + axis]
            now += ((ahead <= 0) | (behind <= 0)) + 4 * ((ahead < 0) | (behind < 0))
            before += ((ahead + by <= 0) | (behind - by <= 0)) + 4 * ((ahead + by < 0) | (behind - by < 0))
        return (now == 1) != (before == 1)

    def compare_parts(
        self, one: cython.Py_ssize_t, two: cython.Py_ssize_t, bounds_meet: cython.bint, bounds_met: cython.bint
    ) -> cython.int:
        """Return 1 if the parts of two joined boxes overlap, plus 2 if they did when last compared."""
        part: PlacedPart = self.overlaps.part
        other: PlacedPart = self.overlaps.other_part
        x: cython.longlong = self.joined[one] - self.joined[two]
        y: cython.longlong = self.joined[one + 1] - self.joined[two + 1]
        z: cython.longlong = self.joined[one + 2] - self.joined[two + 2]
        meets_now: cython.bint
        met_before: cython.bint
        self.columns.place_part(part, self.dynamic.boxes, self.joined[one + 3] >> _KIND_BITS, 0, 0, 0)
        self.columns.place_part(other, self.dynamic.boxes, self.joined[two + 3] >> _KIND_BITS, 0, 0, 0)
        meets_now = bounds_meet and separation(part, other) == 0
        if x == 0 and y == 0 and z == 0:
            return 3 if meets_now else 0
        part.shift(-x, -y, -z)
        met_before = bounds_met and separation(part, other) == 0
        return meets_now + 2 * met_before

    # Sleepers and statics.

    def test_around(self, row: cython.int, grid: Index, asleep_only: cython.bint) -> cython.void:
        """Update the pairs of a changed row with the boxes of `grid` that its hulls meet."""
        own_grid: Index = self.overlaps.grid_of(row)
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t
        x: cython.longlong = self.overlaps.displacement_of(row, 0)
        y: cython.longlong = self.overlaps.displacement_of(row, 1)
        z: cython.longlong = self.overlaps.displacement_of(row, 2)
        if grid.boxes.box_count == 0 or not (self.columns.flags_view[row] & _ENABLED):
            return
        for slot in range(self.columns.first_view[row], self.columns.first_view[row] + self.columns.outer_view[row]):
            lox: cython.longlong = own_grid.boxes.faces_view[8 * slot] - max(x, 0)
            loy: cython.longlong = own_grid.boxes.faces_view[8 * slot + 1] - max(y, 0)
            loz: cython.longlong = own_grid.boxes.faces_view[8 * slot + 2] - max(z, 0)
            hix: cython.longlong = own_grid.boxes.faces_view[8 * slot + 3] - min(x, 0)
            hiy: cython.longlong = own_grid.boxes.faces_view[8 * slot + 4] - min(y, 0)
            hiz: cython.longlong = own_grid.boxes.faces_view[8 * slot + 5] - min(z, 0)
            if asleep_only:
                grid.collect_asleep(lox, loy, loz, hix, hiy, hiz)
            else:
                grid.collect(lox, loy, loz, hix, hiy, hiz)
            self.overlaps.pairs_tested += grid.hit_count
            for at in range(grid.hit_count):
                self.update_pair(own_grid, slot, grid, grid.hits_view[at])

    # One pair.

    def update_pair(self, grid_a: Index, a: cython.Py_ssize_t, grid_b: Index, b: cython.Py_ssize_t) -> cython.void:
        """Find whether two boxes began or ended a contact of their bodies, either way round."""
        row_a: cython.int = grid_a.boxes.owner_view[a]
        row_b: cython.int = grid_b.boxes.owner_view[b]
        one: cython.bint
        two: cython.bint
        separation: cython.int
        former: cython.int = 4
        many: cython.bint = True
        if not (self.overlaps.has_changed(row_a) or self.overlaps.has_changed(row_b)):
            return
        if self.overlaps.links.is_same_body(row_a, row_b):
            return
        one = self.columns.reports(row_a, row_b)
        two = self.columns.reports(row_b, row_a)
        if not (one or two):
            return
        separation = self.overlaps.separation(grid_a, a, grid_b, b)
        if not (self.overlaps.is_altered(row_a) or self.overlaps.is_altered(row_b)):
            former = self.overlaps.former_separation(grid_a, a, grid_b, b)
            many = self.columns.count_view[row_a] != 1 or self.columns.count_view[row_b] != 1
        limit_a: cython.int = 1 if self.columns.flags_view[row_a] & _TOUCHING else 0
        limit_b: cython.int = 1 if self.columns.flags_view[row_b] & _TOUCHING else 0
        if one:
            self.update_contact(row_a, row_b, separation <= limit_a, former <= limit_a, many)
        if two:
            self.update_contact(row_b, row_a, separation <= limit_b, former <= limit_b, many)

    def update_contact(
        self,
        reporter: cython.int,
        other: cython.int,
        meets_now: cython.bint,
        met_before: cython.bint,
        many: cython.bint,
    ) -> cython.void:
        """Mark a contact as seen, or end it. `many`: other boxes may meet, or former boxes are unknown.

        An end with `many` is only a possible end.
        """
        if meets_now:
            if many or not met_before:
                self.store.mark_seen(reporter, reported_row(self.columns, self.overlaps.links, other))
        elif met_before and many:
            self.add_maybe_ended(reporter, reported_row(self.columns, self.overlaps.links, other))
        elif met_before:
            self.store.add_ended(reporter, reported_row(self.columns, self.overlaps.links, other))

    def end_maybe_ended(self, unsure: cython.bint) -> cython.void:
        """End the contacts of which a pair of boxes has separated and no other was seen.

        unsure: other pairs may meet as before, without having been seen.
        """
        at: cython.Py_ssize_t
        for at in range(self.maybe_ended_count):
            reporter: cython.int = self.maybe_ended[2 * at]
            name: cython.int = self.maybe_ended[2 * at + 1]
            if not unsure or not self.overlaps.is_contact(reporter, name):
                self.store.add_ended(reporter, name)

    def add_maybe_ended(self, reporter: cython.int, name: cython.int) -> cython.void:
        """Add a contact of which one pair of boxes has separated: it ends unless another pair is seen."""
        at: cython.Py_ssize_t = 2 * self.maybe_ended_count
        if at == len(self.maybe_ended):
            self.maybe_ended = longer(self.maybe_ended, 2 * at)
        self.maybe_ended[at], self.maybe_ended[at + 1] = reporter, name
        self.maybe_ended_count += 1
