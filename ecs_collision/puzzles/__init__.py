"""Puzzles of our own: each a level, perhaps a script beside it, and a play that solves it."""

from __future__ import annotations

from pathlib import Path

from ecs_collision.errors import UnknownEntity

FOLDER = Path(__file__).resolve().parent
"""Where they lie."""

ORDER = (
    "first_push", "who_goes_first", "two_trains", "too_heavy", "two_at_a_time", "short_train", "foot_in_the_door",
    "arm_in_arm", "links", "rails", "one_way", "keep_it_open", "two_plates", "hurry", "curtain", "teleporter", "twins",
    "burr", "sleeping_dog", "fill_the_gap", "the_bridge", "the_ferry", "light_barrier", "upside_down", "thin_ice",
    "in_step", "two_strengths",
)  # fmt: skip
"""The order to learn them in: each teaches one thing, and the later ones are harder."""


def names() -> list[str]:
    """Return the names of all puzzles, in the order to learn them in; further ones in the folder come last, sorted."""
    found = sorted(file.stem for file in FOLDER.glob("*.txt"))
    return sorted(found, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))


def path(name: str) -> Path:
    """Return the level file of a puzzle; raises UnknownEntity with the names there are."""
    if name not in names():
        raise UnknownEntity(f"there is no puzzle {name!r}; there are {', '.join(names())}")
    return FOLDER / f"{name}.txt"
