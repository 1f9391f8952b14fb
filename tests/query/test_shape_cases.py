"""Queries of bodies that are no boxes, computed by hand (rules H4 to H7)."""

from __future__ import annotations

import math
import random

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CollisionTypeError,
    CollisionWorld,
    CompoundCollider,
    OrientedBox,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.testing import assert_no_overlap

DISC, PILL, DIAMOND, MIXED = 1, 2, 3, 4


@pytest.fixture
def space():
    world = CollisionWorld()
    world.add(DISC, transform=Transform(0, 0), collider=SphereCollider(5))
    world.add(PILL, transform=Transform(20, 0), collider=CapsuleCollider(2, 3, "x"))
    world.add(
        DIAMOND, transform=Transform(40, 0, rotation=math.pi / 4), collider=OrientedBoxCollider(2, 2), static=Static()
    )
    parts = [Box(1, 1), Sphere(1, offset=(3, 0)), OrientedBox(1, 3, offset=(0, 5), rotation=math.pi / 2)]
    world.add(MIXED, transform=Transform(60, 0), collider=CompoundCollider(parts))
    return world.space


@pytest.mark.parametrize(
    ("point", "found"),
    [
        ((3, 3.9), [DISC]),
        ((3, 4), []),  # on the surface: 3, 4, 5
        ((4, 4), []),  # in a corner of the bounds
        ((24.9, 0), [PILL]),
        ((24, 1.8), []),
        ((42.5, 0), [DIAMOND]),
        ((41.5, 1.5), []),
        ((63.5, 0), [MIXED]),
        ((62.9, 5.9), [MIXED]),  # the oriented box lies
        ((60.5, 7), []),
    ],
)
def test_a_point_is_inside_the_true_shape_H5(space, point, found):
    assert found == space.at(point)
    assert found == space.overlapping((point, point))


def test_a_box_touches_a_circle_where_it_meets_it_at_a_point_H5(space):
    corner = ((3, 4), (6, 6))
    assert ([], [DISC]) == (space.overlapping(corner), space.touching(corner))
    assert ([DISC], []) == (space.overlapping(((3, 3.5), (6, 6))), space.touching(((3, 3.5), (6, 6))))
    assert [DISC] == space.touching(((5, -1), (7, 1)))
    assert [] == space.touching(((4, 4), (7, 7)))  # inside the bounds


def test_parts_with_a_position_are_queried_like_bodies_H5(space):
    for part in (Sphere(5), Capsule(5, 0)):
        assert [] == space.overlapping((part, (6, 8)))
        assert [DISC] == space.overlapping((part, (6, 7.75)))
    assert [DISC] == space.touching((Sphere(5), (6, 8)))
    assert [DIAMOND] == space.overlapping((OrientedBox(1, 1, rotation=math.pi / 4), (43.7, 0)))
    assert [] == space.overlapping((OrientedBox(1, 1, rotation=math.pi / 4), (44.3, 0)))
    assert [PILL, DIAMOND] == space.overlapping((Capsule(1, 9.5, "x"), (30, 0)))


def test_a_part_needs_a_position(space):
    with pytest.raises(CollisionTypeError, match=r"Sphere\(2.0.*\) has no position; give"):
        space.overlapping(Sphere(2))
    with pytest.raises(CollisionTypeError, match=r"the position of Sphere\(2.0.*\) must be 2 or 3 numbers"):
        space.overlapping((Sphere(2), "here"))


def test_pairs_are_those_of_the_true_shapes_H5(space):
    world = CollisionWorld()
    for id, (x, y) in enumerate([(0, 0), (6, 8), (12, 15), (9, 3)], start=1):
        world.add(id, transform=Transform(x, y), collider=SphereCollider(5))
    assert [(1, 4), (2, 3), (2, 4)] == world.space.pairs()  # 1 and 2 touch
    assert [4] == world.space.overlapping(1)
    assert [2] == world.space.touching(1)


