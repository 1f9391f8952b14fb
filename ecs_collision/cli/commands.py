"""The commands, their arguments and their results."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import Any, NoReturn

from ecs_collision import __version__
from ecs_collision.cli.doctor import examine_installation, examine_levels
from ecs_collision.cli.files import check_may_save, choose, is_own, save_path, save_play, saved_text
from ecs_collision.cli.playing import is_terminal, list_puzzles, play, play_puzzles
from ecs_collision.cli.replaying import show_play, show_scene, write_replay
from ecs_collision.cli.verifying import BACKENDS, verify_folder
from ecs_collision.debug.page import page_path
from ecs_collision.demo.story import run_demo
from ecs_collision.levels.limits import MAX_SCENE_BYTES
from ecs_collision.levels.source import open_source
from ecs_collision.plays.files import play_of
from ecs_collision.solver.fewest_pushes import MAX_BYTES, MAX_STATES, solve
from ecs_collision.terminal_text import Writer, visible
from ecs_collision.testing.scene_reading import is_scene, scene_of

KEYS = """\
In a terminal: the arrow keys or WASD move, "." waits, u or Backspace undoes, y redoes, r restarts, h gives a hint,
l shows or hides the events, n plays the next level, S saves the play, q quits.
From a pipe the same letters are read, also L R U D for the arrow keys: echo RRUL | python -m ecs_collision play LEVEL
"""

COMPLETION = (
    "Tab completes commands after pip install 'ecs-collision[complete]' and, in the start file of the shell, "
    'eval "$(register-python-argcomplete ecs-collision)".'
)

MAX_JOBS = 1024
"""Maximum number of plays verified at once: each may need its own process."""

TRUST = "run the Python script beside the level; use it only if you trust the script"

KINDS = "a JSON file with components by kind, layer, name and so on (default: LEVEL.kinds.json, if there is one)"


class _Parser(argparse.ArgumentParser):
    """A parser that prints arguments in error messages without control characters."""

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line. `run` in the parsed arguments runs the command: True on success."""
    is_script = Path(sys.argv[0]).stem == "ecs-collision"
    parser = _Parser(
        prog="ecs-collision" if is_script else "python -m ecs_collision", epilog=COMPLETION,
        description="A collision and pushing engine for esper.",
    )  # fmt: skip
    parser.set_defaults(run=lambda _: _help(parser))
    parser.add_argument("--version", action="version", version=f"ecs-collision {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, run: Any, help: str, epilog: str = "") -> argparse.ArgumentParser:
        added = commands.add_parser(
            name, help=help, description=f"{help[0].upper()}{help[1:]}.", epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        added.set_defaults(run=run)
        return added

    added = command("play", _play, "play a level in the terminal; without LEVEL, choose an included puzzle", KEYS)
    _add_level(added, nargs="?")
    added.add_argument("--save", type=Path, metavar="FILE.play", help="where the key S saves the play")

    added = command(
        "replay", _replay,
        "replay a recorded play, or the scene of a failed test, and compare it with the recording",
        "Exit code: 0 if all is as recorded, 1 if something differs, 2 if the file is invalid.",
    )  # fmt: skip
    added.add_argument("file", type=Path, metavar="FILE", help="a FILE.play, or a FILE.scene that a failed test wrote")
    added.add_argument("--delay", type=_seconds, default=0.2, metavar="S", help="seconds per turn (default 0.2)")
    page = "write a page that plays it in any browser, instead of showing it here"
    added.add_argument("--html", type=Path, metavar="OUT.html", help=page)
    added.add_argument("--script", action="store_true", help=TRUST)

    added = command(
        "verify", _verify, "replay every play in a folder and report which differ from their recording",
        "Exit code: 0 if all are as recorded, 1 if any differs or is skipped. On a cluster, the workers must see the "
        "folder under the same path.",
    )  # fmt: skip
    added.add_argument("folder", type=Path, metavar="DIR", help="a folder with plays, or one FILE.play")
    added.add_argument("--jobs", type=_jobs, default=-1, metavar="N", help="number of plays at once (-1: one per core)")
    added.add_argument("--backend", choices=BACKENDS, default="loky", help="use processes, threads or a Dask cluster")
    added.add_argument("--address", metavar="HOST:PORT", help="Dask scheduler; default: a local cluster")
    added.add_argument("--script", action="store_true", help="run the Python scripts of plays you trust")

    added = command(
        "solve", _solve, "find the solution of a level with the fewest pushes, then the fewest steps",
        "Exit code: 0 if there is a solution, 1 if there is none or the search reached a limit.",
    )  # fmt: skip
    _add_level(added)
    states = f"stop after N states (default {MAX_STATES:,})"
    added.add_argument("--max-states", type=_count, default=MAX_STATES, metavar="N", help=states)
    memory = f"stop when the search uses N bytes of memory (default {MAX_BYTES:,})"
    added.add_argument("--max-bytes", type=_count, default=MAX_BYTES, metavar="N", help=memory)
    added.add_argument("--seconds", type=_seconds, metavar="S", help="stop after S seconds")
    beside = "save the solution as a play, beside the level or as FILE.play"
    added.add_argument("--save", type=Path, nargs="?", const=True, metavar="FILE.play", help=beside)

    command("demo", lambda given: run_demo(sys.stdout), "watch the engine solve a small puzzle")
    added = command(
        "doctor", _doctor,
        "show what is installed and whether the engine is compiled; with LEVEL, what is probably not meant in levels",
        "Each line says where, what, and what to do. Exit code: 0 if there is nothing to do, 1 if compiled files are "
        "out of date or there is advice on a level, 2 if a file is invalid.",
    )  # fmt: skip
    added.add_argument("level", nargs="*", metavar="LEVEL", help="a level file, or the name of an included puzzle")
    added.add_argument("--script", action="store_true", help="run the Python script beside each level that has one")
    added.add_argument("--kinds", type=Path, metavar="FILE.json", help=KINDS)
    return parser


def _help(parser: argparse.ArgumentParser) -> bool:
    parser.print_help()
    return True


def _add_level(parser: argparse.ArgumentParser, **more: Any) -> None:
    parser.add_argument("level", metavar="LEVEL", help="a level file, or the name of an included puzzle", **more)
    parser.add_argument("--which", metavar="N", help="the number (from 1) or title of a level in a file with several")
    parser.add_argument("--script", action="store_true", help=TRUST)
    parser.add_argument("--kinds", type=Path, metavar="FILE.json", help=KINDS)


def _doctor(given: argparse.Namespace) -> bool:
    if not given.level:
        return examine_installation(sys.stdout)
    return examine_levels(given.level, sys.stdout, scripts=given.script, kinds=given.kinds)


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= float(text) < 1e6:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds; give one from 0 up, such as 0.5")


def _count(text: str) -> int:
    with contextlib.suppress(ValueError):
        if int(text) >= 1:
            return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")


def _jobs(text: str) -> int:
    value = -1 if text == "-1" else _count(text)
    if value > MAX_JOBS:
        raise argparse.ArgumentTypeError(f"{value} are too many; give at most {MAX_JOBS}, or -1 for all cores")
    return value


def _play(given: argparse.Namespace) -> bool:
    if given.level is None and is_terminal(sys.stdin, sys.stdout):
        play_puzzles()
    elif given.level is None:
        list_puzzles(sys.stdout)
    else:
        to = None if given.save is None else save_path(given.save)
        play(choose(given.level, given.which, given.script, given.kinds), sys.stdin, sys.stdout, to)
    return True


def _replay(given: argparse.Namespace) -> bool:
    source = open_source(given.file, expected="a play or a scene", maximum=MAX_SCENE_BYTES)
    scripts = given.script or is_own(given.file)
    if given.html is not None:
        found = scene_of(source) if is_scene(source) else play_of(source)
        return write_replay(found, page_path(given.html), sys.stdout, scripts=scripts)
    if is_scene(source):
        return show_scene(scene_of(source), sys.stdout)
    return show_play(play_of(source), sys.stdout, delay=given.delay, scripts=scripts)


def _verify(given: argparse.Namespace) -> bool:
    return verify_folder(
        given.folder, sys.stdout, jobs=given.jobs, backend=given.backend, address=given.address,
        scripts=given.script or is_own(given.folder),
    )  # fmt: skip


def _solve(given: argparse.Namespace) -> bool:
    to = save_path(given.save) if isinstance(given.save, Path) else None
    chosen, writer = choose(given.level, given.which, given.script, given.kinds), Writer(sys.stdout)
    if given.save is not None:
        check_may_save(chosen)
    if chosen.note:
        writer.write(chosen.note)
    solution = solve(
        chosen.level, script=chosen.script, max_states=given.max_states, max_bytes=given.max_bytes,
        seconds=given.seconds,
    )  # fmt: skip
    writer.write(f"{chosen.level.title}: {solution.explain()}")
    if solution.moves is not None:
        writer.write(solution.moves)
        if given.save is not None:
            game = chosen.game()
            game.play(solution.moves)
            writer.write(saved_text(save_play(chosen, game, to)))
    return bool(solution)
