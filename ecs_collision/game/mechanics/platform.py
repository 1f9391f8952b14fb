"""Platforms: things that move by themselves along a repeated path."""

from __future__ import annotations

import math
from typing import Any

from ecs_collision.errors import CollisionValueError, SnapshotError
from ecs_collision.fixed_point import flag, shown, strength, whole
from ecs_collision.game.mechanics.gravity import DIRECTIONS, Gravity
from ecs_collision.game.mechanics.mechanic import Mechanic
from ecs_collision.game.things import Things


class Platform(Mechanic):
    """A body (`id`) that takes the next step of its path every n turns, pushing; if it is blocked, it waits.

    With gravity, what stands on it moves along if nothing is in its way.
    """

    def __init__(
        self, things: Things, gravity: Gravity, name: str, path: str, every: int, force: float | None, carries: bool
    ) -> None:
        self.id = things.names.one(name)
        parts = things.parts(self.id)
        if parts.static is not None:
            raise CollisionValueError(f"platform({name!r}): a Static thing never moves; remove Static from it")
        steps = "".join(path.split()) if isinstance(path, str) else path
        if not isinstance(steps, str) or not steps or set(steps) - set(".LRUD"):
            raise CollisionValueError(f"platform({name!r}): path is {shown(path)}; give letters of L, R, U, D and '.'")
        self._path = steps
        self._every = whole(every, "every", minimum=1)
        own_force = math.inf if parts.motion is None else parts.motion.force
        self._force = own_force if force is None else strength(force, "force")
        self._carries = flag(carries, "carries")
        self._things, self._gravity = things, gravity
        self._at = self._turns_waited = 0
        self.label = f"platform {things.names.name(self.id)!r}"

    def advance(self) -> None:
        """Take the next step if it is due."""
        if not self._things.is_enabled(self.id):
            return
        self._turns_waited = min(self._turns_waited + 1, self._every)
        if self._turns_waited < self._every:
            return
        letter = self._path[self._at]
        if letter in DIRECTIONS and not self._step(*DIRECTIONS[letter]):
            return
        self._at, self._turns_waited = (self._at + 1) % len(self._path), 0

    def _step(self, dx: int, dy: int) -> bool:
        things = self._things
        riders = self._gravity.riders(self.id, dx, dy) if self._carries else []
        before = {rider: things.position_of(rider) for rider in riders}
        if things.move(self.id, dx, dy, force=self._force, all_or_nothing=True).blocked:
            return False
        for rider in riders:
            (x, y), (now_x, now_y) = before[rider], things.position_of(rider)
            things.move(rider, x + dx - now_x, y + dy - now_y, force=0.0, all_or_nothing=True)
        return True

    def save(self) -> Any:
        """Return the position on the path, and the turns waited."""
        return [self._at, self._turns_waited]

    def validate(self, value: Any) -> None:
        """Raise if a value is not a position on the path."""
        right = isinstance(value, list) and len(value) == 2 and all(type(number) is int for number in value)
        if not right or not 0 <= value[0] < len(self._path) or not 0 <= value[1] <= self._every:
            raise SnapshotError(f"the saved game has {value!r} for {self.label}; other mechanics saved it")

    def load(self, value: Any) -> None:
        """Restore the position on the path."""
        self._at, self._turns_waited = value
