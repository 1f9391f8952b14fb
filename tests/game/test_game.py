"""Playing a level: turns, controls, handlers, rounds and the win condition."""

from __future__ import annotations

from typing import Any

import pytest
from rooms import room

from ecs_collision import (
    CollisionError,
    CollisionTypeError,
    CollisionValueError,
    ContactBegan,
    ContactEnded,
    LevelError,
    ReentryError,
    TriggerEntered,
    UnknownEntity,
)
from ecs_collision.game import Game
from ecs_collision.levels import parse_level

CORRIDOR = room("########", "#@ $ . #", "########", win="all crate on goal")


def event_texts(turn: Any) -> list[str]:
    return [str(event) for event in turn.events]


def test_a_crate_is_pushed_to_its_goal() -> None:
    game = Game(CORRIDOR)
    turns = game.play("R R r")
    assert [True, True, True] == [turn.moved for turn in turns]
    assert "RRR" == game.moves
    assert ["player moved", "crate moved", "player pushed crate", "crate entered goal"] == event_texts(turns[2])
    assert game.solved
    assert (5, 1) == game.cell("crate") == game.cell("goal")


def test_a_blocked_turn_takes_no_time_and_is_not_recorded() -> None:
    game = Game(CORRIDOR)
    game.start()
    frame = game.world.frame_number
    turn = game.turn("U")
    assert (False, 0) == (turn.moved, turn.rounds)
    assert ["wall blocked player"] == event_texts(turn)
    assert (
        "player (force 1.5) moved y 0 of -1; y stopped after 0 by wall (immovable): it cannot be pushed"
        == turn.explain()
    )
    assert ("", frame) == (game.moves, game.world.frame_number)
    game.world.check()


def test_two_crates_are_too_heavy_by_the_rule_of_the_level() -> None:
    plan = ("######", "#@$$ #", "######")
    assert not Game(room(*plan)).turn("R")
    assert Game(room(*plan), rule="each").turn("R")


def test_waiting_passes_a_turn() -> None:
    game = Game(CORRIDOR)
    calls = []
    game.on_turn(lambda turn: calls.append(turn.letter))
    game.wait()
    game.turn("L")
    game.turn(".")
    assert ([".", "."], "..") == (calls, game.moves)


def test_all_players_move_the_front_ones_first() -> None:
    game = Game(room("######", "#@@ ##", "#@ @##", "######"))
    turn = game.turn("R")
    assert {"player 1": 2, "player 2": 3, "player 3": 2, "player 4": 3} == {
        name: game.cell(name)[0] for name in game.select("player")
    }
    assert ["player 4", "player 2", "player 1", "player 3"] == list(turn.results)


def test_controls_move_what_they_name() -> None:
    level = room("#####", "#s b#", "#####", more={"s": ("small", {"Motion": {}}), "b": ("big", {"Motion": {}})})
    game = Game(level)
    with pytest.raises(
        CollisionError,
        match=r"the letter 'R' moves nothing; declare letters with game.control.* the kind 'player'",
    ):
        game.turn("R")
    game.control("small", "lrud")
    game.control("big", "LRUD")
    assert [True, False] == [turn.moved for turn in game.play("rL")]
    assert ((2, 1), (3, 1)) == (game.cell("small"), game.cell("big"))
    game.controls = {"j": ("small", -0.5, 0)}
    game.turn("j")
    assert (2.0, 1.5, 0.0) == game.position("small")


def test_a_level_in_which_nothing_can_move_says_how_to_give_components() -> None:
    still = room("#####", "#$ .#", "#####")
    with pytest.raises(CollisionError) as caught:
        Game(still).turn("R")
    assert (
        f"the letter 'R' moves nothing; {still.source} has no thing that can move; give components with kinds= or "
        '--kinds, as in {"name:hero": "player", "player": {"Motion": {"force": 2}}} '
        "(docs/levels.md, Components for files without them)"
    ) == str(caught.value)


def test_unknown_letters_are_refused_before_anything_is_played() -> None:
    game = Game(CORRIDOR)
    with pytest.raises(CollisionError, match=r"the letter 'x' moves nothing; there are 'L', 'R', 'U', 'D', '.'"):
        game.play("RRx")
    assert "" == game.moves


