"""Record the hashes of games, or compare them with those recorded: `python tests/support/record_golden.py [--check]`.

Without `--check` all hashes in golden.txt beside this file are recorded again. Do this after an intended change of a
game, the state hash, the snapshot or the events, and give the reason in the commit. With `--check` the games are only
played, up to frame `--frames`, and differences are printed, which tests other versions of Python (`make pythons`) and
of NumPy (`make numpys`), and the machine of a browser (`make wasm`). Names select games; without NumPy they are those
that need no arrays.

The hashes cover the state, the snapshot (with sleep and remainders) and all output: events in their order, results and
answers of the index, but no text of messages.
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

# Other modules of the tests are found without PYTHONPATH. An installed package goes before that of the checkout.
sys.path += [str(folder) for folder in Path(__file__).resolve().parents[1:3]]

from impulse_worlds import a_scene, made
from movement_scenes import a_scene as a_movement_scene
from movement_scenes import a_world as a_movement_world
from movement_scenes import play_step
from random_games import all_games
from worlds import fresh_world

from ecs_collision import CollisionWorld, Contact, LatticeWarning, MoveResult, puzzles
from ecs_collision._build import hot_files_are_compiled
from ecs_collision.game import Game
from ecs_collision.levels import load_level
from ecs_collision.plays import read_play

HASHES = Path(__file__).parent / "golden.txt"
MARKS = (20, 200, 1000)
"""The frames whose hashes are recorded."""

Output = tuple[Any, tuple[Any, ...]]
"""A system, world or game, and the output of its frame."""


class Mark(NamedTuple):
    """The hashes of a game at a frame."""

    state: str
    snapshot: str
    output: str


def a_game(name: str) -> Iterator[Output]:
    """Play a random game in esper, frame by frame."""
    with fresh_world():
        game = all_games()[name]()
        while True:
            game.frame()
            results = [each for each in game.log if isinstance(each, MoveResult)] + [*game.system.results.values()]
            values = [(result.entity, result.moved, dict(result.pushed), result.stops) for result in results]
            index = game.index_lines() if game.system.stats.frame % 10 == 0 else ()
            game.log.clear()
            yield game.system, (game.system.events, values, index)


def random_turns(name: str) -> Iterator[Output]:
    """Play an included puzzle with recorded and random moves, some of them undone and redone."""
    chance, level = random.Random(name).random, puzzles.path(name.removeprefix("puzzle "))
    script = level.with_suffix(".py")
    game = Game(load_level(level), script=script if script.exists() else None)
    moves, at = read_play(level.with_suffix(".play")).moves, 0
    while True:
        if chance() < 0.1:
            game.undo(int(5 * chance()) + 1), game.redo(int(4 * chance()))
        if chance() < 0.005:
            game.restore(game.snapshot())
        if at == len(moves):  # the game may be unsolvable now
            game.restart()
            at = 0
        turn = game.turn(moves[at] if chance() < 0.5 else game.letters[int(len(game.letters) * chance())])
        at += 1
        yield game, (game.solved, turn.moved)


def random_impulses(name: str) -> Iterator[Output]:
    """Throw bodies of all shapes about in a room, turning in the plane or in 3D, and ask some for their contacts."""
    rng, deep = random.Random(name), name.endswith("3D")
    world = CollisionWorld(bounds=((-8, -16, -4), (8, 0, 4)) if deep else ((-8, -16), (8, 0)))
    bodies = made(a_scene(len(name), count=16, deep=deep, shaped=True, walls=False), world)
    for body in bodies[::2]:
        world._stage(body.id, world._bodies.of(world._bodies.row(body.id))._replace(contact=Contact()))
    while True:
        if rng.random() < 0.2:
            x, y, z = (round(8 * rng.random() - 4, 1) * (axis < 2 or deep) for axis in range(3))
            body = rng.choice(bodies)
            (px, py, pz), by = body.position, body.mass
            world.apply_impulse(body.id, (x * by, y * by - 4 * by, z * by), (px + y / 16, py + x / 16, pz + z / 16))
        world.step_dynamics(1 / 60, gravity=(0, 10))
        world.step()
        yield world, (world.events, [world._bodies.transform(row).rotation for row in world._bodies.rows()])


def random_movement(name: str) -> Iterator[Output]:
    """Play a random scene with all kinds of movement, in the plane or in 3D."""
    scene, settings = a_movement_scene(len(name), deep=name.endswith("3D"))
    world = a_movement_world(scene, settings)
    step = 0
    while True:
        events = play_step(world, scene, len(name), step)
        step += 1
        yield world, (events, [(each.entity, each.moved, each.stops) for each in world.results.values()])


SCENES: dict[str, Callable[[str], Iterator[Output]]] = {
    name.replace(" ", "_"): lambda _, name=name: a_game(name)  # type: ignore[misc]
    for name in all_games()
} | {f"puzzle_{name}": lambda _, name=name: random_turns(f"puzzle {name}") for name in puzzles.names()} | {
    "impulses_in_2D": random_impulses, "impulses_in_3D": random_impulses,
    "movement_in_2D": random_movement, "all_movement_in_3D": random_movement,
}  # type: ignore[misc]  # fmt: skip


has_numpy = sys.modules.get("numpy", ...) is not None and importlib.util.find_spec("numpy") is not None
NEED_ARRAYS = {name.replace(" ", "_") for name in all_games()}


def marks_of(name: str, last: int) -> dict[int, Mark]:
    """Return the hashes of a game at the marks up to the last frame."""
    found, output = {}, blake2b(digest_size=8)
    scene = SCENES[name](name)
    for number in range(1, last + 1):
        world, values = next(scene)
        output.update(repr(values).encode())
        if number in MARKS:
            snapshot = blake2b(world.snapshot(), digest_size=8).hexdigest()
            found[number] = Mark(world.state_hash()[:16], snapshot, output.hexdigest())
    scene.close()  # type: ignore[attr-defined]
    return found


def recorded() -> dict[str, dict[int, Mark]]:
    """Return the recorded hashes of each game by frame."""
    found: dict[str, dict[int, Mark]] = {}
    for line in HASHES.read_text(encoding="ascii").splitlines():
        name, number, *hashes = line.split()
        found.setdefault(name, {})[int(number)] = Mark(*hashes)
    return found


def differences(names: list[str], last: int) -> list[str]:
    """Return a line for each frame up to `last` whose hashes differ from those recorded."""
    golden = recorded()
    found = []
    for name in names:
        for number, mark in marks_of(name, last).items():
            wrong = [what for what, a, b in zip(Mark._fields, mark, golden[name][number], strict=True) if a != b]
            found += [f"{name}, frame {number}: {', '.join(wrong)} differ"] if wrong else []
    return found


def record() -> None:
    """Write all hashes to golden.txt."""
    lines = [
        f"{name} {number} {' '.join(mark)}\n" for name in SCENES for number, mark in marks_of(name, MARKS[-1]).items()
    ]
    HASHES.write_text("".join(lines), encoding="ascii")
    print(f"{len(SCENES)} games, {len(lines)} lines in {HASHES}")


def main() -> int:
    """Run the command line; return 0 if there are no differences."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compiled", action="store_true", help="fail unless the hot files are compiled")
    parser.add_argument("--frames", type=int, default=MARKS[1])
    parser.add_argument("names", nargs="*", default=[name for name in SCENES if has_numpy or name not in NEED_ARRAYS])
    options = parser.parse_args()
    warnings.simplefilter("ignore", LatticeWarning)
    if not options.check:
        record()
        return 0
    form = "compiled" if hot_files_are_compiled() else "plain"
    if options.compiled and form != "compiled":
        raise SystemExit("the hot files are not compiled")
    wrong = differences(options.names, options.frames)
    numpy = f"NumPy {version('numpy')}" if has_numpy else "no NumPy"
    print(f"Python {platform.python_version()}, {numpy}, {form}: ", end="")
    print(f"{len(options.names)} games to frame {options.frames}, {len(wrong)} differences", *wrong, sep="\n  ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
