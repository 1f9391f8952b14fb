"""Rays: `ray`, `ray_all`, `ray_many` and `line_of_sight` (rules Q1 to Q3), one by one; see also test_brute_force.py."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from dataclasses import astuple
from fractions import Fraction
from typing import Any

import numpy
import pytest
from arrays import FORMS, read_only
from boards import AS_SHIPPED, trials
from query_oracle import UNIT, is_reported, steps_of
from query_scenes import Scene, a_body, a_world

from ecs_collision import LATTICE, Box, CollisionWorld, CompoundCollider, Fused, Static, Transform, Trigger

UNIT_BOX = ((0, 0), (1, 1))
CUBE = ((0, 0, 0), (1, 1, 1))
INF = math.inf


def hits(world: CollisionWorld, origin: Any, direction: Any, *more: Any, **filters: Any) -> list[tuple[Any, ...]]:
    """Return the hits of `ray_all` as tuples, after comparing its first one with `ray`."""
    found = world.space.ray_all(origin, direction, *more, **filters)
    first = world.space.ray(origin, direction, *more, **filters)
    assert first == (found[0] if found else None)
    return [astuple(hit) for hit in found]


def entities(*args: Any, **more: Any) -> list[int]:
    """Return the entities that a ray hits, in its order."""
    return [hit[0] for hit in hits(*args, **more)]


# What a ray hits (Q1).


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("side", [-1, 1])
def test_a_ray_hits_the_face_that_it_enters_from_either_side_on_each_axis_Q1(axis: int, side: int) -> None:
    world = a_world(CUBE)
    origin, direction, point, normal = ([0.5] * 3, [0.0] * 3, [0.5] * 3, [0.0] * 3)
    origin[axis], direction[axis] = 0.5 + 3 * side, -side
    point[axis], normal[axis] = 0.5 + 0.5 * side, side
    assert [(1, 2.5, tuple(point), tuple(normal))] == hits(world, tuple(origin), tuple(direction))
    assert [] == hits(world, tuple(origin), tuple(-step for step in direction)), "away from it"


def test_a_ray_in_2d_runs_at_z_0_Q1_L5() -> None:
    world = a_world(UNIT_BOX, ((2, 0, 0), (3, 1, 1)), ((4, 0, -0.25), (5, 1, 2)))
    assert [1, 3] == entities(world, (-1, 0.5), (1, 0)), "the second begins at z 0, so the ray runs along its face"
    assert [1, 3] == entities(world, (-1, 0.5, 0), (1, 0, 0))
    assert [1, 2, 3] == entities(world, (-1, 0.5, 0.25), (1, 0, 0))
    assert [2, 3] == entities(world, (-1, 0.5, 0.5), (1, 0)), "origin and direction may have 3 and 2 numbers"
    assert [1] == entities(world, (0.5, 0.5), (0, 0, 1))


@pytest.mark.parametrize("direction", [(1, 0), (-1, 0), (0.3, 0.7), (-2, 5), (0, 0), (0, 0, 1), (1e-300, 0)])
@pytest.mark.parametrize("origin", [(0.5, 0.5), (LATTICE, LATTICE), (1 - LATTICE, 0.5)])
def test_a_ray_that_starts_inside_hits_at_once_without_a_normal_Q1(origin: Any, direction: Any) -> None:
    assert [(1, 0.0, (*origin, 0.0), (0.0, 0.0, 0.0))] == hits(a_world(UNIT_BOX), origin, direction)
    assert [1] == entities(a_world(UNIT_BOX), origin, direction, 0)


@pytest.mark.parametrize(
    ("origin", "inward", "normal"),
    [
        ((0, 0.5), (1, 0), (-1, 0)),
        ((1, 0.5), (-1, 0), (1, 0)),
        ((0.5, 0), (0, 2), (0, -1)),
        ((0.5, 1), (0, -0.5), (0, 1)),
        ((0, 0.5), (1, 7), (-1, 0)),
        ((0, 0.5), (1e-9, -7), (-1, 0)),
        ((0, 0), (1, 1), (-1, 0)),
        ((0, 0), (1e-9, 3), (-1, 0)),
        ((1, 1), (-3, -1), (1, 0)),
    ],
)
def test_a_ray_from_a_face_hits_at_distance_0_only_inward_Q1(origin: Any, inward: Any, normal: Any) -> None:
    world = a_world(UNIT_BOX)
    assert [(1, 0.0, (*origin, 0.0), (*normal, 0.0))] == hits(world, origin, inward)
    assert [(1, 0.0, (*origin, 0.0), (*normal, 0.0))] == hits(world, origin, inward, 0)
    assert [] == hits(world, origin, tuple(-step for step in inward))
    along = [0.0 if side else 1.0 for side in normal]
    assert [] == hits(world, origin, along), "and not along the face"
    assert [] == hits(world, origin, (0, 0)), "nor as a point"


@pytest.mark.parametrize("direction", [(1, 0), (-1, 0)])
@pytest.mark.parametrize("y", [0, 1])
def test_a_ray_along_a_face_hits_nothing_Q1(direction: Any, y: float) -> None:
    x = -3 * direction[0] + 0.5
    assert [] == hits(a_world(UNIT_BOX), (x, y), direction)
    assert [] == hits(a_world(UNIT_BOX, ((0, 1), (1, 2)), ((0, -1), (1, 0))), (x, y), direction), "nor between two"
    assert [1] == entities(a_world(UNIT_BOX), (x, abs(y - LATTICE)), direction)


@pytest.mark.parametrize(
    ("origin", "direction"),
    [
        ((-1, 0, 0.5), (1, 1, 0)),
        ((-1, 1, 0.5), (1, -1, 0)),
        ((2, 0, 0.5), (-1, 1, 0)),
        ((0.5, -1, 0), (0, 1, 1)),
        ((-1, 0.5, 1), (1, 0, -1)),
        ((-1, -1, 0), (1, 1, 1)),
        ((-1, 0, 0), (0.5, 0.5, 0.5)),
        ((-1, 0, 0), (1, 0, 0)),
        ((3, 1, 1), (-1, 0, 0)),
    ],
)
def test_a_ray_that_meets_only_an_edge_or_a_corner_hits_nothing_Q1(origin: Any, direction: Any) -> None:
    assert [] == hits(a_world(CUBE), origin, direction)


@pytest.mark.parametrize(
    ("origin", "direction", "normal"),
    [
        ((-1, -1, 0.5), (1, 1, 0), (-1, 0, 0)),
        ((2, -1, 0.5), (-1, 1, 0), (1, 0, 0)),
        ((-2, -1, 0.5), (2, 1, 0), (-1, 0, 0)),
        ((0.5, 2, -1), (0, -1, 1), (0, 1, 0)),
        ((-1, 0.5, 2), (0.25, 0, -0.25), (-1, 0, 0)),
        ((-1, -1, -1), (1, 1, 1), (-1, 0, 0)),
        ((3, 3, 3), (-3, -3, -3), (1, 0, 0)),
        ((0.25, -3, -3), (0.125, 3, 3), (0, -1, 0)),
    ],
)
def test_through_an_edge_or_a_corner_the_normal_is_that_of_x_before_y_before_z_Q1(
    origin: Any, direction: Any, normal: Any
) -> None:
    ((_, _, _, found),) = hits(a_world(CUBE), origin, direction)
    assert normal == found


def test_a_body_without_thickness_is_hit_where_a_ray_crosses_it_Q1() -> None:
    #  y  2  |
    #     0  |      the plate stands at x 0
    world = a_world(((0, 0), (0, 2)))
    assert [(1, 1.0, (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))] == hits(world, (-1, 1), (1, 0))
    assert [(1, 1.0, (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))] == hits(world, (1, 1), (-4, 0))
    assert [(1, math.sqrt(2), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))] == hits(world, (-1, 0), (1, 1))
    assert [] == hits(world, (-1, 1), (1, 1)), "its upper end"
    assert [] == hits(world, (-1, 0), (1, 0)), "its lower end"
    assert [] == hits(world, (0, -1), (0, 1)), "along it"
    assert [] == hits(world, (0, 1), (0, 0)), "a point is not strictly inside"
    assert [] == hits(world, (LATTICE, 1), (1, 0))
    for step in (1, -1):
        assert [(1, 0.0, (0.0, 1.0, 0.0), (-float(step), 0.0, 0.0))] == hits(world, (0, 1), (step, 0)), "from it"
    assert [1] == entities(a_world(((0, 0, 0), (2, 2, 0))), (1, 1, 5), (0, 0, -1)), "a floor"


# Order: the first body, and all of them.


def test_ray_all_returns_each_body_once_in_the_order_of_the_ray_Q1() -> None:
    #  1 and 4 begin together, 2 is behind them, 3 around the start
    world = a_world(((2, 0), (3, 1)), ((4, 0), (5, 1)), ((-1, 0), (9, 1)), ((2, 0.25), (8, 1)))
    assert [(3, 0.0), (1, 2.0), (4, 2.0), (2, 4.0)] == [hit[:2] for hit in hits(world, (0, 0.5), (1, 0))]
    assert [(3, 0.0), (4, 1.0), (2, 4.0), (1, 6.0)] == [hit[:2] for hit in hits(world, (9, 0.5), (-1, 0))]


@pytest.mark.parametrize("order", [*itertools.permutations((4, 6, 9))])
@pytest.mark.parametrize("bin_size", [0.25, 4.0])
def test_of_bodies_hit_together_the_lowest_id_is_first_Q1(order: tuple[int, ...], bin_size: float) -> None:
    world = CollisionWorld(bin_size=bin_size)
    for entity in order:
        a_body(world, (2, 0), (2 + entity, entity), entity, **({"static": Static()} if entity == 6 else {}))
    assert [4, 6, 9] == entities(world, (0, 0.5), (1, 0))
    assert [4, 6, 9] == entities(world, (3, 1), (7, 2)), "inside all"


def test_times_that_are_no_floats_are_compared_exactly_Q2() -> None:
    #  1 and 2 are entered at a third of the direction; 3 and 4 a lattice unit later and earlier
    world = a_world(
        ((3, 1), (4, 9)), ((0, 2), (9, 3)), ((3 + LATTICE, 0), (5, 9)), ((3 - LATTICE, 0), (5, 9)), bin_size=4.0
    )
    assert [4, 1, 2, 3] == entities(world, (0, 1), (9, 3))
    #  the diagonal meets a left face and a lower face at once
    world = a_world(((1, 0), (2, 9)), ((0, 1), (9, 2)))
    for steps in ((3, 3), (0.1, 0.1), (1e-9, 1e-9), (7e9, 7e9)):
        found = hits(world, (0, 0), steps)
        assert [1, 2] == [hit[0] for hit in found]
        assert [(-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)] == [hit[3] for hit in found]


def test_the_distance_of_a_ray_is_rounded_alike_in_both_forms_Q2() -> None:
    world = a_world(((1, -1), (3, 1)))
    assert 1.000062663890184 == hits(world, (0, 0), (918492001, 10282669))[0][1], "whole numbers give ...8901837"


def test_of_two_boxes_that_floats_cannot_tell_apart_the_earlier_one_is_hit_Q1_Q2() -> None:
    """They are entered at a / p and at c / q, which is later by 1 / (p * q)."""
    p, q = 2**30 - 35, 2**30 - 41
    a = -pow(q, -1, p) % p
    c = (1 + a * q) // p
    assert a * q < c * p and a / p == c / q
    later, earlier = ((-1, c), (q, q)), ((a, -1), (p, p))
    for boxes, expected in (((later, earlier), [2, 1]), ((earlier, later), [1, 2])):
        world = a_world(*[tuple((x * LATTICE, y * LATTICE) for x, y in box) for box in boxes])
        assert entities(world, (0, 0), (p, q)) == expected


@pytest.mark.parametrize("signs", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
@pytest.mark.parametrize("z", [0, 1])
def test_a_ray_passes_a_corner_by_less_than_floats_can_tell_Q1_Q2(signs: tuple[int, int], z: int) -> None:
    """It enters the box at a / p and leaves it at c / q; the floats of both are the same, or in the wrong order."""
    dice = random.Random(3)
    for _ in range(20):
        p, q = (dice.randrange(2**29, 2**30) | 1 for _ in "xy")
        if math.gcd(p, q) > 1:
            continue
        a = -pow(q, -1, p) % p
        c = (1 + a * q) // p
        for corner, expected in (((a, c), [1]), ((p, q), []), ((p - a, q - c), [])):
            assert corner[1] * p - corner[0] * q == len(expected) - (corner[0] == p - a)
            x, y = (sign * side * LATTICE for sign, side in zip(signs, corner, strict=True))
            low, high = (min(x, x + signs[0]), min(y, y - signs[1])), (max(x, x + signs[0]), max(y, y - signs[1]))
            world = a_world(((*low, -1), (*high, 1)), ((-9, -9, 5 + z), (-8, -8, 9 + z)))
            assert expected == entities(world, (0, 0, 0), (signs[0] * p, signs[1] * q, z)), (corner, p, q)
            world = a_world((low, high))
            assert expected == entities(world, (0, 0), (signs[0] * p, signs[1] * q)), (corner, p, q)


def test_a_compound_is_hit_once_at_the_box_that_is_entered_first_Q1_P8() -> None:
    #  y 3  . A .       a compound of three A, and the body C
    #  y 0  A C A
    world = CollisionWorld()
    parts = [Box(0.5, 0.5, offset=(4, 0)), Box(0.5, 0.5), Box(0.5, 0.5, offset=(2, 3))]
    world.add(transform=Transform(0, 0), collider=CompoundCollider(parts))
    a_body(world, (1.5, -0.5), (2.5, 0.5))
    for origin, way, expected in (
        ((-2, 0), (1, 0), [(1, 1.5), (2, 3.5)]),
        ((6, 0), (-1, 0), [(1, 1.5), (2, 3.5)]),
        ((1, 0), (1, 0), [(2, 0.5), (1, 2.5)]),
        ((0, 0), (1, 0), [(1, 0.0), (2, 1.5)]),
        ((2, 7), (0, -1), [(1, 3.5), (2, 6.5)]),
        ((2, 1), (0, 1), [(1, 1.5)]),
    ):
        assert expected == [hit[:2] for hit in hits(world, origin, way)]


# Numbers (Q2).

LENGTHS = [1, 2, 3, 0.5, 0.1, 0.8, 1 / 3, 1e-300, 5e-324, 2.0**-1022, 2.0**36, 2.0**36 - 2**-16, 6.5e10]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("x", [3.0, 0.125, 1e6, 7 * LATTICE, 0.3])
def test_the_length_of_a_direction_does_not_matter_Q2(length: float, x: float) -> None:
    at = math.floor(x / LATTICE + 0.5) * LATTICE
    world = a_world(((-1, -1), (0, 1)), ((at + 3, -1), (at + 4, 1)))
    assert [(1, at, (0.0, 0.5, 0.0), (1.0, 0.0, 0.0))] == hits(world, (x, 0.5), (-length, 0))
    assert [(2, 3.0, (at + 3, 0.5, 0.0), (-1.0, 0.0, 0.0))] == hits(world, (x, 0.5), (length, 0))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("distance", [3.0, 5.0, 0.1, 7.25, 1e5, LATTICE])
def test_a_ray_that_ends_at_a_face_hits_it_and_a_shorter_one_does_not_Q2(length: float, distance: float) -> None:
    distance = math.floor(distance / LATTICE + 0.5) * LATTICE
    world = a_world(((distance, -1), (distance + 1, 1)))
    for limit, expected in ((distance, [1]), (math.nextafter(distance, 0), []), (math.nextafter(distance, INF), [1])):
        assert expected == entities(world, (0, 0), (length, 0), limit)


@pytest.mark.parametrize("direction", [(3, 5), (1, 5), (7, 4), (2, 3), (8, 3), (0.75, 1.25), (-3, 5)])
@pytest.mark.parametrize("times", [4, 5, 7, 25, 1000])
def test_bodies_entered_at_the_same_time_are_at_the_same_distance_Q1_Q2(
    direction: tuple[float, ...], times: int
) -> None:
    x, y = (times * step for step in direction)
    world = a_world(((min(x, 2 * x), -9999), (max(x, 2 * x), 9999)), ((-9999, y), (9999, 2 * y)))
    first, second = world.space.ray_all((0, 0), direction)
    assert (1, 2, first.distance) == (first.entity, second.entity, second.distance)
    assert is_reported(first.distance, Fraction(x * x + y * y) * UNIT**2, on_one_axis=False)
    for limit, expected in ((first.distance, [1, 2]), (math.nextafter(first.distance, 0), [])):
        assert expected == entities(world, (0, 0), direction, limit)


def test_distances_are_in_the_order_of_times_that_floats_cannot_tell_apart_Q1_Q2() -> None:
    """A left face and a lower face are entered together, or as nearly as directions that are no fractions allow."""
    dice = random.Random(4)
    seen: Counter[bool] = Counter()
    for _ in range(trials(400)):
        a, b, times, length = dice.randint(1, 30), dice.randint(1, 30), dice.randint(1, 200), dice.random()
        world = a_world(((a * times, -9), (a * times + 1, 9999)), ((-9, b * times), (9999, b * times + 1)))
        direction = (a * length, math.nextafter(b * length, dice.choice([0, INF])))
        steps = steps_of(direction)
        first, second = Fraction(a * times, steps[0]), Fraction(b * times, steps[1])
        found = world.space.ray_all((0, 0), direction)
        assert ([1, 2] if first <= second else [2, 1]) == [hit.entity for hit in found]
        assert found[0].distance <= found[1].distance, (a, b, times, direction)
        assert found[0].distance < found[1].distance or found == world.space.ray_all(
            (0, 0), direction, found[0].distance
        )
        assert found[0] == world.space.ray((0, 0), direction, found[1].distance)
        seen[first < second] += 1
    assert not AS_SHIPPED or min(seen.values()) > 10


def test_an_origin_is_rounded_to_the_lattice_Q2_L1() -> None:
    world = a_world(UNIT_BOX)
    assert [(1, 0.0, (0.0, 0.5, 0.0), (-1.0, 0.0, 0.0))] == hits(world, (1e-9, 0.5), (1, 0)), "onto the face"
    assert [(1, 0.0, (0.0, 0.5, 0.0), (-1.0, 0.0, 0.0))] == hits(world, (-LATTICE / 2, 0.5 + 1e-9), (1, 0)), "halves up"
    assert [LATTICE] == [hit[1] for hit in hits(world, (-LATTICE / 2 - 1e-9, 0.5), (1, 0))]
    assert [] == hits(world, (0.5, 1 - 1e-9), (0, 1))


def test_a_direction_is_rounded_to_whole_numbers_halves_up_Q2() -> None:
    #  the origin is level with the lower face of 1 and the upper face of 2
    world = a_world(((4, 0), (6, 2)), ((4, -2), (6, 0)))
    for dy, expected in ((2.0**-53, [1]), (2.0**-54, [1]), (2.0**-55, []), (-(2.0**-54), []), (-(2.0**-53), [2])):
        assert expected == entities(world, (0, 0), (0.5, dy)), dy
    assert [1] == entities(world, (0, 0), (2.0**36, 1)), "whole numbers are not rounded"
    assert [2] == entities(world, (0, 0), (2.0**36, -1))


# Worlds of every size (B1, B2).


def test_bodies_of_every_level_are_hit_in_order_B1_Q1() -> None:
    sizes = [2.0**power for power in range(-6, 16)]
    world = CollisionWorld(bin_size=0.25)
    for number, size in enumerate(sizes, 1):
        a_body(
            world, (2 * size, -size / 2), (3 * size, size / 2), number, **({"static": Static()} if number % 3 else {})
        )
    assert [*range(1, 23)] == entities(world, (0, 0), (1, 0))
    assert [*range(22, 0, -1)] == entities(world, (2.0**30, 0), (-7, 0))
    assert [*range(1, 23)] == entities(world, (0, 0), (4, 0.5)), "all lie on one slanted line"
    assert [2 * size for size in sizes] == [hit[1] for hit in hits(world, (0, 0), (1, 0))]


@pytest.mark.parametrize("edge", [1e6, 2.0**20 - 2])
@pytest.mark.parametrize("origin", [0.0, 1e6, 2.0**20, 2.0**21, 2.0**35])
def test_bodies_at_the_ends_of_the_range_are_hit_from_everywhere_B2_Q1(edge: float, origin: float) -> None:
    world = a_world(((edge, -edge), (edge + 1, 1 - edge)), ((-edge, edge), (1 - edge, edge + 1)))
    y = 0.5 - edge
    for x, way in ((origin + edge + 3, -1), (-origin - 3, 1)):
        (hit,) = hits(world, (x, y), (way, 0))
        face = edge + (way < 0)
        assert (1, abs(face - x), (face, y, 0.0)) == hit[:3]
        assert [] == hits(world, (x, y), (-way, 0))
    assert [2, 1] == entities(world, (-edge - 1 - origin, edge + 2 + origin), (1, -1)), "the diagonal"
    assert [2] == entities(world, (origin, edge + LATTICE), (-1, 0))
    assert [] == hits(world, (origin, 2.0**35), (-1, 0))


def test_a_ray_outside_of_the_range_misses_B2() -> None:
    world = a_world(UNIT_BOX, ((2.0**20 - 2, 0), (2.0**20 - 1, 1)))
    for origin, direction in (((0, 2.0**30), (1, 0)), ((2.0**36, 0.5), (1, 0)), ((0.5, 0.5, 2.0**36), (1, 1, 1))):
        assert [] == hits(world, origin, direction)
    assert [(1, 2.0**36)] == [hit[:2] for hit in hits(world, (-(2.0**36), 0.5), (1, 0))][:1]
    assert [] == hits(CollisionWorld(), (0, 0), (1, 1))


# Lines of sight (Q3).


def test_what_a_line_only_touches_does_not_block_it_Q3() -> None:
    space = a_world(UNIT_BOX).space
    for a, b in (
        ((-1, 1), (2, 1)),
        ((0, -5), (0, 5)),
        ((-1, 0), (1, 2)),
        ((-1, 0.5), (0, 0.5)),
        ((-1, -1), (0, 0)),
        ((1, 0.5), (4, 0.25)),
        ((0, 0), (0, 1)),
        ((0, 0.5), (0, 0.5)),
    ):
        assert (True, True) == (space.line_of_sight(a, b), space.line_of_sight(b, a)), (a, b)
    assert not space.line_of_sight((-1, 0.5), (LATTICE, 0.5))


@pytest.mark.parametrize("reach", [1e3, 1e6, 2.0**34])
def test_the_end_of_a_line_is_compared_exactly_Q3(reach: float) -> None:
    """The wall stands a lattice unit before the end of the line, or at it: a difference below that of floats."""
    wall = ((900, -1e6), (901, 1e6))
    world = a_world(wall)
    y = math.floor(reach / 3) + LATTICE
    start = (900 - reach, -y)
    assert world.space.line_of_sight(start, (900, 0))
    assert not world.space.line_of_sight(start, (900 + LATTICE, 0))
    assert not world.space.line_of_sight((900 + LATTICE, 0), start)
    assert world.space.line_of_sight((900, 0), start)


def test_entities_see_from_their_positions_and_do_not_block_themselves_Q3_Q6() -> None:
    #  1  2  3  4     4 is fused to 1, 2 is a trigger
    world = CollisionWorld()
    kinds: list[dict[str, Any]] = [{}, {"trigger": Trigger()}, {"layer": "glass"}, {"fused": Fused(1)}]
    for entity, more in enumerate(kinds, 1):
        a_body(world, (2 * entity, 0), (2 * entity + 1, 1), entity, **more)
    sees, beyond = world.space.line_of_sight, (20, 0.5)
    assert [True, True, False, False] == [sees(1, 2), sees(1, 3), sees(1, 4), sees(3, beyond)]
    assert [False, True] == [sees(1, 3, triggers=True), sees(1, 3, triggers=True, ignore=[2])]
    assert [True, True] == [sees(1, 4, layers="default"), sees(4, 1, where=lambda entity: entity != 3)]
    assert [False, False, True] == [sees(2, beyond, ignore=each) for each in ([3], [4], [3, 4])]
    assert sees(1, beyond, ignore=[3]), "4 is of the group of 1"
    assert sees(beyond, 1, ignore=[3])
    assert sees(1, 1)


# Many rays.


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_ray_many_equals_single_rays_in_any_form_that_numpy_converts_Q1(form: Any, size: int) -> None:
    scene, hit_count = Scene(0), 0
    dice = numpy.random.default_rng(size)
    origins, ways = dice.integers(-12, 12, (80, size)) / 2, dice.integers(-3, 4, (80, size)) / 2
    given = form(origins), form(ways)
    rows = list(zip(numpy.asarray(given[0]).tolist(), numpy.asarray(given[1]).tolist(), strict=True))
    for filters in ({}, {"triggers": True, "layers": ("a", "b")}, {"where": lambda entity: entity % 2}):
        found, distances = scene.world.space.ray_many(*given, **filters)
        assert (numpy.int64, numpy.float64, (80,), (80,)) == (
            found.dtype, distances.dtype, found.shape, distances.shape
        )  # fmt: skip
        single = [scene.world.space.ray(tuple(origin), tuple(way), **filters) for origin, way in rows]
        assert [(hit.entity, hit.distance) if hit else (-1, INF) for hit in single] == list(
            zip(found.tolist(), distances.tolist(), strict=True)
        )
        hit_count += sum(hit is not None for hit in single)
    assert 20 < hit_count < 220


LIMITS: dict[str, tuple[Any, list[int]]] = {
    "none": (INF, [1, 1, 1]),
    "one number": (2.0, [1, 1, -1]),
    "a NumPy number": (numpy.float32(2), [1, 1, -1]),
    "a list": ([1, 1, 3], [1, -1, 1]),
    "an array": (numpy.array([1.0, 2.0, 2.0]), [1, 1, -1]),
    "read only": (read_only(numpy.array([1.0, 2.0, 2.0])), [1, 1, -1]),
    "every other": (numpy.array([1.0, 9.0, 1.0, 9.0, 3.0])[::2], [1, -1, 1]),
}


@pytest.mark.parametrize("where", [None, lambda entity: entity])
@pytest.mark.parametrize(("limit", "expected"), LIMITS.values(), ids=LIMITS)
def test_ray_many_takes_one_limit_or_one_for_each_ray_Q2(limit: Any, expected: list[int], where: Any) -> None:
    world = a_world(((3, 0), (4, 1)))
    found, distances = world.space.ray_many([(2, 0.5), (1, 0.5), (0, 0.5)], [(1, 0)] * 3, limit, where=where)
    assert expected == found.tolist()
    assert [at if entity > 0 else INF for at, entity in zip((1, 2, 3), expected, strict=True)] == distances.tolist()


@pytest.mark.parametrize("limit", [INF, 5, [5.0]])
@pytest.mark.parametrize("table", [list, numpy.array, lambda rows: read_only(numpy.array(rows, float))])
def test_ray_many_takes_a_single_ray_and_none_Q1(table: Any, limit: Any) -> None:
    space = a_world(UNIT_BOX).space
    assert ([1], [2.0]) == tuple(each.tolist() for each in space.ray_many(table([(-2, 0.5)]), table([(1, 0)]), limit))
    nothing: list[Any] = [[], (), numpy.zeros((0, 2)), numpy.zeros((0, 3))]
    for empty in nothing:
        found, distances = space.ray_many(empty, empty)
        assert (numpy.int64, numpy.float64, 0, 0) == (found.dtype, distances.dtype, len(found), len(distances))
