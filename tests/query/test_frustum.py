"""What planes enclose: `frustum` (rule Q7), one by one and in a large world."""

from __future__ import annotations

import itertools
import math

import numpy
import pytest
from query_oracle import UNIT, Body, in_frustum
from query_scenes import a_world, around

from ecs_collision import Box, BoxCollider, CollisionWorld, CompoundCollider, Static, Transform
from tests.model.shapes import Shape

UNIT_BOX = ((0, 0), (1, 1))
WEDGE = [(1, -1, 0), (1, 1, 0), (1, 0, -1), (-1, 0, 9)]
"""Everything from x = 1 to 9 between the two diagonals, seen from the origin along x."""


# The rule.


def test_what_overlaps_the_frustum_is_found_and_what_is_behind_a_plane_is_not_Q7() -> None:
    """The boxes of case B27, and the four sides of a wedge."""
    world = CollisionWorld()
    for entity, x, y, half in (
        (1, 5, 0, 0.5), (2, -5, 0, 0.5), (3, 12, 0, 0.5), (4, 5, 8, 0.5), (5, 5, -8, 0.5), (6, 5, 5, 0.5),
        (7, 0, 0, 99),
    ):  # fmt: skip
        world.add(entity, transform=Transform(x, y), collider=BoxCollider(half, half))
    assert [1, 6, 7] == world.space.frustum(WEDGE), "inside, on a diagonal, and a box around the whole frustum"
    assert [1, 6] == world.space.frustum(WEDGE, ignore=[7])


@pytest.mark.parametrize(
    "plane", [(1, 0, -1), (-1, 0, 0), (0, 1, -1), (0, -1, 0), (1, 1, -2), (0, 0, 1, -0.5)], ids=str
)
def test_a_body_that_touches_a_plane_from_outside_is_not_found_Q7(plane: tuple[float, ...]) -> None:
    *normal, distance = plane
    for scale in (1.0, 3.0, 1e-300, 2.0**30):
        scaled = [value * scale for value in normal]
        outside, inside = [(*scaled, distance * scale)], [(*scaled, math.nextafter(distance, 9) * scale)]
        if distance == 0:
            inside = [(*scaled, 1e-9 * scale)]
        assert ([], [1]) == tuple(a_world(UNIT_BOX).space.frustum(planes) for planes in (outside, inside)), scale


def test_the_sum_of_a_plane_is_exact_however_large_its_numbers_Q7() -> None:
    """One product is less than the last bit of the others, which cancel out."""
    far = 2.0**35
    for y, expected in ((1, [1]), (0, []), (-1, [])):
        world = CollisionWorld(bin_size=2.0**16)
        world.add(transform=Transform(far, y, -far), collider=BoxCollider(0, 0, 0))
        assert expected == world.space.frustum([(1, 2.0**-26, 1, 0)])
        assert expected == world.space.frustum([(3, 3 * 2.0**-26, 3, 0)])


def test_one_part_must_reach_inside_every_plane_Q7() -> None:
    #  1 . .
    #  . f .    the bounds of the body cover the frustum, its parts do not
    #  . . 1
    world = CollisionWorld()
    parts = CompoundCollider([Box(0.5, 0.5, offset=(-1, 1, 0)), Box(0.5, 0.5, offset=(1, -1, 0))])
    world.add(transform=Transform(0, 0), collider=parts)
    assert [] == world.space.frustum(around((-0.5, -0.5), (0.5, 0.5)))
    assert [1] == world.space.frustum(around((-0.625, -0.5), (0.5, 0.625)))


def test_a_body_outside_near_an_edge_may_be_found_Q7() -> None:
    """A box beyond the corner of the planes that reaches inside each of them, but at different points."""
    planes = [(-1, -2, 0), (-1, 2, 0)]
    world = a_world(((1, -9), (2, 9)))
    assert [1] == world.space.frustum(planes)
    assert [] == a_world(((1, -0.25), (2, 0.25))).space.frustum(planes)


def test_planes_that_contradict_each_other_enclose_only_what_reaches_inside_both_Q7() -> None:
    planes = [(1, 0, -1), (-1, 0, 0)]  # from 1 on, and up to 0
    assert [1] == a_world(((-1, 0), (2, 1))).space.frustum(planes)
    assert [] == a_world(((0, 0), (1, 1)), ((5, 0), (6, 1)), ((-6, 0), (-5, 1))).space.frustum(planes)


@pytest.mark.parametrize("bin_size", [0.25, 1.0, 64.0])
def test_a_single_plane_divides_the_world_Q7(bin_size: float) -> None:
    world = CollisionWorld(bin_size=bin_size)
    for entity, x in enumerate((-1e5, -3, 3, 1e5), 1):
        static = {"static": Static()} if entity % 2 else {}
        world.add(entity, transform=Transform(x, -x), collider=BoxCollider(0.5, 0.5), **static)
    assert [3, 4] == world.space.frustum([(2, -1, 0)])
    assert [1, 2] == world.space.frustum([(-2, 1, 0)])
    assert [2, 3] == world.space.frustum([(-2, 1, 10), (2, -1, 10)] * 40), "more planes than bound the search"


def test_planes_may_be_an_array() -> None:
    world = a_world(UNIT_BOX, ((9, 0), (10, 1)))
    planes = numpy.array(around((-1, -1), (5, 5)))
    assert [1] == world.space.frustum(planes) == world.space.frustum(planes.astype(numpy.float32))


# The search.


def test_a_frustum_is_found_in_a_large_world_as_in_a_small_one() -> None:
    """Ten thousand boxes of several sizes: the region of the search, the copy of the index and the index agree."""
    world = CollisionWorld()
    bodies = []
    for entity, (x, y) in enumerate(itertools.product(range(0, 200, 2), repeat=2), 1):
        half = 30 if entity % 977 == 0 else 0.5 + entity % 3
        low, high = ((int((at - half) * UNIT), int((at + half) * UNIT)) for at in (x, y))
        shape = Shape((low[0], high[0], -UNIT // 2), (low[1], high[1], UNIT // 2))
        bodies.append(Body(entity, (0, 0, 0), (), parts=(shape,)))
        world.add(entity, transform=Transform(x, y), collider=BoxCollider(half, half))
    for planes in ([(1, -0.5, 0), (-0.5, 1, 0), (-1, -1, 90)], [(0.25, 1, -120), (-1, 0.75, 0), (1, -1, 99)]):
        expected = [entity for entity, is_in in in_frustum(bodies, planes).items() if is_in]
        assert expected == world.space.frustum(planes)
        assert expected == world.space.frustum(planes), "with the copy of the index"
        assert 100 < len(expected) < 5000
