"""A step has no favourite direction, id or order (I3), and nothing but the state decides it (I7, I8)."""

from __future__ import annotations

import random

import pytest
from boards import many, trials
from impulse_worlds import a_scene, flipped, made, state

from ecs_collision import CollisionWorld

GRAVITY = (0.0, 12.0, 0.0)
KINDS = {
    "2D": {},
    "3D": {"deep": True, "count": 16},
    "2D of all shapes": {"shaped": True},
    "3D of all shapes": {"shaped": True, "deep": True},
}
STIFF = pytest.mark.parametrize("kind", [KINDS["2D"], KINDS["3D"]], ids=["2D", "3D"])
ORDERED = pytest.mark.parametrize("kind", [KINDS[name] for name in list(KINDS)[:3]], ids=list(KINDS)[:3])
SCENES = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
SEEDS = pytest.mark.parametrize("seed", many(2))
FRAMES = pytest.mark.parametrize("frames", [trials(100), pytest.param(300, marks=pytest.mark.soak)])


def step(world: CollisionWorld, gravity: tuple[float, float, float] = GRAVITY) -> None:
    world.step_dynamics(1 / 60, gravity=gravity)
    world.step()


@pytest.mark.parametrize("axis", [0, 1, 2], ids="xyz")
@STIFF
@SEEDS
@FRAMES
def test_a_mirrored_world_stays_mirrored_to_the_bit_I3(kind, seed, frames, axis):
    things = a_scene(seed, **kind)
    one, two = CollisionWorld(), CollisionWorld()
    bodies, others = made(things, one), made([thing.mirrored(axis) for thing in things], two)
    for frame in range(frames):
        step(one)
        step(two, flipped(GRAVITY, axis))
        mirrored = [(flipped(at, axis), flipped(speed, axis)) for at, speed in state(others)]
        assert state(bodies) == mirrored, f"frame {frame}"


@ORDERED
@SEEDS
@FRAMES
def test_ids_and_the_order_of_creation_do_not_count_I3(kind, seed, frames):
    things = a_scene(seed, **kind)
    ids = list(range(1, len(things) + 1))
    rng = random.Random(seed)
    one, two = CollisionWorld(), CollisionWorld()
    bodies = made(things, one)
    order, names = rng.sample(range(len(things)), len(things)), rng.sample([5 * id for id in ids], len(ids))
    by_thing = {number: things[number].add(two, name) for number, name in zip(order, names, strict=True)}
    others = [by_thing[number] for number in range(len(things))]
    for frame in range(frames):
        step(one)
        step(two)
        assert state(bodies) == state(others), f"frame {frame}"


@SCENES
@SEEDS
@FRAMES
def test_sleeping_cannot_be_observed_I7(kind, seed, frames):
    things = a_scene(seed, **kind)
    one, two = CollisionWorld(), CollisionWorld()
    bodies, sleepers = made(things, one), made(things, two, sleeping=True)
    rng, asleep = random.Random(seed), 0
    for frame in range(3 * frames):
        if rng.random() < 0.02:
            number = rng.randrange(3, len(things))
            for body in (bodies[number], sleepers[number]):
                body.moving.y = -5.0
        step(one)
        step(two)
        assert state(bodies) == state(sleepers), f"frame {frame}"
        asleep += sum(two.bodies.of(two.bodies.row(body.id)).sleeping.asleep for body in sleepers[3:])
    has_belt = things[0].velocity is not None
    assert asleep > 0 or has_belt or frames < 100 or kind.get("shaped") or kind.get("deep")


@SCENES
@SEEDS
@FRAMES
def test_after_a_restore_the_world_goes_on_to_the_bit_I8(kind, seed, frames):
    things = a_scene(seed, **kind)
    one, two = CollisionWorld(), CollisionWorld()
    bodies, others = made(things, one, sleeping=True), made(things, two, sleeping=True)
    for _ in range(40):
        step(one)
    saved = one.snapshot()
    for _ in range(7):
        step(two)
    two.restore(saved)
    assert saved == two.snapshot()
    ahead = []
    for frame in range(frames // 2):
        step(one)
        step(two)
        ahead.append(state(bodies))
        assert ahead[-1] == state(others), f"frame {frame}"
    assert one.snapshot() == two.snapshot()
    one.restore(saved)
    for frame, expected in enumerate(ahead):
        step(one)
        assert expected == state(bodies), f"frame {frame}"
