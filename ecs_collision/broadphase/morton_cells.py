# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The Morton cells that the boxes of an index cover, in order, for those who ask (rules B1 to B5).

No structure keeps them, and a change of a box costs nothing here. Each time they are asked for, the cells of every box
are compared with those it had before, and the list is changed in one batch. A log of changes would cost every frame of
every world, also of those that never ask.
"""

from __future__ import annotations

from array import array

from sortedcontainers import SortedList

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.morton import bin_of
    from cython.cimports.ecs_collision.broadphase.morton_codes import spread3
else:
    from ecs_collision.broadphase.morton import bin_of
    from ecs_collision.broadphase.morton_codes import spread3

from ecs_collision._arrays import longer
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.morton import ORIGIN, directory_key
from ecs_collision.fixed_point import HALF_SLAB

Z_BIAS = HALF_SLAB
"""Half a world unit in lattice units. With it the z range of flat bodies, -0.5 to 0.5, lies inside one cell (B2)."""

_Z_BIAS = cython.declare(cython.longlong, Z_BIAS)
_ORIGIN = cython.declare(cython.longlong, ORIGIN)


@cython.final
@cython.cclass
class MortonCells:
    """The cells of the boxes of a pool."""

    def __init__(self, boxes: BoxPool) -> None:
        self.boxes = boxes
        self.keys = SortedList()
        self.span = array("q", bytes(8 * 7))
        self.span_view = self.span
        self.forget()

    def forget(self) -> cython.void:
        """Forget all cells."""
        self.keys.clear()
        self.counts: dict[int, int] = {}
        self.spans = array("q", bytes(8 * 7))
        self.spans_view = self.spans
        self.version = -1

    def directory(self) -> SortedList:
        """Return the keys of all cells, brought up to date; O(boxes), plus O(log cells) for each cell that changed."""
        if self.version != self.boxes.changes:
            try:
                self.update()
            except BaseException:  # such as an interrupt: the next call begins again
                self.forget()
                raise
        return self.keys

    def awake(self) -> set[int]:
        """Return the keys of the cells with an awake box (S3); O(boxes)."""
        slot: cython.Py_ssize_t
        found: set[int] = set()
        self.directory()
        for slot in range(self.boxes.slot_count):
            if self.boxes.owner_view[slot] >= 0 and self.boxes.awake_view[slot]:
                found.update(self.keys_of(self.spans_view, 7 * slot))
        return found

    def update(self) -> cython.void:
        """Compare the cells of all boxes with those when last asked for, and apply what changed in one batch."""
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t
        change: dict[int, int] = {}
        counts: dict[int, int] = self.counts
        if len(self.spans) < 7 * self.boxes.capacity:
            self.spans = longer(self.spans, 7 * self.boxes.capacity)
            self.spans_view = self.spans
        for slot in range(self.boxes.capacity):
            self.measure(slot)
            if self.is_as_before(slot):
                continue
            for key in self.keys_of(self.spans_view, 7 * slot):
                change[key] = change.get(key, 0) - 1
            for at in range(7):
                self.spans_view[7 * slot + at] = self.span_view[at]
            for key in self.keys_of(self.spans_view, 7 * slot):
                change[key] = change.get(key, 0) + 1
        born: list[int] = []
        gone: list[int] = []
        for key, by in change.items():
            before = counts.get(key, 0)
            if before + by > 0:
                counts[key] = before + by
                if before == 0:
                    born.append(key)
            elif before > 0:
                del counts[key]
                gone.append(key)
        if len(born) + len(gone) > len(counts):
            self.keys.clear()
            self.keys.update(counts)
        else:
            for key in gone:
                self.keys.remove(key)
            self.keys.update(born)
        self.version = self.boxes.changes

    def measure(self, slot: cython.Py_ssize_t) -> cython.void:
        """Write the cells of the box of a slot to `span`: its level and one, first and last on x, y, z; 0 for none."""
        axis: cython.int
        shift: cython.int = self.boxes.bin_shift
        level: cython.int = self.boxes.levels_view[slot]
        if self.boxes.owner_view[slot] < 0:
            for axis in range(7):
                self.span_view[axis] = 0
            return
        self.span_view[0] = level + 1
        for axis in range(6):
            bias: cython.longlong = _Z_BIAS if axis % 3 == 2 else 0
            self.span_view[1 + axis] = bin_of(self.boxes.faces_view[6 * slot + axis] + bias, shift) >> level
        if self.boxes.flat:
            self.span_view[3] = self.span_view[6] = _ORIGIN >> level

    def is_as_before(self, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether a slot has the cells in `span` already."""
        at: cython.Py_ssize_t
        for at in range(7):
            if self.spans_view[7 * slot + at] != self.span_view[at]:
                return False
        return True

    def keys_of(self, spans: cython.longlong[::1], at: cython.Py_ssize_t) -> list[int]:
        """Return the keys of the cells of a span."""
        found: list[int] = []
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        level: cython.int = cython.cast(cython.int, spans[at]) - 1
        if level < 0:
            return found
        for z in range(spans[at + 3], spans[at + 6] + 1):
            for y in range(spans[at + 2], spans[at + 5] + 1):
                for x in range(spans[at + 1], spans[at + 4] + 1):
                    local: cython.longlong = spread3(x) | (spread3(y) << 1) | (spread3(z) << 2)
                    found.append(directory_key(local << (3 * level), level))
        return found
