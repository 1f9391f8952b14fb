"""How hard a body pushes and how hard it is to push."""

from __future__ import annotations

from typing import Any

from ecs_collision.components.base import Component
from ecs_collision.components.request import Request
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import AXES, flag, named, shown, strength, whole


class Inertia(Component):
    """How hard a body is to push: it moves for a force greater than this (P3).

    `Inertia(2)` on every axis, `Inertia(x=1)` on x alone (axes not named: infinite, a crate on rails).
    Without this component a body cannot be pushed at all.
    """

    __slots__ = ("_x", "_y", "_z")
    _values = ("_x", "_y", "_z")

    def __init__(
        self,
        value: float | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        z: float | None = None,
    ) -> None:
        self._start_unbound()
        named = (x, y, z)
        if value is not None and any(axis is not None for axis in named):
            raise CollisionTypeError("Inertia takes one value for all axes or x=, y=, z=, not both")
        if value is None and all(axis is None for axis in named):
            raise CollisionTypeError("Inertia needs a value: Inertia(1.0), or Inertia(x=1.0) for a crate on rails")
        if value is not None:
            self._x = self._y = self._z = strength(value, "Inertia.value")
        else:
            self._x, self._y, self._z = (
                float("inf") if axis is None else strength(axis, f"Inertia.{name}")
                for name, axis in zip(AXES, named, strict=True)
            )

    @property
    def value(self) -> float | None:
        """The inertia of all axes, None where they differ; setting it sets all three."""
        return self._x if self._x == self._y == self._z else None

    @value.setter
    def value(self, value: float) -> None:
        checked = strength(value, "Inertia.value", owner=self)
        self._mark()
        self._x = self._y = self._z = checked

    @property
    def x(self) -> float:
        """The inertia along x."""
        return self._x

    @x.setter
    def x(self, value: float) -> None:
        checked = strength(value, "Inertia.x", owner=self)
        self._mark()
        self._x = checked

    @property
    def y(self) -> float:
        """The inertia along y."""
        return self._y

    @y.setter
    def y(self, value: float) -> None:
        checked = strength(value, "Inertia.y", owner=self)
        self._mark()
        self._y = checked

    @property
    def z(self) -> float:
        """The inertia along z."""
        return self._z

    @z.setter
    def z(self, value: float) -> None:
        checked = strength(value, "Inertia.z", owner=self)
        self._mark()
        self._z = checked

    def __repr__(self) -> str:
        if self.value is not None:
            return f"Inertia({self._x!r})"
        return f"Inertia(x={self._x!r}, y={self._y!r}, z={self._z!r})"


RULES = ("each", "sum")


def rule_name(value: object, where: str, owner: object = None) -> str:
    """Return the push rule `value`; raises naming `where` unless it is one."""
    if isinstance(value, str) and value in RULES:
        return value
    raise CollisionValueError(f'{named(where, owner)} is {shown(value)}; it must be "each" or "sum"')


class Motion(Request, Component):
    """The force of a body's own movement, and what it asks for in the next frame.

    `move(dx, dy, dz)` adds to the request, which is zeroed when resolved. `rule`, `max_chain` and
    `all_or_nothing` override the system's for this body's motions (None: the system's). Higher
    `priority` moves earlier in the frame (P10).
    """

    __slots__ = ()
    _values = ("_force", "_priority", "_rule", "_max_chain", "_all_or_nothing")

    def __init__(
        self,
        force: float = 0.0,
        priority: int = 0,
        *,
        rule: str | None = None,
        max_chain: int | None = None,
        all_or_nothing: bool | None = None,
    ) -> None:
        self._start_unbound()
        self._begin()
        self._force = strength(force, "Motion.force")
        self._priority = _priority(priority)
        self._rule = None if rule is None else rule_name(rule, "Motion.rule")
        self._max_chain = None if max_chain is None else whole(max_chain, "Motion.max_chain", least=0)
        self._all_or_nothing = None if all_or_nothing is None else flag(all_or_nothing, "Motion.all_or_nothing")

    def _state(self) -> tuple[Any, ...]:
        return (*super()._state(), self.asked())

    def _restore(self, values: tuple[Any, ...]) -> None:
        self._begin()
        super()._restore(values[:-1])
        self._ask_again(values[-1])

    @property
    def force(self) -> float:
        """What this body pushes with."""
        return self._force

    @force.setter
    def force(self, value: float) -> None:
        checked = strength(value, "Motion.force", owner=self)
        self._mark()
        self._force = checked

    @property
    def priority(self) -> int:
        """Higher moves earlier in the frame."""
        return self._priority

    @priority.setter
    def priority(self, value: int) -> None:
        checked = _priority(value, self)
        self._mark()
        self._priority = checked

    @property
    def rule(self) -> str | None:
        """The push rule, "each" or "sum"; None for the rule of the system (P4)."""
        return self._rule

    @rule.setter
    def rule(self, value: str | None) -> None:
        checked = None if value is None else rule_name(value, "Motion.rule", owner=self)
        self._mark()
        self._rule = checked

    @property
    def max_chain(self) -> int | None:
        """How many bodies this one may push at once; None for the system's limit."""
        return self._max_chain

    @max_chain.setter
    def max_chain(self, value: int | None) -> None:
        checked = None if value is None else whole(value, "Motion.max_chain", owner=self, least=0)
        self._mark()
        self._max_chain = checked

    @property
    def all_or_nothing(self) -> bool | None:
        """Whether a request that does not fit whole moves nothing; None for the system's choice (P5)."""
        return self._all_or_nothing

    @all_or_nothing.setter
    def all_or_nothing(self, value: bool | None) -> None:
        checked = None if value is None else flag(value, "Motion.all_or_nothing", owner=self)
        self._mark()
        self._all_or_nothing = checked

    def __repr__(self) -> str:
        own = [(name, getattr(self, name)) for name in ("rule", "max_chain", "all_or_nothing")]
        more = "".join(f", {name}={value!r}" for name, value in own if value is not None)
        return f"Motion(force={self._force!r}, priority={self._priority!r}{more})"


def _priority(value: object, owner: object = None) -> int:
    return whole(value, "Motion.priority", owner=owner, least=-(2**62))
