# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Parts at their place in the world: whether two overlap or touch, on which side, and how far apart (L4, H5 and C5).

Parts parallel to the axes are compared in whole numbers: the gap between their cores on each axis, as squares, with the
square of the sum of their radii. Squares need up to 110 bits, so large ones are added in two halves.

Parts of which one is turned are compared in float64. Differences of positions are whole numbers, so a result does not
depend on where in the world the parts are. A result for two parts is the same in either order, to the bit: they are put
in an order of their own first. A part with a radius has a point or a segment as its core. Seen from a box, the square
of the distance along a segment is convex and made of parabolas, whose limits are known: so its minimum is found in a
fixed number of steps, without iterations or tolerances. Points and segments are boxes too, so this is the only distance
there is. Boxes without radius only need to be separated or not: 15 axes decide (Gottschalk, Lin and Manocha 1996).
"""

from __future__ import annotations

from math import inf

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

from ecs_collision._arrays import zeros
from ecs_collision.shapes.bounds import Shape, bounds_of
from ecs_collision.shapes.part import Part

_INFINITE = cython.declare(cython.double, inf)
_LIMB = cython.declare(cython.longlong, (1 << 31) - 1)
_SMALL = cython.declare(cython.longlong, 1 << 30)
"""Up to here three squares fit in 63 bits."""
_PARALLEL = cython.declare(cython.double, 2.0**-48)
"""Square of the sine of an angle between edges below which their cross product is mostly rounding error. The axes of
faces then separate the boxes as well, up to 2**-24 of their size."""


@cython.final
@cython.cclass
class PlacedPart:
    """A part in the world, in lattice units: its core, its radius and how it is turned (rules H1 to H3).

    `lox` to `hiz` are the faces of the core. If `is_turned`, this is the core before it is turned about its centre by
    the matrix with the rows `m0` to `m2`, `m3` to `m5` and `m6` to `m8`.
    """

    def __init__(self) -> None:
        self.set_box(0, 0, 0, 0, 0, 0)

    def set_box(
        self,
        lox: cython.longlong,
        loy: cython.longlong,
        loz: cython.longlong,
        hix: cython.longlong,
        hiy: cython.longlong,
        hiz: cython.longlong,
    ) -> cython.void:
        """Become a box."""
        self.lox, self.loy, self.loz, self.hix, self.hiy, self.hiz = lox, loy, loz, hix, hiy, hiz
        self.radius = 0
        self.is_turned = False

    def set_part(
        self, shape: Shape, number: cython.Py_ssize_t, x: cython.longlong, y: cython.longlong, z: cython.longlong
    ) -> cython.void:
        """Become a part of a body that is at a position."""
        at: cython.Py_ssize_t = 8 * number
        self.lox, self.hix = shape.numbers[at] + x, shape.numbers[at + 3] + x
        self.loy, self.hiy = shape.numbers[at + 1] + y, shape.numbers[at + 4] + y
        self.loz, self.hiz = shape.numbers[at + 2] + z, shape.numbers[at + 5] + z
        self.radius = shape.numbers[at + 6]
        self.is_turned = shape.numbers[at + 7] != 0
        if self.is_turned:
            at = 9 * number
            m: cython.double[::1] = shape.matrices
            self.m0, self.m1, self.m2 = m[at], m[at + 1], m[at + 2]
            self.m3, self.m4, self.m5 = m[at + 3], m[at + 4], m[at + 5]
            self.m6, self.m7, self.m8 = m[at + 6], m[at + 7], m[at + 8]

    def surround(self, region: cython.longlong[::1]) -> cython.int:
        """Write the six faces of the bounds (H4)."""
        if self.is_turned:
            core = (self.lox, self.loy, self.loz, self.hix, self.hiy, self.hiz)
            matrix = (self.m0, self.m1, self.m2, self.m3, self.m4, self.m5, self.m6, self.m7, self.m8)
            region[0], region[1], region[2], region[3], region[4], region[5] = bounds_of(
                Part(core, self.radius, matrix)
            )
            return 0
        region[0], region[3] = self.lox - self.radius, self.hix + self.radius
        region[1], region[4] = self.loy - self.radius, self.hiy + self.radius
        region[2], region[5] = self.loz - self.radius, self.hiz + self.radius
        return 0

    def shift(self, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.void:
        """Displace the part."""
        self.lox, self.loy, self.loz = self.lox + x, self.loy + y, self.loz + z
        self.hix, self.hiy, self.hiz = self.hix + x, self.hiy + y, self.hiz + z

    def grow(self, by: cython.longlong) -> cython.void:
        """Grow to all sides; a box stays a box."""
        if self.radius > 0:
            self.radius += by
        else:
            self.lox, self.loy, self.loz = self.lox - by, self.loy - by, self.loz - by
            self.hix, self.hiy, self.hiz = self.hix + by, self.hiy + by, self.hiz + by


def placed(part: Part) -> PlacedPart:
    """Return a part at the place that its own numbers say."""
    found = PlacedPart()
    found.set_part(Shape((part,)), 0, 0, 0, 0)
    return found


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def axis_separation(
    low: cython.longlong, high: cython.longlong, their_low: cython.longlong, their_high: cython.longlong
) -> cython.int:
    """Return how two extents on an axis meet: 0 is overlap, 1 touching, 4 neither."""
    if low < their_high and their_low < high:
        return 0
    return 4 if low > their_high or their_low > high else 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def axis_gap(
    low: cython.longlong, high: cython.longlong, their_low: cython.longlong, their_high: cython.longlong
) -> cython.longlong:
    """Return the gap between two extents on an axis, 0 if they meet."""
    return max(their_low - high, low - their_high, 0)


def compare_squares(x: cython.longlong, y: cython.longlong, z: cython.longlong, length: cython.longlong) -> cython.int:
    """Return the sign of x * x + y * y + z * z - length * length, exactly. All are from 0 to 2**55."""
    if x > length or y > length or z > length:
        return 1
    if length <= _SMALL:
        low: cython.longlong = x * x + y * y + z * z - length * length
        return (low > 0) - (low < 0)
    # A number is high * 2**31 + low. The squares are sums of parts of weight 2**62, 2**31 and 1.
    tops: cython.longlong = 0
    middles: cython.longlong = 0
    lows: cython.longlong = 0
    side: cython.int
    for side in range(4):
        value: cython.longlong = x if side == 0 else (y if side == 1 else (z if side == 2 else length))
        sign: cython.longlong = -1 if side == 3 else 1
        high: cython.longlong = value >> 31
        rest: cython.longlong = value & _LIMB
        tops += sign * high * high
        middles += sign * (2 * high * rest + (rest * rest >> 31))
        lows += sign * (rest * rest & _LIMB)
    middles += lows >> 31
    lows &= _LIMB
    tops += middles >> 31
    middles &= _LIMB
    if tops != 0:
        return 1 if tops > 0 else -1
    return 1 if middles > 0 or lows > 0 else 0


def separation(a: PlacedPart, b: PlacedPart) -> cython.int:
    """Return 0 if two parts overlap, 1 if they touch, 4 if neither."""
    radius: cython.longlong = a.radius + b.radius
    if a.is_turned or b.is_turned:
        return 0 if turned_overlap(a, b) else 4
    if radius == 0:
        count: cython.int = axis_separation(a.lox, a.hix, b.lox, b.hix)
        count += axis_separation(a.loy, a.hiy, b.loy, b.hiy)
        count += axis_separation(a.loz, a.hiz, b.loz, b.hiz)
        return count if count < 2 else 4
    sign: cython.int = compare_squares(
        axis_gap(a.lox, a.hix, b.lox, b.hix),
        axis_gap(a.loy, a.hiy, b.loy, b.hiy),
        axis_gap(a.loz, a.hiz, b.loz, b.hiz),
        radius,
    )
    return 0 if sign < 0 else (1 if sign == 0 else 4)


def nearly_touch(a: PlacedPart, b: PlacedPart) -> cython.bint:
    """Return whether two parts that neither overlap nor touch are so near that they count as touching (C1).

    One is round or turned, and they are less than 4 units apart, because on the lattice few places are just where such
    parts touch. Their bounds touch or overlap, so the index finds them.
    """
    axis: cython.int
    if a.is_turned or b.is_turned:
        if turned_separation(a, b) >= 4.0:
            return False
    elif (
        a.radius + b.radius == 0
        or compare_squares(
            axis_gap(a.lox, a.hix, b.lox, b.hix),
            axis_gap(a.loy, a.hiy, b.loy, b.hiy),
            axis_gap(a.loz, a.hiz, b.loz, b.hiz),
            a.radius + b.radius + 4,
        )
        >= 0
    ):
        return False
    mine: cython.longlong[::1] = zeros("q", 6)
    theirs: cython.longlong[::1] = zeros("q", 6)
    a.surround(mine)
    b.surround(theirs)
    apart: cython.bint = False
    for axis in range(3):
        apart |= mine[axis] > theirs[axis + 3] or theirs[axis] > mine[axis + 3]
    return not apart


def box_side(a: PlacedPart, b: PlacedPart, dims: cython.int) -> cython.int:
    """Return on which side of a box another one, which it overlaps or touches, is left the soonest (C4, H9).

    It is twice the axis, plus 1 if the side is down the axis. Of equal depths the first axis counts, up before down.
    """
    side: cython.int
    found: cython.int = 0
    for side in range(1, 2 * dims):
        if box_depth(a, b, side) < box_depth(a, b, found):
            found = side
    return found


def box_depth(a: PlacedPart, b: PlacedPart, side: cython.int) -> cython.longlong:
    """Return how far a box has to move to a side of another, until they no longer overlap."""
    if side == 0:
        return a.hix - b.lox
    if side == 1:
        return b.hix - a.lox
    if side == 2:
        return a.hiy - b.loy
    if side == 3:
        return b.hiy - a.loy
    return a.hiz - b.loz if side == 4 else b.hiz - a.loz


def is_on_side(a: PlacedPart, b: PlacedPart, axis: cython.int, upward: cython.bint) -> cython.bint:
    """Return whether b is on a side of a, of two parts that touch and are parallel to the axes (rule C5).

    Boxes touch on the axis with equal faces. Round parts touch on the axis along which their cores are farthest apart,
    which is that of the largest component of the normal; x counts before y before z.
    """
    if a.radius + b.radius == 0:
        if axis == 0:
            return a.hix == b.lox if upward else a.lox == b.hix
        if axis == 1:
            return a.hiy == b.loy if upward else a.loy == b.hiy
        return a.hiz == b.loz if upward else a.loz == b.hiz
    x: cython.longlong = axis_gap(a.lox, a.hix, b.lox, b.hix)
    y: cython.longlong = axis_gap(a.loy, a.hiy, b.loy, b.hiy)
    z: cython.longlong = axis_gap(a.loz, a.hiz, b.loz, b.hiz)
    if axis == 0:
        return x >= y and x >= z and (a.hix < b.lox if upward else a.lox > b.hix)
    if axis == 1:
        return y > x and y >= z and (a.hiy < b.loy if upward else a.loy > b.hiy)
    return z > x and z > y and (a.hiz < b.loz if upward else a.loz > b.hiz)


# Turned parts.


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _dimensions(a: PlacedPart) -> cython.int:
    """Return 0 if the core is a point, 1 for a segment, 2 for a rectangle, 3 for a box."""
    return (a.hix > a.lox) + (a.hiy > a.loy) + (a.hiz > a.loz)


@cython.cfunc
@cython.exceptval(check=False)
def _is_before(a: PlacedPart, b: PlacedPart) -> cython.bint:
    """Return whether a comes before b, by their shapes, then by their places relative to each other.

    The one with fewer dimensions comes first.
    """
    dimensions: cython.int = _dimensions(a)
    others: cython.int = _dimensions(b)
    if dimensions != others:
        return dimensions < others
    if a.is_turned != b.is_turned:
        return a.is_turned
    if a.hix - a.lox != b.hix - b.lox:
        return a.hix - a.lox < b.hix - b.lox
    if a.hiy - a.loy != b.hiy - b.loy:
        return a.hiy - a.loy < b.hiy - b.loy
    if a.hiz - a.loz != b.hiz - b.loz:
        return a.hiz - a.loz < b.hiz - b.loz
    if a.is_turned:
        if a.m0 != b.m0:
            return a.m0 < b.m0
        if a.m1 != b.m1:
            return a.m1 < b.m1
        if a.m2 != b.m2:
            return a.m2 < b.m2
        if a.m3 != b.m3:
            return a.m3 < b.m3
        if a.m4 != b.m4:
            return a.m4 < b.m4
        if a.m5 != b.m5:
            return a.m5 < b.m5
        if a.m6 != b.m6:
            return a.m6 < b.m6
        if a.m7 != b.m7:
            return a.m7 < b.m7
        if a.m8 != b.m8:
            return a.m8 < b.m8
    if a.lox != b.lox:
        return a.lox < b.lox
    return a.loy < b.loy if a.loy != b.loy else a.loz < b.loz


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _half_of_sum(
    low: cython.longlong, high: cython.longlong, their_low: cython.longlong, their_high: cython.longlong
) -> cython.double:
    """Return the distance from the centre of their extent to that of another on an axis."""
    return 0.5 * cython.cast(cython.double, low + high - their_low - their_high)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _beyond(at: cython.double, half: cython.double) -> cython.double:
    """Return how far a coordinate is beyond -half to half, negative below, 0 within."""
    return at - half if at > half else (at + half if at < -half else 0.0)


@cython.cfunc
@cython.exceptval(check=False)
def _slope(
    t: cython.double,
    x: cython.double,
    y: cython.double,
    z: cython.double,
    ux: cython.double,
    uy: cython.double,
    uz: cython.double,
    hx: cython.double,
    hy: cython.double,
    hz: cython.double,
) -> cython.double:
    """Return half the derivative of the square of the distance of a box to the point x + t * ux, ..."""
    return _beyond(x + t * ux, hx) * ux + _beyond(y + t * uy, hy) * uy + _beyond(z + t * uz, hz) * uz


def nearest_on_segment(
    x: cython.double,
    y: cython.double,
    z: cython.double,
    ux: cython.double,
    uy: cython.double,
    uz: cython.double,
    hx: cython.double,
    hy: cython.double,
    hz: cython.double,
) -> cython.double:
    """Return t from -1 to 1 for which the point x + t * ux, y + t * uy, z + t * uz is nearest to a box about 0.

    Of several it is any. The derivative grows with t, and is linear between the places where the segment crosses the
    planes of the faces.
    """
    begin: cython.double = -1.0
    end: cython.double = 1.0
    begin_slope: cython.double = _slope(begin, x, y, z, ux, uy, uz, hx, hy, hz)
    end_slope: cython.double = _slope(end, x, y, z, ux, uy, uz, hx, hy, hz)
    number: cython.int
    if begin_slope >= 0.0:
        return begin
    if end_slope <= 0.0:
        return end
    for number in range(6):
        if number < 2:
            if ux == 0.0:
                continue
            at: cython.double = ((hx if number == 0 else -hx) - x) / ux
        elif number < 4:
            if uy == 0.0:
                continue
            at = ((hy if number == 2 else -hy) - y) / uy
        else:
            if uz == 0.0:
                continue
            at = ((hz if number == 4 else -hz) - z) / uz
        if begin < at and at < end:
            slope: cython.double = _slope(at, x, y, z, ux, uy, uz, hx, hy, hz)
            if slope <= 0.0:
                begin, begin_slope = at, slope
            else:
                end, end_slope = at, slope
    return begin - begin_slope * ((end - begin) / (end_slope - begin_slope))


def turned_gap(a: PlacedPart, b: PlacedPart) -> cython.double:
    """Return the distance of two cores, of which at least one is a point or a segment, in lattice units."""
    if _is_before(b, a):
        a, b = b, a
    x: cython.double = _half_of_sum(a.lox, a.hix, b.lox, b.hix)
    y: cython.double = _half_of_sum(a.loy, a.hiy, b.loy, b.hiy)
    z: cython.double = _half_of_sum(a.loz, a.hiz, b.loz, b.hiz)
    # The half extents: of a segment only one is not 0, so together they are the vector from its centre to an end.
    ux: cython.double = 0.5 * cython.cast(cython.double, a.hix - a.lox)
    uy: cython.double = 0.5 * cython.cast(cython.double, a.hiy - a.loy)
    uz: cython.double = 0.5 * cython.cast(cython.double, a.hiz - a.loz)
    hx: cython.double = 0.5 * cython.cast(cython.double, b.hix - b.lox)
    hy: cython.double = 0.5 * cython.cast(cython.double, b.hiy - b.loy)
    hz: cython.double = 0.5 * cython.cast(cython.double, b.hiz - b.loz)
    if a.is_turned:
        ux, uy, uz = (
            a.m0 * ux + a.m1 * uy + a.m2 * uz,
            a.m3 * ux + a.m4 * uy + a.m5 * uz,
            a.m6 * ux + a.m7 * uy + a.m8 * uz,
        )
    if b.is_turned:  # into its frame
        x, y, z = b.m0 * x + b.m3 * y + b.m6 * z, b.m1 * x + b.m4 * y + b.m7 * z, b.m2 * x + b.m5 * y + b.m8 * z
        ux, uy, uz = (
            b.m0 * ux + b.m3 * uy + b.m6 * uz,
            b.m1 * ux + b.m4 * uy + b.m7 * uz,
            b.m2 * ux + b.m5 * uy + b.m8 * uz,
        )
    t: cython.double = nearest_on_segment(x, y, z, ux, uy, uz, hx, hy, hz)
    x, y, z = _beyond(x + t * ux, hx), _beyond(y + t * uy, hy), _beyond(z + t * uz, hz)
    return sqrt(x * x + y * y + z * z)


def turned_overlap(a: PlacedPart, b: PlacedPart) -> cython.bint:
    """Return whether two parts overlap, of which at least one is turned (rule H5)."""
    radius: cython.longlong = a.radius + b.radius
    if radius > 0:
        return turned_gap(a, b) < radius and _bounds_overlap(a, b)
    if _is_before(b, a):
        a, b = b, a
    return _gap_of_boxes(a, b, 0.0) < 0.0 and _bounds_overlap(a, b)


def turned_separation(a: PlacedPart, b: PlacedPart) -> cython.double:
    """Return how far two parts are apart at least, of which at least one is turned; below 0 if they overlap.

    Along a straight way it is a convex function, and it changes by no more than the way. It is in lattice units.
    """
    radius: cython.longlong = a.radius + b.radius
    if radius > 0:
        return turned_gap(a, b) - cython.cast(cython.double, radius)
    if _is_before(b, a):
        a, b = b, a
    return _gap_of_boxes(a, b, _INFINITE)


@cython.cfunc
@cython.exceptval(check=False)
def _bounds_overlap(a: PlacedPart, b: PlacedPart) -> cython.bint:
    """Return whether the bounds of two parts overlap, before they are rounded outward (H4).

    Rounding errors may bring parts that touch closer than touching. The index does not find them then, so neither may
    those who compare parts without it.
    """
    return bounds_overlap_on(a, b, 0) and bounds_overlap_on(a, b, 1) and bounds_overlap_on(a, b, 2)


def bounds_overlap_on(a: PlacedPart, b: PlacedPart, axis: cython.int) -> cython.bint:
    """Return whether the bounds of two parts overlap on an axis, before they are rounded outward (H4)."""
    radius: cython.double = cython.cast(cython.double, a.radius + b.radius)
    if axis == 0:
        apart: cython.double = _half_of_sum(a.lox, a.hix, b.lox, b.hix)
    elif axis == 1:
        apart = _half_of_sum(a.loy, a.hiy, b.loy, b.hiy)
    else:
        apart = _half_of_sum(a.loz, a.hiz, b.loz, b.hiz)
    return abs(apart) < radius + (_reach(a, axis) + _reach(b, axis))


@cython.cfunc
@cython.exceptval(check=False)
def _reach(a: PlacedPart, axis: cython.int) -> cython.double:
    """Return half the extent of a core on an axis."""
    x: cython.double = 0.5 * cython.cast(cython.double, a.hix - a.lox)
    y: cython.double = 0.5 * cython.cast(cython.double, a.hiy - a.loy)
    z: cython.double = 0.5 * cython.cast(cython.double, a.hiz - a.loz)
    if not a.is_turned:
        return x if axis == 0 else (y if axis == 1 else z)
    if axis == 0:
        return abs(a.m0) * x + abs(a.m1) * y + abs(a.m2) * z
    if axis == 1:
        return abs(a.m3) * x + abs(a.m4) * y + abs(a.m5) * z
    return abs(a.m6) * x + abs(a.m7) * y + abs(a.m8) * z


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _gap_across_edges(
    t1: cython.double,
    t2: cython.double,
    r1: cython.double,
    r2: cython.double,
    h1: cython.double,
    h2: cython.double,
    reach: cython.double,
) -> cython.double:
    """Return the gap of two boxes along the cross product of two edges, below 0 if they overlap there.

    It is not more than the true one, because the cross product is not longer than 1. The first edge is an axis of the
    first box. r1, r2: the second edge along the two other axes of the first box, t1, t2: the same of the centre of the
    second box, h1, h2: the half extents of the first box, reach: that of the second.
    """
    if r1 * r1 + r2 * r2 < _PARALLEL:
        return -_INFINITE
    return abs(t2 * r1 - t1 * r2) - (h1 * abs(r2) + h2 * abs(r1) + reach)


@cython.cfunc
@cython.exceptval(check=False)
def _gap_of_boxes(a: PlacedPart, b: PlacedPart, enough: cython.double) -> cython.double:
    """Return the largest gap of two boxes along an axis that may separate them, or one that is enough.

    It is below 0 if they overlap, and 0 if they touch.
    """
    x: cython.double = _half_of_sum(b.lox, b.hix, a.lox, a.hix)
    y: cython.double = _half_of_sum(b.loy, b.hiy, a.loy, a.hiy)
    z: cython.double = _half_of_sum(b.loz, b.hiz, a.loz, a.hiz)
    ax: cython.double = 0.5 * cython.cast(cython.double, a.hix - a.lox)
    ay: cython.double = 0.5 * cython.cast(cython.double, a.hiy - a.loy)
    az: cython.double = 0.5 * cython.cast(cython.double, a.hiz - a.loz)
    bx: cython.double = 0.5 * cython.cast(cython.double, b.hix - b.lox)
    by: cython.double = 0.5 * cython.cast(cython.double, b.hiy - b.loy)
    bz: cython.double = 0.5 * cython.cast(cython.double, b.hiz - b.loz)
    # r12: the product of axis 1 of a with axis 2 of b.
    r00: cython.double = 1.0
    r01: cython.double = 0.0
    r02: cython.double = 0.0
    r10: cython.double = 0.0
    r11: cython.double = 1.0
    r12: cython.double = 0.0
    r20: cython.double = 0.0
    r21: cython.double = 0.0
    r22: cython.double = 1.0
    if b.is_turned:
        r00, r01, r02, r10, r11, r12, r20, r21, r22 = b.m0, b.m1, b.m2, b.m3, b.m4, b.m5, b.m6, b.m7, b.m8
    if a.is_turned:  # into its frame
        x, y, z = a.m0 * x + a.m3 * y + a.m6 * z, a.m1 * x + a.m4 * y + a.m7 * z, a.m2 * x + a.m5 * y + a.m8 * z
        r00, r10, r20 = (
            a.m0 * r00 + a.m3 * r10 + a.m6 * r20,
            a.m1 * r00 + a.m4 * r10 + a.m7 * r20,
            a.m2 * r00 + a.m5 * r10 + a.m8 * r20,
        )
        r01, r11, r21 = (
            a.m0 * r01 + a.m3 * r11 + a.m6 * r21,
            a.m1 * r01 + a.m4 * r11 + a.m7 * r21,
            a.m2 * r01 + a.m5 * r11 + a.m8 * r21,
        )
        r02, r12, r22 = (
            a.m0 * r02 + a.m3 * r12 + a.m6 * r22,
            a.m1 * r02 + a.m4 * r12 + a.m7 * r22,
            a.m2 * r02 + a.m5 * r12 + a.m8 * r22,
        )
    gap: cython.double = abs(x) - (ax + bx * abs(r00) + by * abs(r01) + bz * abs(r02))
    gap = max(gap, abs(y) - (ay + bx * abs(r10) + by * abs(r11) + bz * abs(r12)))
    gap = max(gap, abs(z) - (az + bx * abs(r20) + by * abs(r21) + bz * abs(r22)))
    if gap >= enough:
        return gap
    gap = max(gap, abs(x * r00 + y * r10 + z * r20) - (bx + ax * abs(r00) + ay * abs(r10) + az * abs(r20)))
    gap = max(gap, abs(x * r01 + y * r11 + z * r21) - (by + ax * abs(r01) + ay * abs(r11) + az * abs(r21)))
    gap = max(gap, abs(x * r02 + y * r12 + z * r22) - (bz + ax * abs(r02) + ay * abs(r12) + az * abs(r22)))
    if gap >= enough:
        return gap
    gap = max(gap, _gap_across_edges(y, z, r10, r20, ay, az, by * abs(r02) + bz * abs(r01)))
    gap = max(gap, _gap_across_edges(y, z, r11, r21, ay, az, bz * abs(r00) + bx * abs(r02)))
    gap = max(gap, _gap_across_edges(y, z, r12, r22, ay, az, bx * abs(r01) + by * abs(r00)))
    gap = max(gap, _gap_across_edges(z, x, r20, r00, az, ax, by * abs(r12) + bz * abs(r11)))
    gap = max(gap, _gap_across_edges(z, x, r21, r01, az, ax, bz * abs(r10) + bx * abs(r12)))
    gap = max(gap, _gap_across_edges(z, x, r22, r02, az, ax, bx * abs(r11) + by * abs(r10)))
    gap = max(gap, _gap_across_edges(x, y, r00, r10, ax, ay, by * abs(r22) + bz * abs(r21)))
    gap = max(gap, _gap_across_edges(x, y, r01, r11, ax, ay, bz * abs(r20) + bx * abs(r22)))
    return max(gap, _gap_across_edges(x, y, r02, r12, ax, ay, bx * abs(r21) + by * abs(r20)))


def turned_distance_to_point(
    a: PlacedPart, x: cython.longlong, y: cython.longlong, z: cython.longlong
) -> cython.double:
    """Return the distance of a lattice point to the core of a part, in lattice units, 0.0 inside."""
    px: cython.double = _half_of_sum(x, x, a.lox, a.hix)
    py: cython.double = _half_of_sum(y, y, a.loy, a.hiy)
    pz: cython.double = _half_of_sum(z, z, a.loz, a.hiz)
    if a.is_turned:
        px, py, pz = (
            a.m0 * px + a.m3 * py + a.m6 * pz,
            a.m1 * px + a.m4 * py + a.m7 * pz,
            a.m2 * px + a.m5 * py + a.m8 * pz,
        )
    px = _beyond(px, 0.5 * cython.cast(cython.double, a.hix - a.lox))
    py = _beyond(py, 0.5 * cython.cast(cython.double, a.hiy - a.loy))
    pz = _beyond(pz, 0.5 * cython.cast(cython.double, a.hiz - a.loz))
    return sqrt(px * px + py * py + pz * pz)
