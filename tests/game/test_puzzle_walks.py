"""Random levels with random mechanics, played at random: as a game, in esper, with undo, and from saved games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from boards import trials
from puzzles import shown, walk
from rooms import room

from ecs_collision import CollisionError, LevelError, Puzzle
from ecs_collision.game import Game
from ecs_collision.levels import Level

MORE = {
    "a": ("a", {"Trigger": {}}),
    "b": ("b", {"Trigger": {"touching": True}}),
    "c": ("c", {"Trigger": {"linger": 2}}),
    "w": ("web", {"Trigger": {"swept": True, "stay": True}}),
    "s": ("slime", {"Inertia": {"value": 0.25}}),
    "o": ("ball", {"Inertia": {"value": 0.5}, "Sleeping": {"after": 2}}),
    "=": ("lift", {"Inertia": {"value": 5}, "Motion": {"force": 3}}),
    "T": ("tee", {"Inertia": {"value": 1}}),
}
NEEDED = "abcw_.D=s@o$"


def random_level(choice: random.Random) -> Level:
    """Return a walled room with at least one of each thing that the scripts name, mostly without overlaps."""
    width, height = choice.randrange(6, 11), choice.randrange(5, 9)
    inside = [[choice.choice("     $sooTD_.abcw") for _ in range(width - 2)] for _ in range(height - 2)]
    for letter in f"{NEEDED}@":
        inside[choice.randrange(height - 2)][choice.randrange(width - 2)] = letter
    rows = ["#" * width, *(f"#{''.join(row)}#" for row in inside), "#" * width]
    joined = "#T" + choice.choice(["", "=", "D"])
    return room(*rows, more=MORE, joined=joined, gravity=choice.choice([None, None, "D", "U", "L"]))


def random_script(seed: int) -> Callable[[Game], None]:
    """Return a script with about half of all mechanics and handlers, for a game and a puzzle."""

    def script(game: Game) -> None:
        choice = random.Random(seed)

        def any_of(kind: str) -> str:
            return choice.choice(game.select(kind))

        mechanics: list[Callable[[], Any]] = [
            lambda: game.door("door", "plate", choice.choice([None, "crate", "player"]), choice.choice(["all", "any"])),
            lambda: game.platform(any_of("lift"), "".join(choice.choices("LRUD.", k=4)), choice.randrange(1, 4)),
            lambda: game.teleporter(any_of("a"), any_of("b"), choice.random() < 0.5, choice.choice([None, "player"])),
            lambda: game.sticky("slime", to=choice.choice([None, "player", "ball"])),
            lambda: game.one_way(choice.choice(["ball", "crate"]), choice.choice("LRUD")),
            lambda: game.rails(choice.choice(["ball", "crate"]), choice.choice("xy")),
            lambda: setattr(game, "falls", choice.choice(["player", None])),
        ]
        for declare in [*mechanics, *random_handlers(game)]:
            if choice.random() < 0.5:
                declare()

    return script


def random_handlers(game: Game) -> list[Callable[[], Any]]:
    """Return declarations of handlers."""
    state, turns = game.state, {None: "D", "D": None, "U": "L", "L": "U"}

    def note(event: Any) -> None:
        state["presses"] = state.get("presses", 0) + 1
        state.setdefault("who", []).append(event.other)

    def free(event: Any) -> None:
        if state.get("presses", 0) % 3 == 1:
            game.unfuse("slime")

    def bring_back(turn: Any) -> None:
        if len(game.moves) % 11 == 5:
            game.enable("ball")

    def weigh(event: Any) -> None:
        if event.other in game.select("crate"):
            game.set(event.other, "Inertia", x=1 + len(game.moves) % 2)

    return [
        lambda: game.on_enter("a")(note),
        lambda: game.on_enter("b", by="ball")(lambda event: game.disable(event.other)),
        lambda: game.on_turn(bring_back),
        lambda: game.on_leave("c")(lambda event: setattr(game, "gravity", turns[game.gravity])),
        lambda: game.on_push("ball")(free),
        lambda: game.on_stay("web")(weigh),
    ]


def same_or_both_refused(game: Game, puzzle: Puzzle, letter: str) -> bool:
    """Play a letter on both, compare them, and return whether it was played."""
    before = game.snapshot()
    try:
        turn = game.turn(letter)
    except CollisionError as problem:
        assert before == game.snapshot()
        with pytest.raises(type(problem)) as caught:
            puzzle.turn(letter)
        assert str(problem) == str(caught.value)
        return False
    other = puzzle.turn(letter)
    assert [str(event) for event in turn.events] == [str(event) for event in other.events]
    assert (turn.moved, turn.rounds, game.snapshot()) == (other.moved, other.rounds, puzzle.snapshot())
    return True


def take_a_walk(seed: int) -> str:
    """Play a random level and return the result."""
    choice = random.Random(seed)
    level, script, rule = random_level(choice), random_script(seed), choice.choice(["each", "sum"])
    try:
        game = Game(level, script=script, rule=rule)
        game.start()
    except (CollisionError, LevelError):
        return "refused"
    with Puzzle(level, script=script, rule=rule) as puzzle:
        seen = [(game.snapshot(), shown(game))]
        played = [same_or_both_refused(game, puzzle, letter) for letter in walk(seed, 40) if note(seen, game)]
        note(seen, game)
        game.world.check()
        at = choice.randrange(len(seen))
        puzzle.restore(seen[at][0])
        assert seen[at] == (puzzle.snapshot(), shown(puzzle))
        puzzle.play(game.moves[at:])
        assert game.snapshot() == puzzle.snapshot()
        for expected in seen[-2::-1]:
            assert 1 == game.undo()
            assert expected == (game.snapshot(), shown(game))
        game.redo(len(seen))
        assert seen[-1][0] == game.snapshot()
        game.world.check()
    return "played" if all(played) else "endless"


def note(seen: list[Any], game: Game) -> bool:
    """Record the visible state after every recorded turn."""
    if len(game.moves) == len(seen):
        seen.append((game.snapshot(), shown(game)))
    return True


def test_random_puzzles_are_the_same_in_a_game_in_esper_and_from_saved_games() -> None:
    outcomes = Counter(take_a_walk(seed) for seed in range(trials(25) or 4))
    assert outcomes["played"] > sum(outcomes.values()) / 3


@pytest.mark.soak
def test_random_puzzles_for_long() -> None:
    outcomes = Counter(take_a_walk(seed) for seed in range(100, 4100))
    assert outcomes["played"] > 1000
    assert outcomes["endless"] > 10
