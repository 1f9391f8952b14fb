"""Undo, saved games, and failed turns: the game is restored exactly."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from boards import trials
from puzzles import SCRIPTED, YARD, shown, walk, yard
from rooms import room

from ecs_collision import BoxCollider, CollisionError, CollisionTypeError, LevelError, SnapshotError, Transform
from ecs_collision.game import Game
from ecs_collision.game.history import History
from ecs_collision.game.saving import pack, unpack
from ecs_collision.levels import Level


def scripted(level: Level = YARD, **how: Any) -> Game:
    return Game(level, script=yard, **how)


@pytest.mark.parametrize("name", SCRIPTED)
@pytest.mark.parametrize("seed", range(3))
def test_undo_restores_every_turn_and_redo_repeats_it(seed: int, name: str) -> None:
    level, script = SCRIPTED[name]
    game = Game(level, script=script)
    seen = [shown(game)]
    for letter in walk(seed, 60):
        game.turn(letter)
        if len(game.moves) == len(seen):
            seen.append(shown(game))
    assert len(seen) > 20
    for expected in reversed(seen[:-1]):
        assert 1 == game.undo()
        assert expected == shown(game)
    assert (0, False) == (game.undo(), game.can_undo)
    for expected in seen[1:]:
        assert 1 == game.redo()
        assert expected == shown(game)
    assert (0, False) == (game.redo(), game.can_redo)
    game.world.check()


def test_undo_and_redo_call_no_handlers_and_a_new_turn_discards_redo() -> None:
    game = scripted()
    heard: list[str] = []
    game.on_move()(lambda event: heard.append(str(event)))
    game.play("RRD")
    del heard[:]
    assert 2 == game.undo(2)
    assert 1 == game.redo()
    assert [] == heard
    game.play("L")
    assert (False, 0) == (game.can_redo, game.redo(5))
    assert 3 == game.undo(100)


def test_blocked_turns_keep_redo() -> None:
    game = Game(room("#####", "#@  #", "#####"))
    game.play("RR")
    game.undo()
    assert not game.turn("U").moved
    assert (1, "RR") == (game.redo(), game.moves)


def test_restart_returns_to_the_start_and_can_be_undone() -> None:
    game = scripted()
    start = shown(game)
    game.play("RRDDLLRR")
    end = shown(game)
    game.restart()
    assert start == shown(game)
    game.restart()
    game.undo()
    assert end == shown(game)
    game.redo()
    assert start == shown(game)


# Limits.


def test_the_state_dict_stays_the_same_object() -> None:
    game = scripted()
    state = game.state
    game.play("RR")
    game.undo(2)
    assert state is game.state
    game.state = {"fresh": 1}
    assert {"fresh": 1} == state


def test_many_turns_fit_in_memory_and_can_all_be_undone() -> None:
    game = scripted(undo_limit=900)
    start = 0
    hashes = {}
    for number, letter in enumerate(walk(7, 1500)):
        game.turn(letter)
        if number % 150 == 0:
            hashes[len(game.moves)] = game.state_hash()
        start = max(start, len(game.moves))
    history = game._history
    assert len(game.moves) > 960
    assert 900 == len(history.past)
    per_turn = history.byte_count / len(history.past)
    assert per_turn < 400
    while game.undo():
        expected = hashes.get(len(game.moves))
        assert expected is None or expected == game.state_hash()
    assert start - 900 == len(game.moves)
    assert 900 == game.redo(10_000)


def test_memory_is_limited_by_bytes_too() -> None:
    game = scripted(undo_bytes=20_000)
    game.play(walk(3, 400))
    assert game._history.byte_count <= 20_000
    assert 20 < game.undo(10_000) < 300


def test_without_undo_no_history_is_kept_and_a_failed_turn_is_rolled_back() -> None:
    game = scripted(undo_limit=0)
    before = shown(game)

    @game.on_move("player 1")
    def fail(event: Any) -> None:
        game.disable("crate")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        game.turn("R")
    assert before == shown(game)
    assert not game.can_undo
    assert 0 == len(game._history.past)


@pytest.mark.parametrize("limit", [-1, 1.5, "many", None])
def test_a_limit_is_an_integer(limit: Any) -> None:
    with pytest.raises(CollisionError, match="undo_limit"):
        History(limit, 10)


# Turns that fail.


def fail_in_handler(game: Game) -> None:
    @game.on_enter("plate")
    def fail(event: Any) -> None:
        game.teleport("crate 1", 5.5, 4.5)
        game.state["deep"] = [1]
        raise ValueError("on purpose")


def fail_before(game: Game) -> None:
    @game.before("R")
    def fail(letter: str) -> bool:
        game.move("player 1", 1)
        raise ValueError("on purpose")


def fail_in_state(game: Game) -> None:
    @game.on_turn
    def fail(turn: Any) -> None:
        game.state["where"] = {"player": (1, 2)}


def fail_in_write(game: Game) -> None:
    @game.on_turn
    def fail(turn: Any) -> None:
        game.world._bodies.of(game.world._bodies.row(game.id("crate 1"))).transform.x = 10.0**9  # type: ignore[union-attr]


def fail_in_win(game: Game) -> None:
    game.on_solved(lambda: None)

    @game.win_when
    def fail() -> bool:
        if game.cell("player 1") != (1, 1):
            raise ValueError("on purpose")
        return False


def fail_badly(game: Game) -> None:
    @game.on_turn
    def fail(turn: Any) -> None:
        game.disable("door")
        raise KeyboardInterrupt("on purpose")


@pytest.mark.parametrize(
    ("plant", "error", "message"),
    [
        (fail_in_handler, ValueError, "on purpose"),
        (fail_before, ValueError, "on purpose"),
        (fail_in_state, CollisionTypeError,
            r"state\['where'\]\['player'\] is \(1, 2\), which cannot be saved; save only None"),
        (fail_in_write, CollisionError, "outside the range of this world"),
        (fail_in_win, ValueError, "on purpose"),
        (fail_badly, KeyboardInterrupt, "on purpose"),
    ],
)  # fmt: skip
def test_a_turn_that_raises_is_rolled_back(plant: Any, error: type[BaseException], message: str) -> None:
    game = scripted()
    game.play("D")
    before, saved = shown(game), game.snapshot()
    plant(game)
    with pytest.raises(error, match=message):
        game.play("URRR")
    game.undo(len(game.moves) - 1)
    game.win = None
    assert before == shown(game)
    assert saved == game.snapshot()
    game.world.check()


def test_a_start_that_raises_can_be_tried_again() -> None:
    game = Game(room("#####", "#@& #", "#####"))
    trouble = ["at first"]

    @game.on_enter("plate")
    def fail(event: Any) -> None:
        game.state["heard"] = True
        if trouble:
            raise ValueError(trouble.pop())

    with pytest.raises(ValueError, match="at first"):
        game.turn("R")
    assert {} == game.state
    assert game.turn("R").moved
    assert {"heard": True} == game.state


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("a", {1: 2}, r"state\['a'\] has the key 1, which is not a str"),
        ("a", [0, {"b": {1}}], r"state\['a'\]\[1\]\['b'\] is \{1\}, which cannot be saved"),
        ("a", float("nan"), r"state\['a'\] is nan"),
        ("a", float("inf"), r"state\['a'\] is inf"),
        ("a", b"bytes", r"state\['a'\] is b'bytes'"),
        ("a", "\ud800", r"state\['a'\] contains '\\ud800', which UTF-8 cannot encode"),
        ("a", object, r"state\['a'\] is <class 'object'>"),
    ],
)
def test_a_value_that_json_cannot_represent_is_refused_with_its_key(key: str, value: Any, message: str) -> None:
    game = Game(YARD)
    game.on_turn(lambda turn: game.state.update({key: value}))
    with pytest.raises(CollisionTypeError, match=message):
        game.turn("R")
    assert {} == game.state
    assert "" == game.moves


# Saving.


def test_a_state_that_contains_itself_is_refused() -> None:
    game = Game(YARD)
    loop: list[Any] = []
    loop.append(loop)
    game.on_turn(lambda turn: game.state.update(loop=loop))
    with pytest.raises(CollisionTypeError, match="is nested 64 deep or in itself"):
        game.turn("R")


def test_a_saved_game_continues_in_another() -> None:
    game = scripted()
    game.play(walk(5, 30))
    other = scripted()
    other.restore(game.snapshot())
    assert shown(game) == shown(other)
    assert game.snapshot() == other.snapshot()
    letters = walk(6, 40)
    assert [[str(event) for event in turn.events] for turn in game.play(letters)] == [
        [str(event) for event in turn.events] for turn in other.play(letters)
    ]
    assert game.snapshot() == other.snapshot()


def test_a_restore_clears_the_history() -> None:
    game, other = scripted(), scripted()
    game.play(walk(5, 10))
    other.play(walk(6, 10))
    other.undo(2)
    other.restore(game.snapshot())
    assert (False, False, 0, 0) == (other.can_undo, other.can_redo, other.undo(), other.redo())
    assert shown(game) == shown(other)


def test_the_hash_depends_on_the_state_and_not_on_the_moves() -> None:
    game, other = Game(YARD), Game(YARD)
    game.play("RL")
    assert other.state_hash() == game.state_hash()
    assert other.snapshot() != game.snapshot()
    game.state["a"], game.state["b"] = 1, 2
    other.state["b"], other.state["a"] = 2, 1
    assert other.state_hash() == game.state_hash()
    other.state["a"] = 3
    assert other.state_hash() != game.state_hash()
    game.gravity = "U"
    other.state["a"] = 1
    assert other.state_hash() != game.state_hash()


def test_a_damaged_save_is_refused_and_changes_nothing() -> None:
    game = scripted()
    game.play("RRD")
    saved, before = game.snapshot(), shown(game)
    choice = random.Random(1)
    damaged = [saved[:cut] for cut in (0, 3, 20, len(saved) // 2, len(saved) - 1)] + [saved + b"x"]
    for _ in range(trials(300) or 1):
        at = choice.randrange(len(saved))
        damaged.append(saved[:at] + bytes([saved[at] ^ 1 << choice.randrange(8)]) + saved[at + 1 :])
    for data in damaged:
        with pytest.raises(SnapshotError, match="saved game"):
            game.restore(data)
    assert before == shown(game)
    with pytest.raises(CollisionTypeError, match="give the bytes that snapshot"):
        game.restore("text")  # type: ignore[arg-type]
    assert game.can_undo


def test_a_save_of_another_level_is_refused() -> None:
    game = Game(YARD)
    other = Game(room("####", "#@.#", "####"))
    with pytest.raises(SnapshotError, match="the saved game is of another level"):
        game.restore(other.snapshot())


def test_controls_and_gravity_changed_by_handlers_are_undone() -> None:
    game = Game(room("######", "#@  @#", "#$   #", "######"))
    game.control("player 1")

    @game.on_turn
    def swap(turn: Any) -> None:
        game.control("player 2" if game.controls["L"][0] == "player 1" else "player 1")
        game.gravity = "U" if game.gravity is None else None

    assert [("player 1", "R"), ("player 2", "L")] == [(*turn.results, turn.letter) for turn in game.play("RL")]
    assert (None, "player 1") == (game.gravity, game.controls["R"][0])
    game.undo()
    assert ("U", "player 2") == (game.gravity, game.controls["R"][0])
    game.redo()
    assert (None, "player 1") == (game.gravity, game.controls["R"][0])
    game.restart()
    assert (None, "player 1") == (game.gravity, game.controls["R"][0])


# Real time.


def test_undo_in_real_time_returns_to_marks() -> None:
    game = Game(YARD)
    seen = []
    for _ in range(3):
        game.mark()
        seen.append(shown(game))
        for _ in range(5):
            game.request("player 1", 0.125, 0)
            game.step()
    end = shown(game)
    assert [1, 1, 1, 0] == [game.undo() for _ in range(4)]
    assert seen[0] == shown(game)
    assert 3 == game.redo(3)
    assert end == shown(game)
    game.mark()
    assert 1 == game.undo()
    assert seen[2] == shown(game), "a mark at which nothing has happened yet is no step"


# Scripts.


def test_a_script_is_a_function_or_a_file(tmp_path: Path) -> None:
    path = tmp_path / "level.py"
    path.write_text(
        "from dataclasses import dataclass\n"
        "@dataclass\nclass Count:\n    n: int = 0\n"
        "def script(puzzle):\n"
        "    count = Count()\n"
        "    @puzzle.on_turn\n"
        "    def turn(turn):\n"
        "        count.n += 1\n"
        "        puzzle.state['turns'] = count.n\n"
    )
    game = Game(YARD, script=path)
    game.play("RR")
    assert {"turns": 2} == game.state
    assert 2 == len(Game(YARD, script=lambda game: game.play("RR")).moves)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("x = 1\n", None, "no function `script`"),
        ("script = 7\n", None, "script = 7"),
        ("def script(puzzle:\n", 1, "a syntax error"),
        ("x = 1\n1 / 0\n", 2, "ZeroDivisionError: division by zero"),
        ("def script(puzzle):\n\n    puzzle.on_enter('plage')\n", 3,
            "UnknownEntity: unknown name 'plage' in room.txt"),
        ("def script():\n    pass\n", None, "TypeError: script() takes 0 positional arguments but 1 was given"),
    ],
)  # fmt: skip
def test_a_script_that_fails_is_refused_with_its_line(tmp_path: Path, text: str, line: int | None, found: str) -> None:
    path = tmp_path / "level.py"
    path.write_text(text)
    with pytest.raises(LevelError) as caught:
        Game(YARD, script=path)
    assert (str(path), line) == (caught.value.file, caught.value.line)
    assert caught.value.found.startswith(found)


FORGED: dict[str, tuple[Any, ...]] = {
    "no list": (7,),
    "too short": (["x"],),
    "gravity of no direction": ("gravity", "down"),
    "falls unknown": ("falls", "stranger"),
    "no speed of falling": ("fall_speed", None),
    "falling up": ("fall_speed", -0.25),
    "control of nothing": ("controls", {"L": 5}),
    "control without end": ("controls", {"L": ["player", float("inf"), 0]}),
    "control of an unknown thing": ("controls", {"L": ["stranger", 1, 0]}),
    "too many mechanics": ("mechanics", [None, None]),
    "a mechanic beyond its path": ("mechanics", [[9, 0]]),
    "an unknown thing is fused": ("fused", {"stranger": "crate 1"}),
    "fused in a cycle": ("fused", {"crate 1": "crate 2", "crate 2": "crate 1"}),
    "fused to a wall": ("fused", {"crate 1": "wall"}),
    "fused in the save and not in the world": ("fused", {"crate 1": "crate 2"}),
    "a state that is no dict": ("state", [1]),
    "a state out of range": ("state", {"a": float("nan")}),
}


def test_a_script_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match=r"no readable file .*; expected a Python file; check the path"):
        Game(YARD, script=tmp_path / "nothing.py")


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED.keys())
def test_a_forged_save_is_refused_and_changes_nothing(change: tuple[Any, ...]) -> None:
    game = Game(YARD)
    game.platform("crate 1", "RL")
    game.fuse("crate 3", "crate 4")
    game.play("RR")
    before, head = shown(game), unpack(game.snapshot())
    game.undo()
    level_id, values, state = json.loads(head.extra)
    names = ("gravity", "falls", "fall_speed", "controls", "mechanics", "fused")
    if len(change) == 2:
        name, value = change
        values = [value if each == name else old for each, old in zip(names, values, strict=True)]
        data: Any = [level_id, values, value if name == "state" else state]
    else:
        (data,) = change
    forged = pack(head._replace(extra=json.dumps(data).encode()))
    with pytest.raises(SnapshotError):
        game.restore(forged)
    assert game.can_redo
    game.redo()
    assert before == shown(game)
    game.world.check()


def test_a_refused_undo_keeps_the_history() -> None:
    game = Game(room("######", "#@   #", "######"))
    game.play("RRR")
    stranger = game.world.add(transform=Transform(2.5, 9.5), collider=BoxCollider(1.0, 1.0))
    for count in (1, 2):
        with pytest.raises(SnapshotError, match="a body here, but not in the snapshot"):
            game.undo(count)
        assert (True, False, "RRR") == (game.can_undo, game.can_redo, game.moves)
    game.world.remove(stranger)
    assert 3 == game.undo(5)
    game.world.add(stranger, transform=Transform(2.5, 9.5), collider=BoxCollider(1.0, 1.0))
    with pytest.raises(SnapshotError, match="a body here, but not in the snapshot"):
        game.redo()
    game.world.remove(stranger)
    assert 3 == game.redo(5)
    assert (4, 1) == game.cell("player")


def test_an_integer_that_is_too_long_is_refused_at_the_end_of_the_turn() -> None:
    game = Game(room("######", "#@   #", "######"))
    game.on_turn(lambda turn: game.state.update(longest=2**2048 - 1))
    assert game.turn("R")
    assert 1 == game.undo()
    assert 1 == game.redo()
    assert 2**2048 - 1 == game.state["longest"]
    game.on_turn(lambda turn: game.state.update(longest=2**2048))
    with pytest.raises(CollisionTypeError, match=r"state\['longest'\] is an integer of 2049 bits; .* 2048 bits"):
        game.turn("R")
    assert ("R", 2**2048 - 1) == (game.moves, game.state["longest"])


def test_fall_speed_is_saved_and_undone() -> None:
    game = scripted()
    game.start()
    begun = game.state_hash()
    game.mark()
    game.fall_speed = 0.25
    saved = game.snapshot()
    assert begun != game.state_hash()
    assert 1 == game.undo()
    assert (1.0, begun) == (game.fall_speed, game.state_hash())
    game.restore(saved)
    assert 0.25 == game.fall_speed
