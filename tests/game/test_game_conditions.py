"""Conditions in words: their meaning, and their errors."""

from __future__ import annotations

import pytest
from rooms import room

from ecs_collision import CollisionError, LevelError, UnknownEntity
from ecs_collision.game import Game
from ecs_collision.levels import ConditionError, parse_condition

PLAN = ("########", "#@&$.* #", "########")
"""One crate on the only plate, another beside; the goal and the gem are free."""


@pytest.mark.parametrize(
    ("condition", "met"),
    [
        ("all crate on plate", False),
        ("any crate on plate", True),
        ("no crate on plate", False),
        ("no crate on goal", True),
        ("1 crate on plate", True),
        ("2 crate on plate", False),
        ("crate 1 on plate", True),
        ("crate 2 on plate", False),
        ('"crate 1" on "plate"', True),
        ("no gem", False),
        ("all player on goal", False),
        ("any crate on plate and no crate on goal", True),
        ("any crate on plate and no gem", False),
    ],
)
def test_a_condition_means(condition: str, met: bool) -> None:
    game = Game(room(*PLAN))
    game.win = condition
    assert met == game.solved
    assert condition.replace('"plate"', "plate").replace('"crate 1"', "crate 1").replace(
        "1 crate on", "any crate on", condition[0] == "1"
    ) == str(game.win)


def test_disabled_things_do_not_count() -> None:
    game = Game(room(*PLAN))
    game.win = "all crate on plate and no gem"
    game.disable("crate 2")
    game.disable("gem")
    assert game.solved
    game.win = "crate 2 on plate"
    assert not game.solved
    game.disable("crate")
    game.win = "all crate on plate"
    assert game.solved


@pytest.mark.parametrize(
    ("text", "column", "found", "expected"),
    [
        ("", 1, "the end", "the name or kind of things"),
        ("all", 4, "the end", "the name or kind of things"),
        ("all crate on", 13, "the end", "the name or kind of triggers"),
        ("crate", 6, "the end", '"on"'),
        ("all on goal", 5, "'on'", "the name or kind of things"),
        ("all crate and goal", 11, "'and'", '"on"'),
        ("all crate on goal or no gem", 19, "'or'", '"and"'),
        ("all crate on goal and", 22, "the end", "the name or kind of things"),
        ("0 crate on goal", 1, "'0'", 'a number from 1 to 1000000, or "no" for none'),
        ('all "" on goal', 6, "''", "the name or kind of things"),
        ('all crate "a" on goal', 12, "'a'", '"on"'),
    ],
)
def test_an_invalid_condition_is_refused_with_its_column(text: str, column: int, found: str, expected: str) -> None:
    with pytest.raises(ConditionError) as caught:
        parse_condition(text)
    error = caught.value
    assert (column, found, expected) == (error.column, error.found, error.expected)
    assert f"the condition {text!r}, column {column}: found {found}; expected {expected}; write it like" in str(error)


@pytest.mark.parametrize(
    ("condition", "error", "message"),
    [
        ("all crane on goal", UnknownEntity, "unknown name 'crane'"),
        ("all crate on gaol", UnknownEntity, "unknown name 'gaol'"),
        ("no crane", UnknownEntity, "unknown name 'crane'"),
        ("all crate on player", CollisionError, "'player' is no trigger"),
        ("crate on goal", CollisionError, 'names 2 things \'crate\'; write "all crate on ..." or "any crate on ..."'),
    ],
)
def test_a_condition_about_unknown_things_is_refused(condition: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Game(
            room(*PLAN),
        ).win = condition
    with pytest.raises(LevelError, match=message) as refusal:
        Game(room(*PLAN, win=condition))
    assert f"the win condition {condition!r}: " in str(refusal.value)


def test_a_condition_has_a_maximum_length() -> None:
    with pytest.raises(ConditionError, match="found 17995 characters; expected at most 1000") as caught:
        parse_condition(" and ".join(["no crate 1"] * 1200))
    assert 1001 == caught.value.column
    assert len(str(caught.value)) < 400
