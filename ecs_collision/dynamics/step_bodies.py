# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The bodies of one step of impulses as arrays: dynamic ones, and the immovable ones that they may meet (rule I1)."""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.shapes.rotation import sine_cosine
    from cython.cimports.libc.math import floor, sqrt
else:
    from math import floor, sqrt

    from ecs_collision.shapes.rotation import sine_cosine

from ecs_collision._arrays import longer, zeros
from ecs_collision.fixed_point import LATTICE, PER_UNIT

PART = 16
"""Numbers of a part: its centre relative to the position of the body (3), the half extents of its core (3), its radius,
and three unit axes of the core (9)."""

_SMALLEST = cython.declare(cython.double, 512.0 * LATTICE)
"""No body counts as smaller than this."""
_LATTICE = cython.declare(cython.double, LATTICE)
_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_ARRAYS = {
    1: "entity first_part lead following stale sleeps one_way in_plane is_ball angle inverse_mass gravity_scale "
    "restitution friction rolling slow reach core size turned",
    2: "damping",
    3: "position remainder velocity angular inverse_moment centre lever moved",
    4: "rotation moment_axes",
}
_WIDTHS = {name: width for width, names in _ARRAYS.items() for name in names.split()}
"""Numbers of a body in each array."""


@cython.final
@cython.cclass
class StepBodies:
    """The bodies of a step, by index, in the order of their ids. Vectors have three numbers a body, for x, y and z.

    Given: `entity`, `position` (lattice units), `remainder` (lattice units, up to half of one), `rotation` (quaternion
    x, y, z, w; in a flat step `angle` instead, about z), `velocity`, `angular` (radians a second), `inverse_mass`,
    `inverse_moment` (three principal ones; a flat step uses the last), `moment_axes` (quaternion of the principal axes
    in the body), `centre` (the centre of mass in the body), `damping` (linear and angular), `gravity_scale`, the
    material, `sleeps` (whether it is immovable because it sleeps), `one_way` (as in `Columns`), `in_plane` (whether it
    lies in the plane of 2D, L5), `slow` (seconds for which it has been slow) and `parts` in the body, `PART` numbers
    each; those of body i are from `first_part[i]` to `first_part[i + 1]`.

    `lead` and `following` are the body itself, or in a fused group (I10) the first body of it and the next one, in a
    cycle; `has_groups` if there are any.

    A body whose `inverse_mass` is 0 is immovable: its velocities are those of its surface. One whose inverse moments
    are 0 never turns. After a change of a rotation set `stale` to 1.

    `place` computes of stale bodies `placed` (the parts with the rotation of the body), `lever` (the centre of mass
    likewise), `reach` (the largest distance of a point from the centre of mass), `core` (the smallest half thickness of
    a part) and `size` (its thickness, or an eighth of its length if it is thinner: all thresholds follow from it, so
    that bodies of any scale behave alike), and `is_ball` (whether it looks the same however it turns). A step changes
    velocities and `angle` or `rotation`, and sets `moved` (displacement of the position in world units) and `turned`
    (the angle in radians, or an upper bound of it). `commit` then moves.
    """

    def __init__(self) -> None:
        self.count = self.part_count = self.capacity = self.part_capacity = 0
        self.flat, self.has_groups = True, False
        self.entity = self.position = zeros("q", 1)
        self.first_part = self.lead = self.following = zeros("i", 1)
        self.stale = self.sleeps = self.one_way = self.in_plane = self.is_ball = zeros("b", 1)
        self.remainder = self.angle = self.rotation = self.velocity = self.angular = zeros("d", 1)
        self.inverse_mass = self.inverse_moment = self.moment_axes = self.centre = self.damping = zeros("d", 1)
        self.gravity_scale = self.restitution = self.friction = self.rolling = self.slow = zeros("d", 1)
        self.lever = self.reach = self.core = self.size = self.moved = self.turned = zeros("d", 1)
        self.parts, self.placed, self.matrix = zeros("d", 1), zeros("d", 1), zeros("d", 9)
        self.reserve(8)
        self.reserve_parts(64)

    def begin(self, flat: cython.bint) -> cython.void:
        """Remove all bodies. In a flat step nothing moves along z or turns about x or y (rule L5)."""
        self.count = self.part_count = 0
        self.flat, self.has_groups = flat, False

    def add(
        self,
        entity: cython.longlong,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        inverse_mass: cython.double,
    ) -> cython.Py_ssize_t:
        """Append a body without parts at a place in lattice units, and return its index. Its id is above those before.

        It is at rest, does not turn, and has no damping and no material; write what differs, and add its parts next.
        """
        at: cython.Py_ssize_t = self.count
        if at + 2 > self.capacity:
            self.reserve(2 * self.capacity)
        self.entity[at] = entity
        self.position[3 * at], self.position[3 * at + 1], self.position[3 * at + 2] = x, y, z
        for axis in range(3 * at, 3 * at + 3):
            self.remainder[axis] = self.velocity[axis] = self.angular[axis] = 0.0
            self.inverse_moment[axis] = self.centre[axis] = self.moved[axis] = 0.0
        for axis in range(4 * at, 4 * at + 4):
            self.rotation[axis] = self.moment_axes[axis] = 0.0
        self.rotation[4 * at + 3] = self.moment_axes[4 * at + 3] = self.gravity_scale[at] = 1.0
        self.inverse_mass[at], self.sleeps[at], self.one_way[at], self.in_plane[at] = inverse_mass, 0, 0, 0
        self.damping[2 * at] = self.damping[2 * at + 1] = self.angle[at] = self.turned[at] = 0.0
        self.restitution[at] = self.friction[at] = self.rolling[at] = self.slow[at] = 0.0
        self.stale[at] = 2
        self.lead[at] = self.following[at] = cython.cast(cython.int, at)
        self.first_part[at] = self.first_part[at + 1] = cython.cast(cython.int, self.part_count)
        self.count = at + 1
        return at

    def add_part(self, records: cython.double[::1], at: cython.Py_ssize_t) -> cython.void:
        """Append a part to the last body, copied from some records, in which it begins at a number."""
        to: cython.Py_ssize_t = 16 * self.part_count
        if self.part_count == self.part_capacity:
            self.reserve_parts(2 * self.part_capacity)
        for number in range(16):
            self.parts[to + number] = records[at + number]
        self.part_count += 1
        self.first_part[self.count] = cython.cast(cython.int, self.part_count)

    def is_dynamic(self, body: cython.Py_ssize_t) -> cython.bint:
        """Return whether a body moves by itself, in this step or when it wakes."""
        return self.inverse_mass[body] != 0.0 or self.sleeps[body] != 0

    def reserve(self, bodies: cython.Py_ssize_t) -> cython.void:
        """Make room for bodies."""
        arrays: Any = [(name, longer(getattr(self, name), width * bodies)) for name, width in _WIDTHS.items()]
        for name, new in arrays:
            setattr(self, name, new)
        self.capacity = bodies

    def reserve_parts(self, parts: cython.Py_ssize_t) -> cython.void:
        """Make room for parts, and for one more: a side of the bounds."""
        self.parts, self.placed = longer(self.parts, 16 * parts), longer(self.placed, 16 * parts + 16)
        self.part_capacity = parts

    def turns(self, body: cython.Py_ssize_t) -> cython.bint:
        """Return whether a body, or its surface, can have an angular velocity."""
        for axis in range(3 * body, 3 * body + 3):
            if self.inverse_moment[axis] != 0.0 or self.angular[axis] != 0.0:
                return True
        return False

    def place(self) -> cython.void:
        """Compute the parts and the centres of mass of stale bodies as they are turned now, and how large they are."""
        cython.declare(body=cython.Py_ssize_t, part=cython.Py_ssize_t, at=cython.Py_ssize_t)
        parts, placed, centre, lever = self.parts, self.placed, self.centre, self.lever
        self.add(-1, 0, 0, 0, 0.0)  # the bounds
        self.count -= 1
        self.reach[self.count] = 0.0
        for body in range(self.count):
            if not self.stale[body]:
                continue
            at = 3 * body
            if self.is_upright(body):
                lever[at], lever[at + 1], lever[at + 2] = centre[at], centre[at + 1], centre[at + 2]
                for at in range(16 * self.first_part[body], 16 * self.first_part[body + 1]):
                    placed[at] = parts[at]
            else:
                self.set_matrix(body)
                self.turn_vector(centre, lever, at)
                for part in range(self.first_part[body], self.first_part[body + 1]):
                    self.turn_part(16 * part)
            if self.stale[body] > 1:
                self.measure(body)
            self.stale[body] = 0
        if self.has_groups:
            self.match_members()

    def turning_speed(self, body: cython.Py_ssize_t) -> cython.double:
        """Return an upper bound of how fast a body turns."""
        w: cython.Py_ssize_t = 3 * body
        return abs(self.angular[w]) + abs(self.angular[w + 1]) + abs(self.angular[w + 2])

    def is_upright(self, body: cython.Py_ssize_t) -> cython.bint:
        """Return whether a body is not turned."""
        if self.flat:
            return self.angle[body] == 0.0
        at: cython.Py_ssize_t = 4 * body
        return self.rotation[at] == 0.0 and self.rotation[at + 1] == 0.0 and self.rotation[at + 2] == 0.0

    def turn_vector(self, given: cython.double[::1], out: cython.double[::1], at: cython.Py_ssize_t) -> cython.void:
        """Write the product of the matrix and a vector."""
        m = self.matrix
        x, y, z = given[at], given[at + 1], given[at + 2]
        out[at] = m[0] * x + m[1] * y + m[2] * z
        out[at + 1] = m[3] * x + m[4] * y + m[5] * z
        out[at + 2] = m[6] * x + m[7] * y + m[8] * z

    def turn_part(self, at: cython.Py_ssize_t) -> cython.void:
        """Write a part as the matrix turns it: its centre and its axes."""
        m, parts, placed = self.matrix, self.parts, self.placed
        for vector in range(at + 3, at + 7):
            placed[vector] = parts[vector]
        for number in range(4):
            vector = at + 4 + 3 * number if number else at
            x, y, z = parts[vector], parts[vector + 1], parts[vector + 2]
            placed[vector] = m[0] * x + m[1] * y + m[2] * z
            placed[vector + 1] = m[3] * x + m[4] * y + m[5] * z
            placed[vector + 2] = m[6] * x + m[7] * y + m[8] * z

    def set_matrix(self, body: cython.Py_ssize_t) -> cython.void:
        """Set `matrix` to the rotation of a body."""
        m = self.matrix
        x, y, z = self.rotation[4 * body], self.rotation[4 * body + 1], self.rotation[4 * body + 2]
        w = self.rotation[4 * body + 3]
        if self.flat:
            m[1] = m[2] = m[3] = m[5] = m[6] = m[7] = 0.0
            m[0] = m[4] = m[8] = 1.0
            if self.angle[body] != 0.0:
                x, w = sine_cosine(self.angle[body])
                m[0], m[1], m[3], m[4] = w, -x, x, w
            return
        m[0], m[1], m[2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)
        m[3], m[4], m[5] = 2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)
        m[6], m[7], m[8] = 2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)

    def measure(self, body: cython.Py_ssize_t) -> cython.void:
        """Compute `reach` and `core` of a body."""
        cython.declare(part=cython.Py_ssize_t, at=cython.Py_ssize_t, axis=cython.Py_ssize_t)
        reach, core, parts = 0.0, -1.0, self.parts
        for part in range(self.first_part[body], self.first_part[body + 1]):
            at, offset, way, thin = 16 * part, 0.0, 0.0, -1.0
            for axis in range(2 if self.flat or self.in_plane[body] else 3):
                x = parts[at + axis] - self.centre[3 * body + axis]
                offset, way = offset + x * x, way + parts[at + 3 + axis] * parts[at + 3 + axis]
                thin = parts[at + 3 + axis] if thin < 0.0 else min(thin, parts[at + 3 + axis])
            thin += parts[at + 6]
            reach = max(reach, sqrt(offset) + sqrt(way) + parts[at + 6])
            core = thin if core < 0.0 else min(core, thin)
        self.reach[body], self.core[body] = reach, max(core, 0.0)
        self.is_ball[body] = reach == self.core[body]
        self.size[body] = max(max(2.0 * self.core[body], 0.25 * reach), _SMALLEST)

    def match_members(self) -> cython.void:
        """Give the bodies of a group one reach, core and size, as if they were the parts of one body."""
        cython.declare(body=cython.Py_ssize_t, lead=cython.Py_ssize_t)
        for body in range(self.count):
            lead = self.lead[body]
            self.reach[lead] = max(self.reach[lead], self.reach[body])
            self.core[lead] = min(self.core[lead], self.core[body])
        for body in range(self.count):
            if self.following[body] != body:
                lead = self.lead[body]
                self.reach[body], self.core[body], self.is_ball[body] = self.reach[lead], self.core[lead], 0
                self.size[body] = max(max(2.0 * self.core[body], 0.25 * self.reach[body]), _SMALLEST)

    def commit(self) -> cython.void:
        """Move the positions by `moved`, rounded to the lattice, and keep the remainders."""
        cython.declare(axis=cython.Py_ssize_t)
        for axis in range(3 * self.count):
            if self.moved[axis] != 0.0:
                way = self.remainder[axis] + self.moved[axis] * _PER_UNIT
                whole = floor(way + 0.5)
                self.position[axis] += cython.cast(cython.longlong, whole)
                self.remainder[axis] = way - whole
