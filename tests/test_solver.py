"""Solving: the fewest pushes and then the fewest steps, by a slow oracle, and by recorded solutions."""

from __future__ import annotations

import copy
import random
from collections.abc import Hashable
from typing import Any

import pytest
from boards import trials
from judges import GridSokoban
from material import recorded

from ecs_collision.levels.search import Search, Way
from ecs_collision.levels.warehouse import Warehouse, WarehouseSearch

SHORTCUT = """\
#######
#     #
#    @#
# . $.#
#     #
#######"""
"""One push to the right after three steps; or one step and two pushes to the left, which are fewer moves."""


def copied(game: GridSokoban) -> GridSokoban:
    other = copy.copy(game)
    other.crates = dict(game.crates)
    return other


class GridBoard:
    """The judge of Sokoban as a board to be searched."""

    letters = "LRUD"

    def __init__(self, text: str) -> None:
        self.game = GridSokoban(text)

    def turn(self, letter: str) -> bool:
        return self.game.step(letter)[1] is not None

    def key(self) -> Hashable:
        return self.game.player, frozenset(self.game.crates)

    def is_won(self) -> bool:
        return self.game.is_won()

    def is_dead(self) -> bool:
        return False

    def save(self) -> GridSokoban:
        return copied(self.game)

    def load(self, saved: GridSokoban) -> None:
        self.game = copied(saved)


def never() -> bool:
    return False


def cheapest_win(text: str) -> tuple[int, int] | None:
    """Return the least (pushes, steps) of any win: every state is listed, then costs are relaxed until none falls."""
    start = GridSokoban(text)

    def key(game: GridSokoban) -> Hashable:
        return game.player, frozenset(game.crates)

    states, edges = {key(start): start}, []
    todo = [start]
    while todo:
        game = todo.pop()
        for letter in "" if game.is_won() else "lrud":
            after = copied(game)
            _, pushed = after.step(letter)
            edges.append((key(game), key(after), (1, 0) if pushed is not None else (0, 1)))
            if key(after) not in states:
                states[key(after)] = after
                todo.append(after)
    far = (10**6, 10**6)
    costs = dict.fromkeys(states, far) | {key(start): (0, 0)}
    falls = True
    while falls:
        falls = False
        for before, behind, (pushes, steps) in edges:
            cost = (costs[before][0] + pushes, costs[before][1] + steps)
            if cost < costs[behind] and costs[before] != far:
                costs[behind], falls = cost, True
    return min((costs[at] for at, game in states.items() if game.is_won()), default=None)


def random_room(seed: int) -> str:
    """Return a closed room of 3 to 4 by 3 to 5 cells with a few walls, one or two crates, and as many goals or more."""
    dice = random.Random(seed)
    columns, rows = dice.randint(3, 5), dice.randint(3, 4)
    cells = [(x, y) for x in range(columns) for y in range(rows)]
    dice.shuffle(cells)
    crates, goals = dice.choice([(1, 1), (2, 2), (2, 3), (1, 2)])
    grid = {cells.pop(): symbol for symbol in "@" + "$" * crates}
    free = [*cells, *(cell for cell in grid if dice.random() < 0.3)]
    for cell in dice.sample(free, goals):
        grid[cell] = {"$": "*", "@": "+"}.get(grid.get(cell, " "), ".")
    for cell in dice.sample(cells, dice.randint(0, 2)):
        grid.setdefault(cell, "#")
    inside = ["".join(grid.get((x, y), " ") for x in range(columns)) for y in range(rows)]
    return "\n".join(["#" * (columns + 2), *(f"#{row}#" for row in inside), "#" * (columns + 2)])


def warehouse(text: str) -> Warehouse:
    judge = GridSokoban(text)
    return Warehouse(frozenset(judge.walls), frozenset(judge.crates), frozenset(judge.goals), judge.player)


def played(text: str, moves: str) -> tuple[int, int]:
    """Return (pushes, steps) of moves that must all be possible and win at the end, and no earlier."""
    judge = GridSokoban(text)
    pushes = 0
    for letter in moves:
        assert not judge.is_won()
        possible, pushed = judge.step(letter)
        assert possible
        pushes += pushed is not None
    assert judge.is_won()
    return pushes, len(moves) - pushes


def cost_of(text: str, way: Way) -> tuple[int, int] | None:
    assert not way.gave_up
    if way.moves is None:
        return None
    cost = played(text, way.moves)
    assert cost[0] == way.pushes
    return cost


