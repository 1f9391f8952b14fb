"""Momentum, angular momentum and energy of closed scenes (rules I4 and I8)."""

from __future__ import annotations

import math
import random

import pytest
from boards import seeds, trials
from impulse_worlds import Made, add, ball, cube, energy, momentum

from ecs_collision import CollisionWorld, OrientedBoxCollider

MASSES = {"equal": (2.0,), "of different size": (0.001, 0.5, 1.0, 3.0, 700.0)}
KINDS = {"2D": (False, False), "3D": (True, False), "2D, turning": (False, True)}
MOMENT = 0.1
"""Of a body that turns, for a mass of 1."""


def a_gas(seed: int, masses: tuple[float, ...], deep: bool, turns: bool) -> tuple[CollisionWorld, list[Made]]:
    """Return a world of balls and boxes that fly towards the middle, bounce and rub."""
    rng, world = random.Random(seed), CollisionWorld()
    bodies = []
    cells = [(x, y, z) for x in range(-2, 3) for y in range(-2, 3) for z in ((-1, 0, 1) if deep else (0,))]
    for x, y, z in rng.sample(cells, 16):
        at = (1.5 * x + rng.randint(-4, 4) / 16, 1.5 * y + rng.randint(-4, 4) / 16, 1.5 * z)
        speed = [rng.uniform(-1, 1) - 3.0 * place for place in at[: 3 if deep else 2]]
        collider = rng.choice((ball(0.5), OrientedBoxCollider(0.5, 0.5) if turns else cube(0.5), ball(0.25)))
        mass = rng.choice(masses)
        moment = MOMENT * mass if turns else float("inf")
        bodies.append(add(world, at, collider, mass=mass, velocity=speed, moment=moment,
                          bounce=rng.choice((0, 0.5, 1)), friction=rng.choice((0.0, 0.5, 1.0))))  # fmt: skip
    return world, bodies


def spins(bodies: list[Made]) -> list[float]:
    """Return the angular velocities of bodies about z."""
    return [0.0 if body.moving is None else body.moving._numbers()[5] for body in bodies]


def angular_momentum(bodies: list[Made]) -> float:
    """Return the angular momentum about the origin, about z."""
    orbits = [body.position[0] * body.velocity[1] - body.position[1] * body.velocity[0] for body in bodies]
    each = zip(bodies, orbits, spins(bodies), strict=True)
    return sum(body.mass * (orbit + MOMENT * spin) for body, orbit, spin in each)


@pytest.mark.parametrize("masses", MASSES.values(), ids=MASSES)
@pytest.mark.parametrize(("deep", "turns"), KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("seed", seeds(2))
def test_momentum_is_conserved_and_energy_hardly_grows_I8(masses, deep, turns, seed):
    world, bodies = a_gas(seed, masses, deep, turns)
    scale = max(body.mass for body in bodies)
    reach = sum(body.mass * math.hypot(*body.position) * math.hypot(*body.velocity) for body in bodies)

    def total() -> float:
        return energy(bodies) + sum(0.5 * MOMENT * b.mass * w * w for b, w in zip(bodies, spins(bodies), strict=True))

    before, turning, met, had = momentum(bodies), angular_momentum(bodies), 0, total()
    for step in range(12 + trials(48)):
        speeds = [body.velocity for body in bodies]
        world.step_dynamics(1 / 60)
        met += speeds != [body.velocity for body in bodies]
        has = total()
        assert has <= (1.005 if turns else 1 + 2e-5) * had, f"step {step}: energy {had} became {has}"
        had = has
    assert pytest.approx(before, rel=0, abs=1e-9 * scale) == momentum(bodies)
    if turns:
        assert pytest.approx(turning, rel=0, abs=0.05 * reach) == angular_momentum(bodies)
    assert met


@pytest.mark.once
@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("turns", [False, True])
def test_energy_of_a_gas_in_bounds_never_grows_I8(bounce, friction, turns):
    rng, world = random.Random(2), CollisionWorld(bounds=((0, 0), (20, 20)))
    bodies = [
        add(world, (1.5 + 2.5 * (n % 7), 1.5 + 2.5 * (n // 7)), rng.choice((ball(0.5), ball(1.0))),
            mass=rng.choice((0.5, 1.0, 7.0)), velocity=[rng.uniform(-5, 5), rng.uniform(-5, 5)], bounce=bounce,
            friction=friction, **({} if turns else {"moment": float("inf")}))
        for n in range(40)
    ]  # fmt: skip

    def total() -> float:
        turning = 0.0 if not turns else sum(
            each.mass * world._bodies.of(world._bodies.row(each.id)).collider.radius ** 2 * each.moving.angular**2 / 4
            for each in bodies
        )  # fmt: skip
        return energy(bodies) + turning

    first = before = total()
    for step in range(300):
        world.step_dynamics(1 / 60)
        now = total()
        assert now <= before + (1e-4 if bounce else 5e-3) * first, f"step {step}"
        before = now
    if bounce == 1.0 and friction == 0.0:
        assert 0.98 * first <= before <= 1.0001 * first
    elif bounce < 1.0:
        assert before < 0.9 * first, "bodies met"
