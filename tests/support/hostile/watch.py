"""Monitors what a load does to the machine: files, programs, module imports, memory and time.

An audit hook cannot be removed, so this runs in a separate process (`drill`).
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC


HARMLESS = {"array.__new__", "builtins.id"}
"""Audit events without effects outside of the interpreter."""


class TooLong(BaseException):
    """A load exceeded its time limit."""


class Watch:
    """Records every audit event that a load must not cause."""

    def __init__(self) -> None:
        self.inside: Path | None = None
        self.seen: list[str] = []
        self.asked: Path | None = None
        sys.addaudithook(self._hook)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.inside is None or event in HARMLESS:
            return
        inside, self.inside = self.inside, None
        try:
            if event != "open":
                self.seen.append(f"{event}{arguments!r}"[:300])
            elif not isinstance(arguments[0], int):
                path, mode, flags = arguments
                true = Path(os.path.realpath(os.fsdecode(path)))
                is_far = not true.is_relative_to(inside) and true != self.asked
                if is_far or (mode and set("wax+") & set(mode)) or flags & WRITES:
                    self.seen.append(f"open{arguments!r}"[:300])
        finally:
            self.inside = inside

    @contextmanager
    def over(self, inside: Path, asked: Path | None = None) -> Iterator[list[str]]:
        """Record events inside the context; only files in `inside` and the file `asked` may be read."""
        self.seen, self.inside = [], Path(os.path.realpath(inside))
        self.asked = Path(os.path.realpath(asked)) if asked else None
        try:
            yield self.seen
        finally:
            self.inside = None


def forget_peak() -> None:
    """Reset the peak memory to the current use, if the system supports it."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak() -> float:
    """Return the peak memory since `forget_peak`, in MiB."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLong after this much processor time."""

    def stop(*_: object) -> None:
        raise TooLong(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def timed(action: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return the result of an action, its processor time in seconds, and the additional peak memory in MiB."""
    forget_peak()
    before, start = peak(), time.process_time()
    result = action()
    return result, time.process_time() - start, max(0.0, peak() - before)
