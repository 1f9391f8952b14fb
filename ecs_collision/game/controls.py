"""The letters of a game, and what each of them moves."""

from __future__ import annotations

from collections.abc import Mapping

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import finite
from ecs_collision.game.mechanics.gravity import DIRECTIONS
from ecs_collision.game.naming import Names
from ecs_collision.levels.level import Level

Control = tuple[str, float, float]
"""(selector, dx, dy): what a letter moves, and how far."""

_SAMPLE = '{"j": ("player", -1, 0)}'

WAIT = "."
"""The letter of a turn without a controlled motion."""


class Controls:
    """Maps letters to motions. By default L, R, U and D move all things of the kind "player" or "Player".

    `by_letter` is replaced and never changed in place. `declared` is its value at the start of the game; saved games
    leave it out.
    """

    def __init__(self, level: Level, names: Names) -> None:
        self._names = names
        kinds = player_kinds(level)
        steps = DIRECTIONS.items() if kinds else ()
        self._default: dict[str, Control] = {letter: (kinds[0], *step) for letter, step in steps}
        self.by_letter: Mapping[str, Control] = self._default
        self.declared: Mapping[str, Control] = self._default

    def add(self, selector: str, letters: str) -> None:
        """Assign four letters, for left, right, up and down, to things; the first call replaces the default letters."""
        if not isinstance(letters, str) or len(letters) != 4 or len(set(letters)) != 4:
            raise CollisionValueError(f"letters is {letters!r}; give four letters: left, right, up, down, as 'lrud'")
        own = {} if self.by_letter is self._default else self.by_letter
        steps = zip(letters, DIRECTIONS.values(), strict=True)
        self.by_letter = self.checked({**own, **{letter: (selector, *step) for letter, step in steps}})

    def checked(self, controls: Mapping[str, Control]) -> dict[str, Control]:
        """Return validated controls; raises for the first invalid one."""
        if not isinstance(controls, Mapping):
            raise CollisionTypeError(f"controls is {controls!r}; give a dict such as {_SAMPLE}")
        checked: dict[str, Control] = {}
        for letter, control in controls.items():
            if not isinstance(control, tuple | list) or len(control) != 3:
                raise CollisionTypeError(
                    f"control {letter!r} is {control!r}; give what it moves, dx and dy, as in {_SAMPLE}"
                )
            selector, dx, dy = control
            self._names.members(selector)
            step = (finite(dx, f"dx of control {letter!r}"), finite(dy, f"dy of control {letter!r}"))
            checked[check_letter(letter)] = (selector, *step)
        return checked


def player_kinds(level: Level) -> list[str]:
    """Return the kind of each body that L, R, U and D move by default."""
    return [thing.kind for thing in level.things if thing.is_body and thing.kind.lower() == "player"]


def missing_control(level: Level) -> str:
    """Return what to do if no letter moves anything in a level."""
    if any("Motion" in thing.components for thing in level.things):
        return "declare letters with game.control(selector, letters), or give things that can move the kind 'player'"
    return (
        f"{level.source} has no thing that can move; give components with kinds= or --kinds, as in "
        '{"name:hero": "player", "player": {"Motion": {"force": 2}}} '
        "(docs/levels.md, Components for files without them)"
    )


def check_letter(letter: object) -> str:
    """Return the letter; raises CollisionValueError if it cannot be the letter of a move."""
    if isinstance(letter, str) and len(letter) == 1 and letter.isprintable() and letter not in (WAIT, " "):
        return letter
    raise CollisionValueError(
        f"{letter!r} cannot be the letter of a move; give one that is printable, not space or '.'"
    )
