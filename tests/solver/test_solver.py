"""The solver finds the fewest pushes and then the fewest steps: compared with a slow oracle and recorded solutions."""

from __future__ import annotations

import copy
import dataclasses
import random
import re
import tracemalloc
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import pytest
from boards import AS_SHIPPED, trials
from judges import GridSokoban
from material import recorded
from rooms import room

from ecs_collision import Box, CollisionTypeError, CollisionValueError
from ecs_collision.game.game import Game
from ecs_collision.levels import FrozenMap, Level, Thing, load_level, parse_level
from ecs_collision.solver import fewest_pushes as solver
from ecs_collision.solver.fewest_pushes import Outcome, Solution, interchangeable, solve
from ecs_collision.solver.general_search import Limits, Search
from ecs_collision.solver.sokoban import SokobanLevel, SokobanSearch, sokoban_level

SHORTCUT = """\
#######
#     #
#    @#
# . $.#
#     #
#######"""
"""One push to the right after three steps, or one step and two pushes to the left, which is fewer moves."""


BARE: dict[str, Any] = {
    "a player with no Motion": room(
        "#####", "#@ .#", "#####", more={"@": ("player", {"Collider": {}})}, win="any player on goal"
    ),
    "a stone that falls and nothing pushes": room(
        "######",
        "#  o #",
        "#@ $ #",
        "#### #",
        "#   .#",
        "######",
        more={"o": ("stone", {"Collider": {}})},
        gravity="D",
        properties=FrozenMap({"falls": "stone"}),
        win="any stone on goal and any player on goal",
    ),
}


@pytest.mark.parametrize("level", BARE.values(), ids=list(BARE))
def test_a_mover_without_motion_and_inertia_is_distinguished_by_position(level: Level) -> None:
    plain = solve(level)
    assert plain.moves == solve(Game(level)).moves
    assert plain.states == solve(Game(level)).states > 1
    movers = {thing.name for thing in level.things} & {"player", "crate", "stone"}
    assert [[name] for name in sorted(movers)] == sorted(map(list, interchangeable(level) or []))


def copied(game: GridSokoban) -> GridSokoban:
    other = copy.copy(game)
    other.crates = dict(game.crates)
    return other


def cheapest_win(text: str) -> tuple[int, int] | None:
    """Return the minimum (pushes, steps) of any win: lists all states, then relaxes costs until none decreases."""
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
    """Return a closed room of 3 to 4 by 3 to 5 cells with a few walls, one or two crates and enough goals."""
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


def sokoban(text: str) -> SokobanLevel:
    judge = GridSokoban(text)
    return SokobanLevel(frozenset(judge.walls), frozenset(judge.crates), frozenset(judge.goals), judge.player)


def played(text: str, moves: str) -> tuple[int, int]:
    """Return (pushes, steps) of moves; all must be possible, and only the last may win."""
    judge = GridSokoban(text)
    pushes = 0
    for letter in moves:
        assert not judge.is_won()
        possible, pushed = judge.step(letter)
        assert possible
        pushes += pushed is not None
    assert judge.is_won()
    return pushes, len(moves) - pushes


def cost_of(text: str, solution: Solution) -> tuple[int, int] | None:
    """Return (pushes, steps) of a complete search, and verify its moves."""
    assert not solution.limit
    if solution.moves is None:
        assert solution.outcome is Outcome.UNSOLVABLE
        return None
    assert (solution.pushes, solution.steps) == played(text, solution.moves)
    return solution.pushes, solution.steps


@pytest.mark.parametrize("part", range(4))
def test_the_sokoban_search_finds_the_fewest_pushes_and_then_the_fewest_steps(part: int) -> None:
    solved = 0
    for seed in range(part * trials(100), (part + 1) * trials(100)):
        text = random_room(seed)
        expected = cheapest_win(text)
        assert expected == cost_of(text, solve(level_of(text))), text
        solved += expected is not None
    assert trials(100) // 8 < solved < trials(100)


def test_the_search_on_the_engine_finds_the_same() -> None:
    for text in [SHORTCUT, *map(random_room, range(trials(40)))]:
        assert cheapest_win(text) == cost_of(text, solve(level_of(text), quick=False)), text


