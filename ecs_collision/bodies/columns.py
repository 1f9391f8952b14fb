# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The numbers of all bodies: a row per body, a column per quantity.

The body table assigns and frees rows. This class only holds and grows the arrays, so a kernel takes one object
instead of a long argument list.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.box_pool import BoxPool
    from cython.cimports.ecs_collision.shapes.placed import PlacedPart, Shape
else:
    from ecs_collision.broadphase.box_pool import BoxPool
    from ecs_collision.shapes.placed import PlacedPart, Shape

from ecs_collision._arrays import longer
from ecs_collision.components.velocity_fields import VelocityFields
from ecs_collision.fixed_point import HALF_SLAB

SOLID = 1
"""Blocks and may be pushed (not a trigger)."""
TRIGGER = 2
"""Reports instead of blocking."""
STATIC = 4
"""Is in the static index and never moves by itself."""
ENABLED = 8
"""Is in the index. A body without this flag is disabled."""
ASLEEP = 16
"""Is asleep."""
SLEEPABLE = 32
"""Has a Sleeping component."""
PUSHABLE = 64
"""Has an Inertia component."""
TOUCHING = 128
"""A reporter that also reports touching bodies."""
SWEPT = 256
"""A trigger that reports bodies that crossed it within a frame."""
LINGERS = 512
"""A reporter whose contacts linger for some frames."""
STATICS = 1024
"""A reporter that also reports static bodies."""
SHAPED = 2048
"""Has parts other than boxes: its boxes in the index are only their bounds (H4)."""
ASKS = 4096
"""A solid body that reports its contacts (C1)."""
REPORTER = TRIGGER | ASKS
"""Reports other bodies: a trigger, or a solid body that asks."""

IN_PLANE, THIN, OUT_OF_PLANE = 0, 1, 2
"""How a body lies to the plane of 2D (L5): flat; flat, but a point, a segment or as thin; not flat.

No two bodies of the first kind are apart along z, so an index of these alone may leave z out (B1).
"""

MEETS = 1
"""Bit of the relation of two filter classes: their solid bodies block each other."""
REPORTS = 2
"""Bit of the relation of two filter classes: a reporter of the first reports bodies of the second."""

# C copies: compiled code would look the names above up as Python objects.
_SOLID = cython.declare(cython.int, SOLID)
_SHAPED = cython.declare(cython.int, SHAPED)
_HALF_SLAB = cython.declare(cython.longlong, HALF_SLAB)
_IN_PLANE = cython.declare(cython.int, IN_PLANE)
_THIN = cython.declare(cython.int, THIN)
_OUT_OF_PLANE = cython.declare(cython.int, OUT_OF_PLANE)
_MEETS = cython.declare(cython.int, MEETS)
_REPORTS = cython.declare(cython.int, REPORTS)


@cython.ccall
@cython.exceptval(check=False)
def plane_of(
    is_shaped: cython.bint,
    lox: cython.longlong,
    loy: cython.longlong,
    loz: cython.longlong,
    hix: cython.longlong,
    hiy: cython.longlong,
    hiz: cython.longlong,
) -> cython.int:
    """Return how a box, or the bounds of a part of a shaped body, lies to the plane of 2D (L5)."""
    if loz != -hiz:
        return _OUT_OF_PLANE
    if hiz == _HALF_SLAB or (is_shaped and hiz > 0):
        return _IN_PLANE
    return _THIN if is_shaped or (lox == hix) + (loy == hiy) + (hiz == 0) >= 2 else _OUT_OF_PLANE