def test_a_ray_meets_the_true_shape_with_its_normal_H6(space):
    hit = space.ray((-10, 3), (1, 0))
    assert (hit.entity, hit.distance, hit.point) == (DISC, 6.0, (-4.0, 3.0, 0.0))
    assert hit.normal == pytest.approx((-0.8, 0.6, 0.0), abs=1e-15)
    assert space.ray((-10, 5), (1, 0), 60) is None  # along the surface of two circles, past the others
    assert [PILL] == [each.entity for each in space.ray_all((20, 10), (0, -1))]
    assert space.ray((20, 10), (0, -1)).normal == (0.0, 1.0, 0.0)
    hit = space.ray((37, 1), (1, 0))
    assert (hit.entity, hit.distance) == (DIAMOND, pytest.approx(4 - math.sqrt(8)))
    assert hit.normal == pytest.approx((-math.sqrt(0.5), math.sqrt(0.5), 0.0))
    assert (0.0, (0.0, 0.0, 0.0)) == ((hit := space.ray((1, 1), (1, 0))).distance, hit.normal)
    assert (0.0, (1.0, 0.0, 0.0)) == ((hit := space.ray((5, 0), (-1, 0))).distance, hit.normal)
    assert [DISC, PILL, DIAMOND, MIXED] == [each.entity for each in space.ray_all((-9, 0), (1, 0))]


def test_the_line_of_sight_passes_the_corner_of_the_bounds_H6(space):
    assert space.line_of_sight((-5, 2.25), (2.25, 9.5))
    assert not space.line_of_sight((-5, 1.75), (1.75, 8.5))


def test_nearest_and_circles_go_by_the_surface_H7(space):
    assert [(DISC, 5.0)] == [(each.entity, each.distance) for each in space.nearest((6, 8))]
    (first,) = space.nearest((30, 4))
    assert (first.entity, first.distance) == (PILL, 6.06225774829855)  # 65 ** 0.5 - 2, rounded once
    (first,) = space.nearest((40, 9))
    assert (first.entity, first.distance) == (DIAMOND, pytest.approx(9 - math.sqrt(8)))
    assert [DISC] == space.overlapping_circle((6, 8), 5.0625)
    assert [] == space.overlapping_circle((6, 8), 5)
    assert [] == space.overlapping_circle((0, 0), 0)


def test_equal_distances_to_a_circle_and_a_box_go_by_id_H7():
    for first, second in ((7, 9), (9, 7)):
        world = CollisionWorld()
        world.add(first, transform=Transform(-5, 0), collider=SphereCollider(2))
        world.add(second, transform=Transform(4, 0), collider=BoxCollider(1, 1))
        assert [(7, 3.0), (9, 3.0)] == [(each.entity, each.distance) for each in world.space.nearest((0, 0), k=2)]


def test_a_distance_to_a_box_does_not_depend_on_what_else_is_near_H7():
    distances = []
    for others in (0, 1):
        world = CollisionWorld()
        world.add(1, transform=Transform(0, 0), collider=BoxCollider(0.3, 0.7))
        for id in range(others):
            world.add(10 + id, transform=Transform(0, 3), collider=SphereCollider(0.1))
        distances.append([each.distance for each in world.space.nearest((1.1, 2.3), k=2) if each.entity == 1])
    assert distances[0] == distances[1]


def test_circles_higher_than_the_plane_are_found_beside_it_L5():
    world = CollisionWorld()
    world.add(1, transform=Transform(0, 0), collider=SphereCollider(5))
    world.add(2, transform=Transform(0, 0), collider=BoxCollider(3, 3), trigger=Trigger())
    space = world.space
    assert ([1], [1, 2]) == (space.overlapping(((-1, -1, 2), (1, 1, 3)), triggers=True), space.at(0, 0, triggers=True))
    assert [1] == space.at(0, 0, 4.5, triggers=True)
    assert [] == space.at(0, 0, 5, triggers=True)
    assert [1] == [each.entity for each in space.ray_all((0, 0, 9), (0, 0, -1), 6, triggers=True)]
    assert [] == space.overlapping(((-1, -1, 6), (1, 1, 7)), triggers=True)


def test_pushes_use_the_bounds_H4():
    world = CollisionWorld()
    ball = world.add(transform=Transform(0, 0), collider=SphereCollider(1))
    wall = world.add(transform=Transform(3, 1.5), collider=BoxCollider(1, 1), static=Static())
    assert world.move(ball, dx=3, force=1.0).moved == (1.0, 0.0, 0.0)
    assert ([], []) == (world.space.overlapping(wall), world.space.touching(wall))


