# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""How far a part can go along an axis until it would overlap another, of which one is round or turned (rules H4, P2).

Parts parallel to the axes are compared in whole numbers: what is left of the square of the radii beside the gaps on the
other axes is the square of the gap at which they touch. How far turned parts are apart is a convex function of the way,
in float64: so the secant method, from the start, never goes beyond the place where they meet. It goes in whole units,
and ends where `turned_overlap` finds no overlap. Not taken: the times of `meeting`, because a time that is rounded says
nothing about the float64 result at the place where the part then is.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.shapes.overlap import (
        axis_gap,
        bounds_overlap_on,
        compare_squares,
        turned_separation,
    )
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from ecs_collision.shapes.overlap import axis_gap, bounds_overlap_on, compare_squares, turned_separation

from ecs_collision.shapes.overlap import PlacedPart

NEVER = -1
"""The part never meets the other on its way."""
OVERLAP = -2
"""The parts overlap at the start."""

_NEVER = cython.declare(cython.longlong, NEVER)
_OVERLAP = cython.declare(cython.longlong, OVERLAP)
_SMALL = cython.declare(cython.longlong, 1 << 30)
"""Up to here three squares fit in 63 bits."""


def way_along(
    a: PlacedPart, b: PlacedPart, axis: cython.int, sign: cython.int, limit: cython.longlong
) -> cython.longlong:
    """Return the largest number of units that a can go along an axis before it overlaps b; NEVER or OVERLAP.

    One of them has a radius or is turned. sign: 1 up the axis, -1 down. limit: of turned parts that meet only beyond
    it, the result may be the limit.
    """
    first: cython.int = 1 if axis == 0 else 0
    second: cython.int = 3 - axis - first
    if a.is_turned or b.is_turned:
        if not (bounds_overlap_on(a, b, first) and bounds_overlap_on(a, b, second)):
            return _NEVER
        return _turned_way(a, b, axis, sign, limit)
    across: cython.longlong = _gap_on(a, b, first)
    upward: cython.longlong = _gap_on(a, b, second)
    radius: cython.longlong = a.radius + b.radius
    if compare_squares(across, upward, 0, radius) >= 0:
        return _NEVER
    reach: cython.longlong = _reach(across, upward, radius)
    ahead: cython.longlong = _low(b, axis) - _high(a, axis)
    behind: cython.longlong = _low(a, axis) - _high(b, axis)
    if sign < 0:
        ahead, behind = behind, ahead
    if ahead >= reach:
        return ahead - reach
    return _NEVER if behind >= reach else _OVERLAP


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _low(part: PlacedPart, axis: cython.int) -> cython.longlong:
    """Return the lower face of a core on an axis."""
    return part.lox if axis == 0 else (part.loy if axis == 1 else part.loz)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _high(part: PlacedPart, axis: cython.int) -> cython.longlong:
    """Return the upper face of a core on an axis."""
    return part.hix if axis == 0 else (part.hiy if axis == 1 else part.hiz)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _gap_on(a: PlacedPart, b: PlacedPart, axis: cython.int) -> cython.longlong:
    """Return the gap between two cores on an axis."""
    return axis_gap(_low(a, axis), _high(a, axis), _low(b, axis), _high(b, axis))


@cython.cfunc
@cython.exceptval(check=False)
def _reach(x: cython.longlong, y: cython.longlong, radius: cython.longlong) -> cython.longlong:
    """Return the smallest whole number whose square, with those of x and y, is not below that of the radius.

    The squares of x and y are below that of the radius.
    """
    low: cython.longlong = 0
    high: cython.longlong = radius
    if radius <= _SMALL:
        middle: cython.longlong = radius * radius - x * x - y * y
        high = cython.cast(cython.longlong, sqrt(cython.cast(cython.double, middle)))
        while high * high < middle:
            high += 1
        while (high - 1) * (high - 1) >= middle:
            high -= 1
        return high
    while high - low > 1:
        middle = (low + high) >> 1
        if compare_squares(x, y, middle, radius) >= 0:
            high = middle
        else:
            low = middle
    return high


@cython.cfunc
@cython.exceptval(check=False)
def _shift(part: PlacedPart, axis: cython.int, by: cython.longlong) -> cython.void:
    """Displace a part along an axis."""
    part.shift(by if axis == 0 else 0, by if axis == 1 else 0, by if axis == 2 else 0)


@cython.cfunc
@cython.exceptval(check=False)
def _turned_way(
    a: PlacedPart, b: PlacedPart, axis: cython.int, sign: cython.int, limit: cython.longlong
) -> cython.longlong:
    """Return the same for parts of which one is turned."""
    way: cython.longlong = 0
    at: cython.longlong = 0
    apart: cython.double = turned_separation(a, b)
    if apart < 0.0:
        if bounds_overlap_on(a, b, axis):
            return _OVERLAP
        # They touch, and seem to overlap because of rounding errors.
        step: cython.longlong = _low(b, axis) + _high(b, axis) - _low(a, axis) - _high(a, axis)
        return 0 if (step > 0) == (sign > 0) else _NEVER
    step = max(1, cython.cast(cython.longlong, apart))
    while way < limit:
        at = min(way + step, limit)
        step = at - way
        _shift(a, axis, sign * step)
        now: cython.double = turned_separation(a, b)
        if now < 0.0:
            break
        way = at
        if now >= apart:  # they come no closer
            way = _NEVER
            break
        further: cython.double = now * cython.cast(cython.double, step) / (apart - now)
        apart = now
        step = limit if further >= cython.cast(cython.double, limit) else max(1, cython.cast(cython.longlong, further))
    # A secant goes too far by rounding errors alone, which may be more than a unit where parts just graze each other.
    far: cython.longlong = at
    while 0 <= way < far - 1:
        step = (way + far) >> 1
        _shift(a, axis, sign * (step - at))
        at = step
        if turned_separation(a, b) < 0.0:
            far = at
        else:
            way = at
    _shift(a, axis, -sign * at)
    return way
