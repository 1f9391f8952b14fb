"""Components of bodies that move by themselves: velocity, mass and material (rules I)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ecs_collision.components.base import Component
from ecs_collision.components.checks import Vector
from ecs_collision.components.fields import VelocityFields
from ecs_collision.components.schema import Field, component, field, slots
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import AXES, finite, flag, items_of, named, number, shown

MAX_SPEED = 2.0**14
"""The largest speed along an axis in units per second, and about an axis in radians per second."""

MAX_MASS = 2.0**32
"""The largest finite mass and moment; the inverse of the smallest one."""


def speed(value: object, where: str, owner: object = None) -> float:
    """Return a checked speed."""
    if type(value) is float and -MAX_SPEED <= value <= MAX_SPEED:  # games write speeds in every frame
        return value
    return finite(value, where, owner=owner, minimum=-MAX_SPEED, maximum=MAX_SPEED)


def angular_speed(value: object, where: str, owner: object = None) -> float | Vector:
    """Return an angular velocity: a number about z, or a vector of three."""
    items = items_of(value)
    if items is None:
        try:
            return speed(value, where, owner)
        except CollisionTypeError as cause:
            raise CollisionTypeError(f"{named(where, owner)} must be {_ANGULAR}, not {shown(value)}") from cause
    if len(items) != 3:
        raise CollisionValueError(f"{named(where, owner)} must be {_ANGULAR}, not {shown(value)}")
    x, y, z = (speed(item, f"{where} {axis}", owner) for axis, item in zip(AXES, items, strict=True))
    return (x, y, z)


_ANGULAR = "a number about z in radians per second, or a vector (x, y, z)"


def mass_of(value: object, where: str, owner: object = None) -> float:
    """Return a mass or a moment: a number from 2**-32 to 2**32, or infinity."""
    result = number(value, where, owner)
    if 1.0 / MAX_MASS <= result <= MAX_MASS or result == math.inf:
        return result
    raise CollisionValueError(
        f"{named(where, owner)} is {result!r}, but it must be positive: from 2**-32 to 2**32, or infinity for what "
        "nothing moves or turns"
    )


def fraction(value: object, where: str, owner: object = None) -> float:
    """Return a number from 0 to 1."""
    return finite(value, where, owner=owner, minimum=0.0, maximum=1.0) + 0.0


def factor(value: object, where: str, owner: object = None) -> float:
    """Return a number from 0 on."""
    return finite(value, where, owner=owner, minimum=0.0) + 0.0


def scale(value: object, where: str, owner: object = None) -> float:
    """Return a finite number."""
    return finite(value, where, owner=owner) + 0.0


@component
class Velocity(VelocityFields, Component):
    """The velocity of a body, in units per second, and its angular velocity, in radians per second (rules I).

    With a `Mass` the body moves by itself in every `step_dynamics`, or in every frame of an `ImpulseSystem`. Without
    one, and on `Static` bodies, it is the velocity of its surface: what lies on it is carried along, as by a
    conveyor belt or a wheel. `angular` is a number about z (a positive one turns x towards y), or a vector. What moves
    by itself turns about its centre of mass, and has no velocity while it sleeps (I7).

    Of a body that moves by itself, damping and angular_damping slow the velocities down: a substep of h seconds divides
    them by 1 + h * damping. gravity: how much of the gravity of the step acts on it; 0 for none.

    Raises CollisionValueError for NaN and for more than 2**14 per axis.
    """

    x: Field[float, float] = field(speed, "The velocity along x.", default=0.0, repr_style="value", is_volatile=True)
    y: Field[float, float] = field(speed, "The velocity along y.", default=0.0, repr_style="value", is_volatile=True)
    z: Field[float, float] = field(speed, "The velocity along z.", default=0.0, repr_style="value", is_volatile=True)
    angular: Field[float | Vector, float | Iterable[float]] = field(
        angular_speed, "The angular velocity: a number about z, or a vector (x, y, z).", default=0.0, kw_only=True,
        is_volatile=True,
    )  # fmt: skip
    damping: Field[float, float] = field(
        factor, "How fast the velocity is lost, per second: 0 not at all.", default=0.0, kw_only=True, writer="_set_way"
    )
    angular_damping: Field[float, float] = field(
        factor, "How fast the angular velocity is lost, per second.", default=0.0, kw_only=True, writer="_set_way"
    )
    gravity: Field[float, float] = field(
        scale, "How much of the gravity of a step of dynamics acts on the body.", default=1.0, kw_only=True,
        writer="_set_way",
    )  # fmt: skip
    # The other slots are those of VelocityFields, which is compiled.
    __slots__ = ("_angular_damping", "_damping", "_gravity")

    def _set_way(self, damping: float, angular_damping: float, gravity: float) -> None:
        self._note_change()
        self._damping, self._angular_damping, self._gravity = damping, angular_damping, gravity

    def _restore(self, values: tuple[Any, ...]) -> None:
        self._drop_remainders()
        Component._restore(self, values)


@component
class Mass(Component):
    """The mass of a body, and its moments of inertia: how little impulses change its velocity (I1).

    moment: None, the default, for the moments that the shape of its collider has with this mass; infinity for a body
    that never turns; a number counts about every axis. A body whose collider has a box that does not turn (H3) never
    turns. It turns about its centre of mass, which is that of its shape.

    `Mass.of(density=2)` is a mass that follows from the shape too: 2 for each unit of volume, in 2D of area.
    """

    value: Field[float, float] = field(
        mass_of, "The mass, or the density; infinity for a body that nothing moves.", repr_style="value"
    )
    moment: Field[float | None, float | None] = field(
        mass_of, "The moment of inertia; None for those of the shape, infinity for a body that never turns.",
        is_optional=True, default=None, kw_only=True,
    )  # fmt: skip
    density: Field[bool, bool] = field(
        flag, "Whether the value is the mass of a unit of volume, in 2D of area.", default=False, kw_only=True
    )
    __slots__ = slots(vars())

    @classmethod
    def of(cls, *, density: float, moment: float | None = None) -> Mass:
        """Return the mass of a body by its density: the mass of a unit of volume, in 2D of area."""
        return cls(mass_of(density, "density of Mass.of"), moment=moment, density=True)

    @property
    def inverse(self) -> float:
        """1 / value, 0 for an infinite mass."""
        return 1.0 / self.value

    @property
    def inverse_moment(self) -> float | None:
        """1 / moment, 0 for an infinite moment; None if the moments are those of the shape."""
        return None if self.moment is None else 1.0 / self.moment


@component
class Material(Component):
    """How the surface of a body bounces, rubs and rolls; bodies without this component have its defaults (I1).

    Of two bodies the larger restitution and the larger rolling count, and the square root of the product of the
    frictions. Rolling resistance slows bodies down that roll: a contact takes angular velocity away, by at most rolling
    * radius * the impulse that presses the bodies together, where radius is the larger one of the two round parts. So
    a ball rolls on down a slope that is steeper than `rolling`.
    """

    restitution: Field[float, float] = field(
        fraction, "The share of the speed after a bounce: 0 stays, 1 bounces back.", default=0.0, repr_style="named"
    )
    friction: Field[float, float] = field(
        factor, "The largest share of the pressure that holds against sliding.", default=0.5, repr_style="named"
    )
    rolling: Field[float, float] = field(
        factor, "The largest share of the pressure that holds against rolling, times the radius.", default=0.0
    )
    __slots__ = slots(vars())
