"""`overlapping_pairs(lo, hi)`: all overlapping pairs of boxes, without a world, against brute force (L1, L4)."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from arrays import NO_BOXES
from boards import trials
from squares import text_of

import ecs_collision
from ecs_collision import LATTICE


def overlapping_pairs(lo: Any, hi: Any) -> Any:
    """Call the function under test."""
    return ecs_collision.overlapping_pairs(lo, hi)


def by_brute_force(lo: Any, hi: Any) -> list[tuple[int, int]]:
    """Return the pairs of rows whose open boxes meet (L4)."""
    lo, hi = numpy.asarray(lo, dtype=float), numpy.asarray(hi, dtype=float)
    found = []
    for row in range(len(lo) - 1):
        later = slice(row + 1, None)
        meets = ((lo[row] < hi[later]) & (lo[later] < hi[row])).all(-1)
        found += [(row, row + 1 + int(other)) for other in numpy.flatnonzero(meets)]
    return found


def assert_pairs(lo: Any, hi: Any) -> None:
    """Assert that the result is right, sorted, and an array of the documented type."""
    found = overlapping_pairs(lo, hi)
    assert isinstance(found, numpy.ndarray)
    assert (numpy.int64, 2) == (found.dtype, found.ndim)
    assert found.shape[1] == 2
    assert by_brute_force(lo, hi) == list(map(tuple, found.tolist()))


def some_boxes(seed: int, count: int, axes: int, kind: str) -> tuple[Any, Any]:
    """Return lo and hi of boxes whose faces lie on eighths, with about as many pairs as boxes."""
    dice = numpy.random.default_rng(seed)
    room = max(2.0, count ** (1 / axes))
    sides = {
        "uniform": lambda: dice.integers(4, 9, (count, axes)) / 8,
        "sizes mixed": lambda: dice.choice([2, 4, 8, 30, 80], (count, axes), p=[0.4, 0.3, 0.2, 0.08, 0.02]) / 8,
        "thin": lambda: dice.choice([0, 1, 40], (count, axes)) / 8,
        "points and plates": lambda: dice.choice([0, 0, 8, 16], (count, axes)) / 8,
        "on a grid": lambda: numpy.ones((count, axes)),
        "one giant": lambda: numpy.where(numpy.arange(count)[:, None] == count // 2, 4 * room, 0.5),
        "huge": lambda: dice.choice([1.0, 2.0**20, 2.0**30], (count, axes)),
    }
    side = sides.get(kind, sides["uniform"])()
    at = dice.integers(0, max(1, round(8 * room)), (count, axes)) / 8
    if kind == "on a grid":
        at = numpy.floor(at)
    if kind == "heaped":
        at = numpy.where(dice.random((count, 1)) < 0.5, at / 16, at)
        at = numpy.floor(at * 8) / 8
    if kind == "far out":
        at = at + dice.choice([-(2.0**35), 2.0**35 - 64, 0], (1, axes))
    if kind == "scattered":
        at = dice.integers(-(2**38), 2**38, (count, axes)) / 8
    return at - side / 2, at + side / 2


KINDS = ("uniform", "sizes mixed", "thin", "points and plates", "on a grid", "one giant", "huge", "heaped", "far out",
         "scattered")  # fmt: skip


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_the_pairs_equal_those_of_brute_force(kind, axes):
    for count in (1, 2, 3, 5, 17, 63, 64, 65, 400):
        assert_pairs(*some_boxes(count, count, axes, kind))


@pytest.mark.once
@pytest.mark.parametrize("axes", [2, 3])
def test_thousands_of_boxes_of_mixed_sizes_have_the_right_pairs(axes):
    count = max(trials(3000), 1000)
    assert_pairs(*some_boxes(7, count, axes, "sizes mixed"))
    assert_pairs(*some_boxes(8, count, axes, "heaped"))


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("empty", [lambda axes: numpy.zeros((0, axes)), lambda axes: [], lambda axes: ()])
def test_no_boxes_have_no_pairs(axes, empty):
    found = overlapping_pairs(empty(axes), empty(axes))
    assert ((0, 2), numpy.int64) == (found.shape, found.dtype)


def test_boxes_that_share_a_face_an_edge_or_a_corner_do_not_overlap_L4():
    lo = [(x, y, z) for x in range(3) for y in range(3) for z in range(3)]
    hi = [(x + 1, y + 1, z + 1) for x, y, z in lo]
    assert [] == overlapping_pairs(lo, hi).tolist()
    hi[13] = (2 + LATTICE, 2, 2)
    assert [[13, 22]] == overlapping_pairs(lo, hi).tolist()


def test_a_point_overlaps_what_contains_it_and_equal_boxes_overlap_unless_flat_L4():
    lo = [(0, 0), (1, 1), (0, 1), (2, 2), (1, 1), (0, 0), (0, 0)]
    hi = [(2, 2), (1, 1), (0, 1), (2, 2), (1, 1), (2, 2), (2, 0)]
    assert [[0, 1], [0, 4], [0, 5], [1, 5], [4, 5]] == overlapping_pairs(lo, hi).tolist()


@pytest.mark.parametrize("axes", [2, 3])
def test_boxes_off_the_lattice_gain_no_overlap_and_lose_at_most_two_steps_L1(axes):
    dice = numpy.random.default_rng(3)
    lo = dice.uniform(-8, 8, (500, axes))
    hi = lo + dice.uniform(0, 3, (500, axes))
    lo[250:] = hi[:250] - dice.choice([0, 0.4, 1.5, 2.5], (250, axes)) * LATTICE
    hi[250:] = lo[250:] + dice.uniform(0.1, 3, (250, axes))
    found = set(map(tuple, overlapping_pairs(lo, hi).tolist()))
    assert found <= set(by_brute_force(lo, hi))
    assert found >= set(by_brute_force(lo + LATTICE, hi - LATTICE))


@pytest.mark.parametrize("axes", [2, 3])
def test_numbers_of_any_size_are_compared_exactly(axes):
    """There is no largest or smallest box: boxes at 1e300, boxes of 1e-300, and both beside boxes of 1."""
    dice = numpy.random.default_rng(4)
    for most in (308, 40, 9):
        middle = dice.choice([-1, 0, 1], (200, axes)) * 10.0 ** dice.integers(-most, most, (200, axes))
        half = 10.0 ** dice.integers(-most, most - 1, (200, axes))
        assert_pairs(middle - half, middle + half)
    ulps = 1 + numpy.arange(40)[:, None] * 2.0**-52 * numpy.ones(axes)
    assert_pairs(ulps, ulps + 3 * 2.0**-52)
    assert_pairs(-ulps - 3 * 2.0**-52, -ulps)
    tiny = numpy.arange(40)[:, None] * 5e-324 * numpy.ones(axes)
    assert_pairs(tiny, tiny + 1.5e-323)


# -- arguments ------------------------------------------------------------------------------------------------------


def test_each_result_is_a_new_array():
    lo, hi = some_boxes(5, 200, 2, "uniform")
    first = overlapping_pairs(lo, hi)
    expected = first.tolist()
    second = overlapping_pairs(lo[:50], hi[:50])
    lo[:] = 0
    assert expected == first.tolist()
    first[:] = -1
    assert second.tolist() == overlapping_pairs(*(array[:50] for array in some_boxes(5, 200, 2, "uniform"))).tolist()


@pytest.mark.parametrize(("lo", "hi", "kind", "pieces"), NO_BOXES.values(), ids=NO_BOXES)
def test_invalid_boxes_are_refused_by_name_L3(lo, hi, kind, pieces):
    text = text_of(lambda: overlapping_pairs(lo, hi), kind)
    assert [] == [piece for piece in pieces if piece not in text], text
