"""Bounces of several bodies at once: energy (rules I4 and I8)."""

from __future__ import annotations

import random

import pytest
from impulse_worlds import add, ball, cube, energy

from ecs_collision import CollisionWorld

EQUAL, DIFFERENT = (1.0,), (0.001, 1.0, 700.0)


def a_gas(seed: int, masses: tuple[float, ...], bounce: float, friction: float = 0.0, count: int = 30) -> tuple:
    """Return a world of balls and boxes that fly about in its bounds."""
    rng, world = random.Random(seed), CollisionWorld(bounds=((0, 0), (20, 20)))
    bodies = []
    for number in range(count):
        at = (1.5 + 2.5 * (number % 7), 1.5 + 2.5 * (number // 7))
        collider = rng.choice((ball(0.5), ball(1.0), cube(0.75)))
        bodies.append(
            add(world, at, collider, mass=rng.choice(masses), velocity=[rng.uniform(-5, 5), rng.uniform(-5, 5)],
                bounce=bounce, friction=friction)
        )  # fmt: skip
    return world, bodies


@pytest.mark.once
@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("masses", [EQUAL, DIFFERENT], ids=["equal masses", "different masses"])
def test_energy_never_grows_however_many_bodies_meet_I8(masses: tuple[float, ...], bounce: float, friction: float):
    world, bodies = a_gas(2, masses, bounce, friction)
    first = before = energy(bodies)
    for step in range(150):
        world.step_dynamics(1 / 60)
        now = energy(bodies)
        assert now <= before + 1e-9 * first, f"step {step}"
        before = now
    assert before < 0.999 * first or bounce == 1.0, "bodies met"


@pytest.mark.once
def test_a_crowd_of_elastic_balls_keeps_its_energy_I4():
    rng, world = random.Random(1), CollisionWorld(bounds=((0, 0), (20, 20)))
    bodies = [
        add(world, (1.5 + 2.5 * (number % 7), 1.5 + 2.5 * (number // 7)), ball(rng.choice((0.5, 0.75, 1.0))), mass=1.0,
            velocity=[rng.uniform(-5, 5), rng.uniform(-5, 5)], bounce=1.0, friction=0.0)
        for number in range(40)
    ]  # fmt: skip
    before = energy(bodies)
    for _ in range(500):
        world.step_dynamics(1 / 60)
    assert energy(bodies) > 0.99 * before, "also where three meet at once"


def test_bodies_bounce_off_a_surface_that_gives_them_energy_I1():
    world = CollisionWorld()
    add(world, (0, 2), cube(1.0), velocity=(8, 0), bounce=0.5, friction=1.0, static=True)
    bodies = [add(world, (x, 0.25), cube(0.5), mass=1.0, velocity=(0, 3), friction=1.0) for x in (-0.5, 0.5)]
    before = energy(bodies)
    for _ in range(10):
        world.step_dynamics(1 / 60)
    assert energy(bodies) > before, "the belt carries them along"
    assert [-1.5, -1.5] == pytest.approx([body.velocity[1] for body in bodies])


def test_a_hit_is_not_kept_as_a_weight_I8():
    world = CollisionWorld()
    bodies = [add(world, (x, 0), cube(0.5), mass=1.0, velocity=(speed, 0)) for x, speed in ((0, 8), (2, 0), (3, 0))]
    for _ in range(10):
        world.step_dynamics(1 / 60)
    assert [8 / 3] * 3 == pytest.approx([body.velocity[0] for body in bodies], rel=1e-4), "they go on together"
    assert not world._step.dynamics.records()
