# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The index of boxes: finds those that meet a region (rules B3 and B7).

A region is searched level by level. If it covers few cells of a level, they are looked up by hash: usually its own
level, the levels above, and some below. If it covers many, they are descendants of the few cells that it covers at its
own level, and each of these is a contiguous run of the ordered directory. The cost is therefore bounded by the number
of occupied cells, however large the region is.

A box is listed in every cell that it covers, but is a hit in only one of them: the cell that contains, on every axis,
the greater of the lowest corners of the box and the region. Queries therefore need no marks and change nothing.

Not taken: one code range for the whole region (it runs through cells far outside), and a tree of cells (each new or
removed cell would change every ancestor).
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.morton_codes import compact3, spread3
    from cython.cimports.ecs_collision.broadphase.morton_grid.morton import bin_of
else:
    from ecs_collision.broadphase.morton_codes import compact3, spread3
    from ecs_collision.broadphase.morton_grid.morton import bin_of

from ecs_collision.broadphase.frozen_grid import FrozenGrid
from ecs_collision.broadphase.morton_grid.cell_membership import Z_BIAS, CellMembership
from ecs_collision.broadphase.morton_grid.morton import ORIGIN, X_BITS, decode, directory_key
from ecs_collision.broadphase.protocol import Faces, Index, Size

SHORT_RUN = 128
"""Maximum length of a directory run that is scanned; a longer one is divided first."""

# Maximum number of cells of a level that are looked up one by one: about as expensive as a few bisections.
_MAX_LOOKUPS = cython.declare(cython.longlong, 1024)
_X_BITS = cython.declare(cython.longlong, X_BITS)
_Z_BIAS = cython.declare(cython.longlong, Z_BIAS)
_ORIGIN = cython.declare(cython.longlong, ORIGIN)


@cython.cfunc
@cython.exceptval(check=False)
def _has_cells_of(
    grid: Grid,
    slot: cython.int,
    lox: cython.longlong,
    loy: cython.longlong,
    loz: cython.longlong,
    hix: cython.longlong,
    hiy: cython.longlong,
    hiz: cython.longlong,
) -> cython.bint:
    """Return whether a box would be in the same cells, at the same level, as the one in a slot."""
    f: cython.longlong[::1] = grid.boxes.faces_view
    at: cython.Py_ssize_t = 6 * slot
    bin_shift: cython.int = grid.boxes.bin_shift
    level: cython.int = grid.boxes.levels_view[slot]
    bins: cython.longlong = (max(hix - lox, hiy - loy, 0 if grid.boxes.flat else hiz - loz) - 1) >> bin_shift
    if (bins > 0 and bins >> level > 0) or (level > 0 and bins >> (level - 1) <= 0):
        return False
    if not grid.boxes.flat and (
        bin_of(loz + _Z_BIAS, bin_shift) >> level != bin_of(f[at + 2] + _Z_BIAS, bin_shift) >> level
        or bin_of(hiz + _Z_BIAS, bin_shift) >> level != bin_of(f[at + 5] + _Z_BIAS, bin_shift) >> level
    ):
        return False
    return (
        bin_of(lox, bin_shift) >> level == bin_of(f[at], bin_shift) >> level
        and bin_of(loy, bin_shift) >> level == bin_of(f[at + 1], bin_shift) >> level
        and bin_of(hix, bin_shift) >> level == bin_of(f[at + 3], bin_shift) >> level
        and bin_of(hiy, bin_shift) >> level == bin_of(f[at + 4], bin_shift) >> level
    )