ROUNDABOUT = """
######
#.   #
#    #
#  $ #
#  @ #
######
""".strip()
"""Four pushes in two orders lead to the same positions: one turn costs two steps, several turns cost four."""


def test_of_paths_with_equal_pushes_the_one_with_the_fewest_steps_is_kept() -> None:
    assert [(4, 2), (4, 2)] == [cost_of(ROUNDABOUT, solution) for solution in both(ROUNDABOUT)]


def test_fewer_pushes_are_better_than_fewer_moves() -> None:
    for solution in both(SHORTCUT):
        assert ("LLDR", (1, 3)) == (solution.moves, cost_of(SHORTCUT, solution))
    assert (2, 1) == played(SHORTCUT, "DLL")


def both(text: str, **limits: Any) -> list[Solution]:
    """Return what both searches find: the one for plain Sokoban, and the one on the engine."""
    return [solve(level_of(text), quick=quick, **limits) for quick in (True, False)]


def test_a_level_that_is_won_at_once_needs_no_moves() -> None:
    for solution in both("#####\n#@* #\n#####"):
        assert ("", 0, 1) == (solution.moves, solution.pushes, solution.states)


LOST = {
    "a crate at the wall": "#######\n#@    #\n#   . #\n#  $  #\n#######",
    "a crate in a corner": "#####\n#@ .#\n#$  #\n#####",
    "a crate out of reach": "#########\n#@ $..#$#\n#########",
    "a goal out of reach": "########\n#@ $ #.#\n#    ###\n########",
    "no way round": "#######\n#@#$ .#\n#######",
}


@pytest.mark.parametrize("text", LOST.values(), ids=LOST.keys())
def test_a_complete_search_without_a_solution_reports_no_limit(text: str) -> None:
    assert cheapest_win(text) is None
    for solution in both(text):
        assert (None, "") == (solution.moves, solution.limit)


ROOMY = """\
########
#    . #
#   $$ #
#    @ #
#.  .  #
########"""


def test_a_search_that_stops_early_reports_the_limit() -> None:
    for solution in both(ROOMY, max_states=30):
        assert (None, "max_states") == (solution.moves, solution.limit)
        assert 30 < solution.states < 60


def test_a_gap_in_the_walls_is_detected() -> None:
    closed, leaking = sokoban(SHORTCUT), sokoban(SHORTCUT.replace("#     #", "#      "))
    assert (True, False) == (SokobanSearch(closed).is_closed, SokobanSearch(leaking).is_closed)


def smallest(count: int) -> list[dict[str, Any]]:
    """Return the recorded games with the fewest crates and, among those, the fewest floor cells."""

    def size(game: dict[str, Any]) -> tuple[int, int, str]:
        judge = GridSokoban(game["level"])
        return len(judge.crates), len(floor(judge)), game["id"]

    return sorted(recorded("sokoban.json"), key=size)[:count]


def floor(judge: GridSokoban) -> set[tuple[int, int]]:
    """Return the cells that the player could reach without crates."""
    found, todo = {judge.player}, [judge.player]
    while todo:
        x, y = todo.pop()
        beside = {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} - found - judge.walls
        found |= beside
        todo += beside
    return found


def test_no_recorded_solution_of_the_smallest_levels_has_fewer_pushes() -> None:
    for game in smallest(trials(60)):
        best = cost_of(game["level"], solve(level_of(game["level"])))
        assert best is not None, game["id"]
        assert best <= played(game["level"], game["lurd"]), game["id"]


@pytest.mark.soak
def test_the_engine_and_the_sokoban_search_find_equal_results() -> None:
    solved = 0
    for game in smallest(50):
        quick = solve(level_of(game["level"]))
        slow = solve(level_of(game["level"]), quick=False, max_states=15_000)
        if slow.outcome is not Outcome.GAVE_UP:
            assert (quick.pushes, quick.steps) == (slow.pushes, slow.steps), game["id"]
            assert slow.moves is not None and (slow.pushes, slow.steps) == played(game["level"], slow.moves), game["id"]
            solved += 1
    assert solved > 25


