# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Log of motions since the last frame ended: displacements, and what stopped the movers (rule T10).

Entries have entity ids, so they outlive the bodies. They are only appended; entries of one (entity, by) are merged
when the log is read, and when it has grown long. A game that moves bodies and never steps therefore needs memory only
for the pairs that push each other. Not taken: a hash table of sums (five times the cost per motion).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer

MERGE_AT = 4096
"""A log with fewer entries grows without merging."""

_MERGE_AT = cython.declare(cython.Py_ssize_t, MERGE_AT)


@cython.final
@cython.cclass
class DisplacementLog:
    """Displacements (`entry_count` entries) and stops (`stop_count`) by entity id.

    An entry is (entity, by, x, y, z): `by` is the mover that displaced the entity, itself for its own motion.
    A stop is (entity, axis, direction, blocker or -1, reason): the direction is 1 or -1, and 0 for a further blocker of
    the stop before.
    """

    def __init__(self) -> None:
        self.entries, self.spare, self.stops = array("q"), array("q"), array("q")
        self.order = array("i")
        self.last_x = self.last_y = self.last_z = 0
        self.marked_entries = self.marked_stops = 0
        self.entry_count = self.stop_count = self.entry_capacity = self.stop_capacity = 0
        self.merged = True

    def __len__(self) -> int:
        """Return the number of entries."""
        return self.entry_count + self.stop_count

    # Appending.

    @cython.ccall
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
        if at >= 0 and self.entries_view[at] == entity and self.entries_view[at + 1] == by:
            self.entries_view[at + 2] += x
            self.entries_view[at + 3] += y
            self.entries_view[at + 4] += z
            return
        if self.entry_count == self.entry_capacity:
            self.merge_or_grow()
        at = 5 * self.entry_count
        self.entries_view[at] = entity
        self.entries_view[at + 1] = by
        self.entries_view[at + 2] = x
        self.entries_view[at + 3] = y
        self.entries_view[at + 4] = z
        self.entry_count += 1
        self.merged = False

    @cython.ccall
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
        self.stops_view[at] = entity
        self.stops_view[at + 1] = axis
        self.stops_view[at + 2] = direction
        self.stops_view[at + 3] = blocker
        self.stops_view[at + 4] = reason
        self.stop_count += 1

    @cython.ccall
    def mark(self, entries: cython.Py_ssize_t, stops: cython.Py_ssize_t) -> cython.void:
        """Reserve room for new entries and stops, and store the current counts for `rollback`."""
        at: cython.Py_ssize_t
        if self.entry_count + entries > self.entry_capacity:
            self.merge_or_grow()
            self.reserve(entries)
        while self.stop_count + stops > self.stop_capacity:
            self.grow_stops()
        if self.entry_count > 0:
            at = 5 * self.entry_count - 5
            self.last_x, self.last_y, self.last_z = (
                self.entries_view[at + 2],
                self.entries_view[at + 3],
                self.entries_view[at + 4],
            )
        self.marked_entries, self.marked_stops = self.entry_count, self.stop_count

    @cython.ccall
    def rollback(self) -> cython.void:
        """Remove everything logged since `mark`."""
        at: cython.Py_ssize_t
        self.entry_count, self.stop_count = self.marked_entries, self.marked_stops
        if self.entry_count > 0:
            at = 5 * self.entry_count - 5
            self.entries_view[at + 2], self.entries_view[at + 3], self.entries_view[at + 4] = (
                self.last_x,
                self.last_y,
                self.last_z,
            )

    @cython.cfunc
    def grow_stops(self) -> cython.void:
        """Double the capacity for stops."""
        capacity: cython.Py_ssize_t = max(16, 2 * self.stop_capacity)
        self.stops = longer(self.stops, 5 * capacity)
        self.stops_view = self.stops
        self.stop_capacity = capacity

    @cython.ccall
    def reserve(self, count: cython.Py_ssize_t) -> cython.void:
        """Reserve room for `count` more entries."""
        if self.entry_count + count > self.entry_capacity:
            self.entries = longer(self.entries, 5 * (self.entry_count + count))
            self.entries_view = self.entries
            self.entry_capacity = self.entry_count + count

    @cython.cfunc
    def merge_or_grow(self) -> cython.void:
        """Merge a long log, and grow it until at least half of its capacity is free."""
        if self.entry_count >= _MERGE_AT:
            self.merge()
        if 2 * self.entry_count > self.entry_capacity or self.entry_capacity == 0:
            self.reserve(max(16, self.entry_count))

    # Merging.

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_after(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether entry a comes after entry b by (entity, by)."""
        if self.entries_view[5 * a] != self.entries_view[5 * b]:
            return self.entries_view[5 * a] > self.entries_view[5 * b]
        return self.entries_view[5 * a + 1] > self.entries_view[5 * b + 1]

    @cython.cfunc
    def sort(self) -> cython.void:
        """Write the indices of the entries in the order of (entity, by) to `order[:n]`: a bottom-up merge sort."""
        count: cython.Py_ssize_t = self.entry_count
        width: cython.Py_ssize_t = 1
        source: cython.Py_ssize_t = 0  # the indices are in the first or the second half of `order`
        start: cython.Py_ssize_t
        middle: cython.Py_ssize_t
        end: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        at: cython.Py_ssize_t
        if len(self.order) < 2 * count:
            self.order = array("i", bytes(8 * self.entry_capacity))
            self.order_view = self.order
        for at in range(count):
            self.order_view[at] = cython.cast(cython.int, at)
        while width < count:
            start = 0
            while start < count:
                middle = min(start + width, count)
                end = min(start + 2 * width, count)
                a, b = start, middle
                for at in range(start, end):
                    if a < middle and (
                        b == end or not self.is_after(self.order_view[source + a], self.order_view[source + b])
                    ):
                        self.order_view[count - source + at] = self.order_view[source + a]
                        a += 1
                    else:
                        self.order_view[count - source + at] = self.order_view[source + b]
                        b += 1
                start = end
            source = count - source
            width *= 2
        if source > 0:
            for at in range(count):
                self.order_view[at] = self.order_view[count + at]

    @cython.cfunc
    def merge(self) -> cython.void:
        """Merge the entries into one for each (entity, by), sorted. O(n log n)."""
        at: cython.Py_ssize_t
        part: cython.Py_ssize_t
        old: cython.Py_ssize_t
        new: cython.Py_ssize_t = -5
        if self.merged:
            return
        self.sort()
        if len(self.spare) < 5 * self.entry_capacity:
            self.spare = array("q", bytes(40 * self.entry_capacity))
            self.spare_view = self.spare
        for at in range(self.entry_count):
            old = 5 * self.order_view[at]
            if (
                new >= 0
                and self.spare_view[new] == self.entries_view[old]
                and self.spare_view[new + 1] == self.entries_view[old + 1]
            ):
                for part in range(2, 5):
                    self.spare_view[new + part] += self.entries_view[old + part]
            else:
                new += 5
                for part in range(5):
                    self.spare_view[new + part] = self.entries_view[old + part]
        self.entries, self.spare = self.spare, self.entries
        self.entries_view, self.spare_view = self.entries, self.spare
        self.entry_count = new // 5 + 1
        self.merged = True

    # Reading. An entity that came back to its place is left out.

    def net_displacements(self) -> array[int]:
        """Return (entity, x, y, z) for each entity that moved on balance, four items each, sorted by entity."""
        at: cython.Py_ssize_t
        end: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        self.merge()
        records = array("q", bytes(32 * self.entry_count))
        if self.entry_count == 0:
            return records
        records_view: cython.longlong[::1] = records
        x: cython.longlong = 0
        y: cython.longlong = 0
        z: cython.longlong = 0
        end = 5 * self.entry_count
        for at in range(0, end, 5):
            x += self.entries_view[at + 2]
            y += self.entries_view[at + 3]
            z += self.entries_view[at + 4]
            if at + 5 < end and self.entries_view[at + 5] == self.entries_view[at]:
                continue
            if x != 0 or y != 0 or z != 0:
                records_view[count] = self.entries_view[at]
                records_view[count + 1] = x
                records_view[count + 2] = y
                records_view[count + 3] = z
                count += 4
            x = y = z = 0
        return records[:count]

    def pushes(self) -> array[int]:
        """Return (entity, by, x, y, z) for each entity pushed by another, five items each, sorted by both ids."""
        at: cython.Py_ssize_t
        part: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        self.merge()
        records = array("q", bytes(40 * self.entry_count))
        if self.entry_count == 0:
            return records
        records_view: cython.longlong[::1] = records
        for at in range(0, 5 * self.entry_count, 5):
            if self.entries_view[at] != self.entries_view[at + 1] and (
                self.entries_view[at + 2] != 0 or self.entries_view[at + 3] != 0 or self.entries_view[at + 4] != 0
            ):
                for part in range(5):
                    records_view[count + part] = self.entries_view[at + part]
                count += 5
        return records[:count]

    def stop_records(self) -> array[int]:
        """Return (entity, axis, direction, blocker or -1, reason) of all stops, five items each, as logged."""
        return self.stops[: 5 * self.stop_count]
