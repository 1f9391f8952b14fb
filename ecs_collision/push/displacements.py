# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The displacements of the current motion, axis by axis, before the commit (rule P1).

Later axes see the displaced boxes through a small overlay index. Nothing else changes until the commit. Not taken:
moving the bodies and moving them back, because an error halfway would leave some of them displaced.
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
    from cython.cimports.ecs_collision.bodies.group_links import GroupLinks
    from cython.cimports.ecs_collision.broadphase.protocol import Index
    from cython.cimports.ecs_collision.components.dirty_transforms import DirtyTransforms
    from cython.cimports.ecs_collision.push.displacement_log import DisplacementLog
else:
    from ecs_collision.bodies.columns import Columns
    from ecs_collision.bodies.dirty_rows import DirtyRows
    from ecs_collision.bodies.group_links import GroupLinks
    from ecs_collision.broadphase.protocol import Index
    from ecs_collision.components.dirty_transforms import DirtyTransforms
    from ecs_collision.push.displacement_log import DisplacementLog

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import ASLEEP

# C copies: compiled code would look the imported names up as Python objects.
_ASLEEP = cython.declare(cython.int, ASLEEP)


@cython.cclass
class Displacements:
    """Rows displaced by the current motion (`rows[:count]`, the mover first) and their `units`, three a row.

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
        self.moved, self.first = array("i"), array("i")
        self.count = self.woken_count = self.committed = 0
        self.capacity = 0

    @cython.ccall
    def begin(self) -> cython.void:
        """Start a motion without displacements, with room for every row."""
        capacity: cython.Py_ssize_t = self.columns.capacity
        if self.count > 0:
            self.clear()  # the last motion was interrupted
        if capacity == self.capacity:
            return
        rows, units, woken = longer(self.rows, capacity), longer(self.units, 3 * capacity), longer(self.woken, capacity)
        moved, first = longer(self.moved, capacity), longer(self.first, capacity)
        self.rows, self.units, self.woken, self.moved, self.first = rows, units, woken, moved, first
        self.rows_view, self.units_view, self.woken_view = self.rows, self.units, self.woken
        self.moved_view, self.first_view = self.moved, self.first
        self.capacity = capacity

    @cython.ccall
    def add(self, row: cython.int, axis: cython.int, by: cython.longlong) -> cython.void:
        """Displace a row by units along an axis."""
        if not self.moved_view[row]:
            self.moved_view[row] = 1
            self.first_view[row] = -1
            self.units_view[3 * row] = self.units_view[3 * row + 1] = self.units_view[3 * row + 2] = 0
            self.rows_view[self.count] = row
            self.count += 1
        self.units_view[3 * row + axis] += by

    @cython.ccall
    def add_group(self, row: cython.int, axis: cython.int, by: cython.longlong) -> cython.void:
        """Displace a row and the other members of its fused group by units along an axis."""
        member: cython.int = self.group_links.next_row_view[row]
        self.add(row, axis, by)
        while member != row:
            self.add(member, axis, by)
            member = self.group_links.next_row_view[member]

    @cython.ccall
    def update_overlay(self) -> cython.void:
        """Update the overlay index to the displacements so far."""
        at: cython.Py_ssize_t
        part: cython.Py_ssize_t
        base: cython.Py_ssize_t
        row: cython.int
        count: cython.int
        first: cython.int
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        for at in range(self.count):
            row = self.rows_view[at]
            count = self.columns.count_view[row]
            if count == 0:
                continue
            if self.first_view[row] >= 0:
                self.overlay.remove(self.first_view[row], count)
            first = self.overlay.allocate(count)
            self.first_view[row] = first
            x, y, z = self.units_view[3 * row], self.units_view[3 * row + 1], self.units_view[3 * row + 2]
            for part in range(count):
                base = 6 * (self.columns.first_view[row] + part)
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

    @cython.ccall
    def commit(self, displacement_log: DisplacementLog, frame: cython.longlong) -> cython.bint:
        """Apply the displacements: the only place where a motion changes positions and cells.

        The former state of each row is stored in `dirty_rows`, whose undo has been started. A changed row is recorded
        for its Transform, for contacts and for sleep, and in the log; there the followers of a group are logged as
        displaced by themselves. Returns whether a body may have left or entered the plane of 2D.
        """
        at: cython.Py_ssize_t
        row: cython.int
        mover: cython.longlong = 0
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        z_changed: cython.bint = False
        self.woken_count = 0
        if self.count > 0:
            mover = self.columns.ids_view[self.rows_view[0]]
        for at in range(self.count):
            row = self.rows_view[at]
            x, y, z = self.units_view[3 * row], self.units_view[3 * row + 1], self.units_view[3 * row + 2]
            self.dirty_rows.save(
                row,
                self.columns.pos_view[3 * row],
                self.columns.pos_view[3 * row + 1],
                self.columns.pos_view[3 * row + 2],
                self.columns.flags_view[row],
            )
            self.columns.pos_view[3 * row] += x
            self.columns.pos_view[3 * row + 1] += y
            self.columns.pos_view[3 * row + 2] += z
            if self.columns.count_view[row] > 0:
                self.dynamic.shift(self.columns.first_view[row], self.columns.count_view[row], x, y, z)
            if z != 0:
                z_changed = True
                if self.columns.count_view[row] > 0:
                    self.columns.update_plane(row, self.dynamic.boxes)
            self.dirty_transforms.set_position(
                row,
                self.columns.pos_view[3 * row],
                self.columns.pos_view[3 * row + 1],
                self.columns.pos_view[3 * row + 2],
            )
            self.dirty_rows.add(row, False)
            self.dirty_rows.disturbed_view[row] = frame
            if self.columns.flags_view[row] & _ASLEEP:
                self.woken_view[self.woken_count] = row
                self.woken_count += 1
            if self.group_links.leader_view[row] == row:
                displacement_log.add(self.columns.ids_view[row], mover, x, y, z)
            else:
                displacement_log.add(self.columns.ids_view[row], self.columns.ids_view[row], x, y, z)
        self.committed += self.count
        return z_changed

    def check(self) -> None:
        """Raise IndexError unless the displacements are empty."""
        if self.count or any(self.moved):
            raise IndexError("displacements of an earlier motion were not cleared")

    @cython.ccall
    def clear(self) -> cython.void:
        """End the motion: remove all displacements and empty the overlay."""
        at: cython.Py_ssize_t
        row: cython.int
        for at in range(self.count):
            row = self.rows_view[at]
            if self.first_view[row] >= 0:
                self.overlay.remove(self.first_view[row], self.columns.count_view[row])
            self.moved_view[row] = 0
        self.count = 0

    @cython.ccall
    def reset(self) -> cython.void:
        """End a motion that raised. The caller clears the whole overlay."""
        row: cython.Py_ssize_t
        for row in range(self.capacity):
            self.moved_view[row] = 0
        self.count = 0
