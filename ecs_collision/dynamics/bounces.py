# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Restitution: bodies that hit each other part again (rule I4).

A contact alone gets the speed that the rule names. If several contacts of a set bounce at once, they disturb each
other, so all of them are solved several times. That may give more energy than there was before the hit; then all bodies
of the set keep only a part of their change of velocity, the largest that adds none. Momentum stays the same for any
such part.

Not taken: each contact once (Box2D), which loses up to half of the energy where three balls meet, and restitution times
the impulses of the solution without it (Poisson), which adds energy unless that solution is converged.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.dynamics.impulses import whole_quanta
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from ecs_collision.dynamics.impulses import whole_quanta

from ecs_collision.dynamics.contact_list import ContactList
from ecs_collision.dynamics.dynamic_bodies import DynamicBodies
from ecs_collision.dynamics.impulses import Impulses

_LARGEST = cython.declare(cython.double, 2.0**38)
"""The largest energy of a body in whole steps: what a million bodies have together fits into 63 bits."""


@cython.final
@cython.cclass
class Bounces:
    """Gives the bodies of a substep the speeds with which they part."""

    def __init__(self) -> None:
        self.body_capacity = 0

    def begin(self, impulses: Impulses) -> cython.void:
        """Begin a step, after the other parts of it."""
        self.impulses = impulses
        self.contacts, self.bodies, self.layers = impulses.contacts, impulses.bodies, impulses.layers
        if self.bodies.count >= self.body_capacity:
            capacity: cython.Py_ssize_t = 2 * self.bodies.count + 64
            self.listed, self.members = array("b", bytes(capacity)), array("i", bytes(4 * capacity))
            self.solved, self.solved_angular = array("d", bytes(24 * capacity)), array("d", bytes(24 * capacity))
            self.body_capacity = capacity

    def bounce(
        self,
        velocity: cython.double[::1],
        angular: cython.double[::1],
        threshold: cython.double,
        iterations: cython.int,
    ) -> cython.void:
        """Make bodies part again that approached faster than a threshold, set by set.

        velocity, angular: those of the bodies before they were solved. Bodies that only met on their way do not
        approach any more, however slow they were.
        """
        number: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        end: cython.Py_ssize_t
        rounds: cython.int
        for number in range(self.layers.set_count):
            begin, end = self.layers.first_of_set[number], self.layers.first_of_set[number + 1]
            if not self.find_members(begin, end, threshold):
                continue
            rounds = 0
            while rounds < iterations and self.bounce_once(begin, end, threshold):
                rounds += 1
            if rounds > 0 and self.layers.first_of_layer[end] - self.layers.first_of_layer[begin] > 1:
                self.limit_energy(velocity, angular)

    def find_members(self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, threshold: cython.double) -> cython.bint:
        """List the dynamic bodies of the layers of a set, with their velocities; return whether any contact may bounce.

        A surface that moves may add energy, so there the energy is not limited.
        """
        at: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        contact: cython.Py_ssize_t
        body: cython.Py_ssize_t
        side: cython.int
        found: cython.bint = False
        c: ContactList = self.contacts
        bodies: DynamicBodies = self.bodies
        for at in range(self.layers.first_of_layer[begin], self.layers.first_of_layer[end]):
            contact = self.layers.order[at]
            if c.along[contact] > 0.0 and (c.ahead[contact] or c.parting[contact] < -threshold):
                found = True
                break
        self.member_count, self.is_driven = 0, False
        if not found:
            return False
        for at in range(self.layers.first_of_layer[begin], self.layers.first_of_layer[end]):
            contact = self.layers.order[at]
            for side in range(2):
                body = c.second[contact] if side else c.first[contact]
                if bodies.inverse_mass_view[body] == 0.0:
                    for axis in range(3 * body, 3 * body + 3):
                        if bodies.velocity_view[axis] != 0.0 or bodies.angular_view[axis] != 0.0:
                            self.is_driven = True
                elif not self.listed[body]:
                    self.listed[body] = 1
                    self.members[self.member_count] = cython.cast(cython.int, body)
                    self.member_count += 1
                    for axis in range(3 * body, 3 * body + 3):
                        self.solved[axis] = bodies.velocity_view[axis]
                        self.solved_angular[axis] = bodies.angular_view[axis]
        for at in range(self.member_count):
            self.listed[self.members[at]] = 0
        return True

    def bounce_once(self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, threshold: cython.double) -> cython.bint:
        """Push the bodies of a set to their speeds of parting, layer by layer; return whether any was slower."""
        layer: cython.Py_ssize_t
        at: cython.Py_ssize_t
        contact: cython.Py_ssize_t
        n: cython.Py_ssize_t
        wanted: cython.double
        changed: cython.bint
        again: cython.bint = False
        c: ContactList = self.contacts
        for layer in range(begin, end):
            changed = False
            for at in range(self.layers.first_of_layer[layer], self.layers.first_of_layer[layer + 1]):
                contact = self.layers.order[at]
                if c.along[contact] <= 0.0:
                    continue
                wanted = 0.0
                if c.parting[contact] < -threshold:
                    wanted = -c.restitution[contact] * c.parting[contact]
                elif not c.ahead[contact]:
                    continue
                wanted -= self.impulses.parting_speed(contact, self.bodies.velocity_view, self.bodies.angular_view)
                if wanted <= 0.0:
                    continue
                n = 3 * contact
                changed = (
                    self.impulses.push_apart(
                        contact, wanted * c.normal[n], wanted * c.normal[n + 1], wanted * c.normal[n + 2]
                    )
                    or changed
                )
            if changed:
                self.impulses.flush(layer, False)
                again = True
        return again

    # Energy. It is summed in whole numbers, so that no order of bodies matters.

    def limit_energy(self, velocity: cython.double[::1], angular: cython.double[::1]) -> cython.void:
        """Take back a part of the change of a set if it has more energy than before the hit."""
        at: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        body: cython.Py_ssize_t
        most: cython.double = 0.0
        scale: cython.double = 1.0
        before: cython.longlong = 0
        solved: cython.longlong = 0
        bounced: cython.longlong = 0
        mixed: cython.longlong = 0
        change: cython.longlong
        v: cython.double[::1] = self.bodies.velocity_view
        w: cython.double[::1] = self.bodies.angular_view
        if self.is_driven:
            return
        for at in range(self.member_count):
            body = self.members[at]
            most = max(most, self.energy(body, velocity, angular, velocity, angular))
            most = max(most, self.energy(body, self.solved, self.solved_angular, self.solved, self.solved_angular))
            most = max(most, self.energy(body, v, w, v, w))
        if most == 0.0:
            return
        while most * scale < _LARGEST:
            scale *= 2.0
        while most * scale > _LARGEST:
            scale *= 0.5
        for at in range(self.member_count):
            body = self.members[at]
            before += cython.cast(cython.longlong, scale * self.energy(body, velocity, angular, velocity, angular))
            solved += cython.cast(
                cython.longlong,
                scale * self.energy(body, self.solved, self.solved_angular, self.solved, self.solved_angular),
            )
            bounced += cython.cast(cython.longlong, scale * self.energy(body, v, w, v, w))
            mixed += cython.cast(cython.longlong, scale * self.energy(body, self.solved, self.solved_angular, v, w))
        if bounced <= before + self.member_count:  # rounding
            return
        # The energy of the part t is solved + 2 t (mixed - solved) + t^2 (solved + bounced - 2 mixed).
        part: cython.double = 0.0
        mixed -= solved
        change = bounced - solved - 2 * mixed
        if before > solved and change > 0:
            part = (
                sqrt(
                    cython.cast(cython.double, mixed) * cython.cast(cython.double, mixed)
                    + cython.cast(cython.double, change) * cython.cast(cython.double, before - solved)
                )
                - cython.cast(cython.double, mixed)
            ) / cython.cast(cython.double, change)
        part = min(max(part, 0.0), 1.0)
        for at in range(self.member_count):
            body = self.members[at]
            for axis in range(3 * body, 3 * body + 3):
                v[axis] = self.solved[axis] + whole_quanta(part * (v[axis] - self.solved[axis]))
                w[axis] = self.solved_angular[axis] + whole_quanta(part * (w[axis] - self.solved_angular[axis]))

    def energy(
        self,
        body: cython.Py_ssize_t,
        v: cython.double[::1],
        w: cython.double[::1],
        other_v: cython.double[::1],
        other_w: cython.double[::1],
    ) -> cython.double:
        """Return twice the energy of a body with two velocities: the mass times their scalar product."""
        x: cython.Py_ssize_t = 3 * body
        result: cython.double = (
            v[x] * other_v[x] + v[x + 1] * other_v[x + 1] + v[x + 2] * other_v[x + 2]
        ) / self.bodies.inverse_mass_view[body]
        if self.bodies.inverse_moment_view[body] > 0.0:
            result += (
                w[x] * other_w[x] + w[x + 1] * other_w[x + 1] + w[x + 2] * other_w[x + 2]
            ) / self.bodies.inverse_moment_view[body]
        return result
