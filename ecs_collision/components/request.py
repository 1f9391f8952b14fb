# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The request of a Motion: the displacement for the next frame, and the remainder of rounding (rule L2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Never

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython
if TYPE_CHECKING or not cython.compiled:
    from ecs_collision.components.bound import Bound
    from ecs_collision.components.dirty_transforms import rounded
else:
    from cython.cimports.ecs_collision.components.bound import Bound
    from cython.cimports.ecs_collision.components.dirty_transforms import rounded

from ecs_collision.components.transform_fields import Real
from ecs_collision.errors import CollisionValueError
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE, finite, named, shown

_MAX_COORDINATE = cython.declare(cython.double, MAX_COORDINATE)
_LATTICE = cython.declare(cython.double, LATTICE)


@cython.cclass
class Request(Bound):
    """The compiled base of Motion: the requested displacement, summed over the calls of a frame, and its options.

    `_left_...` is the remainder of rounding per axis, `_sign_...` its direction. `_requests` is the set of rows that
    have a request, None while unbound. `_was_...` is the request before it was last taken, for `_rollback`.
    """

    __slots__ = (
        *("_dx", "_dy", "_dz", "_left_x", "_left_y", "_left_z", "_sign_x", "_sign_y", "_sign_z", "_requests"),
        *("_all_or_nothing", "_force", "_max_chain", "_priority", "_rule"),
        *("_was_dx", "_was_dy", "_was_dz", "_was_x", "_was_y", "_was_z"),
        *("_was_sign_x", "_was_sign_y", "_was_sign_z", "_taken"),
    )

    @cython.ccall
    def _init_request(self) -> cython.void:
        """Make the component unbound and its request empty."""
        self._clear_binding()
        self._requests: Any = None
        self._dx = self._dy = self._dz = 0.0
        self._left_x = self._left_y = self._left_z = 0.0
        self._sign_x = self._sign_y = self._sign_z = 0
        self._taken = -1
        self._was_dx = self._was_dy = self._was_dz = 0.0
        self._was_x = self._was_y = self._was_z = 0.0
        self._was_sign_x = self._was_sign_y = self._was_sign_z = 0
        self._force, self._priority = 0.0, 0
        self._rule: str | None = None
        self._max_chain: int | None = None
        self._all_or_nothing: bool | None = None

    @cython.ccall
    def _unbind(self) -> cython.void:
        """Unbind the component and keep its values."""
        self._clear_binding()
        self._requests = None

    def move(self, dx: Real = 0.0, dy: Real = 0.0, dz: Real = 0.0) -> None:
        """Add a displacement in world units to the request for the next frame."""
        x: cython.double = self._dx + self._checked(dx, "Motion.dx")
        y: cython.double = self._dy + self._checked(dy, "Motion.dy")
        z: cython.double = self._dz + self._checked(dz, "Motion.dz")
        if not (
            -_MAX_COORDINATE <= x <= _MAX_COORDINATE
            and -_MAX_COORDINATE <= y <= _MAX_COORDINATE
            and -_MAX_COORDINATE <= z <= _MAX_COORDINATE
        ):
            for value, name in ((x, "Motion.dx"), (y, "Motion.dy"), (z, "Motion.dz")):
                finite(value, name, owner=self)
        if self._requests is not None and self._dirty_transforms is not None:
            self._dirty_transforms.access.check_thread()
            self._requests.add(self._row)
        self._dx, self._dy, self._dz = x, y, z

    def _add_clamped(self, dx: Real, dy: Real, dz: Real) -> None:
        """Add the rest of an interrupted frame. It is clamped to the valid range instead of refused."""
        if self._requests is not None:
            self._requests.add(self._row)
        self._dx = min(max(self._dx + dx, -_MAX_COORDINATE), _MAX_COORDINATE)
        self._dy = min(max(self._dy + dy, -_MAX_COORDINATE), _MAX_COORDINATE)
        self._dz = min(max(self._dz + dz, -_MAX_COORDINATE), _MAX_COORDINATE)

    @cython.cfunc
    @cython.exceptval(-1.0, check=True)
    def _checked(self, value: object, where: object) -> cython.double:
        """Return a valid number; the common case, a float in range, needs no call."""
        if type(value) is float and -_MAX_COORDINATE <= value <= _MAX_COORDINATE:
            return value  # type: ignore[no-any-return]
        return finite(value, where, owner=self)  # type: ignore[arg-type]

    @property
    def dx(self) -> float:
        """The current request along x."""
        return self._dx

    @dx.setter
    def dx(self, value: Never) -> None:
        self._refuse("dx", "assigned: it is the current request; add to it with motion.move(dx=...)")

    @dx.deleter
    def dx(self) -> None:
        self._refuse("dx", "deleted: it is the current request; cancel it with motion.move(dx=-...)")

    @property
    def dy(self) -> float:
        """The current request along y."""
        return self._dy

    @dy.setter
    def dy(self, value: Never) -> None:
        self._refuse("dy", "assigned: it is the current request; add to it with motion.move(dy=...)")

    @dy.deleter
    def dy(self) -> None:
        self._refuse("dy", "deleted: it is the current request; cancel it with motion.move(dy=-...)")

    @property
    def dz(self) -> float:
        """The current request along z."""
        return self._dz

    @dz.setter
    def dz(self, value: Never) -> None:
        self._refuse("dz", "assigned: it is the current request; add to it with motion.move(dz=...)")

    @dz.deleter
    def dz(self) -> None:
        self._refuse("dz", "deleted: it is the current request; cancel it with motion.move(dz=-...)")

    def _has_request(self) -> bool:
        """Return whether the request is not zero."""
        return self._dx != 0.0 or self._dy != 0.0 or self._dz != 0.0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _take(self, displacement: cython.longlong[::1], frame: cython.longlong) -> cython.bint:
        """Move the request to `displacement` in units, plus the remainder of the last one; False if it is zero.

        The remainder of rounding is kept for the next request. An axis without a request keeps its remainder; a
        remainder of the other sign is dropped (L2).
        """
        sign: cython.int
        x: cython.double = self._dx
        y: cython.double = self._dy
        z: cython.double = self._dz
        if x == 0.0 and y == 0.0 and z == 0.0:
            return False
        self._was_dx, self._was_dy, self._was_dz = x, y, z
        self._was_x, self._was_y, self._was_z = self._left_x, self._left_y, self._left_z
        self._was_sign_x, self._was_sign_y, self._was_sign_z = self._sign_x, self._sign_y, self._sign_z
        # All at once, before anything can fail: `_rollback` adds the taken request to the current one.
        self._taken, self._dx, self._dy, self._dz = frame, 0.0, 0.0, 0.0
        displacement[0] = displacement[1] = displacement[2] = 0
        if x != 0.0:
            sign = 1 if x > 0.0 else -1
            x += self._left_x if sign == self._sign_x else 0.0
            displacement[0] = rounded(x)
            self._left_x, self._sign_x = x - displacement[0] * _LATTICE, sign
        if y != 0.0:
            sign = 1 if y > 0.0 else -1
            y += self._left_y if sign == self._sign_y else 0.0
            displacement[1] = rounded(y)
            self._left_y, self._sign_y = y - displacement[1] * _LATTICE, sign
        if z != 0.0:
            sign = 1 if z > 0.0 else -1
            z += self._left_z if sign == self._sign_z else 0.0
            displacement[2] = rounded(z)
            self._left_z, self._sign_z = z - displacement[2] * _LATTICE, sign
        return True

    def _discard_undo(self) -> None:
        """Discard the saved request: the frame has used it, so `_rollback` must not restore it."""
        self._taken = -1

    def _rollback(self, frame: cython.longlong) -> None:
        """Restore the request if this frame took it and did not use it."""
        if self._taken == frame:
            self._taken = -1
            self._left_x, self._left_y, self._left_z = self._was_x, self._was_y, self._was_z
            self._sign_x, self._sign_y, self._sign_z = self._was_sign_x, self._was_sign_y, self._was_sign_z
            self._add_clamped(self._was_dx, self._was_dy, self._was_dz)

    def _drop_remainder(self, axis: cython.int) -> None:
        """Drop the remainder of rounding on a blocked axis (L2)."""
        if axis == 0:
            self._left_x = 0.0
        elif axis == 1:
            self._left_y = 0.0
        else:
            self._left_z = 0.0

    def remainder(self) -> tuple[float, float, float]:
        """Return the remainder of rounding per axis, in world units."""
        return (self._left_x, self._left_y, self._left_z)

    def _request_state(self) -> tuple[Any, ...]:
        """Return the request, the remainders and their signs."""
        return (
            *(self._dx, self._dy, self._dz),
            *(self._left_x, self._left_y, self._left_z),
            *(self._sign_x, self._sign_y, self._sign_z),
        )

    def _set_request_state(self, state: tuple[Any, ...]) -> None:
        """Restore the result of `_request_state`; raises CollisionValueError and changes nothing if it is invalid."""
        # Unpacked instead of indexed: compiled code would read past the end of a short tuple.
        dx, dy, dz, left_x, left_y, left_z, *signs = state
        sign_x, sign_y, sign_z = signs
        x: cython.double = self._checked(dx, "Motion.dx")
        y: cython.double = self._checked(dy, "Motion.dy")
        z: cython.double = self._checked(dz, "Motion.dz")
        left = (left_x, left_y, left_z)
        if any(not -_LATTICE <= by <= _LATTICE for by in left) or any(by not in (-1, 0, 1) for by in signs):
            raise CollisionValueError(
                f"{named('Motion', self)} has {shown((*left, *signs))} left over from rounding; give remainders of at "
                "most a lattice step, and their signs, as request_state() returns them"
            )
        self._dx, self._dy, self._dz = x, y, z
        self._left_x, self._left_y, self._left_z = left_x, left_y, left_z
        self._sign_x, self._sign_y, self._sign_z = sign_x, sign_y, sign_z
