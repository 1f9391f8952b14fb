# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""What the motion in hand displaces, axis by axis, before it is committed (rule P1).

Later axes see earlier ones through a small overlay index that holds the displaced boxes; nothing else
changes until the commit. Not taken: moving for real and moving back, which a fault half way would leave
half done.
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
    from cython.cimports.ecs_collision.broadphase.morton_grid.grid import Grid
    from cython.cimports.ecs_collision.components.dirty_transforms import DirtyTransforms
    from cython.cimports.ecs_collision.push.displacement_log import DisplacementLog
else:
    from ecs_collision.bodies.columns import Columns
    from ecs_collision.bodies.dirty_rows import DirtyRows
    from ecs_collision.bodies.group_links import GroupLinks
    from ecs_collision.broadphase.morton_grid.grid import Grid
    from ecs_collision.components.dirty_transforms import DirtyTransforms
    from ecs_collision.push.displacement_log import DisplacementLog

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import ASLEEP
from ecs_collision.fixed_point import HALF_SLAB
from ecs_collision.sealing import seal

# C copies: compiled code would look the imported names up as Python objects.
_ASLEEP = cython.declare(cython.int, ASLEEP)
_HALF_SLAB = cython.declare(cython.longlong, HALF_SLAB)


@cython.cclass
class Displacements:
    """Rows displaced by the motion in hand (`rows[:count]`, the mover first) and by how much (`units`, three a row).

    After a commit `woken[:woken_count]` are those of them that slept. `committed` counts the rows displaced so far.
    """

    def __init__(
        self,
        columns: Columns,
        group_links: GroupLinks,
        dynamic: Grid,
        overlay: Grid,
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
        """Start a motion that has displaced nothing yet, with room for every row."""
        capacity: cython.Py_ssize_t = self.columns.capacity
        if self.count > 0:
            self.clear()  # a motion was interrupted
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
        """Displace a row by so many units along an axis."""
        if not self.moved_view[row]:
            self.moved_view[row] = 1
            self.first_view[row] = -1
            self.units_view[3 * row] = self.units_view[3 * row + 1] = self.units_view[3 * row + 2] = 0
            self.rows_view[self.count] = row
            self.count += 1
        self.units_view[3 * row + axis] += by

    @cython.ccall
    def add_group(self, row: cython.int, axis: cython.int, by: cython.longlong) -> cython.void:
        """Displace a row, and all that is welded to it behind it, by so many units along an axis."""
        member: cython.int = self.group_links.next_row_view[row]
        self.add(row, axis, by)
        while member != row:
            self.add(member, axis, by)
            member = self.group_links.next_row_view[member]

    @cython.ccall
    def update_overlay(self) -> cython.void:
        """Bring the overlay index up to the displacements so far."""
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
                self.overlay.lift(self.first_view[row], count)
            first = self.overlay.allot(count)
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
        """Make the displacements true: the only place where a motion changes positions and cells.

        What each row was is kept with the changes, which have been opened. All that follows for a row is noted with it:
        for its Transform, contacts and sleep, and in the log, where what is fused to another goes along of itself.
        Returns whether a body may have left the plane of 2D or come back to it.
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
                    self.columns.set_leaves_plane(row, self.will_leave_plane(row))
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

    @cython.cfunc
    @cython.exceptval(check=False)
    def will_leave_plane(self, row: cython.int) -> cython.bint:
        """Whether any box of a body has another z range than everything in 2D (L5)."""
        first: cython.Py_ssize_t = self.columns.first_view[row]
        slot: cython.Py_ssize_t
        for slot in range(first, first + self.columns.count_view[row]):
            if (
                self.dynamic.boxes.faces_view[6 * slot + 2] != -_HALF_SLAB
                or self.dynamic.boxes.faces_view[6 * slot + 5] != _HALF_SLAB
            ):
                return True
        return False

    def check(self) -> None:
        """Verify that nothing was left behind by a motion; raises IndexError otherwise."""
        if self.count or any(self.moved):
            raise IndexError("displacements of a motion were left behind")

    @cython.ccall
    def clear(self) -> cython.void:
        """End the motion: nothing is displaced any more, the overlay is empty again."""
        at: cython.Py_ssize_t
        row: cython.int
        for at in range(self.count):
            row = self.rows_view[at]
            if self.first_view[row] >= 0:
                self.overlay.lift(self.first_view[row], self.columns.count_view[row])
            self.moved_view[row] = 0
        self.count = 0

    @cython.ccall
    def reset(self) -> cython.void:
        """End a motion that was broken off; the overlay is to be cleared as a whole."""
        row: cython.Py_ssize_t
        for row in range(self.capacity):
            self.moved_view[row] = 0
        self.count = 0


seal(Displacements)
