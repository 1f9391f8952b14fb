"""When a moving part meets another."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from placed_parts import parts, placed, places, rounds

from ecs_collision.shapes.bounds import part_of
from ecs_collision.shapes.meeting import meeting
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.ray_entry import INSIDE
from ecs_collision.shapes.rotation import matrix_of

UNIT = 65536
EIGHTH = matrix_of(math.pi / 4)
BOX = Part((-UNIT, -UNIT, -UNIT, UNIT, UNIT, UNIT))
BALL = Part((0, 0, 0, 0, 0, 0), UNIT)
DIAMOND = part_of((UNIT, UNIT, UNIT), 0, (0.0, 0.0, 0.0), EIGHTH)
LEANING = part_of((2 * UNIT, 0, 0), UNIT, (0.0, 0.0, 0.0), EIGHTH)
AIMS = st.tuples(*[st.integers(-15, 15)] * 3)
ROOT = math.sqrt(0.5)


@given(a=parts(), b=rounds(), place_b=places(), aim=AIMS, shift=places(2**32))
def test_meetings_do_not_depend_on_the_place_in_the_world(a, b, place_b, aim, shift):
    displacement = tuple(2 * at + 1000 * step for at, step in zip(place_b, aim, strict=True))
    there = tuple(map(int.__add__, place_b, shift))
    assert meeting(placed(a), displacement, placed(b, place_b)) == meeting(
        placed(a, shift), displacement, placed(b, there)
    )


CASES = [
    pytest.param(BALL, (4, 0), BALL, (4, 0), 0.5, (-1, 0, 0), id="balls"),
    pytest.param(BALL, (4, 0), BALL, (2, 0), 0.0, (-1, 0, 0), id="touching-balls"),
    pytest.param(BALL, (-4, 0), BALL, (2, 0), None, None, id="touching-and-moving-away"),
    pytest.param(BALL, (0, 4), BALL, (2, 0), None, None, id="touching-and-moving-along"),
    pytest.param(BALL, (4, 0), BALL, (4, 2), None, None, id="passing-and-touching"),
    pytest.param(BALL, (4, 0), BALL, (6, 0), 1.0, (-1, 0, 0), id="at-the-end"),
    pytest.param(BALL, (4, 0), BALL, (6.5, 0), None, None, id="beyond-the-end"),
    pytest.param(BALL, (4, 0), BALL, (1, 0), "inside", (0, 0, 0), id="overlapping-balls"),
    pytest.param(BOX, (4, 0), BALL, (4, 1), 0.5, (-1, 0, 0), id="box-and-ball"),
    pytest.param(BALL, (4, 4), BOX, (4, 4), 1 - 0.25 - ROOT / 4, (-ROOT, -ROOT, 0), id="ball-and-edge-of-box"),
    pytest.param(
        DIAMOND, (4, 0), BOX, (2 + 2 * ROOT, 0), (2 * ROOT + 1 - 2 * ROOT) / 4, (-1, 0, 0), id="diamond-and-box"
    ),
    pytest.param(
        BOX, (4, 4), DIAMOND, (2.5, 2.5), (2.5 - ROOT - 1) / 4, (-ROOT, -ROOT, 0), id="box-and-face-of-diamond"
    ),
    pytest.param(DIAMOND, (0, 4), BOX, (2 * UNIT, 0), None, None, id="diamond-passing-a-box"),
    pytest.param(
        LEANING,
        (0, -8),
        BOX,
        (0, -5),
        (4 - 2 * ROOT - math.sqrt(1 - (2 * ROOT - 1) ** 2)) / 8,
        None,
        id="capsule-and-corner-of-box",
    ),
    pytest.param(
        BOX,
        (0, 8),
        LEANING,
        (0, 5),
        (4 - 2 * ROOT - math.sqrt(1 - (2 * ROOT - 1) ** 2)) / 8,
        None,
        id="box-and-capsule",
    ),
    pytest.param(DIAMOND, (1, 0), BOX, (1, 0), "inside", (0, 0, 0), id="diamond-in-a-box"),
]


@pytest.mark.parametrize("a, displacement, b, place, expected, normal", CASES)
def test_cases_of_meeting(a, displacement, b, place, expected, normal):
    step, place_b = (tuple(round(UNIT * each) for each in (*given, 0)) for given in (displacement, place))
    met = meeting(placed(a), step, placed(b, place_b))
    if expected is None:
        assert met is None
    elif expected == "inside":
        assert (INSIDE, normal) == met
    else:
        assert met is not None
        (when, parts_of_one), found = met
        assert expected == pytest.approx(when / parts_of_one, abs=1e-4)
        assert normal is None or normal == pytest.approx(found, abs=1e-4)


def test_turned_boxes_that_touch_at_the_start_and_slide_do_not_meet_H8():
    """A corner of one is on a face of the other: rounding errors say that they overlap there, by nothing."""
    third, less, two = 0.33333333333333337, -0.33333333333333326, 0.6666666666666666
    tilted = Part(
        (-131072, 131072, 131072, 131072, 196608, 262144), 0, (less, two, -two, -two, third, two, two, two, third)
    )
    box = Part((65536, 98304, -131072, 131072, 163840, 131072))
    assert meeting(placed(box), (0, 0, -UNIT), placed(tilted)) is None