def test_letters_must_be_text() -> None:
    game: Any = Game(CORRIDOR)
    with pytest.raises(CollisionTypeError, match=r"turn\(\) got 3; give a letter in a str"):
        game.turn(3)
    with pytest.raises(CollisionTypeError, match=r"play\(\) got None; give letters in a str"):
        game.play(None)


@pytest.mark.parametrize("letters", ["LRU", "LRUDX", "LLUD", 7, "LRU.", "LRU "])
def test_controls_take_four_different_letters(letters: Any) -> None:
    with pytest.raises(CollisionError, match="letter"):
        Game(CORRIDOR).control("player", letters)


# Handlers.


def test_handlers_receive_events_with_names_and_in_order() -> None:
    game = Game(room("#######", "#@$._ #", "#######"))
    calls: list[str] = []

    @game.on_enter("goal")
    def enter(event: Any) -> None:
        calls.append(
            f"first {event} {event.event == TriggerEntered(event.frame, game.id('goal'), game.id(event.other))}"
        )

    @game.on_enter("goal", by="player")
    def enter_player(event: Any) -> None:
        calls.append(f"second {event}")

    @game.on_leave("goal", by="crate")
    def leave(event: Any) -> None:
        calls.append(f"{event} {event.reason!r}")

    game.on_push("crate", by="player")(lambda event: calls.append(f"{event} {event.displacement}"))
    game.on_move()(lambda event: calls.append(str(event)))
    game.on_block("player", by="crate")(lambda event: calls.append(f"{event} {event.reason!r}"))
    game.play("RR")
    assert [
        "player moved", "crate moved", "player pushed crate (1.0, 0.0, 0.0)", "first crate entered goal True",
        "player moved", "crate moved", "player pushed crate (1.0, 0.0, 0.0)", "crate left goal MOVED",
        "first player entered goal True", "second player entered goal",
    ] == calls  # fmt: skip
    del calls[:]
    game.play("RR")
    assert ["player moved", "crate moved"] == calls[:2]
    assert "wall blocked player" not in calls
    with pytest.raises(AttributeError):
        game.play("L")[0].events[0].unknown


def test_what_stands_in_a_trigger_from_the_beginning_is_reported_at_the_start() -> None:
    game = Game(room("#####", "#@&.#", "#####"))
    calls: list[str] = []
    game.on_enter()(lambda event: calls.append(str(event)))
    assert [] == calls
    assert ["crate"] == game.inside("plate")
    assert ["crate entered plate"] == calls
    game.turn("R")
    assert ["crate entered plate", "player entered plate", "crate entered goal"] == calls


def test_changes_take_effect_at_once_and_triggers_report_them_in_the_next_round() -> None:
    game = Game(room("########", "#@$_ .D#", "########"))
    calls: list[str] = []

    @game.on_enter("plate")
    def jump(event: Any) -> None:
        game.teleport(event.other, 5.5, 1.5)
        calls.append(f"{event.other} at {game.cell(event.other)}, goal holds {game.inside('goal')}")

    @game.on_enter("goal")
    def open_door(event: Any) -> None:
        game.disable("door")
        calls.append(f"{event}")

    turn = game.turn("R")
    assert ["crate at (5, 1), goal holds []", "crate entered goal"] == calls
    assert 3 == turn.rounds
    assert not game.is_enabled("door")
    game.enable("door")
    assert game.is_enabled("door")


def test_an_error_stops_no_other_handler_and_all_errors_are_raised() -> None:
    game = Game(room("####", "#@_#", "####"))
    calls: list[str] = []

    @game.on_enter("plate")
    def first(event: Any) -> None:
        raise ValueError("first")

    @game.on_enter("plate")
    def second(event: Any) -> None:
        calls.append("second")

    with pytest.raises(ValueError, match="first"):
        game.turn("R")
    assert ["second"] == calls
    game = Game(room("####", "#@_#", "####"))
    for name in ("a", "b"):

        @game.on_enter("plate")
        def raises(event: Any, name: str = name) -> None:
            raise ValueError(name)

    with pytest.raises(ExceptionGroup, match=r"2 handlers of room.txt raised") as caught:
        game.turn("R")
    assert ["a", "b"] == [str(error) for error in caught.value.exceptions]


