# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Fused bodies in a step of dynamics: each group is one rigid body (rule I10).

Each member stays a body of the step, with parts, a material and contacts of its own. But all of them get the mass, the
moments, the centre of mass and the velocities of the group, the solver moves the one with the lowest id, and the others
follow it (`StepBodies.lead`). Afterwards each member has the velocity of its own centre of mass, from which the next
step starts: so momentum is kept if groups are joined or split, and there is no other state.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import zeros
from ecs_collision.components import MAX_SPEED, Vector
from ecs_collision.dynamics.mass_properties import SMALLEST, Quaternion, diagonal, quaternion_of_matrix
from ecs_collision.dynamics.step_bodies import StepBodies
from ecs_collision.fixed_point import LATTICE

_FASTEST = cython.declare(cython.double, MAX_SPEED)
_LATTICE = cython.declare(cython.double, LATTICE)


@cython.final
@cython.cclass
class FusedBodies:
    """The groups of a step. `mean` are the means of a group by mass: place, velocity, gravity scale and dampings."""

    def __init__(self) -> None:
        self.bodies = StepBodies()
        self.apart, self.mean, self.tensor, self.spin = zeros("d", 3), zeros("d", 9), zeros("d", 9), zeros("d", 3)
        self.x = self.y = self.z = 0.0

    def join(self, bodies: StepBodies, leaders: cython.int[::1]) -> None:
        """Let the dynamic bodies of each group be one. leaders: of each body, a number that its group shares."""
        at: cython.Py_ssize_t
        groups: dict[int, list[int]] = {}
        for at in range(bodies.count):
            if bodies.inverse_mass[at] != 0.0:
                groups.setdefault(leaders[at], []).append(at)
        self.bodies = bodies
        if len(self.apart) < 3 * bodies.count:
            self.apart = zeros("d", 6 * bodies.count)
        for members in groups.values():
            if len(members) > 1:
                if not bodies.has_groups:
                    bodies.place()  # for the centres of mass
                    bodies.has_groups = True
                self.join_group(members)

    def join_group(self, members: list[int]) -> None:
        """Give the bodies of a group its mass, centre, moments and velocities.

        Momentum, and angular momentum about the common centre, are the sums of theirs. If one of them never turns, the
        group never does.
        """
        cython.declare(each=cython.Py_ssize_t, lead=cython.Py_ssize_t, k=cython.Py_ssize_t, at=cython.Py_ssize_t)
        b, mean, lead, total, turns = self.bodies, self.mean, members[0], 0.0, True
        for k in range(9):
            mean[k] = self.tensor[k] = 0.0
        for k in range(3):
            self.spin[k] = 0.0
        for each in members:
            turns = turns and self.can_turn(each)
            mass = 1.0 / b.inverse_mass[each]
            self.find_place(each, lead)
            total += mass
            mean[0] += mass * (self.x + b.lever[3 * each])
            mean[1] += mass * (self.y + b.lever[3 * each + 1])
            mean[2] += mass * (self.z + b.lever[3 * each + 2])
            for k in range(3):
                mean[3 + k] += mass * b.velocity[3 * each + k]
            mean[6] += mass * b.gravity_scale[each]
            mean[7] += mass * b.damping[2 * each]
            mean[8] += mass * b.damping[2 * each + 1]
        for k in range(9):
            mean[k] /= total
        moments, axes = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)
        if turns:
            for each in members:
                self.add_inertia(each, lead)
            moments, axes = self.find_moments()
        else:
            self.spin[0] = self.spin[1] = self.spin[2] = 0.0
        for at in range(len(members)):
            each = members[at]
            b.lead[each] = cython.cast(cython.int, lead)
            b.following[each] = members[at + 1 if at + 1 < len(members) else 0]
            self.find_place(each, lead)
            self.move_centre(each, turns)
            b.inverse_mass[each], b.gravity_scale[each], b.stale[each] = 1.0 / total, mean[6], 2
            b.damping[2 * each], b.damping[2 * each + 1] = mean[7], mean[8]
            for k in range(3):
                b.velocity[3 * each + k], b.angular[3 * each + k] = mean[3 + k], self.spin[k]
                b.inverse_moment[3 * each + k] = moments[k]
                if not turns:  # all are displaced by the same units
                    b.remainder[3 * each + k] = b.remainder[3 * lead + k]
            if turns and not b.flat:
                x, y, z, w = quaternion_at(b.rotation, 4 * each)
                frame = product((-x, -y, -z, w), axes)
                for k in range(4):
                    b.moment_axes[4 * each + k] = frame[k]

    def can_turn(self, body: cython.Py_ssize_t) -> cython.bint:
        """Return whether a body that is not fused yet turns."""
        i, at = self.bodies.inverse_moment, 3 * body
        return i[at] != 0.0 or i[at + 1] != 0.0 or i[at + 2] != 0.0

    def find_place(self, body: cython.Py_ssize_t, lead: cython.Py_ssize_t) -> cython.void:
        """Set x, y and z to the position of a body relative to that of the first one of its group."""
        cython.declare(a=cython.Py_ssize_t, o=cython.Py_ssize_t)
        at, left, a, o = self.bodies.position, self.bodies.remainder, 3 * body, 3 * lead
        self.x = (cython.cast(cython.double, at[a] - at[o]) + left[a] - left[o]) * _LATTICE
        self.y = (cython.cast(cython.double, at[a + 1] - at[o + 1]) + left[a + 1] - left[o + 1]) * _LATTICE
        self.z = (cython.cast(cython.double, at[a + 2] - at[o + 2]) + left[a + 2] - left[o + 2]) * _LATTICE

    def add_inertia(self, body: cython.Py_ssize_t, lead: cython.Py_ssize_t) -> None:
        """Add the moments and the angular momentum of a body about the common centre."""
        cython.declare(at=cython.Py_ssize_t, axis=cython.Py_ssize_t, i=cython.Py_ssize_t, j=cython.Py_ssize_t)
        b, t, spin, at = self.bodies, self.tensor, self.spin, 3 * body
        self.find_place(body, lead)
        mass = 1.0 / b.inverse_mass[body]
        x, y = self.x + b.lever[at] - self.mean[0], self.y + b.lever[at + 1] - self.mean[1]
        z = self.z + b.lever[at + 2] - self.mean[2]
        u, v, w = b.velocity[at] - self.mean[3], b.velocity[at + 1] - self.mean[4], b.velocity[at + 2] - self.mean[5]
        spin[0] += mass * (y * w - z * v)
        spin[1] += mass * (z * u - x * w)
        spin[2] += mass * (x * v - y * u)
        away = (x, y, z)
        for i in range(3):
            t[4 * i] += mass * (x * x + y * y + z * z)
            for j in range(3):
                t[3 * i + j] -= mass * away[i] * away[j]
        frame: Quaternion = (0.0, 0.0, 0.0, 1.0)
        if not b.flat:
            frame = product(quaternion_at(b.rotation, 4 * body), quaternion_at(b.moment_axes, 4 * body))
        for axis in range(3):
            if b.inverse_moment[at + axis] != 0.0:
                moment, along = 1.0 / b.inverse_moment[at + axis], column(frame, axis)
                speed = along[0] * b.angular[at] + along[1] * b.angular[at + 1] + along[2] * b.angular[at + 2]
                for i in range(3):
                    spin[i] += moment * along[i] * speed
                    for j in range(3):
                        t[3 * i + j] += moment * along[i] * along[j]

    def find_moments(self) -> tuple[Vector, Quaternion]:
        """Return the inverse moments of a group and their axes; `spin` becomes its angular velocity."""
        cython.declare(axis=cython.Py_ssize_t, k=cython.Py_ssize_t)
        t, spin = self.tensor, self.spin
        if self.bodies.flat:
            moment = 1.0 / t[8]
            spin[0], spin[1], spin[2] = 0.0, 0.0, spin[2] * moment
            return (0.0, 0.0, moment), (0.0, 0.0, 0.0, 1.0)
        values, matrix = diagonal([[t[3 * row + k] for k in range(3)] for row in range(3)])
        least = SMALLEST * max(values)
        x, y, z = [1.0 / each if each > least else 0.0 for each in values]
        moments = (x, y, z)
        speeds = [0.0, 0.0, 0.0]
        for axis in range(3):
            along = matrix[axis] * spin[0] + matrix[3 + axis] * spin[1] + matrix[6 + axis] * spin[2]
            for k in range(3):
                speeds[k] += matrix[3 * k + axis] * moments[axis] * along
        spin[0], spin[1], spin[2] = speeds[0], speeds[1], speeds[2]
        return moments, quaternion_of_matrix(matrix)

    def move_centre(self, body: cython.Py_ssize_t, turns: cython.bint) -> cython.void:
        """Let the centre of mass of a body be that of its group; `apart` is where its own one is from there.

        In a group that never turns all points have the same velocity.
        """
        cython.declare(at=cython.Py_ssize_t, k=cython.Py_ssize_t)
        b, m, at = self.bodies, self.bodies.matrix, 3 * body
        for k in range(3):
            self.apart[at + k] = b.centre[at + k] if turns else 0.0
            b.centre[at + k] = 0.0
        if turns:
            b.set_matrix(body)
            x, y, z = self.mean[0] - self.x, self.mean[1] - self.y, self.mean[2] - self.z
            for k in range(3):  # the matrix is turned back
                b.centre[at + k] = m[k] * x + m[3 + k] * y + m[6 + k] * z
                self.apart[at + k] -= b.centre[at + k]

    def part(self) -> cython.void:
        """Give each member the velocity of its own centre of mass, after a step."""
        cython.declare(body=cython.Py_ssize_t, at=cython.Py_ssize_t, k=cython.Py_ssize_t)
        b, m = self.bodies, self.bodies.matrix
        for body in range(b.count):
            if b.following[body] == body:
                continue
            at, v, w = 3 * body, b.velocity, b.angular
            b.set_matrix(body)
            a, c, d = self.apart[at], self.apart[at + 1], self.apart[at + 2]
            x, y, z = m[0] * a + m[1] * c + m[2] * d, m[3] * a + m[4] * c + m[5] * d, m[6] * a + m[7] * c + m[8] * d
            v[at] += w[at + 1] * z - w[at + 2] * y
            v[at + 1] += w[at + 2] * x - w[at] * z
            v[at + 2] += w[at] * y - w[at + 1] * x
            for k in range(at, at + 3):
                v[k] = max(min(v[k], _FASTEST), -_FASTEST)


def quaternion_at(rotations: cython.double[::1], at: cython.Py_ssize_t) -> Quaternion:
    """Return four numbers of a view."""
    return (rotations[at], rotations[at + 1], rotations[at + 2], rotations[at + 3])


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the rotation by b, then by a."""
    x, y, z, w = a
    p, q, r, s = b
    return (
        w * p + x * s + y * r - z * q,
        w * q + y * s + z * p - x * r,
        w * r + z * s + x * q - y * p,
        w * s - x * p - y * q - z * r,
    )


def column(frame: Quaternion, axis: int) -> tuple[float, float, float]:
    """Return one of the axes x, y and z, turned."""
    x, y, z, w = frame
    if axis == 0:
        return (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w))
    if axis == 1:
        return (2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w))
    return (2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y))
