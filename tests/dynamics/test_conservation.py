"""Momentum and energy of closed scenes (rules I4 and I8)."""

from __future__ import annotations

import random

import pytest
from boards import seeds, trials
from impulse_worlds import add, ball, cube, energy, momentum

from ecs_collision import CollisionWorld

MASSES = {"equal": (2.0,), "of different size": (0.001, 0.5, 1.0, 3.0, 700.0)}


def a_gas(
    seed: int, masses: tuple[float, ...], *, deep: bool = False, bounces: tuple[float, ...] = (0, 0.5, 1)
) -> tuple:
    """Return a world of balls and boxes that do not turn and fly towards the middle."""
    rng, world = random.Random(seed), CollisionWorld()
    bodies = []
    cells = [(x, y, z) for x in range(-2, 3) for y in range(-2, 3) for z in ((-1, 0, 1) if deep else (0,))]
    for x, y, z in rng.sample(cells, 16):
        at = (1.5 * x + rng.randint(-4, 4) / 16, 1.5 * y + rng.randint(-4, 4) / 16, 1.5 * z)
        speed = [rng.uniform(-1, 1) - 3.0 * place for place in at[: 3 if deep else 2]]
        collider = rng.choice((ball(0.5), cube(0.5), ball(0.25)))
        bodies.append(add(world, at, collider, mass=rng.choice(masses), velocity=speed, moment=float("inf"),
                          bounce=rng.choice(bounces), friction=rng.choice((0.0, 0.5, 1.0))))  # fmt: skip
    return world, bodies


@pytest.mark.parametrize("masses", MASSES.values(), ids=MASSES)
@pytest.mark.parametrize("deep", [False, True], ids=["2D", "3D"])
@pytest.mark.parametrize("seed", seeds(2))
def test_momentum_is_conserved_and_energy_hardly_grows_I8(masses, deep, seed):
    world, bodies = a_gas(seed, masses, deep=deep)
    before, met, had = momentum(bodies), 0, energy(bodies)
    scale = max(body.mass for body in bodies)
    for step in range(12 + trials(48)):
        speeds = [body.velocity for body in bodies]
        world.step_dynamics(1 / 60)
        met += speeds != [body.velocity for body in bodies]
        has = energy(bodies)
        assert has <= (1 + 2e-5) * had, f"step {step}: energy {had} became {has}"
        had = has
    assert pytest.approx(before, rel=0, abs=1e-9 * scale) == momentum(bodies)
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
            0.25 * each.mass * world.bodies.of(world.bodies.row(each.id)).collider.radius ** 2 * each.moving.angular**2
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
