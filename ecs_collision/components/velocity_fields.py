# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The fields of a Velocity: numbers that kernels read and write, and the remainders of its motion (rule I5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython
if TYPE_CHECKING or not cython.compiled:
    from ecs_collision.components.bound import Bound
else:
    from cython.cimports.ecs_collision.components.bound import Bound


@cython.cclass
class VelocityFields(Bound):
    """The compiled base of Velocity: a velocity in units per second, an angular one in radians per second.

    `_left_...` is the remainder of the position of a dynamic body per axis, in lattice units; `_turn_...` that of its
    angle, in multiples of 2**-20 radians. `_has_vector` says whether the angular velocity was given as a vector.
    """

    __slots__ = (
        *("_x", "_y", "_z", "_turning_x", "_turning_y", "_turning_z", "_has_vector"),
        *("_left_x", "_left_y", "_left_z", "_turn_x", "_turn_y", "_turn_z"),
    )

    def _init_binding(self) -> None:
        Bound._init_binding(self)
        self._drop_remainders()

    @cython.ccall
    def _drop_remainders(self) -> cython.void:
        """Set all remainders to 0."""
        self._left_x = self._left_y = self._left_z = 0.0
        self._turn_x = self._turn_y = self._turn_z = 0.0

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
        """Return whether the angular velocity was given as a vector, and all numbers: velocities, then remainders."""
        return bool(self._has_vector), (*self._numbers(), *self._remainders())

    def _set_motion_state(self, state: tuple[bool, tuple[float, ...]]) -> None:
        """Set what `_motion_state` returns, without recording a write."""
        has_vector, numbers = state
        x, y, z, turning_x, turning_y, turning_z, left_x, left_y, left_z, turn_x, turn_y, turn_z = numbers
        self._has_vector = has_vector
        self._set_numbers((x, y, z, turning_x, turning_y, turning_z))
        self._set_remainders((left_x, left_y, left_z, turn_x, turn_y, turn_z))

    def _remainders(self) -> tuple[float, float, float, float, float, float]:
        """Return the remainders of the position in lattice units, those of the angle in multiples of 2**-20 radians."""
        return (self._left_x, self._left_y, self._left_z, self._turn_x, self._turn_y, self._turn_z)

    def _set_remainders(self, remainders: tuple[float, float, float, float, float, float]) -> None:
        """Set what `_remainders` returns."""
        # Unpacked instead of indexed: compiled code would read past the end of a short tuple.
        left_x, left_y, left_z, turn_x, turn_y, turn_z = remainders
        self._left_x, self._left_y, self._left_z = left_x, left_y, left_z
        self._turn_x, self._turn_y, self._turn_z = turn_x, turn_y, turn_z

    def _numbers(self) -> tuple[float, float, float, float, float, float]:
        """Return the velocity and the angular velocity, both as vectors."""
        return (self._x, self._y, self._z, self._turning_x, self._turning_y, self._turning_z)

    def _set_numbers(self, numbers: tuple[float, float, float, float, float, float]) -> None:
        """Set what `_numbers` returns, without recording a write."""
        x, y, z, turning_x, turning_y, turning_z = numbers
        self._x, self._y, self._z = x, y, z
        self._turning_x, self._turning_y, self._turning_z = turning_x, turning_y, turning_z