# Whole levels.


def level_of(text: str) -> Level:
    return parse_level(text, "xsb")


def test_the_same_solution_is_found_every_time() -> None:
    assert "LLDR" == solve(level_of(SHORTCUT)).moves == solve(level_of(SHORTCUT), quick=False).moves
    assert solve(level_of(ROOMY)).moves == solve(level_of(ROOMY)).moves


def test_a_solution_explains_itself() -> None:
    texts = [
        solve(level_of(SHORTCUT)),
        solve(level_of(LOST["a crate at the wall"])),
        solve(level_of(ROOMY), max_states=30),
        solve(level_of(ROOMY), seconds=0.0),
        solve(level_of(ROOMY), max_bytes=1000),
    ]
    explained = [re.sub(r"[0-9,]+ states? in [0-9.]+ s", "N", text.explain()) for text in texts]
    assert [
        "solved with 1 push and 3 steps (N)",
        "no way to win: all states were searched (N)",
        "gave up after N, the limit max_states; there may be a solution, try a higher limit",
        "gave up after N, the time limit; there may be a solution, try a higher limit",
        "gave up after N, which use all the memory of max_bytes; there may be a solution, try a higher limit",
    ] == explained
    assert ["", "", "max_states", "seconds", "max_bytes"] == [found.limit for found in texts]


STILL = "legend\n# wall: Static\n$ crate: Inertia(1)\n. goal: Trigger\n\nmap\n#$.#\n"


@pytest.mark.parametrize("of", [lambda level: level, Game], ids=["level", "game"])
def test_the_explanation_of_no_solution_says_what_the_level_lacks(of: Any) -> None:
    endless = dataclasses.replace(CORRIDOR, win=None)
    expected = 'has no win condition; give it the property win, such as "all crate on goal", or set game.win'
    assert solve(Game(endless), max_states=1).explain().endswith(f"the limit max_states; {endless.source} {expected}")
    assert f"no way to win: {endless.source} {expected}" == solve(of(endless)).explain()
    assert 0 == solve(endless).states
    found = solve(of(parse_level("win: all crate on goal\n" + STILL, name="still.txt"))).explain()
    assert found.startswith(
        "no way to win: still.txt has no thing that can move; give components with kinds= or --kinds"
    )
    found = solve(of(parse_level(f"win: all crate on goal\n{STILL}".replace("wall: Static", "cat: Motion"))))
    assert "no way to win: declare letters with game.control(selector, letters)" in found.explain()


@pytest.mark.parametrize("name", ["max_states", "max_bytes"])
def test_a_limit_below_one_is_an_error(name: str) -> None:
    with pytest.raises(CollisionValueError, match=f"{name} is 0, but it must be at least 1"):
        solve(level_of(SHORTCUT), **{name: 0})


PACKED = "\n".join(["#" * 42, *["#" + " $ ." * 10 + "#", "#" + " " * 40 + "#"] * 10, "#@" + " " * 39 + "#", "#" * 42])
"""A hundred crates and goals; a snapshot takes about twenty kilobytes."""


def test_a_state_is_stored_as_its_difference_from_the_first() -> None:
    """200 states take less than 2 kB each, counted and measured; a snapshot alone takes 20 kB."""
    level = level_of(PACKED)
    snapshot = len(Game(level).snapshot())
    solve(level, quick=False, max_states=5)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        states = solve(level, quick=False, max_states=200).states
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert 20_000 < snapshot
    assert 200 < states
    assert peak < 20 * snapshot + 2000 * states


@pytest.mark.parametrize(("quick", "few"), [(True, 500_000), (False, 50_000)], ids=["without the engine", "on it"])
def test_a_search_stops_at_its_memory_limit(quick: bool, few: int) -> None:
    """A state takes about 900 bytes; the limit is checked after all successors of a state were found."""
    limited = [solve(level_of(PACKED), quick=quick, max_bytes=most, max_states=10**6) for most in (few, 4 * few)]
    assert [(Outcome.GAVE_UP, "max_bytes")] * 2 == [(found.outcome, found.limit) for found in limited]
    for most, found in zip((few, 4 * few), limited, strict=True):
        assert most / 1500 <= found.states <= most / 700 + 400


