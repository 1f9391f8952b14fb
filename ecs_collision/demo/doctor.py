"""What `python -m ecs_collision doctor` says: versions, how the kernels run, and what to do about it."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib import metadata

from ecs_collision import _build

DEPENDENCIES = ("numpy", "esper", "sortedcontainers")
SLOWDOWN = "10 to 40"
"""How many times slower plain kernels are: a long push of a train, a frame of 3,000 moving triggers."""


def report() -> tuple[list[str], bool]:
    """Return the lines to print, and whether nothing is wrong; slow is not wrong, stale is."""
    stale = _build.stale_kernels()
    lines = [f"python            {platform.python_version()} ({platform.python_implementation()})"]
    lines += [f"{name:<18}{_version(name)}" for name in ("ecs-collision", *DEPENDENCIES)]
    lines += [f"kernels           {line}" for line in _kernel_lines()]
    if stale:
        lines.append(
            f"STALE             {', '.join(stale)}: compiled before the last change of the source, so old code runs; "
            "build again with `pip install -e .`"
        )
    return lines, not stale


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed as a package"


def _kernel_lines() -> Iterator[str]:
    plain = _build.plain_kernels()
    if not plain:
        yield "compiled"
        return
    yield f"plain Python ({', '.join(plain)}): same results, hot loops {SLOWDOWN} times slower"
    if _build.is_pure():
        yield f"plain because {_build.PURE} is set; unset it to use compiled kernels"
    else:
        yield "to have them compiled, install a C compiler; then type in the checkout:"
        yield "pip install --no-cache-dir --force-reinstall --no-deps ."
