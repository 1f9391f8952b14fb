"""The commands about levels and plays: their arguments, and what they return."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ecs_collision.cli.opening import choose, is_own
from ecs_collision.cli.playing import list_puzzles, play
from ecs_collision.cli.saving import place_to_save
from ecs_collision.cli.scenes import show_scene
from ecs_collision.cli.showing import show_play
from ecs_collision.cli.solving import solve_level
from ecs_collision.cli.verifying import BACKENDS, verify_folder
from ecs_collision.levels.source import open_source
from ecs_collision.plays.files import play_of
from ecs_collision.solver.fewest_pushes import MOST_BYTES, MOST_STATES
from ecs_collision.testing.scene_reading import is_scene, scene_of

KEYS = """\
In a terminal arrows move, . waits, u or Backspace undoes, y redoes, r restarts, s saves the play, q quits.
From a pipe the same letters are read, L R U D for the arrows: echo RRUL | python -m ecs_collision play LEVEL
"""

MOST_JOBS = 1024
"""The most plays at once: each may be a process of its own."""

TRUST = "run the script beside the level: it is program code, so only if you trust it"


def add_commands(commands: Any) -> None:
    """Add the commands to a parser's subparsers."""
    _add_play(commands)
    _add_replay(commands)
    _add_verify(commands)
    _add_solve(commands)


def _command(commands: Any, name: str, help: str, epilog: str = "") -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=help, description=f"{help[0].upper()}{help[1:]}.", epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    return parser


def _add_level(parser: argparse.ArgumentParser, **more: Any) -> None:
    parser.add_argument("level", metavar="LEVEL", help="a level file, or the name of one of our own puzzles", **more)
    parser.add_argument("--which", metavar="N", help="the number (from 1) or title of the level, in a file of several")
    parser.add_argument("--script", action="store_true", help=TRUST)


def _add_play(commands: Any) -> None:
    parser = _command(commands, "play", "play a level; without LEVEL list our own puzzles", KEYS)
    _add_level(parser, nargs="?")
    parser.add_argument("--save", type=Path, metavar="FILE.play", help="where s writes the play")


def _add_replay(commands: Any) -> None:
    parser = _command(
        commands, "replay", "show a recorded play or the scene of a failed test, and whether all comes as recorded",
        "Returns 0 if it does, 1 if something differs, 2 for a faulty file.",
    )  # fmt: skip
    parser.add_argument("file", type=Path, metavar="FILE", help="a FILE.play, or a FILE.scene that a test has written")
    parser.add_argument("--delay", type=_seconds, default=0.2, metavar="S", help="seconds a turn of a play (0.2)")
    parser.add_argument("--check", action="store_true", help="of a scene: hold each act to the model of the rules too")
    parser.add_argument("--script", action="store_true", help=TRUST)


def _add_verify(commands: Any) -> None:
    parser = _command(
        commands, "verify", "replay every play of a folder and say which come as recorded",
        "Returns 0 if all do, 1 if any differs or is skipped. On a cluster the workers must see the folder under the "
        "same path.",
    )  # fmt: skip
    parser.add_argument("folder", type=Path, metavar="DIR", help="searched with its subfolders; or one FILE.play")
    parser.add_argument("--jobs", type=_jobs, default=-1, metavar="N", help="how many at once (-1: one a core)")
    parser.add_argument("--backend", choices=BACKENDS, default="loky", help="processes, threads or a Dask cluster")
    parser.add_argument("--address", metavar="HOST:PORT", help="the scheduler of the Dask cluster; none: one made here")
    parser.add_argument("--script", action="store_true", help="run the scripts that plays ask for: " + TRUST)


def _add_solve(commands: Any) -> None:
    parser = _command(
        commands, "solve", "find the win of a level with the fewest pushes, then the fewest steps",
        "Returns 0 if there is one, 1 if there is none or it gave up.",
    )  # fmt: skip
    _add_level(parser)
    parser.add_argument(
        "--most-states", type=_count, default=MOST_STATES, metavar="N", help=f"give up after so many ({MOST_STATES:,})"
    )
    parser.add_argument(
        "--most-bytes", type=_count, default=MOST_BYTES, metavar="N",
        help=f"give up when what was found takes so much memory ({MOST_BYTES:,})",
    )  # fmt: skip
    parser.add_argument("--seconds", type=_seconds, metavar="S", help="give up after so long")
    parser.add_argument(
        "--save",
        type=Path,
        nargs="?",
        const=True,
        metavar="FILE.play",
        help="write the play, beside the level or to FILE",
    )


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
    if value > MOST_JOBS:
        raise ValueError(text)
    return value


def run(chosen: argparse.Namespace) -> bool:
    """Run one of the commands; returns whether all went well."""
    command: bool = _RUN[chosen.command](chosen)
    return command


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
    to = None if given.save in (None, True) else place_to_save(given.save)
    solution = solve_level(
        choose(given.level, given.which, given.script), sys.stdout, most_states=given.most_states,
        most_bytes=given.most_bytes, seconds=given.seconds, save=given.save is not None, to=to,
    )  # fmt: skip
    return bool(solution)


_RUN = {"play": _play, "replay": _replay, "verify": _verify, "solve": _solve}
