"""Stacks and piles stand, at metre and pixel scale: no overlap after any step, no tunnelling (P9, T11, I2, I5, I7)."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import pytest
from boards import trials

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    Mass,
    Material,
    OrientedBox,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

SCALES = pytest.mark.parametrize("unit", [1.0, 64.0], ids=["metres", "pixels"])
INF = math.inf


def add(world: CollisionWorld, x: float, y: float, collider: Any, **parts: Any) -> int:
    """Add a dynamic body; y grows downwards."""
    parts = {"velocity": Velocity(), "mass": Mass(1), **parts}
    rotation = parts.pop("rotation", None)
    return world.add(transform=Transform(x, y, parts.pop("z", 0.0), rotation), collider=collider, **parts)


def a_pit(unit: float = 1.0, half: float = 6.0, **settings: Any) -> CollisionWorld:
    """Return a world with a floor at 0 and two walls."""
    world = CollisionWorld(**settings)
    for x, y, hx, hy in ((0, 1, 20, 1), (-half - 1, -20, 1, 20), (half + 1, -20, 1, 20)):
        world.add(
            transform=Transform(x * unit, y * unit), collider=BoxCollider(hx * unit, hy * unit),
            static=Static(),
        )  # fmt: skip
    return world


def overlaps(world: CollisionWorld) -> list[tuple[int, int]]:
    """Return the pairs of solid bodies that overlap."""
    world.apply_changes()
    return world.space.pairs()


def settle(world: CollisionWorld, frames: int, unit: float = 1.0) -> int:
    """Step until all sleeps; return after how many frames, and fail if bodies overlap after any step."""
    bodies = len(world._step.bodies.moving_rows)
    for frame in range(frames):
        world.step_dynamics(1 / 60, gravity=(0, 10 * unit))
        assert [] == overlaps(world), f"frame {frame}"
        if world.step().stats.resting == bodies:
            world.check()
            return frame
    raise AssertionError(f"only {world.stats.resting} of {bodies} sleep")


def height(world: CollisionWorld, entity: int) -> float:
    return -world._bodies.transform(world._bodies.row(entity)).position[1]


@SCALES
@pytest.mark.parametrize("turns", [False, True], ids=["upright", "turning"])
@pytest.mark.parametrize(
    "masses", [[1.0] * 10, [1.0, 50.0] * 3, list(range(10, 0, -1))], ids=["equal", "by turns", "lighter"]
)
def test_a_stack_that_is_dropped_stands_and_sleeps_I7(masses, turns, unit):
    world, half = a_pit(unit), 0.5 * unit
    kind = OrientedBoxCollider if turns else BoxCollider
    stack = [add(world, 0, (-0.6 - 1.1 * k) * unit, kind(half, half), mass=Mass(m)) for k, m in enumerate(masses)]
    settle(world, 400, unit)
    for number, body in enumerate(stack):
        assert (0.5 + number) * unit <= height(world, body) <= (0.5 + 1.01 * number + 0.01) * unit


def a_pile(kind: str, seed: int, unit: float = 1.0) -> CollisionWorld:
    """Return a pit with bodies above it."""
    rng, world = random.Random(f"{kind}{seed}"), a_pit(unit)
    for number in range(24):
        x, y = (-4 + 1.6 * (number % 6) + rng.uniform(-0.1, 0.1)) * unit, (-1.5 - 1.7 * (number // 6)) * unit
        size = rng.choice((0.3, 0.4, 0.5)) * unit
        colliders = {
            "balls": lambda size=size: SphereCollider(size),
            "boxes": lambda size=size: OrientedBoxCollider(size, 0.5 * unit),
            "upright": lambda size=size: BoxCollider(size, 0.5 * unit),
            "capsules": lambda size=size: CapsuleCollider(0.5 * size, 0.7 * size),
            "hammers": lambda size=size: CompoundCollider(
                [OrientedBox(0.1 * unit, 0.5 * unit), Sphere(0.6 * size, (0, -0.5 * unit))]
            ),
            "steps": lambda size=size: CompoundCollider(
                [Box(0.5 * unit, 0.25 * unit), Box(0.25 * unit, size, offset=(0.25 * unit, 0))]
            ),
        }
        chosen = kind if kind != "mixed" else rng.choice(list(colliders))
        rotation = None if chosen in ("upright", "steps") else rng.uniform(-3, 3)
        add(
            world, x, y, colliders[chosen](), rotation=rotation, mass=Mass(rng.choice((0.5, 1.0, 4.0))),
            material=Material(rng.choice((0.0, 0.3)), rng.choice((0.1, 0.5, 0.9)), rolling=0.05),
            velocity=Velocity(rng.uniform(-2, 2) * unit, 0),
        )  # fmt: skip
    return world


KINDS = ["balls", "boxes", "upright", "capsules", "hammers", "steps", "mixed"]


@SCALES
@pytest.mark.parametrize("kind", KINDS)
def test_a_pile_comes_to_rest_and_nothing_ever_overlaps_P9_I7(kind, unit):
    world = a_pile(kind, 4, unit)
    settle(world, 700, unit)


@pytest.mark.parametrize("unit", [1.0, 32.0], ids=["metres", "pixels"])
def test_small_balls_among_large_ones_come_to_rest_I7(unit):
    rng, world = random.Random(5), a_pit(unit, 3.0)
    for number in range(48):
        radius = rng.choice((0.125, 0.25, 0.5)) * unit
        add(
            world, (1.25 * (number % 4) - 1.9 + rng.uniform(0, 0.1)) * unit, (-0.6 - 1.1 * (number // 4)) * unit,
            SphereCollider(radius), mass=Mass.of(density=1 / unit**2), material=Material(0.4, rolling=0.02),
        )  # fmt: skip
    settle(world, 400, unit)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 30))
@pytest.mark.parametrize("kind", KINDS)
def test_many_piles_come_to_rest_P9_I7(kind, seed):
    settle(a_pile(kind, seed), 1500)


def test_a_pile_in_space_comes_to_rest_without_overlaps_P9():
    world, rng = CollisionWorld(), random.Random(3)
    for x, y, z, *half in (
        (0, 1, 0, 9, 1, 9),
        (-4, -9, 0, 1, 9, 9),
        (4, -9, 0, 1, 9, 9),
        (0, -9, -4, 3, 9, 1),
        (0, -9, 4, 3, 9, 1),
    ):
        world.add(transform=Transform(x, y, z), collider=BoxCollider(*half), static=Static())
    for number in range(18):
        rotation = tuple(rng.uniform(-1, 1) for _ in range(4))
        place = {"x": rng.uniform(-2, 2), "y": -1.5 - 1.3 * number, "z": rng.uniform(-2, 2)}
        collider = OrientedBoxCollider(0.5, 0.4, 0.3) if number % 3 else SphereCollider(0.5)
        add(world, collider=collider, rotation=rotation, material=Material(rolling=0.1), **place)
    settle(world, 900)


def test_a_crowd_that_is_driven_together_never_overlaps_P9():
    world, rng = CollisionWorld(), random.Random(5)
    bodies = []
    for x, y in itertools.product(range(8), range(8)):
        collider = rng.choice((SphereCollider(0.4), BoxCollider(0.4, 0.4), OrientedBoxCollider(0.4, 0.3)))
        bodies.append(add(world, x, y, collider.copy(), mass=Mass(rng.choice((0.01, 1.0, 30.0)))))
    for frame in range(trials(120)):
        for body in bodies:
            row = world._bodies.row(body)
            x, y, _ = world._bodies.transform(row).position
            speed = world._bodies.of(row).velocity
            speed.x, speed.y = speed.x + 0.2 * (3.5 - x), speed.y + 0.2 * (3.5 - y)
        world.step_dynamics(1 / 60)
        assert [] == overlaps(world), f"frame {frame}"


@pytest.mark.parametrize("speed", [30.0, 200.0, 2000.0])
@pytest.mark.parametrize(
    "collider",
    [SphereCollider(0.1), OrientedBoxCollider(0.1, 0.1), OrientedBoxCollider(1.0, 0.02), CapsuleCollider(0.05, 0.5)],
    ids=["ball", "box", "plank", "capsule"],
)
def test_nothing_passes_a_thin_wall_whatever_its_spin_I2(collider, speed):
    for angular in (0.0, 40.0):
        world = CollisionWorld()
        for x in (-6, 6):
            world.add(transform=Transform(x, 0), collider=BoxCollider(0.01, 50000), static=Static())
        body = add(world, 0, 0.3, collider.copy(), rotation=0.7, velocity=Velocity(speed, 3.0, angular=angular),
                   material=Material(restitution=0.5))  # fmt: skip
        for frame in range(60):
            world.step_dynamics(1 / 60)
            assert [] == overlaps(world), f"frame {frame}"
            assert abs(world._bodies.transform(world._bodies.row(body)).position[0]) < 6


def run(world: CollisionWorld, frames: int, gravity: float) -> None:
    for frame in range(frames):
        world.step_dynamics(1 / 60, gravity=(0, gravity))
        world.step()
        assert [] == overlaps(world), f"frame {frame}"


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
