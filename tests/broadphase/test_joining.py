"""All overlapping pairs from arrays, against brute force: `overlapping_pairs` and the kernel under it (rule L4)."""

from __future__ import annotations

import importlib.util
import math
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecs_collision import CollisionError, CollisionTypeError, CollisionValueError, overlapping_pairs
from ecs_collision._build import PACKAGE
from ecs_collision.broadphase.all_pairs import AllPairs

SEEDS = range(3)
GREATEST = math.ldexp(1 - 2**-53, 1024)
LEAST = 5e-324


def by_brute_force(lo, hi) -> list[list[int]]:
    """Compare every box with every other."""
    lo, hi = np.asarray(lo, float), np.asarray(hi, float)
    meet = (lo[:, None] < hi[None]).all(axis=2) & (lo[None] < hi[:, None]).all(axis=2)
    return np.argwhere(np.triu(meet, 1)).tolist()


def uniform(random, n, dims):
    lo = random.uniform(-20, 20, (n, dims))
    return lo, lo + random.uniform(0.5, 1.5, (n, dims))


def crowded(random, n, dims):
    lo = random.normal(0, 2, (n, dims))
    return lo, lo + random.uniform(0.5, 1.5, (n, dims))


def mixed(random, n, dims):
    lo = random.uniform(-20, 20, (n, dims))
    return lo, lo + random.uniform(0.5, 1.5, (n, dims)) * np.where(random.random((n, 1)) < 0.1, 10, 1)


def of_all_sizes(random, n, dims):
    lo = random.uniform(-20, 20, (n, dims))
    return lo, lo + 10 ** random.uniform(-6, 1.5, (n, 1)) * random.uniform(0.1, 1, (n, dims))


def large_and_few_small(random, n, dims):
    lo = random.uniform(-20, 20, (n, dims))
    return lo, lo + np.where(np.arange(n)[:, None] < 10, 0.1, random.uniform(2, 6, (n, dims)))


def shallow(random, n, dims):
    lo = random.uniform(-20, 20, (n, dims)) * np.where(np.arange(dims) < dims - 1, 1, 0.01)
    return lo, lo + random.uniform(0.5, 1.5, (n, dims)) * np.where(random.random((n, 1)) < 0.1, 9, 1)


def thin(random, n, dims):
    lo = random.uniform(-20, 20, (n, dims))
    return lo, lo + np.where(random.random((n, dims)) < 0.5, 0, 8)


def points_and_boxes(random, n, dims):
    lo = random.integers(-5, 5, (n, dims)).astype(float)
    return lo, lo + random.integers(0, 3, (n, dims))


def tiles(random, n, dims):
    lo = random.integers(-9, 9, (n, dims)) / 2
    return lo, lo + 1


def far_apart(random, n, dims):
    lo = random.uniform(-3, 3, (n, dims)) + random.choice([-1e9, 0, 1e6, 3e7], (n, 1))
    return lo, lo + random.uniform(0.5, 1.5, (n, dims))


def along_a_diagonal(random, n, dims):
    lo = np.sort(random.uniform(-1e4, 1e4, (n, 1)), axis=0) + random.uniform(-0.5, 0.5, (n, dims))
    return lo, lo + random.uniform(0, 60, (n, 1)) ** 2 / 30


def far_apart_in_all_sizes(random, n, dims):
    lo = random.uniform(-3, 3, (n, dims)) * 10 ** random.integers(0, 12, (n, 1)).astype(float)
    return lo, lo + 10 ** random.uniform(-3, 6, (n, 1)) * random.uniform(0, 1, (n, dims))


def all_the_same(random, n, dims):
    lo = np.zeros((n, dims))
    return lo, lo + 1


