"""Bodies of very different sizes: giants look only into the strips they entered and left, and miss nothing."""

from __future__ import annotations

import random

import pytest

from ecs_collision import Box, BoxCollider, CollisionWorld, CompoundCollider, Static, Transform, Trigger

SIDES = (0.25, 0.5, 1, 2, 4, 16, 64)


def a_crowd(chance: random.Random, world: CollisionWorld, count: int, flat: bool) -> dict[int, Transform]:
    """Fill a world with boxes of all sizes and some compounds, triggers of both kinds and statics among them."""
    places = {}
    for entity in range(1, count + 1):
        half = chance.choice(SIDES) / 2
        depth = 0.5 if flat else half
        collider = BoxCollider(half, half, depth)
        if chance.random() < 0.1:
            collider = CompoundCollider([Box(half, half, depth), Box(0.5, 0.5, depth, offset=(half + 1, 0, 0))])
        places[entity] = Transform(*a_spot(chance, flat))
        world.add(
            entity,
            transform=places[entity],
            collider=collider,
            static=Static() if chance.random() < 0.15 else None,
            trigger=Trigger(touching=chance.random() < 0.3) if chance.random() < 0.5 else None,
        )
    return places


def a_spot(chance: random.Random, flat: bool) -> tuple[float, float, float]:
    """Return a place on a coarse grid, so that faces often meet exactly."""
    x, y, z = (chance.randint(-160, 160) / 4 for _ in range(3))
    return (x, y, 0.0 if flat else z / 4)


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
@pytest.mark.parametrize("seed", range(6))
def test_contacts_of_giants_are_those_of_brute_force(seed, flat):
    chance = random.Random(seed)
    world = CollisionWorld()
    places = a_crowd(chance, world, 70, flat)
    world.step()
    for _ in range(60):
        for entity in chance.sample(sorted(places), chance.choice((1, 1, 2, 5, 12))):
            if chance.random() < 0.1:
                places[entity].position = a_spot(chance, flat)
            else:
                x, y, z = places[entity].position
                step = [chance.choice((-1, -0.25, 0, 0.25, 1, 3)) for _ in range(3)]
                places[entity].position = (x + step[0], y + step[1], z if flat else z + step[2] / 4)
        if chance.random() < 0.1:
            world.remove(entity)
            del places[entity]
        world.step()
        world.check()  # compares the contacts with all pairs of boxes


def test_a_giant_that_moves_over_sleepers_tests_only_what_it_enters_and_leaves():
    world = CollisionWorld()
    for entity in range(1, 2501):
        x, y = (entity - 1) % 50, (entity - 1) // 50
        world.add(entity, transform=Transform(2 * x, 2 * y), collider=BoxCollider(0.5, 0.5))
    place = Transform(50, 50)
    giant = world.add(transform=place, collider=BoxCollider(30, 30), trigger=Trigger())
    world.step()
    held = len(world.inside(giant))
    place.x += 2
    world.step()
    assert held == len(world.inside(giant)) == 961
    assert 0 < world.stats.pairs_tested <= 4 * 31  # a column of 31 entered, one left, and their neighbours
    world.check()
