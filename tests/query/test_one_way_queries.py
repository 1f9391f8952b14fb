"""Casts and rays that meet one-way bodies (rule M5)."""

from __future__ import annotations

import math

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionTypeError,
    CollisionWorld,
    CompoundCollider,
    OneWay,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Static,
    Transform,
)

SHAPES = {
    "box": lambda: BoxCollider(1, 1),
    "ball": lambda: SphereCollider(1),
    "turned": lambda: OrientedBoxCollider(1, 1),
}


@pytest.fixture(params=SHAPES)
def floor(request):
    """A world, and a one-way body in it that things pass upwards."""
    world = CollisionWorld()
    rotation = math.pi / 4 if request.param == "turned" else None
    entity = world.add(
        transform=Transform(0, 0, rotation=rotation), collider=SHAPES[request.param](), static=Static(),
        one_way=OneWay("up"),
    )  # fmt: skip
    return world.space, entity


@pytest.mark.parametrize("part", [Box(0.25, 0.25), Sphere(0.25)], ids=["box", "ball"])
def test_a_cast_meets_a_one_way_body_only_against_its_direction_M5(floor, part):
    space, entity = floor
    assert entity == space.cast((part, (0, -4)), (0, 8)).entity
    assert entity == space.cast((part, (-4, -4)), (8, 8)).entity
    assert space.cast((part, (0, 4)), (0, -8)) is None
    assert space.cast((part, (-4, 0)), (8, 0)) is None
    assert space.cast((part, (0, 0)), (0, 8)) is None  # from inside
    assert entity == space.cast((part, (0, -4)), (0, 8), where=lambda entity: True).entity
    assert space.cast((part, (0, 4)), (0, -8), where=lambda entity: True) is None


def test_a_ray_passes_through_a_one_way_body_on_request_M5(floor):
    space, entity = floor
    down, up = ((0, -4), (0, 1)), ((0, 4), (0, -1))
    for ray in (down, up):
        assert entity == space.ray(*ray).entity
    assert entity == space.ray(*down, one_way=True).entity
    assert space.ray(*up, one_way=True) is None
    assert space.ray((0, 0), (0, 1), one_way=True) is None
    assert [entity] == [hit.entity for hit in space.ray_all(*down, one_way=True)]
    assert [] == space.ray_all(*up, one_way=True)
    entities, _ = space.ray_many([down[0], up[0]], [down[1], up[1]], one_way=True)
    assert [entity, -1] == entities.tolist()
    entities, _ = space.ray_many([down[0], up[0]], [down[1], up[1]], one_way=True, where=lambda entity: False)
    assert [-1, -1] == entities.tolist()
    assert not space.line_of_sight((0, 4), (0, -4))
    assert space.line_of_sight((0, 4), (0, -4), one_way=True)
    assert not space.line_of_sight((0, -4), (0, 4), one_way=True)
    assert entity == space.ray(*up).entity  # the option is that of one call
    with pytest.raises(CollisionTypeError, match="one_way"):
        space.ray(*up, one_way="yes")


def test_what_is_behind_a_one_way_body_is_met_instead_M5():
    world = CollisionWorld()
    platform = world.add(transform=Transform(0, 0), collider=BoxCollider(2, 0.5), one_way=OneWay("up"))
    ceiling = world.add(transform=Transform(0, -6), collider=BoxCollider(2, 0.5))
    hit = world.space.cast((Box(0.5, 0.5), (0, 4)), (0, -20))
    assert (ceiling, 9.0) == (hit.entity, hit.distance)
    assert ceiling == world.space.ray((0, 4), (0, -1), one_way=True).entity
    assert platform == world.space.ray((0, 4), (0, -1)).entity


def test_a_cast_of_a_body_compares_all_its_parts_as_a_motion_does_M5():
    world = CollisionWorld()
    tiles = CompoundCollider([Box(0.5, 0.5), Box(1.5, 0.5, offset=(0, 1))])
    stairs = world.add(transform=Transform(0, 0), collider=tiles, static=Static(), one_way=OneWay("up"))
    hero = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5))
    hit = world.space.cast(hero, (0, 4))
    assert (stairs, 0.0) == (hit.entity, hit.distance)
    upright = world.add(
        transform=Transform(1, 0.5), collider=CompoundCollider([Box(0.5, 0.25), Box(0.5, 0.25, offset=(0, 0.5))])
    )
    assert world.space.cast(upright, (0, 4)) is None  # its lower part is in the tile on which its upper one would land


def test_a_cast_of_a_one_way_body_meets_what_is_on_the_side_of_its_direction_M5():
    world = CollisionWorld()
    lift = world.add(transform=Transform(0, 0), collider=BoxCollider(1, 0.5), one_way=OneWay("up"))
    above = world.add(transform=Transform(0, -3), collider=BoxCollider(0.5, 0.5))
    world.add(transform=Transform(0, 3), collider=BoxCollider(0.5, 0.5))
    assert above == world.space.cast(lift, (0, -9)).entity
    assert above == world.space.cast(lift, (0, -9), where=lambda entity: True).entity
    assert world.space.cast(lift, (0, 9)) is None
    world.add(transform=Transform(1, 0), collider=BoxCollider(0.5, 0.5))
    assert above == world.space.cast(lift, (0, -9)).entity