class Road:
    """A StateSpace of 60 steps in a row, each saved in 1000 bytes."""

    letters = "R"
    at = 0

    def turn(self, letter: str) -> bool:
        self.at += 1
        return False

    def key(self) -> int:
        return self.at

    def is_won(self) -> bool:
        return self.at == 60

    def is_dead(self) -> bool:
        return False

    def save(self) -> int:
        return self.at

    def load(self, saved: int) -> None:
        self.at = saved

    def size(self, saved: int) -> int:
        return 1000


def test_only_queued_states_count_as_saved() -> None:
    """Only the last state is queued: 1000 bytes for any number of states."""
    assert "R" * 60 == Search(Road()).run(10**6, lambda: False, max_bytes=60 * 900).moves


@pytest.mark.parametrize("quick", [True, False])
def test_a_search_that_runs_out_of_memory_reports_it(monkeypatch: pytest.MonkeyPatch, quick: bool) -> None:
    asked = iter(range(5))

    def reached(self: Limits, states: int, byte_count: int) -> str:
        if next(asked, None) is None:
            raise MemoryError
        return ""

    monkeypatch.setattr(Limits, "reached", reached)
    found = solve(level_of(ROOMY), quick=quick)
    assert (Outcome.GAVE_UP, "memory") == (found.outcome, found.limit)
    assert 1 < found.states
    assert "because the system has no more memory; there may be a solution, try a higher limit" in found.explain()


def test_a_large_level_is_searched_with_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """With bits of one integer, each step would process all cells."""
    asked: list[Level] = []
    monkeypatch.setattr(solver, "sokoban_level", asked.append)
    rows = ["#@$.#", "#####", *["#" + " " * 298 + "#"] * 240]
    assert "R" == solve(level_of("\n".join(["#" * 300, *rows, "#" * 300]))).moves
    assert not asked
    assert "R" == solve(level_of("\n".join(["#####", *rows[:2]]))).moves
    assert asked


def test_a_level_file_is_solved_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "shortcut.xsb"
    path.write_text(SHORTCUT)
    assert "LLDR" == solve(path).moves


# Games with mechanics.


def test_a_game_is_searched_from_its_current_state_and_restored_with_its_history() -> None:
    game = Game(level_of(SHORTCUT))
    game.play("LU")
    before = game.snapshot()
    solution = solve(game)
    assert (1, 3) == (solution.pushes, solution.steps)
    assert "LU" == game.moves and before == game.snapshot()
    assert solution.moves is not None
    game.play(solution.moves)
    assert game.solved
    assert 2 + len(solution.moves) == game.undo(99)


def test_a_game_is_restored_if_a_turn_raises() -> None:
    game = Game(level_of(SHORTCUT))

    @game.on_push("crate")
    def burst(event: Any) -> None:
        raise RuntimeError("burst")

    game.turn("L")
    with pytest.raises(RuntimeError, match="burst"):
        solve(game)
    assert "L" == game.moves and game.can_undo


def test_states_of_a_script_are_part_of_the_search_and_waiting_is_a_move() -> None:
    game = Game(level_of("######\n#  @ #\n######"))

    @game.on_turn
    def count(turn: Any) -> None:
        if game.cell("player") == (1, 1):
            game.state["turns in the corner"] = game.state.get("turns in the corner", 0) + 1

    @game.win_when
    def won() -> bool:
        return game.state.get("turns in the corner") == 3 and game.cell("player") == (4, 1)

    solution = solve(game)
    assert ("LL..RRR", 0, 7) == (solution.moves, solution.pushes, solution.steps)
    assert {} == game.state


def test_is_dead_prunes_a_game() -> None:
    text = LOST["a crate at the wall"]
    plain = solve(level_of(text), quick=False)
    wary = solve(level_of(text), is_dead=lambda game: game.cell("crate")[1] == 3)
    assert (Outcome.UNSOLVABLE, 1) == (wary.outcome, wary.states)
    assert Outcome.UNSOLVABLE == plain.outcome and plain.states > 10


