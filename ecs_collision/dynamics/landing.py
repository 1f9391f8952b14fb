# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The end of a step: bodies take their places on the lattice, and none overlap that did not before (P9, T11, I5).

The solver leaves gaps between bodies, so mostly there is nothing to do but to look. Those that overlap nevertheless are
pushed apart by the few units that it takes. Where this does not help, in a crowd, the bodies stay where they were
before the step, and so do those that come into their way. This ends, because nothing overlapped there. They keep
their velocity, except that with which they approach although the step knew of their contact: the next step would lead
them to the same place.
"""

from __future__ import annotations

from array import array
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.dynamics.manifolds import Manifold
    from cython.cimports.ecs_collision.dynamics.step_contacts import StepContacts
    from cython.cimports.ecs_collision.shapes.bounds import Shape
    from cython.cimports.ecs_collision.shapes.overlap import PlacedPart, separation
    from cython.cimports.libc.math import ceil, floor
else:
    from math import ceil, floor

    from ecs_collision.dynamics.manifolds import Manifold
    from ecs_collision.dynamics.step_contacts import StepContacts
    from ecs_collision.shapes.bounds import Shape
    from ecs_collision.shapes.overlap import PlacedPart, separation

from ecs_collision._arrays import longer, zeros

_PASSES = cython.declare(cython.int, 64)
"""Passes over all pairs, at most: a pile that a hit presses together needs many."""
_WIDTHS = {"position": 3, "old_position": 3, "bounds": 6, "old_bounds": 6, "weight": 1, "size": 1, "flat": 1, "held": 1}
_WIDTHS["one_way"] = 1


@cython.final
@cython.cclass
class Landing:
    """The places of the bodies of a step, by index, in the order of their ids.

    The caller fills in for each body: `position` and `old_position`, after the step and before it, three numbers in
    lattice units; `shapes` and `old_shapes`, each a `Shape` (also for plain boxes), as the rotations of these places
    give them; `bounds` and `old_bounds`, six numbers, the faces around all parts relative to the position; `weight`,
    the inverse mass, 0.0 if nothing may move it; `size`, in lattice units; `flat` (L5);
    `one_way`, whether others may overlap it (M5); `following`, itself, or the next body of a group that moves as one.
    Where nothing turned, both shapes are the same object.

    `velocity` and `angular` have three numbers a body, `contacts` are those that the step had.

    `land` changes `position` and the velocities, and sets `held` for the bodies that have to stay: 1 if the rotation
    before the step, and so the shape and the bounds, hold on, too.
    """

    def __init__(self) -> None:
        self.capacity = 0
        self.shapes, self.old_shapes = list[Shape](), list[Shape]()
        self.position, self.old_position = array("q"), array("q")
        self.bounds, self.old_bounds = array("q"), array("q")
        self.weight, self.size, self.flat, self.held = array("d"), array("d"), array("b"), array("b")
        self.one_way, self.following = array("b"), array("i")
        self.position_view = self.old_position_view = self.bounds_view = self.old_bounds_view = self.position
        self.weight_view = self.size_view = self.weight
        self.flat_view = self.held_view = self.one_way_view = self.flat
        self.moved_at, self.apart_at, self.clock = zeros("q", 1), zeros("q", 1), 0
        self.a, self.b, self.manifold = PlacedPart(), PlacedPart(), Manifold()
        self.records, self.normal = array("d", [0.0] * 32), array("d", [0.0] * 3)
        self.velocity = self.angular = array("d")
        self.contacts = StepContacts()
        self.depth = self.nx = self.ny = self.nz = 0.0
        self.set_range((0, 0, 0), (0, 0, 0))

    def set_turned(self, body: cython.Py_ssize_t, shape: Shape) -> cython.void:
        """Set the shape of a body that the step turns."""
        b: cython.longlong[::1] = shape.bounds
        self.shapes[body] = shape
        for axis in range(6):
            self.bounds_view[6 * body + axis] = b[axis]
        for number in range(1, shape.count):
            for axis in range(3):
                self.bounds_view[6 * body + axis] = min(self.bounds_view[6 * body + axis], b[6 * number + axis])
                self.bounds_view[6 * body + 3 + axis] = max(
                    self.bounds_view[6 * body + 3 + axis], b[6 * number + 3 + axis]
                )

    def set_range(self, low: tuple[int, int, int], high: tuple[int, int, int], farthest: int = 1 << 36) -> None:
        """Set the bounds of the world in lattice units, and how far the index reaches to all sides."""
        self.farthest = farthest
        self.low_x, self.low_y, self.low_z = low
        self.high_x, self.high_y, self.high_z = high

    def reserve(self, bodies: int) -> None:
        """Make room for bodies."""
        if bodies <= self.capacity:
            return
        bodies += bodies // 2 + 16
        for name, width in _WIDTHS.items():
            new = longer(getattr(self, name), width * bodies)
            setattr(self, name, new)
            setattr(self, name + "_view", new)
        self.velocity = self.angular = zeros("d", 3 * bodies)
        self.following = self.following_view = array("i", range(bodies))
        self.moved_at = zeros("q", bodies)
        self.capacity = bodies

    def land(
        self,
        count: cython.Py_ssize_t,
        first: cython.int[::1],
        second: cython.int[::1],
        pair_count: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Find the places of the bodies; return how many have to stay where they were.

        first, second: the bodies of pairs that may meet and must not overlap, in order; all that may overlap after the
        step. Bodies that overlap by more than an eighth of the smaller one, as `size` says, are not pushed apart, since
        they may have passed each other.
        """
        held: cython.Py_ssize_t = 0
        before: cython.Py_ssize_t = -1
        if pair_count > len(self.apart_at):
            self.apart_at = zeros("q", 2 * pair_count)
        self.clock = 1
        for at in range(count):
            self.held_view[at] = 0
            self.keep_inside(cython.cast(cython.int, at))
            self.moved_at[at] = 1
        for at in range(pair_count):
            self.apart_at[at] = 0
        for _ in range(_PASSES):
            found = pushed = False
            for at in range(pair_count):
                if self.may_be_new(at, first[at], second[at]):
                    found = True
                    pushed = self.push(first[at], second[at]) or pushed
            if not found:
                return 0
            if not pushed:
                break
        while held != before:
            before = held
            for at in range(pair_count):
                if self.may_be_new(at, first[at], second[at]):
                    if self.contacts.joins(first[at], second[at]):
                        self.stop(first[at], second[at])
                    held += self.hold(first[at]) + self.hold(second[at])
        return held

    def may_be_new(self, pair: cython.Py_ssize_t, a: cython.int, b: cython.int) -> cython.bint:
        """Return `is_new`, without looking again at a pair that was apart while neither of the bodies has moved."""
        if self.apart_at[pair] > max(self.moved_at[a], self.moved_at[b]):
            return False
        if self.is_new(a, b):
            return True
        self.clock += 1
        self.apart_at[pair] = self.clock
        return False

    def is_new(self, a: cython.int, b: cython.int) -> cython.bint:
        """Return whether two bodies overlap that did not overlap before the step."""
        if self.one_way_view[a] or self.one_way_view[b]:
            return False
        for axis in range(3):
            if (
                self.position_view[3 * a + axis] + self.bounds_view[6 * a + axis]
                >= self.position_view[3 * b + axis] + self.bounds_view[6 * b + 3 + axis]
                or self.position_view[3 * b + axis] + self.bounds_view[6 * b + axis]
                >= self.position_view[3 * a + axis] + self.bounds_view[6 * a + 3 + axis]
            ):
                return False
        return self.overlap(a, b, self.position_view, self.shapes) and not self.overlap(
            a, b, self.old_position_view, self.old_shapes
        )

    def overlap(self, a: cython.int, b: cython.int, place: cython.longlong[::1], shapes: Any) -> cython.bint:
        """Return whether two bodies overlap at these places."""
        first: Shape = shapes[a]
        second: Shape = shapes[b]
        for number in range(first.count):
            self.a.set_part(first, number, place[3 * a], place[3 * a + 1], place[3 * a + 2])
            for other in range(second.count):
                self.b.set_part(second, other, place[3 * b], place[3 * b + 1], place[3 * b + 2])
                if separation(self.a, self.b) == 0:
                    return True
        return False

    # Pushing apart.

    def push(self, a: cython.int, b: cython.int) -> cython.bint:
        """Push two bodies apart, part by part; return whether it may have helped."""
        first: Shape = self.shapes[a]
        second: Shape = self.shapes[b]
        place: cython.longlong[::1] = self.position_view
        weight: cython.double = self.weight_view[a] + self.weight_view[b]
        flat: cython.bint = self.flat_view[a] and self.flat_view[b]
        if weight == 0.0:
            return False
        for number in range(first.count):
            for other in range(second.count):
                self.a.set_part(first, number, place[3 * a], place[3 * a + 1], place[3 * a + 2])
                self.b.set_part(second, other, place[3 * b], place[3 * b + 1], place[3 * b + 2])
                if separation(self.a, self.b) == 0:
                    self.measure(flat)
                    if 8.0 * self.depth > min(self.size_view[a], self.size_view[b]):
                        return False
                    self.displace(a, -self.weight_view[a] / weight)
                    self.displace(b, self.weight_view[b] / weight)
        return True

    def measure(self, flat: cython.bint) -> cython.void:
        """Find by how much to move the second part, and where to: one unit more, because the lattice rounds."""
        self.record(self.a, 0)
        self.record(self.b, 16)
        self.depth = 0.0
        for at in range(
            self.manifold.collide(
                self.records,
                0,
                1,
                0.5 * cython.cast(cython.double, self.b.lox + self.b.hix - self.a.lox - self.a.hix),
                0.5 * cython.cast(cython.double, self.b.loy + self.b.hiy - self.a.loy - self.a.hiy),
                0.5 * cython.cast(cython.double, self.b.loz + self.b.hiz - self.a.loz - self.a.hiz),
                1.0,
                flat,
            )
        ):
            self.depth = max(self.depth, -self.manifold.separations[at])
        self.nx, self.ny, self.nz = self.manifold.nx, self.manifold.ny, self.manifold.nz
        self.depth += 1.0

    def record(self, part: PlacedPart, at: cython.Py_ssize_t) -> cython.void:
        """Write a part as `Manifold` reads it, in lattice units."""
        for k in range(3):
            self.records[at + k] = 0.0
        self.records[at + 3] = 0.5 * cython.cast(cython.double, part.hix - part.lox)
        self.records[at + 4] = 0.5 * cython.cast(cython.double, part.hiy - part.loy)
        self.records[at + 5] = 0.5 * cython.cast(cython.double, part.hiz - part.loz)
        self.records[at + 6] = cython.cast(cython.double, part.radius)
        for k in range(9):
            self.records[at + 7 + k] = 1.0 if k == 0 or k == 4 or k == 8 else 0.0
        if part.is_turned:  # its axes are the columns of the matrix
            m = self.records
            m[at + 7], m[at + 8], m[at + 9] = part.m0, part.m3, part.m6
            m[at + 10], m[at + 11], m[at + 12] = part.m1, part.m4, part.m7
            m[at + 13], m[at + 14], m[at + 15] = part.m2, part.m5, part.m8

    def displace(self, body: cython.int, share: cython.double) -> cython.void:
        """Move a body by its share of the vector, in whole units away from the other."""
        if share == 0.0:
            return
        for axis in range(3):
            far: cython.double = share * self.depth * (self.nx if axis == 0 else (self.ny if axis == 1 else self.nz))
            self.shift(body, axis, cython.cast(cython.longlong, ceil(far) if far > 0.0 else floor(far)))
        other: cython.int = self.following_view[body]
        while other != body:
            self.keep_inside(other)
            other = self.following_view[other]
        self.keep_inside(body)

    def shift(self, body: cython.int, axis: cython.int, by: cython.longlong) -> cython.void:
        """Move a body, with its group, by some units along an axis."""
        other: cython.int = self.following_view[body]
        self.clock += 1
        self.moved_at[body] = self.clock
        self.position_view[3 * body + axis] += by
        while other != body:
            self.moved_at[other] = self.clock
            self.position_view[3 * other + axis] += by
            other = self.following_view[other]

    def keep_inside(self, body: cython.int) -> cython.void:
        """Keep a body within the bounds of the world, on each axis on which it was, else within the index."""
        if self.weight_view[body] == 0.0:
            return
        for axis in range(3):
            low: cython.longlong = self.low_x if axis == 0 else (self.low_y if axis == 1 else self.low_z)
            high: cython.longlong = self.high_x if axis == 0 else (self.high_y if axis == 1 else self.high_z)
            at: cython.Py_ssize_t = 3 * body + axis
            if (
                self.old_position_view[at] + self.old_bounds_view[6 * body + axis] < low
                or self.old_position_view[at] + self.old_bounds_view[6 * body + 3 + axis] > high
            ):
                low, high = -self.farthest, self.farthest - 1
            to: cython.longlong = min(self.position_view[at], high - self.bounds_view[6 * body + 3 + axis])
            to = max(to, low - self.bounds_view[6 * body + axis])
            if to != self.position_view[at]:
                self.shift(body, axis, to - self.position_view[at])

    # Staying.

    def stop(self, a: cython.int, b: cython.int) -> cython.void:
        """Take the speed with which they approach from two bodies that overlap, and half of their turning."""
        v: cython.double[::1] = self.velocity
        weight_a: cython.double = self.weight_view[a]
        weight_b: cython.double = self.weight_view[b]
        speed: cython.double = 0.0
        if weight_a + weight_b == 0.0:
            return
        self.overlap(a, b, self.position_view, self.shapes)
        self.measure(self.flat_view[a] and self.flat_view[b])
        for k in range(3):
            self.normal[k] = self.nx if k == 0 else (self.ny if k == 1 else self.nz)
            if weight_a != 0.0:  # the velocity of what is immovable is that of its surface
                speed -= self.normal[k] * v[3 * a + k]
            if weight_b != 0.0:
                speed += self.normal[k] * v[3 * b + k]
        if speed < 0.0:
            self.slow_down(a, weight_a * speed / (weight_a + weight_b))
            self.slow_down(b, -weight_b * speed / (weight_a + weight_b))

    def slow_down(self, body: cython.int, by: cython.double) -> cython.void:
        """Change the velocity of a body, with its group, along the normal, and halve its turning."""
        other: cython.int = body
        while by != 0.0:
            for k in range(3):
                self.velocity[3 * other + k] += by * self.normal[k]
                self.angular[3 * other + k] *= 0.5
            other = self.following_view[other]
            if other == body:
                break

    def hold(self, body: cython.int) -> cython.int:
        """Let a body that can move, and its group, stay as before the step; return how many did not stay yet."""
        count: cython.int = 0
        while self.weight_view[body] != 0.0 and not self.held_view[body]:
            self.held_view[body] = 1
            self.clock += 1
            self.moved_at[body] = self.clock
            self.shapes[body] = self.old_shapes[body]
            for k in range(3):
                self.position_view[3 * body + k] = self.old_position_view[3 * body + k]
            for k in range(6):
                self.bounds_view[6 * body + k] = self.old_bounds_view[6 * body + k]
            body = self.following_view[body]
            count += 1
        return count
