"""Puzzles of our own: each a level, perhaps a script beside it, and a play that solves it."""

from __future__ import annotations

from pathlib import Path

from ecs_collision.errors import UnknownEntity

FOLDER = Path(__file__).resolve().parent
"""Where they lie."""


def names() -> list[str]:
    """Return the names of all puzzles, sorted."""
    return sorted(file.stem for file in FOLDER.glob("*.txt"))


def path(name: str) -> Path:
    """Return the level file of a puzzle; raises UnknownEntity with the names there are."""
    if name not in names():
        raise UnknownEntity(f"there is no puzzle {name!r}; there are {', '.join(names())}")
    return FOLDER / f"{name}.txt"
