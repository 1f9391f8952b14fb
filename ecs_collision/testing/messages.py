"""What messages to testers have in common: where tracebacks end, and how numbers and long lists are written."""

from __future__ import annotations

from typing import Any

from ecs_collision.errors import CollisionError


def hide_traceback(error: Any) -> bool:
    """Return whether pytest is to leave our frames out of a traceback: of what is told to users, not of our own faults.

    A module says so by having this function as `__tracebackhide__`.
    """
    return isinstance(error.value, AssertionError | CollisionError)


def truncate(lines: list[str], limit: int) -> list[str]:
    """Return the first lines, and a last one that says how many more there are."""
    return lines[:limit] + ([f"  and {len(lines) - limit} more"] if len(lines) > limit else [])


def number_text(value: float) -> str:
    """Return a number exactly, a whole one without a fraction."""
    return repr(float(value)).removesuffix(".0")


def count_text(count: int, singular: str, plural: str) -> str:
    """Return a count with the words for one or for several."""
    return f"{count:,} {singular if count == 1 else plural}"
