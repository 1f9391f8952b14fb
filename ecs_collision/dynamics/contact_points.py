# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Where and how two parts of bodies touch, overlap, or would meet on their way (rules I2, L4, H5 and H8).

Parts parallel to the axes, of any kind, are compared here: the gap between their cores on each axis is a whole number,
and a contact whose normal is along an axis is exact. Turned parts are rare; the functions of queries compare them.

The lattice has few places where round parts touch exactly. So two parts that were in contact stay so while they are
closer than `MARGIN`.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.bodies.columns import plane_of
    from cython.cimports.ecs_collision.shapes.overlap import separation
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from ecs_collision.bodies.columns import plane_of
    from ecs_collision.shapes.overlap import separation

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import OUT_OF_PLANE
from ecs_collision.dynamics.dynamic_bodies import DynamicBodies
from ecs_collision.fixed_point import LATTICE
from ecs_collision.shapes.contact.contact_of import touch_of
from ecs_collision.shapes.meeting import meeting
from ecs_collision.shapes.overlap import PlacedPart
from ecs_collision.shapes.ray_entry import INSIDE
from ecs_collision.shapes.vectors import opposite

MARGIN = 4.0
"""In lattice units: more than what rounding on every axis leaves between two parts."""

_MARGIN = cython.declare(cython.double, MARGIN)
_NEAR = cython.declare(cython.longlong, 4)
_GENERAL = cython.declare(cython.int, 3)
_LATTICE = cython.declare(cython.double, LATTICE)
_OUT_OF_PLANE = cython.declare(cython.int, OUT_OF_PLANE)
_NEVER = cython.declare(cython.longlong, 1 << 62)
_STEPS = cython.declare(cython.int, 64)
"""More steps than Newton's method takes: each doubles the digits, unless the parts just graze each other."""


