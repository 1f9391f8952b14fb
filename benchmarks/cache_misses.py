"""Count the cache misses of a piece of work, where `perf` is there and the processor lets it count."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable

EVENT = "cache-misses:u"
WARM_UP = 0.3
"""Seconds `perf` is given to attach itself."""


def cache_misses(work: Callable[[], object]) -> int | None:
    """Do the work and return how many of its loads no cache could serve, None where nobody counts them."""
    perf = shutil.which("perf")
    if perf is None:
        work()
        return None
    command = [perf, "stat", "-x", ",", "-e", EVENT, "-p", str(os.getpid())]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as counter:
        time.sleep(WARM_UP)
        work()
        if counter.poll() is None:
            counter.send_signal(signal.SIGINT)
        told = counter.stderr.read() if counter.stderr else ""
    return counted(told)


def counted(told: str) -> int | None:
    """Return the number in what `perf stat -x ,` told, None where it says that the event is not supported."""
    for line in told.splitlines():
        fields = line.split(",")
        if any(field.startswith("cache-misses") for field in fields) and fields[0].isdigit():
            return int(fields[0])
    return None
