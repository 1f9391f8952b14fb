# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""A copy of an index for many queries: its boxes in spatial order, valid while none of them changes.

The cells of the index are made to be changed: a query costs a cache miss for each cell and for most boxes. This copy
has the order of a plain grid, by the cell of the lowest corner of each box, and of each box only its word (as in
`buckets`) and its slot. A row of cells is one run of memory, and a query takes a fourth of the time. The copy is made
once the queries since the last change have cost about as much as making it (25 ns for a box), so it never costs more
than twice the cheaper choice (the ski rental problem).

The copy consists of a few grids, here called levels, each for a run of size levels in which the larger boxes are more
numerous: together such size levels cost less than apart. After Green, Particle Simulation using CUDA (a grid by
counting sort), but with the lowest corner instead of the centre, so that a box is in one cell and a query looks back by
the largest extent. Not taken: a packed R-tree (sorting costs more than counting, and it tests its inner boxes too), and
a hash table of cells, which needs a lookup for each cell and not for each row.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.buckets import packed, signs_of
else:
    from ecs_collision.broadphase.buckets import packed, signs_of

from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.buckets import SCANS
from ecs_collision.broadphase.morton import TOP_LEVEL
from ecs_collision.broadphase.protocol import Index
from ecs_collision.fixed_point import HALF_SLAB

BOXES_PER_QUERY = 40
"""Number of boxes that are copied in the time that a query saves with the copy."""

CELLS_PER_BOX = 4
"""Maximum number of cells per box of a level (plus a constant). Sparse boxes get larger cells."""

MAX_SHARING = 32
"""A level with enlarged cells is not copied if its boxes share their cell with more than this many on average."""

_BOXES_PER_QUERY = cython.declare(cython.longlong, BOXES_PER_QUERY)
_CELLS_PER_BOX = cython.declare(cython.longlong, CELLS_PER_BOX)
_MAX_SHARING = cython.declare(cython.longlong, MAX_SHARING)
_SCANS = cython.declare(cython.longlong, SCANS)
_LEVELS = cython.declare(cython.int, TOP_LEVEL + 1)
_FAR = cython.declare(cython.longlong, 1 << 60)
_HALF_SLAB = cython.declare(cython.longlong, HALF_SLAB)
_STEP_BITS = cython.declare(cython.int, 6)  # the longest box is 64 steps long, as in `buckets`
_SPARE = cython.declare(cython.longlong, (1 << 9) + (1 << 19) + (1 << 29) + (1 << 39) + (1 << 49) + (1 << 59))
_ONES = cython.declare(cython.longlong, 1 + (1 << 10) + (1 << 20) + (1 << 30) + (1 << 40) + (1 << 50))
_SIGNS_OF_X = cython.declare(cython.longlong, 256 | 256 << 30)


@cython.final
@cython.cclass
class Axis:
    """One axis of a level: the range of the lowest faces of its boxes, the largest extent, and the cells."""

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def clear(self) -> cython.void:
        """Remove all boxes."""
        self.least = _FAR
        self.greatest = -_FAR
        self.extent = 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def add(self, least: cython.longlong, greatest: cython.longlong, extent: cython.longlong) -> cython.void:
        """Add boxes whose lowest faces lie between two values, none larger than an extent."""
        self.least = min(self.least, least)
        self.greatest = max(self.greatest, greatest)
        self.extent = max(self.extent, extent)

    def divide(self, parts: cython.longlong, larger: cython.longlong) -> cython.longlong:
        """Make cells, `parts` of which cover the largest box, 2**larger times as large; return their number."""
        self.shift = 0
        while (parts << self.shift) < self.extent:
            self.shift += 1
        self.shift = min(self.shift + larger, 62)  # C has no shift by 64
        self.cells = ((self.greatest - self.least) >> self.shift) + 1
        return self.cells

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def first(self, low: cython.longlong) -> cython.longlong:
        """Return the first cell in which a box that extends to a face can begin."""
        return max((low - self.extent - self.least) >> self.shift, 0)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def last(self, high: cython.longlong) -> cython.longlong:
        """Return the last cell in which a box that begins below a face can begin; -1 if there is none."""
        return min((high - self.least) >> self.shift, self.cells - 1)


