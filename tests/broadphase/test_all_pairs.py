"""All overlapping pairs from arrays, against brute force: `overlapping_pairs` and `AllPairs` (rule L4)."""

from __future__ import annotations

import importlib.util
import math
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecs_collision import overlapping_pairs
from ecs_collision._build import PACKAGE
from ecs_collision.broadphase.all_pairs import AllPairs

LARGEST = math.ldexp(1 - 2**-53, 1024)
SMALLEST = 5e-324


def by_brute_force(lo, hi) -> list[list[int]]:
    """Compare every box with every other."""
    lo, hi = np.asarray(lo, float), np.asarray(hi, float)
    meet = (lo[:, None] < hi[None]).all(axis=2) & (lo[None] < hi[:, None]).all(axis=2)
    return np.argwhere(np.triu(meet, 1)).tolist()


def uniform(random, n, dims):
    lo = random.uniform(-20, 20, (n, dims))
    return lo, lo + random.uniform(0.5, 1.5, (n, dims))


def mixed(random, n, dims):
    lo = random.uniform(-20, 20, (n, dims))
    return lo, lo + random.uniform(0.5, 1.5, (n, dims)) * np.where(random.random((n, 1)) < 0.1, 10, 1)


def far_apart(random, n, dims):
    lo = random.uniform(-3, 3, (n, dims)) + random.choice([-1e9, 0, 1e6, 3e7], (n, 1))
    return lo, lo + random.uniform(0.5, 1.5, (n, dims))


def along_a_diagonal(random, n, dims):
    lo = np.sort(random.uniform(-1e4, 1e4, (n, 1)), axis=0) + random.uniform(-0.5, 0.5, (n, dims))
    return lo, lo + random.uniform(0, 60, (n, 1)) ** 2 / 30


def one_over_all(random, n, dims):
    lo, hi = uniform(random, n, dims)
    lo[n // 2], hi[n // 2] = -1e6, 1e6
    return lo, hi


def huge(random, n, dims):
    lo, hi = uniform(random, n, dims)
    lo[0], hi[0] = -LARGEST, LARGEST
    lo[1], hi[1] = -1e300, 1e-300
    lo[2], hi[2] = LARGEST, LARGEST
    return lo, hi


SCENES = [uniform, mixed, far_apart, along_a_diagonal, one_over_all, huge]


SPECIAL = [0.0, -0.0, SMALLEST, -SMALLEST, 2.3e-308, 1e-300, -1e-160, 0.5, 1.0, 1 + 2**-52, 2.0, 3.0, 4.0, -7.5,
           2.0**40, -1e160, 1e300, -1e300, LARGEST, -LARGEST]  # fmt: skip
NUMBERS = st.sampled_from(SPECIAL) | st.integers(-4, 4).map(float) | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def boxes(draw) -> tuple[np.ndarray, np.ndarray]:
    dims = draw(st.sampled_from([2, 3]))
    corner = st.lists(NUMBERS, min_size=dims, max_size=dims)
    pairs = draw(st.lists(st.tuples(corner, corner), min_size=1, max_size=14))
    given = np.array(pairs, float)
    return given.min(axis=1), given.max(axis=1)


@given(boxes())
def test_the_compiled_and_the_plain_form_find_the_same_candidates(given):
    assert found_by(PLAIN.AllPairs(), *given) == found_by(AllPairs(), *given)


def plain_form():
    """Return the same source as plain Python, beside the compiled form."""
    spec = importlib.util.spec_from_file_location("plain_join", Path(PACKAGE) / "broadphase" / "all_pairs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAIN = plain_form()


def found_by(finder, lo, hi) -> tuple[int, list[tuple[int, int]]]:
    """Return how many candidates were compared, and the pairs found, unsorted."""
    n, dims = lo.shape
    finder.reserve(n, dims)
    for at, (low, high) in enumerate(zip(lo.ravel().tolist(), hi.ravel().tolist(), strict=True)):
        finder.lows[at], finder.highs[at] = low, high
    count = finder.find_pairs()
    return finder.compared, list(zip(list(finder.pair_a[:count]), list(finder.pair_b[:count]), strict=True))


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_the_compiled_form_equals_the_plain_form_on_every_scene(scene):
    lo, hi = scene(np.random.default_rng(7), 150, 3)
    assert found_by(PLAIN.AllPairs(), lo, hi) == found_by(AllPairs(), lo, hi)


def test_one_object_takes_any_number_of_boxes_in_2d_and_3d():
    join, random = AllPairs(), np.random.default_rng(1)
    for n, dims in ((5, 3), (300, 2), (1, 3), (40, 3), (0, 2), (300, 3)):
        lo, hi = mixed(random, n, dims)
        pairs = sorted(found_by(join, lo, hi)[1])
        assert by_brute_force(lo, hi) == [list(pair) for pair in pairs]


@pytest.mark.parametrize("dims", [2, 3])
def test_few_candidates_are_compared_in_every_arrangement(dims):
    random = np.random.default_rng(2)
    for scene in (uniform, mixed, far_apart, one_over_all, along_a_diagonal):
        lo, hi = scene(random, 2000, dims)
        compared, pairs = found_by(AllPairs(), lo, hi)
        assert compared <= 3 * len(pairs) + 2000, scene.__name__


def test_ten_thousand_points_yield_no_pairs_and_no_comparisons():
    lo = np.random.default_rng(3).uniform(0, 1, (10_000, 3))
    assert (0, []) == found_by(AllPairs(), lo, lo)


def test_threads_do_not_disturb_each_other():
    scenes = [uniform(np.random.default_rng(seed), 300, 2) for seed in range(4)]
    expected = [by_brute_force(*scene) for scene in scenes]
    are_right: dict[int, list[bool]] = {}

    def search(number: int) -> None:
        are_right[number] = [overlapping_pairs(*scenes[number]).tolist() == expected[number] for _ in range(20)]

    threads = [threading.Thread(target=search, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: [True] * 20 for number in range(4)} == are_right
