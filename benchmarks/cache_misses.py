"""Counts the cache misses of a piece of work, if `perf` is installed and the processor supports it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable

EVENT = "cache-misses:u"
WARM_UP = 0.3
"""Seconds that `perf` gets to attach itself."""


def cache_misses(work: Callable[[], object]) -> int | None:
    """Run the work and return how many of its loads missed all caches, or None if that cannot be counted."""
    perf = shutil.which("perf")
    if perf is None:
        work()
        return None
    command = [perf, "stat", "-x", ",", "-e", EVENT, "-p", str(os.getpid())]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as counter:
        time.sleep(WARM_UP)
        work()
        while counter.poll() is None:  # a signal that comes before perf is ready may be lost
            counter.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                counter.wait(0.1)
        output = counter.stderr.read() if counter.stderr else ""
    return counted(output)


def counted(output: str) -> int | None:
    """Return the number in the output of `perf stat -x ,`, or None if it says that the event is not supported."""
    for line in output.splitlines():
        fields = line.split(",")
        if any(field.startswith("cache-misses") for field in fields) and fields[0].isdigit():
            return int(fields[0])
    return None
