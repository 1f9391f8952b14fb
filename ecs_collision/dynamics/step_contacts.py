# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The contacts of a step: parts that touch, or may come to touch in it (rule I2)."""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

if cython.compiled:
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

from ecs_collision._arrays import longer, zeros
from ecs_collision.dynamics.kept_impulses import KeptImpulses
from ecs_collision.dynamics.manifolds import Manifold
from ecs_collision.dynamics.step_bodies import StepBodies
from ecs_collision.fixed_point import LATTICE

POINT = 13
"""Numbers of a point: its place relative to the centres of mass of the first and of the second body (3 each), the
separation, the impulse along the normal and across it (3), the largest normal impulse in the step, and the speed of
the approach."""

SLOP = 0.0075
"""In sizes of a contact: the gap at which bodies rest, outside of their shapes, so that none overlap."""

PER_GRAVITY = 0.05
"""No contact is smaller than this times the gravity: what weighs more gives way more."""

_SLOP = cython.declare(cython.double, SLOP)
_PER_GRAVITY = cython.declare(cython.double, PER_GRAVITY)
_IN_FRONT = cython.declare(cython.double, 2.0**-20)
_LATTICE = cython.declare(cython.double, LATTICE)
_ADVANCES = cython.declare(cython.int, 32)
_FAR = cython.declare(cython.double, 2.0**40)
_ARRAYS = (
    *("first", "second", "first_part", "second_part", "start", "turning", "known", "held", "normal", "rolling"),
    *("size", "time", "radius", "first_lead", "second_lead"),
)


