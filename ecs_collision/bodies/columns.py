# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The numbers of all bodies: a row per body, a column per quantity.

Rows are handed out and freed by the body table; this store only keeps and grows the arrays, so that
every kernel takes one object and no long argument list.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer
from ecs_collision.sealing import seal

SOLID = 1
"""Blocks and may be pushed (not a trigger)."""
TRIGGER = 2
"""Reports instead of blocking."""
STATIC = 4
"""Lives in the static index and never moves of itself."""
ENABLED = 8
"""Takes part at all."""
ASLEEP = 16
"""Rests."""
SLEEPABLE = 32
"""Has a Sleeping component."""
PUSHABLE = 64
"""Has an Inertia component."""
TOUCHING = 128
"""A trigger for which touching counts."""
SWEPT = 256
"""A trigger that reports what crossed it within a frame."""
LINGERS = 512
"""A trigger that keeps a contact for some frames."""

MEETS = 1
"""In the relation of two filter classes: solid bodies of them block each other."""
REPORTS = 2
"""In the relation of two filter classes: a trigger of the first reports a body of the second."""

# The same as C constants: a compiled loop would look the names above up, and count with Python ints.
_SOLID = cython.declare(cython.int, SOLID)
_MEETS = cython.declare(cython.int, MEETS)
_REPORTS = cython.declare(cython.int, REPORTS)


@cython.cclass
class Columns:
    """Columns by row: ids, flags, first and count of its boxes, position, inertia, filter class.

    The first `outer` boxes of a row hold all the others: who asks for overlap needs no more of them (`bodies/nested`).
    `pos` and `inertia` hold three items a row, `leaves_plane` is set where a body leaves the z range of 2D.
    `relation` is a square matrix of `width` over filter classes (layer, mask, trigger mask), each item an or of MEETS
    and REPORTS. Each column is an array, for Python code, and a `_view` of the same memory, for kernels.
    """

    def __init__(self) -> None:
        self.ids = array("q")
        self.flags = array("i")
        self.first = array("i")
        self.count = array("i")
        self.outer = array("i")
        self.pos = array("q")
        self.inertia = array("d")
        self.classes = array("i")
        self.leaves_plane = array("b")
        self.leaves_plane_count = 0
        self.relation = array("B")
        self.capacity = 0
        self.width = 0
        self.grow(64)
        self.widen(4)

    @cython.ccall
    def grow(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for `capacity` rows; what was there stays."""
        ids, flags = longer(self.ids, capacity), longer(self.flags, capacity)
        first, count = longer(self.first, capacity), longer(self.count, capacity)
        outer = longer(self.outer, capacity)
        pos, inertia = longer(self.pos, 3 * capacity), longer(self.inertia, 3 * capacity)
        classes, leaves_plane = longer(self.classes, capacity), longer(self.leaves_plane, capacity)
        self.ids, self.flags, self.first, self.count, self.outer = ids, flags, first, count, outer
        self.pos, self.inertia, self.classes, self.leaves_plane = pos, inertia, classes, leaves_plane
        self.ids_view = self.ids
        self.flags_view = self.flags
        self.first_view = self.first
        self.count_view = self.count
        self.outer_view = self.outer
        self.pos_view = self.pos
        self.inertia_view = self.inertia
        self.classes_view = self.classes
        self.leaves_plane_view = self.leaves_plane
        self.capacity = capacity

    @cython.ccall
    def set_leaves_plane(self, row: cython.Py_ssize_t, leaves_plane: cython.bint) -> cython.void:
        """Note whether a body leaves the z range of 2D (L5); `leaves_plane_count` counts those that do."""
        self.leaves_plane_count += leaves_plane - self.leaves_plane_view[row]
        self.leaves_plane_view[row] = leaves_plane

    @cython.ccall
    def widen(self, width: cython.Py_ssize_t) -> cython.void:
        """Make the relation of filter classes `width` wide; what was there stays."""
        wider = array("B", bytes(width * width))
        old: cython.Py_ssize_t
        for old in range(self.width):
            wider[old * width : old * width + self.width] = self.relation[old * self.width : (old + 1) * self.width]
        self.relation = wider
        self.relation_view = self.relation
        self.width = width

    @cython.cfunc
    @cython.exceptval(check=False)
    def may_meet(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Whether rows a and b are two solid bodies whose layers and masks let them block each other."""
        return (self.flags_view[a] & self.flags_view[b] & _SOLID) != 0 and (
            self.relation_view[self.classes_view[a] * self.width + self.classes_view[b]] & _MEETS
        ) != 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def reports(self, trigger: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Whether row `trigger` is a trigger (its filter class says so) that reports row `other` when they overlap."""
        return (self.relation_view[self.classes_view[trigger] * self.width + self.classes_view[other]] & _REPORTS) != 0


seal(Columns)
