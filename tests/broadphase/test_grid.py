"""The Morton grid: its cells, its directory, and the cost of queries (rules B1 to B7, cases B02 and B05 to B22).

test_protocol.py compares its results with brute force.
"""

from __future__ import annotations

import itertools
import random

import pytest
from twin_grids import UNIT, GridPair, box, random_box

from ecs_collision.broadphase.morton_grid.grid import Grid


def everything_directory_holds(grid: Grid) -> list[int]:
    return list(grid.directory)


@pytest.mark.parametrize("flat", [False, True])
def test_an_index_depends_on_its_boxes_and_not_on_their_history(flat: bool) -> None:
    rng = random.Random(11)
    twin = GridPair(flat=flat)
    for owner in range(60):
        twin.add(owner, random_box(rng, flat), random_box(rng, flat), awake=rng.random() < 0.5)
    for _ in range(300):
        owner = rng.choice(list(twin.runs))
        twin.shift(owner, rng.randint(-UNIT, UNIT), rng.randint(-UNIT, UNIT), 0)
        if rng.random() < 0.1:
            twin.remove(owner)
        if rng.random() < 0.3:
            everything_directory_holds(twin.grid)
    rebuilt = GridPair(flat=flat)
    for owner in reversed(twin.runs):
        rebuilt.add(owner, *twin.boxes(owner))
    assert everything_directory_holds(rebuilt.grid) == everything_directory_holds(twin.grid)
    assert rebuilt.grid.cell_count == twin.grid.cell_count == len(twin.grid.directory)


def test_a_large_query_uses_the_directory() -> None:
    twin = GridPair(flat=True)
    for x in range(0, 64, 2):
        for y in range(0, 64, 2):
            twin.add(64 * x + y, box(x + 0.25, y + 0.25, -0.5, 0.5, 0.5))
    region = box(0, 0, -0.5, 63, 63)
    assert len(twin.found(region)) == 32 * 32
    small = box(8, 8, -0.5, 3, 3)
    gone = list(twin.grid.directory)[100:300]
    for key in gone:
        twin.grid.directory.remove(key)
    assert len(twin.found(region)) == 32 * 32 - 200, "cells that are not in the directory are not found"
    assert twin.expected(small) == twin.found(small), "a small query needs no directory"
    with pytest.raises(IndexError, match="directory"):
        twin.grid.check()
    twin.grid.directory.update(gone)
    twin.verify(region)


@pytest.mark.parametrize(
    ("deep", "count", "sides"), [(False, 1500, (33, 60)), (True, 1500, (12, 30))], ids=["2D", "3D"]
)
def test_a_large_query_at_any_place_equals_brute_force(deep: bool, count: int, sides: tuple[int, int]) -> None:
    """Rules B3 and B7: it is divided into runs of the directory, which it covers completely or in part."""
    rng = random.Random(f"large {deep}")
    twin, width = GridPair(flat=not deep), 24 if deep else 72
    for owner in range(count):
        x, y, z = (rng.randint(-width, width) / 2 for _ in range(3))
        side = rng.choice((0.25, 0.5, 1, 1, 2, 3, 7))
        depth = rng.choice((0.5, side)) if deep else 1
        twin.add(owner, box(x, y, z if deep else -0.5, side, rng.choice((0.5, side)), depth))
    for _ in range(60):
        x, y, z = (rng.randint(-width, width) / 2 - rng.randint(0, sides[0]) for _ in range(3))
        wide, high, depth = (rng.randint(*sides) for _ in range(3))
        region = box(x, y, z if deep else -0.5, wide, high, depth if deep else 1)
        twin.grid.cells_visited = 0
        assert twin.expected(region) == twin.found(region)
        assert twin.grid.cells_visited <= twin.grid.cell_count


def test_a_large_query_finds_the_large_box_of_a_cell_that_it_divides() -> None:
    """Rule B3: a run that is divided begins with the cell itself, and its box is a hit."""
    twin = GridPair(flat=True)
    for x, y in itertools.product(range(16), range(16)):
        twin.add(16 * x + y, box(x + 0.25, y + 0.25, -0.5, 0.5, 0.5))
    large = twin.add(1000, box(2, 2, -0.5, 12, 12))
    region = box(9, 9, -0.5, 600, 600)
    assert large in twin.expected(region)
    assert twin.expected(region) == twin.found(region)


def test_flat_boxes_are_in_one_cell_of_z_and_a_query_beside_them_finds_none() -> None:
    twin = GridPair(flat=True)
    twin.add(1, box(0.25, 0.25, -0.5, 0.5, 0.5, 1))
    assert twin.grid.cell_count == 1
    assert twin.found(box(0, 0, 5)) == []
    assert twin.found(box(0, 0, 0.5)) == [0], "faces are included"


@pytest.mark.parametrize("size", [1.5, 2, 5, 300])
def test_the_z_range_of_flat_bodies_lies_inside_one_cell(size: float) -> None:
    twin = GridPair()
    twin.add(1, box(0.25, 0.25, -0.5, size, 0.5, 1))
    assert {2**20 * UNIT} != {twin.grid.boxes.faces[0]}
    assert len({code & 4 * 0o111111111111111111111 for code in twin.grid.cells.codes[: twin.grid.cells.used]}) == 1
