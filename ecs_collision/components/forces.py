"""Inertia, and the force of a motion."""

from __future__ import annotations

from typing import Any, Literal

from ecs_collision.components.base import Component
from ecs_collision.components.fields import InertiaFields, MotionFields
from ecs_collision.components.schema import Field, component, field
from ecs_collision.errors import CollisionTypeError, CollisionValueError, explained
from ecs_collision.fixed_point import AXES, flag, named, shown, strength, whole


@component
class Inertia(InertiaFields, Component):
    """Lets a body be pushed, by a force greater than this (P3).

    `Inertia(2)` is for every axis, `Inertia(x=1)` for x only: axes not given are infinite, as for a crate on rails.
    Without this component a body cannot be pushed at all.
    """

    value: Field[float | None, float] = field(
        strength, "The inertia of all axes, None if they differ; assigning it sets all three.", default=None,
        is_shorthand=True, writer="_set_all",
    )  # fmt: skip
    x: Field[float, float] = field(strength, "The inertia along x.", default=None, kw_only=True)
    y: Field[float, float] = field(strength, "The inertia along y.", default=None, kw_only=True)
    z: Field[float, float] = field(strength, "The inertia along z.", default=None, kw_only=True)
    __slots__ = ()  # the slots are those of InertiaFields, which is compiled

    @explained("Inertia(1.0), or Inertia(x=1.0) for a crate on rails")
    def __init__(
        self,
        value: float | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        z: float | None = None,
    ) -> None:
        self._init_binding()
        has_axes = x is not None or y is not None or z is not None
        if value is not None and has_axes:
            raise CollisionTypeError("Inertia takes one value for all axes or x=, y=, z=, not both")
        if value is None and not has_axes:
            raise CollisionTypeError("Inertia needs a value: Inertia(1.0), or Inertia(x=1.0) for a crate on rails")
        if value is not None:
            self._x = self._y = self._z = strength(value, "Inertia.value")
        else:
            self._x, self._y, self._z = (
                float("inf") if axis is None else strength(axis, f"Inertia.{name}")
                for name, axis in zip(AXES, (x, y, z), strict=True)
            )

    def _value(self) -> float | None:
        return self._x if self._x == self._y == self._z else None

    def _set_all(self, value: float) -> None:
        self._note_write()
        self._x = self._y = self._z = value

    def __repr__(self) -> str:
        if self.value is not None:
            return f"Inertia({self._x!r})"
        return f"Inertia(x={self._x!r}, y={self._y!r}, z={self._z!r})"


Rule = Literal["each", "sum"]

EACH: Rule = "each"
SUM: Rule = "sum"
RULES: tuple[Rule, ...] = (EACH, SUM)
"""Push rules: the force is compared with each inertia, or with the sum of all (P4)."""


def rule_name(value: object, where: str, owner: object = None) -> Rule:
    """Return the push rule `value`; raises by the name `where` unless it is one."""
    if isinstance(value, str) and value in RULES:
        return value
    raise CollisionValueError(f'{named(where, owner)} is {shown(value)}; it must be "each" or "sum"')


@component
class Motion(MotionFields, Component):
    """Lets a body move and push: its force, and its request for the next frame.

    `move(dx, dy, dz)` adds to the request, which the frame resets to zero. `rule`, `max_chain` and
    `all_or_nothing` override the settings of the system for motions of this body; None keeps them. Bodies
    with a higher `priority` move earlier in the frame (P10).
    """

    force: Field[float, float] = field(strength, "The force this body pushes with.", default=0.0, repr_style="named")
    priority: Field[int, int] = field(
        whole,
        "Bodies with a higher priority move earlier in the frame.",
        minimum=-(2**62),
        default=0,
        repr_style="named",
    )
    rule: Field[Rule | None, Rule | None] = field(
        rule_name, 'The push rule, "each" or "sum"; None for the rule of the system (P4).', is_optional=True,
        default=None, kw_only=True,
    )  # fmt: skip
    max_chain: Field[int | None, int | None] = field(
        whole, "How many bodies this one may push at once; None for the limit of the system.", minimum=0,
        is_optional=True, default=None, kw_only=True,
    )  # fmt: skip
    all_or_nothing: Field[bool | None, bool | None] = field(
        flag, "Whether a request that cannot be met in full moves nothing; None for the setting of the system (P5).",
        is_optional=True, default=None, kw_only=True,
    )  # fmt: skip
    __slots__ = ()  # the slots are those of MotionFields, which is compiled

    def _state(self) -> tuple[Any, ...]:
        return (*Component._state(self), self._request_state())

    def _restore(self, values: tuple[Any, ...]) -> None:
        self._init_request()
        Component._restore(self, values[:-1])
        self._set_request_state(values[-1])
