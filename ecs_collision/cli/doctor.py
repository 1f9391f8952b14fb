"""`doctor`: installed versions, whether the hot files are compiled, and advice on levels."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import TextIO

from ecs_collision import _build
from ecs_collision.cli.files import Chosen, choose_all
from ecs_collision.doctor import Finding, advice_of
from ecs_collision.levels import unused_properties
from ecs_collision.levels.source import read_bytes
from ecs_collision.plays.replaying import script_of
from ecs_collision.terminal_text import Writer

SLOWDOWN = "20 to 110"
"""How many times slower the plain form is, from the lowest to the highest ratio of `python -m benchmarks plain`."""


def examine_installation(stream: TextIO) -> bool:
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


def examine_levels(names: Sequence[str], stream: TextIO, *, scripts: bool, kinds: Path | None = None) -> bool:
    """Write advice on all levels of files, as they begin; return whether there is none.

    scripts: whether the script beside a level file runs; those of included puzzles always do. kinds: a file of
    components for the things of all levels.
    """
    writer, count = Writer(stream), 0
    for name in names:
        for number, chosen in enumerate(choose_all(name, scripts, kinds), 1):
            title = f"{name} {number}: {chosen.level.title}"
            lines = [chosen.note] * (bool(chosen.note) and number == 1)
            advice = [*chosen.game().doctor(), *advice_of(_property_findings(chosen))]
            writer.write(f"{title}: {_counted(len(advice))}", *[f"  {line}" for line in (*lines, *advice)])
            count += len(advice)
    return count == 0


def _counted(lines: int) -> str:
    return f"{lines} line{'s' * (lines != 1)} of advice" if lines else "nothing to do"


def _property_findings(chosen: Chosen) -> Iterator[Finding]:
    """Yield the properties of a level that nothing uses, not even its script."""
    beside = script_of(chosen.path)
    script = read_bytes(beside, str(beside), "a Python file") if os.path.isfile(beside) else b""
    for name in unused_properties(chosen.level, script.decode("utf-8", "replace")):
        yield Finding(
            "property", (),
            f"nothing uses the property {name!r} of the level; correct it if a setting was meant (docs/levels.md), or "
            "use it in the script",
        )  # fmt: skip


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed as a package"
