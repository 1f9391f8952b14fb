"""Bodies of very different sizes: giants test only the strips that they entered and left, and miss nothing."""

from __future__ import annotations

import pytest

from ecs_collision import Box, BoxCollider, CollisionWorld, CompoundCollider, Transform, Trigger


def a_giant_and_small_ones() -> tuple[CollisionWorld, Transform, BoxCollider, Trigger]:
    """Return a world in which a giant trigger, 1, has moved over 2 and 3, with 4 beside it; and its components."""
    world, place = CollisionWorld(), Transform(200, 0)
    collider, trigger = BoxCollider(32, 32), Trigger()
    world.add(1, transform=place, collider=collider, trigger=trigger)
    for entity, x in ((2, 0), (3, 30), (4, 32.5)):
        world.add(entity, transform=Transform(x, 0), collider=BoxCollider(0.5, 0.5, layer=f"layer {entity}"))
    world.step()
    place.x = 0
    world.step()
    assert [2, 3] == world.inside(1)
    return world, place, collider, trigger


CHANGES = {
    "shrinks": (lambda place, collider, trigger: setattr(collider, "hx", 8), [2]),
    "shrinks and moves": (lambda place, collider, trigger: [setattr(collider, "hx", 8), setattr(place, "x", 1)], [2]),
    "grows": (lambda place, collider, trigger: setattr(collider, "hx", 40), [2, 3, 4]),
    "grows and moves": (lambda place, collider, trigger: [setattr(collider, "hx", 40), setattr(place, "x", 1)],
        [2, 3, 4]),
    "mask": (lambda place, collider, trigger: setattr(trigger, "mask", ("layer 3", "layer 4")), [3]),
    "mask, and moves": (lambda place, collider, trigger: [setattr(trigger, "mask", "layer 3"), setattr(place, "x", 1)],
        [3]),
    "touching": (lambda place, collider, trigger: setattr(trigger, "touching", True), [2, 3, 4]),
    "disabled": (lambda place, collider, trigger: setattr(collider, "enabled", False), []),
}  # fmt: skip


@pytest.mark.parametrize(("change", "held"), CHANGES.values(), ids=CHANGES)
def test_a_changed_giant_tests_everything_again(change, held):
    world, *parts = a_giant_and_small_ones()
    change(*parts)
    world.step()
    assert held == world.inside(1)
    world.check()


@pytest.mark.parametrize("first", ["giant", "small ones"])
def test_a_giant_added_over_small_bodies_contains_them_in_its_first_frame(first):
    world = CollisionWorld()
    add = {
        "giant": lambda: world.add(1, transform=Transform(0, 0), collider=BoxCollider(32, 32), trigger=Trigger()),
        "small ones": lambda: [
            world.add(entity, transform=Transform(x, 0), collider=BoxCollider(0.5, 0.5))
            for entity, x in ((2, 0), (3, 30), (4, 90))
        ],
    }
    for name in (first, *(name for name in add if name != first)):
        add[name]()
        world.step()
    assert [2, 3] == world.inside(1)


@pytest.mark.parametrize("ways", [(300, -300), (300, 0), (0, 300), (300, 299)], ids=str)
def test_two_giants_that_part_in_one_frame_have_left_each_other(ways):
    """Neither is in the former box of the other, and neither was in the strips that the other left."""
    world = CollisionWorld()
    world.add(transform=Transform(0, 500), collider=BoxCollider(0.25, 0.25))
    places = [Transform(0, 0), Transform(10, 0)]
    one = world.add(transform=places[0], collider=BoxCollider(32, 32), trigger=Trigger())
    two = world.add(transform=places[1], collider=BoxCollider(32, 32))
    world.step()
    assert [two] == world.inside(one)
    for place, way in zip(places, ways, strict=True):
        place.x += way
    world.step()
    assert ([two] if abs(10 + ways[1] - ways[0]) < 64 else []) == world.inside(one)
    world.check()


def test_every_part_of_a_compound_with_a_giant_part_enters_and_leaves():
    world, place = CollisionWorld(), Transform(0, 0)
    parts = [Box(32, 32), Box(0.5, 0.5, offset=(40, 0, 0))]
    giant = world.add(transform=place, collider=CompoundCollider(parts), trigger=Trigger())
    small = world.add(transform=Transform(42, 0), collider=BoxCollider(0.5, 0.5))
    held = []
    for _ in range(5):
        world.step()
        held.append(world.inside(giant))
        place.x += 0.75
    assert [[], [], [small], [small], []] == held


def test_a_giant_that_moved_without_a_trigger_misses_nothing_when_it_gets_one_again():
    world = CollisionWorld()
    place = Transform(0, 0)
    giant = world.add(transform=place, collider=BoxCollider(32, 32))
    world.add(transform=Transform(0, 500), collider=BoxCollider(0.25, 0.25))
    world.step()
    place.x = 200
    world.step()
    zone = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), trigger=Trigger())
    world.step()
    place.x = 0
    world.step()
    assert [giant] == world.inside(zone)


def test_a_giant_over_sleeping_bodies_tests_only_what_it_enters_and_leaves():
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
