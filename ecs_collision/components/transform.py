"""The position and the rotation of a body."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from ecs_collision.components.base import Component
from ecs_collision.components.checks import rotation_of
from ecs_collision.components.fields import TransformFields
from ecs_collision.components.schema import REQUIRED, Field
from ecs_collision.fixed_point import AXES, finite
from ecs_collision.shapes.rotation import Rotation


def _made_with(x: float, y: float, z: float = 0.0, rotation: Rotation = None) -> None:
    """Provide the signature, which a compiled class does not have."""


class Transform(TransformFields, Component):
    """The position of a body in world units, rounded to the lattice of 2**-16 (halves up), and its rotation.

    Writing a field is a teleport (P12): it pushes nothing and ignores what is on the way. Use `Motion` or `system.move`
    for a motion. `rotation` turns spheres, capsules and oriented boxes about the position, never a `Box` or
    `BoxCollider` (H3): an angle about z in radians (a positive one turns x towards y), a quaternion (x, y, z, w), or
    None.

    Raises CollisionValueError for NaN, infinity and values beyond 2**36.
    """

    __slots__ = ()
    __signature__ = inspect.signature(_made_with)
    _schema = (
        *(
            Field(finite, "", default, repr_style="value", is_volatile=True, name=axis, written_type="float")
            for axis, default in zip(AXES, (REQUIRED, REQUIRED, 0.0), strict=True)
        ),
        Field(rotation_of, "", None, name="rotation", written_type="Rotation"),
    )
    """The properties are those of TransformFields, which is compiled."""
    _values = ("_rotation",)

    if TYPE_CHECKING:  # the compiled constructor also takes wrong arguments, to explain them

        def __init__(self, x: float, y: float, z: float = 0.0, rotation: Rotation = None) -> None: ...

    def _state(self) -> tuple[Any, ...]:
        return (*self.units(), self.rotation)
