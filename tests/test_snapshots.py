"""Snapshots bring a world back, and the frames behind them are those behind the original (N1, cases U01 to U03)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from boards import Board, trials
from random_games import Game
from worlds import fresh_world

from ecs_collision import Sleeping, StalePlan, Trigger, TriggerStayed

STRUCTURAL = ("do_spawn", "do_delete", "do_replace")
RULES: list[dict[str, Any]] = [
    {},
    {"rule": "sum", "order": "front_first"},
    {"overlap_policy": "block_deeper", "axis_order": "zyx"},
    {"all_or_nothing": True, "bounds": ((-6, -6), (6, 6))},
]


def a_game(seed: int, **settings: Any) -> Game:
    """Return a game whose bodies are all there: from now on nothing but their values changes."""
    game = Game(seed, bodies=20, acts=6, **settings)
    for _ in range(3):
        game.frame()
    game.names = [name for name in game.names if name not in STRUCTURAL]
    game.news()
    return game


def told(game: Game) -> tuple[Any, ...]:
    """Do a frame and return what can be seen of it, snapshot and all."""
    game.frame()
    results = {entity: result.explain() for entity, result in game.system.results.items()}
    state = [game.components(entity) for entity in game.alive]
    said = list(map(str, game.news()))
    return repr(game.system.events), results, said, state, game.system.state_hash(), game.system.snapshot()


@pytest.mark.parametrize("settings", RULES, ids=repr)
def test_the_future_after_a_restore_is_that_of_the_original(settings):
    length, points = max(trials(500) // len(RULES), 6), 5
    with fresh_world():
        game = a_game(7, **settings)
        kept, record = {}, []
        for number in range(length + points * 7):
            if number % 7 == 0 and number // 7 < points:
                kept[number] = (game.system.snapshot(), game.dice.getstate())
            record.append(told(game))
        for number, (snapshot, dice) in sorted(kept.items(), key=lambda item: (item[0] * 5) % 11):
            game.system.restore(snapshot)
            game.dice.setstate(dice)
            assert snapshot == game.system.snapshot()
            for at in range(number, number + length):
                assert record[at] == told(game), (number, at)
            game.system.check()


def everything(board: Board) -> tuple[Any, ...]:
    """Return positions, who is inside what, who sleeps, cells and events that wait."""
    world, bodies = board.world, board.world.bodies
    triggers = [entity for entity in board.transforms if bodies.of(bodies.row(entity)).trigger is not None]
    sleepers = {entity: bodies.of(bodies.row(entity)).sleeping for entity in board.transforms}
    return (
        board.places(),
        {entity: world.inside(entity) for entity in triggers},
        {entity: sleeping.asleep for entity, sleeping in sleepers.items() if sleeping is not None},
        list(world.space.cells),
        [region.asleep for region in world.space.regions()],
        world.frame_number,
    )


def a_room() -> Board:
    """Return a player among crates, some asleep, on plates that report."""
    board = Board(bounds=((-1, -1), (12, 8)))
    board.player(0, 0, force=9.0, id=1)
    for number in range(10):
        sleeping = Sleeping(number % 2 == 0, 2)
        board.crate(1 + number % 5 * 2, 1 + number // 5 * 2, id=10 + number, sleeping=sleeping)
    for number in range(4):
        trigger = Trigger(linger=number % 2 * 3, swept=number == 3, stay=number == 2)
        board.body(3 * number, 2, 2, 2, id=30 + number, trigger=trigger)
    board.world.step()
    return board


def test_a_plan_leaves_everything_as_it_is():
    """U01."""
    board = a_room()
    before, snapshot = everything(board), board.world.snapshot()
    assert board.world.plan(1, 5, 3).result.pushed
    assert before == everything(board)
    assert snapshot == board.world.snapshot()
    assert board.world.step().events == [TriggerStayed(2, 32, 18)]


def test_a_plan_commits_as_it_was_told_and_a_restore_makes_it_stale():
    """U02."""
    board = a_room()
    snapshot = board.world.snapshot()
    plan = board.world.plan(1, 5, 3)
    assert plan.commit() == plan.result
    after = board.world.snapshot()
    board.world.restore(snapshot)
    stale = board.world.plan(1, 5, 3)
    board.world.restore(snapshot)
    with pytest.raises(StalePlan, match="entity 1 is stale"):
        stale.commit()
    assert plan.result == board.push(1, 5, 3)
    assert after == board.world.snapshot()


def test_a_hundred_moves_are_taken_back():
    """U03."""
    board, dice = a_room(), random.Random(3)
    before, snapshot = everything(board), board.world.snapshot()
    for _ in range(100):
        way = (dice.randint(-3, 3), dice.randint(-3, 3))
        board.push(dice.choice([1, 10, 13, 30]), *way, force=dice.choice([None, 0.5]))
        if dice.random() < 0.5:
            board.world.step()
    assert before != everything(board)
    board.world.restore(snapshot)
    assert before == everything(board)
    assert snapshot == board.world.snapshot()
    board.world.check()
    assert board.world.step().events == [TriggerStayed(2, 32, 18)]
