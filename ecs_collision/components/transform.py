"""Where a body is."""

from __future__ import annotations

import inspect
from typing import Any

from ecs_collision.components.base import Component
from ecs_collision.components.schema import REQUIRED, Field
from ecs_collision.components.transform_fields import TransformFields
from ecs_collision.fixed_point import AXES, finite


def _made_with(x: float, y: float, z: float = 0.0) -> None:
    """Have the signature that a compiled class cannot show of itself."""


class Transform(TransformFields, Component):
    """Where a body is, in world units, on the lattice of 2**-16 (rounded halves up).

    Writing x, y, z or position is a teleport (P12): no push, no sweep. A motion is asked of `Motion` or
    `system.move`. Raises CollisionValueError for NaN, infinity and values beyond 2**36.
    """

    __slots__ = ()
    __signature__ = inspect.signature(_made_with)
    _fields = tuple(
        Field(finite, "", default, repr_style="value", is_volatile=True, name=axis, written_type="float")
        for axis, default in zip(AXES, (REQUIRED, REQUIRED, 0.0), strict=True)
    )
    """The properties are those of TransformFields: compiled."""

    def _state(self) -> tuple[Any, ...]:
        return self.units()
