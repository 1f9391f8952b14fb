# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Rotations as matrices, with the same bits on every machine (rule H3).

Sine and cosine of C libraries differ in the last bit from one machine to the next. Here an angle is reduced by pi / 2
exactly, and the rest is a polynomial of additions and products.
"""

from __future__ import annotations

from array import array
from math import nan

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import ceil, floor
else:
    from math import ceil, floor

from ecs_collision.shapes.part import Matrix

Rotation = float | tuple[float, float, float, float] | None
"""An angle about z in radians (positive turns x towards y), a quaternion (x, y, z, w), or no rotation."""

SNAP = 2.0**-46
"""Entries of a matrix this close to 0, 1 or -1 are these numbers, so quarter turns are exact."""

_BITS = 160
_HALF_PI = 0x1921FB54442D18469898CC51701B839A252049C11
"""pi / 2 in units of 2**-160. Angles have at most 36 bits before the point, so 120 bits of the rest are right."""

# C constants of this module: compiled code would look others up as Python objects.
_SNAP = cython.declare(cython.double, SNAP)
_NAN = cython.declare(cython.double, nan)
_OUTWARD = cython.declare(cython.double, 1.0 + 2.0**-46)
"""More than all rounding errors of a matrix and its product with a vector."""
_PER_HALF_PI = cython.declare(cython.double, 0.6366197723675814)
_HIGH = cython.declare(cython.double, (_HALF_PI >> 128) / 2**32)
_MIDDLE = cython.declare(cython.double, (_HALF_PI >> 95) % 2**33 / 2**65)
_LOW = cython.declare(cython.double, _HALF_PI % 2**95 / 2**160)
"""pi / 2 in three numbers. The first two have 33 bits, so their products with a number of 20 bits are exact."""
_MANY = cython.declare(cython.double, 2.0**20)
_EIGHTH = cython.declare(cython.double, 0.785398163397448)
"""A little less than pi / 4."""
_ERROR = cython.declare(cython.double, 2.0**-90)
"""More than the error of a rest before it is rounded, which is below 2**-95."""
_EXACT = cython.declare(cython.double, 2.0**-100)
"""Larger numbers are multiples of 2**-160."""

# Coefficients of the squares, without the first term of the sine and the first two of the cosine. Up to pi / 4 the next
# term is less than 2**-62.
_S3 = cython.declare(cython.double, -1 / 6)
_S5 = cython.declare(cython.double, 1 / 120)
_S7 = cython.declare(cython.double, -1 / 5040)
_S9 = cython.declare(cython.double, 1 / 362880)
_S11 = cython.declare(cython.double, -1 / 39916800)
_S13 = cython.declare(cython.double, 1 / 6227020800)
_S15 = cython.declare(cython.double, -1 / 1307674368000)
_S17 = cython.declare(cython.double, 1 / 355687428096000)
_C4 = cython.declare(cython.double, 1 / 24)
_C6 = cython.declare(cython.double, -1 / 720)
_C8 = cython.declare(cython.double, 1 / 40320)
_C10 = cython.declare(cython.double, -1 / 3628800)
_C12 = cython.declare(cython.double, 1 / 479001600)
_C14 = cython.declare(cython.double, -1 / 87178291200)
_C16 = cython.declare(cython.double, 1 / 20922789888000)
_C18 = cython.declare(cython.double, -1 / 6402373705728000)


def sine_cosine(angle: cython.double):  # type: ignore[no-untyped-def]
    """Return sine and cosine of an angle of at most 2**36, to about one unit in the last place."""
    quarters: cython.double = floor(angle * _PER_HALF_PI + 0.5)
    rest: cython.double = rest_of(angle, quarters)
    quarter: cython.int = 0
    if rest != rest:
        quarter, rest = _exact_rest(angle)
    else:
        quarter = cython.cast(cython.int, quarters) & 3
    square: cython.double = rest * rest
    high: cython.double = (
        (((((_S17 * square + _S15) * square + _S13) * square + _S11) * square + _S9) * square + _S7) * square + _S5
    ) * square + _S3
    even: cython.double = (
        (((((_C18 * square + _C16) * square + _C14) * square + _C12) * square + _C10) * square + _C8) * square + _C6
    ) * square + _C4
    sine: cython.double = rest + rest * square * high
    cosine: cython.double = 1.0 - (0.5 * square - square * square * even)
    if quarter == 0:
        return (sine, cosine)
    if quarter == 1:
        return (cosine, -sine)
    return (-sine, -cosine) if quarter == 2 else (-cosine, sine)


def rest_of(angle: cython.double, quarters: cython.double) -> cython.double:
    """Return what is left of an angle after so many quarter turns, correctly rounded; NaN if that takes more digits."""
    if quarters == 0.0 and (abs(angle) > _EXACT or angle == 0.0) and abs(angle) < _EIGHTH:
        return angle + 0.0  # not -0.0
    if abs(quarters) > _MANY:
        return _NAN
    # The sums of two numbers below are exact, with what rounding has lost of them.
    first: cython.double = angle - quarters * _HIGH
    second: cython.double = quarters * _MIDDLE
    near: cython.double = first - second
    part: cython.double = near - first
    third: cython.double = ((first - (near - part)) - (second + part)) - quarters * _LOW
    rest: cython.double = near + third
    part = rest - near
    lost: cython.double = (near - (rest - part)) + (third - part)
    if abs(rest) < _EIGHTH and rest + (lost - _ERROR) == rest and rest + (lost + _ERROR) == rest:
        return rest
    return _NAN


def _exact_rest(angle: float) -> tuple[int, float]:
    """Return the number of quarter turns, modulo 4, and what is left of an angle, in whole numbers."""
    numerator, denominator = angle.as_integer_ratio()
    scaled = (numerator << _BITS) // denominator
    quarter = (2 * scaled + _HALF_PI) // (2 * _HALF_PI)
    return quarter % 4, (scaled - quarter * _HALF_PI) / (1 << _BITS)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _snapped(entry: cython.double) -> cython.double:
    whole: cython.double = cython.cast(cython.double, floor(entry + 0.5))
    return whole if abs(entry - whole) <= _SNAP else entry


@cython.final
@cython.cclass
class Turn:
    """A rotation as a matrix with the rows `m0` to `m2`, `m3` to `m5` and `m6` to `m8`.

    `is_none` if nothing is turned; the entries then have no meaning.
    """

    def __init__(self) -> None:
        self.is_none = True

    def set_rotation(self, rotation: Rotation) -> cython.void:
        """Become a rotation. A quaternion may have any length except 0."""
        if rotation is None:
            self.is_none = True
        elif isinstance(rotation, tuple):
            x, y, z, w = rotation
            self.set_quaternion(x, y, z, w)
        else:
            sine: cython.double
            cosine: cython.double
            sine, cosine = sine_cosine(rotation)
            self.m0, self.m1, self.m2 = cosine, -sine, 0.0
            self.m3, self.m4, self.m5 = sine, cosine, 0.0
            self.m6, self.m7, self.m8 = 0.0, 0.0, 1.0
            self.snap()

    def set_quaternion(self, x: cython.double, y: cython.double, z: cython.double, w: cython.double) -> cython.void:
        """Become a rotation. Divided by the largest first: squares neither overflow nor vanish, without a root."""
        largest: cython.double = max(abs(x), abs(y), abs(z), abs(w))
        x, y, z, w = x / largest, y / largest, z / largest, w / largest
        twice: cython.double = 2.0 / (x * x + y * y + z * z + w * w)
        self.m0, self.m1, self.m2 = 1.0 - twice * (y * y + z * z), twice * (x * y - z * w), twice * (x * z + y * w)
        self.m3, self.m4, self.m5 = twice * (x * y + z * w), 1.0 - twice * (x * x + z * z), twice * (y * z - x * w)
        self.m6, self.m7, self.m8 = twice * (x * z - y * w), twice * (y * z + x * w), 1.0 - twice * (x * x + y * y)
        self.snap()

    def combine(self, outer: Turn, inner: cython.double[::1], at: cython.Py_ssize_t) -> cython.void:
        """Become the rotation by the matrix that begins at an item of `inner`, then by another one."""
        a: cython.double = inner[at]
        b: cython.double = inner[at + 1]
        c: cython.double = inner[at + 2]
        d: cython.double = inner[at + 3]
        e: cython.double = inner[at + 4]
        f: cython.double = inner[at + 5]
        g: cython.double = inner[at + 6]
        h: cython.double = inner[at + 7]
        i: cython.double = inner[at + 8]
        if outer.is_none:
            self.m0, self.m1, self.m2, self.m3, self.m4, self.m5, self.m6, self.m7, self.m8 = a, b, c, d, e, f, g, h, i
            self.is_none = False
            return
        self.m0 = outer.m0 * a + outer.m1 * d + outer.m2 * g
        self.m1 = outer.m0 * b + outer.m1 * e + outer.m2 * h
        self.m2 = outer.m0 * c + outer.m1 * f + outer.m2 * i
        self.m3 = outer.m3 * a + outer.m4 * d + outer.m5 * g
        self.m4 = outer.m3 * b + outer.m4 * e + outer.m5 * h
        self.m5 = outer.m3 * c + outer.m4 * f + outer.m5 * i
        self.m6 = outer.m6 * a + outer.m7 * d + outer.m8 * g
        self.m7 = outer.m6 * b + outer.m7 * e + outer.m8 * h
        self.m8 = outer.m6 * c + outer.m7 * f + outer.m8 * i
        self.snap()

    def snap(self) -> cython.void:
        """Round the entries that are nearly 0, 1 or -1, and see whether anything is turned."""
        self.m0, self.m1, self.m2 = _snapped(self.m0), _snapped(self.m1), _snapped(self.m2)
        self.m3, self.m4, self.m5 = _snapped(self.m3), _snapped(self.m4), _snapped(self.m5)
        self.m6, self.m7, self.m8 = _snapped(self.m6), _snapped(self.m7), _snapped(self.m8)
        self.is_none = (
            self.m0 == 1.0 and self.m4 == 1.0 and self.m8 == 1.0
            and self.m1 == 0.0 and self.m2 == 0.0 and self.m3 == 0.0
            and self.m5 == 0.0 and self.m6 == 0.0 and self.m7 == 0.0
        )  # fmt: skip

    def is_axis_parallel(self) -> cython.bint:
        """Return whether the rotation exchanges or reverses axes and nothing else."""
        return (
            _is_whole(self.m0) and _is_whole(self.m1) and _is_whole(self.m2)
            and _is_whole(self.m3) and _is_whole(self.m4) and _is_whole(self.m5)
            and _is_whole(self.m6) and _is_whole(self.m7) and _is_whole(self.m8)
        )  # fmt: skip

    def outer_half(self, axis: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.longlong:
        """Return half the extent on an axis of a turned box with these half extents.

        It is exact where axes are exchanged, otherwise rounded up.
        """
        a: cython.double = abs(self.m0 if axis == 0 else (self.m3 if axis == 1 else self.m6))
        b: cython.double = abs(self.m1 if axis == 0 else (self.m4 if axis == 1 else self.m7))
        c: cython.double = abs(self.m2 if axis == 0 else (self.m5 if axis == 1 else self.m8))
        size: cython.double = a * x + b * y + c * z
        if a + b + c == 1.0 and (a == 1.0 or b == 1.0 or c == 1.0):
            return cython.cast(cython.longlong, size)
        return cython.cast(cython.longlong, ceil(size * _OUTWARD))

    def matrix(self) -> Matrix | None:
        """Return the entries row by row, None if nothing is turned."""
        if self.is_none:
            return None
        return (self.m0, self.m1, self.m2, self.m3, self.m4, self.m5, self.m6, self.m7, self.m8)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_whole(entry: cython.double) -> cython.bint:
    return entry == 0.0 or entry == 1.0 or entry == -1.0


def angle_of(x: float, y: float) -> float:
    """Return the angle about z of a direction of length 1 with x >= 0, from -pi / 2 to pi / 2."""
    angle = 0.0
    for _ in range(6):  # each step leaves a sixth of the cube of the error
        sine, cosine = sine_cosine(angle)
        angle += y * cosine - x * sine
    return angle


def matrix_of(rotation: Rotation) -> Matrix | None:
    """Return the matrix of a rotation, None if nothing is turned. A quaternion may have any length except 0."""
    turn: Turn = Turn()
    turn.set_rotation(rotation)
    return turn.matrix()


def combined(outer: Matrix | None, inner: Matrix | None) -> Matrix | None:
    """Return the rotation by `inner`, then by `outer`; None if nothing is turned."""
    turn: Turn = Turn()
    if outer is None or inner is None:
        return inner if outer is None else outer
    turn.combine(turn_of(outer), array("d", inner), 0)
    return turn.matrix()


def turn_of(matrix: Matrix | None) -> Turn:
    """Return the rotation of a matrix."""
    turn: Turn = Turn()
    if matrix is not None:
        turn.combine(turn, array("d", matrix), 0)
    return turn


def turned(matrix: Matrix, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the product of a matrix and a vector."""
    return (
        matrix[0] * x + matrix[1] * y + matrix[2] * z,
        matrix[3] * x + matrix[4] * y + matrix[5] * z,
        matrix[6] * x + matrix[7] * y + matrix[8] * z,
    )
