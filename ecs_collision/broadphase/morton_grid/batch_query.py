# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Finds the boxes near many others breadth first: a hundred queries at once, step by step.

A query follows a sequence of arrays: box, cell, list of the cell, box. In a large world each link is a cache miss that
waits for the one before. Here each step is made for all queries before the next one, so the misses of a step overlap:
at a million bodies a query takes a fifth of the time. Not taken: larger records of boxes (fewer misses each, but they
still wait for each other).
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

from ecs_collision._arrays import longer
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.morton_grid.cell_membership import Z_BIAS
from ecs_collision.broadphase.morton_grid.grid import Grid
from ecs_collision.broadphase.morton_grid.morton import ORIGIN

BATCH = 128
"""Boxes in one batch: enough for misses to overlap, few enough for the intermediate state to stay in cache."""

MAX_CELLS = 64
"""A box that covers more cells of one level gets a query of its own: it is large compared with the boxes there."""

_MAX_CELLS = cython.declare(cython.longlong, MAX_CELLS)
_Z_BIAS = cython.declare(cython.longlong, Z_BIAS)
_ORIGIN = cython.declare(cython.longlong, ORIGIN)


@cython.final
@cython.cclass
class BatchQuery:
    """Finds the boxes of an index that meet some boxes of `source`, faces included.

    Write the slots of up to BATCH boxes to `query_slots`. After `find`, hit i is slot `hits[i]` of the index that was
    searched, found for the box at `query_slots[hit_queries[i]]`. Each pair comes once, in no particular order. A box is
    no hit of itself.
    """

    def __init__(self, source: Grid) -> None:
        self.source = source
        self.query_slots = array("i", bytes(4 * BATCH))
        self.query_slots_view = self.query_slots
        self.list_query, self.list_entry, self.list_mask = array("i"), array("i"), array("b")
        self.hit_queries, self.hits = array("i"), array("i")
        self.list_count = self.list_capacity = self.hit_count = self.hit_capacity = 0
        self.reserve_lists(1024)
        self.reserve_hits(1024)

    def reserve_lists(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for the lists of `capacity` cells."""
        if capacity <= self.list_capacity:
            return
        capacity = max(capacity, 2 * self.list_capacity)
        hit_queries, entry = longer(self.list_query, capacity), longer(self.list_entry, capacity)
        high = longer(self.list_mask, capacity)
        self.list_query, self.list_entry, self.list_mask = hit_queries, entry, high
        self.list_capacity = capacity
        self.list_query_view, self.list_entry_view, self.list_mask_view = (
            self.list_query,
            self.list_entry,
            self.list_mask,
        )

    def reserve_hits(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for `capacity` hits."""
        if capacity <= self.hit_capacity:
            return
        capacity = max(capacity, 2 * self.hit_capacity)
        hit_queries, hits = longer(self.hit_queries, capacity), longer(self.hits, capacity)
        self.hit_queries, self.hits = hit_queries, hits
        self.hit_queries_view, self.hits_view = self.hit_queries, self.hits
        self.hit_capacity = capacity

    def covers_few_cells(self, slot: cython.Py_ssize_t, levels: cython.int) -> cython.bint:
        """Return whether a box covers few cells on each of the levels (bits), so that it may be batched."""
        level: cython.int = 0
        base: cython.Py_ssize_t = 6 * slot
        shift: cython.int
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong = 1
        if levels == 0:
            return True
        while not (levels >> level) & 1:
            level += 1  # the level with the smallest cells has the most of them
        shift = self.source.boxes.bin_shift + level
        x = (self.source.boxes.faces_view[base + 3] >> shift) - (self.source.boxes.faces_view[base] >> shift) + 1
        y = (self.source.boxes.faces_view[base + 4] >> shift) - (self.source.boxes.faces_view[base + 1] >> shift) + 1
        if not self.source.boxes.flat:
            z = (
                ((self.source.boxes.faces_view[base + 5] + _Z_BIAS) >> shift)
                - ((self.source.boxes.faces_view[base + 2] + _Z_BIAS) >> shift)
                + 1
            )
        return x <= _MAX_CELLS and y <= _MAX_CELLS and z <= _MAX_CELLS and x * y * z <= _MAX_CELLS

    def find(self, count: cython.Py_ssize_t, grid: Grid) -> cython.Py_ssize_t:
        """Find the boxes of `grid` that meet the first `count` boxes of `query_slots`; return the number of hits."""
        at: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        level: cython.int
        own: cython.int
        levels: cython.int = grid.boxes.level_bits
        self.list_count = 0
        for at in range(count):
            slot = self.query_slots_view[at]
            own = self.source.boxes.levels_view[slot] if grid is self.source else -1
            for level in range(22):
                if levels >> level == 0:
                    break
                if level == own:
                    self.add_own_lists(at, slot, grid)
                elif (levels >> level) & 1:
                    self.add_level_lists(at, slot, grid, level)
        grid.cells_visited += self.list_count
        self.start_lists(grid)
        self.follow_lists(grid)
        return self.compare(grid)

    # Step 1: the cells.

    def add_own_lists(self, at: cython.Py_ssize_t, slot: cython.Py_ssize_t, grid: Grid) -> cython.void:
        """Add the cells that a box itself is in, without looking them up."""
        parity: cython.int
        corner: cython.int = grid.membership.parities_view[slot]
        self.reserve_lists(self.list_count + 8)
        for parity in range(8):
            if grid.membership.entry_cell_view[8 * slot + parity] >= 0:
                self.list_query_view[self.list_count] = cython.cast(cython.int, at)
                self.list_entry_view[self.list_count] = grid.membership.entry_cell_view[8 * slot + parity]
                self.list_mask_view[self.list_count] = parity ^ corner
                self.list_count += 1

    def add_level_lists(
        self, at: cython.Py_ssize_t, slot: cython.Py_ssize_t, grid: Grid, level: cython.int
    ) -> cython.void:
        """Add the occupied cells of another level that a box covers."""
        base: cython.Py_ssize_t = 6 * slot
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        x0: cython.longlong = bin_of(self.source.boxes.faces_view[base], grid.boxes.bin_shift) >> level
        y0: cython.longlong = bin_of(self.source.boxes.faces_view[base + 1], grid.boxes.bin_shift) >> level
        z0: cython.longlong = _ORIGIN >> level
        x1: cython.longlong = bin_of(self.source.boxes.faces_view[base + 3], grid.boxes.bin_shift) >> level
        y1: cython.longlong = bin_of(self.source.boxes.faces_view[base + 4], grid.boxes.bin_shift) >> level
        z1: cython.longlong = z0
        cell: cython.int
        high: cython.int
        if not grid.boxes.flat:
            z0 = bin_of(self.source.boxes.faces_view[base + 2] + _Z_BIAS, grid.boxes.bin_shift) >> level
            z1 = bin_of(self.source.boxes.faces_view[base + 5] + _Z_BIAS, grid.boxes.bin_shift) >> level
        self.reserve_lists(self.list_count + (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1))
        for z in range(z0, z1 + 1):
            for y in range(y0, y1 + 1):
                high = (0 if y == y0 else 2) | (0 if z == z0 else 4)
                for x in range(x0, x1 + 1):
                    cell = grid.cells.find(spread3(x) | (spread3(y) << 1) | (spread3(z) << 2), level)
                    if cell >= 0:
                        self.list_query_view[self.list_count] = cython.cast(cython.int, at)
                        self.list_entry_view[self.list_count] = cell
                        self.list_mask_view[self.list_count] = high if x == x0 else high | 1
                        self.list_count += 1

    # Step 2: the boxes in them.

    def start_lists(self, grid: Grid) -> cython.void:
        """Replace each cell by the first entry of its list."""
        at: cython.Py_ssize_t
        for at in range(self.list_count):
            self.list_entry_view[at] = grid.cells.heads_view[self.list_entry_view[at]]

    def follow_lists(self, grid: Grid) -> cython.void:
        """Follow all lists in step, one entry at a time, and store each box once."""
        at: cython.Py_ssize_t
        kept: cython.Py_ssize_t
        active: cython.Py_ssize_t = self.list_count
        hit_count: cython.Py_ssize_t = 0
        entry: cython.Py_ssize_t
        parities: cython.schar[::1] = grid.membership.parities_view
        entry_next: cython.int[::1] = grid.membership.entry_next_view
        self.hit_count = 0
        while active > 0:
            self.reserve_hits(hit_count + active)
            kept = 0
            for at in range(active):
                entry = self.list_entry_view[at]
                if not ((entry ^ parities[entry >> 3]) & self.list_mask_view[at]):
                    self.hit_queries_view[hit_count] = self.list_query_view[at]
                    self.hits_view[hit_count] = cython.cast(cython.int, entry >> 3)
                    hit_count += 1
                if entry_next[entry] >= 0:
                    self.list_entry_view[kept] = entry_next[entry]
                    self.list_query_view[kept] = self.list_query_view[at]
                    self.list_mask_view[kept] = self.list_mask_view[at]
                    kept += 1
            active = kept
        self.hit_count = hit_count

    # Step 3: exact comparison.

    def compare(self, grid: Grid) -> cython.Py_ssize_t:
        """Keep the hits that meet the box of their query; return how many."""
        at: cython.Py_ssize_t
        kept: cython.Py_ssize_t = 0
        own_base: cython.Py_ssize_t
        other_base: cython.Py_ssize_t
        source: BoxPool = self.source.boxes
        boxes: BoxPool = grid.boxes
        own_faces: cython.p_longlong = cython.address(source.faces_view[0]) if cython.compiled else source.faces_view
        faces: cython.p_longlong = cython.address(boxes.faces_view[0]) if cython.compiled else boxes.faces_view
        same: cython.bint = grid is self.source
        for at in range(self.hit_count):
            own_base = 6 * self.query_slots_view[self.hit_queries_view[at]]
            other_base = 6 * self.hits_view[at]
            if (
                own_faces[own_base] <= faces[other_base + 3]
                and faces[other_base] <= own_faces[own_base + 3]
                and own_faces[own_base + 1] <= faces[other_base + 4]
                and faces[other_base + 1] <= own_faces[own_base + 4]
                and own_faces[own_base + 2] <= faces[other_base + 5]
                and faces[other_base + 2] <= own_faces[own_base + 5]
                and not (same and own_base == other_base)
            ):
                self.hit_queries_view[kept] = self.hit_queries_view[at]
                self.hits_view[kept] = self.hits_view[at]
                kept += 1
        return kept
