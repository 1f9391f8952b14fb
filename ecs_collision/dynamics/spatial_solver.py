# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Solves the contacts of bodies in space, by the scheme of flat_solver.py (rule I3)."""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import fabs, sqrt
else:
    from math import fabs, sqrt

from ecs_collision._arrays import zeros
from ecs_collision.dynamics.flat_solver import BOUNCES, DAMPING, HERTZ
from ecs_collision.dynamics.step_bodies import StepBodies
from ecs_collision.dynamics.step_contacts import StepContacts

_HERTZ = cython.declare(cython.double, HERTZ)
_DAMPING = cython.declare(cython.double, DAMPING)
_BOUNCES = cython.declare(cython.int, BOUNCES)

# Numbers of a body in `motion`: velocity 0 to 2, angular velocity 3 to 5, displacement of the centre of mass 6 to 8,
# quaternion of the turn 9 to 12, the way turned 13. In `inertia`: xx, xy, xz, yy, yz, zz of the inverse.
# Numbers of a contact in `header`: normal 0 to 2, two directions across it 3 to 8, inverse masses 9 and 10, friction
# 11, rolling 12, rolling impulse 13 to 15, rolling mass 16, bias rate 17, scale of the mass 18 and of the impulse 19,
# restitution 20, whether it turns 21.
# Numbers of a point in `point`: levers 0 to 5, separation less that of the levers and the slop 6, masses along the
# normal and across it 7 to 9, impulses 10 to 12, the largest normal impulse 13, speed of the approach before the
# substep 14, impulse of the bounce 15.


