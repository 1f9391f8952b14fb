# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Whether two parts overlap or touch, and on which side (rules L4, H5 and C5).

Parts parallel to the axes are compared in whole numbers: the gap between their cores on each axis, as squares, with the
square of the sum of their radii. Squares need up to 110 bits, so large ones are added in two halves.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.shapes.placed import PlacedPart
    from cython.cimports.ecs_collision.shapes.turned import turned_overlap
else:
    from ecs_collision.shapes.placed import PlacedPart
    from ecs_collision.shapes.turned import turned_overlap

_LIMB = cython.declare(cython.longlong, (1 << 31) - 1)
_SMALL = cython.declare(cython.longlong, 1 << 30)
"""Up to here three squares fit in 63 bits."""


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


@cython.cfunc
@cython.exceptval(check=False)
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


@cython.ccall
@cython.exceptval(check=False)
def separation(a: PlacedPart, b: PlacedPart) -> cython.int:
    """Return 0 if two parts overlap, 1 if they touch, 4 if neither."""
    radius: cython.longlong = a.radius + b.radius
    count: cython.int
    sign: cython.int
    if a.is_turned or b.is_turned:
        return 0 if turned_overlap(a, b) else 4
    if radius == 0:
        count = axis_separation(a.lox, a.hix, b.lox, b.hix)
        count += axis_separation(a.loy, a.hiy, b.loy, b.hiy)
        count += axis_separation(a.loz, a.hiz, b.loz, b.hiz)
        return count if count < 2 else 4
    sign = compare_squares(
        axis_gap(a.lox, a.hix, b.lox, b.hix),
        axis_gap(a.loy, a.hiy, b.loy, b.hiy),
        axis_gap(a.loz, a.hiz, b.loz, b.hiz),
        radius,
    )
    return 0 if sign < 0 else (1 if sign == 0 else 4)


@cython.cfunc
@cython.exceptval(check=False)
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
