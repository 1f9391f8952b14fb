"""What the replays share: reading a file of recorded games, playing them all, and counting."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TextIO, TypeVar

from ecs_collision.demo.progress import Progress
from ecs_collision.errors import CollisionError, CollisionValueError
from ecs_collision.lattice import LARGEST, whole
from ecs_collision.levels.decoding import decoded
from ecs_collision.levels.plays import MOST_MOVES
from ecs_collision.levels.source import open_source
from ecs_collision.results import MoveResult

DIRECTIONS = {"l": (-1, 0), "r": (1, 0), "u": (0, -1), "d": (0, 1)}
"""Step of each move letter; y grows downwards, as rows of text do."""

FURTHEST = int(LARGEST)
"""The largest whole number of a recorded game."""


class ReplayFileError(CollisionValueError):
    """A file of recorded games that cannot be read or makes no sense."""


class Outcome(NamedTuple):
    """What became of one recorded move.

    `result` is None where the engine was not asked: a fish that only turned, or one that had left already.
    """

    accepted: bool
    result: MoveResult | None


class Game(Protocol):
    """A level being played."""

    def step(self, letter: str) -> Outcome:
        """Play one recorded move."""

    def is_won(self) -> bool:
        """Return whether the level is solved."""


class Record(Protocol):
    """A level and the moves that solve it."""

    @property
    def name(self) -> str:
        """How the level is called."""

    @property
    def moves(self) -> str:
        """One letter a move."""


R = TypeVar("R", bound=Record)


@dataclass(slots=True)
class Tally:
    """What a replay counted."""

    levels: int = 0
    solved: int = 0
    moves: int = 0
    refused: int = 0
    pushes: int = 0
    longest_chain: int = 0
    seconds: float = 0.0

    def all_is_well(self) -> bool:
        """Return whether every level was solved and no move refused."""
        return self.solved == self.levels and not self.refused

    def lines(self) -> list[str]:
        """Return the figures, one a line."""
        rate = self.moves / self.seconds if self.seconds else 0.0
        return [
            f"levels solved     {self.solved:>9,} of {self.levels:,}",
            f"moves             {self.moves:>9,}",
            f"moves refused     {self.refused:>9,}",
            f"pushes            {self.pushes:>9,}",
            f"longest chain     {self.longest_chain:>9,}",
            f"moves per second  {rate:>9,.0f}",
        ]


def replay(records: Sequence[R], start: Callable[[R], Game], stream: TextIO) -> Tally:
    """Play every record to its end, with a progress bar on `stream`, and return what was counted."""
    tally = Tally(levels=len(records))
    progress = Progress(len(records), stream)
    for record in records:
        began = time.perf_counter()
        _play(record, start, tally)
        tally.seconds += time.perf_counter() - began
        progress.advance(record.name)
    progress.close()
    return tally


def _play(record: R, start: Callable[[R], Game], tally: Tally) -> None:
    try:
        game = start(record)
    except CollisionError as refusal:
        raise ReplayFileError(f"level {record.name} cannot be built: {refusal}") from refusal
    for letter in record.moves:
        accepted, result = game.step(letter)
        chain = len(result.pushed) if result is not None else 0
        tally.moves += 1
        tally.refused += not accepted
        tally.pushes += chain > 0
        tally.longest_chain = max(tally.longest_chain, chain)
    tally.solved += game.is_won()


def read_records(path: Path, parse: Callable[[dict[str, Any]], R]) -> list[R]:
    """Return the records of a JSON file: a list of objects, each given to `parse`.

    Raises LevelError with the place where the file cannot be read or is no JSON, else ReplayFileError naming the file,
    the game and what is wrong with it.
    """
    games = decoded(open_source(path, expected="a JSON file of recorded games"), "take a copy that is whole")
    if not isinstance(games, list) or not games:
        raise ReplayFileError(f"{path}: expected a list of recorded games, found {_kind(games)}")
    records = []
    for number, game in enumerate(games, start=1):
        try:
            if not isinstance(game, dict):
                raise ReplayFileError(f"expected an object, found {_kind(game)}")
            records.append(parse(game))
        except CollisionError as problem:
            raise ReplayFileError(f"{path}, game {number}: {problem}") from problem
    return records


def field(game: dict[str, Any], name: str, kind: type) -> Any:
    """Return the named field of a recorded game, of exactly that type; its numbers lie within all worlds."""
    if name not in game:
        raise ReplayFileError(f"field {name!r} is missing")
    value = game[name]
    if type(value) is not kind:
        raise ReplayFileError(f"field {name!r} must be {_KINDS[kind]}, found {_kind(value)}")
    if kind is int:
        whole(value, f"field {name!r}", least=-FURTHEST, most=FURTHEST)
    return value


def moves_of(game: dict[str, Any], name: str, letters: str) -> str:
    """Return the named field as a string made of `letters` alone."""
    moves: str = field(game, name, str)
    if len(moves) > MOST_MOVES:
        raise ReplayFileError(f"field {name!r} holds {len(moves)} moves; give at most {MOST_MOVES}")
    wrong = sorted(set(moves) - set(letters))
    if wrong:
        raise ReplayFileError(f"field {name!r} holds {wrong[0]!r}; a move is one of {', '.join(letters)}")
    return moves


_KINDS = {
    str: "a string",
    int: "a whole number",
    float: "a fraction",
    list: "a list",
    dict: "an object",
    bool: "true or false",
    type(None): "null",
}


def _kind(value: object) -> str:
    return "an empty list" if value == [] else _KINDS[type(value)]
