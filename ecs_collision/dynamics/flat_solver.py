# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Solves the contacts of bodies that move in the plane, with soft constraints in substeps (rule I3).

The scheme is "Soft Step" (Catto, Solver2D, 2024): contacts are found once a step; each substep starts from the impulses
of the one before, solves all contacts once in order with a soft push that corrects positions, moves, and solves them
once more without that push, which takes the speed that it added.
"""

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
from ecs_collision.dynamics.step_bodies import StepBodies
from ecs_collision.dynamics.step_contacts import StepContacts

HERTZ, DAMPING = 30.0, 10.0
"""Frequency (at most a quarter of the substeps a second) and damping ratio of soft contacts. Those with what is
immovable have twice the frequency."""

BOUNCES = 12
"""How often contacts that bounce are solved in a substep."""

_HERTZ = cython.declare(cython.double, HERTZ)
_DAMPING = cython.declare(cython.double, DAMPING)
_BOUNCES = cython.declare(cython.int, BOUNCES)

# Numbers of a body in `motion`: velocity 0 1, angular velocity 2, displacement of the centre of mass 3 4, sine and
# cosine of the turn 5 6, the turn 7.
# Numbers of a contact in `header`: normal 0 1, inverse mass and moment of the first 2 3 and of the second 4 5, friction
# 6, rolling 7, rolling impulse 8, rolling mass 9, bias rate 10, scale of the mass 11 and of the impulse 12, restitution
# 13, whether it turns 14.
# Numbers of a point in `point`: lever of the first 0 1 and of the second 2 3, separation less that of the levers and
# the slop 4, mass along the normal 5 and across it 6, impulses 7 8, the largest normal impulse 9, speed of the approach
# before the substep 10, impulse of the bounce 11.


@cython.final
@cython.cclass
class FlatSolver:
    """Substeps of bodies in the plane. `substep` as often as needed between `prepare` and `finish`."""

    def __init__(self) -> None:
        self.body_capacity = self.contact_capacity = self.point_capacity = 0

    def reserve(self) -> cython.void:
        """Make room for the bodies and contacts of a step."""
        if self.bodies.count >= self.body_capacity:
            self.motion = zeros("d", 16 * self.bodies.count + 16)
            self.body_capacity = 2 * self.bodies.count + 2
        if self.contacts.count >= self.contact_capacity:
            self.header = zeros("d", 32 * self.contacts.count + 32)
            self.bouncing = zeros("i", 2 * self.contacts.count + 2)
            self.contact_capacity = 2 * self.contacts.count + 2
        if self.contacts.point_count >= self.point_capacity:
            self.point = zeros("d", 24 * self.contacts.point_count + 24)
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
        """Read the bodies and contacts for substeps of h seconds.

        slop: the gap at which bodies rest; push: the largest speed that moves overlapping bodies apart;
        threshold: the speed from which contacts bounce.
        """
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
        """Copy the velocities. The last body is the bounds, which do not move."""
        m = self.motion
        bodies: StepBodies = self.bodies
        body: cython.Py_ssize_t
        at: cython.Py_ssize_t
        for body in range(bodies.count + 1):
            at = 8 * body
            m[at] = m[at + 1] = m[at + 2] = m[at + 3] = m[at + 4] = m[at + 5] = m[at + 7] = 0.0
            m[at + 6] = 1.0
            if body < bodies.count:
                m[at], m[at + 1] = bodies.velocity[3 * body], bodies.velocity[3 * body + 1]
                m[at + 2] = bodies.angular[3 * body + 2]

    def read_contact(self, contact: cython.Py_ssize_t, hertz: cython.double) -> cython.void:
        """Fill the header of a contact."""
        d = self.header
        bodies: StepBodies = self.bodies
        contacts: StepContacts = self.contacts
        at: cython.Py_ssize_t = 16 * contact
        first: cython.Py_ssize_t = contacts.first[contact]
        second: cython.Py_ssize_t = contacts.second[contact]
        omega: cython.double
        total: cython.double
        d[at], d[at + 1] = contacts.normal[3 * contact], contacts.normal[3 * contact + 1]
        d[at + 4], d[at + 5] = bodies.inverse_mass[second], bodies.inverse_moment[3 * second + 2]
        d[at + 13] = bodies.restitution[second]
        if first < bodies.count:
            d[at + 2], d[at + 3] = bodies.inverse_mass[first], bodies.inverse_moment[3 * first + 2]
            d[at + 6] = sqrt(bodies.friction[first] * bodies.friction[second])
            d[at + 7] = max(bodies.rolling[first], bodies.rolling[second])
            d[at + 13] = max(d[at + 13], bodies.restitution[first])
        else:
            d[at + 2] = d[at + 3] = d[at + 6] = d[at + 7] = 0.0
        d[at + 8] = contacts.rolling[3 * contact + 2] if d[at + 7] != 0.0 else 0.0
        total = d[at + 3] + d[at + 5]
        d[at + 9] = 1.0 / total if total > 0.0 else 0.0
        omega = 2.0 * 3.141592653589793 * hertz
        if d[at + 2] == 0.0 or d[at + 4] == 0.0:
            omega *= 2.0
        total = 2.0 * _DAMPING + self.h * omega
        d[at + 10] = omega / total
        total *= self.h * omega
        d[at + 12] = 1.0 / (1.0 + total)
        d[at + 11] = total * d[at + 12]
        d[at + 14] = cython.cast(cython.double, contacts.turning[contact])
        if d[at + 13] > 0.0:
            self.bouncing[self.bouncing_count] = cython.cast(cython.int, contact)
            self.bouncing_count += 1

    def read_points(self, contact: cython.Py_ssize_t) -> cython.void:
        """Fill the points of a contact, with the impulses of the step before."""
        d = self.header
        p = self.point
        given = self.contacts.points
        c: cython.Py_ssize_t = 16 * contact
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t
        point: cython.Py_ssize_t
        nx: cython.double = d[c]
        ny: cython.double = d[c + 1]
        mass: cython.double = d[c + 2] + d[c + 4]
        arm: cython.double
        other: cython.double
        for point in range(self.contacts.start[contact], self.contacts.start[contact + 1]):
            at, to = 13 * point, 12 * point
            p[to], p[to + 1], p[to + 2], p[to + 3] = given[at], given[at + 1], given[at + 3], given[at + 4]
            p[to + 4] = given[at + 6] - self.slop
            if d[c + 14] != 0.0:
                p[to + 4] -= (p[to + 2] - p[to]) * nx + (p[to + 3] - p[to + 1]) * ny
            arm, other = p[to] * ny - p[to + 1] * nx, p[to + 2] * ny - p[to + 3] * nx
            p[to + 5] = 1.0 / (mass + d[c + 3] * arm * arm + d[c + 5] * other * other)
            arm, other = p[to] * nx + p[to + 1] * ny, p[to + 2] * nx + p[to + 3] * ny
            p[to + 6] = 1.0 / (mass + d[c + 3] * arm * arm + d[c + 5] * other * other)
            p[to + 7] = given[at + 7]
            p[to + 8] = given[at + 9] * nx - given[at + 8] * ny if d[c + 6] != 0.0 else 0.0
            p[to + 9], p[to + 10], p[to + 11] = 0.0, 0.0, 0.0

    # A substep.

    def substep(self, gx: cython.double, gy: cython.double) -> cython.void:
        """Advance the bodies by one substep."""
        if self.bouncing_count:
            self.note_approaches()
        self.accelerate(gx, gy)
        self.warm_start()
        self.solve(True)
        self.move()
        self.solve(False)
        if self.bouncing_count:
            self.bounce()

    def accelerate(self, gx: cython.double, gy: cython.double) -> cython.void:
        """Change velocities by gravity and damping."""
        m = self.motion
        bodies: StepBodies = self.bodies
        body: cython.Py_ssize_t
        h: cython.double = self.h
        scale: cython.double
        for body in range(bodies.count):
            if bodies.inverse_mass[body] != 0.0:
                scale = h * bodies.gravity_scale[body]
                m[8 * body] += scale * gx
                m[8 * body + 1] += scale * gy
                if bodies.damping[2 * body] != 0.0:
                    scale = 1.0 / (1.0 + h * bodies.damping[2 * body])
                    m[8 * body] *= scale
                    m[8 * body + 1] *= scale
                if bodies.damping[2 * body + 1] != 0.0:
                    m[8 * body + 2] *= 1.0 / (1.0 + h * bodies.damping[2 * body + 1])

    def warm_start(self) -> cython.void:
        """Apply the impulses of the substep before."""
        m = self.motion
        d = self.header
        p = self.point
        first = self.contacts.first
        second = self.contacts.second
        start = self.contacts.start
        contact: cython.Py_ssize_t
        point: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        c: cython.Py_ssize_t
        o: cython.Py_ssize_t
        px: cython.double
        py: cython.double
        for contact in range(self.count):
            c = 16 * contact
            a, b = 8 * first[contact], 8 * second[contact]
            for point in range(start[contact], start[contact + 1]):
                o = 12 * point
                px = p[o + 7] * d[c] - p[o + 8] * d[c + 1]
                py = p[o + 7] * d[c + 1] + p[o + 8] * d[c]
                m[a] -= d[c + 2] * px
                m[a + 1] -= d[c + 2] * py
                m[b] += d[c + 4] * px
                m[b + 1] += d[c + 4] * py
                if d[c + 14] != 0.0:
                    m[a + 2] -= d[c + 3] * (p[o] * py - p[o + 1] * px)
                    m[b + 2] += d[c + 5] * (p[o + 2] * py - p[o + 3] * px)
            if d[c + 8] != 0.0:
                m[a + 2] -= d[c + 3] * d[c + 8]
                m[b + 2] += d[c + 5] * d[c + 8]

    def solve(self, use_bias: cython.bint) -> cython.void:
        """Solve each contact once, in order. `use_bias`: softly, and push overlapping bodies apart."""
        m = self.motion
        d = self.header
        p = self.point
        first = self.contacts.first
        second = self.contacts.second
        start = self.contacts.start
        contact: cython.Py_ssize_t
        point: cython.Py_ssize_t
        end: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        c: cython.Py_ssize_t
        o: cython.Py_ssize_t
        per_h: cython.double = 1.0 / self.h
        push: cython.double = -self.push
        ax: cython.double
        ay: cython.double
        aw: cython.double
        bx: cython.double
        by: cython.double
        bw: cython.double
        nx: cython.double
        ny: cython.double
        mass_a: cython.double
        mass_b: cython.double
        moment_a: cython.double
        moment_b: cython.double
        rx: cython.double
        ry: cython.double
        qx: cython.double
        qy: cython.double
        separation: cython.double
        speed: cython.double
        impulse: cython.double
        limit: cython.double
        total: cython.double
        for contact in range(self.count):
            c = 16 * contact
            a, b = 8 * first[contact], 8 * second[contact]
            nx, ny, mass_a, mass_b = d[c], d[c + 1], d[c + 2], d[c + 4]
            ax, ay, bx, by = m[a], m[a + 1], m[b], m[b + 1]
            if d[c + 14] == 0.0:
                o = 12 * start[contact]
                separation = (m[b + 3] - m[a + 3]) * nx + (m[b + 4] - m[a + 4]) * ny + p[o + 4]
                speed = (bx - ax) * nx + (by - ay) * ny
                if separation > 0.0:
                    impulse = -p[o + 5] * (speed + separation * per_h)
                elif use_bias:
                    speed += max(d[c + 10] * separation, push)
                    impulse = -p[o + 5] * d[c + 11] * speed - d[c + 12] * p[o + 7]
                else:
                    impulse = -p[o + 5] * speed
                total = max(p[o + 7] + impulse, 0.0)
                impulse = total - p[o + 7]
                p[o + 7], p[o + 9] = total, max(p[o + 9], total)
                limit = d[c + 6] * total
                speed = (by - ay) * nx - (bx - ax) * ny
                total = max(min(p[o + 8] - p[o + 5] * speed, limit), -limit)
                speed = total - p[o + 8]
                p[o + 8] = total
                qx, qy = impulse * nx - speed * ny, impulse * ny + speed * nx
                m[a], m[a + 1] = ax - mass_a * qx, ay - mass_a * qy
                m[b], m[b + 1] = bx + mass_b * qx, by + mass_b * qy
                continue
            moment_a, moment_b = d[c + 3], d[c + 5]
            aw, bw = m[a + 2], m[b + 2]
            end = start[contact + 1]
            total = 0.0
            for point in range(start[contact], end):
                o = 12 * point
                rx, ry, qx, qy = p[o], p[o + 1], p[o + 2], p[o + 3]
                separation = (
                    (m[b + 3] - m[a + 3] + m[b + 6] * qx - m[b + 5] * qy - m[a + 6] * rx + m[a + 5] * ry) * nx
                    + (m[b + 4] - m[a + 4] + m[b + 5] * qx + m[b + 6] * qy - m[a + 5] * rx - m[a + 6] * ry) * ny
                    + p[o + 4]
                )
                speed = (bx - bw * qy - ax + aw * ry) * nx + (by + bw * qx - ay - aw * rx) * ny
                if separation > 0.0:
                    impulse = -p[o + 5] * (speed + separation * per_h)
                elif use_bias:
                    speed += max(d[c + 10] * separation, push)
                    impulse = -p[o + 5] * d[c + 11] * speed - d[c + 12] * p[o + 7]
                else:
                    impulse = -p[o + 5] * speed
                limit = max(p[o + 7] + impulse, 0.0)
                impulse = limit - p[o + 7]
                p[o + 7], p[o + 9] = limit, max(p[o + 9], limit)
                total += limit
                ax -= mass_a * impulse * nx
                ay -= mass_a * impulse * ny
                aw -= moment_a * impulse * (rx * ny - ry * nx)
                bx += mass_b * impulse * nx
                by += mass_b * impulse * ny
                bw += moment_b * impulse * (qx * ny - qy * nx)
            if d[c + 6] != 0.0:
                for point in range(start[contact], end):
                    o = 12 * point
                    rx, ry, qx, qy = p[o], p[o + 1], p[o + 2], p[o + 3]
                    speed = (by + bw * qx - ay - aw * rx) * nx - (bx - bw * qy - ax + aw * ry) * ny
                    limit = d[c + 6] * p[o + 7]
                    impulse = max(min(p[o + 8] - p[o + 6] * speed, limit), -limit) - p[o + 8]
                    p[o + 8] += impulse
                    ax += mass_a * impulse * ny
                    ay -= mass_a * impulse * nx
                    aw -= moment_a * impulse * (rx * nx + ry * ny)
                    bx -= mass_b * impulse * ny
                    by += mass_b * impulse * nx
                    bw += moment_b * impulse * (qx * nx + qy * ny)
            if d[c + 7] != 0.0:
                limit = d[c + 7] * total
                total = max(min(d[c + 8] - d[c + 9] * (bw - aw), limit), -limit)
                impulse = total - d[c + 8]
                d[c + 8] = total
                aw -= moment_a * impulse
                bw += moment_b * impulse
            m[a], m[a + 1], m[a + 2] = ax, ay, aw
            m[b], m[b + 1], m[b + 2] = bx, by, bw

    def move(self) -> cython.void:
        """Move and turn the bodies by their velocities."""
        m = self.motion
        bodies: StepBodies = self.bodies
        body: cython.Py_ssize_t
        at: cython.Py_ssize_t
        h: cython.double = self.h
        turn: cython.double
        sine: cython.double
        cosine: cython.double
        for body in range(bodies.count):
            at = 8 * body
            if bodies.inverse_mass[body] != 0.0:
                m[at + 3] += h * m[at]
                m[at + 4] += h * m[at + 1]
                turn = h * m[at + 2]
                if turn != 0.0:
                    m[at + 7] += turn
                    sine, cosine = m[at + 5] + turn * m[at + 6], m[at + 6] - turn * m[at + 5]
                    turn = 1.0 / sqrt(sine * sine + cosine * cosine)
                    m[at + 5], m[at + 6] = sine * turn, cosine * turn

    # Restitution (rule I4).

    def note_approaches(self) -> cython.void:
        """Note the speed with which bodies approach where they may bounce."""
        m = self.motion
        d = self.header
        p = self.point
        contacts: StepContacts = self.contacts
        number: cython.Py_ssize_t
        point: cython.Py_ssize_t
        for number in range(self.bouncing_count):
            contact: cython.Py_ssize_t = self.bouncing[number]
            a: cython.Py_ssize_t = 8 * contacts.first[contact]
            b: cython.Py_ssize_t = 8 * contacts.second[contact]
            c: cython.Py_ssize_t = 16 * contact
            for point in range(contacts.start[contact], contacts.start[contact + 1]):
                o: cython.Py_ssize_t = 12 * point
                p[o + 11] = 0.0
                p[o + 10] = (m[a] - m[a + 2] * p[o + 1] - m[b] + m[b + 2] * p[o + 3]) * d[c] + (
                    m[a + 1] + m[a + 2] * p[o] - m[b + 1] - m[b + 2] * p[o + 2]
                ) * d[c + 1]

    def bounce(self) -> cython.void:
        """Give bodies that were stopped a share of their speed back.

        The contacts are solved several times, because each changes the others. Their impulses are no start for the next
        substep.
        """
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
                if p[12 * point + 11] != 0.0:
                    p[12 * point + 9] = max(p[12 * point + 9], p[12 * point + 7] + p[12 * point + 11])
                    p[12 * point + 7] = p[12 * point + 8] = 0.0

    def bounce_contact(self, contact: cython.Py_ssize_t) -> cython.double:
        """Solve a contact that may bounce; returns the largest change of speed."""
        m = self.motion
        d = self.header
        p = self.point
        contacts: StepContacts = self.contacts
        a: cython.Py_ssize_t = 8 * contacts.first[contact]
        b: cython.Py_ssize_t = 8 * contacts.second[contact]
        c: cython.Py_ssize_t = 16 * contact
        point: cython.Py_ssize_t
        largest: cython.double = 0.0
        for point in range(contacts.start[contact], contacts.start[contact + 1]):
            o: cython.Py_ssize_t = 12 * point
            if p[o + 7] == 0.0:
                continue
            speed: cython.double = (m[b] - m[b + 2] * p[o + 3] - m[a] + m[a + 2] * p[o + 1]) * d[c] + (
                m[b + 1] + m[b + 2] * p[o + 2] - m[a + 1] - m[a + 2] * p[o]
            ) * d[c + 1]
            if p[o + 10] > self.threshold:
                speed -= d[c + 13] * p[o + 10]
                contacts.points[13 * point + 12] = max(contacts.points[13 * point + 12], p[o + 10])
            impulse: cython.double = max(p[o + 11] - p[o + 5] * speed, -p[o + 7]) - p[o + 11]
            p[o + 11] += impulse
            x: cython.double = impulse * d[c]
            y: cython.double = impulse * d[c + 1]
            m[a] -= d[c + 2] * x
            m[a + 1] -= d[c + 2] * y
            m[a + 2] -= d[c + 3] * (p[o] * y - p[o + 1] * x)
            m[b] += d[c + 4] * x
            m[b + 1] += d[c + 4] * y
            m[b + 2] += d[c + 5] * (p[o + 2] * y - p[o + 3] * x)
            largest = max(largest, fabs(impulse) / p[o + 5])
        return largest

    # After the substeps.

    def finish(self) -> cython.void:
        """Write the velocities, displacements and impulses back."""
        m = self.motion
        d = self.header
        p = self.point
        bodies: StepBodies = self.bodies
        contacts: StepContacts = self.contacts
        out = contacts.points
        body: cython.Py_ssize_t
        at: cython.Py_ssize_t
        contact: cython.Py_ssize_t
        point: cython.Py_ssize_t
        x: cython.double
        y: cython.double
        for body in range(bodies.count):
            if bodies.inverse_mass[body] == 0.0:
                continue
            at = 8 * body
            x, y = bodies.lever[3 * body], bodies.lever[3 * body + 1]
            bodies.velocity[3 * body], bodies.velocity[3 * body + 1] = m[at], m[at + 1]
            bodies.angular[3 * body + 2] = m[at + 2]
            bodies.moved[3 * body] = m[at + 3] + x - (m[at + 6] * x - m[at + 5] * y)
            bodies.moved[3 * body + 1] = m[at + 4] + y - (m[at + 5] * x + m[at + 6] * y)
            bodies.turned[body] = m[at + 7]
            bodies.angle[body] += m[at + 7]
        for contact in range(self.count):
            at = 16 * contact
            contacts.rolling[3 * contact + 2] = d[at + 8]
            for point in range(contacts.start[contact], contacts.start[contact + 1]):
                x = p[12 * point + 8]
                out[13 * point + 7], out[13 * point + 11] = p[12 * point + 7], p[12 * point + 9]
                out[13 * point + 8], out[13 * point + 9] = -x * d[at + 1], x * d[at]