def test_two_players_are_moved_by_their_own_letters() -> None:
    level = level_of("#######\n#@ $ .#\n##### #\n#     #\n#######")
    friend = dataclasses.replace(level["player"], name="friend", kind="friend", position=(1.5, 3.5, 0.0))
    game = Game(dataclasses.replace(level, things=(*level.things, friend)))
    game.control("player", "LRUD")
    game.control("friend", "lrud")
    game.win = "friend on goal"
    assert "rrrruu" == solve(game).moves
    game.win = "all crate on goal"
    assert "RRR" == solve(game).moves


# Interchangeable things.


CROWD = """\
win: all crate on goal and no gem and crate 3 on plate

legend
@ player: Motion(force=1)
$ crate: Inertia(1)
b barrel: Inertia(1)
. goal: Trigger
o plate: Trigger
* gem: Inertia(1)
s sack: Inertia(1), Sleeping(after=3)
# wall: Static

map
@$$$$#
@bb.o#
**ss##
"""


def test_movers_and_named_things_are_not_interchangeable() -> None:
    level = parse_level(CROWD)
    assert [
        ["player 1"], ["crate 1", "crate 2", "crate 4"], ["crate 3"], ["player 2"], ["barrel 1", "barrel 2"],
        ["gem 1", "gem 2"], ["sack 1", "sack 2"],
    ] == interchangeable(level)  # fmt: skip
    heavy = changed(level, "crate 2", components=FrozenMap({"Inertia": {"value": 2.0}}))
    wide = changed(level, "crate 2", parts=(Box(1.0, 0.5),))
    for other in (heavy, wide):
        found = interchangeable(other)
        assert found is not None and ["crate 1", "crate 4"] in found and ["crate 2"] in found


# Plain Sokoban.


def changed(level: Level, name: str, **fields: Any) -> Level:
    """Return a level with changed fields in one of its things."""
    things = [dataclasses.replace(thing, **fields) if thing.name == name else thing for thing in level.things]
    return dataclasses.replace(level, things=tuple(things))


def extended(level: Level, **fields: Any) -> Level:
    more = {"name": "extra", "kind": "extra", "position": (2.5, 1.5, 0.0), "parts": (Box(0.5, 0.5),)} | fields
    return dataclasses.replace(level, things=(*level.things, Thing(**more)))  # type: ignore[arg-type]


CORRIDOR = level_of("#######\n#@ $ .#\n#   * #\n#######")
UNUSUAL = {
    "another win": dataclasses.replace(CORRIDOR, win="any crate on goal"),
    "no win": dataclasses.replace(CORRIDOR, win=None),
    "a win of unknown things": dataclasses.replace(CORRIDOR, win="all gem on goal"),
    "gravity": dataclasses.replace(CORRIDOR, gravity="D"),
    "another rule": dataclasses.replace(CORRIDOR, settings=FrozenMap({"rule": "each"})),
    "bounds": dataclasses.replace(CORRIDOR, settings=FrozenMap({"rule": "sum", "bounds": ((0, 0), (7, 4))})),
    "a strong player": changed(CORRIDOR, "player", components=FrozenMap({"Motion": {"force": 2.5}})),
    "a weak player": changed(CORRIDOR, "player", components=FrozenMap({"Motion": {"force": 1.0}})),
    "a light crate": changed(CORRIDOR, "crate 1", components=FrozenMap({"Inertia": {"value": 0.25}})),
    "a crate on rails": changed(CORRIDOR, "crate 1", components=FrozenMap({"Inertia": {"x": 1.0}})),
    "a crate that sleeps": changed(
        CORRIDOR, "crate 1", components=FrozenMap({"Inertia": {"value": 1.0}, "Sleeping": {}})
    ),
    "a wide crate": changed(CORRIDOR, "crate 1", parts=(Box(1.0, 0.5),)),
    "a crate between cells": changed(CORRIDOR, "crate 1", position=(3.25, 1.5, 0.0)),
    "a crate in the air": changed(CORRIDOR, "crate 1", position=(3.5, 1.5, 1.0)),
    "crates in each other": changed(CORRIDOR, "crate 1", position=(4.5, 2.5, 0.0)),
    "a crate in a wall": changed(CORRIDOR, "crate 1", position=(4.5, 0.5, 0.0)),
    "a blind goal": changed(CORRIDOR, "goal 1", components=FrozenMap({"Trigger": {"mask": ("players",)}})),
    "a goal that lingers": changed(CORRIDOR, "goal 1", components=FrozenMap({"Trigger": {"linger": 3}})),
    "a goal beside its cell": changed(CORRIDOR, "goal 1", position=(5.0, 1.5, 0.0)),
    "a second player": extended(CORRIDOR, kind="player", components=FrozenMap({"Motion": {"force": 1.5}})),
    "a rock": extended(CORRIDOR, components=FrozenMap({"Inertia": {"value": 1.0}})),
    "a fence half a cell wide": extended(CORRIDOR, parts=(Box(0.25, 0.5),), components=FrozenMap({"Static": {}})),
}