@pytest.mark.parametrize("scale", [1, 0.125, 2.0**20])
@pytest.mark.parametrize(
    ("plane", "found"),
    [
        ((-3, -4, -25), []),  # at a distance of 5 from the circle
        ((-3, -4, -24.9375), [DISC]),
        ((-1, 0, -4.9375), [DISC]),
        ((0, -1, -1.9375), [DISC, PILL, DIAMOND]),
        ((0, -1, -2), [DISC, DIAMOND]),
        ((0, -1, -2.8125), [DISC, DIAMOND]),
        ((0, -1, -2.875), [DISC]),
        ((1, -1, -42.875), [MIXED]),
        ((1, -1, -42.8125), [DIAMOND, MIXED]),
    ],
)
def test_a_plane_meets_the_true_shape_Q7_H1(space, plane, found, scale):
    assert found == space.frustum([tuple(value * scale for value in plane)])


def test_what_blocks_is_compared_by_bounds_H4():
    world = CollisionWorld()
    ball = world.add(transform=Transform(0, 0), collider=SphereCollider(5))
    post = world.add(transform=Transform(5.125, 4.5), collider=BoxCollider(0.25, 0.25))
    assert [] == world.space.pairs()
    with pytest.raises(AssertionError, match=f"entity {ball} and entity {post} overlap by 0.125 on x"):
        assert_no_overlap(world)
    assert ["overlap"] == [each.kind for each in world.doctor()]
    assert not world.move(post, dx=1, force=1.0).stops
    assert world.move(post, dx=-1, force=1.0).moved == (-0.875, 0.0, 0.0)  # back to the bounds


def test_the_bounds_of_a_box_turned_by_45_degrees_and_by_90_B24_H4():
    world = CollisionWorld()
    turned = world.add(transform=Transform(0, 0, 0, math.pi / 4), collider=OrientedBoxCollider(1, 1, 1))
    quarter = world.add(transform=Transform(10, 0, 0, math.pi / 2), collider=OrientedBoxCollider(1, 1, 1))
    plain = world.add(transform=Transform(20, 0), collider=BoxCollider(1, 1, 1))
    root = math.ceil(math.sqrt(2) * 65536) / 65536
    assert [root, root, 1.0] == _high_corner(world, turned)
    assert [1.0, 1.0, 1.0] == _high_corner(world, quarter) == _high_corner(world, plain)


def _high_corner(world, entity):
    """Return the high corner of the only box in the index, relative to the body."""
    row = world.bodies.row(entity)
    ((_, _, _, *high),) = world.bodies.boxes(row)
    return [(face - at) / 65536 for face, at in zip(high, world.bodies.position(row), strict=True)]


@pytest.mark.parametrize("seed", range(5))
def test_a_world_with_a_body_out_of_the_plane_differs_only_by_that_body_B23(seed):
    rnd = random.Random(seed)
    worlds = CollisionWorld(), CollisionWorld()
    worlds[1].add(1000, transform=Transform(500, 500, 50), collider=BoxCollider(1, 1))
    for id in range(60):
        x, y, size, kind = rnd.randint(-80, 80) / 4, rnd.randint(-80, 80) / 4, rnd.randint(1, 12) / 4, rnd.randrange(3)
        for world in worlds:
            collider = [SphereCollider(size), BoxCollider(size, 1), OrientedBoxCollider(size, 0.5)][kind]
            rotation = [None, None, id * 0.4][kind]
            world.add(id, transform=Transform(x, y, rotation=rotation), collider=collider)
    flat, deep = (world.space for world in worlds)
    assert flat.pairs() == deep.pairs()
    for id in range(60):
        assert flat.overlapping(id) == deep.overlapping(id)
        assert flat.touching(id) == deep.touching(id)
        direction = (math.cos(id), math.sin(id))
        assert flat.ray_all(id, direction) == deep.ray_all(id, direction)
        assert flat.nearest(id, 5) == deep.nearest(id, 5)
        assert flat.overlapping_circle(id, 3) == deep.overlapping_circle(id, 3)
        assert flat.at(id / 3, -id / 4, 0.25) == deep.at(id / 3, -id / 4, 0.25)
        high = ((-5, -5, 0.75), (id / 8, id / 8, 1.5))
        assert flat.overlapping(high) == deep.overlapping(high)
        assert flat.touching(high) == deep.touching(high)
    for world in worlds:
        world.check()


def test_a_region_beside_the_plane_touches_no_box_in_it_L4():
    world = CollisionWorld()
    box = world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1))
    world.add(transform=Transform(100, 0), collider=SphereCollider(10))
    assert [] == world.space.touching(((-0.5, -0.5, 3), (0.5, 0.5, 4)))
    assert [box] == world.space.touching(((-0.5, -0.5, 0.5), (0.5, 0.5, 4)))
