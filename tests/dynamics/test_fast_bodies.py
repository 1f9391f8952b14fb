"""Bodies that fly many times their size in a step meet what is on their way, where it is, and nothing else (I2)."""

import math
import random

import pytest

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Mass,
    Material,
    OrientedBoxCollider,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

SPEED, RADIUS = 900.0, 0.125


def bullet(world, x, y, angle, speed=SPEED):
    """Add a bullet that bounces; returns its place and its velocity."""
    place, velocity = Transform(x, y), Velocity(speed * math.cos(angle), speed * math.sin(angle))
    material = Material(restitution=1, friction=0)
    world.add(transform=place, collider=SphereCollider(RADIUS), velocity=velocity, mass=Mass(0.01), material=material)
    return place, velocity


def run(world, steps, gravity=0.0):
    for _ in range(steps):
        world.step_dynamics(1 / 60, gravity=(0, gravity))
        world.step()


@pytest.mark.parametrize("aside", [-1.2, -1.0, -0.7, -0.3, 0.0, 0.2, 0.5, 0.9, 1.15])
def test_a_bullet_bounces_off_a_ball_where_it_hits_it_or_flies_past_I2(aside):
    world = CollisionWorld()
    world.add(transform=Transform(5, 0), collider=SphereCollider(1), static=Static())
    if abs(aside) < 1 + RADIUS:  # what the bullet would hit if the ball were not there
        plank = Transform(13, 0, rotation=math.pi / 4)
        world.add(transform=plank, collider=OrientedBoxCollider(0.25, 3), static=Static())
    _, velocity = bullet(world, 0, aside, 0.0)
    run(world, 3)
    sine = aside / (1 + RADIUS)
    if abs(sine) >= 1:
        assert (SPEED, 0.0) == (velocity.x, velocity.y)
    else:
        expected = (2 * sine * sine - 1, 2 * sine * math.sqrt(1 - sine * sine))
        assert expected == pytest.approx((velocity.x / SPEED, velocity.y / SPEED), abs=0.03)


@pytest.mark.parametrize("seed", range(6))
def test_bullets_do_not_leave_a_ring_of_thin_planks_I2(seed):
    world, rng = CollisionWorld(), random.Random(seed)
    for number in range(16):
        angle = number * math.pi / 8
        place = Transform(8 * math.cos(angle), 8 * math.sin(angle), rotation=angle)
        world.add(transform=place, collider=OrientedBoxCollider(0.0625, 2), static=Static())
    for x, y in ((3, 0), (-3, 1), (0, -4)):  # bodies in the way
        collider = rng.choice([SphereCollider(1), OrientedBoxCollider(1, 0.25), BoxCollider(0.75, 0.75)])
        world.add(transform=Transform(x, y), collider=collider, velocity=Velocity(), mass=Mass(1))
    shots = [bullet(world, rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0, 7)) for _ in range(2)]
    for _ in range(120):
        run(world, 1)
        assert all(math.hypot(place.x, place.y) < 8.5 for place, _ in shots)
        assert sum(velocity.x**2 + velocity.y**2 for _, velocity in shots) < 2.01 * SPEED**2


def test_a_fast_puck_that_slides_on_a_floor_hits_the_crate_on_it_I2():
    world = CollisionWorld()
    world.add(transform=Transform(0, 1), collider=BoxCollider(99, 1), static=Static())
    crate, moving = Transform(5, -0.5), Velocity()
    world.add(transform=crate, collider=BoxCollider(0.125, 0.5), velocity=moving, mass=Mass(1))
    puck = Transform(-5, -0.25)
    world.add(transform=puck, collider=BoxCollider(0.25, 0.25), velocity=Velocity(500), mass=Mass(1))
    run(world, 3, gravity=10)
    assert crate.x > 5
    assert puck.x < crate.x
    assert moving.x > 100
