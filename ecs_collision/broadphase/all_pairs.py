# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: auto_pickle=False
"""All overlapping pairs of boxes, found without an index: a counting-sorted grid for each size band.

Boxes of one band differ at most fourfold in size. Each box is entered in the one cell that contains its lower corner.
A cell is as large as the widest box of the band (half that along x), so every box that meets a given box begins in the
same cell, in a neighbour, or two cells before along x. The cells of a row are neighbours in memory, and the boxes of
several of them are one run, which is scanned without a branch. Between two bands, the band that has to search fewer
rows searches the other.

A scan compares words. A word contains the six faces of a box in 64ths of a cell, modulo 512: nine bits each, and a
spare bit above them, so that one subtraction compares all six. Faces are rounded down, which keeps their order. A scan
therefore finds all boxes that overlap, all that touch, and a few more; an exact comparison follows.

If the boxes are so sparse that a table of all cells would need more memory than the boxes, the rows share a table (a
hash by row). The exact comparison removes the false neighbours.

After Ericson, Real-Time Collision Detection, 7.1 and 7.2 (uniform and hierarchical grids), with runs of sorted cells
instead of lists. Not taken: larger cells for sparse bands (one distant box would put all others into one cell), trees
(five to ten times slower), the faces themselves in the order of cells (twice as slow).
"""

from __future__ import annotations

from array import array
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import logb
else:
    from math import frexp

    def logb(value: float) -> float:
        """Return the exponent of the largest power of two that is not above a positive number."""
        return frexp(value)[1] - 1.0


from ecs_collision._arrays import grown, zeros

PLACE = (1 << 32) - 1
"""The half of a pair that holds its second place."""

# The word: nine bits for each face and a spare one; low x, y, z, then the complements of high x, y, z.
_NINES = cython.declare(cython.longlong, 511 * sum(1 << (10 * face) for face in range(6)))
_SPARE = cython.declare(cython.longlong, 512 * sum(1 << (10 * face) for face in range(6)))
_SIGNS = cython.declare(cython.longlong, 256 * sum(1 << (10 * face) for face in range(6)))
_SIGNS_YZ = cython.declare(cython.longlong, 256 * sum(1 << (10 * face) for face in (1, 2, 4, 5)))
_HALF = cython.declare(cython.longlong, (1 << 30) - 1)
_PLACE = cython.declare(cython.longlong, PLACE)

_MAX_DOUBLE = cython.declare(cython.double, 1.7976931348623157e308)
_MIN_STEP = cython.declare(cython.double, 1e-300)
_MAX_STEPS = cython.declare(cython.double, float(1 << 50))
_FAR = cython.declare(cython.double, float(1 << 51))

_OCTAVES = cython.declare(cython.int, 48)
"""Sizes are distinguished down to 2**-47 of the largest; smaller boxes belong to the smallest octave."""

_BATCH = cython.declare(cython.Py_ssize_t, 1 << 16)
"""Number of candidates compared at a time, which limits their memory to about that of the pairs they yield."""

_MAX_PAIRS = cython.declare(cython.Py_ssize_t, (1 << 31) - 1)

_REPEATED = cython.declare(cython.longlong, 8)
"""Number of first cells of a hashed table that are repeated after its end, where runs may continue."""

# Strides of rows and planes in a hashed table, as parts of its length (R2, the two-dimensional golden ratio). In tables
# of 256 cells or more, the runs of nine neighbouring rows, two cells back and two ahead, do not overlap.
_ROW_PART = cython.declare(cython.double, 0.7548776662466927)
_PLANE_PART = cython.declare(cython.double, 0.5698402909980532)


