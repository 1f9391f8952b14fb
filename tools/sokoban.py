"""Recorded Sokoban games, replayed on `Game`: `python -m tools.sokoban FILE.json`.

The file is a list of objects with `level` (text) and `lurd` (moves). The player's force is 1.5 and a crate's inertia
1.0: under the rule "sum" one crate can be pushed but not two, as in Sokoban (rule P4). The level contains all of this,
including the win condition, so no script is needed.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from ecs_collision.game import Game
from ecs_collision.levels import Level, parse_level
from tools.replays import Outcome, run


@dataclass(frozen=True, slots=True)
class SokobanRecord:
    """A level and its recorded solution."""

    level: Level
    moves: str


def parse_sokoban(game: dict[str, Any]) -> SokobanRecord:
    """Return one recorded game."""
    return SokobanRecord(parse_level(game["level"], "xsb"), game["lurd"].upper())


class SokobanGame:
    """A recorded level, played on a `Game` or a `Puzzle`."""

    def __init__(self, record: SokobanRecord, on: type[Game] = Game) -> None:
        self.game = on(record.level, undo_limit=0)

    def step(self, letter: str) -> Outcome:
        """Take one step, pushing the crate ahead if there is one."""
        turn = self.game.turn(letter)
        return Outcome(turn.moved, turn.result)

    def is_won(self) -> bool:
        """Return whether every crate stands on a goal."""
        return self.game.solved


if __name__ == "__main__":
    sys.exit(run(parse_sokoban, SokobanGame))