@pytest.mark.parametrize("level", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_levels_that_are_not_plain_sokoban_are_searched_with_the_engine(level: Level) -> None:
    assert sokoban_level(CORRIDOR) is not None
    assert sokoban_level(level) is None


def test_scenery_and_other_triggers_do_not_matter_to_sokoban() -> None:
    plain = sokoban_level(CORRIDOR)
    assert plain == sokoban_level(extended(CORRIDOR))
    assert plain == sokoban_level(extended(CORRIDOR, components=FrozenMap({"Trigger": {}})))


def test_every_recorded_sokoban_level_is_recognised() -> None:
    for game in recorded("sokoban.json")[:: 5 if AS_SHIPPED else 20]:
        assert sokoban(game["level"]) == sokoban_level(level_of(game["level"]))


def test_a_level_that_the_player_can_leave_has_unlimited_states() -> None:
    level = level_of("#######\n#@ $ . \n###  ##")
    assert sokoban_level(level) is not None
    assert Outcome.GAVE_UP == solve(level, max_states=100).outcome
    walled = dataclasses.replace(level, settings=FrozenMap({"rule": "sum", "bounds": ((0, 0), (7, 3))}))
    assert "RRR" == solve(walled).moves


LEDGE = """
gravity: D
win: player on exit

legend
# wall: Static
@ player: Motion(2), Inertia(1)
E exit: Trigger

map
"""


def test_a_turn_in_which_a_thing_falls_out_of_the_level_is_skipped():
    game = Game(parse_level(LEDGE + "#   \n#E@ \n###\n"), undo_limit=0)
    before = game.state_hash()
    with pytest.raises(CollisionValueError, match="'player' falls out of level"):
        game.turn("R")
    assert before == game.state_hash()
    assert "L" == solve(game.level).moves
    assert Outcome.UNSOLVABLE is solve(parse_level(LEDGE + "#E  \n# @ \n###\n")).outcome


def test_the_script_of_a_level_or_file_is_given_to_solve(tmp_path: Path) -> None:
    level, script = tmp_path / "room.txt", tmp_path / "room.py"
    level.write_text(LEDGE + "#E @#\n#####\n", encoding="utf-8")
    script.write_text("def script(game):\n    game.win = 'no player on exit'\n", encoding="utf-8")
    assert "LL" == solve(level).moves
    assert "" == solve(level, script=script).moves == solve(load_level(level), script=str(script)).moves
    with pytest.raises(CollisionValueError, match="a game and script=, but a game has its script: leave script out"):
        solve(Game(level), script=script)


@pytest.mark.parametrize(
    ("what", "options", "message"),
    [
        (7, {}, "what is 7; give a Level, the path of one, or a Game"),
        (LEDGE, {"is_dead": 7}, "is_dead is 7; give a function that takes the game, or None"),
        (parse_level(LEDGE + "#E@#\n####\n"), {"script": 7}, "script is 7; give a function that takes the game"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_with_what_to_give(what: Any, options: Any, message: str) -> None:
    with pytest.raises(CollisionTypeError) as error:
        solve(what, **options)
    assert str(error.value).startswith(message)
