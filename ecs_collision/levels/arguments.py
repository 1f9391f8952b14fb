"""Checks the arguments of public calls."""

from __future__ import annotations

import os
from typing import TypeVar

from ecs_collision.errors import CollisionTypeError
from ecs_collision.fixed_point import shown

Value = TypeVar("Value")


def expect(value: object, kind: type[Value] | tuple[type[Value], ...], name: str, remedy: str) -> None:
    """Raise CollisionTypeError unless an argument is of a type."""
    if not isinstance(value, kind):
        raise CollisionTypeError(f"{name} is {shown(value)}; {remedy}")


def expect_path(value: object, name: str = "path") -> None:
    """Raise CollisionTypeError unless an argument is a path."""
    if not isinstance(value, str | os.PathLike):
        raise CollisionTypeError(f"{name} is {shown(value)}; give the path of a file")
