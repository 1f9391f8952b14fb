"""Morton codes and bins (rules B1 and B2, cases B01, B03, B04, B11)."""

from __future__ import annotations

import pytest

from ecs_collision.broadphase.buckets import BucketIndex
from ecs_collision.broadphase.morton import ORIGIN, TOP_LEVEL, bin_of, decode, directory_key
from ecs_collision.broadphase.morton_cells import MortonCells
from ecs_collision.fixed_point import to_units

BINS = 2**21
EDGES = (0, 1, 2, 3, 1023, 1024, 2047, 2048, 2**20 - 1, 2**20, 2**20 + 1, 2**21 - 2, 2**21 - 1)


def slow_code(x: int, y: int, z: int) -> int:
    return sum((axis >> bit & 1) << 3 * bit + shift for shift, axis in enumerate((x, y, z)) for bit in range(21))


@pytest.mark.parametrize("bin", EDGES)
def test_a_code_contains_the_bits_of_each_axis_and_decodes_to_them_B2(bin: int) -> None:
    for cell in ((bin, 0, 0), (0, bin, 0), (0, 0, bin), (bin, bin, bin), (bin, 5, BINS - 1 - bin)):
        grid = BucketIndex(16)
        corner = [(axis - ORIGIN) << 16 for axis in cell]
        grid.place(grid.allocate(1), 0, True, *corner, *corner)
        assert [directory_key(slow_code(*cell), 0)] == list(MortonCells(grid.boxes).directory())
        assert cell == decode(slow_code(*cell))


def test_x_is_the_lowest_bit_of_each_triple_B2() -> None:
    assert [(1, 0, 0), (0, 1, 0), (0, 0, 1)] == [decode(1 << axis) for axis in range(3)]
    assert (BINS - 1, BINS - 1, BINS - 1) == decode(2**63 - 1)


@pytest.mark.parametrize(
    ("face", "bin"),
    [
        (to_units(-0.3), -1),
        (to_units(-16.0), -1),
        (to_units(-16.0) - 1, -2),
        (0, 0),
        (to_units(16.0) - 1, 0),
        (to_units(16.0), 1),
    ],
)
def test_bins_are_floor_divided(face: int, bin: int) -> None:
    assert bin == bin_of(face, 20) - ORIGIN  # bins of 16


@pytest.mark.parametrize("bin_shift", [8, 16, 32])
def test_faces_outside_the_index_belong_to_its_outermost_bins(bin_shift: int) -> None:
    reach = 1 << (20 + bin_shift)
    assert (bin_of(-reach, bin_shift), bin_of(reach - 1, bin_shift)) == (0, BINS - 1)
    assert (bin_of(-reach - 1, bin_shift), bin_of(reach, bin_shift)) == (0, BINS - 1)
    assert (bin_of(-(2**62), bin_shift), bin_of(2**62, bin_shift)) == (0, BINS - 1)


def test_the_lowest_bin_has_code_0_and_a_box_below_it_raises() -> None:
    grid = BucketIndex(16)
    low = -(1 << 36)
    slot = grid.allocate(1)
    grid.place(slot, 0, True, low, low, low, low + 9, low + 9, low + 9)
    assert [directory_key(0, 0)] == list(MortonCells(grid.boxes).directory())
    with pytest.raises(IndexError, match="leaves the index"):
        grid.place(slot, 0, True, low - 1, low, low, low + 9, low + 9, low + 9)
    with pytest.raises(IndexError, match="leaves the index"):
        grid.shift(slot, 1, 0, -1, 0)
    grid.check()
    assert grid.collect(low, low, low, low, low, low) == 1


def test_the_directory_is_ordered_by_first_code_and_then_by_the_larger_cell() -> None:
    largest = directory_key(0, TOP_LEVEL)
    assert largest < directory_key(0, 0) < directory_key(1, 0) < directory_key(8, 1) < directory_key(8, 0)
    assert 2**68 > directory_key(2**63 - 1, 0) > 2**67
