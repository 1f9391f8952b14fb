# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""One step of impulses: contacts are found once, then solved in substeps with soft constraints (rules I2 and I3).

The scheme is "Soft Step" (Catto, Solver2D, 2024). Each substep starts from the impulses of the one before, solves all
contacts once in order with a soft push that corrects positions, moves, and solves them once more without that push,
which takes the speed that it added.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.shapes.rotation import sine_cosine
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from ecs_collision.shapes.rotation import sine_cosine

from ecs_collision._arrays import zeros
from ecs_collision.components import MAX_SPEED
from ecs_collision.dynamics.kept_impulses import KeptImpulses
from ecs_collision.dynamics.step_bodies import StepBodies
from ecs_collision.dynamics.step_contacts import SLOP, StepContacts

_SLOP = cython.declare(cython.double, SLOP)
_PUSH, _BOUNCE = cython.declare(cython.double, 3.0), cython.declare(cython.double, 0.01)
"""In sizes of a contact (see `StepContacts`) a second: the largest speed that moves overlapping bodies apart, and the
speed from which they bounce without gravity."""
_HERTZ, _DAMPING = cython.declare(cython.double, 37.5), cython.declare(cython.double, 10.0)
"""Frequency (at most a quarter of the substeps a second) and damping ratio of soft contacts. Those with what is
immovable have twice the frequency."""
_BOUNCES = cython.declare(cython.int, 40)
"""How often contacts that bounce are solved in a substep, at most."""
_FASTEST = cython.declare(cython.double, MAX_SPEED)
"""The largest velocity on each axis (I1)."""


