"""Replays a file of recorded games and counts the results; used by `tools.sokoban` and `tools.fish`."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from ecs_collision.results import MoveResult


class Outcome(NamedTuple):
    """The outcome of one recorded move.

    `result` is None without a motion: a fish that only turned, or one that had already left.
    """

    accepted: bool
    result: MoveResult | None


class Played(Protocol):
    """A game in progress."""

    def step(self, letter: str) -> Outcome:
        """Play one recorded move."""

    def is_won(self) -> bool:
        """Return whether the level is solved."""


class Record(Protocol):
    """A level and the moves that solve it."""

    @property
    def moves(self) -> str:
        """One letter per move."""


R = TypeVar("R", bound=Record)


@dataclass(slots=True)
class Tally:
    """Counts of a replay."""

    levels: int = 0
    solved: int = 0
    moves: int = 0
    refused: int = 0
    pushes: int = 0
    longest_chain: int = 0
    seconds: float = 0.0

    def is_perfect(self) -> bool:
        """Return whether every level was solved and no move refused."""
        return self.solved == self.levels and not self.refused

    def lines(self) -> list[str]:
        """Return the counts as lines of text."""
        rate = self.moves / self.seconds if self.seconds else 0.0
        return [
            f"levels solved     {self.solved:>9,} of {self.levels:,}",
            f"moves             {self.moves:>9,}",
            f"moves refused     {self.refused:>9,}",
            f"pushes            {self.pushes:>9,}",
            f"longest chain     {self.longest_chain:>9,}",
            f"moves per second  {rate:>9,.0f}",
        ]


def replay(records: Iterable[R], start: Callable[[R], Played]) -> Tally:
    """Replay all records and return the counts."""
    tally, began = Tally(), time.perf_counter()
    for record in records:
        game = start(record)
        for letter in record.moves:
            accepted, result = game.step(letter)
            chain = len(result.pushed) if result is not None else 0
            tally.moves += 1
            tally.refused += not accepted
            tally.pushes += chain > 0
            tally.longest_chain = max(tally.longest_chain, chain)
        tally.levels += 1
        tally.solved += game.is_won()
    tally.seconds = time.perf_counter() - began
    return tally


def run(parse: Callable[[Any], R], start: Callable[[R], Played], arguments: list[str] | None = None) -> int:
    """Replay the file named on the command line; return 0 if every game is won as recorded, else 1."""
    reader = argparse.ArgumentParser(description="Replay the recorded games of a JSON file and print counts.")
    reader.add_argument("file", type=Path, metavar="FILE.json")
    games = json.loads(reader.parse_args(arguments).file.read_text(encoding="utf-8"))
    tally = replay(map(parse, games), start)
    print(*tally.lines(), sep="\n")
    return 0 if tally.is_perfect() else 1
