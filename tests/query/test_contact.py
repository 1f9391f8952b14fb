"""Contacts of bodies of all kinds (rule H9)."""

from __future__ import annotations

import math
import random

import pytest

from ecs_collision import (
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    ContactManifold,
    OrientedBox,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    UnknownEntity,
)

EIGHTH = math.pi / 4
COLLIDERS = [
    lambda: SphereCollider(0.5),
    lambda: CapsuleCollider(0.5, 1),
    lambda: OrientedBoxCollider(1, 0.75),
    lambda: CompoundCollider([Sphere(0.5, (1, 0)), Capsule(0.5, 1), OrientedBox(0.5, 0.5, 0.5, (0, 1))]),
]
TURNS = [None, 0.5, EIGHTH, math.pi / 2]


def body(world, x, y, collider, rotation=None, **more):
    return world.add(transform=Transform(x, y, rotation=rotation), collider=collider, **more)


def test_a_contact_has_a_normal_a_depth_and_points_H9():
    world = CollisionWorld()
    crate = body(world, 0, 0, BoxCollider(1, 1))
    ball = body(world, 0.5, 1.25, SphereCollider(0.5))
    box = body(world, -1.5, 0.25, BoxCollider(1, 1), trigger=Trigger())
    far = body(world, 5, 5, BoxCollider(1, 1), static=Static())
    assert ContactManifold((0.0, 1.0, 0.0), 0.25, ((0.5, 1.0, 0.0),)) == world.space.contact(crate, ball)
    points = ((-0.75, -0.75, 0.0), (-0.75, 1.0, 0.0))
    assert ContactManifold((-1.0, 0.0, 0.0), 0.5, points) == world.space.contact(crate, box)
    assert 0.5 == world.space.overlap_depth(crate, box) == world.space.overlap_depth(box, crate)
    assert world.space.contact(crate, far) is None
    assert 0.0 == world.space.overlap_depth(crate, far)


def test_touching_bodies_have_no_contact_H9():
    world = CollisionWorld()
    a, b = body(world, 0, 0, SphereCollider(1)), body(world, 2, 0, BoxCollider(1, 1))
    assert world.space.contact(a, b) is None
    world.teleport(b, 2 - 2**-16, 0)
    assert 2**-16 == world.space.overlap_depth(a, b)


def test_a_written_rotation_counts_at_once():
    world = CollisionWorld()
    transform = Transform(0, 0)
    diamond = world.add(transform=transform, collider=OrientedBoxCollider(1, 1))
    wall = body(world, 2.25, 0, BoxCollider(1, 1))
    assert world.space.contact(diamond, wall) is None
    transform.rotation = EIGHTH
    contact = world.space.contact(diamond, wall)
    assert (1.0, 0.0, 0.0) == pytest.approx(contact.normal)
    assert math.sqrt(2) - 1.25 == pytest.approx(contact.depth, abs=1e-4)


@pytest.mark.parametrize("flat", [True, False])
def test_bodies_in_2d_do_not_leave_each_other_along_z(flat):
    world = CollisionWorld()
    a, b = body(world, 0, 0, BoxCollider(3, 3)), body(world, 2, 1, BoxCollider(3, 3))
    if not flat:
        world.add(transform=Transform(50, 50, 7), collider=BoxCollider(1, 1))
    assert (4.0 if flat else 1.0, 2 if flat else 4) == (
        world.space.overlap_depth(a, b),
        len(world.space.contact(a, b).points),
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_other_body_has_the_opposite_normal_and_the_same_points(seed):
    rng = random.Random(seed)
    met = 0
    for _ in range(60):
        world = CollisionWorld()
        a, b = (
            body(
                world,
                rng.randrange(-3, 4) / 4,
                rng.randrange(-3, 4) / 4,
                *rng.choice([(BoxCollider(1, 0.75), None), *((kind(), turn) for kind in COLLIDERS for turn in TURNS)]),
                trigger=Trigger(),
            )
            for _ in range(2)
        )
        contact, back = world.space.contact(a, b), world.space.contact(b, a)
        assert (contact is None) == (back is None)
        if contact:
            met += 1
            assert contact == back.reversed()
            assert contact.points == back.points
            assert 1 <= len(contact.points) <= 4
            assert 0.0 == contact.normal[2]
    assert met > 20


def test_disabled_bodies_count_as_if_they_were_enabled():
    world = CollisionWorld()
    a = body(world, 0, 0, BoxCollider(1, 1))
    door = body(world, 1.5, 0, SphereCollider(1, enabled=False))
    assert 0.5 == world.space.overlap_depth(a, door)


def test_a_body_has_no_contact_with_itself_or_with_what_is_no_body():
    world = CollisionWorld()
    a = body(world, 0, 0, BoxCollider(1, 1))
    assert world.space.contact(a, a) is None
    assert 0.0 == world.space.overlap_depth(a, a)
    with pytest.raises(UnknownEntity, match="entity 99 is not a body of this world"):
        world.space.contact(a, 99)
