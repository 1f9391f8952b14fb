"""The command line: `python -m benchmarks [NAME ...] [--json FILE] [--plots FOLDER]`."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from benchmarks.casts import casts
from benchmarks.contacts import contacts
from benchmarks.frames import frames, frames_in_bulk
from benchmarks.harness import duration, table
from benchmarks.idle import idle, unrelated
from benchmarks.memory import memory
from benchmarks.memory_parts import memory_parts
from benchmarks.movement import movement
from benchmarks.movers import movers
from benchmarks.moves import move
from benchmarks.pairs import pairs
from benchmarks.plain import plain
from benchmarks.plots import draw
from benchmarks.queries import queries
from benchmarks.rays import nearest, rays
from benchmarks.recorded import sokoban
from benchmarks.report import SUMMARY, Report, shown, summary, write_json
from benchmarks.scale import scale
from benchmarks.shapes import shapes
from benchmarks.sizes import giant, sizes
from benchmarks.solving import solving
from benchmarks.stacks import stacks
from benchmarks.start import start
from benchmarks.structures import structures
from ecs_collision import __version__
from ecs_collision._build import plain_hot_files

WORKLOADS: dict[str, Callable[[], Report]] = {
    "pairs": pairs,
    "queries": queries,
    "rays": rays,
    "casts": casts,
    "nearest": nearest,
    "idle": idle,
    "start": start,
    "unrelated": unrelated,
    "move": move,
    "sokoban": sokoban,
    "solve": solving,
    "plain": plain,
    "memory": memory,
    "memory-parts": memory_parts,
    "sizes": sizes,
    "shapes": shapes,
    "giant": giant,
    "frames": frames,
    "frames-bulk": frames_in_bulk,
    "scale": scale,
    "movers": movers,
    "movement": movement,
    "contacts": contacts,
    "stacks": stacks,
    "structures": structures,
}


def machine() -> dict[str, str]:
    """Return what the figures were measured on."""
    return {
        "ecs-collision": __version__,
        "kernels": "plain Python" if plain_hot_files() else "compiled",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
    }


def main() -> int:
    """Run the named workloads, all by default. Returns 1 if a limit was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(WORKLOADS)}; all by default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="draw the plots there, as PNG")
    chosen = parser.parse_args()
    named = list(chosen.names or WORKLOADS)
    unknown = [name for name in named if name not in WORKLOADS]
    if unknown:
        parser.error(f"no workload {unknown[0]!r}; there are {', '.join(WORKLOADS)}")

    print(", ".join(f"{name} {value}" for name, value in machine().items()), flush=True)
    reports: list[Report] = []
    for name in named:
        reports.append(measured(name))
        if chosen.json:  # after each, so that an interrupted run leaves its results
            write_json(chosen.json, reports, machine())
    overview = summary(reports)
    if overview:
        print(f"\nThis project against the fastest other library of the same run\n{table(SUMMARY, overview, (0, 3))}")
    if chosen.plots:
        print_plots(reports, chosen.plots)
    return int(any(not kept for report in reports for _, kept in report.limits))


def print_plots(reports: Sequence[Report], folder: Path) -> None:
    """Draw the plots if matplotlib is installed, and print their paths."""
    try:
        drawn = draw(reports, folder)
    except ImportError as missing:
        print(f"no plots: {missing.name} is not installed")
    else:
        print(f"drew {', '.join(map(str, drawn))}")


def measured(name: str) -> Report:
    """Run a workload in its own process, so that none inherits the memory of another; print and return its report."""
    print(f"\n{name} ...", file=sys.stderr, flush=True)
    began = time.monotonic()
    try:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            report = process.submit(WORKLOADS[name]).result()
    except BrokenProcessPool:
        report = Report(name, "its process died, because of a library")
        report.limit("the workload comes to its end", False)
    print(f"\n{shown(report)}", flush=True)
    print(f"\n{name} took {duration(time.monotonic() - began)}", file=sys.stderr, flush=True)
    return report


if __name__ == "__main__":
    sys.exit(main())
