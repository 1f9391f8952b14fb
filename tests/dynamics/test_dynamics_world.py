"""Steps of dynamics in a world: who moves, what counts as written, what is refused (rules I1, I5 and P12)."""

from __future__ import annotations

import math
from typing import Any

import pytest
from dynamic_worlds import DOWN, INF, a_square, add_dynamic, add_floor, at, run, velocity

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    Fused,
    InvalidChanges,
    Mass,
    Material,
    Motion,
    Moved,
    OneWay,
    OrientedBox,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    StalePlan,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    UnknownEntity,
    Velocity,
)

UNIT = 2.0**-16


def test_no_substep_moves_a_body_faster_than_the_largest_speed_I1():
    """The impulses that held a heavy body would fling a light one out of the world."""
    world = CollisionWorld()
    add_floor(world)
    mass = Mass(5)
    body = add_dynamic(world, 0, 9, collider=OrientedBoxCollider(0.5, 0.5), mass=mass)
    run(world, 60)
    mass.value = 2**-32
    for _ in range(3):
        before = at(world, body)
        run(world, 1)
        ways = [abs(b - a) for a, b in zip(before, at(world, body), strict=True)]
        assert max(ways) < 2**14 / 60 * 1.01, "the speed is limited on each axis"


@pytest.mark.parametrize(
    "part", [Box(2, 2), Sphere(2), OrientedBox(2, 2, rotation=math.pi / 4)], ids=["box", "ball", "turned"]
)
def test_a_flat_pair_is_moved_apart_in_the_plane_in_a_world_in_3d_I6_L5(part):
    world = CollisionWorld(bounds=((-9, -9, -2), (9, 9, 9)))
    world.add(transform=Transform(0, 7, 3), collider=BoxCollider(1, 1, 2))
    wall = world.add(transform=Transform(0, 0), collider=BoxCollider(2, 2))
    body = add_dynamic(world, 1, 0, collider=CompoundCollider([part]), mass=Mass(1, moment=INF))
    for _ in range(90):
        world.step_dynamics(1 / 60)
    x, y, z = at(world, body)
    assert (0, 0, 0) == (world.space.overlap_depth(wall, body), y, z)
    assert x >= 4


IMMOVABLE: dict[str, dict[str, Any]] = {
    "without a Mass": {"mass": None},
    "without a Velocity": {"velocity": None},
    "of infinite mass": {"mass": Mass(INF)},
    "static": {"static": Static()},
    "a wall": {"static": Static(), "velocity": None, "mass": None},
    "disabled": {"collider": a_square(enabled=False)},
    "fused": {"fused": Fused(1)},
}


@pytest.mark.parametrize("parts", IMMOVABLE.values(), ids=IMMOVABLE)
def test_a_step_moves_and_changes_no_immovable_body_I1(parts: dict[str, Any]):
    world = CollisionWorld()
    world.add(1, transform=Transform(0, 20), collider=a_square(), motion=Motion(1))
    copies = {name: None if part is None else part.copy() for name, part in parts.items()}
    body = add_dynamic(world, 0, 0, **{"velocity": Velocity(1, 2, angular=3), **copies})
    before = repr(world._bodies.of(world._bodies.row(body)))
    ball = add_dynamic(world, 0, -2, v=(0, 4), collider=SphereCollider(0.5))
    run(world, 30)
    assert before == repr(world._bodies.of(world._bodies.row(body)))
    assert at(world, ball) != (0, -2, 0)
    world.check()


def test_fusing_and_unfusing_a_body_makes_it_immovable_and_dynamic_again_I1():
    world = CollisionWorld()
    world.add(1, transform=Transform(0, 20), collider=a_square())
    body = add_dynamic(world, 0, 0)
    run(world, 2)
    fallen = at(world, body)
    for fused in (Fused(1), None):
        world._stage(body, world._bodies.of(world._bodies.row(body))._replace(fused=fused))
        run(world, 3)
        assert (at(world, body) == fallen) == (fused is not None)
        world.check()


def test_a_dynamic_trigger_moves_and_meets_nothing_I1():
    world = CollisionWorld()
    wall = world.add(transform=Transform(3, 0), collider=a_square(), static=Static())
    ghost = add_dynamic(world, 0, 0, v=(4, 0), trigger=Trigger(statics=True))
    crate = add_dynamic(world, 1.5, 0)
    events: list[Any] = []
    for _ in range(90):
        world.step_dynamics(1 / 60)
        events += world.step().events
    assert at(world, ghost)[0] == pytest.approx(6, abs=1e-3)
    assert at(world, crate) == (1.5, 0, 0)
    assert [crate, wall] == [event.other for event in events if isinstance(event, TriggerEntered)]


def test_new_positions_count_as_written_P12():
    world = CollisionWorld()
    zone = world.add(transform=Transform(0, 2), collider=a_square(), trigger=Trigger())
    body = add_dynamic(world, 0, 0, v=(0, 60))
    plan = world.plan(body, 1)
    world.step()
    world.step_dynamics(1 / 30)
    assert (at(world, body), world.space.at(0, 2)) == ((0, 2, 0), [body])
    frame = world.step()
    assert [("TriggerEntered", zone)] == [(type(each).__name__, each.trigger) for each in frame.events]
    assert not any(isinstance(event, Moved) for event in frame.events)
    with pytest.raises(StalePlan):
        plan.commit()