def test_an_endless_turn_names_what_keeps_changing() -> None:
    game = Game(room("######", "#@_ _#", "######"))

    @game.on_enter("plate 1")
    def there(event: Any) -> None:
        game.teleport("player", 4.5, 1.5)

    @game.on_enter("plate 2")
    def back(event: Any) -> None:
        game.teleport("player", 2.5, 1.5)

    with pytest.raises(
        CollisionError,
        match=r"turn 'R' of room.txt does not end: after 64 rounds the world is still changed by "
        r"\"on_enter\('plate 2'\) back\"; let them",
    ):
        game.turn("R")


@pytest.mark.parametrize("call", ["turn", "wait", "step", "play"])
def test_turns_do_not_nest(call: str) -> None:
    game = Game(room("####", "#@_#", "####"))
    arguments = {"turn": "R", "play": "R"}

    @game.on_enter("plate")
    def nested(event: Any) -> None:
        getattr(game, call)(*arguments.get(call, ()))

    with pytest.raises(ReentryError, match=r"a handler or hook called .* during turn"):
        game.turn("R")


def test_a_blocked_turn_counts_where_a_handler_changes_something() -> None:
    game = Game(room("#####", "#@D #", "#####"))

    @game.on_block("player", by="door")
    def knock(event: Any) -> None:
        game.disable("door")

    turn = game.turn("R")
    assert (False, "R", False) == (turn.moved, game.moves, game.is_enabled("door"))
    assert game.turn("R").moved


def test_a_thing_that_several_stop_is_blocked_by_each_of_them_by_name() -> None:
    level = "legend\nP player: Motion(2), joined\n# wall: Static\n% rock: Static\nmap\nP#\nP%"
    game = Game(parse_level(level))
    calls: list[Any] = []
    for by in ("wall", "rock"):
        game.on_block("player", by=by)(lambda event, by=by: calls.append((by, event.blocker, event.blockers)))
    turn = game.turn("R")
    names = ("wall", "rock")
    assert [("wall", "wall", names), ("rock", "wall", names)] == calls
    assert ["wall blocked player"] == list(map(str, turn.events))


def test_a_before_handler_may_handle_the_letter() -> None:
    game = Game(room("#####", "#@  #", "#####"))
    game.state["faces"] = "L"

    @game.before("LR")
    def turn_round(letter: str) -> bool:
        turns = game.state["faces"] != letter
        game.state["faces"] = letter
        return turns

    turns = game.play("RRLL")
    assert [True] * 4 == [turn.moved for turn in turns]
    assert [False, True, False, True] == [turn.result is not None for turn in turns]
    assert (1, 1) == game.cell("player")


# Names.


@pytest.mark.parametrize(
    "query",
    [
        lambda game: game.id("crane"),
        lambda game: game.on_enter("goal", by="crane"),
        lambda game: game.control("crane"),
        lambda game: game.set("crane", "Inertia", value=1),
        lambda game: game.inside("crane"),
        lambda game: game.fits("crane"),
        lambda game: game.select("crane"),
        lambda game: setattr(game, "win", "all crane on goal"),
        lambda game: setattr(game, "falls", "crane"),
    ],
)
def test_an_unknown_name_is_refused_where_it_is_given(query: Any) -> None:
    with pytest.raises(
        UnknownEntity, match=r"(unknown name 'crane' in room.txt; |room.txt has no thing named 'crane'; it has )"
    ):
        query(Game(CORRIDOR))


def test_scenery_has_a_position_but_is_not_a_body() -> None:
    game = Game(room("#####", "#@ !#", "#####"))
    assert (3, 1) == game.cell("torch")
    for query in (game.id, game.disable, game.on_push):
        with pytest.raises(
            UnknownEntity, match=r"'torch' is scenery of room.txt: it has no components, so it is not a body"
        ):
            query("torch")


