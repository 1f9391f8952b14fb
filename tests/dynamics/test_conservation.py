"""Momentum and energy of closed scenes (rule I8)."""

from __future__ import annotations

import random

import pytest
from boards import seeds, trials
from impulse_worlds import a_scene, add, ball, cube, energy, made, momentum

from ecs_collision import Box, CollisionWorld, CompoundCollider

MASSES = {"equal": (2.0,), "of different size": (0.001, 0.5, 1.0, 3.0, 700.0)}


def a_closed_scene(seed: int, masses: tuple[float, ...], *, deep: bool, framed: bool) -> tuple[CollisionWorld, list]:
    """Return a world of balls and boxes that fly to the middle; framed: in a frame that flies too."""
    rng, world = random.Random(seed), CollisionWorld()
    bodies = []
    cells = [(x, y, z) for x in range(-2, 3) for y in range(-2, 3) for z in ((-1, 0, 1) if deep else (0,))]
    for x, y, z in rng.sample(cells, 16):
        at = (1.5 * x + rng.randint(-4, 4) / 16, 1.5 * y + rng.randint(-4, 4) / 16, 1.5 * z)
        speed = [rng.uniform(-1, 1) - 0.5 * place for place in at[: 3 if deep else 2]]
        collider = rng.choice((ball(0.5), cube(0.5), ball(0.25)))
        bodies.append(add(world, at, collider, mass=rng.choice(masses), velocity=speed,
                          bounce=rng.choice((0.0, 0.5, 1.0)), friction=rng.choice((0.0, 0.5, 1.0))))  # fmt: skip
    if framed:
        far, thick = 6.0, 0.5
        walls = [Box(far, thick, 0.5, (0, y, 0)) for y in (-far, far)]
        walls += [Box(thick, far, 0.5, (x, 0, 0)) for x in (-far, far)]
        frame = CompoundCollider(walls)
        bodies.append(add(world, (0, 0), frame, mass=max(masses), velocity=(0.125, -0.25), bounce=1.0))
    return world, bodies


def conserved(world: CollisionWorld, bodies: list, steps: int) -> int:
    """Run steps and compare; return in how many of them bodies met."""
    before, met, had = momentum(bodies), 0, energy(bodies)
    scale = max(1.0, *(body.mass for body in bodies))
    for step in range(steps):
        speeds = [body.velocity for body in bodies]
        world.step_dynamics(1 / 60)
        met += speeds != [body.velocity for body in bodies]
        has = energy(bodies)
        assert has <= had + 1e-9 * scale, f"step {step}: energy {had} became {has}"
        had = has
        if step % 50 == 49:
            assert pytest.approx(before, rel=0, abs=1e-9 * scale) == momentum(bodies), f"step {step}"
    assert pytest.approx(before, rel=0, abs=1e-9 * scale) == momentum(bodies)
    return met


@pytest.mark.parametrize("masses", MASSES.values(), ids=MASSES)
@pytest.mark.parametrize("deep", [False, True], ids=["2D", "3D"])
@pytest.mark.parametrize("seed", seeds(2))
def test_momentum_is_conserved_and_energy_never_grows_I8(masses, deep, seed):
    world, bodies = a_closed_scene(seed, masses, deep=deep, framed=False)
    assert conserved(world, bodies, trials(300)) >= trials(5)


@pytest.mark.parametrize("masses", MASSES.values(), ids=MASSES)
@pytest.mark.parametrize("steps", [trials(400), pytest.param(10_000, marks=pytest.mark.soak)])
def test_momentum_is_conserved_in_a_frame_that_flies_too_I8(masses, steps):
    world, bodies = a_closed_scene(5, masses, deep=False, framed=True)
    assert conserved(world, bodies, steps) >= trials(20) // 2


@pytest.mark.parametrize("shaped", [False, True], ids=["boxes and balls", "all shapes"])
@pytest.mark.parametrize("seed", [0])
def test_energy_does_not_grow_when_nothing_falls_I4(seed, shaped):
    world = CollisionWorld()
    things = [thing for thing in a_scene(seed, shaped=shaped) if thing.velocity is None or thing.mass is not None]
    bodies = made(things, world)
    moving = [body for body in bodies if body.moving is not None]
    moments = {body.id: thing.moment or 0.0 for body, thing in zip(bodies, things, strict=True)}
    had = float("inf")
    for step in range(trials(300)):
        world.step_dynamics(1 / 60)
        turning = sum(moments[body.id] * float(body.moving.angular) ** 2 / 2 for body in moving)  # type: ignore
        has = energy(moving) + turning
        assert has <= had + 1e-9, f"step {step}"
        had = has