@cython.cclass
class Columns:
    """Columns by row: ids, flags, first and count of its boxes, position, inertia, filter class.

    The first `outer` boxes of a row contain all others, so overlap queries use only these (`bodies/nested`). `pos` and
    `inertia` hold three items per row. `planes` is the largest `plane_of` of the boxes, `uneven_count` the number
    of rows where it is not IN_PLANE. `relation` is a square matrix
    of `width` over filter classes (layer, masks, whether static); each item combines MEETS and REPORTS. Each column is
    an array, for Python code, and a `_view` of the same memory, for kernels. `static_reporter_count` is the number of
    reporters that are static themselves. `shapes` are the parts of the rows with SHAPED, `shaped_count` their number.
    `velocities` are the Velocity components of the rows that have one. No box has been higher than `z_reach`: regions
    farther from the plane that all bodies are in are empty.
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
        self.planes = array("b")
        self.uneven_count = self.static_reporter_count = self.shaped_count = 0
        self.shapes: list[Shape | None] = []
        self.velocities: list[VelocityFields | None] = []
        self.z_reach = HALF_SLAB
        self.relation = array("B")
        self.capacity = 0
        self.width = 0
        self.grow(64)
        self.widen(4)

    @cython.ccall
    def grow(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Grow to `capacity` rows and keep the contents."""
        ids, flags = longer(self.ids, capacity), longer(self.flags, capacity)
        first, count = longer(self.first, capacity), longer(self.count, capacity)
        outer = longer(self.outer, capacity)
        pos, inertia = longer(self.pos, 3 * capacity), longer(self.inertia, 3 * capacity)
        classes, planes = longer(self.classes, capacity), longer(self.planes, capacity)
        self.ids, self.flags, self.first, self.count, self.outer = ids, flags, first, count, outer
        self.pos, self.inertia, self.classes, self.planes = pos, inertia, classes, planes
        self.ids_view = self.ids
        self.flags_view = self.flags
        self.first_view = self.first
        self.count_view = self.count
        self.outer_view = self.outer
        self.pos_view = self.pos
        self.inertia_view = self.inertia
        self.classes_view = self.classes
        self.planes_view = self.planes
        self.shapes += [None] * (capacity - len(self.shapes))
        self.velocities += [None] * (capacity - len(self.velocities))
        self.capacity = capacity

    @cython.cfunc
    @cython.exceptval(check=False)
    def update_plane(self, row: cython.Py_ssize_t, boxes: BoxPool) -> cython.void:
        """Update how a body lies to the plane of 2D, by its boxes in the index."""
        slot: cython.Py_ssize_t
        faces: cython.longlong[::1] = boxes.faces_view
        is_shaped: cython.bint = (self.flags_view[row] & _SHAPED) != 0
        plane: cython.int = _IN_PLANE
        for slot in range(self.first_view[row], self.first_view[row] + self.count_view[row]):
            plane = max(
                plane,
                plane_of(
                    is_shaped,
                    faces[6 * slot],
                    faces[6 * slot + 1],
                    faces[6 * slot + 2],
                    faces[6 * slot + 3],
                    faces[6 * slot + 4],
                    faces[6 * slot + 5],
                ),
            )
        self.set_plane(row, plane)

    @cython.ccall
    def set_plane(self, row: cython.Py_ssize_t, plane: cython.int) -> cython.void:
        """Set how a body lies to the plane of 2D (L5), and update `uneven_count`."""
        self.uneven_count += (plane != _IN_PLANE) - (self.planes_view[row] != _IN_PLANE)
        self.planes_view[row] = plane

    @cython.ccall
    @cython.exceptval(check=False)
    def are_flat(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether two bodies are a flat pair (L5): their contacts have no z."""
        return self.planes_view[a] != _OUT_OF_PLANE and self.planes_view[b] != _OUT_OF_PLANE

    @cython.cfunc
    @cython.exceptval(check=False)
    def place_part(
        self,
        part: PlacedPart,
        boxes: BoxPool,
        slot: cython.Py_ssize_t,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
    ) -> cython.void:
        """Set a part to that of a box in the index, displaced by x, y, z."""
        row: cython.Py_ssize_t = boxes.owner_view[slot]
        if self.flags_view[row] & _SHAPED:
            part.set_part(
                cython.cast(Shape, self.shapes[row]),
                slot - self.first_view[row],
                self.pos_view[3 * row] + x,
                self.pos_view[3 * row + 1] + y,
                self.pos_view[3 * row + 2] + z,
            )
        else:
            part.set_box(
                boxes.faces_view[6 * slot] + x,
                boxes.faces_view[6 * slot + 1] + y,
                boxes.faces_view[6 * slot + 2] + z,
                boxes.faces_view[6 * slot + 3] + x,
                boxes.faces_view[6 * slot + 4] + y,
                boxes.faces_view[6 * slot + 5] + z,
            )

    @cython.ccall
    def widen(self, width: cython.Py_ssize_t) -> cython.void:
        """Grow the relation of filter classes to `width` and keep the contents."""
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
        """Return whether rows a and b are solid bodies that block each other, by their layers and masks."""
        return (self.flags_view[a] & self.flags_view[b] & _SOLID) != 0 and (
            self.relation_view[self.classes_view[a] * self.width + self.classes_view[b]] & _MEETS
        ) != 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def reports(self, reporter: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Return whether row `reporter` reports row `other` if they meet, by their filter classes (T6, C2)."""
        return (self.relation_view[self.classes_view[reporter] * self.width + self.classes_view[other]] & _REPORTS) != 0
