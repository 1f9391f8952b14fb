"""Distances and overlap of turned parts in float64 (rule H5)."""

import math

import pytest
from hypothesis import given
from placed_parts import parts, placed, places

from ecs_collision.shapes.bounds import part_of
from ecs_collision.shapes.overlap import turned_gap, turned_overlap
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.rotation import matrix_of

UNIT = 65536
EIGHTH = matrix_of(math.pi / 4)
DIAMOND = part_of((UNIT, UNIT, UNIT), 0, (0.0, 0.0, 0.0), EIGHTH)
REACH = math.sqrt(2) * UNIT


def gap(a, place_a, b, place_b):
    return turned_gap(placed(a, place_a), placed(b, place_b))


def overlap(a, place_a, b, place_b):
    return turned_overlap(placed(a, place_a), placed(b, place_b))


@given(a=parts(), place_a=places(), b=parts(), place_b=places(), shift=places(2**32))
def test_overlap_depends_neither_on_order_nor_on_the_place_in_the_world(a, place_a, b, place_b, shift):
    found = overlap(a, place_a, b, place_b)
    assert found == overlap(b, place_b, a, place_a)
    moved_a, moved_b = (tuple(map(int.__add__, place, shift)) for place in (place_a, place_b))
    assert found == overlap(a, moved_a, b, moved_b)
    if a.radius:
        assert gap(a, place_a, b, place_b) == gap(b, place_b, a, place_a) == gap(a, moved_a, b, moved_b)


def test_rounding_makes_no_parts_overlap_whose_bounds_only_touch_H5():
    """A capsule along z stays the same if it turns about z, but its distances are computed in its turned frame."""
    roundings = set()
    for angle in (-0.28685428556469805, -0.3, 0.7, 1.0, 2.5):
        capsule = part_of((0, 0, UNIT), UNIT // 2, (0.0, 0.0, 0.0), matrix_of(angle))
        for away in range(UNIT, 3 * UNIT, 1001):
            ball = Part((0, 0, 0, 0, 0, 0), away - UNIT // 2)
            roundings.add(gap(capsule, (0, 0, 0), ball, (away, 0, 0)) - away)
            assert not overlap(capsule, (0, 0, 0), ball, (away, 0, 0))
            assert overlap(capsule, (0, 0, 0), ball, (away - 1, 0, 0))
    assert -1e-9 < min(roundings) < 0.0 <= max(roundings) < 1e-9


@pytest.mark.parametrize(
    "there, expected",
    [
        pytest.param((math.floor(REACH) + UNIT, 0, 0), True, id="its-corner-reaches-into-the-box"),
        pytest.param((math.ceil(REACH) + UNIT, 0, 0), False, id="its-corner-does-not-reach-the-box"),
        pytest.param((2 * UNIT, 2 * UNIT, 0), False, id="only-its-bounds-overlap"),
        pytest.param((0, 0, 2 * UNIT), False, id="its-face-touches-the-face"),
        pytest.param((0, 0, 2 * UNIT - 1), True, id="its-face-is-one-unit-inside"),
    ],
)
def test_a_diamond_and_a_box(there, expected):
    box = Part((-UNIT, -UNIT, -UNIT, UNIT, UNIT, UNIT))
    assert expected == overlap(DIAMOND, (0, 0, 0), box, there)


def test_edges_of_two_boxes_separate_them():
    """No face does, and their bounds overlap: two bars cross at right angles, edge on edge, apart along (0, -1, 1)."""
    sine, cosine = math.sin(math.pi / 8), math.cos(math.pi / 8)
    turn = matrix_of((sine * cosine, sine * cosine, sine * sine, cosine * cosine))  # about y, then about x
    bar = Part((-10 * UNIT, -UNIT, -UNIT, 10 * UNIT, UNIT, UNIT))
    across = part_of((UNIT, 10 * UNIT, UNIT), 0, (0.0, 0.0, 0.0), None, turn)
    assert overlap(bar, (0, 0, 0), across, (0, -2 * UNIT, 2 * UNIT - 1))
    assert not overlap(bar, (0, 0, 0), across, (0, -2 * UNIT, 2 * UNIT + 1))


def test_a_point_is_inside_a_turned_box_but_not_on_its_face():
    point = Part((0, 0, 0, 0, 0, 0))
    assert overlap(DIAMOND, (0, 0, 0), point, (math.floor(REACH), 0, 0))
    assert not overlap(DIAMOND, (0, 0, 0), point, (math.ceil(REACH), 0, 0))
    assert not overlap(DIAMOND, (0, 0, 0), point, (0, 0, UNIT))


def test_a_turned_segment_without_radius_is_a_box_without_thickness():
    segment = part_of((10 * UNIT, 0, 0), 0, (0.0, 0.0, 0.0), EIGHTH)
    box = Part((-UNIT, -UNIT, -UNIT, UNIT, UNIT, UNIT))
    assert overlap(segment, (0, 0, 0), box, (5 * UNIT, 5 * UNIT, 0))
    assert overlap(segment, (0, 0, 0), box, (5 * UNIT, 7 * UNIT - 2, 0))
    assert not overlap(segment, (0, 0, 0), box, (5 * UNIT, 7 * UNIT + 2, 0))
    assert not overlap(segment, (0, 0, 0), box, (5 * UNIT, 5 * UNIT, UNIT))
    assert not overlap(segment, (0, 0, 0), segment, (0, 0, 0))


def test_a_turned_capsule_passes_the_corner_of_a_box():
    capsule = part_of((3 * UNIT, 0, 0), UNIT, (0.0, 0.0, 0.0), None, matrix_of(-math.pi / 4))
    box = Part((-2 * UNIT, -2 * UNIT, -UNIT, 0, 0, UNIT))
    away = UNIT / math.sqrt(2)
    assert overlap(capsule, (math.floor(away), math.floor(away), 0), box, (0, 0, 0))
    assert not overlap(capsule, (math.ceil(away), math.ceil(away), 0), box, (0, 0, 0))


def test_parallel_capsules_have_the_gap_between_their_lines():
    capsule = part_of((3 * UNIT, 0, 0), 1, (0.0, 0.0, 0.0), EIGHTH)
    assert UNIT * math.sqrt(2) == pytest.approx(gap(capsule, (0, 0, 0), capsule, (UNIT, -UNIT, 0)))
    assert 0.0 == pytest.approx(gap(capsule, (0, 0, 0), capsule, (UNIT, UNIT, 0)), abs=1e-6)
    far = gap(capsule, (0, 0, 0), capsule, (5 * UNIT, 5 * UNIT, 0))
    assert 5 * REACH - 6 * UNIT == pytest.approx(far)
