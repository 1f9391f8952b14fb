# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The cells that each box is in (rules B1 and B4).

A box is at the level with the smallest cells that are not shorter than its longest side (`BoxPool.level_for`), so it
covers at most two cells on an axis. Its place in the list of a cell is an *entry*. The number of an entry is eight
times the slot plus the parities (x, y, z) of the cell. Two neighbouring cells differ in parity, so the number does not
change while the box stays in its cell, and a shift changes only the cells left and entered.

Not taken: one cell for each box and a search of all 27 around (more cells for each query, and no size levels).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.morton_codes import spread3
    from cython.cimports.ecs_collision.broadphase.morton_grid.morton import bin_of
else:
    from ecs_collision.broadphase.morton_codes import spread3
    from ecs_collision.broadphase.morton_grid.morton import bin_of

from ecs_collision._arrays import bytes_of, longer
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.morton_grid.cell_table import CellTable
from ecs_collision.broadphase.morton_grid.morton import ORIGIN
from ecs_collision.fixed_point import HALF_SLAB

Z_BIAS = HALF_SLAB
"""Half a world unit in lattice units. With it the z range of flat bodies, -0.5 to 0.5, lies inside one cell (B2)."""

_Z_BIAS = cython.declare(cython.longlong, Z_BIAS)
_ORIGIN = cython.declare(cython.longlong, ORIGIN)


