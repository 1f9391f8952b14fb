"""Queries of bodies that are no boxes, computed by hand (rules H4 to H7)."""

from __future__ import annotations

import math
import random
from dataclasses import astuple

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
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


def test_pushes_use_the_true_shapes_and_end_where_they_touch_H4():
    world = CollisionWorld()
    ball = world.add(transform=Transform(0, 0), collider=SphereCollider(1.25))
    wall = world.add(transform=Transform(3, 1.75), collider=BoxCollider(1, 1), static=Static())
    assert world.move(ball, dx=3, force=1.0).moved == (1.0, 0.0, 0.0), "its centre is 1 and 0.75 from the corner"
    assert ([], [ball]) == (world.space.overlapping(wall), world.space.touching(wall))


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


def test_what_blocks_is_compared_by_its_true_shape_H4():
    world = CollisionWorld()
    ball = world.add(transform=Transform(0, 0), collider=SphereCollider(5))
    post = world.add(transform=Transform(4.25, 4.25), collider=BoxCollider(0.25, 0.25))
    assert_no_overlap(world)
    assert [] == world.doctor()
    assert world.move(post, dx=-2, force=1.0).moved == (-1.0, 0.0, 0.0), "its corner is at 3 and 4 then"
    world.teleport(post, 3, 3)
    with pytest.raises(AssertionError, match=f"entity {ball} and entity {post} overlap by 1.11091"):
        assert_no_overlap(world)
    assert ["overlap"] == [each.kind for each in world.doctor()]


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


def test_a_region_beside_the_plane_touches_no_box_though_a_circle_is_higher_L4():
    world = CollisionWorld()
    box = world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1))
    world.add(transform=Transform(100, 0), collider=SphereCollider(10))
    assert [] == world.space.touching(((-0.5, -0.5, 3), (0.5, 0.5, 4)))
    assert [box] == world.space.touching(((-0.5, -0.5, 0.5), (0.5, 0.5, 4)))


def test_a_ray_enters_a_circle_where_it_is_round_and_passes_its_corners_H6() -> None:
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=SphereCollider(1.25))
    hit = world.space.ray((-5, 0.75), (1, 0))
    assert hit is not None
    assert (4.0, (-1.0, 0.75, 0.0)) == (hit.distance, hit.point), "sides of 1, 0.75 and 1.25"
    assert (-0.8, 0.6, 0.0) == pytest.approx(hit.normal)
    assert world.space.ray((-2.25, 0), (1, 1)) is None, "it enters the bounds only"
    assert world.space.ray((-5, 1.25), (1, 0)) is None, "it touches"


def test_the_nearest_point_of_a_circle_is_on_its_surface_H7() -> None:
    world = CollisionWorld()
    ball = world.add(transform=Transform(3, 4), collider=SphereCollider(2))
    assert [(ball, 3.0)] == [astuple(each) for each in world.space.nearest((0, 0))]
    assert ([], [ball]) == (world.space.overlapping_circle((0, 0), 3), world.space.overlapping_circle((0, 0), 3.5))
