# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The displacements of the current motion, axis by axis, before the commit (rule P1).

Later axes see the displaced boxes through a small overlay index. Nothing else changes until the commit. Not taken:
moving the bodies and moving them back, because an error halfway would leave some of them displaced.

And the log of motions since the last frame ended (rule T10). Its entries have entity ids, so they outlive the bodies.
They are only appended; entries of one (entity, by) are merged when the log is read, and when it has grown long. A game
that moves bodies and never steps therefore needs memory only for the pairs that push each other. Not taken: a hash
table of sums (five times the cost per motion).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import array_of, grown, longer, zeros
from ecs_collision.bodies.columns import ASLEEP, Columns, GroupLinks
from ecs_collision.bodies.dirty_rows import DirtyRows
from ecs_collision.broadphase.protocol import Index
from ecs_collision.components.dirty_transforms import DirtyTransforms

MERGE_AT = 4096
"""A log with fewer entries grows without merging."""

_MERGE_AT = cython.declare(cython.Py_ssize_t, MERGE_AT)

# C copies: compiled code would look the imported names up as Python objects.
_ASLEEP = cython.declare(cython.int, ASLEEP)


@cython.final
@cython.cclass
class DisplacementLog:
    """Displacements (`entry_count` entries) and stops (`stop_count`) by entity id.

    An entry is (entity, by, x, y, z): `by` is the mover that displaced the entity, itself for its own motion.
    A stop is (entity, axis, direction, blocker or -1, reason): the direction is 1 or -1, and 0 for a further blocker of
    the stop before. `crushed` are pairs of ids, what was crushed and by what (M8). There are no arrays while their
    capacity is 0, because most frames need none.
    """

    def __init__(self) -> None:
        self.last_x = self.last_y = self.last_z = 0
        self.marked_entries = self.marked_stops = self.marked_crushed = 0
        self.crushed: list[tuple[int, int]] = []
        self.entry_count = self.stop_count = 0
        self.entry_capacity = self.stop_capacity = self.sorted_capacity = 0
        self.merged = True

    def __len__(self) -> int:
        """Return the number of entries."""
        return self.entry_count + self.stop_count + len(self.crushed)

    # Appending.

    def add(
        self,
        entity: cython.longlong,
        by: cython.longlong,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
    ) -> cython.void:
        """Log that the motion of `by` displaced an entity. O(1), amortised O(log n) for a long log."""
        at: cython.Py_ssize_t = 5 * self.entry_count - 5
        if at >= 0 and self.entries[at] == entity and self.entries[at + 1] == by:
            self.entries[at + 2] += x
            self.entries[at + 3] += y
            self.entries[at + 4] += z
            return
        if self.entry_count == self.entry_capacity:
            self.merge_or_grow()
        at = 5 * self.entry_count
        self.entries[at] = entity
        self.entries[at + 1] = by
        self.entries[at + 2] = x
        self.entries[at + 3] = y
        self.entries[at + 4] = z
        self.entry_count += 1
        self.merged = False

    def add_stop(
        self,
        entity: cython.longlong,
        axis: cython.longlong,
        direction: cython.longlong,
        blocker: cython.longlong,
        reason: cython.longlong,
    ) -> cython.void:
        """Log that a motion of an entity was stopped on an axis, or a further blocker of that stop (direction 0)."""
        at: cython.Py_ssize_t = 5 * self.stop_count
        if self.stop_count == self.stop_capacity:
            self.grow_stops()
        self.stops[at] = entity
        self.stops[at + 1] = axis
        self.stops[at + 2] = direction
        self.stops[at + 3] = blocker
        self.stops[at + 4] = reason
        self.stop_count += 1

    def mark(self, entries: cython.Py_ssize_t, stops: cython.Py_ssize_t) -> cython.void:
        """Reserve room for new entries and stops, and store the current counts for `rollback`."""
        if self.entry_count + entries > self.entry_capacity:
            self.merge_or_grow()
            self.reserve(entries)
        while self.stop_count + stops > self.stop_capacity:
            self.grow_stops()
        if self.entry_count > 0:
            at: cython.Py_ssize_t = 5 * self.entry_count - 5
            self.last_x, self.last_y, self.last_z = (
                self.entries[at + 2],
                self.entries[at + 3],
                self.entries[at + 4],
            )
        self.marked_entries, self.marked_stops = self.entry_count, self.stop_count
        self.marked_crushed = len(self.crushed)

    def rollback(self) -> cython.void:
        """Remove everything logged since `mark`."""
        self.entry_count, self.stop_count = self.marked_entries, self.marked_stops
        del self.crushed[self.marked_crushed :]
        if self.entry_count > 0:
            at: cython.Py_ssize_t = 5 * self.entry_count - 5
            self.entries[at + 2], self.entries[at + 3], self.entries[at + 4] = (
                self.last_x,
                self.last_y,
                self.last_z,
            )

    def copy(self) -> DisplacementLog:
        """Return a log with the same entries and stops; O(entries)."""
        copied: DisplacementLog = DisplacementLog()
        if self.entry_count > 0:
            copied.entries = array_of(self.entries)[: 5 * self.entry_count]
            copied.entry_count = copied.entry_capacity = self.entry_count
            copied.merged = self.merged
        if self.stop_count > 0:
            copied.stops = array_of(self.stops)[: 5 * self.stop_count]
            copied.stop_count = copied.stop_capacity = self.stop_count
        return copied

    def grow_stops(self) -> cython.void:
        """Double the capacity for stops."""
        capacity: cython.Py_ssize_t = max(16, 2 * self.stop_capacity)
        if self.stop_capacity == 0:
            self.stops = zeros("q", 5 * capacity)
        else:
            self.stops = longer(self.stops, 5 * capacity)
        self.stop_capacity = capacity

    def reserve(self, count: cython.Py_ssize_t) -> cython.void:
        """Reserve room for `count` more entries."""
        capacity: cython.Py_ssize_t = self.entry_count + count
        if capacity > self.entry_capacity:
            if self.entry_capacity == 0:
                self.entries = zeros("q", 5 * capacity)
            else:
                self.entries = longer(self.entries, 5 * capacity)
            self.entry_capacity = capacity

    def merge_or_grow(self) -> cython.void:
        """Merge a long log, and grow it until at least half of its capacity is free."""
        if self.entry_count >= _MERGE_AT:
            self.merge()
        if 2 * self.entry_count > self.entry_capacity or self.entry_capacity == 0:
            self.reserve(max(16, self.entry_count))

    # Merging.

    def is_after(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether entry a comes after entry b by (entity, by)."""
        if self.entries[5 * a] != self.entries[5 * b]:
            return self.entries[5 * a] > self.entries[5 * b]
        return self.entries[5 * a + 1] > self.entries[5 * b + 1]

    def sort(self) -> cython.void:
        """Write the indices of the entries in the order of (entity, by) to `order[:n]`: a bottom-up merge sort."""
        count: cython.Py_ssize_t = self.entry_count
        width: cython.Py_ssize_t = 1
        source: cython.Py_ssize_t = 0  # the indices are in the first or the second half of `order`
        for at in range(count):
            self.order[at] = cython.cast(cython.int, at)
        while width < count:
            start: cython.Py_ssize_t = 0
            while start < count:
                middle: cython.Py_ssize_t = min(start + width, count)
                end: cython.Py_ssize_t = min(start + 2 * width, count)
                a, b = start, middle
                for at in range(start, end):
                    if a < middle and (b == end or not self.is_after(self.order[source + a], self.order[source + b])):
                        self.order[count - source + at] = self.order[source + a]
                        a += 1
                    else:
                        self.order[count - source + at] = self.order[source + b]
                        b += 1
                start = end
            source = count - source
            width *= 2
        if source > 0:
            for at in range(count):
                self.order[at] = self.order[count + at]

    def merge(self) -> cython.void:
        """Merge the entries into one for each (entity, by), sorted. O(n log n)."""
        new: cython.Py_ssize_t = -5
        if self.merged:
            return
        if self.sorted_capacity < self.entry_capacity:
            self.order, self.spare = zeros("i", 2 * self.entry_capacity), zeros("q", 5 * self.entry_capacity)
            self.sorted_capacity = self.entry_capacity
        self.sort()
        for at in range(self.entry_count):
            old: cython.Py_ssize_t = 5 * self.order[at]
            if new >= 0 and self.spare[new] == self.entries[old] and self.spare[new + 1] == self.entries[old + 1]:
                for part in range(2, 5):
                    self.spare[new + part] += self.entries[old + part]
            else:
                new += 5
                for part in range(5):
                    self.spare[new + part] = self.entries[old + part]
        self.entries, self.spare = self.spare, self.entries
        self.entry_count = new // 5 + 1
        self.merged = True

    # Reading. An entity that came back to its place is left out.

    def net_displacements(self) -> array[int]:
        """Return (entity, x, y, z) for each entity that moved on balance, four items each, sorted by entity."""
        count: cython.Py_ssize_t = 0
        self.merge()
        records = array("q", bytes(32 * self.entry_count))
        if self.entry_count == 0:
            return records
        records_view: cython.longlong[::1] = records
        x: cython.longlong = 0
        y: cython.longlong = 0
        z: cython.longlong = 0
        end: cython.Py_ssize_t = 5 * self.entry_count
        for at in range(0, end, 5):
            x += self.entries[at + 2]
            y += self.entries[at + 3]
            z += self.entries[at + 4]
            if at + 5 < end and self.entries[at + 5] == self.entries[at]:
                continue
            if x != 0 or y != 0 or z != 0:
                records_view[count] = self.entries[at]
                records_view[count + 1] = x
                records_view[count + 2] = y
                records_view[count + 3] = z
                count += 4
            x = y = z = 0
        return records[:count]

    def pushes(self) -> array[int]:
        """Return (entity, by, x, y, z) for each entity pushed by another, five items each, sorted by both ids."""
        count: cython.Py_ssize_t = 0
        self.merge()
        records = array("q", bytes(40 * self.entry_count))
        if self.entry_count == 0:
            return records
        records_view: cython.longlong[::1] = records
        for at in range(0, 5 * self.entry_count, 5):
            if self.entries[at] != self.entries[at + 1] and (
                self.entries[at + 2] != 0 or self.entries[at + 3] != 0 or self.entries[at + 4] != 0
            ):
                for part in range(5):
                    records_view[count + part] = self.entries[at + part]
                count += 5
        return records[:count]

    def stop_records(self) -> array[int]:
        """Return (entity, axis, direction, blocker or -1, reason) of all stops, five items each, as logged."""
        return array_of(self.stops)[: 5 * self.stop_count] if self.stop_count > 0 else array("q")


@cython.cclass
class Displacements:
    """Rows displaced by the current motion (`rows[:count]`, the mover first) and their `units`, three a row.

    The first `own_count` are bodies that moved by themselves in a joint push (M11); 0 stands for the mover alone.
    After a commit `woken[:woken_count]` are the displaced rows that slept. `committed` counts the rows displaced so
    far.
    """

    def __init__(
        self,
        columns: Columns,
        group_links: GroupLinks,
        dynamic: Index,
        overlay: Index,
        changed: DirtyRows,
        dirty_transforms: DirtyTransforms,
    ) -> None:
        self.columns = columns
        self.group_links = group_links
        self.dynamic = dynamic
        self.overlay = overlay
        self.dirty_rows = changed
        self.dirty_transforms = dirty_transforms
        self.rows, self.units, self.woken = array("i"), array("q"), array("i")
        self.moved, self.overlay_slots = array("i"), array("i")
        self.marked_units, self.marked_count = array("q"), 0
        self.count = self.woken_count = self.committed = self.own_count = 0
        self.capacity = 0

    def begin(self) -> cython.void:
        """Start a motion without displacements, with room for every row."""
        capacity: cython.Py_ssize_t = self.columns.capacity
        self.own_count = 0
        if self.count > 0:
            self.clear()  # the last motion was interrupted
        if capacity == self.capacity:
            return
        self.units = longer(self.units, 3 * capacity)
        self.rows, self.woken, self.moved, self.overlay_slots = grown(
            capacity, self.rows, self.woken, self.moved, self.overlay_slots
        )
        self.capacity = capacity

    def add(self, row: cython.int, axis: cython.int, by: cython.longlong) -> cython.void:
        """Displace a row by units along an axis."""
        if not self.moved[row]:
            self.moved[row] = 1
            self.overlay_slots[row] = -1
            self.units[3 * row] = self.units[3 * row + 1] = self.units[3 * row + 2] = 0
            self.rows[self.count] = row
            self.count += 1
        self.units[3 * row + axis] += by

    def is_displaced(self, row: cython.int) -> cython.bint:
        """Return whether the current motion displaces a row so far."""
        return self.moved[row] != 0

    def add_group(self, row: cython.int, axis: cython.int, by: cython.longlong) -> cython.void:
        """Displace a row and the other members of its fused group by units along an axis."""
        member: cython.int = self.group_links.next_row_view[row]
        self.add(row, axis, by)
        while member != row:
            self.add(member, axis, by)
            member = self.group_links.next_row_view[member]

    def mark(self) -> cython.void:
        """Store the displacements so far, for `retract`."""
        if len(self.marked_units) < 3 * self.count:
            self.marked_units = longer(self.marked_units, 6 * self.count)
        for at in range(self.count):
            for axis in range(3):
                self.marked_units[3 * at + axis] = self.units[3 * self.rows[at] + axis]
        self.marked_count = self.count

    def retract(self) -> cython.void:
        """Take back the displacements since `mark`. What they displaced stays listed, with a displacement of 0."""
        for at in range(self.count):
            for axis in range(3):
                self.units[3 * self.rows[at] + axis] = self.marked_units[3 * at + axis] if at < self.marked_count else 0

    def drop_unmoved(self) -> cython.void:
        """Take the rows off the list that came back to their place; the mover only if nothing else is displaced."""
        kept: cython.Py_ssize_t = 1
        for at in range(1, self.count):
            row: cython.int = self.rows[at]
            if self.has_come_away(row):
                self.rows[kept] = row
                kept += 1
            else:
                self.drop(row)
        if self.count > 0:
            self.count = kept
        if self.count == 1 and not self.has_come_away(self.rows[0]):
            self.clear()

    def has_come_away(self, row: cython.int) -> cython.bint:
        """Return whether a listed row is displaced on any axis."""
        return self.units[3 * row] != 0 or self.units[3 * row + 1] != 0 or self.units[3 * row + 2] != 0

    def drop(self, row: cython.int) -> cython.void:
        """Remove a row from the overlay; it is not displaced any more."""
        if self.overlay_slots[row] >= 0:
            self.overlay.remove(self.overlay_slots[row], self.columns.count_view[row])
        self.moved[row] = 0

    def update_overlay(self) -> cython.void:
        """Update the overlay index to the displacements so far."""
        for at in range(self.count):
            self.place(self.rows[at])

    def place(self, row: cython.int) -> cython.void:
        """Update the overlay index to the displacement of a row so far."""
        part: cython.Py_ssize_t
        count: cython.int = self.columns.count_view[row]
        if count == 0:
            return
        if self.overlay_slots[row] >= 0:
            self.overlay.remove(self.overlay_slots[row], count)
        first: cython.int = self.overlay.allocate(count)
        self.overlay_slots[row] = first
        x, y, z = self.units[3 * row], self.units[3 * row + 1], self.units[3 * row + 2]
        for part in range(count):
            base: cython.Py_ssize_t = 8 * (self.columns.first_view[row] + part)
            self.overlay.place(
                first + part,
                row,
                True,
                self.dynamic.boxes.faces_view[base] + x,
                self.dynamic.boxes.faces_view[base + 1] + y,
                self.dynamic.boxes.faces_view[base + 2] + z,
                self.dynamic.boxes.faces_view[base + 3] + x,
                self.dynamic.boxes.faces_view[base + 4] + y,
                self.dynamic.boxes.faces_view[base + 5] + z,
            )

    def commit(self, displacement_log: DisplacementLog, frame: cython.longlong) -> cython.bint:
        """Apply the displacements: the only place where a motion changes positions and cells.

        The former state of each row is stored in `dirty_rows`, whose undo has been started. A changed row is recorded
        for its Transform, for contacts and for sleep, and in the log; there the followers of a group are logged as
        displaced by themselves. Returns whether a body may have left or entered the plane of 2D.
        """
        mover: cython.longlong = 0
        z_changed: cython.bint = False
        self.woken_count = 0
        if self.count > 0:
            mover = self.columns.ids_view[self.rows[0]]
        for at in range(self.count):
            row: cython.int = self.rows[at]
            x, y, z = self.units[3 * row], self.units[3 * row + 1], self.units[3 * row + 2]
            self.dirty_rows.save(row, self.columns)
            self.columns.pos_view[8 * row] += x
            self.columns.pos_view[8 * row + 1] += y
            self.columns.pos_view[8 * row + 2] += z
            if self.columns.count_view[row] > 0:
                self.dynamic.shift(self.columns.first_view[row], self.columns.count_view[row], x, y, z)
            if z != 0:
                z_changed = True
                if self.columns.count_view[row] > 0:
                    self.columns.update_plane(row, self.dynamic.boxes)
            self.dirty_transforms.set_position(
                row,
                self.columns.pos_view[8 * row],
                self.columns.pos_view[8 * row + 1],
                self.columns.pos_view[8 * row + 2],
            )
            self.dirty_rows.add(row, False)
            self.dirty_rows.disturbed_view[row] = frame
            if self.columns.flags_view[row] & _ASLEEP:
                self.woken[self.woken_count] = row
                self.woken_count += 1
            if at >= self.own_count and self.group_links.leader_view[row] == row:
                displacement_log.add(self.columns.ids_view[row], mover, x, y, z)
            else:
                displacement_log.add(self.columns.ids_view[row], self.columns.ids_view[row], x, y, z)
        self.committed += self.count
        return z_changed

    def check(self) -> None:
        """Raise IndexError unless the displacements are empty."""
        if self.count or any(self.moved):
            raise IndexError("displacements of an earlier motion were not cleared")

    def clear(self) -> cython.void:
        """End the motion: remove all displacements and empty the overlay."""
        for at in range(self.count):
            self.drop(self.rows[at])
        self.count = 0

    def reset(self) -> cython.void:
        """End a motion that raised. The caller clears the whole overlay."""
        for row in range(self.capacity):
            self.moved[row] = 0
        self.count = 0
