"""Many plays from consecutive seeds, in one process or several; the first that fails ends it, shrunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field

from ecs_collision.testing.model import Model

from .game import Play
from .generate import a_play
from .rules import Hit
from .script import failure, played, script_of
from .shrinking import shrunk_by

LENGTH = 120
"""Operations in a play: long enough for histories, short enough that one is shrunk in seconds."""

BATCH = 50
"""Plays that a process is given at a time."""


@dataclass
class Soaked:
    """What some plays came to: how many operations, how often each rule was met, and the script of a failure.

    idle: how many more had nothing to do, such as a move where nobody was; they are no operations.
    """

    operations: int = 0
    idle: int = 0
    hits: Counter[Hit] = field(default_factory=Counter)
    failure: str = ""


def soak(seeds: Iterable[int], length: int = LENGTH, make_model: Callable[..., Model] = Model) -> Soaked:
    """Play the plays of some seeds, up to the first that fails."""
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
        soaked.hits.update(game.hits)
        if divergence is not None:
            small = shrunk(play, make_model)
            text = "\n".join(f"# {operation!r}" for operation in small.operations)
            soaked.failure = f"# seed {seed}, operation {game.done}\n{text}\n{script_of(small, make_model)}"
            break
    return soaked


def shrunk(play: Play, make_model: Callable[..., Model] = Model) -> Play:
    """Return the smallest play found that fails like this one."""
    divergence, game = played(play, make_model)
    assert divergence is not None
    kind = divergence.kind

    def fails(other: Play) -> bool:
        found = failure(other, make_model)
        return found is not None and found.kind == kind

    return shrunk_by(play._replace(operations=play.operations[: game.done]), fails)


def soak_in_parallel(first: int, operations: int, jobs: int) -> Soaked:
    """Play plays of so many operations, idle ones among them, from seed `first` on, in several processes."""
    end = first - (-operations // LENGTH)
    batches = [range(seed, min(seed + BATCH, end)) for seed in range(first, end, BATCH)]
    total = Soaked()
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(soak, batch) for batch in batches]
        for number, done in enumerate(as_completed(waiting), 1):
            soaked = done.result()
            total.operations += soaked.operations
            total.idle += soaked.idle
            total.hits.update(soaked.hits)
            if soaked.failure:
                total.failure = soaked.failure
                pool.shutdown(cancel_futures=True)
                break
            if number % 20 == 0:
                print(f"{total.operations:,} operations", flush=True)
    return total