@cython.final
@cython.cclass
class Band:
    """One size band: its boxes, its part of the table of cells, and its steps (64ths of a cell)."""

    def __init__(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> None:
        self.first, self.last = first, last
        self.place = self.place_end = self.base = self.cell_count = 0
        self.row = self.plane = 0
        self.mask = -1
        self.hashed = False
        self.wide = self.high = self.deep = 1
        self.x = self.y = self.z = self.by_x = self.by_y = self.by_z = 0.0
        self.width = self.height = self.depth = 0.0

    def rows_searched(self, source: Band) -> cython.double:
        """Estimate how many rows of this band the boxes of another band have to search."""
        count: cython.double = cython.cast(cython.double, source.last - source.first)
        return count * (source.height * self.by_y / 64 + 2) * (source.depth * self.by_z / 64 + 2)


@cython.final
@cython.cclass
class AllPairs:
    """Finds the overlapping pairs of boxes. Its memory is reused by the next search.

    Write the boxes to `lows` and `highs` after `reserve`, or call `use_buffers`. Time and memory are O(boxes log bands
    + pairs). Boxes of one band that are spread over many magnitudes cost more, but never more than comparing all
    pairs.
    """

    def __init__(self) -> None:
        self.count = self.pair_count = self.candidate_count = self.compared = self.cell_count = 0
        self.strict = self.has_invalid = False
        self.dims = 3
        self.lows: Any = array("d")
        self.highs: Any = array("d")
        self.pair_a, self.pair_b, self.candidates = zeros("i", 64), zeros("i", 64), zeros("q", 64)
        self.sizes, self.order, self.cells, self.words = array("d"), array("i"), array("i"), array("q")
        self.members, self.member_cells, self.member_words = array("i"), array("i"), array("q")
        self.starts, self.runs, self.extents = array("i"), zeros("q", 20), zeros("d", 12)
        self.bands: list[Band] = []
        self.smallest = self.largest = 0.0
        self.reserve(16, 3)

    # Memory.

    def reserve(self, count: cython.Py_ssize_t, dims: cython.Py_ssize_t) -> cython.void:
        """Make room for `count` boxes in `lows` and `highs`. The face of box i on an axis is at dims * i + axis."""
        self.count, self.dims = count, dims
        if len(self.lows) < dims * count:
            self.lows, self.highs = zeros("d", dims * count), zeros("d", dims * count)
        self.lows_view, self.highs_view = self.lows, self.highs
        self.reserve_scratch()

    def use_buffers(self, low: Any, high: Any, dims: cython.Py_ssize_t) -> cython.void:
        """Read the boxes from two float64 buffers until `release_buffers` is called."""
        self.count, self.dims = len(low) // dims, dims
        self.lows_view, self.highs_view = memoryview(low), memoryview(high)
        self.reserve_scratch()

    def release_buffers(self) -> cython.void:
        """Stop using the buffers."""
        self.count = 0
        self.lows_view, self.highs_view = self.lows, self.highs

    def reserve_scratch(self) -> cython.void:
        """Make room for every box."""
        if self.count > len(self.sizes):
            capacity: cython.Py_ssize_t = self.count + self.count // 4
            self.order, self.cells = zeros("i", capacity), zeros("i", capacity)
            self.words, self.sizes = zeros("q", capacity), zeros("d", capacity)

    def reserve_places(self, count: cython.Py_ssize_t) -> cython.void:
        """Make room for boxes in the order of cells, and for two words that `pair_within` may read behind them."""
        if count + 2 > len(self.members):
            count += count // 4 + 2
            self.member_cells, self.member_words, self.members = zeros("i", count), zeros("q", count), zeros("i", count)

    def reserve_cells(self) -> cython.void:
        """Make room for the cells of all bands, and empty them."""
        cell: cython.Py_ssize_t
        if self.cell_count + 2 > len(self.starts):
            self.starts = zeros("i", self.cell_count + self.cell_count // 4 + 2)
            return
        start: cython.int[::1] = self.starts
        for cell in range(self.cell_count + 2):
            start[cell] = 0

    def reserve_pairs(self, count: cython.Py_ssize_t) -> cython.void:
        """Make room for `count` pairs and keep the existing ones."""
        if count > _MAX_PAIRS:
            raise MemoryError(f"more than {_MAX_PAIRS} pairs of boxes may overlap")
        if count > len(self.pair_a):
            self.pair_b, self.pair_a = grown(max(count, 2 * len(self.pair_a)), self.pair_b, self.pair_a)

    # Measuring.

    def measure(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.void:
        """Measure the boxes order[first:last] on each axis: least and largest low face, largest high face, widest side.

        `sizes` gets the longest side of each box. `has_invalid` is set if a side is negative or not finite.
        """
        low: cython.double[::1] = self.lows_view
        high: cython.double[::1] = self.highs_view
        order: cython.int[::1] = self.order
        size: cython.double[::1] = self.sizes
        dims: cython.Py_ssize_t = self.dims
        axis: cython.Py_ssize_t
        at: cython.Py_ssize_t
        not_finite: cython.double = 0.0
        thinnest: cython.double = 0.0
        for at in range(first, last):
            size[at] = 0.0
        for axis in range(dims):
            face: cython.Py_ssize_t = dims * order[first] + axis
            smallest: cython.double = low[face]
            largest: cython.double = low[face]
            end: cython.double = high[face]
            widest: cython.double = 0.0
            for at in range(first, last):
                face = dims * order[at] + axis
                lower: cython.double = low[face]
                upper: cython.double = high[face]
                side: cython.double = upper - lower
                smallest = lower if lower < smallest else smallest
                largest = lower if lower > largest else largest
                end = upper if upper > end else end
                widest = side if side > widest else widest
                thinnest = side if side < thinnest else thinnest
                not_finite += side - side  # 0 for a finite side, NaN for any other
                size[at] = side if side > size[at] else size[at]
            self.extents[axis] = smallest
            self.extents[3 + axis] = largest
            self.extents[6 + axis] = end
            self.extents[9 + axis] = widest
        self.has_invalid = thinnest < 0 or not_finite != 0

    def first_invalid(self) -> cython.Py_ssize_t:
        """Return the first box that has a face that is not finite, or that ends before it begins; -1 if none."""
        face: cython.Py_ssize_t
        for face in range(self.dims * self.count):
            if not (-_MAX_DOUBLE <= self.lows_view[face] <= self.highs_view[face] <= _MAX_DOUBLE):
                return face // self.dims
        return -1

    # Bands.

    def measure_sizes(self) -> cython.void:
        """Find the smallest and the largest size of all boxes."""
        size: cython.double[::1] = self.sizes
        at: cython.Py_ssize_t
        smallest: cython.double = size[0]
        largest: cython.double = size[0]
        for at in range(self.count):
            smallest = size[at] if size[at] < smallest else smallest
            largest = size[at] if size[at] > largest else largest
        self.largest = largest if largest < _MAX_DOUBLE else _MAX_DOUBLE
        self.smallest = smallest if smallest > self.largest / _MAX_STEPS else self.largest / _MAX_STEPS

    def split_into_bands(self) -> cython.void:
        """Sort the boxes into bands of two octaves each, from the smallest size, and `order` by band."""
        at: cython.Py_ssize_t
        self.bands = []
        self.measure_sizes()
        if self.largest <= 4 * self.smallest:
            self.bands = [Band(0, self.count)]
            return
        octaves = self.cells  # free at this point
        counts = array("q", bytes(8 * (_OCTAVES + 1)))
        behind: cython.longlong[::1] = counts
        scale: cython.double = self.smallest if self.smallest > _MIN_STEP else _MIN_STEP
        for at in range(self.count):
            size: cython.double = min(self.sizes[at], self.largest)
            exponent: cython.double = logb(size / scale) if size > scale else 0.0
            octave: cython.int = cython.cast(cython.int, exponent) if exponent < _OCTAVES else _OCTAVES - 1
            octaves[at] = octave
            behind[octave + 1] += 1
        octave = 0
        while octave < _OCTAVES:
            if behind[octave + 1] == 0:
                behind[octave + 1] = behind[octave]
                octave += 1
                continue
            first: cython.Py_ssize_t = behind[octave]
            behind[octave + 1] += behind[octave]
            if octave + 1 < _OCTAVES:
                behind[octave + 2] += behind[octave + 1]
                octave += 1
            octave += 1
            self.bands.append(Band(first, behind[octave]))
        for at in range(self.count):
            octave = octaves[at]
            self.order[behind[octave]] = cython.cast(cython.int, at)
            behind[octave] += 1

    def set_up_band(self, band: Band, finer: Band) -> cython.void:
        """Choose the steps and cells of a band. They are not smaller than the boxes of finer bands."""
        got: cython.double[::1] = self.extents
        band.x, band.y, band.z = got[0], got[1], got[2] if self.dims == 3 else 0.0
        band.width, band.height, band.depth = got[9], got[10], got[11] if self.dims == 3 else 0.0
        band.width = max(band.width, finer.width)
        band.height = max(band.height, finer.height)
        band.depth = max(band.depth, finer.depth)
        band.by_x = steps_per_unit(band.width, got[3] - got[0], got[6] - got[0])
        band.by_y = steps_per_unit(band.height, got[4] - got[1], got[7] - got[1])
        band.by_z = 0.0
        if self.dims == 3:
            band.by_z = steps_per_unit(band.depth, got[5] - got[2], got[8] - got[2])
        band.x = band.x if band.by_x > 0 else 0.0  # avoid infinity times zero
        band.y = band.y if band.by_y > 0 else 0.0
        band.z = band.z if band.by_z > 0 else 0.0
        band.wide = (cython.cast(cython.longlong, (got[3] - band.x) * band.by_x) >> 5) + 1
        band.high = (cython.cast(cython.longlong, (got[4] - band.y) * band.by_y) >> 6) + 1
        band.deep = 1
        if self.dims == 3:
            band.deep = (cython.cast(cython.longlong, (got[5] - band.z) * band.by_z) >> 6) + 1
        self.allocate_cells(band)

    def allocate_cells(self, band: Band) -> cython.void:
        """Give a band its part of the table: all its cells, or a hash table if it has far fewer boxes."""
        boxes: cython.Py_ssize_t = band.last - band.first
        length: cython.longlong = 256
        cells: cython.double = (band.wide + 2.0) * (band.high + 1.0) * (band.deep + 1.0)
        band.base = self.cell_count
        band.hashed = cells > 8.0 * boxes + 1024.0
        if band.hashed:
            while length < 2 * boxes:
                length *= 2
            band.row = cython.cast(cython.longlong, length * _ROW_PART) | 1
            band.plane = cython.cast(cython.longlong, length * _PLANE_PART) | 1
            band.mask = length - 1
            band.cell_count = length + _REPEATED
        else:
            # Two empty cells after each row and an empty row after each plane serve both neighbours. An empty
            # plane follows the last one, because boxes may extend into it.
            band.row = band.wide + 2
            band.plane = band.row * (band.high + 1)
            band.mask = -1
            band.cell_count = band.plane * (band.deep + self.dims - 2) + band.row
        band.cell_count += 8
        self.cell_count += band.cell_count

    # The grids.

    def compute_cells(self, band: Band) -> cython.Py_ssize_t:
        """Compute cell and word of each box of a band and count the boxes of each cell; return the repeats."""
        low: cython.double[::1] = self.lows_view
        high: cython.double[::1] = self.highs_view
        order: cython.int[::1] = self.order
        cells: cython.int[::1] = self.cells
        words: cython.longlong[::1] = self.words
        start: cython.int[::1] = self.starts
        dims: cython.Py_ssize_t = self.dims
        at: cython.Py_ssize_t
        repeated: cython.Py_ssize_t = 0
        x: cython.double = band.x
        y: cython.double = band.y
        z: cython.double = band.z
        by_x: cython.double = band.by_x
        by_y: cython.double = band.by_y
        by_z: cython.double = band.by_z
        row: cython.longlong = band.row
        plane: cython.longlong = band.plane
        mask: cython.longlong = band.mask
        base: cython.longlong = band.base
        z0: cython.longlong = 0
        z1: cython.longlong = 0
        for at in range(band.first, band.last):
            face: cython.Py_ssize_t = dims * order[at]
            x0: cython.longlong = cython.cast(cython.longlong, (low[face] - x) * by_x)
            y0: cython.longlong = cython.cast(cython.longlong, (low[face + 1] - y) * by_y)
            x1: cython.longlong = cython.cast(cython.longlong, (high[face] - x) * by_x)
            y1: cython.longlong = cython.cast(cython.longlong, (high[face + 1] - y) * by_y)
            cell: cython.longlong = (x0 >> 5) + ((y0 >> 6) & mask) * row
            if dims == 3:
                z0 = cython.cast(cython.longlong, (low[face + 2] - z) * by_z)
                z1 = cython.cast(cython.longlong, (high[face + 2] - z) * by_z)
                cell += ((z0 >> 6) & mask) * plane
            words[at] = (
                (x0 & 511)
                | ((y0 & 511) << 10)
                | ((z0 & 511) << 20)
                | ((~x1 & 511) << 30)
                | ((~y1 & 511) << 40)
                | ((~z1 & 511) << 50)
            )
            cell = (cell & mask) + base
            cells[at] = cython.cast(cython.int, cell)
            start[cell + 2] += 1
            if cell - base < _REPEATED and mask >= 0:
                start[cell + mask + 3] += 1
                repeated += 1
        return repeated

    def number_places(self) -> cython.void:
        """Turn counts of boxes into places: `starts[cell + 1]` becomes the first place of a cell."""
        start: cython.int[::1] = self.starts
        cell: cython.Py_ssize_t
        total: cython.int = 0
        for cell in range(self.cell_count + 2):
            total += start[cell]
            start[cell] = total

    def sort_into_cells(self, band: Band) -> cython.void:
        """Write the boxes of a band to their places. Afterwards `starts[cell]` is the first place of a cell."""
        order: cython.int[::1] = self.order
        cells: cython.int[::1] = self.cells
        words: cython.longlong[::1] = self.words
        start: cython.int[::1] = self.starts
        member: cython.int[::1] = self.members
        member_cells: cython.int[::1] = self.member_cells
        member_words: cython.longlong[::1] = self.member_words
        at: cython.Py_ssize_t
        band.place = start[band.base + 1]
        for at in range(band.first, band.last):
            cell: cython.Py_ssize_t = cells[at]
            place: cython.Py_ssize_t = start[cell + 1]
            start[cell + 1] += 1
            member[place] = order[at]
            member_cells[place] = cython.cast(cython.int, cell)
            member_words[place] = words[at]
            if band.hashed and cell - band.base < _REPEATED:
                cell += band.mask + 1
                place = start[cell + 1]
                start[cell + 1] += 1
                member[place] = order[at]
                member_words[place] = words[at]
        band.place_end = band.place + band.last - band.first

    # Candidates.

    def find_candidates(self) -> cython.Py_ssize_t:
        """Find pairs of boxes that include all that overlap or touch, each once; return their number.

        The upper half of `candidates[k]` is the place of one box, the lower half that of the other; `members` has the
        box at a place. Returns -1 if a face is not finite or a box ends before it begins: `first_invalid` returns that
        box.
        """
        at: cython.Py_ssize_t
        places: cython.Py_ssize_t = self.count
        band: Band
        finer: Band
        self.candidate_count = self.pair_count = self.compared = self.cell_count = 0
        if self.count == 0:
            return 0
        for at in range(self.count):
            self.order[at] = cython.cast(cython.int, at)
        self.measure(0, self.count)
        if self.has_invalid and self.first_invalid() >= 0:
            return -1
        self.split_into_bands()
        finer = self.bands[0]
        for band in self.bands:
            if len(self.bands) > 1:
                self.measure(band.first, band.last)
            self.set_up_band(band, finer)
            finer = band
        self.reserve_cells()
        for band in self.bands:
            places += self.compute_cells(band)
        self.reserve_places(places)
        self.number_places()
        for band in self.bands:
            self.sort_into_cells(band)
        for band in self.bands:
            self.pair_within(band)
            for finer in self.bands:
                if finer is band:
                    break
                if not finer.hashed and finer.rows_searched(band) < band.rows_searched(finer):
                    self.pair_across(band, finer)
                else:
                    self.pair_across(finer, band)
        return self.candidate_count

    def tabulate_runs(self, band: Band) -> cython.void:
        """Tabulate the runs after the own row: their number, and how far ahead of the own cell each begins.

        There are five numbers for each of four cases: the box ends in its own row and plane, reaches the next row,
        reaches the next plane, or both. Runs begin two cells before the own cell along x.
        """
        row: cython.longlong = band.row - 2
        plane: cython.longlong = band.plane - 2
        runs = [0, 0, 0, 0, 0, 1, row, 0, 0, 0, 2, plane - band.row, plane, 0, 0]
        runs += [4, row, plane - band.row, plane, plane + band.row]
        self.runs = array("q", runs)

    def pair_within(self, band: Band) -> cython.void:
        """Find the candidates within a band: from each box to the later ones in its row and in later rows."""
        member_cells: cython.int[::1] = self.member_cells
        member_words: cython.longlong[::1] = self.member_words
        start: cython.int[::1] = self.starts
        candidates: cython.longlong[::1] = self.candidates
        capacity: cython.Py_ssize_t = len(self.candidates)
        count: cython.Py_ssize_t = self.candidate_count
        base: cython.Py_ssize_t = band.base
        mask: cython.longlong = band.mask
        place: cython.longlong
        self.tabulate_runs(band)
        runs: cython.longlong[::1] = self.runs
        for place in range(band.place, band.place_end):
            word: cython.longlong = member_words[place]
            own_word: cython.longlong = (((word >> 30) | ((word & _HALF) << 30)) ^ _NINES) | _SPARE
            sides: cython.longlong = (own_word - word) & _NINES
            # How many cells the box extends past its own along x, y and z; 0 or 1 along y and z.
            ahead_x: cython.longlong = ((word & 31) + (sides & 511)) >> 5
            ahead_y: cython.longlong = (((word >> 10) & 63) + ((sides >> 10) & 511)) >> 6
            ahead_z: cython.longlong = (((word >> 20) & 63) + ((sides >> 20) & 511)) >> 6
            run: cython.Py_ssize_t = 5 * (ahead_y + 2 * ahead_z)
            last: cython.Py_ssize_t = run + runs[run]
            at: cython.Py_ssize_t = place + 1
            end: cython.Py_ssize_t = start[member_cells[place] + ahead_x + 1]
            while True:
                if count + end - at + 2 > capacity:
                    self.candidate_count = count
                    self.reserve_more(end - at + 2)
                    count, candidates, capacity = self.candidate_count, self.candidates, len(self.candidates)
                # Two in any case: most runs have so few boxes, but how many cannot be foreseen.
                candidates[count] = (place << 32) | at
                count += (at < end) & (((own_word - member_words[at]) & _SIGNS) == 0)
                candidates[count] = (place << 32) | (at + 1)
                count += (at + 1 < end) & (((own_word - member_words[at + 1]) & _SIGNS) == 0)
                at += 2
                while at < end:
                    candidates[count] = (place << 32) | at
                    count += ((own_word - member_words[at]) & _SIGNS) == 0
                    at += 1
                if run == last:
                    break
                run += 1
                cell: cython.Py_ssize_t = base + ((member_cells[place] - base + runs[run]) & mask)
                at = start[cell]
                end = start[cell + ahead_x + 3]
        self.candidate_count = count

    def pair_across(self, source: Band, target: Band) -> cython.void:
        """Find the candidates of two bands: the boxes of one in the rows of the other that they cover.

        Faces are clamped to the row and the run before they are packed. All boxes there are within 255 steps, where
        words can be compared; if the run is longer than that, x is not compared.
        """
        low: cython.double[::1] = self.lows_view
        high: cython.double[::1] = self.highs_view
        member_words: cython.longlong[::1] = self.member_words
        start: cython.int[::1] = self.starts
        place: cython.longlong
        y: cython.longlong
        z: cython.longlong
        own_word: cython.longlong
        low_z: cython.longlong = 0
        high_z: cython.longlong = 0
        z0: cython.longlong = 0
        z1: cython.longlong = 0
        count: cython.Py_ssize_t = self.candidate_count
        candidates: cython.longlong[::1] = self.candidates
        for place in range(source.place, source.place_end):
            face: cython.Py_ssize_t = self.dims * self.members[place]
            low_x: cython.longlong = step_of((low[face] - target.x) * target.by_x)
            low_y: cython.longlong = step_of((low[face + 1] - target.y) * target.by_y)
            high_x: cython.longlong = step_of((high[face] - target.x) * target.by_x)
            high_y: cython.longlong = step_of((high[face + 1] - target.y) * target.by_y)
            x0: cython.longlong = (low_x - 64) >> 5
            y0: cython.longlong = (low_y - 64) >> 6
            x1: cython.longlong = high_x >> 5
            y1: cython.longlong = high_y >> 6
            if self.dims == 3:
                low_z = step_of((low[face + 2] - target.z) * target.by_z)
                high_z = step_of((high[face + 2] - target.z) * target.by_z)
                z0, z1 = (low_z - 64) >> 6, high_z >> 6
            if not target.hashed:
                x0, x1 = max(x0, 0), min(x1, target.wide - 1)
                y0, y1 = max(y0, 0), min(y1, target.high - 1)
                z0, z1 = max(z0, 0), min(z1, target.deep - 1)
                if x0 > x1:
                    continue
            signs: cython.longlong = _SIGNS if x1 - x0 < 5 else _SIGNS_YZ
            along_x: cython.longlong = clamped(low_x, high_x, 32 * x0, 32 * x1 + 31)
            for z in range(z0, z1 + 1):
                along_z: cython.longlong = clamped(low_z, high_z, 64 * z, 64 * z + 63) << 20
                for y in range(y0, y1 + 1):
                    own_word = along_x | (clamped(low_y, high_y, 64 * y, 64 * y + 63) << 10) | along_z | _SPARE
                    cell: cython.longlong = x0 + (y & target.mask) * target.row + (z & target.mask) * target.plane
                    cell = target.base + (cell & target.mask)
                    at: cython.Py_ssize_t = start[cell]
                    end: cython.Py_ssize_t = start[cell + x1 - x0 + 1]
                    if count + end - at > len(self.candidates):
                        self.candidate_count = count
                        self.reserve_more(end - at)
                        count, candidates = self.candidate_count, self.candidates
                    while at < end:
                        candidates[count] = (place << 32) | at
                        count += ((own_word - member_words[at]) & signs) == 0
                        at += 1
        self.candidate_count = count

    def reserve_more(self, count: cython.Py_ssize_t) -> cython.void:
        """Make room for `count` more candidates, by comparing the existing ones if that is enough."""
        if self.strict and self.candidate_count >= _BATCH:
            self.compare_candidates()
        count += self.candidate_count
        if count > len(self.candidates):
            (self.candidates,) = grown(max(count, 2 * len(self.candidates)), self.candidates)

    # Pairs.

    def find_pairs(self) -> cython.Py_ssize_t:
        """Return the number of pairs that overlap. They are in `pair_a` and `pair_b`; `pair_a` has the lower number.

        Boxes that only touch do not overlap. Pairs are in no particular order. Returns -1 like `find_candidates`.
        """
        self.strict = True
        candidates: cython.Py_ssize_t = self.find_candidates()
        self.strict = False
        if candidates < 0:
            return -1
        self.compare_candidates()
        return self.pair_count

    def compare_candidates(self) -> cython.void:
        """Compare the candidates exactly and move those that overlap to the pairs."""
        low: cython.double[::1] = self.lows_view
        high: cython.double[::1] = self.highs_view
        candidates: cython.longlong[::1] = self.candidates
        member: cython.int[::1] = self.members
        dims: cython.Py_ssize_t = self.dims
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = self.pair_count
        meets: cython.bint
        self.reserve_pairs(count + self.candidate_count)
        pair_a: cython.int[::1] = self.pair_a
        pair_b: cython.int[::1] = self.pair_b
        for at in range(self.candidate_count):
            one: cython.int = member[candidates[at] >> 32]
            two: cython.int = member[candidates[at] & _PLACE]
            a: cython.Py_ssize_t = dims * one
            b: cython.Py_ssize_t = dims * two
            pair_a[count] = one if one < two else two
            pair_b[count] = two if one < two else one
            meets = (low[a] < high[b]) & (low[b] < high[a]) & (low[a + 1] < high[b + 1]) & (low[b + 1] < high[a + 1])
            if dims == 3:
                meets = meets & (low[a + 2] < high[b + 2]) & (low[b + 2] < high[a + 2])
            count += meets
        self.compared += self.candidate_count
        self.candidate_count = 0
        self.pair_count = count

    def write_sorted(self, pairs: cython.longlong[::1]) -> cython.void:
        """Write the pairs of `find_pairs` to `pairs`, two numbers each, sorted by the first, then by the second.

        Uses two counting sorts, first by the second number: O(boxes + pairs) for any pairs.
        """
        pair_a: cython.int[::1] = self.pair_a
        pair_b: cython.int[::1] = self.pair_b
        at: cython.Py_ssize_t
        a: cython.int
        b: cython.int
        total_a: cython.int = 0
        total_b: cython.int = 0
        first_a: cython.int[::1] = self.order
        first_b: cython.int[::1] = self.cells
        self.reserve_places(self.pair_count)
        by_b: cython.int[::1] = self.members
        for at in range(self.count):
            first_a[at] = first_b[at] = 0
        for at in range(self.pair_count):
            first_a[pair_a[at]] += 1
            first_b[pair_b[at]] += 1
        for at in range(self.count):
            a, b = first_a[at], first_b[at]
            first_a[at], first_b[at] = total_a, total_b
            total_a += a
            total_b += b
        for at in range(self.pair_count):
            b = pair_b[at]
            by_b[first_b[b]] = pair_a[at]
            first_b[b] += 1
        at = 0
        for b in range(self.count):
            while at < first_b[b]:
                a = by_b[at]
                place: cython.Py_ssize_t = 2 * first_a[a]
                pairs[place] = a
                pairs[place + 1] = b
                first_a[a] += 1
                at += 1


@cython.cfunc
@cython.exceptval(check=False)
def steps_per_unit(width: cython.double, span: cython.double, high: cython.double) -> cython.double:
    """Return the steps per unit on an axis, 63 for the widest box; 0 if numbers would overflow, for a single cell."""
    step: cython.double = max(width / 63, span / _MAX_STEPS)
    return 1 / step if _MIN_STEP < step and width <= _MAX_DOUBLE and high <= _MAX_DOUBLE else 0.0


@cython.cfunc
@cython.exceptval(check=False)
def clamped(
    low: cython.longlong, high: cython.longlong, smallest: cython.longlong, most: cython.longlong
) -> cython.longlong:
    """Return the high face and the complement of the low one, clamped to a range, packed for a comparison along x."""
    return (min(high, most) & 511) | ((~max(low, smallest) & 511) << 30)


@cython.cfunc
@cython.exceptval(check=False)
def step_of(steps: cython.double) -> cython.longlong:
    """Return a number of steps as an integer; a face far outside becomes one just outside."""
    if steps < 0:
        return -1
    return cython.cast(cython.longlong, steps if steps < _FAR else _FAR)