@pytest.mark.parametrize("part", range(4))
def test_both_searches_find_the_fewest_pushes_and_then_the_fewest_steps(part: int) -> None:
    solved = 0
    for seed in range(part * trials(100), (part + 1) * trials(100)):
        text = random_room(seed)
        expected = cheapest_win(text)
        assert expected == cost_of(text, WarehouseSearch(warehouse(text)).run(10**6, never)), text
        assert expected == cost_of(text, Search(GridBoard(text)).run(10**6, never)), text
        solved += expected is not None
    assert trials(100) // 8 < solved < trials(100)


def test_fewer_pushes_are_better_than_fewer_moves() -> None:
    for way in (WarehouseSearch(warehouse(SHORTCUT)).run(10**6, never), Search(GridBoard(SHORTCUT)).run(10**6, never)):
        assert ("LLDR", (1, 3)) == (way.moves, cost_of(SHORTCUT, way))
    assert (2, 1) == played(SHORTCUT, "DLL")


def both(text: str) -> list[Any]:
    return [WarehouseSearch(warehouse(text)), Search(GridBoard(text))]


def test_a_level_that_is_won_at_once_needs_no_moves() -> None:
    for search in both("#####\n#@* #\n#####"):
        assert Way("", 0, 1) == search.run(10**6, never)


LOST = {
    "a crate at the wall": "#######\n#@    #\n#   . #\n#  $  #\n#######",
    "a crate in a corner": "#####\n#@ .#\n#$  #\n#####",
    "too few goals": "#######\n#@ $ .#\n#   $ #\n#     #\n#######",
    "a crate out of reach": "########\n#@ $.#$#\n########",
    "a goal out of reach": "########\n#@ $ #.#\n#    ###\n########",
    "no way round": "#######\n#@#$ .#\n#######",
}


@pytest.mark.parametrize("text", LOST.values(), ids=LOST.keys())
def test_a_search_that_has_seen_everything_says_that_there_is_no_way(text: str) -> None:
    assert cheapest_win(text) is None
    for search in both(text):
        way = search.run(10**6, never)
        assert (None, False) == (way.moves, way.gave_up)


ROOMY = """\
########
#    . #
#   $$ #
#    @ #
#.  .  #
########"""


def test_a_search_that_stops_early_says_that_it_gave_up() -> None:
    for search in both(ROOMY):
        way = search.run(30, never)
        assert (None, True) == (way.moves, way.gave_up)
        assert 30 < way.states < 60


def test_a_search_stops_when_it_is_late() -> None:
    for search in both(ROOMY):
        asked = iter([False] * 3 + [True])
        way = search.run(10**6, lambda asked=asked: next(asked))
        assert (None, True) == (way.moves, way.gave_up)
        assert 1 < way.states < 60


def test_states_known_to_be_lost_are_left_out() -> None:
    class Cautious(GridBoard):
        def is_dead(self) -> bool:
            return not {1, 2} & {y for _, y in self.game.crates}

    plain, cautious = (Search(board(LOST["a crate at the wall"])).run(10**6, never) for board in (GridBoard, Cautious))
    assert (None, False) == (plain.moves, plain.gave_up) == (cautious.moves, cautious.gave_up)
    assert cautious.states < plain.states // 4


def test_a_way_out_of_the_walls_is_seen() -> None:
    closed, leaking = warehouse(SHORTCUT), warehouse(SHORTCUT.replace("#     #", "#      "))
    assert (True, False) == (WarehouseSearch(closed).is_closed, WarehouseSearch(leaking).is_closed)


def smallest(count: int) -> list[dict[str, Any]]:
    """Return the recorded games with the fewest crates and, of those, the fewest cells of floor."""

    def size(game: dict[str, Any]) -> tuple[int, int, str]:
        judge = GridSokoban(game["level"])
        return len(judge.crates), len(floor(judge)), game["id"]

    return sorted(recorded("sokoban.json"), key=size)[:count]


def floor(judge: GridSokoban) -> set[tuple[int, int]]:
    """Return the cells the player could walk to if there were no crates."""
    found, todo = {judge.player}, [judge.player]
    while todo:
        x, y = todo.pop()
        beside = {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} - found - judge.walls
        found |= beside
        todo += beside
    return found


def test_no_recorded_solution_of_the_smallest_levels_has_fewer_pushes() -> None:
    for game in smallest(trials(60)):
        way = WarehouseSearch(warehouse(game["level"])).run(10**6, never)
        best = cost_of(game["level"], way)
        assert best is not None, game["id"]
        assert best <= played(game["level"], game["lurd"]), game["id"]
