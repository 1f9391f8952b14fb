# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Which boxes lie near many others, found breadth first: a hundred questions at once, step by step.

One question follows a chain of arrays: box, cell, list of the cell, box. In a large world each link is a cache miss
that waits for the one before. Here every step is made for all questions before the next, so the misses of a step
overlap: at a million bodies a look costs a fifth of what it does one by one. Not taken: larger records of boxes
(fewer misses each, but they still wait for each other).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.box_pool import BoxPool
    from cython.cimports.ecs_collision.broadphase.morton_grid.grid import Grid
    from cython.cimports.ecs_collision.broadphase.morton_grid.morton import bin_of, spread
else:
    from ecs_collision.broadphase.box_pool import BoxPool
    from ecs_collision.broadphase.morton_grid.grid import Grid
    from ecs_collision.broadphase.morton_grid.morton import bin_of, spread

from ecs_collision._arrays import longer
from ecs_collision.broadphase.morton_grid.cell_membership import Z_BIAS
from ecs_collision.broadphase.morton_grid.morton import ORIGIN
from ecs_collision.sealing import seal

BATCH = 128
"""So many boxes ask at once: enough for misses to overlap, few enough for what is noted of them to stay in cache."""

MAX_CELLS = 64
"""A box that covers more cells of one level asks for itself: it is large beside what it asks for."""

_MAX_CELLS = cython.declare(cython.longlong, MAX_CELLS)
_Z_BIAS = cython.declare(cython.longlong, Z_BIAS)
_ORIGIN = cython.declare(cython.longlong, ORIGIN)


