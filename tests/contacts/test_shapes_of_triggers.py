"""Triggers report who is inside by the true shapes (rules H3 to H5, T1 to T6)."""

from __future__ import annotations

import math

from ecs_collision import (
    CapsuleCollider,
    CollisionWorld,
    OrientedBoxCollider,
    SphereCollider,
    Static,
    Transform,
    Trigger,
)


def inside(world: CollisionWorld, zone: int) -> list[int]:
    """Return who is inside after a frame."""
    world.step()
    return world.inside(zone)


def test_a_sphere_enters_a_round_trigger_when_it_is_closer_than_the_radii_H5_T2() -> None:
    world = CollisionWorld()
    zone = world.add(transform=Transform(0, 0), collider=SphereCollider(2), trigger=Trigger())
    wide = world.add(transform=Transform(0, 0), collider=SphereCollider(2), trigger=Trigger(touching=True))
    place = Transform(3, 4)
    ball = world.add(transform=place, collider=SphereCollider(3))
    assert ([], [ball]) == (inside(world, zone), world.inside(wide)), "at a distance of 5 they touch"
    place.x -= 2**-16
    assert ([ball], [ball]) == (inside(world, zone), world.inside(wide))
    place.position = (3 + 2**-16, 4)
    assert ([], []) == (inside(world, zone), world.inside(wide))


def test_a_rotation_takes_a_capsule_into_a_trigger_and_out_of_it_H3_T1() -> None:
    world = CollisionWorld()
    zone = world.add(transform=Transform(0, 2.5), collider=SphereCollider(0.5), trigger=Trigger())
    place = Transform(0, 0)
    body = world.add(transform=place, collider=CapsuleCollider(0.5, 2.5, axis="x"))
    assert [] == inside(world, zone)
    place.rotation = math.pi / 2
    assert [body] == inside(world, zone)
    place.rotation = math.pi / 4
    assert [] == inside(world, zone), "only the bounds overlap"
    place.rotation = (0, 0, 1, 1)
    assert [body] == inside(world, zone)
    place.rotation = None
    assert [] == inside(world, zone)


def test_a_trigger_that_turns_reports_static_things_at_its_corner_H4_T6() -> None:
    world = CollisionWorld()
    turn = Transform(0, 0)
    zone = world.add(transform=turn, collider=OrientedBoxCollider(1, 1), trigger=Trigger(statics=True))
    wall = world.add(transform=Transform(1.25, 0), collider=SphereCollider(0.125), static=Static())
    assert [] == inside(world, zone)
    turn.rotation = math.pi / 4
    assert [wall] == inside(world, zone)


def test_a_sphere_is_stopped_and_reported_by_its_shape_H4_P2() -> None:
    """The sphere stops where it touches a ball, and touches the trigger there."""
    world = CollisionWorld()
    zone = world.add(transform=Transform(4, 5), collider=SphereCollider(2.5), trigger=Trigger(touching=True))
    world.add(transform=Transform(8, 3), collider=SphereCollider(2.5), static=Static())
    ball = world.add(transform=Transform(0, 0), collider=SphereCollider(2.5))
    assert 4.0 == world.move(ball, 9, force=1.0).moved[0], "4 and 3 from the ball"
    assert [ball] == inside(world, zone), "they touch above each other"
    world.teleport(ball, 4 - 2**-16, 0)
    assert [] == inside(world, zone)
