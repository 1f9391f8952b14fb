"""The trail of motions: what is summed up, in which order it is told, and how much room it takes (T10)."""

from __future__ import annotations

import random
from collections import defaultdict

from ecs_collision import BoxCollider, CollisionWorld, Inertia, Motion, Transform
from ecs_collision.push.displacement_log import UNMERGED, DisplacementLog


def rows(numbers, width):
    return [tuple(numbers[at : at + width]) for at in range(0, len(numbers), width)]


def filled(steps) -> DisplacementLog:
    trail = DisplacementLog()
    for step in steps:
        trail.note(*step)
    return trail


def sums(steps, key):
    total = defaultdict(lambda: [0, 0, 0])
    for step in steps:
        for axis in range(3):
            total[key(step)][axis] += step[2 + axis]
    return [(*ids, *by) for ids, by in sorted(total.items()) if any(by)]


def test_displacements_are_summed_by_entity_and_by_mover():
    trail = filled([(7, 7, 1, 0, 0), (3, 7, 1, 0, 0), (7, 7, 0, 2, 0), (3, 5, 0, 0, 4), (3, 7, 2, 0, 0)])
    assert [(3, 3, 0, 4), (7, 1, 2, 0)] == rows(trail.moved(), 4)
    assert [(3, 5, 0, 0, 4), (3, 7, 3, 0, 0)] == rows(trail.pushed(), 5)


def test_who_came_back_to_where_he_was_is_not_told_of():
    trail = filled([(1, 1, 5, 0, 0), (2, 1, 5, 0, 0), (1, 2, -5, 0, 0), (2, 1, -5, 0, 0)])
    assert [] == rows(trail.moved(), 4)
    assert [(1, 2, -5, 0, 0)] == rows(trail.pushed(), 5)
    assert len(trail) > 0


def test_an_empty_trail_tells_nothing():
    trail = DisplacementLog()
    assert (0, [], [], []) == (len(trail), list(trail.moved()), list(trail.pushed()), list(trail.halted()))


def test_a_long_trail_is_summed_up_like_a_short_one():
    chance = random.Random(5)
    for length in (1, 2, 3, 17, 500, 3 * UNMERGED):
        steps = [
            (chance.randint(1, 40), chance.choice((1, 2, 2**62)), *(chance.randint(-3, 3) for _ in range(3)))
            for _ in range(length)
        ]
        trail = filled(steps)
        assert sums(steps, lambda step: step[:1]) == rows(trail.moved(), 4)
        assert sums([step for step in steps if step[0] != step[1]], lambda step: step[:2]) == rows(trail.pushed(), 5)


def test_asking_in_between_changes_nothing():
    chance, asked = random.Random(6), DisplacementLog()
    steps = [(chance.randint(1, 9), chance.randint(1, 9), 1, 0, 0) for _ in range(200)]
    for step in steps:
        asked.note(*step)
        if chance.random() < 0.1:
            asked.moved()
    assert filled(steps).moved() == asked.moved()
    assert filled(steps).pushed() == asked.pushed()


def test_distinct_steps_are_all_kept():
    steps = [(entity, entity % 7, 1, 2, 3) for entity in range(3 * UNMERGED)]
    assert [(entity, 1, 2, 3) for entity in range(3 * UNMERGED)] == rows(filled(steps).moved(), 4)


def test_halts_are_told_as_they_were_noted():
    trail = DisplacementLog()
    halts = [(entity % 3, entity % 2, -1, 5) for entity in range(40)]
    for halt in halts:
        trail.halt(*halt)
    assert halts == rows(trail.halted(), 4)
    assert 40 == len(trail)


def test_a_game_that_moves_and_never_steps_needs_no_more_room():
    world = CollisionWorld()
    player = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(2))
    for at in range(1, 9):
        world.add(transform=Transform(at, 0), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1))
    trail = world._step.log.displacement_log
    for _ in range(UNMERGED):
        world.move(player, 2**-16)
    assert trail.step_count <= UNMERGED
    assert [(entity, UNMERGED, 0, 0) for entity in range(1, 10)] == rows(trail.moved(), 4)
    assert 9 == trail.step_count
