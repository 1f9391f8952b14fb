"""Properties of steps in random scenes with all kinds of movement at once (rules M)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from movement_scenes import a_scene, a_world, play_step

from ecs_collision import CollisionWorld
from ecs_collision.testing import assert_no_overlap

STEPS = 60

SCENES = pytest.mark.parametrize(("seed", "deep"), [(seed, seed % 3 == 2) for seed in range(6)])


@SCENES
def test_no_solid_pair_begins_to_overlap_M1(seed, deep):
    scene, settings = a_scene(seed, deep=deep)
    world = a_world(scene, settings)
    for step in range(STEPS):
        play_step(world, scene, seed, step)
        world.check()
        assert_no_overlap(world)


@SCENES
def test_another_order_of_creation_gives_the_same_state_M1(seed, deep):
    scene, settings = a_scene(seed, deep=deep)
    worlds = [a_world(scene, settings), a_world(scene, settings, shuffle=seed + 1)]
    for step in range(STEPS):
        events = [play_step(world, scene, seed, step) for world in worlds]
        assert events[0] == events[1], step
        assert worlds[0].snapshot() == worlds[1].snapshot(), step


@SCENES
def test_with_distinct_priorities_ids_decide_nothing_M1(seed, deep):
    scene, settings = a_scene(seed, deep=deep)
    ids = [entity for entity in scene if entity != 1]
    renamed = dict(zip(ids, random.Random(seed).sample(ids, len(ids)), strict=True)) | {1: 1}
    other_scene = {renamed[entity]: {**each, "to": renamed[each["to"]]} for entity, each in scene.items()}
    world, other = a_world(scene, settings), a_world(other_scene, settings)
    for rank, entity in enumerate(scene):
        for motion in (_parts(world, entity).motion, _parts(other, renamed[entity]).motion):
            if motion is not None:
                motion.priority = rank * 7 % 31
    for step in range(40):
        play_step(world, scene, seed, step)
        play_step(other, other_scene, seed, step)
        for entity in scene:
            assert _state(world, entity) == _state(other, renamed[entity]), (step, entity)


def _parts(world: CollisionWorld, entity: int) -> Any:
    return world._bodies.of(world._bodies.row(entity))


def _state(world: CollisionWorld, entity: int) -> tuple[Any, ...]:
    """Return what can be seen of a body, without ids."""
    if entity not in world:
        return ()
    parts = _parts(world, entity)
    c, v = parts.character, parts.velocity
    return (
        parts.transform.position,
        None if v is None else (v.x, v.y, v.z),
        None if c is None else (c.on_floor, c.on_wall, c.on_ceiling, c.floor_normal, c.floor_velocity, c.just_landed),
    )


def _move(world: CollisionWorld) -> None:
    world.step_movement(1 / 60, gravity=(0, 30))
