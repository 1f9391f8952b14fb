"""Records plays from games, replays them and verifies them turn by turn."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ecs_collision.errors import CollisionValueError
from ecs_collision.events import Blocked, ContactBegan, ContactEnded, Impact, Pushed, TriggerEntered, TriggerLeft
from ecs_collision.fixed_point import instance_of
from ecs_collision.game.game import Game
from ecs_collision.game.turn import Turn
from ecs_collision.levels.load import choose_level, levels_of
from ecs_collision.plays.files import A_PLAY, Place, Play, PlayEvent

RECORDED = (Pushed, Blocked, TriggerLeft, TriggerEntered, ContactEnded, ContactBegan, Impact)
"""The event types that a play records."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of verifying a play.

    play: the play.
    problem: None, or the first difference.
    turns: number of turns played.
    seconds: how long it took.
    """

    play: Play
    problem: str | None
    turns: int
    seconds: float

    def __bool__(self) -> bool:
        """Return whether everything happened as recorded."""
        return self.problem is None


def script_of(level: Path) -> Path:
    """Return the path of a level file's script: the same name with the suffix .py."""
    return level.with_suffix(".py")


def game_of(play: Play, *, scripts: bool = False) -> Game:
    """Return the game of a play at its start.

    scripts: whether the script next to the level may run, because it is program code. Raises LevelError if the play
    uses a script that may not run, and for faults of the level.
    """
    instance_of(play, Play, "play", A_PLAY)
    if play.source is None or play.source.path is None:
        raise CollisionValueError(
            f"the play of {play.level!r} was not read from a file, so its level is unknown; write it to a file first"
        )
    source = play.source.open_reference(play.level)
    level = choose_level(levels_of(source), play.which, source.name)
    if not play.script:
        return Game(level)
    if not scripts:
        raise play.source.error(
            "script: yes", "a play without a script", "allow scripts (--script) if you trust the file next to the level"
        )
    assert source.path is not None
    return Game(level, script=script_of(source.path))


def record(game: Game, level: str, *, which: str | int | None = None, script: bool = False) -> Play:
    """Return the play of all turns of a game so far. The turns are replayed, and the game is restored.

    level: the path of the level file relative to the play file, with '/'. which: the level in that file. script:
    whether the game uses the script next to it.
    """
    moves = instance_of(game, Game, "game", "give a Game or a Puzzle").moves
    with game.trying():
        game.restart()
        turns = [recorded_events(game.turn(letter)) for letter in moves]
        events = [PlayEvent(number, text) for number, texts in enumerate(turns, start=1) for text in texts]
        return Play(level, moves, game.solved, game.state_hash(), which, script, tuple(events), places_of(game))


def replay(play: Play, *, scripts: bool = False) -> Iterator[tuple[Turn | None, Game]]:
    """Yield (None, game) at the start of a play, then (turn, game) after each turn. It is always the same game."""
    game = game_of(play, scripts=scripts)
    yield None, game
    for letter in play.moves:
        yield game.turn(letter), game


def verify(play: Play, *, scripts: bool = False) -> Verdict:
    """Replay a play and compare it with the recording; returns the first difference, if any.

    Exceptions from the level, its script or a turn count as differences and are not raised.
    """
    instance_of(play, Play, "play", A_PLAY)
    started = time.perf_counter()
    expected: defaultdict[int, list[str]] = defaultdict(list)
    for event in play.events or ():
        expected[event.turn].append(event.text)
    turns, problem = -1, None
    try:
        for turn, game in replay(play, scripts=scripts):
            turns += 1
            if turn is not None and play.events is not None:
                problem = first_difference(f"turn {turns} ({turn.letter})", expected[turns], recorded_events(turn))
            if problem is None and turns == len(play.moves):
                problem = _end_problem(play, game)
            if problem is not None:
                break
    except Exception as error:  # scripts may raise anything
        place = f"turn {turns + 1} ({play.moves[turns]}): " if 0 <= turns < len(play.moves) else ""
        problem = f"{place}{type(error).__name__}: {error}"
    return Verdict(play, problem, max(turns, 0), time.perf_counter() - started)


def recorded_events(turn: Turn) -> list[str]:
    """Return the events of a turn that a play records, as text."""
    return [str(event) for event in turn.events if isinstance(event.event, RECORDED)]


def places_of(game: Game) -> tuple[Place, ...]:
    """Return the positions of all bodies that are not at their initial position."""
    places = [Place(name, game.position(name)) for name in game.ids]
    return tuple(place for place in places if place.position != game.level[place.name].position)


def first_difference(place: str, expected: Sequence[str], found: Sequence[str]) -> str | None:
    """Return a description of the first differing line, or None."""
    for number in range(max(len(expected), len(found))):
        want, have = (repr(lines[number]) if number < len(lines) else "nothing more" for lines in (expected, found))
        if want != have:
            return f"{place}: expected {want}, found {have}"
    return None


def _end_problem(play: Play, game: Game) -> str | None:
    if play.places is not None:
        expected, found = ({place.name: place for place in places} for places in (play.places, places_of(game)))
        for name in dict.fromkeys([*expected, *found]):
            want, have = (str(places.get(name, f"{name} where it began")) for places in (expected, found))
            if want != have:
                return f"the end: expected {want}, found {have}"
    if play.solved != game.solved:
        want, have = ("solved" if solved else "not solved" for solved in (play.solved, game.solved))
        return f"the end: expected {want}, found {have}"
    if play.end != game.state_hash():
        return f"the end: expected the state {play.end}, found {game.state_hash()}; everything listed is equal"
    return None
