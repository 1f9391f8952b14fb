"""Parts in their place within a body, and the boxes around them (rules H2 to H4)."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecs_collision.shapes.bounds import bounds_of, part_of
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.rotation import matrix_of

UNIT = 65536
HALF = math.sqrt(0.5)
QUARTER_Z, QUARTER_X = matrix_of(math.pi / 2), matrix_of((HALF, 0.0, 0.0, HALF))


def test_bounds_of_a_box_turned_by_45_degrees():
    """Half extents (1, 1, 1) give (sqrt 2, sqrt 2, 1), a quarter turn gives the box itself."""
    part = part_of((UNIT, UNIT, UNIT), 0, (0.0, 0.0, 0.0), matrix_of(math.pi / 4))
    outer = math.ceil(math.sqrt(2) * UNIT)
    assert (-outer, -outer, -UNIT, outer, outer, UNIT) == bounds_of(part)


@pytest.mark.parametrize("turns", range(-8, 9))
def test_a_quarter_turn_gives_exactly_the_box(turns):
    matrix = matrix_of(turns * math.pi / 2)
    part = part_of((3 * UNIT, 2 * UNIT, UNIT), 0, (0.0, 0.0, 0.0), None, matrix)
    x, y = (3 * UNIT, 2 * UNIT) if turns % 2 == 0 else (2 * UNIT, 3 * UNIT)
    assert Part((-x, -y, -UNIT, x, y, UNIT)) == part
    assert part.core == bounds_of(part)


def test_the_rotation_of_a_part_comes_before_that_of_its_body():
    assert Part((0, 0, -9, 0, 0, 9), 1) == part_of((9, 0, 0), 1, (0.0, 0.0, 0.0), QUARTER_X, QUARTER_Z)
    assert Part((0, -9, 0, 0, 9, 0), 1) == part_of((9, 0, 0), 1, (0.0, 0.0, 0.0), QUARTER_Z, QUARTER_X)


def test_a_rotation_undone_by_that_of_the_body_is_none():
    assert Part((-3, -2, -1, 3, 2, 1)) == part_of((3, 2, 1), 0, (0.0, 0.0, 0.0), matrix_of(0.3), matrix_of(-0.3))


def test_bounds_include_the_radius():
    assert (-4, -13, -4, 4, 13, 4) == bounds_of(Part((0, -9, 0, 0, 9, 0), 4))
    low_x, low_y, low_z, *_ = bounds_of(part_of((0, 1000, 0), 4, (0.0, 0.0, 0.0), matrix_of(math.pi / 4)))
    assert (-712, -712, -4) == (low_x, low_y, low_z)  # 707.1 rounded up, and the radius


@given(
    halves=st.tuples(*[st.integers(0, 50) | st.integers(0, 2**36)] * 3),
    radius=st.integers(0, 9),
    rotation=st.floats(-7, 7) | st.tuples(*[st.integers(-5, 5)] * 4).filter(any),
)
def test_bounds_contain_every_corner_and_little_more(halves, radius, rotation):
    matrix = matrix_of(rotation)
    part = part_of(halves, radius, (7.0, 8.0, 9.0), None, matrix)
    bounds = bounds_of(part)
    corners = [
        [
            sum(Fraction((matrix or (1, 0, 0, 0, 1, 0, 0, 0, 1))[3 * row + at]) * corner[at] for at in range(3))
            for row in range(3)
        ]
        for corner in product(*((-half, half) for half in halves))
    ]
    for axis in range(3):
        reach = max(corner[axis] for corner in corners)
        assert reach <= bounds[axis + 3] - radius - (7 + axis) < reach * (1 + Fraction(1, 2**45)) + 1
        assert bounds[axis] + bounds[axis + 3] == 2 * (7 + axis)
