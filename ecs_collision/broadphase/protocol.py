# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The interface of a broad phase: boxes in slots, and queries for the boxes that meet a region.

`Index` is what `bodies`, `query`, `push`, `contacts` and `dynamics` know of a broad phase. Every structure of this room
is a subclass: it keeps boxes in a form of its own, and finds the same ones as all the others. One test drives them all
and compares every result (`tests/broadphase/test_protocol.py`).

Regions and boxes are faces in lattice units (lo x, y, z, hi x, y, z), and *meeting* includes faces, edges and corners
on both sides. Results are candidates (rule B7): the callers compare the true boxes, and sort what they return by entity
id (B5).

A structure implements `search` and, if it stores anything, `reset`, `reserve`, `enter`, `leave`, `move` and
`set_awake_of`; if it has nodes, `cell_count`; if it finds pairs faster than by queries, `pair_with`. What measures,
draws and checks it is plain Python (`inspection.py`).

Calls go through the table of C functions of the class, so a choice of structures costs about a nanosecond per call.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer, zeros
from ecs_collision.broadphase.box_pool import BoxPool

if TYPE_CHECKING:
    from ecs_collision.broadphase.inspection import Inspection

Faces = tuple[int, int, int, int, int, int]

PREPARED = 8
"""The most queries that are prepared together."""

KEPT = 40
"""The numbers kept of a prepared query."""
_KEPT = cython.declare(cython.Py_ssize_t, KEPT)


class Size(NamedTuple):
    """The size of a structure: entries of boxes in nodes, nodes in use, levels of nodes, bytes without the boxes."""

    entries: int
    nodes: int
    depth: int
    bytes: int