@cython.final
@cython.cclass
class Grid(Index):
    """The broad phase of Morton cells (`broadphase/protocol.py`): boxes, their cells, and the current query.

    The world has one for dynamic boxes, one for statics, and one for boxes displaced within a plan. `cells_visited`
    counts the occupied cells that queries visited, `cell_changes` those that boxes entered or left. During a full pass
    `marked` counts the visited cells, each once.
    """

    def __init__(self, bin_shift: cython.int) -> None:
        Index.__init__(self, bin_shift)
        self.membership = CellMembership(self.boxes)
        self.cells = self.membership.cells
        self.may_copy = True
        self.marking = False
        self.mark = self.marked = 0

    @property
    def cell_count(self) -> int:
        """The number of occupied cells."""
        return int(self.cells.cell_count)

    @property
    def directory(self) -> Any:
        """The `SortedList` of occupied cells, brought up to date in one batch."""
        self.cells.sync()
        return self.cells.directory.keys

    # Changing.

    def clear(self) -> cython.void:
        """Remove all boxes. Works after an interrupted change."""
        self.boxes.clear()
        self.membership.clear()

    def allocate(self, count: cython.int) -> cython.int:
        """Return the first of `count` neighbouring free slots; O(1)."""
        first: cython.int = self.boxes.allocate(count)
        self.membership.reserve_slots()
        return first

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
        """Put a box into an allocated slot and its cells, replacing the one there. Changes only other cells (B4)."""
        self.boxes.validate(lox, loy, loz, hix, hiy, hiz)
        if self.boxes.owner_view[slot] >= 0:
            if (self.boxes.awake_view[slot] != 0) == awake and _has_cells_of(self, slot, lox, loy, loz, hix, hiy, hiz):
                self.boxes.remove(slot)
                self.boxes.put(slot, owner, awake, lox, loy, loz, hix, hiy, hiz)
                return
            self.cell_changes += self.membership.leave(slot)
            self.boxes.remove(slot)
        self.boxes.put(slot, owner, awake, lox, loy, loz, hix, hiy, hiz)
        self.cell_changes += self.membership.enter(slot)

    def remove(self, first: cython.int, count: cython.int) -> cython.void:
        """Remove the boxes of a run from their cells and free the run."""
        slot: cython.int
        for slot in range(first, first + count):
            if self.boxes.owner_view[slot] >= 0:
                self.cell_changes += self.membership.leave(slot)
                self.boxes.remove(slot)
        self.boxes.release(first, count)

    def shift(
        self, first: cython.int, count: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong
    ) -> cython.void:
        """Move the boxes of a run. Changes only the cells left and entered (B4)."""
        slot: cython.int
        for slot in range(first, first + count):
            self.boxes.shift(slot, dx, dy, dz)
            self.cell_changes += self.membership.move(slot, dx, dy, dz)

    def set_awake(self, first: cython.int, count: cython.int, awake: cython.bint) -> cython.void:
        """Set whether the body of a run is awake. Cells count their awake boxes (S3)."""
        slot: cython.int
        for slot in range(first, first + count):
            if self.boxes.owner_view[slot] >= 0 and (self.boxes.awake_view[slot] != 0) != awake:
                self.boxes.set_awake(slot, awake)
                self.membership.set_awake(slot, awake)

    def set_flat(self, flat: cython.bint) -> cython.void:
        """Set whether all bodies have the z range of L5, so that z affects neither cells nor levels (B1).

        O(boxes) if that changes: every box is entered again.
        """
        slot: cython.Py_ssize_t
        if flat == self.boxes.flat:
            return
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] >= 0:
                self.cell_changes += self.membership.leave(slot)
        self.boxes.set_flat(flat)
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] >= 0:
                self.cell_changes += self.membership.enter(slot)

    # A full pass.

    def begin_pass(self) -> cython.void:
        """Begin a full pass. The cells with an awake box count as visited; queries add the cells they visit."""
        at: cython.Py_ssize_t
        if self.mark == 2147483647:  # after 2**31 passes the marks start again
            for at in range(self.cells.used):
                self.cells.marks_view[at] = 0
            self.mark = 0
        self.mark += 1
        self.marked = self.cells.awake_cell_count
        self.marking = True
        if self.boxes.asleep_bits != 0:
            for at in range(self.cells.awake_cell_count):
                self.cells.marks_view[self.cells.awake_cells_view[at]] = self.mark

    def end_pass(self) -> cython.void:
        """End a full pass. `cells_skipped` becomes the number of cells that were not visited."""
        self.cells_skipped = self.cells.cell_count - self.marked
        self.marking = False

    # Boxes that meet a region.

    def collect(
        self,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.Py_ssize_t:
        """Return how many boxes meet a region, faces included on both sides; their slots are in `hits`, each once."""
        return self.collect_levels(self.boxes.level_bits, lox, loy, loz, hix, hiy, hiz)

    def collect_levels(
        self,
        levels: cython.int,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.Py_ssize_t:
        """Return how many boxes of the given levels (bits) meet a region, like `collect`."""
        self.set_region(lox, loy, loz, hix, hiy, hiz)
        self.search_levels(levels & self.boxes.level_bits)
        return self.hit_count

    def collect_asleep(
        self,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.Py_ssize_t:
        """Return how many sleeping boxes meet a region, like `collect`."""
        self.set_region(lox, loy, loz, hix, hiy, hiz)
        self.asleep_only = True
        self.search_levels(self.boxes.asleep_bits)
        return self.hit_count

    def collect_inset(
        self,
        levels: cython.int,
        inset: cython.longlong,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.Py_ssize_t:
        """Return how many boxes of the given levels (bits) meet the region that is `inset` units smaller on every side.

        With 1 these are the boxes that overlap the region. If the smaller region is empty, its hits are the boxes that
        contain it.
        """
        self.set_region(lox, loy, loz, hix, hiy, hiz)
        self.lox += inset
        self.loy += inset
        self.loz += inset
        self.hix -= inset
        self.hiy -= inset
        self.hiz -= inset
        self.search_levels(levels & self.boxes.level_bits)
        return self.hit_count

    def set_region(
        self,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.void:
        """Set the region of the query, awake boxes included."""
        self.asleep_only = False
        self.lox = lox
        self.loy = loy
        self.loz = loz
        self.hix = hix
        self.hiy = hiy
        self.hiz = hiz
        self.x0 = bin_of(lox, self.boxes.bin_shift)
        self.y0 = bin_of(loy, self.boxes.bin_shift)
        self.x1 = bin_of(hix, self.boxes.bin_shift)
        self.y1 = bin_of(hiy, self.boxes.bin_shift)
        if self.boxes.flat:
            self.z0 = self.z1 = _ORIGIN
        else:
            self.z0 = bin_of(loz + _Z_BIAS, self.boxes.bin_shift)
            self.z1 = bin_of(hiz + _Z_BIAS, self.boxes.bin_shift)

    def search_levels(self, levels: cython.int) -> cython.int:
        """Write the boxes of the given levels (bits) that meet the region to `hits`."""
        level: cython.int
        many: cython.int = -1
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        self.hit_count = 0
        if self.boxes.capacity > self.hit_capacity:
            self.reserve_hits()
        for level in range(22):
            if levels >> level == 0:
                break
            if not (levels >> level) & 1:
                continue
            x = (self.x1 >> level) - (self.x0 >> level) + 1
            y = (self.y1 >> level) - (self.y0 >> level) + 1
            z = (self.z1 >> level) - (self.z0 >> level) + 1
            if x > _MAX_LOOKUPS or y > _MAX_LOOKUPS or z > _MAX_LOOKUPS or x * y * z > _MAX_LOOKUPS:
                many = level
            else:
                self.search_level(level)
        if many >= 0:
            self.search_directory(levels & ((2 << many) - 1), many)
        return 0

    def search_level(self, level: cython.int) -> cython.void:
        """Look up every cell of one level that the region covers."""
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        cell: cython.int
        low: cython.int
        x0: cython.longlong = self.x0 >> level
        y0: cython.longlong = self.y0 >> level
        z0: cython.longlong = self.z0 >> level
        x1: cython.longlong = self.x1 >> level
        y1: cython.longlong = self.y1 >> level
        z1: cython.longlong = self.z1 >> level
        spread_x0: cython.longlong = spread3(x0)
        spread_x: cython.longlong
        spread_y: cython.longlong = spread3(y0)
        spread_y0: cython.longlong = spread_y
        spread_z: cython.longlong = spread3(z0)
        for z in range(z0, z1 + 1):
            spread_y = spread_y0
            for y in range(y0, y1 + 1):
                spread_x = spread_x0
                low = (2 if y == y0 else 0) | (4 if z == z0 else 0)
                for x in range(x0, x1 + 1):
                    cell = self.cells.find(spread_x | (spread_y << 1) | (spread_z << 2), level)
                    if cell >= 0:
                        self.search_cell(cell, low | 1 if x == x0 else low)
                    spread_x = (spread_x - _X_BITS) & _X_BITS  # add 1, carrying over the gaps
                spread_y = (spread_y - _X_BITS) & _X_BITS
            spread_z = (spread_z - _X_BITS) & _X_BITS

    def search_cell(self, cell: cython.int, low: cython.int) -> cython.void:
        """Add the boxes of a cell that meet the region and are not hits of another cell.

        `low` has a bit for each axis on which this is the lowest cell of the region; on the others it must be that of
        the box.
        """
        entry: cython.Py_ssize_t = self.cells.heads_view[cell]
        slot: cython.Py_ssize_t
        base: cython.Py_ssize_t
        count: cython.Py_ssize_t = self.hit_count
        high: cython.int = 7 & ~low
        lox: cython.longlong = self.lox
        loy: cython.longlong = self.loy
        loz: cython.longlong = self.loz
        hix: cython.longlong = self.hix
        hiy: cython.longlong = self.hiy
        hiz: cython.longlong = self.hiz
        faces: cython.p_longlong = (
            cython.address(self.boxes.faces_view[0]) if cython.compiled else self.boxes.faces_view
        )
        member: CellMembership = self.membership
        parities: cython.p_schar = cython.address(member.parities_view[0]) if cython.compiled else member.parities_view
        entry_next: cython.p_int = (
            cython.address(member.entry_next_view[0]) if cython.compiled else member.entry_next_view
        )
        self.cells_visited += 1
        if self.marking and self.cells.marks_view[cell] != self.mark:
            self.cells.marks_view[cell] = self.mark
            self.marked += 1
        while entry >= 0:
            slot = entry >> 3
            if not ((entry ^ parities[slot]) & high) and not (self.asleep_only and self.boxes.awake_view[slot]):
                base = 6 * slot
                if (
                    faces[base] <= hix
                    and faces[base + 3] >= lox
                    and faces[base + 1] <= hiy
                    and faces[base + 4] >= loy
                    and faces[base + 2] <= hiz
                    and faces[base + 5] >= loz
                ):
                    self.hits_view[count] = cython.cast(cython.int, slot)
                    count += 1
            entry = entry_next[entry]
        self.hit_count = count

    # Large regions: runs of the directory.

    def search_directory(self, levels: int, deepest: int) -> None:
        """Add the boxes of the given levels, none above `deepest`, by runs of the directory."""
        level = deepest
        lo, hi = (self.x0, self.y0, self.z0), (self.x1, self.y1, self.z1)
        while any((hi[axis] >> level) - (lo[axis] >> level) > 1 for axis in range(3)):
            level += 1
        self.cells.sync()
        pending = [
            ((spread3(x) | (spread3(y) << 1) | (spread3(z) << 2)) << (3 * level), level)
            for z in range(lo[2] >> level, (hi[2] >> level) + 1)
            for y in range(lo[1] >> level, (hi[1] >> level) + 1)
            for x in range(lo[0] >> level, (hi[0] >> level) + 1)
        ]
        directory = self.cells.directory.keys
        while pending:
            code, level = pending.pop()
            first = directory.bisect_left(directory_key(code, min(level, deepest)))
            behind = directory.bisect_left(directory_key(code + (1 << (3 * level)), 31))
            if behind - first <= SHORT_RUN or level == 0 or self.covers(code, level):
                for key in directory.islice(first, behind):
                    self.search_key(key, levels)
                continue
            self.search_key(directory_key(code, level), levels)
            for child in range(8):
                part = code + (child << (3 * (level - 1)))
                if self.meets(part, level - 1):
                    pending.append((part, level - 1))

    def meets(self, code: cython.longlong, level: cython.int) -> bool:
        """Return whether the region covers any part of a cell."""
        x: cython.longlong = compact3(code) >> level
        y: cython.longlong = compact3(code >> 1) >> level
        z: cython.longlong = compact3(code >> 2) >> level
        return bool(
            (self.x0 >> level) <= x <= (self.x1 >> level)
            and (self.y0 >> level) <= y <= (self.y1 >> level)
            and (self.z0 >> level) <= z <= (self.z1 >> level)
        )

    def covers(self, code: cython.longlong, level: cython.int) -> bool:
        """Return whether the region covers all bins of a cell (in z only the bin of the plane while flat)."""
        last: cython.longlong = (1 << level) - 1
        x: cython.longlong = compact3(code)
        y: cython.longlong = compact3(code >> 1)
        z: cython.longlong = compact3(code >> 2)
        return bool(
            self.x0 <= x
            and x + last <= self.x1
            and self.y0 <= y
            and y + last <= self.y1
            and (self.boxes.flat or (self.z0 <= z and z + last <= self.z1))
        )

    def search_key(self, key: int, levels: cython.int) -> None:
        """Search the cell of a directory key if it is of the given levels and the region covers part of it."""
        level: cython.int = 31 - (key & 31)
        code: cython.longlong = key >> 5
        x: cython.longlong = compact3(code) >> level
        y: cython.longlong = compact3(code >> 1) >> level
        z: cython.longlong = compact3(code >> 2) >> level
        x0: cython.longlong = self.x0 >> level
        y0: cython.longlong = self.y0 >> level
        z0: cython.longlong = self.z0 >> level
        cell: cython.int
        if not (levels >> level) & 1 or x < x0 or y < y0 or z < z0:
            return
        if x > self.x1 >> level or y > self.y1 >> level or z > self.z1 >> level:
            return
        cell = self.cells.find(code >> (3 * level), level)
        if cell >= 0:
            self.search_cell(cell, (1 if x == x0 else 0) | (2 if y == y0 else 0) | (4 if z == z0 else 0))

    # Pairs of boxes that meet.

    def find_pairs(self, other: Index, awake_only: cython.bint) -> cython.Py_ssize_t:
        """Return how many pairs meet. The boxes of `other` are copied first, because there is a query for each box."""
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t
        frozen: FrozenGrid = FrozenGrid(other)
        frozen.prepare(self.boxes.box_count)
        self.pair_count = 0
        self.awake_only = awake_only
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] < 0:
                continue
            at = 6 * slot
            count = frozen.collect(
                0,
                self.boxes.faces_view[at],
                self.boxes.faces_view[at + 1],
                self.boxes.faces_view[at + 2],
                self.boxes.faces_view[at + 3],
                self.boxes.faces_view[at + 4],
                self.boxes.faces_view[at + 5],
            )
            for at in range(count):
                if other is not self or frozen.hits_view[at] > slot:
                    self.offer_pair(slot, other, frozen.hits_view[at])
        return self.pair_count

    # Its size.

    def measure(self) -> Size:
        """Return the occupied cells, the entries of boxes in them, and the size levels in use."""
        member = self.membership
        entries = sum(entry >= 0 for entry in member.entry_cell[: 8 * self.boxes.slot_count])
        return Size(entries, self.cells.cell_count, self.boxes.level_bits.bit_count(), member.bytes_used())

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return each occupied cell with its size level. In z they begin half a unit lower (B2)."""
        shift = self.boxes.bin_shift
        found: list[tuple[Faces, int]] = []
        for key in self.directory:
            level = 31 - (key & 31)
            x, y, z = ((bin - ORIGIN) << shift for bin in decode(key >> 5))
            edge = 1 << (shift + level)
            found.append(((x, y, z - Z_BIAS, x + edge, y + edge, z - Z_BIAS + edge), level))
        return found

    # The invariants.

    def check_structure(self) -> None:
        """Verify entries, cells and directory. Raises IndexError for the first failure."""
        self.membership.check()
