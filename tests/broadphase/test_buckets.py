"""The buckets: which one a box is in, chains, and queries that several cells of one bucket belong to.

test_protocol.py compares its results with brute force.
"""

from __future__ import annotations

import random

import pytest
from twin_grids import EVERYWHERE, UNIT, Faces, GridPair, box, random_box

from ecs_collision.broadphase.buckets import ROOM, SCANS, BucketIndex

BIT = 1 / UNIT
"""One lattice unit, in world units."""


class BucketPair(GridPair):
    """Buckets and brute force with the same boxes."""

    def __init__(self, *, flat: bool = False, bin_shift: int = 16) -> None:
        super().__init__(BucketIndex(bin_shift), flat=flat, bin_shift=bin_shift)

    def cells(self) -> set[tuple[int, ...]]:
        """Return the cells with boxes: the lowest corner and the side, in whole world units."""
        return {(x // UNIT, y // UNIT, (x1 - x) // UNIT) for (x, y, _, x1, *_), _ in self.grid.outlines()}


@pytest.mark.parametrize(
    ("side", "cell"), [(0, 2), (1, 2), (2, 2), (2 + BIT, 8), (8, 8), (8 + BIT, 32), (32, 32), (33, 128)], ids=str
)
def test_a_box_is_in_one_cell_as_long_as_itself_or_up_to_four_times(side: float, cell: int) -> None:
    for low in (0, cell / 2, cell - BIT, -BIT, -cell):
        twin = BucketPair()
        twin.add(1, box(low, 0, 0, side, side, side))
        assert {(low // cell * cell, 0, cell)} == twin.cells()
        assert 1 == twin.grid.cell_count == twin.grid.measure().entries
        twin.verify_all()


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
@pytest.mark.parametrize("side", [0.5, 1, 2, 8], ids=str)
def test_boxes_that_touch_across_the_borders_of_cells_meet(side: float, flat: bool) -> None:
    twin = BucketPair(flat=flat)
    corners = [(x, y, z) for x in (0, -side, side) for y in (0, -side, side) for z in (0, -side, side)]
    for owner, (x, y, z) in enumerate(corners):
        twin.add(owner, box(x, y, -0.5, side, side) if flat else box(x, y, z, side, side, side))
    assert list(range(27)) == twin.found(twin.boxes(0)[0])
    twin.verify_all()


@pytest.mark.parametrize("steps", range(186, 198))
def test_a_region_may_be_longer_than_words_can_be_compared(steps: int) -> None:
    """Nine bits are enough for about three cells, of 64 steps each, and for a box on either side."""
    twin, step = BucketPair(), 2 / 64
    for at in range(-66, 266):
        for axis in range(3):
            corner, sides = [0.0, 0.0, 0.0], [1, 1, 1]
            corner[axis], sides[axis] = at * step, 2
            twin.add(3 * at + axis, box(*corner, *sides))
    for low in (0, 1, 63):
        for axis in range(3):
            corner, long = [0.5, 0.5, 0.5], [0.1, 0.1, 0.1]
            corner[axis], long[axis] = low * step, steps * step
            region, twin.grid.cells_visited = box(*corner, *long), 0
            assert twin.expected(region) == twin.found(region)
            assert twin.grid.cells_visited < twin.grid.cell_count, "it visited cells, not all boxes"


def test_cells_that_share_a_bucket_give_each_box_once() -> None:
    """In a table of 16 places, a cell and the one three to the right and one above have the same place."""
    twin = BucketPair(flat=True)
    for owner in range(16):
        twin.add(owner, box(2 * (owner % 4) + 0.5, 2 * (owner // 4) + 0.5, -0.5))
    region = box(0.25, 0.25, -0.5, 7, 3)
    assert 8 == len(twin.expected(region))
    assert twin.grid.bucket_of(0) == twin.grid.bucket_of(7)
    twin.verify(region)
    assert twin.grid.cells_visited < 16
    twin.verify_all()


def test_a_bucket_with_more_boxes_than_it_has_room_for_has_a_chain() -> None:
    twin = BucketPair()
    for count in range(1, 4 * ROOM + 2):
        twin.add(count, box(0.5, 0.5, 0.5))
        assert (count + ROOM - 1) // ROOM == twin.grid.cell_count
        twin.verify_all()
    rng = random.Random(1)
    for owner in rng.sample(list(twin.runs), len(twin.runs)):
        twin.remove(owner)
        assert (len(twin.runs) + ROOM - 1) // ROOM == twin.grid.cell_count
        twin.verify_all()


def test_buckets_of_chains_are_used_again() -> None:
    twin = BucketPair()
    for owner in range(60):
        twin.add(owner, box(0.5, 0.5, 0.5))
    buckets = twin.grid.bucket_count
    for _ in range(3):
        for owner in range(60):
            twin.shift(owner, 40 * UNIT, 0, 0)
        for owner in range(60):
            twin.shift(owner, -40 * UNIT, 0, 0)
        twin.verify(EVERYWHERE)
    assert twin.grid.bucket_count <= buckets + 60 // ROOM


def test_all_boxes_in_one_bucket_fit_into_the_chains_of_a_full_table() -> None:
    twin = BucketPair()
    for owner in range(512):
        twin.add(owner, box(0.5, 0.5, 0.5))
    for owner in range(512, twin.grid.boxes.capacity):
        twin.add(owner, box(0.5, 0.5, 0.5))
    assert twin.grid.boxes.box_count == twin.grid.boxes.capacity
    twin.verify(box(0, 0, 0))


def test_a_move_within_a_cell_changes_no_bucket() -> None:
    twin = BucketPair()
    twin.add(1, box(0.25, 0.25, 0.25))
    assert 0 == twin.shift(1, UNIT, UNIT // 2, UNIT)
    assert [0] == twin.found(box(2.2, 1.7, 2.2, 0.1, 0.1, 0.1))
    assert 2 == twin.shift(1, UNIT, 0, 0), "it leaves its bucket and enters one"
    twin.verify_all()


def test_a_query_visits_only_the_cells_in_reach_of_the_sizes_that_there_are() -> None:
    """While no box is longer than half a unit, a cell that ends further away is not visited."""
    twin = BucketPair(flat=True)
    for number in range(400):
        twin.add(number, box(number % 20 + 0.25, number // 20 + 0.25, -0.5, 0.5, 0.5))

    def visited(region: Faces) -> int:
        twin.grid.cells_visited = 0
        twin.verify(region)
        return int(twin.grid.cells_visited)

    region = box(4.75, 4.75, -0.5, 0.5, 0.5)
    few = visited(region)
    twin.add(400, box(0.25, 0.25, -0.5, 1.5, 1.5))
    assert 1 == few < visited(region)


def test_a_long_box_is_found_at_its_end_though_a_short_one_came_after_it() -> None:
    twin = BucketPair()
    twin.add(0, box(1.5, 1.5, 1.5, 1.75, 1.75, 1.75))
    twin.add(1, box(9, 9, 9, 0.25, 0.25, 0.25))
    region = box(3, 3, 3, 0.125, 0.125, 0.125)
    twin.verify(region)
    assert len(twin.expected(region)) == 1


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
def test_deferred_changes_are_found_by_the_next_query(flat: bool) -> None:
    rng, twin = random.Random(4), BucketPair(flat=flat)
    for owner in range(60):
        twin.add(owner, random_box(rng, flat))
    for turn in range(4):
        twin.grid.defer()
        for owner in list(twin.runs)[::3]:
            twin.shift(owner, *(rng.randint(-3 * UNIT, 3 * UNIT) for _ in range(2)), 0)
        twin.remove(turn)
        twin.add(60 + turn, random_box(rng, flat))
        assert twin.grid.is_stale
        twin.grid.check()
        for faces in [twin.boxes(owner)[0] for owner in rng.sample(list(twin.runs), SCANS)]:
            twin.verify(faces)
            assert twin.grid.is_stale, "a few searches test all boxes"
        twin.verify_all()
        assert not twin.grid.is_stale


@pytest.mark.parametrize(
    ("deep", "count", "sides"), [(False, 1500, (33, 60)), (True, 1500, (12, 30))], ids=["2D", "3D"]
)
def test_a_large_query_at_any_place_equals_brute_force(deep: bool, count: int, sides: tuple[int, int]) -> None:
    """Rule B7: its cells are searched, or all boxes are tested if it covers more of them."""
    rng = random.Random(f"large {deep}")
    twin, width = BucketPair(flat=not deep), 24 if deep else 72
    for owner in range(count):
        x, y, z = (rng.randint(-width, width) / 2 for _ in range(3))
        side = rng.choice((0.25, 0.5, 1, 1, 2, 3, 7))
        depth = rng.choice((0.5, side)) if deep else 1
        twin.add(owner, box(x, y, z if deep else -0.5, side, rng.choice((0.5, side)), depth))
    for _ in range(60):
        x, y, z = (rng.randint(-width, width) / 2 - rng.randint(0, sides[0]) for _ in range(3))
        wide, high, depth = (rng.randint(*sides) for _ in range(3))
        region = box(x, y, z if deep else -0.5, wide, high, depth if deep else 1)
        assert twin.expected(region) == twin.found(region)
