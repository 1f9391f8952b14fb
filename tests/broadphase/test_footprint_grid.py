"""The footprint grid: which cells a box covers, what lies outside, and the faults of the source.

test_protocol.py compares its results with brute force.
"""

from __future__ import annotations

import random

import pytest
from twin_grids import EVERYWHERE, UNIT, Faces, GridPair, box, pairs_of, random_box

from ecs_collision.broadphase.footprint_grid import MAX_CELLS, FootprintGridIndex

BIT = 1 / UNIT
"""One lattice unit, in world units."""


class FootprintPair(GridPair):
    """A footprint grid and brute force with the same boxes. By default 8 columns and 6 rows of unit cells around 0."""

    def __init__(self, *area: int) -> None:
        super().__init__(FootprintGridIndex(16, *(area or (-4, -3, 8, 6, 16))))

    def cells(self) -> set[tuple[int, int]]:
        """Return the lowest corners of the cells with boxes, in whole world units."""
        return {(x // UNIT, y // UNIT) for (x, y, *_), _ in self.grid.outlines()}


@pytest.mark.parametrize(
    ("low", "side", "columns"),
    [
        pytest.param(0.25, 0.5, [0], id="inside a cell"),
        pytest.param(0.5, 1, [0, 1], id="one cell long, between borders"),
        pytest.param(0.25, 1.5, [0, 1], id="one and a half, in two"),
        pytest.param(0.75, 1.5, [0, 1, 2], id="one and a half, in three"),
        pytest.param(0, 1, [0, 1], id="from border to border"),
        pytest.param(0, 1 - BIT, [0], id="just below the border"),
        pytest.param(1, 0, [1], id="a point on a border"),
        pytest.param(1 - BIT, 0, [0], id="a point below a border"),
        pytest.param(-0.5, 1, [-1, 0], id="around zero"),
        pytest.param(-0.75, 0.5, [-1], id="below zero"),
        pytest.param(-1, 1, [-1, 0], id="from -1 to 0"),
        pytest.param(-2.5, 2, [-3, -2, -1], id="below zero, in three"),
    ],
)
def test_a_box_is_in_all_cells_between_its_corners(low: float, side: float, columns: list[int]) -> None:
    for along_x in (True, False):
        twin = FootprintPair()
        twin.add(1, box(low, 0.5, 0, side, 0.25) if along_x else box(0.5, low, 0, 0.25, side))
        assert {(at, 0) if along_x else (0, at) for at in columns} == twin.cells()
        assert len(columns) == twin.grid.cell_count == twin.grid.measure().entries
        twin.verify_all()


def test_boxes_that_touch_at_a_border_of_cells_meet() -> None:
    twin = FootprintPair()
    for owner, corner in enumerate([(0, 0), (1, 0), (0, 1), (1, 1), (-1, -1)]):
        twin.add(owner, box(*corner, 0))
    assert 7 == len(pairs_of(twin.grid, twin.grid, False))
    twin.verify_all()


def test_the_end_of_a_box_between_borders_is_found() -> None:
    """With ceil(width / cell) cells, the box would not be in the cell of its right end."""
    twin = FootprintPair()
    twin.add(1, box(0.75, 0.75, 0))
    assert [0] == twin.found(box(1.5, 1.5, 0, 0.1, 0.1)) == twin.found(box(0.8, 1.7, 0, 0.01, 0.01))
    twin.verify_all()


@pytest.mark.parametrize("low", [3, 3.5, 4 - BIT, 2.5], ids=str)
def test_a_box_over_the_right_edge_is_not_in_the_next_row(low: float) -> None:
    twin = FootprintPair()
    slot = twin.add(1, box(low, 0.25, 0, 2, 0.5))
    assert set() == twin.cells()
    assert [slot] == list(twin.grid.listed[: twin.grid.listed_count])
    assert [] == twin.found(box(-4, 1.25, 0, 2, 0.5))
    assert [0] == twin.found(box(low + 0.5, 0.25, 0, 0.1, 0.1))
    twin.verify_all()


def test_a_region_over_the_right_edge_does_not_reach_the_next_row() -> None:
    twin = FootprintPair()
    for owner, y in enumerate(range(-3, 3)):
        twin.add(owner, box(-3.75, y + 0.25, 0, 0.5, 0.5))
    before = twin.grid.cells_visited
    assert [] == twin.found(box(3.25, -2.75, 0, 2, 0.5))
    assert before == twin.grid.cells_visited
    twin.verify_all()


@pytest.mark.parametrize("corner", [(-0.75, 0.25), (0.25, -0.75), (-0.75, -0.75)], ids=str)
def test_a_box_below_the_grid_is_not_in_its_first_cells(corner: tuple[float, float]) -> None:
    """Truncated towards zero, -0.75 cells would be the first cell."""
    twin = FootprintPair(0, 0, 4, 4, 16)
    twin.add(1, box(*corner, 0, 0.5, 0.5))
    assert twin.grid.cell_count == 0
    assert twin.grid.listed_count == 1
    assert [0] == twin.found(box(corner[0] - 0.1, corner[1] - 0.1, 0, 0.2, 0.2))
    twin.verify_all()


@pytest.mark.parametrize(
    "faces",
    [
        pytest.param(box(-4.5, 0, 0), id="over the left edge"),
        pytest.param(box(0, -3.5, 0), id="over the lower edge"),
        pytest.param(box(0, 2.5, 0), id="over the upper edge"),
        pytest.param(box(3, 0, 0), id="touches the right edge"),
        pytest.param(box(0, 2, 0), id="touches the upper edge"),
        pytest.param(box(-5, 0, 0), id="touches the left edge from outside"),
        pytest.param(box(40, -90, 0), id="far away"),
        pytest.param(box(-9, -9, 0, 18, 18), id="around the grid"),
        pytest.param((*[-(2**36)] * 3, *[2**36 - 1] * 3), id="the whole index"),
    ],
)
def test_a_box_that_is_not_inside_is_in_the_list_and_found_once(faces: Faces) -> None:
    twin = FootprintPair()
    twin.add(1, faces)
    twin.add(2, box(-3.5, -2.5, 0, 7, 5))
    twin.add(3, faces)
    assert 2 == twin.grid.listed_count
    for region in (faces, EVERYWHERE, box(-3.9, 0.5, 0.5), box(3.5, 2.5, 0, 3, 3), box(-9, -9, 0, 5.5, 18)):
        twin.verify(region)
    twin.verify_all()


def test_boxes_enter_and_leave_the_grid_by_moving() -> None:
    twin = FootprintPair()
    for owner in range(3):
        twin.add(owner, box(-6.25, owner - 1, 0, 1, 0.5))
    for step in range(24):
        for owner in range(3):
            twin.shift(owner, UNIT // 2, 0, 0)
            twin.verify_all()
        assert (3 if step < 4 or step > 17 else 0) == twin.grid.listed_count
    for owner in range(3):
        twin.remove(owner)
        twin.verify_all()
    assert twin.grid.listed_count == twin.grid.cell_count == 0


def test_a_box_of_too_many_cells_is_in_the_list() -> None:
    twin = FootprintPair(0, 0, MAX_CELLS + 4, 40, 16)
    limit = int(MAX_CELLS**0.5)
    twin.add(1, box(0.5, 0.5, 0, limit - 1, limit - 1))
    twin.add(2, box(0.5, 2.5, 0, MAX_CELLS - 1, 0.25))
    assert (0, 2 * MAX_CELLS) == (twin.grid.listed_count, twin.grid.measure().entries)
    twin.add(3, box(0.5, 0.5, 0, limit, limit - 1))
    twin.add(4, box(0.5, 5.5, 0, MAX_CELLS, 0.25))
    assert (2, 2 * MAX_CELLS + 2) == (twin.grid.listed_count, twin.grid.measure().entries)
    twin.verify_all()
    twin.shift(1, UNIT, 0, 0)
    twin.shift(3, UNIT, 0, 0)
    twin.verify_all()


def test_a_footprint_is_made_once_for_each_size() -> None:
    twin = FootprintPair(-50, -50, 100, 100, 16)
    rng = random.Random(1)
    for owner in range(100):
        twin.add(owner, box(rng.randint(-40, 40) + 0.5, rng.randint(-40, 40) + 0.5, 0))
    assert 4 == twin.grid.offset_count
    twin.add(100, box(0.5, 0.5, 0, 2, 1))
    twin.add(101, box(9.5, 0.5, 0, 2, 1))
    assert 4 + 6 == twin.grid.offset_count
    twin.verify_all()


def test_a_move_within_its_cells_changes_none() -> None:
    twin = FootprintPair()
    twin.add(1, box(0.25, 0.25, 0))
    assert 0 == twin.shift(1, UNIT // 2, 0, 0)
    assert 0 == twin.shift(1, 0, -UNIT // 4, 5 * UNIT)
    assert 8 == twin.shift(1, UNIT // 4, 0, 0), "it leaves all four cells and enters four"
    twin.verify_all()


def test_a_query_visits_the_cells_that_it_covers() -> None:
    twin = FootprintPair(-128, -128, 256, 256, 16)
    rng = random.Random(2)
    for owner in range(2000):
        twin.add(owner, box(rng.randint(-120, 120) + 0.5, rng.randint(-120, 120) + 0.5, 0))
    for owner in range(100):
        assert owner in twin.found(twin.boxes(owner)[0])
    assert 100 * 4 == twin.grid.cells_visited


def test_filling_the_grid_again_changes_nothing() -> None:
    rng = random.Random(3)
    twin = FootprintPair()
    for owner in range(80):
        twin.add(owner, random_box(rng, False), random_box(rng, False))
    for owner in range(0, 80, 3):
        twin.remove(owner)
    size = twin.grid.measure()
    twin.grid.set_flat(not twin.grid.boxes.flat)
    twin.grid.set_flat(not twin.grid.boxes.flat)
    assert size[:3] == twin.grid.measure()[:3]
    twin.verify_all()
