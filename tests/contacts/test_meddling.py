"""What must not matter for what a frame tells: questions, plans and snapshots between its acts (T1, T8, N1).

No oracle is asked: a script of frames is played twice, once with something done between the acts, and must tell the
same. In it all meets all: fused bodies, swept and lingering triggers, what is disabled, filtered, deleted and done and
undone within one frame.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import lru_cache
from typing import Any

import esper
import pytest
from boards import many
from interfered import COUNT, LAYERS, Scene, a_spot, played

from ecs_collision import Fused

FRAMES = 40


def look(scene: Scene, dice: random.Random) -> None:
    """Do something that changes nothing."""
    alive = [entity for entity in scene.ids if entity]
    entity, system = dice.choice(alive), scene.system
    what = dice.randrange(8)
    if what == 0:
        system.space.pairs()
    elif what == 1:
        system.space.touching(entity)
    elif what == 2:
        system.plan(entity, dx=3, dy=1)
    elif what == 3:
        system.move(entity, 0)
    elif what == 4:
        system.restore(system.snapshot())
    elif what == 5:
        system.state_hash()
    elif what == 6:
        system.check()


def wander(scene: Scene, dice: random.Random) -> None:
    """Now and then, keep a snapshot, do whatever leaves the components there are, and go back."""
    if dice.random() < 0.6:
        return
    system, kept = scene.system, scene.system.snapshot()
    for _ in range(dice.randint(0, 3)):
        for _ in range(dice.randint(0, 3)):
            _do_anything(scene, dice)
        if dice.random() < 0.7:
            esper.process()
    system.restore(kept)
    assert kept == system.snapshot()


def _do_anything(scene: Scene, dice: random.Random) -> None:
    number, far = dice.randrange(COUNT), (dice.randint(-16, 16) / 2, dice.randint(-4, 4) / 2)
    acts = [("move", number, *far), ("ask", number, *far), ("write", number, *a_spot(dice))]
    acts += [("able", number, dice.random() < 0.6), ("layer", number, dice.choice(LAYERS))]
    acts += [("set", number, "linger", 3), ("set", number, "swept", dice.random() < 0.5)]
    entity, to = scene.ids[number], dice.randrange(max(number, 1))
    if entity and esper.has_component(entity, Fused) and number:
        acts += [("fuse", number, to)] * 3
    scene.do(*dice.choice(acts))


@lru_cache(maxsize=64)
def plain(seed: int) -> list[tuple[Any, ...]]:
    """Return what is seen of a script played as it is."""
    return played(seed, FRAMES)


@pytest.mark.parametrize("seed", many(16))
def test_looking_between_the_acts_of_a_frame_changes_nothing_T1(seed):
    assert plain(seed) == played(seed, FRAMES, look)


@pytest.mark.parametrize("seed", many(16))
def test_going_back_to_a_snapshot_between_the_acts_of_a_frame_changes_nothing_N1(seed):
    assert plain(seed) == played(seed, FRAMES, wander)


def test_the_scripts_are_lively_enough_to_compare_anything():
    """Left for every reason, crossings within a frame, and bodies that are inside while others are fused occur."""
    words: Counter[str] = Counter()
    for seed in range(16):
        for events, inside, *_ in plain(seed):
            told = [event for event in events if event.startswith(("TriggerEntered", "TriggerLeft"))]
            words.update(re.findall(r"reason=(\w+)", " ".join(told)))
            pairs = Counter(re.findall(r"trigger=\d+, other=\d+", " ".join(told)))
            words["told twice"] += sum(count > 1 for count in pairs.values())
            words["inside"] += any(inside)
    least = {"MOVED": 80, "FILTERED": 15, "DISABLED": 5, "DELETED": 4, "told twice": 20, "inside": 150}
    assert {word: min(words[word], count) for word, count in least.items()} == least
