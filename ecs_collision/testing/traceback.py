"""Where tracebacks end: at the line of the test, where what is refused or asserted was written."""

from __future__ import annotations

from typing import Any

from ecs_collision.errors import CollisionError


def hidden(problem: Any) -> bool:
    """Return whether pytest is to leave our frames out of a traceback: of what is told to users, not of our own faults.

    A module says so by having this function as `__tracebackhide__`.
    """
    return isinstance(problem.value, AssertionError | CollisionError)
