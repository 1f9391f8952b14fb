"""Recorded games, replayed move by move beside an independent implementation of the grid game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from judges import STEPS, GridFish, GridSokoban
from material import recorded

from tools.fish import FishGame, parse_fish
from tools.replays import run
from tools.sokoban import SokobanGame, parse_sokoban

ALL = pytest.param(1, 1_000_000, marks=pytest.mark.soak)
"""All games without a limit of moves; `make test` replays every tenth Sokoban game and the short Fish Fillets games."""


LOOK_AROUND = 23
"""A recorded game has no blocked moves, so all directions are planned every so many turns, without moving."""


def look_around_sokoban(judge: GridSokoban, played: SokobanGame, entities: list[int], where: str) -> None:
    for letter, step in STEPS.items():
        possible, pushed = judge.would(letter)
        result = played.game.plan("player", *step).result
        assert possible == result.complete, f"{where}, asking {letter}: {result.explain()}"
        assert ([] if pushed is None else [entities[pushed]]) == list(result.pushed), f"{where}, asking {letter}"


def look_around_fish(judge: GridFish, played: FishGame, entities: list[int], where: str) -> None:
    for fish in set(judge.fish.values()) & set(judge.places):
        for letter, step in STEPS.items():
            chain = judge.would(fish, step)
            result = played.game.plan(played.game.name(entities[fish]), *step).result
            assert bool(chain) == result.complete, f"{where}, asking {letter}: {result.explain()}"
            assert {entities[number] for number in chain - {fish}} == set(result.pushed), f"{where}, asking {letter}"


def check_sokoban(game: dict[str, Any]) -> None:
    judge, played = GridSokoban(game["level"]), SokobanGame(parse_sokoban(game))
    game_of = played.game
    entities = list(game_of.things.members("crate"))
    for turn, letter in enumerate(game["lurd"]):
        where = f"{game['id']}, move {turn} ({letter})"
        if turn % LOOK_AROUND == 0:
            look_around_sokoban(judge, played, entities, where)
        moved, pushed = judge.step(letter)
        accepted, result = played.step(letter.upper())
        assert moved and accepted, f"{where}: refused; {'' if result is None else result.explain()}"
        assert result is not None
        expected = {} if pushed is None else {entities[pushed]: result.requested}
        assert expected == dict(result.pushed), where
        assert judge.player == game_of.cell("player"), where
        if pushed is not None:
            x, y = judge.player
            beyond = (x + int(result.requested[0]), y + int(result.requested[1]))
            assert judge.crates[beyond] == pushed
            assert beyond == game_of.cell(game_of.name(entities[pushed])), where
    assert {game_of.name(entities[number]): cell for cell, number in judge.crates.items()} == {
        name: game_of.cell(name) for name in game_of.select("crate")
    }
    assert judge.is_won(), f"{game['id']}: the recording does not solve the level"
    assert played.is_won(), game["id"]
    game_of.world.check()


def check_fish(game: dict[str, Any]) -> None:
    judge, played = GridFish(game), FishGame(parse_fish(game))
    names = [thing.name for thing in played.game.level.things if thing.kind != "edge"]
    entities = [played.game.id(name) for name in names]

    def expected() -> dict[str, tuple[int, int]]:
        return {names[number]: place for number, place in judge.places.items()}

    def found() -> dict[str, tuple[int, int]]:
        return {name: played.game.cell(name) for name in names if played.game.is_enabled(name)}

    assert expected() == found(), f"{game['level']}: settling at the start"
    for turn, letter in enumerate(game["moves"]):
        where = f"{game['level']}, move {turn} ({letter})"
        if turn % LOOK_AROUND == 0:
            look_around_fish(judge, played, entities, where)
        moved, pushed = judge.step(letter)
        accepted, result = played.step(letter)
        assert moved and accepted, f"{where}: refused; {'' if result is None else result.explain()}"
        assert {entities[number] for number in pushed} == set(() if result is None else result.pushed), where
        assert expected() == found(), where
    assert judge.is_won(), f"{game['level']}: the recording does not win the level"
    assert played.is_won(), game["level"]
    played.game.world.check()


@pytest.mark.parametrize(("every", "max_moves"), [(10, 400), ALL])
def test_recorded_sokoban_games_are_solved_with_the_rule_sum(every: int, max_moves: int) -> None:
    games = recorded("sokoban.json")
    assert len(games) == 506
    played = [game for game in games[::every] if len(game["lurd"]) <= max_moves]
    assert len(played) > 20
    for game in played:
        check_sokoban(game)


@pytest.mark.parametrize(("every", "max_moves"), [(1, 400), ALL])
def test_recorded_fish_fillets_games_are_won_with_compounds(every: int, max_moves: int) -> None:
    games = recorded("fish_fillets.json")
    assert len(games) == 31
    played = [game for game in games[::every] if len(game["moves"]) <= max_moves]
    assert len(played) > 5
    for game in played:
        check_fish(game)


CORRIDOR = {"level": "######\n#@ $.#\n######", "lurd": "rR"}
"""A small level: one step, one push."""

TANK = {
    "level": "tank",
    "w": 7,
    "h": 4,
    "models": [
        # .......    b big fish, s small fish, o a light thing that s carries and loses
        # .b.oo..
        # .b.ss..
        # #######
        {"x": 0, "y": 3, "cells": [[i, 0] for i in range(7)], "weight": 3, "power": 0, "faces": "left", "goal": None},
        {"x": 1, "y": 1, "cells": [[0, 0], [0, 1]], "weight": 1, "power": 2, "faces": "left", "goal": "out"},
        {"x": 3, "y": 2, "cells": [[0, 0], [1, 0]], "weight": 1, "power": 1, "faces": "left", "goal": "out"},
        {"x": 3, "y": 1, "cells": [[0, 0], [1, 0]], "weight": 1, "power": 0, "faces": "left", "goal": None},
    ],
    "moves": "rrrL",
}
"""A small level: turn, move away from under the thing, leave at the right; the big fish leaves at the left."""

FILES = {
    "two games of Sokoban": (parse_sokoban, SokobanGame, [CORRIDOR, CORRIDOR], 0, "2 of 2", "4", "0", "2", "1"),
    "a push into a wall": (parse_sokoban, SokobanGame, [CORRIDOR | {"lurd": "rRr"}], 1, "1 of 1", "3", "1", "1", "1"),
    "a crate off its goal": (parse_sokoban, SokobanGame, [CORRIDOR | {"lurd": "r"}], 1, "0 of 1", "1", "0", "0", "0"),
    "two fish": (parse_fish, FishGame, [TANK], 0, "1 of 1", "4", "0", "0", "0"),
    "a fish that stays": (parse_fish, FishGame, [TANK | {"moves": "rrr"}], 1, "0 of 1", "3", "0", "0", "0"),
    "a fish that has left": (parse_fish, FishGame, [TANK | {"moves": "rrrrL"}], 1, "1 of 1", "5", "1", "0", "0"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_games_is_replayed_and_counted(tmp_path: Path, capsys: Any, name: str) -> None:
    parse, start, games, status, *figures = FILES[name]
    path = tmp_path / "games.json"
    path.write_text(json.dumps(games), encoding="utf-8")
    assert status == run(parse, start, [str(path)])
    *counted, speed = (line[18:].strip() for line in capsys.readouterr().out.splitlines())
    assert figures == counted
    assert int(speed.replace(",", "")) > 0
