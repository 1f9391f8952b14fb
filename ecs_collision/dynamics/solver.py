# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""One step of dynamic bodies: the phases of a substep, in their order (rules I2 to I6).

Not taken: floats with a tolerance around bodies (Box2D, rapier), which let resting bodies sink and fast ones stop
short. Bodies lie on the lattice, so touching is exact. What would overlap at the end of a substep gets a contact before
it moves, in the order of the times at which bodies meet: a box that lands on a row of tiles does not stumble over the
edges between them, because the contact with the face comes first and removes those with the sides.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

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

from ecs_collision._arrays import longer
from ecs_collision.components import MAX_SPEED
from ecs_collision.dynamics.bounces import Bounces
from ecs_collision.dynamics.contact_list import AHEAD, CLOSE, STILL, ContactList
from ecs_collision.dynamics.contact_points import MARGIN, ContactPoints
from ecs_collision.dynamics.dynamic_bodies import DynamicBodies
from ecs_collision.dynamics.impulses import Impulses
from ecs_collision.dynamics.kept_contacts import KeptContacts
from ecs_collision.dynamics.layers import Layers
from ecs_collision.dynamics.moves import Moves
from ecs_collision.dynamics.step_memory import StepMemory

REST_SPEED = 2.0**-40
"""A body that something immovable holds, and that is slower on an axis, stops there: less than rounding leaves."""

ROUNDS = 8
"""How often a substep looks ahead for what the last solution of its contacts has made bodies meet."""

_MAX_SPEED = cython.declare(cython.double, MAX_SPEED)
_REST_SPEED = cython.declare(cython.double, REST_SPEED)
_ROUNDS = cython.declare(cython.int, ROUNDS)
_MARGIN = cython.declare(cython.double, MARGIN)
_NEAR = cython.declare(cython.longlong, 4)
_AHEAD = cython.declare(cython.int, AHEAD)
_CLOSE = cython.declare(cython.int, CLOSE)
_STILL = cython.declare(cython.int, STILL)
_IN_FRONT = cython.declare(cython.double, 2.0**-20)
"""The least part of a normal along the direction of a one-way body in front of it; less are rounding errors."""


