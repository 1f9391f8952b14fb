"""Recorded games, replayed move by move beside a judge that knows the grid game and nothing of the engine."""

from __future__ import annotations

from typing import Any

from judges import STEPS, GridFish, GridSokoban
from material import recorded

from ecs_collision import CompoundCollider, Puzzle, _build
from ecs_collision.demo.fish import FishGame, parse_fish
from ecs_collision.demo.sokoban import SokobanGame, parse_sokoban

PLAIN = bool(_build.plain_kernels())
SOKOBAN_SHARE = 10 if PLAIN else 1
"""Plain kernels replay every tenth Sokoban game, and the short Fish Fillets games; compiled ones all."""
FISH_MOVES = 400 if PLAIN else 1_000_000


LOOK_AROUND = 23
"""A recorded game holds no refused move; so every so many turns all directions are asked for, without moving."""


def look_around_sokoban(judge: GridSokoban, played: SokobanGame, entities: list[int], where: str) -> None:
    for letter, step in STEPS.items():
        possible, pushed = judge.would(letter)
        result = played.game.plan("player", *step).result
        assert possible == bool(result), f"{where}, asking {letter}: {result.explain()}"
        assert ([] if pushed is None else [entities[pushed]]) == list(result.pushed), f"{where}, asking {letter}"


def look_around_fish(judge: GridFish, played: FishGame, entities: list[int], where: str) -> None:
    for fish in set(judge.fish.values()) & set(judge.places):
        for letter, step in STEPS.items():
            chain = judge.would(fish, step)
            result = played.game.plan(played.game.name(entities[fish]), *step).result
            assert bool(chain) == bool(result), f"{where}, asking {letter}: {result.explain()}"
            assert {entities[number] for number in chain - {fish}} == set(result.pushed), f"{where}, asking {letter}"


def check_sokoban(game: dict[str, Any]) -> None:
    judge, played = GridSokoban(game["level"]), SokobanGame(parse_sokoban(game))
    game_of = played.game
    entities = list(game_of.members("crate"))
    for turn, letter in enumerate(game["lurd"]):
        where = f"{game['id']}, move {turn} ({letter})"
        if turn % LOOK_AROUND == 0:
            look_around_sokoban(judge, played, entities, where)
        moved, pushed = judge.step(letter)
        accepted, result = played.step(letter.lower())
        assert moved and accepted, f"{where}: refused; {result and result.explain()}"
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
        assert moved and accepted, f"{where}: refused; {result and result.explain()}"
        assert {entities[number] for number in pushed} == set(result.pushed if result else ()), where
        assert expected() == found(), where
    assert judge.is_won(), f"{game['level']}: the recording does not win the level"
    assert played.is_won(), game["level"]
    played.game.world.check()


def test_every_recorded_sokoban_game_is_solved_with_the_rule_sum() -> None:
    games = recorded("sokoban.json")
    assert len(games) == 506
    for game in games[::SOKOBAN_SHARE]:
        check_sokoban(game)


def test_every_recorded_fish_fillets_game_is_won_with_compounds() -> None:
    games = recorded("fish_fillets.json")
    assert len(games) == 31
    played = [game for game in games if len(game["moves"]) <= FISH_MOVES]
    assert len(played) > 5
    for game in played:
        check_fish(game)


def test_recorded_games_are_the_same_as_puzzles_in_esper() -> None:
    sokoban = [(SokobanGame, parse_sokoban(game)) for game in recorded("sokoban.json")[::125]]
    fish = [(FishGame, parse_fish(game)) for game in recorded("fish_fillets.json") if len(game["moves"]) < 200]
    assert len(fish) > 2
    for start, record in [*sokoban, *fish]:
        alone, in_esper = start(record), start(record, Puzzle)
        assert isinstance(in_esper.game, Puzzle)
        with in_esper.game:
            for letter in record.moves:
                assert alone.step(letter) == in_esper.step(letter), record.name
            assert in_esper.is_won(), record.name
            assert alone.game.snapshot() == in_esper.game.snapshot(), record.name


def test_game_pieces_become_few_boxes():
    sets = [piece["cells"] for level in recorded("fish_fillets.json") for piece in level["models"]]
    pieces = [[tuple(cell) for cell in cells] for cells in sets if len(cells) > 1]
    boxes = sum(len(CompoundCollider.from_cells(cells).parts) for cells in pieces)
    assert (len(pieces), sum(map(len, pieces)), boxes) == (525, 17274, 2177)