@cython.final
@cython.cclass
class GridLevel:
    """A grid for the boxes of some size levels; `begin` is the number of its first cell."""

    def __init__(self) -> None:
        self.x, self.y, self.z = Axis(), Axis(), Axis()
        self.clear()

    def clear(self) -> cython.void:
        """Remove all boxes."""
        self.count = self.begin = self.end = 0
        self.size_levels = 0
        self.step = 0
        self.is_coarse = False
        self.x.clear()
        self.y.clear()
        self.z.clear()

    def merge(self, other: GridLevel) -> cython.void:
        """Add the boxes of another level."""
        self.count += other.count
        self.size_levels |= other.size_levels
        self.x.add(other.x.least, other.x.greatest, other.x.extent)
        self.y.add(other.y.least, other.y.greatest, other.y.extent)
        self.z.add(other.z.least, other.z.greatest, other.z.extent)

    def divide(self, begin: cython.longlong) -> cython.longlong:
        """Make cells, not many more than boxes, and number them from `begin`; return the number after the last.

        A cell is about as large as the largest box, and half that along x, where cells are neighbours in memory.
        """
        most: cython.longlong = _CELLS_PER_BOX * self.count + 64
        larger: cython.longlong = 0
        x: cython.longlong = self.x.divide(2, 0)
        y: cython.longlong = self.y.divide(1, 0)
        z: cython.longlong = self.z.divide(1, 0)
        while x > most or y > most or z > most or x * y > most or x * y * z > most:
            larger += 1
            x = self.x.divide(2, larger)
            y = self.y.divide(1, larger)
            z = self.z.divide(1, larger)
        self.is_coarse = larger > 0
        self.step = max(self.x.shift + 1, self.y.shift, self.z.shift, _STEP_BITS) - _STEP_BITS
        self.begin = begin
        self.end = begin + x * y * z
        return self.end

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def cell_of(self, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.longlong:
        """Return the number of the cell that contains a lowest corner."""
        return (
            self.begin
            + ((x - self.x.least) >> self.x.shift)
            + self.x.cells
            * (((y - self.y.least) >> self.y.shift) + self.y.cells * ((z - self.z.least) >> self.z.shift))
        )


@cython.final
@cython.cclass
class FrozenGrid:
    """Finds the boxes of an index that meet a region: from a copy, or from the index while that is cheaper.

    The result is in `hits[:n]`, slots of the index in no particular order. `builds` counts the copies made. `left_out`
    has a bit for each size level that is not copied, because its boxes are too sparse and uneven; these are found in
    the index.
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self.is_current = False
        self.flat = False
        self.changes = self.queries = self.builds = 0
        self.left_out = 0
        self.own = self.signs = 0
        self.levels: list[GridLevel] = []
        self._by_size = [GridLevel() for _ in range(_LEVELS)]
        self.starts = array("i")
        self.reserve_boxes()

    # Queries.

    def prepare(self, queries: cython.longlong) -> cython.int:
        """Announce queries. Copies the boxes in O(boxes) if that is worth it by now.

        It is, too, if the index would have to put all boxes into its structure first, for more than a few queries.
        """
        if self.changes != self.index.boxes.changes:
            self.changes = self.index.boxes.changes
            self.is_current = False
            self.queries = 0
        if not self.is_current:
            self.queries += queries
            if self.index.boxes.slot_count >= self.capacity:
                self.reserve_boxes()
            if self.index.may_copy and (
                (self.index.is_stale and self.queries > _SCANS)
                or self.queries * _BOXES_PER_QUERY >= self.index.boxes.box_count
            ):
                self.build()
        return 0

    def collect(
        self,
        inset: cython.longlong,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.Py_ssize_t:
        """Return how many boxes meet a region; their slots are in `hits`, each once. Call `prepare` before.

        inset: 1 for those that overlap the region (in whole numbers: meet the one that is a unit smaller on every
        side). 0 for those that share a face, an edge or a corner with it, or more. With 0 there may be others among
        them, that are near: the callers compare all of them with something else.
        """
        count: cython.Py_ssize_t = 0
        size_levels: cython.int = self.index.boxes.level_bits
        if self.is_current:
            count = self.search(inset > 0, lox + inset, loy + inset, loz + inset, hix - inset, hiy - inset, hiz - inset)
            size_levels &= self.left_out
        if size_levels != 0:
            self.index.collect_inset(size_levels, inset, lox, loy, loz, hix, hiy, hiz)
            for at in range(self.index.hit_count):
                self.hits_view[count + at] = self.index.hits_view[at]
            count += self.index.hit_count
        return count

    def search(
        self,
        exactly: cython.bint,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.Py_ssize_t:
        """Write the copied boxes that meet a region, faces included, to `hits`; return how many.

        First those are found whose words agree with the region. If not `exactly` these are returned. Otherwise the
        boxes that reach into it by a step or more on every side are hits; the faces of the few others are compared.
        """
        words: cython.p_longlong = cython.address(self.words_view[0]) if cython.compiled else self.words_view
        slots: cython.p_int = cython.address(self.slots_view[0]) if cython.compiled else self.slots_view
        hits: cython.p_int = cython.address(self.hits_view[0]) if cython.compiled else self.hits_view
        boxes: BoxPool = self.index.boxes
        faces: cython.p_longlong = cython.address(boxes.faces_view[0]) if cython.compiled else boxes.faces_view
        all_signs: cython.longlong = _SIGNS_OF_X | _SIGNS_OF_X << 10
        count: cython.Py_ssize_t = 0
        level: GridLevel
        if self.flat:
            if loz > _HALF_SLAB or hiz < -_HALF_SLAB:
                return 0
        else:
            all_signs |= _SIGNS_OF_X << 20
        for level in self.levels:
            end: cython.Py_ssize_t = self.search_words(level, count, lox, loy, loz, hix, hiy, hiz)
            inner: cython.longlong = self.own - _ONES
            may_be_sure: cython.bint = self.signs == all_signs
            for place in range(count, end):
                at: cython.Py_ssize_t = hits[place]
                slot: cython.Py_ssize_t = slots[at]
                if (
                    (not exactly)
                    or (may_be_sure and ((inner - words[at]) & all_signs) == 0)
                    or (
                        faces[8 * slot] <= hix
                        and lox <= faces[8 * slot + 3]
                        and faces[8 * slot + 1] <= hiy
                        and loy <= faces[8 * slot + 4]
                        and faces[8 * slot + 2] <= hiz
                        and loz <= faces[8 * slot + 5]
                    )
                ):
                    hits[count] = cython.cast(cython.int, slot)
                    count += 1
        return count

    def search_words(
        self,
        level: GridLevel,
        count: cython.Py_ssize_t,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.Py_ssize_t:
        """Write the places of the boxes of a level whose words agree with a region to `hits[count:]`; return the end.

        The loop has no branch on the result of a comparison. These are as good as random, and a mispredicted branch
        costs more than all tests. So does a turn more or less: a row is read in fours, most rows are done in one turn.
        `own` is the word of the region, `signs` the bits that were compared.
        """
        starts: cython.p_int = cython.address(self.starts_view[0]) if cython.compiled else self.starts_view
        words: cython.p_longlong = cython.address(self.words_view[0]) if cython.compiled else self.words_view
        hits: cython.p_int = cython.address(self.hits_view[0]) if cython.compiled else self.hits_view
        x0: cython.longlong = level.x.first(lox)
        x1: cython.longlong = level.x.last(hix) + 1
        y0: cython.longlong = level.y.first(loy)
        rows: cython.longlong = level.y.last(hiy) + 1 - y0
        step: cython.int = level.step
        own: cython.longlong = packed(hix, hiy, hiz, lox, loy, loz, step) | _SPARE
        signs: cython.longlong = signs_of(lox, hix, step) | signs_of(loy, hiy, step) << 10
        if not self.flat:
            signs |= signs_of(loz, hiz, step) << 20
        self.own, self.signs = own, signs
        if x0 >= x1:
            return count
        for z in range(level.z.first(loz), level.z.last(hiz) + 1):
            row: cython.longlong = level.begin + level.x.cells * (y0 + level.y.cells * z)
            for _ in range(rows):
                end: cython.int = starts[row + x1]
                for at in range(starts[row + x0], end, 4):
                    hits[count] = at
                    count += ((own - words[at]) & signs) == 0
                    hits[count] = at + 1
                    count += (((own - words[at + 1]) & signs) == 0) & (at + 1 < end)
                    hits[count] = at + 2
                    count += (((own - words[at + 2]) & signs) == 0) & (at + 2 < end)
                    hits[count] = at + 3
                    count += (((own - words[at + 3]) & signs) == 0) & (at + 3 < end)
                row += level.x.cells
        return count

    # Copying.

    def build(self) -> cython.int:
        """Copy the current boxes of the index. O(boxes)."""
        self.flat = self.index.boxes.flat
        self.measure()
        self.merge_levels()
        self.count_boxes()
        self.fill_cells()
        self.is_current = True
        self.builds += 1
        return 0

    def reserve_boxes(self) -> cython.int:
        """Make room for every slot of the index, and for one more hit, which is written before it is tested."""
        capacity: cython.Py_ssize_t = self.index.boxes.slot_count + self.index.boxes.slot_count // 4 + 1
        slots, hits, cells = (
            array("i", bytes(4 * capacity)),
            array("i", bytes(4 * capacity)),
            array("i", bytes(4 * capacity)),
        )
        words = array("q", bytes(8 * capacity + 8 * 3))  # read in fours
        self.slots, self.hits, self.cells, self.words = slots, hits, cells, words
        self.slots_view, self.hits_view, self.cells_view, self.words_view = slots, hits, cells, words
        self.capacity = capacity
        return 0

    def measure(self) -> cython.int:
        """Compute the number, the range and the largest extent of the boxes of each size level."""
        boxes: BoxPool = self.index.boxes
        faces: cython.p_longlong = cython.address(boxes.faces_view[0]) if cython.compiled else boxes.faces_view
        level: GridLevel
        for level in self._by_size:
            level.clear()
        for slot in range(boxes.slot_count):
            if boxes.owner_view[slot] >= 0:
                level = self._by_size[boxes.levels_view[slot]]
                level.count += 1
                level.x.add(faces[8 * slot], faces[8 * slot], faces[8 * slot + 3] - faces[8 * slot])
                level.y.add(faces[8 * slot + 1], faces[8 * slot + 1], faces[8 * slot + 4] - faces[8 * slot + 1])
                level.z.add(faces[8 * slot + 2], faces[8 * slot + 2], faces[8 * slot + 5] - faces[8 * slot + 2])
        return 0

    def merge_levels(self) -> cython.int:
        """Assign each size level to the grid of the one below if that has no more boxes, or to its own."""
        cells: cython.longlong = 0
        level: GridLevel
        own: GridLevel
        level = self._by_size[0]
        self.levels = []
        self.level_of = []
        for size_level in range(_LEVELS):
            own = self._by_size[size_level]
            if own.count > 0:
                own.size_levels = 1 << size_level
                if level.count <= own.count and (level.size_levels << 1) & own.size_levels:
                    level.merge(own)
                else:
                    level = own
                    self.levels.append(own)
            self.level_of.append(level)
        for level in self.levels:
            cells = level.divide(cells)
        if len(self.starts) < cells + 2:
            self.starts = array("i", bytes(4 * (cells + cells // 4 + 2)))
            self.starts_view = self.starts
        self.cell_count = cells
        return 0

    def count_boxes(self) -> cython.int:
        """Count the boxes of each cell, two places ahead of the start of the cell, and drop crowded levels."""
        starts: cython.p_int = cython.address(self.starts_view[0]) if cython.compiled else self.starts_view
        boxes: BoxPool = self.index.boxes
        faces: cython.p_longlong = cython.address(boxes.faces_view[0]) if cython.compiled else boxes.faces_view
        cell: cython.Py_ssize_t
        level: GridLevel
        for cell in range(self.cell_count + 2):
            starts[cell] = 0
        for slot in range(boxes.slot_count):
            if boxes.owner_view[slot] >= 0:
                level = self.level_of[boxes.levels_view[slot]]
                cell = level.cell_of(faces[8 * slot], faces[8 * slot + 1], faces[8 * slot + 2])
                self.cells_view[slot] = cython.cast(cython.int, cell)
                starts[cell + 2] += 1
        self.left_out = 0
        for level in self.levels:
            load: cython.longlong = 0
            for cell in range(level.begin, level.end):
                load += cython.cast(cython.longlong, starts[cell + 2]) * starts[cell + 2]
            if level.is_coarse and load > _MAX_SHARING * level.count:
                self.left_out |= level.size_levels
                level.x.cells = 0
                for cell in range(level.begin, level.end):
                    starts[cell + 2] = 0
        return 0

    def fill_cells(self) -> cython.int:
        """Write the boxes in the order of their cells. Afterwards `starts` has the start of each cell."""
        starts: cython.p_int = cython.address(self.starts_view[0]) if cython.compiled else self.starts_view
        boxes: BoxPool = self.index.boxes
        faces: cython.p_longlong = cython.address(boxes.faces_view[0]) if cython.compiled else boxes.faces_view
        level: GridLevel
        for cell in range(2, self.cell_count + 2):
            starts[cell] += starts[cell - 1]
        for slot in range(boxes.slot_count):
            if boxes.owner_view[slot] < 0 or (self.left_out >> boxes.levels_view[slot]) & 1:
                continue
            cell = self.cells_view[slot]
            to: cython.Py_ssize_t = starts[cell + 1]
            starts[cell + 1] += 1
            level = self.level_of[boxes.levels_view[slot]]
            self.slots_view[to] = cython.cast(cython.int, slot)
            self.words_view[to] = packed(
                faces[8 * slot],
                faces[8 * slot + 1],
                faces[8 * slot + 2],
                faces[8 * slot + 3],
                faces[8 * slot + 4],
                faces[8 * slot + 5],
                level.step,
            )
        return 0
