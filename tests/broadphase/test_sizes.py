"""The bytes that a structure says it takes, beside those that Python counts."""

from __future__ import annotations

import gc
import random
import tracemalloc

import pytest
from twin_grids import DEFAULTS, box

from ecs_collision._arrays import bytes_of
from ecs_collision.broadphase.make_index import index_of
from ecs_collision.broadphase.protocol import Index, Size

STRUCTURES = [name for name in DEFAULTS if name != "brute_force"]


def built(name: str, count: int) -> Index:
    """Return an index of unit boxes at random places of a square, after a query."""
    rng, index = random.Random(1), index_of(DEFAULTS[name], 16)
    for number in range(count):
        index.place(index.allocate(1), number, True, *box(rng.uniform(-60, 60), rng.uniform(-60, 60), 0))
    index.collect(*box(0, 0, 0))
    return index


def traced(name: str, count: int) -> tuple[Index, int]:
    """Return an index and the bytes that Python counts for it, without those of its boxes and results."""
    built(name, 9)  # what is made once
    gc.collect()
    tracemalloc.start()
    try:
        index = built(name, count)
        gc.collect()
        counted, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    boxes = index.boxes
    return index, counted - bytes_of(boxes.faces, index.hits, index.pairs)


@pytest.mark.parametrize("name", STRUCTURES)
def test_the_bytes_of_a_structure_are_near_those_that_python_counts(name: str) -> None:
    """Nodes are counted as compiled ones; those of plain Python are about twice as large."""
    small, large = index_of(DEFAULTS[name], 16).measure(), built(name, 200).measure()
    index, counted = traced(name, 800)
    size = index.measure()
    assert size.entries >= 800
    assert size.nodes >= index.cell_count >= 0
    assert small.bytes < large.bytes < size.bytes
    assert size.bytes / 1.2 < counted < 2.5 * size.bytes


def test_brute_force_takes_nothing_but_the_boxes() -> None:
    assert Size(800, 0, 0, 0) == built("brute_force", 800).measure()
