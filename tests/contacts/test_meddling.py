"""What must not matter for what a frame tells: questions, plans and snapshots between its acts (T1, T8, N1).

No oracle is asked: a game at random is played twice, once with something done between the acts, and must tell the same.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import esper
import pytest
from boards import AS_SHIPPED, many
from random_games import RandomGame
from worlds import fresh_world

from ecs_collision import FellAsleep, Motion, Transform, Woke

FRAMES = 40
LASTING = ("do_write", "do_request", "do_move", "do_teleport", "do_set_positions", "do_fuse_again")
"""What leaves the components there are."""


class Meddled(RandomGame):
    """A game of fused bodies and of triggers in a small place; `meddle` is called before, between and behind acts."""

    def __init__(self, seed: int, meddle: Callable[[Meddled], None] | None) -> None:
        super().__init__(seed, 10, 4, querying=False, handling=False, fusing=True, region={"reach": 2.5, "grain": 2})
        self.meddler, self.others = meddle, random.Random(seed)

    def between_actions(self) -> None:
        if self.meddler is not None:
            before = self.random, self.choice, len(self.log)
            self.random, self.choice = self.others, self.others.choice
            self.meddler(self)
            self.random, self.choice = before[:2]
            del self.log[before[2] :]

    def seen(self) -> tuple[Any, ...]:
        """Return what a game can see of the frame that has just ended, but for who woke and fell asleep."""
        events = [repr(event) for event in self.system.events if not isinstance(event, Woke | FellAsleep)]
        places = [esper.component_for_entity(entity, Transform).position for entity in self.alive]
        return events, self.trigger_contents(), places, self.take_log(), self.system.state_hash()


def look(game: Meddled) -> None:
    """Do something that changes nothing."""
    system, entity = game.system, game.choice(game.alive)
    game.choice((
        lambda: system.space.pairs(),
        lambda: system.space.touching(entity),
        lambda: game.attempt(lambda: system.plan(game.entity_with(Motion), dx=3, dy=1)),
        lambda: system.restore(system.snapshot()),
        lambda: system.state_hash(),
        lambda: system.check(),
    ))()  # fmt: skip


def wander(game: Meddled) -> None:
    """Now and then, keep a snapshot, do whatever leaves the components there are, and go back."""
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
def played(seed: int, meddle: Callable[[Meddled], None] | None = None) -> list[tuple[Any, ...]]:
    """Return what is seen of each frame of a game."""
    with fresh_world():
        game, seen = Meddled(seed, meddle), []
        for _ in range(FRAMES):
            game.frame()
            seen.append(game.seen())
            game.system.check()
        return seen


@pytest.mark.parametrize("meddle", [look, wander])
@pytest.mark.parametrize("seed", many(8))
def test_what_is_done_and_undone_between_the_acts_of_a_frame_changes_nothing_T1_N1(seed, meddle):
    assert played(seed) == played(seed, meddle)


@pytest.mark.skipif(not AS_SHIPPED, reason="the games are the same in every form")
def test_the_games_are_lively_enough_to_compare_anything():
    """Left for every reason, crossings within a frame, and bodies that are inside while others are fused occur."""
    words: Counter[str] = Counter()
    for seed in range(16):
        for events, inside, *_ in played(seed):
            told = [event for event in events if event.startswith(("TriggerEntered", "TriggerLeft"))]
            words.update(re.findall(r"reason=(\w+)", " ".join(told)))
            pairs = Counter(re.findall(r"trigger=\d+, other=\d+", " ".join(told)))
            words["told twice"] += sum(count > 1 for count in pairs.values())
            words["inside"] += any(ids for _, ids in inside)
    least = {"MOVED": 80, "FILTERED": 15, "DISABLED": 5, "DELETED": 4, "told twice": 20, "inside": 150}
    assert {word: min(words[word], count) for word, count in least.items()} == least
