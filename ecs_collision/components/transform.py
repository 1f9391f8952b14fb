"""The position of a body."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from ecs_collision.components.base import Component
from ecs_collision.components.schema import REQUIRED, Field
from ecs_collision.components.transform_fields import TransformFields
from ecs_collision.fixed_point import AXES, finite


def _made_with(x: float, y: float, z: float = 0.0) -> None:
    """Provide the signature, which a compiled class does not have."""


class Transform(TransformFields, Component):
    """The position of a body in world units, rounded to the lattice of 2**-16 (halves up).

    Writing x, y, z or position is a teleport (P12): it pushes nothing and ignores what is on the way. Use `Motion` or
    `system.move` for a motion. Raises CollisionValueError for NaN, infinity and values beyond 2**36.
    """

    __slots__ = ()
    __signature__ = inspect.signature(_made_with)
    _fields = tuple(
        Field(finite, "", default, repr_style="value", is_volatile=True, name=axis, written_type="float")
        for axis, default in zip(AXES, (REQUIRED, REQUIRED, 0.0), strict=True)
    )
    """The properties are those of TransformFields, which is compiled."""

    if TYPE_CHECKING:  # the compiled constructor also takes wrong arguments, to explain them

        def __init__(self, x: float, y: float, z: float = 0.0) -> None: ...

    def _state(self) -> tuple[Any, ...]:
        return self.units()
