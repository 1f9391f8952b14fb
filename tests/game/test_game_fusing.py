"""Fusing, sticky things and unfusing, combined with the other features."""

from __future__ import annotations

from typing import Any

import pytest
from puzzles import shown
from rooms import room

from ecs_collision import CollisionError, CollisionValueError
from ecs_collision.game import Game

MORE = {
    "s": ("slime", {"Inertia": {"value": 0.25}}),
    "a": ("a", {"Trigger": {}}),
    "b": ("b", {"Trigger": {}}),
}


def played(*rows: str, **level: Any) -> Game:
    return Game(room(*rows, more=MORE, **level))


def cells(game: Game, kind: str) -> list[tuple[int, int]]:
    return [game.cell(name) for name in game.select(kind)]


def test_fused_things_move_as_one() -> None:
    game = played("#######", "#@s   #", "# s   #", "#  s  #", "#######")
    game.fuse("slime 1", "slime 2")
    assert ["slime 1", "slime 2"] == game.fused("slime 2")
    game.turn("R")
    assert [(3, 1), (3, 2), (3, 3)] == cells(game, "slime")
    game.fuse("slime 2", "slime 3")
    game.turn("R")
    assert [(4, 1), (4, 2), (4, 3)] == cells(game, "slime")
    game.unfuse("slime 2")
    assert (["slime 2"], ["slime 1", "slime 3"]) == (game.fused("slime 2"), game.fused("slime 1"))
    game.turn("R")
    assert [(5, 1), (4, 2), (5, 3)] == cells(game, "slime")
    game.world.check()


@pytest.mark.parametrize("names", [("a",), ("a", "a"), ("slime 1", "slime 1", "slime 1")], ids=" ".join)
def test_a_thing_is_not_fused_to_itself(names: tuple[str, ...]) -> None:
    game = played("#######", "#@s s #", "# a   #", "#######")
    given = ", ".join(map(repr, names))
    with pytest.raises(CollisionValueError) as caught:
        game.fuse(*names)
    assert f"fuse({given}) names only {names[0]!r}; name at least two different things to fuse" == str(caught.value)
    assert ["slime 1"] == game.fused("slime 1")


def test_fusing_is_undone_with_the_turn_and_restored_from_a_save() -> None:
    game = played("########", "#@ss   #", "#   s  #", "########")
    game.on_turn(lambda turn: game.fuse("slime 1", "slime 2") if turn.letter == "R" else game.unfuse("slime"))
    before = shown(game)
    game.turn("R")
    fused, saved = shown(game), game.snapshot()
    assert ["slime 1", "slime 2"] == game.fused("slime 1")
    game.undo()
    assert (before, ["slime 1"]) == (shown(game), game.fused("slime 1"))
    game.redo()
    assert fused == shown(game)
    game.turn(".")
    assert ["slime 1"] == game.fused("slime 1")
    game.restore(saved)
    assert fused == shown(game)
    other = played("########", "#@ss   #", "#   s  #", "########")
    other.restore(saved)
    assert other.snapshot() == saved
    game.world.check()


def test_sticky_things_that_touch_are_one_from_then_on() -> None:
    game = played("########", "#@s s  #", "#    s #", "########")
    game.sticky("slime")
    game.turn("R")
    assert ["slime 1", "slime 2"] == game.fused("slime 1")
    turn = game.turn("R")
    assert (["slime 1", "slime 2", "slime 3"], 2) == (game.fused("slime 3"), turn.rounds)
    game.turn("R")
    assert [(5, 1), (6, 1), (6, 2)] == cells(game, "slime")
    assert not game.turn("R").moved
    game.undo(2)
    assert ["slime 3"] == game.fused("slime 3")


def test_things_that_touch_at_the_start_are_fused() -> None:
    game = played("#######", "#@ss  #", "#  s  #", "#######")
    game.sticky("slime")
    game.start()
    assert ["slime 1", "slime 2", "slime 3"] == game.fused("slime 1")
    game.restart()
    game.turn("R")
    assert [(3, 1), (4, 1), (4, 2)] == cells(game, "slime")


