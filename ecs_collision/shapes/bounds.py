# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""Parts in their place within a body, and the boxes around them (rules H2 to H4).

A body that turns gets a new form in every frame, so forms are made here from the numbers of a collider, without a
Python object for each part.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import floor
else:
    from math import floor

from ecs_collision.shapes.part import Faces, Matrix, Part
from ecs_collision.shapes.rotation import Rotation, Turn, turn_of
from ecs_collision.shapes.vectors import Vector

Halves = tuple[int, int, int]

_NO_TURN = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
_LONGS, _DOUBLES = array("q", [0]), array("d", [0.0])

_BLOCK = cython.declare(cython.Py_ssize_t, 16)
"""Parts of a block: few, as one body that rests keeps all of it."""

# What a part of `Solids` is: a box that never turns, a part that turns, and one that has a rotation of its own.
_BOX = cython.declare(cython.longlong, 0)
_TURNING = cython.declare(cython.longlong, 1)
_LEANING = cython.declare(cython.longlong, 2)


class TurningPart(NamedTuple):
    """A part before its body is turned, in lattice units: a core with these half extents around its centre.

    matrix: the rotation of the part itself, about its centre.
    """

    halves: Halves
    radius: int
    centre: tuple[int, int, int]
    matrix: Matrix | None = None

    def turned(self, matrix: Matrix | None) -> Part:
        """Return the part of a body that is turned by a matrix."""
        return part_of(self.halves, self.radius, self.centre, matrix, self.matrix)


