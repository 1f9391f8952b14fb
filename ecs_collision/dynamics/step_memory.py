# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""What a step keeps from substep to substep, and whether it changed anything (rules I7 and I8)."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.dynamics.contact_list import CLOSE, STILL, ContactList
from ecs_collision.dynamics.dynamic_bodies import DynamicBodies
from ecs_collision.dynamics.kept_contacts import BOUNDS, KeptContacts
from ecs_collision.dynamics.layers import Layers

_BOUNDS = cython.declare(cython.int, BOUNDS)
_CLOSE = cython.declare(cython.int, CLOSE)
_STILL = cython.declare(cython.int, STILL)


@cython.final
@cython.cclass
class StepMemory:
    """The impulses of the substep before, by index of body, and the state before the step."""

    def __init__(self) -> None:
        self.before, self.now, self.spare = KeptContacts(), KeptContacts(), KeptContacts()
        self.now_capacity = self.spare_capacity = self.cursor = self.body_capacity = 0
        self.lost = False

    def begin(self, bodies: DynamicBodies, kept: KeptContacts) -> cython.void:
        """Read the state before a step, and the contacts of its dynamic bodies."""
        at: cython.Py_ssize_t
        first: cython.longlong = -1
        second: cython.longlong
        is_own: cython.bint
        count: cython.Py_ssize_t = 3 * bodies.count
        self.bodies = bodies
        self.position, self.remainder, self.velocity = (
            bodies.position[:count],
            bodies.remainder[:count],
            bodies.velocity[:count],
        )
        self.angular, self.angle_left = bodies.angular[:count], bodies.angle_left[:count]
        if bodies.count >= self.body_capacity:
            self.body_capacity = 2 * bodies.count + 64
            self.changed = array("b", bytes(self.body_capacity))
        for at in range(bodies.count):
            self.changed[at] = 0
        self.before.allocate(kept.count)
        self.own = array("b", bytes(kept.count))
        self.own_view = self.own
        self.lost = False
        for at in range(kept.count):
            if at == 0 or kept.first_view[at] != kept.first_view[at - 1]:
                first = self.index_of(kept.first_view[at])
            second = self.index_of(kept.second_view[at])
            is_own = False
            if first >= 0 and bodies.inverse_mass_view[first] > 0.0:
                is_own = True
            if second >= 0 and bodies.inverse_mass_view[second] > 0.0:
                is_own = True
            if not is_own:
                continue
            self.own_view[at] = 1
            if second < 0 or (first < 0 and kept.first_view[at] != _BOUNDS):  # the other body is gone
                self.changed[max(first, second)] = 1
                self.lost = True
                continue
            self.before.add_as(first, second, kept, at)
        self.now.take(self.before)
        self.now_capacity = 0  # never written

    def index_of(self, entity: cython.longlong) -> cython.longlong:
        """Return the index of a body, -1 if it is not in the step."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.bodies.count
        middle: cython.Py_ssize_t
        while low < high:
            middle = (low + high) >> 1
            if self.bodies.entity_view[middle] < entity:
                low = middle + 1
            else:
                high = middle
        return low if low < self.bodies.count and self.bodies.entity_view[low] == entity else -1

    # Impulses of the substep before. Contacts are asked for in order.

    def rewind(self) -> cython.void:
        """Begin to ask from the first contact."""
        self.cursor = 0

    def any_of(
        self, first: cython.int, second: cython.int, first_part: cython.int, second_part: cython.int
    ) -> cython.Py_ssize_t:
        """Return the first contact of two parts, -1 if they have none."""
        at: cython.Py_ssize_t = self.find(first, second, first_part, second_part, -1)
        now: KeptContacts = self.now
        at = self.cursor
        if (
            at < now.count
            and now.first_view[at] == first
            and now.second_view[at] == second
            and now.first_part_view[at] == first_part
            and now.second_part_view[at] == second_part
        ):
            return at
        return -1

    def find(
        self,
        first: cython.int,
        second: cython.int,
        first_part: cython.int,
        second_part: cython.int,
        point: cython.int,
    ) -> cython.Py_ssize_t:
        """Return a contact by its key, -1 if there is none. O(1) amortised."""
        now: KeptContacts = self.now
        at: cython.Py_ssize_t = self.cursor
        while at < now.count:
            if now.first_view[at] != first:
                if now.first_view[at] > first:
                    break
            elif now.second_view[at] != second:
                if now.second_view[at] > second:
                    break
            elif now.first_part_view[at] != first_part:
                if now.first_part_view[at] > first_part:
                    break
            elif now.second_part_view[at] != second_part:
                if now.second_part_view[at] > second_part:
                    break
            elif now.point_view[at] >= point:
                self.cursor = at
                return at if now.point_view[at] == point else -1
            at += 1
        self.cursor = at
        return -1

    def store(self, contacts: ContactList) -> cython.void:
        """Keep the impulses of a substep: of parts that touched or overlapped, or met within the margin."""
        contact: cython.Py_ssize_t
        self.now, self.spare = self.spare, self.now
        self.now_capacity, self.spare_capacity = self.spare_capacity, self.now_capacity
        if contacts.count > self.now_capacity:
            self.now.allocate(2 * contacts.count + 64)
            self.now_capacity = 2 * contacts.count + 64
        self.now.count = 0
        late = []
        for contact in range(contacts.count):
            if contacts.ahead[contact] == _CLOSE and contacts.along[contact] > 0.0:
                late.append(
                    (
                        contacts.first[contact],
                        contacts.second[contact],
                        contacts.first_part[contact],
                        contacts.second_part[contact],
                        contacts.point[contact],
                        contact,
                    )
                )
        if not late:
            for contact in range(contacts.count):
                if contacts.along[contact] > 0.0 and contacts.ahead[contact] in (0, _STILL):
                    self.store_contact(contacts, contact)
            return
        for contact in range(contacts.count):
            if contacts.along[contact] > 0.0 and contacts.ahead[contact] in (0, _STILL):
                first = contacts.first[contact]
                late.append(
                    (
                        -1 if contacts.pair[contact] < 0 else first,
                        contacts.second[contact],
                        contacts.first_part[contact],
                        contacts.second_part[contact],
                        contacts.point[contact],
                        contact,
                    )
                )
        for *_, contact in sorted(late):
            self.store_contact(contacts, contact)

    def store_contact(self, contacts: ContactList, contact: cython.Py_ssize_t) -> cython.void:
        """Append a contact; there is room for it."""
        first: cython.int = contacts.first[contact]
        first_part: cython.int = contacts.first_part[contact]
        second_part: cython.int = contacts.second_part[contact]
        if contacts.pair[contact] < 0:
            first = _BOUNDS
        else:
            first_part -= self.bodies.first_part_view[first]
            second_part -= self.bodies.first_part_view[contacts.second[contact]]
        self.now.add(
            first,
            contacts.second[contact],
            first_part,
            second_part,
            contacts.point[contact],
            contacts.along[contact],
            contacts.across[3 * contact] + 0.0,
            contacts.across[3 * contact + 1] + 0.0,
            contacts.across[3 * contact + 2] + 0.0,
        )

    # The end of a step.

    def finish(self, kept: KeptContacts, layers: Layers) -> cython.void:
        """Replace the contacts of the dynamic bodies of the step, and find the sets that are at rest."""
        if self.compare_kept():
            self.replace(kept)
        self.find_resting(layers)

    def compare_kept(self) -> cython.bint:
        """Mark the bodies whose contacts changed; return whether any did."""
        at: cython.Py_ssize_t = 0
        other: cython.Py_ssize_t = 0
        order: cython.int
        before: KeptContacts = self.before
        now: KeptContacts = self.now
        source: KeptContacts
        number: cython.Py_ssize_t
        changed: cython.bint = self.lost
        while at < before.count or other < now.count:
            if at == before.count:
                order = 1
            elif other == now.count:
                order = -1
            else:
                order = before.order(at, now, other)
            if order == 0 and before.is_same(at, now, other):
                at += 1
                other += 1
                continue
            changed = True
            source, number = (before, at) if order <= 0 else (now, other)
            if source.first_view[number] >= 0:
                self.changed[source.first_view[number]] = 1
            self.changed[source.second_view[number]] = 1
            if order <= 0:
                at += 1
            if order >= 0:
                other += 1
        return changed

    def replace(self, kept: KeptContacts) -> cython.void:
        """Replace the contacts of the step in all contacts, in their order."""
        at: cython.Py_ssize_t = 0
        other: cython.Py_ssize_t = 0
        entities: cython.longlong[::1] = self.bodies.entity_view
        now: KeptContacts = self.now
        changed = KeptContacts()
        merged: KeptContacts = KeptContacts()
        changed.allocate(now.count)
        for other in range(now.count):
            changed.add_as(
                now.first_view[other] if now.first_view[other] < 0 else entities[now.first_view[other]],
                entities[now.second_view[other]],
                now,
                other,
            )
        merged.allocate(kept.count + now.count)
        other = 0
        for at in range(kept.count):
            if self.own_view[at]:
                continue
            while other < changed.count and changed.order(other, kept, at) < 0:
                merged.add_of(changed, other)
                other += 1
            merged.add_of(kept, at)
        while other < changed.count:
            merged.add_of(changed, other)
            other += 1
        kept.take(merged)

    def find_resting(self, layers: Layers) -> cython.void:
        """Set the sets of the bodies, and whether the step changed nothing of them."""
        body: cython.Py_ssize_t
        at: cython.Py_ssize_t
        lowest: cython.int
        bodies: DynamicBodies = self.bodies
        position: cython.longlong[::1] = self.position
        remainder: cython.double[::1] = self.remainder
        velocity: cython.double[::1] = self.velocity
        angular: cython.double[::1] = self.angular
        angle_left: cython.double[::1] = self.angle_left
        for body in range(bodies.count):
            if bodies.inverse_mass_view[body] == 0.0:
                continue
            for at in range(3 * body, 3 * body + 3):
                if (
                    position[at] != bodies.position_view[at]
                    or remainder[at] != bodies.remainder_view[at]
                    or velocity[at] != bodies.velocity_view[at]
                    or angular[at] != bodies.angular_view[at]
                    or angle_left[at] != bodies.angle_left_view[at]
                    or bodies.turned_view[at] != 0.0
                ):
                    self.changed[body] = 1
            lowest = layers.lowest(cython.cast(cython.int, body))
            if self.changed[body]:
                self.changed[lowest] = 1
        for body in range(bodies.count):
            bodies.set_number_view[body] = cython.cast(cython.int, body)
            bodies.at_rest_view[body] = 0
            if bodies.inverse_mass_view[body] > 0.0:
                lowest = layers.lowest(cython.cast(cython.int, body))
                bodies.set_number_view[body] = lowest
                bodies.at_rest_view[body] = 0 if self.changed[lowest] else 1