def one_over_all(random, n, dims):
    lo, hi = uniform(random, n, dims)
    lo[n // 2], hi[n // 2] = -1e6, 1e6
    return lo, hi


def beyond_all_numbers(random, n, dims):
    lo, hi = uniform(random, n, dims)
    lo[0], hi[0] = -GREATEST, GREATEST
    lo[1], hi[1] = -1e300, 1e-300
    lo[2], hi[2] = GREATEST, GREATEST
    return lo, hi


SCENES = [
    uniform, crowded, mixed, of_all_sizes, large_and_few_small, shallow, thin, points_and_boxes, tiles, far_apart,
    along_a_diagonal, far_apart_in_all_sizes, all_the_same, one_over_all, beyond_all_numbers,
]  # fmt: skip


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_the_pairs_are_those_of_brute_force_in_order(scene, dims):
    for seed in SEEDS:
        for n in (3, 40, 400):
            lo, hi = scene(np.random.default_rng(seed), n, dims)
            assert by_brute_force(lo, hi) == overlapping_pairs(lo, hi).tolist()


SPECIAL = [0.0, -0.0, LEAST, -LEAST, 2.3e-308, 1e-300, -1e-160, 0.5, 1.0, 1 + 2**-52, 2.0, 3.0, 4.0, -7.5, 2.0**40,
           -1e160, 1e300, -1e300, GREATEST, -GREATEST]  # fmt: skip
NUMBERS = st.sampled_from(SPECIAL) | st.integers(-4, 4).map(float) | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def boxes(draw) -> tuple[np.ndarray, np.ndarray]:
    dims = draw(st.sampled_from([2, 3]))
    corner = st.lists(NUMBERS, min_size=dims, max_size=dims)
    pairs = draw(st.lists(st.tuples(corner, corner), min_size=1, max_size=14))
    given = np.array(pairs, float)
    return given.min(axis=1), given.max(axis=1)


@given(boxes())
def test_any_finite_numbers_are_compared_exactly(given):
    lo, hi = given
    assert by_brute_force(lo, hi) == overlapping_pairs(lo, hi).tolist()


@given(boxes())
def test_the_kernel_and_its_plain_twin_find_the_same_candidates(given):
    assert found_by(PLAIN.AllPairs(), *given) == found_by(AllPairs(), *given)


def plain_twin():
    """The kernel's source as plain Python, beside the compiled one."""
    spec = importlib.util.spec_from_file_location("plain_join", Path(PACKAGE) / "broadphase" / "all_pairs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAIN = plain_twin()


def found_by(join, lo, hi) -> tuple[int, list[tuple[int, int]]]:
    """How many candidates a kernel compared, and the pairs it found, in its own order."""
    n, dims = lo.shape
    join.room_for(n, dims)
    for at, (low, high) in enumerate(zip(lo.ravel().tolist(), hi.ravel().tolist(), strict=True)):
        join.lows[at], join.highs[at] = low, high
    count = join.all_pairs()
    return join.compared, list(zip(list(join.pair_a[:count]), list(join.pair_b[:count]), strict=True))


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_the_kernel_works_like_its_plain_twin_on_every_scene(scene):
    lo, hi = scene(np.random.default_rng(7), 150, 3)
    assert found_by(PLAIN.AllPairs(), lo, hi) == found_by(AllPairs(), lo, hi)


def test_one_kernel_serves_boxes_of_any_number_and_dimension():
    join, random = AllPairs(), np.random.default_rng(1)
    for n, dims in ((5, 3), (300, 2), (1, 3), (40, 3), (0, 2), (300, 3)):
        lo, hi = mixed(random, n, dims)
        pairs = sorted(found_by(join, lo, hi)[1])
        assert by_brute_force(lo, hi) == [list(pair) for pair in pairs]


@pytest.mark.parametrize("dims", [2, 3])
def test_few_candidates_are_compared_however_the_boxes_lie(dims):
    random = np.random.default_rng(2)
    for scene in (uniform, mixed, far_apart, one_over_all, along_a_diagonal):
        lo, hi = scene(random, 2000, dims)
        compared, pairs = found_by(AllPairs(), lo, hi)
        assert compared <= 3 * len(pairs) + 2000, scene.__name__


def test_ten_thousand_points_are_no_pairs_and_are_hardly_compared():
    lo = np.random.default_rng(3).uniform(0, 1, (10_000, 3))
    assert (0, []) == found_by(AllPairs(), lo, lo)


# The public door.


def test_sharing_a_face_is_not_overlapping_L4():
    lo, hi = [(0, 0), (1, 0), (1, 1), (0.5, 0.5)], [(1, 1), (2, 1), (2, 2), (1.5, 1.5)]
    assert [[0, 3], [1, 3], [2, 3]] == overlapping_pairs(lo, hi).tolist()


def test_a_point_or_a_plate_overlaps_what_strictly_contains_it_L4():
    lo, hi = [(0, 0), (1, 1), (1, 1), (0, 1), (2, 1)], [(2, 2), (1, 1), (1, 1), (2, 1), (2, 1)]
    assert [[0, 1], [0, 2], [0, 3]] == overlapping_pairs(lo, hi).tolist()


def test_the_answer_is_an_array_of_row_numbers():
    pairs = overlapping_pairs([(0, 0), (1, 1)], [(2, 2), (3, 3)])
    assert (np.int64, (1, 2)) == (pairs.dtype, pairs.shape)
    assert pairs.flags.c_contiguous and pairs.flags.owndata


@pytest.mark.parametrize("nothing", [[], np.empty((0, 2)), np.empty((0, 3))], ids=["list", "2D", "3D"])
def test_no_boxes_have_no_pairs(nothing):
    assert (0, 2) == overlapping_pairs(nothing, nothing).shape


def test_one_box_has_no_pairs():
    assert (0, 2) == overlapping_pairs([(0, 0, 0)], [(1, 1, 1)]).shape


GIVEN_LO, GIVEN_HI = [[0, 0, 0], [1, 1, 1], [7, 7, 7]], [[2, 2, 2], [3, 3, 3], [9, 9, 9]]


@pytest.mark.parametrize(
    "as_given",
    [
        list,
        lambda rows: tuple(map(tuple, rows)),
        lambda rows: np.array(rows, np.float32),
        lambda rows: np.array(rows, np.int8),
        lambda rows: np.array(rows, np.uint64),
        lambda rows: np.array(rows, ">f8"),
        lambda rows: np.asfortranarray(np.array(rows, float)),
        lambda rows: np.repeat(np.array(rows, float), 2, axis=0)[::2],
        lambda rows: np.array(rows, float)[::-1][::-1],
    ],
    ids=["list", "tuples", "float32", "int8", "uint64", "big endian", "fortran", "strided", "reversed twice"],
)
def test_whatever_numpy_makes_arrays_of_will_do(as_given):
    assert [[0, 1]] == overlapping_pairs(as_given(GIVEN_LO), as_given(GIVEN_HI)).tolist()


def test_what_was_given_is_not_changed_and_not_held():
    def given() -> list[weakref.ref[np.ndarray]]:
        lo, hi = np.zeros((4, 2)), np.ones((4, 2))
        hi.flags.writeable = False
        assert 6 == len(overlapping_pairs(lo, hi))
        assert (0, 1) == (lo.max(), hi.min())
        return [weakref.ref(lo), weakref.ref(hi)]

    assert [None, None] == [reference() for reference in given()]


def test_threads_do_not_disturb_each_other():
    scenes = [uniform(np.random.default_rng(seed), 300, 2) for seed in range(4)]
    expected = [by_brute_force(*scene) for scene in scenes]
    answers: dict[int, list[bool]] = {}

    def ask(number: int) -> None:
        answers[number] = [overlapping_pairs(*scenes[number]).tolist() == expected[number] for _ in range(20)]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: [True] * 20 for number in range(4)} == answers


@pytest.mark.parametrize(
    ("lo", "hi", "kind", "pieces"),
    [
        ([(0, 0)], [(1, 1, 1)], CollisionValueError, ["lo has shape (1, 2)", "hi (1, 3)", "give both corners"]),
        ([(0, 0)], [(1, 1), (2, 2)], CollisionValueError, ["(1, 2)", "(2, 2)"]),
        ([0, 0], [1, 1], CollisionValueError, ["lo has shape (2,)", "(n, 2) or (n, 3)"]),
        ([(0, 0)], [1], CollisionValueError, ["hi has shape (1,)"]),
        ([(0, 0, 0, 0)], [(1, 1, 1, 1)], CollisionValueError, ["lo has shape (1, 4)"]),
        ([(0,), (0, 0)], [(1, 1), (1, 1)], CollisionTypeError, ["lo must be an array of numbers", "[(0,), (0, 0)]"]),
        ([("a", "b")], [(1, 1)], CollisionTypeError, ["lo must be", "'a'"]),
        ([(0, 0)], [(True, True)], CollisionTypeError, ["hi must be"]),
        ([(0j, 0)], [(1, 1)], CollisionTypeError, ["lo must be"]),
        ([(None, 0)], [(1, 1)], CollisionTypeError, ["lo must be"]),
        (None, None, CollisionTypeError, ["lo must be", "None"]),
        ([(0, 0), (0, math.nan)], [(1, 1), (1, 1)], CollisionValueError, ["lo.y of row 1 is nan", "finite"]),
        ([(0, 0, 0)], [(1, 1, math.inf)], CollisionValueError, ["hi.z of row 0 is inf"]),
        ([(-math.inf, 0)], [(1, 1)], CollisionValueError, ["lo.x of row 0 is -inf"]),
        ([(math.inf, 0)], [(math.inf, 1)], CollisionValueError, ["lo.x of row 0 is inf"]),
        ([(0, 0), (0, 2), (9, 9)], [(1, 1), (1, 1), (1, 1)], CollisionValueError, ["row 1", "lo.y is 2.0", "hi.y 1.0"]),
        ([(LEAST, 0)], [(0, 1)], CollisionValueError, ["row 0", "5e-324", "swap"]),
        ([(GREATEST, 0)], [(-GREATEST, 1)], CollisionValueError, ["row 0", "ends before it begins"]),
        ([(0, 0)], [(1, 2**53 + 1)], CollisionValueError, ["hi.y of row 0 is 9007199254740993", "2**53"]),
    ],
)  # fmt: skip
def test_what_is_no_box_is_refused_and_the_first_row_named_L3(lo, hi, kind, pieces):
    with pytest.raises(CollisionError) as caught:
        overlapping_pairs(lo, hi)
    assert type(caught.value) is kind
    assert [] == [piece for piece in pieces if piece not in str(caught.value)], str(caught.value)
    assert [[0, 1]] == overlapping_pairs([(0, 0), (1, 1)], [(2, 2), (3, 3)]).tolist()  # the next call is not disturbed


def test_a_box_as_wide_as_all_numbers_is_legal():
    lo, hi = [(-GREATEST, -GREATEST), (0, 0), (1, 1)], [(GREATEST, GREATEST), (1, 1), (2, 2)]
    assert [[0, 1], [0, 2]] == overlapping_pairs(lo, hi).tolist()
