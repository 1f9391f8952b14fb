"""Queries, plans and snapshots between the acts of a frame do not change its events (T1, T8, N1).

A random game is played twice, once with calls between the acts, and must have the same events. No oracle is used.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import esper
import pytest
from boards import many
from random_games import RandomGame
from worlds import fresh_world

from ecs_collision import FellAsleep, Motion, Transform, Woke

FRAMES = 40
LASTING = ("do_write", "do_request", "do_move", "do_teleport", "do_set_positions", "do_fuse_again")
"""Actions that keep the components that exist."""


class InterleavedGame(RandomGame):
    """A game of fused bodies and triggers in a small place; `interleave` is called before, between and after acts."""

    def __init__(self, seed: int, interleave: Callable[[InterleavedGame], None] | None) -> None:
        super().__init__(seed, 10, 4, querying=False, handling=False, fusing=True, region={"reach": 2.5, "grain": 2})
        self.interleaver, self.others = interleave, random.Random(seed)

    def between_actions(self) -> None:
        if self.interleaver is not None:
            before = self.random, self.choice, len(self.log)
            self.random, self.choice = self.others, self.others.choice
            self.interleaver(self)
            self.random, self.choice = before[:2]
            del self.log[before[2] :]

    def seen(self) -> tuple[Any, ...]:
        """Return what is visible of the last frame, without the bodies that woke and fell asleep."""
        events = [repr(event) for event in self.system.events if not isinstance(event, Woke | FellAsleep)]
        places = [esper.component_for_entity(entity, Transform).position for entity in self.alive]
        return events, self.trigger_contents(), places, self.take_log(), self.system.state_hash()


def look(game: InterleavedGame) -> None:
    """Make a call that changes nothing."""
    system, entity = game.system, game.choice(game.alive)
    game.choice((
        lambda: system.space.pairs(),
        lambda: system.space.touching(entity),
        lambda: game.attempt(lambda: system.plan(game.entity_with(Motion), dx=3, dy=1)),
        lambda: system.restore(system.snapshot()),
        lambda: system.state_hash(),
        lambda: system.check(),
    ))()  # fmt: skip


def wander(game: InterleavedGame) -> None:
    """Sometimes make a snapshot, do actions that keep the components, and restore it."""
    if game.chance(0.6):
        return
    kept = game.system.snapshot()
    for _ in range(game.random.randint(0, 3)):
        for _ in range(game.random.randint(0, 3)):
            getattr(game, game.choice(LASTING))()
        if game.chance(0.7):
            game.system.process()
    game.system.restore(kept)
    assert kept == game.system.snapshot()


@lru_cache(maxsize=64)
def played(seed: int, interleave: Callable[[InterleavedGame], None] | None = None) -> list[tuple[Any, ...]]:
    """Return what is visible of each frame of a game."""
    with fresh_world():
        game, seen = InterleavedGame(seed, interleave), []
        for _ in range(FRAMES):
            game.frame()
            seen.append(game.seen())
            game.system.check()
        return seen


@pytest.mark.parametrize("interleave", [look, wander])
@pytest.mark.parametrize("seed", many(8))
def test_calls_without_effect_between_the_acts_of_a_frame_change_nothing_T1_N1(seed, interleave):
    assert played(seed) == played(seed, interleave)
