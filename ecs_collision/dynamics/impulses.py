# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Impulses at contacts: along the normal, and friction across it (rule I3), whose strength `solver.py` gives.

This is the method of sequential impulses (Catto 2006) over layers: all contacts of a layer are solved from the same
velocities, and a body that is in c of them counts as c bodies of a part of its mass (mass splitting; Tonge,
Benevolenski and Voroshilov 2012), so that together they do not overshoot. Normals at a right angle do not act on each
other, so a contact counts by the part that is along the other's normal. What they add to a velocity is summed in
whole multiples of 2**-48, so it does not depend on their order. Numbers are rounded towards 0, so mirrored worlds are
equal.

A change of speed that is rounded to nothing also leaves the impulse of the contact. So bodies at rest come to a state
that is the same to the bit after every step.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

from ecs_collision.dynamics.contact_list import ContactList
from ecs_collision.dynamics.dynamic_bodies import DynamicBodies
from ecs_collision.dynamics.layers import Layers

PER_SPEED = 2.0**48
"""Number of quanta of speed in a unit per second."""

_QUANTUM = cython.declare(cython.double, 1.0 / PER_SPEED)
"""Velocities are whole multiples of this, in units or radians per second."""

_PER_SPEED = cython.declare(cython.double, PER_SPEED)
_LARGEST = cython.declare(cython.double, 2.0**12)
"""One solution of a contact changes a speed by at most this. So sums of quanta fit in 63 bits."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _limited(value: cython.double) -> cython.double:
    """Return a change of speed, cut at the largest one."""
    return _LARGEST if value > _LARGEST else (-_LARGEST if value < -_LARGEST else value)


def whole_quanta(value: cython.double) -> cython.double:
    """Return a speed rounded to the nearest quantum, halves away from 0; floats from 16 on are whole already."""
    if value > 16.0 or value < -16.0:
        return value
    return cython.cast(cython.longlong, value * _PER_SPEED + (0.5 if value > 0.0 else -0.5)) * _QUANTUM


@cython.final
@cython.cclass
class Impulses:
    """Solves the contacts of a substep; velocities of bodies are changed in place."""

    def __init__(self) -> None:
        self.solve_count = self.body_capacity = self.contact_capacity = 0

    def begin(self, contacts: ContactList, bodies: DynamicBodies, layers: Layers) -> cython.void:
        """Begin a step."""
        self.contacts, self.bodies, self.layers = contacts, bodies, layers
        self.solve_count = 0
        if bodies.count >= self.body_capacity:
            capacity: cython.Py_ssize_t = 2 * bodies.count + 64
            self.gained, self.spun = array("q", bytes(24 * capacity)), array("q", bytes(24 * capacity))
            self.body_capacity = capacity

    def prepare(self) -> cython.void:
        """Compute the masses of the contacts, after their order is known."""
        contact: cython.Py_ssize_t
        at: cython.Py_ssize_t
        a: cython.int
        b: cython.int
        first: cython.double
        second: cython.double
        own: cython.double
        other: cython.double
        c: ContactList = self.contacts
        if c.count > self.contact_capacity:
            capacity: cython.Py_ssize_t = 2 * c.count + 64
            self.mass, self.mass_across, self.first_part, self.second_part = (
                array("d", bytes(8 * capacity)) for _ in range(4)
            )
            self.contact_capacity = capacity
        for contact in range(c.count):
            a, b = c.first[contact], c.second[contact]
            first, second = self.bodies.inverse_mass_view[a], self.bodies.inverse_mass_view[b]
            own, other = first, second
            if c.lever[contact] >= 0:
                at = 12 * c.lever[contact] + 6
                own += self.bodies.inverse_moment_view[a] * _square(c.levers[at], c.levers[at + 1], c.levers[at + 2])
                at += 3
                other += self.bodies.inverse_moment_view[b] * _square(c.levers[at], c.levers[at + 1], c.levers[at + 2])
            self.mass[contact] = c.first_crowd[contact] * own + c.second_crowd[contact] * other
            self.mass_across[contact] = c.first_share[contact] * first + c.second_share[contact] * second
            # Exactly 1 for the only contact of a body with an immovable one.
            self.first_part[contact] = first / self.mass[contact]
            self.second_part[contact] = second / self.mass[contact]

    def parting_speed(
        self, contact: cython.Py_ssize_t, velocity: cython.double[::1], angular: cython.double[::1]
    ) -> cython.double:
        """Return how fast the bodies of a contact part along its normal, at its point."""
        c: ContactList = self.contacts
        a: cython.Py_ssize_t = 3 * c.first[contact]
        b: cython.Py_ssize_t = 3 * c.second[contact]
        n: cython.Py_ssize_t = 3 * contact
        at: cython.Py_ssize_t
        speed: cython.double = (
            (velocity[b] - velocity[a]) * c.normal[n]
            + (velocity[b + 1] - velocity[a + 1]) * c.normal[n + 1]
            + (velocity[b + 2] - velocity[a + 2]) * c.normal[n + 2]
        )
        if c.lever[contact] >= 0:
            at = 12 * c.lever[contact] + 6
            speed += (
                angular[b] * c.levers[at + 3] + angular[b + 1] * c.levers[at + 4] + angular[b + 2] * c.levers[at + 5]
            ) - (angular[a] * c.levers[at] + angular[a + 1] * c.levers[at + 1] + angular[a + 2] * c.levers[at + 2])
        return speed

    # Solving.

    def apply_kept(self) -> cython.void:
        """Apply the impulses that the contacts have from the substep before, layer by layer."""
        layer: cython.Py_ssize_t
        at: cython.Py_ssize_t
        contact: cython.Py_ssize_t
        n: cython.Py_ssize_t
        mass: cython.double
        along: cython.double
        c: ContactList = self.contacts
        for layer in range(self.layers.layer_count):
            for at in range(self.layers.first_of_layer[layer], self.layers.first_of_layer[layer + 1]):
                contact = self.layers.order[at]
                along = c.along[contact]
                if along == 0.0:
                    continue
                n = 3 * contact
                mass = self.mass[contact]
                if c.lever[contact] >= 0:
                    self.push_with_levers(
                        contact,
                        along * c.normal[n] + c.across[n],
                        along * c.normal[n + 1] + c.across[n + 1],
                        along * c.normal[n + 2] + c.across[n + 2],
                    )
                else:
                    self.push(
                        contact,
                        _limited((along * c.normal[n] + c.across[n]) * mass),
                        _limited((along * c.normal[n + 1] + c.across[n + 1]) * mass),
                        _limited((along * c.normal[n + 2] + c.across[n + 2]) * mass),
                    )
            self.flush(layer, False)

    def solve(self, number: cython.Py_ssize_t, iterations: cython.int) -> cython.void:
        """Solve the contacts of a set: its layers from the lowest up, then down again in the next iteration.

        If nothing has changed, nothing will. What is left of bodies that something immovable holds is stopped.
        """
        begin: cython.Py_ssize_t = self.layers.first_of_set[number]
        end: cython.Py_ssize_t = self.layers.first_of_set[number + 1]
        layer: cython.Py_ssize_t
        iteration: cython.int
        changed: cython.bint
        for iteration in range(iterations):
            changed = False
            for layer in range(begin, end):
                if self.solve_layer(layer if iteration % 2 == 0 else begin + end - 1 - layer):
                    changed = True
            if not changed:
                return
        for layer in range(begin, end):
            self.stop_layer(layer)

    def stop_layer(self, layer: cython.Py_ssize_t) -> cython.void:
        """Stop the bodies of a layer that still approach the one below them, which here counts as immovable.

        Without this (shock propagation; Guendelman, Bridson and Fedkiw 2003) what a few iterations leave would add up
        from substep to substep, and high stacks would tremble. It never makes a body faster. The kept impulses do not
        change, so they go on to converge to the weights.
        """
        at: cython.Py_ssize_t
        lever: cython.Py_ssize_t
        n: cython.Py_ssize_t
        contact: cython.Py_ssize_t
        body: cython.Py_ssize_t
        share: cython.int
        crowd: cython.double
        sign: cython.double
        mass: cython.double
        speed: cython.double
        wanted: cython.double
        x: cython.double
        y: cython.double
        z: cython.double
        changed: cython.bint = False
        c: ContactList = self.contacts
        v: cython.double[::1] = self.bodies.velocity_view
        w: cython.double[::1] = self.bodies.angular_view
        for at in range(self.layers.first_of_layer[layer], self.layers.first_of_layer[layer + 1]):
            contact = self.layers.order[at]
            if self.layers.depth[c.first[contact]] == self.layers.depth[c.second[contact]]:
                continue
            wanted = -(self.parting_speed(contact, v, w) + c.limit[contact])
            if wanted <= 0.0:
                continue
            n = 3 * contact
            body, share, crowd, sign = c.second[contact], c.second_share[contact], c.second_crowd[contact], 1.0
            if self.layers.depth[c.first[contact]] > self.layers.depth[body]:
                body, share, crowd, sign = c.first[contact], c.first_share[contact], c.first_crowd[contact], -1.0
            speed = v[3 * body] * c.normal[n] + v[3 * body + 1] * c.normal[n + 1] + v[3 * body + 2] * c.normal[n + 2]
            mass = self.bodies.inverse_mass_view[body]
            lever = -1
            if c.lever[contact] >= 0:
                lever = 12 * c.lever[contact] + (3 if sign > 0.0 else 0)
                speed += (
                    w[3 * body] * c.levers[lever + 6]
                    + w[3 * body + 1] * c.levers[lever + 7]
                    + w[3 * body + 2] * c.levers[lever + 8]
                )
                mass += self.bodies.inverse_moment_view[body] * _square(
                    c.levers[lever + 6], c.levers[lever + 7], c.levers[lever + 8]
                )
            wanted = min(wanted, -sign * speed)
            if wanted <= 0.0:
                continue
            wanted = sign * wanted / (crowd * mass)
            x = y = z = 0.0
            if lever >= 0:
                x, y, z = c.levers[lever], c.levers[lever + 1], c.levers[lever + 2]
            changed = (
                self.push_body(
                    body, share, wanted * c.normal[n], wanted * c.normal[n + 1], wanted * c.normal[n + 2], x, y, z
                )
                or changed
            )
        if changed:
            self.flush(layer, True)

    def solve_layer(self, layer: cython.Py_ssize_t) -> cython.bint:
        """Solve the contacts of a layer from the same velocities; return whether anything changed.

        First along all normals, then across them: so contacts at a right angle do not weaken each other.
        """
        at: cython.Py_ssize_t
        contact: cython.Py_ssize_t
        alone: cython.bint
        crowded: cython.bint = False
        changed: cython.bint = False
        changed_too: cython.bint = False
        begin: cython.Py_ssize_t = self.layers.first_of_layer[layer]
        end: cython.Py_ssize_t = self.layers.first_of_layer[layer + 1]
        c: ContactList = self.contacts
        for at in range(begin, end):
            contact = self.layers.order[at]
            alone = c.first_share[contact] == 1 and c.second_share[contact] == 1
            if c.lever[contact] >= 0:
                changed = self.solve_with_levers(contact, True, alone) or changed
            else:
                changed = self.solve_contact(contact, alone) or changed
            crowded = crowded or not alone
        self.solve_count += end - begin
        if changed:
            self.flush(layer, False)
        if crowded:
            for at in range(begin, end):
                contact = self.layers.order[at]
                if c.friction[contact] == 0.0 or (c.first_share[contact] == 1 and c.second_share[contact] == 1):
                    continue
                if c.lever[contact] >= 0:
                    changed_too = self.solve_with_levers(contact, False, True) or changed_too
                else:
                    changed_too = self.solve_across(contact) or changed_too
            if changed_too:
                self.flush(layer, False)
        return changed or changed_too

    def solve_contact(self, contact: cython.Py_ssize_t, alone: cython.bint) -> cython.bint:
        """Solve a contact without levers along its normal, if it is alone also across it; return whether that changes.

        It is computed in changes of speed, so that it is exact if one body is immovable.
        """
        c: ContactList = self.contacts
        v: cython.double[::1] = self.bodies.velocity_view
        a: cython.Py_ssize_t = 3 * c.first[contact]
        b: cython.Py_ssize_t = 3 * c.second[contact]
        n: cython.Py_ssize_t = 3 * contact
        nx: cython.double = c.normal[n]
        ny: cython.double = c.normal[n + 1]
        nz: cython.double = c.normal[n + 2]
        x: cython.double = v[b] - v[a]
        y: cython.double = v[b + 1] - v[a + 1]
        z: cython.double = v[b + 2] - v[a + 2]
        speed: cython.double = x * nx + y * ny + z * nz
        mass: cython.double = self.mass[contact]
        old: cython.double = c.along[contact]
        wanted: cython.double = _limited(-(speed + c.limit[contact]))
        along: cython.double = old + wanted / mass
        if along < 0.0:
            along = 0.0
            wanted = _limited(-old * mass)
        if along == 0.0 and old == 0.0:
            return False  # nothing to hold, so no friction
        if not alone or c.friction[contact] == 0.0:
            if not self.push(contact, wanted * nx, wanted * ny, wanted * nz):
                return False
            c.along[contact] = along
            return True
        # Friction stops sliding, up to a disk of possible impulses.
        x, y, z = _limited(speed * nx - x), _limited(speed * ny - y), _limited(speed * nz - z)
        sx: cython.double = c.across[n] + x / mass
        sy: cython.double = c.across[n + 1] + y / mass
        sz: cython.double = c.across[n + 2] + z / mass
        most: cython.double = c.friction[contact] * along
        square: cython.double = sx * sx + sy * sy + sz * sz
        if square > most * most:
            most = most / sqrt(square)
            sx, sy, sz = sx * most, sy * most, sz * most
            x = _limited((sx - c.across[n]) * mass)
            y = _limited((sy - c.across[n + 1]) * mass)
            z = _limited((sz - c.across[n + 2]) * mass)
        if not self.push(contact, wanted * nx + x, wanted * ny + y, wanted * nz + z):
            return False
        c.along[contact] = along
        c.across[n], c.across[n + 1], c.across[n + 2] = sx, sy, sz
        return True

    def solve_across(self, contact: cython.Py_ssize_t) -> cython.bint:
        """Solve the friction of a contact without levers whose bodies are in others too; return whether it changes."""
        c: ContactList = self.contacts
        v: cython.double[::1] = self.bodies.velocity_view
        a: cython.Py_ssize_t = 3 * c.first[contact]
        b: cython.Py_ssize_t = 3 * c.second[contact]
        n: cython.Py_ssize_t = 3 * contact
        x: cython.double = v[b] - v[a]
        y: cython.double = v[b + 1] - v[a + 1]
        z: cython.double = v[b + 2] - v[a + 2]
        speed: cython.double = x * c.normal[n] + y * c.normal[n + 1] + z * c.normal[n + 2]
        mass: cython.double = self.mass_across[contact]
        sx: cython.double = c.across[n] - (x - speed * c.normal[n]) / mass
        sy: cython.double = c.across[n + 1] - (y - speed * c.normal[n + 1]) / mass
        sz: cython.double = c.across[n + 2] - (z - speed * c.normal[n + 2]) / mass
        most: cython.double = c.friction[contact] * c.along[contact]
        square: cython.double = sx * sx + sy * sy + sz * sz
        if square > most * most:
            most = most / sqrt(square)
            sx, sy, sz = sx * most, sy * most, sz * most
        x, y, z = sx - c.across[n], sy - c.across[n + 1], sz - c.across[n + 2]
        if not (
            self.push_body(c.first[contact], c.first_share[contact], -x, -y, -z, 0.0, 0.0, 0.0)
            | self.push_body(c.second[contact], c.second_share[contact], x, y, z, 0.0, 0.0, 0.0)
        ):
            return False
        c.across[n], c.across[n + 1], c.across[n + 2] = sx, sy, sz
        return True

    def push(self, contact: cython.Py_ssize_t, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Change the relative velocity of two bodies, in units per second; return whether it is more than rounding.

        If the bodies are in no other contact of the layer, nothing else reads their velocities until it is solved.
        """
        c: ContactList = self.contacts
        v: cython.double[::1]
        a: cython.Py_ssize_t = 3 * c.first[contact]
        b: cython.Py_ssize_t = 3 * c.second[contact]
        part: cython.double = self.first_part[contact] * _PER_SPEED
        ax: cython.longlong = cython.cast(cython.longlong, x * part)
        ay: cython.longlong = cython.cast(cython.longlong, y * part)
        az: cython.longlong = cython.cast(cython.longlong, z * part)
        part = self.second_part[contact] * _PER_SPEED
        bx: cython.longlong = cython.cast(cython.longlong, x * part)
        by: cython.longlong = cython.cast(cython.longlong, y * part)
        bz: cython.longlong = cython.cast(cython.longlong, z * part)
        if (ax | ay | az | bx | by | bz) == 0:
            return False
        if c.first_share[contact] == 1 and c.second_share[contact] == 1:
            v = self.bodies.velocity_view
            v[a] -= ax * _QUANTUM
            v[a + 1] -= ay * _QUANTUM
            v[a + 2] -= az * _QUANTUM
            v[b] += bx * _QUANTUM
            v[b + 1] += by * _QUANTUM
            v[b + 2] += bz * _QUANTUM
        else:
            self.gained[a] -= ax
            self.gained[a + 1] -= ay
            self.gained[a + 2] -= az
            self.gained[b] += bx
            self.gained[b + 1] += by
            self.gained[b + 2] += bz
        return True

    def solve_with_levers(
        self, contact: cython.Py_ssize_t, is_along: cython.bint, is_across: cython.bint
    ) -> cython.bint:
        """Solve a contact that turns a body, along its normal, across it, or both; return whether that changes.

        It is computed in impulses.
        """
        c: ContactList = self.contacts
        bodies: DynamicBodies = self.bodies
        v: cython.double[::1] = bodies.velocity_view
        w: cython.double[::1] = bodies.angular_view
        first: cython.Py_ssize_t = c.first[contact]
        second: cython.Py_ssize_t = c.second[contact]
        a: cython.Py_ssize_t = 3 * first
        b: cython.Py_ssize_t = 3 * second
        n: cython.Py_ssize_t = 3 * contact
        at: cython.Py_ssize_t = 12 * c.lever[contact]
        r: cython.double[::1] = c.levers
        nx: cython.double = c.normal[n]
        ny: cython.double = c.normal[n + 1]
        nz: cython.double = c.normal[n + 2]
        # The velocities of the two points.
        x: cython.double = (v[b] + (w[b + 1] * r[at + 5] - w[b + 2] * r[at + 4])) - (
            v[a] + (w[a + 1] * r[at + 2] - w[a + 2] * r[at + 1])
        )
        y: cython.double = (v[b + 1] + (w[b + 2] * r[at + 3] - w[b] * r[at + 5])) - (
            v[a + 1] + (w[a + 2] * r[at] - w[a] * r[at + 2])
        )
        z: cython.double = (v[b + 2] + (w[b] * r[at + 4] - w[b + 1] * r[at + 3])) - (
            v[a + 2] + (w[a] * r[at + 1] - w[a + 1] * r[at])
        )
        speed: cython.double = x * nx + y * ny + z * nz
        old: cython.double = c.along[contact]
        along: cython.double = old
        if is_along:
            along = max(0.0, old - (speed + c.limit[contact]) / self.mass[contact])
        if along == 0.0 and old == 0.0:
            return False
        x, y, z = x - speed * nx, y - speed * ny, z - speed * nz
        sx: cython.double = c.across[n]
        sy: cython.double = c.across[n + 1]
        sz: cython.double = c.across[n + 2]
        square: cython.double = x * x + y * y + z * z
        most: cython.double
        if is_across and c.friction[contact] > 0.0:
            if square > 0.0:
                # The mass in the direction of sliding.
                most = c.first_share[contact] * (
                    bodies.inverse_mass_view[first]
                    + bodies.inverse_moment_view[first] * _moment(r[at], r[at + 1], r[at + 2], x, y, z) / square
                ) + c.second_share[contact] * (
                    bodies.inverse_mass_view[second]
                    + bodies.inverse_moment_view[second] * _moment(r[at + 3], r[at + 4], r[at + 5], x, y, z) / square
                )
                sx, sy, sz = sx - x / most, sy - y / most, sz - z / most
            most = c.friction[contact] * along
            square = sx * sx + sy * sy + sz * sz
            if square > most * most:
                most = most / sqrt(square)
                sx, sy, sz = sx * most, sy * most, sz * most
        speed = along - old
        if not self.push_with_levers(
            contact,
            speed * nx + (sx - c.across[n]),
            speed * ny + (sy - c.across[n + 1]),
            speed * nz + (sz - c.across[n + 2]),
        ):
            return False
        c.along[contact] = along
        c.across[n], c.across[n + 1], c.across[n + 2] = sx, sy, sz
        return True

    def push_with_levers(
        self, contact: cython.Py_ssize_t, x: cython.double, y: cython.double, z: cython.double
    ) -> cython.bint:
        """Apply an impulse to the second body, its opposite to the first; return whether it is more than rounding."""
        c: ContactList = self.contacts
        at: cython.Py_ssize_t = 12 * c.lever[contact]
        r: cython.double[::1] = c.levers
        changed: cython.bint = self.push_body(
            c.first[contact], c.first_share[contact], -x, -y, -z, r[at], r[at + 1], r[at + 2]
        )
        return (
            self.push_body(c.second[contact], c.second_share[contact], x, y, z, r[at + 3], r[at + 4], r[at + 5])
            or changed
        )

    def push_body(
        self,
        body: cython.Py_ssize_t,
        share: cython.int,
        x: cython.double,
        y: cython.double,
        z: cython.double,
        rx: cython.double,
        ry: cython.double,
        rz: cython.double,
    ) -> cython.bint:
        """Apply an impulse at a lever; return whether it is more than rounding."""
        mass: cython.double = self.bodies.inverse_mass_view[body]
        moment: cython.double = self.bodies.inverse_moment_view[body]
        if mass == 0.0:
            return False
        most: cython.double = _LARGEST / share
        vx: cython.longlong = _quanta(x * mass, most)
        vy: cython.longlong = _quanta(y * mass, most)
        vz: cython.longlong = _quanta(z * mass, most)
        wx: cython.longlong = _quanta(moment * (ry * z - rz * y), most)
        wy: cython.longlong = _quanta(moment * (rz * x - rx * z), most)
        wz: cython.longlong = _quanta(moment * (rx * y - ry * x), most)
        self.gained[3 * body] += vx
        self.gained[3 * body + 1] += vy
        self.gained[3 * body + 2] += vz
        self.spun[3 * body] += wx
        self.spun[3 * body + 1] += wy
        self.spun[3 * body + 2] += wz
        return (vx | vy | vz | wx | wy | wz) != 0

    def flush(self, layer: cython.Py_ssize_t, all: cython.bint) -> cython.void:
        """Add to the velocities what the contacts of a layer have gathered, or those of them that always gather."""
        at: cython.Py_ssize_t
        side: cython.int
        axis: cython.Py_ssize_t
        contact: cython.Py_ssize_t
        body: cython.Py_ssize_t
        c: ContactList = self.contacts
        for at in range(self.layers.first_of_layer[layer], self.layers.first_of_layer[layer + 1]):
            contact = self.layers.order[at]
            if not all and c.lever[contact] < 0 and c.first_share[contact] == 1 and c.second_share[contact] == 1:
                continue
            for side in range(2):
                body = c.second[contact] if side else c.first[contact]
                for axis in range(3 * body, 3 * body + 3):
                    if self.gained[axis] != 0:
                        self.bodies.velocity_view[axis] += self.gained[axis] * _QUANTUM
                        self.gained[axis] = 0
                    if self.spun[axis] != 0:
                        self.bodies.angular_view[axis] += self.spun[axis] * _QUANTUM
                        self.spun[axis] = 0

    def push_apart(
        self, contact: cython.Py_ssize_t, x: cython.double, y: cython.double, z: cython.double
    ) -> cython.bint:
        """Change the relative velocity of two bodies at a contact, without what it keeps; return whether it changed."""
        if self.contacts.lever[contact] >= 0:
            mass: cython.double = self.mass[contact]
            return self.push_with_levers(contact, x / mass, y / mass, z / mass)
        return self.push(contact, _limited(x), _limited(y), _limited(z))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _square(x: cython.double, y: cython.double, z: cython.double) -> cython.double:
    """Return the square of a length."""
    return x * x + y * y + z * z


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _moment(
    rx: cython.double, ry: cython.double, rz: cython.double, x: cython.double, y: cython.double, z: cython.double
) -> cython.double:
    """Return the square of the cross product of a lever and a direction."""
    return _square(ry * z - rz * y, rz * x - rx * z, rx * y - ry * x)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _quanta(value: cython.double, most: cython.double) -> cython.longlong:
    """Return a change of speed in quanta, cut at the largest one, rounded towards 0."""
    value = most if value > most else (-most if value < -most else value)
    return cython.cast(cython.longlong, value * _PER_SPEED)
