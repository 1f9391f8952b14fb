# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""When a round part comes to meet another, and where parts parallel to the axes touch (rules H6 and H8).

Seen from the part that is met, the centre of the moving one is a ray that comes closer to the sum of both cores than
the sum of both radii. Float64 finds which face, edge or corner of that sum is the nearest then; the time is the root of
its parabola, in whole numbers. Where the ray is at that time says whether it was the right one. If this is closer than
rounding errors, `ray_entry` finds it in fractions.
"""

from __future__ import annotations

from math import inf
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.shapes.overlap import separation
    from cython.cimports.libc.math import floor, sqrt
else:
    from math import floor, sqrt

    from ecs_collision.shapes.overlap import separation

from ecs_collision.fixed_point import LATTICE
from ecs_collision.shapes.overlap import PlacedPart
from ecs_collision.shapes.ray_entry import INSIDE, START, exact_entry, exact_root, first_root

_LATTICE = cython.declare(cython.double, LATTICE)
_INFINITY = cython.declare(cython.double, inf)
_ROUNDING = cython.declare(cython.double, 2.0**-46)  # more than the errors of a few sums of products, beside their size
_ROOT_OF_ROUNDING = cython.declare(cython.double, 2.0**-22)
_CLOSE = cython.declare(cython.double, 2.0**-30)
_TOP = cython.declare(cython.double, 2.0**59)
_DOUBT = cython.declare(cython.double, 2.0**-8)  # more than the errors of 70 bits in the last of 59
_TINY = cython.declare(cython.double, 2.0**-98)  # more than the errors of sums of two floats, beside their size
_HALF_OF_BITS = cython.declare(cython.double, 2.0**27 + 1.0)  # a product with it splits a float into two halves
_SMALL = cython.declare(cython.longlong, 1 << 29)
"""Squares of numbers up to here can be added in 63 bits."""


@cython.ccall
def round_entry(
    a: PlacedPart, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong, b: PlacedPart, limit: cython.double
) -> object:
    """Return when a part that moves comes closer to another than both radii, rounded down; `INSIDE`; None for never.

    Exact. Both are parallel to the axes, and one has a radius. limit: in parts of the displacement; a time beyond it
    may be None.
    """
    state: cython.int = separation(a, b)
    if state == 0:
        return INSIDE
    # Doubled, so that centres are whole numbers: the ray, the half extents of the sum of the cores, the radius.
    x: cython.longlong = a.lox + a.hix - b.lox - b.hix
    y: cython.longlong = a.loy + a.hiy - b.loy - b.hiy
    z: cython.longlong = a.loz + a.hiz - b.loz - b.hiz
    hx: cython.longlong = a.hix - a.lox + b.hix - b.lox
    hy: cython.longlong = a.hiy - a.loy + b.hiy - b.loy
    hz: cython.longlong = a.hiz - a.loz + b.hiz - b.loz
    radius: cython.longlong = 2 * (a.radius + b.radius)
    dx, dy, dz = 2 * dx, 2 * dy, 2 * dz
    # Whether it comes closer at first.
    along_x: cython.double = _beyond(x, hx) * dx
    along_y: cython.double = _beyond(y, hy) * dy
    along_z: cython.double = _beyond(z, hz) * dz
    slope: cython.double = along_x + along_y + along_z
    size: cython.double = abs(along_x) + abs(along_y) + abs(along_z)
    if 0.0 < size and abs(slope) <= _ROUNDING * size:
        return exact_entry([x, y, z], [dx, dy, dz], [hx, hy, hz], radius)
    if slope >= 0.0:
        return None
    if state == 1:
        return START
    # Between which crossings of planes of faces it comes closer than the radius, and where it is nearest then.
    low: cython.double = 0.0
    high: cython.double = _INFINITY
    square: cython.double = cython.cast(cython.double, radius) * radius
    axis: cython.int
    side: cython.int
    for axis in range(3):
        place: cython.longlong = x if axis == 0 else (y if axis == 1 else z)
        step: cython.longlong = dx if axis == 0 else (dy if axis == 1 else dz)
        half: cython.longlong = hx if axis == 0 else (hy if axis == 1 else hz)
        if step == 0 or half == 0:
            continue
        for side in range(2):
            time: cython.double = cython.cast(cython.double, (half if side == 0 else -half) - place) / step
            if low < time < high:
                along_x = _beyond(x + time * dx, hx)
                along_y = _beyond(y + time * dy, hy)
                along_z = _beyond(z + time * dz, hz)
                if (
                    along_x * along_x + along_y * along_y + along_z * along_z < square
                    or along_x * dx + along_y * dy + along_z * dz >= 0.0
                ):
                    high = time
                else:
                    low = time
    time = low + 1.0 if high == _INFINITY else 0.5 * (low + high)
    sx: cython.int = _side(x, dx, hx, time)
    sy: cython.int = _side(y, dy, hy, time)
    sz: cython.int = _side(z, dz, hz, time)
    # The ray as seen from there, without the axes along a face or an edge.
    px: cython.longlong = x - sx * hx if sx != 0 or hx == 0 else 0
    py: cython.longlong = y - sy * hy if sy != 0 or hy == 0 else 0
    pz: cython.longlong = z - sz * hz if sz != 0 or hz == 0 else 0
    qx: cython.longlong = dx if sx != 0 or hx == 0 else 0
    qy: cython.longlong = dy if sy != 0 or hy == 0 else 0
    qz: cython.longlong = dz if sz != 0 or hz == 0 else 0
    slope = (
        cython.cast(cython.double, px) * qx + cython.cast(cython.double, py) * qy + cython.cast(cython.double, pz) * qz
    )
    speed: cython.double = (
        cython.cast(cython.double, qx) * qx + cython.cast(cython.double, qy) * qy + cython.cast(cython.double, qz) * qz
    )
    gap: cython.double = (
        cython.cast(cython.double, px) * px + cython.cast(cython.double, py) * py + cython.cast(cython.double, pz) * pz
    ) - square
    if slope >= 0.0 or speed == 0.0:
        return exact_entry([x, y, z], [dx, dy, dz], [hx, hy, hz], radius)
    root: cython.double = slope * slope - speed * gap
    if -slope - sqrt(max(root, 0.0)) + _ROOT_OF_ROUNDING * slope > limit * speed:
        return None
    entry: Any = None
    if root < -_ROUNDING * slope * slope:
        pass  # it does not
    elif max(abs(px), abs(py), abs(pz), abs(qx), abs(qy), abs(qz), radius) <= _SMALL:
        entry = _first_root(
            px * qx + py * qy + pz * qz,
            qx * qx + qy * qy + qz * qz,
            px * px + py * py + pz * pz - radius * radius,
        )
    else:
        entry = exact_root([px, py, pz], [qx, qy, qz], radius)
    time = -slope / speed if entry is None else entry[0] / entry[1]
    if _is_clear(x, dx, hx, sx, time) and _is_clear(y, dy, hy, sy, time) and _is_clear(z, dz, hz, sz, time):
        return entry
    return exact_entry([x, y, z], [dx, dy, dz], [hx, hy, hz], radius)


@cython.cfunc
def _first_root(slope: cython.longlong, speed: cython.longlong, gap: cython.longlong) -> object:
    """Return what `first_root` returns, for numbers below 2**62.

    From sums of two floats, which have 70 bits of the time; in whole numbers where these do not say how to round.
    """
    a: cython.double = cython.cast(cython.double, speed)
    b: cython.double = cython.cast(cython.double, -slope)
    c: cython.double = cython.cast(cython.double, gap)
    ac: cython.double = a * c
    bb: cython.double = b * b
    square: cython.double = bb - ac
    if gap > 0 and square > _CLOSE * bb:
        a_rest: cython.double = speed - cython.cast(cython.longlong, a)
        b_rest: cython.double = -slope - cython.cast(cython.longlong, b)
        c_rest: cython.double = gap - cython.cast(cython.longlong, c)
        less: cython.double = _rest_of_product(b, b, bb) + 2.0 * b * b_rest
        less -= _rest_of_product(a, c, ac) + a * c_rest + a_rest * c
        less += _rest_of_sum(bb, -ac, square)
        rest: cython.double = _rest_of_sum(square, less, square + less)
        square += less
        root: cython.double = sqrt(square)
        rest = (rest - _rest_of_product(root, root, square)) / (2.0 * root)
        whole: cython.double = b + root
        rest += _rest_of_sum(b, root, whole) + b_rest
        time: cython.double = c / whole
        rest = (c_rest - _rest_of_product(time, whole, c) - time * rest) / whole
        step: cython.longlong = 1 << 59
        while time * step >= _TOP:
            step >>= 1
        below: cython.double = floor(time * step)
        rest = time * step - below + rest * step
        when: cython.longlong = cython.cast(cython.longlong, below) + cython.cast(cython.longlong, floor(rest))
        rest -= floor(rest)
        if _DOUBT < rest < 1.0 - _DOUBT and (when >> 58 == 1 or (when >> 58 == 0 and step >> 59 == 1)):
            return when, step
    return first_root(slope, speed, gap)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _rest_of_product(a: cython.double, b: cython.double, product: cython.double) -> cython.double:
    """Return a * b - product, where product is a * b but for rounding errors."""
    a_high: cython.double = _HALF_OF_BITS * a
    b_high: cython.double = _HALF_OF_BITS * b
    a_high -= a_high - a
    b_high -= b_high - b
    a_low: cython.double = a - a_high
    b_low: cython.double = b - b_high
    return (a_high * b_high - product) + a_high * b_low + a_low * b_high + a_low * b_low


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _rest_of_sum(a: cython.double, b: cython.double, total: cython.double) -> cython.double:
    """Return a + b - total, where total is a + b but for rounding errors."""
    added: cython.double = total - a
    return (a - (total - added)) + (b - added)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _beyond(at: cython.double, half: cython.double) -> cython.double:
    """Return how far a coordinate is beyond -half to half, negative below, 0 within."""
    return at - half if at > half else (at + half if at < -half else 0.0)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _side(place: cython.longlong, step: cython.longlong, half: cython.longlong, time: cython.double) -> cython.int:
    """Return on which side of -half to half a coordinate is at a time: -1, 0 or 1."""
    if step == 0:
        return (place > half) - (place < -half)
    return (place + time * step > half) - (place + time * step < -half)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_clear(
    place: cython.longlong, step: cython.longlong, half: cython.longlong, side: cython.int, time: cython.double
) -> cython.bint:
    """Return whether a coordinate is on this side at a time, by more than rounding errors."""
    if step == 0 or half == 0:
        return True
    at: cython.double = place + time * step
    error: cython.double = _ROUNDING * (abs(place) + time * abs(step))
    return abs(at) <= half - error if side == 0 else side * at >= half + error


@cython.ccall
def touch(
    a: PlacedPart,
    dx: cython.longlong,
    dy: cython.longlong,
    dz: cython.longlong,
    b: PlacedPart,
    when: cython.longlong,
    step: cython.longlong,
    is_inside: cython.bint,
) -> tuple:  # type: ignore[type-arg]
    """Return the normal at the time when / step, from the core of the part that is met, and where they touch.

    Both are parallel to the axes. The point is on the surface of b, in the middle of what the cores share on each axis,
    in world units. is_inside: they overlap; the normal is (0, 0, 0), and the point is in both.
    """
    # As seen from the centre of b.
    x: cython.double = _offset(a.lox + a.hix - b.lox - b.hix, dx, when, step)
    y: cython.double = _offset(a.loy + a.hiy - b.loy - b.hiy, dy, when, step)
    z: cython.double = _offset(a.loz + a.hiz - b.loz - b.hiz, dz, when, step)
    gap_x: cython.double = _beyond(x, 0.5 * (a.hix - a.lox + b.hix - b.lox))
    gap_y: cython.double = _beyond(y, 0.5 * (a.hiy - a.loy + b.hiy - b.loy))
    gap_z: cython.double = _beyond(z, 0.5 * (a.hiz - a.loz + b.hiz - b.loz))
    x = _common(x, gap_x, 0.5 * (a.hix - a.lox), 0.5 * (b.hix - b.lox))
    y = _common(y, gap_y, 0.5 * (a.hiy - a.loy), 0.5 * (b.hiy - b.loy))
    z = _common(z, gap_z, 0.5 * (a.hiz - a.loz), 0.5 * (b.hiz - b.loz))
    largest: cython.double = max(abs(gap_x), abs(gap_y), abs(gap_z))
    reach: cython.double = b.radius
    if largest > 0.0:
        # In the order of `unit_of`, without negative zeros.
        gap_x, gap_y, gap_z = gap_x / largest, gap_y / largest, gap_z / largest
        length: cython.double = sqrt(gap_x * gap_x + gap_y * gap_y + gap_z * gap_z)
        gap_x, gap_y, gap_z = gap_x / length + 0.0, gap_y / length + 0.0, gap_z / length + 0.0
        if is_inside:
            length *= largest
            reach = 0.5 * (max(0.0, length - a.radius) + min(length, reach))
    point = (
        (0.5 * (b.lox + b.hix) + x + gap_x * reach) * _LATTICE,
        (0.5 * (b.loy + b.hiy) + y + gap_y * reach) * _LATTICE,
        (0.5 * (b.loz + b.hiz) + z + gap_z * reach) * _LATTICE,
    )
    return (0.0, 0.0, 0.0) if is_inside else (gap_x, gap_y, gap_z), point


@cython.cfunc
def _offset(
    place: cython.longlong, way: cython.longlong, when: cython.longlong, step: cython.longlong
) -> cython.double:
    """Return half of a place after a part of a way, from whole numbers, rounded once."""
    if way == 0 or when == 0:
        return 0.5 * place
    a: cython.double = cython.cast(cython.double, when)
    b: cython.double = cython.cast(cython.double, step)
    c: cython.double = cython.cast(cython.double, 2 * way)
    x: cython.double = cython.cast(cython.double, place)
    part: cython.double = a / b
    rest: cython.double = when - cython.cast(cython.longlong, a) - part * (step - cython.cast(cython.longlong, b))
    rest = (rest - _rest_of_product(part, b, a)) / b
    moved: cython.double = c * part
    rest = c * rest + _rest_of_product(c, part, moved) + part * (2 * way - cython.cast(cython.longlong, c))
    total: cython.double = x + moved
    rest += _rest_of_sum(x, moved, total) + (place - cython.cast(cython.longlong, x))
    there: cython.double = total + rest
    rest = _rest_of_sum(total, rest, there)
    error: cython.double = _TINY * (abs(x) + abs(moved))
    if there + (rest + error) == there and there + (rest - error) == there:
        return 0.5 * there
    whole: Any = step
    exact: Any = whole * place + 2 * (way * cython.cast(object, when))
    return exact / (2 * whole)  # type: ignore[no-any-return]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _common(at: cython.double, gap: cython.double, half: cython.double, half_of_other: cython.double) -> cython.double:
    """Return the nearest place to an extent around `at` in another around 0, or the middle of what they share."""
    if gap != 0.0:
        return half_of_other if gap > 0.0 else -half_of_other
    return 0.5 * (max(at - half, -half_of_other) + min(at + half, half_of_other))