@cython.final
@cython.cclass
class SpatialSolver:
    """Substeps of bodies in space. `substep` as often as needed between `prepare` and `finish`.

    A body that turns keeps its angular velocity until something acts on it: the gyroscopic torque is left out.
    """

    def __init__(self) -> None:
        self.body_capacity = self.contact_capacity = self.point_capacity = 0

    def reserve(self) -> cython.void:
        """Make room for the bodies and contacts of a step."""
        if self.bodies.count >= self.body_capacity:
            self.motion, self.inertia = zeros("d", 32 * self.bodies.count + 32), zeros("d", 12 * self.bodies.count + 12)
            self.body_capacity = 2 * self.bodies.count + 2
        if self.contacts.count >= self.contact_capacity:
            self.header = zeros("d", 48 * self.contacts.count + 48)
            self.bouncing = zeros("i", 2 * self.contacts.count + 2)
            self.contact_capacity = 2 * self.contacts.count + 2
        if self.contacts.point_count >= self.point_capacity:
            self.point = zeros("d", 32 * self.contacts.point_count + 32)
            self.point_capacity = 2 * self.contacts.point_count + 2

    # Before the substeps.

    def prepare(
        self,
        bodies: StepBodies,
        contacts: StepContacts,
        h: cython.double,
        slop: cython.double,
        push: cython.double,
        threshold: cython.double,
    ) -> cython.void:
        """Read the bodies and contacts for substeps of h seconds; see `FlatSolver.prepare`."""
        contact: cython.Py_ssize_t
        hertz: cython.double = min(_HERTZ, 0.25 / h)
        self.bodies, self.contacts = bodies, contacts
        self.h, self.slop, self.push, self.threshold = h, slop, push, threshold
        self.count = contacts.count
        self.bouncing_count = 0
        self.reserve()
        self.read_bodies()
        for contact in range(self.count):
            self.read_contact(contact, hertz)
            self.read_points(contact)

    def read_bodies(self) -> cython.void:
        """Copy the velocities and turn the moments. The last body is the bounds, which do not move."""
        m = self.motion
        bodies: StepBodies = self.bodies
        body: cython.Py_ssize_t
        number: cython.Py_ssize_t
        for body in range(bodies.count + 1):
            for number in range(16):
                m[16 * body + number] = 0.0
            for number in range(6):
                self.inertia[6 * body + number] = 0.0
            m[16 * body + 12] = 1.0
            if body < bodies.count:
                for number in range(3):
                    m[16 * body + number] = bodies.velocity[3 * body + number]
                    m[16 * body + 3 + number] = bodies.angular[3 * body + number]
                self.read_inertia(body)

    def read_inertia(self, body: cython.Py_ssize_t) -> cython.void:
        """Compute the inverse inertia of a body in the axes of the world."""
        bodies: StepBodies = self.bodies
        q = bodies.moment_axes
        at: cython.Py_ssize_t = 6 * body
        axis: cython.Py_ssize_t
        x: cython.double
        y: cython.double
        z: cython.double
        moment: cython.double
        for axis in range(3):
            moment = bodies.inverse_moment[3 * body + axis]
            if moment == 0.0:
                continue
            x, y, z = 1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0
            self.x, self.y, self.z = x, y, z
            _turn(self, q, 4 * body)
            _turn(self, bodies.rotation, 4 * body)
            x, y, z = self.x, self.y, self.z
            self.inertia[at] += moment * x * x
            self.inertia[at + 1] += moment * x * y
            self.inertia[at + 2] += moment * x * z
            self.inertia[at + 3] += moment * y * y
            self.inertia[at + 4] += moment * y * z
            self.inertia[at + 5] += moment * z * z

    def read_contact(self, contact: cython.Py_ssize_t, hertz: cython.double) -> cython.void:
        """Fill the header of a contact."""
        d = self.header
        bodies: StepBodies = self.bodies
        contacts: StepContacts = self.contacts
        at: cython.Py_ssize_t = 24 * contact
        first: cython.Py_ssize_t = contacts.first[contact]
        second: cython.Py_ssize_t = contacts.second[contact]
        number: cython.Py_ssize_t
        omega: cython.double
        total: cython.double
        x: cython.double = contacts.normal[3 * contact]
        y: cython.double = contacts.normal[3 * contact + 1]
        z: cython.double = contacts.normal[3 * contact + 2]
        d[at], d[at + 1], d[at + 2] = x, y, z
        if fabs(x) < 0.75:
            total = 1.0 / sqrt(y * y + z * z)
            d[at + 3], d[at + 4], d[at + 5] = 0.0, z * total, -y * total
        else:
            total = 1.0 / sqrt(x * x + y * y)
            d[at + 3], d[at + 4], d[at + 5] = y * total, -x * total, 0.0
        d[at + 6] = y * d[at + 5] - z * d[at + 4]
        d[at + 7] = z * d[at + 3] - x * d[at + 5]
        d[at + 8] = x * d[at + 4] - y * d[at + 3]
        d[at + 9], d[at + 10] = 0.0, bodies.inverse_mass[second]
        d[at + 11] = d[at + 12] = 0.0
        d[at + 20] = bodies.restitution[second]
        if first < bodies.count:
            d[at + 9] = bodies.inverse_mass[first]
            d[at + 11] = sqrt(bodies.friction[first] * bodies.friction[second])
            d[at + 12] = max(bodies.rolling[first], bodies.rolling[second])
            d[at + 20] = max(d[at + 20], bodies.restitution[first])
        total = 0.0
        for number in range(3):
            d[at + 13 + number] = contacts.rolling[3 * contact + number] if d[at + 12] != 0.0 else 0.0
            omega = bodies.inverse_moment[3 * second + number]
            if first < bodies.count:
                omega += bodies.inverse_moment[3 * first + number]
            total = max(total, omega)
        d[at + 16] = 1.0 / total if total > 0.0 else 0.0
        omega = 2.0 * 3.141592653589793 * hertz
        if d[at + 9] == 0.0 or d[at + 10] == 0.0:
            omega *= 2.0
        total = 2.0 * _DAMPING + self.h * omega
        d[at + 17] = omega / total
        total *= self.h * omega
        d[at + 19] = 1.0 / (1.0 + total)
        d[at + 18] = total * d[at + 19]
        d[at + 21] = cython.cast(cython.double, contacts.turning[contact])
        if d[at + 20] > 0.0:
            self.bouncing[self.bouncing_count] = cython.cast(cython.int, contact)
            self.bouncing_count += 1

    def read_points(self, contact: cython.Py_ssize_t) -> cython.void:
        """Fill the points of a contact, with the impulses of the step before."""
        d = self.header
        p = self.point
        given = self.contacts.points
        c: cython.Py_ssize_t = 24 * contact
        at: cython.Py_ssize_t
        o: cython.Py_ssize_t
        point: cython.Py_ssize_t
        number: cython.Py_ssize_t
        for point in range(self.contacts.start[contact], self.contacts.start[contact + 1]):
            at, o = 13 * point, 16 * point
            for number in range(6):
                p[o + number] = given[at + number]
            p[o + 6] = given[at + 6] - self.slop
            for number in range(3):
                p[o + 6] -= (p[o + 3 + number] - p[o + number]) * d[c + number]
                p[o + 7 + number] = 1.0 / self.mass_along(
                    contact, o, d[c + 3 * number], d[c + 3 * number + 1], d[c + 3 * number + 2]
                )
            p[o + 10], p[o + 11], p[o + 12] = given[at + 7], 0.0, 0.0
            if d[c + 11] != 0.0:
                for number in range(3):
                    p[o + 11] += given[at + 8 + number] * d[c + 3 + number]
                    p[o + 12] += given[at + 8 + number] * d[c + 6 + number]
            p[o + 13] = p[o + 14] = p[o + 15] = 0.0

    def mass_along(
        self,
        contact: cython.Py_ssize_t,
        o: cython.Py_ssize_t,
        x: cython.double,
        y: cython.double,
        z: cython.double,
    ) -> cython.double:
        """Return the inverse of the mass that an impulse at a point in a direction moves."""
        p = self.point
        i = self.inertia
        result: cython.double = self.header[24 * contact + 9] + self.header[24 * contact + 10]
        side: cython.Py_ssize_t
        for side in range(2):
            at: cython.Py_ssize_t = 6 * (self.contacts.second[contact] if side else self.contacts.first[contact])
            k: cython.Py_ssize_t = o + 3 * side
            u: cython.double = p[k + 1] * z - p[k + 2] * y
            v: cython.double = p[k + 2] * x - p[k] * z
            w: cython.double = p[k] * y - p[k + 1] * x
            result += u * (i[at] * u + i[at + 1] * v + i[at + 2] * w)
            result += v * (i[at + 1] * u + i[at + 3] * v + i[at + 4] * w)
            result += w * (i[at + 2] * u + i[at + 4] * v + i[at + 5] * w)
        return result

    # A substep.

    def substep(self, gx: cython.double, gy: cython.double, gz: cython.double) -> cython.void:
        """Advance the bodies by one substep."""
        if self.bouncing_count:
            self.note_approaches()
        self.accelerate(gx, gy, gz)
        self.warm_start()
        self.solve(True)
        self.move()
        self.solve(False)
        if self.bouncing_count:
            self.bounce()

    def accelerate(self, gx: cython.double, gy: cython.double, gz: cython.double) -> cython.void:
        """Change velocities by gravity and damping."""
        m = self.motion
        bodies: StepBodies = self.bodies
        body: cython.Py_ssize_t
        number: cython.Py_ssize_t
        for body in range(bodies.count):
            if bodies.inverse_mass[body] == 0.0:
                continue
            scale: cython.double = self.h * bodies.gravity_scale[body]
            linear: cython.double = 1.0 / (1.0 + self.h * bodies.damping[2 * body])
            angular: cython.double = 1.0 / (1.0 + self.h * bodies.damping[2 * body + 1])
            m[16 * body] += scale * gx
            m[16 * body + 1] += scale * gy
            m[16 * body + 2] += scale * gz
            for number in range(16 * body, 16 * body + 3):
                m[number] *= linear
                m[number + 3] *= angular

    def warm_start(self) -> cython.void:
        """Apply the impulses of the substep before."""
        d = self.header
        p = self.point
        contacts: StepContacts = self.contacts
        contact: cython.Py_ssize_t
        point: cython.Py_ssize_t
        for contact in range(self.count):
            c: cython.Py_ssize_t = 24 * contact
            for point in range(contacts.start[contact], contacts.start[contact + 1]):
                o: cython.Py_ssize_t = 16 * point
                self.apply(
                    contact,
                    o,
                    p[o + 10] * d[c] + p[o + 11] * d[c + 3] + p[o + 12] * d[c + 6],
                    p[o + 10] * d[c + 1] + p[o + 11] * d[c + 4] + p[o + 12] * d[c + 7],
                    p[o + 10] * d[c + 2] + p[o + 11] * d[c + 5] + p[o + 12] * d[c + 8],
                )
            if d[c + 12] != 0.0:
                self.turn(contacts.first[contact], -d[c + 13], -d[c + 14], -d[c + 15])
                self.turn(contacts.second[contact], d[c + 13], d[c + 14], d[c + 15])

    def solve(self, use_bias: cython.bint) -> cython.void:
        """Solve each contact once, in order. `use_bias`: softly, and push overlapping bodies apart."""
        d = self.header
        contacts: StepContacts = self.contacts
        contact: cython.Py_ssize_t
        point: cython.Py_ssize_t
        for contact in range(self.count):
            total: cython.double = 0.0
            for point in range(contacts.start[contact], contacts.start[contact + 1]):
                total += self.solve_normal(contact, point, use_bias)
            if d[24 * contact + 11] != 0.0:
                for point in range(contacts.start[contact], contacts.start[contact + 1]):
                    self.solve_across(contact, point)
            if d[24 * contact + 12] != 0.0 and d[24 * contact + 21] != 0.0:
                self.solve_rolling(contact, d[24 * contact + 12] * total)

    def solve_normal(
        self, contact: cython.Py_ssize_t, point: cython.Py_ssize_t, use_bias: cython.bint
    ) -> cython.double:
        """Solve a point along the normal; returns its impulse."""
        d = self.header
        p = self.point
        c: cython.Py_ssize_t = 24 * contact
        o: cython.Py_ssize_t = 16 * point
        separation: cython.double = self.separation(contact, o)
        impulse: cython.double
        self.find_speed(contact, o)
        speed: cython.double = self.x * d[c] + self.y * d[c + 1] + self.z * d[c + 2]
        if separation > 0.0:
            impulse = -p[o + 7] * (speed + separation / self.h)
        elif use_bias:
            speed += max(d[c + 17] * separation, -self.push)
            impulse = -p[o + 7] * d[c + 18] * speed - d[c + 19] * p[o + 10]
        else:
            impulse = -p[o + 7] * speed
        total: cython.double = max(p[o + 10] + impulse, 0.0)
        impulse = total - p[o + 10]
        p[o + 10], p[o + 13] = total, max(p[o + 13], total)
        self.apply(contact, o, impulse * d[c], impulse * d[c + 1], impulse * d[c + 2])
        return total

    def solve_across(self, contact: cython.Py_ssize_t, point: cython.Py_ssize_t) -> cython.void:
        """Solve the friction of a point: a vector of limited length."""
        d = self.header
        p = self.point
        c: cython.Py_ssize_t = 24 * contact
        o: cython.Py_ssize_t = 16 * point
        self.find_speed(contact, o)
        limit: cython.double = d[c + 11] * p[o + 10]
        t: cython.double = p[o + 11] - p[o + 8] * (self.x * d[c + 3] + self.y * d[c + 4] + self.z * d[c + 5])
        u: cython.double = p[o + 12] - p[o + 9] * (self.x * d[c + 6] + self.y * d[c + 7] + self.z * d[c + 8])
        size: cython.double = t * t + u * u
        if size > limit * limit:
            size = limit / sqrt(size)
            t, u = t * size, u * size
        size, limit = t - p[o + 11], u - p[o + 12]
        p[o + 11], p[o + 12] = t, u
        self.apply(
            contact,
            o,
            size * d[c + 3] + limit * d[c + 6],
            size * d[c + 4] + limit * d[c + 7],
            size * d[c + 5] + limit * d[c + 8],
        )

    def solve_rolling(self, contact: cython.Py_ssize_t, limit: cython.double) -> cython.void:
        """Solve the resistance of a contact against rolling: a vector of limited length."""
        m = self.motion
        d = self.header
        c: cython.Py_ssize_t = 24 * contact
        a: cython.Py_ssize_t = 16 * self.contacts.first[contact]
        b: cython.Py_ssize_t = 16 * self.contacts.second[contact]
        x: cython.double = d[c + 13] - d[c + 16] * (m[b + 3] - m[a + 3])
        y: cython.double = d[c + 14] - d[c + 16] * (m[b + 4] - m[a + 4])
        z: cython.double = d[c + 15] - d[c + 16] * (m[b + 5] - m[a + 5])
        size: cython.double = x * x + y * y + z * z
        if size > limit * limit:
            size = limit / sqrt(size)
            x, y, z = x * size, y * size, z * size
        self.turn(self.contacts.first[contact], d[c + 13] - x, d[c + 14] - y, d[c + 15] - z)
        self.turn(self.contacts.second[contact], x - d[c + 13], y - d[c + 14], z - d[c + 15])
        d[c + 13], d[c + 14], d[c + 15] = x, y, z

    def separation(self, contact: cython.Py_ssize_t, o: cython.Py_ssize_t) -> cython.double:
        """Return the separation of a point now, less the slop."""
        m = self.motion
        d = self.header
        p = self.point
        c: cython.Py_ssize_t = 24 * contact
        a: cython.Py_ssize_t = 16 * self.contacts.first[contact]
        b: cython.Py_ssize_t = 16 * self.contacts.second[contact]
        self.rotate(b, p[o + 3], p[o + 4], p[o + 5])
        x: cython.double = self.x + m[b + 6] - m[a + 6]
        y: cython.double = self.y + m[b + 7] - m[a + 7]
        z: cython.double = self.z + m[b + 8] - m[a + 8]
        self.rotate(a, p[o], p[o + 1], p[o + 2])
        return (x - self.x) * d[c] + (y - self.y) * d[c + 1] + (z - self.z) * d[c + 2] + p[o + 6]

    def find_speed(self, contact: cython.Py_ssize_t, o: cython.Py_ssize_t) -> cython.void:
        """Set x, y and z to the velocity of the second body relative to the first at a point."""
        m = self.motion
        p = self.point
        a: cython.Py_ssize_t = 16 * self.contacts.first[contact]
        b: cython.Py_ssize_t = 16 * self.contacts.second[contact]
        self.x = m[b] + m[b + 4] * p[o + 5] - m[b + 5] * p[o + 4]
        self.y = m[b + 1] + m[b + 5] * p[o + 3] - m[b + 3] * p[o + 5]
        self.z = m[b + 2] + m[b + 3] * p[o + 4] - m[b + 4] * p[o + 3]
        self.x -= m[a] + m[a + 4] * p[o + 2] - m[a + 5] * p[o + 1]
        self.y -= m[a + 1] + m[a + 5] * p[o] - m[a + 3] * p[o + 2]
        self.z -= m[a + 2] + m[a + 3] * p[o + 1] - m[a + 4] * p[o]

    def apply(
        self,
        contact: cython.Py_ssize_t,
        o: cython.Py_ssize_t,
        x: cython.double,
        y: cython.double,
        z: cython.double,
    ) -> cython.void:
        """Apply an impulse at a point to the second body, and its opposite to the first."""
        m = self.motion
        p = self.point
        a: cython.Py_ssize_t = self.contacts.first[contact]
        b: cython.Py_ssize_t = self.contacts.second[contact]
        mass: cython.double = self.header[24 * contact + 9]
        m[16 * a] -= mass * x
        m[16 * a + 1] -= mass * y
        m[16 * a + 2] -= mass * z
        mass = self.header[24 * contact + 10]
        m[16 * b] += mass * x
        m[16 * b + 1] += mass * y
        m[16 * b + 2] += mass * z
        if self.header[24 * contact + 21] != 0.0:
            self.turn(a, p[o + 2] * y - p[o + 1] * z, p[o] * z - p[o + 2] * x, p[o + 1] * x - p[o] * y)
            self.turn(b, p[o + 4] * z - p[o + 5] * y, p[o + 5] * x - p[o + 3] * z, p[o + 3] * y - p[o + 4] * x)

    def turn(self, body: cython.Py_ssize_t, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Change the angular velocity of a body by a change of its angular momentum."""
        m = self.motion
        i = self.inertia
        at: cython.Py_ssize_t = 6 * body
        m[16 * body + 3] += i[at] * x + i[at + 1] * y + i[at + 2] * z
        m[16 * body + 4] += i[at + 1] * x + i[at + 3] * y + i[at + 4] * z
        m[16 * body + 5] += i[at + 2] * x + i[at + 4] * y + i[at + 5] * z

    def rotate(self, at: cython.Py_ssize_t, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Set x, y and z to a vector that is turned as a body has turned in this step."""
        self.x, self.y, self.z = x, y, z
        if self.motion[at + 13] != 0.0:
            _turn(self, self.motion, at + 9)

    def move(self) -> cython.void:
        """Move and turn the bodies by their velocities."""
        m = self.motion
        bodies: StepBodies = self.bodies
        body: cython.Py_ssize_t
        at: cython.Py_ssize_t
        half: cython.double = 0.5 * self.h
        for body in range(bodies.count):
            at = 16 * body
            if bodies.inverse_mass[body] == 0.0:
                continue
            m[at + 6] += self.h * m[at]
            m[at + 7] += self.h * m[at + 1]
            m[at + 8] += self.h * m[at + 2]
            x: cython.double = half * m[at + 3]
            y: cython.double = half * m[at + 4]
            z: cython.double = half * m[at + 5]
            size: cython.double = x * x + y * y + z * z
            if size == 0.0:
                continue
            m[at + 13] += 2.0 * sqrt(size)
            p: cython.double = m[at + 9]
            q: cython.double = m[at + 10]
            r: cython.double = m[at + 11]
            s: cython.double = m[at + 12]
            m[at + 9] = p + x * s + y * r - z * q
            m[at + 10] = q + y * s + z * p - x * r
            m[at + 11] = r + z * s + x * q - y * p
            m[at + 12] = s - x * p - y * q - z * r
            _normalise(m, at + 9)

    # Restitution (rule I4).

    def note_approaches(self) -> cython.void:
        """Note the speed with which bodies approach where they may bounce."""
        d = self.header
        contacts: StepContacts = self.contacts
        number: cython.Py_ssize_t
        point: cython.Py_ssize_t
        for number in range(self.bouncing_count):
            contact: cython.Py_ssize_t = self.bouncing[number]
            c: cython.Py_ssize_t = 24 * contact
            for point in range(contacts.start[contact], contacts.start[contact + 1]):
                self.find_speed(contact, 16 * point)
                self.point[16 * point + 14] = -(self.x * d[c] + self.y * d[c + 1] + self.z * d[c + 2])
                self.point[16 * point + 15] = 0.0

    def bounce(self) -> cython.void:
        """Give bodies that were stopped a share of their speed back; see `FlatSolver.bounce`."""
        p = self.point
        contacts: StepContacts = self.contacts
        number: cython.Py_ssize_t
        point: cython.Py_ssize_t
        trial: cython.int
        largest: cython.double
        for trial in range(_BOUNCES):
            largest = 0.0
            for number in range(self.bouncing_count):
                largest = max(largest, self.bounce_contact(self.bouncing[number]))
            if largest < 1e-3 * self.threshold:
                break
        for number in range(self.bouncing_count):
            contact: cython.Py_ssize_t = self.bouncing[number]
            for point in range(contacts.start[contact], contacts.start[contact + 1]):
                if p[16 * point + 15] != 0.0:
                    p[16 * point + 13] = max(p[16 * point + 13], p[16 * point + 10] + p[16 * point + 15])
                    p[16 * point + 10] = p[16 * point + 11] = p[16 * point + 12] = 0.0

    def bounce_contact(self, contact: cython.Py_ssize_t) -> cython.double:
        """Solve a contact that may bounce; returns the largest change of speed."""
        d = self.header
        p = self.point
        out = self.contacts.points
        c: cython.Py_ssize_t = 24 * contact
        point: cython.Py_ssize_t
        largest: cython.double = 0.0
        for point in range(self.contacts.start[contact], self.contacts.start[contact + 1]):
            o: cython.Py_ssize_t = 16 * point
            if p[o + 10] == 0.0:
                continue
            self.find_speed(contact, o)
            speed: cython.double = self.x * d[c] + self.y * d[c + 1] + self.z * d[c + 2]
            if p[o + 14] > self.threshold:
                speed -= d[c + 20] * p[o + 14]
                out[13 * point + 12] = max(out[13 * point + 12], p[o + 14])
            impulse: cython.double = max(p[o + 15] - p[o + 7] * speed, -p[o + 10]) - p[o + 15]
            p[o + 15] += impulse
            self.apply(contact, o, impulse * d[c], impulse * d[c + 1], impulse * d[c + 2])
            largest = max(largest, fabs(impulse) / p[o + 7])
        return largest

    # After the substeps.

    def finish(self) -> cython.void:
        """Write the velocities, displacements and impulses back."""
        d = self.header
        p = self.point
        contacts: StepContacts = self.contacts
        out = contacts.points
        body: cython.Py_ssize_t
        contact: cython.Py_ssize_t
        point: cython.Py_ssize_t
        number: cython.Py_ssize_t
        for body in range(self.bodies.count):
            if self.bodies.inverse_mass[body] != 0.0:
                self.finish_body(body)
        for contact in range(self.count):
            c: cython.Py_ssize_t = 24 * contact
            for number in range(3):
                contacts.rolling[3 * contact + number] = d[c + 13 + number]
            for point in range(contacts.start[contact], contacts.start[contact + 1]):
                o: cython.Py_ssize_t = 16 * point
                out[13 * point + 7], out[13 * point + 11] = p[o + 10], p[o + 13]
                for number in range(3):
                    out[13 * point + 8 + number] = p[o + 11] * d[c + 3 + number] + p[o + 12] * d[c + 6 + number]

    def finish_body(self, body: cython.Py_ssize_t) -> cython.void:
        """Write the velocities, the displacement and the rotation of a body."""
        m = self.motion
        bodies: StepBodies = self.bodies
        lever = bodies.lever
        q = bodies.rotation
        at: cython.Py_ssize_t = 16 * body
        to: cython.Py_ssize_t = 3 * body
        number: cython.Py_ssize_t
        for number in range(3):
            bodies.velocity[to + number] = m[at + number]
            bodies.angular[to + number] = m[at + 3 + number]
        self.rotate(at, lever[to], lever[to + 1], lever[to + 2])
        bodies.moved[to] = m[at + 6] + lever[to] - self.x
        bodies.moved[to + 1] = m[at + 7] + lever[to + 1] - self.y
        bodies.moved[to + 2] = m[at + 8] + lever[to + 2] - self.z
        bodies.turned[body] = m[at + 13]
        if m[at + 13] == 0.0:
            return
        to = 4 * body
        x: cython.double = q[to]
        y: cython.double = q[to + 1]
        z: cython.double = q[to + 2]
        w: cython.double = q[to + 3]
        q[to] = m[at + 12] * x + m[at + 9] * w + m[at + 10] * z - m[at + 11] * y
        q[to + 1] = m[at + 12] * y + m[at + 10] * w + m[at + 11] * x - m[at + 9] * z
        q[to + 2] = m[at + 12] * z + m[at + 11] * w + m[at + 9] * y - m[at + 10] * x
        q[to + 3] = m[at + 12] * w - m[at + 9] * x - m[at + 10] * y - m[at + 11] * z
        _normalise(q, to)


@cython.cfunc
@cython.exceptval(check=False)
def _turn(solver: SpatialSolver, q: cython.double[::1], at: cython.Py_ssize_t) -> cython.void:
    """Turn the vector of a solver by a quaternion of length 1."""
    x: cython.double = q[at]
    y: cython.double = q[at + 1]
    z: cython.double = q[at + 2]
    w: cython.double = q[at + 3]
    u: cython.double = 2.0 * (y * solver.z - z * solver.y)
    v: cython.double = 2.0 * (z * solver.x - x * solver.z)
    t: cython.double = 2.0 * (x * solver.y - y * solver.x)
    solver.x += w * u + y * t - z * v
    solver.y += w * v + z * u - x * t
    solver.z += w * t + x * v - y * u


@cython.cfunc
@cython.exceptval(check=False)
def _normalise(q: cython.double[::1], at: cython.Py_ssize_t) -> cython.void:
    """Give a quaternion the length 1."""
    scale: cython.double = 1.0 / sqrt(
        q[at] * q[at] + q[at + 1] * q[at + 1] + q[at + 2] * q[at + 2] + q[at + 3] * q[at + 3]
    )
    q[at] *= scale
    q[at + 1] *= scale
    q[at + 2] *= scale
    q[at + 3] *= scale
