"""The nearest bodies and circles, one by one: `nearest` and `overlapping_circle` (rules Q4 and Q5)."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy
import pytest
from query_scenes import a_body, a_world

from ecs_collision import LATTICE, Box, CollisionWorld, CompoundCollider, Static, Transform

UNIT_BOX = ((0, 0), (1, 1))
INF = math.inf
ALL = 10**6


def near(world: CollisionWorld, *args: Any, **more: Any) -> list[tuple[int, float]]:
    """Return what `nearest` finds, as pairs (entity, distance)."""
    return [(found.entity, found.distance) for found in world.space.nearest(*args, **more)]


# Distances (Q4).


@pytest.mark.parametrize(
    ("point", "distance"),
    [
        ((0.5, 0.5), 0.0),
        ((0, 0.5), 0.0),
        ((1, 1), 0.0),
        ((1, 1, 0.5), 0.0),
        ((3, 0.5), 2.0),
        ((-0.25, 1), 0.25),
        ((0.5, 7.5), 6.5),
        ((0.5, 0.5, 3), 2.5),
        ((0.5, 0.5, -2.5), 2.0),
        ((4, 5), 5.0),
        ((-3, -4), 5.0),
        ((2, 3, 2.5), 3.0),
        ((1 + LATTICE, 1), LATTICE),
        ((2, 2), math.sqrt(2)),
        ((2.0**36, 0.5), 2.0**36 - 1),
        ((-(2.0**36), 0.5), 2.0**36),
    ],
)
def test_the_distance_is_that_to_the_nearest_point_of_the_box_Q4(point: Any, distance: float) -> None:
    for bin_size in (0.25, 1.0, 1024.0):
        assert [(1, distance)] == near(a_world(UNIT_BOX, bin_size=bin_size), point)
    assert [(1, distance)] == near(a_world(UNIT_BOX), point, 3, distance)
    if distance:
        assert [] == near(a_world(UNIT_BOX), point, 3, math.nextafter(distance, 0))
    assert [(1, distance)] == near(a_world(UNIT_BOX), point, max_distance=math.nextafter(distance, INF))


def test_inside_and_on_a_face_the_distance_is_0_and_the_lowest_id_comes_first_Q4() -> None:
    world = CollisionWorld()
    for entity, lo, hi in (
        (7, (0, 0), (1, 1)),
        (3, (1, 0), (2, 1)),
        (5, (0, 1), (9, 9)),
        (1, (1 + LATTICE, 0), (2, 1)),
    ):
        a_body(world, lo, hi, entity)
    assert [(3, 0.0), (5, 0.0), (7, 0.0), (1, LATTICE)] == near(world, (1, 1), ALL)
    assert [(3, 0.0), (5, 0.0), (7, 0.0)] == near(world, (1, 1), ALL, 0)
    assert [(3, 0.0), (5, 0.0)] == near(world, (1, 1), 2)
    assert [(3, 0.0)] == near(world, (1, 1))


def test_equal_squares_go_by_id_and_a_difference_below_that_of_floats_counts_Q4() -> None:
    """Sides of 5 and 0, and of 3 and 4, are equally far; the roots of 2**70 and 2**70 + 1 are the same float."""
    world = CollisionWorld()
    for entity, corner in ((8, (5, 0)), (4, (3, 4)), (6, (-6, -1)), (2, (-1, -5 - 9))):
        a_body(world, corner, (corner[0] + 1, corner[1] + 1), entity)
    assert [(4, 5.0), (6, 5.0), (8, 5.0), (2, 13.0)] == near(world, (0, 0), ALL)
    assert [(4, 5.0), (6, 5.0)] == near(world, (0, 0), 2)
    far = 2.0**19
    world = CollisionWorld()
    a_body(world, (far, LATTICE), (far + 1, 1), 1)
    a_body(world, (-far - 1, -1), (-far, 1), 2)
    found = near(world, (0, 0), 2)
    assert [2, 1] == [entity for entity, _ in found]
    assert found[0][1] == far <= found[1][1]


@pytest.mark.parametrize("bin_size", [2.0**-8, 1.0, 2.0**10])
def test_bodies_of_every_size_and_distance_are_found_in_order_Q4_B1(bin_size: float) -> None:
    world = CollisionWorld(bin_size=bin_size)
    reach = min(2.0**19 * bin_size, 2.0**26)
    count = int(math.log2(reach)) + 8
    for number in range(count):
        size = 2.0 ** (number - 8)
        kind = {"static": Static()} if number % 3 == 0 else {}
        a_body(world, (-size - min(size, 8), -1), (-size, min(size, 4)), number + 1, **kind)
    expected = [(number + 1, 2.0 ** (number - 8)) for number in range(count)]
    assert expected == near(world, (0, 0), ALL)
    for k in (1, 2, 7):
        assert expected[:k] == near(world, (0, 0), k)
    assert expected[:5] == near(world, (0, 0), ALL, expected[4][1])
    assert [number for number, _ in reversed(expected)][:3] == [number for number, _ in near(world, (-reach * 4, 0), 3)]


@pytest.mark.parametrize("at", [1e6, 2.0**20 - 2])
def test_at_the_ends_of_the_range_and_from_outside_of_it_B2_Q4(at: float) -> None:
    world = a_world(((at, at), (at + 1, at + 1)), ((-at - 1, at), (-at, at + 1)))
    assert [(1, 2.0)] == near(world, (at - 2, at))
    assert [(1, at), (2, at)] == near(world, (0, at + 0.5), 2)
    assert [(1, 2.0**30)] == near(world, (at + 1 + 2.0**30, at))
    assert [2, 1] == [entity for entity, _ in near(world, (-(2.0**36), 2.0**36), 2)]
    assert [] == near(world, (at, -(2.0**36)), 2, 2.0**35)
    assert [1] == world.space.overlapping_circle((at + 1 + 2.0**30, at), 2.0**30 + LATTICE)
    assert [1, 2] == world.space.overlapping_circle((0, 0), 2.0**36)


def test_k_may_be_any_whole_number_from_1_Q4() -> None:
    world = a_world(UNIT_BOX, ((2, 0), (3, 1)))
    for k in (2, 3, ALL, 2**62, numpy.int64(7), numpy.uint8(2)):
        assert [(1, 0.0), (2, 1.5)] == near(world, (0.5, 0.5), k)
    assert [(1, 0.0)] == near(world, (0.5, 0.5))
    assert [] == near(CollisionWorld(), (0, 0), 9)


def test_a_point_is_rounded_to_the_lattice_Q4_L1() -> None:
    world = a_world(UNIT_BOX)
    assert [(1, 0.0)] == near(world, (1 + LATTICE / 2 - 1e-9, 0.5))
    assert [(1, LATTICE)] == near(world, (1 + LATTICE / 2, 0.5)), "halves up"
    assert [(1, 0.0)] == near(world, (-LATTICE / 2, 0.5))


@pytest.mark.parametrize("at", [0.0, 2.0**20 - 16])
@pytest.mark.parametrize("k", [1, 2, 8, 64])
def test_a_body_of_several_boxes_comes_once_by_the_nearest_of_them_Q4(k: int, at: float) -> None:
    """The boxes of a body come one by one, and a later one may be nearer."""
    dice = random.Random(k)
    world = CollisionWorld()
    for entity in range(1, 40):
        places = [(dice.randrange(-9, 10), dice.randrange(-9, 10)) for _ in range(dice.choice([1, 1, 2, 5]))]
        boxes = [Box(0.5, 0.5, offset=place) for place in places]
        world.add(entity, transform=Transform(-at, at), collider=CompoundCollider(boxes))
    for _ in range(60):
        point = (-at + dice.randrange(-24, 24) / 2, at + dice.randrange(-24, 24) / 2)
        assert near(world, point, k, where=bool) == near(world, point, k)
        assert near(world, point, k, 2.5, where=bool) == near(world, point, k, 2.5)


def test_bodies_in_the_corners_of_the_square_around_a_circle_are_found_too_Q4() -> None:
    world = a_world(((1.5, 1.75), (2, 2)), ((-2, -2), (-1.75, -1.75)))
    assert [(1, math.hypot(1.5, 1.75)), (2, math.hypot(1.75, 1.75))] == near(world, (0, 0), 2)
    assert [(1, math.hypot(1.5, 1.75))] == near(world, (0, 0), 2, 2.4)


@pytest.mark.parametrize("limit", [2.0**13, 2.0**14 - LATTICE, 2.0**14, 2.0**15, 1e300, INF])
def test_distances_whose_squares_pass_63_bits_are_exact_Q4(limit: float) -> None:
    world = CollisionWorld()
    for entity, x in ((4, 2.0**13), (3, 2.0**14), (2, -(2.0**15))):
        a_body(world, (x, -1), (x + 1, 1), entity)
        a_body(world, (-1, x + LATTICE), (1, x + 1), entity + 10)
    expected = [(4, 2.0**13), (14, 2.0**13 + LATTICE), (3, 2.0**14), (13, 2.0**14 + LATTICE)]
    expected += [(2, 2.0**15 - 1), (12, 2.0**15 - 1)]
    assert [each for each in expected if each[1] <= limit] == near(world, (0, 0), 6, limit)
    assert near(world, (0.5, 7), 3, limit, where=bool) == near(world, (0.5, 7), 3, limit)


# Circles (Q5).


def test_a_box_that_touches_a_circle_is_not_in_it_Q5() -> None:
    world = a_world(UNIT_BOX)
    for centre, radius in (((3, 0.5), 2), ((4, 5), 5), ((1, 1), LATTICE), ((0.5, 0.5, 2.5), 2), ((2, 3, 2.5), 3)):
        grown = radius if radius == LATTICE else radius + LATTICE
        assert ([] if radius != LATTICE else [1]) == world.space.overlapping_circle(centre, radius)
        assert [1] == world.space.overlapping_circle(centre, grown)


def test_a_circle_of_radius_0_is_empty_Q5() -> None:
    world = a_world(UNIT_BOX)
    for radius in (0, 0.0, -0.0, 1e-300, LATTICE / 2 - 1e-12):
        assert [] == world.space.overlapping_circle((0.5, 0.5), radius)
    assert [1] == world.space.overlapping_circle((0.5, 0.5), LATTICE / 2), "rounded, halves up"


def test_a_circle_is_a_sphere_in_3d_Q5() -> None:
    #  at the height of 1.5, 1 above the box, a sphere of 2 reaches sqrt(3) far
    world = a_world(UNIT_BOX)
    reach = math.floor(math.sqrt(3) / LATTICE) * LATTICE
    assert [1] == world.space.overlapping_circle((1 + reach, 0.5, 1.5), 2)
    assert [] == world.space.overlapping_circle((1 + reach + LATTICE, 0.5, 1.5), 2)
    assert [1] == world.space.overlapping_circle((1 + reach, 0.5), 2)
    assert [1] == world.space.overlapping_circle((3 - LATTICE, 0.5), 2)
