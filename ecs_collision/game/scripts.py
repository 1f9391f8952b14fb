"""Level scripts: Python files beside a level, run only if the program says so. Levels cannot name or run one."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from ecs_collision.errors import CollisionTypeError, LevelError
from ecs_collision.levels.source import read_bytes

Script = Callable[[Any], object]
"""`script(game)`: declares handlers, mechanics and the win condition."""


def run_script(script: Script | str | os.PathLike[str], game: Any) -> None:
    """Call a script with a game: a function, or the path of a file that defines a function `script`.

    Raises LevelError with file and line if the file cannot be read or run, or raises.
    """
    if callable(script):
        script(game)
        return
    if not isinstance(script, str | os.PathLike):
        raise CollisionTypeError(
            f"script is {script!r}; give a function that takes the game, or the path of a Python file with "
            "def script(puzzle): ..."
        )
    path = Path(script)
    module = _load(path)
    function = getattr(module, "script", None)
    if not callable(function):
        raise LevelError(
            str(path), found="no function `script`" if function is None else f"script = {function!r}",
            expected="a function that takes the game", remedy="write def script(puzzle): ...",
        )  # fmt: skip
    try:
        function(game)
    except Exception as problem:
        raise _failed(path, problem) from problem


def _load(path: Path) -> ModuleType:
    """Run a file as a module that cannot be imported."""
    source = read_bytes(path, str(path), "a Python file")
    module = ModuleType(f"level script {path.stem}")
    module.__file__ = str(path)
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
    except SyntaxError as problem:
        raise LevelError(
            str(path), found=f"a syntax error: {problem.msg}", expected="a Python program", remedy="correct the line",
            line=problem.lineno, column=problem.offset,
        ) from problem  # fmt: skip
    except Exception as problem:
        raise _failed(path, problem) from problem
    finally:
        sys.modules.pop(module.__name__)
        if before is not None:
            sys.modules[module.__name__] = before
    return module


def _failed(path: Path, problem: Exception) -> LevelError:
    """Return the LevelError for a script that raised, with the line of the script."""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == str(path)]
    return LevelError(
        str(path), found=f"{type(problem).__name__}: {problem}", expected="a script that runs to its end",
        remedy="correct the line", line=lines[-1] if lines else None,
    )  # fmt: skip
