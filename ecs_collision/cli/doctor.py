"""`doctor`: versions, how the kernels run, and what to do about it."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import TextIO

from ecs_collision import _build
from ecs_collision.terminal_text import Writer

SLOWDOWN = "10 to 40"
"""How many times slower plain kernels are: a long push of a train, a frame of 3,000 moving triggers."""


def doctor(stream: TextIO) -> bool:
    """Write how this installation is; return whether nothing is wrong: slow is not wrong, stale is."""
    plain, stale = _build.plain_hot_files(), _build.stale_hot_files()
    rows = [("python", f"{platform.python_version()} ({platform.python_implementation()})")]
    rows += [(name, _version(name)) for name in ("ecs-collision", "numpy", "esper", "sortedcontainers")]
    if not plain:
        rows.append(("kernels", "compiled"))
    else:
        rows.append(("kernels", f"plain Python ({', '.join(plain)}): same results, hot loops {SLOWDOWN} times slower"))
        if _build.is_pure():
            rows.append(("kernels", f"plain because {_build.PURE} is set; unset it to use compiled kernels"))
        else:
            rows.append(("kernels", "to have them compiled, install a C compiler; then type in the checkout:"))
            rows.append(("kernels", "pip install --no-cache-dir --force-reinstall --no-deps ."))
    if stale:
        remedy = "compiled before the last change of the source, so old code runs; build again with `pip install -e .`"
        rows.append(("STALE", f"{', '.join(stale)}: {remedy}"))
    Writer(stream).write(*[f"{name:<18}{text}" for name, text in rows])
    return not stale


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed as a package"
