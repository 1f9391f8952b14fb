"""The nearest bodies and circles: `nearest` and `overlapping_circle` (rules Q4 and Q5), also against the oracle."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from boards import trials
from query_oracle import included, inside_circle, is_reported, lattice, lies_level, nearest
from query_scenes import a_body, a_world, assert_all_seen, scenes

from ecs_collision import (
    LATTICE,
    Box,
    BoxCollider,
    CollisionError,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Sleeping,
    Static,
    Transform,
    Trigger,
    UnknownEntity,
)

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


def test_a_body_without_thickness_has_a_distance_too_Q4() -> None:
    world = a_world(((3, 0, 0), (3, 0, 0)), ((0, 2, 0), (9, 2, 0)), ((5, 5, -1), (5, 5, 1)))
    assert [(2, 0.0), (1, 2.0), (3, math.sqrt(13))] == near(world, (3, 2), ALL)
    assert [(1, 0.0), (2, 2.0)] == near(world, (3, 0), 2)


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


def test_of_a_compound_the_nearest_box_counts_and_the_body_is_returned_once_Q4_P8() -> None:
    world = CollisionWorld()
    parts = [Box(0.5, 0.5, offset=(-4, 0)), Box(0.5, 0.5, offset=(4, 0)), Box(0.5, 0.5, offset=(0, 9))]
    world.add(transform=Transform(0, 0), collider=CompoundCollider(parts))
    a_body(world, (0, -0.5), (1, 0.5))
    assert [(2, 1.0), (1, 1.5)] == near(world, (2, 0), ALL)
    assert [(1, 0.5), (2, 2.0)] == near(world, (3, 0), ALL)
    assert [(1, 0.0), (2, 8.0)] == near(world, (0.5, 8.5), ALL)
    assert [(2, 1.0), (1, 2.5)] == near(world, (-1, 0), ALL)


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


@pytest.mark.parametrize("point", [(0, 0), (5.5, 3), 2])
@pytest.mark.parametrize("bin_size", [0.25, 1.0, 64.0])
def test_the_order_of_making_and_the_bins_do_not_matter_B5_Q4(bin_size: float, point: Any) -> None:
    boxes = [((x, y), (x + 1 + x % 2, y + 0.5)) for x in range(-6, 6) for y in range(-6, 6)]
    expected = near(a_world(*boxes), point, ALL)
    world = CollisionWorld(bin_size=bin_size)
    for number in reversed(range(len(boxes))):
        a_body(world, *boxes[number], number + 1)
    assert expected == near(world, point, ALL)
    assert len(expected) == len(boxes) - isinstance(point, int)


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


def test_the_corners_of_the_square_around_a_circle_are_not_in_it_Q5() -> None:
    world = a_world(((3, 3), (4, 4)), ((-4, -4), (-3, -3)), ((0, 3), (1, 4)), ((-3, 2), (-2, 3)))
    assert [3, 4] == world.space.overlapping_circle((0, 0), 4)
    assert [1, 2, 3, 4] == world.space.overlapping_circle((0, 0), 4.25)


def test_a_circle_finds_a_compound_once_and_sorts_by_id_Q5_B5() -> None:
    world = CollisionWorld()
    for entity in (9, 2, 5):
        shape = CompoundCollider([Box(0.5, 0.5), Box(0.25, 0.25, offset=(0.25 * entity, 0))])
        world.add(entity, transform=Transform(0, 0), collider=shape)
    assert [2, 5, 9] == world.space.overlapping_circle((0, 0), 3)
    assert [9] == world.space.overlapping_circle((2.25, 0), 0.5)
    assert [5, 9] == world.space.overlapping_circle((1.75, 0), 0.75)


def test_a_plate_is_in_a_circle_that_reaches_it_Q5() -> None:
    world = a_world(((0, 0), (0, 2)), ((3, 1, 0), (3, 1, 0)))
    assert [1] == world.space.overlapping_circle((1, 1), 1 + LATTICE)
    assert [] == world.space.overlapping_circle((1, 1), 1)
    assert [1] == world.space.overlapping_circle((0, 1), LATTICE)
    assert [1, 2] == world.space.overlapping_circle((1, 1), 2 + LATTICE)


# Entities in place of points, and kinds of bodies.


def test_an_entity_stands_for_its_position_and_leaves_out_its_group_Q4_Q5_Q6() -> None:
    world = CollisionWorld()
    kinds: list[dict[str, Any]] = [{}, {"fused": Fused(1)}, {"trigger": Trigger()}, {"enabled": False}, {}]
    for number, more in enumerate(kinds):
        a_body(world, (2.0 * number, 0), (2.0 * number + 1, 1), number + 1, **more)
    assert [(5, 7.5)] == near(world, 1, ALL)
    assert [(3, 3.5), (5, 7.5)] == near(world, 1, ALL, triggers=True)
    assert [(2, 1.5), (1, 3.5), (5, 3.5)] == near(world, 3, ALL)
    assert [(5, 1.5), (2, 3.5), (1, 5.5)] == near(world, 4, ALL), "from a disabled body"
    assert [5] == world.space.overlapping_circle(2, 9)
    assert [1, 2, 5] == world.space.overlapping_circle(3, 9)
    assert [1, 2, 3, 5] == world.space.overlapping_circle(4, 9, triggers=True)
    world.bodies.of(world.bodies.row(2)).collider.enabled = False  # type: ignore[union-attr]
    assert [(5, 7.5)] == near(world, 1, ALL)
    assert [(1, 1.5), (5, 5.5)] == near(world, 2, ALL), "a disabled member has no group"


def test_static_sleeping_and_moved_bodies_are_found_where_they_are_Q4_T8() -> None:
    world, place = CollisionWorld(), Transform(100, 0)
    a_body(world, (3, 0), (4, 1), static=Static())
    a_body(world, (5, 0), (6, 1), sleeping=Sleeping(asleep=True))
    world.add(transform=place, collider=BoxCollider(0.5, 0.5))
    assert [(1, 3.0), (2, 5.0), (3, 99.5)] == near(world, (0, 0), ALL)
    place.x = 1.5
    assert [(3, 1.0), (1, 3.0), (2, 5.0)] == near(world, (0, 0), ALL)
    place.x = 50
    assert [1, 2] == world.space.overlapping_circle((0, 0), 9)
    place.x = 2
    assert [1, 2, 3] == world.space.overlapping_circle((0, 0), 9)


def test_points_may_be_anything_with_x_and_y_Q4() -> None:
    space = a_world(UNIT_BOX).space
    for point in ([3, 0.5], (3, 0.5, 0), numpy.array([3, 0.5]), SimpleNamespace(x=3, y=0.5), Transform(3, 0.5)):
        assert 2.0 == space.nearest(point)[0].distance  # type: ignore[arg-type]
        assert [1] == space.overlapping_circle(point, 2.5)  # type: ignore[arg-type]


# Refused arguments (L3).

NAN = math.nan
ORIGIN = (0, 0)
BAD_NEAREST: dict[str, tuple[Any, type[CollisionError], str]] = {
    "point nan": (((NAN, 0),), CollisionValueError, "point.x is nan; give a finite number"),
    "point far": (((0, 2.0**37),), CollisionValueError, "point.y is 137438953472.0, but it must be at most"),
    "point None": ((None,), CollisionTypeError, r"point must be an entity id, .* not None; give numbers"),
    "point of one": (([1],), CollisionTypeError, r"point must be .* not \[1\]; give numbers"),
    "point text": (((0, "1"),), CollisionTypeError, "point.y must be a number, not '1'; give"),
    "point bool": ((True,), CollisionTypeError, "point must be .* not True; give numbers"),
    "entity": ((77,), UnknownEntity, "entity 77 is not a body of this world: it needs"),
    "k 0": ((ORIGIN, 0), CollisionValueError, "k is 0, but it must be at least 1"),
    "k negative": ((ORIGIN, -3), CollisionValueError, "k is -3, but it must be at least 1"),
    "k float": ((ORIGIN, 2.0), CollisionTypeError, "k must be a whole number, not 2.0; give"),
    "k bool": ((ORIGIN, True), CollisionTypeError, "k must be a whole number, not True; give"),
    "k None": ((ORIGIN, None), CollisionTypeError, "k must be a whole number, not None; give"),
    "k text": ((ORIGIN, "2"), CollisionTypeError, "k must be a whole number, not '2'; give"),
    "k inf": ((ORIGIN, INF), CollisionTypeError, "k must be a whole number, not inf; give"),
    "limit nan": ((ORIGIN, 1, NAN), CollisionValueError, "max_distance is nan; give"),
    "limit negative": ((ORIGIN, 1, -1), CollisionValueError, "max_distance is -1.*; give 0 or more"),
    "limit None": ((ORIGIN, 1, None), CollisionTypeError, "max_distance must be a number, not None; give"),
    "limit text": ((ORIGIN, 1, "1"), CollisionTypeError, "max_distance must be a number, not '1'; give"),
    "limit bool": ((ORIGIN, 1, True), CollisionTypeError, "max_distance must be a number, not True; give"),
}
BAD_CIRCLES: dict[str, tuple[Any, type[CollisionError], str]] = {
    "centre nan": (((0, NAN), 1), CollisionValueError, "centre.y is nan; give a finite number"),
    "centre inf": (((INF, 0), 1), CollisionValueError, "centre.x is inf; give a finite number"),
    "centre None": ((None, 1), CollisionTypeError, r"centre must be an entity id, .* not None; give numbers"),
    "centre float": ((1.5, 1), CollisionTypeError, "centre must be .* not 1.5; give numbers"),
    "entity": ((77, 1), UnknownEntity, "entity 77 is not a body of this world: it needs"),
    "radius nan": ((ORIGIN, NAN), CollisionValueError, "radius is nan; give a finite number"),
    "radius inf": ((ORIGIN, INF), CollisionValueError, "radius is inf; give a finite number"),
    "radius negative": ((ORIGIN, -0.5), CollisionValueError, "radius is -0.5, but it must not be negative"),
    "radius large": ((ORIGIN, 2.0**37), CollisionValueError, "radius is 137438953472.0, but it must be at most"),
    "radius None": ((ORIGIN, None), CollisionTypeError, "radius must be a number, not None; give"),
    "radius text": ((ORIGIN, "1"), CollisionTypeError, "radius must be a number, not '1'; give"),
    "radius bool": ((ORIGIN, True), CollisionTypeError, "radius must be a number, not True; give"),
}
BAD: dict[str, tuple[str, Any, type[CollisionError], str]] = {
    f"{query} {name}": (query, *rest)
    for query, table in (("nearest", BAD_NEAREST), ("overlapping_circle", BAD_CIRCLES))
    for name, rest in table.items()
}


@pytest.mark.parametrize(("query", "args", "error", "words"), BAD.values(), ids=BAD)
def test_a_bad_argument_is_refused_by_name_L3(query: str, args: Any, error: type[Exception], words: str) -> None:
    world = a_world(UNIT_BOX)
    before = world.state_hash()
    for filters in ({}, {"where": bool}, {"layers": "default"}):
        with pytest.raises(error, match=words) as caught:
            getattr(world.space, query)(*args, **filters)
        assert isinstance(caught.value, CollisionError)
    assert before == world.state_hash()


# Against the oracle (B7).


@pytest.mark.parametrize("queries", [trials(1200), pytest.param(200_000, marks=pytest.mark.soak)])
def test_the_nearest_bodies_equal_those_of_brute_force_B7_Q4_Q6(queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in scenes(queries):
        space, given, filters, k = scene.world.space, scene.place(), scene.filter(), scene.dice.choice([1, 2, 5, ALL])
        clue = (scene.seed, given, k, filters)
        at = scene.units(given)
        bodies = included(scene.bodies, asking=scene.asking(given), **filters)
        expected = nearest(bodies, at)
        found = space.nearest(given, k, **filters)
        assert [entity for _, entity in expected[:k]] == [each.entity for each in found], clue
        for (square, entity), each in zip(expected, found, strict=False):
            assert is_reported(each.distance, square, lies_level(scene.body(entity), at, square)), (each, square, *clue)
        distances = [each.distance for each in found]
        assert sorted(distances) == distances, clue
        limit = scene.limit(distances)
        within = [each for each in found if each.distance <= limit]
        assert within == space.nearest(given, k, limit, **filters), (limit, *clue)
        seen["none"] += not found
        seen["fewer"] += 0 < len(found) < k < ALL
        seen["more"] += len(expected) > k
        seen["inside or at a face"] += bool(found) and distances[0] == 0
        seen["apart"] += bool(found) and distances[0] > 0
        seen["tie"] += any(a == b > 0 for a, b in itertools.pairwise(distances))
        seen["tie at the last"] += len(expected) > k and expected[k - 1][0] == expected[k][0]
        seen["at the limit"] += limit > 0 and limit in distances
        seen["beyond the limit"] += len(within) < len(found)
        seen["from an entity"] += isinstance(given, int) and bool(found)
    assert_all_seen(seen, queries, 10)


@pytest.mark.parametrize("queries", [trials(1200), pytest.param(200_000, marks=pytest.mark.soak)])
def test_circles_equal_those_of_brute_force_B7_Q5_Q6(queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in scenes(queries):
        given, filters, dice = scene.place(), scene.filter(), scene.dice
        at = scene.units(given)
        bodies = included(scene.bodies, asking=scene.asking(given), **filters)
        distances = [math.isqrt(square) * LATTICE for square, _ in nearest(bodies, at)]
        radius = dice.choice([0.0, 1e-5, 0.5, 2.5, 5.0, 4 * dice.random(), *distances[:5], *distances[:5]])
        expected = inside_circle(bodies, at, lattice(radius))
        assert expected == scene.world.space.overlapping_circle(given, radius, **filters), (
            scene.seed,
            given,
            radius,
            filters,
        )
        seen["none"] += not expected
        seen["some"] += 0 < len(expected) < len(bodies)
        seen["all"] += len(expected) == len(bodies) > 2
        seen["touching"] += radius > 0 and any(square == lattice(radius) ** 2 for square, _ in nearest(bodies, at))
        seen["of radius 0"] += radius == 0 and 0 in distances
        seen["from an entity"] += isinstance(given, int)
    assert_all_seen(seen, queries, 5)
