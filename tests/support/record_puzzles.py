"""Record the plays of the included puzzles again: `python tests/support/record_puzzles.py [NAME MOVES]`.

Without arguments every recorded play is played again and rewritten, for a deliberate change of the state hash or of the
events in a play. With a name and moves that puzzle gets a new play.
"""

from __future__ import annotations

import sys

from ecs_collision import puzzles
from ecs_collision.game import Game
from ecs_collision.levels import load_level
from ecs_collision.plays.files import read_play, write_play
from ecs_collision.plays.replaying import record


def record_puzzle(name: str, moves: str) -> None:
    """Write the play of a puzzle; raises an error unless the moves solve it."""
    level = puzzles.path(name)
    script = level.with_suffix(".py")
    game = Game(load_level(level), script=script if script.exists() else None)
    game.play(moves)
    if not game.solved:
        raise SystemExit(f"{name}: {moves} does not solve it")
    write_play(record(game, level.name, script=script.exists()), level.with_suffix(".play"))


if __name__ == "__main__":
    wanted = [sys.argv[1:3]] if sys.argv[1:] else []
    for name, moves in wanted or [
        (name, read_play(puzzles.path(name).with_suffix(".play")).moves) for name in puzzles.names()
    ]:
        record_puzzle(name, moves)
        print(f"{name}: {len(moves)} moves")
