"""Runs plays of consecutive seeds in one process or several, and shrinks the first that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from tests.model.model import Model

from .game import Divergence, Game, Operation, Play
from .play_generator import a_play
from .runner import PREAMBLE, REBUILT


def played(play: Play, make_model: Callable[..., Model] = Model) -> tuple[Divergence | None, Game]:
    """Run a play; return its divergence, if any, and the game."""
    game = Game(play, make_model)
    try:
        game.play_all()
    except Divergence as divergence:
        return divergence, game
    finally:
        game.end()
    return None, game


def failure(play: Play, make_model: Callable[..., Model] = Model) -> Divergence | None:
    """Run a play and return its divergence, or None."""
    return played(play, make_model)[0]


def script_of(play: Play, make_model: Callable[..., Model] = Model) -> str:
    """Return a script that reproduces a failure; it imports only ecs_collision and esper and ends in an error."""
    divergence, game = played(play, make_model)
    assert divergence is not None
    lines = [*game.runner.lines, *([divergence.claim] if divergence.claim else [])]
    body = "\n".join(lines)
    message = "\n".join(f"# {line}" for line in str(divergence).split("\n"))
    return f"{PREAMBLE}{REBUILT}\n\n{body}\n\n{message}\n"


LENGTH = 120
"""Operations per play: enough for long histories, few enough to shrink in seconds."""

BATCH = 50
"""Plays per task of a process."""


@dataclass
class Soaked:
    """The sum of several plays: number of operations, and the script of a failure.

    idle: number of further operations that had no effect, such as a move without a body.
    """

    operations: int = 0
    idle: int = 0
    failure: str = ""


def soak(seeds: Iterable[int], length: int = LENGTH, make_model: Callable[..., Model] = Model) -> Soaked:
    """Run the plays of these seeds up to the first that fails."""
    soaked = Soaked()
    for seed in seeds:
        play = a_play(seed, length)
        try:
            divergence, game = played(play, make_model)
        except Exception as error:  # a fault of the driver or the model
            error.add_note(f"in the play of seed {seed}")
            raise
        soaked.operations += game.done - game.idle
        soaked.idle += game.idle
        if divergence is not None:
            small = shrunk(play, make_model)
            text = "\n".join(f"# {operation!r}" for operation in small.operations)
            soaked.failure = f"# seed {seed}, operation {game.done}\n{text}\n{script_of(small, make_model)}"
            break
    return soaked


def shrunk(play: Play, make_model: Callable[..., Model] = Model) -> Play:
    """Return the smallest play found that fails with the same kind."""
    divergence, game = played(play, make_model)
    assert divergence is not None
    kind = divergence.kind

    def fails(other: Play) -> bool:
        found = failure(other, make_model)
        return found is not None and found.kind == kind

    return shrunk_by(play._replace(operations=play.operations[: game.done]), fails)


def soak_in_parallel(first: int, operations: int, jobs: int) -> Soaked:
    """Run plays with this many operations in total, from seed `first` on, in several processes."""
    end = first - (-operations // LENGTH)
    batches = [range(seed, min(seed + BATCH, end)) for seed in range(first, end, BATCH)]
    total = Soaked()
    with ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(soak, batch) for batch in batches]
        for number, done in enumerate(as_completed(futures), 1):
            soaked = done.result()
            total.operations += soaked.operations
            total.idle += soaked.idle
            if soaked.failure:
                total.failure = soaked.failure
                pool.shutdown(cancel_futures=True)
                break
            if number % 20 == 0:
                print(f"{total.operations:,} operations", flush=True)
    return total


Fails = Callable[[Play], bool]


def shrunk_by(play: Play, fails: Fails) -> Play:
    """Return a play that still fails and from which no operation can be omitted."""

    def still(operations: tuple[Operation, ...]) -> bool:
        try:
            return fails(play._replace(operations=operations))
        except Exception:  # arguments that no generator produces
            return False

    todo, size = play.operations, max(1, len(play.operations) // 2)
    while size:
        at = len(todo) - size  # from the end, because later operations depend on earlier ones
        while at > -size:
            before, behind = todo[: max(0, at)], todo[max(0, at) + size :]
            for left in (before + behind, before + tuple(map(for_one_less, behind))):
                if left != todo and still(left):
                    todo = left
                    break
            at -= size
        size //= 2
    return play._replace(operations=todo)


def for_one_less(value: Any) -> Any:
    """Return an operation for a world with one entity less, in which later entities have smaller numbers."""
    if isinstance(value, tuple):
        return tuple(map(for_one_less, value))
    return value - 1 if type(value) is int and value > 0 else value
