"""Helpers for messages: hidden tracebacks, numbers, and truncated lists."""

from __future__ import annotations

from typing import Any

from ecs_collision.errors import CollisionError


def hide_traceback(error: Any) -> bool:
    """Return whether pytest hides the frames of this package: for assertions and refusals, not for internal errors.

    A module opts in by binding this function to `__tracebackhide__`.
    """
    return isinstance(error.value, AssertionError | CollisionError)


def truncate(lines: list[str], limit: int) -> list[str]:
    """Return the first lines, followed by one that counts the rest."""
    return lines[:limit] + ([f"  and {len(lines) - limit} more"] if len(lines) > limit else [])


def number_text(value: float) -> str:
    """Return a number exactly; whole numbers have no fraction."""
    return repr(float(value)).removesuffix(".0")


def count_text(count: int, singular: str, plural: str) -> str:
    """Return a count with the singular or plural noun."""
    return f"{count:,} {singular if count == 1 else plural}"
