"""What messages to testers have in common: where tracebacks end, and how numbers and long lists are written."""

from __future__ import annotations

from typing import Any

from ecs_collision.errors import CollisionError


def hidden(problem: Any) -> bool:
    """Return whether pytest is to leave our frames out of a traceback: of what is told to users, not of our own faults.

    A module says so by having this function as `__tracebackhide__`.
    """
    return isinstance(problem.value, AssertionError | CollisionError)


def truncate(lines: list[str], most: int) -> list[str]:
    """Return the first lines, and a last one that says how many more there are."""
    return lines[:most] + ([f"  and {len(lines) - most} more"] if len(lines) > most else [])


def number_text(value: float) -> str:
    """Return a number exactly, a whole one without a fraction."""
    return repr(float(value)).removesuffix(".0")


def counted(count: int, one: str, several: str) -> str:
    """Return a count with the words for one or for several."""
    return f"{count:,} {one if count == 1 else several}"
