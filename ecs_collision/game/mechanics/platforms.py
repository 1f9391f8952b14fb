"""Platforms: what moves by itself, a step at a time, along a path that is repeated."""

from __future__ import annotations

import math
from typing import Any

from ecs_collision.errors import SnapshotError
from ecs_collision.game.mechanics.gravity import DIRECTIONS
from ecs_collision.game.mechanics.rules import Rule
from ecs_collision.game.turn_loop import Playing


class Platform(Rule):
    """A body that takes the next step of its path every so many turns, pushing; where it is blocked it waits.

    Where there is gravity, what stands on it goes along if nothing is in its way.
    """

    def __init__(self, game: Playing, id: int, path: str, every: int, force: float | None, carries: bool) -> None:
        self.label = f"platform {game.name(id)!r}"
        self._game, self._id, self._path, self._every, self._carries = game, id, path, every, carries
        motion = game._engine.parts(id).motion
        self._force = force if force is not None else math.inf if motion is None else motion.force
        self._at = self._waited = 0

    def advance(self) -> None:
        """Take the next step if it is time."""
        if not self._game.is_there(self._id):
            return
        self._waited = min(self._waited + 1, self._every)
        if self._waited < self._every:
            return
        letter = self._path[self._at]
        if letter in DIRECTIONS and not self._step(*DIRECTIONS[letter]):
            return
        self._at, self._waited = (self._at + 1) % len(self._path), 0

    def _step(self, dx: int, dy: int) -> bool:
        game = self._game
        riders = game.riders(self._id, dx, dy) if self._carries else []
        before = {rider: game.place_of(rider) for rider in riders}
        if not game.shift(self._id, dx, dy, force=self._force, all_or_nothing=True):
            return False
        for rider in riders:
            (x, y), (now_x, now_y) = before[rider], game.place_of(rider)
            game.shift(rider, x + dx - now_x, y + dy - now_y, force=0.0, all_or_nothing=True)
        return True

    def save(self) -> Any:
        """Return where on its path it is, and how many turns it has waited."""
        return [self._at, self._waited]

    def judge(self, value: Any) -> None:
        """Raise where a value is no place on the path."""
        right = isinstance(value, list) and len(value) == 2 and all(type(number) is int for number in value)
        if not right or not 0 <= value[0] < len(self._path) or not 0 <= value[1] <= self._every:
            raise SnapshotError(f"the saved game has {value!r} for {self.label}; it is of other rules")

    def load(self, value: Any) -> None:
        """Take back where it was."""
        self._at, self._waited = value
