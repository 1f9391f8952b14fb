"""What a level file may say of the world it is played in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ecs_collision.errors import CollisionValueError
from ecs_collision.settings import LEVEL_SETTINGS, Settings

DIRECTIONS = "LRUD"


def check_settings(settings: Mapping[str, Any]) -> None:
    """Raise CollisionValueError or CollisionTypeError unless a world can be made with these settings."""
    for name in settings:
        if name not in LEVEL_SETTINGS:
            raise CollisionValueError(
                f"{name!r} is no setting of a world; a level may give {', '.join(LEVEL_SETTINGS)}"
            )
    Settings(**settings)


def check_gravity(value: object) -> str | None:
    """Return the direction things fall in, or None; raises CollisionValueError unless it is a letter of L, R, U, D."""
    if value is None or (isinstance(value, str) and len(value) == 1 and value in DIRECTIONS):
        return value
    raise CollisionValueError(f"gravity is {value!r}; it must be L, R, U or D, or none")
