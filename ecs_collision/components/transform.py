"""Where a body is."""

from __future__ import annotations

from collections.abc import Iterable

from ecs_collision.components.base import Component, Vector, vector
from ecs_collision.lattice import LATTICE, finite, to_units


class Transform(Component):
    """Where a body is, in world units, on the lattice of 2**-16 (rounded halves up).

    Writing x, y, z or position is a teleport (P12): no push, no sweep. A motion is asked of `Motion` or
    `system.move`. Raises CollisionValueError for NaN, infinity and values beyond 2**36.
    """

    __slots__ = ("_ux", "_uy", "_uz")
    _values = ("_ux", "_uy", "_uz")

    def __init__(self, x: float, y: float, z: float = 0.0) -> None:
        self._unbound()
        self._ux = to_units(finite(x, "Transform.x"))
        self._uy = to_units(finite(y, "Transform.y"))
        self._uz = to_units(finite(z, "Transform.z"))

    @property
    def x(self) -> float:
        """The x coordinate."""
        return self._ux * LATTICE

    @x.setter
    def x(self, value: float) -> None:
        self._ux = to_units(finite(value, "Transform.x", owner=self))
        self._mark()

    @property
    def y(self) -> float:
        """The y coordinate."""
        return self._uy * LATTICE

    @y.setter
    def y(self, value: float) -> None:
        self._uy = to_units(finite(value, "Transform.y", owner=self))
        self._mark()

    @property
    def z(self) -> float:
        """The z coordinate; 0 in 2D."""
        return self._uz * LATTICE

    @z.setter
    def z(self, value: float) -> None:
        self._uz = to_units(finite(value, "Transform.z", owner=self))
        self._mark()

    @property
    def position(self) -> Vector:
        """The position (x, y, z); may be set from (x, y), which keeps z, or (x, y, z)."""
        return (self._ux * LATTICE, self._uy * LATTICE, self._uz * LATTICE)

    @position.setter
    def position(self, value: Iterable[float]) -> None:
        x, y, z = vector(value, "Transform.position", self._uz * LATTICE, owner=self)
        self._ux, self._uy, self._uz = to_units(x), to_units(y), to_units(z)
        self._mark()

    def __repr__(self) -> str:
        return f"Transform({self.x!r}, {self.y!r}, {self.z!r})"
