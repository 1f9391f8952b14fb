"""`doctor`: installed versions, whether the hot files are compiled, and advice."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import TextIO

from ecs_collision import _build
from ecs_collision.terminal_text import Writer

SLOWDOWN = "20 to 110"
"""How many times slower the plain form is, from the lowest to the highest ratio of `python -m benchmarks plain`."""


def doctor(stream: TextIO) -> bool:
    """Write a report about this installation; return False only if compiled files are out of date."""
    plain, stale = _build.plain_hot_files(), _build.stale_hot_files()
    rows = [("python", f"{platform.python_version()} ({platform.python_implementation()})")]
    rows += [(name, _version(name)) for name in ("ecs-collision", "numpy", "esper", "sortedcontainers")]
    if not plain:
        rows.append(("kernels", "compiled"))
    else:
        rows.append(("kernels", f"plain Python ({', '.join(plain)}): same results, {SLOWDOWN} times slower"))
        if _build.is_pure():
            rows.append(("kernels", f"{_build.PURE} is set; unset it to use the compiled kernels"))
        else:
            rows.append(("kernels", "to compile them, install a C compiler and run this in the source folder:"))
            rows.append(("kernels", "pip install --no-cache-dir --force-reinstall --no-deps ."))
    if stale:
        remedy = "compiled before the source was last changed, so old code runs; rebuild with `pip install -e .`"
        rows.append(("STALE", f"{', '.join(stale)}: {remedy}"))
    Writer(stream).write(*[f"{name:<18}{text}" for name, text in rows])
    return not stale


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed as a package"