@cython.final
@cython.cclass
class SoftStep:
    """Moves the bodies of a step. Afterwards `contacts` has what touched.

    Numbers of a body in `motion`, 16 each: velocity 0 to 2, angular velocity 3 to 5, displacement of the centre of mass
    6 to 8, quaternion of the turn 9 to 12 (in a flat step 11 and 12 are the sine and cosine of it), the turn 13. In
    `inertia`, 6 each: xx, xy, xz, yy, yz, zz of the inverse.

    Numbers of a contact in `header`, 24 each: normal 0 to 2, two directions across it 3 to 8, inverse masses 9 and 10,
    friction 11, rolling times radius 12, rolling impulse 13 to 15, rolling mass 16, bias rate 17, share of the impulse
    that a soft contact keeps 18, restitution 20, whether it turns 21, inverse moments about z 22 and 23.

    Numbers of a point in `point`, 16 each: levers 0 to 5, separation less that of the levers and the slop 6, masses
    along the normal and across it 7 to 9, impulses 10 to 12, the largest normal impulse 13, speed of the approach
    before the substep 14, impulse of the bounce 15.

    A body that turns in space keeps its angular velocity until something acts on it: there is no gyroscopic torque.
    """

    def __init__(self) -> None:
        self.contacts = StepContacts()
        self.body_capacity = self.contact_capacity = self.point_capacity = 0
        self.header = self.point = self.motion = self.inertia = zeros("d", 0)
        self.bouncing = zeros("i", 0)

    def step(
        self,
        bodies: StepBodies,
        first: cython.int[::1],
        second: cython.int[::1],
        count: cython.Py_ssize_t,
        kept: KeptImpulses,
        low: cython.longlong[::1],
        high: cython.longlong[::1],
        dt: cython.double,
        gx: cython.double,
        gy: cython.double,
        gz: cython.double,
        substeps: cython.int,
    ) -> cython.void:
        """Compute a step of dt seconds with pairs of bodies that may meet, sorted, and the bounds in lattice units.

        Change velocities, `moved` and rotations of the bodies, and the kept impulses; positions follow with `commit`.
        """
        cython.declare(number=cython.Py_ssize_t)
        gravity = sqrt(gx * gx + gy * gy + gz * gz)
        self.bodies, self.flat, self.h = bodies, bodies.flat, dt / substeps
        self.threshold = 2.0 * gravity * self.h
        bodies.place()
        self.contacts.find(bodies, first, second, count, kept, low, high, dt, gravity * dt * dt)
        self.prepare()
        if bodies.has_groups:
            self.contacts.use_leads()
        for _ in range(substeps):
            if self.bouncing_count:
                self.note_approaches()
            self.accelerate(gx, gy, gz)
            self.start()
            self.solve(True)
            self.move()
            self.solve(False)
            if self.bouncing_count:
                self.bounce()
        if bodies.has_groups:
            self.follow_leads()
        for number in range(bodies.count):
            if bodies.inverse_mass[number] != 0.0:
                self.finish_body(number)
        for number in range(self.count):
            self.finish_contact(number)
        self.contacts.store(kept)

    # Before the substeps.

    def prepare(self) -> cython.void:
        """Read the bodies and contacts."""
        cython.declare(number=cython.Py_ssize_t, bodies=cython.Py_ssize_t, points=cython.Py_ssize_t)
        bodies, self.count, points = self.bodies.count + 1, self.contacts.count, self.contacts.point_count
        self.bouncing_count = 0
        if bodies > self.body_capacity:
            self.body_capacity = 2 * bodies
            self.motion, self.inertia = zeros("d", 32 * bodies), zeros("d", 12 * bodies)
        if self.count > self.contact_capacity:
            self.contact_capacity = 2 * self.count
            self.header = zeros("d", 48 * self.count)
        if points > self.point_capacity:
            self.point_capacity = 2 * points
            self.point, self.bouncing = zeros("d", 32 * points), zeros("i", 4 * points)
        for number in range(bodies):
            self.read_body(number)
        for number in range(self.count):
            self.read_contact(number, min(_HERTZ, 0.25 / self.h))
            self.read_points(number)

    def read_body(self, body: cython.Py_ssize_t) -> cython.void:
        """Copy the velocities of a body. The last one is the bounds, which do not move."""
        cython.declare(number=cython.Py_ssize_t, at=cython.Py_ssize_t)
        m, at = self.motion, 16 * body
        for number in range(14):
            m[at + number] = 0.0
        m[at + 12] = 1.0
        for number in range(3):
            m[at + number] = self.bodies.velocity[3 * body + number]
            m[at + 3 + number] = self.bodies.angular[3 * body + number]
        self.read_inertia(body)

    def read_inertia(self, body: cython.Py_ssize_t) -> cython.void:
        """Compute the inverse inertia of a body in the axes of the world."""
        cython.declare(axis=cython.Py_ssize_t, at=cython.Py_ssize_t)
        i, at = self.inertia, 6 * body
        for axis in range(6):
            i[at + axis] = 0.0
        if self.flat:
            i[at + 5] = self.bodies.inverse_moment[3 * body + 2]
            return
        for axis in range(3):
            moment = self.bodies.inverse_moment[3 * body + axis]
            self.x = 1.0 if axis == 0 else 0.0
            self.y = 1.0 if axis == 1 else 0.0
            self.z = 1.0 if axis == 2 else 0.0
            self.rotate(self.bodies.moment_axes, 4 * body)
            self.rotate(self.bodies.rotation, 4 * body)
            i[at] += moment * self.x * self.x
            i[at + 1] += moment * self.x * self.y
            i[at + 2] += moment * self.x * self.z
            i[at + 3] += moment * self.y * self.y
            i[at + 4] += moment * self.y * self.z
            i[at + 5] += moment * self.z * self.z

    def read_contact(self, contact: cython.Py_ssize_t, hertz: cython.double) -> cython.void:
        """Fill the header of a contact."""
        cython.declare(at=cython.Py_ssize_t, first=cython.Py_ssize_t, second=cython.Py_ssize_t, axis=cython.Py_ssize_t)
        d, bodies, contacts, at = self.header, self.bodies, self.contacts, 24 * contact
        first, second = contacts.first[contact], contacts.second[contact]
        x, y, z = contacts.normal[3 * contact], contacts.normal[3 * contact + 1], contacts.normal[3 * contact + 2]
        d[at], d[at + 1], d[at + 2] = x, y, z
        if self.flat:
            d[at + 3], d[at + 4], d[at + 5] = -y, x, 0.0
        elif abs(x) < 0.75:
            scale = 1.0 / sqrt(y * y + z * z)
            d[at + 3], d[at + 4], d[at + 5] = 0.0, z * scale, -y * scale
        else:
            scale = 1.0 / sqrt(x * x + y * y)
            d[at + 3], d[at + 4], d[at + 5] = y * scale, -x * scale, 0.0
        d[at + 6] = y * d[at + 5] - z * d[at + 4]
        d[at + 7] = z * d[at + 3] - x * d[at + 5]
        d[at + 8] = x * d[at + 4] - y * d[at + 3]
        d[at + 9], d[at + 10] = bodies.inverse_mass[first], bodies.inverse_mass[second]
        d[at + 22], d[at + 23] = bodies.inverse_moment[3 * first + 2], bodies.inverse_moment[3 * second + 2]
        d[at + 11] = sqrt(bodies.friction[first] * bodies.friction[second])
        d[at + 12] = max(bodies.rolling[first], bodies.rolling[second]) * contacts.radius[contact]
        d[at + 20] = max(bodies.restitution[first], bodies.restitution[second])
        d[at + 21] = cython.cast(cython.double, contacts.turning[contact])
        d[at + 13] = d[at + 14] = d[at + 15] = d[at + 16] = 0.0
        if d[at + 21] == 0.0:
            d[at + 12] = 0.0
        if d[at + 12] != 0.0:
            moment = 0.0
            for axis in range(3):
                d[at + 13 + axis] = contacts.rolling[3 * contact + axis]
                z = bodies.inverse_moment[3 * first + axis] + bodies.inverse_moment[3 * second + axis]
                moment = max(moment, z)
            d[at + 16] = 1.0 / moment if moment > 0.0 else 0.0
        omega = 2.0 * 3.141592653589793 * hertz
        if d[at + 9] == 0.0 or d[at + 10] == 0.0:
            omega *= 2.0
        scale = 2.0 * _DAMPING + self.h * omega
        d[at + 17] = omega / scale
        d[at + 18] = 1.0 - 1.0 / (1.0 + scale * self.h * omega)

    def read_points(self, contact: cython.Py_ssize_t) -> cython.void:
        """Fill the points of a contact, with the impulses of the step before."""
        cython.declare(o=cython.Py_ssize_t, c=cython.Py_ssize_t, at=cython.Py_ssize_t, point=cython.Py_ssize_t)
        cython.declare(number=cython.Py_ssize_t)
        d, p, given, c = self.header, self.point, self.contacts.points, 24 * contact
        mass = d[c + 9] + d[c + 10]
        for point in range(self.contacts.start[contact], self.contacts.start[contact + 1]):
            at, o = 13 * point, 16 * point
            for number in range(6):
                p[o + number] = given[at + number]
            p[o + 6] = given[at + 6] - _SLOP * self.contacts.size[contact]
            if d[c + 21] == 0.0:
                p[o + 7] = p[o + 8] = p[o + 9] = 1.0 / mass
            elif self.flat:
                x, y = p[o] * d[c + 1] - p[o + 1] * d[c], p[o + 3] * d[c + 1] - p[o + 4] * d[c]
                p[o + 7] = 1.0 / (mass + d[c + 22] * x * x + d[c + 23] * y * y)
                x, y = p[o] * d[c] + p[o + 1] * d[c + 1], p[o + 3] * d[c] + p[o + 4] * d[c + 1]
                p[o + 8] = 1.0 / (mass + d[c + 22] * x * x + d[c + 23] * y * y)
            else:
                for number in range(3):
                    p[o + 7 + number] = 1.0 / (mass + self.mass_along(contact, o, c + 3 * number))
            p[o + 10], p[o + 11], p[o + 12] = given[at + 7], 0.0, 0.0
            for number in range(3):
                if d[c + 21] != 0.0:
                    p[o + 6] -= (p[o + 3 + number] - p[o + number]) * d[c + number]
                if d[c + 11] != 0.0:
                    p[o + 11] += given[at + 8 + number] * d[c + 3 + number]
                    p[o + 12] += given[at + 8 + number] * d[c + 6 + number]
            p[o + 13] = p[o + 14] = p[o + 15] = 0.0
            if d[c + 20] > 0.0:  # it may bounce: its contact and its number
                self.bouncing[self.bouncing_count] = cython.cast(cython.int, contact)
                self.bouncing[self.bouncing_count + 1] = cython.cast(cython.int, point)
                self.bouncing_count += 2

    def mass_along(self, contact: cython.Py_ssize_t, o: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.double:
        """Return what turning adds to the inverse mass that an impulse at a point in a direction moves."""
        cython.declare(side=cython.Py_ssize_t, k=cython.Py_ssize_t, j=cython.Py_ssize_t)
        d, p, i, result = self.header, self.point, self.inertia, 0.0
        for side in range(2):
            j, k = 6 * (self.contacts.second[contact] if side else self.contacts.first[contact]), o + 3 * side
            x = p[k + 1] * d[at + 2] - p[k + 2] * d[at + 1]
            y = p[k + 2] * d[at] - p[k] * d[at + 2]
            z = p[k] * d[at + 1] - p[k + 1] * d[at]
            result += x * (i[j] * x + i[j + 1] * y + i[j + 2] * z)
            result += y * (i[j + 1] * x + i[j + 3] * y + i[j + 4] * z)
            result += z * (i[j + 2] * x + i[j + 4] * y + i[j + 5] * z)
        return result

    # A substep.

    def accelerate(self, gx: cython.double, gy: cython.double, gz: cython.double) -> cython.void:
        """Change velocities by gravity and damping."""
        cython.declare(body=cython.Py_ssize_t, at=cython.Py_ssize_t, axis=cython.Py_ssize_t)
        m, bodies = self.motion, self.bodies
        for body in range(bodies.count):
            if bodies.inverse_mass[body] == 0.0:
                continue
            at, scale = 16 * body, self.h * bodies.gravity_scale[body]
            m[at] += scale * gx
            m[at + 1] += scale * gy
            m[at + 2] += scale * gz
            if bodies.damping[2 * body] != 0.0 or bodies.damping[2 * body + 1] != 0.0:
                linear = 1.0 / (1.0 + self.h * bodies.damping[2 * body])
                angular = 1.0 / (1.0 + self.h * bodies.damping[2 * body + 1])
                for axis in range(at, at + 3):
                    m[axis] *= linear
                    m[axis + 3] *= angular

    def start(self) -> cython.void:
        """Apply the impulses of the substep before."""
        cython.declare(contact=cython.Py_ssize_t, point=cython.Py_ssize_t, c=cython.Py_ssize_t, o=cython.Py_ssize_t)
        d, p, contacts = self.header, self.point, self.contacts
        for contact in range(self.count):
            c = 24 * contact
            for point in range(contacts.start[contact], contacts.start[contact + 1]):
                o = 16 * point
                x = p[o + 10] * d[c] + p[o + 11] * d[c + 3] + p[o + 12] * d[c + 6]
                y = p[o + 10] * d[c + 1] + p[o + 11] * d[c + 4] + p[o + 12] * d[c + 7]
                self.apply(contact, o, x, y, p[o + 10] * d[c + 2] + p[o + 11] * d[c + 5] + p[o + 12] * d[c + 8])
            if d[c + 12] != 0.0:
                self.turn(contacts.first[contact], -d[c + 13], -d[c + 14], -d[c + 15])
                self.turn(contacts.second[contact], d[c + 13], d[c + 14], d[c + 15])

    def solve(self, use_bias: cython.bint) -> cython.void:
        """Solve each contact once. `use_bias`: softly, and push overlaps apart."""
        if self.flat:
            self.solve_flat(use_bias)
        else:
            self.solve_spatial(use_bias)

    def move(self) -> cython.void:
        """Move and turn the bodies by their velocities."""
        cython.declare(body=cython.Py_ssize_t, at=cython.Py_ssize_t, axis=cython.Py_ssize_t)
        m, i, h = self.motion, self.inertia, self.h
        for body in range(self.bodies.count):
            if self.bodies.inverse_mass[body] == 0.0:
                continue
            at = 16 * body
            for axis in range(at, at + 6):  # contacts that cannot be solved, as of a body too large for the bounds
                if not -_FASTEST <= m[axis] <= _FASTEST:
                    m[axis] = _FASTEST if m[axis] > 0.0 else -_FASTEST
            for axis in range(at, at + 3):
                m[axis + 6] += h * m[axis]
            x, y, z = h * m[at + 3], h * m[at + 4], h * m[at + 5]
            if i[6 * body] + i[6 * body + 3] + i[6 * body + 5] == 0.0:  # the angular velocity is that of its surface
                continue
            if not self.flat:
                turn = sqrt(x * x + y * y + z * z)
                m[at + 13] += turn
                if turn != 0.0:
                    turn_quaternion(m, at + 9, 0.5 * x, 0.5 * y, 0.5 * z, 1.0)
            elif z != 0.0:
                m[at + 13] += z
                if not self.bodies.is_ball[body]:  # else it looks the same, and so do its points of contact
                    sine, cosine = m[at + 11] + z * m[at + 12], m[at + 12] - z * m[at + 11]
                    turn = 1.0 / sqrt(sine * sine + cosine * cosine)
                    m[at + 11], m[at + 12] = sine * turn, cosine * turn

    def solve_flat(self, use_bias: cython.bint) -> cython.void:
        """Solve each contact once in the plane.

        Friction is solved first, by the impulses so far, so that stacks come to rest; but behind the first impulse of a
        hit, which may be its only one.
        """
        cython.declare(contact=cython.Py_ssize_t, point=cython.Py_ssize_t, a=cython.Py_ssize_t, b=cython.Py_ssize_t)
        cython.declare(c=cython.Py_ssize_t, o=cython.Py_ssize_t, end=cython.Py_ssize_t, half=cython.int)
        m, d, p = self.motion, self.header, self.point
        first, second, start = self.contacts.first, self.contacts.second, self.contacts.start
        known = self.contacts.known
        per_h, size = 1.0 / self.h, self.contacts.size
        for contact in range(self.count):
            push = -_PUSH * size[contact]
            c, a, b, end = 24 * contact, 16 * first[contact], 16 * second[contact], start[contact + 1]
            nx, ny, mass_a, mass_b, friction = d[c], d[c + 1], d[c + 9], d[c + 10], d[c + 11]
            ax, ay, bx, by = m[a], m[a + 1], m[b], m[b + 1]
            if d[c + 21] == 0.0:
                o = 16 * start[contact]
                speed = (bx - ax) * nx + (by - ay) * ny
                separation = (m[b + 6] - m[a + 6]) * nx + (m[b + 7] - m[a + 7]) * ny + p[o + 6]
                old, mass = p[o + 10], p[o + 7]
                if separation > 0.0:
                    new = old - mass * (speed + separation * per_h)
                elif use_bias:
                    new = d[c + 18] * (old - mass * (speed + max(d[c + 17] * separation, push)))
                else:
                    new = old - mass * speed
                new = max(new, 0.0)
                p[o + 10], p[o + 13] = new, max(p[o + 13], new)
                old, separation = new - old, p[o + 11]
                new *= friction
                speed = max(min(separation - mass * ((by - ay) * nx - (bx - ax) * ny), new), -new)
                p[o + 11] = speed
                speed -= separation
                x, y = old * nx - speed * ny, old * ny + speed * nx
                m[a], m[a + 1] = ax - mass_a * x, ay - mass_a * y
                m[b], m[b + 1] = bx + mass_b * x, by + mass_b * y
                continue
            moment_a, moment_b, aw, bw, total = d[c + 22], d[c + 23], m[a + 5], m[b + 5], 0.0
            x, y, u, v = mass_a * nx, mass_a * ny, mass_b * nx, mass_b * ny
            for half in range(2):
                if half == (0 if known[contact] else 1):
                    for point in range(start[contact], end if friction != 0.0 else start[contact]):
                        o = 16 * point
                        arm, other, old = p[o] * nx + p[o + 1] * ny, p[o + 3] * nx + p[o + 4] * ny, p[o + 11]
                        speed = ((by - ay) * nx - (bx - ax) * ny) + (bw * other - aw * arm)
                        new = friction * p[o + 10]
                        new = max(min(old - p[o + 8] * speed, new), -new)
                        p[o + 11] = new
                        new -= old
                        ax, ay, aw = ax + y * new, ay - x * new, aw - moment_a * arm * new
                        bx, by, bw = bx - v * new, by + u * new, bw + moment_b * other * new
                    continue
                for point in range(start[contact], end):
                    o = 16 * point
                    rx, ry, qx, qy = p[o], p[o + 1], p[o + 3], p[o + 4]
                    old, mass = p[o + 10], p[o + 7]
                    separation = (
                        (m[b + 6] - m[a + 6] + m[b + 12] * qx - m[b + 11] * qy - m[a + 12] * rx + m[a + 11] * ry) * nx
                        + (m[b + 7] - m[a + 7] + m[b + 11] * qx + m[b + 12] * qy - m[a + 11] * rx - m[a + 12] * ry) * ny
                        + p[o + 6]
                    )
                    arm, other = rx * ny - ry * nx, qx * ny - qy * nx
                    speed = ((bx - ax) * nx + (by - ay) * ny) + (bw * other - aw * arm)
                    if separation > 0.0:
                        new = old - mass * (speed + separation * per_h)
                    elif use_bias:
                        new = d[c + 18] * (old - mass * (speed + max(d[c + 17] * separation, push)))
                    else:
                        new = old - mass * speed
                    new = max(new, 0.0)
                    p[o + 10], p[o + 13] = new, max(p[o + 13], new)
                    total += new
                    new -= old
                    ax, ay, aw = ax - x * new, ay - y * new, aw - moment_a * arm * new
                    bx, by, bw = bx + u * new, by + v * new, bw + moment_b * other * new
            if d[c + 12] != 0.0:
                total *= d[c + 12]
                new = max(min(d[c + 15] - d[c + 16] * (bw - aw), total), -total)
                old = new - d[c + 15]
                d[c + 15] = new
                aw, bw = aw - moment_a * old, bw + moment_b * old
            m[a], m[a + 1], m[a + 5] = ax, ay, aw
            m[b], m[b + 1], m[b + 5] = bx, by, bw

    def solve_spatial(self, use_bias: cython.bint) -> cython.void:
        """Solve each contact once in space."""
        cython.declare(contact=cython.Py_ssize_t)
        for contact in range(self.count):
            if self.contacts.known[contact]:
                self.rub(contact)
            total = self.solve_normal(contact, use_bias)
            if not self.contacts.known[contact]:
                self.rub(contact)
            if self.header[24 * contact + 12] != 0.0:
                self.solve_rolling(contact, self.header[24 * contact + 12] * total)

    def solve_normal(self, contact: cython.Py_ssize_t, use_bias: cython.bint) -> cython.double:
        """Solve the points of a contact along the normal; returns the sum of their impulses."""
        cython.declare(c=cython.Py_ssize_t, o=cython.Py_ssize_t, point=cython.Py_ssize_t)
        d, p, c, size, total = self.header, self.point, 24 * contact, self.contacts.size[contact], 0.0
        for point in range(self.contacts.start[contact], self.contacts.start[contact + 1]):
            o = 16 * point
            separation = self.separation(contact, o)
            speed, old, mass = self.speed_along(contact, o), p[o + 10], p[o + 7]
            if separation > 0.0:
                new = old - mass * (speed + separation / self.h)
            elif use_bias:
                new = d[c + 18] * (old - mass * (speed + max(d[c + 17] * separation, -_PUSH * size)))
            else:
                new = old - mass * speed
            new = max(new, 0.0)
            p[o + 10], p[o + 13] = new, max(p[o + 13], new)
            total += new
            new -= old
            self.apply(contact, o, new * d[c], new * d[c + 1], new * d[c + 2])
        return total

    def rub(self, contact: cython.Py_ssize_t) -> cython.void:
        """Solve the friction of the points of a contact in space: a vector of limited length."""
        cython.declare(c=cython.Py_ssize_t, o=cython.Py_ssize_t, point=cython.Py_ssize_t)
        d, p, c = self.header, self.point, 24 * contact
        if d[c + 11] == 0.0:
            return
        for point in range(self.contacts.start[contact], self.contacts.start[contact + 1]):
            o, limit = 16 * point, d[c + 11] * p[16 * point + 10]
            self.find_speed(contact, o)
            t = p[o + 11] - p[o + 8] * (self.x * d[c + 3] + self.y * d[c + 4] + self.z * d[c + 5])
            u = p[o + 12] - p[o + 9] * (self.x * d[c + 6] + self.y * d[c + 7] + self.z * d[c + 8])
            size = t * t + u * u
            if size > limit * limit:
                size = limit / sqrt(size)
                t, u = t * size, u * size
            x, y = t - p[o + 11], u - p[o + 12]
            p[o + 11], p[o + 12] = t, u
            t, u = x * d[c + 3] + y * d[c + 6], x * d[c + 4] + y * d[c + 7]
            self.apply(contact, o, t, u, x * d[c + 5] + y * d[c + 8])

    def solve_rolling(self, contact: cython.Py_ssize_t, limit: cython.double) -> cython.void:
        """Solve the resistance of a contact against rolling: a vector of limited length."""
        cython.declare(c=cython.Py_ssize_t, a=cython.Py_ssize_t, b=cython.Py_ssize_t)
        m, d, c = self.motion, self.header, 24 * contact
        a, b = 16 * self.contacts.first[contact], 16 * self.contacts.second[contact]
        x = d[c + 13] - d[c + 16] * (m[b + 3] - m[a + 3])
        y = d[c + 14] - d[c + 16] * (m[b + 4] - m[a + 4])
        z = d[c + 15] - d[c + 16] * (m[b + 5] - m[a + 5])
        size = x * x + y * y + z * z
        if size > limit * limit:
            size = limit / sqrt(size)
            x, y, z = x * size, y * size, z * size
        self.turn(self.contacts.first[contact], d[c + 13] - x, d[c + 14] - y, d[c + 15] - z)
        self.turn(self.contacts.second[contact], x - d[c + 13], y - d[c + 14], z - d[c + 15])
        d[c + 13], d[c + 14], d[c + 15] = x, y, z

    # What both kinds of steps do at a point.

    def separation(self, contact: cython.Py_ssize_t, o: cython.Py_ssize_t) -> cython.double:
        """Return the separation of a point now, less the slop."""
        cython.declare(c=cython.Py_ssize_t, a=cython.Py_ssize_t, b=cython.Py_ssize_t)
        m, d, p, c = self.motion, self.header, self.point, 24 * contact
        a, b = 16 * self.contacts.first[contact], 16 * self.contacts.second[contact]
        x, y, z = m[b + 6] - m[a + 6], m[b + 7] - m[a + 7], m[b + 8] - m[a + 8]
        if d[c + 21] != 0.0:
            self.find_lever(self.contacts.second[contact], p, o + 3)
            x, y, z = x + self.x, y + self.y, z + self.z
            self.find_lever(self.contacts.first[contact], p, o)
            x, y, z = x - self.x, y - self.y, z - self.z
        return x * d[c] + y * d[c + 1] + z * d[c + 2] + p[o + 6]

    def find_speed(self, contact: cython.Py_ssize_t, o: cython.Py_ssize_t) -> cython.void:
        """Set x, y and z to the velocity of the second body relative to the first at a point."""
        cython.declare(a=cython.Py_ssize_t, b=cython.Py_ssize_t)
        m, p = self.motion, self.point
        a, b = 16 * self.contacts.first[contact], 16 * self.contacts.second[contact]
        x = m[b] + m[b + 4] * p[o + 5] - m[b + 5] * p[o + 4]
        y = m[b + 1] + m[b + 5] * p[o + 3] - m[b + 3] * p[o + 5]
        z = m[b + 2] + m[b + 3] * p[o + 4] - m[b + 4] * p[o + 3]
        self.x = x - m[a] - m[a + 4] * p[o + 2] + m[a + 5] * p[o + 1]
        self.y = y - m[a + 1] - m[a + 5] * p[o] + m[a + 3] * p[o + 2]
        self.z = z - m[a + 2] - m[a + 3] * p[o + 1] + m[a + 4] * p[o]

    def speed_along(self, contact: cython.Py_ssize_t, o: cython.Py_ssize_t) -> cython.double:
        """Return the speed with which the bodies part at a point."""
        c: cython.Py_ssize_t
        d, c = self.header, 24 * contact
        self.find_speed(contact, o)
        return self.x * d[c] + self.y * d[c + 1] + self.z * d[c + 2]

    def apply(
        self,
        contact: cython.Py_ssize_t,
        o: cython.Py_ssize_t,
        x: cython.double,
        y: cython.double,
        z: cython.double,
    ) -> cython.void:
        """Apply an impulse at a point to the second body, and its opposite to the first."""
        cython.declare(a=cython.Py_ssize_t, b=cython.Py_ssize_t, c=cython.Py_ssize_t)
        m, p, d, c = self.motion, self.point, self.header, 24 * contact
        a, b = self.contacts.first[contact], self.contacts.second[contact]
        mass_a, mass_b = d[c + 9], d[c + 10]
        m[16 * a] -= mass_a * x
        m[16 * a + 1] -= mass_a * y
        m[16 * a + 2] -= mass_a * z
        m[16 * b] += mass_b * x
        m[16 * b + 1] += mass_b * y
        m[16 * b + 2] += mass_b * z
        if self.flat:
            m[16 * a + 5] -= d[c + 22] * (p[o] * y - p[o + 1] * x)
            m[16 * b + 5] += d[c + 23] * (p[o + 3] * y - p[o + 4] * x)
        elif d[c + 21] != 0.0:
            self.turn(a, p[o + 2] * y - p[o + 1] * z, p[o] * z - p[o + 2] * x, p[o + 1] * x - p[o] * y)
            self.turn(b, p[o + 4] * z - p[o + 5] * y, p[o + 5] * x - p[o + 3] * z, p[o + 3] * y - p[o + 4] * x)

    def turn(self, body: cython.Py_ssize_t, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Change the angular velocity of a body in space by a change of its angular momentum."""
        cython.declare(at=cython.Py_ssize_t, to=cython.Py_ssize_t)
        m, i, at, to = self.motion, self.inertia, 6 * body, 16 * body + 3
        m[to] += i[at] * x + i[at + 1] * y + i[at + 2] * z
        m[to + 1] += i[at + 1] * x + i[at + 3] * y + i[at + 4] * z
        m[to + 2] += i[at + 2] * x + i[at + 4] * y + i[at + 5] * z

    def rotate(self, rotation: cython.double[::1], at: cython.Py_ssize_t) -> cython.void:
        """Turn the vector x, y, z by a quaternion of length 1."""
        x, y, z, w = rotation[at], rotation[at + 1], rotation[at + 2], rotation[at + 3]
        u = 2.0 * (y * self.z - z * self.y)
        v = 2.0 * (z * self.x - x * self.z)
        t = 2.0 * (x * self.y - y * self.x)
        self.x += w * u + y * t - z * v
        self.y += w * v + z * u - x * t
        self.z += w * t + x * v - y * u

    def find_lever(self, body: cython.Py_ssize_t, levers: cython.double[::1], at: cython.Py_ssize_t) -> cython.void:
        """Set x, y and z to a lever as its body has turned in this step. That of a ball does not turn."""
        cython.declare(m=cython.Py_ssize_t)
        self.x, self.y, self.z, m = levers[at], levers[at + 1], levers[at + 2], 16 * body
        if self.motion[m + 13] != 0.0 and not self.bodies.is_ball[body]:
            self.turn_lever(m)

    def turn_lever(self, m: cython.Py_ssize_t) -> cython.void:
        """Turn x, y and z as the body with the numbers from m on has turned in this step."""
        if self.flat:
            sine, cosine = self.motion[m + 11], self.motion[m + 12]
            self.x, self.y = cosine * self.x - sine * self.y, sine * self.x + cosine * self.y
        else:
            self.rotate(self.motion, m + 9)

    # Restitution (rule I4).

    def note_approaches(self) -> cython.void:
        """Note the speed with which bodies approach where they may bounce."""
        cython.declare(number=cython.Py_ssize_t, o=cython.Py_ssize_t)
        for number in range(0, self.bouncing_count, 2):
            o = 16 * self.bouncing[number + 1]
            self.point[o + 14], self.point[o + 15] = -self.speed_along(self.bouncing[number], o), 0.0

    def bounce(self) -> cython.void:
        """Give bodies that were stopped a share of their speed back.

        The points are solved several times, because each changes the others. The impulse of a bounce is no start for
        the next substep.
        """
        cython.declare(number=cython.Py_ssize_t, o=cython.Py_ssize_t, bounces=cython.bint, largest=cython.double)
        p, bounces = self.point, False
        for number in range(0, self.bouncing_count, 2):
            o = 16 * self.bouncing[number + 1]
            bounces |= p[o + 14] > self.bounce_speed(self.bouncing[number]) and p[o + 10] > 0.0
            self.contacts.points[13 * self.bouncing[number + 1] + 8] = self.speed_along(self.bouncing[number], o)
        if not bounces:
            return
        for _ in range(_BOUNCES):
            largest = 0.0
            for number in range(0, self.bouncing_count, 2):
                largest = max(largest, self.bounce_point(self.bouncing[number], self.bouncing[number + 1]))
            if largest < 1e-3:
                break
        self.weaken_bounce()
        for number in range(0, self.bouncing_count, 2):
            o = 16 * self.bouncing[number + 1]
            if p[o + 10] > 0.0:
                p[o + 13] = max(p[o + 13], p[o + 10] + p[o + 15])
                if p[o + 14] > self.bounce_speed(self.bouncing[number]):
                    p[o + 10] = p[o + 11] = p[o + 12] = 0.0

    def weaken_bounce(self) -> cython.void:
        """Take a part of all impulses of the bounce back, so that they give the bodies no energy.

        The energy that an impulse gives is half of it times the sum of the speeds before and after it. It grows where
        bodies part that a hit brings together again in the same substep.
        """
        cython.declare(number=cython.Py_ssize_t, o=cython.Py_ssize_t)
        p, given, linear, square = self.point, 0.0, 0.0, 0.0
        for number in range(0, self.bouncing_count, 2):
            o, speed = 16 * self.bouncing[number + 1], self.contacts.points[13 * self.bouncing[number + 1] + 8]
            change, speed = self.speed_along(self.bouncing[number], o) - speed, speed - p[o + 14]
            given += p[o + 10] * speed
            linear += p[o + 10] * change + p[o + 15] * speed
            square += p[o + 15] * change
        given = min(given, 0.0)
        if given + linear + square > 0.0:
            share = sqrt(linear * linear - 4.0 * given * square)
            share = 1.0 - (-2.0 * given / (share + linear) if linear > 0.0 else 0.5 * (share - linear) / square)
            for number in range(0, self.bouncing_count, 2):
                o = 16 * self.bouncing[number + 1]
                self.add_bounce(self.bouncing[number], o, -share * p[o + 15])

    def bounce_speed(self, contact: cython.Py_ssize_t) -> cython.double:
        """Return the speed from which the bodies of a contact bounce."""
        return self.threshold + _BOUNCE * self.contacts.size[contact]

    def bounce_point(self, contact: cython.Py_ssize_t, point: cython.Py_ssize_t) -> cython.double:
        """Solve a point that may bounce; returns the change of speed, in parts of that from which it does."""
        cython.declare(o=cython.Py_ssize_t)
        p, out, o, limit = self.point, self.contacts.points, 16 * point, self.bounce_speed(contact)
        if p[o + 10] == 0.0:
            return 0.0
        speed = self.speed_along(contact, o)
        if p[o + 14] > limit:
            speed -= self.header[24 * contact + 20] * p[o + 14]
            out[13 * point + 12] = max(out[13 * point + 12], p[o + 14])
        impulse = max(p[o + 15] - p[o + 7] * speed, -p[o + 10]) - p[o + 15]
        self.add_bounce(contact, o, impulse)
        return abs(impulse) / (p[o + 7] * limit)

    def add_bounce(self, contact: cython.Py_ssize_t, o: cython.Py_ssize_t, impulse: cython.double) -> cython.void:
        """Add an impulse along the normal to the bounce of a point."""
        cython.declare(c=cython.Py_ssize_t)
        d, c = self.header, 24 * contact
        self.point[o + 15] += impulse
        self.apply(contact, o, impulse * d[c], impulse * d[c + 1], impulse * d[c + 2])

    # After the substeps.

    def follow_leads(self) -> cython.void:
        """Let all bodies of a group have moved as its first one (I10)."""
        cython.declare(body=cython.Py_ssize_t, number=cython.Py_ssize_t, lead=cython.Py_ssize_t)
        for body in range(self.bodies.count):
            lead = self.bodies.lead[body]
            for number in range(14):
                self.motion[16 * body + number] = self.motion[16 * lead + number]
        self.contacts.use_members()

    def finish_body(self, body: cython.Py_ssize_t) -> cython.void:
        """Write the velocities, the displacement and the rotation of a body."""
        cython.declare(at=cython.Py_ssize_t, to=cython.Py_ssize_t, axis=cython.Py_ssize_t)
        m, bodies, at, to = self.motion, self.bodies, 16 * body, 3 * body
        for axis in range(3):
            bodies.velocity[to + axis] = max(min(m[at + axis], _FASTEST), -_FASTEST)
            bodies.angular[to + axis] = max(min(m[at + 3 + axis], _FASTEST), -_FASTEST)
            bodies.moved[to + axis] = m[at + 6 + axis]
        bodies.turned[body] = m[at + 13]
        if m[at + 13] == 0.0:
            return
        self.x, self.y, self.z = bodies.lever[to], bodies.lever[to + 1], bodies.lever[to + 2]
        if self.x != 0.0 or self.y != 0.0 or self.z != 0.0:  # the position turns about the centre of mass
            if self.flat:  # the sum of small turns would let the centre drift
                m[at + 11], m[at + 12] = sine_cosine(m[at + 13])
            self.turn_lever(at)
            bodies.moved[to] += bodies.lever[to] - self.x
            bodies.moved[to + 1] += bodies.lever[to + 1] - self.y
            bodies.moved[to + 2] += bodies.lever[to + 2] - self.z
        bodies.stale[body] = 1
        if self.flat:
            bodies.angle[body] += m[at + 13]
            return
        turn_quaternion(bodies.rotation, 4 * body, m[at + 9], m[at + 10], m[at + 11], m[at + 12])

    def finish_contact(self, contact: cython.Py_ssize_t) -> cython.void:
        """Write the impulses of a contact."""
        cython.declare(axis=cython.Py_ssize_t, point=cython.Py_ssize_t, c=cython.Py_ssize_t, o=cython.Py_ssize_t)
        d, p, contacts, c = self.header, self.point, self.contacts, 24 * contact
        out, contacts.held[contact] = contacts.points, 0
        for axis in range(3):
            contacts.rolling[3 * contact + axis] = d[c + 13 + axis]
        for point in range(contacts.start[contact], contacts.start[contact + 1]):
            o = 16 * point
            out[13 * point + 7], out[13 * point + 11] = p[o + 10], p[o + 13]
            if contacts.held[contact] == 0 and (contacts.known[contact] or p[o + 13] > 0.0):
                contacts.held[contact] = self.separation(contact, o) <= _SLOP * contacts.size[contact]
            for axis in range(3):
                out[13 * point + 8 + axis] = p[o + 11] * d[c + 3 + axis] + p[o + 12] * d[c + 6 + axis]


def turn_quaternion(
    q: cython.double[::1],
    at: cython.Py_ssize_t,
    x: cython.double,
    y: cython.double,
    z: cython.double,
    w: cython.double,
) -> cython.void:
    """Turn a rotation by another one, and give it the length 1."""
    r, s, t, u = q[at], q[at + 1], q[at + 2], q[at + 3]
    r, s, t, u = (
        w * r + x * u + y * t - z * s,
        w * s + y * u + z * r - x * t,
        w * t + z * u + x * s - y * r,
        w * u - x * r - y * s - z * t,
    )
    scale = 1.0 / sqrt(r * r + s * s + t * t + u * u)
    q[at], q[at + 1], q[at + 2], q[at + 3] = r * scale, s * scale, t * scale, u * scale
