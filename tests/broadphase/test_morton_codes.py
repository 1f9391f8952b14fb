"""Morton codes of two and three axes: two ways to compute them, their order and their errors."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy
import pytest

from ecs_collision import CollisionTypeError, CollisionValueError
from ecs_collision.broadphase import decode2, decode3, encode2, encode2_by_table, encode3, encode3_by_table

LARGEST = 2**21 - 1
NUMBERS = [0, *(1 << bit for bit in range(21)), *(LARGEST ^ (1 << bit) for bit in range(21)), LARGEST]
WAYS_2 = pytest.mark.parametrize("encode", [encode2, encode2_by_table])
WAYS_3 = pytest.mark.parametrize("encode", [encode3, encode3_by_table])


def slow_code(*numbers: int) -> int:
    """Return a code bit by bit."""
    return sum(
        (number >> bit & 1) << (len(numbers) * bit + axis) for axis, number in enumerate(numbers) for bit in range(21)
    )


def samples() -> Iterator[int]:
    yield from NUMBERS
    rng = random.Random(21)
    yield from (rng.getrandbits(21) for _ in range(2000))


@WAYS_2
def test_a_code_of_two_axes_has_the_bits_of_both(encode: Callable[..., int]) -> None:
    for number in samples():
        for numbers in ((number, 0), (0, number), (number, LARGEST - number)):
            assert slow_code(*numbers) == encode(*numbers)
            assert numbers == decode2(encode(*numbers))


@WAYS_3
def test_a_code_of_three_axes_has_the_bits_of_all(encode: Callable[..., int]) -> None:
    for number in samples():
        for numbers in ((number, 0, 0), (0, number, 0), (0, 0, number), (number, LARGEST - number, number)):
            assert slow_code(*numbers) == encode(*numbers)
            assert numbers == decode3(encode(*numbers))


def test_the_largest_codes_fit_signed_64_bits() -> None:
    assert 2**42 - 1 == encode2(LARGEST, LARGEST) == encode2_by_table(LARGEST, LARGEST)
    assert 2**63 - 1 == encode3(LARGEST, LARGEST, LARGEST) == encode3_by_table(LARGEST, LARGEST, LARGEST)


def test_numbers_above_10_bits_keep_their_codes_apart() -> None:
    """Codes of 32 bits, as in the sources, have room for 10 bits an axis: 1024 and 0 would be the same."""
    assert len({encode3(1 << bit, 0, 0) for bit in range(21)} | {encode3(0, 1 << bit, 0) for bit in range(21)}) == 42


def walked(size: int, *corner: int) -> Iterator[tuple[int, ...]]:
    """Yield the cells of a quadtree or octree in the order of a walk: the first axis varies first."""
    if size == 1:
        yield corner
        return
    for child in range(1 << len(corner)):
        yield from walked(size // 2, *(low + (child >> axis & 1) * (size // 2) for axis, low in enumerate(corner)))


def test_codes_are_in_the_order_in_which_a_tree_is_walked() -> None:
    assert list(range(256)) == [encode2(*cell) for cell in walked(16, 0, 0)]
    assert list(range(512)) == [encode3(*cell) for cell in walked(8, 0, 0, 0)]


def test_whole_numbers_of_any_type_are_taken() -> None:
    assert encode2(5, 3) == encode2(numpy.int64(5), numpy.uint8(3))
    assert (5, 3) == decode2(numpy.int32(27))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: encode2(-1, 0), "x is -1, but it must be at least 0"),
        (lambda: encode2_by_table(0, -5), "y is -5, but it must be at least 0"),
        (lambda: encode3(0, 0, 2**21), "z is 2097152, but it must be less than 2**21"),
        (lambda: encode3_by_table(2**80, 0, 0), "x is 1208925819614629174706176, but it must be less than 2**21"),
        (lambda: decode2(2**42), "code is 4398046511104, but it must be less than 2**42"),
        (lambda: decode3(2**63), "code is 9223372036854775808, but it must be less than 2**63"),
        (lambda: decode3(-1), "code is -1, but it must be at least 0"),
    ],
)
def test_numbers_outside_the_range_raise_an_error_with_the_limit(call: Callable[[], object], text: str) -> None:
    with pytest.raises(CollisionValueError) as raised:
        call()
    assert text == str(raised.value)


@pytest.mark.parametrize("value", [1.0, "1", True, None, 1.5, numpy.float64(2)], ids=repr)
def test_what_is_not_a_whole_number_raises_an_error(value: object) -> None:
    for encode in (encode2, encode2_by_table):
        with pytest.raises(CollisionTypeError, match="y must be a whole number, not "):
            encode(0, value)  # type: ignore[arg-type]
    with pytest.raises(CollisionTypeError, match="code must be a whole number, not "):
        decode3(value)  # type: ignore[arg-type]
