"""Hits that press piles together, and one-way platforms that let crates pass: nothing stays in its place (I6, M5)."""

import pytest

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Mass,
    OneWay,
    OrientedBoxCollider,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)


def run(world, steps, gravity):
    for _ in range(steps):
        world.step_dynamics(1 / 60, gravity=(0, gravity))
        world.step()
        assert [] == world.space.pairs()


@pytest.mark.parametrize("scale", [1, 32])
@pytest.mark.parametrize("speed", [16, 40])
def test_a_ball_knocks_a_stack_over_in_metres_and_in_pixels_I6(scale, speed):
    world = CollisionWorld(bin_size=scale)
    world.add(transform=Transform(0, scale), collider=BoxCollider(90 * scale, scale), static=Static())
    bricks = [Transform(0, -(0.25 + 0.5 * row) * scale) for row in range(8)]
    for brick in bricks:
        collider = OrientedBoxCollider(0.5 * scale, 0.25 * scale)
        world.add(transform=brick, collider=collider, velocity=Velocity(), mass=Mass(1))
    run(world, 60, 10 * scale)
    assert 8 == world.stats.resting
    ball, velocity = Transform(-8 * scale, -3 * scale), Velocity(speed * scale)
    world.add(transform=ball, collider=SphereCollider(0.5 * scale), velocity=velocity, mass=Mass(2))
    run(world, 60, 10 * scale)
    assert ball.x > 0
    assert sum(abs(brick.x) > 0.5 * scale for brick in bricks) >= 4


def test_a_crate_flies_up_through_a_one_way_platform_and_lands_on_it_M5():
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=BoxCollider(2, 0.25), static=Static(), one_way=OneWay((0, -1)))
    crate, velocity = Transform(0, 2), Velocity(0, -9)
    world.add(transform=crate, collider=BoxCollider(0.5, 0.5), velocity=velocity, mass=Mass(1))
    places = []
    for _ in range(180):
        world.step_dynamics(1 / 60, gravity=(0, 10))
        world.step()
        places.append(crate.y)
    assert min(places) < -1.9
    assert pytest.approx(-0.7575, abs=0.001) == crate.y
    assert (0.0, 1) == (velocity.y, world.stats.resting)
