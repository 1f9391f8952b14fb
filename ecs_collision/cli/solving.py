"""`solve LEVEL`: the fewest pushes and steps that win a level."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from ecs_collision.cli.opening import Chosen
from ecs_collision.cli.saving import save_play
from ecs_collision.solver.fewest_pushes import Solution, solve
from ecs_collision.terminal_text import Writer


def solve_level(
    chosen: Chosen,
    stream: TextIO,
    *,
    most_states: int,
    most_bytes: int,
    seconds: float | None,
    save: bool,
    to: Path | None,
) -> Solution:
    """Write the solution of a level, and its play if `save`: to `to`, or beside the level."""
    writer = Writer(stream)
    if chosen.note:
        writer.write(chosen.note)
    what = chosen.level if chosen.script is None else chosen.game()
    solution = solve(what, most_states=most_states, most_bytes=most_bytes, seconds=seconds)
    writer.write(f"{chosen.level.title}: {solution.explain()}")
    if solution.moves is not None:
        writer.write(solution.moves)
        if save:
            game = chosen.game()
            game.play(solution.moves)
            writer.write(f"Written: {save_play(chosen, game, to)}")
    return solution
