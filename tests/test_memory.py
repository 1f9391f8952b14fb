"""Nothing is kept that is not needed: churn without growth, and worst cases bounded by what was looked at."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import pytest
from churn import CHURNS, FRAMES

from ecs_collision._build import is_pure

WARM, ROUNDS = (3, 4) if is_pure() else (20, 120)
IN_THE_BOOKS = 1 << 14
"""NumPy's accumulations leave some 200 blocks in the books of tracemalloc that are free, and never more."""


def kept(churn: object) -> tuple[int, int]:
    """Return how many objects there are and how many bytes they take, garbage apart."""
    gc.collect()
    return len(gc.get_objects()), tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("name", CHURNS)
def test_rounds_that_end_where_they_began_keep_nothing(world, name):
    """Not an object more, and fewer bytes than a number a frame would take."""
    churn = CHURNS[name]()
    tracemalloc.start()
    try:
        for _ in range(WARM):
            churn.round()
        objects, size = kept(churn)
        for _ in range(ROUNDS):
            churn.round()
        more_objects, more_size = kept(churn)
    finally:
        tracemalloc.stop()
    assert more_objects <= objects
    assert more_size - size < IN_THE_BOOKS


@pytest.mark.soak
@pytest.mark.parametrize("name", CHURNS)
def test_a_hundred_thousand_frames_take_no_more_memory_than_ten_thousand(world, name):
    churn = CHURNS[name]()
    for _ in range(10_000 // FRAMES):
        churn.round()
    objects, pages = kept(churn)[0], resident()
    for _ in range(100_000 // FRAMES):
        churn.round()
    assert kept(churn)[0] <= objects
    assert resident() - pages < 1 << 20


def resident() -> int:
    """Return how many bytes of memory the process holds; 0 where the system does not tell."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * 4096 if statm.exists() else 0