@cython.final
@cython.cclass
class StepContacts:
    """Contacts in the order of (first id, second id, first part, second part), each with its points.

    `first` and `second` are indexes of bodies, the first is lower; parts are numbered in their bodies. The bounds of
    the world are the first body of their contacts: their index is the count of bodies and their part the side. The
    points of contact i are those from `start[i]` to `start[i + 1]`, with `POINT` numbers each and a `feature`, which
    names a point from step to step. `normal` has length 1 and points to the second body; impulses act on that.
    `rolling` is the impulse against rolling, `radius` the larger one of the parts, 0 for the bounds. `turning` is 0 if
    neither body can turn: then one point is enough. `size` is that of the smaller of the two bodies that is not
    immovable (see `StepBodies`). `known` is 1 if the contact held after the step before, `held` if it does after this
    one: it has an impulse, or had one and its gap is hardly wider than that of bodies at rest.
    """

    def __init__(self) -> None:
        self.count = self.point_count = self.capacity = self.point_capacity = 0
        self.first = self.second = self.first_part = self.second_part = self.start = self.feature = zeros("i", 1)
        self.first_lead = self.second_lead = zeros("i", 1)
        self.turning = self.known = self.held = zeros("b", 1)
        self.normal = self.rolling = self.points = self.size = self.time = self.hit = self.spin = self.radius = zeros(
            "d", 1
        )
        self.manifold, self.ids = Manifold(), zeros("q", 4)
        self.vx = self.vy = self.vz = 0.0
        self.reserve(8)
        self.reserve_points(128)

    def reserve(self, contacts: cython.Py_ssize_t) -> cython.void:
        """Make room for contacts."""
        arrays: Any = [(name, longer(getattr(self, name), 3 * contacts + 1)) for name in _ARRAYS]
        for name, new in arrays:
            setattr(self, name, new)
        self.capacity = contacts

    def reserve_points(self, points: cython.Py_ssize_t) -> cython.void:
        """Make room for points."""
        self.feature, self.points = longer(self.feature, points), longer(self.points, 13 * points)
        self.point_capacity = points

    def find(
        self,
        bodies: StepBodies,
        first: cython.int[::1],
        second: cython.int[::1],
        count: cython.Py_ssize_t,
        kept: KeptImpulses,
        low: cython.longlong[::1],
        high: cython.longlong[::1],
        dt: cython.double,
        fall: cython.double,
    ) -> cython.void:
        """Find the contacts with the bounds, given in lattice units, and of pairs of bodies.

        Pairs are sorted, the first is lower, and one at least is dynamic. Parts are in contact if they are closer than
        a few slops, `fall` and the way by which they may come closer in dt.
        """
        cython.declare(body=cython.Py_ssize_t, pair=cython.Py_ssize_t)
        self.count = self.point_count = self.cursor = 0
        self.bodies, self.kept, self.dt, self.fall = bodies, kept, dt, fall
        self.low, self.high = low, high
        self.now, self.least = 0.0, _PER_GRAVITY * fall / (dt * dt)
        if bodies.count >= len(self.hit):
            self.hit, self.spin = zeros("d", 2 * bodies.count + 1), zeros("d", 2 * bodies.count + 1)
        for body in range(bodies.count + 1):
            self.hit[body] = 2.0 * dt
            self.spin[body] = bodies.turning_speed(body) * bodies.reach[body]
        for body in range(bodies.count):
            if bodies.inverse_mass[body] != 0.0:
                self.meet_bounds(body)
        for pair in range(count):
            self.meet(first[pair], second[pair])
        if bodies.has_groups:
            self.share_hits()
        for pair in range(self.count):
            if self.time[pair] > 0.0:
                self.drop_late(pair)

    def margin(self, first: cython.Py_ssize_t, second: cython.Py_ssize_t) -> cython.double:
        """Return how close two bodies have to be to be in contact, and set `pair_size`."""
        cython.declare(axis=cython.Py_ssize_t, speed=cython.double)
        speed = 0.0
        for axis in range(3):  # at least the speed
            speed += abs(self.bodies.velocity[3 * second + axis] - self.bodies.velocity[3 * first + axis])
        speed = speed + self.spin[first] + self.spin[second]
        self.pair_size = self.size_of(first, second)
        return 4.0 * _SLOP * self.pair_size + self.fall + self.dt * speed

    def size_of(self, first: cython.Py_ssize_t, second: cython.Py_ssize_t) -> cython.double:
        """Return the size of the smaller of two bodies that is not immovable.

        Nothing counts as smaller than its weight needs: a contact gives way by what falls in a short time.
        """
        bodies = self.bodies
        if bodies.inverse_mass[first] == 0.0:
            return max(bodies.size[second], self.least)
        if bodies.inverse_mass[second] == 0.0:
            return max(bodies.size[first], self.least)
        return max(min(bodies.size[first], bodies.size[second]), self.least)

    # The bounds of the world.

    def meet_bounds(self, body: cython.Py_ssize_t) -> cython.void:
        """Add the contacts of a body with the bounds."""
        cython.declare(side=cython.Py_ssize_t, axis=cython.Py_ssize_t, at=cython.Py_ssize_t)
        bodies = self.bodies
        margin = self.margin(bodies.count, body)
        for side in range(6):
            axis = side if side < 3 else side - 3
            at = 3 * body + axis
            if axis == 2 and bodies.flat:
                continue
            if side < 3:
                gap = cython.cast(cython.double, bodies.position[at] - self.low[axis]) + bodies.remainder[at]
                gap = gap * _LATTICE + bodies.lever[at]
            else:
                gap = cython.cast(cython.double, self.high[axis] - bodies.position[at]) - bodies.remainder[at]
                gap = gap * _LATTICE - bodies.lever[at]
            if gap - bodies.reach[body] < margin:
                self.meet_side(body, side, gap, margin)

    def meet_side(
        self, body: cython.Py_ssize_t, side: cython.Py_ssize_t, gap: cython.double, margin: cython.double
    ) -> cython.void:
        """Add the contacts of a body with a side of the bounds: with a box behind it that is much larger than the body.

        gap: how far the centre of mass of the body is from that side.
        """
        cython.declare(part=cython.Py_ssize_t, wall=cython.Py_ssize_t, number=cython.Py_ssize_t, found=cython.int)
        bodies, manifold, p, wall = self.bodies, self.manifold, self.bodies.placed, 16 * self.bodies.part_count
        self.dx = self.dy = self.dz = 0.0
        self.x, self.y, self.z = bodies.lever[3 * body], bodies.lever[3 * body + 1], bodies.lever[3 * body + 2]
        size = 4.0 * (bodies.reach[body] + abs(gap))
        for number in range(16):
            p[wall + number] = size if 2 < number < 6 else (1.0 if number > 6 and number & 3 == 3 else 0.0)
        p[wall], p[wall + 1], p[wall + 2] = self.x, self.y, self.z
        if side < 3:
            p[wall + side] -= gap + size
        else:
            p[wall + side - 3] += gap + size
        for part in range(bodies.first_part[body], bodies.first_part[body + 1]):
            found = manifold.collide(p, bodies.part_count, part, 0.0, 0.0, 0.0, margin, bodies.flat)
            if found:
                self.add(bodies.count, body, side, part - bodies.first_part[body], found)

    # Pairs of bodies.

    def meet(self, first: cython.Py_ssize_t, second: cython.Py_ssize_t) -> cython.void:
        """Add the contacts of two bodies."""
        cython.declare(a=cython.Py_ssize_t, b=cython.Py_ssize_t, part=cython.Py_ssize_t, other=cython.Py_ssize_t)
        cython.declare(first_part=cython.Py_ssize_t, second_part=cython.Py_ssize_t, found=cython.int)
        bodies, a, b = self.bodies, 3 * first, 3 * second
        at, left, lever = bodies.position, bodies.remainder, bodies.lever
        px = (cython.cast(cython.double, at[b] - at[a]) + left[b] - left[a]) * _LATTICE
        py = (cython.cast(cython.double, at[b + 1] - at[a + 1]) + left[b + 1] - left[a + 1]) * _LATTICE
        pz = (cython.cast(cython.double, at[b + 2] - at[a + 2]) + left[b + 2] - left[a + 2]) * _LATTICE
        margin = self.margin(first, second)
        reach = bodies.reach[first] + bodies.reach[second] + margin
        self.x, self.y, self.z = lever[a], lever[a + 1], lever[a + 2]
        self.dx, self.dy = px + lever[b] - self.x, py + lever[b + 1] - self.y
        self.dz = pz + lever[b + 2] - self.z
        if self.dx * self.dx + self.dy * self.dy + self.dz * self.dz > reach * reach:
            return
        first_part, second_part = bodies.first_part[first], bodies.first_part[second]
        size, v = self.pair_size, bodies.velocity
        self.vx, self.vy, self.vz = v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]
        speed = sqrt(self.vx * self.vx + self.vy * self.vy + self.vz * self.vz)
        self.near, self.speed = 1.25 * _SLOP * size, speed if self.dt * speed > size else 0.0
        flat: cython.bint = bodies.flat or (bodies.in_plane[first] != 0 and bodies.in_plane[second] != 0)
        for part in range(first_part, bodies.first_part[first + 1]):
            for other in range(second_part, bodies.first_part[second + 1]):
                found = self.come_near(part, other, px, py, pz, margin, flat)
                if not found or (
                    (bodies.one_way[first] | bodies.one_way[second]) != 0 and self.passes(first, second, found)
                ):
                    continue
                if self.now > 0.0:
                    self.note_hit(first)
                    self.note_hit(second)
                self.add(first, second, part - first_part, other - second_part, found)

    def come_near(
        self,
        part: cython.Py_ssize_t,
        other: cython.Py_ssize_t,
        px: cython.double,
        py: cython.double,
        pz: cython.double,
        margin: cython.double,
        flat: cython.bint,
    ) -> cython.int:
        """Find the manifold of two parts and the time of it, `now`; returns the number of points.

        That is now, or for bodies that come closer by more than their size when they are near: otherwise the normal
        would be that of a place that they leave, and what flies past each other would meet. They are moved on as far
        as they cannot meet, again and again (Mirtich 1996, conservative advancement).
        """
        cython.declare(found=cython.int, point=cython.int)
        self.now = 0.0
        for _ in range(_ADVANCES):
            found = self.manifold.collide(
                self.bodies.placed, part, other, px + self.now * self.vx, py + self.now * self.vy,
                pz + self.now * self.vz, margin, flat,
            )  # fmt: skip
            if not found or self.speed == 0.0:
                return found
            least = self.manifold.separations[0]
            for point in range(1, found):
                least = min(least, self.manifold.separations[point])
            if least <= self.near:
                return found
            if self.now == self.dt:
                return 0
            self.now = min(self.now + (least - 0.5 * self.near) / self.speed, self.dt)
        return found

    def note_hit(self, body: cython.Py_ssize_t) -> cython.void:
        """Note that a body meets another at `now`, if it moves by more than its size in the step."""
        at: cython.Py_ssize_t = 3 * body
        v = self.bodies.velocity
        way = self.dt * sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2])
        if self.bodies.inverse_mass[body] != 0.0 and way > self.bodies.size[body]:
            self.hit[body] = min(self.hit[body], self.now)

    def share_hits(self) -> cython.void:
        """Let the bodies of a group have one time of their first hit."""
        cython.declare(body=cython.Py_ssize_t, lead=cython.Py_ssize_t)
        for body in range(self.bodies.count):
            lead = self.bodies.lead[body]
            self.hit[lead] = min(self.hit[lead], self.hit[body])
        for body in range(self.bodies.count):
            self.hit[body] = self.hit[self.bodies.lead[body]]

    def drop_late(self, contact: cython.Py_ssize_t) -> cython.void:
        """Let a contact not count that a fast body has only behind another one, which sends it elsewhere."""
        point: cython.Py_ssize_t
        if self.time[contact] > 1.01 * min(self.hit[self.first[contact]], self.hit[self.second[contact]]):
            for point in range(self.start[contact], self.start[contact + 1]):
                self.points[13 * point + 6] += _FAR

    def passes(self, first: cython.Py_ssize_t, second: cython.Py_ssize_t, found: cython.int) -> cython.bint:
        """Return whether the parts at hand pass through each other because a body is one-way (M5)."""
        cython.declare(side=cython.int, direction=cython.int, axis=cython.int, point=cython.int)
        m = self.manifold
        for point in range(found):
            if m.separations[point] < -4.0 * _SLOP * self.pair_size:
                return True
        for side in range(2):
            direction = self.bodies.one_way[second if side else first]
            if direction == 0:
                continue
            axis = abs(direction) - 1
            along = m.nx if axis == 0 else (m.ny if axis == 1 else m.nz)
            if (along if (direction > 0) == (side == 0) else -along) < _IN_FRONT:
                return True
        return False

    # One contact.

    def add(
        self,
        first: cython.Py_ssize_t,
        second: cython.Py_ssize_t,
        first_part: cython.Py_ssize_t,
        second_part: cython.Py_ssize_t,
        found: cython.int,
    ) -> cython.void:
        """Add the contact that the manifold has, with the impulses that were kept."""
        cython.declare(at=cython.Py_ssize_t, to=cython.Py_ssize_t, point=cython.Py_ssize_t, number=cython.Py_ssize_t)
        manifold, at = self.manifold, self.count
        if at == self.capacity:
            self.reserve(2 * at)
        if self.point_count + found > self.point_capacity:
            self.reserve_points(2 * self.point_capacity)
        p, m, nx, ny, nz = self.points, manifold.points, manifold.nx, manifold.ny, manifold.nz
        self.first[at], self.second[at] = cython.cast(cython.int, first), cython.cast(cython.int, second)
        self.first_part[at] = cython.cast(cython.int, first_part)
        self.second_part[at] = cython.cast(cython.int, second_part)
        self.normal[3 * at], self.normal[3 * at + 1], self.normal[3 * at + 2] = nx, ny, nz
        self.rolling[3 * at] = self.rolling[3 * at + 1] = self.rolling[3 * at + 2] = 0.0
        self.known[at], self.held[at], self.size[at], self.time[at] = 0, 0, self.pair_size, self.now
        self.radius[at] = max(manifold.radius_a, manifold.radius_b) if first < self.bodies.count else 0.0
        self.turning[at] = self.bodies.turns(second) or self.bodies.turns(first)
        self.start[at] = cython.cast(cython.int, self.point_count)
        dx, dy, dz = self.now * self.vx, self.now * self.vy, self.now * self.vz
        way = dx * nx + dy * ny + dz * nz
        dx, dy, dz = self.dx + dx, self.dy + dy, self.dz + dz
        for point in range(found):
            to = 13 * self.point_count
            x, y, z = m[3 * point] - self.x, m[3 * point + 1] - self.y, m[3 * point + 2] - self.z
            p[to], p[to + 1], p[to + 2], p[to + 3], p[to + 4], p[to + 5] = x, y, z, x - dx, y - dy, z - dz
            p[to + 6] = manifold.separations[point] - way
            for number in range(to + 7, to + 13):
                p[number] = 0.0
            self.feature[self.point_count] = manifold.features[point]
            self.point_count += 1
        if not self.turning[at] and found > 1:
            self.keep_deepest()
        self.look_up()
        if not self.known[at]:
            for point in range(self.start[at], self.point_count):
                p[13 * point + 12] = max(self.approach(at, point), 0.0)
        self.count = at + 1
        self.start[at + 1] = cython.cast(cython.int, self.point_count)

    def keep_deepest(self) -> cython.void:
        """Remove all points of the contact but that with the smallest separation, and call it number 0."""
        cython.declare(first=cython.Py_ssize_t, best=cython.Py_ssize_t, point=cython.Py_ssize_t)
        p, first = self.points, self.start[self.count]
        best = first
        for point in range(first + 1, self.point_count):
            if p[13 * point + 6] < p[13 * best + 6]:
                best = point
        for point in range(7):
            p[13 * first + point] = p[13 * best + point]
        self.feature[first] = 0
        self.point_count = first + 1

    def set_ids(self, contact: cython.Py_ssize_t, ids: cython.longlong[::1], at: cython.Py_ssize_t) -> cython.void:
        """Write the numbers of a contact, as `KeptImpulses` has them."""
        ids[at] = self.bodies.entity[self.first[contact]]
        ids[at + 1] = self.bodies.entity[self.second[contact]]
        ids[at + 2], ids[at + 3] = self.first_part[contact], self.second_part[contact]

    def look_up(self) -> cython.void:
        """Copy the kept impulses of the same points to the contact."""
        cython.declare(at=cython.Py_ssize_t, point=cython.Py_ssize_t, number=cython.Py_ssize_t)
        kept, at = self.kept, self.cursor
        self.set_ids(self.count, self.ids, 0)
        while at < kept.count and kept.order(at, self.ids, 0, 4) < 0:
            at += 1
        self.cursor = at
        while at < kept.count and kept.order(at, self.ids, 0, 4) == 0:
            self.known[self.count] = 1
            for point in range(self.start[self.count], self.point_count):
                if self.feature[point] == kept.ids[5 * at + 4]:
                    for number in range(4):
                        self.points[13 * point + 7 + number] = kept.values[7 * at + number]
            for number in range(3):
                self.rolling[3 * self.count + number] += kept.values[7 * at + 4 + number]
            at += 1

    def use_leads(self) -> cython.void:
        """Let `first` and `second` be the leads of the bodies, which the solver moves, until `use_members` (I10)."""
        cython.declare(contact=cython.Py_ssize_t)
        for contact in range(self.count):
            self.first_lead[contact] = self.bodies.lead[self.first[contact]]
            self.second_lead[contact] = self.bodies.lead[self.second[contact]]
        self.use_members()

    def use_members(self) -> cython.void:
        """Swap bodies and leads."""
        self.first, self.first_lead = self.first_lead, self.first
        self.second, self.second_lead = self.second_lead, self.second

    def pushes(self, contact: cython.Py_ssize_t) -> cython.bint:
        """Return whether the contact had an impulse in the step."""
        point: cython.Py_ssize_t
        for point in range(self.start[contact], self.start[contact + 1]):
            if self.points[13 * point + 11] > 0.0:
                return True
        return False

    def joins(self, first: cython.Py_ssize_t, second: cython.Py_ssize_t) -> cython.bint:
        """Return whether two bodies have a contact."""
        contact: cython.Py_ssize_t
        for contact in range(self.count):
            if self.first[contact] == first and self.second[contact] == second:
                return True
        return False

    def approach(self, contact: cython.Py_ssize_t, point: cython.Py_ssize_t) -> cython.double:
        """Return the speed with which the bodies approach at a point."""
        cython.declare(a=cython.Py_ssize_t, b=cython.Py_ssize_t, o=cython.Py_ssize_t)
        p, n, v, w = self.points, self.normal, self.bodies.velocity, self.bodies.angular
        a, b, o = 3 * self.first[contact], 3 * self.second[contact], 13 * point
        x = v[b] - v[a] + w[b + 1] * p[o + 5] - w[b + 2] * p[o + 4] - w[a + 1] * p[o + 2] + w[a + 2] * p[o + 1]
        y = v[b + 1] - v[a + 1] + w[b + 2] * p[o + 3] - w[b] * p[o + 5] - w[a + 2] * p[o] + w[a] * p[o + 2]
        z = v[b + 2] - v[a + 2] + w[b] * p[o + 4] - w[b + 1] * p[o + 3] - w[a] * p[o + 1] + w[a + 1] * p[o]
        return -(x * n[3 * contact] + y * n[3 * contact + 1] + z * n[3 * contact + 2])

    def store(self, kept: KeptImpulses) -> cython.void:
        """Replace kept impulses by those of the contacts that are held; each has a point, so that it is known."""
        cython.declare(contact=cython.Py_ssize_t, point=cython.Py_ssize_t, number=cython.Py_ssize_t)
        cython.declare(begin=cython.Py_ssize_t, to=cython.Py_ssize_t)
        kept.allocate(self.point_count)
        for contact in range(self.count):
            if self.held[contact] == 0:
                continue
            begin = kept.count
            for point in range(self.start[contact], self.start[contact + 1]):
                to = kept.count
                if self.points[13 * point + 7] > 0.0 or (to == begin and point == self.start[contact + 1] - 1):
                    self.set_ids(contact, kept.ids, 5 * to)
                    kept.ids[5 * to + 4] = self.feature[point]
                    for number in range(4):
                        kept.values[7 * to + number] = self.points[13 * point + 7 + number]
                    for number in range(3):
                        kept.values[7 * to + 4 + number] = self.rolling[3 * contact + number] if to == begin else 0.0
                    kept.count = to + 1
