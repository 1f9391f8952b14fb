"""Nothing depends on ids, on the order of creation, or on which way the world is mirrored (rule I3)."""

import hashlib
import math
import random

import pytest
from dynamic_scenes import Body, DynamicScene, ball, box

from ecs_collision._build import is_pure
from ecs_collision.dynamics.kept_contacts import KeptContacts

STEPS = 30
SEEDS = range(1 if is_pure() else 4)
"""The plain form is a hundred times slower; the recorded numbers compare it with the compiled one."""


def mixed_scene(seed, flat=True, flip=(1, 1, 1), order=None, turns=False):
    """Return a scene of boxes and balls that fall onto a floor, and its ids in the order in which they are computed."""
    draw = random.Random(seed)
    scene = DynamicScene(gravity=(0, -10 * flip[1], 0))
    bodies = [Body((box(40, 2, 1 if flat else 40),), (0, -flip[1], 0), mass=None, friction=0.5)]
    for _ in range(12):
        width, height, depth = (draw.randrange(10, 64) / 32 for _ in range(3))
        place = draw.randrange(-256, 256) / 64, draw.randrange(640) / 64, 0 if flat else draw.randrange(-256, 256) / 64
        velocity = [draw.uniform(-8, 8) for _ in range(3)]
        velocity[2] *= not flat
        mass, is_box = draw.choice([0.5, 1, 3, 7]), draw.random() < 0.5
        bodies.append(
            Body(
                (box(width, height, 1 if flat else depth) if is_box else ball(width / 2),),
                tuple(a * b for a, b in zip(place, flip, strict=True)),
                tuple(a * b for a, b in zip(velocity, flip, strict=True)),
                mass=mass,
                moment=0.1 * mass * width**2 if turns and not is_box else math.inf,
                restitution=draw.choice([0, 0.5, 1]),
                friction=draw.choice([0, 0.3, 1]),
            )
        )
    ids = list(range(1, len(bodies) + 1))
    if order is not None:
        random.Random(order).shuffle(ids)
    for body, entity in zip(bodies, ids, strict=True):
        scene.add(body, entity)
    return scene, ids


def numbers_of(scene, ids, flip=(1, 1, 1)):
    """Return positions, velocities and remainders, mirrored back, without negative zeros."""
    return [
        [each * sign + 0 for each, sign in zip(scene.state[entity][name], flip, strict=True)]
        for entity in ids
        for name in ("position", "velocity", "remainder")
    ]


@pytest.mark.parametrize("flat", [True, False], ids=["2d", "3d"])
@pytest.mark.parametrize("turns", [False, True], ids=["rigid", "turning"])
@pytest.mark.parametrize("seed", SEEDS)
def test_other_ids_give_the_same_bits(seed, flat, turns):
    scene, ids = mixed_scene(seed, flat, turns=turns)
    other, other_ids = mixed_scene(seed, flat, order=seed, turns=turns)
    for _ in range(STEPS):
        scene.step()
        other.step()
        assert numbers_of(scene, ids) == numbers_of(other, other_ids)
    assert scene.meetings > 0


@pytest.mark.parametrize("flip", [(-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1)], ids=str)
@pytest.mark.parametrize("turns", [False, True], ids=["rigid", "turning"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_mirrored_world_gives_the_same_bits(seed, flip, turns):
    scene, ids = mixed_scene(seed, flat=False, turns=turns)
    mirrored, _ = mixed_scene(seed, flat=False, flip=flip, turns=turns)
    for _ in range(STEPS):
        scene.step()
        mirrored.step()
        assert numbers_of(scene, ids) == numbers_of(mirrored, ids, flip)


def test_a_symmetric_scene_stays_symmetric():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(friction=0.3)
    pairs = []
    for at in range(6):
        part = box(1, 1) if at % 2 else ball(0.5)
        pairs.append(
            [scene.add(Body((part,), (side * (0.5 + at / 4), 1 + at * 1.25, 0), friction=0.3)) for side in (-1, 1)]
        )
    for _ in range(200):
        scene.step()
        for left, right in pairs:
            assert scene.position(left)[0] == -scene.position(right)[0]
            assert scene.position(left)[1] == scene.position(right)[1]


def test_the_numbers_are_those_of_every_machine_and_of_both_forms():
    found = hashlib.sha256()
    for seed in range(2):
        for flat in (True, False):
            scene, ids = mixed_scene(seed, flat, turns=True)
            scene.step(STEPS)
            found.update(repr(numbers_of(scene, ids)).encode())
            found.update(repr([[each + 0.0 for each in record] for record in scene.kept.records()]).encode())
    assert RECORDED == found.hexdigest()


def test_steps_after_a_restore_are_the_same_to_the_bit_I8():
    scene, ids = mixed_scene(1)
    scene.step(40)
    records, state = scene.kept.records(), {entity: dict(each) for entity, each in scene.state.items()}
    assert [] != records
    scene.step(20)
    expected = numbers_of(scene, ids), scene.kept.records()
    scene.kept = KeptContacts()
    scene.kept.restore(reversed(records))
    scene.state = state
    scene.step(20)
    assert expected == (numbers_of(scene, ids), scene.kept.records())


RECORDED = "47b38a8f3298e7b7181b17e408f90cad068330b433bf1654d0efbf88faab997e"
