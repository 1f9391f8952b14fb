"""The command line: `python -m ecs_collision demo`, `play`, `replay`, `verify`, `solve` and `doctor`."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from ecs_collision.cli import commands
from ecs_collision.cli.failures import FAILED, FINE, exit_code
from ecs_collision.demo.doctor import report
from ecs_collision.demo.story import tell_story
from ecs_collision.terminal_text import Writer, visible


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code (cli/failures.py); raises SystemExit(2) for wrong arguments."""
    if sys.stdout is None:  # it was closed, as by `>&-`: what is found is still returned
        with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
            return main(arguments)
    try:
        status = _run(parser().parse_args(arguments))
        sys.stdout.flush()
    except SystemExit:
        raise
    except BaseException as problem:
        return exit_code(problem)
    return status


def _run(chosen: argparse.Namespace) -> int:
    if chosen.command == "doctor":
        return _doctor()
    if chosen.command == "demo":
        return FINE if tell_story(sys.stdout) else FAILED
    return FINE if commands.run(chosen) else FAILED


class _Parser(argparse.ArgumentParser):
    """A parser that writes what it was given in one line: a name out of a folder may hold anything."""

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = _Parser(prog="python -m ecs_collision", description="Collisions and pushes for esper.")
    known = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_commands(known)
    known.add_parser("demo", help="play a small puzzle in the terminal")
    known.add_parser("doctor", help="say what is installed and whether the kernels are compiled")
    return parser


def _doctor() -> int:
    lines, is_healthy = report()
    Writer(sys.stdout).write(*lines)
    return FINE if is_healthy else FAILED


if __name__ == "__main__":
    sys.exit(main())
