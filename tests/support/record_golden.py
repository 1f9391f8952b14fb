"""Record what games come to, or look whether they still do: `python tests/support/record_golden.py [--check]`.

Without `--check` every hash is recorded anew in golden.txt beside this file: for when a game, the state hash, the
snapshot or what events tell has changed on purpose; say why in the commit. With it the games are only played, up to
frame `--frames`, and what differs is told: for other versions of Python and NumPy (`make numpys`). Names choose games.

What is hashed: the state, the snapshot (sleep, remainders and counters too) and all that was told on the way: events in
their order, results, the answers of the index; never the words of a message.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy
from random_games import tournament
from worlds import fresh_world

from ecs_collision import LatticeWarning, MoveResult, puzzles
from ecs_collision._build import hot_files_are_compiled
from ecs_collision.game import Game
from ecs_collision.levels import load_level
from ecs_collision.plays import read_play

HASHES = Path(__file__).parent / "golden.txt"
MARKS = (20, 200, 1000)
"""The frames whose hashes are recorded."""

Told = tuple[Any, tuple[Any, ...]]
"""A system, world or game, and what its frame told."""


class Mark(NamedTuple):
    """What a game has come to."""

    state: str
    snapshot: str
    said: str


def a_game(name: str) -> Iterator[Told]:
    """Play a game at random in esper, frame by frame."""
    with fresh_world():
        game = tournament()[name][0]()
        while True:
            game.frame()
            results = [each for each in game.said if isinstance(each, MoveResult)] + [*game.system.results.values()]
            told = [(result.entity, result.moved, dict(result.pushed), result.stops) for result in results]
            index = game.index() if game.system.stats.frame % 10 == 0 else ()
            game.said.clear()
            yield game.system, (game.system.events, told, index)


def wandering(name: str) -> Iterator[Told]:
    """Play our puzzles, half by their recorded moves and half by chance, with turns taken back and done again."""
    chance, level = random.Random(name).random, puzzles.path(name.removeprefix("puzzle "))
    script = level.with_suffix(".py")
    game = Game(load_level(level), script=script if script.exists() else None)
    moves, at = read_play(level.with_suffix(".play")).moves, 0
    while True:
        if chance() < 0.1:
            game.undo(int(5 * chance()) + 1), game.redo(int(4 * chance()))
        if chance() < 0.005:
            game.restore(game.snapshot())
        if at == len(moves):  # it may be stuck for good
            game.restart()
            at = 0
        turn = game.turn(moves[at] if chance() < 0.5 else game.letters[int(len(game.letters) * chance())])
        at += 1
        yield game, (game.solved, turn.moved)


SCENES: dict[str, Callable[[str], Iterator[Told]]] = {
    name.replace(" ", "_"): lambda _, name=name: a_game(name)  # type: ignore[misc]
    for name in tournament()
    if name not in ("a crowd", "a flat crowd")
} | {f"puzzle_{name}": lambda _, name=name: wandering(f"puzzle {name}") for name in puzzles.names()}  # type: ignore[misc]


def marks_of(name: str, last: int) -> dict[int, Mark]:
    """Return what a game has come to at the marks up to the last frame."""
    found, said = {}, blake2b(digest_size=8)
    scene = SCENES[name](name)
    for number in range(1, last + 1):
        home, told = next(scene)
        said.update(repr(told).encode())
        if number in MARKS:
            snapshot = blake2b(home.snapshot(), digest_size=8).hexdigest()
            found[number] = Mark(home.state_hash()[:16], snapshot, said.hexdigest())
    scene.close()  # type: ignore[attr-defined]
    return found


def recorded() -> dict[str, dict[int, Mark]]:
    """Return the hashes of each game, by frame."""
    found: dict[str, dict[int, Mark]] = {}
    for line in HASHES.read_text(encoding="ascii").splitlines():
        name, number, *hashes = line.split()
        found.setdefault(name, {})[int(number)] = Mark(*hashes)
    return found


def differences(names: list[str], last: int) -> list[str]:
    """Return in words which hashes are not those recorded, up to a frame."""
    golden = recorded()
    found = []
    for name in names:
        for number, mark in marks_of(name, last).items():
            wrong = [what for what, a, b in zip(Mark._fields, mark, golden[name][number], strict=True) if a != b]
            found += [f"{name}, frame {number}: {', '.join(wrong)} differ"] if wrong else []
    return found


def record() -> None:
    """Write all hashes."""
    lines = [
        f"{name} {number} {' '.join(mark)}\n" for name in SCENES for number, mark in marks_of(name, MARKS[-1]).items()
    ]
    HASHES.write_text("".join(lines), encoding="ascii")
    print(f"{len(SCENES)} games, {len(lines)} lines in {HASHES}")


def main() -> int:
    """Do what the command line says; return 0 if all is as recorded."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--frames", type=int, default=MARKS[1])
    parser.add_argument("names", nargs="*", default=list(SCENES))
    given = parser.parse_args()
    warnings.simplefilter("ignore", LatticeWarning)
    if not given.check:
        record()
        return 0
    wrong = differences(given.names, given.frames)
    form = "compiled" if hot_files_are_compiled() else "plain"
    print(f"Python {platform.python_version()}, NumPy {numpy.__version__}, {form}: ", end="")
    print(f"{len(given.names)} games to frame {given.frames}, {len(wrong)} differences", *wrong, sep="\n  ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
