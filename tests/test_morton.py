"""Morton codes and bins (rules B1 and B2, cases B01, B03, B04, B11)."""

from __future__ import annotations

import random
from array import array

import numpy as np
import pytest

from ecs_collision.errors import CollisionValueError
from ecs_collision.kernels.grid import Grid
from ecs_collision.kernels.morton import (
    BINS,
    ORIGIN,
    TOP_LEVEL,
    bin_of,
    decode,
    decode_many,
    directory_key,
    encode,
    encode_many,
)
from ecs_collision.lattice import to_units

EDGES = (0, 1, 2, 3, 1023, 1024, 2047, 2048, 2**20 - 1, 2**20, 2**20 + 1, 2**21 - 2, 2**21 - 1)


def slow_code(x: int, y: int, z: int) -> int:
    return sum((axis >> bit & 1) << 3 * bit + shift for shift, axis in enumerate((x, y, z)) for bit in range(21))


@pytest.mark.parametrize("bin", EDGES)
def test_a_code_holds_the_bits_of_each_axis_and_gives_them_back(bin: int) -> None:
    for cell in ((bin, 0, 0), (0, bin, 0), (0, 0, bin), (bin, bin, bin), (bin, 5, BINS - 1 - bin)):
        assert slow_code(*cell) == encode(*cell)
        assert cell == decode(encode(*cell))
        assert type(encode(*cell)) is int


def test_x_is_the_lowest_bit_of_each_triple() -> None:
    assert (encode(1, 0, 0), encode(0, 1, 0), encode(0, 0, 1)) == (1, 2, 4)
    assert encode(BINS - 1, BINS - 1, BINS - 1) == 2**63 - 1


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("bin", [BINS, BINS + 1, 2**22, 2**62, -1, -(2**62)])
def test_a_bin_beyond_21_bits_raises_and_never_wraps(bin: int, axis: int) -> None:
    cell = [7, 7, 7]
    cell[axis] = bin
    with pytest.raises(CollisionValueError, match=f"{bin}.*outside 0 to 2097151"):
        encode(*cell)


def test_a_negative_number_is_no_code() -> None:
    with pytest.raises(CollisionValueError, match="-1 is no Morton code"):
        decode(-1)
    with pytest.raises(CollisionValueError, match="-1 is no Morton code"):
        decode_many(array("q", [3, -1]))


def test_many_codes_are_made_as_one_is() -> None:
    random.seed(3)
    cells = [tuple(random.choice((random.randrange(BINS), random.choice(EDGES))) for _ in "xyz") for _ in range(300)]
    x, y, z = (array("q", column) for column in zip(*cells, strict=True))
    codes = encode_many(x, y, z)
    assert [encode(*cell) for cell in cells] == list(codes)
    assert (list(x), list(y), list(z)) == tuple(map(list, decode_many(codes)))
    assert all(type(code) is int for code in codes)


def test_many_codes_are_made_from_numpy_arrays_too() -> None:
    x = np.array([0, 1, BINS - 1], dtype=np.int64)
    assert [encode(int(v), int(v), int(v)) for v in x] == list(encode_many(x, x, x))
    assert x.tolist() == list(decode_many(np.array(encode_many(x, x, x)))[1])


def test_many_codes_raise_for_one_bad_bin_and_for_unequal_lengths() -> None:
    good = array("q", [1, 2])
    with pytest.raises(CollisionValueError, match="outside"):
        encode_many(good, array("q", [1, BINS]), good)
    with pytest.raises(CollisionValueError, match="give equally many"):
        encode_many(good, good, array("q", [1]))
    assert list(encode_many(array("q"), array("q"), array("q"))) == []


def test_codes_are_far_apart_across_a_middle_plane() -> None:
    for bit in range(1, 21):
        assert encode(2**bit, 0, 0) - encode(2**bit - 1, 0, 0) > encode(2**bit - 1, 0, 0)


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
def test_bins_outside_the_index_are_its_outermost(bin_shift: int) -> None:
    reach = 1 << (20 + bin_shift)
    assert (bin_of(-reach, bin_shift), bin_of(reach - 1, bin_shift)) == (0, BINS - 1)
    assert (bin_of(-reach - 1, bin_shift), bin_of(reach, bin_shift)) == (0, BINS - 1)
    assert (bin_of(-(2**62), bin_shift), bin_of(2**62, bin_shift)) == (0, BINS - 1)


def test_the_lowest_bin_has_code_0_and_a_box_below_it_raises() -> None:
    grid = Grid(16)
    low = -(1 << 36)
    slot = grid.allot(1)
    grid.place(slot, 0, True, low, low, low, low + 9, low + 9, low + 9)
    grid.sync()
    assert [directory_key(0, 0)] == list(grid.directory)
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
