"""Equal states have equal bytes and equal hashes, whatever led to them and wherever they are (N1, N2)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import esper
import going_on
import pytest
from boards import Board, trials
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule
from material import HOUSE
from random_games import Game
from snapshot_bytes import digest
from worlds import fresh_world

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
)
from ecs_collision._build import PURE

# Histories.


def some_bodies(dice: random.Random) -> dict[int, dict[str, Any]]:
    """Return what bodies are to be, by id: a function that makes their parts, so that every world gets its own."""
    bodies = {}
    for entity in dice.sample(range(1, 60), 14):
        spot, kind = (dice.randrange(-6, 7), dice.randrange(-6, 7)), dice.randrange(6)
        layers = dice.choice([None, ("a", "b", "c"), ("b",)])
        parts: dict[str, Any] = {"transform": spot, "layer": dice.choice("abc"), "mask": layers, "kind": kind}
        bodies[entity] = parts
    return bodies


def add(world: CollisionWorld, entity: int, told: dict[str, Any], spot: tuple[float, float]) -> None:
    """Add a body as it is told of, at a spot."""
    more: dict[str, Any] = {"layer": told["layer"], "mask": told["mask"]}
    parts: dict[str, Any] = {}
    if told["kind"] < 2:
        parts["trigger"] = Trigger(stay=told["kind"] == 1, touching=True)
    elif told["kind"] == 2:
        parts["static"] = Static()
    else:
        parts |= {"inertia": Inertia(x=1, y=2), "motion": Motion(3, told["kind"]), "sleeping": Sleeping(after=2)}
    boxes = [Box(0.5, 0.5), Box(1, 0.25, offset=(0, 1))]
    collider = CompoundCollider(boxes, **more) if told["kind"] == 5 else BoxCollider(0.5, 0.5, **more)
    world.add(entity, transform=Transform(*spot), collider=collider, **parts)


def straight(bodies: dict[int, dict[str, Any]]) -> CollisionWorld:
    world = CollisionWorld()
    for entity in sorted(bodies):
        add(world, entity, bodies[entity], bodies[entity]["transform"])
    return world


def crooked(bodies: dict[int, dict[str, Any]], dice: random.Random) -> CollisionWorld:
    """Return the same world after a life of its own: other rows, bodies that came and went, pushes, switches."""
    world = CollisionWorld()
    for entity in dice.sample(sorted(bodies), len(bodies)):
        if dice.random() < 0.4:
            world.add(1000 + entity, transform=Transform(entity, 0), collider=BoxCollider(3, 3), trigger=Trigger())
        add(world, entity, bodies[entity], (dice.randrange(-6, 7), 0))
    for entity in bodies:
        if 1000 + entity in world:
            world.remove(1000 + entity)
    for entity in dice.sample(sorted(bodies), 4):
        world.remove(entity)
        add(world, entity, bodies[entity], (0, 0))
    for entity in bodies:
        parts = world.bodies.of(world.bodies.row(entity))
        if parts.static is None:
            world.move(entity, dice.randrange(-3, 4), 1)
        assert parts.collider is not None
        parts.collider.layer, parts.collider.enabled = "elsewhere", False
        if dice.random() < 0.5:
            world.step()
    for entity, told in bodies.items():
        collider = world.bodies.of(world.bodies.row(entity)).collider
        assert collider is not None
        collider.layer, collider.enabled = told["layer"], True
        world.teleport(entity, *told["transform"])
    return world


@pytest.mark.parametrize("seed", range(12))
def test_one_state_has_the_same_bytes_whatever_led_to_it(seed):
    """Two worlds meet in one state, come to rest at the same frame, and go on alike."""
    dice = random.Random(seed)
    bodies = some_bodies(dice)
    one, other = straight(bodies), crooked(bodies, dice)
    while one.frame_number < other.frame_number + 5:
        one.step()
    while other.frame_number < one.frame_number:
        other.step()
    assert one.snapshot() == other.snapshot()
    assert one.state_hash() == other.state_hash()
    kept = one.snapshot()
    for _ in range(10):
        for world in (one, other):
            world.move(max(bodies), 1, 0, force=9) if bodies[max(bodies)]["kind"] != 2 else None
            world.request(min(movers(bodies)), 1 / 3, -1)
        assert one.step().events == other.step().events
        assert one.snapshot() == other.snapshot()
    one.restore(kept)
    other.restore(kept)
    assert kept == one.snapshot() == other.snapshot()


def movers(bodies: dict[int, dict[str, Any]]) -> list[int]:
    return [entity for entity in bodies if bodies[entity]["kind"] > 2]


@pytest.mark.parametrize("seed", range(6))
def test_a_world_takes_over_a_snapshot_of_another(seed):
    """In the middle of a frame's doings, lingering and pending included, by a world with another past."""
    dice = random.Random(100 + seed)
    bodies = some_bodies(dice)
    one, other = straight(bodies), crooked(bodies, dice)
    for _ in range(20):
        for entity in dice.sample(movers(bodies), 2):
            one.request(entity, dice.randrange(-3, 4) / 3, dice.randrange(-3, 4))
        one.step()
    one.move(dice.choice(movers(bodies)), 2, 2, force=3)
    one.request(movers(bodies)[0], 1, 1)
    other.restore(one.snapshot())
    assert one.snapshot() == other.snapshot()
    other.check()
    for _ in range(20):
        entity, way = dice.choice(movers(bodies)), (dice.randrange(-2, 3), dice.randrange(-2, 3))
        results = [world.move(entity, *way, force=9) for world in (one, other)]
        assert results[0] == results[1]
        assert one.step().events == other.step().events
        assert one.snapshot() == other.snapshot()
    other.check()


