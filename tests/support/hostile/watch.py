"""Watching what a load does to the machine: files opened, programs run, modules imported, memory and time taken.

A hook cannot be taken off again, so this belongs into a process of its own (`drill`).
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
"""Events of the interpreter that reach nothing outside of it."""


class TooLong(BaseException):
    """A load took longer than any may."""


class Watch:
    """Notes every event of the interpreter that a load has no business to cause."""

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
        """Watch what happens within; only files in `inside` may be read, and the one that was asked for."""
        self.seen, self.inside = [], Path(os.path.realpath(inside))
        self.asked = Path(os.path.realpath(asked)) if asked else None
        try:
            yield self.seen
        finally:
            self.inside = None


def forget_peak() -> None:
    """Let the greatest memory used so far be what is used now, where the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak() -> float:
    """Return the greatest memory used since `forget_peak`, in MiB."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLong in what takes longer, in time of the processor."""

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
    """Return what an action gives, its time of the processor in seconds, and the memory it added at its peak in MiB."""
    forget_peak()
    before, start = peak(), time.process_time()
    result = action()
    return result, time.process_time() - start, max(0.0, peak() - before)
