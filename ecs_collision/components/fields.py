# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
# cython: embedsignature=True, embedsignature.format=clinic
"""The compiled bases of components, which kernels read and write: binding, position, velocity, and the request (L2).

A bound component belongs to a row of a world, where its writes are recorded. The position of a bound Transform is
stored in the arrays of the world, so applying a write or moving a body calls nothing here. Compiled, a write costs
about 40 ns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Never

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython
if TYPE_CHECKING or not cython.compiled:
    from ecs_collision.components.dirty_transforms import rounded
else:
    from cython.cimports.ecs_collision.components.dirty_transforms import rounded

from ecs_collision.components.checks import Vector, rotation_of, vector
from ecs_collision.components.dirty_transforms import REWRITTEN, SPED, TURNED, DirtyTransforms
from ecs_collision.components.schema import REQUIRED, refuse_call
from ecs_collision.errors import CollisionAttributeError, CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE, finite, named, shown
from ecs_collision.shapes.rotation import Rotation

Real = float
"""The type of a given coordinate. An annotation `float` would convert it to a C number before it is checked."""

_MAX_COORDINATE = cython.declare(cython.double, MAX_COORDINATE)
_LATTICE = cython.declare(cython.double, LATTICE)
_MAX_SPEED = cython.declare(cython.double, 16384.0)
_KEPT = "deleted; assign another value"
AT_REST: Vector = (0.0, 0.0, 0.0)
"""The velocity of what stands still."""
_REWRITTEN = cython.declare(cython.int, REWRITTEN)
_SPED = cython.declare(cython.int, SPED)
_TURNED = cython.declare(cython.int, TURNED)


@cython.cclass
class Bound:
    """Base of components, which can be bound to a row; `_entity` and `_dirty_transforms` are None while unbound."""

    __slots__ = ("_dirty_transforms", "_row")

    @property
    def _entity(self) -> int | None:
        """The id of the entity, None while unbound."""
        return None if self._dirty_transforms is None else self._dirty_transforms.entity_of(self._row)

    def _clear_binding(self) -> cython.void:
        """Make the component unbound."""
        self._row = -1
        self._dirty_transforms = None

    def _init_binding(self) -> None:
        """Make the component unbound, as the first step of `__init__`; raises if it belongs to an entity."""
        entity = getattr(self, "_entity", None)  # in plain Python a new component has no such attribute yet
        if entity is not None:
            name = type(self).__name__
            raise CollisionTypeError(
                f"{name}.__init__ was called on the {name} of entity {entity}; assign its fields instead, or make a "
                f"new {name} and give that to the entity"
            )
        self._clear_binding()

    def _refuse(self, name: str, remedy: str) -> None:
        """Raise an error: the attribute cannot be assigned or deleted."""
        whose = "" if self._entity is None else f" of entity {self._entity}"
        raise CollisionAttributeError(f"{type(self).__name__}.{name}{whose} cannot be {remedy}")

    def _unbind(self) -> cython.void:
        """Unbind the component and keep its values."""
        self._clear_binding()

    def _bind(self, row: cython.int, dirty_transforms: DirtyTransforms) -> cython.void:
        """Bind the component to a row of a world."""
        self._row = row
        self._dirty_transforms = dirty_transforms  # type: ignore[assignment]

    def _note_write(self) -> cython.void:
        """Record the write in the world that owns the component, if any; refused in a call of another thread."""
        self._note(_REWRITTEN)

    def _note(self, kind: cython.int) -> cython.void:
        if self._dirty_transforms is not None:
            self._dirty_transforms.access.check_thread()
            self._dirty_transforms.add(self._row, kind)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_in_range(value: cython.double) -> cython.bint:
    return -_MAX_COORDINATE <= value <= _MAX_COORDINATE


@cython.cfunc
@cython.exceptval(-1, check=True)
def _units(value: object, where: str, owner: object) -> cython.longlong:
    """Return a coordinate in units, rounded halves up; raises by the name `where` unless it is one."""
    if type(value) is float and _is_in_range(value):
        return rounded(value)
    return rounded(finite(value, where, owner=owner))


@cython.cfunc
def _is_plain_quaternion(value: object) -> cython.bint:
    """Return whether a value is a tuple of four floats in range, not all of them 0."""
    x: cython.double
    y: cython.double
    z: cython.double
    w: cython.double
    if type(value) is not tuple or len(value) != 4:  # type: ignore[arg-type]
        return False
    items: tuple = value  # type: ignore[assignment, type-arg]
    for item in items:
        if type(item) is not float:
            return False
    x, y, z, w = items
    return (
        _is_in_range(x)
        and _is_in_range(y)
        and _is_in_range(z)
        and _is_in_range(w)
        and (x != 0.0 or y != 0.0 or z != 0.0 or w != 0.0)
    )


@cython.cclass
class TransformFields(Bound):
    """A position stored in lattice units, and a rotation; the properties x, y, z and position are in world units."""

    __slots__ = ("_rotation", "_x", "_y", "_z")

    def __init__(
        self,
        x: Any = REQUIRED,
        y: Any = REQUIRED,
        z: Real = 0.0,
        rotation: Rotation = None,
        *surplus: Any,
        **unknown: Any,
    ) -> None:
        if surplus or unknown or x is REQUIRED or y is REQUIRED:
            refuse_call(type(self), {"x": x, "y": y}, surplus, unknown)
        self._init_binding()
        self._x = _units(x, "Transform.x", None)
        self._y = _units(y, "Transform.y", None)
        self._z = _units(z, "Transform.z", None)
        self._rotation = None if rotation is None else rotation_of(rotation, "Transform.rotation")

    @cython.ccall
    def _bind(self, row: cython.int, dirty_transforms: DirtyTransforms) -> cython.void:
        dirty_transforms.set_position(row, self._along(0), self._along(1), self._along(2))
        self._row = row
        self._dirty_transforms = dirty_transforms  # type: ignore[assignment]

    @cython.ccall
    def _unbind(self) -> cython.void:
        """Unbind the component and keep its position."""
        self._x, self._y, self._z = self._along(0), self._along(1), self._along(2)
        self._clear_binding()

    def _along(self, axis: cython.int) -> cython.longlong:
        """Return a coordinate in lattice units; that of a bound component is in the records of its world."""
        if self._dirty_transforms is not None:
            return self._dirty_transforms.records_view[4 * self._row + axis]
        return self._x if axis == 0 else self._y if axis == 1 else self._z

    def _write(self, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.void:
        if self._dirty_transforms is None:
            self._x, self._y, self._z = x, y, z
        else:
            self._dirty_transforms.access.check_thread()
            self._dirty_transforms.write(self._row, x, y, z)

    def units(self) -> tuple[int, int, int]:
        """Return the position in lattice units."""
        return (self._along(0), self._along(1), self._along(2))

    def _restore(self, values: tuple[int, int, int, Rotation]) -> None:
        """Set the position, in lattice units, and the rotation of an unbound component."""
        self._x, self._y, self._z, self._rotation = values

    @property
    def x(self) -> float:
        """The x coordinate."""
        return self._along(0) * _LATTICE

    @x.setter
    def x(self, value: Real) -> None:
        units: cython.longlong = _units(value, "Transform.x", self)
        self._write(units, self._along(1), self._along(2))

    @x.deleter
    def x(self) -> None:
        self._refuse("x", _KEPT)

    @property
    def y(self) -> float:
        """The y coordinate."""
        return self._along(1) * _LATTICE

    @y.setter
    def y(self, value: Real) -> None:
        units: cython.longlong = _units(value, "Transform.y", self)
        self._write(self._along(0), units, self._along(2))

    @y.deleter
    def y(self) -> None:
        self._refuse("y", _KEPT)

    @property
    def z(self) -> float:
        """The z coordinate; 0 in 2D."""
        return self._along(2) * _LATTICE

    @z.setter
    def z(self, value: Real) -> None:
        units: cython.longlong = _units(value, "Transform.z", self)
        self._write(self._along(0), self._along(1), units)

    @z.deleter
    def z(self) -> None:
        self._refuse("z", _KEPT)

    @property
    def position(self) -> Vector:
        """The position (x, y, z); may be assigned (x, y), which keeps z, or (x, y, z)."""
        return (self._along(0) * _LATTICE, self._along(1) * _LATTICE, self._along(2) * _LATTICE)

    @position.setter
    def position(self, value: Iterable[float]) -> None:
        # Fast path for a tuple of floats in range; everything else is checked with error messages.
        x: cython.double
        y: cython.double
        z: cython.double
        if type(value) is tuple:
            items: tuple = value  # type: ignore[type-arg]
            count: cython.Py_ssize_t = len(items)
            if 2 <= count <= 3 and type(items[0]) is float and type(items[1]) is float:
                x, y = items[0], items[1]
                if _is_in_range(x) and _is_in_range(y):
                    if count == 2:
                        self._write(rounded(x), rounded(y), self._along(2))
                        return
                    if type(items[2]) is float:
                        z = items[2]
                        if _is_in_range(z):
                            self._write(rounded(x), rounded(y), rounded(z))
                            return
        x, y, z = vector(value, "Transform.position", self.z, owner=self)
        self._write(rounded(x), rounded(y), rounded(z))

    @position.deleter
    def position(self) -> None:
        self._refuse("position", _KEPT)

    @property
    def rotation(self) -> Rotation:
        """The rotation of spheres, capsules and oriented boxes: an angle about z in radians, a quaternion or None."""
        return self._rotation

    @rotation.setter
    def rotation(self, value: Rotation) -> None:
        # Fast path for floats in range; everything else is checked with error messages.
        if not (type(value) is float and _is_in_range(value)) and not _is_plain_quaternion(value):
            value = rotation_of(value, "Transform.rotation", owner=self)
        self._note(_TURNED)
        self._rotation = value

    @rotation.deleter
    def rotation(self) -> None:
        self._refuse("rotation", _KEPT)

    @property
    def angle(self) -> float:
        """The rotation as an angle about z in radians, 0.0 without one; raises if it is a quaternion."""
        if isinstance(self._rotation, tuple):
            raise CollisionAttributeError(
                f"Transform.rotation is a quaternion, {self._rotation}, which need not be an angle about z; "
                "read rotation instead"
            )
        return 0.0 if self._rotation is None else self._rotation

    @angle.setter
    def angle(self, value: Real) -> None:
        self.rotation = finite(value, "Transform.angle", owner=self)

    @angle.deleter
    def angle(self) -> None:
        self._refuse("angle", _KEPT)


@cython.cclass
class ColliderFields(Bound):
    """The compiled base of colliders; `_formed` is what their parts make of a rotation."""

    __slots__ = ("_enabled", "_formed", "_layer", "_mask")


@cython.cclass
class InertiaFields(Bound):
    """The compiled base of Inertia."""

    __slots__ = ("_x", "_y", "_z")


@cython.cclass
class VelocityFields(Bound):
    """The compiled base of Velocity: a velocity in units per second, an angular one in radians per second.

    `_left_...` is the remainder of the position of a dynamic body per axis, in lattice units. `_has_vector` says
    whether the angular velocity was given as a vector. `_slow` is for how many seconds the body has been slow, -1 if it
    is asleep (I7); a write sets it to 0.
    """

    __slots__ = (
        *("_x", "_y", "_z", "_turning_x", "_turning_y", "_turning_z", "_has_vector"),
        *("_left_x", "_left_y", "_left_z", "_slow"),
    )

    def _init_binding(self) -> None:
        Bound._init_binding(self)
        self._drop_remainders()

    def _note_write(self) -> cython.void:
        """Record the write; a velocity is written often, and nothing else depends on it."""
        self._note(_SPED)
        self._slow = 0.0

    def _note_change(self) -> None:
        """Record the write of another field than a velocity."""
        self._note(_REWRITTEN)
        self._slow = 0.0

    def _drop_remainders(self) -> cython.void:
        """Set all remainders to 0, and for how long the body has been slow."""
        self._left_x = self._left_y = self._left_z = self._slow = 0.0

    @property
    def _angular(self) -> float | tuple[float, float, float]:
        """The angular velocity: a number about z, or a vector if one was given or the body turns about x or y."""
        if self._has_vector or self._turning_x != 0.0 or self._turning_y != 0.0:
            return (self._turning_x, self._turning_y, self._turning_z)
        return self._turning_z

    @_angular.setter
    def _angular(self, value: Any) -> None:
        if type(value) is float:
            self._has_vector = False
            self._turning_x, self._turning_y, self._turning_z = 0.0, 0.0, value
        else:
            x, y, z = value
            self._has_vector = True
            self._turning_x, self._turning_y, self._turning_z = x, y, z

    def _motion_state(self) -> tuple[bool, tuple[float, ...]]:
        """Return whether the angular velocity was given as a vector, and the velocities, the remainders and `_slow`."""
        return bool(self._has_vector), (*self._numbers(), *self._remainders(), self._slow)

    def _set_motion_state(self, state: tuple[bool, tuple[float, ...]]) -> None:
        """Set what `_motion_state` returns, without recording a write."""
        has_vector, numbers = state
        x, y, z, turning_x, turning_y, turning_z, left_x, left_y, left_z, slow = numbers
        self._has_vector = has_vector
        self._set_numbers((x, y, z, turning_x, turning_y, turning_z))
        self._set_remainders((left_x, left_y, left_z))
        self._slow = slow

    def _speed_along(self, axis: cython.int) -> cython.double:
        """Return the velocity along an axis."""
        return self._x if axis == 0 else self._y if axis == 1 else self._z

    def _remainder_along(self, axis: cython.int) -> cython.double:
        """Return the remainder of the position along an axis, in lattice units."""
        return self._left_x if axis == 0 else self._left_y if axis == 1 else self._left_z

    def _set_speed(self, axis: cython.int, speed: cython.double, remainder: cython.double) -> cython.void:
        """Set both, without recording a write. The speed is limited."""
        speed = max(-_MAX_SPEED, min(_MAX_SPEED, speed))
        if axis == 0:
            self._x, self._left_x = speed, remainder
        elif axis == 1:
            self._y, self._left_y = speed, remainder
        else:
            self._z, self._left_z = speed, remainder

    def _copy_speed(self, other: VelocityFields) -> cython.void:
        """Take over the velocity along the axes and its remainders, without recording a write."""
        self._x, self._y, self._z = other._x, other._y, other._z
        self._left_x, self._left_y, self._left_z = other._left_x, other._left_y, other._left_z

    def _stop(self, axis: int) -> None:
        """Lose the velocity and the remainder along an axis."""
        self._set_speed(axis, 0.0, 0.0)

    def _remainders(self) -> tuple[float, float, float]:
        """Return the remainders of the position in lattice units."""
        return (self._left_x, self._left_y, self._left_z)

    def _set_remainders(self, remainders: tuple[float, float, float]) -> None:
        """Set what `_remainders` returns."""
        # Unpacked instead of indexed: compiled code would read past the end of a short tuple.
        left_x, left_y, left_z = remainders
        self._left_x, self._left_y, self._left_z = left_x, left_y, left_z

    def _numbers(self) -> tuple[float, float, float, float, float, float]:
        """Return the velocity and the angular velocity, both as vectors."""
        return (self._x, self._y, self._z, self._turning_x, self._turning_y, self._turning_z)

    def _set_numbers(self, numbers: tuple[float, float, float, float, float, float]) -> None:
        """Set what `_numbers` returns, without recording a write."""
        x, y, z, turning_x, turning_y, turning_z = numbers
        self._x, self._y, self._z = x, y, z
        self._turning_x, self._turning_y, self._turning_z = turning_x, turning_y, turning_z


@cython.cclass
class MotionFields(Bound):
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


@cython.cclass
class CharacterFields(Bound):
    """The compiled base of Character: its options, and what the steps of movement found (M3).

    `_landed_at` and `_left_at` are numbers of steps of movement, -1 for never; `_jumped` says that it left by a jump.
    `_asked_at` is the number of the step before which a jump with `_speed` was asked for, -1 if none is wanted.
    `_floor` is -1 in the air, `_wall` without a wall. `_kept` is the velocity that the floor gives it if it leaves, and
    in the air what it got so.
    """

    __slots__ = (
        *("_up", "_max_slope", "_step_height", "_snap", "_coyote", "_jump_buffer"),
        *("_on_floor", "_on_wall", "_on_ceiling", "_floor", "_normal", "_floor_velocity"),
        *("_landed_at", "_left_at", "_asked_at", "_speed", "_drops", "_jumped"),
        *("_wall", "_wall_normal", "_kept"),
    )

    def _init_binding(self) -> None:
        Bound._init_binding(self)
        self._up: Any = None
        self._snap: float | None = None
        self._max_slope = self._step_height = 0.0
        self._coyote = self._jump_buffer = 0
        self._clear_memory()

    def _clear_memory(self) -> cython.void:
        """Forget what steps found: the body is in the air."""
        self._on_floor = self._on_wall = self._on_ceiling = self._drops = self._jumped = False
        self._floor = self._wall = self._landed_at = self._left_at = self._asked_at = -1
        self._normal: Vector | None = None
        self._floor_velocity: Vector | None = None
        self._wall_normal: Vector | None = None
        self._kept: Any = AT_REST
        self._speed = 0.0

    def _step_number(self) -> cython.longlong:
        """Return the number of the last step of movement; 0 while unbound."""
        return 0 if self._dirty_transforms is None else self._dirty_transforms.step_number

    def jump(self, speed: Real) -> None:
        """Jump with a speed in units per second: in the next step, or when a floor is there (`jump_buffer`).

        It works on a floor, and for `coyote` frames after the floor has gone.
        """
        checked = finite(speed, "speed of jump", owner=self, minimum=0.0)
        self._note(_SPED)
        self._speed = checked
        self._asked_at = self._step_number() + 1

    def drop(self) -> None:
        """Drop through the one-way bodies on which it stands, in the next step (M5)."""
        self._note(_SPED)
        self._drops = True

    @property
    def on_floor(self) -> bool:
        """Whether it stood on a floor at the end of the last step."""
        return self._on_floor

    @property
    def on_wall(self) -> bool:
        """Whether a wall stopped it in the last step."""
        return self._on_wall

    @property
    def on_ceiling(self) -> bool:
        """Whether a ceiling stopped it in the last step."""
        return self._on_ceiling

    @property
    def floor(self) -> int | None:
        """The entity on which it stands; None in the air and on the bounds of the world."""
        return None if self._floor < 0 else self._floor

    @property
    def floor_normal(self) -> Vector | None:
        """The normal of the floor, from the floor to the body, of length 1; None in the air."""
        return self._normal

    @property
    def floor_velocity(self) -> Vector | None:
        """The velocity of the surface on which it stands, in units per second; None in the air."""
        return self._floor_velocity

    @property
    def wall(self) -> int | None:
        """The entity of the wall that stopped it in the last step; None without one and at the bounds of the world."""
        return None if self._wall < 0 else self._wall

    @property
    def wall_normal(self) -> Vector | None:
        """The normal of the wall that stopped it in the last step, from the wall to the body, of length 1, or None."""
        return self._wall_normal

    @property
    def kept_velocity(self) -> Vector:
        """What its velocity got, in units per second, from the floor that it left; 0 on a floor."""
        return AT_REST if self._on_floor else self._kept  # type: ignore[no-any-return]

    @property
    def just_landed(self) -> bool:
        """Whether it came to a floor in the last step."""
        return bool(self._on_floor and self._landed_at == self._step_number())

    @property
    def just_left(self) -> bool:
        """Whether it left its floor in the last step."""
        return bool(not self._on_floor and self._left_at >= 0 and self._left_at == self._step_number())

    @property
    def frames_since_landed(self) -> int | None:
        """For how many steps it has stood on a floor: 0 in that in which it landed; None in the air."""
        return self._step_number() - self._landed_at if self._on_floor else None

    @property
    def frames_since_left(self) -> int | None:
        """For how many steps it has been in the air: 0 in that in which it left; None if it did not leave a floor."""
        return None if self._on_floor or self._left_at < 0 else self._step_number() - self._left_at

    def _copy_memory(self, other: CharacterFields) -> cython.void:
        """Take over what `_memory` returns."""
        self._on_floor, self._on_wall, self._on_ceiling = other._on_floor, other._on_wall, other._on_ceiling
        self._drops, self._jumped, self._floor = other._drops, other._jumped, other._floor
        self._landed_at, self._left_at, self._asked_at = other._landed_at, other._left_at, other._asked_at
        self._normal, self._floor_velocity, self._speed = other._normal, other._floor_velocity, other._speed
        self._wall, self._wall_normal, self._kept = other._wall, other._wall_normal, other._kept

    def _memory(self) -> tuple[Any, ...]:
        """Return what steps found, and the jump that is wanted."""
        return (
            *(bool(self._on_floor), bool(self._on_wall), bool(self._on_ceiling)),
            *(bool(self._drops), bool(self._jumped)),
            *(self._floor, self._landed_at, self._left_at, self._asked_at),
            *(self._normal, self._floor_velocity, self._speed, self._wall, self._wall_normal, self._kept),
        )

    def _set_memory(self, memory: tuple[Any, ...]) -> None:
        """Set what `_memory` returns."""
        on_floor, on_wall, on_ceiling, drops, jumped, floor, landed_at, left_at, asked_at, *rest = memory
        normal, velocity, speed, self._wall, self._wall_normal, self._kept = rest
        self._on_floor, self._on_wall, self._on_ceiling = on_floor, on_wall, on_ceiling
        self._drops, self._jumped = drops, jumped
        self._floor, self._landed_at, self._left_at, self._asked_at = floor, landed_at, left_at, asked_at
        self._normal, self._floor_velocity, self._speed = normal, velocity, speed
