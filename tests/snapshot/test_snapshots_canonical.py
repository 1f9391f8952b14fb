"""Equal states have equal bytes and equal hashes with any history and in any process (N1, N2)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import esper
import pytest
import random_games
from boards import Board, trials
from material import HOUSE
from random_games import RandomGame
from snapshot_bytes import digest
from worlds import fresh_world

from ecs_collision import Blocked, CollisionWorld, Sleeping, Static, Trigger
from ecs_collision._build import PURE
from ecs_collision.components import Parts

# Histories.


def rested(seed: int) -> RandomGame:
    """Return a game with a long history in which all bodies are asleep now."""
    game = RandomGame(seed, fusing=seed % 2 == 1, handling=False)
    for _ in range(15):
        game.frame()
    for _ in range(6):
        esper.process()
    return game


def rebuilt(game: RandomGame) -> CollisionWorld:
    """Return a world of equal bodies without history, at the same frame."""
    world = CollisionWorld()
    for entity in game.alive:
        world._stage(entity, Parts.of([part.copy() for part in esper.components_for_entity(entity)]))
    while world.frame_number < game.system.stats.frame:
        world.step()
    return world


@pytest.mark.parametrize("seed", range(12))
def test_a_state_has_the_same_bytes_with_any_history(seed):
    """Two worlds reach one state, rest at the same frame, and continue identically."""
    with fresh_world():
        game = rested(seed)
        system, world = game.system, rebuilt(game)
        kept = system.snapshot()
        assert kept == world.snapshot()
        assert (system.state_hash(), list(system.space.cells)) == (world.state_hash(), list(world.space.cells))
        able = [entity for entity in game.alive if not esper.has_component(entity, Static)]
        for _ in range(10):
            entity, way = game.choice(able), game.displacement()
            assert system.move(entity, *way, force=9) == world.move(entity, *way, force=9)
            esper.process()
            assert list(system.events) == world.step().events
            assert system.snapshot() == world.snapshot()
        system.restore(kept)
        world.restore(kept)
        assert kept == system.snapshot() == world.snapshot()
        world.check()


def test_pending_events_have_the_same_bytes_in_any_order_of_actions():
    boards = [Board(), Board()]
    for board, order in zip(boards, ((1, 2), (2, 1)), strict=True):
        for number in (1, 2):
            board.player(0, 3 * number, id=number)
            board.body(1, 3 * number, id=10 + number)
        for number in order:
            board.push(number, 1, 0.5)  # blocked along x
            board.push(number, -1, -0.5)
            board.push(number, 2)
    assert boards[0].world.snapshot() == boards[1].world.snapshot()
    assert boards[0].world.step().events == boards[1].world.step().events


def test_blocked_events_with_several_blockers_survive_a_restore_N1():
    board = Board()
    board.player(0, h=3, id=9)
    for entity, x, y in ((4, 2, 0), (2, 2, 2), (3, -2, 1)):
        board.wall(x, y, id=entity)
    board.push(9, 5)
    board.push(9, -5)
    kept = board.world.snapshot()
    events = board.world.step().events
    board.world.restore(kept)
    assert kept == board.world.snapshot()
    assert events == board.world.step().events
    blocked = [(event.direction[0], event.blockers) for event in events if isinstance(event, Blocked)]
    assert [(1.0, (2, 4)), (-1.0, (3,))] == blocked


# Processes.


@pytest.mark.once
def test_a_game_continues_in_another_process(tmp_path):
    """With other hash seeds, compiled or plain."""
    file = tmp_path / "snapshot"

    def output_of(what: str, **environment: str) -> str:
        paths = os.pathsep.join([str(HOUSE), str(HOUSE / "tests"), os.environ.get("PYTHONPATH", "")])
        running = {**os.environ, "PYTHONPATH": paths, **environment}
        command = [sys.executable, random_games.__file__, what, str(file)]
        return subprocess.run(command, env=running, check=True, capture_output=True, text=True).stdout

    first = output_of("keep", PYTHONHASHSEED="1")
    assert first.count("TriggerEntered") > 5
    assert first == output_of("resume", PYTHONHASHSEED="2", **{PURE: "1"})


def test_a_snapshot_and_a_hash_are_those_of_format_version_4():
    """If this fails, old saves cannot be read any more, and VERSION must increase. Defaults of settings may change."""
    board = Board(rule="sum", max_chain=3, overlap_policy="leave")
    board.player(0, id=1, layer="walkers", mask=["walls", "crates"])
    board.crate(1, id=2, layer="crates", sleeping=Sleeping(True))
    board.body(3, id=7, trigger=Trigger(linger=2))
    board.push(1, 2.5)
    board.world.step()
    board.push(1, 1)
    assert board.world.state_hash() == "9fa8798c821527917c6bdffbf7c095e1"
    assert digest(board.world.snapshot()).hex() == "9eff37b39eb3071c7c6046213b3e3c62"


# The hash.


def a_small_world() -> Board:
    board = Board(bounds=((-1, -1), (3, 2)))
    board.player(0, 0, id=1)
    board.crate(1, 0, id=2, sleeping=Sleeping(after=2))
    board.body(0, 1, 2, 1, id=3, trigger=Trigger(stay=True))
    board.body(-1, 0, id=4, sleeping=Sleeping(True, 3))
    return board


def test_hashes_are_equal_exactly_if_states_are():
    """By the data that the definition covers: positions, fields, requests, contents of triggers."""
    board, dice = a_small_world(), random.Random(8)
    world, hash_of, state_of = board.world, {}, {}
    for _ in range(trials(3000)):
        kind, who = dice.randrange(6), dice.choice([1, 2])
        if kind < 3:
            board.push(who, dice.randint(-1, 1), dice.randint(-1, 1), force=dice.choice([0, 5]))
        elif kind == 3:
            board.colliders[1].layer = dice.choice("ab")
        elif kind == 4:
            board.colliders[2].enabled = dice.random() < 0.7
        else:
            world.teleport(who, dice.randint(0, 1) + 0.5, dice.randint(0, 1) + 0.5)
        world.step()
        if dice.random() < 0.2:
            world.request(1, 1)
        fields = tuple((each.layer, each.enabled) for each in board.colliders.values())
        motion = world._bodies.of(world._bodies.row(1)).motion
        assert motion is not None
        state = (tuple(board.places().items()), fields, motion.dx, tuple(world.inside(3)))
        assert hash_of.setdefault(state, world.state_hash()) == world.state_hash()
        assert state_of.setdefault(world.state_hash(), state) == state
    assert len(hash_of) < trials(3000) * 0.7, "states hardly ever came again: nothing was compared"


def test_a_hash_leaves_out_frame_sleep_and_remainders():
    board = a_small_world()
    world, hashes, states = board.world, set(), set()
    for _ in range(6):  # the sleeper wakes, and all bodies rest again
        hashes.add(world.state_hash())
        states.add(world.snapshot())
        world.step()
    sleeper = world._bodies.of(world._bodies.row(4)).sleeping
    assert sleeper is not None
    sleeper.asleep = not sleeper.asleep
    world.request(1, 0.25 / 65536)
    world.step()
    hashes.add(world.state_hash())
    states.add(world.snapshot())
    assert (1, 7) == (len(hashes), len(states))


DIFFERENT: dict[str, Any] = {
    "nothing": lambda board: None,
    "a position": lambda board: (board.world.teleport(4, -1.5, 0), board.world.step()),
    "a field": lambda board: setattr(board.colliders[1], "layer", "other"),
    "a request": lambda board: board.world.request(1, 0, 1),
    "a motion without event": lambda board: (board.push(1, 0, -0.5), board.push(1, 0, 0.5)),
    "a motion that was blocked": lambda board: board.push(4, 1, force=0),
    "a contact": lambda board: (board.push(2, 0, 0.5), board.world.step(), board.push(2, 0, -0.5)),
    "a deleted body": lambda board: board.world.remove(2),
}


def test_everything_else_that_changes_the_future_changes_the_hash():
    found = {}
    for name, change in DIFFERENT.items():
        board = a_small_world()
        for _ in range(4):
            board.world.step()
        change(board)
        found[name] = board.world.state_hash()
    assert found.pop("a motion without event") == found["nothing"]  # the body came back
    assert len(found) == len(set(found.values()))


def test_the_remaining_linger_of_a_contact_is_hashed():
    hashes, insides = [], []
    for frames in range(4):
        board = Board()
        zone, crate = board.body(0, trigger=Trigger(linger=2)), board.crate(0)
        board.world.step()
        board.push(crate, 5)
        for _ in range(frames):
            board.world.step()
        hashes.append(board.world.state_hash())
        insides.append(board.world.inside(zone))
    assert [[2], [2], [2], []] == insides
    assert 4 == len(set(hashes))


def test_settings_are_hashed():
    assert len({CollisionWorld(max_chain=limit).state_hash() for limit in (None, 0, 1, 1)}) == 3
    assert CollisionWorld(can_push=print).state_hash() != CollisionWorld().state_hash()
