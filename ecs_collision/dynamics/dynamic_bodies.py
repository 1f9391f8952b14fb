# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The bodies of one step as arrays: dynamic ones, and the immovable ones that they may meet (rule I1)."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer


@cython.final
@cython.cclass
class DynamicBodies:
    """The bodies of a step, by index, in the order of their ids. Arrays have three numbers a body for x, y and z.

    In and out: `position` (lattice units), `remainder` (lattice units, up to half of one), `velocity` (units per
    second), `angular` (radians per second) and `angle_left` (the same for angles, in multiples of 2**-20 radians).

    Only out: `turned` (the rotation vector of this step in radians, multiples of 2**-20), `set_number` (of a dynamic
    body: the lowest index in its set, the bodies that contacts joined in this step; of others: their own) and
    `at_rest` (of a dynamic body: 1 if the step changed nothing of its set, rule I7), and `reach` (lattice units: how
    far it came from its place on each axis, or would have come if it had met nothing).

    Velocities are finite, from -2**14 to 2**14. A body is immovable if its `inverse_mass` is 0; then its
    `inverse_moment` is 0 too, and its velocity is that of its surface. `faces` has six numbers a part, the bounds
    relative to the position; the parts of body i are those from `first_part[i]` to `first_part[i + 1]`. `one_way` is
    that of `Columns`.
    """

    def __init__(self) -> None:
        self.count = self.part_count = self.capacity = self.part_capacity = 0
        self.shapes = list[object]()
        self.entity, self.position = array("q"), array("q")
        self.remainder, self.velocity, self.angular = array("d"), array("d"), array("d")
        self.turned, self.angle_left = array("d"), array("d")
        self.inverse_mass, self.inverse_moment = array("d"), array("d")
        self.restitution, self.friction = array("d"), array("d")
        self.row, self.first_part, self.set_number = array("i"), array("i"), array("i")
        self.collides, self.at_rest, self.one_way = array("b"), array("b"), array("b")
        self.faces, self.reach = array("q"), array("q")
        self.reserve(64)
        self.reserve_parts(64)

    def begin(self) -> cython.void:
        """Remove all bodies."""
        self.count = self.part_count = 0
        self.shapes.clear()
        self.first_part_view[0] = 0

    def add(
        self,
        entity: cython.longlong,
        row: cython.int,
        collides: cython.bint,
        inverse_mass: cython.double,
        inverse_moment: cython.double,
        restitution: cython.double,
        friction: cython.double,
        shape: object,
    ) -> cython.Py_ssize_t:
        """Append a body without parts, at rest at the origin, and return its index. Its id is above those before.

        shape: a `Shape`, or None if all parts are boxes. Add its parts next, in their order.
        """
        at: cython.Py_ssize_t = self.count
        axis: cython.Py_ssize_t
        if at + 2 > self.capacity:
            self.reserve(2 * self.capacity)
        self.shapes.append(shape)
        self.entity_view[at] = entity
        self.row_view[at] = row
        self.collides_view[at] = 1 if collides else 0
        self.one_way_view[at] = 0
        self.inverse_mass_view[at] = inverse_mass
        self.inverse_moment_view[at] = inverse_moment
        self.restitution_view[at] = restitution
        self.friction_view[at] = friction
        self.at_rest_view[at] = 0
        self.set_number_view[at] = cython.cast(cython.int, at)
        for axis in range(3 * at, 3 * at + 3):
            self.position_view[axis] = 0
            self.remainder_view[axis] = 0.0
            self.velocity_view[axis] = 0.0
            self.angular_view[axis] = 0.0
            self.turned_view[axis] = 0.0
            self.angle_left_view[axis] = 0.0
            self.reach_view[axis] = 0
        self.first_part_view[at + 1] = cython.cast(cython.int, self.part_count)
        self.count = at + 1
        return at

    def add_part(
        self,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.void:
        """Append a part to the last body: its bounds relative to the position."""
        at: cython.Py_ssize_t = 6 * self.part_count
        if self.part_count == self.part_capacity:
            self.reserve_parts(2 * self.part_capacity)
        self.faces_view[at], self.faces_view[at + 1], self.faces_view[at + 2] = lox, loy, loz
        self.faces_view[at + 3], self.faces_view[at + 4], self.faces_view[at + 5] = hix, hiy, hiz
        self.part_count += 1
        self.first_part_view[self.count] = cython.cast(cython.int, self.part_count)

    def reserve(self, bodies: cython.Py_ssize_t) -> cython.void:
        """Make room for bodies; the bounds of the world take the place of one (see `Solver`)."""
        entity, position, remainder = (
            longer(self.entity, bodies),
            longer(self.position, 3 * bodies),
            longer(self.remainder, 3 * bodies),
        )
        velocity, angular = longer(self.velocity, 3 * bodies), longer(self.angular, 3 * bodies)
        turned, angle_left = longer(self.turned, 3 * bodies), longer(self.angle_left, 3 * bodies)
        inverse_mass, inverse_moment = longer(self.inverse_mass, bodies), longer(self.inverse_moment, bodies)
        restitution, friction = longer(self.restitution, bodies), longer(self.friction, bodies)
        row, first_part = longer(self.row, bodies), longer(self.first_part, bodies + 1)
        one_way = longer(self.one_way, bodies)
        self.one_way = self.one_way_view = one_way
        set_number, collides = longer(self.set_number, bodies), longer(self.collides, bodies)
        at_rest, reach = longer(self.at_rest, bodies), longer(self.reach, 3 * bodies)
        self.entity, self.position, self.remainder = entity, position, remainder
        self.velocity, self.angular, self.turned, self.angle_left = velocity, angular, turned, angle_left
        self.inverse_mass, self.inverse_moment = inverse_mass, inverse_moment
        self.restitution, self.friction = restitution, friction
        self.row, self.first_part, self.set_number = row, first_part, set_number
        self.collides, self.at_rest, self.reach = collides, at_rest, reach
        self.entity_view, self.position_view, self.remainder_view = entity, position, remainder
        self.velocity_view, self.angular_view, self.turned_view = velocity, angular, turned
        self.angle_left_view, self.inverse_mass_view, self.inverse_moment_view = (
            angle_left,
            inverse_mass,
            inverse_moment,
        )
        self.restitution_view, self.friction_view, self.row_view = restitution, friction, row
        self.first_part_view, self.set_number_view = first_part, set_number
        self.collides_view, self.at_rest_view, self.reach_view = collides, at_rest, reach
        self.capacity = bodies

    def reserve_parts(self, parts: cython.Py_ssize_t) -> cython.void:
        """Make room for parts."""
        faces = longer(self.faces, 6 * parts)
        self.faces = faces
        self.faces_view = faces
        self.part_capacity = parts
