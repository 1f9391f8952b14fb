"""The commands: their arguments, and what they return."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, NoReturn

from ecs_collision.cli.doctor import doctor
from ecs_collision.cli.files import choose, is_own, place_to_save, save_play
from ecs_collision.cli.playing import list_puzzles, play
from ecs_collision.cli.replaying import show_play, show_scene
from ecs_collision.cli.verifying import BACKENDS, verify_folder
from ecs_collision.demo.story import tell_story
from ecs_collision.levels.source import open_source
from ecs_collision.plays.files import play_of
from ecs_collision.solver.fewest_pushes import MAX_BYTES, MAX_STATES, solve
from ecs_collision.terminal_text import Writer, visible
from ecs_collision.testing.scene_reading import is_scene, scene_of

KEYS = """\
In a terminal arrows move, . waits, u or Backspace undoes, y redoes, r restarts, s saves the play, q quits.
From a pipe the same letters are read, L R U D for the arrows: echo RRUL | python -m ecs_collision play LEVEL
"""

MAX_JOBS = 1024
"""The most plays at once: each may be a process of its own."""

TRUST = "run the script beside the level: it is program code, so only if you trust it"


class _Parser(argparse.ArgumentParser):
    """A parser that writes what it was given in one line: a name out of a folder may hold anything."""

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line; `run` in what it parses does the command: True if all is well."""
    parser = _Parser(prog="python -m ecs_collision", description="Collisions and pushes for esper.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Any, help: str, epilog: str = "") -> argparse.ArgumentParser:
        added = commands.add_parser(
            name, help=help, description=f"{help[0].upper()}{help[1:]}.", epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        added.set_defaults(run=run)
        return added

    added = command("play", _play, "play a level; without LEVEL list our own puzzles", KEYS)
    _add_level(added, nargs="?")
    added.add_argument("--save", type=Path, metavar="FILE.play", help="where s writes the play")

    added = command(
        "replay", _replay,
        "show a recorded play or the scene of a failed test, and whether all comes as recorded",
        "Returns 0 if it does, 1 if something differs, 2 for a faulty file.",
    )  # fmt: skip
    added.add_argument("file", type=Path, metavar="FILE", help="a FILE.play, or a FILE.scene that a test has written")
    added.add_argument("--delay", type=_seconds, default=0.2, metavar="S", help="seconds a turn of a play (0.2)")
    added.add_argument("--check", action="store_true", help="of a scene: hold each act to the model of the rules too")
    added.add_argument("--script", action="store_true", help=TRUST)

    added = command(
        "verify", _verify, "replay every play of a folder and say which come as recorded",
        "Returns 0 if all do, 1 if any differs or is skipped. On a cluster the workers must see the folder under the "
        "same path.",
    )  # fmt: skip
    added.add_argument("folder", type=Path, metavar="DIR", help="searched with its subfolders; or one FILE.play")
    added.add_argument("--jobs", type=_jobs, default=-1, metavar="N", help="how many at once (-1: one a core)")
    added.add_argument("--backend", choices=BACKENDS, default="loky", help="processes, threads or a Dask cluster")
    added.add_argument("--address", metavar="HOST:PORT", help="the scheduler of the Dask cluster; none: one made here")
    added.add_argument("--script", action="store_true", help="run the scripts that plays ask for: " + TRUST)

    added = command(
        "solve", _solve, "find the win of a level with the fewest pushes, then the fewest steps",
        "Returns 0 if there is one, 1 if there is none or it gave up.",
    )  # fmt: skip
    _add_level(added)
    states = f"give up after so many ({MAX_STATES:,})"
    added.add_argument("--max-states", type=_count, default=MAX_STATES, metavar="N", help=states)
    memory = f"give up when what was found takes so much memory ({MAX_BYTES:,})"
    added.add_argument("--max-bytes", type=_count, default=MAX_BYTES, metavar="N", help=memory)
    added.add_argument("--seconds", type=_seconds, metavar="S", help="give up after so long")
    beside = "write the play, beside the level or to FILE"
    added.add_argument("--save", type=Path, nargs="?", const=True, metavar="FILE.play", help=beside)

    command("demo", lambda given: tell_story(sys.stdout), "play a small puzzle in the terminal")
    command("doctor", lambda given: doctor(sys.stdout), "say what is installed and whether the kernels are compiled")
    return parser


def _add_level(parser: argparse.ArgumentParser, **more: Any) -> None:
    parser.add_argument("level", metavar="LEVEL", help="a level file, or the name of one of our own puzzles", **more)
    parser.add_argument("--which", metavar="N", help="the number (from 1) or title of the level, in a file of several")
    parser.add_argument("--script", action="store_true", help=TRUST)


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1e6:
        raise ValueError(text)
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def _jobs(text: str) -> int:
    value = -1 if text == "-1" else _count(text)
    if value > MAX_JOBS:
        raise ValueError(text)
    return value


def _play(given: argparse.Namespace) -> bool:
    if given.level is None:
        list_puzzles(sys.stdout)
    else:
        to = None if given.save is None else place_to_save(given.save)
        play(choose(given.level, given.which, given.script), sys.stdin, sys.stdout, to)
    return True


def _replay(given: argparse.Namespace) -> bool:
    source = open_source(given.file, expected="a play or a scene")
    if is_scene(source):
        return show_scene(scene_of(source), sys.stdout, check=given.check)
    scripts = given.script or is_own(given.file)
    return show_play(play_of(source), sys.stdout, delay=given.delay, scripts=scripts)


def _verify(given: argparse.Namespace) -> bool:
    return verify_folder(
        given.folder, sys.stdout, jobs=given.jobs, backend=given.backend, address=given.address,
        scripts=given.script or is_own(given.folder),
    )  # fmt: skip


def _solve(given: argparse.Namespace) -> bool:
    to = place_to_save(given.save) if isinstance(given.save, Path) else None
    chosen, writer = choose(given.level, given.which, given.script), Writer(sys.stdout)
    if chosen.note:
        writer.write(chosen.note)
    what = chosen.level if chosen.script is None else chosen.game()
    solution = solve(what, max_states=given.max_states, max_bytes=given.max_bytes, seconds=given.seconds)
    writer.write(f"{chosen.level.title}: {solution.explain()}")
    if solution.moves is not None:
        writer.write(solution.moves)
        if given.save is not None:
            game = chosen.game()
            game.play(solution.moves)
            writer.write(f"Written: {save_play(chosen, game, to)}")
    return bool(solution)