def test_things_may_stick_to_others_only() -> None:
    game = played("########", "#@s$s  #", "########")
    game.sticky("slime", to="player")
    game.start()
    assert ["player", "slime 1"] == game.fused("player")
    assert ["slime 2"] == game.fused("slime 2")
    assert game.turn("R").moved
    assert game.turn("L").moved, "what sticks to the player is pulled"
    assert (2, 1) == game.cell("slime 1")


def test_a_fused_group_falls_as_a_whole_and_is_supported_by_any_member() -> None:
    game = played("#ss   #", "#  D  #", "#     #", "#######", gravity="D")
    game.fuse("slime 1", "slime 2")
    assert {"slime 1": (0.0, 2.0), "slime 2": (0.0, 2.0)} == game.settle()
    game = played("#ss   #", "#  s  #", "# D   #", "#######", gravity="D")
    game.fuse("slime 1", "slime 2", "slime 3")
    game.start()
    assert [(1, 0), (2, 0), (3, 1)] == cells(game, "slime") or [(1, 1), (2, 1), (3, 2)] == cells(game, "slime")
    assert {} == game.settle()


def test_fused_players_move_once() -> None:
    game = played("#######", "#@@   #", "#######")
    game.fuse("player 1", "player 2")
    assert game.turn("R").moved
    assert [(2, 1), (3, 1)] == cells(game, "player")


def test_a_group_is_teleported_as_a_whole_or_not_at_all() -> None:
    game = played("##########", "#@sa  b  #", "# s      #", "##########")
    game.fuse("slime 1", "slime 2")
    game.teleporter("a", "b", by="slime")
    game.turn("R")
    assert [(6, 1), (6, 2)] == cells(game, "slime")
    game = played("##########", "#@sa  b  #", "# s   D  #", "##########")
    game.fuse("slime 1", "slime 2")
    game.teleporter("a", "b", by="slime")
    game.turn("R")
    assert [(3, 1), (3, 2)] == cells(game, "slime")
    assert not game.fits("slime 1", 6.5, 1.5)
    game.teleport("slime 1", 4.5, 1.5)
    assert [(4, 1), (4, 2)] == cells(game, "slime")


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda game: game.fuse("slime 1", "wall"), "fuse: 'wall' is Static and never moves; remove Static from it"),
        (lambda game: game.sticky("wall"), "sticky 'wall': 'wall' is Static"),
        (lambda game: game.sticky("slime", to="wall"), "sticky 'slime' to 'wall': 'wall' is Static"),
        (lambda game: game.fuse("slime", "player"), "'slime' selects 2 things, but one is needed"),
        (lambda game: game.fuse("slime 1", "stranger"), "unknown name 'stranger'"),
        (lambda game: game.unfuse("stranger"), "unknown name 'stranger'"),
    ],
)
def test_invalid_fusing_is_refused(declare: Any, message: str) -> None:
    game = played("######", "#@ss #", "######")
    with pytest.raises((CollisionError, KeyError)) as caught:
        declare(game)
    assert message in str(caught.value)
    assert ["slime 1"] == game.fused("slime 1")


def test_handlers_of_any_member_receive_events_of_the_group_by_its_root() -> None:
    game = played("#######", "#@s   #", "# s_  #", "#######")
    game.fuse("slime 1", "slime 2")
    texts: list[str] = []
    for name in ("slime 1", "slime 2"):
        game.on_push(name)(lambda event, name=name: texts.append(f"{name}: {event}"))
        game.on_move(name)(lambda event, name=name: texts.append(f"{name}: {event}"))
    game.on_enter("plate", by="slime 2")(lambda event: texts.append(str(event)))
    game.turn("R")
    assert [
        "slime 1: slime 1 moved",
        "slime 2: slime 2 moved",
        "slime 1: player pushed slime 1",
        "slime 2: player pushed slime 1",
    ] == texts[:4]
    assert "entered plate" in texts[4]


def test_each_of_a_group_is_in_a_trigger_by_itself() -> None:
    game = played("#######", "#@s   #", "# s_a #", "#######")
    game.fuse("slime 1", "slime 2")
    game.win = "slime 2 on plate and no player on plate"
    game.turn("R")
    assert (["slime 2"], [], True) == (game.inside("plate"), game.inside("a"), game.solved)
    game.win = "slime 1 on plate"
    assert not game.solved
