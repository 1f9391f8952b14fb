"""Single contacts beside the oracle: two boxes or balls, which may turn, meet once (rules I1, I3 and I4)."""

from __future__ import annotations

import math
import random

import pytest
from impulse_oracle import Ball, apart, collide, meeting
from impulse_worlds import add

from ecs_collision import BoxCollider, CollisionWorld, SphereCollider

DT, FRAMES = 1 / 960, 480
"""Short steps: the normal of a contact is that at the beginning of a step."""


def some_pair(rng: random.Random, flat: bool) -> list[Ball]:
    """Return two bodies that approach each other; one may be immovable. Either both bounce or both rub."""
    found, bounces = [], rng.random() < 0.5
    for number in range(2):
        across = [rng.uniform(-0.8, 0.8), 0.0 if flat else rng.uniform(-0.8, 0.8)]
        speed = [rng.uniform(-2, 2), 0.0 if flat else rng.uniform(-2, 2)]
        towards = rng.uniform(2.0, 8.0) * (1 - 2 * number)
        body = Ball([1.75 * number, *across], [towards, *speed])
        if rng.random() < 0.5:
            thick = 0.5 if flat else rng.choice((0.25, 0.75))
            body.half = rng.choice((0.25, 0.5, 0.75)), rng.choice((0.25, 0.5)), thick
        else:
            body.radius = rng.choice((0.25, 0.5, 0.75))
        if number == 0 or rng.random() < 0.7:
            body.mass = rng.choice((0.001, 0.5, 1.0, 3.0, 1000.0))
            if body.radius and rng.random() < 0.7:
                body.moment = body.mass * body.radius**2 / 2
                body.angular[2] = rng.uniform(-9, 9)
        else:
            body.velocity = [0.0, 0.0, 0.0]
        body.restitution = rng.choice((0.0, 0.5, 1.0)) if bounces else 0.0
        body.friction = 0.0 if bounces else rng.choice((0.0, 0.2, 1.0))
        found.append(body)
    return found


def compared(seed: int, flat: bool) -> bool:
    """Compare the velocities after a hit; return whether the bodies met."""
    rng = random.Random(f"{seed}{flat}")
    a, b = some_pair(rng, flat)
    world = CollisionWorld()
    if not flat:
        add(world, (0, 0, 99), BoxCollider(1, 1, 2), static=True)  # a world with bodies beside the plane
    bodies = []
    for each in (a, b):
        collider = SphereCollider(each.radius) if each.radius else BoxCollider(*each.half)
        is_static = each.mass == math.inf
        bodies.append(
            add(world, each.position, collider, mass=None if is_static else each.mass, moment=each.moment,
                velocity=None if is_static else each.velocity, bounce=each.restitution, friction=each.friction,
                static=is_static)
        )  # fmt: skip
        if bodies[-1].moving is not None and each.moment < math.inf:
            bodies[-1].moving.angular = each.angular[2] if flat else tuple(each.angular)
    when = meeting(a, b, 0.5)
    if when is None or when > 0.8 * DT * FRAMES:
        return False
    vector, speed = apart(a, b, when - 0.01), [w - v for v, w in zip(a.velocity, b.velocity, strict=True)]
    approach = -sum(s * each for s, each in zip(speed, vector, strict=True)) / math.hypot(*vector)
    has_corner = any(a.half + b.half) and sum(map(bool, vector)) > 1
    if approach < 0.75 * math.hypot(*speed) or has_corner:
        return False  # the normal changes quickly, also within a step
    for _ in range(math.ceil(when / DT) + 5):
        world.step_dynamics(DT)
    assert collide(a, b, 0.5)
    largest = max(abs(v) for each in (a, b) for v in each.velocity) + 4.0
    for body, each in zip(bodies, (a, b), strict=True):
        if body.moving is not None:
            assert each.velocity == pytest.approx(list(body.velocity), abs=0.12 * largest)
            turning = list(body.moving._numbers()[3:])
            assert each.angular == pytest.approx(turning, abs=0.06 * largest / (each.radius or 1.0))
    return True


@pytest.mark.parametrize("flat", [True, False])
def test_two_bodies_meet_as_the_oracle_says_I3_I4(flat):
    assert sum(compared(seed, flat) for seed in range(120)) > 30
