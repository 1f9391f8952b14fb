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

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import ENABLED, SHAPED, SOLID, STATIC, TOUCHING, Columns
from ecs_collision.broadphase.all_pairs import PLACE, AllPairs
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

# Bits of the second place of a pair, beyond any place: whether the two are known to begin or end, and which of both.
_KNOWN = cython.declare(cython.longlong, 1 << 31)
_MEETS = cython.declare(cython.longlong, 1 << 30)

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
        self.slots, self.displacements, self.kinds = array("i"), array("q"), array("b")
        self.maybe_ended = array("i", bytes(4 * 2 * 64))
        self.maybe_ended_count = self.joined_capacity = 0
        self.touching = False

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
        for at in range(found):
            if at + 2 * _AHEAD < found:
                pair: cython.longlong = self.all_pairs.candidates[at + 2 * _AHEAD]
                self.store.fetch(self.joined_row(pair >> 32), False)
                self.store.fetch(self.joined_row(pair & _PLACE), False)
                pair = self.all_pairs.candidates[at + _AHEAD]
                self.store.fetch(self.joined_row(pair >> 32), True)
                self.store.fetch(self.joined_row(pair & _PLACE), True)
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
        for at in range(count):
            if self.overlaps.is_altered(rows[at]):
                self.store.end_unseen(rows[at])
        self.end_maybe_ended(False)
        self.dynamic.end_pass()

    # What changed, and its displacement.

    def reserve_boxes(self) -> cython.void:
        """Make room for every box."""
        if self.joined_capacity < self.dynamic.boxes.capacity:
            capacity: cython.Py_ssize_t = self.dynamic.boxes.capacity
            slots, kinds, displacements = (
                array("i", bytes(4 * capacity)),
                array("b", bytes(capacity)),
                array("q", bytes(8 * 3 * capacity)),
            )
            self.slots, self.kinds, self.displacements = slots, kinds, displacements
            self.slots_view, self.kinds_view, self.displacements_view = self.slots, self.kinds, self.displacements
            self.joined_capacity = capacity

    def mark_changed(self, rows: cython.int[::1], altered: cython.schar[::1], count: cython.Py_ssize_t) -> cython.void:
        """Mark the changed rows, and as altered all but displaced single boxes; `add_boxes` adds those that jumped.

        If there are one-way bodies, contacts begin and end otherwise than boxes meet (M5), so solid rows are altered.
        """
        at: cython.Py_ssize_t
        row: cython.int
        for at in range(count):
            row = rows[at]
            is_altered: cython.bint = (
                altered[at]
                or self.columns.count_view[row] != 1
                or self.columns.flags_view[row] & _STATIC
                or (self.columns.one_way_count > 0 and self.columns.flags_view[row] & _SOLID)
            )
            self.overlaps.mark(row, _ALTERED if is_altered else 0)

    # The join.

    def add_boxes(self) -> cython.void:
        """Add the hulls of all boxes that changed or are awake to the join."""
        grid: Index = self.dynamic
        faces_view: cython.longlong[::1] = grid.boxes.faces_view
        owner_view: cython.int[::1] = grid.boxes.owner_view
        displacements_view: cython.longlong[::1] = self.displacements_view
        compared: cython.longlong[::1] = self.overlaps.compared
        changed_mark: cython.longlong = 4 * self.overlaps.pass_number
        dims: cython.Py_ssize_t = 2 if grid.boxes.flat else 3
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        row: cython.int
        kind: cython.int
        flags: cython.int = 0
        self.all_pairs.reserve(grid.boxes.box_count, dims)
        lows_view: cython.double[::1] = self.all_pairs.lows_view
        highs_view: cython.double[::1] = self.all_pairs.highs_view
        for slot in range(grid.boxes.slot_count):
            row = owner_view[slot]
            if row < 0 or not (grid.boxes.awake_view[slot] or compared[4 * row + 3] >= changed_mark):
                continue
            kind = _CHANGED if compared[4 * row + 3] >= changed_mark else 0
            if self.columns.count_view[row] != 1 or compared[4 * row + 3] == changed_mark + _ALTERED:
                kind |= _ALWAYS_TESTED
                if slot - self.columns.first_view[row] >= self.columns.outer_view[row]:
                    continue
            x: cython.longlong = 0
            y: cython.longlong = 0
            z: cython.longlong = 0
            if kind == _CHANGED:
                x = self.columns.pos_view[3 * row] - compared[4 * row]
                y = self.columns.pos_view[3 * row + 1] - compared[4 * row + 1]
                z = self.columns.pos_view[3 * row + 2] - compared[4 * row + 2]
                side: cython.longlong = max(
                    faces_view[6 * slot + 3] - faces_view[6 * slot],
                    faces_view[6 * slot + 4] - faces_view[6 * slot + 1],
                    faces_view[6 * slot + 5] - faces_view[6 * slot + 2],
                )
                if max(x, y, z) > side or min(x, y, z) < -side or (dims == 2 and z != 0):
                    kind |= _ALWAYS_TESTED  # its hull is too large, or the join does not see that it left the plane
                    compared[4 * row + 3] = changed_mark + _ALTERED
                    x = y = z = 0
            displacements_view[3 * at] = x
            displacements_view[3 * at + 1] = y
            lows_view[dims * at] = faces_view[6 * slot] - max(x, 0)
            lows_view[dims * at + 1] = faces_view[6 * slot + 1] - max(y, 0)
            highs_view[dims * at] = faces_view[6 * slot + 3] - min(x, 0)
            highs_view[dims * at + 1] = faces_view[6 * slot + 4] - min(y, 0)
            if dims == 3:
                displacements_view[3 * at + 2] = z
                lows_view[dims * at + 2] = faces_view[6 * slot + 2] - max(z, 0)
                highs_view[dims * at + 2] = faces_view[6 * slot + 5] - min(z, 0)
            self.slots_view[at] = cython.cast(cython.int, slot)
            self.kinds_view[at] = kind | (_IS_SHAPED if self.columns.flags_view[row] & _SHAPED else 0)
            flags |= self.columns.flags_view[row]
            at += 1
        self.all_pairs.count = at
        self.touching = (flags & _TOUCHING) != 0

    def filter_changes(self, found: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Move the candidates that may have begun or ended to the front; return their number."""
        faces_view: cython.longlong[::1] = self.dynamic.boxes.faces_view
        pairs_view: cython.longlong[::1] = self.all_pairs.candidates
        members_view: cython.int[::1] = self.all_pairs.members
        slots_view: cython.int[::1] = self.slots_view
        displacements_view: cython.longlong[::1] = self.displacements_view
        kinds_view: cython.schar[::1] = self.kinds_view
        touching: cython.bint = self.touching
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        axis: cython.int
        dims: cython.int = 2 if self.dynamic.boxes.flat else 3
        for at in range(found):
            if cython.compiled and at + _AHEAD < found:
                pair: cython.longlong = pairs_view[at + _AHEAD]
                one: cython.Py_ssize_t = members_view[pair >> 32]
                two: cython.Py_ssize_t = members_view[pair & _PLACE]
                prefetch(cython.address(faces_view[6 * slots_view[one]]))
                prefetch(cython.address(displacements_view[3 * one]))
                prefetch(cython.address(faces_view[6 * slots_view[two]]))
                prefetch(cython.address(displacements_view[3 * two]))
            pair = pairs_view[at]
            one, two = members_view[pair >> 32], members_view[pair & _PLACE]
            a: cython.Py_ssize_t = 6 * slots_view[one]
            b: cython.Py_ssize_t = 6 * slots_view[two]
            meets_now: cython.bint = True
            met_before: cython.bint = True
            for axis in range(dims):
                ahead: cython.longlong = faces_view[b + 3 + axis] - faces_view[a + axis]
                behind: cython.longlong = faces_view[a + 3 + axis] - faces_view[b + axis]
                by: cython.longlong = displacements_view[3 * one + axis] - displacements_view[3 * two + axis]
                meets_now = meets_now & (ahead > 0) & (behind > 0)
                met_before = met_before & (ahead + by > 0) & (behind - by > 0)
            kinds: cython.int = kinds_view[one] | kinds_view[two]
            if kinds & _IS_SHAPED and (meets_now | met_before):
                meeting: cython.int = self.compare_parts(one, two, meets_now, met_before)
                meets_now, met_before = (meeting & 1) != 0, (meeting & 2) != 0
            pairs_view[count] = pair
            if not (touching or kinds & (_ALWAYS_TESTED | _IS_SHAPED)):
                pairs_view[count] = pair | _KNOWN | (_MEETS if meets_now else 0)
            keep: cython.bint = (meets_now ^ met_before) | ((kinds & _ALWAYS_TESTED) != 0)
            if touching and not (keep or meets_now):
                keep = (kinds & _IS_SHAPED) != 0 or self.touch_differently(one, two, dims)
            count += keep
        self.overlaps.pairs_tested += found
        return count

    def update_joined(self, pair: cython.longlong) -> cython.void:
        """Find whether two joined boxes began or ended a contact of their bodies, either way round."""
        place: cython.longlong = pair & _PLACE
        if place & _KNOWN == 0:
            self.update_pair(
                self.dynamic,
                self.slots_view[self.all_pairs.members[pair >> 32]],
                self.dynamic,
                self.slots_view[self.all_pairs.members[place]],
            )
            return
        row: cython.int = self.joined_row(pair >> 32)
        other: cython.int = self.joined_row(place)
        meets_now: cython.bint = place & _MEETS != 0
        if self.overlaps.links.leader_view[row] == self.overlaps.links.leader_view[other]:
            return
        if self.columns.reports(row, other):
            self.update_contact(row, other, meets_now, not meets_now, False)
        if self.columns.reports(other, row):
            self.update_contact(other, row, meets_now, not meets_now, False)

    def joined_row(self, place: cython.longlong) -> cython.int:
        """Return the row of the joined box at a place of the join."""
        return self.dynamic.boxes.owner_view[self.slots_view[self.all_pairs.members[place & (_MEETS - 1)]]]

    def touch_differently(self, one: cython.Py_ssize_t, two: cython.Py_ssize_t, dims: cython.int) -> cython.bint:
        """Return whether two joined boxes that did not and do not overlap touch now or did before, but not both."""
        faces_view: cython.longlong[::1] = self.dynamic.boxes.faces_view
        a: cython.Py_ssize_t = 6 * self.slots_view[one]
        b: cython.Py_ssize_t = 6 * self.slots_view[two]
        now: cython.int = 0
        before: cython.int = 0
        axis: cython.int
        for axis in range(dims):
            ahead: cython.longlong = faces_view[b + 3 + axis] - faces_view[a + axis]
            behind: cython.longlong = faces_view[a + 3 + axis] - faces_view[b + axis]
            by: cython.longlong = self.displacements_view[3 * one + axis] - self.displacements_view[3 * two + axis]
            now += ((ahead <= 0) | (behind <= 0)) + 4 * ((ahead < 0) | (behind < 0))
            before += ((ahead + by <= 0) | (behind - by <= 0)) + 4 * ((ahead + by < 0) | (behind - by < 0))
        return (now == 1) != (before == 1)

    def compare_parts(
        self, one: cython.Py_ssize_t, two: cython.Py_ssize_t, bounds_meet: cython.bint, bounds_met: cython.bint
    ) -> cython.int:
        """Return 1 if the parts of two joined boxes overlap, plus 2 if they did when last compared."""
        part: PlacedPart = self.overlaps.part
        other: PlacedPart = self.overlaps.other_part
        x: cython.longlong = self.displacements_view[3 * one] - self.displacements_view[3 * two]
        y: cython.longlong = self.displacements_view[3 * one + 1] - self.displacements_view[3 * two + 1]
        z: cython.longlong = 0
        meets_now: cython.bint
        met_before: cython.bint
        if not self.dynamic.boxes.flat:
            z = self.displacements_view[3 * one + 2] - self.displacements_view[3 * two + 2]
        self.columns.place_part(part, self.dynamic.boxes, self.slots_view[one], 0, 0, 0)
        self.columns.place_part(other, self.dynamic.boxes, self.slots_view[two], 0, 0, 0)
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
            lox: cython.longlong = own_grid.boxes.faces_view[6 * slot] - max(x, 0)
            loy: cython.longlong = own_grid.boxes.faces_view[6 * slot + 1] - max(y, 0)
            loz: cython.longlong = own_grid.boxes.faces_view[6 * slot + 2] - max(z, 0)
            hix: cython.longlong = own_grid.boxes.faces_view[6 * slot + 3] - min(x, 0)
            hiy: cython.longlong = own_grid.boxes.faces_view[6 * slot + 4] - min(y, 0)
            hiz: cython.longlong = own_grid.boxes.faces_view[6 * slot + 5] - min(z, 0)
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