def test_a_component_is_read_and_set_by_name() -> None:
    game = Game(room("#######", "#@$ $ #", "#######"))
    game.set("crate", "Inertia", x=2, y=3)
    assert [(2, 3)] * 2 == [(game.get(name, "Inertia").x, game.get(name, "Inertia").y) for name in game.select("crate")]
    assert not game.turn("R")
    with pytest.raises(CollisionError, match=r"Inertia.y"):
        game.set("crate", "Inertia", x=1, y=-1)
    assert 2 == game.get("crate 1", "Inertia").x
    with pytest.raises(CollisionError, match="'player' has no Inertia; add it in the level, not during the game"):
        game.set("player", "Inertia", value=1)
    with pytest.raises(CollisionError, match="Inertia has no field 'weight'; its fields are 'value', 'x', 'y', 'z'"):
        game.set("crate", "Inertia", weight=1)
    with pytest.raises(CollisionError, match="'Weight' is not a component here; the components are 'Transform'"):
        game.get("crate 1", "Weight")


def test_queries_for_positions() -> None:
    game = Game(room("######", "#@$.D#", "######"))
    assert ["goal"] == game.at(3, 1)
    assert ["wall", "crate"] == sorted(game.touching("player"), reverse=True)
    assert game.fits("crate", 3.5, 1.5)
    assert not game.fits("crate", 3.75, 1.5)
    assert game.fits("crate")
    assert ["crate"] == game.select("crate")
    assert "crate" == game.name(game.id("crate"))
    with pytest.raises(UnknownEntity, match=r"room.txt has no thing with the id 99"):
        game.name(99)


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(CollisionError, match="'gravty' is not a setting of a game; the settings are"):
        Game(CORRIDOR, gravty="D")


def test_a_level_that_cannot_be_spawned_is_refused() -> None:
    far = room("#@#", more={"@": ("player", {"Static": {}, "Motion": {}})})
    with pytest.raises(LevelError, match="Static with Motion"):
        Game(far)


def test_can_push_receives_names() -> None:
    asked: list[tuple[Any, ...]] = []

    def can_push(*push: Any) -> bool | None:
        asked.append(push)
        return False if push[1] == "crate 2" else None

    game = Game(room("######", "#@$  #", "#  $ #", "######"), can_push=can_push)
    assert game.play("R")[0].moved
    assert ("player", "crate 1", "x", 1.5) == asked[-1]
    game.play("LDR")
    assert not game.turn("R")


# Winning.


def test_a_win_is_reported_once_and_handlers_may_go_on() -> None:
    game = Game(CORRIDOR)
    calls: list[str] = []

    @game.on_solved
    def solved() -> None:
        calls.append(game.moves)
        game.disable("crate")

    game.play("RRR")
    assert ["RR"] == calls
    assert game.solved, "a crate that has vanished need not be anywhere"
    game.play("LR")
    assert ["RR"] == calls


def test_a_function_may_be_the_win_condition() -> None:
    game = Game(CORRIDOR)

    @game.win_when
    def far() -> bool:
        return game.cell("player") == (3, 1)

    assert not game.solved
    game.play("RR")
    assert game.solved
    game.win = None
    assert not game.solved
    with pytest.raises(CollisionError, match='win is 7; give one such as "all crate on goal", a function, or None'):
        game.win = 7  # type: ignore[assignment]


# Real time.


def test_contacts_have_names_and_come_back_with_undo_C5_N1() -> None:
    text = "legend\n# wall: Static\n@ player: Motion(1.5), Contact(linger=1)\n$ crate: Inertia(1)\nmap\n#@.$\n"
    game = Game(parse_level(text))
    game.control("player")
    assert ["wall"] == game.contacts("player")
    seen = [str(event) for event in game.turn("R").events if event.kind in (ContactBegan, ContactEnded)]
    assert ["player came into contact with crate"] == seen
    assert ["wall", "crate"] == game.contacts("player"), "the contact with the wall lingers"
    game.undo()
    assert ["wall"] == game.contacts("player")
    with pytest.raises(CollisionValueError, match="'crate' does not ask for its contacts; give it the comp"):
        game.contacts("crate")