def test_a_spinning_body_turns_and_one_with_a_box_does_not_H3():
    world = CollisionWorld()
    spin = {"velocity": Velocity(angular=math.pi), "mass": Mass(1, moment=1)}
    colliders = [SphereCollider(0.5), OrientedBoxCollider(1, 0.5), a_square(), CompoundCollider([Box(1, 1)])]
    bodies = [
        add_dynamic(world, 5 * number, 0, collider=collider, **{name: each.copy() for name, each in spin.items()})
        for number, collider in enumerate(colliders)
    ]
    for _ in range(30):
        world.step_dynamics(1 / 60)
    rotations = [world._bodies.transform(world._bodies.row(body)).rotation for body in bodies]
    assert rotations[:2] == [pytest.approx(math.pi / 2, abs=1e-4)] * 2
    assert rotations[2:] == [None, None]
    assert world.space.at(5, 0.9) == [bodies[1]]


def test_a_body_turns_on_from_the_rotation_that_it_has_I5():
    world = CollisionWorld()
    flat, tilted = (
        world.add(
            transform=Transform(x, 0, 5, rotation), collider=OrientedBoxCollider(1, 1, 1), mass=Mass(1, moment=1),
            velocity=Velocity(angular=angular),
        )
        for x, rotation, angular in ((0, 0.5, 0.25), (9, (0, 0, 0, 1), (math.pi, 0, 0)))
    )  # fmt: skip
    for _ in range(60):
        world.step_dynamics(1 / 60)
    found = [world._bodies.transform(world._bodies.row(body)).rotation for body in (flat, tilted)]
    assert found[0] == pytest.approx((0, 0, math.sin(0.375), math.cos(0.375)), abs=1e-4)
    assert found[1] == pytest.approx((1, 0, 0, 0), abs=1e-4)


def test_a_hit_body_cannot_tunnel_through_what_it_was_far_from_I2():
    """The second ball rests, so it is not widened by a velocity; within the step it is hit and reaches the wall."""
    world = CollisionWorld()
    fast, hit = (
        add_dynamic(world, x, 0, v=(speed, 0), collider=SphereCollider(0.5), material=Material(1.0, 0.0))
        for x, speed in ((0, 600), (2, 0))
    )
    world.add(transform=Transform(9, 0), collider=BoxCollider(0.25, 3), static=Static())
    world.step_dynamics(1 / 30, substeps=32)
    assert at(world, fast)[0] < at(world, hit)[0] <= 8.25
    world.check()


def test_a_step_without_dynamic_bodies_does_nothing():
    world = CollisionWorld()
    add_floor(world)
    world.step()
    before = world.snapshot(), world.version
    world.step_dynamics(**DOWN)
    assert before == (world.snapshot(), world.version)
    assert world.step().quiet


# Impulses by hand.


def test_an_impulse_changes_the_velocity_by_its_share_of_the_mass():
    world = CollisionWorld()
    body = add_dynamic(world, 1, 2, v=(1, 0), mass=Mass(4))
    world.apply_impulse(body, (2, -8))
    assert (1.5, -2.0, 0.0) == (velocity(world, body).x, velocity(world, body).y, velocity(world, body).z)
    world.apply_impulse(body, (0, 0, 4), (5, 5))
    assert (1.0, 0.0) == (velocity(world, body).z, velocity(world, body).angular)
    ball = add_dynamic(world, 1, 2, collider=SphereCollider(0.5), mass=Mass(1, moment=2))
    world.apply_impulse(ball, (0, 1), (2, 2))
    assert (1.0, 0.5) == (velocity(world, ball).y, velocity(world, ball).angular)
    world.add(transform=Transform(9, 2, 5), collider=SphereCollider(1))  # a world with bodies beside the plane
    world.apply_impulse(ball, (0, 0, 1), (2, 2))
    assert (0.0, -0.5, 0.5) == velocity(world, ball).angular


def test_an_impulse_turns_a_shape_about_its_centre_of_mass_I1():
    world = CollisionWorld()
    turn = {"transform": Transform(5, 0, rotation=math.pi / 2), "velocity": Velocity(), "mass": Mass(2)}
    body = world.add(**turn, collider=OrientedBoxCollider(1, 0.5, offset=(3, 0)))
    world.apply_impulse(body, (4, 0), (5, 4))  # turned, its centre is at (5, 3)
    moment = 2 / 3 * (1 + 0.25)
    assert (2.0, pytest.approx(-4 / moment)) == (velocity(world, body).x, velocity(world, body).angular)


