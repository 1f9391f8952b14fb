"""Shapes of the reference model, by cases computed by hand (rules H1 to H5)."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from tests.model.shapes import (
    BAND,
    ONE,
    Given,
    Shape,
    bounds_of,
    is_parallel,
    overlap,
    product,
    rows_of,
    separation,
    shape_of,
    sine_and_cosine,
    states_on_path,
    touch,
)
from tests.model.shapes import PER_UNIT as UNIT

QUARTER = math.pi / 2
ORIGIN = (0, 0, 0)


def point(x: int, y: int, z: int = 0, radius: int = 0) -> Shape:
    """Return a sphere, or a point."""
    return Shape((x, y, z), (x, y, z), radius)


def turned(given: Given, rotation: Any, x: int = 0, y: int = 0, z: int = 0) -> Shape:
    """Return a turned part at a place in units."""
    return shape_of(given, rotation).at((x, y, z))


# Rotations (H3).


@pytest.mark.parametrize("angle", [0.0, 1.0, -1.0, 0.5, 3.0, -7.25, 1e-9, math.pi, 10.0])
def test_sine_and_cosine_are_those_of_the_library_H3(angle: float) -> None:
    sine, cosine = sine_and_cosine(angle)
    assert math.sin(angle) == pytest.approx(sine / ONE, abs=1e-15)
    assert math.cos(angle) == pytest.approx(cosine / ONE, abs=1e-15)
    assert abs(sine * sine + cosine * cosine - ONE * ONE) < ONE << 8, "with many more digits"


@pytest.mark.parametrize("rotation", [QUARTER, -QUARTER, 2 * QUARTER, (0, 0, 1, 1), (1, 1, 1, 1), (3, 0, 0, -3), 1e-15])
def test_quarter_turns_are_exact_H3(rotation: Any) -> None:
    assert is_parallel(rows_of(rotation))


def test_an_angle_turns_x_towards_y_and_a_quaternion_as_usual_H3() -> None:
    assert Shape((0, 5, 0), (0, 5, 0), 2) == turned(Given("sphere", offset=(5 / UNIT, 0, 0), radius=2 / UNIT), QUARTER)
    by_quaternion = turned(Given("sphere", offset=(5 / UNIT, 0, 0)), (0, 0, math.sqrt(0.5), math.sqrt(0.5)))
    assert point(0, 5) == by_quaternion
    assert point(0, 5) == turned(Given("sphere", offset=(5 / UNIT, 0, 0)), (1, 1, 1, 1)), "x to y to z to x"
    half = product(rows_of(math.pi / 4), rows_of(math.pi / 4))
    assert rows_of(QUARTER) == half, "two halves of a quarter"


def test_a_rotation_of_a_part_is_applied_before_that_of_its_body_H3() -> None:
    about_x, about_z = (1, 0, 0, 1), QUARTER
    given = Given("capsule", (0, 3 / UNIT, 0), 1 / UNIT, (7 / UNIT, 0, 0), about_x)
    assert Shape((7, 0, -3), (7, 0, 3), 1) == shape_of(given), "y to z, and the offset stays"
    assert Shape((0, 7, -3), (0, 7, 3), 1) == shape_of(given, about_z), "z stays, and the offset turns"


def test_boxes_do_not_turn_and_neither_do_their_offsets_H3() -> None:
    given = Given("box", (1 / UNIT, 2 / UNIT, 3 / UNIT), offset=(10 / UNIT, 0, 0))
    assert shape_of(given) == shape_of(given, QUARTER) == Shape((9, -2, -3), (11, 2, 3))


def test_a_capsule_with_a_quarter_turn_is_one_along_another_axis_H3() -> None:
    given = Given("capsule", (0, 2.0, 0), 0.5)
    assert shape_of(Given("capsule", (2.0, 0, 0), 0.5)) == shape_of(given, QUARTER) == shape_of(given, -QUARTER)
    assert shape_of(Given("capsule", (0, 0, 2.0), 0.5)) == shape_of(given, (1, 0, 0, 1))


def test_shapes_are_rounded_to_the_lattice_H2() -> None:
    given = Given("oriented", (2.9 / UNIT, 3.5 / UNIT, 1.0 / UNIT), offset=(0.5 / UNIT, -0.5 / UNIT, 0.4 / UNIT))
    assert Shape((-1, -3, -1), (3, 3, 1)) == shape_of(given), "centres halves up, half extents down"
    assert point(0, 0, 0, 2) == shape_of(Given("sphere", radius=2.99 / UNIT))
    assert Shape((0, -1, 0), (0, 1, 0), 0) == shape_of(Given("capsule", (0, 1.9 / UNIT, 0), 0.9 / UNIT))


# Bounds (H4).


def test_bounds_of_a_box_turned_by_45_degrees_are_root_2_wide_H4() -> None:
    root = math.ceil(math.sqrt(2) * UNIT)
    bounds = bounds_of(turned(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4, 7, 0, 0))
    assert ((7 - root, 7 + root), (-root, root), (-UNIT, UNIT)) == bounds, "rounded outward"
    capsule = turned(Given("capsule", (5 / UNIT, 0, 0), 2 / UNIT), math.atan2(3, 4))
    assert ((-6, 6), (-5, 5), (-2, 2)) == bounds_of(capsule), "4 and 3, and a radius of 2"


# Overlap and touch (H5).


@pytest.mark.parametrize(
    ("a", "b", "overlaps", "touches"),
    [
        (point(0, 0, 0, 2), point(3, 4, 0, 3), False, True),
        (point(0, 0, 0, 2), point(3, 4, 0, 4), True, False),
        (point(0, 0, 0, 2), point(3, 4, 1, 3), False, False),
        (point(0, 0, 0, 5), Shape((3, 4, -1), (9, 9, 1)), False, True),
        (point(0, 0, 0, 5), Shape((3, 3, -1), (9, 9, 1)), True, False),
        (point(0, 0, 0, 5), Shape((3, 4, 1), (9, 9, 2)), False, False),
        (point(0, 0, 0, 5), point(3, 4), False, True),
        (point(0, 0, 0, 5), point(2, 4), True, False),
        (point(1, 1, 0, 1), Shape((0, 0, 0), (9, 9, 9)), True, False),
        (Shape((0, -3, 0), (0, 3, 0), 1), Shape((2, 0, 0), (5, 0, 0), 1), False, True),
        (Shape((0, -3, 0), (0, 3, 0), 1), Shape((1, 0, 0), (5, 0, 0), 1), True, False),
        (Shape((0, -3, 0), (0, 3, 0), 2), Shape((-9, 0, 3), (9, 0, 3), 1), False, True),
        (Shape((0, -3, 0), (0, 3, 0), 0), Shape((-1, -1, -1), (1, 1, 1)), True, False),
        (Shape((1, -3, 0), (1, 3, 0), 0), Shape((-1, -1, -1), (1, 1, 1)), False, True),
        (point(0, 0), point(0, 0, 0, 1), True, False),
        (point(0, 0), point(0, 0), False, False),
        (Shape((0, 0, 0), (2, 2, 2)), Shape((2, 0, 0), (3, 2, 2)), False, True),
    ],
)
def test_parts_overlap_if_their_cores_are_closer_than_their_radii_H5(
    a: Shape, b: Shape, overlaps: bool, touches: bool
) -> None:
    assert (overlaps, touches) == (overlap(a, b), touch(a, b)) == (overlap(b, a), touch(b, a))


@pytest.mark.parametrize(
    ("a", "b", "gap"),
    [
        (turned(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4), point(3 * UNIT, 0, 0, UNIT), 2 - math.sqrt(2)),
        (turned(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4), point(UNIT, UNIT, 0, UNIT), math.sqrt(2) - 2),
        (
            turned(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4),
            turned(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4, 3 * UNIT),
            3 / math.sqrt(2) - 2,
        ),
        (
            turned(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4),
            Shape((2 * UNIT, -UNIT, 0), (3 * UNIT, UNIT, 1)),
            2 - math.sqrt(2),
        ),
        (turned(Given("capsule", (5.0, 0, 0), 1.0), math.atan2(3, 4)), point(3 * UNIT, 4 * UNIT, 0, UNIT // 2), -0.1),
        (
            turned(Given("capsule", (2.0, 0, 0), 0.5), math.pi / 4),
            turned(Given("capsule", (2.0, 0, 0), 0.5), -math.pi / 4, 0, 0, 3 * UNIT),
            2.0,
        ),
        (
            turned(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4),
            turned(Given("oriented", (1.0, 1.0, 1.0)), (1, 0, 0, 1 + math.sqrt(2)), 2 * UNIT, 0, 2 * UNIT),
            2 - math.sqrt(2) - 1 + 0,
        ),
    ],
)
def test_turned_parts_are_as_far_apart_as_computed_by_hand_H5(a: Shape, b: Shape, gap: float) -> None:
    for one, two in ((a, b), (b, a)):
        assert gap == pytest.approx(separation(one, two) / ONE / UNIT, abs=1e-4)
        assert (gap < 0) == overlap(one, two)
        assert not touch(one, two), "they never touch"


def test_what_nearly_touches_turned_is_too_close_to_call_H5() -> None:
    box = turned(Given("oriented", (1.0, 1.0, 1.0)), math.atan2(3, 4))
    assert None is overlap(
        box, turned(Given("oriented", (1.0, 1.0, 1.0)), math.atan2(3, 4), -6 * UNIT // 5 * 0, 0, 2 * UNIT)
    )
    assert False is overlap(box, box.at((0, 0, 2 * UNIT + 1)))
    assert True is overlap(box, box.at((0, 0, 2 * UNIT - 1)))


def test_the_distance_of_segments_to_boxes_is_the_least_of_many_H5() -> None:
    dice = random.Random(5)
    for _ in range(60):
        box_turn, line_turn = (tuple(dice.gauss(0, 1) for _ in "xyzw") for _ in "ab")
        box = turned(Given("oriented", tuple(dice.uniform(0, 2) for _ in "xyz")), box_turn)  # type: ignore[arg-type]
        place = [dice.randint(-3 * UNIT, 3 * UNIT) for _ in "xyz"]
        line = turned(Given("capsule", (dice.uniform(0, 4), 0, 0), 0.5), line_turn, *place)
        least = min(_distance_to_box(box, line, step / 400) for step in range(-400, 401)) - line.radius
        found = separation(line, box) / ONE
        assert found - 1e-6 <= least <= found + UNIT / 50


def _distance_to_box(box: Shape, line: Shape, along: float) -> float:
    """Return the distance of a place on a segment to a box, in floats."""
    half = max(line.halves()) / ONE
    axis = [row[0] / ONE for row in line.rows or ()]
    place = [
        at / ONE + along * half * way - own / ONE
        for at, way, own in zip(line.centre(), axis, box.centre(), strict=True)
    ]
    local = [sum(own / ONE * at for own, at in zip(side, place, strict=True)) for side in box.axes()]
    return math.hypot(*(max(abs(at) - own / ONE, 0) for at, own in zip(local, box.halves(), strict=True)))


# Paths (T4).

UPRIGHT = turned(Given("capsule", (0, 0, 1.0), 1.0), 0.7)
"""A capsule along z that turns about its own axis, so that what it touches is known."""

TIP = turned(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4)


@pytest.mark.parametrize(
    ("fixed", "moving", "shift", "at_most", "at_least"),
    [
        (UPRIGHT, point(2 * UNIT, 0, 0, UNIT), UNIT, [False], [True, False]),
        (UPRIGHT, point(2 * UNIT, 0, 0, UNIT), -UNIT, [False, True], [True]),
        (UPRIGHT, point(3 * UNIT, 0, 0, UNIT), -UNIT, [False], [False, True]),
        (UPRIGHT, point(4 * UNIT, 2 * UNIT, 0, UNIT), -8 * UNIT, [False], [False, True, False]),
        (UPRIGHT, point(4 * UNIT, 2 * UNIT - 1, 0, UNIT), -8 * UNIT, [False, True, False], [False, True, False]),
        (UPRIGHT, point(4 * UNIT, 2 * UNIT + 1, 0, UNIT), -8 * UNIT, [False], [False]),
        (UPRIGHT, point(4 * UNIT, 0, 0, UNIT), -8 * UNIT, [False, True, False], [False, True, False]),
        (TIP, TIP.at((0, 2 * 92_682, 0)), UNIT, [False], [False]),
        (TIP, TIP.at((-4 * UNIT, 2 * 92_681, 0)), 8 * UNIT, [False, True, False], [False, True, False]),
    ],
    ids=["leaves", "goes in", "arrives", "slides past", "a unit deeper", "a unit apart", "through", "apart", "tips"],
)
def test_a_path_past_a_turned_part_is_too_close_to_call_if_it_touches_at_a_limit_T4(
    fixed: Shape, moving: Shape, shift: int, at_most: list[bool], at_least: list[bool]
) -> None:
    for band, expected in ((-BAND, at_most), (BAND, at_least)):
        states = states_on_path([fixed], [moving], 0, shift, False, band)
        assert expected == [state for number, state in enumerate(states) if number == 0 or states[number - 1] != state]


def test_a_path_that_is_inside_only_between_two_places_of_the_lattice_never_is_L1_T4() -> None:
    """The tip of the box is this far above a line, and between two places of the lattice."""
    size, angle = 65_545, 0.5
    across, up = size * (math.cos(angle) - math.sin(angle)), size * (math.cos(angle) + math.sin(angle))
    tip = turned(Given("oriented", (size / UNIT, size / UNIT, 1.0)), angle)
    line = Shape((0, math.floor(up), 0), (0, math.floor(up) + 9, 0))
    assert 0.05 < up - math.floor(up) and ONE // 100 < -separation(line, tip, (math.floor(across * ONE), 0, 0))
    assert [False] * 3 == states_on_path([tip], [line], 0, 2 * UNIT, False)
    deeper = Shape((0, math.floor(up) - 3, 0), (0, math.floor(up) + 9, 0))
    assert True in states_on_path([tip], [deeper], 0, 2 * UNIT, False)