@cython.final
@cython.cclass
class CellMembership:
    """The cells that the boxes of a pool are in; each cell has a list of its boxes.

    `parities` has the parities of the lowest cell of each box. `entry_cell` is -1 for an entry that is in no list.
    """

    def __init__(self, boxes: BoxPool) -> None:
        self.boxes = boxes
        self.cells = CellTable()
        self.capacity = 0
        self.parities = array("b")
        self.entry_cell, self.entry_next, self.entry_prev = array("i"), array("i"), array("i")
        self.reserve_slots()

    def reserve_slots(self) -> cython.int:
        """Make room for every slot of the pool."""
        entry: cython.Py_ssize_t
        before: cython.Py_ssize_t = self.capacity
        capacity: cython.Py_ssize_t = self.boxes.capacity
        if capacity == before:
            return 0
        parities, entry_cell = longer(self.parities, capacity), longer(self.entry_cell, 8 * capacity)
        entry_next, entry_prev = longer(self.entry_next, 8 * capacity), longer(self.entry_prev, 8 * capacity)
        self.parities = parities
        self.entry_cell, self.entry_next, self.entry_prev = entry_cell, entry_next, entry_prev
        self.parities_view = self.parities
        self.entry_cell_view = self.entry_cell
        self.entry_next_view, self.entry_prev_view = self.entry_next, self.entry_prev
        for entry in range(8 * before, 8 * capacity):
            self.entry_cell_view[entry] = -1
        self.capacity = capacity
        return 0

    def clear(self) -> cython.int:
        """Remove all boxes from all cells. Works after an interrupted change."""
        entry: cython.Py_ssize_t
        for entry in range(8 * self.capacity):
            self.entry_cell_view[entry] = -1
        self.cells.clear()
        return 0

    def bytes_used(self) -> int:
        """Return the bytes of entries and cells."""
        return bytes_of(self.parities, self.entry_cell, self.entry_next, self.entry_prev) + self.cells.bytes_used()

    # Entering and leaving.

    def enter(self, slot: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Add a box to its cells; return how many."""
        base: cython.Py_ssize_t = 6 * slot
        level: cython.int = self.boxes.levels_view[slot]
        bin_shift: cython.int = self.boxes.bin_shift
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        x0: cython.longlong = bin_of(self.boxes.faces_view[base], bin_shift) >> level
        y0: cython.longlong = bin_of(self.boxes.faces_view[base + 1], bin_shift) >> level
        z0: cython.longlong = _ORIGIN >> level
        x1: cython.longlong = bin_of(self.boxes.faces_view[base + 3], bin_shift) >> level
        y1: cython.longlong = bin_of(self.boxes.faces_view[base + 4], bin_shift) >> level
        z1: cython.longlong = z0
        if not self.boxes.flat:
            z0 = bin_of(self.boxes.faces_view[base + 2] + _Z_BIAS, bin_shift) >> level
            z1 = bin_of(self.boxes.faces_view[base + 5] + _Z_BIAS, bin_shift) >> level
        self.parities_view[slot] = (x0 & 1) | ((y0 & 1) << 1) | ((z0 & 1) << 2)
        for z in range(z0, z1 + 1):
            for y in range(y0, y1 + 1):
                for x in range(x0, x1 + 1):
                    self.link(slot, x, y, z)
        return (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1)

    def leave(self, slot: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Remove a box from all its cells; return how many."""
        entry: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        for entry in range(8 * slot, 8 * slot + 8):
            if self.entry_cell_view[entry] >= 0:
                self.unlink(entry)
                count += 1
        return count

    def link(self, slot: cython.Py_ssize_t, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.int:
        """Add a box to one cell of its level."""
        level: cython.int = self.boxes.levels_view[slot]
        entry: cython.Py_ssize_t = 8 * slot + (x & 1) + 2 * (y & 1) + 4 * (z & 1)
        cell: cython.int = self.cells.find_or_add(spread3(x) | (spread3(y) << 1) | (spread3(z) << 2), level)
        head: cython.int = self.cells.heads_view[cell]
        self.entry_cell_view[entry] = cell
        self.entry_next_view[entry] = head
        self.entry_prev_view[entry] = -1
        if head >= 0:
            self.entry_prev_view[head] = cython.cast(cython.int, entry)
        self.cells.heads_view[cell] = cython.cast(cython.int, entry)
        self.cells.box_counts_view[cell] += 1
        if self.boxes.awake_view[slot]:
            self.cells.note_awake(cell)
        return 0

    def unlink(self, entry: cython.Py_ssize_t) -> cython.int:
        """Remove a box from one cell, and the cell from the index if it is empty then."""
        cell: cython.int = self.entry_cell_view[entry]
        after: cython.int = self.entry_next_view[entry]
        before: cython.int = self.entry_prev_view[entry]
        if before >= 0:
            self.entry_next_view[before] = after
        else:
            self.cells.heads_view[cell] = after
        if after >= 0:
            self.entry_prev_view[after] = before
        self.entry_cell_view[entry] = -1
        self.cells.box_counts_view[cell] -= 1
        if self.boxes.awake_view[entry >> 3]:
            self.cells.note_asleep(cell)
        if self.cells.box_counts_view[cell] == 0:
            self.cells.remove(cell)
        return 0

    def move(
        self, slot: cython.Py_ssize_t, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong
    ) -> cython.Py_ssize_t:
        """Update the cells of a box that was shifted; return how many were left and entered (B4)."""
        base: cython.Py_ssize_t = 6 * slot
        count: cython.Py_ssize_t = 0
        level: cython.int = self.boxes.levels_view[slot]
        lox: cython.longlong = self.boxes.faces_view[base]
        loy: cython.longlong = self.boxes.faces_view[base + 1]
        loz: cython.longlong = self.boxes.faces_view[base + 2]
        hix: cython.longlong = self.boxes.faces_view[base + 3]
        hiy: cython.longlong = self.boxes.faces_view[base + 4]
        hiz: cython.longlong = self.boxes.faces_view[base + 5]
        bin_shift: cython.int = self.boxes.bin_shift
        ox0: cython.longlong = bin_of(lox - dx, bin_shift) >> level
        oy0: cython.longlong = bin_of(loy - dy, bin_shift) >> level
        oz0: cython.longlong = _ORIGIN >> level
        ox1: cython.longlong = bin_of(hix - dx, bin_shift) >> level
        oy1: cython.longlong = bin_of(hiy - dy, bin_shift) >> level
        oz1: cython.longlong = oz0
        nx0: cython.longlong = bin_of(lox, bin_shift) >> level
        ny0: cython.longlong = bin_of(loy, bin_shift) >> level
        nz0: cython.longlong = oz0
        nx1: cython.longlong = bin_of(hix, bin_shift) >> level
        ny1: cython.longlong = bin_of(hiy, bin_shift) >> level
        nz1: cython.longlong = oz0
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        if not self.boxes.flat:
            oz0 = bin_of(loz - dz + _Z_BIAS, bin_shift) >> level
            oz1 = bin_of(hiz - dz + _Z_BIAS, bin_shift) >> level
            nz0 = bin_of(loz + _Z_BIAS, bin_shift) >> level
            nz1 = bin_of(hiz + _Z_BIAS, bin_shift) >> level
        if ox0 == nx0 and oy0 == ny0 and oz0 == nz0 and ox1 == nx1 and oy1 == ny1 and oz1 == nz1:
            return 0
        # Leave before entering: a cell left and a cell entered may use the same entry.
        for z in range(oz0, oz1 + 1):
            for y in range(oy0, oy1 + 1):
                for x in range(ox0, ox1 + 1):
                    if x < nx0 or x > nx1 or y < ny0 or y > ny1 or z < nz0 or z > nz1:
                        self.unlink(8 * slot + (x & 1) + 2 * (y & 1) + 4 * (z & 1))
                        count += 1
        self.parities_view[slot] = (nx0 & 1) | ((ny0 & 1) << 1) | ((nz0 & 1) << 2)
        for z in range(nz0, nz1 + 1):
            for y in range(ny0, ny1 + 1):
                for x in range(nx0, nx1 + 1):
                    if x < ox0 or x > ox1 or y < oy0 or y > oy1 or z < oz0 or z > oz1:
                        self.link(slot, x, y, z)
                        count += 1
        return count

    def set_awake(self, slot: cython.Py_ssize_t, awake: cython.bint) -> cython.int:
        """Count a box as awake or asleep in its cells (S3)."""
        entry: cython.Py_ssize_t
        for entry in range(8 * slot, 8 * slot + 8):
            if self.entry_cell_view[entry] < 0:
                continue
            if awake:
                self.cells.note_awake(self.entry_cell_view[entry])
            else:
                self.cells.note_asleep(self.entry_cell_view[entry])
        return 0

    # The invariants.

    def check(self) -> None:
        """Verify entries, lists and cells. Raises IndexError for the first invariant that does not hold."""
        boxes, cells = self.boxes, self.cells
        lengths = [
            len(self.parities),
            *(len(each) // 8 for each in (self.entry_cell, self.entry_next, self.entry_prev)),
        ]
        if lengths != [self.capacity] * 4 or self.capacity < boxes.slot_count:
            raise IndexError(f"there is room for the entries of {self.capacity} of {boxes.slot_count} slots")
        cells.check_lengths()
        listed = {cell: self.entries_of(cell) for cell in range(cells.used) if cells.box_counts_view[cell] >= 0}
        for slot in range(boxes.slot_count):
            if boxes.owner_view[slot] >= 0:
                self.check_box(slot, listed)
        if sum(map(len, listed.values())) != sum(cell >= 0 for cell in self.entry_cell_view[: 8 * boxes.slot_count]):
            raise IndexError("the list of a cell contains an invalid entry")
        cells.check()

    def entries_of(self, cell: int) -> set[int]:
        """Return the entries in the list of a cell, after verifying its links and counts."""
        found: set[int] = set()
        before, entry, awake = -1, self.cells.heads_view[cell], 0
        while entry >= 0:
            if entry in found or self.entry_prev_view[entry] != before or self.entry_cell_view[entry] != cell:
                raise IndexError(f"the list of cell {cell} is broken at entry {entry}")
            found.add(entry)
            awake += self.boxes.awake_view[entry >> 3] != 0
            before, entry = entry, self.entry_next_view[entry]
        if len(found) != self.cells.box_counts_view[cell] or awake != self.cells.awake_counts_view[cell]:
            raise IndexError(f"the boxes of cell {cell} are miscounted")
        return found

    def check_box(self, slot: int, listed: dict[int, set[int]]) -> None:
        """Verify that a box is in exactly the cells that its faces cover."""
        faces, level, bin_shift = self.boxes.faces_view, self.boxes.levels_view[slot], self.boxes.bin_shift
        lo, hi = list(faces[6 * slot : 6 * slot + 3]), list(faces[6 * slot + 3 : 6 * slot + 6])
        lo[2], hi[2] = (0, 0) if self.boxes.flat else (lo[2] + Z_BIAS, hi[2] + Z_BIAS)
        first, last = ([bin_of(face, bin_shift) >> level for face in corner] for corner in (lo, hi))
        spans = [range(first[axis], last[axis] + 1) for axis in range(3)]
        if self.parities_view[slot] != sum((span[0] & 1) << axis for axis, span in enumerate(spans)):
            raise IndexError(f"the lowest cell of the box in slot {slot} has other parities")
        expected = {}
        for x in spans[0]:
            for y in spans[1]:
                for z in spans[2]:
                    local = spread3(x) | (spread3(y) << 1) | (spread3(z) << 2)
                    expected[8 * slot + (x & 1) + 2 * (y & 1) + 4 * (z & 1)] = self.cells.find(local, level)
        for entry in range(8 * slot, 8 * slot + 8):
            cell = self.entry_cell_view[entry]
            if cell != expected.get(entry, -1) or (entry in expected and entry not in listed.get(cell, ())):
                raise IndexError(f"the box in slot {slot} is not in the cells it covers")