@cython.final
@cython.cclass
class Block:
    """Arrays for several parts: shapes of bodies that turn are made in every step, and one after another.

    Compiled shapes have parts of these arrays, which last as long as one of them.
    """

    def __init__(self) -> None:
        self.size = self.free = 0
        self.longs, self.doubles = _LONGS * 0, _DOUBLES * 0

    def take(self, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the first of so many new parts."""
        if count > self.free:
            self.longs, self.doubles = _LONGS * (14 * max(count, _BLOCK)), _DOUBLES * (9 * max(count, _BLOCK))
            self.size = self.free = max(count, _BLOCK)
        self.free -= count
        return self.size - self.free - count


_block = cython.declare(Block, Block())


@cython.final
@cython.cclass
class Shape:
    """The parts of a body and their bounds, for kernels, in the order of its boxes in the index. Immutable.

    A part that is parallel to the axes is not turned, nor is a sphere; its matrix has no meaning.
    """

    def __init__(self, parts: Iterable[Part]) -> None:
        self.fill(tuple(parts))

    def reserve(self, count: cython.Py_ssize_t) -> cython.void:
        """Make room for parts, which are then set one after another."""
        self.count = count
        self._parts: tuple[Part, ...] | None = None
        at: cython.Py_ssize_t = _block.take(count)
        self.numbers = _block.longs[14 * at : 14 * at + 8 * count]
        self.bounds = _block.longs[14 * at + 8 * count : 14 * (at + count)]
        self.matrices = _block.doubles[9 * at : 9 * (at + count)]

    def fill(self, parts: tuple[Part, ...]) -> None:
        """Set all parts."""
        self.reserve(len(parts))
        for number, (core, radius, matrix) in enumerate(parts):
            lox, loy, loz, hix, hiy, hiz = core
            if matrix is None:
                self.set_upright(number, lox, loy, loz, hix, hiy, hiz, radius)
            else:
                hx, hy, hz = (hix - lox) // 2, (hiy - loy) // 2, (hiz - loz) // 2
                self.set_turned(number, lox + hx, loy + hy, loz + hz, hx, hy, hz, radius, turn_of(matrix))
        self._parts = parts

    @property
    def boxes(self) -> tuple[Faces, ...]:
        """The bounds of the parts."""
        return tuple([tuple(self.bounds[6 * at : 6 * at + 6]) for at in range(self.count)])  # type: ignore[misc]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts."""
        if self._parts is None:
            self._parts = tuple([self._part(number) for number in range(self.count)])
        return self._parts

    def _part(self, number: int) -> Part:
        numbers: Any = self.numbers[8 * number : 8 * number + 8]
        *core, radius, is_turned = numbers
        matrix = tuple(self.matrices[9 * number : 9 * number + 9]) if is_turned else None
        return Part(tuple(core), radius, matrix)  # type: ignore[arg-type]

    def equals(self, other: Shape) -> cython.bint:
        """Return whether another shape has the same parts."""
        if self.count != other.count:
            return False
        for at in range(9 * self.count):
            if self.matrices[at] != other.matrices[at] or (
                at < 8 * self.count and self.numbers[at] != other.numbers[at]
            ):
                return False
        return True

    def set_upright(
        self,
        number: cython.Py_ssize_t,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
        radius: cython.longlong,
    ) -> cython.void:
        """Set a part that is not turned, by the faces of its core."""
        at: cython.Py_ssize_t = 8 * number
        self.numbers[at], self.numbers[at + 1], self.numbers[at + 2] = lox, loy, loz
        self.numbers[at + 3], self.numbers[at + 4], self.numbers[at + 5] = hix, hiy, hiz
        self.numbers[at + 6] = radius
        at = 6 * number
        self.bounds[at], self.bounds[at + 1], self.bounds[at + 2] = lox - radius, loy - radius, loz - radius
        self.bounds[at + 3], self.bounds[at + 4], self.bounds[at + 5] = hix + radius, hiy + radius, hiz + radius

    def set_turned(
        self,
        number: cython.Py_ssize_t,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        hx: cython.longlong,
        hy: cython.longlong,
        hz: cython.longlong,
        radius: cython.longlong,
        turn: Turn,
    ) -> cython.void:
        """Set a part that is turned, by the centre and the half extents of its core; its bounds are rounded outward."""
        m: cython.double[::1] = self.matrices
        at: cython.Py_ssize_t = 8 * number
        self.numbers[at], self.numbers[at + 1], self.numbers[at + 2] = x - hx, y - hy, z - hz
        self.numbers[at + 3], self.numbers[at + 4], self.numbers[at + 5] = x + hx, y + hy, z + hz
        self.numbers[at + 6], self.numbers[at + 7] = radius, 1
        at = 9 * number
        m[at], m[at + 1], m[at + 2] = turn.m0, turn.m1, turn.m2
        m[at + 3], m[at + 4], m[at + 5] = turn.m3, turn.m4, turn.m5
        m[at + 6], m[at + 7], m[at + 8] = turn.m6, turn.m7, turn.m8
        at = 6 * number
        x_reach: cython.longlong = turn.outer_half(0, hx, hy, hz) + radius
        y_reach: cython.longlong = turn.outer_half(1, hx, hy, hz) + radius
        z_reach: cython.longlong = turn.outer_half(2, hx, hy, hz) + radius
        self.bounds[at], self.bounds[at + 1], self.bounds[at + 2] = x - x_reach, y - y_reach, z - z_reach
        self.bounds[at + 3], self.bounds[at + 4], self.bounds[at + 5] = x + x_reach, y + y_reach, z + z_reach

    def is_plain(self) -> cython.bint:
        """Return whether all parts are boxes that are not turned."""
        for number in range(self.count):
            if self.numbers[8 * number + 6] != 0 or self.numbers[8 * number + 7] != 0:
                return False
        return True

    def drop_equal(self) -> None:
        """Drop parts that equal others: they overlap, touch and block alike, so one of them is enough."""
        found: dict[Any, int] = {}
        for number in range(self.count):
            numbers, matrix = self.numbers[8 * number : 8 * number + 8], self.matrices[9 * number : 9 * number + 9]
            found.setdefault((bytes(numbers), bytes(matrix)), number)
        if len(found) < self.count:
            self.fill(tuple([self._part(number) for number in found.values()]))


@cython.final
@cython.no_gc
@cython.cclass
class Form:
    """What the collider and the rotation of a body make of it: its parts and their bounds, relative to its position.

    They have the same order, each part once. `shape` holds the parts, None if all of them are plain boxes, which equal
    their bounds. `lox` to `hiz` are the faces of a form that is one plain box (`is_box`), which keeps no tuple of them:
    each body may have a form of its own. Immutable.
    """

    def __init__(self, boxes: tuple[Faces, ...], parts: tuple[Part, ...] | None = None) -> None:
        self._boxes: tuple[Faces, ...] | None = boxes
        self.shape = Shape(parts) if parts else None
        if len(boxes) == 1 and not parts:
            self.lox, self.loy, self.loz, self.hix, self.hiy, self.hiz = boxes[0]
            self._boxes = None

    def is_box(self) -> cython.bint:
        """Return whether this is the form of one plain box."""
        return self._boxes is None and self.shape is None

    @property
    def boxes(self) -> tuple[Faces, ...]:
        """The bounds of the parts."""
        if self.is_box():
            return ((self.lox, self.loy, self.loz, self.hix, self.hiy, self.hiz),)
        if self._boxes is None:
            self._boxes = self.shape.boxes  # type: ignore[union-attr]
        return self._boxes

    @property
    def parts(self) -> tuple[Part, ...] | None:
        """The parts; None if all of them are plain boxes."""
        return None if self.shape is None else self.shape.parts

    @property
    def all_parts(self) -> tuple[Part, ...]:
        """The parts, also if all of them are plain boxes."""
        return self.parts or tuple(map(Part, self.boxes))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.boxes == other.boxes and self.parts == other.parts

    def __hash__(self) -> int:
        return hash((self.boxes, self.parts))

    def __repr__(self) -> str:
        return f"Form({self.boxes}, {self.parts})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Form, (self.boxes, self.parts))


NO_FORM = Form(())
"""The form of a row of the table that is not in use."""


@cython.final
@cython.cclass
class Solids:
    """The parts of a collider before its body is turned: boxes, which never turn, and others, which do. Immutable.

    `turns` if all parts turn. `looks_same` if all are spheres about the position of the body: no rotation changes them.
    """

    def __init__(self, solids: tuple[Faces | TurningPart, ...]) -> None:
        numbers, matrices = array("q"), array("d")
        self.count = len(solids)
        self.turns = self.looks_same = True
        self.unturned: Form | None = None
        for solid in solids:
            if isinstance(solid, TurningPart):
                kind = _TURNING if solid.matrix is None else _LEANING
                numbers.extend((*solid.halves, *map(int, solid.centre), solid.radius, kind))
                matrices.extend(solid.matrix or _NO_TURN)
                self.looks_same = self.looks_same and not any((*solid.halves, *solid.centre))
            else:
                numbers.extend((*solid, 0, _BOX))
                matrices.extend(_NO_TURN)
                self.turns = self.looks_same = False
        self.numbers, self.matrices = numbers, matrices

    def form_of(self, rotation: Rotation) -> Form:
        """Return the form of a body with a rotation."""
        body: Turn = Turn()
        if rotation is not None and not self.looks_same:
            body.set_rotation(rotation)
            return self.form_turned(body)
        if self.unturned is None:
            self.unturned = self.form_turned(body)
        return self.unturned

    def form_turned(self, body: Turn) -> Form:
        """Return the form of a body that is turned."""
        shape: Shape = Shape.__new__(Shape)
        turn: Turn = body
        n: cython.longlong[::1] = self.numbers
        shape.reserve(self.count)
        for number in range(self.count):
            at: cython.Py_ssize_t = 8 * number
            if n[at + 7] == _BOX:
                shape.set_upright(number, n[at], n[at + 1], n[at + 2], n[at + 3], n[at + 4], n[at + 5], 0)
                continue
            hx, hy, hz = n[at], n[at + 1], n[at + 2]
            x, y, z = n[at + 3], n[at + 4], n[at + 5]
            if not body.is_none and (x != 0 or y != 0 or z != 0):
                ax, ay, az = cython.cast(cython.double, x), cython.cast(cython.double, y), cython.cast(cython.double, z)
                x = cython.cast(cython.longlong, floor(body.m0 * ax + body.m1 * ay + body.m2 * az + 0.5))
                y = cython.cast(cython.longlong, floor(body.m3 * ax + body.m4 * ay + body.m5 * az + 0.5))
                z = cython.cast(cython.longlong, floor(body.m6 * ax + body.m7 * ay + body.m8 * az + 0.5))
            turn = body
            if n[at + 7] == _LEANING:
                turn = Turn()
                turn.combine(body, self.matrices, 9 * number)
            if turn.is_none or (hx == 0 and hy == 0 and hz == 0) or turn.is_axis_parallel():
                if not turn.is_none and (hx != 0 or hy != 0 or hz != 0):
                    ax, ay, az = (
                        cython.cast(cython.double, hx),
                        cython.cast(cython.double, hy),
                        cython.cast(cython.double, hz),
                    )
                    hx, hy, hz = (
                        turn.outer_half(0, ax, ay, az),
                        turn.outer_half(1, ax, ay, az),
                        turn.outer_half(2, ax, ay, az),
                    )
                shape.set_upright(number, x - hx, y - hy, z - hz, x + hx, y + hy, z + hz, n[at + 6])
            else:
                shape.set_turned(number, x, y, z, hx, hy, hz, n[at + 6], turn)
        if self.count > 1:
            shape.drop_equal()
        if shape.is_plain():
            return Form(shape.boxes)
        form: Form = Form.__new__(Form)
        form._boxes, form.shape = None, shape
        return form


solids_of = lru_cache(maxsize=1024)(Solids)
"""Returns the same solids, and so the same form without rotation, for colliders that look alike."""


@cython.no_gc
@cython.cclass
class Formed:
    """The form of a collider with the rotation that was asked for last.

    source: the parts before they are turned. It and `solids` are None for a collider of boxes: no rotation turns it.
    """

    def __init__(self, solids: tuple[Faces | TurningPart, ...] | None, boxes: tuple[Faces, ...] = ()) -> None:
        self.source = solids
        self.solids = None if solids is None else solids_of(solids)
        self.rotation: Rotation = None
        self.form = Form(boxes) if self.solids is None else self.solids.form_of(None)

    def form_of(self, rotation: Rotation) -> Form:
        """Return the form of a body with a rotation: the same object as before for the same rotation."""
        if self.solids is not None and self.rotation is not rotation and self.rotation != rotation:
            self.form = self.solids.form_of(rotation)
            self.rotation = rotation
        return self.form

    def __reduce__(self) -> tuple[Any, ...]:
        return (Formed, (self.source, () if self.source else self.form.boxes))


@cython.final
@cython.no_gc
@cython.cclass
class FormedBox(Formed):
    """The form of one box, with the half extents and the offset that it was given in world units. Immutable."""

    def __init__(self, halves: Vector, offset: Vector, faces: Faces) -> None:
        Formed.__init__(self, None, (faces,))
        self.hx, self.hy, self.hz = halves
        self.offset = offset

    def __reduce__(self) -> tuple[Any, ...]:
        return (FormedBox, ((self.hx, self.hy, self.hz), self.offset, *self.form.boxes))


@lru_cache(maxsize=1024)
def formed_of(boxes: tuple[Faces, ...]) -> Formed:
    """Return the form of a collider of boxes: mostly the same for colliders that look alike, as it never changes."""
    return Formed(None, boxes)


def part_of(
    halves: Halves,
    radius: int,
    centre: tuple[float, float, float],
    body_matrix: Matrix | None = None,
    own_matrix: Matrix | None = None,
) -> Part:
    """Return the part with a core of these half extents, all in lattice units.

    centre: relative to the body, before the body is turned. own_matrix: the rotation of the part about its centre,
    which comes before that of the body. A part that is parallel to the axes has no matrix, nor has a sphere.
    """
    x, y, z = centre
    solids = Solids((TurningPart(halves, radius, (int(x), int(y), int(z)), own_matrix),))
    (part,) = solids.form_turned(turn_of(body_matrix)).all_parts
    return part


def bounds_of(part: Part) -> Faces:
    """Return the smallest lattice box around a part, relative to the body. A turned one is rounded outward."""
    (box,) = Shape((part,)).boxes
    return box
