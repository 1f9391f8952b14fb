"""Falling, as a script turns it on and off."""

from __future__ import annotations

import math
from collections.abc import Set

from ecs_collision.fixed_point import LATTICE, finite
from ecs_collision.game.game_world import Engine
from ecs_collision.game.mechanics.gravity import DIRECTIONS, Displacement, Gravity, front_first, step_of
from ecs_collision.game.push_filter import Pushing
from ecs_collision.game.script_interface import Scripted
from ecs_collision.levels.level import Level


class Falling(Scripted):
    """Things that fall where there is gravity."""

    def __init__(self, level: Level, engine: Engine, hook: Pushing) -> None:
        super().__init__(level, engine)
        self._hook = hook
        self._hook.know(self._names, engine.world.bodies)
        self._gravity = level.gravity
        self._falls: str | None = None
        self._turnings = 0
        self._fall_speed = 1.0
        self._held: set[int] = set()
        falls = level.properties.get("falls")
        if isinstance(falls, str):
            self.falls = falls

    @property
    def gravity(self) -> str | None:
        """The direction in which unsupported things fall after every motion, L, R, U or D; None: they do not."""
        return self._gravity

    @gravity.setter
    def gravity(self, letter: str | None) -> None:
        if letter is not None:
            step_of(letter, "gravity")
        self._turnings += letter != self._gravity
        self._gravity = letter

    @property
    def falls(self) -> str | None:
        """What falls besides the things that can be pushed, a name or a kind, such as "player"."""
        return self._falls

    @falls.setter
    def falls(self, selector: str | None) -> None:
        if selector is not None:
            self._names.members(selector)
        self._turnings += selector != self._falls
        self._falls = selector

    def riders(self, id: int, dx: float, dy: float) -> list[int]:
        """Return what stands on a body that moves across gravity, the front ones first; nobody where it does not."""
        self.world.bodies.row(id)
        dx, dy = finite(dx, f"dx of entity {id}"), finite(dy, f"dy of entity {id}")
        if self._gravity is None or (dx, dy) == DIRECTIONS[self._gravity] or (-dx, -dy) == DIRECTIONS[self._gravity]:
            return []
        return front_first(self.world, self._falling().riders(id), dx, dy)

    @property
    def fall_speed(self) -> float:
        """How far things fall in a frame of real time, in cells; in a turn they fall all the way."""
        return self._fall_speed

    @fall_speed.setter
    def fall_speed(self, speed: float) -> None:
        self._fall_speed = finite(speed, "fall_speed", least=LATTICE)

    def settle(self) -> dict[str, Displacement]:
        """Let everything unsupported fall now and return who fell how far; nothing moves where there is no gravity.

        What can be pushed against gravity's axis falls, and what `falls` names; everything else holds up. Compounds and
        fused groups fall whole, and exactly onto what stops them.
        """
        with self._engine.at_home():
            return {self._names.called(id): by for id, by in self._settle(None).items()}

    def _settle(
        self, loose: Set[int] | None, most: float = math.inf, arriving: Set[int] = frozenset()
    ) -> dict[int, Displacement]:
        """Let everything unsupported fall, but for what is arriving: that holds up like a platform for now."""
        if self._gravity is None:
            return {}
        return self._falling(arriving).settle(loose, most)

    def _falling(self, arriving: Set[int] = frozenset()) -> Gravity:
        assert self._gravity is not None
        others = () if self._falls is None else self._names.members(self._falls)
        return Gravity(self.world, self._names, self._hook, self._gravity, others, self._held | arriving)
