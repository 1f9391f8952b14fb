# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Where two parts touch or nearly do: a normal, up to four points, and how far apart they are at each (rule I2).

Parts are cores with a radius: points, segments, plates and boxes. Cores that overlap are parted along the axis of least
depth (Gottschalk, Lin and Manocha 1996); a face is preferred to two edges. Of cores that are apart the true distance
counts: it is that along the axis if the corner in front lies over the face, or the edges cross; otherwise the nearest
points are searched, as those of an edge and a box, exactly. The face of one is cut to that of the other.
"""

from __future__ import annotations

from array import array
from math import inf

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.shapes.overlap import nearest_on_segment
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from ecs_collision.shapes.overlap import nearest_on_segment

_INFINITE = cython.declare(cython.double, inf)
_UPRIGHT = cython.declare(cython.double, 1.0 - 1e-9)
_SLACK = cython.declare(cython.double, 0.02)
"""A face counts although the nearest points are a corner's, if the distance or the angle differs by no more."""
_ALIGNED = cython.declare(cython.double, 1.0 - 0.5 * 0.02 * 0.02)
_TIE = cython.declare(cython.double, 0.001)
"""Depths that differ by no more than this part of the smaller core are equal; then a counts before b. A face counts
before two edges if they differ by no more than ten times that: the face has more points."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _beyond(at: cython.double, half: cython.double) -> cython.double:
    return at - half if at > half else (at + half if at < -half else 0.0)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _after(axis: cython.int) -> cython.int:
    return axis + 1 if axis < 2 else 0


@cython.final
@cython.cclass
class Manifold:
    """The contact of two parts, after `collide`.

    `nx`, `ny`, `nz`: unit vector from a to b. `points` has three numbers a point: midway between the surfaces, relative
    to the position of body a. `separations` are below 0 where the parts overlap. `features` are small numbers that stay
    the same from step to step, and differ within a pair.
    """

    def __init__(self) -> None:
        self.points, self.separations, self.features = (
            array("d", [0.0] * 12),
            array("d", [0.0] * 4),
            array("i", [0] * 4),
        )
        self.half, self.axes, self.products = array("d", [0.0] * 6), array("d", [0.0] * 18), array("d", [0.0] * 9)
        self.along, self.polygon = array("d", [0.0] * 6), array("d", [0.0] * 72)
        self.corner_ids, self.edge_ids = array("i", [0] * 24), array("i", [0] * 24)
        self.nx = self.ny = self.nz = 0.0
        self.count = 0

    def collide(
        self,
        parts: cython.double[::1],
        a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        dx: cython.double,
        dy: cython.double,
        dz: cython.double,
        margin: cython.double,
        flat: cython.bint,
    ) -> cython.int:
        """Find the contact of two parts; return the number of points, 0 if they are farther apart than the margin.

        parts: 16 numbers each: centre relative to the position of its body, half extents of the core, radius, and the
        three axes of the core. dx, dy, dz: from the position of body a to that of b. flat: both bodies are flat (L5).
        """
        i: cython.Py_ssize_t = 16 * a
        j: cython.Py_ssize_t = 16 * b
        dims: cython.int = 2 if flat else 3
        self.count = 0
        self.margin = margin
        self.radius_a, self.radius_b = parts[i + 6], parts[j + 6]
        self.x, self.y, self.z = parts[i], parts[i + 1], parts[i + 2]
        dx += parts[j] - self.x
        dy += parts[j + 1] - self.y
        dz += parts[j + 2] - self.z
        if flat:
            if abs(parts[i + 15]) < _UPRIGHT or abs(parts[j + 15]) < _UPRIGHT:
                dims = 3
            else:
                self.z = dz = 0.0
        self.i, self.j, self.dx, self.dy, self.dz = i, j, dx, dy, dz
        if parts[i + 3] == 0.0 and parts[i + 4] == 0.0 and (dims == 2 or parts[i + 5] == 0.0):
            return self.round_part(parts, False, dims)
        if parts[j + 3] == 0.0 and parts[j + 4] == 0.0 and (dims == 2 or parts[j + 5] == 0.0):
            return self.round_part(parts, True, dims)
        if (
            parts[i + 7] == 1.0
            and parts[i + 11] == 1.0
            and parts[j + 7] == 1.0
            and parts[j + 11] == 1.0
            and (dims == 2 or (parts[i + 15] == 1.0 and parts[j + 15] == 1.0))
        ):
            return self.upright(parts, dims)
        return self.rectangles(parts) if dims == 2 else self.solids(parts)

    def add(
        self, x: cython.double, y: cython.double, z: cython.double, separation: cython.double, feature: cython.int
    ) -> cython.void:
        """Add a point, relative to the centre of part a, unless it is farther apart than the margin."""
        if separation <= self.margin:
            self.points[3 * self.count] = x + self.x
            self.points[3 * self.count + 1] = y + self.y
            self.points[3 * self.count + 2] = z + self.z
            self.separations[self.count] = separation
            self.features[self.count] = feature
            self.count += 1

    def round_part(self, parts: cython.double[::1], is_second: cython.bint, dims: cython.int) -> cython.int:
        """Find the contact of a core and a point, which is that of b or of a."""
        x, y, z, sign = self.dx, self.dy, self.dz, 1.0 if is_second else -1.0
        box: cython.Py_ssize_t = self.i if is_second else self.j
        if not is_second:  # from the centre of the core
            x, y, z = -x, -y, -z
        u = x * parts[box + 7] + y * parts[box + 8] + z * parts[box + 9]
        v = x * parts[box + 10] + y * parts[box + 11] + z * parts[box + 12]
        w = x * parts[box + 13] + y * parts[box + 14] + z * parts[box + 15]
        hx, hy = parts[box + 3], parts[box + 4]
        hz = parts[box + 5] if dims == 3 else 0.0
        ex = _beyond(u, hx)
        ey = _beyond(v, hy)
        ez = _beyond(w, hz)
        length = sqrt(ex * ex + ey * ey + ez * ez)
        separation = length - self.radius_a - self.radius_b
        if separation > self.margin:
            return 0
        if length > 0.0:
            ex, ey, ez = ex / length, ey / length, ez / length
        else:  # to the nearest face
            ex, ey, ez = 1.0 if u >= 0.0 else -1.0, 0.0, 0.0
            length = abs(u) - hx
            if abs(v) - hy > length:
                length = abs(v) - hy
                ex, ey = 0.0, 1.0 if v >= 0.0 else -1.0
            if dims == 3 and abs(w) - hz > length:
                length = abs(w) - hz
                ex, ey, ez = 0.0, 0.0, 1.0 if w >= 0.0 else -1.0
            separation = length - self.radius_a - self.radius_b
        self.nx = sign * (ex * parts[box + 7] + ey * parts[box + 10] + ez * parts[box + 13])
        self.ny = sign * (ex * parts[box + 8] + ey * parts[box + 11] + ez * parts[box + 14])
        self.nz = sign * (ex * parts[box + 9] + ey * parts[box + 12] + ez * parts[box + 15])
        if is_second:
            middle = 0.5 * (self.radius_a - self.radius_b - length)
            self.add(x + self.nx * middle, y + self.ny * middle, z + self.nz * middle, separation, 0)
        else:
            middle = 0.5 * (length + self.radius_a - self.radius_b)
            self.add(self.nx * middle, self.ny * middle, self.nz * middle, separation, 0)
        return self.count

    # Boxes that are not turned.

    def upright(self, parts: cython.double[::1], dims: cython.int) -> cython.int:
        """Find the contact of two cores with parallel axes: the middle of their gap, from end to end."""
        x, y, z = self.dx, self.dy, self.dz
        deepest, ends, square = 0, 0, 0.0
        shift = 0.5 * (self.radius_a - self.radius_b)
        total = self.radius_a + self.radius_b
        self.products[2] = self.along[5] = 0.0
        for axis in range(dims):
            at = x if axis == 0 else (y if axis == 1 else z)
            half, other = parts[self.i + 3 + axis], parts[self.j + 3 + axis]
            self.along[axis] = abs(at) - half - other
            if self.along[axis] > self.margin + total:
                return 0
            if self.along[axis] > self.along[deepest]:
                deepest = axis
            self.half[axis], self.half[3 + axis] = max(-half, at - other), min(half, at + other)
        length = self.along[deepest]
        for axis in range(dims):
            if axis == deepest or (self.along[axis] > 0.0 and self.along[axis] > _SLACK * length):
                square += self.along[axis] * self.along[axis]
                ends |= 8 << axis
            elif self.half[axis] < self.half[3 + axis]:
                ends |= 1 << axis
        if length > 0.0:
            length = sqrt(square)
        if length - total > self.margin:
            return 0
        for axis in range(dims):
            at = x if axis == 0 else (y if axis == 1 else z)
            self.along[3 + axis] = 0.0
            if ends & 8 << axis:
                half = self.along[axis] / length if length != 0.0 else 1.0
                self.along[3 + axis] = half if at >= 0.0 else -half
        self.nx, self.ny, self.nz = self.along[3], self.along[4], self.along[5]
        # As of turned boxes: the face of a, that of b, and which end along the normal turned by a quarter.
        feature = 2 * deepest + (1 if self.along[3 + deepest] < 0.0 else 0)
        feature = 8 * feature + 2 * (feature ^ 1)
        for corner in range(1 << dims):
            if corner & ~ends:
                continue
            for axis in range(dims):
                if not ends & 1 << axis:
                    self.products[axis] = 0.5 * (self.half[axis] + self.half[3 + axis])
                else:
                    self.products[axis] = self.half[axis] if not corner & 1 << axis else self.half[3 + axis]
            if dims == 3:
                axis = 64 + 8 * feature + corner
            else:
                axis = feature + (0 if (corner == 0) == (self.nx - self.ny > 0.0) else 1)
            self.add(
                self.products[0] + shift * self.nx,
                self.products[1] + shift * self.ny,
                self.products[2] + shift * self.nz,
                length - total,
                axis,
            )
        return self.count

    # Rectangles that are turned in the plane.

    def rectangles(self, parts: cython.double[::1]) -> cython.int:
        """Find the contact of two cores in the plane."""
        cython.declare(i=cython.Py_ssize_t, j=cython.Py_ssize_t)
        i, j, x, y = self.i, self.j, self.dx, self.dy
        a0x, a0y, a1x, a1y, b0x = parts[i + 7], parts[i + 8], parts[i + 10], parts[i + 11], parts[j + 7]
        b0y, b1x, b1y, a0, a1 = parts[j + 8], parts[j + 10], parts[j + 11], parts[i + 3], parts[i + 4]
        b0, b1 = parts[j + 3], parts[j + 4]
        c00 = abs(a0x * b0x + a0y * b0y)
        c01 = abs(a0x * b1x + a0y * b1y)
        c10 = abs(a1x * b0x + a1y * b0y)
        c11 = abs(a1x * b1x + a1y * b1y)
        gap_a = abs(x * a0x + y * a0y) - a0 - b0 * c00 - b1 * c01
        gap_b = abs(x * b0x + y * b0y) - b0 - a0 * c00 - a1 * c10
        other_a = abs(x * a1x + y * a1y) - a1 - b0 * c10 - b1 * c11
        other_b = abs(x * b1x + y * b1y) - b1 - a0 * c01 - a1 * c11
        axis_a, axis_b = 0, 0
        if other_a > gap_a:
            gap_a, axis_a = other_a, 1
        if other_b > gap_b:
            gap_b, axis_b = other_b, 1
        limit = max(gap_a, gap_b)
        if limit - self.radius_a - self.radius_b > self.margin:
            return 0
        # Cores that are apart: one of the faces, if its distance is the true one; otherwise two corners.
        limit = (1.0 + _SLACK) * limit if limit > 0.0 else _INFINITE
        if gap_b > gap_a + _TIE * min(max(a0, a1), max(b0, b1)):
            if self.edge(parts, axis_b, limit, True, False) >= 0:
                return self.count
        elif self.edge(parts, axis_a, limit, False, False) >= 0:
            return self.count
        elif gap_b > 0.0 and self.edge(parts, axis_b, limit, True, False) >= 0:
            return self.count
        if gap_a >= gap_b:
            return self.edge(parts, axis_a, limit, False, True)
        if gap_a > 0.0 and self.edge(parts, axis_a, limit, False, False) >= 0:
            return self.count
        return self.edge(parts, axis_b, limit, True, True)

    def edge(
        self,
        parts: cython.double[::1],
        axis: cython.int,
        limit: cython.double,
        is_swapped: cython.bint,
        is_corner: cython.bint,
    ) -> cython.int:
        """Cut the edge of another core to one of this; return the number of points, -1 if all are beyond a limit.

        This is a, or b if `is_swapped`. If `is_corner`, take the corner at the end of this edge instead, and what is
        nearest to it of the other.
        """
        cython.declare(i=cython.Py_ssize_t, j=cython.Py_ssize_t)
        i, j, x, y = self.i, self.j, self.dx, self.dy
        if is_swapped:
            i, j, x, y = j, i, -x, -y
        k = i + 7 + 3 * axis
        sign = 1.0 if x * parts[k] + y * parts[k + 1] >= 0.0 else -1.0
        nx, ny, half, reach = sign * parts[k], sign * parts[k + 1], parts[i + 3 + axis], parts[i + 4 - axis]
        # The tangent: a quarter turn from the normal that leads from a to b.
        side = -1.0 if is_swapped else 1.0
        tx, ty = -ny * side, nx * side
        e0 = nx * parts[j + 7] + ny * parts[j + 8]
        e1 = nx * parts[j + 10] + ny * parts[j + 11]
        other = 0 if abs(e0) >= abs(e1) else 1
        k = j + 7 + 3 * other
        turn = -1.0 if (e0 if other == 0 else e1) > 0.0 else 1.0  # of its outward normal
        face = 2 * axis + (1 if sign < 0.0 else 0)
        facing = 2 * other + (1 if turn < 0.0 else 0)
        feature = 8 * facing + 2 * face if is_swapped else 8 * face + 2 * facing
        ex = x + turn * parts[j + 3 + other] * parts[k]
        ey = y + turn * parts[j + 3 + other] * parts[k + 1]
        at, up = ex * tx + ey * ty, ex * nx + ey * ny - half
        k = j + 10 - 3 * other
        length = parts[j + 4 - other]
        ex, ey = length * parts[k], length * parts[k + 1]
        along, rise = ex * tx + ey * ty, ex * nx + ey * ny
        if along < 0.0:
            along, rise = -along, -rise
        # From low to high along the tangent, each with its height over this edge.
        low, high, low_up, high_up = at - along, at + along, up - rise, up + rise
        radius = self.radius_b if is_swapped else self.radius_a
        radii, single = self.radius_a + self.radius_b, False
        if is_corner:
            at = reach if (high if high_up < low_up else low) > 0.0 else -reach
            ex, ey = half * nx + at * tx - x, half * ny + at * ty - y  # the corner, seen from the other
            e0, e1 = ex * parts[j + 7] + ey * parts[j + 8], ex * parts[j + 10] + ey * parts[j + 11]
            e0, e1 = _beyond(e0, parts[j + 3]), _beyond(e1, parts[j + 4])
            up = sqrt(e0 * e0 + e1 * e1)
            if up - radii > self.margin:
                return 0
            if up > 0.0:
                nx = -(e0 * parts[j + 7] + e1 * parts[j + 10]) / up
                ny = -(e0 * parts[j + 8] + e1 * parts[j + 11]) / up
            ex, ey, single = ex + x, ey + y, True
        elif low > reach or high < -reach:
            if limit < _INFINITE:
                return -1
            at, up = (high, high_up) if high_up < low_up else (low, low_up)
            at, single = max(-reach, min(reach, at)), True
            ex, ey = half * nx + at * tx, half * ny + at * ty
        else:
            if high > reach:
                high_up -= (high - reach) / along * rise
            if low < -reach:
                low_up -= (low + reach) / along * rise
            if min(low_up, high_up) > limit:
                return -1
        self.nx, self.ny, self.nz = side * nx, side * ny, 0.0
        if is_swapped:
            self.x, self.y = self.x - x, self.y - y  # `add` takes places relative to this core, which is b
        if single:
            total = radius + 0.5 * (up - radii)
            self.add(ex + total * nx, ey + total * ny, 0.0, up - radii, feature + 1 if at > 0.0 else feature)
            return self.count
        total = half + radius + 0.5 * (low_up - radii)
        low, high = max(low, -reach), min(high, reach)
        self.add(total * nx + low * tx, total * ny + low * ty, 0.0, low_up - radii, feature)
        if high > low:
            total = half + radius + 0.5 * (high_up - radii)
            self.add(total * nx + high * tx, total * ny + high * ty, 0.0, high_up - radii, feature + 1)
        return self.count

    # Cores that are turned in space. Axes 0 to 2 are those of a, 3 to 5 those of b.

    def solids(self, parts: cython.double[::1]) -> cython.int:
        """Find the contact of two cores in space."""
        code, face_a, face_b, edge, best, gap_a = 0, -1, -1, -1, -_INFINITE, -_INFINITE
        gap_b, gap_e = -_INFINITE, -_INFINITE
        limit = self.margin + self.radius_a + self.radius_b
        self.load(parts)
        for axis in range(6):
            gap = self.gap_of_face(axis)
            if gap > limit:
                return 0
            if gap > best:
                best, code = gap, axis
            if self.has_face(axis):
                if axis < 3 and gap > gap_a:
                    gap_a, face_a = gap, axis
                elif axis >= 3 and gap > gap_b:
                    gap_b, face_b = gap, axis
        for axis in range(3):
            for other in range(3, 6):
                if self.half[axis] > 0.0 and self.half[other] > 0.0:
                    gap = self.gap_of_edges(axis, other)
                    if gap > limit:
                        return 0
                    if gap > gap_e:
                        gap_e, edge = gap, 6 * axis + other
        tie = _TIE * min(max(self.half[0], self.half[1], self.half[2]), max(self.half[3], self.half[4], self.half[5]))
        gap = max(gap_a, gap_b)
        if gap_b > gap_a + tie:
            face_a, face_b = face_b, face_a
            gap_a, gap_b = gap_b, gap_a
        if best <= 0.0 and gap_e <= 0.0:
            if face_a < 0 or (edge >= 0 and gap_e > gap + 10.0 * tie + 0.05 * abs(gap)):
                return self.crossing_edges(edge // 6, edge % 6, False) if edge >= 0 else self.closest(code)
            return self.clip(face_a, _INFINITE)
        if gap_e > max(best, gap + 10.0 * tie) and self.crossing_edges(edge // 6, edge % 6, True) >= 0:
            return self.count
        if gap_a > 0.0 and self.clip(face_a, (1.0 + _SLACK) * gap_a) >= 0:
            return self.count
        if gap_b > 0.0 and self.clip(face_b, (1.0 + _SLACK) * gap_b) >= 0:
            return self.count
        return self.closest(code)

    def load(self, parts: cython.double[::1]) -> cython.void:
        """Copy two parts, and compare their axes."""
        cython.declare(i=cython.Py_ssize_t, j=cython.Py_ssize_t)
        i, j = self.i, self.j
        for axis in range(3):
            self.half[axis], self.half[3 + axis] = parts[i + 3 + axis], parts[j + 3 + axis]
        for axis in range(9):
            self.axes[axis], self.axes[9 + axis] = parts[i + 7 + axis], parts[j + 7 + axis]
        for axis in range(6):
            self.along[axis] = (
                self.dx * self.axes[3 * axis] + self.dy * self.axes[3 * axis + 1] + self.dz * self.axes[3 * axis + 2]
            )
        for axis in range(3):
            for other in range(3):
                self.products[3 * axis + other] = (
                    self.axes[3 * axis] * self.axes[9 + 3 * other]
                    + self.axes[3 * axis + 1] * self.axes[10 + 3 * other]
                    + self.axes[3 * axis + 2] * self.axes[11 + 3 * other]
                )

    def product(self, axis: cython.int, other: cython.int) -> cython.double:
        """Return the product of an axis of one part with one of the other."""
        return self.products[3 * axis + other - 3] if axis < 3 else self.products[3 * other + axis - 3]

    def is_segment(self, mine: cython.int) -> cython.bint:
        """Return whether the core of a, 0, or of b, 3, is a segment."""
        return (self.half[mine] > 0.0) + (self.half[mine + 1] > 0.0) + (self.half[mine + 2] > 0.0) == 1

    def has_face(self, axis: cython.int) -> cython.bint:
        """Return whether the faces across an axis have an area."""
        mine = 0 if axis < 3 else 3
        one = _after(axis - mine)
        return self.half[mine + one] > 0.0 and self.half[mine + _after(one)] > 0.0

    def gap_of_face(self, axis: cython.int) -> cython.double:
        """Return the gap along an axis."""
        k = 3 if axis < 3 else 0
        return (
            abs(self.along[axis])
            - self.half[axis]
            - self.half[k] * abs(self.product(axis, k))
            - self.half[k + 1] * abs(self.product(axis, k + 1))
            - self.half[k + 2] * abs(self.product(axis, k + 2))
        )

    def gap_of_edges(self, axis: cython.int, other: cython.int) -> cython.double:
        """Return the gap along the cross product of an edge of a with one of b, minus infinity if they are parallel."""
        a1 = _after(axis)
        a2 = _after(a1)
        b1 = 3 + _after(other - 3)
        b2 = 3 + _after(b1 - 3)
        cosine = self.product(axis, other)
        square = 1.0 - cosine * cosine
        if square < 1e-4:
            return -_INFINITE
        return (
            abs(self.along[a2] * self.product(a1, other) - self.along[a1] * self.product(a2, other))
            - self.half[a1] * abs(self.product(a2, other))
            - self.half[a2] * abs(self.product(a1, other))
            - self.half[b1] * abs(self.product(axis, b2))
            - self.half[b2] * abs(self.product(axis, b1))
        ) / sqrt(square)

    def normal_on(self, axis: cython.int) -> cython.double:
        """Return the component of the normal along an axis."""
        return self.nx * self.axes[3 * axis] + self.ny * self.axes[3 * axis + 1] + self.nz * self.axes[3 * axis + 2]

    def set_normal(self, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Let the normal be along a vector of length 1, from a to b."""
        sign = 1.0 if self.dx * x + self.dy * y + self.dz * z >= 0.0 else -1.0
        self.nx, self.ny, self.nz = sign * x, sign * y, sign * z

    def crossing_edges(self, axis: cython.int, other: cython.int, within: cython.bint) -> cython.int:
        """Find the point of two edges that cross; return -1 if they do not cross, and `within` is demanded."""
        u, v, w, p = self.axes[3 * axis], self.axes[3 * axis + 1], self.axes[3 * axis + 2], self.axes[3 * other]
        q, r = self.axes[3 * other + 1], self.axes[3 * other + 2]
        cosine = self.product(axis, other)
        square = 1.0 - cosine * cosine
        length = sqrt(square)
        # From the middle of the edge of a to that of b.
        x, y, z, ax, ay, az = self.dx, self.dy, self.dz, 0.0, 0.0, 0.0
        self.set_normal((v * r - w * q) / length, (w * p - u * r) / length, (u * q - v * p) / length)
        for k in range(6):
            if k != axis and k != other:
                far = self.half[k] if self.normal_on(k) > 0.0 else -self.half[k]
                x, y, z = x - far * self.axes[3 * k], y - far * self.axes[3 * k + 1], z - far * self.axes[3 * k + 2]
                if k < 3:
                    ax += far * self.axes[3 * k]
                    ay += far * self.axes[3 * k + 1]
                    az += far * self.axes[3 * k + 2]
        s, t = x * u + y * v + z * w, x * p + y * q + z * r
        s, t = (s - cosine * t) / square, (cosine * s - t) / square
        if abs(s) > self.half[axis] or abs(t) > self.half[other]:
            if within:
                return -1
            s = max(-self.half[axis], min(self.half[axis], s))
        far = x * self.nx + y * self.ny + z * self.nz
        self.ax, self.ay, self.az = ax + s * u, ay + s * v, az + s * w
        return self.add_single(far, 0)

    def add_single(self, gap: cython.double, feature: cython.int) -> cython.int:
        """Add a point between cores, given that of a."""
        middle = 0.5 * (gap + self.radius_a - self.radius_b)
        self.add(
            self.ax + middle * self.nx,
            self.ay + middle * self.ny,
            self.az + middle * self.nz,
            gap - self.radius_a - self.radius_b,
            feature,
        )
        return self.count

    # A face.

    def clip(self, axis: cython.int, limit: cython.double) -> cython.int:
        """Cut the face of the other core to a face of this; return the count of points, -1 if all are beyond a limit.

        Corners of the polygons have three numbers: along the sides of this face, and the height over it.
        """
        mine = 0 if axis < 3 else 3
        theirs = 3 - mine
        first = mine + _after(axis - mine)
        second = mine + _after(first - mine)
        toward = 1.0 if mine == 0 else -1.0
        facing, count, begin, low = theirs, 4, 0, _INFINITE
        self.set_normal(self.axes[3 * axis], self.axes[3 * axis + 1], self.axes[3 * axis + 2])
        up = toward if self.normal_on(axis) > 0.0 else -toward
        for k in range(theirs + 1, theirs + 3):
            if abs(self.normal_on(k)) > abs(self.normal_on(facing)):
                facing = k
        sign = -1.0 if toward * self.normal_on(facing) > 0.0 else 1.0
        one = theirs + _after(facing - theirs)
        two = theirs + _after(one - theirs)
        if self.half[one] == 0.0 or self.half[two] == 0.0:
            count = 1 if self.half[one] == self.half[two] else 2
        for side in range(count):
            u = self.half[one] if side == 1 or side == 2 else -self.half[one]
            v = self.half[two] if side >= count >> 1 else -self.half[two]
            for k in range(3):
                number = first if k == 0 else (second if k == 1 else axis)
                self.polygon[3 * side + k] = (
                    toward * self.along[number]
                    + sign * self.half[facing] * self.product(number, facing)
                    + u * self.product(number, one)
                    + v * self.product(number, two)
                )
            self.polygon[3 * side + 2] = up * self.polygon[3 * side + 2] - self.half[axis]
            self.corner_ids[side] = self.edge_ids[side] = side
        for side in range(4):
            count = self.cut(begin, count, side, self.half[first if side < 2 else second])
            begin = 12 - begin
        for at in range(begin, begin + count):
            low = min(low, self.polygon[3 * at + 2])
        if low > limit:
            return -1
        if count == 0:
            self.ax, self.ay, self.az = 0.5 * self.dx, 0.5 * self.dy, 0.5 * self.dz
            return self.add_single(self.gap_of_face(axis), 0)
        number = self.choose(begin, count)
        k = 2 * axis + (1 if up < 0.0 else 0)
        k = 64 * (12 * k + 2 * facing + (1 if sign < 0.0 else 0))
        for side in range(count):
            if number >> side & 1:
                at = begin + side
                u, v, low = self.polygon[3 * at], self.polygon[3 * at + 1], self.polygon[3 * at + 2]
                up = 0.5 * (low + toward * (self.radius_a - self.radius_b)) + self.half[axis]
                up, sign = up * toward, 0.0 if mine == 0 else 1.0
                self.add(
                    sign * self.dx + up * self.nx + u * self.axes[3 * first] + v * self.axes[3 * second],
                    sign * self.dy + up * self.ny + u * self.axes[3 * first + 1] + v * self.axes[3 * second + 1],
                    sign * self.dz + up * self.nz + u * self.axes[3 * first + 2] + v * self.axes[3 * second + 2],
                    low - self.radius_a - self.radius_b,
                    k + self.corner_ids[at],
                )
        return self.count

    def cut(self, begin: cython.Py_ssize_t, count: cython.int, side: cython.int, bound: cython.double) -> cython.int:
        """Cut a polygon at a side of the face; return how many corners the other one has then."""
        end = 12 - begin
        sign = -1.0 if side & 1 else 1.0
        for at in range(count):
            here, there = begin + at, begin + (at + 1 if at + 1 < count else 0)
            beyond = sign * self.polygon[3 * here + (side >> 1)] - bound
            next_beyond = sign * self.polygon[3 * there + (side >> 1)] - bound
            if beyond <= 0.0:
                for k in range(3):
                    self.polygon[3 * end + k] = self.polygon[3 * here + k]
                self.corner_ids[end], self.edge_ids[end] = self.corner_ids[here], self.edge_ids[here]
                end += 1
            if (beyond <= 0.0) != (next_beyond <= 0.0) and (count > 2 or at == 0):
                share = beyond / (beyond - next_beyond)
                for k in range(3):
                    self.polygon[3 * end + k] = self.polygon[3 * here + k] + share * (
                        self.polygon[3 * there + k] - self.polygon[3 * here + k]
                    )
                self.polygon[3 * end + (side >> 1)] = sign * bound
                self.corner_ids[end] = 8 + 8 * side + self.edge_ids[here]
                self.edge_ids[end] = 4 + side if beyond <= 0.0 else self.edge_ids[here]
                end += 1
        return cython.cast(cython.int, end - 12 + begin)

    def choose(self, begin: cython.Py_ssize_t, count: cython.int) -> cython.int:
        """Return at most four corners as bits: the lowest, those that are farthest from it and from their line."""
        first, second, chosen, side = 0, 0, 0, 0.0
        if count <= 4:
            return 15
        for round in range(4):
            best, most = -1, -_INFINITE if round == 0 else 0.0
            for at in range(begin, begin + count):
                u, v = self.polygon[3 * at], self.polygon[3 * at + 1]
                if round == 0:
                    score = -self.polygon[3 * at + 2]
                else:
                    u, v = u - self.polygon[3 * first], v - self.polygon[3 * first + 1]
                    score = u * u + v * v
                    if round > 1:
                        score = u * self.polygon[3 * second + 1] - v * self.polygon[3 * second]
                        score -= u * self.polygon[3 * first + 1] - v * self.polygon[3 * first]
                        score = abs(score) if round == 2 else -side * score
                if score > most and (best < 0 or score > most + _TIE * abs(most)):
                    best, most = at, score
            if best >= 0:
                chosen |= 1 << cython.cast(cython.int, best - begin)
            if round == 0:
                first = best
            elif round == 1:
                second = best
            elif round == 2 and best >= 0:
                u, v = (
                    self.polygon[3 * best] - self.polygon[3 * first],
                    (self.polygon[3 * best + 1] - self.polygon[3 * first + 1]),
                )
                side = u * (self.polygon[3 * second + 1] - self.polygon[3 * first + 1])
                side -= v * (self.polygon[3 * second] - self.polygon[3 * first])
        return chosen

    # The nearest points.

    def closest(self, axis: cython.int) -> cython.int:
        """Find the contact of cores by their nearest points; along an axis if they meet there."""
        a_is_segment = self.is_segment(0)
        self.nearest = _INFINITE
        if a_is_segment or not self.is_segment(3):
            self.search(0)
        if not a_is_segment:
            self.search(3)
        length = sqrt(self.nearest)
        if length - self.radius_a - self.radius_b > self.margin:
            return 0
        if length > 1e-10 * (abs(self.dx) + abs(self.dy) + abs(self.dz)):
            self.nx, self.ny, self.nz = self.gx / length, self.gy / length, self.gz / length
        else:
            self.set_normal(self.axes[3 * axis], self.axes[3 * axis + 1], self.axes[3 * axis + 2])
        x, y, z = self.nx, self.ny, self.nz
        for axis in range(6):
            if abs(self.normal_on(axis)) > _ALIGNED and self.has_face(axis):
                if self.clip(axis, (1.0 + _SLACK) * length) >= 0:
                    return self.count
                self.nx, self.ny, self.nz = x, y, z
        for axis in range(3):
            for other in range(3, 6):
                if (
                    self.half[axis] > 0.0
                    and self.half[other] > 0.0
                    and abs(self.product(axis, other)) > 0.98
                    and abs(self.normal_on(axis)) < _SLACK
                    and abs(self.normal_on(other)) < _SLACK
                ):
                    return self.parallel_edges(axis, other, length)
        return self.add_single(length, 0)

    def search(self, mine: cython.int) -> cython.void:
        """Find the point of the edges of one core that is nearest to the other core, if it is nearer than `nearest`."""
        theirs = 3 - mine
        sign = -1.0 if mine == 0 else 1.0
        for axis in range(mine, mine + 3):
            if self.half[axis] == 0.0:
                continue
            one = mine + _after(axis - mine)
            two = mine + _after(one - mine)
            ux = self.half[axis] * self.product(axis, theirs)
            uy = self.half[axis] * self.product(axis, theirs + 1)
            uz = self.half[axis] * self.product(axis, theirs + 2)
            for corner in range(4):
                p = -self.half[one] if corner & 1 else self.half[one]
                q = -self.half[two] if corner & 2 else self.half[two]
                if (corner & 1 and p == 0.0) or (corner & 2 and q == 0.0):
                    continue
                # In the frame of the other.
                x = sign * self.along[theirs] + p * self.product(one, theirs) + q * self.product(two, theirs)
                k = theirs + 1
                y = sign * self.along[k] + p * self.product(one, k) + q * self.product(two, k)
                k = theirs + 2
                z = sign * self.along[k] + p * self.product(one, k) + q * self.product(two, k)
                k = theirs
                p = nearest_on_segment(x, y, z, ux, uy, uz, self.half[k], self.half[k + 1], self.half[k + 2])
                x, y, z = x + p * ux, y + p * uy, z + p * uz
                self.keep_nearest(mine, x, y, z)

    def keep_nearest(self, mine: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Note a point of one core, in the frame of the other, if it is the nearest up to now."""
        k = 3 - mine
        ex = _beyond(x, self.half[k])
        ey = _beyond(y, self.half[k + 1])
        ez = _beyond(z, self.half[k + 2])
        square = ex * ex + ey * ey + ez * ez
        sign = -1.0 if mine == 0 else 1.0
        if square >= self.nearest:
            return
        self.nearest = square
        k *= 3
        self.gx = sign * (ex * self.axes[k] + ey * self.axes[k + 3] + ez * self.axes[k + 6])
        self.gy = sign * (ex * self.axes[k + 1] + ey * self.axes[k + 4] + ez * self.axes[k + 7])
        self.gz = sign * (ex * self.axes[k + 2] + ey * self.axes[k + 5] + ez * self.axes[k + 8])
        if mine == 3:  # of the box, which is a
            x, y, z = x - ex, y - ey, z - ez
        self.ax = x * self.axes[k] + y * self.axes[k + 3] + z * self.axes[k + 6]
        self.ay = x * self.axes[k + 1] + y * self.axes[k + 4] + z * self.axes[k + 7]
        self.az = x * self.axes[k + 2] + y * self.axes[k + 5] + z * self.axes[k + 8]
        if mine == 0:
            self.ax, self.ay, self.az = self.ax + self.dx, self.ay + self.dy, self.az + self.dz

    def parallel_edges(self, axis: cython.int, other: cython.int, length: cython.double) -> cython.int:
        """Find the ends of where two edges run side by side, given their nearest points."""
        u, v, w, p = self.axes[3 * axis], self.axes[3 * axis + 1], self.axes[3 * axis + 2], self.axes[3 * other]
        q, r = self.axes[3 * other + 1], self.axes[3 * other + 2]
        cosine = self.product(axis, other)
        ax, ay, az = self.ax, self.ay, self.az
        bx, by, bz, place = ax + self.gx, ay + self.gy, az + self.gz, ax * u + ay * v + az * w
        their_place = bx * u + by * v + bz * w
        shift = their_place - cosine * ((bx - self.dx) * p + (by - self.dy) * q + (bz - self.dz) * r)
        reach = self.half[other] * abs(cosine)
        low = max(-self.half[axis], shift - reach)
        high = min(self.half[axis], shift + reach)
        if low >= high:
            return self.add_single(length, 0)
        for number in range(2):
            s = (high if number else low) - place
            t = ((high if number else low) - their_place) / cosine
            self.ax, self.ay, self.az = ax + s * u, ay + s * v, az + s * w
            length = (bx + t * p - self.ax) * self.nx + (by + t * q - self.ay) * self.ny
            self.add_single(length + (bz + t * r - self.az) * self.nz, 1 + number)
        return self.count
