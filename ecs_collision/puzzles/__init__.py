"""The puzzles of this package: each has a level, a play that solves it, and sometimes a script."""

from __future__ import annotations

from pathlib import Path

from ecs_collision.errors import UnknownEntity

FOLDER = Path(__file__).resolve().parent
"""The folder of the puzzles."""

ORDER = (
    "first_push", "who_goes_first", "two_trains", "too_heavy", "two_at_a_time", "short_train", "foot_in_the_door",
    "arm_in_arm", "links", "rails", "one_way", "keep_it_open", "two_plates", "hurry", "curtain", "teleporter", "twins",
    "burr", "sleeping_dog", "fill_the_gap", "the_bridge", "the_ferry", "light_barrier", "upside_down", "thin_ice",
    "in_step", "two_strengths",
)  # fmt: skip
"""The recommended order: each puzzle teaches one thing, and later ones are harder."""


def names() -> list[str]:
    """Return the names of all puzzles in the recommended order, followed by other ones in the folder, sorted."""
    found = sorted(file.stem for file in FOLDER.glob("*.txt"))
    return sorted(found, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))


def path(name: str) -> Path:
    """Return the level file of a puzzle; raises UnknownEntity with the known names."""
    if name not in names():
        raise UnknownEntity(f"unknown puzzle {name!r}; puzzles are {', '.join(names())}")
    return FOLDER / f"{name}.txt"
