"""What goes wrong in a command, as one line and an exit code: this is the only place that decides either.

| exit code | |
|---|---|
| 0 | all went well |
| 1 | the command ran, and found something wrong: a play that differs, a level without a way; or its reader left early |
| 2 | it could not run: wrong arguments, a file that is refused or cannot be read or written, too little memory |
| 130 | it was interrupted (Control-C) |

Everything else that is raised is a fault of this package, and is left to Python, which shows where it happened.
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
"""What the machine or a file may cause anywhere, besides the refusals of our own."""


def exit_code(problem: BaseException) -> int:
    """Return the exit code of a command that raised, after writing one line about it; raises again what is a bug."""
    if isinstance(problem, BrokenPipeError):  # the reader (`head`, a pager) has seen enough
        _discard_output()
        return FAILED
    if isinstance(problem, KeyboardInterrupt):
        _report("Interrupted.")
        return INTERRUPTED
    if not isinstance(problem, (CollisionError, *OUTSIDE)):
        raise problem
    _report(f"error: {described(problem)}")
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        _discard_output()
    return MISUSED


def described(problem: BaseException) -> str:
    """Return what to say of a refusal, or of what the machine or a file caused."""
    if isinstance(problem, OSError) and problem.strerror:
        is_path = isinstance(problem.filename, str | bytes | os.PathLike)
        return f"{os.fsdecode(problem.filename)}: {problem.strerror}" if is_path else problem.strerror
    if isinstance(problem, MemoryError):
        return "there is not enough memory for this; give a smaller file, or allow fewer states"
    if isinstance(problem, RecursionError):
        return f"this lies too deep in itself: {problem}"
    if isinstance(problem, BrokenExecutor):
        return f"a process that played was ended from outside, perhaps for want of memory; try --jobs 1 ({problem})"
    return str(problem)


def _report(line: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            Writer(sys.stderr).write(line)


def _discard_output() -> None:
    """Send what is still buffered nowhere: it must not raise again when Python exits."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
