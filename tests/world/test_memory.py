"""No data is kept longer than needed: no growth over many rounds, and bounds for worst cases."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from boards import AS_SHIPPED
from churn import CHURNS, FRAMES

WARM, ROUNDS, TRACED = (4, 6, 20) if AS_SHIPPED else (3, 3, 3)
IN_THE_BOOKS = 1 << 14
"""Blocks that NumPy's accumulations leave in the records of tracemalloc although they are free; never more."""


def object_count() -> int:
    """Return the number of objects without garbage, including those frozen by the garbage collector."""
    gc.unfreeze()
    gc.collect()
    count = len(gc.get_objects())
    gc.freeze()
    return count


@pytest.mark.parametrize("name", CHURNS)
def test_rounds_that_end_at_their_start_keep_nothing(world, name):
    """No object more after thousands of frames, and in hundreds fewer bytes than one number per frame."""
    churn = CHURNS[name]()
    for _ in range(WARM):
        churn.round()
    # What is kept grows each time; other threads of the test run make objects now and then.
    assert min(growth(churn.round) for _ in range(3)) <= 0
    assert bytes_kept(churn.round, TRACED) < IN_THE_BOOKS


def growth(act: Callable[[], None]) -> int:
    """Return the growth in objects after doing something `ROUNDS` times."""
    before = object_count()
    for _ in range(ROUNDS):
        act()
    return object_count() - before


def bytes_kept(act: Callable[[], None], times: int) -> int:
    """Return the growth in bytes after doing something this many times."""
    tracemalloc.start()
    try:
        for _ in range(3):
            act()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(times):
            act()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


@pytest.mark.soak
@pytest.mark.parametrize("name", CHURNS)
def test_a_hundred_thousand_frames_take_no_more_memory_than_ten_thousand(world, name):
    churn = CHURNS[name]()
    for _ in range(10_000 // FRAMES):
        churn.round()
    objects, pages = object_count(), resident()
    for _ in range(100_000 // FRAMES):
        churn.round()
    assert object_count() <= objects
    assert resident() - pages < 1 << 20


def resident() -> int:
    """Return the resident memory of the process in bytes, or 0 if the system does not report it."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * 4096 if statm.exists() else 0