def test_what_will_be_told_has_the_same_bytes_in_whatever_order_it_was_done():
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


# Processes.


def test_a_game_is_gone_on_with_in_another_process(tmp_path):
    """Whatever the hashes of strings, and however the kernels of the two are built."""
    file = tmp_path / "snapshot"

    def told(what: str, **environment: str) -> str:
        paths = os.pathsep.join([str(HOUSE), os.environ.get("PYTHONPATH", "")])
        running = {**os.environ, "PYTHONPATH": paths, **environment}
        command = [sys.executable, going_on.__file__, what, str(file)]
        return subprocess.run(command, env=running, check=True, capture_output=True, text=True).stdout

    first = told("keep", PYTHONHASHSEED="1")
    kept = file.read_bytes()
    assert first.count("TriggerEntered") > 5
    assert first == told("resume", PYTHONHASHSEED="2", **{PURE: "1"})
    assert first == told("keep", PYTHONHASHSEED="3", **{PURE: "1"})
    assert kept == file.read_bytes()
    assert first == told("resume", PYTHONHASHSEED="4")


def test_a_snapshot_and_a_hash_are_what_they_always_were():
    """The format of version 1: if this fails, old saves cannot be read any more, and VERSION must go up."""
    board = Board(rule="sum", max_chain=3)
    board.player(0, id=1, layer="walkers", mask=["walls", "crates"])
    board.crate(1, id=2, layer="crates", sleeping=Sleeping(True))
    board.body(3, id=7, trigger=Trigger(linger=2))
    board.push(1, 2.5)
    board.world.step()
    board.push(1, 1)
    assert board.world.state_hash() == "adbb42945f999d798463edf5add55ac0"
    assert digest(board.world.snapshot()).hex() == "c33088869bd91114a7f97e8e28cb5363"


# The hash.


def a_small_world() -> Board:
    board = Board(bounds=((-1, -1), (3, 2)))
    board.player(0, 0, id=1)
    board.crate(1, 0, id=2, sleeping=Sleeping(after=2))
    board.body(0, 1, 2, 1, id=3, trigger=Trigger(stay=True))
    board.body(-1, 0, id=4, sleeping=Sleeping(True, 3))
    return board


def test_hashes_are_equal_where_and_only_where_states_are():
    """By what the definition counts: positions, fields, requests, who is inside what."""
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
        motion = world.bodies.of(world.bodies.row(1)).motion
        assert motion is not None
        state = (tuple(board.places().items()), fields, motion.dx, tuple(world.inside(3)))
        assert hash_of.setdefault(state, world.state_hash()) == world.state_hash()
        assert state_of.setdefault(world.state_hash(), state) == state
    assert len(hash_of) < trials(3000) * 0.7, "states hardly ever came again: nothing was compared"


def test_a_hash_leaves_out_frame_sleep_and_remainders():
    board = a_small_world()
    world, hashes, states = board.world, set(), set()
    for _ in range(6):  # the one who sleeps wakes, and all come to rest again
        hashes.add(world.state_hash())
        states.add(world.snapshot())
        world.step()
    sleeper = world.bodies.of(world.bodies.row(4)).sleeping
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
    "a motion that is not told": lambda board: (board.push(1, 0, -0.5), board.push(1, 0, 0.5)),
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
    assert found.pop("a motion that is not told") == found["nothing"]  # it came back
    assert len(found) == len(set(found.values()))


def test_how_long_a_contact_will_linger_counts():
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


def test_a_configuration_counts():
    assert len({CollisionWorld(max_chain=limit).state_hash() for limit in (None, 0, 1, 1)}) == 3
    assert CollisionWorld(can_push=print).state_hash() != CollisionWorld().state_hash()


# Anything in between.


class KeptGames(RuleBasedStateMachine):
    """Hypothesis plays, keeps and restores in any order; whatever lies between, a restored state is the kept one."""

    kept = Bundle("kept")

    @initialize(seed=st.integers(0, 50))
    def begin(self, seed: int) -> None:
        self.world = fresh_world()
        self.world.__enter__()
        self.game = Game(seed, bodies=10, acts=0)
        structural = ("do_spawn", "do_delete", "do_replace", "do_stray")
        self.names = [name for name in self.game.names if name not in structural]

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.game.system.check()
            self.world.__exit__(None, None, None)

    @rule(number=st.integers(0, 99), seed=st.integers(0, 9))
    def act(self, number: int, seed: int) -> None:
        self.game.dice = random.Random(seed)
        getattr(self.game, self.names[number % len(self.names)])()

    @rule()
    def step(self) -> None:
        esper.process()

    @rule(target=kept)
    def keep(self) -> Any:
        self.game.system.space.pairs()
        return self.game.system.snapshot(), self.read()

    @rule(kept=kept)
    def restore(self, kept: Any) -> None:
        snapshot, read = kept
        self.game.system.restore(snapshot)
        assert snapshot == self.game.system.snapshot()
        assert read == self.read()

    def read(self) -> list[Any]:
        return [self.game.components(entity) for entity in self.game.alive] + self.game.index()


TestKeptGames = KeptGames.TestCase
TestKeptGames.settings = settings(max_examples=25, stateful_step_count=20)
