"""Numbers beyond the range of all worlds are refused on every path to the lattice, and change nothing (L1, L3, P18).

Parameters of Python are walked by test_invalid_numbers.py. Here are the others: words of files, what snapshots and
pickles hold, and sums of numbers that are each within range. Both forms of the kernels refuse in the same words.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from boards import Board
from commands import LEVEL, SCENE
from snapshot_bytes import split

from ecs_collision import CollisionError, CollisionWorld, Motion, SnapshotError
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE
from ecs_collision.game import Game
from ecs_collision.levels import load_level, parse_level
from ecs_collision.snapshot.reader import REQUEST
from ecs_collision.testing.scene_reading import parse_scene
from ecs_collision.testing.scene_replay import Player

HUGE = [1.5e14, 2.0**64, -1e308]


def _scene(old: str, new: str) -> Callable[[float, Path], object]:
    def give(value: float, folder: Path) -> object:
        assert old in SCENE
        return parse_scene(SCENE.replace(old, new.format(_word(value)), 1))

    return give


def _word(value: float) -> str:
    """Return a number as files write it: in digits if there are few, which reads as a checked number."""
    return str(int(value)) if abs(value) < 2.0**62 else repr(value)


def _level(old: str, new: str) -> Callable[[float, Path], object]:
    def give(value: float, folder: Path) -> object:
        text = LEVEL.format("a")
        assert old in text
        return Game(parse_level(text.replace(old, new.format(_word(value)), 1)))

    return give


def _tiled(name: str) -> Callable[[float, Path], object]:
    def give(value: float, folder: Path) -> object:
        thing = {"id": 1, "type": "wall", "x": 0, "y": 0, "width": 16, "height": 16} | {name: value}
        thing["properties"] = [{"name": "Static", "type": "bool", "value": True}]
        layer = {"type": "objectgroup", "name": "a", "id": 1, "objects": [thing], "x": 0, "y": 0}
        sizes = {"width": 2, "height": 2, "tilewidth": 16, "tileheight": 16, "infinite": False}
        level = {"type": "map", "orientation": "orthogonal", "layers": [layer], "tilesets": [], "version": "1.10"}
        (folder / "level.tmj").write_text(json.dumps(level | sizes), encoding="utf-8")
        return Game(load_level(folder / "level.tmj"))

    return give


def _restored(value: float, folder: Path) -> object:
    board = Board()
    player = board.player(0, 0, id=1)
    board.world.request(player, 1.0)
    blocks = split(board.world.snapshot())
    request = REQUEST.pack(0, 1.0, 0.0, 0.0)
    assert request in blocks.hashed
    before = board.world.snapshot()
    with pytest.raises(SnapshotError):
        hashed = blocks.hashed.replace(request, REQUEST.pack(0, value, 0, 0))
        board.world.restore(blocks._replace(hashed=hashed).joined())
    assert before == board.world.snapshot()
    raise CollisionError("it was refused")


def _set(value: float, folder: Path) -> object:
    motion = Motion(1.0)
    motion.move(1.0, 2.0, 3.0)
    asked = motion._request_state()
    for at in range(6):
        with pytest.raises(CollisionError):
            motion._set_request_state((*asked[:at], value, *asked[at + 1 :]))
        assert asked == motion._request_state()
    raise CollisionError("it was refused")


AT = {
    "a body of a scene": _scene("2 at 2.0", "2 at {}"),
    "a place in a scene": _scene("place 4 at 1.0", "place 4 at {}"),
    "a body that comes to a scene": _scene("add 5 at 9.0", "add 5 at {}"),
    "a request of a scene": _scene("request 1 by 1.0", "request 1 by {}"),
    "a move of a scene": _scene("move 1 by 1.0", "move 1 by {}"),
    "a plan of a scene": _scene("plan 2 by -1.0", "plan 2 by {}"),
    "an impulse of a scene": _scene("impulse 6 by 1.0", "impulse 6 by {}"),
    "where an impulse of a scene acts": _scene("at 0.5 9.0", "at {} 9.0"),
    "a step of a scene": _scene("dt=0.5", 'dt="{}"'),
    "the gravity of a scene": _scene("gravity=[0.0", 'gravity=["{}"'),
    "what a Motion of a scene asks": _scene("asked=[0.5", 'asked=["{}"'),
    "what is left over in a scene": _scene("asked=[0.5, 0.0, 0.0, 0.0", 'asked=[0.5, 0.0, 0.0, "{}"'),
    "a box of a scene": _scene("hx=0.5", 'hx="{}"'),
    "a part of a scene": _scene("parts=[[0.5", 'parts=[["{}"'),
    "an offset of a scene": _scene("0.5, 0.5, 0.5, 0.0", '0.5, 0.5, 0.5, "{}"'),
    "bounds of a scene": _scene("rule=sum", 'rule=sum, bounds=[["{}", 0], [9, 9]]'),
    "the other bounds of a scene": _scene("rule=sum", 'rule=sum, bounds=[[0, 0], ["{}", 9]]'),
    "bins of a scene": _scene("rule=sum", 'rule=sum, bin_size="{}"'),
    "a force of a scene": _scene("Motion(force=2.0", 'Motion(force="{}"'),
    "an inertia of a scene": _scene("Inertia(value=1.0)", 'Inertia(value="{}")'),
    "a force of a move": _scene("force=1.5", 'force="{}"'),
    "a force of a level": _level("force=1.5", "force={}"),
    "an inertia of a level": _level("Inertia(1)", "Inertia({})"),
    **{f"the {name} of an object": _tiled(name) for name in ("x", "y", "width", "height", "rotation")},
    "a request in a snapshot": _restored,
    "what a Motion is set back to": _set,
}
"""Sources of numbers other than parameters, and a call that uses each; the call must be refused."""


@pytest.mark.parametrize("value", HUGE)
@pytest.mark.parametrize("source", AT)
def test_a_number_out_of_range_is_refused_from_every_source_L3(tmp_path: Path, source: str, value: float) -> None:
    with pytest.raises(CollisionError):
        played = AT[source](value, tmp_path)
        if source == "a force of a move":  # which is checked when the move is made
            refusals = [line for each in Player(played).play() for line in each.outcome if line.startswith("refused: ")]  # type: ignore[arg-type]
            assert len(refusals) == 1
            raise CollisionError(refusals[0])


@pytest.mark.parametrize("source", [source for source, give in AT.items() if give not in (_restored, _set)])
def test_each_refusal_is_for_the_size_of_the_number(tmp_path: Path, source: str) -> None:
    AT[source]({"what is left over in a scene": 0.0, "the rotation of an object": 90.0}.get(source, 1.0), tmp_path)


def test_the_scene_before_its_words_are_replaced_can_be_played() -> None:
    played = list(Player(parse_scene(SCENE)).play())
    assert [] == [line for each in played for line in each.outcome if line.startswith("refused: ")]


# Sums.


def checked(world: CollisionWorld) -> CollisionWorld:
    """Return a world after `check()` and a restore of its own snapshot."""
    world.check()
    kept = world.snapshot()
    world.restore(kept)
    assert kept == world.snapshot()
    return world


@pytest.mark.parametrize("sign", [1, -1])
def test_requests_whose_sum_is_out_of_range_are_refused_L3(sign: int) -> None:
    board = Board()
    player = board.player(0, 0, id=1)
    motion = board.world._bodies.of(board.world._bodies.row(player)).motion
    assert motion is not None
    board.world.request(player, sign * MAX_COORDINATE / 2)
    motion.move(sign * MAX_COORDINATE / 4, 0, 3)
    motion.move(sign * MAX_COORDINATE / 4)
    for ask in (motion.move, lambda by: board.world.request(player, by)):
        for by in (LATTICE, MAX_COORDINATE / 8, MAX_COORDINATE, 1e14, 1e308):
            with pytest.raises(CollisionError, match=r"Motion\.dx of entity 1 is -?[0-9.e+]+, but it must be at "):
                ask(sign * by)
            assert (sign * MAX_COORDINATE, 0.0, 3.0) == (motion.dx, motion.dy, motion.dz)
    checked(board.world).step()
    assert (2.0**20 - 1 - LATTICE if sign > 0 else -(2.0**20)) == board.at(player)[0], "at the end of the world"
    checked(board.world)


def test_requests_kept_after_a_failed_frame_and_made_meanwhile_stay_in_range_L3() -> None:
    """A hook makes a request and raises: the sum of both requests is limited to the range."""
    asking: list[Motion] = []

    def hook(*_: object) -> None:
        if asking:
            asking.pop().move(MAX_COORDINATE, -MAX_COORDINATE, 1.0)
            raise ZeroDivisionError

    board = Board(can_push=hook)
    player = board.player(0, 0, id=1)
    board.crate(1, 0)
    motion = board.world._bodies.of(board.world._bodies.row(player)).motion
    assert motion is not None
    asking.append(motion)
    board.world.request(player, MAX_COORDINATE, -MAX_COORDINATE, 2.0)
    with pytest.raises(ZeroDivisionError):
        board.world.step()
    assert (MAX_COORDINATE, -MAX_COORDINATE, 3.0) == (motion.dx, motion.dy, motion.dz)
    checked(board.world).step()
    checked(board.world)


def test_the_deferred_part_of_a_request_and_its_remainder_stay_in_range_L2_L3() -> None:
    """Axis by axis: x is done, y is deferred and with its remainder one step out of range."""
    raising: list[int] = []

    def hook(*_: object) -> None:
        if raising:
            raise ZeroDivisionError

    board = Board(can_push=hook, order="front_first")
    player = board.player(90, 0, id=1)
    other = board.player(50, 50, id=2)
    board.crate(51, 50)
    motion = board.world._bodies.of(board.world._bodies.row(player)).motion
    assert motion is not None
    motion._set_request_state((1.0, MAX_COORDINATE, 0.0, 0.0, LATTICE, 0.0, 0, 1, 0))
    board.world._bodies.requests.add(board.world._bodies.row(player))
    board.world.request(other, 5.0)
    raising.append(1)
    with pytest.raises(ZeroDivisionError):
        board.world.step()
    assert MAX_COORDINATE == motion.dy
    raising.clear()
    checked(board.world).step()
    checked(board.world)
