"""Errors of commands, each as one line and an exit code; no other file decides either.

| exit code | |
|---|---|
| 0 | success |
| 1 | the command found a problem: a play that differs, a level without a solution; or its reader closed the pipe |
| 2 | the command could not run: invalid arguments, an invalid, unreadable or unwritable file, too little memory |
| 130 | interrupted (Control-C) |

Any other exception is a bug of this package, and is left to Python, which prints the traceback.
"""

from __future__ import annotations

import contextlib
import os
import sys
from concurrent.futures import BrokenExecutor

from ecs_collision.errors import CollisionError
from ecs_collision.terminal_text import Writer

FINE, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130

OUTSIDE = (OSError, UnicodeError, MemoryError, RecursionError, BrokenExecutor)
"""Errors that the machine or a file may cause anywhere, besides the errors of this package."""


def exit_code(problem: BaseException) -> int:
    """Write one line about an exception and return the exit code; raises it again if it is a bug."""
    if isinstance(problem, BrokenPipeError):  # the reader (`head`, a pager) closed the pipe
        _discard_output()
        return FAILED
    if isinstance(problem, KeyboardInterrupt):
        write_line("Interrupted.")
        return INTERRUPTED
    if not isinstance(problem, (CollisionError, *OUTSIDE)):
        raise problem
    write_line(f"error: {error_text(problem)}")
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        _discard_output()
    return MISUSED


def error_text(problem: BaseException) -> str:
    """Return the text for an error of this package, of the machine or of a file."""
    if isinstance(problem, OSError) and problem.strerror:
        is_path = isinstance(problem.filename, str | bytes | os.PathLike)
        return f"{os.fsdecode(problem.filename)}: {problem.strerror}" if is_path else problem.strerror
    if isinstance(problem, MemoryError):
        return "not enough memory; use a smaller file, or allow fewer states"
    if isinstance(problem, RecursionError):
        return f"nested too deeply: {problem}"
    if isinstance(problem, BrokenExecutor):
        return f"a worker process was killed, perhaps for lack of memory; try --jobs 1 ({problem})"
    return str(problem)


def write_line(line: str) -> None:
    """Write a line to the standard error, if there is one."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            Writer(sys.stderr).write(line)


def _discard_output() -> None:
    """Discard buffered output, so that it does not raise again when Python exits."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
