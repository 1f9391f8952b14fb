# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Moving bodies by whole lattice units, exactly up to faces, and moving overlapping ones apart (I5, I6)."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.dynamics.contact_list import ContactList
from ecs_collision.dynamics.contact_points import ContactPoints
from ecs_collision.dynamics.dynamic_bodies import DynamicBodies
from ecs_collision.dynamics.layers import Layers
from ecs_collision.fixed_point import PER_UNIT

_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_FARTHEST = cython.declare(cython.double, 2.0**30)
"""The largest displacement of a substep, in lattice units: products of two fit in 63 bits."""
_PASSES = cython.declare(cython.int, 6)
_PER_RADIAN = cython.declare(cython.double, 2.0**20)
_ANGLE = cython.declare(cython.double, 2.0**-20)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _nearest(value: cython.double) -> cython.longlong:
    """Return the nearest whole number, halves away from 0."""
    return cython.cast(cython.longlong, value + (0.5 if value > 0.0 else -0.5))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _away(value: cython.double) -> cython.longlong:
    """Return the nearest whole number that is not nearer to 0."""
    whole: cython.longlong = cython.cast(cython.longlong, value)
    if value > whole:
        return whole + 1
    return whole - 1 if value < whole else whole


@cython.final
@cython.cclass
class Moves:
    """The displacements of a substep, three a body in `shift`.

    Corrections of bodies by the contacts of a layer are computed from the same places. Of those to the same side the
    largest counts, so their order does not matter.
    """

    def __init__(self) -> None:
        self.capacity = 0
        if not cython.compiled:
            self.low, self.high = [0, 0, 0], [0, 0, 0]

    def begin(
        self,
        contacts: ContactList,
        points: ContactPoints,
        bodies: DynamicBodies,
        layers: Layers,
        h: cython.double,
    ) -> cython.void:
        """Begin a step with substeps of h seconds."""
        at: cython.Py_ssize_t
        self.contacts, self.points, self.bodies, self.layers = contacts, points, bodies, layers
        self.per_speed = _PER_UNIT * h
        self.is_shared = self.is_corrected = False
        if bodies.count >= self.capacity:
            capacity: cython.Py_ssize_t = 2 * bodies.count + 64
            self.shift, self.plus, self.minus, self.start = (array("q", bytes(24 * capacity)) for _ in range(4))
            self.extent, self.angles = array("q", bytes(48 * capacity)), array("d", bytes(24 * capacity))
            self.moved = array("b", bytes(capacity))
            self.capacity = capacity
        for at in range(3 * bodies.count + 3):
            self.shift[at] = 0
            self.start[at] = bodies.position_view[at]
            self.angles[at] = 0.0
        self.find_extents()

    def set_bounds(self, axis: cython.int, low: cython.longlong, high: cython.longlong) -> cython.void:
        """Set the bounds of the world on an axis."""
        self.low[axis], self.high[axis] = low, high

    def find_extents(self) -> cython.void:
        """Compute the bounds of all parts of each body."""
        body: cython.Py_ssize_t
        part: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        faces: cython.longlong[::1] = self.bodies.faces_view
        for body in range(self.bodies.count):
            for axis in range(3):
                self.extent[6 * body + axis] = self.extent[6 * body + 3 + axis] = 0
            for part in range(self.bodies.first_part_view[body], self.bodies.first_part_view[body + 1]):
                for axis in range(3):
                    if part == self.bodies.first_part_view[body]:
                        self.extent[6 * body + axis] = faces[6 * part + axis]
                        self.extent[6 * body + 3 + axis] = faces[6 * part + 3 + axis]
                    else:
                        self.extent[6 * body + axis] = min(self.extent[6 * body + axis], faces[6 * part + axis])
                        self.extent[6 * body + 3 + axis] = max(
                            self.extent[6 * body + 3 + axis], faces[6 * part + 3 + axis]
                        )

    # Displacements.

    def displacement(self, at: cython.Py_ssize_t) -> cython.longlong:
        """Return how far a body moves on an axis: its speed times h plus its remainder, rounded half away from 0."""
        far: cython.double
        if self.bodies.velocity_view[at] == 0.0:
            return 0
        far = self.bodies.velocity_view[at] * self.per_speed + self.bodies.remainder_view[at]
        return _nearest(_FARTHEST if far > _FARTHEST else (-_FARTHEST if far < -_FARTHEST else far))

    def find_displacements(self) -> cython.void:
        """Compute the displacements of all dynamic bodies, and how far from where they began they lead."""
        body: cython.Py_ssize_t
        at: cython.Py_ssize_t
        far: cython.longlong
        for body in range(self.bodies.count):
            if self.bodies.inverse_mass_view[body] > 0.0:
                for at in range(3 * body, 3 * body + 3):
                    self.shift[at] = self.displacement(at)
                    far = self.bodies.position_view[at] + self.shift[at] - self.start[at]
                    self.bodies.reach_view[at] = max(self.bodies.reach_view[at], far if far > 0 else -far)

    def release_remainders(self) -> cython.void:
        """Drop the remainders of bodies on the axes on which a contact stops them."""
        contact: cython.Py_ssize_t
        side: cython.int
        at: cython.Py_ssize_t
        body: cython.Py_ssize_t
        for contact in range(self.contacts.count):
            if self.contacts.along[contact] > 0.0:
                for side in range(2):
                    body = self.contacts.second[contact] if side else self.contacts.first[contact]
                    for at in range(3 * body, 3 * body + 3):
                        if self.bodies.velocity_view[at] == 0.0:
                            self.bodies.remainder_view[at] = 0.0

    def fit(self) -> cython.void:
        """Change displacements so that bodies in contact do not come to overlap, and those that meet just touch.

        This corrects rounding, and what the solver left: in each layer from the lowest up, the body farther from what
        is immovable gives way.
        """
        layer: cython.Py_ssize_t
        at: cython.Py_ssize_t
        self.is_shared = False
        for layer in range(self.layers.layer_count):
            for at in range(self.layers.first_of_layer[layer], self.layers.first_of_layer[layer + 1]):
                self.fit_contact(self.layers.order[at])
            if self.is_corrected:
                self.take_corrections(layer, False)

    def beyond(self, contact: cython.Py_ssize_t) -> cython.double:
        """Return how much farther the bodies of a contact approach than to its face; overlapping ones at all."""
        c: ContactList = self.contacts
        a: cython.Py_ssize_t = 3 * c.first[contact]
        b: cython.Py_ssize_t = 3 * c.second[contact]
        n: cython.Py_ssize_t = 3 * contact
        return min(c.depth[contact], 0.0) - (
            cython.cast(cython.double, self.shift[b] - self.shift[a]) * c.normal[n]
            + cython.cast(cython.double, self.shift[b + 1] - self.shift[a + 1]) * c.normal[n + 1]
            + cython.cast(cython.double, self.shift[b + 2] - self.shift[a + 2]) * c.normal[n + 2]
        )

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def move_alike(self, contact: cython.Py_ssize_t) -> cython.bint:
        """Return whether the bodies of a contact have the same displacement."""
        a: cython.Py_ssize_t = 3 * self.contacts.first[contact]
        b: cython.Py_ssize_t = 3 * self.contacts.second[contact]
        return (
            self.shift[a] == self.shift[b]
            and self.shift[a + 1] == self.shift[b + 1]
            and self.shift[a + 2] == self.shift[b + 2]
        )

    def fit_contact(self, contact: cython.Py_ssize_t) -> cython.void:
        """Compute the corrections of the displacements of a contact."""
        c: ContactList = self.contacts
        beyond: cython.double
        if not c.ahead[contact] and self.move_alike(contact):
            return
        beyond = self.beyond(contact)
        if c.axis[contact] == 3:
            if beyond >= 1.0:
                self.correct(contact, beyond, True)
        elif beyond > 0.0 or (beyond < 0.0 and beyond >= -2.0 and c.ahead[contact] and c.along[contact] > 0.0):
            self.correct(contact, beyond, True)

    def stop_passing(self) -> cython.bint:
        """Let the bodies of contacts stay where they are that would pass deep into each other; return whether any do.

        The solver has left too much speed between them: one leaves through the face where it entered only if it is not
        deeper than a quarter of the thinner of the two.
        """
        contact: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        found: cython.bint = False
        c: ContactList = self.contacts
        for contact in range(c.count):
            if c.pair[contact] < 0 or self.move_alike(contact) or self.beyond(contact) < 2.0:
                continue
            if 4.0 * self.beyond(contact) > min(
                self.thickness(c.first_part[contact]), self.thickness(c.second_part[contact])
            ):
                found = True
                for axis in range(3):
                    self.shift[3 * c.first[contact] + axis] = self.shift[3 * c.second[contact] + axis] = 0
        return found

    def thickness(self, part: cython.Py_ssize_t) -> cython.longlong:
        """Return the least extent of a part."""
        faces: cython.longlong[::1] = self.bodies.faces_view
        return min(
            faces[6 * part + 3] - faces[6 * part],
            faces[6 * part + 4] - faces[6 * part + 1],
            faces[6 * part + 5] - faces[6 * part + 2],
        )

    def correct(self, contact: cython.Py_ssize_t, amount: cython.double, is_displaced: cython.bint) -> cython.void:
        """Move the bodies of a contact apart along its normal, or nearer by a negative amount.

        The body farther from what is immovable gives way; bodies of the same depth share it. Rounded so that
        they do not overlap.
        """
        c: ContactList = self.contacts
        self.is_corrected = True
        a: cython.Py_ssize_t = c.first[contact]
        b: cython.Py_ssize_t = c.second[contact]
        first: cython.double = self.bodies.inverse_mass_view[a]
        second: cython.double = self.bodies.inverse_mass_view[b]
        axis: cython.Py_ssize_t
        own: cython.double
        other: cython.double
        if first > 0.0 and second > 0.0 and (self.is_shared or self.layers.depth[a] == self.layers.depth[b]):
            own = amount * (first / (first + second))
            other = amount * (second / (first + second))
        elif first == 0.0 or (second > 0.0 and self.layers.depth[b] > self.layers.depth[a]):
            own, other = 0.0, amount
        else:
            own, other = amount, 0.0
        if is_displaced and c.axis[contact] == 3:
            for axis in range(3):
                self.correct_axis(3 * a + axis, -_nearest(own * c.normal[3 * contact + axis]))
                self.correct_axis(3 * b + axis, _nearest(other * c.normal[3 * contact + axis]))
        elif amount < 0.0:
            for axis in range(3):
                self.correct_axis(3 * a + axis, -cython.cast(cython.longlong, own * c.normal[3 * contact + axis]))
                self.correct_axis(3 * b + axis, cython.cast(cython.longlong, other * c.normal[3 * contact + axis]))
        else:
            for axis in range(3):
                self.correct_axis(3 * a + axis, -_away(own * c.normal[3 * contact + axis]))
                self.correct_axis(3 * b + axis, _away(other * c.normal[3 * contact + axis]))

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def correct_axis(self, at: cython.Py_ssize_t, by: cython.longlong) -> cython.void:
        """Store a correction."""
        if by > self.plus[at]:
            self.plus[at] = by
        elif by < self.minus[at]:
            self.minus[at] = by

    def take_corrections(self, layer: cython.Py_ssize_t, are_positions: cython.bint) -> cython.void:
        """Apply the corrections of the bodies of a layer, to displacements or to positions."""
        at: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        body: cython.Py_ssize_t
        contact: cython.Py_ssize_t
        side: cython.int
        by: cython.longlong
        c: ContactList = self.contacts
        self.is_corrected = False
        for at in range(self.layers.first_of_layer[layer], self.layers.first_of_layer[layer + 1]):
            contact = self.layers.order[at]
            for side in range(2):
                body = c.second[contact] if side else c.first[contact]
                for axis in range(3 * body, 3 * body + 3):
                    by = self.plus[axis] + self.minus[axis]
                    self.plus[axis] = self.minus[axis] = 0
                    if by == 0:
                        continue
                    if are_positions:
                        self.bodies.position_view[axis] += by
                        self.moved[body] = 1
                    else:
                        self.shift[axis] += by
                if are_positions and self.moved[body]:
                    self.keep_within(body)

    # Positions.

    def move(self) -> cython.void:
        """Move all dynamic bodies by their displacements, and keep what was rounded off."""
        body: cython.Py_ssize_t
        at: cython.Py_ssize_t
        far: cython.double
        rest: cython.double
        for body in range(self.bodies.count):
            self.moved[body] = 0
            if self.bodies.inverse_mass_view[body] == 0.0:
                continue
            for at in range(3 * body, 3 * body + 3):
                if self.bodies.velocity_view[at] != 0.0:
                    far = self.bodies.velocity_view[at] * self.per_speed + self.bodies.remainder_view[at]
                    rest = far - cython.cast(cython.double, _nearest(far))
                    if far > _FARTHEST or far < -_FARTHEST:
                        rest = 0.0
                    # A displacement that was changed to fit has no remainder.
                    self.bodies.remainder_view[at] = rest if self.shift[at] == self.displacement(at) else 0.0
                if self.shift[at] != 0:
                    self.bodies.position_view[at] += self.shift[at]
                    self.moved[body] = 1
            if self.moved[body]:
                self.keep_within(body)

    def keep_within(self, body: cython.Py_ssize_t) -> cython.void:
        """Move a dynamic body back into the bounds of the world."""
        axis: cython.Py_ssize_t
        position: cython.longlong
        if self.bodies.inverse_mass_view[body] == 0.0 or body == self.bodies.count:
            return
        for axis in range(3):
            position = self.bodies.position_view[3 * body + axis]
            position = min(position, self.high[axis] - self.extent[6 * body + 3 + axis])
            self.bodies.position_view[3 * body + axis] = max(position, self.low[axis] - self.extent[6 * body + axis])

    def separate(self) -> cython.void:
        """Move bodies apart that overlap, in one pass from the lowest layer up (I6).

        A body between two that are nearer to what is immovable cannot give way to both. So what is left after the pass
        is shared by the masses, in a few passes down and up. Only parts that were in contact, or met, can overlap.
        """
        layer: cython.Py_ssize_t
        number: cython.int
        found: cython.bint = False
        last: cython.Py_ssize_t = self.layers.layer_count - 1
        self.is_shared = False
        for layer in range(last + 1):
            if self.separate_layer(layer):
                found = True
        self.is_shared = True
        for number in range(_PASSES):
            if not found:
                return
            found = False
            for layer in range(last + 1):
                if self.separate_layer(layer if number % 2 else last - layer):
                    found = True

    def separate_layer(self, layer: cython.Py_ssize_t) -> cython.bint:
        """Move the bodies of a layer apart from the same places; return whether any overlapped."""
        at: cython.Py_ssize_t
        contact: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        found: cython.bint = False
        c: ContactList = self.contacts
        p: ContactPoints = self.points
        for at in range(self.layers.first_of_layer[layer], self.layers.first_of_layer[layer + 1]):
            contact = self.layers.order[at]
            a, b = c.first[contact], c.second[contact]
            if c.pair[contact] < 0 or c.point[contact] > 0:
                continue
            if not self.moved[a] and not self.moved[b] and c.depth[contact] <= 0.0:
                continue
            if p.touch(a, c.first_part[contact], b, c.second_part[contact], 0.0) and p.depth > 0.0:
                c.normal[3 * contact] = p.nx
                c.normal[3 * contact + 1] = p.ny
                c.normal[3 * contact + 2] = p.nz
                self.correct(contact, p.depth, False)
                found = True
        if found:
            self.take_corrections(layer, True)
        return found

    # Angles.

    def turn(self) -> cython.void:
        """Add the angles of a substep."""
        body: cython.Py_ssize_t
        at: cython.Py_ssize_t
        for body in range(self.bodies.count):
            if self.bodies.inverse_moment_view[body] > 0.0:
                for at in range(3 * body, 3 * body + 3):
                    self.angles[at] += self.bodies.angular_view[at] * (self.per_speed / _PER_UNIT)

    def finish_turns(self) -> cython.void:
        """Round the angles of the step, and keep what was rounded off."""
        at: cython.Py_ssize_t
        far: cython.double
        whole: cython.longlong
        for at in range(3 * self.bodies.count):
            self.bodies.turned_view[at] = 0.0
            if self.angles[at] != 0.0:
                far = self.angles[at] * _PER_RADIAN + self.bodies.angle_left_view[at]
                whole = _nearest(far)
                self.bodies.turned_view[at] = cython.cast(cython.double, whole) * _ANGLE
                self.bodies.angle_left_view[at] = far - cython.cast(cython.double, whole) + 0.0