@cython.final
@cython.cclass
class BatchQuery:
    """Finds the boxes of an index that meet some boxes of `asker`, faces included.

    Put the slots of up to BATCH boxes into `asking`; the answer is `who[:n]`, places in `asking`, and `near[:n]`, slots
    of the index asked, each pair once and in no particular order. A box is not near itself.
    """

    def __init__(self, asker: Grid) -> None:
        self.asker = asker
        self.asking = array("i", bytes(4 * BATCH))
        self.asking_view = self.asking
        self.chain_who, self.chain_entry, self.chain_high = array("i"), array("i"), array("b")
        self.who, self.near = array("i"), array("i")
        self.chain_count = self.chain_room = self.found = self.found_room = 0
        self.room_for_chains(1024)
        self.room_for_found(1024)

    @cython.cfunc
    def room_for_chains(self, room: cython.Py_ssize_t) -> cython.void:
        """Make room for so many lists of cells to walk."""
        if room <= self.chain_room:
            return
        room = max(room, 2 * self.chain_room)
        who, entry = longer(self.chain_who, room), longer(self.chain_entry, room)
        high = longer(self.chain_high, room)
        self.chain_who, self.chain_entry, self.chain_high = who, entry, high
        self.chain_room = room
        self.chain_who_view, self.chain_entry_view, self.chain_high_view = (
            self.chain_who,
            self.chain_entry,
            self.chain_high,
        )

    @cython.cfunc
    def room_for_found(self, room: cython.Py_ssize_t) -> cython.void:
        """Make room for so many boxes found."""
        if room <= self.found_room:
            return
        room = max(room, 2 * self.found_room)
        who, near = longer(self.who, room), longer(self.near, room)
        self.who, self.near = who, near
        self.who_view, self.near_view = self.who, self.near
        self.found_room = room

    @cython.ccall
    @cython.exceptval(check=False)
    def few_cells(self, slot: cython.Py_ssize_t, levels: cython.int) -> cython.bint:
        """Whether a box covers few cells on each of the levels (bits), so that it may ask with others."""
        level: cython.int = 0
        base: cython.Py_ssize_t = 6 * slot
        shift: cython.int
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong = 1
        if levels == 0:
            return True
        while not (levels >> level) & 1:
            level += 1  # the smallest cells of all are the most
        shift = self.asker.boxes.bin_shift + level
        x = (self.asker.boxes.faces_view[base + 3] >> shift) - (self.asker.boxes.faces_view[base] >> shift) + 1
        y = (self.asker.boxes.faces_view[base + 4] >> shift) - (self.asker.boxes.faces_view[base + 1] >> shift) + 1
        if not self.asker.boxes.flat:
            z = (
                ((self.asker.boxes.faces_view[base + 5] + _Z_BIAS) >> shift)
                - ((self.asker.boxes.faces_view[base + 2] + _Z_BIAS) >> shift)
                + 1
            )
        return x <= _MAX_CELLS and y <= _MAX_CELLS and z <= _MAX_CELLS and x * y * z <= _MAX_CELLS

    @cython.ccall
    def find(self, count: cython.Py_ssize_t, grid: Grid) -> cython.Py_ssize_t:
        """Return how many boxes of `grid` meet the first `count` boxes asking; they are in `who` and `near`."""
        at: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        level: cython.int
        own: cython.int
        levels: cython.int = grid.boxes.level_bits
        self.chain_count = 0
        for at in range(count):
            slot = self.asking_view[at]
            own = self.asker.boxes.levels_view[slot] if grid is self.asker else -1
            for level in range(22):
                if levels >> level == 0:
                    break
                if level == own:
                    self.chain_own(at, slot, grid)
                elif (levels >> level) & 1:
                    self.chain_level(at, slot, grid, level)
        grid.cells_visited += self.chain_count
        self.head_chains(grid)
        self.walk_chains(grid)
        return self.compare(grid)

    # The first step: which cells.

    @cython.cfunc
    def chain_own(self, at: cython.Py_ssize_t, slot: cython.Py_ssize_t, grid: Grid) -> cython.void:
        """Note the cells a box is in itself, without looking them up."""
        parity: cython.int
        corner: cython.int = grid.membership.corners_view[slot]
        self.room_for_chains(self.chain_count + 8)
        for parity in range(8):
            if grid.membership.entry_cell_view[8 * slot + parity] >= 0:
                self.chain_who_view[self.chain_count] = cython.cast(cython.int, at)
                self.chain_entry_view[self.chain_count] = grid.membership.entry_cell_view[8 * slot + parity]
                self.chain_high_view[self.chain_count] = parity ^ corner
                self.chain_count += 1

    @cython.cfunc
    def chain_level(self, at: cython.Py_ssize_t, slot: cython.Py_ssize_t, grid: Grid, level: cython.int) -> cython.void:
        """Note the occupied cells of another level that a box covers."""
        base: cython.Py_ssize_t = 6 * slot
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        x0: cython.longlong = bin_of(self.asker.boxes.faces_view[base], grid.boxes.bin_shift) >> level
        y0: cython.longlong = bin_of(self.asker.boxes.faces_view[base + 1], grid.boxes.bin_shift) >> level
        z0: cython.longlong = _ORIGIN >> level
        x1: cython.longlong = bin_of(self.asker.boxes.faces_view[base + 3], grid.boxes.bin_shift) >> level
        y1: cython.longlong = bin_of(self.asker.boxes.faces_view[base + 4], grid.boxes.bin_shift) >> level
        z1: cython.longlong = z0
        cell: cython.int
        high: cython.int
        if not grid.boxes.flat:
            z0 = bin_of(self.asker.boxes.faces_view[base + 2] + _Z_BIAS, grid.boxes.bin_shift) >> level
            z1 = bin_of(self.asker.boxes.faces_view[base + 5] + _Z_BIAS, grid.boxes.bin_shift) >> level
        self.room_for_chains(self.chain_count + (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1))
        for z in range(z0, z1 + 1):
            for y in range(y0, y1 + 1):
                high = (0 if y == y0 else 2) | (0 if z == z0 else 4)
                for x in range(x0, x1 + 1):
                    cell = grid.cells.find(spread(x) | (spread(y) << 1) | (spread(z) << 2), level)
                    if cell >= 0:
                        self.chain_who_view[self.chain_count] = cython.cast(cython.int, at)
                        self.chain_entry_view[self.chain_count] = cell
                        self.chain_high_view[self.chain_count] = high if x == x0 else high | 1
                        self.chain_count += 1

    # The second step: what is in them.

    @cython.cfunc
    @cython.exceptval(check=False)
    def head_chains(self, grid: Grid) -> cython.void:
        """Put the first entry of each cell in the place of the cell."""
        at: cython.Py_ssize_t
        for at in range(self.chain_count):
            self.chain_entry_view[at] = grid.cells.heads_view[self.chain_entry_view[at]]

    @cython.cfunc
    def walk_chains(self, grid: Grid) -> cython.void:
        """Go one entry further in all lists at once until all have ended, noting boxes not noted in another cell."""
        at: cython.Py_ssize_t
        kept: cython.Py_ssize_t
        active: cython.Py_ssize_t = self.chain_count
        found: cython.Py_ssize_t = 0
        entry: cython.Py_ssize_t
        corners: cython.schar[::1] = grid.membership.corners_view
        entry_next: cython.int[::1] = grid.membership.entry_next_view
        self.found = 0
        while active > 0:
            self.room_for_found(found + active)
            kept = 0
            for at in range(active):
                entry = self.chain_entry_view[at]
                if not ((entry ^ corners[entry >> 3]) & self.chain_high_view[at]):
                    self.who_view[found] = self.chain_who_view[at]
                    self.near_view[found] = cython.cast(cython.int, entry >> 3)
                    found += 1
                if entry_next[entry] >= 0:
                    self.chain_entry_view[kept] = entry_next[entry]
                    self.chain_who_view[kept] = self.chain_who_view[at]
                    self.chain_high_view[kept] = self.chain_high_view[at]
                    kept += 1
            active = kept
        self.found = found

    # The third step: which of it meets.

    @cython.cfunc
    @cython.exceptval(check=False)
    def compare(self, grid: Grid) -> cython.Py_ssize_t:
        """Keep the boxes found that meet the box asking; returns how many."""
        at: cython.Py_ssize_t
        kept: cython.Py_ssize_t = 0
        mine: cython.Py_ssize_t
        theirs: cython.Py_ssize_t
        asker: BoxPool = self.asker.boxes
        boxes: BoxPool = grid.boxes
        ours: cython.p_longlong = cython.address(asker.faces_view[0]) if cython.compiled else asker.faces_view
        faces: cython.p_longlong = cython.address(boxes.faces_view[0]) if cython.compiled else boxes.faces_view
        same: cython.bint = grid is self.asker
        for at in range(self.found):
            mine = 6 * self.asking_view[self.who_view[at]]
            theirs = 6 * self.near_view[at]
            if (
                ours[mine] <= faces[theirs + 3]
                and faces[theirs] <= ours[mine + 3]
                and ours[mine + 1] <= faces[theirs + 4]
                and faces[theirs + 1] <= ours[mine + 4]
                and ours[mine + 2] <= faces[theirs + 5]
                and faces[theirs + 2] <= ours[mine + 5]
                and not (same and mine == theirs)
            ):
                self.who_view[kept] = self.who_view[at]
                self.near_view[kept] = self.near_view[at]
                kept += 1
        return kept


seal(BatchQuery)