@cython.cclass
class Index:
    """Boxes in slots, and region queries.

    The result of a query is `hits[:hit_count]`: slots, each once, in no particular order. `boxes` has faces, owner,
    awake flag and level of each slot; do not change it. `levels` in queries are bits of size levels (B1).

    `cell_changes` counts the nodes that boxes entered or left; the caller resets it to 0. `cells_visited` counts the
    nodes with boxes that queries visited, and `cells_skipped` those that the last full pass did not visit; a structure
    without nodes counts 0. `may_copy` says whether the world may answer many queries at once from a copy of the boxes
    (`frozen_grid`, `all_pairs`) instead of the structure. While `is_stale` is set the structure is out of date, and the
    next query takes all boxes into it again.
    """

    def __init__(self, bin_shift: cython.int) -> None:
        self.boxes = BoxPool(bin_shift)
        self.hits = array("i")
        self.pairs = array("i")
        self.hits_view, self.pairs_view, self.gathered = self.hits, self.pairs, self.hits
        self.hit_count = self.hit_capacity = self.pair_count = self.pair_capacity = 0
        self.cell_changes = self.cells_visited = self.cells_skipped = 0
        self.asleep_only = self.awake_only = self.may_copy = self.is_stale = False
        self.levels = 0
        self.kept = zeros("q", KEPT * PREPARED)

    @property
    def cell_count(self) -> int:
        """The number of nodes with boxes; 0 for a structure without nodes."""
        return 0

    # Changing.

    def clear(self) -> cython.void:
        """Remove all boxes. Works after an interrupted change."""
        self.boxes.clear()
        self.reset()

    def allocate(self, count: cython.int) -> cython.int:
        """Return the first of `count` neighbouring free slots."""
        first: cython.int = self.boxes.allocate(count)
        self.reserve()
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
        """Put a box into an allocated slot, replacing the one there. Raises IndexError outside the index (B2)."""
        self.boxes.validate(lox, loy, loz, hix, hiy, hiz)
        if self.boxes.owner_view[slot] >= 0:
            self.leave(slot)
            self.boxes.remove(slot)
        self.boxes.put(slot, owner, awake, lox, loy, loz, hix, hiy, hiz)
        self.enter(slot)

    def remove(self, first: cython.int, count: cython.int) -> cython.void:
        """Remove the boxes of a run and free its slots."""
        for slot in range(first, first + count):
            if self.boxes.owner_view[slot] >= 0:
                self.leave(slot)
                self.boxes.remove(slot)
        self.boxes.release(first, count)

    def shift(
        self, first: cython.int, count: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong
    ) -> cython.void:
        """Move the boxes of a run. Raises IndexError at the first that would leave the index."""
        for slot in range(first, first + count):
            self.move(slot, dx, dy, dz)

    def set_awake(self, first: cython.int, count: cython.int, awake: cython.bint) -> cython.void:
        """Set whether the owner of a run is awake (S3)."""
        for slot in range(first, first + count):
            if self.boxes.owner_view[slot] >= 0 and (self.boxes.awake_view[slot] != 0) != awake:
                self.boxes.set_awake(slot, awake)
                self.set_awake_of(slot, awake)

    def set_flat(self, flat: cython.bint) -> cython.void:
        """Set whether all boxes have the z range of 2D (L5). The caller ensures that they have. O(boxes) if it changes.

        While it is set, z is the same in all boxes, so a structure should not divide along z.
        """
        if flat == self.boxes.flat:
            return
        self.boxes.set_flat(flat)
        self.reset()
        for slot in range(cython.cast(cython.int, self.boxes.slot_count)):
            if self.boxes.owner_view[slot] >= 0:
                self.enter(slot)

    def defer(self) -> cython.void:
        """Note that many boxes will move. Until its next query, a structure may do nothing for boxes that change."""

    # A full pass.

    def begin_pass(self) -> cython.void:
        """Begin a full pass over awake pairs. Nodes that its queries visit do not count as skipped."""

    def end_pass(self) -> cython.void:
        """End a full pass."""

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
        return self.query(self.boxes.level_bits, False, lox, loy, loz, hix, hiy, hiz)

    def touch_home(self, slot: cython.Py_ssize_t) -> cython.void:
        """Ask the processor for the memory that the move of a box will read soon."""

    def prepare(self, number: cython.Py_ssize_t) -> cython.void:
        """Keep the query at hand under a number below PREPARED, and ask the processor for what `gather` will read."""
        at: cython.Py_ssize_t = _KEPT * number
        self.kept[at], self.kept[at + 1], self.kept[at + 2] = self.lox, self.loy, self.loz
        self.kept[at + 3], self.kept[at + 4], self.kept[at + 5] = self.hix, self.hiy, self.hiz
        self.kept[at + 8] = 0

    def gather(self, number: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write boxes that may meet the region of a prepared query to `gathered`, from a place on; return their end.

        All that meet it are among them, each once.
        """
        at: cython.Py_ssize_t = _KEPT * number
        self.collect(
            self.kept[at],
            self.kept[at + 1],
            self.kept[at + 2],
            self.kept[at + 3],
            self.kept[at + 4],
            self.kept[at + 5],
        )
        self.reserve_gathered(first + self.hit_count)
        for at in range(self.hit_count):
            self.gathered[first + at] = self.hits_view[at]
        return first + self.hit_count

    def reserve_gathered(self, count: cython.Py_ssize_t) -> cython.void:
        """Make room for `count` boxes in `gathered`."""
        if count > len(self.gathered):
            self.gathered = longer(self.gathered, 2 * count)

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
        return self.query(levels & self.boxes.level_bits, False, lox, loy, loz, hix, hiy, hiz)

    def collect_asleep(
        self,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.Py_ssize_t:
        """Return how many boxes of sleeping owners meet a region, like `collect`."""
        return self.query(self.boxes.asleep_bits, True, lox, loy, loz, hix, hiy, hiz)

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

        With 1 these are the boxes that overlap the region (L4). If the smaller region is empty, its hits are the boxes
        that contain it.
        """
        return self.query(
            levels & self.boxes.level_bits,
            False,
            lox + inset,
            loy + inset,
            loz + inset,
            hix - inset,
            hiy - inset,
            hiz - inset,
        )

    def query(
        self,
        levels: cython.int,
        asleep_only: cython.bint,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.Py_ssize_t:
        """Search a region for boxes of the given levels (bits), and return how many there are."""
        self.begin_query(levels, asleep_only, lox, loy, loz, hix, hiy, hiz)
        if levels != 0:
            self.search()
        return self.hit_count

    def begin_query(
        self,
        levels: cython.int,
        asleep_only: cython.bint,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.void:
        """Begin a query."""
        self.hit_count = 0
        self.levels, self.asleep_only = levels, asleep_only
        self.lox, self.loy, self.loz = lox, loy, loz
        self.hix, self.hiy, self.hiz = hix, hiy, hiz
        if self.boxes.capacity > self.hit_capacity:
            self.reserve_hits()

    def collect_box(self, boxes: BoxPool, slot: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return how many boxes meet a box, possibly of another index, like `collect`."""
        self.aim_at(boxes, slot)
        if self.levels != 0:
            self.search()
        return self.hit_count

    def aim_at(self, boxes: BoxPool, slot: cython.Py_ssize_t) -> cython.void:
        """Begin a query for the boxes, of any level, that meet a box, possibly of another index."""
        at: cython.Py_ssize_t = 8 * slot
        self.hit_count = 0
        self.levels, self.asleep_only = self.boxes.level_bits, False
        self.lox, self.hix = boxes.faces_view[at], boxes.faces_view[at + 3]
        self.loy, self.hiy = boxes.faces_view[at + 1], boxes.faces_view[at + 4]
        self.loz, self.hiz = boxes.faces_view[at + 2], boxes.faces_view[at + 5]
        if self.boxes.capacity > self.hit_capacity:
            self.reserve_hits()

    def reserve_hits(self) -> cython.void:
        """Make room for every box in `hits`."""
        self.hits = longer(self.hits, self.boxes.capacity)
        self.hits_view = self.hits
        self.hit_capacity = self.boxes.capacity

    @cython.final
    def offer(self, slot: cython.Py_ssize_t) -> cython.void:
        """Add a box to `hits` if it meets the region and has one of the levels. Offer each box once per query."""
        at: cython.Py_ssize_t = 8 * slot
        if (
            self.boxes.faces_view[at] <= self.hix
            and self.lox <= self.boxes.faces_view[at + 3]
            and self.boxes.faces_view[at + 1] <= self.hiy
            and self.loy <= self.boxes.faces_view[at + 4]
            and self.boxes.faces_view[at + 2] <= self.hiz
            and self.loz <= self.boxes.faces_view[at + 5]
            and (self.levels >> self.boxes.levels_view[slot]) & 1
            and not (self.asleep_only and self.boxes.awake_view[slot])
        ):
            self.hits_view[self.hit_count] = cython.cast(cython.int, slot)
            self.hit_count += 1

    # Pairs of boxes that meet.

    def find_pairs(self, other: Index, awake_only: cython.bint) -> cython.Py_ssize_t:
        """Return how many pairs of a box of this index and one of `other` meet, faces included; see `pairs`.

        Pair i is `pairs[2 * i]`, a slot of this index, and `pairs[2 * i + 1]`, a slot of `other`; each pair comes once,
        in no particular order. If `other` is this index, the lower slot comes first, and boxes of the same owner are no
        pair. `awake_only` leaves out pairs in which neither box is awake.
        """
        self.pair_count = 0
        self.awake_only = awake_only
        self.pair_with(other)
        return self.pair_count

    @cython.final
    def offer_pair(self, slot: cython.Py_ssize_t, other: Index, other_slot: cython.Py_ssize_t) -> cython.void:
        """Add a pair if `find_pairs` is to return it. Offer each pair once, and no box with itself."""
        a: cython.Py_ssize_t = 8 * slot
        b: cython.Py_ssize_t = 8 * other_slot
        boxes: BoxPool = self.boxes
        others: BoxPool = other.boxes
        if (
            boxes.faces_view[a] <= others.faces_view[b + 3]
            and others.faces_view[b] <= boxes.faces_view[a + 3]
            and boxes.faces_view[a + 1] <= others.faces_view[b + 4]
            and others.faces_view[b + 1] <= boxes.faces_view[a + 4]
            and boxes.faces_view[a + 2] <= others.faces_view[b + 5]
            and others.faces_view[b + 2] <= boxes.faces_view[a + 5]
            and not (self is other and boxes.owner_view[slot] == others.owner_view[other_slot])
            and not (self.awake_only and not boxes.awake_view[slot] and not others.awake_view[other_slot])
        ):
            if self.pair_count == self.pair_capacity:
                self.reserve_pairs()
            if self is other and other_slot < slot:
                slot, other_slot = other_slot, slot
            self.pairs_view[2 * self.pair_count] = cython.cast(cython.int, slot)
            self.pairs_view[2 * self.pair_count + 1] = cython.cast(cython.int, other_slot)
            self.pair_count += 1

    def reserve_pairs(self) -> cython.void:
        """Make room for more pairs."""
        capacity: cython.Py_ssize_t = max(64, 2 * self.pair_capacity)
        self.pairs = longer(self.pairs, 2 * capacity)
        self.pairs_view = self.pairs
        self.pair_capacity = capacity

    # What a structure implements. By default it stores nothing.

    def reset(self) -> cython.void:
        """Forget all boxes. Works after an interrupted change: it trusts nothing that the structure has stored."""

    def reserve(self) -> cython.void:
        """Make room for what the structure stores of each slot, up to `boxes.capacity`."""

    def enter(self, slot: cython.int) -> cython.void:
        """Add the box of a slot, which is in `boxes`, to the structure."""

    def leave(self, slot: cython.int) -> cython.void:
        """Remove the box of a slot, which is still in `boxes`, from the structure."""

    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box, first in `boxes`, which raises IndexError if it would leave the index, then in the structure."""
        self.boxes.shift(slot, dx, dy, dz)

    def set_awake_of(self, slot: cython.int, awake: cython.bint) -> cython.void:
        """Update what the structure knows of the awake flag of a box, which has just changed in `boxes`."""

    def search(self) -> cython.void:
        """Offer every box that may meet the region (lox to hiz), each once.

        The region may reach beyond the index, and after an inset it may end before it begins: then the boxes that
        contain it, which also meet what lies between its faces, are its hits.
        """
        raise NotImplementedError

    def pair_with(self, other: Index) -> cython.void:
        """Offer every pair that may meet of this index and another or this one, each once.

        By default a query in the larger one for each box of the smaller one.
        """
        few: Index = self
        many: Index = other
        if other.boxes.box_count < self.boxes.box_count:
            few, many = other, self
        for slot in range(few.boxes.slot_count):
            if few.boxes.owner_view[slot] >= 0:
                many.collect_box(few.boxes, slot)
                for at in range(many.hit_count):
                    hit = many.hits_view[at]
                    if few is not self:
                        self.offer_pair(hit, other, slot)
                    elif many is not self or hit > slot:
                        self.offer_pair(slot, other, hit)

    # Its size, pictures and invariants.

    def inspection(self) -> Inspection:
        """Return what measures, draws and checks this structure; it is loaded when it is first needed."""
        from ecs_collision.broadphase.inspection import inspection_of

        return inspection_of(self)

    def measure(self) -> Size:
        """Return the size of the structure."""
        return self.inspection().measure()

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return the part of space of each node in use, with its level (0 is the smallest or deepest), for pictures."""
        return self.inspection().outlines()

    def check(self) -> None:
        """Verify the invariants. Raises IndexError for the first one that does not hold."""
        self.boxes.check()
        if self.hit_capacity > len(self.hits) or 2 * self.pair_capacity > len(self.pairs):
            raise IndexError(f"there is no room for {self.hit_capacity} hits or {self.pair_capacity} pairs")
        self.check_structure()

    def check_structure(self) -> None:
        """Verify the structure against the boxes. Raises IndexError for the first failure."""
        self.inspection().check()