def test_an_impulse_in_space_turns_by_each_principal_moment_I1():
    world = CollisionWorld()
    quarter = (0, 0, math.sqrt(0.5), math.sqrt(0.5))
    turn = {"transform": Transform(0, 0, 5, rotation=quarter), "velocity": Velocity(), "mass": Mass(3)}
    body = world.add(**turn, collider=CapsuleCollider(0, 2, "x", offset=(0, 0, 0)))
    world.apply_impulse(body, (0, 0, 2), (1, 1, 5))  # the segment lies along y: it never turns about it
    assert (pytest.approx(2 / 4), 0.0, 0.0) == velocity(world, body).angular
    world.apply_impulse(body, (2, 0, 0), (0, 0, 5))
    assert velocity(world, body).x == pytest.approx(2 / 3)


REFUSALS = {
    "without a Mass": "takes no impulse: only bodies with Velocity and Mass .*; add Mass",
    "without a Velocity": r"takes no impulse: only bodies with Velocity and Mass .*; add Velocity\(\)",
    "of infinite mass": "its Mass is infinite.*give it a finite one",
    "static": "it is Static.*remove Static",
    "a wall": "takes no impulse: it is Static.*remove Static",
    "disabled": "it is disabled.*set enabled to True",
    "fused": "it is fused.*remove Fused",
}


@pytest.mark.parametrize("kind", IMMOVABLE)
def test_an_immovable_body_takes_no_impulse_I1(kind: str):
    world = CollisionWorld()
    world.add(1, transform=Transform(0, 20), collider=a_square())
    parts = {name: None if part is None else part.copy() for name, part in IMMOVABLE[kind].items()}
    body = add_dynamic(world, 0, 0, **parts)
    before = world.snapshot()
    with pytest.raises(ValueError, match=REFUSALS[kind]):
        world.apply_impulse(body, (1, 0))
    assert before == world.snapshot()


def test_an_impulse_beyond_the_largest_speed_is_refused_and_changes_nothing():
    world = CollisionWorld()
    body = add_dynamic(world, 0, 0, v=(1, 1))
    with pytest.raises(ValueError, match=r"Velocity\.y of entity 1 is 16385\.0, but it must be at most 16384"):
        world.apply_impulse(body, (5, 16384))
    assert (1, 1) == (velocity(world, body).x, velocity(world, body).y)
    with pytest.raises(UnknownEntity):
        world.apply_impulse(9, (1, 0))


def test_gravity_stops_at_the_largest_speed():
    world = CollisionWorld()
    body = add_dynamic(world, 0, 0)
    for _ in range(3):
        world.step_dynamics(1.0, gravity=(0, 2.0**14))
    assert velocity(world, body).y == 2.0**14


# Refusals.


def test_a_dt_out_of_range_is_refused_with_what_to_do_L3():
    world = CollisionWorld()
    for dt, words in ((0, "give for example 1 / 60"), (2, "take several steps")):
        with pytest.raises(ValueError, match=rf"dt is {dt}\.0, but it must be from 2\*\*-20 to 1.*{words}"):
            world.step_dynamics(dt)


def test_invalid_writes_are_refused_by_a_step_and_nothing_moves_L3():
    world = CollisionWorld()
    body, other = add_dynamic(world, 0, 0, v=(1, 0)), add_dynamic(world, 5, 0)
    world._bodies.transform(world._bodies.row(other)).x = 2.0**30
    with pytest.raises(InvalidChanges, match="outside the range"):
        world.step_dynamics(1.0)
    world._bodies.transform(world._bodies.row(other)).x = 5
    assert at(world, body) == (0, 0, 0)
    world.step_dynamics(1.0)
    assert at(world, body) == (1, 0, 0)


SHAPES = {"box": BoxCollider(0.5, 0.5), "ball": SphereCollider(0.5), "turning": OrientedBoxCollider(0.5, 0.5)}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_dynamic_body_jumps_through_a_one_way_body_and_lands_on_it_M5_I2(shape):
    world = CollisionWorld()
    floor = world.add(transform=Transform(0, 0), collider=BoxCollider(3, 0.5), static=Static(), one_way=OneWay("up"))
    body = add_dynamic(world, 0, 3, v=(0, -12), collider=SHAPES[shape].copy())
    was_inside = False
    for _ in range(240):
        world.step_dynamics(1 / 60, gravity=(0, 10))
        world.step()
        was_inside = was_inside or floor in world.space.overlapping(body)
    assert was_inside
    x, y, _ = at(world, body)
    assert (0.0, -1.0) == pytest.approx((x, y), abs=0.0101)
    assert (0.0, 1) == (velocity(world, body).y, world.stats.resting)


@pytest.mark.parametrize("y", [-0.75, 0.25])
def test_a_dynamic_body_inside_a_one_way_body_falls_out_of_it_M5_I6(y):
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=BoxCollider(3, 0.5), static=Static(), one_way=OneWay("up"))
    body = add_dynamic(world, 0, y)
    for _ in range(60):
        world.step_dynamics(1 / 60, gravity=(0, 10))
    assert at(world, body)[1] > 3.0
    beside = add_dynamic(world, -6, 0, v=(8, 0))
    for _ in range(60):
        world.step_dynamics(1 / 60)
    assert at(world, beside)[0] == pytest.approx(2.0, abs=0.01)
