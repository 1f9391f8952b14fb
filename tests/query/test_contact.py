"""Contacts of bodies of all kinds (rule H9)."""

from __future__ import annotations

import math
import random

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    Contact,
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


SINE, COSINE = math.sin(0.5), math.cos(0.5)


@pytest.mark.parametrize(
    ("colliders", "rotations", "second", "normal"),
    [
        ([BoxCollider(1, 1), BoxCollider(1, 1)], (None, None), (0, 0), (1, 0, 0)),
        ([BoxCollider(1, 1, 1), BoxCollider(1, 1, 1)], (None, None), (0, 0), (1, 0, 0)),
        ([BoxCollider(1, 1), BoxCollider(1, 1)], (None, None), (-1, -1), (-1, 0, 0)),
        ([CompoundCollider([Box(1, 1, offset=(0, 2)), Box(1, 1)]), BoxCollider(1, 1)], (None, None), (0, 1),
         (0, -1, 0)),
        ([BoxCollider(1, 1), CompoundCollider([Box(1, 1, offset=(0, 1)), Box(1, 1, offset=(1, 0))])], (None, None),
         (0, 0), (0, 1, 0)),
        ([OrientedBoxCollider(1, 1), OrientedBoxCollider(1, 1)], (0.5, 0.5), (0, 0), (SINE, -COSINE, 0)),
        ([OrientedBoxCollider(1, 1), BoxCollider(1, 1)], (0.5, None), (0, 0), (SINE, -COSINE, 0)),
        ([BoxCollider(1, 1), OrientedBoxCollider(1, 1)], (None, 0.5), (0, 0), (0, -1, 0)),
        ([BoxCollider(1, 1), OrientedBoxCollider(1, 1)], (None, 0.5), (0, 0.125), (0, 1, 0)),
        ([BoxCollider(1, 1, 2), OrientedBoxCollider(1, 1, 2)], (None, 0.5), (0, 0), (1, 0, 0)),
        ([SphereCollider(0.5), BoxCollider(1, 1)], (None, None), (0, 0), (0, -1, 0)),
        ([BoxCollider(1, 1), SphereCollider(0.5)], (None, None), (0, 0), (0, 1, 0)),
        ([BoxCollider(1, 1, 1), SphereCollider(0.5)], (None, None), (0, 0), (-1, 0, 0)),
        ([CapsuleCollider(0.5, 1, "y"), CapsuleCollider(0.5, 1, "y")], (None, None), (0, 0), (1, 0, 0)),
    ],
)  # fmt: skip
def test_of_equally_short_ways_the_first_of_the_lower_id_counts_H9(colliders, rotations, second, normal):
    world = CollisionWorld()
    lower, higher = (
        body(world, *place, collider.copy(), rotation)
        for place, collider, rotation in zip([(0, 0), second], colliders, rotations, strict=True)
    )
    assert normal == pytest.approx(world.space.contact(lower, higher).normal)
    assert world.space.contact(higher, lower) == world.space.contact(lower, higher).reversed()


@pytest.mark.parametrize("collider", [BoxCollider(1, 1), SphereCollider(1)], ids=["box", "ball"])
def test_of_equally_short_ways_an_event_has_the_first_as_seen_from_a_C4_H9(collider):
    world = CollisionWorld()
    bodies = [body(world, 0, 0, collider.copy(), contact=Contact()) for _ in range(2)]
    first, second = (event.normal for event in world.step().events)
    assert world.space.contact(*bodies).normal == first == second != world.space.contact(*reversed(bodies)).normal


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


@pytest.mark.parametrize("where", [None, (50, 50, 7), (0.5, 0, 0.25)], ids=["alone", "one far off", "one between"])
@pytest.mark.parametrize("collider", [BoxCollider(3, 3), SphereCollider(3)], ids=["box", "ball"])
def test_a_flat_pair_leaves_the_plane_in_no_world_L5_H9(where, collider):
    world = CollisionWorld()
    a, b = body(world, 0, 0, BoxCollider(3, 3), contact=Contact()), body(world, 2, 1, collider.copy())
    if where is not None:
        world.add(transform=Transform(*where), collider=BoxCollider(1, 1, 2))
    contact = world.space.contact(a, b)
    assert ((1.0, 0.0, 0.0), 4.0) == (contact.normal, contact.depth)
    assert {0.0} == {z for _, _, z in contact.points}
    assert [(1.0, 0.0, 0.0)] == [event.normal for event in world.step().events if getattr(event, "b", None) == b]


@pytest.mark.parametrize("x", [0, 0.125])
@pytest.mark.parametrize(
    ("collider", "z", "is_flat"),
    [
        (BoxCollider(1, 1), 0, True),
        (BoxCollider(1, 1, offset=(0, 0, -1)), 1, True),
        (BoxCollider(1, 1), 0.25, False),
        (BoxCollider(1, 1, 1), 0, False),
        (BoxCollider(1, 1, 0), 0, False),
        (SphereCollider(2), 0, True),
        (SphereCollider(2), 0.25, False),
        (SphereCollider(0), 0, True),
        (SphereCollider(0), 0.25, False),
        (CapsuleCollider(0, 1, "x"), 0, True),
        (CapsuleCollider(0, 1, "z"), 0, True),
        (CompoundCollider([Box(1, 1), Sphere(0)]), 0, True),
        (CompoundCollider([Box(1, 1), Sphere(1, offset=(0, 0, 1))]), 0, False),
        (CompoundCollider([OrientedBox(1, 1, 1, rotation=0.5), Sphere(0)]), 0, True),
    ],
    ids=repr,
)
def test_a_body_is_flat_by_its_bounds_about_the_plane_L5(collider, z, is_flat, x):
    """A box so wide is left along z, unless the pair is flat."""
    world = CollisionWorld()
    wide = world.add(transform=Transform(0, 0), collider=BoxCollider(20, 20), contact=Contact())
    given = collider.copy()
    other = world.add(transform=Transform(x, 0, z), collider=given)
    for given.enabled in (False, True):
        assert is_flat == (world.space.contact(wide, other).normal[2] == 0)
    assert [is_flat] == [event.normal[2] == 0 for event in world.step().events]


@pytest.mark.once
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
