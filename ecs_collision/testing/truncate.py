"""The first of many lines, for texts that a person reads."""

from __future__ import annotations


def few(lines: list[str], most: int) -> list[str]:
    """Return the first lines, and a last one that says how many more there are."""
    return lines[:most] + ([f"  and {len(lines) - most} more"] if len(lines) > most else [])
