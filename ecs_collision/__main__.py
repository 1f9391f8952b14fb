# PYTHON_ARGCOMPLETE_OK
"""The command line: `ecs-collision demo`, `play`, `replay`, `verify`, `solve` and `doctor`.

Without the script, `python -m ecs_collision` is the same.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import warnings
from collections.abc import Sequence

from ecs_collision.cli.commands import parser
from ecs_collision.cli.failures import FAILED, FINE, exit_code, write_line


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code (cli/failures.py); raises SystemExit(2) for wrong arguments."""
    if sys.stdout is None:  # closed, as by `>&-`: the exit code still counts
        with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
            return main(arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            commands = parser()
            _complete(commands)
            given = commands.parse_args(arguments)
            status = FINE if given.run(given) else FAILED
        sys.stdout.flush()
    except SystemExit:
        raise
    except BaseException as problem:
        return exit_code(problem)
    return status


def _complete(commands: argparse.ArgumentParser) -> None:
    """Answer a shell that asks how to go on, and exit; otherwise do nothing."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(commands)


def _show_warning(message: Warning | str, *_where: object, **_named: object) -> None:
    """Write a warning as one line, without a source line: the user of a command has no line to change."""
    write_line(f"warning: {message}")


if __name__ == "__main__":
    sys.exit(main())
