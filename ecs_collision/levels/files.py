"""Writes files atomically."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from ecs_collision.errors import CollisionValueError
from ecs_collision.levels.source import path_text


def write_atomically(path: str | os.PathLike[str], text: str) -> Path:
    """Write text to a file and return its path. An existing file is replaced in one step."""
    where = Path(path_text(path))
    data = text.encode("utf-8")
    try:
        handle, name = tempfile.mkstemp(dir=where.parent, prefix=".written-", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(name, 0o644)
            os.replace(name, where)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as problem:  # it names the temporary file
        why = problem.strerror or str(problem)
        if problem.errno == errno.ENOENT:
            why += "; make the folder first"
        raise OSError(problem.errno, why, str(where)) from problem
    except ValueError as problem:  # a zero byte, half of a surrogate pair
        raise CollisionValueError(f"path is {str(where)!r}, which no file can have: {problem}; correct it") from problem
    return where