@cython.final
@cython.cclass
class ContactPoints:
    """Compares two parts of the bodies of a step, and holds the answer until the next question.

    `flat`: the bodies are a flat pair (L5), so the contact has no z. The normal `nx, ny, nz` has length 1 and points
    from the first to the second; `axis` is 0 to 2 if it is along an axis, otherwise 3. `depth` is how far the parts
    overlap along it in lattice units, a whole number for an axis; negative is a gap. `time` is when they meet, in parts
    of the displacement. After `find_points`, `levers` has six numbers for each of `point_count` points: where it is as
    seen from the first and the second body, in units.
    """

    def __init__(self) -> None:
        self.capacity = 0
        self.core, self.radius, self.turned = array("q"), array("q"), array("b")
        self.planes = array("q")
        self.part, self.other_part = PlacedPart(), PlacedPart()
        self.up, self.down, self.offset = array("q", bytes(24)), array("q", bytes(24)), array("q", bytes(24))
        self.levers = array("d", bytes(8 * 24))
        self.axis = self.point_count = 0
        self.nx = self.ny = self.nz = self.depth = self.time = 0.0
        self.reach, self.flat = 0, False

    def begin(self, bodies: DynamicBodies) -> cython.void:
        """Read the parts of the bodies of a step."""
        body: cython.Py_ssize_t
        part: cython.Py_ssize_t
        at: cython.Py_ssize_t
        if bodies.part_count > self.capacity:
            capacity: cython.Py_ssize_t = max(64, 2 * bodies.part_count)
            core, radius, turned = (
                longer(self.core, 6 * capacity),
                longer(self.radius, capacity),
                array("b", bytes(capacity)),
            )
            self.core, self.radius, self.turned = core, radius, turned
            self.core_view, self.radius_view, self.turned_view = core, radius, turned
            self.capacity = capacity
        if len(self.planes) < bodies.count:
            self.planes = longer(self.planes, 2 * bodies.count)
            self.planes_view = self.planes
        self.bodies = bodies
        for body in range(bodies.count):
            shape = bodies.shapes[body]
            self.planes_view[body] = self.height_of_plane(body, shape is not None)
            for part in range(bodies.first_part_view[body], bodies.first_part_view[body + 1]):
                if shape is None:
                    for at in range(6 * part, 6 * part + 6):
                        self.core_view[at] = bodies.faces_view[at]
                    self.radius_view[part], self.turned_view[part] = 0, 0
                else:
                    core, radius, matrix = shape.parts[part - bodies.first_part_view[body]]
                    for at in range(6):
                        self.core_view[6 * part + at] = core[at]
                    self.radius_view[part], self.turned_view[part] = radius, matrix is not None

    def height_of_plane(self, body: cython.Py_ssize_t, is_shaped: cython.bint) -> cython.longlong:
        """Return the z of a position in which a body is flat (L5)."""
        faces: cython.longlong[::1] = self.bodies.faces_view
        at: cython.Py_ssize_t = 6 * self.bodies.first_part_view[body]
        z: cython.longlong = -((faces[at + 2] + faces[at + 5]) >> 1)
        part: cython.Py_ssize_t
        plane: cython.int = 0
        for part in range(self.bodies.first_part_view[body], self.bodies.first_part_view[body + 1]):
            at = 6 * part
            plane = max(
                plane,
                plane_of(
                    is_shaped,
                    faces[at],
                    faces[at + 1],
                    faces[at + 2] + z,
                    faces[at + 3],
                    faces[at + 4],
                    faces[at + 5] + z,
                ),
            )
        return z if plane != _OUT_OF_PLANE else _NEVER

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_flat(self, body: cython.Py_ssize_t) -> cython.bint:
        """Return whether a body is flat where it is (L5)."""
        return self.bodies.position_view[3 * body + 2] == self.planes_view[body]

    # Touching and overlapping.

    def touch(
        self,
        a: cython.Py_ssize_t,
        part_a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        part_b: cython.Py_ssize_t,
        margin: cython.double,
    ) -> cython.bint:
        """Return whether two parts touch or overlap, and hold how.

        margin: parts with a smaller gap along the normal also count.
        """
        return self.are_near(a, part_a, b, part_b, _NEAR) and self.touch_near(a, part_a, b, part_b, margin)

    def touch_near(
        self,
        a: cython.Py_ssize_t,
        part_a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        part_b: cython.Py_ssize_t,
        margin: cython.double,
    ) -> cython.bint:
        """Return the same of two parts that were just found to be near."""
        if self.turned_view[part_a] or self.turned_view[part_b]:
            return self.touch_turned(a, part_a, b, part_b, margin)
        if self.reach == 0:
            return self.touch_boxes(margin)
        return self.touch_round(margin)

    def are_near(
        self,
        a: cython.Py_ssize_t,
        part_a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        part_b: cython.Py_ssize_t,
        beyond: cython.longlong,
    ) -> cython.bint:
        """Store how the cores are placed; return whether the parts are as near as `beyond` on every axis, if turned.

        Cores of turned parts are not those in the world, so nothing is said of them.
        """
        axis: cython.int
        at_a: cython.Py_ssize_t = 6 * part_a
        at_b: cython.Py_ssize_t = 6 * part_b
        offset: cython.longlong
        self.reach = self.radius_view[part_a] + self.radius_view[part_b]
        self.flat = self.is_flat(a) and self.is_flat(b)
        for axis in range(3):
            offset = self.bodies.position_view[3 * b + axis] - self.bodies.position_view[3 * a + axis]
            self.offset[axis] = offset
            self.up[axis] = self.core_view[at_b + axis] + offset - self.core_view[at_a + axis + 3]
            self.down[axis] = self.core_view[at_a + axis] - offset - self.core_view[at_b + axis + 3]
        if self.turned_view[part_a] or self.turned_view[part_b]:
            for axis in range(3):
                offset = self.offset[axis]
                if (
                    self.bodies.faces_view[at_b + axis] + offset - self.bodies.faces_view[at_a + axis + 3] > beyond
                    or self.bodies.faces_view[at_a + axis] - offset - self.bodies.faces_view[at_b + axis + 3] > beyond
                ):
                    return False
            return True
        for axis in range(3):
            if self.up[axis] > self.reach + beyond or self.down[axis] > self.reach + beyond:
                return False
        return True

    def touch_boxes(self, margin: cython.double) -> cython.bint:
        """Compare two boxes (L4)."""
        axis: cython.int
        touched: cython.int = _GENERAL
        for axis in range(3):
            if self.up[axis] >= 0 or self.down[axis] >= 0:
                if touched != _GENERAL or (self.flat and axis == 2):
                    return False
                touched = axis
        if touched == _GENERAL:
            self.least_depth()
            return True
        self.set_axis(touched, self.up[touched] >= 0, -max(self.up[touched], self.down[touched]))
        return self.depth == 0.0 or self.depth > -margin

    def touch_round(self, margin: cython.double) -> cython.bint:
        """Compare two parts of which one has a radius (H5)."""
        axis: cython.int
        last: cython.int = 0
        gaps: cython.int = 0
        for axis in range(3):
            if self.up[axis] > 0 or self.down[axis] > 0:
                gaps += 1
                last = axis
        if gaps == 0:
            self.least_depth()
            return True
        if gaps == 1:
            self.set_axis(last, self.up[last] > 0, self.reach - max(self.up[last], self.down[last]))
            return self.depth >= 0.0 or self.depth > -margin
        x: cython.double = self.gap_at(0, 0.0)
        y: cython.double = self.gap_at(1, 0.0)
        z: cython.double = self.gap_at(2, 0.0)
        distance: cython.double = sqrt(x * x + y * y + z * z)
        self.axis = _GENERAL
        self.nx, self.ny, self.nz = x / distance, y / distance, z / distance
        self.depth = cython.cast(cython.double, self.reach) - distance
        return self.depth >= 0.0 or self.depth > -margin

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def gap_at(self, axis: cython.int, by: cython.double) -> cython.double:
        """Return the gap of the cores on an axis after the second moved, negative if it is below, 0 if they meet."""
        gap: cython.double = cython.cast(cython.double, self.up[axis]) + by
        if gap > 0.0:
            return gap
        gap = by - cython.cast(cython.double, self.down[axis])
        return gap if gap < 0.0 else 0.0

    def least_depth(self) -> cython.void:
        """Hold the shortest way out of cores that meet, along x before y before z."""
        axis: cython.int
        best: cython.int = 0
        upward: cython.bint = self.up[0] >= self.down[0]
        depth: cython.longlong = -max(self.up[0], self.down[0])
        for axis in range(1, 2 if self.flat else 3):
            if -max(self.up[axis], self.down[axis]) < depth:
                best = axis
                upward = self.up[axis] >= self.down[axis]
                depth = -max(self.up[axis], self.down[axis])
        self.set_axis(best, upward, depth + self.reach)

    def set_axis(self, axis: cython.int, upward: cython.bint, depth: cython.double) -> cython.void:
        """Hold a normal along an axis."""
        sign: cython.double = 1.0 if upward else -1.0
        self.axis, self.depth = axis, depth
        self.nx = sign if axis == 0 else 0.0
        self.ny = sign if axis == 1 else 0.0
        self.nz = sign if axis == 2 else 0.0

    # Meeting.

    def meet(
        self,
        a: cython.Py_ssize_t,
        part_a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        part_b: cython.Py_ssize_t,
        dx: cython.longlong,
        dy: cython.longlong,
        dz: cython.longlong,
    ) -> cython.bint:
        """Return whether the second part begins to overlap the first while it moves by a displacement, and hold how."""
        if self.turned_view[part_a] or self.turned_view[part_b]:
            return self.meet_turned(a, part_a, b, part_b, dx, dy, dz)
        self.are_near(a, part_a, b, part_b, 0)
        self.flat = self.flat and dz == 0
        # On every axis they must be closer than their radii at the start or at the end.
        if (
            (self.up[0] >= self.reach and self.up[0] + dx >= self.reach)
            or (self.down[0] >= self.reach and self.down[0] - dx >= self.reach)
            or (self.up[1] >= self.reach and self.up[1] + dy >= self.reach)
            or (self.down[1] >= self.reach and self.down[1] - dy >= self.reach)
            or (self.up[2] >= self.reach and self.up[2] + dz >= self.reach)
            or (self.down[2] >= self.reach and self.down[2] - dz >= self.reach)
        ):
            return False
        return self.meet_boxes(dx, dy, dz) if self.reach == 0 else self.meet_round(dx, dy, dz)

    def meet_boxes(self, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.bint:
        """Compare the times when two boxes enter and leave each other on every axis, as fractions (H8).

        A displacement is below 2**31, and so are numerators of times up to 1; products fit in 63 bits.
        """
        axis: cython.int
        entry_axis: cython.int = _GENERAL
        by: cython.longlong
        enter: cython.longlong = 0
        enter_by: cython.longlong = 1
        leave: cython.longlong = 1
        leave_by: cython.longlong = 1
        gap: cython.longlong
        rest: cython.longlong
        for axis in range(3):
            by = dx if axis == 0 else (dy if axis == 1 else dz)
            if self.up[axis] < 0 and self.down[axis] < 0:  # they overlap here at the start
                if by == 0:
                    continue
                gap = -1
            elif by == 0:
                return False
            else:
                gap = self.up[axis] if by < 0 else self.down[axis]
                if gap < 0:  # it moves away
                    return False
            rest = -self.down[axis] if by < 0 else -self.up[axis]
            if by < 0:
                by = -by
            if gap >= 0 and (entry_axis == _GENERAL or enter * by < gap * enter_by):
                enter, enter_by, entry_axis = gap, by, axis
            if rest < by and rest * leave_by < leave * by:
                leave, leave_by = rest, by
        if entry_axis == _GENERAL or enter >= enter_by or enter * leave_by >= leave * enter_by:
            return False
        by = dx if entry_axis == 0 else (dy if entry_axis == 1 else dz)
        self.time = cython.cast(cython.double, enter) / cython.cast(cython.double, enter_by)
        self.set_axis(entry_axis, by < 0, -cython.cast(cython.double, enter))
        return True

    def meet_round(self, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.bint:
        """Find when two parts are as near as their radii.

        The distance is a convex function of time, so Newton's method from the start never goes beyond the first time.
        """
        step: cython.int
        sx: cython.double = dx
        sy: cython.double = dy
        sz: cython.double = dz
        x: cython.double = 0.0
        y: cython.double = 0.0
        z: cython.double = 0.0
        distance: cython.double = 1.0
        gap: cython.double
        speed: cython.double = 0.0
        time: cython.double = 0.0
        later: cython.double
        for step in range(_STEPS):
            x, y, z = self.gap_at(0, time * sx), self.gap_at(1, time * sy), self.gap_at(2, time * sz)
            distance = sqrt(x * x + y * y + z * z)
            gap = distance - cython.cast(cython.double, self.reach)
            if distance == 0.0 or (step == 0 and gap < 0.0):
                return False  # they overlap at the start
            speed = (x * sx + y * sy + z * sz) / distance
            if speed >= 0.0:
                return False
            later = time - gap / speed
            if later >= 1.0:
                return False
            if gap <= 0.0 or later <= time:
                break
            time = later
        self.time = time
        if (x != 0.0) + (y != 0.0) + (z != 0.0) == 1:
            axis: cython.int = 0 if x != 0.0 else (1 if y != 0.0 else 2)
            upward: cython.bint = x + y + z > 0.0
            self.set_axis(axis, upward, self.reach - (self.up[axis] if upward else self.down[axis]))
            return True
        self.axis = _GENERAL
        self.nx, self.ny, self.nz = x / distance, y / distance, z / distance
        self.depth = time * speed
        return True

    # Points.

    def find_points(
        self,
        part_a: cython.Py_ssize_t,
        part_b: cython.Py_ssize_t,
        dx: cython.double,
        dy: cython.double,
        dz: cython.double,
    ) -> cython.void:
        """Hold the points of the contact that was found last, after the second part moved by a displacement.

        Along the normal a point is halfway between the two surfaces. Across it the points are the corners of what the
        cores have in common. Each side is computed from its own body, so the answer is the same in either order.
        """
        axis: cython.int
        at: cython.int
        point: cython.int
        corners: cython.int = 1
        overlap: cython.double = self.depth if self.depth > 0.0 else 0.0
        along: cython.double
        offset: cython.double
        low: cython.double
        high: cython.double
        own_low: cython.double
        own_high: cython.double
        other_low: cython.double
        other_high: cython.double
        outward: cython.double
        inward: cython.double
        if self.turned_view[part_a] or self.turned_view[part_b]:
            return  # found with the contact
        for axis in range(3):
            along = self.nx if axis == 0 else (self.ny if axis == 1 else self.nz)
            offset = cython.cast(cython.double, self.offset[axis]) + (dx if axis == 0 else (dy if axis == 1 else dz))
            own_low = cython.cast(cython.double, self.core_view[6 * part_a + axis])
            own_high = cython.cast(cython.double, self.core_view[6 * part_a + 3 + axis])
            other_low = cython.cast(cython.double, self.core_view[6 * part_b + axis])
            other_high = cython.cast(cython.double, self.core_view[6 * part_b + 3 + axis])
            low, high = max(own_low, other_low + offset), min(own_high, other_high + offset)
            outward = along * (cython.cast(cython.double, self.radius_view[part_a]) - 0.5 * overlap)
            inward = along * (cython.cast(cython.double, self.radius_view[part_b]) - 0.5 * overlap)
            if axis == 2 and self.flat:
                self.set_levers(0, corners, axis, 0.0, 0.0)
            elif axis == self.axis or low > high or along != 0.0:
                if along > 0.0 or (along == 0.0 and other_low + offset > own_high):
                    self.set_levers(0, corners, axis, own_high + outward, other_low - inward)
                else:
                    self.set_levers(0, corners, axis, own_low + outward, other_high - inward)
            elif low == high:
                self.set_levers(0, corners, axis, low, low - offset)
            else:
                for point in range(corners):
                    for at in range(6):
                        self.levers[6 * (corners + point) + at] = self.levers[6 * point + at]
                self.set_levers(0, corners, axis, low, low - offset)
                self.set_levers(corners, 2 * corners, axis, high, high - offset)
                corners *= 2
        self.point_count = corners

    def set_levers(
        self, begin: cython.int, end: cython.int, axis: cython.int, own: cython.double, other: cython.double
    ) -> cython.void:
        """Set a coordinate of some points, given in lattice units as seen from both bodies."""
        point: cython.int
        for point in range(begin, end):
            self.levers[6 * point + axis] = own * _LATTICE
            self.levers[6 * point + 3 + axis] = other * _LATTICE

    # Turned parts.

    def place(
        self, part: PlacedPart, body: cython.Py_ssize_t, number: cython.Py_ssize_t, grown: cython.longlong
    ) -> cython.void:
        """Set a part to its place in the world, grown to all sides."""
        x: cython.longlong = self.bodies.position_view[3 * body]
        y: cython.longlong = self.bodies.position_view[3 * body + 1]
        z: cython.longlong = self.bodies.position_view[3 * body + 2]
        shape = self.bodies.shapes[body]
        at: cython.Py_ssize_t = 6 * number
        if shape is None:
            part.set_box(
                self.core_view[at] + x,
                self.core_view[at + 1] + y,
                self.core_view[at + 2] + z,
                self.core_view[at + 3] + x,
                self.core_view[at + 4] + y,
                self.core_view[at + 5] + z,
            )
        else:
            part.set_part(shape, number - self.bodies.first_part_view[body], x, y, z)
        part.grow(grown)

    def hold_turned(self, part_a: cython.Py_ssize_t, part_b: cython.Py_ssize_t, grown: cython.double) -> cython.bint:
        """Hold the contact of the two placed parts if they overlap; each was grown.

        They are compared in an order of their own, so that the answer does not depend on which is the first.
        """
        point: cython.int = 0
        axis: cython.int
        own: cython.double
        other: cython.double
        if separation(self.part, self.other_part) != 0:
            return False
        is_reversed: cython.bint = _looks(self.other_part) < _looks(self.part)
        if is_reversed:
            touch = touch_of(self.other_part, self.part, bool(self.flat)).reversed()
        else:
            touch = touch_of(self.part, self.other_part, bool(self.flat))
        self.axis = _GENERAL
        self.nx, self.ny, self.nz = touch.normal
        self.depth = touch.depth - 2.0 * grown
        # Points are relative to the centre of the part that was compared first.
        centre: cython.Py_ssize_t = 6 * (part_b if is_reversed else part_a)
        for each in sorted(set(touch.points))[:4]:
            for axis in range(3):
                own = cython.cast(cython.double, self.core_view[centre + axis] + self.core_view[centre + axis + 3])
                own = 0.5 * own + cython.cast(cython.double, each[axis])
                other = own - cython.cast(cython.double, self.offset[axis])
                if is_reversed:
                    other, own = own, own + cython.cast(cython.double, self.offset[axis])
                if axis == 2 and self.flat:
                    own = other = 0.0
                self.set_levers(point, point + 1, axis, own, other)
            point += 1
        self.point_count = point
        return True

    def touch_turned(
        self,
        a: cython.Py_ssize_t,
        part_a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        part_b: cython.Py_ssize_t,
        margin: cython.double,
    ) -> cython.bint:
        """Compare two parts of which one is turned.

        They are compared grown by half the margin each, so that parts that are close have a normal and points too.
        """
        grown: cython.longlong = 1 if margin > 0.0 else 0
        self.place(self.part, a, part_a, grown)
        self.place(self.other_part, b, part_b, grown)
        return self.hold_turned(part_a, part_b, cython.cast(cython.double, grown))

    def meet_turned(
        self,
        a: cython.Py_ssize_t,
        part_a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        part_b: cython.Py_ssize_t,
        dx: cython.longlong,
        dy: cython.longlong,
        dz: cython.longlong,
    ) -> cython.bint:
        """Find when two parts meet of which one is turned."""
        if not self.are_near(a, part_a, b, part_b, abs(dx) + abs(dy) + abs(dz)):
            return False
        self.flat = self.flat and dz == 0
        self.place(self.part, a, part_a, 0)
        self.place(self.other_part, b, part_b, 0)
        # In the order of `hold_turned`, so that the answer does not depend on which is the first.
        if _looks(self.other_part) < _looks(self.part):
            met = meeting(self.part, (-dx, -dy, -dz), self.other_part)
            met = None if met is None else (met[0], opposite(met[1]))
        else:
            met = meeting(self.other_part, (dx, dy, dz), self.part)
        if met is None or met[0] == INSIDE or met[0][0] >= met[0][1]:
            return False
        time: cython.double = met[0][0] / met[0][1]
        # Where they meet they overlap if they are grown by what was rounded, so there they have points.
        x: cython.longlong = round(time * dx)
        y: cython.longlong = round(time * dy)
        z: cython.longlong = round(time * dz)
        self.offset[0], self.offset[1], self.offset[2] = self.offset[0] + x, self.offset[1] + y, self.offset[2] + z
        self.other_part.shift(x, y, z)
        self.part.grow(2)
        self.other_part.grow(2)
        if not self.hold_turned(part_a, part_b, 2.0):
            self.point_count = 0
        self.time = time
        self.axis = _GENERAL
        self.nx, self.ny, self.nz = met[1]
        speed: cython.double = self.nx * cython.cast(cython.double, dx)
        speed += self.ny * cython.cast(cython.double, dy)
        speed += self.nz * cython.cast(cython.double, dz)
        self.depth = time * speed
        return speed < 0.0


def _looks(part: PlacedPart) -> tuple[float, ...]:
    """Return numbers by which parts are ordered: how they look, then where they are."""
    turn = (part.m0, part.m1, part.m2, part.m3, part.m4, part.m5, part.m6, part.m7, part.m8) if part.is_turned else ()
    size = (part.hix - part.lox, part.hiy - part.loy, part.hiz - part.loz, part.radius, part.is_turned)
    return (*size, *turn, part.lox, part.loy, part.loz)
