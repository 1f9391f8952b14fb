"""Rays: `ray`, `ray_all`, `ray_many` and `line_of_sight` (rules Q1 to Q3), one by one and against the oracle."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from dataclasses import astuple
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from arrays import FORMS, read_only
from boards import trials
from query_oracle import (
    INSIDE,
    UNIT,
    Body,
    faults_of_hit,
    included,
    is_free,
    is_reported,
    point_of,
    ray_hits,
    steps_of,
)
from query_scenes import Scene, a_body, a_world, assert_all_seen, scenes

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


@pytest.mark.parametrize("box", [((1, 1, -1), (1, 1, 2)), ((1, 1, 0), (1, 1, 0)), ((1, 1, 1), (1, 1, 1))])
@pytest.mark.parametrize("direction", [(1, 1), (1, 1, 1), (0.5, 0.5)])
def test_a_line_or_a_point_is_hit_by_no_ray_Q1_L4(box: Any, direction: Any) -> None:
    assert [] == hits(a_world(box), (0, 0), direction)


def test_without_a_direction_a_ray_is_a_point_Q1() -> None:
    world = a_world(((0, 0), (2, 2)), ((1, 0), (3, 2)), ((5, 0), (6, 1)))
    assert [1, 2] == entities(world, (1.5, 1), (0, 0))
    assert [(1, 0.0, (1.0, 1.0, 0.0), (0.0, 0.0, 0.0))] == hits(world, (1, 1), (0, 0)), "on a face of 2"
    assert [1] == entities(world, (1, 1), (0.0, -0.0, 0), 0)
    assert [] == hits(world, (4, 1), (0, 0))
    assert [] == hits(world, (1.5, 1, 0.5), (0, 0, 0)), "on their faces in z"


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


def test_inside_one_box_of_a_compound_a_ray_is_inside_the_body_Q1() -> None:
    world = CollisionWorld()
    parts = [Box(9, 9, offset=(9, 0)), Box(1, 1), Box(1, 1, offset=(1, 0))]
    world.add(transform=Transform(0, 0), collider=CompoundCollider(parts))
    inside = [(1, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))]
    assert inside == hits(world, (0, 0), (1, 0)), "although it enters two other boxes at 0"
    assert inside == hits(world, (0, 0), (-1, 0))


def test_members_of_a_fused_group_are_hit_as_bodies_of_their_own_Q1_Q6() -> None:
    world = CollisionWorld()
    for entity, fused in ((1, None), (2, 1), (3, 2), (4, None)):
        more = {} if fused is None else {"fused": Fused(fused)}
        a_body(world, (2.0 * entity, 0), (2.0 * entity + 1, 1), entity, **more)
    assert [1, 2, 3, 4] == entities(world, (0, 0.5), (1, 0))
    assert [4] == entities(world, 2, (1, 0)), "from a member the group is left out"
    assert [] == entities(world, 3, (-1, 0))
    assert [3, 2, 1] == entities(world, 4, (-1, 0))
    world.bodies.of(world.bodies.row(2)).collider.enabled = False  # type: ignore[union-attr]
    assert [3, 1] == entities(world, 4, (-1, 0))
    assert [1] == entities(world, 3, (-1, 0)), "a disabled member does not belong to its group"
    assert [3, 4] == entities(world, 2, (1, 0)), "and has none"


# Which bodies count.


def test_static_and_sleeping_bodies_are_hit_disabled_ones_and_triggers_are_not_Q1_Q6() -> None:
    world = CollisionWorld()
    kinds: list[dict[str, Any]] = [
        {"static": Static()},
        {"sleeping": Sleeping(asleep=True)},
        {"enabled": False},
        {"trigger": Trigger()},
        {"layer": "ghost"},
    ]
    for number, kind in enumerate(kinds, 1):
        a_body(world, (number, 0), (number + 0.5, 1), number, **kind)
    way = (0, 0.5), (1, 0)
    assert [1, 2, 5] == entities(world, *way)
    assert [1, 2, 4, 5] == entities(world, *way, triggers=True)
    assert [5] == entities(world, *way, layers="ghost")
    assert [2, 4] == entities(world, *way, layers=["default"], ignore=(1, 77), triggers=True)
    assert [4] == entities(world, *way, triggers=True, where=lambda entity: entity == 4)
    assert [4, 5] == entities(world, 3, (1, 0), triggers=True), "from the position of a disabled body"
    assert [] == entities(world, *way, layers=())


def test_pending_writes_are_seen_T8() -> None:
    world, place, collider = CollisionWorld(), Transform(0.5, 0.5), BoxCollider(0.5, 0.5)
    body = world.add(transform=place, collider=collider)
    far = a_body(world, (50, 0), (51, 1))
    place.x = 30.5
    assert [body, far] == entities(world, (0, 0.5), (1, 0))
    place.x = 5.5
    assert [5.0] == world.space.ray_many([(0, 0.5), (0, 9)], [(1, 0), (1, 0)])[1].tolist()[:1]
    place.x = 7.5
    assert not world.space.line_of_sight((0, 0.5), (9, 0.5))
    place.y = 9
    assert world.space.line_of_sight((0, 0.5), (9, 0.5))
    place.y = 0.5
    assert [7.0, 50.0] == [hit[1] for hit in hits(world, (0, 0.5), (1, 0))]
    collider.enabled = False
    assert [far] == entities(world, (0, 0.5), (1, 0))


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
def test_a_ray_that_ends_exactly_at_a_face_hits_it_and_a_shorter_one_does_not_Q2(
    length: float, distance: float
) -> None:
    distance = math.floor(distance / LATTICE + 0.5) * LATTICE
    world = a_world(((distance, -1), (distance + 1, 1)))
    for limit, expected in ((distance, [1]), (math.nextafter(distance, 0), []), (math.nextafter(distance, INF), [1])):
        assert expected == entities(world, (0, 0), (length, 0), limit)


@pytest.mark.parametrize("direction", [(3, 4), (6, 8), (0.75, 1), (-3, 4), (4, -3), (1e10 * 3, 1e10 * 4)])
def test_a_slanted_ray_ends_at_a_face_by_the_distance_that_is_reported_Q2(direction: tuple[float, float]) -> None:
    #  the sides are 3, 4 and 5, so the distances are whole
    side = 3 if abs(direction[0]) < abs(direction[1]) else 4
    sign = math.copysign(1, direction[0])
    world = (
        a_world(((2 * side, -99), (2 * side + 1, 99))) if sign > 0 else a_world(((-2 * side - 1, -99), (-2 * side, 99)))
    )
    for limit, expected in ((10.0, [1]), (math.nextafter(10.0, 0), [])):
        assert expected == entities(world, (0, 0), direction, limit)


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


def test_distances_are_in_the_order_of_times_closer_than_floats_Q1_Q2() -> None:
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
    assert trials(400) < 400 or min(seen.values()) > 10


def test_a_limit_of_0_leaves_what_the_ray_starts_in_and_enters_at_once_Q2() -> None:
    world = a_world(((-1, -1), (1, 1)), ((0, -1), (1, 1)), ((LATTICE, -1), (1, 1)))
    assert [1, 2] == entities(world, (0, 0), (1, 0), 0)
    assert [1, 2] == entities(world, (0, 0), (1, 0), math.nextafter(LATTICE, 0))
    assert [1, 2, 3] == entities(world, (0, 0), (1, 0), LATTICE)
    assert [1] == entities(world, (0, 0), (0, 0), 0)


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


def test_the_direction_of_a_right_triangle_Q2() -> None:
    world = a_world(((3, -9), (30, 9)))
    (hit,) = hits(world, (0, 0), (0.6, 0.8))
    assert (1, 3.0, 0.0, (-1.0, 0.0, 0.0)) == (hit[0], hit[2][0], hit[2][2], hit[3])
    origin, steps = (0, 0, 0), steps_of((0.6, 0.8))
    (met,) = ray_hits([Body(1, (0, 0, 0), ((point_of((3, -9, -0.5)), point_of((30, 9, 0.5))),))], origin, steps)
    assert [] == faults_of_hit(hit[1], hit[2], hit[3], met, origin, steps)
    assert steps == (int(0.6 * 2**53), int(0.8 * 2**53), 0)


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


@pytest.mark.parametrize("bin_size", [2.0**-8, 0.25, 1.0, 64.0, 2.0**16])
def test_hits_do_not_depend_on_the_bins_or_on_the_order_of_making_B5_B7(bin_size: float) -> None:
    boxes = [((x, y), (x + 1 + x % 2, y + 0.5)) for x in range(-6, 6) for y in range(-6, 6)]
    rays = [((-9 + 0.5 * k, -7.25), (k % 5 - 1.5, 1 + k % 3)) for k in range(12)]
    expected = [hits(a_world(*boxes), *ray) for ray in rays]
    world = CollisionWorld(bin_size=bin_size)
    for number in reversed(range(len(boxes))):
        a_body(world, *boxes[number], number + 1)
    assert expected == [hits(world, *ray) for ray in rays]
    assert sum(map(len, expected)) > 60


# Lines of sight (Q3).


def test_a_body_between_two_points_blocks_the_sight_Q3() -> None:
    space = a_world(UNIT_BOX).space
    for a, b in (
        ((-1, 0.5), (2, 0.5)),
        ((0.5, -3), (0.5, 7)),
        ((-1, -1), (2, 2)),
        ((0.5, 0.5), (9, 9)),
        ((-1, 0.5), (1, 0.5)),
    ):
        assert (False, False) == (space.line_of_sight(a, b), space.line_of_sight(b, a)), (a, b)
    for a, b in (((-1, 2), (2, 2)), ((-1, 0.5), (-3, 0.5)), ((2, 0.5), (3, 0.5)), ((5, 5), (5, 5))):
        assert (True, True) == (space.line_of_sight(a, b), space.line_of_sight(b, a)), (a, b)


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


def test_a_plate_blocks_the_sight_through_it_but_not_up_to_it_Q3() -> None:
    space = a_world(((1, 0), (1, 2))).space
    assert not space.line_of_sight((0, 1), (2, 1))
    assert space.line_of_sight((0, 1), (1, 1))
    assert space.line_of_sight((1, 1), (0, 1))
    assert space.line_of_sight((0, 0), (2, 0))
    assert space.line_of_sight((1, -1), (1, 3))


def test_a_point_inside_a_body_does_not_see_itself_Q3() -> None:
    assert not a_world(UNIT_BOX).space.line_of_sight((0.5, 0.5), (0.5, 0.5))


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
    "an int": (2, [1, 1, -1]),
    "a NumPy number": (numpy.float32(2), [1, 1, -1]),
    "a list": ([1, 1, 3], [1, -1, 1]),
    "an array": (numpy.array([1.0, 2.0, 2.0]), [1, 1, -1]),
    "ints": (numpy.array([0, 2, 3]), [-1, 1, 1]),
    "read only": (read_only(numpy.array([1.0, 2.0, 2.0])), [1, 1, -1]),
    "every other": (numpy.array([1.0, 9.0, 1.0, 9.0, 3.0])[::2], [1, -1, 1]),
    "infinite ones": ([INF, 0, INF], [1, -1, 1]),
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


# Places, and what is refused (L3).


def test_origins_and_directions_may_be_anything_with_x_and_y_Q1() -> None:
    space = a_world(UNIT_BOX).space
    expected = space.ray((-1, 0.5), (1, 0))
    points = [[-1, 0.5], (-1, 0.5, 0), numpy.array([-1, 0.5]), SimpleNamespace(x=-1, y=0.5), Transform(-1, 0.5)]
    for origin in points:
        for way in ([1, 0], SimpleNamespace(x=1, y=0), SimpleNamespace(x=1, y=0, z=0), numpy.array([1, 0])):
            assert expected == space.ray(origin, way)  # type: ignore[arg-type]
        assert not space.line_of_sight(origin, (3, 0.5))  # type: ignore[arg-type]
        assert not space.line_of_sight((3, 0.5), origin)  # type: ignore[arg-type]
    assert [1] == [hit.entity for hit in space.ray_all(numpy.array([-1, 0.5]), (1, 0))]  # type: ignore[arg-type]


NAN = math.nan
FAR = 2.0**37
BAD_RAYS: dict[str, tuple[Any, type[CollisionError], str]] = {
    "origin nan": (((NAN, 0), (1, 0)), CollisionValueError, "origin.x is nan; give a finite number"),
    "origin inf": (((0, -INF), (1, 0)), CollisionValueError, "origin.y is -inf; give a finite number"),
    "origin far": (((0, 0, FAR), (1, 0)), CollisionValueError, "origin.z is 137438953472.0, but it must be at"),
    "origin text": (("ab", (1, 0)), CollisionTypeError, r"origin must be an entity id, .* not 'ab'; give"),
    "origin of one": (((1,), (1, 0)), CollisionTypeError, r"origin must be .* not \(1,\); give numbers"),
    "origin of four": (((1,) * 4, (1, 0)), CollisionTypeError, r"origin must be .* not \(1, 1, 1, 1\); give"),
    "origin None": ((None, (1, 0)), CollisionTypeError, "origin must be .* not None; give numbers"),
    "origin float": ((1.5, (1, 0)), CollisionTypeError, "origin must be .* not 1.5; give numbers"),
    "origin bool": ((True, (1, 0)), CollisionTypeError, "origin must be .* not True; give numbers"),
    "origin of texts": ((("1", 0), (1, 0)), CollisionTypeError, "origin.x must be a number, not '1'; give"),
    "unknown entity": ((77, (1, 0)), UnknownEntity, "entity 77 is not a body of this world: it needs"),
    "direction nan": (((0, 0), (0, NAN)), CollisionValueError, "direction.y is nan; give a finite number"),
    "direction inf": (((0, 0), (INF, 0)), CollisionValueError, "direction.x is inf; give a finite number"),
    "direction number": (
        ((0, 0), 1),
        CollisionTypeError,
        r"direction must be \(dx, dy\) or .* not 1; give numbers",
    ),
    "direction None": (((0, 0), None), CollisionTypeError, "direction must be .* not None; give numbers"),
    "direction of texts": (
        ((0, 0), (1, "0")),
        CollisionTypeError,
        "direction.y must be a number, not '0'; give",
    ),
    "limit nan": (((0, 0), (1, 0), NAN), CollisionValueError, "max_distance is nan; give"),
    "limit negative": (((0, 0), (1, 0), -0.5), CollisionValueError, "max_distance is -0.5; give 0 or more"),
    "limit -inf": (((0, 0), (1, 0), -INF), CollisionValueError, "max_distance is -inf; give 0 or more"),
    "limit None": (((0, 0), (1, 0), None), CollisionTypeError, "max_distance must be a number, not None; give"),
    "limit text": (((0, 0), (1, 0), "9"), CollisionTypeError, "max_distance must be a number, not '9'; give"),
    "limit bool": (((0, 0), (1, 0), True), CollisionTypeError, "max_distance must be a number, not True; give"),
    "limit array": (((0, 0), (1, 0), [9]), CollisionTypeError, r"max_distance must be a number, not \[9\]; give"),
}


@pytest.mark.parametrize(("args", "error", "words"), BAD_RAYS.values(), ids=BAD_RAYS)
def test_a_bad_ray_is_refused_by_name_L3(args: Any, error: type[Exception], words: str) -> None:
    world = a_world(UNIT_BOX)
    before = world.state_hash()
    for query in (world.space.ray, world.space.ray_all):
        for filters in ({}, {"where": bool}, {"layers": "default"}):
            with pytest.raises(error, match=words) as caught:
                query(*args, **filters)
            assert isinstance(caught.value, CollisionError)
    assert before == world.state_hash()


ONE = [(0, 0)]
BAD_TABLES: dict[str, tuple[Any, type[CollisionError], str]] = {
    "lengths": ((ONE * 2, ONE), CollisionTypeError, r"origins has shape \(2, 2\) and directions \(1, 2\); give one"),
    "widths": (
        (ONE, [(0, 0, 0)]),
        CollisionTypeError,
        r"origins has shape \(1, 2\) and directions \(1, 3\); give one",
    ),
    "one dimension": (
        ((0, 0), (1, 0)),
        CollisionTypeError,
        r"origins must be an array of numbers of shape \(m, 2\) or",
    ),
    "four columns": (([(0,) * 4],) * 2, CollisionTypeError, r"origins must be .* not \[\(0, 0, 0, 0\)\]"),
    "text": ((ONE, [("a", "b")]), CollisionTypeError, "directions must be an array of numbers"),
    "None": ((None, ONE), CollisionTypeError, "origins must be an array of numbers of shape .* not None"),
    "booleans": (([(True, False)], ONE), CollisionTypeError, "origins must be an array of numbers"),
    "masked": ((numpy.ma.ones((1, 2)), ONE), CollisionTypeError, "origins must be .* not a masked one; give"),
    "origin nan": (([*ONE, (0, NAN)], ONE * 2), CollisionValueError, r"origins\[1\].y is nan; give a finite number"),
    "origin inf": (([(INF, 0), *ONE], ONE * 2), CollisionValueError, r"origins\[0\].x is inf; give a finite number"),
    "origin far": (
        ([*ONE, *ONE, (FAR, 0)], ONE * 3),
        CollisionValueError,
        r"origins\[2\].x is 137438953472.0, but it must",
    ),
    "direction nan": ((ONE * 2, [*ONE, (NAN, 0)]), CollisionValueError, r"directions\[1\].x is nan; give a finite"),
    "direction far": (
        (ONE, [(0, FAR)]),
        CollisionValueError,
        r"directions\[0\].y is 137438953472.0, but it must be at",
    ),
    "limit lengths": ((ONE * 2, ONE * 2, [1, 2, 3]), CollisionTypeError, r"max_distance must be .* not \[1, 2, 3\]"),
    "limit table": (
        (ONE * 2, ONE * 2, [[1], [2]]),
        CollisionTypeError,
        r"max_distance must be .* not \[\[1\], \[2\]\]",
    ),
    "limit text": ((ONE, ONE, "9"), CollisionTypeError, "max_distance must be .* not '9'"),
    "limit None": ((ONE, ONE, None), CollisionTypeError, "max_distance must be .* not None"),
    "limit bool": ((ONE, ONE, True), CollisionTypeError, "max_distance must be .* not True"),
    "limit bools": ((ONE, ONE, [True]), CollisionTypeError, r"max_distance must be .* not \[True\]"),
    "limit masked": (
        (ONE, ONE, numpy.ma.ones(1)),
        CollisionTypeError,
        "max_distance must be .* not a masked one; give",
    ),
    "limit nan": ((ONE, ONE, NAN), CollisionValueError, "max_distance.* is nan; give"),
    "limit negative": ((ONE, ONE, -2), CollisionValueError, "max_distance.* is -2.*; give 0 or more"),
    "one limit nan": ((ONE * 3, ONE * 3, [1, 2, NAN]), CollisionValueError, r"max_distance\[2\] is nan; give"),
    "one limit negative": (
        (ONE * 3, ONE * 3, [1, -7, 3]),
        CollisionValueError,
        r"max_distance\[1\] is -7.0; give 0 or",
    ),
}


@pytest.mark.parametrize("where", [None, bool])
@pytest.mark.parametrize(("args", "error", "words"), BAD_TABLES.values(), ids=BAD_TABLES)
def test_bad_tables_of_rays_are_refused_by_name_and_row_L3(
    args: Any, error: type[Exception], words: str, where: Any
) -> None:
    with pytest.raises(error, match=words) as caught:
        a_world(UNIT_BOX).space.ray_many(*args, where=where)
    assert isinstance(caught.value, CollisionError)


BAD_ENDS: dict[str, tuple[Any, type[CollisionError], str]] = {
    "a nan": (((NAN, 0), (1, 0)), CollisionValueError, "a.x is nan; give a finite number"),
    "b far": (((0, 0), (1, FAR)), CollisionValueError, "b.y is 137438953472.0, but it must be at most"),
    "a None": ((None, (1, 0)), CollisionTypeError, r"a must be an entity id, .* not None; give numbers"),
    "b of one": (((0, 0), [1]), CollisionTypeError, r"b must be an entity id, .* not \[1\]; give numbers"),
    "b text": (((0, 0), (1, "0")), CollisionTypeError, "b.y must be a number, not '0'; give"),
    "a unknown": ((77, (1, 0)), UnknownEntity, "entity 77 is not a body of this world"),
    "b unknown": ((1, 78), UnknownEntity, "entity 78 is not a body of this world"),
}


@pytest.mark.parametrize(("ends", "error", "words"), BAD_ENDS.values(), ids=BAD_ENDS)
def test_bad_ends_of_a_line_are_refused_by_name_L3(ends: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        a_world(UNIT_BOX).space.line_of_sight(*ends)
    assert isinstance(caught.value, CollisionError)


# Against the oracle (B7).


@pytest.mark.parametrize("queries", [trials(1000), pytest.param(200_000, marks=pytest.mark.soak)])
def test_rays_equal_those_of_brute_force_B7_Q1_Q2_Q6(queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in scenes(queries):
        space, given, filters = scene.world.space, scene.place(), scene.filter()
        origin, steps = scene.units(given), (0, 0, 0)
        direction = scene.direction(tuple(value / UNIT for value in origin)[: 2 if scene.flat else 3])
        steps = steps_of(direction)
        expected = ray_hits(included(scene.bodies, asking=scene.asking(given), **filters), origin, steps)
        found = space.ray_all(given, direction, **filters)
        clue = (scene.seed, given, direction, filters)
        assert [met.entity for met in expected] == [hit.entity for hit in found], clue
        faults = [
            faults_of_hit(hit.distance, hit.point, hit.normal, met, origin, steps)
            for met, hit in zip(expected, found, strict=True)
        ]
        assert [[]] * len(found) == faults, clue
        distances = [hit.distance for hit in found]
        assert sorted(distances) == distances, clue
        limit = scene.limit(distances)
        near = [hit for hit in found if hit.distance <= limit]
        assert near == space.ray_all(given, direction, limit, **filters), (limit, *clue)
        assert (near[0] if near else None) == space.ray(given, direction, limit, **filters), (limit, *clue)
        assert (found[0] if found else None) == space.ray(given, direction, **filters), clue
        seen["miss"] += not found
        seen["hit"] += any(met.when > 0 for met in expected)
        seen["inside"] += any(met.axis == INSIDE for met in expected)
        seen["on a face"] += any(met.when == 0 and met.axis != INSIDE for met in expected)
        seen["tie"] += any(a.when == b.when for a, b in itertools.pairwise(expected))
        seen["at the limit"] += limit > 0 and limit in distances
        seen["beyond the limit"] += len(near) < len(found)
        seen["a point"] += not any(steps) and bool(found)
        seen["filtered"] += bool(filters) and bool(found)
        seen["from an entity"] += isinstance(given, int) and bool(found)
    assert_all_seen(seen, queries, 10)


@pytest.mark.parametrize("queries", [trials(1000), pytest.param(200_000, marks=pytest.mark.soak)])
def test_many_rays_equal_those_of_brute_force_B7_Q1(queries: int) -> None:
    seen: Counter[str] = Counter()
    rows = 20
    for scene in scenes(queries // rows, 3):
        space, filters = scene.world.space, scene.filter()
        origins = [scene.point() for _ in range(rows)]
        ways = [scene.direction(origin) for origin in origins]
        bodies = included(scene.bodies, **filters)
        expected = [
            ray_hits(bodies, point_of(origin), steps_of(way)) for origin, way in zip(origins, ways, strict=True)
        ]
        found, distances = space.ray_many(origins, ways, **filters)
        assert [mets[0].entity if mets else -1 for mets in expected] == found.tolist(), scene.seed
        for origin, way, entity, distance in zip(origins, ways, found.tolist(), distances.tolist(), strict=True):
            hit = space.ray(origin, way, **filters)
            assert (entity, distance) == ((hit.entity, hit.distance) if hit else (-1, INF)), (scene.seed, origin, way)
        limits = numpy.array([scene.limit([distance] if distance < INF else []) for distance in distances.tolist()])
        near, _ = space.ray_many(origins, ways, limits, **filters)
        # One within the limit may lie behind one beyond it only if their reported distances are equal.
        assert numpy.where(distances <= limits, found, -1).tolist() == near.tolist(), (scene.seed, limits)
        seen["hit"] += int((found >= 0).sum())
        seen["miss"] += int((found < 0).sum())
        seen["inside"] += sum(bool(mets) and mets[0].axis == INSIDE for mets in expected)
        seen["at the limit"] += int(((distances == limits) & (limits > 0) & (found >= 0)).sum())
        seen["beyond the limit"] += int(((distances > limits) & (found >= 0)).sum())
    assert_all_seen(seen, queries, 5)


@pytest.mark.parametrize("queries", [trials(1000), pytest.param(200_000, marks=pytest.mark.soak)])
def test_lines_of_sight_equal_those_of_brute_force_B7_Q3_Q6(queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in scenes(queries):
        a, b, filters = scene.place(), scene.place(), scene.filter()
        bodies = included(scene.bodies, asking=scene.asking(a, b), **filters)
        start, end = scene.units(a), scene.units(b)
        mets = ray_hits(bodies, start, (end[0] - start[0], end[1] - start[1], end[2] - start[2]))
        expected = is_free(bodies, start, end)
        assert expected == scene.world.space.line_of_sight(a, b, **filters), (scene.seed, a, b, filters)
        seen["free"] += expected
        seen["blocked"] += not expected
        seen["blocked at the start"] += bool(mets) and mets[0].when == 0
        seen["free up to a face"] += expected and bool(mets) and mets[0].when == 1
        seen["free, with bodies behind"] += expected and bool(mets)
        seen["from an entity"] += isinstance(a, int)
    assert_all_seen(seen, queries, 10)
