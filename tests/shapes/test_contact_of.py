"""Contacts of every pair of shapes: normal, depth and points (rule H9)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from placed_parts import parts, places

from ecs_collision.shapes.bounds import part_of
from ecs_collision.shapes.contact import ContactManifold, contact_of, deepest_contact
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.rotation import matrix_of

UNIT = 65536
HERE = (0, 0, 0)
EIGHTH = matrix_of(math.pi / 4)
BOX = Part((-UNIT, -UNIT, -UNIT, UNIT, UNIT, UNIT))
BALL = Part((0, 0, 0, 0, 0, 0), UNIT)
CAPSULE = Part((-2 * UNIT, 0, 0, 2 * UNIT, 0, 0), UNIT)
DIAMOND = part_of((UNIT, UNIT, UNIT), 0, (0.0, 0.0, 0.0), EIGHTH)
TILTED = part_of((UNIT, UNIT, UNIT), 0, (0.0, 0.0, 0.0), matrix_of((math.sin(0.3), 0.0, 0.0, math.cos(0.3))))
PLATE = Part((-UNIT, -UNIT, 0, UNIT, UNIT, 0))
ROD = part_of((UNIT, 0, 0), 0, (0.0, 0.0, 0.0), matrix_of((0.0, math.sin(0.3), 0.0, math.cos(0.3))))
LEANING = part_of((2 * UNIT, 0, 0), UNIT, (0.0, 0.0, 0.0), EIGHTH)


def thousandfold(place):
    return tuple(1000 * each for each in place)


NEAR = st.tuples(*[st.integers(-9, 9)] * 3).map(thousandfold)


def contact_at(a, place_a, b, place_b, flat=False):
    return contact_of(a.shifted(*place_a), b.shifted(*place_b), flat)


@given(a=parts(), b=parts(), place_b=NEAR, shift=places(2**32))
def test_contacts_do_not_depend_on_the_place_in_the_world(a, b, place_b, shift):
    here = contact_at(a, HERE, b, place_b)
    there = contact_at(a, shift, b, tuple(map(int.__add__, place_b, shift)))
    assert (here and (here.normal, here.depth)) == (there and (there.normal, there.depth))


def units(x, y, z=0.0):
    return round(x * UNIT), round(y * UNIT), round(z * UNIT)


ROOT = math.sqrt(0.5)
CASES = [
    pytest.param(BOX, BOX, units(1.5, 0.5), (1, 0, 0), 0.5, 4, id="boxes"),
    pytest.param(BOX, BOX, units(-1.5, 0.5), (-1, 0, 0), 0.5, 4, id="boxes-on-the-other-side"),
    pytest.param(BOX, BOX, units(0.25, 0.5, 1.75), (0, 0, 1), 0.25, 4, id="boxes-along-z"),
    pytest.param(BOX, BOX, units(0, 0), (1, 0, 0), 2.0, 4, id="the-same-box"),
    pytest.param(BALL, BALL, units(1.2, 1.6 - 0.5), None, 2 - math.hypot(1.2, 1.1), 1, id="balls"),
    pytest.param(BALL, BALL, units(0, 0), (1, 0, 0), 2.0, 1, id="the-same-ball"),
    pytest.param(BOX, BALL, units(1.5, 0), (1, 0, 0), 0.5, 1, id="box-and-ball"),
    pytest.param(BALL, BOX, units(-1.5, 0), (-1, 0, 0), 0.5, 1, id="ball-and-box"),
    pytest.param(BOX, BALL, units(1.6, 1.6), (ROOT, ROOT, 0), 1 - 0.6 / ROOT, 1, id="edge-of-box-and-ball"),
    pytest.param(BOX, BALL, units(0.25, 0.5), (0, 1, 0), 1.5, 1, id="ball-with-its-centre-in-a-box"),
    pytest.param(BOX, CAPSULE, units(0, 1.5), (0, 1, 0), 0.5, 2, id="capsule-lying-on-a-box"),
    pytest.param(BOX, CAPSULE, units(3.5, 0), (1, 0, 0), 0.5, 1, id="end-of-capsule-and-box"),
    pytest.param(BOX, LEANING, units(1 + 2 * ROOT + 0.5, 2 * ROOT), (1, 0, 0), 0.5, 1, id="leaning-capsule-and-box"),
    pytest.param(CAPSULE, CAPSULE, units(1, 1.5), (0, 1, 0), 0.5, 2, id="parallel-capsules"),
    pytest.param(CAPSULE, BALL, units(3, 1), (ROOT, ROOT, 0), 2 - 1 / ROOT, 1, id="capsule-and-ball"),
    pytest.param(CAPSULE, LEANING, units(0, 0, 1.5), (0, 0, 1), 0.5, 1, id="crossing-capsules"),
    pytest.param(BOX, DIAMOND, units(1 + 2 * ROOT - 0.25, 0), (1, 0, 0), 0.25, 2, id="edge-of-a-diamond-and-a-box"),
    pytest.param(DIAMOND, DIAMOND, units(1, 1), (ROOT, ROOT, 0), 2 - 2 * ROOT, 4, id="faces-of-diamonds"),
    pytest.param(BOX, DIAMOND, units(0, 0, 1.5), (0, 0, 1), 0.5, 4, id="a-diamond-on-a-box"),
    pytest.param(BOX, TILTED, units(1.5, 0), (1, 0, 0), 0.5, 4, id="a-box-tilted-about-x"),
    pytest.param(PLATE, ROD, units(0.25, 0.5), None, 0.75 * math.sin(0.6), 1, id="a-rod-through-a-plate"),
    pytest.param(BOX, DIAMOND, units(3, 0), None, None, 0, id="apart"),
    pytest.param(BOX, BOX, units(2, 0), None, None, 0, id="touching"),
]


@pytest.mark.parametrize("a, b, place_b, normal, depth, count", CASES)
def test_cases_of_contact(a, b, place_b, normal, depth, count):
    contact = contact_at(a, HERE, b, place_b)
    if depth is None:
        assert contact is None
    else:
        assert depth == pytest.approx(contact.depth, abs=1e-4)
        assert count == len(contact.points)
        assert normal is None or normal == pytest.approx(contact.normal, abs=1e-4)
        assert [0.0] * 3 == [0.0 * each for each in contact.normal]
        assert all(math.copysign(1.0, each) == 1.0 for each in contact.normal if each == 0.0)


def test_points_of_boxes_are_corners_of_the_overlap_halfway_along_the_normal():
    expected = ((0.75, -0.5, -1.0), (0.75, -0.5, 1.0), (0.75, 1.0, -1.0), (0.75, 1.0, 1.0))
    assert ContactManifold((1.0, 0.0, 0.0), 0.5, expected) == contact_at(BOX, HERE, BOX, units(1.5, 0.5))


def test_edges_of_two_boxes_have_one_point_between_them():
    sine, cosine = math.sin(math.pi / 8), math.cos(math.pi / 8)
    bar = part_of((10 * UNIT, UNIT, UNIT), 0, (0.0, 0.0, 0.0), None, matrix_of((sine, 0.0, 0.0, cosine)))
    across = part_of((UNIT, 10 * UNIT, UNIT), 0, (0.0, 0.0, 0.0), None, matrix_of((0.0, sine, 0.0, cosine)))
    contact = contact_at(bar, HERE, across, units(1, 2, 4 * ROOT - 0.5))
    assert (0.0, 0.0, 1.0) == pytest.approx(contact.normal)
    assert 0.5 == pytest.approx(contact.depth, abs=1e-4)
    assert [(1.0, 0.0, 2 * ROOT - 0.25)] == [pytest.approx(point, abs=1e-4) for point in contact.points]


def test_in_2d_boxes_are_not_separated_along_z():
    slab = Part((-3 * UNIT, -3 * UNIT, -UNIT // 2, 3 * UNIT, 3 * UNIT, UNIT // 2))
    assert (0.0, 0.0, 1.0) == contact_at(slab, HERE, slab, units(2, 1)).normal
    assert ContactManifold((1.0, 0.0, 0.0), 4.0, ((1.0, -2.0, 0.0), (1.0, 3.0, 0.0))) == contact_at(
        slab, HERE, slab, units(2, 1), flat=True
    )


def test_the_deepest_pair_of_parts_counts():
    near, far = BOX, BOX.shifted(*units(0, 10))
    high = Part((-UNIT, -UNIT, -UNIT, 0, 11 * UNIT, UNIT)).shifted(*units(1.5, 0))
    assert 0.5 == deepest_contact([near, far], [high]).depth
    deeper = Part((-2 * UNIT, 9 * UNIT, -UNIT, 0, 11 * UNIT, UNIT)).shifted(*units(1.5, 0))
    assert 1.5 == deepest_contact([near, far], [high, deeper]).depth
    assert deepest_contact([near, far], [high.shifted(*units(3.5, 0))]) is None
