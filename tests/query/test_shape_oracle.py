"""The oracle of queries about shapes, by cases computed by hand (rules Q3, Q7, H6 to H9)."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest
from query_oracle import INSIDE, UNIT, Body, box_entered
from shape_oracle import (
    ROUND,
    depth_of,
    distance_range,
    entered,
    entry_of,
    in_frustum,
    inside_circle,
    is_free,
    meeting,
)

from tests.model.shapes import Given, Shape, shape_of

ORIGIN = (0, 0, 0)


def point(x: int, y: int, z: int = 0, radius: int = 0) -> Shape:
    """Return a sphere, or a point."""
    return Shape((x, y, z), (x, y, z), radius)


def body(*parts: Shape) -> Body:
    """Return a body of these parts."""
    return Body(1, ORIGIN, (), parts=parts)


# Rays (H6).


@pytest.mark.parametrize(
    ("origin", "steps", "when"),
    [
        ((-10, 0, 0), (1, 0, 0), 5),
        ((-10, 0, 0), (4, 0, 0), Fraction(5, 4)),
        ((-10, 3, 0), (1, 0, 0), 6),
        ((10, 3, 0), (-2, 0, 0), 3),
        ((-10, 5, 0), (1, 0, 0), None),
        ((-10, 4, 3), (1, 0, 0), None),
        ((-10, -4, 0), (1, 0, 0), 7),
        ((-5, 0, 0), (1, 0, 0), 0),
        ((-5, 0, 0), (-1, 0, 0), None),
        ((-5, 0, 0), (0, 1, 0), None),
        ((3, 4, 0), (-1, 0, 0), 0),
        ((3, 4, 0), (4, -3, 0), None),
        ((3, 4, 0), (4, -4, 0), 0),
        ((0, 0, 11), (0, 0, -3), 2),
    ],
)
def test_a_ray_enters_a_sphere_where_it_comes_closer_than_the_radius_H6(origin: Any, steps: Any, when: Any) -> None:
    expected = None if when is None else (Fraction(when), ROUND)
    found = entered(point(0, 0, 0, 5), origin, steps)
    assert expected == found or (expected is not None and found is not None and 0 < expected[0] - found[0] <= 2**-50)
    assert found is None or (found[0] * 2**59).denominator == 1


def test_a_ray_that_starts_in_a_sphere_is_inside_H6() -> None:
    for steps in ((1, 0, 0), (0, 0, 0), (-3, 2, 1)):
        assert (0, INSIDE) == entered(point(0, 0, 0, 5), (4, 2, 0), steps)
    assert entered(point(0, 0, 0, 5), (3, 4, 0), (0, 0, 0)) is None


def test_the_time_of_entry_is_rounded_down_to_59_bits_H6() -> None:
    when, _ = entered(point(3, 0, 0, 1), (0, 0, 0), (2, 1, 0)) or (None, None)
    assert when is None, "the root of a negative number: at 1.2, 0.6 it is 1.34 away"
    when, _ = entered(point(4, 1, 0, 2), (0, 0, 0), (2, 1, 0)) or (Fraction(-1), 0)
    # 5 t^2 - 18 t + 13 = 0 at t = 1 and 2.6.
    assert when == 1
    when, _ = entered(point(4, 1, 0, 1), (0, 0, 0), (2, 1, 0)) or (Fraction(-1), 0)
    root = Fraction(18 - Fraction(math.isqrt((324 - 320) * 4**200), 2**200), 10)
    assert Fraction(math.floor(root * 2**58), 2**58) == when == Fraction(math.floor(Fraction(8, 5) * 2**58), 2**58)


def test_a_ray_enters_a_capsule_through_its_side_and_its_ends_H6() -> None:
    capsule = Shape((0, -5, 0), (0, 5, 0), 5)
    assert (5, ROUND) == entered(capsule, (-10, 4, 0), (1, 0, 0))
    assert (6, ROUND) == entered(capsule, (-10, 8, 0), (1, 0, 0))
    assert (2, ROUND) == entered(capsule, (0, 12, 0), (0, -1, 0))
    assert entered(capsule, (-10, 10, 0), (1, 0, 0)) is None, "it touches the end"
    assert entered(capsule, (5, -20, 0), (0, 1, 0)) is None, "it runs along the side"


def test_rays_enter_boxes_as_by_the_oracle_of_boxes_H6_Q1() -> None:
    dice = random.Random(6)
    for _ in range(300):
        low = [dice.randint(-3, 3) for _ in "xyz"]
        box = (tuple(low), tuple(at + dice.randint(0, 3) for at in low))
        origin, steps = (tuple(dice.randint(-5, 5) for _ in "xyz") for _ in "ab")
        expected = box_entered(box, origin, steps)  # type: ignore[arg-type]
        assert expected == entered(Shape(*box), origin, steps)  # type: ignore[arg-type]


def test_a_ray_enters_a_turned_box_through_its_corner_or_its_face_H6() -> None:
    box = body(shape_of(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4))
    entry = entry_of(box, (-4 * UNIT, 0, 0), (UNIT, 0, 0))
    assert entry is not None and entry.last is not None
    assert 4 - math.sqrt(2) == pytest.approx(float(entry.first)) == pytest.approx(float(entry.last))
    entry = entry_of(box, (-4 * UNIT, UNIT // 2, 0), (UNIT, 0, 0))
    assert entry is not None
    assert 4.5 - math.sqrt(2) == pytest.approx(float(entry.first))
    assert entry_of(box, (-4 * UNIT, 3 * UNIT // 2, 0), (UNIT, 0, 0)) is None


def test_a_line_that_ends_at_a_sphere_is_free_Q3_H6() -> None:
    ball = [body(point(0, 0, 0, 5))]
    assert True is is_free(ball, (-10, 0, 0), (-5, 0, 0))
    assert False is is_free(ball, (-10, 0, 0), (-4, 0, 0))
    assert True is is_free(ball, (-5, 0, 0), (-10, 0, 0))
    assert False is is_free(ball, (-5, 0, 0), (5, 0, 0))
    assert True is is_free(ball, (3, 4, 0), (3, 4, 0))
    assert True is is_free(ball, (-10, 5, 0), (10, 5, 0))


# Distances, circles and frustums (H7, Q7).


def test_the_distance_is_that_to_the_surface_H7() -> None:
    ball = body(point(3, 4, 0, 2))
    assert (3 << 64,) * 2 == distance_range(ball, ORIGIN)
    assert (0, 0) == distance_range(ball, (3, 3, 0))
    one = math.isqrt(2 << 128) - (1 << 64)
    assert (one, one) == distance_range(body(point(1, 1, 0, 1)), ORIGIN)
    assert {1: False} == inside_circle([ball], ORIGIN, 3)
    assert {1: True} == inside_circle([ball], ORIGIN, 4)
    low, high = distance_range(body(shape_of(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4)), (3 * UNIT, 0, 0))
    assert (3 - math.sqrt(2)) * UNIT == pytest.approx(low / 2**64) == pytest.approx(high / 2**64)


def test_what_is_wholly_outside_one_plane_is_not_in_a_frustum_Q7() -> None:
    ball = [body(point(0, 0, 0, 5 * UNIT))]
    assert {1: False} == in_frustum(ball, [(1, 0, 0, -5)])
    assert {1: True} == in_frustum(ball, [(1, 0, 0, -4.9)])
    assert {1: False} == in_frustum(ball, [(3, 4, -25)])
    assert {1: True} == in_frustum(ball, [(3, 4, -24), (-3, 4, -24)])
    assert {1: False} == in_frustum(ball, [(3, 4, -24), (-3, 4, -26)])
    assert {1: True} == in_frustum([body(point(9 * UNIT, 0), *ball[0].parts)], [(1, 0, -8), (0, 1, 1)])
    assert {1: False} == in_frustum([body(point(9 * UNIT, 0), *ball[0].parts)], [(1, 0, -8), (0, 1, -1)]), (
        "the same part"
    )
    tilted = [body(shape_of(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4))]
    assert {1: True} == in_frustum(tilted, [(1, 0, -1.4)])
    assert {1: False} == in_frustum(tilted, [(1, 0, -1.42)])
    assert {1: None} == in_frustum(tilted, [(1, 1, -math.sqrt(2))])


# Casts (H8) and contacts (H9).


def test_a_sphere_that_is_cast_meets_where_centres_are_as_far_as_the_radii_H8() -> None:
    ball = body(point(10, 0, 0, 2))
    met = meeting([point(0, 3, 0, 3)], ball, (20, 0, 0))
    assert met is not None
    assert Fraction(6, 20) - met.first < 2**-50
    assert meeting([point(0, 5, 0, 3)], ball, (20, 0, 0)) is None, "it passes and touches"
    assert meeting([point(0, 3, 0, 3)], ball, (6, 0, 0)) is not None, "it ends at it"
    assert meeting([point(5, 0, 0, 3)], ball, (-6, 0, 0)) is None, "it touches and goes away"


def test_a_turned_box_that_is_cast_meets_with_its_corner_H8() -> None:
    box = shape_of(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4)
    wall = body(Shape((4 * UNIT, -UNIT, -UNIT), (5 * UNIT, UNIT, UNIT)))
    met = meeting([box], wall, (8 * UNIT, 0, 0))
    assert met is not None and met.last is not None
    assert (
        (4 - math.sqrt(2)) / 8 == pytest.approx(float(met.first), abs=1e-9) == pytest.approx(float(met.last), abs=1e-9)
    )
    assert meeting([box], wall, (2 * UNIT, 0, 0)) is None
    assert meeting([box], wall, (8 * UNIT, 24 * UNIT, 0)) is None


@pytest.mark.parametrize(
    ("a", "b", "depth"),
    [
        (point(0, 0, 0, 5), point(3, 4, 0, 3), 3),
        (point(0, 0, 0, 5), point(0, 0, 0, 3), 8),
        (point(0, 0, 0, 5), Shape((3, 3, -9), (90, 90, 9)), 5 - math.sqrt(18)),
        (point(4, 20, 0, 5), Shape((0, 0, -90), (90, 90, 90)), 9),
        (Shape((0, 0, 0), (10, 10, 10)), Shape((7, 1, 1), (20, 9, 9)), 3),
        (Shape((0, 0, 0), (10, 10, 10)), Shape((2, 2, 2), (4, 9, 9)), 4),
        (Shape((0, -5, 0), (0, 5, 0), 2), Shape((-5, 0, 0), (5, 0, 0), 2), 4),
        (
            shape_of(Given("oriented", (1.0, 1.0, 1.0)), math.pi / 4),
            Shape((UNIT, -9 * UNIT, -9 * UNIT), (9 * UNIT, 9 * UNIT, 9 * UNIT)),
            (math.sqrt(2) - 1) * UNIT,
        ),
    ],
)
def test_the_depth_is_the_shortest_way_apart_H9(a: Shape, b: Shape, depth: float) -> None:
    assert depth == pytest.approx(depth_of(a, b), abs=1e-6) == pytest.approx(depth_of(b, a), abs=1e-6)
