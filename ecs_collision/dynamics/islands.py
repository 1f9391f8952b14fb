# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Which bodies rest on each other, fall asleep together, and which were fast (rules I2 and I7)."""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

if cython.compiled:
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

from ecs_collision._arrays import zeros
from ecs_collision.dynamics.step_bodies import StepBodies
from ecs_collision.dynamics.step_contacts import StepContacts

SLEEP_SPEED, SLEEP_TIME = 0.05, 0.5
"""In sizes of a body (see `StepBodies`) a second, and in seconds: what is slower for so long falls asleep."""

_SLEEP_SPEED = cython.declare(cython.double, SLEEP_SPEED)
_SLEEP_TIME = cython.declare(cython.double, SLEEP_TIME)


@cython.final
@cython.cclass
class Islands:
    """The islands of a step: dynamic bodies that contacts join, not through what is immovable. Sleepers count too.

    Per body of the step: `island` is the lowest index in its island, `sleeping` is 1 if all bodies of the island have
    been slow for `SLEEP_TIME`: their velocities are then 0.
    """

    def __init__(self) -> None:
        self.count = self.sleeping_count = 0
        self.reserve(8)

    # A step.

    def reserve(self, bodies: cython.Py_ssize_t) -> cython.void:
        """Make room for bodies."""
        self.parent, self.island, self.least = zeros("i", bodies), zeros("i", bodies), zeros("d", bodies)
        self.sleeping = zeros("b", bodies)

    def root(self, body: cython.int) -> cython.int:
        """Return the lowest body that is known to be joined to a body, and shorten the way to it."""
        parent = self.parent
        while parent[body] != body:
            parent[body] = parent[parent[body]]
            body = parent[body]
        return body

    def update(self, bodies: StepBodies, contacts: StepContacts, dt: cython.double) -> cython.void:
        """Find the islands after a step of dt seconds, and what sleeps; `slow` of the bodies goes on."""
        cython.declare(body=cython.Py_ssize_t, at=cython.Py_ssize_t)
        if bodies.count > len(self.parent):
            self.reserve(2 * bodies.count)
        self.count, self.sleeping_count = bodies.count, 0
        self.join(bodies, contacts)
        for body in range(bodies.count):
            if bodies.sleeps[body]:
                bodies.slow[body] = _SLEEP_TIME
            else:
                bodies.slow[body] = bodies.slow[body] + dt if self.is_slow(bodies, body, dt, contacts.least) else 0.0
            at = self.root(cython.cast(cython.int, body))
            self.island[body] = cython.cast(cython.int, at)
            if at == body or bodies.slow[body] < self.least[at]:
                self.least[at] = bodies.slow[body]
        for body in range(bodies.count):
            self.sleeping[body] = bodies.inverse_mass[body] != 0.0 and self.least[self.island[body]] >= _SLEEP_TIME
            if self.sleeping[body]:
                self.sleeping_count += 1
                for at in range(3 * body, 3 * body + 3):
                    bodies.velocity[at] = bodies.angular[at] = 0.0

    def join(self, bodies: StepBodies, contacts: StepContacts) -> cython.void:
        """Join the dynamic bodies whose contacts hold: the same as are kept, so that islands can be found again."""
        cython.declare(body=cython.Py_ssize_t, contact=cython.Py_ssize_t)
        cython.declare(first=cython.int, second=cython.int)
        for body in range(bodies.count):
            self.parent[body] = cython.cast(cython.int, body)
        for contact in range(contacts.count):
            first, second = contacts.first[contact], contacts.second[contact]
            if bodies.is_dynamic(first) and bodies.is_dynamic(second):
                if contacts.held[contact]:
                    first, second = self.root(first), self.root(second)
                    self.parent[max(first, second)] = min(first, second)
        if bodies.has_groups:
            for body in range(bodies.count):
                first, second = self.root(cython.cast(cython.int, body)), self.root(bodies.lead[body])
                self.parent[second if second > first else first] = min(first, second)

    def is_slow(
        self, bodies: StepBodies, body: cython.Py_ssize_t, dt: cython.double, least: cython.double
    ) -> cython.bint:
        """Return whether a step of dt seconds moved no point of a body fast for its size, which is at least `least`.

        What a load presses together has some speed with which it goes nowhere; fifty times the limit is a hit.
        """
        cython.declare(axis=cython.Py_ssize_t)
        speed, reach = 0.0, bodies.reach[body]
        for axis in range(3 * body, 3 * body + 3):
            speed = max(speed, max(abs(bodies.velocity[axis]), abs(bodies.angular[axis]) * reach))
        length = max(max(bodies.size[body], reach), least)
        return max(self.way(bodies, body), 0.02 * dt * speed) < dt * _SLEEP_SPEED * length

    def fast_bodies(self, bodies: StepBodies) -> list[int]:
        """Return the dynamic bodies that the step moved or turned by more than their core."""
        cython.declare(body=cython.Py_ssize_t)
        return [
            body
            for body in range(bodies.count)
            if bodies.inverse_mass[body] != 0.0 and self.way(bodies, body) > bodies.core[body]
        ]

    def way(self, bodies: StepBodies, body: cython.Py_ssize_t) -> cython.double:
        """Return how far a step moved a body, or the point of it that it turned farthest."""
        x, y, z = bodies.moved[3 * body], bodies.moved[3 * body + 1], bodies.moved[3 * body + 2]
        return max(sqrt(x * x + y * y + z * z), abs(bodies.turned[body]) * bodies.reach[body])
