"""culverin: the Python bindings of Jolt, for Python 3.12 only; 3D, so boxes of 2D lie side by side in a slab.

It runs in its own process, which measures the time of the work; communication is not included. `CULVERIN_PYTHON` names
the interpreter that has culverin; by default it is the one that `make bench` has set up, or this one.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.boxes import Boxes, QueryScene
from benchmarks.install import culverin_home
from benchmarks.libraries import Job, RemoteTiming, Skipped, library
from benchmarks.outputs import hits, pairs

PROGRAM = Path(__file__).resolve().parents[1] / "culverin_worker.py"
APART = "runs in its own process"
FRAMES = 2000


def interpreter() -> str:
    """Return the interpreter that has culverin. Raises Skipped if there is none."""
    if "CULVERIN_PYTHON" in os.environ:
        return os.environ["CULVERIN_PYTHON"]
    inside = culverin_home() / "bin" / "python"
    if inside.exists():
        return str(inside)
    if importlib.util.find_spec("culverin"):
        return sys.executable
    raise Skipped("needs Python 3.12; CULVERIN_PYTHON names one that has it")


class Worker:
    """The process that has culverin. It ends with this object."""

    def __init__(self) -> None:
        command = [interpreter(), str(PROGRAM)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def __call__(self, name: str, *arguments: Any) -> RemoteTiming:
        """Call a function of the worker; return its seconds and its result."""
        assert self.process.stdin is not None and self.process.stdout is not None
        content = pickle.dumps((name, *arguments))
        try:
            self.process.stdin.write(struct.pack("<q", len(content)) + content)
            self.process.stdin.flush()
            length = struct.unpack("<q", self.process.stdout.read(8))[0]
        except (OSError, struct.error) as failure:
            raise Skipped(f"its process ended with {self.process.wait()}") from failure
        seconds, result = pickle.loads(self.process.stdout.read(length))
        if isinstance(seconds, str):
            raise RuntimeError(f"{seconds}: {result}")
        return RemoteTiming(seconds, result)

    def __del__(self) -> None:
        process = getattr(self, "process", None)
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            process.wait()


def _corners(boxes: Boxes) -> tuple[list[list[float]], list[list[float]]]:
    solid = boxes.in_3d()
    return solid.centres.tolist(), solid.halves.tolist()


@library("pairs", "culverin", exact=False, leaves_out=APART, most=10_000)
def culverin_pairs(boxes: Boxes) -> Job:
    """Create a world of sensors, step once, read the contacts that began."""
    worker, corners = Worker(), _corners(boxes)
    return Job(lambda: worker("pairs", *corners), pairs)


@library("query", "culverin", exact=False, leaves_out=APART)
def culverin_query(scene: QueryScene) -> Job:
    """Run one query after another."""
    worker, solid = Worker(), scene.regions.in_3d()
    worker("made", *_corners(scene.world), "STATIC", False)
    regions = [(tuple(lo), tuple(hi)) for lo, hi in zip(solid.lo.tolist(), solid.hi.tolist(), strict=True)]
    return Job(lambda: worker("query", regions), hits)


@library("idle", "culverin, asleep", leaves_out=APART)
def culverin_asleep(boxes: Boxes) -> Job:
    """Step a world of sleeping bodies."""
    worker = Worker()
    if worker("made", *_corners(boxes), "DYNAMIC", False).result:
        raise Skipped("bodies did not fall asleep")

    def frames() -> RemoteTiming:
        found = worker("frames", FRAMES)
        return RemoteTiming(found.seconds / FRAMES, found.result)

    return Job(frames)
