# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The order in which contacts are solved: sets of bodies, and in each set layers from what is immovable up (rule I3).

The depth of a body is the number of contacts that join it to an immovable one. The layer of a contact is the sum of the
depths of its bodies, so that contacts between two depths and contacts within a depth alternate. Depths are found
breadth first, so no order depends on ids.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.dynamics.contact_list import ContactList
from ecs_collision.dynamics.dynamic_bodies import DynamicBodies

_PARTS = cython.declare(cython.double, 2.0**20)
_PART = cython.declare(cython.double, 2.0**-20)
"""Parts of 1 whose sum does not depend on their order."""


@cython.final
@cython.cclass
class Layers:
    """Contacts `order`, by set, then by layer: those of layer i are `first_of_layer[i]` to `first_of_layer[i + 1]`.

    Set s has the layers `first_of_set[s]` to `first_of_set[s + 1]`. Bodies that contacts joined in an earlier substep
    of the step are still in one set. `depth` is 0 for an immovable body, -1 for one that nothing immovable holds.
    """

    def __init__(self) -> None:
        self.set_count = self.layer_count = self.body_capacity = 0
        self.reserve_contacts(64)

    def begin(self, bodies: DynamicBodies) -> cython.void:
        """Begin a step: every body is a set of its own."""
        body: cython.int
        if bodies.count >= self.body_capacity:
            capacity: cython.Py_ssize_t = 2 * bodies.count + 64
            self.lower, self.depth, self.first_link, self.counts, self.queue = (
                array("i", bytes(4 * capacity)) for _ in range(5)
            )
            self.crowd = array("q", bytes(24 * capacity))
            self.body_capacity = capacity
        self.known_count = -1
        for body in range(bodies.count):
            self.lower[body] = body

    def reserve_contacts(self, contacts: cython.Py_ssize_t) -> cython.void:
        """Make room for contacts."""
        self.links = array("i", bytes(8 * contacts))
        self.order, self.spare, self.first_of_layer, self.first_of_set, self.body_of_set = (
            array("i", bytes(4 * contacts + 4)) for _ in range(5)
        )
        self.known_first, self.known_second = array("i", bytes(4 * contacts)), array("i", bytes(4 * contacts))
        self.known_count = -1
        self.contact_capacity = contacts

    def lowest(self, body: cython.int) -> cython.int:
        """Return the lowest body of a set."""
        while self.lower[body] != body:
            self.lower[body] = self.lower[self.lower[body]]
            body = self.lower[body]
        return body

    def join(self, a: cython.int, b: cython.int) -> cython.void:
        """Join the sets of two bodies."""
        a, b = self.lowest(a), self.lowest(b)
        if a < b:
            self.lower[b] = a
        elif b < a:
            self.lower[a] = b

    def build(self, contacts: ContactList, bodies: DynamicBodies) -> cython.void:
        """Put the contacts of a substep in order. O(bodies + contacts)."""
        at: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        contact: cython.int
        greatest: cython.int = 0
        a: cython.int
        b: cython.int
        if self.is_known(contacts):
            for at in range(self.layer_count):
                self.count_shares(contacts, bodies, self.first_of_layer[at], self.first_of_layer[at + 1])
            return
        if contacts.count > self.contact_capacity:
            self.reserve_contacts(2 * contacts.count)
        self.known_count = contacts.count
        self.find_depths(contacts, bodies)
        for contact in range(contacts.count):
            a, b = contacts.first[contact], contacts.second[contact]
            # Of two bodies in contact both are held by something immovable, or neither.
            contacts.layer[contact] = max(self.depth[a], 0) + max(self.depth[b], 0)
            self.known_first[contact], self.known_second[contact] = a, b
            greatest = max(greatest, contacts.layer[contact])
            if bodies.inverse_mass_view[a] > 0.0 and bodies.inverse_mass_view[b] > 0.0:
                self.join(a, b)
        self.sort(contacts, bodies, greatest)
        self.set_count = self.layer_count = 0
        at = 0
        while at < contacts.count:
            contact = self.order[at]
            a = self.set_of(contacts, bodies, contact)
            if self.set_count == 0 or self.body_of_set[self.set_count - 1] != a:
                self.body_of_set[self.set_count] = a
                self.first_of_set[self.set_count] = cython.cast(cython.int, self.layer_count)
                self.set_count += 1
            begin = at
            while (
                at < contacts.count
                and contacts.layer[self.order[at]] == contacts.layer[contact]
                and self.set_of(contacts, bodies, self.order[at]) == a
            ):
                at += 1
            self.first_of_layer[self.layer_count] = cython.cast(cython.int, begin)
            self.layer_count += 1
            self.count_shares(contacts, bodies, begin, at)
        self.first_of_layer[self.layer_count] = cython.cast(cython.int, contacts.count)
        self.first_of_set[self.set_count] = cython.cast(cython.int, self.layer_count)

    def is_known(self, contacts: ContactList) -> cython.bint:
        """Return whether the contacts are of the same bodies as those of the last time in this step."""
        contact: cython.Py_ssize_t
        if contacts.count != self.known_count:
            return False
        for contact in range(contacts.count):
            if (
                contacts.first[contact] != self.known_first[contact]
                or contacts.second[contact] != self.known_second[contact]
            ):
                return False
        return True

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def set_of(self, contacts: ContactList, bodies: DynamicBodies, contact: cython.int) -> cython.int:
        """Return the lowest body of the set of a contact."""
        a: cython.int = contacts.first[contact]
        return self.lowest(a if bodies.inverse_mass_view[a] > 0.0 else contacts.second[contact])

    def find_depths(self, contacts: ContactList, bodies: DynamicBodies) -> cython.void:
        """Find the depth of every body, breadth first."""
        body: cython.int
        other: cython.int
        contact: cython.int
        at: cython.Py_ssize_t
        link: cython.Py_ssize_t
        known: cython.Py_ssize_t = 0
        total: cython.int = 0
        mass: cython.double[::1] = bodies.inverse_mass_view
        for body in range(bodies.count + 1):  # the last one is the bounds of the world
            self.depth[body] = -1 if mass[body] > 0.0 else 0
            self.counts[body] = 0
        for contact in range(contacts.count):
            body, other = contacts.first[contact], contacts.second[contact]
            if mass[body] > 0.0 and mass[other] > 0.0:
                self.counts[body] += 1
                self.counts[other] += 1
                continue
            if mass[other] > 0.0:
                body = other
            if self.depth[body] < 0:
                self.depth[body] = 1
                self.queue[known] = body
                known += 1
        for body in range(bodies.count + 1):
            self.first_link[body] = total
            total += self.counts[body]
            self.counts[body] = 0
        for contact in range(contacts.count):
            body, other = contacts.first[contact], contacts.second[contact]
            if mass[body] > 0.0 and mass[other] > 0.0:
                self.links[self.first_link[body] + self.counts[body]] = other
                self.links[self.first_link[other] + self.counts[other]] = body
                self.counts[body] += 1
                self.counts[other] += 1
        at = 0
        while at < known:
            body = self.queue[at]
            at += 1
            for link in range(self.first_link[body], self.first_link[body] + self.counts[body]):
                other = self.links[link]
                if self.depth[other] < 0:
                    self.depth[other] = self.depth[body] + 1
                    self.queue[known] = other
                    known += 1
        for body in range(bodies.count + 1):
            self.counts[body] = 0

    def sort(self, contacts: ContactList, bodies: DynamicBodies, greatest: cython.int) -> cython.void:
        """Sort the contacts by layer, then by set: two passes of counting."""
        contact: cython.int
        key: cython.int
        at: cython.Py_ssize_t
        total: cython.int = 0
        # A layer is at most twice the number of bodies, so the links are long enough only for two times the contacts.
        for key in range(greatest + 1):
            self.links[key] = 0
        for contact in range(contacts.count):
            self.links[contacts.layer[contact]] += 1
        for key in range(greatest + 1):
            self.links[key], total = total, total + self.links[key]
        for contact in range(contacts.count):
            key = contacts.layer[contact]
            self.spare[self.links[key]] = contact
            self.links[key] += 1
        for contact in range(contacts.count):
            self.counts[self.set_of(contacts, bodies, contact)] += 1
        total = 0
        for key in range(bodies.count):
            self.counts[key], total = total, total + self.counts[key]
        for at in range(contacts.count):
            key = self.set_of(contacts, bodies, self.spare[at])
            self.order[self.counts[key]] = self.spare[at]
            self.counts[key] += 1
        for key in range(bodies.count):
            self.counts[key] = 0

    def count_shares(
        self, contacts: ContactList, bodies: DynamicBodies, begin: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.void:
        """Count for each contact of a layer how many contacts of the layer its bodies are in; immovable ones in one.

        Also by how much these contacts act on each other: contacts at a right angle do not.
        """
        at: cython.Py_ssize_t
        contact: cython.int
        side: cython.int
        axis: cython.int
        body: cython.int
        crowd: cython.double
        mass: cython.double[::1] = bodies.inverse_mass_view
        c: ContactList = contacts
        for at in range(begin, end):
            contact = self.order[at]
            for side in range(2):
                body = c.second[contact] if side else c.first[contact]
                self.counts[body] += 1
                for axis in range(3):
                    self.crowd[3 * body + axis] += self.part_along(c, contact, axis)
        for at in range(begin, end):
            contact = self.order[at]
            for side in range(2):
                body = c.second[contact] if side else c.first[contact]
                crowd = 1.0
                if self.counts[body] > 1 and mass[body] > 0.0:
                    crowd = cython.cast(cython.double, self.counts[body])
                    if c.lever[contact] < 0:
                        crowd = 0.0
                        for axis in range(3):
                            crowd += abs(c.normal[3 * contact + axis]) * (self.crowd[3 * body + axis] * _PART)
                if side:
                    c.second_crowd[contact] = crowd
                    c.second_share[contact] = self.counts[body] if mass[body] > 0.0 else 1
                else:
                    c.first_crowd[contact] = crowd
                    c.first_share[contact] = self.counts[body] if mass[body] > 0.0 else 1
        for at in range(begin, end):
            contact = self.order[at]
            for side in range(2):
                body = c.second[contact] if side else c.first[contact]
                self.counts[body] = 0
                for axis in range(3 * body, 3 * body + 3):
                    self.crowd[axis] = 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def part_along(self, contacts: ContactList, contact: cython.int, axis: cython.int) -> cython.longlong:
        """Return how much of a contact acts along an axis, in whole parts, rounded up; with levers all of it."""
        along: cython.double = abs(contacts.normal[3 * contact + axis]) * _PARTS
        whole: cython.longlong = cython.cast(cython.longlong, _PARTS if contacts.lever[contact] >= 0 else along)
        return whole + 1 if along > whole else whole
