"""Invalid arguments of games: the messages, and that nothing changes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from puzzles import MORE, shown
from rooms import room

from ecs_collision import CollisionTypeError, CollisionValueError, Puzzle
from ecs_collision.game import Game

LEVEL = room("########", "#@$ _ D#", "########", more=MORE)
SAMPLE = '{"j": ("player", -1, 0)}'
NAME = "is not the name or kind of a thing; give a str"
KINDS = "'Transform', 'Collider', 'Inertia', 'Motion', 'Sleeping', 'Static', 'Trigger', 'Fused', "
KINDS += "'Velocity', 'Mass', 'Material', 'Contact', "
KINDS += "'Mover', 'Character', 'OneWay', 'Carries', 'Grips', 'Path', 'Lifetime'"


class AFunction:
    """A function with a short name."""

    def __call__(self, *_: object) -> None:
        """Do nothing."""

    def __repr__(self) -> str:
        return "<function>"


a_function = AFunction()


def controls(given: object) -> Callable[[Any], None]:
    return lambda game: setattr(game, "controls", given)


def state(given: object) -> Callable[[Any], None]:
    return lambda game: setattr(game, "state", given)


OPTIONS = (
    "the settings are 'force', 'rule', 'max_chain', 'all_or_nothing', 'through', 'straight'; did you mean 'force'?"
)
PLATES = "give the name or kind of the plates that open it, or a list of them"
MISUSES: dict[str, tuple[Callable[[Any], object], str]] = {
    "door number": (lambda game: game.door("door", opens=3), f"door('door'): opens is 3; {PLATES}"),
    "door dict": (lambda game: game.door("door", opens={"plate": 1}),
        f"door('door'): opens is {{'plate': 1}}; {PLATES}"),
    "door by list": (lambda game: game.door("door", "plate", by=["crate"]), f"['crate'] {NAME}"),
    "go_to": (lambda game: game.go_to(3), "go_to() got 3; give what moment() returned"),
    "go_to None": (lambda game: game.go_to(None), "go_to() got None; give what moment() returned"),
    "move option": (lambda game: game.move("crate", 1, forse=2), f"'forse' is not a setting of a motion; {OPTIONS}"),
    "plan option": (lambda game: game.plan("crate", 1, forse=2), f"'forse' is not a setting of a motion; {OPTIONS}"),
    "get array": (lambda game: game.get("crate", numpy.zeros(2)),
        f"array([0., 0.]) is not a component here; the components are {KINDS}"),
    "id list": (lambda game: game.id(["crate"]), f"['crate'] {NAME}"),
    "position list": (lambda game: game.position(["crate"]), f"['crate'] {NAME}"),
    "before": (lambda game: game.before(a_function),
        'before() got <function>; give it the letters, as in @game.before("LRUD")'),
    "on_enter": (lambda game: game.on_enter(a_function),
        "on_enter got <function>; add parentheses: @game.on_enter()"),
    "on_push": (lambda game: game.on_push(a_function),
        "on_push got <function>; add parentheses: @game.on_push()"),
    "controls list": (controls(["j"]), f"controls is ['j']; give a dict such as {SAMPLE}"),
    "controls short": (controls({"j": ("player", 1)}),
        f"control 'j' is ('player', 1); give what it moves, dx and dy, as in {SAMPLE}"),
    "controls text": (controls({"j": "abc"}), f"control 'j' is 'abc'; give what it moves, dx and dy, as in {SAMPLE}"),
    "controls selector": (controls({"j": (["player"], 1, 0)}), f"['player'] {NAME}"),
    "control": (lambda game: game.control(["player"]), f"['player'] {NAME}"),
    "state number": (state(3), 'state is 3; give a dict, such as {"score": 0}'),
    "state list": (state([("a", 1)]), "state is [('a', 1)]; give a dict, such as {\"score\": 0}"),
    "set unnamed": (
        lambda game: game.set("crate", "Inertia", 2),
        "set('crate', 'Inertia', ...) got 2 without a field name; name the field, as in "
        'set("crate", "Inertia", value=2)',
    ),
    "set no component": (lambda game: game.set("crate", 3, value=2),
        f"3 is not a component here; the components are {KINDS}"),
    "at": (lambda game: game.at("a", 1), "column must be a number, not 'a'; give an int or a float"),
    "at row": (lambda game: game.at(1, None), "row must be a number, not None; give an int or a float"),
    "fits": (lambda game: game.fits("crate", "a"), "x of 'crate' must be a number, not 'a'; give an int or a float"),
    "teleport": (lambda game: game.teleport("crate", 1, "b"),
        "y of 'crate' must be a number, not 'b'; give an int or a float"),
}  # fmt: skip


@pytest.mark.parametrize(("misuse", "words"), MISUSES.values(), ids=MISUSES)
@pytest.mark.parametrize("kind", [Game, Puzzle])
def test_an_invalid_argument_raises_with_a_remedy_and_changes_nothing(
    kind: Any, misuse: Callable[[Any], object], words: str
) -> None:
    game = kind(LEVEL)
    try:
        before = shown(game), game.state, dict(game.controls), game.letters
        with pytest.raises(CollisionTypeError) as caught:
            misuse(game)
        assert words == str(caught.value)
        assert before == (shown(game), game.state, dict(game.controls), game.letters)
    finally:
        if kind is Puzzle:
            game.close()


@pytest.mark.parametrize("given", [None, 3, ["all"], numpy.zeros(2), "none"], ids=str)
def test_what_is_none_of_a_few_words_is_refused_with_these_words(given: Any) -> None:
    game = Game(LEVEL)
    with pytest.raises(CollisionValueError, match=r"door\('door'\): needs is .*; it must be \"all\" or \"any\""):
        game.door("door", "plate", needs=given)
    with pytest.raises(CollisionValueError, match=r"rails\('crate', .*\): the axis must be \"x\" or \"y\""):
        game.rails("crate", given)


def test_an_invalid_argument_of_a_puzzle_alone_raises_with_a_remedy() -> None:
    with Puzzle(LEVEL) as puzzle:
        with pytest.raises(CollisionTypeError, match=rf"\['crate'\] {NAME}"):
            puzzle.entity(["crate"])  # type: ignore[arg-type]
        with pytest.raises(CollisionTypeError, match=r"process_arguments is 3; give a tuple, such as \(dt,\)"):
            puzzle.process_arguments = 3  # type: ignore[assignment]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_game_is_saved_and_not_copied(copied: Callable[[Any], object]) -> None:
    words = (
        "cannot be copied or pickled; keep the bytes of snapshot() and restore() them in this game or in another one "
        "of the same level and script"
    )
    game = Game(LEVEL)
    with pytest.raises(CollisionTypeError) as caught:
        copied(game)
    assert f"a Game {words}" == str(caught.value)
    game.turn("R")
    other = Game(LEVEL)
    other.restore(game.snapshot())
    assert shown(game) == shown(other)
    with Puzzle(LEVEL) as puzzle, pytest.raises(CollisionTypeError) as caught:
        copied(puzzle)
    assert f"a Puzzle {words}" == str(caught.value)


@pytest.mark.parametrize("script", [True, 3, ["a"]], ids=repr)
def test_a_script_is_a_function_or_a_file(script: Any) -> None:
    words = f"script is {script!r}; give a function that takes the game, or the path of a Python file with def script"
    with pytest.raises(CollisionTypeError) as caught:
        Game(LEVEL, script=script)
    assert f"{words}(puzzle): ..." == str(caught.value)
