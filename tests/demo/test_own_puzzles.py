"""The included puzzles: each loads, is solved by its play, and requires the feature it teaches."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from material import HOUSE

from ecs_collision import UnknownEntity, puzzles
from ecs_collision.errors import CollisionError
from ecs_collision.game import Game
from ecs_collision.levels import Level, load_level, load_levels, parse_level, write_text
from ecs_collision.plays.files import read_play
from ecs_collision.plays.replaying import verify
from ecs_collision.systems import Puzzle

NAMES = puzzles.names()


def script_of(name: str) -> Path | None:
    script = puzzles.path(name).with_suffix(".py")
    return script if script.exists() else None


def moves_of(name: str) -> str:
    return read_play(puzzles.path(name).with_suffix(".play")).moves


def solves(moves: str, level: Level, script: Any) -> bool:
    """Return whether moves solve a level; an error of the level or script counts as not solved."""
    try:
        game = Game(level, script=script)
        game.play(moves)
    except CollisionError:
        return False
    return game.solved


def test_there_are_at_least_twenty_puzzles_each_with_a_level_and_a_play():
    files = {path.name for path in puzzles.FOLDER.iterdir() if path.name not in ("__init__.py", "__pycache__")}
    assert len(NAMES) >= 20 and set(puzzles.ORDER) == set(NAMES)
    expected = {f"{name}{suffix}" for name in NAMES for suffix in (".txt", ".play")}
    assert expected | {f"{name}.py" for name in NAMES if script_of(name)} == files
    titles = [load_level(puzzles.path(name)).title for name in NAMES]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_is_one_level_with_a_hint_and_is_not_solved_at_the_start(name):
    (level,) = load_levels(puzzles.path(name))
    game = Game(level, script=script_of(name))
    assert game.win is not None and not game.solved
    assert 10 < len(str(level.properties["note"])) < 120
    assert write_text(level) == write_text(parse_level(write_text(level)))


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_is_solved_by_its_play(name):
    play = read_play(puzzles.path(name).with_suffix(".play"))
    verdict = verify(play, scripts=True)
    assert verdict, verdict.problem
    assert play.solved and play.script == (script_of(name) is not None)
    assert play.events and play.places


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_plays_the_same_in_an_esper_world_and_backwards(name):
    play = read_play(puzzles.path(name).with_suffix(".play"))
    game = Game(load_level(puzzles.path(name)), script=script_of(name))
    with Puzzle(puzzles.path(name), script=script_of(name)) as puzzle:
        game.play("."), puzzle.play(".")
        began = game.state_hash()
        assert began == puzzle.state_hash()
        game.undo(), puzzle.undo()
        game.play(play.moves), puzzle.play(play.moves)
        assert play.end == game.state_hash() == puzzle.state_hash()
        assert len(play.moves) == puzzle.undo(len(play.moves)) and not puzzle.solved


class Without(NamedTuple):
    """A puzzle without what it teaches: words of its file exchanged, or its script.

    shortcut: moves that solve it then, and not the puzzle; None: its play no longer solves it.
    """

    name: str
    change: dict[str, str] = {}
    script: Any = "its own"
    shortcut: str | None = None


def only_gathering(puzzle):
    """Remove the breaking ice from the gems."""
    for hole in puzzle.select("hole"):
        puzzle.disable(hole)
    puzzle.on_enter("gem", by="player")(lambda event: puzzle.disable(event.trigger))


MEANT = [
    Without("first_push", {"crate: Inertia(1)": "crate: Inertia(2)"}),
    Without("who_goes_first", {"rule: sum": "rule: each"}, shortcut="ULDLLDRURRDULLDDRRUULD"),
    Without("two_trains", {"rule: each": "rule: sum"}),
    Without("too_heavy", {"Inertia(3)": "Inertia(1)"}, shortcut="RRR"),
    Without("two_at_a_time", {"rule: sum": "rule: each"}, shortcut="RRRR"),
    Without("short_train", {"max_chain: 2\n": ""}, shortcut="RRR"),
    Without("foot_in_the_door", {", joined": ""}),
    Without("arm_in_arm", {", joined": ""}),
    Without("links", {", joined": ""}),
    Without("rails", {"Inertia(x=1)": "Inertia(1)", "Inertia(y=1)": "Inertia(1)"}, shortcut="URRDRRRLLLULLDRRRR"),
    Without("one_way", script=None, shortcut="RRRRRUULRDDLLUURRDRRULLLLLL"),
    Without("keep_it_open", script=None),
    Without("two_plates", script=None),
    Without("two_plates", {"_ plate: Trigger": "_ plate: Static"}),
    Without("hurry", {"linger=7": "linger=0"}),
    Without("curtain", {", mask=[crate]": ""}),
    Without("teleporter", script=None),
    Without("twins", {", Fused(left twin)": ""}),
    Without("burr", script=None),
    Without("sleeping_dog", script=lambda puzzle: None, shortcut="LURRRR"),
    Without("fill_the_gap", {"gravity: D\n": ""}),
    Without("the_bridge", {", joined": ""}),
    Without("the_ferry", script=None),
    Without("light_barrier", {"swept=true": "swept=false"}),
    Without("upside_down", script=None),
    Without("thin_ice", script=only_gathering, shortcut="RDDDLRRRURDR"),
    Without("in_step", script=lambda puzzle: puzzle.control("player 1")),
    Without("two_strengths", {"Motion(3.5)": "Motion(1.5)"}),
]


@pytest.mark.parametrize("without", MEANT, ids=lambda without: without.name)
def test_a_puzzle_cannot_be_solved_without_its_feature(without):
    text = puzzles.path(without.name).read_text(encoding="utf-8")
    for old, new in without.change.items():
        assert old in text
        text = text.replace(old, new)
    own = script_of(without.name)
    script = own if without.script == "its own" else without.script
    moves = moves_of(without.name)
    changed = parse_level(text, name=f"{without.name}.txt")
    if without.shortcut is None:
        assert not solves(moves, changed, script)
        return
    assert solves(without.shortcut, changed, script)
    assert not solves(without.shortcut, load_level(puzzles.path(without.name)), own)


def test_every_puzzle_is_tested_without_its_feature():
    assert set(NAMES) == {without.name for without in MEANT}


def test_the_documents_describe_each_puzzle():
    guide = (HOUSE / "docs" / "levels.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| \S.* \|$", guide, re.MULTILINE)
    assert list(puzzles.ORDER) == [name for name in rows if name in NAMES]


def test_an_unknown_puzzle_is_refused_with_the_known_names():
    with pytest.raises(UnknownEntity, match="unknown puzzle 'last_push'; puzzles are first_push, who_goes_first, "):
        puzzles.path("last_push")
