"""The cells that boxes cover, for those who ask (rules B1 to B5, cases B02 and B05 to B22)."""

from __future__ import annotations

import random

import pytest
from twin_grids import UNIT, GridPair, box, random_box

from ecs_collision.broadphase import morton_cells
from ecs_collision.broadphase.morton import TOP_LEVEL, directory_key
from ecs_collision.broadphase.morton_cells import MortonCells
from ecs_collision.broadphase.regions import regions_of


def cells_of(twin: GridPair) -> list[int]:
    """Return the cells that are computed from nothing."""
    return list(MortonCells(twin.grid.boxes).directory())


@pytest.mark.parametrize("flat", [False, True])
def test_cells_depend_on_the_boxes_and_not_on_their_history_B5(flat: bool) -> None:
    rng = random.Random(11)
    twin = GridPair(flat=flat)
    cells = MortonCells(twin.grid.boxes)
    cells.keys._reset(4)  # so that the list has many parts, which are divided and joined
    for owner in range(60):
        twin.add(owner, random_box(rng, flat), random_box(rng, flat), awake=rng.random() < 0.5)
    for turn in range(300):
        owner = rng.choice(list(twin.runs))
        twin.shift(owner, rng.randint(-UNIT, UNIT), rng.randint(-UNIT, UNIT), 0)
        twin.set_awake(owner, rng.random() < 0.5)
        if rng.random() < 0.1:
            twin.remove(owner)
        if rng.random() < 0.3:
            assert cells_of(twin) == list(cells.directory())
            cells.keys._check()
            assert list(regions_of(MortonCells(twin.grid.boxes))) == list(regions_of(cells))
        if turn in (100, 200):
            twin.set_flat(False if turn == 100 else flat)
    rebuilt = GridPair(flat=flat)
    for owner in reversed(twin.runs):
        rebuilt.add(owner, *twin.boxes(owner))
    assert cells_of(rebuilt) == list(cells.directory())
    twin.grid.clear()
    assert [] == list(cells.directory())


def test_only_boxes_that_changed_are_compared_once_somebody_has_asked_B4() -> None:
    twin = GridPair(flat=True)
    for owner in range(100):
        twin.add(owner, box(2 * owner + 0.25, 0.25, -0.5, 0.5, 0.5))
    boxes = twin.grid.boxes
    assert boxes.log_size == 0, "nothing is paid until then"
    cells, other = MortonCells(boxes), MortonCells(boxes)
    compared = []
    for each in (cells, other, cells, other):
        for owner, by in ((7, 1), (8, UNIT), (7, UNIT)):
            twin.shift(owner, by, 0, 0)
        twin.set_awake(9, not boxes.awake[9])
        before = each.compared
        each.directory()
        compared.append(each.compared - before)
    assert [boxes.capacity, boxes.capacity, 8, 8] == compared, "since each of them was asked"
    for _ in range(boxes.log_size + 1):
        twin.shift(7, 1, 0, 0)
    before = cells.compared
    assert cells_of(twin) == list(cells.directory())
    assert boxes.capacity == cells.compared - before, "the log is no longer than all boxes"


def test_the_table_of_cells_does_not_grow_with_those_that_were_left() -> None:
    twin = GridPair(flat=True)
    cells = MortonCells(twin.grid.boxes)
    twin.add(1, box(0.25, 0.25, -0.5, 0.5, 0.5))
    for _ in range(1000):
        twin.shift(1, UNIT, 0, 0)
        assert 1 == len(cells.directory())
    assert cells_of(twin) == list(cells.directory())
    assert len(cells.table) <= 2 * 32


def test_the_list_stays_the_same_object_while_cells_come_and_go_B4() -> None:
    twin = GridPair(flat=True)
    for owner in range(40):
        twin.add(owner, box(2 * owner + 0.25, 0.25, -0.5, 0.5, 0.5))
    cells = MortonCells(twin.grid.boxes)
    keys = cells.directory()
    assert 40 == len(keys)
    twin.shift(7, 0, 2 * UNIT, 0)
    twin.remove(8)
    assert 40 == len(keys), "nothing changes until they are asked for"
    assert keys is cells.directory()
    assert cells_of(twin) == list(keys)
    assert 39 == len(keys)


def test_an_interrupted_update_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    twin = GridPair(flat=True)
    for owner in range(40):
        twin.add(owner, box(2 * owner + 0.25, 0.25, -0.5, 0.5, 0.5))
    cells = MortonCells(twin.grid.boxes)
    cells.directory()
    twin.shift(7, 0, 2 * UNIT, 0)

    def interrupt(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(morton_cells, "directory_key", interrupt)
        with pytest.raises(KeyboardInterrupt):
            cells.directory()
    assert cells_of(twin) == list(cells.directory())


def test_cells_are_awake_with_the_first_of_their_boxes_S03() -> None:
    twin = GridPair(flat=True)
    twin.add(1, box(0.25, 0.25, -0.5, 0.5, 0.5), awake=False)
    twin.add(2, box(0.5, 0.5, -0.5, 0.25, 0.25), awake=False)
    twin.add(3, box(9.25, 0.25, -0.5, 0.5, 0.5))
    cells = MortonCells(twin.grid.boxes)
    assert [True, False] == [region.asleep for region in regions_of(cells)]
    twin.set_awake(2, True)
    (region,) = regions_of(cells)
    assert not region.asleep
    assert list(region.cells) == list(cells.directory())


def test_flat_boxes_are_in_one_cell_of_z_and_a_query_beside_them_finds_none() -> None:
    twin = GridPair(flat=True)
    twin.add(1, box(0.25, 0.25, -0.5, 0.5, 0.5, 1))
    assert 1 == len(cells_of(twin))
    assert twin.found(box(0, 0, 5)) == []
    assert twin.found(box(0, 0, 0.5)) == [0], "faces are included"


@pytest.mark.parametrize("size", [1.5, 2, 5, 300])
def test_the_z_range_of_flat_bodies_lies_inside_one_cell(size: float) -> None:
    twin = GridPair()
    twin.add(1, box(0.25, 0.25, -0.5, size, 0.5, 1))
    z_bits = 4 * 0o111111111111111111111
    assert 1 == len({key >> 5 & z_bits for key in cells_of(twin)})


def test_the_largest_box_covers_all_bins() -> None:
    twin = GridPair()
    limit = twin.grid.boxes.limit
    twin.add(1, (-limit, -limit, -limit, *[limit - 1] * 3))
    assert [directory_key(0, TOP_LEVEL)] == cells_of(twin)
