# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The index of boxes: the boxes that meet a region, and all pairs of boxes that meet (rules B7 and S3).

Pairs of one level are found cell by cell; from each box one looks up to the larger cells around it, whose
numbers follow from its own. Where only pairs with an awake box count, that is done from the awake boxes,
and from each of them one looks down for sleepers in smaller cells too, through the directory if they are
many: all other cells are never looked into.

Not taken: a walk over all cells with counts of awake boxes below each (a move would touch every ancestor).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.kernels.search import Search
else:
    from ecs_collision.kernels.search import Search

from ecs_collision.kernels.columns import longer
from ecs_collision.sealing import seal


@cython.final
@cython.cclass
class Grid(Search):
    """The index of one kind of boxes: dynamic ones, statics, or those displaced within a plan.

    Answers are slots in `hits[:n]` or `pair_a[:n]` and `pair_b[:n]`, in no particular order: whoever shows
    them sorts. `pairs_tested` and `cells_skipped` are set by `collect_pairs`.
    """

    def __init__(self, bin_shift: cython.int) -> None:
        Search.__init__(self, bin_shift)
        self.pairs_tested = self.cells_skipped = 0
        self.pair_count = 0
        self.pair_room = 64
        self._pair_a, self._pair_b = array("i", bytes(4 * 64)), array("i", bytes(4 * 64))
        self.pair_a, self.pair_b = self._pair_a, self._pair_b
        self._members = array("i")

    @cython.ccall
    def collect_pairs(self, awake_only: cython.bint) -> cython.Py_ssize_t:
        """Return how many pairs of boxes of different owners meet, faces included; they are in `pair_a` and `pair_b`.

        With `awake_only` those with at least one awake box: only cells that hold one, and the cells below and
        above those, are looked into, and `cells_skipped` tells how many were not. O(awake boxes), then.
        `pairs_tested` counts the boxes compared.
        """
        self.pair_count = 0
        self.pairs_tested = self.boxes_tested = 0
        self.cells_skipped = 0
        if len(self._members) < self.capacity:
            self._members = longer(self._members, self.capacity)
            self.members = self._members
        self.sleepers_only = False
        if awake_only:
            self.pairs_of_awake()
        else:
            self.pairs_of_all()
        self.pairs_tested += self.boxes_tested
        return self.pair_count

    @cython.cfunc
    def pairs_of_all(self) -> cython.int:
        """Walk all cells; from each box look up to the larger cells."""
        cell: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        above: cython.int
        for cell in range(self.cells.used):
            if self.cells.box_counts[cell] > 1:
                self.pairs_within(cython.cast(cython.int, cell), False)
        for slot in range(self.slot_count):
            if self.owner[slot] >= 0:
                above = self.cells.level_bits & (-2 << self.levels[slot])
                if above != 0:
                    self.pairs_across(slot, above)
        return 0

    @cython.cfunc
    def pairs_of_awake(self) -> cython.int:
        """Walk the cells with an awake box; from each of their awake boxes look up, and down for sleepers."""
        at: cython.Py_ssize_t
        cell: cython.int
        entry: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        above: cython.int
        below: cython.int
        self.next_mark()
        for at in range(self.cells.awake_cell_count):
            cell = self.cells.awake_cells[at]
            if self.cells.marks[cell] != self.mark:
                self.cells.marks[cell] = self.mark
                self.marked += 1
            self.cells_visited += 1
            if self.cells.box_counts[cell] > 1:
                self.pairs_within(cell, True)
            above = self.cells.level_bits & (-2 << self.cells.levels[cell])
            below = self.asleep_bits & ((1 << self.cells.levels[cell]) - 1)
            if above | below == 0:
                continue
            entry = self.cells.heads[cell]
            while entry >= 0:
                slot = entry >> 3
                if self.awake[slot] and not ((entry ^ self.corners[slot]) & 7):  # once, in its lowest cell
                    if above != 0:
                        self.pairs_across(slot, above)
                    if below != 0:
                        self.sleepers_only = True  # an awake box below looks up itself
                        self.pairs_across(slot, below)
                        self.sleepers_only = False
                entry = self.entry_next[entry]
        self.cells_skipped = self.cells.cell_count - self.marked
        self.marking = False
        return 0

    @cython.cfunc
    def next_mark(self) -> cython.int:
        """Start counting the cells a pass looks into, each once."""
        cell: cython.Py_ssize_t
        if self.mark == 2147483647:  # after 2**31 passes the marks start over
            for cell in range(self.cells.used):
                self.cells.marks[cell] = 0
            self.mark = 0
        self.mark += 1
        self.marked = 0
        self.marking = True
        return 0

    @cython.cfunc
    def pairs_within(self, cell: cython.int, awake_only: cython.bint) -> cython.int:
        """Add the pairs of one level that meet, each in the cell that holds the greater of their lowest corners."""
        entry: cython.Py_ssize_t = self.cells.heads[cell]
        parity: cython.int = cython.cast(cython.int, entry & 7)
        count: cython.Py_ssize_t = 0
        first_sleeper: cython.Py_ssize_t
        end: cython.Py_ssize_t = self.cells.box_counts[cell]
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        high: cython.int
        first_sleeper = end
        while entry >= 0:
            a = entry >> 3
            if awake_only and not self.awake[a]:
                first_sleeper -= 1
                self.members[first_sleeper] = cython.cast(cython.int, a)
            else:
                self.members[count] = cython.cast(cython.int, a)
                count += 1
            entry = self.entry_next[entry]
        for i in range(count):
            a = self.members[i]
            high = (parity ^ self.corners[a]) & 7
            lox: cython.longlong = self.faces[6 * a]
            loy: cython.longlong = self.faces[6 * a + 1]
            loz: cython.longlong = self.faces[6 * a + 2]
            hix: cython.longlong = self.faces[6 * a + 3]
            hiy: cython.longlong = self.faces[6 * a + 4]
            hiz: cython.longlong = self.faces[6 * a + 5]
            for j in range(i + 1, end):
                b = self.members[j]
                if high & (parity ^ self.corners[b]):
                    continue
                self.pairs_tested += 1
                if (
                    self.faces[6 * b] <= hix
                    and self.faces[6 * b + 3] >= lox
                    and self.faces[6 * b + 1] <= hiy
                    and self.faces[6 * b + 4] >= loy
                    and self.faces[6 * b + 2] <= hiz
                    and self.faces[6 * b + 5] >= loz
                    and self.owner[a] != self.owner[b]
                ):
                    self.add_pair(cython.cast(cython.int, a), cython.cast(cython.int, b))
        return 0

    @cython.cfunc
    def pairs_across(self, slot: cython.Py_ssize_t, levels: cython.int) -> cython.int:
        """Add the pairs of a box with the boxes of other levels that it meets."""
        base: cython.Py_ssize_t = 6 * slot
        at: cython.Py_ssize_t
        self.aim(
            self.faces[base],
            self.faces[base + 1],
            self.faces[base + 2],
            self.faces[base + 3],
            self.faces[base + 4],
            self.faces[base + 5],
        )
        self.gather(levels)
        for at in range(self.hit_count):
            if self.owner[self.hits[at]] != self.owner[slot]:
                self.add_pair(cython.cast(cython.int, slot), self.hits[at])
        return 0

    @cython.cfunc
    def add_pair(self, a: cython.int, b: cython.int) -> cython.int:
        """Put a pair behind the others, in twice the room where it is full."""
        if self.pair_count == self.pair_room:
            one, two = longer(self._pair_a, 2 * self.pair_room), longer(self._pair_b, 2 * self.pair_room)
            self._pair_a, self._pair_b = one, two
            self.pair_a, self.pair_b = self._pair_a, self._pair_b
            self.pair_room *= 2
        self.pair_a[self.pair_count] = a
        self.pair_b[self.pair_count] = b
        self.pair_count += 1
        return 0


seal(Grid)
