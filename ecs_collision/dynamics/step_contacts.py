# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The contacts of a step: parts that touch, or may come to touch in it (rule I2)."""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import fabs, sqrt
else:
    from math import fabs, sqrt

from ecs_collision._arrays import longer, zeros
from ecs_collision.dynamics.kept_impulses import BOUNDS, KeptImpulses
from ecs_collision.dynamics.manifolds import Manifold
from ecs_collision.dynamics.step_bodies import StepBodies
from ecs_collision.fixed_point import LATTICE

POINT = 13
"""Numbers of a point: its place relative to the centres of mass of the first and of the second body (3 each), the
separation, the impulse along the normal and across it (3), the largest normal impulse in the step, and the speed of
the approach."""

_BOUNDS = cython.declare(cython.longlong, BOUNDS)
_LATTICE = cython.declare(cython.double, LATTICE)
_CONTACT_ARRAYS = (
    *(("first", "i", 1), ("second", "i", 1), ("first_part", "i", 1), ("second_part", "i", 1), ("start", "i", 1)),
    *(("turning", "b", 1), ("known", "b", 1), ("normal", "d", 3), ("rolling", "d", 3)),
)


@cython.final
@cython.cclass
class StepContacts:
    """Contacts in the order of (first id, second id, first part, second part), each with its points.

    `first` and `second` are indexes of bodies, the first is lower; parts are numbered in their bodies. The bounds of
    the world are the first body of their contacts: their index is the count of bodies and their part the side. The
    points of contact i are those from `start[i]` to `start[i + 1]`, with `POINT` numbers each and a `feature`, which
    names a point from step to step. `normal` has length 1 and points to the second body; impulses act on that.
    `rolling` is the impulse against rolling. `turning` is 0 if neither body can turn: then one point is enough.
    `known` is 1 if the contact had impulses in the step before.
    """

    def __init__(self) -> None:
        self.count = self.point_count = self.capacity = self.point_capacity = 0
        for name, code, _ in _CONTACT_ARRAYS:
            setattr(self, name, zeros(code, 1))
        self.feature, self.points = zeros("i", 1), zeros("d", 1)
        self.manifold = Manifold()
        self.reserve(64)
        self.reserve_points(128)

    def reserve(self, contacts: cython.Py_ssize_t) -> cython.void:
        """Make room for contacts."""
        arrays: Any = [(name, longer(getattr(self, name), width * contacts + 1)) for name, _, width in _CONTACT_ARRAYS]
        for name, new in arrays:
            setattr(self, name, new)
        self.capacity = contacts

    def reserve_points(self, points: cython.Py_ssize_t) -> cython.void:
        """Make room for points."""
        self.feature, self.points = longer(self.feature, points), longer(self.points, 13 * points)
        self.point_capacity = points

    def begin(
        self, bodies: StepBodies, kept: KeptImpulses, dt: cython.double, near: cython.double
    ) -> cython.void:
        """Remove all contacts. Parts closer than `near` and the way that they may come closer in dt are in contact."""
        self.count = self.point_count = self.cursor = 0
        self.bodies, self.kept, self.dt, self.near = bodies, kept, dt, near
        self.start[0] = 0

    def margin(self, first: cython.Py_ssize_t, second: cython.Py_ssize_t) -> cython.double:
        """Return how close two bodies have to be to be in contact; the second may be alone."""
        bodies: StepBodies = self.bodies
        axis: cython.Py_ssize_t
        speed: cython.double
        turn: cython.double
        square: cython.double = 0.0
        turn_first: cython.double = 0.0
        turn_second: cython.double = 0.0
        for axis in range(3):
            speed = bodies.velocity[3 * second + axis]
            turn = bodies.angular[3 * second + axis]
            turn_second += turn * turn
            if first >= 0:
                speed -= bodies.velocity[3 * first + axis]
                turn = bodies.angular[3 * first + axis]
                turn_first += turn * turn
            square += speed * speed
        speed = sqrt(square)
        if turn_second != 0.0:
            speed += sqrt(turn_second) * bodies.reach[second]
        if turn_first != 0.0:
            speed += sqrt(turn_first) * bodies.reach[first]
        return self.near + self.dt * speed

    # The bounds of the world.

    def find_bounds(self, low: cython.longlong[::1], high: cython.longlong[::1]) -> cython.void:
        """Add contacts of dynamic bodies with the bounds, given in lattice units."""
        bodies: StepBodies = self.bodies
        body: cython.Py_ssize_t
        side: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        gap: cython.double
        margin: cython.double
        for body in range(bodies.count):
            if bodies.inverse_mass[body] == 0.0:
                continue
            margin = self.margin(-1, body)
            for side in range(6):
                axis = side if side < 3 else side - 3
                if axis == 2 and bodies.flat:
                    continue
                if side < 3:
                    gap = cython.cast(cython.double, bodies.position[3 * body + axis] - low[axis])
                    gap = (gap + bodies.remainder[3 * body + axis]) * _LATTICE + bodies.lever[3 * body + axis]
                else:
                    gap = cython.cast(cython.double, high[axis] - bodies.position[3 * body + axis])
                    gap = (gap - bodies.remainder[3 * body + axis]) * _LATTICE - bodies.lever[3 * body + axis]
                if gap - bodies.reach[body] < margin:
                    self.meet_side(body, side, gap, margin)

    def meet_side(
        self, body: cython.Py_ssize_t, side: cython.Py_ssize_t, gap: cython.double, margin: cython.double
    ) -> cython.void:
        """Add the contacts of a body with one side of the bounds; `gap` is how far its centre of mass is from it."""
        bodies: StepBodies = self.bodies
        part: cython.Py_ssize_t
        way: cython.double = 1.0 if side < 3 else -1.0
        axis: cython.Py_ssize_t = side if side < 3 else side - 3
        for part in range(bodies.first_part[body], bodies.first_part[body + 1]):
            number: cython.Py_ssize_t = part - bodies.first_part[body]
            nx: cython.double = way if axis == 0 else 0.0
            ny: cython.double = way if axis == 1 else 0.0
            self.open(bodies.count, body, side, number, nx, ny, way if axis == 2 else 0.0)
            self.meet_corners(body, part, side, gap, margin)
            self.close()

    def meet_corners(
        self,
        body: cython.Py_ssize_t,
        part: cython.Py_ssize_t,
        side: cython.Py_ssize_t,
        gap: cython.double,
        margin: cython.double,
    ) -> cython.void:
        """Add a point for each corner of a part that is close to a side of the bounds."""
        p = self.bodies.placed
        at: cython.Py_ssize_t = 16 * part
        way: cython.double = 1.0 if side < 3 else -1.0
        axis: cython.Py_ssize_t = side if side < 3 else side - 3
        corner: cython.int
        u: cython.double
        v: cython.double
        w: cython.double
        for corner in range(4 if self.bodies.flat else 8):
            u = p[at + 3] if corner & 1 else -p[at + 3]
            v = p[at + 4] if corner & 2 else -p[at + 4]
            w = p[at + 5] if corner & 4 else -p[at + 5]
            if (corner & 1 and u == 0.0) or (corner & 2 and v == 0.0) or (corner & 4 and w == 0.0):
                continue
            if self.bodies.flat:
                w = 0.0
            x: cython.double = p[at] + u * p[at + 7] + v * p[at + 10] + w * p[at + 13]
            y: cython.double = p[at + 1] + u * p[at + 8] + v * p[at + 11] + w * p[at + 14]
            z: cython.double = p[at + 2] + u * p[at + 9] + v * p[at + 12] + w * p[at + 15]
            x -= way * p[at + 6] if axis == 0 else 0.0
            y -= way * p[at + 6] if axis == 1 else 0.0
            z -= way * p[at + 6] if axis == 2 else 0.0
            x -= self.bodies.lever[3 * body]
            y -= self.bodies.lever[3 * body + 1]
            z -= self.bodies.lever[3 * body + 2]
            w = gap + way * (x if axis == 0 else y if axis == 1 else z)
            if w < margin:
                self.add_point(x, y, z, 0.0, 0.0, 0.0, w, corner)

    # Pairs of bodies.

    def find_pairs(
        self, first: cython.int[::1], second: cython.int[::1], count: cython.Py_ssize_t
    ) -> cython.void:
        """Add the contacts of pairs of bodies, of which one at least is dynamic. They are sorted, the first is lower."""
        pair: cython.Py_ssize_t
        for pair in range(count):
            self.find_pair(first[pair], second[pair])

    def find_pair(self, first: cython.Py_ssize_t, second: cython.Py_ssize_t) -> cython.void:
        """Add the contacts of two bodies."""
        bodies: StepBodies = self.bodies
        manifold: Manifold = self.manifold
        a: cython.Py_ssize_t = 3 * first
        b: cython.Py_ssize_t = 3 * second
        position = bodies.position
        left = bodies.remainder
        px: cython.double = cython.cast(cython.double, position[b] - position[a]) + left[b] - left[a]
        py: cython.double = cython.cast(cython.double, position[b + 1] - position[a + 1]) + left[b + 1] - left[a + 1]
        pz: cython.double = cython.cast(cython.double, position[b + 2] - position[a + 2]) + left[b + 2] - left[a + 2]
        margin: cython.double = self.margin(first, second)
        reach: cython.double = bodies.reach[first] + bodies.reach[second] + margin
        part: cython.Py_ssize_t
        other: cython.Py_ssize_t
        point: cython.Py_ssize_t
        first_part: cython.Py_ssize_t = bodies.first_part[first]
        second_part: cython.Py_ssize_t = bodies.first_part[second]
        found: cython.int
        px, py, pz = px * _LATTICE, py * _LATTICE, pz * _LATTICE
        x: cython.double = bodies.lever[a]
        y: cython.double = bodies.lever[a + 1]
        z: cython.double = bodies.lever[a + 2]
        dx: cython.double = px + bodies.lever[b] - x
        dy: cython.double = py + bodies.lever[b + 1] - y
        dz: cython.double = pz + bodies.lever[b + 2] - z
        if dx * dx + dy * dy + dz * dz > reach * reach:
            return
        m = manifold.points
        for part in range(first_part, bodies.first_part[first + 1]):
            for other in range(second_part, bodies.first_part[second + 1]):
                found = manifold.collide(bodies.placed, part, other, px, py, pz, margin, bodies.flat)
                if not found:
                    continue
                self.open(
                    first, second, part - first_part, other - second_part, manifold.nx, manifold.ny, manifold.nz
                )
                for point in range(found):
                    a = 3 * point
                    separation: cython.double = manifold.separations[point]
                    self.add_point(
                        m[a] - x, m[a + 1] - y, m[a + 2] - z, dx, dy, dz, separation, manifold.features[point]
                    )
                self.close()

    # One contact.

    def open(
        self,
        first: cython.Py_ssize_t,
        second: cython.Py_ssize_t,
        first_part: cython.Py_ssize_t,
        second_part: cython.Py_ssize_t,
        nx: cython.double,
        ny: cython.double,
        nz: cython.double,
    ) -> cython.void:
        """Begin a contact."""
        at: cython.Py_ssize_t = self.count
        if at == self.capacity:
            self.reserve(2 * at)
        self.first[at], self.second[at] = cython.cast(cython.int, first), cython.cast(cython.int, second)
        self.first_part[at] = cython.cast(cython.int, first_part)
        self.second_part[at] = cython.cast(cython.int, second_part)
        self.normal[3 * at], self.normal[3 * at + 1], self.normal[3 * at + 2] = nx, ny, nz
        self.rolling[3 * at] = self.rolling[3 * at + 1] = self.rolling[3 * at + 2] = 0.0
        self.known[at] = 0
        self.turning[at] = (first < self.bodies.count and self.bodies.turns(first)) or self.bodies.turns(second)

    def add_point(
        self,
        x: cython.double,
        y: cython.double,
        z: cython.double,
        dx: cython.double,
        dy: cython.double,
        dz: cython.double,
        separation: cython.double,
        feature: cython.int,
    ) -> cython.void:
        """Add a point to the contact, relative to the first centre of mass; (dx, dy, dz) is the way to the second."""
        at: cython.Py_ssize_t = 13 * self.point_count
        number: cython.Py_ssize_t
        if self.point_count == self.point_capacity:
            self.reserve_points(2 * self.point_count)
        p = self.points
        p[at], p[at + 1], p[at + 2], p[at + 3], p[at + 4], p[at + 5] = x, y, z, x - dx, y - dy, z - dz
        p[at + 6] = separation
        for number in range(7, 13):
            p[at + number] = 0.0
        self.feature[self.point_count] = feature
        self.point_count += 1

    def close(self) -> cython.void:
        """End the contact: look up its impulses; without points it is none."""
        at: cython.Py_ssize_t = self.count
        first: cython.longlong = _BOUNDS
        point: cython.Py_ssize_t
        if self.point_count == self.start[at]:
            return
        if not self.turning[at] and self.point_count > self.start[at] + 1:
            self.keep_deepest()
        if self.first[at] < self.bodies.count:
            first = self.bodies.entity[self.first[at]]
        self.recall(first, self.bodies.entity[self.second[at]], self.first_part[at], self.second_part[at])
        for point in range(self.start[at], self.point_count):
            self.points[13 * point + 12] = max(self.approach(at, point), 0.0)
        self.count = at + 1
        self.start[at + 1] = cython.cast(cython.int, self.point_count)

    def keep_deepest(self) -> cython.void:
        """Remove all points of the contact but that with the smallest separation, and call it number 0."""
        p = self.points
        first: cython.Py_ssize_t = self.start[self.count]
        best: cython.Py_ssize_t = first
        point: cython.Py_ssize_t
        for point in range(first + 1, self.point_count):
            if p[13 * point + 6] < p[13 * best + 6]:
                best = point
        for point in range(7):
            p[13 * first + point] = p[13 * best + point]
        self.feature[first] = 0
        self.point_count = first + 1

    def recall(
        self, first: cython.longlong, second: cython.longlong, first_part: cython.int, second_part: cython.int
    ) -> cython.void:
        """Copy the kept impulses of the same points to the contact."""
        kept: KeptImpulses = self.kept
        at: cython.Py_ssize_t = self.cursor
        point: cython.Py_ssize_t
        number: cython.Py_ssize_t
        while at < kept.count and kept.order(at, first, second, first_part, second_part) < 0:
            at += 1
        self.cursor = at
        while at < kept.count and kept.order(at, first, second, first_part, second_part) == 0:
            self.known[self.count] = 1
            for point in range(self.start[self.count], self.point_count):
                if self.feature[point] == kept.point[at]:
                    for number in range(4):
                        self.points[13 * point + 7 + number] = kept.values[7 * at + number]
            for number in range(3):
                self.rolling[3 * self.count + number] += kept.values[7 * at + 4 + number]
            at += 1

    def approach(self, contact: cython.Py_ssize_t, point: cython.Py_ssize_t) -> cython.double:
        """Return the speed with which the bodies approach at a point."""
        bodies: StepBodies = self.bodies
        p = self.points
        v = bodies.velocity
        w = bodies.angular
        o: cython.Py_ssize_t = 13 * point
        a: cython.Py_ssize_t = 3 * self.first[contact]
        b: cython.Py_ssize_t = 3 * self.second[contact]
        x: cython.double = v[b] + w[b + 1] * p[o + 5] - w[b + 2] * p[o + 4]
        y: cython.double = v[b + 1] + w[b + 2] * p[o + 3] - w[b] * p[o + 5]
        z: cython.double = v[b + 2] + w[b] * p[o + 4] - w[b + 1] * p[o + 3]
        if self.first[contact] < bodies.count:
            x -= v[a] + w[a + 1] * p[o + 2] - w[a + 2] * p[o + 1]
            y -= v[a + 1] + w[a + 2] * p[o] - w[a] * p[o + 2]
            z -= v[a + 2] + w[a] * p[o + 1] - w[a + 1] * p[o]
        a = 3 * contact
        return -(x * self.normal[a] + y * self.normal[a + 1] + z * self.normal[a + 2])

    def store(self, kept: KeptImpulses) -> cython.void:
        """Replace kept impulses by those of these contacts, sorted."""
        bodies: StepBodies = self.bodies
        contact: cython.Py_ssize_t
        point: cython.Py_ssize_t
        best: cython.Py_ssize_t
        number: cython.Py_ssize_t
        to: cython.Py_ssize_t
        last: cython.int
        rolling: cython.bint
        kept.allocate(self.point_count)
        for contact in range(self.count):
            last, rolling = -1, True
            while True:  # the features of a contact are few and in any order
                best = -1
                for point in range(self.start[contact], self.start[contact + 1]):
                    if (
                        self.feature[point] > last
                        and self.points[13 * point + 7] > 0.0
                        and (best < 0 or self.feature[point] < self.feature[best])
                    ):
                        best = point
                if best < 0:
                    break
                to, last = kept.count, self.feature[best]
                number = self.first[contact]
                kept.first[to] = bodies.entity[number] if number < bodies.count else _BOUNDS
                kept.second[to], kept.point[to] = bodies.entity[self.second[contact]], last
                kept.first_part[to], kept.second_part[to] = self.first_part[contact], self.second_part[contact]
                for number in range(4):
                    kept.values[7 * to + number] = self.points[13 * best + 7 + number]
                for number in range(3):
                    kept.values[7 * to + 4 + number] = self.rolling[3 * contact + number] if rolling else 0.0
                rolling = False
                kept.count = to + 1