@cython.final
@cython.cclass
class Solver:
    """Moves bodies by steps. It has no state between them, only work buffers.

    `contact_count` contacts were found in the last step, `meeting_count` of them by looking ahead, and `solve_count`
    times a contact was solved.
    """

    def __init__(self) -> None:
        self.contact_count = self.solve_count = self.meeting_count = 0
        self.pair_capacity = self.body_capacity = self.meet_capacity = self.meet_count = 0
        self.is_unsure = False
        self.times_array, self.met_array = array("d"), array("i")
        self.contacts, self.points, self.impulses = ContactList(), ContactPoints(), Impulses()
        self.layers, self.moves, self.memory, self.bounces = Layers(), Moves(), StepMemory(), Bounces()

    def step(
        self,
        bodies: DynamicBodies,
        pairs_first: array[int],
        pairs_second: array[int],
        pair_count: int,
        kept: KeptContacts,
        h: float,
        gravity: Sequence[float],
        substeps: int,
        iterations: int,
        low: Sequence[int],
        high: Sequence[int],
    ) -> None:
        """Move the bodies by `substeps` substeps of h seconds, h up to 1.

        pairs: indices of bodies that may meet in this step, `first < second`, sorted; at least one is dynamic. low,
        high: the bounds of the world in lattice units.
        """
        x, y, z = gravity
        for axis in range(3):
            self.moves.set_bounds(axis, low[axis], high[axis])
        self.bodies, self.iterations = bodies, iterations
        self.first, self.second, self.pair_count = pairs_first, pairs_second, pair_count
        self.threshold = 2.0 * sqrt(x * x + y * y + z * z) * h
        self.contact_count = self.meeting_count = 0
        self.reserve()
        self.memory.begin(bodies, kept)
        self.begin()
        self.points.begin(bodies)
        self.layers.begin(bodies)
        self.impulses.begin(self.contacts, bodies, self.layers)
        self.bounces.begin(self.impulses)
        self.moves.begin(self.contacts, self.points, bodies, self.layers, h)
        for _ in range(substeps):
            self.substep(whole_quanta(x * h), whole_quanta(y * h), whole_quanta(z * h))
        self.moves.finish_turns()
        self.memory.finish(kept, self.layers)
        self.solve_count = self.impulses.solve_count

    def substep(self, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Move the bodies by one substep, in which gravity changes velocities by x, y, z."""
        self.accelerate(x, y, z)
        self.find_contacts()
        self.solve_all()
        self.look_ahead()
        self.settle()
        self.moves.find_displacements()
        self.moves.fit()
        if self.moves.stop_passing():
            self.is_unsure = True
        self.stop_meeting()
        self.moves.move()
        self.moves.turn()
        self.bounces.bounce(self.velocity_before, self.angular_before, self.threshold, self.iterations)
        self.limit_speeds()
        self.moves.separate()
        self.forget_hits()
        self.memory.store(self.contacts)
        self.contact_count += self.contacts.count

    # Buffers.

    def reserve(self) -> cython.void:
        """Make room for the bodies and pairs of a step."""
        if self.bodies.count >= self.body_capacity:
            capacity: cython.Py_ssize_t = 2 * self.bodies.count + 64
            self.sides, self.earliest = array("i", bytes(4 * capacity)), array("d", bytes(8 * capacity))
            self.marked = array("b", bytes(capacity))
            self.velocity_before = array("d", bytes(24 * capacity))
            self.angular_before = array("d", bytes(24 * capacity))
            self.body_capacity = capacity
        if self.pair_count > self.pair_capacity:
            self.newest = array("i", bytes(8 * self.pair_count))
            self.pair_capacity = 2 * self.pair_count

    def begin(self) -> cython.void:
        """Round velocities to quanta, and make the bounds of the world an immovable body behind the last one."""
        at: cython.Py_ssize_t
        bodies: DynamicBodies = self.bodies
        for at in range(3 * bodies.count):
            bodies.velocity_view[at] = whole_quanta(bodies.velocity_view[at])
            bodies.angular_view[at] = whole_quanta(bodies.angular_view[at])
        for at in range(3 * bodies.count, 3 * bodies.count + 3):
            bodies.position_view[at] = 0
            bodies.velocity_view[at] = bodies.angular_view[at] = bodies.remainder_view[at] = 0.0
        at = bodies.count
        bodies.inverse_mass_view[at] = bodies.inverse_moment_view[at] = 0.0
        bodies.restitution_view[at] = bodies.friction_view[at] = 0.0

    # Velocities.

    def accelerate(self, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Add to the velocities of dynamic bodies, and store them as those before anything is solved."""
        body: cython.Py_ssize_t
        at: cython.Py_ssize_t
        bodies: DynamicBodies = self.bodies
        for body in range(bodies.count):
            if bodies.inverse_mass_view[body] > 0.0:
                bodies.velocity_view[3 * body] += x
                bodies.velocity_view[3 * body + 1] += y
                bodies.velocity_view[3 * body + 2] += z
        self.limit_speeds()
        for at in range(3 * bodies.count + 3):
            self.velocity_before[at] = bodies.velocity_view[at]
            self.angular_before[at] = bodies.angular_view[at]

    def limit_speeds(self) -> cython.void:
        """Cut velocities at the largest speed."""
        at: cython.Py_ssize_t
        bodies: DynamicBodies = self.bodies
        for at in range(3 * bodies.count):
            bodies.velocity_view[at] = min(max(bodies.velocity_view[at], -_MAX_SPEED), _MAX_SPEED)
            bodies.angular_view[at] = min(max(bodies.angular_view[at], -_MAX_SPEED), _MAX_SPEED)

    def settle(self) -> cython.void:
        """Stop held bodies that are slower than what rounding leaves, and drop the remainders of bodies that stand."""
        contact: cython.Py_ssize_t
        side: cython.int
        at: cython.Py_ssize_t
        body: cython.Py_ssize_t
        bodies: DynamicBodies = self.bodies
        c: ContactList = self.contacts
        for contact in range(c.count):
            if c.along[contact] <= 0.0:
                continue
            for side in range(2):
                body = c.second[contact] if side else c.first[contact]
                if self.layers.depth[body] <= 0:
                    continue
                for at in range(3 * body, 3 * body + 3):
                    if -_REST_SPEED < bodies.velocity_view[at] < _REST_SPEED:
                        bodies.velocity_view[at] = 0.0
                    if -_REST_SPEED < bodies.angular_view[at] < _REST_SPEED:
                        bodies.angular_view[at] = 0.0
        self.moves.release_remainders()

    def forget_hits(self) -> cython.void:
        """Clear the impulses of contacts that were hits, not weights: the next substep must not begin with them (I8).

        Without gravity nothing has a weight.
        """
        contact: cython.Py_ssize_t
        for contact in range(self.contacts.count):
            if self.threshold == 0.0 or self.contacts.parting[contact] < -self.threshold:
                self.contacts.along[contact] = 0.0

    # Contacts now.

    def find_contacts(self) -> cython.void:
        """Find all parts that touch or overlap, in the order of their keys, with the impulses they had before."""
        pair: cython.Py_ssize_t
        a: cython.int
        b: cython.int
        part_a: cython.int
        part_b: cython.int
        margin: cython.double
        first_part: cython.int[::1] = self.bodies.first_part_view
        one_way: cython.schar[::1] = self.bodies.one_way_view
        self.contacts.clear()
        self.memory.rewind()
        self.find_bounds()
        for pair in range(self.pair_count):
            a, b = self.first[pair], self.second[pair]
            self.newest[pair] = -1
            for part_a in range(first_part[a], first_part[a + 1]):
                for part_b in range(first_part[b], first_part[b + 1]):
                    if not self.points.are_near(a, part_a, b, part_b, _NEAR):
                        continue
                    margin = 0.0
                    if self.memory.any_of(a, b, part_a - first_part[a], part_b - first_part[b]) >= 0:
                        margin = _MARGIN
                    if not self.points.touch_near(a, part_a, b, part_b, margin):
                        continue
                    if (one_way[a] | one_way[b]) != 0 and not (
                        self.are_in_front(a, b) and (margin > 0.0 or self.points.depth <= 0.0)
                    ):
                        continue
                    if self.points.depth >= 0.0:
                        self.add_contacts(pair, a, b, part_a, part_b, 0)
                    elif self.points.axis < 3:
                        self.add_contacts(pair, a, b, part_a, part_b, _STILL)
                    elif not self.slides(a, b):
                        self.add_contacts(pair, a, b, part_a, part_b, 0)

    def slides(self, a: cython.int, b: cython.int) -> cython.bint:
        """Return whether two bodies move past each other, across the normal found last, by more than the margin.

        A ball that rolls on leaves the edge behind it at once, and is not pushed by it.
        """
        v: cython.double[::1] = self.bodies.velocity_view
        p: ContactPoints = self.points
        x: cython.double = (v[3 * b] - v[3 * a]) * self.moves.per_speed
        y: cython.double = (v[3 * b + 1] - v[3 * a + 1]) * self.moves.per_speed
        z: cython.double = (v[3 * b + 2] - v[3 * a + 2]) * self.moves.per_speed
        along: cython.double = x * p.nx + y * p.ny + z * p.nz
        x, y, z = x - along * p.nx, y - along * p.ny, z - along * p.nz
        return x * x + y * y + z * z > _MARGIN * _MARGIN

    def meet(
        self,
        a: cython.int,
        part_a: cython.int,
        b: cython.int,
        part_b: cython.int,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
    ) -> cython.bint:
        """Return what `ContactPoints.meet` does, and False if the parts pass because a body is one-way (M5)."""
        if not self.points.meet(a, part_a, b, part_b, x, y, z):
            return False
        return (self.bodies.one_way_view[a] | self.bodies.one_way_view[b]) == 0 or self.are_in_front(a, b)

    def are_in_front(self, a: cython.int, b: cython.int) -> cython.bint:
        """Return whether the normal found last points out of each one-way body on the side of its direction (M5)."""
        p: ContactPoints = self.points
        side: cython.int
        for side in range(2):
            direction: cython.int = self.bodies.one_way_view[b if side else a]
            if direction == 0:
                continue
            axis: cython.int = abs(direction) - 1
            along: cython.double = p.nx if axis == 0 else (p.ny if axis == 1 else p.nz)
            if (along if (direction > 0) == (side == 0) else -along) < _IN_FRONT:
                return False
        return True

    def find_bounds(self) -> cython.void:
        """Find the dynamic bodies at the bounds of the world."""
        body: cython.int
        side: cython.int
        for body in range(self.bodies.count):
            self.sides[body] = 0
            if self.bodies.inverse_mass_view[body] == 0.0:
                continue
            for side in range(6):
                if self.gap_to_side(body, side) <= 0 and not (side % 3 == 2 and self.points.is_flat(body)):
                    self.add_side(body, side, 0.0, 0)

    def add_side(self, body: cython.int, side: cython.int, gap: cython.double, ahead: cython.int) -> cython.void:
        """Add the contact of a body with a side of the bounds."""
        kept: cython.Py_ssize_t
        at: cython.Py_ssize_t
        self.sides[body] |= 1 << side
        self.points.set_axis(side % 3, side < 3, -gap)
        self.points.point_count = 0
        at = self.add_contact(-1, cython.cast(cython.int, self.bodies.count), body, side, 0, 0, ahead)
        if ahead == 0:
            kept = self.memory.find(-1, body, side, 0, 0)
            if kept >= 0:
                self.contacts.along[at] = self.memory.now.normal_view[kept]

    def add_contacts(
        self,
        pair: cython.Py_ssize_t,
        a: cython.int,
        b: cython.int,
        part_a: cython.int,
        part_b: cython.int,
        ahead: cython.int,
    ) -> cython.void:
        """Add the contact of two parts that was found last, one for each of its points if a body can turn."""
        point: cython.int = 0
        at: cython.Py_ssize_t
        kept: cython.Py_ssize_t
        time: cython.double
        bodies: DynamicBodies = self.bodies
        if bodies.inverse_moment_view[a] > 0.0 or bodies.inverse_moment_view[b] > 0.0:
            time = self.points.time if ahead == _AHEAD else 0.0
            self.points.find_points(
                part_a,
                part_b,
                time * (self.moves.shift[3 * b] - self.moves.shift[3 * a]),
                time * (self.moves.shift[3 * b + 1] - self.moves.shift[3 * a + 1]),
                time * (self.moves.shift[3 * b + 2] - self.moves.shift[3 * a + 2]),
            )
        else:
            self.points.point_count = 0
        while True:
            at = self.add_contact(pair, a, b, part_a, part_b, point, ahead)
            if ahead == 0 or ahead == _STILL:
                kept = self.memory.find(
                    a, b, part_a - bodies.first_part_view[a], part_b - bodies.first_part_view[b], point
                )
                if kept >= 0:
                    self.start_from(at, kept)
            point += 1
            if point >= self.points.point_count:
                return

    def start_from(self, contact: cython.Py_ssize_t, kept: cython.Py_ssize_t) -> cython.void:
        """Start a contact from the impulses of the substep before, in the plane that it has now."""
        n: cython.Py_ssize_t = 3 * contact
        c: ContactList = self.contacts
        now: KeptContacts = self.memory.now
        x: cython.double = now.across_view[3 * kept]
        y: cython.double = now.across_view[3 * kept + 1]
        z: cython.double = now.across_view[3 * kept + 2]
        along: cython.double = 0.0
        if c.axis[contact] == 3:
            along = x * c.normal[n] + y * c.normal[n + 1] + z * c.normal[n + 2]
        c.along[contact] = now.normal_view[kept]
        c.across[n], c.across[n + 1], c.across[n + 2] = (
            x - along * c.normal[n],
            y - along * c.normal[n + 1],
            z - along * c.normal[n + 2],
        )

    def add_contact(
        self,
        pair: cython.Py_ssize_t,
        a: cython.int,
        b: cython.int,
        part_a: cython.int,
        part_b: cython.int,
        point: cython.int,
        ahead: cython.int,
    ) -> cython.Py_ssize_t:
        """Add a contact at a point that was found last, and return its number."""
        c: ContactList = self.contacts
        p: ContactPoints = self.points
        bodies: DynamicBodies = self.bodies
        at: cython.Py_ssize_t = c.add()
        lever: cython.Py_ssize_t
        n: cython.Py_ssize_t = 3 * at
        number: cython.int
        c.first[at], c.second[at], c.first_part[at], c.second_part[at] = a, b, part_a, part_b
        c.point[at], c.pair[at], c.axis[at], c.ahead[at] = point, cython.cast(cython.int, pair), p.axis, ahead
        c.normal[n], c.normal[n + 1], c.normal[n + 2] = p.nx, p.ny, p.nz
        c.depth[at], c.limit[at] = p.depth, 0.0
        c.friction[at] = sqrt(bodies.friction_view[a] * bodies.friction_view[b])
        c.restitution[at] = max(bodies.restitution_view[a], bodies.restitution_view[b])
        if pair >= 0:
            c.next[at] = self.newest[pair]
            self.newest[pair] = cython.cast(cython.int, at)
        if p.point_count > 0:
            lever = c.add_lever()
            c.lever[at] = cython.cast(cython.int, lever)
            lever *= 12
            for number in range(6):
                c.levers[lever + number] = p.levers[6 * point + number]
            for number in range(0, 6, 3):
                c.levers[lever + number + 6] = c.levers[lever + number + 1] * p.nz - c.levers[lever + number + 2] * p.ny
                c.levers[lever + number + 7] = c.levers[lever + number + 2] * p.nx - c.levers[lever + number] * p.nz
                c.levers[lever + number + 8] = c.levers[lever + number] * p.ny - c.levers[lever + number + 1] * p.nx
        c.parting[at] = self.impulses.parting_speed(at, self.velocity_before, self.angular_before)
        if ahead:
            self.set_limit(at)
        return at

    def set_limit(self, at: cython.Py_ssize_t) -> cython.void:
        """Let the bodies of a contact approach just so fast that they touch at the end of the substep.

        The velocity of an immovable body is only that of its surface, so its part of the speed does not close the gap.
        """
        c: ContactList = self.contacts
        bodies: DynamicBodies = self.bodies
        n: cython.Py_ssize_t = 3 * at
        body: cython.Py_ssize_t
        side: cython.int
        if c.axis[at] == 3 and c.depth[at] > -_MARGIN:
            c.depth[at] = 0.0
            c.ahead[at] = _CLOSE
        c.limit[at] = -c.depth[at] / self.moves.per_speed
        for side in range(2):
            body = c.second[at] if side else c.first[at]
            if bodies.inverse_mass_view[body] == 0.0:
                body *= 3
                c.limit[at] += (-1.0 if side else 1.0) * (
                    bodies.velocity_view[body] * c.normal[n]
                    + bodies.velocity_view[body + 1] * c.normal[n + 1]
                    + bodies.velocity_view[body + 2] * c.normal[n + 2]
                )
            elif c.axis[at] < 3:
                bodies.remainder_view[3 * body + c.axis[at]] = 0.0

    def solve_all(self) -> cython.void:
        """Solve all contacts, starting from the impulses they had."""
        number: cython.Py_ssize_t
        self.layers.build(self.contacts, self.bodies)
        self.impulses.prepare()
        self.impulses.apply_kept()
        for number in range(self.layers.set_count):
            self.impulses.solve(number, self.iterations)

    # Contacts ahead.

    def look_ahead(self) -> cython.void:
        """Add the contacts of bodies that would begin to overlap in this substep, and solve their sets again.

        In each round only bodies that meet nothing earlier get a contact, since that one may change where they go. The
        last round adds all.
        """
        number: cython.int
        begin: cython.Py_ssize_t
        self.is_unsure = False
        for number in range(_ROUNDS):
            begin = self.contacts.count
            self.moves.find_displacements()
            self.find_meetings()
            if self.meet_count == 0:
                return
            self.add_meetings(number == _ROUNDS - 1)
            self.meeting_count += self.contacts.count - begin
            self.solve_again(begin)
        self.is_unsure = True

    def find_meetings(self) -> cython.void:
        """Find all parts without a contact that would begin to overlap, and when each body first meets another."""
        pair: cython.Py_ssize_t
        body: cython.int
        bounds: cython.int = cython.cast(cython.int, self.bodies.count)
        a: cython.int
        b: cython.int
        part_a: cython.int
        part_b: cython.int
        side: cython.int
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        gap: cython.longlong
        first_part: cython.int[::1] = self.bodies.first_part_view
        shift: cython.longlong[::1] = self.moves.shift
        self.meet_count = 0
        for body in range(self.bodies.count):
            self.earliest[body] = 2.0
            if self.bodies.inverse_mass_view[body] == 0.0:
                continue
            for side in range(6):
                x = shift[3 * body + side % 3]
                if x == 0 or self.sides[body] & (1 << side) or (side % 3 == 2 and self.points.is_flat(body)):
                    continue
                gap = self.gap_to_side(body, side)
                if side < 3:
                    x = -x
                if gap < x:
                    self.note(-1, bounds, body, side, 0, gap / cython.cast(cython.double, x))
        for pair in range(self.pair_count):
            a, b = self.first[pair], self.second[pair]
            x = shift[3 * b] - shift[3 * a]
            y = shift[3 * b + 1] - shift[3 * a + 1]
            z = shift[3 * b + 2] - shift[3 * a + 2]
            if (x | y | z) == 0:
                continue
            for part_a in range(first_part[a], first_part[a + 1]):
                for part_b in range(first_part[b], first_part[b + 1]):
                    if not self.has_contact(pair, part_a, part_b) and self.meet(a, part_a, b, part_b, x, y, z):
                        self.note(pair, a, b, part_a, part_b, self.points.time)

    def gap_to_side(self, body: cython.int, side: cython.int) -> cython.longlong:
        """Return the distance of a body to a side of the bounds."""
        at: cython.longlong = self.bodies.position_view[3 * body + side % 3] + self.moves.extent[6 * body + side]
        return at - self.moves.low[side] if side < 3 else self.moves.high[side - 3] - at

    def has_contact(self, pair: cython.Py_ssize_t, part_a: cython.int, part_b: cython.int) -> cython.bint:
        """Return whether two parts have a contact in this substep.

        Both are convex, so while it keeps them apart along its normal they do not overlap.
        """
        at: cython.int = self.newest[pair]
        while at >= 0:
            if self.contacts.first_part[at] == part_a and self.contacts.second_part[at] == part_b:
                return True
            at = self.contacts.next[at]
        return False

    def note(
        self,
        pair: cython.Py_ssize_t,
        a: cython.int,
        b: cython.int,
        part_a: cython.int,
        part_b: cython.int,
        time: cython.double,
    ) -> cython.void:
        """Note that two parts meet at a time."""
        at: cython.Py_ssize_t = self.meet_count
        if at == self.meet_capacity:
            capacity: cython.Py_ssize_t = 2 * at + 64
            times, met = longer(self.times_array, capacity), longer(self.met_array, 5 * capacity)
            self.times_array, self.met_array = times, met
            self.times, self.met = times, met
            self.meet_capacity = capacity
        self.times[at] = time
        self.met[5 * at] = cython.cast(cython.int, pair)
        self.met[5 * at + 1], self.met[5 * at + 2] = a, b
        self.met[5 * at + 3], self.met[5 * at + 4] = part_a, part_b
        self.meet_count = at + 1
        self.earliest[a] = min(self.earliest[a], time)
        self.earliest[b] = min(self.earliest[b], time)

    def add_meetings(self, all: cython.bint) -> cython.void:
        """Add the contacts of parts that meet, or of those whose dynamic bodies meet nothing earlier."""
        at: cython.Py_ssize_t
        a: cython.int
        b: cython.int
        mass: cython.double[::1] = self.bodies.inverse_mass_view
        shift: cython.longlong[::1] = self.moves.shift
        for at in range(self.meet_count):
            a, b = self.met[5 * at + 1], self.met[5 * at + 2]
            if not all and (
                (mass[a] > 0.0 and self.earliest[a] < self.times[at])
                or (mass[b] > 0.0 and self.earliest[b] < self.times[at])
            ):
                continue
            if self.met[5 * at] < 0:
                self.add_side(
                    b,
                    self.met[5 * at + 3],
                    cython.cast(cython.double, self.gap_to_side(b, self.met[5 * at + 3])),
                    _AHEAD,
                )
            else:
                self.points.meet(
                    a,
                    self.met[5 * at + 3],
                    b,
                    self.met[5 * at + 4],
                    shift[3 * b] - shift[3 * a],
                    shift[3 * b + 1] - shift[3 * a + 1],
                    shift[3 * b + 2] - shift[3 * a + 2],
                )
                self.add_contacts(self.met[5 * at], a, b, self.met[5 * at + 3], self.met[5 * at + 4], _AHEAD)

    def solve_again(self, begin: cython.Py_ssize_t) -> cython.void:
        """Solve the sets that have a new contact, from number `begin`, starting from the impulses they have."""
        at: cython.Py_ssize_t
        number: cython.Py_ssize_t
        self.layers.build(self.contacts, self.bodies)
        self.impulses.prepare()
        for at in range(self.bodies.count):
            self.marked[at] = 0
        for at in range(begin, self.contacts.count):
            self.marked[self.layers.set_of(self.contacts, self.bodies, cython.cast(cython.int, at))] = 1
        for number in range(self.layers.set_count):
            if self.marked[self.layers.body_of_set[number]]:
                self.impulses.solve(number, self.iterations)

    def stop_meeting(self) -> cython.void:
        """Let bodies stay where they are that would still begin to overlap, if looking ahead did not come to an end.

        They keep their velocities. In the next substep the bodies that hinder them have come to rest or moved on.
        """
        pair: cython.Py_ssize_t
        a: cython.int
        b: cython.int
        part_a: cython.int
        part_b: cython.int
        axis: cython.int
        first_part: cython.int[::1] = self.bodies.first_part_view
        shift: cython.longlong[::1] = self.moves.shift
        while self.is_unsure:
            self.is_unsure = False
            for pair in range(self.pair_count):
                a, b = self.first[pair], self.second[pair]
                for part_a in range(first_part[a], first_part[a + 1]):
                    for part_b in range(first_part[b], first_part[b + 1]):
                        if self.meet(
                            a,
                            part_a,
                            b,
                            part_b,
                            shift[3 * b] - shift[3 * a],
                            shift[3 * b + 1] - shift[3 * a + 1],
                            shift[3 * b + 2] - shift[3 * a + 2],
                        ):
                            self.is_unsure = True
                            for axis in range(3):
                                shift[3 * a + axis] = shift[3 * b + axis] = 0
