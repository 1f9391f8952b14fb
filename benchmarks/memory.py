"""Memory for each body, each measurement in a fresh interpreter.

`python -m benchmarks.memory COUNT KIND` prints the bytes of one measurement: allocated (tracemalloc) and resident.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import esper

from benchmarks.report import Report
from benchmarks.scenes import empty
from ecs_collision import BoxCollider, CollisionWorld, Transform

COUNT = 100_000
LIMITS = {"engine": 500.0, "esper": 900.0}
"""Maximum resident bytes for each body."""


def _components(count: int) -> object:
    return [(Transform(2 * n, 0), BoxCollider(0.5, 0.5)) for n in range(count)]


def _engine(count: int) -> object:
    world = CollisionWorld()
    for n in range(count):
        world.add(transform=Transform(2 * n, 0), collider=BoxCollider(0.5, 0.5))
    world.step()
    return world


def _esper(count: int) -> object:
    scene = empty(f"memory of {count}")
    for n in range(count):
        esper.create_entity(Transform(2 * n, 0), BoxCollider(0.5, 0.5))
    scene.process()
    return scene


KINDS: dict[str, tuple[str, Callable[[int], object]]] = {
    "components": ("the components alone", _components),
    "engine": ("a body of CollisionWorld", _engine),
    "esper": ("a body of esper with CollisionSystem", _esper),
}


def resident() -> int:
    """Return the resident bytes of this process."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import resource  # not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def measured(kind: str, count: int, traced: bool) -> float:
    """Return the bytes for each body in this process."""
    make = KINDS[kind][1]
    kept = [make(10)]  # the first body also loads what later ones share
    if traced:
        tracemalloc.start()
        kept.append(make(count))
        return tracemalloc.get_traced_memory()[0] / count
    before = resident()
    kept.append(make(count))
    return (resident() - before) / count


def in_a_fresh_interpreter(module: str, *arguments: str) -> Any:
    """Return what a module prints as JSON for `COUNT` bodies."""
    command = [sys.executable, "-m", module, str(COUNT), *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def memory() -> Report:
    """Measure the bytes for each body: the components alone, in a CollisionWorld, in esper."""
    report = Report("memory", f"bytes for each of {COUNT:,} boxes", ("", "allocated", "resident"))
    for kind, (label, _) in KINDS.items():
        allocated, in_memory = (
            float(in_a_fresh_interpreter("benchmarks.memory", kind, how)) for how in ("traced", "resident")
        )
        report.rows.append((label, f"{allocated:,.0f}", f"{in_memory:,.0f}"))
        report.figures |= {f"{kind} allocated": allocated, f"{kind} resident": in_memory}
        if kind in LIMITS:
            text = f"{label}: {in_memory:,.0f} bytes resident, at most {LIMITS[kind]:,.0f}"
            report.limit(text, in_memory <= LIMITS[kind])
    return report


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[2], int(sys.argv[1]), sys.argv[3] == "traced")))
