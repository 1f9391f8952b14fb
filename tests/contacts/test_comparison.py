"""Contacts found by one join of all and by a look of every changed body are the same (rules T1 to T5, S3)."""

from __future__ import annotations

import random

import pytest
from boards import seeds
from random_games import MIDDLE, Game, Place
from worlds import fresh_world

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
)

PASSES = "ecs_collision.contacts.triggers.FULL_PASS_"
SEEDS = seeds(12)


@pytest.fixture
def choose(monkeypatch):
    """Return a function that makes every comparison a join of all, or none."""

    def choose(all_at_once: bool) -> None:
        monkeypatch.setattr(PASSES + "LEAST", 1 if all_at_once else 10**9)
        monkeypatch.setattr(PASSES + "SHARE", 10**9)

    return choose


def played(game: Game, frames: int) -> list[list[str]]:
    """Play a game; return what can be read after each frame, while every contact is checked by brute force."""
    told = []
    for _ in range(frames):
        game.frame()
        game.system.check()
        triggers = [entity for entity in sorted(game.alive) if game.is_body(entity) and game.has_trigger(entity)]
        told.append([*game.last(), repr([(entity, game.system.inside(entity)) for entity in triggers])])
    return told


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("welding", [False, True], ids=["", "welded"])
@pytest.mark.parametrize("place", [MIDDLE, Place(reach=2.0), Place(reach=9.0)], ids=["crowd", "heap", "room"])
def test_random_games_have_the_same_events_either_way(choose, place, welding, seed):
    told = []
    for all_at_once in (False, True):
        choose(all_at_once)
        with fresh_world():
            game = Game(100 + seed, place, bodies=24, asking=False, welding=welding)
            told.append(played(game, 12))
            assert all_at_once == (game.system._world._stepping.triggers.full_passes > 0)
    for each, together in zip(*told, strict=True):
        assert each == together


def crawl(world: CollisionWorld, ids: list[int], dice: random.Random, flat: bool) -> None:
    """Move most bodies a little, by lengths that make faces meet."""
    for id in ids:
        if dice.random() < 0.8:
            by = [dice.choice([-0.5, -0.25, 0, 0, 0.25, 0.5]) for _ in range(3)]
            x, y, z = world.bodies.of(world.bodies.row(id)).transform.position
            world.teleport(id, x + by[0], y + by[1], z if flat else z + by[2])


def crawling_world(seed: int, flat: bool) -> tuple[CollisionWorld, list[int], random.Random]:
    """Triggers that see each other, of several sizes and kinds, among compounds, statics and sleepers."""
    dice, world, ids = random.Random(seed), CollisionWorld(), []
    for number in range(60):
        at = Transform(*(dice.randrange(-16, 16) / 2 for _ in range(2)), 0 if flat else dice.randrange(-4, 4) / 2)
        half = dice.choice([0.0, 0.5, 0.5, 0.5, 1.0, 4.0])
        parts = {"collider": BoxCollider(half, dice.choice([half, 0.5]), 0.5), "transform": at}
        if number % 6 == 0:
            parts["collider"] = CompoundCollider([Box(0.5, 0.5), Box(0.5, 0.5, 0.5, (1, 1, 0)), Box(1, 0.25)])
        if number % 7 == 0:
            parts["static"] = Static()
        elif number % 5 == 0:
            parts["sleeping"] = Sleeping(True, 2)
        if number % 4:
            parts["trigger"] = Trigger(mask="default", touching=number % 3 == 0, linger=number % 9 // 8)
        ids.append(world.add(**parts))
    return world, ids, dice


@pytest.mark.parametrize("flat", [True, False], ids=["flat", "tall"])
@pytest.mark.parametrize("seed", SEEDS)
def test_crawling_triggers_have_the_same_events_either_way(choose, seed, flat):
    told = []
    for all_at_once in (False, True):
        choose(all_at_once)
        world, ids, dice = crawling_world(seed, flat)
        told.append([])
        for number in range(10):
            crawl(world, ids[:: 1 + number % 2], dice, flat)
            told[-1].append(world.step().events)
            world.check()
    assert [len(events) > 0 for events in told[0]] == [True] * 10
    for each, together in zip(*told, strict=True):
        assert each == together


def test_a_join_of_all_leaves_the_cells_of_sleepers_alone_S03(choose):
    tested = {}
    for sleeping in (True, False):
        choose(True)
        world = CollisionWorld()
        for number in range(40):
            world.add(transform=Transform(100 + number % 5, number // 5), collider=BoxCollider(0.75, 0.75),
                      trigger=Trigger(mask="default"), sleeping=Sleeping(sleeping, 9))  # fmt: skip
        body = BoxCollider(0.5, 0.5)
        movers = [
            world.add(transform=Transform(3 * at, 0), collider=body.copy(), motion=Motion()) for at in range(5)
        ]
        world.step()
        for mover in movers:
            world.request(mover, dx=0.5)
        world.step()
        assert (world.stats.cells_skipped > 0) == sleeping
        tested[sleeping] = world.stats.pairs_tested
    assert 0 == tested[True] < tested[False]


def test_a_join_looks_for_the_sleepers_a_mover_comes_to(choose):
    choose(True)
    world = CollisionWorld()
    sleeper = world.add(
        transform=Transform(4, 0), collider=BoxCollider(1, 1), trigger=Trigger(), sleeping=Sleeping(True, 9)
    )
    mover = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion())
    world.step()
    told = []
    for _ in range(8):
        world.request(mover, dx=1)
        told += [(type(event).__name__, event.trigger) for event in world.step().events if hasattr(event, "trigger")]
    assert [("TriggerEntered", sleeper), ("TriggerLeft", sleeper)] == told
    assert world.bodies.of(world.bodies.row(sleeper)).sleeping.asleep
