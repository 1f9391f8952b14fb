# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Which boxes are in which cells (rules B1 and B4).

A box lives at the level whose cells are the smallest not below its longest side, so it covers at most two
cells an axis. Its place in a cell's list is an *entry*, numbered eight times its slot plus the parities
(x, y, z) of the cell: two neighbouring cells differ in parity, so an entry's number never changes while
the box stays in its cell, and a shift touches only the cells left and entered.

Not taken: one cell a box and a search of all 27 around (more cells a query, and no size levels).
"""

from __future__ import annotations

from array import array
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.morton_grid.box_pool import BoxPool
    from cython.cimports.ecs_collision.broadphase.morton_grid.cell_table import CellTable
    from cython.cimports.ecs_collision.broadphase.morton_grid.morton import bin_of, spread
else:
    from ecs_collision.broadphase.morton_grid.box_pool import BoxPool
    from ecs_collision.broadphase.morton_grid.cell_table import CellTable
    from ecs_collision.broadphase.morton_grid.morton import bin_of, spread

from ecs_collision.broadphase.morton_grid.morton import TOP_LEVEL
from ecs_collision.sealing import seal

Z_BIAS = 32768
"""Half a world unit in lattice units: with it the z range of flat bodies, -0.5 to 0.5, lies inside one cell (B2)."""

_Z_BIAS = cython.declare(cython.longlong, 32768)
_ORIGIN = cython.declare(cython.longlong, 1 << 20)


@cython.cclass
class CellMembership(BoxPool):
    """Boxes in slots, and the cells they are in.

    `corners` holds the parities of each box's lowest cell. `reach` is the end of the index in lattice units:
    faces lie from -reach to reach - 1. `asleep_bits` has bit l set while a box of level l is asleep. `changes` has
    another value after boxes came, went or moved.
    """

    def __init__(self, bin_shift: cython.int) -> None:
        BoxPool.__init__(self)
        self.cells = CellTable()
        self.bin_shift = bin_shift
        self.flat = False
        self.reach = _ORIGIN << bin_shift
        self.cell_changes = self.changes = 0
        self.asleep_bits = 0
        self._asleep_counts = array("i", bytes(4 * (TOP_LEVEL + 1)))
        self.asleep_counts = self._asleep_counts

    @property
    def cell_count(self) -> int:
        """The number of occupied cells."""
        return int(self.cells.cell_count)

    @property
    def directory(self) -> Any:
        """The `SortedList` of occupied cells, as of the last `sync`."""
        return self.cells.directory

    @property
    def list_operations(self) -> int:
        """How many cells entered or left the directory since this was last set to 0."""
        return int(self.cells.list_operations)

    @list_operations.setter
    def list_operations(self, count: int) -> None:
        self.cells.list_operations = count

    # Coming and going.

    @cython.ccall
    def clear(self) -> cython.void:
        """Have no boxes at all, whatever was broken off."""
        level: cython.int
        self.empty()
        self.cells.empty()
        for level in range(TOP_LEVEL + 1):
            self.asleep_counts[level] = 0
        self.asleep_bits = 0
        self.changes += 1

    @cython.ccall
    def place(
        self,
        slot: cython.int,
        owner: cython.int,
        awake: cython.bint,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.void:
        """Put a box into an allotted slot and its cells; a box already there is replaced."""
        base: cython.Py_ssize_t = 6 * slot
        if lox > hix or loy > hiy or loz > hiz:
            raise IndexError(f"box ({lox}, {loy}, {loz}) to ({hix}, {hiy}, {hiz}) ends before it begins")
        if min(lox, loy, loz) < -self.reach or max(hix, hiy, hiz) >= self.reach:
            raise IndexError(f"box ({lox}, {loy}, {loz}) to ({hix}, {hiy}, {hiz}) leaves the index, +-{self.reach}")
        if self.owner[slot] >= 0:
            self.leave(slot)
            self.box_count -= 1
        self.faces[base] = lox
        self.faces[base + 1] = loy
        self.faces[base + 2] = loz
        self.faces[base + 3] = hix
        self.faces[base + 4] = hiy
        self.faces[base + 5] = hiz
        self.owner[slot] = owner
        self.awake[slot] = awake
        self.enter(slot)
        self.box_count += 1
        self.changes += 1

    @cython.ccall
    def lift(self, first: cython.int, count: cython.int) -> cython.void:
        """Take the boxes of a run out of their cells and free the run."""
        slot: cython.Py_ssize_t
        for slot in range(first, first + count):
            if self.owner[slot] >= 0:
                self.leave(slot)
                self.owner[slot] = -1
                self.box_count -= 1
        self.release(first, count)
        self.changes += 1

    # Cells.

    @cython.cfunc
    @cython.exceptval(check=False)
    def level_for(self, slot: cython.Py_ssize_t) -> cython.int:
        """Return the level whose cell edge is the smallest not below the longest side (z counts unless flat)."""
        base: cython.Py_ssize_t = 6 * slot
        side: cython.longlong = self.faces[base + 3] - self.faces[base]
        level: cython.int = 0
        if self.faces[base + 4] - self.faces[base + 1] > side:
            side = self.faces[base + 4] - self.faces[base + 1]
        if not self.flat and self.faces[base + 5] - self.faces[base + 2] > side:
            side = self.faces[base + 5] - self.faces[base + 2]
        side = (side - 1) >> self.bin_shift  # whole bins below the side; 0 (or -1) when one bin will do
        while side > 0:
            side >>= 1
            level += 1
        return level

    @cython.cfunc
    def enter(self, slot: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Enter a box into its cells; returns how many."""
        base: cython.Py_ssize_t = 6 * slot
        level: cython.int = self.level_for(slot)
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        x0: cython.longlong = bin_of(self.faces[base], self.bin_shift) >> level
        y0: cython.longlong = bin_of(self.faces[base + 1], self.bin_shift) >> level
        z0: cython.longlong = _ORIGIN >> level
        x1: cython.longlong = bin_of(self.faces[base + 3], self.bin_shift) >> level
        y1: cython.longlong = bin_of(self.faces[base + 4], self.bin_shift) >> level
        z1: cython.longlong = z0
        if not self.flat:
            z0 = bin_of(self.faces[base + 2] + _Z_BIAS, self.bin_shift) >> level
            z1 = bin_of(self.faces[base + 5] + _Z_BIAS, self.bin_shift) >> level
        self.levels[slot] = level
        self.corners[slot] = (x0 & 1) | ((y0 & 1) << 1) | ((z0 & 1) << 2)
        for z in range(z0, z1 + 1):
            for y in range(y0, y1 + 1):
                for x in range(x0, x1 + 1):
                    self.link(slot, x, y, z)
        if not self.awake[slot]:
            self.count_asleep(level, 1)
        return (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1)

    @cython.cfunc
    def leave(self, slot: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Take a box out of all its cells; returns how many."""
        entry: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        for entry in range(8 * slot, 8 * slot + 8):
            if self.entry_cell[entry] >= 0:
                self.unlink(entry)
                count += 1
        if not self.awake[slot]:
            self.count_asleep(self.levels[slot], -1)
        return count

    @cython.cfunc
    def link(self, slot: cython.Py_ssize_t, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.int:
        """Enter a box into one cell of its level."""
        level: cython.int = self.levels[slot]
        entry: cython.Py_ssize_t = 8 * slot + (x & 1) + 2 * (y & 1) + 4 * (z & 1)
        cell: cython.int = self.cells.enter(spread(x) | (spread(y) << 1) | (spread(z) << 2), level)
        head: cython.int = self.cells.heads[cell]
        self.entry_cell[entry] = cell
        self.entry_next[entry] = head
        self.entry_prev[entry] = -1
        if head >= 0:
            self.entry_prev[head] = cython.cast(cython.int, entry)
        self.cells.heads[cell] = cython.cast(cython.int, entry)
        self.cells.box_counts[cell] += 1
        if self.awake[slot]:
            self.cells.rouse(cell)
        self.cell_changes += 1
        return 0

    @cython.cfunc
    def unlink(self, entry: cython.Py_ssize_t) -> cython.int:
        """Take a box out of one cell, and the cell out of the index if that was its last."""
        cell: cython.int = self.entry_cell[entry]
        after: cython.int = self.entry_next[entry]
        before: cython.int = self.entry_prev[entry]
        if before >= 0:
            self.entry_next[before] = after
        else:
            self.cells.heads[cell] = after
        if after >= 0:
            self.entry_prev[after] = before
        self.entry_cell[entry] = -1
        self.cells.box_counts[cell] -= 1
        if self.awake[entry >> 3]:
            self.cells.settle(cell)
        if self.cells.box_counts[cell] == 0:
            self.cells.forget(cell)
        self.cell_changes += 1
        return 0

    @cython.ccall
    def shift(
        self, first: cython.int, count: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong
    ) -> cython.Py_ssize_t:
        """Move the boxes of a run by one displacement; returns how many cells were left and entered (B4)."""
        slot: cython.Py_ssize_t
        before: cython.longlong = self.cell_changes
        self.changes += 1
        for slot in range(first, first + count):
            self.shift_box(slot, dx, dy, dz)
        return self.cell_changes - before

    @cython.cfunc
    def shift_box(
        self, slot: cython.Py_ssize_t, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong
    ) -> cython.int:
        """Move one box; its size and so its level stay."""
        base: cython.Py_ssize_t = 6 * slot
        entry: cython.Py_ssize_t
        level: cython.int = self.levels[slot]
        lox: cython.longlong = self.faces[base]
        loy: cython.longlong = self.faces[base + 1]
        loz: cython.longlong = self.faces[base + 2]
        hix: cython.longlong = self.faces[base + 3]
        hiy: cython.longlong = self.faces[base + 4]
        hiz: cython.longlong = self.faces[base + 5]
        if min(lox + dx, loy + dy, loz + dz) < -self.reach or max(hix + dx, hiy + dy, hiz + dz) >= self.reach:
            raise IndexError(f"box in slot {slot} moved by ({dx}, {dy}, {dz}) leaves the index, +-{self.reach}")
        ox0: cython.longlong = bin_of(lox, self.bin_shift) >> level
        oy0: cython.longlong = bin_of(loy, self.bin_shift) >> level
        oz0: cython.longlong = _ORIGIN >> level
        ox1: cython.longlong = bin_of(hix, self.bin_shift) >> level
        oy1: cython.longlong = bin_of(hiy, self.bin_shift) >> level
        oz1: cython.longlong = oz0
        nx0: cython.longlong = bin_of(lox + dx, self.bin_shift) >> level
        ny0: cython.longlong = bin_of(loy + dy, self.bin_shift) >> level
        nz0: cython.longlong = oz0
        nx1: cython.longlong = bin_of(hix + dx, self.bin_shift) >> level
        ny1: cython.longlong = bin_of(hiy + dy, self.bin_shift) >> level
        nz1: cython.longlong = oz0
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        if not self.flat:
            oz0 = bin_of(loz + _Z_BIAS, self.bin_shift) >> level
            oz1 = bin_of(hiz + _Z_BIAS, self.bin_shift) >> level
            nz0 = bin_of(loz + dz + _Z_BIAS, self.bin_shift) >> level
            nz1 = bin_of(hiz + dz + _Z_BIAS, self.bin_shift) >> level
        self.faces[base] = lox + dx
        self.faces[base + 1] = loy + dy
        self.faces[base + 2] = loz + dz
        self.faces[base + 3] = hix + dx
        self.faces[base + 4] = hiy + dy
        self.faces[base + 5] = hiz + dz
        if ox0 == nx0 and oy0 == ny0 and oz0 == nz0 and ox1 == nx1 and oy1 == ny1 and oz1 == nz1:
            return 0
        # Leave before entering: the entry of a cell left may be that of a cell entered.
        for z in range(oz0, oz1 + 1):
            for y in range(oy0, oy1 + 1):
                for x in range(ox0, ox1 + 1):
                    if x < nx0 or x > nx1 or y < ny0 or y > ny1 or z < nz0 or z > nz1:
                        entry = 8 * slot + (x & 1) + 2 * (y & 1) + 4 * (z & 1)
                        self.unlink(entry)
        self.corners[slot] = (nx0 & 1) | ((ny0 & 1) << 1) | ((nz0 & 1) << 2)
        for z in range(nz0, nz1 + 1):
            for y in range(ny0, ny1 + 1):
                for x in range(nx0, nx1 + 1):
                    if x < ox0 or x > ox1 or y < oy0 or y > oy1 or z < oz0 or z > oz1:
                        self.link(slot, x, y, z)
        return 0

    # Sleep, flatness, directory.

    @cython.cfunc
    @cython.exceptval(check=False)
    def count_asleep(self, level: cython.int, change: cython.int) -> cython.void:
        """Count sleeping boxes of a level."""
        self.asleep_counts[level] += change
        if self.asleep_counts[level] > 0:
            self.asleep_bits |= 1 << level
        else:
            self.asleep_bits &= ~(1 << level)

    @cython.ccall
    def set_awake(self, first: cython.int, count: cython.int, awake: cython.bint) -> cython.void:
        """Tell whether the body of a run is awake: its cells count their awake boxes (S3)."""
        slot: cython.Py_ssize_t
        entry: cython.Py_ssize_t
        for slot in range(first, first + count):
            if self.owner[slot] < 0 or (self.awake[slot] != 0) == awake:
                continue
            self.awake[slot] = awake
            self.count_asleep(self.levels[slot], -1 if awake else 1)
            for entry in range(8 * slot, 8 * slot + 8):
                if self.entry_cell[entry] < 0:
                    continue
                if awake:
                    self.cells.rouse(self.entry_cell[entry])
                else:
                    self.cells.settle(self.entry_cell[entry])

    @cython.ccall
    def set_flat(self, flat: cython.bint) -> cython.void:
        """Tell whether all bodies share the z range of L5, so that z counts neither for cells nor for levels (B1).

        O(boxes) when that changes: every box is entered anew.
        """
        slot: cython.Py_ssize_t
        if flat == self.flat:
            return
        for slot in range(self.slot_count):
            if self.owner[slot] >= 0:
                self.leave(slot)
        self.flat = flat
        self.changes += 1
        for slot in range(self.slot_count):
            if self.owner[slot] >= 0:
                self.enter(slot)

    @cython.ccall
    def sync(self) -> cython.void:
        """Bring the directory up to date in one batch."""
        self.cells.sync()

    # The invariants.

    def check(self) -> None:
        """Verify boxes, entries, free runs, cells and directory; raises IndexError with the first that fails."""
        placed = [slot for slot in range(self.slot_count) if self.owner[slot] >= 0]
        self.check_runs(placed)
        listed = {cell: self.entries_of(cell) for cell in range(self.cells.used) if self.cells.box_counts[cell] >= 0}
        for slot in placed:
            self.check_box(slot, listed)
        if sum(map(len, listed.values())) != sum(cell >= 0 for cell in self.entry_cell[: 8 * self.slot_count]):
            raise IndexError("a list of a cell holds what is no entry")
        levels = [self.levels[slot] for slot in placed if not self.awake[slot]]
        asleep = [levels.count(level) for level in range(TOP_LEVEL + 1)]
        if list(self.asleep_counts) != asleep or self.asleep_bits != sum(1 << lv for lv in range(22) if asleep[lv]):
            raise IndexError("the sleeping boxes of a level are miscounted")
        self.cells.check()

    def entries_of(self, cell: int) -> set[int]:
        """Return the entries in a cell's list, having verified its links and counts."""
        found: set[int] = set()
        before, entry, awake = -1, self.cells.heads[cell], 0
        while entry >= 0:
            if entry in found or self.entry_prev[entry] != before or self.entry_cell[entry] != cell:
                raise IndexError(f"the list of cell {cell} is broken at entry {entry}")
            found.add(entry)
            awake += self.awake[entry >> 3] != 0
            before, entry = entry, self.entry_next[entry]
        if len(found) != self.cells.box_counts[cell] or awake != self.cells.awake_counts[cell]:
            raise IndexError(f"the boxes of cell {cell} are miscounted")
        return found

    def check_box(self, slot: int, listed: dict[int, set[int]]) -> None:
        """Verify that a box is at its level and in exactly the cells its faces cover."""
        lo, hi = list(self.faces[6 * slot : 6 * slot + 3]), list(self.faces[6 * slot + 3 : 6 * slot + 6])
        axes = 2 if self.flat else 3
        longest = max(hi[axis] - lo[axis] for axis in range(axes))
        level = next(lv for lv in range(TOP_LEVEL + 1) if 1 << (self.bin_shift + lv) >= longest)
        if self.levels[slot] != level:
            raise IndexError(f"the box in slot {slot} is at level {self.levels[slot]}, not {level}")
        lo[2], hi[2] = (0, 0) if self.flat else (lo[2] + Z_BIAS, hi[2] + Z_BIAS)
        first, last = ([bin_of(face, self.bin_shift) >> level for face in corner] for corner in (lo, hi))
        spans = [range(first[axis], last[axis] + 1) for axis in range(3)]
        if self.corners[slot] != sum((span[0] & 1) << axis for axis, span in enumerate(spans)):
            raise IndexError(f"the lowest cell of the box in slot {slot} has other parities")
        expected = {}
        for x in spans[0]:
            for y in spans[1]:
                for z in spans[2]:
                    local = spread(x) | (spread(y) << 1) | (spread(z) << 2)
                    expected[8 * slot + (x & 1) + 2 * (y & 1) + 4 * (z & 1)] = self.cells.find(local, level)
        for entry in range(8 * slot, 8 * slot + 8):
            cell = self.entry_cell[entry]
            if cell != expected.get(entry, -1) or (entry in expected and entry not in listed.get(cell, ())):
                raise IndexError(f"the box in slot {slot} is not in the cells it covers")


seal(CellMembership)
