# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
# cython: embedsignature=True, embedsignature.format=clinic
"""The fields of a Transform: properties for a position in lattice units, and the rotation.

While it belongs to a body its position is stored in the arrays of the world, where kernels read and write it. So
applying a write or moving a body calls nothing here. Compiled, a write costs about 40 ns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython
if TYPE_CHECKING or not cython.compiled:
    from ecs_collision.components.bound import Bound
    from ecs_collision.components.dirty_transforms import DirtyTransforms, rounded
else:
    from cython.cimports.ecs_collision.components.bound import Bound
    from cython.cimports.ecs_collision.components.dirty_transforms import DirtyTransforms, rounded

from ecs_collision.components.base import Vector, rotation_of, vector
from ecs_collision.components.dirty_transforms import PLACED
from ecs_collision.components.schema import REQUIRED, refuse_call
from ecs_collision.errors import CollisionAttributeError
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE, finite
from ecs_collision.shapes.rotation import Rotation

Real = float
"""The type of a given coordinate. An annotation `float` would convert it to a C number before it is checked."""

_MAX_COORDINATE = cython.declare(cython.double, MAX_COORDINATE)
_LATTICE = cython.declare(cython.double, LATTICE)
_KEPT = "deleted; assign another value"
_PLACED = cython.declare(cython.int, PLACED)


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
        self._x = rounded(finite(x, "Transform.x"))
        self._y = rounded(finite(y, "Transform.y"))
        self._z = rounded(finite(z, "Transform.z"))
        self._rotation = None if rotation is None else rotation_of(rotation, "Transform.rotation")

    @cython.ccall
    def _bind(self, entity: object, row: cython.int, dirty_transforms: DirtyTransforms) -> cython.void:
        self._load()
        dirty_transforms.set_position(row, self._x, self._y, self._z)
        self._entity = entity  # type: ignore[assignment]
        self._row = row
        self._dirty_transforms = dirty_transforms  # type: ignore[assignment]

    @cython.ccall
    def _unbind(self) -> cython.void:
        """Unbind the component and keep its position."""
        self._load()
        self._clear_binding()

    @cython.cfunc
    def _load(self) -> cython.void:
        at: cython.Py_ssize_t = 3 * self._row
        if self._dirty_transforms is not None:
            self._x = self._dirty_transforms.positions_view[at]
            self._y = self._dirty_transforms.positions_view[at + 1]
            self._z = self._dirty_transforms.positions_view[at + 2]

    @cython.cfunc
    def _write(self, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.void:
        if self._dirty_transforms is None:
            self._x, self._y, self._z = x, y, z
        else:
            self._dirty_transforms.access.check_thread()
            self._dirty_transforms.add(self._row, _PLACED)
            self._dirty_transforms.set_position(self._row, x, y, z)

    def units(self) -> tuple[int, int, int]:
        """Return the position in lattice units."""
        self._load()
        return (self._x, self._y, self._z)

    def _restore(self, values: tuple[int, int, int, Rotation]) -> None:
        """Set the position, in lattice units, and the rotation of an unbound component."""
        self._x, self._y, self._z, self._rotation = values

    @property
    def x(self) -> float:
        """The x coordinate."""
        self._load()
        return self._x * _LATTICE

    @x.setter
    def x(self, value: Real) -> None:
        units: cython.longlong = rounded(finite(value, "Transform.x", owner=self))
        self._load()
        self._write(units, self._y, self._z)

    @x.deleter
    def x(self) -> None:
        self._refuse("x", _KEPT)

    @property
    def y(self) -> float:
        """The y coordinate."""
        self._load()
        return self._y * _LATTICE

    @y.setter
    def y(self, value: Real) -> None:
        units: cython.longlong = rounded(finite(value, "Transform.y", owner=self))
        self._load()
        self._write(self._x, units, self._z)

    @y.deleter
    def y(self) -> None:
        self._refuse("y", _KEPT)

    @property
    def z(self) -> float:
        """The z coordinate; 0 in 2D."""
        self._load()
        return self._z * _LATTICE

    @z.setter
    def z(self, value: Real) -> None:
        units: cython.longlong = rounded(finite(value, "Transform.z", owner=self))
        self._load()
        self._write(self._x, self._y, units)

    @z.deleter
    def z(self) -> None:
        self._refuse("z", _KEPT)

    @property
    def position(self) -> Vector:
        """The position (x, y, z); may be assigned (x, y), which keeps z, or (x, y, z)."""
        self._load()
        return (self._x * _LATTICE, self._y * _LATTICE, self._z * _LATTICE)

    @position.setter
    def position(self, value: Iterable[float]) -> None:
        # Fast path for a tuple of floats in range; everything else is checked with error messages.
        x: cython.double
        y: cython.double
        z: cython.double
        if type(value) is tuple and 2 <= len(value) <= 3 and type(value[0]) is float and type(value[1]) is float:
            x, y = value[0], value[1]
            if -_MAX_COORDINATE <= x <= _MAX_COORDINATE and -_MAX_COORDINATE <= y <= _MAX_COORDINATE:
                if len(value) == 2:
                    self._load()
                    self._write(rounded(x), rounded(y), self._z)
                    return
                if type(value[2]) is float and -_MAX_COORDINATE <= value[2] <= _MAX_COORDINATE:
                    z = value[2]
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
        checked = rotation_of(value, "Transform.rotation", owner=self)
        self._note_write()
        self._rotation = checked

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
