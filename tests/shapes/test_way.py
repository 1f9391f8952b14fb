"""How far a part goes along an axis until it would overlap another (rules H4, H5 and P2)."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from placed_parts import parts, placed, places

from ecs_collision.shapes.bounds import part_of
from ecs_collision.shapes.overlap import separation
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.rotation import matrix_of
from ecs_collision.shapes.way import NEVER, OVERLAP, way_along
from tests.model.shapes import ONE, Shape, way_until_overlap

FAR = 1 << 45
BALL = Part((0, 0, 0, 0, 0, 0), 5)
BOX = Part((-5, -5, -5, 5, 5, 5))
LYING = Part((-10, 0, 0, 10, 0, 0), 5)
HUGE = Part((0, 0, 0, 0, 0, 0), 1 << 40)
DIAMOND = part_of((1 << 16, 1 << 16, 1 << 16), 0, (0.0, 0.0, 0.0), matrix_of(math.pi / 4))
LEANING = part_of((1 << 18, 0, 0), 1 << 16, (0.0, 0.0, 0.0), matrix_of(math.pi / 4))
CRATE = part_of((1 << 16, 1 << 16, 1 << 16), 0, (0.0, 0.0, 0.0), matrix_of(0.3))

CASES = [
    pytest.param(BALL, BALL, (30, 0, 0), 20, id="balls"),
    pytest.param(BALL, BALL, (30, 6, 0), 22, id="balls-side-by-side"),
    pytest.param(BALL, BALL, (30, 7, 0), 22, id="the-root-of-51-is-rounded-up"),
    pytest.param(BALL, BALL, (30, 6, 8), NEVER, id="balls-that-brush-past"),
    pytest.param(BALL, BALL, (30, 9, 4), 28, id="balls-that-just-do-not"),
    pytest.param(BALL, BALL, (8, 6, 0), 0, id="balls-that-touch"),
    pytest.param(BALL, BALL, (-8, 6, 0), NEVER, id="balls-that-touch-and-part"),
    pytest.param(BALL, BALL, (7, 6, 0), OVERLAP, id="balls-that-overlap"),
    pytest.param(BALL, BALL, (-30, 0, 0), NEVER, id="a-ball-behind"),
    pytest.param(BALL, BOX, (30, 2, 4), 20, id="the-face-of-a-box"),
    pytest.param(BALL, BOX, (30, 8, 5), 21, id="the-edge-of-a-box"),
    pytest.param(BALL, BOX, (30, 8, 8), 22, id="the-corner-of-a-box"),
    pytest.param(BALL, BOX, (30, 10, 0), NEVER, id="beside-a-box"),
    pytest.param(BOX, LYING, (40, 8, 0), 21, id="a-box-and-a-capsule"),
    pytest.param(LYING, LYING, (40, 6, 0), 12, id="capsules"),
    pytest.param(LYING, LYING, (4, 10, 0), NEVER, id="capsules-side-by-side"),
    pytest.param(HUGE, HUGE, (1 << 43, 0, 0), (1 << 43) - (1 << 41), id="numbers-beyond-64-bits"),
    pytest.param(HUGE, HUGE, (1 << 43, (1 << 41) - 1, 0), (1 << 43) - 2097152, id="a-small-rest-of-large-squares"),
    pytest.param(HUGE, HUGE, (1 << 43, 3 << 38, 5 << 37), (1 << 43) - 1919230537648, id="a-rest-of-large-squares"),
    pytest.param(DIAMOND, BOX, (1 << 20, 0, 0), (1 << 20) - 5 - 92682, id="the-corner-of-a-diamond"),
    pytest.param(DIAMOND, DIAMOND, (1 << 20, 1 << 16, 0), (1 << 20) + (1 << 16) - 185364, id="faces-of-diamonds"),
    pytest.param(DIAMOND, DIAMOND, (1 << 20, 200000, 0), NEVER, id="a-diamond-passes"),
    pytest.param(DIAMOND, DIAMOND, (0, 1 << 16, 0), OVERLAP, id="diamonds-that-overlap"),
    pytest.param(LEANING, BALL, (1 << 20, 0, 0), (1 << 20) - 92689, id="the-side-of-a-capsule"),
    pytest.param(BALL, LEANING, (1 << 20, 0, 0), (1 << 20) - 92689, id="to-the-side-of-a-capsule"),
    pytest.param(LEANING, DIAMOND, (-(1 << 20), 0, 0), NEVER, id="a-diamond-behind"),
]


@pytest.mark.parametrize(("a", "b", "place", "expected"), CASES)
def test_the_way_ends_where_the_parts_touch_or_just_before_H5(a, b, place, expected):
    """Along every axis, and along x alone if a part is not the same on all."""
    for axis in range(1 if {a, b} & {LYING, DIAMOND, LEANING} else 3):
        there = (*place[3 - axis :], *place[: 3 - axis])
        for sign in (1, -1):
            assert expected == way_along(placed(a), placed(b, [sign * at for at in there]), axis, sign, FAR)


def test_a_turned_crate_comes_down_on_another_to_the_unit_H3():
    above = placed(CRATE, (0, 0, 1 << 20))
    assert (1 << 20) - (1 << 17) == way_along(above, placed(CRATE), 2, -1, FAR)
    above = placed(CRATE, (0, 0, 1 << 17))
    assert [0, NEVER] == [way_along(above, placed(CRATE), 2, sign, FAR) for sign in (-1, 1)]
    assert NEVER == way_along(above, placed(CRATE, (1 << 18, 0, 0)), 0, 1, FAR), "it slides on the other"


def test_parts_that_meet_beyond_the_limit_go_to_the_limit():
    assert 1000 == way_along(placed(DIAMOND), placed(BOX, (1 << 20, 0, 0)), 0, 1, 1000)


def as_shape(part, place):
    rows = part.matrix and tuple(tuple(int(Fraction(m) * ONE) for m in part.matrix[k : k + 3]) for k in (0, 3, 6))
    return Shape(part.core[:3], part.core[3:], part.radius, rows).at(place)


@given(a=parts(), b=parts(), place=places(), axis=st.integers(0, 2), sign=st.sampled_from([1, -1]))
def test_the_way_is_that_of_the_model_and_a_unit_further_they_overlap_P2(a, b, place, axis, sign):
    if a.radius + b.radius == 0 and a.matrix is None and b.matrix is None:
        return
    found = way_along(placed(a), placed(b, place), axis, sign, FAR)
    ways = [way_until_overlap(as_shape(a, (0, 0, 0)), as_shape(b, place), axis, sign, close) for close in (False, True)]
    assert found in [{None: NEVER, -1: OVERLAP}.get(way, way) for way in ways]
    step = [0, 0, 0]
    for way in (0, found, found + 1) if found >= 0 else ():
        step[axis] = sign * way
        assert (way > found) == (separation(placed(a, step), placed(b, place)) == 0)
