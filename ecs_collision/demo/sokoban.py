"""Recorded Sokoban games, replayed on `Game`.

The player's force is 1.5 and a crate's inertia 1.0: under the rule "sum" one crate can be pushed and two cannot,
which is all of Sokoban (rule P4). The level says all of it, the win too, so there is nothing to script.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecs_collision.demo.replays import Outcome, ReplayFileError, field, moves_of, read_records
from ecs_collision.errors import LevelError
from ecs_collision.levels import Game, Level, parse_level
from ecs_collision.levels.source import MOST_NAME


@dataclass(frozen=True, slots=True)
class SokobanRecord:
    """A level and its recorded solution."""

    name: str
    level: Level
    moves: str


def read_sokoban(path: Path) -> list[SokobanRecord]:
    """Return the games of a JSON file: a list of objects with `level` (text), `lurd` (moves) and perhaps `id`."""
    return read_records(path, parse_sokoban)


def parse_sokoban(game: dict[str, Any]) -> SokobanRecord:
    """Return one recorded game; raises ReplayFileError saying what is wrong with it."""
    text, moves = field(game, "level", str), moves_of(game, "lurd", "lurdLURD").lower()
    try:
        return SokobanRecord(str(game.get("id", "level"))[:MOST_NAME], parse_level(text, "xsb"), moves)
    except LevelError as refusal:
        raise ReplayFileError(f"field 'level': {refusal}") from refusal


class SokobanGame:
    """A recorded level being played, on a `Game` or a `Puzzle`."""

    def __init__(self, record: SokobanRecord, on: type[Game] = Game) -> None:
        self.game = on(record.level, undo_limit=0)

    def step(self, letter: str) -> Outcome:
        """Take one step, pushing the crate ahead if there is one."""
        turn = self.game.turn(letter.upper())
        return Outcome(turn.moved, turn.result)

    def is_won(self) -> bool:
        """Return whether every crate stands on a goal."""
        return self.game.solved
